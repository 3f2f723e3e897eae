/* bench_peak.c: how near the stages of a solve come to what this processor can do: its most
 * multiplications and additions (of the two, never one fused: results would depend on the
 * processor), and its memory's traffic. Operations are counted in the source; docs/performance.md
 * has the counts. One thread. */
#include "bench/stopwatch.h"

#include "base/clones.h"
#include "base/house.h"
#include "mjcf/mjcf.h"
#include "optim/assembly.h"
#include "optim/factor.h"
#include "physics/abreast/abreast.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 15, CHAINS = 12, LANES = 4, TURNS = 20000, TRIAD = 1 << 23, CALLS = 200 };

static const double BATCH = 4e-3; /* s */

/* ---- the machine ---- */

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

/* x := a x + b in independent chains: as many operations at once as the processor has units for */
SAL_CLONES("avx2")
static void multiply_and_add(void *ctx)
{
    double *result = ctx;
    lanes x[CHAINS], a = {0.5, 0.25, 0.5, 0.25}, b = {1, 2, 3, 4};
    for (int c = 0; c < CHAINS; c++) {
        x[c] = b * (double)c;
    }
    for (int i = 0; i < TURNS; i++) {
        for (int c = 0; c < CHAINS; c++) {
            x[c] = x[c] * a + b;
        }
    }
    for (int c = 0; c < CHAINS; c++) {
        *result += x[c][0] + x[c][3];
    }
}

typedef struct triad {
    double *x, *y, *z; /* [TRIAD] */
} triad;

static void stream(void *ctx)
{
    const triad *t = ctx;
    for (int i = 0; i < TRIAD; i++) {
        t->x[i] = t->y[i] + 3 * t->z[i];
    }
}

static double seconds_of(timed_work work, void *ctx)
{
    return stopwatch_race(work, ctx, work, ctx, ROUNDS, BATCH, STOPWATCH_THREAD).a;
}

static double peak_of_processor(void)
{
    double result = 0;
    const double seconds = seconds_of(multiply_and_add, &result);
    return 2.0 * CHAINS * LANES * TURNS / seconds;
}

static double peak_of_memory(void)
{
    triad t = {sal_alloc(TRIAD, sizeof(double)), sal_alloc(TRIAD, sizeof(double)),
               sal_alloc(TRIAD, sizeof(double))};
    double rate = 0;
    if (t.x != NULL && t.y != NULL && t.z != NULL) {
        rate = 3.0 * TRIAD * sizeof(double) / seconds_of(stream, &t);
    }
    sal_free(t.x), sal_free(t.y), sal_free(t.z);
    return rate;
}

/* ---- where bodies are and how they move, several instants at once ---- */

/* Operations of phy_abreast_place for one instant: sums, differences, products, quotients. Hinges
 * about an axis of their body, which most are; what other joints take is counted like that. */
static double operations_of_place(const sal_model *m)
{
    enum { PLACE = 18, QUAT_MATRIX = 45, QUAT_MUL = 28 };
    enum { SINCOS = 50, HINGE = 2 + SINCOS + 36 + 3 + 42, COLUMN = 12, PASS = 54, HAND_BACK = 11 };
    enum { COM = 9, INERTIA = 66, FORCE = 111, INERTIAL = 42 + 6 + 6, ALONG = 14, NEAR = 8 };
    double sum = 0;
    for (int b = 1; b < m->nbody; b++) {
        const bool turned = m->body_iquat[4 * b] != 1;
        sum += 2 * PLACE + (turned ? QUAT_MUL + QUAT_MATRIX : 0) + COM + INERTIA + FORCE + INERTIAL;
    }
    sum += (double)m->njnt * HINGE;
    sum += (double)m->nv * (COLUMN + PASS + 2 * HAND_BACK + ALONG);
    sum += (double)(m->ngeom + m->nsite) * (PLACE + QUAT_MUL + QUAT_MATRIX);
    return sum + (double)m->npair * NEAR;
}

/* Bytes that it writes of an instant: into the lanes, and from there to the instant's data */
static double bytes_of_place(const sal_model *m)
{
    const double body = 3 + 4 + 9 + 3 + 9 + 3 + 10 + 6, geom = 12, joint = 6, dof = 6 + 6 + 2;
    return 2 * sizeof(double) *
           (m->nbody * body + (m->ngeom + m->nsite) * geom + m->njnt * joint + m->nv * dof);
}

typedef struct placing {
    const sal_model *m;
    phy_abreast *w;
} placing;

static void place(void *ctx)
{
    const placing *x = ctx;
    for (int i = 0; i < CALLS; i++) {
        phy_abreast_place(x->w, x->m, phy_abreast_width(x->w), false);
    }
}

static void print_row(const char *what, int size, double operations, double bytes, double seconds,
                      double peak)
{
    printf("  %-34s %4d dofs %10.0f %10.0f %9.2f %8.0f %%\n", what, size, operations, bytes,
           1e-9 * operations / seconds, 100 * operations / seconds / peak);
}

static void bench_place(const char *file, double peak)
{
    sal_model *m = NULL;
    sal_err err = {0};
    placing x = {0};
    if (sal_model_load(&m, file, NULL, NULL, &err) != SAL_OK ||
        phy_abreast_new(&x.w, m, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    x.m = m;
    const double seconds = seconds_of(place, &x) / (CALLS * phy_abreast_width(x.w));
    print_row("bodies' places and motions", m->nv, operations_of_place(m), bytes_of_place(m),
              seconds, peak);
    phy_abreast_free(x.w);
    sal_model_free(m);
}

/* ---- factorisation of an open motion ---- */

typedef struct factorising {
    opt_factor *factor;
    const double *values;
} factorising;

static void factorise(void *ctx)
{
    const factorising *x = ctx;
    const opt_mix A = {.X = x->values, .a = 1, .shift = 1};
    sal_err err;
    opt_factor_compute(x->factor, &A, &err);
}

/* Blocks of three neighbouring steps; a matrix with a large diagonal */
static void bench_factor(int nv, int nstep, double peak)
{
    sal_block *block = sal_alloc((size_t)nstep, sizeof *block);
    int *col = sal_alloc((size_t)(3 * nv * nstep), sizeof *col), *next = col;
    opt_assembly *as = NULL;
    factorising x = {0};
    sal_err err = {0};
    for (int t = 0; t < nstep; t++) {
        block[t].col = next;
        for (int k = t > 0 ? t - 1 : 0; k <= t + 1 && k < nstep; k++) {
            for (int i = 0; i < nv; i++) {
                *next++ = k * nv + i;
            }
        }
        block[t].ncol = (int)(next - block[t].col);
    }
    if (opt_assembly_new(&as, nv * nstep, block, nstep, 1, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    double *values = sal_alloc((size_t)as->nvalue, sizeof *values);
    for (int j = 0; j < nv * nstep; j++) {
        values[as->colptr[j]] = 8 * nv; /* the diagonal comes first */
    }
    x.values = values;
    if (opt_factor_new(&x.factor, nv * nstep, as->colptr, as->rowind, SAL_FACTOR_BANDED, 1, &err) !=
        SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    const double n = nv, seconds = seconds_of(factorise, &x) / nstep;
    /* a block's own factor n^3/3, the 2 n rows beneath it 2 n^3, what these take from the rest of
     * the band (2 n)^2 n, each product with its sum two operations, halves of squares once */
    print_row("a step of the factorisation", nv, n * n * n * (1 / 3.0 + 2 + 4),
              sizeof(double) * 3 * n * n, seconds, peak);
    opt_factor_free(x.factor);
    opt_assembly_free(as);
    sal_free(values), sal_free(block), sal_free(col);
}

int main(void)
{
    const char *root = getenv("SALTUS_ROOT"), *corpus = getenv("SALTUS_CORPUS");
    char path[1024];
    const double peak = peak_of_processor();
    printf("one thread: at most %.1f GFlop/s (products and sums, not fused), memory %.1f GB/s\n",
           1e-9 * peak, 1e-9 * peak_of_memory());
    printf("  %-34s %9s %10s %10s %9s %10s\n", "of one instant, or step", "", "operations", "bytes",
           "GFlop/s", "of peak");
    snprintf(path, sizeof path, "%s/models/walker.xml", root == NULL ? "." : root);
    bench_place(path, peak);
    if (corpus != NULL) {
        snprintf(path, sizeof path, "%s/models/mj222_humanoid.xml", corpus);
        bench_place(path, peak);
    }
    bench_factor(9, 1000, peak);
    bench_factor(27, 1000, peak);
    return 0;
}
