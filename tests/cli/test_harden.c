/* saltus harden: its options, its folder, and where it finds the problem of a result. */
#include "tests/check.h"
#include "tests/cli/command.h"
#include "tests/cli/sweep.h"

/* A solved motion without contacts in the folder `made` */
static void make(void)
{
    sweep_files();
    CHECK(go("solve @reach.xml -q -o @made") == 0);
}

static void a_hardened_result_is_a_result(void)
{
    make();
    CHECK(go("harden @made --refine 2 -o @hard") == 0);
    SAYS(errors, "verdict: physical, and as asked");
    SAYS(errors, "result: ");
    CHECK(exists("hard/result.h5") && exists("hard/run.json") && exists("hard/iterations.jsonl"));
    CHECK(!exists("hard/lock") && !exists("hard/checkpoint"));
    CHECK(go("info @hard --json") == 0);
    SAYS(out, "\"nstep\": 12");
    CHECK(go("replay @hard --json") == 0);
    CHECK(go("report @hard -o @page.html") == 0);
    CHECK(go("export @hard --to csv -o @hard.csv") == 0);
    CHECK(go("diff @made @hard") == 1);
    SAYS(out, "time/nstep");
    /* from its file, and from itself */
    CHECK(go("harden @made/result.h5 --refine 2 -o @same -q") == 0);
    CHECK(errors[0] == 0);
    CHECK(go("diff @hard @same") == 0);
    CHECK(go("harden @hard --timestep 0.03 -o @finer --json --threads 1") == 0);
    SAYS(out, "\"kind\": \"hardened\"");
    SAYS(out, "the search began with a solved motion of cost");
    SAYS(out, "12 steps of 0.05 s");
    SAYS(out, "\"status\": \"converged\"");
    CHECK(go("info @finer --json") == 0);
    SAYS(out, "\"nstep\": 20");
}

static void the_step_that_is_taken_is_said(void)
{
    make();
    CHECK(go("harden @made --timestep .035 -o @odd") == 0);
    SAYS(errors, "warning: the duration of 0.6 s is no multiple of 0.035 s; the motion gets 17 "
                 "steps of 0.0352941176 s");
    CHECK(go("harden @made --timestep .03 -o @even") == 0);
    CHECK(strstr(errors, "warning") == NULL);
    CHECK(go("harden @made --timestep model -o @model") == 0); /* MuJoCo's 2 ms */
    CHECK(go("info @model --json") == 0);
    SAYS(out, "\"nstep\": 300");
}

static void refused(const char *line, int code, const char *words)
{
    CHECK(go(line) == code);
    SAYS(errors, words);
    CHECK(out[0] == 0 && !exists("no"));
}

static void wrong_options_are_refused(void)
{
    make();
    refused("harden @made -o @no", 2, "'harden' needs what to change: --refine");
    refused("harden -o @no --refine 2", 2, "'harden' needs RESULT");
    refused("harden @made -o @no --refine 1", 2, "--refine must be a whole number from 2 to");
    refused("harden @made -o @no --refine 2.5", 2, "--refine must be a whole number from 2 to");
    refused("harden @made -o @no --refine 2 --timestep .01", 2, "give one of them");
    refused("harden @made -o @no --timestep 0", 2, "--timestep must be 'model', or a time");
    refused("harden @made -o @no --width -1", 2, "--width must be a width greater than 0");
    refused("harden @made -o @no --width 1x", 2, "--width must be a width greater than 0");
    refused("harden @made -o @no --dmax 1", 2, "--dmax must be an impedance greater than 0");
    refused("harden @made -o @no --impratio 0", 2, "--impratio must be a ratio greater than 0");
    refused("harden @made -o @no --timeconst nan", 2, "--timeconst must be a time greater");
    refused("harden @made -o @no --contact table", 2, "--contact must be model; it is 'table'");
    refused("harden @made -o @no --set time/nstep=3", 2, "unknown option '--set'");
    refused("harden @made -o - --refine 2", 2, "-o must name a folder here");
}

static void what_is_no_motion_is_refused(void)
{
    make();
    sweep_write("small.xml", sweep_small);
    CHECK(go("sweep @small.xml -q -j 1 -o @cells") == 0);
    CHECK(go("simulate @pend.xml --time .1 -o @fall.h5") == 0);
    refused("harden @none -o @no --refine 2", 5, "cannot read");
    refused("harden @reach.xml -o @no --refine 2", 3, "reach.xml");
    refused("harden @cells -o @no --refine 2", 5, "it is a directory");
    refused("harden @fall.h5 -o @no --refine 2 --problem @reach.xml", 3, "it is a simulation");
    refused("harden @made -o @no --width .01 --contact model", 3, "those of the smoothing table");
    refused("harden @made -o @no --width .005", 3, "these steps and these contacts already");
}

/* run.json says where the problem is; without it --problem does. */
static void the_problem_is_found_again(void)
{
    make();
    CHECK(rename(files_path("made/result.h5"), files_path("alone.h5")) == 0);
    CHECK(mkdir(files_path("away"), 0777) == 0);
    static char moved[300];
    snprintf(moved, sizeof moved, "%s", files_path("away/alone.h5"));
    CHECK(rename(files_path("alone.h5"), moved) == 0);
    refused("harden @away/alone.h5 -o @no --refine 2", 3,
            "says where the files of its problem are; name the problem file with --problem FILE");
    CHECK(go("harden @away/alone.h5 -o @found --refine 2 --problem @reach.xml") == 0);
    /* the model is not what it was */
    sweep_write("pend.xml", "<mujoco><worldbody><body><joint name='hinge'/><geom size='.1'/>"
                            "</body></worldbody><actuator><motor joint='hinge' name='m'/>"
                            "</actuator></mujoco>");
    refused("harden @away/alone.h5 -o @no --refine 2 --problem @reach.xml", 3,
            "is not the one that the motion was found with");
    CHECK(remove(files_path("pend.xml")) == 0);
    refused("harden @away/alone.h5 -o @no --refine 2 --problem @reach.xml", 3, "pend.xml");
}

/* A result is not replaced by what comes from it, nor by what fails. */
static void the_source_is_kept(void)
{
    static char before[400000], after[400000];
    make();
    slurp("made/result.h5", before, sizeof before);
    CHECK(go("harden @made --refine 2 -o @made") == 2);
    SAYS(errors, "is also read by this command, and would be lost");
    slurp("made/result.h5", after, sizeof after);
    CHECK(memcmp(before, after, sizeof before) == 0);
}

/* Interrupted, it has the motion that it began with, at least. */
static void an_interruption_leaves_a_result(void)
{
    char line[4000];
    sweep_files();
    CHECK(go("solve @reach.xml -q -o @made") == 0);
    snprintf(line, sizeof line, "harden %s", files_path("made"));
    snprintf(line + strlen(line), sizeof line - strlen(line), " --refine 1000 -o %s",
             files_path("cut"));
    const pid_t pid = start(line);
    for (int i = 0; i < 1000 && !exists("cut/iterations.jsonl"); i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    kill(pid, SIGINT);
    const int code = finish(pid);
    CHECK(code == 130 || code == 0); /* where it was quicker */
    CHECK(exists("cut/result.h5"));
    CHECK(go("info @cut --json") == 0);
    if (code == 130) {
        SAYS(out, "interrupted");
    }
    static char account[40000];
    slurp("cut/run.json", account, sizeof account); /* it can be hardened again */
    SAYS(account, "\"problem_file\": ");
    SAYS(account, "\"model_file\": ");
}

int main(void)
{
    RUN(a_hardened_result_is_a_result);
    RUN(the_step_that_is_taken_is_said);
    RUN(wrong_options_are_refused);
    RUN(what_is_no_motion_is_refused);
    RUN(the_problem_is_found_again);
    RUN(the_source_is_kept);
    RUN(an_interruption_leaves_a_result);
    return check_done();
}
