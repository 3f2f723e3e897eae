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

static const double LEAST = 1e-10; /* of the diagonal of A */

static bool is_asked(const sal_model *m)
{
    return m->opt.noslip_iterations > 0 && m->opt.contact.model == SAL_CONTACT_SOFT;
}

static void push(phy_dual *dual, int row, double next)
{
    double *f = dual->d->efc_force + row;
    if (next != *f) {
        phy_dual_push(dual, row, next - *f);
        *f = next;
    }
}

/* Each of these returns by how much f'A f/2 + f'b falls. */
static double move_loss(phy_dual *dual, const phy_law_block *block)
{
    const double residual = phy_dual_residual(dual, block->row);
    const double A = fmax(LEAST, phy_dual_diagonal(dual, block, block->row));
    const double f = dual->d->efc_force[block->row];
    const double next = fmin(fmax(f - residual / A, -block->loss), block->loss), step = next - f;
    push(dual, block->row, next);
    return -step * (0.5 * A * step + residual);
}

/* r by y is  r_0 - r_1,  A by y is  A_00 + A_11 - A_01 - A_10 */
static double move_pair(phy_dual *dual, int row)
{
    const double *f = dual->d->efc_force + row;
    const double *A0 = dual->block + row * PHY_DUAL_DIM, *A1 = A0 + PHY_DUAL_DIM;
    const double residual[2] = {phy_dual_residual(dual, row), phy_dual_residual(dual, row + 1)};
    const double centre = 0.5 * (f[0] + f[1]), curvature = A0[0] + A1[1] - A0[1] - A1[0];
    double y = 0;
    if (curvature >= SAL_MINVAL) {
        y = 0.5 * (f[0] - f[1]) - (residual[0] - residual[1]) / curvature;
        y = fmin(fmax(y, -centre), centre);
    }
    const double next[2] = {centre + y, centre - y};
    const double step[2] = {next[0] - f[0], next[1] - f[1]};
    const double change = phy_dual_change(dual, row, 2, step, residual, NULL);
    push(dual, row, next[0]);
    push(dual, row + 1, next[1]);
    return -change;
}

static double move_cone(phy_dual *dual, const phy_law_block *block)
{
    const int row = block->row, dim = block->dim;
    const double *f = dual->d->efc_force + row;
    double residual[PHY_DUAL_DIM] = {0}, next[PHY_DUAL_DIM] = {0}, step[PHY_DUAL_DIM] = {0};
    next[0] = f[0];
    for (int i = 1; i < dim; i++) {
        const double *A = dual->block + (row + i) * PHY_DUAL_DIM;
        next[i] = residual[i] = phy_dual_residual(dual, row + i);
        for (int j = 0; j < dim; j++) { /* b of the block */
            next[i] -= A[j] * f[j];
        }
    }
    phy_cone_slide(next, dual->cone + dual->d->efc_id[row], next);
    for (int i = 1; i < dim; i++) {
        step[i] = next[i] - f[i];
    }
    const double change = phy_dual_change(dual, row, dim, step, residual, NULL);
    for (int i = 1; i < dim; i++) {
        push(dual, row + i, next[i]);
    }
    return -change;
}

static double sweep(phy_dual *dual)
{
    phy_law_block block;
    double fall = 0;
    for (int row = 0; row < dual->d->nefc; row += block.dim) {
        phy_law_block_at(&block, dual->m, dual->d, row);
        if (phy_impulse_family_of(block.type) == PHY_IMPULSE_LOSS) {
            fall += move_loss(dual, &block);
        } else if (block.type == SAL_EFC_CONTACT_ELLIPTIC) {
            fall += move_cone(dual, &block);
        } else if (block.type == SAL_EFC_CONTACT_PYRAMIDAL) {
            for (int k = 0; k < block.dim; k += 2) {
                fall += move_pair(dual, row + k);
            }
        }
    }
    return fall;
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
        double fall = regularised(d);
        phy_dual_acceleration(&dual, d->efc_force);
        for (int k = 0; k < m->opt.noslip_iterations; k++) {
            fall += sweep(&dual);
            if (!(scale * fall >= m->opt.noslip_tolerance)) {
                break;
            }
            fall = 0;
        }
        phy_dual_finish(&dual);
        status = isfinite(fall) ? SAL_OK : phy_solver_not_finite(err);
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
