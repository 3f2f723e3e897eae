/* memory.h: where memory comes from.
 *
 * - sal_alloc / sal_free: the only door to the heap in this project's libraries. Zeroed, 64-byte
 *   aligned. Tests count calls and make the n-th one fail.
 * - sal_layout: one function places all arrays of a struct; it is run twice, first to measure (base
 *   NULL), then to place.
 * - sal_arena: a stack of scratch inside one block; a mark is taken, scratch is used, the mark is
 *   restored. Never grows: what does not fit is refused. Without a block it measures, as a layout
 *   does.
 */
#ifndef SAL_BASE_MEMORY_H
#define SAL_BASE_MEMORY_H

#include "base/status.h"

#include <stddef.h>

SAL_BEGIN_C

/* count * size bytes, zeroed, 64-byte aligned; NULL if there are none (or the product overflows).
 * count 0 gives a valid block. */
SAL_API void *sal_alloc(size_t count, size_t size);
SAL_API void sal_free(void *block);

/* A list that grows: room for one more behind its n items of `size` bytes. Returns the list itself
 * while n < *capacity; else a larger one, zeroed behind the n, with *capacity raised, and `list` is
 * freed. NULL if there is no memory: then both stay as they were. */
SAL_API void *sal_list_grow(void *list, int n, int *capacity, size_t size);

/* For tests: the n-th call of sal_alloc from now on fails, once (0: none). Process-wide. */
SAL_API void sal_alloc_fail_at(long n);
/* For tests: how many times sal_alloc has been called by all threads so far. */
SAL_API long sal_alloc_count(void);

typedef struct sal_layout {
    /* NULL while measuring */
    char *base;
    /* bytes taken so far; SIZE_MAX after an overflow */
    size_t size;
} sal_layout;

/* The place of `count` items of `size` bytes, 64-byte aligned; NULL while measuring. */
SAL_API void *sal_layout_take(sal_layout *layout, size_t count, size_t size);

typedef struct sal_arena {
    /* NULL: it measures */
    char *base;
    /* of the block, bytes */
    size_t size;
    /* restored to what it was, it gives all back that was taken since */
    size_t used;
    /* The most that was ever asked for at once, bytes; SIZE_MAX after an overflow. Beyond `size`:
     * something has been refused. */
    size_t need;
} sal_arena;

/* Scratch for `count` items of `size` bytes, 64-byte aligned, not zeroed. NULL while measuring, and
 * if the rest of the block is too small. After that it refuses everything, so that of several
 * places taken one after the other the last is NULL if any is. */
SAL_API void *sal_arena_take(sal_arena *arena, size_t count, size_t size);

SAL_END_C

#endif
