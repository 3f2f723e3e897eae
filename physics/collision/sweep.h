/* sweep.h: which pairs of geoms may be near; private to physics/. */
#ifndef SAL_PHYSICS_COLLISION_SWEEP_H
#define SAL_PHYSICS_COLLISION_SWEEP_H

#include "physics/stages.h"

#include <stdint.h>

/* What a sweep works in, in the arena of the data. */
typedef struct phy_swept {
    /* [words] bit p: pair p may be near */
    uint64_t *near;
    size_t words;
    /* [nsweep] lower ends of the intervals */
    double *low;
} phy_swept;

/* False: no scratch. */
bool phy_sweep_take(const sal_model *m, sal_arena *arena, phy_swept *s);
/* Fills s->low and sorts d->sweep_order by it; where there is no such interval (planes, what is not
 * a number) low is HUGE_VAL. Returns the axis. */
int phy_sweep_sort(const sal_model *m, sal_data *d, const phy_swept *s);
/* Added to margins of intervals, m */
#define PHY_SWEEP_ROUNDING 1e-6
/* Sets the bits of all pairs that are near, and of some more. False: the margins are such that all
 * may be. */
bool phy_sweep(const sal_model *m, sal_data *d, const phy_swept *s);

#endif
