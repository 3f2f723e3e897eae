/* follow_apart.c: parts of the robot that are within each other in a recording, as arms often are
 * within the trunk after another's motion was brought to the robot.
 *
 * The search begins with poses in which they are not (problems/recordings/parting.h). But the
 * recording draws them back, and contacts, which are soft at first, would let them through: so the
 * problem asks that no pair be more than MOST within each other. And as the motion begins nothing
 * came before that would have kept them apart: it could burst out of an overlap. So then they are
 * asked to be apart, but for what contacts need. To ask the latter of all steps sets feet against
 * each other where they meet.
 */
#include "base/house.h"
#include "guide/follow.h"
#include "problems/touch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double MOST = 0.02;     /* m */
static const double BEGINNING = 0.1; /* s */

/* The deepest contact of two parts of the robot in a recording */
typedef struct overlap {
    double depth;
    int row, pair;
} overlap;

/* Contacts of a pose into d */
static sal_status look(gde_draft *f, const double *q, sal_err *err)
{
    memcpy(f->d->qpos, q, (size_t)f->m->nq * sizeof(double));
    sal_kinematics(f->m, f->d);
    return sal_collide(f->m, f->d, err);
}

/* apart: those that overlap in the recording. Finds the deepest, and how many there are. */
static sal_status find_overlaps(gde_clip *c, const bool *built, overlap *most, int *count,
                                sal_err *err)
{
    gde_draft *f = &c->draft;
    sal_status status = SAL_OK;
    for (int row = 0; row < c->s.nrow && status == SAL_OK; row++) {
        status = look(f, c->qpos + (size_t)row * (size_t)f->m->nq, err);
        for (int i = 0; i < f->d->ncon && status == SAL_OK; i++) {
            const sal_contact *con = f->d->contact + i;
            if (built[con->pair] || !prb_is_within(f->m, con)) {
                continue;
            }
            *count += !c->apart[con->pair];
            c->apart[con->pair] = true;
            if (-con->dist > most->depth) {
                *most = (overlap){-con->dist, row, con->pair};
            }
        }
    }
    return status;
}

static void note_overlaps(gde_clip *c, const overlap *most, int count)
{
    const sal_model *m = c->draft.m;
    char one[GDE_NAME], two[GDE_NAME], more[40] = "";
    if (count > 1) {
        snprintf(more, sizeof more, ", and %d other pair%s", count - 1, count == 2 ? "" : "s");
    }
    gde_note(
        &c->draft,
        "parts of the robot are within each other: '%s' and '%s' by up to %.2g mm, at %.4g s%s: "
        "the motion keeps them apart",
        gde_name(m, SAL_OBJ_BODY, m->geom_bodyid[m->pair_geom1[most->pair]], one),
        gde_name(m, SAL_OBJ_BODY, m->geom_bodyid[m->pair_geom2[most->pair]], two),
        1e3 * most->depth, most->row / c->rate, more);
}

sal_status gde_clip_apart(gde_clip *c, sal_err *err)
{
    const size_t npair = (size_t)c->draft.m->npair + 1;
    bool *built = sal_alloc(npair, sizeof *built);
    c->apart = sal_alloc(npair, sizeof *c->apart);
    if (built == NULL || c->apart == NULL) {
        sal_free(built);
        return sal_fail(err, SAL_NOMEM, "out of memory for pairs that are within each other");
    }
    overlap most = {0};
    int count = 0;
    sal_status status = prb_find_built_within(built, c->draft.m, err);
    status = status == SAL_OK ? find_overlaps(c, built, &most, &count, err) : status;
    if (count > 0 && status == SAL_OK) {
        note_overlaps(c, &most, count);
    }
    sal_free(built);
    bool *others = c->request->apart;
    for (int i = 0; i < c->draft.m->npair && others != NULL; i++) {
        others[i] = c->apart[i] = c->apart[i] || others[i];
    }
    return status;
}

static void write_constraint(const gde_clip *c, const char *name, const char *when, double depth)
{
    const gde_draft *f = &c->draft;
    char text[GDE_NAME];
    sal_text_format(f->out, "    <constraint name=\"%s\"%s range=\"%g inf\"\n               ", name,
                    when, -depth);
    gde_words words = gde_words_begin(f->out, 15, "distance");
    for (int i = 0; i < f->m->npair; i++) {
        if (c->apart[i]) {
            gde_word(&words, gde_name(f->m, SAL_OBJ_GEOM, f->m->pair_geom1[i], text));
            gde_word(&words, gde_name(f->m, SAL_OBJ_GEOM, f->m->pair_geom2[i], text));
        }
    }
    gde_words_end(&words);
    sal_text_add(f->out, "/>\n");
}

void gde_write_apart(const gde_clip *c)
{
    const gde_draft *f = &c->draft;
    char begin[40];
    bool any = false;
    for (int i = 0; i < f->m->npair; i++) {
        any = any || c->apart[i];
    }
    if (any) {
        snprintf(begin, sizeof begin, " window=\"0 %.3g\"", fmin(BEGINNING, c->duration));
        sal_text_add(f->out, "  <constraints>  <!-- parts that overlap in the recording, m -->\n");
        write_constraint(c, "apart", "", MOST);
        write_constraint(c, "begin", begin, PRB_WITHIN);
        sal_text_add(f->out, "  </constraints>\n");
    }
}
