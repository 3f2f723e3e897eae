/* prediction.c: recordings that were left out, predicted by forward simulation.
 *
 * The state with which a prediction begins is estimated from the first samples alone, those before
 * anything is touched, with the parameters found; what follows is the engine's, step by step. The
 * same state and the parameters of the model's file give the prediction of the nominal model.
 */
#include "base/house.h"
#include "identify/fit.h"
#include "identify/rollout.h"

#include <math.h>
#include <string.h>

enum { LEAST_SAMPLES = 3, EXACT_ITERATIONS = 20, NEAR_ITERATIONS = 100 };
static const double ALMOST = 1e-6; /* of a sample */
static const double EXACT =
    0.01; /* of sigma: the motion that leads to the first state is as good as the engine's */

/* ---- the first state ---- */

/* Samples before the first at which something penetrates, and more where channels measure late: of
 * so many nothing is compared. */
static sal_status count_free(const idn_fit *fit, const sal_model *m, int recording, int *samples,
                             sal_err *err)
{
    const prb_recording *rec = fit->data->recording + recording;
    const int late = (int)ceil(idn_delays_longest(fit, fit->shared) / rec->dt - ALMOST),
              wanted = fit->settings->predict + late, least = LEAST_SAMPLES + late,
              most = wanted < rec->nsample ? wanted : rec->nsample;
    sal_data *d = NULL;
    double *q = sal_alloc((size_t)most * (size_t)m->nq, sizeof(double));
    sal_status status = q == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for a prediction")
                                  : sal_data_new(&d, m, err);
    bool touches = false;
    *samples = most;
    if (status == SAL_OK) {
        idn_motion_guess(fit, recording, most, q);
    }
    for (int k = 0; k < most && !touches && status == SAL_OK; k++) {
        memcpy(d->qpos, q + k * m->nq, (size_t)m->nq * sizeof(double));
        sal_kinematics(m, d);
        status = sal_collide(m, d, err);
        for (int i = 0; i < d->ncon; i++) {
            touches = touches || d->contact[i].dist < 0;
        }
        *samples = touches ? k : *samples;
    }
    *samples = *samples < least ? least : *samples;
    *samples = *samples < rec->nsample ? *samples : rec->nsample;
    sal_data_free(d);
    sal_free(q);
    return status;
}

/* ---- the predictions ---- */

typedef struct idn_prediction {
    idn_fit *start;       /* members: the windows */
    const double *shared; /* parameters of the prediction */
    bool nominal;
    sal_identification_result *out;
    sal_status *status; /* [nmember] */
    sal_err *err;
} idn_prediction;

static sal_status predict(idn_prediction *p, int i, int worker, sal_err *err)
{
    idn_fit *fit = p->start;
    idn_worker *w = fit->worker + worker;
    const idn_member *of = fit->of + i;
    sal_identification_recording *to = p->out->recording + of->recording;
    const double *q = idn_member_motion(fit, i, fit->x + of->x);
    const int nc = fit->data->nchannel;
    sal_status status = idn_member_model(fit, w, w->m, i, p->shared, fit->local, err);
    if (status != SAL_OK) {
        return status;
    }
    idn_parameters_channels(fit->ps, fit->data, p->shared, fit->local, w->calibration,
                            w->calibration + nc, w->calibration + 2 * nc);
    sal_differentiate_pos(w->m, w->velocity, w->m->opt.timestep, q, q + fit->nq);
    sal_identification_rollout *error = p->nominal ? &to->rollout_nominal : &to->rollout;
    const idn_rollout_case c = {.m = w->m,
                                .data = fit->data,
                                .recording = fit->data->recording + of->recording,
                                .calibration = w->calibration,
                                .qpos = q + fit->nq,
                                .qvel = w->velocity};
    return idn_rollout(p->nominal ? to->predicted_nominal : to->predicted, &error->diverged, &c,
                       err);
}

static void run(void *ctx, int i, int worker)
{
    idn_prediction *p = ctx;
    p->status[i] = predict(p, i, worker, p->err + i);
}

static sal_status predict_all(idn_prediction *p, sal_err *err)
{
    sal_status status = SAL_OK;
    sal_parallel_for(p->start->nmember, p->start->nworker, run, p);
    for (int i = 0; i < p->start->nmember && status == SAL_OK; i++) {
        status =
            p->status[i] == SAL_OK ? SAL_OK : sal_fail(err, p->status[i], "%s", p->err[i].message);
    }
    return status;
}

/* ---- all of them ---- */

/* Room for the signals of the whole recording, and its first state. */
static sal_status make_room(idn_prediction *p, sal_err *err)
{
    const idn_fit *fit = p->start;
    sal_status status = SAL_OK;
    p->status = sal_alloc((size_t)fit->nmember, sizeof *p->status);
    p->err = sal_alloc((size_t)fit->nmember, sizeof *p->err);
    if (p->status == NULL || p->err == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d predictions", fit->nmember);
    }
    for (int i = 0; i < fit->nmember && status == SAL_OK; i++) {
        const idn_member *of = fit->of + i;
        const prb_recording *rec = fit->data->recording + of->recording;
        if (p->out->recording[of->recording].block != NULL) {
            continue; /* it is of the fit */
        }
        status = sal_identification_result_room(p->out, of->recording, rec->nsample, 0, err);
        if (status == SAL_OK) {
            sal_identification_recording *to = p->out->recording + of->recording;
            idn_result_put_measured(fit, of->recording, to);
            idn_result_put_motion(fit, i, idn_member_motion(fit, i, fit->x + of->x),
                                  rec->dt / fit->substeps, to);
        }
    }
    return status;
}

/* Which recordings, and how many samples of each to start from. */
static sal_status choose(idn_fit *fit, const unsigned char *held, int *recording, int *samples,
                         int *n, sal_err *err)
{
    idn_worker *w = fit->worker;
    sal_status status = idn_member_model(fit, w, w->m, 0, fit->shared, fit->local, err);
    *n = 0;
    for (int i = 0; i < fit->data->nrecording && status == SAL_OK; i++) {
        if (held[i] || fit->settings->roll_all) {
            status = count_free(fit, w->m, i, &samples[*n], err);
            recording[(*n)++] = i;
        }
    }
    return status;
}

/* The states from which predictions begin. Where channels are late, the guess is off by their
 * delay, and the way to the exact motion is long: it goes by one that is as exact as those of the
 * fit. */
static sal_status settle(const idn_fit *fit, idn_fit *start, sal_err *err)
{
    sal_joint_result found;
    idn_stage near = fit->settings->stage[fit->settings->nstage - 1], exact;
    near.norm = (sal_norm){.kind = SAL_NORM_QUADRATIC};
    exact = near;
    near.maxiter = NEAR_ITERATIONS;
    exact.sigma *= EXACT;
    exact.maxiter = EXACT_ITERATIONS;
    if (!(idn_delays_longest(start, fit->shared) > 0)) {
        return idn_fit_settle(start, &exact, &found, err);
    }
    const sal_status status = idn_fit_settle(start, &near, &found, err);
    return status == SAL_OK ? idn_fit_run(start, &exact, true, &found, err) : status;
}

static sal_status predict_held(idn_fit *fit, idn_prediction *p, const int *recording,
                               const int *samples, int n, sal_err *err)
{
    const size_t ns = (size_t)fit->ps->nshared;
    double *nominal = sal_alloc(ns, sizeof(double));
    sal_status status = nominal == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for predictions")
                                        : idn_fit_new(&p->start, fit->identification, recording,
                                                      samples, n, fit->nworker, NULL, err);
    if (status == SAL_OK) {
        idn_parameters_nominal(fit->ps, nominal);
        memcpy(p->start->shared, fit->shared, ns * sizeof(double));
        idn_delays_hold(p->start, fit->shared);
        status = settle(fit, p->start, err);
    }
    status = status == SAL_OK ? make_room(p, err) : status;
    if (status == SAL_OK) {
        p->shared = fit->shared;
        status = predict_all(p, err);
    }
    if (status == SAL_OK) {
        p->nominal = true;
        p->shared = nominal;
        status = predict_all(p, err);
    }
    sal_free(nominal);
    return status;
}

sal_status idn_predict(idn_fit *fit, sal_identification_result *out, const unsigned char *held,
                       sal_err *err)
{
    const size_t n = (size_t)fit->data->nrecording;
    int *recording = sal_alloc(2 * n, sizeof(int)), nheld = 0;
    idn_prediction p = {.out = out};
    sal_status status = recording == NULL
                            ? sal_fail(err, SAL_NOMEM, "out of memory for predictions")
                            : choose(fit, held, recording, recording + n, &nheld, err);
    if (status == SAL_OK && nheld > 0) {
        status = predict_held(fit, &p, recording, recording + n, nheld, err);
    }
    idn_fit_free(p.start);
    sal_free(p.status);
    sal_free(p.err);
    sal_free(recording);
    return status;
}
