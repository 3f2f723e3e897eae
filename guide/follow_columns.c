/* follow_columns.c: which column of a recording is what of the model.
 *
 * A joint's column has the joint's name, whatever its case, and with or without a path before it
 * (/jointset/knee_r/knee_angle_r/value), _joint, _pos, _angle or _dof behind it. Columns of speeds,
 * torques and the like have other endings. Where most joints have none, a group of as many columns
 * as there are hinges and slides has them in the model's order: NAME_0, NAME_1, .. of one array, or
 * what stands behind the pose in an array of both, or in a file without a header.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names ---- */

void gde_simplify(const char *name, char out[GDE_WORD])
{
    static const char *const endings[] = {"value", "rad",   "deg", "degrees", "position",
                                          "angle", "joint", "pos", "dof",     "q"},
                             *const parts[] = {"/value", "/position", "/pos", "/angle", "/q"};
    char text[GDE_WORD];
    size_t n = 0;
    snprintf(text, sizeof text, "%s", name);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (sal_text_ends(text, parts[i])) {
            text[strlen(text) - strlen(parts[i])] = 0;
        }
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
            if (sal_text_ends(out, endings[i])) {
                out[strlen(out) - strlen(endings[i])] = 0;
                more = true;
            }
        }
    }
}

bool gde_has_any(const char *name, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (strstr(name, *words) != NULL) {
            return true;
        }
    }
    return false;
}

static void lower_case(const char *name, char out[GDE_WORD])
{
    size_t n = 0;
    for (; name[n] != 0 && n < GDE_WORD - 1; n++) {
        out[n] = (char)(name[n] >= 'A' && name[n] <= 'Z' ? name[n] - 'A' + 'a' : name[n]);
    }
    out[n] = 0;
}

/* Whether a part of a name, between '/' or '.', begins so. */
static bool has_part(const char *name, const char *begin)
{
    const size_t n = strlen(begin);
    bool has = strncmp(name, begin, n) == 0;
    for (const char *mark = strpbrk(name, "/."); mark != NULL; mark = strpbrk(mark + 1, "/.")) {
        has = has || strncmp(mark + 1, begin, n) == 0;
    }
    return has;
}

/* gde_may_be_position, of a joint in whose own name such a word may stand, too. */
static bool may_be_position_of(const char *name, const char *joint)
{
    static const char *const others[] = {
        "vel",    "acc",    "tau",         "torque",  "force", "frc",    "moment", "ctrl",
        "speed",  "omega",  "qdot",        "contact", "power", "reward", "cmd",    "command",
        "action", "effort", "temperature", "current", "xpos",  "xquat"};
    const size_t n = sizeof others / sizeof others[0];
    char column[GDE_WORD], own[GDE_WORD];
    lower_case(name, column);
    lower_case(joint, own);
    bool may = !(has_part(column, "dq") && !has_part(own, "dq")) &&
               !(has_part(column, "qd/") && !has_part(own, "qd")) &&
               !(own[0] == 0 && strstr(column, "body") != NULL); /* an array about bodies */
    for (size_t i = 0; i < n; i++) {
        may = may && (strstr(column, others[i]) == NULL || strstr(own, others[i]) != NULL);
    }
    return may;
}

bool gde_is_wished(const char *name)
{
    static const char *const words[] = {"target", "desired", "setpoint", "reference", "goal", NULL};
    char lower[GDE_WORD];
    lower_case(name, lower);
    return gde_has_any(lower, words) || has_part(lower, "des_") || has_part(lower, "des/") ||
           has_part(lower, "ref_") || has_part(lower, "ref/");
}

bool gde_may_be_position(const char *name)
{
    return may_be_position_of(name, "");
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

/* The column of this simple name, of positions of the joint; -1: none. With a dimension, of those
 * whose names end in a unit of it. */
static int simple_column(const sig_signals *s, const char *wanted, const char *joint,
                         char dimension)
{
    char found[GDE_WORD], bare[GDE_WORD];
    int wished = -1;
    for (int k = 0; k < s->ncol && wanted[0] != 0; k++) {
        const char *name = s->column[k].name;
        if (dimension != 0 && !gde_strip_unit(name, dimension, bare)) {
            continue;
        }
        gde_simplify(dimension == 0 ? name : bare, found);
        if (s->column[k].text || k == s->time || strcmp(wanted, found) != 0 ||
            !may_be_position_of(name, joint)) {
            continue;
        }
        if (!gde_is_wished(name)) {
            return k;
        }
        wished = wished < 0 ? k : wished;
    }
    return wished;
}

/* The column that has the joint's name, -1: none. */
static int named_column(const sig_signals *s, const sal_model *m, int joint)
{
    char wanted[GDE_WORD];
    const char *name = sal_model_name(m, SAL_OBJ_JOINT, joint);
    gde_simplify(name, wanted);
    const int label = wanted[0] == 0 ? -1 : labelled_column(s, wanted);
    const int exact = label >= 0 ? label : sig_find(s, name);
    const int simple = exact >= 0 ? exact : simple_column(s, wanted, name, 0);
    return simple >= 0 || m->jnt_type[joint] != SAL_JNT_SLIDE ? simple
                                                              : simple_column(s, wanted, name, 'L');
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
        c->column[j] = named_column(&c->s, c->draft.m, j);
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
    if (shorter[0] != 0 && sal_text_ends(longer, shorter)) {
        snprintf(prefix, GDE_WORD, "%.*s", (int)(strlen(longer) - strlen(shorter)), longer);
    }
}

/* How many joints have a column by their names, some of them with this prefix. */
static int count_prefixed(gde_clip *c, const char *prefix, bool in_file, bool take)
{
    const size_t length = strlen(prefix);
    int found = 0;
    for (int i = 0; i < c->nscalar && length > 0; i++) {
        char joint[GDE_WORD], wanted[2 * GDE_WORD];
        const int j = c->by_branch[i];
        const char *name = sal_model_name(c->draft.m, SAL_OBJ_JOINT, j);
        gde_simplify(name, joint);
        const bool begins = strncmp(joint, prefix, length) == 0;
        snprintf(wanted, sizeof wanted, "%s%s", in_file ? prefix : "",
                 in_file  ? joint
                 : begins ? joint + length
                          : "");
        const int k = joint[0] == 0 ? -1 : simple_column(&c->s, wanted, name, 0);
        found += k >= 0 || c->column[j] >= 0;
        c->column[j] = take && k >= 0 ? k : c->column[j];
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
    bool in_file = false, wished = false;
    gde_simplify(c->nscalar == 0 ? "" : sal_model_name(m, SAL_OBJ_JOINT, c->by_branch[0]), joint);
    for (int k = 0; k < c->s.ncol && c->s.ncol <= COLUMNS_MOST; k++) {
        gde_simplify(c->s.column[k].name, column);
        for (int side = 0; side < 2; side++) {
            prefix_of(side ? column : joint, side ? joint : column, prefix);
            const int n = count_prefixed(c, prefix, side == 1, false);
            if (n > most || (n == most && wished && !gde_is_wished(c->s.column[k].name))) {
                most = n;
                wished = gde_is_wished(c->s.column[k].name);
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

void gde_list_columns(const sig_signals *s, char *list, size_t size)
{
    size_t used = 0;
    int k = 0;
    list[0] = 0;
    for (; k < s->ncol && used + 40 < size; k++) {
        used += (size_t)snprintf(list + used, size - used, "%s%.32s", k == 0 ? "" : " ",
                                 s->column[k].name);
    }
    snprintf(list + used, size - used, "%s", k < s->ncol ? " .." : "");
}

/* A column that has a joint's name, but is of something else than its position; "": there is
 * none. */
static void say_other(const gde_clip *c, char *out, size_t size)
{
    char joint[GDE_WORD], column[GDE_WORD];
    out[0] = 0;
    for (int k = 0; k < c->s.ncol && out[0] == 0; k++) {
        gde_simplify(c->s.column[k].name, column);
        for (int i = 0; i < c->nscalar && out[0] == 0; i++) {
            const char *name = sal_model_name(c->draft.m, SAL_OBJ_JOINT, c->by_branch[i]);
            gde_simplify(name, joint);
            if (joint[0] != 0 && strstr(column, joint) != NULL &&
                !may_be_position_of(c->s.column[k].name, name)) {
                snprintf(out, size, "; '%.60s' is no position by its name", c->s.column[k].name);
            }
        }
    }
}

static sal_status fail_joints(const gde_clip *c, int found, sal_err *err)
{
    const sig_signals *s = &c->s;
    char list[200], other[120];
    prb_root root;
    const bool carried = c->root < 0 && prb_root_find(&root, c->draft.m);
    gde_list_columns(s, list, sizeof list);
    say_other(c, other, sizeof other);
    return sal_fail(err, SAL_BADINPUT,
                    "'%.200s' has columns for %d of the %d joints of the model, and no group of %d "
                    "columns without names; its %d columns are %s%s. Name the columns after the "
                    "joints of the model%s",
                    s->source.path, found, c->nscalar, c->nscalar, s->ncol, list, other,
                    carried ? "; slides and hinges carry it, so that these need columns as well, "
                              "not a place and a quaternion"
                            : "");
}

/* The first column of an array of the root or of joints that has a table for each row, NAME_0_0,
 * NAME_0_1, .. NAME_1_0, .., of `rows` rows; -1: there is none. */
static int find_batch(const sig_signals *s, int *rows)
{
    static const char *const words[] = {"root", "base", "pelvis", "dof", "qpos", NULL},
                             *const others[] = {"body", "link", NULL};
    for (int k = 0, n; k < s->ncol; k += n) {
        const char *name = s->column[k].name;
        char next[GDE_WORD];
        n = gde_array_at(s, k);
        if (!sal_text_ends(name, "_0_0") || !gde_has_any(name, words) ||
            gde_has_any(name, others)) {
            continue;
        }
        bool more = true;
        for (*rows = 0; more; *rows += more) {
            snprintf(next, sizeof next, "%.*s_%d_0", (int)strlen(name) - 4, name, *rows);
            more = sig_find(s, next) >= 0;
        }
        if (*rows > 1 && !(*rows == 3 && n == 3)) { /* a matrix of each row */
            return k;
        }
    }
    return -1;
}

static sal_status fail_batch(const sig_signals *s, int column, int rows, sal_err *err)
{
    const char *name = s->column[column].name;
    const int length = (int)strlen(name) - 4;
    return sal_fail(
        err, SAL_BADINPUT,
        "array '%.*s' of '%.200s' has three dimensions, %d x %d x %d: it holds several "
        "motions, but one is followed. Write one of them, in Python as d = "
        "dict(numpy.load('clips.npz')); numpy.savez('one.npz', **{k: v[0] if v.ndim == 3 "
        "else v for k, v in d.items()}), or v[:, 0] where the instants come first",
        length < 60 ? length : 60, name, s->source.path, s->nrow, rows, gde_array_at(s, column));
}

static sal_status find_columns(gde_clip *c, sal_err *err)
{
    int rows = 0;
    const int batch = find_batch(&c->s, &rows);
    c->root = free_joint(&c->draft);
    c->block = c->turn[0] = c->place[0] = c->angles.column[0] = -1;
    order_joints(c);
    if (batch >= 0) {
        return fail_batch(&c->s, batch, rows, err);
    }
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
    if (c->root >= 0 && !gde_find_pose_of_root(c) && !gde_find_angles(c) && !gde_find_vector(c)) {
        return gde_fail_pose(c, err);
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
