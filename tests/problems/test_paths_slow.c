/* Solves by exact derivatives and by differences: both go the same way while steps are long; the
 * whole path forks on last digits, at kinks that steps come near to, but ends as well. */
#include "tests/problems/read_example.h"

#include "problems/transcribe.h"

typedef struct found {
    double cost, gradient;
    sal_optim_result whole;
} found;

enum {
    TOGETHER = 8
}; /* iterations in the soft world from the first guess, which take most of its cost away; */

/* and then the whole way. */
static found solve(sal_problem *p, sal_derivatives derivatives, unsigned long seed)
{
    prb_transcription *tr = NULL;
    sal_optim *optim = NULL;
    sal_err err;
    sal_optim_result soft = {0};
    found f = {0};
    p->derivatives = derivatives;
    p->differences = SAL_FD_CENTRED;
    CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
    double *x = calloc((size_t)tr->layout.nx, sizeof *x);
    sal_optim_options options = p->optim;
    options.nthread = 1;
    options.tolerance = 1e-12;
    options.maxiter = TOGETHER;
    CHECK_OK(prb_guess(tr, x, seed, &err), err);
    CHECK_OK(tr->nls.stage(tr, 1, 1, x, &err), err);
    CHECK_OK(sal_optim_new(&optim, &tr->nls, &options, &err), err);
    CHECK_OK(sal_minimise(optim, x, &soft, &err), err);
    f.cost = soft.cost, f.gradient = soft.gradient;
    sal_optim_free(optim);
    options = p->optim;
    options.nthread = 1;
    CHECK_OK(prb_guess(tr, x, seed, &err), err);
    CHECK_OK(sal_optim_new(&optim, &tr->nls, &options, &err), err);
    CHECK_OK(sal_solve(optim, x, &f.whole, &err), err);
    sal_optim_free(optim);
    prb_transcription_free(tr);
    free(x);
    return f;
}

static void both_paths(const char *name)
{
    sal_problem *p = read_example(name);
    if (p == NULL) {
        return;
    }
    for (unsigned long seed = 1; seed <= 2; seed++) {
        const found exact = solve(p, SAL_DERIV_AUTO, seed), fd = solve(p, SAL_DERIV_FD, seed);
        printf("     %s %lu: soft %.12g %.12g, whole %.6g %.6g, %d %d linearisations\n", name, seed,
               exact.cost, fd.cost, exact.whole.cost, fd.whole.cost, exact.whole.linearisations,
               fd.whole.linearisations);
        CHECK_NEAR(exact.cost, fd.cost, 1e-6 * fd.cost);
        CHECK(exact.whole.violation <= 1 && fd.whole.violation <= 1);
        CHECK(exact.whole.cost <= 1.05 * fd.whole.cost);
    }
    sal_problem_free(p);
}

static void walker(void)
{
    both_paths("walker_walk");
}

static void humanoid(void)
{
    both_paths("humanoid_walk");
}

int main(void)
{
    RUN(walker);
    RUN(humanoid);
    return check_done();
}
