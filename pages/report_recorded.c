/* report_recorded.c: a recording beside the motion that follows it. */
#include "pages/report.h"
#include "runs/runs.h"

#include <stdio.h>
#include <string.h>

static void add_cell(sal_text *out, const char *text)
{
    sal_text_add(out, "<td>");
    page_html_text(out, text);
    sal_text_add(out, "</td>");
}

static void add_table(sal_text *out, const sal_recorded *c)
{
    sal_recorded_row row[SAL_RECORDED_ROWS];
    const int n = sal_recorded_rows(row, c);
    sal_text_add(out, "<section><h2>Recording and motion</h2><p class=\"note\">The forces of the "
                      "recording are the best that the floor could give it.</p><table><thead><tr>"
                      "<td></td><th>recording</th><th>motion found</th></tr></thead><tbody>\n");
    for (int i = 0; i < n; i++) {
        sal_text_add(out, "<tr><th scope=\"row\">");
        page_html_text(out, row[i].what);
        sal_text_add(out, "</th>");
        add_cell(out, row[i].recording);
        add_cell(out, row[i].found);
        sal_text_add(out, "</tr>\n");
    }
    sal_text_add(out, "</tbody></table>\n");
}

/* A list, where there is something. */
static void add_impossible(sal_text *out, const char *line)
{
    if (line == NULL || *line == 0) {
        return;
    }
    sal_text_add(out, "<h3>No controls can do what the recording does</h3><ul>\n");
    while (*line != 0) {
        char text[256];
        const size_t n = strcspn(line, "\n");
        snprintf(text, sizeof text, "%.*s", (int)n, line);
        sal_text_add(out, "<li>");
        page_html_text(out, text);
        sal_text_add(out, "</li>\n");
        line += n + (line[n] != 0);
    }
    sal_text_add(out, "</ul>\n");
}

sal_status page_report_recorded(const sal_result *result, sal_text *out, sal_err *err)
{
    sal_recorded recorded;
    bool known;
    const sal_status status = sal_recorded_compare(&recorded, &known, result, err);
    if (status == SAL_OK && known) {
        add_table(out, &recorded);
        add_impossible(out, recorded.impossible.data);
        sal_text_add(out, "</section>\n");
    }
    sal_recorded_clear(&recorded);
    return status;
}
