/* sensor_camera.c: where a camera sees a point, in pixels of its image.
 *
 *     p = R'(x - x_c) in its axes, of which it sees along -z;  r its resolution
 *     u = r_0/2 - f_0 p_0/p_2,  v = r_1/2 + f_1 p_1/p_2
 *     f_k = focal_k/sensorsize_k r_k,  else  r_1 / (2 tan fovy/2)
 */
#include "base/house.h"
#include "physics/sensors/sensor.h"

/* In floats, as in MuJoCo. */
void phy_camera_focal(const sal_model *m, int camera, double f[2])
{
    static const double half_degree = 3.14159265358979323846 / 360;
    const float *size = m->cam_sensorsize + 2 * camera, *focal = m->cam_intrinsic + 4 * camera;
    const int *resolution = m->cam_resolution + 2 * camera;
    if (size[0] > 0 && size[1] > 0) {
        for (int k = 0; k < 2; k++) {
            const float ratio = focal[k] / size[k];
            f[k] = (double)(ratio * (float)resolution[k]);
        }
        return;
    }
    f[0] = f[1] = 0.5 / tan(m->cam_fovy[camera] * half_degree) * resolution[1];
}

double phy_camera_depth(double z)
{
    return fabs(z) >= SAL_MINVAL ? z : z < 0 ? -SAL_MINVAL : SAL_MINVAL;
}

void phy_sensor_projection(const sal_model *m, const sal_data *d, int i, double *out)
{
    const int camera = m->sensor_refid[i];
    const int *resolution = m->cam_resolution + 2 * camera;
    phy_pose pose;
    double away[3], p[3], f[2];
    phy_object_pose(m, d, SAL_OBJ_CAMERA, camera, &pose);
    sal_v3_sub(away, d->site_xpos + 3 * m->sensor_objid[i], pose.pos);
    sal_m3_multv(p, pose.mat, away);
    phy_camera_focal(m, camera, f);
    const double depth = phy_camera_depth(p[2]);
    out[0] = 0.5 * resolution[0] - f[0] * p[0] / depth;
    out[1] = 0.5 * resolution[1] + f[1] * p[1] / depth;
}
