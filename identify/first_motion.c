/* first_motion.c: the motion with which an identification begins: what the channels show of each
 * joint, and between samples straight on. */
#include "identify/fit.h"
#include "problems/recordings/read_states.h"
#include "problems/recordings/track.h"

#include <math.h>
#include <string.h>

/* Copies what a sample shows of a joint; false if it does not. */
static bool show(const idn_fit *fit, const prb_recording *rec, int channel, int sample, double *q)
{
    const prb_channel *c = fit->data->channel + channel;
    const idn_measured *at = fit->measured + channel;
    const double *value = rec->value + (size_t)sample * (size_t)fit->data->nvalue + c->adr;
    bool known = at->direct && c->data == rec->data;
    for (int i = 0; i < c->n && known; i++) {
        known = isfinite(value[i]);
    }
    if (!known) {
        return false;
    }
    memcpy(q + at->qposadr, value, (size_t)c->n * sizeof(double));
    for (int i = 0; i < (c->n == 7 ? 3 : c->n == 1 ? 1 : 0); i++) {
        q[at->qposadr + i] = (value[i] - c->offset) / c->scale;
    }
    return true;
}

/* Fills what lies between samples a and b (that know the numbers q[adr .. adr+n-1]) or beyond the
 * only one. */
static void bridge(const sal_model *m, double *q, int nsample, int a, int b, int joint, double *v)
{
    const int adr = m->jnt_qposadr[joint], dof = m->jnt_dofadr[joint], nq = m->nq;
    const int nd = m->jnt_type[joint] == SAL_JNT_FREE   ? 6
                   : m->jnt_type[joint] == SAL_JNT_BALL ? 3
                                                        : 1,
              np = m->jnt_type[joint] == SAL_JNT_FREE   ? 7
                   : m->jnt_type[joint] == SAL_JNT_BALL ? 4
                                                        : 1;
    double *all = v + m->nv; /* [nq] */
    for (int k = a < 0 ? 0 : a + 1; k < (b < 0 ? nsample : b); k++) {
        const double *from = q + (size_t)(a < 0 ? b : a) * (size_t)nq;
        if (a < 0 || b < 0) {
            memcpy(q + (size_t)k * (size_t)nq + adr, from + adr, (size_t)np * sizeof(double));
            continue;
        }
        sal_differentiate_pos(m, v, 1, from, q + (size_t)b * (size_t)nq);
        for (int i = 0; i < m->nv; i++) {
            v[i] *= i >= dof && i < dof + nd ? (double)(k - a) / (b - a) : 0;
        }
        sal_integrate_pos(m, all, from, v, 1);
        memcpy(q + (size_t)k * (size_t)nq + adr, all + adr, (size_t)np * sizeof(double));
    }
}

static void guess_joint(const idn_fit *fit, const prb_recording *rec, int nsample, int joint,
                        double *q, double *scratch)
{
    const sal_model *m = fit->p->model;
    int last = -1;
    for (int k = 0; k < nsample; k++) {
        bool known = false;
        for (int c = 0; c < fit->data->nchannel; c++) {
            if (fit->measured[c].direct && fit->measured[c].qposadr == m->jnt_qposadr[joint]) {
                known = show(fit, rec, c, k, q + (size_t)k * (size_t)m->nq) || known;
            }
        }
        if (known) {
            bridge(m, q, nsample, last, k, joint, scratch);
            last = k;
        }
    }
    if (last >= 0) {
        bridge(m, q, nsample, last, -1, joint, scratch);
    }
}

/* Whether channels of this recording show all of a joint. */
static bool is_seen(const idn_fit *fit, const prb_recording *rec, int joint)
{
    const sal_model *m = fit->p->model;
    for (int c = 0; c < fit->data->nchannel; c++) {
        const bool all = m->jnt_type[joint] != SAL_JNT_FREE || fit->data->channel[c].n == 7;
        if (fit->measured[c].direct && fit->measured[c].qposadr == m->jnt_qposadr[joint] && all &&
            fit->data->channel[c].data == rec->data) {
            return true;
        }
    }
    return false;
}

bool idn_channels_show_all(const idn_fit *fit)
{
    bool all = true;
    for (int i = 0; i < fit->nmember; i++) {
        for (int j = 0; j < fit->p->model->njnt; j++) {
            all = all && is_seen(fit, fit->data->recording + fit->of[i].recording, j);
        }
    }
    return all;
}

void idn_motion_guess(const idn_fit *fit, int recording, int nsample, double *q)
{
    const sal_model *m = fit->p->model;
    const prb_recording *rec = fit->data->recording + recording;
    double *scratch = fit->worker[0].J; /* of more than nq + nv numbers */
    for (int k = 0; k < nsample; k++) {
        memcpy(q + (size_t)k * (size_t)m->nq, m->qpos0, (size_t)m->nq * sizeof(double));
    }
    for (int j = 0; j < m->njnt; j++) {
        guess_joint(fit, rec, nsample, j, q, scratch);
    }
}

/* The poses that fit a recording's places and angles best, sample by sample, of the model with the
 * numbers that parameters start from; false where nothing shows them. */
static bool fit_poses(const idn_fit *fit, int recording, int nsample, double *q)
{
    prb_recording only = fit->data->recording[recording];
    prb_dataset data = *fit->data;
    sal_problem p = *fit->p;
    prb_states s = {0};
    sal_err unused;
    idn_worker *w = fit->worker;
    unsigned char *chosen = sal_alloc((size_t)data.nchannel, 1);
    only.nsample = nsample;
    data.nrecording = 1;
    data.recording = &only;
    p.data = &data;
    p.nstep = nsample - 1;
    p.duration = (nsample - 1) * only.dt;
    p.model = w->m;
    p.init_qpos = w->m->qpos0;
    for (int c = 0; c < data.nchannel && chosen != NULL; c++) {
        chosen[c] = data.channel[c].data == only.data;
    }
    const bool found =
        chosen != NULL &&
        idn_parameters_apply(fit->ps, w->work, w->m, fit->shared, NULL, &unused) == SAL_OK &&
        prb_track_poses(&s, &p, chosen, &unused) == SAL_OK && s.nrow == nsample;
    if (found) {
        memcpy(q, s.qpos, (size_t)nsample * (size_t)fit->nq * sizeof(double));
    }
    prb_states_clear(&s);
    sal_free(chosen);
    return found;
}

void idn_motion_begin(const idn_fit *fit, int recording, int nsample, double *q)
{
    if (!fit->must_fit || !fit_poses(fit, recording, nsample, q)) {
        idn_motion_guess(fit, recording, nsample, q);
    }
}

/* out = a (+) f (b (-) a) */
static void along(const sal_model *m, double *out, const double *a, const double *b, double f,
                  double *v)
{
    sal_differentiate_pos(m, v, 1, a, b);
    sal_integrate_pos(m, out, a, v, f);
}

void idn_motion_extend(const sal_model *m, double *q, int n, double *scratch)
{
    const size_t nq = (size_t)m->nq;
    along(m, q, q + nq, q + 2 * nq, -1, scratch);
    along(m, q + (size_t)(n + 2) * nq, q + (size_t)n * nq, q + (size_t)(n + 1) * nq, 2, scratch);
}

void idn_motion_resample(const sal_model *m, double *out, int substeps, const double *q, int before,
                         int nsample, double *scratch)
{
    const size_t nq = (size_t)m->nq;
    const int n = (nsample - 1) * substeps, last = (nsample - 1) * before;
    for (int t = 0; t <= n; t++) {
        const double at = (double)t * before / substeps;
        const int k = (int)at < last ? (int)at : last - 1;
        along(m, out + (size_t)(t + 1) * nq, q + (size_t)(k + 1) * nq, q + (size_t)(k + 2) * nq,
              at - k, scratch);
    }
    idn_motion_extend(m, out, n, scratch);
}
