#include "physics/solvers/dual.h"

#include "base/house.h"
#include "physics/constraint.h"
#include "physics/scratch.h"
#include "physics/stages.h"

#include <string.h>

/* Most numbers in `response`: 256 MB */
enum { RESPONSE_MAX = 1 << 25 };

/* ---- room ---- */

/* Of each dof the lowest of its tree, and of that the highest */
static void trees(const sal_model *m, int *root, int *last)
{
    for (int k = 0; k < m->nv; k++) {
        const int parent = m->dof_parentid[k];
        root[k] = parent < 0 ? k : root[parent];
        last[root[k]] = k;
    }
}

/* The longest tree, in dofs */
static int longest_tree(const sal_model *m)
{
    int most = 0;
    for (int k = 0; k < m->nv; k++) {
        int root = k;
        while (m->dof_parentid[root] >= 0) {
            root = m->dof_parentid[root];
        }
        most = k - root + 1 > most ? k - root + 1 : most;
    }
    return most;
}

/* Numbers that a row may have: all rows but those of tendons touch one body, or two. */
static size_t response_room(const sal_model *m)
{
    const int two = 2 * longest_tree(m), most = m->ntendon > 0 || two > m->nv ? m->nv : two;
    const size_t all = (size_t)m->nefcmax * (size_t)most;
    return all < RESPONSE_MAX ? all : RESPONSE_MAX;
}

static bool take(phy_dual *dual, const sal_model *m, sal_arena *arena)
{
    const size_t nv = (size_t)m->nv, nefc = (size_t)m->nefcmax;
    dual->a = sal_arena_take(arena, nv, sizeof *dual->a);
    dual->span_adr = sal_arena_take(arena, nefc + 1, sizeof *dual->span_adr);
    dual->response_adr = sal_arena_take(arena, nefc + 1, sizeof *dual->response_adr);
    dual->span = sal_arena_take(arena, (size_t)m->nJmax, sizeof *dual->span);
    dual->block = sal_arena_take(arena, nefc * PHY_DUAL_DIM, sizeof *dual->block);
    dual->cone = sal_arena_take(arena, (size_t)m->nconmax, sizeof *dual->cone);
    dual->response = sal_arena_take(arena, response_room(m), sizeof *dual->response);
    return dual->response != NULL;
}

enum { LANES = 4 }; /* rows that are solved for side by side */

typedef struct work {
    double (*x)[LANES]; /* [nv] responses */
    int *root;          /* [nv] of each dof: the lowest dof of its tree */
    int *last;          /* [nv] of a lowest dof: the highest one */
    int *first, *dim;   /* [nefc] of each row: its block */
    size_t room;        /* of phy_dual.response */
} work;

static bool take_work(work *w, const sal_model *m, sal_arena *arena)
{
    const size_t nv = (size_t)m->nv;
    w->x = sal_arena_take(arena, nv, sizeof *w->x);
    w->root = sal_arena_take(arena, nv, sizeof *w->root);
    w->last = sal_arena_take(arena, nv, sizeof *w->last);
    w->first = sal_arena_take(arena, (size_t)m->nefcmax, sizeof *w->first);
    w->dim = sal_arena_take(arena, (size_t)m->nefcmax, sizeof *w->dim);
    w->room = response_room(m);
    return w->dim != NULL;
}

void phy_dual_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    phy_dual dual;
    work w;
    take(&dual, m, arena);
    take_work(&w, m, arena);
    arena->used = mark;
}

/* ---- the responses ---- */

/* The trees that a row touches, in ascending order, those that overlap joined. */
static int spans_of(phy_dual_span *span, const sal_data *d, const work *w, int row)
{
    const int adr = d->efc_J_rowadr[row];
    int n = 0;
    for (int k = adr; k < adr + d->efc_J_rownnz[row]; k++) {
        const int first = w->root[d->efc_J_colind[k]], last = w->last[first];
        if (n == 0 || first > span[n - 1].last) {
            span[n++] = (phy_dual_span){first, last};
        } else if (last > span[n - 1].last) {
            span[n - 1].last = last;
        }
    }
    return n;
}

/* x := M^-1 x within one span; see mass/factor.c. What is left of a dof at which a row is zero in
 * all lanes stays zero on the way down. */
static SAL_INLINE void solve_lanes(const sal_model *m, const sal_data *d, phy_dual_span span,
                                   double (*restrict x)[LANES])
{
    for (int k = span.last; k >= span.first; k--) { /* x := L'^-1 x */
        const phy_row row = phy_row_of(m, k);
        const bool any = x[k][0] != 0 || x[k][1] != 0 || x[k][2] != 0 || x[k][3] != 0;
        for (int a = 1; a < row.n && any; a++) {
            double *into = x[phy_row_dof(row, a)];
            const double l = d->qLD[row.adr + a];
            for (int i = 0; i < LANES; i++) {
                into[i] -= l * x[k][i];
            }
        }
    }
    for (int k = span.first; k <= span.last; k++) { /* x := L^-1 D^-1 x */
        const phy_row row = phy_row_of(m, k);
        for (int i = 0; i < LANES; i++) {
            x[k][i] *= d->qLDiagInv[k];
        }
        for (int a = 1; a < row.n; a++) {
            const double *from = x[phy_row_dof(row, a)];
            const double l = d->qLD[row.adr + a];
            for (int i = 0; i < LANES; i++) {
                x[k][i] -= l * from[i];
            }
        }
    }
}

static int length_of(phy_dual_span span)
{
    return span.last + 1 - span.first;
}

/* x = M^-1 J' of `rows` rows from `row` on that have the same spans, at most LANES */
SAL_CLONES("avx512f", "avx2")
static void respond(phy_dual *dual, const work *w, int row, int rows)
{
    const sal_data *d = dual->d;
    const phy_dual_span *span = dual->span + dual->span_adr[row];
    const int nspan = dual->span_adr[row + 1] - dual->span_adr[row];
    for (int i = 0; i < nspan; i++) {
        memset(w->x + span[i].first, 0, (size_t)length_of(span[i]) * sizeof *w->x);
    }
    for (int i = 0; i < rows; i++) {
        const int adr = d->efc_J_rowadr[row + i];
        for (int k = 0; k < d->efc_J_rownnz[row + i]; k++) {
            w->x[d->efc_J_colind[adr + k]][i] = d->efc_J[adr + k];
        }
    }
    for (int i = 0; i < nspan; i++) {
        solve_lanes(dual->m, d, span[i], w->x);
    }
}

/* The responses in x to those before, and their products with the rows of their blocks to these */
static void keep(phy_dual *dual, const work *w, int row, int rows)
{
    const sal_data *d = dual->d;
    for (int i = 0; i < rows; i++) {
        double *response = dual->response + dual->response_adr[row + i];
        double *A = dual->block + (row + i) * PHY_DUAL_DIM;
        for (int s = dual->span_adr[row + i]; s < dual->span_adr[row + i + 1]; s++) {
            for (int k = dual->span[s].first; k <= dual->span[s].last; k++) {
                *response++ = w->x[k][i];
            }
        }
        const int first = w->first[row + i], adr = d->efc_J_rowadr[first];
        const int n = d->efc_J_rownnz[first];
        for (int j = 0; j < w->dim[row + i]; j++) {
            const double *jac = d->efc_J + adr + j * n;
            A[j] = 0;
            for (int k = 0; k < n; k++) {
                A[j] += jac[k] * w->x[d->efc_J_colind[adr + k]][i];
            }
        }
    }
}

/* Where the spans and responses of a block's rows are, which are all of one length; false if there
 * is no room. */
static bool place(phy_dual *dual, const work *w, const phy_law_block *block)
{
    const int row = block->row, begin = dual->span_adr[row];
    const int nspan = spans_of(dual->span + begin, dual->d, w, row);
    size_t length = 0;
    for (int i = 0; i < nspan; i++) {
        length += (size_t)length_of(dual->span[begin + i]);
    }
    for (int i = 0; i < block->dim; i++) {
        const int at = begin + i * nspan;
        memcpy(dual->span + at, dual->span + begin, (size_t)nspan * sizeof *dual->span);
        dual->span_adr[row + i + 1] = at + nspan;
        dual->response_adr[row + i + 1] = dual->response_adr[row + i] + length;
        w->first[row + i] = row;
        w->dim[row + i] = block->dim;
    }
    return dual->response_adr[row + block->dim] <= w->room;
}

static bool have_same_spans(const phy_dual *dual, int row1, int row2)
{
    const int *adr = dual->span_adr, n = adr[row1 + 1] - adr[row1];
    return adr[row2 + 1] - adr[row2] == n && memcmp(dual->span + adr[row1], dual->span + adr[row2],
                                                    (size_t)n * sizeof *dual->span) == 0;
}

static sal_status fill(phy_dual *dual, const work *w, sal_err *err)
{
    const sal_data *d = dual->d;
    phy_law_block block;
    dual->span_adr[0] = 0;
    dual->response_adr[0] = 0;
    for (int first = 0; first < d->nefc; first += block.dim) {
        phy_law_block_at(&block, dual->m, d, first);
        if (!place(dual, w, &block)) {
            return sal_fail(err, SAL_FULL,
                            "%d constraint rows need more than the %zu numbers that the solver "
                            "PGS and noslip_iterations hold; use the solver Newton or CG, and no "
                            "noslip_iterations",
                            d->nefc, w->room);
        }
    }
    for (int row = 0, rows; row < d->nefc; row += rows) {
        rows = 1;
        while (rows < LANES && row + rows < d->nefc && have_same_spans(dual, row, row + rows)) {
            rows++;
        }
        respond(dual, w, row, rows);
        keep(dual, w, row, rows);
    }
    return SAL_OK;
}

sal_status phy_dual_begin(phy_dual *dual, const sal_model *m, sal_data *d, sal_err *err)
{
    sal_arena need = {.used = d->arena.used};
    phy_dual_scratch(m, &need);
    if (need.need > d->arena.size) {
        return sal_fail(err, SAL_BADINPUT,
                        "this data has no room for the solver PGS and noslip_iterations; make it "
                        "anew (sal_data_new) after they are set in the model");
    }
    *dual = (phy_dual){.m = m, .d = d};
    work w;
    if (!take(dual, m, &d->arena)) {
        return phy_scratch_status(d, err);
    }
    const size_t mark = d->arena.used;
    if (!take_work(&w, m, &d->arena)) {
        return phy_scratch_status(d, err);
    }
    trees(m, w.root, w.last);
    const sal_status status = fill(dual, &w, err);
    d->arena.used = mark;
    return status;
}

/* ---- forces and accelerations ---- */

void phy_dual_acceleration(phy_dual *dual, const double *f)
{
    sal_data *d = dual->d;
    phy_mul_jac_t(dual->m, d, d->qfrc_constraint, f);
    memcpy(dual->a, d->qfrc_constraint, (size_t)dual->m->nv * sizeof *dual->a);
    sal_solve_m(dual->m, d, dual->a);
    for (int i = 0; i < dual->m->nv; i++) {
        dual->a[i] += d->qacc_smooth[i];
    }
}

/* r = J a - aref of three rows of n columns */
static void residual_of_three(double r[3], const double *jac, const int *column, int n,
                              const double *a)
{
    const double *e0 = jac, *e1 = e0 + n, *e2 = e1 + n;
    for (int k = 0; k < n; k++) {
        const double ak = a[column[k]];
        r[0] += e0[k] * ak, r[1] += e1[k] * ak, r[2] += e2[k] * ak;
    }
}

static void residual_of_two(double r[2], const double *jac, const int *column, int n,
                            const double *a)
{
    const double *e0 = jac, *e1 = e0 + n;
    for (int k = 0; k < n; k++) {
        const double ak = a[column[k]];
        r[0] += e0[k] * ak, r[1] += e1[k] * ak;
    }
}

void phy_dual_residual(const phy_dual *dual, int row, int dim, double *residual)
{
    const sal_data *d = dual->d;
    const int n = d->efc_J_rownnz[row];
    const int *column = d->efc_J_colind + d->efc_J_rowadr[row];
    const double *jac = d->efc_J + d->efc_J_rowadr[row];
    for (int i = 0; i < dim; i++) {
        residual[i] = -d->efc_aref[row + i];
    }
    for (int i = 0; i < dim;) {
        if (dim - i == 3 || dim - i >= 5) {
            residual_of_three(residual + i, jac + i * n, column, n, dual->a);
            i += 3;
        } else if (dim - i >= 2) {
            residual_of_two(residual + i, jac + i * n, column, n, dual->a);
            i += 2;
        } else {
            for (int k = 0; k < n; k++) {
                residual[i] += jac[i * n + k] * dual->a[column[k]];
            }
            i++;
        }
    }
}

/* a += M^-1 J' step of one row, of two */
static void push_one(double *restrict a, const double *restrict b, double step, int n)
{
    for (int k = 0; k < n; k++) {
        a[k] += step * b[k];
    }
}

static void push_two(double *restrict a, const double *restrict b, const double *restrict c,
                     const double step[2], int n)
{
    for (int k = 0; k < n; k++) {
        a[k] += step[0] * b[k] + step[1] * c[k];
    }
}

void phy_dual_push(phy_dual *dual, int row, int dim, const double *step)
{
    const size_t length = dual->response_adr[row + 1] - dual->response_adr[row];
    const double *response = dual->response + dual->response_adr[row];
    for (int s = dual->span_adr[row]; s < dual->span_adr[row + 1]; s++) {
        double *a = dual->a + dual->span[s].first;
        const int n = length_of(dual->span[s]);
        for (int i = 0; i < dim;) {
            const double *b = response + (size_t)i * length;
            const bool two = i + 1 < dim && step[i] != 0 && step[i + 1] != 0;
            if (two) {
                push_two(a, b, b + length, step + i, n);
            } else if (step[i] != 0) {
                push_one(a, b, step[i], n);
            }
            i += two ? 2 : 1;
        }
        response += n;
    }
}

sal_status phy_dual_cone(phy_dual *dual, const phy_law_block *block, const double *R)
{
    const int n = block->dim;
    const phy_impulse_block of = {PHY_IMPULSE_CONE, 0, n, block->friction, 0};
    double B[PHY_IMPULSE_DIM * PHY_IMPULSE_DIM] = {0};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            B[i * n + j] = dual->block[(block->row + i) * PHY_DUAL_DIM + j];
        }
        B[i * n + i] += R == NULL ? 0 : R[block->row + i];
    }
    return phy_cone_prepare(dual->cone + dual->d->efc_id[block->row], &of, B, n);
}

double phy_dual_change(const phy_dual *dual, const phy_law_block *block, const double *step,
                       const double *residual, const double *R)
{
    double change = 0;
    for (int i = 0; i < block->dim; i++) {
        const double *A = dual->block + (block->row + i) * PHY_DUAL_DIM;
        double rise = R == NULL ? 0 : R[block->row + i] * step[i];
        for (int j = 0; j < block->dim; j++) {
            rise += A[j] * step[j];
        }
        change += step[i] * (0.5 * rise + residual[i]);
    }
    return change;
}

void phy_dual_finish(phy_dual *dual)
{
    const sal_model *m = dual->m;
    sal_data *d = dual->d;
    const phy_law *law = phy_law_of(m);
    phy_law_block block;
    double ignored[PHY_LAW_DIM];
    phy_dual_acceleration(dual, d->efc_force);
    memcpy(d->qacc, dual->a, (size_t)m->nv * sizeof *dual->a);
    phy_mul_jac(d, d->efc_acc, d->qacc, d->nefc);
    const phy_law_rows rows = phy_law_rows_of(m, d);
    for (int row = 0; row < d->nefc; row += block.dim) {
        phy_law_block_at(&block, m, d, row);
        law->inverse(ignored, d->efc_state + row, &block, &rows);
    }
}
