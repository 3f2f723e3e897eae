/* banded_pattern.c: nodes, their order and the places of their panels (Davis, "Direct methods for
 * sparse linear systems", 2006, sections 4.8 and 7: supernodes and elimination order). */
#include "optim/banded_pattern.h"

#include "optim/cyclic_corner.h"
#include "optim/kernel.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALIGN = 8,        /* doubles that the rows of a panel are aligned to */
    HALVES_LEAST = 4, /* times the band: a shorter row of nodes is not halved */
    NODES_LEAST = 12  /* nor is one of fewer nodes */
};

/* What only the analysis needs. Nodes are numbered by their variables. */
typedef struct analysis {
    const int *colptr, *rowind;
    unsigned char *begins; /* [n+1] does a node begin with this variable? */
    int *of;               /* [n] the node of a variable */
    int nnode;
    int *first;               /* [nnode+1] */
    int *up_at, *up;          /* [nnode+1] later nodes that each meets in H */
    int *all_at, *all;        /* [nnode+1] all that it meets */
    int *order, *position;    /* [nnode] */
    int *mark, *child, *next; /* [nnode] scratch */
    void *variable_memory, *node_memory, *meeting_memory;
} analysis;

static int size_of(const analysis *a, int k)
{
    return a->first[k + 1] - a->first[k];
}

static void forget(analysis *a)
{
    sal_free(a->variable_memory);
    sal_free(a->node_memory);
    sal_free(a->meeting_memory);
}

/* ---- nodes ---- */

/* Variables v - 1 and v are of one node if they meet each other and the same later variables, and
 * no earlier one meets only one of them. */
static void find_beginnings(analysis *a, int n)
{
    const int *colptr = a->colptr, *rowind = a->rowind;
    for (int v = 1; v < n; v++) {
        const int before = colptr[v] - colptr[v - 1], here = colptr[v + 1] - colptr[v];
        a->begins[v] = before != here + 1 || memcmp(rowind + colptr[v - 1] + 1, rowind + colptr[v],
                                                    (size_t)here * sizeof(int)) != 0;
    }
    for (int c = 0; c < n; c++) {
        for (int k = colptr[c] + 1; k < colptr[c + 1]; k++) {
            if (rowind[k] != rowind[k - 1] + 1) {
                a->begins[rowind[k]] = a->begins[rowind[k - 1] + 1] = 1;
            }
        }
        a->begins[rowind[colptr[c + 1] - 1] + 1] = 1;
    }
    a->begins[0] = a->begins[n] = 1;
    for (int v = 0; v < n; v++) {
        a->nnode += a->begins[v];
        a->of[v] = a->nnode - 1;
    }
}

static void place_nodes(analysis *a, sal_layout *layout)
{
    const size_t n = (size_t)a->nnode;
    a->first = sal_layout_take(layout, n + 1, sizeof(int));
    a->up_at = sal_layout_take(layout, n + 1, sizeof(int));
    a->all_at = sal_layout_take(layout, n + 2, sizeof(int));
    a->order = sal_layout_take(layout, n, sizeof(int));
    a->position = sal_layout_take(layout, n, sizeof(int));
    a->mark = sal_layout_take(layout, n, sizeof(int));
    a->child = sal_layout_take(layout, n, sizeof(int));
    a->next = sal_layout_take(layout, n, sizeof(int));
}

/* Later nodes that node k meets; their number. */
static int find_up(const analysis *a, int k, int *up)
{
    const int c = a->first[k];
    int n = 0;
    for (int e = a->colptr[c]; e < a->colptr[c + 1]; e++) {
        const int j = a->of[a->rowind[e]];
        if (j > k && a->rowind[e] == a->first[j]) {
            if (up != NULL) {
                up[n] = j;
            }
            n++;
        }
    }
    return n;
}

static void find_all(analysis *a)
{
    for (int k = 0; k < a->nnode; k++) {
        for (int e = a->up_at[k]; e < a->up_at[k + 1]; e++) {
            a->all_at[k + 2]++;
            a->all_at[a->up[e] + 2]++;
        }
    }
    for (int k = 0; k < a->nnode; k++) {
        a->all_at[k + 2] += a->all_at[k + 1];
    }
    for (int k = 0; k < a->nnode; k++) {
        for (int e = a->up_at[k]; e < a->up_at[k + 1]; e++) {
            a->all[a->all_at[k + 1]++] = a->up[e];
            a->all[a->all_at[a->up[e] + 1]++] = k;
        }
    }
}

static sal_status find_nodes(analysis *a, int n)
{
    sal_layout layout = {0};
    place_nodes(a, &layout);
    a->node_memory = sal_alloc(layout.size, 1);
    if (a->node_memory == NULL) {
        return SAL_NOMEM;
    }
    layout = (sal_layout){.base = a->node_memory};
    place_nodes(a, &layout);
    for (int v = 0; v < n; v++) {
        if (a->begins[v]) {
            a->first[a->of[v]] = v;
        }
    }
    a->first[a->nnode] = n;
    for (int k = 0; k < a->nnode; k++) {
        a->up_at[k + 1] = a->up_at[k] + find_up(a, k, NULL);
    }
    const size_t nup = (size_t)a->up_at[a->nnode];
    a->meeting_memory = sal_alloc(3 * nup + 1, sizeof(int));
    if (a->meeting_memory == NULL) {
        return SAL_NOMEM;
    }
    a->up = a->meeting_memory;
    a->all = a->up + nup;
    for (int k = 0; k < a->nnode; k++) {
        find_up(a, k, a->up + a->up_at[k]);
    }
    find_all(a);
    return SAL_OK;
}

/* ---- order ---- */

/* A row or cycle of nodes, without those of the border: place [nnode] of each in it, or -1. Returns
 * its length. */
static int find_row(const analysis *a, int *place)
{
    int n = 0;
    for (int k = 0; k < a->nnode; k++) {
        const bool border = 2 * (a->all_at[k + 1] - a->all_at[k]) > a->nnode;
        place[k] = border ? -1 : n++;
    }
    return n;
}

/* Appends the node of the row to the order. */
static void append(analysis *a, int *n, const int *node, int i)
{
    a->order[(*n)++] = node[i];
}

static void choose_order(analysis *a, opt_banded_pattern *p)
{
    int *place = a->mark, *node = a->child, corner, count = 0;
    const opt_meeting meeting = {a->nnode, a->up_at, a->up};
    const int n = find_row(a, place), band = opt_cyclic_corner_find(&corner, place, n, &meeting);
    for (int k = 0; k < a->nnode; k++) {
        a->order[k] = k;
        if (place[k] >= 0) {
            node[place[k]] = k;
        }
    }
    const int half = (corner - band) / 2;
    p->part[1] = p->part[2] = p->part[3] = a->nnode;
    if (corner >= NODES_LEAST && corner >= HALVES_LEAST * band && n - corner <= band) {
        for (int i = 0; i < half; i++) {
            append(a, &count, node, i);
        }
        p->part[1] = count;
        for (int i = corner - 1; i >= half + band; i--) {
            append(a, &count, node, i);
        }
        p->part[2] = count;
        for (int i = half; i < half + band; i++) {
            append(a, &count, node, i);
        }
        for (int i = corner; i < n; i++) {
            append(a, &count, node, i);
        }
        for (int k = 0; k < a->nnode; k++) {
            if (place[k] < 0) {
                a->order[count++] = k;
            }
        }
    }
    for (int k = 0; k < a->nnode; k++) {
        a->position[a->order[k]] = k;
    }
}

/* ---- fill-in ---- */

static int compare_int(const void *a, const void *b)
{
    int x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static void add_below(analysis *a, int p, int q, int *list, int *n)
{
    if (q > p && a->mark[q] != p) {
        a->mark[q] = p;
        list[(*n)++] = q;
    }
}

/* Positions below p in U: those that it meets in H, and those below the positions that p is the
 * first one below of. Their number. */
static int find_below(analysis *a, const opt_banded_pattern *f, int p, int *list)
{
    const int k = a->order[p];
    int n = 0;
    for (int e = a->all_at[k]; e < a->all_at[k + 1]; e++) {
        add_below(a, p, a->position[a->all[e]], list, &n);
    }
    for (int c = a->child[p]; c >= 0; c = a->next[c]) {
        for (int e = f->below_at[c]; e < f->below_at[c + 1]; e++) {
            add_below(a, p, f->below[e], list, &n);
        }
    }
    qsort(list, (size_t)n, sizeof(int), compare_int);
    if (n > 0) {
        a->next[p] = a->child[list[0]];
        a->child[list[0]] = p;
    }
    return n;
}

/* Makes room for `more` numbers behind n in a list of `room` numbers. */
static sal_status grow(int **list, void **memory, int n, int more, int *room)
{
    if (n + more <= *room) {
        return SAL_OK;
    }
    const int size = 2 * (n + more);
    int *larger = sal_alloc((size_t)size, sizeof(int));
    if (larger == NULL) {
        return SAL_NOMEM;
    }
    if (n > 0) {
        memcpy(larger, *list, (size_t)n * sizeof(int));
    }
    sal_free(*memory);
    *memory = *list = larger;
    *room = size;
    return SAL_OK;
}

static void place_positions(opt_banded_pattern *f, sal_layout *layout)
{
    const size_t n = (size_t)f->nnode;
    f->first = sal_layout_take(layout, n, sizeof(int));
    f->size = sal_layout_take(layout, n, sizeof(int));
    f->below_at = sal_layout_take(layout, n + 1, sizeof(int));
    f->width = sal_layout_take(layout, n, sizeof(int));
    f->ld = sal_layout_take(layout, n, sizeof(int));
    f->at = sal_layout_take(layout, n + 1, sizeof(size_t));
    f->fill_at = sal_layout_take(layout, n + 1, sizeof(int));
}

static sal_status fill_in(opt_banded_pattern *f, analysis *a)
{
    sal_layout layout = {0};
    place_positions(f, &layout);
    f->node_memory = sal_alloc(layout.size, 1);
    if (f->node_memory == NULL) {
        return SAL_NOMEM;
    }
    layout = (sal_layout){.base = f->node_memory};
    place_positions(f, &layout);
    int room = 0;
    for (int p = 0; p < f->nnode; p++) {
        a->mark[p] = a->child[p] = -1;
    }
    for (int p = 0; p < f->nnode; p++) {
        const int begin = f->below_at[p];
        if (grow(&f->below, &f->below_memory, begin, f->nnode - p, &room) != SAL_OK) {
            return SAL_NOMEM;
        }
        f->first[p] = a->first[a->order[p]];
        f->size[p] = size_of(a, a->order[p]);
        f->below_at[p + 1] = begin + find_below(a, f, p, f->below + begin);
        f->most = f->size[p] > f->most ? f->size[p] : f->most;
    }
    return SAL_OK;
}

/* ---- panels ---- */

/* Where the entries of H that nodes j < k share stand behind those of j itself; -1: they do not
 * meet. */
static int find_entries(const analysis *a, int j, int k)
{
    int from = 0;
    for (int e = a->up_at[j]; e < a->up_at[j + 1]; e++) {
        if (a->up[e] == k) {
            return from;
        }
        from += size_of(a, a->up[e]);
    }
    return -1;
}

/* H's part of position p's panel; lists may be NULL to count. */
static void find_fill(opt_banded_pattern *f, const analysis *a, int p, int *n)
{
    const int k = a->order[p];
    int to = f->size[p];
    for (int e = f->below_at[p]; e < f->below_at[p + 1]; e++) {
        const int q = f->below[e], j = a->order[q];
        const int from = j > k ? find_entries(a, k, j) : find_entries(a, j, k);
        if (from >= 0) {
            if (f->fill != NULL) {
                f->fill[*n] = (opt_fill){j > k ? -1 : a->first[j], from, to, f->size[q]};
            }
            (*n)++;
        }
        to += f->size[q];
    }
}

/* Appends a run, or lengthens the last one since `begin`; where list is NULL only counts, and never
 * merges. */
static void add_run(opt_run *list, int *n, int begin, opt_run r)
{
    opt_run *last = list == NULL ? NULL : list + *n - 1;
    if (last != NULL && *n > begin && last->from + last->n == r.from &&
        last->to + last->n == r.to) {
        last->n += r.n;
        return;
    }
    if (list != NULL) {
        list[*n] = r;
    }
    (*n)++;
}

/* Columns of panel p, from those of q on, to panel q: both lists increase, and q's holds what p's
 * holds behind q. */
static void find_update(opt_banded_pattern *f, int p, int q, int *n)
{
    const int begin = *n;
    int from = f->size[p], to = f->size[q], e = f->below_at[p];
    for (; f->below[e] < q; e++) {
        from += f->size[f->below[e]];
    }
    add_run(f->update, n, begin, (opt_run){from, 0, f->size[q]});
    from += f->size[q];
    for (int i = f->below_at[q]; ++e < f->below_at[p + 1]; i++) {
        for (; f->below[i] != f->below[e]; i++) {
            to += f->size[f->below[i]];
        }
        add_run(f->update, n, begin, (opt_run){from, to, f->size[f->below[e]]});
        from += f->size[f->below[e]];
        to += f->size[f->below[e]];
    }
}

/* Lists and sizes of all panels; run twice, to count and to fill. */
static void describe(opt_banded_pattern *f, const analysis *a, int *nfill, int *nupdate)
{
    *nfill = *nupdate = 0;
    f->work = 0;
    for (int p = 0; p < f->nnode; p++) {
        int width = f->size[p];
        f->fill_at[p] = *nfill;
        find_fill(f, a, p, nfill);
        for (int e = f->below_at[p]; e < f->below_at[p + 1]; e++) {
            if (f->update_at != NULL) {
                f->update_at[e] = *nupdate;
            }
            find_update(f, p, f->below[e], nupdate);
            width += f->size[f->below[e]];
        }
        f->width[p] = width;
        f->widest = width > f->widest ? width : f->widest;
        f->ld[p] = (width + ALIGN - 1) / ALIGN * ALIGN;
        for (int i = 0; i < f->size[p]; i++) {
            f->work += (double)(width - i) * (double)(width - i);
        }
    }
    f->fill_at[f->nnode] = *nfill;
    if (f->update_at != NULL) {
        f->update_at[f->below_at[f->nnode]] = *nupdate;
    }
}

/* ---- places ---- */

/* Numbers of a panel */
static size_t panel_size(const opt_banded_pattern *f, int p)
{
    return opt_panel_size(f->ld[p], f->size[p]);
}

/* Entries of H, from the first one to behind the last */
typedef struct extent {
    size_t from, to;
} extent;

static void extend(extent *x, const int *colptr, int column, int n)
{
    const size_t from = (size_t)colptr[column], to = (size_t)colptr[column + n];
    x->from = from < x->from ? from : x->from;
    x->to = to > x->to ? to : x->to;
}

/* x grows to what panel p is made of. */
static void extend_by_panel(extent *x, const opt_banded_pattern *f, const int *colptr, int p)
{
    extend(x, colptr, f->first[p], f->size[p]);
    for (int e = f->fill_at[p]; e < f->fill_at[p + 1]; e++) {
        if (f->fill[e].column >= 0) {
            extend(x, colptr, f->fill[e].column, f->fill[e].n);
        }
    }
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Where the entries of H must begin for the panels of the first half, from 0 on, to stand below all
 * those that they and the second half are made of when a panel is. *end: behind the panels. */
static size_t place_first_half(opt_banded_pattern *f, const int *colptr, size_t *end)
{
    extent later = {.from = (size_t)colptr[f->n]};
    size_t room_at = 0;
    *end = 0;
    for (int p = 0; p < f->part[1]; p++) {
        f->at[p] = *end;
        *end += panel_size(f, p);
    }
    for (int p = f->part[1]; p < f->part[2]; p++) {
        extend_by_panel(&later, f, colptr, p);
    }
    for (int p = f->part[1] - 1; p >= 0; p--) {
        extend_by_panel(&later, f, colptr, p);
        const size_t behind = f->at[p] + panel_size(f, p);
        room_at = larger(room_at, behind > later.from ? behind - later.from : 0);
    }
    return room_at;
}

/* The same of the second half, downwards to above all those, and not into the first, which ends at
 * `first_end`. Returns where they end. */
static size_t place_second_half(opt_banded_pattern *f, const int *colptr, size_t first_end)
{
    extent later = {.from = (size_t)colptr[f->n]};
    size_t size = 0;
    for (int p = 0; p < f->part[1]; p++) {
        extend_by_panel(&later, f, colptr, p);
    }
    for (int p = f->part[1]; p < f->part[2]; p++) {
        size += panel_size(f, p);
        f->at[p] = size;
    }
    size_t end = first_end + size;
    for (int p = f->part[2] - 1; p >= f->part[1]; p--) {
        extend_by_panel(&later, f, colptr, p);
        end = larger(end, f->room_at + later.to + f->at[p]);
    }
    end = (end + ALIGN - 1) / ALIGN * ALIGN;
    for (int p = f->part[1]; p < f->part[2]; p++) {
        f->at[p] = end - f->at[p];
    }
    return end;
}

/* The halves' panels grow from both ends over entries that are in panels already; those between the
 * halves are made before them, and stand behind all entries. */
static void place_panels(opt_banded_pattern *f, const int *colptr)
{
    size_t end;
    f->room_at = place_first_half(f, colptr, &end);
    end = larger(place_second_half(f, colptr, end), f->room_at + (size_t)colptr[f->n]);
    f->at[f->part[2]] = (end + ALIGN - 1) / ALIGN * ALIGN;
    for (int p = f->part[2]; p < f->nnode; p++) {
        f->at[p + 1] = f->at[p] + panel_size(f, p);
    }
}

static void place_lists(opt_banded_pattern *f, sal_layout *layout, int nfill, int nupdate)
{
    f->fill = sal_layout_take(layout, (size_t)nfill, sizeof(opt_fill));
    f->update_at = sal_layout_take(layout, (size_t)f->below_at[f->nnode] + 1, sizeof(int));
    f->update = sal_layout_take(layout, (size_t)nupdate, sizeof(opt_run));
}

static sal_status find_panels(opt_banded_pattern *f, const analysis *a)
{
    int nfill, nupdate;
    describe(f, a, &nfill, &nupdate);
    sal_layout layout = {0};
    place_lists(f, &layout, nfill, nupdate);
    f->memory = sal_alloc(layout.size, 1);
    if (f->memory == NULL) {
        return SAL_NOMEM;
    }
    layout = (sal_layout){.base = f->memory};
    place_lists(f, &layout, nfill, nupdate);
    describe(f, a, &nfill, &nupdate);
    place_panels(f, a->colptr);
    return SAL_OK;
}

/* ---- all of it ---- */

sal_status opt_banded_analyse(opt_banded_pattern *f, int n, const int *colptr, const int *rowind,
                              int nnode_most)
{
    analysis a = {.colptr = colptr, .rowind = rowind};
    sal_status status = SAL_NOMEM;
    *f = (opt_banded_pattern){.n = n};
    a.variable_memory = sal_alloc((size_t)n * (sizeof(int) + 1) + 1, 1);
    if (a.variable_memory == NULL) {
        goto done;
    }
    a.of = a.variable_memory;
    a.begins = (unsigned char *)(a.of + n);
    find_beginnings(&a, n);
    f->nnode = a.nnode;
    if (f->nnode > nnode_most) {
        status = SAL_OK;
        goto done;
    }
    status = find_nodes(&a, n);
    if (status != SAL_OK) {
        goto done;
    }
    choose_order(&a, f);
    status = fill_in(f, &a);
    if (status == SAL_OK) {
        status = find_panels(f, &a);
    }
done:
    forget(&a);
    return status;
}

void opt_banded_forget(opt_banded_pattern *f)
{
    sal_free(f->node_memory);
    sal_free(f->below_memory);
    sal_free(f->memory);
}
