/* output_place.c: outputs that say where something is, how fast it moves, how it is turned; each
 * with its exact derivatives.
 *
 *     joint      1;  of a rotation r = log(q0* q):  Jri(r), see sal_quat_log_deriv
 *     point      height n.(x - c) - r:  n' dx;   velocity (t1, t2, n)' v:  (t1, t2, n)' dv,
 *                v that of the material at x - r n, which comes along with x
 *     place      dx_k = u_k + w_k x x;     velocity as of a point, along the axes of the world
 *     quat       dq = (0, w_k) q / 2
 */
#include "base/house.h"
#include "invdyn/output.h"

#include <string.h>

/* ---- joint ---- */

int inv_joint_count(const sal_model *m, const sal_output *output)
{
    return sal_joint_ndof(m->jnt_type[output->id]);
}

/* Rotation from q0 to q, as a rotation vector in q0's axes. */
static void rotation_from(double w[3], const double q0[4], const double q[4])
{
    double inverse[4], relative[4];
    sal_quat_conj(inverse, q0);
    sal_quat_mul(relative, inverse, q);
    sal_quat_log(w, relative);
}

void inv_joint_write(const inv_instant *at, const sal_output *output, double *y)
{
    const sal_model *m = at->m;
    const int joint = output->id, adr = m->jnt_qposadr[joint];
    const double *q = at->d->qpos + adr, *q0 = m->qpos0 + adr;
    switch ((sal_joint_type)m->jnt_type[joint]) {
    case SAL_JNT_FREE:
        sal_v3_copy(y, q);
        rotation_from(y + 3, q0 + 3, q + 3);
        break;
    case SAL_JNT_BALL:
        rotation_from(y, q0, q);
        break;
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        y[0] = q[0];
        break;
    }
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

bool inv_joint_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
{
    const sal_model *m = at->m;
    const int joint = output->id, nv = m->nv;
    const int adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
    const double *q = at->d->qpos + adr, *q0 = m->qpos0 + adr;
    double *Dq = D.q;
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
    return true;
}

/* ---- point, place ---- */

/* x_b + R_b pos, pos as the model at hand has it */
static void place_of(const sal_model *m, const sal_data *d, const sal_point *point, double x[3])
{
    sal_m3_mulv(x, d->xmat + 9 * point->body, sal_point_local(m, point));
    sal_v3_add(x, x, d->xpos + 3 * point->body);
}

/* The axes and the centre of the floor under a settled point */
static void floor_of(const sal_data *d, const sal_point *point, const double **frame,
                     const double **centre)
{
    static const double level[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0, 0, 0};
    *frame = point->plane < 0 ? level : d->geom_xmat + 9 * point->plane;
    *centre = point->plane < 0 ? origin : d->geom_xpos + 3 * point->plane;
}

/* Height of the lowest point of the sphere over the plane, and the velocity of the material point
 * there along the plane's axes (t1, t2, n):
 *
 *     x = x_b + R_b pos,   z = n.(x - c) - r,   v = velocity of the body at x - r n */
void inv_point_write(const inv_instant *at, const sal_output *output, double *y)
{
    const sal_data *d = at->d;
    const sal_point *point = &output->point;
    const double *frame, *centre;
    double x[3], from[3], normal[3], velocity[3], local[3];
    floor_of(d, point, &frame, &centre);
    place_of(at->m, d, point, x);
    sal_m3_column(normal, frame, 2);
    sal_v3_sub(from, x, centre);
    sal_v3_addscaled(x, x, -point->radius, normal);
    sal_point_velocity(at->m, d, velocity, NULL, x, point->body);
    sal_m3_multv(local, frame, velocity);
    y[0] = sal_v3_dot(normal, from) - point->radius;
    sal_v3_copy(y + 1, local);
}

void inv_place_write(const inv_instant *at, const sal_output *output, double *y)
{
    place_of(at->m, at->d, &output->point, y);
}

void inv_place_velocity_write(const inv_instant *at, const sal_output *output, double *y)
{
    double x[3];
    place_of(at->m, at->d, &output->point, x);
    sal_point_velocity(at->m, at->d, y, NULL, x, output->point.body);
}

/* F = (x x r ; r): F.s is how fast x moves along r with s */
static void along(double F[6], const double x[3], const double r[3])
{
    sal_v3_cross(F, x, r);
    sal_v3_copy(F + 3, r);
}

void inv_body_place_deriv(const sal_model *m, const sal_data *d, double *D, int n, double scale,
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
    sal_m3_mulv(x, d->xmat + 9 * point->body, sal_point_local(m, point));
    sal_v3_add(x, x, d->xpos + 3 * point->body);
    sal_v3_sub(x, x, d->subtree_com + 3 * m->body_rootid[point->body]);
}

/* The plane does not move. About O, V of the body, y = x - r n the lowest point, for the dofs k of
 * the body's chain (other columns stay zero):
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

bool inv_point_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
{
    const sal_model *m = at->m;
    const sal_data *d = at->d;
    const sal_point *point = &output->point;
    const int nv = m->nv, body = point->body, *chain = m->chain_dof + m->body_chainadr[body];
    const double *frame, *centre;
    double x[3], y[3], normal[3], up[6];
    floor_of(d, point, &frame, &centre);
    place_about(m, d, point, x);
    sal_m3_column(normal, frame, 2);
    sal_v3_addscaled(y, x, -point->radius, normal);
    along(up, x, normal);
    for (int i = 0; i < m->body_chainnum[body]; i++) {
        D.q[chain[i]] = sal_sp_dot(up, d->cdof + 6 * chain[i]);
    }
    velocity_deriv(m, d, body, x, y, frame, D.q + nv, D.v + nv);
    return true;
}

bool inv_place_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
{
    double x[3];
    place_about(at->m, at->d, &output->point, x);
    memset(D.q, 0, 3 * (size_t)at->m->nv * sizeof *D.q);
    inv_body_place_deriv(at->m, at->d, D.q, 3, 1, x, output->point.body);
    return true;
}

bool inv_place_velocity_deriv(const inv_instant *at, const sal_output *output,
                              inv_output_jacobian D)
{
    static const double world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double x[3];
    place_about(at->m, at->d, &output->point, x);
    velocity_deriv(at->m, at->d, output->point.body, x, x, world, D.q, D.v);
    return true;
}

/* ---- quat ---- */

void inv_quat_write(const inv_instant *at, const sal_output *output, double *y)
{
    sal_quat_copy(y, at->d->xquat + 4 * output->id);
}

bool inv_quat_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
{
    const sal_model *m = at->m;
    const sal_data *d = at->d;
    const int body = output->id, *chain = m->chain_dof + m->body_chainadr[body];
    for (int i = 0; i < m->body_chainnum[body]; i++) {
        const double *w = d->cdof + 6 * chain[i], half[4] = {0, w[0] / 2, w[1] / 2, w[2] / 2};
        double dq[4];
        sal_quat_mul(dq, half, d->xquat + 4 * body);
        for (int r = 0; r < 4; r++) {
            D.q[r * m->nv + chain[i]] = dq[r];
        }
    }
    return true;
}
