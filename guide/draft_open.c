/* draft_open.c: motions from a start to an end: stand, jump, reach, from keyframe to keyframe. */
#include "base/house.h"
#include "guide/draft.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- on feet ---- */

static void write_rest(const gde_draft *f, double seconds, const char *why)
{
    gde_write_seconds(f, 40, seconds, false);
    sal_text_format(f->out,
                    "  <boundary type=\"open\">  <!-- %s -->\n    <start qvel=\"0\"/>\n    "
                    "<end qvel=\"0\"/>\n  </boundary>\n",
                    why);
}

void gde_write_stand(gde_draft *f)
{
    write_rest(f, gde_seconds(f, 1), "at rest at both ends; where exactly it stands is found");
    sal_text_add(f->out, "  <cost>\n");
    gde_write_effort(f);
    gde_write_upright(f, 10);
    gde_write_posture(f, "weight=\"1\"");
    sal_text_add(f->out, "    <term name=\"calm\" joint=\"all\" of=\"vel\" weight=\"10\"/>  <!-- "
                         "rad/s, m/s: nothing moves -->\n");
    gde_write_feet(f);
    sal_text_add(f->out, "  </cost>\n");
    gde_write_require(f);
    gde_write_init(f, 8);
    gde_write_smoothing(f);
}

/* At half of the time every foot is a tenth of the legs' length over where it stands: a root that
 * rises could do so on stretched legs. */
static void write_flight(const gde_draft *f, double seconds)
{
    const double high = gde_rounded(0.1 * f->leg);
    double least = 0;
    char text[GDE_NAME];
    for (int i = 0; i < f->nfoot; i++) {
        least = fmax(least, f->foot[i].height + high);
    }
    sal_text_format(f->out,
                    "  <constraints>  <!-- m: at half of the time the feet are %.9g m over "
                    "where they stand -->\n    <constraint name=\"off\"",
                    high);
    gde_words words = gde_words_begin(f->out, 27, "height");
    for (int i = 0; i < f->nfoot; i++) {
        gde_word(&words, gde_name(f->m, SAL_OBJ_GEOM, f->foot[i].geom, text));
    }
    gde_words_end(&words);
    sal_text_format(f->out, " at=\"%.9g\" range=\"%.4g inf\" tol=\"0.001\"/>\n  </constraints>\n",
                    seconds / 2, least);
}

void gde_write_jump(gde_draft *f)
{
    const double seconds = gde_seconds(f, 5 * sqrt(f->leg / 9.81));
    write_rest(f, seconds, "at rest at both ends");
    sal_text_add(f->out, "  <cost>\n");
    gde_write_effort(f);
    gde_write_upright(f, 1);
    gde_write_posture(f, "weight=\"0.1\"");
    gde_write_feet(f);
    sal_text_add(f->out, "  </cost>\n");
    write_flight(f, seconds);
    gde_write_require(f);
    gde_write_init(f, 8);
    gde_write_smoothing(f);
}

/* ---- reach ---- */

/* How many actuated hinges carry the body. */
static int depth_of(const sal_model *m, int body)
{
    int depth = 0;
    for (int b = body; b > 0; b = m->body_parentid[b]) {
        for (int k = 0; k < m->body_jntnum[b]; k++) {
            const int j = m->body_jntadr[b] + k;
            depth += m->jnt_type[j] == SAL_JNT_HINGE && gde_is_actuated(m, j);
        }
    }
    return depth;
}

int gde_reaching_body(const gde_draft *f)
{
    int best = 0;
    for (int b = 1; b < f->m->nbody && f->root == 0; b++) {
        const int depth = depth_of(f->m, b);
        if (depth > 0 && depth >= depth_of(f->m, best)) {
            best = b;
        }
    }
    return best;
}

/* Whether a tendon runs through the site: it marks no end. */
static bool guides_tendon(const sal_model *m, int site)
{
    bool guides = false;
    for (int i = 0; i < m->nwrap; i++) {
        guides = guides || (m->wrap_type[i] == SAL_WRAP_SITE && m->wrap_objid[i] == site);
    }
    return guides;
}

/* The point that reaches: a site of the body, else the centre of its last geom, else its origin. */
static const char *reaching_point(const gde_draft *f, int body, double x[3], char text[GDE_NAME])
{
    const sal_model *m = f->m;
    for (int s = m->nsite - 1; s >= 0; s--) {
        const char *name = sal_model_name(m, SAL_OBJ_SITE, s);
        if (m->site_bodyid[s] == body && !guides_tendon(m, s) &&
            gde_name(m, SAL_OBJ_SITE, s, text)[0] != '#' &&
            sal_model_find(m, SAL_OBJ_GEOM, name) < 0) {
            sal_v3_copy(x, f->d->site_xpos + 3 * s);
            return text;
        }
    }
    for (int g = m->ngeom - 1; g >= 0; g--) {
        if (m->geom_bodyid[g] == body) {
            sal_v3_copy(x, f->d->geom_xpos + 3 * g);
            return gde_name(m, SAL_OBJ_GEOM, g, text);
        }
    }
    sal_v3_copy(x, f->d->xpos + 3 * body);
    return gde_name(m, SAL_OBJ_BODY, body, text);
}

/* A pose that the model can take: each hinge that carries the body moves by a quarter of its range
 * to where most of it is, at most .6 rad; by .6 rad without a range. */
static void move_away(gde_draft *f, int body)
{
    const sal_model *m = f->m;
    for (int b = body; b > 0; b = m->body_parentid[b]) {
        for (int k = 0; k < m->body_jntnum[b]; k++) {
            const int j = m->body_jntadr[b] + k;
            const double *range = m->jnt_range + 2 * j;
            double *q = f->d->qpos + m->jnt_qposadr[j];
            const double width = m->jnt_limited[j] ? range[1] - range[0] : 2.4;
            const double middle = m->jnt_limited[j] ? (range[0] + range[1]) / 2 : DBL_MAX;
            if (m->jnt_type[j] == SAL_JNT_HINGE && gde_is_actuated(m, j)) {
                *q += (*q <= middle ? 1 : -1) * fmin(width / 4, 0.6);
            }
        }
    }
    sal_kinematics(m, f->d);
}

static void write_start(const gde_draft *f)
{
    const sal_model *m = f->m;
    char text[GDE_NAME];
    sal_text_add(f->out, "    <start");
    if (f->key >= 0) {
        gde_attribute(f->out, "key", gde_key_name(m, f->key, text));
        sal_text_add(f->out, " fixed=\"qpos\"");
    } else {
        gde_words words = gde_words_begin(f->out, 10, "qpos");
        for (int i = 0; i < m->nq; i++) {
            gde_number_word(&words, f->pose[i]);
        }
        gde_words_end(&words);
    }
    sal_text_add(f->out, "/>\n    <start qvel=\"0\"/>\n");
}

void gde_write_reach(gde_draft *f)
{
    const int body = gde_reaching_body(f);
    char text[GDE_NAME];
    double x[3];
    gde_write_seconds(f, 50, gde_seconds(f, 1), false);
    sal_text_add(f->out, "  <boundary type=\"open\">  <!-- from the pose, at rest, to rest -->\n");
    write_start(f);
    sal_text_add(f->out, "    <end qvel=\"0\"/>\n  </boundary>\n  <cost>\n");
    gde_write_effort(f);
    move_away(f, body);
    const char *point = reaching_point(f, body, x, text);
    sal_text_add(f->out, "  </cost>\n  <constraints>  <!-- m: a place that it can reach; change "
                         "target to yours -->\n    <constraint name=\"goal\"");
    gde_attribute(f->out, "position", point);
    sal_text_format(f->out, " at=\"end\" target=\"%.4g %.4g %.4g\" tol=\"0.001\"/>\n", x[0] + 0.0,
                    x[1] + 0.0, x[2] + 0.0);
    sal_text_add(f->out, "  </constraints>\n");
    gde_write_init(f, 4);
    gde_note(f, "nothing says what '%s' shall reach: the target is a place that it can reach",
             point);
}

/* ---- from here to there ---- */

/* Between two keyframes, else from one, else from home, at rest. */
void gde_write_move(gde_draft *f)
{
    const sal_model *m = f->m;
    char text[GDE_NAME];
    gde_write_seconds(f, 50, gde_seconds(f, 1), false);
    sal_text_add(f->out,
                 "  <boundary type=\"open\">  <!-- joints that are not pinned here are free "
                 "-->\n    <start");
    if (m->nkey > 0) {
        gde_attribute(f->out, "key", gde_key_name(m, 0, text));
    } else {
        gde_words words = gde_words_begin(f->out, 10, "qpos");
        for (int i = 0; i < m->nq; i++) {
            gde_number_word(&words, m->qpos0[i]);
        }
        gde_words_end(&words);
        sal_text_add(f->out, " qvel=\"0\"");
    }
    sal_text_add(f->out, "/>\n");
    if (m->nkey > 1) {
        sal_text_add(f->out, "    <end");
        gde_attribute(f->out, "key", gde_key_name(m, 1, text));
        sal_text_add(f->out, "/>\n");
    } else {
        sal_text_add(f->out, "    <!-- <end qpos=\"..\" qvel=\"0\"/>: rad, m, quaternions for ball "
                             "and free joints; or key=\"..\" -->\n");
        gde_note(f, "no second keyframe tells where the motion ends: its end is free; pin it with "
                    "<end>");
    }
    sal_text_add(f->out, "  </boundary>\n  <cost>\n");
    gde_write_effort(f);
    sal_text_add(f->out, "  </cost>\n");
    if (m->nkey > 0) {
        sal_text_add(f->out, "  <init");
        gde_attribute(f->out, "key", gde_key_name(m, 0, text));
        sal_text_add(f->out, " nstart=\"2\"/>\n");
    } else {
        sal_text_add(f->out, "  <init nstart=\"2\"/>\n");
    }
}
