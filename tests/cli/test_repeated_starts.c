/* Random problems (tests/campaign/random_problem.h) that no start solved, though there is a motion:
 * the projections of all of them ended at kinks of hard contact. Repeated from the ends of their
 * paths, with constraints that are met while the world is soft, they find one. One that has no
 * motion is still infeasible, with its reason. */
#include "tests/campaign/random_problem.h"
#include "tests/cli/resume.h"

/* The most starts that begin at a guess of their own: 2 and 8 further ones */
enum { OWN = 10 };

/* false without the corpus, where the models are */
static bool write_problem(int number)
{
    char name[40];
    const char *kind, *root = getenv("SALTUS_ROOT"), *corpus = getenv("SALTUS_CORPUS");
    sal_err err = {0};
    sal_text text = {0};
    if (corpus == NULL || access(corpus, R_OK) != 0) {
        return false;
    }
    snprintf(name, sizeof name, "%d.xml", number);
    CHECK_OK(random_problem_write(&text, &kind, root == NULL ? "." : root, corpus, (uint64_t)number,
                                  &err),
             err);
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
    return true;
}

/* "solve NUMBER.xml -o FOLDER -q --json OPTIONS" */
static const char *line_of(int number, const char *folder, const char *options)
{
    static char line[4000], name[40];
    snprintf(name, sizeof name, "%d.xml", number);
    snprintf(line, sizeof line, "solve %s -o %s -q --json %s", files_path(name), files_path(folder),
             options);
    return line;
}

static void motions_are_found(void)
{
    static const int number[] = {2945, 627, 2320};
    for (int i = 0; i < 3; i++) {
        if (!write_problem(number[i])) {
            SKIP("no corpus");
        }
        CHECK(run(line_of(number[i], "found", "--threads 1")) == 0);
        SAYS(out, "\"status\": \"converged\"");
        CHECK(json_number("start") >= 9);
        char replay[2000];
        snprintf(replay, sizeof replay, "replay %s --forces --json", files_path("found"));
        CHECK(run(replay) == 0);
        CHECK(json_number("qpos") < 1e-9);
    }
}

static void threads_change_no_bit(void)
{
    if (!write_problem(2945)) {
        SKIP("no corpus");
    }
    CHECK(run(line_of(2945, "one", "--threads 1")) == 0);
    CHECK(run(line_of(2945, "three", "--threads 3")) == 0);
    CHECK(same_file("one/result.h5", "three/result.h5"));
}

/* Interrupted in a repeated start, the solve goes on to the same result. */
static void a_repeated_start_is_resumed(void)
{
    if (!write_problem(2945)) {
        SKIP("no corpus");
    }
    kill_in_start(line_of(2945, "cut", "--threads 1"), "cut", 10);
    CHECK(run(line_of(2945, "cut", "--threads 1 --resume")) == 0);
    CHECK(same_file("cut/result.h5", "one/result.h5"));
}

/* The centre of the arm is to be where its pivot is. The reason is that of a start of its own, and
 * its repetitions take fewer linearisations than the starts. */
static void what_has_no_motion_is_infeasible(void)
{
    static char record[4000000];
    double taken[100] = {0}, own = 0, again = 0;
    if (!write_problem(2001)) {
        SKIP("no corpus");
    }
    CHECK(run(line_of(2001, "none", "--threads 1")) == 4);
    SAYS(out, "\"status\": \"infeasible\"");
    SAYS(out, "goal (upper_arm centre z) is violated by 0.5 m");
    CHECK(json_number("start") < OWN);
    slurp("none/iterations.jsonl", record, sizeof record);
    for (const char *at = record; (at = strstr(at, "{\"start\":")) != NULL; at++) {
        int index = 0, n = 0;
        if (sscanf(at, "{\"start\":%d,\"linearisation\":%d,", &index, &n) == 2 && index < 100) {
            taken[index] = n;
        }
    }
    for (int i = 0; i < 100; i++) {
        *(i < OWN ? &own : &again) += taken[i];
    }
    CHECK(own > 0 && again > 0 && again < own);
}

int main(void)
{
    RUN(motions_are_found);
    RUN(threads_change_no_bit);
    RUN(a_repeated_start_is_resumed);
    RUN(what_has_no_motion_is_infeasible);
    files_remove();
    return check_done();
}
