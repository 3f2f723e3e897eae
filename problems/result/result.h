/* result.h: what the files that make, store and show results share; private to problems/. */
#ifndef SAL_PROBLEMS_RESULT_RESULT_H
#define SAL_PROBLEMS_RESULT_RESULT_H

#include "base/house.h"
#include "problems/problems.h"

/* What the columns of an array stand for: it decides their names and units (columns.c). */
typedef enum prb_column {
    PRB_COL_ONE, /* a single column, named by its array */
    PRB_COL_QPOS,
    PRB_COL_QVEL,
    PRB_COL_QACC,
    PRB_COL_QFRC,
    PRB_COL_DOF, /* per dof, without unit */
    PRB_COL_CTRL,
    PRB_COL_ACT,
    PRB_COL_SENSOR,
    PRB_COL_BODY_POS,
    PRB_COL_BODY_QUAT,
    PRB_COL_XYZ,
    PRB_COL_QUAT,
    PRB_COL_FRAME,
    PRB_COL_WRENCH,
    PRB_COL_GEOMS,
    PRB_COL_SIZE,
    PRB_COL_RGBA,
    PRB_COL_RANGE
} prb_column;

/* X(name, columns, kind, unit): arrays of T = nstep + 1 rows, in the order in which they are
 * stored. Sizes are the model's. */
#define PRB_RESULT_ROWS(X)                                                                         \
    X(time, 1, PRB_COL_ONE, "s")                                                                   \
    X(qpos, m->nq, PRB_COL_QPOS, NULL)                                                             \
    X(qvel, m->nv, PRB_COL_QVEL, NULL)                                                             \
    X(qacc, m->nv, PRB_COL_QACC, NULL)                                                             \
    X(qfrc_inverse, m->nv, PRB_COL_QFRC, NULL)                                                     \
    X(qfrc_actuator, m->nv, PRB_COL_QFRC, NULL)                                                    \
    X(qfrc_passive, m->nv, PRB_COL_QFRC, NULL)                                                     \
    X(qfrc_constraint, m->nv, PRB_COL_QFRC, NULL)                                                  \
    X(qfrc_unactuated, m->nv, PRB_COL_QFRC, NULL)                                                  \
    X(ctrl, m->nu, PRB_COL_CTRL, NULL)                                                             \
    X(act, m->na, PRB_COL_ACT, NULL)                                                               \
    X(sensordata, m->nsensordata, PRB_COL_SENSOR, NULL)                                            \
    X(xpos, 3 * m->nbody, PRB_COL_BODY_POS, "m")                                                   \
    X(xquat, 4 * m->nbody, PRB_COL_BODY_QUAT, "1")

/* X(type, name, columns, kind, unit): arrays contact_NAME of K rows, one for each contact of each
 * step */
#define PRB_RESULT_CONTACTS(X)                                                                     \
    X(int, geom, 2, PRB_COL_GEOMS, "1")                                                            \
    X(double, pos, 3, PRB_COL_XYZ, "m")                                                            \
    X(double, frame, 9, PRB_COL_FRAME, "1")                                                        \
    X(double, dist, 1, PRB_COL_ONE, "m")                                                           \
    X(double, force, 6, PRB_COL_WRENCH, NULL)                                                      \
    X(double, slip, 1, PRB_COL_ONE, "m/s")

/* ---- memory (result.c) ---- */

/* A result without a motion yet: room for nstep + 1 rows, no contacts. Takes the model, whatever it
 * returns. */
sal_status prb_result_new(sal_result **result, sal_model *model, int nstep, sal_err *err);
/* Room for at least `capacity` contacts; what is there is kept. */
sal_status prb_result_reserve(sal_result *result, int capacity, sal_err *err);
/* Moves what stands at the head of a file (status and provenance) from `head`, which is freed. */
void prb_result_take_head(sal_result *result, sal_result *head);
/* The file of a result, as bytes (result_hdf5.c); the caller frees. */
sal_status prb_result_compose(const sal_result *result, char **bytes, size_t *n, sal_err *err);
/* *copy = the first n bytes of text and a zero; the caller frees. */
sal_status prb_result_text(char **copy, const char *text, size_t n, sal_err *err);

/* The travel of a cycle along its image's direction, m; negative backwards, 0 if it stays. */
double prb_result_length(const sal_result *result);

/* ---- rows (result_evaluate.c) ---- */

/* Version of saltus, texts of the model; status, boundary and problem are the caller's. */
sal_status prb_result_describe_model(sal_result *r, sal_err *err);
/* Row t: what follows from positions and velocities; accelerations and forces; both clear to nan
 * what is not known. */
void prb_result_put_state(sal_result *r, const sal_data *d, int t);
void prb_result_put_forces(sal_result *r, const sal_data *d, int t);
void prb_result_clear_forces(sal_result *r, int t);
/* nan for sensors that have no value; without forces also those of the last stage. */
void prb_result_clear_sensors(sal_result *r, int t, bool forces);
/* The contacts of row t, with the rows put in order; without forces those are nan. */
sal_status prb_result_put_contacts(sal_result *r, const sal_data *d, int t, bool forces,
                                   sal_err *err);
/* Weight of the moving mass, and the largest unactuated force and torque. */
void prb_result_find_extremes(sal_result *r);
/* Whether a dof is an angle: its force is a torque. */
bool prb_result_dof_turns(const sal_model *m, int dof);

/* ---- names and units (columns.c) ---- */

enum { PRB_COLUMN_NAME = 128 };

/* The name of an object, or KIND_ID if it has none. */
void prb_object_name(char name[PRB_COLUMN_NAME], const sal_model *m, sal_object type, int id);
/* The name of column i: an object's own where it has one column (`left_knee`), else with its index
 * behind a colon (`root:3`). */
void prb_column_name(char name[PRB_COLUMN_NAME], const sal_model *m, prb_column kind, int i,
                     const char *array);
/* Its unit, SI; "1" if it has none. */
const char *prb_column_unit(const sal_model *m, prb_column kind, int i);

/* "work": {kind: seconds, ..} as the next member of an object */
void prb_work_json(sal_json *json, const sal_result *result);

/* Attributes and elements of two XML documents: by name where they have one, else by their place
 * among their kind. As sal_result_compare. */
sal_status prb_file_compare(sal_difference **list, int *n, const char *group, const sal_xml *first,
                            const sal_xml *second, sal_err *err);

#endif
