/* report_plates.c: a motion that was found without force plates, beside what they measured. */
#include "pages/report.h"
#include "runs/runs.h"

#include <math.h>
#include <stdio.h>

/* A row of two cells, one for each foot: number and unit; nothing where there is no number. */
static void add_row(sal_text *out, const char *what, const double value[SAL_PLATES_FEET],
                    double unit, const char *name)
{
    sal_text_add(out, "<tr><th scope=\"row\">");
    page_html_text(out, what);
    sal_text_add(out, "</th>");
    for (int i = 0; i < SAL_PLATES_FEET; i++) {
        sal_text_add(out, "<td>");
        if (isfinite(value[i])) {
            sal_text_real(out, value[i] / unit, 3);
            sal_text_add(out, name);
        }
        sal_text_add(out, "</td>");
    }
    sal_text_add(out, "</tr>\n");
}

static void add_forces(sal_text *out, const sal_plates_foot *f)
{
    add_row(out, "vertical force: correlation", (double[2]){f[0].vertical, f[1].vertical}, 1, "");
    add_row(out, "vertical force: error over stance, rms, of the weight",
            (double[2]){f[0].error, f[1].error}, .01, " %");
    add_row(out, "fore-aft force: correlation", (double[2]){f[0].fore_aft, f[1].fore_aft}, 1, "");
    add_row(out, "centre of pressure: distance, rms", (double[2]){f[0].pressure, f[1].pressure},
            1e-3, " mm");
    add_row(out, "free moment: error, rms", (double[2]){f[0].free_moment, f[1].free_moment}, 1,
            " N m");
    add_row(out, "times of contact: largest error",
            (double[2]){f[0].ncontact > 0 ? f[0].contact : (double)NAN,
                        f[1].ncontact > 0 ? f[1].contact : (double)NAN},
            1e-3, " ms");
}

static void add_moments(sal_text *out, const sal_plates_foot *f)
{
    static const char *const joint[SAL_PLATES_JOINTS] = {"hip", "knee", "ankle"};
    for (int j = 0; j < SAL_PLATES_JOINTS; j++) {
        char what[3][80];
        snprintf(what[0], sizeof what[0], "%s: largest moment (flexion or extension), found",
                 joint[j]);
        snprintf(what[1], sizeof what[1], "%s: with the plates", joint[j]);
        snprintf(what[2], sizeof what[2], "%s: difference, rms", joint[j]);
        add_row(out, what[0], (double[2]){f[0].found[j], f[1].found[j]}, 1, " N m");
        add_row(out, what[1], (double[2]){f[0].measured[j], f[1].measured[j]}, 1, " N m");
        add_row(out, what[2], (double[2]){f[0].off[j], f[1].off[j]}, 1, " N m");
    }
}

sal_status page_report_plates(const sal_result *result, const sal_result *measured, sal_text *out,
                              sal_err *err)
{
    sal_plates_foot foot[SAL_PLATES_FEET];
    if (measured == NULL) {
        return SAL_OK;
    }
    const sal_status status = sal_plates_compare(foot, result, measured, err);
    if (status == SAL_OK) {
        sal_text_add(out,
                     "<section><h2>Motion and force plates</h2><p class=\"note\">The motion was "
                     "found without the plates. Moments with the plates are those of inverse "
                     "dynamics of the markers' poses.</p><table><thead><tr><td></td><th>right "
                     "foot</th><th>left foot</th></tr></thead><tbody>\n");
        add_forces(out, foot);
        add_moments(out, foot);
        sal_text_add(out, "</tbody></table></section>\n");
    }
    return status;
}
