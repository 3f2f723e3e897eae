/* plan.c: which outputs an identification needs, and the memory it works in. */
#include "identify/fit.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- outputs ---- */

static bool needs_acceleration(const idn_fit *fit)
{
    bool kinematic = false;
    for (int k = 0; k < fit->settings->nstage; k++) {
        kinematic = kinematic || fit->settings->stage[k].kinematic;
    }
    return kinematic || fit->must_fit;
}

static bool has_channels(const idn_fit *fit, prb_channel_kind kind)
{
    for (int c = 0; c < fit->data->nchannel; c++) {
        if (fit->data->channel[c].kind == kind) {
            return true;
        }
    }
    return false;
}

static int add_output(idn_fit *fit, sal_output output)
{
    fit->output[fit->noutput] = output;
    return fit->noutput++;
}

/* A body that floats freely in the world is where its joint is. */
static int free_joint_of(const sal_model *m, int body)
{
    const int j = m->body_jntnum[body] == 1 ? m->body_jntadr[body] : -1;
    return j >= 0 && m->jnt_type[j] == SAL_JNT_FREE ? j : -1;
}

static void plan_body(idn_fit *fit, const prb_channel *c, idn_measured *at)
{
    const sal_model *m = fit->p->model;
    const int joint = free_joint_of(m, c->id);
    const sal_output place = {.kind = SAL_OUT_PLACE, .point = {.body = c->id, .plane = -1}};
    if (joint >= 0) {
        *at = (idn_measured){true, m->jnt_qposadr[joint], m->jnt_dofadr[joint], -1, -1, 0};
        return;
    }
    at->place = add_output(fit, place);
    if (c->n == 7) {
        at->quat = add_output(fit, (sal_output){.kind = SAL_OUT_QUAT, .id = c->id});
    }
}

/* What actuators do follows from the controls that were recorded, not from the motion, so it is no
 * reading of the motion but an output of its own. */
static void plan_sensor(idn_fit *fit, const prb_channel *c, idn_measured *at)
{
    const sal_model *m = fit->p->model;
    const bool joint = m->sensor_type[c->id] == SAL_SENS_JOINTACTFRC;
    if (sal_sensor_reads_actuators(m, c->id)) {
        at->place = add_output(
            fit, (sal_output){.kind = joint ? SAL_OUT_ACTUATION : SAL_OUT_ACTUATOR_FORCE});
        at->first = idn_actuator_reading(m, c->id);
    } else {
        at->place = add_output(fit, (sal_output){.kind = SAL_OUT_SENSOR, .id = c->id});
    }
}

/* Where a channel's value is; outputs by their number, until these have places. */
static void plan_channel(idn_fit *fit, int channel)
{
    const sal_model *m = fit->p->model;
    const prb_channel *c = fit->data->channel + channel;
    idn_measured *at = fit->measured + channel;
    *at = (idn_measured){.place = -1, .quat = -1};
    switch (c->kind) {
    case PRB_CHANNEL_BODY:
        plan_body(fit, c, at);
        break;
    case PRB_CHANNEL_JOINT:
        if (c->order == 0) {
            *at = (idn_measured){true, m->jnt_qposadr[c->id], m->jnt_dofadr[c->id], -1, -1, 0};
        } else {
            at->place = add_output(fit, (sal_output){.kind = SAL_OUT_VELOCITY});
            at->first = m->jnt_dofadr[c->id];
        }
        break;
    case PRB_CHANNEL_SENSOR:
        plan_sensor(fit, c, at);
        break;
    case PRB_CHANNEL_SITE:
        at->place =
            add_output(fit, (sal_output){.kind = SAL_OUT_PLACE, .point = sal_point_site(m, c->id)});
        break;
    case PRB_CHANNEL_CTRL:
    case PRB_CHANNEL_FORCE:
        break;
    }
}

/* Numbers of outputs become places in y. */
static void settle_places(idn_fit *fit)
{
    for (int c = 0; c < fit->data->nchannel; c++) {
        idn_measured *at = fit->measured + c;
        at->place = at->place < 0 ? -1 : fit->output[at->place].adr + at->first;
        at->quat = at->quat < 0 ? -1 : fit->output[at->quat].adr;
    }
    const int acceleration = fit->out_acceleration, actuation = fit->out_actuation;
    fit->out_force = fit->output[0].adr;
    fit->out_acceleration = acceleration < 0 ? -1 : fit->output[acceleration].adr;
    fit->out_actuation = actuation < 0 ? -1 : fit->output[actuation].adr;
}

static sal_status plan_outputs(idn_fit *fit, sal_err *err)
{
    const size_t nc = (size_t)fit->data->nchannel;
    fit->output = sal_alloc(2 * nc + 3, sizeof(sal_output));
    fit->measured = sal_alloc(nc, sizeof(idn_measured));
    if (fit->output == NULL || fit->measured == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d channels", fit->data->nchannel);
    }
    add_output(fit, (sal_output){.kind = SAL_OUT_FORCE});
    fit->knows_forces = has_channels(fit, PRB_CHANNEL_CTRL) || has_channels(fit, PRB_CHANNEL_FORCE);
    fit->out_actuation = has_channels(fit, PRB_CHANNEL_CTRL)
                             ? add_output(fit, (sal_output){.kind = SAL_OUT_ACTUATION})
                             : -1;
    for (int c = 0; c < fit->data->nchannel; c++) {
        plan_channel(fit, c);
    }
    return SAL_OK;
}

/* ---- residuals and parameters ---- */

static sal_status plan_residuals(idn_fit *fit, sal_err *err)
{
    const sal_model *m = fit->p->model;
    fit->segment = sal_alloc((size_t)m->njnt + 1, sizeof(int));
    if (fit->segment == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d joints", m->njnt);
    }
    fit->most_residuals = 6;
    fit->nsegment = m->njnt;
    for (int j = 0; j < m->njnt; j++) {
        fit->segment[j] = m->jnt_dofadr[j];
    }
    fit->segment[m->njnt] = m->nv;
    for (int c = 0; c < fit->data->nchannel; c++) {
        const int n = fit->data->channel[c].nres;
        fit->most_residuals = n > fit->most_residuals ? n : fit->most_residuals;
    }
    return SAL_OK;
}

/* Steps of differences: a millionth of what is known of a parameter's size. */
static void plan_steps(idn_fit *fit)
{
    const idn_parameters *ps = fit->ps;
    for (int k = 0; k < ps->nparameter; k++) {
        const idn_parameter *a = ps->parameter + k;
        for (int i = 0; i < a->n; i++) {
            const int at = a->adr + i;
            const double u = a->local ? fit->local[at] : fit->shared[at];
            const double least = a->map == IDN_MAP_LINEAR ? 1e-3 : 1;
            fit->step_u[a->local ? at : ps->nlocal + at] =
                1e-6 * fmax(fmax(fabs(u), least), a->prior_sigma[i]);
        }
    }
}

/* ---- workers ---- */

#define REALS(layout, n) sal_layout_take(layout, (size_t)(n), sizeof(double))

static void place_worker(const idn_fit *fit, idn_worker *w, sal_layout *layout)
{
    const sal_model *m = fit->p->model;
    const size_t T = (size_t)fit->most_steps, nb = (size_t)fit->nborder, nv = (size_t)m->nv,
                 nr = (size_t)fit->most_residuals, nc = (size_t)fit->data->nchannel;
    w->most_y = T * (size_t)fit->ny;
    w->y = REALS(layout, w->most_y);
    w->Y = REALS(layout, w->most_y * (size_t)fit->ncolumn);
    w->yk = REALS(layout, nb * w->most_y);
    w->unit = REALS(layout, nv);
    w->unit_k = REALS(layout, nb * nv);
    w->contact = REALS(layout, idn_contact_size(m));
    w->z = REALS(layout, (T + 1) * (size_t)m->nu);
    w->u = REALS(layout, nb);
    w->velocity = REALS(layout, nv);
    w->push = REALS(layout, nv * (nv + 7));
    w->r = REALS(layout, (nb + 1) * nr);
    w->J = REALS(layout, nr * 3 * nv + (size_t)(m->nq + m->nv));
    w->G = REALS(layout, nr * nb + 1);
    w->calibration = REALS(layout, (nb + 1) * 3 * nc);
}

static sal_status new_worker(const idn_fit *fit, idn_worker *w, sal_err *err)
{
    sal_layout layout = {NULL, 0};
    place_worker(fit, w, &layout);
    layout.base = layout.size == SIZE_MAX ? NULL : sal_alloc(layout.size, 1);
    w->memory = layout.base;
    if (layout.base == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for recordings of %d steps",
                        fit->most_steps);
    }
    layout.size = 0;
    place_worker(fit, w, &layout);
    sal_status status = sal_model_copy(&w->m, fit->p->model, err);
    status = status == SAL_OK ? sal_model_copy(&w->mk, fit->p->model, err) : status;
    status = status == SAL_OK ? idn_exact_new(fit, &w->twin, err) : status;
    if (status == SAL_OK && has_channels(fit, PRB_CHANNEL_FORCE)) {
        status = sal_data_new(&w->d, fit->p->model, err);
    }
    return status == SAL_OK ? idn_parameters_work_new(&w->work, fit->ps, err) : status;
}

static sal_status new_workers(idn_fit *fit, sal_err *err)
{
    sal_status status = SAL_OK;
    fit->worker = sal_alloc((size_t)fit->nworker, sizeof *fit->worker);
    if (fit->worker == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d threads", fit->nworker);
    }
    for (int i = 0; i < fit->nworker && status == SAL_OK; i++) {
        status = sal_invdyn_new(&fit->worker[i].invdyn, fit->p->model, fit->output, fit->noutput,
                                SAL_DERIV_AUTO, SAL_FD_CENTRED, 1, err);
        if (status == SAL_OK) {
            fit->ny = sal_invdyn_noutput(fit->worker[i].invdyn);
            fit->ncolumn = sal_invdyn_ncolumn(fit->worker[i].invdyn);
            status = new_worker(fit, fit->worker + i, err);
        }
    }
    return status;
}

sal_status idn_plan(idn_fit *fit, sal_err *err)
{
    sal_status status = plan_outputs(fit, err);
    status = status == SAL_OK ? plan_residuals(fit, err) : status;
    status = status == SAL_OK ? idn_delays_plan(fit, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    plan_steps(fit);
    fit->must_fit = !idn_channels_show_all(fit);
    fit->out_acceleration =
        needs_acceleration(fit) ? add_output(fit, (sal_output){.kind = SAL_OUT_ACCELERATION}) : -1;
    status = new_workers(fit, err);
    if (status == SAL_OK) {
        settle_places(fit);
    }
    return status;
}

void idn_plan_free(idn_fit *fit)
{
    for (int i = 0; i < fit->nworker && fit->worker != NULL; i++) {
        idn_worker *w = fit->worker + i;
        sal_invdyn_free(w->invdyn);
        sal_model_free(w->m);
        sal_model_free(w->mk);
        sal_data_free(w->d);
        idn_parameters_work_free(w->work);
        idn_exact_free(&w->twin, fit->nborder);
        sal_free(w->memory);
    }
    sal_free(fit->worker);
    sal_free(fit->output);
    sal_free(fit->measured);
    sal_free(fit->segment);
}
