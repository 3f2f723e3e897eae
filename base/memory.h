/* memory.h: where memory comes from.
 *
 * - sal_alloc / sal_free: the only door to the heap in this project's libraries. Zeroed, 64-byte aligned. Tests count calls and
 *   make the n-th one fail.
 * - sal_layout: one function places all arrays of a struct; it is run twice, first to measure (base NULL), then to place.
 * - sal_arena: a stack of scratch inside one block; a mark is taken, scratch is used, the mark is restored. Never grows.
 */
#ifndef SAL_BASE_MEMORY_H
#define SAL_BASE_MEMORY_H

#include "base/status.h"

#include <stddef.h>

SAL_BEGIN_C

/* count * size bytes, zeroed, 64-byte aligned; NULL if there are none (or the product overflows). count 0 gives a valid block. */
SAL_API void *sal_alloc(size_t count, size_t size);
SAL_API void sal_free(void *block);

/* For tests: the n-th call of sal_alloc from now on fails, once (0: none). Process-wide. */
SAL_API void sal_alloc_fail_at(long n);
/* For tests: how many times sal_alloc has been called by all threads so far. */
SAL_API long sal_alloc_count(void);

typedef struct sal_layout {
    char *base;  /* NULL while measuring */
    size_t size; /* bytes taken so far; SIZE_MAX after an overflow */
} sal_layout;

/* The place of `count` items of `size` bytes, 64-byte aligned; NULL while measuring. */
SAL_API void *sal_layout_take(sal_layout *layout, size_t count, size_t size);

typedef struct sal_arena {
    char *base;
    size_t size, used;
} sal_arena;

/* Scratch for `count` doubles, 64-byte aligned, not zeroed; NULL if the arena is full. Restore `used` to give it back. */
SAL_API double *sal_arena_take(sal_arena *arena, size_t count);

SAL_END_C

#endif
