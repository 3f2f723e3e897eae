/* v3.h: vectors of three doubles, and 3x3 matrices stored by rows. Outputs first; an output may be
 * an input unless said. */
#ifndef SAL_BASE_V3_H
#define SAL_BASE_V3_H

#include <math.h>

#define SAL_MINVAL 1e-15 /* below this a length counts as zero (MuJoCo's mjMINVAL) */

static inline void sal_v3_set(double r[3], double x, double y, double z)
{
    r[0] = x, r[1] = y, r[2] = z;
}

static inline void sal_v3_copy(double r[3], const double a[3])
{
    r[0] = a[0], r[1] = a[1], r[2] = a[2];
}

static inline void sal_v3_add(double r[3], const double a[3], const double b[3])
{
    r[0] = a[0] + b[0], r[1] = a[1] + b[1], r[2] = a[2] + b[2];
}

static inline void sal_v3_sub(double r[3], const double a[3], const double b[3])
{
    r[0] = a[0] - b[0], r[1] = a[1] - b[1], r[2] = a[2] - b[2];
}

static inline void sal_v3_scale(double r[3], const double a[3], double s)
{
    r[0] = s * a[0], r[1] = s * a[1], r[2] = s * a[2];
}

/* r = a + s b */
static inline void sal_v3_addscaled(double r[3], const double a[3], double s, const double b[3])
{
    r[0] = a[0] + s * b[0], r[1] = a[1] + s * b[1], r[2] = a[2] + s * b[2];
}

static inline double sal_v3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double sal_v3_norm(const double a[3])
{
    return sqrt(sal_v3_dot(a, a));
}

/* r = a x b; r is neither a nor b */
static inline void sal_v3_cross(double r[3], const double a[3], const double b[3])
{
    r[0] = a[1] * b[2] - a[2] * b[1];
    r[1] = a[2] * b[0] - a[0] * b[2];
    r[2] = a[0] * b[1] - a[1] * b[0];
}

/* r += a x b */
static inline void sal_v3_addcross(double r[3], const double a[3], const double b[3])
{
    double x[3];
    sal_v3_cross(x, a, b);
    sal_v3_add(r, r, x);
}

/* a := a / |a|, or (1,0,0) if |a| < SAL_MINVAL. Returns |a|. */
static inline double sal_v3_normalise(double a[3])
{
    const double length = sal_v3_norm(a);
    if (length < SAL_MINVAL) {
        sal_v3_set(a, 1, 0, 0);
    } else {
        sal_v3_scale(a, a, 1 / length);
    }
    return length;
}

/* r = M a; r is not a */
static inline void sal_m3_mulv(double r[3], const double m[9], const double a[3])
{
    r[0] = m[0] * a[0] + m[1] * a[1] + m[2] * a[2];
    r[1] = m[3] * a[0] + m[4] * a[1] + m[5] * a[2];
    r[2] = m[6] * a[0] + m[7] * a[1] + m[8] * a[2];
}

/* r = M' a; r is not a */
static inline void sal_m3_multv(double r[3], const double m[9], const double a[3])
{
    r[0] = m[0] * a[0] + m[3] * a[1] + m[6] * a[2];
    r[1] = m[1] * a[0] + m[4] * a[1] + m[7] * a[2];
    r[2] = m[2] * a[0] + m[5] * a[1] + m[8] * a[2];
}

/* r = A B; r is neither */
static inline void sal_m3_mul(double r[9], const double a[9], const double b[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            r[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
}

/* Column j of M. */
static inline void sal_m3_column(double r[3], const double m[9], int j)
{
    r[0] = m[j], r[1] = m[3 + j], r[2] = m[6 + j];
}

#endif
