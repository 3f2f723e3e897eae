/* delays.c: samples that are compared where a channel measures late.
 *
 *     measured(t) = scale y(t - delay) + offset
 *
 * Nothing is known of y before the motion begins, nor behind its end: samples with t - delay there
 * are left out. Which these are must not change while a delay is sought, or the search could move
 * samples out of its cost: then they are those of the delay at which it starts, and one sample more
 * at both ends. If it goes farther, the motion goes on evenly at its ends.
 */
#include "base/house.h"
#include "identify/fit.h"

#include <math.h>
#include <string.h>

static const double ALMOST = 1e-6; /* steps */

static void find_sought(idn_fit *fit)
{
    for (int i = 0; i < fit->ps->nparameter; i++) {
        const idn_parameter *p = fit->ps->parameter + i;
        for (int k = 0; k < p->ntarget; k++) {
            if (p->target[k].channel >= 0 && p->target[k].field == IDN_CHANNEL_DELAY) {
                fit->seeks_delay[p->target[k].channel] = true;
            }
        }
    }
}

/* The first recording of a channel that is over before the channel has a value; -1: none. */
static int find_shorter(const idn_fit *fit, int channel)
{
    for (int i = 0; i < fit->nmember; i++) {
        const prb_recording *rec = fit->data->recording + fit->of[i].recording;
        if (rec->data == fit->data->channel[channel].data &&
            fabs(fit->delay[channel]) >= (rec->nsample - 1) * rec->dt) {
            return fit->of[i].recording;
        }
    }
    return -1;
}

sal_status idn_delays_plan(idn_fit *fit, sal_err *err)
{
    const size_t nc = (size_t)fit->data->nchannel;
    double *unused = sal_alloc(2 * nc, sizeof *unused);
    fit->delay = sal_alloc(nc, sizeof *fit->delay);
    fit->seeks_delay = sal_alloc(nc, sizeof *fit->seeks_delay);
    if (unused == NULL || fit->delay == NULL || fit->seeks_delay == NULL) {
        sal_free(unused);
        return sal_fail(err, SAL_NOMEM, "out of memory for %zu channels", nc);
    }
    idn_parameters_channels(fit->ps, fit->data, NULL, NULL, unused, unused + nc, fit->delay);
    sal_free(unused);
    find_sought(fit);
    for (int c = 0; c < fit->data->nchannel; c++) {
        const int shorter = find_shorter(fit, c);
        if (shorter >= 0) {
            const prb_recording *rec = fit->data->recording + shorter;
            return sal_fail(err, SAL_BADINPUT,
                            "the delay of channel '%s' is %.4g s, but recording '%s' lasts %.4g s; "
                            "delays are in seconds",
                            fit->data->channel[c].name, fit->delay[c], rec->name,
                            (rec->nsample - 1) * rec->dt);
        }
    }
    return SAL_OK;
}

bool idn_delays_compare(const idn_fit *fit, int member, int channel, int sample)
{
    const idn_member *of = fit->of + member;
    const double h = fit->data->recording[of->recording].dt / fit->substeps,
                 at = sample * fit->substeps - fit->delay[channel] / h,
                 margin = fit->seeks_delay[channel] ? fit->substeps : 0;
    return at - margin >= -ALMOST && at + margin <= of->nstep - 1 + ALMOST;
}

void idn_delays_hold(idn_fit *fit, const double *shared)
{
    const size_t nc = (size_t)fit->data->nchannel;
    double *now = fit->worker->calibration;
    idn_parameters_channels(fit->ps, fit->data, shared, NULL, now, now + nc, fit->delay);
    memset(fit->seeks_delay, 0, nc * sizeof *fit->seeks_delay);
}

double idn_delays_longest(const idn_fit *fit, const double *shared)
{
    const int nc = fit->data->nchannel;
    double *now = fit->worker->calibration, most = 0;
    idn_parameters_channels(fit->ps, fit->data, shared, NULL, now, now + nc, now + 2 * nc);
    for (int c = 0; c < nc; c++) {
        most = idn_follows(fit, c) ? fmax(most, fabs(now[2 * nc + c])) : most;
    }
    return most;
}

void idn_delays_say(const idn_fit *fit, const double *shared, sal_text *out)
{
    const int nc = fit->data->nchannel;
    const double dt = fit->data->recording[fit->of[0].recording].dt;
    double *now = fit->worker->calibration;
    idn_parameters_channels(fit->ps, fit->data, shared, NULL, now, now + nc, now + 2 * nc);
    for (int c = 0; c < nc && out->length == 0; c++) {
        const double found = now[2 * nc + c];
        if (idn_follows(fit, c) && fabs(found - fit->delay[c]) > dt) {
            sal_text_format(out,
                            "The delay of channel '%.80s' was sought from %.4g s and is %.4g s, "
                            "more than a sample away: where the recordings begin and end, samples "
                            "are compared with a motion that goes on evenly. Begin with "
                            "value=\"%.4g\" to leave these out.",
                            fit->data->channel[c].name, fit->delay[c], found, found);
        }
    }
}
