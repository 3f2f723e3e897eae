#include "base/memory.h"

#include "base/watch.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static atomic_long alloc_count;
static atomic_long alloc_fail_at; /* value of alloc_count at which to fail; 0: never */

static size_t align_up(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* No model that can be computed with needs a block larger than this; where memory is only promised,
 * taking it would end the program. */
static const size_t block_max = (size_t)4 << 30;

static bool product_overflows(size_t count, size_t size)
{
    size_t product;
    return __builtin_mul_overflow(count, size, &product) || product > SIZE_MAX - 2 * ALIGNMENT;
}

void *sal_alloc(size_t count, size_t size)
{
    const long call = atomic_fetch_add(&alloc_count, 1) + 1;
    if (product_overflows(count, size) || count * size > block_max ||
        call == atomic_load(&alloc_fail_at)) {
        return NULL;
    }
    /* calloc: a large block is memory that the system has zeroed, or zeroes where it is used first.
     * Where it began stands before the place that is aligned. */
    const size_t whole = count * size + sizeof(void *) + ALIGNMENT;
    char *begin = calloc(1, whole);
    if (begin == NULL) {
        return NULL;
    }
    char *block = begin + (align_up((uintptr_t)begin + sizeof(void *)) - (uintptr_t)begin);
    memcpy(block - sizeof(void *), &begin, sizeof begin);
    sal_watch_forbid(begin, (size_t)(block - begin));
    sal_watch_forbid(block + count * size, whole - count * size - (size_t)(block - begin));
    return block;
}

void sal_free(void *block)
{
    if (block != NULL) {
        void *begin;
        sal_watch_allow((char *)block - sizeof begin, sizeof begin);
        memcpy(&begin, (char *)block - sizeof begin, sizeof begin);
        free(begin);
    }
}

void *sal_list_grow(void *list, int n, int *capacity, size_t size)
{
    if (n < *capacity) {
        return list;
    }
    const int more = n < 4 ? 4 : n > INT_MAX / 2 ? INT_MAX : 2 * n;
    void *larger = n == INT_MAX ? NULL : sal_alloc((size_t)more, size);
    if (larger == NULL) {
        return NULL;
    }
    if (n > 0) {
        memcpy(larger, list, (size_t)n * size);
    }
    sal_free(list);
    *capacity = more;
    return larger;
}

void sal_alloc_fail_at(long n)
{
    atomic_store(&alloc_fail_at, n > 0 ? atomic_load(&alloc_count) + n : 0);
}

long sal_alloc_count(void)
{
    return atomic_load(&alloc_count);
}

/* An array of so many bytes, and what stands up to the next one */
static void *fence(char *array, size_t bytes, size_t room)
{
    sal_watch_allow(array, bytes);
    sal_watch_forbid(array + bytes, room - bytes);
    return array;
}

void *sal_layout_take(sal_layout *layout, size_t count, size_t size)
{
    const size_t place = layout->size;
    if (place == SIZE_MAX || product_overflows(count, size) ||
        align_up(count * size) > SIZE_MAX - 1 - SAL_GAP - place) {
        layout->size = SIZE_MAX;
        return NULL;
    }
    layout->size = place + align_up(count * size) + SAL_GAP;
    return layout->base == NULL ? NULL
                                : fence(layout->base + place, count * size, layout->size - place);
}

void *sal_arena_take(sal_arena *arena, size_t count, size_t size)
{
    const size_t place = arena->used;
    const bool measures = arena->base == NULL;
    if (product_overflows(count, size) || align_up(count * size) > SIZE_MAX - 1 - SAL_GAP - place) {
        arena->need = SIZE_MAX;
        return NULL;
    }
    const size_t end = place + align_up(count * size) + SAL_GAP;
    arena->need = end > arena->need ? end : arena->need;
    if (!measures && arena->need > arena->size) {
        return NULL;
    }
    arena->used = end;
    return measures ? NULL : fence(arena->base + place, count * size, end - place);
}
