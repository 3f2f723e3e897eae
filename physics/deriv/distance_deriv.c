/* distance_deriv.c: how the distance of two geoms varies. The points a, b where they are nearest
 * are optimal, so that only the bodies that carry them count, not how they move over the surfaces:
 *
 *     d(dist) = n.(db - da),       n = (b - a) / dist
 */
#include "base/house.h"
#include "physics/sensors/sensor.h"

#include <string.h>

/* D += sign * n'J of the point on the body */
static void add_point(const sal_model *m, const sal_data *d, double *D, double sign,
                      const double n[3], const double point[3], int body)
{
    const double none[3] = {0};
    double force[3];
    sal_v3_scale(force, n, sign);
    sal_apply_force(m, d, D, force, none, point, body);
}

/* Shorter segments have no direction that rounding leaves. */
static const double shortest = 1e-8;

static bool segment_deriv(const sal_model *m, const sal_data *d, const int geoms[2], double dist,
                          const double fromto[6], double *Dq)
{
    double n[3];
    sal_v3_sub(n, fromto + 3, fromto);
    const double length = sal_v3_norm(n);
    if (length < shortest) {
        return false;
    }
    sal_v3_scale(n, n, dist < 0 ? -1 / length : 1 / length);
    add_point(m, d, Dq, -1, n, fromto, m->geom_bodyid[geoms[0]]);
    add_point(m, d, Dq, 1, n, fromto + 3, m->geom_bodyid[geoms[1]]);
    return true;
}

bool sal_geom_distance_deriv(const sal_model *m, const sal_data *d, int geom1, int geom2,
                             double distmax, double *Dq)
{
    const int geoms[2] = {geom1, geom2};
    double fromto[6];
    const double dist = sal_geom_distance(m, d, geom1, geom2, distmax, fromto);
    memset(Dq, 0, (size_t)m->nv * sizeof *Dq);
    return dist >= distmax || segment_deriv(m, d, geoms, dist, fromto, Dq);
}

bool phy_sensor_distance_deriv(const sal_model *m, const sal_data *d, int i, double *Dq)
{
    double fromto[6];
    int geoms[2];
    const double dist = phy_sensor_nearest(m, d, i, fromto, geoms);
    return geoms[0] < 0 || segment_deriv(m, d, geoms, dist, fromto, Dq);
}
