/* sweep_page_heat.c: each figure over two axes, as coloured cells. A corner is marked where a cell
 * is no solution; holes are hatched and say why.
 */
#include "pages/sweep_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MAPS = 48, SAID = 600, NSHADE = 64, SCALE = 76 };

typedef struct heat {
    const page_page *p;
    const page_axis *x, *y;
    int *cell;    /* [x levels x y levels] */
    double w, h;  /* of a cell, pixels */
    bool said;    /* every cell has a title */
    bool printed; /* and its value in it */
    double left, top, right, bottom;
    double lo, hi; /* of the colours */
    char x_name[96], y_name[96], x_label[112], y_label[112];
} heat;

static int cell_at(const heat *m, int i, int k)
{
    return m->cell[i * m->y->nlevel + k];
}

static double column_x(const heat *m, int i)
{
    return m->left + i * m->w;
}

/* Level 0 stands at the bottom. */
static double row_y(const heat *m, int k)
{
    return m->bottom - (k + 1) * m->h;
}

/* ---- cells ---- */

static void add_title(const heat *m, const page_figure *f, int cell)
{
    sal_text *out = m->p->out;
    sal_text_add(out, "<title>");
    page_cell(m->p, cell, out);
    sal_text_add(out, ": ");
    if (isfinite(f->value[cell])) {
        page_value(f, f->value[cell], out);
    }
    if (!isfinite(f->value[cell]) || m->p->state[cell] != PAGE_CELL_PHYSICAL) {
        sal_text_add(out, isfinite(f->value[cell]) ? "; " : "");
        page_state(m->p, cell, out);
    }
    sal_text_add(out, "</title>");
}

/* Dark ink on light colours: those of the upper part of the map. */
static void print_value(const heat *m, double value, int i, int k)
{
    const double share = m->hi > m->lo ? (value - m->lo) / (m->hi - m->lo) : 0.5;
    page_svg_put(m->p->out, "<text class=\"$\" x=\"%\" y=\"%\">",
                 share > 0.55 ? "in dark" : "in light", column_x(m, i) + 0.5 * m->w,
                 row_y(m, k) + 0.5 * m->h + 4);
    page_svg_number(m->p->out, value, 3);
    sal_text_add(m->p->out, "</text>");
}

static void draw_said(const heat *m, const page_figure *f)
{
    sal_text *out = m->p->out;
    for (int i = 0; i < m->x->nlevel; i++) {
        for (int k = 0; k < m->y->nlevel; k++) {
            const int cell = cell_at(m, i, k);
            if (cell < 0) {
                continue;
            }
            const double v = f->value[cell];
            const bool waits = m->p->state[cell] == PAGE_CELL_WAITING;
            page_svg_put(out, "<rect x=\"%\" y=\"%\" width=\"%\" height=\"%\" $=\"$\">",
                         column_x(m, i), row_y(m, k), m->w, m->h, isfinite(v) ? "fill" : "class",
                         isfinite(v) ? page_map_colour(m->p, v, m->lo, m->hi)
                         : waits     ? "waits"
                                     : "hole");
            add_title(m, f, cell);
            sal_text_add(out, "</rect>");
            if (m->printed && isfinite(v)) {
                print_value(m, v, i, k);
            }
        }
    }
}

/* One path for all cells of a shade (0..NSHADE-1), of holes (-1), or that wait (-2). */
static void draw_shade(const heat *m, const page_figure *f, int shade)
{
    bool any = false;
    for (int i = 0; i < m->x->nlevel; i++) {
        for (int k = 0; k < m->y->nlevel; k++) {
            const int cell = cell_at(m, i, k);
            if (cell < 0) {
                continue;
            }
            const double v = f->value[cell],
                         share = m->hi > m->lo ? (v - m->lo) / (m->hi - m->lo) : 0.5;
            const int own = isfinite(v) ? (int)lround(fmin(fmax(share, 0), 1) * (NSHADE - 1))
                            : m->p->state[cell] == PAGE_CELL_WAITING ? -2
                                                                     : -1;
            if (own == shade) {
                sal_text_add(m->p->out, any ? "" : "<path d=\"");
                sal_text_format(m->p->out, "M%d %dh1v1h-1z", i, m->y->nlevel - 1 - k);
                any = true;
            }
        }
    }
    if (any && shade >= 0) {
        page_svg_put(m->p->out, "\" fill=\"$\"/>",
                     m->p->map[shade * (PAGE_PAGE_NMAP - 1) / (NSHADE - 1)]);
    } else if (any) {
        page_svg_put(m->p->out, "\" class=\"$\"/>", shade == -1 ? "full hole" : "waits");
    }
}

static void draw_shades(const heat *m, const page_figure *f)
{
    page_svg_put(m->p->out, "<g transform=\"translate(%,%) ", m->left, m->top);
    sal_text_add(m->p->out, "scale(");
    sal_text_real(m->p->out, m->w, 6);
    sal_text_add(m->p->out, ",");
    sal_text_real(m->p->out, m->h, 6);
    sal_text_add(m->p->out, ")\">");
    for (int shade = -2; shade < NSHADE; shade++) {
        draw_shade(m, f, shade);
    }
    sal_text_add(m->p->out, "</g>");
}

/* Corners of the cells that are no solution, and a frame around the lowest of the others if it is
 * one. */
static void draw_marks(const heat *m, const page_figure *f)
{
    sal_text *out = m->p->out;
    const double size = fmin(9, 0.6 * fmin(m->w, m->h));
    int low[2] = {-1, -1}, best = -1, ties = 0;
    page_svg_put(out, "<path class=\"$\" d=\"", size < 5 ? "corner tiny" : "corner");
    for (int i = 0; i < m->x->nlevel; i++) {
        for (int k = 0; k < m->y->nlevel; k++) {
            const int cell = cell_at(m, i, k);
            if (cell < 0 || !isfinite(f->value[cell])) {
                continue;
            }
            if (m->p->state[cell] == PAGE_CELL_UNSOLVED) {
                page_svg_put(out, "M% %h%v%z", column_x(m, i + 1) - size, row_y(m, k), size, size);
            } else if (m->p->state[cell] == PAGE_CELL_PHYSICAL &&
                       (best < 0 || f->value[cell] < f->value[best])) {
                best = cell, low[0] = i, low[1] = k, ties = 0;
            } else if (m->p->state[cell] == PAGE_CELL_PHYSICAL) {
                ties += f->value[cell] == f->value[best];
            }
        }
    }
    sal_text_add(out, "\"/>");
    if (best >= 0 && ties == 0) {
        for (int ring = 0; ring < 2; ring++) { /* light in dark: seen on every colour */
            page_svg_put(out, "<rect class=\"$\" x=\"%\" y=\"%\" width=\"%\" height=\"%\"/>",
                         ring == 0 ? "lowest under" : "lowest", column_x(m, low[0]),
                         row_y(m, low[1]), m->w, m->h);
        }
    }
}

/* ---- frame ---- */

static void draw_labels(const heat *m)
{
    sal_text *out = m->p->out;
    const bool turned = page_short_width(m->x) > 1.6 * fmax(m->w, 30);
    const int x_every = (int)ceil((turned ? 14 : page_short_width(m->x) + 8) / m->w),
              y_every = (int)ceil(14 / m->h);
    for (int i = 0; i < m->x->nlevel; i += x_every) {
        const double x = column_x(m, i) + 0.5 * m->w;
        if (turned) {
            page_svg_put(out, "<text class=\"ty\" transform=\"translate(%,%) rotate(-40)\">", x + 4,
                         m->bottom + 13);
        } else {
            page_svg_put(out, "<text class=\"tx\" x=\"%\" y=\"%\">", x, m->bottom + 15);
        }
        page_short_level(out, m->x, i);
        sal_text_add(out, "</text>");
    }
    for (int k = 0; k < m->y->nlevel; k += y_every) {
        page_svg_put(out, "<text class=\"ty\" x=\"%\" y=\"%\">", m->left - 6,
                     row_y(m, k) + 0.5 * m->h + 4);
        page_short_level(out, m->y, k);
        sal_text_add(out, "</text>");
    }
    page_svg_put(out, "<text class=\"lx\" x=\"%\" y=\"%\">", 0.5 * (m->left + m->right),
                 m->bottom + (turned ? 24 + 0.65 * page_short_width(m->x) : 33));
    page_html_text(out, m->x_label);
    page_svg_put(out, "</text><text class=\"lx\" transform=\"translate(13,%) rotate(-90)\">",
                 0.5 * (m->top + m->bottom));
    page_html_text(out, m->y_label);
    sal_text_add(out, "</text>");
}

/* A bar of the colours with the values at its ends and between. */
static void draw_scale(const heat *m)
{
    sal_text *out = m->p->out;
    const int n = 24, nlabel = m->bottom - m->top > 70 ? 5 : 2;
    const double x = m->right + 14, height = m->bottom - m->top,
                 unit = pow(10,
                            floor(log10(m->hi > m->lo ? m->hi - m->lo : fmax(fabs(m->lo), 1))) - 2);
    for (int i = 0; i < n; i++) {
        page_svg_put(out, "<rect x=\"%\" y=\"%\" width=\"12\" height=\"%\" fill=\"$\"/>", x,
                     m->bottom - (i + 1) * height / n, height / n + 0.4,
                     m->p->map[i * (PAGE_PAGE_NMAP - 1) / (n - 1)]);
    }
    for (int i = 0; i < nlabel && (i == 0 || m->hi > m->lo); i++) {
        const double share = (double)i / (nlabel - 1);
        page_svg_put(out, "<text class=\"te\" x=\"%\" y=\"%\">", x + 17,
                     m->bottom - share * height +
                         (i == 0            ? 0
                          : i == nlabel - 1 ? 9
                                            : 4));
        page_svg_number(out, unit * round((m->lo + share * (m->hi - m->lo)) / unit) + 0.0, 4);
        sal_text_add(out, "</text>");
    }
}

/* ---- a map ---- */

/* Cells that hold their values as text if there is room for that, else as large as three maps side
 * by side allow. */
static void choose_size(heat *m)
{
    const int nx = m->x->nlevel, ny = m->y->nlevel;
    m->left = 28 + fmax(page_short_width(m->y), 20);
    m->top = 26;
    m->said = nx * ny <= SAID;
    const double wide = fmax(page_width(m->p), m->p->nfigure <= 6 ? 520 : 0) - m->left - SCALE,
                 room = page_width(m->p) - m->left - SCALE;
    m->printed = m->said && nx * 32.5 <= wide && ny <= 20;
    m->w = m->printed ? fmin(wide / nx, 64) : room / nx;
    m->h = m->printed ? 26 : fmin(260.0 / ny, 26);
    m->right = m->left + nx * m->w;
    m->bottom = m->top + ny * m->h;
}

static void draw_map(heat *m, const page_figure *f)
{
    sal_text *out = m->p->out;
    char label[128];
    page_range(m->p, f->value, m->cell, m->x->nlevel * m->y->nlevel, &m->lo, &m->hi);
    if (m->lo > m->hi) {
        return; /* no cell has it */
    }
    const bool turned = page_short_width(m->x) > 1.6 * fmax(m->w, 30);
    const double width = m->right + SCALE,
                 height = m->bottom + (turned ? 30 + 0.65 * page_short_width(m->x) : 40);
    page_label(f, label, sizeof label);
    page_svg_put(out,
                 "<svg class=\"chart heat\" viewBox=\"0 0 % %\" width=\"%\" height=\"%\" "
                 "role=\"img\"><title>",
                 width, height, width, height);
    page_html_text(out, label);
    page_svg_put(out, "</title><text x=\"%\" y=\"16\" class=\"head\">", m->left);
    page_html_text(out, label);
    sal_text_add(out, "</text><g class=\"cells\">");
    (m->said ? draw_said : draw_shades)(m, f);
    sal_text_add(out, "</g>");
    draw_marks(m, f);
    draw_labels(m);
    draw_scale(m);
    sal_text_add(out, "</svg>\n");
}

/* A sample of a mark, and what it means. */
static void add_sign(sal_text *out, const char *shape, const char *what)
{
    page_svg_put(out,
                 "<svg class=\"sign\" viewBox=\"0 0 12 12\" width=\"12\" height=\"12\">$</svg> $. ",
                 shape, what);
}

static void begin(const heat *m)
{
    const int *count = m->p->count;
    sal_text *out = m->p->out;
    sal_text_add(out, "<section><h2>");
    page_html_text(out, m->x_name);
    sal_text_add(out, " \xC3\x97 ");
    page_html_text(out, m->y_name);
    sal_text_add(out, "</h2><p class=\"note\">");
    if (page_has_others(m->p, m->x, m->y)) {
        sal_text_add(out, "Where several cells have the same place (other axes, repeats), the "
                          "physical cell of lowest cost is shown. ");
    }
    sal_text_add(out, "Colours span the physical cells. ");
    add_sign(out,
             "<rect class=\"lowest under\" x=\"2\" y=\"2\" width=\"8\" height=\"8\"/>"
             "<rect class=\"lowest\" x=\"2\" y=\"2\" width=\"8\" height=\"8\"/>",
             "the lowest");
    if (count[PAGE_CELL_UNSOLVED] > 0) {
        add_sign(out, "<path class=\"corner\" d=\"M2 1h9v9z\"/>", "not a solution");
    }
    if (count[PAGE_CELL_FAILED] > 0) {
        add_sign(out, "<rect class=\"hole\" width=\"12\" height=\"12\"/>", "failed");
    }
    if (count[PAGE_CELL_WAITING] > 0) {
        add_sign(out, "<rect class=\"waits\" width=\"12\" height=\"12\"/>", "waiting");
    }
    sal_text_add(out, m->said ? "Point at a cell to read it.</p>" : "</p>");
    sal_text_add(out, "<div class=\"charts\">\n");
}

static sal_status over_axes(const page_page *p, const page_axis *x, const page_axis *y,
                            sal_err *err)
{
    heat m = {.p = p, .x = x, .y = y};
    m.cell = sal_alloc((size_t)x->nlevel * (size_t)y->nlevel, sizeof(int));
    if (m.cell == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the maps of a sweep");
    }
    page_over(p, x, y, m.cell);
    page_axis_name(p, x, m.x_name, sizeof m.x_name);
    page_axis_name(p, y, m.y_name, sizeof m.y_name);
    page_axis_label(p, x, m.x_label, sizeof m.x_label);
    page_axis_label(p, y, m.y_label, sizeof m.y_label);
    choose_size(&m);
    begin(&m);
    for (int k = 0; k < p->nfigure; k++) {
        draw_map(&m, p->figure + k);
    }
    sal_text_add(p->out, "</div></section>\n");
    sal_free(m.cell);
    return SAL_OK;
}

/* Along x lies the one of numbers, then the one of more values, then the first. */
sal_status page_heat(const page_page *p, sal_err *err)
{
    sal_status status = SAL_OK;
    int nmap = 0;
    const bool found = p->count[PAGE_CELL_PHYSICAL] + p->count[PAGE_CELL_UNSOLVED] > 0;
    for (int i = 0; i < p->naxis && found; i++) {
        for (int k = i + 1; k < p->naxis && status == SAL_OK; k++) {
            const page_axis *a = p->axis + i, *b = p->axis + k;
            if (!a->leads || !b->leads || nmap + p->nfigure > MOST_MAPS) {
                continue;
            }
            const bool swap = a->numeric != b->numeric ? b->numeric : b->nlevel > a->nlevel;
            status = over_axes(p, swap ? b : a, swap ? a : b, err);
            nmap += p->nfigure;
        }
    }
    return status;
}
