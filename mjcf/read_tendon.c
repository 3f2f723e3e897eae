/* read_tendon.c: the lists of tendons and equality constraints. */
#include "mjcf/reader.h"

#include <string.h>

/* ---- equality constraints ---- */

/* A connect or weld names two bodies (the second may be the world) or two sites. */
static void check_ends(mjcf_reader *r, const sal_xml *xml, const spec_equality *e)
{
    const bool bodies = e->name1 != NULL, sites = e->site1 != NULL && e->site2 != NULL;
    const bool any_body = bodies || e->name2 != NULL;
    const bool any_site = e->site1 != NULL || e->site2 != NULL;
    if (any_site && (any_body || !sites)) {
        mjcf_error(r, xml->place,
                   "give site1 and site2, or body1 (and body2, unless it is the world)",
                   "<%s> connects either two bodies or two sites", xml->tag);
    } else if (!any_site && !bodies) {
        mjcf_error(r, xml->place, NULL, "<%s> needs the attribute 'body1'", xml->tag);
    } else if (bodies && e->type == SAL_EQ_CONNECT && isnan(e->anchor[0])) {
        mjcf_error(r, xml->place, NULL, "<connect> needs the attribute 'anchor'");
    }
}

void mjcf_read_equalities(mjcf_reader *r, sal_xml *xml)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule = mjcf_rule_of(r, child, MJCF_IN_EQUALITY);
        if (rule == NULL) {
            continue;
        }
        spec_equality e = mjcf_class_of(r, child, NULL)->equality;
        e.head = (spec_head){.xml = child};
        e.type = rule->element == MJCF_EL_CONNECT    ? SAL_EQ_CONNECT
                 : rule->element == MJCF_EL_WELD     ? SAL_EQ_WELD
                 : rule->element == MJCF_EL_EQ_JOINT ? SAL_EQ_JOINT
                                                     : SAL_EQ_TENDON;
        mjcf_read_attrs(r, rule, child, false, &e);
        if (e.type == SAL_EQ_CONNECT || e.type == SAL_EQ_WELD) {
            check_ends(r, child, &e);
        }
        if (e.type == SAL_EQ_WELD && isnan(e.anchor[0])) {
            e.anchor[0] = 0;
        }
        spec_keep(r->spec, &r->spec->equality, &e, sizeof e);
    }
}

/* ---- tendons ---- */

void mjcf_read_tendon(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, bool in_default,
                      spec_tendon *t)
{
    double length[2];
    mjcf_read_attrs(r, rule, xml, in_default, t);
    const sal_xml_attr *spring = sal_xml_find_attr(xml, "springlength");
    sal_diag none = {0}; /* what is wrong with it was reported already */
    const int n = spring == NULL ? 0 : mjcf_read_numbers(&none, spring, length, 1, 2, 0);
    sal_diag_clear(&none);
    if (n == 1) { /* one length is a band without width */
        t->springlength[1] = t->springlength[0];
    } else if (n == 2 && r->spec->mujoco == SAL_MUJOCO_222) {
        mjcf_error(r, spring->value_place, NULL,
                   "springlength has two numbers; MuJoCo 2.2.2 allows only one");
    }
}

static void read_path(mjcf_reader *r, sal_xml *xml, int parent, spec_tendon *t)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule = mjcf_rule_of(r, child, parent);
        if (rule == NULL) {
            continue;
        }
        spec_wrap wrap = {.head.xml = child, .id = -1, .side_id = -1};
        wrap.type = rule->element == MJCF_EL_WRAP_JOINT  ? SAL_WRAP_JOINT
                    : rule->element == MJCF_EL_WRAP_SITE ? SAL_WRAP_SITE
                    : rule->element == MJCF_EL_WRAP_GEOM ? SAL_WRAP_SPHERE
                                                         : SAL_WRAP_PULLEY;
        mjcf_read_attrs(r, rule, child, false, &wrap);
        spec_keep(r->spec, &t->wrap, &wrap, sizeof wrap);
    }
}

void mjcf_read_tendons(mjcf_reader *r, sal_xml *xml)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule = mjcf_rule_of(r, child, MJCF_IN_TENDON);
        if (rule != NULL) {
            spec_tendon t = mjcf_class_of(r, child, NULL)->tendon;
            t.head = (spec_head){.xml = child, .nuser = t.head.nuser};
            mjcf_read_tendon(r, rule, child, false, &t);
            read_path(r, child, rule->inside, &t);
            spec_keep(r->spec, &r->spec->tendon, &t, sizeof t);
        }
    }
}
