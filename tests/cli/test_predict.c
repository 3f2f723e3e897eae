/* saltus predict: what it predicts, and what it refuses. */
#include "tests/check.h"
#include "tests/cli/command.h"
#include "tests/cli/sweep.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

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

static int rows_with(const char *text, const char *begin)
{
    int n = 0;
    for (const char *at = text; at != NULL && *at != 0; at = strchr(at, '\n')) {
        at += *at == '\n';
        n += strncmp(at, begin, strlen(begin)) == 0;
    }
    return n;
}

/* Every sample of every recording, with what was measured as the file has it. */
static void all_recordings_are_exported(void)
{
    char *text = NULL;
    size_t n = 0;
    double row[10];
    sal_err err = {0};
    CHECK(did(0, "solve %s/examples/identify_pendulum.xml -q -o @fit --set estimate/holdout=.5",
              files_root()));
    CHECK(go("export @fit --to csv -o @all.csv") == 0);
    CHECK_OK(sal_text_read_file(files_path("all.csv"), 1 << 24, &text, &n, &err), err);
    if (text == NULL) {
        return;
    }
    static const char header[] =
        "recording,held,time,qpos0,measured:angle,fitted:angle,predicted:angle,nominal:angle,"
        "measured:torque,fitted:torque,predicted:torque,nominal:torque\n";
    CHECK(strncmp(text, header, strlen(header)) == 0);
    CHECK(rows_with(text, "pendulum_00,") == 60 && rows_with(text, "pendulum_39,") == 60);
    int held[2] = {0, 0};
    for (int k = 0; k < 40; k++) {
        char name[40];
        int out_of_fit;
        snprintf(name, sizeof name, "\npendulum_%02d,", k);
        const char *at = strstr(text, name);
        CHECK(at != NULL && sscanf(at + strlen(name), "%d,%lf,%lf,%lf,%lf,%lf,%lf", &out_of_fit,
                                   row, row + 1, row + 2, row + 3, row + 4, row + 5) == 7);
        if (at == NULL) {
            continue;
        }
        held[out_of_fit != 0]++;
        CHECK(fabs(row[0]) < 1e-12 && fabs(row[1] - row[2]) < .05); /* ten sigma */
        CHECK(out_of_fit ? isnan(row[3]) && fabs(row[4] - row[2]) < .05
                         : fabs(row[3] - row[1]) < 1e-9 && isnan(row[4]));
    }
    CHECK(held[0] == 20 && held[1] == 20);
    sal_free(text);
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
    RUN(all_recordings_are_exported);
    RUN(what_cannot_be_predicted);
    files_remove();
    return check_done();
}
