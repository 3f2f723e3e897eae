/* follow_rotations.c: poses of the model from rotations of joints that are bodies of the model.
 *
 * Rotations R_f of the file, in the world, are those of bodies R in one of these ways:
 *
 *     R = W R_f A'       its axes are those of the body
 *     R = W R_f A' R_0   it is 1 where the joints of the model are 0, as programs for animation do
 *
 * A takes the axes of the file's joints to the model's, W those of its world: y up and z ahead (as
 * our own export writes); as they are; y up and x ahead. Which A, the joints tell: rightly read,
 * they can make the rotations, within their ranges; and of W the root, which stands upright.
 */
#include "base/house.h"
#include "guide/follow_skeleton.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 40 };
static const double DEGREE = 0.017453292519943295769;
static const double to_model[GDE_AXES][4] = {
    {.5, .5, .5, .5}, {1, 0, 0, 0}, {0.70710678118654752440, 0.70710678118654752440, 0, 0}};
static const char *const axes_name[GDE_AXES] = {"y is up and z ahead", "z is up and x ahead",
                                                "y is up and x ahead"};
static const double MISFIT = 0.15; /* rad, on the mean: not this robot */
static const double BETTER = 0.9;  /* of the misfit of what comes first */
static const double SEEN = 0.01;   /* rad: worth a word */
static const double UPRIGHT = 0.6; /* rad */

/* ---- memory ---- */

sal_status gde_skeleton_new(gde_skeleton *k, gde_clip *c, int nnode, sal_err *err)
{
    const size_t nbody = (size_t)c->draft.m->nbody, n = (size_t)nnode;
    double *numbers = sal_alloc(7 * n + 8 * nbody, sizeof *numbers);
    int *links = sal_alloc(2 * nbody + 2 * n, sizeof *links);
    *k = (gde_skeleton){.c = c, .m = c->draft.m, .nnode = nnode, .unit = 1};
    k->node = links;
    k->place = numbers;
    if (numbers == NULL || links == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a skeleton");
    }
    k->above = links + nbody;
    k->parent = k->above + nbody;
    k->vector = k->parent + n;
    k->turn = k->place + 3 * n;
    k->xpos = k->turn + 4 * n;
    k->xquat = k->xpos + 3 * nbody;
    k->left = k->xquat + 4 * nbody;
    for (size_t b = 0; b < nbody; b++) {
        k->node[b] = -1;
    }
    return gde_make_room(c, err);
}

void gde_skeleton_release(gde_skeleton *k)
{
    sal_free(k->node);
    sal_free(k->place);
}

/* ---- the model where its joints are 0 ---- */

static void find_above(gde_skeleton *k)
{
    for (int b = 1; b < k->m->nbody; b++) {
        k->above[b] = 0;
        for (int a = k->m->body_parentid[b]; a > 0 && k->above[b] == 0;
             a = k->m->body_parentid[a]) {
            k->above[b] = k->node[a] >= 0 ? a : 0;
        }
    }
}

void gde_skeleton_home(gde_skeleton *k, double *q)
{
    static const size_t size[] = {
        [SAL_JNT_FREE] = 7, [SAL_JNT_BALL] = 4, [SAL_JNT_SLIDE] = 1, [SAL_JNT_HINGE] = 1};
    const sal_model *m = k->m;
    sal_data *d = k->c->draft.d;
    find_above(k);
    memcpy(q, k->c->draft.pose, (size_t)m->nq * sizeof *q);
    for (int j = 0; j < m->njnt; j++) {
        if (k->node[m->jnt_bodyid[j]] >= 0) {
            const int at = m->jnt_qposadr[j];
            memcpy(q + at, m->qpos0 + at, size[m->jnt_type[j]] * sizeof *q);
        }
    }
    memcpy(d->qpos, q, (size_t)m->nq * sizeof *q);
    sal_kinematics(m, d);
    memcpy(k->xpos, d->xpos, 3 * (size_t)m->nbody * sizeof *q);
    memcpy(k->xquat, d->xquat, 4 * (size_t)m->nbody * sizeof *q);
}

/* ---- poses of bodies ---- */

bool gde_skeleton_turns(const gde_skeleton *k, int body)
{
    return k->node[body] >= 0 && gde_can_turn(k->m, body);
}

/* Of a body that the file has; the axes of the world as `world` says. */
static void turn_of(const gde_skeleton *k, int body, int world, double out[4])
{
    double back[4], next[4];
    sal_quat_conj(back, to_model[k->axes]);
    sal_quat_mul(next, to_model[world], k->turn + 4 * k->node[body]);
    sal_quat_mul(out, next, back);
    if (k->rest) {
        sal_quat_mul(next, out, k->xquat + 4 * body);
        sal_quat_copy(out, next);
    }
}

static void place_of(const gde_skeleton *k, int body, double out[3])
{
    double at[3];
    sal_v3_scale(at, k->place + 3 * k->node[body], k->unit);
    sal_quat_rotate(out, to_model[k->world], at);
}

/* What the joints of a body make, J: of R = R_above B J, where B = R_0,above' R_0 */
static void turn_of_joints(const gde_skeleton *k, int body, double out[4])
{
    const int above = k->above[body];
    double upper[4], back[4], base[4], start[4], lower[4];
    sal_quat_copy(start, k->xquat + 4 * body);
    if (above > 0) {
        turn_of(k, above, k->axes, upper);
        sal_quat_conj(back, k->xquat + 4 * above);
        sal_quat_mul(base, back, k->xquat + 4 * body);
        sal_quat_mul(start, upper, base);
    }
    turn_of(k, body, k->axes, lower);
    sal_quat_conj(back, start);
    sal_quat_mul(out, back, lower);
}

/* ---- which axes ---- */

/* Of the joints of a body, rad, m */
static double excess(const sal_model *m, int body, const double *q)
{
    const int first = m->body_jntadr[body];
    double sum = 0;
    for (int j = first; j < first + m->body_jntnum[body]; j++) {
        sum += m->jnt_type[j] == SAL_JNT_HINGE ? gde_excess(m, j, q[m->jnt_qposadr[j]]) : 0;
    }
    return sum;
}

/* rad, mean of what joints cannot make, and of how far they are beyond their ranges. */
static double misfit(gde_skeleton *k, double *q)
{
    const sal_model *m = k->m;
    const int last = k->c->s.nrow - 1;
    double sum = 0, turn[4];
    int n = 0;
    for (int i = 0; i < SAMPLES; i++) {
        k->pose(k, (int)((long long)i * last / (SAMPLES - 1)));
        for (int b = 1; b < m->nbody; b++) {
            if (gde_skeleton_turns(k, b)) {
                turn_of_joints(k, b, turn);
                memcpy(q, k->c->draft.pose, (size_t)m->nq * sizeof *q);
                sum += gde_turn_joints(m, b, turn, true, q) + excess(m, b, q);
                n++;
            }
        }
    }
    return n == 0 ? 0 : sum / n;
}

double gde_skeleton_axes(gde_skeleton *k, bool both, double *q)
{
    double least = INFINITY;
    int axes = 0;
    bool rest = k->rest;
    for (int i = 0; i < (both ? 2 : 1) * GDE_AXES; i++) {
        k->axes = i % GDE_AXES;
        k->rest = both ? i >= GDE_AXES : k->rest;
        const double found = misfit(k, q);
        if (found < BETTER * least - 1e-6) {
            least = found;
            axes = k->axes;
            rest = k->rest;
        }
    }
    k->axes = axes;
    k->rest = rest;
    return least;
}

/* rad, mean of how far the vertical axis of the root is from where it is at home */
static double tilt(gde_skeleton *k, int world)
{
    static const double z[3] = {0, 0, 1};
    const gde_clip *c = k->c;
    double back[4], turn[4], home[3], up[3], sum = 0;
    sal_quat_conj(back, c->draft.pose + k->m->jnt_qposadr[c->root] + 3);
    sal_quat_rotate(home, back, z);
    for (int i = 0; i < SAMPLES; i++) {
        k->pose(k, (int)((long long)i * (c->s.nrow - 1) / (SAMPLES - 1)));
        turn_of(k, k->m->jnt_bodyid[c->root], world, turn);
        sal_quat_rotate(up, turn, home);
        sum += acos(fmin(1, fmax(-1, up[2]))) / SAMPLES;
    }
    return sum;
}

void gde_skeleton_world(gde_skeleton *k, int world)
{
    k->world = world;
    if (k->c->root < 0) {
        return;
    }
    double least = tilt(k, world);
    for (int i = 1; i <= GDE_AXES && least > UPRIGHT; i++) {
        const double found = tilt(k, i % GDE_AXES); /* what keeps x ahead comes first */
        if (found < least - 1e-6) {
            least = found;
            k->world = i % GDE_AXES;
        }
    }
}

sal_status gde_skeleton_check(const gde_skeleton *k, double found, sal_err *err)
{
    return found < MISFIT
               ? SAL_OK
               : sal_fail(err, SAL_BADINPUT,
                          "the joints of the model cannot make the rotations of '%.200s': on the "
                          "mean they are %.2g degrees off, or that far beyond their ranges. The "
                          "recording is of another skeleton than the model's, and must be "
                          "retargeted to the robot first",
                          k->c->s.source.path, found / DEGREE);
}

/* ---- poses of the model ---- */

/* Slides of a body whose place the file has: along their axes, from where it is without them. */
static void slide_joints(const gde_skeleton *k, int body, double *q)
{
    const sal_model *m = k->m;
    sal_data *d = k->c->draft.d;
    const int first = m->body_jntadr[body], above = k->above[body];
    double ours[3], theirs[3], other[3] = {0, 0, 0};
    for (int j = first; j < first + m->body_jntnum[body]; j++) {
        if (!k->c->known[j] || m->jnt_type[j] != SAL_JNT_SLIDE) {
            continue;
        }
        memcpy(d->qpos, q, (size_t)m->nq * sizeof *q);
        sal_kinematics(m, d);
        place_of(k, body, theirs);
        if (above > 0) {
            place_of(k, above, other);
        }
        sal_v3_sub(theirs, theirs, other);
        sal_v3_sub(ours, d->xpos + 3 * body, d->xpos + 3 * above);
        sal_v3_sub(theirs, theirs, ours);
        q[m->jnt_qposadr[j]] += sal_v3_dot(theirs, d->xaxis + 3 * j);
    }
}

/* A row; q begins as the pose before it. */
static void pose_model(gde_skeleton *k, int row, double *q)
{
    const sal_model *m = k->m;
    double turn[4];
    k->pose(k, row);
    if (k->c->root >= 0) {
        double *root = q + m->jnt_qposadr[k->c->root];
        place_of(k, m->jnt_bodyid[k->c->root], root);
        turn_of(k, m->jnt_bodyid[k->c->root], k->world, root + 3);
    }
    for (int b = 1; b < m->nbody; b++) {
        if (gde_skeleton_turns(k, b)) {
            turn_of_joints(k, b, turn);
            k->left[b] = fmax(k->left[b], gde_turn_joints(m, b, turn, row == 0, q));
            slide_joints(k, b, q);
        }
    }
}

void gde_skeleton_poses(gde_skeleton *k, double *q)
{
    const size_t nq = (size_t)k->m->nq;
    memcpy(q, k->c->draft.pose, nq * sizeof *q);
    for (int row = 0; row < k->c->s.nrow; row++) {
        pose_model(k, row, q);
        memcpy(k->c->made + (size_t)row * nq, q, nq * sizeof *q);
    }
}

void gde_skeleton_note(const gde_skeleton *k)
{
    gde_draft *f = &k->c->draft;
    char text[GDE_NAME];
    gde_note(f, "rotations of joints: in the world %s, in the joints %s; they are %s",
             axes_name[k->world], axes_name[k->axes],
             k->rest ? "0 where the joints of the model are 0" : "those of the model's bodies");
    if (k->unit != 1) {
        gde_note(f, "lengths are in %s", gde_unit_name(k->unit));
    }
    for (int b = 1; b < k->m->nbody; b++) {
        if (k->left[b] > SEEN) {
            gde_note(f, "the joints of '%s' cannot make its rotations: up to %.2g degrees are left",
                     gde_name(k->m, SAL_OBJ_BODY, b, text), k->left[b] / DEGREE);
        }
    }
}
