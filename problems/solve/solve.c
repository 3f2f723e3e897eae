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
#include "problems/solve/correct.h"
#include "problems/solve/marker_fit.h"
#include "problems/solve/refine.h"
#include "problems/solve/start.h"
#include "problems/transcribe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WAVE = 2 }; /* whatever the number of threads, so that results do not depend on it */

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
    prb_markers_measure(race->p, result);
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
    const int most = prb_ranks_of(race->watch) != NULL ? 1 : nthread, outer = n < most ? n : most;
    for (int i = 0; i < n; i++) {
        race->start[race->ntried + i].nthread = prb_transcription_crew(race->p, nthread / outer);
    }
    sal_parallel_for(n, outer, prb_start_run, race);
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
    return prb_tell_ranks(prb_ranks_of(race->watch), &wants, sizeof wants, NULL) == SAL_OK && wants;
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
    const sal_ranks *ranks = prb_ranks_of(watch);
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
        sal_status status = prb_know_print(&race, err);
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
        prb_start_free(race.start + i);
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
