#include "base/handed.h"

#include "base/v3.h"

static const double CERTAIN = 0.5; /* of handedness, either way */
static const double FLAT = 0.025;  /* m: as thin, places say nothing of which side is which */

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

/* Of the places that are known in both. */
static moments moments_of(const double *a, const double *b, int n)
{
    moments m = {0};
    for (int i = 0; i < n; i++) {
        if (is_known(a + 3 * i, b + 3 * i)) {
            sal_v3_add(m.mean[0], m.mean[0], a + 3 * i);
            sal_v3_add(m.mean[1], m.mean[1], b + 3 * i);
            m.n++;
        }
    }
    for (int k = 0; k < 2 && m.n > 0; k++) {
        sal_v3_scale(m.mean[k], m.mean[k], 1.0 / m.n);
    }
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
    return m;
}

static double handedness(const moments *m)
{
    const double size = sqrt(determinant(m->aa)) * sqrt(determinant(m->bb));
    return size > 0 ? determinant(m->ab) / size : 0; /* NaN: 0 */
}

double sal_handedness(const double *a, const double *b, int n)
{
    const moments m = moments_of(a, b, n);
    return m.n < 4 ? 0 : handedness(&m);
}

/* How thick n places with these second moments are, rms: of eigenvalues x >= y >> z about
 * sqrt(z / n), z = det / (x y + y z + z x). */
static double thickness(const double m[9], int n)
{
    const double minors =
        m[0] * m[4] - m[1] * m[3] + m[4] * m[8] - m[5] * m[7] + m[0] * m[8] - m[2] * m[6];
    return minors > 0 ? sqrt(fmax(0, determinant(m)) / minors / n) : 0;
}

static bool is_flat(const moments *m)
{
    return !(thickness(m->aa, m->n) > FLAT && thickness(m->bb, m->n) > FLAT);
}

/* Adds two places to each, as far above the mean as the others are from it, and below. */
static void add_up(moments *m)
{
    const double a = m->aa[0] + m->aa[4] + m->aa[8], b = m->bb[0] + m->bb[4] + m->bb[8];
    m->aa[8] += 2 * a / m->n;
    m->bb[8] += 2 * b / m->n;
    m->ab[8] += 2 * sqrt(a * b) / m->n;
    m->n += 2;
}

bool sal_is_mirrored(const double *a, const double *b, int n)
{
    moments m = moments_of(a, b, n);
    if (m.n < 3) {
        return false;
    }
    if (is_flat(&m)) {
        add_up(&m);
    }
    return !is_flat(&m) && handedness(&m) < -CERTAIN;
}
