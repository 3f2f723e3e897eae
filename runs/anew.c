/* anew.c: other motions, where the one that was found has no like in the model as it is, or is not
 * as asked there.
 *
 *     sal_problem_reach { solve -> finish -> { solve with other seeds -> finish } }
 *
 * Which of its local optima a motion is in says little about its cost, and much about whether it
 * can be brought into contacts that begin with a jump: how hard its feet land, and how near to
 * slipping they are. finish="try" seeks no others: each takes as long as the first.
 */
#include "runs/again.h"
#include "runs/runs.h"

#include <stdio.h>

enum { OTHERS = 3, APART = 1000 }; /* seeds: those of the starts of a solve follow each other */
static const unsigned long SEEDS = 1UL << 32;

static int rank(const sal_result *r)
{
    return !r->finished ? 0 : !r->as_asked ? 1 : 2;
}

static bool is_interrupted(const sal_result *r)
{
    return r->optim.stop == SAL_STOP_INTERRUPTED;
}

/* The motion of a seed, finished; *r NULL: none was found. */
static sal_status solve_with_seed(sal_result **r, const sal_problem *p, unsigned long seed,
                                  int nthread, const sal_watch *watch, sal_err *err)
{
    char value[24];
    sal_problem *other = NULL;
    const sal_watch within = run_watch_within(watch);
    snprintf(value, sizeof value, "%lu", seed);
    const sal_setting setting = {"init/seed", value};
    *r = NULL;
    sal_say(within.log, SAL_INFO, "finish: another motion is sought, with the seed %s", value);
    sal_status status = prb_problem_again(&other, p, &setting, 1, false, err);
    if (status == SAL_OK) {
        status = sal_problem_solve(r, other, nthread, &within, err);
        const bool none = status != SAL_OK && status != SAL_NOMEM && status != SAL_INTERRUPTED;
        status = none ? SAL_OK : status;
    }
    if (status == SAL_OK && *r != NULL && (*r)->as_asked) {
        status = sal_problem_finish(r, other, nthread, &within, err);
    }
    sal_problem_free(other);
    return status;
}

/* The better of the two; the computing time is that of both. */
static void choose(sal_result **best, sal_result *r)
{
    const double seconds = (*best)->seconds + r->seconds;
    const bool better = rank(r) > rank(*best);
    sal_result_free(better ? *best : r);
    *best = better ? r : *best;
    (*best)->seconds = seconds;
}

static sal_status seek_others(sal_result **result, const sal_problem *p, int nthread,
                              const sal_watch *watch, sal_err *err)
{
    sal_status status = SAL_OK;
    for (unsigned k = 1; k <= OTHERS && status == SAL_OK && rank(*result) < 2; k++) {
        sal_result *r = NULL;
        const unsigned long seed = (p->seed + k * APART) % SEEDS;
        status = solve_with_seed(&r, p, seed, nthread, watch, err);
        if (status == SAL_INTERRUPTED || (r != NULL && is_interrupted(r))) {
            run_interrupt(*result);
            sal_result_free(r);
            return SAL_OK;
        }
        if (r != NULL && status == SAL_OK) {
            choose(result, r);
        } else {
            sal_result_free(r);
        }
    }
    return status == SAL_OK ? run_tell_problem(*result, p->problem_xml, err) : status;
}

sal_status sal_problem_reach(sal_result **result, const sal_problem *p, int nthread,
                             const sal_watch *watch, sal_err *err)
{
    sal_status status = sal_problem_solve(result, p, nthread, watch, err);
    const bool asked = status == SAL_OK && (*result)->as_asked;
    status = status == SAL_OK ? sal_problem_finish(result, p, nthread, watch, err) : status;
    const bool drawn = p->init_noise > 0 || p->nstart > 1; /* else another seed changes nothing */
    if (status == SAL_OK && p->finish == PRB_FINISH_MODEL && asked && drawn &&
        !is_interrupted(*result)) {
        status = seek_others(result, p, nthread, watch, err);
    }
    return status;
}
