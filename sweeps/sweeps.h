/* sweeps.h: one problem under many settings: cells, their schedule, their records, and tables of what they found. */
#ifndef SAL_SWEEPS_H
#define SAL_SWEEPS_H

#include "identify/identify.h"
#include "problems/problems.h"
#include "signals/signals.h"

SAL_BEGIN_C

/* ---- a sweep: one problem under many settings -------------------------------------------------------------------------------------- */

typedef struct sal_axis {
    char *name, *path; /* path: of the setting, as for --set */
    int nvalue;
    char **value;   /* [nvalue] as it is shown */
    char **setting; /* [nvalue] as it is set: the value, or the template with it */
    double *number; /* [nvalue] NaN where the value is not a number */
    char *text;     /* what value and setting point into */
    int group; /* axes of a group go together, value by value; groups are crossed, the last running fastest */
} sal_axis;

/* Which of a point's repeats keep their motion; records stay of all. */
typedef enum sal_keep { SAL_KEEP_ALL, SAL_KEEP_BEST, SAL_KEEP_NONE } sal_keep;

typedef struct sal_table_column { /* as <column> says */
    char *name, *figure;
} sal_table_column;

typedef struct sal_continuation {
    int axis, from; /* the value from which it goes on to both sides */
    double noise,
        softness; /* of cells that begin with a motion; softness negative: as the problem says */
    int nstart;
} sal_continuation;

enum { SAL_HASH_SIZE = 65 }; /* 64 hexadecimal digits and a zero */

/* Points are the combinations of the axes' values that no <skip> leaves out, in the order of the grid; cell c is repeat c % nrepeat of point
 * c / nrepeat, one problem to be solved. */
typedef struct sal_sweep {
    char *name, *path, *problem_path;
    char *sweep_xml; /* as run */
    int nsetting;
    sal_setting *setting; /* of <set>, then of the command line */
    int naxis, ngroup;
    sal_axis *axis;
    int npoint;
    int *grid; /* [npoint] number in the whole grid */
    int *
        before; /* [npoint] the point whose motion this one's cells begin with, which has a smaller place in `order`; -1: none */
    int *order; /* [npoint] points, those before first */
    int nrepeat;
    char *repeat_path; /* NULL: repeats are alike but for nothing; then nrepeat is 1 */
    long repeat_first;
    sal_keep keep;
    int ncontinuation;
    sal_continuation *continuation;
    int *along;                    /* [npoint] which continuation `before` is along; -1 */
    double cell_time, cell_memory; /* s, bytes that a cell may take; 0: no limit */
    int tries;                     /* of a cell that crashes or runs out of time or memory */
    int ncolumn;
    sal_table_column *column;
    int ncell;
    char (
        *hash)[SAL_HASH_SIZE]; /* [ncell] names of the cells: digests of all that goes into them */
} sal_sweep;

/* Reads a sweep file and the first of its problems. All faults to diag. The caller frees. */
SAL_API sal_status sal_sweep_read(sal_sweep **s, const char *path,
                                  const sal_problem_options *options, sal_diag *diag, sal_err *err);
SAL_API void sal_sweep_free(sal_sweep *s);
/* Which value of an axis a point has. */
SAL_API int sal_sweep_value(const sal_sweep *s, int point, int axis);

/* X(code, name): how a cell came out. The first two are results and final; of the others, which the machine made, `tries` are made in a run, and new
 * ones in the next */
#define SAL_OUTCOME_LIST(X)                                                                        \
    X(SAL_CELL_PHYSICAL, "physical") /* converged and physical */                                  \
    X(SAL_CELL_UNSOLVED, "unsolved") /* infeasible, stalled, a limit: its motion is no solution */ \
    X(SAL_CELL_INVALID, "invalid")   /* these settings make no problem */                          \
    X(SAL_CELL_CRASHED, "crashed")                                                                 \
    X(SAL_CELL_TIMEOUT, "time limit")                                                              \
    X(SAL_CELL_NOMEM, "memory limit")                                                              \
    X(SAL_CELL_BUSY, "busy")           /* another run is at it */                                  \
    X(SAL_CELL_STOPPED, "stopped")     /* somebody asked to */                                     \
    X(SAL_CELL_UNWRITTEN, "unwritten") /* the folder takes no more: the disk is full, say */

typedef enum sal_outcome_kind {
#define SAL_OUTCOME_ENUM(code, name) code,
    SAL_OUTCOME_LIST(SAL_OUTCOME_ENUM)
#undef SAL_OUTCOME_ENUM
} sal_outcome_kind;

SAL_API const char *sal_outcome_name(sal_outcome_kind kind);

typedef struct sal_outcome { /* plain bytes: it goes through pipes and messages */
    int cell, source;
    sal_outcome_kind kind;
    bool found; /* it was there already */
    double cost, seconds;
    char why[240];
} sal_outcome;

/* Solves one cell into `folder`, whoever else works there, or finds that this is done. source: the cell whose motion it begins with, -1: none. tries: made
 * so far, for the record. */
SAL_API void sal_sweep_solve(sal_outcome *out, const sal_sweep *s, const char *folder, int cell,
                             int source, int tries, int nthread, const sal_watch *watch);
/* Records that a cell failed, as *out says; not where it is done. */
SAL_API sal_status sal_sweep_fail(const sal_sweep *s, const char *folder, const sal_outcome *out,
                                  int tries, sal_err *err);
/* Makes the folder and writes down what is going to be in it. SAL_BADPATH if it cannot be. */
SAL_API sal_status sal_sweep_begin(const sal_sweep *s, const char *folder, sal_err *err);

/* Whose turn it is. */
typedef struct sal_schedule sal_schedule;

typedef struct sal_tally {
    int cells;                      /* of this shard */
    int physical, unsolved, failed; /* that are done */
    int running, waiting;           /* waiting: neither done nor running */
    int reused;                     /* of those done: before this run, or by another */
} sal_tally;

/* Shard i of n, 0 <= i < n, has the cells of every n-th chain of points along the first continuation, and those that these begin with. What the folder holds already is done; NULL: nothing. */
SAL_API sal_status sal_schedule_new(sal_schedule **q, const sal_sweep *s, const char *folder,
                                    int shard, int nshard, sal_err *err);
SAL_API void sal_schedule_free(sal_schedule *q);
/* A cell to be solved now, from the motion of *source (-1: none), its (*tries)-th time; -1: none at present. Cells that another run works on come back
 * when nothing else is left. */
SAL_API int sal_schedule_next(sal_schedule *q, int *source, int *tries);
/* What came of it. True if it is to be recorded as failed now. A cell that was never begun may be given back as SAL_CELL_STOPPED. */
SAL_API bool sal_schedule_done(sal_schedule *q, const sal_outcome *out);
SAL_API void sal_schedule_tally(const sal_schedule *q, sal_tally *tally);
/* Whether all cells are done. */
SAL_API bool sal_schedule_is_done(const sal_schedule *q);

/* ---- what a sweep has found ---- */

typedef struct sal_record { /* of a cell that is done */
    char status[64];        /* of its result; "failed": it has none */
    char kind[16];          /* of its outcome */
    int exit_code, tries;
    char from[SAL_HASH_SIZE]; /* the cell whose motion it began with; "": none */
    char version[96], reason[240];
    double seconds;
    size_t bytes; /* of the motion's file, 0: none; and its digest */
    char sha256[SAL_HASH_SIZE];
    int nfigure;
    sal_figure *figure;
} sal_record;

/* What is in the folder of a sweep: its plan and the records of those cells that are done. */
typedef struct sal_sweep_view {
    char *folder, *name;
    int naxis, ncolumn, nrepeat, ncell;
    char **axis;              /* [naxis] names */
    sal_table_column *column; /* [ncolumn] as the sweep's file says; 0: none said */
    char (*hash)[SAL_HASH_SIZE];
    char **value;        /* [ncell x naxis] */
    int *point, *repeat; /* [ncell] */
    sal_record *record;  /* [ncell] status "" where the cell is not done */
    bool *motion;        /* [ncell] its motion is there */
    char *text;          /* what names and values point into */
} sal_sweep_view;

/* SAL_BADPATH if it is not the folder of a sweep. The caller frees. */
SAL_API sal_status sal_sweep_look(sal_sweep_view **view, const char *folder, sal_err *err);
SAL_API void sal_sweep_view_free(sal_sweep_view *view);
/* The path of a cell's motion, in path [n]. */
SAL_API void sal_sweep_motion(char *path, size_t n, const char *folder, const char *hash);

/* ---- the table of a sweep ---- */

/* X(code, name): what a column may show beside the axes and the figures of results; none but `seconds`, `tries` and `version` depends on how the cells were run */
#define SAL_TABLE_SOURCE_LIST(X)                                                                   \
    X(SAL_TABLE_POINT, "point")         /* number of the point */                                  \
    X(SAL_TABLE_REPEAT, "repeat")       /* and of its repeat, from 0 */                            \
    X(SAL_TABLE_STATUS, "status")       /* of the result; "failed", or "waiting" where not done */ \
    X(SAL_TABLE_KIND, "kind")           /* of the outcome */                                       \
    X(SAL_TABLE_EXIT_CODE, "exit_code") /* as of `saltus solve` */                                 \
    X(SAL_TABLE_REASON, "reason")       /* why there is no solution */                             \
    X(SAL_TABLE_CELL, "cell")           /* its name, the digest of its inputs */                   \
    X(SAL_TABLE_FROM, "from")           /* the cell whose motion it began with */                  \
    X(SAL_TABLE_MOTION, "motion")       /* path of its result */                                   \
    X(SAL_TABLE_TRIES, "tries")         /* that were made */                                       \
    X(SAL_TABLE_SECONDS, "seconds")     /* that it took */                                         \
    X(SAL_TABLE_VERSION, "version")     /* of saltus that made it */

/* X(code, name): a number that says something of a column's values in the physical cells of a group */
#define SAL_AGGREGATE_LIST(X)                                                                      \
    X(SAL_AGGREGATE_MIN, "min")                                                                    \
    X(SAL_AGGREGATE_MEAN, "mean")                                                                  \
    X(SAL_AGGREGATE_MEDIAN, "median")                                                              \
    X(SAL_AGGREGATE_MAX, "max")                                                                    \
    X(SAL_AGGREGATE_STD, "std") /* sqrt(sum (x - mean)^2 / (n - 1)); nothing for n = 1 */          \
    X(SAL_AGGREGATE_SUM, "sum")                                                                    \
    X(SAL_AGGREGATE_COUNT, "count") /* of numbers */

/* Lists are separated by commas; a SOURCE is the name of an axis, a figure, or one of SAL_TABLE_SOURCE_LIST. `figure:NAME` is a figure that shares its name
 * with one of the others. */
typedef struct sal_table_options {
    const char *
        columns; /* SOURCE or HEADING=SOURCE, or min:SOURCE ..; NULL: axes, repeat, status, what the sweep's file says, reason */
    const char *where; /* a condition; NULL: all cells */
    const char *
        sort; /* SOURCE or -SOURCE (descending), or headings; what is not there comes last; NULL: as the cells are numbered */
    const char
        *group; /* SOURCE: a row for all cells with the same values; NULL: a row for every cell */
    bool
        best; /* of each point's cells the physical one of lowest cost; where there is none, one without figures that says why */
} sal_table_options;

typedef struct sal_table {
    int ncol, nrow;
    const char **name; /* [ncol] headings */
    sal_value *value;  /* [nrow x ncol] */
    int *cell;         /* [nrow] the row's cell, or the first of its group */
    int nhole;         /* cells among the rows' that are done and without solution */
    int nwaiting;      /* that are not done */
    void *words;
} sal_table;

/* Chooses, sorts and groups what is in the view, which must outlive the table. Faults of the options to diag. The caller frees. */
SAL_API sal_status sal_table_make(sal_table **table, const sal_sweep_view *view,
                                  const sal_table_options *options, sal_diag *diag, sal_err *err);
SAL_API void sal_table_free(sal_table *t);

/* CSV (RFC 4180) and JSON (an array of an object for every row) have numbers with as few digits as read back, Markdown with six; what is not there is empty, and
 * null in JSON. */
typedef enum sal_table_format {
    SAL_TABLE_CSV,
    SAL_TABLE_JSON,
    SAL_TABLE_MARKDOWN
} sal_table_format;

SAL_API void sal_table_write(sal_text *out, const sal_table *t, sal_table_format format);

SAL_END_C

#endif
