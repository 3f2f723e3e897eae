/* chain.c: from the variables of an instant to those of a motion. With the Jacobians D of an output by (q_t, v_t, a_t),
 *
 *     A = Da/h        B = Dv - Da/h        d0, d1 = h dv_t/d(q_{t-1}, q_t)        e0, e1 = h dv_{t+1}/d(q_t, q_{t+1})
 *
 *     dy/dq_{t-1} = B d0 / h          dy/dq_t = Dq + (B d1 + A e0) / h          dy/dq_{t+1} = A e1 / h
 *
 * d and e are blocks, see sal_differentiate_pos_deriv. Of most dofs they are -1 and 1:
 *
 *     dy/dq_{t-1} = Da/h^2 - Dv/h     dy/dq_t = Dq + Dv/h - 2 Da/h^2            dy/dq_{t+1} = Da/h^2
 *
 * and the three of a rotation are written over that. Rows run along the columns of Y.
 */
#include "invdyn/workspace.h"

#include <string.h>

/* One row, its D and its part of Y. */
typedef struct row {
    const double *Dq, *Dv, *Da; /* [nv] */
    double *previous, *now, *next;
} row;

/* As if all dofs were scalars. A position knows no velocity, a velocity no acceleration. */
static void chain_scalars(row r, int nv, sal_stage stage, double rate)
{
    const double rate2 = rate * rate;
    if (stage == SAL_STAGE_POS) {
        memset(r.previous, 0, (size_t)nv * sizeof(double));
        memcpy(r.now, r.Dq, (size_t)nv * sizeof(double));
        memset(r.next, 0, (size_t)nv * sizeof(double));
        return;
    }
    if (stage == SAL_STAGE_VEL) {
        for (int i = 0; i < nv; i++) {
            const double v = r.Dv[i] * rate;
            r.previous[i] = -v;
            r.now[i] = r.Dq[i] + v;
            r.next[i] = 0;
        }
        return;
    }
    for (int i = 0; i < nv; i++) {
        const double v = r.Dv[i] * rate, a = r.Da[i] * rate2;
        r.previous[i] = a - v;
        r.now[i] = r.Dq[i] + v - 2 * a;
        r.next[i] = a;
    }
}

/* The three columns of a rotation whose dofs begin at i. */
static void chain_rotation(row r, const sal_worker *worker, int i, double rate)
{
    const double *d0 = worker->d0 + 3 * i, *d1 = worker->d1 + 3 * i, *e0 = worker->e0 + 3 * i,
                 *e1 = worker->e1 + 3 * i;
    for (int j = 0; j < 3; j++) {
        double previous = 0, now = 0, next = 0; /* times h */
        for (int k = 0; k < 3; k++) {
            const double A = r.Da[i + k] * rate, B = r.Dv[i + k] - A;
            previous += B * d0[3 * k + j];
            now += B * d1[3 * k + j] + A * e0[3 * k + j];
            next += A * e1[3 * k + j];
        }
        r.previous[i + j] = previous * rate;
        r.now[i + j] = r.Dq[i + j] + now * rate;
        r.next[i + j] = next * rate;
    }
}

void sal_worker_chain(const sal_invdyn_call *call, sal_worker *worker, const double *q, double *Y)
{
    const sal_model *m = call->m;
    const sal_invdyn *w = call->w;
    const size_t nv = (size_t)m->nv, width = 3 * nv + 1;
    const double rate = 1 / m->opt.timestep;
    if (w->nrotation > 0) {
        sal_differentiate_pos_deriv(m, worker->d0, worker->d1, q, q + m->nq);
        sal_differentiate_pos_deriv(m, worker->e0, worker->e1, q + m->nq, q + 2 * m->nq);
    }
    for (int k = 0; k < w->noutput; k++) {
        const size_t begin = (size_t)w->output[k].adr, end = begin + (size_t)w->output[k].n;
        for (size_t i = begin; i < end; i++) {
            double *y = Y + i * width;
            const row r = {worker->Dq + i * nv, worker->Dv + i * nv, worker->Da + i * nv, y, y + nv,
                           y + 2 * nv};
            chain_scalars(r, m->nv, w->stage[k], rate);
            for (int b = 0; b < w->nrotation && w->stage[k] > SAL_STAGE_POS; b++) {
                chain_rotation(r, worker, w->rotation[b], rate);
            }
            y[3 * nv] = 0;
        }
    }
}
