/* read_orientation.c: an <orientation>, which turns a ball joint towards the orientation that its
 * control, a rotation vector, says. It is three actuators of ours, one for each axis, with a gain
 * and a bias of their own kind (physics/actuation/orientation.c). The first bears the name of the
 * element, NAME, the others NAME.y and NAME.z. Measured on MuJoCo 3.14, and tried beside it in
 * tests/physics/orientation_314.mjs: gains come from a class as those of a <position> do; gears,
 * activations, armature and damping of a class do not count.
 */
#include "mjcf/reader.h"

#include <string.h>

static void read_gains(mjcf_reader *r, const sal_xml *xml, spec_actuator *a)
{
    const spec_shortcut *s = &a->said;
    const double kp = isnan(s->kp) ? a->gainprm[0] : s->kp;
    const double bias = isnan(s->kv) ? a->biasprm[2] : -s->kv;
    if (sal_xml_find_attr(xml, "kv") != NULL && sal_xml_find_attr(xml, "dampratio") != NULL) {
        mjcf_error(r, mjcf_place_of(xml, "kv"), NULL,
                   "<orientation> gives both kv and dampratio; keep one of them");
    }
    if (a->biasprm[0] != 0) {
        mjcf_error(r, xml->place, "write a class of its own for <orientation>",
                   "<orientation> of a class with a constant bias is not supported");
    }
    memset(a->gainprm, 0, sizeof a->gainprm);
    memset(a->biasprm, 0, sizeof a->biasprm);
    a->gainprm[0] = kp;
    a->biasprm[1] = -kp;
    a->biasprm[2] = isnan(s->dampratio) ? bias : s->dampratio;
}

void mjcf_imply_orientation(mjcf_reader *r, const sal_xml *xml, bool in_default,
                            spec_actuator *actuator)
{
    spec_actuator *a = actuator;
    read_gains(r, xml, a);
    a->orientation.given = true;
    a->dyntype = SAL_DYN_NONE;
    a->gaintype = SAL_GAIN_ORIENTATION;
    a->biastype = SAL_BIAS_ORIENTATION;
    if (in_default) {
        return;
    }
    memset(a->gear, 0, sizeof a->gear);
    memset(a->damping, 0, sizeof a->damping);
    a->gear[a->orientation.axis] = 1;
    a->gainprm[1] = a->orientation.axis;
    a->armature = a->inheritrange = 0;
}

void mjcf_read_orientation_parts(mjcf_reader *r, const sal_xml *xml, const spec_actuator *first)
{
    static const char *const names[] = {"x", "y", "z"};
    for (int axis = 1; axis < 3; axis++) {
        spec_actuator *a = mjcf_add_part(r, first, names[axis]);
        if (a != NULL) {
            a->orientation.axis = axis;
            mjcf_imply_orientation(r, xml, false, a);
        }
    }
}
