/* start.c: one start: its guess, its solve, and what is told and kept of it meanwhile. */
#include "problems/solve/start.h"

#include "base/house.h"
#include "problems/solve/checkpoint.h"
#include "problems/solve/refine.h"

#include <stdio.h>
#include <string.h>

/* How many times as long as it took until the next checkpoint: they cost a fiftieth of the time. */
static const double RESTS = 50;

/* ---- ranks that share the solve: what rank 0 knows goes for all ---- */

const sal_ranks *prb_ranks_of(const sal_watch *watch)
{
    return watch != NULL && sal_ranks_are_many(watch->ranks) ? watch->ranks : NULL;
}

sal_status prb_tell_ranks(const sal_ranks *ranks, void *bytes, size_t n, sal_err *err)
{
    return ranks == NULL ? SAL_OK : ranks->broadcast(ranks->ctx, bytes, n, err);
}

/* ---- what is told and kept ---- */

static bool remember(prb_start *start, const sal_progress *progress)
{
    if (start->niteration < start->capacity) {
        prb_iteration *iteration = start->iteration + start->niteration++;
        *iteration =
            (prb_iteration){.start = start->index,
                            .linearisation = start->coarse.linearisations + progress->linearisation,
                            .softness = progress->softness,
                            .cost = progress->cost,
                            .violation = progress->violation,
                            .step = progress->step,
                            .damping = progress->damping};
        snprintf(iteration->phase, sizeof iteration->phase, "%s", progress->phase);
    }
    prb_race *race = start->race;
    int stop;
#pragma omp critical(sal_watch)
    {
        if (race->watch != NULL && race->watch->progress != NULL &&
            !race->watch->progress(race->watch->user, start->index, progress)) {
            race->stop = 1;
        }
        stop = race->stop;
    }
    return !stop;
}

static bool on_progress(void *ctx, const sal_progress *progress)
{
    const prb_transcription *tr = ctx;
    return remember(tr->watcher, progress);
}

static bool was_asked_to_stop(prb_race *race)
{
    int stop;
#pragma omp critical(sal_watch)
    stop = race->stop;
    return stop != 0;
}

/* A solve goes on without checkpoints (the disk may be full): it says so once. */
static void warn(prb_race *race, const sal_err *err)
{
    int warned;
#pragma omp critical(sal_watch)
    {
        warned = race->warned;
        race->warned = 1;
    }
    if (!warned) {
        sal_say(race->watch->log, SAL_WARNING, "%s; the solve continues", err->message);
    }
}

sal_status prb_know_print(prb_race *race, sal_err *err)
{
    sal_status status = SAL_OK;
#pragma omp critical(sal_watch)
    if (!race->known) {
        status = prb_fingerprint_of(race->p, &race->print, err);
        race->known = status == SAL_OK;
    }
    return status;
}

static void on_checkpoint(void *ctx, const sal_optim *optim)
{
    const prb_transcription *tr = ctx;
    prb_start *start = tr->watcher;
    prb_race *race = start->race;
    sal_err err = {0};
    const double now = sal_seconds_now();
    if (!prb_checkpoint_is_due(race->watch, race->begin) ||
        (now < start->rests && !sal_optim_is_over(optim))) {
        return;
    }
    prb_checkpoint c = {.start = start->index,
                        .nstart = race->nstart,
                        .before = {start->coarse.linearisations, start->coarse.evaluations,
                                   start->coarse.factorisations},
                        .niteration = start->niteration,
                        .iteration = start->iteration,
                        .nstate = sal_optim_state_save(optim, start->state),
                        .state = start->state,
                        .synced = race->watch->checkpoint_unsynced ? NULL : &start->synced};
    sal_status status = prb_know_print(race, &err);
    if (status == SAL_OK) {
        status =
            prb_checkpoint_write(race->watch->checkpoint, &race->print, &c, &start->file, &err);
    }
    if (status != SAL_OK) {
        warn(race, &err);
    }
    const double end = sal_seconds_now();
    start->rests = end + RESTS * (end - now);
}

/* ---- one start ---- */

static sal_status prepare(prb_start *start)
{
    const prb_race *race = start->race;
    const sal_watch *watch = race->watch;
    sal_optim_options options = start->p.optim;
    prb_smoothing_pace(race->p, &options);
    options.nthread = start->nthread;
    options.log = watch == NULL ? NULL : watch->log;
    start->capacity = (1 + race->p->nrefine) * (2 * options.maxiter + 200);
    if (race->p->nrefine > 0) {
        options.softness = prb_refine_softness(race->p);
        options.maxtime /= 2;
    }
    start->iteration = sal_alloc((size_t)start->capacity, sizeof(prb_iteration));
    sal_status status =
        start->iteration == NULL
            ? sal_fail(&start->err, SAL_NOMEM, "out of memory")
            : prb_transcription_new(&start->tr, &start->p, start->nthread, &start->err);
    if (status != SAL_OK) {
        return status;
    }
    prb_transcription *tr = start->tr;
    tr->watcher = start;
    tr->nls.progress = on_progress;
    tr->nls.ranks = prb_ranks_of(watch);
    if (watch != NULL && watch->clock != NULL) {
        tr->clock.now = watch->clock;
        tr->nls.clock = &tr->clock;
    }
    start->x = sal_alloc((size_t)tr->layout.nx, sizeof(double));
    status = start->x == NULL ? sal_fail(&start->err, SAL_NOMEM, "out of memory") : SAL_OK;
    if (status == SAL_OK) {
        status = prb_guess(tr, start->x, start->seed, &start->err);
    }
    if (status == SAL_OK) {
        status = prb_terms_have_effect(tr, start->x, &start->err);
    }
    if (status == SAL_OK) {
        status = sal_optim_new(&start->optim, &tr->nls, &options, &start->err);
    }
    if (status == SAL_OK && watch != NULL && watch->checkpoint != NULL) {
        start->state = sal_alloc(sal_optim_state_size(start->optim), 1);
        tr->nls.checkpoint = on_checkpoint;
        status = start->state == NULL ? sal_fail(&start->err, SAL_NOMEM, "out of memory") : SAL_OK;
    }
    return status;
}

/* From the end of another's path, shaken. */
static sal_status solve_again(prb_start *start)
{
    double *end = sal_alloc((size_t)start->tr->layout.nx, sizeof(double));
    if (end == NULL) {
        return sal_fail(&start->err, SAL_NOMEM, "out of memory");
    }
    sal_optim_path_end(start->from->optim, end);
    const sal_status status =
        prb_guess_near(start->tr, start->x, end, start->noise, start->seed, &start->err);
    sal_free(end);
    return status == SAL_OK
               ? sal_solve_hardening(start->optim, start->x, &start->found, &start->err)
               : status;
}

/* From where another's projection failed. */
static sal_status solve_softened(prb_start *start)
{
    memcpy(start->x, start->from->x, (size_t)start->tr->layout.nx * sizeof(double));
    return sal_solve_softening(start->optim, start->x, &start->found, &start->err);
}

static sal_status solve_afresh(prb_start *start)
{
    if (start->from != NULL) {
        return start->softened ? solve_softened(start) : solve_again(start);
    }
    if (start->p.held) {
        const sal_status held = prb_hold(start->tr, start->x, &start->err);
        return held != SAL_OK
                   ? held
                   : sal_solve_nearest(start->optim, start->x, &start->found, &start->err);
    }
    if (start->p.settled) {
        return sal_solve_settled(start->optim, start->x, &start->found, &start->err);
    }
    const sal_watch *watch = start->race->watch;
    sal_status status = prb_refine(start->tr, start->x, start->seed,
                                   watch == NULL ? NULL : watch->log, &start->coarse, &start->err);
    if (status == SAL_OK) {
        status = sal_solve(start->optim, start->x, &start->found, &start->err);
    }
    return status;
}

/* What coarse solutions took is part of what the start took. */
static void add_coarse(prb_start *start)
{
    start->found.linearisations += start->coarse.linearisations;
    start->found.evaluations += start->coarse.evaluations;
    start->found.factorisations += start->coarse.factorisations;
}

static sal_status find_checkpoint(prb_start *start, prb_checkpoint *c, char **bytes)
{
    prb_race *race = start->race;
    const sal_watch *watch = race->watch;
    const sal_ranks *ranks = prb_ranks_of(watch);
    sal_status status = SAL_OK;
    if (watch != NULL && watch->checkpoint != NULL && watch->resume) {
        status = prb_know_print(race, &start->err);
    }
    if (watch != NULL && watch->checkpoint != NULL && watch->resume && status == SAL_OK) {
        status = prb_checkpoint_read(watch->checkpoint, &race->print, c, bytes, &start->err);
    }
    return ranks == NULL ? status : prb_checkpoint_share(ranks, status, c, bytes, &start->err);
}

/* Goes on from the start's checkpoint, if there is one. */
static sal_status solve_or_resume(prb_start *start)
{
    const prb_race *race = start->race;
    prb_checkpoint c = {.start = start->index, .nstart = race->nstart};
    char *bytes = NULL;
    sal_status status = find_checkpoint(start, &c, &bytes);
    if (status != SAL_OK || bytes == NULL) {
        sal_free(bytes);
        return status == SAL_OK ? solve_afresh(start) : status;
    }
    start->coarse = (prb_refined){c.before[0], c.before[1], c.before[2]};
    start->niteration = c.niteration < start->capacity ? c.niteration : start->capacity;
    if (start->niteration > 0) {
        memcpy(start->iteration, c.iteration, (size_t)start->niteration * sizeof(prb_iteration));
    }
    status =
        sal_solve_resume(start->optim, c.state, c.nstate, start->x, &start->found, &start->err);
    sal_free(bytes);
    return status;
}

void prb_start_run(void *ctx, int index, int worker)
{
    prb_race *race = ctx;
    prb_start *start = race->start + race->ntried + index;
    int stop = was_asked_to_stop(race);
    (void)worker;
    start->status = prb_tell_ranks(prb_ranks_of(race->watch), &stop, sizeof stop, &start->err);
    if (stop) {
        start->status =
            sal_fail(&start->err, SAL_INTERRUPTED, "interrupted before this start began");
    }
    start->status = start->status == SAL_OK ? prepare(start) : start->status;
    if (start->status == SAL_OK) {
        start->status = solve_or_resume(start);
        add_coarse(start);
    }
}

void prb_start_free(prb_start *start)
{
    sal_optim_free(start->optim);
    prb_transcription_free(start->tr);
    sal_free(start->x);
    sal_free(start->iteration);
    sal_free(start->state);
    sal_text_clear(&start->file);
}
