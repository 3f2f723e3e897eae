/* scratch.h: how much scratch the stages take; private to physics/.
 *
 * What works in the arena of a data takes all it needs in one function of (model, arena), which is
 * run twice: by the function itself, to place, and before, on an arena without a block, to measure.
 * Each phy_..._scratch below is such a measurement, and includes what is called meanwhile; after
 * several of them arena.need is the size that is enough for each. Sizes that depend on the state
 * are the model's capacities (nefcmax, nconmax).
 *
 * Scratch that is refused all the same is an error of whoever measured: the function returns
 * without a result, and the next that has a status says so (phy_scratch_status).
 */
#ifndef SAL_PHYSICS_SCRATCH_H
#define SAL_PHYSICS_SCRATCH_H

#include "physics/physics.h"

/* Bytes of a data's arena, by measuring. */
typedef void (*phy_scratch)(const sal_model *m, sal_arena *arena);

/* A data with that much scratch. data.c */
sal_status phy_data_new(sal_data **d, const sal_model *m, phy_scratch scratch, sal_err *err);

/* SAL_INTERNAL if anything has been refused since the data was reset. */
static inline sal_status phy_scratch_status(const sal_data *d, sal_err *err)
{
    return d->arena.need <= d->arena.size
               ? SAL_OK
               : sal_fail(err, SAL_INTERNAL,
                          "the scratch memory of the data has %zu bytes, and at least %zu are "
                          "needed: this is a fault of saltus (physics/scratch.h)",
                          d->arena.size, d->arena.need);
}
/* That of a function that has come to `status`. */
static inline sal_status phy_scratch_status_after(sal_status status, const sal_data *d,
                                                  sal_err *err)
{
    return status == SAL_OK ? phy_scratch_status(d, err) : status;
}

/* All stages of physics.h but those that solve for the acceleration; stages_scratch.c */
void phy_stages_scratch(const sal_model *m, sal_arena *arena);

/* The same, one by one: files are named like them */
void phy_kinematics_scratch(const sal_model *m, sal_arena *arena);
void phy_subtree_scratch(const sal_model *m, sal_arena *arena);
void phy_rne_scratch(const sal_model *m, sal_arena *arena);
void phy_energy_scratch(const sal_model *m, sal_arena *arena);
void phy_equality_scratch(const sal_model *m, sal_arena *arena);
void phy_exact_scratch(const sal_model *m, sal_arena *arena);
void phy_slope_scratch(const sal_model *m, sal_arena *arena);
void phy_slope_bias_scratch(const sal_model *m, sal_arena *arena);
void phy_slope_fluid_scratch(const sal_model *m, sal_arena *arena);
void phy_implicit_scratch(const sal_model *m, sal_arena *arena);
void phy_step_floating_scratch(const sal_model *m, sal_arena *arena);
void phy_inverse_scratch(const sal_model *m, sal_arena *arena);
/* collision/collide.c */
void phy_collide_scratch(const sal_model *m, sal_arena *arena);

/* The forward solver, sal_forward, sal_advance */
void phy_hessian_scratch(const sal_model *m, sal_arena *arena);
/* What a law takes in the inverse direction: contact_law.c */
void phy_law_scratch(const sal_model *m, sal_arena *arena);
void phy_solver_scratch(const sal_model *m, sal_arena *arena);
void phy_noslip_scratch(const sal_model *m, sal_arena *arena);
void phy_forward_scratch(const sal_model *m, sal_arena *arena);
void phy_step_scratch(const sal_model *m, sal_arena *arena);

#endif
