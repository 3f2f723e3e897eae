/* member.c: what each member does by itself, in parallel. Members are taken by whichever
 * thread is free: each writes to its own places, and sums are made later, in the order of the
 * members. */
#include "base/house.h"
#include "optim/joint/joint.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { TRIES = 5 }; /* of a step, each shorter */
static const double SHORTER = .35;
static const double GOOD = .2,
                    KEPT = 10; /* damping after a full step, and where no step is good, */
static const double BACK = 2, BACK_MORE = 4. / 3; /* after a shorter one, and for each more */
static const double LEAST = 1e-12, LEAST_KEPT = 1e-6, SINGULAR = 10, MOST = 1e6;
static const double NEGLIGIBLE = 1e-8; /* of the cap: such a step is not worth shortening */

/* ---- in parallel ---- */

typedef struct run run;
typedef sal_status (*task)(const run *r, int worker, int member, sal_err *err);

struct run {
    sal_joint *j;
    task each;
    const double *x, *p;
    bool flag;
    int end;
};

typedef struct queue {
    run run;
    atomic_int next;
} queue;

static void serve(void *ctx, int worker, int thread)
{
    queue *q = ctx;
    opt_joint_worker *w = &q->run.j->worker[worker];
    (void)thread;
    w->failed = q->run.j->nmember;
    for (int i; (i = atomic_fetch_add(&q->next, 1)) < q->run.end;) {
        sal_err err = {0};
        const sal_status status = q->run.each(&q->run, worker, i, &err);
        if (status != SAL_OK && i < w->failed) {
            w->failed = i;
            w->status = status;
            w->err = err;
        }
    }
}

/* All own members; the fault of the first that has one. */
static sal_status for_members(run r, sal_err *err)
{
    sal_joint *j = r.j;
    queue q = {.run = r};
    int begin;
    opt_joint_own(j, &begin, &q.run.end);
    atomic_init(&q.next, begin);
    sal_parallel_for(j->nthread, j->nthread, serve, &q);
    const opt_joint_worker *first = j->worker;
    for (int k = 1; k < j->nthread; k++) {
        first = j->worker[k].failed < first->failed ? &j->worker[k] : first;
    }
    const bool failed = first->failed < j->nmember;
    if (failed && err != NULL) {
        *err = first->err;
    }
    return opt_joint_agree(j, failed ? first->status : SAL_OK, err);
}

/* ---- values ---- */

/* Infinite where it diverges */
static sal_status value(const run *r, int worker, int member, const double *x, double *cost,
                        sal_err *err)
{
    const sal_joint_nls *nls = r->j->nls;
    r->j->outcome[member].evaluations++;
    const sal_status status = nls->value(nls->ctx, worker, member, x, r->p, cost, err);
    if (status == SAL_DIVERGED || isnan(*cost)) {
        *cost = (double)INFINITY;
    }
    return status == SAL_DIVERGED ? SAL_OK : status;
}

static sal_status value_member(const run *r, int worker, int i, sal_err *err)
{
    sal_joint *j = r->j;
    j->outcome[i] = (opt_joint_outcome){0};
    const sal_status status = value(r, worker, i, r->x + j->x_at[i], &j->outcome[i].cost, err);
    if (status == SAL_OK && !isfinite(j->outcome[i].cost)) {
        return sal_fail(
            err, SAL_DIVERGED,
            "the cost of member %d is not finite (NaN or infinite) at the initial guess", i);
    }
    return status;
}

static void collect_outcomes(sal_joint *j)
{
    opt_joint_collect(j, &j->outcome->cost, sizeof *j->outcome / sizeof(double), NULL);
}

sal_status opt_joint_value(sal_joint *j, const double *x, const double *p, sal_err *err)
{
    const sal_status status = for_members((run){.j = j, .each = value_member, .x = x, .p = p}, err);
    collect_outcomes(j);
    for (int i = 0; i < j->nmember; i++) {
        j->cost[i] = j->outcome[i].cost;
    }
    return status;
}

/* ---- linearisation ---- */

/* The share of a member, what elimination has left in its corner; false if it is not finite */
static bool put_share(const sal_joint *j, const sal_normal *a, double *share)
{
    const int nlocal = a->nlocal, nborder = a->nborder;
    double sum = 0;
    for (int i = nlocal; i < nborder; i++) {
        for (int k = i; k < nborder; k++) {
            *share++ = a->corner[i * a->ldc + k];
        }
    }
    for (int i = nlocal; i < nborder; i++) {
        *share++ = a->corner[i * a->ldc + nborder];
    }
    *share++ = -a->corner[nborder * a->ldc + nborder];
    for (size_t i = 1; i <= j->nshare; i++) {
        sum += fabs(*(share - i));
    }
    return isfinite(sum);
}

/* The equations of a member, eliminated with the least damping, at least *damping, that makes them
 * regular */
static sal_status eliminate(const run *r, int worker, int i, double *damping, sal_err *err)
{
    sal_joint *j = r->j;
    sal_normal *a = &j->worker[worker].normal;
    while (*damping <= MOST) {
        opt_normal_begin(a, &j->member[i], j->nshared);
        const sal_status status =
            j->nls->linearise(j->nls->ctx, worker, i, r->x + j->x_at[i], r->p, a, err);
        if (status != SAL_OK) {
            return status;
        }
        if (a->status != SAL_OK) {
            *err = a->err;
            return a->status;
        }
        if (r->flag) {
            opt_normal_hold_locals(a);
        }
        opt_normal_damp(a, *damping);
        if (opt_joint_eliminate(a)) {
            return put_share(j, a, j->share + (size_t)i * j->nshare)
                       ? SAL_OK
                       : sal_fail(err, SAL_DIVERGED,
                                  "the derivatives of member %d are not finite (NaN or infinite)",
                                  i);
        }
        *damping = fmax(SINGULAR * *damping, LEAST);
    }
    return sal_fail(err, SAL_SINGULAR,
                    "the equations of member %d cannot be solved: its derivatives are too large",
                    i);
}

static sal_status linearise_member(const run *r, int worker, int i, sal_err *err)
{
    sal_joint *j = r->j;
    const sal_status status = eliminate(r, worker, i, &j->damping[i], err);
    if (status == SAL_OK) {
        opt_joint_substitute(&j->worker[worker].normal, j->Y + j->y_at[i], j->ldy);
    }
    return status;
}

static sal_status eliminate_undamped(const run *r, int worker, int i, sal_err *err)
{
    double damping = 0;
    const sal_status status = eliminate(r, worker, i, &damping, err);
    r->j->outcome[i] = (opt_joint_outcome){.cost = r->j->worker[worker].normal.cost};
    return status;
}

sal_status opt_joint_linearise(sal_joint *j, const double *x, const double *p, sal_err *err)
{
    const run r = {.j = j, .each = linearise_member, .x = x, .p = p, .flag = j->stage.hold_locals};
    const sal_status status = for_members(r, err);
    opt_joint_collect(j, j->share, j->nshare, NULL);
    return status;
}

sal_status opt_joint_linearise_undamped(sal_joint *j, const double *x, const double *p,
                                        sal_err *err)
{
    const sal_status status =
        for_members((run){.j = j, .each = eliminate_undamped, .x = x, .p = p}, err);
    opt_joint_collect(j, j->share, j->nshare, NULL);
    collect_outcomes(j);
    return status;
}

/* ---- a step ---- */

static double largest(const double *d, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = isnan(d[i]) ? (double)INFINITY : fmax(most, fabs(d[i]));
    }
    return most;
}

static void scale(double *d, int n, double factor)
{
    for (int i = 0; i < n; i++) {
        d[i] *= factor;
    }
}

/* d = -H^-1 (g + B dp), cut to the caps; its length in caps before that */
static double step_of(const sal_joint *j, int i, double *d)
{
    const sal_member *member = &j->member[i];
    const int nchain = member->nblock * member->size, n = nchain + member->nlocal;
    const double *Y = j->Y + j->y_at[i];
    for (int row = 0; row < n; row++, Y += j->ldy) {
        double sum = Y[j->nshared];
        for (int k = 0; k < j->nshared; k++) {
            sum += Y[k] * j->dp[k];
        }
        d[row] = -sum;
    }
    const double length = fmax(largest(d, nchain) / j->stage.cap_x,
                               largest(d + nchain, member->nlocal) / j->stage.cap_local);
    if (length > 1) {
        scale(d, n, 1 / length);
    }
    return length;
}

/* Shorter and shorter steps until the cost is lower than it was, or than it would be if only p
 * moved */
static sal_status step_member(const run *r, int worker, int i, sal_err *err)
{
    sal_joint *j = r->j;
    const sal_joint_nls *nls = j->nls;
    const int n = j->member[i].nblock * j->member[i].size + j->member[i].nlocal;
    const double *x = r->x + j->x_at[i];
    double *d = j->worker[worker].d, *trial = j->trial + j->x_at[i], limit = j->cost[i];
    opt_joint_outcome *o = &j->outcome[i];
    *o = (opt_joint_outcome){0};
    const double length = step_of(j, i, d);
    const int most = length <= NEGLIGIBLE ? 1 : TRIES;
    for (int k = 1; k <= most; k++) {
        nls->retract(nls->ctx, i, trial, x, d);
        sal_status status = value(r, worker, i, trial, &o->cost, err);
        if (status == SAL_OK && !(o->cost < limit) && k == 1 && r->flag) {
            status = value(r, worker, i, x, &limit, err);
        }
        if (status != SAL_OK || o->cost < limit) {
            o->tries = k;
            return status;
        }
        scale(d, n, SHORTER);
    }
    memcpy(trial, x, (size_t)j->member[i].nx * sizeof *x);
    o->cost = limit;
    o->tries = most == 1 ? -1 : 0;
    return SAL_OK;
}

sal_status opt_joint_step(sal_joint *j, const double *x, bool moved, sal_err *err)
{
    const run r = {.j = j, .each = step_member, .x = x, .p = j->p_trial, .flag = moved};
    const sal_status status = for_members(r, err);
    collect_outcomes(j);
    return status;
}

void opt_joint_accept(sal_joint *j, double *x)
{
    int begin, end;
    opt_joint_own(j, &begin, &end);
    memcpy(x + j->x_at[begin], j->trial + j->x_at[begin],
           (j->x_at[end] - j->x_at[begin]) * sizeof *x);
    for (int i = 0; i < j->nmember; i++) {
        const double tries = j->outcome[i].tries;
        double *damping = &j->damping[i];
        j->cost[i] = j->outcome[i].cost;
        const double factor = tries < 0    ? 1
                              : tries == 0 ? KEPT
                              : tries == 1 ? GOOD
                                           : BACK + (tries - 2) * BACK_MORE;
        *damping = fmax(factor * *damping, tries == 0 ? LEAST_KEPT : LEAST);
        *damping = fmin(*damping, MOST);
    }
}
