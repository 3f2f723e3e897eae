/* energy_deriv.c: exact derivatives of the energy of energy.c. With h = sum I_b V_b of what dof k
 * moves (deriv.h has psi):
 *
 *     kinetic      T = v'M v / 2:         dT/dq_k = psi_k . h     dT/dv = M v
 *     potential    dU/dq_k = -g . (linear part of I s_k) + springs, k(x) dx
 */
#include "base/house.h"
#include "physics/deriv/scratch.h"
#include "physics/stages.h"
#include "physics/subtree.h"
#include "physics/tendon.h"

#include <string.h>

/* d/dx of the energy of a spring: x k(x) */
static double spring_slope(double k0, const double k[2], double x)
{
    return x * (k0 + x * (k[0] + x * k[1]));
}

/* D += slope * the direction of x, which has three dofs */
static void add_radial(double *D, double k0, const double k[2], double x[3])
{
    const double length = sal_v3_norm(x);
    if (length > 0) {
        sal_v3_addscaled(D, D, spring_slope(k0, k, length) / length, x);
    }
}

static void rotation_away(double r[3], const double q[4], const double rest[4])
{
    double back[4], away[4];
    sal_quat_conj(back, rest);
    sal_quat_mul(away, back, q);
    sal_quat_log(r, away);
}

/* Of a rotation d|r| = r/|r| . dphi, since Jri(r) leaves r as it is. */
static void joint_spring(const sal_model *m, const sal_data *d, int j, double *D)
{
    const double k0 = m->jnt_stiffness[j], *k = m->jnt_stiffnesspoly + 2 * j;
    const double *q = d->qpos + m->jnt_qposadr[j], *rest = m->qpos_spring + m->jnt_qposadr[j];
    double away[3];
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_FREE:
        sal_v3_sub(away, q, rest);
        add_radial(D, k0, k, away);
        rotation_away(away, q + 3, rest + 3);
        add_radial(D + 3, k0, k, away);
        break;
    case SAL_JNT_BALL:
        rotation_away(away, q, rest);
        add_radial(D, k0, k, away);
        break;
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        D[0] += spring_slope(k0, k, q[0] - rest[0]);
        break;
    }
}

void sal_potential_energy_deriv(const sal_model *m, sal_data *d, double *Dq)
{
    phy_compose(m, d);
    memset(Dq, 0, (size_t)m->nv * sizeof *Dq);
    for (int k = 0; k < m->nv && !(m->opt.disable & SAL_DSBL_GRAVITY); k++) {
        double f[6];
        sal_sp_inertia_mul(f, d->crb + SAL_SP_INERTIA * m->dof_bodyid[k], d->cdof + 6 * k);
        Dq[k] -= sal_v3_dot(m->opt.gravity, f + 3);
    }
    if (m->opt.disable & SAL_DSBL_SPRING) {
        return;
    }
    for (int j = 0; j < m->njnt; j++) {
        joint_spring(m, d, j, Dq + m->jnt_dofadr[j]);
    }
    for (int t = 0; t < m->ntendon; t++) {
        const double slope = spring_slope(m->tendon_stiffness[t], m->tendon_stiffnesspoly + 2 * t,
                                          phy_tendon_stretch(m, d, t));
        phy_tendon_pull(m, d, Dq, t, slope);
    }
}

/* Momenta of subtrees [nbody x 6] */
static double *take(const sal_model *m, sal_arena *arena)
{
    return sal_arena_take(arena, 6 * (size_t)m->nbody, sizeof(double));
}

void phy_energy_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    take(m, arena);
    phy_rne_scratch(m, arena);
    arena->used = mark;
}

void sal_kinetic_energy_deriv(const sal_model *m, sal_data *d, double *Dq, double *Dv)
{
    const size_t mark = d->arena.used;
    double *h = take(m, &d->arena);
    if (h == NULL) {
        return;
    }
    phy_subtree_momenta(m, d, h);
    for (int k = 0; k < m->nv; k++) {
        Dq[k] = sal_sp_dot(d->cdof_dot + 6 * k, h + 6 * m->dof_bodyid[k]);
    }
    sal_mul_m(m, d, Dv, d->qvel);
    d->arena.used = mark;
}

bool sal_kinetic_energy_has_deriv(const sal_model *m)
{
    for (int t = 0; t < m->ntendon; t++) {
        if (m->tendon_armature[t] != 0 && !phy_tendon_is_fixed(m, t)) {
            return false; /* M varies with the tendon's path */
        }
    }
    return true;
}
