/* The folder of a solve: one solve at a time, and none is troubled by what others left. */
#include "tests/check.h"
#include "tests/cli/command.h"
#include "tests/cli/resume.h"
#include "tests/cli/sweep.h"

#include "base/house.h"

/* "solve reach.xml -o FOLDER -q OPTIONS" */
static const char *reach_line(const char *folder, const char *options)
{
    static char line[4000];
    char problem[1024];
    snprintf(problem, sizeof problem, "%s", files_path("reach.xml"));
    snprintf(line, sizeof line, "solve %.900s -o %.900s -q --threads 1 %.900s", problem,
             files_path(folder), options);
    return line;
}

/* ---- one at a time ---- */

static void a_folder_is_solved_into_by_one_at_a_time(void)
{
    char problem[1024], line[4000], who[60];
    sweep_files();
    snprintf(problem, sizeof problem, "%s", files_path("reach.xml"));
    snprintf(line, sizeof line, "solve %s -o %s -q --set time/nstep=4000", problem,
             files_path("busy"));
    const pid_t first = start(line);
    /* whose second line comes after the first checkpoint */
    CHECK(wait_for_record(first, "busy/iterations.jsonl", 2, NULL));
    CHECK(kill(first, SIGSTOP) == 0); /* it would end before the others on a fast machine */
    static char before[400000], after[400000];
    slurp("busy/iterations.jsonl", before, sizeof before);
    for (int k = 0; k < 2; k++) {
        CHECK(run(reach_line("busy", k == 0 ? "" : "--resume")) == 5);
        snprintf(who, sizeof who, "error: process %ld solves into '", (long)first);
        SAYS(errors, who);
        SAYS(errors, "wait until it has ended, or give another folder with -o");
    }
    slurp("busy/iterations.jsonl", after, sizeof after);
    CHECK(strncmp(before, after, strlen(before)) == 0);
    CHECK(exists("busy/checkpoint/0"));
    kill(first, SIGKILL);
    CHECK(finish(first) == 128 + SIGKILL);
    CHECK(exists("busy/lock"));
    CHECK(run(reach_line("busy", "")) == 0); /* the lock has ended with it */
    CHECK(!exists("busy/lock") && !exists("busy/checkpoint"));
}

/* ---- what was left ---- */

static void a_start_clears_what_was_left(void)
{
    static const char *const left[] = {"cut/.result.h5.1-0.tmp", "cut/.run.json.77-3.tmp",
                                       "cut/.iterations.jsonl.5-0.tmp"};
    sweep_files();
    CHECK(run(reach_line("cut", "")) == 0);
    for (int i = 0; i < 3; i++) {
        files_write(left[i], "x", 1);
    }
    files_write("cut/mine.tmp", "x", 1);
    files_write("cut/.mine.1-0.tmp", "x", 1);
    CHECK(mkdir(files_path("cut/checkpoint"), 0777) == 0);
    files_write("cut/checkpoint/0.tmp", "x", 1);
    CHECK(run(reach_line("cut", "")) == 0);
    for (int i = 0; i < 3; i++) {
        CHECK(!exists(left[i]));
    }
    CHECK(!exists("cut/checkpoint") && exists("cut/mine.tmp") && exists("cut/.mine.1-0.tmp"));
}

/* ---- the record ---- */

/* The lines of a record without their seconds */
static void read_record(const char *name, char *text, size_t room)
{
    slurp(name, text, room);
    char *to = text;
    for (const char *from = text; *from != 0;) {
        const char *seconds = strstr(from, ",\"seconds\":");
        const size_t n = seconds == NULL ? strlen(from) : (size_t)(seconds - from);
        memmove(to, from, n);
        to += n;
        from += n;
        from += seconds == NULL ? 0 : strcspn(from, "\n");
    }
    *to = 0;
}

/* Four starts beside each other write by turns. */
static void the_record_does_not_depend_on_threads(void)
{
    static char one[400000], four[400000];
    sweep_files();
    const char *starts = "--set init/nstart=4 --set init/noise=.2 --set time/nstep=40";
    char options[200];
    snprintf(options, sizeof options, "%s --threads 4", starts);
    CHECK(run(reach_line("one", starts)) == 0);
    CHECK(run(reach_line("four", options)) == 0);
    read_record("one/iterations.jsonl", one, sizeof one);
    read_record("four/iterations.jsonl", four, sizeof four);
    CHECK(strstr(one, "\"start\":3") != NULL && strstr(one, "seconds") == NULL);
    CHECK(strcmp(one, four) == 0);
}

int main(void)
{
    RUN(the_record_does_not_depend_on_threads);
    RUN(a_folder_is_solved_into_by_one_at_a_time);
    RUN(a_start_clears_what_was_left);
    return check_done();
}
