/* member_outputs.c: what follows from the motion of a recording and the parameters: the model, the
 * outputs of inverse dynamics, and the units of its residuals. */
#include "identify/fit.h"
#include "identify/rollout.h"

#include <math.h>

const double *idn_member_motion(const idn_fit *fit, int member, const double *x)
{
    return fit->of[member].q != NULL ? fit->of[member].q : x;
}

/* ---- the model at parameters ---- */

sal_status idn_member_model(const idn_fit *fit, idn_worker *w, sal_model *m, int member,
                            const double *shared, const double *local, sal_err *err)
{
    const prb_recording *rec = fit->data->recording + fit->of[member].recording;
    const sal_status status = idn_parameters_apply(fit->ps, w->work, m, shared, local, err);
    m->opt.timestep = rec->dt / fit->substeps;
    return status == SAL_OK ? idn_contact_give(fit->p, m, 0, err) : status;
}

void idn_member_units(const idn_fit *fit, const sal_model *m, double *s)
{
    /* against forces that are known a mass can be told: a unit that grew with it would reward a
     * mechanism which no force moves */
    m = fit->knows_forces ? fit->p->model : m;
    for (int i = 0; i < m->nv; i++) {
        const int root = m->body_rootid[m->dof_bodyid[i]];
        const double mass = prb_weight_of_tree(m, root) / prb_gravity_earth;
        const bool force = fit->settings->in_force || fit->settings->as_force[i];
        s[i] = (force ? 1 : sqrt(fmax(mass * m->dof_M0[i], 1e-30))) * fit->settings->relative[i];
    }
}

/* Scale, offset and delay of the channels */
static void calibrate(const idn_fit *fit, const double *shared, const double *local,
                      double *calibration)
{
    const int nc = fit->data->nchannel;
    idn_parameters_channels(fit->ps, fit->data, shared, local, calibration, calibration + nc,
                            calibration + 2 * nc);
}

/* The known controls at every step; none is zero. */
static void controls(const idn_fit *fit, idn_worker *w, int member, const double *calibration)
{
    const prb_dataset *data = fit->data;
    const idn_member *of = fit->of + member;
    const prb_recording *rec = data->recording + of->recording;
    const size_t nu = (size_t)fit->p->model->nu, nc = (size_t)data->nchannel;
    for (int c = 0; c < data->nchannel; c++) {
        const prb_channel *channel = data->channel + c;
        if (channel->kind != PRB_CHANNEL_CTRL || channel->data != rec->data) {
            continue;
        }
        const double own[] = {calibration[c], calibration[nc + (size_t)c],
                              calibration[2 * nc + (size_t)c]};
        for (int t = 0; t <= of->nstep; t++) {
            const double control = idn_recorded_control(data, rec, c, (double)t / fit->substeps,
                                                        1.0 / fit->substeps, own);
            w->z[(size_t)t * nu + (size_t)channel->id] = isfinite(control) ? control : 0;
        }
    }
}

static sal_motion motion_of(const idn_fit *fit, const idn_worker *w, int member, const double *q)
{
    return (sal_motion){
        .nstep = fit->of[member].nstep, .q = q, .z = fit->out_actuation >= 0 ? w->z : NULL};
}

sal_status idn_member_outputs(const idn_fit *fit, idn_worker *w, sal_model *m, const idn_point *at,
                              const idn_signals *out, sal_err *err)
{
    calibrate(fit, at->shared, at->local, out->calibration);
    controls(fit, w, at->member, out->calibration);
    const sal_motion motion = motion_of(fit, w, at->member, at->q);
    sal_status status = idn_member_model(fit, w, m, at->member, at->shared, at->local, err);
    if (status != SAL_OK) {
        return status;
    }
    idn_member_units(fit, m, out->unit);
    status = idn_soften(fit, m, w->contact, err);
    if (status != SAL_OK) {
        return status;
    }
    status = out->Y == NULL ? sal_invdyn_eval(w->invdyn, m, out->y, &motion, err)
                            : sal_invdyn_diff(w->invdyn, m, NULL, out->y, out->Y, &motion, err);
    idn_harden(fit, m, w->contact);
    if (status == SAL_OK) {
        idn_subtract_forces(fit, w, m, at, out);
    }
    return status;
}

idn_point idn_member_at(const idn_fit *fit, int member, const double *x, const double *shared)
{
    return (idn_point){member, idn_member_motion(fit, member, x), shared,
                       x + fit->member[member].nx - fit->ps->nlocal};
}

idn_signals idn_worker_signals(const idn_worker *w, bool slopes)
{
    return (idn_signals){w->y, slopes ? w->Y : NULL, w->unit, w->calibration};
}
