/* posthoc_law.c: complementarity and diagonal in a mechanism. Their forces are those of the limp
 * mechanism, which nothing acts on but itself (posthoc.h); what acts follows:
 *
 *     F = passive - bias,     v0 = v + M^-1 (h F + J'f),     a0 = (v0 - v)/h
 *     forward   M+ (a - a0) = tau                            M+ = M + J'W J
 *     inverse   tau = M+ (a - a0) = M a - F - J'(f/h - W J (a - a0))
 *
 * so that the rows' forces f/h - W J (a - a0) fit the equation of motion that every contact model
 * has. M is that of the step, with h diag(damping). W is 0 but in rows of equalities, and of
 * contacts and limits that carry a force: there weight/A_ii, A_ii = (J M^-1 J')_ii, whose inverse
 * is the mass that row i feels. Friction loss has none: it has to give way to what acts.
 */
#include "base/dense.h"
#include "physics/contact_law.h"
#include "physics/laws/complementarity.h"
#include "physics/laws/dense_mechanism.h"
#include "physics/laws/diagonal.h"
#include "physics/laws/posthoc.h"
#include "physics/scratch.h"

#include <math.h>
#include <string.h>

static const double decay = 0.1;       /* s: of an overlap, with diagonal */
static const double immovable = 1e-24; /* of the largest A_ii: less is rounding */
static const double solved_to = 1e-10; /* of |c|: complementarity */
enum { STEPS = 60 };

typedef struct limp {
    phy_posthoc posthoc;
    const sal_contact_option *option;
    phy_impulse_block *block;
    double *M, *J, *F, *wref, *weight, *next; /* next [nv]: a velocity or its change */
    double *x, *scratch;                      /* of complementarity */
    phy_complementarity_effort effort;
} limp;

/* For `rows` rows */
static bool take(limp *p, const sal_model *m, sal_arena *arena, int rows)
{
    const size_t nv = (size_t)m->nv, k = (size_t)rows;
    const bool by_newton = m->opt.contact.model == SAL_CONTACT_COMPLEMENTARITY;
    *p = (limp){.option = &m->opt.contact,
                .effort = {STEPS, solved_to, .last = PHY_COMPLEMENTARITY_SWEEPS}};
    p->posthoc = (phy_posthoc){.nv = m->nv, .k = rows, .timestep = m->opt.timestep};
    p->block = sal_arena_take(arena, k, sizeof *p->block);
    p->M = sal_arena_take(arena, nv * nv, sizeof(double));
    p->J = sal_arena_take(arena, k * nv, sizeof(double));
    p->F = sal_arena_take(arena, nv, sizeof(double));
    p->wref = sal_arena_take(arena, k, sizeof(double));
    p->weight = sal_arena_take(arena, k, sizeof(double));
    p->next = sal_arena_take(arena, nv, sizeof(double));
    p->x = sal_arena_take(arena, k, sizeof(double));
    p->scratch = sal_arena_take(arena, by_newton ? phy_complementarity_scratch(rows, rows) : 0,
                                sizeof(double));
    double *memory = sal_arena_take(arena, phy_posthoc_size(m->nv, rows), sizeof(double));
    if (memory != NULL) {
        phy_posthoc_place(&p->posthoc, memory);
    }
    return memory != NULL;
}

static void measure(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    limp p;
    take(&p, m, arena, m->nefcmax);
    arena->used = mark;
}

/* ---- the mechanism in numbers ---- */

static double reference(const limp *p, const phy_impulse_block *block, double gap)
{
    const double h = p->posthoc.timestep;
    double slope;
    if (p->option->model == SAL_CONTACT_COMPLEMENTARITY || block->family == PHY_IMPULSE_LOSS) {
        return phy_impulse_reference(&slope, block->family, gap, h);
    }
    return block->family == PHY_IMPULSE_EQUALITY && gap > 0
               ? -phy_diagonal_reference(-gap, h, decay)
               : phy_diagonal_reference(gap, h, decay);
}

static void gather_rows(limp *p, const sal_model *m, const sal_data *d)
{
    phy_law_block at;
    p->posthoc.nblock = 0;
    for (int row = 0; row < d->nefc; row += at.dim) {
        phy_impulse_block *block = &p->block[p->posthoc.nblock++];
        phy_law_block_at(&at, m, d, row);
        *block = (phy_impulse_block){.family = phy_impulse_family_of(at.type),
                                     .row = row,
                                     .dim = at.dim,
                                     .mu = at.friction,
                                     .bound = m->opt.timestep * at.loss};
        memset(p->wref + row, 0, (size_t)at.dim * sizeof *p->wref);
        p->wref[row] = reference(p, block, at.gap);
    }
    phy_dense_jacobian(p->J, m, d);
}

static void gather_dofs(limp *p, const sal_model *m, sal_data *d)
{
    phy_dense_inertia(p->M, m, d);
    for (int i = 0; i < m->nv; i++) {
        p->F[i] = d->qfrc_passive[i] - d->qfrc_bias[i];
    }
}

/* ---- the models ---- */

/* R on the diagonal, and the weight of each row. What nothing moves (the third equation of a
 * connect in a plane) becomes a row that asks for nothing. */
static void settle_rows(limp *p)
{
    const int k = p->posthoc.k;
    double *A = p->posthoc.A, most = 0;
    for (int i = 0; i < k; i++) {
        most = fmax(most, A[i * (k + 1)]);
    }
    for (int i = 0; i < k; i++) {
        if (A[i * (k + 1)] <= immovable * most) {
            for (int j = 0; j < k; j++) {
                A[i * k + j] = A[j * k + i] = 0;
            }
            A[i * (k + 1)] = 1;
            p->posthoc.c[i] = 0;
        }
    }
    for (int b = 0; b < p->posthoc.nblock; b++) {
        const phy_impulse_block *block = &p->block[b];
        const double share = block->family == PHY_IMPULSE_EQUALITY ? p->option->weight[0]
                             : block->family == PHY_IMPULSE_LOSS   ? 0
                                                                   : p->option->weight[1];
        for (int i = block->row; i < block->row + block->dim; i++) {
            p->weight[i] = share / A[i * (k + 1)];
            A[i * (k + 1)] *= 1 + p->option->regulariser[0];
        }
    }
}

static sal_status by_complementarity(double *f, limp *p)
{
    const phy_complementarity_problem problem = {p->posthoc.k, p->posthoc.nblock, p->block,
                                                 p->posthoc.A, p->posthoc.c};
    return phy_complementarity_solve(f, p->x, &p->effort, &problem, p->scratch);
}

static sal_status by_diagonal(double *f, limp *p)
{
    static const double zero[PHY_IMPULSE_DIM] = {0};
    sal_status status = SAL_OK;
    p->effort.residual = 0;
    for (int b = 0; b < p->posthoc.nblock && status == SAL_OK; b++) {
        const int row = p->block[b].row;
        double diagonal[PHY_IMPULSE_DIM];
        sal_efc_state zone;
        for (int j = 0; j < p->block[b].dim; j++) {
            diagonal[j] = p->posthoc.A[(row + j) * (p->posthoc.k + 1)];
        }
        status = phy_diagonal_impulse(f + row, &zone, &p->block[b], diagonal, zero,
                                      p->posthoc.c + row, zero);
    }
    return status;
}

static sal_status by_model(double *f, double *slope, const double *A, const double *c,
                           void *context)
{
    limp *p = context;
    (void)slope, (void)A, (void)c; /* those of p->posthoc */
    settle_rows(p);
    return p->option->model == SAL_CONTACT_COMPLEMENTARITY ? by_complementarity(f, p)
                                                           : by_diagonal(f, p);
}

/* ---- both directions ---- */

/* f, v0 and M+, and what the solver says of them */
static sal_status impulses(limp *p, const sal_model *m, sal_data *d)
{
    gather_rows(p, m, d);
    gather_dofs(p, m, d);
    p->posthoc.block = p->block;
    p->posthoc.M = p->M;
    p->posthoc.J = p->J;
    p->posthoc.v = d->qvel;
    p->posthoc.F = p->F;
    p->posthoc.wref = p->wref;
    p->posthoc.weight = p->weight;
    p->posthoc.model = by_model;
    p->posthoc.context = p;
    const sal_status status = phy_posthoc_impulses(&p->posthoc, NULL);
    d->solver_iterations = p->effort.used;
    d->solver_gradient = p->effort.residual;
    d->solver_converged = status == SAL_OK && p->effort.residual <= solved_to;
    return status;
}

static sal_efc_state zone_of(const phy_impulse_block *block, const double *f)
{
    double square = 0;
    switch (block->family) {
    case PHY_IMPULSE_EQUALITY:
        return SAL_EFC_QUADRATIC;
    case PHY_IMPULSE_LOSS:
        return fabs(f[0]) < block->bound ? SAL_EFC_QUADRATIC
               : f[0] > 0                ? SAL_EFC_LINEARNEG
                                         : SAL_EFC_LINEARPOS;
    case PHY_IMPULSE_NORMAL:
    case PHY_IMPULSE_CONE:
        break;
    }
    for (int j = 1; j < block->dim; j++) {
        const double mu = block->mu[j - 1];
        square += mu > 0 ? (f[j] / mu) * (f[j] / mu) : 0;
    }
    return !(f[0] > 0)                          ? SAL_EFC_SATISFIED
           : square < (1 - 1e-12) * f[0] * f[0] ? SAL_EFC_QUADRATIC
                                                : SAL_EFC_CONE;
}

/* efc_force = f/h - W J (a - a0), efc_state */
static void tell_forces(limp *p, const sal_model *m, sal_data *d)
{
    const double h = m->opt.timestep;
    for (int i = 0; i < m->nv; i++) { /* a - a0 */
        p->next[i] = d->qacc[i] - (p->posthoc.v0[i] - d->qvel[i]) / h;
    }
    for (int b = 0; b < p->posthoc.nblock; b++) {
        const phy_impulse_block *block = &p->block[b];
        const double *f = p->posthoc.f + block->row;
        const sal_efc_state zone = zone_of(block, f);
        for (int j = 0; j < block->dim; j++) {
            const int row = block->row + j;
            const bool is_active = phy_posthoc_is_active(&p->posthoc, block);
            double along = 0;
            for (int i = 0; is_active && i < m->nv; i++) {
                along += p->J[row * m->nv + i] * p->next[i];
            }
            d->efc_state[row] = (int)zone;
            d->efc_force[row] = f[j] / h - p->weight[row] * along;
        }
    }
}

static sal_status refuse(const sal_model *m, sal_status status, sal_err *err)
{
    const char *name = phy_law_of(m)->name;
    return status == SAL_DIVERGED
               ? sal_fail(err, status,
                          "the numbers that the contact model %s works on are not "
                          "finite",
                          name)
           : status == SAL_SINGULAR
               ? sal_fail(err, status,
                          "the contact model %s needs a mass matrix that is positive "
                          "definite",
                          name)
               : sal_fail(err, status, "the contact model %s cannot have a friction below 0", name);
}

static sal_status solve(const sal_model *m, sal_data *d, sal_err *err)
{
    limp p;
    if (!take(&p, m, &d->arena, d->nefc)) {
        return phy_scratch_status(d, err);
    }
    const sal_status status = impulses(&p, m, d);
    if (status != SAL_OK) {
        return refuse(m, status, err);
    }
    for (int i = 0; i < m->nv; i++) {
        p.next[i] = d->qfrc_smooth[i] - p.F[i]; /* tau */
    }
    phy_posthoc_forward(p.next, &p.posthoc, p.next);
    for (int i = 0; i < m->nv; i++) {
        d->qacc[i] = (p.next[i] - d->qvel[i]) / m->opt.timestep;
    }
    tell_forces(&p, m, d);
    return SAL_OK;
}

static void inverse(const sal_model *m, sal_data *d)
{
    const size_t mark = d->arena.used;
    limp p;
    if (take(&p, m, &d->arena, d->nefc) && impulses(&p, m, d) == SAL_OK) {
        tell_forces(&p, m, d);
    } else {
        for (int row = 0; row < d->nefc; row++) {
            d->efc_force[row] = (double)NAN;
            d->efc_state[row] = SAL_EFC_QUADRATIC;
        }
    }
    d->arena.used = mark;
}

static const phy_law_solver solver = {solve, measure, inverse};

const phy_law phy_law_complementarity = {.name = "complementarity",
                                         .needs = PHY_LAW_NEEDS_MATRIX | PHY_LAW_POSTHOC,
                                         .level = PHY_LAW_VELOCITY,
                                         .forward = &solver};
const phy_law phy_law_diagonal = {.name = "diagonal",
                                  .needs = PHY_LAW_NEEDS_MATRIX | PHY_LAW_POSTHOC,
                                  .level = PHY_LAW_VELOCITY,
                                  .forward = &solver};
