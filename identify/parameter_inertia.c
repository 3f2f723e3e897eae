/* parameter_inertia.c: the inertia of a body as ten numbers that may take any value while the body
 * stays physical.
 *
 * With second moments S = integral of x x' dm about the origin of the body's frame, h = m c:
 * the pseudo-inertia
 *     J = (S h; h' m)
 * is positive definite for bodies that consist of positive mass, and only for these. Its Cholesky
 * factor, upper triangular,
 *     J = U U',   U = e^a (e^d1 s12 s13 t1; 0 e^d2 s23 t2; 0 0 e^d3 t3; 0 0 0 1),
 *     u = (a, d1, d2, d3, s12, s23, s13, t1, t2, t3)
 * (C. Rucker, P. Wensing, "Smooth parameterization of rigid-body inertia", IEEE Robotics and
 * Automation Letters 7, 2022). So
 *     m = e^2a,   c = t,   S_c / m = V V',   V the upper 3 x 3 of U e^-a,
 * S_c = S - m c c' about the centre of mass: I = tr(S_c) 1 - S_c, and back S_c = tr(I)/2 1 - I.
 */
#include "identify/parameter.h"

#include <math.h>
#include <string.h>

/* (i, j) of xx yy zz xy xz yz */
static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};

/* A body thinner than this part of its size has second moments that are noise. */
static const double thin = 1e-10;

/* V from u[1..6] */
static void factor(double v[9], const double u[10])
{
    const double upper[9] = {exp(u[1]), u[4], u[6], 0, exp(u[2]), u[5], 0, 0, exp(u[3])};
    memcpy(v, upper, sizeof upper);
}

/* inertia = m (tr(A) 1 - A), from symmetric A */
static void from_moments(double inertia[6], double m, const double a[9])
{
    const double trace = a[0] + a[4] + a[8];
    for (int k = 0; k < 6; k++) {
        inertia[k] = m * ((k < 3 ? trace : 0) - a[3 * row[k] + column[k]]);
    }
}

void idn_inertia_values(double value[10], const double u[10])
{
    double v[9], a[9];
    factor(v, u);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a[3 * i + j] =
                v[3 * i] * v[3 * j] + v[3 * i + 1] * v[3 * j + 1] + v[3 * i + 2] * v[3 * j + 2];
        }
    }
    value[0] = exp(2 * u[0]);
    memcpy(value + 1, u + 7, 3 * sizeof *value);
    from_moments(value + 4, value[0], a);
}

bool idn_inertia_coordinates(double u[10], const double value[10])
{
    const double m = value[0], *inertia = value + 4;
    const double half = (inertia[0] + inertia[1] + inertia[2]) / 2;
    double a[6]; /* S_c / m: xx yy zz xy xz yz */
    for (int k = 0; k < 6; k++) {
        a[k] = ((k < 3 ? half : 0) - inertia[k]) / m;
    }
    const double least = thin * (a[0] + a[1] + a[2]);
    /* V V' = A from the last row up */
    const double v33 = sqrt(a[2]), v13 = a[4] / v33, v23 = a[5] / v33;
    const double v22 = sqrt(a[1] - v23 * v23), v12 = (a[3] - v13 * v23) / v22;
    const double v11 = sqrt(a[0] - v12 * v12 - v13 * v13);
    const double coordinates[10] = {log(m) / 2, log(v11), log(v22), log(v33), v12,
                                    v23,        v13,      value[1], value[2], value[3]};
    memcpy(u, coordinates, sizeof coordinates);
    return m > 0 && v11 * v11 > least && v22 * v22 > least && v33 * v33 > least;
}

/* d(V V') = dV V' + V dV' for each number of V, d m = 2 m da, d c = dt */
void idn_inertia_slope(double slope[100], const double u[10])
{
    static const int place[6] = {0, 4, 8, 1, 5, 2}; /* of d1 d2 d3 s12 s23 s13 in V */
    double value[10], v[9];
    memset(slope, 0, 100 * sizeof *slope);
    idn_inertia_values(value, u);
    factor(v, u);
    slope[0] = 2 * value[0];
    for (int k = 4; k < 10; k++) {
        slope[10 * k] = 2 * value[k];
    }
    for (int k = 0; k < 3; k++) {
        slope[10 * (1 + k) + 7 + k] = 1;
    }
    for (int c = 0; c < 6; c++) {
        const int i = place[c] / 3, j = place[c] % 3;
        const double dv = c < 3 ? v[place[c]] : 1;
        double a[9] = {0}, inertia[6];
        for (int k = 0; k < 3; k++) { /* row i of dV V', and its mirror image */
            a[3 * i + k] += dv * v[3 * k + j];
            a[3 * k + i] += dv * v[3 * k + j];
        }
        from_moments(inertia, value[0], a);
        for (int k = 0; k < 6; k++) {
            slope[10 * (4 + k) + 1 + c] = inertia[k];
        }
    }
}
