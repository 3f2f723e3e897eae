/* sweep_page.h: the parts of a sweep's page; private to pages/
 *
 *     sweep_page.c           the page: what stands where; its head
 *     sweep_page_data.c      what varies, what was found where, which cell stands for many
 *     sweep_page_colour.c    colours in even steps
 *     sweep_page_curves.c    figures over an axis, a line for each value of another
 *     sweep_page_bars.c      figures over words, a bar for each
 *     sweep_page_heat.c      figures over two axes
 *     sweep_page_scatter.c   figures over axes that were drawn together
 *     sweep_page_histogram.c how the costs of the cells, or of repeats, are distributed
 *     sweep_page_player.c    motions, one of which plays at a time
 *     sweep_page_motions.c   strips of the best motions, and of those along an axis
 *     sweep_page_failures.c  what has not succeeded
 *     sweep_page_table.c     all cells
 *     sweep_page_text.c      cells, values, axes and commands in words
 */
#ifndef SAL_PAGES_SWEEP_PAGE_H
#define SAL_PAGES_SWEEP_PAGE_H

#include "base/house.h"
#include "pages/report.h"
#include "sweeps/sweeps.h"

/* In the order in which one is preferred to another. */
typedef enum page_cell_state {
    PAGE_CELL_PHYSICAL,
    PAGE_CELL_UNSOLVED,
    PAGE_CELL_FAILED,
    PAGE_CELL_WAITING
} page_cell_state;

enum { PAGE_NCELL_STATE = PAGE_CELL_WAITING + 1 };

typedef struct page_axis {
    /* of the view */
    int id;
    /* unit: "" where what it sets does not tell */
    const char *name, *unit;
    int nlevel;
    /* [npoint] which of its values a point has */
    int *level;
    /* [nlevel] ascending if they are numbers, else as they come */
    const char **text;
    /* [nlevel] NaN: no number */
    double *number;
    /* log: their ratios are more even than their differences */
    bool numeric, log;
    /* the first of the axes that go together with this one, or itself */
    int group;
    bool leads,
        /* leads: it stands for its group in charts; sampled: its group is scattered, and has no
         * leader */
        sampled;
} page_axis;

typedef struct page_figure {
    char label[96];
    char unit[16];
    /* [ncell] NaN: unknown */
    double *value;
} page_figure;

/* A line per value is drawn in colours 0..PAGE_PAGE_NLINE-1 of the page's style sheet. */
enum { PAGE_PAGE_NMAP = 256, PAGE_PAGE_NLINE = 12 };

typedef struct page_page {
    const sal_sweep_view *view;
    sal_text *out;
    int npoint;
    /* [ncell] */
    page_cell_state *state;
    int count[PAGE_NCELL_STATE];
    /* motions that are there, those that cannot be read and why the first cannot, and those that
     * play, with what the player reads of them */
    int nmotion, nunread, nplayed;
    sal_err unread;
    sal_text player;
    /* [ncell] */
    double *cost;
    /* [npoint] the cell that stands for a point; -1: it has none */
    int *best;
    int naxis;
    /* those that vary */
    page_axis *axis;
    /* at least one: the cost */
    int nfigure;
    page_figure *figure;
    /* the sweep's file as it was run; NULL: it is not there */
    char *sweep_xml;
    /* root NULL: it cannot be read */
    sal_xml_doc sweep;
    /* colours of values from low to high, "#rrggbb" */
    char map[PAGE_PAGE_NMAP][8];
} page_page;

/* ---- data ---- */

sal_status page_new(page_page **page, const sal_sweep_view *view, sal_text *out, sal_err *err);
void page_free(page_page *p);
/* Which of two cells stands for both (-1: no cell): the physical one, then that of lower cost, then
 * the first. */
int page_better(const page_page *p, int a, int b);
/* The cell that stands for all points with level i of the first and j of the second axis, in cell
 * [n1 x n2], by rows of the first; -1 where there is no such point. second may be NULL. */
void page_over(const page_page *p, const page_axis *first, const page_axis *second, int *cell);
/* Whether there are axes beside these that vary in charts or go together, or repeats. */
bool page_has_others(const page_page *p, const page_axis *first, const page_axis *second);
/* The range of a figure over the cells that count: the physical ones of cell [n], where there is
 * none those that are there; -1 is passed over. */
void page_range(const page_page *p, const double *value, const int *cell, int n, double *lo,
                double *hi);

/* ---- text ---- */

/* "speed 1.2, mass 40, repeat 3" */
void page_cell(const page_page *p, int cell, sal_text *out);
/* "12.3 m/s" */
void page_value(const page_figure *f, double value, sal_text *out);
/* "physical", "infeasible", "failed: no memory", "waiting" */
void page_state(const page_page *p, int cell, sal_text *out);
/* "effort, J" */
void page_label(const page_figure *f, char *label, size_t n);
/* A value of an axis, numbers to six digits. */
void page_level(const page_axis *a, int level, char *text, size_t n);
/* The same as a label of limited length, in HTML; pixels of the longest one. */
void page_short_level(sal_text *out, const page_axis *a, int level);
double page_short_width(const page_axis *a);
/* The name with what goes together with it: "mass (with strength)" */
void page_axis_name(const page_page *p, const page_axis *a, char *name, size_t n);
/* With the unit: "speed, m/s" */
void page_axis_label(const page_page *p, const page_axis *a, char *label, size_t n);
/* What an axis of the view sets, as the sweep's file says; NULL: unknown. */
const char *page_axis_path(const page_page *p, int id);
/* The unit of its values, "" if the path does not tell. */
const char *page_axis_unit(const page_page *p, int id);
/* A word as it stands on a shell's command line, in HTML. */
void page_shell(sal_text *out, const char *word);
/* The command that makes a cell's own page. */
void page_command(const page_page *p, int cell);
/* The command that solves a cell by itself, as far as the sweep's file tells; nothing without
 * that. */
void page_solve_command(const page_page *p, int cell);
/* Width of a chart, so that those of all figures fill their rows. */
double page_width(const page_page *p);
void page_section(sal_text *out, const char *heading, const char *note);

/* ---- colours ---- */

/* The colour at 0 <= t <= 1 of a path of even steps, between two lightnesses (Oklab, 0..1). */
void page_colour(char colour[8], double t, double dark, double light);
void page_map(page_page *p);
/* The colour of a value in a range. */
const char *page_map_colour(const page_page *p, double value, double lo, double hi);
/* Classes of the lines in light and in dark. */
void page_line_style(sal_text *out);
/* The line's class of value i of n. */
int page_line(int i, int n);

/* ---- motions ---- */

/* A cell whose motion is physical and in the folder. */
bool page_has_motion(const page_page *p, int cell);
/* Of the cells that have one, that of the lowest figure behind that of `last` (-1: the lowest), of
 * its point the best that is kept; -1: none. */
int page_next_best(const page_page *p, const double *value, int last);
/* The motion's result; *r NULL: it cannot be read, why not. To be freed. A fault: no memory. */
sal_status page_read_motion(const page_page *p, int cell, sal_result **r, sal_err *why,
                            sal_err *err);
/* Reads those that play, if saltus was built with what plays them. */
sal_status page_add_player(page_page *p, sal_err *err);

/* ---- sections: nothing where there is nothing to show ---- */

sal_status page_curves(const page_page *p, sal_err *err);
sal_status page_bars(const page_page *p, sal_err *err);
sal_status page_heat(const page_page *p, sal_err *err);
sal_status page_scatter(const page_page *p, sal_err *err);
sal_status page_histogram(const page_page *p, sal_err *err);
sal_status page_play(const page_page *p, sal_err *err);
sal_status page_motions(const page_page *p, sal_err *err);
sal_status page_failures(const page_page *p, sal_err *err);
void page_table(const page_page *p);
/* The text of its script. */
const char *page_sorter(void);

#endif
