/* fit.h: what the files that fit parameters and motions to recordings share; private to identify/
 *
 *     sal_identification_solve { idn_fit_new { plan, first motions } -> idn_fit_run_stages { for
 *         each stage: enter,
 *         sal_joint_minimise } -> idn_result_fill -> idn_predict ->
 *             sal_identification_result_assess }
 *
 * A member is a recording of the fit. Its variables are the configurations q_{-1} .. q_{n+1} at the
 * steps of h = dt/substeps, n+1 of them between the first sample and the last, then the parameters
 * that each recording has for itself. At every step t = 0..n its residual is
 *
 *     dynamics       joint by joint   (f_t - actuation) / (sigma s),  s_i = sqrt(m M_ii) or 1,
 *                                     by the joint's own sigma over sigma
 *     f of invdyn
 *     measurement    where t is that of a sample  (measured - (scale value + offset)) / sigma
 *     of each channel
 */
#ifndef SAL_IDENTIFY_FIT_H
#define SAL_IDENTIFY_FIT_H

#include "identify/identification.h"
#include "problems/result/result.h"
#include "problems/transcribe.h"

/* How a channel's value follows from the motion. */
typedef struct idn_measured {
    /* from q itself: a joint, or the pose of a free body */
    bool direct;
    int qposadr;
    int dofadr;
    /* else outputs in y, -1: none; of `place` the number at which it begins */
    int place, quat;
    int first;
} idn_measured;

/* Exact derivatives by parameters, where there are some. */
typedef struct idn_exact {
    /* [nborder] 1: at this point */
    unsigned char *exact;
    /* [2 nborder] moved back, and on; NULL: not of the model */
    sal_model **model;
    /* [nborder] of those that are */
    sal_model_change *change;
    /* [steps x those x nv] */
    double *P;
} idn_exact;

typedef struct idn_worker {
    sal_invdyn *invdyn;
    /* with the parameters at hand; with one of them moved */
    sal_model *m, *mk;
    idn_parameters_work *work;
    idn_exact twin;
    /* numbers of y of the longest member */
    size_t most_y;
    /* [steps x ny], x columns */
    double *y, *Y;
    /* [nborder x most_y] y with each parameter moved */
    double *yk;
    /* [nv] s_i */
    double *unit;
    /* [nborder x nv] */
    double *unit_k;
    /* the model's own contacts, while these are softened */
    double *contact;
    /* [(steps + 1) x nu] controls */
    double *z;
    /* [nborder] parameters */
    double *u;
    /* [nv] */
    double *velocity;
    /* where forces are measured, else NULL */
    sal_data *d;
    /* [nv + nv x nv + 6 nv] */
    double *push;
    /* [(nborder + 1) x residuals] of one joint or channel */
    double *r;
    /* [residuals x 3 nv], [residuals x nborder] of it */
    double *J, *G;
    void *memory;
    /* [(nborder + 1) x 3 x nchannel] scale, offset, delay */
    double *calibration;
} idn_worker;

/* Where a member stands: its configurations and the parameters. */
typedef struct idn_point {
    int member;
    const double *q;
    const double *shared;
    const double *local;
} idn_point;

/* What follows there: outputs by steps, less the forces that were measured; their derivatives
 * (NULL: not wanted), and how channels measure. */
typedef struct idn_signals {
    double *y;
    double *Y;
    double *unit;
    double *calibration;
} idn_signals;

/* Derivatives of a channel's residual, [n x width nv] by rows: by the blocks first, first + 1,
 * .. */
typedef struct idn_slopes {
    /* NULL: not wanted */
    double *J;
    int first;
    int width;
} idn_slopes;

typedef struct idn_member {
    /* of these, from the first on */
    int recording, nsample;
    /* n + 1 steps t = 0..n with residuals */
    int nstep;
    /* where its variables begin */
    size_t x;
    /* [(nstep + 2) x nq] method="fixed": the configurations; else NULL */
    const double *q;
} idn_member;

/* What is kept of a fit on disk (fit_checkpoint.c) */
typedef struct idn_checkpoint idn_checkpoint;

typedef struct idn_fit {
    const sal_identification *identification;
    /* its base */
    const sal_problem *p;
    const prb_dataset *data;
    const idn_parameters *ps;
    const idn_settings *settings;
    const idn_stage *stage;
    /* nborder: local, then shared parameters */
    int nv, nq, nborder;
    int nmember;
    idn_member *of;
    sal_member *member;
    int substeps;
    int most_steps;
    /* outputs */
    /* some were measured, or follow from controls */
    bool knows_forces;
    /* configurations are sought by a kinematic stage first */
    bool must_fit;
    int noutput;
    int ny;
    int ncolumn;
    int out_force;
    int out_acceleration;
    int out_actuation;
    sal_output *output;
    /* [nchannel] */
    idn_measured *measured;
    /* [nchannel] s: at which the search starts; whether it is sought */
    double *delay;
    bool *seeks_delay;
    /* of the dynamics: joints */
    int nsegment;
    /* [nsegment + 1] their dofs */
    int *segment;
    /* of a joint or a channel */
    int most_residuals;
    /* [nlocal] priors of what each recording has for itself */
    double *local_mean, *local_weight;
    /* [nborder] by which parameters are moved for differences */
    double *step_u;
    /* [nborder] in this stage */
    unsigned char *varies;
    int nworker;
    idn_worker *worker;
    /* all members, one after another; room for another time step */
    double *x, *x_before;
    /* [nshared]; [nlocal] where each recording's begin */
    double *shared, *local;
    /* configurations of method="fixed" */
    double *fixed;
    /* [2 x nshared] lower, upper; [nshared] */
    double *bound, *prior_mean, *prior_weight;
    /* [nshared] of what varies linearly, and is large: its steps may be, too */
    double *size;
    /* [nshared] */
    unsigned char *held;
    sal_joint_nls nls;
    sal_joint *joint;
    const sal_watch *watch;
    /* NULL: none is kept */
    idn_checkpoint *checkpoint;
    prb_iteration *iteration;
    int niteration;
    int capacity;
    int linearisations;
    int stage_index;
} idn_fit;

/* Members: `recordings` [n], each of its first `samples` [n] samples (NULL: all), at the data's
 * configurations and the parameters' start. */
sal_status idn_fit_new(idn_fit **out, const sal_identification *i, const int *recordings,
                       const int *samples, int n, int nthread, const sal_watch *watch,
                       sal_err *err);
/* These `members` [n] of a fit that stands at its last stage, each as often as it is named: at its
 * parameters and its motions. */
sal_status idn_fit_again(idn_fit **out, const idn_fit *from, const int *members, int n,
                         const sal_watch *watch, sal_err *err);
/* The recordings of another fit with the settings of i, method="fixed" and one stage of as many
 * steps between samples: its configurations are the motions of the other fit; its parameters, which
 * vary, are at their starting values. */
sal_status idn_fit_at_motions(idn_fit **out, const sal_identification *i, const idn_fit *from,
                              sal_err *err);
void idn_fit_free(idn_fit *fit);
/* Brings members and motions to a stage. */
sal_status idn_fit_enter(idn_fit *fit, const idn_stage *stage, sal_err *err);
/* One stage; held: whatever it frees, only motions vary. */
sal_status idn_fit_run(idn_fit *fit, const idn_stage *stage, bool held, sal_joint_result *result,
                       sal_err *err);

/* All stages, one after the other; found: how the last one ended. */
sal_status idn_fit_run_stages(idn_fit *fit, sal_joint_result *found, sal_err *err);
/* Motions for the parameters at hand: the data's, then those that the stage finds. */
sal_status idn_fit_settle(idn_fit *fit, const idn_stage *stage, sal_joint_result *result,
                          sal_err *err);

/* ---- fit_checkpoint.c ---- */

/* Begins to keep the fit in the folder that its watch names, if it names one, and looks for what is
 * to be resumed. Of ranks that share a fit rank 0 keeps it, and all of them resume it. */
sal_status idn_checkpoint_open(idn_fit *fit, sal_err *err);
bool idn_checkpoint_is_kept(const idn_fit *fit);
void idn_checkpoint_free(idn_checkpoint *c);
/* What is to be resumed has ended this stage; -1: the one that seeks motions first. */
bool idn_checkpoint_is_beyond(const idn_fit *fit, int stage);
/* Where there is something to be resumed: x, parameters, iterations as they were in the stage that
 * was just entered. The optimizer's state *joint [n bytes], NULL where there is nothing, is good
 * until idn_checkpoint_restored. */
sal_status idn_checkpoint_restore(idn_fit *fit, const void **joint, size_t *n, sal_err *err);
void idn_checkpoint_restored(idn_fit *fit);
/* For sal_joint_nls. */
void idn_checkpoint_save(void *ctx, const sal_joint *joint);

/* ---- plan.c ---- */

sal_status idn_plan(idn_fit *fit, sal_err *err);
void idn_plan_free(idn_fit *fit);

/* ---- first_motion.c ---- */

/* Whether channels show every joint of every member by itself, so that no motion must be sought to
 * begin with. */
bool idn_channels_show_all(const idn_fit *fit);
/* The motion as the channels show it, q [nsample x nq]. */
void idn_motion_guess(const idn_fit *fit, int recording, int nsample, double *q);
/* The same; where they do not show every joint, the poses that fit them best. */
void idn_motion_begin(const idn_fit *fit, int recording, int nsample, double *q);
/* Fills q_{-1} and q_{n+1} of q [(n + 3) x nq], straight on. scratch [nv]. */
void idn_motion_extend(const sal_model *m, double *q, int n, double *scratch);
/* out: q, which has `before` steps between samples, with `substeps` of them, along geodesics. Both
 * begin with q_{-1}. */
void idn_motion_resample(const sal_model *m, double *out, int substeps, const double *q, int before,
                         int nsample, double *scratch);

/* ---- soft_contacts.c ---- */

/* Makes contacts of m as soft as a stage says; gives them back. own: room for 9 npair + 1
 * numbers. */
size_t idn_contact_size(const sal_model *m);
void idn_contact_soften(sal_model *m, double softness, double *own);
void idn_contact_restore(sal_model *m, double softness, const double *own);

/* ---- contact_model.c ---- */

/* The same whatever contact model the problem has. */
sal_status idn_soften(const idn_fit *fit, sal_model *m, double *own, sal_err *err);
void idn_harden(const idn_fit *fit, sal_model *m, const double *own);

/* ---- member_outputs.c ---- */

/* The model with these parameters, not softened, its step that of the member. */
sal_status idn_member_model(const idn_fit *fit, idn_worker *w, sal_model *m, int member,
                            const double *shared, const double *local, sal_err *err);
/* Outputs at a point by m (the worker's w->m or w->mk), with contacts of the stage, less what
 * measured forces do; the units of the dynamics; the calibration of the channels. */
sal_status idn_member_outputs(const idn_fit *fit, idn_worker *w, sal_model *m, const idn_point *at,
                              const idn_signals *out, sal_err *err);
/* A member at x; the worker's own signals, with room for their derivatives or without. */
idn_point idn_member_at(const idn_fit *fit, int member, const double *x, const double *shared);
idn_signals idn_worker_signals(const idn_worker *w, bool slopes);
/* The configurations of a member: [(nstep + 2) x nq]. */
const double *idn_member_motion(const idn_fit *fit, int member, const double *x);

/* s_i: the force that gives the mass which hangs on a dof's tree a unit of acceleration, at home; 1
 * where sigma is of forces; times the sigma of its joint over that of all. [nv] */
void idn_member_units(const idn_fit *fit, const sal_model *m, double *s);

/* ---- member_residuals.c: what sal_joint asks ---- */

void idn_member_retract(void *ctx, int member, double *out, const double *x, const double *d);
sal_status idn_member_value(void *ctx, int worker, int member, const double *x, const double *p,
                            double *cost, sal_err *err);
sal_status idn_member_linearise(void *ctx, int worker, int member, const double *x, const double *p,
                                sal_normal *a, sal_err *err);
/* ---- exact_derivatives.c ---- */

sal_status idn_exact_new(const idn_fit *fit, idn_exact *twin, sal_err *err);
void idn_exact_free(idn_exact *twin, int nborder);
/* Outputs, units and calibration in w with each parameter moved for which an exact derivative is
 * known; it is then marked as exact. (Outputs of the member at hand in w->y.) */
sal_status idn_exact_outputs(const idn_fit *fit, idn_worker *w, const idn_point *at, sal_err *err);

/* ---- channel_residuals.c ---- */

/* ---- collapse.c ---- */

/* A sentence about a mass that has almost vanished though forces are known; else nothing. */
void idn_collapse_say(const idn_fit *fit, const sal_identification_result *e, sal_text *out);

/* Whether a channel's values follow from the motion: no control, no force. */
static inline bool idn_follows(const idn_fit *fit, int channel)
{
    return fit->measured[channel].direct || fit->measured[channel].place >= 0;
}

/* ---- delays.c ---- */

/* Sets `delay` and `seeks_delay`. SAL_BADINPUT: a recording is shorter than a delay. */
sal_status idn_delays_plan(idn_fit *fit, sal_err *err);
/* Whether a channel's sample counts: the motion has its instant, less the delay. */
bool idn_delays_compare(const idn_fit *fit, int member, int channel, int sample);
/* From now on delays are those of these parameters, and none is sought. */
void idn_delays_hold(idn_fit *fit, const double *shared);
/* s: the longest, early or late, of what is compared. */
double idn_delays_longest(const idn_fit *fit, const double *shared);
/* A sentence about delays that went farther than samples were left out for; else nothing. */
void idn_delays_say(const idn_fit *fit, const double *shared, sal_text *out);

/* Residuals of a channel at a sample; returns how many (0: missing). */
int idn_channel_residual(const idn_fit *fit, const idn_point *at, const idn_signals *from,
                         int channel, int sample, double *r, idn_slopes *slopes);
/* What the channel would have read: n numbers. */
void idn_channel_reading(const idn_fit *fit, const idn_point *at, const idn_signals *from,
                         int channel, int sample, double *value);

/* ---- measured_forces.c ---- */

/* Takes the measured forces off the forces in *out. */
void idn_subtract_forces(const idn_fit *fit, idn_worker *w, const sal_model *m, const idn_point *at,
                         const idn_signals *out);

/* ---- recording_result.c ---- */

/* What stands in the data of a recording. */
void idn_result_put_measured(const idn_fit *fit, int recording, sal_identification_recording *to);
/* The motion q of a member. */
void idn_result_put_motion(const idn_fit *fit, int member, const double *q, double timestep,
                           sal_identification_recording *to);
/* Everything of a member of the fit: motion, signals, forces, cost. */
sal_status idn_result_put_member(idn_fit *fit, int member, sal_identification_recording *to,
                                 sal_err *err);

/* ---- fill_result.c ---- */

/* Parameters, channels, the motions of the fit and their information; held: recordings left out. */
sal_status idn_result_fill(sal_identification_result **found, idn_fit *fit,
                           const unsigned char *held, sal_err *err);

/* ---- effects.c ---- */

/* What parameters do at their starting values, whatever the search made of them. Cleared by
 * idn_effects_clear. */
typedef struct idn_effects {
    /* [nshared] information about each from the forces alone, the others known */
    double *own;
    /* numbers that have one scale in common, which no force fixes: said in words; else nothing */
    sal_text common;
} idn_effects;

/* Of a fit that has come to its end, whose parameters `found` describes. */
sal_status idn_effects_find(idn_effects *out, const idn_fit *fit,
                            const sal_identification_result *found, sal_err *err);
void idn_effects_clear(idn_effects *e);
/* SAL_BADINPUT where a parameter has no effect on any recording, neither with the values that were
 * found nor at the start. */
sal_status idn_effects_check(const idn_effects *e, const sal_identification_result *out,
                             sal_err *err);

/* ---- resample.c ---- */

/* Fits of other sets of the recordings, as the settings want them: their values into *out. False in
 * *whole: it was interrupted. */
sal_status idn_resample(idn_fit *fit, sal_identification_result *out, bool *whole, sal_err *err);

/* ---- prediction.c ---- */

/* Predicts the recordings that were left out, into their places. */
sal_status idn_predict(idn_fit *fit, sal_identification_result *out, const unsigned char *held,
                       sal_err *err);

#endif
