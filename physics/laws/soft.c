/* soft.c: the force of each soft constraint of MuJoCo, and the three zones of the elliptic
 * cone: in which of them a contact is, its force and its curvature there. In the middle zone the
 * contact slides: the force lies on the border of the cone (zone_of).
 *
 * With x = aref - J a, the acceleration that is missing:
 *
 *     equality                                            f = D x
 *     limit, frictionless contact, edge of a pyramid      f = D max(0, x)
 *     friction of a dof or tendon, bound F                f = clamp(D x, -F, F)
 *     elliptic cone    with jar = -x, N = m jar_0, U_j = mu_j jar_j, T = |U|, m the friction of the
 *                      regularised cone:
 *         top zone       N >= m T          f = 0
 *         bottom zone    m N + T <= 0      f_j = -D_j jar_j
 *         middle zone    else; g = N - m T,  Dm = D_0/(m^2 (1 + m^2)):    s = Dm g^2/2,
 *         f_0 = -Dm g m,   f_j = Dm g m U_j mu_j / T
 * (Todorov, "Convex and analytically-invertible dynamics with contacts and constraints", ICRA 2014;
 * MuJoCo documentation, "Computation".)
 *
 * With sigma = s > 0 the force is averaged over that much of acceleration, so that it has no kinks
 * as sharp as these: one-sided rows are
 *     f = D (x + s)^2/(4 s),   |x| < s
 * friction of a dof two of these, and the cone's force is the mean over jar +- s along each axis:
 * all still gradients of convex functions.
 */
#include "physics/contact_law.h"

#include <math.h>

enum { CONE_DIM = 6 };

/* A one-sided row: force, its slope by x, its integral by x. */
typedef struct hinge {
    double f, slope, s;
} hinge;

static hinge one_sided(double x, double D, double sigma)
{
    if (x <= -sigma) {
        return (hinge){0, 0, 0};
    }
    if (x >= sigma) { /* the integral of the smoothed part adds a constant */
        return (hinge){D * x, D, 0.5 * D * x * x + D * sigma * sigma / 6};
    }
    const double y = x + sigma; /* NaN comes here, and stays NaN */
    return (hinge){D * y * y / (4 * sigma), D * y / (2 * sigma), D * y * y * y / (12 * sigma)};
}

/* clamp(D x, -F, F) = hinge(x + R F) - hinge(x - R F) - F */
static hinge two_sided(double x, double D, double bound, double sigma)
{
    const double reach = bound / D;
    if (sigma == 0) { /* without cancellation */
        const bool free = !(x <= -reach) && !(x >= reach);
        const double f = x > 0 ? bound : -bound;
        return free ? (hinge){D * x, D, 0.5 * D * x * x}
                    : (hinge){f, 0, -0.5 * reach * bound + f * x};
    }
    const hinge low = one_sided(x + reach, D, sigma), high = one_sided(x - reach, D, sigma);
    return (hinge){low.f - high.f - bound, low.slope - high.slope,
                   low.s - high.s - bound * x - 0.5 * reach * bound};
}

/* ---- the elliptic cone ---- */

typedef struct cone {
    int dim;
    double m;
    const double *D;
    const double *mu;   /* friction [5] */
    double U[CONE_DIM]; /* (N, U_1, ..) */
    double T, g;        /* set by zone_of, as U is */
} cone;

/* Dm */
static double of_middle(const cone *c)
{
    return c->D[0] / (c->m * c->m * (1 + c->m * c->m));
}

static sal_efc_state zone_of(cone *c, const double *jar)
{
    double square = 0;
    c->U[0] = c->m * jar[0];
    for (int j = 1; j < c->dim; j++) {
        c->U[j] = c->mu[j - 1] * jar[j];
        square += c->U[j] * c->U[j];
    }
    c->T = sqrt(square);
    c->g = c->U[0] - c->m * c->T;
    return c->g >= 0                    ? SAL_EFC_SATISFIED
           : c->m * c->U[0] + c->T <= 0 ? SAL_EFC_QUADRATIC
                                        : SAL_EFC_CONE;
}

/* force += weight f; returns weight s. (state = zone_of(c, jar) done) */
static double cone_force(double *force, const cone *c, sal_efc_state state, const double *jar,
                         double weight)
{
    double s = 0;
    if (state == SAL_EFC_SATISFIED) {
        return 0;
    }
    if (state == SAL_EFC_QUADRATIC) {
        for (int j = 0; j < c->dim; j++) {
            force[j] -= weight * c->D[j] * jar[j];
            s += 0.5 * c->D[j] * jar[j] * jar[j];
        }
        return weight * s;
    }
    const double Dm = of_middle(c), normal = -Dm * c->g * c->m;
    force[0] += weight * normal;
    for (int j = 1; j < c->dim; j++) {
        force[j] -= weight * normal * c->U[j] * c->mu[j - 1] / c->T;
    }
    return weight * 0.5 * Dm * c->g * c->g;
}

/* H += weight d2s/djar2; in the middle zone  Dm S H S,  S = diag(m, mu_j),
 *     H_00 = 1,  H_0j = -m U_j/T,  H_jk = m N U_j U_k/T^3 + delta_jk (m^2 - m N/T) */
static void cone_curvature(double *h, cone *c, const double *jar, double weight)
{
    const int n = c->dim;
    const sal_efc_state state = zone_of(c, jar);
    if (state == SAL_EFC_SATISFIED) {
        return;
    }
    for (int j = 0; j < n && state == SAL_EFC_QUADRATIC; j++) {
        h[j * n + j] += weight * c->D[j];
    }
    if (state == SAL_EFC_QUADRATIC) {
        return;
    }
    const double m = c->m, N = c->U[0], T = c->T, Dm = of_middle(c);
    h[0] += weight * Dm * m * m;
    for (int j = 1; j < n; j++) {
        const double side = -weight * Dm * m * c->mu[j - 1] * m * c->U[j] / T;
        h[j] += side;
        h[j * n] += side;
        for (int k = 1; k < n; k++) {
            const double diagonal = j == k ? m * m - m * N / T : 0;
            const double entry = m * N / T * (c->U[j] / T) * (c->U[k] / T) + diagonal;
            h[j * n + k] += weight * Dm * c->mu[j - 1] * c->mu[k - 1] * entry;
        }
    }
}

static void cone_of(cone *c, double *jar, const phy_law_block *block, const phy_law_rows *rows)
{
    c->dim = block->dim;
    c->m = block->cone;
    c->mu = block->friction;
    c->D = rows->D + block->row;
    const double *acc = rows->acc + block->row, *aref = rows->aref + block->row;
    jar[0] = acc[0] - aref[0]; /* apart: what follows reads the tangents in pairs */
    for (int j = 1; j < block->dim; j++) {
        jar[j] = acc[j] - aref[j];
    }
}

/* True if all points within sigma of jar along an axis are in the zone of jar, top or bottom: there
 * the law is linear and its average is itself. Along an axis N moves by m sigma or T by at most
 * mu_j sigma. (zone_of done) */
static bool is_clear_of_kinks(const cone *c, sal_efc_state zone, double sigma)
{
    double across = 0;
    for (int j = 1; j < c->dim; j++) {
        across = c->mu[j - 1] > across ? c->mu[j - 1] : across;
    }
    if (zone == SAL_EFC_SATISFIED) {
        return c->g >= sigma * c->m * (across > 1 ? across : 1);
    }
    const double square = c->m * c->m;
    return zone == SAL_EFC_QUADRATIC &&
           c->m * c->U[0] + c->T <= -sigma * (across > square ? across : square);
}

static double elliptic(double *force, int *state, const phy_law_block *block,
                       const phy_law_rows *rows)
{
    double jar[CONE_DIM] = {0}, s = 0;
    cone c;
    cone_of(&c, jar, block, rows);
    const sal_efc_state zone = zone_of(&c, jar);
    for (int j = 0; j < c.dim; j++) {
        force[j] = 0;
        state[j] = (int)zone;
    }
    if (rows->sigma == 0 || is_clear_of_kinks(&c, zone, rows->sigma)) {
        for (int j = 0; j < c.dim && zone == SAL_EFC_QUADRATIC;
             j++) { /* the mean of (jar +- s)^2 */
            s += 0.5 * c.D[j] * rows->sigma * rows->sigma / c.dim;
        }
        return s + cone_force(force, &c, zone, jar, 1);
    }
    for (int j = 0; j < c.dim; j++) {
        const double here = jar[j];
        for (int side = -1; side <= 1; side += 2) {
            jar[j] = here + side * rows->sigma;
            s += cone_force(force, &c, zone_of(&c, jar), jar, 0.5 / c.dim);
        }
        jar[j] = here;
    }
    return s;
}

static void elliptic_curvature(double *h, const phy_law_block *block, const phy_law_rows *rows)
{
    double jar[CONE_DIM] = {0};
    cone c;
    cone_of(&c, jar, block, rows);
    const sal_efc_state zone = zone_of(&c, jar);
    if (rows->sigma == 0 || is_clear_of_kinks(&c, zone, rows->sigma)) {
        cone_curvature(h, &c, jar, 1);
        return;
    }
    for (int j = 0; j < c.dim; j++) {
        const double here = jar[j];
        for (int side = -1; side <= 1; side += 2) {
            jar[j] = here + side * rows->sigma;
            cone_curvature(h, &c, jar, 0.5 / c.dim);
        }
        jar[j] = here;
    }
}

/* ---- the law ---- */

static bool has_friction_loss(sal_efc_type type)
{
    return type == SAL_EFC_FRICTION_DOF || type == SAL_EFC_FRICTION_TENDON;
}

static hinge row_force(const phy_law_block *block, const phy_law_rows *rows, int row)
{
    const double x = rows->aref[row] - rows->acc[row], D = rows->D[row];
    if (block->type == SAL_EFC_EQUALITY) { /* linear: its average is itself */
        return (hinge){D * x, D, 0.5 * D * x * x};
    }
    return has_friction_loss(block->type) ? two_sided(x, rows->D[row], block->loss, rows->sigma)
                                          : one_sided(x, rows->D[row], rows->sigma);
}

static double soft_inverse(double *force, int *state, const phy_law_block *block,
                           const phy_law_rows *rows)
{
    double s = 0;
    if (block->type == SAL_EFC_CONTACT_ELLIPTIC) {
        return elliptic(force, state, block, rows);
    }
    for (int k = 0; k < block->dim; k++) {
        const hinge row = row_force(block, rows, block->row + k);
        force[k] = row.f;
        s += row.s;
        state[k] = row.slope > 0 ? SAL_EFC_QUADRATIC : SAL_EFC_SATISFIED;
    }
    if (has_friction_loss(block->type) && state[0] == SAL_EFC_SATISFIED) {
        state[0] = force[0] > 0 ? SAL_EFC_LINEARNEG : SAL_EFC_LINEARPOS;
    }
    return s;
}

static void soft_curvature(double *h, const phy_law_block *block, const phy_law_rows *rows)
{
    const int n = block->dim;
    for (int k = 0; k < n * n; k++) {
        h[k] = 0;
    }
    if (block->type == SAL_EFC_CONTACT_ELLIPTIC) {
        elliptic_curvature(h, block, rows);
        return;
    }
    for (int k = 0; k < n; k++) {
        h[k * n + k] = row_force(block, rows, block->row + k).slope;
    }
}

const phy_law phy_law_soft = {
    "soft", PHY_LAW_NEEDS_NOTHING, PHY_LAW_ACCELERATION, soft_inverse, soft_curvature, NULL, NULL,
    NULL};
