/* draft_gait.c: a cycle that travels: walk, run, trot, pace, bound, hop.
 *
 *     period       P sqrt(l/g) (|v|/v0)^-1/2, v0 = F sqrt(g l), the ratio within .5 and 3
 *     foot i       swings for the share 1 - duty of the cycle, beginning at the share phase_i of
 *                  it; its height is h_i + c sin(pi s) during its swing, s from 0 to 1, else h_i
 *     mirror       a half cycle, if the model is its own mirror image and the two sides are half a
 *                  cycle apart
 *
 * The heights guide the search while contact is soft: without them nothing tells a trot from a
 * pace. Their weight falls when contact hardens, so that what is best for the model remains.
 */
#include "base/house.h"
#include "guide/draft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
enum { WHOLE_STEPS = 48, HALF_STEPS = 24, KNOTS = 8 };

typedef struct gait {
    gde_draft *f;
    gde_pattern pattern;
    double duty, speed, period, lift, ahead[2];
    bool mirrored;
} gait;

/* ---- when which foot swings ---- */

/* How many feet of the same side are further behind. */
static int rank_of(const gde_draft *f, int i, const double ahead[2])
{
    int rank = 0;
    for (int k = 0; k < f->nfoot; k++) {
        const double *a = f->foot[i].centre, *b = f->foot[k].centre;
        rank += f->foot[k].side == f->foot[i].side &&
                ahead[0] * (b[0] - a[0]) + ahead[1] * (b[1] - a[1]) < 0;
    }
    return rank;
}

/* Share of the cycle at which the foot's swing begins. */
static double phase_of(const gait *g, int i)
{
    const gde_foot *foot = g->f->foot + i;
    const bool right = foot->side<0, front = foot->end> 0;
    switch (g->pattern) {
    case GDE_SIDES:
        return g->f->nfoot > 4 ? 0.5 * ((rank_of(g->f, i, g->f->facing) + right) % 2) : 0.5 * right;
    case GDE_DIAGONALS:
        return 0.5 * (right == front);
    case GDE_ENDS:
        return 0.5 * !front;
    case GDE_IN_TURN: /* a lateral sequence: each hind foot before the front foot of its side */
        return 0.5 * right + 0.25 * front;
    case GDE_TOGETHER:
        break;
    }
    return 0;
}

/* How far into its swing a foot is raised at a share of the cycle: 0 .. 1 */
static double raised(const gait *g, double phase, double share)
{
    const double at = share - phase - floor(share - phase), swing = 1 - g->duty;
    return at < swing ? sin(PI * at / swing) : 0;
}

/* ---- the figures ---- */

static gait gait_of(gde_draft *f)
{
    const sal_draft_request *r = f->request;
    const gde_task *task = f->task;
    const bool turn = !isnan(r->turn), four = f->nfoot == 4 && strcmp(task->name, "walk") == 0;
    gait g = {.f = f, .pattern = four ? GDE_IN_TURN : task->pattern};
    const double usual = task->speed * sqrt(9.81 * f->leg);
    g.speed = isnan(r->speed) ? gde_rounded(usual) : r->speed;
    g.duty = four ? 0.75 : task->duty;
    g.lift = task->lift * f->leg;
    g.period = task->period * sqrt(f->leg / 9.81) / sqrt(fmin(fmax(fabs(g.speed) / usual, 0.5), 3));
    const bool asked = !isnan(r->direction[0]);
    g.ahead[0] = asked ? r->direction[0] : f->facing[0];
    g.ahead[1] = asked ? r->direction[1] : f->facing[1];
    const bool apart = g.pattern == GDE_SIDES || g.pattern == GDE_DIAGONALS || four;
    if (apart && !turn && g.ahead[1] == 0) {
        gde_find_mirror(f, g.ahead);
    }
    g.mirrored = f->mirrored;
    return g;
}

static double share_of(const gait *g)
{
    return g->mirrored ? 0.5 : 1;
}

/* s: of what the file describes, the cycle or its half. */
static double duration_of(const gait *g)
{
    const double asked = g->f->request->seconds;
    return isnan(asked) ? gde_rounded(g->period * share_of(g)) : asked * share_of(g);
}

/* ---- writing ---- */

/* The body's axis that is up as it stands, for a body that may turn about it. */
static void write_up_sensor(const gait *g)
{
    const gde_draft *f = g->f;
    const double *R = f->d->xmat + 9 * f->root;
    char text[GDE_NAME];
    int up = 2;
    for (int k = 0; k < 2; k++) {
        up = fabs(R[6 + k]) > fabs(R[6 + up]) ? k : up;
    }
    if (isnan(f->request->turn)) {
        return;
    }
    sal_text_format(f->out,
                    "  <sensor>  <!-- the root's axis that is vertical as it stands -->\n"
                    "    <frame%caxis name=\"root_up\" objtype=\"xbody\"",
                    "xyz"[up]);
    gde_attribute(f->out, "objname", gde_name(f->m, SAL_OBJ_BODY, f->root, text));
    sal_text_add(f->out, "/>\n  </sensor>\n");
}

/* "FL FR; RL RR" */
static void write_mirror(const gde_draft *f)
{
    const char *left = f->left, *right = f->right, *before = "";
    sal_text_add(f->out, " mirror=\"");
    while (*left != 0) {
        const int nleft = (int)strcspn(left, " "), nright = (int)strcspn(right, " ");
        sal_text_format(f->out, "%s%.*s %.*s", before, nleft, left, nright, right);
        left += nleft + (left[nleft] == ' ');
        right += nright + (right[nright] == ' ');
        before = "; ";
    }
    sal_text_add(f->out, "\"");
}

static void write_travel(const gait *g)
{
    const gde_draft *f = g->f;
    const double turn = f->request->turn;
    char text[GDE_NAME];
    sal_text_add(f->out, "    <travel");
    gde_attribute(f->out, "joint", gde_name(f->m, SAL_OBJ_JOINT, f->travel, text));
    if (f->m->jnt_type[f->travel] == SAL_JNT_FREE) {
        sal_text_format(f->out, " direction=\"%.4g %.4g\"", g->ahead[0], g->ahead[1]);
    }
    sal_text_format(f->out, " speed=\"%.9g\"", g->speed);
    if (!isnan(turn)) {
        sal_text_format(f->out, " turn=\"%.9g\"", turn * duration_of(g));
    }
    sal_text_format(f->out, "/>  <!-- m/s%s; %s -->\n", isnan(turn) ? "" : ", rad in each cycle",
                    !isnan(f->request->direction[0]) ? "in the direction asked for"
                    : f->facing_known                ? "the way it faces, by its left and right"
                                                     : "nothing tells where it faces: along x");
}

static void write_boundary(const gait *g)
{
    gde_draft *f = g->f;
    gde_write_seconds(f, g->mirrored ? HALF_STEPS : WHOLE_STEPS, duration_of(g),
                      isnan(f->request->turn));
    sal_text_add(f->out, "  <boundary type=\"cycle\"");
    if (g->mirrored) {
        write_mirror(f);
    }
    sal_text_format(f->out, ">  <!-- %s -->\n",
                    g->mirrored ? "half a cycle; the other half is its mirror image"
                                : "a whole cycle");
    write_travel(g);
    sal_text_add(f->out, "  </boundary>\n");
}

/* One term for the feet that swing together. */
static void write_swing(const gait *g, double phase, int number)
{
    const gde_draft *f = g->f;
    const double weight = gde_rounded(1 / (g->lift * g->lift)), duration = duration_of(g);
    char text[GDE_NAME];
    sal_text_format(f->out, "    <term name=\"swing_%d\" softweight=\"%.9g\" weight=\"%.9g\"",
                    number, 2 * weight, f->task->flight ? gde_rounded(0.1 * weight) : weight);
    gde_words words = gde_words_begin(f->out, 60, "height");
    for (int i = 0; i < f->nfoot; i++) {
        if (phase_of(g, i) == phase) {
            gde_word(&words, gde_name(f->m, SAL_OBJ_GEOM, f->foot[i].geom, text));
        }
    }
    gde_words_end(&words);
    sal_text_add(f->out, "\n         ");
    words = gde_words_begin(f->out, 9, "times");
    for (int k = 0; k <= KNOTS; k++) {
        gde_number_word(&words, duration * k / KNOTS);
    }
    gde_words_end(&words);
    sal_text_add(f->out, "\n         ");
    words = gde_words_begin(f->out, 9, "target");
    for (int k = 0; k <= KNOTS; k++) {
        for (int i = 0; i < f->nfoot; i++) {
            const double up = raised(g, phase, share_of(g) * k / KNOTS);
            if (phase_of(g, i) == phase) {
                gde_number_word(&words, f->foot[i].height + g->lift * up);
            }
        }
    }
    gde_words_end(&words);
    sal_text_add(f->out, "/>\n");
}

static void write_swings(const gait *g)
{
    const gde_draft *f = g->f;
    int number = 0;
    sal_text_format(f->out,
                    "    <!-- which feet swing when, m over the floor: a guide, strongest while "
                    "contacts are soft; a step is\n         %.2g m high, and a foot stands for "
                    "%.0f %% of the cycle -->\n",
                    g->lift, 100 * g->duty);
    for (int quarter = 0; quarter < 4; quarter++) {
        for (int i = 0; i < f->nfoot; i++) {
            if (phase_of(g, i) == 0.25 * quarter) {
                write_swing(g, 0.25 * quarter, ++number);
                break;
            }
        }
    }
}

/* The root stays at the height at which it stands. */
static void write_carry(const gait *g)
{
    const gde_draft *f = g->f;
    const double scale = 0.17 * f->leg, weight = gde_rounded(0.2 / (scale * scale));
    char text[GDE_NAME];
    sal_text_add(f->out, "    <term name=\"carry\"");
    gde_attribute(f->out, "position", gde_name(f->m, SAL_OBJ_BODY, f->root, text));
    sal_text_format(f->out,
                    " component=\"z\" target=\"%.4g\" softweight=\"%.9g\" weight=\"%.9g\"/>  <!-- "
                    "m: as it stands -->\n",
                    f->d->xpos[3 * f->root + 2], 10 * weight, weight);
}

/* A foot's body, or its lowest geom where the name of the body does not tell; and its y. */
static const char *place_of(const gde_draft *f, const gde_foot *foot, double *y, char *text)
{
    const sal_model *m = f->m;
    gde_name(m, SAL_OBJ_BODY, foot->body, text);
    if (text[0] != '#' && sal_model_find(m, SAL_OBJ_GEOM, text) < 0 &&
        sal_model_find(m, SAL_OBJ_SITE, text) < 0) {
        *y = f->d->xpos[3 * foot->body + 1];
        return text;
    }
    *y = foot->centre[1];
    return gde_name(m, SAL_OBJ_GEOM, foot->geom, text);
}

/* The feet of two legs stay on their own side of the path, so that the legs do not cross. */
static void write_track(const gait *g)
{
    const gde_draft *f = g->f;
    char text[2][GDE_NAME];
    double y[2] = {0, 0};
    const bool along_x = g->ahead[1] == 0 && f->m->jnt_type[f->travel] == SAL_JNT_FREE;
    for (int i = 0; i < f->nfoot && f->nfoot == 2; i++) {
        place_of(f, f->foot + i, &y[i], text[i]);
    }
    if (!along_x || !isnan(f->request->turn) || fabs(y[0] - y[1]) < 0.02 * f->leg) {
        return;
    }
    const double weight = gde_rounded(1 / (0.17 * f->leg * 0.17 * f->leg));
    sal_text_add(f->out, "    <term name=\"track\" component=\"1 4\"");
    gde_words words = gde_words_begin(f->out, 35, "position");
    for (int i = 0; i < 2; i++) {
        gde_word(&words, text[i]);
    }
    gde_words_end(&words);
    words = gde_words_begin(f->out, 70, "target");
    for (int i = 0; i < 2; i++) {
        gde_number_word(&words, y[i]);
    }
    gde_words_end(&words);
    sal_text_format(f->out, " weight=\"%.9g\"/>  <!-- m: y of each foot -->\n", weight);
}

void gde_write_gait(gde_draft *f)
{
    gde_lay_props_behind(f);
    const gait g = gait_of(f);
    write_up_sensor(&g);
    write_boundary(&g);
    sal_text_add(f->out, "  <cost>\n");
    gde_write_effort(f);
    gde_write_upright(f, "weight=\"1\"");
    write_carry(&g);
    gde_write_posture(f, "softweight=\"1\" weight=\"0.1\"");
    write_track(&g);
    write_swings(&g);
    gde_write_feet(f);
    sal_text_add(f->out, "  </cost>\n");
    gde_write_require(f);
    gde_write_init(f, 8);
    gde_write_smoothing(f);
}
