/* pgs.c: the forces of the soft law by projected Gauss-Seidel: block after block is brought to its
 * minimum of
 *
 *     D(f) = f' (A + R) f / 2 + f' b          b = J a_s - aref
 *
 * over its cone, the others as they are, in the order of the rows. A single row:
 *
 *     f_i := project(f_i - r_i / (A_ii + R_ii)),       r = J a - aref + R f
 *
 * An elliptic contact is solved exactly (laws/cone_block.h), not along its ray and then within the
 * disc of friction, which stops at f = 0 where it should not. No step raises D. It ends when a
 * sweep lowers D by less than tolerance x meaninertia nv (MuJoCo documentation, "Computation:
 * PGS"); with tolerance 0, when no force changes any more.
 */
#include "physics/constraint.h"
#include "physics/scratch.h"
#include "physics/solvers/dual.h"
#include "physics/solvers/primal.h"

#include <math.h>
#include <string.h>

enum { REFRESH = 32 }; /* sweeps after which what rounding added to a is undone */

typedef struct sweeps {
    phy_dual dual;
    phy_law_block *block; /* [nblock], at most nefc */
    int nblock;
    double *inverse; /* [nefc] 1/(A_ii + R_ii) */
    double *f;       /* [nefc] efc_force */
    double fall;     /* of D in this sweep */
    double change;   /* the largest of a force in this sweep */
    double size;     /* the largest force */
} sweeps;

static void take(sweeps *s, const sal_model *m, sal_arena *arena)
{
    s->inverse = sal_arena_take(arena, (size_t)m->nefcmax, sizeof *s->inverse);
    s->block = sal_arena_take(arena, (size_t)m->nefcmax, sizeof *s->block);
}

void phy_pgs_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    sweeps s;
    take(&s, m, arena);
    phy_dual_scratch(m, arena);
    arena->used = mark;
}

static bool is_cone(const phy_law_block *block)
{
    return block->type == SAL_EFC_CONTACT_ELLIPTIC;
}

static void list_blocks(sweeps *s)
{
    for (int row = 0; row < s->dual.d->nefc; row += s->block[s->nblock++].dim) {
        phy_law_block_at(s->block + s->nblock, s->dual.m, s->dual.d, row);
    }
}

static sal_status prepare(sweeps *s)
{
    const sal_data *d = s->dual.d;
    sal_status status = SAL_OK;
    for (int b = 0; b < s->nblock && status == SAL_OK; b++) {
        const phy_law_block *block = s->block + b;
        if (is_cone(block)) {
            status = phy_dual_cone(&s->dual, block, d->efc_R);
        }
        for (int i = block->row; i < block->row + block->dim; i++) {
            const double *A = s->dual.block + i * PHY_DUAL_DIM;
            s->inverse[i] = 1 / (A[i - block->row] + d->efc_R[i]);
        }
    }
    return status;
}

/* f'(A + R)f/2 + f'b with a of f in the dual: A f + b = J a - aref there */
static double cost(const sweeps *s)
{
    const sal_data *d = s->dual.d;
    double sum = 0;
    phy_mul_jac(d, d->efc_acc, d->qacc_smooth, d->nefc);
    for (int b = 0; b < s->nblock; b++) {
        double residual[PHY_DUAL_DIM];
        const int row = s->block[b].row;
        phy_dual_residual(&s->dual, row, s->block[b].dim, residual);
        for (int i = 0; i < s->block[b].dim; i++) {
            const double f = s->f[row + i], c = d->efc_acc[row + i] - d->efc_aref[row + i];
            sum += 0.5 * f * (residual[i] + d->efc_R[row + i] * f + c);
        }
    }
    return sum;
}

/* f of the law at qacc_warmstart, if that is better than none: then 0 */
static void start(sweeps *s)
{
    const sal_model *m = s->dual.m;
    sal_data *d = s->dual.d;
    const bool is_warm = !(m->opt.disable & SAL_DSBL_WARMSTART);
    if (is_warm) {
        const phy_law *law = phy_law_of(m);
        phy_mul_jac(d, d->efc_acc, d->qacc_warmstart, d->nefc);
        const phy_law_rows rows = phy_law_rows_of(m, d);
        for (int b = 0; b < s->nblock; b++) {
            const int row = s->block[b].row;
            law->inverse(s->f + row, d->efc_state + row, s->block + b, &rows);
        }
        phy_dual_acceleration(&s->dual, s->f);
    }
    if (!is_warm || !(cost(s) < 0)) {
        memset(s->f, 0, (size_t)d->nefc * sizeof *s->f);
        phy_dual_acceleration(&s->dual, s->f);
    }
}

static double project(double f, phy_impulse_family family, double bound)
{
    if (family == PHY_IMPULSE_EQUALITY) {
        return f;
    }
    if (family == PHY_IMPULSE_LOSS) {
        return f > bound ? bound : f < -bound ? -bound : f;
    }
    return f < 0 ? 0 : f; /* NaN stays NaN */
}

/* f += step of a block */
static void step_by(sweeps *s, const phy_law_block *block, const double *step)
{
    phy_dual_push(&s->dual, block->row, block->dim, step);
    for (int i = 0; i < block->dim; i++) {
        double *f = s->f + block->row + i;
        *f += step[i];
        const double change = fabs(step[i]), size = fabs(*f);
        s->change = change > s->change ? change : s->change;
        s->size = size > s->size ? size : s->size;
    }
}

/* One row after the other */
static void move_rows(sweeps *s, const phy_law_block *block)
{
    const sal_data *d = s->dual.d;
    const phy_impulse_family family = phy_impulse_family_of(block->type);
    double residual[PHY_DUAL_DIM], step[PHY_DUAL_DIM] = {0};
    phy_dual_residual(&s->dual, block->row, block->dim, residual);
    for (int i = 0; i < block->dim; i++) {
        const int row = block->row + i;
        const double *A = s->dual.block + row * PHY_DUAL_DIM, f = s->f[row];
        const double unmet = residual[i] + d->efc_R[row] * f, inverse = s->inverse[row];
        step[i] = project(f - unmet * inverse, family, block->loss) - f;
        s->fall -= step[i] * (0.5 * step[i] / inverse + unmet);
        for (int j = i + 1; j < block->dim; j++) {
            residual[j] += A[j] * step[i];
        }
    }
    step_by(s, block, step);
}

static sal_status move_cone(sweeps *s, const phy_law_block *block)
{
    const double *R = s->dual.d->efc_R + block->row, *f = s->f + block->row;
    const int dim = block->dim;
    double residual[PHY_DUAL_DIM] = {0}, next[PHY_DUAL_DIM] = {0}, step[PHY_DUAL_DIM] = {0};
    phy_dual_residual(&s->dual, block->row, dim, residual);
    for (int i = 0; i < dim; i++) {
        const double *A = s->dual.block + (block->row + i) * PHY_DUAL_DIM;
        next[i] = residual[i]; /* b of the block */
        for (int j = 0; j < dim; j++) {
            next[i] -= A[j] * f[j];
        }
        residual[i] += R[i] * f[i];
    }
    const sal_status status =
        phy_cone_minimise(next, s->dual.cone + s->dual.d->efc_id[block->row], next, f[0]);
    if (status != SAL_OK) {
        return status;
    }
    for (int i = 0; i < dim; i++) {
        step[i] = next[i] - f[i];
    }
    s->fall -= phy_dual_change(&s->dual, block, step, residual, s->dual.d->efc_R);
    step_by(s, block, step);
    return SAL_OK;
}

static sal_status sweep(sweeps *s)
{
    sal_status status = SAL_OK;
    s->fall = s->change = s->size = 0;
    for (int b = 0; b < s->nblock && status == SAL_OK; b++) {
        if (is_cone(s->block + b)) {
            status = move_cone(s, s->block + b);
        } else {
            move_rows(s, s->block + b);
        }
    }
    return status == SAL_OK && !isfinite(s->fall) ? SAL_DIVERGED : status;
}

static sal_status iterate(sweeps *s)
{
    const sal_model *m = s->dual.m;
    sal_data *d = s->dual.d;
    const double scale = 1 / (m->meaninertia * m->nv), tolerance = m->opt.tolerance;
    sal_status status = SAL_OK;
    d->solver_converged = false;
    for (int k = 0; k < m->opt.iterations && !d->solver_converged && status == SAL_OK; k++) {
        if (k > 0 && k % REFRESH == 0) {
            phy_dual_acceleration(&s->dual, s->f);
        }
        status = sweep(s);
        d->solver_iterations = k + 1;
        d->solver_gradient = scale * s->fall;
        d->solver_converged =
            tolerance > 0 ? scale * s->fall < tolerance : s->change <= PHY_DUAL_STILL * s->size;
    }
    return status;
}

sal_status phy_pgs(const sal_model *m, sal_data *d, sal_err *err)
{
    sweeps s = {.f = d->efc_force};
    take(&s, m, &d->arena);
    sal_status status = phy_dual_begin(&s.dual, m, d, err);
    if (status != SAL_OK) {
        return status;
    }
    list_blocks(&s);
    start(&s);
    status = prepare(&s);
    if (status == SAL_OK) {
        status = iterate(&s);
    }
    if (status != SAL_OK) {
        return phy_solver_not_finite(err);
    }
    phy_dual_finish(&s.dual);
    return SAL_OK;
}
