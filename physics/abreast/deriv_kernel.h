/* deriv_kernel.h: the derivatives of several instants at once, as compiled for one width and one
 * kind of processor; private to physics/.
 *
 * What the derivatives of the smooth part are made from, see physics/deriv/deriv.h, whose names and
 * formulas these are: there four dofs of one instant side by side, here one dof of several
 * instants. Loads come from each instant by itself.
 */
#ifndef SAL_PHYSICS_ABREAST_DERIV_KERNEL_H
#define SAL_PHYSICS_ABREAST_DERIV_KERNEL_H

#include "physics/abreast/abreast.h"
#include "physics/deriv/deriv.h"

/* x: the block of the kernel of the same width, whose instants are placed; n: how many of them
 * count. Called in this order: */
typedef struct phy_deriv_kernel {
    /* Bytes of the block that the others work with */
    size_t (*size)(const sal_model *m);
    void (*begin)(const sal_model *m, void *block);
    /* Columns and composites of the data d[0] .. d[n - 1], from their qacc */
    void (*columns)(const sal_model *m, void *block, void *x, sal_data *const *d, int n);
    /* Their contacts as loads; false: each instant has to find them by itself */
    bool (*contacts)(const sal_model *m, void *block, const void *x, sal_data *const *d, int n);
    /* G of the instants */
    void (*motions)(const sal_model *m, void *block);
    /* Where the loads of instant i go, none so far; with G and first */
    phy_deriv *(*instant)(void *block, int i);
    /* Columns of instant i: s, psi, gam, alp, chi; until those of another are asked for */
    void (*bring)(const sal_model *m, void *block, const void *x, int i);
    /* The smooth part of Dq, Dv, Da of instants 0 .. n - 1, with their loads */
    void (*products)(const sal_model *m, void *block, const void *x, const phy_abreast_jacobian *J,
                     int n);
} phy_deriv_kernel;

/* Each has a name as its kernel has, see kernel.h. */
extern const phy_deriv_kernel phy_deriv_kernel_here;

#endif
