/* A sweep that ranks share: mpirun -n 3 saltus sweep; and one in parts. What needs mpirun is
 * skipped, saying so, where there is none. */
#include "tests/cli/sweep_ranks.h"

#define NEEDS_RANKS                                                                                \
    if (why_no_ranks != NULL) {                                                                    \
        SKIP(why_no_ranks);                                                                        \
    }

/* Not only as CSV */
static bool same_json(const char *a, const char *b)
{
    static char first[sizeof out];
    char line[600];
    snprintf(line, sizeof line, "table %s --format json", files_path(a));
    CHECK(run(line) == 0);
    snprintf(first, sizeof first, "%s", out);
    snprintf(line, sizeof line, "table %s --format json", files_path(b));
    CHECK(run(line) == 0);
    return out[0] != 0 && strcmp(first, out) == 0;
}

static void one_worker_makes_the_same_bytes(void)
{
    CHECK(run(sweep_line("chains.xml", "one", "-j 1 -q")) == 0);
    CHECK(same_cells("alone", "one") && same_table("alone", "one") && same_json("alone", "one"));
}

static void ranks_make_the_same_bytes(void)
{
    NEEDS_RANKS
    CHECK(finish(start_ranks(3, "", sweep_line("chains.xml", "ranks3", "--json"))) == 0);
    CHECK(json_number("physical") == CHAINS_CELLS && json_number("reused") == 0);
    SAYS(errors, "24 cells, 0 of them already done; 2 solved at a time");
    CHECK(same_cells("alone", "ranks3") && same_table("alone", "ranks3"));
    CHECK(same_json("alone", "ranks3"));
    CHECK(finish(start_ranks(2, "", sweep_line("chains.xml", "ranks2", "-j 2 --json"))) == 0);
    SAYS(errors, "24 cells, 0 of them already done; 2 solved at a time");
    CHECK(same_cells("alone", "ranks2") && same_table("alone", "ranks2"));
    CHECK(finish(start_ranks(1, "", sweep_line("chains.xml", "ranks1", "-j 2 -q"))) == 0);
    CHECK(errors[0] == 0 && same_cells("alone", "ranks1"));
}

static void started_again_they_find_all(void)
{
    NEEDS_RANKS
    standing before = stand("ranks3");
    CHECK(finish(start_ranks(3, "", sweep_line("chains.xml", "ranks3", "--json"))) == 0);
    CHECK(json_number("reused") == CHAINS_CELLS);
    is_complete("ranks3", &before);
}

static void copy_cells(const char *from, const char *to)
{
    char command[2000];
    snprintf(command, sizeof command, "mkdir -p %s", files_path(to));
    CHECK(system(command) == 0);
    int n = snprintf(command, sizeof command, "cp -r %s/. ", files_path(from));
    snprintf(command + n, sizeof command - (size_t)n, "%s", files_path(to));
    CHECK(system(command) == 0);
}

/* Parts run at the same time, in folders of their own and in one; together they are the whole. */
static void shards_are_the_whole(void)
{
    pid_t part[2];
    part[0] = start(sweep_line("chains.xml", "part1", "--shard 1/2 -j 1 -q"));
    part[1] = start(sweep_line("chains.xml", "part2", "--shard 2/2 -j 1 -q"));
    CHECK(finish(part[0]) == 0 && finish(part[1]) == 0);
    const int first = records_in("part1"), second = records_in("part2");
    CHECK(first == 16 && second == 8); /* whole chains: two of three, and one */
    copy_cells("part1", "merged");
    copy_cells("part2", "merged");
    CHECK(same_cells("alone", "merged") && same_table("alone", "merged"));
    CHECK(same_json("alone", "merged"));
    standing before = stand("merged");
    CHECK(run(sweep_line("chains.xml", "merged", "-j 2 --json")) == 0);
    CHECK(json_number("reused") == CHAINS_CELLS);
    is_complete("merged", &before);
    part[0] = start(sweep_line("chains.xml", "both", "--shard 1/2 -j 1 -q"));
    part[1] = start(sweep_line("chains.xml", "both", "--shard 2/2 -j 1 -q"));
    CHECK(finish(part[0]) == 0 && finish(part[1]) == 0);
    CHECK(same_cells("alone", "both") && same_table("alone", "both"));
}

/* ---- what may happen ---- */

static void a_rank_may_die(void)
{
    NEEDS_RANKS
    strike(&(blow){"kill -9 of rank 2", "", 2, false, SIGKILL, false}, 6, 0);
    strike(&(blow){"kill -9 of rank 2, others go on", "--enable-recovery", 2, false, SIGKILL, true},
           6, 0);
}

static void a_worker_may_die(void)
{
    NEEDS_RANKS
    strike(&(blow){"kill -9 of the worker of rank 1", "", 1, true, SIGKILL, true}, 4, 0);
}

static void a_rank_may_hang(void)
{
    NEEDS_RANKS
    strike(&(blow){"rank 2 hangs", "", 2, false, SIGSTOP, true}, 4, 0);
}

static void stopped_they_say_how_to_go_on(void)
{
    NEEDS_RANKS
    for (int rank = 0; rank < 2; rank++) {
        const char *folder = rank == 0 ? "stopped0" : "stopped1";
        const pid_t mpirun = start_ranks(RANKS, "", sweep_line("chains.xml", folder, "-q"));
        wait_for_cells(folder, 3);
        kill(pid_of_rank(mpirun, rank), rank == 0 ? SIGINT : SIGTERM);
        CHECK(finish(mpirun) == 130);
        SAYS(errors, "of 24 cells are finished; run the same command again to continue");
    }
}

/* ---- what is wrong ---- */

/* In place of folders for cells there are files: nothing can be written. */
static void what_cannot_be_written_ends_all(void)
{
    NEEDS_RANKS
    char name[40];
    CHECK(mkdir(files_path("full"), 0777) == 0 && mkdir(files_path("full/cells"), 0777) == 0);
    for (unsigned i = 0; i < 256; i++) {
        snprintf(name, sizeof name, "full/cells/%02x", i);
        files_write(name, "x", 1);
    }
    CHECK(finish(start_ranks(RANKS, "", sweep_line("chains.xml", "full", ""))) == 5);
    SAYS(errors, "cannot write");
}

static void bad_files_are_told_once(void)
{
    NEEDS_RANKS
    sweep_write("bad.xml", files_replace(sweep_chains, "joint[hinge]", "joint[hnge]"));
    CHECK(finish(start_ranks(RANKS, "", sweep_line("bad.xml", "bad", ""))) == 3);
    const char *first = strstr(errors, "did you mean 'hinge'?");
    CHECK(first != NULL && strstr(first + 1, "did you mean 'hinge'?") == NULL);
    CHECK(finish(start_ranks(RANKS, "", sweep_line("chains.xml", "chains.xml", ""))) == 5);
    CHECK(finish(start_ranks(RANKS, "", sweep_line("chains.xml", "x", "--patience 0"))) == 2);
}

int main(void)
{
    begin_ranks();
    RUN(one_worker_makes_the_same_bytes);
    RUN(ranks_make_the_same_bytes);
    RUN(started_again_they_find_all);
    RUN(shards_are_the_whole);
    RUN(a_rank_may_die);
    RUN(a_worker_may_die);
    RUN(a_rank_may_hang);
    RUN(stopped_they_say_how_to_go_on);
    RUN(what_cannot_be_written_ends_all);
    RUN(bad_files_are_told_once);
    files_remove();
    return check_done();
}
