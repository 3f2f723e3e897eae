/* unfolded.c: a motion continued, by g, the image one period later:
 *
 *     q_{t+N} = g(q_t)        v_{t+N} = S v_t        f_{t+N} = S f_t        u_{t+N} = U u_t
 *
 * S is orthogonal (it exchanges and turns), so forces go as velocities do.
 */
#include "runs/unfolded.h"

#include <limits.h>
#include <math.h>
#include <string.h>

void run_image_ctrl(const sal_image *image, const sal_model *m, double *out, const double *x)
{
    for (int i = 0; i < m->nu; i++) {
        out[i] = image->actuator_sign[i] * x[image->actuator_index[i]];
    }
}

void run_image_act(const sal_image *image, const sal_model *m, double *out, const double *x)
{
    for (int i = 0; i < m->nu; i++) {
        const int adr = m->actuator_actadr[i];
        if (adr >= 0) {
            out[adr] = image->actuator_sign[i] * x[m->actuator_actadr[image->actuator_index[i]]];
        }
    }
}

static sal_status allocate(run_unfolded *u, sal_err *err)
{
    const sal_model *m = u->m;
    const size_t rows = (size_t)u->nstep + 1;
    u->qpos = sal_alloc(rows * (size_t)m->nq, sizeof(double));
    u->qvel = sal_alloc(rows * (size_t)m->nv, sizeof(double));
    u->act = sal_alloc(rows * (size_t)m->na, sizeof(double));
    u->ctrl = sal_alloc(rows * (size_t)m->nu, sizeof(double));
    u->force = sal_alloc(rows * (size_t)m->nv, sizeof(double));
    return u->qpos == NULL || u->qvel == NULL || u->act == NULL || u->ctrl == NULL ||
                   u->force == NULL
               ? sal_fail(err, SAL_NOMEM, "out of memory for a motion of %d steps", u->nstep)
               : SAL_OK;
}

static void copy_rows(double *to, const double *from, int rows, int n)
{
    memcpy(to, from, (size_t)rows * (size_t)n * sizeof(double));
}

/* Row k, from the one that is a period earlier */
static void continue_state(run_unfolded *u, const sal_result *r, int k)
{
    const sal_model *m = u->m;
    const int from = k - r->nstep;
    sal_image_apply(r->image, m, u->qpos + k * m->nq, u->qpos + from * m->nq, prb_result_length(r));
    sal_image_velocity(r->image, m, u->qvel + k * m->nv, u->qvel + from * m->nv);
    run_image_act(r->image, m, u->act + k * m->na, u->act + from * m->na);
}

static void continue_drive(run_unfolded *u, const sal_result *r, int k)
{
    const sal_model *m = u->m;
    const int from = k - r->nstep;
    run_image_ctrl(r->image, m, u->ctrl + k * m->nu, u->ctrl + from * m->nu);
    sal_image_velocity(r->image, m, u->force + k * m->nv, u->force + from * m->nv);
}

sal_status run_unfolded_new(run_unfolded *u, const sal_result *r, double seconds, sal_err *err)
{
    const sal_model *m = r->model;
    const int N = r->nstep;
    const double steps = ceil(seconds / r->timestep - 1e-6);
    *u = (run_unfolded){.m = m, .h = r->timestep, .nstep = N};
    if (!(steps * (m->nq + 2 * m->nv + m->nu + m->na + 1) < INT_MAX / 4)) {
        return sal_fail(err, SAL_BADINPUT,
                        "%.9g s need %.3g steps of %.9g s, which is too many; replay a shorter "
                        "time",
                        seconds, steps, r->timestep);
    }
    if (seconds > 0 && (r->image != NULL || steps < N)) {
        u->nstep = steps < 1 ? 1 : (int)steps;
    }
    const sal_status status = allocate(u, err);
    if (status != SAL_OK) {
        return status;
    }
    const int known = u->nstep < N ? u->nstep : N;
    copy_rows(u->qpos, r->qpos, known + 1, m->nq);
    copy_rows(u->qvel, r->qvel, known + 1, m->nv);
    copy_rows(u->act, r->act, known + 1, m->na);
    copy_rows(u->ctrl, r->ctrl, known, m->nu);
    copy_rows(u->force, r->qfrc_inverse, known, m->nv);
    for (int k = N; k <= u->nstep && r->image != NULL; k++) {
        continue_state(u, r, k);
        continue_drive(u, r, k);
    }
    return SAL_OK;
}

void run_unfolded_clear(run_unfolded *u)
{
    sal_free(u->qpos);
    sal_free(u->qvel);
    sal_free(u->act);
    sal_free(u->ctrl);
    sal_free(u->force);
    *u = (run_unfolded){0};
}

int run_unfolded_step(const run_unfolded *u, double time)
{
    const double step = floor(time / u->h + 1e-6); /* times are sums of rounded steps */
    return step < 0 ? 0 : step < u->nstep ? (int)step : u->nstep - 1;
}

/* q = q_t (+) s (q_{t+1} (-) q_t),   v = v_t + s (v_{t+1} - v_t) */
void run_unfolded_at(const run_unfolded *u, double time, double *qpos, double *qvel, double *act)
{
    const sal_model *m = u->m;
    const int t = run_unfolded_step(u, time);
    const double s = fmin(fmax(time / u->h - t, 0), 1);
    const double *q = u->qpos + t * m->nq, *v = u->qvel + t * m->nv, *a = u->act + t * m->na;
    sal_differentiate_pos(m, qvel, 1, q, q + m->nq);
    sal_integrate_pos(m, qpos, q, qvel, s);
    for (int i = 0; i < m->nv; i++) {
        qvel[i] = v[i] + s * (v[m->nv + i] - v[i]);
    }
    for (int i = 0; i < m->na; i++) {
        act[i] = a[i] + s * (a[m->na + i] - a[i]);
    }
}
