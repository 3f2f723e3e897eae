/* A solve that is interrupted goes on; and what --resume says where it cannot. */
#include "tests/cli/resume.h"

#include "base/house.h"

static const char *const model_setting = "--set joint[hinge]/damping=.123";

/* A solve of so many steps that it lasts longer than it takes to notice a line of its record and to
 * send a signal. */
static const char *swing(const char *folder, const char *options)
{
    static char more[300];
    snprintf(more, sizeof more, "--set time/nstep=500 %.250s", options);
    return solve_line("pendulum_swingup", folder, more);
}

static void an_interrupted_solve_goes_on(void)
{
    const int numbers[] = {SIGINT, SIGKILL};
    char line[4000];
    CHECK(run(swing("whole", "--threads 1")) == 0);
    for (int k = 0; k < 2; k++) {
        const char *folder = k == 0 ? "int" : "kill";
        char record[40], checkpoint[40];
        snprintf(record, sizeof record, "%s/iterations.jsonl", folder);
        snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint/0", folder);
        snprintf(line, sizeof line, "%s", swing(folder, "--threads 1"));
        const int code = cut_short(line, record, 12, 0, numbers[k]);
        CHECK(code == (k == 0 ? 130 : 128 + SIGKILL));
        CHECK(exists(checkpoint));
        CHECK(run(swing(folder, "--threads 2 --resume")) == 0);
        CHECK(same_folder("whole", folder, 1));
        CHECK(!exists(checkpoint));
    }
}

/* Finished: there is nothing to do, and the exit code is that of the result. Without a trace of an
 * earlier run it begins anew. */
static void what_is_left_decides(void)
{
    CHECK(run(swing("whole", "--resume")) == 0);
    SAYS(errors, "nothing to resume: the solve in '");
    SAYS(errors, "whole' is finished");
    CHECK(run(swing("whole", "--resume --set init/seed=7")) == 3);
    SAYS(errors, "is the result of another problem, of other settings or of other data");
    CHECK(run(swing("fresh", "--resume --threads 1")) == 0);
    SAYS(errors, "warning: there is no checkpoint in '");
    CHECK(same_folder("whole", "fresh", 1));
}

/* The first n bytes of a file, one of them changed, as another one. */
static void corrupt(const char *from, const char *to, size_t keep, size_t flip)
{
    char *bytes = NULL;
    size_t n = 0;
    sal_err err = {0};
    CHECK_OK(sal_text_read_file(files_path(from), (size_t)1 << 30, &bytes, &n, &err), err);
    if (bytes != NULL) {
        keep = keep < n ? keep : n;
        bytes[flip < n ? flip : 0] ^= flip < n ? 1 : 0;
        CHECK_OK(sal_file_write(files_path(to), bytes, keep, &err), err);
    }
    sal_free(bytes);
}

/* The checkpoint of an identification knows the recordings as they were read. */
static void an_identification_goes_on(void)
{
    char line[4000];
    snprintf(line, sizeof line, "%s", solve_line("identify_pendulum", "fit", "--threads 1"));
    CHECK(run(line) == 0);
    snprintf(line, sizeof line, "%s", solve_line("identify_pendulum", "fit-cut", "--threads 1"));
    CHECK(cut_short(line, "fit-cut/iterations.jsonl", 6, 0, SIGKILL) == 128 + SIGKILL);
    CHECK(exists("fit-cut/checkpoint/0"));
    CHECK(run(solve_line("identify_pendulum", "fit-cut", "--resume --set estimate/sigma=.06")) ==
          3);
    SAYS(errors, "belongs to another problem or other settings");
    CHECK(run(solve_line("identify_pendulum", "fit-cut", "--threads 2 --resume")) == 0);
    CHECK(strstr(errors, "warning") == NULL);
    CHECK(same_folder("fit", "fit-cut", 1));
    CHECK(!exists("fit-cut/checkpoint"));
}

static void other_and_damaged_checkpoints_are_refused(void)
{
    const size_t whole = (size_t)1 << 30;
    char line[4000];
    snprintf(line, sizeof line, "%s", swing("cut", "--threads 1"));
    CHECK(cut_short(line, "cut/iterations.jsonl", 5, 0, SIGKILL) == 128 + SIGKILL);
    CHECK(run(swing("cut", "--resume --set init/seed=7")) == 3);
    SAYS(errors, "belongs to another problem or other settings; solve without --resume");
    CHECK(run(swing("cut", "--resume --set solver/maxiter=7")) == 3);
    snprintf(line, sizeof line, "--resume %s", model_setting);
    CHECK(run(swing("cut", line)) == 3);
    CHECK(run(swing("cut", "--resume --compat 2.2.2")) == 3);
    corrupt("cut/checkpoint/0", "kept", whole, whole);
    const size_t truncated[] = {0, 10, 400, 1500};
    for (int k = 0; k < 4; k++) {
        corrupt("kept", "cut/checkpoint/0", truncated[k], whole);
        CHECK(run(swing("cut", "--resume")) == 3);
        SAYS(errors, "is damaged; solve without --resume to start from the beginning");
        corrupt("kept", "cut/checkpoint/0", whole, 700 * (size_t)k);
        CHECK(run(swing("cut", "--resume")) == 3);
    }
    corrupt("kept", "cut/checkpoint/0", whole, whole);
    CHECK(run(swing("cut", "--resume")) == 0);
    CHECK(same_folder("whole", "cut", 1));
}

/* Where the folder of checkpoints cannot be, a warning is all. */
static void no_room_for_checkpoints_is_a_warning(void)
{
    sal_err err = {0};
    CHECK(mkdir(files_path("full"), 0777) == 0);
    CHECK_OK(sal_file_write(files_path("full/checkpoint"), "", 0, &err), err);
    CHECK(run(swing("full", "--threads 1")) == 0);
    SAYS(errors, "warning: cannot write the checkpoint '");
    SAYS(errors, "; the solve continues");
    CHECK(same_folder("whole", "full", 1));
}

/* However a solve ends, its result is complete, says why, and no checkpoint stays behind. */
static void ends_are_sealed(void)
{
    static const struct {
        const char *setting, *status;
        int code;
    } ends[] = {
        {"--set time/duration=.6", "infeasible", 4},
        {"--set solver/maxiter=12", "iteration limit", 1},
        {"--set solver/maxtime=1e-6", "time limit", 1},
    };
    for (int k = 0; k < 3; k++) {
        char line[4000], status[60];
        snprintf(line, sizeof line, "%s --json --threads 1", ends[k].setting);
        CHECK(run(solve_line("pendulum_swingup", "ended", line)) == ends[k].code);
        snprintf(status, sizeof status, "\"status\": \"%s\"", ends[k].status);
        SAYS(out, status);
        CHECK(is_json(out) && !exists("ended/checkpoint"));
        snprintf(line, sizeof line, "export %s --to csv", files_path("ended"));
        CHECK(run(line) == 0);
        SAYS(errors, "WARNING: this motion is not a solution");
        CHECK(run(solve_line("pendulum_swingup", "ended", ends[k].setting)) == ends[k].code);
    }
}

/* Begun anew, what an earlier run left is dropped. */
static void without_resume_it_begins_anew(void)
{
    char line[4000];
    snprintf(line, sizeof line, "%s", swing("anew", "--threads 1"));
    CHECK(cut_short(line, "anew/iterations.jsonl", 5, 0, SIGKILL) == 128 + SIGKILL);
    CHECK(exists("anew/checkpoint/0"));
    CHECK(run(line) == 0);
    CHECK(!exists("anew/checkpoint"));
    CHECK(same_folder("whole", "anew", 1));
}

int main(void)
{
    RUN(an_interrupted_solve_goes_on);
    RUN(what_is_left_decides);
    RUN(an_identification_goes_on);
    RUN(other_and_damaged_checkpoints_are_refused);
    RUN(no_room_for_checkpoints_is_a_warning);
    RUN(ends_are_sealed);
    RUN(without_resume_it_begins_anew);
    files_remove();
    return check_done();
}
