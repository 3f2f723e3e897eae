/* The table of a sweep: choose cells, the best of each point, group, sort, evaluate.
 *
 *     where: cells -> cells      best: one for each point      group: rows of cells      sort: rows
 */
#include "sweeps/table.h"

#include "signals/condition.h"
#include "sweeps/folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- an order that keeps equals as they are ---- */

typedef int (*compare)(swp_table_maker *m, int a, int b);

/* Merges x[0 .. half) and x[half .. n), each in order. */
static void merge(swp_table_maker *m, int *x, int half, int n, compare order)
{
    int *left = m->spare, i = 0, j = half;
    memcpy(left, x, (size_t)half * sizeof(int));
    for (int k = 0; i < half; k++) {
        x[k] = j < n && order(m, x[j], left[i]) < 0 ? x[j++] : left[i++];
    }
}

static void sort(swp_table_maker *m, int *x, int n, compare order)
{
    if (n > 1) {
        sort(m, x, n / 2, order);
        sort(m, x + n / 2, n - n / 2, order);
        merge(m, x, n / 2, n, order);
    }
}

/* ---- cells ---- */

bool swp_table_is_physical(const swp_table_maker *m, int cell)
{
    return swp_record_kind(&m->view->record[cell]) == SAL_CELL_PHYSICAL;
}

static bool is_waiting(const swp_table_maker *m, int cell)
{
    return m->view->record[cell].status[0] == 0;
}

typedef struct asked {
    swp_table_maker *m;
    int cell;
} asked;

static sal_value look(void *user, int name)
{
    const asked *a = user;
    return swp_table_look(a->m, name, a->cell, false);
}

static void choose(swp_table_maker *m, const sig_condition *c)
{
    for (int i = 0; i < m->view->ncell; i++) {
        asked a = {m, i};
        if (c == NULL || sig_condition_holds(c, look, &a)) {
            m->member[m->nmember++] = i;
        }
    }
}

/* ---- the best of a point ---- */

static int by_point(swp_table_maker *m, int a, int b)
{
    return (m->view->point[a] > m->view->point[b]) - (m->view->point[a] < m->view->point[b]);
}

static double cost_of(swp_table_maker *m, int cell)
{
    const sal_value v = swp_table_look(m, swp_table_figure(m, "cost"), cell, false);
    return isnan(v.number) ? (double)INFINITY : v.number;
}

/* Physical cells come first, then those that may become it, then results, then failures; among
 * physical ones the cheaper. */
static bool is_better(swp_table_maker *m, int a, int b)
{
    const int cells[2] = {a, b};
    int rank[2];
    for (int i = 0; i < 2; i++) {
        const char *kind = m->view->record[cells[i]].kind;
        rank[i] = swp_table_is_physical(m, cells[i])                       ? 0
                  : is_waiting(m, cells[i])                                ? 1
                  : strcmp(kind, sal_outcome_name(SAL_CELL_UNSOLVED)) == 0 ? 2
                                                                           : 3;
    }
    return rank[0] != rank[1] ? rank[0] < rank[1] : rank[0] == 0 && cost_of(m, a) < cost_of(m, b);
}

static void keep_best(swp_table_maker *m)
{
    int n = 0;
    sort(m, m->member, m->nmember, by_point);
    for (int i = 0; i < m->nmember; i++) {
        const int cell = m->member[i];
        if (n == 0 || m->view->point[m->member[n - 1]] != m->view->point[cell]) {
            m->member[n++] = cell;
        } else if (is_better(m, cell, m->member[n - 1])) {
            m->member[n - 1] = cell;
        }
    }
    m->nmember = n;
}

static void count_holes(swp_table_maker *m)
{
    for (int i = 0; i < m->nmember; i++) {
        const bool waiting = is_waiting(m, m->member[i]);
        m->table->nwaiting += waiting;
        m->table->nhole += !waiting && !swp_table_is_physical(m, m->member[i]);
    }
}

/* ---- groups ---- */

static int by_keys(swp_table_maker *m, int a, int b)
{
    int order = 0;
    for (int i = 0; i < m->key.n && order == 0; i++) {
        const sal_value va = swp_table_look(m, m->key.item[i].name, a, false);
        const sal_value vb = swp_table_look(m, m->key.item[i].name, b, false);
        order = sig_value_compare(&va, &vb);
    }
    return order;
}

static void make_groups(swp_table_maker *m)
{
    sort(m, m->member, m->nmember, by_keys);
    for (int i = 0; i < m->nmember; i++) {
        if (i == 0 || by_keys(m, m->member[i - 1], m->member[i]) != 0) {
            m->row[m->nrow++] = (swp_table_row){.first = i};
        }
        m->row[m->nrow - 1].n++;
    }
}

static void make_rows(swp_table_maker *m)
{
    for (int i = 0; i < m->nmember; i++) {
        m->row[i] =
            (swp_table_row){i, 1, m->options->best && !swp_table_is_physical(m, m->member[i])};
    }
    m->nrow = m->nmember;
}

/* ---- what a row says ---- */

/* The numbers that a name has in the physical cells of a row, in values [row->n]. */
static int numbers_of(swp_table_maker *m, int name, const swp_table_row *row, double *values)
{
    int n = 0;
    for (int i = 0; i < row->n; i++) {
        const int cell = m->member[row->first + i];
        const sal_value v = swp_table_is_physical(m, cell) ? swp_table_look(m, name, cell, false)
                                                           : sig_value_of(NULL);
        values[n] = v.number;
        n += !isnan(v.number);
    }
    return n;
}

/* s = sqrt(sum (x - mean)^2 / (n - 1)) */
static double deviation(const double *x, int n, double mean)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (x[i] - mean) * (x[i] - mean);
    }
    return n > 1 ? sqrt(sum / (n - 1)) : (double)NAN;
}

static double aggregate(swp_aggregate which, double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
    }
    if (which == SAL_AGGREGATE_COUNT || n == 0) {
        return which == SAL_AGGREGATE_COUNT ? n : (double)NAN;
    }
    if (which == SAL_AGGREGATE_SUM || which == SAL_AGGREGATE_MEAN) {
        return which == SAL_AGGREGATE_SUM ? sum : sum / n;
    }
    if (which == SAL_AGGREGATE_STD) {
        return deviation(x, n, sum / n);
    }
    sal_sort(x, n);
    return which == SAL_AGGREGATE_MIN   ? x[0]
           : which == SAL_AGGREGATE_MAX ? x[n - 1]
                                        : (x[(n - 1) / 2] + x[n / 2]) / 2;
}

static const char *fate(const swp_table_maker *m, int cell)
{
    return swp_table_fate(m->view->record + cell);
}

static int by_fate(swp_table_maker *m, int a, int b)
{
    return strcmp(fate(m, a), fate(m, b));
}

/* "1 infeasible, 2 time limit" */
static sal_value holes_of(swp_table_maker *m, const swp_table_row *row)
{
    sal_text words = {0};
    int n = 0, *hole = swp_table_take(m, (size_t)row->n, sizeof *hole);
    for (int i = 0; hole != NULL && i < row->n; i++) {
        hole[n] = m->member[row->first + i];
        n += !swp_table_is_physical(m, hole[n]);
    }
    sort(m, hole, n, by_fate);
    for (int i = 0, same = 1; i < n; i++, same++) {
        if (i + 1 == n || by_fate(m, hole[i], hole[i + 1]) != 0) {
            sal_text_format(&words, "%s%d %s", words.length > 0 ? ", " : "", same,
                            fate(m, hole[i]));
            same = 0;
        }
    }
    const sal_value v = {words.length == 0 ? "" : swp_table_copy(m, words.data, words.length),
                         (double)NAN};
    m->failed = m->failed || words.failed;
    sal_text_clear(&words);
    return v;
}

static sal_value evaluate(swp_table_maker *m, const swp_table_item *item, const swp_table_row *row)
{
    int n = 0;
    switch (item->aggregate) {
    case SAL_AGGREGATE_NONE:
        return swp_table_look(m, item->name, m->member[row->first], row->hole);
    case SWP_AGGREGATE_CELLS:
        return sig_value_number(row->n);
    case SWP_AGGREGATE_PHYSICAL:
        for (int i = 0; i < row->n; i++) {
            n += swp_table_is_physical(m, m->member[row->first + i]);
        }
        return sig_value_number(n);
    case SWP_AGGREGATE_HOLES:
        return holes_of(m, row);
    case SAL_AGGREGATE_MIN:
    case SAL_AGGREGATE_MEAN:
    case SAL_AGGREGATE_MEDIAN:
    case SAL_AGGREGATE_MAX:
    case SAL_AGGREGATE_STD:
    case SAL_AGGREGATE_SUM:
    case SAL_AGGREGATE_COUNT:
        break;
    }
    n = numbers_of(m, item->name, row, m->number);
    return sig_value_number(aggregate(item->aggregate, m->number, n));
}

/* ---- the order of rows ---- */

static int by_cell(swp_table_maker *m, int a, int b)
{
    const int x = m->member[m->row[a].first], y = m->member[m->row[b].first];
    return (x > y) - (x < y);
}

static bool is_nothing(const sal_value *v)
{
    return isnan(v->number) && (v->text == NULL || v->text[0] == 0);
}

static int by_order(swp_table_maker *m, int a, int b)
{
    const sal_value *x = m->order_value + (size_t)a * (size_t)m->order.n;
    const sal_value *y = m->order_value + (size_t)b * (size_t)m->order.n;
    for (int i = 0; i < m->order.n; i++) {
        const int none = is_nothing(x + i) - is_nothing(y + i),
                  order = sig_value_compare(x + i, y + i);
        if (none != 0 || order != 0) {
            return none != 0 ? none : m->order.item[i].descending ? -order : order;
        }
    }
    return 0;
}

/* The rows in the order in which they are shown, in rows [nrow] */
static void order_rows(swp_table_maker *m, int *rows)
{
    const int n = m->order.n;
    for (int i = 0; i < m->nrow; i++) {
        rows[i] = i;
        for (int k = 0; k < n; k++) {
            m->order_value[(size_t)i * (size_t)n + (size_t)k] =
                evaluate(m, m->order.item + k, m->row + i);
        }
    }
    sort(m, rows, m->nrow, by_cell);
    sort(m, rows, m->nrow, by_order);
}

static void fill(swp_table_maker *m)
{
    sal_table *t = m->table;
    const size_t nrow = (size_t)m->nrow, ncol = (size_t)m->column.n;
    int *rows = swp_table_take(m, nrow, sizeof *rows);
    m->order_value = swp_table_take(m, nrow * (size_t)m->order.n, sizeof *m->order_value);
    t->name = swp_table_take(m, ncol, sizeof *t->name);
    t->value = swp_table_take(m, nrow * ncol, sizeof *t->value);
    t->cell = swp_table_take(m, nrow, sizeof *t->cell);
    if (m->failed) {
        return;
    }
    order_rows(m, rows);
    for (size_t k = 0; k < ncol; k++) {
        t->name[k] = m->column.item[k].heading;
    }
    for (size_t i = 0; i < nrow; i++) {
        const swp_table_row *row = m->row + rows[i];
        t->cell[i] = m->member[row->first];
        for (size_t k = 0; k < ncol; k++) {
            t->value[i * ncol + k] = evaluate(m, m->column.item + k, row);
        }
    }
    t->nrow = m->nrow;
    t->ncol = m->column.n;
}

/* ---- the table ---- */

static void make(swp_table_maker *m, sal_err *err)
{
    const size_t n = (size_t)m->view->ncell;
    sig_condition *c = NULL;
    sal_status status = SAL_OK;
    swp_table_collect(m);
    m->member = swp_table_take(m, n, sizeof *m->member);
    m->spare = swp_table_take(m, n, sizeof *m->spare);
    m->row = swp_table_take(m, n, sizeof *m->row);
    m->number = swp_table_take(m, n, sizeof *m->number);
    if (!m->failed && m->options->where != NULL) {
        status = sig_condition_parse(&c, m->options->where, (sal_place){0}, m->names, m->nname,
                                     m->diag, err);
        m->failed = status == SAL_NOMEM;
    }
    if (!m->failed && status == SAL_OK) {
        choose(m, c);
    }
    sig_condition_free(c);
    if (m->failed) {
        return;
    }
    if (m->options->best) {
        keep_best(m);
    }
    count_holes(m);
    swp_table_columns(m);
    if (m->failed || m->diag->nerror > 0) {
        return;
    }
    if (m->grouped) {
        make_groups(m);
    } else {
        make_rows(m);
    }
    fill(m);
}

sal_status sal_table_make(sal_table **table, const sal_sweep_view *view,
                          const sal_table_options *options, sal_diag *diag, sal_err *err)
{
    static const sal_table_options usual = {0};
    swp_table_maker m = {.view = view, .options = options == NULL ? &usual : options, .diag = diag};
    *table = m.table = sal_alloc(1, sizeof *m.table);
    m.failed = m.table == NULL;
    if (!m.failed) {
        make(&m, err);
    }
    sal_status status =
        m.failed ? sal_fail(err, SAL_NOMEM, "out of memory for the table of '%.300s'", view->folder)
                 : sal_diag_status(diag, err);
    if (status != SAL_OK) {
        sal_table_free(m.table);
        *table = NULL;
    }
    return status;
}
