/* sweep_page_data.c: what varies in a sweep and what was found where. Axes whose values determine
 * each other go together: those that rise or fall as one are led by one of them, others are
 * samples, to be scattered. Where a chart shows fewer axes than vary, the cell of lowest cost among
 * the physical ones stands for all that fall together.
 */
#include "pages/sweep_page.h"
#include "sweeps/folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIGURES = 12, MOST_AXES = 12 };

/* ---- figures ---- */

static double find_figure(const sal_record *r, const char *name, const char **unit)
{
    *unit = "";
    if (r->status[0] == 0) {
        return (double)NAN;
    }
    if (strcmp(name, "seconds") == 0) {
        *unit = "s";
        return r->seconds;
    }
    const sal_figure *figure = swp_record_find(r, name);
    *unit = figure == NULL ? "" : figure->unit;
    return figure == NULL ? (double)NAN : figure->value;
}

/* "effort" for term[effort] */
static void plain_label(char *label, size_t n, const char *figure)
{
    const size_t length = strlen(figure);
    const bool term = strncmp(figure, "term[", 5) == 0 && figure[length - 1] == ']';
    snprintf(label, n, "%.*s", (int)(term ? length - 6 : length), term ? figure + 5 : figure);
}

/* The largest |value|, 0 if none is known. */
static double largest(const page_page *p, const double *value)
{
    double most = 0;
    for (int c = 0; c < p->view->ncell; c++) {
        most = isfinite(value[c]) ? fmax(most, fabs(value[c])) : most;
    }
    return most;
}

/* Adds a figure unless no cell has it (`always`: even then), it is there already, or it stays below
 * `least`. False: out of memory. */
static bool add_figure(page_page *p, const char *name, const char *label, double least, bool always)
{
    page_figure *f = p->figure + p->nfigure;
    bool known = false;
    if (p->nfigure == MOST_FIGURES) {
        return true;
    }
    f->value = sal_alloc((size_t)p->view->ncell + 1, sizeof(double));
    if (f->value == NULL) {
        return false;
    }
    for (int c = 0; c < p->view->ncell; c++) {
        const char *unit;
        f->value[c] = find_figure(p->view->record + c, name, &unit);
        if (isfinite(f->value[c])) {
            snprintf(f->unit, sizeof f->unit, "%s", unit);
            known = true;
        }
    }
    if (label != NULL && label[0] != 0) {
        snprintf(f->label, sizeof f->label, "%s", label);
    } else {
        plain_label(f->label, sizeof f->label, name);
    }
    for (int k = 0; k < p->nfigure; k++) {
        known = known && strcmp(p->figure[k].label, f->label) != 0;
    }
    if ((known && largest(p, f->value) >= least) || always) {
        p->nfigure++;
    } else {
        sal_free(f->value);
        f->value = NULL;
    }
    return true;
}

/* Those of the columns, or else the cost and those of its terms that make a thousandth of it
 * somewhere. */
static bool find_figures(page_page *p)
{
    const sal_sweep_view *v = p->view;
    const double least = 1e-3 * largest(p, p->cost);
    bool good = true;
    for (int k = 0; k < v->ncolumn && good; k++) {
        good = add_figure(p, v->column[k].figure, v->column[k].name, 0, false);
    }
    if (p->nfigure == 0) {
        good = good && add_figure(p, "cost", NULL, 0, true);
    }
    for (int c = 0; c < v->ncell && v->ncolumn == 0 && good; c++) {
        const sal_record *r = v->record + c;
        for (int k = 0; r->status[0] != 0 && k < r->nfigure && good; k++) {
            good = strncmp(r->figure[k].name, "term[", 5) != 0 ||
                   add_figure(p, r->figure[k].name, NULL, least, false);
        }
        if (r->status[0] != 0 && r->nfigure > 0) {
            break; /* all cells have the terms of one problem */
        }
    }
    return good;
}

/* ---- the values of an axis ---- */

typedef struct occurrence {
    const char *text;
    double number;
    int point;
    bool numeric;
} occurrence;

static int by_value(const void *a, const void *b)
{
    const occurrence *p = a, *q = b;
    if (p->numeric && q->numeric && p->number != q->number) {
        return p->number < q->number ? -1 : 1;
    }
    const int order = p->numeric ? 0 : strcmp(p->text, q->text);
    return order != 0 ? order : p->point < q->point ? -1 : p->point > q->point;
}

static int by_point(const void *a, const void *b)
{
    const occurrence *p = a, *q = b;
    return p->point < q->point ? -1 : p->point > q->point;
}

static bool is_number(const char *text, double *number)
{
    const char *end;
    *number = (double)NAN;
    return sal_text_number(text, &end, number) && *end == 0 && isfinite(*number);
}

static bool same_value(const occurrence *a, const occurrence *b)
{
    return a->numeric ? a->number == b->number : strcmp(a->text, b->text) == 0;
}

/* Steps that differ less from each other as ratios than as differences, over a range of three or
 * more. */
static bool is_geometric(const double *x, int n)
{
    double ratio[2] = {(double)INFINITY, 0}, step[2] = {(double)INFINITY, 0};
    if (n < 3 || !(x[0] > 0) || x[n - 1] / x[0] < 3) {
        return false;
    }
    for (int i = 1; i < n; i++) {
        const double r = log(x[i] / x[i - 1]), d = x[i] - x[i - 1];
        ratio[0] = fmin(ratio[0], r), ratio[1] = fmax(ratio[1], r);
        step[0] = fmin(step[0], d), step[1] = fmax(step[1], d);
    }
    return ratio[1] / ratio[0] < 0.6 * step[1] / step[0];
}

/* The levels of values o [npoint]: ascending if they are numbers, else in the order of the
 * points. */
static bool make_levels(page_page *p, page_axis *a, occurrence *o)
{
    const int n = p->npoint;
    int first = 0;
    a->level = sal_alloc((size_t)n + 1, sizeof(int));
    a->text = sal_alloc((size_t)n + 1, sizeof(char *));
    a->number = sal_alloc((size_t)n + 1, sizeof(double));
    if (a->level == NULL || a->text == NULL || a->number == NULL) {
        return false;
    }
    qsort(o, (size_t)n, sizeof *o, by_value);
    for (int i = 0; i < n; i++) { /* the first point with a value stands for all that have it */
        first = i > 0 && same_value(o + first, o + i) ? first : i;
        a->level[o[i].point] = o[first].point;
    }
    for (int i = 0, k = 0; i < n && a->numeric; i++) {
        a->nlevel += a->level[o[i].point] == o[i].point;
        k = a->nlevel - 1;
        a->text[k] = a->level[o[i].point] == o[i].point ? o[i].text : a->text[k];
        a->number[k] = o[i].number;
        o[i].number = k; /* by_point keeps it */
    }
    qsort(o, (size_t)n, sizeof *o, by_point);
    for (int i = 0; i < n && !a->numeric; i++) {
        const bool is_new = a->level[i] == i;
        o[i].number = is_new ? a->nlevel : o[a->level[i]].number;
        if (is_new) {
            a->number[a->nlevel] = (double)NAN;
            a->text[a->nlevel++] = o[i].text;
        }
    }
    for (int i = 0; i < n; i++) {
        a->level[i] = (int)o[i].number;
    }
    a->log = a->numeric && is_geometric(a->number, a->nlevel);
    return true;
}

static void clear_axis(page_axis *a)
{
    sal_free(a->level);
    sal_free(a->text);
    sal_free(a->number);
    *a = (page_axis){0};
}

/* Those with two values or more. */
static bool find_axes(page_page *p)
{
    const sal_sweep_view *v = p->view;
    occurrence *o = sal_alloc((size_t)p->npoint + 1, sizeof *o);
    bool good = o != NULL;
    for (int id = 0; id < v->naxis && good && p->naxis < MOST_AXES; id++) {
        page_axis *a = p->axis + p->naxis;
        *a = (page_axis){
            .id = id, .name = v->axis[id], .unit = page_axis_unit(p, id), .numeric = true};
        for (int i = 0; i < p->npoint; i++) {
            o[i] = (occurrence){.text = "", .point = i};
        }
        for (int c = 0; c < v->ncell; c++) {
            o[v->point[c]].text = v->value[c * v->naxis + id];
        }
        for (int i = 0; i < p->npoint; i++) {
            a->numeric = is_number(o[i].text, &o[i].number) && a->numeric;
        }
        for (int i = 0; i < p->npoint; i++) {
            o[i].numeric = a->numeric;
        }
        good = make_levels(p, a, o);
        a->group = p->naxis;
        if (a->nlevel > 1) {
            p->naxis++;
        } else {
            clear_axis(a);
        }
    }
    sal_free(o);
    return good;
}

/* ---- axes that go together ---- */

static int by_key(const void *a, const void *b)
{
    const size_t *p = a, *q = b;
    return *p < *q ? -1 : *p > *q;
}

/* How many pairs of levels there are; -1: out of memory. */
static int count_pairs(const page_page *p, const page_axis *a, const page_axis *b)
{
    size_t *key = sal_alloc((size_t)p->npoint + 1, sizeof *key);
    int pairs = 0;
    if (key == NULL) {
        return -1;
    }
    for (int i = 0; i < p->npoint; i++) {
        key[i] = (size_t)a->level[i] * (size_t)b->nlevel + (size_t)b->level[i];
    }
    qsort(key, (size_t)p->npoint, sizeof *key, by_key);
    for (int i = 0; i < p->npoint; i++) {
        pairs += i == 0 || key[i] != key[i - 1];
    }
    sal_free(key);
    return pairs;
}

/* A value of the one says which value the other has; or hardly any pair of a large table is
 * there. */
static bool go_together(const page_page *p, const page_axis *a, const page_axis *b, int pairs)
{
    const int most = a->nlevel > b->nlevel ? a->nlevel : b->nlevel;
    const double full = (double)pairs / a->nlevel / b->nlevel;
    return pairs == most || (most > 10 && full < 0.1 && pairs * 2 > p->npoint);
}

static bool find_groups(page_page *p)
{
    for (int i = 0; i < p->naxis; i++) {
        for (int k = 0; k < i; k++) {
            const int pairs = count_pairs(p, p->axis + k, p->axis + i);
            if (pairs < 0) {
                return false;
            }
            const int from = p->axis[i].group, to = p->axis[k].group;
            for (int j = 0; j < p->naxis && go_together(p, p->axis + k, p->axis + i, pairs); j++) {
                p->axis[j].group = p->axis[j].group == from ? to : p->axis[j].group;
            }
        }
    }
    return true;
}

/* *with: the other's numbers rise or fall with a's levels. False where memory ran out. */
static bool runs_with(const page_page *p, const page_axis *a, const page_axis *other, bool *with)
{
    bool rises = true, falls = true, alone = true;
    int *of = sal_alloc((size_t)a->nlevel, sizeof(int));
    for (int i = 0; i < p->npoint && of != NULL; i++) {
        int *level = of + a->level[i]; /* one more than the level; 0: not met yet */
        alone = alone && (*level == 0 || *level == other->level[i] + 1);
        *level = other->level[i] + 1;
    }
    for (int k = 1; k < a->nlevel && of != NULL; k++) {
        rises = rises && of[k] >= of[k - 1];
        falls = falls && of[k] <= of[k - 1];
    }
    sal_free(of);
    *with = alone && (!other->numeric || !a->numeric || rises || falls);
    return of != NULL;
}

/* Numbers lead, of those the one with most values, of those the first. False where memory ran
 * out. */
static bool find_leaders(page_page *p)
{
    for (int g = 0; g < p->naxis; g++) {
        int leader = -1;
        bool one = true;
        for (int i = 0; i < p->naxis; i++) {
            const page_axis *a = p->axis + i, *b = p->axis + (leader < 0 ? i : leader);
            if (a->group == g && (leader < 0 || a->numeric > b->numeric ||
                                  (a->numeric == b->numeric && a->nlevel > b->nlevel))) {
                leader = i;
            }
        }
        for (int i = 0; i < p->naxis && leader >= 0 && one; i++) {
            if (p->axis[i].group == g && !runs_with(p, p->axis + leader, p->axis + i, &one)) {
                return false;
            }
        }
        for (int i = 0; i < p->naxis && leader >= 0; i++) {
            page_axis *a = p->axis + i;
            a->leads = a->group == g ? one && i == leader : a->leads;
            a->sampled = a->group == g ? !one : a->sampled;
        }
    }
    return true;
}

bool page_has_others(const page_page *p, const page_axis *first, const page_axis *second)
{
    bool others = p->view->ncell > p->npoint;
    for (int i = 0; i < p->naxis; i++) {
        const page_axis *a = p->axis + i;
        others =
            others || (a->group != first->group && (second == NULL || a->group != second->group));
    }
    return others;
}

/* ---- which cell stands for many ---- */

static page_cell_state state_of(const sal_record *r)
{
    const sal_outcome_kind kind = swp_record_kind(r);
    return r->status[0] == 0           ? PAGE_CELL_WAITING
           : kind == SAL_CELL_PHYSICAL ? PAGE_CELL_PHYSICAL
           : kind == SAL_CELL_UNSOLVED ? PAGE_CELL_UNSOLVED
                                       : PAGE_CELL_FAILED;
}

int page_better(const page_page *p, int a, int b)
{
    if (a < 0 || b < 0) {
        return a < 0 ? b : a;
    }
    if (p->state[a] != p->state[b]) {
        return p->state[a] < p->state[b] ? a : b;
    }
    const bool known_a = isfinite(p->cost[a]), known_b = isfinite(p->cost[b]);
    if (known_a != known_b) {
        return known_a ? a : b;
    }
    const bool tie = !known_a || p->cost[a] == p->cost[b];
    return tie ? (a < b ? a : b) : p->cost[a] < p->cost[b] ? a : b;
}

void page_over(const page_page *p, const page_axis *first, const page_axis *second, int *cell)
{
    const int n2 = second == NULL ? 1 : second->nlevel;
    for (int i = 0; i < first->nlevel * n2; i++) {
        cell[i] = -1;
    }
    for (int i = 0; i < p->npoint; i++) {
        int *best = cell + first->level[i] * n2 + (second == NULL ? 0 : second->level[i]);
        *best = page_better(p, *best, p->best[i]);
    }
}

void page_range(const page_page *p, const double *value, const int *cell, int n, double *lo,
                double *hi)
{
    *lo = (double)INFINITY, *hi = -(double)INFINITY;
    for (int pass = 0; pass < 2 && !(*lo <= *hi); pass++) {
        for (int i = 0; i < n; i++) {
            if (cell[i] >= 0 && (pass == 1 || p->state[cell[i]] == PAGE_CELL_PHYSICAL)) {
                page_chart_extend(lo, hi, value + cell[i], 1, 1);
            }
        }
    }
}

/* ---- memory ---- */

/* The sweep's file beside the plan. The page does without it. False without memory. */
static bool read_sweep(page_page *p)
{
    char path[4096];
    sal_diag diag = {0};
    sal_err err = {0};
    size_t n = 0;
    snprintf(path, sizeof path, "%s/sweep.xml", p->view->folder);
    sal_status status = sal_text_read_file(path, (size_t)1 << 20, &p->sweep_xml, &n, &err);
    if (status == SAL_OK) {
        status = sal_xml_parse(&p->sweep, path, p->sweep_xml, n, &diag, &err);
        if (status != SAL_OK) {
            sal_xml_free(&p->sweep);
            p->sweep = (sal_xml_doc){0};
        }
    }
    sal_diag_clear(&diag);
    return status != SAL_NOMEM;
}

static bool fill(page_page *p)
{
    const sal_sweep_view *v = p->view;
    const size_t n = (size_t)v->ncell + 1;
    p->state = sal_alloc(n, sizeof *p->state);
    p->cost = sal_alloc(n, sizeof(double));
    p->axis = sal_alloc(MOST_AXES + 1, sizeof *p->axis);
    p->figure = sal_alloc(MOST_FIGURES + 1, sizeof *p->figure);
    for (int c = 0; c < v->ncell; c++) {
        p->npoint = v->point[c] >= p->npoint ? v->point[c] + 1 : p->npoint;
    }
    p->best = sal_alloc((size_t)p->npoint + 1, sizeof(int));
    if (p->state == NULL || p->cost == NULL || p->axis == NULL || p->figure == NULL ||
        p->best == NULL) {
        return false;
    }
    for (int i = 0; i < p->npoint; i++) {
        p->best[i] = -1;
    }
    for (int c = 0; c < v->ncell; c++) {
        const char *unit;
        p->state[c] = state_of(v->record + c);
        p->cost[c] = find_figure(v->record + c, "cost", &unit);
        p->count[p->state[c]]++;
        p->best[v->point[c]] = page_better(p, p->best[v->point[c]], c);
    }
    if (!read_sweep(p) || !find_figures(p) || !find_axes(p) || !find_groups(p) ||
        !find_leaders(p)) {
        return false;
    }
    page_map(p);
    return true;
}

sal_status page_new(page_page **page, const sal_sweep_view *view, sal_text *out, sal_err *err)
{
    *page = NULL;
    for (int c = 0; c < view->ncell; c++) {
        if (view->point[c] < 0 || view->point[c] >= view->ncell) {
            return sal_fail(err, SAL_BADINPUT, "cell %d of the plan has no point", c);
        }
    }
    page_page *p = sal_alloc(1, sizeof *p);
    if (p != NULL) {
        p->view = view;
        p->out = out;
    }
    if (p == NULL || !fill(p)) {
        page_free(p);
        return sal_fail(err, SAL_NOMEM, "out of memory for the page of a sweep");
    }
    *page = p;
    return SAL_OK;
}

void page_free(page_page *p)
{
    if (p == NULL) {
        return;
    }
    for (int k = 0; k < MOST_FIGURES + 1 && p->figure != NULL; k++) {
        sal_free(p->figure[k].value);
    }
    for (int k = 0; k < MOST_AXES + 1 && p->axis != NULL; k++) {
        clear_axis(p->axis + k);
    }
    sal_xml_free(&p->sweep);
    sal_free(p->sweep_xml);
    sal_free(p->figure);
    sal_free(p->axis);
    sal_free(p->state);
    sal_free(p->cost);
    sal_free(p->best);
    sal_text_clear(&p->player);
    sal_free(p);
}
