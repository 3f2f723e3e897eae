/* draft_open.c: motions from a start to an end: stand, jump, from keyframe to keyframe. */
#include "base/house.h"
#include "guide/draft.h"

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
    gde_lay_props_behind(f);
    write_rest(f, gde_seconds(f, 1), "at rest at both ends; where exactly it stands is found");
    sal_text_add(f->out, "  <cost>\n");
    gde_write_effort(f);
    gde_write_upright(f, "weight=\"10\"");
    gde_write_posture(f, "weight=\"1\"");
    sal_text_add(f->out, "    <term name=\"calm\" joint=\"all\" of=\"vel\" weight=\"10\"/>  <!-- "
                         "rad/s, m/s: nothing moves -->\n");
    gde_write_feet(f);
    sal_text_add(f->out, "  </cost>\n");
    gde_write_require(f);
    gde_write_init(f, 8);
    gde_write_smoothing(f);
}

/* At half of the time every foot is a tenth of the legs' length over where it stands, heel and toe:
 * a root that rises could do so on stretched legs, the middle of a foot on the tips of its toes. */
static void write_flight(const gde_draft *f, double seconds)
{
    const double high = gde_rounded(0.1 * f->leg);
    sal_text_format(f->out,
                    "  <constraints>  <!-- m: at half of the time the feet are %.9g m over "
                    "where they stand -->\n    <constraint name=\"off\"",
                    high);
    gde_words words = gde_words_begin(f->out, 27, "height");
    const double stand = gde_write_soles(f, &words);
    gde_words_end(&words);
    sal_text_format(f->out, " at=\"%.9g\" range=\"%.4g inf\" tol=\"0.001\"/>\n  </constraints>\n",
                    seconds / 2, stand + high);
}

void gde_write_jump(gde_draft *f)
{
    gde_lay_props_behind(f);
    const double seconds = gde_seconds(f, 5 * sqrt(f->leg / 9.81));
    write_rest(f, seconds, "at rest at both ends");
    sal_text_add(f->out, "  <cost>\n");
    gde_write_effort(f);
    gde_write_upright(f, "weight=\"1\"");
    gde_write_posture(f, "weight=\"0.1\"");
    gde_write_feet(f);
    sal_text_add(f->out, "  </cost>\n");
    write_flight(f, seconds);
    gde_write_require(f);
    gde_write_init(f, 8);
    gde_write_smoothing(f);
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
    gde_write_finish(f);
}
