/* follow_columns.c: which column of a recording is what of the model.
 *
 * A joint's column has the joint's name, whatever its case, and with or without a path before it
 * (/jointset/knee_r/knee_angle_r/value), _joint, _pos, _angle or _dof behind it. Columns of speeds,
 * torques and the like have other endings. Where most joints have none, a group of as many columns
 * as there are hinges and slides has them in the model's order: NAME_0, NAME_1, .. of one array, or
 * what stands behind the pose in an array of both, or in a file without a header.
 *
 * The pose of a free joint stands in arrays whose names speak of a root; or in qpos
 * (follow_qpos.c); or it is that of body 0 in body_pos_w and body_quat_w, or of body 1 behind the
 * world; or columns with the names of a place and a quaternion; or four columns whose squares add
 * up to 1, and three columns before them, none of which is a joint's; or angles.
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
    static const char *const endings[] = {"value", "rad",   "deg", "degrees", "position",
                                          "angle", "joint", "pos", "dof",     "q"};
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
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
            if (ends_with(out, endings[i])) {
                out[strlen(out) - strlen(endings[i])] = 0;
                more = true;
            }
        }
    }
}

static bool has_any(const char *name, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (strstr(name, *words) != NULL) {
            return true;
        }
    }
    return false;
}

bool gde_may_be_position(const char *name)
{
    static const char *const others[] = {"vel",    "acc",     "tau",    "torque",  "force", "frc",
                                         "moment", "ctrl",    "speed",  "contact", "power", "body",
                                         "reward", "command", "action", "xpos",    "xquat", NULL};
    char lower[GDE_WORD];
    size_t n = 0;
    for (; name[n] != 0 && n < GDE_WORD - 1; n++) {
        lower[n] = (char)(name[n] >= 'A' && name[n] <= 'Z' ? name[n] - 'A' + 'a' : name[n]);
    }
    lower[n] = 0;
    return strncmp(lower, "dq", 2) != 0 && !has_any(lower, others);
}

/* Whether an array of a root may hold its place or rotation. */
static bool is_no_rate(const char *name)
{
    static const char *const others[] = {"vel", "acc", "ang", "force", "torque", "speed", NULL};
    return !has_any(name, others);
}

/* The column that the file says is of a joint of this simple name, -1: none. */
static int labelled_column(const sig_signals *s, const char *wanted)
{
    char found[GDE_WORD];
    for (int k = 0; k < s->ncol; k++) {
        gde_simplify(s->column[k].joint == NULL ? "" : s->column[k].joint, found);
        if (found[0] != 0 && strcmp(wanted, found) == 0 && gde_may_be_position(s->column[k].name)) {
            return k;
        }
    }
    return -1;
}

/* The column of this simple name; -1: none. */
static int simple_column(const sig_signals *s, const char *wanted)
{
    char found[GDE_WORD];
    for (int k = 0; k < s->ncol && wanted[0] != 0; k++) {
        gde_simplify(s->column[k].name, found);
        if (!s->column[k].text && k != s->time && strcmp(wanted, found) == 0) {
            return k;
        }
    }
    return -1;
}

/* The column that has the joint's name, -1: none. */
static int named_column(const sig_signals *s, const char *joint)
{
    char wanted[GDE_WORD];
    gde_simplify(joint, wanted);
    const int label = wanted[0] == 0 ? -1 : labelled_column(s, wanted);
    const int exact = label >= 0 ? label : sig_find(s, joint);
    return exact >= 0 ? exact : simple_column(s, wanted);
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
    int found = 0, first = -1;
    for (int i = 0; i < c->nscalar; i++) {
        const int j = c->by_branch[i];
        c->column[j] = named_column(&c->s, sal_model_name(c->draft.m, SAL_OBJ_JOINT, j));
        found += c->column[j] >= 0;
        first = first < 0 && c->column[j] >= 0 && c->s.column[c->column[j]].joint != NULL
                    ? c->column[j]
                    : first;
    }
    if (first >= 0) {
        gde_note(&c->draft, "columns such as %s are of the joints that the file names",
                 c->s.column[first].name);
    }
    return found;
}

/* The robot's name before those of its joints, which either the file has (panda_joint1 of joint1)
 * or the model: `longer` without `shorter` at its end; "": it does not end so. */
static void prefix_of(const char *longer, const char *shorter, char prefix[GDE_WORD])
{
    prefix[0] = 0;
    if (shorter[0] != 0 && ends_with(longer, shorter)) {
        snprintf(prefix, GDE_WORD, "%.*s", (int)(strlen(longer) - strlen(shorter)), longer);
    }
}

static int count_prefixed(gde_clip *c, const char *prefix, bool in_file, bool take)
{
    const size_t length = strlen(prefix);
    int found = 0;
    for (int i = 0; i < c->nscalar && length > 0; i++) {
        char joint[GDE_WORD], wanted[2 * GDE_WORD];
        const int j = c->by_branch[i];
        gde_simplify(sal_model_name(c->draft.m, SAL_OBJ_JOINT, j), joint);
        const bool begins = strncmp(joint, prefix, length) == 0;
        snprintf(wanted, sizeof wanted, "%s%s", in_file ? prefix : "",
                 in_file  ? joint
                 : begins ? joint + length
                          : "");
        const int k = joint[0] == 0 ? -1 : simple_column(&c->s, wanted);
        found += k >= 0;
        c->column[j] = take ? k : c->column[j];
    }
    return found;
}

/* With the prefix that makes the most names alike, if it makes half of them so; how many joints
 * have a column then. */
static int match_prefixed(gde_clip *c, int found)
{
    enum { COLUMNS_MOST = 500 };
    const sal_model *m = c->draft.m;
    char joint[GDE_WORD], column[GDE_WORD], prefix[GDE_WORD], best[GDE_WORD] = "";
    int most = 0;
    bool in_file = false;
    gde_simplify(c->nscalar == 0 ? "" : sal_model_name(m, SAL_OBJ_JOINT, c->by_branch[0]), joint);
    for (int k = 0; k < c->s.ncol && c->s.ncol <= COLUMNS_MOST; k++) {
        gde_simplify(c->s.column[k].name, column);
        for (int side = 0; side < 2; side++) {
            prefix_of(side ? column : joint, side ? joint : column, prefix);
            const int n = count_prefixed(c, prefix, side == 1, false);
            if (n > most) {
                most = n;
                in_file = side == 1;
                memcpy(best, prefix, sizeof best);
            }
        }
    }
    if (most <= found || 2 * most < c->nscalar) {
        return found;
    }
    gde_note(&c->draft, "'%s' stands before the names of joints in the %s", best,
             in_file ? "recording" : "model");
    return count_prefixed(c, best, in_file, true);
}

/* Columns k .. of one array NAME_0, NAME_1, .. or NAME0, NAME1, .., or from 1 on: how many; 1: it
 * is none. */
int gde_array_at(const sig_signals *s, int k)
{
    const char *name = s->column[k].name;
    const size_t length = strlen(name), stem = length == 0 ? 0 : length - 1;
    const int first = length == 0 ? -1 : name[stem] - '0';
    char wanted[GDE_WORD];
    int n = 0;
    if (stem == 0 || stem > GDE_WORD - 12 || first < 0 || first > 1 ||
        (name[stem - 1] >= '0' && name[stem - 1] <= '9')) {
        return 1;
    }
    for (bool more = true; more; n += more) {
        snprintf(wanted, sizeof wanted, "%.*s%d", (int)stem, name, first + n);
        more = k + n < s->ncol && strcmp(s->column[k + n].name, wanted) == 0;
    }
    return n;
}

/* Whether the pose and the joints are the rows of one array. */
static bool is_one_array(const gde_clip *c)
{
    const int first = c->place[0];
    return c->turn[0] >= 0 && c->turn[0] == first + 3 &&
           gde_array_at(&c->s, first) == 7 + c->nscalar;
}

/* The first of c->nscalar columns without joints' names, -1: none. */
static int find_block(const gde_clip *c)
{
    const sig_signals *s = &c->s;
    const int behind = c->turn[0] < 0 ? s->time + 1 : c->turn[0] + 4;
    if (c->angles.column[0] >= 0 && c->angles.vector) {
        return c->angles.column[2] + 1;
    }
    if (is_one_array(c)) {
        return behind;
    }
    for (int k = 0, n; k < s->ncol; k += n) {
        n = gde_array_at(s, k);
        if (n == c->nscalar && gde_may_be_position(s->column[k].name)) {
            return k;
        }
    }
    return s->ncol - behind == c->nscalar && strncmp(s->column[behind].name, "column", 6) == 0
               ? behind
               : -1;
}

/* ---- the pose of the root ---- */

static double square_of(const sig_signals *s, int row, const int column[4])
{
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        const double x = s->value[(size_t)row * (size_t)s->ncol + (size_t)column[i]];
        sum += x * x;
    }
    return sum;
}

/* The first row in which the columns are no quaternion of length 1; nrow: they are in all. */
static int first_unlike(const sig_signals *s, const int column[4])
{
    int row = 0;
    while (row < s->nrow && !(fabs(square_of(s, row, column) - 1) > UNIT_TOLERANCE)) {
        row++;
    }
    return row;
}

static bool are_rotations(const sig_signals *s, const int column[4])
{
    int known = 0;
    for (int row = 0; row < s->nrow; row++) {
        known += !isnan(square_of(s, row, column));
    }
    return known > 1 && first_unlike(s, column) == s->nrow;
}

bool gde_is_rotation(const sig_signals *s, int k)
{
    const int column[4] = {k, k + 1, k + 2, k + 3};
    return k + 4 <= s->ncol && are_rotations(s, column);
}

/* Whether one of n columns is a joint's. */
bool gde_has_joint(const gde_clip *c, int first, int n)
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
        width = gde_array_at(s, k);
        for (int i = 0; words[i] != NULL && width == n; i++) {
            if (strstr(s->column[k].name, words[i]) != NULL && is_no_rate(s->column[k].name)) {
                return k;
            }
        }
    }
    return -1;
}

void gde_set_pose(gde_clip *c, int place, int turn)
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
    return ends_with(last, "w") || ends_with(last, "W")                                       ? 2
           : ends_with(first, "w") || ends_with(first, "W") || strncmp(first, "qpos", 4) == 0 ? 1
                                                                                              : 0;
}

/* How long a name is without _NUMBER at its end, 0: it does not end so. */
static size_t array_name(const char *name)
{
    const char *dash = strrchr(name, '_');
    return dash != NULL && dash[1] >= '0' && dash[1] <= '9' ? (size_t)(dash - name) : 0;
}

/* Whether columns may belong together: they are of one array, or of none. Rows of a matrix are
 * arrays of their own. */
static bool are_together(const sig_signals *s, int first, int n)
{
    const char *name = s->column[first].name;
    const size_t stem = array_name(name);
    for (int i = 1; i < n; i++) {
        const char *other = s->column[first + i].name;
        if (array_name(other) != stem || strncmp(name, other, stem) != 0) {
            return false;
        }
    }
    return true;
}

/* The first column of body 0 in an array of n numbers for each body, NAME_0_0 .., with one of these
 * words in its name, -1: none. */
static int find_bodies(const sig_signals *s, const char *const *words, int n)
{
    for (int k = 0, width; k < s->ncol; k += width) {
        const char *name = s->column[k].name;
        width = gde_array_at(s, k);
        if (width == n && ends_with(name, "_0_0") && has_any(name, words) && is_no_rate(name)) {
            return k;
        }
    }
    return -1;
}

/* Whether body 0 is the world, as MuJoCo has it: it stays at the origin, and others follow. */
static bool is_world(const gde_clip *c, int place)
{
    bool world = place + 3 < c->s.ncol && ends_with(c->s.column[place + 3].name, "_1_0");
    for (int row = 0; row < c->s.nrow && world; row++) {
        for (int i = 0; i < 3; i++) {
            world = world && gde_clip_cell(c, row, place + i) == 0;
        }
    }
    return world;
}

/* The first body of arrays of all bodies' places and rotations is the root, but for the world. */
static bool find_first_body(gde_clip *c)
{
    static const char *const turns[] = {"quat", "rot", "orn", "orient", NULL};
    static const char *const places[] = {"pos", "trans", "place", NULL};
    int turn = find_bodies(&c->s, turns, 4), place = find_bodies(&c->s, places, 3);
    if (turn < 0 || place < 0 || !gde_is_rotation(&c->s, turn)) {
        return false;
    }
    if (is_world(c, place)) {
        place += 3;
        turn += 4;
    }
    gde_set_pose(c, place, turn);
    /* both programs that write body_quat_w have w first */
    c->named_order = strncmp(c->s.column[turn].name, "body_quat_w", 11) == 0 ? 1 : 0;
    return true;
}

static bool find_pose(gde_clip *c)
{
    static const char *const turns[] = {"root", "base", "pelvis", "quat", "rot", "orn", NULL};
    static const char *const places[] = {"root", "trans", "base", "pelvis", NULL};
    const sig_signals *s = &c->s;
    const int turn = find_array(s, turns, 4), place = find_array(s, places, 3);
    if (turn >= 0 && place >= 0 && gde_is_rotation(s, turn)) {
        gde_set_pose(c, place, turn);
        /* retargeting programs that write root_rot have w last */
        c->named_order = strstr(s->column[turn].name, "root_rot") != NULL ? 2 : 0;
        return true;
    }
    if (gde_find_pose_in_qpos(c) || find_first_body(c) ||
        (gde_find_named_turn(c) && are_rotations(s, c->turn))) {
        return true;
    }
    for (int k = s->time == 0 ? 4 : 3; k + 4 <= s->ncol; k++) {
        if (gde_is_rotation(s, k) && are_together(s, k, 4) && (s->time < k - 3 || s->time >= k) &&
            !gde_has_joint(c, k - 3, 7)) {
            gde_set_pose(c, k - 3, k);
            c->named_order = named_order(s, k);
            return true;
        }
    }
    return false;
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

/* The free joint, or slides and hinges of which that along the vertical was recorded. */
static void find_base(gde_clip *c)
{
    const gde_draft *f = &c->draft;
    const sal_model *m = f->m;
    const int body = c->root >= 0 ? m->jnt_bodyid[c->root] : f->root;
    if (!(body > 0 ? prb_root_of(&c->base, m, body) : prb_root_find(&c->base, m)) || c->root >= 0) {
        return;
    }
    const int lift = m->dof_jntid[c->base.lift];
    if (c->made == NULL ? gde_clip_column(c, &c->how, lift) < 0 : !c->known[lift]) {
        c->base.body = 0;
    }
}

static sal_status fail_joints(const gde_clip *c, int found, sal_err *err)
{
    const sig_signals *s = &c->s;
    char list[200];
    size_t used = 0;
    prb_root root;
    const bool carried = c->root < 0 && prb_root_find(&root, c->draft.m);
    for (int k = 0; k < s->ncol && used + 40 < sizeof list; k++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.32s", k == 0 ? "" : " ",
                                 s->column[k].name);
    }
    return sal_fail(err, SAL_BADINPUT,
                    "'%.200s' has columns for %d of the %d joints of the model, and no group of %d "
                    "columns without names; its %d columns are %s%s. Name the columns after the "
                    "joints of the model%s",
                    s->source.path, found, c->nscalar, c->nscalar, s->ncol, list,
                    used + 40 < sizeof list ? "" : " ..",
                    carried ? "; slides and hinges carry it, so that these need columns as well, "
                              "not a place and a quaternion"
                            : "");
}

/* What is wrong with what by its name is the rotation of the root, to go before the rest; "":
 * nothing has such a name. */
static void say_turn(gde_clip *c, char *out, size_t size)
{
    static const char *const turns[] = {"quat", "rot", "orn", "orient", NULL};
    const sig_signals *s = &c->s;
    out[0] = 0;
    if (gde_find_named_turn(c)) {
        const int row = first_unlike(s, c->turn);
        snprintf(out, size, "columns %.60s .. are no quaternion of length 1 in row %d of numbers; ",
                 s->column[c->turn[0]].name, row + 1);
        return;
    }
    for (int k = 0; k < s->ncol; k++) {
        const size_t stem = array_name(s->column[k].name);
        if (stem > 0 && has_any(s->column[k].name, turns) && is_no_rate(s->column[k].name) &&
            gde_may_be_position(s->column[k].name)) {
            snprintf(out, size, "array '%.*s' is not a quaternion in each row; ",
                     stem < 60 ? (int)stem : 60, s->column[k].name);
            return;
        }
    }
}

static sal_status fail_pose(gde_clip *c, sal_err *err)
{
    const sal_model *m = c->draft.m;
    char turn[160];
    say_turn(c, turn, sizeof turn);
    return sal_fail(err, SAL_BADINPUT,
                    "'%.200s' has no pose of body '%.80s' (%swanted are four columns that are a "
                    "quaternion, and three before them that are its place; or in any order, such "
                    "as root_x root_y root_z root_qx root_qy root_qz root_qw; or three angles and "
                    "its place, such as root_tx root_ty root_tz root_rx root_ry root_rz)",
                    c->s.source.path, sal_model_name(m, SAL_OBJ_BODY, m->jnt_bodyid[c->root]),
                    turn);
}

static sal_status find_columns(gde_clip *c, sal_err *err)
{
    c->root = free_joint(&c->draft);
    c->block = c->turn[0] = c->place[0] = c->angles.column[0] = -1;
    order_joints(c);
    if (c->s.njoint > 0) {
        return gde_clip_skeleton(c, err);
    }
    const int qpos = gde_find_qpos(c);
    if (qpos >= 0) {
        return gde_take_qpos(c, qpos, err);
    }
    const int named = match_names(c),
              found = 2 * named < c->nscalar ? match_prefixed(c, named) : named;
    if (found == 0 && gde_has_vectors(c) && find_block(c) < 0) {
        return gde_clip_vectors(c, err);
    }
    if (c->root >= 0 && !find_pose(c) && !gde_find_angles(c) && !gde_find_vector(c)) {
        return fail_pose(c, err);
    }
    if (2 * found < c->nscalar) {
        c->block = find_block(c);
    }
    return c->block < 0 && 4 * found < c->nscalar ? fail_joints(c, found, err) : SAL_OK;
}

bool gde_column_is_empty(const gde_clip *c, int column)
{
    bool empty = true;
    for (int row = 0; row < c->s.nrow && empty; row++) {
        empty = isnan(gde_clip_cell(c, row, column));
    }
    return empty;
}

/* A column with a joint's name but no number in it is none. */
static void forget_empty(gde_clip *c)
{
    for (int j = 0; j < c->draft.m->njnt; j++) {
        if (c->column[j] >= 0 && gde_column_is_empty(c, c->column[j])) {
            gde_note(&c->draft, "column '%s' is empty", c->s.column[c->column[j]].name);
            c->column[j] = -1;
        }
    }
}

sal_status gde_clip_columns(gde_clip *c, sal_err *err)
{
    const sal_status status = find_columns(c, err);
    if (status == SAL_OK) {
        forget_empty(c);
        find_base(c);
    }
    return status;
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
