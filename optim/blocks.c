/* blocks.c: factorisation by dense blocks.
 *
 * Successive variables that meet the same others form a node: the variables of one time step, say. The nodes are eliminated in their order,
 * which is the best one for steps in a row or a ring with globals behind. Of
 *
 *     H + shift I = U'U
 *
 * the rows of U that belong to a node are a dense panel: its own columns, then those of all nodes below, that is, of later nodes it meets in U.
 *
 *     panel_k :  U_kk'U_kk = H_kk,   U_kj = U_kk'^-1 H_kj        j below k
 *     later   :  H_ij -= U_ki'U_kj                               i, j below k,  i <= j
 *
 * (Davis, "Direct methods for sparse linear systems", 2006, section 4.8: supernodes.) No BLAS: its results depend on its threads.
 */
#include "base/base.h"

#include "optim/factor.h"
#include "optim/kernel.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    ROWS = 4,
    ALIGN = 8
}; /* rows of a panel at a time; doubles that the rows of a panel are aligned to */

/* n successive numbers that go from one place to another */
typedef struct run {
    int from, to, n;
} run;

struct sal_blocks {
    int n, nnode, most; /* most: variables of a node */
    const int *colptr;  /* of H */
    int *first;         /* [nnode+1] first variable of a node */
    int *below_at;      /* [nnode+1] */
    int *below;         /* the nodes below each, increasing */
    int *width, *ld;    /* [nnode] columns of a panel, and from row to row */
    size_t *at;         /* [nnode+1] where a panel begins */
    int *
        fill_at; /* [nnode+1] from a column of H, behind the node's own rows, to a row of the panel */
    run *fill;
    int *
        update_at; /* [nbelow+1] for each node below: from columns of the panel to those of that node's panel */
    run *update;
    double *panel;
    double *local;      /* [widest] */
    const double **row; /* [most] rows of the panel at hand */
    void *node_memory, *memory;
};

/* What only the analysis needs. */
typedef struct analysis {
    const int *colptr, *rowind;
    unsigned char *begins; /* [n+1] does a node begin with this variable? */
    int *node;             /* [n] of a variable */
    unsigned char *meets;  /* [nnode x nnode] k, j > k: 1 in H, 2 in U only */
    void *memory;
} analysis;

static int size_of(const sal_blocks *f, int k)
{
    return f->first[k + 1] - f->first[k];
}

/* ---- nodes ------------------------------------------------------------------------------------------------------------------------- */

/* Variables v - 1 and v are of one node if they meet each other and the same later variables, and no earlier one meets only one of them. */
static void find_beginnings(const sal_blocks *f, const analysis *a)
{
    const int *colptr = a->colptr, *rowind = a->rowind;
    for (int v = 1; v < f->n; v++) {
        const int before = colptr[v] - colptr[v - 1], here = colptr[v + 1] - colptr[v];
        a->begins[v] = before != here + 1 || memcmp(rowind + colptr[v - 1] + 1, rowind + colptr[v],
                                                    (size_t)here * sizeof(int)) != 0;
    }
    for (int c = 0; c < f->n; c++) {
        for (int k = colptr[c] + 1; k < colptr[c + 1]; k++) {
            if (rowind[k] != rowind[k - 1] + 1) {
                a->begins[rowind[k]] = a->begins[rowind[k - 1] + 1] = 1;
            }
        }
        a->begins[rowind[colptr[c + 1] - 1] + 1] = 1;
    }
    a->begins[0] = a->begins[f->n] = 1;
}

static void place_nodes(sal_blocks *f, sal_layout *layout)
{
    const size_t n = (size_t)f->nnode;
    f->first = sal_layout_take(layout, n + 1, sizeof(int));
    f->below_at = sal_layout_take(layout, n + 1, sizeof(int));
    f->width = sal_layout_take(layout, n, sizeof(int));
    f->ld = sal_layout_take(layout, n, sizeof(int));
    f->at = sal_layout_take(layout, n + 1, sizeof(size_t));
    f->fill_at = sal_layout_take(layout, n + 1, sizeof(int));
}

static sal_status find_nodes(sal_blocks *f, analysis *a)
{
    sal_layout layout = {0};
    place_nodes(f, &layout);
    f->node_memory = sal_alloc(layout.size, 1);
    a->meets = sal_alloc((size_t)f->nnode, (size_t)f->nnode);
    if (f->node_memory == NULL || a->meets == NULL) {
        return SAL_NOMEM;
    }
    layout = (sal_layout){.base = f->node_memory};
    place_nodes(f, &layout);
    for (int v = 0, k = -1; v <= f->n; v++) {
        if (a->begins[v]) {
            f->first[++k] = v;
        }
        if (v < f->n) {
            a->node[v] = k;
        }
    }
    for (int k = 0; k < f->nnode; k++) {
        const int c = f->first[k];
        unsigned char *meets = a->meets + (size_t)k * (size_t)f->nnode;
        for (int e = a->colptr[c]; e < a->colptr[c + 1]; e++) {
            meets[a->node[a->rowind[e]]] = 1;
        }
        f->most = size_of(f, k) > f->most ? size_of(f, k) : f->most;
    }
    return SAL_OK;
}

/* All nodes below k meet each other in U. */
static void fill_in(const sal_blocks *f, analysis *a)
{
    const size_t n = (size_t)f->nnode;
    for (size_t k = 0; k < n; k++) {
        const unsigned char *meets = a->meets + k * n;
        for (size_t i = k + 1; i < n; i++) {
            for (size_t j = i + 1; meets[i] && j < n; j++) {
                if (meets[j] && !a->meets[i * n + j]) {
                    a->meets[i * n + j] = 2;
                }
            }
        }
    }
}

/* ---- panels ------------------------------------------------------------------------------------------------------------------------ */

/* Appends a run to a list, or lengthens the last one since `begin`; only counts where list is NULL and then never merges. */
static void add_run(run *list, int *n, int begin, run r)
{
    if (list == NULL) {
        (*n)++;
        return;
    }
    run *last = list + *n - 1;
    if (*n > begin && last->from + last->n == r.from && last->to + last->n == r.to) {
        last->n += r.n;
    } else {
        list[(*n)++] = r;
    }
}

/* H's columns of node k to its panel. */
static void find_fill(sal_blocks *f, const analysis *a, int k, int *n)
{
    const unsigned char *meets = a->meets + (size_t)k * (size_t)f->nnode;
    const int begin = *n;
    int from = 0, to = size_of(f, k);
    for (int j = k + 1; j < f->nnode; j++) {
        if (meets[j] == 1) {
            add_run(f->fill, n, begin, (run){from, to, size_of(f, j)});
            from += size_of(f, j);
        }
        to += meets[j] != 0 ? size_of(f, j) : 0;
    }
}

/* Columns of panel k, from those of node i on, to panel i. */
static void find_update(sal_blocks *f, const analysis *a, int k, int i, int *n)
{
    const unsigned char *of_k = a->meets + (size_t)k * (size_t)f->nnode;
    const unsigned char *of_i = a->meets + (size_t)i * (size_t)f->nnode;
    const int begin = *n;
    int from = size_of(f, k), to = 0;
    for (int j = k + 1; j < f->nnode; j++) {
        if (j >= i && of_k[j]) {
            add_run(f->update, n, begin, (run){from, to, size_of(f, j)});
        }
        from += of_k[j] ? size_of(f, j) : 0;
        to += j >= i && of_i[j] ? size_of(f, j) : 0;
    }
}

/* Lists and sizes of all panels; run twice, to count and to fill. */
static void describe(sal_blocks *f, const analysis *a, int count[3], double *flops)
{
    count[0] = count[1] = count[2] = 0;
    *flops = 0;
    for (int k = 0; k < f->nnode; k++) {
        const unsigned char *meets = a->meets + (size_t)k * (size_t)f->nnode;
        const int size = size_of(f, k);
        int width = size;
        f->below_at[k] = count[0];
        f->fill_at[k] = count[1];
        find_fill(f, a, k, count + 1);
        for (int j = k + 1; j < f->nnode; j++) {
            if (meets[j]) {
                width += size_of(f, j);
                if (f->below != NULL) {
                    f->below[count[0]] = j;
                    f->update_at[count[0]] = count[2];
                }
                count[0]++;
                find_update(f, a, k, j, count + 2);
            }
        }
        f->width[k] = width;
        f->ld[k] = (width + ALIGN - 1) / ALIGN * ALIGN;
        f->at[k + 1] = f->at[k] + (size_t)size * (size_t)f->ld[k];
        for (int p = 0; p < size; p++) {
            *flops += (double)(width - p) * (double)(width - p);
        }
    }
    f->below_at[f->nnode] = count[0];
    f->fill_at[f->nnode] = count[1];
    if (f->update_at != NULL) {
        f->update_at[count[0]] = count[2];
    }
}

static void place_panels(sal_blocks *f, sal_layout *layout, const int count[3], int widest)
{
    f->below = sal_layout_take(layout, (size_t)count[0], sizeof(int));
    f->fill = sal_layout_take(layout, (size_t)count[1], sizeof(run));
    f->update_at = sal_layout_take(layout, (size_t)count[0] + 1, sizeof(int));
    f->update = sal_layout_take(layout, (size_t)count[2], sizeof(run));
    f->panel = sal_layout_take(layout, f->at[f->nnode], sizeof(double));
    f->local = sal_layout_take(layout, (size_t)widest, sizeof(double));
    f->row = sal_layout_take(layout, (size_t)f->most, sizeof(double *));
}

static sal_status find_panels(sal_blocks *f, const analysis *a, double *flops)
{
    int count[3], widest = 0;
    describe(f, a, count, flops);
    for (int k = 0; k < f->nnode; k++) {
        widest = f->width[k] > widest ? f->width[k] : widest;
    }
    sal_layout layout = {0};
    place_panels(f, &layout, count, widest);
    f->memory = sal_alloc(layout.size, 1);
    if (f->memory == NULL) {
        return SAL_NOMEM;
    }
    layout = (sal_layout){.base = f->memory};
    place_panels(f, &layout, count, widest);
    describe(f, a, count, flops);
    return SAL_OK;
}

/* ---- creation ---------------------------------------------------------------------------------------------------------------------- */

static sal_status analyse(sal_blocks *f, analysis *a, int nnode_most, double *flops)
{
    const size_t n = (size_t)f->n;
    a->memory = sal_alloc(n * (sizeof(int) + 1) + 1, 1);
    if (a->memory == NULL) {
        return SAL_NOMEM;
    }
    a->node = a->memory;
    a->begins = (unsigned char *)(a->node + n);
    find_beginnings(f, a);
    for (int v = 0; v < f->n; v++) {
        f->nnode += a->begins[v];
    }
    if (f->nnode > nnode_most) {
        return SAL_OK;
    }
    sal_status status = find_nodes(f, a);
    if (status == SAL_OK) {
        fill_in(f, a);
        status = find_panels(f, a, flops);
    }
    return status;
}

sal_status sal_blocks_new(sal_blocks **blocks, int n, const int *colptr, const int *rowind,
                          int nnode_most, double *flops)
{
    analysis a = {.colptr = colptr, .rowind = rowind};
    sal_blocks *f = sal_alloc(1, sizeof *f);
    *blocks = NULL;
    if (f == NULL) {
        return SAL_NOMEM;
    }
    f->n = n;
    f->colptr = colptr;
    const sal_status status = analyse(f, &a, nnode_most, flops);
    sal_free(a.memory);
    sal_free(a.meets);
    if (status == SAL_OK && f->nnode <= nnode_most) {
        *blocks = f;
    } else {
        sal_blocks_free(f);
    }
    return status;
}

void sal_blocks_free(sal_blocks *f)
{
    if (f != NULL) {
        sal_free(f->node_memory);
        sal_free(f->memory);
        sal_free(f);
    }
}

/* ---- numbers ----------------------------------------------------------------------------------------------------------------------- */

/* The panels := H + shift I, 0 where U fills in */
static void load(const sal_blocks *f, const sal_mix *A)
{
    memset(f->panel, 0, f->at[f->nnode] * sizeof(double));
    for (int k = 0; k < f->nnode; k++) {
        const int size = size_of(f, k);
        for (int p = 0; p < size; p++) {
            const int column = f->colptr[f->first[k] + p];
            double *row = f->panel + f->at[k] + p * f->ld[k];
            sal_mix_entries(A, row + p, column, size - p);
            row[p] += A->shift;
            for (int e = f->fill_at[k]; e < f->fill_at[k + 1]; e++) {
                sal_mix_entries(A, row + f->fill[e].to, column + size - p + f->fill[e].from,
                                f->fill[e].n);
            }
        }
    }
}

/* U'U = panel, with all columns; some rows at a time. */
static bool factorise_panel(const sal_blocks *f, int k)
{
    const int size = size_of(f, k), ld = f->ld[k], width = f->width[k];
    double *panel = f->panel + f->at[k];
    for (int p = 0; p < size; p++) {
        f->row[p] = panel + p * ld;
    }
    for (int p = 0; p < size; p += ROWS) {
        const int n = size - p < ROWS ? size - p : ROWS;
        const sal_outer earlier = {
            .row = f->row, .nrow = p, .sign = -1, .i0 = p, .ni = n, .j0 = p, .nj = width - p};
        sal_outer_add(panel + p * ld + p, ld, &earlier);
        if (!sal_kernel_pivots(panel, ld, width, p, n)) {
            return false;
        }
    }
    return true;
}

/* H_ij -= U_ki'U_kj for the e-th node i below k and all j from it on: above the diagonal, but for the corners of a few rows at a time */
static void update_panel(const sal_blocks *f, int k, int e)
{
    const int i = f->below[e], size = size_of(f, i), ld = f->ld[i];
    const run *runs = f->update + f->update_at[e];
    double *panel = f->panel + f->at[i];
    sal_outer part = {.row = f->row, .nrow = size_of(f, k), .sign = -1};
    for (int p = 0; p < size; p += ROWS) {
        part.i0 = runs->from + p;
        part.ni = size - p < ROWS ? size - p : ROWS;
        part.j0 = part.i0;
        part.nj = runs->n - p;
        sal_outer_add(panel + p * ld + p, ld, &part);
    }
    part.i0 = runs->from;
    part.ni = size;
    for (const run *r = runs + 1; r < f->update + f->update_at[e + 1]; r++) {
        part.j0 = r->from;
        part.nj = r->n;
        sal_outer_add(panel + r->to, ld, &part);
    }
}

sal_status sal_blocks_compute(sal_blocks *f, const sal_mix *A)
{
    load(f, A);
    for (int k = 0; k < f->nnode; k++) {
        if (!factorise_panel(f, k)) {
            return SAL_SINGULAR;
        }
        for (int e = f->below_at[k]; e < f->below_at[k + 1]; e++) {
            update_panel(f, k, e);
        }
    }
    return SAL_OK;
}

/* ---- solution ---------------------------------------------------------------------------------------------------------------------- */

/* Variables of node k and those below, between x and one piece. */
static void gather(const sal_blocks *f, int k, const double *x)
{
    double *local = f->local;
    memcpy(local, x + f->first[k], (size_t)size_of(f, k) * sizeof(double));
    local += size_of(f, k);
    for (int e = f->below_at[k]; e < f->below_at[k + 1]; e++) {
        const int i = f->below[e];
        memcpy(local, x + f->first[i], (size_t)size_of(f, i) * sizeof(double));
        local += size_of(f, i);
    }
}

static void scatter(const sal_blocks *f, int k, double *x)
{
    const double *local = f->local;
    memcpy(x + f->first[k], local, (size_t)size_of(f, k) * sizeof(double));
    local += size_of(f, k);
    for (int e = f->below_at[k]; e < f->below_at[k + 1]; e++) {
        const int i = f->below[e];
        memcpy(x + f->first[i], local, (size_t)size_of(f, i) * sizeof(double));
        local += size_of(f, i);
    }
}

/* U'y = b by columns of U', then U x = y by rows of U */
void sal_blocks_solve(const sal_blocks *f, double *x)
{
    double *local = f->local;
    for (int k = 0; k < f->nnode; k++) {
        gather(f, k, x);
        sal_kernel_forward(local, f->panel + f->at[k], f->ld[k], f->width[k], size_of(f, k));
        scatter(f, k, x);
    }
    for (int k = f->nnode - 1; k >= 0; k--) {
        gather(f, k, x);
        sal_kernel_backward(local, f->panel + f->at[k], f->ld[k], f->width[k], size_of(f, k));
        memcpy(x + f->first[k], local, (size_t)size_of(f, k) * sizeof(double));
    }
}
