#include "base/sincos.h"

#include "base/clones.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* pi/2 in three parts; k times one of the first two is exact for |k| < 2^20 */
static const double HALF_PI[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
static const double TWO_OVER_PI = 0x1.45f306dc9c883p-1;
static const double ROUND = 0x1.8p52; /* x + ROUND has the nearest integer in its last bits */
static const double FAR = 1e6;

static SAL_INLINE uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static SAL_INLINE double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Both series are summed by pairs, which a processor can do side by side: (a + b z) + (c + d z) z^2
 *     + .. */

/* sin r = r - r^3/3! + r^5/5! - ..  to r^17,   |r| <= pi/4: the next term is below 1e-19 */
static SAL_INLINE double sin_series(double r)
{
    const double z = r * r, z2 = z * z;
    const double s3 = z * (1 / 120.0) - 1 / 6.0, s7 = z * (1 / 362880.0) - 1 / 5040.0;
    const double s11 = z * (1 / 6227020800.0) - 1 / 39916800.0;
    const double s15 = z * (1 / 355687428096000.0) - 1 / 1307674368000.0;
    return r + r * z * ((s3 + s7 * z2) + (s11 + s15 * z2) * (z2 * z2));
}

/* cos r = 1 - r^2/2! + r^4/4! - ..  to r^16 */
static SAL_INLINE double cos_series(double r)
{
    const double z = r * r, z2 = z * z;
    const double c4 = 1 / 24.0 - z * (1 / 720.0), c8 = 1 / 40320.0 - z * (1 / 3628800.0);
    const double c12 = 1 / 479001600.0 - z * (1 / 87178291200.0), c16 = 1 / 20922789888000.0;
    return 1 - 0.5 * z + z2 * ((c4 + c8 * z2) + (c12 + c16 * z2) * (z2 * z2));
}

/* Not under the public name: the linker would let every clone be seen from outside. */
SAL_CLONES("avx2")
static void near_ones(double *restrict s, double *restrict c, const double *restrict x, int n)
{
    for (int i = 0; i < n; i++) { /* without branches, for vector units */
        const double shifted = x[i] * TWO_OVER_PI + ROUND, k = shifted - ROUND;
        const double r = ((x[i] - k * HALF_PI[0]) - k * HALF_PI[1]) - k * HALF_PI[2];
        /* x = r + k pi/2: odd k swap sine and cosine; bit 1 of k is the sign of the sine, bit 1 of
         * k + 1 of the cosine */
        const uint64_t quarter = bits_of(shifted), swap = 0 - (quarter & 1);
        const uint64_t sine = bits_of(sin_series(r)), cosine = bits_of(cos_series(r));
        const uint64_t differ = (sine ^ cosine) & swap;
        s[i] = of_bits((sine ^ differ) ^ (quarter & 2) << 62);
        c[i] = of_bits((cosine ^ differ) ^ ((quarter + 1) & 2) << 62);
    }
}

void sal_sincos(double *restrict s, double *restrict c, const double *restrict x, int n)
{
    near_ones(s, c, x, n);
    for (int i = 0; i < n; i++) {
        if (!(fabs(x[i]) <= FAR)) {
            s[i] = sin(x[i]), c[i] = cos(x[i]);
        }
    }
}
