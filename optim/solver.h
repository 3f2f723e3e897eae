/* solver.h: the state that the files of a solve share. Private to optim.
 *
 * Files, in the order of a solve: create.c (creation), point.c (the value of a point), model.c (the
 * linear model around it), twins.c (rows of it that are kept once), border.c (its solution where
 * there are sums), trial.c (a step is judged), complete.c (what enters linearly follows it), step.c
 * and dogleg.c (one step), progress.c (beginning, end, and what the user hears), then the methods
 * made of these: minimise.c, and path.c, project.c, harden.c, stretch.c, window.c, polish.c, whose
 * turns solve.c takes; phase.c (what a turn belongs to); state.c (saved and loaded).
 */
#ifndef SAL_OPTIM_SOLVER_H
#define SAL_OPTIM_SOLVER_H

#include "optim/assembly.h"
#include "optim/border.h"
#include "optim/damping.h"
#include "optim/factor.h"
#include "optim/optim.h"

/* Which residuals a merit counts. */
typedef enum opt_rows {
    OPT_ROWS_TERMS = 1,
    OPT_ROWS_CONSTRAINTS = 2,
    OPT_ROWS_ALL = OPT_ROWS_TERMS | OPT_ROWS_CONSTRAINTS
} opt_rows;

/* OPT_ROW_PART: only counts as part of a sum */
enum { OPT_ROW_TERM, OPT_ROW_EQUALITY, OPT_ROW_RANGE, OPT_ROW_PART };

/* A point and its value. point.c */
typedef struct opt_point {
    /* [nx] */
    double *x;
    /* [nrow] as the user gives it, then the sums */
    double *r;
    /* of the terms; not finite where the residual diverged */
    double cost;
    /* of the constraints */
    double penalty;
    /* largest |r|/tol of the constraints */
    double violation;
    /* all but x is meant for the stage at hand */
    bool valued;
} opt_point;

/* What the last step did. step.c */
typedef struct opt_step {
    bool taken;
    /* merit */
    double before, after;
    /* decrease of the merit */
    double predicted;
    /* largest |d_i| */
    double length;
} opt_step;

/* X(code, name, rows of the merit, turn): the phases of a solve; solve.c has the picture. */
#define OPT_PHASE_LIST(X)                                                                          \
    X(OPT_PHASE_SOFT, "soft", OPT_ROWS_ALL, opt_path_soft)                                         \
    X(OPT_PHASE_PATH, "path", OPT_ROWS_ALL, opt_path_increment)                                    \
    X(OPT_PHASE_FINAL, "final", OPT_ROWS_ALL, opt_path_final)                                      \
    X(OPT_PHASE_WITHDRAW, "project", OPT_ROWS_CONSTRAINTS, opt_project_withdraw)                   \
    X(OPT_PHASE_APPROACH, "project", OPT_ROWS_CONSTRAINTS, opt_project_approach)                   \
    X(OPT_PHASE_RETREAT, "project", OPT_ROWS_ALL, opt_project_retreat)                             \
    X(OPT_PHASE_HARDEN, "project", OPT_ROWS_CONSTRAINTS, opt_harden)                               \
    X(OPT_PHASE_POLISH, "polish", OPT_ROWS_TERMS, opt_polish)                                      \
    X(OPT_PHASE_END, "end", OPT_ROWS_ALL, NULL)

typedef enum opt_phase {
#define OPT_PHASE_ENUM(code, name, rows, turn) code,
    OPT_PHASE_LIST(OPT_PHASE_ENUM)
#undef OPT_PHASE_ENUM
} opt_phase;

/* Steps along the constraints and what they taught of the curvature. secant.c */
enum { OPT_PAIRS = 5 };

typedef struct opt_secant {
    /* [OPT_PAIRS x 2 x nvar] s and y */
    double *pairs;
    /* [nvar] the last step */
    double *step;
    /* [nvar] g + C'l where it began */
    double *gradient;
    /* [nrow] scratch */
    double *lambda;
} opt_secant;

/* Where a solve stands between two turns: with now.x, kept, active, lambda and secant, all that
 * outlives a linearisation. */
typedef struct opt_state {
    opt_phase phase;
    /* turns in this phase, on the path at this increment */
    int step;
    /* of the path, from 0 */
    int increment;
    /* steps since the last linearisation */
    int chords;
    /* steps in a row that led nowhere */
    int weak;
    /* that lowered little */
    int crawl;
    /* violation where windows were of no use, in this projection: those of the worst places, and
     * those of the few places that are left (window.c) */
    double stuck, unfinished;
    /* of the projection */
    int retries;
    /* steps that it may take; 0: as usual */
    int most;
    /* it ends where the constraints are met: sal_solve_nearest, stretch.c */
    bool nearest;
    /* the last point was */
    bool on_path;
    /* no increment has changed the residuals so far */
    bool steady;
    double softness;
    double smoothing;
    /* of the last linearisation, on the path */
    double good_softness;
    /* to it */
    int fallbacks;
    /* terms and penalties at the start */
    double first_merit;
    /* cost that the path is expected to have */
    double reference;
    /* where the projection began */
    double violation;
    opt_damping damping;
    /* where the projection began */
    opt_damping kept_damping;
    /* of harden.c: where the world is, where the constraints were met last, and how far to go */
    double hardness, met, pace;
    bool has_met;
    /* of stretch.c: it is at work; softness of the stretch, which `met` and `pace` are of, too; and
     * the linearisations before this one */
    bool stretching;
    double stretch;
    int begun;
    /* of a step, in caps: 1 .. options.reach */
    double reach;
    /* of the secants */
    int npair, first_pair;
    /* since the last one was learnt */
    bool moved;
    /* of the last steps, polish.c: each point is to meet the constraints; the lowest cost with its
     * price, and how many steps ago it was reached */
    bool strict;
    double lowest;
    int stale;
    /* seconds, before this run */
    double elapsed;
    sal_optim_result count;
} opt_state;

/* Of a share of the blocks that a thread linearises */
typedef struct opt_share {
    sal_status status;
    sal_err err;
} opt_share;

struct sal_optim {
    const sal_nls *nls;
    sal_optim_options options;
    opt_assembly *assembly;
    opt_factor *factor;
    /* of the sums */
    opt_border *border;
    void *memory;
    /* rows of the blocks, then of the sums */
    int nrow, nconstraint;

    /* where we stand; candidates */
    opt_point now, trial, other;
    /* of complete.c; no memory where nothing is linear */
    opt_point spare;
    /* [nx] to come back to: where the projection began; of harden.c and stretch.c: what met the
     * constraints last */
    double *kept;
    /* [nx] the last that was linearised, on the path; of the last steps: that met all */
    double *good;
    /* [nblock] of stretch.c: 1: in the stretch */
    unsigned char *soft;

    /* the linear model around the point last linearised: s(x (+) d) = s + A d; model.c */
    /* sqrt(weight) root J; J itself in rows that are parts of sums */
    opt_jacobian *A;
    /* the user's, then A: of all blocks, or where the user linearises parts, of a part for each
     * thread, part_room numbers apart */
    double *J;
    bool by_parts;
    size_t part_room;
    /* [shares of the assembly] what became of each */
    opt_share *share;
    /* of M and C, [opt_late_room] each */
    double *late[2];
    /* [nrow] sqrt(weight) scaled residual; 0 in parts of sums */
    double *s;
    /* [nrow] the residual at that point */
    double *r0;
    /* [nroot] of the norms there, segment after segment: n, or n x n for an l2 */
    double *root;
    /* [nthread x root_most] */
    double *unused_root;
    /* numbers of a block */
    size_t root_most;
    /* at least one */
    int nthread;
    /* [nblock+2], that of the sums last */
    size_t *root_at;
    /* [nrow] SAL_ROW_x */
    unsigned char *kind;
    /* [nrow] rows that the model counts */
    unsigned char *use;
    /* [nrow] rows of terms, */
    unsigned char *term;
    /* [nrow] and of constraints in use, when last linearised */
    unsigned char *held;
    /* [nvar] A's over the rows in use */
    double *g;
    double *M,
        /* [nvalue] A'A of the terms, and of the constraints in use; H is one, or their sum */
        *C;
    /* C is in the factor's memory, where a factorisation overwrites it, and has been overwritten:
     * it is made anew from the rows in use if there is another one */
    bool shared, lost;
    const unsigned char *made_of;
    /* [nvar] of C, lost or not */
    double *diagonal;
    /* M is the metric of the damping, which is */
    double metric_most;
    /* min(mu, metric_most) M + mu metric_identity I;  0: mu I */
    double metric_identity;
    /* largest entry of diag H */
    double curvature;
    /* largest, of the angle between s and a column of A */
    double cosine;
    /* largest |g_i| */
    double gradient;
    /* [nrow] multipliers of the constraints: polish.c */
    double *lambda;
    /* [nrow] those that violations are judged by, in a turn; NAN: as in lambda */
    double *price;
    /* [nrow] constraint rows held in a step: polish.c */
    unsigned char *active;

    opt_secant secant;
    /* blocks can be evaluated in parts: a place may be treated apart from all others; */
    bool has_places;
    /* and they are many */
    bool is_long;
    /* [nvar] step and its correction */
    double *d, *e;
    /* [4 x nvar] scratch of complete.c */
    double *linear;
    /* [nrow] rows that it counts */
    unsigned char *counted;
    /* [nvar] along steepest descent: dogleg.c */
    double *descent;
    /* [nvar] the Gauss-Newton step */
    double *newton;
    /* [nvar] of its trust region */
    double *weight;
    /* [nrow] */
    double *w, *w2;
    /* [nrow] of a trial as the step left it, before what enters linearly was chosen anew */
    double *left;
    opt_step last;

    /* the violation from which on a stretch hardens: 1, but in a window, where no last
     * steps follow: window.c */
    double enough;
    bool window;

    /* what the merit counts now */
    opt_rows rows;
    opt_state state;
    /* after the last step */
    sal_progress progress;
    /* seconds */
    double started;
    bool halted;
    /* why, if halted */
    sal_stop halt;
};

/* ---- point.c ---- */

/* Fills p from p->x. A residual that diverges is not a fault: its cost is infinite. */
sal_status opt_point_evaluate(sal_optim *o, opt_point *p, sal_err *err);
/* The value by which steps are judged: terms, constraints or both. */
double opt_point_merit(const sal_optim *o, const opt_point *p);
/* Evaluates `now`, unless that is done. SAL_DIVERGED if it is not finite. */
sal_status opt_point_value(sal_optim *o, sal_err *err);
/* The same from residuals r that are known already. */
sal_status opt_point_value_of(sal_optim *o, const double *r, sal_err *err);
/* Largest |r|/tol of the constraints of a block with residuals r, but those of sums */
double opt_point_violation_of(const sal_block *block, const double *r);
/* Moves the problem, and `now` with it, to another stage; its value there comes with the next
 * linearisation, or when it is asked for. */
sal_status opt_point_stage(sal_optim *o, double softness, double smoothing, sal_err *err);

/* ---- model.c ---- */

/* Linearises at `now` and assembles H and g over the rows of the merit. */
sal_status opt_model_linearise(sal_optim *o, sal_err *err);
/* Factorises H + min(mu, metric_most) M + mu metric_identity I. */
sal_status opt_model_factorise(sal_optim *o, double mu, sal_err *err);
/* Factorises m M + c C + shift I. */
sal_status opt_model_factorise_mix(sal_optim *o, double m, double c, double shift, sal_err *err);
/* C := A'A of the rows in use, which must not change while it is factorised. */
void opt_model_constrain(sal_optim *o, const unsigned char *use);
/* s, use and g at `now` with the A and H of an older linearisation. */
void opt_model_refresh(sal_optim *o);
/* s [nrow] of residuals r with the weights of the stage and the norms' curvature there. */
void opt_model_scaled(sal_optim *o, double *s, const double *r);
/* Chooses the rows that a merit counts: constraints that are ranges only where they are exceeded in
 * r. */
void opt_model_choose(const sal_optim *o, unsigned char *use, opt_rows rows, const double *r);
/* x := -(H + mu I)^-1 b, or with whatever was factorised last */
sal_status opt_model_solve(sal_optim *o, double *x, const double *b, sal_err *err);
/* A segment's root: n numbers of a diagonal, or n x n; none where it is part of a sum. */
bool opt_model_root_is_full(const sal_segment *seg);
size_t opt_model_root_size(const sal_segment *seg);
/* Diagonal entry of m M + c C, and of the H that the merit counts. */
double opt_model_diagonal(const sal_optim *o, double m, double c, int j);
double opt_model_diagonal_of_merit(const sal_optim *o, int j);
/* Largest diagonal entry of m M + c C. */
double opt_model_curvature(const sal_optim *o, double m, double c);

/* ---- twins.c ---- */

/* Rows of block b that are multiples of an earlier range's are kept as that one. A has found the
 * strips of J, the dense rows; root: of the block's norms, segment after segment. */
void opt_twins_find(opt_jacobian *A, int b, const double *J, const double *root);

/* ---- trial.c ------------------------------------------------------------------------------- */

/* Predicted decrease  -(g'd + 1/2 |A d|^2)  of the rows in use; leaves A d in w */
double opt_trial_predict(sal_optim *o, const double *d);
/* Tries the step d that o->last tells of, corrected to second order if that is worth while, and
 * takes it if the merit falls by a thousandth of what is predicted. *gain: actual over predicted
 * decrease. */
sal_status opt_trial_judge(sal_optim *o, double *gain, sal_err *err);
/* d scaled down to the cap where that is not too far; false if it is. */
bool opt_trial_cap(const sal_optim *o, double *d);
/* p = now moved by d, evaluated */
sal_status opt_trial_at(sal_optim *o, opt_point *p, const double *d, sal_err *err);
/* Makes p the point where we stand. */
void opt_trial_accept(sal_optim *o, opt_point *p);

/* ---- foresee.c ---- */

/* Of a step d towards the constraints, A d in w: ranges that it would exceed join the model, others
 * that had joined leave it. False if the step is to be taken as it is. */
bool opt_foresee(sal_optim *o);
/* What ranges that have joined, which the merit does not count yet, seem to add to it */
double opt_foreseen(const sal_optim *o);

/* ---- complete.c ---- */

/* e := -(A_z'A_z)^-1 A_z's over the rows in use, m M + c C being A'A; s in w2, which is lost. False
 * if there is nothing to do. */
bool opt_complete_find(sal_optim *o, const unsigned char *use, double m, double c);
/* What enters linearly is chosen anew at a point that is evaluated, if that lowers the merit. e is
 * lost. */
sal_status opt_complete(sal_optim *o, opt_point *p, sal_err *err);

/* ---- step.c ---- */

/* There is no hope where the prediction is such a share of the merit. */
#define OPT_STEP_HOPELESS 1e-16

/* One step from the linearised `now`, as the options ask: tries until the merit falls or there is
 * no hope. Fills o->last. */
sal_status opt_step_take(sal_optim *o, sal_err *err);
/* One step from the evaluated, not linearised `now` with the old A and factor, kept if the merit
 * falls by more than `share` of what is predicted. Fills o->last. */
sal_status opt_step_chord(sal_optim *o, double share, sal_err *err);
/* Such a step as the one step of a turn, damped by  min(mu, metric_most) M + mu metric_identity I;
 * noted for the user. */
sal_status opt_step_in_turn(sal_optim *o, double metric_most, double metric_identity, sal_err *err);
/* The step of a trust region (dogleg.c). */
sal_status opt_dogleg_take(sal_optim *o, sal_err *err);
/* ---- secant.c ---- */

void opt_secant_forget(sal_optim *o);
/* Around a step d from the linearised point with its multipliers: it begins; e was added to it; at
 * the next point, its pair. */
void opt_secant_leave(sal_optim *o);
void opt_secant_back(sal_optim *o);
void opt_secant_learn(sal_optim *o);
/* Around Gauss-Newton's step, which is known with its multipliers: leaves q in e; then, d being the
 * step for q, makes it the step for g and returns its slope (g + C'l)'d. The multipliers stay. */
void opt_secant_begin(sal_optim *o, double share[OPT_PAIRS]);
double opt_secant_end(sal_optim *o, const double share[OPT_PAIRS]);

/* ---- the turns of a solve: path.c, project.c, harden.c, polish.c ---- */

/* Each takes the steps of a linearisation just made, judges them, and moves the state and the stage
 * to where the next one is to be. */
sal_status opt_path_soft(sal_optim *o, sal_err *err);
sal_status opt_path_increment(sal_optim *o, sal_err *err);
sal_status opt_path_final(sal_optim *o, sal_err *err);
sal_status opt_project_withdraw(sal_optim *o, sal_err *err);
sal_status opt_project_approach(sal_optim *o, sal_err *err);
sal_status opt_project_retreat(sal_optim *o, sal_err *err);
sal_status opt_harden(sal_optim *o, sal_err *err);
sal_status opt_polish(sal_optim *o, sal_err *err);

/* On the path the damping is  mu I + min(mu, 1) M,  M the Hessian of the terms: what the cost feels
 * is damped like what it does not feel, but never so much that the step could not follow the
 * constraints. */
#define OPT_PATH_METRIC 1.0

/* What comes before the first turn of each part. */
sal_status opt_path_begin(sal_optim *o, sal_err *err);
sal_status opt_project_begin(sal_optim *o, sal_err *err);
sal_status opt_harden_begin(sal_optim *o, sal_err *err);
sal_status opt_polish_begin(sal_optim *o);
/* Where the last steps are cut short: `now` is the last point that met the constraints. */
void opt_polish_settle(sal_optim *o);
/* From where a projection has failed: the first one with a soft stretch, which ends at once or by
 * turns; and what comes after each that has ended. */
sal_status opt_stretch_begin(sal_optim *o, sal_err *err);
sal_status opt_stretch_go_on(sal_optim *o, sal_err *err);
/* The same from the first point of a solve. */
sal_status opt_project_settled(sal_optim *o, bool nearest, sal_err *err);
/* The last steps of the projection, with nothing smoothed and no retreat behind them. */
sal_status opt_project_last(sal_optim *o, sal_err *err);

/* The point just linearised is one to come back to, unless it has left the path. */
void opt_path_keep(sal_optim *o);
/* The point at hand is of no use: back to the last that was linearised, for shorter steps, on the
 * path by half of the increment. False if that has been tried too often. */
bool opt_path_fall_back(sal_optim *o, sal_status *status, sal_err *err);

/* ---- window.c ---- */

/* How windows of blocks came out, the worst of all; none: there are none, they are most of the
 * blocks, or blocks cannot be evaluated in parts. */
typedef enum opt_window_end {
    OPT_WINDOW_NONE,
    OPT_WINDOW_MET,
    OPT_WINDOW_FAILED,
    /* the user, or the clock, stopped it */
    OPT_WINDOW_HALTED
} opt_window_end;

/* At the final stage: the places that keep the violation, or the worst of them, at least all with
 * more than a share `most` of it, are projected apart. `now` is valued. */
sal_status opt_window_project(sal_optim *o, double most, opt_window_end *end, sal_err *err);
/* The same of all places that violate a constraint, to the end, where these are few in a long
 * motion. */
sal_status opt_window_finish(sal_optim *o, opt_window_end *end, sal_err *err);

/* ---- phase.c ------------------------------------------------------------------------------- */

void opt_phase_enter(sal_optim *o, opt_phase phase);
/* No further turn: this is why. */
void opt_phase_end(sal_optim *o, sal_stop stop);
const char *opt_phase_name(opt_phase phase);
opt_rows opt_phase_rows(opt_phase phase);

/* ---- progress.c ---------------------------------------------------------------------------- */

void opt_start(sal_optim *o, const double *x);
void opt_finish(sal_optim *o, double *x, sal_optim_result *result, sal_stop stop);
/* Seconds spent on this solve, in earlier runs too. */
double opt_elapsed(const sal_optim *o);
/* Notes what the step came to, for the user; and tells: a false answer halts the solve. */
void opt_step_note(sal_optim *o);
void opt_step_tell(sal_optim *o);
/* May another linearisation be made? If not, the solve is halted. */
bool opt_step_allowed(sal_optim *o);

/* ---- state.c ---- */

/* The state that sal_optim_state_save wrote; `now` is valued if it was. */
sal_status opt_state_load(sal_optim *o, const void *bytes, size_t n, sal_err *err);

#endif
