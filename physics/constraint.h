/* constraint.h: what the constraint part of physics offers to its neighbours in this folder;
 * private to physics/.
 *
 *     rows     sal_make_constraint   J, pos, margin, R, D, K, B     from positions
 *     aref     phy_reference         aref = -B (J v) - K d (pos - margin)
 *     force    phy_constraint_force  f = law(J a - aref),  qfrc_constraint = J'f
 */
#ifndef SAL_PHYSICS_CONSTRAINT_H
#define SAL_PHYSICS_CONSTRAINT_H

#include "physics/stages.h"

/* efc_vel = J v + what surfaces move, and efc_aref, from qvel (sal_make_constraint done). The last
 * part of the velocity stage. J v of the rows behind the first `rows` is there already. */
void phy_reference(const sal_model *m, sal_data *d, int rows);

/* efc_force, efc_state and qfrc_constraint, from qacc (phy_reference done): the inverse direction,
 * constraint by constraint, exact. J a of the rows behind the first `rows` is there already. */
void phy_constraint_force(const sal_model *m, sal_data *d, int rows);

/* aref of a row from its J v, but for dJ/dt v and adhesion. reference.c */
double phy_row_reference(const sal_model *m, const sal_data *d, int row);

/* s = 1 + h B + h^2 K d of a row, by which a step of integrator="discrete" divides its aref and its
 * R; else 1. */
double phy_row_slowing(const sal_model *m, const sal_data *d, int row);

/* aref -= dJ/dt v for the rows of connects and welds. */
void phy_equality_drift(const sal_model *m, sal_data *d);

/* What the rows of a connect or weld hold together. */
typedef struct phy_joined {
    int body[2];
    double point[2][3];
    /* weld: q_2*, q_1 q_rel or their like of sites */
    double left[4], right[4];
    /* torquescale */
    double scale;
    int rows;
} phy_joined;
void phy_join(const sal_model *m, const sal_data *d, int i, phy_joined *e);

/* dp/du of the polynomial p = c_0 + c_1 u + .. + c_4 u^4 of an equality */
static inline double phy_equality_slope(const double c[5], double u)
{
    return c[1] + u * (2 * c[2] + u * (3 * c[3] + u * 4 * c[4]));
}

/* The torque on the first body of a weld whose rows of rotation have the forces f. */
void phy_joined_torque(const phy_joined *e, double torque[3], const double f[3]);

/* r = J x [rows], [nv] of the first rows, which end with a contact;   r = J'f [nv], [nefc] */
void phy_mul_jac(const sal_data *d, double *r, const double *x, int rows);
void phy_mul_jac_t(const sal_model *m, const sal_data *d, double *r, const double *f);

/* Impedance d of a violation, pos - margin, and its slope, by solimp = (d0, dw, width, midpoint,
 * power). */
static const double PHY_IMPEDANCE_MOST = 0.9999;
typedef struct phy_impedance {
    double d;
    double slope;
} phy_impedance;
phy_impedance phy_impedance_at(const double solimp[5], double violation);

/* Stiffness K and damping B of the reference acceleration. */
typedef struct phy_stiffness {
    double k;
    double b;
} phy_stiffness;
phy_stiffness phy_stiffness_of(const sal_model *m, const double solref[2], const double solimp[5]);
/* With integrator="discrete" (and refsafe) a limit or contact whose solref is a time constant and a
 * damping ratio is at most so stiff that K d h^2 = 1, at the same damping ratio. */
void phy_limit_stiffness(const sal_model *m, const double solref[2], phy_impedance impedance,
                         phy_stiffness *stiffness);
static inline void phy_make_resolvable(const sal_model *m, const double solref[2],
                                       phy_impedance impedance, phy_stiffness *stiffness)
{
    if (phy_has_step_metric(m)) {
        phy_limit_stiffness(m, solref, impedance, stiffness);
    }
}
/* The reference of the tangential rows of an elliptic contact: the pair's solreffriction, else its
 * solref, also where solreffriction is neither (time constant, damping ratio) nor (-stiffness,
 * -damping). */
const double *phy_sliding_solref(const sal_model *m, int pair);

#endif
