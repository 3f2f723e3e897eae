/* logbarrier.c: the inverse of a block is one root of one number.
 *
 * A cone, with z = 2 kappa/s_c > 0: the tangential rows of the stationarity condition give
 *
 *     f_j = -y_j/(R_j + z/mu_j^2)    so that    (f_j/mu_j)^2 = p_j/(r_j + z)^2
 *     f_n^2 = sum p_j/(r_j + z)^2 + 2 kappa/z,        p_j = (mu_j y_j)^2,   r_j = mu_j^2 R_j
 *
 * and z is the root of the normal row,
 *
 *     h(z) = (R_n - z) f_n + y_n - kappa/f_n,     h' = -N/f_n
 *     N = P + kappa/z + (R_n + kappa/f_n^2) (Q + kappa/z^2)
 *     P = sum p_j r_j/(r_j + z)^3,     Q = sum p_j/(r_j + z)^3
 *
 * All terms of N are positive: h falls from +inf to -inf, and nothing cancels in its slope.
 * The same sums make up H^-1 (phy_barrier_cone_curvature).
 */
#include "physics/laws/logbarrier.h"

#include "physics/laws/logbarrier_roots.h"

#include <math.h>

/* More than any finite input needs, see the test. */
enum { STEPS_MAX = 100 };

static double mu_of(const phy_barrier_cone *cone, int j)
{
    return cone->mu[j - 1] < PHY_BARRIER_SMOOTH ? 0 : cone->mu[j - 1];
}

/* ---- the root ---- */

/* What h depends on: rows with the same r count as one. */
typedef struct cone_root {
    double R, y, kappa;
    int pairs;
    double p[PHY_BARRIER_DIM], r[PHY_BARRIER_DIM];
} cone_root;

/* f_n^2, f_n; h f_n and the sum of its terms' magnitudes; z N f_n^2. The step in log z is
 * h f_n f_n^2 over that. */
typedef struct cone_value {
    double square, normal, residual, scale, steepness;
} cone_value;

static void collect(cone_root *root, const double *y, const phy_barrier_cone *cone)
{
    root->R = cone->R[0];
    root->y = y[0];
    root->kappa = cone->kappa;
    root->pairs = 0;
    for (int j = 1; j < cone->dim; j++) {
        const double mu = mu_of(cone, j);
        const double p = mu * mu * y[j] * y[j], r = mu * mu * cone->R[j];
        const int last = root->pairs - 1;
        if (last >= 0 && root->r[last] == r) {
            root->p[last] += p;
        } else if (mu > 0) {
            root->p[root->pairs] = p;
            root->r[root->pairs++] = r;
        }
    }
}

/* Divisions take most of the time: there is one for all contacts with the same friction and R along
 * both tangents. */
static inline void evaluate(cone_value *v, const cone_root *root, double z)
{
    const double r = root->r[0], both = 1 / (z * (r + z)), i = both * z;
    const double kz = root->kappa * (both * (r + z)), part = root->p[0] * i * i;
    double square = part, Q = part * i, P = part * i * r;
    for (int k = 1; k < root->pairs; k++) {
        const double ik = 1 / (root->r[k] + z), more = root->p[k] * ik * ik;
        square += more;
        Q += more * ik;
        P += more * ik * root->r[k];
    }
    square += 2 * kz;
    v->square = square;
    v->normal = sqrt(square);
    v->residual = (root->R - z) * square + root->y * v->normal - root->kappa;
    v->scale = (root->R + z) * square + fabs(root->y) * v->normal + root->kappa;
    v->steepness = (P + kz) * z * square + (root->R * square + root->kappa) * (Q * z + kz);
}

/* Near the root. The largest of three, each right where the others' terms are small:
 *     no friction                 z = 2 kappa/f^2,   R f^2 + y f - 3 kappa = 0
 *     sliding, kappa = 0          z = (R t + r y)/(t - y),   t^2 = sum p
 *     open, R = 0, u = z f_n      z = (u^2 - t^2)/(2 kappa),   3 u^2 - 2 y u - t^2 = 0
 */
static double guess(const cone_root *root)
{
    const double y = root->y, kappa = root->kappa, R = root->R;
    double square = 0, r = 0;
    for (int k = 0; k < root->pairs; k++) {
        square += root->p[k];
        r = root->r[k] > r ? root->r[k] : r;
    }
    const double root_of = sqrt(y * y + 12 * R * kappa);
    const double f = y > 0 ? 6 * kappa / (y + root_of) : (root_of - y) / (2 * R);
    double z = 2 * kappa / (f * f);
    const double t = sqrt(square);
    if (t > y) {
        const double sliding = (R * t + r * y) / (t - y);
        return sliding > z ? sliding : z;
    }
    const double u = (y + sqrt(y * y + 3 * square)) / 3, open = (u - t) * (u + t) / (2 * kappa);
    return open > z ? open : z;
}

/* Newton's method in log z within a bracket, the exponential of a step x taken as
 * (1 + x/2)/(1 - x/2), a factor of 19 at most. */
static double solve(int *steps, const cone_root *root)
{
    double z = guess(root), low = 0, high = INFINITY;
    for (*steps = 1; *steps < STEPS_MAX; (*steps)++) {
        cone_value v;
        evaluate(&v, root, z);
        const double whole = 2 * v.steepness, most = 0.9 * whole;
        double half = v.residual * v.square;
        if (fabs(v.residual) <= 2e-16 * v.scale) {
            return z;
        }
        const bool is_last = fabs(half) < 1e-8 * whole; /* the error left is its square */
        half = half > most ? most : half < -most ? -most : half;
        double next = z * ((whole + half) / (whole - half));
        if (is_last) {
            return next;
        }
        if (half > 0) {
            low = z;
        } else {
            high = z;
        }
        if (!(next > low && next < high)) {
            next = low > 0 ? sqrt(low) * sqrt(high) : 0.05 * high;
        }
        z = next;
    }
    return NAN;
}

/* ---- a cone ---- */

static sal_status judge(const double *y, const phy_barrier_cone *cone)
{
    double probe = cone->kappa * 0;
    bool good = cone->dim >= 1 && cone->dim <= PHY_BARRIER_DIM;
    for (int j = 0; good && j < cone->dim; j++) {
        probe += y[j] * 0 + cone->R[j] * 0 + (j > 0 ? cone->mu[j - 1] * 0 : 0);
    }
    if (probe != 0) {
        return SAL_DIVERGED;
    }
    good = good && cone->kappa > 0;
    for (int j = 0; good && j < cone->dim; j++) {
        good = cone->R[j] > 0;
    }
    return good ? SAL_OK : SAL_BADINPUT;
}

static sal_status fail(phy_barrier_force *at, sal_status status)
{
    for (int j = 0; j < PHY_BARRIER_DIM; j++) {
        at->f[j] = NAN;
    }
    at->multiplier = NAN;
    return status;
}

/* A normal row, whose f has a formula. */
static sal_status without_friction(phy_barrier_force *at, const double *y,
                                   const phy_barrier_cone *cone)
{
    for (int j = 1; j < cone->dim; j++) {
        at->f[j] = 0;
    }
    at->multiplier = 0;
    at->f[0] = phy_barrier_normal(y[0], cone->R[0], cone->kappa).f;
    return SAL_OK;
}

/* Any input */
static sal_status alone(phy_barrier_force *at, const double *y, const phy_barrier_cone *cone)
{
    const sal_status status = judge(y, cone);
    at->steps = 0;
    if (status != SAL_OK) {
        return fail(at, status);
    }
    cone_root root;
    collect(&root, y, cone);
    if (root.pairs == 0) {
        return without_friction(at, y, cone);
    }
    const double z = solve(&at->steps, &root);
    double square = 2 * cone->kappa / z;
    for (int j = 1; j < cone->dim; j++) {
        const double mu = mu_of(cone, j), share = mu / (mu * mu * cone->R[j] + z) * y[j];
        at->f[j] = -mu * share;
        square += share * share;
    }
    at->f[0] = sqrt(square);
    at->multiplier = z;
    return isfinite(at->f[0]) ? SAL_OK : fail(at, SAL_DIVERGED);
}

/* ---- four cones ---- */

static SAL_INLINE void put_lane(phy_barrier_roots *roots, int lane, const double values[7])
{
    roots->R[lane] = values[0];
    roots->y[lane] = values[1];
    roots->kappa[lane] = values[2];
    roots->p[0][lane] = values[3];
    roots->p[1][lane] = values[4];
    roots->r[0][lane] = values[5];
    roots->r[1][lane] = values[6];
}

/* Bit j of `second`: tangent j has the second r. False: not for the lanes. (They themselves find
 * what is not finite.) */
static SAL_INLINE bool enter(phy_barrier_roots *roots, unsigned *second, int lane, const double *y,
                             const phy_barrier_cone *cone)
{
    const double *R = cone->R;
    double p[2] = {0, 0}, r[2] = {0, 0};
    int found = 0;
    *second = 0;
    if (!(cone->dim > 1 && cone->dim <= PHY_BARRIER_DIM && cone->kappa > 0 && R[0] > 0)) {
        return false;
    }
    for (int j = 1; j < cone->dim; j++) {
        const double mu = mu_of(cone, j), square = mu * mu, here = square * R[j];
        if (!(R[j] > 0)) {
            return false;
        }
        if (mu == 0) {
            continue;
        }
        if (found == 0 || (found == 1 && here != r[0])) {
            r[found++] = here;
        }
        const bool is_other = here != r[0];
        if (is_other && here != r[1]) {
            return false;
        }
        *second |= (unsigned)is_other << j;
        p[is_other] += square * (y[j] * y[j]);
    }
    r[1] = found < 2 ? r[0] : r[1];
    if (found == 0) {
        return false;
    }
    put_lane(roots, lane, (const double[]){R[0], y[0], cone->kappa, p[0], p[1], r[0], r[1]});
    return true;
}

/* What the lane found; false: nothing */
static SAL_INLINE bool leave(phy_barrier_force *at, const phy_barrier_roots *roots, unsigned second,
                             int lane, const double *y, const phy_barrier_cone *cone)
{
    at->f[0] = roots->normal[lane];
    at->multiplier = roots->z[lane];
    at->steps = (int)roots->steps[lane];
    for (int j = 1; j < cone->dim; j++) {
        const double mu = mu_of(cone, j);
        at->f[j] = -mu * mu * roots->across[second >> j & 1][lane] * y[j];
    }
    return at->multiplier > 0 && isfinite(at->f[0]);
}

void phy_barrier_cones_force(sal_status *status, phy_barrier_force *at, const double *const *y,
                             const phy_barrier_cone *cone, int count)
{
    phy_barrier_roots roots;
    unsigned second[PHY_BARRIER_SIDE];
    bool in_lane[PHY_BARRIER_SIDE];
    const int lanes = count <= 2 ? 2 : PHY_BARRIER_SIDE;
    for (int k = 0; k < lanes; k++) {
        in_lane[k] = k < count && enter(&roots, second + k, k, y[k], cone + k);
        if (!in_lane[k]) {
            put_lane(&roots, k, (const double[]){1, 1, 1, 0, 0, 1, 1}); /* one step */
        }
    }
    if (lanes == 2) {
        phy_barrier_find_pair(&roots);
    } else {
        phy_barrier_find_four(&roots);
    }
    for (int k = 0; k < count; k++) {
        status[k] = in_lane[k] && leave(at + k, &roots, second[k], k, y[k], cone + k)
                        ? SAL_OK
                        : alone(at + k, y[k], cone + k);
    }
}

sal_status phy_barrier_cone_force(phy_barrier_force *at, const double *y,
                                  const phy_barrier_cone *cone)
{
    sal_status status;
    phy_barrier_cones_force(&status, at, &y, cone, 1);
    return status;
}

double phy_barrier_cone_potential(const phy_barrier_force *at, const double *y,
                                  const phy_barrier_cone *cone)
{
    double s = cone->kappa * log(at->f[0]);
    if (at->multiplier != 0) {
        s += cone->kappa * log(2 * cone->kappa / at->multiplier);
    }
    for (int j = 0; j < cone->dim; j++) {
        s -= at->f[j] * (0.5 * cone->R[j] * at->f[j] + y[j]);
    }
    return s;
}

/* H = diag(D_n, e_j/mu_j^2) + v v' z^2/kappa with v = (f_n, -f_j/mu_j^2), D_n = R_n - z +
 * kappa/f_n^2 and e_j = r_j + z. By the Schur complement S of its normal row and the rank-one
 * formula for the rest, with Q_j = (f_j/mu_j)^2/e_j, P = sum f_j^2 R_j/e_j, rho = kappa/z^2:
 *
 *     S = D_n + f_n^2/(rho + Q) = R_n + kappa/f_n^2 + (kappa/z + P)/(rho + Q)
 *     H^-1_nn = 1/S,      H^-1_nj = f_n f_j/(e_j S (rho + Q))
 *     H^-1_jk = delta_jk mu_j^2/e_j - (D_n/S) f_j f_k/(e_j e_k (rho + Q))
 *     H^-1_jj = mu_j^2/e_j [rho + sum_{i != j} Q_i + Q_j f_n^2/(S (rho + Q))]/(rho + Q)
 *
 * The second form of S and, where D_n > 0, the last line have only positive terms. */
void phy_barrier_cone_curvature(double *h, const phy_barrier_force *at,
                                const phy_barrier_cone *cone)
{
    const int n = cone->dim;
    const double z = at->multiplier, kappa = cone->kappa, normal = at->f[0];
    for (int k = 0; k < n * n; k++) {
        h[k] = 0;
    }
    if (z == 0) {
        h[0] = 1 / (cone->R[0] + kappa / (normal * normal));
        return;
    }
    double mu[PHY_BARRIER_DIM], share[PHY_BARRIER_DIM], Qj[PHY_BARRIER_DIM], P = 0, Q = 0;
    for (int j = 1; j < n; j++) {
        mu[j] = mu_of(cone, j);
        share[j] = at->f[j] / (mu[j] * mu[j] * cone->R[j] + z);
        Qj[j] = mu[j] > 0 ? share[j] * at->f[j] / (mu[j] * mu[j]) : 0;
        Q += Qj[j];
        P += share[j] * at->f[j] * cone->R[j];
    }
    const double all = kappa / (z * z) + Q, square = normal * normal;
    const double S = cone->R[0] + kappa / square + (kappa / z + P) / all;
    const double D = cone->R[0] - z + kappa / square;
    h[0] = 1 / S;
    for (int j = 1; j < n; j++) {
        h[j] = h[j * n] = normal * share[j] / (S * all);
        for (int k = 1; k < n; k++) {
            h[j * n + k] = -D / (S * all) * (share[j] * share[k]);
        }
        double others = kappa / (z * z);
        for (int i = 1; i < n; i++) {
            others += i == j ? 0 : Qj[i];
        }
        const double across = mu[j] * mu[j] / (mu[j] * mu[j] * cone->R[j] + z);
        h[j * n + j] =
            D > 0 ? across * (others + Qj[j] * square / (S * all)) / all : across + h[j * n + j];
    }
}

/* d'(f)/kappa = (-(z f_n + kappa/f_n), z f_j/mu_j^2)/kappa */
void phy_barrier_cone_by_kappa(double *df, const double *h, const phy_barrier_force *at,
                               const phy_barrier_cone *cone)
{
    const int n = cone->dim;
    const double z = at->multiplier;
    double slope[PHY_BARRIER_DIM];
    slope[0] = -(z * at->f[0] / cone->kappa + 1 / at->f[0]);
    for (int j = 1; j < n; j++) {
        const double mu = mu_of(cone, j);
        slope[j] = mu > 0 ? z * at->f[j] / (mu * mu * cone->kappa) : 0;
    }
    for (int j = 0; j < n; j++) {
        df[j] = 0;
        for (int k = 0; k < n; k++) {
            df[j] -= h[j * n + k] * slope[k];
        }
    }
}

/* ---- single rows ---- */

/* R f^2 + y f - kappa = 0 */
phy_barrier_row phy_barrier_normal(double y, double R, double kappa)
{
    const double root = sqrt(y * y + 4 * R * kappa);
    const double f = y > 0 ? 2 * kappa / (y + root) : (root - y) / (2 * R);
    const double slope = 1 / (R + kappa / (f * f));
    return (phy_barrier_row){f, slope, kappa * log(f) - f * (0.5 * R * f + y), slope / f, 0};
}

phy_barrier_row phy_barrier_equality(double y, double R)
{
    return (phy_barrier_row){-y / R, 1 / R, 0.5 * y * y / R, 0, 0};
}

double phy_barrier_loss_slope(double f, double multiplier, double R, double kappa)
{
    const double pull = multiplier * f;
    return multiplier == 0 ? 0 : 1 / (R + multiplier + pull * pull / kappa);
}

/* With z = 2 kappa/(F^2 - f^2):  f = -y/(R + z),  F^2 - f^2 - 2 kappa/z = 0, which is a concave,
 * increasing function of z: Newton's method climbs to its root from below. Both 2 kappa/F^2 and
 * |y|/F - R are below. */
phy_barrier_row phy_barrier_loss(double y, double R, double bound, double kappa)
{
    if (bound <= 0) {
        return (phy_barrier_row){0, 0, 0, 0, 0};
    }
    const double square = bound * bound;
    double z = fmax(2 * kappa / square, fabs(y) / bound - R), f = -y / (R + z);
    for (int step = 0; step < STEPS_MAX; step++) {
        const double rest = square - f * f - 2 * kappa / z;
        const double change = -rest / (2 * f * f / (R + z) + 2 * kappa / (z * z));
        if (!(change > 0)) {
            break;
        }
        z += change;
        f = -y / (R + z);
        if (change <= 1e-9 * z) {
            break;
        }
    }
    const double slope = phy_barrier_loss_slope(f, z, R, kappa);
    const double s = kappa * log(2 * kappa / z) - f * (0.5 * R * f + y);
    return (phy_barrier_row){f, slope, s, -slope * z * f / kappa, z};
}

/* ---- velocities and gaps ---- */

phy_barrier_velocity phy_barrier_velocity_at(double s, double kappa, double q)
{
    const double s0 = kappa / q, slope = phy_barrier_velocity_slope(s, kappa, q);
    if (s >= s0) {
        return (phy_barrier_velocity){-kappa * log(s), slope, kappa / (s * s), 0};
    }
    const double a0 = q * q / (2 * kappa), a1 = -2 * q, a2 = 1.5 * kappa - kappa * log(s0);
    return (phy_barrier_velocity){(a0 * s + a1) * s + a2, slope, 2 * a0, 2 * q * s / kappa - 2};
}

double phy_barrier_steepness(double q, double R, double A, double speed)
{
    const double needed = 2 * R * speed / (A * A);
    return needed > q ? needed : q;
}

double phy_barrier_ramp_at(double *slope, const phy_barrier_ramp *ramp, double d)
{
    const double end = ramp->smooth ? 1 - 1e-6 : 1, x = d / ramp->d_max;
    const double inside = x < 0 ? 0 : x > end ? end : x;
    const bool is_flat = x < 0 || x > end;
    if (!ramp->smooth) {
        *slope = is_flat ? 0 : (ramp->R_max - ramp->R_min) / ramp->d_max;
        return ramp->R_min + (ramp->R_max - ramp->R_min) * inside;
    }
    const double ratio = log(ramp->R_max / ramp->R_min), rest = 1 - inside;
    const double R = ramp->R_min * exp(ratio * inside) / (rest * rest);
    *slope = is_flat ? 0 : R * (ratio + 2 / rest) / ramp->d_max;
    return R;
}
