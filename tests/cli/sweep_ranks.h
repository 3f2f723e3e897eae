/* sweep_ranks.h: a sweep that ranks share, what is done to them, and what has to be there
 * afterwards. */
#ifndef SAL_TESTS_CLI_SWEEP_RANKS_H
#define SAL_TESTS_CLI_SWEEP_RANKS_H

#include "tests/cli/mpirun.h"
#include "tests/cli/sweep.h"

/* Chains of four points to both sides of the second, each of two repeats; a cell takes some
 * hundredths of a second. */
static const char sweep_chains[] =
    "<sweep name=\"chains\" problem=\"reach.xml\">\n"
    "  <set path=\"time/nstep\" value=\"100\"/>\n"
    "  <axis name=\"damping\" path=\"joint[hinge]/damping\" values=\".1 .2 .3\"/>\n"
    "  <axis name=\"mass\" path=\"geom[#0]/mass\" values=\"1 2 3 4\"/>\n"
    "  <repeat count=\"2\" path=\"init/seed\" first=\"1\" keep=\"all\"/>\n"
    "  <continuation axis=\"mass\" from=\"2\" noise=\".1\"/>\n"
    "</sweep>\n";

enum { CHAINS_CELLS = 24, RANKS = 3 };

static inline void begin_ranks(void)
{
    find_ranks();
    sweep_files();
    sweep_write("chains.xml", sweep_chains);
    CHECK(run(sweep_line("chains.xml", "alone", "-j 2 -q")) == 0);
}

/* ---- what is finished ---- */

/* Only the files of cells that have a record */
static inline standing finished_in(const char *folder)
{
    standing s = stand(folder);
    char record[NAME_MAX + 1];
    int n = 0;
    for (int i = 0; i < s.n; i++) {
        snprintf(record, sizeof record, "%.64s.tsv", s.file[i].name);
        if (s.file[i].name[0] != '.' && find_kept(&s, record) != NULL) {
            s.file[n++] = s.file[i];
        }
    }
    s.n =
        n; /* in their order; each cell's motion stands before its record, so that this is found */
    return s;
}

/* Waits until so many cells are done; not without end. */
static inline void wait_for_cells(const char *folder, int n)
{
    for (int i = 0; i < 6000 && records_in(folder) < n; i++) {
        rest(0.01);
    }
}

/* All cells are there with the bytes of one process, and those that were finished before have not
 * been written again. */
static inline void is_complete(const char *folder, standing *before)
{
    standing after = stand(folder);
    CHECK(is_untouched(before, &after));
    CHECK(same_cells("alone", folder) && same_table("alone", folder));
    free(before->file);
    free(after.file);
}

/* ---- what is done to them ---- */

typedef struct blow {
    /* of mpirun */
    const char *name;
    const char *options;
    /* whom it hits; -1: mpirun */
    int rank;
    /* of that rank, not the rank itself */
    bool worker;
    int signal;
    /* the run completes all the same */
    bool goes_on;
} blow;

/* Rank k of a run, which mpirun has started in their order. */
static inline pid_t pid_of_rank(pid_t mpirun, int k)
{
    pid_t child[RANKS] = {0};
    const int n = children_of(mpirun, child, RANKS);
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            if (child[j] < child[i]) {
                const pid_t first = child[j];
                child[j] = child[i];
                child[i] = first;
            }
        }
    }
    return n == RANKS ? child[k] : 0;
}

/* Who is stopped just as it leaves has nothing more to lose, but mpirun waits for it: after a while
 * it is killed. The process that sees to that. */
static inline pid_t end_stopped(pid_t whom)
{
    enum { LONG = 30 }; /* s */
    const pid_t watcher = fork();
    if (watcher == 0) {
        sleep(LONG);
        kill(whom, SIGKILL);
        _exit(0);
    }
    return watcher;
}

/* A run that is hit once so many cells are done, and `later` seconds after that; then one that
 * completes it, if need be. */
static inline void strike(const blow *b, int ncell, double later)
{
    char folder[40];
    static int count;
    snprintf(folder, sizeof folder, "struck%d", count++);
    const pid_t mpirun =
        start_ranks(RANKS, b->options, sweep_line("chains.xml", folder, "-q --patience 2"));
    wait_for_cells(folder, ncell);
    rest(later);
    pid_t whom = b->rank < 0 ? mpirun : pid_of_rank(mpirun, b->rank);
    whom = b->worker && whom > 0 ? a_worker_of(whom) : whom;
    standing before = finished_in(folder);
    const bool struck = whom > 0 && kill(whom, b->signal) == 0;
    const pid_t watcher = struck && b->signal == SIGSTOP ? end_stopped(whom) : 0;
    const int code = finish(mpirun), there = records_in(folder);
    if (watcher > 0) {
        kill(watcher, SIGKILL);
        waitpid(watcher, NULL, 0);
    }
    printf("     %s after %d: exit code %d, %d of %d cells%s\n", b->name, before.nrecord, code,
           there, CHAINS_CELLS, struck ? "" : " (it had ended before)");
    CHECK(there == CHAINS_CELLS || !b->goes_on || !struck);
    standing between = finished_in(folder);
    CHECK(is_untouched(&before, &between));
    free(before.file);
    CHECK(run(sweep_line("chains.xml", folder, "-j 2 --json")) == 0);
    CHECK(json_number("reused") >= between.nrecord);
    is_complete(folder, &between);
}

#endif
