/* fluid.c: the medium around the bodies: its density rho, viscosity beta and wind.
 *
 * A body of which no geom says fluidshape="ellipsoid" meets it as a box of its inertia I and mass
 * m, about its centre of mass, in inertial axes, with edges e and mean edge D, at velocities (w;
 * u):
 *
 *     e_k = sqrt(6 (I_i + I_j - I_k) / m)
 *     T_k = - pi beta D^3 w_k    - rho e_k (e_i^4 + e_j^4) |w_k| w_k / 64
 *     F_k = - 3 pi beta D u_k    - rho e_i e_j |u_k| u_k / 2
 *
 * (MuJoCo documentation, "Computation: fluid forces". The viscous part is Stokes' for a sphere of
 * diameter D.)
 */
#include "physics/fluid.h"

#include "base/house.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

/* Velocity of a frame fixed to a body, in its axes, against the wind. */
static void relative_velocity(const sal_model *m, const sal_data *d, phy_fluid *f)
{
    double linear[3], angular[3];
    sal_point_velocity(m, d, linear, angular, f->pos, f->body);
    sal_v3_sub(linear, linear, m->opt.wind);
    sal_m3_multv(f->velocity, f->mat, angular);
    sal_m3_multv(f->velocity + 3, f->mat, linear);
}

static void box(const sal_model *m, phy_fluid *f, bool slope)
{
    const double *I = m->body_inertia + 3 * f->body, mass = m->body_mass[f->body];
    const double rho = fmax(0, m->opt.density), beta = fmax(0, m->opt.viscosity);
    double e[3];
    for (int k = 0; k < 3; k++) {
        const double rest = I[(k + 1) % 3] + I[(k + 2) % 3] - I[k];
        e[k] = sqrt(fmax(SAL_MINVAL, rest) / mass * 6);
    }
    const double D = (e[0] + e[1] + e[2]) / 3;
    memset(f->slope, 0, slope ? sizeof f->slope : 0);
    for (int k = 0; k < 3; k++) {
        const double ei = e[(k + 1) % 3], ej = e[(k + 2) % 3];
        const double w = f->velocity[k], u = f->velocity[k + 3];
        const double turn = rho * e[k] * (ei * ei * ei * ei + ej * ej * ej * ej) / 64;
        const double drag = rho * ei * ej / 2, stokes = 3 * pi * beta * D;
        f->force[k] = -(pi * beta * D * D * D + turn * fabs(w)) * w;
        f->force[k + 3] = -(stokes + drag * fabs(u)) * u;
        if (slope) {
            f->slope[7 * k] = -pi * beta * D * D * D - 2 * turn * fabs(w);
            f->slope[7 * (k + 3)] = -stokes - 2 * drag * fabs(u);
        }
    }
}

/* r_i of the ellipsoid that stands for a geom */
static void semiaxes(const sal_model *m, int g, double r[3])
{
    const double *size = m->geom_size + 3 * g;
    const int type = m->geom_type[g];
    sal_v3_copy(r, size);
    if (type == SAL_GEOM_SPHERE) {
        r[1] = r[2] = size[0];
    } else if (type == SAL_GEOM_CAPSULE || type == SAL_GEOM_CYLINDER) {
        r[1] = size[0];
        r[2] = size[1] + (type == SAL_GEOM_CAPSULE ? size[0] : 0);
    }
}

static bool has_ellipsoid(const sal_model *m, int b)
{
    bool found = false;
    for (int g = m->body_geomadr[b]; g < m->body_geomadr[b] + m->body_geomnum[b]; g++) {
        found = found || m->geom_fluid[12 * g] > 0;
    }
    return found;
}

bool phy_fluid_next(const sal_model *m, const sal_data *d, int b, int *next, bool slope,
                    phy_fluid *f)
{
    f->body = b;
    if (m->body_mass[b] < SAL_MINVAL || m->body_chainnum[b] == 0) {
        return false;
    }
    if (*next == 0 && !has_ellipsoid(m, b)) {
        f->pos = d->xipos + 3 * b, f->mat = d->ximat + 9 * b;
        relative_velocity(m, d, f);
        box(m, f, slope);
        *next = m->body_geomnum[b] + 1; /* it is the only one */
        return true;
    }
    for (; *next < m->body_geomnum[b]; ++*next) {
        const int g = m->body_geomadr[b] + *next;
        if (m->geom_fluid[12 * g] > 0) {
            double r[3];
            f->pos = d->geom_xpos + 3 * g, f->mat = d->geom_xmat + 9 * g;
            relative_velocity(m, d, f);
            semiaxes(m, g, r);
            phy_fluid_ellipsoid(m, r, m->geom_fluid + 12 * g, f->velocity, f->force,
                                slope ? f->slope : NULL);
            ++*next;
            return true;
        }
    }
    return false;
}

void phy_fluid_force(const sal_model *m, sal_data *d)
{
    phy_fluid f = {0};
    for (int b = 1; b < m->nbody; b++) {
        for (int next = 0; phy_fluid_next(m, d, b, &next, false, &f);) {
            double torque[3], force[3];
            sal_m3_mulv(torque, f.mat, f.force);
            sal_m3_mulv(force, f.mat, f.force + 3);
            sal_apply_force(m, d, d->qfrc_passive, force, torque, f.pos, b);
        }
    }
}
