/* mirror.c: the mirror image of every joint (hinge, slide, ball, free joint): which joint is whose
 * partner, with which signs, and the proof that the model is its own mirror image.
 *
 * Signs of a joint's coordinate, a the world axis at the home pose:
 *     hinge  sign( (-a_x, a_y, -a_z) . axis of the partner )
 *     slide  sign( (a_x, -a_y, a_z) . axis of the partner )
 *     free   y -> -y, quaternion (w,-x,y,-z); tangent (+,-,+) and, in body axes, (-,+,-)
 *     ball likewise
 */
#include "base/house.h"
#include "invdyn/invdyn.h"
#include "invdyn/mirror_check.h"

#include <string.h>

static const double vector_sign[3] = {1, -1, 1}, rotation_sign[3] = {-1, 1, -1},
                    quat_sign[4] = {1, -1, 1, -1};

static sal_status mirror_scalar(sal_image *image, const sal_model *m, const sal_data *d, int joint,
                                int partner, sal_err *err)
{
    const double *sign = m->jnt_type[joint] == SAL_JNT_HINGE ? rotation_sign : vector_sign;
    const double *a = d->xaxis + 3 * joint, *b = d->xaxis + 3 * partner;
    const double along = sign[0] * a[0] * b[0] + sign[1] * a[1] * b[1] + sign[2] * a[2] * b[2];
    const int adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
    if (fabs(along) < 1 - 1e-6) {
        char one[SAL_LABEL_MAX], other[SAL_LABEL_MAX];
        return sal_fail(
            err, SAL_BADINPUT,
            "the axes of %s and %s are not mirror images of each other at the home pose",
            sal_model_label(m, SAL_OBJ_JOINT, joint, one),
            sal_model_label(m, SAL_OBJ_JOINT, partner, other));
    }
    image->qpos_index[adr] = m->jnt_qposadr[partner];
    image->dof_index[dof] = m->jnt_dofadr[partner];
    image->qpos_sign[adr] = image->dof_sign[dof] = along > 0 ? 1 : -1;
    return SAL_OK;
}

static void mirror_rotation(sal_image *image, const sal_model *m, int joint, int partner, int skip)
{
    const int adr = m->jnt_qposadr[joint] + skip, dof = m->jnt_dofadr[joint] + skip;
    for (int i = 0; i < 4; i++) {
        image->qpos_index[adr + i] = m->jnt_qposadr[partner] + skip + i;
        image->qpos_sign[adr + i] = quat_sign[i];
    }
    for (int i = 0; i < 3; i++) {
        image->dof_index[dof + i] = m->jnt_dofadr[partner] + skip + i;
        image->dof_sign[dof + i] = rotation_sign[i];
    }
}

static void mirror_translation(sal_image *image, const sal_model *m, int joint, int partner)
{
    for (int i = 0; i < 3; i++) {
        const int adr = m->jnt_qposadr[joint] + i, dof = m->jnt_dofadr[joint] + i;
        image->qpos_index[adr] = m->jnt_qposadr[partner] + i;
        image->dof_index[dof] = m->jnt_dofadr[partner] + i;
        image->qpos_sign[adr] = image->dof_sign[dof] = vector_sign[i];
    }
}

static sal_status mirror_joint(sal_image *image, const sal_model *m, const sal_data *d, int joint,
                               int partner, sal_err *err)
{
    switch ((sal_joint_type)m->jnt_type[joint]) {
    case SAL_JNT_FREE:
        mirror_translation(image, m, joint, partner);
        mirror_rotation(image, m, joint, partner, 3);
        break;
    case SAL_JNT_BALL:
        mirror_rotation(image, m, joint, partner, 0);
        break;
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        return mirror_scalar(image, m, d, joint, partner, err);
    }
    return SAL_OK;
}

static sal_status mirror_joints(sal_image *image, const sal_model *m, const sal_data *d,
                                const char *left, const char *right, sal_err *err)
{
    int exchanged = 0;
    for (int j = 0; j < m->njnt; j++) {
        char name[SAL_LABEL_MAX], other[SAL_LABEL_MAX];
        const int partner = sal_mirror_partner(m, SAL_OBJ_JOINT, j, left, right);
        if (partner < 0) {
            return sal_fail(err, SAL_BADINPUT,
                            "%s has no mirrored partner: no joint has its name with '%s' "
                            "and '%s' exchanged",
                            sal_model_label(m, SAL_OBJ_JOINT, j, name), left, right);
        }
        if (m->jnt_type[j] != m->jnt_type[partner]) {
            return sal_fail(err, SAL_BADINPUT,
                            "%s and its mirrored partner, %s, have different types",
                            sal_model_label(m, SAL_OBJ_JOINT, j, name),
                            sal_model_label(m, SAL_OBJ_JOINT, partner, other));
        }
        const sal_status status = mirror_joint(image, m, d, j, partner, err);
        if (status != SAL_OK) {
            return status;
        }
        exchanged += partner != j;
    }
    return exchanged > 0 ? SAL_OK
                         : sal_fail(err, SAL_BADINPUT,
                                    "there are no joints to exchange: no name of a joint contains "
                                    "the word '%s' or "
                                    "'%s'",
                                    left, right);
}

/* ---- the proof ---- */

/* Limits, springs, damping of partners: q_i = s q_k turns [lo, hi] into [-hi, -lo] where s = -1. */
static sal_status check_joints(const sal_image *image, const sal_model *m, sal_err *err)
{
    for (int j = 0; j < m->njnt; j++) {
        const int adr = m->jnt_qposadr[j], dof = m->jnt_dofadr[j];
        const int kdof = image->dof_index[dof], k = m->dof_jntid[kdof];
        const bool flip = m->jnt_type[j] >= SAL_JNT_SLIDE && image->qpos_sign[adr] < 0;
        const double *range = m->jnt_range + 2 * j, *other = m->jnt_range + 2 * k;
        const double lo = flip ? -other[1] : other[0], hi = flip ? -other[0] : other[1];
        const bool same_limits = m->jnt_limited[j] == m->jnt_limited[k] &&
                                 (!m->jnt_limited[j] || (inv_mirror_near(range[0], lo, 1) &&
                                                         inv_mirror_near(range[1], hi, 1)));
        const bool same_rest =
            m->jnt_type[j] < SAL_JNT_SLIDE ||
            inv_mirror_near(m->qpos0[adr], image->qpos_sign[adr] * m->qpos0[image->qpos_index[adr]],
                            1);
        const char *what =
            !same_limits ? "range"
            : !same_rest ? "reference position (ref)"
            : !inv_mirror_near(m->jnt_stiffness[j], m->jnt_stiffness[k], m->jnt_stiffness[j])
                ? "stiffness"
            : !inv_mirror_near(m->dof_damping[dof], m->dof_damping[kdof], m->dof_damping[dof])
                ? "damping"
            : !inv_mirror_near(m->dof_frictionloss[dof], m->dof_frictionloss[kdof],
                               m->dof_frictionloss[dof])
                ? "frictionloss"
                : NULL;
        if (what != NULL) {
            char one[SAL_LABEL_MAX], twin[SAL_LABEL_MAX];
            return sal_fail(err, SAL_BADINPUT,
                            "the model is not its own mirror image: the %s of %s and %s differ",
                            what, sal_model_label(m, SAL_OBJ_JOINT, j, one),
                            sal_model_label(m, SAL_OBJ_JOINT, k, twin));
        }
    }
    return SAL_OK;
}

/* M(S q) = S M(q) S' at a configuration away from all axes of symmetry: kinematics and inertia in
 * one equation. */
static sal_status check_inertia(const sal_image *image, const sal_model *m, sal_data *d,
                                double *scratch, sal_err *err)
{
    const int nv = m->nv;
    double *q = scratch, *Sq = q + m->nq, *e = Sq + m->nq, *M = e + nv, *SM = M + nv * nv;
    sal_rng rng = {42};
    for (int i = 0; i < nv; i++) {
        e[i] = sal_rng_uniform(&rng, -0.4, 0.4);
    }
    sal_integrate_pos(m, q, m->qpos0, e, 1);
    sal_image_apply(image, m, Sq, q, 0);
    for (int image_turn = 0; image_turn < 2; image_turn++) {
        memcpy(d->qpos, image_turn ? Sq : q, (size_t)m->nq * sizeof(double));
        sal_kinematics(m, d);
        sal_com(m, d);
        sal_tendon(m, d);
        sal_crb(m, d);
        sal_full_m(m, d, image_turn ? SM : M);
    }
    for (int i = 0; i < nv; i++) {
        for (int k = 0; k < nv; k++) {
            const int pi = image->dof_index[i], pk = image->dof_index[k];
            const double mirrored = image->dof_sign[i] * image->dof_sign[k] * M[pi * nv + pk];
            const double scale = sqrt(SM[i * nv + i] * SM[k * nv + k]);
            if (!inv_mirror_near(SM[i * nv + k], mirrored, scale)) {
                char one[SAL_LABEL_MAX], other[SAL_LABEL_MAX];
                return sal_fail(
                    err, SAL_BADINPUT,
                    "the model is not its own mirror image: the entry of the mass matrix for "
                    "%s and %s differs from that of their mirrored partners (masses, "
                    "lengths or axes are not symmetric in y)",
                    sal_model_label(m, SAL_OBJ_JOINT, m->dof_jntid[i], one),
                    sal_model_label(m, SAL_OBJ_JOINT, m->dof_jntid[k], other));
            }
        }
    }
    return SAL_OK;
}

/* Whether the hull of mesh geom k is the mirror image of that of g (no meshes: true): as far in
 * mirrored directions, all round. */
static bool hulls_mirror(const sal_model *m, const sal_data *d, int g, int k)
{
    const int geom[2] = {g, k};
    for (int i = 0; i < 200 && m->geom_type[g] == SAL_GEOM_MESH; i++) {
        const double z = 1 - (2 * i + 1.0) / 200, r = sqrt(1 - z * z), turn = 2.399963229728653 * i;
        double most[2];
        for (int side = 0; side < 2; side++) {
            const int mesh = m->geom_dataid[geom[side]];
            const double *vert = m->hull_vert + 3 * m->mesh_hulladr[mesh];
            const double n[3] = {r * cos(turn), (side == 0 ? r : -r) * sin(turn), z};
            double l[3];
            sal_m3_multv(l, d->geom_xmat + 9 * geom[side], n);
            most[side] = 0;
            for (int v = 0; v < m->mesh_hullnum[mesh]; v++) {
                most[side] = fmax(most[side], sal_v3_dot(l, vert + 3 * v));
            }
        }
        if (fabs(most[0] - most[1]) > 1e-6 * (1 + most[0])) { /* corners are rounded to floats */
            return false;
        }
    }
    return true;
}

/* passive(S q, S v) = S passive(q, v) there: springs, dampers, tendons, the medium and what carries
 * weight. */
static sal_status check_passive(const sal_image *image, const sal_model *m, sal_data *d,
                                double *scratch, sal_err *err)
{
    const int nv = m->nv;
    double *q = scratch, *Sq = q + m->nq, *e = Sq + m->nq, *v = e + nv, *force = v + nv, scale = 0;
    sal_rng rng = {43};
    for (int i = 0; i < nv; i++) {
        e[i] = sal_rng_uniform(&rng, -0.4, 0.4);
        v[i] = sal_rng_uniform(&rng, -1, 1);
    }
    sal_integrate_pos(m, q, m->qpos0, e, 1);
    sal_image_apply(image, m, Sq, q, 0);
    for (int image_turn = 0; image_turn < 2; image_turn++) {
        memcpy(d->qpos, image_turn ? Sq : q, (size_t)m->nq * sizeof(double));
        for (int i = 0; i < nv; i++) {
            d->qvel[i] = image_turn ? image->dof_sign[i] * v[image->dof_index[i]] : v[i];
        }
        inv_mirror_velocity(m, d);
        for (int i = 0; i < nv && !image_turn; i++) {
            force[i] = d->qfrc_passive[i];
            scale = fmax(scale, fabs(force[i]));
        }
    }
    for (int i = 0; i < nv; i++) {
        const int k = image->dof_index[i];
        if (!inv_mirror_near(d->qfrc_passive[i], image->dof_sign[i] * force[k], scale)) {
            char one[SAL_LABEL_MAX], other[SAL_LABEL_MAX];
            return sal_fail(err, SAL_BADINPUT,
                            "the model is not its own mirror image: the passive forces on "
                            "%s and %s differ (springs, dampers, tendons, gravity compensation "
                            "or fluid forces are not symmetric in y)",
                            sal_model_label(m, SAL_OBJ_JOINT, m->dof_jntid[i], one),
                            sal_model_label(m, SAL_OBJ_JOINT, m->dof_jntid[k], other));
        }
    }
    return SAL_OK;
}

/* Every moving geom that may touch something has a mirrored twin of its type and size at the home
 * pose. */
static sal_status check_geoms(const sal_model *m, const sal_data *d, sal_err *err)
{
    for (int p = 0; p < 2 * m->npair; p++) {
        const int g = p % 2 ? m->pair_geom2[p / 2] : m->pair_geom1[p / 2];
        const double *x = d->geom_xpos + 3 * g, *size = m->geom_size + 3 * g;
        bool found = m->body_weldid[m->geom_bodyid[g]] == 0;
        for (int k = 0; k < m->ngeom && !found; k++) {
            const double *y = d->geom_xpos + 3 * k, *other = m->geom_size + 3 * k;
            found = m->geom_type[k] == m->geom_type[g] && inv_mirror_near(size[0], other[0], 1) &&
                    inv_mirror_near(size[1], other[1], 1) &&
                    inv_mirror_near(size[2], other[2], 1) && inv_mirror_near(x[0], y[0], 1) &&
                    inv_mirror_near(x[1], -y[1], 1) && inv_mirror_near(x[2], y[2], 1) &&
                    hulls_mirror(m, d, g, k);
        }
        if (!found) {
            char name[SAL_LABEL_MAX];
            return sal_fail(err, SAL_BADINPUT,
                            "the model is not its own mirror image: %s has no mirrored partner",
                            sal_model_label(m, SAL_OBJ_GEOM, g, name));
        }
    }
    return SAL_OK;
}

/* Of surfaces that move along geoms, only those that do so along x, on bodies that stand still, are
 * known to be mirrored. */
static sal_status check_surfaces(const sal_model *m, const sal_data *d, sal_err *err)
{
    for (int g = 0; g < m->ngeom && m->nsurfacevel > 0; g++) {
        double motion[6];
        sal_surface_motion(m, d, g, d->geom_xpos + 3 * g, motion);
        const bool stands = m->body_weldid[m->geom_bodyid[g]] == 0;
        const double turn = sal_v3_norm(motion), v = sal_v3_norm(motion + 3);
        if ((turn != 0 || v != 0) && !(stands && turn == 0 && inv_mirror_near(motion[4], 0, v))) {
            char name[SAL_LABEL_MAX];
            return sal_fail(err, SAL_BADINPUT,
                            "the model is not its own mirror image: the surface of %s moves other "
                            "than along x",
                            sal_model_label(m, SAL_OBJ_GEOM, g, name));
        }
    }
    return SAL_OK;
}

sal_status sal_image_mirror(sal_image *image, const sal_model *m, const char *left,
                            const char *right, sal_err *err)
{
    sal_data *d = NULL;
    const size_t nv = (size_t)m->nv;
    double *scratch = sal_alloc(2 * (size_t)m->nq + nv + 2 * nv * nv, sizeof(double));
    sal_status status =
        scratch == NULL ? sal_fail(err, SAL_NOMEM, "out of memory") : sal_data_new(&d, m, err);
    if (status != SAL_OK) {
        goto done;
    }
    sal_kinematics(m, d);
    status = mirror_joints(image, m, d, left, right, err);
    if (status == SAL_OK) {
        image->mirrored = true;
        status = check_joints(image, m, err);
    }
    if (status == SAL_OK) {
        status = check_geoms(m, d, err);
    }
    if (status == SAL_OK) {
        status = check_surfaces(m, d, err);
    }
    if (status == SAL_OK) {
        status = inv_mirror_bodies(image, m, d, err);
    }
    if (status == SAL_OK) {
        status = check_inertia(image, m, d, scratch, err);
    }
    if (status == SAL_OK) {
        status = check_passive(image, m, d, scratch, err);
    }
    if (status == SAL_OK) {
        status = sal_image_actuators(image, m, err);
    }
done:
    sal_data_free(d);
    sal_free(scratch);
    return status;
}
