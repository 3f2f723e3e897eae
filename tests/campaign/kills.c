/* kills.c: solves, identifications and sweeps of both that are killed at random moments, again and
 * again, and started again each time: what comes out has the bytes of a run that nobody disturbed.
 * Some are killed while a checkpoint is being written.
 *
 * usage: kills SECONDS SEED [PROCESSES]; that many (2) kill at the same time, each its own. Ends
 * with a line "kills N found N". Exit code 1 if something differed.
 */
#include "tests/cli/resume.h"
#include "tests/cli/sweep.h"

#include <sys/stat.h>

static const char *const solves[] = {"pendulum_swingup",  "box_up",          "hopper_hop",
                                     "identify_pendulum", "identify_finger", "identify_arm"};

/* Cells of some hundredths of a second, in chains */
static const char short_cells[] =
    "<sweep name=\"short\" problem=\"reach.xml\">\n"
    "  <set path=\"time/nstep\" value=\"100\"/>\n"
    "  <set path=\"init/noise\" value=\".05\"/>\n"
    "  <axis name=\"damping\" path=\"joint[hinge]/damping\" values=\".1 .2\"/>\n"
    "  <axis name=\"mass\" path=\"geom[#0]/mass\" values=\"1 2 3\"/>\n"
    "  <continuation axis=\"mass\" from=\"2\"/>\n"
    "  <repeat count=\"2\" path=\"init/seed\"/>\n"
    "  <limit tries=\"50\"/>\n"
    "</sweep>\n";

/* Cells that have checkpoints, the second from the motion of the first */
static const char long_cells[] = "<sweep name=\"long\" problem=\"reach.xml\">\n"
                                 "  <set path=\"time/nstep\" value=\"7000\"/>\n"
                                 "  <axis name=\"mass\" path=\"geom[#0]/mass\" values=\"1 1.1\"/>\n"
                                 "  <continuation axis=\"mass\" from=\"1\"/>\n"
                                 "  <limit tries=\"50\"/>\n"
                                 "</sweep>\n";

static const char fits[] = "<sweep name=\"fits\" problem=\"%s\">\n"
                           "  <axis name=\"mass\" path=\"parameter[mass]/value\"\n"
                           "    values=\"1.5 1.2 .9\"/>\n"
                           "  <limit tries=\"50\"/>\n"
                           "</sweep>\n";

static const char *const sweeps[] = {"short", "long", "fits"};

enum {
    NSOLVE = sizeof solves / sizeof solves[0],
    NSWEEP = sizeof sweeps / sizeof sweeps[0],
    AT_ONCE = 64,
    CELLS_MOST = 20
};

/* killed; of these, with a checkpoint to go on from; runs that came to something else */
typedef struct tally {
    long kills, kept, found;
} tally;

static tally count;

static void found(const char *what, const char *name, long round)
{
    count.found++;
    printf("found: %s of %s in round %ld\n%s\n", what, name, round, errors);
}

static void discard(const char *folder)
{
    char line[700];
    snprintf(line, sizeof line, "rm -rf %s", files_path(folder));
    if (system(line) != 0) {
        printf("cannot remove %s\n", folder);
    }
}

/* Paths where a checkpoint may be: that of a solve, or those of the cells of a sweep */
typedef struct places {
    int n;
    char path[CELLS_MOST][200];
} places;

static bool has_file(const places *p, const char *name)
{
    char path[300];
    for (int i = 0; i < p->n; i++) {
        snprintf(path, sizeof path, "%s/%s", p->path[i], name);
        if (access(path, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* The cells of a plan, as they will be in the folder "cut" */
static void find_cells(places *p, const char *folder)
{
    static char text[100000];
    char plan[100];
    snprintf(plan, sizeof plan, "%s/plan.tsv", folder);
    slurp(plan, text, sizeof text);
    p->n = 0;
    for (const char *line = text; line != NULL && p->n < CELLS_MOST; line = strchr(line, '\n')) {
        line += line[0] == '\n';
        if (strcspn(line, "\t") == 64) { /* a name */
            snprintf(p->path[p->n++], sizeof p->path[0], "%.80s/cells/%.2s/.%.64s.checkpoint",
                     files_path("cut"), line, line);
        }
    }
}

static bool has_ended(pid_t pid)
{
    siginfo_t ended = {0};
    waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT);
    return ended.si_pid != 0;
}

/* Which files are written next: it changes with each checkpoint, whose file takes turns with it. */
static uint64_t spare_files(const places *p)
{
    uint64_t sum = 0;
    for (int i = 0; i < p->n; i++) {
        char path[300];
        struct stat info;
        snprintf(path, sizeof path, "%s/0.tmp", p->path[i]);
        sum += stat(path, &info) == 0 ? (uint64_t)info.st_ino : 0;
    }
    return sum;
}

/* Until a checkpoint has been written, or a moment later, which may be amid the next; not for
 * long. */
static void wait_for_writing(pid_t pid, const places *where, double most, sal_rng *rng)
{
    const double end = sal_seconds_now() + most;
    const uint64_t before = spare_files(where);
    while (spare_files(where) == before && sal_seconds_now() < end && !has_ended(pid)) {
    }
    if (sal_rng_next(rng) % 2 == 0) {
        rest(sal_rng_uniform(rng, 0, 1e-3));
    }
}

/* ---- solves and identifications ---- */

static int kill_once(const char *line, int lines, const places *where, sal_rng *rng)
{
    const int number = sal_rng_next(rng) % 5 == 0 ? SIGINT : SIGKILL;
    const pid_t pid = start(line);
    wait_for_record(pid, "cut/iterations.jsonl", lines, NULL);
    if (sal_rng_next(rng) % 3 == 0) {
        wait_for_writing(pid, where, 0.05, rng);
    } else {
        rest(sal_rng_uniform(rng, 0, 0.01));
    }
    kill(pid, number);
    return finish(pid);
}

/* Kills a solve several times, each a little later, and lets it end. */
static void kill_solve(int which, long round, sal_rng *rng)
{
    static char text[400000];
    char whole[60], record[100], line[4000];
    const char *name = solves[which];
    snprintf(whole, sizeof whole, "whole-%s", name);
    if (!exists(whole) && run(solve_line(name, whole, "--threads 1")) != 0) {
        found("the first run", name, round);
        return;
    }
    snprintf(record, sizeof record, "%s/iterations.jsonl", whole);
    slurp(record, text, sizeof text);
    const uint64_t far = (uint64_t)(1 + lines_of(text) / 5);
    /* two threads on busy cores wait for each other: now and then is enough */
    const char *options =
        sal_rng_next(rng) % 8 == 0 ? "--threads 2 --resume" : "--threads 1 --resume";
    snprintf(line, sizeof line, "%s", solve_line(name, "cut", options));
    places where = {.n = 1};
    snprintf(where.path[0], sizeof where.path[0], "%.150s", files_path("cut/checkpoint"));
    int code = -1;
    for (int k = 0, lines = 0; k < 10 && code != 0; k++) {
        lines += (int)(sal_rng_next(rng) % far);
        code = kill_once(line, lines, &where, rng);
        const bool killed = code == 128 + SIGKILL || code == 128 + SIGINT;
        count.kills += killed;
        count.kept += killed && has_file(&where, "0");
    }
    if (run(solve_line(name, "cut", "--threads 1 --resume")) != 0) {
        found("the exit code", name, round);
    } else if (!same_folder(whole, "cut", 1)) {
        found("the result", name, round);
    }
    discard("cut");
}

/* ---- sweeps ---- */

static void write_sweeps(void)
{
    char text[2000];
    sweep_files();
    sweep_write("short.xml", short_cells);
    sweep_write("long.xml", long_cells);
    snprintf(text, sizeof text, fits, example_of("identify_pendulum"));
    sweep_write("fits.xml", text);
}

/* Kills some workers of a run, then the run. True: that had ended by then. */
static bool kill_run(const char *line, const places *where, sal_rng *rng)
{
    const pid_t pid = start(line);
    for (int k = (int)(sal_rng_next(rng) % 3); k >= 0; k--) {
        pid_t child[8];
        if (sal_rng_next(rng) % 2 == 0) {
            wait_for_writing(pid, where, 0.3, rng);
        } else {
            rest(sal_rng_uniform(rng, 0, 0.3));
        }
        const int n = k == 0 ? 0 : children_of(pid, child, 8);
        if (n > 0 && kill(child[sal_rng_next(rng) % (uint64_t)n], SIGKILL) == 0) {
            count.kills++;
            count.kept += has_file(where, "0");
        }
    }
    kill(pid, sal_rng_next(rng) % 5 == 0 ? SIGINT : SIGKILL);
    const int code = finish(pid);
    const bool killed = code == 128 + SIGKILL || code == 128 + SIGINT;
    count.kills += killed;
    count.kept += killed && has_file(where, "0");
    return !killed;
}

static void kill_sweep(int which, long round, sal_rng *rng)
{
    static places where;
    const char *options = "-j 2 --threads 1 --json -q";
    char whole[60], file[60], line[2000];
    snprintf(whole, sizeof whole, "whole-%s", sweeps[which]);
    snprintf(file, sizeof file, "%s.xml", sweeps[which]);
    if (!exists(whole) && run(sweep_line(file, whole, options)) != 0) {
        found("the first run", sweeps[which], round);
        return;
    }
    snprintf(line, sizeof line, "%s", sweep_line(file, "cut", options));
    find_cells(&where, whole);
    for (int k = 0; k < 8 && !kill_run(line, &where, rng); k++) {
    }
    if (run(line) != 0) {
        found("the exit code", sweeps[which], round);
    } else if (!same_cells(whole, "cut") || !same_table(whole, "cut")) {
        found("the cells", sweeps[which], round);
    }
    discard("cut");
}

/* ---- all ---- */

static tally kill_for(double seconds, uint64_t seed)
{
    sal_rng rng = {seed};
    const double end = sal_seconds_now() + seconds;
    write_sweeps();
    for (long round = 0; round == 0 || sal_seconds_now() < end; round++) {
        const int which = (int)(sal_rng_next(&rng) % (NSOLVE + NSWEEP));
        if (which < NSOLVE) {
            kill_solve(which, round, &rng);
        } else {
            kill_sweep(which - NSOLVE, round, &rng);
        }
    }
    files_remove();
    return count;
}

/* Its tally comes through the pipe. */
static void begin_process(int out_of, double seconds, uint64_t seed)
{
    fflush(stdout);
    if (fork() == 0) {
        const tally own = kill_for(seconds, seed);
        fflush(stdout);
        _exit(write(out_of, &own, sizeof own) == sizeof own ? 0 : 1);
    }
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 10;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const int given = argc > 3 ? atoi(argv[3]) : 2;
    const int nprocess = given < 1 ? 1 : given > AT_ONCE ? AT_ONCE : given;
    int pipe_ends[2], heard = 0;
    tally all = {0}, one;
    if (pipe(pipe_ends) != 0) {
        return 1;
    }
    for (int k = 0; k < nprocess; k++) {
        begin_process(pipe_ends[1], seconds, seed * AT_ONCE + (uint64_t)k);
    }
    close(pipe_ends[1]);
    while (read(pipe_ends[0], &one, sizeof one) == sizeof one) {
        heard++;
        all.kills += one.kills;
        all.kept += one.kept;
        all.found += one.found;
    }
    if (heard < nprocess) {
        printf("found: %d of %d processes did not end\n", nprocess - heard, nprocess);
        all.found += nprocess - heard;
    }
    printf("%ld of them left a checkpoint\n", all.kept);
    printf("kills %ld found %ld\n", all.kills, all.found);
    return all.found > 0;
}
