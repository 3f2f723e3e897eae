#include "tests/check.h"

#include "base/dense.h"
#include "base/house.h"
#include "base/rng.h"
#include "identify/assess.h"
#include "problems/recordings/data.h"

/* A linear regression y = X b + noise, errors alike within a cluster: what an identification would
 * hand over, S_i = X_i'X_i and s_i = -X_i'(y_i - X_i b) over a sigma of 1; all of its statistics
 * have closed forms in X and the residuals alone. */
enum { P = 3, CLUSTERS = 9, EACH = 2, ROWS = 4, N = CLUSTERS * EACH * ROWS, C = EACH * ROWS };

typedef struct regression {
    double X[N * P], y[N], b[P], left[N]; /* left: y - X b */
} regression;

static double normal(sal_rng *rng)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += sal_rng_uniform(rng, 0, 1);
    }
    return sum;
}

/* sigma^2 = 1; `common` errors shared by a cluster. Normal equations by Cholesky. */
static void regress(regression *r, uint64_t seed, double common)
{
    sal_rng rng = {seed};
    const double truth[P] = {2, -1, 0.5};
    double A[P * P] = {0};
    memset(r->b, 0, sizeof r->b);
    for (int i = 0; i < N; i++) {
        static double shared;
        shared = i % C == 0 ? common * normal(&rng) : shared;
        r->y[i] = normal(&rng) + shared;
        for (int k = 0; k < P; k++) {
            r->X[i * P + k] = k == 0 ? 1 : normal(&rng) * (1 + 0.5 * (i / C));
            r->y[i] += r->X[i * P + k] * truth[k];
        }
        for (int k = 0; k < P * P; k++) {
            A[k] += r->X[i * P + k / P] * r->X[i * P + k % P];
        }
        for (int k = 0; k < P; k++) {
            r->b[k] += r->X[i * P + k] * r->y[i];
        }
    }
    CHECK(sal_dense_cholesky(A, P) == P);
    sal_dense_cholesky_solve(r->b, A, P);
    for (int i = 0; i < N; i++) {
        r->left[i] = r->y[i];
        for (int k = 0; k < P; k++) {
            r->left[i] -= r->X[i * P + k] * r->b[k];
        }
    }
}

static sal_identification_result *estimate_of(int nparameter, int nrecording)
{
    sal_identification_result *e = NULL;
    sal_err err = {0};
    const sal_identification_sizes sizes = {.nparameter = nparameter, .nrecording = nrecording};
    CHECK_OK(sal_identification_result_new(&e, &sizes, &err), err);
    if (e == NULL) {
        exit(1);
    }
    for (int k = 0; k < nparameter; k++) {
        snprintf(e->parameter[k].name, sizeof e->parameter[k].name, "p%d", k);
        snprintf(e->parameter[k].map, sizeof e->parameter[k].map, "linear");
        e->parameter[k].free = 1;
        e->parameter[k].value = 1;
    }
    return e;
}

static sal_identification_result *hand_over(const regression *r)
{
    sal_identification_result *e = estimate_of(P, CLUSTERS * EACH);
    for (int i = 0; i < e->nrecording; i++) {
        sal_identification_recording *rec = e->recording + i;
        snprintf(rec->cluster, sizeof rec->cluster, "day %d", i / EACH);
        rec->nresidual = ROWS;
        for (int row = i * ROWS; row < (i + 1) * ROWS; row++) {
            const double *x = r->X + row * P;
            rec->cost += 0.5 * r->left[row] * r->left[row];
            for (int k = 0; k < P; k++) {
                e->score[i * P + k] -= x[k] * r->left[row];
                for (int l = 0; l < P; l++) {
                    e->S[(i * P + k) * P + l] += x[k] * x[l];
                }
            }
        }
    }
    for (int k = 0; k < P; k++) {
        e->parameter[k].value = r->b[k];
    }
    return e;
}

static void account(sal_identification_result *e)
{
    sal_err err = {0};
    CHECK_OK(sal_identification_result_assess(e, &err), err);
}

static void invert(double *inverse, const double *A, int n)
{
    double L[C * C], x[C];
    memcpy(L, A, (size_t)(n * n) * sizeof(double));
    CHECK(sal_dense_cholesky(L, n) == n);
    for (int k = 0; k < n; k++) {
        memset(x, 0, sizeof x);
        x[k] = 1;
        sal_dense_cholesky_solve(x, L, n);
        for (int i = 0; i < n; i++) {
            inverse[i * n + k] = x[i];
        }
    }
}

/* Y -> Q^-1/2 of a positive definite matrix [C x C] (Denman and Beavers' iteration) */
static void inverse_root(double *root, const double *Q)
{
    double Y[C * C], Yi[C * C], Zi[C * C];
    memcpy(Y, Q, sizeof Y);
    for (int i = 0; i < C * C; i++) {
        root[i] = i % (C + 1) == 0;
    }
    for (int pass = 0; pass < 40; pass++) {
        invert(Yi, Y, C);
        invert(Zi, root, C);
        for (int i = 0; i < C * C; i++) {
            Y[i] = 0.5 * (Y[i] + Zi[i]);
            root[i] = 0.5 * (root[i] + Yi[i]);
        }
    }
}

/* The sandwich of a regression in the space of its rows: z_c = X_c' (1 - X_c (X'X)^-1 X_c')^-1/2
 * e_c. */
static void sandwich(double *covariance, const regression *r, const double *inverse)
{
    double meat[P * P] = {0};
    for (int c = 0; c < CLUSTERS; c++) {
        const double *X = r->X + c * C * P, *left = r->left + c * C;
        double Q[C * C], root[C * C], z[P] = {0};
        for (int i = 0; i < C * C; i++) {
            Q[i] = i % (C + 1) == 0;
            for (int k = 0; k < P * P; k++) {
                Q[i] -= X[i / C * P + k / P] * inverse[k] * X[i % C * P + k % P];
            }
        }
        inverse_root(root, Q);
        for (int i = 0; i < C * C; i++) {
            for (int k = 0; k < P; k++) {
                z[k] += X[i / C * P + k] * root[i] * left[i % C];
            }
        }
        for (int k = 0; k < P * P; k++) {
            meat[k] += z[k / P] * z[k % P];
        }
    }
    for (int k = 0; k < P * P; k++) {
        covariance[k] = 0;
        for (int i = 0; i < P * P; i++) {
            covariance[k] += inverse[k / P * P + i / P] * meat[i] * inverse[i % P * P + k % P];
        }
    }
}

static void errors_are_those_of_a_regression(void)
{
    regression r;
    regress(&r, 1, 1);
    sal_identification_result *e = hand_over(&r);
    account(e);
    double A[P * P] = {0}, inverse[P * P], robust[P * P], square = 0;
    for (int i = 0; i < N; i++) {
        square += r.left[i] * r.left[i];
        for (int k = 0; k < P * P; k++) {
            A[k] += r.X[i * P + k / P] * r.X[i * P + k % P];
        }
    }
    invert(inverse, A, P);
    sandwich(robust, &r, inverse);
    CHECK(e->sandwich == 1 && e->ncluster == CLUSTERS);
    CHECK_NEAR(e->freedom, N - P, 0);
    for (int k = 0; k < P; k++) {
        const double plain = sqrt(square / (N - P) * inverse[k * P + k]),
                     se = sqrt(robust[k * P + k]);
        CHECK_NEAR(e->parameter[k].se_hessian, plain, 1e-12 * plain);
        CHECK_NEAR(e->parameter[k].se, se, 1e-9 * se);
        for (int l = 0; l < P; l++) {
            const double share = robust[k * P + l] / sqrt(robust[k * P + k] * robust[l * P + l]);
            CHECK_NEAR(e->correlation[k * P + l], share, 1e-9);
        }
    }
    sal_identification_result_free(e);
}

/* Of one value, with clusters that hold these shares of the information; S_c and s_c as numbers. */
static sal_identification_result *shares(const double *S, int G, double prior)
{
    sal_identification_result *e = NULL;
    const sal_identification_sizes sizes = {.nparameter = 1, .nrecording = G, .nq = 1, .nv = 1};
    sal_rng rng = {5};
    sal_err err = {0};
    CHECK_OK(sal_identification_result_new(&e, &sizes, &err), err);
    e->parameter[0].free = 1;
    e->parameter[0].value = 1;
    e->parameter[0].weight = prior;
    for (int c = 0; c < G; c++) {
        e->S[c] = 1e4 * S[c];
        e->score[c] = 3 * sqrt(e->S[c]) * sal_rng_normal(&rng); /* clusters that differ */
        e->recording[c].nresidual = 100;
        e->recording[c].cost = 50;
        snprintf(e->recording[c].name, sizeof e->recording[c].name, "%d", c);
        snprintf(e->recording[c].cluster, sizeof e->recording[c].cluster, "%d", c);
    }
    account(e);
    return e;
}

/* (tr G)^2/tr G^2, G_cd = w_c w_d (S_c (c = d) - S_c S_d), w_c = (1 - S_c)^-1/2, sum S = 1 */
static double freedoms(const double *S, int G)
{
    double trace = 0, square = 0;
    for (int c = 0; c < G; c++) {
        for (int d = 0; d < G; d++) {
            const double g = ((c == d ? S[c] : 0) - S[c] * S[d]) / sqrt((1 - S[c]) * (1 - S[d]));
            trace += c == d ? g : 0;
            square += g * g;
        }
    }
    return trace * trace / square;
}

/* G clusters that are alike have G - 1; where one holds most, there are few. A prior of as much
 * information as all clusters makes the variance better known: it is w/A^2 of it. */
static void variances_have_freedoms(void)
{
    static const double alike[] = {.125, .125, .125, .125, .125, .125, .125, .125},
                        one[] = {.65, .05, .05, .05, .05, .05, .05, .05};
    sal_identification_result *e = shares(alike, 8, 0);
    CHECK_NEAR(e->parameter[0].freedom, 7, 1e-9);
    CHECK_NEAR(sal_identification_reach(e->parameter) / e->parameter[0].se, 2.364624, 1e-6);
    sal_identification_result_free(e);
    e = shares(one, 8, 0);
    CHECK_NEAR(e->parameter[0].freedom, freedoms(one, 8), 1e-9);
    CHECK(e->parameter[0].freedom < 3);
    sal_identification_result_free(e);
    e = shares(alike, 8, 1e4);
    const double v = e->parameter[0].se * e->parameter[0].se, known = 1e4 / (2e4 * 2e4);
    static const double half[] = {.0625, .0625, .0625, .0625, .0625, .0625, .0625, .0625};
    double trace = 0, square = 0; /* the same, where the sum of S is 1/2 */
    for (int c = 0; c < 8; c++) {
        for (int d = 0; d < 8; d++) {
            const double cross = half[c] * half[d] / sqrt((1 - half[c]) * (1 - half[d]));
            const double g = c == d ? half[c] : -cross;
            trace += c == d ? g : 0;
            square += g * g;
        }
    }
    CHECK_NEAR(e->parameter[0].freedom, trace * trace / square * pow(v / (v - known), 2), 1e-6);
    sal_identification_result_free(e);
}

/* 97.5 % quantiles of Student's distribution, from its tables. */
static void intervals_are_students(void)
{
    static const double table[][2] = {{1, 12.7062},  {2, 4.30265},  {3, 3.18245},  {5, 2.57058},
                                      {10, 2.22814}, {30, 2.04227}, {120, 1.97993}};
    sal_identification_parameter p = {.se = 1};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        p.freedom = table[i][0];
        CHECK_NEAR(sal_identification_reach(&p), table[i][1], 6e-6 * table[i][1]);
    }
    p.freedom = (double)INFINITY;
    CHECK_NEAR(sal_identification_reach(&p), 1.959964, 1e-6);
    p.freedom = 1e5;
    /* z + (z^3 + z)/4f + .. */
    CHECK_NEAR(sal_identification_reach(&p), 1.9599640 + 9.48916 / (4 * 1e5), 2e-7);
}

/* Errors that a cluster shares: those of the Hessian are too small, those by recording are what
 * estimates scatter by. */
static void errors_are_what_estimates_scatter_by(void)
{
    enum { DRAWS = 400 };
    double sum = 0, square = 0, robust = 0, plain = 0;
    for (int i = 0; i < DRAWS; i++) {
        regression r;
        regress(&r, 100 + (uint64_t)i, 1.5);
        sal_identification_result *e = hand_over(&r);
        account(e);
        sum += r.b[0];
        square += r.b[0] * r.b[0];
        robust += e->parameter[0].se * e->parameter[0].se / DRAWS;
        plain += e->parameter[0].se_hessian * e->parameter[0].se_hessian / DRAWS;
        sal_identification_result_free(e);
    }
    const double scatter = sqrt((square - sum * sum / DRAWS) / (DRAWS - 1));
    CHECK_NEAR(sqrt(robust), scatter, 0.12 * scatter);
    CHECK(sqrt(plain) < 0.6 * scatter);
}

static bool hears(const sal_identification_result *e, const char *words)
{
    bool heard = false;
    for (int i = 0; i < e->nsentence; i++) {
        heard = heard || strstr(e->sentence[i], words) != NULL;
    }
    return heard;
}

static bool says(const sal_identification_result *e, const char *words)
{
    if (hears(e, words)) {
        return true;
    }
    printf("nobody says '%s':\n", words);
    for (int i = 0; i < e->nsentence; i++) {
        printf("  %s\n", e->sentence[i]);
    }
    return false;
}

/* G clusters that are alike: G/(G - 1) times what s s' alone says. */
static void alike_clusters_are_corrected_by_their_number(void)
{
    enum { G = 6 };
    const double score[G] = {3, -1, 0.5, -2, 1, -1.5};
    sal_identification_result *e = estimate_of(1, G);
    double square = 0;
    for (int i = 0; i < G; i++) {
        snprintf(e->recording[i].name, sizeof e->recording[i].name, "toss %d", i);
        e->S[i] = 4;
        e->score[i] = score[i];
        square += score[i] * score[i];
    }
    account(e);
    const double se = sqrt(square * G / (G - 1)) / (4 * G);
    CHECK_NEAR(e->parameter[0].se, se, 1e-12);
    CHECK(e->sandwich == 1 && !hears(e, "has not come to its end"));
    sal_identification_result_free(e);
    e = estimate_of(1, G); /* the same, before the last step: 2/24 of sqrt((17.5 + 6/9) 6/5)/24 */
    for (int i = 0; i < G; i++) {
        snprintf(e->recording[i].name, sizeof e->recording[i].name, "toss %d", i);
        e->S[i] = 4;
        e->score[i] = score[i] + 2 / 6.0;
    }
    account(e);
    CHECK(says(e, "one more Newton step would change p0 by 0.43 of"));
    sal_identification_result_free(e);
}

/* Of a value: the slope's share; from few clusters the larger; held ones, and such on a bound, have
 * none; a prior is a measurement. */
static void values_bounds_and_priors(void)
{
    sal_identification_result *e = estimate_of(4, 2);
    for (int i = 0; i < 2; i++) {
        e->S[i * 16] = 50;     /* p0 */
        e->S[i * 16 + 5] = 8;  /* p1, held */
        e->S[i * 16 + 10] = 8; /* p2, on its bound */
        e->score[i * 4] = i == 0 ? 1 : -1;
    }
    e->slope[0] = 3;
    e->parameter[1].free = 0;
    e->parameter[2].lower = 0.25;
    e->parameter[2].upper = e->parameter[2].value = 0.5;
    e->parameter[3].prior_sigma = 0.2; /* which no recording speaks of */
    e->parameter[3].weight = 1 / (0.2 * 0.2);
    account(e);
    CHECK(e->sandwich == 0);
    CHECK_NEAR(e->parameter[0].se, 3 / sqrt(100), 1e-12); /* the scores would say 3 sqrt(2 2)/100 */
    CHECK(isnan(e->parameter[1].se) && isnan(e->parameter[2].se));
    CHECK(e->parameter[2].at_bound == 1 && e->parameter[0].at_bound == 0);
    CHECK_NEAR(e->parameter[3].se, 0.2, 1e-12);
    sal_identification_result_free(e);
}

static void name(sal_identification_result *e, int k, const char *text, const char *map)
{
    snprintf(e->parameter[k].name, sizeof e->parameter[k].name, "%s", text);
    snprintf(e->parameter[k].map, sizeof e->parameter[k].map, "%s", map);
}

/* Information of recordings that see only g'u of each of the directions g. */
static void see(sal_identification_result *e, const double *g, double weight)
{
    const int n = e->nparameter;
    for (int i = 0; i < e->nrecording; i++) {
        for (int k = 0; k < n * n; k++) {
            e->S[i * n * n + k] += weight * g[k / n] * g[k % n];
        }
    }
}

static void flat_directions_have_names(void)
{
    sal_identification_result *e = estimate_of(5, 8);
    name(e, 0, "mass", "log");
    name(e, 1, "gain", "log");
    name(e, 2, "friction", "log");
    name(e, 3, "left", "linear");
    name(e, 4, "right", "linear");
    see(e, (const double[]){1, -1, 0.3, 0, 0}, 1e4); /* mass / gain */
    see(e, (const double[]){0, 0, 1, 0, 0}, 2e3);
    see(e, (const double[]){0, 0, 0.2, 1, 1}, 1e6); /* left + right */
    account(e);
    CHECK(says(
        e, "mass and gain cannot be distinguished: only their ratio is determined. If mass rises "
           "by 1 %, gain rises by 1 %, the fit does not change."));
    CHECK(says(
        e, "left and right cannot be distinguished: only their sum is determined. If left rises by "
           "0.01, right falls by 0.01, the fit does not change."));
    CHECK(isinf(e->parameter[0].se) && isinf(e->parameter[4].se));
    CHECK(isfinite(e->parameter[2].se_hessian));
    sal_identification_result_free(e);

    e = estimate_of(
        3, 8); /* stiffness^2/length, and a prior that decides; one that nothing depends on */
    name(e, 0, "stiffness", "log");
    name(e, 1, "length", "log");
    name(e, 2, "colour", "log");
    e->parameter[1].weight = 100;
    e->parameter[1].prior_sigma = 0.1;
    see(e, (const double[]){2, -1, 0}, 1e4);
    see(e, (const double[]){0, 0, 1}, 1e-9); /* what rounding leaves */
    e->parameter[2].initial = 1;
    account(e);
    CHECK(says(e, "only stiffness^2 / length is determined"));
    CHECK(says(e, "rises by 1 %, length rises by 2 %, the fit does not change. Their priors "
                  "determine them."));
    CHECK(says(e, "The recordings hold no information about colour."));
    CHECK(isfinite(e->parameter[0].se) && isinf(e->parameter[2].se));
    CHECK(!hears(e, "little about colour"));
    CHECK_NEAR(e->parameter[1].se_hessian, 0.1, 1e-6);
    sal_identification_result_free(e);
}

/* A friction that the search made nothing had an effect: no information is none of it. */
static void what_became_nothing_is_said(void)
{
    sal_identification_result *e = estimate_of(2, 8);
    name(e, 0, "mass", "log");
    name(e, 1, "friction", "log");
    e->parameter[1].initial = .5;
    e->parameter[1].value = 1e-12;
    see(e, (const double[]){1, 0}, 1e4);
    see(e, (const double[]){0, 1}, 1e-9);
    account(e);
    CHECK(says(e, "friction became 1e-12, so small that it has no effect any more."));
    CHECK(!hears(e, "no information"));
    sal_identification_result_free(e);
}

/* Three lengths of which only the two ratios are seen: one direction that moves all. */
static void a_common_scale_is_one_direction(void)
{
    sal_identification_result *e = estimate_of(3, 8);
    name(e, 0, "size", "log");
    name(e, 1, "gravity", "log");
    name(e, 2, "scale", "log");
    see(e, (const double[]){1, -1, 0}, 1e4);
    see(e, (const double[]){0, 1, -1}, 3e4);
    account(e);
    CHECK(says(e, "size, gravity and scale cannot be distinguished. If"));
    CHECK(says(e, "by 1 %, the fit does not change."));
    sal_identification_result_free(e);
}

/* ---- fit, whiteness, rollouts ---- */

/* One pose, one joint; the residuals are what is put there. */
static sal_identification_result *signals(int nrecording, int nsample)
{
    sal_identification_result *e = NULL;
    sal_err err = {0};
    const sal_identification_sizes sizes = {
        .nchannel = 2, .nvalue = 8, .nresidual = 7, .nrecording = nrecording, .nq = 1, .nv = 1};
    CHECK_OK(sal_identification_result_new(&e, &sizes, &err), err);
    if (e == NULL) {
        exit(1);
    }
    e->channel[0] = (sal_identification_channel){
        .name = "pose", .unit = "m", .kind = PRB_CHANNEL_BODY, .n = 7, .nres = 6};
    e->channel[1] = (sal_identification_channel){.name = "hip",
                                                 .unit = "rad",
                                                 .kind = PRB_CHANNEL_JOINT,
                                                 .n = 1,
                                                 .adr = 7,
                                                 .nres = 1,
                                                 .res_adr = 6};
    for (int i = 0; i < 7; i++) {
        e->sigma[i] = i < 3 ? 0.01 : i < 6 ? 0.1 : 0.5;
    }
    for (int i = 0; i < nrecording; i++) {
        sal_identification_recording *r = e->recording + i;
        snprintf(r->name, sizeof r->name, "r%d", i);
        CHECK_OK(sal_identification_result_room(e, i, nsample, nsample - 1, &err), err);
        for (int t = 0; t < nsample; t++) {
            double *const all[] = {r->measured, r->fitted, r->predicted};
            for (int k = 0; k < 3; k++) {
                memset(all[k] + 8 * t, 0, 8 * sizeof(double));
                all[k][8 * t + 3] = 1;
            }
        }
    }
    return e;
}

static void residuals_are_in_units_of_sigma(void)
{
    sal_identification_result *e = signals(1, 3);
    sal_identification_recording *r = e->recording;
    double one[6];
    const double turn[3] = {0, 0.3, 0};
    r->measured[0] = 0.02;
    sal_quat_exp(r->measured + 3, turn);
    idn_residual(one, e->channel, r->measured, r->fitted, e->sigma);
    CHECK_NEAR(one[0], 2, 1e-12);
    CHECK_NEAR(one[4], 3, 1e-12);
    for (int k = 0; k < 4; k++) { /* the other sign is the same attitude */
        r->measured[3 + k] *= -1;
    }
    idn_residual(one, e->channel, r->measured, r->fitted, e->sigma);
    CHECK_NEAR(one[4], 3, 1e-12);
    r->measured[8 + 5] = (double)NAN; /* missing at the second sample */
    r->measured[16 + 7] = 1;
    account(e);
    CHECK_NEAR(r->channel_rms[0], sqrt((4.0 + 9.0) / 15), 1e-12);
    CHECK_NEAR(r->channel_rms[1], sqrt(4.0 / 3), 1e-12);
    CHECK(e->channel[0].count == 15 && e->channel[1].count == 3);
    sal_identification_result_free(e);
}

/* An autoregression of first order with phi has lag-1 correlation phi. */
static void whiteness_is_judged(void)
{
    sal_identification_result *e = signals(6, 400);
    sal_rng rng = {5};
    for (int i = 0; i < 6; i++) {
        double x = 0;
        for (int t = 0; t < 400; t++) {
            x = 0.7 * x + normal(&rng);
            e->recording[i].measured[8 * t + 7] = 0.5 * x;
            for (int k = 0; k < 3; k++) {
                e->recording[i].measured[8 * t + k] = 0.01 * normal(&rng);
            }
        }
    }
    e->recording[5].held = 1;
    account(e);
    CHECK_NEAR(e->channel[0].lag1, 0, 0.03);
    CHECK_NEAR(e->channel[0].rms, sqrt(0.5), 0.02);
    CHECK(e->channel[0].white && strstr(e->channel[0].text, "are white") != NULL);
    CHECK_NEAR(e->channel[1].lag1, 0.7, 0.03);
    CHECK_NEAR(e->channel[1].rms, 1 / sqrt(1 - 0.49), 0.1);
    CHECK(!e->channel[1].white && says(e, "hip: neighbouring residuals are alike"));
    /* white series: Q is chi square of its freedoms; three of six numbers are all 0 */
    CHECK_NEAR(e->channel[0].freedom, 5 * 3 * 10, 0);
    CHECK_NEAR(e->channel[0].ljung_box, 150, 3 * sqrt(2.0 * 150));
    CHECK(e->channel[1].ljung_box > 10 * e->channel[1].freedom);
    sal_identification_result_free(e);
}

static void outliers_and_rollouts(void)
{
    sal_identification_result *e = signals(9, 50);
    const double turn[3] = {0.2, 0, 0};
    for (int i = 0; i < 9; i++) {
        sal_identification_recording *r = e->recording + i;
        r->held = i >= 6;
        for (int t = 0; t < 50; t++) {
            r->measured[8 * t] = (t % 2 == 0 ? 0.01 : -0.01) * (1 + 0.1 * i) * (i == 4 ? 20 : 1);
            r->predicted[8 * t] = r->measured[8 * t] + 0.001 * (i + 1) * t;
            sal_quat_exp(r->predicted + 8 * t + 3, turn);
        }
    }
    e->recording[7].rollout.diverged = 0.5;
    for (int t = 25; t < 50; t++) {
        for (int k = 0; k < 8; k++) {
            e->recording[7].predicted[8 * t + k] = (double)NAN;
        }
    }
    account(e);
    CHECK(says(e, "1 recording fits far worse than the others: r4."));
    CHECK(says(e, "1 of 9 rollouts diverged: r7."));
    const sal_identification_rollout *end = &e->recording[6].rollout,
                                     *lost = &e->recording[7].rollout;
    CHECK_NEAR(end->position, 0.007 * 49, 1e-12);
    CHECK_NEAR(end->rotation, 0.2, 1e-12);
    CHECK_NEAR(end->position_rms, 0.007 * sqrt(49 * 50 * 99 / 6.0 / 50), 1e-12);
    CHECK(isinf(lost->position) && isfinite(lost->position_rms));
    CHECK(isnan(e->recording[6].rollout_nominal.position));
    CHECK(!hears(e, "better than the one found"));
    sal_quartiles q;
    sal_err err = {0};
    CHECK_OK(sal_identification_quartiles(&q, e, true, SAL_MEASURE_POSITION, &err), err);
    CHECK(q.n == 3 && isinf(q.high)); /* .343, .441, lost */
    CHECK_NEAR(q.median, 0.009 * 49, 1e-12);
    CHECK_NEAR(q.low, 0.008 * 49, 1e-12);
    sal_identification_result_free(e);
}

/* Of seven recordings held out the model as it stood misses by 1 cm, the one found by 2 cm, and
 * turns less. */
static void a_worse_prediction_is_admitted(void)
{
    sal_identification_result *e = NULL;
    sal_err err = {0};
    const sal_identification_sizes sizes = {
        .nparameter = 1, .nchannel = 1, .nvalue = 7, .nresidual = 6, .nrecording = 7};
    CHECK_OK(sal_identification_result_new(&e, &sizes, &err), err);
    if (e == NULL) {
        exit(1);
    }
    e->channel[0] = (sal_identification_channel){.kind = PRB_CHANNEL_BODY, .n = 7, .nres = 6};
    for (int i = 0; i < 7; i++) {
        sal_identification_recording *r = e->recording + i;
        r->held = 1;
        CHECK_OK(sal_identification_result_room(e, i, 1, 0, &err), err);
        for (int k = 0; k < 7; k++) {
            r->measured[k] = r->predicted[k] = r->predicted_nominal[k] = k == 3;
        }
        r->predicted[0] = 0.02;
        r->predicted_nominal[0] = 0.01;
        r->predicted_nominal[4] = 0.1;
    }
    account(e);
    CHECK(says(
        e, "predicts the position of the held-out recordings better than the identified one: its "
           "median error at the end is 0.01 m, against 0.02."));
    CHECK(!hears(e, "predicts the rotation"));
    sal_identification_result_free(e);
}

int main(void)
{
    RUN(a_worse_prediction_is_admitted);
    RUN(errors_are_those_of_a_regression);
    RUN(variances_have_freedoms);
    RUN(intervals_are_students);
    RUN(errors_are_what_estimates_scatter_by);
    RUN(alike_clusters_are_corrected_by_their_number);
    RUN(values_bounds_and_priors);
    RUN(flat_directions_have_names);
    RUN(what_became_nothing_is_said);
    RUN(a_common_scale_is_one_direction);
    RUN(residuals_are_in_units_of_sigma);
    RUN(whiteness_is_judged);
    RUN(outliers_and_rollouts);
    return check_done();
}
