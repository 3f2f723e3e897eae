/* report.h: the parts of a result's page; private to problems/.
 *
 *     report.c         the page: what stands where
 *     report_gait.c    the motion over its whole cycle, and its key figures
 *     report_figure.c  the strip of stick figures
 *     report_plots.c   forces, controls, joints, contacts over time; cost and iterations
 *     report_estimate.c, report_recordings.c     the page of an identification
 *     report_svg.c     charts, numbers and escaped text
 */
#ifndef SAL_REPORT_H
#define SAL_REPORT_H

#include "problems/result.h"

/* ---- text (report_svg.c, report.c) ---- */

/* Doctype and head up to the open <style>, with the style sheet that all pages share; to be closed by </style></head>. */
void sal_report_head(sal_text *out, const char *title);

/* Text that means itself in HTML and in attributes; what is no UTF-8 or not allowed in XML becomes U+FFFD. */
void sal_html_text(sal_text *out, const char *text);
/* The pattern with each % replaced by the next double, rounded to hundredths, and each $ by the next string as it is. */
void sal_svg_put(sal_text *out, const char *pattern, ...);
/* A number with at most `digits` significant digits, for people: 0.0312, 1.5e-13. */
void sal_svg_number(sal_text *out, double value, int digits);

/* ---- charts (report_svg.c) ---- */

typedef struct sal_chart {
    sal_text *out;
    const char *title, *xlabel, *ylabel; /* labels with units */
    double width, height;
    double x0, x1, y0, y1;           /* the ranges shown */
    bool log, log_x;                 /* y0, y1 (x0, x1; and all x given) are then powers of ten */
    bool fine;                       /* a narrow range is shown as it is, else at least .02 wide */
    double left, top, right, bottom; /* of the frame, set by sal_chart_begin */
} sal_chart;

/* Widens [*lo, *hi] to hold the finite ones of x[n], `stride` apart. Start with +inf, -inf. */
void sal_chart_extend(double *lo, double *hi, const double *x, int n, int stride);
/* Frame, ticks and labels. Ranges that are empty are mended; y is rounded to whole ticks. */
void sal_chart_begin(sal_chart *c);
void sal_chart_end(sal_chart *c);
double sal_chart_x(const sal_chart *c, double x);
double sal_chart_y(const sal_chart *c, double y);
/* A line through the finite ones of (x_i, y_i), broken at the others; `style` is a class of the page's style sheet. */
void sal_chart_line(sal_chart *c, const double *x, const double *y, int n, const char *style);
/* Level lines where y lies in the range. */
void sal_chart_level(sal_chart *c, double y, const char *style);
void sal_chart_upright(sal_chart *c, double x, const char *style);

/* ---- the whole cycle (report_gait.c) ---- */

typedef struct sal_group { /* geoms that move as one, and touch something at some time */
    int body;
    char name[SAL_COLUMN_NAME];
    double *normal; /* [n] sum of its contacts' normal forces, N; NaN where unknown */
} sal_group;

typedef struct sal_gait {
    const sal_result *r;
    int n;           /* steps: nstep, or twice that where the other half is the mirror image */
    double period;   /* s */
    double length;   /* travel in nstep steps, m, along the image's direction */
    double ahead[3]; /* unit vector of travel, or the horizontal direction in which most happens */
    double *time;    /* [n+1] */
    double *qpos;    /* [(n+1) x nq] */
    double *ctrl;    /* [n x nu] */
    int ngroup;
    sal_group *group;
    double *load; /* [n] sum of the normal forces from what does not move, N */
    /* key figures; NaN: makes no sense here */
    double speed, penetration, slip, peak_slip, peak_load, flight, transport;
} sal_gait;

sal_status sal_gait_new(sal_gait **gait, const sal_result *r, sal_err *err);
void sal_gait_free(sal_gait *gait);
/* -1 right, +1 left, 0 neither: from the words in the name of an object or of the bodies above it. */
int sal_gait_side(const sal_model *m, sal_object type, int id);
/* Where the word (lower case) stands in the name, in any case; NULL if it does not. */
const char *sal_gait_word(const char *name, const char *word);
bool sal_result_is_physical(const sal_result *r);

/* ---- sections ---- */

/* Strip of stick figures: a figure with a caption; plain: the drawing alone, at most `tallest` pixels of motion high. */
typedef struct sal_strip_look {
    bool plain;
    double tallest;
    int most; /* figures */
} sal_strip_look;

sal_status sal_report_strip(const sal_gait *g, const sal_strip_look *look, sal_text *out,
                            sal_err *err);
sal_status sal_report_motion(const sal_gait *g, sal_text *out, sal_err *err);
void sal_report_contacts(const sal_gait *g, sal_text *out);
/* A key figure; nothing for one that makes no sense here (NaN). */
void sal_report_tile(sal_text *out, double value, int digits, const char *unit, const char *what);
void sal_report_cost(const sal_result *r, sal_text *out);
sal_status sal_report_iterations(const sal_result *r, sal_text *out, sal_err *err);

/* ---- of an identification (report_estimate.c, report_recordings.c) ---- */

void sal_report_estimate_subtitle(const sal_result *r, sal_text *out);
void sal_report_estimate_verdict(const sal_result *r, sal_text *out);
void sal_report_estimate_tiles(const sal_result *r, sal_text *out);
void sal_report_parameters(const sal_estimate *e, sal_text *out);
/* What the data could not tell, in words. */
void sal_report_account(const sal_estimate *e, sal_text *out);
void sal_report_correlations(const sal_estimate *e, sal_text *out);
void sal_report_channels(const sal_estimate *e, sal_text *out);
/* Which recording the drawing below is of. */
void sal_report_drawn(const sal_estimate *e, sal_text *out);
sal_status sal_report_recordings(const sal_result *of, sal_text *out, sal_err *err);

#endif
