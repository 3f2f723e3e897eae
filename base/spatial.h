/* spatial.h: 6-D spatial algebra, rotation part first.
 *
 * motion  m = (w; u): angular velocity, and the linear velocity of the body-fixed point at the
 *         reference point
 * force   F = (n; f): moment about the reference point, and force
 * inertia I = (ixx iyy izz ixy ixz iyz, hx hy hz, m): rotational inertia about the reference point,
 * h = m (com - point), mass:
 *         I m = ( Irot w + h x u ; m u - h x w )
 * (Featherstone, "Rigid body dynamics algorithms", 2008, chapter 2)
 */
#ifndef SAL_BASE_SPATIAL_H
#define SAL_BASE_SPATIAL_H

#include "base/v3.h"

#include <string.h>

enum { SAL_SP_INERTIA = 10 };

/* Two numbers side by side, which gcc and clang add and multiply at once; a vector of six is three
 * of them. */
typedef double sal_pair __attribute__((vector_size(16)));

static inline sal_pair sal_pair_at(const double *x)
{
    sal_pair pair;
    memcpy(&pair, x, sizeof pair);
    return pair;
}

static inline void sal_pair_put(double *x, sal_pair pair)
{
    memcpy(x, &pair, sizeof pair);
}

static inline double sal_sp_dot(const double a[6], const double b[6])
{
    const sal_pair sum = sal_pair_at(a) * sal_pair_at(b) + sal_pair_at(a + 2) * sal_pair_at(b + 2) +
                         sal_pair_at(a + 4) * sal_pair_at(b + 4);
    return sum[0] + sum[1];
}

/* r = a + s b */
static inline void sal_sp_addscaled(double r[6], const double a[6], double s, const double b[6])
{
    const sal_pair scale = {s, s};
    for (int i = 0; i < 6; i += 2) {
        sal_pair_put(r + i, sal_pair_at(a + i) + scale * sal_pair_at(b + i));
    }
}

/* r += a */
static inline void sal_sp_add(double r[6], const double a[6])
{
    for (int i = 0; i < 6; i += 2) {
        sal_pair_put(r + i, sal_pair_at(r + i) + sal_pair_at(a + i));
    }
}

/* r = a x b on motions: (w x w2 ; w x u2 + u x w2); r is neither */
static inline void sal_sp_cross_motion(double r[6], const double a[6], const double b[6])
{
    double t[3];
    sal_v3_cross(r, a, b);
    sal_v3_cross(r + 3, a, b + 3);
    sal_v3_cross(t, a + 3, b);
    sal_v3_add(r + 3, r + 3, t);
}

/* r = a x* F on forces: (w x n + u x f ; w x f); r is neither */
static inline void sal_sp_cross_force(double r[6], const double a[6], const double f[6])
{
    double t[3];
    sal_v3_cross(r, a, f);
    sal_v3_cross(t, a + 3, f + 3);
    sal_v3_add(r, r, t);
    sal_v3_cross(r + 3, a, f + 3);
}

/* r = J m, J the spatial inertia [10]; r is not m (I is a macro of <complex.h>) */
static inline void sal_sp_inertia_mul(double r[6], const double J[10], const double m[6])
{
    const double *w = m, *u = m + 3, *h = J + 6;
    r[0] = J[0] * w[0] + J[3] * w[1] + J[4] * w[2] + h[1] * u[2] - h[2] * u[1];
    r[1] = J[3] * w[0] + J[1] * w[1] + J[5] * w[2] + h[2] * u[0] - h[0] * u[2];
    r[2] = J[4] * w[0] + J[5] * w[1] + J[2] * w[2] + h[0] * u[1] - h[1] * u[0];
    r[3] = J[9] * u[0] - h[1] * w[2] + h[2] * w[1];
    r[4] = J[9] * u[1] - h[2] * w[0] + h[0] * w[2];
    r[5] = J[9] * u[2] - h[0] * w[1] + h[1] * w[0];
}

/* r = u + w x arm: how a point moves in a motion whose reference point is `arm` behind it */
static inline void sal_sp_point_velocity(double r[3], const double m[6], const double arm[3])
{
    sal_v3_copy(r, m + 3);
    sal_v3_addcross(r, m, arm);
}

/* r = m seen at that point: (w; u + w x arm); r is not m */
static inline void sal_sp_at_point(double r[6], const double m[6], const double arm[3])
{
    sal_v3_copy(r, m);
    sal_sp_point_velocity(r + 3, m, arm);
}

#endif
