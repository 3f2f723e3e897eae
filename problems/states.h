/* states.h: positions and velocities over time, from a table or from a result; private to problems/. */
#ifndef SAL_STATES_H
#define SAL_STATES_H

#include "problems/csv.h"
#include "problems/problems.h"

/* ---- which column is what ---- */

enum { SAL_FAMILY_QPOS, SAL_FAMILY_QVEL, SAL_FAMILY_QACC, SAL_NFAMILY };

/* "qpos", "qvel", "qacc" */
extern const char *const sal_family_name[SAL_NFAMILY];

int sal_family_size(const sal_model *m, int family);
/* Which number of which family a column holds: qpos0.., qpos:JOINT, qpos:JOINT:k. -1: none, after an error where it should be one, after a
 * warning where nobody knows the column. */
int sal_state_column(const sal_model *m, const sal_csv_column *column, int *family, sal_diag *diag);

/* ---- states ---- */

typedef struct sal_states {
    int nrow;
    bool timed;
    bool smooth;              /* between rows, which are evenly spaced: cubic instead of straight */
    double *time;             /* [nrow] grows; the row's number where the table has no time */
    double *qpos, *qvel;      /* [nrow x nq], [nrow x nv] */
    unsigned char *pos, *vel; /* [njnt] 1: given; of the others stands the pose, and zero */
} sal_states;

/* Reads the columns time, qpos and qvel of a table, joints missing at will; others are passed over, with a warning where they are unknown.
 * SAL_BADPATH if it cannot be opened; faults of the table go to diag. Clear whatever is returned. */
sal_status sal_states_read(sal_states *s, const sal_model *m, const char *path, const double *pose,
                           sal_diag *diag, sal_err *err);
/* The rows of a result, joints matched by name; periods 2: and their images, of a mirrored cycle. around: also what comes before them, and in
 * a cycle after them, so that they can be smooth. SAL_BADINPUT if a joint of m is not in it. Clear whatever is returned. */
sal_status sal_states_of_result(sal_states *s, const sal_model *m, const sal_result *r, int periods,
                                bool around, sal_err *err);
/* Rows of the pose at time 0, at rest, nothing given. */
sal_status sal_states_new(sal_states *s, const sal_model *m, int nrow, const double *pose,
                          sal_err *err);
void sal_states_clear(sal_states *s);
/* Whether no quaternion of the configuration has length zero. */
bool sal_quaternions_exist(const sal_model *m, const double *qpos);

/* The state at a time: between two rows positions along the geodesic, q_a (+) f (q_b (-) q_a), velocities linear; outside as at the ends.
 * Smooth: by the cubic through the rows on both sides whose slopes are those between neighbours (Catmull and Rom, "A class of local
 * interpolating splines", 1974), in the tangent space at q_a; the accelerations of straight pieces would be all at the rows.
 * qvel may be NULL; scratch [4 nv]. */
void sal_states_at(const sal_states *s, const sal_model *m, double time, double *qpos, double *qvel,
                   double *scratch);

#endif
