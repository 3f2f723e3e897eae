/* sweep_page_bars.c: each figure over one axis as bars, a row for each value: where that axis is
 * the only one, and has words, or too few numbers for a curve.
 */
#include "pages/sweep_page.h"

#include <math.h>

enum { MOST_BARS = 40, ROW = 24, THICK = 14, TOP = 28, VALUE = 78 };

typedef struct bars {
    const page_page *p;
    const page_axis *axis;
    int cell[MOST_BARS];
    double left, right; /* pixels: where bars begin and end */
    double lo, hi;      /* the values there */
} bars;

static double bar_x(const bars *b, double value)
{
    return b->left + (b->right - b->left) * (value - b->lo) / (b->hi - b->lo);
}

/* From 0 to the value; what is no solution is red. */
static void draw_bar(const bars *b, const page_figure *f, int i)
{
    sal_text *out = b->p->out;
    const int cell = b->cell[i];
    const double y = TOP + i * ROW, value = cell < 0 ? (double)NAN : f->value[cell];
    page_svg_put(out, "<text class=\"ty\" x=\"%\" y=\"%\">", b->left - 8, y + 16.0);
    page_short_level(out, b->axis, i);
    sal_text_add(out, "</text>");
    if (cell < 0) {
        return;
    }
    const bool fine = b->p->state[cell] == PAGE_CELL_PHYSICAL, known = isfinite(value);
    const double x0 = bar_x(b, known ? fmin(value, 0) : 0),
                 x1 = bar_x(b, known ? fmax(value, 0) : 0);
    page_svg_put(out, "<rect class=\"$\" x=\"%\" y=\"%\" width=\"%\" height=\"%\"><title>",
                 fine ? "bar fine" : "bar unsolved", x0, y + 0.5 * (ROW - THICK),
                 known ? fmax(x1 - x0, 1) : 0, (double)THICK);
    page_cell(b->p, cell, out);
    sal_text_add(out, ": ");
    page_state(b->p, cell, out);
    page_svg_put(out, "</title></rect><text class=\"te\" x=\"%\" y=\"%\">", x1 + 6, y + 16.0);
    if (known) {
        page_svg_number(out, value, 3);
    } else {
        page_state(b->p, cell, out);
    }
    sal_text_add(out, "</text>");
}

static void draw(bars *b, const page_figure *f)
{
    sal_text *out = b->p->out;
    char label[128];
    const double height = TOP + b->axis->nlevel * ROW + 4;
    b->lo = b->hi = 0;
    for (int i = 0; i < b->axis->nlevel; i++) {
        if (b->cell[i] >= 0) {
            page_chart_extend(&b->lo, &b->hi, f->value + b->cell[i], 1, 1);
        }
    }
    b->hi = b->hi > b->lo ? b->hi : b->lo + 1;
    page_label(f, label, sizeof label);
    page_svg_put(out,
                 "<svg class=\"chart bars\" viewBox=\"0 0 % %\" width=\"%\" height=\"%\" "
                 "role=\"img\"><title>",
                 page_width(b->p), height, page_width(b->p), height);
    page_html_text(out, label);
    page_svg_put(out, "</title><text x=\"%\" y=\"16\" class=\"head\">", b->left);
    page_html_text(out, label);
    sal_text_add(out, "</text>");
    for (int i = 0; i < b->axis->nlevel; i++) {
        draw_bar(b, f, i);
    }
    sal_text_add(out, "</svg>\n");
}

/* The only axis that stands in charts, where curves and maps leave it out; NULL. */
static const page_axis *lone_axis(const page_page *p)
{
    const page_axis *lone = NULL;
    for (int i = 0; i < p->naxis; i++) {
        const page_axis *a = p->axis + i;
        if (a->leads && lone != NULL) {
            return NULL;
        }
        lone = a->leads ? a : lone;
    }
    const bool fits = lone != NULL && lone->nlevel <= MOST_BARS;
    return fits && (!lone->numeric || lone->nlevel == 2) ? lone : NULL;
}

static void begin(const bars *b)
{
    sal_text *out = b->p->out;
    char name[112];
    page_axis_label(b->p, b->axis, name, sizeof name);
    sal_text_add(out, "<section><h2>By ");
    page_html_text(out, name);
    sal_text_add(out, "</h2><p class=\"note\">");
    if (page_has_others(b->p, b->axis, NULL)) {
        sal_text_add(out, "Where several cells have the same place (other axes, repeats), the "
                          "physical cell of lowest cost is shown. ");
    }
    if (b->p->count[PAGE_CELL_UNSOLVED] > 0) {
        sal_text_add(out, "<span class=\"key unsolved\"></span>not a solution. ");
    }
    sal_text_add(out, "</p><div class=\"charts\">\n");
}

sal_status page_bars(const page_page *p, sal_err *err)
{
    bars b = {.p = p, .axis = lone_axis(p)};
    (void)err; /* nothing can fail */
    if (b.axis == NULL || p->count[PAGE_CELL_PHYSICAL] + p->count[PAGE_CELL_UNSOLVED] == 0) {
        return SAL_OK;
    }
    page_over(p, b.axis, NULL, b.cell);
    b.left = 16 + page_short_width(b.axis);
    b.right = page_width(p) - VALUE;
    begin(&b);
    for (int k = 0; k < p->nfigure; k++) {
        draw(&b, p->figure + k);
    }
    sal_text_add(p->out, "</div></section>\n");
    return SAL_OK;
}
