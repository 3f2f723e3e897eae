/* summary.c: what a found motion costs, term by term, and which of its constraints it keeps. */
#include "problems/transcribe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* weight . mean over t of norm(r) of one segment, first its place in a step's residuals */
static double segment_cost(const sal_transcription *tr, const double *r, int segment, int first)
{
    const sal_segment *seg = tr->segment + segment;
    double sum = 0;
    for (int t = 0; t < tr->p->nstep; t++) {
        sum += seg->weight *
               sal_norm_value(&seg->norm, r + (size_t)t * (size_t)tr->nres + first, seg->n);
    }
    return sum;
}

static void summarise_terms(const sal_transcription *tr, const double *r, sal_result *result)
{
    int first = tr->segment[0].n + tr->segment[1].n;
    result->cost = 0;
    for (int k = 0; k < result->nterm; k++) {
        sal_term_report *report = result->term + k;
        const bool last = k == tr->p->nterm;
        snprintf(report->name, sizeof report->name, "%s",
                 last ? "regulariser" : tr->p->term[k].name);
        report->value = segment_cost(tr, r, 2 + k, first);
        result->cost += report->value;
        first += tr->segment[2 + k].n;
    }
    for (int k = 0; k < result->nterm; k++) {
        result->term[k].share = result->cost > 0 ? result->term[k].value / result->cost : 0;
    }
}

/* The largest excess r > 0 of residual `index` over the motion, times `unit`. */
static void summarise_constraint(const sal_transcription *tr, const double *r, int index,
                                 double unit, double tolerance, sal_constraint_report *report)
{
    report->tolerance = tolerance * unit;
    for (int t = 0; t < tr->p->nstep; t++) {
        const double violation = fmax(0, r[(size_t)t * (size_t)tr->nres + (size_t)index]) * unit;
        if (t == 0 || !(violation <= report->violation)) {
            report->violation = violation;
            report->time = t * tr->timestep;
        }
    }
}

static void summarise_ranges(const sal_transcription *tr, const double *r, sal_result *result)
{
    const sal_model *m = tr->p->model;
    int index = tr->segment[0].n, k = 0;
    for (int a = 0; a < m->nu; a++) {
        for (int force = 0; force < 2; force++) {
            const double *range =
                force ? m->actuator_forcerange + 2 * a : m->actuator_ctrlrange + 2 * a;
            if (!(force ? m->actuator_forcelimited[a] : m->actuator_ctrllimited[a])) {
                continue;
            }
            sal_constraint_report *report = result->constraint + k++;
            snprintf(report->name, sizeof report->name, "%s of %s",
                     force ? "forcerange" : "ctrlrange", sal_model_name(m, SAL_OBJ_ACTUATOR, a));
            summarise_constraint(tr, r, index++, range[1] - range[0], tr->segment[1].tol, report);
        }
    }
}

sal_status sal_summarise(sal_transcription *tr, const double *x, sal_result *result, sal_err *err)
{
    double *r = sal_alloc((size_t)tr->p->nstep * (size_t)tr->nres, sizeof(double));
    result->nterm = tr->p->nterm + 1;
    result->nconstraint = tr->segment[1].n;
    result->term = sal_alloc((size_t)result->nterm, sizeof(sal_term_report));
    result->constraint = sal_alloc((size_t)result->nconstraint, sizeof(sal_constraint_report));
    if (r == NULL || result->term == NULL || result->constraint == NULL) {
        sal_free(r);
        return sal_fail(err, SAL_NOMEM, "out of memory for the summary of a result");
    }
    const sal_status status = tr->nls.residual(tr, r, x, err);
    if (status == SAL_OK) {
        summarise_terms(tr, r, result);
        summarise_ranges(tr, r, result);
    }
    sal_free(r);
    return status;
}
