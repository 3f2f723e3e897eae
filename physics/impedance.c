/* impedance.c: how hard a constraint is, as a function of its violation; and how stiff and damped
 * its reference acceleration is.
 *
 *     x = |violation| / width,      y = x^p / mid^(p-1)                 x <= mid
 *                                   y = 1 - (1-x)^p / (1-mid)^(p-1)     x >  mid
 *     d = d0 + y (dw - d0),         d' = y' sign(violation) (dw - d0) / width
 *
 *     solref = (time constant, damping ratio) > 0:   K = 1/(dw^2 tc^2 dr^2)     B = 2/(dw tc)
 *              (-stiffness, -damping)       <= 0:    K = -r0/dw^2               B = -r1/dw
 *
 * (MuJoCo documentation, "Solver parameters".)
 */
#include "base/house.h"
#include "physics/constraint.h"
#include "physics/stages.h"

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
    const double least = 0.0001, most = PHY_IMPEDANCE_MOST;
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

static double at_least(double x, double least)
{
    return x > least ? x : least;
}

phy_stiffness phy_stiffness_of(const sal_model *m, const double solref[2], const double solimp[5])
{
    double r0 = solref[0], r1 = solref[1];
    const double dw =
        at_least(solimp[1] < PHY_IMPEDANCE_MOST ? solimp[1] : PHY_IMPEDANCE_MOST, 0.0001);
    if ((r0 > 0) != (r1 > 0)) { /* neither form: MuJoCo's default */
        r0 = 0.02;
        r1 = 1;
    }
    if (r0 > 0 && !(m->opt.disable & SAL_DSBL_REFSAFE) && !phy_has_step_metric(m)) {
        r0 = at_least(r0, 2 * m->opt.timestep); /* faster would be unstable in discrete time */
    }
    return (phy_stiffness){r0 > 0 ? 1 / at_least(dw * dw * r0 * r0 * r1 * r1, SAL_MINVAL)
                                  : -r0 / (dw * dw),
                           r1 > 0 ? 2 / at_least(dw * r0, SAL_MINVAL) : -r1 / dw};
}

/* At K d h^2 = 1 a row at rest ends its step with a velocity of zero in the limit of D. */
void phy_limit_stiffness(const sal_model *m, const double solref[2], phy_impedance impedance,
                         phy_stiffness *stiffness)
{
    const bool natural = !(solref[0] <= 0 && solref[1] <= 0);
    const double h = m->opt.timestep, excess = stiffness->k * impedance.d * h * h;
    if (natural && excess > 1 && !(m->opt.disable & SAL_DSBL_REFSAFE)) {
        stiffness->k /= excess;
        stiffness->b /= sqrt(excess);
    }
}

const double *phy_sliding_solref(const sal_model *m, int pair)
{
    const double *friction = m->pair_solreffriction + 2 * pair;
    const bool given = friction[0] != 0 || friction[1] != 0;
    const bool has_form = (friction[0] > 0) == (friction[1] > 0);
    return given && has_form && m->mujoco != SAL_MUJOCO_222 ? friction : m->pair_solref + 2 * pair;
}
