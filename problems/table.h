/* table.h: private to problems/. From the options of a table to its rows:
 *
 *     names (table_names.c) -> columns, keys, order (table_columns.c) -> choose, group, sort, evaluate (table.c)
 */
#ifndef SAL_TABLE_H
#define SAL_TABLE_H

#include "problems/problems.h"

typedef enum sal_table_kind {
#define SAL_TABLE_SOURCE_ENUM(code, name) code,
    SAL_TABLE_SOURCE_LIST(SAL_TABLE_SOURCE_ENUM)
#undef SAL_TABLE_SOURCE_ENUM
        SAL_TABLE_AXIS,
    SAL_TABLE_FIGURE
} sal_table_kind;

typedef enum sal_aggregate {
#define SAL_AGGREGATE_ENUM(code, name) code,
    SAL_AGGREGATE_LIST(SAL_AGGREGATE_ENUM)
#undef SAL_AGGREGATE_ENUM
        SAL_AGGREGATE_NONE,
    SAL_AGGREGATE_CELLS,    /* of the group */
    SAL_AGGREGATE_PHYSICAL, /* of them */
    SAL_AGGREGATE_HOLES     /* "2 time limit, 1 infeasible" */
} sal_aggregate;

/* What can be asked for by name */
typedef struct sal_table_name {
    sal_table_kind kind;
    int axis;
    const char *name, *figure; /* figure: in records */
} sal_table_name;

typedef struct sal_table_item { /* a column, a key of groups, or a key of the order */
    const char *heading;
    int name; /* index, or -1 */
    sal_aggregate aggregate;
    bool descending;
} sal_table_item;

typedef struct sal_table_list {
    int n;
    sal_table_item *item;
} sal_table_list;

typedef struct sal_table_row { /* cells member[first .. first + n) */
    int first, n;
    bool hole; /* a point without a solution: its figures are not shown */
} sal_table_row;

typedef struct sal_table_maker {
    const sal_sweep_view *view;
    const sal_table_options *options;
    sal_table *table;
    sal_diag *diag;
    int nname, capacity;
    sal_table_name *name;
    const char **names; /* [nname] the same, without the rest */
    bool no_figures;    /* no cell has any yet: all names may be figures */
    bool grouped;
    sal_table_list column, key, order;
    int nmember, nrow;
    int *member, *spare;    /* [ncell] cells; scratch */
    double *number;         /* [ncell] scratch */
    sal_value *order_value; /* [nrow x order.n] */
    sal_table_row *row;
    bool failed; /* memory ran out */
} sal_table_maker;

/* Zeroed memory that is freed with the table; NULL, and failed, if there is none. */
void *sal_table_take(sal_table_maker *m, size_t count, size_t size);
char *sal_table_copy(sal_table_maker *m, const char *bytes, size_t n);

/* ---- table_names.c ---- */

/* All names of the view. */
void sal_table_collect(sal_table_maker *m);
/* The name's index, or -1. */
int sal_table_find(sal_table_maker *m, const char *name);
/* The same where a figure comes before what shares its name; it need not be known. -1 where memory ran out. */
int sal_table_figure(sal_table_maker *m, const char *name);
/* What a cell has by that name; hole: no figures. */
sal_value sal_table_look(sal_table_maker *m, int name, int cell, bool hole);

/* What became of a cell without solution: "infeasible", "time limit", "waiting" */
const char *sal_table_fate(const sal_record *r);

/* ---- table_columns.c ---- */

/* Reads `group`, `columns` and `sort`; what is not given as it is by default. */
void sal_table_columns(sal_table_maker *m);

#endif
