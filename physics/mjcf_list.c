/* mjcf_list.c: the lists of contacts, actuators, sensors and keyframes. */
#include "physics/mjcf.h"

#include <string.h>

static void *keep(mjcf_reader *r, spec_list *list, const void *record, size_t size)
{
    void *place = spec_take(r->spec, 1, size);
    if (place == NULL || !spec_push(r->spec, list, place)) {
        return NULL;
    }
    memcpy(place, record, size);
    return place;
}

/* A mesh is named after its file where it has no name. */
void mjcf_read_mesh(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml)
{
    const spec_class *class = mjcf_class_of(r, xml, NULL);
    spec_mesh mesh = class->mesh;
    mesh.density = class->geom.density;
    mesh.head = (spec_head){.xml = xml};
    mjcf_read_attrs(r, rule, xml, false, &mesh);
    if (mesh.head.name == NULL && mesh.file != NULL) {
        const char *slash = strrchr(mesh.file, '/');
        const char *stem = slash == NULL ? mesh.file : slash + 1, *dot = strrchr(stem, '.');
        const size_t n = dot == NULL || dot == stem ? strlen(stem) : (size_t)(dot - stem);
        char *name = spec_take(r->spec, n + 1, 1);
        if (name != NULL) {
            memcpy(name, stem, n);
            mesh.head.name = name;
        }
    }
    keep(r, &r->spec->mesh, &mesh, sizeof mesh);
}

void mjcf_read_contact(mjcf_reader *r, sal_xml *xml)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule = mjcf_rule_of(r, child, IN_CONTACT);
        if (rule != NULL && rule->element == EL_PAIR) {
            spec_pair pair = mjcf_class_of(r, child, NULL)->pair;
            pair.head = (spec_head){.xml = child};
            mjcf_read_attrs(r, rule, child, false, &pair);
            keep(r, &r->spec->pair, &pair, sizeof pair);
        } else if (rule != NULL) {
            spec_exclude exclude = {.head.xml = child};
            mjcf_read_attrs(r, rule, child, false, &exclude);
            keep(r, &r->spec->exclude, &exclude, sizeof exclude);
        }
    }
}

/* ---- actuators: what the shortcuts mean (MuJoCo documentation, "XML reference", actuator) ----
 *
 *     motor      gain 1
 *     position   gain kp, bias -kp l - kv ldot; a damping ratio is kept as a positive velocity coefficient until inertias are known
 *     velocity   gain kv, bias -kv ldot                                                             */

static void imply_position(mjcf_reader *r, sal_xml *xml, spec_actuator *a)
{
    if (!isnan(a->kp)) {
        a->gainprm[0] = a->kp;
    }
    if (r->spec->compat222) { /* later versions keep what a class says */
        memset(a->biasprm, 0, sizeof a->biasprm);
    }
    a->gaintype = SAL_GAIN_FIXED;
    a->biastype = SAL_BIAS_AFFINE;
    a->biasprm[1] = -a->gainprm[0];
    if (!isnan(a->kv)) {
        a->biasprm[2] = -a->kv;
    }
    if (!isnan(a->dampratio)) {
        a->biasprm[2] = a->dampratio;
    }
    const sal_xml_attr *kv = sal_xml_find_attr(xml, "kv");
    if (kv != NULL && sal_xml_find_attr(xml, "dampratio") != NULL) {
        mjcf_error(r, kv->name_place, NULL, "kv and dampratio cannot both be given");
    }
    const sal_xml_attr *inherit = sal_xml_find_attr(xml, "inheritrange");
    if (inherit != NULL && sal_xml_find_attr(xml, "ctrlrange") != NULL) {
        mjcf_error(r, inherit->name_place, NULL, "ctrlrange and inheritrange cannot both be given");
    }
    const sal_xml_attr *timeconst = sal_xml_find_attr(xml, "timeconst");
    if (timeconst != NULL && a->timeconst > 0) {
        mjcf_error(r, timeconst->name_place, NULL,
                   "timeconst in <position> is not supported unless it is 0");
    }
}

void mjcf_read_actuator(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, bool in_default,
                        spec_actuator *a)
{
    const double not_given = (double)NAN;
    a->kp = a->kv = a->dampratio = a->timeconst = not_given; /* classes keep them as gains */
    mjcf_read_attrs(r, rule, xml, in_default, a);
    switch ((int)rule->element) {
    case EL_MOTOR:
        a->gaintype = SAL_GAIN_FIXED;
        a->biastype = SAL_BIAS_NONE;
        a->gainprm[0] = 1;
        break;
    case EL_POSITION:
        imply_position(r, xml, a);
        break;
    case EL_VELOCITY:
        memset(a->biasprm, 0, sizeof a->biasprm);
        if (!isnan(a->kv)) {
            a->gainprm[0] = a->kv;
        }
        a->gaintype = SAL_GAIN_FIXED;
        a->biastype = SAL_BIAS_AFFINE;
        a->biasprm[2] = -a->gainprm[0];
        break;
    default:
        break;
    }
}

void mjcf_read_actuators(mjcf_reader *r, sal_xml *xml)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule = mjcf_rule_of(r, child, IN_ACTUATOR);
        if (rule != NULL) {
            spec_actuator a = mjcf_class_of(r, child, NULL)->actuator;
            a.head = (spec_head){.xml = child};
            mjcf_read_actuator(r, rule, child, false, &a);
            keep(r, &r->spec->actuator, &a, sizeof a);
        }
    }
}

/* ---- sensors ---- */

static const struct {
    const char *tag;
    int dim, stage, datatype;
} sensor_kinds[] = {
#define SENSOR_KIND(code, element, dim, stage, datatype) {element, dim, stage, datatype},
    SAL_SENSOR_LIST(SENSOR_KIND)
#undef SENSOR_KIND
};

static int sensor_type(const char *tag)
{
    for (int i = 0; i < (int)(sizeof sensor_kinds / sizeof sensor_kinds[0]); i++) {
        if (strcmp(sensor_kinds[i].tag, tag) == 0) {
            return i;
        }
    }
    return -1;
}

void mjcf_read_sensors(mjcf_reader *r, sal_xml *xml)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule = mjcf_rule_of(r, child, IN_SENSOR);
        const int type = rule == NULL ? -1 : sensor_type(child->tag);
        if (type >= 0) {
            spec_sensor s = {.head.xml = child,
                             .type = type,
                             .dim = sensor_kinds[type].dim,
                             .stage = sensor_kinds[type].stage,
                             .datatype = sensor_kinds[type].datatype};
            mjcf_read_attrs(r, rule, child, false, &s);
            keep(r, &r->spec->sensor, &s, sizeof s);
        }
    }
}

/* ---- keyframes ---- */

void mjcf_read_keys(mjcf_reader *r, sal_xml *xml)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule = mjcf_rule_of(r, child, IN_KEYFRAME);
        if (rule != NULL) {
            spec_key key = {.head.xml = child};
            mjcf_read_attrs(r, rule, child, false, &key);
            keep(r, &r->spec->key, &key, sizeof key);
        }
    }
}
