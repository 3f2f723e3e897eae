/* states.c: inverse and forward dynamics of many states that know nothing of each other, in
 * parallel. */
#include "base/house.h"
#include "invdyn/invdyn.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

typedef struct batch {
    const sal_model *m;
    const sal_states *s;
    /* [nthread] */
    sal_data **data;
    /* the first state that failed, n: none; the fault of each thread's first [nthread] */
    atomic_int failed;
    sal_err *err;
    int *row;
} batch;

static void copy(double *to, const double *from, int n, int i)
{
    if (n > 0) {
        memcpy(to, from + (ptrdiff_t)i * n, (size_t)n * sizeof *to);
    }
}

static double *row_of(double *matrix, const sal_model *m, int i)
{
    return matrix + (ptrdiff_t)i * m->nv * m->nv;
}

/* row i := x [nv], of finite numbers */
static sal_status put(double *rows, const sal_model *m, int i, const double *x, const char *what,
                      sal_err *err)
{
    for (int k = 0; k < m->nv; k++) {
        if (!isfinite(x[k])) {
            return sal_fail(err, SAL_DIVERGED, "%s of dof %d is not finite", what, k);
        }
        rows[(ptrdiff_t)i * m->nv + k] = x[k];
    }
    return SAL_OK;
}

static sal_status inverse_of(const batch *b, sal_data *d, int i, sal_err *err)
{
    const sal_model *m = b->m;
    const sal_states *s = b->s;
    copy(d->qpos, s->qpos, m->nq, i);
    copy(d->qvel, s->qvel, m->nv, i);
    copy(d->qacc, s->qacc, m->nv, i);
    sal_status status = sal_inverse(m, d, err);
    status =
        status == SAL_OK ? put(s->qfrc_inverse, m, i, d->qfrc_inverse, "the force", err) : status;
    if (status == SAL_OK && s->Dq != NULL) {
        status = sal_inverse_deriv(m, d, row_of(s->Dq, m, i), row_of(s->Dv, m, i),
                                   row_of(s->Da, m, i), err);
    }
    return status;
}

/* From rest each time: what the solver begins with must not depend on the state before. */
static sal_status forward_of(const batch *b, sal_data *d, int i, sal_err *err)
{
    const sal_model *m = b->m;
    const sal_states *s = b->s;
    sal_data_reset(m, d);
    copy(d->qpos, s->qpos, m->nq, i);
    copy(d->qvel, s->qvel, m->nv, i);
    if (s->ctrl != NULL) {
        copy(d->ctrl, s->ctrl, m->nu, i);
    }
    const sal_status status = sal_forward(m, d, err);
    return status == SAL_OK ? put(s->qacc, m, i, d->qacc, "the acceleration", err) : status;
}

static void note(batch *b, int i, int worker, const sal_err *err)
{
    int first = atomic_load(&b->failed);
    if (i < b->row[worker]) {
        b->row[worker] = i;
        b->err[worker] = *err;
    }
    while (i < first && !atomic_compare_exchange_weak(&b->failed, &first, i)) {
    }
}

static void inverse_task(void *ctx, int i, int worker)
{
    batch *b = ctx;
    sal_err err = {0};
    if (i < atomic_load(&b->failed) && inverse_of(b, b->data[worker], i, &err) != SAL_OK) {
        note(b, i, worker, &err);
    }
}

static void forward_task(void *ctx, int i, int worker)
{
    batch *b = ctx;
    sal_err err = {0};
    if (i < atomic_load(&b->failed) && forward_of(b, b->data[worker], i, &err) != SAL_OK) {
        note(b, i, worker, &err);
    }
}

static sal_status fault(const batch *b, int nthread, sal_err *err)
{
    const int failed = atomic_load(&b->failed);
    for (int w = 0; w < nthread; w++) {
        if (b->row[w] == failed) {
            return sal_fail(err, b->err[w].code, "state %d: %.480s", failed, b->err[w].message);
        }
    }
    return SAL_OK;
}

static sal_status run(const sal_model *m, const sal_states *s, sal_task task, int nthread,
                      sal_err *err)
{
    const int nworker = nthread < 1 ? 1 : nthread > s->n ? (s->n > 0 ? s->n : 1) : nthread;
    batch b = {.m = m, .s = s};
    sal_status status = SAL_OK;
    atomic_init(&b.failed, s->n);
    b.data = sal_alloc((size_t)nworker, sizeof(sal_data *));
    b.err = sal_alloc((size_t)nworker, sizeof *b.err);
    b.row = sal_alloc((size_t)nworker, sizeof *b.row);
    if (b.data == NULL || b.err == NULL || b.row == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for %d threads", nworker);
    }
    for (int w = 0; w < nworker && status == SAL_OK; w++) {
        b.row[w] = s->n + 1;
        status = sal_data_new(&b.data[w], m, err);
    }
    if (status == SAL_OK) {
        sal_parallel_for(s->n, nworker, task, &b);
        status = fault(&b, nworker, err);
    }
    for (int w = 0; w < nworker && b.data != NULL; w++) {
        sal_data_free(b.data[w]);
    }
    sal_free(b.data);
    sal_free(b.err);
    sal_free(b.row);
    return status;
}

sal_status sal_states_inverse(const sal_model *m, const sal_states *s, int nthread, sal_err *err)
{
    return run(m, s, inverse_task, nthread, err);
}

sal_status sal_states_forward(const sal_model *m, const sal_states *s, int nthread, sal_err *err)
{
    return run(m, s, forward_task, nthread, err);
}
