/* controls.h: a table of controls over time; private to runs/. */
#ifndef SAL_PROBLEMS_SOLVE_CONTROLS_H
#define SAL_PROBLEMS_SOLVE_CONTROLS_H

#include "physics/physics.h"
#include "signals/csv.h"

typedef struct run_controls {
    sig_csv csv;
    /* the table has a column time; else row k is for step k */
    bool timed;
    /* between two rows: interpolated; else the earlier row holds */
    bool linear;
    /* ncol: controls given, in the order of `actuator` */
    int nrow, ncol;
    /* [ncol + 1] columns of the table, the time first if there is one */
    int *pick;
    /* [ncol] */
    int *actuator;
    /* [nrow x (timed + ncol)] */
    double *data;
    /* [nrow] */
    sal_place *place;
} run_controls;

/* Reads a table whose columns are ctrl0.., ctrl:NAME or NAME, and perhaps time; columns of states
 * and forces that saltus writes itself are passed over, any other is an error. A last row that
 * holds nan (a motion's end, which has no control) does not count. To be cleared whatever is
 * returned. */
sal_status run_controls_read(run_controls *c, const sal_model *m, const char *path, bool linear,
                             sal_diag *diag, sal_err *err);
void run_controls_clear(run_controls *c);

/* The length of the table, s: to its last time, or a step of the model for each row. */
double run_controls_length(const run_controls *c, const sal_model *m, double begin);
/* ctrl [nu] at step k, which begins at `time`. Before the first row and after the last: as there.
 * Controls the table does not give stay. */
void run_controls_at(const run_controls *c, const sal_model *m, double *ctrl, int k, double time);

#endif
