/* follow_columns.c: which column of a recording is what of the model.
 *
 * A joint's column has the joint's name, whatever its case, and with or without a path before it
 * (/jointset/knee_r/knee_angle_r/value), _joint, _pos, _angle or _dof behind it. Columns of speeds,
 * torques and the like have other endings. Where most joints have none, a group of as many columns
 * as there are hinges and slides has them in the model's order: NAME_0, NAME_1, .. of one array, or
 * the columns behind the pose of a file without a header.
 *
 * The pose of a free joint is body_pos_w, body_quat_w of body 0, or arrays whose names speak of a
 * root; or columns with the names of a place and a quaternion; or four columns whose squares add up
 * to 1, and three columns before them, none of which is a joint's; or angles.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double UNIT_TOLERANCE = 4e-3; /* of |q|^2 */

/* ---- names ---- */

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), k = strlen(end);
    return n > k && strcmp(text + n - k, end) == 0;
}

void gde_simplify(const char *name, char out[GDE_WORD])
{
    static const char *const endings[] = {"value", "position", "angle", "joint", "pos", "dof", "q"};
    char text[GDE_WORD];
    size_t n = 0;
    snprintf(text, sizeof text, "%s", name);
    const size_t length = strlen(text);
    if (length > 6 && strcmp(text + length - 6, "/value") == 0) {
        text[length - 6] = 0;
    }
    const char *last = strrchr(text, '/');
    for (const char *at = last == NULL ? text : last + 1; *at != 0; at++) {
        const char x = (char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at);
        if ((x >= 'a' && x <= 'z') || (x >= '0' && x <= '9')) {
            out[n++] = x;
        }
    }
    out[n] = 0;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (ends_with(out, endings[i])) {
            out[strlen(out) - strlen(endings[i])] = 0;
        }
    }
}

/* The column that has the joint's name, -1: none. */
static int named_column(const sig_signals *s, const char *joint)
{
    char wanted[GDE_WORD], found[GDE_WORD];
    gde_simplify(joint, wanted);
    const int exact = sig_find(s, joint);
    for (int k = 0; k < s->ncol && exact < 0 && wanted[0] != 0; k++) {
        gde_simplify(s->column[k].name, found);
        if (!s->column[k].text && k != s->time && strcmp(wanted, found) == 0) {
            return k;
        }
    }
    return exact;
}

/* ---- joints ---- */

static bool is_scalar(const sal_model *m, int joint)
{
    return m->jnt_type[joint] >= SAL_JNT_SLIDE;
}

static int level_of(const sal_model *m, int body)
{
    int level = 0;
    for (; body > 0; body = m->body_parentid[body]) {
        level++;
    }
    return level;
}

/* Hinges and slides as the model has them, and level by level of the tree. */
static void order_joints(gde_clip *c)
{
    const sal_model *m = c->draft.m;
    int deepest = 0, n = 0;
    for (int j = 0; j < m->njnt; j++) {
        deepest = level_of(m, m->jnt_bodyid[j]) > deepest ? level_of(m, m->jnt_bodyid[j]) : deepest;
        if (is_scalar(m, j)) {
            c->by_branch[c->nscalar++] = j;
        }
    }
    for (int level = 1; level <= deepest; level++) {
        for (int i = 0; i < c->nscalar; i++) {
            if (level_of(m, m->jnt_bodyid[c->by_branch[i]]) == level) {
                c->by_level[n++] = c->by_branch[i];
            }
        }
    }
}

static int match_names(gde_clip *c)
{
    int found = 0;
    for (int i = 0; i < c->nscalar; i++) {
        const int j = c->by_branch[i];
        c->column[j] = named_column(&c->s, sal_model_name(c->draft.m, SAL_OBJ_JOINT, j));
        found += c->column[j] >= 0;
    }
    return found;
}

/* Columns k .. of one array NAME_0, NAME_1, ..: how many; 1: it is none. */
static int array_at(const sig_signals *s, int k)
{
    int n = 0;
    const char *name = s->column[k].name, *dash = strrchr(name, '_');
    const size_t stem = dash == NULL ? 0 : (size_t)(dash - name);
    for (char wanted[GDE_WORD]; k + n < s->ncol && stem > 0 && stem < GDE_WORD - 12; n++) {
        snprintf(wanted, sizeof wanted, "%.*s_%d", (int)stem, name, n);
        if (strcmp(s->column[k + n].name, wanted) != 0) {
            break;
        }
    }
    return n > 0 ? n : 1;
}

/* Whether an array may hold angles: its name says nothing of rates, forces or places of bodies. */
static bool may_be_angles(const char *name)
{
    static const char *const others[] = {"vel",  "acc",  "tau",   "torque", "force",
                                         "body", "ctrl", "speed", "contact"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strstr(name, others[i]) != NULL) {
            return false;
        }
    }
    return true;
}

/* The first of c->nscalar columns without joints' names, -1: none. */
static int find_block(const gde_clip *c)
{
    const sig_signals *s = &c->s;
    const int behind = c->turn[0] < 0 ? s->time + 1 : c->turn[0] + 4;
    for (int k = 0, n; k < s->ncol; k += n) {
        n = array_at(s, k);
        if (n == c->nscalar && may_be_angles(s->column[k].name)) {
            return k;
        }
    }
    return s->ncol - behind == c->nscalar && strncmp(s->column[behind].name, "column", 6) == 0
               ? behind
               : -1;
}

/* ---- the pose of the root ---- */

static bool are_rotations(const sig_signals *s, const int column[4])
{
    int known = 0;
    for (int row = 0; row < s->nrow; row++) {
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            const double x = s->value[(size_t)row * (size_t)s->ncol + (size_t)column[i]];
            sum += x * x;
        }
        if (fabs(sum - 1) > UNIT_TOLERANCE) {
            return false;
        }
        known += !isnan(sum);
    }
    return known > 1;
}

static bool is_rotation(const sig_signals *s, int k)
{
    const int column[4] = {k, k + 1, k + 2, k + 3};
    return k + 4 <= s->ncol && are_rotations(s, column);
}

/* Whether one of n columns is a joint's. */
static bool has_joint(const gde_clip *c, int first, int n)
{
    bool has = false;
    for (int j = 0; j < c->draft.m->njnt; j++) {
        has = has || (c->column[j] >= first && c->column[j] < first + n);
    }
    return has;
}

/* The first of n columns of an array with one of these words in its name, -1: none. */
static int find_array(const sig_signals *s, const char *const *words, int n)
{
    for (int k = 0, width; k < s->ncol; k += width) {
        width = array_at(s, k);
        for (int i = 0; words[i] != NULL && width == n; i++) {
            if (strstr(s->column[k].name, words[i]) != NULL) {
                return k;
            }
        }
    }
    return -1;
}

static void set_pose(gde_clip *c, int place, int turn)
{
    for (int i = 0; i < 3; i++) {
        c->place[i] = place + i;
    }
    for (int i = 0; i < 4; i++) {
        c->turn[i] = turn + i;
    }
}

/* By the names of its columns: 1 w first, 2 w last, 0 they do not tell. */
static int named_order(const sig_signals *s, int turn)
{
    const char *first = s->column[turn].name, *last = s->column[turn + 3].name;
    return ends_with(last, "w") || ends_with(last, "W")     ? 2
           : ends_with(first, "w") || ends_with(first, "W") ? 1
                                                            : 0;
}

static bool find_pose(gde_clip *c)
{
    static const char *const turns[] = {"root", "base", "pelvis", "quat", "rot", "orn", NULL};
    static const char *const places[] = {"root", "trans", "base", "pelvis", NULL};
    const sig_signals *s = &c->s;
    const int body = sig_find(s, "body_quat_w_0_0"), at = sig_find(s, "body_pos_w_0_0");
    if (body >= 0 && at >= 0) {
        set_pose(c, at, body);
        c->named_order = 1; /* both programs that write these names have w first */
        return true;
    }
    const int turn = find_array(s, turns, 4), place = find_array(s, places, 3);
    if (turn >= 0 && place >= 0 && is_rotation(s, turn)) {
        set_pose(c, place, turn);
        /* retargeting programs that write root_rot have w last */
        c->named_order = strstr(s->column[turn].name, "root_rot") != NULL ? 2 : 0;
        return true;
    }
    if (gde_find_named_turn(c) && are_rotations(s, c->turn)) {
        return true;
    }
    for (int k = s->time == 0 ? 4 : 3; k + 4 <= s->ncol; k++) {
        if (is_rotation(s, k) && (s->time < k - 3 || s->time >= k) && !has_joint(c, k - 3, 7)) {
            set_pose(c, k - 3, k);
            c->named_order = named_order(s, k);
            return true;
        }
    }
    return false;
}

/* The first column of qpos as MuJoCo has it; -1: there is none. */
static int find_qpos(const sig_signals *s, const sal_model *m)
{
    const int k = sig_find(s, "qpos_0");
    return k >= 0 && array_at(s, k) == m->nq ? k : -1;
}

/* Balls have no columns of their own: such poses are used as they are. */
static sal_status copy_qpos(gde_clip *c, int k, sal_err *err)
{
    const sal_model *m = c->draft.m;
    sal_status status = gde_make_room(c, err);
    status = status == SAL_OK ? gde_check_numbers(c, k, m->nq, err) : status;
    for (int row = 0; row < c->s.nrow && status == SAL_OK; row++) {
        double *q = c->made + (size_t)row * (size_t)m->nq;
        memcpy(q, c->s.value + (size_t)row * (size_t)c->s.ncol + k, (size_t)m->nq * sizeof *q);
        for (int j = 0; j < m->njnt; j++) {
            if (m->jnt_type[j] < SAL_JNT_SLIDE) {
                sal_quat_normalise(q + m->jnt_qposadr[j] + 3 * (m->jnt_type[j] == SAL_JNT_FREE));
            }
            c->known[j] = true;
        }
    }
    return status;
}

static sal_status take_qpos(gde_clip *c, int k, sal_err *err)
{
    const sal_model *m = c->draft.m;
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] == SAL_JNT_BALL) {
            return copy_qpos(c, k, err);
        }
        c->column[j] = m->jnt_type[j] == SAL_JNT_FREE ? -1 : k + m->jnt_qposadr[j];
    }
    if (c->root >= 0) {
        set_pose(c, k + m->jnt_qposadr[c->root], k + m->jnt_qposadr[c->root] + 3);
        c->named_order = 1;
    }
    return SAL_OK;
}

static int free_joint(const gde_draft *f)
{
    for (int j = 0; j < f->m->njnt; j++) {
        if (f->m->jnt_type[j] == SAL_JNT_FREE && (f->root == 0 || f->m->jnt_bodyid[j] == f->root)) {
            return j;
        }
    }
    return -1;
}

/* ---- all of them ---- */

static sal_status fail_joints(const gde_clip *c, int found, sal_err *err)
{
    const sig_signals *s = &c->s;
    char list[200];
    size_t used = 0;
    for (int k = 0; k < s->ncol && used + 40 < sizeof list; k++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.32s", k == 0 ? "" : " ",
                                 s->column[k].name);
    }
    return sal_fail(err, SAL_BADINPUT,
                    "'%.200s' has columns for %d of the %d joints of the model, and no group of %d "
                    "columns without names; its %d columns are %s%s. Name the columns after the "
                    "joints of the model",
                    s->source.path, found, c->nscalar, c->nscalar, s->ncol, list,
                    used + 40 < sizeof list ? "" : " ..");
}

sal_status gde_clip_columns(gde_clip *c, sal_err *err)
{
    const sal_model *m = c->draft.m;
    c->root = free_joint(&c->draft);
    c->block = c->turn[0] = c->place[0] = c->angles.column[0] = -1;
    order_joints(c);
    if (c->s.njoint > 0) {
        return gde_clip_skeleton(c, err);
    }
    const int found = match_names(c);
    if (found == 0 && gde_has_vectors(c) && find_block(c) < 0) {
        return gde_clip_vectors(c, err);
    }
    const int qpos = found == 0 ? find_qpos(&c->s, m) : -1;
    if (qpos >= 0) {
        return take_qpos(c, qpos, err);
    }
    if (c->root >= 0 && !find_pose(c) && !gde_find_angles(c)) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s' has no pose of body '%.80s': four columns that are a quaternion, "
                        "and three before them that are its place; or in any order, such as "
                        "root_x root_y root_z root_qx root_qy root_qz root_qw; or three angles and "
                        "its place, such as root_tx root_ty root_tz root_rx root_ry root_rz",
                        c->s.source.path, sal_model_name(m, SAL_OBJ_BODY, m->jnt_bodyid[c->root]));
    }
    if (2 * found < c->nscalar) {
        c->block = find_block(c);
        return c->block < 0 ? fail_joints(c, found, err) : SAL_OK;
    }
    return SAL_OK;
}

int gde_clip_column(const gde_clip *c, const gde_reading *how, int joint)
{
    const gde_draft *f = &c->draft;
    const int *order = how->by_level ? c->by_level : c->by_branch,
              partner = how->exchanged
                            ? sal_mirror_partner(f->m, SAL_OBJ_JOINT, joint, f->left, f->right)
                            : -1,
              own = partner < 0 ? joint : partner;
    for (int i = 0; i < c->nscalar && c->block >= 0; i++) {
        if (order[i] == own) {
            return c->block + i;
        }
    }
    return c->block >= 0 ? -1 : c->column[joint];
}
