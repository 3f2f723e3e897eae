#include "identify/identification.h"

#include <math.h>
#include <string.h>

/* Without <stage>: from a world in which a body that hovers feels what it could touch, and forces
 * are hardly trusted, to the final one (found on tosses of a cube, from half widths wrong by a
 * fifth: docs/identification.md). Sigma in multiples of the final one. The last stage
 * has the iterations that the others leave of those of <estimate>. */
static const struct {
    double softness, sigma;
    bool robust;
    int maxiter;
} hardening[] = {{1, 10, false, 6},    {.62, 10, false, 5}, {.3, 6.67, false, 4},
                 {.1, 3.33, false, 4}, {0, 1.67, true, 5},  {0, 1, true, 0}},
  plain[] = {{0, 10, false, 6}, {0, 3, true, 5}, {0, 1, true, 0}};

/* of a stage that does not say; the last one is to come to its end */
enum { ITERATIONS = 10 };
static const double TOLERANCE = 1e-5, LAST_TOLERANCE = 1e-7;

static const sal_norm forgiving = {SAL_NORM_HUBER, 3, 2};

/* ---- stages that are given ---- */

static int find_parameter(const idn_parameters *ps, const char *name)
{
    for (int k = 0; ps != NULL && k < ps->nparameter; k++) {
        if (strcmp(ps->parameter[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/* Which parameters a stage estimates */
static bool *read_free(prb_reader *r, const idn_parameters *ps, const sal_xml *element)
{
    const int n = ps == NULL ? 0 : ps->nparameter;
    const sal_xml_attr *a = element == NULL ? NULL : sal_xml_find_attr(element, "free");
    bool *freed = prb_reader_alloc(r, (size_t)n + 1, sizeof(bool));
    if (freed == NULL || a == NULL) {
        for (int k = 0; k < n && freed != NULL; k++) {
            freed[k] = true;
        }
        return freed;
    }
    for (prb_word word = {.attr = a}; prb_reader_word(r, &word);) {
        const int k = find_parameter(ps, word.text);
        if (k >= 0) {
            freed[k] = true;
        } else if (strcmp(word.text, "none") != 0) {
            sal_diag_error(r->diag, word.place, "name parameters of this file, or write none",
                           "there is no parameter '%.100s'", word.text);
        }
    }
    return freed;
}

static double number_or(const char *tag, const sal_xml *element, const char *name, double otherwise)
{
    const double value = prb_grammar_real(tag, element, name);
    return isnan(value) ? otherwise : value;
}

static idn_stage read_stage(prb_reader *r, const idn_parameters *ps, const sal_xml *element,
                            const idn_stage *last)
{
    idn_stage stage = *last;
    const int norm = prb_grammar_choice("stage", element, "norm");
    stage.softness = prb_grammar_real("stage", element, "softness");
    stage.sigma = number_or("stage", element, "sigma", last->sigma);
    stage.norm.kind = norm < 0 ? last->norm.kind : (sal_norm_kind)norm;
    stage.norm.p = number_or("stage", element, "p", last->norm.p);
    stage.kinematic = prb_grammar_choice("stage", element, "dynamics") == 1;
    stage.substeps = (int)number_or("stage", element, "substeps", last->substeps);
    stage.maxiter = (int)number_or("stage", element, "maxiter", ITERATIONS);
    stage.tolerance = number_or("stage", element, "tolerance", TOLERANCE);
    stage.freed = read_free(r, ps, element);
    if (stage.substeps > last->substeps) {
        sal_diag_error(r->diag, prb_reader_place(element, "substeps"), NULL,
                       "%d substeps are more than the %d of <estimate>", stage.substeps,
                       last->substeps);
    }
    return stage;
}

/* ---- stages that are not ---- */

static idn_stage default_stage(prb_reader *r, const idn_parameters *ps, const idn_stage *last,
                               int k, bool contact)
{
    idn_stage stage = *last;
    const bool robust = contact ? hardening[k].robust : plain[k].robust;
    stage.softness = contact ? hardening[k].softness : 0;
    stage.sigma *= contact ? hardening[k].sigma : plain[k].sigma;
    stage.maxiter = contact ? hardening[k].maxiter : plain[k].maxiter;
    stage.norm = robust ? last->norm : forgiving;
    stage.freed = read_free(r, ps, NULL);
    return stage;
}

/* The last stage (element: NULL, it is a default) goes on until it has converged; `maxiter` of
 * <estimate> bounds all stages together. */
static void let_converge(prb_reader *r, idn_settings *e, const sal_xml *estimate,
                         const sal_xml *element)
{
    const sal_xml_attr *all = sal_xml_find_attr(estimate, "maxiter");
    const bool tolerates = element != NULL && sal_xml_find_attr(element, "tolerance") != NULL;
    idn_stage *last = e->stage + e->nstage - 1;
    last->tolerance = tolerates ? last->tolerance : LAST_TOLERANCE;
    if (element != NULL && sal_xml_find_attr(element, "maxiter") != NULL) {
        if (all != NULL) {
            sal_diag_warning(r->diag, all->name_place, "remove it there, or here",
                             "'maxiter' has no effect, since the last <stage> has its own");
        }
        return;
    }
    int left = (int)prb_grammar_whole("estimate", estimate, "maxiter");
    for (int k = 0; k + 1 < e->nstage; k++) {
        idn_stage *stage = e->stage + k;
        if (all != NULL && stage->maxiter > left - 1) {
            stage->maxiter = left - 1; /* one is for the last */
        }
        left -= stage->maxiter;
    }
    last->maxiter = left > ITERATIONS || all != NULL ? left : ITERATIONS;
}

static void read_stages(prb_reader *r, sal_identification *i, const sal_xml *element,
                        const idn_stage *last)
{
    const sal_xml *end = NULL;
    idn_settings *e = i->settings;
    int given = 0;
    for (const sal_xml *c = element->child; c != NULL; c = c->next) {
        given += strcmp(c->tag, "stage") == 0;
    }
    const bool contact = r->p->model != NULL && r->p->model->npair > 0;
    const int own = contact ? (int)(sizeof hardening / sizeof hardening[0])
                            : (int)(sizeof plain / sizeof plain[0]);
    e->stage = prb_reader_alloc(r, (size_t)(given > 0 ? given : own), sizeof(idn_stage));
    for (const sal_xml *c = element->child; c != NULL && e->stage != NULL; c = c->next) {
        if (strcmp(c->tag, "stage") == 0) {
            e->stage[e->nstage++] = read_stage(r, i->parameters, c, last);
            end = c;
        }
    }
    for (int k = 0; given == 0 && k < own && e->stage != NULL; k++) {
        e->stage[e->nstage++] = default_stage(r, i->parameters, last, k, contact);
    }
    if (e->nstage > 0) {
        let_converge(r, e, element, end);
    }
}

/* ---- what cannot be estimated ---- */

static bool asks_for_forces(const idn_settings *e)
{
    bool asks = false;
    for (int k = 0; k < e->nstage; k++) {
        asks = asks || !e->stage[k].kinematic;
    }
    return asks;
}

static bool is_driven(const prb_dataset *data, int set, int actuator)
{
    for (int c = 0; c < data->nchannel; c++) {
        const prb_channel *channel = data->channel + c;
        if (channel->kind == PRB_CHANNEL_CTRL && channel->data == set && channel->id == actuator) {
            return true;
        }
    }
    return false;
}

/* What every actuator did must be known; and nothing may have a state of its own. */
static void check_actuators(prb_reader *r, const sal_xml *element)
{
    const sal_problem *p = r->p;
    for (int i = 0; i < p->data->nrecording; i++) {
        const prb_recording *rec = p->data->recording + i;
        for (int a = 0; a < p->model->nu; a++) {
            const char *name = sal_model_name(p->model, SAL_OBJ_ACTUATOR, a);
            if (!is_driven(p->data, rec->data, a)) {
                sal_diag_error(r->diag, element->place,
                               "give them in a <channel ctrl=\"..\">, or remove the actuator from "
                               "the model",
                               "the controls of actuator '%s' are not given in recording '%s'",
                               name == NULL ? "" : name, rec->name);
                return;
            }
            if (p->model->actuator_actadr[a] >= 0) {
                sal_diag_error(r->diag, element->place,
                               "estimate with the actuator's force instead",
                               "actuator '%s' has an activation, which no channel measures",
                               name == NULL ? "" : name);
                return;
            }
        }
    }
}

/* ---- errors ---- */

/* Few clusters tell hardly anything of how estimates scatter: of a variance from G of them the
 * relative error is (2/(G - 1))^1/2. */
static void check_clusters(prb_reader *r, const idn_settings *e, const sal_xml *element)
{
    enum { FEWEST = 5 };
    const prb_dataset *data = r->p->data;
    int *scratch = prb_reader_alloc(r, (size_t)data->nrecording + 1, sizeof(int));
    if (scratch == NULL) {
        return;
    }
    const int all = idn_clusters(data, scratch), fitted = all - idn_clusters_held(e, all);
    sal_free(scratch);
    if (fitted < FEWEST) {
        sal_diag_error(r->diag, prb_reader_place(element, "errors"),
                       "record more, cut long recordings into pieces (index=\"..\" with columns "
                       "start and stop), or write errors=\"sandwich\"",
                       "a %s needs at least %d clusters of recordings in the fit; there %s %d",
                       sal_identification_resampling_name((int)e->errors), FEWEST,
                       fitted == 1 ? "is" : "are", fitted);
    }
}

static void read_errors(prb_reader *r, idn_settings *e, const sal_xml *element)
{
    enum { DRAWS = 100 };
    const sal_xml_attr *draws = sal_xml_find_attr(element, "resamples");
    e->errors = (sal_identification_resampling)prb_grammar_choice("estimate", element, "errors");
    e->resamples = draws == NULL ? DRAWS : (int)prb_grammar_whole("estimate", element, "resamples");
    if (draws != NULL && e->errors != SAL_RESAMPLING_BOOTSTRAP) {
        sal_diag_error(r->diag, draws->name_place, "remove it, or write errors=\"bootstrap\"",
                       "'resamples' belongs to a bootstrap, and errors=\"%s\"",
                       sal_identification_resampling_name((int)e->errors));
    }
}

/* ---- the element ---- */

/* Samples from which a prediction begins, by either of its names. */
static int read_samples(prb_reader *r, const sal_xml *element)
{
    const sal_xml_attr *old = sal_xml_find_attr(element, "predict");
    if (old != NULL && sal_xml_find_attr(element, "samples") != NULL) {
        sal_diag_error(r->diag, old->name_place, "remove it",
                       "'predict' is the older name of 'samples', which is there too");
    }
    return (int)prb_grammar_whole("estimate", element, old != NULL ? "predict" : "samples");
}

void idn_read_settings(prb_reader *r, sal_identification *i)
{
    const sal_xml *element = prb_reader_element(r, "estimate");
    idn_settings *e = i->settings = prb_reader_alloc(r, 1, sizeof *e);
    if (e == NULL) {
        return;
    }
    e->fixed = prb_grammar_choice("estimate", element, "method") == 1;
    e->in_force = prb_grammar_choice("estimate", element, "unit") == 1;
    e->holdout = prb_grammar_real("estimate", element, "holdout");
    e->seed = (unsigned long)prb_grammar_whole("estimate", element, "seed");
    e->roll_all = prb_grammar_choice("estimate", element, "rollout") == 1;
    e->predict = read_samples(r, element);
    read_errors(r, e, element);
    const idn_stage last = {
        .tolerance = TOLERANCE,
        .sigma = prb_grammar_real("estimate", element, "sigma"),
        .norm = {.kind = (sal_norm_kind)prb_grammar_choice("estimate", element, "norm"),
                 .p = prb_grammar_real("estimate", element, "p"),
                 .q = 2},
        .substeps = (int)prb_grammar_whole("estimate", element, "substeps")};
    idn_read_sigmas(r, e, element, last.sigma);
    read_stages(r, i, element, &last);
    if (r->p->data == NULL || r->p->data->nrecording == 0) {
        if (r->diag->nerror == 0) {
            sal_diag_error(r->diag, element->place, "name recordings in <data file=\"..\">",
                           "there are no recordings to identify from");
        }
        return;
    }
    if (e->errors != SAL_RESAMPLING_NONE) {
        check_clusters(r, e, element);
    }
    if (r->p->model != NULL && (idn_check_actuator_sensors(r, element) || asks_for_forces(e))) {
        check_actuators(r, element);
    }
}

void idn_settings_free(idn_settings *settings)
{
    for (int k = 0; settings != NULL && k < settings->nstage; k++) {
        sal_free(settings->stage[k].freed);
    }
    if (settings != NULL) {
        sal_free(settings->stage);
        sal_free(settings->relative);
        sal_free(settings->as_force);
    }
    sal_free(settings);
}
