/* slope.c: how forces change with velocity, and linear algebra with matrices of that pattern.
 *
 *     D = - diag(damping) - sum_t b_t J_t'J_t + sum_i k_i m_i'm_i + medium - dc/dv
 *     k_i = d force_i / d ldot_i,  m_i the actuator's moment
 *
 * Entries between dofs on different branches, which a tendon or an actuator can have, are left out,
 * as MuJoCo leaves them out: elimination from the leaves then causes no fill-in. The step stays
 * exactly invertible, since the inverse uses the same D. (MuJoCo documentation, "Computation:
 * numerical integration".)
 */
#include "physics/implicit/slope.h"

#include "physics/actuator.h"
#include "physics/compiling.h"
#include "physics/fluid.h"
#include "physics/implicit/damping.h"
#include "physics/scratch.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <string.h>

double phy_damping_slope(const sal_model *m, const sal_data *d, int i)
{
    double slope;
    phy_damper_slope(&slope, m->dof_damping[i], m->dof_dampingpoly + 2 * i, d->qvel + i);
    return slope;
}

double phy_tendon_damping_slope(const sal_model *m, const sal_data *d, int t)
{
    double slope;
    phy_damper_slope(&slope, m->tendon_damping[t], m->tendon_dampingpoly + 2 * t,
                     d->ten_velocity + t);
    return slope;
}

/* D += k x'x on the pattern, x [nv] */
static void add_square(const sal_model *m, phy_slope D, double k, const double *x)
{
    for (int i = 0; i < m->nv; i++) {
        const phy_row row = phy_row_of(m, i);
        for (int c = 0; x[i] != 0 && c < row.n; c++) {
            D.lower[row.adr + c] += k * x[i] * x[phy_row_dof(row, c)];
        }
    }
}

static void add_dampers(const sal_model *m, const sal_data *d, phy_slope D, double *x)
{
    if (m->opt.disable & SAL_DSBL_DAMPER) {
        return;
    }
    for (int i = 0; i < m->nv; i++) {
        D.lower[m->dof_Madr[i]] -= phy_damping_slope(m, d, i);
    }
    for (int t = 0; t < m->ntendon; t++) {
        const double slope = phy_tendon_damping_slope(m, d, t);
        if (slope != 0) {
            memset(x, 0, (size_t)m->nv * sizeof *x);
            phy_tendon_pull(m, d, x, t, 1);
            add_square(m, D, -slope, x);
        }
    }
}

static void add_actuators(const sal_model *m, const sal_data *d, phy_slope D, double *x)
{
    if (m->opt.disable & SAL_DSBL_ACTUATION) {
        return;
    }
    for (int i = 0; i < m->nu; i++) {
        const double k = phy_actuator_slope(m, d, i);
        if (k != 0) {
            memset(x, 0, (size_t)m->nv * sizeof *x);
            phy_actuator_pull(m, d, x, i, 1);
            add_square(m, D, k, x);
        }
    }
}

/* x [nv] */
static double *take(const sal_model *m, sal_arena *arena)
{
    return sal_arena_take(arena, (size_t)m->nv, sizeof(double));
}

void phy_slope_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    take(m, arena);
    arena->used = mark;
    phy_slope_fluid_scratch(m, arena);
    phy_slope_bias_scratch(m, arena);
}

void phy_velocity_slope(const sal_model *m, sal_data *d, phy_slope D, phy_slope_kind kind)
{
    const size_t mark = d->arena.used, bytes = (size_t)m->nM * sizeof(double);
    double *x = take(m, &d->arena);
    memset(D.lower, 0, bytes);
    if (x == NULL) {
        memset(D.upper, 0, bytes);
        return;
    }
    add_dampers(m, d, D, x);
    add_actuators(m, d, D, x);
    memcpy(D.upper, D.lower, bytes); /* symmetric so far */
    d->arena.used = mark;
    const bool only_free = kind == PHY_SLOPE_SYMMETRIC;
    if (phy_fluid_acts(m) && !phy_passive_is_off(m)) {
        phy_slope_add_fluid(m, d, D, only_free);
    }
    phy_slope_add_bias(m, d, D, only_free);
}

/* A = U D L: as factor.c, with rows and columns each on their own */
void phy_slope_solve(const sal_model *m, phy_slope A, double *x)
{
    for (int k = m->nv - 1; k >= 0; k--) {
        const phy_row row = phy_row_of(m, k);
        const double *rowk = A.lower + row.adr, *columnk = A.upper + row.adr;
        const double inverse = 1 / rowk[0];
        /* for all i, j above k:  A_ij -= A_ik A_kj / A_kk,   x_i -= A_ik x_k / A_kk */
        for (int a = 1; a < row.n; a++) {
            const int i = phy_row_dof(row, a);
            double *rowi = A.lower + m->dof_Madr[i], *columni = A.upper + m->dof_Madr[i];
            const double left = columnk[a] * inverse, right = rowk[a] * inverse;
            for (int c = a; c < row.n; c++) {
                rowi[c - a] -= left * rowk[c];
                columni[c - a] -= right * columnk[c];
            }
            x[i] -= left * x[k];
        }
    }
    for (int k = 0; k < m->nv; k++) { /* x_k = (x_k - sum_j A_kj x_j) / A_kk */
        const phy_row row = phy_row_of(m, k);
        double sum = x[k];
        for (int a = 1; a < row.n; a++) {
            sum -= A.lower[row.adr + a] * x[phy_row_dof(row, a)];
        }
        x[k] = sum / A.lower[row.adr];
    }
}

void phy_slope_mul(const sal_model *m, phy_slope A, double *r, const double *x)
{
    for (int i = 0; i < m->nv; i++) {
        const phy_row row = phy_row_of(m, i);
        double sum = A.lower[row.adr] * x[i];
        for (int k = 1; k < row.n; k++) {
            const int j = phy_row_dof(row, k);
            sum += A.lower[row.adr + k] * x[j];
            r[j] += A.upper[row.adr + k] * x[i];
        }
        r[i] = sum; /* ancestors come before i, so nothing was added to r[i] yet */
    }
}
