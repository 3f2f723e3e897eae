/* transcribe.h: a problem as sparse nonlinear least squares.
 *
 * Variables x: the free configurations, block after block, in driven motions what the actuators do
 * (inputs.c), then log(duration), the length of travel, its turn, where those are free (in a range:
 * what stands for them, see prb_bounded), height and slopes of the recordings' floor, and where
 * their markers are beside their sites. Residuals: one block per time step t, a function of the
 * outputs y_t of invdyn, hence of q_{t-1}, q_t, q_{t+1}, z_t, z_{t+1} and the globals:
 *
 *     unactuated force / its unit     ctrl, force, .. beyond its range / its width     terms
 *     a/10, z/scale
 */
#ifndef SAL_PROBLEMS_TRANSCRIBE_H
#define SAL_PROBLEMS_TRANSCRIBE_H

#include "problems/problem.h"
#include "problems/softening_schedule.h"

/* ---- actuation (actuation.c) ---- */

/* What must stay within a range. */
typedef enum prb_range_kind {
    PRB_RANGE_CTRL,     /* control of an actuator */
    PRB_RANGE_FORCE,    /* its force */
    PRB_RANGE_ACT,      /* its activation at t */
    PRB_RANGE_NEXT_ACT, /* its activation at t + 1 */
    PRB_RANGE_JOINT,    /* what actuators do to a joint together */
    PRB_RANGE_TENDON    /* forces of the actuators of a tendon, added up */
} prb_range_kind;

typedef struct prb_actuator_range {
    prb_range_kind kind;
    int id;
    double range[2];
} prb_actuator_range;

/* Eliminated: with B [nu x nv] the moment arms, constant,  force = (B B')^-1 B f,
 * unactuated = f - B' force.
 * Driven: what the actuators do is part of the motion, force is zero, unactuated f without them. */
/* Of a matrix, which columns are not zero in each row */
typedef struct prb_sparsity {
    /* [nrow + 1] where those of a row begin, [adr[nrow]] */
    int *adr, *column;
} prb_sparsity;

typedef struct prb_actuation_map {
    int nu;
    int nv;
    int nfree;
    bool driven;
    /* [nmoment] at home */
    double *moment;
    /* [nu x nv] */
    double *force;
    /* what is not zero of it */
    prb_sparsity force_dof;
    /* [nfree x nv] rows of 1 - B'(BB')^-1 B that are not zero */
    double *unactuated;
    /* what is not zero of it */
    prb_sparsity unactuated_dof;
    /* [nfree] the dof each row belongs to */
    int *free_dof;
    /* [nfree] the unactuated force that counts as one, N or N m */
    double *unit;
    /* [nfree] of the unactuated force, in its unit */
    double *tol;
    /* [nu] driven: a large input */
    double *scale;
    /* [nu] driven: the acceleration that an input of 1 gives at home */
    double *agility;
    int nrange;
    /* [nrange] */
    prb_actuator_range *range;
} prb_actuation_map;

sal_status prb_actuation_map_new(prb_actuation_map **out, const sal_model *m, sal_err *err);
void prb_actuation_map_free(prb_actuation_map *map);
/* Of a driven motion: the force is linear in input a, and rest is within its ranges, not at a bound
 * of them as that of a tendon which can only pull. */
bool prb_input_is_linear(const sal_model *m, int a);
/* "ctrlrange of NAME" */
void prb_actuator_range_name(const sal_model *m, const prb_actuator_range *range, char name[64]);

/* ---- layout: which variable is which (layout.c) ---- */

/* A configuration q_k, k = -1..N, of the motion: a block of variables, the image of one, or
 * pinned. */
typedef struct prb_slot {
    /* of variables; -1: pinned */
    int block;
    /* 0: itself; +1: the image; -1: the configuration whose image it is */
    int image;
} prb_slot;

enum {
    PRB_GLOBAL_DURATION,
    PRB_GLOBAL_TRAVEL,
    PRB_GLOBAL_TURN,
    /* height of the recordings' floor */
    PRB_GLOBAL_FLOOR,
    /* its slope along x; that along y follows */
    PRB_GLOBAL_SLOPE,
    PRB_NGLOBAL = PRB_GLOBAL_SLOPE + 2
};

/* The rotation that makes the floor of the recordings level. */
typedef struct prb_level {
    /* the matrix minus 1; its derivatives by the two slopes */
    double turn[9], turn_deriv[2][9];
    /* the quaternion, and its */
    double quat[4], quat_deriv[2][4];
} prb_level;

typedef struct prb_layout_of_motion {
    int nslot,
        /* nstep + 2, or + 3: see prb_transcription.nblock; configurations with variables */
        nblock;
    /* [nslot] of q_{k-1} */
    prb_slot *slot;
    /* [nblock] the first variable of a block, and what comes after its last */
    int *first, *end;
    /* [nblock x nv] tangent index of a block's dof; -1: it is pinned or follows another */
    int *variable;
    /* tangent indices of log(duration), the travel, its turn, height and slopes of the recordings'
     * floor; -1: fixed or tied */
    int global[PRB_NGLOBAL];
    /* of the first of 3 problem->noffset numbers that say where markers are beside their sites */
    int offset;
    /* driven: nu, else 0 */
    int nz;
    /* [(nstep + 1) x nz] tangent index of z_k; -1: none */
    int *input;
    /* [nz] of these variables */
    double *unit;
    /* where z, the globals and the offsets of markers begin in x */
    int inputs, globals, offsets;
    /* [nvar] 1: an input that is linear; whether there is any */
    unsigned char *linear;
    bool any_linear;
    /* [3 x nv] see prb_layout_drift */
    double *drift;
    /* [2 x nv] d q_{-1}, d q_N / d travel, d turn, as sal_image_deriv */
    double *along, *around;
    /* [nv], [nq] scratch */
    double *tangent, *moved;
    int nx;
    int nvar;
} prb_layout_of_motion;

/* ---- the transcription ---- */

/* What a segment is about: one of these, or a feature of the problem. */
enum { PRB_SEG_DYNAMICS = -1, PRB_SEG_RANGES = -2, PRB_SEG_REGULARISER = -3 };

/* Steps at which the same features count: the segments they share, and what each is about. */
typedef struct prb_class {
    int nseg;
    int nres;
    sal_segment *segment;
    int *feature;
} prb_class;

/* Steps whose contacts are softer than the stage's: sal_nls.soften. */
typedef struct prb_stretch {
    /* [nblock] 1: such a step; kept by the optimizer; NULL: there are none */
    const unsigned char *soft;
    double softness;
    /* of these steps, as model and model_h of the others; NULL: not needed so far */
    sal_model *model, *model_h;
} prb_stretch;

typedef struct prb_transcription {
    const sal_problem *p;
    /* the stage's; and at h (1 + SAL_FD_STEP) */
    sal_model *model, *model_h;
    prb_softness at;
    prb_stretch stretch;
    prb_layout_of_motion layout;
    prb_actuation_map *map;
    /* W, N */
    double weight;
    /* [nq] the initial pose, set on the floor if that is asked for */
    double *pose;
    /* [npair] of prb_smoothing_gaps */
    double *gap;
    /* outputs */
    int noutput;
    int ny;
    sal_output *output;
    /* [npoint] settled on their planes */
    sal_point *point;
    /* places in y */
    int out_force, out_velocity, out_acceleration;
    /* [njnt] of positions that actuators depend on, or -1 */
    int *out_joint;
    /* driven; all outputs from the first of these on may depend on z, no other does */
    int out_actuation;
    int out_actuator_force;
    int out_control;
    int out_input;
    /* [nown] places of the outputs of features, feature after feature: outputs.c */
    int nown;
    int *own;
    /* [nterm + nconstraint + ninput] where those of each begin */
    int *own_adr;
    /* geom sets of theirs */
    unsigned char *own_marks;
    sal_invdyn *invdyn;
    int nthread;
    /* [nthread x function_room] of functions of the program: quantity_function.c */
    double *function_scratch;
    size_t function_room;
    /* the present point */
    double timestep;
    double length;
    double turn;
    /* the floor of the recordings; what makes it level, where slopes are searched */
    prb_recorded_floor floor;
    prb_level level;
    /* [noffset x 3] m: where markers are beside their sites */
    double *offset;
    double duration_slope, travel_slope,
        /* d log(duration), d travel, d turn / d their variables: see prb_bounded */
        turn_slope;
    /* [nslot x nq] */
    double *q;
    /* [nblock x ny]; of each thread [npart x ny x (window + 1)] */
    double *y, **Y;
    /* steps that a thread differentiates at a time */
    int npart;
    /* [(nblock + 1) x nu] driven, else empty */
    double *z;
    /* contacts and limits that are held: hold.c; NULL: none */
    struct prb_holding *hold;
    /* the least-squares problem */
    /* nblock: nstep, and one more where something counts at the last instant */
    int nclass, nblock;
    prb_class *class;
    /* [nblock] */
    int *class_of;
    /* [nblock + 1] where a step's residuals begin */
    size_t *r_adr;
    /* [nblock] */
    sal_block *block;
    /* 3 nv + 2 nz: q_{t-1}, q_t, q_{t+1}, z_t, z_{t+1} */
    int window;
    /* window + PRB_NGLOBAL + 3 noffset: most columns of a block */
    int ncol_most;
    /* [nblock x (window + PRB_NGLOBAL + 3 noffset)] */
    int *columns;
    /* [nblock x (window + PRB_NGLOBAL)] column of a window's variable in its block, or -1 */
    int *place;
    /* [nblock x window] of the image; of z: times its scale */
    double *sign;
    /* [nblock] 1: a window's variables are the block's columns, in order and without signs */
    unsigned char *plain;
    /* [nblock + 1] where a step's Jacobian begins */
    size_t *J_adr;
    sal_nls nls;
    sal_clock clock;
    /* for nls.progress */
    void *watcher;
} prb_transcription;

/* How many of nthread threads have work enough, by their largest loop: the derivatives of all
 * steps. */
int prb_transcription_crew(const sal_problem *p, int nthread);

/* p must be complete and outlive it. */
sal_status prb_transcription_new(prb_transcription **out, const sal_problem *p, int nthread,
                                 sal_err *err);
void prb_transcription_free(prb_transcription *tr);

/* The motion, its time step and travel at x: into q, timestep, length; the stage's model is brought
 * to that time step. */
void prb_transcription_place(prb_transcription *tr, const double *x);

/* Steps first .. first+n-1 of the motion placed last, and which of them are soft. */
sal_motion prb_transcription_motion(const prb_transcription *tr, int first, int n);

/* Brings the contacts of the stage's models to the present softness and time step. */
void prb_transcription_contact(prb_transcription *tr);

/* ---- contacts held (hold.c, sides.c) ---- */

/* m, rad: what is nearer to where it begins is held */
static const double PRB_HOLD_REACH = 0.005;

typedef struct prb_holding prb_holding;

/* Holds contacts and limits, from now on, as they are at x at the final stage. Once. */
sal_status prb_hold(prb_transcription *tr, double *x, sal_err *err);
/* Of the steps from this one on; NULL: nothing is held. */
const sal_held *prb_held(const prb_transcription *tr, int step);
void prb_hold_free(prb_holding *hold);
/* Lists contacts as far away as one may be that is held. */
void prb_hold_widen(sal_model *m);
/* How far a joint is beyond the margin of the lower (0) or upper end (1) of its range; infinite: it
 * has no such limit. */
double prb_limit_gap(const sal_model *m, const double *q, int joint, int side);
/* Adds constraints: contacts and limits stay on their side in the motion that p begins with. */
sal_status prb_keep_sides(sal_problem *p, sal_err *err);

/* A value in a range from a variable that is free, and back (layout.c). */
double prb_bounded(const double range[2], double u, double *slope);
double prb_bounded_inverse(const double range[2], double value);

/* Writes layout, blocks, columns for p. */
sal_status prb_layout_motion(prb_transcription *tr, sal_err *err);
void prb_layout_retract(void *ctx, double *out, const double *x, const double *d);
/* d q_{slot-1}/d log h = h times this [nv]: configurations of an open motion that follow from a
 * given velocity; NULL: no such. */
const double *prb_layout_drift(const prb_transcription *tr, int slot);
/* Brings Y (derivatives of the outputs of steps first .. first+n-1) of configurations that follow
 * from others to the tangent spaces of those. */
void prb_layout_chain(const prb_transcription *tr, double *Y, int first, int n);

/* Of a driven motion (inputs.c): units of the variables; numbers the variables of z_k; lists the
 * columns of z_t and z_{t+1} behind the first n of a step and returns how many there are then;
 * moves z along a tangent vector; z at x. The two that take x want that from layout.inputs on. */
void prb_inputs_units(prb_transcription *tr);
void prb_inputs_number(prb_transcription *tr, int k);
int prb_inputs_list(prb_transcription *tr, int t, int n);
void prb_inputs_retract(const prb_transcription *tr, double *out, const double *x, const double *d);
void prb_inputs_place(prb_transcription *tr, const double *x);
/* First guess of them, from layout.inputs on in x, for the motion in tr->q in a world of that
 * softness (inputs_guess.c). */
sal_status prb_inputs_guess(prb_transcription *tr, double softness, double *x, sal_err *err);

/* The name of an object; if it has none, its label. */
const char *prb_short_name(const sal_model *m, sal_object type, int id, char text[SAL_LABEL_MAX]);
/* What the i-th of a feature's numbers that count is called, such as "tip z" (label.c), and its
 * unit (unit.c); "": the actuator's, the sensor's. */
void prb_feature_label(const sal_problem *p, const prb_feature *f, int i, char *text, size_t room);
const char *prb_feature_unit(const sal_problem *p, const prb_feature *f, int i);
/* Chooses the outputs that the terms of p need (outputs.c). */
sal_status prb_terms_plan(prb_transcription *tr, sal_err *err);
/* The segment of the class that is about `what`, and where it begins in a step's residuals; NULL:
 * there is none. */
const sal_segment *prb_class_segment(const prb_class *c, int what, int *first);
/* Residuals of step t from y_t, by that worker of the parallel loop; where J is wanted (not NULL)
 * also their derivatives, from those of y_t in Y [ny x (window + 1)]. */
void prb_terms_residual(const prb_transcription *tr, int t, int worker, const double *Y, double *r,
                        double *J);
/* Room in which its functions are called (quantity_function.c). */
sal_status prb_function_allocate(prb_transcription *tr, sal_err *err);
/* Numbers of a feature's quantity. */
int prb_feature_dim(const sal_model *m, const prb_feature *f);
/* The features of a problem: its terms, then its constraints, then the inputs of its functions; the
 * instants at which one counts (feature.c). */
const prb_feature *prb_terms_feature(const sal_problem *p, int k);
int prb_terms_instants(const sal_problem *p, int k);
/* Whether this of the recordings' floor, PRB_FLOOR_.., is found along with the motion
 * (quantity_floor.c). */
bool prb_floor_is_free(const sal_problem *p, int what);
/* The recordings' floor of the motion placed last, of what was searched. */
prb_recorded_floor prb_floor_found(const prb_transcription *tr);
/* The rotation that makes a floor with these slopes level. */
void prb_floor_level(prb_level *level, const double slope[2]);
/* What an integral over time (or that over the travel) is of the mean: the duration (over the
 * travel's length). */
double prb_terms_extent(const prb_transcription *tr, prb_per per);
/* The segments of every step, and their weights at the present softness. */
sal_status prb_terms_classes(prb_transcription *tr, sal_err *err);
void prb_terms_weights(prb_transcription *tr);
void prb_terms_free(prb_transcription *tr);
/* Adds coefficient * dy_index/dx to a row of the Jacobian of step t; or sets the row to it
 * (jacobian_row.c). Y: as of prb_terms_residual. */
void prb_residual_put(const prb_transcription *tr, int t, const double *Y, double *row, int index,
                      double coefficient);
void prb_residual_set(const prb_transcription *tr, int t, const double *Y, double *row, int index,
                      double coefficient);
/* Whether a free duration is free already: not in the first half of the path. */
bool prb_duration_varies(const prb_transcription *tr);
/* Adds coefficient to the entry of a variable of the recordings' floor, PRB_GLOBAL_.., in a row. */
void prb_residual_put_floor(const prb_transcription *tr, int t, double *row, int global,
                            double coefficient);
/* Adds coefficient * d log(extent)/dx to a row. */
void prb_residual_put_extent(const prb_transcription *tr, int t, double *row, prb_per per,
                             double coefficient);

/* The initial pose of p, set on the floor if that is asked for (guess.c). */
sal_status prb_guess_pose(const sal_problem *p, double *pose, sal_err *err);
/* First guess of the motion (guess.c): x [nx] for one seed; of a problem p like tr's that begins
 * elsewhere. */
sal_status prb_guess(prb_transcription *tr, double *x, unsigned long seed, sal_err *err);
sal_status prb_guess_like(prb_transcription *tr, const sal_problem *p, double *x,
                          unsigned long seed, sal_err *err);
/* x := the motion at `from`, its configurations moved by uniform noise of that half width, root
 * included. */
sal_status prb_guess_near(const prb_transcription *tr, double *x, const double *from, double noise,
                          unsigned long seed, sal_err *err);

/* Where the markers of the motion placed last are beside their sites, as reports (markers.c). */
sal_status prb_markers_found(sal_result *result, const prb_transcription *tr, sal_err *err);
/* Terms, constraints and targets of the motion at x, as reports of the result (summary.c). */
sal_status prb_summarise(prb_transcription *tr, const double *x, sal_result *result, sal_err *err);
/* What <require> requires of it, as further reports; whether it is as asked, and with which code
 * the solve ends (judge.c). */
sal_status prb_judge(const sal_problem *p, sal_result *result, sal_err *err);
/* What is to be said of the motion at x beyond that (diagnose.c). The optimizer is asked where the
 * result is no solution. */
sal_status prb_diagnose(prb_transcription *tr, sal_optim *optim, const double *x,
                        sal_result *result, sal_err *err);
/* SAL_BADINPUT if a term cannot change near the guess x, whatever moves there (diagnose.c). */
sal_status prb_terms_have_effect(prb_transcription *tr, const double *x, sal_err *err);

#endif
