/* jacobian_object.c: how named things move with the dofs: points of bodies, geoms and sites,
 * centres of mass, angular momenta, and how the columns change along the motion.
 *
 * The column of dof k is s_k = (w; u) about the centre c of its tree: a point P moves with u + w x
 * (P - c).
 */
#include "base/house.h"
#include "physics/object_pose.h"
#include "physics/stages.h"
#include "physics/subtree.h"

#include <string.h>

void sal_jac_body(const sal_model *m, const sal_data *d, double *jacp, double *jacr, int body)
{
    sal_jac(m, d, jacp, jacr, d->xpos + 3 * body, body);
}

void sal_jac_body_com(const sal_model *m, const sal_data *d, double *jacp, double *jacr, int body)
{
    sal_jac(m, d, jacp, jacr, d->xipos + 3 * body, body);
}

void sal_jac_geom(const sal_model *m, const sal_data *d, double *jacp, double *jacr, int geom)
{
    sal_jac(m, d, jacp, jacr, d->geom_xpos + 3 * geom, m->geom_bodyid[geom]);
}

void sal_jac_site(const sal_model *m, const sal_data *d, double *jacp, double *jacr, int site)
{
    sal_jac(m, d, jacp, jacr, d->site_xpos + 3 * site, m->site_bodyid[site]);
}

void sal_jac_subtree_com(const sal_model *m, const sal_data *d, double *jacp, int body)
{
    const int end = phy_subtree_end(m, body);
    const size_t nv = (size_t)m->nv;
    memset(jacp, 0, 3 * nv * sizeof *jacp);
    for (int k = 0; k < m->nv && m->body_subtreemass[body] >= SAL_MINVAL; k++) {
        const int part = phy_subtree_moved(m, body, end, k);
        const double *s = d->cdof + 6 * k;
        double arm[3], u[3];
        if (part >= 0) { /* m_part / m (u + w x (com_part - c)) */
            sal_v3_sub(arm, d->subtree_com + 3 * part, d->subtree_com + 3 * m->body_rootid[part]);
            sal_v3_cross(u, s, arm);
            sal_v3_add(u, u, s + 3);
            sal_v3_scale(u, u, m->body_subtreemass[part] / m->body_subtreemass[body]);
            for (size_t i = 0; i < 3; i++) {
                jacp[i * nv + (size_t)k] = u[i];
            }
        }
    }
}

/* L = n - (com - c) x f with (n; f) = Ic s_k the momentum about c of all that moves with the dof */
void sal_angular_momentum_matrix(const sal_model *m, sal_data *d, double *matrix, int body)
{
    const int end = phy_subtree_end(m, body);
    const size_t nv = (size_t)m->nv;
    phy_compose(m, d);
    memset(matrix, 0, 3 * nv * sizeof *matrix);
    for (int k = 0; k < m->nv; k++) {
        const int part = phy_subtree_moved(m, body, end, k);
        double h[6], arm[3], moment[3];
        if (part >= 0) {
            sal_sp_inertia_mul(h, d->crb + SAL_SP_INERTIA * part, d->cdof + 6 * k);
            sal_v3_sub(arm, d->subtree_com + 3 * body, d->subtree_com + 3 * m->body_rootid[part]);
            sal_v3_cross(moment, arm, h + 3);
            for (size_t i = 0; i < 3; i++) {
                matrix[i * nv + (size_t)k] = h[i] - moment[i];
            }
        }
    }
}

/* sdot of dof k as it moves: cdof_dot turns the columns of balls with what comes before the joint;
 * they also turn with the joint itself, which cancels in cdof_dot qvel. */
static void column_rate(const sal_model *m, const sal_data *d, int k, double sdot[6])
{
    const int j = m->dof_jntid[k], type = m->jnt_type[j];
    const int turn = m->jnt_dofadr[j] + (type == SAL_JNT_FREE ? 3 : 0);
    memcpy(sdot, d->cdof_dot + 6 * k, 6 * sizeof *sdot);
    if (type <= SAL_JNT_BALL && k >= turn) {
        double own[6] = {0}, more[6];
        for (int i = turn; i < turn + 3; i++) {
            sal_sp_addscaled(own, own, d->qvel[i], d->cdof + 6 * i);
        }
        sal_sp_cross_motion(more, own, d->cdof + 6 * k);
        sal_sp_addscaled(sdot, sdot, 1, more);
    }
}

void sal_jac_dot(const sal_model *m, const sal_data *d, double *jacp, double *jacr,
                 const double point[3], int body)
{
    const size_t nv = (size_t)m->nv;
    double v[3], arm[3];
    if (jacp != NULL) {
        memset(jacp, 0, 3 * nv * sizeof *jacp);
    }
    if (jacr != NULL) {
        memset(jacr, 0, 3 * nv * sizeof *jacr);
    }
    sal_point_velocity(m, d, v, NULL, point, body);
    sal_v3_sub(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
    for (int a = 0; a < m->body_chainnum[body]; a++) {
        const int k = m->chain_dof[m->body_chainadr[body] + a];
        double sdot[6], rate[3], swing[3];
        column_rate(m, d, k, sdot);
        sal_v3_cross(rate, sdot, arm); /* udot + wdot x (P - c) + w x Pdot */
        sal_v3_cross(swing, d->cdof + 6 * k, v);
        for (size_t i = 0; i < 3; i++) {
            if (jacp != NULL) {
                jacp[i * nv + (size_t)k] = sdot[3 + i] + rate[i] + swing[i];
            }
            if (jacr != NULL) {
                jacr[i * nv + (size_t)k] = sdot[i];
            }
        }
    }
}

void sal_object_velocity(const sal_model *m, const sal_data *d, double linear[3], double angular[3],
                         sal_object type, int id, bool local)
{
    phy_pose pose;
    double v[3], w[3];
    phy_object_pose(m, d, (int)type, id, &pose);
    sal_point_velocity(m, d, v, w, pose.pos, pose.body);
    if (local) {
        sal_m3_multv(linear, pose.mat, v);
        sal_m3_multv(angular, pose.mat, w);
    } else {
        sal_v3_copy(linear, v);
        sal_v3_copy(angular, w);
    }
}
