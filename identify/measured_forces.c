/* measured_forces.c: forces on bodies that were measured, as forces on the dofs; they explain as
 * much of what a motion needs.
 *
 *     push = sum  Jp' F + Jr' ((x - c) x F + T)
 *     F at the place x, of the body whose centre of mass is c;  Jp, Jr of c
 *
 * F, x and T stay where they are as the body moves:  d push_i = (F, (x - c) x F + T held) + Jr_i .
 *                                                    (F x dc).
 */
#include "base/house.h"
#include "identify/fit.h"
#include "identify/rollout.h"

#include <string.h>

/* push [nv] of the bodies' xfrc_applied */
static void gather(const sal_model *m, const sal_data *d, double *push)
{
    memset(push, 0, (size_t)m->nv * sizeof(double));
    for (int b = 1; b < m->nbody; b++) {
        const double *f = d->xfrc_applied + 6 * b;
        sal_apply_force(m, d, push, f, f + 3, d->xipos + 3 * b, b);
    }
}

/* Dq += Jr_i . (F x Jp_k) of a force at a place that stays */
static void add_arm(const sal_model *m, const sal_data *d, int body, const double *F, double *jac,
                    double *Dq)
{
    const int nv = m->nv;
    double *jacp = jac, *jacr = jac + 3 * nv;
    sal_jac_body_com(m, d, jacp, jacr, body);
    for (int k = 0; k < nv; k++) {
        const double c[3] = {jacp[k], jacp[nv + k], jacp[2 * nv + k]};
        double turn[3];
        sal_v3_cross(turn, F, c);
        for (int i = 0; i < nv; i++) {
            Dq[i * nv + k] +=
                jacr[i] * turn[0] + jacr[nv + i] * turn[1] + jacr[2 * nv + i] * turn[2];
        }
    }
}

static void differentiate(const idn_fit *fit, const idn_worker *w, const sal_model *m,
                          const prb_recording *rec, double at, const double *delay, double *Y)
{
    const int nv = m->nv;
    double *Dq = w->push + nv, *jac = Dq + nv * nv, x[9];
    sal_applied_force_deriv(m, w->d, Dq);
    for (int c = 0; c < fit->data->nchannel; c++) {
        const prb_channel *channel = fit->data->channel + c;
        if (channel->n >= 6 && idn_recorded_force(fit->data, rec, c, at, delay[c], x)) {
            add_arm(m, w->d, channel->id, x, jac, Dq);
        }
    }
    for (int i = 0; i < nv; i++) {
        double *row = Y + (size_t)(fit->out_force + i) * (size_t)fit->ncolumn + nv;
        for (int k = 0; k < nv; k++) {
            row[k] -= Dq[i * nv + k];
        }
    }
}

void idn_subtract_forces(const idn_fit *fit, idn_worker *w, const sal_model *m, const idn_point *at,
                         const idn_signals *out)
{
    const idn_member *of = fit->of + at->member;
    const prb_recording *rec = fit->data->recording + of->recording;
    const double *delay = out->calibration + 2 * fit->data->nchannel;
    for (int t = 0; t < of->nstep && w->d != NULL; t++) {
        const double sample = (double)t / fit->substeps;
        double *y = out->y + (size_t)t * (size_t)fit->ny + fit->out_force;
        memcpy(w->d->qpos, at->q + (size_t)(t + 1) * (size_t)m->nq, (size_t)m->nq * sizeof(double));
        sal_kinematics(m, w->d);
        sal_com(m, w->d);
        idn_recorded_forces(m, w->d, fit->data, rec, sample, delay);
        gather(m, w->d, w->push);
        for (int i = 0; i < m->nv; i++) {
            y[i] -= w->push[i];
        }
        if (out->Y != NULL) {
            differentiate(fit, w, m, rec, sample, delay,
                          out->Y + (size_t)t * (size_t)fit->ny * (size_t)fit->ncolumn);
        }
    }
}
