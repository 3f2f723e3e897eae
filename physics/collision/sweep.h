/* sweep.h: which pairs of geoms may be near; private to physics/. */
#ifndef SAL_PHYSICS_COLLISION_SWEEP_H
#define SAL_PHYSICS_COLLISION_SWEEP_H

#include "physics/stages.h"

#include <stdint.h>

/* Whether a model of so many geoms and pairs is swept: its nsweep is then ngeom and its nsweeppair npair, else both are 0. */
bool phy_sweep_pays(int ngeom, long npair);
/* Fills the sweep_ arrays of a model whose pairs are there. */
void phy_sweep_index(sal_model *m);

/* near [phy_sweep_words]: bit p is set if pair p may be near (all that are, and some more). Takes nsweep numbers of the arena.
 * False: the margins are such that all are. */
bool phy_sweep(const sal_model *m, sal_data *d, uint64_t *near);

#endif
