/* read_list.c: the lists of contacts, sensors and keyframes. */
#include "mjcf/reader.h"

#include <stdio.h>
#include <string.h>

const char *mjcf_stem(const char *file, size_t *n)
{
    const char *slash = strrchr(file, '/');
    const char *stem = slash == NULL ? file : slash + 1, *dot = strrchr(stem, '.');
    *n = dot == NULL || dot == stem ? strlen(stem) : (size_t)(dot - stem);
    return stem;
}

/* What has a file and no name is named after the file, without folders and ending. */
static void name_after_file(mjcf_reader *r, spec_head *head, const char *file)
{
    if (head->name != NULL || file == NULL) {
        return;
    }
    size_t n;
    const char *stem = mjcf_stem(file, &n);
    char *name = spec_take(r->spec, n + 1, 1);
    if (name != NULL) {
        snprintf(name, n + 1, "%s", stem); /* up to the dot */
        head->name = name;
    }
}

void mjcf_read_hfield(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml)
{
    spec_hfield field = {.head.xml = xml};
    mjcf_read_attrs(r, rule, xml, false, &field);
    name_after_file(r, &field.head, field.file);
    spec_keep(r->spec, &r->spec->hfield, &field, sizeof field);
}

void mjcf_read_mesh(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml)
{
    const spec_class *class = mjcf_class_of(r, xml, NULL);
    spec_mesh mesh = class->mesh;
    mesh.density = class->geom.density;
    mesh.head = (spec_head){.xml = xml};
    mjcf_read_attrs(r, rule, xml, false, &mesh);
    if (mesh.file != NULL && mesh.file[0] == 0) {
        mesh.file = NULL; /* as if it were not given */
    }
    name_after_file(r, &mesh.head, mesh.file);
    spec_keep(r->spec, &r->spec->mesh, &mesh, sizeof mesh);
}

void mjcf_read_contact(mjcf_reader *r, sal_xml *xml)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule = mjcf_rule_of(r, child, MJCF_IN_CONTACT);
        if (rule != NULL && rule->element == MJCF_EL_PAIR) {
            spec_pair pair = mjcf_class_of(r, child, NULL)->pair;
            pair.head = (spec_head){.xml = child};
            mjcf_read_attrs(r, rule, child, false, &pair);
            spec_keep(r->spec, &r->spec->pair, &pair, sizeof pair);
        } else if (rule != NULL) {
            spec_exclude exclude = {.head.xml = child};
            mjcf_read_attrs(r, rule, child, false, &exclude);
            spec_keep(r->spec, &r->spec->exclude, &exclude, sizeof exclude);
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
        const mjcf_rule *rule = mjcf_rule_of(r, child, MJCF_IN_SENSOR);
        const int type = rule == NULL ? -1 : sensor_type(child->tag);
        if (type >= 0) {
            spec_sensor s = {.head.xml = child,
                             .type = type,
                             .dim = sensor_kinds[type].dim,
                             .stage = sensor_kinds[type].stage,
                             .datatype = sensor_kinds[type].datatype,
                             .num = 1};
            mjcf_read_attrs(r, rule, child, false, &s);
            spec_keep(r->spec, &r->spec->sensor, &s, sizeof s);
        }
    }
}

/* ---- keyframes ---- */

void mjcf_read_keys(mjcf_reader *r, sal_xml *xml)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule = mjcf_rule_of(r, child, MJCF_IN_KEYFRAME);
        if (rule != NULL) {
            spec_key key = {.head.xml = child};
            mjcf_read_attrs(r, rule, child, false, &key);
            spec_keep(r->spec, &r->spec->key, &key, sizeof key);
        }
    }
}
