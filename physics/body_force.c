/* body_force.c: how bodies accelerate, and the forces between them: recursive Newton-Euler with all
 * that acts from outside, about the centre of mass c of each tree.
 *
 *     out      A_b = A_parent + sum (sdot_k v_k + s_k a_k)          A_world = (0; -g)
 *     outside  E_b = sum of (n + (x - c) x f ; f) over what is applied at xipos, contacts,
 *              connects, welds and spatial tendons (these before 3.14: not)
 *     back     F_b = I_b A_b + V_b x* (I_b V_b) - E_b + sum of F over its children
 *
 * F_b is what the parent puts on b across their joints, with springs, dampers, actuators and limits
 * in it.
 */
#include "base/house.h"
#include "physics/constraint.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <string.h>

void phy_add_external(const sal_model *m, sal_data *d, int b, double sign, const double force[3],
                      const double torque[3], const double point[3])
{
    double arm[3], moment[3], *e = d->cfrc_ext + 6 * b;
    if (b == 0) {
        return;
    }
    sal_v3_sub(arm, point, d->subtree_com + 3 * m->body_rootid[b]);
    sal_v3_cross(moment, arm, force);
    sal_v3_add(moment, moment, torque);
    sal_v3_addscaled(e, e, sign, moment);
    sal_v3_addscaled(e + 3, e + 3, sign, force);
}

static void add_contacts(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *contact = d->contact + i;
        double local[6], force[3], torque[3];
        if (contact->efc_address < 0) {
            continue;
        }
        sal_contact_force(m, d, i, local);
        sal_m3_multv(force, contact->frame, local);
        sal_m3_multv(torque, contact->frame, local + 3);
        phy_add_external(m, d, m->geom_bodyid[contact->geom1], -1, force, torque, contact->pos);
        phy_add_external(m, d, m->geom_bodyid[contact->geom2], 1, force, torque, contact->pos);
    }
}

/* Connects and welds: the rows' forces at the anchors. Before 3.14 the rows of a weld's orientation
 * count as a torque in world axes: true of small angles. */
static void add_equalities(const sal_model *m, sal_data *d)
{
    phy_joined e;
    for (int row = 0; row < d->nefc && d->efc_type[row] == SAL_EFC_EQUALITY; row += e.rows) {
        const double *force = d->efc_force + row;
        const int i = d->efc_id[row];
        double torque[3] = {0};
        e.rows = 1;
        if (m->eq_type[i] != SAL_EQ_CONNECT && m->eq_type[i] != SAL_EQ_WELD) {
            continue;
        }
        phy_join(m, d, i, &e);
        if (e.rows == 6 && m->mujoco == SAL_MUJOCO_314) {
            phy_joined_torque(&e, torque, force + 3);
        } else if (e.rows == 6) {
            sal_v3_copy(torque, force + 3);
        }
        phy_add_external(m, d, e.body[0], 1, force, torque, e.point[0]);
        phy_add_external(m, d, e.body[1], -1, force, torque, e.point[1]);
    }
}

static void external_forces(const sal_model *m, sal_data *d)
{
    memset(d->cfrc_ext, 0, 6 * (size_t)m->nbody * sizeof *d->cfrc_ext);
    for (int b = 1; b < m->nbody; b++) {
        const double *force = d->xfrc_applied + 6 * b;
        phy_add_external(m, d, b, 1, force, force + 3, d->xipos + 3 * b);
    }
    add_contacts(m, d);
    add_equalities(m, d);
    if (m->mujoco == SAL_MUJOCO_314) {
        phy_tendon_external(m, d);
    }
}

void sal_body_force(const sal_model *m, sal_data *d)
{
    external_forces(m, d);
    memset(d->cacc, 0, 6 * sizeof *d->cacc);
    memset(d->cfrc_int, 0, 6 * sizeof *d->cfrc_int);
    if (!(m->opt.disable & SAL_DSBL_GRAVITY)) {
        sal_v3_scale(d->cacc + 3, m->opt.gravity, -1);
    }
    for (int b = 1; b < m->nbody; b++) { /* out */
        const double *inert = d->cinert + SAL_SP_INERTIA * b, *v = d->cvel + 6 * b;
        double *a = d->cacc + 6 * b, *f = d->cfrc_int + 6 * b, momentum[6], gyro[6];
        const int end = m->body_dofadr[b] + m->body_dofnum[b];
        memcpy(a, d->cacc + 6 * m->body_parentid[b], 6 * sizeof *a);
        for (int k = m->body_dofadr[b]; k < end; k++) {
            sal_sp_addscaled(a, a, d->qvel[k], d->cdof_dot + 6 * k);
            sal_sp_addscaled(a, a, d->qacc[k], d->cdof + 6 * k);
        }
        sal_sp_inertia_mul(f, inert, a);
        sal_sp_inertia_mul(momentum, inert, v);
        sal_sp_cross_force(gyro, v, momentum);
        sal_sp_addscaled(f, f, 1, gyro);
        sal_sp_addscaled(f, f, -1, d->cfrc_ext + 6 * b);
    }
    for (int b = m->nbody - 1; b > 0; b--) { /* back */
        double *parent = d->cfrc_int + 6 * m->body_parentid[b];
        sal_sp_addscaled(parent, parent, 1, d->cfrc_int + 6 * b);
    }
}

void sal_point_acceleration(const sal_model *m, const sal_data *d, double linear[3],
                            double angular[3], const double point[3], int body)
{
    const double *A = d->cacc + 6 * body;
    double arm[3], swing[3], v[3], w[3];
    sal_point_velocity(m, d, v, w, point, body);
    sal_v3_sub(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
    sal_v3_cross(swing, A, arm);
    sal_v3_add(linear, A + 3, swing); /* A_linear + A_angular x (P - c) */
    sal_v3_cross(swing, w, v);
    sal_v3_add(linear, linear, swing); /* + w x v */
    if (angular != NULL) {
        sal_v3_copy(angular, A);
    }
}
