/* identify_trial.h: repetitions of a trial of identification, and what they say of its estimates
 * and their standard errors. */
#ifndef SAL_TESTS_IDENTIFY_IDENTIFY_TRIAL_H
#define SAL_TESTS_IDENTIFY_IDENTIFY_TRIAL_H

#include "tests/identify/identify_data.h"
#include "tests/problems/solve_file.h"

#include "problems/result/result.h"

enum { TRIAL_MAX_REPETITION = 100, TRIAL_MAX_PARAMETER = 16 };

typedef struct trial_run {
    int nrepetition;
    int nparameter;
    char name[TRIAL_MAX_PARAMETER][SAL_IDENTIFICATION_NAME];
    /* what the model's file says */
    double truth[TRIAL_MAX_PARAMETER];
    double value[TRIAL_MAX_REPETITION][TRIAL_MAX_PARAMETER];
    double se[TRIAL_MAX_REPETITION][TRIAL_MAX_PARAMETER];
    double se_hessian[TRIAL_MAX_REPETITION][TRIAL_MAX_PARAMETER];
    double se_resampled[TRIAL_MAX_REPETITION][TRIAL_MAX_PARAMETER];
    double reach[TRIAL_MAX_REPETITION][TRIAL_MAX_PARAMETER];
    double seconds;
} trial_run;

/* Over the repetitions of one parameter: share of the intervals of 95 % that hold the truth (of the
 * errors by fitting anew: within two of them); mean error, scatter and mean standard error */
typedef struct trial_figures {
    double within;
    double within_resampled;
    double bias;
    double scatter;
    double se;
} trial_figures;

/* examples/identify_NAME.xml with recordings of its own in `into`, and `errors` of <estimate>; the
 * caller frees. NULL, and a fault of the case, if it fails. */
static inline sal_result *trial_solve(const trial *which, const char *into, unsigned long seed,
                                      const char *errors)
{
    char file[128], files[1024];
    const char *root = getenv("SALTUS_ROOT");
    sal_err err = {0};
    snprintf(file, sizeof file, "examples/identify_%s.xml", which->name);
    snprintf(files, sizeof files, "%s/%s_*.csv", into, which->name);
    const sal_setting setting[] = {{"data/file", files}, {"estimate/errors", errors}};
    CHECK_OK(trial_record(which, root == NULL ? "." : root, seed, into, &err), err);
    return solve_file(file, &(sal_problem_options){.setting = setting, .nsetting = 2});
}

static inline void trial_keep(trial_run *run, const sal_identification_result *e)
{
    const int k = run->nrepetition++;
    run->nparameter = e->nparameter;
    for (int i = 0; i < e->nparameter; i++) {
        snprintf(run->name[i], sizeof run->name[i], "%s", e->parameter[i].name);
        run->truth[i] = e->parameter[i].nominal;
        run->value[k][i] = e->parameter[i].value;
        run->se[k][i] = e->parameter[i].se;
        run->se_hessian[k][i] = e->parameter[i].se_hessian;
        run->se_resampled[k][i] = e->parameter[i].se_resampled;
        run->reach[k][i] = sal_identification_reach(e->parameter + i);
    }
}

/* One more repetition. */
static inline void trial_once(trial_run *run, const trial *which, const char *into,
                              unsigned long seed, const char *errors)
{
    sal_result *r = trial_solve(which, into, seed, errors);
    CHECK(r != NULL && sal_identification_of(r) != NULL);
    if (r != NULL && sal_identification_of(r) != NULL) {
        CHECK(sal_identification_of(r)->nparameter <= TRIAL_MAX_PARAMETER);
        run->seconds += r->seconds;
        trial_keep(run, sal_identification_of(r));
    }
    sal_result_free(r);
}

static inline void trial_repeat(trial_run *run, const trial *which, const char *into,
                                int nrepetition)
{
    *run = (trial_run){0};
    for (int k = 0; k < nrepetition; k++) {
        trial_once(run, which, into, 1000UL + (unsigned long)k, "sandwich");
    }
}

static inline trial_figures trial_look(const trial_run *run, int i)
{
    const int n = run->nrepetition;
    trial_figures f = {0};
    for (int k = 0; k < n; k++) {
        const double off = run->value[k][i] - run->truth[i];
        f.within += (fabs(off) <= run->reach[k][i]) / (double)n;
        f.within_resampled += (fabs(off) <= 2 * run->se_resampled[k][i]) / (double)n;
        f.bias += off / n;
        f.se += run->se[k][i] / n;
    }
    for (int k = 0; k < n; k++) {
        const double off = run->value[k][i] - run->truth[i] - f.bias;
        f.scatter += off * off / (n > 1 ? n - 1 : 1);
    }
    f.scatter = sqrt(f.scatter);
    return f;
}

#endif
