/* logbarrier_dense.c: the inverse direction of all blocks, and its derivatives. */
#include "physics/laws/logbarrier_dense.h"

#include <math.h>
#include <stddef.h>

static bool is_pushed(const phy_barrier_system *system, int block)
{
    return system->q[block] != 0 && phy_barrier_kind_of(system, block) == PHY_BARRIER_CONE;
}

static void put(double *list, int row, double value)
{
    if (list != NULL) {
        list[row] = value;
    }
}

void phy_barrier_push(double *g, double *G, double *by_q, const double *w,
                      const phy_barrier_system *system)
{
    for (int row = 0; row < system->rows; row++) {
        put(g, row, 0);
        put(G, row, 0);
        put(by_q, row, 0);
    }
    for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
        if (is_pushed(system, block)) {
            const phy_barrier_velocity at = phy_barrier_velocity_at(
                w[row] - system->vmin[block], system->kappa, system->q[block]);
            put(g, row, at.slope);
            put(G, row, at.curvature);
            put(by_q, row, at.by_q);
        }
    }
}

/* The block whose first row is `row`. */
static phy_barrier_cone cone_at(const phy_barrier_system *system, int block, int row)
{
    return (phy_barrier_cone){system->dim[block], system->R + row, system->mu + row + 1,
                              system->kappa};
}

static phy_barrier_row row_at(const phy_barrier_system *system, int block, int row, double y)
{
    return phy_barrier_kind_of(system, block) == PHY_BARRIER_EQUALITY
               ? phy_barrier_equality(y, system->R[row])
               : phy_barrier_loss(y, system->R[row], system->mu[row], system->kappa);
}

/* Cones that wait for others, to be solved side by side. */
typedef struct waiting_cones {
    int count, block[PHY_BARRIER_SIDE], row[PHY_BARRIER_SIDE];
    const double *y[PHY_BARRIER_SIDE];
    phy_barrier_cone cone[PHY_BARRIER_SIDE];
} waiting_cones;

/* Of those that failed the last; SAL_OK: none did */
static sal_status solve_cones(double *f, double *multiplier, double *s, waiting_cones *cones)
{
    sal_status status[PHY_BARRIER_SIDE], worst = SAL_OK;
    phy_barrier_force at[PHY_BARRIER_SIDE];
    phy_barrier_cones_force(status, at, cones->y, cones->cone, cones->count);
    for (int k = 0; k < cones->count; k++) {
        for (int j = 0; j < cones->cone[k].dim; j++) {
            f[cones->row[k] + j] = at[k].f[j];
        }
        multiplier[cones->block[k]] = at[k].multiplier;
        if (s != NULL) {
            s[cones->block[k]] = phy_barrier_cone_potential(at + k, cones->y[k], cones->cone + k);
        }
        worst = status[k] != SAL_OK ? status[k] : worst;
    }
    cones->count = 0;
    return worst;
}

sal_status phy_barrier_forces(double *f, double *multiplier, double *s, const double *y,
                              const phy_barrier_system *system)
{
    sal_status worst = SAL_OK;
    waiting_cones cones;
    cones.count = 0;
    for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
        sal_status status = SAL_OK;
        if (phy_barrier_kind_of(system, block) != PHY_BARRIER_CONE) {
            const phy_barrier_row at = row_at(system, block, row, y[row]);
            f[row] = at.f;
            multiplier[block] = at.multiplier;
            put(s, block, at.s);
            status = isfinite(at.f) ? SAL_OK : SAL_DIVERGED;
        } else {
            const int k = cones.count++;
            cones.block[k] = block;
            cones.row[k] = row;
            cones.y[k] = y + row;
            cones.cone[k] = cone_at(system, block, row);
            if (cones.count == PHY_BARRIER_SIDE) {
                status = solve_cones(f, multiplier, s, &cones);
            }
        }
        worst = status != SAL_OK ? status : worst;
    }
    const sal_status last = cones.count > 0 ? solve_cones(f, multiplier, s, &cones) : SAL_OK;
    return last != SAL_OK ? last : worst;
}

/* y = w + A E g, by the rows of A that g is of */
static void add_push(double *y, const double *w, const phy_barrier_system *system)
{
    const int rows = system->rows;
    for (int row = 0; row < rows; row++) {
        y[row] = w[row];
    }
    for (int block = 0, first = 0; block < system->blocks; first += system->dim[block++]) {
        if (is_pushed(system, block)) {
            const double *a = system->A + (size_t)first * (size_t)rows;
            const double push = phy_barrier_velocity_slope(w[first] - system->vmin[block],
                                                           system->kappa, system->q[block]);
            for (int row = 0; row < rows; row++) {
                y[row] += push * a[row];
            }
        }
    }
}

sal_status phy_barrier_inverse(double *f, double *multiplier, const double *w,
                               const phy_barrier_system *system, double *scratch)
{
    add_push(scratch, w, system);
    return phy_barrier_forces(f, multiplier, NULL, scratch, system);
}

void phy_barrier_curvature(double *h, const double *f, const double *multiplier,
                           const phy_barrier_system *system)
{
    for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
        const int n = system->dim[block];
        if (phy_barrier_kind_of(system, block) == PHY_BARRIER_CONE) {
            phy_barrier_force at = {{0}, multiplier[block], 0};
            const phy_barrier_cone cone = cone_at(system, block, row);
            for (int j = 0; j < n; j++) {
                at.f[j] = f[row + j];
            }
            phy_barrier_cone_curvature(h, &at, &cone);
        } else {
            const double R = system->R[row];
            h[0] = phy_barrier_kind_of(system, block) == PHY_BARRIER_EQUALITY
                       ? 1 / R
                       : phy_barrier_loss_slope(f[row], multiplier[block], R, system->kappa);
        }
        h += n * n;
    }
}

void phy_barrier_answer(double *df, const double *h, const double *dy,
                        const phy_barrier_system *system)
{
    for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
        const int n = system->dim[block];
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                sum -= h[j * n + k] * dy[row + k];
            }
            df[row + j] = sum;
        }
        h += n * n;
    }
}

/* Row j of a block: -sum_k h_jk (e_k' + A_k. G) */
void phy_barrier_by_w(double *df, const double *h, const double *G,
                      const phy_barrier_system *system)
{
    const size_t rows = (size_t)system->rows;
    for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
        const int n = system->dim[block];
        for (int j = 0; j < n; j++) {
            double *out = df + (size_t)(row + j) * rows;
            for (size_t i = 0; i < rows; i++) {
                out[i] = 0;
            }
            for (int k = 0; k < n; k++) {
                for (size_t i = 0; i < rows && system->A != NULL; i++) {
                    out[i] -= h[j * n + k] * system->A[(size_t)(row + k) * rows + i] * G[i];
                }
                out[row + k] -= h[j * n + k];
            }
        }
        h += n * n;
    }
}

void phy_barrier_by_push(double *df, const double *h, const double *dg,
                         const phy_barrier_system *system)
{
    const size_t rows = (size_t)system->rows, blocks = (size_t)system->blocks;
    for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
        const int n = system->dim[block];
        for (int j = 0; j < n; j++) {
            double *out = df + (size_t)(row + j) * blocks;
            for (int i = 0, first = 0; i < system->blocks; first += system->dim[i++]) {
                double sum = 0;
                for (int k = 0; k < n && dg[first] != 0; k++) {
                    sum += h[j * n + k] * system->A[(size_t)(row + k) * rows + (size_t)first];
                }
                out[i] = -sum * dg[first];
            }
        }
        h += n * n;
    }
}
