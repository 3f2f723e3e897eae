/* pages.h: what a result and a sweep look like: one self-contained HTML page each, and a
 * picture and plots of a result. */
#ifndef SAL_PAGES_H
#define SAL_PAGES_H

#include "problems/problems.h"
#include "sweeps/sweeps.h"

/* One self-contained HTML page about it, with some of its motions, read from its folder. */
sal_status sal_sweep_report(const sal_sweep_view *view, sal_text *out, sal_err *err);
typedef struct sal_report_options {
    /* A table holds the motion against what force plates measured: a result of sal_plates_inverse,
     * NULL: none. */
    const sal_result *measured;
    /* without a script: what moves is drawn as a strip of figures alone */
    bool still;
} sal_report_options;

/* One self-contained HTML page. SAL_BADINPUT: what was measured is of another motion. */
sal_status sal_result_report(const sal_result *result, const sal_report_options *options,
                             sal_text *out, sal_err *err);
/* One page about two results, which their names tell apart: what differs, and both motions at the
 * same time. Nothing is shown as measured. */
sal_status sal_results_report(const sal_result *const result[2], const char *const name[2],
                              const sal_report_options *options, sal_text *out, sal_err *err);
/* Can pages play? Not if saltus was built without Node.js, or npm could not fetch what plays them:
 * then all pages are still. */
bool sal_report_plays(void);
/* Its motion as a strip of at most seven figures: an SVG file that needs no other. */
sal_status sal_result_picture(const sal_result *result, sal_text *out, sal_err *err);

enum { SAL_PLOT_NAME = 96 };

/* A drawing for print: an SVG file that needs no other, and its name without an ending. */
typedef struct sal_plot {
    char name[SAL_PLOT_NAME];
    sal_text svg;
} sal_plot;

typedef struct sal_plots {
    sal_plot *plot;
    int n;
} sal_plots;

/* All drawings of the page of a result: of each part that has several one of all, and each by
 * itself. To be cleared also after an error. */
sal_status sal_result_plots(sal_plots *plots, const sal_result *result, sal_err *err);
void sal_plots_clear(sal_plots *plots);

#endif
