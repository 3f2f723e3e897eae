/* sensor_distance.c: the nearest points of two geoms, or of the geoms of two bodies. What is
 * farther apart than the cutoff is not measured: the distance is then the cutoff, the rest zero.
 *
 *     fromto  = (a, b), a on the first, b on the second
 *     normal = (b - a)/|b - a|, which turns round where they overlap
 */
#include "base/house.h"
#include "physics/sensors/sensor.h"

#include <string.h>

typedef struct group {
    int first, n;
} group;

static group geoms_of(const sal_model *m, int type, int id)
{
    return type == SAL_OBJ_GEOM ? (group){id, 1}
                                : (group){m->body_geomadr[id], m->body_geomnum[id]};
}

double phy_sensor_nearest(const sal_model *m, const sal_data *d, int i, double fromto[6],
                          int pair[2])
{
    const group a = geoms_of(m, m->sensor_objtype[i], m->sensor_objid[i]);
    const group b = geoms_of(m, m->sensor_reftype[i], m->sensor_refid[i]);
    const double limit = m->sensor_cutoff[i];
    double least = limit;
    memset(fromto, 0, 6 * sizeof *fromto);
    pair[0] = pair[1] = -1;
    for (int g = a.first; g < a.first + a.n; g++) {
        for (int h = b.first; h < b.first + b.n; h++) {
            double segment[6];
            const double dist = sal_geom_distance(m, d, g, h, limit, segment);
            if (dist < least) {
                least = dist;
                pair[0] = g, pair[1] = h;
                memcpy(fromto, segment, sizeof segment);
            }
        }
    }
    return least;
}

void phy_sensor_distance(const sal_model *m, const sal_data *d, int i, double *out)
{
    double fromto[6];
    int pair[2];
    const double dist = phy_sensor_nearest(m, d, i, fromto, pair);
    if (m->sensor_type[i] == SAL_SENS_GEOMDIST) {
        out[0] = dist;
    } else if (m->sensor_type[i] == SAL_SENS_GEOMFROMTO) {
        memcpy(out, fromto, sizeof fromto);
    } else {
        sal_v3_sub(out, fromto + 3, fromto);
        const double length = sal_v3_norm(out);
        sal_v3_scale(out, out, length < SAL_MINVAL ? 0 : 1 / length);
    }
}
