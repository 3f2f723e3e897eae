/* write.c: the person as a model file. */
#include "people/person.h"

#include "base/house.h"
#include "mjcf/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Shapes that are only seen: from the joint to `to`, or a sphere at `from`; m of the generic
 * person. */
typedef struct shape {
    ppl_segment segment;
    const char *name;
    double from[3], to[3], radius;
} shape;

static const shape shapes[] = {
    {PPL_PELVIS, "pelvis", {-.03, -.07, .03}, {-.03, .07, .03}, .09},
    {PPL_TORSO, "abdomen", {0, -.05, .06}, {0, .05, .06}, .09},
    {PPL_TORSO, "chest", {0, -.08, .25}, {0, .08, .25}, .11},
    {PPL_HEAD, "head", {.026, 0, .135}, {.026, 0, .145}, .095},
    {PPL_UPPER_ARM, "upper_arm", {0, 0, 0}, {0, 0, -.285}, .043},
    {PPL_LOWER_ARM, "lower_arm", {0, 0, 0}, {0, 0, -.267}, .034},
    {PPL_LOWER_ARM, "hand", {0, 0, -.32}, {0, 0, -.35}, .04},
    {PPL_THIGH, "thigh", {0, 0, 0}, {0, 0, -.41}, .063},
    {PPL_SHANK, "shank", {0, 0, 0}, {0, 0, -.42}, .044},
    {PPL_FOOT, "foot", {-.03, 0, -.03}, {.12, 0, -.04}, .028},
};

typedef struct writer {
    const ppl_person *p;
    sal_text *out;
    int depth;
} writer;

static void line(writer *w)
{
    sal_text_format(w->out, "%*s", 2 * w->depth, "");
}

/* Tenths of a millimetre; never "-0". */
static void numbers(writer *w, const char *name, const double *x, int n, int digits)
{
    sal_text_format(w->out, " %s=\"", name);
    for (int i = 0; i < n; i++) {
        const double unit = pow(10, digits), rounded = floor(x[i] * unit + .5) / unit;
        sal_text_add(w->out, i == 0 ? "" : " ");
        sal_text_real(w->out, rounded == 0 ? 0 : rounded, 0);
    }
    sal_text_add(w->out, "\"");
}

static void write_joints(writer *w, ppl_segment segment, ppl_side side)
{
    const ppl_bone *bone = ppl_bone_of(segment);
    const char *prefix = side == PPL_RIGHT ? "right_" : side == PPL_LEFT ? "left_" : "";
    for (int k = 0; k < bone->njoint; k++) {
        const ppl_joint *j = bone->joint + k;
        double axis[3] = {j->axis[0], j->axis[1], j->axis[2]};
        for (int i = 0; i < 3; i += 2) {
            axis[i] = side == PPL_LEFT ? 0 - axis[i] : axis[i];
        }
        line(w);
        sal_text_format(w->out, "<joint name=\"%s%s\"%s", prefix, j->name,
                        segment == PPL_TOES ? " class=\"toes\"" : "");
        numbers(w, "axis", axis, 3, 4);
        numbers(w, "range", j->range, 2, 0);
        sal_text_add(w->out, "/>\n");
    }
}

static void write_inertia(writer *w, ppl_segment segment)
{
    const ppl_inertia i = ppl_inertia_of(segment, w->p->scale, w->p->mass);
    line(w);
    sal_text_add(w->out, "<inertial");
    numbers(w, "pos", i.com, 3, 4);
    numbers(w, "mass", &i.mass, 1, 9);
    numbers(w, "diaginertia", i.moment, 3, 6);
    sal_text_add(w->out, "/>\n");
}

static void write_shapes(writer *w, ppl_segment segment, ppl_side side)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        char name[48];
        double ends[6];
        const ppl_length *grows = ppl_bone_of(segment)->grows;
        if (shapes[i].segment != segment) {
            continue;
        }
        for (int k = 0; k < 6; k++) {
            const double x = k < 3 ? shapes[i].from[k] : shapes[i].to[k - 3];
            ends[k] = w->p->scale[grows[k % 3]] * x;
        }
        snprintf(name, sizeof name, "%s%s",
                 side == PPL_RIGHT  ? "right_"
                 : side == PPL_LEFT ? "left_"
                                    : "",
                 shapes[i].name);
        line(w);
        sal_text_format(w->out, "<geom name=\"%s\"", name);
        numbers(w, "fromto", ends, 6, 4);
        numbers(w, "size", &shapes[i].radius, 1, 4);
        sal_text_add(w->out, "/>\n");
    }
    for (int k = 0; k < PPL_NPAD; k++) {
        double pos[3];
        const double radius = ppl_pad_place(w->p, (ppl_pad)k, side, pos);
        if (ppl_pad_segment((ppl_pad)k) == segment) {
            line(w);
            sal_text_format(w->out, "<geom name=\"%s%s\" class=\"pad\"",
                            side == PPL_RIGHT ? "right_" : "left_", ppl_pad_name((ppl_pad)k));
            numbers(w, "pos", pos, 3, 4);
            numbers(w, "size", &radius, 1, 4);
            sal_text_add(w->out, "/>\n");
        }
    }
}

static void write_markers(writer *w, ppl_segment segment, ppl_side side)
{
    for (int i = 0; i < w->p->nmarker; i++) {
        const ppl_marker *m = w->p->marker + i;
        if (m->at.segment != segment || (ppl_bone_of(segment)->sided && m->side != side)) {
            continue;
        }
        line(w);
        sal_text_add(w->out, "<site name=\"");
        sal_xml_escape(w->out, m->name);
        sal_text_add(w->out, "\"");
        numbers(w, "pos", m->pos, 3, 4);
        sal_text_add(w->out, "/>\n");
    }
}

/* The segment of one side; those that hang from it stand within, to be closed by the caller. */
static void open_body(writer *w, ppl_segment segment, ppl_side side, const double pos[3])
{
    char name[32];
    ppl_segment_name(name, segment, side);
    line(w);
    sal_text_format(w->out, "<body name=\"%s\"", name);
    numbers(w, "pos", pos, 3, 4);
    sal_text_add(w->out, ">\n");
    w->depth++;
    if (segment == PPL_PELVIS) {
        line(w);
        sal_text_add(w->out, "<freejoint name=\"root\"/>\n");
    }
    write_joints(w, segment, side);
    write_inertia(w, segment);
    write_shapes(w, segment, side);
    write_markers(w, segment, side);
}

static void close_body(writer *w)
{
    w->depth--;
    line(w);
    sal_text_add(w->out, "</body>\n");
}

/* Segments one below the other, `first` to `last`. */
static void write_chain(writer *w, ppl_segment first, ppl_segment last, ppl_side side)
{
    for (int s = (int)first; s <= (int)last; s++) {
        double pos[3];
        ppl_bone_place(w->p, (ppl_segment)s, side, pos);
        open_body(w, (ppl_segment)s, side, pos);
    }
    for (int s = (int)first; s <= (int)last; s++) {
        close_body(w);
    }
}

/* Height of the hips over the floor while he or she stands straight. */
static double stature_of_hips(const ppl_person *p)
{
    double thigh[3], shank[3], pad[3], least = 0;
    ppl_bone_place(p, PPL_SHANK, PPL_RIGHT, thigh);
    ppl_bone_place(p, PPL_FOOT, PPL_RIGHT, shank);
    for (int k = 0; k < PPL_TOE_OUT; k++) {
        const double radius = ppl_pad_place(p, (ppl_pad)k, PPL_RIGHT, pad);
        least = fmin(least, pad[2] - radius);
    }
    return -(thigh[2] + shank[2] + least);
}

static void write_bodies(writer *w, double hips)
{
    const double pos[3] = {0, 0, hips};
    double torso[3];
    w->depth = 2;
    open_body(w, PPL_PELVIS, PPL_MIDDLE, pos);
    ppl_bone_place(w->p, PPL_TORSO, PPL_MIDDLE, torso);
    open_body(w, PPL_TORSO, PPL_MIDDLE, torso);
    write_chain(w, PPL_HEAD, PPL_HEAD, PPL_MIDDLE);
    write_chain(w, PPL_UPPER_ARM, PPL_LOWER_ARM, PPL_RIGHT);
    write_chain(w, PPL_UPPER_ARM, PPL_LOWER_ARM, PPL_LEFT);
    close_body(w);
    write_chain(w, PPL_THIGH, PPL_TOES, PPL_RIGHT);
    write_chain(w, PPL_THIGH, PPL_TOES, PPL_LEFT);
    close_body(w);
}

static void write_motors(writer *w)
{
    sal_text_add(w->out, "  <actuator>\n");
    for (int s = 0; s < PPL_NSEGMENT; s++) {
        const ppl_bone *bone = ppl_bone_of((ppl_segment)s);
        for (int side = 0; side < (bone->sided ? 2 : 1); side++) {
            const char *prefix = !bone->sided ? "" : side == PPL_RIGHT ? "right_" : "left_";
            for (int k = 0; k < bone->njoint; k++) {
                sal_text_format(w->out, "    <motor name=\"%s%s\" joint=\"%s%s\" gear=\"", prefix,
                                bone->joint[k].name, prefix, bone->joint[k].name);
                sal_text_real(w->out, w->p->mass, 6);
                sal_text_add(w->out, "\"/>\n");
            }
        }
    }
    sal_text_add(w->out, "  </actuator>\n");
}

static void write_head(writer *w)
{
    const ppl_person *p = w->p;
    sal_text_format(w->out, "<!-- A person of ");
    sal_text_real(w->out, p->mass, 6);
    sal_text_format(w->out,
                    " kg, made by `saltus person` from the markers that he or she wore: %d "
                    "markers in %d frames,\n     %.1f mm rms. x forward, y left, z up; m, kg, "
                    "degrees.\n",
                    p->nmarker, p->nframe, 1e3 * p->rms);
    sal_text_add(
        w->out,
        "     Masses, centres of mass and radii of gyration: P. de Leva, \"Adjustments to "
        "Zatsiorsky-Seluyanov's\n     segment inertia parameters\", J. Biomechanics 29 (1996) "
        "1223-1230, means of women and men, scaled by the\n     lengths found; "
        "before and behind the joints: R. Dumas et al., J. Biomechanics 40 (2007) 543-553.\n     "
        "ctrl is in "
        "N m for each kg of the person, without limits: what the motors do is what is asked for. "
        "-->\n"
        "<mujoco model=\"person\">\n  <compiler angle=\"degree\" autolimits=\"false\"/>\n"
        "  <option timestep=\".01\" cone=\"elliptic\"/>\n  <default>\n"
        "    <geom type=\"capsule\" contype=\"0\" conaffinity=\"0\" condim=\"3\" friction=\".9 "
        ".005 "
        ".0001\" rgba=\".7 .7 .75 1\"/>\n"
        "    <joint type=\"hinge\" armature=\".002\" limited=\"false\"/>\n"
        "    <site size=\".01\" rgba=\"1 .2 .2 1\"/>\n    <motor ctrllimited=\"false\"/>\n"
        "    <default class=\"pad\"><geom type=\"sphere\" conaffinity=\"1\" rgba=\".3 .3 .35 "
        "1\"/></default>\n"
        "    <!-- passive stiffness of the toes: they spring back -->\n"
        "    <default class=\"toes\"><joint stiffness=\"25\" damping=\".3\" "
        "armature=\".01\"/></default>\n"
        "  </default>\n  <worldbody>\n    <geom name=\"floor\" type=\"plane\" size=\"0 0 .1\" "
        "contype=\"1\" conaffinity=\"0\" rgba=\".8 .8 .8 1\"/>\n");
}

static void write_numbers(writer *w)
{
    w->depth = 2;
    line(w);
    sal_text_add(w->out, "<!-- m: so deep the soles sink in beneath who is followed -->\n");
    line(w);
    sal_text_add(w->out, "<numeric name=\"sole_depth\" data=\"");
    sal_text_real(w->out, PPL_SOLE_DEPTH, 3);
    sal_text_add(w->out, "\"/>\n");
    line(w);
    sal_text_add(w->out, "<!-- m, rms: so far each marker was from its site -->\n");
    for (int i = 0; i < w->p->nmarker; i++) {
        const ppl_marker *m = w->p->marker + i;
        if (m->rms > 0) {
            line(w);
            sal_text_add(w->out, "<numeric name=\"rms_");
            sal_xml_escape(w->out, m->name);
            sal_text_format(w->out, "\" data=\"%.3g\"/>\n", m->rms);
        }
    }
}

void ppl_write(sal_text *out, const ppl_person *person)
{
    writer w = {.p = person, .out = out};
    const double hips = stature_of_hips(person);
    write_head(&w);
    write_bodies(&w, hips);
    sal_text_add(out, "  </worldbody>\n");
    write_motors(&w);
    sal_text_add(out, "  <sensor>\n    <!-- the upward axes of head and torso in the world -->\n"
                      "    <framezaxis name=\"head_up\" objtype=\"xbody\" objname=\"head\"/>\n"
                      "    <framezaxis name=\"torso_up\" objtype=\"xbody\" objname=\"torso\"/>\n"
                      "  </sensor>\n  <custom>\n");
    write_numbers(&w);
    sal_text_add(out, "  </custom>\n  <keyframe>\n    <!-- root, abdomen, neck, arms with elbows "
                      ".2 bent, legs -->\n"
                      "    <key name=\"stand\" qpos=\"0 0 ");
    sal_text_real(out, hips, 5);
    sal_text_add(
        out, " 1 0 0 0  0 0 0  0 0 0  0 0 0 .2 0  0 0 0 .2 0  0 0 0 0 0 0 0  0 0 0 0 0 0 0\"/>\n"
             "  </keyframe>\n</mujoco>\n");
}

sal_status ppl_compile(sal_model **m, const ppl_person *person, sal_err *err)
{
    sal_text text = {0};
    sal_diag diag = {0};
    *m = NULL;
    ppl_write(&text, person);
    sal_status status =
        text.failed ? sal_fail(err, SAL_NOMEM, "out of memory for the model of a person")
                    : sal_model_parse(m, "person", text.data, text.length, NULL, &diag, err);
    sal_diag_clear(&diag);
    sal_text_clear(&text);
    return status;
}
