/* bead.h: a bead over a floor that hardens, on a cycle of steps with a free duration: a problem
 * with a path, a cycle and a border. */
#ifndef SAL_TESTS_OPTIM_BEAD_H
#define SAL_TESTS_OPTIM_BEAD_H

#include "tests/optim/dense_problem.h"

#include "base/house.h"

/* Configurations (x_t, z_t), t = 0..BEADS-1, on a cycle on which x advances by one; log of the step
 * as a global. Per step:
 *     0   z'' + G - F(z - A sin(2 pi x))
 *     nothing but the floor lifts the bead (constraint)
 *     1   (x'' - 2 x') / 20                             the drive's effort
 *     2   z'' / 20                                      comfort
 *     3   (log h - log h0) / 2                          pace
 * F = K p log(1 + exp(-gap/p)) becomes 30 times stiffer and 10 times sharper from softness 1 to
 * 0. */
enum { BEADS = 24, BEAD_COL = 7, BEAD_RES = 4 };
static const double GRAVITY = 9.81, AMPLITUDE = 0.02, STEP = 0.05;

typedef struct bead {
    double stiffness;
    double width;
    int col[BEADS][BEAD_COL];
    sal_segment seg[2];
    sal_block block[BEADS];
    sal_nls nls;
    /* of progress */
    int calls;
    int refuse_at;
} bead;

/* local: x and z of t-1, t, t+1, then log h */
static inline void bead_step(const bead *p, cplx r[BEAD_RES], const cplx local[BEAD_COL])
{
    const cplx *before = local, *now = local + 2, *after = local + 4, h = cexp(local[6]);
    const cplx ax = (after[0] - 2 * now[0] + before[0]) / (h * h);
    const cplx az = (after[1] - 2 * now[1] + before[1]) / (h * h);
    const cplx vx = (now[0] - before[0]) / h;
    const cplx t = -(now[1] - AMPLITUDE * csin(2 * acos(-1) * now[0])) / p->width;
    const cplx soft = creal(t) > 30 ? t : clog(1 + cexp(t));
    r[0] = (az + GRAVITY - p->stiffness * p->width * soft) / GRAVITY;
    r[1] = (ax - 2 * vx) / 20;
    r[2] = az / 20;
    r[3] = (local[6] - log(STEP)) / 2;
}

static inline void bead_local(cplx local[BEAD_COL], const double *x, int t)
{
    for (int k = -1; k <= 1; k++) {
        const int at = (t + k + BEADS) % BEADS;
        local[2 * (k + 1)] = x[2 * at] + (t + k < 0 ? -1 : t + k >= BEADS ? 1 : 0);
        local[2 * (k + 1) + 1] = x[2 * at + 1];
    }
    local[6] = x[2 * BEADS];
}

static inline sal_status bead_residual(void *ctx, double *r, const double *x, sal_err *err)
{
    (void)err;
    for (int t = 0; t < BEADS; t++) {
        cplx local[BEAD_COL], f[BEAD_RES];
        bead_local(local, x, t);
        bead_step(ctx, f, local);
        for (int i = 0; i < BEAD_RES; i++) {
            r[t * BEAD_RES + i] = creal(f[i]);
        }
    }
    return SAL_OK;
}

static inline sal_status bead_linearise(void *ctx, double *r, double *J, const double *x,
                                        sal_err *err)
{
    for (int t = 0; t < BEADS; t++, J += BEAD_RES * BEAD_COL) {
        for (int j = 0; j < BEAD_COL; j++) {
            cplx local[BEAD_COL], f[BEAD_RES];
            bead_local(local, x, t);
            local[j] += 1e-100 * (cplx)I;
            bead_step(ctx, f, local);
            for (int i = 0; i < BEAD_RES; i++) {
                J[i * BEAD_COL + j] = cimag(f[i]) * 1e100;
            }
        }
    }
    return bead_residual(ctx, r, x, err);
}

static inline void bead_retract(void *ctx, double *out, const double *x, const double *d)
{
    (void)ctx;
    for (int i = 0; i < 2 * BEADS + 1; i++) {
        out[i] = x[i] + d[i];
    }
}

static inline sal_status bead_stage(void *ctx, double softness, double smoothing, double *x,
                                    sal_err *err)
{
    bead *p = ctx;
    (void)smoothing, (void)x, (void)err;
    p->stiffness = 3e3 * pow(100 / 3e3, softness);
    p->width = 2e-3 * pow(10, softness);
    p->seg[0].weight = 1e3 * pow(10 / 1e3, softness) / BEADS;
    return SAL_OK;
}

static inline bool bead_progress(void *ctx, const sal_progress *progress)
{
    bead *p = ctx;
    (void)progress;
    return ++p->calls != p->refuse_at;
}

static inline void make_bead(bead *p, double *x)
{
    memset(p, 0, sizeof *p);
    p->seg[0] = (sal_segment){.n = 1, .weight = 1, .constraint = true, .tol = 1e-10};
    p->seg[1] = (sal_segment){.n = 3, .weight = 1.0 / BEADS};
    sal_rng rng = {11};
    for (int t = 0; t < BEADS; t++) {
        for (int k = 0; k < 3; k++) {
            const int at = (t + k - 1 + BEADS) % BEADS;
            p->col[t][2 * k] = 2 * at;
            p->col[t][2 * k + 1] = 2 * at + 1;
        }
        p->col[t][6] = 2 * BEADS;
        p->block[t] = (sal_block){
            .nres = BEAD_RES, .ncol = BEAD_COL, .col = p->col[t], .nseg = 2, .seg = p->seg};
        x[2 * t] = (double)t / BEADS + sal_rng_uniform(&rng, -.01, .01);
        x[2 * t + 1] = sal_rng_uniform(&rng, -.01, .01);
    }
    x[2 * BEADS] = log(STEP);
    p->nls = (sal_nls){.ctx = p,
                       .nx = 2 * BEADS + 1,
                       .nvar = 2 * BEADS + 1,
                       .nblock = BEADS,
                       .block = p->block,
                       .retract = bead_retract,
                       .residual = bead_residual,
                       .linearise = bead_linearise,
                       .stage = bead_stage,
                       .progress = bead_progress};
}

#endif
