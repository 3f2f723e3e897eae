/* estimator.h: what the files of an estimation share; private to problems/.
 *
 *     sal_estimate_solve { sal_estimator_new { plan, start } -> for each stage { enter, sal_joint_minimise } -> sal_estimate_report }
 *
 * A member is a recording of the fit. Its variables are the configurations q_{-1} .. q_{n+1} at the steps of h = dt/substeps, n+1 of them between the
 * first sample and the last, then the parameters that each recording has for itself. At every step t = 0..n its residual is
 *
 *     dynamics       joint by joint   (f_t - actuation) / (sigma s),  s_i = sqrt(m M_ii) or 1      f of invdyn
 *     measurement    where t is that of a sample  (measured - (scale value + offset)) / sigma      of each channel
 */
#ifndef SAL_ESTIMATOR_H
#define SAL_ESTIMATOR_H

#include "problems/estimate.h"
#include "problems/transcribe.h"

/* How a channel's value follows from the motion. */
typedef struct sal_measured {
    bool direct; /* from q itself: a joint, or the pose of a free body */
    int qposadr, dofadr;
    int place, quat; /* else outputs in y, -1: none */
} sal_measured;

/* Exact derivatives by parameters, where there are some. */
typedef struct sal_estimator_twin {
    unsigned char *exact;     /* [nborder] 1: at this point */
    sal_model **model;        /* [2 nborder] moved back, and on; NULL: not of the model */
    sal_model_change *change; /* [nborder] of those that are */
    double *P;                /* [steps x those x nv] */
} sal_estimator_twin;

typedef struct sal_estimator_worker {
    sal_invdyn *invdyn;
    sal_model *m, *mk; /* with the parameters at hand; with one of them moved */
    sal_parameters_work *work;
    sal_estimator_twin twin;
    size_t most_y;    /* numbers of y of the longest member */
    double *y, *Y;    /* [steps x ny], x columns */
    double *yk;       /* [nborder x most_y] y with each parameter moved */
    double *unit;     /* [nv] s_i */
    double *unit_k;   /* [nborder x nv] */
    double *contact;  /* the model's own contacts, while these are softened */
    double *z;        /* [(steps + 1) x nu] controls */
    double *u;        /* [nborder] parameters */
    double *velocity; /* [nv] */
    sal_data *d;      /* where forces are measured, else NULL */
    double *push;     /* [nv + nv x nv + 6 nv] */
    double *r;        /* [(nborder + 1) x residuals] of one joint or channel */
    double *J, *G;    /* [residuals x 3 nv], [residuals x nborder] of it */
    void *memory;
    double *calibration; /* [(nborder + 1) x 3 x nchannel] scale, offset, delay */
} sal_estimator_worker;

/* Where a member stands: its configurations and the parameters. */
typedef struct sal_estimator_point {
    int member;
    const double *q, *shared, *local;
} sal_estimator_point;

/* What follows there: outputs by steps, less the forces that were measured; their derivatives (NULL: not wanted), and how channels measure. */
typedef struct sal_estimator_signals {
    double *y, *Y, *unit, *calibration;
} sal_estimator_signals;

/* Derivatives of a channel's residual, [n x width nv] by rows: by the blocks first, first + 1, .. */
typedef struct sal_estimator_slopes {
    double *J; /* NULL: not wanted */
    int first, width;
} sal_estimator_slopes;

typedef struct sal_estimator_member {
    int recording, nsample; /* of these, from the first on */
    int nstep;              /* n + 1 steps t = 0..n with residuals */
    size_t x;               /* where its variables begin */
    const double *q;        /* [(nstep + 2) x nq] method="fixed": the configurations; else NULL */
} sal_estimator_member;

typedef struct sal_estimator {
    const sal_problem *p;
    const sal_dataset *data;
    const sal_parameters *ps;
    const sal_estimation *e;
    const sal_estimate_stage *stage;
    int nv, nq, nborder; /* nborder: local, then shared parameters */
    int nmember;
    sal_estimator_member *of;
    sal_member *member;
    int substeps, most_steps;
    /* outputs */
    bool knows_forces; /* some were measured, or follow from controls */
    bool must_fit;     /* configurations are sought by a kinematic stage first */
    int noutput, ny, ncolumn, out_force, out_acceleration, out_actuation;
    sal_output *output;
    sal_measured *measured;            /* [nchannel] */
    int nsegment;                      /* of the dynamics: joints */
    int *segment;                      /* [nsegment + 1] their dofs */
    int most_residuals;                /* of a joint or a channel */
    double *local_mean, *local_weight; /* [nlocal] priors of what each recording has for itself */
    double *step_u;                    /* [nborder] by which parameters are moved for differences */
    unsigned char *varies;             /* [nborder] in this stage */
    int nworker;
    sal_estimator_worker *worker;
    double *x, *x_before;   /* all members, one after another; room for another time step */
    double *shared, *local; /* [nshared]; [nlocal] where each recording's begin */
    double *fixed;          /* configurations of method="fixed" */
    double *bound, *prior_mean, *prior_weight; /* [2 x nshared] lower, upper; [nshared] */
    double *size; /* [nshared] of what varies linearly, and is large: its steps may be, too */
    unsigned char *held; /* [nshared] */
    sal_joint_nls nls;
    sal_joint *joint;
    const sal_watch *watch;
    sal_iteration *iteration;
    int niteration, capacity, linearisations, stage_index;
} sal_estimator;

/* Members: `recordings` [n], each of its first `samples` [n] samples (NULL: all), at the data's configurations and the parameters' start. */
sal_status sal_estimator_new(sal_estimator **out, const sal_problem *p, const int *recordings,
                             const int *samples, int n, int nthread, const sal_watch *watch,
                             sal_err *err);
void sal_estimator_free(sal_estimator *est);
/* Brings members and motions to a stage. */
sal_status sal_estimator_enter(sal_estimator *est, const sal_estimate_stage *stage, sal_err *err);
/* One stage; held: whatever it frees, only motions vary. */
sal_status sal_estimator_run(sal_estimator *est, const sal_estimate_stage *stage, bool held,
                             sal_joint_result *result, sal_err *err);

/* Motions for the parameters at hand: the data's, then those that the stage finds. */
sal_status sal_estimator_settle(sal_estimator *est, const sal_estimate_stage *stage,
                                sal_joint_result *result, sal_err *err);

/* ---- estimate_plan.c ---- */

sal_status sal_estimator_plan(sal_estimator *est, sal_err *err);
void sal_estimator_plan_free(sal_estimator *est);

/* ---- estimate_start.c ---- */

/* Whether channels show every joint of every member by itself, so that no motion must be sought to begin with. */
bool sal_estimator_sees_all(const sal_estimator *est);
/* The motion as the channels show it, q [nsample x nq]. */
void sal_estimator_guess(const sal_estimator *est, int recording, int nsample, double *q);
/* The same; where they do not show every joint, the poses that fit them best. */
void sal_estimator_begin_motion(const sal_estimator *est, int recording, int nsample, double *q);
/* Fills q_{-1} and q_{n+1} of q [(n + 3) x nq], straight on. scratch [nv]. */
void sal_estimator_extend(const sal_model *m, double *q, int n, double *scratch);
/* out: q, which has `before` steps between samples, with `substeps` of them, along geodesics. Both begin with q_{-1}. */
void sal_estimator_resample(const sal_model *m, double *out, int substeps, const double *q,
                            int before, int nsample, double *scratch);

/* ---- estimate_contact.c ---- */

/* Makes contacts of m as soft as a stage says; gives them back. own: room for 9 npair + 1 numbers. */
size_t sal_estimator_contact_size(const sal_model *m);
void sal_estimator_soften(sal_model *m, double softness, double *own);
void sal_estimator_harden(sal_model *m, double softness, const double *own);

/* ---- estimate_member.c: what sal_joint asks ---- */

void sal_estimator_retract(void *ctx, int member, double *out, const double *x, const double *d);
sal_status sal_estimator_value(void *ctx, int worker, int member, const double *x, const double *p,
                               double *cost, sal_err *err);
sal_status sal_estimator_linearise(void *ctx, int worker, int member, const double *x,
                                   const double *p, sal_normal *a, sal_err *err);
/* The model with these parameters, not softened, its step that of the member. */
sal_status sal_estimator_model(const sal_estimator *est, sal_estimator_worker *w, sal_model *m,
                               int member, const double *shared, const double *local, sal_err *err);
/* Outputs and calibration at a point, in the worker's own signals. */
sal_status sal_estimator_outputs(const sal_estimator *est, sal_estimator_worker *w,
                                 const sal_estimator_point *at, sal_err *err);
/* A member at x; the worker's own signals, with room for their derivatives or without. */
sal_estimator_point sal_estimator_at(const sal_estimator *est, int member, const double *x,
                                     const double *shared);
sal_estimator_signals sal_estimator_own(const sal_estimator_worker *w, bool slopes);
/* The configurations of a member: [(nstep + 2) x nq]. */
const double *sal_estimator_motion(const sal_estimator *est, int member, const double *x);

/* s_i: the force that gives the mass which hangs on a dof's tree a unit of acceleration, at home; 1 where sigma is of forces. [nv] */
void sal_estimator_units(const sal_estimator *est, const sal_model *m, double *s);

/* ---- estimate_twin.c ---- */

sal_status sal_estimator_twin_new(const sal_estimator *est, sal_estimator_twin *twin, sal_err *err);
void sal_estimator_twin_free(sal_estimator_twin *twin, int nborder);
/* Outputs, units and calibration in w with each parameter moved for which an exact derivative is known; it is then marked as exact. (Outputs of the
 * member at hand in w->y.) */
sal_status sal_estimator_twins(const sal_estimator *est, sal_estimator_worker *w,
                               const sal_estimator_point *at, sal_err *err);

/* ---- estimate_measure.c ---- */

/* Residuals of a channel at a sample; returns how many (0: missing). */
int sal_estimator_measure(const sal_estimator *est, const sal_estimator_point *at,
                          const sal_estimator_signals *from, int channel, int sample, double *r,
                          sal_estimator_slopes *slopes);
/* What the channel would have read: n numbers. */
void sal_estimator_reading(const sal_estimator *est, const sal_estimator_point *at,
                           const sal_estimator_signals *from, int channel, int sample,
                           double *value);

/* ---- estimate_force.c ---- */

/* Takes the measured forces off the forces in *out. */
void sal_estimator_push(const sal_estimator *est, sal_estimator_worker *w, const sal_model *m,
                        const sal_estimator_point *at, const sal_estimator_signals *out);

/* ---- estimate_report.c ---- */

/* Fills *result; held: the recordings that were left out. */
sal_status sal_estimator_report(sal_estimator *est, const sal_joint_result *found,
                                const unsigned char *held, sal_result **result, sal_err *err);
/* What stands in the data of a recording; the motion of a member; the signals [nsample x nvalue] it would have given, its outputs being in w. */
void sal_estimator_put_measured(const sal_estimator *est, int recording,
                                sal_estimate_recording *to);
void sal_estimator_put_motion(const sal_estimator *est, int member, const double *q,
                              double timestep, sal_estimate_recording *to);
void sal_estimator_readings(const sal_estimator *est, const sal_estimator_worker *w,
                            const sal_estimator_point *at, double *out);

/* ---- estimate_predict.c ---- */

/* Predicts those that were left out, into their places. */
sal_status sal_estimator_predict(sal_estimator *est, sal_estimate *out, const unsigned char *held,
                                 sal_err *err);

#endif
