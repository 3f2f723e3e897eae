/* plates_show.c: a motion beside force plates, in words and as JSON. */
#include "runs/plates.h"

#include <math.h>

static const char *const side[SAL_PLATES_FEET] = {"right", "left"};
static const char *const joint[SAL_PLATES_JOINTS] = {"hip", "knee", "ankle"};

void sal_plates_text(sal_text *out, const sal_plates_foot foot[SAL_PLATES_FEET])
{
    for (int i = 0; i < SAL_PLATES_FEET; i++) {
        const sal_plates_foot *f = foot + i;
        if (!isfinite(f->pressure)) {
            sal_text_format(out,
                            "plates         %s foot: no force was measured under it while the "
                            "motion has one\n",
                            side[i]);
            continue;
        }
        sal_text_format(out, "plates         %s foot: vertical force r %.3f, off by %.3g of the ",
                        side[i], f->vertical, f->error);
        sal_text_format(out, "weight; centre of pressure off by %.3g m", f->pressure);
        if (isfinite(f->fore_aft)) {
            sal_text_format(out, "; fore-aft force r %.3f", f->fore_aft);
        }
        if (f->ncontact > 0) {
            sal_text_format(out, "; contact off by %.3g s at most", f->contact);
        }
        sal_text_add(out, "; largest moments, found and with the plates, N m:");
        for (int j = 0; j < SAL_PLATES_JOINTS; j++) {
            sal_text_format(out, "%s %s %.3g, %.3g", j > 0 ? ";" : "", joint[j], f->found[j],
                            f->measured[j]);
        }
        sal_text_add(out, "\n");
    }
}

void sal_plates_json(sal_json *json, const sal_plates_foot foot[SAL_PLATES_FEET])
{
    sal_json_object(json, "plates");
    for (int i = 0; i < SAL_PLATES_FEET; i++) {
        const sal_plates_foot *f = foot + i;
        sal_json_object(json, side[i]);
        sal_json_number(json, "vertical", f->vertical);
        sal_json_number(json, "error", f->error);
        sal_json_number(json, "fore_aft", f->fore_aft);
        sal_json_number(json, "pressure", f->pressure);
        sal_json_number(json, "free_moment", f->free_moment);
        if (f->ncontact > 0) {
            sal_json_number(json, "contact", f->contact);
        }
        for (int j = 0; j < SAL_PLATES_JOINTS; j++) {
            sal_json_object(json, joint[j]);
            sal_json_number(json, "found", f->found[j]);
            sal_json_number(json, "measured", f->measured[j]);
            sal_json_number(json, "off", f->off[j]);
            sal_json_end(json);
        }
        sal_json_end(json);
    }
    sal_json_end(json);
}
