#include "base/handed.h"

#include "base/v3.h"

static const double CERTAIN = 0.5; /* of handedness, either way */

typedef struct moments {
    int n;
    double mean[2][3];
    double aa[9], ab[9], bb[9];
} moments;

static bool is_known(const double *a, const double *b)
{
    return !isnan(a[0] + a[1] + a[2] + b[0] + b[1] + b[2]);
}

static void add_product(double sum[9], const double x[3], const double y[3])
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            sum[3 * i + k] += x[i] * y[k];
        }
    }
}

static double determinant(const double m[9])
{
    double cross[3];
    sal_v3_cross(cross, m + 3, m + 6);
    return sal_v3_dot(m, cross);
}

double sal_handedness(const double *a, const double *b, int n)
{
    moments m = {0};
    for (int i = 0; i < n; i++) {
        if (is_known(a + 3 * i, b + 3 * i)) {
            sal_v3_add(m.mean[0], m.mean[0], a + 3 * i);
            sal_v3_add(m.mean[1], m.mean[1], b + 3 * i);
            m.n++;
        }
    }
    if (m.n < 4) {
        return 0;
    }
    sal_v3_scale(m.mean[0], m.mean[0], 1.0 / m.n);
    sal_v3_scale(m.mean[1], m.mean[1], 1.0 / m.n);
    for (int i = 0; i < n; i++) {
        if (is_known(a + 3 * i, b + 3 * i)) {
            double x[3], y[3];
            sal_v3_sub(x, a + 3 * i, m.mean[0]);
            sal_v3_sub(y, b + 3 * i, m.mean[1]);
            add_product(m.aa, x, x);
            add_product(m.ab, x, y);
            add_product(m.bb, y, y);
        }
    }
    const double size = sqrt(determinant(m.aa)) * sqrt(determinant(m.bb));
    return size > 0 ? determinant(m.ab) / size : 0; /* NaN: 0 */
}

bool sal_is_mirrored(const double *a, const double *b, int n)
{
    return sal_handedness(a, b, n) < -CERTAIN;
}
