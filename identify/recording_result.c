/* recording_result.c: what a result holds of one recording: its data, its motion, and the signals
 * that follow. */
#include "identify/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether a channel's sample k is compared with the motion, if it is there. */
static bool is_compared(const idn_fit *fit, int member, int channel, int k)
{
    const prb_recording *rec = fit->data->recording + fit->of[member].recording;
    return fit->data->channel[channel].data == rec->data && idn_follows(fit, channel) &&
           idn_delays_compare(fit, member, channel, k);
}

static void readings(const idn_fit *fit, const idn_worker *w, const idn_point *at, double *out)
{
    const prb_dataset *data = fit->data;
    const idn_member *of = fit->of + at->member;
    const idn_signals own = idn_worker_signals(w, false);
    for (int k = 0; k < of->nsample; k++) {
        for (int c = 0; c < data->nchannel; c++) {
            if (is_compared(fit, at->member, c, k)) {
                idn_channel_reading(fit, at, &own, c, k,
                                    out + (size_t)k * (size_t)data->nvalue + data->channel[c].adr);
            }
        }
    }
}

static void count_numbers(const idn_fit *fit, int member, sal_identification_recording *to)
{
    const prb_dataset *data = fit->data;
    const idn_member *of = fit->of + member;
    const prb_recording *rec = data->recording + of->recording;
    to->nresidual = of->nstep * fit->nv;
    for (int k = 0; k < of->nsample; k++) {
        for (int c = 0; c < data->nchannel; c++) {
            const double *value =
                rec->value + (size_t)k * (size_t)data->nvalue + data->channel[c].adr;
            const bool counts = isfinite(value[0]) && is_compared(fit, member, c, k);
            to->nresidual += counts ? data->channel[c].nres : 0;
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

sal_status idn_result_put_member(idn_fit *fit, int member, sal_identification_recording *to,
                                 sal_err *err)
{
    const sal_model *m = fit->p->model;
    idn_worker *w = fit->worker;
    const idn_member *of = fit->of + member;
    const double *x = fit->x + of->x;
    const idn_point at = idn_member_at(fit, member, x, fit->shared);
    const idn_signals own = idn_worker_signals(w, false);
    const sal_status status = idn_member_outputs(fit, w, w->m, &at, &own, err);
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
    readings(fit, w, &at, to->fitted);
    idn_parameters_local_values(fit->ps, to->local, at.local);
    return idn_member_value(fit, 0, member, x, fit->shared, &to->cost, err);
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
