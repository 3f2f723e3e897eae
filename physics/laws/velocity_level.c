/* velocity_level.c: the laws that know the next velocity of a block's rows, and what they make of
 * the gap.
 *
 *     w = J v + h J a,    y = w - w*    f = -ds/dy (N s),    C = -df/dy        force = f/h
 *
 *     R_n  = A (R_0 + (R_1 - R_0) clamp(gap/reach, 0, 1)),    R_j mu_j^2 alike for all j > 0
 *
 * with A the diagonal of J M^-1 J' and w* of the normal from the gap (impulse.h). (Todorov, "A
 * convex, smooth and invertible contact model for trajectory optimization", ICRA 2011, for R by the
 * gap; "MuJoCo", IROS 2012.)
 *
 * Of both laws R f + y + d(barrier)/df = 0, so that df/dR_j = -C e_j f_j and
 *
 *     df/dgap = C (e_n dw*_n/dgap - f dR/dgap)
 */
#include "physics/laws/velocity_level.h"

#include "physics/laws/convex.h"
#include "physics/laws/logbarrier.h"

#include <math.h>
#include <string.h>

enum { DIM = PHY_IMPULSE_DIM };

/* f [dim], C [dim x dim] unless it is NULL, state [dim]; returns s (J). What is not finite gives
 * NaN. */
typedef double core(double *f, double *C, int *state, const phy_velocities *b);

/* ---- blocks ---- */

/* w*_n, and what R is over A */
static double reference(phy_velocities *b, double *R, double gap, const phy_law_rows *rows)
{
    const sal_contact_option *o = rows->contact;
    const phy_barrier_ramp ramp = {o->regulariser[0], o->regulariser[1], o->reach, false};
    *R = o->regulariser[0];
    b->dR = 0;
    if (phy_impulse_has_normal(&b->block) && gap > 0) {
        *R = phy_barrier_ramp_at(&b->dR, &ramp, gap);
    }
    return phy_impulse_reference(&b->reference_slope, b->block.family, gap, rows->timestep);
}

void phy_velocities_of(phy_velocities *b, const phy_law_block *block, const phy_law_rows *rows)
{
    const double h = rows->timestep, *mu = block->friction;
    double R;
    b->block = (phy_impulse_block){.family = phy_impulse_family_of(block->type),
                                   .row = block->row,
                                   .dim = block->dim,
                                   .mu = mu,
                                   .bound = h * block->loss};
    b->kappa = rows->contact->kappa;
    const double lift = block->type < SAL_EFC_CONTACT_FRICTIONLESS ? 0 : rows->contact->lift;
    b->reference = reference(b, &R, block->gap + lift, rows);
    for (int j = 0; j < block->dim; j++) {
        const double rounder = j > 1 ? mu[0] / mu[j - 1] : 1;
        b->A[j] = rows->diagonal[block->row] * rounder * rounder;
        b->R[j] = R * b->A[j];
        b->w[j] = b->y[j] = rows->vel[block->row + j] + h * rows->acc[block->row + j];
    }
    b->y[0] -= b->reference;
}

static void spoil(double *f, double *C, int n)
{
    for (int i = 0; i < n; i++) {
        f[i] = (double)NAN;
        for (int j = 0; C != NULL && j < n; j++) {
            C[i * n + j] = (double)NAN;
        }
    }
}

/* ---- the laws ---- */

static double of_barrier_row(double *f, double *C, phy_barrier_row row)
{
    f[0] = row.f;
    if (C != NULL) {
        C[0] = row.slope;
    }
    return row.s;
}

static double logbarrier(double *f, double *C, int *state, const phy_velocities *b)
{
    const phy_barrier_cone cone = {b->block.dim, b->R, b->block.mu, b->kappa};
    phy_barrier_force at;
    for (int j = 0; j < b->block.dim; j++) {
        state[j] = SAL_EFC_QUADRATIC;
    }
    switch (b->block.family) {
    case PHY_IMPULSE_EQUALITY:
        return of_barrier_row(f, C, phy_barrier_equality(b->y[0], b->R[0]));
    case PHY_IMPULSE_LOSS:
        return of_barrier_row(f, C, phy_barrier_loss(b->y[0], b->R[0], b->block.bound, b->kappa));
    case PHY_IMPULSE_NORMAL:
        return of_barrier_row(f, C, phy_barrier_normal(b->y[0], b->R[0], b->kappa));
    case PHY_IMPULSE_CONE:
        break;
    }
    if (phy_barrier_cone_force(&at, b->y, &cone) != SAL_OK) {
        spoil(f, C, b->block.dim);
        return (double)NAN;
    }
    memcpy(f, at.f, (size_t)b->block.dim * sizeof *f);
    if (C != NULL) {
        phy_barrier_cone_curvature(C, &at, &cone);
    }
    return phy_barrier_cone_potential(&at, b->y, &cone);
}

static double convex(double *f, double *C, int *state, const phy_velocities *b)
{
    double s;
    sal_efc_state zone;
    if (phy_convex_inverse(f, &s, &zone, &b->block, b->R, b->y) != SAL_OK ||
        (C != NULL && phy_convex_curvature(C, &b->block, b->R, b->y) != SAL_OK)) {
        spoil(f, C, b->block.dim);
        s = (double)NAN;
    }
    for (int j = 0; j < b->block.dim; j++) {
        state[j] = (int)zone;
    }
    return s;
}

/* ---- as laws of forces ---- */

/* -ds/dacc = f/h, as y = .. + h acc */
static double force_of(core *law, double *force, int *state, const phy_law_block *block,
                       const phy_law_rows *rows)
{
    const double h = rows->timestep;
    phy_velocities b;
    phy_velocities_of(&b, block, rows);
    const double s = law(force, NULL, state, &b);
    for (int j = 0; j < block->dim; j++) {
        force[j] /= h;
    }
    return s / (h * h);
}

/* -d(f/h)/dacc = C */
static void curvature_of(core *law, double *H, const phy_law_block *block, const phy_law_rows *rows)
{
    phy_velocities b;
    double f[DIM];
    int state[DIM];
    phy_velocities_of(&b, block, rows);
    law(f, H, state, &b);
}

/* The same for all of them: C is H, and f is h force. */
static void by_gap(double *slope, const double *H, const double *force, const phy_law_block *block,
                   const phy_law_rows *rows)
{
    const int n = block->dim;
    phy_velocities b;
    phy_velocities_of(&b, block, rows);
    for (int i = 0; i < n; i++) {
        slope[i] = H[i * n] * b.reference_slope / rows->timestep;
        for (int j = 0; j < n; j++) {
            slope[i] -= H[i * n + j] * force[j] * b.A[j] * b.dR;
        }
    }
}

#define LAW_OF_VELOCITIES(name)                                                                    \
    static double name##_force(double *force, int *state, const phy_law_block *block,              \
                               const phy_law_rows *rows)                                           \
    {                                                                                              \
        return force_of(name, force, state, block, rows);                                          \
    }                                                                                              \
    static void name##_curvature(double *h, const phy_law_block *block, const phy_law_rows *rows)  \
    {                                                                                              \
        curvature_of(name, h, block, rows);                                                        \
    }                                                                                              \
    const phy_law phy_law_##name = {#name,                                                         \
                                    PHY_LAW_NEEDS_NOTHING,                                         \
                                    PHY_LAW_VELOCITY,                                              \
                                    name##_force,                                                  \
                                    name##_curvature,                                              \
                                    by_gap,                                                        \
                                    NULL,                                                          \
                                    NULL};

LAW_OF_VELOCITIES(logbarrier)
LAW_OF_VELOCITIES(convex)
