/* hard_block.c: Fig. 4 of Howell et al. ("Dojo"): a block of 1 kg at rest on the floor, pushed by a
 * force for one step: how far softness moves it, and the slope of its position by the force.
 *
 * Vertical, with u the next velocity:  u = h (F - m g)/m + kappa/(h u m),  so that the softened
 * motion is farther than the hard one by at most sqrt(h kappa/m), at F = m g. */
#include "bench/tables/tables.h"

#include "base/dense.h"
#include "physics/laws/hard_forward.h"

#include <math.h>
#include <stdio.h>

enum { FORCES = 4, SOFTNESSES = 5, SCAN = 2001 };
static const double STEP = 0.1; /* s */
static const double KAPPA[SOFTNESSES] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-8};

static _Alignas(64) char scratch[1 << 16];

typedef struct push {
    double gravity, mu, force, kappa;
    bool is_vertical;
} push;

/* The displacement by the force after one step, and its slope over h^2 */
static double displacement(double *slope, const push *a)
{
    static const double M[4] = {1, 0, 0, 1}, J[6] = {1, 0, 0, 1, 0, 0}, gap[1] = {0};
    const double mu[2] = {a->mu, a->mu};
    const double rhs[2] = {STEP * ((a->is_vertical ? a->force : 0) - a->gravity),
                           STEP * (a->is_vertical ? 0 : a->force)};
    const phy_hard_block block = {PHY_HARD_CONTACT, 0, 3, mu, 0, 0};
    const phy_hard_problem p = {.nv = 2,
                                .nrow = 3,
                                .nblock = 1,
                                .block = &block,
                                .M = M,
                                .rhs = rhs,
                                .J = J,
                                .relax = {a->kappa, a->kappa, 0},
                                .gap = gap,
                                .timestep = STEP};
    const int which = a->is_vertical ? 0 : 1;
    double v[2], f[3], lu[4], F[6], column[2] = {!which, which};
    int pivot[2];
    phy_hard_point point;
    phy_hard_result result;
    sal_arena arena = {.base = scratch, .size = sizeof scratch};
    table_check(phy_hard_forward(v, f, &point, &result, &p, &(phy_hard_effort){0}, false, &arena),
                "block");
    table_check(result.is_solved ? SAL_OK : SAL_DIVERGED, "block");
    table_check(phy_hard_linearise(lu, pivot, F, &p, v, &arena), "block");
    sal_dense_lu_solve(column, lu, pivot, 2);
    *slope = column[which];
    return STEP * v[which];
}

/* The largest difference of the displacements of two softnesses, forces of 0 to `most` */
static double deviation(push a, double kappa, double other, double most)
{
    double slope, worst = 0;
    for (int i = 0; i < SCAN; i++) {
        a.force = most * i / (SCAN - 1);
        a.kappa = kappa;
        const double one = displacement(&slope, &a);
        a.kappa = other;
        worst = fmax(worst, fabs(one - displacement(&slope, &a)));
    }
    return worst;
}

static void print_slopes(bool is_vertical)
{
    static const double force[FORCES] = {0.25, 0.9, 1.0, 1.5};
    for (int i = 0; i < SOFTNESSES; i++) {
        char what[64], note[64];
        double slope[FORCES];
        push a = {1, 1, 0, KAPPA[i], is_vertical};
        const double far = deviation(a, KAPPA[i], 1e-12, 2);
        for (int k = 0; k < FORCES; k++) {
            a.force = force[k];
            displacement(&slope[k], &a);
        }
        snprintf(what, sizeof what, "%s, kappa %g", is_vertical ? "vertical" : "sideways",
                 KAPPA[i]);
        snprintf(note, sizeof note, "at most %.1e m from hard", far);
        print_row(what, NULL, note, "%.2f %.2f %.2f %.2f", slope[0], slope[1], slope[2], slope[3]);
    }
}

void hard_block(const table_effort *effort)
{
    (void)effort;
    print_title("Dojo, Fig. 4", "a block of 1 kg on the floor, pushed during one step; hard");
    print_remark(
        "The paper gives two numbers, forces of 0 to 20 N; neither its time step nor its friction. "
        "Here h = 0.1 s, mu = 1, one step from rest.");
    print_remark(
        "The slopes below (g = 1, so that it lifts off and slides at F = 1) are drawn only in the "
        "paper; where the force just lifts, the slope is 1/2 whatever kappa.");
    print_head("force of 0 to 20 N, kappa 1e-4 against 1e-8", "m");
    print_ratio("largest difference, upwards", 2.56e-3,
                deviation((push){9.81, 1, 0, 0, true}, 1e-4, 1e-8, 20));
    print_ratio("largest difference, sideways", 1.52e-3,
                deviation((push){9.81, 1, 0, 0, false}, 1e-4, 1e-8, 20));
    print_head("slopes/h^2 at F = 0.25, 0.9, 1, 1.5 N", "");
    print_slopes(true);
    print_slopes(false);
}
