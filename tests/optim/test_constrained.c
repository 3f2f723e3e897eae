/* Problems of Hock, Schittkowski, "Test examples for nonlinear programming codes" (1981), whose objective is a sum of squares (or becomes
 * one by completing squares), numbered as there, with their published optima. Residuals: square roots of the objective's terms,
 * then equalities c = 0, then inequalities c >= 0 as the excess -c. */
#include "tests/check.h"
#include "tests/optim/dense_problem.h"

#define SQ(a) ((a) * (a))

static void hs1(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = 10 * (x[1] - SQ(x[0]));
    r[1] = 1 - x[0];
    r[2] = -(x[1] + 1.5);
}

static void hs6(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = 1 - x[0];
    r[1] = 10 * (x[1] - SQ(x[0]));
}

static void hs14(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] - 2;
    r[1] = x[1] - 1;
    r[2] = x[0] - 2 * x[1] + 1;
    r[3] = -(1 - SQ(x[0]) / 4 - SQ(x[1]));
}

static void hs21(cplx *r, const cplx *x, int n, int m) /* + 100 */
{
    (void)n, (void)m;
    r[0] = x[0] / 10;
    r[1] = x[1];
    r[2] = -(10 * x[0] - x[1] - 10);
    r[3] = 2 - x[0];
    r[4] = x[0] - 50;
    r[5] = -50 - x[1];
    r[6] = x[1] - 50;
}

static void hs22(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] - 2;
    r[1] = x[1] - 1;
    r[2] = x[0] + x[1] - 2;
    r[3] = SQ(x[0]) - x[1];
}

static void hs26(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] - x[1];
    r[1] = SQ(x[1] - x[2]);
    r[2] = (1 + SQ(x[1])) * x[0] + SQ(SQ(x[2])) - 3;
}

static void hs27(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = (x[0] - 1) / 10;
    r[1] = x[1] - SQ(x[0]);
    r[2] = x[0] + SQ(x[2]) + 1;
}

static void hs28(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] + x[1];
    r[1] = x[1] + x[2];
    r[2] = x[0] + 2 * x[1] + 3 * x[2] - 1;
}

static void hs30(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    for (int i = 0; i < 3; i++) {
        r[i] = x[i];
        r[5 + i] = x[i] - 10;
    }
    r[3] = -(SQ(x[0]) + SQ(x[1]) - 1);
    r[4] = 1 - x[0];
}

static void hs31(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = 3 * x[0];
    r[1] = x[1];
    r[2] = 3 * x[2];
    r[3] = -(x[0] * x[1] - 1);
    r[4] = x[1] - 10;
    r[5] = 1 - x[1];
    r[6] = x[2] - 1;
}

static void hs32(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] + 3 * x[1] + x[2];
    r[1] = 2 * (x[0] - x[1]);
    r[2] = 1 - x[0] - x[1] - x[2];
    r[3] = -(6 * x[1] + 4 * x[2] - x[0] * SQ(x[0]) - 3);
    for (int i = 0; i < 3; i++) {
        r[4 + i] = -x[i];
    }
}

static void hs42(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    for (int i = 0; i < 4; i++) {
        r[i] = x[i] - (i + 1);
    }
    r[4] = x[0] - 2;
    r[5] = SQ(x[2]) + SQ(x[3]) - 2;
}

static void hs43(cplx *r, const cplx *x, int n, int m) /* + 79.875 */
{
    (void)n, (void)m;
    r[0] = x[0] - 2.5;
    r[1] = x[1] - 2.5;
    r[2] = sqrt(2) * (x[2] - 5.25);
    r[3] = x[3] + 3.5;
    r[4] = -(8 - SQ(x[0]) - SQ(x[1]) - SQ(x[2]) - SQ(x[3]) - x[0] + x[1] - x[2] + x[3]);
    r[5] = -(10 - SQ(x[0]) - 2 * SQ(x[1]) - SQ(x[2]) - 2 * SQ(x[3]) + x[0] + x[3]);
    r[6] = -(5 - 2 * SQ(x[0]) - SQ(x[1]) - SQ(x[2]) - 2 * x[0] + x[1] + x[3]);
}

static void hs46(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] - x[1];
    r[1] = x[2] - 1;
    r[2] = SQ(x[3] - 1);
    r[3] = SQ(x[4] - 1) * (x[4] - 1);
    r[4] = SQ(x[0]) * x[3] + csin(x[3] - x[4]) - 1;
    r[5] = x[1] + SQ(SQ(x[2])) * SQ(x[3]) - 2;
}

static void hs48(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] - 1;
    r[1] = x[1] - x[2];
    r[2] = x[3] - x[4];
    r[3] = x[0] + x[1] + x[2] + x[3] + x[4] - 5;
    r[4] = x[2] - 2 * (x[3] + x[4]) + 3;
}

static void hs49(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] - x[1];
    r[1] = x[2] - 1;
    r[2] = SQ(x[3] - 1);
    r[3] = SQ(x[4] - 1) * (x[4] - 1);
    r[4] = x[0] + x[1] + x[2] + 4 * x[3] - 7;
    r[5] = x[2] + 5 * x[4] - 6;
}

static void hs50(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] - x[1];
    r[1] = x[1] - x[2];
    r[2] = SQ(x[2] - x[3]);
    r[3] = x[3] - x[4];
    for (int i = 0; i < 3; i++) {
        r[4 + i] = x[i] + 2 * x[i + 1] + 3 * x[i + 2] - 6;
    }
}

static void hs51(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] - x[1];
    r[1] = x[1] + x[2] - 2;
    r[2] = x[3] - 1;
    r[3] = x[4] - 1;
    r[4] = x[0] + 3 * x[1] - 4;
    r[5] = x[2] + x[3] - 2 * x[4];
    r[6] = x[1] - x[4];
}

static void hs52(cplx *r, const cplx *x, int n, int m)
{
    hs51(r, x, n, m);
    r[0] = 4 * x[0] - x[1];
    r[4] = x[0] + 3 * x[1];
}

static void hs53(cplx *r, const cplx *x, int n, int m)
{
    hs51(r, x, n, m);
    r[4] = x[0] + 3 * x[1];
    for (int i = 0; i < 5; i++) {
        r[7 + 2 * i] = x[i] - 10;
        r[8 + 2 * i] = -10 - x[i];
    }
}

static void hs60(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] - 1;
    r[1] = x[0] - x[1];
    r[2] = SQ(x[1] - x[2]);
    r[3] = x[0] * (1 + SQ(x[1])) + SQ(SQ(x[2])) - 4 - 3 * sqrt(2);
    for (int i = 0; i < 3; i++) {
        r[4 + 2 * i] = x[i] - 10;
        r[5 + 2 * i] = -10 - x[i];
    }
}

static void hs61(cplx *r, const cplx *x, int n, int m) /* + 172.0625 */
{
    (void)n, (void)m;
    r[0] = 2 * (x[0] - 33.0 / 8);
    r[1] = sqrt(2) * (x[1] + 4);
    r[2] = sqrt(2) * (x[2] - 6);
    r[3] = 3 * x[0] - 2 * SQ(x[1]) - 7;
    r[4] = 4 * x[0] - SQ(x[2]) - 11;
}

static void hs65(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] - x[1];
    r[1] = (x[0] + x[1] - 10) / 3;
    r[2] = x[2] - 5;
    r[3] = -(48 - SQ(x[0]) - SQ(x[1]) - SQ(x[2]));
    for (int i = 0; i < 3; i++) {
        const double bound = i < 2 ? 4.5 : 5;
        r[4 + 2 * i] = x[i] - bound;
        r[5 + 2 * i] = -bound - x[i];
    }
}

static void hs77(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] - 1;
    r[1] = x[0] - x[1];
    r[2] = x[2] - 1;
    r[3] = SQ(x[3] - 1);
    r[4] = SQ(x[4] - 1) * (x[4] - 1);
    r[5] = SQ(x[0]) * x[3] + csin(x[3] - x[4]) - 2 * sqrt(2);
    r[6] = x[1] + SQ(SQ(x[2])) * SQ(x[3]) - 8 - sqrt(2);
}

static void hs79(cplx *r, const cplx *x, int n, int m)
{
    (void)n, (void)m;
    r[0] = x[0] - 1;
    r[1] = x[0] - x[1];
    r[2] = x[1] - x[2];
    r[3] = SQ(x[2] - x[3]);
    r[4] = SQ(x[3] - x[4]);
    r[5] = x[0] + SQ(x[1]) + x[2] * SQ(x[2]) - 2 - 3 * sqrt(2);
    r[6] = x[1] - SQ(x[2]) + x[3] + 2 - 2 * sqrt(2);
    r[7] = x[0] * x[4] - 2;
}

typedef struct problem {
    const char *name;
    residual_fn residual;
    int n, terms, equalities, ranges;
    double start[5];
    double optimum;
    double
        tolerance; /* absolute: printed digits, or what a minimum with a singular Hessian allows */
} problem;

static const problem problems[] = {
    {"1",  hs1,  2, 2, 0, 1,  {-2, 1},                               0,                      1e-9},
    {"6",  hs6,  2, 1, 1, 0,  {-1.2, 1},                             0,                      1e-9},
    {"14", hs14, 2, 2, 1, 1,  {2, 2},                                1.3934649806,           1e-7},
    {"21", hs21, 2, 2, 0, 5,  {-1, -1},                              0.04,                   1e-9},
    {"22", hs22, 2, 2, 0, 2,  {2, 2},                                1,                      1e-7},
    {"26", hs26, 3, 2, 1, 0,  {-2.6, 2, 2},                          0,                      1e-6},
    {"27", hs27, 3, 2, 1, 0,  {2, 2, 2},                             0.04,                   1e-7},
    {"28", hs28, 3, 2, 1, 0,  {-4, 1, 1},                            0,                      1e-9},
    {"30", hs30, 3, 3, 0, 5,  {1, 1, 1},                             1,                      1e-6},
    {"31", hs31, 3, 3, 0, 4,  {1, 1, 1},                             6,                      1e-6},
    {"32", hs32, 3, 2, 1, 4,  {.1, .7, .2},                          1,                      1e-7},
    {"42", hs42, 4, 4, 2, 0,  {1, 1, 1, 1},                          13.8578643763,          1e-6},
    {"43", hs43, 4, 4, 0, 3,  {0, 0, 0, 0},                          79.875 - 44,            1e-6},
    {"46", hs46, 5, 4, 2, 0,  {0.70710678118654752, 1.75, .5, 2, 2}, 0,                      1e-6},
    {"48", hs48, 5, 3, 2, 0,  {3, 5, -3, 2, -2},                     0,                      1e-9},
    {"49", hs49, 5, 4, 2, 0,  {10, 7, 2, -3, .8},                    0,                      1e-6},
    {"50", hs50, 5, 4, 3, 0,  {35, -31, 11, 5, -5},                  0,                      1e-6},
    {"51", hs51, 5, 4, 3, 0,  {2.5, .5, 2, -1, .5},                  0,                      1e-9},
    {"52", hs52, 5, 4, 3, 0,  {2, 2, 2, 2, 2},                       1859.0 / 349,           1e-7},
    {"53", hs53, 5, 4, 3, 10, {2, 2, 2, 2, 2},                       176.0 / 43,             1e-7},
    {"60", hs60, 3, 3, 1, 6,  {2, 2, 2},                             0.03256820025,          1e-8},
    {"61", hs61, 3, 3, 2, 0,  {0, 0, 0},                             172.0625 - 143.6461422, 1e-6},
    {"65", hs65, 3, 3, 0, 7,  {-5, 5, 0},                            0.9535288567,           1e-7},
    {"77", hs77, 5, 5, 2, 0,  {2, 2, 2, 2, 2},                       0.24150512879,          1e-7},
    {"79", hs79, 5, 5, 3, 0,  {2, 2, 2, 2, 2},                       0.0787768208,           1e-7},
};

static void solve(const problem *p)
{
    dense d;
    dense_problem(&d, p->residual, p->n, p->terms + p->equalities + p->ranges, p->equalities,
                  p->ranges);
    sal_optim_options options;
    sal_optim_defaults(&options);
    options.cap = 0;
    options.damping = 1e-2;
    options.damping_floor = 0;
    options.tolerance = 1e-9;
    sal_optim *optim = NULL;
    sal_err err = {0};
    sal_optim_result result = {0};
    double x[5];
    memcpy(x, p->start, sizeof x);
    CHECK_OK(sal_optim_new(&optim, &d.nls, &options, &err), err);
    CHECK_OK(sal_solve(optim, x, &result, &err), err);
    sal_optim_free(optim);

    const int faults = check_case_faults;
    CHECK_NEAR(2 * result.cost, p->optimum, p->tolerance);
    CHECK(result.violation <= 1);
    CHECK(result.stop == SAL_STOP_CONVERGED);
    printf("     HS%-3s %13.10g  violation %8.1e  %3d linearisations (%d project, %d polish) %4d "
           "evaluations  %s%s\n",
           p->name, 2 * result.cost, result.violation, result.linearisations,
           result.projection_steps, result.polish_steps, result.evaluations,
           sal_stop_text(result.stop), check_case_faults > faults ? "  <--" : "");
}

static void published_optima_are_found(void)
{
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
        solve(&problems[i]);
    }
}

int main(void)
{
    RUN(published_optima_are_found);
    return check_done();
}
