/* states.c: inverse and forward dynamics, and one step, of many states that know nothing of each
 * other, in parallel. */
#include "base/house.h"
#include "invdyn/invdyn.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct worker {
    sal_data *d;
    /* its first state that failed; INT_MAX: none */
    int failed;
    sal_err err;
} worker;

typedef struct batch {
    const sal_model *m;
    const sal_states *s;
    sal_status (*compute)(const struct batch *b, sal_data *d, int i, sal_err *err);
    /* [nthread] */
    worker *worker;
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

/* State i, driven. From rest each time: what the solver begins with must not depend on the state
 * before. */
static void begin(const batch *b, sal_data *d, int i)
{
    const sal_model *m = b->m;
    const sal_states *s = b->s;
    sal_data_reset(m, d);
    copy(d->qpos, s->qpos, m->nq, i);
    copy(d->qvel, s->qvel, m->nv, i);
    if (s->ctrl != NULL) {
        copy(d->ctrl, s->ctrl, m->nu, i);
    }
    if (s->act != NULL) {
        copy(d->act, s->act, m->na, i);
    }
}

static sal_status forward_of(const batch *b, sal_data *d, int i, sal_err *err)
{
    begin(b, d, i);
    const sal_status status = sal_forward(b->m, d, err);
    return status == SAL_OK ? put(b->s->qacc, b->m, i, d->qacc, "the acceleration", err) : status;
}

static void copy_back(double *rows, const double *from, int n, int i)
{
    if (n > 0 && rows != NULL) {
        memcpy(rows + (ptrdiff_t)i * n, from, (size_t)n * sizeof *rows);
    }
}

static sal_status step_of(const batch *b, sal_data *d, int i, sal_err *err)
{
    begin(b, d, i);
    const sal_status status = sal_step(b->m, d, err);
    if (status == SAL_OK) {
        copy_back(b->s->qpos_next, d->qpos, b->m->nq, i);
        copy_back(b->s->qvel_next, d->qvel, b->m->nv, i);
        copy_back(b->s->act_next, d->act, b->m->na, i);
    }
    return status;
}

/* A worker goes through its states in order: the first fault of all is that of some worker. */
static void task(void *ctx, int i, int number)
{
    const batch *b = ctx;
    worker *w = b->worker + number;
    if (w->failed == INT_MAX && b->compute(b, w->d, i, &w->err) != SAL_OK) {
        w->failed = i;
    }
}

/* ns of a state and dof, about, in the direction that takes least: the inverse */
static const double WORK_PER_DOF = 400;

static sal_status run(batch *b, int nthread, sal_err *err)
{
    const int most = b->s->n > 0 ? b->s->n : 1;
    const int nworker = nthread < 1 ? 1 : nthread < most ? nthread : most;
    sal_status status = SAL_OK;
    b->worker = sal_alloc((size_t)nworker, sizeof *b->worker);
    if (b->worker == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d threads", nworker);
    }
    for (int i = 0; i < nworker && status == SAL_OK; i++) {
        b->worker[i].failed = INT_MAX;
        status = sal_data_new(&b->worker[i].d, b->m, err);
    }
    if (status == SAL_OK) {
        const worker *first = b->worker;
        const double work = WORK_PER_DOF * b->m->nv * b->s->n;
        sal_parallel_for(b->s->n, sal_parallel_worth(nworker, work), task, b);
        for (int i = 1; i < nworker; i++) {
            first = b->worker[i].failed < first->failed ? b->worker + i : first;
        }
        if (first->failed != INT_MAX) {
            status = sal_fail(err, first->err.code, "state %d: %.480s", first->failed,
                              first->err.message);
        }
    }
    for (int i = 0; i < nworker; i++) {
        sal_data_free(b->worker[i].d);
    }
    sal_free(b->worker);
    return status;
}

sal_status sal_states_inverse(const sal_model *m, const sal_states *s, int nthread, sal_err *err)
{
    return run(&(batch){.m = m, .s = s, .compute = inverse_of}, nthread, err);
}

sal_status sal_states_forward(const sal_model *m, const sal_states *s, int nthread, sal_err *err)
{
    const sal_status status = sal_model_prompt(m, "the dynamics of single states", err);
    return status == SAL_OK ? run(&(batch){.m = m, .s = s, .compute = forward_of}, nthread, err)
                            : status;
}

sal_status sal_states_step(const sal_model *m, const sal_states *s, int nthread, sal_err *err)
{
    const sal_status status = sal_model_prompt(m, "steps from single states", err);
    return status == SAL_OK ? run(&(batch){.m = m, .s = s, .compute = step_of}, nthread, err)
                            : status;
}
