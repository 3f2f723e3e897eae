/* estimator.h: what the files of an estimation share; private to identify/
 *
 *     idn_estimate_solve { idn_estimator_new { plan, start } -> for each stage { enter, sal_joint_minimise } -> sal_estimate_report }
 *
 * A member is a recording of the fit. Its variables are the configurations q_{-1} .. q_{n+1} at the steps of h = dt/substeps, n+1 of them between the
 * first sample and the last, then the parameters that each recording has for itself. At every step t = 0..n its residual is
 *
 *     dynamics       joint by joint   (f_t - actuation) / (sigma s),  s_i = sqrt(m M_ii) or 1      f of invdyn
 *     measurement    where t is that of a sample  (measured - (scale value + offset)) / sigma      of each channel
 */
#ifndef SAL_IDENTIFY_ESTIMATOR_H
#define SAL_IDENTIFY_ESTIMATOR_H

#include "identify/estimate.h"
#include "problems/transcribe.h"

/* How a channel's value follows from the motion. */
typedef struct idn_measured {
    bool direct; /* from q itself: a joint, or the pose of a free body */
    int qposadr, dofadr;
    int place, quat; /* else outputs in y, -1: none */
} idn_measured;

/* Exact derivatives by parameters, where there are some. */
typedef struct idn_estimator_twin {
    unsigned char *exact;     /* [nborder] 1: at this point */
    sal_model **model;        /* [2 nborder] moved back, and on; NULL: not of the model */
    sal_model_change *change; /* [nborder] of those that are */
    double *P;                /* [steps x those x nv] */
} idn_estimator_twin;

typedef struct idn_estimator_worker {
    sal_invdyn *invdyn;
    sal_model *m, *mk; /* with the parameters at hand; with one of them moved */
    idn_parameters_work *work;
    idn_estimator_twin twin;
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
} idn_estimator_worker;

/* Where a member stands: its configurations and the parameters. */
typedef struct idn_estimator_point {
    int member;
    const double *q, *shared, *local;
} idn_estimator_point;

/* What follows there: outputs by steps, less the forces that were measured; their derivatives (NULL: not wanted), and how channels measure. */
typedef struct idn_estimator_signals {
    double *y, *Y, *unit, *calibration;
} idn_estimator_signals;

/* Derivatives of a channel's residual, [n x width nv] by rows: by the blocks first, first + 1, .. */
typedef struct idn_estimator_slopes {
    double *J; /* NULL: not wanted */
    int first, width;
} idn_estimator_slopes;

typedef struct idn_estimator_member {
    int recording, nsample; /* of these, from the first on */
    int nstep;              /* n + 1 steps t = 0..n with residuals */
    size_t x;               /* where its variables begin */
    const double *q;        /* [(nstep + 2) x nq] method="fixed": the configurations; else NULL */
} idn_estimator_member;

typedef struct idn_estimator {
    const sal_problem *p;
    const sal_dataset *data;
    const sal_parameters *ps;
    const sal_estimation *e;
    const idn_estimate_stage *stage;
    int nv, nq, nborder; /* nborder: local, then shared parameters */
    int nmember;
    idn_estimator_member *of;
    sal_member *member;
    int substeps, most_steps;
    /* outputs */
    bool knows_forces; /* some were measured, or follow from controls */
    bool must_fit;     /* configurations are sought by a kinematic stage first */
    int noutput, ny, ncolumn, out_force, out_acceleration, out_actuation;
    sal_output *output;
    idn_measured *measured;            /* [nchannel] */
    int nsegment;                      /* of the dynamics: joints */
    int *segment;                      /* [nsegment + 1] their dofs */
    int most_residuals;                /* of a joint or a channel */
    double *local_mean, *local_weight; /* [nlocal] priors of what each recording has for itself */
    double *step_u;                    /* [nborder] by which parameters are moved for differences */
    unsigned char *varies;             /* [nborder] in this stage */
    int nworker;
    idn_estimator_worker *worker;
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
} idn_estimator;

/* Members: `recordings` [n], each of its first `samples` [n] samples (NULL: all), at the data's configurations and the parameters' start. */
sal_status idn_estimator_new(idn_estimator **out, const sal_problem *p, const int *recordings,
                             const int *samples, int n, int nthread, const sal_watch *watch,
                             sal_err *err);
void idn_estimator_free(idn_estimator *est);
/* Brings members and motions to a stage. */
sal_status idn_estimator_enter(idn_estimator *est, const idn_estimate_stage *stage, sal_err *err);
/* One stage; held: whatever it frees, only motions vary. */
sal_status idn_estimator_run(idn_estimator *est, const idn_estimate_stage *stage, bool held,
                             sal_joint_result *result, sal_err *err);

/* Motions for the parameters at hand: the data's, then those that the stage finds. */
sal_status idn_estimator_settle(idn_estimator *est, const idn_estimate_stage *stage,
                                sal_joint_result *result, sal_err *err);

/* ---- estimate_plan.c ---- */

sal_status idn_estimator_plan(idn_estimator *est, sal_err *err);
void idn_estimator_plan_free(idn_estimator *est);

/* ---- estimate_start.c ---- */

/* Whether channels show every joint of every member by itself, so that no motion must be sought to begin with. */
bool idn_estimator_sees_all(const idn_estimator *est);
/* The motion as the channels show it, q [nsample x nq]. */
void idn_estimator_guess(const idn_estimator *est, int recording, int nsample, double *q);
/* The same; where they do not show every joint, the poses that fit them best. */
void idn_estimator_begin_motion(const idn_estimator *est, int recording, int nsample, double *q);
/* Fills q_{-1} and q_{n+1} of q [(n + 3) x nq], straight on. scratch [nv]. */
void idn_estimator_extend(const sal_model *m, double *q, int n, double *scratch);
/* out: q, which has `before` steps between samples, with `substeps` of them, along geodesics. Both begin with q_{-1}. */
void idn_estimator_resample(const sal_model *m, double *out, int substeps, const double *q,
                            int before, int nsample, double *scratch);

/* ---- estimate_contact.c ---- */

/* Makes contacts of m as soft as a stage says; gives them back. own: room for 9 npair + 1 numbers. */
size_t idn_estimator_contact_size(const sal_model *m);
void idn_estimator_soften(sal_model *m, double softness, double *own);
void idn_estimator_harden(sal_model *m, double softness, const double *own);

/* ---- estimate_member.c: what sal_joint asks ---- */

void idn_estimator_retract(void *ctx, int member, double *out, const double *x, const double *d);
sal_status idn_estimator_value(void *ctx, int worker, int member, const double *x, const double *p,
                               double *cost, sal_err *err);
sal_status idn_estimator_linearise(void *ctx, int worker, int member, const double *x,
                                   const double *p, sal_normal *a, sal_err *err);
/* The model with these parameters, not softened, its step that of the member. */
sal_status idn_estimator_model(const idn_estimator *est, idn_estimator_worker *w, sal_model *m,
                               int member, const double *shared, const double *local, sal_err *err);
/* Outputs and calibration at a point, in the worker's own signals. */
sal_status idn_estimator_outputs(const idn_estimator *est, idn_estimator_worker *w,
                                 const idn_estimator_point *at, sal_err *err);
/* A member at x; the worker's own signals, with room for their derivatives or without. */
idn_estimator_point idn_estimator_at(const idn_estimator *est, int member, const double *x,
                                     const double *shared);
idn_estimator_signals idn_estimator_own(const idn_estimator_worker *w, bool slopes);
/* The configurations of a member: [(nstep + 2) x nq]. */
const double *idn_estimator_motion(const idn_estimator *est, int member, const double *x);

/* s_i: the force that gives the mass which hangs on a dof's tree a unit of acceleration, at home; 1 where sigma is of forces. [nv] */
void idn_estimator_units(const idn_estimator *est, const sal_model *m, double *s);

/* ---- estimate_twin.c ---- */

sal_status idn_estimator_twin_new(const idn_estimator *est, idn_estimator_twin *twin, sal_err *err);
void idn_estimator_twin_free(idn_estimator_twin *twin, int nborder);
/* Outputs, units and calibration in w with each parameter moved for which an exact derivative is known; it is then marked as exact. (Outputs of the
 * member at hand in w->y.) */
sal_status idn_estimator_twins(const idn_estimator *est, idn_estimator_worker *w,
                               const idn_estimator_point *at, sal_err *err);

/* ---- estimate_measure.c ---- */

/* Residuals of a channel at a sample; returns how many (0: missing). */
int idn_estimator_measure(const idn_estimator *est, const idn_estimator_point *at,
                          const idn_estimator_signals *from, int channel, int sample, double *r,
                          idn_estimator_slopes *slopes);
/* What the channel would have read: n numbers. */
void idn_estimator_reading(const idn_estimator *est, const idn_estimator_point *at,
                           const idn_estimator_signals *from, int channel, int sample,
                           double *value);

/* ---- estimate_force.c ---- */

/* Takes the measured forces off the forces in *out. */
void idn_estimator_push(const idn_estimator *est, idn_estimator_worker *w, const sal_model *m,
                        const idn_estimator_point *at, const idn_estimator_signals *out);

/* ---- estimate_report.c ---- */

/* Fills *result; held: the recordings that were left out. */
sal_status idn_estimator_report(idn_estimator *est, const sal_joint_result *found,
                                const unsigned char *held, sal_result **result, sal_err *err);
/* What stands in the data of a recording; the motion of a member; the signals [nsample x nvalue] it would have given, its outputs being in w. */
void idn_estimator_put_measured(const idn_estimator *est, int recording,
                                sal_estimate_recording *to);
void idn_estimator_put_motion(const idn_estimator *est, int member, const double *q,
                              double timestep, sal_estimate_recording *to);
void idn_estimator_readings(const idn_estimator *est, const idn_estimator_worker *w,
                            const idn_estimator_point *at, double *out);

/* ---- estimate_predict.c ---- */

/* Predicts those that were left out, into their places. */
sal_status idn_estimator_predict(idn_estimator *est, sal_estimate *out, const unsigned char *held,
                                 sal_err *err);

#endif
