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

/* The worker's data and rates are those of step i of the block. */
static void turn_to(const sal_invdyn *w, inv_worker *worker, int i)
{
    const size_t row = (size_t)i * (size_t)w->nv;
    worker->d = phy_abreast_data(worker->abreast, i);
    worker->v = worker->rates[0] + row;
    worker->v1 = worker->rates[1] + row;
    worker->a = worker->rates[2] + row;
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

/* Inverse dynamics and outputs of step t, the i-th of a block that is placed. */
static sal_status finish(const inv_call *at, inv_worker *worker, int t, int i, double *y)
{
    turn_to(at->w, worker, i);
    inv_window(at, worker, t);
    const sal_status status = phy_abreast_inverse(worker->abreast, at->m, i, &worker->err);
    if (status != SAL_OK) {
        return status;
    }
    if (at->w->nz > 0) {
        inv_worker_drive(at->m, worker);
    }
    return inv_worker_finite_outputs(at->w, at->m, worker, y);
}

static void run_block(void *ctx, int index, int number)
{
    const blocks *b = ctx;
    sal_invdyn *w = b->call->w;
    inv_worker *worker = w->worker + number;
    const int first = index * b->width, left = b->nstep - first,
              n = left < b->width ? left : b->width;
    const bool placed = n > 1 && have_one_model(b->call, first, n);
    if (placed && worker->failed == INT_MAX) {
        place(b, worker, first, n);
    }
    for (int i = 0; i < n && worker->failed == INT_MAX; i++) {
        const int t = first + i;
        const inv_call at = inv_call_at(b->call, t);
        double *y = at.y + (size_t)t * (size_t)w->ny;
        sal_status status = placed
                                ? finish(&at, worker, t, i, y)
                                : inv_worker_base(w, at.m, worker, inv_window(&at, worker, t), y);
        if (status == SAL_OK && b->step != NULL) {
            status = b->step(&at, worker, t);
        }
        if (status != SAL_OK) {
            inv_worker_fail(worker, t);
        }
    }
}

sal_status inv_run_steps(inv_call *call, int nstep, double work, inv_step *step, sal_err *err)
{
    const int width = phy_abreast_width(call->w->worker->abreast);
    blocks b = {call, step, nstep, width};
    return inv_run(call->w, (nstep + width - 1) / width, work * nstep, run_block, &b, err);
}
