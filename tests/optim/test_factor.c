/* The two backends against each other, on matrices of every structure that motions make and on
 * irregular ones. */
#include "tests/check.h"

#include "base/house.h"
#include "optim/assembly.h"
#include "optim/factor.h"

enum {
    STEPS_MOST = 40,
    NV_MOST = 7,
    COL_MOST = 3 * NV_MOST + 4,
    VAR_MOST = STEPS_MOST * NV_MOST + 2
};

/* Steps that know their neighbours, on a cycle or not, some with fewer variables; `irregular`: some
 * also know one far away. */
typedef struct shape {
    int nstep, nv, nglobal;
    bool cycle, irregular;
} shape;

typedef struct matrix {
    int nvar, first[STEPS_MOST + 1], col[STEPS_MOST][COL_MOST];
    sal_block block[STEPS_MOST];
    opt_assembly *as;
    double *values, b[VAR_MOST];
} matrix;

static int step_columns(const matrix *m, int *col, int t)
{
    int n = 0;
    for (int v = m->first[t]; v < m->first[t + 1]; v++) {
        col[n++] = v;
    }
    return n;
}

static void make_block(matrix *m, const shape *s, sal_rng *rng, int t)
{
    int n = 0, *col = m->col[t];
    for (int k = -1; k <= 1; k++) {
        const int at = (t + k + s->nstep) % s->nstep;
        if (s->cycle || at == t + k) {
            n += step_columns(m, col + n, at);
        }
    }
    for (int i = 0; i < s->nglobal; i++) {
        col[n++] = m->first[s->nstep] + i;
    }
    const int far = (int)sal_rng_uniform(rng, 0, s->nstep), apart = abs(far - t);
    if (s->irregular && apart > 1 && apart < s->nstep - 1) {
        col[n++] = m->first[far];
    }
    m->block[t] = (sal_block){.ncol = n, .col = col};
}

static matrix *make_matrix(const shape *s, unsigned seed)
{
    static matrix m;
    sal_rng rng = {seed};
    sal_err err = {0};
    memset(&m, 0, sizeof m);
    for (int t = 0; t < s->nstep; t++) {
        m.first[t + 1] = m.first[t] + s->nv - (t % 5 == 3 && s->nv > 2 ? 2 : 0);
    }
    m.nvar = m.first[s->nstep] + s->nglobal;
    for (int t = 0; t < s->nstep; t++) {
        make_block(&m, s, &rng, t);
    }
    CHECK_OK(opt_assembly_new(&m.as, m.nvar, m.block, s->nstep, 1, &err), err);
    m.values = calloc((size_t)m.as->nnz, sizeof(double));
    for (int j = 0; j < m.nvar; j++) {
        m.b[j] = sal_rng_uniform(&rng, -1, 1);
        for (int k = m.as->colptr[j]; k < m.as->colptr[j + 1]; k++) {
            m.values[k] = m.as->rowind[k] == j ? 10 * s->nv : sal_rng_uniform(&rng, -1, 1);
            m.values[k] += m.as->rowind[k] == j && j >= m.first[s->nstep] ? m.nvar : 0;
        }
    }
    return &m;
}

static void free_matrix(matrix *m)
{
    opt_assembly_free(m->as);
    free(m->values);
}

/* The same once more, one of the matrices being where the factor will be: the same bits. */
static void solve_in_room(const matrix *m, opt_factor *factor, const double *expected)
{
    double *room = opt_factor_room(factor), x[VAR_MOST];
    const opt_mix A = {.X = m->values, .Y = room, .a = 0.5, .b = 0.25, .shift = 3};
    sal_err err = {0};
    CHECK((room != NULL) == (opt_factor_chosen(factor) == SAL_FACTOR_BANDED));
    if (room == NULL) {
        return;
    }
    memcpy(room, m->values, (size_t)m->as->nnz * sizeof(double));
    CHECK_OK(opt_factor_compute(factor, &A, &err), err);
    memcpy(x, m->b, (size_t)m->nvar * sizeof(double));
    CHECK_OK(opt_factor_solve(factor, x, &err), err);
    CHECK(memcmp(x, expected, (size_t)m->nvar * sizeof(double)) == 0);
}

/* x = (1/2 H + 1/4 H + 3 I)^-1 b */
static void solve(const matrix *m, sal_factor_method method, int nthread, double *x)
{
    const opt_mix A = {.X = m->values, .Y = m->values, .a = 0.5, .b = 0.25, .shift = 3};
    opt_factor *factor = NULL;
    sal_err err = {0};
    CHECK_OK(opt_factor_new(&factor, m->nvar, m->as->colptr, m->as->rowind, method, nthread, &err),
             err);
    if (method != SAL_FACTOR_AUTO) {
        CHECK(opt_factor_chosen(factor) == method);
    }
    for (int k = 0; k < 2; k++) { /* the same factor is used again */
        CHECK_OK(opt_factor_compute(factor, &A, &err), err);
        memcpy(x, m->b, (size_t)m->nvar * sizeof(double));
        CHECK_OK(opt_factor_solve(factor, x, &err), err);
    }
    solve_in_room(m, factor, x);
    opt_factor_free(factor);
}

/* Largest entry of b - (3/4 H + 3 I) x */
static double rest(const matrix *m, const double *x)
{
    double r[VAR_MOST], largest = 0;
    for (int j = 0; j < m->nvar; j++) {
        r[j] = m->b[j] - 3 * x[j];
    }
    for (int j = 0; j < m->nvar; j++) {
        for (int k = m->as->colptr[j]; k < m->as->colptr[j + 1]; k++) {
            const int i = m->as->rowind[k];
            r[i] -= 0.75 * m->values[k] * x[j];
            r[j] -= i > j ? 0.75 * m->values[k] * x[i] : 0;
        }
    }
    for (int j = 0; j < m->nvar; j++) {
        largest = fmax(largest, fabs(r[j]));
    }
    return largest;
}

static void compare(const shape *s, unsigned seed)
{
    matrix *m = make_matrix(s, seed);
    double banded[VAR_MOST], cholmod[VAR_MOST], chosen[VAR_MOST], again[VAR_MOST];
    solve(m, SAL_FACTOR_BANDED, 1, banded);
    solve(m, SAL_FACTOR_CHOLMOD, 1, cholmod);
    solve(m, SAL_FACTOR_AUTO, 1, chosen);
    CHECK(rest(m, banded) < 1e-14);
    for (int j = 0; j < m->nvar; j++) {
        CHECK_NEAR(banded[j], cholmod[j], 1e-15);
        CHECK_NEAR(chosen[j], cholmod[j], 1e-15);
    }
    for (int nthread = 2; nthread <= 4; nthread++) {
        solve(m, SAL_FACTOR_BANDED, nthread, again);
        CHECK(memcmp(banded, again, (size_t)m->nvar * sizeof(double)) == 0);
    }
    free_matrix(m);
}

static void compare_shapes(bool cycle, int nglobal, bool irregular)
{
    static const int steps[] = {3, 4, 5, 7, 11, 12, 13, 14, 15, 20, 31, STEPS_MOST},
                     sizes[] = {1, 3, 4, NV_MOST};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++) {
            const shape s = {steps[i], sizes[j], nglobal, cycle, irregular};
            compare(&s, (unsigned)(1 + i));
        }
    }
}

static void open_motions(void)
{
    compare_shapes(false, 0, false);
}

static void cycles(void)
{
    compare_shapes(true, 0, false);
}

static void borders(void)
{
    compare_shapes(false, 2, false);
    compare_shapes(true, 1, false);
    compare_shapes(true, 2, false);
}

static void irregular_patterns(void)
{
    compare_shapes(false, 0, true);
    compare_shapes(true, 2, true);
}

int main(void)
{
    sal_parallel_share = 0; /* however small a loop is, all threads are at it */
    RUN(open_motions);
    RUN(cycles);
    RUN(borders);
    RUN(irregular_patterns);
    return check_done();
}
