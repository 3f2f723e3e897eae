/* joint.h: what the files of a joint fit share. Private to optim.
 *
 * Files, in the order of an iteration: joint.c (creation, the loop), normal.c (the user's
 * residuals become normal equations), kernel.c (their assembly, elimination and
 * substitution), member.c (what each member does, in parallel), shared.c (the step of
 * the shared variables).
 */
#ifndef SAL_OPTIM_JOINT_H
#define SAL_OPTIM_JOINT_H

#include "optim/damping.h"
#include "optim/optim.h"
#include "optim/talk.h"

enum { OPT_JOINT_LANES = 8, OPT_JOINT_LANE = 4, OPT_JOINT_WINDOW = 3 };

/* A member's equations  [H B; B' C] (d, e) = -(g, g_e), d its chain, e its border: the locals, then
 *                       the shared.
 *
 * H by block rows, upper half: row i of block k holds the columns of the blocks k, k+1, k+2, then
 * those of the border, then g. Read as one bordered matrix, [B g] and [C g_e] are eliminated along
 * with H:
 *
 *     U'U = H,   Z = U'^-1 [B g],   corner = [C g_e] - Z_B' Z,
 *     then the locals alike: what remains is S, s of the shared. */
struct sal_normal {
    /* nborder = nlocal + nshared */
    int nblock, size, nlocal, nborder;
    /* blocks in a row that residuals felt, at most, at least 1: others' columns are zero */
    int width;
    /* of a row of the panel: 3 size + nborder + 1, rounded up */
    int ld;
    /* of a row of the corner: nborder + 1, rounded up */
    int ldc;
    /* of a row of residuals */
    int ldr;
    /* [nblock size x ld] */
    double *panel;
    /* [(nborder + 1) x ldc] the last row for g' H^-1 g */
    double *corner;
    /* [SAL_NORMAL_MOST x ldr] sqrt(weight) root (J, G, and scaled) */
    double *row;
    /* [SAL_NORMAL_MOST] */
    double *scaled;
    /* [SAL_NORMAL_MOST^2] */
    double *root;
    double cost;
    /* the first fault of sal_normal_add */
    sal_status status;
    sal_err err;
};

/* What a thread works with */
typedef struct opt_joint_worker {
    sal_normal normal;
    /* [largest tangent dimension] */
    double *d;
    /* the first member that did, nmember: none, */
    int failed;
    sal_status status;
    sal_err err;
} opt_joint_worker;

/* What is known of each member, on every rank: doubles, so that they travel */
typedef struct opt_joint_outcome {
    /* at the point tried */
    double cost;
    /* of its step; 0: none was good and it keeps its x; -1: it keeps it, being at its optimum */
    double tries;
    /* that these took */
    double evaluations;
} opt_joint_outcome;

struct sal_joint {
    const sal_joint_nls *nls;
    int nmember;
    int nshared;
    int nthread;
    /* [nmember] */
    sal_member *member;
    /* [nmember+1] of each in x */
    size_t *x_at;
    /* [nmember+1] in Y; those of other ranks have no place */
    size_t *y_at;
    /* nshared + 1, rounded up */
    int ldy;
    /* per member [nvar x ldy] (H + damping)^-1 (B, g) of chain and locals */
    double *Y;
    /* [nx] x that is tried */
    double *trial;
    /* [nmember] at x, p */
    double *cost;
    /* [nmember] relative to the diagonal; outlives a stage */
    double *damping;
    /* [nmember] */
    opt_joint_outcome *outcome;
    /* numbers of a member's share: */
    size_t nshare;
    /* [nmember x nshare] S, upper half by rows; s; g' H^-1 g */
    double *share;
    /* [nthread] */
    opt_joint_worker *worker;

    /* shared variables */
    sal_joint_stage stage;
    /* [nshared x nshared], [nshared] sums with priors */
    double *S, *s;
    /* [nshared x nshared], [nshared] */
    double *factor, *dp;
    /* [nshared] of those that vary; what makes the diagonal of S one */
    double *free_dp, *unit;
    /* [nshared] */
    double *p_trial;
    /* [nshared+1] those that vary in this step, */
    int *free;
    /* [nshared] of all */
    unsigned char *varies;
    /* half the sum of g' H^-1 g: what the cost falls by if only members move */
    double promise;
    /* what the first step tried of the last iteration promised */
    double hope;
    /* of them, in the last step that was solved for */
    int nfree;
    /* iterations in a row without any decrease, with hardly any */
    int idle, slow;
    /* relative to the diagonal of S; outlives a stage */
    opt_damping damped;
    /* of the call at hand */
    const sal_joint_result *result;

    opt_talk talk;
    /* [size+1] first member of each rank */
    int *begin;
    void *sizes;
    void *memory;
};

/* ---- state.c ---- */

/* Makes the joint stand where these bytes were saved. */
sal_status opt_joint_load(sal_joint *j, const void *bytes, size_t n, sal_joint_result *result,
                          sal_err *err);

/* ---- normal.c ---- */

/* Numbers of a member's panel */
size_t opt_normal_panel(const sal_member *member, int nshared);
/* Room for members of up to these numbers */
void opt_normal_place(sal_normal *a, sal_layout *layout, size_t panel, int size, int nborder);
/* Begins a member: all zero. */
void opt_normal_begin(sal_normal *a, const sal_member *member, int nshared);
/* Adds damping x diagonal to chain and locals; what has no curvature at all gets a trace of the
 * largest. */
void opt_normal_damp(sal_normal *a, double damping);
/* Locals that are held: their equations become d = 0. */
void opt_normal_hold_locals(sal_normal *a);

/* ---- kernel.c ---- */

/* Panel and corner += row' row, n rows: J of blocks first + begin .. first + end - 1, of `width` in
 * a row. */
void opt_joint_assemble(sal_normal *a, int n, int first, int width, bool border);
/* The same of n rows of which row i is zero but at variable at + i of each block, where it is
 * slope[i x width ..], and at last, where it is s_i. */
void opt_joint_assemble_alone(sal_normal *a, int n, int first, int width, int at,
                              const double *slope, const double *s);
/* U, Z and the corner in place. False if a pivot is not positive. */
bool opt_joint_eliminate(sal_normal *a);
/* Y = (H, locals)^-1 (B, g) */
void opt_joint_substitute(const sal_normal *a, double *Y, int ldy);

/* ---- ranks.c ------------------------------------------------------------------------- */

/* Own members: *begin .. *end-1 */
void opt_joint_own(const sal_joint *j, int *begin, int *end);
/* Every rank leaves with the numbers of all members: `each` of every one, or, where at is not NULL,
 * those from at[member] on. */
void opt_joint_collect(sal_joint *j, double *x, size_t each, const size_t *at);
sal_status opt_joint_agree(sal_joint *j, sal_status status, sal_err *err);

/* ---- member.c ---- */

/* Each for all own members in parallel, then shared with all ranks. Values at x, p into j->cost. */
sal_status opt_joint_value(sal_joint *j, const double *x, const double *p, sal_err *err);
/* Linearises, damps and eliminates: the shares of all, Y of the own. */
sal_status opt_joint_linearise(sal_joint *j, const double *x, const double *p, sal_err *err);
/* The same without damping, unless that is needed; no Y. Costs into the outcomes. */
sal_status opt_joint_linearise_undamped(sal_joint *j, const double *x, const double *p,
                                        sal_err *err);
/* Each member's step along with dp, p_trial being p + dp (moved: it is not p): the trial and its
 * outcome */
sal_status opt_joint_step(sal_joint *j, const double *x, bool moved, sal_err *err);
/* Makes the trial the point where we stand; dampings follow. */
void opt_joint_accept(sal_joint *j, double *x);

/* ---- shared.c ---- */

/* Sums of the shares and priors, in the order of the members */
void opt_joint_sum(sal_joint *j, const double *p);
/* dp and p_trial for the damping at hand; what it promises to lower the cost by, all members moving
 * along. */
double opt_joint_solve_shared(sal_joint *j, const double *p);
/* What the priors cost */
double opt_joint_prior(const sal_joint *j, const double *p);

#endif
