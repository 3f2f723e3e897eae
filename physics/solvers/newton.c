/* newton.c: Newton's direction,
 *
 *     p = -H^-1 g,      H = M + J' C J           C = d2s/dacc2, block by block
 */
#include "physics/constraint.h"
#include "physics/solvers/primal.h"

static bool begin(phy_primal *s)
{
    return phy_hessian_begin(&s->H, s->m, s->d, s->d->nefc);
}

/* p = -H^-1 g; false if H has no factor, which only numbers that are not finite bring about */
static bool direction(phy_primal *s)
{
    const phy_law_rows rows = phy_law_rows_at(s->m, s->d, s->acc);
    const int nv = s->m->nv;
    phy_law_block block;
    double c[PHY_LAW_DIM * PHY_LAW_DIM];
    phy_hessian_set(&s->H, s->d);
    for (int row = 0; row < s->d->nefc; row += block.dim) {
        phy_law_block_at(&block, s->m, s->d, row);
        s->law->curvature(c, &block, &rows);
        phy_hessian_add(&s->H, s->d, row, block.dim, c, s->weighted);
    }
    if (!phy_hessian_factor(&s->H)) {
        return false;
    }
    for (int i = 0; i < nv; i++) {
        s->p[i] = -s->grad[i];
    }
    phy_hessian_solve(&s->H, s->p);
    phy_inertial_product(s, s->mp, s->p);
    phy_mul_jac(s->d, s->jp, s->p, s->d->nefc);
    return true;
}

const phy_primal_method phy_newton = {
    .begin = begin, .direction = direction, .first = 1, .slope = 0.01, .patience = 3, .refresh = 1};
