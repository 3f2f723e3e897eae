/* keyframe.c: the rows of a motion as keyframes of the model in which it moves. A row's controls
 * are with it, so a step of the model from one key leads to the next.
 */
#include "exports/formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char END[] = "</mujoco>";

/* ' NAME="numbers"'; what has no value, as the controls of the last row, is left out. */
static void add_numbers(sal_text *out, const char *name, const double *x, int n)
{
    if (n == 0 || isnan(x[0])) {
        return;
    }
    sal_text_format(out, " %s=\"", name);
    for (int i = 0; i < n; i++) {
        sal_text_add(out, i > 0 ? " " : "");
        sal_text_real(out, x[i], 17);
    }
    sal_text_add(out, "\"");
}

static void add_key(sal_text *out, const sal_result *r, const char *stem, int t)
{
    const sal_model *m = r->model;
    sal_text_format(out, "    <key name=\"%s_%d\"", stem, t);
    add_numbers(out, "time", r->time + t, 1);
    add_numbers(out, "qpos", r->qpos + t * m->nq, m->nq);
    add_numbers(out, "qvel", r->qvel + t * m->nv, m->nv);
    add_numbers(out, "act", r->act + t * m->na, m->na);
    add_numbers(out, "ctrl", r->ctrl + t * m->nu, m->nu);
    sal_text_add(out, "/>\n");
}

/* The first of motion, motion_, .. with which no keyframe of the model begins. */
static void choose_stem(const sal_model *m, char stem[32])
{
    snprintf(stem, 32, "motion");
    for (int i = 0; i < m->nkey; i++) {
        const size_t n = strlen(stem);
        if (strncmp(sal_model_name(m, SAL_OBJ_KEY, i), stem, n) == 0 && n < 31) {
            stem[n] = '_', stem[n + 1] = 0;
            i = -1; /* all anew */
        }
    }
}

sal_status exp_write_keyframe(sal_export *out, const sal_result *r,
                              const sal_export_options *options, sal_err *err)
{
    sal_text *text = &out->file[0].text;
    const char *end = r->model_xml == NULL ? NULL : strstr(r->model_xml, END);
    char stem[32];
    sal_result *whole = NULL;
    if (end == NULL) {
        return sal_fail(err, SAL_BADINPUT, "the result does not hold the model of its motion");
    }
    const sal_status status = sal_result_unroll(&whole, r, options->cycles, err);
    if (status != SAL_OK) {
        return status;
    }
    const sal_result *motion = whole != NULL ? whole : r;
    choose_stem(r->model, stem);
    sal_text_format(text, "%.*s  <keyframe>\n", (int)(end - r->model_xml), r->model_xml);
    for (int t = 0; t <= motion->nstep; t++) {
        add_key(text, motion, stem, t);
    }
    sal_text_format(text, "  </keyframe>\n%s", end);
    sal_result_free(whole);
    return SAL_OK;
}
