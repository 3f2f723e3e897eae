/* bench_coverage.c: whether the intervals of identifications hold what they should: mechanisms that
 * are known (tests/identify/identify_data.h), a hundred times each with other noise, other starts
 * and other controls.
 *
 *     build/bench/bench_coverage [MECHANISM [REPETITIONS [FIRST [ERRORS]]]]
 *                                 all        100          0      sandwich
 *
 * Prints a line for each estimate (mechanism, repetition, parameter, true value, estimate, standard
 * error, that of the Hessian, half an interval, error by fitting anew), then the figures of each
 * parameter. ERRORS: sandwich, jackknife or bootstrap (where it is one of the last two, the share
 * within two of these errors is printed as well). At most 100 repetitions.
 */
#include "tests/folder.h"
#include "tests/identify/identify_trial.h"

static void print_estimates(const trial_run *run, const char *name, int repetition)
{
    const int k = run->nrepetition - 1;
    for (int i = 0; i < run->nparameter; i++) {
        printf("%s %d %s %.9g %.9g %.4g %.4g %.4g %.4g\n", name, repetition, run->name[i],
               run->truth[i], run->value[k][i], run->se[k][i], run->se_hessian[k][i],
               run->reach[k][i], run->se_resampled[k][i]);
    }
    fflush(stdout);
}

/* Intervals of 95 % of which fewer than 90 % hold the truth are marked. */
static void print_figures(const trial_run *run, const char *name)
{
    for (int i = 0; i < run->nparameter; i++) {
        const trial_figures f = trial_look(run, i);
        printf("# %-10s %-10s interval %3.0f %%%s  bias %+.2f se  se/scatter %.2f", name,
               run->name[i], 100 * f.within, f.within < .9 ? " FEWER THAN 90" : "", f.bias / f.se,
               f.se / f.scatter);
        if (run->nrepetition > 0 && !isnan(run->se_resampled[0][i])) {
            printf("  fitted anew %3.0f %%", 100 * f.within_resampled);
        }
        printf("\n");
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static trial_run run;
    const char *only = argc > 1 ? argv[1] : "all";
    const int times = argc > 2 ? (int)strtol(argv[2], NULL, 10) : TRIAL_MAX_REPETITION;
    const int first = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 0;
    const char *errors = argc > 4 ? argv[4] : "sandwich";
    if (mkdtemp(folder) == NULL || times < 1 || times > TRIAL_MAX_REPETITION) {
        return 1;
    }
    for (int t = 0; t < ntrial; t++) {
        if (strcmp(only, "all") != 0 && strcmp(only, trials[t].name) != 0) {
            continue;
        }
        run = (trial_run){0};
        for (int k = first; k < first + times; k++) {
            trial_once(&run, trials + t, folder, 1000UL + (unsigned long)k, errors);
            if (run.nrepetition > 0) {
                print_estimates(&run, trials[t].name, k);
            }
        }
        print_figures(&run, trials[t].name);
    }
    return 0;
}
