/* Balls that are thrown, bounce and slide, seen every fourth step: their radius and friction from
 * their paths alone, through contacts that begin soft and harden, as an identification does it.
 * Truth is known, since the paths are made with the same law.
 *
 *     a_x = -F_t / m,   a_z = F_n / m - g      F_n = max(0, k w log(1 + e^u) - b s(u) v_z),
 *     u = (R - z) / w,   s(u) = 1 / (1 + e^-u)
 *                                              F_t = mu F_n v_x / sqrt(v_x^2 + e^2)
 */
#include "tests/check.h"

#include "base/house.h"
#include "optim/optim.h"

#include <complex.h>

typedef double complex cplx;

enum { BALLS = 16, SUBSTEPS = 4, SAMPLES = 80, STEPS = SUBSTEPS * (SAMPLES - 1) + 1, PLANE = 2 };

static const double DT = 1. / 148 / SUBSTEPS, MASS = .37, GRAVITY = 9.81, CREEP = .02;
static const double RADIUS = .05, FRICTION = .2, NOISE = 1e-4;

typedef struct stage {
    double sigma, stiffness, damper, width;
    sal_norm_kind norm;
    bool hold_friction;
    int maxiter;
} stage;

static const stage stages[] = {
    {3, 500, 5, 2e-2, SAL_NORM_HUBER, true, 6},     {3, 2e3, 10, 1e-2, SAL_NORM_HUBER, false, 5},
    {2, 1e4, 20, 3e-3, SAL_NORM_HUBER, false, 4},   {1, 2e4, 40, 6e-4, SAL_NORM_HUBER, false, 4},
    {.5, 2e4, 40, 2e-4, SAL_NORM_CAUCHY, false, 5}, {.3, 2e4, 40, 2e-4, SAL_NORM_CAUCHY, false, 9},
};
enum { NSTAGE = sizeof stages / sizeof *stages };

typedef struct balls {
    sal_member member[BALLS];
    sal_joint_nls nls;
    double seen[BALLS][SAMPLES][PLANE];
    stage now;
    /* so much earlier a soft contact begins, that the weight sinks in as far as in the hard one */
    double lift;
} balls;

/* ---- the law ---- */

/* Acceleration that no force explains, from three positions in a row; p: logarithms of radius and
 * friction */
static void unexplained(const balls *b, cplx q[3][PLANE], const cplx *p, cplx *r)
{
    const stage *s = &b->now;
    const cplx vx = (q[1][0] - q[0][0]) / DT, vz = (q[1][1] - q[0][1]) / DT;
    const cplx u = (cexp(p[0]) + b->lift - q[1][1]) / s->width;
    const bool far = creal(u)<-40, deep = creal(u)> 40;
    const cplx push = deep ? u : far ? 0 : clog(1 + cexp(u));
    const cplx near = deep ? 1 : far ? 0 : 1 / (1 + cexp(-u));
    cplx normal = s->stiffness * s->width * push - s->damper * near * vz;
    normal = creal(normal) > 0 ? normal : 0;
    const cplx slide = cexp(p[1]) * normal * vx / csqrt(vx * vx + CREEP * CREEP);
    r[0] = (q[2][0] - 2 * q[1][0] + q[0][0]) / (DT * DT) + slide / MASS;
    r[1] = (q[2][1] - 2 * q[1][1] + q[0][1]) / (DT * DT) + GRAVITY - normal / MASS;
}

static void load(cplx q[3][PLANE], const double *x)
{
    for (int k = 0; k < 3 * PLANE; k++) {
        q[k / PLANE][k % PLANE] = x[k];
    }
}

/* Residuals in units of sigma; derivatives by complex steps */
static void residual(const balls *b, const double *x, const double *p, double *r, double *J,
                     double *G)
{
    const double step = 1e-100;
    cplx q[3][PLANE], z[PLANE], shared[] = {p[0], p[1]};
    load(q, x);
    unexplained(b, q, shared, z);
    for (int i = 0; i < PLANE; i++) {
        r[i] = creal(z[i]) / b->now.sigma;
    }
    for (int k = 0; k < 3 * PLANE + 2 && J != NULL; k++) {
        cplx *at = k < 3 * PLANE ? &q[k / PLANE][k % PLANE] : &shared[k - 3 * PLANE];
        *at += step * (cplx)I;
        unexplained(b, q, shared, z);
        *at = creal(*at);
        for (int i = 0; i < PLANE; i++) {
            double *to = k < 3 * PLANE ? &J[i * 3 * PLANE + k] : &G[i * 2 + k - 3 * PLANE];
            *to = cimag(z[i]) / step / b->now.sigma;
        }
    }
}

/* ---- as members ---- */

static const sal_norm quadratic = {SAL_NORM_QUADRATIC, 0, 0};

static void measured(const balls *b, int ball, const double *x, int sample, double *r)
{
    for (int i = 0; i < PLANE; i++) {
        r[i] = (x[sample * SUBSTEPS * PLANE + i] - b->seen[ball][sample][i]) / NOISE;
    }
}

static void retract(void *ctx, int member, double *out, const double *x, const double *d)
{
    (void)ctx, (void)member;
    for (int i = 0; i < STEPS * PLANE; i++) {
        out[i] = x[i] + d[i];
    }
}

static sal_status value(void *ctx, int worker, int member, const double *x, const double *p,
                        double *cost, sal_err *err)
{
    const balls *b = ctx;
    const sal_norm norm = {b->now.norm, 3, 0};
    double r[PLANE];
    (void)worker, (void)err;
    *cost = 0;
    for (int t = 0; t + 2 < STEPS; t++) {
        residual(b, x + t * PLANE, p, r, NULL, NULL);
        *cost += sal_norm_value(&norm, r, PLANE);
    }
    for (int k = 0; k < SAMPLES; k++) {
        measured(b, member, x, k, r);
        *cost += sal_norm_value(&quadratic, r, PLANE);
    }
    return SAL_OK;
}

static sal_status linearise(void *ctx, int worker, int member, const double *x, const double *p,
                            sal_normal *a, sal_err *err)
{
    const balls *b = ctx;
    const sal_norm norm = {b->now.norm, 3, 0};
    const double D[PLANE * PLANE] = {1 / NOISE, 0, 0, 1 / NOISE};
    double r[PLANE], J[PLANE * 3 * PLANE], G[PLANE * 2];
    (void)worker, (void)err;
    for (int t = 0; t + 2 < STEPS; t++) {
        residual(b, x + t * PLANE, p, r, J, G);
        sal_normal_add(a, &norm, 1, PLANE, r, &(sal_slopes){J, t, 3, G});
    }
    for (int k = 0; k < SAMPLES; k++) {
        measured(b, member, x, k, r);
        sal_normal_add(a, &quadratic, 1, PLANE, r, &(sal_slopes){D, k * SUBSTEPS, 1, NULL});
    }
    return SAL_OK;
}

/* ---- what is seen ---- */

/* How far a contact of this stage gives way under the weight */
static double sinks(const stage *s)
{
    return s->width * log(expm1(MASS * GRAVITY / (s->stiffness * s->width)));
}

static void enter(balls *b, int k)
{
    b->now = stages[k];
    b->lift = sinks(&stages[k]) - sinks(&stages[NSTAGE - 1]);
}

/* The next position is the one with which nothing is unexplained. */
static void throw_ball(balls *b, int ball, sal_rng *rng)
{
    const cplx truth[] = {log(RADIUS), log(FRICTION)};
    double x[3 * PLANE] = {0, .15 + sal_rng_uniform(rng, 0, .3)};
    x[2] = x[0] + DT * sal_rng_uniform(rng, -2, 2);
    x[3] = x[1] + DT * sal_rng_uniform(rng, -1, 1);
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < PLANE && t % SUBSTEPS == 0;
             i++) { /* a sum of uniform numbers for a normal one */
            b->seen[ball][t / SUBSTEPS][i] = x[i];
            for (int k = 0; k < 3; k++) {
                b->seen[ball][t / SUBSTEPS][i] += NOISE * sal_rng_uniform(rng, -1, 1);
            }
        }
        cplx q[3][PLANE], z[PLANE];
        load(q, x);
        unexplained(b, q, truth, z);
        for (int i = 0; i < PLANE; i++) {
            const double next = x[4 + i] - DT * DT * creal(z[i]);
            x[i] = x[2 + i];
            x[2 + i] = next;
            x[4 + i] = 0;
        }
    }
}

static void make(balls *b, double *x)
{
    sal_rng rng = {7};
    memset(b, 0, sizeof *b);
    enter(b, NSTAGE - 1);
    for (int m = 0; m < BALLS; m++) {
        b->member[m] = (sal_member){STEPS * PLANE, STEPS, PLANE, 0};
        throw_ball(b, m, &rng);
        for (int t = 0; t < STEPS; t++) {
            const int k = t / SUBSTEPS, next = k + 1 < SAMPLES ? k + 1 : k;
            const double u = (double)(t % SUBSTEPS) / SUBSTEPS;
            for (int i = 0; i < PLANE; i++) {
                *x++ = (1 - u) * b->seen[m][k][i] + u * b->seen[m][next][i];
            }
        }
    }
    b->nls = (sal_joint_nls){.ctx = b,
                             .nmember = BALLS,
                             .member = b->member,
                             .nshared = 2,
                             .retract = retract,
                             .value = value,
                             .linearise = linearise};
}

/* ---- cases ---- */

static void identify(double radius, double friction)
{
    static balls b;
    static double x[BALLS * STEPS * PLANE];
    static const unsigned char held[2][2] = {{0, 0}, {0, 1}};
    double p[] = {log(radius), log(friction)};
    sal_joint *j;
    sal_err err;
    sal_joint_result found;
    make(&b, x);
    CHECK_OK(sal_joint_new(&j, &b.nls, 2, &err), err);
    for (int k = 0; k < NSTAGE; k++) {
        sal_joint_stage how;
        sal_joint_stage_defaults(&how);
        how.maxiter = stages[k].maxiter;
        how.held = held[stages[k].hold_friction];
        enter(&b, k);
        CHECK_OK(sal_joint_minimise(j, x, p, &how, &found, &err), err);
    }
    sal_joint_free(j);
    printf("     from %.3f, %.2f: %.5f, %.4f\n", radius, friction, exp(p[0]), exp(p[1]));
    CHECK_NEAR(exp(p[0]), RADIUS, 1e-3 * RADIUS);
    CHECK_NEAR(exp(p[1]), FRICTION, 2e-2 * FRICTION);
}

static void radius_and_friction_from_afar(void)
{
    identify(.8 * RADIUS, .5);
    identify(1.2 * RADIUS, .05);
    identify(1.2 * RADIUS, 1);
}

int main(void)
{
    RUN(radius_and_friction_from_afar);
    return check_done();
}
