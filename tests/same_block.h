/* same_block.h: whether two models have the same bytes in all arrays. */
#ifndef SAL_TESTS_SAME_BLOCK_H
#define SAL_TESTS_SAME_BLOCK_H

#include "base/watch.h"
#include "physics/physics.h"

#include <string.h>

static inline bool same_block(const sal_model *a, const sal_model *b)
{
    sal_watch_allow(a->block, a->nblock);
    sal_watch_allow(b->block, b->nblock);
    return a->nblock == b->nblock && memcmp(a->block, b->block, a->nblock) == 0;
}

#endif
