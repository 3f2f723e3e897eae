/* chain.c: from the variables of an instant to those of a motion. With d0, d1 = h dv_t/d(q_{t-1},
 * q_t) and e0, e1 = h dv_{t+1}/d(q_t, q_{t+1}), a_t = (v_{t+1} - v_t)/h, and the Jacobians D of an
 * output by (q_t, v_t, a_t):
 *
 *     dy/dq_{t-1} = Dv d0/h - Da d0/h^2        dy/dq_t = Dq + Dv d1/h + Da (e0 - d1)/h^2
 *     dy/dq_{t+1} = Da e1/h^2
 *
 * d and e are blocks, see sal_differentiate_pos_deriv. Of most dofs they are -1 and 1:
 *
 *     dy/dq_{t-1} = Da/h^2 - Dv/h              dy/dq_t = Dq + Dv/h - 2 Da/h^2
 *     dy/dq_{t+1} = Da/h^2
 *
 * and the three of a rotation are written over that. Rows run along the columns of Y.
 */
#include "invdyn/workspace.h"

#include <string.h>

#define WIDEST SAL_CLONES("avx512f", "avx2")

/* One row, its D and its part of Y. */
typedef struct row {
    const double *Dq, *Dv, *Da; /* [nv] */
    double *previous, *now, *next;
} row;

WIDEST static void chain_acceleration(double *restrict previous, double *restrict now,
                                      double *restrict next, const double *restrict Dq,
                                      const double *restrict Dv, const double *restrict Da,
                                      const double rates[2], int nv)
{
    const double rate = rates[0], rate2 = rates[1];
    for (int i = 0; i < nv; i++) {
        const double v = Dv[i] * rate, a = Da[i] * rate2;
        previous[i] = a - v;
        now[i] = Dq[i] + v - 2 * a;
        next[i] = a;
    }
}

WIDEST static void chain_velocity(double *restrict previous, double *restrict now,
                                  const double *restrict Dq, const double *restrict Dv, double rate,
                                  int nv)
{
    for (int i = 0; i < nv; i++) {
        const double v = Dv[i] * rate;
        previous[i] = -v;
        now[i] = Dq[i] + v;
    }
}

/* As if all dofs were scalars. A position knows no velocity, a velocity no acceleration. */
static void chain_scalars(row r, int nv, sal_stage stage, const double rates[2])
{
    const size_t bytes = (size_t)nv * sizeof(double);
    if (stage == SAL_STAGE_ACC) {
        chain_acceleration(r.previous, r.now, r.next, r.Dq, r.Dv, r.Da, rates, nv);
        return;
    }
    memset(r.next, 0, bytes);
    if (stage == SAL_STAGE_VEL) {
        chain_velocity(r.previous, r.now, r.Dq, r.Dv, rates[0], nv);
        return;
    }
    memset(r.previous, 0, bytes);
    memcpy(r.now, r.Dq, bytes);
}

/* Matrices of one rotation:  d0/h, d0/h^2, d1/h, (e0 - d1)/h^2, e1/h^2 */
typedef struct turn {
    double v0[9], a0[9], v1[9], a1[9], a2[9];
} turn;

static void turn_of(turn *t, const inv_worker *worker, int dof, const double rates[2])
{
    const double *d0 = worker->d0 + 3 * dof, *d1 = worker->d1 + 3 * dof, *e0 = worker->e0 + 3 * dof,
                 *e1 = worker->e1 + 3 * dof;
    for (int i = 0; i < 9; i++) {
        t->v0[i] = d0[i] * rates[0];
        t->a0[i] = d0[i] * rates[1];
        t->v1[i] = d1[i] * rates[0];
        t->a1[i] = (e0[i] - d1[i]) * rates[1];
        t->a2[i] = e1[i] * rates[1];
    }
}

/* x' M, column j */
static inline double column(const double x[3], const double M[9], int j)
{
    return x[0] * M[j] + x[1] * M[3 + j] + x[2] * M[6 + j];
}

/* The three columns of a rotation whose dofs begin at i. */
static void chain_rotation(row r, const turn *t, int i, sal_stage stage)
{
    const double *v = r.Dv + i, *a = r.Da + i;
    for (int j = 0; j < 3; j++) {
        r.previous[i + j] = column(v, t->v0, j);
        r.now[i + j] = r.Dq[i + j] + column(v, t->v1, j);
    }
    for (int j = 0; j < 3 && stage == SAL_STAGE_ACC; j++) {
        r.previous[i + j] -= column(a, t->a0, j);
        r.now[i + j] += column(a, t->a1, j);
        r.next[i + j] = column(a, t->a2, j);
    }
}

static row row_of(const sal_invdyn *w, const inv_worker *worker, double *Y, int i)
{
    const int nv = w->nv;
    const size_t from = (size_t)i * (size_t)nv;
    double *y = Y + (size_t)i * (size_t)w->ncolumn;
    return (row){worker->Dq + from, worker->Dv + from, worker->Da + from, y, y + nv, y + 2 * nv};
}

double inv_velocity_by_timestep(const inv_worker *worker, int i)
{
    return -worker->v[i];
}

double inv_acceleration_by_timestep(const inv_worker *worker, int i)
{
    return -2 * worker->a[i];
}

/* Rows of v_t or a_t themselves: 1 in one column of D. */
static void chain_variable(const sal_invdyn *w, int k, double *Y, const double rates[2])
{
    const int nv = w->nv;
    const bool velocity = w->kind[k]->variable == INV_VELOCITY;
    const sal_output *output = w->output + k;
    const size_t width = (size_t)w->ncolumn;
    double *y = Y + (size_t)output->adr * width;
    memset(y, 0, (size_t)nv * width * sizeof *y);
    for (int i = 0; i < nv; i++, y += width) {
        y[i] = velocity ? -rates[0] : rates[1];
        y[nv + i] = velocity ? rates[0] : -2 * rates[1];
        y[2 * nv + i] = velocity ? 0 : rates[1];
    }
}

void inv_worker_chain(const inv_call *call, inv_worker *worker, const double *q, double *Y)
{
    const sal_model *m = call->m;
    const sal_invdyn *w = call->w;
    const double rate = 1 / m->opt.timestep, rates[2] = {rate, rate * rate};
    if (w->nrotation > 0) {
        sal_differentiate_pos_deriv(m, worker->d0, worker->d1, q, q + m->nq);
        sal_differentiate_pos_deriv(m, worker->e0, worker->e1, q + m->nq, q + 2 * m->nq);
    }
    for (int k = 0; k < w->noutput; k++) {
        const sal_output *output = w->output + k;
        const int end = output->adr + output->n;
        const bool variable = w->kind[k]->variable != INV_NO_VARIABLE;
        if (variable) {
            chain_variable(w, k, Y, rates);
        }
        for (int i = output->adr; i < end && !variable; i++) {
            const row r = row_of(w, worker, Y, i);
            chain_scalars(r, m->nv, w->stage[k], rates);
            memset(r.next + m->nv, 0, (size_t)(2 * w->nz + 1) * sizeof(double));
        }
    }
    for (int b = 0; b < w->nrotation; b++) {
        turn t;
        turn_of(&t, worker, w->rotation[b], rates);
        for (int k = 0; k < w->noutput; k++) {
            const sal_output *output = w->output + k;
            const bool variable = w->kind[k]->variable != INV_NO_VARIABLE;
            const int begin = output->adr + (variable ? w->rotation[b] : 0);
            const int end = variable ? begin + 3 : output->adr + output->n;
            for (int i = begin; i < end && w->stage[k] > SAL_STAGE_POS; i++) {
                chain_rotation(row_of(w, worker, Y, i), &t, w->rotation[b], w->stage[k]);
            }
        }
    }
}
