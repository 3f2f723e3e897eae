/* banded.c: factorisation by dense blocks: a block-banded matrix, with its cyclic corner and a
 * border.
 *
 *     H + shift I = U'U
 *
 * The rows of U that belong to a node (banded_pattern.h) are a dense panel: its own columns, then
 * those of all nodes below, that is, of later nodes it meets in U.
 *
 *     panel_k :  U_kk'U_kk = H_kk,   U_kj = U_kk'^-1 H_kj        j below k
 *     later   :  H_ij -= U_ki'U_kj                               i, j below k,  i <= j
 *
 * (Davis, "Direct methods for sparse linear systems", 2006, section 4.8: supernodes.) The two
 * halves of the nodes are eliminated by two threads if there are; what they subtract from the
 * panels between them is added up in two places, in one order whatever the number of threads. No
 * BLAS: its results depend on its threads.
 */
#include "optim/banded.h"

#include "base/house.h"
#include "optim/banded_pattern.h"
#include "optim/cyclic_corner.h"
#include "optim/kernel.h"

#include <math.h>
#include <string.h>

/* What the elimination of a half needs of its own. */
typedef struct half {
    double *local;      /* [widest] */
    const double **row; /* [most] rows of the panel at hand */
    double *between;    /* panels between the halves, or what is to be added to them */
    double *x;          /* [n] the solution, or what is to be added to it there */
    int loaded;         /* the next position to load */
    bool singular;
} half;

struct opt_banded {
    opt_banded_pattern f;
    const int *colptr; /* of H */
    int nthread;
    double *panel;
    double *between; /* the second half's part of the panels between */
    double *x;       /* [n] the same of a solution; only entries between are used */
    half half[OPT_HALVES];
    const opt_mix *A; /* what is being factorised */
    void *memory;
    opt_spread *spread; /* two ranks eliminate a half each; NULL: this one both */
    /* what they have to tell each other: numbers of the first half, as many of the second */
    double *both;
};

/* ---- creation ---- */

static void place(opt_banded *b, sal_layout *layout)
{
    const opt_banded_pattern *f = &b->f;
    b->panel = sal_layout_take(layout, f->at[f->nnode], sizeof(double));
    b->between = sal_layout_take(layout, f->at[f->nnode] - f->at[f->part[2]], sizeof(double));
    b->x = sal_layout_take(layout, f->part[2] < f->nnode ? (size_t)f->n : 0, sizeof(double));
    for (int h = 0; h < OPT_HALVES; h++) {
        b->half[h].local = sal_layout_take(layout, (size_t)f->widest, sizeof(double));
        b->half[h].row = sal_layout_take(layout, (size_t)f->most, sizeof(double *));
    }
}

sal_status opt_banded_new(opt_banded **banded, int n, const int *colptr, const int *rowind,
                          int nnode_most, int nthread, double *work)
{
    opt_banded *b = sal_alloc(1, sizeof *b);
    *banded = NULL;
    if (b == NULL) {
        return SAL_NOMEM;
    }
    sal_status status = opt_banded_analyse(&b->f, n, colptr, rowind, nnode_most);
    if (status != SAL_OK || b->f.nnode > nnode_most) {
        goto done;
    }
    sal_layout layout = {0};
    place(b, &layout);
    b->memory = sal_alloc(layout.size, 1);
    if (b->memory == NULL) {
        status = SAL_NOMEM;
        goto done;
    }
    layout = (sal_layout){.base = b->memory};
    place(b, &layout);
    b->colptr = colptr;
    b->nthread = nthread;
    *work = b->f.work;
    *banded = b;
    return SAL_OK;
done:
    opt_banded_free(b);
    return status;
}

void opt_banded_free(opt_banded *b)
{
    if (b != NULL) {
        opt_banded_forget(&b->f);
        sal_free(b->both);
        sal_free(b->memory);
        sal_free(b);
    }
}

double *opt_banded_room(const opt_banded *b)
{
    return b->panel + b->f.room_at;
}

/* ---- halves on two ranks ---- */

static bool has_halves(const opt_banded *b)
{
    return b->f.part[1] < b->f.part[2];
}

bool opt_banded_halves(const opt_banded *b, unsigned char *which)
{
    const opt_banded_pattern *f = &b->f;
    for (int h = 0; h < OPT_PARTS; h++) {
        for (int p = f->part[h]; p < f->part[h + 1]; p++) {
            memset(which + f->first[p], h, (size_t)f->size[p]);
        }
    }
    return has_halves(b);
}

/* Numbers of the panels, and of the variables, between the halves */
static size_t between_panels(const opt_banded *b)
{
    return b->f.at[b->f.nnode] - b->f.at[b->f.part[2]];
}

static size_t between_variables(const opt_banded *b)
{
    size_t n = 0;
    for (int p = b->f.part[2]; p < b->f.nnode; p++) {
        n += (size_t)b->f.size[p];
    }
    return n;
}

sal_status opt_banded_share(opt_banded *b, opt_spread *spread)
{
    const size_t n = between_panels(b) + 1, m = between_variables(b);
    b->both = sal_alloc(2 * (n > m ? n : m), sizeof(double));
    b->spread = b->both == NULL ? NULL : spread;
    return b->both == NULL ? SAL_NOMEM : SAL_OK;
}

/* ns of factorising and of a half of the solution, about: for each of the numbers they count */
static double work_to_eliminate(const opt_banded *b)
{
    return .1 * b->f.work;
}

static double work_to_solve(const opt_banded *b)
{
    return .8 * (double)b->f.at[b->f.nnode];
}

/* Runs both halves, or the one that is this rank's; `work` ns in all. */
static void run_halves(opt_banded *b, double work, sal_task task, void *ctx)
{
    const int nhalf = has_halves(b) ? OPT_HALVES : 1;
    if (b->spread == NULL) {
        sal_parallel_for(nhalf, sal_parallel_worth(b->nthread, work), task, ctx);
        return;
    }
    for (int h = 0; h < nhalf; h++) {
        if (opt_spread_leads(b->spread, h)) {
            task(ctx, h, 0);
        }
    }
}

/* What the halves made of the panels between them, and whether they could be eliminated, to all */
static void share_panels(opt_banded *b)
{
    const size_t n = between_panels(b);
    for (int h = 0; h < OPT_HALVES; h++) {
        double *part = b->both + (size_t)h * (n + 1);
        memcpy(part, b->half[h].between, n * sizeof(double));
        part[n] = b->half[h].singular;
    }
    opt_spread_halves(b->spread, b->both, n + 1);
    for (int h = 0; h < OPT_HALVES; h++) {
        const double *part = b->both + (size_t)h * (n + 1);
        memcpy(b->half[h].between, part, n * sizeof(double));
        b->half[h].singular = part[n] != 0;
    }
}

/* The same of the variables between them */
static void share_variables(opt_banded *b)
{
    const opt_banded_pattern *f = &b->f;
    const size_t n = between_variables(b);
    for (int out = 0; out < 2; out++) {
        for (int h = 0; h < OPT_HALVES; h++) {
            double *at = b->both + (size_t)h * n;
            for (int p = f->part[2]; p < f->nnode; at += f->size[p++]) {
                double *x = b->half[h].x + f->first[p];
                memcpy(out ? x : at, out ? at : x, (size_t)f->size[p] * sizeof(double));
            }
        }
        if (!out) {
            opt_spread_halves(b->spread, b->both, n);
        }
    }
}

/* ---- numbers ---- */

/* Entries k .. k+n-1 of H */
static void mix_entries(const opt_mix *A, double *out, int k, int n)
{
    if (A->a == 0 || A->b == 0) {
        const double *only = A->a != 0 ? A->X : A->Y;
        opt_kernel_add(out, A->a + A->b, only + k, n);
        return;
    }
    opt_kernel_add(out, A->a, A->X + k, n);
    opt_kernel_add(out, A->b, A->Y + k, n);
}

/* Columns of another node that lie across panel p. */
static void load_across(const opt_banded *b, double *panel, int p, const opt_fill *fill)
{
    const int size = b->f.size[p], ld = b->f.ld[p];
    for (int c = 0; c < fill->n; c++) {
        const int at = b->colptr[fill->column + c] + fill->n - c + fill->from;
        double *row = panel + fill->to + c;
        for (int i = 0, end; i < size; i = end, row -= OPT_PANEL) {
            const int apart = opt_panel_ld(ld, i);
            for (end = i; end < size && end < i + OPT_PANEL; end++, row += apart) {
                *row = opt_mix_entry(b->A, at + end);
            }
        }
    }
}

/* panel p := H + shift I, 0 where U fills in */
static void load(const opt_banded *b, int p)
{
    const opt_banded_pattern *f = &b->f;
    const int size = f->size[p], ld = f->ld[p];
    double *panel = b->panel + f->at[p];
    memset(panel, 0, opt_panel_size(ld, size) * sizeof(double));
    double *row = panel;
    for (int i = 0; i < size; i++, row += opt_panel_ld(ld, i)) {
        mix_entries(b->A, row + i, b->colptr[f->first[p] + i], size - i);
        row[i] += b->A->shift;
    }
    for (int e = f->fill_at[p]; e < f->fill_at[p + 1]; e++) {
        const opt_fill *fill = f->fill + e;
        if (fill->column >= 0) {
            load_across(b, panel, p, fill);
            continue;
        }
        row = panel;
        for (int i = 0; i < size; i++, row += opt_panel_ld(ld, i)) {
            mix_entries(b->A, row + fill->to, b->colptr[f->first[p] + i] + size - i + fill->from,
                        fill->n);
        }
    }
}

/* Loads the panels of a half up to the last one that p changes: each shortly before it is
 * needed. */
static void load_ahead(const opt_banded *b, half *h, int p, int end)
{
    const opt_banded_pattern *f = &b->f;
    int last = p;
    for (int e = f->below_at[p]; e < f->below_at[p + 1] && f->below[e] < end; e++) {
        last = f->below[e];
    }
    for (; h->loaded <= last; h->loaded++) {
        load(b, h->loaded);
    }
}

/* U'U = panel, with all columns; some rows at a time. */
static bool factorise_panel(const opt_banded *b, const half *h, int p)
{
    const int size = b->f.size[p], ld = b->f.ld[p], width = b->f.width[p];
    double *rows = b->panel + b->f.at[p];
    for (int i = 0, apart; i < size; i += OPT_PANEL, rows += OPT_PANEL * apart) {
        const int n = size - i < OPT_PANEL ? size - i : OPT_PANEL;
        apart = opt_panel_ld(ld, i);
        for (int k = 0; k < n; k++) {
            h->row[i + k] = rows + k * apart - i;
        }
        const opt_outer earlier = {
            .row = h->row, .nrow = i, .sign = -1, .i0 = i, .ni = n, .j0 = i, .nj = width - i};
        opt_outer_add(rows, apart, &earlier);
        if (!opt_kernel_pivots(rows, apart, width - i, n)) {
            return false;
        }
        for (int k = 0; k < n; k++) {
            opt_cyclic_corner_fade(rows + k * apart + size - i, width - size);
        }
    }
    return true;
}

/* H_ij -= U_pi'U_pj for the e-th position i below p and all j from it on: above the diagonal, but
 * for the corners of a few rows at a time */
static void update_panel(const opt_banded *b, const half *h, int p, int e)
{
    const opt_banded_pattern *f = &b->f;
    const int q = f->below[e], size = f->size[q], ld = f->ld[q];
    const opt_run *runs = f->update + f->update_at[e];
    double *rows =
        q < f->part[2] ? b->panel + f->at[q] : h->between + (f->at[q] - f->at[f->part[2]]);
    opt_outer part = {.row = h->row, .nrow = f->size[p], .sign = -1};
    for (int i = 0, apart; i < size; i += OPT_PANEL, rows += OPT_PANEL * apart) {
        apart = opt_panel_ld(ld, i);
        part.i0 = runs->from + i;
        part.ni = size - i < OPT_PANEL ? size - i : OPT_PANEL;
        part.j0 = part.i0;
        part.nj = runs->n - i;
        opt_outer_add(rows, apart, &part);
        for (const opt_run *r = runs + 1; r < f->update + f->update_at[e + 1]; r++) {
            part.j0 = r->from;
            part.nj = r->n;
            opt_outer_add(rows + r->to - i, apart, &part);
        }
    }
}

/* Positions begin .. end-1 */
static void eliminate(const opt_banded *b, half *h, int begin, int end)
{
    h->loaded = h->loaded < begin ? begin : h->loaded;
    h->singular = false;
    for (int p = begin; p < end && !h->singular; p++) {
        load_ahead(b, h, p, end);
        h->singular = !factorise_panel(b, h, p);
        for (int e = b->f.below_at[p]; e < b->f.below_at[p + 1] && !h->singular; e++) {
            update_panel(b, h, p, e);
        }
    }
}

static void eliminate_half(void *ctx, int k, int worker)
{
    opt_banded *b = ctx;
    (void)worker;
    eliminate(b, &b->half[k], b->f.part[k], b->f.part[k + 1]);
}

sal_status opt_banded_compute(opt_banded *b, const opt_mix *A)
{
    const opt_banded_pattern *f = &b->f;
    const size_t nbetween = between_panels(b);
    half *first = &b->half[0], *second = &b->half[1];
    b->A = A;
    first->between = b->panel + f->at[f->part[2]];
    second->between = b->between;
    first->loaded = second->loaded = 0;
    for (int p = f->part[2]; p < f->nnode; p++) {
        load(b, p);
    }
    memset(b->between, 0, nbetween * sizeof(double));
    first->singular = second->singular = false;
    run_halves(b, work_to_eliminate(b), eliminate_half, b);
    if (b->spread != NULL) {
        share_panels(b);
    }
    if (first->singular || second->singular) {
        return SAL_SINGULAR;
    }
    for (size_t i = 0; i < nbetween; i++) {
        first->between[i] += b->between[i];
    }
    first->loaded = f->nnode;
    eliminate(b, first, f->part[2], f->nnode);
    return first->singular ? SAL_SINGULAR : SAL_OK;
}

/* ---- solution ---- */

/* The variables of a position in x: those between the halves may be elsewhere. */
static double *variables_of(const opt_banded *b, const half *h, double *x, int p)
{
    return (p < b->f.part[2] ? x : h->x) + b->f.first[p];
}

static void gather(const opt_banded *b, const half *h, int p, double *x)
{
    const opt_banded_pattern *f = &b->f;
    double *local = h->local;
    memcpy(local, variables_of(b, h, x, p), (size_t)f->size[p] * sizeof(double));
    local += f->size[p];
    for (int e = f->below_at[p]; e < f->below_at[p + 1]; e++) {
        const int q = f->below[e];
        memcpy(local, variables_of(b, h, x, q), (size_t)f->size[q] * sizeof(double));
        local += f->size[q];
    }
}

static void scatter(const opt_banded *b, const half *h, int p, double *x)
{
    const opt_banded_pattern *f = &b->f;
    const double *local = h->local;
    memcpy(variables_of(b, h, x, p), local, (size_t)f->size[p] * sizeof(double));
    local += f->size[p];
    for (int e = f->below_at[p]; e < f->below_at[p + 1]; e++) {
        const int q = f->below[e];
        memcpy(variables_of(b, h, x, q), local, (size_t)f->size[q] * sizeof(double));
        local += f->size[q];
    }
}

static void forward(const opt_banded *b, const half *h, double *x, int begin, int end)
{
    const opt_banded_pattern *f = &b->f;
    for (int p = begin; p < end; p++) {
        gather(b, h, p, x);
        opt_kernel_forward(h->local, b->panel + f->at[p], f->ld[p], f->width[p], f->size[p]);
        scatter(b, h, p, x);
    }
}

static void backward(const opt_banded *b, const half *h, double *x, int begin, int end)
{
    const opt_banded_pattern *f = &b->f;
    for (int p = end - 1; p >= begin; p--) {
        gather(b, h, p, x);
        opt_kernel_backward(h->local, b->panel + f->at[p], f->ld[p], f->width[p], f->size[p]);
        memcpy(variables_of(b, h, x, p), h->local, (size_t)f->size[p] * sizeof(double));
    }
}

typedef struct solution {
    opt_banded *b;
    double *x;
} solution;

static void forward_half(void *ctx, int k, int worker)
{
    const solution *s = ctx;
    (void)worker;
    forward(s->b, &s->b->half[k], s->x, s->b->f.part[k], s->b->f.part[k + 1]);
}

static void backward_half(void *ctx, int k, int worker)
{
    const solution *s = ctx;
    (void)worker;
    backward(s->b, &s->b->half[k], s->x, s->b->f.part[k], s->b->f.part[k + 1]);
}

/* U'y = b by columns of U', then U x = y by rows of U */
void opt_banded_solve(opt_banded *b, double *x)
{
    const opt_banded_pattern *f = &b->f;
    solution s = {b, x};
    b->half[0].x = x;
    b->half[1].x = b->x;
    for (int p = f->part[2]; p < f->nnode; p++) {
        memset(b->x + f->first[p], 0, (size_t)f->size[p] * sizeof(double));
    }
    run_halves(b, work_to_solve(b), forward_half, &s);
    if (b->spread != NULL) {
        share_variables(b);
    }
    for (int p = f->part[2]; p < f->nnode; p++) {
        opt_kernel_add(x + f->first[p], 1, b->x + f->first[p], f->size[p]);
    }
    forward(b, &b->half[0], x, f->part[2], f->nnode);
    backward(b, &b->half[0], x, f->part[2], f->nnode);
    b->half[1].x = x;
    run_halves(b, work_to_solve(b), backward_half, &s);
    if (b->spread != NULL) {
        opt_spread_variables(b->spread, x);
    }
}
