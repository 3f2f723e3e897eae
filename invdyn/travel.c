/* travel.c: along which joint a cycle travels, straight on or along an arc; and whether its model
 * may go on elsewhere: the passive forces, the lengths of tendons and what equality constraints
 * hold together must be the same one step farther. */
#include "base/house.h"
#include "invdyn/invdyn.h"

#include <string.h>

static bool differ(double a, double b)
{
    return !(fabs(a - b) <= 1e-7 * (1 + fabs(a)));
}

/* What follows from q and qvel without contacts */
static sal_status evaluate(const sal_model *m, sal_data *d, sal_err *err)
{
    sal_kinematics(m, d);
    sal_com(m, d);
    sal_tendon(m, d);
    sal_crb(m, d);
    d->ncon = 0;
    const sal_status status = sal_make_constraint(m, d, err);
    if (status == SAL_OK) {
        sal_velocity(m, d);
        sal_actuator_moment(m, d);
    }
    return status;
}

static sal_status compare(const sal_image *image, const sal_model *m, sal_data *here,
                          const sal_data *there, const char *joint, sal_err *err)
{
    const char *verb = image->turning >= 0 ? "turn" : "travel";
    double *passive = here->qacc; /* not looked at; forces turn like velocities */
    if (image->turning >= 0) {
        sal_image_velocity(image, m, passive, here->qfrc_passive);
    } else {
        memcpy(passive, here->qfrc_passive, (size_t)m->nv * sizeof *passive);
    }
    char other[SAL_LABEL_MAX];
    for (int t = 0; t < m->ntendon; t++) {
        if (differ(here->ten_length[t], there->ten_length[t])) {
            return sal_fail(err, SAL_BADINPUT, "%s cannot %s: the length of %s changes with it",
                            joint, verb, sal_model_label(m, SAL_OBJ_TENDON, t, other));
        }
    }
    for (int i = 0; i < here->nefc && i < there->nefc; i++) {
        if (here->efc_type[i] == SAL_EFC_EQUALITY && differ(here->efc_pos[i], there->efc_pos[i])) {
            return sal_fail(err, SAL_BADINPUT, "%s cannot %s: %s prevents it", joint, verb,
                            sal_model_label(m, SAL_OBJ_EQUALITY, here->efc_id[i], other));
        }
    }
    for (int i = 0; i < m->nu; i++) { /* it would have to change from one period to the next */
        const bool feels =
            m->actuator_gaintype[i] != SAL_GAIN_FIXED || m->actuator_biastype[i] != SAL_BIAS_NONE;
        if (m->actuator_actadr[i] >= 0 && feels &&
            differ(here->actuator_length[i], there->actuator_length[i])) {
            return sal_fail(err, SAL_BADINPUT, "%s cannot %s: the activation of %s changes with it",
                            joint, verb, sal_model_label(m, SAL_OBJ_ACTUATOR, i, other));
        }
    }
    for (int i = 0; i < m->nv; i++) {
        if (differ(passive[i], there->qfrc_passive[i])) {
            return sal_fail(err, SAL_BADINPUT,
                            "%s cannot %s: the passive force on %s changes with it", joint, verb,
                            sal_model_label(m, SAL_OBJ_JOINT, m->dof_jntid[i], other));
        }
    }
    return SAL_OK;
}

/* SAL_BADINPUT, and why, if a tendon, an equality constraint or a passive force stays behind. */
static sal_status check_travel(const sal_image *image, const sal_model *m, int joint, sal_err *err)
{
    sal_data *here = NULL, *there = NULL;
    sal_rng rng = {44};
    sal_status status = sal_data_new(&here, m, err);
    status = status == SAL_OK ? sal_data_new(&there, m, err) : status;
    if (status != SAL_OK) {
        goto done;
    }
    double *step = there->qacc; /* not looked at */
    for (int i = 0; i < m->nv; i++) {
        step[i] = sal_rng_uniform(&rng, -0.4, 0.4);
        here->qvel[i] = there->qvel[i] = sal_rng_uniform(&rng, -1, 1);
    }
    sal_integrate_pos(m, here->qpos, m->qpos0, step, 1);
    for (int i = 0; i < m->nq && image->turning < 0; i++) { /* whatever the mirror does */
        there->qpos[i] = here->qpos[i] + 0.7 * image->travel[i];
    }
    if (image->turning >= 0) {
        sal_image_apply(image, m, there->qpos, here->qpos, 0.7);
        sal_image_velocity(image, m, there->qvel, here->qvel);
    }
    status = evaluate(m, here, err);
    status = status == SAL_OK ? evaluate(m, there, err) : status;
    if (status == SAL_OK) {
        char name[SAL_LABEL_MAX];
        status =
            compare(image, m, here, there, sal_model_label(m, SAL_OBJ_JOINT, joint, name), err);
    }
done:
    sal_data_free(here);
    sal_data_free(there);
    return status;
}

sal_status sal_image_travel(sal_image *image, const sal_model *m, int joint,
                            const double direction[2], sal_err *err)
{
    const int adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint];
    char name[SAL_LABEL_MAX];
    sal_model_label(m, SAL_OBJ_JOINT, joint, name);
    if (m->jnt_type[joint] == SAL_JNT_SLIDE) {
        image->travel[adr] = image->travel_dof[dof] = 1;
    } else if (m->jnt_type[joint] == SAL_JNT_FREE) {
        const double ahead[2] = {1, 0}, *along = direction == NULL ? ahead : direction;
        const double length = hypot(along[0], along[1]);
        if (!(length > 0)) {
            return sal_fail(err, SAL_BADINPUT,
                            "the direction of travel of %s is 0 0; at least one number "
                            "must not be zero",
                            name);
        }
        for (int i = 0; i < 2; i++) {
            image->travel[adr + i] = image->travel_dof[dof + i] = along[i] / length;
        }
    } else {
        return sal_fail(err, SAL_BADINPUT, "%s cannot travel: only a slide or a free joint can",
                        name);
    }
    for (int i = 0; i < m->nq; i++) {
        if (image->travel[i] != 0 && (image->qpos_index[i] != i || image->qpos_sign[i] < 0)) {
            return sal_fail(err, SAL_BADINPUT,
                            "a mirrored cycle cannot travel sideways (along y), as %s would", name);
        }
    }
    return check_travel(image, m, joint, err);
}

sal_status sal_image_turn(sal_image *image, const sal_model *m, int joint, double turn,
                          sal_err *err)
{
    char name[SAL_LABEL_MAX];
    sal_model_label(m, SAL_OBJ_JOINT, joint, name);
    if (m->jnt_type[joint] != SAL_JNT_FREE) {
        return sal_fail(err, SAL_BADINPUT, "%s cannot turn: only a free joint can", name);
    }
    if (image->mirrored) {
        return sal_fail(err, SAL_BADINPUT,
                        "a mirrored cycle cannot turn: its second half, the mirror image of the "
                        "first, would turn back");
    }
    if (m->opt.gravity[0] != 0 || m->opt.gravity[1] != 0) {
        return sal_fail(err, SAL_BADINPUT,
                        "%s cannot turn: gravity is %g %g %g; it must be vertical (along z)", name,
                        m->opt.gravity[0], m->opt.gravity[1], m->opt.gravity[2]);
    }
    image->turning = joint;
    image->turn = turn;
    return check_travel(image, m, joint, err);
}
