/* noslip.c: the forces once more, with friction that does not give way: projected Gauss-Seidel in
 * the rows of friction alone, without the regulariser R, all other forces as the solver left them
 * (MuJoCo documentation, "Computation: noslip").
 *
 *     friction of a dof, a tendon    f := clamp(f - r/A_ii, -bound, bound)
 *     elliptic contact               min f_t' A_tt f_t / 2 + f_t' b over |f_t/mu| <= f_0, f_0 fixed
 *     edges f = c +- y of a pyramid  min over |y| <= c, c fixed
 *
 * with r = J a - aref. There is no law whose inverse these forces are.
 */
#include "base/house.h"
#include "physics/constraint.h"
#include "physics/scratch.h"
#include "physics/solver.h"
#include "physics/solvers/dual.h"
#include "physics/solvers/primal.h"

#include <math.h>
#include <string.h>

static const double LEAST = 1e-10; /* of the diagonal of A */

/* What one sweep did: by how much the cost fell, the largest step and the largest force */
typedef struct change {
    double fall, step, size;
} change;

static bool is_asked(const sal_model *m)
{
    return m->opt.noslip_iterations > 0 && m->opt.contact.model == SAL_CONTACT_SOFT;
}

/* f += step of a block, by which f'A f/2 + f'b falls. */
static void step_by(phy_dual *dual, const phy_law_block *block, const double *step,
                    const double *residual, change *c)
{
    double *f = dual->d->efc_force + block->row;
    c->fall -= phy_dual_change(dual, block, step, residual, NULL);
    phy_dual_push(dual, block->row, block->dim, step);
    for (int i = 0; i < block->dim; i++) {
        f[i] += step[i];
        c->step = fmax(c->step, fabs(step[i]));
        c->size = fmax(c->size, fabs(f[i]));
    }
}

static void move_loss(phy_dual *dual, const phy_law_block *block, change *c)
{
    double residual, step;
    phy_dual_residual(dual, block->row, 1, &residual);
    const double A = fmax(LEAST, dual->block[block->row * PHY_DUAL_DIM]);
    const double f = dual->d->efc_force[block->row];
    step = fmin(fmax(f - residual / A, -block->loss), block->loss) - f;
    step_by(dual, block, &step, &residual, c);
}

/* One pair after the other: r by y is  r_0 - r_1,  A by y is  A_00 + A_11 - A_01 - A_10 */
static void move_pyramid(phy_dual *dual, const phy_law_block *block, change *c)
{
    double residual[PHY_DUAL_DIM], now[PHY_DUAL_DIM], step[PHY_DUAL_DIM] = {0};
    phy_dual_residual(dual, block->row, block->dim, residual);
    memcpy(now, residual, sizeof now);
    for (int i = 0; i < block->dim; i += 2) {
        const double *f = dual->d->efc_force + block->row + i;
        const double *A = dual->block + (block->row + i) * PHY_DUAL_DIM, *B = A + PHY_DUAL_DIM;
        const double centre = 0.5 * (f[0] + f[1]);
        const double curvature = A[i] + B[i + 1] - A[i + 1] - B[i];
        double y = 0;
        if (curvature >= SAL_MINVAL) {
            y = 0.5 * (f[0] - f[1]) - (now[i] - now[i + 1]) / curvature;
            y = fmin(fmax(y, -centre), centre);
        }
        step[i] = centre + y - f[0];
        step[i + 1] = centre - y - f[1];
        for (int j = i + 2; j < block->dim; j++) {
            now[j] += A[j] * step[i] + B[j] * step[i + 1];
        }
    }
    step_by(dual, block, step, residual, c);
}

static void move_cone(phy_dual *dual, const phy_law_block *block, change *c)
{
    const int dim = block->dim;
    const double *f = dual->d->efc_force + block->row;
    double residual[PHY_DUAL_DIM], next[PHY_DUAL_DIM] = {0}, step[PHY_DUAL_DIM] = {0};
    phy_dual_residual(dual, block->row, dim, residual);
    next[0] = f[0];
    for (int i = 1; i < dim; i++) {
        const double *A = dual->block + (block->row + i) * PHY_DUAL_DIM;
        next[i] = residual[i];
        for (int j = 0; j < dim; j++) { /* b of the block */
            next[i] -= A[j] * f[j];
        }
    }
    phy_cone_slide(next, dual->cone + dual->d->efc_id[block->row], next);
    for (int i = 1; i < dim; i++) {
        step[i] = next[i] - f[i];
    }
    step_by(dual, block, step, residual, c);
}

static void sweep(phy_dual *dual, change *c)
{
    phy_law_block block;
    for (int row = 0; row < dual->d->nefc; row += block.dim) {
        phy_law_block_at(&block, dual->m, dual->d, row);
        if (phy_impulse_family_of(block.type) == PHY_IMPULSE_LOSS) {
            move_loss(dual, &block, c);
        } else if (block.type == SAL_EFC_CONTACT_ELLIPTIC) {
            move_cone(dual, &block, c);
        } else if (block.type == SAL_EFC_CONTACT_PYRAMIDAL) {
            move_pyramid(dual, &block, c);
        }
    }
}

static sal_status prepare(phy_dual *dual)
{
    phy_law_block block;
    sal_status status = SAL_OK;
    for (int row = 0; row < dual->d->nefc && status == SAL_OK; row += block.dim) {
        phy_law_block_at(&block, dual->m, dual->d, row);
        if (block.type == SAL_EFC_CONTACT_ELLIPTIC) {
            status = phy_dual_cone(dual, &block, NULL);
        }
    }
    return status;
}

/* The cost f'R f/2 that is left out counts as fallen in the first sweep, so that it is not taken
 * for the last one. */
static double regularised(const sal_data *d)
{
    double sum = 0;
    for (int i = 0; i < d->nefc; i++) {
        sum += 0.5 * d->efc_R[i] * d->efc_force[i] * d->efc_force[i];
    }
    return sum;
}

sal_status phy_noslip(const sal_model *m, sal_data *d, sal_err *err)
{
    const size_t mark = d->arena.used;
    const double scale = 1 / (m->meaninertia * m->nv);
    phy_dual dual;
    if (!is_asked(m) || d->nefc == 0) {
        return SAL_OK;
    }
    sal_status status = phy_dual_begin(&dual, m, d, err);
    if (status == SAL_OK && prepare(&dual) != SAL_OK) {
        status = phy_solver_not_finite(err);
    }
    if (status == SAL_OK) {
        change c = {.fall = regularised(d)};
        phy_dual_acceleration(&dual, d->efc_force);
        for (int k = 0; k < m->opt.noslip_iterations; k++) {
            sweep(&dual, &c);
            if (!(scale * c.fall >= m->opt.noslip_tolerance) || c.step <= PHY_DUAL_STILL * c.size) {
                break;
            }
            c = (change){0};
        }
        phy_dual_finish(&dual);
        status = isfinite(c.fall) ? SAL_OK : phy_solver_not_finite(err);
    }
    d->arena.used = mark;
    return status;
}

void phy_noslip_scratch(const sal_model *m, sal_arena *arena)
{
    if (is_asked(m)) {
        phy_dual_scratch(m, arena);
    }
}
