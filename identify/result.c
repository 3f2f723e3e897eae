/* result.c: the memory of what an identification found: one block for all that has a size from the
 * start, one for each recording. */
#include "identify/identify.h"

#include <math.h>
#include <stdint.h>

#define REALS(layout, n) sal_layout_take(layout, (size_t)(n), sizeof(double))

static void place(sal_identification_result *e, sal_layout *layout)
{
    const size_t n = (size_t)e->nparameter, R = (size_t)e->nrecording;
    e->parameter = sal_layout_take(layout, n, sizeof *e->parameter);
    e->local = sal_layout_take(layout, (size_t)e->nlocal, sizeof *e->local);
    e->channel = sal_layout_take(layout, (size_t)e->nchannel, sizeof *e->channel);
    e->recording = sal_layout_take(layout, R, sizeof *e->recording);
    e->sigma = REALS(layout, e->nresidual);
    e->slope = REALS(layout, n * n);
    e->S = REALS(layout, R * n * n);
    e->score = REALS(layout, R * n);
    e->correlation = REALS(layout, n * n);
    e->eigenvalue = REALS(layout, n);
}

/* What every recording has, and a rollout that was not made. */
static void clear(sal_identification_result *e)
{
    const sal_identification_rollout none = {NAN, NAN, NAN, NAN, NAN};
    for (int k = 0; k < e->nparameter; k++) {
        sal_identification_parameter *p = e->parameter + k;
        p->nominal = p->prior_sigma = p->se = p->se_hessian = p->se_resampled = NAN;
        p->freedom = INFINITY;
        p->lower = -INFINITY;
        p->upper = INFINITY;
        e->slope[k * (e->nparameter + 1)] = 1;
    }
    for (int k = 0; k < e->nlocal; k++) {
        e->local[k].nominal = e->local[k].prior_sigma = NAN;
        e->local[k].se_hessian = e->local[k].se_resampled = NAN;
        e->local[k].freedom = INFINITY;
        e->local[k].lower = -INFINITY;
        e->local[k].upper = INFINITY;
    }
    for (int i = 0; i < e->nrecording; i++) {
        e->recording[i].rollout = e->recording[i].rollout_nominal = none;
    }
}

sal_status sal_identification_result_new(sal_identification_result **estimate,
                                         const sal_identification_sizes *sizes, sal_err *err)
{
    sal_layout layout = {NULL, 0};
    sal_identification_result *e = sal_alloc(1, sizeof *e);
    *estimate = NULL;
    if (e != NULL) {
        e->nparameter = sizes->nparameter;
        e->nlocal = sizes->nlocal;
        e->nchannel = sizes->nchannel;
        e->nvalue = sizes->nvalue;
        e->nresidual = sizes->nresidual;
        e->nrecording = sizes->nrecording;
        e->nq = sizes->nq;
        e->nv = sizes->nv;
        place(e, &layout);
        layout.base = layout.size == SIZE_MAX ? NULL : sal_alloc(layout.size, 1);
        e->block = layout.base;
    }
    if (e == NULL || e->block == NULL) {
        sal_free(e);
        return sal_fail(err, SAL_NOMEM, "out of memory for an identification of %d recordings",
                        sizes->nrecording);
    }
    layout.size = 0;
    place(e, &layout);
    clear(e);
    *estimate = e;
    return SAL_OK;
}

sal_status sal_identification_result_resamples(sal_identification_result *e, int resamples,
                                               sal_err *err)
{
    sal_free(e->resample);
    e->resample = sal_alloc((size_t)resamples * (size_t)e->nparameter + 1, sizeof(double));
    e->resamples = resamples;
    e->nresample = 0;
    return e->resample == NULL
               ? sal_fail(err, SAL_NOMEM, "out of memory for %d fits of other sets of recordings",
                          resamples)
               : SAL_OK;
}

const char *sal_identification_resampling_name(int resampling)
{
    static const char *const name[] = {
#define RESAMPLING_NAME(code, text) text,
        SAL_IDENTIFICATION_RESAMPLING_LIST(RESAMPLING_NAME)
#undef RESAMPLING_NAME
    };
    const int n = (int)(sizeof name / sizeof name[0]);
    return name[resampling < 0 || resampling >= n ? 0 : resampling];
}

static void place_recording(const sal_identification_result *e, sal_identification_recording *r,
                            sal_layout *layout)
{
    const size_t K = (size_t)r->nsample * (size_t)e->nvalue, T = (size_t)r->nstep + 1;
    r->time = REALS(layout, T);
    r->qpos = REALS(layout, T * (size_t)e->nq);
    r->qvel = REALS(layout, T * (size_t)e->nv);
    r->unexplained = REALS(layout, T * (size_t)e->nv);
    double **const signal[] = {&r->measured, &r->fitted, &r->predicted, &r->predicted_nominal};
    for (size_t i = 0; i < sizeof signal / sizeof signal[0]; i++) {
        *signal[i] = REALS(layout, K);
        for (size_t k = 0; k < K && layout->base != NULL; k++) {
            (*signal[i])[k] = NAN;
        }
    }
    r->local = REALS(layout, e->nlocal);
    r->channel_rms = REALS(layout, e->nchannel);
    r->channel_predicted = REALS(layout, e->nchannel);
    r->channel_nominal = REALS(layout, e->nchannel);
}

sal_status sal_identification_result_room(sal_identification_result *e, int recording, int nsample,
                                          int nstep, sal_err *err)
{
    sal_identification_recording *r = e->recording + recording;
    sal_layout layout = {NULL, 0};
    r->nsample = nsample;
    r->nstep = nstep;
    place_recording(e, r, &layout);
    layout.base = layout.size == SIZE_MAX ? NULL : sal_alloc(layout.size, 1);
    if (layout.base == NULL) {
        r->nsample = r->nstep = 0;
        return sal_fail(err, SAL_NOMEM, "out of memory for a recording of %d samples", nsample);
    }
    r->block = layout.base;
    layout.size = 0;
    place_recording(e, r, &layout);
    return SAL_OK;
}

void sal_identification_result_free(sal_identification_result *e)
{
    if (e == NULL) {
        return;
    }
    for (int i = 0; i < e->nrecording; i++) {
        sal_free(e->recording[i].block);
    }
    sal_free(e->sentence);
    sal_free(e->resample);
    sal_free(e->model_xml);
    sal_free(e->block);
    sal_free(e);
}
