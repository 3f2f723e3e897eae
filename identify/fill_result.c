/* fill_result.c: what an estimation came to: motions, signals, the information of each recording, and how well those left out are predicted. */
#include "identify/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what it is about --------------------------------------------------------------------------------------------------------------- */

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

/* ---- a recording --------------------------------------------------------------------------------------------------------------------- */

void idn_member_readings(const idn_fit *fit, const idn_worker *w, const idn_point *at, double *out)
{
    const sal_dataset *data = fit->data;
    const idn_member *of = fit->of + at->member;
    const idn_signals own = idn_worker_signals(w, false);
    for (int k = 0; k < of->nsample; k++) {
        for (int c = 0; c < data->nchannel; c++) {
            const prb_channel *channel = data->channel + c;
            if (channel->data == data->recording[of->recording].data &&
                (fit->measured[c].direct || fit->measured[c].place >= 0)) {
                idn_channel_reading(fit, at, &own, c, k,
                                    out + (size_t)k * (size_t)data->nvalue + channel->adr);
            }
        }
    }
}

static void count_numbers(const idn_fit *fit, int member, sal_identification_recording *to)
{
    const sal_dataset *data = fit->data;
    const idn_member *of = fit->of + member;
    const prb_recording *rec = data->recording + of->recording;
    to->nresidual = of->nstep * fit->nv;
    for (int k = 0; k < of->nsample; k++) {
        for (int c = 0; c < data->nchannel; c++) {
            const double *value =
                rec->value + (size_t)k * (size_t)data->nvalue + data->channel[c].adr;
            const bool measured = data->channel[c].data == rec->data &&
                                  (fit->measured[c].direct || fit->measured[c].place >= 0);
            to->nresidual += measured && isfinite(value[0]) ? data->channel[c].nres : 0;
        }
    }
    to->nvariable = fit->member[member].nblock * fit->nv + fit->ps->nlocal;
}

void idn_result_put_motion(const idn_fit *fit, int member, const double *q, double timestep,
                           sal_identification_recording *to)
{
    const sal_model *m = fit->p->model;
    to->timestep = timestep;
    for (int t = 0; t <= to->nstep; t++) {
        const double *qt = q + (size_t)(t + 1) * (size_t)m->nq;
        to->time[t] = to->start + t * timestep;
        memcpy(to->qpos + (size_t)t * (size_t)m->nq, qt, (size_t)m->nq * sizeof(double));
        sal_differentiate_pos(m, to->qvel + (size_t)t * (size_t)m->nv, timestep, qt - m->nq, qt);
    }
    count_numbers(fit, member, to);
}

static sal_status put_fitted(idn_fit *fit, int member, const double *shared,
                             sal_identification_recording *to, sal_err *err)
{
    const sal_model *m = fit->p->model;
    idn_worker *w = fit->worker;
    const idn_member *of = fit->of + member;
    const double *x = fit->x + of->x;
    const idn_point at = idn_member_at(fit, member, x, shared);
    const sal_status status = idn_member_outputs(fit, w, &at, err);
    if (status != SAL_OK) {
        return status;
    }
    idn_result_put_motion(fit, member, at.q, fit->data->recording[of->recording].dt / fit->substeps,
                          to);
    for (int t = 0; t <= to->nstep; t++) {
        const double *y = w->y + (size_t)t * (size_t)fit->ny;
        for (int i = 0; i < m->nv; i++) {
            const double known = fit->out_actuation < 0 ? 0 : y[fit->out_actuation + i];
            to->unexplained[t * m->nv + i] = y[fit->out_force + i] - known;
        }
    }
    idn_member_readings(fit, w, &at, to->fitted);
    idn_parameters_local_values(fit->ps, to->local, at.local);
    return idn_member_value(fit, 0, member, x, shared, &to->cost, err);
}

void idn_result_put_measured(const idn_fit *fit, int recording, sal_identification_recording *to)
{
    const prb_recording *rec = fit->data->recording + recording;
    snprintf(to->name, sizeof to->name, "%s", rec->name);
    snprintf(to->cluster, sizeof to->cluster, "%s", rec->cluster);
    to->start = rec->start;
    to->dt = rec->dt;
    memcpy(to->measured, rec->value,
           (size_t)to->nsample * (size_t)fit->data->nvalue * sizeof(double));
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
            status = put_fitted(fit, i, fit->shared, out->recording + of->recording, err);
        }
    }
    return status;
}

/* ---- information -------------------------------------------------------------------------------------------------------------------- */

/* S and score of the members, at their recordings' places */
static sal_status put_information(idn_fit *fit, sal_identification_result *out, sal_err *err)
{
    const size_t n = (size_t)fit->ps->nshared, nm = (size_t)fit->nmember;
    double *S = sal_alloc(nm * n * n, sizeof(double)), *score = sal_alloc(nm * n, sizeof(double));
    sal_status status =
        S == NULL || score == NULL
            ? sal_fail(err, SAL_NOMEM, "out of memory for the account")
            : sal_joint_account(fit->joint, fit->x, fit->shared, S, score, NULL, err);
    for (size_t i = 0; i < nm && status == SAL_OK && S != NULL && score != NULL; i++) {
        const size_t at = (size_t)fit->of[i].recording;
        memcpy(out->S + at * n * n, S + i * n * n, n * n * sizeof(double));
        memcpy(out->score + at * n, score + i * n, n * sizeof(double));
    }
    sal_free(S);
    sal_free(score);
    return status;
}

/* A parameter that was to be estimated and of which no recording says anything is a mistake. What rounding and differences say is nothing. */
static sal_status check_effects(const sal_identification_result *out, sal_err *err)
{
    const double nothing = 1e-8; /* 1/variance of a logarithm, or of a number in its own size */
    const int n = out->nparameter;
    for (int k = 0; k < n; k++) {
        const sal_identification_parameter *p = out->parameter + k;
        const bool linear = strcmp(p->map, "linear") == 0;
        const double size = linear ? fmax(fabs(p->value), 1e-3) : 1;
        double information = p->weight;
        for (int i = 0; i < out->nrecording; i++) {
            information += out->S[((size_t)i * (size_t)n + (size_t)k) * (size_t)n + (size_t)k];
        }
        if (p->free && information * size * size < nothing) {
            return sal_fail(
                err, SAL_BADINPUT,
                "parameter '%s' has no effect on any recording: remove it, or give it a "
                "prior (in units of acceleration a mass that all forces share cancels)",
                p->name);
        }
    }
    return SAL_OK;
}

/* ---- the result --------------------------------------------------------------------------------------------------------------------- */

/* The motion of the first recording of the fit, under the model that was found. */
static sal_status evaluate(idn_fit *fit, sal_result **result, sal_err *err)
{
    idn_worker *w = fit->worker;
    const idn_member *of = fit->of;
    sal_problem p = *fit->p;
    const double *local = fit->x + fit->member[0].nx - fit->ps->nlocal;
    sal_status status = idn_member_model(fit, w, w->m, 0, fit->shared, local, err);
    if (status != SAL_OK) {
        return status;
    }
    p.model = w->m;
    p.nstep = of->nstep;
    p.boundary = SAL_OPEN;
    p.image = NULL;
    p.seed = fit->settings->seed;
    return sal_result_evaluate(result, &p, w->m,
                               &(sal_motion){of->nstep, idn_member_motion(fit, 0, fit->x), NULL}, 0,
                               err);
}

static int exit_code(sal_stop stop)
{
    return stop == SAL_STOP_CONVERGED ? 0 : stop == SAL_STOP_INTERRUPTED ? 130 : 1;
}

static void put_outcome(idn_fit *fit, const sal_joint_result *found, sal_result *r)
{
    r->cost = found->cost;
    r->optim.stop = found->stop;
    r->optim.cost = found->cost;
    r->optim.linearisations = fit->linearisations;
    snprintf(r->status, sizeof r->status, "%s", sal_stop_text(found->stop));
    r->exit_code = exit_code(found->stop);
    r->iteration = fit->iteration;
    r->niteration = fit->niteration;
    fit->iteration = NULL;
}

/* The user's model file with what was found. */
static sal_status put_model(const idn_fit *fit, const sal_identification_result *found,
                            sal_result *result, sal_err *err)
{
    sal_text text = {0};
    const sal_status status = idn_identified_model(fit->p, found, &text, err);
    if (status == SAL_OK) {
        result->identified_xml = text.data;
    } else {
        sal_text_clear(&text);
    }
    return status;
}

sal_status idn_result_fill(idn_fit *fit, const sal_joint_result *found, const unsigned char *held,
                           sal_result **result, sal_err *err)
{
    const sal_dataset *data = fit->data;
    const sal_identification_sizes sizes = {
        fit->ps->nshared,     fit->ps->nlocal,  data->nchannel, data->nvalue,
        count_residuals(fit), data->nrecording, fit->nq,        fit->nv};
    const size_t nb = (size_t)fit->nborder;
    sal_identification_result *out = NULL;
    double *scratch = sal_alloc(4 * nb, sizeof(double));
    sal_status status = scratch == NULL ? sal_fail(err, SAL_NOMEM, "out of memory")
                                        : sal_identification_result_new(&out, &sizes, err);
    if (status != SAL_OK) {
        goto done;
    }
    describe_parameters(fit, out, false, scratch);
    describe_parameters(fit, out, true, scratch);
    describe_channels(fit, out);
    for (int i = 0; i < data->nrecording; i++) {
        out->recording[i].held = held[i];
    }
    status = put_fit(fit, out, err);
    status = status == SAL_OK ? put_information(fit, out, err) : status;
    status =
        status == SAL_OK && found->stop != SAL_STOP_INTERRUPTED ? check_effects(out, err) : status;
    status = status == SAL_OK ? idn_predict(fit, out, held, err) : status;
    status = status == SAL_OK ? sal_identification_result_assess(out, err) : status;
    status = status == SAL_OK ? evaluate(fit, result, err) : status;
    status = status == SAL_OK ? put_model(fit, out, *result, err) : status;
    if (status == SAL_OK) {
        put_outcome(fit, found, *result);
        (*result)->identification = out;
        out = NULL;
    }
done:
    sal_identification_result_free(out);
    sal_free(scratch);
    return status;
}
