/* hard_forward.c: the steps of all blocks (hard_block.h) are affine in dv. Their impulses are
 * F dv + f_0, so what is left is
 *
 *     (M - J'F) dv = -(M v - rhs - J'f) + J'f_0
 */
#include "physics/laws/hard_forward.h"

#include "base/dense.h"
#include "physics/laws/hard_block.h"

#include <math.h>

enum { STEPS = 100, HALVINGS = 12, JAMS = 3 };
#define TOLERANCE     1e-10
#define VIOLATION     1e-6
#define AFTER_JAM     0.6
/* Of the way to the border of a cone. Dojo's 0.99 comes so near that later steps have nowhere to
 * go: with it 318 of 360 random systems of up to 35 contacts were solved at kappa 1e-4, with 0.8
 * all. */
#define CONE_FRACTION 0.8

typedef struct work {
    const phy_hard_problem *p;
    phy_hard_iterate here, trial, step, affine;
    double *G, *F, *K; /* [nblock x nv], [nrow x nv], [nv x nv] */
    double *f;         /* [nrow] */
    double *error;     /* [nv] M v - rhs - J'f of here or trial, whichever was measured last */
    int *pivot;
    double fraction; /* of the way to the border of a cone */
    int nproduct;    /* orthants and cones: each has a product that shall be kappa */
    double tolerance, violation;
} work;

/* ---- the whole ---- */

/* out += a x or, transposed, a'x; a [rows x columns] */
static void add_times(double *out, const double *a, const double *x, int rows, int columns)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int k = 0; k < columns; k++) {
            sum += a[i * columns + k] * x[k];
        }
        out[i] += sum;
    }
}

static void add_transposed_times(double *out, const double *a, const double *x, int rows,
                                 int columns)
{
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < columns; k++) {
            out[k] += a[i * columns + k] * x[i];
        }
    }
}

static void zero(double *x, int n)
{
    for (int i = 0; i < n; i++) {
        x[i] = 0;
    }
}

static bool gaps_of(double *s, double *G, const phy_hard_problem *p, const double *v,
                    const double *Jv)
{
    if (p->gaps != NULL) {
        return p->gaps(s, G, v, p->user);
    }
    for (int b = 0; b < p->nblock; b++) {
        const size_t row = (size_t)p->block[b].row;
        s[b] = p->gap[b] + p->timestep * Jv[row];
        for (int k = 0; G != NULL && k < p->nv; k++) {
            G[b * p->nv + k] = p->timestep * p->J[row * (size_t)p->nv + (size_t)k];
        }
    }
    return true;
}

/* J v and the gaps, with G if that is not NULL */
static bool place(phy_hard_iterate *at, double *G, const phy_hard_problem *p)
{
    zero(at->Jv, p->nrow);
    add_times(at->Jv, p->J, at->v, p->nrow, p->nv);
    return gaps_of(at->s, G, p, at->v, at->Jv);
}

/* the larger one, or NaN if one is */
static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* The errors at a placed point: w->error, at->residual, at->violation. */
static void measure(phy_hard_iterate *at, work *w)
{
    const phy_hard_problem *p = w->p;
    const phy_hard_target goal = {p->relax.kappa_n, p->relax.kappa_t, NULL};
    phy_hard_impulses(w->f, p, at->x);
    at->residual = at->violation = 0;
    for (int b = 0; b < p->nblock; b++) {
        phy_hard_error e;
        if (p->block[b].kind == PHY_HARD_EQUALITY) {
            w->f[p->block[b].row] = -at->s[b] / p->block[b].compliance;
        }
        phy_hard_errors(&e, p, at, b, &goal);
        at->residual = larger(larger(at->residual, fabs(e.s)), fabs(e.xi));
        at->violation = larger(at->violation, fabs(e.gamma));
        for (int j = 0; j <= phy_hard_tangents(p->block + b); j++) {
            at->residual = larger(at->residual, fabs(e.eta[j]));
            at->violation = larger(at->violation, fabs(e.product[j]));
        }
    }
    for (int i = 0; i < p->nv; i++) {
        w->error[i] = -p->rhs[i];
    }
    add_times(w->error, p->M, at->v, p->nv, p->nv);
    for (int r = 0; r < p->nrow; r++) {
        w->f[r] = -w->f[r];
    }
    add_transposed_times(w->error, p->J, w->f, p->nrow, p->nv);
    for (int i = 0; i < p->nv; i++) {
        at->residual = larger(at->residual, fabs(w->error[i]));
    }
}

/* K = M - J'F */
static void system_of(double *K, const phy_hard_problem *p, const double *F)
{
    const int nv = p->nv;
    for (int i = 0; i < nv * nv; i++) {
        K[i] = p->M[i];
    }
    for (int r = 0; r < p->nrow; r++) {
        for (int i = 0; i < nv; i++) {
            const double J_ri = p->J[r * nv + i];
            for (int k = 0; k < nv && J_ri != 0; k++) {
                K[i * nv + k] -= J_ri * F[r * nv + k];
            }
        }
    }
}

static bool factorise(work *w)
{
    const phy_hard_problem *p = w->p;
    zero(w->F, p->nrow * p->nv);
    for (int b = 0; b < p->nblock; b++) {
        phy_hard_rows(w->F + (size_t)p->block[b].row * (size_t)p->nv, p, b, w->here.x + b,
                      w->G + (size_t)b * (size_t)p->nv);
    }
    system_of(w->K, p, w->F);
    return sal_dense_lu(w->K, w->pivot, p->nv) == p->nv;
}

/* The Newton step from `here` towards the goal. (measured and factorised there) */
static void direct(phy_hard_iterate *step, work *w, const phy_hard_target *goal)
{
    const phy_hard_problem *p = w->p;
    phy_hard_error e;
    for (int b = 0; b < p->nblock; b++) {
        phy_hard_errors(&e, p, &w->here, b, goal);
        phy_hard_step(step->x + b, p->block + b, w->here.x + b, &e, 0, NULL);
    }
    phy_hard_impulses(w->f, p, step->x);
    for (int i = 0; i < p->nv; i++) {
        step->v[i] = -w->error[i];
    }
    add_transposed_times(step->v, p->J, w->f, p->nrow, p->nv);
    sal_dense_lu_solve(step->v, w->K, w->pivot, p->nv);
    zero(step->Jv, p->nrow);
    add_times(step->Jv, p->J, step->v, p->nrow, p->nv);
    zero(step->s, p->nblock);
    add_times(step->s, w->G, step->v, p->nblock, p->nv);
    for (int b = 0; b < p->nblock; b++) {
        phy_hard_errors(&e, p, &w->here, b, goal);
        phy_hard_step(step->x + b, p->block + b, w->here.x + b, &e, step->s[b],
                      step->Jv + p->block[b].row);
    }
}

/* ---- step lengths ---- */

static double to_zero(double y, double d)
{
    return d < 0 ? -y / d : (double)INFINITY;
}

double phy_hard_to_cone(const double *y, const double *d, int n)
{
    double norm = 0, s1 = y[0] * d[0], s2 = d[0] * d[0];
    for (int j = 1; j <= n; j++) {
        norm += y[j] * y[j];
        s1 -= y[j] * d[j];
        s2 -= d[j] * d[j];
    }
    norm = sqrt(norm);
    const double s0 = (y[0] - norm) * (y[0] + norm), disc = s1 * s1 - s0 * s2;
    if (disc < 0 || (s1 >= 0 && s2 >= 0)) {
        return INFINITY;
    }
    return s1 < 0 ? s0 / (-s1 + sqrt(disc)) : (-s1 - sqrt(disc)) / s2;
}

/* The longest step that keeps the fractions `orthant` and `cone` of the way to a border, and 1. */
static double step_length(const work *w, const phy_hard_iterate *step, double orthant, double cone)
{
    double alpha = 1;
    for (int b = 0; b < w->p->nblock; b++) {
        const phy_hard_block *block = w->p->block + b;
        const phy_hard_point *x = w->here.x + b, *d = step->x + b;
        const int n = phy_hard_tangents(block);
        if (block->kind == PHY_HARD_CONTACT) {
            alpha = fmin(alpha, orthant * to_zero(x->s, d->s));
            alpha = fmin(alpha, orthant * to_zero(x->gamma, d->gamma));
        }
        if (n > 0) {
            alpha = fmin(alpha, cone * phy_hard_to_cone(x->xi, d->xi, n));
            alpha = fmin(alpha, cone * phy_hard_to_cone(x->eta, d->eta, n));
        }
    }
    return alpha;
}

/* The mean of the products in units of their kappa, alpha along a step; NULL: here. */
static double mean_product(const work *w, const phy_hard_iterate *step, double alpha)
{
    static const phy_hard_point none = {0};
    double sum = 0;
    for (int b = 0; b < w->p->nblock; b++) {
        const phy_hard_point *x = w->here.x + b, *d = step == NULL ? &none : step->x + b;
        const int n = phy_hard_tangents(w->p->block + b);
        if (w->p->block[b].kind == PHY_HARD_CONTACT) {
            sum += (x->gamma + alpha * d->gamma) * (x->s + alpha * d->s) / w->p->relax.kappa_n;
        }
        for (int j = 0; j <= n && n > 0; j++) {
            sum += (x->xi[j] + alpha * d->xi[j]) * (x->eta[j] + alpha * d->eta[j]) /
                   w->p->relax.kappa_t;
        }
    }
    return w->nproduct > 0 ? sum / w->nproduct : 0;
}

/* trial = here + alpha step, placed and measured */
static bool try_step(work *w, double alpha)
{
    const phy_hard_problem *p = w->p;
    for (int i = 0; i < p->nv; i++) {
        w->trial.v[i] = w->here.v[i] + alpha * w->step.v[i];
    }
    for (int b = 0; b < p->nblock; b++) {
        phy_hard_point *to = w->trial.x + b;
        const phy_hard_point *x = w->here.x + b, *d = w->step.x + b;
        *to = (phy_hard_point){.s = x->s + alpha * d->s, .gamma = x->gamma + alpha * d->gamma};
        for (int j = 0; j < PHY_HARD_DIM; j++) {
            to->xi[j] = x->xi[j] + alpha * d->xi[j];
            to->eta[j] = x->eta[j] + alpha * d->eta[j];
        }
    }
    if (!place(&w->trial, NULL, p)) {
        return false;
    }
    measure(&w->trial, w);
    return true;
}

static void accept(work *w)
{
    const phy_hard_iterate kept = w->here;
    w->here = w->trial;
    w->trial = kept;
}

/* Goes along the step, at most alpha of it; returns how much, or NaN. */
static double search(work *w, double alpha)
{
    for (int i = 0; i <= HALVINGS; i++) {
        if (!try_step(w, alpha)) {
            return (double)NAN;
        }
        if (i == HALVINGS || w->trial.residual < w->here.residual ||
            w->trial.violation < w->here.violation || w->trial.residual < w->tolerance) {
            break;
        }
        alpha *= 0.5;
    }
    accept(w);
    return alpha;
}

/* ---- kinds of steps ---- */

static double fraction_of(const work *w)
{
    const double left = larger(w->here.residual, w->here.violation);
    return larger(0.95, 1 - left * left);
}

/* Mehrotra's: how far the affine step (goal 0) comes says how many times kappa to aim at. */
static double predict_and_correct(work *w)
{
    const phy_hard_relax *relax = &w->p->relax;
    const phy_hard_target affine = {0, 0, NULL};
    direct(&w->affine, w, &affine);
    const double before = mean_product(w, NULL, 0);
    const double reached = step_length(w, &w->affine, 0.95, 0.95);
    const double after = mean_product(w, &w->affine, reached);
    const double ratio = before > 0 ? fmin(fmax(after / before, 0), 1) : 0;
    const double times = fmax(ratio * ratio * ratio * before, 1);
    const phy_hard_target goal = {times * relax->kappa_n, times * relax->kappa_t,
                                  times > 1 ? w->affine.x : NULL};
    direct(&w->step, w, &goal);
    return search(w, step_length(w, &w->step, fraction_of(w), w->fraction));
}

/* ---- the solver ---- */

/* v = M^-1 rhs and all variables 1: better than any start near the solution */
static bool start_cold(work *w)
{
    const phy_hard_problem *p = w->p;
    for (int i = 0; i < p->nv * p->nv; i++) {
        w->K[i] = p->M[i];
    }
    for (int i = 0; i < p->nv; i++) {
        w->here.v[i] = p->rhs[i];
    }
    for (int b = 0; b < p->nblock; b++) {
        w->here.x[b] = (phy_hard_point){.s = 1, .gamma = 1, .xi = {1}, .eta = {1}};
    }
    if (sal_dense_lu(w->K, w->pivot, p->nv) != p->nv) {
        return false;
    }
    sal_dense_lu_solve(w->here.v, w->K, w->pivot, p->nv);
    return true;
}

static bool is_solved(const work *w)
{
    const double kappa = fmin(w->p->relax.kappa_n, w->p->relax.kappa_t);
    return w->here.residual < w->tolerance && w->here.violation < w->violation * kappa + 1e-13;
}

/* A full Newton step more, if it is one and makes things better: it squares the errors. */
static bool polish(work *w)
{
    const phy_hard_target goal = {w->p->relax.kappa_n, w->p->relax.kappa_t, NULL};
    direct(&w->step, w, &goal);
    if (!(step_length(w, &w->step, 1, 1) >= 1)) {
        return true;
    }
    if (!try_step(w, 1)) {
        return false;
    }
    if (w->trial.residual < w->tolerance && w->trial.violation <= w->here.violation) {
        accept(w);
    }
    return true;
}

/* Twice in a row hardly a step: the cones are too near, and it starts again, more carefully. */
static sal_status iterations(work *w, phy_hard_result *result, int most)
{
    int stuck = 0;
    for (;; result->steps++) {
        if (!place(&w->here, w->G, w->p)) {
            return SAL_DIVERGED;
        }
        measure(&w->here, w);
        if (!isfinite(w->here.residual) || !isfinite(w->here.violation)) {
            return SAL_DIVERGED;
        }
        result->is_solved = is_solved(w);
        if (result->steps >= most) {
            return SAL_OK;
        }
        if (!factorise(w)) {
            return SAL_SINGULAR;
        }
        if (result->is_solved) {
            result->steps++;
            return polish(w) ? SAL_OK : SAL_DIVERGED;
        }
        const double alpha = predict_and_correct(w);
        if (isnan(alpha)) {
            return SAL_DIVERGED;
        }
        stuck = alpha < 0.1 ? stuck + 1 : 0;
        if (stuck == 2 && result->jams < JAMS) {
            result->jams++;
            stuck = 0;
            w->fraction *= AFTER_JAM;
            if (!start_cold(w)) {
                return SAL_SINGULAR;
            }
        }
    }
}

static bool take_iterate(phy_hard_iterate *at, int nv, int nrow, int nblock, sal_arena *arena)
{
    at->v = sal_arena_take(arena, (size_t)nv, sizeof *at->v);
    at->s = sal_arena_take(arena, (size_t)nblock, sizeof *at->s);
    at->Jv = sal_arena_take(arena, (size_t)nrow, sizeof *at->Jv);
    at->x = sal_arena_take(arena, (size_t)nblock, sizeof *at->x);
    return at->x != NULL;
}

static bool take(work *w, int nv, int nrow, int nblock, sal_arena *arena)
{
    const size_t n = (size_t)nv;
    w->G = sal_arena_take(arena, (size_t)nblock * n, sizeof *w->G);
    w->F = sal_arena_take(arena, (size_t)nrow * n, sizeof *w->F);
    w->K = sal_arena_take(arena, n * n, sizeof *w->K);
    w->f = sal_arena_take(arena, (size_t)nrow, sizeof *w->f);
    w->error = sal_arena_take(arena, n, sizeof *w->error);
    w->pivot = sal_arena_take(arena, n, sizeof *w->pivot);
    take_iterate(&w->here, nv, nrow, nblock, arena);
    take_iterate(&w->trial, nv, nrow, nblock, arena);
    take_iterate(&w->affine, nv, nrow, nblock, arena);
    return take_iterate(&w->step, nv, nrow, nblock, arena);
}

void phy_hard_scratch(int nv, int nrow, int nblock, sal_arena *arena)
{
    const size_t mark = arena->used;
    work w;
    take(&w, nv, nrow, nblock, arena);
    arena->used = mark;
}

static bool is_valid(const phy_hard_problem *p)
{
    bool good = p->relax.kappa_n > 0 && p->relax.kappa_t > 0 && p->nv >= 0;
    for (int b = 0; b < p->nblock; b++) {
        const phy_hard_block *block = p->block + b;
        const int most = block->kind == PHY_HARD_CONTACT ? PHY_HARD_DIM : 1;
        good = good && block->dim >= 1 && block->dim <= most && block->row >= 0 &&
               block->row + block->dim <= p->nrow;
        good = good && (block->kind != PHY_HARD_LOSS || block->bound >= 0) &&
               (block->kind != PHY_HARD_EQUALITY || block->compliance > 0);
    }
    return good;
}

static void prepare(work *w, const phy_hard_problem *p, const phy_hard_effort *effort)
{
    w->p = p;
    w->tolerance = effort->tolerance > 0 ? effort->tolerance : TOLERANCE;
    w->violation = effort->violation > 0 ? effort->violation : VIOLATION;
    w->nproduct = 0;
    w->fraction = CONE_FRACTION;
    for (int b = 0; b < p->nblock; b++) {
        w->nproduct +=
            (p->block[b].kind == PHY_HARD_CONTACT) + (phy_hard_tangents(p->block + b) > 0);
    }
}

static sal_status solve(double *v, double *f, phy_hard_point *point, work *w,
                        phy_hard_result *result, int most, bool is_warm)
{
    const phy_hard_problem *p = w->p;
    for (int i = 0; i < p->nv && is_warm; i++) {
        w->here.v[i] = v[i];
    }
    for (int b = 0; b < p->nblock && is_warm; b++) {
        w->here.x[b] = point[b];
    }
    w->here.residual = w->here.violation = HUGE_VAL;
    sal_status status = is_warm || start_cold(w) ? SAL_OK : SAL_SINGULAR;
    if (status == SAL_OK) {
        status = iterations(w, result, most);
        result->residual = w->here.residual;
        result->violation = w->here.violation;
    }
    for (int i = 0; i < p->nv; i++) {
        v[i] = w->here.v[i];
    }
    for (int b = 0; b < p->nblock; b++) {
        point[b] = w->here.x[b];
    }
    phy_hard_impulses(f, p, point);
    for (int b = 0; b < p->nblock && status == SAL_OK; b++) {
        if (p->block[b].kind == PHY_HARD_EQUALITY) {
            f[p->block[b].row] = -w->here.s[b] / p->block[b].compliance;
        }
    }
    return status;
}

sal_status phy_hard_forward(double *v, double *f, phy_hard_point *point, phy_hard_result *result,
                            const phy_hard_problem *problem, const phy_hard_effort *effort,
                            bool is_warm, sal_arena *arena)
{
    const size_t mark = arena->used;
    work w;
    *result = (phy_hard_result){0};
    if (!is_valid(problem)) {
        return SAL_BADINPUT;
    }
    sal_status status = SAL_FULL;
    if (take(&w, problem->nv, problem->nrow, problem->nblock, arena)) {
        prepare(&w, problem, effort);
        status = solve(v, f, point, &w, result, effort->most > 0 ? effort->most : STEPS, is_warm);
    }
    arena->used = mark;
    return status;
}

/* ---- gradients ---- */

/* Rows of F by the closed law: df/dw J + df/ds G. false: the block has no impulse there. */
static bool law_rows(double *F, const phy_hard_problem *p, int b, const phy_hard_iterate *at,
                     const double *G)
{
    const phy_hard_block *block = p->block + b;
    const phy_hard_relax relax = {p->relax.kappa_n, p->relax.kappa_t, 0};
    const int nv = p->nv, dim = block->dim;
    phy_hard_slopes slopes;
    if (phy_hard_deriv(&slopes, block, &relax, at->s[b], at->Jv + block->row) != PHY_HARD_EXACT) {
        return false;
    }
    for (int j = 0; j < dim; j++) {
        for (int k = 0; k < nv; k++) {
            double sum = block->kind == PHY_HARD_LOSS ? 0 : slopes.s[j] * G[k];
            for (int i = 0; i < dim; i++) {
                sum += slopes.w[j * dim + i] * p->J[(block->row + i) * nv + k];
            }
            F[j * nv + k] = sum;
        }
    }
    return true;
}

sal_status phy_hard_linearise(double *lu, int *pivot, double *F, const phy_hard_problem *problem,
                              const double *v, sal_arena *arena)
{
    const size_t mark = arena->used;
    const int nv = problem->nv;
    work w;
    sal_status status = is_valid(problem) ? SAL_OK : SAL_BADINPUT;
    if (status == SAL_OK && !take(&w, nv, problem->nrow, problem->nblock, arena)) {
        status = SAL_FULL;
    }
    if (status == SAL_OK) {
        for (int i = 0; i < nv; i++) {
            w.here.v[i] = v[i];
        }
        status = place(&w.here, w.G, problem) ? SAL_OK : SAL_DIVERGED;
    }
    for (int b = 0; b < problem->nblock && status == SAL_OK; b++) {
        double *rows = F + (size_t)problem->block[b].row * (size_t)nv;
        status = law_rows(rows, problem, b, &w.here, w.G + (size_t)b * (size_t)nv) ? SAL_OK
                                                                                   : SAL_DIVERGED;
    }
    if (status == SAL_OK) {
        system_of(lu, problem, F);
        status = sal_dense_lu(lu, pivot, nv) == nv ? SAL_OK : SAL_SINGULAR;
    }
    arena->used = mark;
    return status;
}
