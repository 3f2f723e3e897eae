#include "optim/damping.h"

#include <float.h>
#include <math.h>

void opt_damping_start(opt_damping *damping, double mu, double shrink, double floor)
{
    *damping = (opt_damping){.mu = mu, .nu = 2, .shrink = shrink, .floor = floor};
}

void opt_damping_accept(opt_damping *damping, double gain)
{
    const double t = 2 * fmin(gain, 1) - 1;
    damping->mu *= fmax(damping->shrink, 1 - t * t * t);
    damping->mu = fmax(fmax(damping->mu, damping->floor), DBL_MIN);
    damping->nu = 2;
}

void opt_damping_reject(opt_damping *damping, double curvature)
{
    damping->mu = fmax(damping->mu * damping->nu, DBL_EPSILON * curvature);
    damping->nu *= 2;
}

void opt_damping_resize(opt_damping *damping, double gain, double length)
{
    if (gain > 0.75) {
        damping->radius = fmax(damping->radius, 3 * length);
    } else if (!(gain >= 0.25)) {
        damping->radius = 0.5 * fmin(damping->radius, length);
    }
}
