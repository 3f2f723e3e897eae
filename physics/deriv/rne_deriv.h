/* rne_deriv.h: how the inertial forces of any motion change; private to physics/. */
#ifndef SAL_PHYSICS_DERIV_RNE_DERIV_H
#define SAL_PHYSICS_DERIV_RNE_DERIV_H

#include "physics/implicit/slope.h"

/* A motion from the configuration of the data: [nv] each; NULL: zero. */
typedef struct phy_rne_motion {
    const double *v;
    const double *a;
    /* of trees that are one free body; the others rest */
    bool only_free;
} phy_rne_motion;

/* With F = M a + c(q, v) of the bodies, without armature and gravity: E += scale dF/dq, q in the
 *     tangent space. (sal_com done) */
void phy_rne_deriv_q(const sal_model *m, sal_data *d, phy_slope E, double scale,
                     const phy_rne_motion *motion);
/* E += scale dF/dv */
void phy_rne_deriv_v(const sal_model *m, sal_data *d, phy_slope E, double scale,
                     const phy_rne_motion *motion);

#endif
