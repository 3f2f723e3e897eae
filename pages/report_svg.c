/* report_svg.c: escaped text and small charts. Numbers are written in the C locale's spelling,
 * whatever the program's. */
#include "pages/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

/* ---- text ---- */

void page_html_text(sal_text *out, const char *text)
{
    for (const char *s = text; *s != 0;) {
        const size_t n = sal_text_utf8(s);
        const unsigned char c = (unsigned char)*s;
        if (*s == '&') {
            sal_text_add(out, "&amp;");
        } else if (*s == '<') {
            sal_text_add(out, "&lt;");
        } else if (*s == '>') {
            sal_text_add(out, "&gt;");
        } else if (*s == '"') {
            sal_text_add(out, "&quot;");
        } else if (*s == '\'') {
            sal_text_add(out, "&#39;");
        } else if (n == 0 || (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F) {
            sal_text_add(out, "\xEF\xBF\xBD");
        } else {
            sal_text_addn(out, s, n);
        }
        s += n == 0 ? 1 : n;
    }
}

void page_table_begin(sal_text *out, const char *label, const char *style)
{
    sal_text_format(out,
                    "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
                    "<table class=\"%s\">",
                    label, style);
}

void page_table_end(sal_text *out)
{
    sal_text_add(out, "</tbody></table></div>");
}

void page_svg_put(sal_text *out, const char *pattern, ...)
{
    va_list args;
    va_start(args, pattern);
    for (const char *s = pattern; *s != 0; s++) {
        if (*s == '%') {
            const double x = round(100 * va_arg(args, double)) / 100;
            sal_text_real(out, isfinite(x) ? x + 0.0 : 0, 8); /* no -0 */
        } else if (*s == '$') {
            sal_text_add(out, va_arg(args, const char *));
        } else {
            sal_text_addn(out, s, 1);
        }
    }
    va_end(args);
}

void page_svg_number(sal_text *out, double value, int digits)
{
    if (isnan(value)) {
        sal_text_add(out, "\xE2\x80\x93");
    } else {
        const bool whole =
            fabs(value) >= pow(10, digits) && fabs(value) < 1e7; /* 21300, not 2.13e+04 */
        sal_text_real(out, whole ? round(value) : value, whole ? 9 : digits);
    }
}

/* ---- axes ---- */

enum { MOST_TICKS = 50 }; /* of ranges beyond all bounds */

void page_chart_extend(double *lo, double *hi, const double *x, int n, int stride)
{
    for (int i = 0; i < n; i++) {
        const double v = x[i * stride];
        if (isfinite(v)) {
            *lo = v < *lo ? v : *lo;
            *hi = v > *hi ? v : *hi;
        }
    }
}

/* 1, 2 or 5 times a power of ten, so that about n of them make the span. */
static double tick_step(double span, int n)
{
    const double raw = span / n, power = pow(10, floor(log10(raw))), lead = raw / power;
    return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power;
}

static void mend_range(double *lo, double *hi, double least)
{
    if (!isfinite(*lo) || !isfinite(*hi) || *lo > *hi) {
        *lo = 0, *hi = 1;
    }
    const double room = fmax(least, 1e-9 * fmax(fabs(*lo), fabs(*hi)));
    if (*hi - *lo < room) {
        const double middle = 0.5 * (*lo + *hi);
        *lo = middle - 0.5 * room;
        *hi = middle + 0.5 * room;
    }
}

/* What ticks of four digits can still tell apart. */
static double narrowest(double lo, double hi)
{
    const double most = fmax(fabs(lo), fabs(hi));
    return isfinite(most) && most > 0 ? 4e-3 * most : 1;
}

double page_chart_x(const page_chart *c, double x)
{
    return c->left + (x - c->x0) / (c->x1 - c->x0) * (c->right - c->left);
}

double page_chart_y(const page_chart *c, double y)
{
    const double inside = fmin(fmax((y - c->y0) / (c->y1 - c->y0), -0.2), 1.2);
    return c->bottom - inside * (c->bottom - c->top);
}

/* Digits that tell ticks apart. */
static int tick_digits(double lo, double hi, double step)
{
    const double ratio = fmax(fabs(lo), fabs(hi)) / step;
    return ratio < 1e3 ? 4 : ratio < 1e9 ? 1 + (int)ceil(log10(ratio)) : 10;
}

/* A tick at x that says `value`. */
static void x_tick(page_chart *c, double x, double value, int digits)
{
    const double at = page_chart_x(c, x);
    page_svg_put(c->out, "<path class=\"tick\" d=\"M% %v4\"/><text x=\"%\" y=\"%\" class=\"tx\">",
                 at, c->bottom, at, c->bottom + 16);
    sal_text_real(c->out, value + 0.0, digits); /* no -0 */
    sal_text_add(c->out, "</text>");
}

static void x_ticks(page_chart *c)
{
    const int n = c->fine          ? (int)fmax((c->right - c->left) / 46, 2)
                  : c->width > 300 ? (c->print ? 6 : 8)
                                   : 4;
    const double step = tick_step(c->x1 - c->x0, n), first = ceil(c->x0 / step - 1e-9);
    for (int i = 0; (first + i) * step <= c->x1 + 1e-9 * step && i < MOST_TICKS; i++) {
        x_tick(c, (first + i) * step, (first + i) * step, tick_digits(c->x0, c->x1, step));
    }
}

/* At 1, 2, 5 times powers of ten; of many decades only the powers, or every few of them. */
static void log_x_ticks(page_chart *c)
{
    static const int lead[] = {1, 2, 5};
    const int from = (int)fmax(floor(c->x0), -300), to = (int)fmin(ceil(c->x1), 300),
              every = (to - from) / 8 + 1;
    for (int decade = from; decade <= to; decade += every) {
        for (int k = 0; k < 3 && (k == 0 || to - from <= 3); k++) {
            const double value = lead[k] * pow(10, decade), x = log10(value);
            if (x >= c->x0 - 1e-9 && x <= c->x1 + 1e-9) {
                x_tick(c, x, value, 4);
            }
        }
    }
}

static void y_ticks(page_chart *c, double step)
{
    const double every = c->log ? fmax(1, ceil((c->y1 - c->y0) / 6)) : step;
    const double first = ceil(c->y0 / every - 1e-9);
    for (int i = 0; (first + i) * every <= c->y1 + 1e-9 * every && i < MOST_TICKS; i++) {
        const double value = (first + i) * every + 0.0, y = page_chart_y(c, value);
        page_svg_put(c->out, "<path class=\"$\" d=\"M% %H%\"/><text x=\"%\" y=\"%\" class=\"ty\">",
                     first + i == 0 && !c->log ? "zero" : "gridline", c->left, y, c->right,
                     c->left - 6, y + 4);
        if (c->log) {
            page_svg_put(c->out, "10<tspan dy=\"-5\" class=\"sup\">%</tspan>", value);
        } else {
            sal_text_real(c->out, value, tick_digits(c->y0, c->y1, step));
        }
        sal_text_add(c->out, "</text>");
    }
}

/* ---- legend ---- */

double page_text_width(const char *text, bool bold)
{
    size_t n = 0;
    for (const char *s = text; *s != 0; s += sal_text_utf8(s) > 0 ? sal_text_utf8(s) : 1) {
        n++;
    }
    return (bold ? 7.4 : 6.1) * (double)n;
}

enum { SAMPLE = 18, KEY_GAP = 10, KEY_LINE = 16 };

static double width_of_key(const page_chart *c, int i)
{
    return SAMPLE + 5 + page_text_width(c->key[i].label, false);
}

void page_chart_key(page_chart *c, const char *style, const char *label)
{
    for (int i = 0; i < c->nkey; i++) {
        if (strcmp(c->key[i].style, style) == 0) {
            return;
        }
    }
    if (c->print && c->nkey < PAGE_CHART_KEYS) {
        c->key[c->nkey].style = style;
        c->key[c->nkey++].label = label;
    }
}

/* Where the keys begin: behind the title where there is room for all, else below it. */
static double key_begin(const page_chart *c)
{
    double wide = -KEY_GAP;
    for (int i = 0; i < c->nkey; i++) {
        wide += width_of_key(c, i) + KEY_GAP;
    }
    const bool fits = c->left + page_text_width(c->title, true) + KEY_GAP + wide <= c->right;
    return fits ? c->right - wide : c->left;
}

/* Draws the keys, or only finds where their last line is; a line that is full is followed by
 * another. */
static double put_keys(const page_chart *c, bool draw)
{
    double x = key_begin(c), y = x > c->left ? 12 : 12 + KEY_LINE;
    for (int i = 0; i < c->nkey; i++) {
        if (x > c->left && x + width_of_key(c, i) > c->right + 1) {
            x = c->left, y += KEY_LINE;
        }
        if (draw) {
            const bool dot = strcmp(c->key[i].style, "dots") == 0;
            page_svg_put(c->out, "<path class=\"line $\" d=\"M% %h%\"/><text x=\"%\" y=\"%\">",
                         c->key[i].style, dot ? x + 0.5 * SAMPLE : x, y, dot ? 0.0 : SAMPLE,
                         x + SAMPLE + 5.0, y + 4);
            page_html_text(c->out, c->key[i].label);
            sal_text_add(c->out, "</text>");
        }
        x += width_of_key(c, i) + KEY_GAP;
    }
    return y;
}

/* Edges of the frame; a legend below the title makes the chart higher. */
static void lay_out(page_chart *c)
{
    c->width = c->print ? PAGE_PRINT_WIDTH : c->width;
    c->height = c->print ? PAGE_PRINT_HEIGHT : c->height;
    c->left = c->fine || c->print ? 64 : 58, c->right = c->width - 12, c->top = 26;
    if (c->nkey > 0) {
        const double below = put_keys(c, false) - 12;
        c->top += below, c->height += below;
    }
    c->bottom = c->height - 38;
}

void page_chart_begin(page_chart *c)
{
    double step = 1;
    mend_range(&c->x0, &c->x1, 1e-9);
    mend_range(&c->y0, &c->y1, c->log ? 1 : c->fine ? narrowest(c->y0, c->y1) : 0.02);
    if (c->log) {
        c->y0 = floor(c->y0), c->y1 = ceil(c->y1);
    } else {
        step = tick_step(c->y1 - c->y0, c->height > 200 ? 5 : 3);
        c->y0 = step * floor(c->y0 / step + 1e-6);
        c->y1 = step * ceil(c->y1 / step - 1e-6);
    }
    lay_out(c);
    page_svg_put(c->out,
                 "<svg class=\"chart\" viewBox=\"0 0 % %\" width=\"%\" height=\"%\" role=\"img\"",
                 c->width, c->height, c->width, c->height);
    sal_text_add(c->out, "><title>");
    page_html_text(c->out, c->title);
    page_svg_put(c->out, "</title><text x=\"%\" y=\"16\" class=\"head\">", c->left);
    page_html_text(c->out, c->title);
    sal_text_add(c->out, "</text>");
    put_keys(c, true);
    y_ticks(c, step);
    (c->log_x ? log_x_ticks : x_ticks)(c);
    page_svg_put(c->out, "<path class=\"axis\" d=\"M% %V%H%\"/><text x=\"%\" y=\"%\" class=\"lx\">",
                 c->left, c->top, c->bottom, c->right, 0.5 * (c->left + c->right), c->height - 6);
    page_html_text(c->out, c->xlabel);
    page_svg_put(c->out, "</text><text transform=\"translate(13,%) rotate(-90)\" class=\"lx\">",
                 0.5 * (c->top + c->bottom));
    page_html_text(c->out, c->ylabel);
    sal_text_add(c->out, "</text>");
}

void page_chart_end(page_chart *c)
{
    sal_text_add(c->out, "</svg>\n");
}

/* ---- lines ---- */

/* A long line is drawn through four samples of each of so many parts: the first, the lowest, the
 * highest and the last. Where a part is no wider than a pixel, this covers the same pixels as the
 * whole line does, peaks included (Jugel et al., "M4", VLDB 2014). */
enum { PARTS = 250, OF_PART = 4 };

typedef struct line {
    const double *x, *y;
    /* the sample drawn last; -1: none */
    int last;
} line;

static bool is_known(const line *l, int i)
{
    return isfinite(l->x[i]) && isfinite(l->y[i]);
}

/* Is every sample from the one drawn last up to this one known? */
static bool is_joined(const line *l, int i)
{
    int k = l->last + 1;
    while (k < i && is_known(l, k)) {
        k++;
    }
    return l->last >= 0 && k == i;
}

static void draw_to(page_chart *c, line *l, int i)
{
    page_svg_put(c->out, "$% %", is_joined(l, i) ? "L" : "M", page_chart_x(c, l->x[i]),
                 page_chart_y(c, l->y[i]));
    l->last = i;
}

/* Samples i .. end - 1 */
static void draw_part(page_chart *c, line *l, int i, int end)
{
    int first = -1, low = 0, high = 0, final = 0;
    for (; i < end; i++) {
        if (is_known(l, i)) {
            low = first < 0 || l->y[i] < l->y[low] ? i : low;
            high = first < 0 || l->y[i] > l->y[high] ? i : high;
            first = first < 0 ? i : first;
            final = i;
        }
    }
    const int drawn[OF_PART] = {first, low < high ? low : high, low < high ? high : low, final};
    for (int k = 0; k < OF_PART && first >= 0; k++) {
        if (drawn[k] > l->last) {
            draw_to(c, l, drawn[k]);
        }
    }
}

void page_chart_line(page_chart *c, const double *x, const double *y, int n, const char *style)
{
    const int parts = n > OF_PART * PARTS ? PARTS : n;
    line l = {.x = x, .y = y, .last = -1};
    page_svg_put(c->out, "<path class=\"line $\" d=\"", style);
    for (int k = 0; k < parts; k++) {
        draw_part(c, &l, (int)((int64_t)n * k / parts), (int)((int64_t)n * (k + 1) / parts));
    }
    sal_text_add(c->out, "\"/>");
}

void page_chart_level(page_chart *c, double y, const char *style)
{
    if (y >= c->y0 && y <= c->y1) {
        page_svg_put(c->out, "<path class=\"$\" d=\"M% %H%\"/>", style, c->left, page_chart_y(c, y),
                     c->right);
    }
}

void page_chart_upright(page_chart *c, double x, const char *style)
{
    page_svg_put(c->out, "<path class=\"$\" d=\"M% %V%\"/>", style, page_chart_x(c, x), c->top,
                 c->bottom);
}

/* ---- sections ---- */

void page_section_begin(sal_text *out, const char *heading, const char *note)
{
    page_svg_put(out, "<section><h2>$</h2><p class=\"note\">$</p><div class=\"charts\">\n", heading,
                 note);
}

void page_section_end(sal_text *out)
{
    sal_text_add(out, "</div></section>\n");
}
