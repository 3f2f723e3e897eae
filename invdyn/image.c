/* image.c: the image of a configuration one period later: travel o mirror. How the coordinates of
 * each joint are mirrored, those of a free joint too: mirror.c; what may travel: travel.c.
 *
 * The mirror exchanges left and right by y -> -y. A vector mirrors as (x,-y,z), a rotation axis as
 * (-x,y,-z), a quaternion as (w,-x,y,-z).
 */
#include "base/house.h"
#include "invdyn/invdyn.h"

#include <string.h>

sal_status sal_image_new(sal_image **out, const sal_model *m, sal_err *err)
{
    sal_image *image = sal_alloc(1, sizeof *image);
    *out = image;
    if (image != NULL) {
        image->turning = -1;
    }
    if (image == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the image of a cycle");
    }
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    image->qpos_index = sal_alloc(nq, sizeof(int));
    image->dof_index = sal_alloc(nv, sizeof(int));
    image->qpos_sign = sal_alloc(nq, sizeof(double));
    image->dof_sign = sal_alloc(nv, sizeof(double));
    image->travel = sal_alloc(nq, sizeof(double));
    image->travel_dof = sal_alloc(nv, sizeof(double));
    image->actuator_index = sal_alloc((size_t)m->nu, sizeof(int));
    image->actuator_sign = sal_alloc((size_t)m->nu, sizeof(double));
    if (image->actuator_index == NULL || image->actuator_sign == NULL ||
        image->qpos_index == NULL || image->dof_index == NULL || image->qpos_sign == NULL ||
        image->dof_sign == NULL || image->travel == NULL || image->travel_dof == NULL) {
        sal_image_free(image);
        *out = NULL;
        return sal_fail(err, SAL_NOMEM, "out of memory for the image of a cycle");
    }
    for (int i = 0; i < m->nq; i++) {
        image->qpos_index[i] = i, image->qpos_sign[i] = 1;
    }
    for (int i = 0; i < m->nv; i++) {
        image->dof_index[i] = i, image->dof_sign[i] = 1;
    }
    for (int i = 0; i < m->nu; i++) {
        image->actuator_index[i] = i, image->actuator_sign[i] = 1;
    }
    return SAL_OK;
}

void sal_image_free(sal_image *image)
{
    if (image != NULL) {
        sal_free(image->qpos_index);
        sal_free(image->dof_index);
        sal_free(image->qpos_sign);
        sal_free(image->dof_sign);
        sal_free(image->travel);
        sal_free(image->travel_dof);
        sal_free(image->actuator_index);
        sal_free(image->actuator_sign);
        sal_free(image);
    }
}

/* ---- arcs ---- */

/* (sin s)/s, (1 - cos s)/s and their derivatives */
typedef struct arc {
    double a, b, da, db;
} arc;

static arc arc_of(double s)
{
    if (fabs(s) < 1e-3) { /* the next terms are below 1e-14 */
        return (arc){1 - s * s / 6, s / 2 - s * s * s / 24, -s / 3 + s * s * s / 30,
                     0.5 - s * s / 8};
    }
    return (arc){sin(s) / s, (1 - cos(s)) / s, (s * cos(s) - sin(s)) / (s * s),
                 (s * sin(s) - 1 + cos(s)) / (s * s)};
}

/* V u, or V' u */
static void along_arc(double out[2], double a, double b, const double u[2])
{
    out[0] = a * u[0] - b * u[1];
    out[1] = b * u[0] + a * u[1];
}

static void rotate(double out[2], double angle, const double v[2])
{
    along_arc(out, cos(angle), sin(angle), v);
}

static void apply_arc(const sal_image *image, const sal_model *m, double *out, int side,
                      double length, double turn)
{
    const int adr = m->jnt_qposadr[image->turning];
    const double half = side * turn / 2, about_z[4] = {cos(half), 0, 0, sin(half)};
    const double *u = image->travel + adr, *p0 = image->place;
    double *p = out + adr, from[2] = {p[0] - p0[0], p[1] - p0[1]}, step[2], to[2], quat[4];
    const arc s = arc_of(turn);
    along_arc(step, s.a, s.b, u);
    for (int i = 0; i < 2 && side < 0; i++) {
        from[i] -= length * step[i];
    }
    rotate(to, side * turn, from);
    for (int i = 0; i < 2; i++) {
        p[i] = p0[i] + to[i] + (side > 0 ? length * step[i] : 0);
    }
    sal_quat_mul(quat, about_z, p + 3);
    memcpy(p + 3, quat, sizeof quat);
}

/* q -> sign_i q_index_i + travel_i length; a turning root along its arc. The mirror is its own
 * inverse and leaves the direction of travel alone. */
void sal_image_apply_arc(const sal_image *image, const sal_model *m, double *out, const double *q,
                         int side, double length, double turn)
{
    const bool turns = image->turning >= 0;
    for (int i = 0; i < m->nq; i++) {
        const double straight = turns ? 0 : image->travel[i] * length * side;
        out[i] = image->qpos_sign[i] * q[image->qpos_index[i]] + straight;
    }
    if (turns) {
        apply_arc(image, m, out, side, length, turn);
    }
}

void sal_image_apply(const sal_image *image, const sal_model *m, double *out, const double *q,
                     double length)
{
    sal_image_apply_arc(image, m, out, q, 1, length, image->turn);
}

void sal_image_apply_inverse(const sal_image *image, const sal_model *m, double *out,
                             const double *q, double length)
{
    sal_image_apply_arc(image, m, out, q, -1, length, image->turn);
}

void sal_image_velocity(const sal_image *image, const sal_model *m, double *out, const double *v)
{
    for (int i = 0; i < m->nv; i++) {
        out[i] = image->dof_sign[i] * v[image->dof_index[i]];
    }
    if (image->turning >= 0) {
        const int dof = m->jnt_dofadr[image->turning];
        rotate(out + dof, image->turn, v + dof);
    }
}

/* With w = p - p_0, R' = J R, J the turn by a right angle, z the vertical in the root's axes; side
 * 1 and side -1:
 *     dg/dlength    = R R'V u           d(g^-1)/dlength = -R' V u
 *     dg/dturn      = R (J w + length R'V' u), z
 *     d(g^-1)/dturn = R' (-J (w - length V u) - length V' u), -z
 * where R' is the transpose of R but V' the derivative of V. The motion of q that does the same is
 * what stands behind R, or behind R'. */
void sal_image_deriv(const sal_image *image, const sal_model *m, double *along, double *around,
                     const double *q, int side, double length, double turn)
{
    for (int i = 0; i < m->nv; i++) {
        along[i] = side * image->travel_dof[i];
        around[i] = 0;
    }
    if (image->turning < 0) {
        return;
    }
    const int adr = m->jnt_qposadr[image->turning], dof = m->jnt_dofadr[image->turning];
    const double *u = image->travel + adr;
    const arc s = arc_of(turn);
    double step[2], dstep[2], w[2], up[3] = {0, 0, 1}, inverse[4];
    along_arc(step, s.a, s.b, u);
    along_arc(dstep, s.da, s.db, u);
    for (int i = 0; i < 2; i++) {
        w[i] = q[adr + i] - image->place[i] - (side < 0 ? length * step[i] : 0);
    }
    if (side > 0) {
        const double forward[2] = {step[0], step[1]}, bent[2] = {dstep[0], dstep[1]};
        rotate(step, -turn, forward);
        rotate(dstep, -turn, bent);
    }
    sal_quat_conj(inverse, q + adr + 3);
    sal_quat_rotate(up, inverse, (double[3]){0, 0, 1});
    for (int i = 0; i < 2; i++) {
        along[dof + i] = side * step[i];
        around[dof + i] = side * ((i == 0 ? -w[1] : w[0]) + length * dstep[i]);
    }
    sal_v3_scale(around + dof + 3, up, side);
}

void sal_image_chain(const sal_image *image, const sal_model *m, double *row, int side, double turn)
{
    if (image->turning >= 0) {
        const int dof = m->jnt_dofadr[image->turning];
        const double image_row[2] = {row[dof], row[dof + 1]};
        rotate(row + dof, -side * turn, image_row);
    }
}
