/* align.c: finds the turn that carries one cloud of points onto another, though some of the pairs
 * are wrong: the optimizer alone, without a mechanism.
 *
 *     minimise  sum_k norm( R a_k - b_k )  over rotations R,   norm(r) = sqrt(|r|^2 + p^2) - p
 *
 * R is a unit quaternion: four numbers, three ways to move. Every pair is a block of three
 * residuals; r changes with a turn w of the body by dr = R (w x a) = -R [a] w.
 *
 *     cc align.c $(pkg-config --cflags --libs saltus) -lm && ./a.out
 */
#include <math.h>
#include <saltus/optim.h>
#include <stdio.h>

enum { PAIRS = 60, WRONG = 12 };

typedef struct clouds {
    double a[PAIRS][3], b[PAIRS][3];
} clouds;

/* A point's turn: x + 2 w u x x + 2 u x (u x x) for q = (w, u) */
static void turn(double out[3], const double q[4], const double x[3])
{
    const double t[3] = {2 * (q[2] * x[2] - q[3] * x[1]), 2 * (q[3] * x[0] - q[1] * x[2]),
                         2 * (q[1] * x[1] - q[2] * x[0])};
    out[0] = x[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
    out[1] = x[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
    out[2] = x[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
}

/* out = x exp(d/2) */
static void retract(void *ctx, double *out, const double *x, const double *d)
{
    const double angle = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double s = angle > 0 ? sin(angle / 2) / angle : 0.5, c = cos(angle / 2);
    const double e[3] = {s * d[0], s * d[1], s * d[2]};
    (void)ctx;
    out[0] = x[0] * c - x[1] * e[0] - x[2] * e[1] - x[3] * e[2];
    out[1] = x[0] * e[0] + x[1] * c + x[2] * e[2] - x[3] * e[1];
    out[2] = x[0] * e[1] + x[2] * c + x[3] * e[0] - x[1] * e[2];
    out[3] = x[0] * e[2] + x[3] * c + x[1] * e[1] - x[2] * e[0];
}

static sal_status residual(void *ctx, double *r, const double *x, sal_err *err)
{
    const clouds *c = ctx;
    (void)err;
    for (int k = 0; k < PAIRS; k++) {
        turn(r + 3 * k, x, c->a[k]);
        for (int i = 0; i < 3; i++) {
            r[3 * k + i] -= c->b[k][i];
        }
    }
    return SAL_OK;
}

/* Column j of a pair's Jacobian is R (e_j x a). */
static sal_status linearise(void *ctx, double *r, double *J, const double *x, sal_err *err)
{
    const clouds *c = ctx;
    for (int k = 0; k < PAIRS; k++) {
        const double *a = c->a[k];
        const double across[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
        for (int j = 0; j < 3; j++) {
            double column[3];
            turn(column, x, across[j]);
            for (int i = 0; i < 3; i++) {
                J[9 * k + 3 * i + j] = column[i];
            }
        }
    }
    return residual(ctx, r, x, err);
}

/* Points on a spiral around a ball, turned; every fifth is put where it does not belong. */
static void make(clouds *c, const double q[4])
{
    for (int k = 0; k < PAIRS; k++) {
        const double z = 2 * (k + 0.5) / PAIRS - 1, ring = sqrt(1 - z * z);
        const double point[3] = {ring * cos(2.4 * k), ring * sin(2.4 * k), z};
        for (int i = 0; i < 3; i++) {
            c->a[k][i] = point[i];
        }
        turn(c->b[k], q, point);
        if (k % (PAIRS / WRONG) == 0) {
            c->b[k][0] = 1, c->b[k][1] = -1, c->b[k][2] = 0.5;
        }
    }
}

int main(void)
{
    static const int columns[3] = {0, 1, 2};
    static const double truth[4] = {0.5, 0.5, -0.5, 0.5};
    static clouds c;
    const sal_segment robust = {.n = 3, .norm = {.kind = SAL_NORM_L2, .p = 0.01}, .weight = 1};
    sal_block block[PAIRS];
    double x[4] = {1, 0, 0, 0}, product = 0;
    sal_optim *optim = NULL;
    sal_optim_options options;
    sal_optim_result result;
    sal_err err = {0};
    make(&c, truth);
    for (int k = 0; k < PAIRS; k++) {
        block[k] = (sal_block){.nres = 3, .ncol = 3, .col = columns, .nseg = 1, .seg = &robust};
    }
    const sal_nls problem = {.ctx = &c,
                             .nx = 4,
                             .nvar = 3,
                             .nblock = PAIRS,
                             .block = block,
                             .retract = retract,
                             .residual = residual,
                             .linearise = linearise};
    sal_optim_defaults(&options);
    options.cap = 0.5;
    options.tolerance = 1e-12;
    sal_status status = sal_optim_new(&optim, &problem, &options, &err);
    status = status == SAL_OK ? sal_minimise(optim, x, &result, &err) : status;
    sal_optim_free(optim);
    if (status != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    for (int i = 0; i < 4; i++) {
        product += x[i] * truth[i];
    }
    const double off = 2 * acos(fmin(fabs(product), 1));
    printf("%s after %d linearisations: %d of %d pairs are wrong, the turn is off by %.1e rad\n",
           sal_stop_text(result.stop), result.linearisations, WRONG, PAIRS, off);
    return off < 1e-2 ? 0 : 1;
}
