/* sweep_page_failures.c: cells that are no solution or have failed, by reason; and how to look at
 * one alone. */
#include "pages/sweep_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REASONS = 24, MOST_NAMED = 6 };

typedef struct failure {
    int cell;
    page_cell_state state;
    const char *status, *reason;
} failure;

static int by_reason(const void *a, const void *b)
{
    const failure *p = a, *q = b;
    if (p->state != q->state) {
        return p->state > q->state ? -1 : 1; /* those that failed first */
    }
    const int status = strcmp(p->status, q->status), reason = strcmp(p->reason, q->reason);
    return status != 0 ? status : reason != 0 ? reason : p->cell < q->cell ? -1 : p->cell > q->cell;
}

static bool same_reason(const failure *a, const failure *b)
{
    return a->state == b->state && strcmp(a->status, b->status) == 0 &&
           strcmp(a->reason, b->reason) == 0;
}

/* ---- one group ---- */

static void add_cells(const page_page *p, const failure *f, int n)
{
    sal_text_add(p->out, "<ul>");
    for (int i = 0; i < n && i < MOST_NAMED; i++) {
        sal_text_add(p->out, "<li>");
        page_cell(p, f[i].cell, p->out);
        sal_text_add(p->out, "</li>");
    }
    if (n > MOST_NAMED) {
        sal_text_format(p->out, "<li>and %d more</li>", n - MOST_NAMED);
    }
    sal_text_add(p->out, "</ul>");
}

/* "all at speed 2 to 3": where on each axis the group lies, if it does not lie everywhere. */
static void add_where(const page_page *p, const failure *f, int n)
{
    for (int k = 0; k < p->naxis; k++) {
        const page_axis *a = p->axis + k;
        int lo = a->nlevel, hi = -1;
        for (int i = 0; i < n; i++) {
            const int level = a->level[p->view->point[f[i].cell]];
            lo = level < lo ? level : lo;
            hi = level > hi ? level : hi;
        }
        if (n > 1 && a->numeric && (lo > 0 || hi < a->nlevel - 1)) {
            sal_text_add(p->out, "<br/>all at ");
            page_html_text(p->out, a->name);
            sal_text_add(p->out, " ");
            page_html_text(p->out, a->text[lo]);
            if (hi > lo) {
                sal_text_add(p->out, " to ");
                page_html_text(p->out, a->text[hi]);
            }
        }
    }
}

static void add_alone(const page_page *p, int cell)
{
    if (p->view->motion[cell]) {
        sal_text_add(p->out, "<code>");
        page_command(p, cell);
        sal_text_add(p->out, "</code>");
    } else {
        page_solve_command(p, cell);
    }
}

static void add_group(const page_page *p, const failure *f, int n)
{
    page_svg_put(p->out, "<tr><td><b class=\"$\">",
                 f->state == PAGE_CELL_FAILED ? "broken" : "warn");
    page_state(p, f->cell, p->out);
    sal_text_add(p->out, "</b>");
    add_where(p, f, n);
    sal_text_format(p->out, "</td><td class=\"num\">%d</td><td>", n);
    add_cells(p, f, n);
    sal_text_add(p->out, "</td><td>");
    add_alone(p, f->cell);
    sal_text_add(p->out, "</td></tr>\n");
}

/* ---- all groups ---- */

static void add_groups(const page_page *p, const failure *f, int n)
{
    int groups = 0, left = 0;
    for (int i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && same_reason(f + i, f + next); next++) {
        }
        if (groups++ < MOST_REASONS) {
            add_group(p, f + i, next - i);
        } else {
            left += next - i;
        }
    }
    if (left > 0) {
        sal_text_format(p->out,
                        "<tr><td>%d other reasons</td><td class=\"num\">%d</td><td>see "
                        "the table</td><td></td></tr>",
                        groups - MOST_REASONS, left);
    }
}

sal_status page_failures(const page_page *p, sal_err *err)
{
    const sal_sweep_view *v = p->view;
    const int most = p->count[PAGE_CELL_UNSOLVED] + p->count[PAGE_CELL_FAILED];
    int n = 0;
    failure *f = sal_alloc((size_t)most + 1, sizeof *f);
    if (f == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the failures of a sweep");
    }
    for (int c = 0; c < v->ncell && n < most; c++) {
        if (p->state[c] == PAGE_CELL_UNSOLVED || p->state[c] == PAGE_CELL_FAILED) {
            const sal_record *r = v->record + c;
            f[n++] = (failure){c, p->state[c],
                               p->state[c] == PAGE_CELL_FAILED ? r->kind : r->status, r->reason};
        }
    }
    if (n > 0) {
        qsort(f, (size_t)n, sizeof *f, by_reason);
        page_section(p->out, "Cells without a solution",
                     "Failed cells have no motion; the others have a motion that is not "
                     "physical or not converged. The commands are for the folder in which the "
                     "sweep was run.");
        sal_text_add(
            p->out,
            "<table class=\"failures\"><thead><tr><th>reason</th><th "
            "class=\"num\">cells</th><th>which</th><th>the first alone</th></tr></thead><tbody>\n");
        add_groups(p, f, n);
        sal_text_add(p->out, "</tbody></table></section>\n");
    }
    sal_free(f);
    return SAL_OK;
}
