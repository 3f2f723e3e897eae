/* element_deriv_point.c: how velocity and acceleration of a body's point change with the dofs that
 * move it. With (x)_P = u_x + w_x x P, by which P moves in a motion x, the point's velocity and
 * acceleration are
 *
 *     v = (V)_P                   a = (A)_P + w x v,
 *     A = sum s_j a_j + psi_j v_j, or one of the two
 *
 * By q_k, with alp*_k = A_k- x s_k + V_k- x psi_k, all that comes after k is carried along and the
 * rest is there already:
 *     dv = w_k x v + (psi_k)_P    da = w_k x a + (psi_k x V + alp*_k)_P + w_psi x v + w x (psi_k)_P
 * by v_k:
 *     dv = (s_k)_P                da = (s_k x V + chi_k)_P + w_k x v + w x (s_k)_P
 * by a_k:
 *     dv = 0                      da = (s_k)_P
 */
#include "physics/deriv/element_deriv.h"

void phy_mover_set(const sal_model *m, const sal_data *d, phy_mover *p, const double point[3])
{
    const int *chain = m->chain_dof + m->body_chainadr[p->body];
    sal_v3_sub(p->arm, point, phy_centre(m, d, p->body));
    for (int i = 0; i < 6; i++) {
        p->V[i] = d->cvel[6 * p->body + i];
        p->A[i] = 0;
    }
    for (int i = 0; i < m->body_chainnum[p->body]; i++) {
        const int k = chain[i];
        sal_sp_addscaled(p->A, p->A, p->with_qacc ? d->qacc[k] : 0, d->cdof + 6 * k);
        sal_sp_addscaled(p->A, p->A, p->with_drift ? d->qvel[k] : 0, d->cdof_dot + 6 * k);
    }
    sal_sp_point_velocity(p->v, p->V, p->arm);
    sal_sp_point_velocity(p->a, p->A, p->arm);
    if (p->with_drift) {
        sal_v3_addcross(p->a, p->V, p->v);
    }
}

/* alp*: alp without gravity, which is in A_world = (0; -g); less gam, which qacc makes; or gam
 * alone */
static void carried_acceleration(const sal_model *m, const phy_deriv *w, const phy_mover *p, int k,
                                 double r[6])
{
    double gam[6], s[6];
    phy_column(gam, w->gam, k);
    if (!p->with_drift) {
        sal_sp_addscaled(r, r, p->with_qacc, gam);
        return;
    }
    phy_column(r, w->alp, k);
    sal_sp_addscaled(r, r, p->with_qacc ? 0 : -1, gam);
    if (!(m->opt.disable & SAL_DSBL_GRAVITY)) {
        phy_column(s, w->s, k);
        sal_v3_addcross(r + 3, m->opt.gravity, s);
    }
}

phy_motion_change phy_mover_change(const sal_model *m, const phy_deriv *w, const phy_mover *p,
                                   int k, int by)
{
    phy_motion_change r = {{0}, {0}, {0}, {0}};
    double s[6], x[6], dA[6] = {0}, turned[6];
    phy_column(s, w->s, k);
    if (by == PHY_BY_A) {
        sal_sp_addscaled(dA, dA, p->with_qacc, s);
        sal_sp_point_velocity(r.a, dA, p->arm);
        sal_v3_copy(r.wdot, dA);
        return r;
    }
    phy_column(x, by == PHY_BY_Q ? w->psi : w->s, k);
    if (by == PHY_BY_Q) {
        carried_acceleration(m, w, p, k, dA);
    } else if (p->with_drift) {
        phy_column(dA, w->chi, k);
    }
    if (p->with_drift) {
        sal_sp_cross_motion(turned, x, p->V);
        sal_sp_addscaled(dA, dA, 1, turned);
    }
    sal_sp_point_velocity(r.v, x, p->arm);
    sal_sp_point_velocity(r.a, dA, p->arm);
    sal_v3_copy(r.w, x);
    sal_v3_copy(r.wdot, dA);
    if (p->with_drift) {
        sal_v3_addcross(r.a, x, p->v);
        sal_v3_addcross(r.a, p->V, r.v);
    }
    if (by == PHY_BY_Q) {
        sal_v3_addcross(r.v, s, p->v);
        sal_v3_addcross(r.w, s, p->V);
        sal_v3_addcross(r.a, s, p->a);
        sal_v3_addcross(r.wdot, s, p->A);
    }
    return r;
}
