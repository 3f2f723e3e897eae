/* quat.h: unit quaternions (w,x,y,z), Hamilton product, active rotation: R(q) u = q u q*. */
#ifndef SAL_BASE_QUAT_H
#define SAL_BASE_QUAT_H

#include "base/status.h"
#include "base/v3.h"

static inline void sal_quat_copy(double r[4], const double a[4])
{
    r[0] = a[0], r[1] = a[1], r[2] = a[2], r[3] = a[3];
}

/* r = a b; r is neither */
static inline void sal_quat_mul(double r[4], const double a[4], const double b[4])
{
    r[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    r[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    r[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    r[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static inline void sal_quat_conj(double r[4], const double a[4])
{
    r[0] = a[0], r[1] = -a[1], r[2] = -a[2], r[3] = -a[3];
}

/* r = the rotation by `angle` about the unit vector `axis`: (cos angle/2, axis sin angle/2) */
static inline void sal_quat_axisangle(double r[4], const double axis[3], double angle)
{
    const double s = sin(0.5 * angle);
    r[0] = cos(0.5 * angle), r[1] = s * axis[0], r[2] = s * axis[1], r[3] = s * axis[2];
}

/* R(q), by rows, for a unit q */
static inline void sal_quat_matrix(double m[9], const double q[4])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    m[0] = w * w + x * x - y * y - z * z, m[1] = 2 * (x * y - w * z), m[2] = 2 * (x * z + w * y);
    m[3] = 2 * (x * y + w * z), m[4] = w * w - x * x + y * y - z * z, m[5] = 2 * (y * z - w * x);
    m[6] = 2 * (x * z - w * y), m[7] = 2 * (y * z + w * x), m[8] = w * w - x * x - y * y + z * z;
}

/* r = R(q) u; r is not u */
static inline void sal_quat_rotate(double r[3], const double q[4], const double u[3])
{
    double m[9];
    sal_quat_matrix(m, q);
    sal_m3_mulv(r, m, u);
}

/* q := q / |q|, or (1,0,0,0) if |q| < SAL_MINVAL. Returns |q|. */
double sal_quat_normalise(double q[4]);

/* r = exp(w/2): the rotation by |w| about w */
void sal_quat_exp(double r[4], const double w[3]);

/* The rotation vector of q, of angle at most pi: w with exp(w) = q or -q. Exact near the
 * identity. */
void sal_quat_log(double w[3], const double q[4]);

/* The quaternion of a rotation matrix (rows): w > 0 where the trace is positive, else the component
 * of the largest diagonal entry. */
void sal_quat_from_matrix(double q[4], const double m[9]);

/* The smallest rotation that takes the z axis to the direction of v (v antiparallel to z: by pi
 * about x). */
void sal_quat_z_to(double q[4], const double v[3]);

/* J of d log(q exp(e)) = J de at e = 0, by rows: the inverse right Jacobian of SO(3) at the
 * rotation vector w,
 *   J = 1 + [w]/2 + c [w]^2,   c = 1/t^2 - (1 + cos t)/(2 t sin t),   t = |w|   (c -> 1/12)
 * and d log(exp(e) q) = J' de (Chirikjian, "Stochastic models, information theory, and Lie groups",
 * vol. 2, 2012). */
void sal_quat_log_deriv(double j[9], const double w[3]);

/* Its inverse:  exp(w + dw) = exp(w) exp(J dw),
 *   J = 1 - (1 - cos t)/t^2 [w] + (t - sin t)/t^3 [w]^2,   t = |w| */
void sal_quat_exp_deriv(double j[9], const double w[3]);

#endif
