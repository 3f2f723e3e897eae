/* Ranks of a sweep that are hit at random times, six times each way, or SALTUS_STRIKES times
 * (twenty take ten minutes): what was finished stays as it is, and all is done in the end. */
#include "tests/cli/sweep_ranks.h"

static int times(void)
{
    const char *given = getenv("SALTUS_STRIKES");
    return given == NULL ? 6 : atoi(given);
}

static void strike_often(const blow *b)
{
    sal_rng rng = {7};
    if (why_no_ranks != NULL) {
        SKIP(why_no_ranks);
    }
    for (int i = 0; i < times(); i++) {
        const int ncell = (int)sal_rng_uniform(&rng, 0, CHAINS_CELLS - 4);
        strike(b, ncell, sal_rng_uniform(&rng, 0, 0.05));
    }
}

static void the_whole_run_is_killed(void)
{
    strike_often(&(blow){"kill -9 of mpirun", "", -1, false, SIGKILL, false});
}

static void a_rank_is_killed(void)
{
    strike_often(&(blow){"kill -9 of rank 1", "", 1, false, SIGKILL, false});
}

static void a_rank_is_killed_and_others_go_on(void)
{
    strike_often(
        &(blow){"kill -9 of rank 1, others go on", "--enable-recovery", 1, false, SIGKILL, true});
}

static void rank_0_is_killed(void)
{
    strike_often(&(blow){"kill -9 of rank 0", "", 0, false, SIGKILL, false});
}

static void rank_0_is_killed_and_others_see_it(void)
{
    strike_often(
        &(blow){"kill -9 of rank 0, others go on", "--enable-recovery", 0, false, SIGKILL, false});
}

static void a_worker_is_killed(void)
{
    strike_often(&(blow){"kill -9 of the worker of rank 2", "", 2, true, SIGKILL, true});
}

static void a_rank_hangs(void)
{
    strike_often(&(blow){"rank 2 hangs", "", 2, false, SIGSTOP, true});
}

/* Ranks that do not see the folder of rank 0, as on machines that share none */
static void a_folder_that_is_not_shared_is_told(void)
{
    char text[5000];
    if (why_no_ranks != NULL) {
        SKIP(why_no_ranks);
    }
    CHECK(mkdir(files_path("here"), 0777) == 0 && mkdir(files_path("there"), 0777) == 0);
    int n = snprintf(text, sizeof text, "--oversubscribe --bind-to none -n 1 --wdir %s %s sweep ",
                     files_path("here"), program());
    n += snprintf(text + n, sizeof text - (size_t)n, "%s -o mine -q : -n 1 --wdir ",
                  files_path("chains.xml"));
    n +=
        snprintf(text + n, sizeof text - (size_t)n, "%s %s sweep ", files_path("there"), program());
    snprintf(text + n, sizeof text - (size_t)n, "%s -o mine -q", files_path("chains.xml"));
    CHECK(finish(start_mpirun(text)) == 5);
    SAYS(errors, "rank 1 on ");
    SAYS(errors, "the folder 'mine' is not the folder of rank 0 on ");
}

int main(void)
{
    begin_ranks();
    RUN(a_rank_is_killed_and_others_go_on);
    RUN(rank_0_is_killed);
    RUN(a_rank_hangs);
    RUN(the_whole_run_is_killed);
    RUN(a_folder_that_is_not_shared_is_told);
    RUN(rank_0_is_killed_and_others_see_it);
    RUN(a_rank_is_killed);
    RUN(a_worker_is_killed);
    files_remove();
    return check_done();
}
