/* pages.h: what a result and a sweep look like: one self-contained HTML page each, and a
 * picture of a result. */
#ifndef SAL_PAGES_H
#define SAL_PAGES_H

#include "problems/problems.h"
#include "sweeps/sweeps.h"

/* One self-contained HTML page about it, with some of its motions, read from its folder. */
sal_status sal_sweep_report(const sal_sweep_view *view, sal_text *out, sal_err *err);
/* One self-contained HTML page. */
sal_status sal_result_report(const sal_result *result, sal_text *out, sal_err *err);
/* The same with a table that holds a motion against what force plates measured: `measured` is a
 * result of sal_plates_inverse, NULL: none. SAL_BADINPUT where it is of another motion. */
sal_status sal_result_report_beside(const sal_result *result, const sal_result *measured,
                                    sal_text *out, sal_err *err);
/* Its motion as a strip of at most seven figures: an SVG file that needs no other. */
sal_status sal_result_picture(const sal_result *result, sal_text *out, sal_err *err);

#endif
