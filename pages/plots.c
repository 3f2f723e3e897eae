/* plots.c: every drawing of a result's page as a file of its own, for papers: white, 88 mm wide,
 * letters of 8 pt, or, where several stand side by side, 178 mm.
 *
 *     parts -> drawings in the text of a part -> a file of each, and one of all
 */
#include "pages/pages.h"
#include "pages/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* mm, of PAGE_PRINT_WIDTH and of two columns with a gap between */
static const double COLUMN = 88, PAGE = 178;
enum { GAP = 8, IN_ONE_COLUMN = 4, MOST_DRAWINGS = 500 };

/* ---- the parts of a page that have drawings ---- */

static sal_status draw_motion(const prb_gait *g, sal_text *out, sal_err *err)
{
    const page_strip_look look = {.plain = true,
                                  .keys = true,
                                  .tallest = 150,
                                  .most = 7,
                                  .width = 2 * PAGE_PRINT_WIDTH + GAP};
    return page_report_strip(g, &look, out, err);
}

static sal_status draw_forces(const prb_gait *g, sal_text *out, sal_err *err)
{
    (void)err;
    page_report_forces(g, true, out);
    return SAL_OK;
}

static sal_status draw_timing(const prb_gait *g, sal_text *out, sal_err *err)
{
    (void)err;
    page_report_timing(g, true, out);
    return SAL_OK;
}

static sal_status draw_controls(const prb_gait *g, sal_text *out, sal_err *err)
{
    return page_report_controls(g, true, out, err);
}

static sal_status draw_torques(const prb_gait *g, sal_text *out, sal_err *err)
{
    return page_report_torques(g, true, out, err);
}

static sal_status draw_positions(const prb_gait *g, sal_text *out, sal_err *err)
{
    return page_report_joints(g, true, out, err);
}

static sal_status draw_cost(const prb_gait *g, sal_text *out, sal_err *err)
{
    (void)err;
    page_report_cost_chart(g->r, out);
    return SAL_OK;
}

static sal_status draw_correlations(const prb_gait *g, sal_text *out, sal_err *err)
{
    (void)err;
    page_report_correlations(sal_identification_of(g->r), out);
    return SAL_OK;
}

static sal_status draw_recordings(const prb_gait *g, sal_text *out, sal_err *err)
{
    return page_report_recordings(g->r, true, out, err);
}

static sal_status draw_iterations(const prb_gait *g, sal_text *out, sal_err *err)
{
    return page_report_iterations(g->r, true, out, err);
}

/* of: pages of motions, of identifications, of both */
static const struct {
    const char *name;
    enum { MOTION = 1, IDENTIFICATION = 2, BOTH = 3 } of;
    sal_status (*draw)(const prb_gait *, sal_text *, sal_err *);
} parts[] = {
    {"motion", BOTH, draw_motion},
    {"contact_forces", BOTH, draw_forces},
    {"contact_timing", BOTH, draw_timing},
    {"controls", MOTION, draw_controls},
    {"torques", MOTION, draw_torques},
    {"positions", MOTION, draw_positions},
    {"cost", MOTION, draw_cost},
    {"correlations", IDENTIFICATION, draw_correlations},
    {"recordings", IDENTIFICATION, draw_recordings},
    {"iterations", BOTH, draw_iterations},
};

/* ---- drawings in the text of a part ---- */

/* Behind its first tag, up to its last; and what it is called there. */
typedef struct drawing {
    const char *inside, *title;
    size_t n, title_length;
    double width, height;
} drawing;

/* The next drawing, and where to look on; NULL: there is none. Texts of a page have no < but in its
 * tags. */
static const char *next_drawing(const char *text, drawing *d)
{
    static const char box[] = "viewBox=\"0 0 ", named[] = "<title>";
    const char *end = NULL, *size = NULL, *title;
    do { /* bars in tables are no drawings */
        text = strstr(text, "<svg class=\"");
        if (text == NULL) {
            return NULL;
        }
        const char *word = text + strlen("<svg class=\"");
        end = strstr(text, "</svg>");
        size = strncmp(word, "chart\"", 6) == 0 || strncmp(word, "strip\"", 6) == 0
                   ? strstr(text, box)
                   : NULL;
        text = end;
    } while (end != NULL && (size == NULL || size > end));
    if (end == NULL || !sal_text_number(size + strlen(box), &size, &d->width) ||
        !sal_text_number(size + strspn(size, " "), &size, &d->height)) {
        return NULL;
    }
    d->inside = strchr(size, '>') + 1;
    d->n = (size_t)(end - d->inside);
    title = strstr(d->inside, named);
    d->title = title == NULL || title > end ? "" : title + strlen(named);
    d->title_length = strcspn(d->title, "<");
    return end;
}

/* ---- files ---- */

static sal_plot *new_plot(sal_plots *plots)
{
    sal_plot *more = sal_alloc((size_t)plots->n + 1, sizeof *more);
    if (more == NULL) {
        return NULL;
    }
    if (plots->n > 0) {
        memcpy(more, plots->plot, (size_t)plots->n * sizeof *more);
    }
    sal_free(plots->plot);
    plots->plot = more;
    return more + plots->n++;
}

static bool is_taken(const sal_plots *plots, const char *name)
{
    for (int i = 0; i + 1 < plots->n; i++) {
        if (strcmp(plots->plot[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* "positions_left_hip": small letters, digits and single underscores; a name that is taken gets a
 * number. */
static void name_plot(const sal_plots *plots, sal_plot *plot, const char *part, const drawing *d)
{
    size_t n = (size_t)snprintf(plot->name, SAL_PLOT_NAME, "%s%s", part, d == NULL ? "" : "_");
    for (size_t i = 0; d != NULL && i < d->title_length && n < SAL_PLOT_NAME - 8; i++) {
        const char c = d->title[i];
        const bool capital = c >= 'A' && c <= 'Z';
        if (c == '&') { /* an entity is one character, and no letter */
            i += strcspn(d->title + i, ";");
        }
        if (capital || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            plot->name[n++] = (char)(capital ? c - 'A' + 'a' : c);
        } else if (plot->name[n - 1] != '_') {
            plot->name[n++] = '_';
        }
    }
    n -= plot->name[n - 1] == '_';
    plot->name[n] = 0;
    for (int k = 2; is_taken(plots, plot->name); k++) {
        snprintf(plot->name + n, SAL_PLOT_NAME - n, "_%d", k);
    }
}

static void begin_file(sal_text *out, double width, double height)
{
    const double mm = fmin(COLUMN / PAGE_PRINT_WIDTH, PAGE / width);
    page_svg_put(out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
                 "xmlns=\"http://www.w3.org/2000/svg\" width=\"%mm\" height=\"%mm\" "
                 "viewBox=\"0 0 % %\" style=\"font:12px Helvetica,Arial,'Liberation Sans',"
                 "sans-serif;fill:#000\">\n<rect width=\"%\" height=\"%\" style=\"fill:#fff\"/>\n",
                 mm * width, mm * height, width, height, width, height);
}

static void put_drawing(sal_text *out, const drawing *d, double x, double y)
{
    page_svg_put(out, "<g transform=\"translate(%,%)\">\n", x, y);
    page_plot_style(out, d->inside, d->n);
    sal_text_add(out, "</g>\n");
}

static sal_status add_one(sal_plots *plots, const char *part, const drawing *d, bool alone,
                          sal_err *err)
{
    sal_plot *plot = new_plot(plots);
    if (plot == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the plots of a result");
    }
    name_plot(plots, plot, part, alone ? NULL : d);
    begin_file(&plot->svg, d->width, d->height);
    put_drawing(&plot->svg, d, 0, 0);
    sal_text_add(&plot->svg, "</svg>\n");
    return SAL_OK;
}

/* All of a part below one another, of many also side by side, in the order of rows. */
static sal_status add_all(sal_plots *plots, const char *part, const drawing *d, int n, sal_err *err)
{
    const int columns = n > IN_ONE_COLUMN ? 2 : 1;
    const double pitch = PAGE_PRINT_WIDTH + GAP, width = columns * pitch - GAP;
    double height = 0;
    sal_text panels = {0};
    sal_plot *plot = new_plot(plots);
    if (plot == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the plots of a result");
    }
    for (int i = 0; i < n; i += columns) {
        double tallest = 0;
        for (int k = i; k < n && k < i + columns; k++) {
            put_drawing(&panels, d + k, (k - i) * pitch, height);
            tallest = fmax(tallest, d[k].height);
        }
        height += tallest + (i + columns < n ? GAP : 0);
    }
    name_plot(plots, plot, part, NULL);
    begin_file(&plot->svg, width, height);
    sal_text_add(&plot->svg, panels.data);
    sal_text_add(&plot->svg, "</svg>\n");
    plot->svg.failed |= panels.failed;
    sal_text_clear(&panels);
    return SAL_OK;
}

static sal_status add_part(sal_plots *plots, const char *part, const char *text, sal_err *err)
{
    drawing *d = sal_alloc(MOST_DRAWINGS, sizeof *d);
    sal_status status = SAL_OK;
    bool alike = true;
    int n = 0;
    if (d == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the plots of a result");
    }
    while (n < MOST_DRAWINGS && (text = next_drawing(text, d + n)) != NULL) {
        alike = alike && d[n].width <= PAGE_PRINT_WIDTH;
        n++;
    }
    if (n > 1 && alike) {
        status = add_all(plots, part, d, n, err);
    }
    for (int i = 0; i < n && status == SAL_OK; i++) {
        status = add_one(plots, part, d + i, n == 1, err);
    }
    sal_free(d);
    return status;
}

/* ---- all of them ---- */

sal_status sal_result_plots(sal_plots *plots, const sal_result *result, sal_err *err)
{
    const bool identified = sal_identification_of(result) != NULL;
    prb_gait *g = NULL;
    *plots = (sal_plots){0};
    sal_status status = prb_gait_new(&g, result, err);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == SAL_OK; i++) {
        sal_text text = {0};
        if (parts[i].of == BOTH || (parts[i].of == IDENTIFICATION) == identified) {
            status = parts[i].draw(g, &text, err);
        }
        if (status == SAL_OK && text.failed) {
            status = sal_fail(err, SAL_NOMEM, "out of memory for the plots of a result");
        } else if (status == SAL_OK && text.length > 0) {
            status = add_part(plots, parts[i].name, text.data, err);
        }
        sal_text_clear(&text);
    }
    prb_gait_free(g);
    return status;
}

void sal_plots_clear(sal_plots *plots)
{
    for (int i = 0; i < plots->n; i++) {
        sal_text_clear(&plots->plot[i].svg);
    }
    sal_free(plots->plot);
    *plots = (sal_plots){0};
}
