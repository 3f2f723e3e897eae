/* bench_joint.c: what a fit of many members that share variables costs by itself, the user's own
 * work aside: assembly, elimination beside LAPACK's banded Cholesky with the same right-hand sides,
 * and whole iterations, over the width of the border. */
#include "bench/stopwatch.h"

#include "base/house.h"
#include "optim/joint/joint.h"

#include <cblas.h>
#include <lapacke.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 6, WINDOW = 3 * SIZE, BLOCKS = 400, MEMBERS = 50, SHARED_MOST = 12, ROUNDS = 41 };
enum { NVAR = SIZE * BLOCKS, KD = WINDOW - 1 };

/* Every member is the same chain, its residuals linear: nothing but the optimizer takes time. */
typedef struct chains {
    sal_member member[MEMBERS];
    sal_joint_nls nls;
    double J[SIZE * WINDOW], G[SIZE * SHARED_MOST];
    sal_normal normal;
    void *memory;
    double *saved, *saved_corner; /* panel before it is eliminated */
    size_t npanel, ncorner;
    double *Y;
    double *band, *band_work, *rhs, *rhs_work; /* the same for LAPACK */
} chains;

static void *need(size_t n, size_t bytes)
{
    void *memory = calloc(n, bytes);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

/* ---- the problem ---- */

static const sal_norm quadratic = {SAL_NORM_QUADRATIC, 0, 0};

/* r_t = x_t - 2 x_t+1 + x_t+2 + G p + x_t+1 / 10,  and x_t by itself */
static void residual(const chains *c, const double *x, const double *p, int t, double *r)
{
    for (int i = 0; i < SIZE; i++) {
        r[i] = 0.1;
        for (int k = 0; k < 3; k++) {
            const int block = t + k;
            r[i] += block < 0 || block >= BLOCKS
                        ? 0
                        : c->J[i * WINDOW + k * SIZE + i] * x[block * SIZE + i];
        }
        for (int k = 0; k < c->nls.nshared; k++) {
            r[i] += c->G[i * c->nls.nshared + k] * p[k];
        }
    }
}

static void retract(void *ctx, int member, double *out, const double *x, const double *d)
{
    (void)ctx, (void)member;
    for (int i = 0; i < NVAR; i++) {
        out[i] = x[i] + d[i];
    }
}

static sal_status value(void *ctx, int worker, int member, const double *x, const double *p,
                        double *cost, sal_err *err)
{
    const chains *c = ctx;
    double r[SIZE];
    (void)worker, (void)member, (void)err;
    *cost = 0;
    for (int t = -2; t < BLOCKS; t++) {
        residual(c, x, p, t, r);
        *cost += sal_norm_value(&quadratic, r, SIZE);
    }
    return SAL_OK;
}

static sal_status linearise(void *ctx, int worker, int member, const double *x, const double *p,
                            sal_normal *a, sal_err *err)
{
    const chains *c = ctx;
    double r[SIZE];
    (void)worker, (void)member, (void)err;
    for (int t = -2; t < BLOCKS; t++) {
        residual(c, x, p, t, r);
        sal_normal_add(a, &quadratic, 1, SIZE, r, &(sal_slopes){c->J, t, 3, c->G});
    }
    return SAL_OK;
}

/* ---- the two eliminations ---- */

static void assemble(void *ctx)
{
    chains *c = ctx;
    static double x[NVAR];
    const double p[SHARED_MOST] = {0};
    opt_normal_begin(&c->normal, c->member, c->nls.nshared);
    linearise(c, 0, 0, x, p, &c->normal, NULL);
}

static void own(void *ctx)
{
    chains *c = ctx;
    memcpy(c->normal.panel, c->saved, c->npanel * sizeof(double));
    memcpy(c->normal.corner, c->saved_corner, c->ncorner * sizeof(double));
    if (!opt_joint_eliminate(&c->normal)) {
        fprintf(stderr, "not positive definite\n");
        exit(1);
    }
    opt_joint_substitute(&c->normal, c->Y,
                         (c->nls.nshared + OPT_JOINT_LANE) / OPT_JOINT_LANE * OPT_JOINT_LANE);
}

/* dpbtrf, dpbtrs, and B'Y */
static void lapack(void *ctx)
{
    chains *c = ctx;
    const int nrhs = c->nls.nshared + 1;
    double corner[(SHARED_MOST + 1) * (SHARED_MOST + 1)];
    memcpy(c->band_work, c->band, (size_t)NVAR * (KD + 1) * sizeof(double));
    memcpy(c->rhs_work, c->rhs, (size_t)NVAR * (size_t)nrhs * sizeof(double));
    LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', NVAR, KD, c->band_work, KD + 1);
    LAPACKE_dpbtrs_work(LAPACK_COL_MAJOR, 'L', NVAR, KD, nrhs, c->band_work, KD + 1, c->rhs_work,
                        NVAR);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, nrhs, nrhs, NVAR, 1, c->rhs, NVAR,
                c->rhs_work, NVAR, 0, corner, nrhs);
}

static void fill_lapack(chains *c)
{
    const sal_normal *a = &c->normal;
    for (int j = 0; j < NVAR; j++) {
        const double *row = a->panel + j * a->ld;
        for (int i = j; i < NVAR && i / SIZE < j / SIZE + 3; i++) {
            c->band[j * (KD + 1) + i - j] = row[i - j / SIZE * SIZE];
        }
        for (int k = 0; k <= c->nls.nshared; k++) {
            c->rhs[k * NVAR + j] = row[WINDOW + k];
        }
    }
}

static double difference(const chains *c)
{
    const int ldy = (c->nls.nshared + OPT_JOINT_LANE) / OPT_JOINT_LANE * OPT_JOINT_LANE;
    double most = 0, off = 0;
    for (int j = 0; j < NVAR; j++) {
        for (int k = 0; k <= c->nls.nshared; k++) {
            most = fmax(most, fabs(c->rhs_work[k * NVAR + j]));
            off = fmax(off, fabs(c->rhs_work[k * NVAR + j] - c->Y[j * ldy + k]));
        }
    }
    return off / most;
}

static void make(chains *c, int nshared)
{
    memset(c, 0, sizeof *c);
    for (int i = 0; i < MEMBERS; i++) {
        c->member[i] = (sal_member){NVAR, BLOCKS, SIZE, 0};
    }
    c->nls = (sal_joint_nls){.ctx = c,
                             .nmember = MEMBERS,
                             .member = c->member,
                             .nshared = nshared,
                             .retract = retract,
                             .value = value,
                             .linearise = linearise};
    sal_rng rng = {1};
    for (int i = 0; i < SIZE; i++) {
        const double second[] = {1, -1.9, 1};
        for (int k = 0; k < 3; k++) {
            c->J[i * WINDOW + k * SIZE + i] = second[k];
        }
        for (int k = 0; k < nshared; k++) {
            c->G[i * nshared + k] = sal_rng_uniform(&rng, -1, 1);
        }
    }
    sal_layout layout = {0};
    c->npanel = opt_normal_panel(c->member, nshared);
    opt_normal_place(&c->normal, &layout, c->npanel, SIZE, nshared);
    c->memory = sal_alloc(layout.size, 1);
    layout = (sal_layout){.base = c->memory};
    if (c->memory == NULL) {
        exit(1);
    }
    opt_normal_place(&c->normal, &layout, c->npanel, SIZE, nshared);
    assemble(c);
    c->ncorner = (size_t)(nshared + 1) * (size_t)c->normal.ldc;
    c->saved = need(c->npanel, sizeof(double));
    c->saved_corner = need(c->ncorner, sizeof(double));
    memcpy(c->saved, c->normal.panel, c->npanel * sizeof(double));
    memcpy(c->saved_corner, c->normal.corner, c->ncorner * sizeof(double));
    c->Y = need((size_t)NVAR * (SHARED_MOST + OPT_JOINT_LANE), sizeof(double));
    c->band = need((size_t)NVAR * (KD + 1), sizeof(double));
    c->band_work = need((size_t)NVAR * (KD + 1), sizeof(double));
    c->rhs = need((size_t)NVAR * (SHARED_MOST + 1), sizeof(double));
    c->rhs_work = need((size_t)NVAR * (SHARED_MOST + 1), sizeof(double));
    fill_lapack(c);
}

static void clear(chains *c)
{
    sal_free(c->memory);
    free(c->saved);
    free(c->saved_corner);
    free(c->Y);
    free(c->band);
    free(c->band_work);
    free(c->rhs);
    free(c->rhs_work);
}

/* ---- whole iterations ---- */

typedef struct fit {
    sal_joint *joint;
    double *x;
} fit;

static void iterate(void *ctx)
{
    fit *f = ctx;
    double p[SHARED_MOST];
    sal_joint_stage stage;
    sal_joint_result found;
    sal_err err;
    sal_joint_stage_defaults(&stage);
    stage.maxiter = 1;
    for (int k = 0; k < SHARED_MOST; k++) {
        p[k] = 0.1;
    }
    memset(f->x, 0, (size_t)MEMBERS * NVAR * sizeof(double));
    if (sal_joint_minimise(f->joint, f->x, p, &stage, &found, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
}

static void report(int nshared)
{
    static chains c;
    fit one, two;
    sal_err err;
    const double steps = BLOCKS / 1000., all = steps * MEMBERS;
    make(&c, nshared);
    const race elimination = stopwatch_race(own, &c, lapack, &c, ROUNDS, 1e-3, STOPWATCH_THREAD);
    const race assembly =
        stopwatch_race(assemble, &c, assemble, &c, ROUNDS, 1e-3, STOPWATCH_THREAD);
    one.x = need((size_t)MEMBERS * NVAR, sizeof(double));
    two.x = need((size_t)MEMBERS * NVAR, sizeof(double));
    if (sal_joint_new(&one.joint, &c.nls, 1, &err) != SAL_OK ||
        sal_joint_new(&two.joint, &c.nls, 2, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    const race iteration = stopwatch_race(two.joint == NULL ? NULL : iterate, &two, iterate, &one,
                                          15, 1e-2, STOPWATCH_WALL);
    printf("%6d %9.3f %12.3f %9.3f %6.2f %10.3f %10.3f %6.2f   %.0e\n", nshared,
           1e3 * assembly.a / steps, 1e3 * elimination.a / steps, 1e3 * elimination.b / steps,
           elimination.ratio, 1e3 * iteration.b / all, 1e3 * iteration.a / all, iteration.ratio,
           difference(&c));
    fflush(stdout);
    sal_joint_free(one.joint);
    sal_joint_free(two.joint);
    free(one.x);
    free(two.x);
    clear(&c);
}

int main(void)
{
    static const int border[] = {0, 2, 5, 8, 12};
    openblas_set_num_threads(1);
    printf("milliseconds for 1000 steps of %d numbers\nshared  assembly  elimination    LAPACK  "
           "ratio  iteration  2 threads "
           " ratio   difference\n",
           SIZE);
    for (size_t i = 0; i < sizeof border / sizeof *border; i++) {
        report(border[i]);
    }
    return 0;
}
