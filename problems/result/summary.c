/* summary.c: what a found motion costs, term by term, which of its constraints it keeps, and how
 * far it is from the targets of its terms. */
#include "problems/result/result.h"
#include "problems/row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct prb_survey {
    const prb_transcription *tr;
    const double *r;
    double *sum; /* of residuals whose mean counts */
} prb_survey;

/* Step t's residuals of what a segment is about, and the segment; NULL: it has none there. */
static const double *residuals_of(const prb_survey *s, int t, int what, const sal_segment **segment)
{
    int first;
    *segment = prb_class_segment(s->tr->class + s->tr->class_of[t], what, &first);
    return *segment == NULL ? NULL : s->r + s->tr->r_adr[t] + first;
}

/* Sum over the steps of the residuals of a feature whose mean counts, into s->sum; its segment. */
static const sal_segment *sum_up(const prb_survey *s, int what)
{
    const sal_segment *any = NULL;
    for (int t = 0; t < s->tr->nblock; t++) {
        const sal_segment *segment;
        const double *r = residuals_of(s, t, what, &segment);
        for (int i = 0; r != NULL && i < segment->n; i++) {
            s->sum[i] = any == NULL ? r[i] : s->sum[i] + r[i];
        }
        any = segment == NULL ? any : segment;
    }
    return any;
}

/* ---- terms ---- */

/* sum over its instants of weight . norm(r), each to `instant` [T], `stride` apart */
static double cost_of(const prb_survey *s, int what, double *instant, int stride)
{
    const bool mean = what >= 0 && prb_terms_feature(s->tr->p, what)->mean;
    const int T = s->tr->p->nstep + 1;
    double cost = 0;
    for (int t = 0; t < T; t++) {
        instant[t * stride] = mean ? (double)NAN : 0;
    }
    if (mean) {
        const sal_segment *segment = sum_up(s, what);
        return segment == NULL
                   ? 0
                   : segment->weight * sal_norm_value(&segment->norm, s->sum, segment->n);
    }
    for (int t = 0; t < s->tr->nblock; t++) {
        const sal_segment *segment;
        const double *r = residuals_of(s, t, what, &segment);
        if (r != NULL) {
            instant[t * stride] = segment->weight * sal_norm_value(&segment->norm, r, segment->n);
            cost += instant[t * stride];
        }
    }
    return cost;
}

static void summarise_terms(const prb_survey *s, sal_result *result)
{
    const sal_problem *p = s->tr->p;
    result->cost = 0;
    for (int k = 0; k < result->nterm; k++) {
        prb_term_report *report = result->term + k;
        const bool last = k == p->nterm;
        snprintf(report->name, sizeof report->name, "%s",
                 last ? "regulariser" : p->term[k].feature.name);
        report->value =
            cost_of(s, last ? PRB_SEG_REGULARISER : k, result->term_over_time + k, result->nterm);
        result->cost += report->value;
    }
    for (int k = 0; k < result->nterm; k++) {
        result->term[k].share = result->cost > 0 ? result->term[k].value / result->cost : 0;
    }
}

/* ---- constraints ---- */

/* True if it is the largest so far. */
static bool look(prb_constraint_report *report, double violation, double time)
{
    const bool larger = !(violation <= report->violation);
    if (larger) {
        report->violation = violation;
        report->time = time;
    }
    return larger;
}

/* The excess of actuator ranges: residual `index` of that segment, times `unit`. */
static void summarise_range(const prb_survey *s, int index, double unit,
                            prb_constraint_report *report)
{
    for (int t = 0; t < s->tr->nblock; t++) {
        const sal_segment *segment;
        const double *r = residuals_of(s, t, PRB_SEG_RANGES, &segment);
        if (r != NULL) {
            report->tolerance = segment->tol * unit;
            look(report, fmax(0, r[index]) * unit, t * s->tr->timestep);
        }
    }
}

static int summarise_ranges(const prb_survey *s, sal_result *result)
{
    const prb_actuation_map *map = s->tr->map;
    for (int k = 0; k < map->nrange; k++) {
        const prb_actuator_range *bound = map->range + k;
        prb_constraint_report *report = result->constraint + k;
        prb_actuator_range_name(s->tr->p->model, bound, report->name);
        summarise_range(s, k, bound->range[1] - bound->range[0], report);
    }
    return map->nrange;
}

/* What each number is violated by. */
static void look_at(const prb_survey *s, int k, const sal_segment *segment, const double *r,
                    int step, prb_constraint_report *report)
{
    const sal_problem *p = s->tr->p;
    const prb_constraint *c = p->constraint + k;
    const prb_feature *f = &c->feature;
    for (int i = 0; i < segment->n; i++) {
        const double violation = (segment->range ? r[i] : fabs(r[i])) * c->scale;
        const int number = segment->n > f->dim ? i / 2 : i; /* a mean in a range has two */
        if (look(report, fmax(0, violation), step * s->tr->timestep)) {
            snprintf(report->unit, sizeof report->unit, "%s", prb_feature_unit(p, f, number));
            if (f->dim > 1) {
                prb_feature_label(p, f, number, report->what, sizeof report->what);
            }
        }
    }
}

static void summarise_constraint(const prb_survey *s, int k, prb_constraint_report *report)
{
    const sal_problem *p = s->tr->p;
    const prb_constraint *c = p->constraint + k;
    const int what = p->nterm + k;
    snprintf(report->name, sizeof report->name, "%s", c->feature.name);
    snprintf(report->unit, sizeof report->unit, "%s", prb_feature_unit(p, &c->feature, 0));
    report->tolerance = c->tol;
    if (c->feature.mean) {
        const sal_segment *segment = sum_up(s, what);
        if (segment != NULL) {
            look_at(s, k, segment, s->sum, 0, report);
        }
        return;
    }
    for (int t = 0; t < s->tr->nblock; t++) {
        const sal_segment *segment;
        const double *r = residuals_of(s, t, what, &segment);
        if (r != NULL) {
            look_at(s, k, segment, r, t, report);
        }
    }
}

/* ---- targets that terms ask for ---- */

/* The largest deviation of residuals [n] of term k so far; softplus asks for no more than the
 * target, the others for as much. */
static void look_at_target(const prb_survey *s, int k, const sal_segment *segment, const double *r,
                           double time, prb_requirement_report *report)
{
    const sal_problem *p = s->tr->p;
    const prb_feature *f = &p->term[k].feature;
    for (int i = 0; i < segment->n; i++) {
        const double off = p->term[k].norm.kind == SAL_NORM_SOFTPLUS ? fmax(0, r[i]) : fabs(r[i]);
        if (!(off <= report->found)) {
            report->found = off;
            report->time = time;
            snprintf(report->unit, sizeof report->unit, "%s", prb_feature_unit(p, f, i));
            if (f->dim > 1) {
                prb_feature_label(p, f, i, report->what, sizeof report->what);
            }
        }
    }
}

static void summarise_target(const prb_survey *s, int k, prb_requirement_report *report)
{
    const sal_problem *p = s->tr->p;
    snprintf(report->name, sizeof report->name, "term[%.63s]/target", p->term[k].feature.name);
    snprintf(report->unit, sizeof report->unit, "%s", prb_feature_unit(p, &p->term[k].feature, 0));
    report->allowed = p->term[k].tol;
    if (p->term[k].feature.mean) {
        const sal_segment *segment = sum_up(s, k);
        if (segment != NULL) {
            look_at_target(s, k, segment, s->sum, (double)NAN, report);
        }
        return;
    }
    for (int t = 0; t < s->tr->nblock; t++) {
        const sal_segment *segment;
        const double *r = residuals_of(s, t, k, &segment);
        if (r != NULL) {
            look_at_target(s, k, segment, r, t * s->tr->timestep, report);
        }
    }
}

static void summarise_targets(const prb_survey *s, sal_result *result)
{
    const sal_problem *p = s->tr->p;
    for (int k = 0; k < p->nterm; k++) {
        if (p->term[k].tol > 0) {
            summarise_target(s, k, result->requirement + result->nrequirement++);
        }
    }
}

/* ---- all of it ---- */

sal_status prb_summarise(prb_transcription *tr, const double *x, sal_result *result, sal_err *err)
{
    const sal_problem *p = tr->p;
    size_t widest = 1;
    for (int k = 0; k < tr->nclass; k++) {
        widest = tr->class[k].nres > (int)widest ? (size_t)tr->class[k].nres : widest;
    }
    double *r = sal_alloc(tr->r_adr[tr->nblock], sizeof(double)),
           *sum = sal_alloc(widest, sizeof(double));
    result->nterm = p->nterm + 1;
    result->nconstraint = tr->map->nrange + p->nconstraint;
    result->term = sal_alloc((size_t)result->nterm, sizeof(prb_term_report));
    result->term_over_time =
        sal_alloc(((size_t)p->nstep + 1) * (size_t)result->nterm, sizeof(double));
    result->constraint = sal_alloc((size_t)result->nconstraint, sizeof(prb_constraint_report));
    result->requirement =
        sal_alloc((size_t)p->nterm + PRB_NREQUIRE, sizeof(prb_requirement_report));
    sal_status status = r == NULL || sum == NULL || result->term == NULL ||
                                result->term_over_time == NULL || result->constraint == NULL ||
                                result->requirement == NULL
                            ? sal_fail(err, SAL_NOMEM, "out of memory for the summary of a result")
                            : tr->nls.residual(tr, r, x, err);
    status = status == SAL_OK ? prb_markers_found(result, tr, err) : status;
    if (status == SAL_OK) {
        const prb_survey survey = {tr, r, sum};
        summarise_terms(&survey, result);
        const int n = summarise_ranges(&survey, result);
        for (int k = 0; k < p->nconstraint; k++) {
            summarise_constraint(&survey, k, result->constraint + n + k);
        }
        summarise_targets(&survey, result);
    }
    sal_free(r);
    sal_free(sum);
    return status;
}
