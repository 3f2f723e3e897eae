/* report_picture.c: a motion as one small drawing, for documents that show many: the strip of the
 * page, with few figures, as an SVG file of its own. A model of many geoms gets fewer figures. */
#include "pages/pages.h"
#include "pages/report.h"

/* bytes */
enum { LARGE = 60000, FIGURES_LEAST = 3, FIGURES_MOST = 7 };

sal_status sal_result_picture(const sal_result *result, sal_text *out, sal_err *err)
{
    page_strip_look look = {.plain = true, .alone = true, .tallest = 150, .most = FIGURES_MOST};
    prb_gait *g = NULL;
    sal_status status = prb_gait_new(&g, result, err);
    status = status == SAL_OK ? page_report_strip(g, &look, out, err) : status;
    while (status == SAL_OK && out->length > LARGE && look.most > FIGURES_LEAST) {
        look.most--;
        sal_text_clear(out);
        status = page_report_strip(g, &look, out, err);
    }
    prb_gait_free(g);
    return status == SAL_OK && out->failed ? sal_fail(err, SAL_NOMEM, "out of memory for a picture")
                                           : status;
}
