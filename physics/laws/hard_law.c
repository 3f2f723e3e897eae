/* hard_law.c: the hard contact model (hard.h) as a law of forces: the impulse f of a block over the
 * time step. Of contacts the gap s at the next instant is given; that of limits is gap + h w, which
 * is exact for slides, hinges and fixed tendons; of the violation of an equality a tenth is undone,
 * s = gap/10 + h w.
 *
 *     force = f(s, w)/h        w = J v + h J a
 *     H = -df/dw               of contacts and dry friction, at given s
 *     H = -h df/ds             of limits and equalities
 *
 * The normal impulse goes on along its tangent below the gap s_0, where it is more than motions
 * need: none that is found is there, but a search passes through what penetrates.
 */
#include "physics/laws/hard_mechanism.h"
#include "physics/laws/impulse.h"

#include <math.h>
#include <string.h>

static const double undone = 0.1;      /* of the violation of an equality, in a step */
static const double compliance = 0.01; /* of equalities, over h A: as firm as R = A/100 */

static phy_hard_kind kind_of(sal_efc_type type)
{
    const phy_impulse_family family = phy_impulse_family_of(type);
    return family == PHY_IMPULSE_EQUALITY ? PHY_HARD_EQUALITY
           : family == PHY_IMPULSE_LOSS   ? PHY_HARD_LOSS
                                          : PHY_HARD_CONTACT;
}

double phy_hard_kappa_slip(const sal_contact_option *o)
{
    return o->kappa_slip > 0 ? o->kappa_slip : o->kappa;
}

void phy_hard_block_of(phy_hard_block *hard, phy_hard_relax *relax, const phy_law_block *block,
                       const phy_law_rows *rows)
{
    const double h = rows->timestep, A = rows->diagonal[block->row], kappa = rows->contact->kappa;
    *hard = (phy_hard_block){.kind = kind_of(block->type),
                             .row = block->row,
                             .dim = block->dim,
                             .mu = block->friction,
                             .bound = h * block->loss,
                             .compliance = compliance * h * A};
    *relax = (phy_hard_relax){.kappa_n = kappa,
                              .kappa_t = phy_hard_kappa_slip(rows->contact),
                              .s0 = kappa / rows->contact->firmest};
}

double phy_hard_gap_share(const phy_law_block *block)
{
    return block->type == SAL_EFC_EQUALITY ? undone : 1;
}

/* ---- the law ---- */

/* What the impulse of a block is a function of */
typedef struct point {
    phy_hard_block block;
    phy_hard_relax relax;
    double s, w[PHY_HARD_DIM];
} point;

static void gather(point *p, const phy_law_block *block, const phy_law_rows *rows)
{
    const double h = rows->timestep;
    phy_hard_block_of(&p->block, &p->relax, block, rows);
    for (int j = 0; j < block->dim; j++) {
        p->w[j] = rows->vel[block->row + j] + h * rows->acc[block->row + j];
    }
    p->s = phy_law_is_of_contact(block) ? rows->next[block->row] + rows->contact->lift
                                        : phy_hard_gap_share(block) * block->gap + h * p->w[0];
}

static bool has_linear_gap(const phy_law_block *block)
{
    return !phy_law_is_of_contact(block) && kind_of(block->type) != PHY_HARD_LOSS;
}

static double hard_force(double *force, int *state, const phy_law_block *block,
                         const phy_law_rows *rows)
{
    point p;
    gather(&p, block, rows);
    const phy_hard_state is = phy_hard_inverse(force, &p.block, &p.relax, p.s, p.w);
    for (int j = 0; j < block->dim; j++) {
        force[j] = is == PHY_HARD_INVALID ? (double)NAN : force[j] / rows->timestep;
        state[j] = SAL_EFC_QUADRATIC;
    }
    return 0;
}

static void slopes_at(phy_hard_slopes *slopes, const phy_law_block *block, const phy_law_rows *rows)
{
    point p;
    gather(&p, block, rows);
    phy_hard_deriv(slopes, &p.block, &p.relax, p.s, p.w);
}

static void hard_curvature(double *H, const phy_law_block *block, const phy_law_rows *rows)
{
    phy_hard_slopes slopes;
    slopes_at(&slopes, block, rows);
    if (has_linear_gap(block)) {
        H[0] = -slopes.s[0] * rows->timestep;
        return;
    }
    for (int j = 0; j < block->dim * block->dim; j++) {
        H[j] = -slopes.w[j];
    }
}

static void hard_by_gap(double *slope, const double *H, const double *force,
                        const phy_law_block *block, const phy_law_rows *rows)
{
    (void)force;
    memset(slope, 0, (size_t)block->dim * sizeof *slope);
    if (has_linear_gap(block)) {
        slope[0] = -H[0] * phy_hard_gap_share(block) / (rows->timestep * rows->timestep);
    }
}

static void hard_by_next(double *slope, const phy_law_block *block, const phy_law_rows *rows)
{
    phy_hard_slopes slopes;
    slopes_at(&slopes, block, rows);
    for (int j = 0; j < block->dim; j++) {
        slope[j] = slopes.s[j] / rows->timestep;
    }
}

const phy_law phy_law_hard = {"hard",       PHY_LAW_NEEDS_NEXT_GAP, PHY_LAW_POSITION,
                              hard_force,   hard_curvature,         hard_by_gap,
                              hard_by_next, &phy_hard_solver};
