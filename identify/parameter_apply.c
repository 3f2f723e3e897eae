/* parameter_apply.c: parameters into a model, and into what channels measure. */
#include "identify/parameter.h"

#include <string.h>

struct idn_parameters_work {
    sal_remodel *remodel;
    sal_model *model; /* the last one */
    double *value;    /* its v: the shared, then the local ones */
    double *next;     /* [nshared + nlocal] */
    bool made;        /* the model is of these values */
};

sal_status idn_parameters_work_new(idn_parameters_work **out, const idn_parameters *ps,
                                   sal_err *err)
{
    const size_t n = (size_t)ps->nshared + (size_t)ps->nlocal;
    idn_parameters_work *work = sal_alloc(1, sizeof *work);
    sal_status status = SAL_NOMEM;
    *out = NULL;
    if (work != NULL) {
        work->value = sal_alloc(2 * n, sizeof *work->value);
        work->next = work->value == NULL ? NULL : work->value + n;
        status =
            work->value == NULL ? SAL_NOMEM : sal_remodel_copy(&work->remodel, ps->remodel, err);
    }
    if (status == SAL_OK) {
        status = sal_model_copy(&work->model, sal_remodel_nominal(work->remodel), err);
    }
    if (status != SAL_OK) {
        idn_parameters_work_free(work);
        return status == SAL_NOMEM ? sal_fail(err, status, "out of memory for parameters") : status;
    }
    *out = work;
    return SAL_OK;
}

void idn_parameters_work_free(idn_parameters_work *work)
{
    if (work != NULL) {
        sal_remodel_free(work->remodel);
        sal_model_free(work->model);
        sal_free(work->value);
        sal_free(work);
    }
}

const sal_remodel *idn_parameters_work_remodel(const idn_parameters_work *work)
{
    return work->remodel;
}

static double combine(idn_parameter_as as, double nominal, double v)
{
    return as == IDN_AS_VALUE ? v : as == IDN_AS_SCALE ? nominal * v : nominal + v;
}

/* The numbers of one target; a single v stands for all of them. */
static void set_target(sal_remodel *r, const idn_parameter *p, const idn_target *t, const double *v)
{
    const double *nominal = sal_remodel_loose(r, t->loose).nominal + t->first;
    for (int k = 0; k < t->n; k++) {
        const double x = combine(p->as, nominal[k], v[p->n == 1 ? 0 : k]);
        sal_remodel_set(r, t->loose, t->first + k, x);
    }
}

/* Into work->next; NULL locals are where they start. */
static void take_values(const idn_parameters *ps, idn_parameters_work *work, const double *shared,
                        const double *local)
{
    idn_parameters_values(ps, work->next, shared);
    for (int i = 0; i < ps->nparameter; i++) {
        const idn_parameter *p = &ps->parameter[i];
        double *v = work->next + ps->nshared + p->adr;
        if (p->local && local == NULL) {
            memcpy(v, p->value, (size_t)p->n * sizeof *v);
        } else if (p->local) {
            idn_parameter_values(p, v, local + p->adr);
        }
    }
}

static sal_status make(const idn_parameters *ps, idn_parameters_work *work, sal_err *err)
{
    for (int i = 0; i < ps->nparameter; i++) {
        const idn_parameter *p = &ps->parameter[i];
        const double *v = work->next + (p->local ? ps->nshared : 0) + p->adr;
        for (int k = 0; k < p->ntarget; k++) {
            if (p->target[k].channel < 0) {
                set_target(work->remodel, p, &p->target[k], v);
            }
        }
    }
    return sal_remodel_make(work->remodel, work->model, err);
}

sal_status idn_parameters_apply(const idn_parameters *ps, idn_parameters_work *work, sal_model *m,
                                const double *shared, const double *local, sal_err *err)
{
    const size_t bytes = (size_t)(ps->nshared + ps->nlocal) * sizeof(double);
    sal_status status = SAL_OK;
    take_values(ps, work, shared, local);
    if (!work->made || memcmp(work->next, work->value, bytes) != 0) {
        status = make(ps, work, err);
        if (status == SAL_OK) { /* else the last one stays */
            memcpy(work->value, work->next, bytes);
            work->made = true;
        }
    }
    return status == SAL_OK ? sal_model_assign(m, work->model, err) : status;
}

void idn_parameters_channels(const idn_parameters *ps, const prb_dataset *data,
                             const double *shared, const double *local, double *scale,
                             double *offset, double *delay)
{
    double *out[3] = {offset, scale, delay};
    for (int c = 0; c < data->nchannel; c++) {
        scale[c] = data->channel[c].scale;
        offset[c] = data->channel[c].offset;
        delay[c] = data->channel[c].delay;
    }
    for (int i = 0; i < ps->nparameter; i++) {
        const idn_parameter *p = &ps->parameter[i];
        const double *u = p->local ? local : shared;
        double v = p->value[0];
        if (p->target[0].channel < 0) {
            continue;
        }
        if (u != NULL) {
            idn_parameter_values(p, &v, u + p->adr);
        }
        for (int k = 0; k < p->ntarget; k++) {
            const idn_target *t = &p->target[k];
            out[t->field][t->channel] = combine(p->as, out[t->field][t->channel], v);
        }
    }
}
