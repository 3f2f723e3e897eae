/* states.c: states over time, and the state at any time between them. */
#include "problems/states.h"

#include "problems/problem.h"

#include <math.h>
#include <string.h>

/* ---- memory ---- */

sal_status prb_states_new(prb_states *s, const sal_model *m, int nrow, const double *pose,
                          sal_err *err)
{
    const size_t rows = (size_t)nrow, nq = (size_t)m->nq, nv = (size_t)m->nv;
    s->nrow = nrow;
    s->time = sal_alloc(rows, sizeof(double));
    s->qpos = sal_alloc(rows * nq, sizeof(double));
    s->qvel = sal_alloc(rows * nv, sizeof(double));
    s->pos = sal_alloc((size_t)m->njnt, 1);
    s->vel = sal_alloc((size_t)m->njnt, 1);
    if (s->time == NULL || s->qpos == NULL || s->qvel == NULL || s->pos == NULL || s->vel == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d states", nrow);
    }
    for (size_t i = 0; i < rows; i++) {
        memcpy(s->qpos + i * nq, pose, nq * sizeof(double));
    }
    return SAL_OK;
}

void prb_states_clear(prb_states *s)
{
    sal_free(s->time);
    sal_free(s->qpos);
    sal_free(s->qvel);
    sal_free(s->pos);
    sal_free(s->vel);
    *s = (prb_states){0};
}

bool prb_quaternions_exist(const sal_model *m, const double *qpos)
{
    for (int j = 0; j < m->njnt; j++) {
        const double *q = qpos + m->jnt_qposadr[j] + (m->jnt_type[j] == SAL_JNT_FREE ? 3 : 0);
        if (m->jnt_type[j] <= SAL_JNT_BALL &&
            q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 1e-12) {
            return false;
        }
    }
    return true;
}

/* ---- at a time ---- */

/* The last row whose time is not after t, or 0. */
static int row_at(const prb_states *s, double t)
{
    int low = 0, high = s->nrow;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (s->time[middle] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* q_a (+) p(f),  p(f) = f/2 ((d_1 - d_{-1}) + f ((2 d_{-1} + 4 d_1 - d_2) + f (d_2 - 3 d_1 -
 *                d_{-1}))), d_i = q_{a+i} (-) q_a; beyond the last row the motion
 * goes on as it came */
static void along_cubic(const prb_states *s, const sal_model *m, int row, double f, double *qpos,
                        double *scratch)
{
    const int nq = m->nq, nv = m->nv;
    const double *q = s->qpos + row * nq;
    double *before = scratch, *next = before + nv, *after = next + nv, *p = after + nv;
    sal_differentiate_pos(m, next, 1, q, q + nq);
    if (row > 0) {
        sal_differentiate_pos(m, before, 1, q, q - nq);
    }
    if (row + 2 < s->nrow) {
        sal_differentiate_pos(m, after, 1, q, q + 2 * nq);
    }
    for (int i = 0; i < nv; i++) {
        const double d1 = next[i], d0 = row > 0 ? before[i] : -d1,
                     d2 = row + 2 < s->nrow ? after[i] : 2 * d1;
        p[i] = 0.5 * f * (d1 - d0 + f * (2 * d0 + 4 * d1 - d2 + f * (d2 - 3 * d1 - d0)));
    }
    sal_integrate_pos(m, qpos, q, p, 1);
}

void prb_states_at(const prb_states *s, const sal_model *m, double time, double *qpos, double *qvel,
                   double *scratch)
{
    const int row = row_at(s, time), next = row + 1 < s->nrow ? row + 1 : row;
    const double gap = s->time[next] - s->time[row];
    const double f = gap > 0 ? fmin(fmax((time - s->time[row]) / gap, 0), 1) : 0;
    const double *q = s->qpos + row * m->nq, *v = s->qvel + row * m->nv,
                 *v1 = s->qvel + next * m->nv;
    memcpy(qpos, q, (size_t)m->nq * sizeof(double));
    if (f > 0 && s->smooth) {
        along_cubic(s, m, row, f, qpos, scratch);
    } else if (f > 0) {
        sal_differentiate_pos(m, scratch, 1, q, s->qpos + next * m->nq);
        sal_integrate_pos(m, qpos, q, scratch, f);
    }
    for (int i = 0; i < m->nv && qvel != NULL; i++) {
        qvel[i] = v[i] + f * (v1[i] - v[i]);
    }
}

/* ---- ends of a motion ---- */

bool prb_endpoint_rests(const prb_endpoint *e, int nv)
{
    bool rests = e->fixed_vel && e->qvel != NULL;
    for (int i = 0; rests && i < nv; i++) {
        rests = e->qvel[i] == 0;
    }
    return rests;
}
