/* read_states.h: states from a table or from a result; private to problems/. */
#ifndef SAL_PROBLEMS_RECORDINGS_READ_STATES_H
#define SAL_PROBLEMS_RECORDINGS_READ_STATES_H

#include "problems/states.h"
#include "signals/csv.h"

/* ---- which column is what ---- */

enum { PRB_FAMILY_QPOS, PRB_FAMILY_QVEL, PRB_FAMILY_QACC, PRB_NFAMILY };

/* "qpos", "qvel", "qacc" */
extern const char *const prb_family_name[PRB_NFAMILY];

int prb_family_size(const sal_model *m, int family);
/* Which number of which family a column holds: qpos0.., qpos:JOINT, qpos:JOINT:k. -1: none, after
 * an error where it should be one, after a warning where nobody knows the column. */
int prb_state_column(const sal_model *m, const sig_csv_column *column, int *family, sal_diag *diag);

/* ---- states ---- */

/* Reads the columns time, qpos and qvel of a table, joints missing at will; others are passed over,
 * with a warning where they are unknown. SAL_BADPATH if it cannot be opened; faults of the table go
 * to diag. Clear whatever is returned. */
sal_status prb_states_read(prb_states *s, const sal_model *m, const char *path, const double *pose,
                           sal_diag *diag, sal_err *err);
/* The rows of a result, joints matched by name; periods 2: and their images, of a mirrored cycle.
 * around: also what comes before them, and in a cycle after them, so that they can be smooth.
 * SAL_BADINPUT if a joint of m is not in it. Clear whatever is returned. */
sal_status prb_states_of_result(prb_states *s, const sal_model *m, const sal_result *r, int periods,
                                bool around, sal_err *err);
#endif
