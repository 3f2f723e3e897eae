/* kills.c: solves, identifications and sweeps that are killed at random moments, some of them
 * several times, and started again: what comes out has the bytes of a run that nobody disturbed.
 *
 * usage: kills SECONDS SEED; ends with a line "kills N found N". Exit code 1 if something differed.
 */
#include "tests/cli/resume.h"
#include "tests/cli/sweep.h"

static const char *const solves[] = {"pendulum_quick", "pendulum_swingup", "box_up", "hopper_hop",
                                     "identify_pendulum"};
enum { NSOLVE = sizeof solves / sizeof solves[0] };

static const char kills_sweep[] =
    "<sweep name=\"kills\" problem=\"reach.xml\">\n"
    "  <set path=\"time/nstep\" value=\"100\"/>\n"
    "  <set path=\"init/noise\" value=\".05\"/>\n"
    "  <axis name=\"damping\" path=\"joint[hinge]/damping\" values=\".1 .2\"/>\n"
    "  <axis name=\"mass\" path=\"geom[#0]/mass\" values=\"1 2 3\"/>\n"
    "  <continuation axis=\"mass\" from=\"2\"/>\n"
    "  <repeat count=\"2\" path=\"init/seed\"/>\n"
    "  <limit tries=\"50\"/>\n"
    "</sweep>\n";

static long nkill, nfound;

static void found(const char *what, const char *name, long round)
{
    nfound++;
    printf("found: %s of %s in round %ld\n%s\n", what, name, round, errors);
}

/* Kills a solve up to three times, each a little later, and lets it end. */
static void kill_solve(int which, long round, sal_rng *rng)
{
    char whole[60], folder[60], record[80], line[4000];
    const char *name = solves[which];
    snprintf(whole, sizeof whole, "whole-%s", name);
    snprintf(folder, sizeof folder, "cut");
    snprintf(record, sizeof record, "%s/iterations.jsonl", folder);
    if (!exists(whole) && run(solve_line(name, whole, "--threads 1")) != 0) {
        found("the first run", name, round);
        return;
    }
    int lines = 0, code = 0;
    for (int k = 1 + (int)(sal_rng_next(rng) % 3); k > 0; k--) {
        lines += 1 + (int)(sal_rng_next(rng) % 12);
        snprintf(line, sizeof line, "%s", solve_line(name, folder, "--threads 2 --resume"));
        code = cut_short(line, record, lines, sal_rng_uniform(rng, 0, 0.01),
                         sal_rng_next(rng) % 4 == 0 ? SIGINT : SIGKILL);
        nkill += code == 128 + SIGKILL || code == 130;
    }
    if (run(solve_line(name, folder, "--threads 1 --resume")) != 0) {
        found("the exit code", name, round);
    } else if (!same_folder(whole, folder, 1)) {
        found("the result", name, round);
    }
    snprintf(line, sizeof line, "rm -rf %s", files_path(folder));
    if (system(line) != 0) {
        printf("cannot remove %s\n", folder);
    }
}

static void kill_sweep(long round, sal_rng *rng)
{
    const char *options = "-j 2 --json -q";
    char folder[40], line[400];
    if (!exists("whole") && run(sweep_line("kills.xml", "whole", options)) != 0) {
        found("the first run", "a sweep", round);
        return;
    }
    snprintf(folder, sizeof folder, "sweep");
    for (int k = 1 + (int)(sal_rng_next(rng) % 3); k > 0; k--) {
        pid_t child[8];
        const pid_t pid = start(sweep_line("kills.xml", folder, options));
        rest(sal_rng_uniform(rng, 0, 0.6));
        const int n = children_of(pid, child, 8);
        if (n > 0 && sal_rng_next(rng) % 3 == 0) {
            nkill += kill(child[sal_rng_next(rng) % (uint64_t)n], SIGKILL) == 0;
        } else {
            nkill += kill(pid, SIGKILL) == 0;
        }
        finish(pid);
    }
    if (run(sweep_line("kills.xml", folder, options)) != 0) {
        found("the exit code", "a sweep", round);
    } else if (!same_cells("whole", folder) || !same_table("whole", folder)) {
        found("the cells", "a sweep", round);
    }
    snprintf(line, sizeof line, "rm -rf %s", files_path(folder));
    if (system(line) != 0) {
        printf("cannot remove %s\n", folder);
    }
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 10;
    sal_rng rng = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    struct timespec begin, now;
    sweep_files();
    sweep_write("kills.xml", kills_sweep);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    now = begin;
    for (long round = 0; round == 0 || difftime(now.tv_sec, begin.tv_sec) < seconds; round++) {
        const int which = (int)(sal_rng_next(&rng) % (NSOLVE + 2));
        if (which < NSOLVE) {
            kill_solve(which, round, &rng);
        } else {
            kill_sweep(round, &rng);
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
    }
    files_remove();
    printf("kills %ld found %ld\n", nkill, nfound);
    return nfound > 0;
}
