/* The law of the soft constraints, alone: no mechanism, only rows. */
#include "tests/check.h"

#include "physics/constraint_row.h"
#include "physics/contact_law.h"

/* One block with arrays of its own. */
typedef struct bench {
    phy_law_block block;
    phy_law_rows rows;
    double friction[5], acc[PHY_LAW_DIM], aref[PHY_LAW_DIM], D[PHY_LAW_DIM], R[PHY_LAW_DIM];
} bench;

static void wire(bench *b, sal_efc_type type, int dim)
{
    b->block = (phy_law_block){.type = type, .dim = dim, .friction = b->friction};
    b->rows = (phy_law_rows){.acc = b->acc, .aref = b->aref, .D = b->D, .R = b->R};
}

/* A random block of the type; elliptic cones keep the relation of their regularisers. */
static void fill(bench *b, sal_rng *rng, sal_efc_type type, int dim)
{
    const double impratio = sal_rng_uniform(rng, 0.5, 5);
    wire(b, type, dim);
    for (int k = 0; k < 5; k++) {
        b->friction[k] = pow(10, sal_rng_uniform(rng, -1.5, 0.3));
    }
    b->block.cone = b->friction[0] / sqrt(impratio);
    b->block.loss = sal_rng_uniform(rng, 0.1, 3);
    for (int k = 0; k < dim; k++) {
        b->acc[k] = sal_rng_uniform(rng, -3, 3);
        b->aref[k] = sal_rng_uniform(rng, -1, 1);
        b->R[k] = pow(10, sal_rng_uniform(rng, -1, 1));
    }
    for (int k = 1; type == SAL_EFC_CONTACT_ELLIPTIC && k < dim; k++) {
        const double ratio = b->friction[0] / b->friction[k - 1];
        b->R[k] = b->R[0] / impratio * ratio * ratio;
    }
    for (int k = 0; k < dim; k++) {
        b->D[k] = 1 / b->R[k];
    }
}

static const struct {
    sal_efc_type type;
    int dim;
} kinds[] = {
    {SAL_EFC_FRICTION_DOF, 1},         {SAL_EFC_LIMIT_JOINT, 1},
    {SAL_EFC_CONTACT_FRICTIONLESS, 1}, {SAL_EFC_CONTACT_PYRAMIDAL, 4},
    {SAL_EFC_CONTACT_PYRAMIDAL, 10},   {SAL_EFC_CONTACT_ELLIPTIC, 3},
    {SAL_EFC_CONTACT_ELLIPTIC, 4},     {SAL_EFC_CONTACT_ELLIPTIC, 6},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A 1 kg ball of radius .1 m, condim 1, touches a plane with 0.5 m/s: A = 1, figures worked out by
 * hand. */
static double ball_force(double dist, const double solimp[5])
{
    sal_model m = {.opt.timestep = 0.002};
    const double solref[2] = {0.02, 1};
    const phy_impedance impedance = phy_impedance_at(solimp, dist);
    const phy_stiffness stiffness = phy_stiffness_of(&m, solref, solimp);
    double force;
    int state;
    bench b = {0};
    wire(&b, SAL_EFC_CONTACT_FRICTIONLESS, 1);
    b.D[0] = 1 / phy_row_regulariser(1, impedance.d);
    b.aref[0] = stiffness.b * 0.5 - stiffness.k * impedance.d * dist;
    phy_law_soft.inverse(&force, &state, &b.block, &b.rows);
    return force;
}

static void worked_numbers(void)
{
    const double solimp[5] = {0.9, 0.95, 0.001, 0.5, 2}, soft[5] = {0, 0.95, 0.01, 0.5, 2};
    sal_model m = {.opt.timestep = 0.002};
    const phy_stiffness stiffness = phy_stiffness_of(&m, (const double[]){0.02, 1}, solimp);
    CHECK_NEAR(stiffness.k, 1 / (0.95 * 0.95 * 0.02 * 0.02), 1e-9);
    CHECK_NEAR(stiffness.b, 2 / (0.95 * 0.02), 1e-11);
    /* d = .95, D = 19, aref = 52.6316 + 2770.08 * .95e-3 */
    CHECK_NEAR(ball_force(-1e-3, solimp), 1050.0, 1e-9);
    CHECK_NEAR(ball_force(-1e-9, solimp), 9 * 2 / (0.95 * 0.02) * 0.5, 0.01);
    /* x = .1, y = 2 x^2 = .02, d = 1e-4 + .02 (.95 - 1e-4) */
    const double d = 1e-4 + 0.02 * (0.95 - 1e-4);
    CHECK_NEAR(phy_impedance_at(soft, -1e-3).d, d, 1e-16);
    CHECK_NEAR(ball_force(-1e-3, soft), d / (1 - d) * (stiffness.b * 0.5 + stiffness.k * d * 1e-3),
               1e-12);
    CHECK_NEAR(ball_force(-1e-3, soft), 1.02576, 1e-5);
}

static void references_of_odd_solref(void)
{
    sal_model m = {.opt.timestep = 0.02};
    const double solimp[5] = {0.9, 0.95, 0.001, 0.5, 2};
    /* refsafe: a time constant below 2 h counts as 2 h; switched off, it counts as it is */
    CHECK_NEAR(phy_stiffness_of(&m, (const double[]){0.01, 1}, solimp).b, 2 / (0.95 * 0.04), 1e-12);
    m.opt.disable = SAL_DSBL_REFSAFE;
    CHECK_NEAR(phy_stiffness_of(&m, (const double[]){0.01, 1}, solimp).b, 2 / (0.95 * 0.01), 1e-12);
    /* direct: stiffness and damping; one sign of each: the default (.02, 1) */
    const phy_stiffness direct = phy_stiffness_of(&m, (const double[]){-400, -30}, solimp);
    CHECK_NEAR(direct.k, 400 / (0.95 * 0.95), 1e-12);
    CHECK_NEAR(direct.b, 30 / 0.95, 1e-13);
    CHECK_NEAR(phy_stiffness_of(&m, (const double[]){-400, 1}, solimp).b, 2 / (0.95 * 0.02), 1e-12);
}

/* d is continuous, rises from d0 to dw over the width, and d' is its slope. */
static void impedance_is_a_ramp(void)
{
    sal_rng rng = {3};
    for (int i = 0; i < 2000; i++) {
        const double solimp[5] = {sal_rng_uniform(&rng, -0.1, 0.5), sal_rng_uniform(&rng, 0.6, 1.1),
                                  sal_rng_uniform(&rng, 0.001, 0.1),
                                  sal_rng_uniform(&rng, 0.2, 0.8),
                                  i % 3 == 0 ? 1 : sal_rng_uniform(&rng, 1, 4)};
        const double x = sal_rng_uniform(&rng, -1.2, 0.2) * solimp[2], e = 1e-6 * solimp[2];
        const phy_impedance at = phy_impedance_at(solimp, x);
        const double slope =
            (phy_impedance_at(solimp, x + e).d - phy_impedance_at(solimp, x - e).d) / (2 * e);
        CHECK(at.d >= 1e-4 && at.d <= 0.9999);
        const double kink =
            fmin(fabs(x), fmin(fabs(fabs(x) - solimp[2]), fabs(fabs(x) - solimp[2] * solimp[3])));
        if (kink > 2 * e) {
            CHECK_NEAR(at.slope, slope, 1e-5 / solimp[2]);
        }
    }
    CHECK_NEAR(phy_impedance_at((const double[]){0.3, 0.3, 0.1, 0.5, 2}, -0.05).d, 0.3, 0);
    CHECK_NEAR(phy_impedance_at((const double[]){0.3, 0.9, 0, 0.5, 2}, -0.05).d, 0.6, 1e-16);
}

/* The worst of  (R f + jar).(g - f) over random g of the feasible set; f is in it. f minimises
 *               f'Rf/2 + f'jar there, which is how the soft
 * law is defined, exactly if that is never negative. */
static void is_feasible_and_stationary(const bench *b, sal_rng *rng, const double *f)
{
    const int dim = b->block.dim;
    for (int trial = 0; trial < 40; trial++) {
        double g[PHY_LAW_DIM], sum = 0, scale = 0, radius = 0;
        for (int k = 0; k < dim; k++) {
            g[k] = sal_rng_uniform(rng, 0, 5);
        }
        if (b->block.type == SAL_EFC_FRICTION_DOF) {
            g[0] = sal_rng_uniform(rng, -b->block.loss, b->block.loss);
            CHECK(fabs(f[0]) <= b->block.loss * (1 + 1e-15));
        } else if (b->block.type == SAL_EFC_CONTACT_ELLIPTIC) {
            double load = 0;
            for (int k = 1; k < dim; k++) {
                g[k] = sal_rng_uniform(rng, -1, 1) * b->friction[k - 1];
                radius += g[k] * g[k] / (b->friction[k - 1] * b->friction[k - 1]);
                load += f[k] * f[k] / (b->friction[k - 1] * b->friction[k - 1]);
            }
            for (int k = 1; k < dim; k++) {
                g[k] *= g[0] * sal_rng_uniform(rng, 0.9, 1) / sqrt(radius);
            }
            CHECK(sqrt(load) <= f[0] * (1 + 1e-12));
        }
        for (int k = 0; k < dim; k++) {
            const double jar = b->acc[k] - b->aref[k];
            sum += (b->R[k] * f[k] + jar) * (g[k] - f[k]);
            scale += (b->R[k] * fabs(f[k]) + fabs(jar)) * (fabs(g[k]) + fabs(f[k]));
        }
        CHECK(sum >= -1e-14 * scale);
    }
}

static void force_minimises_its_dual(void)
{
    sal_rng rng = {4};
    int seen[5] = {0};
    for (int i = 0; i < 400 * KINDS; i++) {
        bench b;
        double f[PHY_LAW_DIM];
        int state[PHY_LAW_DIM];
        fill(&b, &rng, kinds[i % KINDS].type, kinds[i % KINDS].dim);
        phy_law_soft.inverse(f, state, &b.block, &b.rows);
        seen[state[0]]++;
        is_feasible_and_stationary(&b, &rng, f);
    }
    for (int k = 0; k < 5; k++) {
        CHECK(seen[k] > 20);
    }
}

/* f = -ds/dacc and H = -df/dacc by centred differences, H symmetric; away from kinks where sigma =
 * 0 */
static void force_and_curvature_are_derivatives(void)
{
    sal_rng rng = {5};
    int compared = 0;
    for (int i = 0; i < 300 * KINDS; i++) {
        bench b;
        const int dim = kinds[i % KINDS].dim;
        double f[PHY_LAW_DIM], up[PHY_LAW_DIM], down[PHY_LAW_DIM];
        double h[PHY_LAW_DIM * PHY_LAW_DIM], after[PHY_LAW_DIM * PHY_LAW_DIM];
        int state[PHY_LAW_DIM];
        const double e = 1e-6;
        fill(&b, &rng, kinds[i % KINDS].type, dim);
        b.rows.sigma = i % 2 ? 0 : sal_rng_uniform(&rng, 0.01, 2);
        phy_law_soft.inverse(f, state, &b.block, &b.rows);
        phy_law_soft.curvature(h, &b.block, &b.rows);
        for (int k = 0; k < dim; k++) {
            const double here = b.acc[k];
            b.acc[k] = here + e;
            const double more = phy_law_soft.inverse(up, state, &b.block, &b.rows);
            b.acc[k] = here - e;
            const double less = phy_law_soft.inverse(down, state, &b.block, &b.rows);
            phy_law_soft.curvature(after, &b.block, &b.rows);
            b.acc[k] = here;
            CHECK_NEAR(f[k], -(more - less) / (2 * e), 1e-7 * (1 + fabs(f[k])) + 20 * e * b.D[k]);
            bool smooth = true; /* a jump of H within the difference tells nothing */
            for (int j = 0; j < dim * dim; j++) {
                smooth = smooth && fabs(after[j] - h[j]) < 1e-3 * (1 + fabs(h[j]));
            }
            for (int j = 0; smooth && j < dim; j++) {
                CHECK_NEAR(h[j * dim + k], -(up[j] - down[j]) / (2 * e), 1e-3 * (1 + b.D[k]));
                CHECK_NEAR(h[j * dim + k], h[k * dim + j], 1e-12 * (1 + fabs(h[j * dim + k])));
                compared++;
            }
        }
    }
    CHECK(compared > 5000);
}

/* x'Hx >= 0, and (f(x) - f(y)).(x - y) <= 0: the gradient of a convex function, smoothed or not */
static void force_is_monotone(void)
{
    sal_rng rng = {6};
    for (int i = 0; i < 1000 * KINDS; i++) {
        bench b;
        const int dim = kinds[i % KINDS].dim;
        double f[PHY_LAW_DIM], g[PHY_LAW_DIM], x[PHY_LAW_DIM], h[PHY_LAW_DIM * PHY_LAW_DIM];
        int state[PHY_LAW_DIM];
        double climb = 0, rounding = 0, form = 0, size = 0;
        fill(&b, &rng, kinds[i % KINDS].type, dim);
        b.rows.sigma = i % 2 ? 0 : sal_rng_uniform(&rng, 0.01, 2);
        phy_law_soft.inverse(f, state, &b.block, &b.rows);
        phy_law_soft.curvature(h, &b.block, &b.rows);
        for (int k = 0; k < dim; k++) {
            x[k] = sal_rng_uniform(&rng, -2, 2);
            b.acc[k] += x[k];
        }
        phy_law_soft.inverse(g, state, &b.block, &b.rows);
        for (int k = 0; k < dim; k++) {
            climb += (g[k] - f[k]) * x[k];
            rounding += 1e-14 * (fabs(g[k]) + fabs(f[k])) * fabs(x[k]);
            for (int j = 0; j < dim; j++) {
                form += x[k] * h[k * dim + j] * x[j];
                size += fabs(h[k * dim + j]);
            }
        }
        CHECK(climb <= rounding);
        CHECK(form >= -1e-12 * size);
    }
}

/* As sigma falls the smoothed force tends to the sharp one, by no more than the steepest slope
 * times sigma; at 0 it is that, exactly. */
static void smoothing_vanishes(void)
{
    sal_rng rng = {7};
    for (int i = 0; i < 200 * KINDS; i++) {
        bench b;
        const int dim = kinds[i % KINDS].dim;
        double sharp[PHY_LAW_DIM], f[PHY_LAW_DIM], steepest = 0;
        int state[PHY_LAW_DIM];
        fill(&b, &rng, kinds[i % KINDS].type, dim);
        phy_law_soft.inverse(sharp, state, &b.block, &b.rows);
        for (int k = 0; k < dim; k++) {
            steepest = fmax(steepest, b.D[k]);
        }
        steepest = fmax(steepest, b.D[0] / (b.block.cone * b.block.cone)); /* of the middle zone */
        for (double sigma = 1; sigma > 1e-9; sigma *= 0.1) {
            b.rows.sigma = sigma;
            phy_law_soft.inverse(f, state, &b.block, &b.rows);
            for (int k = 0; k < dim; k++) {
                CHECK_NEAR(f[k], sharp[k], 10 * steepest * sigma);
            }
        }
    }
}

/* Inside |x| < s the one-sided force is D (x + s)^2 / (4 s). */
static void smoothed_limit_is_the_stated_parabola(void)
{
    double f;
    int state;
    bench b = {0};
    wire(&b, SAL_EFC_LIMIT_JOINT, 1);
    b.D[0] = 7;
    b.rows.sigma = 0.5;
    for (double x = -1; x <= 1; x += 0.0625) {
        const double inside = 7 * (x + 0.5) * (x + 0.5) / (4 * 0.5);
        b.acc[0] = -x;
        phy_law_soft.inverse(&f, &state, &b.block, &b.rows);
        CHECK_NEAR(f, x <= -0.5 ? 0 : x >= 0.5 ? 7 * x : inside, 1e-15);
    }
}

/* The cone's force is the mean of the sharp forces at jar +- s along each axis, in every zone. */
static void smoothed_cone_is_the_stated_mean(void)
{
    sal_rng rng = {9};
    for (int i = 0; i < 3000; i++) {
        bench b;
        const int dim = (const int[]){3, 4, 6}[i % 3];
        double f[PHY_LAW_DIM], mean[PHY_LAW_DIM] = {0}, part[PHY_LAW_DIM], size = 0, s = 0;
        int state[PHY_LAW_DIM];
        fill(&b, &rng, SAL_EFC_CONTACT_ELLIPTIC, dim);
        const double sigma = sal_rng_uniform(&rng, 0.01, 0.5);
        for (int k = 0; k < 2 * dim; k++) {
            const double here = b.acc[k / 2];
            b.acc[k / 2] += k % 2 ? sigma : -sigma;
            s += phy_law_soft.inverse(part, state, &b.block, &b.rows) / (2 * dim);
            b.acc[k / 2] = here;
            for (int j = 0; j < dim; j++) {
                mean[j] += part[j] / (2 * dim);
                size = fmax(size, fabs(part[j]));
            }
        }
        b.rows.sigma = sigma;
        CHECK_NEAR(phy_law_soft.inverse(f, state, &b.block, &b.rows), s, 1e-13 * (1 + s));
        for (int j = 0; j < dim; j++) {
            CHECK_NEAR(f[j], mean[j], 1e-14 * size);
        }
    }
}

static void not_a_number_is_passed_on(void)
{
    sal_rng rng = {8};
    for (int i = 0; i < 4 * KINDS; i++) {
        bench b;
        double f[PHY_LAW_DIM], h[PHY_LAW_DIM * PHY_LAW_DIM];
        int state[PHY_LAW_DIM];
        fill(&b, &rng, kinds[i % KINDS].type, kinds[i % KINDS].dim);
        b.rows.sigma = i < 2 * KINDS ? 0 : 0.1;
        b.acc[0] = nan("");
        phy_law_soft.inverse(f, state, &b.block, &b.rows);
        phy_law_soft.curvature(h, &b.block, &b.rows);
        CHECK(isnan(f[0]));
    }
}

int main(void)
{
    RUN(worked_numbers);
    RUN(references_of_odd_solref);
    RUN(impedance_is_a_ramp);
    RUN(force_minimises_its_dual);
    RUN(force_and_curvature_are_derivatives);
    RUN(force_is_monotone);
    RUN(smoothing_vanishes);
    RUN(smoothed_limit_is_the_stated_parabola);
    RUN(smoothed_cone_is_the_stated_mean);
    RUN(not_a_number_is_passed_on);
    return check_done();
}
