/* draft.c: a problem file for a model nobody has said anything about: what is looked for, in which
 * order, and the frame of the file. Each step has a file of its own: see draft.h. */
#include "guide/draft.h"

#include "base/house.h"
#include "problems/floor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- looking ---- */

static sal_status prepare(gde_draft *f, sal_err *err)
{
    const sal_model *m = f->m;
    f->pose = sal_alloc((size_t)m->nq, sizeof *f->pose);
    f->strength = sal_alloc((size_t)m->nu + 1, sizeof *f->strength);
    f->limit = sal_alloc((size_t)m->nu + 1, sizeof *f->limit);
    if (f->pose == NULL || f->strength == NULL || f->limit == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the draft of a problem");
    }
    sal_status status = sal_data_new(&f->d, m, err);
    status = status == SAL_OK ? sal_model_copy(&f->wide, m, err) : status;
    if (status == SAL_OK) {
        prb_floor_see(f->wide);
    }
    return status;
}

sal_status gde_look(gde_draft *f, sal_err *err)
{
    const sal_model *m = f->m;
    sal_status status = prepare(f, err);
    if (status != SAL_OK) {
        return status;
    }
    for (int b = 0; b < m->nbody; b++) {
        f->weight += m->body_weldid[b] == 0 ? 0 : 9.81 * m->body_mass[b];
    }
    gde_find_root(f);
    status = gde_find_pose(f, err);
    status = status == SAL_OK ? gde_find_feet(f, err) : status;
    status = status == SAL_OK ? gde_bend_legs(f, err) : status;
    if (status == SAL_OK) {
        gde_find_sides(f);
        gde_find_strength(f);
    }
    return status;
}

/* ---- the frame ---- */

static void write_head(const gde_draft *f, sal_text *out, const char *file)
{
    sal_text_add(out, "<!-- A first problem for this model. SI units, angles in radians. 'saltus "
                      "solve' finds the motion,\n     'saltus explain WORD' explains an element or "
                      "attribute.\n");
    if (f->notes.length > 0) {
        sal_text_add(out, "     What was not found, or was assumed:\n");
    }
    gde_write_opening(f, out, file, file);
}

/* The feet that were found, in the words of the model. */
static void note_feet(gde_draft *f)
{
    sal_text list = {0};
    char text[GDE_NAME];
    for (int i = 0; i < f->nfoot; i++) {
        sal_text_format(&list, "%s%s", i > 0 ? ", " : "",
                        gde_name(f->m, SAL_OBJ_BODY, f->foot[i].body, text));
    }
    if (f->travel >= 0 && f->nfoot > 0 && !list.failed) {
        gde_note(f, "feet: %.700s", list.data);
    } else if (f->travel >= 0) {
        char ends[400];
        gde_list_leg_ends(f, ends, sizeof ends);
        gde_note(f,
                 "no feet: the ends of its legs (%s) have no geoms that can touch a static plane",
                 ends);
    }
    sal_text_clear(&list);
}

void gde_release(gde_draft *f)
{
    sal_text_clear(&f->notes);
    sal_data_free(f->d);
    sal_model_free(f->wide);
    sal_free(f->pose);
    sal_free(f->foot);
    sal_free(f->strength);
    sal_free(f->limit);
}

sal_status sal_problem_draft(sal_text *out, sal_text *notes, const sal_model *m, const char *file,
                             const sal_draft_request *request, sal_err *err)
{
    static const sal_draft_request nothing = {
        .speed = NAN, .direction = {NAN, NAN}, .turn = NAN, .seconds = NAN};
    sal_text body = {0};
    gde_draft f = {.m = m, .request = request == NULL ? &nothing : request, .out = &body};
    if (m->nv == 0) {
        return sal_fail(err, SAL_BADINPUT, "the model has no joints, so nothing can move");
    }
    sal_status status = gde_look(&f, err);
    if (status == SAL_OK) {
        note_feet(&f);
        status = gde_choose_task(&f, err);
    }
    if (status == SAL_OK) {
        f.task->write(&f);
        status = f.unable == NULL
                     ? SAL_OK
                     : sal_fail(err, SAL_UNSUPPORTED, "task '%s' cannot be drafted: %s",
                                f.task->name, f.unable);
    }
    if (status == SAL_OK) {
        write_head(&f, out, file);
        sal_text_add(out, body.data == NULL ? "" : body.data);
        sal_text_add(out, "</problem>\n");
        out->failed = out->failed || body.failed || f.notes.failed;
        if (notes != NULL && f.notes.length > 0) {
            sal_text_add(notes, f.notes.data);
        }
    }
    sal_text_clear(&body);
    gde_release(&f);
    return status;
}
