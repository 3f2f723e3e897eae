/* draft_terms.c: lines that several tasks have. */
#include "base/house.h"
#include "guide/draft.h"
#include "problems/root.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINTS_MAX = 8 };

/* ---- the root stays as it stands ---- */

/* The root's hinges, where it is made of slides and hinges. */
static void write_upright_hinges(const gde_draft *f, const char *weight)
{
    const sal_model *m = f->m;
    char text[GDE_NAME];
    gde_words words = {0};
    for (int pass = 0; pass < 2; pass++) {
        words.n = 0;
        for (int k = 0; k < m->body_jntnum[f->root]; k++) {
            const int j = m->body_jntadr[f->root] + k;
            if (m->jnt_type[j] != SAL_JNT_HINGE || prb_is_actuated(m, j)) {
                continue;
            }
            if (words.n == 0) {
                sal_text_add(f->out, pass == 0 ? "    <term name=\"upright\"" : "");
                words = gde_words_begin(f->out, 30, pass == 0 ? "joint" : "target");
            }
            if (pass == 0) {
                gde_word(&words, gde_name(m, SAL_OBJ_JOINT, j, text));
            } else {
                gde_number_word(&words, f->pose[m->jnt_qposadr[j]]);
            }
        }
        if (words.n == 0) {
            return;
        }
        gde_words_end(&words);
    }
    sal_text_format(f->out, " %s/>  <!-- rad -->\n", weight);
}

void gde_write_upright(const gde_draft *f, const char *weight)
{
    const sal_model *m = f->m;
    char text[GDE_NAME];
    if (f->travel < 0) {
        return;
    }
    if (m->jnt_type[f->travel] != SAL_JNT_FREE) {
        write_upright_hinges(f, weight);
        return;
    }
    if (!isnan(f->request->turn)) { /* only the direction that is up: it may turn about it */
        sal_text_format(f->out,
                        "    <term name=\"upright\" sensor=\"root_up\" target=\"0 0 1\" "
                        "%s/>\n",
                        weight);
        return;
    }
    const double *q = f->d->xquat + 4 * f->root;
    sal_text_add(f->out, "    <term name=\"upright\"");
    gde_attribute(f->out, "orientation", gde_name(m, SAL_OBJ_BODY, f->root, text));
    sal_text_format(f->out, " target=\"%.4g %.4g %.4g %.4g\" %s/>  <!-- rad: as it stands -->\n",
                    q[0] + 0.0, q[1] + 0.0, q[2] + 0.0, q[3] + 0.0, weight);
}

/* Hinges and slides that actuators move, near the pose. */
void gde_write_posture(const gde_draft *f, const char *weight)
{
    const sal_model *m = f->m;
    char text[GDE_NAME];
    gde_words words = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0, first = 1; j < m->njnt; j++) {
            if (m->jnt_type[j] < SAL_JNT_SLIDE || !prb_is_actuated(m, j)) {
                continue;
            }
            if (first) {
                sal_text_add(f->out, pass == 0 ? "    <term name=\"posture\"" : "\n        ");
                words = gde_words_begin(f->out, pass == 0 ? 25 : 8, pass == 0 ? "joint" : "target");
                first = 0;
            }
            if (pass == 0) {
                gde_word(&words, gde_name(m, SAL_OBJ_JOINT, j, text));
            } else {
                gde_number_word(&words, f->pose[m->jnt_qposadr[j]]);
            }
        }
        if (words.out == NULL) {
            return;
        }
        gde_words_end(&words);
    }
    sal_text_format(f->out, "\n         %s/>  <!-- rad: near the pose to start from -->\n", weight);
}

/* ---- the points of the feet ---- */

typedef struct sole {
    int n;
    char point[POINTS_MAX][GDE_NAME];
    /* m: over the floor as the foot stands */
    double height[POINTS_MAX];
    /* it is on the floor then */
    bool low[POINTS_MAX];
    /* its points are those of the whole body */
    bool body;
} sole;

bool gde_meets_floor(const gde_draft *f, int geom)
{
    bool meets = false;
    for (int i = 0; i < f->d->ncon; i++) {
        meets = meets || f->d->contact[i].geom2 == geom;
    }
    return meets;
}

/* Both ends of the lowest capsule or cylinder; of others those that are low; spheres that are; of
 * a box all corners. */
static void add_geom(const gde_draft *f, sole *s, const gde_foot *foot, int geom)
{
    const int type = f->m->geom_type[geom];
    const bool ends = type == SAL_GEOM_CAPSULE || type == SAL_GEOM_CYLINDER;
    char name[GDE_NAME];
    s->body = s->body || type == SAL_GEOM_BOX;
    if (!ends && type != SAL_GEOM_SPHERE) {
        return;
    }
    for (int sign = ends ? -1 : 0; sign <= ends; sign += 2) {
        const double most = foot->sole + fmax(0.01, 0.03 * f->leg);
        const double height = gde_point_height(f, geom, sign);
        const bool low = height <= most;
        if (geom == foot->geom || low) {
            if (s->n == POINTS_MAX) {
                s->body = true;
                return;
            }
            gde_name(f->m, SAL_OBJ_GEOM, geom, name);
            s->height[s->n] = height;
            s->low[s->n] = low;
            snprintf(s->point[s->n++], GDE_NAME, "%.*s%s", GDE_NAME - 2, name,
                     sign < 0   ? "-"
                     : sign > 0 ? "+"
                                : "");
        }
    }
}

/* What a foot stands on: points, or the body, or else the centre of its lowest geom. */
static sole sole_of(const gde_draft *f, const gde_foot *foot)
{
    const sal_model *m = f->m;
    sole s = {0};
    for (int g = 0; g < m->ngeom; g++) {
        if (gde_is_of_foot(f, foot, m->geom_bodyid[g]) && gde_meets_floor(f, g)) {
            add_geom(f, &s, foot, g);
        }
    }
    if (s.body) {
        const int body = m->geom_bodyid[foot->geom];
        gde_name(m, SAL_OBJ_BODY, body, s.point[0]);
        s.body = s.point[0][0] != '#' && sal_model_find(m, SAL_OBJ_GEOM, s.point[0]) < 0 &&
                 sal_model_find(m, SAL_OBJ_SITE, s.point[0]) < 0;
        s.n = 1;
    }
    if (!s.body && (s.n == 0 || m->geom_type[foot->geom] == SAL_GEOM_BOX)) {
        gde_name(m, SAL_OBJ_GEOM, foot->geom, s.point[0]);
        s.n = 1;
        s.height[0] = foot->height;
    }
    return s;
}

static void write_points(const gde_draft *f, const char *quantity, const char *weight)
{
    sal_text_format(f->out, "    <term name=\"%s\" %s", quantity, weight);
    gde_words words = gde_words_begin(f->out, 18 + strlen(quantity) + strlen(weight), quantity);
    for (int i = 0; i < f->nfoot; i++) {
        const sole s = sole_of(f, f->foot + i);
        for (int k = 0; k < s.n; k++) {
            gde_word(&words, s.point[k]);
        }
    }
    gde_words_end(&words);
    sal_text_add(f->out, "/>\n");
}

double gde_write_soles(const gde_draft *f, gde_words *words)
{
    double highest = -DBL_MAX;
    char text[GDE_NAME];
    for (int i = 0; i < f->nfoot; i++) {
        const gde_foot *foot = f->foot + i;
        const sole s = sole_of(f, foot);
        double stands = s.body ? foot->height : DBL_MAX;
        for (int k = 0; k < s.n && !s.body; k++) {
            gde_word(words, s.point[k]);
            stands = fmin(stands, s.height[k]);
        }
        if (s.body) {
            gde_word(words, gde_name(f->m, SAL_OBJ_GEOM, foot->geom, text));
        }
        highest = fmax(highest, stands);
    }
    return highest;
}

/* In space, feet of several points lie flat: each point is as high as the next one. */
static void write_level(const gde_draft *f)
{
    gde_words words = {0};
    for (int i = 0; i < f->nfoot; i++) {
        const sole s = sole_of(f, f->foot + i);
        for (int k = 0; k + 1 < s.n; k++) {
            if (!s.low[k] || !s.low[k + 1]) {
                continue;
            }
            if (words.out == NULL) {
                sal_text_add(f->out, "    <term name=\"level\" weight=\"100\"");
                words = gde_words_begin(f->out, 36, "level");
            }
            gde_word(&words, s.point[k]);
            gde_word(&words, s.point[k + 1]);
        }
    }
    if (words.out != NULL) {
        gde_words_end(&words);
        sal_text_add(f->out, "/>  <!-- m: flat feet -->\n");
    }
}

/* The forces of landing, over .7 times the weight; less while contact is soft, where they would
 * keep the feet from leaving the floor. */
static void write_load(const gde_draft *f)
{
    const double usual = fmax(0.7 * f->weight, 1e-6), weight = gde_rounded(1 / (usual * usual));
    sal_text_format(f->out, "    <term name=\"load\" softweight=\"%.9g\" weight=\"%.9g\"",
                    0.1 * weight, weight);
    gde_words words = gde_words_begin(f->out, 60, "normal");
    for (int i = 0; i < f->nfoot; i++) {
        gde_foot_words(f, &words, f->foot + i);
    }
    gde_words_end(&words);
    sal_text_add(f->out, "/>  <!-- N: landings are soft -->\n");
}

/* Speeds scale with the root of the legs' length (Froude's law): a given slip counts the more, the
 * shorter they are than a person's. */
void gde_write_feet(gde_draft *f)
{
    for (int i = 0; i < f->nfoot; i++) {
        if (!gde_geom_has_points(f->m, f->foot[i].geom)) {
            f->unable = "a foot touches the floor with an ellipsoid or a mesh, of which terms know "
                        "no points; let spheres, capsules, cylinders or boxes reach lowest";
        }
    }
    static const double person = 0.85; /* m */
    /* a jump lands from its height: twice as slow for the same cost */
    const char *impact = f->task->flight ? "width=\"0.03\" softweight=\"0.36\" weight=\"9\""
                         : f->task->write == gde_write_jump ? "weight=\"36\""
                                                            : "weight=\"9\"";
    char slip[80];
    sal_text_add(f->out, "    <!-- feet: no velocity near the floor, m/s; so they neither slip nor "
                         "hit it -->\n");
    /* in running it is fast near the floor; what counts is that no loaded foot slips */
    snprintf(slip, sizeof slip, "%sweight=\"%.9g\"",
             f->task->flight ? "near=\"force\" softweight=\"2\" " : "",
             gde_rounded(40 * fmax(person / f->leg, 1)));
    write_points(f, "slip", slip);
    write_points(f, "impact", impact);
    if (f->task->write != gde_write_stand) {
        write_load(f);
    }
    if (f->m->jnt_type[f->travel] == SAL_JNT_FREE) {
        write_level(f);
    }
}

/* ---- the rest ---- */

/* The element <solver>, not ended yet. */
static void begin_solver(const gde_draft *f)
{
    static const char *const comment[] = {
        [SAL_DRAFT_TRY] = "  <!-- at last with the contacts and the time step of the model's file, "
                          "as a simulation "
                          "has them;\n       where that cannot be, or not as required, the motion "
                          "of the smoothing "
                          "table is kept -->\n",
        [SAL_DRAFT_FINISH] =
            "  <!-- at last with the contacts and the time step of the model's file -->\n",
        [SAL_DRAFT_NO_FINISH] = ""};
    static const char *const element[] = {[SAL_DRAFT_TRY] = "  <solver finish=\"try\"",
                                          [SAL_DRAFT_FINISH] = "  <solver finish=\"model\"",
                                          [SAL_DRAFT_NO_FINISH] = "  <solver"};
    sal_text_add(f->out, comment[f->request->finish]);
    sal_text_add(f->out, element[f->request->finish]);
}

void gde_write_smoothing(const gde_draft *f)
{
    const double soft = gde_rounded(0.15 * fmin(f->leg, 1));
    sal_text_format(f->out,
                    "  <!-- contact acts from a distance that suits the legs' length, %.2g m, and "
                    "ends hard -->\n",
                    f->leg);
    begin_solver(f);
    sal_text_format(f->out,
                    ">\n    <smoothing width=\"%.9g %.9g\" dmax=\".8 %s\"/>  <!-- m -->\n"
                    "  </solver>\n",
                    soft, fmin(0.002, soft / 10), f->task->flight ? ".985" : ".99");
}

void gde_write_finish(const gde_draft *f)
{
    if (f->request->finish != SAL_DRAFT_NO_FINISH) {
        begin_solver(f);
        sal_text_add(f->out, "/>\n");
    }
}

void gde_write_pose(const gde_draft *f, size_t column)
{
    gde_words words = gde_words_begin(f->out, column, "qpos");
    for (int j = 0; j < f->m->njnt; j++) {
        const int end = j + 1 < f->m->njnt ? f->m->jnt_qposadr[j + 1] : f->m->nq;
        for (int i = f->m->jnt_qposadr[j]; i < end; i++) {
            if (gde_is_prop(f->m, j)) {
                gde_exact_word(&words, f->pose[i]);
            } else {
                gde_number_word(&words, f->pose[i]);
            }
        }
    }
    gde_words_end(&words);
}

/* The pose as a keyframe or numbers. */
void gde_write_init(const gde_draft *f, int nstart)
{
    const sal_model *m = f->m;
    char text[GDE_NAME];
    sal_text_add(f->out, f->key >= 0     ? "  <!-- starts from a keyframe"
                         : f->travel < 0 ? "  <!-- stays in the pose at first"
                                         : "  <!-- starts from the home pose on the floor, legs a "
                                           "little bent");
    sal_text_add(f->out, "; of several starts the best result is kept -->\n  <init");
    if (f->key >= 0) {
        gde_attribute(f->out, "key", gde_key_name(m, f->key, text));
    } else {
        gde_write_pose(f, 7);
    }
    sal_text_format(f->out, " nstart=\"%d\"/>\n", nstart);
}

double gde_seconds(const gde_draft *f, double usual)
{
    return isnan(f->request->seconds) ? gde_rounded(usual) : f->request->seconds;
}

void gde_write_seconds(const gde_draft *f, int nstep, double seconds, bool range)
{
    const bool asked = !isnan(f->request->seconds);
    sal_text_format(f->out, "  <time nstep=\"%d\" duration=\"%.9g\"", nstep, seconds);
    if (range && !asked) {
        sal_text_format(f->out, " range=\"%.9g %.9g\"", gde_rounded(0.6 * seconds),
                        gde_rounded(1.5 * seconds));
    }
    sal_text_format(f->out, "/>  <!-- s%s -->\n",
                    asked   ? ", as asked for"
                    : range ? "; free in this range"
                            : "");
}
