/* draft_pose.c: the pose to start from.
 *
 * A keyframe in which the model stands on its feet, those named so first; else the home pose, with
 * joints brought into their limits. It is set on the floor. Where it is no keyframe's, straight
 * legs are bent: the feet are raised by 3 % of the leg's length, keep their orientation, and the
 * joints follow by damped least squares,
 *
 *     dq = J' (J J' + mu I)^-1 (x* - x)        for each leg, six rows of the foot's motion
 *
 * begun from knees that are bent by .15 rad to the side where their range is. Of a foot with toes
 * it is the part behind the toes that is meant.
 *
 * A biped that comes with spread legs stands on the inner edges of its feet, so wide apart that its
 * hips cannot carry it on one of them. Such legs are closed: with all joints at home, also outside
 * their ranges, leg and foot turn sideways about the hip, until the ankle is below it. This also if
 * a keyframe has them so, which then only sets the model upright.
 */
#include "base/dense.h"
#include "base/house.h"
#include "guide/draft.h"
#include "problems/floor.h"

#include <math.h>
#include <string.h>

static const double STRAIGHT = 0.97, RAISE = 0.03, NUDGE = 0.15, INSIDE = 0.1;
static const double SPREAD = 0.15; /* rad: from the vertical */

/* ---- which pose ---- */

/* Brings joints into their limits, a tenth of the range inside where they are outside. */
static void clip(const sal_model *m, double *q)
{
    for (int j = 0; j < m->njnt; j++) {
        const double *range = m->jnt_range + 2 * j;
        const double inside = INSIDE * (range[1] - range[0]);
        double *at = q + m->jnt_qposadr[j];
        if (m->jnt_limited[j] && m->jnt_type[j] >= SAL_JNT_SLIDE) {
            *at = *at < range[0] ? range[0] + inside : *at > range[1] ? range[1] - inside : *at;
        }
    }
}

/* Sets the pose of what travels on the floor; d has its kinematics and distances. */
static sal_status settle(gde_draft *f, sal_err *err)
{
    const size_t size = (size_t)f->m->nq * sizeof(double);
    if (f->travel < 0) {
        memcpy(f->d->qpos, f->pose, size);
        sal_kinematics(f->m, f->d);
        return SAL_OK;
    }
    sal_status status = prb_floor_set(f->wide, f->d, f->pose, err);
    if (status == SAL_OK) { /* once more, for what is at another height now */
        status = prb_floor_set(f->wide, f->d, f->pose, err);
        memcpy(f->d->qpos, f->pose, size);
    }
    return status;
}

static bool is_named_standing(const sal_model *m, int key)
{
    const char *name = sal_model_name(m, SAL_OBJ_KEY, key);
    return strstr(name, "stand") != NULL || strstr(name, "home") != NULL ||
           strstr(name, "init") != NULL;
}

static sal_status try_key(gde_draft *f, int key, bool *stands, sal_err *err)
{
    const size_t nq = (size_t)f->m->nq;
    memcpy(f->pose, key < 0 ? f->m->qpos0 : f->m->key_qpos + (size_t)key * nq, nq * sizeof(double));
    if (key < 0) {
        clip(f->m, f->pose);
    }
    f->key = key;
    const sal_status status = settle(f, err);
    *stands = gde_stands_on_feet(f);
    return status;
}

sal_status gde_find_pose(gde_draft *f, sal_err *err)
{
    const sal_model *m = f->m;
    bool stands = false;
    for (int pass = 0; pass < 2; pass++) { /* those named so, then the others */
        for (int k = 0; k < m->nkey; k++) {
            if (is_named_standing(m, k) != (pass == 0)) {
                continue;
            }
            const sal_status status = try_key(f, k, &stands, err);
            if (status != SAL_OK || stands || (f->travel < 0)) {
                return status;
            }
        }
    }
    return try_key(f, -1, &stands, err);
}

/* ---- bent legs ---- */

typedef struct leg {
    gde_draft *f;
    int body;
    /* of the foot: where it shall be */
    double x[3], R[9];
    /* [6 x nv], scratch */
    double *J;
    bool spread;
} leg;

/* Whether several feet hang from a body, as from a pelvis. */
static bool is_shared(const gde_draft *f, int body)
{
    int feet = 0;
    for (int i = 0; i < f->nfoot; i++) {
        for (int b = f->foot[i].body; b > 0; b = f->m->body_parentid[b]) {
            feet += b == body;
        }
    }
    return feet > 1;
}

/* From the foot's body up to, but not with, the root or what carries another foot: next joint; -1
 * at the end. */
static int next_joint(const gde_draft *f, int body, int joint)
{
    const sal_model *m = f->m;
    int b = joint < 0 ? body : m->jnt_bodyid[joint];
    if (joint > m->body_jntadr[b] && joint >= 0) {
        return joint - 1;
    }
    b = joint < 0 ? b : m->body_parentid[b];
    while (b > 0 && b != f->root && m->body_jntnum[b] == 0) {
        b = m->body_parentid[b];
    }
    return b <= 0 || b == f->root || is_shared(f, b) ? -1
                                                     : m->body_jntadr[b] + m->body_jntnum[b] - 1;
}

/* Distance from the first joint to the foot, over the length of the chain between them. */
static double straightness(const gde_draft *f, int body)
{
    double length = 0, from[3], way[3];
    const double *last = f->d->xpos + 3 * body;
    for (int j = next_joint(f, body, -1); j >= 0; j = next_joint(f, body, j)) {
        sal_v3_sub(way, f->d->xanchor + 3 * j, last);
        length += sal_v3_norm(way);
        last = f->d->xanchor + 3 * j;
    }
    sal_v3_sub(from, last, f->d->xpos + 3 * body);
    return length > 0 ? sal_v3_norm(from) / length : 0;
}

/* The joint of the leg next to the hips; -1: it has none. */
static int hip_of(const gde_draft *f, int body)
{
    int hip = -1;
    for (int j = next_joint(f, body, -1); j >= 0; j = next_joint(f, body, j)) {
        hip = j;
    }
    return hip;
}

/* The body of a foot that the leg moves: not the toes. */
static int sole_body(const gde_foot *foot)
{
    return foot->heel > 0 ? foot->heel : foot->body;
}

/* From the second hip of a biped to the first one, horizontal, of length 1; false: there are not
 * two beside each other. */
static bool find_side(const gde_draft *f, double side[3])
{
    const int first = f->nfoot == 2 ? hip_of(f, sole_body(f->foot)) : -1;
    const int second = f->nfoot == 2 ? hip_of(f, sole_body(f->foot + 1)) : -1;
    if (first < 0 || second < 0) {
        return false;
    }
    sal_v3_sub(side, f->d->xanchor + 3 * first, f->d->xanchor + 3 * second);
    side[2] = 0;
    const double length = sal_v3_norm(side);
    sal_v3_scale(side, side, length > 0 ? 1 / length : 0);
    return length > 0.05 * f->leg;
}

/* The kinematics of the pose with the joints of the leg at home, also outside their ranges. */
static void straighten(const leg *l)
{
    gde_draft *f = l->f;
    const sal_model *m = f->m;
    memcpy(f->d->qpos, f->pose, (size_t)m->nq * sizeof(double));
    for (int j = next_joint(f, l->body, -1); j >= 0; j = next_joint(f, l->body, j)) {
        const int adr = m->jnt_qposadr[j];
        f->d->qpos[adr] = m->jnt_type[j] >= SAL_JNT_SLIDE ? m->qpos0[adr] : f->d->qpos[adr];
    }
    sal_kinematics(m, f->d);
}

/* Where the foot of a spread leg shall be: as at home, but below the hip. Whether it is spread. */
static bool close_leg(leg *l, const double side[3])
{
    static const double down[3] = {0, 0, -1};
    const sal_data *d = l->f->d;
    const int hip = hip_of(l->f, l->body);
    double way[3], axis[3], quat[4], turn[9];
    straighten(l);
    sal_v3_sub(way, d->xpos + 3 * l->body, d->xanchor + 3 * hip);
    const double spread = atan2(sal_v3_dot(way, side), -way[2]);
    if (fabs(spread) > SPREAD) {
        sal_v3_cross(axis, side, down);
        sal_quat_axisangle(quat, axis, spread);
        sal_quat_matrix(turn, quat);
        sal_m3_mulv(l->x, turn, way);
        sal_v3_add(l->x, l->x, d->xanchor + 3 * hip);
        sal_m3_mul(l->R, turn, d->xmat + 9 * l->body);
    }
    return fabs(spread) > SPREAD;
}

/* Whether the pose has all joints of the legs at home: a keyframe's only sets the model upright. */
static bool are_at_home(const gde_draft *f)
{
    bool home = true;
    for (int i = 0; i < f->nfoot; i++) {
        const int body = sole_body(f->foot + i);
        for (int j = next_joint(f, body, -1); j >= 0; j = next_joint(f, body, j)) {
            const int adr = f->m->jnt_qposadr[j];
            home = home && f->pose[adr] == f->m->qpos0[adr];
        }
    }
    return home;
}

/* Bends hinges that are at an end of their range, or have most of it on one side. */
static void nudge(gde_draft *f, int body)
{
    const sal_model *m = f->m;
    for (int j = next_joint(f, body, -1); j >= 0; j = next_joint(f, body, j)) {
        const double *range = m->jnt_range + 2 * j;
        double *q = f->pose + m->jnt_qposadr[j];
        const double middle = (range[0] + range[1]) / 2, half = (range[1] - range[0]) / 2;
        if (m->jnt_type[j] == SAL_JNT_HINGE && m->jnt_limited[j] &&
            fabs(*q - middle) > 0.7 * half) {
            *q += *q < middle ? NUDGE : -NUDGE;
        }
    }
}

/* e = (x* - x; rotation vector from R to R*) */
static void error_of(const leg *l, double e[6])
{
    const double *x = l->f->d->xpos + 3 * l->body, *R = l->f->d->xmat + 9 * l->body;
    sal_v3_sub(e, l->x, x);
    sal_v3_set(e + 3, 0, 0, 0);
    for (int k = 0; k < 3; k++) { /* 1/2 sum of r_k x r*_k: sin of the angle along its axis */
        double now[3], then[3], turn[3];
        sal_m3_column(now, R, k);
        sal_m3_column(then, l->R, k);
        sal_v3_cross(turn, now, then);
        sal_v3_addscaled(e + 3, e + 3, 0.5, turn);
    }
}

/* One step of damped least squares over the joints of the leg. */
static void follow(const leg *l)
{
    gde_draft *f = l->f;
    const sal_model *m = f->m;
    const int nv = m->nv;
    double A[36] = {0}, e[6];
    memcpy(f->d->qpos, f->pose, (size_t)m->nq * sizeof(double));
    sal_kinematics(m, f->d);
    sal_com(m, f->d);
    error_of(l, e);
    sal_jac_body(m, f->d, l->J, l->J + 3 * nv, l->body);
    for (int j = next_joint(f, l->body, -1); j >= 0; j = next_joint(f, l->body, j)) {
        const int dof = m->jnt_dofadr[j];
        for (int k = 0; k < 36 && m->jnt_type[j] >= SAL_JNT_SLIDE; k++) {
            A[k] += l->J[k / 6 * nv + dof] * l->J[k % 6 * nv + dof];
        }
    }
    for (int k = 0; k < 6; k++) {
        A[7 * k] += 1e-4 * (k < 3 ? f->leg * f->leg : 1);
    }
    if (sal_dense_cholesky(A, 6) < 6) {
        return;
    }
    sal_dense_cholesky_solve(e, A, 6);
    for (int j = next_joint(f, l->body, -1); j >= 0; j = next_joint(f, l->body, j)) {
        double step = 0;
        for (int k = 0; k < 6 && m->jnt_type[j] >= SAL_JNT_SLIDE; k++) {
            step += l->J[k * nv + m->jnt_dofadr[j]] * e[k];
        }
        f->pose[m->jnt_qposadr[j]] += fmin(fmax(step, -0.1), 0.1);
    }
    clip(m, f->pose);
}

/* Bends a straight leg. A keyframe's is only bent if it is spread. side: NULL: it is not closed. */
static void bend(leg *l, const double *side)
{
    gde_draft *f = l->f;
    const bool ours = f->key < 0;
    if (straightness(f, l->body) < STRAIGHT) {
        return;
    }
    sal_v3_copy(l->x, f->d->xpos + 3 * l->body);
    memcpy(l->R, f->d->xmat + 9 * l->body, sizeof l->R);
    l->spread = side != NULL && close_leg(l, side);
    if (ours || l->spread) {
        l->x[2] += RAISE * f->leg;
        nudge(f, l->body);
        for (int k = 0; k < 50; k++) {
            follow(l);
        }
    }
    memcpy(f->d->qpos, f->pose, (size_t)f->m->nq * sizeof(double));
    sal_kinematics(f->m, f->d);
}

sal_status gde_bend_legs(gde_draft *f, sal_err *err)
{
    const sal_model *m = f->m;
    double *J = sal_alloc(6 * (size_t)m->nv, sizeof *J), side[3];
    if (J == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the legs of a model");
    }
    const bool beside = find_side(f, side) && (f->key < 0 || are_at_home(f));
    bool closed = false;
    for (int i = 0; i < f->nfoot; i++) {
        leg l = {.f = f, .body = sole_body(f->foot + i), .J = J};
        bend(&l, beside ? side : NULL);
        closed = closed || l.spread;
    }
    f->key = closed ? -1 : f->key;
    sal_free(J);
    const sal_status status = settle(f, err);
    if (status == SAL_OK) {
        gde_place_feet(f);
    }
    return status;
}
