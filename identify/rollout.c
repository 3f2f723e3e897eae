/* rollout.c: the hardest test of a model that was identified: one state, then nothing but the model
 * and the known inputs.
 *
 *     for each step { inputs of its time -> sal_forward -> readings y -> sal_advance };
 *     signal(t) = scale y(t - delay) + offset
 */
#include "identify/rollout.h"

#include "base/house.h"

#include <math.h>
#include <string.h>

static const double UNEVEN = 1e-6; /* of a sample: how far steps may miss it */

typedef struct rollout {
    const idn_rollout_case *c;
    sal_data *d;
    int nstep, substeps;
    int reached;     /* steps whose readings are there, less one; -1: none */
    double *reading; /* [nstep+1 x nvalue] in the channels' places */
} rollout;

static double calibration(const idn_rollout_case *c, int channel, int what)
{
    const prb_channel *of = c->data->channel + channel;
    const double own[] = {of->scale, of->offset, of->delay};
    return c->calibration == NULL ? own[what] : c->calibration[what * c->data->nchannel + channel];
}

/* ---- inputs ---- */

/* What was recorded at a place between samples, at, in samples; what is missing on one side is as
 * on the other. NaN: nothing is there. */
static double recorded(const prb_recording *r, int nvalue, int value, double at)
{
    at = fmin(fmax(at, 0), r->nsample - 1);
    const int i = (int)at, k = i + 1 < r->nsample ? i + 1 : i;
    const double a = r->value[i * nvalue + value], b = r->value[k * nvalue + value], f = at - i;
    return f == 0 || isnan(b) ? a : isnan(a) ? b : (1 - f) * a + f * b;
}

/* Where between two samples the mean is found that a held signal has from x to x + width (all in
 * samples, width <= 1): with f the part of the width behind the change at the next sample, it is
 * (1 - f) y_i + f y_{i+1}, and this is continuous in x. */
static double place_of_mean(double x, double width)
{
    const double i = floor(x);
    return i + fmax(x + width - (i + 1), 0) / width;
}

double idn_recorded_control(const prb_dataset *data, const prb_recording *recording, int channel,
                            double at, double width, const double calibration[3])
{
    const double almost = 1e-6; /* of a sample: time steps do not add up to the last bit */
    const double scale = calibration[0], offset = calibration[1], delay = calibration[2];
    const int value = data->channel[channel].adr;
    const double place =
        delay == 0 ? floor(at + almost) : place_of_mean(at + delay / recording->dt, width);
    return (recorded(recording, data->nvalue, value, place) - offset) / scale;
}

bool idn_recorded_force(const prb_dataset *data, const prb_recording *recording, int channel,
                        double at, double delay, double x[9])
{
    const prb_channel *of = data->channel + channel;
    bool known = of->kind == PRB_CHANNEL_FORCE && of->data == recording->data;
    memset(x, 0, 9 * sizeof *x); /* whatever is not known */
    for (int k = 0; k < of->n && known; k++) {
        x[k] = recorded(recording, data->nvalue, of->adr + k, at + delay / recording->dt);
        known = !isnan(x[k]);
    }
    return known;
}

/* A force at a point, and a moment, as force and moment at the body's centre of mass. */
static void push(sal_data *d, const prb_channel *of, const double *x)
{
    double *f = d->xfrc_applied + 6 * of->id, arm[3], moment[3];
    sal_v3_addscaled(f, f, 1, x);
    if (of->n >= 6) {
        sal_v3_sub(arm, x + 3, d->xipos + 3 * of->id);
        sal_v3_cross(moment, arm, x);
        sal_v3_addscaled(f + 3, f + 3, 1, moment);
    }
    if (of->n >= 9) {
        sal_v3_addscaled(f + 3, f + 3, 1, x + 6);
    }
}

void idn_recorded_forces(const sal_model *m, sal_data *d, const prb_dataset *data,
                         const prb_recording *recording, double at, const double *delay)
{
    memset(d->xfrc_applied, 0, 6 * (size_t)m->nbody * sizeof(double));
    for (int c = 0; c < data->nchannel; c++) {
        double x[9];
        const double late = delay == NULL ? data->channel[c].delay : delay[c];
        if (idn_recorded_force(data, recording, c, at, late, x)) {
            push(d, data->channel + c, x);
        }
    }
}

static void set_control(sal_data *d, int actuator, double control)
{
    d->ctrl[actuator] = isnan(control) ? d->ctrl[actuator] : control;
}

/* The callback: controls, and forces as they were recorded. */
static void set_inputs(const sal_model *m, sal_data *d, void *user)
{
    const rollout *r = user;
    const idn_rollout_case *c = r->c;
    const double at = c->sample + d->time / c->recording->dt,
                 width = m->opt.timestep / c->recording->dt;
    const double *delay = c->calibration == NULL ? NULL : c->calibration + 2 * c->data->nchannel;
    idn_recorded_forces(m, d, c->data, c->recording, at, delay);
    for (int i = 0; i < c->data->nchannel; i++) {
        const prb_channel *of = c->data->channel + i;
        if (of->data == c->recording->data && of->kind == PRB_CHANNEL_CTRL) {
            const double by[] = {calibration(c, i, 0), calibration(c, i, 1), calibration(c, i, 2)};
            set_control(d, of->id, idn_recorded_control(c->data, c->recording, i, at, width, by));
        }
    }
}

/* ---- readings ---- */

/* Where the numbers of a channel stand in the data; a pose is in two places. */
static const double *source(const sal_model *m, const sal_data *d, const prb_channel *of, int part)
{
    switch (of->kind) {
    case PRB_CHANNEL_BODY:
        return part == 0 ? d->xpos + 3 * of->id : d->xquat + 4 * of->id;
    case PRB_CHANNEL_JOINT:
        return of->order == 0 ? d->qpos + m->jnt_qposadr[of->id] : d->qvel + m->jnt_dofadr[of->id];
    case PRB_CHANNEL_SENSOR:
        return d->sensordata + m->sensor_adr[of->id];
    case PRB_CHANNEL_SITE:
        return d->site_xpos + 3 * of->id;
    case PRB_CHANNEL_CTRL:
    case PRB_CHANNEL_FORCE:
        break;
    }
    return NULL;
}

static void read_channels(rollout *r)
{
    const prb_dataset *data = r->c->data;
    double *y = r->reading + ++r->reached * data->nvalue;
    for (int i = 0; i < data->nchannel; i++) {
        const prb_channel *of = data->channel + i;
        const double *from = source(r->c->m, r->d, of, 0);
        const int first = of->kind == PRB_CHANNEL_BODY ? 3 : of->n;
        for (int k = 0; k < of->n; k++) {
            y[of->adr + k] = from == NULL ? (double)NAN
                             : k < first  ? from[k]
                                          : source(r->c->m, r->d, of, 1)[k - first];
        }
    }
}

/* ---- steps ---- */

static sal_status begin(rollout *r, sal_err *err)
{
    const idn_rollout_case *c = r->c;
    const sal_model *m = c->m;
    const double ratio = c->recording->dt / m->opt.timestep;
    r->substeps = (int)lround(ratio);
    r->reached = -1;
    if (r->substeps < 1 || fabs(ratio - r->substeps) > UNEVEN * ratio) {
        return sal_fail(err, SAL_BADINPUT,
                        "steps of %.9g s do not divide the samples of '%s', %.9g s",
                        m->opt.timestep, c->recording->name, c->recording->dt);
    }
    r->nstep = (c->recording->nsample - 1 - c->sample) * r->substeps;
    r->reading = sal_alloc((size_t)(r->nstep + 1) * (size_t)c->data->nvalue + 1, sizeof(double));
    const sal_status status = r->reading == NULL
                                  ? sal_fail(err, SAL_NOMEM, "out of memory for a rollout")
                                  : sal_data_new(&r->d, m, err);
    if (status == SAL_OK) {
        memcpy(r->d->qpos, c->qpos, (size_t)m->nq * sizeof(double));
        memcpy(r->d->qvel, c->qvel, (size_t)m->nv * sizeof(double));
        r->d->time = 0;
        r->d->callback = (sal_callback){.control = set_inputs, .user = r};
    }
    return status;
}

/* A state that is not finite ends it without an error. */
static sal_status step_through(rollout *r, double *diverged, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int t = 0; t <= r->nstep && status == SAL_OK; t++) {
        status = sal_forward(r->c->m, r->d, err);
        if (status == SAL_OK) {
            read_channels(r);
        }
        if (status == SAL_OK && t < r->nstep) {
            status = sal_advance(r->c->m, r->d, err);
        }
        if (status == SAL_DIVERGED) {
            *diverged = t * r->c->m->opt.timestep;
        }
    }
    return status == SAL_DIVERGED ? SAL_OK : status;
}

/* ---- signals ---- */

static void put_signal(const rollout *r, int channel, int sample, double *out)
{
    const idn_rollout_case *c = r->c;
    const prb_channel *of = c->data->channel + channel;
    const int nvalue = c->data->nvalue,
              turns = of->n >= 4 && of->nres == of->n - 1 ? of->n - 4 : of->n;
    const double at =
        (sample - c->sample) * r->substeps - calibration(c, channel, 2) / c->m->opt.timestep;
    const int i = (int)floor(at), k = at > i ? i + 1 : i;
    if (i < 0 || k > r->reached || of->data != c->recording->data) {
        return;
    }
    const double *a = r->reading + i * nvalue + of->adr, *b = r->reading + k * nvalue + of->adr;
    for (int j = 0; j < of->n; j++) {
        const double y = a[j] + (at - i) * (b[j] - a[j]);
        out[of->adr + j] =
            j < turns ? calibration(c, channel, 0) * y + calibration(c, channel, 1) : y;
    }
    if (turns < of->n) {
        sal_quat_normalise(out + of->adr + turns);
    }
}

sal_status idn_rollout(double *predicted, double *diverged, const idn_rollout_case *c, sal_err *err)
{
    const prb_dataset *data = c->data;
    rollout r = {.c = c};
    *diverged = (double)NAN;
    for (int i = 0; i < c->recording->nsample * data->nvalue; i++) {
        predicted[i] = (double)NAN;
    }
    sal_status status = begin(&r, err);
    status = status == SAL_OK ? step_through(&r, diverged, err) : status;
    for (int s = c->sample; s < c->recording->nsample && status == SAL_OK; s++) {
        for (int i = 0; i < data->nchannel; i++) {
            put_signal(&r, i, s, predicted + s * data->nvalue);
        }
    }
    sal_data_free(r.d);
    sal_free(r.reading);
    return status;
}
