/* memory.h: each allocation of a call fails once.
 *
 *     for (long k = 1, whole = 0; !whole; k++) {
 *         memory_fails_at(k);
 *         .. the call ..
 *         whole = memory_was_enough(k);
 *     }
 */
#ifndef SAL_TESTS_MEMORY_H
#define SAL_TESTS_MEMORY_H

#include "base/memory.h"

#include <stdbool.h>

static long memory_before;

static inline void memory_fails_at(long k)
{
    memory_before = sal_alloc_count();
    sal_alloc_fail_at(k);
}

/* From here on none fails; whether none failed before, since the call asked for fewer than k. */
static inline bool memory_was_enough(long k)
{
    sal_alloc_fail_at(0);
    return sal_alloc_count() - memory_before < k;
}

#endif
