/* sensor_tactile.c: how deep the taxels of a geom are in what touches its body, and how fast they
 * slide in it: of all taxels the depth, then the speed along the first of their two directions,
 * then along the second.
 *
 *     depth   max of -dist_g(x)        speed   sum of |t.(v(x) - v_g(x))|
 *
 * over the geoms g in contact with the body in which the taxel x is. dist_g is the distance that
 * MuJoCo has for its signed distance fields: of a sphere, a capsule, a plane and a cylinder the
 * true one. Meshes and height fields have none, and are not felt. 3.12 takes v_g where the geom
 * is, and t for a direction of the world.
 *
 *     ellipsoid    k (k - 1) / |p_i / s_i^2|,         k = |p_i / s_i|
 *     within a box -|u| min (s_i - |p_i|)^2 / s_i,    u_i = s_i / (s_i - |p_i|)
 */
#include "base/house.h"
#include "physics/sensors/sensor.h"

#include <string.h>

static double ellipsoid_distance(const double s[3], const double p[3])
{
    double once[3], twice[3];
    for (int k = 0; k < 3; k++) {
        once[k] = p[k] / s[k];
        twice[k] = once[k] / s[k];
    }
    const double size = sal_v3_norm(once);
    return size > 0 ? size * (size - 1) / sal_v3_norm(twice) : 0;
}

/* 0 outside */
static double box_distance(const double s[3], const double p[3])
{
    double u[3], least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const double gap = s[k] - fabs(p[k]);
        if (!(gap > 0)) {
            return 0;
        }
        u[k] = s[k] / gap;
        least = fmin(least, gap / u[k]);
    }
    return -sal_v3_norm(u) * least;
}

/* How deep the point, in the geom's frame, is in it; not positive: it is not. */
static double depth_of(const sal_model *m, int geom, const double p[3])
{
    const double *s = m->geom_size + 3 * geom;
    const double up = fabs(p[2]);
    switch (m->geom_type[geom]) {
    case SAL_GEOM_PLANE:
        return -p[2];
    case SAL_GEOM_SPHERE:
        return s[0] - sal_v3_norm(p);
    case SAL_GEOM_CAPSULE:
        return s[0] - hypot(hypot(p[0], p[1]), fmax(up - s[1], 0));
    case SAL_GEOM_ELLIPSOID:
        return -ellipsoid_distance(s, p);
    case SAL_GEOM_CYLINDER:
        return fmin(s[0] - hypot(p[0], p[1]), s[1] - up);
    case SAL_GEOM_BOX:
        return -box_distance(s, p);
    default:
        return 0;
    }
}

/* Adds what the taxels of sensor i feel of the geom. */
static void feel(const sal_model *m, const sal_data *d, int i, int geom, double *out)
{
    const int own = m->sensor_refid[i], n = m->sensor_intprm[3 * i + 1];
    const int body = m->geom_bodyid[geom], own_body = m->geom_bodyid[own];
    const bool old = m->mujoco == SAL_MUJOCO_312;
    for (int k = 0; k < n; k++) {
        const int taxel = m->sensor_intprm[3 * i] + k;
        double x[3], away[3], p[3], v[3], u[3], w[3], along[3];
        sal_m3_mulv(x, d->geom_xmat + 9 * own, m->taxel_pos + 3 * taxel);
        sal_v3_add(x, x, d->geom_xpos + 3 * own);
        sal_v3_sub(away, x, d->geom_xpos + 3 * geom);
        sal_m3_multv(p, d->geom_xmat + 9 * geom, away);
        const double depth = depth_of(m, geom, p);
        if (!(depth > 0)) {
            continue;
        }
        sal_point_velocity(m, d, v, w, x, own_body);
        sal_point_velocity(m, d, u, w, old ? d->geom_xpos + 3 * geom : x, body);
        sal_v3_sub(v, v, u);
        out[k] = fmax(out[k], depth);
        for (int c = 0; c < 2; c++) {
            const double *axis = m->taxel_axis + 6 * taxel + 3 * c;
            if (!old) {
                sal_m3_mulv(along, d->geom_xmat + 9 * own, axis);
                axis = along;
            }
            out[(c + 1) * n + k] += fabs(sal_v3_dot(axis, v));
        }
    }
}

/* What touches sensor i's body at end k of the list's contacts, two each; -1: nothing. (3.14: the
 * sensor's own geom is not felt.) */
static int touches(const sal_model *m, const sal_data *d, int i, int k)
{
    const sal_contact *c = d->contact + k / 2;
    const int geom = k % 2 == 0 ? c->geom1 : c->geom2, other = k % 2 == 0 ? c->geom2 : c->geom1;
    const int own = m->sensor_refid[i];
    const bool mine = m->body_weldid[m->geom_bodyid[geom]] == m->body_weldid[m->geom_bodyid[own]];
    return mine && (other != own || m->mujoco == SAL_MUJOCO_312) ? other : -1;
}

void phy_sensor_tactile(const sal_model *m, const sal_data *d, int i, double *out)
{
    memset(out, 0, (size_t)m->sensor_dim[i] * sizeof *out);
    for (int k = 0; k < 2 * d->ncon; k++) {
        const int geom = touches(m, d, i, k);
        bool met = geom < 0;
        for (int before = 0; before < k && !met; before++) {
            met = touches(m, d, i, before) == geom;
        }
        if (!met) {
            feel(m, d, i, geom, out);
        }
    }
}
