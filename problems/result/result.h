/* result.h: a result, and what the files that make, store and show results share. Private to
 * problems/ and the rooms above it. */
#ifndef SAL_PROBLEMS_RESULT_RESULT_H
#define SAL_PROBLEMS_RESULT_RESULT_H

#include "problems/problem.h"

/* ---- a result ---- */

/* a largest absolute value and where it occurs */
typedef struct prb_extreme {
    double max;
    int dof;
    double time;
} prb_extreme;

typedef struct prb_term_report {
    char name[64];
    /* value: weighted; share of the cost, 0..1 */
    double value, share;
} prb_term_report;

/* Where a recorded marker was found to be beside its site, in the axes of the site's body, m. */
typedef struct prb_marker_report {
    char site[64];
    double offset[3];
} prb_marker_report;

/* Markers that were recorded and the sites that follow them, in the motion found. */
typedef struct prb_marker_fit {
    /* m, root mean square over all and over the worst, which is `site`; NaN: none was followed */
    double rms, worst;
    char site[64];
    /* m, rms that the model had where it was made (its numbers rms_MARKER); NaN: not known */
    double model;
} prb_marker_fit;

typedef struct prb_constraint_report {
    char name[64], what[64],
        /* what: which of its numbers, "" if it has one; unit: "" where that is the actuator's or
         * sensor's */
        unit[16];
    /* in units of the quantity */
    double violation, tolerance;
    double time;
} prb_constraint_report;

/* Something the motion is judged by once it is found: met where found <= allowed. */
typedef struct prb_requirement_report {
    /* what asks for it: "term[arrive]/target", "require/slip"; what: the body, or which of the
     * target's numbers; unit: "" where that is the actuator's or sensor's */
    char name[80], what[128], unit[16];
    double found, allowed;
    /* s; NaN: not at one time */
    double time;
} prb_requirement_report;

typedef struct prb_iteration {
    int start;
    int linearisation;
    char phase[12];
    double softness;
    double cost;
    double violation;
    double step;
    double damping;
} prb_iteration;

struct sal_result {
    /* "converged", .. */
    char status[64];
    /* 0 converged and as asked, 1 stopped before or not as asked, 4 infeasible, 130 interrupted */
    int exit_code;
    /* It is the motion of a problem, and was judged (judge.c): physical and what was asked for. Not
     * of simulations, identifications and files of earlier versions. */
    bool judged, as_asked;
    /* It was to be brought into the model as it is (runs/finish.c), and is physical there. */
    bool to_finish, finished;
    /* provenance */
    char version[32];
    char git[48];
    /* of the start that won */
    unsigned long seed;
    int start;
    sal_mujoco mujoco;
    bool contact_table;
    /* also that of `model` */
    sal_contact_option contact;
    char *problem_name;
    char *problem_xml;
    char *model_xml;
    char sha256_problem[65];
    char sha256_model[65];
    /* of the numbers that the problem's tables, recordings and results had; empty: not known */
    char sha256_data[65];
    /* the model that replays this motion, and the motion */
    sal_model *model;
    /* Of a motion that was found only so: [T] 1: this step is physical with the contacts and limits
     * of `softer`, which is else like `model`; and its text. NULL: all steps are with `model`. */
    int *soft;
    sal_model *softer;
    char *softer_xml;
    prb_boundary boundary;
    double travel[3];
    /* how the floor of its recordings was found to lie */
    prb_recorded_floor floor;
    /* s: the time of its recording, where it has a single one, that is time 0 here */
    double recording_start;
    /* those of its recordings that may be beside their sites */
    int nmarker;
    prb_marker_report *marker;
    /* cycle, else NULL */
    sal_image *image;
    /* T = nstep + 1 rows below; forces, qacc and ctrl of the last are NaN */
    int nstep;
    double timestep;
    double *time;
    double *qpos;
    double *qvel;
    double *qacc;
    double *qfrc_inverse;
    double *qfrc_actuator;
    double *qfrc_passive;
    double *qfrc_constraint;
    double *qfrc_unactuated;
    double *ctrl;
    double *act;
    double *sensordata;
    double *xpos;
    double *xquat;
    /* [nq] q_{-1} */
    double *qpos_before;
    /* [T x nq] of a motion that began with a recording (<init data=>): its poses; NULL: no
     * recording */
    double *qpos_recorded;
    /* contacts of step t: offset[t] .. offset[t+1] - 1; also of the last row, with forces NaN */
    int ncontact;
    /* [T+1], [K x 2] */
    int *contact_offset, *contact_geom;
    double *contact_pos, *contact_frame, *contact_dist, *contact_force,
        /* K x 3, 9, 1, 6, 1 */
        *contact_slip;
    prb_marker_fit marker_fit;
    /* what was found */
    double cost;
    int nterm;
    int nconstraint;
    int niteration;
    int nfinding;
    /* room for PRB_NREQUIRE more than prb_summarise fills */
    int nrequirement;
    prb_requirement_report *requirement;
    /* the diagnosis, in the order of the list */
    sal_finding *finding;
    prb_term_report *term;
    /* [T x nterm] what each instant adds to a term; NaN where the term is of a mean, to which no
     * instant adds by itself. NULL: not known (files of earlier versions) */
    double *term_over_time;
    prb_constraint_report *constraint;
    prb_iteration *iteration;
    /* unactuated: N on translational dofs, N m on rotational ones */
    prb_extreme force, torque;
    /* larger of force/W and torque/(W 1 m); W in N */
    double relative_to_weight, weight;
    double physical_tolerance;
    /* What a room above added to the motion (identify/identify.h: sal_identification_of): its
     * functions, and the part itself; both NULL: nothing. */
    const struct prb_part_kind *part_kind;
    void *part;
    sal_optim_result optim;
    /* these and the next two go to run.json only: the files of the problem and of its model, as
     * they were named; NULL: not known */
    char *problem_path, *model_path;
    double seconds;
    /* seconds of the winning start, where a clock was given; else 0 */
    double work[SAL_NWORK];
    /* memory: term, constraint, requirement, iteration and finding are from sal_alloc */
    void *block;
    void *contact_block;
    int contact_capacity;
};

/* ---- its arrays ---- */

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
/* What an earlier solve took, from which this one went on, is part of what it took: iterations,
 * evaluations, time. */
sal_status prb_result_continue(sal_result *result, const sal_result *before, sal_err *err);
/* The file of a result, as bytes (result_hdf5.c), and their digest (NULL: not wanted); the caller
 * frees. */
sal_status prb_result_compose(const sal_result *result, char **bytes, size_t *n, char sha256[65],
                              sal_err *err);
/* Where its problem and the model lie, as they were named; what is known already stays. */
sal_status prb_result_places(sal_result *r, const sal_problem *p, sal_err *err);
/* *copy = the first n bytes of text and a zero; the caller frees. */
sal_status prb_result_text(char **copy, const char *text, size_t n, sal_err *err);

/* The exit_code of a result that ended so; of a simulation: converged, interrupted or failed. */
int prb_result_exit_code(sal_stop stop);

/* ---- whether it is as asked (judge.c) ---- */

/* Whether the search ended with a physical motion, as asked or not. */
bool prb_result_is_solved(const sal_result *result);
/* Not of simulations and of inverse dynamics: they have no cost, and no search. */
bool prb_result_has_problem(const sal_result *result);
bool prb_requirement_is_met(const prb_requirement_report *report);
enum { PRB_VERDICT = 128 };
/* In words: "physical, and as asked", ..; "" where it was not judged. */
void prb_verdict(const sal_result *result, char text[PRB_VERDICT]);

/* The model with which step t is physical. */
const sal_model *prb_result_model_at(const sal_result *result, int t);

/* The travel of a cycle along its image's direction, m; negative backwards, 0 if it stays. */
double prb_result_length(const sal_result *result);

/* m, rms: how far the nmarker > 0 markers are beside their sites, and which is the farthest
 * (markers.c). */
double prb_markers_beside(const sal_result *result, int *farthest);

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
/* The same for findings: its name or, as in problem files, "#3". */
void prb_object_word(char name[PRB_COLUMN_NAME], const sal_model *m, sal_object type, int id);
/* The name of column i: an object's own where it has one column (`left_knee`), else with its index
 * behind a colon (`root:3`). */
void prb_column_name(char name[PRB_COLUMN_NAME], const sal_model *m, prb_column kind, int i,
                     const char *array);
/* Its unit, SI; "1" if it has none. */
const char *prb_column_unit(const sal_model *m, prb_column kind, int i);

/* "work": {kind: seconds, ..} as the next member of an object */
void prb_work_json(sal_json *json, const sal_result *result);

/* "physical", "as_asked", "verdict", and "finished" where that was asked for: of what was judged,
 * the next members of an object */
void prb_verdict_json(sal_json *json, const sal_result *result);

/* Attributes and elements of two XML documents: by name where they have one, else by their place
 * among their kind. As sal_result_compare. */
sal_status prb_file_compare(sal_difference **list, int *n, const char *group, const sal_xml *first,
                            const sal_xml *second, sal_err *err);

#endif
