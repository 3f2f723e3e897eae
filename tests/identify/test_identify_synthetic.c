/* Mechanisms that are known, a few times each: each true parameter lies within four standard errors
 * of its estimate, and the standard errors are small. test_identify_synthetic_slow.c asks what they
 * are worth. */
#include "tests/folder.h"
#include "tests/identify/identify_trial.h"

#ifdef SANITIZED
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif

static void a_few_times(int which, int times, double relative)
{
    static trial_run run;
    if (sanitized && which != 0 && which != 3) {
        SKIP("takes minutes with sanitizers, and shows them nothing that the others do not");
    }
    trial_repeat(&run, trials + which, folder, times);
    printf("%s: %.2f s each\n", trials[which].name, run.seconds / times);
    for (int i = 0; i < run.nparameter; i++) {
        for (int k = 0; k < run.nrepetition; k++) {
            printf("    %-12s %10.5g  %+.2f se  se %.2g\n", run.name[i], run.truth[i],
                   (run.value[k][i] - run.truth[i]) / run.se[k][i], run.se[k][i]);
            CHECK_NEAR(run.value[k][i], run.truth[i], 4 * run.se[k][i]);
            CHECK(run.se[k][i] <= relative * fabs(run.truth[i]));
        }
    }
}

static void pendulum(void)
{
    a_few_times(0, 3, 0.05);
}
static void arm(void)
{
    a_few_times(1, 3, 0.05);
}
static void box(void)
{
    a_few_times(2, 1, 0.01);
}
static void finger(void)
{
    a_few_times(3, 3, 0.05);
}
static void quadruped(void)
{
    a_few_times(4, 1, 0.05);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    RUN(pendulum);
    RUN(arm);
    RUN(box);
    RUN(finger);
    RUN(quadruped);
    return check_done();
}
