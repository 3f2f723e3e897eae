/* The post-hoc inverse, around complementarity and around the diagonal approximation. */
#include "tests/check.h"
#include "tests/physics/laws/many_rows.h"

#include "base/memory.h"
#include "physics/laws/complementarity.h"
#include "physics/laws/diagonal.h"
#include "physics/laws/posthoc.h"

enum { NV = 24 };
static double scratch[16 * MANY_ROWS + 3 * MANY_ROWS * MANY_ROWS + 6 * MANY_BLOCKS + 8];

static sal_status by_complementarity(double *f, double *slope, const double *A, const double *c,
                                     void *context)
{
    const many_rows *a = context;
    const phy_complementarity_problem p = {a->k, a->nblock, a->block, A, c};
    phy_complementarity_effort effort = {60, 1e-13, .last = PHY_COMPLEMENTARITY_NOTHING};
    double x[MANY_ROWS];
    const sal_status status = phy_complementarity_solve(f, x, &effort, &p, scratch);
    return status != SAL_OK || slope == NULL
               ? status
               : phy_complementarity_derivative(slope, x, &p, scratch);
}

static sal_status by_diagonal(double *f, double *slope, const double *A, const double *c,
                              void *context)
{
    const many_rows *a = context;
    const double zero[6] = {0};
    sal_status status = slope == NULL ? SAL_OK : SAL_UNSUPPORTED;
    for (int b = 0; b < a->nblock && status == SAL_OK; b++) {
        const int row = a->block[b].row;
        double diagonal[6];
        sal_efc_state zone;
        for (int j = 0; j < a->block[b].dim; j++) {
            diagonal[j] = A[(row + j) * (a->k + 1)];
        }
        status = phy_diagonal_impulse(f + row, &zone, &a->block[b], diagonal, zero, c + row, zero);
    }
    return status;
}

/* A mechanism with a full mass matrix, and its post-hoc model. */
typedef struct figure {
    many_rows rows;
    double M[NV * NV], v[NV], F[NV], dF[NV * NV], base[NV], weight[MANY_ROWS];
    double memory[4 * NV * NV + MANY_ROWS * MANY_ROWS + NV * MANY_ROWS + 4 * MANY_ROWS];
    phy_posthoc posthoc;
} figure;

static void make(figure *a, sal_rng *rng, int ncone, phy_posthoc_model model)
{
    double W[NV * NV];
    many_rows_random(&a->rows, rng, NV, ncone, 1);
    for (int i = 0; i < NV * NV; i++) {
        W[i] = sal_rng_normal(rng);
        a->dF[i] = sal_rng_normal(rng);
    }
    for (int i = 0; i < NV; i++) {
        a->v[i] = .3 * sal_rng_normal(rng);
        a->base[i] = 5 * sal_rng_normal(rng);
        for (int j = 0; j < NV; j++) {
            a->M[i * NV + j] = i == j ? NV : 0;
            for (int k = 0; k < NV; k++) {
                a->M[i * NV + j] += W[i * NV + k] * W[j * NV + k];
            }
        }
    }
    for (int i = 0; i < a->rows.k; i++) {
        a->weight[i] = i == 0 ? 1000 : 100;
    }
    a->posthoc = (phy_posthoc){.nv = NV,
                               .k = a->rows.k,
                               .nblock = a->rows.nblock,
                               .block = a->rows.block,
                               .timestep = .01,
                               .M = a->M,
                               .J = a->rows.J,
                               .v = a->v,
                               .F = a->F,
                               .wref = a->rows.wref,
                               .weight = a->weight,
                               .model = model,
                               .context = &a->rows};
    phy_posthoc_place(&a->posthoc, a->memory);
}

/* F = base + dF v */
static sal_status solve(figure *a, double *slope)
{
    for (int i = 0; i < NV; i++) {
        a->F[i] = a->base[i];
        for (int j = 0; j < NV; j++) {
            a->F[i] += a->dF[i * NV + j] * a->v[j];
        }
    }
    return phy_posthoc_impulses(&a->posthoc, slope);
}

static void inverse_of_forward(void)
{
    sal_rng rng = {15};
    static figure a;
    double worst = 0;
    for (int k = 0; k < 60; k++) {
        double tau[NV], next[NV], back[NV];
        make(&a, &rng, k % 9, k % 2 == 0 ? by_complementarity : by_diagonal);
        CHECK(solve(&a, NULL) == SAL_OK);
        for (int i = 0; i < NV; i++) {
            tau[i] = 10 * sal_rng_normal(&rng);
        }
        phy_posthoc_forward(next, &a.posthoc, tau);
        phy_posthoc_inverse(back, &a.posthoc, next);
        for (int i = 0; i < NV; i++) {
            worst = fmax(worst, fabs(back[i] - tau[i]));
        }
    }
    printf("worst difference %.1e N\n", worst);
    CHECK(worst < 1e-10);
}

/* With tau = 0 the next velocity is that of M, F and the impulses, and no contact is violated. */
static void limp_mechanism(void)
{
    sal_rng rng = {16};
    static figure a;
    for (int k = 0; k < 20; k++) {
        const double zero[NV] = {0};
        double next[NV];
        make(&a, &rng, 5, by_complementarity);
        CHECK(solve(&a, NULL) == SAL_OK);
        phy_posthoc_forward(next, &a.posthoc, zero);
        for (int i = 0; i < NV; i++) { /* M (v^ - v) - h F - J'f = 0 */
            double sum = -a.posthoc.timestep * a.F[i];
            for (int j = 0; j < NV; j++) {
                sum += a.M[i * NV + j] * (next[j] - a.v[j]);
            }
            for (int r = 0; r < a.rows.k; r++) {
                sum -= a.rows.J[r * NV + i] * a.posthoc.f[r];
            }
            CHECK_NEAR(sum, 0, 1e-11);
        }
        for (int b = 0; b < a.rows.nblock; b++) {
            const int row = a.rows.block[b].row;
            double w = -a.rows.wref[row];
            for (int j = 0; j < NV; j++) {
                w += a.rows.J[row * NV + j] * next[j];
            }
            CHECK(!phy_impulse_has_normal(&a.rows.block[b]) || w > -1e-10);
        }
    }
}

/* dtau/da = M+, with v^ = v + h a: M+ is M but for w J_i'J_i of what is active. */
static void derivative_by_acceleration(void)
{
    sal_rng rng = {17};
    static figure a;
    make(&a, &rng, 6, by_complementarity);
    CHECK(solve(&a, NULL) == SAL_OK);
    double next[NV], low[NV], high[NV];
    int active = 0;
    for (int j = 0; j < NV; j++) {
        for (int i = 0; i < NV; i++) {
            next[i] = a.posthoc.v0[i];
        }
        next[j] += a.posthoc.timestep * .5; /* a_j +- .5 */
        phy_posthoc_inverse(high, &a.posthoc, next);
        next[j] -= a.posthoc.timestep;
        phy_posthoc_inverse(low, &a.posthoc, next);
        for (int i = 0; i < NV; i++) {
            double is = a.M[i * NV + j];
            for (int b = 0; b < a.rows.nblock; b++) {
                const phy_impulse_block *block = &a.rows.block[b];
                const bool carries = b == 0 || a.posthoc.f[block->row] != 0;
                active += carries;
                for (int r = block->row; r < block->row + block->dim && carries; r++) {
                    is += a.weight[r] * a.rows.J[r * NV + i] * a.rows.J[r * NV + j];
                }
            }
            CHECK_NEAR(high[i] - low[i], is, 1e-9);
        }
    }
    printf("%d of %d blocks are active\n", active / (NV * NV), a.rows.nblock);
    CHECK(active / (NV * NV) > 2 && active / (NV * NV) < a.rows.nblock);
}

/* dtau/dv at constant a, against centred differences through the model. */
static void derivative_by_velocity(void)
{
    sal_rng rng = {18};
    static figure a;
    static double slope[MANY_ROWS * MANY_ROWS], dtau[NV * NV];
    double worst = 0, size = 0;
    for (int k = 0; k < 10; k++) {
        double acc[NV], next[NV], tau[2][NV], work[2 * NV];
        make(&a, &rng, k, by_complementarity);
        CHECK(solve(&a, slope) == SAL_OK);
        phy_posthoc_by_velocity(dtau, &a.posthoc, slope, a.dF, work);
        for (int i = 0; i < NV; i++) {
            acc[i] = sal_rng_normal(&rng);
        }
        for (int j = 0; j < NV; j++) {
            const double kept = a.v[j], step = 1e-5;
            for (int side = 0; side < 2; side++) {
                a.v[j] = kept + (side == 0 ? -step : step);
                CHECK(solve(&a, NULL) == SAL_OK);
                for (int i = 0; i < NV; i++) {
                    next[i] = a.v[i] + a.posthoc.timestep * acc[i];
                }
                phy_posthoc_inverse(tau[side], &a.posthoc, next);
            }
            a.v[j] = kept;
            for (int i = 0; i < NV; i++) {
                const double fd = (tau[1][i] - tau[0][i]) / (2 * step);
                worst = fmax(worst, fabs(fd - dtau[i * NV + j]));
                size = fmax(size, fabs(fd));
            }
        }
    }
    printf("worst difference %.1e of %.1e\n", worst, size);
    CHECK(worst < 1e-6 * size);
}

static void bad_input_is_said(void)
{
    sal_rng rng = {19};
    static figure a;
    make(&a, &rng, 3, by_complementarity);
    double *places[] = {&a.v[3], &a.base[2], &a.rows.wref[1], &a.rows.J[7]};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const double kept = *places[k];
        *places[k] = NAN;
        CHECK(solve(&a, NULL) == SAL_DIVERGED);
        *places[k] = kept;
    }
    a.M[0] = NAN;
    CHECK(solve(&a, NULL) == SAL_SINGULAR);
    a.M[0] = -1;
    CHECK(solve(&a, NULL) == SAL_SINGULAR);
}

/* No rows at all: M+ = M. */
static void no_contacts(void)
{
    const double M[1] = {2}, v[1] = {3}, F[1] = {-1}, tau[1] = {5};
    double memory[8], next[1], back[1];
    many_rows none = {0};
    phy_posthoc p = {.nv = 1, .timestep = .5, .M = M, .v = v, .F = F};
    p.model = by_diagonal;
    p.context = &none;
    phy_posthoc_place(&p, memory);
    CHECK(phy_posthoc_size(1, 0) <= 8);
    CHECK(phy_posthoc_impulses(&p, NULL) == SAL_OK);
    phy_posthoc_forward(next, &p, tau);
    CHECK_NEAR(next[0], 4, 1e-15); /* 3 + .5 (5 - 1)/2 */
    phy_posthoc_inverse(back, &p, next);
    CHECK_NEAR(back[0], 5, 1e-14);
}

static void nothing_allocates(void)
{
    CHECK(sal_alloc_count() == 0); /* nor did any case before */
}

int main(void)
{
    RUN(inverse_of_forward);
    RUN(limp_mechanism);
    RUN(derivative_by_acceleration);
    RUN(derivative_by_velocity);
    RUN(bad_input_is_said);
    RUN(no_contacts);
    RUN(nothing_allocates);
    return check_done();
}
