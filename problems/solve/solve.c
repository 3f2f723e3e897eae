/* solve.c: from a problem to its result. Every start of a multi-start is a solve of its own; the
 * best physical one is kept, of those that are as asked if there are any. Where none is physical,
 * that may be the fault of the starts: further ones are tried, WAVE at a time, until one is. Or it
 * is the fault of their projections, which ended at kinks of hard contact: so the starts are
 * repeated from the ends of their paths, the best first, in another way (sal_solve_hardening), as
 * long as this has taken no more linearisations than they had. Or their steps crawled towards a
 * point where the constraints are nearly met, and dependent: so the best are repeated from their
 * guesses with another damping, which leads along another path. At last the best go on from where
 * their projections failed, with contacts that are soft for as many steps as it takes; what stays
 * soft then is said. Only what none of these has solved is called infeasible. */
#include "base/house.h"
#include "problems/result/diagnose.h"
#include "problems/result/result.h"
#include "problems/solve/checkpoint.h"
#include "problems/solve/correct.h"
#include "problems/solve/refine.h"
#include "problems/transcribe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WAVE = 2 }; /* whatever the number of threads, so that results do not depend on it */

/* How many times as long as it took until the next checkpoint: they cost a fiftieth of the time. */
static const double RESTS = 50;

typedef struct prb_start {
    struct prb_race *race;
    sal_problem p; /* as this start sees it */
    int index, nthread;
    unsigned long seed;
    /* whose path's end it begins at; NULL: at its own guess */
    const struct prb_start *from;
    double noise;  /* around that */
    bool softened; /* from where its projection failed, with a stretch that is soft */
    bool repeated; /* in one way or the other: it counts where it is physical */
    prb_transcription *tr;
    sal_optim *optim;
    double *x;
    sal_optim_result found;
    prb_iteration *iteration;
    int niteration, capacity;
    prb_refined coarse; /* what coarse solutions took before this one */
    void *state;        /* of the optimizer, for its checkpoints; */
    sal_text file;      /* which are composed here */
    double synced;      /* and of which a copy was last synced then */
    double rests;       /* until then (s) no other is written */
    bool passed;        /* its motion is not as asked: another one's may be */
    sal_status status;
    sal_err err;
} prb_start;

typedef struct prb_race { /* all starts of a problem */
    const sal_problem *p;
    const sal_watch *watch;
    prb_start *start;
    int nstart;   /* the most there may be */
    int nguess;   /* of these, the ones that begin at a guess of their own, */
    int nharden;  /* those that begin at the end of a path, */
    int nsoften;  /* and those that begin where a projection failed */
    int ntried;   /* before those that run now */
    double begin; /* s */
    prb_fingerprint print;
    bool known; /* the fingerprint is: it is made when the first checkpoint needs it */
    int stop;   /* 1: somebody asked to */
    int warned; /* 1: a checkpoint could not be written */
} prb_race;

/* ---- ranks that share the solve: what rank 0 knows goes for all ---- */

static const sal_ranks *ranks_of(const sal_watch *watch)
{
    return watch != NULL && sal_ranks_are_many(watch->ranks) ? watch->ranks : NULL;
}

static sal_status tell(const sal_ranks *ranks, void *bytes, size_t n, sal_err *err)
{
    return ranks == NULL ? SAL_OK : ranks->broadcast(ranks->ctx, bytes, n, err);
}

/* ---- one start ---- */

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

static sal_status know_print(prb_race *race, sal_err *err)
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
    sal_status status = know_print(race, &err);
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
    tr->nls.ranks = ranks_of(watch);
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
    const sal_ranks *ranks = ranks_of(watch);
    sal_status status = SAL_OK;
    if (watch != NULL && watch->checkpoint != NULL && watch->resume) {
        status = know_print(race, &start->err);
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

static void run_start(void *ctx, int index, int worker)
{
    prb_race *race = ctx;
    prb_start *start = race->start + race->ntried + index;
    int stop = was_asked_to_stop(race);
    (void)worker;
    start->status = tell(ranks_of(race->watch), &stop, sizeof stop, &start->err);
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

static void free_start(prb_start *start)
{
    sal_optim_free(start->optim);
    prb_transcription_free(start->tr);
    sal_free(start->x);
    sal_free(start->iteration);
    sal_free(start->state);
    sal_text_clear(&start->file);
}

/* ---- all starts ---- */

/* Physical with contacts as hard as asked for, everywhere */
static bool is_solved(const sal_optim_result *found)
{
    return found->violation <= 1 && found->softness == 0;
}

/* Physical before not, with hard contacts before soft ones, then the lower cost (or violation); the
 * first of equals. */
static bool better(const sal_optim_result *a, const sal_optim_result *b)
{
    const bool a_physical = a->violation <= 1, b_physical = b->violation <= 1;
    if (a_physical != b_physical) {
        return a_physical;
    }
    if (a_physical && a->softness != b->softness) {
        return a->softness < b->softness;
    }
    return a_physical ? a->cost < b->cost : a->violation < b->violation;
}

/* NULL where no start has come to an end, or one ran out of memory: without it another might win
 * than with it. Starts that fail otherwise fail every time. Those that were repeated in another way
 * count where that is physical, those that were passed over do not. */
static const prb_start *winner(const prb_race *race, int nstart)
{
    const prb_start *best = NULL;
    for (int i = 0; i < nstart; i++) {
        const prb_start *start = race->start + i;
        if (start->status == SAL_NOMEM) {
            return NULL;
        }
        const bool counts =
            start->status == SAL_OK && (!start->repeated || start->found.violation <= 1);
        if (counts && !start->passed && (best == NULL || better(&start->found, &best->found))) {
            best = start;
        }
    }
    return best;
}

/* Why there is no winner. */
static sal_status fail_of_all(const prb_race *race, int nstart, sal_err *err)
{
    const prb_start *why = race->start;
    for (int i = 0; i < nstart && why->status != SAL_NOMEM; i++) {
        why = race->start[i].status == SAL_NOMEM ? race->start + i : why;
    }
    return sal_fail(err, why->status, "%s", why->err.message);
}

/* Why the search ended: interrupted when a start was cut short or never begun, whatever others had
 * reached. */
static sal_stop stop_of_all(const prb_race *race, int nstart, const prb_start *best)
{
    for (int i = 0; i < nstart; i++) {
        const prb_start *start = race->start + i;
        if (start->status == SAL_INTERRUPTED ||
            (start->status == SAL_OK && start->found.stop == SAL_STOP_INTERRUPTED)) {
            return SAL_STOP_INTERRUPTED;
        }
    }
    return best->found.stop;
}

static sal_status gather_iterations(const prb_race *race, int nstart, sal_result *result,
                                    sal_err *err)
{
    size_t n = 0;
    for (int i = 0; i < nstart; i++) {
        n += (size_t)race->start[i].niteration;
    }
    result->iteration = sal_alloc(n, sizeof(prb_iteration));
    if (result->iteration == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the record of iterations");
    }
    for (int i = 0; i < nstart; i++) {
        const prb_start *start = race->start + i;
        if (start->niteration == 0) { /* never begun: it has no record */
            continue;
        }
        memcpy(result->iteration + result->niteration, start->iteration,
               (size_t)start->niteration * sizeof(prb_iteration));
        result->niteration += start->niteration;
    }
    return SAL_OK;
}

static sal_status make_result(sal_result **out, const prb_race *race, int nstart,
                              const prb_start *best, sal_err *err)
{
    prb_transcription *tr = best->tr;
    /* the result is replayed in the final world, however far the solve came */
    sal_status status = tr->nls.stage(tr, 0, 0, best->x, err);
    if (status != SAL_OK) {
        return status;
    }
    prb_transcription_place(tr, best->x);
    const sal_motion motion = prb_transcription_motion(tr, 0, race->p->nstep);
    status = sal_result_evaluate(out, race->p, tr->model, &motion, tr->length, err);
    if (status != SAL_OK) {
        return status;
    }
    sal_result *result = *out;
    if (result->image != NULL) {
        result->image->turn = tr->turn;
    }
    result->floor = prb_floor_found(tr);
    result->optim = best->found;
    result->optim.stop = stop_of_all(race, nstart, best);
    snprintf(result->status, sizeof result->status, "%s", sal_stop_text(result->optim.stop));
    result->exit_code = prb_result_exit_code(result->optim.stop);
    memcpy(result->work, tr->clock.seconds, sizeof result->work);
    result->seed = best->seed;
    result->start = best->index;
    status = prb_summarise(tr, best->x, result, err);
    status = status == SAL_OK ? prb_judge(race->p, result, err) : status;
    status = status == SAL_OK ? gather_iterations(race, nstart, result, err) : status;
    status = status == SAL_OK ? prb_diagnose(tr, best->optim, best->x, result, err) : status;
    return status == SAL_OK && result->soft != NULL
               ? prb_diagnose_softened(result, race->p, best->found.softness, err)
               : status;
}

/* That of the best start whose motion is as asked; where there is none, that of the best. */
static sal_status choose_result(sal_result **out, prb_race *race, sal_err *err)
{
    const prb_start *best = winner(race, race->ntried);
    sal_status status = best == NULL ? fail_of_all(race, race->ntried, err)
                                     : make_result(out, race, race->ntried, best, err);
    bool as_asked = status == SAL_OK && (*out)->as_asked;
    while (status == SAL_OK && !as_asked && best->found.violation <= 1) {
        race->start[best->index].passed = true;
        best = winner(race, race->ntried);
        if (best == NULL || best->found.violation > 1) {
            break;
        }
        sal_result *other = NULL;
        status = make_result(&other, race, race->ntried, best, err);
        as_asked = status == SAL_OK && other->as_asked;
        sal_result_free(as_asked ? *out : other);
        *out = as_asked ? other : *out;
    }
    return status;
}

/* Start i; further ones are farther from the pose. */
static prb_start start_of(prb_race *race, int i)
{
    static const double least[] = {0.1, 0.3};
    prb_start start = {
        .race = race, .p = *race->p, .index = i, .seed = race->p->seed + (unsigned long)i};
    const int further = i - (race->nguess - race->p->nmore);
    if (further >= 0 && i < race->nguess) {
        start.p.init_noise = fmax(start.p.init_noise, least[further % 2]);
    }
    return start;
}

static void run_starts(prb_race *race, int n, int nthread)
{
    const int most = ranks_of(race->watch) != NULL ? 1 : nthread, outer = n < most ? n : most;
    for (int i = 0; i < n; i++) {
        race->start[race->ntried + i].nthread = prb_transcription_crew(race->p, nthread / outer);
    }
    sal_parallel_for(n, outer, run_start, race);
    race->ntried += n;
}

/* Whether fewer than n were tried, all have ended by themselves, and none is physical. */
static bool wants_more(const prb_race *race, int n)
{
    const double maxtime = race->p->optim.maxtime;
    int wants = race->ntried < n && (maxtime <= 0 || sal_seconds_now() - race->begin < maxtime);
    for (int i = 0; i < race->ntried; i++) {
        const sal_optim_result *found = &race->start[i].found;
        wants = wants && race->start[i].status == SAL_OK && !is_solved(found) &&
                (found->softness > 0 || found->stop == SAL_STOP_INFEASIBLE ||
                 found->stop == SAL_STOP_STALLED);
    }
    return tell(ranks_of(race->watch), &wants, sizeof wants, NULL) == SAL_OK && wants;
}

/* ---- the same again, in another way ---- */

/* Linearisations of starts first .. end-1 */
static long taken(const prb_race *race, int first, int end)
{
    long sum = 0;
    for (int i = first; i < end; i++) {
        sum += race->start[i].found.linearisations;
    }
    return sum;
}

/* The start whose violation has so many below it. */
static const prb_start *in_order(const prb_race *race, int place)
{
    for (int i = 0; i < race->nguess; i++) {
        const double violation = race->start[i].found.violation;
        int before = 0;
        for (int j = 0; j < race->nguess; j++) {
            const double other = race->start[j].found.violation;
            before += other < violation || (other == violation && j < i);
        }
        if (before == place) {
            return race->start + i;
        }
    }
    return race->start;
}

/* Whether repeated starts from `first` to `end` may go on: they take no more than the others. */
static bool may_repeat(const prb_race *race, int first, int end)
{
    return wants_more(race, end) && taken(race, first, race->ntried) < taken(race, 0, race->nguess);
}

static void run_wave(prb_race *race, int end, int nthread)
{
    const int left = end - race->ntried;
    run_starts(race, left < WAVE ? left : WAVE, nthread);
}

/* Each path's end is tried as it is, then shaken a little, then more. */
static void harden_starts(prb_race *race, int nthread)
{
    static const double noise[] = {0, 0.1, 0.3};
    const int nrepeat = prb_repeats(race->p), first = race->nguess, end = first + race->nharden;
    while (may_repeat(race, first, end)) {
        for (int i = race->ntried; i < end && i < race->ntried + WAVE; i++) {
            const int k = i - first;
            race->start[i].from = in_order(race, k / nrepeat);
            race->start[i].noise = noise[k % nrepeat];
            race->start[i].repeated = true;
        }
        run_wave(race, end, nthread);
    }
}

/* Each guess is tried with steps that are damped less, and with such that are damped much more. */
static void damp_starts(prb_race *race, int nthread)
{
    static const double factor[PRB_DAMPINGS] = {0.03, 1000};
    const int first = race->ntried;
    const int end = first + race->nstart - race->nguess - race->nharden - race->nsoften;
    while (may_repeat(race, first, end)) {
        for (int i = race->ntried; i < end && i < race->ntried + WAVE; i++) {
            const int k = i - first;
            const prb_start *like = in_order(race, k / PRB_DAMPINGS);
            prb_start *start = race->start + i;
            start->p = like->p;
            start->seed = like->seed;
            start->p.optim.damping *= factor[k % PRB_DAMPINGS];
            start->p.optim.damping_floor *= factor[k % PRB_DAMPINGS];
            start->repeated = true;
        }
        run_wave(race, end, nthread);
    }
}

/* The best starts go on from where their projections failed, with a stretch that is soft. */
static void soften_starts(prb_race *race, int nthread)
{
    const int first = race->ntried, end = first + race->nsoften;
    while (may_repeat(race, first, end)) {
        for (int i = race->ntried; i < end && i < race->ntried + WAVE; i++) {
            race->start[i].from = in_order(race, i - first);
            race->start[i].softened = race->start[i].repeated = true;
        }
        run_wave(race, end, nthread);
    }
}

static sal_status solve_starts(sal_result **result, const sal_problem *p, int nthread,
                               const sal_watch *watch, sal_err *err)
{
    const sal_ranks *ranks = ranks_of(watch);
    const int some = nthread > 1 ? nthread : 1;
    prb_race race = {.p = p,
                     .watch = watch,
                     .nstart = prb_starts_most(p),
                     .nguess = prb_starts_own(p),
                     .nharden = prb_starts_hardened(p),
                     .nsoften = prb_starts_softened(p),
                     .begin = sal_seconds_now()};
    *result = NULL;
    if (ranks != NULL) {
        sal_status status = know_print(&race, err);
        status = status == SAL_OK ? prb_fingerprint_agree(ranks, &race.print, err) : status;
        if (status != SAL_OK) {
            return status;
        }
    }
    race.start = sal_alloc((size_t)race.nstart, sizeof(prb_start));
    if (race.start == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d starts", race.nstart);
    }
    for (int i = 0; i < race.nstart; i++) {
        race.start[i] = start_of(&race, i);
    }
    run_starts(&race, race.nguess - p->nmore, some);
    while (wants_more(&race, race.nguess)) {
        run_wave(&race, race.nguess, some);
    }
    harden_starts(&race, some);
    damp_starts(&race, some);
    soften_starts(&race, some);
    sal_status status = choose_result(result, &race, err);
    if (status == SAL_OK) {
        (*result)->seconds = sal_seconds_now() - race.begin;
    } else {
        sal_result_free(*result);
        *result = NULL;
    }
    for (int i = 0; i < race.nstart; i++) {
        free_start(race.start + i);
    }
    sal_free(race.start);
    return status;
}

/* ---- a whole cycle from its half ---- */

/* From the half on: it is short, and leaves no checkpoints. */
static sal_status correct(sal_result **result, const sal_problem *p, const sal_result *half,
                          int nthread, const sal_watch *watch, sal_err *err)
{
    prb_correction c;
    sal_watch further = watch == NULL ? (sal_watch){0} : *watch;
    further.checkpoint = NULL;
    further.resume = false;
    sal_say(further.log, SAL_INFO,
            "half a cycle of the averaged model: %s, cost %.6g after %d linearisations",
            half->status, half->cost, half->optim.linearisations);
    sal_status status = prb_correction_new(&c, p, half, half->seconds, err);
    status = status == SAL_OK ? solve_starts(result, &c.p, nthread, &further, err) : status;
    status = status == SAL_OK ? prb_result_continue(*result, half, err) : status;
    if (status != SAL_OK) {
        sal_result_free(*result);
        *result = NULL;
    }
    prb_correction_clear(&c);
    return status;
}

sal_status sal_problem_solve(sal_result **result, const sal_problem *p, int nthread,
                             const sal_watch *watch, sal_err *err)
{
    sal_result *half = NULL;
    *result = NULL;
    if (p->half == NULL) {
        return solve_starts(result, p, nthread, watch, err);
    }
    sal_status status = solve_starts(&half, p->half, nthread, watch, err);
    status = status == SAL_OK ? correct(result, p, half, nthread, watch, err) : status;
    sal_result_free(half);
    return status;
}
