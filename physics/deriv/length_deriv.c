/* length_deriv.c: exact derivatives of the lengths of tendons and actuators, and of their rates J
 * v:
 *
 *     dl/dq        d(J v)/dv = J        d(J v)/dq_k = sum_i v_i N_ik,   N = dJ/dq
 *
 * For fixed tendons N = 0. (2.2.2 counts a joint that such a tendon names twice once in J, but not
 * in the length.)
 */
#include "physics/deriv/element_deriv.h"
#include "physics/deriv/scratch.h"
#include "physics/tendon.h"

#include <string.h>

/* How a length and its Jacobian vary with the n dofs that have to do with it */
typedef struct turn {
    double *N, *dl; /* [n x n], [n] */
} turn;

static bool take(sal_arena *arena, int n, turn *x)
{
    x->N = sal_arena_take(arena, (size_t)n * (size_t)n, sizeof *x->N);
    x->dl = sal_arena_take(arena, (size_t)n, sizeof *x->dl);
    return x->dl != NULL;
}

void phy_length_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    turn x;
    for (int t = 0; t < m->ntendon; t++, arena->used = mark) {
        take(arena, phy_tendon_is_fixed(m, t) ? 0 : m->tendon_Jnum[t], &x);
    }
    for (int i = 0; i < m->nu; i++, arena->used = mark) {
        take(arena, m->moment_rownnz[i], &x);
    }
}

void phy_tendon_turn_add(const sal_model *m, sal_data *d, int t, double k, const double *w,
                         double *Dq)
{
    const size_t mark = d->arena.used, n = (size_t)m->tendon_Jnum[t];
    const int *dof = m->ten_dof + m->tendon_Jadr[t];
    if (phy_tendon_is_fixed(m, t)) {
        return;
    }
    turn x;
    if (!take(&d->arena, m->tendon_Jnum[t], &x)) {
        return;
    }
    const double *N = x.N;
    phy_tendon_turn(m, d, t, x.N, x.dl);
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < n; c++) {
            Dq[dof[c]] += k * w[dof[i]] * N[i * n + c];
        }
    }
    d->arena.used = mark;
}

void sal_tendon_length_deriv(const sal_model *m, const sal_data *d, int t, double *Dq)
{
    const int path = m->tendon_adr[t], J = m->tendon_Jadr[t];
    memset(Dq, 0, (size_t)m->nv * sizeof *Dq);
    for (int i = path; i < path + m->tendon_num[t] && phy_tendon_is_fixed(m, t); i++) {
        Dq[m->jnt_dofadr[m->wrap_objid[i]]] += m->wrap_prm[i];
    }
    for (int i = J; i < J + m->tendon_Jnum[t] && !phy_tendon_is_fixed(m, t); i++) {
        Dq[m->ten_dof[i]] = d->ten_J[i];
    }
}

void sal_tendon_velocity_deriv(const sal_model *m, sal_data *d, int t, double *Dq, double *Dv)
{
    const size_t bytes = (size_t)m->nv * sizeof *Dq;
    memset(Dq, 0, bytes);
    memset(Dv, 0, bytes);
    for (int i = m->tendon_Jadr[t]; i < m->tendon_Jadr[t] + m->tendon_Jnum[t]; i++) {
        Dv[m->ten_dof[i]] = d->ten_J[i];
    }
    phy_tendon_turn_add(m, d, t, 1, d->qvel, Dq);
}

/* Length by q; Dv not NULL: rate by q and v. Both are zero before. */
static void actuator_deriv(const sal_model *m, sal_data *d, int a, double *Dq, double *Dv)
{
    const size_t mark = d->arena.used, n = (size_t)m->moment_rownnz[a];
    const int adr = m->moment_rowadr[a], *dof = m->moment_colind + adr;
    turn x;
    if (!take(&d->arena, m->moment_rownnz[a], &x)) {
        return;
    }
    const double *N = x.N, *dl = x.dl;
    phy_transmission_turn(m, d, a, x.N, x.dl);
    for (size_t k = 0; k < n; k++) {
        Dq[dof[k]] = Dv == NULL ? dl[k] : 0;
        for (size_t i = 0; i < n && Dv != NULL; i++) {
            Dv[dof[i]] = d->actuator_moment[adr + (int)i];
            Dq[dof[k]] += d->qvel[dof[i]] * N[i * n + k];
        }
    }
    d->arena.used = mark;
}

void sal_actuator_length_deriv(const sal_model *m, sal_data *d, int i, double *Dq)
{
    memset(Dq, 0, (size_t)m->nv * sizeof *Dq);
    actuator_deriv(m, d, i, Dq, NULL);
}

void sal_actuator_velocity_deriv(const sal_model *m, sal_data *d, int i, double *Dq, double *Dv)
{
    const size_t bytes = (size_t)m->nv * sizeof *Dq;
    memset(Dq, 0, bytes);
    memset(Dv, 0, bytes);
    if ((m->opt.disable & SAL_DSBL_ACTUATION) != 0 && m->mujoco != SAL_MUJOCO_222) {
        return; /* the rate is zero: phy_actuator_velocity */
    }
    actuator_deriv(m, d, i, Dq, Dv);
}
