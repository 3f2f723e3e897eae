/* sweep_page_scatter.c: each figure over each axis of a sample, coloured by the next axis. */
#include "pages/sweep_page.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST_FIGURES = 6, MOST_AXES = 8, MOST_POINTS = 2000, SAID = 300 };

/* ---- scatter ---- */

typedef struct scatter {
    const page_page *p;
    const page_axis *x, *by; /* by: NULL: one colour */
    const page_figure *f;
    page_chart chart;
} scatter;

static int class_of(const scatter *s, int point)
{
    return s->by == NULL ? 3 : page_line(s->by->level[point] * 8 / s->by->nlevel, 8);
}

static double place(const scatter *s, int point)
{
    const double x = s->x->number[s->x->level[point]];
    return s->x->log ? log10(x) : x;
}

static void draw_point(const scatter *s, int point)
{
    sal_text *out = s->p->out;
    const int cell = s->p->best[point];
    const double v = s->f->value[cell];
    const bool unsolved = s->p->state[cell] != PAGE_CELL_PHYSICAL;
    page_svg_put(out, "<circle class=\"$\" cx=\"%\" cy=\"%\" r=\"%\"", unsolved ? "ring" : "dot",
                 page_chart_x(&s->chart, place(s, point)),
                 page_chart_y(&s->chart, fmin(fmax(v, s->chart.y0), s->chart.y1)),
                 unsolved ? 3.4 : 2.6);
    if (s->p->npoint > SAID) {
        sal_text_add(out, "/>");
        return;
    }
    sal_text_add(out, "><title>");
    page_cell(s->p, cell, out);
    sal_text_add(out, ": ");
    page_value(s->f, v, out);
    sal_text_add(out, "</title></circle>");
}

/* Of too many points some, by a hash of their number (the finaliser of SplitMix64, G. Steele et
 * al., 2014): at equal steps they could all have the same value of another axis. */
static bool is_drawn(const page_page *p, int point)
{
    uint64_t x = (uint64_t)point + 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return ldexp((double)((x ^ (x >> 31)) >> 11), -53) * p->npoint < MOST_POINTS;
}

static void draw_points(const scatter *s)
{
    for (int k = 0; k < PAGE_PAGE_NLINE; k++) {
        bool any = false;
        for (int i = 0; i < s->p->npoint; i++) {
            const int cell = s->p->best[i];
            if (cell >= 0 && is_drawn(s->p, i) && isfinite(s->f->value[cell]) &&
                class_of(s, i) == k) {
                if (!any) {
                    sal_text_format(s->p->out, "<g class=\"q%d\">", k);
                }
                any = true;
                draw_point(s, i);
            }
        }
        sal_text_add(s->p->out, any ? "</g>" : "");
    }
}

static void draw_scatter(scatter *s)
{
    char label[128], x_label[128];
    const int n = s->x->nlevel;
    page_label(s->f, label, sizeof label);
    snprintf(x_label, sizeof x_label, "%s%s%s", s->x->name, s->x->unit[0] == 0 ? "" : ", ",
             s->x->unit);
    s->chart = (page_chart){.out = s->p->out,
                            .title = s->f->label,
                            .xlabel = x_label,
                            .ylabel = label,
                            .width = page_width(s->p),
                            .height = 150 + 0.2 * page_width(s->p),
                            .x0 = s->x->log ? log10(s->x->number[0]) : s->x->number[0],
                            .x1 = s->x->log ? log10(s->x->number[n - 1]) : s->x->number[n - 1],
                            .fine = true,
                            .log_x = s->x->log};
    page_range(s->p, s->f->value, s->p->best, s->p->npoint, &s->chart.y0, &s->chart.y1);
    if (s->chart.y0 <= s->chart.y1) {
        page_chart_begin(&s->chart);
        draw_points(s);
        page_chart_end(&s->chart);
    }
}

/* The next axis of the group that is one of numbers. */
static const page_axis *next_axis(const page_page *p, int i)
{
    for (int k = 1; k < p->naxis; k++) {
        const page_axis *a = p->axis + (i + k) % p->naxis;
        if (a->group == p->axis[i].group && a->numeric) {
            return a;
        }
    }
    return NULL;
}

static void add_key(const scatter *s)
{
    sal_text *out = s->p->out;
    if (s->by == NULL) {
        return;
    }
    sal_text_add(out, "<p class=\"keys\">colour: <b>");
    page_html_text(out, s->by->name);
    sal_text_add(out, "</b> ");
    char text[64];
    page_level(s->by, 0, text, sizeof text);
    page_html_text(out, text);
    for (int k = 0; k < 8; k++) {
        sal_text_format(out, "<span class=\"key joined q%d\"></span>", page_line(k, 8));
    }
    page_level(s->by, s->by->nlevel - 1, text, sizeof text);
    page_html_text(out, text);
    sal_text_add(out, "</p>");
}

sal_status page_scatter(const page_page *p, sal_err *err)
{
    (void)err; /* sections are alike */
    int drawn = 0;
    const bool found = p->count[PAGE_CELL_PHYSICAL] + p->count[PAGE_CELL_UNSOLVED] > 0;
    for (int i = 0; i < p->naxis && drawn < MOST_AXES && found; i++) {
        scatter s = {.p = p, .x = p->axis + i, .by = next_axis(p, i)};
        if (!s.x->sampled || !s.x->numeric) {
            continue;
        }
        sal_text_add(p->out, "<section><h2>Over ");
        page_html_text(p->out, s.x->name);
        sal_text_add(p->out, " (a sample)</h2><p class=\"note\">A dot for every point");
        if (p->npoint > MOST_POINTS) {
            sal_text_format(p->out, " (about %d of %d are drawn)", MOST_POINTS, p->npoint);
        }
        sal_text_add(p->out,
                     "; ringed: not a solution, at the edge if its value is outside the axes.</p>");
        add_key(&s);
        sal_text_add(p->out, "<div class=\"charts\">\n");
        for (int k = 0; k < p->nfigure && k < MOST_FIGURES; k++) {
            s.f = p->figure + k;
            draw_scatter(&s);
        }
        sal_text_add(p->out, "</div></section>\n");
        drawn++;
    }
    return SAL_OK;
}
