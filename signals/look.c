#include "signals/look.h"

#include "base/house.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number(const sig_signals *s, int row, int column)
{
    return s->value[(size_t)row * (size_t)s->ncol + (size_t)column];
}

/* ---- names ---- */

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool begins(const char *text, const char *part)
{
    size_t i = 0;
    while (part[i] != 0 && lower(text[i]) == part[i]) {
        i++;
    }
    return part[i] == 0;
}

bool sig_name_ends(const char *name, const char *ending)
{
    const size_t n = strlen(name), m = strlen(ending);
    return n >= m && begins(name + n - m, ending);
}

bool sig_name_has(const char *name, const char *part)
{
    for (const char *c = name; *c != 0; c++) {
        if (begins(c, part)) {
            return true;
        }
    }
    return false;
}

static bool has_any(const char *name, const char *const *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (sig_name_has(name, parts[i])) {
            return true;
        }
    }
    return false;
}

/* Names that angles of joints have, and rates, forces and lengths have not. */
static bool names_angle(const char *name)
{
    static const char *const angles[] = {
        "theta", "phi",   "psi",  "angle", "hip",     "knee",     "ankle",  "elbow", "shoulder",
        "wrist", "flex",  "rot",  "tilt",  "list",    "adduct",   "lumbar", "pos",   "joint",
        "yaw",   "pitch", "roll", "arm_",  "pro_sup", "subtalar", "mtp"};
    static const char *const others[] = {"dtheta", "vel",   "speed", "tau",   "torque",
                                         "moment", "force", "acc",   "omega", "current"};
    static const char *const lengths[] = {"_tx",      "_ty", "_tz", "tx/value", "ty/value",
                                          "tz/value", "_x",  "_y",  "_z",       "position"};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        if (sig_name_ends(name, lengths[i])) {
            return false;
        }
    }
    const bool numbered = lower(name[0]) == 'q' && name[1] >= '0' && name[1] <= '9';
    return (numbered || has_any(name, angles, sizeof angles / sizeof angles[0])) &&
           !has_any(name, others, sizeof others / sizeof others[0]);
}

/* ---- columns ---- */

static void look_at_column(const sig_signals *s, int k, sig_column_look *c)
{
    int last = -1;
    *c = (sig_column_look){.least = (double)NAN, .most = (double)NAN};
    for (int row = 0; row < s->nrow; row++) {
        const double x = number(s, row, k);
        if (isnan(x)) {
            c->missing++;
            continue;
        }
        if (last >= 0 && row - last - 1 > c->gap) {
            c->gap = row - last - 1;
        }
        last = row;
        c->least = fmin(c->least, x);
        c->most = fmax(c->most, x);
    }
}

/* Angles by their unit; by name and size where there is none. */
static void look_for_angle(const sig_signals *s, int k, sig_column_look *c)
{
    const char *unit = s->column[k].unit;
    const double size = fmax(-c->least, c->most);
    if (strcmp(unit, "deg") == 0 || strcmp(unit, "rad") == 0) {
        c->angle = unit[0] == 'd' ? SIG_ANGLE_DEGREES : SIG_ANGLE_RADIANS;
    } else if (unit[0] == 0 && k != s->time && !s->column[k].text && size > 0 &&
               names_angle(s->column[k].name)) {
        c->guess = true;
        c->angle = size < 6.6    ? SIG_ANGLE_RADIANS
                   : size < 31.5 ? SIG_ANGLE_OPEN
                                 : SIG_ANGLE_DEGREES;
    }
}

/* |q| = 1 in all rows in which there is a q, within what four digits make of it */
static void look_for_quaternion(const sig_signals *s, int k, sig_column_look *c)
{
    int count = 0;
    if (k + 4 > s->ncol ||
        (k > 0 &&
         (c[-1].quaternion || (k > 1 && (c[-2].quaternion || (k > 2 && c[-3].quaternion)))))) {
        return;
    }
    for (int row = 0; row < s->nrow; row++) {
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += number(s, row, k + i) * number(s, row, k + i);
        }
        if (fabs(sum - 1) > 2e-3) {
            return;
        }
        count += !isnan(sum);
    }
    if (count > 1) {
        const bool last = sig_name_ends(s->column[k + 3].name, "w");
        c->quaternion = last ? 2 : 1;
        for (int i = 0; i < 4; i++) {
            c[i].angle = SIG_ANGLE_NONE;
        }
    }
}

static bool ends_xyz(const sig_signals *s, int k, const char *stem)
{
    for (int i = 0; i < 3; i++) {
        char ending[8];
        snprintf(ending, sizeof ending, "%s%c", stem, "xyz"[i]);
        if (k + i >= s->ncol || !sig_name_ends(s->column[k + i].name, ending)) {
            return false;
        }
    }
    return true;
}

/* What is left of a name without the axis, the letter before it (v f p t m: what is measured) and
 * the words force, torque, moment: that of the plate, the same for all that one plate measures.
 *     1_ground_force_px, 1_ground_torque_x -> 1ground     ground_force_2_mx -> ground2 */
static void plate_of(const char *name, const char *stem, char *plate, size_t size)
{
    static const char *const words[] = {"force", "torque", "moment"};
    const size_t end = strlen(name) - 1 - strlen(stem);
    size_t n = 0;
    for (size_t i = 0; i < end && n + 1 < size;) {
        size_t skip = name[i] == '_';
        for (size_t k = 0; k < sizeof words / sizeof words[0] && skip == 0; k++) {
            skip = begins(name + i, words[k]) ? strlen(words[k]) : 0;
        }
        if (skip == 0) {
            plate[n++] = lower(name[i]);
        }
        i += skip == 0 ? 1 : skip;
    }
    plate[n] = 0;
}

/* Three columns NAME_(stem)x y z of the plate; with a word (NULL: any) in their names. -1: none */
static int find_of_plate(const sig_signals *s, const char *plate, const char *stem,
                         const char *word)
{
    char other[128];
    for (int k = 0; k + 2 < s->ncol; k++) {
        if (ends_xyz(s, k, stem) && (word == NULL || sig_name_has(s->column[k].name, word))) {
            plate_of(s->column[k].name, stem, other, sizeof other);
            if (strcmp(plate, other) == 0) {
                return k;
            }
        }
    }
    return -1;
}

/* NAME_vx vy vz px py pz as OpenSim writes them, NAME_fx ..; with a torque. Files write them plate
 * by plate, or the torques of all plates behind their forces: names say what belongs together. */
static void look_for_force(const sig_signals *s, int k, sig_column_look *c)
{
    static const struct {
        const char *stem, *word;
    } torques[] = {{"t", NULL}, {"m", NULL}, {"_", "torque"}, {"_", "moment"}};
    const bool plain = ends_xyz(s, k, "f");
    char plate[128];
    if (!plain && !(ends_xyz(s, k, "v") && sig_name_has(s->column[k].name, "force"))) {
        return;
    }
    plate_of(s->column[k].name, plain ? "f" : "v", plate, sizeof plate);
    c->force = 3;
    c->point = find_of_plate(s, plate, "p", NULL);
    c->torque = -1;
    for (size_t i = 0; i < sizeof torques / sizeof torques[0] && c->torque < 0; i++) {
        c->torque = find_of_plate(s, plate, torques[i].stem, torques[i].word);
    }
    c->force = c->point < 0 ? 3 : c->torque < 0 ? 6 : 9; /* a torque alone has no place */
}

int sig_find_plates(const sig_signals *s, sig_plate *plate, int most)
{
    int n = 0;
    for (int k = 0; k + 2 < s->ncol; k++) {
        sig_column_look c = {.point = -1, .torque = -1};
        look_for_force(s, k, &c);
        if (c.force > 0 && n < most) {
            plate[n] = (sig_plate){k, c.point, c.force == 9 ? c.torque : -1};
        }
        n += c.force > 0;
    }
    return n;
}

/* ---- times ---- */

static sal_status look_at_times(const sig_signals *s, sig_look *look, sal_err *err)
{
    const int n = s->nrow - 1;
    look->step = s->rate > 0 ? 1 / s->rate : 0;
    look->start = s->start;
    look->end = s->start + n * look->step;
    if (!look->timed) {
        return SAL_OK;
    }
    look->start = number(s, 0, s->time);
    look->end = number(s, n, s->time);
    if (n < 1) {
        return SAL_OK;
    }
    double *steps = sal_alloc((size_t)n, sizeof *steps);
    if (steps == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for times");
    }
    for (int i = 0; i < n; i++) {
        steps[i] = number(s, i + 1, s->time) - number(s, i, s->time);
    }
    sal_sort(steps, n);
    look->step = steps[n / 2];
    look->shortest = steps[0];
    look->longest = steps[n - 1];
    sal_free(steps);
    for (int i = n; i > 0; i--) {
        if (number(s, i, s->time) - number(s, i - 1, s->time) > 1.5 * look->step) {
            look->nlost++;
            look->lost = i;
        }
    }
    return SAL_OK;
}

/* ---- what is up ---- */

/* Of an axis of all markers: smallest and largest coordinate. */
static void span(const sig_signals *s, const sig_look *look, int axis, double *least, double *most)
{
    *least = *most = (double)NAN;
    for (int i = 0; i < s->nmarker; i++) {
        const sig_column_look *c = look->column + s->marker_column[i] + axis;
        *least = fmin(*least, c->least);
        *most = fmax(*most, c->most);
    }
}

/* Markers of a person stand above the floor, all of them, and none higher than a hand reaches:
 * along one axis only. */
static char guess_up(const sig_signals *s, const sig_look *look)
{
    char up = 0;
    const char *unit = s->nmarker > 0 ? s->column[s->marker_column[0]].unit : "";
    const double scale = strcmp(unit, "mm") == 0 ? 1e-3 : strcmp(unit, "cm") == 0 ? 1e-2 : 1;
    for (int axis = 0; axis < 3 && s->nmarker >= 3; axis++) {
        double least, most;
        span(s, look, axis, &least, &most);
        if (scale * least > -.1 && scale * most > .8 && scale * most < 2.7) {
            if (up != 0) {
                return 0;
            }
            up = (char)('x' + axis);
        }
    }
    return up;
}

/* ---- guesses ---- */

/* The names from column k on that share a verdict with it; returns the first beyond. */
static int list_angles(sal_text *names, const sig_signals *s, const sig_look *look, int k,
                       double *size)
{
    const sig_angle angle = look->column[k].angle;
    *size = 0;
    int n = 0;
    for (; k < s->ncol && look->column[k].guess && look->column[k].angle == angle; k++, n++) {
        if (n < 6) {
            sal_text_format(names, "%s%s", n == 0 ? "" : " ", s->column[k].name);
        }
        *size = fmax(*size, fmax(-look->column[k].least, look->column[k].most));
    }
    if (n > 6) {
        sal_text_format(names, " and %d more", n - 6);
    }
    return k;
}

static void guess_angles(sig_look *look, const sig_signals *s)
{
    static const char *const verdict[] = {[SIG_ANGLE_DEGREES] = "degrees?",
                                          [SIG_ANGLE_RADIANS] = "radians?",
                                          [SIG_ANGLE_OPEN] =
                                              "radians over several turns, or degrees?"};
    for (int k = 0; k < s->ncol;) {
        sal_text names = {0};
        double size;
        if (!look->column[k].guess || look->column[k].angle == SIG_ANGLE_NONE) {
            k++;
            continue;
        }
        const sig_angle angle = look->column[k].angle;
        k = list_angles(&names, s, look, k, &size);
        sal_text_format(&look->guess, "%s: values up to %.3g and no unit: %s\n",
                        names.failed ? "?" : names.data, size, verdict[angle]);
        look->guess.failed = look->guess.failed || names.failed;
        sal_text_clear(&names);
    }
}

/* Largest coordinate of a force's point; of rows in which there is a force, and of the others.
 * Small forces are none: plates drift. */
static void look_at_points(const sig_signals *s, int k, int point, double *loaded, double *idle)
{
    double largest = 0;
    *loaded = *idle = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int row = 0; row < s->nrow; row++) {
            double force = 0, size = 0;
            for (int i = 0; i < 3; i++) {
                force = fmax(force, fabs(number(s, row, k + i)));
                size = fmax(size, fabs(number(s, row, point + i)));
            }
            if (pass == 0) {
                largest = fmax(largest, force);
            } else {
                double *to = force > .05 * largest ? loaded : idle;
                *to = fmax(*to, size);
            }
        }
    }
}

static void guess_points(sig_look *look, const sig_signals *s, int k)
{
    double loaded, idle;
    const int point = look->column[k].point;
    const sig_column *name = s->column + point;
    look_at_points(s, k, point, &loaded, &idle);
    if (loaded > 20) {
        sal_text_format(&look->guess, "%s %s %s: points up to %.3g under load: mm?\n", name[0].name,
                        name[1].name, name[2].name, loaded);
    } else if (idle > 20) {
        sal_text_format(
            &look->guess,
            "%s %s %s: points up to %.3g where there is no force, up to %.3g under load: mean "
            "nothing without load?\n",
            name[0].name, name[1].name, name[2].name, idle, loaded);
    }
}

static void guess_groups(sig_look *look, const sig_signals *s)
{
    for (int k = 0; k < s->ncol; k++) {
        const sig_column_look *c = look->column + k;
        const sig_column *name = s->column + k;
        if (c->quaternion) {
            sal_text_format(&look->guess, "%s %s %s %s: a unit quaternion, w %s?\n", name[0].name,
                            name[1].name, name[2].name, name[3].name,
                            s->headless          ? "first or last"
                            : c->quaternion == 1 ? "first"
                                                 : "last");
        }
        if (c->force >= 6 && s->column[c->point].unit[0] == 0) {
            guess_points(look, s, k);
        }
    }
}

static void guess_time(sig_look *look, const sig_signals *s)
{
    if (s->time < 0) {
        if (s->rate <= 0) {
            sal_text_add(&look->guess, "no column is called time or t: say time= or rate=\n");
        }
        return;
    }
    if (look->timed && look->step >= .5 && s->column[s->time].unit[0] == 0) {
        sal_text_format(&look->guess, "%s advances by %.4g from row to row: ms?\n",
                        s->column[s->time].name, look->step);
    }
}

static void guess_axes(sig_look *look, const sig_signals *s)
{
    const char up = guess_up(s, look);
    if (s->up != 0) {
        return;
    }
    if (up == 'y' || up == 'z') {
        sal_text_format(&look->guess,
                        "all markers lie from the floor to a person's height along %c: up is %c?\n",
                        up, up);
    } else if (strcmp(s->format, "sto") == 0 || strcmp(s->format, "bvh") == 0) {
        sal_text_format(&look->guess, "%s: up is y?\n",
                        s->format[0] == 's' ? "in OpenSim, y usually points up"
                                            : "in this format, y usually points up");
    }
}

/* ---- all of it ---- */

sal_status sig_look_at(sig_look *look, const sig_signals *s, sal_diag *diag, sal_err *err)
{
    *look = (sig_look){0};
    look->column = sal_alloc((size_t)s->ncol, sizeof *look->column);
    look->jumps = sal_alloc((size_t)s->nmarker, sizeof *look->jumps);
    if (look->column == NULL || look->jumps == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d columns", s->ncol);
    }
    for (int k = 0; k < s->ncol; k++) {
        look_at_column(s, k, look->column + k);
        look_for_angle(s, k, look->column + k);
    }
    for (int k = 0; k < s->ncol; k++) {
        look_for_quaternion(s, k, look->column + k);
        look_for_force(s, k, look->column + k);
    }
    look->timed = s->time >= 0 && sig_check_time(s, s->time, diag);
    const sal_status status = look_at_times(s, look, err);
    for (int i = 0; i < s->nmarker; i++) {
        look->jumps[i] = sig_warn_jumps(s, i, diag);
    }
    guess_time(look, s);
    guess_angles(look, s);
    guess_groups(look, s);
    guess_axes(look, s);
    return look->guess.failed ? sal_fail(err, SAL_NOMEM, "out of memory") : status;
}

void sig_look_clear(sig_look *look)
{
    sal_free(look->column);
    sal_free(look->jumps);
    sal_text_clear(&look->guess);
    *look = (sig_look){0};
}
