/* camera.c: cameras, from what the file says to the model and back. What they see matters to
 * sensors alone; what only shows in pictures is not kept.
 *
 *     focal   as said, or focalpixel/(resolution/sensorsize), which goes before it; principal
 *             likewise
 *     fovy    with sensorsize:  2 atan(sensorsize_1/(2 focal_1)), the angle as a float
 */
#include "mjcf/camera/camera.h"

#include "mjcf/reader.h"

#include <string.h>

/* Two numbers, kept as floats. */
static void read_pair(spec_work *w, const sal_xml_attr *attr, int flags, float pair[2])
{
    double value[2] = {0, 0};
    if (attr != NULL && mjcf_read_numbers(w->diag, attr, value, 2, 2, flags) == 2) {
        pair[0] = (float)value[0];
        pair[1] = (float)value[1];
    }
}

/* lens[k], or as many pixels */
static void compile_lens(spec_work *w, spec_camera *c)
{
    const int *resolution = c->resolution;
    float pixels[4] = {0, 0, 0, 0};
    bool given = false;
    read_pair(w, c->sensorsize, MJCF_NONNEG, c->size);
    read_pair(w, c->focal, 0, c->lens);
    read_pair(w, c->principal, 0, c->lens + 2);
    read_pair(w, c->focalpixel, 0, pixels);
    read_pair(w, c->principalpixel, 0, pixels + 2);
    for (int k = 0; k < 4; k++) {
        given = given || c->lens[k] != 0 || pixels[k] != 0;
    }
    if (!(c->size[0] > 0 && c->size[1] > 0)) {
        if (given) {
            spec_error(w, &c->head, NULL, "write sensorsize=\"WIDTH HEIGHT\", in m",
                       "a focal length or principal point needs the size of the camera's sensor");
        }
        c->size[0] = c->size[1] = 0; /* half of a size is none: else it could not be written */
        return;
    }
    if (resolution[0] < 1 || resolution[1] < 1) {
        spec_error(w, &c->head, "resolution", NULL,
                   "the resolution is %d %d; a camera with sensorsize needs at least 1 pixel each "
                   "way",
                   resolution[0], resolution[1]);
        return;
    }
    for (int k = 0; k < 4; k++) {
        const float density = (float)resolution[k % 2] / c->size[k % 2];
        c->lens[k] = pixels[k] != 0 ? pixels[k] / density : c->lens[k];
    }
    c->fovy = (double)atan2f(c->size[1], 2 * c->lens[1]) * 360 / 3.14159265358979323846;
}

void spec_compile_camera(spec_work *w, spec_camera *c)
{
    c->target_id = -1;
    if (c->target != NULL && c->target[0] != 0) {
        c->target_id = spec_find(w, &w->bodies, &c->head, "target", c->target);
    }
    if (c->fovy >= 180) {
        spec_error(w, &c->head, "fovy", NULL, "fovy is %g degrees; it must be less than 180",
                   c->fovy);
    }
    if (sal_xml_find_attr(c->head.xml, "fovy") != NULL &&
        sal_xml_find_attr(c->head.xml, "sensorsize") != NULL) {
        spec_error(w, &c->head, "fovy", NULL,
                   "<camera> gives both fovy and sensorsize; keep one of them");
    }
    compile_lens(w, c);
}

void spec_fill_cameras(const mjcf_spec *spec, sal_model *m)
{
    for (int i = 0; i < spec->camera.n; i++) {
        const spec_camera *c = spec->camera.item[i];
        m->cam_bodyid[i] = c->body;
        sal_v3_copy(m->cam_pos + 3 * i, c->at.pos);
        sal_quat_copy(m->cam_quat + 4 * i, c->at.quat);
        m->cam_mode[i] = c->mode;
        m->cam_targetbodyid[i] = c->target_id;
        m->cam_fovy[i] = c->fovy;
        m->cam_projection[i] = c->projection;
        memcpy(m->cam_resolution + 2 * i, c->resolution, sizeof c->resolution);
        memcpy(m->cam_sensorsize + 2 * i, c->size, sizeof c->size);
        memcpy(m->cam_intrinsic + 4 * i, c->lens, sizeof c->lens);
    }
}

static void put_pair(mjcf_writer *w, sal_xml *xml, const char *name, const float *pair)
{
    const double both[2] = {(double)pair[0], (double)pair[1]};
    if (both[0] != 0 || both[1] != 0) {
        mjcf_put_reals(w, xml, name, both, 2);
    }
}

void mjcf_write_camera(mjcf_writer *w, sal_xml *body, int c)
{
    static const char *const modes[] = {[SAL_CAM_FIXED] = "fixed",
                                        [SAL_CAM_TRACK] = "track",
                                        [SAL_CAM_TRACKCOM] = "trackcom",
                                        [SAL_CAM_TARGETBODY] = "targetbody",
                                        [SAL_CAM_TARGETBODYCOM] = "targetbodycom"};
    const sal_model *m = w->m;
    const int *resolution = m->cam_resolution + 2 * c;
    const double pixels[2] = {resolution[0], resolution[1]};
    sal_xml *xml = mjcf_put_element(w, body, "camera");
    mjcf_put_name(w, xml, SAL_OBJ_CAMERA, c);
    mjcf_put_pose(w, xml, m->cam_pos + 3 * c, m->cam_quat + 4 * c);
    if (m->cam_mode[c] != SAL_CAM_FIXED) {
        mjcf_put(w, xml, "mode", modes[m->cam_mode[c]]);
    }
    if (m->cam_targetbodyid[c] >= 0) {
        mjcf_put(w, xml, "target", sal_model_name(m, SAL_OBJ_BODY, m->cam_targetbodyid[c]));
    }
    if (m->cam_sensorsize[2 * c] == 0 && m->cam_fovy[c] != SPEC_FOVY) {
        mjcf_put_real(w, xml, "fovy", m->cam_fovy[c]);
    }
    if (resolution[0] != 1 || resolution[1] != 1) {
        mjcf_put_reals(w, xml, "resolution", pixels, 2);
    }
    put_pair(w, xml, "sensorsize", m->cam_sensorsize + 2 * c);
    put_pair(w, xml, "focal", m->cam_intrinsic + 4 * c);
    put_pair(w, xml, "principal", m->cam_intrinsic + 4 * c + 2);
    if (m->cam_projection[c] == 1) {
        mjcf_put(w, xml, "projection", "orthographic");
    }
}
