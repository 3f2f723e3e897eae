/* read_orientation.c: an <orientation>, which turns a ball joint, or a site against another,
 * towards the orientation that its control, a rotation vector or a quaternion, says. It is three
 * actuators of ours, one for each axis, with a gain and a bias of their own kind
 * (physics/actuation/orientation.c); a quaternion has one more, before them. The first bears the
 * name of the element, NAME, the others NAME.x (of a quaternion), NAME.y and NAME.z. Measured on
 * MuJoCo 3.14, and tried beside it in tests/physics/orientation_314.mjs: gains come from a class as
 * those of a <position> do; gears, activations, armature and damping of a class do not count.
 */
#include "mjcf/reader.h"

#include <string.h>

static void check_gains(mjcf_reader *r, const sal_xml *xml, const spec_actuator *a)
{
    if (sal_xml_find_attr(xml, "kv") != NULL && sal_xml_find_attr(xml, "dampratio") != NULL) {
        mjcf_error(r, mjcf_place_of(xml, "kv"), NULL,
                   "<orientation> gives both kv and dampratio; keep one of them");
    }
    if (a->biasprm[0] != 0) {
        mjcf_error(r, xml->place, "write a class of its own for <orientation>",
                   "<orientation> of a class with a constant bias is not supported");
    }
}

static void read_gains(spec_actuator *a)
{
    const spec_shortcut *s = &a->said;
    spec_oriented *o = &a->orientation;
    if (!o->given) { /* of a class of another kind */
        o->kp = a->gainprm[0];
        o->bias = a->biasprm[2];
    }
    o->given = true;
    o->kp = isnan(s->kp) ? o->kp : s->kp;
    o->bias = isnan(s->kv) ? o->bias : -s->kv;
    o->bias = isnan(s->dampratio) ? o->bias : s->dampratio;
}

/* axis -1: exerts nothing */
static void set_gains(spec_actuator *a, int axis)
{
    const double kp = a->orientation.kp;
    memset(a->gainprm, 0, sizeof a->gainprm);
    memset(a->biasprm, 0, sizeof a->biasprm);
    if (axis >= 0) {
        a->gainprm[0] = kp;
        a->biasprm[1] = -kp;
        a->biasprm[2] = a->orientation.bias;
    }
}

void mjcf_imply_orientation(mjcf_reader *r, const sal_xml *xml, bool in_default,
                            spec_actuator *actuator)
{
    spec_actuator *a = actuator;
    const bool quat = a->orientation.input != 0, between = a->site != NULL;
    const int axis = a->orientation.part - (quat && !in_default ? 1 : 0);
    if (a->orientation.part == 0) {
        check_gains(r, xml, a);
    }
    read_gains(a);
    set_gains(a, axis);
    a->dyntype = SAL_DYN_NONE;
    a->gaintype = SAL_GAIN_ORIENTATION;
    a->biastype = SAL_BIAS_ORIENTATION;
    if (in_default) {
        return;
    }
    memset(a->gear, 0, sizeof a->gear);
    memset(a->damping, 0, sizeof a->damping);
    if (axis >= 0) {
        a->gear[between ? 3 + axis : axis] = 1;
    }
    a->gainprm[1] = axis;
    a->gainprm[3] = quat ? 1 : 0;
    a->armature = a->inheritrange = 0;
}

void mjcf_read_orientation_parts(mjcf_reader *r, const sal_xml *xml, const spec_actuator *first)
{
    static const char *const names[] = {"x", "y", "z"};
    const int quat = first->orientation.input != 0 ? 1 : 0;
    for (int part = 1; part < 3 + quat; part++) {
        spec_actuator *a = mjcf_add_part(r, first, names[part - quat]);
        if (a != NULL) {
            a->orientation.part = part;
            mjcf_imply_orientation(r, xml, false, a);
        }
    }
}
