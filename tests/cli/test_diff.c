/* `saltus diff`: equal is equal, and what differs is named. */
#include "tests/cli/command.h"

static const char *file(const char *folder, const char *name)
{
    static char path[4][1100];
    static int next;
    const char *root = getenv("SALTUS_ROOT");
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[0], "%s/%s/%s.xml", root == NULL ? "." : root, folder, name);
    return path[next];
}

static void solve(const char *name, const char *options)
{
    char line[2000];
    snprintf(line, sizeof line, "solve -q %s -o %s %s", file("examples", "pendulum_swingup"),
             files_path(name), options);
    CHECK(run(line) == 0);
}

static int diff(const char *a, const char *b, const char *options)
{
    char line[2600];
    snprintf(line, sizeof line, "diff %s %s %s", a, b, options);
    return run(line);
}

static void results(void)
{
    solve("a", "");
    solve("b", "--threads 1");
    CHECK(diff(files_path("a"), files_path("b"), "") == 0);
    CHECK_TEXT(out, "equal\n");
    CHECK(diff(files_path("a"), files_path("b"), "--json") == 0 && is_json(out));
    SAYS(out, "\"equal\": true");
    solve("b", "--set term[effort]/weight=4 --set time/nstep=120");
    CHECK(diff(files_path("a"), files_path("b"), "") == 1);
    SAYS(out, "term[effort]/weight");
    SAYS(out, " 1 -> 4\n");
    SAYS(out, "time/nstep");
    SAYS(out, "cost        total");
    SAYS(out, "qpos:");
    SAYS(out, "largest difference");
    CHECK(strstr(out, "status      ") == NULL); /* both converged */
    CHECK(diff(files_path("a"), files_path("b"), "--json") == 1 && is_json(out));
    SAYS(out, "\"equal\": false");
    CHECK(diff(files_path("a"), files_path("b"), "-q") == 1 && out[0] == 0);
}

static void the_same_motion_of_another_text(void)
{
    solve("c", "--set time/nstep=100 --set init/seed=1");
    CHECK(diff(files_path("a"), files_path("c"), "") <= 1);
    CHECK(strstr(out, "motion ") == NULL && strstr(out, "cost ") == NULL);
}

static void files(void)
{
    CHECK(diff(file("examples", "walker_walk"), file("examples", "walker_walk"), "") == 0);
    CHECK(diff(file("examples", "walker_walk"), file("examples", "walker_run"), "") == 1);
    SAYS(out, "travel/speed");
    SAYS(out, "1.2 -> 3");
    CHECK(diff(file("models", "walker"), file("models", "walker"), "") == 0);
    CHECK(diff(file("models", "walker"), file("examples", "walker_walk"), "") == 3);
    SAYS(errors, "is a model");
    CHECK(diff(file("models", "walker"), "/nowhere", "") == 5);
    CHECK(run("diff a") == 2);
}

int main(void)
{
    RUN(results);
    RUN(the_same_motion_of_another_text);
    RUN(files);
    files_remove();
    return check_done();
}
