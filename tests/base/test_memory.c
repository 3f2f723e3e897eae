/* Scratch: measured as it is placed, and never more than there is. */
#include "tests/check.h"

#include "base/memory.h"
#include "base/watch.h"

#include <stdbool.h>
#include <stdint.h>

/* What an array of at most 64 bytes takes up */
enum { LINE = 64 + SAL_GAP };

static void takes(sal_arena *arena)
{
    const size_t mark = arena->used;
    sal_arena_take(arena, 3, sizeof(double));
    const size_t within = arena->used;
    sal_arena_take(arena, 100, 1);
    arena->used = within;
    sal_arena_take(arena, 0, sizeof(double));
    sal_arena_take(arena, 2, 24);
    arena->used = mark;
}

static void what_is_measured_is_enough(void)
{
    sal_arena arena = {0};
    takes(&arena);
    CHECK(arena.used == 0 && arena.need == 3 * 64 + 2 * SAL_GAP);
    arena.size = arena.need;
    arena.base = sal_alloc(arena.size, 1);
    arena.need = 0;
    takes(&arena);
    CHECK(arena.need == arena.size && arena.used == 0);
    sal_free(arena.base);
}

static void places_are_aligned_and_apart(void)
{
    sal_arena arena = {.base = sal_alloc(4 * LINE, 1), .size = 4 * LINE};
    char *a = sal_arena_take(&arena, 65, 1), *b = sal_arena_take(&arena, 1, 8);
    CHECK(a == arena.base && b == a + 64 + LINE && (uintptr_t)b % 64 == 0 &&
          arena.used == 64 + 2 * LINE);
    sal_free(arena.base);
}

static void a_full_arena_refuses_and_goes_on_refusing(void)
{
    sal_arena arena = {.base = sal_alloc(2 * LINE, 1), .size = 2 * LINE};
    CHECK(sal_arena_take(&arena, 64, 1) != NULL);
    CHECK(sal_arena_take(&arena, LINE + 1, 1) == NULL);
    CHECK(arena.used == LINE && arena.need > 2 * LINE);
    CHECK(sal_arena_take(&arena, 1, 1) == NULL && sal_arena_take(&arena, 0, 1) == NULL);
    arena.need = 0;
    CHECK(sal_arena_take(&arena, 1, 1) != NULL);
    sal_free(arena.base);
}

static void sizes_beyond_counting_are_refused(void)
{
    sal_arena measure = {0}, arena = {.base = sal_alloc(64, 1), .size = 64};
    CHECK(sal_arena_take(&measure, SIZE_MAX / 4, 8) == NULL && measure.need == SIZE_MAX);
    CHECK(sal_arena_take(&arena, SIZE_MAX, 1) == NULL && arena.need > arena.size);
    CHECK(sal_arena_take(&arena, SIZE_MAX / 8 + 1, 8) == NULL && arena.used == 0);
    sal_free(arena.base);
}

/* What stands behind each array, up to the next one; known to the address sanitizer only */
static void what_is_beyond_an_array_is_forbidden(void)
{
#ifdef SAL_WATCHED
    char *list = sal_alloc(3, 1);
    CHECK(!__asan_address_is_poisoned(list + 2) && __asan_address_is_poisoned(list + 3) &&
          __asan_address_is_poisoned(list - 1));
    sal_free(list);
    sal_layout layout = {.base = sal_alloc(4 * LINE, 1)};
    char *a = sal_layout_take(&layout, 5, 1), *b = sal_layout_take(&layout, 64, 1);
    CHECK(!__asan_address_is_poisoned(a + 4) && __asan_address_is_poisoned(a + 5) &&
          __asan_address_is_poisoned(b - 1) && !__asan_address_is_poisoned(b + 63) &&
          __asan_address_is_poisoned(b + 64));
    sal_arena arena = {.base = layout.base, .size = 4 * LINE};
    char *c = sal_arena_take(&arena, 70, 1);
    CHECK(!__asan_address_is_poisoned(c + 69) && __asan_address_is_poisoned(c + 70));
    sal_free(layout.base);
#else
    CHECK(SAL_GAP == 0);
#endif
}

/* A list of one item more, a thousand times: what was put stays, what is new is zero. */
static void lists_grow(void)
{
    int *list = NULL, capacity = 0;
    for (int n = 0; n < 1000; n++) {
        int *longer = sal_list_grow(list, n, &capacity, sizeof *longer);
        CHECK(longer != NULL && capacity > n && longer[n] == 0);
        list = longer;
        list[n] = n + 1;
    }
    bool kept = true;
    for (int i = 0; i < 1000; i++) {
        kept = kept && list[i] == i + 1;
    }
    CHECK(kept);
    const int before = capacity;
    sal_alloc_fail_at(1);
    CHECK(sal_list_grow(list, capacity, &capacity, sizeof *list) == NULL);
    sal_alloc_fail_at(0);
    CHECK(capacity == before && list[999] == 1000);
    sal_free(list);
}

int main(void)
{
    RUN(lists_grow);
    RUN(what_is_beyond_an_array_is_forbidden);
    RUN(what_is_measured_is_enough);
    RUN(places_are_aligned_and_apart);
    RUN(a_full_arena_refuses_and_goes_on_refusing);
    RUN(sizes_beyond_counting_are_refused);
    return check_done();
}
