/* follow_write.c: the problem in which a model follows a recording.
 *
 * The settings were chosen by trials with retargeted clips of a humanoid of 35 kg (walks, runs,
 * dances, fights, jumps, falls, 20 s each): 90 steps per second and contacts with a time constant
 * of two steps, so that feet sink little when they land; joints may differ by some degrees, so that
 * feet need not slide.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double RATE = 90; /* steps per second; a multiple of the recording's */
static const double RATE_LEAST = 80, RATE_MOST = 125;
static const double WHOLE = 2e-3; /* a rate that was asked may be a whole number so near */
static const double LOWPASS = 6, FILTERED = 15; /* Hz */
static const double BEYOND = 8e-3; /* samples: the motion may last a hundredth of one longer */
static const double HALF_TURN = 3.14159265358979323846;

/* How closely a recording is followed: sigma of the root (m, rad) and of a joint without noise
 * (rad, m), and weights of slip and impact of what touches the floor. One who falls or lies has
 * contacts at many places, and a recording that was retargeted has them wrong by centimetres. */
typedef struct closeness {
    double place, turn, joint, slip, impact;
} closeness;
static const closeness ON_FEET = {0.06, 0.15, 0.2, 80, 6}, LOW = {0.12, 0.2, 0.4, 16, 16};

static const double NOISY = 10;         /* of the noise of a joint is added to it */
static const double ACCELERATION = 200; /* rad/s^2, m/s^2 */
static const double EFFORT = 3;         /* limits that count as 1 */
static const double REST = 0.3;         /* rad, m: of a joint that was not recorded */
enum { FILE_COLUMN = 60 };

/* A whole number where 0.0167 s is asked for 1/60 s. */
double gde_asked_rate(const gde_clip *c)
{
    const double rate = 1 / c->request->timestep, whole = round(rate);
    return fabs(rate / whole - 1) < WHOLE ? whole : rate;
}

static double step_rate(const gde_clip *c)
{
    if (c->request->timestep > 0) {
        return gde_asked_rate(c);
    }
    const double multiple = c->rate * fmax(1, round(RATE / c->rate));
    return multiple >= RATE_LEAST && multiple <= RATE_MOST ? multiple : RATE;
}

/* Two steps, in hundredths of a millisecond, but not harder than was tried. */
double gde_clip_timeconst(const gde_clip *c)
{
    return fmax(ceil(2e5 / step_rate(c)) / 1e5, 2 / RATE_MOST);
}

/* What lands at v m/s sinks up to v T / e in a contact that is damped critically, with the time
 * constant T: two steps at least. */
void gde_note_timestep(gde_clip *c)
{
    static const double E = 2.71828182845904523536;
    const double h = c->request->timestep;
    if (h > 1 / RATE_LEAST) {
        gde_note(&c->draft,
                 "a time step of %.3g ms: what lands at 1 m/s sinks in by %.2g mm (with %g steps "
                 "per second %.2g mm)",
                 1e3 * h, 1e3 * 2 * h / E, RATE, 1e3 * 2 / RATE / E);
    }
}

double gde_clip_lowpass(const gde_clip *c)
{
    return c->rate > FILTERED ? LOWPASS : 0;
}

double gde_clip_resample(const gde_clip *c)
{
    return c->uneven ? c->rate : 0;
}

static closeness closeness_of(const gde_clip *c)
{
    return c->low ? LOW : ON_FEET;
}

static bool has_column(const gde_clip *c, int joint)
{
    return c->draft.m->jnt_type[joint] >= SAL_JNT_SLIDE && gde_clip_column(c, &c->how, joint) >= 0;
}

/* ---- the head ---- */

void gde_clip_head(const gde_draft *f, const char *clip, const char *model)
{
    sal_text_add(f->out,
                 "<!-- A motion that follows a recording and obeys physics. SI units, angles "
                 "in radians. 'saltus solve'\n     finds it. What was found in the "
                 "recording:\n");
    gde_write_opening(f, f->out, clip, model);
}

/* ---- the recording ---- */

static void write_pose(const gde_clip *c)
{
    const gde_draft *f = &c->draft;
    const sal_model *m = f->m;
    char text[GDE_NAME];
    sal_text_add(f->out, "    <channel name=\"root\"");
    gde_attribute(f->out, "body", gde_name(m, SAL_OBJ_BODY, m->jnt_bodyid[c->root], text));
    gde_words words = gde_words_begin(f->out, FILE_COLUMN, "columns");
    for (int i = 0; i < 3; i++) {
        gde_word(&words, c->s.column[c->place[i]].name);
    }
    for (int i = 0; i < 4; i++) {
        gde_word(&words, c->s.column[c->turn[c->how.w_last ? (i + 3) % 4 : i]].name);
    }
    gde_words_end(&words);
    if (c->how.unit != 1 && c->s.column[c->place[0]].unit[0] == 0) {
        gde_attribute(f->out, "units", gde_unit_name(c->how.unit));
    }
    sal_text_format(f->out, " sigma=\"%.3g %.3g\"/>\n", closeness_of(c).place,
                    closeness_of(c).turn);
}

/* Whether it is one of the slides and hinges that carry the robot. */
static bool carries(const gde_clip *c, int joint)
{
    const sal_model *m = c->draft.m;
    return c->base.body > 0 && m->jnt_bodyid[joint] == c->base.body;
}

/* sigma of a joint without noise */
static double still_sigma(const gde_clip *c, int joint)
{
    const closeness of = closeness_of(c);
    if (!carries(c, joint)) {
        return of.joint;
    }
    return c->draft.m->jnt_type[joint] == SAL_JNT_SLIDE ? of.place : of.turn;
}

/* More where it is noisy: sigma^2 = still^2 + (NOISY noise)^2 */
static double joint_sigma(const gde_clip *c, int joint)
{
    return hypot(still_sigma(c, joint), NOISY * c->noise[joint]);
}

/* Whether the angle of a hinge jumps by whole turns: no robot turns by half of one between two
 * samples. */
static bool jumps(const gde_clip *c, int joint)
{
    const int column = gde_clip_column(c, &c->how, joint);
    bool jumps = false;
    for (int row = 1; row < c->s.nrow && c->draft.m->jnt_type[joint] == SAL_JNT_HINGE; row++) {
        const double change =
            gde_clip_angle(c, &c->how, row, column) - gde_clip_angle(c, &c->how, row - 1, column);
        jumps = jumps || fabs(change) > HALF_TURN;
    }
    return jumps;
}

static void write_joint(const gde_clip *c, int joint)
{
    const gde_draft *f = &c->draft;
    const sal_model *m = f->m;
    char text[GDE_NAME];
    const sig_column *column = c->s.column + gde_clip_column(c, &c->how, joint);
    const char *name = gde_name(m, SAL_OBJ_JOINT, joint, text);
    sal_text_add(f->out, "    <channel");
    gde_attribute(f->out, "name", name[0] == '#' ? column->name : name);
    gde_attribute(f->out, "joint", name);
    gde_attribute(f->out, "columns", column->name);
    if (column->unit[0] == 0) {
        const bool hinge = m->jnt_type[joint] == SAL_JNT_HINGE;
        const char *unit = gde_unit(column, hinge ? NULL : name, hinge ? 'A' : 'L'),
                   *usual = c->how.degrees ? "deg" : "rad";
        if (hinge || unit[0] != 0) {
            gde_attribute(f->out, "units", unit[0] != 0 ? unit : usual);
        }
    }
    if (c->request->many ? m->jnt_type[joint] == SAL_JNT_HINGE : jumps(c, joint)) {
        gde_attribute(f->out, "unwrap", "true");
    }
    if (fabs(c->turns[joint]) > 0) {
        sal_text_format(f->out, " offset=\"%.12g\"", c->turns[joint]);
    }
    sal_text_format(f->out, " sigma=\"%.2g\"/>\n", joint_sigma(c, joint));
}

/* A ball, by the pose of its body. */
static void write_ball(const gde_clip *c, int joint)
{
    const sal_model *m = c->draft.m;
    sal_text *out = c->draft.out;
    char text[GDE_NAME];
    sal_text_add(out, "    <channel");
    gde_attribute(out, "name", gde_name(m, SAL_OBJ_JOINT, joint, text));
    gde_attribute(out, "body", gde_name(m, SAL_OBJ_BODY, m->jnt_bodyid[joint], text));
    gde_words words = gde_words_begin(out, FILE_COLUMN, "columns");
    for (int i = 0; i < 7; i++) {
        gde_word(&words, c->s.column[c->column[joint] + i].name);
    }
    gde_words_end(&words);
    sal_text_format(out, " sigma=\"%.3g %.3g\"/>\n", closeness_of(c).place, joint_sigma(c, joint));
}

static void write_data(const gde_clip *c, const char *clip)
{
    const gde_draft *f = &c->draft;
    const char up[2] = {c->how.up, 0};
    sal_text_add(f->out, "  <data");
    gde_attribute(f->out, "file", c->tabulated ? c->request->recording_name : clip);
    if (c->request->format != NULL && !c->tabulated) {
        gde_attribute(f->out, "format", c->request->format);
    }
    if (c->request->clip != NULL && !c->tabulated) {
        gde_attribute(f->out, "clip", c->request->clip);
    }
    if (c->s.time >= 0) {
        gde_attribute(f->out, "time", c->s.column[c->s.time].name);
    } else if (!(c->s.rate > 0)) {
        sal_text_format(f->out, " rate=\"%.9g\"", c->rate);
    }
    if (c->root >= 0) {
        gde_attribute(f->out, "up", up);
    }
    if (c->floor[0] != 0 || c->floor[1] != 0 || c->floor[2] != 0) {
        sal_text_format(f->out, " floor=\"%.9g %.9g %.9g\"", c->floor[0], c->floor[1], c->floor[2]);
    }
    gde_write_belt(c);
    if (c->uneven) {
        sal_text_format(f->out, " resample=\"%.9g\"", gde_clip_resample(c));
    }
    if (c->gap > 0) {
        sal_text_format(f->out, " gap=\"%.9g\"", c->gap);
    }
    sal_text_add(f->out, " onjump=\"drop\"");
    if (gde_clip_lowpass(c) > 0) {
        sal_text_format(f->out, " lowpass=\"%.3g\"", gde_clip_lowpass(c));
    }
    sal_text_add(f->out, ">\n");
    if (c->root >= 0) {
        write_pose(c);
    }
    for (int j = 0; j < f->m->njnt; j++) {
        if (has_column(c, j)) {
            write_joint(c, j);
        } else if (f->m->jnt_type[j] == SAL_JNT_BALL && c->column[j] >= 0) {
            write_ball(c, j);
        }
    }
    sal_text_add(f->out, "  </data>\n");
}

/* ---- the cost ---- */

static void write_smooth(const gde_clip *c)
{
    const gde_draft *f = &c->draft;
    char text[GDE_NAME];
    if (c->base.body > 0 && f->m->nv == c->base.ndof) {
        return; /* no joint but the root's */
    }
    sal_text_format(f->out, "    <term name=\"smooth\" of=\"acc\" sigma=\"%.3g\"", ACCELERATION);
    gde_words words = gde_words_begin(f->out, 42, "joint");
    for (int j = 0; j < f->m->njnt; j++) {
        if (f->m->jnt_type[j] != SAL_JNT_FREE && !carries(c, j)) {
            gde_word(&words, gde_name(f->m, SAL_OBJ_JOINT, j, text));
        }
    }
    gde_words_end(&words);
    sal_text_add(f->out, "/>  <!-- rad/s^2 -->\n");
}

void gde_write_unrecorded(const gde_clip *c, double sigma)
{
    const gde_draft *f = &c->draft;
    char text[GDE_NAME];
    if (c->nrest == 0) {
        return;
    }
    sal_text_format(f->out, "    <term name=\"rest\" sigma=\"%.3g\"", sigma);
    gde_words words = gde_words_begin(f->out, 34, "joint");
    for (int i = 0; i < c->nrest; i++) {
        gde_word(&words, gde_name(f->m, SAL_OBJ_JOINT, c->rests[i], text));
    }
    gde_words_end(&words);
    words = gde_words_begin(f->out, 12, "target");
    for (int i = 0; i < c->nrest; i++) {
        gde_number_word(&words, f->pose[f->m->jnt_qposadr[c->rests[i]]]);
    }
    gde_words_end(&words);
    sal_text_add(f->out, "/>\n");
}

static void write_floor_term(const gde_clip *c, const char *quantity, double weight,
                             const char *why)
{
    const gde_draft *f = &c->draft;
    sal_text_format(f->out, "    <term name=\"%s\" weight=\"%g\"", quantity, weight);
    gde_words words = gde_words_begin(f->out, 36, quantity);
    for (int i = 0; i < f->nfoot; i++) {
        const gde_foot *foot = f->foot + i;
        if (foot->heel > 0 && c->stands[foot->heel]) {
            gde_body_words(f, &words, foot->heel);
        }
        if (c->stands[foot->body]) {
            gde_body_words(f, &words, foot->body);
        }
    }
    for (int b = 1; b < f->m->nbody; b++) {
        if (c->touches[b] && c->stands[b]) {
            gde_body_words(f, &words, b);
        }
    }
    gde_words_end(&words);
    sal_text_format(f->out, "/>  <!-- %s -->\n", why);
}

static void write_cost(gde_clip *c)
{
    gde_draft *f = &c->draft;
    sal_text_add(f->out, "  <cost>\n    <term name=\"clip\" data=\"all\"/>\n");
    gde_write_unrecorded(c, REST);
    if (f->m->nu > 0) {
        sal_text_format(f->out,
                        "    <!-- force (N) or torque (N m) over %g times what the actuator can "
                        "give -->\n",
                        EFFORT);
        for (int i = 0; i < f->m->nu; i++) {
            f->limit[i] *= EFFORT;
        }
        gde_write_forces(f, f->limit);
    }
    write_smooth(c);
    if (c->nstand > 0) {
        write_floor_term(c, "slip", closeness_of(c).slip,
                         "what is near the floor stands still, m/s");
        write_floor_term(c, "impact", closeness_of(c).impact, "and lands gently, m/s");
    }
    sal_text_add(f->out, "  </cost>\n");
}

/* ---- the problem ---- */

static void list_missing(gde_clip *c)
{
    c->nrest = 0;
    for (int i = 0; i < c->nscalar; i++) {
        if (!has_column(c, c->by_branch[i])) {
            c->rests[c->nrest++] = c->by_branch[i];
        }
    }
}

void gde_note_unrecorded(gde_clip *c)
{
    enum { SHOWN = 6 };
    char text[GDE_NAME];
    sal_text list = {0};
    const int n = c->nrest;
    for (int i = 0; i < n && i < SHOWN; i++) {
        sal_text_format(&list, "%s'%s'", i > 0 ? ", " : "",
                        gde_name(c->draft.m, SAL_OBJ_JOINT, c->rests[i], text));
    }
    if (n > 0) {
        gde_note(&c->draft, "%d joint%s not in the recording and stay%s near home: %s%s", n,
                 n == 1 ? " is" : "s are", n == 1 ? "s" : "", list.data == NULL ? "" : list.data,
                 n > SHOWN ? " .." : "");
    }
    sal_text_clear(&list);
}

static void note_noise(gde_clip *c)
{
    char text[GDE_NAME];
    for (int j = 0; j < c->draft.m->njnt; j++) {
        if (has_column(c, j) && NOISY * c->noise[j] > still_sigma(c, j)) {
            gde_note(&c->draft, "joint '%s' is noisy (%.2g): it is followed less closely",
                     gde_name(c->draft.m, SAL_OBJ_JOINT, j, text), c->noise[j]);
        }
    }
}

/* Where joints were not recorded the first guess has them at home, too. */
static void write_init(const gde_clip *c)
{
    sal_text_add(c->draft.out, "  <init data=\"all\"");
    if (c->nrest > 0 && c->draft.key >= 0) {
        sal_text_format(c->draft.out, " key=\"#%d\"", c->draft.key);
    }
    sal_text_add(c->draft.out, "/>\n");
}

void gde_clip_write(gde_clip *c, const char *clip, const char *model)
{
    gde_draft *f = &c->draft;
    const double rate = step_rate(c);
    c->nstep = (int)floor(c->seconds * rate + fmin(5e-3, BEYOND * rate / c->rate));
    c->duration = c->nstep / rate;
    list_missing(c);
    gde_note_unrecorded(c);
    note_noise(c);
    gde_note_timestep(c);
    gde_clip_gaps(c);
    gde_clip_head(f, clip, model);
    write_data(c, clip);
    sal_text_format(f->out,
                    "  <time nstep=\"%d\" duration=\"%.9g\"/>\n  <boundary type=\"open\"/>\n",
                    c->nstep, c->duration);
    write_cost(c);
    gde_write_apart(c);
    if (c->base.body > 0) {
        sal_text_add(f->out, "  <require penetration=\"0.025\" slip=\"0.1\"/>  <!-- m, m/s -->\n");
    }
    write_init(c);
    sal_text_format(f->out,
                    "  <solver>\n    <smoothing width=\"0.15 0.004\" "
                    "dmax=\"0.8 0.98\" timeconst=\"0.05 %.4g\" impratio=\"1 1\"/>\n  </solver>\n"
                    "</problem>\n",
                    gde_clip_timeconst(c));
}
