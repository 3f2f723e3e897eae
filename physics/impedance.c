/* impedance.c: how hard a constraint is, as a function of its violation.
 *
 *     x = |violation| / width,      y = x^p / mid^(p-1)                 x <= mid
 *                                   y = 1 - (1-x)^p / (1-mid)^(p-1)     x >  mid
 *     d = d0 + y (dw - d0),         d' = y' sign(violation) (dw - d0) / width
 *
 * (MuJoCo documentation, "Solver parameters".)
 */
#include "base/house.h"
#include "physics/constraint.h"

enum { D0, DW, WIDTH, MID, POWER };

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double power(double x, double p)
{
    return p == 1 ? x : p == 2 ? x * x : pow(x, p);
}

phy_impedance phy_impedance_at(const double solimp[5], double violation)
{
    const double least = 0.0001, most = 0.9999;
    const double d0 = clamp(solimp[D0], least, most), dw = clamp(solimp[DW], least, most);
    const double width = solimp[WIDTH], mid = clamp(solimp[MID], least, most);
    const double p = solimp[POWER] < 1 ? 1 : solimp[POWER];
    double y, slope;
    if (d0 == dw || width <= SAL_MINVAL) {
        return (phy_impedance){0.5 * (d0 + dw), 0};
    }
    const double x = fabs(violation) / width;
    if (x >= 1) {
        return (phy_impedance){dw, 0};
    }
    if (x <= 0) {
        return (phy_impedance){d0, 0};
    }
    if (p == 1) {
        y = x;
        slope = 1;
    } else if (x <= mid) {
        const double scale = power(mid, p - 1);
        y = power(x, p) / scale;
        slope = p * power(x, p - 1) / scale;
    } else {
        const double scale = power(1 - mid, p - 1);
        y = 1 - power(1 - x, p) / scale;
        slope = p * power(1 - x, p - 1) / scale;
    }
    slope *= (violation > 0 ? 1 : -1) * (dw - d0) / width;
    return (phy_impedance){d0 + y * (dw - d0), slope};
}
