/* report.h: the parts of a result's page; private to pages/
 *
 *     report.c         the page: what stands where
 *     report_figure.c  the strip of stick figures
 *     report_apart.c   how far apart its figures stand
 *     report_plots.c   forces, controls, joints, contacts over time
 *     report_cost.c    cost and iterations
 *     report_recorded.c a recording beside the motion that follows it
 *     report_identification.c, report_recordings.c     the page of an identification
 *     report_picture.c a strip as a file of its own
 *     plots.c          every drawing of the page as a file of its own, for print
 *     plots_style.c    what such a file says instead of the style sheet's classes
 *     comparison_page.c two results beside each other
 *     report_rank.c    recordings in order
 *     player.c         what the script of a page plays; player_search.c, player_recordings.c
 *     policy.c         what the page allows itself
 *     report_svg.c     charts, numbers and escaped text
 */
#ifndef SAL_PAGES_REPORT_H
#define SAL_PAGES_REPORT_H

#include "identify/identify.h"
#include "problems/result/gait.h"

/* ---- text (report_svg.c, report.c) ---- */

/* Doctype and head up to the open <style>, with the style sheet that all pages share; to be closed
 * by </style></head>. script, other: the texts of the only scripts that the page has, or NULL. */
void page_report_head(sal_text *out, const char *title, const char *script, const char *other);
/* The rules by which a strip is drawn, for a drawing that is no part of a page. */
void page_report_strip_style(sal_text *out);
/* The element of the head that forbids all but that (policy.c). */
void page_policy(sal_text *out, const char *const script[2]);

/* Text that means itself in HTML and in attributes; what is no UTF-8 or not allowed in XML becomes
 * U+FFFD. */
void page_html_text(sal_text *out, const char *text);
/* A table of a CSS class that is pushed to and fro where the window is too narrow for it; its rows,
 * in <thead> and <tbody>, come between the two. */
void page_table_begin(sal_text *out, const char *label, const char *style);
void page_table_end(sal_text *out);
/* The pattern with each % replaced by the next double, rounded to hundredths, and each $ by the
 * next string as it is. */
void page_svg_put(sal_text *out, const char *pattern, ...);
/* A number with at most `digits` significant digits, for people: 0.0312, 1.5e-13. */
void page_svg_number(sal_text *out, double value, int digits);

/* ---- charts (report_svg.c) ---- */

/* the size of a chart for print: a column of a journal, 88 mm, in units of which 12 are 8 pt */
enum { PAGE_PRINT_WIDTH = 374, PAGE_PRINT_HEIGHT = 176, PAGE_CHART_KEYS = 10 };

typedef struct page_chart {
    sal_text *out;
    /* labels with units */
    const char *title, *xlabel, *ylabel;
    double width;
    double height;
    /* the ranges shown */
    double x0, x1, y0, y1;
    /* y0, y1 (x0, x1; and all x given) are then powers of ten */
    bool log, log_x;
    /* a narrow range is shown as it is, else at least .02 wide */
    bool fine;
    /* for a file of its own: of the size above, and with a legend */
    bool print;
    /* what lines are, by page_chart_key */
    struct {
        const char *style, *label;
    } key[PAGE_CHART_KEYS];
    int nkey;
    /* of the frame, set by page_chart_begin */
    double left, top, right, bottom;
} page_chart;

/* Widens [*lo, *hi] to hold the finite ones of x[n], `stride` apart. Start with +inf, -inf. */
void page_chart_extend(double *lo, double *hi, const double *x, int n, int stride);
/* How wide a text is drawn, about: letters of 12 px, bold ones of 13 px. */
double page_text_width(const char *text, bool bold);
/* The legend of a chart for print says what is drawn in a style of page_chart_line, or as "dots",
 * "limit" or "half"; before page_chart_begin. A style is named once. */
void page_chart_key(page_chart *c, const char *style, const char *label);
/* Frame, ticks and labels. Ranges that are empty are mended; y is rounded to whole ticks. */
void page_chart_begin(page_chart *c);
void page_chart_end(page_chart *c);
double page_chart_x(const page_chart *c, double x);
double page_chart_y(const page_chart *c, double y);
/* A line through the finite ones of (x_i, y_i), broken at the others; `style` is a class of the
 * page's style sheet. At most a thousand points are drawn, peaks among them. */
void page_chart_line(page_chart *c, const double *x, const double *y, int n, const char *style);
/* Level lines where y lies in the range. */
void page_chart_level(page_chart *c, double y, const char *style);
void page_chart_upright(page_chart *c, double x, const char *style);

/* A heading, a note (HTML), and charts; to be ended. */
void page_section_begin(sal_text *out, const char *heading, const char *note);
void page_section_end(sal_text *out);

/* The name that a pair shares: left_hip and right_hip are both hip; l_hip and hip_R too. */
void page_stem(char stem[PRB_COLUMN_NAME], const sal_model *m, sal_object type, int id);

/* ---- the motion, played (player.c) ---- */

/* The script that plays (viewer/, bundled when saltus was built); NULL: it was built without. */
extern const char *const page_player_script;
/* The section that it fills, and after all else what it reads, and itself. */
void page_player_section(sal_text *out);
sal_status page_player_data(const prb_gait *const *g, int n, sal_text *out, sal_err *err);
/* The same where one of many motions plays at a time: the section, what it reads of each (they are
 * numbered from 0, with names), and the script. */
void page_player_section_of_many(sal_text *out);
sal_status page_player_motion(const prb_gait *g, int number, const char *name, sal_text *out,
                              sal_err *err);
void page_player_end(sal_text *out);

/* ---- sections ---- */

/* How far a geom reaches from its centre in a direction: its support function, by type
 * (report_apart.c). */
double page_geom_reach(const sal_model *m, const sal_data *d, int geom, const double dir[3]);
/* R'dir: the direction in the axes of a geom, R by rows. */
void page_to_axes(double k[3], const double *R, const double dir[3]);

enum { PAGE_LEVELS = 64 };

/* A figure by levels from `low` to `high`, m: how far it reaches at each; left > right: not
 * there. */
typedef struct page_outline {
    double low, high;
    double left[PAGE_LEVELS], right[PAGE_LEVELS];
} page_outline;

void page_outline_clear(page_outline *o, double low, double high);
/* A geom, as seen with these unit vectors to the right and up; shift: what lies there is at 0. */
void page_outline_add(page_outline *o, const sal_model *m, const sal_data *d, int geom,
                      const double ahead[3], const double up[3], double shift);
/* How far b must stand to the right of a, m, so that they are not drawn over each other. */
double page_outlines_apart(const page_outline *a, const page_outline *b);

/* Strip of stick figures: a figure with a caption; plain: the drawing alone, at most `tallest`
 * pixels of motion high; alone: a file of its own, with its style. */
typedef struct page_strip_look {
    bool plain;
    bool alone;
    /* with a legend in the drawing */
    bool keys;
    double tallest;
    /* figures */
    int most;
    /* pixels; 0: as wide as the page */
    double width;
} page_strip_look;

/* Nothing where the result has no recording. */
sal_status page_report_recorded(const sal_result *result, sal_text *out, sal_err *err);
/* And force plates beside it; measured may be NULL. */
sal_status page_report_plates(const sal_result *result, const sal_result *measured, sal_text *out,
                              sal_err *err);
sal_status page_report_strip(const prb_gait *g, const page_strip_look *look, sal_text *out,
                             sal_err *err);
/* Charts; print: page_chart. */
sal_status page_report_controls(const prb_gait *g, bool print, sal_text *out, sal_err *err);
sal_status page_report_torques(const prb_gait *g, bool print, sal_text *out, sal_err *err);
sal_status page_report_joints(const prb_gait *g, bool print, sal_text *out, sal_err *err);
void page_report_forces(const prb_gait *g, bool print, sal_text *out);
void page_report_timing(const prb_gait *g, bool print, sal_text *out);
sal_status page_report_contacts(const prb_gait *g, sal_text *out, sal_err *err);
/* A key figure (report_tile.c); nothing for one that makes no sense here (NaN). */
void page_report_tile(sal_text *out, double value, int digits, const char *unit, const char *what);
void page_report_cost(const sal_result *r, sal_text *out);
/* The shares of the terms as a chart for print. */
void page_report_cost_chart(const sal_result *r, sal_text *out);
/* Does iteration k begin a phase of the start that is the result? */
bool page_begins_phase(const sal_result *r, int k);
sal_status page_report_iterations(const sal_result *r, bool print, sal_text *out, sal_err *err);

/* ---- of an identification (report_identification.c, report_recordings.c) ---- */

void page_report_identification_subtitle(const sal_result *r, sal_text *out);
void page_report_identification_verdict(const sal_result *r, sal_text *out);
void page_report_identification_tiles(const sal_result *r, sal_text *out);
void page_report_parameters(const sal_identification_result *e, sal_text *out);
/* What the data could not tell, in words. */
void page_report_findings(const sal_identification_result *e, sal_text *out);
void page_report_correlations(const sal_identification_result *e, sal_text *out);
void page_report_channels(const sal_identification_result *e, sal_text *out);
/* Which recording the drawing below is of. */
void page_report_drawn(const sal_identification_result *e, sal_text *out);
/* Recordings in order of something (report_rank.c). */
typedef struct page_ranked {
    double value;
    int id;
} page_ranked;

/* Those that have it, lowest first; held: 1 of those held out, 0 of those in the fit, -1 of all. */
int page_rank(const sal_identification_result *e, int held, sal_identification_measure what,
              page_ranked *list);
void page_rank_sort(page_ranked *list, int n);
/* Number k of the values of a channel: its name, and its unit, which quaternions have none. */
void page_value_name(const sal_identification_channel *c, int k, char *name, size_t n);
const char *page_value_unit(const sal_identification_channel *c, int k);
sal_status page_report_recordings(const sal_result *of, bool print, sal_text *out, sal_err *err);

/* ---- drawings for print (plots_style.c) ---- */

/* The drawing, whose classes become what they mean on white paper. */
void page_plot_style(sal_text *out, const char *drawing, size_t n);

#endif
