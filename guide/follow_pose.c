/* follow_pose.c: which columns of a recording are the pose of the root.
 *
 * It stands in arrays whose names speak of a root; or in qpos (follow_qpos.c); or it is that of
 * body 0 in body_pos_w and body_quat_w, or of body 1 behind the world; or columns with the names
 * of a place and a quaternion; or four columns whose squares add up to 1, and three columns before
 * them, none of which is a joint's; or angles (follow_angles.c).
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the length of a quaternion: what <data> allows, and what numbers have to keep to that nothing
 * else shows to be one. */
static const double ALLOWED = 0.02, EXACT = 2e-3;

/* Whether an array of a root may hold its place or rotation. */
static bool is_no_rate(const char *name)
{
    static const char *const others[] = {"vel", "acc", "ang", "force", "torque", "speed", NULL};
    return !gde_has_any(name, others);
}

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
static int first_unlike(const sig_signals *s, const int column[4], double tolerance)
{
    int row = 0;
    while (row < s->nrow && !(fabs(sqrt(square_of(s, row, column)) - 1) > tolerance)) {
        row++;
    }
    return row;
}

static bool are_rotations(const sig_signals *s, const int column[4], double tolerance)
{
    int known = 0;
    for (int row = 0; row < s->nrow; row++) {
        known += !isnan(square_of(s, row, column));
    }
    return known > 1 && first_unlike(s, column, tolerance) == s->nrow;
}

static bool is_rotation(const sig_signals *s, int k, double tolerance)
{
    const int column[4] = {k, k + 1, k + 2, k + 3};
    return k + 4 <= s->ncol && are_rotations(s, column, tolerance);
}

bool gde_is_rotation(const sig_signals *s, int k)
{
    return is_rotation(s, k, ALLOWED);
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
    return sal_text_ends(last, "w") || sal_text_ends(last, "W") ? 2
           : sal_text_ends(first, "w") || sal_text_ends(first, "W") ||
                   strncmp(first, "qpos", 4) == 0
               ? 1
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

/* Whether columns may be a place and the quaternion behind it: each of one array, or of none, and
 * the quaternion all of its array, or what stands behind the place in one of both. */
static bool may_be_pose(const sig_signals *s, int place, int turn)
{
    return are_together(s, place, 3) && are_together(s, turn, 4) &&
           (are_together(s, place, turn + 4 - place) || array_name(s->column[turn].name) == 0 ||
            (gde_array_at(s, turn) == 4 && gde_array_at(s, place) == 3));
}

/* The first column of body 0 in an array of n numbers for each body, NAME_0_0 .., with one of these
 * words in its name, -1: none. */
static int find_bodies(const sig_signals *s, const char *const *words, int n)
{
    for (int k = 0, width; k < s->ncol; k += width) {
        const char *name = s->column[k].name;
        width = gde_array_at(s, k);
        if (width == n && sal_text_ends(name, "_0_0") && gde_has_any(name, words) &&
            is_no_rate(name)) {
            return k;
        }
    }
    return -1;
}

/* Whether body 0 is the world, as MuJoCo has it: it stays at the origin, and others follow. */
static bool is_world(const gde_clip *c, int place)
{
    bool world = place + 3 < c->s.ncol && sal_text_ends(c->s.column[place + 3].name, "_1_0");
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

/* Four columns that are a quaternion, and three before them. */
static bool find_by_numbers(gde_clip *c, double tolerance)
{
    const sig_signals *s = &c->s;
    for (int k = s->time == 0 ? 4 : 3; k + 4 <= s->ncol; k++) {
        if (is_rotation(s, k, tolerance) && may_be_pose(s, k - 3, k) &&
            (s->time < k - 3 || s->time >= k) && !gde_has_joint(c, k - 3, 7)) {
            gde_set_pose(c, k - 3, k);
            c->named_order = named_order(s, k);
            return true;
        }
    }
    return false;
}

bool gde_find_pose_of_root(gde_clip *c)
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
    return gde_find_pose_in_qpos(c) || find_first_body(c) ||
           (gde_find_named_turn(c) && are_rotations(s, c->turn, ALLOWED)) ||
           find_by_numbers(c, EXACT) || find_by_numbers(c, ALLOWED);
}

/* What is wrong with what by its name is the rotation of the root, to go before the rest; "":
 * nothing has such a name. */
static void say_turn(gde_clip *c, char *out, size_t size)
{
    static const char *const turns[] = {"quat", "rot", "orn", "orient", NULL};
    const sig_signals *s = &c->s;
    out[0] = 0;
    if (gde_find_named_turn(c)) {
        const int row = first_unlike(s, c->turn, ALLOWED);
        snprintf(out, size, "columns %.60s .. are no quaternion of length 1 in row %d of numbers; ",
                 s->column[c->turn[0]].name, row + 1);
        return;
    }
    for (int k = 0; k < s->ncol; k++) {
        const size_t stem = array_name(s->column[k].name);
        if (stem > 0 && gde_has_any(s->column[k].name, turns) && is_no_rate(s->column[k].name) &&
            gde_may_be_position(s->column[k].name)) {
            snprintf(out, size, "array '%.*s' is not a quaternion in each row; ",
                     stem < 60 ? (int)stem : 60, s->column[k].name);
            return;
        }
    }
}

sal_status gde_fail_pose(gde_clip *c, sal_err *err)
{
    const sal_model *m = c->draft.m;
    const bool lies = c->s.nrow == m->nq && c->s.ncol > m->nq;
    char turn[160];
    say_turn(c, turn, sizeof turn);
    return sal_fail(err, SAL_BADINPUT,
                    "'%.200s' has no pose of body '%.80s' (%s%swanted are four columns that are a "
                    "quaternion, and three before them that are its place; or in any order, such "
                    "as root_x root_y root_z root_qx root_qy root_qz root_qw; or three angles and "
                    "its place, such as root_tx root_ty root_tz root_rx root_ry root_rz)",
                    c->s.source.path, sal_model_name(m, SAL_OBJ_BODY, m->jnt_bodyid[c->root]),
                    lies ? "it has as many rows as the model has positions: rows are instants, so "
                           "exchange rows and columns; "
                         : "",
                    turn);
}
