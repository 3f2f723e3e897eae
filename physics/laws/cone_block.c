/* cone_block.c: the nearest point of a cone in a metric that is not diagonal.
 *
 * In units g_j = f_j/mu_j the cone is |g| <= f_0. With the tangents' matrix B_tt = V L V' and all
 * vectors in the basis V (p: b_t, c: B_t0),
 *
 *     psi(r) = min f'B f/2 + f'b  at f_0 = r, |g| <= r
 *
 * is convex, since it is the partial minimum of a convex problem. Its slope, and the point of the
 * disc (a problem of a trust region; lambda = 0 within the disc):
 *
 *     psi'(r) = B_00 r + b_0 + c'g - lambda r
 *     (L + lambda) g = -(p + r c),   |g| = r
 *
 * psi'(0+) = b_0 - |p|: f = 0 is the minimum only if b_0 >= |p|. Else, where -B^-1 b is outside of
 * the cone, the root of psi' is found by Newton's method within a bracket, with
 *
 *     lambda' = -(r + g'E c)/(g'E g),   g' = -E (c + g lambda'),   E = (L + lambda)^-1
 *     psi'' = B_00 - lambda - r lambda' + c'g'
 */
#include "physics/laws/cone_block.h"

#include "base/house.h"

#include <math.h>

enum { DIM = PHY_IMPULSE_DIM, NEWTON_STEPS = 100, JACOBI_SWEEPS = 30 };
#define RIDGE      1e-14
#define ROUNDING   2e-16
#define INDEFINITE 1e-10

/* ---- the matrix ---- */

/* a := Q'a Q, V := V Q with the rotation Q in the plane of p and q that makes a_pq = 0 (Jacobi) */
static void rotate(double a[DIM][DIM], double V[DIM][DIM], int n, int p, int q)
{
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + hypot(1, theta));
    const double c = 1 / sqrt(1 + t * t), s = t * c;
    for (int i = 0; i < n; i++) {
        const double ip = a[i][p], iq = a[i][q], vp = V[i][p], vq = V[i][q];
        a[i][p] = c * ip - s * iq;
        a[i][q] = s * ip + c * iq;
        V[i][p] = c * vp - s * vq;
        V[i][q] = s * vp + c * vq;
    }
    for (int i = 0; i < n; i++) {
        const double pi = a[p][i], qi = a[q][i];
        a[p][i] = c * pi - s * qi;
        a[q][i] = s * pi + c * qi;
    }
}

static void diagonalise(double a[DIM][DIM], double V[DIM][DIM], int n)
{
    for (int sweep = 0; sweep < JACOBI_SWEEPS; sweep++) {
        bool is_diagonal = true;
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                if (fabs(a[p][q]) > 1e-17 * sqrt(fabs(a[p][p] * a[q][q]))) {
                    rotate(a, V, n, p, q);
                    is_diagonal = false;
                }
            }
        }
        if (is_diagonal) {
            return;
        }
    }
}

/* Values at least RIDGE of the largest, and B_00 so much above c'L^-1 c. */
static sal_status raise_to_definite(phy_cone_matrix *m)
{
    double most = 0, schur = m->normal;
    for (int k = 0; k < m->tangents; k++) {
        most = fmax(most, fabs(m->value[k]));
    }
    for (int k = 0; k < m->tangents; k++) {
        if (!(m->value[k] >= -INDEFINITE * most)) {
            return SAL_SINGULAR;
        }
        m->value[k] = fmax(fmax(m->value[k], RIDGE * most), RIDGE * RIDGE * m->normal);
        schur -= m->coupling[k] * m->coupling[k] / m->value[k];
    }
    if (!(m->normal > 0) || !(schur >= -INDEFINITE * m->normal)) {
        return SAL_SINGULAR;
    }
    m->normal += schur < RIDGE * m->normal ? RIDGE * m->normal - schur : 0;
    return SAL_OK;
}

sal_status phy_cone_prepare(phy_cone_matrix *matrix, const phy_impulse_block *block,
                            const double *B, int stride)
{
    const sal_status status = phy_impulse_check(block);
    if (status != SAL_OK) {
        return status;
    }
    *matrix = (phy_cone_matrix){block->family, block->bound, .dim = block->dim, .normal = B[0]};
    for (int i = 0; i < block->dim; i++) {
        for (int j = 0; j < block->dim; j++) {
            if (!isfinite(B[i * stride + j])) {
                return SAL_DIVERGED;
            }
        }
        if (i > 0 && block->mu[i - 1] > 0) { /* a row without friction carries nothing */
            matrix->mu[matrix->tangents] = block->mu[i - 1];
            matrix->row[matrix->tangents++] = i;
        }
    }
    const int n = matrix->tangents;
    double a[DIM][DIM] = {{0}};
    for (int i = 0; i < n; i++) {
        const double *row = B + matrix->row[i] * stride;
        for (int j = 0; j < n; j++) {
            a[i][j] = matrix->mu[i] * matrix->mu[j] * row[matrix->row[j]];
        }
        matrix->vector[i][i] = 1;
    }
    diagonalise(a, matrix->vector, n);
    for (int k = 0; k < n; k++) {
        matrix->value[k] = a[k][k];
        for (int i = 0; i < n; i++) {
            matrix->coupling[k] +=
                matrix->vector[i][k] * matrix->mu[i] * B[matrix->row[i] * stride];
        }
    }
    return raise_to_definite(matrix);
}

/* ---- the minimum ---- */

/* A point of the border: f_0 = r, g in the basis V. */
typedef struct border_point {
    double r, lambda, g[DIM];
    double size; /* of the terms of psi', the measure of its rounding */
} border_point;

/* g at r, and lambda, of which there is a guess. |g(lambda)|^-1 is concave and grows: a step of
 * Newton's method on |g|^-1 = 1/r leads below the root from wherever it begins, and rises
 * monotonously then. No lambda is below the bound |p + r c|/(max L + lambda) <= |g|. */
static void on_disc(border_point *at, const phy_cone_matrix *m, const double *p)
{
    double q[DIM], square = 0, most = 0;
    for (int k = 0; k < m->tangents; k++) {
        q[k] = p[k] + at->r * m->coupling[k];
        square += q[k] * q[k];
        most = m->value[k] > most ? m->value[k] : most;
    }
    const double bound = fmax(0, sqrt(square) / at->r - most);
    at->lambda = at->lambda > bound ? at->lambda : bound;
    for (int step = 0; step < NEWTON_STEPS; step++) {
        double size = 0, cube = 0;
        for (int k = 0; k < m->tangents; k++) {
            const double e = m->value[k] + at->lambda;
            at->g[k] = -q[k] / e;
            size += at->g[k] * at->g[k];
            cube += at->g[k] * at->g[k] / e;
        }
        const double rise = (sqrt(size) / at->r - 1) * size / cube;
        const bool is_above = step == 0 && at->lambda > bound && rise < 0;
        if (!(is_above || rise > ROUNDING * at->lambda)) {
            return;
        }
        at->lambda = is_above ? fmax(bound, at->lambda + rise) : at->lambda + rise;
    }
}

/* psi'(r) and psi''(r); at->r is set, at->lambda a guess. Also lambda'(r). */
static double slope(double *curvature, double *turn, border_point *at, const phy_cone_matrix *m,
                    const double *p, double b0)
{
    on_disc(at, m, p);
    double sum = m->normal * at->r + b0 - at->lambda * at->r, gEc = 0, gEg = 0, cEc = 0;
    at->size = (m->normal + at->lambda) * at->r + fabs(b0);
    for (int k = 0; k < m->tangents; k++) {
        const double e = 1 / (m->value[k] + at->lambda), c = m->coupling[k];
        sum += c * at->g[k];
        gEc += at->g[k] * e * c;
        gEg += at->g[k] * e * at->g[k];
        cEc += c * e * c;
    }
    *turn = at->lambda > 0 ? -(at->r + gEc) / gEg : 0;
    *curvature = m->normal - at->lambda - at->r * *turn - cEc - gEc * *turn;
    return sum;
}

/* Where the root of psi' would be if all values were their mean and nothing were coupled */
static double guess(const phy_cone_matrix *m, double b0, double length)
{
    double mean = 0;
    for (int k = 0; k < m->tangents; k++) {
        mean += m->value[k] / m->tangents;
    }
    return (length - b0) / (m->normal + mean);
}

/* The root of psi' for r > 0, which there is; at->r is near it. Each step halves the last but one,
 * or the bracket. */
static void minimise_on_border(border_point *at, const phy_cone_matrix *m, const double *p,
                               double b0)
{
    double low = 0, high = INFINITY, curvature, turn, last = INFINITY, before = INFINITY;
    for (int k = 0; k < NEWTON_STEPS; k++) {
        const double rise = slope(&curvature, &turn, at, m, p, b0);
        if (rise < 0) {
            low = at->r;
        } else {
            high = at->r;
        }
        double next = at->r - rise / curvature;
        if (!(next > low && next < high) || fabs(next - at->r) > 0.5 * before) {
            next = isinf(high) ? 2 * at->r : 0.5 * (low + high);
        }
        before = last;
        last = fabs(next - at->r);
        if (fabs(rise) <= ROUNDING * at->size || last <= ROUNDING * at->r || !isfinite(next)) {
            return;
        }
        at->lambda += turn * (next - at->r);
        at->r = next;
    }
}

/* True if -B^-1 b is within the cone; then it is the point. */
static bool sticks(border_point *at, const phy_cone_matrix *m, const double *p, double b0)
{
    double schur = m->normal, rest = b0, square = 0;
    for (int k = 0; k < m->tangents; k++) {
        schur -= m->coupling[k] * m->coupling[k] / m->value[k];
        rest -= m->coupling[k] * p[k] / m->value[k];
    }
    at->r = -rest / schur;
    for (int k = 0; k < m->tangents; k++) {
        at->g[k] = -(p[k] + m->coupling[k] * at->r) / m->value[k];
        square += at->g[k] * at->g[k];
    }
    return at->r >= 0 && square <= at->r * at->r;
}

static double single_row(const phy_cone_matrix *m, double b)
{
    const double f = -b / m->normal;
    if (m->family == PHY_IMPULSE_LOSS) {
        return fabs(f) < m->bound ? f : copysign(m->bound, f);
    }
    return m->family == PHY_IMPULSE_EQUALITY ? f : fmax(0, f);
}

/* p = V' mu b_t; returns p'p */
static double turn(double p[DIM], const phy_cone_matrix *matrix, const double *b)
{
    double square = 0;
    for (int k = 0; k < matrix->tangents; k++) {
        p[k] = 0;
        for (int i = 0; i < matrix->tangents; i++) {
            p[k] += matrix->vector[i][k] * matrix->mu[i] * b[matrix->row[i]];
        }
        square += p[k] * p[k];
    }
    return square;
}

/* f_t = mu V g */
static void turn_back(double *f, const phy_cone_matrix *matrix, const double g[DIM])
{
    for (int i = 0; i < matrix->tangents; i++) {
        double sum = 0;
        for (int k = 0; k < matrix->tangents; k++) {
            sum += matrix->vector[i][k] * g[k];
        }
        f[matrix->row[i]] = matrix->mu[i] * sum;
    }
}

sal_status phy_cone_minimise(double *f, const phy_cone_matrix *matrix, const double *b, double near)
{
    const int n = matrix->tangents;
    const double b0 = b[0];
    double p[DIM] = {0}, sum = 0;
    const double square = turn(p, matrix, b);
    for (int j = 0; j < matrix->dim; j++) {
        sum += b[j] - b[j]; /* NaN unless all are finite */
    }
    for (int j = 0; j < matrix->dim; j++) {
        f[j] = 0;
    }
    if (!(sum == 0)) {
        return SAL_DIVERGED;
    }
    if (n == 0) {
        f[0] = single_row(matrix, b0);
        return SAL_OK;
    }
    const double length = sqrt(square);
    if (b0 >= length) {
        return SAL_OK;
    }
    border_point at = {0};
    if (!sticks(&at, matrix, p, b0)) {
        at.r = near > 0 ? near : guess(matrix, b0, length);
        minimise_on_border(&at, matrix, p, b0);
    }
    f[0] = at.r;
    turn_back(f, matrix, at.g);
    return SAL_OK;
}

void phy_cone_slide(double *f, const phy_cone_matrix *matrix, const double *b)
{
    double p[DIM] = {0};
    border_point at = {.r = f[0]};
    turn(p, matrix, b);
    for (int i = 1; i < matrix->dim; i++) {
        f[i] = 0;
    }
    if (f[0] > SAL_MINVAL) {
        on_disc(&at, matrix, p);
        turn_back(f, matrix, at.g);
    }
}
