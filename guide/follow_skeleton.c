/* follow_skeleton.c: poses from a skeleton (BVH) whose joints have the names of the bodies or
 * joints of the model; who has another skeleton must retarget its motion.
 *
 * A joint of the file is a body, by the name of either the body or the last joint that moves it.
 */
#include "guide/follow_skeleton.h"

#include "base/house.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LIST = 600 };
static const double DEGREE = 0.017453292519943295769;
static const double OTHER_SIZE = 0.3, ANOTHER_SIZE = 0.03; /* of lengths */

/* ---- names ---- */

static void plain(const char *name, char out[GDE_WORD])
{
    gde_simplify(name, out);
    const size_t n = strlen(out);
    if (n > 4 && strcmp(out + n - 4, "link") == 0) {
        out[n - 4] = 0;
    }
}

static int find_node(const sig_signals *s, const char *name)
{
    char wanted[GDE_WORD], found[GDE_WORD];
    plain(name, wanted);
    for (int i = 0; i < s->njoint && name[0] != 0; i++) {
        if (strcmp(s->joint[i].name, name) == 0) {
            return i;
        }
    }
    for (int i = 0; i < s->njoint && wanted[0] != 0; i++) {
        plain(s->joint[i].name, found);
        if (s->joint[i].nchannel > 0 && strcmp(found, wanted) == 0) {
            return i;
        }
    }
    return -1;
}

/* How many joints the file has, of how many. */
static int match_bodies(gde_skeleton *k, int *all)
{
    const sal_model *m = k->m;
    int found = 0;
    *all = 0;
    for (int b = 1; b < m->nbody; b++) {
        const int n = m->body_jntnum[b], first = m->body_jntadr[b];
        char text[GDE_NAME];
        k->node[b] = find_node(&k->c->s, gde_name(m, SAL_OBJ_BODY, b, text));
        if (k->node[b] < 0 && n > 0) {
            k->node[b] = find_node(&k->c->s, gde_name(m, SAL_OBJ_JOINT, first + n - 1, text));
        }
        for (int j = first; j < first + n; j++) {
            *all += m->jnt_type[j] != SAL_JNT_FREE;
            found += m->jnt_type[j] != SAL_JNT_FREE && gde_skeleton_turns(k, b);
        }
    }
    return found;
}

static void add_name(char *list, const char *name)
{
    const size_t used = strlen(list);
    if (used + strlen(name) + 8 < LIST) {
        snprintf(list + used, LIST - used, "%s%s", used > 0 ? ", " : "", name);
    } else if (used < 3 || strcmp(list + used - 2, "..") != 0) {
        snprintf(list + used, LIST - used, ", ..");
    }
}

/* Joints of the file that are nothing of the model. */
static void list_strangers(const gde_skeleton *k, char list[LIST])
{
    const sig_signals *s = &k->c->s;
    list[0] = 0;
    for (int i = 0; i < s->njoint; i++) {
        bool used = s->joint[i].nchannel == 0;
        for (int b = 1; b < k->m->nbody; b++) {
            used = used || k->node[b] == i;
        }
        if (!used) {
            add_name(list, s->joint[i].name);
        }
    }
}

static sal_status fail_names(const gde_skeleton *k, int found, int all, sal_err *err)
{
    const sal_model *m = k->m;
    char strangers[LIST], bodies[LIST] = "", text[GDE_NAME];
    list_strangers(k, strangers);
    for (int b = 1; b < m->nbody; b++) {
        if (k->node[b] < 0 && m->body_jntnum[b] > 0 && strlen(bodies) < LIST / 3) {
            add_name(bodies, gde_name(m, SAL_OBJ_BODY, b, text));
        }
    }
    return sal_fail(
        err, SAL_BADINPUT,
        "the skeleton of '%.200s' has %d of the %d joints of the model. Its joints must "
        "have the names of the model's bodies (%.200s); of its own, these are none: "
        "%.200s. The motion of another skeleton must be retargeted to the robot first",
        k->c->s.source.path, found, all, bodies, strangers);
}

/* ---- poses of the file ---- */

static bool is_place(const sig_signals *s, int column)
{
    return strstr(s->column[column].name, "position") != NULL;
}

static void pose_nodes(gde_skeleton *k, int row)
{
    const sig_signals *s = &k->c->s;
    for (int i = 0; i < s->njoint; i++) {
        const sig_joint *n = s->joint + i;
        double at[3], own[4] = {1, 0, 0, 0}, part[4], next[4];
        sal_v3_copy(at, n->offset);
        for (int ch = n->column; ch < n->column + n->nchannel; ch++) {
            const char *name = s->column[ch].name;
            const char letter = strrchr(name, '_')[1];
            const double x = gde_clip_cell(k->c, row, ch);
            const double axis[3] = {letter == 'X', letter == 'Y', letter == 'Z'};
            if (is_place(s, ch)) {
                at[letter - 'X'] = x;
            } else {
                sal_quat_axisangle(part, axis, x * DEGREE);
                sal_quat_mul(next, own, part);
                sal_quat_copy(own, next);
            }
        }
        if (n->parent < 0) {
            sal_v3_copy(k->place + 3 * i, at);
            sal_quat_copy(k->turn + 4 * i, own);
        } else {
            double arm[3];
            sal_quat_rotate(arm, k->turn + 4 * n->parent, at);
            sal_v3_add(k->place + 3 * i, k->place + 3 * n->parent, arm);
            sal_quat_mul(k->turn + 4 * i, k->turn + 4 * n->parent, own);
        }
    }
}

static bool slides(const sal_model *m, int body)
{
    bool found = false;
    for (int j = m->body_jntadr[body]; j < m->body_jntadr[body] + m->body_jntnum[body]; j++) {
        found = found || m->jnt_type[j] == SAL_JNT_SLIDE;
    }
    return found;
}

/* How far a joint is from the one that it hangs on, in the unit of the file: its offset, or of a
 * joint with places of its own that of the row in the middle. */
static double length_of(const gde_clip *c, const sig_joint *joint)
{
    double at[3];
    sal_v3_copy(at, joint->offset);
    for (int ch = joint->column; ch < joint->column + joint->nchannel; ch++) {
        if (is_place(&c->s, ch)) {
            at[strrchr(c->s.column[ch].name, '_')[1] - 'X'] = gde_clip_cell(c, c->s.nrow / 2, ch);
        }
    }
    return sal_v3_norm(at);
}

/* Sets unit: from distances between joints, in the file and in the model, of bodies that keep
 * their places. */
static sal_status find_unit(gde_skeleton *k, sal_err *err)
{
    static const double units[] = {1, 1e-2, 1e-3, 2.54e-2};
    const sig_signals *s = &k->c->s;
    double ours = 0, theirs = 0, arm[3];
    for (int b = 1; b < k->m->nbody; b++) {
        const int above = k->above[b], node = k->node[b];
        if (node >= 0 && above > 0 && s->joint[node].parent == k->node[above] && !slides(k->m, b)) {
            sal_v3_sub(arm, k->xpos + 3 * b, k->xpos + 3 * above);
            ours += sal_v3_norm(arm);
            theirs += length_of(k->c, s->joint + node);
        }
    }
    k->unit = 1;
    if (!(ours > 0) || !(theirs > 0)) {
        return SAL_OK;
    }
    for (size_t i = 1; i < sizeof units / sizeof units[0]; i++) {
        const bool nearer =
            fabs(log(ours / theirs / units[i])) < fabs(log(ours / theirs / k->unit));
        k->unit = nearer ? units[i] : k->unit;
    }
    const double size = k->unit * theirs / ours;
    if (fabs(log(size)) > OTHER_SIZE) {
        return sal_fail(err, SAL_BADINPUT,
                        "the skeleton of '%.200s' is %.3g times as large as the model; its motion "
                        "must be retargeted to the robot first",
                        s->source.path, size);
    }
    if (fabs(size - 1) > ANOTHER_SIZE) {
        gde_note(&k->c->draft, "the skeleton is %.3g times as large as the model", size);
    }
    return SAL_OK;
}

/* Which joints are known; a slide is where the file has the place of its body. */
static void mark_known(const gde_skeleton *k)
{
    const sal_model *m = k->m;
    for (int j = 0; j < m->njnt; j++) {
        const int node = k->node[m->jnt_bodyid[j]];
        k->c->known[j] =
            j == k->c->root ||
            (gde_skeleton_turns(k, m->jnt_bodyid[j]) &&
             (m->jnt_type[j] != SAL_JNT_SLIDE || is_place(&k->c->s, k->c->s.joint[node].column)));
    }
}

/* ---- all of it ---- */

static sal_status make_poses(gde_skeleton *k, double *q, sal_err *err)
{
    gde_clip *c = k->c;
    char list[LIST];
    int all;
    const int found = match_bodies(k, &all);
    if (2 * found < all || (c->root >= 0 && k->node[k->m->jnt_bodyid[c->root]] < 0)) {
        return fail_names(k, found, all, err);
    }
    gde_skeleton_home(k, q);
    sal_status status = gde_check_numbers(c, 0, c->s.ncol, err);
    status = status == SAL_OK ? find_unit(k, err) : status;
    status = status == SAL_OK ? gde_skeleton_check(k, gde_skeleton_axes(k, true, q), err) : status;
    if (status == SAL_OK) {
        mark_known(k);
        gde_skeleton_world(k, k->axes);
        gde_skeleton_poses(k, q);
        gde_skeleton_note(k);
        list_strangers(k, list);
        if (list[0] != 0) {
            gde_note(&c->draft,
                     "joints of the skeleton that are no bodies of the model, left out: %s", list);
        }
    }
    return status;
}

sal_status gde_clip_skeleton(gde_clip *c, sal_err *err)
{
    gde_skeleton k;
    double *q = sal_alloc((size_t)c->draft.m->nq + 1, sizeof *q);
    sal_status status = gde_skeleton_new(&k, c, c->s.njoint, err);
    if (status == SAL_OK && q == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for a pose");
    }
    k.pose = pose_nodes;
    status = status == SAL_OK ? make_poses(&k, q, err) : status;
    gde_skeleton_release(&k);
    sal_free(q);
    return status;
}
