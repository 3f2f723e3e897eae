/* The command under the thread sanitizer: solves with several starts, an identification and sweeps,
 * on several threads. No two threads may meet in a place that one of them writes, and the bytes are
 * those of one thread. A loop that does race shows that the sanitizer sees such things.
 */
#include "tests/cli/command.h"

static const char pendulum[] =
    "<mujoco><option timestep='.01'/><worldbody>"
    "<body><joint name='hinge' axis='0 1 0' damping='.1'/>"
    "<geom size='.05' pos='0 0 -.97' mass='1'/></body></worldbody>"
    "<actuator><motor name='motor' joint='hinge'/></actuator></mujoco>\n";

static const char several[] =
    "<problem><model file='m.xml'/><time nstep='40' duration='1'/><boundary type='open'/>"
    "<init noise='.3' nstart='3'/><cost><term name='effort' ctrl='all' weight='1'/></cost>"
    "</problem>\n";

static const char sweep[] = "<sweep problem='p.xml'>"
                            "<axis name='weight' path='term[effort]/weight' values='1 2 3 4'/>"
                            "</sweep>\n";

/* Runs `line` in the test's folder; its exit code, or -1 where the sanitizer has complained. */
static int watched(const char *line)
{
    char text[1000];
    snprintf(text, sizeof text, "cd %s; { %s ; } >out 2>err", files_folder(), line);
    const int status = system(text);
    slurp("out", out, sizeof out);
    slurp("err", errors, sizeof errors);
    const char *complaint = strstr(errors, "ThreadSanitizer");
    if (complaint != NULL) {
        printf("%s\n%.3000s\n", line, complaint);
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Solves a file on one thread and on four; the exit code is `code`. */
static void solve_on_threads(const char *path, const char *options, int code)
{
    char line[800];
    snprintf(line, sizeof line, "rm -rf a b; $S solve %s %s -o a -q --threads 1", path, options);
    CHECK(watched(line) == code);
    snprintf(line, sizeof line, "$S solve %s %s -o b -q --threads 4", path, options);
    CHECK(watched(line) == code);
    CHECK(watched("cmp a/result.h5 b/result.h5") == 0);
}

static const char *example(const char *name)
{
    static char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/examples/%s", root == NULL ? "." : root, name);
    return path;
}

/* So many steps that every loop over them is worth four threads; a few iterations do. */
static void steps_beside_each_other(void)
{
    solve_on_threads(example("walker_walk.xml"),
                     "--set time/nstep=400 --set init/nstart=1 --set init/more=0 "
                     "--set solver/maxiter=12",
                     1);
}

static void starts_beside_each_other(void)
{
    solve_on_threads("p.xml", "", 0);
}

static void recordings_beside_each_other(void)
{
    solve_on_threads(example("identify_pendulum.xml"), "", 0);
}

static void cells_beside_each_other(void)
{
    CHECK(watched("$S sweep s.xml -q -j 2 --threads 4") == 0);
    CHECK(watched("$S check p.xml --derivatives -q") == 0);
}

/* ---- the sanitizer sees ---- */

static int shared;

static void race(void)
{
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 100000; i++) {
        shared = shared + i;
    }
    printf("%d\n", shared);
}

static void a_race_is_seen(void)
{
    char line[600], self[512] = "";
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    snprintf(line, sizeof line, "%.*s race >out 2>err", (int)n, self);
    char text[800];
    snprintf(text, sizeof text, "cd %s; %s", files_folder(), line);
    CHECK(system(text) != 0);
    slurp("err", errors, sizeof errors);
    SAYS(errors, "WARNING: ThreadSanitizer: data race");
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "race") == 0) {
        race();
        return 0;
    }
    setenv("S", program(), 1);
    files_write("m.xml", pendulum, strlen(pendulum));
    files_write("p.xml", several, strlen(several));
    files_write("s.xml", sweep, strlen(sweep));
    RUN(a_race_is_seen);
    RUN(starts_beside_each_other);
    RUN(steps_beside_each_other);
    RUN(recordings_beside_each_other);
    RUN(cells_beside_each_other);
    return check_done();
}
