/* hard_mechanism.c: the forward direction of the hard contact model (hard_forward.h) in a
 * mechanism,
 *
 *     M v' = M v + h qfrc_smooth + J'f        qacc = (v' - v)/h
 *
 * M with the damping that the step takes at its end. The gaps of contacts are linear in v' at
 * first, and exact from there; where that does not come to its end, softer contacts are solved, and
 * kappa lowered from there.
 */
#include "physics/laws/hard_mechanism.h"

#include "physics/laws/dense_mechanism.h"
#include "physics/laws/hard_forward.h"
#include "physics/next_gap.h"
#include "physics/scratch.h"

#include <math.h>
#include <string.h>

static const double softer = 10;      /* times kappa, from rung to rung */
static const double plain_turn = 0.5; /* rad */
/* A replayed step shows what is left: nearer than the solver's own limits */
static const phy_hard_effort effort = {.violation = 1e-9};

typedef struct mechanism {
    const sal_model *m;
    sal_data *d;
    phy_next next;
    phy_hard_block *block; /* [nblock] */
    phy_law_block *given;  /* [nblock] */
    phy_hard_point *point; /* [nblock] */
    double *M, *J;         /* [nv x nv], [nefc x nv] */
    double *rhs, *v, *f;   /* [nv], [nv], [nefc] */
    double *best;          /* [nv] */
    int nblock;
    double s0;
} mechanism;

static bool take(mechanism *s, const sal_model *m, sal_data *d, sal_arena *arena, int nefc)
{
    const size_t n = (size_t)m->nv, rows = (size_t)nefc;
    s->block = sal_arena_take(arena, rows, sizeof *s->block);
    s->given = sal_arena_take(arena, rows, sizeof *s->given);
    s->point = sal_arena_take(arena, rows, sizeof *s->point);
    s->M = sal_arena_take(arena, n * n, sizeof *s->M);
    s->J = sal_arena_take(arena, rows * n, sizeof *s->J);
    s->rhs = sal_arena_take(arena, n, sizeof *s->rhs);
    s->v = sal_arena_take(arena, n, sizeof *s->v);
    s->f = sal_arena_take(arena, rows, sizeof *s->f);
    s->best = sal_arena_take(arena, n, sizeof *s->best);
    return phy_next_take(&s->next, m, d, arena);
}

/* The solver calls for the next instant's positions while its own scratch is in use: theirs stands
 * before it. */
static bool take_scratch_of_positions(mechanism *s, const sal_model *m, sal_arena *arena)
{
    sal_arena own = {0};
    phy_kinematics_scratch(m, &own);
    s->next.at.arena = (sal_arena){.base = sal_arena_take(arena, own.need, 1), .size = own.need};
    return s->next.at.arena.base != NULL;
}

static void measure(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    mechanism s;
    take(&s, m, NULL, arena, m->nefcmax);
    take_scratch_of_positions(&s, m, arena);
    phy_hard_scratch(m->nv, m->nefcmax, m->nefcmax, arena);
    arena->used = mark;
    phy_next_scratch(m, arena);
}

static void take_blocks(mechanism *s)
{
    const phy_law_rows rows = phy_law_rows_of(s->m, s->d);
    phy_hard_relax relax = {0};
    for (int row = 0; row < s->d->nefc; row += s->block[s->nblock++].dim) {
        phy_law_block_at(s->given + s->nblock, s->m, s->d, row);
        phy_hard_block_of(s->block + s->nblock, &relax, s->given + s->nblock, &rows);
    }
    s->s0 = relax.s0;
}

/* M (dense) and rhs = M v + h qfrc_smooth */
static void take_inertia(mechanism *s)
{
    const sal_model *m = s->m;
    const int nv = m->nv;
    const double h = m->opt.timestep;
    phy_dense_inertia(s->M, m, s->d);
    for (int i = 0; i < nv; i++) {
        s->rhs[i] = h * s->d->qfrc_smooth[i];
        for (int k = 0; k < nv; k++) {
            s->rhs[i] += s->M[nv * i + k] * s->d->qvel[k];
        }
    }
}

/* ---- gaps at the next instant ---- */

/* ds/dv' of a contact */
static void next_row(double *G, const mechanism *s, int row)
{
    const sal_data *d = s->d;
    memset(G, 0, (size_t)s->m->nv * sizeof *G);
    for (int i = 0; i < d->efc_J_rownnz[row]; i++) {
        double slope[3];
        phy_next_slopes(s->m, d, d->efc_id[row], i, slope);
        G[d->efc_J_colind[d->efc_J_rowadr[row] + i]] = slope[1];
    }
}

/* share gap + h J v' of a limit or equality; of dry friction nobody reads it */
static double linear_gap(double *G, const mechanism *s, int b, const double *v)
{
    const int nv = s->m->nv;
    const double *J = s->J + s->block[b].row * nv, h = s->m->opt.timestep;
    double gap = phy_hard_gap_share(s->given + b) * s->given[b].gap;
    for (int k = 0; k < nv; k++) {
        gap += h * J[k] * v[k];
        if (G != NULL) {
            G[k] = h * J[k];
        }
    }
    return gap;
}

static bool linear_gaps(double *gap, double *G, const double *v, void *user)
{
    const mechanism *s = user;
    for (int b = 0; b < s->nblock; b++) {
        gap[b] = linear_gap(G == NULL ? NULL : G + b * s->m->nv, s, b, v);
    }
    return true;
}

static bool gaps(double *gap, double *G, const double *v, void *user)
{
    mechanism *s = user;
    const int nv = s->m->nv;
    for (int i = 0; i < nv; i++) {
        s->d->qacc[i] = (v[i] - s->d->qvel[i]) / s->m->opt.timestep;
    }
    phy_next_place(&s->next, s->m, s->d, v);
    for (int b = 0; b < s->nblock; b++) {
        const int row = s->block[b].row;
        double *to = G == NULL ? NULL : G + b * nv;
        if (!phy_law_is_of_contact(s->given + b)) {
            gap[b] = linear_gap(to, s, b, v);
            continue;
        }
        gap[b] = s->d->efc_next[row] + s->m->opt.contact.lift;
        if (to != NULL) {
            next_row(to, s, row);
        }
    }
    return true;
}

/* ---- the solver ---- */

/* One rung: kappa `times` that of the model. */
static sal_status climb(mechanism *s, phy_hard_result *result, double times, phy_hard_gaps by,
                        bool warm)
{
    const sal_contact_option *o = &s->m->opt.contact;
    const phy_hard_problem p = {
        .nv = s->m->nv,
        .nrow = s->d->nefc,
        .nblock = s->nblock,
        .block = s->block,
        .M = s->M,
        .rhs = s->rhs,
        .J = s->J,
        .relax = {.kappa_n = times * o->kappa, .kappa_t = times * phy_hard_kappa_slip(o)},
        .gaps = by,
        .user = s};
    const int before = result->steps;
    *result = (phy_hard_result){0};
    const sal_status status =
        phy_hard_forward(s->v, s->f, s->point, result, &p, &effort, warm, &s->d->arena);
    result->steps += before;
    return status;
}

/* From softer contacts on down to those of the model */
static sal_status descend(mechanism *s, phy_hard_result *result, double softest)
{
    sal_status status = climb(s, result, softest, linear_gaps, false);
    double times = softest;
    while (status == SAL_OK && times > 0.9) {
        status = climb(s, result, times, gaps, true);
        times /= softer;
    }
    return status;
}

/* rad, the most that a dof turns in the step */
static double turn_of(const mechanism *s)
{
    const sal_model *m = s->m;
    double most = 0;
    for (int i = 0; i < m->nv; i++) {
        const int j = m->dof_jntid[i], type = m->jnt_type[j];
        const bool slides =
            type == SAL_JNT_SLIDE || (type == SAL_JNT_FREE && i - m->jnt_dofadr[j] < 3);
        most = slides ? most : fmax(most, fabs(m->opt.timestep * s->v[i]));
    }
    return most;
}

/* The inverse does not know impulses beyond the largest, at gaps below s0 (hard_law.c). */
static bool is_known_to_inverse(const mechanism *s)
{
    bool all = true;
    for (int b = 0; b < s->nblock; b++) {
        all = all && (s->block[b].kind != PHY_HARD_CONTACT || s->point[b].s >= s->s0);
    }
    return all;
}

/* The gap at the end of a step in which something turns by more than half a radian may be positive
 * in several ways: of the solutions that are found the one that turns least is taken, and the first
 * that turns by less. */
static sal_status run(mechanism *s, phy_hard_result *result)
{
    static const double softest[] = {1, 10, 100, 1e3, 1e4};
    enum { TRIES = sizeof softest / sizeof *softest };
    double least = HUGE_VAL;
    int steps = 0;
    for (int i = 0; i < TRIES && least > plain_turn; i++) {
        phy_hard_result tried = {0};
        const sal_status status = descend(s, &tried, softest[i]);
        steps += tried.steps;
        if (status != SAL_OK) {
            return status;
        }
        tried.is_solved = tried.is_solved && is_known_to_inverse(s);
        const double turn = tried.is_solved ? turn_of(s) : HUGE_VAL;
        if (i == 0 || turn < least) {
            least = turn;
            *result = tried;
            memcpy(s->best, s->v, (size_t)s->m->nv * sizeof *s->v);
        }
    }
    memcpy(s->v, s->best, (size_t)s->m->nv * sizeof *s->v);
    result->steps = steps;
    return SAL_OK;
}

static sal_status solve(const sal_model *m, sal_data *d, sal_err *err)
{
    mechanism s = {.m = m, .d = d};
    phy_hard_result result = {0};
    if (!phy_next_gaps(m, d) || !take(&s, m, d, &d->arena, d->nefc) ||
        !take_scratch_of_positions(&s, m, &d->arena)) {
        return phy_scratch_status(d, err);
    }
    take_blocks(&s);
    take_inertia(&s);
    phy_dense_jacobian(s.J, m, d);
    const sal_status status = run(&s, &result);
    if (status == SAL_FULL) {
        return phy_scratch_status(d, err);
    }
    if (status != SAL_OK) {
        return sal_fail(err, SAL_DIVERGED,
                        "the solver of the forward dynamics reached a number that is not finite "
                        "(NaN or infinite)");
    }
    for (int i = 0; i < m->nv; i++) {
        d->qacc[i] = (s.v[i] - d->qvel[i]) / m->opt.timestep;
    }
    d->solver_iterations = result.steps;
    d->solver_converged = result.is_solved;
    d->solver_gradient = result.residual / (m->opt.timestep * m->meaninertia * m->nv);
    return SAL_OK;
}

const phy_law_solver phy_hard_solver = {solve, measure, NULL};
