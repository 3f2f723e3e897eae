/* reference.c: the acceleration at which a constraint would settle undisturbed.
 *
 *     aref = -B vel - K d (pos - margin),      vel = J v
 *
 *     solref = (time constant, damping ratio) > 0:   K = 1/(dw^2 tc^2 dr^2)     B = 2/(dw tc)
 *              (-stiffness, -damping)       <= 0:    K = -r0/dw^2               B = -r1/dw
 *
 * less dJ/dt v for connects and welds,
 * so that a violation decays like a spring-damper of that time constant and ratio (MuJoCo documentation, "Solver parameters").
 */
#include "base/house.h"
#include "physics/constraint.h"

static double at_least(double x, double least)
{
    return x > least ? x : least;
}

phy_stiffness phy_stiffness_of(const sal_model *m, const double solref[2], const double solimp[5])
{
    double r0 = solref[0], r1 = solref[1];
    const double dw = at_least(solimp[1] < 0.9999 ? solimp[1] : 0.9999, 0.0001);
    if ((r0 > 0) != (r1 > 0)) { /* neither form: MuJoCo's default */
        r0 = 0.02;
        r1 = 1;
    }
    if (r0 > 0 && !(m->opt.disable & SAL_DSBL_REFSAFE)) {
        r0 = at_least(r0, 2 * m->opt.timestep); /* faster would be unstable in discrete time */
    }
    return (phy_stiffness){r0 > 0 ? 1 / at_least(dw * dw * r0 * r0 * r1 * r1, SAL_MINVAL)
                                  : -r0 / (dw * dw),
                           r1 > 0 ? 2 / at_least(dw * r0, SAL_MINVAL) : -r1 / dw};
}

void phy_reference(const sal_model *m, sal_data *d)
{
    phy_mul_jac(d, d->efc_vel, d->qvel);
    for (int i = 0; i < d->nefc; i++) {
        const double *kbip = d->efc_KBIP + 4 * i;
        d->efc_aref[i] =
            -kbip[1] * d->efc_vel[i] - kbip[0] * kbip[2] * (d->efc_pos[i] - d->efc_margin[i]);
    }
    if (!m->compat222) {
        phy_equality_drift(m, d);
    }
}
