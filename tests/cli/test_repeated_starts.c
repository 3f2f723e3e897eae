/* Problems that no start solved, though there is a motion: the projections of all of them ended at
 * kinks of hard contact. Repeated from the ends of their paths, with constraints that are met while
 * the world is soft, they find one. Others are solved with another damping only, or with contacts
 * that stay soft for some steps. One that has no motion is still infeasible, with its reason.
 * (tests/cli/repeated: gaits and a reach with random numbers, of random-problems.) */
#include "tests/cli/resume.h"

#include <unistd.h>

/* The most starts that begin at a guess of their own: 2 and 8 further ones */
enum { OWN = 10, HARDENED = 30, BEFORE_ANOTHER_DAMPING = 2 };

/* "solve NAME.xml -o FOLDER -q --json OPTIONS", with a model of the corpus, if its name is given;
 * NULL without corpus */
static const char *line_of(const char *name, const char *model, const char *folder,
                           const char *options)
{
    static char line[6000];
    const char *root = getenv("SALTUS_ROOT"), *corpus = getenv("SALTUS_CORPUS");
    if (corpus == NULL || access(corpus, R_OK) != 0) {
        return NULL;
    }
    const int n =
        snprintf(line, sizeof line, "solve %s/tests/cli/repeated/%s.xml -o %s -q --json %s",
                 root == NULL ? "." : root, name, files_path(folder), options);
    if (model != NULL) {
        snprintf(line + n, sizeof line - (size_t)n, " --set model/file=%s/models/%s", corpus,
                 model);
    }
    return line;
}

static const char *hopper(const char *folder, const char *options)
{
    return line_of("hopper_dmc", "dmc_hopper.xml", folder, options);
}

static void motions_are_found(void)
{
    static const char *const name[] = {"hopper_dmc", "hopper_brax", "quadruped"};
    static const char *const model[] = {"dmc_hopper.xml", "brax_hopper.xml", NULL};
    for (int i = 0; i < 3; i++) {
        const char *line = line_of(name[i], model[i], "found", "--threads 1");
        if (line == NULL) {
            SKIP("no corpus");
        }
        CHECK(run(line) == 0);
        SAYS(out, "\"status\": \"converged\"");
        CHECK(json_number("start") >= 9);
        char replay[2000];
        snprintf(replay, sizeof replay, "replay %s --forces --json", files_path("found"));
        CHECK(run(replay) == 0);
        CHECK(json_number("qpos") < 1e-9);
    }
}

/* The swimmer is nearly straight, and cannot move sideways from there to first order: projections
 * crawl to within 1e-5 of the weight, repeated from the end of the path, too. Without further
 * starts there is a motion with another damping, from a guess and thus along a path: a solve of its
 * own, which begins where the world is soft and counts as repeated. */
static void another_damping_finds_a_motion(void)
{
    static char record[4000000];
    const char *line =
        line_of("swimmer", "brax_swimmer.xml", "swum", "--threads 2 --set init/more=0");
    if (line == NULL) {
        SKIP("no corpus");
    }
    CHECK(run(line) == 0);
    SAYS(out, "\"status\": \"converged\"");
    const int start = (int)json_number("start");
    CHECK(start >= BEFORE_ANOTHER_DAMPING);
    char begin[100];
    snprintf(begin, sizeof begin, "{\"start\":%d,\"linearisation\":1,\"phase\":\"soft\"", start);
    slurp("swum/iterations.jsonl", record, sizeof record);
    SAYS(record, begin);
    char replay[2000];
    snprintf(replay, sizeof replay, "replay %s --forces --json", files_path("swum"));
    CHECK(run(replay) == 0);
    CHECK(json_number("qpos") < 1e-9);
}

static void threads_change_no_bit(void)
{
    if (hopper("one", "") == NULL) {
        SKIP("no corpus");
    }
    CHECK(run(hopper("one", "--threads 1")) == 0);
    CHECK(run(hopper("three", "--threads 3")) == 0);
    CHECK(same_file("one/result.h5", "three/result.h5"));
}

/* Interrupted in a repeated start, the solve goes on to the same result. */
static void a_repeated_start_is_resumed(void)
{
    if (hopper("cut", "") == NULL) {
        SKIP("no corpus");
    }
    kill_in_start(hopper("cut", "--threads 1"), "cut", 10);
    CHECK(run(hopper("cut", "--threads 1 --resume")) == 0);
    CHECK(same_file("cut/result.h5", "one/result.h5"));
}

/* On a floor 17 times harder than usual the only start, its repetition from the end of its path and
 * those with another damping find no motion. The last one goes on with soft steps. */
static void a_softened_start_is_resumed(void)
{
    if (line_of("hopper_hard", NULL, "whole", "") == NULL) {
        SKIP("no corpus");
    }
    CHECK(run(line_of("hopper_hard", NULL, "whole", "--threads 2")) == 1);
    SAYS(out, "\"physical\": true");
    SAYS(out, "\"as_asked\": false");
    SAYS(out, "the motion is physical only with softer contacts in ");
    CHECK(json_number("start") == 4);
    kill_in_start(line_of("hopper_hard", NULL, "parted", "--threads 1"), "parted", 4);
    CHECK(run(line_of("hopper_hard", NULL, "parted", "--threads 1 --resume")) == 1);
    CHECK(same_file("parted/result.h5", "whole/result.h5"));
    char replay[2000];
    snprintf(replay, sizeof replay, "replay %s --json", files_path("parted"));
    CHECK(run(replay) == 0);
    CHECK(json_number("qpos") < 1e-9);
}

/* The centre of the arm is to be where its pivot is. The reason is that of a start of its own, and
 * its repetitions, from the ends of paths and with another damping, take fewer linearisations than
 * the starts each. */
static void what_has_no_motion_is_infeasible(void)
{
    static char record[4000000];
    double taken[100] = {0}, own = 0, again = 0, damped = 0;
    const char *line = line_of("acrobot", "dmc_acrobot.xml", "none", "--threads 1");
    if (line == NULL) {
        SKIP("no corpus");
    }
    CHECK(run(line) == 4);
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
        *(i < OWN ? &own : i < OWN + HARDENED ? &again : &damped) += taken[i];
    }
    CHECK(own > 0 && again > 0 && again < own && damped > 0 && damped < own);
}

int main(void)
{
    RUN(motions_are_found);
    RUN(another_damping_finds_a_motion);
    RUN(threads_change_no_bit);
    RUN(a_repeated_start_is_resumed);
    RUN(a_softened_start_is_resumed);
    RUN(what_has_no_motion_is_infeasible);
    files_remove();
    return check_done();
}
