/* A solve that is saved after any linearisation and resumed by another optimizer ends at the same
 * bits. */
#include "tests/check.h"
#include "tests/optim/bead.h"

#include <stdlib.h>

enum { MOST = 120 };

typedef struct tape { /* the state after each linearisation */
    bead bead;
    char *state[MOST];
    size_t size[MOST];
    int n;
} tape;

static void save(void *ctx, const sal_optim *optim)
{
    tape *t = ctx;
    t->state[t->n] = malloc(sal_optim_state_size(optim));
    t->size[t->n] = sal_optim_state_save(optim, t->state[t->n]);
    CHECK(t->size[t->n] <= sal_optim_state_size(optim));
    t->n++;
}

static sal_status create(sal_optim **optim, const sal_nls *nls, sal_err *err)
{
    sal_optim_options options;
    sal_optim_defaults(&options);
    options.tolerance = 1e-9;
    return sal_optim_new(optim, nls, &options, err);
}

static void record(tape *t, double *x, sal_optim_result *result)
{
    sal_optim *optim = NULL;
    sal_err err = {0};
    memset(t, 0, sizeof *t);
    make_bead(&t->bead, x);
    t->bead.nls.checkpoint = save;
    CHECK_OK(create(&optim, &t->bead.nls, &err), err);
    CHECK_OK(sal_solve(optim, x, result, &err), err);
    sal_optim_free(optim);
}

static void forget(tape *t)
{
    for (int k = 0; k < t->n; k++) {
        free(t->state[k]);
    }
}

static void every_state_leads_to_the_same_end(void)
{
    static tape t;
    double x[2 * BEADS + 1], y[2 * BEADS + 1];
    sal_optim_result whole, rest;
    record(&t, x, &whole);
    CHECK(whole.stop == SAL_STOP_CONVERGED && t.n == whole.linearisations && t.n > 20);
    for (int k = 0; k < t.n; k++) {
        bead p;
        sal_optim *optim = NULL;
        sal_err err = {0};
        make_bead(&p, y);
        CHECK_OK(create(&optim, &p.nls, &err), err);
        CHECK_OK(sal_solve_resume(optim, t.state[k], t.size[k], y, &rest, &err), err);
        CHECK(memcmp(x, y, sizeof x) == 0);
        CHECK(rest.stop == whole.stop && rest.linearisations == whole.linearisations &&
              rest.evaluations == whole.evaluations && rest.factorisations == whole.factorisations);
        CHECK(p.calls == t.n - 1 - k); /* each linearisation is told once */
        CHECK_NEAR(rest.cost, whole.cost, 0);
        CHECK_NEAR(rest.violation, whole.violation, 0);
        sal_optim_free(optim);
    }
    forget(&t);
}

static void what_is_no_such_state_is_refused(void)
{
    static tape t;
    static dense other;
    double x[2 * BEADS + 1], y[2 * BEADS + 1] = {0};
    sal_optim_result result;
    sal_optim *optim = NULL;
    sal_err err = {0};
    record(&t, x, &result);
    char *state = t.state[t.n - 2];
    const size_t size = t.size[t.n - 2];
    CHECK_OK(create(&optim, &t.bead.nls, &err), err);
    for (size_t n = 0; n < size; n += size / 7) {
        CHECK(sal_solve_resume(optim, state, n, y, &result, &err) == SAL_BADINPUT);
    }
    for (size_t at = 0; at < size; at += size / 97) {
        state[at] ^= 4;
        CHECK(sal_solve_resume(optim, state, size, y, &result, &err) == SAL_BADINPUT);
        CHECK(result.stop == SAL_STOP_FAILED && y[0] == 0);
        state[at] ^= 4;
    }
    sal_optim_free(optim);
    dense_problem(&other, NULL, 3, 3, 0, 0);
    CHECK_OK(create(&optim, &other.nls, &err), err);
    CHECK(sal_solve_resume(optim, state, size, y, &result, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "the saved state belongs to a problem with other variables or "
                            "residuals: start the solve anew");
    sal_optim_free(optim);
    forget(&t);
}

int main(void)
{
    RUN(every_state_leads_to_the_same_end);
    RUN(what_is_no_such_state_is_refused);
    return check_done();
}
