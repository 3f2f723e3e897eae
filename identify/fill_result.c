/* fill_result.c: what a fit found: parameters, channels, motions, and the information of each
 * recording. */
#include "identify/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what it is about ---- */

static const char *const map_name[] = {"linear", "log", "bounded", "inertia"};

static bool is_freed(const idn_fit *fit, int parameter)
{
    bool freed = false;
    for (int k = 0; k < fit->settings->nstage; k++) {
        freed = freed || fit->settings->stage[k].freed[parameter];
    }
    return freed;
}

static void describe_parameters(const idn_fit *fit, sal_identification_result *out, bool local,
                                double *scratch)
{
    const idn_parameters *ps = fit->ps;
    const int n = local ? ps->nlocal : ps->nshared;
    double *lower = scratch, *upper = scratch + n, *mean = scratch + 2 * n,
           *weight = scratch + 3 * n;
    idn_parameters_bounds(ps, local, lower, upper);
    idn_parameters_prior(ps, local, mean, weight);
    for (int i = 0; i < n; i++) {
        int k;
        const idn_parameter *p = idn_parameters_of(ps, local, i, &k);
        sal_identification_parameter *to = (local ? out->local : out->parameter) + i;
        idn_parameter_number_name(p, k, to->name, sizeof to->name);
        snprintf(to->unit, sizeof to->unit, "%s", p->unit);
        snprintf(to->map, sizeof to->map, "%s", map_name[p->map]);
        to->free = is_freed(fit, (int)(p - ps->parameter));
        to->nominal = p->nominal[k];
        to->initial = to->value = p->value[k];
        to->lower = p->lower[k];
        to->upper = p->upper[k];
        to->weight = weight[i];
        to->prior_sigma = weight[i] > 0 ? 1 / sqrt(weight[i]) : (double)NAN;
    }
    if (!local) {
        idn_parameters_values(ps, scratch, fit->shared);
        for (int i = 0; i < n; i++) {
            out->parameter[i].value = scratch[i];
        }
        idn_parameters_slope(ps, out->slope, fit->shared);
    }
}

static const char *channel_unit(const prb_channel *c)
{
    switch (c->kind) {
    case PRB_CHANNEL_BODY:
    case PRB_CHANNEL_SITE:
        return "m";
    case PRB_CHANNEL_JOINT:
        return c->order == 0 ? "rad" : "rad/s";
    case PRB_CHANNEL_FORCE:
        return "N";
    case PRB_CHANNEL_SENSOR:
    case PRB_CHANNEL_CTRL:
        break;
    }
    return "";
}

static void describe_channels(const idn_fit *fit, sal_identification_result *out)
{
    int at = 0;
    for (int c = 0; c < fit->data->nchannel; c++) {
        const prb_channel *from = fit->data->channel + c;
        sal_identification_channel *to = out->channel + c;
        const bool measured = fit->measured[c].direct || fit->measured[c].place >= 0;
        snprintf(to->name, sizeof to->name, "%s", from->name);
        snprintf(to->unit, sizeof to->unit, "%s", channel_unit(from));
        to->kind = (int)from->kind;
        to->n = from->n;
        to->adr = from->adr;
        to->nres = measured ? from->nres : 0;
        to->res_adr = at;
        for (int i = 0; i < to->nres; i++) {
            out->sigma[at++] = from->sigma[i];
        }
    }
}

static int count_residuals(const idn_fit *fit)
{
    int n = 0;
    for (int c = 0; c < fit->data->nchannel; c++) {
        const bool measured = fit->measured[c].direct || fit->measured[c].place >= 0;
        n += measured ? fit->data->channel[c].nres : 0;
    }
    return n;
}

static sal_status put_fit(idn_fit *fit, sal_identification_result *out, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int i = 0; i < fit->nmember && status == SAL_OK; i++) {
        const idn_member *of = fit->of + i;
        status =
            sal_identification_result_room(out, of->recording, of->nsample, of->nstep - 1, err);
        if (status == SAL_OK) {
            idn_result_put_measured(fit, of->recording, out->recording + of->recording);
            status = idn_result_put_member(fit, i, out->recording + of->recording, err);
        }
    }
    return status;
}

/* ---- information ---- */

/* S and score of the members, at their recordings' places */
static sal_status put_information(idn_fit *fit, sal_identification_result *out, sal_err *err)
{
    const size_t n = (size_t)fit->ps->nshared, nm = (size_t)fit->nmember;
    double *S = sal_alloc(nm * n * n, sizeof(double)), *score = sal_alloc(nm * n, sizeof(double));
    sal_status status =
        S == NULL || score == NULL
            ? sal_fail(err, SAL_NOMEM, "out of memory for the information of the recordings")
            : sal_joint_information(fit->joint, fit->x, fit->shared, S, score, NULL, err);
    for (size_t i = 0; i < nm && status == SAL_OK && S != NULL && score != NULL; i++) {
        const size_t at = (size_t)fit->of[i].recording;
        memcpy(out->S + at * n * n, S + i * n * n, n * n * sizeof(double));
        memcpy(out->score + at * n, score + i * n, n * sizeof(double));
    }
    sal_free(S);
    sal_free(score);
    return status;
}

/* ---- all ---- */

sal_status idn_result_fill(sal_identification_result **found, idn_fit *fit,
                           const unsigned char *held, sal_err *err)
{
    const prb_dataset *data = fit->data;
    const sal_identification_sizes sizes = {
        fit->ps->nshared,     fit->ps->nlocal,  data->nchannel, data->nvalue,
        count_residuals(fit), data->nrecording, fit->nq,        fit->nv};
    sal_identification_result *out = NULL;
    double *scratch = sal_alloc(4 * (size_t)fit->nborder, sizeof(double));
    sal_status status = scratch == NULL ? sal_fail(err, SAL_NOMEM, "out of memory")
                                        : sal_identification_result_new(&out, &sizes, err);
    *found = out;
    if (status != SAL_OK) {
        sal_free(scratch);
        return status;
    }
    describe_parameters(fit, out, false, scratch);
    describe_parameters(fit, out, true, scratch);
    describe_channels(fit, out);
    for (int i = 0; i < data->nrecording; i++) {
        out->recording[i].held = held[i];
    }
    status = put_fit(fit, out, err);
    status = status == SAL_OK ? put_information(fit, out, err) : status;
    sal_free(scratch);
    return status;
}
