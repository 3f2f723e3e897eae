/* hessian.c: see hessian.h. The pattern is found with a set of columns per row, 64 to
 * a word: eliminating row k joins its columns to those of the highest of them, its parent in the
 * elimination tree. */
#include "physics/solvers/hessian.h"

#include "physics/scratch.h"
#include "physics/stages.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { WORD = 64 };

static int words(int nv)
{
    return (nv + WORD - 1) / WORD;
}

static void insert(uint64_t *set, int column)
{
    set[column / WORD] |= (uint64_t)1 << (column % WORD);
}

/* The highest column in the set, or -1 */
static int highest(const uint64_t *set, int nword)
{
    for (int k = nword - 1; k >= 0; k--) {
        if (set[k] != 0) {
            return WORD * k + WORD - 1 - __builtin_clzll(set[k]);
        }
    }
    return -1;
}

/* The couplings of elements beside M: of each pair of dofs the lower in the row of the higher */
static void collect_elements(const sal_model *m, const sal_data *d, uint64_t *set)
{
    phy_step_element e;
    for (int i = 0; phy_step_element_at(m, d, i, &e); i++) {
        for (int a = 0; e.w != 0 && a < e.n; a++) {
            for (int b = 0; b < e.n; b++) {
                if (e.dof[b] < e.dof[a]) {
                    insert(set + e.dof[a] * words(m->nv), e.dof[b]);
                }
            }
        }
    }
}

/* The columns of each row before elimination: of M, and of each constraint in its last row, which
 * passes them on */
static void collect(const sal_model *m, const sal_data *d, int rows, uint64_t *set)
{
    const int nword = words(m->nv);
    for (int i = 0; i < m->nv; i++) {
        const phy_row row = phy_row_of(m, i);
        for (int k = 1; k < row.n; k++) {
            insert(set + i * nword, phy_row_dof(row, k));
        }
    }
    for (int row = 0; row < rows; row++) {
        const int n = d->efc_J_rownnz[row];
        const int *column = d->efc_J_colind + d->efc_J_rowadr[row];
        for (int k = 0; k + 1 < n; k++) {
            insert(set + column[n - 1] * nword, column[k]);
        }
    }
}

/* Columns of a set as a list; returns how many */
static int list(const uint64_t *set, int nword, int *col)
{
    int n = 0;
    for (int k = 0; k < nword; k++) {
        for (uint64_t rest = set[k]; rest != 0; rest &= rest - 1) {
            col[n++] = WORD * k + __builtin_ctzll(rest);
        }
    }
    return n;
}

static void eliminate(phy_hessian *H, uint64_t *set)
{
    const int nword = words(H->m->nv);
    int adr = 0;
    for (int i = H->m->nv - 1; i >= 0; i--) {
        const uint64_t *own = set + i * nword;
        const int parent = highest(own, nword);
        for (int k = 0; parent >= 0 && k < nword; k++) {
            set[parent * nword + k] |= own[k];
        }
        if (parent >= 0) {
            set[parent * nword + parent / WORD] &= ~((uint64_t)1 << (parent % WORD));
        }
        int *col = H->col + adr;
        H->adr[i] = adr;
        H->num[i] = list(own, nword, col);
        H->straight[i] = 0;
        while (H->straight[i] < H->num[i] && col[H->straight[i]] == col[0] + H->straight[i]) {
            H->straight[i]++;
        }
        adr += H->num[i];
    }
}

static bool take(phy_hessian *H, const sal_model *m, sal_arena *arena)
{
    const size_t nv = (size_t)m->nv;
    H->m = m;
    H->h = sal_arena_take(arena, nv * nv, sizeof *H->h);
    H->w = sal_arena_take(arena, nv, sizeof *H->w);
    H->adr = sal_arena_take(arena, nv, sizeof *H->adr);
    H->num = sal_arena_take(arena, nv, sizeof *H->num);
    H->straight = sal_arena_take(arena, nv, sizeof *H->straight);
    H->col = sal_arena_take(arena, nv * (nv + 1) / 2, sizeof *H->col);
    return H->col != NULL;
}

/* The sets of columns, [nv] of so many words */
static uint64_t *take_set(const sal_model *m, sal_arena *arena)
{
    return sal_arena_take(arena, (size_t)m->nv * (size_t)words(m->nv), sizeof(uint64_t));
}

/* The Hessian itself stays taken: of whoever begins it. */
void phy_hessian_scratch(const sal_model *m, sal_arena *arena)
{
    phy_hessian H;
    take(&H, m, arena);
    const size_t mark = arena->used;
    take_set(m, arena);
    arena->used = mark;
}

bool phy_hessian_begin(phy_hessian *H, const sal_model *m, sal_data *d, int rows)
{
    const size_t nset = (size_t)m->nv * (size_t)words(m->nv);
    if (!take(H, m, &d->arena)) {
        return false;
    }
    const size_t mark = d->arena.used;
    uint64_t *set = take_set(m, &d->arena);
    if (set == NULL) {
        return false;
    }
    memset(set, 0, nset * sizeof *set);
    collect(m, d, rows, set);
    if (phy_has_step_metric(m)) {
        collect_elements(m, d, set);
    }
    eliminate(H, set);
    d->arena.used = mark;
    return true;
}

/* H += S */
static void add_metric(phy_hessian *H, const sal_data *d)
{
    const sal_model *m = H->m;
    phy_step_element e;
    for (int i = 0; i < m->nv; i++) {
        H->h[(size_t)i * (size_t)(m->nv + 1)] += d->step_joint[i];
    }
    for (int i = 0; phy_step_element_at(m, d, i, &e); i++) {
        for (int a = 0; e.w != 0 && a < e.n; a++) {
            double *row = H->h + (size_t)e.dof[a] * (size_t)m->nv;
            for (int b = 0; b < e.n; b++) {
                if (e.dof[b] <= e.dof[a]) {
                    row[e.dof[b]] += e.w * e.x[a] * e.x[b];
                }
            }
        }
    }
}

void phy_hessian_set(phy_hessian *H, const sal_data *d)
{
    const sal_model *m = H->m;
    const bool damped = phy_damping_is_beside(m), has_metric = phy_has_step_metric(m);
    H->inverse_pivot_m = d->qLDiagInv;
    for (int i = 0; i < m->nv; i++) {
        const phy_row row = phy_row_of(m, i);
        double *hi = H->h + (size_t)i * (size_t)m->nv;
        for (int k = 0; k < H->num[i]; k++) {
            hi[H->col[H->adr[i] + k]] = 0;
        }
        for (int k = 0; k < row.n; k++) {
            hi[phy_row_dof(row, k)] = d->qM[row.adr + k];
        }
        if (damped) {
            hi[i] += m->opt.timestep * phy_damping_slope(m, d, i);
        }
    }
    if (has_metric) {
        add_metric(H, d);
    }
}

/* weighted = C J; most blocks are single rows or pyramids, whose C is diagonal */
static void weigh(double *weighted, const double *c, const double *jac, int dim, int n)
{
    for (int r = 0; r < dim; r++) {
        for (int j = 0; j < n; j++) {
            weighted[r * n + j] = c[r * dim + r] * jac[r * n + j];
        }
        for (int k = 0; k < dim; k++) {
            const double entry = k == r ? 0 : c[r * dim + k];
            for (int j = 0; entry != 0 && j < n; j++) {
                weighted[r * n + j] += entry * jac[k * n + j];
            }
        }
    }
}

void phy_hessian_add(phy_hessian *H, const sal_data *d, int row, int dim, const double *c,
                     double *weighted)
{
    const int n = d->efc_J_rownnz[row];
    const int *column = d->efc_J_colind + d->efc_J_rowadr[row];
    const double *jac = d->efc_J + d->efc_J_rowadr[row];
    weigh(weighted, c, jac, dim, n);
    for (int r = 0; r < dim; r++) {
        const double *wr = weighted + r * n;
        for (int i = 0; c[r * dim + r] != 0 && i < n; i++) { /* C >= 0: else the row is zero */
            const double left = jac[r * n + i];
            double *into = H->h + (size_t)H->m->nv * (size_t)column[i];
            for (int j = 0; left != 0 && j <= i; j++) {
                into[column[j]] += left * wr[j];
            }
        }
    }
}

/* Row k leaves the rest:  H_ij -= H_ki H_kj / H_kk,   L_ki = H_ki / H_kk   for its columns j <= i.
 * H - M is positive semidefinite, so no pivot H_kk is less than that of M, which factor.c
 * eliminates in the same order. Where it comes out less, M is below the rounding of rows of weight
 * 1e15 or more (bodies that turn about their centres of mass), and its pivot is taken instead.
 */
bool phy_hessian_factor(phy_hessian *H)
{
    const size_t nv = (size_t)H->m->nv;
    double *restrict w = H->w;
    for (int k = H->m->nv - 1; k >= 0; k--) {
        const int n = H->num[k], straight = H->straight[k];
        const int *restrict col = H->col + H->adr[k];
        double *hk = H->h + (size_t)k * nv;
        if (isnan(hk[k])) {
            return false;
        }
        if (hk[k] * H->inverse_pivot_m[k] < 0.5) {
            hk[k] = 1 / H->inverse_pivot_m[k];
        }
        const double inverse = 1 / hk[k];
        for (int a = 0; a < n; a++) {
            w[a] = hk[col[a]];
        }
        for (int a = 0; a < n; a++) {
            double *restrict hi = H->h + (size_t)col[a] * nv;
            double *restrict first = hi + col[0];
            const double l = w[a] * inverse;
            const int run = a + 1 < straight ? a + 1 : straight;
            for (int b = 0; b < run; b++) {
                first[b] -= l * w[b];
            }
            for (int b = run; b <= a; b++) {
                hi[col[b]] -= l * w[b];
            }
            hk[col[a]] = l;
        }
    }
    return true;
}

void phy_hessian_solve(const phy_hessian *H, double *x)
{
    const int nv = H->m->nv;
    for (int k = nv - 1; k >= 0; k--) { /* x := L'^-1 x */
        const int *col = H->col + H->adr[k];
        const double *hk = H->h + (size_t)k * (size_t)nv;
        for (int a = 0; a < H->num[k]; a++) {
            x[col[a]] -= hk[col[a]] * x[k];
        }
    }
    for (int k = 0; k < nv; k++) { /* x := L^-1 D^-1 x */
        const int *col = H->col + H->adr[k];
        const double *hk = H->h + (size_t)k * (size_t)nv;
        double sum = x[k] / hk[k];
        for (int a = 0; a < H->num[k]; a++) {
            sum -= hk[col[a]] * x[col[a]];
        }
        x[k] = sum;
    }
}
