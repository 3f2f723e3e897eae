/* A sweep that is cut short while cells have checkpoints: its next start goes on from these, to the
 * bytes of a run that nobody disturbed. */
#include "tests/cli/mpirun.h"
#include "tests/cli/sweep.h"

/* Cells of many steps, which take longer than it takes until one has a checkpoint */
static const char slow_cells[] = "<sweep name=\"slow\" problem=\"reach.xml\">\n"
                                 "  <set path=\"time/nstep\" value=\"9000\"/>\n"
                                 "  <axis name=\"mass\" path=\"geom[#0]/mass\" values=\"1 2\"/>\n"
                                 "  <limit tries=\"50\"/>\n"
                                 "</sweep>\n";

static bool has_checkpoint(const char *folder)
{
    const standing s = stand(folder);
    bool found = false;
    for (int i = 0; i < s.n && !found; i++) {
        const char *end = strrchr(s.file[i].name, '.');
        found = end != NULL && strcmp(end, ".checkpoint") == 0;
    }
    free(s.file);
    return found;
}

/* Waits until a cell has a checkpoint. False: the run has ended before. */
static bool wait_for_checkpoint(pid_t pid, const char *folder)
{
    siginfo_t ended = {0};
    while (!has_checkpoint(folder) && ended.si_pid == 0) {
        rest(0.005);
        waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT);
    }
    return ended.si_pid == 0;
}

static void is_complete(const char *folder, const char *options)
{
    CHECK(run(sweep_line("slow.xml", folder, options)) == 0);
    CHECK(same_cells("whole", folder) && same_table("whole", folder));
}

#define WAITS(pid, folder)                                                                         \
    if (!wait_for_checkpoint(pid, folder)) {                                                       \
        finish(pid);                                                                               \
        SKIP("cells end before they have a checkpoint");                                           \
    }

static void undisturbed(void)
{
    sweep_write("slow.xml", slow_cells);
    CHECK(run(sweep_line("slow.xml", "whole", "-j 2 --threads 2 -q")) == 0);
    CHECK(!has_checkpoint("whole"));
}

static void a_killed_run_goes_on(void)
{
    const pid_t pid = start(sweep_line("slow.xml", "killed", "-j 2 --threads 2 -q"));
    WAITS(pid, "killed")
    kill(pid, SIGKILL);
    CHECK(finish(pid) == 128 + SIGKILL && has_checkpoint("killed"));
    is_complete("killed", "-j 1 --threads 2 -q");
}

static void an_interrupted_run_goes_on(void)
{
    const pid_t pid = start(sweep_line("slow.xml", "interrupted", "-j 1 --threads 1 -q"));
    WAITS(pid, "interrupted")
    kill(pid, SIGINT);
    CHECK(finish(pid) == 130 && has_checkpoint("interrupted"));
    is_complete("interrupted", "-j 2 --threads 2 -q");
}

static void with_sync_it_goes_on_too(void)
{
    const pid_t pid = start(sweep_line("slow.xml", "synced", "-j 1 --sync -q"));
    WAITS(pid, "synced")
    kill(pid, SIGKILL);
    CHECK(finish(pid) == 128 + SIGKILL);
    is_complete("synced", "-j 1 --sync -q");
}

/* The run replaces it, and that one goes on. */
static void a_killed_worker_is_replaced(void)
{
    const pid_t pid = start(sweep_line("slow.xml", "worker", "-j 1 -q"));
    WAITS(pid, "worker")
    pid_t child = 0;
    CHECK(children_of(pid, &child, 1) == 1 && kill(child, SIGKILL) == 0);
    CHECK(finish(pid) == 0);
    CHECK(same_cells("whole", "worker") && same_table("whole", "worker"));
}

static void a_killed_shard_goes_on(void)
{
    const pid_t pid = start(sweep_line("slow.xml", "shard", "--shard 1/2 -j 1 -q"));
    WAITS(pid, "shard")
    kill(pid, SIGKILL);
    CHECK(finish(pid) == 128 + SIGKILL);
    CHECK(run(sweep_line("slow.xml", "shard", "--shard 2/2 -j 1 -q")) == 0);
    is_complete("shard", "--shard 1/2 -j 2 -q");
}

/* Of a run over ranks one process alone goes on. */
static void killed_ranks_go_on(void)
{
    find_ranks();
    if (why_no_ranks != NULL) {
        SKIP(why_no_ranks);
    }
    const pid_t pid = start_ranks(2, "", sweep_line("slow.xml", "ranks", "-q"));
    WAITS(pid, "ranks")
    kill(pid, SIGKILL);
    finish(pid); /* the ranks see it soon, and what they are at is not for others until then */
    is_complete("ranks", "-j 2 -q");
}

int main(void)
{
    sweep_files();
    RUN(undisturbed);
    RUN(a_killed_run_goes_on);
    RUN(an_interrupted_run_goes_on);
    RUN(with_sync_it_goes_on_too);
    RUN(a_killed_worker_is_replaced);
    RUN(a_killed_shard_goes_on);
    RUN(killed_ranks_go_on);
    files_remove();
    return check_done();
}
