/* output_deriv.c: exact derivatives of the outputs by (q_t, v_t, a_t).
 *
 *     joint      1;  of a rotation r = log(q0* q):  Jri(r), see sal_quat_log_deriv
 *     point      height n.(x - c) - r:  n' dx;   velocity (t1, t2, n)' v:  (t1, t2, n)' dv,  v that of the material at x - r n, which
 *                comes along with x
 */
#include "invdyn/output.h"

#include <string.h>

bool sal_output_is_variable(const sal_output *output)
{
    return output->kind == SAL_OUT_VELOCITY || output->kind == SAL_OUT_ACCELERATION;
}

bool sal_output_has_deriv(const sal_model *m, const sal_output *output)
{
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

/* The plane does not move. About O, V of the body, y = x - r n the lowest point, for the dofs k of the body's chain (other columns stay zero):
 *
 *     dx = u_k + w_k x x       by v_k: dv = u_k + w_k x y
 *                              by q_k: dv = dV_u + dV_w x y + V_w x dx,   dV = s_k x V + psi_k
 *
 * and along a direction r, with F = (y x r ; r) and g = r x V_w:
 *
 *     r.dv = F.s_k             r.dv = F.psi_k + ( V x* F + (x x g ; g) ).s_k */
static void point_deriv(const sal_model *m, const sal_data *d, const sal_point *point,
                        sal_output_jacobian D)
{
    const int nv = m->nv, body = point->body, *chain = m->chain_dof + m->body_chainadr[body];
    const double *V = d->cvel + 6 * body;
    double x[3], y[3], r[3], up[6], F[3][6], Q[3][6];
    sal_m3_mulv(x, d->xmat + 9 * body, point->pos);
    sal_v3_add(x, x, d->xpos + 3 * body);
    sal_v3_sub(x, x, d->subtree_com + 3 * m->body_rootid[body]);
    sal_m3_column(r, d->geom_xmat + 9 * point->plane, 2);
    sal_v3_addscaled(y, x, -point->radius, r);
    along(up, x, r);
    for (int i = 0; i < 3; i++) {
        double g[3], G[6];
        sal_m3_column(r, d->geom_xmat + 9 * point->plane, i);
        along(F[i], y, r);
        sal_v3_cross(g, r, V);
        along(G, x, g);
        sal_sp_cross_force(Q[i], V, F[i]);
        sal_sp_addscaled(Q[i], Q[i], 1, G);
    }
    for (int i = 0; i < m->body_chainnum[body]; i++) {
        const double *s = d->cdof + 6 * chain[i], *psi = d->cdof_dot + 6 * chain[i];
        double *Dq = D.q + chain[i], *Dv = D.v + chain[i];
        Dq[0] = sal_sp_dot(up, s);
        for (int row = 0; row < 3; row++) {
            Dq[(row + 1) * nv] = sal_sp_dot(F[row], psi) + sal_sp_dot(Q[row], s);
            Dv[(row + 1) * nv] = sal_sp_dot(F[row], s);
        }
    }
}

/* of the sum of the normal forces of all contacts of the marked geoms */
static bool normal_deriv(const sal_model *m, const sal_data *d, const unsigned char *geoms,
                         sal_output_jacobian D)
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

bool sal_output_deriv(const sal_model *m, sal_data *d, const sal_output *output,
                      sal_output_jacobian D, const double *acceleration)
{
    switch (output->kind) {
    case SAL_OUT_SENSOR:
        return sal_sensor_deriv(m, d, output->id, D.q, D.v, D.a) &&
               (m->sensor_stage[output->id] != SAL_STAGE_ACC ||
                sal_discrete_rows_deriv(m, d, D.q, D.v, D.a, acceleration, output->n, NULL) ==
                    SAL_OK);
    case SAL_OUT_POINT:
        point_deriv(m, d, &output->point, D);
        return true;
    case SAL_OUT_JOINT:
        joint_deriv(m, d, output->id, D.q);
        return true;
    case SAL_OUT_DISTANCE:
        return sal_geom_distance_deriv(m, d, output->id, output->other, SAL_FAR_AWAY, D.q);
    case SAL_OUT_FORCE:
        return sal_inverse_discrete_deriv(m, d, D.q, D.v, D.a, acceleration, NULL) == SAL_OK;
    case SAL_OUT_NORMAL:
        return normal_deriv(m, d, output->geoms, D) &&
               sal_discrete_rows_deriv(m, d, D.q, D.v, D.a, acceleration, 1, NULL) == SAL_OK;
    case SAL_OUT_VELOCITY:
    case SAL_OUT_ACCELERATION:
        break; /* constant, see workspace.c */
    case SAL_OUT_ACTUATION:
    case SAL_OUT_ACTUATOR_FORCE:
    case SAL_OUT_CONTROL:
    case SAL_OUT_INPUT:
        break; /* all at once, see drive.c */
    }
    return true;
}
