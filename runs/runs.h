/* runs.h: a model run through time: a simulation, the replay of a result by forward dynamics, and
 * the forces of a motion in a table. */
#ifndef SAL_RUNS_H
#define SAL_RUNS_H

#include "base/house.h"
#include "problems/problems.h"

/* ---- the replay of a result ---- */

typedef struct sal_replay {
    /* largest one-step errors, tangent space, SI */
    double onestep_qpos, onestep_qvel;
    /* where the larger of the two occurs */
    int onestep_step, onestep_dof;
    /* of activations */
    double onestep_act;
    /* [nstep] largest error after each step of the rollout */
    double *rollout_qpos, *rollout_qvel;
    int nstep;
} sal_replay;

/* Steps the motion through the forward engine from every (q_t, v_t), and once from the first all
 * the way; driven by ctrl, or by qfrc_inverse. */
sal_status sal_result_replay(sal_replay *replay, const sal_result *result, bool forces,
                             sal_err *err);
void sal_replay_clear(sal_replay *replay);

/* ---- feedback about the motion of a result ---- */

/* Gains of the controls on the deviation from the motion:
 *
 *     u = u_t + K_t (x (-) x_t)         x = (q, v, act), n = 2 nv + na numbers in the tangent space
 *
 * They minimise sum dx'Q dx + du'R du along the linearised motion (Anderson, Moore, "Optimal
 * control: linear quadratic methods", 1990): of a cycle, repeated for ever; of an open motion, to
 * its end and a second of staying there. Q and R are diagonal, see weight and price. */
typedef struct sal_gains {
    /* rows: the steps of the result */
    int nstep;
    int n, nu;
    /* [nstep x nu x n] by rows */
    double *K;
    /* [n] of Q: 1/(0.1 m or rad)^2, 1/(1 m/s or rad/s)^2, 1/0.1^2 of activations; [nu] of R:
     * 1/(0.1 c)^2, c half the range of a control, or the largest in the motion of one without range
     * (1 if it is rounding only) */
    double *weight, *price;
    /* steps whose derivatives are by differences, since they are not known exactly */
    int differences;
    /* times that the recursion went round a cycle; 1 for an open motion */
    int periods;
} sal_gains;

/* SAL_UNSUPPORTED for a model without actuators; SAL_DIVERGED where no feedback can hold a
 * cycle. The caller frees. */
sal_status sal_gains_new(sal_gains **gains, const sal_result *result, sal_err *err);
void sal_gains_free(sal_gains *gains);
/* The motion and the gains of a cycle or an open motion: a table with 17 significant digits, or a
 * copy of the result with a group /feedback (see docs/result.md). A mirrored cycle has two periods
 * of rows, so that the next row is the first again, but for the travel. */
sal_status sal_gains_csv(const sal_gains *gains, const sal_result *result, sal_text *out,
                         sal_err *err);
sal_status sal_gains_write(const sal_gains *gains, const sal_result *result, const char *path,
                           sal_err *err);

/* ---- a motion brought into the model as it is ---- */

/* For a problem with finish="model" or "try" and a physical *result of it: the motion in the model
 * as its file has it: contacts, time step and integrator. *result becomes that motion's, with the
 * work of both. Where none is found, it becomes the nearest to it, with a finding that says why; of
 * "try" it stays as it is, also where the other is not as asked, but for such a finding. Other
 * results stay as they are. See docs/problem_file.md. */
sal_status sal_problem_finish(sal_result **result, const sal_problem *p, int nthread,
                              const sal_watch *watch, sal_err *err);
/* sal_problem_solve, and sal_problem_finish where finish= asks for it. With "model", where a motion
 * that is as asked cannot be finished, or is not as asked in the model as it is, up to three other
 * motions are sought with other seeds; the first that is both counts, else one that is finished.
 * Its iterations are its own, its computing time is that of all. */
sal_status sal_problem_reach(sal_result **result, const sal_problem *p, int nthread,
                             const sal_watch *watch, sal_err *err);

/* ---- a recording beside the motion that follows it ---- */

/* Where a largest value occurs: of which joint (NULL: of none), when (s). */
typedef struct sal_recorded_peak {
    double value;
    const char *joint;
    double time;
} sal_recorded_peak;

/* What is wrong with a motion: of the recording with the best forces of contacts that it allows, of
 * the motion found with those it has. */
typedef struct sal_recorded_figures {
    /* force and torque (over 1 m) on the root that neither actuators nor contacts give, as a share
     * of the weight: root mean square over the steps, largest */
    double root;
    sal_recorded_peak root_most;
    /* m: how deep the lowest geom is in the floor: in 99 % of the steps at most, largest */
    double depth;
    sal_recorded_peak depth_most;
    /* m: how deep two bodies of the mechanism are within each other, largest, and which; 0: none
     * are */
    sal_recorded_peak inside;
    char pair[2][SAL_LABEL_MAX];
    /* m: how high the lowest geom is over the floor where the motion of the centre of mass asks
     * for a tenth of the weight: mean, largest */
    double hover;
    sal_recorded_peak hover_most;
    /* m/s: sum N s / sum N, s the speed of sliding where the floor pushes with N */
    double slip;
    /* largest force of an actuator on a joint over its limit; NaN: nothing is limited */
    sal_recorded_peak load;
} sal_recorded_figures;

typedef struct sal_recorded {
    sal_recorded_figures recording, found;
    /* rad: of hinges from the recording, root mean square; of the worst */
    double joints;
    sal_recorded_peak joint_most;
    /* m, rad: of the root's pose, root mean square; NaN: it has no free joint */
    double place, turn;
    /* m: of recorded markers from their sites, root mean square of all and of the worst, and which
     * that is; NaN: there are none */
    double markers, marker_most;
    char marker[64];
    /* what no controls can do of the recording: a line each */
    sal_text impossible;
} sal_recorded;

/* Compares; *known: false, and nothing else, where the result has no recording. Clear whatever is
 * returned. */
sal_status sal_recorded_compare(sal_recorded *c, bool *known, const sal_result *result,
                                sal_err *err);
void sal_recorded_clear(sal_recorded *c);
/* Adds them to *n figures, which stay where there is no recording: recorded[..], found[..],
 * deviation[..]. */
sal_status sal_recorded_add_figures(const sal_result *result, sal_figure **figure, int *n,
                                    sal_err *err);
/* Adds the names of these, a line each. */
void sal_recorded_figure_names(sal_text *names);
/* The table that compares them, as words; how many rows it has. */
enum { SAL_RECORDED_ROWS = 9, SAL_RECORDED_CELL = 96 };
typedef struct sal_recorded_row {
    char what[SAL_RECORDED_CELL], recording[SAL_RECORDED_CELL], found[SAL_RECORDED_CELL];
} sal_recorded_row;
int sal_recorded_rows(sal_recorded_row row[SAL_RECORDED_ROWS], const sal_recorded *c);
/* Appends it for a terminal, and what is impossible; the next member of an object. */
void sal_recorded_text(sal_text *out, const sal_recorded *c);
void sal_recorded_json(sal_json *json, const sal_recorded *c);

/* ---- force plates ---- */

/* Classical inverse dynamics: the poses that fit the markers of `problem` best (the text of a
 * problem that sal_follow_markers wrote), low-passed, with the forces that plates measured, from a
 * file, on the feet. The result has them as contacts; qfrc_unactuated is what is left on the root.
 * Times at which it is not known what the plates bear have no forces (NaN). notes: what was found,
 * a line each. The caller frees. */
sal_status sal_plates_inverse(sal_result **result, sal_text *notes, const char *problem,
                              const char *plates, sal_diag *diag, sal_err *err);

/* A motion beside what plates measured, of one foot. Forces are compared where the plates are
 * known, stance is where they measure 2 % of the weight. */
enum { SAL_PLATES_FEET = 2, SAL_PLATES_JOINTS = 3 };
typedef struct sal_plates_foot {
    /* of the vertical force; its error over stance, rms, over the weight */
    double vertical, error;
    /* correlation of the force along the way; NaN: there is no way to speak of */
    double fore_aft;
    /* m, N m: rms over where both carry a tenth of the weight */
    double pressure, free_moment;
    /* s: largest difference of the times at which 5 % of the weight are crossed; how many */
    double contact;
    int ncontact;
    /* N m of hip, knee and ankle in the sagittal plane, both low-passed at 6 Hz: the largest
     * measured, and what the motion has of that sign; rms of the difference */
    double measured[SAL_PLATES_JOINTS], found[SAL_PLATES_JOINTS], off[SAL_PLATES_JOINTS];
} sal_plates_foot;
/* Right and left. `measured` is from sal_plates_inverse; SAL_BADINPUT where the two are not of the
 * same model and steps. */
sal_status sal_plates_compare(sal_plates_foot foot[SAL_PLATES_FEET], const sal_result *found,
                              const sal_result *measured, sal_err *err);
/* For a terminal; the next member of an object: "plates". */
void sal_plates_text(sal_text *out, const sal_plates_foot foot[SAL_PLATES_FEET]);
void sal_plates_json(sal_json *json, const sal_plates_foot foot[SAL_PLATES_FEET]);

/* ---- a solved motion with more steps or harder contacts ---- */

/* What is asked of the motion; what is 0 or false stays as it is. */
typedef struct sal_hardening {
    /* so many times as many steps; or steps of about so many seconds, or as long as the model's. At
     * most one of them; the duration stays */
    int refine;
    double timestep;
    bool model_timestep;
    /* of the smoothing table at its end: m; 0 .. 1; friction to normal impedance; s */
    double width, dmax, impratio, timeconst;
    /* the contacts of the model instead; with model_timestep the model as it is, as
     * sal_problem_finish does it */
    bool model_contact;
    /* where the files of the problem and of its model lie; model may be NULL: as the problem
     * says */
    const char *problem, *model;
} sal_hardening;

/* *result, a physical motion of a problem, becomes one that is solved again from there, with a
 * finding that says from what; or, where that is not found, the one with the hardest contacts that
 * was, with a finding that says why. Its problem has the contacts and the steps of the motion.
 * SAL_BADINPUT, and *result as it was: it is no such motion, or the problem or its model have
 * changed. See docs/command.md. */
sal_status sal_result_harden(sal_result **result, const sal_hardening *asked, int nthread,
                             const sal_watch *watch, sal_err *err);

/* ---- the motion of a result in a model of the user's ---- */

typedef struct sal_rollout_options {
    /* drive it by qfrc_inverse instead of ctrl */
    bool forces;
    /* s; 0: one period, or all of an open motion, which never lasts longer */
    double time;
    /* m, rad: a joint or a body that is farther from the motion than this has departed from it */
    double tolerance;
    /* of this result; NULL: without feedback. Not with forces. It measures once in each row of
     * the motion. Controls are clipped to their ranges. */
    const sal_gains *gains;
    /* what the feedback measures is wrong by so much: standard deviation, m, rad; of velocities ten
     * times as much per second, of activations as much. Drawn from `seed`. */
    double noise;
    unsigned long seed;
    /* N, along x and y of the world, on the heaviest body that can move, for 0.1 s from
     * push_time (s) on */
    double push[2], push_time;
} sal_rollout_options;

/* A largest deviation, and what has it; m or rad */
typedef struct sal_deviation {
    double value;
    /* number in the result's model; -1: none */
    int id;
} sal_deviation;

typedef struct sal_rollout {
    /* done, of the stepped model's own time step; fewer than were asked for: it diverged */
    int nstep;
    double timestep;
    bool diverged;
    /* [nstep] after each step: time, s; the joint that is farthest from the motion (m of slides and
     * of the place of free joints, rad else), and the body whose origin is, m */
    double *time;
    sal_deviation *joint, *body;
    /* [nstep x nq] the configuration after each step, as of the result's model */
    double *qpos;
    /* first step after which one of them is beyond the tolerance; -1: none is */
    int joint_departs, body_departs;
    /* The first time that two bodies push on each other in only one of the two, s; NaN: never.
     * Their names, and the normal forces, N: in the result, in the model */
    double contact_time;
    char contact_body[2][SAL_LABEL_MAX];
    double contact_force[2];
    /* The first time that a body touches the ground (what does not move) which never does in the
     * motion, s; NaN: never */
    double fall_time;
    char fall_body[SAL_LABEL_MAX];
    /* rows in which the feedback would have left the range of a control */
    int clipped;
} sal_rollout;

/* Steps `model` (NULL: the result's own) from the first state of the motion, driven by the controls
 * of the motion: those of the row within whose step the model's step begins. Its joints and
 * actuators are those of the result by name; else SAL_BADINPUT. A rollout that diverges is no
 * error. */
sal_status sal_result_roll(sal_rollout *rollout, const sal_result *result, const sal_model *model,
                           const sal_rollout_options *options, sal_err *err);
void sal_rollout_clear(sal_rollout *rollout);

/* ---- forces of states in a table ---- */

typedef struct sal_inverse_options {
    bool full;
} sal_inverse_options;

/* Forces of the states or the motion in a CSV file (see docs/command.md); contacts may be NULL. */
sal_status sal_inverse_csv(const sal_model *m, const char *path, const sal_inverse_options *options,
                           sal_text *out, sal_text *contacts, sal_diag *diag, sal_err *err);

/* ---- a simulation ---- */

typedef struct sal_simulate_options {
    /* s; 0: as long as the controls last, 1 s without */
    double time;
    /* the keyframe it starts from, by name or number; NULL: qpos0 at rest */
    const char *key;
    /* a table (see docs/simulate.md); NULL: the controls of the keyframe, or 0 */
    const char *controls;
    /* between two rows of the table: interpolated; else the earlier one holds */
    bool linear;
    /* hold forward against inverse dynamics at every step */
    bool fwdinv;
    /* asked before every step; false: stop. May be NULL */
    bool (*go_on)(void *user, double time);
    void *user;
} sal_simulate_options;

typedef struct sal_simulation {
    /* done */
    int nstep;
    double timestep;
    double begin;
    double end;
    /* of the constraint solver, all steps */
    long iterations;
    /* in one step */
    int most_iterations;
    /* steps that ended at the limit on iterations */
    int unconverged;
    /* the first of them */
    double unconverged_time;
    /* largest remainder of the solver */
    double gradient;
    double fwdinv[2],
        /* largest discrepancies (sal_compare_forward_inverse), and when */
        fwdinv_time[2];
    /* first dof at which the mass matrix was not positive definite, -1: none; and when */
    int indefinite_dof;
    double indefinite_time;
    /* the farthest that a joint has turned in one step, rad */
    double turn;
    /* which joint, -1: none; and in which step, from 1 */
    int turn_joint;
    int turn_step;
} sal_simulation;

/* Steps the model through time: rows time, qpos0.., qvel0.., act0.., ctrl0.., sensordata0.. to
 * `table`, and all of the motion to `result`; either may be NULL. SAL_DIVERGED and SAL_INTERRUPTED
 * leave both with what was reached. The caller frees. */
sal_status sal_simulate(sal_simulation *s, const sal_model *m, const sal_simulate_options *options,
                        sal_text *table, sal_result **result, sal_diag *diag, sal_err *err);

/* ---- a motion as a table ---- */

/* time, qpos0.., qvel0.., qacc0.., qfrc_inverse0.., ctrl0.. with 17 significant digits */
sal_status sal_result_csv(const sal_result *result, sal_text *out, sal_err *err);

#endif
