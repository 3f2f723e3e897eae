/* read_default.c: default classes. A nested class starts as a copy of the class around it, after
 * all of that class's own settings. */
#include "mjcf/reader.h"

#include <string.h>

static void read_setting(mjcf_reader *r, sal_xml *xml, const mjcf_rule *rule, spec_class *c)
{
    switch ((int)rule->element) {
    case MJCF_EL_JOINT:
        mjcf_read_attrs(r, rule, xml, true, &c->joint);
        break;
    case MJCF_EL_GEOM:
        mjcf_read_attrs(r, rule, xml, true, &c->geom);
        break;
    case MJCF_EL_SITE:
        mjcf_read_attrs(r, rule, xml, true, &c->site);
        break;
    case MJCF_EL_CAMERA:
        mjcf_read_attrs(r, rule, xml, true, &c->camera);
        break;
    case MJCF_EL_MESH:
        mjcf_read_attrs(r, rule, xml, true, &c->mesh);
        break;
    case MJCF_EL_PAIR:
        mjcf_read_attrs(r, rule, xml, true, &c->pair);
        break;
    case MJCF_EL_EQ_DEFAULT:
        mjcf_read_attrs(r, rule, xml, true, &c->equality);
        break;
    case MJCF_EL_TENDON_DEFAULT:
        mjcf_read_tendon(r, rule, xml, true, &c->tendon);
        break;
    case MJCF_EL_GENERAL:
    case MJCF_EL_MOTOR:
    case MJCF_EL_POSITION:
    case MJCF_EL_VELOCITY:
    case MJCF_EL_INTVELOCITY:
    case MJCF_EL_DAMPER:
    case MJCF_EL_CYLINDER:
    case MJCF_EL_MUSCLE:
    case MJCF_EL_ADHESION:
    case MJCF_EL_DCMOTOR:
    case MJCF_EL_PID:
    case MJCF_EL_ORIENTATION:
        mjcf_read_actuator(r, rule, xml, true, &c->actuator);
        break;
    default:
        break;
    }
}

/* A class below `parent`; NULL (reported) if it has no new name. */
static spec_class *new_class(mjcf_reader *r, sal_xml *xml, const spec_class *parent,
                             const char *name)
{
    const sal_xml_attr *attr = sal_xml_find_attr(xml, "class");
    if (name == NULL || name[0] == 0) {
        mjcf_error(r, xml->place, "write <default class=\"NAME\">",
                   "a nested <default> needs the attribute 'class'");
        return NULL;
    }
    if (mjcf_find_class(r->spec, name) != NULL) {
        mjcf_error(r, attr->value_place, NULL,
                   "another default class already has the name '%.100s'; names must be unique",
                   name);
        return NULL;
    }
    spec_class *c = spec_take(r->spec, 1, sizeof *c);
    if (c == NULL || !spec_push(r->spec, &r->spec->classes, c)) {
        return NULL;
    }
    *c = *parent;
    c->head = (spec_head){.xml = xml, .name = name};
    spec_index_put(r->spec, &r->spec->class_names, name, c);
    return c;
}

/* The main class of the model, or of the sub-model that the section belongs to. */
static spec_class *main_class_of(mjcf_reader *r, const sal_xml *xml)
{
    const spec_part *part = spec_part_with(r->spec, xml);
    return part == NULL ? r->spec->classes.item[0] : part->main_class;
}

void mjcf_check_main_class(mjcf_reader *r, const sal_xml *xml)
{
    const sal_xml_attr *attr = sal_xml_find_attr(xml, "class");
    if (attr != NULL && attr->value[0] != 0 && strcmp(attr->value, "main") != 0) {
        mjcf_error(r, attr->value_place,
                   "put a class of that name into a <default> without a name (only MuJoCo 2.2.2 "
                   "renames 'main': --compat 2.2.2)",
                   "the outermost <default> is the class 'main'; it cannot be called '%.100s'",
                   attr->value);
    }
}

/* Names it; that of a sub-model is then found among the others. */
static void rename_main(mjcf_reader *r, const sal_xml *xml, spec_class *c, const char *name)
{
    c->head.name = name;
    if (spec_part_of(r->spec, xml) > 0 && spec_index_find(&r->spec->class_names, name) != c) {
        spec_push(r->spec, &r->spec->classes, c);
        spec_index_put(r->spec, &r->spec->class_names, name, c);
    }
}

void mjcf_read_default(mjcf_reader *r, sal_xml *xml, const mjcf_rule *rule, spec_class *parent)
{
    spec_class said = {0}, *c = main_class_of(r, xml);
    mjcf_read_attrs(r, rule, xml, false, &said);
    const char *name = said.head.class_name;
    /* those of sub-models have been checked, and have their prefixes */
    if (parent == NULL && r->spec->mujoco != SAL_MUJOCO_222 && spec_part_of(r->spec, xml) == 0) {
        mjcf_check_main_class(r, xml);
    }
    if (parent != NULL) {
        c = new_class(r, xml, parent, name);
    } else if (name != NULL && name[0] != 0) {
        rename_main(r, xml, c, name);
    }
    if (c == NULL) {
        return;
    }
    c->head.xml = xml;
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        if (strcmp(child->tag, "default") != 0) {
            const mjcf_rule *inner = mjcf_rule_of(r, child, MJCF_IN_DEFAULT);
            if (inner != NULL) {
                read_setting(r, child, inner, c);
            }
        }
    }
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        if (strcmp(child->tag, "default") == 0) {
            mjcf_read_default(r, child, rule, c);
        }
    }
}
