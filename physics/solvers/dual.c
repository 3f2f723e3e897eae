#include "physics/solvers/dual.h"

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

typedef struct work {
    double *x;   /* [nv] one response */
    int *root;   /* [nv] of each dof: the lowest dof of its tree */
    int *last;   /* [nv] of a lowest dof: the highest one */
    size_t room; /* of phy_dual.response */
} work;

static bool take_work(work *w, const sal_model *m, sal_arena *arena)
{
    const size_t nv = (size_t)m->nv;
    w->x = sal_arena_take(arena, nv, sizeof *w->x);
    w->root = sal_arena_take(arena, nv, sizeof *w->root);
    w->last = sal_arena_take(arena, nv, sizeof *w->last);
    w->room = response_room(m);
    return w->last != NULL;
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

/* x := M^-1 x within one span; see mass/factor.c */
static void solve_within(const sal_model *m, const sal_data *d, phy_dual_span span, double *x)
{
    for (int k = span.last; k >= span.first; k--) { /* x := L'^-1 x */
        const phy_row row = phy_row_of(m, k);
        const double xk = x[k];
        for (int a = 1; xk != 0 && a < row.n; a++) {
            x[phy_row_dof(row, a)] -= d->qLD[row.adr + a] * xk;
        }
    }
    for (int k = span.first; k <= span.last; k++) { /* x := L^-1 D^-1 x */
        const phy_row row = phy_row_of(m, k);
        double sum = x[k] * d->qLDiagInv[k];
        for (int a = 1; a < row.n; a++) {
            sum -= d->qLD[row.adr + a] * x[phy_row_dof(row, a)];
        }
        x[k] = sum;
    }
}

static double row_times(const sal_data *d, int row, const double *x)
{
    const int n = d->efc_J_rownnz[row];
    const int *column = d->efc_J_colind + d->efc_J_rowadr[row];
    const double *jac = d->efc_J + d->efc_J_rowadr[row];
    double sum = 0;
    for (int k = 0; k < n; k++) {
        sum += jac[k] * x[column[k]];
    }
    return sum;
}

/* M^-1 J_row' into x, which is zero elsewhere in the spans, and behind the responses of the rows
 * before; false if there is no room. */
static bool respond(phy_dual *dual, const work *w, int row)
{
    const sal_data *d = dual->d;
    phy_dual_span *span = dual->span + dual->span_adr[row];
    const int n = spans_of(span, d, w, row), adr = d->efc_J_rowadr[row];
    size_t at = dual->response_adr[row];
    for (int i = 0; i < n; i++) {
        const size_t length = (size_t)(span[i].last + 1 - span[i].first);
        memset(w->x + span[i].first, 0, length * sizeof(double));
    }
    for (int k = adr; k < adr + d->efc_J_rownnz[row]; k++) {
        w->x[d->efc_J_colind[k]] = d->efc_J[k];
    }
    for (int i = 0; i < n; i++) {
        const size_t length = (size_t)(span[i].last + 1 - span[i].first);
        solve_within(dual->m, d, span[i], w->x);
        if (at + length > w->room) {
            return false;
        }
        memcpy(dual->response + at, w->x + span[i].first, length * sizeof(double));
        at += length;
    }
    dual->span_adr[row + 1] = dual->span_adr[row] + n;
    dual->response_adr[row + 1] = at;
    return true;
}

/* Which rows of a block stand in the corner of A that a row of it belongs to: from `*from` on */
static int corner(const phy_law_block *block, int row, int *from)
{
    const bool is_edge = block->type == SAL_EFC_CONTACT_PYRAMIDAL;
    *from = is_edge ? row - (row - block->row) % 2 : block->row;
    return is_edge ? 2 : block->dim;
}

static sal_status fill(phy_dual *dual, const work *w, sal_err *err)
{
    const sal_data *d = dual->d;
    phy_law_block block;
    dual->span_adr[0] = 0;
    dual->response_adr[0] = 0;
    for (int first = 0; first < d->nefc; first += block.dim) {
        phy_law_block_at(&block, dual->m, d, first);
        for (int row = first; row < first + block.dim; row++) {
            int from;
            const int n = corner(&block, row, &from);
            if (!respond(dual, w, row)) {
                return sal_fail(err, SAL_FULL,
                                "%d constraint rows need more than the %zu numbers that the "
                                "solver PGS and noslip_iterations hold; use the solver Newton or "
                                "CG, and no noslip_iterations",
                                d->nefc, w->room);
            }
            for (int k = 0; k < n; k++) {
                dual->block[row * PHY_DUAL_DIM + k] = row_times(d, from + k, w->x);
            }
        }
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

double phy_dual_residual(const phy_dual *dual, int row)
{
    return row_times(dual->d, row, dual->a) - dual->d->efc_aref[row];
}

void phy_dual_push(phy_dual *dual, int row, double step)
{
    const double *response = dual->response + dual->response_adr[row];
    for (int i = dual->span_adr[row]; i < dual->span_adr[row + 1]; i++) {
        const int length = dual->span[i].last + 1 - dual->span[i].first;
        double *restrict a = dual->a + dual->span[i].first;
        for (int k = 0; k < length; k++) {
            a[k] += step * response[k];
        }
        response += length;
    }
}

sal_status phy_dual_cone(phy_dual *dual, const phy_law_block *block, const double *R)
{
    const int n = block->dim;
    const phy_impulse_block of = {PHY_IMPULSE_CONE, 0, n, block->friction, 0};
    double B[PHY_DUAL_DIM * PHY_DUAL_DIM] = {0};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            B[i * n + j] = dual->block[(block->row + i) * PHY_DUAL_DIM + j];
        }
        B[i * n + i] += R == NULL ? 0 : R[block->row + i];
    }
    return phy_cone_prepare(dual->cone + dual->d->efc_id[block->row], &of, B, n);
}

double phy_dual_diagonal(const phy_dual *dual, const phy_law_block *block, int row)
{
    int from;
    corner(block, row, &from);
    return dual->block[row * PHY_DUAL_DIM + (row - from)];
}

double phy_dual_change(const phy_dual *dual, int row, int dim, const double *step,
                       const double *residual, const double *R)
{
    double change = 0;
    for (int i = 0; i < dim; i++) {
        const double *A = dual->block + (row + i) * PHY_DUAL_DIM;
        double rise = R == NULL ? 0 : R[row + i] * step[i];
        for (int j = 0; j < dim; j++) {
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
