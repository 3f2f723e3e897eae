/* sweep_page_curves.c: each figure over each axis of numbers, a line for each value of another
 * axis. What is no solution is ringed, what is missing is a gap.
 */
#include "pages/sweep_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LINES = 8, FEW_LINES = 12, MOST_DOTS = 6000 };

typedef struct curves {
    const page_page *p;
    const page_axis *x, *by;    /* by: NULL: one line */
    int *cell;                  /* [x levels x lines] */
    double *at;                 /* [x levels] where they stand, log10 where the axis is */
    int nline, line[FEW_LINES]; /* the levels of `by` that are drawn */
    bool dots;                  /* every point is marked, and says what it is */
    char name[96], label[112];
} curves;

/* The values of `by`: all of a few, else some of the many, evenly. */
static void choose_lines(curves *c)
{
    const int n = c->by == NULL ? 1 : c->by->nlevel;
    c->nline = n <= FEW_LINES ? n : MOST_LINES;
    for (int k = 0; k < c->nline; k++) {
        c->line[k] = c->nline == n ? k : k * (n - 1) / (c->nline - 1);
    }
}

/* From dark to light. */
static int line_class(const curves *c, int k)
{
    return c->by == NULL ? 3 : page_line(k, c->nline);
}

static int cell_at(const curves *c, int i, int k)
{
    return c->cell[i * (c->by == NULL ? 1 : c->by->nlevel) + c->line[k]];
}

/* The figures of the cells that count set the range; those of others are shown if they are not far
 * away, else at its edge. */
static void choose_range(const curves *c, const double *value, page_chart *chart)
{
    const int n = c->x->nlevel * (c->by == NULL ? 1 : c->by->nlevel);
    double lo, hi;
    page_range(c->p, value, c->cell, n, &lo, &hi);
    chart->y0 = lo, chart->y1 = hi;
    for (int i = 0; i < n; i++) {
        const double v = c->cell[i] < 0 ? (double)NAN : value[c->cell[i]];
        if (v > lo - (hi - lo) && v < hi + (hi - lo)) {
            page_chart_extend(&chart->y0, &chart->y1, &v, 1, 1);
        }
    }
}

static void draw_dot(const curves *c, const page_chart *chart, const page_figure *f, int i,
                     int cell)
{
    const double y = fmin(fmax(f->value[cell], chart->y0), chart->y1);
    const bool unsolved = c->p->state[cell] != PAGE_CELL_PHYSICAL;
    if (!isfinite(f->value[cell]) || !(c->dots || unsolved)) {
        return;
    }
    page_svg_put(c->p->out, "<circle class=\"$\" cx=\"%\" cy=\"%\" r=\"%\"",
                 unsolved ? "ring" : "dot", page_chart_x(chart, c->at[i]), page_chart_y(chart, y),
                 unsolved ? 3.6 : 2.4);
    if (!c->dots) {
        sal_text_add(c->p->out, "/>");
        return;
    }
    sal_text_add(c->p->out, "><title>");
    page_cell(c->p, cell, c->p->out);
    sal_text_add(c->p->out, ": ");
    page_value(f, f->value[cell], c->p->out);
    if (unsolved) {
        sal_text_add(c->p->out, "; ");
        page_state(c->p, cell, c->p->out);
    }
    sal_text_add(c->p->out, "</title></circle>");
}

static void draw_line(curves *c, const page_chart *chart, const page_figure *f, int k)
{
    sal_text *out = c->p->out;
    bool pen = false;
    sal_text_format(out, "<g class=\"q%d\"><path class=\"curve\" d=\"", line_class(c, k));
    for (int i = 0; i < c->x->nlevel; i++) {
        const int cell = cell_at(c, i, k);
        const double v = cell < 0 ? (double)NAN : f->value[cell];
        if (isfinite(v)) {
            page_svg_put(out, "$% %", pen ? "L" : "M", page_chart_x(chart, c->at[i]),
                         page_chart_y(chart, fmin(fmax(v, chart->y0), chart->y1)));
        }
        pen = isfinite(v);
    }
    sal_text_add(out, "\"/>");
    for (int i = 0; i < c->x->nlevel; i++) {
        if (cell_at(c, i, k) >= 0) {
            draw_dot(c, chart, f, i, cell_at(c, i, k));
        }
    }
    sal_text_add(out, "</g>");
}

static void draw_chart(curves *c, const page_figure *f)
{
    char label[128];
    page_label(f, label, sizeof label);
    page_chart chart = {.out = c->p->out,
                        .title = f->label,
                        .xlabel = c->label,
                        .ylabel = label,
                        .width = page_width(c->p),
                        .height = 150 + 0.2 * page_width(c->p),
                        .x0 = c->at[0],
                        .x1 = c->at[c->x->nlevel - 1],
                        .fine = true,
                        .log_x = c->x->log};
    choose_range(c, f->value, &chart);
    if (chart.y0 > chart.y1) {
        return; /* no cell has it */
    }
    page_chart_begin(&chart);
    for (int k = 0; k < c->nline; k++) {
        draw_line(c, &chart, f, k);
    }
    page_chart_end(&chart);
}

static void add_key(const curves *c)
{
    sal_text *out = c->p->out;
    char name[112];
    if (c->by == NULL) {
        return;
    }
    page_axis_label(c->p, c->by, name, sizeof name);
    sal_text_add(out, "<p class=\"keys\"><b>");
    page_html_text(out, name);
    sal_text_add(out, "</b>");
    for (int k = 0; k < c->nline; k++) {
        sal_text_format(out, "<span class=\"key q%d\"></span>", line_class(c, k));
        char text[64];
        page_level(c->by, c->line[k], text, sizeof text);
        page_html_text(out, text);
    }
    if (c->nline < c->by->nlevel) {
        sal_text_format(out, " (%d of %d values)", c->nline, c->by->nlevel);
    }
    sal_text_add(out, "</p>");
}

/* What has to be said of what is there. */
static void add_note(const curves *c)
{
    sal_text *out = c->p->out;
    const bool others = page_has_others(c->p, c->x, c->by),
               unsolved = c->p->count[PAGE_CELL_UNSOLVED] > 0,
               gaps = c->p->count[PAGE_CELL_FAILED] + c->p->count[PAGE_CELL_WAITING] > 0;
    sal_text_add(out, others || unsolved || gaps ? "<p class=\"note\">" : "");
    sal_text_add(out, others ? "Where several cells have the same place (other axes, repeats), the "
                               "physical cell of lowest cost is shown. "
                             : "");
    sal_text_add(
        out, unsolved ? "<svg class=\"sign\" viewBox=\"0 0 12 12\" width=\"12\" "
                        "height=\"12\"><circle class=\"ring\" cx=\"6\" cy=\"6\" r=\"3.6\"/></svg> "
                        "not a solution (infeasible, or the search stopped early); at the edge "
                        "if its value is outside the axes. "
                      : "");
    sal_text_add(out, gaps ? "Gaps: cells that failed or are waiting." : "");
    sal_text_add(out, others || unsolved || gaps ? "</p>" : "");
}

static void begin(const curves *c)
{
    sal_text_add(c->p->out, "<section><h2>Over ");
    page_html_text(c->p->out, c->name);
    sal_text_add(c->p->out, "</h2>");
    add_note(c);
    add_key(c);
    sal_text_add(c->p->out, "<div class=\"charts\">\n");
}

/* The next axis that leads, and has not too many values if there is one that has not. */
static const page_axis *other_axis(const page_page *p, const page_axis *x)
{
    const page_axis *other = NULL;
    for (int pass = 0; pass < 2 && other == NULL; pass++) {
        for (int i = 0; i < p->naxis && other == NULL; i++) {
            const page_axis *a = p->axis + i;
            other = a->leads && a != x && (pass == 1 || a->nlevel <= FEW_LINES) ? a : NULL;
        }
    }
    return other;
}

static sal_status over_axis(const page_page *p, const page_axis *x, sal_err *err)
{
    curves c = {.p = p, .x = x, .by = other_axis(p, x)};
    const size_t n = (size_t)x->nlevel, lines = c.by == NULL ? 1 : (size_t)c.by->nlevel;
    sal_status status = SAL_OK;
    c.cell = sal_alloc(n * lines, sizeof(int));
    c.at = sal_alloc(n, sizeof(double));
    if (c.cell == NULL || c.at == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the curves of a sweep");
        goto done;
    }
    choose_lines(&c);
    page_axis_name(p, x, c.name, sizeof c.name);
    page_axis_label(p, x, c.label, sizeof c.label);
    page_over(p, x, c.by, c.cell);
    for (int i = 0; i < x->nlevel; i++) {
        c.at[i] = x->log ? log10(x->number[i]) : x->number[i];
    }
    c.dots = x->nlevel <= 80 && x->nlevel * c.nline * p->nfigure <= MOST_DOTS;
    begin(&c);
    for (int k = 0; k < p->nfigure; k++) {
        draw_chart(&c, p->figure + k);
    }
    sal_text_add(p->out, "</div></section>\n");
done:
    sal_free(c.cell);
    sal_free(c.at);
    return status;
}

/* Axes of most values first: they have most to show. */
sal_status page_curves(const page_page *p, sal_err *err)
{
    sal_status status = SAL_OK;
    int most = p->count[PAGE_CELL_PHYSICAL] + p->count[PAGE_CELL_UNSOLVED] > 0 ? p->npoint : 0;
    while (most > 2 && status == SAL_OK) {
        int next = 0;
        for (int i = 0; i < p->naxis && status == SAL_OK; i++) {
            const page_axis *a = p->axis + i;
            if (a->leads && a->numeric && a->nlevel == most) {
                status = over_axis(p, a, err);
            } else if (a->leads && a->numeric && a->nlevel < most) {
                next = a->nlevel > next ? a->nlevel : next;
            }
        }
        most = next;
    }
    return status;
}
