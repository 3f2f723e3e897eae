/* compile_fluid.c: what an ellipsoid carries along of the medium (H. Lamb, Hydrodynamics, 1932,
 * articles 114 and 115): with
 *
 *     kappa_i = r_1 r_2 r_3  int_0^inf  dl / sqrt((r_i^2 + l)^3 (r_j^2 + l)(r_k^2 + l))
 *     mass_i  = V kappa_i / (2 - kappa_i)
 *     inertia_i = V/5 (r_j^2 - r_k^2)^2 |kappa_k - kappa_j| / |2 (r_j^2 - r_k^2) + (r_j^2 +
 *         r_k^2)(kappa_j - kappa_k)|
 *
 * per unit of density. The integral is taken as MuJoCo takes it, to the last digit: Gauss-Kronrod's
 * 15 points on x in [0, 1], of 8 digits
 * each, l = S x^3/(1 - x)^2,  S = (r_i^3 r_j r_k)^(2/5).
 */
#include "mjcf/compile.h"

#include <string.h>

static double kappa(double ri, double rj, double rk)
{
    static const double node[8] = {0.00427231, 0.02544604, 0.06756779, 0.12923441,
                                   0.20695638, 0.29707742, 0.39610752, 0.5};
    static const double weight[8] = {0.01146766, 0.03154605, 0.05239501, 0.07032663,
                                     0.08450236, 0.09517529, 0.10221647, 0.10474107};
    const double scale = pow(ri * ri * ri * rj * rk, 0.4);
    double sum = 0;
    for (int i = 0; i < 15; i++) {
        const double x = i < 8 ? node[i] : 1 - node[14 - i], w = weight[i < 8 ? i : 14 - i];
        const double l = scale * x * x * x / ((1 - x) * (1 - x));
        const double dl = scale * x * x * (3 - x) / ((1 - x) * (1 - x) * (1 - x));
        const double a = ri * ri + l, b = rj * rj + l, c = rk * rk + l;
        sum += w * dl / (a * sqrt(a * b * c));
    }
    return ri * rj * rk * sum;
}

void spec_fluid(const spec_geom *g, double fluid[12])
{
    static const double pi = 3.14159265358979323846;
    memset(fluid, 0, 12 * sizeof *fluid);
    if (!g->fluid) {
        return;
    }
    double r[3] = {g->size[0], g->size[1], g->size[2]}, k[3];
    if (g->type == SAL_GEOM_SPHERE) {
        r[1] = r[2] = g->size[0];
    } else if (g->type == SAL_GEOM_CAPSULE || g->type == SAL_GEOM_CYLINDER) {
        r[1] = g->size[0];
        r[2] = g->size[1] + (g->type == SAL_GEOM_CAPSULE ? g->size[0] : 0);
    }
    const double volume = 4 * pi / 3 * r[0] * r[1] * r[2];
    for (int i = 0; i < 3; i++) {
        k[i] = kappa(r[i], r[(i + 1) % 3], r[(i + 2) % 3]);
    }
    fluid[0] = 1;
    memcpy(fluid + 1, g->fluidcoef, sizeof g->fluidcoef);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        const double rj = r[j] * r[j], rl = r[l] * r[l];
        const double bottom = fabs(2 * (rj - rl) + (rj + rl) * (k[j] - k[l]));
        fluid[6 + i] = volume * k[i] / fmax(SAL_MINVAL, 2 - k[i]);
        fluid[9 + i] =
            volume * (rj - rl) * (rj - rl) * fabs(k[l] - k[j]) / fmax(SAL_MINVAL, bottom) / 5;
    }
}
