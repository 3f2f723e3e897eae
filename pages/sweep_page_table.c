/* sweep_page_table.c: all cells, as a table that a script sorts by the column that is clicked on.
 * Without it the table stays in the order of the plan.
 */
#include "pages/sweep_page.h"

#include <math.h>

enum { MOST_ROWS = 2000 };

/* Numbers by size, others by their letters; unknown ones last; a second click turns the order.
 * Written without < and &, so that the page is XML too. */
static const char sorter[] =
    "document.querySelectorAll('table.cells th').forEach(function(h,i){"
    "h.classList.add('sorts');h.addEventListener('click',function(){"
    "var b=h.closest('table').tBodies[0],up=h.getAttribute('aria-sort')!=='ascending';"
    "h.parentNode.querySelectorAll('th').forEach(function(o){o.removeAttribute('aria-sort')});"
    "h.setAttribute('aria-sort',up?'ascending':'descending');"
    "var rows=Array.from(b.rows).map(function(r){var s=r.cells[i].textContent,x=Number(s);"
    "return {r:r,s:s,x:x,n:s!==''?!isNaN(x):false}});"
    "rows.sort(function(p,q){if(p.n!==q.n){return p.n?-1:1}"
    "var d=p.n?p.x-q.x:p.s.localeCompare(q.s);return up?d:-d});"
    "rows.forEach(function(o){b.appendChild(o.r)})})})";

const char *page_sorter(void)
{
    return sorter;
}

static void add_headings(const page_page *p)
{
    const sal_sweep_view *v = p->view;
    sal_text *out = p->out;
    sal_text_add(out, "<thead><tr><th class=\"num\">cell</th>");
    for (int k = 0; k < v->naxis; k++) {
        sal_text_add(out, "<th class=\"num\">");
        page_html_text(out, v->axis[k]);
        sal_text_add(out, "</th>");
    }
    sal_text_add(out, v->nrepeat > 1 ? "<th class=\"num\">repeat</th>" : "");
    sal_text_add(out, "<th>status</th>");
    for (int k = 0; k < p->nfigure; k++) {
        char label[128];
        page_label(p->figure + k, label, sizeof label);
        sal_text_add(out, "<th class=\"num\">");
        page_html_text(out, label);
        sal_text_add(out, "</th>");
    }
    sal_text_add(out, "<th class=\"num\">solved in, s</th><th>name</th></tr></thead><tbody>\n");
}

static void add_row(const page_page *p, int c)
{
    static const char *const style[PAGE_NCELL_STATE] = {"", " warn", " broken", " pale"};
    const sal_sweep_view *v = p->view;
    sal_text *out = p->out;
    sal_text_format(out, "<tr><td>%d</td>", c);
    for (int k = 0; k < v->naxis; k++) {
        sal_text_add(out, "<td>");
        page_html_text(out, v->value[c * v->naxis + k]);
        sal_text_add(out, "</td>");
    }
    if (v->nrepeat > 1) {
        sal_text_format(out, "<td>%d</td>", v->repeat[c]);
    }
    page_svg_put(out, "<td class=\"st$\">", style[p->state[c]]);
    page_state(p, c, out);
    sal_text_add(out, "</td>");
    for (int k = 0; k < p->nfigure; k++) {
        sal_text_add(out, "<td>");
        if (isfinite(p->figure[k].value[c])) {
            page_svg_number(out, p->figure[k].value[c], 5);
        }
        sal_text_add(out, "</td>");
    }
    sal_text_add(out, "<td>");
    if (p->state[c] != PAGE_CELL_WAITING) {
        page_svg_number(out, v->record[c].seconds, 3);
    }
    sal_text_format(out, "</td><td class=\"st\"><code>%.12s</code></td></tr>\n", v->hash[c]);
}

void page_table(const page_page *p)
{
    const int n = p->view->ncell;
    sal_text *out = p->out;
    if (n == 0) {
        return;
    }
    sal_text_add(out, "<section><h2>All cells</h2><p class=\"note\">");
    if (n > MOST_ROWS) {
        sal_text_format(out, "The first %d of %d; all of them: ", MOST_ROWS, n);
    } else {
        sal_text_add(out, "Click on a heading to sort. As a file: ");
    }
    sal_text_add(out, "<code>saltus table ");
    page_shell(out, p->view->folder);
    sal_text_add(out, " --format csv</code></p><div class=\"wide\" tabindex=\"0\" role=\"region\" "
                      "aria-label=\"All cells\"><table class=\"cells\">");
    add_headings(p);
    for (int c = 0; c < n && c < MOST_ROWS; c++) {
        add_row(p, c);
    }
    sal_text_add(out, "</tbody></table></div></section>\n");
    sal_text_format(out, "<script>%s</script>\n", sorter);
}
