/* The least-squares problems of More, Garbow, Hillstrom, "Testing unconstrained optimization
 * software", ACM TOMS 7 (1981), 17-41, numbered as there, with the optimal sums of squares
 * published there. */
#include "tests/check.h"
#include "tests/optim/dense_problem.h"

static void rosenbrock(cplx *r, const cplx *x, int n, int m) /* 1, 21 */
{
    (void)m;
    for (int i = 0; i < n; i += 2) {
        r[i] = 10 * (x[i + 1] - x[i] * x[i]);
        r[i + 1] = 1 - x[i];
    }
}

static void freudenstein_roth(cplx *r, const cplx *x, int n, int m) /* 2 */
{
    (void)n, (void)m;
    r[0] = -13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1];
    r[1] = -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1];
}

static void powell_badly_scaled(cplx *r, const cplx *x, int n, int m) /* 3 */
{
    (void)n, (void)m;
    r[0] = 1e4 * x[0] * x[1] - 1;
    r[1] = cexp(-x[0]) + cexp(-x[1]) - 1.0001;
}

static void brown_badly_scaled(cplx *r, const cplx *x, int n, int m) /* 4 */
{
    (void)n, (void)m;
    r[0] = x[0] - 1e6;
    r[1] = x[1] - 2e-6;
    r[2] = x[0] * x[1] - 2;
}

static void beale(cplx *r, const cplx *x, int n, int m) /* 5 */
{
    (void)n, (void)m;
    r[0] = 1.5 - x[0] * (1 - x[1]);
    r[1] = 2.25 - x[0] * (1 - x[1] * x[1]);
    r[2] = 2.625 - x[0] * (1 - x[1] * x[1] * x[1]);
}

static void jennrich_sampson(cplx *r, const cplx *x, int n, int m) /* 6 */
{
    (void)n;
    for (int i = 1; i <= m; i++) {
        r[i - 1] = 2 + 2 * i - (cexp(i * x[0]) + cexp(i * x[1]));
    }
}

static void helical_valley(cplx *r, const cplx *x, int n, int m) /* 7 */
{
    (void)n, (void)m;
    const cplx turn = catan(x[1] / x[0]) / (2 * acos(-1)) + (creal(x[0]) < 0 ? 0.5 : 0);
    r[0] = 10 * (x[2] - 10 * turn);
    r[1] = 10 * (csqrt(x[0] * x[0] + x[1] * x[1]) - 1);
    r[2] = x[2];
}

static void bard(cplx *r, const cplx *x, int n, int m) /* 8 */
{
    static const double y[] = {.14, .18, .22, .25, .29,  .32,  .35, .39,
                               .37, .58, .73, .96, 1.34, 2.10, 4.39};
    (void)n;
    for (int i = 0; i < m; i++) {
        const double u = i + 1, v = 15 - i, w = fmin(u, v);
        r[i] = y[i] - (x[0] + u / (v * x[1] + w * x[2]));
    }
}

static void gaussian(cplx *r, const cplx *x, int n, int m) /* 9 */
{
    static const double y[] = {.0009, .0044, .0175, .0540, .1295, .2420, .3521, .3989,
                               .3521, .2420, .1295, .0540, .0175, .0044, .0009};
    (void)n;
    for (int i = 0; i < m; i++) {
        const cplx t = (7 - i) / 2.0 - x[2];
        r[i] = x[0] * cexp(-x[1] * t * t / 2) - y[i];
    }
}

static void meyer(cplx *r, const cplx *x, int n, int m) /* 10 */
{
    static const double y[] = {34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744,
                               8261,  7030,  6005,  5147,  4427,  3820,  3307,  2872};
    (void)n;
    for (int i = 0; i < m; i++) {
        r[i] = x[0] * cexp(x[1] / (50 + 5 * i + x[2])) - y[i];
    }
}

static void gulf(cplx *r, const cplx *x, int n, int m) /* 11 */
{
    (void)n;
    for (int i = 1; i <= m; i++) {
        const double t = i / 100.0, y = 25 + pow(-50 * log(t), 2.0 / 3);
        const cplx gap = y - x[1], length = creal(gap) < 0 ? -gap : gap;
        r[i - 1] = cexp(-cpow(length, x[2]) / x[0]) - t;
    }
}

static void box(cplx *r, const cplx *x, int n, int m) /* 12 */
{
    (void)n;
    for (int i = 1; i <= m; i++) {
        const double t = 0.1 * i;
        r[i - 1] = cexp(-t * x[0]) - cexp(-t * x[1]) - x[2] * (exp(-t) - exp(-10 * t));
    }
}

static void powell_singular(cplx *r, const cplx *x, int n, int m) /* 13, 22 */
{
    (void)m;
    for (int i = 0; i < n; i += 4) {
        r[i] = x[i] + 10 * x[i + 1];
        r[i + 1] = sqrt(5) * (x[i + 2] - x[i + 3]);
        r[i + 2] = (x[i + 1] - 2 * x[i + 2]) * (x[i + 1] - 2 * x[i + 2]);
        r[i + 3] = sqrt(10) * (x[i] - x[i + 3]) * (x[i] - x[i + 3]);
    }
}

static void wood(cplx *r, const cplx *x, int n, int m) /* 14 */
{
    (void)n, (void)m;
    r[0] = 10 * (x[1] - x[0] * x[0]);
    r[1] = 1 - x[0];
    r[2] = sqrt(90) * (x[3] - x[2] * x[2]);
    r[3] = 1 - x[2];
    r[4] = sqrt(10) * (x[1] + x[3] - 2);
    r[5] = (x[1] - x[3]) / sqrt(10);
}

static void kowalik_osborne(cplx *r, const cplx *x, int n, int m) /* 15 */
{
    static const double y[] = {.1957, .1947, .1735, .1600, .0844, .0627,
                               .0456, .0342, .0323, .0235, .0246};
    static const double u[] = {4, 2, 1, .5, .25, .167, .125, .1, .0833, .0714, .0625};
    (void)n;
    for (int i = 0; i < m; i++) {
        r[i] = y[i] - x[0] * (u[i] * u[i] + u[i] * x[1]) / (u[i] * u[i] + u[i] * x[2] + x[3]);
    }
}

static void brown_dennis(cplx *r, const cplx *x, int n, int m) /* 16 */
{
    (void)n;
    for (int i = 1; i <= m; i++) {
        const double t = i / 5.0;
        const cplx a = x[0] + t * x[1] - exp(t), b = x[2] + x[3] * sin(t) - cos(t);
        r[i - 1] = a * a + b * b;
    }
}

static void osborne_1(cplx *r, const cplx *x, int n, int m) /* 17 */
{
    static const double y[] = {.844, .908, .932, .936, .925, .908, .881, .850, .818, .784, .751,
                               .718, .685, .658, .628, .603, .580, .558, .538, .522, .506, .490,
                               .478, .467, .457, .448, .438, .431, .424, .420, .414, .411, .406};
    (void)n;
    for (int i = 0; i < m; i++) {
        const double t = 10.0 * i;
        r[i] = y[i] - (x[0] + x[1] * cexp(-t * x[3]) + x[2] * cexp(-t * x[4]));
    }
}

static void biggs_exp6(cplx *r, const cplx *x, int n, int m) /* 18 */
{
    (void)n;
    for (int i = 1; i <= m; i++) {
        const double t = 0.1 * i, y = exp(-t) - 5 * exp(-10 * t) + 3 * exp(-4 * t);
        r[i - 1] = x[2] * cexp(-t * x[0]) - x[3] * cexp(-t * x[1]) + x[5] * cexp(-t * x[4]) - y;
    }
}

static void osborne_2(cplx *r, const cplx *x, int n, int m) /* 19 */
{
    static const double y[] = {1.366, 1.191, 1.112, 1.013, .991, .885, .831, .847, .786, .725, .746,
                               .679,  .608,  .655,  .616,  .606, .602, .626, .651, .724, .649, .649,
                               .694,  .644,  .624,  .661,  .612, .558, .533, .495, .500, .423, .395,
                               .375,  .372,  .391,  .396,  .405, .428, .429, .523, .562, .607, .653,
                               .672,  .708,  .633,  .668,  .645, .632, .591, .559, .597, .625, .739,
                               .710,  .729,  .720,  .636,  .581, .428, .292, .162, .098, .054};
    (void)n;
    for (int i = 0; i < m; i++) {
        const double t = i / 10.0;
        r[i] = y[i] - x[0] * cexp(-t * x[4]);
        for (int k = 0; k < 3; k++) {
            r[i] -= x[1 + k] * cexp(-(t - x[8 + k]) * (t - x[8 + k]) * x[5 + k]);
        }
    }
}

static void watson(cplx *r, const cplx *x, int n, int m) /* 20 */
{
    (void)m;
    for (int i = 1; i <= 29; i++) {
        const double t = i / 29.0;
        cplx sum = 0, slope = 0;
        for (int j = n - 1; j >= 0; j--) {
            sum = sum * t + x[j];
        }
        for (int j = n - 1; j >= 1; j--) {
            slope = slope * t + j * x[j];
        }
        r[i - 1] = slope - sum * sum - 1;
    }
    r[29] = x[0];
    r[30] = x[1] - x[0] * x[0] - 1;
}

static void variably_dimensioned(cplx *r, const cplx *x, int n, int m) /* 25 */
{
    (void)m;
    cplx sum = 0;
    for (int i = 0; i < n; i++) {
        r[i] = x[i] - 1;
        sum += (i + 1) * (x[i] - 1);
    }
    r[n] = sum;
    r[n + 1] = sum * sum;
}

static void trigonometric(cplx *r, const cplx *x, int n, int m) /* 26 */
{
    (void)m;
    cplx sum = 0;
    for (int i = 0; i < n; i++) {
        sum += ccos(x[i]);
    }
    for (int i = 0; i < n; i++) {
        r[i] = n - sum + (i + 1) * (1 - ccos(x[i])) - csin(x[i]);
    }
}

static void brown_almost_linear(cplx *r, const cplx *x, int n, int m) /* 27 */
{
    (void)m;
    cplx sum = 0, product = 1;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        product *= x[i];
    }
    for (int i = 0; i < n - 1; i++) {
        r[i] = x[i] + sum - (n + 1);
    }
    r[n - 1] = product - 1;
}

static void discrete_boundary(cplx *r, const cplx *x, int n, int m) /* 28 */
{
    (void)m;
    const double h = 1.0 / (n + 1);
    for (int i = 0; i < n; i++) {
        const cplx left = i > 0 ? x[i - 1] : 0, right = i < n - 1 ? x[i + 1] : 0;
        const cplx c = x[i] + (i + 1) * h + 1;
        r[i] = 2 * x[i] - left - right + h * h * c * c * c / 2;
    }
}

static void broyden_tridiagonal(cplx *r, const cplx *x, int n, int m) /* 30 */
{
    (void)m;
    for (int i = 0; i < n; i++) {
        const cplx left = i > 0 ? x[i - 1] : 0, right = i < n - 1 ? x[i + 1] : 0;
        r[i] = (3 - 2 * x[i]) * x[i] - left - 2 * right + 1;
    }
}

static void broyden_banded(cplx *r, const cplx *x, int n, int m) /* 31 */
{
    (void)m;
    for (int i = 0; i < n; i++) {
        r[i] = x[i] * (2 + 5 * x[i] * x[i]) + 1;
        for (int j = i - 5; j <= i + 1; j++) {
            if (j >= 0 && j < n && j != i) {
                r[i] -= x[j] * (1 + x[j]);
            }
        }
    }
}

static void linear_full_rank(cplx *r, const cplx *x, int n, int m) /* 32 */
{
    cplx sum = 0;
    for (int j = 0; j < n; j++) {
        sum += x[j];
    }
    for (int i = 0; i < m; i++) {
        r[i] = (i < n ? x[i] : 0) - 2 * sum / m - 1;
    }
}

static void linear_rank_one(cplx *r, const cplx *x, int n, int m) /* 33 */
{
    cplx sum = 0;
    for (int j = 0; j < n; j++) {
        sum += (j + 1) * x[j];
    }
    for (int i = 0; i < m; i++) {
        r[i] = (i + 1) * sum - 1;
    }
}

static void chebyquad(cplx *r, const cplx *x, int n, int m) /* 35 */
{
    for (int i = 0; i < m; i++) {
        r[i] = (i + 1) % 2 == 0 ? 1.0 / ((i + 1) * (i + 1) - 1) : 0;
    }
    for (int j = 0; j < n; j++) {
        cplx before = 1, t = 2 * x[j] - 1;
        const cplx twice = 2 * t;
        for (int i = 0; i < m; i++) {
            r[i] += t / n;
            const cplx next = twice * t - before;
            before = t;
            t = next;
        }
    }
}

/* ---- the problems and their published optima ---- */

static void penalty_1(cplx *r, const cplx *x, int n, int m) /* 23 */
{
    r[m - 1] = -0.25;
    for (int i = 0; i < n; i++) {
        r[i] = sqrt(1e-5) * (x[i] - 1);
        r[m - 1] += x[i] * x[i];
    }
}

static void penalty_2(cplx *r, const cplx *x, int n, int m) /* 24 */
{
    r[0] = x[0] - 0.2;
    r[m - 1] = -1;
    for (int i = 1; i < n; i++) {
        r[i] = sqrt(1e-5) *
               (cexp(x[i] / 10) + cexp(x[i - 1] / 10) - exp((i + 1) / 10.0) - exp(i / 10.0));
        r[n - 1 + i] = sqrt(1e-5) * (cexp(x[i] / 10) - exp(-0.1));
    }
    for (int i = 0; i < n; i++) {
        r[m - 1] += (n - i) * x[i] * x[i];
    }
}

static void discrete_integral(cplx *r, const cplx *x, int n, int m) /* 29 */
{
    const double h = 1.0 / (n + 1);
    for (int i = 0; i < m; i++) {
        const double ti = (i + 1) * h;
        cplx before = 0, behind = 0;
        for (int j = 0; j < n; j++) {
            const double tj = (j + 1) * h;
            const cplx cube = (x[j] + tj + 1) * (x[j] + tj + 1) * (x[j] + tj + 1);
            before += j <= i ? tj * cube : 0;
            behind += j > i ? (1 - tj) * cube : 0;
        }
        r[i] = x[i] + h * ((1 - ti) * before + ti * behind) / 2;
    }
}

static void linear_rank_one_zeros(cplx *r, const cplx *x, int n, int m) /* 34 */
{
    cplx sum = 0;
    for (int j = 1; j < n - 1; j++) {
        sum += (j + 1) * x[j];
    }
    for (int i = 0; i < m; i++) {
        r[i] = (i < m - 1 ? (cplx)i * sum : 0) - 1;
    }
}

typedef struct problem {
    const char *name;
    residual_fn residual;
    int n, m;
    double start[11]; /* repeated to length n, `period` numbers at a time */
    int period;       /* 0: a rule of its own, see start_of */
    double optimum;   /* sum of squares */
    double share;     /* its printed digits; for zero: an absolute bound */
} problem;

static const problem problems[] = {
    {"1 Rosenbrock", rosenbrock, 2, 2, {-1.2, 1}, 2, 0, 1e-20},
    {"2 Freudenstein and Roth", freudenstein_roth, 2, 2, {0.5, -2}, 2, 48.9842, 2e-6},
    {"3 Powell badly scaled", powell_badly_scaled, 2, 2, {0, 1}, 2, 0, 1e-20},
    {"4 Brown badly scaled", brown_badly_scaled, 2, 3, {1, 1}, 2, 0, 1e-18},
    {"5 Beale", beale, 2, 3, {1, 1}, 2, 0, 1e-20},
    {"6 Jennrich and Sampson", jennrich_sampson, 2, 10, {0.3, 0.4}, 2, 124.362, 4e-6},
    {"7 helical valley", helical_valley, 3, 3, {-1, 0, 0}, 3, 0, 1e-20},
    {"8 Bard", bard, 3, 15, {1, 1, 1}, 3, 8.21487e-3, 1e-6},
    {"9 Gaussian", gaussian, 3, 15, {0.4, 1, 0}, 3, 1.12793e-8, 4e-6},
    {"10 Meyer", meyer, 3, 16, {0.02, 4000, 250}, 3, 87.9458, 1e-6},
    {"11 Gulf", gulf, 3, 99, {5, 2.5, 0.15}, 3, 0, 1e-20},
    {"12 Box", box, 3, 10, {0, 10, 20}, 3, 0, 1e-20},
    {"13 Powell singular", powell_singular, 4, 4, {3, -1, 0, 1}, 4, 0, 1e-12},
    {"14 Wood", wood, 4, 6, {-3, -1, -3, -1}, 4, 0, 1e-20},
    {"15 Kowalik and Osborne", kowalik_osborne, 4, 11, {.25, .39, .415, .39}, 4, 3.07505e-4, 2e-6},
    {"16 Brown and Dennis", brown_dennis, 4, 20, {25, 5, -5, -1}, 4, 85822.2, 1e-6},
    {"17 Osborne 1", osborne_1, 5, 33, {.5, 1.5, -1, .01, .02}, 5, 5.46489e-5, 1e-6},
    {"18 Biggs EXP6", biggs_exp6, 6, 13, {1, 2, 1, 1, 1, 1}, 6, 5.65565e-3, 1e-6},
    {"19 Osborne 2",
     osborne_2,
     11,
     65,
     {1.3, .65, .65, .7, .6, 3, 5, 7, 2, 4.5, 5.5},
     11,
     4.01377e-2,
     1e-6},
    {"20 Watson, 6", watson, 6, 31, {0}, 1, 2.28767e-3, 2e-6},
    {"20 Watson, 9", watson, 9, 31, {0}, 1, 1.39976e-6, 1e-5},
    {"20 Watson, 12", watson, 12, 31, {0}, 1, 4.72238e-10, 1e-4},
    {"21 extended Rosenbrock", rosenbrock, 20, 20, {-1.2, 1}, 2, 0, 1e-20},
    {"22 extended Powell singular", powell_singular, 20, 20, {3, -1, 0, 1}, 4, 0, 1e-12},
    {"23 penalty I, 4", penalty_1, 4, 5, {1, 2, 3, 4}, 4, 2.24997e-5, 5e-6},
    {"23 penalty I, 10", penalty_1, 10, 11, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 10, 7.08765e-5, 2e-6},
    {"24 penalty II, 4", penalty_2, 4, 8, {0.5}, 1, 9.37629e-6, 2e-6},
    {"24 penalty II, 10", penalty_2, 10, 20, {0.5}, 1, 2.93660e-4, 2e-6},
    {"25 variably dimensioned", variably_dimensioned, 10, 12, {0}, 0, 0, 1e-20},
    {"26 trigonometric", trigonometric, 10, 10, {0.1}, 1, 2.79506e-5, 2e-6},
    {"27 Brown almost linear", brown_almost_linear, 10, 10, {0.5}, 1, 0, 1e-20},
    {"28 discrete boundary value", discrete_boundary, 10, 10, {0}, 0, 0, 1e-20},
    {"29 discrete integral", discrete_integral, 10, 10, {0}, 0, 0, 1e-20},
    {"30 Broyden tridiagonal", broyden_tridiagonal, 40, 40, {-1}, 1, 0, 1e-20},
    {"31 Broyden banded", broyden_banded, 40, 40, {-1}, 1, 0, 1e-20},
    {"32 linear, full rank", linear_full_rank, 10, 20, {1}, 1, 10, 1e-12},
    {"33 linear, rank one", linear_rank_one, 10, 20, {1}, 1, 20.0 * 19 / (2 * 41), 1e-12},
    {"34 linear, rank one, zeros",
     linear_rank_one_zeros,
     10,
     20,
     {1},
     1,
     (400.0 + 60 - 6) / (2 * 37),
     1e-12},
    {"35 Chebyquad, 8", chebyquad, 8, 8, {0}, 0, 3.51687e-3, 2e-6},
    {"35 Chebyquad, 9", chebyquad, 9, 9, {0}, 0, 0, 1e-20},
    {"35 Chebyquad, 10", chebyquad, 10, 10, {0}, 0, 6.50395e-3, 2e-6},
};

static void start_of(const problem *p, double *x)
{
    for (int i = 0; i < p->n; i++) {
        const double t = (i + 1.0) / (p->n + 1);
        if (p->period > 0) {
            x[i] = p->start[i % p->period];
        } else if (p->residual == variably_dimensioned) {
            x[i] = 1 - (i + 1.0) / p->n;
        } else if (p->residual == discrete_boundary || p->residual == discrete_integral) {
            x[i] = t * (t - 1);
        } else {
            x[i] = t;
        }
    }
}

/* ---- running one ---- */

/* linear: NULL, or [n] marks of the variables that enter linearly. Returns the linearisations. */
static int solve(const problem *p, sal_step_method step, const unsigned char *linear)
{
    dense d;
    dense_problem(&d, p->residual, p->n, p->m, 0, 0);
    d.nls.linear = linear;
    sal_optim_options options;
    sal_optim_defaults(&options);
    options.cap = 0;
    options.damping = 1e-2;
    options.damping_floor = 0;
    options.tolerance = 1e-12;
    options.maxiter = 3000;
    options.step = step;
    sal_optim *optim = NULL;
    sal_err err = {0};
    sal_optim_result result = {0};
    double x[DENSE_NMAX];
    start_of(p, x);
    CHECK_OK(sal_optim_new(&optim, &d.nls, &options, &err), err);
    CHECK_OK(sal_minimise(optim, x, &result, &err), err);
    sal_optim_free(optim);

    const int faults = check_case_faults;
    const bool second = (p->residual == biggs_exp6 || p->residual == trigonometric) &&
                        result.cost < 1e-20; /* published as well */
    if (!second) {
        CHECK_NEAR(2 * result.cost, p->optimum, p->optimum == 0 ? p->share : p->share * p->optimum);
    }
    CHECK(result.stop == SAL_STOP_CONVERGED);
    printf("     %-28s %10.6g  %4d linearisations %5d evaluations  %s%s\n", p->name,
           2 * result.cost, result.linearisations, result.evaluations, sal_stop_text(result.stop),
           check_case_faults > faults ? "  <--" : "");
    return result.linearisations;
}

static void damping_finds_published_optima(void)
{
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
        solve(&problems[i], SAL_STEP_LM, NULL);
    }
}

static void a_trust_region_finds_published_optima(void)
{
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
        solve(&problems[i], SAL_STEP_DOGLEG, NULL);
    }
}

/* Variables in which the residuals are linear may be said to be so: the second of Rosenbrock, the
 * factors of the exponentials of Osborne 1 and of Kowalik and Osborne. The optima are the same.
 * Rosenbrock's is found sooner, since what is left of it, 1 - x_0, is linear, too. */
static void linear_variables_follow(void)
{
    static const struct {
        residual_fn residual;
        unsigned char linear[DENSE_NMAX];
    } known[] = {{rosenbrock, {0, 1}}, {kowalik_osborne, {1, 0, 0, 0}}, {osborne_1, {1, 1, 1}}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
            if (problems[i].residual == known[k].residual && problems[i].n <= 5) {
                const int plain = solve(&problems[i], SAL_STEP_LM, NULL);
                const int marked = solve(&problems[i], SAL_STEP_LM, known[k].linear);
                CHECK(known[k].residual != rosenbrock || marked < plain);
            }
        }
    }
}

int main(void)
{
    RUN(damping_finds_published_optima);
    RUN(a_trust_region_finds_published_optima);
    RUN(linear_variables_follow);
    return check_done();
}
