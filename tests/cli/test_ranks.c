/* A solve that ranks share: mpirun -n N saltus solve. Skipped, saying so, where there is no mpirun
 * or no MPI in the command. */
#include "tests/cli/mpirun.h"
#include "tests/cli/resume.h"

static const char *test_problem(const char *name)
{
    static char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/%s.xml", root == NULL ? "." : root, name);
    return path;
}

/* ---- the same bytes ---- */

static int count_of(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)) != NULL; text++) {
        n++;
    }
    return n;
}

/* One process, then one to four ranks, of one thread and of two, more of them than there is work
 * for. */
static void ranks_make_the_same_bytes(void)
{
    if (why_no_ranks != NULL) {
        SKIP(why_no_ranks);
    }
    /* an open motion from two starts, a coarse one first, one with inputs, a cycle with a border,
     * fewer steps than ranks, a cycle with sums, recordings that share parameters */
    static const struct {
        const char *problem, *options, *ranks;
    } cases[] = {{"examples/pendulum_quick", "--set init/nstart=2 --set time/refine=2", "13"},
                 {"examples/arm_muscles", "", "2"},
                 {"examples/walker_gait", "", "3"},
                 {"examples/pendulum_quick", "--set time/nstep=3 --set solver/maxiter=9", "4"},
                 {"examples/walker_walk", "--set term[upright]/mean=true", "2"},
                 {"examples/identify_pendulum", "--set estimate/holdout=.2", "23"}};
    char line[4000], folder[40];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int starts = i == 0 ? 2 : 1;
        snprintf(line, sizeof line, "solve %s -o %s -q --threads 1 %s",
                 test_problem(cases[i].problem), files_path("one"), cases[i].options);
        const int code = run(line);
        CHECK(code == 0 || code == 1 || code == 4);
        for (const char *r = cases[i].ranks; *r != 0; r++) {
            const int n = *r - '0';
            snprintf(folder, sizeof folder, "ranks%d", n);
            snprintf(line, sizeof line, "solve %s -o %s -q --threads %d %s",
                     test_problem(cases[i].problem), files_path(folder), i == 0 && n == 3 ? 2 : 1,
                     cases[i].options);
            CHECK(run_ranks(n, line) == code);
            CHECK(same_folder("one", folder, starts));
            if (check_case_faults > 0) {
                printf("%s with %d ranks: code %d\n%s\n", cases[i].problem, n, code, errors);
                return;
            }
        }
    }
}

/* ---- one voice ---- */

static void rank_0_speaks_for_all(void)
{
    if (why_no_ranks != NULL) {
        SKIP(why_no_ranks);
    }
    char line[4000];
    snprintf(line, sizeof line, "solve %s -o %s --json", example_of("pendulum_quick"),
             files_path("spoken"));
    CHECK(run_ranks(3, line) == 0);
    CHECK(is_json(out));
    CHECK(count_of(errors, "result: ") == 1);
    CHECK(run_ranks(3, "solve nothing.xml") == 5);
    CHECK(count_of(errors, "saltus: ") == 1);
    SAYS(errors, "cannot read 'nothing.xml'");
    CHECK(run_ranks(3, "info nothing.xml") == 2);
    CHECK(count_of(errors, "saltus: ") == 1);
    SAYS(errors, "'info' cannot run as several MPI ranks; start it without mpirun");
    snprintf(line, sizeof line, "solve %s -o /nowhere/at/all", example_of("pendulum_quick"));
    CHECK(run_ranks(2, line) == 5);
    CHECK(count_of(errors, "saltus: ") == 1);
}

/* What one process left, ranks finish, and the other way round. A signal to mpirun reaches rank 0,
 * which seals what it has. */
static void what_was_cut_short_goes_on(void)
{
    if (why_no_ranks != NULL) {
        SKIP(why_no_ranks);
    }
    char line[4000];
    CHECK(run(solve_line("pendulum_swingup", "whole", "--threads 1")) == 0);
    snprintf(line, sizeof line, "%s", solve_line("pendulum_swingup", "cut", "--threads 1"));
    CHECK(cut_short(line, "cut/iterations.jsonl", 8, 0, SIGKILL) == 128 + SIGKILL);
    CHECK(run_ranks(2, solve_line("pendulum_swingup", "cut", "--threads 1 --resume")) == 0);
    CHECK(same_folder("whole", "cut", 1));
    CHECK(run_ranks(2, solve_line("pendulum_swingup", "cut", "--resume")) == 0);
    SAYS(errors, "nothing to resume: the solve in '");
    const pid_t pid = start_ranks(2, "", solve_line("pendulum_swingup", "other", "--threads 1"));
    wait_for_record(pid, "other/iterations.jsonl", 8, NULL);
    kill(pid, SIGTERM);
    CHECK(finish(pid) != 0);
    CHECK(run(solve_line("pendulum_swingup", "other", "--threads 1 --resume")) == 0);
    CHECK(same_folder("whole", "other", 1));
}

/* The same of an identification, of any number of ranks; each of the three ends a little later. */
static void so_does_an_identification(void)
{
    static const struct {
        int n;
        int line;
    } part[] = {{2, 2}, {3, 4}, {1, 6}};
    char line[4000];
    pid_t rank[8];
    if (why_no_ranks != NULL) {
        SKIP(why_no_ranks);
    }
    snprintf(line, sizeof line, "%s", solve_line("identify_arm", "fit", "--threads 1"));
    CHECK(run(line) == 0);
    for (int k = 0; k < 3; k++) {
        snprintf(
            line, sizeof line, "%s",
            solve_line("identify_arm", "fit-cut", k == 0 ? "--threads 1" : "--threads 1 --resume"));
        const pid_t pid = part[k].n > 1 ? start_ranks(part[k].n, "", line) : start(line);
        wait_for_record(pid, "fit-cut/iterations.jsonl", part[k].line, NULL);
        const int nrank = part[k].n > 1 ? children_of(pid, rank, 8) : 0;
        for (int r = 0; r < nrank; r++) {
            kill(rank[r], SIGKILL); /* mpirun would take its time to pass a signal on */
        }
        kill(pid, SIGTERM);
        if (finish(pid) == 0) {
            SKIP("it ended before the signal came");
        }
        CHECK(exists("fit-cut/checkpoint/0"));
        CHECK(k == 0 || strstr(errors, "starts from the beginning") == NULL);
    }
    CHECK(run_ranks(2, solve_line("identify_arm", "fit-cut",
                                  "--threads 1 --resume --set estimate/sigma=.06")) == 3);
    SAYS(errors, "belongs to another problem or other settings");
    CHECK(run_ranks(2, solve_line("identify_arm", "fit-cut", "--threads 1 --resume")) == 0);
    CHECK(same_folder("fit", "fit-cut", 1));
    CHECK(!exists("fit-cut/checkpoint"));
}

int main(void)
{
    find_ranks();
    RUN(ranks_make_the_same_bytes);
    RUN(rank_0_speaks_for_all);
    RUN(what_was_cut_short_goes_on);
    RUN(so_does_an_identification);
    files_remove();
    return check_done();
}
