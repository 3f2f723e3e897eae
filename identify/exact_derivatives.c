/* exact_derivatives.c: exact derivatives of the dynamics by parameters, where physics knows them:
 * each of them costs a part of an evaluation, and all together one. By what a parameter does to the
 * compiled model (two models, a step apart to both sides) the force changes by P, so that with
 * the parameter moved by e it would be  f + e P.  Then nothing else that is measured depends on it.
 */
#include "identify/fit.h"

#include <string.h>

static bool is_fixed_frame(int type)
{
    return type == SAL_OBJ_SITE || type == SAL_OBJ_JOINT || type == SAL_OBJ_XBODY ||
           type == SAL_OBJ_TENDON || type == SAL_OBJ_ACTUATOR;
}

/* Readings that may follow from forces, masses or shapes. */
static bool is_heavy(const sal_model *m, int sensor)
{
    const int type = m->sensor_type[sensor];
    return m->sensor_stage[sensor] == (int)SAL_STAGE_ACC || type == SAL_SENS_RANGEFINDER ||
           !is_fixed_frame(m->sensor_objtype[sensor]) ||
           (m->sensor_refid[sensor] >= 0 && !is_fixed_frame(m->sensor_reftype[sensor]));
}

/* Whether nothing else follows from forces, masses or shapes, neither readings nor what actuators
 * do: else all is evaluated. */
static bool is_plain(const idn_fit *fit)
{
    const sal_model *m = fit->p->model;
    for (int c = 0; c < fit->data->nchannel; c++) {
        const prb_channel *channel = fit->data->channel + c;
        if (channel->kind == PRB_CHANNEL_SENSOR && is_heavy(m, channel->id)) {
            return false;
        }
    }
    for (int i = 0; i < m->nu; i++) {
        if (m->actuator_gaintype[i] == SAL_GAIN_MUSCLE) {
            return false;
        }
    }
    return true;
}

static bool is_of_model(const idn_fit *fit, int k)
{
    const int nl = fit->ps->nlocal;
    int number;
    const idn_parameter *p = idn_parameters_of(fit->ps, k < nl, k < nl ? k : k - nl, &number);
    return p != NULL && p->target[0].channel < 0;
}

sal_status idn_exact_new(const idn_fit *fit, idn_exact *twin, sal_err *err)
{
    const size_t n = (size_t)fit->nborder, nv = (size_t)fit->nv;
    sal_status status = SAL_OK;
    twin->exact = sal_alloc(n, 1);
    twin->model = sal_alloc(2 * n, sizeof(sal_model *));
    twin->change = sal_alloc(n, sizeof *twin->change);
    twin->P = sal_alloc((size_t)fit->most_steps * n * nv, sizeof(double));
    if (twin->exact == NULL || twin->model == NULL || twin->change == NULL || twin->P == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for derivatives by %d parameters",
                        fit->nborder);
    }
    for (int k = 0; k < fit->nborder && is_plain(fit) && status == SAL_OK; k++) {
        for (int side = 0; side < 2 && is_of_model(fit, k) && status == SAL_OK; side++) {
            status = sal_model_copy(&twin->model[2 * k + side], fit->p->model, err);
        }
    }
    return status;
}

void idn_exact_free(idn_exact *twin, int nborder)
{
    for (int k = 0; k < 2 * nborder && twin->model != NULL; k++) {
        sal_model_free(twin->model[k]);
    }
    sal_free(twin->exact);
    sal_free(twin->model);
    sal_free(twin->change);
    sal_free(twin->P);
}

/* The two models of parameter k; *exact: there is a derivative. Without one differences do; a lack
 * of memory is no reason for them, since the estimate would be another. */
static sal_status two_models(const idn_fit *fit, idn_worker *w, const idn_point *at, int k,
                             sal_model_change *change, bool *exact, sal_err *err)
{
    const int nl = fit->ps->nlocal, ns = fit->ps->nshared;
    const double e = fit->step_u[k];
    sal_model **model = w->twin.model + 2 * k;
    sal_err why = {0};
    *exact = false;
    for (int side = 0; side < 2; side++) {
        memcpy(w->u, at->local, (size_t)nl * sizeof(double));
        memcpy(w->u + nl, at->shared, (size_t)ns * sizeof(double));
        w->u[k] += side == 0 ? -e : e;
        const sal_status status =
            model[side] == NULL
                ? SAL_UNSUPPORTED
                : idn_member_model(fit, w, model[side], at->member, w->u + nl, w->u, &why);
        if (status != SAL_OK) {
            return status == SAL_NOMEM ? sal_fail(err, status, "%s", why.message) : SAL_OK;
        }
    }
    idn_member_units(fit, model[1], w->unit_k + (size_t)k * (size_t)fit->nv);
    for (int side = 0; side < 2;
         side++) { /* they are made anew each time, so that they can stay soft */
        const sal_status status = idn_soften(fit, model[side], w->contact, err);
        if (status != SAL_OK) {
            return status;
        }
    }
    *exact = sal_model_change_of(change, model[0], model[1], 2 * e);
    return SAL_OK;
}

/* y and calibration as they would be with parameter k moved by its step */
static void move(const idn_fit *fit, idn_worker *w, int nstep, int k, int number, int n)
{
    const size_t nv = (size_t)fit->nv, ny = (size_t)fit->ny;
    const size_t nc = 3 * (size_t)fit->data->nchannel;
    double *yk = w->yk + (size_t)k * w->most_y;
    memcpy(w->calibration + nc * (size_t)(k + 1), w->calibration, nc * sizeof(double));
    memcpy(yk, w->y, (size_t)nstep * ny * sizeof(double));
    for (int t = 0; t < nstep; t++) {
        const double *P = w->twin.P + ((size_t)t * (size_t)n + (size_t)number) * nv;
        for (size_t i = 0; i < nv; i++) {
            yk[(size_t)t * ny + (size_t)fit->out_force + i] += fit->step_u[k] * P[i];
        }
    }
}

sal_status idn_exact_outputs(const idn_fit *fit, idn_worker *w, const idn_point *at, sal_err *err)
{
    const int nstep = fit->of[at->member].nstep;
    const sal_motion motion = {
        .nstep = nstep, .q = at->q, .z = fit->out_actuation >= 0 ? w->z : NULL};
    sal_status status = SAL_OK;
    int n = 0;
    for (int k = 0; k < fit->nborder; k++) {
        bool exact = false;
        if (fit->varies[k] && !fit->stage->kinematic) {
            status = two_models(fit, w, at, k, w->twin.change + n, &exact, err);
        }
        if (status != SAL_OK) {
            return status;
        }
        w->twin.exact[k] = exact;
        n += exact;
    }
    if (n == 0) {
        return SAL_OK;
    }
    status = idn_soften(fit, w->m, w->contact, err);
    if (status != SAL_OK) {
        return status;
    }
    status = sal_invdyn_parameters(w->invdyn, w->m, w->twin.P, &motion, w->twin.change, n, err);
    idn_harden(fit, w->m, w->contact);
    if (status == SAL_UNSUPPORTED) { /* of this motion: by differences */
        memset(w->twin.exact, 0, (size_t)fit->nborder);
        return SAL_OK;
    }
    for (int k = 0, number = 0; k < fit->nborder && status == SAL_OK; k++) {
        if (w->twin.exact[k]) {
            move(fit, w, nstep, k, number++, n);
        }
    }
    return status;
}
