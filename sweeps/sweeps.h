/* sweeps.h: one problem under many settings: cells, their schedule, their records, and tables of
 * what they found. */
#ifndef SAL_SWEEPS_H
#define SAL_SWEEPS_H

#include "identify/identify.h"
#include "problems/problems.h"
#include "signals/signals.h"

/* ---- a sweep: one problem under many settings ---- */

typedef struct sal_axis {
    /* path: of the setting, as for --set */
    char *name, *path;
    int nvalue;
    /* [nvalue] as it is shown */
    char **value;
    /* [nvalue] as it is set: the value, or the template with it */
    char **setting;
    /* [nvalue] NaN where the value is not a number */
    double *number;
    /* what value and setting point into */
    char *text;
    /* axes of a group go together, value by value; groups are crossed, the last running fastest */
    int group;
} sal_axis;

/* Which of a point's repeats keep their motion; records stay of all. */
typedef enum sal_keep { SAL_KEEP_ALL, SAL_KEEP_BEST, SAL_KEEP_NONE } sal_keep;

/* as <column> says */
typedef struct sal_table_column {
    char *name;
    char *figure;
} sal_table_column;

typedef struct sal_continuation {
    /* the value from which it goes on to both sides */
    int axis, from;
    double noise,
        /* of cells that begin with a motion; softness negative: as the problem says */
        softness;
    int nstart;
} sal_continuation;

enum { SAL_HASH_SIZE = 65 }; /* 64 hexadecimal digits and a zero */

/* Points are the combinations of the axes' values that no <skip> leaves out, in the order of the
 * grid; cell c is repeat c % nrepeat of point c / nrepeat, one problem to be solved. */
typedef struct sal_sweep {
    char *name;
    char *path;
    char *problem_path;
    /* as run */
    char *sweep_xml;
    int nsetting;
    /* of <set>, then of the command line */
    sal_setting *setting;
    int naxis;
    int ngroup;
    sal_axis *axis;
    int npoint;
    /* [npoint] number in the whole grid */
    int *grid;
    /* [npoint] the point whose motion this one's cells begin with, which has a smaller place in
     * `order`; -1: none */
    int *before;
    /* [npoint] points, those before first */
    int *order;
    int nrepeat;
    /* NULL: repeats are alike but for nothing; then nrepeat is 1 */
    char *repeat_path;
    long repeat_first;
    sal_keep keep;
    int ncontinuation;
    sal_continuation *continuation;
    /* [npoint] which continuation `before` is along; -1 */
    int *along;
    /* s, bytes that a cell may take; 0: no limit */
    double cell_time, cell_memory;
    /* of a cell that crashes or runs out of time or memory */
    int tries;
    /* what is kept of cells is synced to the disk; set by the caller */
    bool sync;
    int ncolumn;
    sal_table_column *column;
    int ncell;
    /* [ncell] names of the cells: digests of all that goes into them */
    char (*hash)[SAL_HASH_SIZE];
    /* the model of the cell that was read last: each worker process has its own */
    struct prb_known_model *known;
} sal_sweep;

/* Reads a sweep file and the first of its problems. All faults to diag. The caller frees. */
sal_status sal_sweep_read(sal_sweep **s, const char *path, const sal_problem_options *options,
                          sal_diag *diag, sal_err *err);
void sal_sweep_free(sal_sweep *s);
/* Which value of an axis a point has. */
int sal_sweep_value(const sal_sweep *s, int point, int axis);

/* X(code, name): how a cell came out. The first two are results and final; of the others, which the
 * machine made, `tries` are made in a run, and new ones in the next */
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

const char *sal_outcome_name(sal_outcome_kind kind);

/* plain bytes: it goes through pipes and messages */
typedef struct sal_outcome {
    int cell;
    int source;
    sal_outcome_kind kind;
    /* it was there already */
    bool found;
    double cost;
    double seconds;
    char why[240];
} sal_outcome;

/* Solves cell `index` into `folder`, whoever else works there, or finds that this is done. source:
 * the cell whose motion it begins with, -1: none. tries: made so far, for the record. While it runs
 * its checkpoint is in the folder, and stays there where it was cut short: the next call goes on
 * from it. The watch need not name that; its checkpoint_after counts. */
void sal_sweep_solve(sal_outcome *out, const sal_sweep *s, const char *folder, int index,
                     int source, int tries, int nthread, const sal_watch *watch);
/* Records that a cell failed, as *out says; not where it is done. Its checkpoint is removed. */
sal_status sal_sweep_fail(const sal_sweep *s, const char *folder, const sal_outcome *out, int tries,
                          sal_err *err);
/* Removes the checkpoint of a cell that nobody works on: its next try is one from the beginning. */
void sal_sweep_begin_anew(const sal_sweep *s, const char *folder, int index);
/* Makes the folder and writes down what is going to be in it. SAL_BADPATH if it cannot be. */
sal_status sal_sweep_begin(const sal_sweep *s, const char *folder, sal_err *err);

/* Whose turn it is. */
typedef struct sal_schedule sal_schedule;

typedef struct sal_tally {
    /* of this shard */
    int cells;
    /* that are done */
    int physical, unsolved, failed;
    /* waiting: neither done nor running */
    int running, waiting;
    /* of those done: before this run, or by another */
    int reused;
} sal_tally;

/* Shard i of n, 0 <= i < n, has the cells of every n-th chain of points along the first
 * continuation, and those that these begin with. What the folder holds already is done; NULL:
 * nothing. */
sal_status sal_schedule_new(sal_schedule **out, const sal_sweep *s, const char *folder, int shard,
                            int nshard, sal_err *err);
void sal_schedule_free(sal_schedule *q);
/* A cell to be solved now, from the motion of *source (-1: none), its (*tries)-th time; -1: none at
 * present. Cells that another run works on come back when nothing else is left. */
int sal_schedule_next(sal_schedule *q, int *source, int *tries);
/* What came of it. True if it is to be recorded as failed now. A cell that was never begun may be
 * given back as SAL_CELL_STOPPED. */
bool sal_schedule_done(sal_schedule *q, const sal_outcome *out);
void sal_schedule_tally(const sal_schedule *q, sal_tally *tally);
/* Whether all cells are done. */
bool sal_schedule_is_done(const sal_schedule *q);

/* ---- what a sweep has found ---- */

/* of a cell that is done */
typedef struct sal_record {
    /* of its result; "failed": it has none */
    char status[64];
    /* of its outcome */
    char kind[16];
    int exit_code;
    int tries;
    /* the cell whose motion it began with; "": none */
    char from[SAL_HASH_SIZE];
    char version[96];
    char reason[240];
    double seconds;
    /* of the motion's file, 0: none; and its digest */
    size_t bytes;
    char sha256[SAL_HASH_SIZE];
    int nfigure;
    sal_figure *figure;
} sal_record;

/* What is in the folder of a sweep: its plan and the records of those cells that are done. */
typedef struct sal_sweep_view {
    char *folder;
    char *name;
    int naxis;
    int ncolumn;
    int nrepeat;
    int ncell;
    /* [naxis] names */
    char **axis;
    /* [ncolumn] as the sweep's file says; 0: none said */
    sal_table_column *column;
    char (*hash)[SAL_HASH_SIZE];
    /* [ncell x naxis] */
    char **value;
    /* [ncell] */
    int *point, *repeat;
    /* [ncell] status "" where the cell is not done */
    sal_record *record;
    /* [ncell] its motion is there */
    bool *motion;
    /* what names and values point into */
    char *text;
} sal_sweep_view;

/* SAL_BADPATH if it is not the folder of a sweep. The caller frees. */
sal_status sal_sweep_look(sal_sweep_view **view, const char *folder, sal_err *err);
void sal_sweep_view_free(sal_sweep_view *view);
/* The path of a cell's motion, in path [n]. */
void sal_sweep_motion(char *path, size_t n, const char *folder, const char *hash);

/* ---- the table of a sweep ---- */

/* X(code, name): what a column may show beside the axes and the figures of results; none but
 * `seconds`, `tries` and `version` depends on how the cells were run */
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

/* X(code, name): a number that says something of a column's values in the physical cells of a
 * group */
#define SAL_AGGREGATE_LIST(X)                                                                      \
    X(SAL_AGGREGATE_MIN, "min")                                                                    \
    X(SAL_AGGREGATE_MEAN, "mean")                                                                  \
    X(SAL_AGGREGATE_MEDIAN, "median")                                                              \
    X(SAL_AGGREGATE_MAX, "max")                                                                    \
    X(SAL_AGGREGATE_STD, "std") /* sqrt(sum (x - mean)^2 / (n - 1)); nothing for n = 1 */          \
    X(SAL_AGGREGATE_SUM, "sum")                                                                    \
    X(SAL_AGGREGATE_COUNT, "count") /* of numbers */

/* Lists are separated by commas; a SOURCE is the name of an axis, a figure, or one of
 * SAL_TABLE_SOURCE_LIST. `figure:NAME` is a figure that shares its name with one of the others. */
typedef struct sal_table_options {
    /* SOURCE or HEADING=SOURCE, or min:SOURCE ..; NULL: axes, repeat, status, what the sweep's file
     * says, reason; with a + before the list: these, and those of the list */
    const char *columns;
    /* a condition; NULL: all cells */
    const char *where;
    /* SOURCE or -SOURCE (descending), or headings; what is not there comes last; NULL: as the cells
     * are numbered */
    const char *sort;
    /* SOURCE: a row for all cells with the same values; NULL: a row for every cell */
    const char *group;
    /* of each point's cells the physical one of lowest cost; where there is none, one without
     * figures that says why */
    bool best;
} sal_table_options;

typedef struct sal_table {
    int ncol;
    int nrow;
    /* [ncol] headings */
    const char **name;
    /* [nrow x ncol] */
    sal_value *value;
    /* [nrow] the row's cell, or the first of its group */
    int *cell;
    /* cells among the rows' that are done and without solution */
    int nhole;
    /* that are not done */
    int nwaiting;
    void *words;
} sal_table;

/* Chooses, sorts and groups what is in the view, which must outlive the table. Faults of the
 * options to diag. The caller frees. */
sal_status sal_table_make(sal_table **table, const sal_sweep_view *view,
                          const sal_table_options *options, sal_diag *diag, sal_err *err);
void sal_table_free(sal_table *t);

/* CSV (RFC 4180) and JSON (an array of an object for every row) have numbers with as few digits as
 * read back, Markdown with six; what is not there is empty, and null in JSON. */
typedef enum sal_table_format {
    SAL_TABLE_CSV,
    SAL_TABLE_JSON,
    SAL_TABLE_MARKDOWN
} sal_table_format;

void sal_table_write(sal_text *out, const sal_table *t, sal_table_format format);

#endif
