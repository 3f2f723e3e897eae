/* export.c: the formats, and what they can be asked for. */
#include "exports/formats.h"

#include <string.h>

typedef sal_status (*writer)(sal_export *out, const sal_result *r,
                             const sal_export_options *options, sal_err *err);

static const sal_export_format formats[] = {
    {"npz", "all arrays of the result, for NumPy", "npz", 0, true, true, false},
    {"mjlab", "a clip for the trackers of mjlab: poses, velocities, torques, contacts", "npz", 50,
     true, true, false},
    {"beyondmimic", "the same for BeyondMimic in Isaac Lab", "npz", 50, true, true, false},
    {"unitree", "a table of root and joints without header", "csv", 30, false, false, false},
    {"sto", "OpenSim: states, moments, ground forces", "sto", 100, false, false, true},
    {"mot", "OpenSim: coordinates, moments, ground forces", "mot", 100, false, false, true},
    {"bvh", "a skeleton that moves", "bvh", 30, false, false, false},
    {"gltf", "a scene that moves, binary glTF 2.0: Blender, three.js", "glb", 30, false, true,
     false},
    {"mcap", "messages of ROS 2: Foxglove, rerun, ros2 bag", "mcap", 60, false, true, false},
    {"keyframe", "MuJoCo: the model with the rows of the motion as keyframes", "xml", 0, false,
     false, false}};

static const struct {
    writer write;
    const char *ending[SAL_EXPORT_FILES];
} files[] = {{exp_write_arrays, {""}},
             {exp_write_mjlab, {""}},
             {exp_write_beyondmimic, {""}},
             {exp_write_unitree, {""}},
             {exp_write_states, {"", "_moments.sto", "_forces.mot"}},
             {exp_write_motion, {"", "_moments.sto", "_forces.mot"}},
             {exp_write_bvh, {""}},
             {exp_write_gltf, {""}},
             {exp_write_ros, {""}},
             {exp_write_keyframe, {""}}};

enum { NFORMAT = sizeof formats / sizeof formats[0] };

const sal_export_format *sal_export_format_at(int i)
{
    return i >= 0 && i < NFORMAT ? formats + i : NULL;
}

const sal_export_format *sal_export_find(const char *name)
{
    for (int i = 0; i < NFORMAT; i++) {
        if (strcmp(formats[i].name, name) == 0) {
            return formats + i;
        }
    }
    return NULL;
}

sal_status sal_export_check(const sal_export_format *format, const sal_export_options *options,
                            sal_err *err)
{
    if (options->rate > 0 && !(format->rate > 0)) {
        return sal_fail(err, SAL_BADINPUT,
                        "--to %s has the rows of the result, so that it has no rate; leave out "
                        "--rate, or export to mjlab",
                        format->name);
    }
    if (options->gains && !format->gains) {
        return sal_fail(err, SAL_BADINPUT,
                        "--to %s cannot hold gains; npz, mjlab, beyondmimic and gains can",
                        format->name);
    }
    return SAL_OK;
}

sal_status sal_result_export(sal_export *out, const sal_result *r, const sal_export_format *format,
                             const sal_export_options *options, sal_err *err)
{
    const ptrdiff_t which = format - formats;
    *out = (sal_export){0};
    for (int i = 0; i < SAL_EXPORT_FILES && files[which].ending[i] != NULL; i++) {
        out->file[out->n++].ending = files[which].ending[i];
    }
    sal_status status = sal_export_check(format, options, err);
    status = status == SAL_OK ? files[which].write(out, r, options, err) : status;
    for (int i = 0; i < out->n && status == SAL_OK; i++) {
        if (out->file[i].text.failed) {
            status = sal_fail(err, SAL_NOMEM, "out of memory for an export");
        }
    }
    return status;
}

void sal_export_clear(sal_export *out)
{
    for (int i = 0; i < out->n; i++) {
        sal_text_clear(&out->file[i].text);
    }
    *out = (sal_export){0};
}
