/* discrete_deriv_rows.c: what is known by the acceleration a of the continuous law, by the a' of a step that treats the joints' damping
 * implicitly (implicit.c):  a = a' + x,   M x = h b(v) a',   b the slopes of damping. A row g = dy/da becomes, with M z = g',
 *
 *     dy/da'_k = g_k + h b_k z_k          dy/dv_k += h b_k'(v) a'_k z_k          dy/dq_k -= z' dM/dq_k x
 *
 * and with Z = sum s z, X = sum s x of the dofs before k's group, about O, and momenta I Z, I X of the subtree that k moves
 *
 *     z' dM/dq_k x = (Z_k- x s_k).(I X) + (X_k- x s_k).(I Z)
 */
#include "physics/stages.h"

#include <string.h>

/* What the product of one vector with M is made of: [6 nbody] each. */
typedef struct sweep {
    double *motion, *momentum;
} sweep;

/* Motion of bodies and momentum of subtrees for rates x. */
static void pass(const sal_model *m, const sal_data *d, sweep w, const double *x)
{
    memset(w.motion, 0, 6 * sizeof *w.motion);
    for (int b = 1; b < m->nbody; b++) {
        double *motion = w.motion + 6 * b;
        const int end = m->body_dofadr[b] + m->body_dofnum[b];
        memcpy(motion, w.motion + 6 * m->body_parentid[b], 6 * sizeof *motion);
        for (int k = m->body_dofadr[b]; k < end; k++) {
            sal_sp_addscaled(motion, motion, x[k], d->cdof + 6 * k);
        }
        sal_sp_inertia_mul(w.momentum + 6 * b, d->cinert + SAL_SP_INERTIA * b, motion);
    }
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b];
        if (p > 0) {
            sal_sp_addscaled(w.momentum + 6 * p, w.momentum + 6 * p, 1, w.momentum + 6 * b);
        }
    }
}

/* D_k -= z' dM/dq_k x of the dofs of one body; Z, X: motion before its joints, which pass on the way. */
static void body_columns(const sal_model *m, const sal_data *d, int b, sweep z, sweep x,
                         const double *const rate[2], double *D)
{
    const int p = m->body_parentid[b], last = m->body_dofadr[b] + m->body_dofnum[b];
    double Z[6], X[6];
    memcpy(Z, z.motion + 6 * p, sizeof Z);
    memcpy(X, x.motion + 6 * p, sizeof X);
    for (int first = m->body_dofadr[b], end; first < last; first = end) {
        end = sal_group_end(m, first);
        for (int k = first; k < end; k++) {
            const double *s = d->cdof + 6 * k;
            double zs[6], xs[6];
            sal_sp_cross_motion(zs, Z, s);
            sal_sp_cross_motion(xs, X, s);
            D[k] -= sal_sp_dot(zs, x.momentum + 6 * b) + sal_sp_dot(xs, z.momentum + 6 * b);
        }
        for (int k = first; k < end; k++) {
            sal_sp_addscaled(Z, Z, rate[0][k], d->cdof + 6 * k);
            sal_sp_addscaled(X, X, rate[1][k], d->cdof + 6 * k);
        }
    }
}

/* Derivative of sal_damping_slope by v. */
static double damping_bend(const sal_model *m, const sal_data *d, int i)
{
    const double *poly = m->dof_dampingpoly + 2 * i, v = d->qvel[i];
    return (v < 0 ? -1 : 1) * 2 * poly[0] + 6 * poly[1] * v;
}

/* Spatial tendons give M a part that the recursion does not see. */
static bool mass_is_of_bodies(const sal_model *m)
{
    for (int t = 0; t < m->ntendon; t++) {
        if (m->tendon_armature[t] != 0 && m->tendon_num[t] > 0 &&
            m->wrap_type[m->tendon_adr[t]] != SAL_WRAP_JOINT) {
            return false;
        }
    }
    return true;
}

bool sal_discrete_rows_deriv(const sal_model *m, sal_data *d, int n, double *Dq, double *Dv,
                             double *Da, const double *qacc_discrete)
{
    const size_t mark = d->arena.used, nv = (size_t)m->nv, nbody = (size_t)m->nbody;
    const double h = m->opt.timestep;
    if (m->opt.integrator != SAL_INT_EULER) {
        return false;
    }
    if (!sal_damping_is_implicit(m)) {
        return true;
    }
    if (!mass_is_of_bodies(m)) {
        return false;
    }
    sweep sx = {sal_arena_take(&d->arena, 6 * nbody), sal_arena_take(&d->arena, 6 * nbody)};
    sweep sz = {sal_arena_take(&d->arena, 6 * nbody), sal_arena_take(&d->arena, 6 * nbody)};
    double *x = sal_arena_take(&d->arena, nv), *z = sal_arena_take(&d->arena, nv);
    const double *const rate[2] = {z, x};
    for (size_t k = 0; k < nv; k++) {
        x[k] = d->qacc[k] - qacc_discrete[k];
    }
    if (!d->factored) {
        sal_factor(m, d);
    }
    pass(m, d, sx, x);
    for (size_t r = 0; r < (size_t)n * nv; r += nv) {
        memcpy(z, Da + r, nv * sizeof *z);
        sal_solve_m(m, d, z);
        pass(m, d, sz, z);
        for (int b = 1; b < m->nbody; b++) {
            body_columns(m, d, b, sz, sx, rate, Dq + r);
        }
        for (int k = 0; k < m->nv; k++) {
            Da[r + (size_t)k] += h * sal_damping_slope(m, d, k) * z[k];
            Dv[r + (size_t)k] += h * damping_bend(m, d, k) * qacc_discrete[k] * z[k];
        }
    }
    d->arena.used = mark;
    return true;
}
