/* Killed at random moments, a sweep completes when it is started again: nothing is lost, nothing
 * that was finished is done twice, and the results are those of a run that nobody disturbed, bit
 * for bit. And on a disk that is full. */
#include "tests/cli/sweep.h"

enum { TIMES = 20, CELLS = 24 };
static const char *const options = "-j 2 --json";

/* Cells of some ten milliseconds, in chains that hand their motions on, repeated with noise; a cell
 * may crash often before it counts as failed. */
static const char kill_sweep[] =
    "<sweep name=\"kill\" problem=\"reach.xml\">\n"
    "  <set path=\"time/nstep\" value=\"150\"/>\n"
    "  <set path=\"init/noise\" value=\".05\"/>\n"
    "  <axis name=\"damping\" path=\"joint[hinge]/damping\" values=\".1 .2 .3\"/>\n"
    "  <axis name=\"mass\" path=\"geom[#0]/mass\" values=\"1 2 3 4\"/>\n"
    "  <continuation axis=\"mass\" from=\"2\"/>\n"
    "  <repeat count=\"2\" path=\"init/seed\"/>\n"
    "  <limit tries=\"50\"/>\n"
    "</sweep>\n";

static void undisturbed(void)
{
    sweep_write("kill.xml", kill_sweep);
    CHECK(run(sweep_line("kill.xml", "whole", options)) == 0);
    CHECK(json_number("physical") == CELLS && records_in("whole") == CELLS);
}

/* What was finished when it was killed stays untouched, and all is as if nothing had been. */
static void complete(const char *folder, int kept_at_least)
{
    const standing before = stand(folder);
    CHECK(run(sweep_line("kill.xml", folder, options)) == 0);
    const standing after = stand(folder);
    const double found = json_number("reused");
    CHECK(before.nrecord >= kept_at_least && found == before.nrecord);
    CHECK(json_number("physical") == CELLS && after.nrecord == CELLS && after.nother == 0);
    for (int i = 0; i < before.n; i++) {
        /* a motion without its record, and what was being written, are not finished */
        char name[NAME_MAX + 1];
        snprintf(name, sizeof name, "%.64s.tsv", before.file[i].name);
        const kept *k = &before.file[i];
        if (k->name[0] != '.' && find_kept(&before, name) != NULL) {
            const kept *still = find_kept(&after, k->name);
            CHECK(still != NULL && still->inode == k->inode &&
                  still->time.tv_nsec == k->time.tv_nsec);
        }
    }
    CHECK(same_cells(folder, "whole") && same_table(folder, "whole"));
    printf("     %s: %d of %d were finished\n", folder, before.nrecord, CELLS);
    free(before.file);
    free(after.file);
}

/* Starts the run, and waits until it has finished a random number of cells more; or has ended. */
static pid_t start_some(const char *folder, sal_rng *rng)
{
    siginfo_t ended = {0};
    const int before = records_in(folder);
    const int enough = before + (int)sal_rng_uniform(rng, 0, CELLS - 2 - before);
    const pid_t pid = start(sweep_line("kill.xml", folder, options));
    while (records_in(folder) < enough && ended.si_pid == 0) {
        rest(0.002);
        waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT);
    }
    rest(sal_rng_uniform(rng, 0, 0.05));
    return pid;
}

/* The run goes on with another worker; whatever it was at is tried again. */
static void workers_are_killed(void)
{
    sal_rng rng = {1};
    char folder[20];
    int killed = 0;
    for (int k = 0; k < TIMES; k++) {
        pid_t child[8];
        snprintf(folder, sizeof folder, "worker%d", k);
        const pid_t pid = start_some(folder, &rng);
        const int n = children_of(pid, child, 8);
        killed += n > 0 && kill(child[k % n], SIGKILL) == 0;
        CHECK(finish(pid) == 0);
        CHECK(json_number("physical") == CELLS);
        complete(folder, CELLS);
    }
    printf("     %d of %d killed\n", killed, TIMES);
    CHECK(killed > TIMES / 2);
}

static void kill_runs(const char *name, unsigned long seed, bool group)
{
    sal_rng rng = {seed};
    char folder[20];
    int killed = 0;
    for (int k = 0; k < TIMES; k++) {
        snprintf(folder, sizeof folder, "%s%d", name, k);
        /* some twice before they may complete */
        for (int more = k % 3 == 0; more >= 0; more--) {
            const pid_t pid = start_some(folder, &rng);
            kill(group ? -pid : pid, SIGKILL);
            killed += finish(pid) == 128 + SIGKILL;
        }
        complete(folder, 0);
    }
    printf("     %d killed\n", killed);
    CHECK(killed > TIMES / 2);
}

/* The workers die with it: a run that is started at once finds no cell taken. */
static void the_run_is_killed(void)
{
    kill_runs("parent", 2, false);
}

static void the_whole_group_is_killed(void)
{
    lead_group = true;
    kill_runs("group", 3, true);
    lead_group = false;
}

/* ---- a full disk ---- */

static void the_disk_is_full(void)
{
    char command[600];
    CHECK(mkdir(files_path("disk"), 0777) == 0);
    snprintf(command, sizeof command, "mount -t tmpfs -o size=900k tmpfs %s 2>/dev/null",
             files_path("disk"));
    if (system(command) != 0) {
        SKIP("no file system can be mounted here");
    }
    const char *const target = "disk/sweep";
    CHECK(run(sweep_line("kill.xml", target, options)) == 5);
    CHECK(is_json(out) && json_number("exit_code") == 5);
    SAYS(errors, "No space left on device");
    SAYS(errors, "free space and start the sweep again; finished cells are kept");
    const standing full = stand(target);
    printf("     %d of %d finished when the disk was full\n", full.nrecord, CELLS);
    CHECK(full.nrecord > 0 && full.nrecord < CELLS);
    CHECK(run(sweep_line("kill.xml", target, options)) == 5); /* still */
    snprintf(command, sizeof command, "mount -o remount,size=100m %s", files_path("disk"));
    CHECK(system(command) == 0);
    complete(target, full.nrecord);
    free(full.file);
    snprintf(command, sizeof command, "umount %s", files_path("disk"));
    CHECK(system(command) == 0);
}

int main(void)
{
    sweep_files();
    RUN(undisturbed);
    RUN(workers_are_killed);
    RUN(the_run_is_killed);
    RUN(the_whole_group_is_killed);
    RUN(the_disk_is_full);
    files_remove();
    return check_done();
}
