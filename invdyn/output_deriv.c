/* output_deriv.c: exact derivatives of the outputs by (q_t, v_t, a_t).
 *
 *     joint      1;  of a rotation r = log(q0* q):  Jri(r), see sal_quat_log_deriv
 *     point      height n.(x - c) - r:  n' dx;   velocity (t1, t2, n)' v:  (t1, t2, n)' dv,  v that of the material at x - r n, which
 *                comes along with x
 *     place      dx_k = u_k + w_k x x;                  velocity as of a point, along the axes of the world
 *     quat       dq = (0, w_k) q / 2
 */
#include "base/house.h"
#include "invdyn/output.h"

#include <string.h>

bool inv_output_is_variable(const sal_output *output)
{
    return output->kind == SAL_OUT_VELOCITY || output->kind == SAL_OUT_ACCELERATION;
}

bool inv_output_has_deriv(const sal_model *m, const sal_output *output)
{
    if (output->kind == SAL_OUT_ENERGY && output->id != 0) {
        return sal_kinetic_energy_has_deriv(m);
    }
    return output->kind != SAL_OUT_SENSOR || sal_sensor_has_deriv(m, output->id);
}

/* Jri(r) of the rotation from q0 to q, on its three dofs */
static void rotation_deriv(double *D, int nv, int dof, const double q0[4], const double q[4])
{
    double back[4], relative[4], r[3], J[9];
    sal_quat_conj(back, q0);
    sal_quat_mul(relative, back, q);
    sal_quat_log(r, relative);
    sal_quat_log_deriv(J, r);
    for (int i = 0; i < 3; i++) {
        sal_v3_copy(D + i * nv + dof, J + 3 * i);
    }
}

static void joint_deriv(const sal_model *m, const sal_data *d, int joint, double *Dq)
{
    const int nv = m->nv, adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
    const double *q = d->qpos + adr, *q0 = m->qpos0 + adr;
    memset(Dq, 0, (size_t)(sal_joint_ndof(m->jnt_type[joint]) * nv) * sizeof *Dq);
    switch ((sal_joint_type)m->jnt_type[joint]) {
    case SAL_JNT_FREE:
        Dq[dof] = Dq[nv + dof + 1] = Dq[2 * nv + dof + 2] = 1;
        rotation_deriv(Dq + 3 * nv, nv, dof + 3, q0 + 3, q + 3);
        break;
    case SAL_JNT_BALL:
        rotation_deriv(Dq, nv, dof, q0, q);
        break;
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        Dq[dof] = 1;
        break;
    }
}

/* F = (x x r ; r): F.s is how fast x moves along r with s */
static void along(double F[6], const double x[3], const double r[3])
{
    sal_v3_cross(F, x, r);
    sal_v3_copy(F + 3, r);
}

void inv_place_deriv(const sal_model *m, const sal_data *d, double *D, int n, double scale,
                     const double arm[3], int body)
{
    const int *chain = m->chain_dof + m->body_chainadr[body];
    for (int i = 0; i < m->body_chainnum[body]; i++) {
        double dx[3];
        sal_sp_point_velocity(dx, d->cdof + 6 * chain[i], arm);
        for (int r = 0; r < n; r++) {
            D[r * m->nv + chain[i]] += scale * dx[r];
        }
    }
}

/* Where a point of a body is, about O. */
static void place_about(const sal_model *m, const sal_data *d, const sal_point *point, double x[3])
{
    sal_m3_mulv(x, d->xmat + 9 * point->body, point->pos);
    sal_v3_add(x, x, d->xpos + 3 * point->body);
    sal_v3_sub(x, x, d->subtree_com + 3 * m->body_rootid[point->body]);
}

/* The plane does not move. About O, V of the body, y = x - r n the lowest point, for the dofs k of the body's chain (other columns stay zero):
 *
 *     dx = u_k + w_k x x       by v_k: dv = u_k + w_k x y
 *                              by q_k: dv = dV_u + dV_w x y + V_w x dx,   dV = s_k x V + psi_k
 *
 * and along a direction r, with F = (y x r ; r) and g = r x V_w:
 *
 *     r.dv = F.s_k             r.dv = F.psi_k + ( V x* F + (x x g ; g) ).s_k
 *
 * axes [9]: the directions as columns */
static void velocity_deriv(const sal_model *m, const sal_data *d, int body, const double x[3],
                           const double y[3], const double *axes, double *Dq, double *Dv)
{
    const int nv = m->nv, *chain = m->chain_dof + m->body_chainadr[body];
    const double *V = d->cvel + 6 * body;
    double r[3], F[3][6], Q[3][6];
    for (int i = 0; i < 3; i++) {
        double g[3], G[6];
        sal_m3_column(r, axes, i);
        along(F[i], y, r);
        sal_v3_cross(g, r, V);
        along(G, x, g);
        sal_sp_cross_force(Q[i], V, F[i]);
        sal_sp_addscaled(Q[i], Q[i], 1, G);
    }
    for (int i = 0; i < m->body_chainnum[body]; i++) {
        const double *s = d->cdof + 6 * chain[i], *psi = d->cdof_dot + 6 * chain[i];
        for (int row = 0; row < 3; row++) {
            Dq[row * nv + chain[i]] = sal_sp_dot(F[row], psi) + sal_sp_dot(Q[row], s);
            Dv[row * nv + chain[i]] = sal_sp_dot(F[row], s);
        }
    }
}

static void point_deriv(const sal_model *m, const sal_data *d, const sal_point *point,
                        inv_output_jacobian D)
{
    const int nv = m->nv, body = point->body, *chain = m->chain_dof + m->body_chainadr[body];
    const double *frame = d->geom_xmat + 9 * point->plane;
    double x[3], y[3], normal[3], up[6];
    place_about(m, d, point, x);
    sal_m3_column(normal, frame, 2);
    sal_v3_addscaled(y, x, -point->radius, normal);
    along(up, x, normal);
    for (int i = 0; i < m->body_chainnum[body]; i++) {
        D.q[chain[i]] = sal_sp_dot(up, d->cdof + 6 * chain[i]);
    }
    velocity_deriv(m, d, body, x, y, frame, D.q + nv, D.v + nv);
}

static void place_deriv(const sal_model *m, const sal_data *d, const sal_point *point,
                        inv_output_jacobian D)
{
    double x[3];
    place_about(m, d, point, x);
    memset(D.q, 0, 3 * (size_t)m->nv * sizeof *D.q);
    inv_place_deriv(m, d, D.q, 3, 1, x, point->body);
}

static void place_velocity_deriv(const sal_model *m, const sal_data *d, const sal_point *point,
                                 inv_output_jacobian D)
{
    static const double world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double x[3];
    place_about(m, d, point, x);
    velocity_deriv(m, d, point->body, x, x, world, D.q, D.v);
}

static void quat_deriv(const sal_model *m, const sal_data *d, int body, double *Dq)
{
    const int *chain = m->chain_dof + m->body_chainadr[body];
    for (int i = 0; i < m->body_chainnum[body]; i++) {
        const double *w = d->cdof + 6 * chain[i], half[4] = {0, w[0] / 2, w[1] / 2, w[2] / 2};
        double dq[4];
        sal_quat_mul(dq, half, d->xquat + 4 * body);
        for (int r = 0; r < 4; r++) {
            Dq[r * m->nv + chain[i]] = dq[r];
        }
    }
}

/* of the sum of the normal forces of all contacts of the marked geoms */
static bool normal_deriv(const sal_model *m, const sal_data *d, const unsigned char *geoms,
                         inv_output_jacobian D)
{
    const size_t bytes = (size_t)m->nv * sizeof(double);
    memset(D.q, 0, bytes);
    memset(D.v, 0, bytes);
    memset(D.a, 0, bytes);
    for (int i = 0; i < d->ncon; i++) {
        const bool counts = geoms[d->contact[i].geom1] || geoms[d->contact[i].geom2];
        if (counts && !sal_contact_force_deriv(m, d, i, 1, D.q, D.v, D.a)) {
            return false;
        }
    }
    return true;
}

/* From qacc to the acceleration of the step, for outputs that forces decide. */
static bool discrete(const sal_model *m, sal_data *d, const sal_output *output,
                     inv_output_jacobian D, const double *acceleration)
{
    return inv_output_stage(m, output) != SAL_STAGE_ACC ||
           sal_discrete_rows_deriv(m, d, D.q, D.v, D.a, acceleration, output->n, NULL) == SAL_OK;
}

/* Of what positions and velocities decide, and is always known. */
static void coordinate_deriv(const sal_model *m, sal_data *d, const sal_output *output,
                             inv_output_jacobian D)
{
    switch ((int)output->kind) {
    case SAL_OUT_POINT:
        point_deriv(m, d, &output->point, D);
        break;
    case SAL_OUT_JOINT:
        joint_deriv(m, d, output->id, D.q);
        break;
    case SAL_OUT_PLACE:
        place_deriv(m, d, &output->point, D);
        break;
    case SAL_OUT_PLACE_VELOCITY:
        place_velocity_deriv(m, d, &output->point, D);
        break;
    case SAL_OUT_QUAT:
        quat_deriv(m, d, output->id, D.q);
        break;
    case SAL_OUT_ENERGY:
        if (output->id == 0) {
            sal_potential_energy_deriv(m, d, D.q);
        } else {
            sal_kinetic_energy_deriv(m, d, D.q, D.v);
        }
        break;
    case SAL_OUT_TENDON:
        sal_tendon_length_deriv(m, d, output->id, D.q);
        break;
    case SAL_OUT_TENDON_VELOCITY:
        sal_tendon_velocity_deriv(m, d, output->id, D.q, D.v);
        break;
    default: /* SAL_OUT_ACTUATOR_VELOCITY */
        sal_actuator_velocity_deriv(m, d, output->id, D.q, D.v);
        break;
    }
}

bool inv_output_deriv(const sal_model *m, sal_data *d, const sal_output *output,
                      inv_output_jacobian D, const double *acceleration)
{
    switch (output->kind) {
    case SAL_OUT_SENSOR:
        return sal_sensor_deriv(m, d, output->id, D.q, D.v, D.a) &&
               discrete(m, d, output, D, acceleration);
    case SAL_OUT_DISTANCE:
        return sal_geom_distance_deriv(m, d, output->id, output->other, INV_FAR_AWAY, D.q);
    case SAL_OUT_CONTACT:
        return inv_output_contact_deriv(m, d, output, D) && discrete(m, d, output, D, acceleration);
    case SAL_OUT_PRESSURE:
        return inv_output_pressure_deriv(m, d, output, D) &&
               discrete(m, d, output, D, acceleration);
    case SAL_OUT_BULK:
        sal_bulk_deriv(m, d, (sal_bulk)output->other, output->id, D.q, D.v, D.a);
        return discrete(m, d, output, D, acceleration);
    case SAL_OUT_POINT:
    case SAL_OUT_JOINT:
    case SAL_OUT_PLACE:
    case SAL_OUT_PLACE_VELOCITY:
    case SAL_OUT_QUAT:
    case SAL_OUT_ENERGY:
    case SAL_OUT_TENDON:
    case SAL_OUT_TENDON_VELOCITY:
    case SAL_OUT_ACTUATOR_VELOCITY:
        coordinate_deriv(m, d, output, D);
        return true;
    case SAL_OUT_FORCE:
        return sal_inverse_discrete_deriv(m, d, D.q, D.v, D.a, acceleration, NULL) == SAL_OK;
    case SAL_OUT_NORMAL:
        return normal_deriv(m, d, output->geoms, D) && discrete(m, d, output, D, acceleration);
    case SAL_OUT_VELOCITY: /* these two: constant, see workspace.c */
    case SAL_OUT_ACCELERATION:
    case SAL_OUT_ACTUATION: /* these four: all at once, see drive.c */
    case SAL_OUT_ACTUATOR_FORCE:
    case SAL_OUT_CONTROL:
    case SAL_OUT_INPUT:
        break;
    }
    return true;
}
