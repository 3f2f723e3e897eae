/* feedback.c: u = u_t + K_t (x (-) x(time)). The motion is interpolated between its rows, gains and
 * controls are those of the row. */
#include "runs/feedback.h"

#include "runs/gains.h"

#include <math.h>
#include <string.h>

sal_status run_feedback_new(run_feedback *f, const sal_result *r,
                            const sal_rollout_options *options, sal_err *err)
{
    const sal_gains *g = options->gains;
    const size_t n = (size_t)g->n, nu = (size_t)g->nu, size = (size_t)g->nstep * nu * n;
    const size_t state = (size_t)r->model->nq + n;
    *f = (run_feedback){
        .r = r, .gains = g, .noise = options->noise, .rng = {(uint64_t)options->seed}};
    f->K = sal_alloc(size + 2 * n + nu * n + state, sizeof(double));
    if (f->K == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for gains of %d steps", g->nstep);
    }
    memcpy(f->K, g->K, size * sizeof(double));
    f->dx = f->K + size;
    f->row = f->dx + n;
    f->image = f->row + n;
    return SAL_OK;
}

void run_feedback_clear(run_feedback *f)
{
    sal_free(f->K);
    *f = (run_feedback){0};
}

static void next_period(run_feedback *f)
{
    const int size = f->gains->nu * f->gains->n;
    for (int t = 0; t < f->gains->nstep; t++) {
        double *K = f->K + t * size;
        run_image_gain(f->r->image, f->r->model, f->image, K, f->row);
        memcpy(K, f->image, (size_t)size * sizeof(double));
    }
    f->period++;
}

/* dx = x (-) x(time), as it is measured */
static void measure(run_feedback *f, const run_unfolded *u, double time, const double *qpos,
                    const double *qvel, const double *act)
{
    const sal_model *m = u->m;
    const int nv = m->nv;
    double *q = f->image + f->gains->nu * f->gains->n, *v = q + m->nq, *a = v + nv, *dx = f->dx;
    run_unfolded_at(u, time, q, v, a);
    sal_differentiate_pos(m, dx, 1, q, qpos);
    for (int i = 0; i < nv; i++) {
        dx[nv + i] = qvel[i] - v[i];
    }
    for (int i = 0; i < m->na; i++) {
        dx[2 * nv + i] = act[i] - a[i];
    }
    for (int i = 0; i < f->gains->n && f->noise > 0; i++) {
        dx[i] += f->noise * (i >= nv && i < 2 * nv ? 10 : 1) * sal_rng_normal(&f->rng);
    }
}

static bool clip(const sal_model *m, int i, double *ctrl)
{
    const double *range = m->actuator_ctrlrange + 2 * i, before = *ctrl;
    if (m->actuator_ctrllimited[i]) {
        *ctrl = fmin(fmax(before, range[0]), range[1]);
    }
    return *ctrl != before;
}

bool run_feedback_at(run_feedback *f, const run_unfolded *u, double time, const double *qpos,
                     const double *qvel, const double *act, double *ctrl)
{
    const int n = f->gains->n, nu = f->gains->nu, t = run_unfolded_step(u, time);
    bool clipped = false;
    while (f->period < t / f->gains->nstep) {
        next_period(f);
    }
    measure(f, u, time, qpos, qvel, act);
    const double *K = f->K + t % f->gains->nstep * nu * n;
    for (int i = 0; i < nu; i++) {
        double sum = u->ctrl[t * nu + i];
        for (int k = 0; k < n; k++) {
            sum += K[i * n + k] * f->dx[k];
        }
        ctrl[i] = sum;
        clipped = clip(u->m, i, ctrl + i) || clipped;
    }
    return clipped;
}
