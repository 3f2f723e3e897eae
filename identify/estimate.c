/* estimate.c: parameters and motions from recordings, without a forward simulation.
 *
 *     minimise  sum over recordings { sum_t norm(what no force explains) + sum_samples (measured - predicted)^2 / 2 sigma^2 } + priors
 *
 * over the parameters and the motions of all recordings together, from a soft and forgiving world to the final one, stage by stage.
 */
#include "identify/estimator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double KINEMATIC_CAP = 0.3; /* m, rad: of a step where no contact is missed */

/* ---- members ---------------------------------------------------------------------------------------------------------------------------- */

static int most_substeps(const sal_estimation *e)
{
    int most = 1;
    for (int k = 0; k < e->nstage; k++) {
        most = e->stage[k].substeps > most ? e->stage[k].substeps : most;
    }
    return most;
}

/* Numbers of a member's variables at a time step. */
static size_t size_of(const idn_estimator *est, int member, int substeps)
{
    const size_t steps = ((size_t)est->of[member].nsample - 1) * (size_t)substeps + 1;
    return (steps + 2) * (size_t)est->nq + (size_t)est->ps->nlocal;
}

/* Where members' variables are, and how many steps they have, with so many of them between samples. */
static void lay_out(idn_estimator *est, int substeps)
{
    size_t at = 0;
    est->substeps = substeps;
    for (int i = 0; i < est->nmember; i++) {
        idn_estimator_member *of = est->of + i;
        of->nstep = (of->nsample - 1) * substeps + 1;
        of->x = at;
        if (est->e->fixed) {
            est->member[i] = (sal_member){est->ps->nlocal, 0, est->nv, est->ps->nlocal};
            at += (size_t)est->ps->nlocal;
        } else {
            const int n = of->nstep + 2;
            est->member[i] =
                (sal_member){n * est->nq + est->ps->nlocal, n, est->nv, est->ps->nlocal};
            at += size_of(est, i, substeps);
        }
    }
}

static sal_status allocate_members(idn_estimator *est, const int *recordings, const int *samples,
                                   int n, sal_err *err)
{
    const int substeps = most_substeps(est->e);
    size_t all = 0;
    est->nmember = n;
    est->of = sal_alloc((size_t)n, sizeof *est->of);
    est->member = sal_alloc((size_t)n, sizeof *est->member);
    for (int i = 0; i < n && est->of != NULL; i++) {
        const int have = est->data->recording[recordings[i]].nsample;
        est->of[i].recording = recordings[i];
        est->of[i].nsample = samples == NULL ? have : samples[i];
        const int steps = (est->of[i].nsample - 1) * substeps + 1;
        est->most_steps = steps > est->most_steps ? steps : est->most_steps;
        all += size_of(est, i, substeps);
    }
    est->x = sal_alloc(all, sizeof(double));
    est->x_before = sal_alloc(all, sizeof(double));
    est->fixed = sal_alloc(est->e->fixed ? all : 1, sizeof(double));
    return est->of == NULL || est->member == NULL || est->x == NULL || est->x_before == NULL ||
                   est->fixed == NULL
               ? sal_fail(err, SAL_NOMEM, "out of memory for the motions of %d recordings", n)
               : SAL_OK;
}

static sal_status allocate_parameters(idn_estimator *est, sal_err *err)
{
    const size_t ns = (size_t)est->ps->nshared, nl = (size_t)est->ps->nlocal, nb = ns + nl;
    est->nborder = (int)nb;
    est->shared = sal_alloc(ns, sizeof(double));
    est->local = sal_alloc(nl, sizeof(double));
    est->bound = sal_alloc(2 * ns, sizeof(double));
    est->prior_mean = sal_alloc(ns, sizeof(double));
    est->prior_weight = sal_alloc(ns, sizeof(double));
    est->size = sal_alloc(ns, sizeof(double));
    est->held = sal_alloc(ns, 1);
    est->varies = sal_alloc(nb, 1);
    est->step_u = sal_alloc(nb, sizeof(double));
    est->local_mean = sal_alloc(nl, sizeof(double));
    est->local_weight = sal_alloc(nl, sizeof(double));
    if (est->shared == NULL || est->local == NULL || est->bound == NULL ||
        est->prior_mean == NULL || est->prior_weight == NULL || est->size == NULL ||
        est->held == NULL || est->varies == NULL || est->step_u == NULL ||
        est->local_mean == NULL || est->local_weight == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d parameters", (int)nb);
    }
    idn_parameters_start(est->ps, est->shared, est->local);
    idn_parameters_bounds(est->ps, false, est->bound, est->bound + ns);
    idn_parameters_prior(est->ps, false, est->prior_mean, est->prior_weight);
    idn_parameters_prior(est->ps, true, est->local_mean, est->local_weight);
    for (int i = 0; i < est->ps->nshared; i++) {
        int k;
        const idn_parameter *a = idn_parameters_of(est->ps, false, i, &k);
        const bool large = a->map == IDN_MAP_LINEAR && fabs(a->value[k]) > 1;
        est->size[i] = large ? fabs(a->value[k]) : 1;
    }
    return SAL_OK;
}

/* The configurations of the data, one step a sample, with what the recordings' own parameters start from. */
static void begin(idn_estimator *est)
{
    lay_out(est, 1);
    const size_t nq = (size_t)est->nq, nl = (size_t)est->ps->nlocal;
    size_t at = 0;
    for (int i = 0; i < est->nmember; i++) {
        const int n = est->of[i].nsample - 1;
        double *q = est->x + at;
        idn_estimator_begin_motion(est, est->of[i].recording, n + 1, q + nq);
        idn_estimator_extend(est->p->model, q, n, est->worker[0].J);
        memcpy(q + (size_t)(n + 3) * nq, est->local, nl * sizeof(double));
        at += size_of(est, i, 1);
    }
}

/* ---- creation --------------------------------------------------------------------------------------------------------------------------- */

sal_status idn_estimator_new(idn_estimator **out, const sal_problem *p, const int *recordings,
                             const int *samples, int n, int nthread, const sal_watch *watch,
                             sal_err *err)
{
    idn_estimator *est = sal_alloc(1, sizeof *est);
    *out = est;
    if (est == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for an estimation");
    }
    est->p = p;
    est->data = p->data;
    est->ps = p->parameters;
    est->e = p->estimation;
    est->nq = p->model->nq;
    est->nv = p->model->nv;
    est->nworker = nthread < 1 ? 1 : nthread;
    est->watch = watch;
    sal_status status = allocate_members(est, recordings, samples, n, err);
    status = status == SAL_OK ? allocate_parameters(est, err) : status;
    status = status == SAL_OK ? idn_estimator_plan(est, err) : status;
    if (status == SAL_OK) {
        begin(est);
    }
    return status;
}

void idn_estimator_free(idn_estimator *est)
{
    if (est == NULL) {
        return;
    }
    sal_joint_free(est->joint);
    idn_estimator_plan_free(est);
    void *const memory[] = {
        est->of,     est->member, est->x,          est->x_before,     est->fixed,    est->shared,
        est->local,  est->bound,  est->prior_mean, est->prior_weight, est->size,     est->held,
        est->varies, est->step_u, est->local_mean, est->local_weight, est->iteration};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) {
        sal_free(memory[i]);
    }
    sal_free(est);
}

/* ---- stages ------------------------------------------------------------------------------------------------------------------------------ */

static bool progress(void *ctx, const sal_joint_progress *p)
{
    idn_estimator *est = ctx;
    const sal_watch *watch = est->watch;
    char phase[12];
    snprintf(phase, sizeof phase, "%s%d", est->stage->kinematic ? "pose" : "stage",
             (est->stage_index + 1) % 1000);
    est->linearisations++;
    const sal_progress told = {.linearisation = est->linearisations,
                               .phase = phase,
                               .softness = est->stage->softness,
                               .cost = p->cost,
                               .step = p->step,
                               .damping = p->damping};
    if (est->niteration < est->capacity) {
        sal_iteration *it = est->iteration + est->niteration++;
        *it = (sal_iteration){.linearisation = told.linearisation,
                              .softness = told.softness,
                              .cost = told.cost,
                              .step = told.step,
                              .damping = told.damping};
        snprintf(it->phase, sizeof it->phase, "%s", phase);
    }
    return watch == NULL || watch->progress == NULL || watch->progress(watch->user, 0, &told);
}

/* The motions with another number of steps between samples; x_before takes them, and becomes x. */
static void resample(idn_estimator *est, int substeps)
{
    const int before = est->substeps;
    const size_t nl = (size_t)est->ps->nlocal;
    size_t from = 0, to = 0;
    for (int i = 0; i < est->nmember; i++) {
        const size_t size = size_of(est, i, before), next = size_of(est, i, substeps);
        idn_estimator_resample(est->p->model, est->x_before + to, substeps, est->x + from, before,
                               est->of[i].nsample, est->worker[0].J);
        memcpy(est->x_before + to + next - nl, est->x + from + size - nl, nl * sizeof(double));
        from += size;
        to += next;
    }
    double *was = est->x;
    est->x = est->x_before;
    est->x_before = was;
}

/* method="fixed": what resample made are no variables. */
static void fix(idn_estimator *est, int substeps)
{
    const size_t nl = (size_t)est->ps->nlocal;
    size_t from = 0;
    for (int i = 0; i < est->nmember; i++) {
        const size_t size = size_of(est, i, substeps);
        memcpy(est->fixed + from, est->x + from, size * sizeof(double));
        est->of[i].q = est->fixed + from;
        from += size;
    }
    for (int i = 0; i < est->nmember; i++) {
        memcpy(est->x + (size_t)i * nl, est->local, nl * sizeof(double));
    }
}

sal_status idn_estimator_enter(idn_estimator *est, const idn_estimate_stage *stage, sal_err *err)
{
    est->stage = stage;
    if (est->joint != NULL && stage->substeps == est->substeps) {
        return SAL_OK;
    }
    if (est->joint == NULL || !est->e->fixed) {
        resample(est, stage->substeps);
    }
    lay_out(est, stage->substeps);
    if (est->e->fixed && est->joint == NULL) {
        fix(est, stage->substeps);
    }
    sal_joint_free(est->joint);
    est->joint = NULL;
    est->nls = (sal_joint_nls){.ctx = est,
                               .nmember = est->nmember,
                               .member = est->member,
                               .nshared = est->ps->nshared,
                               .retract = idn_estimator_retract,
                               .value = idn_estimator_value,
                               .linearise = idn_estimator_linearise,
                               .progress = progress,
                               .ranks = est->watch == NULL ? NULL : est->watch->ranks};
    return sal_joint_new(&est->joint, &est->nls, est->nworker, err);
}

/* Which parameters vary. */
static void free_parameters(idn_estimator *est, bool held, sal_joint_stage *how)
{
    const sal_parameters *ps = est->ps;
    how->hold_locals = true;
    for (int k = 0; k < ps->nparameter; k++) {
        const idn_parameter *a = ps->parameter + k;
        const bool varies = !held && est->stage->freed != NULL && est->stage->freed[k];
        for (int i = 0; i < a->n; i++) {
            est->varies[a->local ? a->adr + i : ps->nlocal + a->adr + i] = varies;
            if (a->local) {
                how->hold_locals = how->hold_locals && !varies;
            } else {
                est->held[a->adr + i] = !varies;
            }
        }
    }
}

sal_status idn_estimator_run(idn_estimator *est, const idn_estimate_stage *stage, bool held,
                             sal_joint_result *result, sal_err *err)
{
    sal_joint_stage how;
    sal_joint_stage_defaults(&how);
    how.maxiter = stage->maxiter;
    how.cap_x = stage->kinematic ? KINEMATIC_CAP : how.cap_x;
    how.tolerance = stage->tolerance;
    sal_status status = idn_estimator_enter(est, stage, err);
    if (status != SAL_OK) {
        return status;
    }
    free_parameters(est, held, &how);
    how.held = est->held;
    how.mean = est->prior_mean;
    how.weight = est->prior_weight;
    how.lower = est->bound;
    how.upper = est->bound + est->ps->nshared;
    how.size = est->size;
    return stage->maxiter > 0
               ? sal_joint_minimise(est->joint, est->x, est->shared, &how, result, err)
               : SAL_OK;
}

/* Where channels do not show every joint, the motion is sought first that they show and that accelerates least. */
static const idn_estimate_stage kinematic = {
    .sigma = 100, .kinematic = true, .substeps = 1, .maxiter = 40, .tolerance = 1e-4};

sal_status idn_estimator_settle(idn_estimator *est, const idn_estimate_stage *stage,
                                sal_joint_result *result, sal_err *err)
{
    const sal_status status =
        est->must_fit ? idn_estimator_run(est, &kinematic, true, result, err) : SAL_OK;
    return status == SAL_OK ? idn_estimator_run(est, stage, true, result, err) : status;
}

static sal_status run_stages(idn_estimator *est, sal_joint_result *found, sal_err *err)
{
    sal_status status = SAL_OK;
    int most = kinematic.maxiter;
    for (int k = 0; k < est->e->nstage; k++) {
        most += est->e->stage[k].maxiter;
    }
    est->capacity = most;
    est->iteration = sal_alloc((size_t)most, sizeof(sal_iteration));
    if (est->iteration == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the record of iterations");
    }
    if (est->must_fit && !est->e->fixed) {
        status = idn_estimator_run(est, &kinematic, true, found, err);
    }
    for (int k = 0; k < est->e->nstage && status == SAL_OK; k++) {
        est->stage_index = k;
        status = idn_estimator_run(est, est->e->stage + k, false, found, err);
        if (status == SAL_OK && found->stop == SAL_STOP_INTERRUPTED) {
            break;
        }
    }
    return status;
}

/* ---- fit and held-out ------------------------------------------------------------------------------------------------------------------- */

/* Whole clusters are left out, chosen at random: order[0 .. n-1] of the clusters' first recordings, shuffled (Fisher, Yates). */
static void choose_held(const sal_dataset *data, const sal_estimation *e, unsigned char *held,
                        int *first)
{
    int n = 0;
    for (int i = 0; i < data->nrecording; i++) {
        bool known = false;
        for (int k = 0; k < n && !known; k++) {
            known = strcmp(data->recording[first[k]].cluster, data->recording[i].cluster) == 0;
        }
        if (!known) {
            first[n++] = i;
        }
    }
    sal_rng rng = {e->seed};
    for (int k = n - 1; k > 0; k--) {
        const int other = (int)(sal_rng_next(&rng) % (uint64_t)(k + 1)), was = first[k];
        first[k] = first[other];
        first[other] = was;
    }
    const int out = (int)floor(e->holdout * n + 0.5);
    for (int i = 0; i < data->nrecording; i++) {
        for (int k = 0; k < out && k < n - 1; k++) {
            if (strcmp(data->recording[first[k]].cluster, data->recording[i].cluster) == 0) {
                held[i] = 1;
            }
        }
    }
}

sal_status idn_estimate_solve(sal_result **result, const sal_problem *p, int nthread,
                              const sal_watch *watch, sal_err *err)
{
    const size_t n = (size_t)p->data->nrecording;
    idn_estimator *est = NULL;
    sal_joint_result found = {.stop = SAL_STOP_CONVERGED};
    unsigned char *held = sal_alloc(n, 1);
    int *fit = sal_alloc(2 * n, sizeof(int)), nfit = 0;
    sal_status status = SAL_OK;
    *result = NULL;
    if (held == NULL || fit == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for %d recordings", (int)n);
        goto done;
    }
    choose_held(p->data, p->estimation, held, fit + n);
    for (int i = 0; i < (int)n; i++) {
        fit[nfit] = i;
        nfit += !held[i];
    }
    status = idn_estimator_new(&est, p, fit, NULL, nfit, nthread, watch, err);
    status = status == SAL_OK ? run_stages(est, &found, err) : status;
    status = status == SAL_OK ? idn_estimator_report(est, &found, held, result, err) : status;
done:
    idn_estimator_free(est);
    sal_free(held);
    sal_free(fit);
    return status;
}
