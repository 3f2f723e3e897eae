/* Published fits (NIST, Statistical Reference Datasets, Nonlinear Regression,
 * https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml): certified estimates, their standard
 * deviations and the sum of squares, found by members that each have some of the observations and a
 * chain of nuisance variables in between.
 *
 *     u_t = x_t + x_{t-1}/2 - x_{t-2}/4,   cost = sum_t (y_t - u_t)^2 + (u_t - f_t(p))^2:
 *     the least over u is (y_t - f_t)^2 / 2
 *
 * so that estimates are those without x, and S is J'J of the regression, all of whose parameters
 * are positive: their logarithms vary. */
#include "tests/check.h"

#include "optim/optim.h"

#include <lapacke.h>

#include <complex.h>

typedef double complex cplx;

enum { OBSERVATIONS = 24, PARAMETERS = 6, MEMBERS = 3, WIDTH = 3 };

typedef struct regression {
    const char *name;
    cplx (*model)(const cplx *b, double x);
    int n, nparameter;
    double y[OBSERVATIONS], x[OBSERVATIONS];
    double start[2][PARAMETERS], certified[PARAMETERS], deviation[PARAMETERS];
    double squares; /* residual sum of */
} regression;

static cplx misra1a(const cplx *b, double x)
{
    return b[0] * (1 - cexp(-b[1] * x));
}

static cplx lanczos(const cplx *b, double x)
{
    return b[0] * cexp(-b[1] * x) + b[2] * cexp(-b[3] * x) + b[4] * cexp(-b[5] * x);
}

static cplx rat42(const cplx *b, double x)
{
    return b[0] / (1 + cexp(b[1] - b[2] * x));
}

static const regression regressions[] = {
    {.name = "Misra1a",
     .model = misra1a,
     .n = 14,
     .nparameter = 2,
     .y = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40,
           75.47, 81.78},
     .x = {77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1,
           760.0},
     .start = {{500, 0.0001}, {250, 0.0005}},
     .certified = {2.3894212918E+02, 5.5015643181E-04},
     .deviation = {2.7070075241E+00, 7.2668688436E-06},
     .squares = 1.2455138894E-01},
    {.name = "BoxBOD",
     .model = misra1a,
     .n = 6,
     .nparameter = 2,
     .y = {109, 149, 149, 191, 213, 224},
     .x = {1, 2, 3, 5, 7, 10},
     .start = {{1, 1}, {100, 0.75}},
     .certified = {2.1380940889E+02, 5.4723748542E-01},
     .deviation = {1.2354515176E+01, 1.0455993237E-01},
     .squares = 1.1680088766E+03},
    {.name = "Rat42",
     .model = rat42,
     .n = 9,
     .nparameter = 3,
     .y = {8.930, 10.800, 18.590, 22.330, 39.350, 56.110, 61.730, 64.620, 67.080},
     .x = {9, 14, 21, 28, 42, 57, 63, 70, 79},
     .start = {{100, 1, 0.1}, {75, 2.5, 0.07}},
     .certified = {7.2462237576E+01, 2.6180768402E+00, 6.7359200066E-02},
     .deviation = {1.7340283401E+00, 8.8295217536E-02, 3.4465663377E-03},
     .squares = 8.0565229338E+00},
    {.name = "Lanczos3",
     .model = lanczos,
     .n = 24,
     .nparameter = 6,
     .y = {2.5134, 2.0443, 1.6684, 1.3664, 1.1232, 0.9269, 0.7679, 0.6389,
           0.5338, 0.4479, 0.3776, 0.3197, 0.2720, 0.2325, 0.1997, 0.1723,
           0.1493, 0.1301, 0.1138, 0.1000, 0.0883, 0.0783, 0.0698, 0.0624},
     .x = {.00, .05, .10, .15, .20, .25, .30, .35, .40, .45,  .50, .55,
           .60, .65, .70, .75, .80, .85, .90, .95, 1.0, 1.05, 1.1, 1.15},
     .start = {{1.2, 0.3, 5.6, 5.5, 6.5, 7.6}, {0.5, 0.7, 3.6, 4.2, 4, 6.3}},
     .certified = {8.6816414977E-02, 9.5498101505E-01, 8.4400777463E-01, 2.9515951832E+00,
                   1.5825685901E+00, 4.9863565084E+00},
     .deviation = {1.7197908859E-02, 9.7041624475E-02, 4.1488663282E-02, 1.0766312506E-01,
                   5.8371576281E-02, 3.4436403035E-02},
     .squares = 1.6117193594E-08},
};

/* ---- as members ---- */

typedef struct split {
    const regression *g;
    sal_member member[MEMBERS];
    sal_joint_nls nls;
} split;

/* Observation t of a member */
static int observation(int member, int t)
{
    return member + MEMBERS * t;
}

static const double mix[WIDTH] = {-.25, .5, 1};

static double mixed(const double *x, int t)
{
    return mix[2] * x[t] + (t > 0 ? mix[1] * x[t - 1] : 0) + (t > 1 ? mix[0] * x[t - 2] : 0);
}

static void retract(void *ctx, int member, double *out, const double *x, const double *d)
{
    const split *s = ctx;
    for (int i = 0; i < s->member[member].nx; i++) {
        out[i] = x[i] + d[i];
    }
}

static const sal_norm quadratic = {SAL_NORM_QUADRATIC, 0, 0};

static const double STEP = 1e-100;

/* f and its slope by the logarithms of the parameters */
static double model(const split *s, int k, const double *p, double *slope)
{
    const regression *g = s->g;
    cplx b[PARAMETERS];
    double f = 0;
    for (int j = 0; j <= g->nparameter; j++) { /* complex steps, then the value */
        for (int i = 0; i < g->nparameter; i++) {
            b[i] = cexp(p[i] + (i == j ? STEP : 0) * (cplx)I);
        }
        const cplx z = g->model(b, g->x[k]);
        f = creal(z);
        if (j < g->nparameter) {
            slope[j] = cimag(z) / STEP;
        }
    }
    return f;
}

static sal_status value(void *ctx, int worker, int member, const double *x, const double *p,
                        double *cost, sal_err *err)
{
    const split *s = ctx;
    double slope[PARAMETERS];
    (void)worker, (void)err;
    *cost = 0;
    for (int t = 0; t < s->member[member].nx; t++) {
        const int k = observation(member, t);
        const double r = s->g->y[k] - mixed(x, t), q = mixed(x, t) - model(s, k, p, slope);
        *cost += r * r + q * q;
    }
    return SAL_OK;
}

static sal_status linearise(void *ctx, int worker, int member, const double *x, const double *p,
                            sal_normal *a, sal_err *err)
{
    const split *s = ctx;
    static const double J[WIDTH] = {.25, -.5, -1};
    double slope[PARAMETERS];
    (void)worker, (void)err;
    for (int t = 0; t < s->member[member].nx; t++) {
        const int k = observation(member, t);
        const double q = mixed(x, t) - model(s, k, p, slope), r = s->g->y[k] - mixed(x, t);
        for (int i = 0; i < s->g->nparameter; i++) {
            slope[i] = -slope[i];
        }
        sal_normal_add(a, &quadratic, 2, 1, &r, &(sal_slopes){J, t - 2, WIDTH, NULL});
        sal_normal_add(a, &quadratic, 2, 1, &q, &(sal_slopes){mix, t - 2, WIDTH, slope});
    }
    return SAL_OK;
}

static void make(split *s, const regression *g)
{
    *s = (split){.g = g};
    for (int i = 0; i < MEMBERS; i++) {
        const int n = (g->n - i + MEMBERS - 1) / MEMBERS;
        s->member[i] = (sal_member){n, n, 1, 0};
    }
    s->nls = (sal_joint_nls){.ctx = s,
                             .nmember = MEMBERS,
                             .member = s->member,
                             .nshared = g->nparameter,
                             .retract = retract,
                             .value = value,
                             .linearise = linearise};
}

/* ---- the account ---- */

/* sqrt(s^2 (J'J)^-1_kk), s^2 = squares / (n - number of parameters) */
static void check_deviations(const split *s, sal_joint *j, const double *x, const double *p)
{
    const int n = s->g->nparameter;
    double S[MEMBERS][PARAMETERS * PARAMETERS], score[MEMBERS * PARAMETERS], cost[MEMBERS];
    double sum[PARAMETERS * PARAMETERS] = {0}, all[MEMBERS * PARAMETERS * PARAMETERS];
    sal_err err;
    CHECK_OK(sal_joint_information(j, x, p, all, score, cost, &err), err);
    for (int i = 0; i < MEMBERS; i++) {
        memcpy(S[i], all + i * n * n, (size_t)(n * n) * sizeof(double));
        for (int k = 0; k < n * n; k++) {
            sum[k] += S[i][k];
        }
    }
    const double squares = 2 * (cost[0] + cost[1] + cost[2]);
    CHECK_NEAR(squares, s->g->squares, 1e-7 * s->g->squares);
    CHECK(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'U', n, sum, n) == 0);
    CHECK(LAPACKE_dpotri(LAPACK_ROW_MAJOR, 'U', n, sum, n) == 0);
    for (int k = 0; k < n; k++) {
        const double deviation = exp(p[k]) * sqrt(squares / (s->g->n - n) * sum[k * n + k]);
        CHECK_NEAR(deviation, s->g->deviation[k], 1e-6 * s->g->deviation[k]);
    }
}

static int solve(const regression *g, int start)
{
    split s;
    sal_joint *j;
    sal_err err;
    sal_joint_stage stage;
    sal_joint_result found;
    double x[OBSERVATIONS] = {0}, p[PARAMETERS];
    make(&s, g);
    for (int k = 0; k < g->nparameter; k++) {
        p[k] = log(g->start[start][k]);
    }
    sal_joint_stage_defaults(&stage);
    stage.cap_x = 1e9;
    stage.tolerance = 1e-14;
    stage.maxiter = 300;
    CHECK_OK(sal_joint_new(&j, &s.nls, 1, &err), err);
    CHECK_OK(sal_joint_minimise(j, x, p, &stage, &found, &err), err);
    CHECK(found.stop == SAL_STOP_CONVERGED);
    for (int k = 0; k < g->nparameter; k++) {
        CHECK_NEAR(exp(p[k]), g->certified[k], 1e-6 * g->certified[k]);
    }
    check_deviations(&s, j, x, p);
    sal_joint_free(j);
    return found.linearisations;
}

static void certified_estimates_and_deviations(void)
{
    for (size_t i = 0; i < sizeof regressions / sizeof *regressions; i++) {
        for (int start = 0; start < 2; start++) {
            const int n = solve(&regressions[i], start);
            printf("     %s, start %d: %d linearisations\n", regressions[i].name, start + 1, n);
        }
    }
}

int main(void)
{
    RUN(certified_estimates_and_deviations);
    return check_done();
}
