/* sweep.h: which pairs of geoms may be near; private to physics/. */
#ifndef SAL_SWEEP_H
#define SAL_SWEEP_H

#include "physics/physics.h"

#include <stdint.h>

/* Whether a model of so many geoms and pairs is swept: its nsweep is then ngeom and its nsweeppair npair, else both are 0. */
bool sal_sweep_pays(int ngeom, long npair);
/* Fills the sweep_ arrays of a model whose pairs are there. */
void sal_sweep_index(sal_model *m);

/* Words of 64 pairs. */
static inline size_t sal_sweep_words(const sal_model *m)
{
    return ((size_t)m->nsweeppair + 63) / 64;
}

/* near [sal_sweep_words]: bit p is set if pair p may be near (all that are, and some more). Takes nsweep numbers of the arena.
 * False: the margins are such that all are. */
bool sal_sweep(const sal_model *m, sal_data *d, uint64_t *near);

#endif
