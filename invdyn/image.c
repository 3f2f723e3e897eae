/* image.c: the image of a configuration one period later: travel o mirror.
 *
 * The mirror exchanges left and right by y -> -y. A vector mirrors as (x,-y,z), a rotation axis as (-x,y,-z), a quaternion as (w,-x,y,-z).
 */
#include "invdyn/travel.h"

#include <string.h>

sal_status sal_image_new(sal_image **out, const sal_model *m, sal_err *err)
{
    sal_image *image = sal_alloc(1, sizeof *image);
    *out = image;
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

/* ---- travel ------------------------------------------------------------------------------------------------------------------ */

sal_status sal_image_travel(sal_image *image, const sal_model *m, int joint,
                            const double direction[2], sal_err *err)
{
    const int adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
    const char *name = sal_model_name(m, SAL_OBJ_JOINT, joint);
    if (m->jnt_type[joint] == SAL_JNT_SLIDE) {
        image->travel[adr] = image->travel_dof[dof] = 1;
    } else if (m->jnt_type[joint] == SAL_JNT_FREE) {
        const double ahead[2] = {1, 0}, *along = direction == NULL ? ahead : direction;
        const double length = hypot(along[0], along[1]);
        if (!(length > 0)) {
            return sal_fail(err, SAL_BADINPUT, "the direction of travel of joint '%s' is zero",
                            name);
        }
        for (int i = 0; i < 2; i++) {
            image->travel[adr + i] = image->travel_dof[dof + i] = along[i] / length;
        }
    } else {
        return sal_fail(err, SAL_BADINPUT,
                        "joint '%s' cannot travel: only a slide or a free joint can", name);
    }
    for (int i = 0; i < m->nq; i++) {
        if (image->travel[i] != 0 && (image->qpos_index[i] != i || image->qpos_sign[i] < 0)) {
            return sal_fail(err, SAL_BADINPUT,
                            "a mirrored cycle cannot travel sideways, as joint '%s' would", name);
        }
    }
    return sal_image_check_travel(image, m, joint, err);
}

/* q -> sign_i q_index_i + travel_i length */
void sal_image_apply(const sal_image *image, const sal_model *m, double *out, const double *q,
                     double length)
{
    for (int i = 0; i < m->nq; i++) {
        out[i] = image->qpos_sign[i] * q[image->qpos_index[i]] + image->travel[i] * length;
    }
}

/* The mirror is its own inverse and leaves the direction of travel alone. */
void sal_image_apply_inverse(const sal_image *image, const sal_model *m, double *out,
                             const double *q, double length)
{
    sal_image_apply(image, m, out, q, -length);
}
