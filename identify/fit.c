/* fit.c: parameters and motions from recordings, without a forward simulation.
 *
 *     minimise  sum over recordings { sum_t norm(what no force explains) + sum_samples (measured -
 *               predicted)^2 / 2 sigma^2 } + priors
 *
 * over the parameters and the motions of all recordings together, from a soft and forgiving world
 * to the final one, stage by stage.
 */
#include "identify/fit.h"

#include "base/house.h"
#include "problems/result/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double KINEMATIC_CAP = 0.3; /* m, rad: of a step where no contact is missed */

/* ---- members ---- */

static int most_substeps(const idn_settings *e)
{
    int most = 1;
    for (int k = 0; k < e->nstage; k++) {
        most = e->stage[k].substeps > most ? e->stage[k].substeps : most;
    }
    return most;
}

/* Numbers of a member's variables at a time step. */
static size_t size_of(const idn_fit *fit, int member, int substeps)
{
    const size_t steps = ((size_t)fit->of[member].nsample - 1) * (size_t)substeps + 1;
    return (steps + 2) * (size_t)fit->nq + (size_t)fit->ps->nlocal;
}

/* Where members' variables are, and how many steps they have, with so many of them between
 * samples. */
static void lay_out(idn_fit *fit, int substeps)
{
    size_t at = 0;
    fit->substeps = substeps;
    for (int i = 0; i < fit->nmember; i++) {
        idn_member *of = fit->of + i;
        of->nstep = (of->nsample - 1) * substeps + 1;
        of->x = at;
        if (fit->settings->fixed) {
            fit->member[i] = (sal_member){fit->ps->nlocal, 0, fit->nv, fit->ps->nlocal};
            at += (size_t)fit->ps->nlocal;
        } else {
            const int n = of->nstep + 2;
            fit->member[i] =
                (sal_member){n * fit->nq + fit->ps->nlocal, n, fit->nv, fit->ps->nlocal};
            at += size_of(fit, i, substeps);
        }
    }
}

static sal_status allocate_members(idn_fit *fit, const int *recordings, const int *samples, int n,
                                   sal_err *err)
{
    const int substeps = most_substeps(fit->settings);
    size_t all = 0;
    fit->nmember = n;
    fit->of = sal_alloc((size_t)n, sizeof *fit->of);
    fit->member = sal_alloc((size_t)n, sizeof *fit->member);
    for (int i = 0; i < n && fit->of != NULL; i++) {
        const int have = fit->data->recording[recordings[i]].nsample;
        fit->of[i].recording = recordings[i];
        fit->of[i].nsample = samples == NULL ? have : samples[i];
        const int steps = (fit->of[i].nsample - 1) * substeps + 1;
        fit->most_steps = steps > fit->most_steps ? steps : fit->most_steps;
        all += size_of(fit, i, substeps);
    }
    fit->x = sal_alloc(all, sizeof(double));
    fit->x_before = sal_alloc(all, sizeof(double));
    fit->fixed = sal_alloc(fit->settings->fixed ? all : 1, sizeof(double));
    return fit->of == NULL || fit->member == NULL || fit->x == NULL || fit->x_before == NULL ||
                   fit->fixed == NULL
               ? sal_fail(err, SAL_NOMEM, "out of memory for the motions of %d recordings", n)
               : SAL_OK;
}

static sal_status allocate_parameters(idn_fit *fit, sal_err *err)
{
    const size_t ns = (size_t)fit->ps->nshared, nl = (size_t)fit->ps->nlocal, nb = ns + nl;
    fit->nborder = (int)nb;
    fit->shared = sal_alloc(ns, sizeof(double));
    fit->local = sal_alloc(nl, sizeof(double));
    fit->bound = sal_alloc(2 * ns, sizeof(double));
    fit->prior_mean = sal_alloc(ns, sizeof(double));
    fit->prior_weight = sal_alloc(ns, sizeof(double));
    fit->size = sal_alloc(ns, sizeof(double));
    fit->held = sal_alloc(ns, 1);
    fit->varies = sal_alloc(nb, 1);
    fit->step_u = sal_alloc(nb, sizeof(double));
    fit->local_mean = sal_alloc(nl, sizeof(double));
    fit->local_weight = sal_alloc(nl, sizeof(double));
    if (fit->shared == NULL || fit->local == NULL || fit->bound == NULL ||
        fit->prior_mean == NULL || fit->prior_weight == NULL || fit->size == NULL ||
        fit->held == NULL || fit->varies == NULL || fit->step_u == NULL ||
        fit->local_mean == NULL || fit->local_weight == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d parameters", (int)nb);
    }
    idn_parameters_start(fit->ps, fit->shared, fit->local);
    idn_parameters_bounds(fit->ps, false, fit->bound, fit->bound + ns);
    idn_parameters_prior(fit->ps, false, fit->prior_mean, fit->prior_weight);
    idn_parameters_prior(fit->ps, true, fit->local_mean, fit->local_weight);
    for (int i = 0; i < fit->ps->nshared; i++) {
        int k;
        const idn_parameter *a = idn_parameters_of(fit->ps, false, i, &k);
        const bool large = a->map == IDN_MAP_LINEAR && fabs(a->value[k]) > 1;
        fit->size[i] = large ? fabs(a->value[k]) : 1;
    }
    return SAL_OK;
}

/* The configurations of the data, one step a sample, with what the recordings' own parameters start
 * from. */
static void begin(idn_fit *fit)
{
    lay_out(fit, 1);
    const size_t nq = (size_t)fit->nq, nl = (size_t)fit->ps->nlocal;
    size_t at = 0;
    for (int i = 0; i < fit->nmember; i++) {
        const int n = fit->of[i].nsample - 1;
        double *q = fit->x + at;
        idn_motion_begin(fit, fit->of[i].recording, n + 1, q + nq);
        idn_motion_extend(fit->p->model, q, n, fit->worker[0].J);
        memcpy(q + (size_t)(n + 3) * nq, fit->local, nl * sizeof(double));
        at += size_of(fit, i, 1);
    }
}

/* ---- creation ---- */

/* All but motions. */
static sal_status create(idn_fit **out, const sal_identification *i, const int *recordings,
                         const int *samples, int n, int nthread, const sal_watch *watch,
                         sal_err *err)
{
    idn_fit *fit = sal_alloc(1, sizeof *fit);
    *out = fit;
    if (fit == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for an identification");
    }
    fit->identification = i;
    fit->p = i->base;
    fit->data = i->base->data;
    fit->ps = i->parameters;
    fit->settings = i->settings;
    fit->nq = i->base->model->nq;
    fit->nv = i->base->model->nv;
    fit->nworker = nthread < 1 ? 1 : nthread;
    fit->watch = watch;
    sal_status status = allocate_members(fit, recordings, samples, n, err);
    status = status == SAL_OK ? allocate_parameters(fit, err) : status;
    return status == SAL_OK ? idn_plan(fit, err) : status;
}

sal_status idn_fit_new(idn_fit **out, const sal_identification *i, const int *recordings,
                       const int *samples, int n, int nthread, const sal_watch *watch, sal_err *err)
{
    const sal_status status = create(out, i, recordings, samples, n, nthread, watch, err);
    if (status == SAL_OK) {
        begin(*out);
    }
    return status;
}

void idn_fit_free(idn_fit *fit)
{
    if (fit == NULL) {
        return;
    }
    sal_joint_free(fit->joint);
    idn_plan_free(fit);
    void *const memory[] = {fit->of,         fit->member,       fit->x,          fit->x_before,
                            fit->fixed,      fit->shared,       fit->local,      fit->bound,
                            fit->prior_mean, fit->prior_weight, fit->size,       fit->held,
                            fit->varies,     fit->step_u,       fit->local_mean, fit->local_weight,
                            fit->iteration,  fit->delay,        fit->seeks_delay};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) {
        sal_free(memory[i]);
    }
    idn_checkpoint_free(fit->checkpoint);
    sal_free(fit);
}

/* ---- stages ---- */

static bool progress(void *ctx, const sal_joint_progress *p)
{
    idn_fit *fit = ctx;
    const sal_watch *watch = fit->watch;
    char phase[12];
    snprintf(phase, sizeof phase, "%s%d", fit->stage->kinematic ? "pose" : "stage",
             (fit->stage_index + 1) % 1000);
    fit->linearisations++;
    const sal_progress told = {.linearisation = fit->linearisations,
                               .phase = phase,
                               .softness = fit->stage->softness,
                               .cost = p->cost,
                               .step = p->step,
                               .damping = p->damping};
    if (fit->niteration < fit->capacity) {
        prb_iteration *it = fit->iteration + fit->niteration++;
        *it = (prb_iteration){.linearisation = told.linearisation,
                              .softness = told.softness,
                              .cost = told.cost,
                              .step = told.step,
                              .damping = told.damping};
        snprintf(it->phase, sizeof it->phase, "%s", phase);
    }
    return watch == NULL || watch->progress == NULL || watch->progress(watch->user, 0, &told);
}

/* The motions with another number of steps between samples; x_before takes them, and becomes x. */
static void resample(idn_fit *fit, int substeps)
{
    const int before = fit->substeps;
    const size_t nl = (size_t)fit->ps->nlocal;
    size_t from = 0, to = 0;
    for (int i = 0; i < fit->nmember; i++) {
        const size_t size = size_of(fit, i, before), next = size_of(fit, i, substeps);
        idn_motion_resample(fit->p->model, fit->x_before + to, substeps, fit->x + from, before,
                            fit->of[i].nsample, fit->worker[0].J);
        memcpy(fit->x_before + to + next - nl, fit->x + from + size - nl, nl * sizeof(double));
        from += size;
        to += next;
    }
    double *was = fit->x;
    fit->x = fit->x_before;
    fit->x_before = was;
}

/* method="fixed": what resample made are no variables. */
static void fix(idn_fit *fit, int substeps)
{
    const size_t nl = (size_t)fit->ps->nlocal;
    size_t from = 0;
    for (int i = 0; i < fit->nmember; i++) {
        const size_t size = size_of(fit, i, substeps);
        memcpy(fit->fixed + from, fit->x + from, size * sizeof(double));
        fit->of[i].q = fit->fixed + from;
        from += size;
    }
    for (int i = 0; i < fit->nmember; i++) {
        memcpy(fit->x + (size_t)i * nl, fit->local, nl * sizeof(double));
    }
}

/* The optimizer of the members as they are laid out. */
static sal_status make_joint(idn_fit *fit, sal_err *err)
{
    sal_joint_free(fit->joint);
    fit->joint = NULL;
    fit->nls =
        (sal_joint_nls){.ctx = fit,
                        .nmember = fit->nmember,
                        .member = fit->member,
                        .nshared = fit->ps->nshared,
                        .retract = idn_member_retract,
                        .value = idn_member_value,
                        .linearise = idn_member_linearise,
                        .progress = progress,
                        .checkpoint = idn_checkpoint_is_kept(fit) ? idn_checkpoint_save : NULL,
                        .ranks = fit->watch == NULL ? NULL : fit->watch->ranks};
    return sal_joint_new(&fit->joint, &fit->nls, fit->nworker, err);
}

sal_status idn_fit_enter(idn_fit *fit, const idn_stage *stage, sal_err *err)
{
    fit->stage = stage;
    if (fit->joint != NULL && stage->substeps == fit->substeps) {
        return SAL_OK;
    }
    if (fit->joint == NULL || !fit->settings->fixed) {
        resample(fit, stage->substeps);
    }
    lay_out(fit, stage->substeps);
    if (fit->settings->fixed && fit->joint == NULL) {
        fix(fit, stage->substeps);
    }
    return make_joint(fit, err);
}

/* ---- other sets of recordings ---- */

/* The variables of member k, and where they are fixed its configurations, are those of member `at`
 * of another fit, which has as many steps between samples. */
static void take_member(idn_fit *fit, int k, const idn_fit *from, int at, size_t *fixed)
{
    memcpy(fit->x + fit->of[k].x, from->x + from->of[at].x,
           (size_t)from->member[at].nx * sizeof(double));
    if (from->of[at].q != NULL) {
        const size_t size = size_of(from, at, from->substeps);
        memcpy(fit->fixed + *fixed, from->of[at].q, size * sizeof(double));
        fit->of[k].q = fit->fixed + *fixed;
        *fixed += size;
    }
}

sal_status idn_fit_again(idn_fit **out, const idn_fit *from, const int *members, int n,
                         const sal_watch *watch, sal_err *err)
{
    int *recordings = sal_alloc(2 * (size_t)n + 1, sizeof(int));
    size_t fixed = 0;
    *out = NULL;
    if (recordings == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a fit of %d recordings", n);
    }
    for (int k = 0; k < n; k++) {
        recordings[k] = from->of[members[k]].recording;
        recordings[n + k] = from->of[members[k]].nsample;
    }
    sal_status status =
        create(out, from->identification, recordings, recordings + n, n, from->nworker, watch, err);
    sal_free(recordings);
    if (status != SAL_OK) {
        return status;
    }
    idn_fit *fit = *out;
    fit->stage = from->stage;
    lay_out(fit, from->substeps);
    for (int k = 0; k < n; k++) {
        take_member(fit, k, from, members[k], &fixed);
    }
    memcpy(fit->shared, from->shared, (size_t)fit->ps->nshared * sizeof(double));
    return make_joint(fit, err);
}

/* Which parameters vary. */
static void free_parameters(idn_fit *fit, bool held, sal_joint_stage *how)
{
    const idn_parameters *ps = fit->ps;
    how->hold_locals = true;
    for (int k = 0; k < ps->nparameter; k++) {
        const idn_parameter *a = ps->parameter + k;
        const bool varies = !held && fit->stage->freed != NULL && fit->stage->freed[k];
        for (int i = 0; i < a->n; i++) {
            fit->varies[a->local ? a->adr + i : ps->nlocal + a->adr + i] = varies;
            if (a->local) {
                how->hold_locals = how->hold_locals && !varies;
            } else {
                fit->held[a->adr + i] = !varies;
            }
        }
    }
}

/* The configurations of member k of another fit, at as many steps, become those of a fixed one. */
static void fix_member(idn_fit *fit, int k, const idn_fit *from, size_t *at)
{
    const size_t n = ((size_t)fit->of[k].nstep + 2) * (size_t)fit->nq;
    const size_t nl = (size_t)fit->ps->nlocal;
    memcpy(fit->fixed + *at, idn_member_motion(from, k, from->x + from->of[k].x),
           n * sizeof(double));
    fit->of[k].q = fit->fixed + *at;
    memcpy(fit->x + (size_t)k * nl, fit->local, nl * sizeof(double));
    *at += n;
}

sal_status idn_fit_at_motions(idn_fit **out, const sal_identification *i, const idn_fit *from,
                              sal_err *err)
{
    const int n = from->nmember;
    int *recordings = sal_alloc(2 * (size_t)n + 1, sizeof(int));
    size_t at = 0;
    *out = NULL;
    if (recordings == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a fit of %d recordings", n);
    }
    for (int k = 0; k < n; k++) {
        recordings[k] = from->of[k].recording;
        recordings[n + k] = from->of[k].nsample;
    }
    const sal_status status =
        create(out, i, recordings, recordings + n, n, from->nworker, NULL, err);
    sal_free(recordings);
    if (status != SAL_OK) {
        return status;
    }
    idn_fit *fit = *out;
    sal_joint_stage unused;
    fit->stage = i->settings->stage;
    lay_out(fit, from->substeps);
    for (int k = 0; k < n; k++) {
        fix_member(fit, k, from, &at);
    }
    free_parameters(fit, false, &unused);
    return make_joint(fit, err);
}

/* The stage that was entered, from its beginning or from where it was left. */
static sal_status minimise(idn_fit *fit, const sal_joint_stage *how, sal_joint_result *result,
                           sal_err *err)
{
    const void *state;
    size_t n;
    sal_status status = idn_checkpoint_restore(fit, &state, &n, err);
    if (status == SAL_OK) {
        status =
            state == NULL
                ? sal_joint_minimise(fit->joint, fit->x, fit->shared, how, result, err)
                : sal_joint_resume(fit->joint, state, n, fit->x, fit->shared, how, result, err);
    }
    idn_checkpoint_restored(fit);
    return status;
}

sal_status idn_fit_run(idn_fit *fit, const idn_stage *stage, bool held, sal_joint_result *result,
                       sal_err *err)
{
    sal_joint_stage how;
    sal_joint_stage_defaults(&how);
    how.maxiter = stage->maxiter;
    how.cap_x = stage->kinematic ? KINEMATIC_CAP : how.cap_x;
    how.tolerance = stage->tolerance;
    sal_status status = idn_fit_enter(fit, stage, err);
    if (status != SAL_OK) {
        return status;
    }
    free_parameters(fit, held, &how);
    how.held = fit->held;
    how.mean = fit->prior_mean;
    how.weight = fit->prior_weight;
    how.lower = fit->bound;
    how.upper = fit->bound + fit->ps->nshared;
    how.size = fit->size;
    return stage->maxiter > 0 ? minimise(fit, &how, result, err) : SAL_OK;
}

/* Where channels do not show every joint, the motion is sought first that they show and that
 * accelerates least. */
static const idn_stage kinematic = {
    .sigma = 100, .kinematic = true, .substeps = 1, .maxiter = 40, .tolerance = 1e-4};

sal_status idn_fit_settle(idn_fit *fit, const idn_stage *stage, sal_joint_result *result,
                          sal_err *err)
{
    const sal_status status =
        fit->must_fit ? idn_fit_run(fit, &kinematic, true, result, err) : SAL_OK;
    return status == SAL_OK ? idn_fit_run(fit, stage, true, result, err) : status;
}

sal_status idn_fit_run_stages(idn_fit *fit, sal_joint_result *found, sal_err *err)
{
    sal_status status = SAL_OK;
    int most = kinematic.maxiter;
    for (int k = 0; k < fit->settings->nstage; k++) {
        most += fit->settings->stage[k].maxiter;
    }
    fit->capacity = most;
    fit->iteration = sal_alloc((size_t)most, sizeof(prb_iteration));
    if (fit->iteration == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the record of iterations");
    }
    status = idn_checkpoint_open(fit, err);
    if (status == SAL_OK && fit->must_fit && !fit->settings->fixed) {
        status = idn_checkpoint_is_beyond(fit, -1) ? idn_fit_enter(fit, &kinematic, err)
                                                   : idn_fit_run(fit, &kinematic, true, found, err);
    }
    for (int k = 0; k < fit->settings->nstage && status == SAL_OK; k++) {
        const idn_stage *stage = fit->settings->stage + k;
        fit->stage_index = k;
        if (idn_checkpoint_is_beyond(fit, k)) { /* all that it found is in the checkpoint */
            status = idn_fit_enter(fit, stage, err);
            continue;
        }
        status = idn_fit_run(fit, stage, false, found, err);
        if (status == SAL_OK && found->stop == SAL_STOP_INTERRUPTED) {
            break;
        }
    }
    return status;
}
