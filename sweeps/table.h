/* table.h: private to sweeps/ From the options of a table to its rows:
 *
 *     names (table_names.c) -> columns, keys, order (table_columns.c) -> choose, group, sort,
 *         evaluate (table.c)
 */
#ifndef SAL_SWEEPS_TABLE_H
#define SAL_SWEEPS_TABLE_H

#include "problems/problems.h"
#include "signals/signals.h"
#include "sweeps/sweeps.h"

typedef enum swp_table_kind {
#define SWP_TABLE_SOURCE_ENUM(code, name) code,
    SAL_TABLE_SOURCE_LIST(SWP_TABLE_SOURCE_ENUM)
#undef SWP_TABLE_SOURCE_ENUM
        SAL_TABLE_AXIS,
    SWP_TABLE_FIGURE
} swp_table_kind;

typedef enum swp_aggregate {
#define SWP_AGGREGATE_ENUM(code, name) code,
    SAL_AGGREGATE_LIST(SWP_AGGREGATE_ENUM)
#undef SWP_AGGREGATE_ENUM
        SAL_AGGREGATE_NONE,
    SWP_AGGREGATE_CELLS,    /* of the group */
    SWP_AGGREGATE_PHYSICAL, /* of them */
    SWP_AGGREGATE_HOLES     /* "2 time limit, 1 infeasible" */
} swp_aggregate;

/* What can be asked for by name */
typedef struct swp_table_name {
    swp_table_kind kind;
    int axis;
    /* figure: in records */
    const char *name, *figure;
} swp_table_name;

/* a column, a key of groups, or a key of the order */
typedef struct swp_table_item {
    const char *heading;
    /* index, or -1 */
    int name;
    swp_aggregate aggregate;
    bool descending;
} swp_table_item;

typedef struct swp_table_list {
    int n;
    swp_table_item *item;
} swp_table_list;

/* cells member[first .. first + n) */
typedef struct swp_table_row {
    int first;
    int n;
    /* a point without a solution: its figures are not shown */
    bool hole;
} swp_table_row;

typedef struct swp_table_maker {
    const sal_sweep_view *view;
    const sal_table_options *options;
    sal_table *table;
    sal_diag *diag;
    int nname;
    int capacity;
    swp_table_name *name;
    /* [nname] the same, without the rest */
    const char **names;
    /* no cell has any yet: all names may be figures */
    bool no_figures;
    bool grouped;
    swp_table_list column;
    swp_table_list key;
    swp_table_list order;
    int nmember;
    int nrow;
    /* [ncell] cells; scratch */
    int *member, *spare;
    /* [ncell] scratch */
    double *number;
    /* [nrow x order.n] */
    sal_value *order_value;
    swp_table_row *row;
    /* memory ran out */
    bool failed;
} swp_table_maker;

/* Zeroed memory that is freed with the table; NULL, and failed, if there is none. */
void *swp_table_take(swp_table_maker *m, size_t count, size_t size);
char *swp_table_copy(swp_table_maker *m, const char *bytes, size_t n);

/* ---- table_names.c ---- */

/* All names of the view. */
void swp_table_collect(swp_table_maker *m);
/* The name's index, or -1. */
int swp_table_find(swp_table_maker *m, const char *name);
/* The same where a figure comes before what shares its name; it need not be known. -1 where memory
 * ran out. */
int swp_table_figure(swp_table_maker *m, const char *name);
/* Whether the cell is done and physical. */
bool swp_table_is_physical(const swp_table_maker *m, int cell);
/* What a cell has by that name; hole: no figures. */
sal_value swp_table_look(swp_table_maker *m, int name, int cell, bool hole);

/* What became of a cell without solution: "infeasible", "time limit", "waiting" */
const char *swp_table_fate(const sal_record *r);

/* ---- table_columns.c ---- */

/* Reads `group`, `columns` and `sort`; what is not given as it is by default. */
void swp_table_columns(swp_table_maker *m);

#endif
