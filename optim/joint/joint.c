/* joint.c: Gauss-Newton over members that share a few variables: creation, and the loop. */
#include "optim/joint/joint.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static const double CAP_X = .03, CAP_LOCAL = .2, CAP_P = .2;
static const double DAMPING = 1e-10; /* of members at the start */
static const double SHARED_DAMPING = .01, SHARED_LEAST = 1e-14, SHARED_MOST = 1e8;
static const double SHARED_REFUSED = 1e-8,
                    GROWTH = 16; /* at least, and at most at once, where a step is refused */
static const double GOOD = .2;   /* of it, after a step as good as it promised */
static const double GAIN = .5; /* damping stays as it is after a step that was refused at first, */
static const double PROMISE = .1; /* or kept less than this of what was predicted */
enum { TRIES = 4 };               /* of the shared variables' step, the last one without it */
enum { IDLE = 6, SLOW = 2 }; /* iterations without any decrease, and with hardly any, that end it */

void sal_joint_stage_defaults(sal_joint_stage *stage)
{
    *stage = (sal_joint_stage){
        .maxiter = 20, .tolerance = 1e-4, .cap_x = CAP_X, .cap_local = CAP_LOCAL, .cap_p = CAP_P};
}

/* ---- creation ---- */

static size_t tangent(const sal_member *m)
{
    return (size_t)m->nblock * (size_t)m->size + (size_t)m->nlocal;
}

static sal_status check(const sal_joint_nls *nls, sal_err *err)
{
    if (nls->nmember < 1 || nls->nshared < 0) {
        return sal_fail(err, SAL_BADINPUT,
                        "the fit has %d members and %d shared variables; it needs at least 1 "
                        "member and 0 shared variables",
                        nls->nmember, nls->nshared);
    }
    size_t nx = 0;
    for (int i = 0; i < nls->nmember; i++) {
        const sal_member *m = &nls->member[i];
        if (m->nx < 0 || m->nblock < 0 || m->size < 0 || m->nlocal < 0 || m->nlocal > m->nx ||
            (m->nblock > 0 && m->size < 1)) {
            return sal_fail(err, SAL_BADINPUT,
                            "member %d has impossible sizes: %d blocks of size %d and %d local "
                            "variables in %d numbers",
                            i, m->nblock, m->size, m->nlocal, m->nx);
        }
        nx += (size_t)m->nx;
        const double row = OPT_JOINT_WINDOW * (double)m->size + m->nlocal + nls->nshared + 9;
        if (nx > INT_MAX || tangent(m) > INT_MAX || row * (double)m->size > INT_MAX ||
            row * row > INT_MAX) {
            return sal_fail(err, SAL_FULL,
                            "member %d, with %d blocks of size %d, makes the fit too large: use "
                            "fewer or smaller members",
                            i, m->nblock, m->size);
        }
    }
    return SAL_OK;
}

static void place_workers(sal_joint *j, sal_layout *layout)
{
    size_t panel = 0, most = 0;
    int size = 0, nlocal = 0;
    for (int i = 0; i < j->nmember; i++) {
        const sal_member *m = &j->member[i];
        const size_t own = opt_normal_panel(m, j->nshared), n = tangent(m);
        panel = own > panel ? own : panel;
        most = n > most ? n : most;
        size = m->size > size ? m->size : size;
        nlocal = m->nlocal > nlocal ? m->nlocal : nlocal;
    }
    for (int k = 0; k < j->nthread; k++) {
        opt_joint_worker unplaced, *w = j->worker == NULL ? &unplaced : &j->worker[k];
        opt_normal_place(&w->normal, layout, panel, size, nlocal + j->nshared);
        w->d = sal_layout_take(layout, most, sizeof(double));
    }
}

static void place(sal_joint *j, sal_layout *layout)
{
    const size_t nmember = (size_t)j->nmember, n = (size_t)j->nshared;
    j->worker = sal_layout_take(layout, (size_t)j->nthread, sizeof *j->worker);
    j->Y = sal_layout_take(layout, j->y_at[j->nmember], sizeof(double));
    j->trial = sal_layout_take(layout, j->x_at[j->nmember], sizeof(double));
    j->cost = sal_layout_take(layout, nmember, sizeof(double));
    j->damping = sal_layout_take(layout, nmember, sizeof(double));
    j->outcome = sal_layout_take(layout, nmember, sizeof *j->outcome);
    j->share = sal_layout_take(layout, nmember * j->nshare, sizeof(double));
    j->S = sal_layout_take(layout, n * n, sizeof(double));
    j->factor = sal_layout_take(layout, n * n, sizeof(double));
    j->s = sal_layout_take(layout, n, sizeof(double));
    j->dp = sal_layout_take(layout, n, sizeof(double));
    j->free_dp = sal_layout_take(layout, n, sizeof(double));
    j->unit = sal_layout_take(layout, n, sizeof(double));
    j->p_trial = sal_layout_take(layout, n, sizeof(double));
    j->free = sal_layout_take(layout, n + 1, sizeof(int));
    j->varies = sal_layout_take(layout, n, 1);
    place_workers(j, layout);
}

/* The sizes, known before anything else is placed */
static void place_members(sal_joint *j, sal_layout *layout)
{
    const size_t nmember = (size_t)j->nmember;
    j->member = sal_layout_take(layout, nmember, sizeof *j->member);
    j->x_at = sal_layout_take(layout, nmember + 1, sizeof(size_t));
    j->y_at = sal_layout_take(layout, nmember + 1, sizeof(size_t));
    if (sal_ranks_are_many(j->nls->ranks)) {
        opt_talk_place(&j->talk, j->nls->ranks, layout);
        j->begin = sal_layout_take(layout, (size_t)j->nls->ranks->size + 1, sizeof(int));
    }
}

/* Slices of about the same work: the k-th begins with the member whose middle lies beyond k shares
 * of it. */
static void cut(sal_joint *j)
{
    const int size = j->begin == NULL ? -1 : j->nls->ranks->size;
    double total = 0, sum = 0;
    for (int i = 0; i < j->nmember; i++) {
        total += (double)tangent(&j->member[i]) + 1;
    }
    for (int k = 0, i = 0; k <= size; k++) {
        for (; i < j->nmember; i++) {
            const double own = (double)tangent(&j->member[i]) + 1;
            if (k < size && sum + 0.5 * own >= total * k / size) {
                break;
            }
            sum += own;
        }
        j->begin[k] = i;
    }
}

static void find_places(sal_joint *j)
{
    memcpy(j->member, j->nls->member, (size_t)j->nmember * sizeof *j->member);
    cut(j);
    int begin, end;
    opt_joint_own(j, &begin, &end);
    for (int i = 0; i < j->nmember; i++) {
        const size_t own = tangent(&j->member[i]) * (size_t)j->ldy;
        j->x_at[i + 1] = j->x_at[i] + (size_t)j->member[i].nx;
        j->y_at[i + 1] = j->y_at[i] + (i >= begin && i < end ? own : 0);
    }
}

/* One block of memory for what `places` places */
static void *memory_for(sal_joint *j, void (*places)(sal_joint *j, sal_layout *layout))
{
    sal_layout layout = {0};
    places(j, &layout);
    layout.base = sal_alloc(layout.size, 1);
    void *memory = layout.base;
    layout.size = 0;
    if (memory != NULL) {
        places(j, &layout);
    }
    return memory;
}

sal_status sal_joint_new(sal_joint **joint, const sal_joint_nls *nls, int nthread, sal_err *err)
{
    *joint = NULL;
    sal_status status = check(nls, err);
    if (status != SAL_OK) {
        return status;
    }
    const size_t n = (size_t)nls->nshared;
    sal_joint *j = sal_alloc(1, sizeof *j);
    if (j == NULL) {
        goto done;
    }
    *j = (sal_joint){
        .nls = nls,
        .nmember = nls->nmember,
        .nshared = nls->nshared,
        .nthread = nthread > 1 ? nthread : 1,
        .nshare = n * (n + 1) / 2 + n + 1,
        .ldy = (nls->nshared + OPT_JOINT_LANE) / OPT_JOINT_LANE * OPT_JOINT_LANE,
    };
    j->sizes = memory_for(j, place_members);
    if (j->sizes == NULL) {
        goto done;
    }
    find_places(j);
    j->memory = memory_for(j, place);
done:
    if (j == NULL || j->memory == NULL) {
        sal_joint_free(j);
        return sal_fail(err, SAL_NOMEM, "out of memory for %d members that share %d variables",
                        nls->nmember, nls->nshared);
    }
    for (int i = 0; i < j->nmember; i++) {
        j->damping[i] = DAMPING;
    }
    *joint = j;
    return SAL_OK;
}

void sal_joint_free(sal_joint *j)
{
    if (j != NULL) {
        sal_free(j->memory);
        sal_free(j->sizes);
        sal_free(j);
    }
}

/* ---- the loop ---- */

static double total(const sal_joint *j)
{
    double sum = 0;
    for (int i = 0; i < j->nmember; i++) {
        sum += j->outcome[i].cost;
    }
    return sum;
}

static void count_evaluations(sal_joint *j, sal_joint_result *result)
{
    for (int i = 0; i < j->nmember; i++) {
        result->evaluations += (long)j->outcome[i].evaluations;
    }
}

/* Is the step of the shared variables good for the sum? If not, their damping is raised; the last
 * try is made without it. */
static sal_status take_step(sal_joint *j, const double *x, const double *p, sal_joint_progress *now,
                            sal_joint_result *result, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int k = 1; k <= TRIES; k++) {
        const bool moves = k < TRIES && j->nshared > 0;
        now->predicted = moves ? opt_joint_solve_shared(j, p) : j->promise;
        j->hope = k == 1 ? now->predicted : j->hope;
        now->damping = j->damped.mu;
        now->step = 0;
        for (int i = 0; i < j->nshared; i++) {
            j->dp[i] = moves ? j->dp[i] : 0;
            j->p_trial[i] = moves ? j->p_trial[i] : p[i];
            now->step = fmax(now->step, fabs(j->p_trial[i] - p[i]));
        }
        status = opt_joint_step(j, x, now->step > 0, err);
        if (status != SAL_OK) {
            return status;
        }
        count_evaluations(j, result);
        const double after = total(j) + opt_joint_prior(j, j->p_trial);
        now->decrease = now->cost - after;
        if (after < now->cost || now->step == 0) {
            break;
        }
        now->refused = true;
        result->refused++;
        opt_damping_reject(&j->damped, 0);
        j->damped.mu = fmin(fmax(j->damped.mu, SHARED_REFUSED), SHARED_MOST);
        j->damped.nu = fmin(j->damped.nu, GROWTH);
    }
    if (now->step > 0) { /* members that are held back by their caps are no reason to damp */
        const bool poor = now->refused || now->decrease < PROMISE * now->predicted;
        opt_damping_accept(&j->damped, poor ? GAIN : 1);
    }
    return status;
}

/* Whether to go on, and if not, why. Where single members are stuck at kinks of theirs, what they
 * promise says nothing: two small decreases in a row are the end. Where no step of the shared
 * variables was good, it is not what the members can gain without them that counts, but what the
 * first of those steps promised: their damping grows, until one is good or promises little. */
static bool ends(sal_joint *j, const sal_joint_progress *now, sal_stop *stop)
{
    const double least = j->stage.tolerance * fabs(now->cost + now->decrease);
    const bool small = now->decrease <= least, free = now->step > 0 || j->nfree == 0;
    j->idle = now->decrease > 0 ? 0 : j->idle + 1;
    j->slow = small && free ? j->slow + 1 : 0;
    *stop = j->idle >= IDLE ? SAL_STOP_STALLED : SAL_STOP_CONVERGED;
    return j->idle >= IDLE || j->slow >= SLOW ||
           (small && (free ? now->predicted : j->hope) <= least);
}

typedef struct joint_word { /* of rank 0, for all */
    bool goes_on;
    bool keeps; /* it wants to save the state, x and p */
} joint_word;

/* Tells, and hears what rank 0 wants */
static joint_word tell(sal_joint *j, sal_joint_progress *now)
{
    for (int i = 0; i < j->nmember; i++) {
        now->nshort += j->outcome[i].tries > 1;
        now->nkept += j->outcome[i].tries == 0;
    }
    joint_word word = {
        .goes_on = j->nls->progress == NULL || j->nls->progress(j->nls->ctx, now),
        .keeps = j->nls->checkpoint != NULL,
    };
    if (j->begin != NULL) {
        opt_talk_follow(&j->talk, j->p_trial, (size_t)j->nshared, &word, sizeof word);
    }
    return word;
}

/* Rank 0 has the members of all before it saves them. */
static void keep(sal_joint *j, double *x)
{
    opt_joint_collect(j, x, 0, j->x_at);
    if (j->nls->checkpoint != NULL) {
        j->nls->checkpoint(j->nls->ctx, j);
    }
}

static sal_status iterate(sal_joint *j, double *x, double *p, sal_joint_result *result, bool *ended,
                          sal_err *err)
{
    sal_joint_progress now = {.iteration = ++result->linearisations, .cost = result->cost};
    sal_status status = opt_joint_linearise(j, x, p, err);
    if (status != SAL_OK) {
        return status;
    }
    opt_joint_sum(j, p);
    status = take_step(j, x, p, &now, result, err);
    if (status != SAL_OK) {
        return status;
    }
    opt_joint_accept(j, x);
    memcpy(p, j->p_trial, (size_t)j->nshared * sizeof *p);
    result->cost = now.cost = total(j) + opt_joint_prior(j, p);
    *ended = ends(j, &now, &result->stop);
    const joint_word word = tell(j, &now);
    if (!*ended && word.keeps) {
        keep(j, x);
    }
    if (!word.goes_on) {
        result->stop = SAL_STOP_INTERRUPTED;
        *ended = true;
    }
    return status;
}

static sal_status check_numbers(const sal_joint *j, const double *x, const double *p, sal_err *err)
{
    for (size_t i = 0; i < j->x_at[j->nmember]; i++) {
        if (!isfinite(x[i])) {
            return sal_fail(err, SAL_BADINPUT, "x[%zu] is not finite (NaN or infinite)", i);
        }
    }
    for (int k = 0; k < j->nshared; k++) {
        if (!isfinite(p[k])) {
            return sal_fail(err, SAL_BADINPUT, "shared variable %d is not finite (NaN or infinite)",
                            k);
        }
    }
    return SAL_OK;
}

static sal_status check_stage(const sal_joint *j, const sal_joint_stage *stage, sal_err *err)
{
    const double infinite = (double)INFINITY;
    if (stage->maxiter < 0 || !(stage->tolerance >= 0) || !(stage->cap_x >= 0) ||
        !(stage->cap_local >= 0) || !(stage->cap_p >= 0) ||
        (stage->weight != NULL && stage->mean == NULL)) {
        return sal_fail(err, SAL_BADINPUT,
                        "maxiter, tolerance and caps of a stage must be at least 0, and a stage "
                        "with weights needs means");
    }
    for (int k = 0; k < j->nshared; k++) {
        const double lower = stage->lower == NULL ? -infinite : stage->lower[k];
        const double upper = stage->upper == NULL ? infinite : stage->upper[k];
        const double weight = stage->weight == NULL ? 0 : stage->weight[k];
        if (!(lower <= upper) || lower == infinite || upper == -infinite) {
            return sal_fail(err, SAL_BADINPUT,
                            "shared variable %d has the range [%g, %g]; the first number must not "
                            "be greater than the second",
                            k, lower, upper);
        }
        if (stage->size != NULL && !(stage->size[k] > 0)) {
            return sal_fail(err, SAL_BADINPUT,
                            "shared variable %d has the size %g; it must be positive", k,
                            stage->size[k]);
        }
        if (!(weight >= 0 && weight < infinite) || (weight > 0 && !isfinite(stage->mean[k]))) {
            return sal_fail(err, SAL_BADINPUT,
                            "the prior of shared variable %d has weight %g and mean %g; the weight "
                            "must be finite and at least 0, the mean finite",
                            k, weight, stage->mean == NULL ? 0 : stage->mean[k]);
        }
    }
    return SAL_OK;
}

static void begin(sal_joint *j, double *p, const sal_joint_stage *stage)
{
    j->stage = *stage;
    opt_damping_start(&j->damped, SHARED_DAMPING, GOOD, SHARED_LEAST);
    j->stage.cap_x = stage->cap_x > 0 ? stage->cap_x : CAP_X;
    j->stage.cap_local = stage->cap_local > 0 ? stage->cap_local : CAP_LOCAL;
    j->idle = j->slow = 0;
    j->stage.cap_p = stage->cap_p > 0 ? stage->cap_p : CAP_P;
    for (int k = 0; k < j->nshared; k++) {
        p[k] = stage->lower != NULL ? fmax(p[k], stage->lower[k]) : p[k];
        p[k] = stage->upper != NULL ? fmin(p[k], stage->upper[k]) : p[k];
    }
}

/* The value where it begins. */
static sal_status value_first(sal_joint *j, const double *x, const double *p,
                              sal_joint_result *result, sal_err *err)
{
    const sal_status status = opt_joint_value(j, x, p, err);
    if (status == SAL_OK) {
        count_evaluations(j, result);
        result->cost = total(j) + opt_joint_prior(j, p);
    }
    return status;
}

sal_status sal_joint_minimise(sal_joint *j, double *x, double *p, const sal_joint_stage *stage,
                              sal_joint_result *result, sal_err *err)
{
    return sal_joint_resume(j, NULL, 0, x, p, stage, result, err);
}

/* state NULL: from the beginning */
sal_status sal_joint_resume(sal_joint *j, const void *state, size_t n, double *x, double *p,
                            const sal_joint_stage *stage, sal_joint_result *result, sal_err *err)
{
    *result = (sal_joint_result){.stop = SAL_STOP_FAILED};
    sal_status status = check_numbers(j, x, p, err);
    status = status == SAL_OK ? check_stage(j, stage, err) : status;
    status = opt_joint_agree(j, status, err);
    if (status != SAL_OK) {
        return status;
    }
    begin(j, p, stage);
    j->result = result;
    status = state == NULL ? value_first(j, x, p, result, err)
                           : opt_joint_agree(j, opt_joint_load(j, state, n, result, err), err);
    bool ended = false;
    while (status == SAL_OK && !ended && result->linearisations < stage->maxiter) {
        status = iterate(j, x, p, result, &ended, err);
    }
    result->stop = ended ? result->stop : SAL_STOP_MAXITER;
    opt_joint_collect(j, x, 0, j->x_at);
    status = opt_joint_agree(j, status, err);
    result->stop = status == SAL_OK ? result->stop : SAL_STOP_FAILED;
    return status;
}

/* ---- what the members say of the shared variables ---- */

static void put_information(const sal_joint *j, int member, double *S, double *score)
{
    const int n = j->nshared;
    const double *share = j->share + (size_t)member * j->nshare;
    for (int k = 0; k < n; k++) {
        for (int l = k; l < n; l++, share++) {
            if (S != NULL) {
                S[k * n + l] = S[l * n + k] = *share;
            }
        }
    }
    if (score != NULL) {
        memcpy(score, share, (size_t)n * sizeof *score);
    }
}

sal_status sal_joint_information(sal_joint *j, const double *x, const double *p, double *S,
                                 double *score, double *cost, sal_err *err)
{
    sal_status status = opt_joint_agree(j, check_numbers(j, x, p, err), err);
    status = status == SAL_OK ? opt_joint_linearise_undamped(j, x, p, err) : status;
    const size_t n = (size_t)j->nshared;
    for (int i = 0; i < j->nmember && status == SAL_OK; i++) {
        const size_t at = (size_t)i;
        put_information(j, i, S == NULL ? NULL : S + at * n * n,
                        score == NULL ? NULL : score + at * n);
        if (cost != NULL) {
            cost[i] = j->outcome[i].cost;
        }
    }
    return opt_joint_agree(j, status, err);
}
