/* A sweep on one machine, as its user meets it. */
#include "tests/cli/sweep.h"

#include <sys/resource.h>

static void all_cells_are_solved(void)
{
    sweep_write("small.xml", sweep_small);
    CHECK(run(sweep_line("small.xml", "small", "-j 2 --json")) == 0);
    CHECK(is_json(out) && json_number("cells") == 6 && json_number("physical") == 6);
    CHECK(json_number("reused") == 0 && json_number("exit_code") == 0);
    SAYS(errors, "6 cells: 6 physical, 0 unsolved, 0 failed");
    SAYS(errors, "saltus table ");
    const standing s = stand("small");
    CHECK(s.nrecord == 6 && s.n == 12 && s.nother == 0);
    free(s.file);
    SAYS(table_of("small"), "damping,mass,status,cost");
    SAYS(out, "\n.2,3,converged,");
}

/* The bits do not depend on how many work. */
static void one_worker_does_the_same(void)
{
    CHECK(run(sweep_line("small.xml", "one", "-j 1 --threads 2 -q")) == 0);
    CHECK(errors[0] == 0 && out[0] == 0);
    CHECK(same_cells("small", "one") && same_table("small", "one"));
}

static void started_again_it_finds_all(void)
{
    const standing before = stand("small");
    CHECK(run(sweep_line("small.xml", "small", "-j 2 --json")) == 0);
    const standing after = stand("small");
    CHECK(json_number("reused") == 6 && after.n == before.n && is_untouched(&before, &after));
    SAYS(errors, "6 cells, 6 of them already done");
    free(before.file);
    free(after.file);
}

/* Cells that the changed file still has are kept. */
static void a_changed_file_reuses_what_applies(void)
{
    const standing before = stand("small");
    sweep_write("changed.xml", files_replace(sweep_small, "1 2 3", "4 3 2"));
    CHECK(run(sweep_line("changed.xml", "small", "-j 2 --json")) == 0);
    const standing after = stand("small");
    CHECK(json_number("cells") == 6 && json_number("reused") == 4);
    CHECK(after.nrecord == 8 && is_untouched(&before, &after));
    free(before.file);
    free(after.file);
    CHECK(run(sweep_line("changed.xml", "fresh", "-j 2 -q")) == 0);
    CHECK(same_table("small", "fresh"));
}

/* A damaged or missing file is a cell that is not done; the others are left alone. */
static void what_is_damaged_is_done_again(void)
{
    char path[100];
    CHECK(run(sweep_line("small.xml", "hurt", "-j 2 -q")) == 0);
    const standing s = stand("hurt");
    const char *const motion = s.file[0].name, *const record = s.file[3].name;
    CHECK(is_motion(&s.file[0]) && !is_motion(&s.file[3]));
    snprintf(path, sizeof path, "hurt/cells/%.2s/%.80s", motion, motion);
    files_write(path, "x", 1);
    snprintf(path, sizeof path, "hurt/cells/%.2s/%.80s", record, record);
    files_write(path, "<cell", 5);
    CHECK(run(sweep_line("small.xml", "hurt", "-j 2 --json")) == 0);
    CHECK(json_number("reused") == 4);
    CHECK(same_cells("one", "hurt") && same_table("one", "hurt"));
    free(s.file);
}

/* Each cell is solved by one of two runs; both end when all are done. */
static void two_runs_share_a_folder(void)
{
    static char first[2000];
    sweep_write("many.xml",
                files_replace(sweep_small, "values=\"1 2 3\"", "range=\"1 3\" count=\"30\""));
    const pid_t one = start(sweep_line("many.xml", "shared", "-j 2 --json"));
    rename(files_path("out"), files_path("out1"));
    rename(files_path("err"), files_path("err1"));
    const pid_t other = start(sweep_line("many.xml", "shared", "-j 2 --json"));
    CHECK(finish(other) == 0);
    const double found = json_number("reused");
    CHECK(json_number("cells") == 60 && json_number("physical") == 60);
    CHECK(finish(one) == 0);
    slurp("out1", first, sizeof first);
    snprintf(out, sizeof out, "%s", first);
    printf("     found: %g and %g of 60\n", json_number("reused"), found);
    CHECK(json_number("reused") + found == 60);
    CHECK(run(sweep_line("many.xml", "alone", "-j 2 -q")) == 0);
    CHECK(same_cells("shared", "alone") && same_table("shared", "alone"));
}

/* ---- what is no solution, or no problem ---- */

static void cells_without_a_solution_have_an_exit_code(void)
{
    CHECK(run(sweep_line("small.xml", "unsolved", "-j 2 --json --set solver/maxiter=3")) == 6);
    CHECK(is_json(out) && json_number("physical") == 0 && json_number("unsolved") == 6);
    SAYS(out, "\"status\": \"some cells failed\"");
    SAYS(table_of("unsolved"), "iteration limit");
    CHECK(run(sweep_line("small.xml", "unsolved", "-j 2 --json --set solver/maxiter=3")) == 6);
    CHECK(json_number("reused") == 6); /* that is a result, too */
}

/* It is a solution, and so it counts; a column tells the two apart. At half of the time it is
 * nowhere near -1 rad. */
static void a_physical_cell_may_not_be_as_asked(void)
{
    sweep_write("reach.xml",
                files_replace(sweep_problem, "</cost>",
                              "<term name=\"early\" joint=\"hinge\" target=\"-1\" at=\".3\" "
                              "weight=\"1e-9\"/></cost>"));
    sweep_write("asked.xml",
                "<sweep name=\"asked\" problem=\"reach.xml\">\n"
                "  <axis name=\"tol\" path=\"term[early]/tol\" values=\".1 9\"/>\n</sweep>\n");
    CHECK(run(sweep_line("asked.xml", "asked", "-j 1 --json")) == 0);
    CHECK(json_number("physical") == 2 && json_number("exit_code") == 0);
    SAYS(table_of("asked"), "tol,status,as_asked,cost");
    SAYS(out, "\n.1,converged,0,");
    SAYS(out, "\n9,converged,1,");
    char line[600];
    snprintf(line, sizeof line,
             "table %s --columns tol,as_asked,kind,exit_code,reason --format csv",
             files_path("asked"));
    CHECK(run(line) == 0);
    CHECK_TEXT(out, "tol,as_asked,kind,exit_code,reason\n"
                    ".1,0,physical,1,target missed: early\n9,1,physical,0,\n");
    sweep_files();
}

/* The same for what was to be finished: what is not as asked there is not taken. */
static void a_cell_may_not_be_finished(void)
{
    sweep_write("reach.xml",
                files_replace(sweep_problem, "</cost>",
                              "<term name=\"early\" joint=\"hinge\" target=\"-1\" at=\".3\" "
                              "weight=\"1e-9\"/></cost>"));
    sweep_write("finished.xml",
                "<sweep name=\"finished\" problem=\"reach.xml\">\n"
                "  <set path=\"solver/finish\" value=\"try\"/>\n"
                "  <axis name=\"tol\" path=\"term[early]/tol\" values=\".1 9\"/>\n</sweep>\n");
    CHECK(run(sweep_line("finished.xml", "finished", "-j 1 --json")) == 0);
    SAYS(table_of("finished"), "tol,status,as_asked,finished,cost");
    SAYS(out, "\n.1,converged,0,0,");
    SAYS(out, "\n9,converged,1,1,");
    sweep_files();
}

static void a_cell_may_be_no_problem(void)
{
    sweep_write("invalid.xml", files_replace(sweep_small, "1 2 3", "1 -2 3"));
    CHECK(run(sweep_line("invalid.xml", "invalid", "-j 1 --json")) == 6);
    CHECK(json_number("physical") == 4 && json_number("failed") == 2);
    SAYS(errors, "cell 1 (damping=.1 mass=-2): invalid: ");
    SAYS(table_of("invalid"), "\n.1,-2,failed,");
}

static void bad_files_are_refused_with_all_their_errors(void)
{
    static const struct {
        const char *from, *to, *says;
        int code;
    } bad[] = {
        {"<axis name=\"mass\"", "<axes name=\"mass\"", "did you mean <axis>?", 3},
        {"joint[hinge]/damping", "joint[hnge]/damping", "did you mean 'hinge'?", 3},
        {"reach.xml", "nowhere.xml", "nowhere.xml", 3},
        {"values=\"1 2 3\"", "range=\"1 2 3\"", "bad.xml:3:", 3},
        {"</sweep>", "<limit time=\"-1\"/></sweep>", "bad.xml:4:", 3},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sweep_write("bad.xml", files_replace(sweep_small, bad[i].from, bad[i].to));
        CHECK(run(sweep_line("bad.xml", "bad", "")) == bad[i].code);
        SAYS(errors, bad[i].says);
        CHECK(!exists("bad"));
    }
    CHECK(run(sweep_line("none.xml", "bad", "")) == 5);
    CHECK(run(sweep_line("small.xml", "small.xml", "")) == 5); /* a file, not a folder */
    CHECK(run(sweep_line("small.xml", "small.xml/x", "--json")) == 5);
    CHECK(is_json(out) && json_number("exit_code") == 5);
}

static void bad_options_are_refused(void)
{
    static const char *const options[] = {"-j 0",      "-j x",       "--shard 3/2", "--shard 0/2",
                                          "--shard 1", "--shard /2", "--memory 0",  "--memory x"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        CHECK(run(sweep_line("small.xml", "bad", options[i])) == 2);
        SAYS(errors, " must be ");
    }
    CHECK(!exists("bad"));
}

/* ---- what the machine does to cells ---- */

/* A worker dies of a signal; its cell is tried again. */
static void a_crash_takes_one_cell_with_it(void)
{
    sweep_write("long.xml", sweep_long);
    const pid_t pid = start(sweep_line("long.xml", "crash", "-j 2 --json"));
    kill(a_worker_of(pid), SIGSEGV);
    CHECK(finish(pid) == 0);
    CHECK(json_number("physical") == 3);
    SAYS(errors, "crashed: Segmentation fault (signal 11); trying again");
    CHECK(run(sweep_line("long.xml", "whole", "-j 2 -q")) == 0);
    CHECK(same_cells("crash", "whole") && same_table("crash", "whole"));
}

/* Tried often enough, it is recorded as failed, with the reason; the next run tries anew. */
static void what_crashes_is_marked(void)
{
    sweep_write("once.xml", files_replace(sweep_long, "</sweep>", "<limit tries=\"1\"/></sweep>"));
    const pid_t pid = start(sweep_line("once.xml", "once", "-j 1 --json"));
    kill(a_worker_of(pid), SIGABRT);
    CHECK(finish(pid) == 6);
    CHECK(json_number("physical") == 2 && json_number("failed") == 1);
    SAYS(errors, "crashed: Aborted (signal 6)");
    CHECK(records_in("once") == 3);
    SAYS(table_of("once"), "failed");
    CHECK(run(sweep_line("once.xml", "once", "-j 1 --json")) == 0);
    CHECK(json_number("physical") == 3 && json_number("reused") == 2);
    CHECK(same_cells("once", "whole"));
}

/* A worker that hangs, here because it is stopped, is ended when its cell's time is over. */
static void time_is_limited(void)
{
    sweep_write("time.xml", files_replace(sweep_small, "</sweep>", "<limit time=\"2\"/></sweep>"));
    CHECK(run(sweep_line("time.xml", "time", "-j 2 -q")) == 0);
    sweep_write("late.xml", files_replace(files_replace(sweep_long, "4000", "30000"), "</sweep>",
                                          "<limit time=\".3\" tries=\"1\"/></sweep>"));
    CHECK(run(sweep_line("late.xml", "late", "-j 2 --json")) == 6);
    CHECK(json_number("failed") == 3);
    SAYS(errors, "time limit: it exceeded the time limit of 0.3 s");
    SAYS(table_of("late"), "failed");
    CHECK(run(sweep_line("late.xml", "silent", "-j 2 -q")) == 6);
    SAYS(errors, "saltus: error: 3 of 3 cells failed; for the reasons: saltus sweep --status ");
}

static void a_worker_that_hangs_is_ended(void)
{
#ifdef SANITIZED /* cells take 10 times as long, and more on a machine that is busy */
    const char *limit = "<limit time=\"40\"/></sweep>",
               *words = "the time limit of 40 s; trying again";
#else
    const char *limit = "<limit time=\"6\"/></sweep>",
               *words = "the time limit of 6 s; trying again";
#endif
    sweep_write("hang.xml", files_replace(sweep_long, "</sweep>", limit));
    const pid_t pid = start(sweep_line("hang.xml", "hang", "-j 1 --json"));
    kill(a_worker_of(pid), SIGSTOP);
    CHECK(finish(pid) == 0);
    CHECK(json_number("physical") == 3);
    SAYS(errors, "time limit: it exceeded ");
    SAYS(errors, words);
    CHECK(same_cells("hang", "whole"));
}

static void memory_is_limited(void)
{
#ifdef SANITIZED
    SKIP("the address sanitizer ends a process that is out of memory");
#else
    sweep_write("memory.xml", files_replace(files_replace(sweep_long, "4000", "100000"), "</sweep>",
                                            "<limit tries=\"1\"/></sweep>"));
    CHECK(run(sweep_line("memory.xml", "memory", "-j 1 --memory .05 --json")) == 6);
    CHECK(json_number("failed") == 3);
    SAYS(errors, "memory limit: "); /* whatever it is that memory is lacking for first */
    SAYS(errors, "100000 variables");
    CHECK(run(sweep_line("small.xml", "memory2", "-j 2 --memory 1 -q")) == 0);
#endif
}

static void stopped_it_says_how_to_go_on(void)
{
    const int numbers[] = {SIGINT, SIGTERM};
    for (int k = 0; k < 2; k++) {
        const char *folder = k == 0 ? "int" : "term";
        const pid_t pid = start(sweep_line("long.xml", folder, "-j 2 --json"));
        a_worker_of(pid);
        kill(pid, numbers[k]);
        CHECK(finish(pid) == 130);
        SAYS(errors, " of 3 cells are finished; run the same command again to continue");
        CHECK(is_json(out) && json_number("exit_code") == 130);
        const standing before = stand(folder);
        CHECK(run(sweep_line("long.xml", folder, "-j 2 -q")) == 0);
        const standing after = stand(folder);
        CHECK(is_untouched(&before, &after) && same_cells(folder, "whole"));
        free(before.file);
        free(after.file);
    }
}

/* Files may not grow beyond a limit, as on a full disk: it stops with the reason, and goes on once
 * that has changed. */
static void what_cannot_be_written_ends_it(void)
{
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 20000; /* enough for the plan, not for a motion */
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const int code = run(sweep_line("small.xml", "full", "-j 2 --json"));
    setrlimit(RLIMIT_FSIZE, &old);
    CHECK(code == 5);
    SAYS(errors, "free space and start the sweep again; finished cells are kept");
    const standing s = stand("full");
    CHECK(s.nrecord == 0 && s.nother == 0);
    free(s.file);
    CHECK(run(sweep_line("small.xml", "full", "-j 2 -q")) == 0);
    CHECK(same_cells("full", "one"));
}

int main(void)
{
    tell_sanitizer("handle_segv=0:handle_abort=0"); /* dead is dead */
    sweep_files();
    RUN(all_cells_are_solved);
    RUN(one_worker_does_the_same);
    RUN(started_again_it_finds_all);
    RUN(a_changed_file_reuses_what_applies);
    RUN(what_is_damaged_is_done_again);
    RUN(two_runs_share_a_folder);
    RUN(cells_without_a_solution_have_an_exit_code);
    RUN(a_physical_cell_may_not_be_as_asked);
    RUN(a_cell_may_not_be_finished);
    RUN(a_cell_may_be_no_problem);
    RUN(bad_files_are_refused_with_all_their_errors);
    RUN(bad_options_are_refused);
    RUN(a_crash_takes_one_cell_with_it);
    RUN(what_crashes_is_marked);
    RUN(time_is_limited);
    RUN(a_worker_that_hangs_is_ended);
    RUN(memory_is_limited);
    RUN(stopped_it_says_how_to_go_on);
    RUN(what_cannot_be_written_ends_it);
    files_remove();
    return check_done();
}
