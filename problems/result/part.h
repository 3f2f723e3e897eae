/* part.h: a part that a room above problems/ adds to the result of a motion: stored in its file,
 * freed, compared and summed up in figures with it. problems/ knows it by these functions alone. */
#ifndef SAL_PROBLEMS_RESULT_PART_H
#define SAL_PROBLEMS_RESULT_PART_H

#include "problems/result/result.h"
#include "signals/h5.h"

/* A list of differences that grows (compare.c). */
typedef struct prb_comparison prb_comparison;

typedef struct prb_part_kind {
    /* Writing: stores *part in groups of its own. Reading: makes it if the file has one. */
    void (*store)(sig_h5 *f, const sal_model *m, void **part);
    void (*free)(void *part);
    /* Instead of those of a motion; as sal_result_figures. */
    sal_status (*figures)(const sal_result *r, sal_figure **figure, int *n, sal_err *err);
    /* Adds where two parts differ; one of them may be NULL. */
    void (*compare)(prb_comparison *c, const void *first, const void *second);
} prb_part_kind;

/* Reads a result with its part, if it has one of that kind; kind NULL: without (result_hdf5.c). */
sal_status prb_result_read(sal_result **result, const char *path, const prb_part_kind *kind,
                           sal_err *err);

/* The figure `name`, or kind[name] (figures.c). */
void prb_figure_set(sal_figure *f, const char *kind, const char *name, const char *unit,
                    double value);
/* Adds the name that such a figure has, as a line. */
void prb_figure_name_add(sal_text *names, const char *kind, const char *name);
/* Adds the names, a line each, of the figures that a result of this problem will have, but for
 * those of the ranges of actuators ("constraint[ctrlrange of knee]"). */
void prb_figure_names(sal_text *names, const sal_problem *p);
/* Adds a difference unless both are equal (compare.c). */
void prb_compare_texts(prb_comparison *c, const char *group, const char *name, const char *first,
                       const char *second);
void prb_compare_numbers(prb_comparison *c, const char *group, const char *name, double first,
                         double second);

#endif
