/* optim.h: sparse nonlinear least squares on manifolds, with constraints that are hard to satisfy
 * from afar.
 *
 *     minimise  c(x) = sum_b sum_s weight_s norm_s( r_bs(x) )
 *     over  x on a manifold of tangent dimension nvar
 *     with      r_bs(x) = 0 within tol_s
 *     for the segments marked as constraints
 *               (r_bs(x) <= tol_s for those that are ranges)
 *
 * (and, for averages, norms and constraints of a sum of segments over the blocks.) Residuals come
 * in blocks b (a time step, say); a block depends on few variables, its columns; each block is cut
 * into segments s that share a norm and a weight. The optimizer asks its user for residuals, for
 * their dense block Jacobians, and to move a point along a tangent vector. It has never heard of a
 * mechanism.
 *
 * Methods:
 *   sal_minimise   Levenberg-Marquardt with gain ratio, capped step, kept damping, second-order
 *                  correction
 *                  (Nielsen, "Damping parameter in Marquardt's method", IMM-REP-1999-05, DTU;
 *                      Transtrum, Sethna,
 *                  "Improvements to the Levenberg-Marquardt algorithm", arXiv:1201.5885)
 *   sal_solve      a path of ever harder problems followed with chord steps, then the projection
 *                  onto the constraints,
 *                  then Gauss-Newton steps within them
 *   sal_joint_..   Gauss-Newton over many members that share a few variables
 *   sal_row_mend   searches in a row that may begin where a neighbour ended
 */
#ifndef SAL_OPTIM_H
#define SAL_OPTIM_H

#include "base/base.h"

SAL_BEGIN_C

/* ---- norms ---- */

/* X(code, name, phi): phi of the residuals r of a segment, with parameters p and q. The first five
 * take the Euclidean length |r| of the whole segment; the others are sums over its components, |r|
 * then being the absolute value. */
#define SAL_NORM_LIST(X)                                                                           \
    X(SAL_NORM_QUADRATIC, "quadratic", "½ |r|², |r| the length of the whole residual")             \
    X(SAL_NORM_L2, "l2", "√(|r|² + p²) − p, |r| the length of the whole residual")                 \
    X(SAL_NORM_HUBER, "huber", "p² (√(1 + |r|²/p²) − 1), |r| as above: linear far from zero")      \
    X(SAL_NORM_CAUCHY, "cauchy",                                                                   \
      "½ p² log(1 + |r|²/p²), |r| as above: outliers have little influence")                       \
    X(SAL_NORM_GEMANMCCLURE, "gemanmcclure",                                                       \
      "½ p² |r|²/(p² + |r|²), |r| as above: never more than ½ p²")                                 \
    X(SAL_NORM_SMOOTHABS, "smoothabs",                                                             \
      "√(r² + p²) − p, summed over the components, as all norms below")                            \
    X(SAL_NORM_SMOOTHABS2, "smoothabs2", "(|r|^q + p^q)^(1/q) − p")                                \
    X(SAL_NORM_COSH, "cosh", "p² (cosh(r/p) − 1)")                                                 \
    X(SAL_NORM_POWER, "power", "|r|^p")                                                            \
    X(SAL_NORM_SOFTPLUS, "softplus", "p log(1 + exp(r/p)), one-sided (not zero at 0)")             \
    X(SAL_NORM_BARRIER, "barrier", "−p² log(1 − (r/p)²), infinite for |r| ≥ p")

typedef enum sal_norm_kind {
#define SAL_NORM_ENUM(code, name, phi) code,
    SAL_NORM_LIST(SAL_NORM_ENUM)
#undef SAL_NORM_ENUM
} sal_norm_kind;

typedef struct sal_norm {
    sal_norm_kind kind;
    double p;
    double q;
} sal_norm;

/* phi(r) of a segment of n residuals; with scale and root (n and n x n by rows; both or neither
 * NULL) also the Gauss-Newton form of phi at r: Hessian root'root (positive semidefinite), gradient
 * root'scaled, so that a step is an ordinary least-squares step on the scaled residual. `diagonal`
 * says that only root's diagonal is nonzero and was written (as n numbers). huber, cauchy and
 * gemanmcclure have the curvature phi'(|r|)/|r| in every direction, that of the parabola which
 * touches phi from above (iteratively reweighted least squares). */
SAL_API double sal_norm_value(const sal_norm *norm, const double *r, int n);
SAL_API double sal_norm_scale(const sal_norm *norm, const double *r, int n, double *scaled,
                              double *root, bool *diagonal);

/* ---- the problem ---- */

typedef struct sal_segment {
    /* residuals */
    int n;
    /* constraints are always quadratic; `stage` may change p and q but not the kind */
    sal_norm norm;
    /* of the norm, at least 0; may be changed by `stage` */
    double weight;
    /* to be zero in the end; until then a penalty with this weight */
    bool constraint;
    /* constraint: |r_i| <= tol is satisfied */
    double tol;
    /* [n] the same for each residual in place of tol; NULL: all alike */
    const double *tols;
    /* constraint: r_i is the signed excess over a bound; r_i <= tol is satisfied, and what lies
     * below costs nothing */
    bool range;
    /* 0; or s >= 1: the residuals of all segments marked s, in all blocks, are added up, component
     * by component, before norm or constraint is applied to the sum, once. They have equal n and,
     * always, equal norm, weight, tol and kind. The marks are 1, 2 .. without a gap. */
    int sum;
} sal_segment;

typedef struct sal_block {
    int nres;
    int ncol;
    /* [ncol] tangent indices in 0..nvar-1, no repetition */
    const int *col;
    int nseg;
    /* [nseg] in the order of the residuals; n sums to nres. Blocks may share them. */
    const sal_segment *seg;
} sal_block;

typedef struct sal_progress {
    /* so far */
    int linearisation;
    /* "soft", "path", "final", "project", "polish" */
    const char *phase;
    /* 1 soft .. 0 final */
    double softness;
    /* of the terms, without constraints */
    double cost;
    /* largest |r| of the constraints in units of tol */
    double violation;
    double step;
    double damping;
} sal_progress;

/* X(code, name): what a solve spends its time on */
#define SAL_WORK_LIST(X)                                                                           \
    X(SAL_WORK_REST, "rest")                                                                       \
    X(SAL_WORK_RESIDUALS, "residuals")         /* of points tried, and their cost */               \
    X(SAL_WORK_DERIVATIVES, "derivatives")     /* by the user */                                   \
    X(SAL_WORK_JACOBIANS, "jacobians")         /* of the residuals, made of them */                \
    X(SAL_WORK_ASSEMBLY, "assembly")           /* scaling, H and g */                              \
    X(SAL_WORK_FACTORISATION, "factorisation") /* of H and its damping */                          \
    X(SAL_WORK_SOLUTION, "solution")           /* of steps with a factor, and what they promise */ \
    X(SAL_WORK_EXCHANGE, "exchange")           /* with those who share the solve */

typedef enum sal_work {
#define SAL_WORK_ENUM(code, name) code,
    SAL_WORK_LIST(SAL_WORK_ENUM)
#undef SAL_WORK_ENUM
        SAL_NWORK
} sal_work;

SAL_API const char *sal_work_name(sal_work work);

/* Time spent on each kind of work. Owned by the user, who begins with {.now = ..}. */
typedef struct sal_clock {
    /* seconds */
    double (*now)(void);
    double seconds[SAL_NWORK];
    /* at present, */
    sal_work work;
    /* from when on; 0: not yet */
    double since;
} sal_clock;

/* From now on time goes into `work`; returns what it went into until now. Nothing where clock is
 * NULL. */
SAL_API sal_work sal_clock_turn(sal_clock *clock, sal_work work);
/* The same by one of several threads: the clock follows worker 0. */
SAL_API void sal_clock_turn_by(sal_clock *clock, int worker, sal_work work);

typedef struct sal_optim sal_optim; /* who solves it */

typedef struct sal_nls {
    void *ctx;
    /* numbers in x; tangent dimension */
    int nx, nvar;
    int nblock;
    const sal_block *block;

    /* out = x moved along the tangent vector d [nvar]; out is not x */
    void (*retract)(void *ctx, double *out, const double *x, const double *d);
    /* r [sum nres], block after block. SAL_DIVERGED rejects the point without ending the solve. */
    sal_status (*residual)(void *ctx, double *r, const double *x, sal_err *err);
    /* r as above and J: per block nres x ncol by rows, block after block. The clock runs for
     * derivatives, and may be turned. */
    sal_status (*linearise)(void *ctx, double *r, double *J, const double *x, sal_err *err);
    /* The same of blocks first .. first+n-1 only, n <= part: r and J begin with those of block
     * `first`, all at the x of the last `place`, which stays as it is until all parts are known.
     * Up to nworker threads (0: one) call it at once, each with a number of its own, `worker` of
     * 0 .. nworker-1; worker 0 may turn the clock. Both may be NULL; with many blocks they save
     * memory, and threads go on without waiting for each other. */
    void (*place)(void *ctx, const double *x);
    sal_status (*linearise_part)(void *ctx, double *r, double *J, int first, int n, int worker,
                                 sal_err *err);
    int part, nworker;
    /* The residuals of blocks first .. first+n-1 only: r begins with those of block `first`. May be
     * NULL where nobody shares the solve; long projections then cannot be taken apart. */
    sal_status (*residual_part)(void *ctx, double *r, const double *x, int first, int n,
                                sal_err *err);
    /* Who shares the solve, NULL: nobody. Each of them solves this problem, with the same calls,
     * and evaluates and linearises a slice of the blocks; rank 0 says when the solve is to end. The
     * outcome has the same bits on each, and as without others. */
    const sal_ranks *ranks;
    /* Moves the problem to `softness` (1..0) with its smoothing scaled by `smoothing` (1 on the
     * path; .2, .04, 0 in the projection) and rewrites the segments' weights. x may be changed to
     * keep what it means. NULL: one stage. */
    sal_status (*stage)(void *ctx, double softness, double smoothing, double *x, sal_err *err);
    /* From the next stage on the blocks marked by 1 in soft [nblock] are not harder than at
     * `softness`; soft is kept by the caller, NULL: none is. May be NULL: no block can be. */
    sal_status (*soften)(void *ctx, const unsigned char *soft, double softness, sal_err *err);
    /* the first block comes after the last */
    bool closed;
    /* [nvar] Variables marked by 1: while no other moves, the residuals are linear in them, or
     * nearly. After each step they are chosen anew, so that a step is judged by the others alone.
     * NULL: none. */
    const unsigned char *linear;
    /* Called after every accepted linearisation; false ends the solve as interrupted. May be
     * NULL. */
    bool (*progress)(void *ctx, const sal_progress *p);
    /* Called after that, when the state of a sal_solve may be saved. May be NULL. */
    void (*checkpoint)(void *ctx, const sal_optim *optim);
    /* NULL: nobody asks where the time goes */
    sal_clock *clock;
} sal_nls;

/* X(code, name): how the linear systems are factorised. banded: by dense blocks of variables, with
 * a cyclic corner and a border; cholmod: any pattern; auto: what suits the pattern */
#define SAL_FACTOR_LIST(X)                                                                         \
    X(SAL_FACTOR_AUTO, "auto")                                                                     \
    X(SAL_FACTOR_BANDED, "banded")                                                                 \
    X(SAL_FACTOR_CHOLMOD, "cholmod")

typedef enum sal_factor_method {
#define SAL_FACTOR_ENUM(code, name) code,
    SAL_FACTOR_LIST(SAL_FACTOR_ENUM)
#undef SAL_FACTOR_ENUM
} sal_factor_method;

/* X(code, name): how far a step goes. lm: as far as its damping lets it; dogleg: along steepest
 * descent, then towards the Gauss-Newton step, to the border of a trust region. (Steps of the
 * projection and of the polish are damped ones.) */
#define SAL_STEP_LIST(X)                                                                           \
    X(SAL_STEP_LM, "lm")                                                                           \
    X(SAL_STEP_DOGLEG, "dogleg")

typedef enum sal_step_method {
#define SAL_STEP_ENUM(code, name) code,
    SAL_STEP_LIST(SAL_STEP_ENUM)
#undef SAL_STEP_ENUM
} sal_step_method;

typedef struct sal_optim_options {
    /* linearisations in all (400) */
    int maxiter;
    /* seconds of wall clock (0: no limit) */
    double maxtime;
    /* relative decrease of the cost below which a last step is not worth taking (1e-3) */
    double tolerance;
    /* largest |d_i| of a step (.15); 0: none */
    double cap;
    /* caps that a step may be long once others kept their promise (1) */
    double reach;
    /* of the path (59) */
    int increments;
    /* where the path begins (1): less, with as many fewer increments, from a point that is nearly
     * hard */
    double softness;
    /* at the start (1) */
    double damping;
    /* on the path (.1) */
    double damping_floor;
    /* (auto) */
    sal_factor_method factor;
    /* (lm) */
    sal_step_method step;
    int nthread;
    /* hears of the size at the start and of the end; NULL: nobody */
    const sal_log *log;
} sal_optim_options;

SAL_API void sal_optim_defaults(sal_optim_options *options);

/* X(code, text, meaning): why a solve ended */
#define SAL_STOP_LIST(X)                                                                           \
    X(SAL_STOP_CONVERGED, "converged",                                                             \
      "the constraints hold, and the next step would lower the cost by a fraction of less than "   \
      "`tolerance`")                                                                               \
    X(SAL_STOP_INFEASIBLE, "infeasible",                                                           \
      "the constraints do not hold, and no direction from this motion reduces their violation; "   \
      "another start may find a motion")                                                           \
    X(SAL_STOP_STALLED, "stalled",                                                                 \
      "the derivatives predict a lower cost, but no step reached one; of an identification also: " \
      "steps lower the cost by less than `tolerance`, but parameters still move")                  \
    X(SAL_STOP_MAXITER, "iteration limit", "the number of linearisations reached `maxiter`")       \
    X(SAL_STOP_MAXTIME, "time limit", "the time reached `maxtime`")                                \
    X(SAL_STOP_INTERRUPTED, "interrupted", "the user stopped the solve")                           \
    X(SAL_STOP_FAILED, "failed", "an error occurred; the message describes it")

typedef enum sal_stop {
#define SAL_STOP_ENUM(code, text, meaning) code,
    SAL_STOP_LIST(SAL_STOP_ENUM)
#undef SAL_STOP_ENUM
} sal_stop;

SAL_API const char *sal_stop_text(sal_stop stop);

typedef struct sal_optim_result {
    sal_stop stop;
    /* of the terms at x */
    double cost;
    /* largest |r|/tol of the constraints at x (<= 1: satisfied) */
    double violation;
    /* of the blocks that stay soft; 0: none does */
    double softness;
    /* largest entry of the gradient of the cost; after sal_solve with the constraints times their
     * multipliers, where it was linearised last */
    double gradient;
    /* of the cost: by how much less the linear model promises where the last steps ended, within
     * the linearised constraints. At most `tolerance` where the model holds; more where every step
     * that would gain more than that runs into kinks or curvature. NAN: it is not known */
    double promise;
    /* of all blocks; those of a window of blocks count by its share of them */
    int linearisations;
    /* of points, whole or of a window */
    int evaluations;
    int factorisations;
    int projection_steps;
    int polish_steps;
} sal_optim_result;

/* Everything a solve needs, allocated once; analyses the pattern of the Hessian once. Solves with
 * it allocate nothing of ours (but a Jacobian of more than 4 million numbers, linearised by parts,
 * is given memory as its parts need it, and windows of blocks that are projected apart have their
 * own). The sal_nls must outlive it. */
SAL_API sal_status sal_optim_new(sal_optim **optim, const sal_nls *nls,
                                 const sal_optim_options *options, sal_err *err);
SAL_API void sal_optim_free(sal_optim *optim);

/* Minimises from x (overwritten by the best point) at the stage at hand, constraints as penalties.
 * Stops when the gradient is negligible, the step or the decrease is below `tolerance`, or nothing
 * better is found. A status other than SAL_OK means a fault of memory or of a callback. */
SAL_API sal_status sal_minimise(sal_optim *optim, double *x, sal_optim_result *result,
                                sal_err *err);

/* Path, projection, last steps: see above. x is overwritten by the final point, feasible or not;
 * the problem is left at its final stage (softness 0, smoothing 0), for which cost and violation
 * are meant, however the solve ended. When a callback fails, the status is returned with its
 * message and result->stop is SAL_STOP_FAILED. */
SAL_API sal_status sal_solve(sal_optim *optim, double *x, sal_optim_result *result, sal_err *err);

/* The same without a path, for where the projection failed: the constraints are met first, at a
 * softness, and held while that falls to 0; then the last steps. Takes at most 200 linearisations
 * until these. */
SAL_API sal_status sal_solve_hardening(sal_optim *optim, double *x, sal_optim_result *result,
                                       sal_err *err);
/* The same from where the projection of another solve has failed: the constraints are met with a
 * stretch of blocks that is soft (nls.soften), and held while its softness falls to 0, or to what
 * result->softness says; then the last steps. */
SAL_API sal_status sal_solve_softening(sal_optim *optim, double *x, sal_optim_result *result,
                                       sal_err *err);
/* The same from a point that nearly satisfies the constraints of the final stage: only the last
 * steps of the projection, then those within the constraints. */
SAL_API sal_status sal_solve_settled(sal_optim *optim, double *x, sal_optim_result *result,
                                     sal_err *err);
/* The same, but it ends where the constraints are met. */
SAL_API sal_status sal_solve_nearest(sal_optim *optim, double *x, sal_optim_result *result,
                                     sal_err *err);
/* For `checkpoint`: no linearisation will follow, since the search has come to its end or was
 * stopped by `progress`. */
SAL_API bool sal_optim_is_over(const sal_optim *optim);
/* Where the path of the last sal_solve ended, which came as far as the projection: x [nx] */
SAL_API void sal_optim_path_end(const sal_optim *optim, double *x);

/* The n directions V [n x nvar], orthonormal, along which terms and constraints together are least
 * curved at x, and those curvatures relative to the largest: about 1e-15 where nothing determines
 * them. One linearisation and a factorisation, at the stage at hand; whatever the optim held of x
 * is lost. */
SAL_API sal_status sal_optim_weakest(sal_optim *optim, const double *x, int n, double *V,
                                     double *curvature, sal_err *err);

/* Where a sal_solve stands between two linearisations, as bytes that this machine can read again:
 * to be saved by nls.checkpoint. There are at most so many; `save` returns how many there were.
 * Resumed with the same problem and options, also in another process, the solve goes on to the same
 * bits as if it had not been interrupted. SAL_BADINPUT says that the bytes are damaged, or of
 * another problem or version; x then is as it was. */
SAL_API size_t sal_optim_state_size(const sal_optim *optim);
SAL_API size_t sal_optim_state_save(const sal_optim *optim, void *bytes);
SAL_API sal_status sal_solve_resume(sal_optim *optim, const void *state, size_t n, double *x,
                                    sal_optim_result *result, sal_err *err);

/* ---- members that share a few variables ---- */

/* minimise  sum_i c_i(x_i, p) + sum_k w_k (p_k - m_k)^2 / 2
 * over the members' own x_i and the shared p
 *
 * x_i [nx] is on a manifold of tangent dimension nblock x size + nlocal: a chain of blocks, of
 * which each residual feels at most three in a row, then nlocal local variables, plain numbers, the
 * last ones of x_i. Members may differ in all four numbers; nblock or nlocal may be 0. */
typedef struct sal_member {
    int nx;
    int nblock;
    int size;
    int nlocal;
} sal_member;

/* The normal equations of one member while it is linearised */
typedef struct sal_normal sal_normal;

/* Residuals of one call of sal_normal_add, at most */
enum { SAL_NORMAL_MOST = 64 };

/* Derivatives of n residuals by rows; either may be NULL: zero */
typedef struct sal_slopes {
    /* [n x (width size)] by the blocks first .. first+width-1, width 1 .. 3; those outside of 0 ..
     * nblock-1 do not vary: their columns are passed over */
    const double *J;
    int first;
    int width;
    /* [n x (nlocal + nshared)] by the locals, then the shared */
    const double *G;
} sal_slopes;

/* Adds weight x norm(r), r [n] */
SAL_API void sal_normal_add(sal_normal *a, const sal_norm *norm, double weight, int n,
                            const double *r, const sal_slopes *slopes);

/* Derivatives of residuals of which the i-th depends on variable at + i of each of these blocks
 * alone: slope [n x width] */
typedef struct sal_slopes_alone {
    const double *slope;
    int first;
    int width;
    int at;
} sal_slopes_alone;

/* The same numbers as sal_normal_add of the rows written out, by far fewer products. Of a norm that
 * mixes residuals (L2) one at a time. */
SAL_API void sal_normal_add_alone(sal_normal *a, const sal_norm *norm, double weight, int n,
                                  const double *r, const sal_slopes_alone *slopes);

typedef struct sal_joint_progress {
    /* so far */
    int iteration;
    /* of the members and the priors */
    double cost;
    /* of it, by this iteration, */
    double decrease;
    /* and what the step promised */
    double predicted;
    /* largest |dp_k| */
    double step;
    /* of the shared, relative to their curvature */
    double damping;
    /* the step of the shared: only members moved */
    bool refused;
    /* members that backtracked; that kept their x */
    int nshort, nkept;
} sal_joint_progress;

typedef struct sal_joint sal_joint;

typedef struct sal_joint_nls {
    void *ctx;
    int nmember;
    /* [nmember] */
    const sal_member *member;
    int nshared;
    /* out = x moved along the tangent vector d, locals too; out is not x. Like those below it is
     * called by several threads, for different members. */
    void (*retract)(void *ctx, int member, double *out, const double *x, const double *d);
    /* c_i. SAL_DIVERGED: infinite, the point is rejected. worker: 0 .. nthread-1, one call at a
     * time of each. */
    sal_status (*value)(void *ctx, int worker, int member, const double *x, const double *p,
                        double *cost, sal_err *err);
    /* c_i linearised, by calls of sal_normal_add */
    sal_status (*linearise)(void *ctx, int worker, int member, const double *x, const double *p,
                            sal_normal *a, sal_err *err);
    /* Called after every iteration; false ends it as interrupted. May be NULL. */
    bool (*progress)(void *ctx, const sal_joint_progress *p);
    /* Called after that, unless the iteration was the last one by itself: x and p are where they
     * were moved to, and the state of the joint may be saved. May be NULL. Among ranks that of rank
     * 0 counts, which then has x of all members. */
    void (*checkpoint)(void *ctx, const sal_joint *joint);
    /* Who shares the work, NULL: nobody. Each of them makes the same calls, and asks for its own
     * slice of the members only; rank 0 says when it is to end. The outcome has the same bits on
     * each, and as without others. */
    const sal_ranks *ranks;
} sal_joint_nls;

/* How to minimise; may change from one call to the next */
typedef struct sal_joint_stage {
    /* linearisations (20) */
    int maxiter;
    /* relative decrease, twice in a row or promised, that ends it (1e-4) */
    double tolerance;
    /* [nshared] 1: does not vary now; NULL: all vary */
    const unsigned char *held;
    bool hold_locals;
    /* [nshared] of the priors; NULL: none */
    const double *mean, *weight;
    /* [nshared] NULL: none; a p beyond them is moved there first */
    const double *lower, *upper;
    /* largest |d_i| of a step in the chain (.03), in the locals and in the shared (.2 each); 0:
     * these */
    double cap_x;
    double cap_local;
    double cap_p;
    /* [nshared] how many times cap_p each of these may move; NULL: once */
    const double *size;
} sal_joint_stage;

SAL_API void sal_joint_stage_defaults(sal_joint_stage *stage);

typedef struct sal_joint_result {
    sal_stop stop;
    /* of members and priors at x, p */
    double cost;
    /* of every member */
    int linearisations;
    /* of single members */
    long evaluations;
    /* steps of the shared */
    int refused;
} sal_joint_result;

/* Everything it needs, allocated once; nothing is allocated later. The nls must outlive it; of
 * nls->member a copy is kept. */
SAL_API sal_status sal_joint_new(sal_joint **joint, const sal_joint_nls *nls, int nthread,
                                 sal_err *err);
SAL_API void sal_joint_free(sal_joint *joint);

/* Gauss-Newton steps from x (members one after another) and p [nshared], which are overwritten by
 * the best point. Each member damps and backtracks alone; the shared variables are damped in
 * proportion to their curvature, and their step is refused where the sum of the costs would not
 * fall. All own damping of members is kept from one call to the next. Bitwise the same for any
 * number of threads and ranks. */
SAL_API sal_status sal_joint_minimise(sal_joint *joint, double *x, double *p,
                                      const sal_joint_stage *stage, sal_joint_result *result,
                                      sal_err *err);

/* Where a sal_joint_minimise stands between two iterations, as bytes that this machine can read
 * again, without x and p: to be saved by nls.checkpoint, with these. Resumed with the same x, p,
 * members and stage, with as many ranks as may be, which all bring the same, it goes on to the same
 * bits. SAL_BADINPUT: the bytes are of other members. */
SAL_API size_t sal_joint_state_size(const sal_joint *joint);
SAL_API void sal_joint_state_save(const sal_joint *joint, void *bytes);
SAL_API sal_status sal_joint_resume(sal_joint *joint, const void *state, size_t n, double *x,
                                    double *p, const sal_joint_stage *stage,
                                    sal_joint_result *result, sal_err *err);

/* What the members say of the shared variables at x, p, their own variables eliminated, without
 * damping, held variables or priors. With [H B; B' C] a member's Hessian, (g, g_p) its gradient: S
 * [nmember x nshared x nshared] = C - B' H^-1 B, score [nmember x nshared] = g_p - B' H^-1 g, cost
 * [nmember]. Where H is singular, the least damping is used that makes it regular. Any of the three
 * may be NULL. */
SAL_API sal_status sal_joint_information(sal_joint *joint, const double *x, const double *p,
                                         double *S, double *score, double *cost, sal_err *err);

/* ---- searches in a row ---- */

/* n searches that are alike and follow each other, such as the poses of a motion, each with its own
 * x [nx] in x [n x nx] */
typedef struct sal_row {
    void *ctx;
    int n;
    size_t nx;
    double *x;
    /* infinite: nothing is asked of it */
    double (*cost)(void *ctx, int i, const double *x);
    /* from x to a minimum */
    sal_status (*search)(void *ctx, int i, double *x, sal_err *err);
} sal_row;

/* Each search is made anew from where its neighbour's ended, from the best one on to both sides,
 * and takes what it comes to if that is no worse and elsewhere: so neighbours end in the same
 * minimum of several, the best one's. *better: one of them moved. */
SAL_API sal_status sal_row_mend(const sal_row *row, bool *better, sal_err *err);

SAL_END_C

#endif
