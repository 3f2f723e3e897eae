/* sweep_page_histogram.c: how the costs are distributed: of all cells; where points have repeats,
 * of the cells of all points, each relative to the best of its point.
 */

#include "pages/sweep_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1040, HEIGHT = 250, FEWEST = 8, MANY = 40, MOST_BINS = 60 };

typedef struct histogram {
    const page_page *p;
    bool relative;               /* % above the lowest cost of the point */
    double *value;               /* [n] physical, ascending */
    double *unsolved;            /* [nunsolved] of the others */
    int n, nunsolved, beyond[2]; /* beyond: above the last bin: physical, others */
    int bins, count[MOST_BINS][2];
    double lo, hi;
    bool log;
} histogram;

static double quantile(const histogram *h, double share)
{
    return h->value[(int)(share * (h->n - 1))];
}

static void collect(histogram *h)
{
    const page_page *p = h->p;
    for (int c = 0; c < p->view->ncell; c++) {
        const int best = p->best[p->view->point[c]];
        const bool known = !h->relative || p->state[best] == PAGE_CELL_PHYSICAL;
        const double v =
            h->relative ? 100 * (p->cost[c] - p->cost[best]) / fabs(p->cost[best]) : p->cost[c];
        if (isfinite(v) && known && p->state[c] == PAGE_CELL_PHYSICAL) {
            h->value[h->n++] = v;
        } else if (isfinite(v) && known && p->state[c] == PAGE_CELL_UNSOLVED) {
            h->unsolved[h->nunsolved++] = v;
        }
    }
    sal_sort(h->value, h->n);
}

static double scaled(const histogram *h, double v)
{
    return h->log ? (v > 0 ? log10(v) : -(double)INFINITY) : v;
}

/* Bins of 2 IQR / n^(1/3) (Freedman and Diaconis, 1981); of many values up to three times as far
 * from the median as the upper twentieth. */
static void choose_bins(histogram *h)
{
    const double low = h->value[0], high = h->value[h->n - 1], median = quantile(h, 0.5);
    const double far = median + 3 * (quantile(h, 0.95) - median);
    h->log = low > 0 && high > 50 * low;
    h->lo = scaled(h, low);
    h->hi = scaled(h, h->log || h->n < MANY || !(far < high) ? high : far);
    if (!(h->hi > h->lo)) {
        const double room = h->lo == 0 ? 1 : 0.05 * fabs(h->lo);
        h->lo -= room, h->hi += room;
    }
    const double iqr = scaled(h, quantile(h, 0.75)) - scaled(h, quantile(h, 0.25)),
                 width = 2 * iqr / cbrt(h->n), wanted = width > 0 ? (h->hi - h->lo) / width : 1;
    h->bins = (int)fmin(fmax(ceil(wanted), 8), MOST_BINS);
}

static void sort_in(histogram *h, const double *value, int n, int kind)
{
    for (int i = 0; i < n; i++) {
        const double share = (scaled(h, value[i]) - h->lo) / (h->hi - h->lo);
        if (share > 1) {
            h->beyond[kind]++;
        } else {
            const int bin = (int)(fmax(share, 0) * h->bins);
            h->count[bin < h->bins ? bin : h->bins - 1][kind]++;
        }
    }
}

static void draw_bars(const histogram *h, const page_chart *c)
{
    static const char *const style[] = {"bar fine", "bar unsolved"};
    const double wide = (h->hi - h->lo) / h->bins;
    for (int b = 0; b < h->bins; b++) {
        int below = 0;
        for (int kind = 0; kind < 2; kind++) {
            const int n = h->count[b][kind];
            const double x = page_chart_x(c, h->lo + b * wide), y = page_chart_y(c, below + n);
            if (n > 0) {
                page_svg_put(c->out, "<rect class=\"$\" x=\"%\" y=\"%\" width=\"%\" height=\"%\">",
                             style[kind], x + 0.5, y,
                             fmax(page_chart_x(c, h->lo + (b + 1) * wide) - x - 1, 1),
                             page_chart_y(c, below) - y);
                sal_text_format(c->out, "<title>%d cells</title></rect>", n);
            }
            below += n;
        }
    }
}

static void draw(const histogram *h)
{
    int most = 0;
    for (int b = 0; b < h->bins; b++) {
        const int n = h->count[b][0] + h->count[b][1];
        most = n > most ? n : most;
    }
    page_chart c = {.out = h->p->out,
                    .title = h->relative ? "Cost above the lowest of the same point" : "Cost",
                    .xlabel = h->relative ? "above the lowest cost of the same point, %" : "cost",
                    .ylabel = "cells",
                    .width = WIDTH,
                    .height = HEIGHT,
                    .x0 = h->lo,
                    .x1 = h->hi,
                    .y1 = most,
                    .fine = true,
                    .log_x = h->log};
    page_chart_begin(&c);
    draw_bars(h, &c);
    page_chart_end(&c);
}

/* Cells within a share of the best. */
static int count_near(const histogram *h, double share)
{
    const double most = h->relative ? 100 * share : h->value[0] + share * fabs(h->value[0]);
    int n = 0;
    for (int i = 0; i < h->n; i++) {
        n += h->value[i] <= most;
    }
    return n;
}

static void say(const histogram *h)
{
    const page_page *p = h->p;
    sal_text *out = p->out;
    const char *unit = h->relative ? "\xC2\xA0% above it" : "";
    const int done = p->view->ncell - p->count[PAGE_CELL_WAITING];
    sal_text_format(out, "<p class=\"note\">Of %d cells that are done, %d (", done,
                    p->count[PAGE_CELL_PHYSICAL]);
    page_svg_number(out, 100.0 * p->count[PAGE_CELL_PHYSICAL] / done, 3);
    sal_text_format(out,
                    "\xC2\xA0%%) are physical; of these %d are within 1\xC2\xA0%%, %d within "
                    "10\xC2\xA0%% of the lowest cost%s; ",
                    count_near(h, 0.01), count_near(h, 0.1), h->relative ? " of their point" : "");
    if (!h->relative) {
        sal_text_add(out, "lowest ");
        page_svg_number(out, h->value[0], 4);
        sal_text_add(out, ", ");
    }
    sal_text_add(out, "median ");
    page_svg_number(out, quantile(h, 0.5), 4);
    page_svg_put(out, "$, highest ", unit);
    page_svg_number(out, h->value[h->n - 1], 4);
    page_svg_put(out, "$.", unit);
    if (h->beyond[0] + h->beyond[1] > 0) {
        sal_text_format(out, " Beyond the right end: %d physical, %d other%s.", h->beyond[0],
                        h->beyond[1], h->beyond[1] == 1 ? "" : "s");
    }
    sal_text_add(out, " <span class=\"key fine\"></span>physical<span class=\"key "
                      "unsolved\"></span>not a solution</p>");
}

sal_status page_histogram(const page_page *p, sal_err *err)
{
    const size_t n = (size_t)p->view->ncell + 1;
    sal_status status = SAL_OK;
    histogram h = {.p = p, .relative = p->npoint > 1 && p->view->ncell > p->npoint};
    h.value = sal_alloc(n, sizeof(double));
    h.unsolved = sal_alloc(n, sizeof(double));
    if (h.value == NULL || h.unsolved == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the distribution of a sweep");
        goto done;
    }
    collect(&h);
    if (h.n < 2 || h.n + h.nunsolved < FEWEST) {
        goto done;
    }
    choose_bins(&h);
    sort_in(&h, h.value, h.n, 0);
    sort_in(&h, h.unsolved, h.nunsolved, 1);
    sal_text_add(p->out, "<section><h2>Distribution of the cost</h2>");
    say(&h);
    draw(&h);
    sal_text_add(p->out, "</section>\n");
done:
    sal_free(h.value);
    sal_free(h.unsolved);
    return status;
}
