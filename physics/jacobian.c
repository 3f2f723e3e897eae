/* jacobian.c: how points and bodies move with the dofs, and the velocity of points.
 *
 * The column of dof k is s_k = (w; u) about the tree's centre of mass c; the point P of the body
 * moves with u + w x (P - c). */
#include "base/house.h"
#include "physics/stages.h"

#include <string.h>

void sal_jac(const sal_model *m, const sal_data *d, double *jacp, double *jacr,
             const double point[3], int body)
{
    const size_t nv = (size_t)m->nv;
    const int *chain = m->chain_dof + m->body_chainadr[body], n = m->body_chainnum[body];
    double arm[3];
    sal_v3_sub(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
    if (jacp != NULL) {
        memset(jacp, 0, 3 * nv * sizeof *jacp);
    }
    if (jacr != NULL) {
        memset(jacr, 0, 3 * nv * sizeof *jacr);
    }
    for (int a = 0; a < n; a++) {
        const size_t k = (size_t)chain[a];
        const double *s = d->cdof + 6 * k;
        double u[3];
        sal_v3_cross(u, s, arm);
        sal_v3_add(u, u, s + 3); /* u + w x (P - c) */
        for (size_t i = 0; i < 3; i++) {
            if (jacp != NULL) {
                jacp[i * nv + k] = u[i];
            }
            if (jacr != NULL) {
                jacr[i * nv + k] = s[i];
            }
        }
    }
}

/* The wrench about c is w = (torque + (P - c) x force ; force), and r_k += w . s_k over the body's
 * chain. */
void sal_apply_force(const sal_model *m, const sal_data *d, double *r, const double force[3],
                     const double torque[3], const double point[3], int body)
{
    const int *chain = m->chain_dof + m->body_chainadr[body];
    double arm[3], wrench[6];
    sal_v3_sub(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
    sal_v3_cross(wrench, arm, force);
    sal_v3_add(wrench, wrench, torque);
    sal_v3_copy(wrench + 3, force);
    for (int k = 0; k < m->body_chainnum[body]; k++) {
        r[chain[k]] += sal_sp_dot(wrench, d->cdof + 6 * chain[k]);
    }
}

void sal_point_velocity(const sal_model *m, const sal_data *d, double linear[3], double angular[3],
                        const double point[3], int body)
{
    const double *v = d->cvel + 6 * body;
    double arm[3], swing[3];
    sal_v3_sub(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
    sal_v3_cross(swing, v, arm);
    sal_v3_add(linear, v + 3, swing); /* u + w x (P - c) */
    if (angular != NULL) {
        sal_v3_copy(angular, v);
    }
}

void phy_point_drift(const sal_model *m, const sal_data *d, double v[3], double w[3], double a[3],
                     double wdot[3], const double point[3], int body)
{
    const int *chain = m->chain_dof + m->body_chainadr[body];
    double A[6] = {0}, arm[3], swing[3];
    for (int k = 0; k < m->body_chainnum[body]; k++) {
        sal_sp_addscaled(A, A, d->qvel[chain[k]], d->cdof_dot + 6 * chain[k]);
    }
    sal_point_velocity(m, d, v, w, point, body);
    sal_v3_sub(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
    sal_v3_cross(swing, A, arm);
    sal_v3_add(a, A + 3, swing); /* A_linear + A_angular x (P - c) */
    sal_v3_cross(swing, w, v);
    sal_v3_add(a, a, swing); /* + w x v */
    sal_v3_copy(wdot, A);
}

int phy_common_dofs(const sal_model *m, int b0, int b1)
{
    const int *c0 = m->chain_dof + m->body_chainadr[b0], *c1 = m->chain_dof + m->body_chainadr[b1];
    int n = 0;
    while (n < m->body_chainnum[b0] && n < m->body_chainnum[b1] && c0[n] == c1[n]) {
        n++;
    }
    return n;
}

void phy_row_add_wrench(const sal_model *m, const sal_data *d, double *row, const int *dof,
                        int body, int common, const double wrench[6])
{
    const int *chain = m->chain_dof + m->body_chainadr[body];
    for (int k = common, at = 0; k < m->body_chainnum[body]; k++) {
        while (dof[at] < chain[k]) { /* both ascend */
            at++;
        }
        row[at] += sal_sp_dot(wrench, d->cdof + 6 * chain[k]);
    }
}
