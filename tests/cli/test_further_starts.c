/* A start that finds no motion is no proof that there is none: further ones are tried, and one of
 * them finds it. The same with any number of threads, and after an interruption in one of them. */
#include "tests/cli/resume.h"

/* A ball comes from the left of a post to the right of it. Straight on, neither side is nearer. */
static const char model[] =
    "<mujoco model='way'>\n"
    "  <option gravity='0 0 0'/>\n"
    "  <worldbody>\n"
    "    <geom name='post' type='sphere' size='.3' contype='0' conaffinity='0'/>\n"
    "    <body name='ball'>\n"
    "      <joint name='x' type='slide' axis='1 0 0'/><joint name='y' type='slide' axis='0 1 0'/>\n"
    "      <geom name='ball' type='sphere' size='.1' mass='1' contype='0' conaffinity='0'/>\n"
    "    </body>\n"
    "  </worldbody>\n"
    "  <actuator><motor name='x' joint='x'/><motor name='y' joint='y'/></actuator>\n"
    "</mujoco>\n";

static const char problem[] =
    "<problem name=\"way\">\n"
    "  <model file=\"way_model.xml\"/>\n"
    "  <time nstep=\"20\" duration=\"1\"/>\n"
    "  <boundary type=\"open\">\n"
    "    <start qpos=\"-1 0\" qvel=\"0\"/><end qpos=\"1 0\" qvel=\"0\"/>\n"
    "  </boundary>\n"
    "  <cost><term name=\"effort\" ctrl=\"all\"/></cost>\n"
    "  <constraints>\n"
    "    <constraint name=\"half\" joint=\"x\" target=\"0\" at=\"0.5\"/>\n"
    "    <constraint name=\"clear\" distance=\"ball post\" range=\"0.05 100\" at=\"0.5\"/>\n"
    "  </constraints>\n"
    "  <init qpos=\"-1 0\" noise=\"0\"/>\n"
    "</problem>\n";

/* "solve way.xml -o FOLDER -q --json OPTIONS" */
static const char *way_line(const char *folder, const char *options)
{
    static char line[4000];
    snprintf(line, sizeof line, "solve %s -o %s -q --json %s", files_path("way.xml"),
             files_path(folder), options);
    return line;
}

static void one_start_alone_finds_none(void)
{
    CHECK(run(way_line("one", "--set init/more=0")) == 4);
    CHECK(json_number("start") == 0);
    SAYS(out, "\"status\": \"infeasible\"");
}

static void a_further_start_finds_it(void)
{
    CHECK(run(way_line("further", "--threads 1")) == 0);
    CHECK(json_number("start") >= 1);
    CHECK(run(way_line("threads", "--threads 3")) == 0);
    CHECK(same_file("further/result.h5", "threads/result.h5"));
}

/* Interrupted in a start that nobody asked for, the solve goes on to the same result. */
static void a_further_start_is_resumed(void)
{
    kill_in_start(way_line("cut", "--threads 1"), "cut", 1);
    CHECK(run(way_line("cut", "--threads 1 --resume")) == 0);
    CHECK(same_file("cut/result.h5", "further/result.h5"));
    CHECK(!exists("cut/checkpoint/0"));
}

static void a_limit_of_iterations_is_the_end(void)
{
    CHECK(run(way_line("limit", "--set solver/maxiter=5")) == 1);
    CHECK(json_number("start") == 0);
}

/* The velocity at the end is pinned, so a term on it is the same for all motions. */
static void check_refuses_what_solve_refuses(void)
{
    static const char cost[] = "<cost><term name=\"effort\" ctrl=\"all\"/></cost>";
    const char *text = files_replace(problem, cost,
                                     "<cost><term name=\"calm\" joint=\"all\" of=\"vel\" "
                                     "at=\"end\"/></cost>");
    char line[600];
    files_write("pinned.xml", text, strlen(text));
    for (int i = 0; i < 2; i++) {
        snprintf(line, sizeof line, "%s %s -q", i == 0 ? "check" : "solve",
                 files_path("pinned.xml"));
        CHECK(run(line) == 3);
        SAYS(errors, "term 'calm' has no effect");
    }
}

int main(void)
{
    files_write("way_model.xml", model, strlen(model));
    files_write("way.xml", problem, strlen(problem));
    RUN(one_start_alone_finds_none);
    RUN(a_further_start_finds_it);
    RUN(a_further_start_is_resumed);
    RUN(a_limit_of_iterations_is_the_end);
    RUN(check_refuses_what_solve_refuses);
    files_remove();
    return check_done();
}
