/* bench_factor.c: the time of one factorisation of a Gauss-Newton Hessian by either backend, over
 * dofs, steps and the ends of the motion: open, a cycle, open with a border of globals; beside
 * LAPACK's banded Cholesky of the open one in the same run. */
#include "bench/stopwatch.h"

#include "base/house.h"
#include "optim/assembly.h"
#include "optim/factor.h"

#include <cblas.h>
#include <lapacke.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GLOBALS = 2, ROUNDS = 9, FEW = 2 };

typedef enum ends { OPEN, CYCLE, BORDER, NENDS } ends;

static const char *const ends_name[NENDS] = {"open", "cycle", "border"};

typedef struct size {
    int nv, nstep;
} size;

static const size sizes[] = {{9, 20},   {9, 200},   {9, 1000}, {27, 20},
                             {27, 200}, {27, 1000}, {60, 400}};

/* A matrix of the pattern that steps make which know their neighbours. */
typedef struct matrix {
    int nv, nvar;
    opt_assembly *as;
    sal_block *block;
    int *col;
    double *values;
    opt_factor *factor;
    double *band, *work; /* [nvar x (kd+1)] LAPACK's lower band, and what is overwritten */
    int kd;
} matrix;

static void *need(size_t n, size_t bytes)
{
    void *memory = calloc(n, bytes);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

static void make_blocks(matrix *m, const size *s, ends end)
{
    const int nstep = s->nstep, nv = s->nv;
    const bool cycle = end == CYCLE;
    m->block = need((size_t)nstep, sizeof *m->block);
    m->col = need((size_t)nstep * (size_t)(3 * nv + GLOBALS), sizeof *m->col);
    int *col = m->col;
    for (int t = 0; t < nstep; t++) {
        m->block[t].col = col;
        for (int k = -1; k <= 1; k++) {
            const int at = (t + k + nstep) % nstep;
            for (int i = 0; (cycle || at == t + k) && i < nv; i++) {
                *col++ = at * nv + i;
            }
        }
        for (int i = 0; end == BORDER && i < GLOBALS; i++) {
            *col++ = nstep * nv + i;
        }
        m->block[t].ncol = (int)(col - m->block[t].col);
    }
}

static void fill(matrix *m)
{
    const opt_assembly *as = m->as;
    sal_rng rng = {1};
    m->values = need((size_t)as->nvalue, sizeof(double));
    for (int j = 0; j < m->nvar; j++) {
        for (int k = as->colptr[j]; k < as->colptr[j + 1]; k++) {
            m->values[k] = as->rowind[k] == j ? 8 * m->nv : sal_rng_uniform(&rng, -1, 1);
        }
    }
}

static void make_band(matrix *m)
{
    const opt_assembly *as = m->as;
    m->kd = 3 * m->nv - 1;
    m->band = need((size_t)m->nvar * (size_t)(m->kd + 1), sizeof(double));
    m->work = need((size_t)m->nvar * (size_t)(m->kd + 1), sizeof(double));
    for (int j = 0; j < m->nvar; j++) {
        for (int k = as->colptr[j]; k < as->colptr[j + 1]; k++) {
            m->band[j * (m->kd + 1) + as->rowind[k] - j] = m->values[k];
        }
    }
}

static bool make(matrix *m, const size *s, ends end)
{
    sal_err err = {0};
    *m = (matrix){.nv = s->nv, .nvar = s->nv * s->nstep + (end == BORDER ? GLOBALS : 0)};
    make_blocks(m, s, end);
    if (opt_assembly_new(&m->as, m->nvar, m->block, s->nstep, 1, &err) != SAL_OK) {
        return false;
    }
    fill(m);
    if (end == OPEN) {
        make_band(m);
    }
    return true;
}

static void clear(matrix *m)
{
    opt_assembly_free(m->as);
    free(m->block), free(m->col), free(m->values), free(m->band), free(m->work);
}

static void factorise(void *ctx)
{
    matrix *m = ctx;
    const opt_mix A = {.X = m->values, .a = 1, .shift = 1};
    sal_err err;
    if (opt_factor_compute(m->factor, &A, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
    }
}

static void factorise_band(void *ctx)
{
    matrix *m = ctx;
    memcpy(m->work, m->band, (size_t)m->nvar * (size_t)(m->kd + 1) * sizeof(double));
    if (LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', m->nvar, m->kd, m->work, m->kd + 1) != 0) {
        fprintf(stderr, "dpbtrf: not positive definite\n");
    }
}

/* Seconds of one factorisation; with `band` that of dpbtrf beside it. */
static double measure(matrix *m, sal_factor_method method, int nthread, double *band)
{
    sal_err err = {0};
    if (opt_factor_new(&m->factor, m->nvar, m->as->colptr, m->as->rowind, method, nthread, &err) !=
        SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 0;
    }
    const stopwatch clock = nthread > 1 ? STOPWATCH_WALL : STOPWATCH_THREAD;
    factorise(m);
    const race r = stopwatch_race(factorise, m, band != NULL ? factorise_band : factorise, m,
                                  method == SAL_FACTOR_CHOLMOD ? FEW : ROUNDS, 0.002, clock);
    opt_factor_free(m->factor);
    if (band != NULL) {
        *band = r.b;
    }
    return r.a;
}

static void report(const size *s)
{
    double band = 0, open = 0;
    for (ends end = OPEN; end < NENDS; end++) {
        matrix m;
        if (!make(&m, s, end)) {
            fprintf(stderr, "no matrix\n");
            continue;
        }
        const double banded = measure(&m, SAL_FACTOR_BANDED, 1, end == OPEN ? &band : NULL);
        const double two = measure(&m, SAL_FACTOR_BANDED, 2, NULL);
        const double cholmod = measure(&m, SAL_FACTOR_CHOLMOD, 1, NULL);
        open = end == OPEN ? banded : open;
        printf("  %3d x %-5d %-7s %9.3f %9.3f %9.3f", s->nv, s->nstep, ends_name[end], 1e3 * banded,
               1e3 * two, 1e3 * cholmod);
        if (end == OPEN) {
            printf(" %9.3f   %5.2f x dpbtrf\n", 1e3 * band, banded / band);
        } else {
            printf(" %9s   %5.2f x open\n", "", banded / open);
        }
        fflush(stdout);
        clear(&m);
    }
}

int main(void)
{
    openblas_set_num_threads(1);
    printf("one factorisation, ms   banded  2 threads   cholmod   dpbtrf\n");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        report(sizes + i);
    }
    return 0;
}
