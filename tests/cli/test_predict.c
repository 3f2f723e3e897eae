/* saltus predict: what it predicts, and what it refuses. */
#include "tests/check.h"
#include "tests/cli/command.h"
#include "tests/cli/sweep.h"

#include <stdarg.h>

static bool did(int code, const char *format, ...) SAL_PRINTF(2, 3);

/* Runs a line, in which %s is the folder of the project. */
static bool did(int code, const char *format, ...)
{
    char line[3000];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    const int got = go(line);
    if (got != code) {
        printf("%s: exit code %d, not %d\n%s\n", line, got, code, errors);
    }
    return got == code;
}

static void a_problem_and_a_result_are_predicted(void)
{
    sweep_files();
    CHECK(did(0, "solve %s/examples/identify_pendulum.xml -q -o @fit", files_root()));
    CHECK(did(0,
              "predict %s/examples/identify_pendulum.xml -o @given --set parameter[mass]/value=2",
              files_root()));
    SAYS(errors, "40 recordings held out, predicted");
    SAYS(errors, "held");
    CHECK(go("predict @fit -o @found --json --threads 1") == 0);
    SAYS(out, "\"exit_code\": 0");
    CHECK(exists("found/result.h5") && exists("found/run.json") && !exists("found/lock"));
    CHECK(go("info @found") == 0);
    CHECK(go("report @found -o @page.html") == 0);
    CHECK(did(0, "predict @fit/result.h5 --problem %s/examples/identify_pendulum.xml -q -o @again",
              files_root()));
    CHECK(go("diff @found @again") == 0);
}

static void what_cannot_be_predicted(void)
{
    CHECK(go("predict @reach.xml -o @no") == 3);
    SAYS(errors, "has no <estimate>, so it names no recordings to predict");
    CHECK(go("solve @reach.xml -q -o @motion") == 0);
    CHECK(go("predict @motion -o @no") == 3);
    SAYS(errors, "is the result of a motion, not of an identification");
    CHECK(did(3, "predict @fit --problem %s/examples/identify_arm.xml -o @no", files_root()));
    SAYS(errors, "the result has no parameter 'payload'");
    CHECK(!exists("no"));
}

int main(void)
{
    RUN(a_problem_and_a_result_are_predicted);
    RUN(what_cannot_be_predicted);
    files_remove();
    return check_done();
}
