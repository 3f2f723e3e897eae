/* follow_angles.c: the pose of the root by the names of its columns; a rotation that is recorded as
 * three angles.
 *
 * Columns NAMEw NAMEx NAMEy NAMEz are a quaternion, wherever they stand, if a place has a name that
 * goes with theirs. The columns of angles share what stands before these endings (in any case of
 * letters, with a path before and /value behind), and a place does so, too, or stands beside them:
 *
 *     tilt list rotation    about z, x, y in this order, y up     OpenSim's pelvis
 *     roll pitch yaw        yaw about z, then pitch about y, then roll about x; where y is up, yaw
 *                           about y, then pitch about z, then roll about x
 *     rx ry rz, rot_x ..    about x, y, z, in an order that only the motion can tell
 *
 * The angles a_1 a_2 a_3 in their order make the rotation R_1(a_1) R_2(a_2) R_3(a_3), each about an
 * axis of the body as the ones before have turned it. Where y is up, the axes of the body are those
 * of the model, or are renamed as those of the world are.
 *
 * Or they are a rotation vector: rows of an array `frames` are, in programs that train characters,
 * a place, such a vector and the joints.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Which of three columns turns first, second, third. */
static const int sequences[GDE_SEQUENCES][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
enum { AS_NAMED = 0, BACKWARDS = 5 };

typedef struct pattern {
    const char *ending[3], *about[2];
    int sequence;
    char up;
} pattern;

static const pattern patterns[] = {
    {{"tilt", "list", "rotation"}, {"zxy", "zxy"}, AS_NAMED, 'y'},
    {{"roll", "pitch", "yaw"}, {"xyz", "xzy"}, BACKWARDS, 0},
    {{"rpy0", "rpy1", "rpy2"}, {"xyz", "xzy"}, BACKWARDS, 0},
    {{"rotationx", "rotationy", "rotationz"}, {"xyz", "xyz"}, -1, 0},
    {{"xrotation", "yrotation", "zrotation"}, {"xyz", "xyz"}, -1, 0},
    {{"eulerx", "eulery", "eulerz"}, {"xyz", "xyz"}, -1, 0},
    {{"euler0", "euler1", "euler2"}, {"xyz", "xyz"}, -1, 0},
    {{"anglex", "angley", "anglez"}, {"xyz", "xyz"}, -1, 0},
    {{"rotx", "roty", "rotz"}, {"xyz", "xyz"}, -1, 0},
    {{"rx", "ry", "rz"}, {"xyz", "xyz"}, -1, 0},
};

static const char *const places[][3] = {
    {"tx", "ty", "tz"},
    {"posx", "posy", "posz"},
    {"positionx", "positiony", "positionz"},
    {"transx", "transy", "transz"},
    {"translationx", "translationy", "translationz"},
    {"translatex", "translatey", "translatez"},
    {"px", "py", "pz"},
    {"x", "y", "z"},
    {"pos0", "pos1", "pos2"},
    {"trans0", "trans1", "trans2"},
};

/* ---- which columns ---- */

static bool is_free(const gde_clip *c, int column)
{
    bool taken = c->s.column[column].text || column == c->s.time;
    for (int j = 0; j < c->draft.m->njnt; j++) {
        taken = taken || c->column[j] == column;
    }
    return !taken;
}

/* A column of this name that is no joint's, perhaps with a unit of length behind it; -1: none. */
static int free_column(const gde_clip *c, const char *stem, const char *ending)
{
    char name[GDE_WORD], bare[GDE_WORD], wanted[2 * GDE_WORD];
    int with_unit = -1;
    snprintf(wanted, sizeof wanted, "%s%s", stem, ending);
    for (int k = 0; k < c->s.ncol; k++) {
        gde_simplify(c->s.column[k].name, name);
        if (strcmp(name, wanted) == 0 && is_free(c, k)) {
            return k;
        }
        if (with_unit < 0 && gde_strip_unit(c->s.column[k].name, 'L', bare)) {
            gde_simplify(bare, name);
            with_unit = strcmp(name, wanted) == 0 && is_free(c, k) ? k : -1;
        }
    }
    return with_unit;
}

/* Three columns STEM and these endings. */
static bool find_three(const gde_clip *c, const char *stem, const char *const ending[3], int out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = free_column(c, stem, ending[i]);
        if (out[i] < 0) {
            return false;
        }
    }
    return true;
}

static bool has_word(const char *stem, const char *name)
{
    char word[GDE_WORD];
    gde_simplify(name, word);
    return word[0] != 0 && strstr(stem, word) != NULL;
}

/* Whether this may be the root: it has no name, or one that says so. */
static bool names_root(const gde_clip *c, const char *stem)
{
    static const char *const words[] = {"root", "base", "pelvis", "torso", "trunk", "hips", "body"};
    const sal_model *m = c->draft.m;
    bool root = stem[0] == 0 || has_word(stem, sal_model_name(m, SAL_OBJ_JOINT, c->root)) ||
                has_word(stem, sal_model_name(m, SAL_OBJ_BODY, m->jnt_bodyid[c->root]));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        root = root || strstr(stem, words[i]) != NULL;
    }
    return root;
}

/* Columns of one name, or if this may be the root, those without a name or the root's. */
static bool find_named_place(gde_clip *c, const char *stem)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (find_three(c, stem, places[i], c->place)) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0] && names_root(c, stem); i++) {
        if (find_three(c, "", places[i], c->place) || find_three(c, "root", places[i], c->place)) {
            return true;
        }
    }
    return false;
}

/* By name; else the three before the angles or behind them, if these stand together. */
static bool find_place(gde_clip *c, const char *stem)
{
    const int *at = c->angles.column;
    if (find_named_place(c, stem)) {
        return true;
    }
    const int first =
        at[0] < at[1] ? (at[0] < at[2] ? at[0] : at[2]) : (at[1] < at[2] ? at[1] : at[2]);
    const bool together = at[0] + at[1] + at[2] == 3 * first + 3;
    const int before = c->s.time == 0 ? 4 : 3;
    const int place = first >= before ? first - 3 : first + 6 <= c->s.ncol ? first + 3 : -1;
    for (int i = 0; i < 3; i++) {
        c->place[i] = place + i;
    }
    return together && place >= 0 && names_root(c, stem);
}

/* In the order of the file, where the names do not tell in which order they turn. */
static void sort_axes(gde_angles *a)
{
    for (int k = 0; k < 3; k++) {
        const int i = k % 2; /* 0, 1, 0: enough for three */
        if (a->column[i] > a->column[i + 1]) {
            const int column = a->column[i];
            a->column[i] = a->column[i + 1], a->column[i + 1] = column;
            for (int up = 0; up < 2; up++) {
                const char axis = a->about[up][i];
                a->about[up][i] = a->about[up][i + 1], a->about[up][i + 1] = axis;
            }
        }
    }
}

static bool take(gde_clip *c, const pattern *p, const char *stem)
{
    gde_angles *a = &c->angles;
    if (!find_three(c, stem, p->ending, a->column) || !find_place(c, stem)) {
        a->column[0] = c->place[0] = -1;
        return false;
    }
    a->sequence = p->sequence;
    a->up = p->up;
    for (int i = 0; i < 2; i++) {
        snprintf(a->about[i], sizeof a->about[i], "%s", p->about[i]);
    }
    if (p->sequence < 0) {
        sort_axes(a);
    }
    return true;
}

bool gde_find_angles(gde_clip *c)
{
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        const pattern *p = patterns + i;
        const size_t n = strlen(p->ending[0]);
        for (int k = 0; k < c->s.ncol; k++) {
            char stem[GDE_WORD];
            gde_simplify(c->s.column[k].name, stem);
            const size_t length = strlen(stem);
            if (length < n || strcmp(stem + length - n, p->ending[0]) != 0) {
                continue;
            }
            stem[length - n] = 0;
            if (take(c, p, stem)) {
                return true;
            }
        }
    }
    return false;
}

bool gde_find_vector(gde_clip *c)
{
    static const char name[] = "frames";
    const sig_signals *s = &c->s;
    for (int k = 0, n; k < s->ncol; k += n) {
        char word[GDE_WORD];
        n = gde_array_at(s, k);
        gde_simplify(s->column[k].name, word);
        if (n != 6 + c->nscalar || strncmp(word, name, strlen(name)) != 0) {
            continue;
        }
        c->angles = (gde_angles){.about = {"xyz", "xyz"}, .sequence = AS_NAMED, .vector = true};
        for (int i = 0; i < 3; i++) {
            c->place[i] = k + i;
            c->angles.column[i] = k + 3 + i;
        }
        return true;
    }
    return false;
}

/* The name without what says that it is a rotation. */
static void strip_turn(char *stem)
{
    static const char *const endings[] = {"quaternion", "quat", "orientation", "rotation", "rotate",
                                          "rot",        "orn",  "q",           "r"};
    const size_t length = strlen(stem);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t n = strlen(endings[i]);
        if (length >= n && strcmp(stem + length - n, endings[i]) == 0) {
            stem[length - n] = 0;
            return;
        }
    }
}

/* x y z w as they follow each other in the file, else w x y z. */
static void set_turn(gde_clip *c, int w, const int vector[3])
{
    const bool last =
        vector[1] == vector[0] + 1 && vector[2] == vector[0] + 2 && w == vector[2] + 1;
    for (int i = 0; i < 3; i++) {
        c->turn[last ? i : i + 1] = vector[i];
    }
    c->turn[last ? 3 : 0] = w;
    c->named_order = last ? 2 : 1;
}

bool gde_find_named_turn(gde_clip *c)
{
    static const char *const axes[3] = {"x", "y", "z"};
    for (int k = 0; k < c->s.ncol; k++) {
        char stem[GDE_WORD];
        int vector[3];
        gde_simplify(c->s.column[k].name, stem);
        const size_t length = strlen(stem);
        if (length == 0 || stem[length - 1] != 'w' || k == c->s.time) {
            continue;
        }
        stem[length - 1] = 0;
        if (!find_three(c, stem, axes, vector)) {
            continue;
        }
        strip_turn(stem);
        if (names_root(c, stem) && find_named_place(c, stem) && c->place[0] != vector[0]) {
            set_turn(c, k, vector);
            return true;
        }
    }
    c->place[0] = -1;
    return false;
}

/* ---- what they mean ---- */

bool gde_angles_reading(const gde_clip *c, int i, gde_reading *how)
{
    const gde_angles *a = &c->angles;
    const bool up = a->up == 0 || a->up == how->up, named = a->sequence >= 0;
    how->sequence = i % GDE_SEQUENCES;
    how->renamed = i >= GDE_SEQUENCES;
    return up && (!named || how->sequence == a->sequence) && (how->up == 'y' || !how->renamed);
}

bool gde_angles_in_order(const gde_clip *c, const gde_reading *how)
{
    return c->angles.column[0] < 0 || c->angles.sequence >= 0 || how->sequence == AS_NAMED;
}

/* R_1(a_1) R_2(a_2) R_3(a_3), of the angles in the order of their columns */
static void turn_in_order(const gde_clip *c, const gde_reading *how, const double angle[3],
                          double r[4])
{
    const char *about = c->angles.about[how->up == 'y'];
    const double none[4] = {1, 0, 0, 0};
    double next[4], so_far[4];
    sal_quat_copy(r, none);
    for (int i = 0; i < 3; i++) {
        const int which = sequences[how->sequence][i];
        const double axis[3] = {about[which] == 'x', about[which] == 'y', about[which] == 'z'};
        sal_quat_axisangle(next, axis, angle[which]);
        sal_quat_copy(so_far, r);
        sal_quat_mul(r, so_far, next);
    }
}

void gde_angles_turn(const gde_clip *c, const gde_reading *how, int row, double turn[4])
{
    double angle[3], r[4];
    for (int i = 0; i < 3; i++) {
        angle[i] = gde_clip_angle(c, how, row, c->angles.column[i]);
    }
    if (c->angles.vector) {
        sal_quat_exp(r, angle);
    } else {
        turn_in_order(c, how, angle, r);
    }
    sal_quat_copy(turn, r);
    gde_turn_up(how, turn);
}

void gde_angles_order(const gde_clip *c, const gde_reading *how, char out[8])
{
    const char *about = c->angles.about[how->up == 'y'];
    const int *order = sequences[how->sequence];
    snprintf(out, 8, "%c, %c, %c", about[order[0]], about[order[1]], about[order[2]]);
}
