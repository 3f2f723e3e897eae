/* estimate_plan.c: which outputs an estimation needs, and the memory it works in. */
#include "identify/estimator.h"

#include <math.h>
#include <string.h>

/* ---- outputs ------------------------------------------------------------------------------------------------------------------------ */

static bool needs_acceleration(const idn_estimator *est)
{
    bool kinematic = false;
    for (int k = 0; k < est->e->nstage; k++) {
        kinematic = kinematic || est->e->stage[k].kinematic;
    }
    return kinematic || est->must_fit;
}

static bool has_channels(const idn_estimator *est, prb_channel_kind kind)
{
    for (int c = 0; c < est->data->nchannel; c++) {
        if (est->data->channel[c].kind == kind) {
            return true;
        }
    }
    return false;
}

static int add_output(idn_estimator *est, sal_output output)
{
    est->output[est->noutput] = output;
    return est->noutput++;
}

/* A body that floats freely in the world is where its joint is. */
static int free_joint_of(const sal_model *m, int body)
{
    const int j = m->body_jntnum[body] == 1 ? m->body_jntadr[body] : -1;
    return j >= 0 && m->jnt_type[j] == SAL_JNT_FREE ? j : -1;
}

static void plan_body(idn_estimator *est, const prb_channel *c, idn_measured *at)
{
    const sal_model *m = est->p->model;
    const int joint = free_joint_of(m, c->id);
    const sal_output place = {
        .kind = SAL_OUT_PLACE, .point = {.body = c->id, .plane = -1}
    };
    if (joint >= 0) {
        *at = (idn_measured){true, m->jnt_qposadr[joint], m->jnt_dofadr[joint], -1, -1};
        return;
    }
    at->place = add_output(est, place);
    if (c->n == 7) {
        at->quat = add_output(est, (sal_output){.kind = SAL_OUT_QUAT, .id = c->id});
    }
}

/* Where a channel's value is; outputs by their number, until these have places. */
static void plan_channel(idn_estimator *est, int channel)
{
    const sal_model *m = est->p->model;
    const prb_channel *c = est->data->channel + channel;
    idn_measured *at = est->measured + channel;
    *at = (idn_measured){.place = -1, .quat = -1};
    switch (c->kind) {
    case PRB_CHANNEL_BODY:
        plan_body(est, c, at);
        break;
    case PRB_CHANNEL_JOINT:
        if (c->order == 0) {
            *at = (idn_measured){true, m->jnt_qposadr[c->id], m->jnt_dofadr[c->id], -1, -1};
        } else {
            at->place = add_output(est, (sal_output){.kind = SAL_OUT_VELOCITY});
        }
        break;
    case PRB_CHANNEL_SENSOR:
        at->place = add_output(est, (sal_output){.kind = SAL_OUT_SENSOR, .id = c->id});
        break;
    case PRB_CHANNEL_SITE:
        at->place =
            add_output(est, (sal_output){.kind = SAL_OUT_PLACE, .point = sal_point_site(m, c->id)});
        break;
    case PRB_CHANNEL_CTRL:
    case PRB_CHANNEL_FORCE:
        break;
    }
}

/* Numbers of outputs become places in y. */
static void settle_places(idn_estimator *est)
{
    const sal_model *m = est->p->model;
    for (int c = 0; c < est->data->nchannel; c++) {
        idn_measured *at = est->measured + c;
        const prb_channel *channel = est->data->channel + c;
        at->place = at->place < 0 ? -1 : est->output[at->place].adr;
        at->quat = at->quat < 0 ? -1 : est->output[at->quat].adr;
        if (channel->kind == PRB_CHANNEL_JOINT && channel->order == 1) {
            at->place += m->jnt_dofadr[channel->id];
        }
    }
    const int acceleration = est->out_acceleration, actuation = est->out_actuation;
    est->out_force = est->output[0].adr;
    est->out_acceleration = acceleration < 0 ? -1 : est->output[acceleration].adr;
    est->out_actuation = actuation < 0 ? -1 : est->output[actuation].adr;
}

static sal_status plan_outputs(idn_estimator *est, sal_err *err)
{
    const size_t nc = (size_t)est->data->nchannel;
    est->output = sal_alloc(2 * nc + 3, sizeof(sal_output));
    est->measured = sal_alloc(nc, sizeof(idn_measured));
    if (est->output == NULL || est->measured == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d channels", est->data->nchannel);
    }
    add_output(est, (sal_output){.kind = SAL_OUT_FORCE});
    est->knows_forces = has_channels(est, PRB_CHANNEL_CTRL) || has_channels(est, PRB_CHANNEL_FORCE);
    est->out_actuation = has_channels(est, PRB_CHANNEL_CTRL)
                             ? add_output(est, (sal_output){.kind = SAL_OUT_ACTUATION})
                             : -1;
    for (int c = 0; c < est->data->nchannel; c++) {
        plan_channel(est, c);
    }
    return SAL_OK;
}

/* ---- residuals and parameters -------------------------------------------------------------------------------------------------------- */

static sal_status plan_residuals(idn_estimator *est, sal_err *err)
{
    const sal_model *m = est->p->model;
    est->segment = sal_alloc((size_t)m->njnt + 1, sizeof(int));
    if (est->segment == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d joints", m->njnt);
    }
    est->most_residuals = 6;
    est->nsegment = m->njnt;
    for (int j = 0; j < m->njnt; j++) {
        est->segment[j] = m->jnt_dofadr[j];
    }
    est->segment[m->njnt] = m->nv;
    for (int c = 0; c < est->data->nchannel; c++) {
        const int n = est->data->channel[c].nres;
        est->most_residuals = n > est->most_residuals ? n : est->most_residuals;
    }
    return SAL_OK;
}

/* Steps of differences: a millionth of what is known of a parameter's size. */
static void plan_steps(idn_estimator *est)
{
    const sal_parameters *ps = est->ps;
    for (int k = 0; k < ps->nparameter; k++) {
        const idn_parameter *a = ps->parameter + k;
        for (int i = 0; i < a->n; i++) {
            const int at = a->adr + i;
            const double u = a->local ? est->local[at] : est->shared[at];
            const double least = a->map == IDN_MAP_LINEAR ? 1e-3 : 1;
            est->step_u[a->local ? at : ps->nlocal + at] =
                1e-6 * fmax(fmax(fabs(u), least), a->prior_sigma[i]);
        }
    }
}

/* ---- workers ---------------------------------------------------------------------------------------------------------------------------- */

#define REALS(layout, n) sal_layout_take(layout, (size_t)(n), sizeof(double))

static void place_worker(const idn_estimator *est, idn_estimator_worker *w, sal_layout *layout)
{
    const sal_model *m = est->p->model;
    const size_t T = (size_t)est->most_steps, nb = (size_t)est->nborder, nv = (size_t)m->nv,
                 nr = (size_t)est->most_residuals, nc = (size_t)est->data->nchannel;
    w->most_y = T * (size_t)est->ny;
    w->y = REALS(layout, w->most_y);
    w->Y = REALS(layout, w->most_y * (size_t)est->ncolumn);
    w->yk = REALS(layout, nb * w->most_y);
    w->unit = REALS(layout, nv);
    w->unit_k = REALS(layout, nb * nv);
    w->contact = REALS(layout, idn_estimator_contact_size(m));
    w->z = REALS(layout, (T + 1) * (size_t)m->nu);
    w->u = REALS(layout, nb);
    w->velocity = REALS(layout, nv);
    w->push = REALS(layout, nv * (nv + 7));
    w->r = REALS(layout, (nb + 1) * nr);
    w->J = REALS(layout, nr * 3 * nv + (size_t)(m->nq + m->nv));
    w->G = REALS(layout, nr * nb + 1);
    w->calibration = REALS(layout, (nb + 1) * 3 * nc);
}

static sal_status new_worker(const idn_estimator *est, idn_estimator_worker *w, sal_err *err)
{
    sal_layout layout = {NULL, 0};
    place_worker(est, w, &layout);
    layout.base = layout.size == SIZE_MAX ? NULL : sal_alloc(layout.size, 1);
    w->memory = layout.base;
    if (layout.base == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for recordings of %d steps",
                        est->most_steps);
    }
    layout.size = 0;
    place_worker(est, w, &layout);
    sal_status status = sal_model_copy(&w->m, est->p->model, err);
    status = status == SAL_OK ? sal_model_copy(&w->mk, est->p->model, err) : status;
    status = status == SAL_OK ? idn_estimator_twin_new(est, &w->twin, err) : status;
    if (status == SAL_OK && has_channels(est, PRB_CHANNEL_FORCE)) {
        status = sal_data_new(&w->d, est->p->model, err);
    }
    return status == SAL_OK ? idn_parameters_work_new(&w->work, est->ps, err) : status;
}

static sal_status new_workers(idn_estimator *est, sal_err *err)
{
    sal_status status = SAL_OK;
    est->worker = sal_alloc((size_t)est->nworker, sizeof *est->worker);
    if (est->worker == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d threads", est->nworker);
    }
    for (int i = 0; i < est->nworker && status == SAL_OK; i++) {
        status = sal_invdyn_new(&est->worker[i].invdyn, est->p->model, est->output, est->noutput,
                                SAL_DERIV_AUTO, SAL_FD_CENTRED, 1, err);
        if (status == SAL_OK) {
            est->ny = sal_invdyn_noutput(est->worker[i].invdyn);
            est->ncolumn = sal_invdyn_ncolumn(est->worker[i].invdyn);
            status = new_worker(est, est->worker + i, err);
        }
    }
    return status;
}

sal_status idn_estimator_plan(idn_estimator *est, sal_err *err)
{
    sal_status status = plan_outputs(est, err);
    status = status == SAL_OK ? plan_residuals(est, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    plan_steps(est);
    est->must_fit = !idn_estimator_sees_all(est);
    est->out_acceleration =
        needs_acceleration(est) ? add_output(est, (sal_output){.kind = SAL_OUT_ACCELERATION}) : -1;
    status = new_workers(est, err);
    if (status == SAL_OK) {
        settle_places(est);
    }
    return status;
}

void idn_estimator_plan_free(idn_estimator *est)
{
    for (int i = 0; i < est->nworker && est->worker != NULL; i++) {
        idn_estimator_worker *w = est->worker + i;
        sal_invdyn_free(w->invdyn);
        sal_model_free(w->m);
        sal_model_free(w->mk);
        sal_data_free(w->d);
        idn_parameters_work_free(w->work);
        idn_estimator_twin_free(&w->twin, est->nborder);
        sal_free(w->memory);
    }
    sal_free(est->worker);
    sal_free(est->output);
    sal_free(est->measured);
    sal_free(est->segment);
}
