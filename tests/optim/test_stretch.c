/* Constraints that cannot be met in one place: a stretch of blocks is softened there, and nowhere
 * else; it hardens again as far as it can; saved and resumed at any turn, the solve has the same
 * bits. */
#include "tests/check.h"

#include "optim/optim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Block b has the variable x_b, the term x_b / 10 and the constraint x_b = 1; that of `odd` is
 *
 *     turns   (1 - w) (x^3 - 3 x + 3) + w (x + 2.1) = 0,  w = min(1, 2.5 e)
 *     lifts   x^2 + 1/4 - e = 0
 *
 * e the softness of the block. The cubic has one root, -2.1038, and from x = 1 on no direction
 * leads there; the parabola has none before e = 1/4. */
enum { BLOCKS = 12, STATES_MOST = 400 };
typedef enum law { TURNS, LIFTS } law;

typedef struct row {
    law law;
    int odd;
    int col[BLOCKS];
    sal_segment seg[2];
    sal_block block[BLOCKS];
    sal_nls nls;
    double softness, soft_softness;
    /* of the blocks while they were soft */
    const unsigned char *soft;
    unsigned char seen[BLOCKS];
    /* states after each turn */
    void *state[STATES_MOST];
    size_t size[STATES_MOST];
    int nstate;
} row;

static double softness_of(const row *p, int b)
{
    return p->soft != NULL && p->soft[b] ? fmax(p->softness, p->soft_softness) : p->softness;
}

static double constraint(const row *p, int b, double x, double *slope)
{
    const double e = softness_of(p, b), w = fmin(1, 2.5 * e);
    *slope = 1;
    if (b != p->odd) {
        return x - 1;
    }
    if (p->law == LIFTS) {
        *slope = 2 * x;
        return x * x + 0.25 - e;
    }
    *slope = (1 - w) * (3 * x * x - 3) + w;
    return (1 - w) * (x * x * x - 3 * x + 3) + w * (x + 2.1);
}

static sal_status linearise(void *ctx, double *r, double *J, const double *x, sal_err *err)
{
    const row *p = ctx;
    (void)err;
    for (int b = 0; b < BLOCKS; b++) {
        double slope;
        r[2 * b] = x[b] / 10;
        r[2 * b + 1] = constraint(p, b, x[b], &slope);
        if (J != NULL) {
            J[2 * b] = 0.1;
            J[2 * b + 1] = slope;
        }
    }
    return SAL_OK;
}

static sal_status residual(void *ctx, double *r, const double *x, sal_err *err)
{
    return linearise(ctx, r, NULL, x, err);
}

static void move(void *ctx, double *out, const double *x, const double *d)
{
    (void)ctx;
    for (int b = 0; b < BLOCKS; b++) {
        out[b] = x[b] + d[b];
    }
}

static sal_status stage(void *ctx, double softness, double smoothing, double *x, sal_err *err)
{
    row *p = ctx;
    (void)smoothing, (void)x, (void)err;
    p->softness = softness;
    return SAL_OK;
}

static sal_status soften(void *ctx, const unsigned char *soft, double softness, sal_err *err)
{
    row *p = ctx;
    (void)err;
    p->soft = soft;
    p->soft_softness = softness;
    if (soft != NULL) {
        memcpy(p->seen, soft, BLOCKS);
    }
    return SAL_OK;
}

static void save(void *ctx, const sal_optim *optim)
{
    row *p = ctx;
    if (p->nstate < STATES_MOST) {
        p->state[p->nstate] = malloc(sal_optim_state_size(optim));
        p->size[p->nstate] = sal_optim_state_save(optim, p->state[p->nstate]);
        p->nstate++;
    }
}

static void begin(row *p, law kind, int odd, bool closed)
{
    *p = (row){.law = kind, .odd = odd};
    p->seg[0] = (sal_segment){.n = 1, .norm = {.kind = SAL_NORM_QUADRATIC}, .weight = 1};
    p->seg[1] = (sal_segment){.n = 1,
                              .norm = {.kind = SAL_NORM_QUADRATIC},
                              .weight = 100,
                              .constraint = true,
                              .tol = 1e-9};
    for (int b = 0; b < BLOCKS; b++) {
        p->col[b] = b;
        p->block[b] =
            (sal_block){.nres = 2, .ncol = 1, .col = p->col + b, .nseg = 2, .seg = p->seg};
    }
    p->nls = (sal_nls){.ctx = p,
                       .nx = BLOCKS,
                       .nvar = BLOCKS,
                       .nblock = BLOCKS,
                       .block = p->block,
                       .retract = move,
                       .residual = residual,
                       .linearise = linearise,
                       .stage = stage,
                       .soften = soften,
                       .closed = closed};
}

static void end(row *p)
{
    for (int i = 0; i < p->nstate; i++) {
        free(p->state[i]);
    }
}

/* From x = 1, where the projection of another solve would have ended */
static sal_optim_result solve(row *p, double x[BLOCKS])
{
    sal_optim *optim = NULL;
    sal_optim_options options;
    sal_optim_result found = {0};
    sal_err err = {SAL_OK, ""};
    sal_optim_defaults(&options);
    for (int b = 0; b < BLOCKS; b++) {
        x[b] = 1;
    }
    CHECK_OK(sal_optim_new(&optim, &p->nls, &options, &err), err);
    if (optim != NULL) {
        CHECK_OK(sal_solve_softening(optim, x, &found, &err), err);
    }
    sal_optim_free(optim);
    return found;
}

static void a_stretch_hardens_to_the_end(void)
{
    row p;
    double x[BLOCKS];
    begin(&p, TURNS, 5, false);
    const sal_optim_result found = solve(&p, x);
    CHECK(found.stop == SAL_STOP_CONVERGED && found.violation <= 1 && found.softness == 0);
    for (int b = 0; b < BLOCKS; b++) {
        CHECK_NEAR(x[b], b == 5 ? -2.1038034027355366 : 1, 1e-8);
        CHECK(p.seen[b] == (b >= 2 && b <= 8));
    }
    CHECK(p.soft == NULL);
    end(&p);
}

static void a_stretch_stays_as_soft_as_it_must(void)
{
    row p;
    double x[BLOCKS];
    begin(&p, LIFTS, 0, true);
    const sal_optim_result found = solve(&p, x);
    CHECK(found.stop == SAL_STOP_CONVERGED && found.violation <= 1);
    CHECK(found.softness >= 0.25 && found.softness <= 0.262);
    CHECK_NEAR(x[0] * x[0], found.softness - 0.25, 1e-8);
    for (int b = 0; b < BLOCKS; b++) {
        CHECK(p.seen[b] == (b <= 3 || b >= BLOCKS - 3)); /* the first comes after the last */
        CHECK_NEAR(x[b], b == 0 ? x[0] : 1, 1e-8);
    }
    CHECK(p.soft != NULL && p.soft_softness == found.softness);
    end(&p);
}

static void what_cannot_be_softened_is_infeasible(void)
{
    row p;
    double x[BLOCKS];
    begin(&p, LIFTS, 5, false);
    p.nls.soften = NULL;
    const sal_optim_result found = solve(&p, x);
    CHECK(found.stop == SAL_STOP_INFEASIBLE && found.violation > 1 && found.softness == 0);
    end(&p);
}

static void resumed_it_has_the_same_bits(void)
{
    row p;
    double x[BLOCKS], again[BLOCKS];
    sal_err err = {SAL_OK, ""};
    begin(&p, LIFTS, 5, false);
    p.nls.checkpoint = save;
    const sal_optim_result found = solve(&p, x);
    CHECK(p.nstate > 10 && p.nstate < STATES_MOST);
    p.nls.checkpoint = NULL;
    for (int i = 0; i < p.nstate; i++) {
        sal_optim *optim = NULL;
        sal_optim_options options;
        sal_optim_result other = {0};
        sal_optim_defaults(&options);
        CHECK_OK(sal_optim_new(&optim, &p.nls, &options, &err), err);
        p.soft = NULL;
        CHECK_OK(sal_solve_resume(optim, p.state[i], p.size[i], again, &other, &err), err);
        CHECK(memcmp(again, x, sizeof x) == 0 && other.softness == found.softness &&
              other.linearisations == found.linearisations && other.cost == found.cost);
        sal_optim_free(optim);
    }
    end(&p);
}

int main(void)
{
    RUN(a_stretch_hardens_to_the_end);
    RUN(a_stretch_stays_as_soft_as_it_must);
    RUN(what_cannot_be_softened_is_infeasible);
    RUN(resumed_it_has_the_same_bits);
    return check_done();
}
