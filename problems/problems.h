/* problems.h: what users ask for, from the problem file to the result.
 *
 *     problem_read -> problem_solve { guess -> transcribe -> path, projection, last steps } ->
 *         result_write -> report
 *
 * A problem file names a model, a time structure, terms of a cost, and how to start; see
 * docs/problem_file.md. A result is complete whether the solve succeeded or not; its status says
 * which.
 *
 * sal_problem and sal_result are opaque: functions make, read and free them, and their members are
 * no part of the ABI. What a function returns by pointer to const belongs to the object it was
 * asked of, and lasts until that is freed. Once made, both are only read: several threads may use
 * one at the same time, but for freeing it.
 *
 * Structs that users fill in (sal_problem_options, sal_watch) are part of the ABI and grow only at
 * the end: begin with {0}, so that what is added later has its default. Of structs that are read
 * (sal_finding, sal_figure, sal_difference, sal_recordings_size) all members are part of the ABI.
 *
 * Units are SI and radians; arrays are C-contiguous, row by row.
 */
#ifndef SAL_PROBLEMS_H
#define SAL_PROBLEMS_H

#include "invdyn/invdyn.h"
#include "mjcf/mjcf.h"
#include "optim/optim.h"
#include "physics/physics.h"

SAL_BEGIN_C

/* ---- the problem ---- */

typedef struct sal_problem sal_problem;

/* A function that a program gives, for terms and constraints that name it (function="NAME"; see
 * <function> in docs/problem_file.md): n residuals of the numbers x [nx] that the <input> elements
 * of its <function> name, in their order, at one instant of the motion. Several threads call it at
 * the same time. It is called often and at motions that are not physical yet; a residual that is
 * not finite rejects the step that led there. */
typedef struct sal_function {
    const char *name;
    /* numbers of r, >= 1 */
    int n;
    /* r [n] at instant `step`, 0..nstep: step * duration/nstep, s. Where J is not NULL also dr/dx
     * to J [n x nx], zero before the call. True: J was written; false: its derivatives are to be
     * found by central differences of the function (they need no further inverse dynamics). */
    bool (*call)(void *user, int step, const double *x, int nx, double *r, double *J);
    void *user;
} sal_function;

typedef struct sal_problem_options {
    /* --set, in order */
    const sal_setting *setting;
    int nsetting;
    /* --compat; the default leaves it to <model compat=> */
    sal_mujoco mujoco;
    /* a result that the search begins with, whatever <init> says: as init/result it is part of the
     * problem, without the folder; NULL: none */
    const char *start;
    const char *start_folder;
    /* those that <function> elements name; the caller keeps them as long as the problem */
    const sal_function *function;
    int nfunction;
} sal_problem_options;

/* Reads a problem file and its model. All faults to diag. options may be NULL. The caller frees.
 * A file with <estimate> is refused: it asks for an identification (identify/identify.h). */
SAL_API sal_status sal_problem_read(sal_problem **p, const char *path,
                                    const sal_problem_options *options, sal_diag *diag,
                                    sal_err *err);
/* p may be NULL. */
SAL_API void sal_problem_free(sal_problem *p);

/* As <problem name=> says, or the name of the file without its ending. */
SAL_API const char *sal_problem_name(const sal_problem *p);
/* With the overrides of the problem file; nq, nv, nu, names: physics.h. */
SAL_API const sal_model *sal_problem_model(const sal_problem *p);
/* Steps of the motion that is looked for, which has one row more. */
SAL_API int sal_problem_nstep(const sal_problem *p);

/* How much was recorded, in all recordings of a problem. */
typedef struct sal_recordings_size {
    int nrecording;
    int nsample;
    int nchannel;
    /* sum of the recordings' durations */
    double seconds;
} sal_recordings_size;
/* False, and zeros, where the problem has no <data>. */
SAL_API bool sal_problem_recordings(sal_recordings_size *size, const sal_problem *p);

/* ---- the result ---- */

typedef struct sal_result sal_result;

/* how a caller follows a solve; any member may be NULL */
typedef struct sal_watch {
    /* false: stop */
    bool (*progress)(void *user, int start, const sal_progress *p);
    void *user;
    /* several threads may write to it */
    const sal_log *log;
    /* seconds: the result will say where they went */
    double (*clock)(void);
    /* a folder: where each start is kept after linearisations, for a fiftieth of the time, and at
     * its end */
    const char *checkpoint;
    /* starts found there go on. Those that have ended are not repeated */
    bool resume;
    /* who shares the solve: each of them calls sal_problem_solve with the same problem, and has the
     * same result. Rank 0 alone needs the members above; what it is told to do, and finds where it
     * is to resume, goes for all. Starts then come one after the other. */
    const sal_ranks *ranks;
    /* s: a solve that ends sooner writes no checkpoint */
    double checkpoint_after;
    /* checkpoints survive the end of the process, not a loss of power: nothing waits for the
     * disk */
    bool checkpoint_unsynced;
} sal_watch;

/* Solves with at most nthread threads. A solve that does not converge is not an error: the result
 * says so. The caller frees. */
SAL_API sal_status sal_problem_solve(sal_result **result, const sal_problem *p, int nthread,
                                     const sal_watch *watch, sal_err *err);

/* What a solve of p left in that folder: linearisations of each start there may
 * be (as many as sal_request_nstart says), 0 where it has not begun; whether there is anything.
 * SAL_BADINPUT where that is damaged or belongs to another problem, model or version of saltus. */
SAL_API sal_status sal_checkpoint_look(const sal_problem *p, const char *folder,
                                       int *linearisations, bool *found, sal_err *err);
SAL_API void sal_checkpoint_remove(const char *folder);

/* A result with a motion of p evaluated by model (the final one: contact as it is to be replayed).
 * Fills everything but status, iterations and provenance's start. What the actuators do follows
 * from the forces, or where it does not (see docs/problem_file.md, "Actuators") from the motion's
 * z, NULL: nothing. */
SAL_API sal_status sal_result_evaluate(sal_result **result, const sal_problem *p,
                                       const sal_model *model, const sal_motion *motion,
                                       double travel, sal_err *err);
/* result may be NULL. */
SAL_API void sal_result_free(sal_result *result);

/* result.h5, written to a temporary file beside it, synced, renamed. Equal results give equal
 * bytes. */
SAL_API sal_status sal_result_write(const sal_result *result, const char *path, sal_err *err);
/* SAL_BADPATH if it cannot be opened, SAL_BADINPUT if it is not a result or of a newer format. Of
 * an identification it is the motion alone; sal_request_read_result (identify/identify.h) reads
 * all. */
SAL_API sal_status sal_result_read(sal_result **result, const char *path, sal_err *err);

/* ---- what is in a result ---- */

/* "converged", "infeasible", ..: how the search ended. */
SAL_API const char *sal_result_status(const sal_result *r);
/* 0 converged, physical and as asked, 1 stopped before or not as asked, 4 infeasible, 130
 * interrupted. */
SAL_API int sal_result_exit_code(const sal_result *r);
/* Whether the motion is physical and satisfies what the problem requires (docs/problem_file.md,
 * "What is required"): 1 yes, 0 no, -1 it was not judged (not of a problem of motion, or of an
 * earlier version). */
SAL_API int sal_result_as_asked(const sal_result *r);
/* Whether the motion is physical in the model as its file has it, where the problem asked for that
 * (docs/problem_file.md, "In the model as it is"): 1 yes, 0 no, -1 it did not ask. A motion of
 * sal_problem_solve alone is not: see sal_request_solve (identify/identify.h). */
SAL_API int sal_result_finished(const sal_result *r);
/* The model that replays the motion: nq, nv, nu, na, nbody, names (physics.h). */
SAL_API const sal_model *sal_result_model(const sal_result *r);
/* Steps; arrays over time have nstep + 1 rows. */
SAL_API int sal_result_nstep(const sal_result *r);
/* Sum of all terms, without unit. */
SAL_API double sal_result_cost(const sal_result *r);
/* Of the moving mass, N. */
SAL_API double sal_result_weight(const sal_result *r);
/* The unactuated force and the constraints: the largest of violation / tolerance. At most 1: the
 * motion is physical and keeps the constraints. NaN: the motion is not finite. */
SAL_API double sal_result_violation(const sal_result *r);

/* An array of the motion, nrow x ncol numbers; NULL, 0 x 0: no array of this name. Names as in
 * result.h5 (docs/result.md). T = nstep + 1; nq, nv, .. are the model's; K contacts of all rows:
 *   time                                         T x 1         s
 *   qpos                                         T x nq        m, rad, quaternions w x y z
 *   qvel, qacc                                   T x nv        m/s, rad/s; per s
 *   qfrc_inverse, qfrc_actuator, qfrc_passive, qfrc_constraint, qfrc_unactuated
 *                                                T x nv        N, N m
 *   ctrl, act, sensordata                        T x nu, na, nsensordata   the model's units
 *   xpos, xquat                                  T x 3 nbody, 4 nbody      m, w x y z
 *   contact_pos, contact_frame, contact_dist     K x 3, 9, 1   m, axes (normal first), m
 *   contact_force, contact_slip                  K x 6, 1      N and N m in the frame, m/s
 * Of the last row of time qacc, forces and ctrl are NaN. */
SAL_API const double *sal_result_array(const sal_result *r, const char *name, int *nrow, int *ncol);
/* The two geoms of each contact [K x 2]. The contacts of row t are (*offset)[t] ..
 * (*offset)[t+1] - 1; offset [T + 1]. */
SAL_API const int *sal_result_contacts(const sal_result *r, const int **offset);

/* about a motion that was found, whatever its status */
typedef struct sal_finding {
    /* 2: why it is no solution or not as asked; 1: something to look at; 0: good to know */
    int level;
    /* "violated", "drags", ..: docs/command.md, "Diagnosis" */
    char kind[24];
    /* the joint, geom, term or constraint */
    char what[64];
    /* how much, in its units; when, s; NaN: not at one time */
    double value, time;
    /* as a sentence, with the advice */
    char text[512];
} sal_finding;

/* The diagnosis, n findings, those of the highest level first. */
SAL_API const sal_finding *sal_result_findings(const sal_result *r, int *n);

/* ---- what is done with a result ---- */

/* a number that says something of a result */
typedef struct sal_figure {
    char name[80];
    char unit[16];
    /* NaN: makes no sense here */
    double value;
} sal_figure;

/* All figures of a result; sal_free *figure. */
SAL_API sal_status sal_result_figures(const sal_result *r, sal_figure **figure, int *n,
                                      sal_err *err);

/* Where two results, or two files, differ. */
typedef struct sal_difference {
    /* "status", "problem", "model", "cost", "constraint", "motion", .. */
    const char *group;
    /* path of an attribute, term, joint */
    char name[160];
    /* as text; "" where it is absent */
    char first[96], second[96];
    double size,
        /* of numbers: second - first, or the largest |difference| over the motion and when; else
         * NaN */
        time;
} sal_difference;

/* All differences; equal ones have none. Motions are compared at the rows of the first, the second
 * interpolated there by its share of the duration. The caller frees *list with sal_free. */
SAL_API sal_status sal_result_compare(sal_difference **list, int *n, const sal_result *first,
                                      const sal_result *second, sal_err *err);

/* run.json: arguments, threads, seconds and host, which differ from run to run and therefore stay
 * out of result.h5. */
SAL_API sal_status sal_result_run_json(const sal_result *result, int argc, const char *const *argv,
                                       int nthread, sal_text *out, sal_err *err);
SAL_END_C

#endif
