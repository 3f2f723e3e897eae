/* block.c: the steps of a motion, as many side by side as the processor has lanes for. Steps with
 * another softness than their neighbours, and one that is left over, go by themselves: the numbers
 * are the same. */
#include "invdyn/workspace.h"

#include <limits.h>
#include <string.h>

/* What the parallel loop hands to its body. */
typedef struct blocks {
    const inv_call *call;
    inv_step *step;
    int nstep, width;
} blocks;

/* Steps first .. first + n - 1 are computed with one model. */
static bool have_one_model(const inv_call *call, int first, int n)
{
    const unsigned char *soft = call->motion->soft;
    for (int t = first + 1; soft != NULL && t < first + n; t++) {
        if (soft[t] != soft[first]) {
            return false;
        }
    }
    return true;
}

/* The worker's data, rates and inputs are those of step i of the block. */
static void turn_to(const sal_invdyn *w, inv_worker *worker, int i)
{
    const size_t row = (size_t)i * (size_t)w->nv;
    worker->d = phy_abreast_data(worker->abreast, i);
    worker->v = worker->rates[0] + row;
    worker->v1 = worker->rates[1] + row;
    worker->a = worker->rates[2] + row;
    worker->input = worker->inputs + (size_t)i * (size_t)w->nz;
}

/* Where the bodies are in n steps, and how they move; all of it for outputs and derivatives that
 * read it */
static void place(const blocks *b, inv_worker *worker, int first, int n)
{
    const inv_call *call = b->call;
    const sal_invdyn *w = call->w;
    const inv_call at = inv_call_at(call, first);
    const size_t nq = (size_t)w->nq, nv = (size_t)w->nv;
    for (int i = 0; i < n; i++) {
        const double *q = call->motion->q + (size_t)(first + i) * nq;
        turn_to(w, worker, i);
        inv_motion_rates(at.m, worker->v, worker->v1, worker->a, q);
        memcpy(worker->d->qpos, q + nq, nq * sizeof(double));
        memcpy(worker->d->qvel, worker->v, nv * sizeof(double));
        memcpy(worker->d->qacc, worker->a, nv * sizeof(double));
    }
    phy_abreast_place(worker->abreast, at.m, n, true);
    if (w->reads_bodies || b->step != NULL) {
        phy_abreast_bring(worker->abreast, at.m);
    }
}

/* Inverse dynamics of step t, the i-th of a block that is placed, and what drives it. */
static sal_status invert(const inv_call *at, inv_worker *worker, int t, int i)
{
    turn_to(at->w, worker, i);
    inv_window(at, worker, t);
    const sal_status status = phy_abreast_inverse(worker->abreast, at->m, i, &worker->err);
    if (status == SAL_OK && at->w->nz > 0) {
        inv_worker_drive(at->m, worker);
    }
    return status;
}

/* Derivatives of the forces of the first n steps of a block; false: not of all, each asks by
 * itself. */
static bool differentiate(const blocks *b, const inv_worker *worker, const sal_model *m, int n)
{
    return b->step != NULL && b->call->w->derives_forces && n > 0 &&
           phy_abreast_deriv(worker->abreast, m, worker->forces, n, true, NULL) == SAL_OK;
}

/* Outputs of step t, whose inverse dynamics are known, and what else is done of it */
static sal_status finish(const blocks *b, const inv_call *at, inv_worker *worker, int t)
{
    const sal_status status =
        inv_worker_finite_outputs(at->w, at->m, worker, at->y + (size_t)t * (size_t)at->w->ny);
    return status == SAL_OK && b->step != NULL ? b->step(at, worker, t) : status;
}

/* Steps first .. first + n - 1 side by side */
static void run_abreast(const blocks *b, inv_worker *worker, int first, int n)
{
    const inv_call at = inv_call_at(b->call, first);
    sal_status status = SAL_OK;
    int known = 0;
    place(b, worker, first, n);
    while (known < n && status == SAL_OK) {
        status = invert(&at, worker, first + known, known);
        known += status == SAL_OK;
    }
    if (status != SAL_OK) {
        inv_worker_fail(worker, first + known);
    }
    const bool derived = differentiate(b, worker, at.m, known);
    status = SAL_OK;
    for (int i = 0; i < known && status == SAL_OK; i++) {
        turn_to(at.w, worker, i);
        inv_window(&at, worker, first + i);
        worker->force = derived ? worker->forces + i : NULL;
        status = finish(b, &at, worker, first + i);
        if (status != SAL_OK) {
            inv_worker_fail(worker, first + i);
        }
    }
    worker->force = NULL;
}

/* One after the other */
static void run_apart(const blocks *b, inv_worker *worker, int first, int n)
{
    for (int t = first; t < first + n && worker->failed == INT_MAX; t++) {
        const inv_call at = inv_call_at(b->call, t);
        double *y = at.y + (size_t)t * (size_t)at.w->ny;
        sal_status status = inv_worker_base(at.w, at.m, worker, inv_window(&at, worker, t), y);
        if (status == SAL_OK && b->step != NULL) {
            status = b->step(&at, worker, t);
        }
        if (status != SAL_OK) {
            inv_worker_fail(worker, t);
        }
    }
}

static void run_block(void *ctx, int index, int number)
{
    const blocks *b = ctx;
    inv_worker *worker = b->call->w->worker + number;
    const int first = index * b->width, left = b->nstep - first,
              n = left < b->width ? left : b->width;
    if (worker->failed != INT_MAX) {
        return;
    }
    if (n > 1 && have_one_model(b->call, first, n)) {
        run_abreast(b, worker, first, n);
    } else {
        run_apart(b, worker, first, n);
    }
}

sal_status inv_run_steps(inv_call *call, int nstep, double work, inv_step *step, sal_err *err)
{
    const int width = phy_abreast_width(call->w->worker->abreast);
    blocks b = {call, step, nstep, width};
    return inv_run(call, (nstep + width - 1) / width, work * nstep, run_block, &b, err);
}
