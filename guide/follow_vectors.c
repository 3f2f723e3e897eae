/* follow_vectors.c: poses from the rotation vectors of joints, as the recordings of the AMASS
 * collection have them: `poses` (3 numbers for each joint, the root first) or root_orient and
 * pose_body, and the place of the root, `trans`.
 *
 * Nothing in the file says which joint is which. Its vectors are those of the bodies of the model
 * in their order, if they are as many: level by level of the tree, as there, or branch by branch.
 * The rotations are 0 in the pose of the body model, with y up in its joints; the world has z up.
 */
#include "base/house.h"
#include "guide/follow_skeleton.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct vectors {
    /* first columns: of the root's vector, of those of the others, of the place; -1: none */
    int root, others, place;
    /* joints beside the root */
    int n;
} vectors;

/* How many columns NAME_0, NAME_1, .. or NAME_0_0, NAME_0_1, .. there are: those that follow the
 * first and go on with a number behind the name. */
static int width_of(const sig_signals *s, const char *name, int *first)
{
    const size_t length = strlen(name);
    char column[GDE_WORD];
    int n = 0;
    for (int deep = 0; deep < 2; deep++) {
        snprintf(column, sizeof column, deep ? "%s_0_0" : "%s_0", name);
        *first = sig_find(s, column);
        if (*first >= 0) {
            break;
        }
    }
    for (; *first >= 0 && *first + n < s->ncol; n++) {
        const char *other = s->column[*first + n].name;
        if (strncmp(other, name, length) != 0 || other[length] != '_' || other[length + 1] < '0' ||
            other[length + 1] > '9') {
            break;
        }
    }
    return n;
}

static bool find_vectors(const sig_signals *s, vectors *v)
{
    static const char *const whole[] = {"poses", "pose_aa", "smpl_poses"};
    static const char *const places[] = {"trans", "transl", "root_trans_offset", "smpl_trans"};
    int n = 0, unused;
    *v = (vectors){-1, -1, -1, 0};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0] && n == 0; i++) {
        n = width_of(s, whole[i], &v->root);
        v->others = v->root + 3;
    }
    if (n == 0 && width_of(s, "root_orient", &v->root) == 3) {
        n = 3 + width_of(s, "pose_body", &v->others);
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0] && v->place < 0; i++) {
        v->place = width_of(s, places[i], &unused) == 3 ? unused : -1;
    }
    v->n = n / 3 - 1;
    return n >= 6 && n % 3 == 0 && v->place >= 0;
}

bool gde_has_vectors(const gde_clip *c)
{
    vectors v;
    return find_vectors(&c->s, &v);
}

/* ---- joints ---- */

static int level_of(const sal_model *m, int body)
{
    int level = 0;
    for (; body > 0; body = m->body_parentid[body]) {
        level++;
    }
    return level;
}

/* Bodies below the root that joints turn, in one of both orders: the numbers of their vectors. */
static int order_bodies(gde_skeleton *k, bool by_level)
{
    const sal_model *m = k->m;
    const int root = m->jnt_bodyid[k->c->root];
    int n = 0;
    for (int b = 1; b < m->nbody; b++) {
        k->node[b] = b == root ? 0 : -1;
    }
    for (int level = 1; level <= (by_level ? m->nbody : 1); level++) {
        for (int b = 1; b < m->nbody; b++) {
            const bool now = !by_level || level_of(m, b) == level;
            if (b != root && m->body_rootid[b] == root && m->body_jntnum[b] > 0 && now) {
                k->node[b] = ++n;
            }
        }
    }
    return n;
}

/* Columns and joints before each. */
static void link_joints(gde_skeleton *k, const vectors *v)
{
    k->parent[0] = -1;
    k->vector[0] = v->root;
    for (int b = 1; b < k->m->nbody; b++) {
        const int i = k->node[b];
        if (i > 0) {
            k->parent[i] = k->node[k->above[b]];
            k->vector[i] = v->others + 3 * (i - 1);
        }
    }
}

/* A body stands behind those above it in the model, so that these are known before it. */
static void pose_vectors(gde_skeleton *k, int row)
{
    double own[4], w[3];
    for (int b = 1; b < k->m->nbody; b++) {
        const int i = k->node[b];
        for (int x = 0; x < 3 && i >= 0; x++) {
            w[x] = gde_clip_cell(k->c, row, k->vector[i] + x);
            k->place[3 * i + x] = gde_clip_cell(k->c, row, k->at + x);
        }
        if (i >= 0) {
            sal_quat_exp(own, w);
            if (i == 0) {
                sal_quat_copy(k->turn, own);
            } else {
                sal_quat_mul(k->turn + 4 * i, k->turn + 4 * k->parent[i], own);
            }
        }
    }
}

/* ---- all of it ---- */

static sal_status fail_count(const gde_skeleton *k, const vectors *v, int n, sal_err *err)
{
    return sal_fail(
        err, SAL_BADINPUT,
        "'%.200s' holds rotation vectors of %d joints, the root and %d more (SMPL has 24, "
        "SMPL+H 52, SMPL-X 55); the model has %d bodies with joints below its root. The "
        "recording is of another skeleton, and must be retargeted to the robot first",
        k->c->s.source.path, v->n + 1, v->n, n);
}

/* Sets the order of bodies and axes that fit best. */
static double choose_order(gde_skeleton *k, const vectors *v, bool *by_level, double *q)
{
    double found[2];
    int axes[2];
    for (int i = 0; i < 2; i++) {
        order_bodies(k, i == 0);
        gde_skeleton_home(k, q);
        link_joints(k, v);
        found[i] = gde_skeleton_axes(k, false, q);
        axes[i] = k->axes;
    }
    *by_level = !(found[1] < .9 * found[0] - 1e-6);
    order_bodies(k, *by_level);
    gde_skeleton_home(k, q);
    link_joints(k, v);
    k->axes = axes[!*by_level];
    return found[!*by_level];
}

static sal_status make_poses(gde_skeleton *k, const vectors *v, double *q, sal_err *err)
{
    gde_clip *c = k->c;
    bool by_level;
    const int n = order_bodies(k, true);
    if (n != v->n) {
        return fail_count(k, v, n, err);
    }
    k->rest = true;
    k->at = v->place;
    k->pose = pose_vectors;
    const sal_status status = gde_skeleton_check(k, choose_order(k, v, &by_level, q), err);
    if (status != SAL_OK) {
        return status;
    }
    for (int j = 0; j < k->m->njnt; j++) {
        const int body = k->m->jnt_bodyid[j];
        c->known[j] =
            j == c->root || (gde_skeleton_turns(k, body) && k->m->jnt_type[j] != SAL_JNT_SLIDE);
    }
    gde_skeleton_world(k, GDE_Z_UP);
    gde_skeleton_poses(k, q);
    gde_note(&c->draft, "rotation vectors %s ..: of the %d bodies with joints, in the order of %s",
             c->s.column[v->root].name, n + 1, by_level ? "the levels of the tree" : "the model");
    gde_skeleton_note(k);
    return SAL_OK;
}

sal_status gde_clip_vectors(gde_clip *c, sal_err *err)
{
    vectors v;
    gde_skeleton k = {0};
    find_vectors(&c->s, &v);
    if (c->root < 0) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s' holds the rotation vectors of %d joints of a body that moves "
                        "freely; the model has no free joint",
                        c->s.source.path, v.n + 1);
    }
    double *q = sal_alloc((size_t)c->draft.m->nq + 1, sizeof *q);
    const int most = v.n > c->draft.m->nbody ? v.n : c->draft.m->nbody;
    sal_status status = gde_skeleton_new(&k, c, most + 1, err);
    if (status == SAL_OK && q == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for a pose");
    }
    status = status == SAL_OK ? gde_check_numbers(c, v.root, 3, err) : status;
    status = status == SAL_OK ? gde_check_numbers(c, v.others, 3 * v.n, err) : status;
    status = status == SAL_OK ? gde_check_numbers(c, v.place, 3, err) : status;
    status = status == SAL_OK ? make_poses(&k, &v, q, err) : status;
    gde_skeleton_release(&k);
    sal_free(q);
    return status;
}
