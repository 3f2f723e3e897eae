/* runs.h: a model run through time: a simulation, the replay of a result by forward dynamics, and
 * the forces of a motion in a table. */
#ifndef SAL_RUNS_H
#define SAL_RUNS_H

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
