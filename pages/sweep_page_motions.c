/* sweep_page_motions.c: strips of the best motions, and of motions along an axis. */
#include "pages/sweep_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEST = 3, ALONG = 3, MOST_ALONG_AXES = 2 };

/* ---- one motion ---- */

sal_status page_read_motion(const page_page *p, int cell, sal_result **r, sal_err *why,
                            sal_err *err)
{
    char path[4096];
    *r = NULL;
    sal_sweep_motion(path, sizeof path, p->view->folder, p->view->hash[cell]);
    const sal_status status = sal_result_read(r, path, why);
    return status == SAL_NOMEM ? sal_fail(err, status, "%s", why->message) : SAL_OK;
}

static sal_status strip_of(const page_page *p, int cell, sal_err *err)
{
    static const page_strip_look look = {.plain = true, .tallest = 170, .most = 11};
    sal_result *r = NULL;
    prb_gait *g = NULL;
    sal_err why = {0};
    sal_status status = page_read_motion(p, cell, &r, &why, err);
    if (status != SAL_OK) {
        return status;
    }
    if (r == NULL) {
        sal_text_add(p->out, "<p class=\"note broken\">The motion cannot be read: ");
        page_html_text(p->out, why.message);
        sal_text_add(p->out, "</p>");
        return SAL_OK;
    }
    status = prb_gait_new(&g, r, err);
    if (status == SAL_OK) {
        status = page_report_strip(g, &look, p->out, err);
    }
    prb_gait_free(g);
    sal_result_free(r);
    return status;
}

/* What it is, its figures, the strip, and how to see all of it. */
static sal_status show(const page_page *p, int cell, const char *heading, sal_err *err)
{
    sal_text *out = p->out;
    page_svg_put(
        out, heading[0] == 0 ? "<div class=\"motion\"><p>$" : "<div class=\"motion\"><p><b>$</b> ",
        heading);
    page_cell(p, cell, out);
    sal_text_add(out, "<span class=\"values\">");
    for (int k = 0; k < p->nfigure && k < 5; k++) {
        const page_figure *f = p->figure + k;
        if (isfinite(f->value[cell])) {
            sal_text_add(out, " \xC2\xB7 ");
            page_html_text(out, f->label);
            sal_text_add(out, " ");
            page_value(f, f->value[cell], out);
        }
    }
    sal_text_add(out, "</span></p>");
    const sal_status status = strip_of(p, cell, err);
    sal_text_add(out, "<p class=\"command\"><code>");
    page_command(p, cell);
    sal_text_add(out, "</code></p></div>\n");
    return status;
}

/* ---- the best ---- */

bool page_has_motion(const page_page *p, int cell)
{
    return cell >= 0 && p->view->motion[cell] && p->state[cell] == PAGE_CELL_PHYSICAL;
}

int page_next_best(const page_page *p, const double *value, int last)
{
    int best = -1;
    for (int i = 0; i < p->npoint; i++) {
        const int c = p->best[i];
        if (!page_has_motion(p, c) || !isfinite(value[c])) {
            continue;
        }
        const bool behind =
            last < 0 || value[c] > value[last] || (value[c] == value[last] && c > last);
        if (behind && (best < 0 || value[c] < value[best])) {
            best = c;
        }
    }
    return best;
}

/* Physical cells whose motions are not there. */
static bool without_motions(const page_page *p)
{
    for (int c = 0; c < p->view->ncell; c++) {
        if (page_has_motion(p, c)) {
            return false;
        }
    }
    return true;
}

static sal_status show_best(const page_page *p, sal_err *err)
{
    const page_figure *f = p->figure;
    sal_status status = SAL_OK;
    if (p->npoint == 0 || without_motions(p)) {
        sal_text_add(p->out, p->count[PAGE_CELL_PHYSICAL] == 0
                                 ? ""
                                 : "<section><h2>Motions</h2><p class=\"note\">No motion of the "
                                   "physical cells is in this folder.</p></section>\n");
        return SAL_OK;
    }
    sal_text_add(p->out, "<section><h2>Best motions</h2><p class=\"note\">Points of the lowest ");
    page_html_text(p->out, f->label);
    sal_text_add(p->out, " among the physical ones. Times in s; green: forces of the floor; a "
                         "paler half is the mirror image. Below each: "
                         "how to see all of it.</p>\n");
    for (int k = 0, last = -1; k < BEST && status == SAL_OK; k++) {
        char heading[16];
        last = page_next_best(p, f->value, last);
        if (last < 0) {
            break;
        }
        snprintf(heading, sizeof heading, "%d.", k + 1);
        status = show(p, last, heading, err);
    }
    sal_text_add(p->out, "</section>\n");
    return status;
}

/* ---- along an axis ---- */

/* The level nearest to `wanted`, of those from lo to hi, at which there is a motion to show; -1:
 * none. */
static int with_motion(const page_page *p, const int *cell, int lo, int hi, int wanted)
{
    int nearest = -1;
    for (int i = lo; i <= hi; i++) {
        if (page_has_motion(p, cell[i]) &&
            (nearest < 0 || abs(i - wanted) < abs(nearest - wanted))) {
            nearest = i;
        }
    }
    return nearest;
}

static sal_status show_along(const page_page *p, const page_axis *a, sal_err *err)
{
    sal_status status = SAL_OK;
    char name[96];
    int *cell = sal_alloc((size_t)a->nlevel, sizeof(int));
    if (cell == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the motions of a sweep");
    }
    page_over(p, a, NULL, cell);
    const int n = a->nlevel, first = with_motion(p, cell, 0, n - 1, 0),
              last = with_motion(p, cell, 0, n - 1, n - 1),
              level[ALONG] = {first, with_motion(p, cell, first + 1, last - 1, (first + last) / 2),
                              last};
    page_axis_name(p, a, name, sizeof name);
    if (first >= 0 && last > first) {
        sal_text_add(p->out, "<section><h2>Motions along ");
        page_html_text(p->out, name);
        sal_text_add(
            p->out,
            page_has_others(p, a, NULL)
                ? "</h2><p class=\"note\">Of each value the physical cell of lowest cost.</p>\n"
                : "</h2>\n");
        for (int k = 0; k < ALONG && status == SAL_OK; k++) {
            if (level[k] >= 0) {
                status = show(p, cell[level[k]], "", err);
            }
        }
        sal_text_add(p->out, "</section>\n");
    }
    sal_free(cell);
    return status;
}

sal_status page_motions(const page_page *p, sal_err *err)
{
    sal_status status = show_best(p, err);
    int shown = 0;
    for (int i = 0; i < p->naxis && status == SAL_OK && shown < MOST_ALONG_AXES; i++) {
        const page_axis *a = p->axis + i;
        if (a->leads && a->nlevel > 2) {
            status = show_along(p, a, err);
            shown++;
        }
    }
    return status;
}
