/* estimate_report.c: what an estimation came to: motions, signals, the information of each recording, and how well those left out are predicted. */
#include "identify/estimator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what it is about --------------------------------------------------------------------------------------------------------------- */

static const char *const map_name[] = {"linear", "log", "bounded", "inertia"};

static bool is_freed(const idn_estimator *est, int parameter)
{
    bool freed = false;
    for (int k = 0; k < est->e->nstage; k++) {
        freed = freed || est->e->stage[k].freed[parameter];
    }
    return freed;
}

static void describe_parameters(const idn_estimator *est, sal_estimate *out, bool local,
                                double *scratch)
{
    const sal_parameters *ps = est->ps;
    const int n = local ? ps->nlocal : ps->nshared;
    double *lower = scratch, *upper = scratch + n, *mean = scratch + 2 * n,
           *weight = scratch + 3 * n;
    idn_parameters_bounds(ps, local, lower, upper);
    idn_parameters_prior(ps, local, mean, weight);
    for (int i = 0; i < n; i++) {
        int k;
        const idn_parameter *p = idn_parameters_of(ps, local, i, &k);
        sal_estimate_parameter *to = (local ? out->local : out->parameter) + i;
        idn_parameter_number_name(p, k, to->name, sizeof to->name);
        snprintf(to->unit, sizeof to->unit, "%s", p->unit);
        snprintf(to->map, sizeof to->map, "%s", map_name[p->map]);
        to->free = is_freed(est, (int)(p - ps->parameter));
        to->nominal = p->nominal[k];
        to->initial = to->value = p->value[k];
        to->lower = p->lower[k];
        to->upper = p->upper[k];
        to->weight = weight[i];
        to->prior_sigma = weight[i] > 0 ? 1 / sqrt(weight[i]) : (double)NAN;
    }
    if (!local) {
        idn_parameters_values(ps, scratch, est->shared);
        for (int i = 0; i < n; i++) {
            out->parameter[i].value = scratch[i];
        }
        idn_parameters_slope(ps, out->slope, est->shared);
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

static void describe_channels(const idn_estimator *est, sal_estimate *out)
{
    int at = 0;
    for (int c = 0; c < est->data->nchannel; c++) {
        const prb_channel *from = est->data->channel + c;
        sal_estimate_channel *to = out->channel + c;
        const bool measured = est->measured[c].direct || est->measured[c].place >= 0;
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

static int count_residuals(const idn_estimator *est)
{
    int n = 0;
    for (int c = 0; c < est->data->nchannel; c++) {
        const bool measured = est->measured[c].direct || est->measured[c].place >= 0;
        n += measured ? est->data->channel[c].nres : 0;
    }
    return n;
}

/* ---- a recording --------------------------------------------------------------------------------------------------------------------- */

void idn_estimator_readings(const idn_estimator *est, const idn_estimator_worker *w,
                            const idn_estimator_point *at, double *out)
{
    const sal_dataset *data = est->data;
    const idn_estimator_member *of = est->of + at->member;
    const idn_estimator_signals own = idn_estimator_own(w, false);
    for (int k = 0; k < of->nsample; k++) {
        for (int c = 0; c < data->nchannel; c++) {
            const prb_channel *channel = data->channel + c;
            if (channel->data == data->recording[of->recording].data &&
                (est->measured[c].direct || est->measured[c].place >= 0)) {
                idn_estimator_reading(est, at, &own, c, k,
                                      out + (size_t)k * (size_t)data->nvalue + channel->adr);
            }
        }
    }
}

static void count_numbers(const idn_estimator *est, int member, sal_estimate_recording *to)
{
    const sal_dataset *data = est->data;
    const idn_estimator_member *of = est->of + member;
    const prb_recording *rec = data->recording + of->recording;
    to->nresidual = of->nstep * est->nv;
    for (int k = 0; k < of->nsample; k++) {
        for (int c = 0; c < data->nchannel; c++) {
            const double *value =
                rec->value + (size_t)k * (size_t)data->nvalue + data->channel[c].adr;
            const bool measured = data->channel[c].data == rec->data &&
                                  (est->measured[c].direct || est->measured[c].place >= 0);
            to->nresidual += measured && isfinite(value[0]) ? data->channel[c].nres : 0;
        }
    }
    to->nvariable = est->member[member].nblock * est->nv + est->ps->nlocal;
}

void idn_estimator_put_motion(const idn_estimator *est, int member, const double *q,
                              double timestep, sal_estimate_recording *to)
{
    const sal_model *m = est->p->model;
    to->timestep = timestep;
    for (int t = 0; t <= to->nstep; t++) {
        const double *qt = q + (size_t)(t + 1) * (size_t)m->nq;
        to->time[t] = to->start + t * timestep;
        memcpy(to->qpos + (size_t)t * (size_t)m->nq, qt, (size_t)m->nq * sizeof(double));
        sal_differentiate_pos(m, to->qvel + (size_t)t * (size_t)m->nv, timestep, qt - m->nq, qt);
    }
    count_numbers(est, member, to);
}

static sal_status put_fitted(idn_estimator *est, int member, const double *shared,
                             sal_estimate_recording *to, sal_err *err)
{
    const sal_model *m = est->p->model;
    idn_estimator_worker *w = est->worker;
    const idn_estimator_member *of = est->of + member;
    const double *x = est->x + of->x;
    const idn_estimator_point at = idn_estimator_at(est, member, x, shared);
    const sal_status status = idn_estimator_outputs(est, w, &at, err);
    if (status != SAL_OK) {
        return status;
    }
    idn_estimator_put_motion(est, member, at.q,
                             est->data->recording[of->recording].dt / est->substeps, to);
    for (int t = 0; t <= to->nstep; t++) {
        const double *y = w->y + (size_t)t * (size_t)est->ny;
        for (int i = 0; i < m->nv; i++) {
            const double known = est->out_actuation < 0 ? 0 : y[est->out_actuation + i];
            to->unexplained[t * m->nv + i] = y[est->out_force + i] - known;
        }
    }
    idn_estimator_readings(est, w, &at, to->fitted);
    idn_parameters_local_values(est->ps, to->local, at.local);
    return idn_estimator_value(est, 0, member, x, shared, &to->cost, err);
}

void idn_estimator_put_measured(const idn_estimator *est, int recording, sal_estimate_recording *to)
{
    const prb_recording *rec = est->data->recording + recording;
    snprintf(to->name, sizeof to->name, "%s", rec->name);
    snprintf(to->cluster, sizeof to->cluster, "%s", rec->cluster);
    to->start = rec->start;
    to->dt = rec->dt;
    memcpy(to->measured, rec->value,
           (size_t)to->nsample * (size_t)est->data->nvalue * sizeof(double));
}

static sal_status put_fit(idn_estimator *est, sal_estimate *out, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int i = 0; i < est->nmember && status == SAL_OK; i++) {
        const idn_estimator_member *of = est->of + i;
        status = sal_estimate_room(out, of->recording, of->nsample, of->nstep - 1, err);
        if (status == SAL_OK) {
            idn_estimator_put_measured(est, of->recording, out->recording + of->recording);
            status = put_fitted(est, i, est->shared, out->recording + of->recording, err);
        }
    }
    return status;
}

/* ---- information -------------------------------------------------------------------------------------------------------------------- */

/* S and score of the members, at their recordings' places */
static sal_status put_information(idn_estimator *est, sal_estimate *out, sal_err *err)
{
    const size_t n = (size_t)est->ps->nshared, nm = (size_t)est->nmember;
    double *S = sal_alloc(nm * n * n, sizeof(double)), *score = sal_alloc(nm * n, sizeof(double));
    sal_status status =
        S == NULL || score == NULL
            ? sal_fail(err, SAL_NOMEM, "out of memory for the account")
            : sal_joint_account(est->joint, est->x, est->shared, S, score, NULL, err);
    for (size_t i = 0; i < nm && status == SAL_OK && S != NULL && score != NULL; i++) {
        const size_t at = (size_t)est->of[i].recording;
        memcpy(out->S + at * n * n, S + i * n * n, n * n * sizeof(double));
        memcpy(out->score + at * n, score + i * n, n * sizeof(double));
    }
    sal_free(S);
    sal_free(score);
    return status;
}

/* A parameter that was to be estimated and of which no recording says anything is a mistake. What rounding and differences say is nothing. */
static sal_status check_effects(const sal_estimate *out, sal_err *err)
{
    const double nothing = 1e-8; /* 1/variance of a logarithm, or of a number in its own size */
    const int n = out->nparameter;
    for (int k = 0; k < n; k++) {
        const sal_estimate_parameter *p = out->parameter + k;
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
static sal_status evaluate(idn_estimator *est, sal_result **result, sal_err *err)
{
    idn_estimator_worker *w = est->worker;
    const idn_estimator_member *of = est->of;
    sal_problem p = *est->p;
    const double *local = est->x + est->member[0].nx - est->ps->nlocal;
    sal_status status = idn_estimator_model(est, w, w->m, 0, est->shared, local, err);
    if (status != SAL_OK) {
        return status;
    }
    p.model = w->m;
    p.nstep = of->nstep;
    p.boundary = SAL_OPEN;
    p.image = NULL;
    p.seed = est->e->seed;
    return sal_result_evaluate(result, &p, w->m,
                               &(sal_motion){of->nstep, idn_estimator_motion(est, 0, est->x), NULL},
                               0, err);
}

static int exit_code(sal_stop stop)
{
    return stop == SAL_STOP_CONVERGED ? 0 : stop == SAL_STOP_INTERRUPTED ? 130 : 1;
}

static void put_outcome(idn_estimator *est, const sal_joint_result *found, sal_result *r)
{
    r->cost = found->cost;
    r->optim.stop = found->stop;
    r->optim.cost = found->cost;
    r->optim.linearisations = est->linearisations;
    snprintf(r->status, sizeof r->status, "%s", sal_stop_text(found->stop));
    r->exit_code = exit_code(found->stop);
    r->iteration = est->iteration;
    r->niteration = est->niteration;
    est->iteration = NULL;
}

/* The user's model file with what was found. */
static sal_status put_model(const idn_estimator *est, const sal_estimate *found, sal_result *result,
                            sal_err *err)
{
    sal_text text = {0};
    const sal_status status = idn_identified_model(est->p, found, &text, err);
    if (status == SAL_OK) {
        result->identified_xml = text.data;
    } else {
        sal_text_clear(&text);
    }
    return status;
}

sal_status idn_estimator_report(idn_estimator *est, const sal_joint_result *found,
                                const unsigned char *held, sal_result **result, sal_err *err)
{
    const sal_dataset *data = est->data;
    const sal_estimate_sizes sizes = {
        est->ps->nshared,     est->ps->nlocal,  data->nchannel, data->nvalue,
        count_residuals(est), data->nrecording, est->nq,        est->nv};
    const size_t nb = (size_t)est->nborder;
    sal_estimate *out = NULL;
    double *scratch = sal_alloc(4 * nb, sizeof(double));
    sal_status status = scratch == NULL ? sal_fail(err, SAL_NOMEM, "out of memory")
                                        : sal_estimate_new(&out, &sizes, err);
    if (status != SAL_OK) {
        goto done;
    }
    describe_parameters(est, out, false, scratch);
    describe_parameters(est, out, true, scratch);
    describe_channels(est, out);
    for (int i = 0; i < data->nrecording; i++) {
        out->recording[i].held = held[i];
    }
    status = put_fit(est, out, err);
    status = status == SAL_OK ? put_information(est, out, err) : status;
    status =
        status == SAL_OK && found->stop != SAL_STOP_INTERRUPTED ? check_effects(out, err) : status;
    status = status == SAL_OK ? idn_estimator_predict(est, out, held, err) : status;
    status = status == SAL_OK ? sal_estimate_account(out, err) : status;
    status = status == SAL_OK ? evaluate(est, result, err) : status;
    status = status == SAL_OK ? put_model(est, out, *result, err) : status;
    if (status == SAL_OK) {
        put_outcome(est, found, *result);
        (*result)->estimate = out;
        out = NULL;
    }
done:
    sal_estimate_free(out);
    sal_free(scratch);
    return status;
}
