/* workspace.h: what an evaluation of a motion works with. */
#ifndef SAL_INVDYN_WORKSPACE_H
#define SAL_INVDYN_WORKSPACE_H

#include "base/house.h"
#include "invdyn/output.h"
#include "physics/abreast/abreast.h"

typedef struct inv_worker {
    /* several steps side by side */
    phy_abreast *abreast;
    /* that of the step at hand, one of abreast's */
    sal_data *d;
    /* [nq] perturbed configuration */
    double *q;
    /* [nv] v_t, v_{t+1}, a_t of the step at hand; a is perturbed in place */
    double *v, *v1, *a;
    /* [width x nv] the same of all steps side by side */
    double *rates[3];
    /* [nv] tangent direction, zero between uses */
    double *e;
    /* [ny] perturbed outputs */
    double *yplus, *yminus;
    /* [width] derivatives of the forces of all steps side by side, if an output asks for exact
     * ones; those of the step at hand, NULL: they are not known yet */
    phy_abreast_jacobian *forces;
    const phy_abreast_jacobian *force;
    /* [ny x nv] by rows: dy / d (q_t, v_t, a_t). Rows of outputs that are known before a stage
     * stay zero in the later ones, columns of dofs that an output never depends on in all */
    double *Dq, *Dv, *Da;
    /* [noutput] 1: by differences at this step */
    unsigned char *differ;
    /* z_t, then z_{t+1}; driven: */
    const double *z;
    /* [nu] what the gains multiply; of all steps side by side [width x nu] */
    double *input, *inputs;
    /* [nv x nu], [nu] d qfrc_actuator, d actuator_force / d input */
    double *Dw, *Fw;
    /* [nu x 3] d ctrl / d (z_t, z_{t+1}, log h) */
    double *Du;
    double *d0, *d1, *e0,
        /* [nv x 3] blocks of d v_t / d(q_{t-1}, q_t) and d v_{t+1} / d(q_t, q_{t+1}), times h */
        *e1;
    /* first step that failed; INT_MAX: none */
    int failed;
    sal_err err;
} inv_worker;

struct sal_invdyn {
    int nv;
    int nq;
    int ny;
    int noutput;
    int nworker;
    int nrotation;
    /* nu if an output is of a driven motion, else 0 */
    int nz;
    /* exact derivatives of forces are asked for */
    bool derives_forces;
    /* some output reads where bodies are, or how they move */
    bool reads_bodies;
    /* some output is a sensor */
    bool reads_sensors;
    /* of a Jacobian: 3 nv + 2 nz + 1 */
    int ncolumn;
    sal_differences how;
    sal_derivatives derivatives;
    sal_output *output;
    /* [noutput] its row in the table of output_table.c */
    const inv_output_kind **kind;
    /* [noutput] after which each is known */
    sal_stage *stage;
    /* [noutput] 1: has exact derivatives, and they are asked for */
    unsigned char *twin;
    /* [nrotation] the first of the three dofs of each ball or free rotation */
    int *rotation;
    inv_worker *worker;
    void *block;
};

/* One call's arguments, as the parallel loop hands them to its body. */
typedef struct inv_call {
    sal_invdyn *w;
    /* the worker that does all; -1: all of them */
    int number;
    const sal_model *m;
    const sal_model *mh;
    const sal_motion *motion;
    double *y;
    double *Y;
} inv_call;

/* What is done of a step t when its inverse dynamics and outputs are known. */
typedef sal_status inv_step(const inv_call *call, inv_worker *worker, int t);
/* Inverse dynamics and outputs of steps 0 .. nstep - 1, several at once; and `step` of each unless
 * that is NULL; work: ns of one step. Reports the earliest failure. (block.c) */
sal_status inv_run_steps(inv_call *call, int nstep, double work, inv_step *step, sal_err *err);
/* The same for all steps of the call's motion, with models that have no sensors where no output
 * reads one. */
sal_status inv_run_spared(const inv_call *call, double work, inv_step *step, sal_err *err);
/* v_t, v_{t+1} and a_t from three configurations. */
void inv_motion_rates(const sal_model *m, double *v, double *v1, double *a, const double *q);
/* All outputs; SAL_DIVERGED if one is not finite. */
sal_status inv_worker_finite_outputs(const sal_invdyn *w, const sal_model *m, inv_worker *worker,
                                     double *y);

/* Outputs of stage `from` and later into y. */
void inv_worker_outputs(const sal_invdyn *w, const sal_model *m, inv_worker *worker, double *y,
                        sal_stage from);
/* All of step t: v_t, v_{t+1}, a_t of the worker, inverse dynamics, outputs. h is m's. */
sal_status inv_worker_base(const sal_invdyn *w, const sal_model *m, inv_worker *worker,
                           const double *q, double *y);
/* D of all outputs that have a twin, at what inv_worker_base left; those that have none here are
 * marked in `differ`. */
sal_status inv_worker_deriv(const inv_call *call, inv_worker *worker);
/* D of the outputs marked in `differ`, by differences. Afterwards the data is that of some
 * perturbed state. */
sal_status inv_worker_fd(const inv_call *call, inv_worker *worker, const double *q,
                         const double *y);
/* Inverse dynamics at (q_t, v_t, a_t) as they stand in d->qpos, d->qvel and a, and what drives it,
 * if anything does. */
sal_status inv_worker_inverse(const sal_invdyn *w, const sal_model *m, inv_worker *worker);

/* ---- driven motions (drive.c) ---- */

/* ctrl, act and the inputs from z_t and z_{t+1}, forces of the actuators from these. (sal_velocity
 * done; after sal_inverse_discrete.) */
void inv_worker_drive(const sal_model *m, inv_worker *worker);
/* Dw, Fw, Du; Dq and Dv of outputs that have a twin. */
void inv_worker_drive_deriv(const sal_invdyn *w, const sal_model *m, inv_worker *worker);
/* The columns z_t and z_{t+1} of Y. */
void inv_worker_drive_chain(const sal_invdyn *w, const sal_model *m, const inv_worker *worker,
                            double *Y);

/* Of row i of an output: what inv_output_kind wants. */
void inv_actuation_by_input(const sal_model *m, const inv_worker *worker, int i, double *z);
void inv_actuator_force_by_input(const sal_model *m, const inv_worker *worker, int i, double *z);
void inv_control_by_input(const sal_model *m, const inv_worker *worker, int i, double *z);
void inv_input_by_input(const sal_model *m, const inv_worker *worker, int i, double *z);
double inv_control_by_timestep(const inv_worker *worker, int i);

/* ---- all motions ---- */

/* d v_t / d log h, d a_t / d log h (chain.c) */
double inv_velocity_by_timestep(const inv_worker *worker, int i);
double inv_acceleration_by_timestep(const inv_worker *worker, int i);
/* The instant that the worker is at. */
inv_instant inv_worker_instant(const sal_model *m, const inv_worker *worker);
/* Y [ny x ncolumn] of a step from its D; the last column is zero. */
void inv_worker_chain(const inv_call *call, inv_worker *worker, const double *q, double *Y);
/* q_{t-1}, q_t, q_{t+1} of step t; its z goes to the worker. */
const double *inv_window(const inv_call *call, inv_worker *worker, int t);
/* The call as step t sees it: with the models of that step. */
inv_call inv_call_at(const inv_call *call, int t);
/* ns of one step, about: inverse dynamics, and with all derivatives */
double inv_work(const sal_invdyn *w);
double inv_work_deriv(const sal_invdyn *w);
/* Runs the body over 0 .. n - 1, `work` ns in all, by the call's workers, and reports the earliest
 * failure. */
sal_status inv_run(const inv_call *call, int n, double work, sal_task body, void *ctx,
                   sal_err *err);
/* Notes a failure at step t. */
void inv_worker_fail(inv_worker *worker, int t);

#endif
