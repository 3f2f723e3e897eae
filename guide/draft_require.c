/* draft_require.c: what the motion is judged by.
 *
 * Feet may sink 10 mm, 20 mm where the robot is meant to leave the floor. In the model as it is
 * they may also land so in a hop or a jump, and sink deeper if the contacts of the model do so
 * under the load of a landing: half of those that carry the model at rest carry three times its
 * weight. Where the motion may also stay in the contacts of the smoothing table, these have a limit
 * of their own: soft contacts of the model are no reason that a motion sinks there.
 */
#include "guide/draft.h"
#include "problems/floor.h"
#include "problems/touch.h"

#include <math.h>
#include <string.h>

static const double WALKING = 0.01, LANDING = 0.02; /* m */
static const double LOAD = 6;                       /* of a landing, over that at rest */
static const double SOFT = 1.1;                     /* so much deeper is worth a word */

/* Whether the name means the body, and not a geom of that name. */
static bool is_body_word(const sal_model *m, int body, char text[GDE_NAME])
{
    gde_name(m, SAL_OBJ_BODY, body, text);
    return text[0] != '#' && (sal_model_find(m, SAL_OBJ_GEOM, text) < 0 || prb_only_shown(m, text));
}

/* The name alone, or else those of its geoms. */
void gde_body_words(const gde_draft *f, gde_words *words, int body)
{
    const sal_model *m = f->m;
    char text[GDE_NAME];
    if (is_body_word(m, body, text)) {
        gde_word(words, text);
        return;
    }
    for (int g = 0; g < m->ngeom; g++) {
        if (m->body_weldid[m->geom_bodyid[g]] == body && gde_meets_floor(f, g)) {
            gde_word(words, gde_name(m, SAL_OBJ_GEOM, g, text));
        }
    }
}

bool gde_geom_has_points(const sal_model *m, int geom)
{
    const int type = m->geom_type[geom];
    return type == SAL_GEOM_SPHERE || type == SAL_GEOM_CAPSULE || type == SAL_GEOM_CYLINDER ||
           type == SAL_GEOM_BOX;
}

bool gde_has_points(const gde_draft *f, int body)
{
    const sal_model *m = f->m;
    bool own = false, all = true;
    char text[GDE_NAME];
    for (int g = 0; g < m->ngeom; g++) {
        if (m->body_weldid[m->geom_bodyid[g]] == body && gde_meets_floor(f, g)) {
            own = own || (m->geom_bodyid[g] == body && gde_geom_has_points(m, g));
            all = all && gde_geom_has_points(m, g);
        }
    }
    return own && (all || is_body_word(m, body, text));
}

void gde_foot_words(const gde_draft *f, gde_words *words, const gde_foot *foot)
{
    if (foot->heel > 0) {
        gde_body_words(f, words, foot->heel);
    }
    gde_body_words(f, words, foot->body);
}

bool gde_is_of_foot(const gde_draft *f, const gde_foot *foot, int body)
{
    const int solid = f->m->body_weldid[body];
    return solid == foot->body || (solid == foot->heel && foot->heel > 0);
}

/* m: how deep a foot sinks under a landing in the model's own contacts; 0: not known */
static double own_depth(const gde_draft *f)
{
    sal_err err = {0};
    double depth = 0;
    bool *foot = sal_alloc((size_t)f->m->nbody, sizeof *foot);
    for (int b = 0; b < f->m->nbody && foot != NULL; b++) {
        foot[b] = false;
        for (int i = 0; i < f->nfoot; i++) {
            foot[b] = foot[b] || gde_is_of_foot(f, f->foot + i, b);
        }
    }
    if (foot == NULL || prb_floor_depth(&depth, f->m, f->pose, foot, LOAD, &err) != SAL_OK) {
        f->out->failed = true;
    }
    sal_free(foot);
    return depth;
}

/* The attributes, where feet may sink so deep in the contacts of the table, and at least so deep in
 * the model's own. Whether these are softer than usual. */
static bool write_depth(const gde_draft *f, double usual, double least)
{
    const sal_draft_finish finish = f->request->finish;
    const double own = finish == SAL_DRAFT_NO_FINISH ? 0 : own_depth(f);
    const double finished = gde_rounded(fmax(least, own));
    if (finish == SAL_DRAFT_FINISH) {
        sal_text_format(f->out, " penetration=\"%.9g\"", finished);
        return own > SOFT * least;
    }
    sal_text_format(f->out, " penetration=\"%.9g\"", gde_rounded(usual));
    if (finish == SAL_DRAFT_TRY && finished > usual) {
        sal_text_format(f->out, " ownpenetration=\"%.9g\"", finished);
    }
    return own > SOFT * least;
}

static void say_soft(const gde_draft *f, bool soft)
{
    sal_text_add(f->out, soft
                             ? "/>  <!-- the contacts of the model sink so deep when it lands -->\n"
                             : "/>\n");
}

/* Of the line that is being written */
static size_t column(const sal_text *out)
{
    const char *line = out->failed ? NULL : strrchr(out->data, '\n');
    return line == NULL ? 0 : strlen(line + 1);
}

void gde_write_require(const gde_draft *f)
{
    sal_text_add(f->out, "  <!-- a motion that does not satisfy this is not as asked: m, m/s, and "
                         "what may touch the floor -->\n"
                         "  <require");
    const bool together = f->task->pattern == GDE_TOGETHER && f->task->write != gde_write_stand;
    const double usual = f->task->flight ? LANDING : WALKING;
    const bool soft = write_depth(f, usual, together ? LANDING : usual);
    sal_text_add(f->out, " slip=\"0.1\"");
    gde_words words = gde_words_begin(f->out, column(f->out), "only");
    for (int i = 0; i < f->nfoot; i++) {
        gde_foot_words(f, &words, f->foot + i);
    }
    for (int b = 1; b < f->m->nbody; b++) {
        if (f->m->body_jntnum[b] > 0 && gde_is_prop(f->m, f->m->body_jntadr[b])) {
            gde_body_words(f, &words, b);
        }
    }
    gde_words_end(&words);
    say_soft(f, soft);
}

void gde_write_require_depth(const gde_draft *f)
{
    sal_text_add(f->out, "  <!-- a motion that does not satisfy this is not as asked: m -->\n"
                         "  <require");
    say_soft(f, write_depth(f, LANDING, LANDING));
}
