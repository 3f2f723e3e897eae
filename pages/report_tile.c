/* report_tile.c: a key figure of a page. */
#include "pages/report.h"

#include <math.h>

void page_report_tile(sal_text *out, double value, int digits, const char *unit, const char *what)
{
    if (!isnan(value)) {
        sal_text_add(out, "<div class=\"tile\"><b>");
        page_svg_number(out, value, digits);
        page_svg_put(out, "<small> $</small></b><span>$</span></div>\n", unit, what);
    }
}
