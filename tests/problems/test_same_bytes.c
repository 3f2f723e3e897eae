/* A result is the same to the last bit, whatever the number of threads, and every time. */
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "problems/problems.h"

/* examples/NAME.xml with `starts` starts, solved by `threads` threads and written: its bytes. The
 * caller frees. */
static char *solve(const char *name, const char *starts, int threads, size_t *n)
{
    const sal_setting setting = {"init/nstart", starts};
    const sal_problem_options options = {.setting = &setting, .nsetting = 1};
    const char *root = getenv("SALTUS_ROOT");
    char path[1024], *bytes = NULL;
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(path, sizeof path, "%s/examples/%s.xml", root == NULL ? "." : root, name);
    sal_status status = sal_problem_read(&p, path, &options, &diag, &err);
    status = status == SAL_OK ? sal_problem_solve(&r, p, threads, NULL, &err) : status;
    status = status == SAL_OK ? sal_result_write(r, files_path("result.h5"), &err) : status;
    status = status == SAL_OK
                 ? sal_text_read_file(files_path("result.h5"), (size_t)1 << 30, &bytes, n, &err)
                 : status;
    CHECK_OK(status, err);
    sal_result_free(r);
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return bytes;
}

static void compare(const char *name, const char *starts, int one, int other)
{
    size_t n = 0, m = 0;
    char *a = solve(name, starts, one, &n), *b = solve(name, starts, other, &m);
    CHECK(a != NULL && b != NULL && n > 1000 && n == m && memcmp(a, b, n) == 0);
    sal_free(a);
    sal_free(b);
}

static void threads_share_the_steps(void)
{
    compare("walker_walk", "1", 1, 2);
    compare("arm_muscles", "1", 1, 2);
}

static void threads_share_the_starts(void)
{
    compare("hopper_hop", "2", 1, 2);
    compare("pendulum_swingup", "2", 4, 3);
}

static void twice_is_the_same(void)
{
    compare("pendulum_swingup", "1", 2, 2);
}

/* A start of a small problem is one thread's, whatever there is; the steps of a larger one are
 * shared, but not all loops over them. */
static void small_loops_are_not_shared(void)
{
    const double share = sal_parallel_share;
    sal_parallel_share = 100e3;
    compare("pendulum_swingup", "1", 1, 2);
    compare("walker_walk", "1", 1, 2);
    sal_parallel_share = share;
}

int main(void)
{
    sal_parallel_share = 0; /* however small a loop is, all threads are at it */
    RUN(threads_share_the_steps);
    RUN(threads_share_the_starts);
    RUN(small_loops_are_not_shared);
    RUN(twice_is_the_same);
    files_remove();
    return check_done();
}
