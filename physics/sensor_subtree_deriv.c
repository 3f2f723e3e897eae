/* sensor_subtree_deriv.c: sensors of all that hangs from a body B, and of the mechanism's energy.
 *
 * Dof k moves the subtree of its own body where that is within B's, else all of B's. With I and h = sum I_b V_b of what it moves, about O, the
 * centre of mass of the tree, which stays where it is (deriv.h has psi):
 *
 *     momentum        dh/dq_k = s_k x* h + I psi_k              dh/dv_k = I s_k
 *     com             m dc/dq_k = linear part of I s_k
 *     linvel          p / m,  p the linear part of h
 *     angmom          L = n - (c - O) x p:   dL = dn - (c - O) x dp - dc x p
 *     kinetic         T = v'M v / 2:         dT/dq_k = psi_k . h     dT/dv = M v
 *     potential       dU/dq_k = -g . (linear part of I s_k) + springs, k(x) dx
 */
#include "physics/sensor.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <string.h>

/* What dof k moves of the subtree of `root`: the subtree of this body; -1: nothing. */
static int moved_part(const sal_model *m, int root, int k)
{
    const int own = m->dof_bodyid[k];
    int b = own;
    while (b > root) {
        b = m->body_parentid[b];
    }
    if (b == root) {
        return own;
    }
    for (b = root; b > own; b = m->body_parentid[b]) {
    }
    return b == own ? root : -1;
}

/* h [6 nbody]: momentum of every body with all that hangs from it, about the centre of its tree; the world has none */
static void momenta(const sal_model *m, const sal_data *d, double *h)
{
    memset(h, 0, 6 * sizeof *h);
    for (int b = 1; b < m->nbody; b++) {
        sal_sp_inertia_mul(h + 6 * b, d->cinert + SAL_SP_INERTIA * b, d->cvel + 6 * b);
    }
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b];
        if (p > 0) {
            sal_sp_addscaled(h + 6 * p, h + 6 * p, 1, h + 6 * b);
        }
    }
}

static double subtree_mass(const sal_model *m, int b)
{
    return m->body_subtreemass[b] < SAL_MINVAL ? SAL_MINVAL : m->body_subtreemass[b];
}

static void put(double *D, int nv, int k, const double y[3], double scale)
{
    for (int r = 0; r < 3; r++) {
        D[r * nv + k] += scale * y[r];
    }
}

/* dL = dn - (c - O) x dp - dc x p, dh = (dn; dp), p of all of the subtree */
static void angular_momentum(double out[3], const double dh[6], const double arm[3],
                             const double dc[3], const double p[3])
{
    double t[3];
    sal_v3_cross(out, dh + 3, arm);
    sal_v3_add(out, out, dh);
    sal_v3_cross(t, p, dc);
    sal_v3_add(out, out, t);
}

static void subtree_deriv(const sal_model *m, const sal_data *d, int i, const double *h, double *Dq,
                          double *Dv)
{
    const int root = m->sensor_objid[i], type = m->sensor_type[i], nv = m->nv;
    const double mass = subtree_mass(m, root);
    double p[3];
    sal_v3_scale(p, d->subtree_linvel + 3 * root, mass);
    for (int k = 0; k < nv; k++) {
        const int part = moved_part(m, root, k);
        const double *s = d->cdof + 6 * k, *psi = d->cdof_dot + 6 * k;
        const double *I = d->crb + SAL_SP_INERTIA * part, *O;
        double by_v[6], by_q[6], t[6], arm[3], dc[3], dL[3];
        if (part < 0) {
            continue;
        }
        sal_sp_inertia_mul(by_v, I, s);
        if (type == SAL_SENS_SUBTREECOM) {
            put(Dq, nv, k, by_v + 3, 1 / mass);
            continue;
        }
        sal_sp_inertia_mul(by_q, I, psi);
        sal_sp_cross_force(t, s, h + 6 * part);
        sal_sp_addscaled(by_q, by_q, 1, t);
        if (type == SAL_SENS_SUBTREELINVEL) {
            put(Dq, nv, k, by_q + 3, 1 / mass);
            put(Dv, nv, k, by_v + 3, 1 / mass);
            continue;
        }
        static const double still[3];
        O = d->subtree_com + 3 * m->body_rootid[m->dof_bodyid[k]];
        sal_v3_sub(arm, d->subtree_com + 3 * root, O);
        sal_v3_scale(dc, by_v + 3, 1 / mass);
        angular_momentum(dL, by_q, arm, dc, p);
        put(Dq, nv, k, dL, 1);
        angular_momentum(dL, by_v, arm, still, p);
        put(Dv, nv, k, dL, 1);
    }
}

/* ---- energy ------------------------------------------------------------------------------------------------------------------------ */

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

static void potential_deriv(const sal_model *m, const sal_data *d, double *Dq)
{
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
                                          sal_tendon_stretch(m, d, t));
        sal_tendon_pull(m, d, Dq, t, slope);
    }
}

static void kinetic_deriv(const sal_model *m, sal_data *d, const double *h, double *Dq, double *Dv)
{
    for (int k = 0; k < m->nv; k++) {
        Dq[k] += sal_sp_dot(d->cdof_dot + 6 * k, h + 6 * m->dof_bodyid[k]);
    }
    sal_mul_m(m, d, Dv, d->qvel);
}

bool sal_sensor_sees_subtree(int type)
{
    return type == SAL_SENS_SUBTREECOM || type == SAL_SENS_SUBTREELINVEL ||
           type == SAL_SENS_SUBTREEANGMOM || type == SAL_SENS_E_POTENTIAL ||
           type == SAL_SENS_E_KINETIC;
}

void sal_sensor_subtree_deriv(const sal_model *m, sal_data *d, int i, double *Dq, double *Dv)
{
    const size_t mark = d->arena.used;
    double *h = sal_arena_take(&d->arena, 6 * (size_t)m->nbody);
    sal_compose(m, d);
    if (m->sensor_stage[i] != SAL_STAGE_POS) {
        momenta(m, d, h);
    }
    if (m->sensor_type[i] == SAL_SENS_E_POTENTIAL) {
        potential_deriv(m, d, Dq);
    } else if (m->sensor_type[i] == SAL_SENS_E_KINETIC) {
        kinetic_deriv(m, d, h, Dq, Dv);
    } else {
        subtree_deriv(m, d, i, h, Dq, Dv);
    }
    d->arena.used = mark;
}
