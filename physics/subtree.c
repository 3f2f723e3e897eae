/* subtree.c: the bodies that hang from a body, taken as one. Static ones do not count: what stands
 * has no share in a motion. Sums over the bodies b, about O, the centre of mass of their tree; h_b
 * = I_b V_b = (n_b; p_b):
 *
 *     com        c = sum m_b x_b / m
 *     velocity   sum p_b / m
 *     momentum   angular, about c:  sum n_b - (c - O) x p_b
 *     acceleration   sum of the linear parts of I_b A_b + V_b x* h_b, / m;
 *     A_b = sum (psi_k v_k + s_k a_k), without gravity
 */
#include "physics/subtree.h"

#include "base/house.h"
#include "physics/scratch.h"
#include "physics/stages.h"

#include <string.h>

int phy_subtree_end(const sal_model *m, int body)
{
    int end = body + 1;
    while (end < m->nbody && m->body_parentid[end] >= body) {
        end++;
    }
    return end;
}

int phy_subtree_moved(const sal_model *m, int body, int end, int k)
{
    const int b = m->dof_bodyid[k];
    if (b >= body && b < end) {
        return b;
    }
    const int *chain = m->chain_dof + m->body_chainadr[body];
    for (int i = 0; i < m->body_chainnum[body]; i++) {
        if (chain[i] == k) {
            return body;
        }
    }
    return -1;
}

void phy_subtree_momenta(const sal_model *m, const sal_data *d, double *h)
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

double sal_bulk_mass(const sal_model *m, int body)
{
    const int end = phy_subtree_end(m, body);
    double mass = 0;
    for (int b = body; b < end; b++) {
        mass += m->body_weldid[b] == 0 ? 0 : m->body_mass[b];
    }
    return mass;
}

static void centre(const sal_model *m, const sal_data *d, int body, double com[3])
{
    const int end = phy_subtree_end(m, body);
    double mass = 0;
    sal_v3_set(com, 0, 0, 0);
    for (int b = body; b < end; b++) {
        if (m->body_weldid[b] != 0) {
            mass += m->body_mass[b];
            sal_v3_addscaled(com, com, m->body_mass[b], d->xipos + 3 * b);
        }
    }
    sal_v3_scale(com, com, mass < SAL_MINVAL ? 0 : 1 / mass);
}

/* Linear momentum, and the angular about `about`. */
static void momenta(const sal_model *m, const sal_data *d, int body, const double about[3],
                    double linear[3], double angular[3])
{
    const int end = phy_subtree_end(m, body);
    sal_v3_set(linear, 0, 0, 0);
    sal_v3_set(angular, 0, 0, 0);
    for (int b = body; b < end; b++) {
        double h[6], arm[3];
        sal_sp_inertia_mul(h, d->cinert + SAL_SP_INERTIA * b, d->cvel + 6 * b);
        sal_v3_sub(arm, d->subtree_com + 3 * m->body_rootid[b], about);
        sal_v3_add(linear, linear, h + 3);
        sal_v3_add(angular, angular, h);
        sal_v3_addcross(angular, arm, h + 3);
    }
}

void phy_subtree_accelerations(const sal_model *m, const sal_data *d, double *A)
{
    memset(A, 0, 6 * sizeof *A);
    for (int b = 1; b < m->nbody; b++) {
        double *a = A + 6 * b;
        const int first = m->body_dofadr[b];
        memcpy(a, A + 6 * m->body_parentid[b], 6 * sizeof *a);
        for (int k = first; k < first + m->body_dofnum[b]; k++) {
            sal_sp_addscaled(a, a, d->qvel[k], d->cdof_dot + 6 * k);
            sal_sp_addscaled(a, a, d->qacc[k], d->cdof + 6 * k);
        }
    }
}

void phy_subtree_force(const sal_data *d, const double *A, int b, double force[3])
{
    double F[6], h[6], gyro[6];
    sal_sp_inertia_mul(F, d->cinert + SAL_SP_INERTIA * b, A + 6 * b);
    sal_sp_inertia_mul(h, d->cinert + SAL_SP_INERTIA * b, d->cvel + 6 * b);
    sal_sp_cross_force(gyro, d->cvel + 6 * b, h);
    sal_v3_add(force, F + 3, gyro + 3);
}

phy_subtree phy_subtree_of(const sal_model *m, const sal_data *d, int body)
{
    phy_subtree s = {.body = body, .mass = sal_bulk_mass(m, body)};
    double angular[3];
    centre(m, d, body, s.com);
    momenta(m, d, body, s.com, s.p, angular);
    return s;
}

/* A [6 nbody] */
static double *take(const sal_model *m, sal_arena *arena)
{
    return sal_arena_take(arena, 6 * (size_t)m->nbody, sizeof(double));
}

void phy_subtree_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    take(m, arena);
    arena->used = mark;
}

/* linvel = p / m,  angmom = n - (com - c) x p, about the subtree's own com. */
void phy_subtree_velocity(const sal_model *m, sal_data *d)
{
    const size_t mark = d->arena.used;
    double *h = take(m, &d->arena);
    if (h == NULL) {
        return;
    }
    phy_subtree_momenta(m, d, h);
    for (int b = m->nbody - 1; b >= 0; b--) {
        double arm[3], moment[3];
        if (b > 0 && m->body_parentid[b] == 0) {
            /* trees have points of their own: the world sums about its com */
            sal_v3_sub(arm, d->subtree_com + 3 * b, d->subtree_com);
            sal_v3_cross(moment, arm, h + 6 * b + 3);
            sal_sp_add(h, h + 6 * b);
            sal_v3_add(h, h, moment);
        }
        const double mass = m->body_subtreemass[b];
        const int about = b > 0 ? m->body_rootid[b] : 0;
        sal_v3_scale(d->subtree_linvel + 3 * b, h + 6 * b + 3,
                     1 / (mass < SAL_MINVAL ? SAL_MINVAL : mass));
        sal_v3_sub(arm, d->subtree_com + 3 * b, d->subtree_com + 3 * about);
        sal_v3_cross(moment, arm, h + 6 * b + 3);
        sal_v3_sub(d->subtree_angmom + 3 * b, h + 6 * b, moment);
    }
    d->arena.used = mark;
}

static void acceleration(const sal_model *m, sal_data *d, int body, double y[3])
{
    const size_t mark = d->arena.used;
    const int end = phy_subtree_end(m, body);
    double *A = take(m, &d->arena), force[3];
    sal_v3_set(y, 0, 0, 0);
    if (A == NULL) {
        return;
    }
    phy_subtree_accelerations(m, d, A);
    for (int b = body; b < end; b++) {
        phy_subtree_force(d, A, b, force);
        sal_v3_add(y, y, force);
    }
    d->arena.used = mark;
}

void sal_bulk_value(const sal_model *m, sal_data *d, sal_bulk which, int body, double y[3])
{
    const double mass = sal_bulk_mass(m, body), per_mass = mass < SAL_MINVAL ? 0 : 1 / mass;
    double com[3], other[3];
    switch (which) {
    case SAL_BULK_COM:
        centre(m, d, body, y);
        break;
    case SAL_BULK_LINVEL:
        momenta(m, d, body, d->subtree_com, y, other);
        sal_v3_scale(y, y, per_mass);
        break;
    case SAL_BULK_ANGMOM:
        centre(m, d, body, com);
        momenta(m, d, body, com, other, y);
        break;
    case SAL_BULK_LINACC:
        acceleration(m, d, body, y);
        sal_v3_scale(y, y, per_mass);
        break;
    }
}
