/* sensor_ray.c: rays that measure distances: along the z axis of a site, or one through the middle
 * of each pixel of a camera, row by row from the upper left one. In the axes of a camera with
 * resolution r, through the pixel of row i and column j:
 *
 *     perspective   along ((j + 1/2 - c_0)/f_0, -(i + 1/2 - c_1)/f_1, -1);  c = r/2, with
 *                   sensorsize principal_k/sensorsize_k r_k: as in MuJoCo, 0 is a corner of the
 *                   image
 *     orthographic  along -z from fovy ((j + 1/2)/r_0 - 1/2, 1/2 - (i + 1/2)/r_1, 0)
 */
#include "base/house.h"
#include "physics/collision/ray.h"
#include "physics/sensors/sensor.h"

typedef struct ray {
    double from[3], dir[3];
    /* what depth is measured along */
    double forward[3];
    int body;
} ray;

/* What the bits ask of a ray; where it meets nothing, dist and depth are -1, dir, point and normal
 * 0. Returns the place behind. */
static double *say(const sal_model *m, const sal_data *d, int bits, const ray *r, double *out)
{
    double point[3] = {0, 0, 0}, normal[3] = {0, 0, 0}, dir[3] = {0, 0, 0};
    int geom;
    const double x = sal_ray(m, d, r->from, r->dir, r->body, &geom);
    if (x >= 0) {
        sal_v3_copy(dir, r->dir);
        sal_v3_addscaled(point, r->from, x, r->dir);
    }
    if (x >= 0 && (bits & 1 << SAL_RAYDATA_NORMAL)) {
        phy_ray_normal(m, d, geom, r->from, r->dir, x, normal);
    }
    const double depth = x < 0 ? -1 : x * sal_v3_dot(r->dir, r->forward);
    const double *const said[SAL_NRAYDATA] = {
        [SAL_RAYDATA_DIST] = &x,     [SAL_RAYDATA_DIR] = dir,       [SAL_RAYDATA_ORIGIN] = r->from,
        [SAL_RAYDATA_POINT] = point, [SAL_RAYDATA_NORMAL] = normal, [SAL_RAYDATA_DEPTH] = &depth};
    static const int numbers[SAL_NRAYDATA] = {
#define RAY_NUMBERS(code, word, numbers) numbers,
        SAL_RAY_DATA_LIST(RAY_NUMBERS)
#undef RAY_NUMBERS
    };
    for (int k = 0; k < SAL_NRAYDATA; k++) {
        for (int i = 0; i < numbers[k] && (bits & 1 << k); i++) {
            *out++ = said[k][i];
        }
    }
    return out;
}

static void of_site(const sal_model *m, const sal_data *d, int site, int bits, double *out)
{
    ray r = {.body = m->site_bodyid[site]};
    sal_v3_copy(r.from, d->site_xpos + 3 * site);
    sal_m3_column(r.dir, d->site_xmat + 9 * site, 2);
    sal_v3_copy(r.forward, r.dir);
    say(m, d, bits, &r, out);
}

/* The pixel that takes the light along -z: in floats, as in MuJoCo. */
static void middle(const sal_model *m, int camera, double c[2])
{
    const float *size = m->cam_sensorsize + 2 * camera, *lens = m->cam_intrinsic + 4 * camera;
    const int *resolution = m->cam_resolution + 2 * camera;
    for (int k = 0; k < 2; k++) {
        const float ratio = size[k] > 0 ? lens[2 + k] / size[k] : 0;
        c[k] = size[0] > 0 && size[1] > 0 ? (double)(ratio * (float)resolution[k])
                                          : 0.5 * resolution[k];
    }
}

/* As many rays as pixels */
static void of_camera(const sal_model *m, const sal_data *d, int camera, int bits, double *out)
{
    const int *resolution = m->cam_resolution + 2 * camera;
    const bool parallel = m->cam_projection[camera] == 1;
    const double width = m->cam_fovy[camera];
    phy_pose pose;
    double f[2], c[2];
    ray r;
    phy_object_pose(m, d, SAL_OBJ_CAMERA, camera, &pose);
    phy_camera_focal(m, camera, f);
    middle(m, camera, c);
    r.body = pose.body;
    sal_m3_column(r.forward, pose.mat, 2);
    sal_v3_scale(r.forward, r.forward, -1);
    for (int i = 0; i < resolution[1]; i++) {
        for (int j = 0; j < resolution[0]; j++) {
            const double at[3] = {((j + 0.5) / resolution[0] - 0.5) * width,
                                  (0.5 - (i + 0.5) / resolution[1]) * width, 0};
            const double to[3] = {(j + 0.5 - c[0]) / f[0], -(i + 0.5 - c[1]) / f[1], -1};
            sal_v3_copy(r.from, pose.pos);
            sal_v3_copy(r.dir, r.forward);
            if (parallel) {
                double shift[3];
                sal_m3_mulv(shift, pose.mat, at);
                sal_v3_add(r.from, r.from, shift);
            } else {
                sal_m3_mulv(r.dir, pose.mat, to);
                sal_v3_normalise(r.dir);
            }
            out = say(m, d, bits, &r, out);
        }
    }
}

void phy_sensor_rays(const sal_model *m, const sal_data *d, int i, double *out)
{
    const int bits = m->sensor_intprm[3 * i], id = m->sensor_objid[i];
    if (m->sensor_objtype[i] == SAL_OBJ_CAMERA) {
        of_camera(m, d, id, bits, out);
    } else {
        of_site(m, d, id, bits, out);
    }
}
