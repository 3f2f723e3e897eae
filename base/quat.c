#include "base/quat.h"

double sal_quat_normalise(double q[4])
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (length < SAL_MINVAL) {
        q[0] = 1, q[1] = 0, q[2] = 0, q[3] = 0;
    } else {
        for (int i = 0; i < 4; i++) {
            q[i] /= length;
        }
    }
    return length;
}

void sal_quat_exp(double r[4], const double w[3])
{
    const double angle = sal_v3_norm(w);
    if (angle < SAL_MINVAL) {
        r[0] = 1, r[1] = 0.5 * w[0], r[2] = 0.5 * w[1], r[3] = 0.5 * w[2];
        return;
    }
    double axis[3];
    sal_v3_scale(axis, w, 1 / angle);
    sal_quat_axisangle(r, axis, angle);
}

void sal_quat_log(double w[3], const double q[4])
{
    const double *v = q + 1;
    const double s = sal_v3_norm(v);
    if (s < SAL_MINVAL) {
        sal_v3_scale(w, v, q[0] < 0 ? -2 : 2);
        return;
    }
    double angle = 2 * atan2(s, q[0]);
    if (angle > M_PI) {
        angle -= 2 * M_PI;
    }
    sal_v3_scale(w, v, angle / s);
}

void sal_quat_from_matrix(double q[4], const double m[9])
{
    const double diag[4] = {m[0] + m[4] + m[8], m[0] - m[4] - m[8], -m[0] + m[4] - m[8],
                            -m[0] - m[4] + m[8]};
    const double off[6] = {m[7] - m[5], m[2] - m[6], m[3] - m[1],
                           m[1] + m[3], m[2] + m[6], m[5] + m[7]};
    /* 4 q q' as a symmetric matrix; a row with a large diagonal entry, normalised, is q. (The
     * choice decides the sign; it is MuJoCo's.) */
    const double outer[4][4] = {{1 + diag[0], off[0], off[1], off[2]},
                                {off[0], 1 + diag[1], off[3], off[4]},
                                {off[1], off[3], 1 + diag[2], off[5]},
                                {off[2], off[4], off[5], 1 + diag[3]}};
    const int best = diag[0] > 0 ? 0 : m[0] > m[4] && m[0] > m[8] ? 1 : m[4] > m[8] ? 2 : 3;
    sal_quat_copy(q, outer[best]);
    sal_quat_normalise(q);
}

void sal_quat_z_to(double q[4], const double v[3])
{
    /* z x v = (-v_y, v_x, 0), angle = atan2(|z x v|, v_z) */
    double axis[3] = {-v[1], v[0], 0};
    const double s = sal_v3_normalise(axis);
    sal_quat_axisangle(q, axis, s < SAL_MINVAL ? (v[2] < 0 ? M_PI : 0) : atan2(s, v[2]));
    if (s < SAL_MINVAL && v[2] < 0) {
        q[0] = 0; /* exactly half a turn */
    }
}

void sal_quat_log_deriv(double j[9], const double w[3])
{
    const double t = sal_v3_norm(w);
    /* below 1e-3 the series 1/12 + t^2/720 is exact to the last digit; the closed form loses digits
     * there */
    const double c =
        t < 1e-3 ? 1.0 / 12 + t * t / 720 : 1 / (t * t) - (1 + cos(t)) / (2 * t * sin(t));
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            /* [w]^2 = w w' - t^2 1 */
            j[3 * i + k] = c * (w[i] * w[k] - (i == k ? t * t : 0)) + (i == k ? 1 : 0);
        }
    }
    j[1] -= 0.5 * w[2], j[2] += 0.5 * w[1];
    j[3] += 0.5 * w[2], j[5] -= 0.5 * w[0];
    j[6] -= 0.5 * w[1], j[7] += 0.5 * w[0];
}

void sal_quat_exp_deriv(double j[9], const double w[3])
{
    const double t = sal_v3_norm(w), square = t * t, half = t > 0 ? sin(0.5 * t) / t : 0.5;
    /* below 1e-2 the closed form loses digits, and the series are exact to the last one */
    const double a = t < 1e-2 ? 0.5 - square / 24 * (1 - square / 30) : 2 * half * half;
    const double b =
        t < 1e-2 ? 1.0 / 6 - square / 120 * (1 - square / 42) : (t - sin(t)) / (square * t);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            j[3 * i + k] = b * (w[i] * w[k] - (i == k ? square : 0)) + (i == k ? 1 : 0);
        }
    }
    j[1] += a * w[2], j[2] -= a * w[1];
    j[3] -= a * w[2], j[5] += a * w[0];
    j[6] += a * w[1], j[7] -= a * w[0];
}
