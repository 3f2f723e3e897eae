/* Whole solves of problems whose solution is known or can be certified: rotations, a path with a
 * cycle and a border, and the ways to end. */
#include "tests/check.h"
#include "tests/optim/bead.h"
#include "tests/optim/dense_problem.h"

#include <lapacke.h>


static sal_optim_options plain_options(void)
{
    sal_optim_options options;
    sal_optim_defaults(&options);
    options.cap = 0;
    options.damping = 1e-2;
    options.damping_floor = 0;
    options.tolerance = 1e-10;
    return options;
}

/* Solves from x and frees; returns the status. */
static sal_status solve(const sal_nls *nls, const sal_optim_options *options, double *x,
                        sal_optim_result *result, sal_err *err)
{
    sal_optim *optim = NULL;
    sal_status status = sal_optim_new(&optim, nls, options, err);
    if (status == SAL_OK) {
        status = sal_solve(optim, x, result, err);
    }
    sal_optim_free(optim);
    return status;
}

/* ---- rotations: the shortest way between two of them ---- */

enum { LEGS = 9, TURNS = LEGS + 1 };

/* q_0 .. q_LEGS; residuals: log(q_i* q_{i+1}), and as constraints log(q_0) and log(R* q_LEGS) */
typedef struct geodesic {
    double target[4];
    int col[LEGS + 2][6];
    sal_segment seg[2];
    sal_block block[LEGS + 2];
    sal_nls nls;
} geodesic;

static void turn(void *ctx, double *out, const double *x, const double *d)
{
    (void)ctx;
    for (int i = 0; i < TURNS; i++) {
        double e[4];
        sal_quat_exp(e, d + 3 * i);
        sal_quat_mul(out + 4 * i, x + 4 * i, e);
        sal_quat_normalise(out + 4 * i);
    }
}

static void relative_log(double *w, const double *a, const double *b)
{
    double conj[4], q[4];
    sal_quat_conj(conj, a);
    sal_quat_mul(q, conj, b);
    sal_quat_log(w, q);
}

static sal_status geodesic_residual(void *ctx, double *r, const double *x, sal_err *err)
{
    const geodesic *p = ctx;
    static const double identity[4] = {1, 0, 0, 0};
    (void)err;
    for (int i = 0; i < LEGS; i++) {
        relative_log(r + 3 * i, x + 4 * i, x + 4 * (i + 1));
    }
    relative_log(r + 3 * LEGS, identity, x);
    relative_log(r + 3 * LEGS + 3, p->target, x + 4 * LEGS);
    return SAL_OK;
}

/* d log(a* b exp(e)) = J e and d log(exp(-e) a* b) = -J'e */
static sal_status geodesic_linearise(void *ctx, double *r, double *J, const double *x, sal_err *err)
{
    for (int b = 0; b < LEGS + 2; b++) {
        double j[9];
        if (b == 0) {
            geodesic_residual(ctx, r, x, err);
        }
        sal_quat_log_deriv(j, r + 3 * b);
        const int ncol = b < LEGS ? 6 : 3;
        for (int row = 0; row < 3; row++) {
            for (int c = 0; c < 3; c++) {
                J[row * ncol + c] = b < LEGS ? -j[3 * c + row] : j[3 * row + c];
                if (b < LEGS) {
                    J[row * ncol + 3 + c] = j[3 * row + c];
                }
            }
        }
        J += 3 * ncol;
    }
    return SAL_OK;
}

static void make_geodesic(geodesic *p, const double axis[3], double angle)
{
    memset(p, 0, sizeof *p);
    sal_quat_axisangle(p->target, axis, angle);
    p->seg[0] = (sal_segment){.n = 3, .weight = 1};
    p->seg[1] = (sal_segment){.n = 3, .weight = 10, .constraint = true, .tol = 1e-10};
    for (int b = 0; b < LEGS + 2; b++) {
        const int first = b < LEGS ? 3 * b : b == LEGS ? 0 : 3 * LEGS, n = b < LEGS ? 6 : 3;
        for (int c = 0; c < n; c++) {
            p->col[b][c] = first + c;
        }
        p->block[b] = (sal_block){
            .nres = 3, .ncol = n, .col = p->col[b], .nseg = 1, .seg = &p->seg[b >= LEGS]};
    }
    p->nls = (sal_nls){.ctx = p,
                       .nx = 4 * TURNS,
                       .nvar = 3 * TURNS,
                       .nblock = LEGS + 2,
                       .block = p->block,
                       .retract = turn,
                       .residual = geodesic_residual,
                       .linearise = geodesic_linearise};
}

/* The shortest way turns by angle / LEGS about the same axis on each leg: cost LEGS (angle/LEGS)^2
 * / 2. */
static void rotations_find_the_geodesic(void)
{
    const double axis[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, angle = 2.5;
    geodesic p;
    make_geodesic(&p, axis, angle);
    sal_rng rng = {7};
    double x[4 * TURNS];
    for (int i = 0; i < TURNS; i++) {
        const double w[3] = {sal_rng_uniform(&rng, -.4, .4), sal_rng_uniform(&rng, -.4, .4),
                             sal_rng_uniform(&rng, -.4, .4)};
        sal_quat_exp(x + 4 * i, w);
    }
    sal_optim_options options = plain_options();
    sal_optim_result result;
    sal_err err = {0};
    CHECK_OK(solve(&p.nls, &options, x, &result, &err), err);
    CHECK(result.stop == SAL_STOP_CONVERGED);
    CHECK(result.violation <= 1);
    CHECK_NEAR(result.cost, angle * angle / (2 * LEGS), 1e-10);
    for (int i = 0; i < TURNS; i++) {
        double q[4], w[3];
        sal_quat_axisangle(q, axis, angle * i / LEGS);
        relative_log(w, q, x + 4 * i);
        CHECK_NEAR(sal_v3_norm(w), 0, 1e-5);
    }
}

/* ---- projection ---- */

static void sphere(cplx *r, const cplx *x, int n, int m)
{
    (void)m;
    r[n] = -1;
    for (int i = 0; i < n; i++) {
        r[i] = x[i] - (i + 1);
        r[n] += x[i] * x[i];
    }
}

/* The point of the unit sphere nearest to a is a/|a|. */
static void nearest_point_of_a_sphere(void)
{
    dense p;
    dense_problem(&p, sphere, 3, 4, 1, 0);
    sal_optim_options options = plain_options();
    sal_optim_result result;
    sal_err err = {0};
    double x[3] = {-2, 1, 0.5};
    CHECK_OK(solve(&p.nls, &options, x, &result, &err), err);
    CHECK(result.stop == SAL_STOP_CONVERGED);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(x[i], (i + 1) / sqrt(14), 1e-5);
    }
    CHECK_NEAR(result.cost, 0.5 * (sqrt(14) - 1) * (sqrt(14) - 1), 1e-9);
}

/* Where no cost pulls, the way to a linear constraint a'x = b is the shortest one: x + a (b - a'x)
 * / a'a. */
static void plane(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] + 2 * x[1] - 2 * x[2] - 9;
}

static void projection_is_the_shortest_way(void)
{
    dense p;
    dense_problem(&p, plane, 3, 1, 1, 0);
    sal_optim_options options = plain_options();
    sal_optim_result result;
    sal_err err = {0};
    double x[3] = {0.5, 0, 0.25};
    CHECK_OK(solve(&p.nls, &options, x, &result, &err), err);
    CHECK(result.stop == SAL_STOP_CONVERGED);
    CHECK_NEAR(x[0], 0.5 + 1, 1e-9);
    CHECK_NEAR(x[1], 0 + 2, 1e-9);
    CHECK_NEAR(x[2], 0.25 - 2, 1e-9);
}

/* ---- a path: the bead of bead.h ---- */

/* |g + C'l| over the best multipliers l, relative to |g|: zero at a point that satisfies the
 * first-order conditions */
static double stationarity(bead *p, const double *x)
{
    enum { N = 2 * BEADS + 1 };
    static double r[BEADS * BEAD_RES], J[BEADS * BEAD_RES * BEAD_COL], C[N * BEADS], g[N];
    memset(C, 0, sizeof C);
    memset(g, 0, sizeof g);
    bead_linearise(p, r, J, x, NULL);
    double length = 0, rest = 0;
    for (int t = 0; t < BEADS; t++) {
        const double *row = J + t * BEAD_RES * BEAD_COL;
        for (int j = 0; j < BEAD_COL; j++) {
            C[p->col[t][j] * BEADS + t] += row[j];
            for (int i = 1; i < BEAD_RES; i++) {
                g[p->col[t][j]] += row[i * BEAD_COL + j] * r[t * BEAD_RES + i];
            }
        }
    }
    for (int j = 0; j < N; j++) {
        length += g[j] * g[j];
    }
    CHECK(LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', N, BEADS, 1, C, BEADS, g, 1) == 0);
    for (int j = BEADS; j < N; j++) {
        rest += g[j] * g[j];
    }
    return sqrt(rest / length);
}

static void path_ends_at_a_constrained_optimum(void)
{
    bead p;
    double x[2 * BEADS + 1];
    make_bead(&p, x);
    sal_optim_options options;
    sal_optim_defaults(&options);
    options.tolerance = 1e-9;
    sal_optim_result result;
    sal_err err = {0};
    CHECK_OK(solve(&p.nls, &options, x, &result, &err), err);
    CHECK(result.stop == SAL_STOP_CONVERGED);
    CHECK(result.violation <= 1);
    CHECK_NEAR(stationarity(&p, x), 0, 1e-3);
    printf(
        "     %d linearisations (%d project, %d polish), %d evaluations, cost %g, violation %g\n",
        result.linearisations, result.projection_steps, result.polish_steps, result.evaluations,
        result.cost, result.violation);
    CHECK(result.linearisations < 100);
}

static void threads_change_no_bit(void)
{
    double x[3][2 * BEADS + 1];
    sal_optim_result result[3];
    sal_err err = {0};
    for (int k = 0; k < 3; k++) {
        bead p;
        make_bead(&p, x[k]);
        sal_optim_options options;
        sal_optim_defaults(&options);
        options.nthread = k + 1;
        CHECK_OK(solve(&p.nls, &options, x[k], &result[k], &err), err);
        CHECK(memcmp(x[k], x[0], sizeof x[0]) == 0);
        CHECK(result[k].evaluations == result[0].evaluations);
    }
}

/* ---- time ---- */

static double ticks;

static double tick(void)
{
    return ++ticks;
}

/* Every tick of the clock, from the first to the last, belongs to some work. */
static void time_is_accounted_for(void)
{
    bead p;
    double x[2 * BEADS + 1], sum = 0;
    sal_clock clock = {.now = tick};
    sal_optim_options options;
    sal_optim_result result;
    sal_err err = {0};
    make_bead(&p, x);
    sal_optim_defaults(&options);
    p.nls.clock = &clock;
    ticks = 0;
    CHECK_OK(solve(&p.nls, &options, x, &result, &err), err);
    for (int k = 0; k < SAL_NWORK; k++) {
        CHECK(k == SAL_WORK_JACOBIANS ? clock.seconds[k] == 0 : clock.seconds[k] > 0);
        CHECK(strlen(sal_work_name((sal_work)k)) > 0);
        sum += clock.seconds[k];
    }
    CHECK_NEAR(sum, ticks - 1, 0);
    CHECK(clock.seconds[SAL_WORK_DERIVATIVES] >= result.linearisations);
    CHECK(clock.seconds[SAL_WORK_RESIDUALS] >= result.evaluations);
}

/* ---- memory ---- */

static void solves_do_not_allocate(void)
{
    bead p;
    double x[2 * BEADS + 1];
    make_bead(&p, x);
    sal_optim_options options;
    sal_optim_defaults(&options);
    sal_optim *optim = NULL;
    sal_optim_result result;
    sal_err err = {0};
    CHECK_OK(sal_optim_new(&optim, &p.nls, &options, &err), err);
    const long before = sal_alloc_count();
    for (int k = 0; k < 3; k++) {
        make_bead(&p, x);
        CHECK_OK(sal_solve(optim, x, &result, &err), err);
        CHECK_OK(sal_minimise(optim, x, &result, &err), err);
    }
    CHECK(sal_alloc_count() == before);
    sal_optim_free(optim);
}

/* Tries to create an optimizer whose n-th allocation fails. */
static sal_status create_failing(const sal_nls *nls, long n, sal_err *err)
{
    sal_optim_options options;
    sal_optim_defaults(&options);
    sal_optim *optim = NULL;
    sal_alloc_fail_at(n);
    const sal_status status = sal_optim_new(&optim, nls, &options, err);
    sal_alloc_fail_at(0);
    CHECK((optim == NULL) == (status != SAL_OK));
    sal_optim_free(optim);
    return status;
}

/* (That nothing leaks on the way is the leak sanitizer's to say, in the sanitized build.) */
static void every_failed_allocation_is_reported(void)
{
    bead p;
    double x[2 * BEADS + 1];
    make_bead(&p, x);
    sal_err err = {0};
    long n = 1;
    for (; n < 100 && create_failing(&p.nls, n, &err) != SAL_OK; n++) {
        CHECK(create_failing(&p.nls, n, &err) == SAL_NOMEM && err.code == SAL_NOMEM);
    }
    CHECK(n > 8 && n < 100);
}

/* ---- how a solve ends ---- */

static void above_zero(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[1];
    r[1] = x[0] * x[0] + 1;
}

/* x^2 + 1 = 0 has no solution; the least violation is at x = 0 */
static void infeasible_is_said(void)
{
    dense p;
    dense_problem(&p, above_zero, 2, 2, 1, 0);
    sal_optim_options options = plain_options();
    sal_optim_result result;
    sal_err err = {0};
    double x[2] = {1.5, 1};
    CHECK_OK(solve(&p.nls, &options, x, &result, &err), err);
    CHECK(result.stop == SAL_STOP_INFEASIBLE);
    CHECK_TEXT(sal_stop_text(result.stop), "infeasible");
    CHECK_NEAR(result.violation * 1e-9, 1, 1e-3);
}

static sal_status same_stage(void *ctx, double softness, double smoothing, double *x, sal_err *err)
{
    (void)ctx, (void)softness, (void)smoothing, (void)x, (void)err;
    return SAL_OK;
}

/* Where what is smoothed has nothing to do with it, it is not withdrawn in dozens of steps that
 * lead nowhere: a projection of three attempts. */
static void infeasible_whatever_is_smoothed(void)
{
    dense p;
    dense_problem(&p, above_zero, 2, 2, 1, 0);
    p.nls.stage = same_stage;
    sal_optim_options options = plain_options();
    sal_optim_result result;
    sal_err err = {0};
    double x[2] = {1.5, 1};
    CHECK_OK(solve(&p.nls, &options, x, &result, &err), err);
    CHECK(result.stop == SAL_STOP_INFEASIBLE);
    CHECK_NEAR(result.violation * 1e-9, 1, 1e-3);
    printf("     %d linearisations\n", result.linearisations);
    CHECK(result.linearisations < 60);
}

static void contradiction(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0];
    r[1] = x[0] - 1;
    r[2] = x[0];
}

static void contradiction_is_infeasible(void)
{
    dense p;
    dense_problem(&p, contradiction, 1, 3, 2, 0);
    sal_optim_options options = plain_options();
    sal_optim_result result;
    sal_err err = {0};
    double x[1] = {7};
    CHECK_OK(solve(&p.nls, &options, x, &result, &err), err);
    CHECK(result.stop == SAL_STOP_INFEASIBLE);
    CHECK_NEAR(x[0], 0.5, 1e-6);
}

static sal_status finite_only_at_one(void *ctx, double *r, const double *x, sal_err *err)
{
    (void)ctx;
    r[0] = x[0];
    return x[0] == 1 ? SAL_OK : sal_fail(err, SAL_DIVERGED, "not here");
}

static sal_status slope_at_one(void *ctx, double *r, double *J, const double *x, sal_err *err)
{
    J[0] = 1;
    return finite_only_at_one(ctx, r, x, err);
}

static void stalled_is_said(void)
{
    dense p;
    dense_problem(&p, plane, 1, 1, 1, 0);
    p.nls.residual = finite_only_at_one;
    p.nls.linearise = slope_at_one;
    sal_optim_options options = plain_options();
    sal_optim_result result;
    sal_err err = {0};
    double x[1] = {1};
    CHECK_OK(solve(&p.nls, &options, x, &result, &err), err);
    CHECK(result.stop == SAL_STOP_STALLED);
    CHECK_NEAR(x[0], 1, 0);
}

/* log x = 0 from 10: the first Gauss-Newton step leads to 10 - 10 log 10 < 0, where there is no
 * logarithm */
static void logarithm(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = creal(x[0]) > 0 ? clog(x[0]) : (cplx)NAN;
}

static void diverging_points_are_rejected(void)
{
    dense p;
    dense_problem(&p, logarithm, 1, 1, 0, 0);
    sal_optim_options options = plain_options();
    options.damping = 1e-9;
    sal_optim *optim = NULL;
    sal_optim_result result;
    sal_err err = {0};
    double x[1] = {10};
    CHECK_OK(sal_optim_new(&optim, &p.nls, &options, &err), err);
    CHECK_OK(sal_minimise(optim, x, &result, &err), err);
    CHECK(result.stop == SAL_STOP_CONVERGED);
    CHECK_NEAR(x[0], 1, 1e-8);
    x[0] = -1;
    CHECK(sal_minimise(optim, x, &result, &err) == SAL_DIVERGED);
    CHECK(result.stop == SAL_STOP_FAILED);
    sal_optim_free(optim);
}

static void limits_and_interruption_are_said(void)
{
    bead p;
    double x[2 * BEADS + 1];
    sal_optim_result result;
    sal_err err = {0};
    for (int limit = 1; limit < 60; limit += 7) {
        sal_optim_options options;
        sal_optim_defaults(&options);
        options.maxiter = limit;
        make_bead(&p, x);
        CHECK_OK(solve(&p.nls, &options, x, &result, &err), err);
        CHECK(result.linearisations <= limit);
        CHECK(result.stop == SAL_STOP_MAXITER || result.linearisations < limit);

        options.maxiter = 400;
        make_bead(&p, x);
        p.refuse_at = limit;
        CHECK_OK(solve(&p.nls, &options, x, &result, &err), err);
        CHECK(result.stop == SAL_STOP_INTERRUPTED || p.calls < limit);
        CHECK(p.calls <= limit);
        CHECK_NEAR(p.stiffness, 3e3, 1e-9); /* left at the final stage */
    }
    sal_optim_options options;
    sal_optim_defaults(&options);
    options.maxtime = 1e-6;
    make_bead(&p, x);
    CHECK_OK(solve(&p.nls, &options, x, &result, &err), err);
    CHECK(result.stop == SAL_STOP_MAXTIME);
}

/* ---- what the path does with its increments ---- */

static int linearised, diverge_at;

static sal_status bead_diverging(void *ctx, double *r, double *J, const double *x, sal_err *err)
{
    return ++linearised == diverge_at ? sal_fail(err, SAL_DIVERGED, "not here")
                                      : bead_linearise(ctx, r, J, x, err);
}

/* Where there are no derivatives the point is given up for the one before, and the solve goes on;
 * only the first point has none before. */
static void points_without_derivatives_are_rejected(void)
{
    for (diverge_at = 1; diverge_at <= 40; diverge_at += 3) {
        bead p;
        double x[2 * BEADS + 1];
        sal_optim_options options;
        sal_optim_result result;
        sal_err err = {0};
        make_bead(&p, x);
        p.nls.linearise = bead_diverging;
        sal_optim_defaults(&options);
        linearised = 0;
        const sal_status status = solve(&p.nls, &options, x, &result, &err);
        CHECK(status == (diverge_at == 1 ? SAL_DIVERGED : SAL_OK));
        CHECK(diverge_at == 1 || result.stop == SAL_STOP_CONVERGED);
    }
}

static sal_status bead_always_hard(void *ctx, double softness, double smoothing, double *x,
                                   sal_err *err)
{
    (void)softness;
    return bead_stage(ctx, 0.5, smoothing, x, err);
}

/* Increments that change nothing take no linearisation: as many as without a path, but for the
 * final stage and the projection's. */
static void increments_that_change_nothing_cost_nothing(void)
{
    int spent[2];
    for (int k = 0; k < 2; k++) {
        bead p;
        double x[2 * BEADS + 1];
        sal_optim_options options;
        sal_optim_result result;
        sal_err err = {0};
        make_bead(&p, x);
        p.nls.stage = bead_always_hard;
        sal_optim_defaults(&options);
        options.increments = k == 0 ? 1 : 1000;
        CHECK_OK(solve(&p.nls, &options, x, &result, &err), err);
        CHECK(result.stop == SAL_STOP_CONVERGED);
        spent[k] = result.linearisations;
    }
    CHECK(spent[1] == spent[0]);
}

/* From the solution, a path that begins late keeps near it. */
static void a_good_guess_may_begin_late(void)
{
    bead p;
    double x[2 * BEADS + 1];
    sal_optim_options options;
    sal_optim_result whole, late;
    sal_err err = {0};
    make_bead(&p, x);
    sal_optim_defaults(&options);
    CHECK_OK(solve(&p.nls, &options, x, &whole, &err), err);
    options.softness = 0.2;
    CHECK_OK(solve(&p.nls, &options, x, &late, &err), err);
    CHECK(late.stop == SAL_STOP_CONVERGED && 2 * late.linearisations < whole.linearisations);
    CHECK_NEAR(late.cost, whole.cost, 2e-3 * whole.cost);
}

static sal_status failing(void *ctx, double *r, const double *x, sal_err *err)
{
    (void)ctx, (void)r, (void)x;
    return sal_fail(err, SAL_FULL, "too many contacts");
}

static void faults_of_callbacks_come_back(void)
{
    dense p;
    dense_problem(&p, plane, 3, 1, 1, 0);
    p.nls.residual = failing;
    sal_optim_options options = plain_options();
    sal_optim_result result;
    sal_err err = {0};
    double x[3] = {0};
    CHECK(solve(&p.nls, &options, x, &result, &err) == SAL_FULL);
    CHECK_TEXT(err.message, "too many contacts");
    CHECK(result.stop == SAL_STOP_FAILED);
}

static void bad_problems_are_refused(void)
{
    dense p;
    sal_optim_options options = plain_options();
    sal_optim *optim = NULL;
    sal_err err = {0};
    dense_problem(&p, plane, 3, 1, 1, 0);
    p.col[2] = 1;
    CHECK(sal_optim_new(&optim, &p.nls, &options, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "block 0 lists variable 1 twice; each variable must be listed once");
    p.col[2] = 3;
    CHECK(sal_optim_new(&optim, &p.nls, &options, &err) == SAL_BADINPUT);
    dense_problem(&p, plane, 3, 1, 1, 0);
    p.seg[1].tol = 0;
    CHECK(sal_optim_new(&optim, &p.nls, &options, &err) == SAL_BADINPUT);
    dense_problem(&p, plane, 3, 1, 1, 0);
    p.block.nres = 2;
    CHECK(sal_optim_new(&optim, &p.nls, &options, &err) == SAL_BADINPUT);
    CHECK(optim == NULL);
}

int main(void)
{
    sal_parallel_share = 0; /* however small a loop is, all threads are at it */
    RUN(rotations_find_the_geodesic);
    RUN(nearest_point_of_a_sphere);
    RUN(projection_is_the_shortest_way);
    RUN(path_ends_at_a_constrained_optimum);
    RUN(threads_change_no_bit);
    RUN(time_is_accounted_for);
    RUN(solves_do_not_allocate);
    RUN(every_failed_allocation_is_reported);
    RUN(infeasible_is_said);
    RUN(infeasible_whatever_is_smoothed);
    RUN(contradiction_is_infeasible);
    RUN(stalled_is_said);
    RUN(diverging_points_are_rejected);
    RUN(limits_and_interruption_are_said);
    RUN(points_without_derivatives_are_rejected);
    RUN(increments_that_change_nothing_cost_nothing);
    RUN(a_good_guess_may_begin_late);
    RUN(faults_of_callbacks_come_back);
    RUN(bad_problems_are_refused);
    return check_done();
}
