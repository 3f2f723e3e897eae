/* A result is the same to the last bit, whatever the number of threads, and every time. */
#include "tests/problems/linearise.h"
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "problems/transcribe.h"

/* examples/NAME.xml with `starts` starts under a contact model */
static sal_problem *read_under(const char *name, const char *starts, const char *contact)
{
    const sal_setting settings[] = {{"init/nstart", starts}, {"solver/contactmodel", contact}};
    const sal_problem_options options = {.setting = settings, .nsetting = 2};
    const char *root = getenv("SALTUS_ROOT");
    char path[1024];
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(path, sizeof path, "%s/examples/%s.xml", root == NULL ? "." : root, name);
    CHECK_OK(sal_problem_read(&p, path, &options, &diag, &err), err);
    sal_diag_clear(&diag);
    return p;
}

/* Solved by `threads` threads and written: its bytes. The caller frees. */
static char *solve(const sal_problem *p, int threads, size_t *n)
{
    char *bytes = NULL;
    sal_result *r = NULL;
    sal_err err = {0};
    sal_status status = sal_problem_solve(&r, p, threads, NULL, &err);
    status = status == SAL_OK ? sal_result_write(r, files_path("result.h5"), &err) : status;
    status = status == SAL_OK
                 ? sal_text_read_file(files_path("result.h5"), (size_t)1 << 30, &bytes, n, &err)
                 : status;
    CHECK_OK(status, err);
    sal_result_free(r);
    return bytes;
}

static void compare_solves(const sal_problem *p, int one, int other)
{
    size_t n = 0, m = 0;
    char *a = solve(p, one, &n), *b = solve(p, other, &m);
    CHECK(a != NULL && b != NULL && n > 1000 && n == m && memcmp(a, b, n) == 0);
    sal_free(a);
    sal_free(b);
}

static void compare(const char *name, const char *starts, int one, int other)
{
    sal_problem *p = read_under(name, starts, "soft");
    compare_solves(p, one, other);
    sal_problem_free(p);
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

/* ---- contact models that a search can follow ---- */

static void solves_under_each_contact_model(void)
{
    for (int model = 0; model < SAL_NCONTACTMODELS; model++) {
        if (sal_contact_model_is_invertible(model)) {
            sal_problem *p = read_under("walker_walk", "1", sal_contact_model_name(model));
            compare_solves(p, 1, 2);
            compare_solves(p, 1, 3);
            sal_problem_free(p);
        }
    }
}

/* Residuals, and behind them the Jacobian, where the search begins, s of 1, and where it ends */
static double *linearise(const sal_problem *p, double s, int threads, size_t *n)
{
    prb_transcription *tr = NULL;
    sal_err err = {0};
    CHECK_OK(prb_transcription_new(&tr, p, threads, &err), err);
    const size_t rows = tr->r_adr[tr->nblock];
    *n = rows + tr->J_adr[tr->nblock];
    double *numbers = calloc(*n, sizeof *numbers),
           *x = calloc((size_t)tr->layout.nx, sizeof(double));
    CHECK_OK(prb_guess(tr, x, 2, &err), err);
    CHECK_OK(tr->nls.stage(tr, s, s, x, &err), err);
    CHECK_OK(linearise_whole(tr, numbers, numbers + rows, x, &err), err);
    prb_transcription_free(tr);
    free(x);
    return numbers;
}

static void derivatives_under_each_contact_model(void)
{
    for (int model = 0; model < SAL_NCONTACTMODELS; model++) {
        if (sal_contact_model_is_invertible(model)) {
            sal_problem *p = read_under("walker_walk", "1", sal_contact_model_name(model));
            for (int i = 0; i < 2; i++) {
                size_t n = 0;
                double *one = linearise(p, 1 - i, 1, &n);
                for (int threads = 2; threads <= 3; threads++) {
                    double *many = linearise(p, 1 - i, threads, &n);
                    CHECK(n > 1000 && memcmp(one, many, n * sizeof *one) == 0);
                    free(many);
                }
                free(one);
            }
            sal_problem_free(p);
        }
    }
}

int main(void)
{
    sal_parallel_share = 0; /* however small a loop is, all threads are at it */
    RUN(threads_share_the_steps);
    RUN(threads_share_the_starts);
    RUN(small_loops_are_not_shared);
    RUN(twice_is_the_same);
    RUN(solves_under_each_contact_model);
    RUN(derivatives_under_each_contact_model);
    files_remove();
    return check_done();
}
