/* composite.c: <composite>, an element that stands for many bodies. (MuJoCo documentation, "XML
 * reference", composite; of MuJoCo 2.2.2 the kinds that later versions dropped.)
 *
 * What is in it does not begin with a default class, but with MuJoCo's own defaults. */
#include "mjcf/composite/composite.h"

#include "mjcf/attach/attach.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BODIES_MAX = 100000 };

/* ---- pieces ---- */

const char *mjcf_composite_name(mjcf_composite *c, const char *format, ...)
{
    char tail[64];
    const sal_xml_attr *suffix = sal_xml_find_attr(c->xml, MJCF_SUFFIX);
    va_list args;
    va_start(args, format);
    vsnprintf(tail, sizeof tail, format, args);
    va_end(args);
    const char *name = mjcf_composite_joined(c, c->said.prefix == NULL ? "" : c->said.prefix, tail);
    return suffix == NULL ? name : mjcf_composite_joined(c, name, suffix->value);
}

const char *mjcf_composite_joined(mjcf_composite *c, const char *head, const char *tail)
{
    const size_t n = strlen(head) + strlen(tail) + 1;
    char *name = spec_take(c->r->spec, n, 1);
    if (name == NULL) {
        return "";
    }
    snprintf(name, n, "%s%s", head, tail);
    return name;
}

spec_body *mjcf_composite_body(mjcf_composite *c, spec_body *parent, const char *name)
{
    spec_body body = {.head = {.xml = c->xml, .name = name}, .pose = spec_pose_default()};
    body.parent = parent;
    body.frame = parent == c->body ? c->frame : NULL;
    return spec_keep(c->r->spec, &c->r->spec->body, &body, sizeof body);
}

spec_geom *mjcf_composite_geom(mjcf_composite *c, spec_body *body, const char *name)
{
    spec_geom geom = c->geom;
    geom.head = (spec_head){.xml = c->xml, .name = name};
    geom.frame = body == c->body ? c->frame : NULL;
    return spec_keep(c->r->spec, &body->geom, &geom, sizeof geom);
}

spec_site *mjcf_composite_site(mjcf_composite *c, spec_body *body, const char *name)
{
    spec_site site = c->site;
    site.head = (spec_head){.xml = c->xml, .name = name};
    site.frame = body == c->body ? c->frame : NULL;
    return spec_keep(c->r->spec, &body->site, &site, sizeof site);
}

spec_joint *mjcf_composite_joint(mjcf_composite *c, spec_body *body, spec_comp_kind kind, int type,
                                 const char *name)
{
    spec_joint joint = c->joint[kind].joint;
    joint.head = (spec_head){.xml = c->xml, .name = name};
    joint.type = type;
    sal_v3_set(joint.pos, 0, 0, 0);
    return spec_keep(c->r->spec, &body->joint, &joint, sizeof joint);
}

void mjcf_composite_hold(mjcf_composite *c, int type, const char *name, const double solref[2],
                         const double solimp[5])
{
    spec_class plain;
    spec_class_default(&plain, c->r->spec->mujoco);
    spec_equality eq = plain.equality;
    eq.head = (spec_head){.xml = c->xml};
    eq.type = type;
    eq.name1 = name;
    memcpy(eq.solref, solref, sizeof eq.solref);
    memcpy(eq.solimp, solimp, sizeof eq.solimp);
    spec_keep(c->r->spec, &c->r->spec->equality, &eq, sizeof eq);
}

void mjcf_composite_exclude(mjcf_composite *c, const char *body1, const char *body2)
{
    const spec_exclude exclude = {.head.xml = c->xml, .body1 = body1, .body2 = body2};
    spec_keep(c->r->spec, &c->r->spec->exclude, &exclude, sizeof exclude);
}

/* Of a cable; 0 if it does not say so. */
static int count_segments(const sal_xml *xml)
{
    const sal_xml_attr *vertex = sal_xml_find_attr(xml, "vertex"),
                       *count = sal_xml_find_attr(xml, "count"),
                       *said = vertex == NULL ? count : vertex;
    double first = 0;
    const char *end = NULL;
    int words = 0;
    for (const char *s = said == NULL ? "" : said->value; *s != 0; words++) {
        s += strspn(s, " \t\r\n");
        if (*s == 0) {
            break;
        }
        if (words == 0 && !sal_text_number(s, &end, &first)) {
            return 0;
        }
        s += strcspn(s, " \t\r\n");
    }
    if (vertex != NULL) {
        return words / 3 - 1;
    }
    return first > 1 && first <= BODIES_MAX ? (int)first - 1 : 0;
}

/* Names are prefix, kind, "first", "last" or a number, and the copies' suffix. */
bool mjcf_composite_makes(const sal_xml *xml, int type, const char *name)
{
    const sal_xml_attr *prefix = sal_xml_find_attr(xml, "prefix"),
                       *suffix = sal_xml_find_attr(xml, MJCF_SUFFIX);
    const char *kind = type == SAL_OBJ_BODY    ? "B_"
                       : type == SAL_OBJ_JOINT ? "J_"
                       : type == SAL_OBJ_GEOM  ? "G"
                       : type == SAL_OBJ_SITE  ? "S_"
                                               : NULL;
    const size_t n = prefix == NULL ? 0 : strlen(prefix->value);
    if (kind == NULL || (n > 0 && strncmp(name, prefix->value, n) != 0) ||
        strncmp(name + n, kind, strlen(kind)) != 0) {
        return false;
    }
    const char *which = name + n + strlen(kind), *tail = suffix == NULL ? "" : suffix->value;
    const size_t all = strlen(which), after = strlen(tail), length = all < after ? 0 : all - after;
    if (length == 0 || strcmp(which + length, tail) != 0) {
        return false;
    }
    if (type != SAL_OBJ_GEOM && ((length == 5 && strncmp(which, "first", 5) == 0) ||
                                 (length == 4 && strncmp(which, "last", 4) == 0))) {
        return true;
    }
    double number = 0;
    const char *end = which;
    char digits[12];
    snprintf(digits, sizeof digits, "%.*s", length > 11 ? 11 : (int)length, which);
    return strspn(digits, "0123456789") == length && sal_text_number(digits, &end, &number) &&
           number < count_segments(xml) - (type == SAL_OBJ_GEOM ? 0 : 1);
}

/* ---- what it says ---- */

/* Level 0: hard, 1: soft */
static void soften(double solref[2], double solimp[5], int level)
{
    solref[0] = level == 0 ? 0.01 : 0.02;
    solimp[0] = solimp[1] = level == 0 ? 0.99 : 0.9;
}

static bool is_solid(int type)
{
    return type == SPEC_COMP_BOX || type == SPEC_COMP_CYLINDER || type == SPEC_COMP_ELLIPSOID;
}

static void set_defaults(mjcf_composite *c, bool skin)
{
    spec_class plain;
    spec_class_default(&plain, c->r->spec->mujoco);
    const int type = c->said.type;
    const bool flat = type == SPEC_COMP_CLOTH || (type == SPEC_COMP_GRID && c->count[1] > 1);
    const int group = skin && (flat || is_solid(type)) ? 3 : 0;
    c->geom = plain.geom;
    c->site = plain.site;
    c->geom.group = group;
    c->site.group = 3;
    for (int k = 0; k < SPEC_COMP_NKIND; k++) {
        spec_comp_joint *j = &c->joint[k];
        spec_comp_tendon *t = &c->tendon[k];
        *j = (spec_comp_joint){.joint = plain.joint};
        *t = (spec_comp_tendon){.tendon = plain.tendon};
        j->joint.group = 3;
        t->tendon.group = group;
        memcpy(j->solref_fix, plain.equality.solref, sizeof j->solref_fix);
        memcpy(j->solimp_fix, plain.equality.solimp, sizeof j->solimp_fix);
        if (is_solid(type)) {
            soften(j->solref_fix, j->solimp_fix, 1);
        }
        memcpy(t->solref_fix, j->solref_fix, sizeof t->solref_fix);
        memcpy(t->solimp_fix, j->solimp_fix, sizeof t->solimp_fix);
    }
    if (type == SPEC_COMP_GRID || is_solid(type)) {
        spec_comp_tendon *t = &c->tendon[SPEC_COMP_MAIN];
        soften(t->solref_fix, t->solimp_fix, 0);
    }
    if (type == SPEC_COMP_PARTICLE) { /* without friction */
        c->geom.condim = 1;
        c->geom.priority = 1;
    }
    if (is_solid(type)) { /* its parts do not touch one another */
        c->geom.contype = 0;
    }
}

static void read_joint(mjcf_composite *c, const mjcf_rule *rule, sal_xml *xml)
{
    spec_comp_joint said = {0};
    sal_diag none = {0};
    mjcf_reader quiet = {c->r->spec, &none, c->r->doc};
    mjcf_read_attrs(&quiet, rule, xml, false, &said); /* for its kind */
    sal_diag_clear(&none);
    mjcf_read_attrs(c->r, rule, xml, false, &c->joint[said.kind]);
    c->has[said.kind] = true;
}

static void read_tendon(mjcf_composite *c, const mjcf_rule *rule, sal_xml *xml)
{
    spec_comp_tendon said = {0};
    sal_diag none = {0};
    mjcf_reader quiet = {c->r->spec, &none, c->r->doc};
    mjcf_read_attrs(&quiet, rule, xml, false, &said);
    sal_diag_clear(&none);
    mjcf_read_attrs(c->r, rule, xml, false, &c->tendon[said.kind]);
    c->has[said.kind] = true;
}

static void read_pin(mjcf_composite *c, const mjcf_rule *rule, sal_xml *xml)
{
    double coord[2] = {0, 0};
    mjcf_read_attrs(c->r, rule, xml, false, coord);
    double *all = spec_take(c->r->spec, (size_t)c->npin + 2, sizeof *all);
    if (all != NULL) {
        if (c->npin > 0) {
            memcpy(all, c->pin, (size_t)c->npin * sizeof *all);
        }
        all[c->npin] = coord[0];
        all[c->npin + 1] = coord[1];
        c->pin = all;
        c->npin += 2;
    }
}

static void read_piece(mjcf_composite *c, sal_xml *xml)
{
    const mjcf_rule *rule = mjcf_rule_of(c->r, xml, MJCF_IN_COMPOSITE);
    const int element = rule == NULL ? MJCF_EL_SKIP : (int)rule->element;
    if (element == MJCF_EL_COMP_JOINT) {
        read_joint(c, rule, xml);
    } else if (element == MJCF_EL_COMP_TENDON) {
        read_tendon(c, rule, xml);
    } else if (element == MJCF_EL_COMP_PIN) {
        read_pin(c, rule, xml);
    } else if (element == MJCF_EL_COMP_GEOM) {
        mjcf_read_attrs(c->r, rule, xml, false, &c->geom);
    } else if (element == MJCF_EL_COMP_SITE) {
        mjcf_read_attrs(c->r, rule, xml, false, &c->site);
    } else if (element == MJCF_EL_COMP_SKIN) {
        mjcf_read_attrs(c->r, rule, xml, false, &c->said); /* only drawn */
    }
}

/* Whole numbers of bodies, the ones at the end. */
static bool read_counts(mjcf_composite *c)
{
    const sal_xml_attr *attr = sal_xml_find_attr(c->xml, "count");
    double all = 1;
    for (int i = 0; i < 3; i++) {
        const double n = c->said.count[i];
        all *= n;
        if (!(n >= 1 && n <= BODIES_MAX && all <= BODIES_MAX) || n != floor(n)) {
            mjcf_error(c->r, attr == NULL ? c->xml->place : attr->value_place, NULL,
                       "count needs whole numbers from 1, at most %d bodies together", BODIES_MAX);
            return false;
        }
        c->count[i] = (int)n;
        c->dim += c->count[i] > 1;
        if (i > 0 && c->count[i] > 1 && c->count[i - 1] == 1) {
            mjcf_error(c->r, attr == NULL ? c->xml->place : attr->value_place, NULL,
                       "counts of 1 come last in count");
            return false;
        }
    }
    return true;
}

/* Whether this version has the type. */
static bool type_is_there(mjcf_composite *c)
{
    static const char *const dropped[] = {"spacing", "flatinertia", "solrefsmooth", "solimpsmooth"};
    const bool old = c->r->spec->mujoco == SAL_MUJOCO_222, cable = c->said.type == SPEC_COMP_CABLE;
    const sal_xml_attr *type = sal_xml_find_attr(c->xml, "type");
    if (!cable && !old && c->said.type != SPEC_COMP_NONE) {
        mjcf_error(c->r, type->value_place,
                   "read the model as MuJoCo 2.2.2 does (compat=\"2.2.2\", --compat 2.2.2), or use "
                   "<replicate> or type=\"cable\"",
                   "type=\"%s\" in <composite> was dropped by MuJoCo 3; MuJoCo 2.2.2 has it",
                   type->value);
        return false;
    }
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0] && cable; i++) {
        const sal_xml_attr *attr = sal_xml_find_attr(c->xml, dropped[i]);
        if (attr != NULL) {
            mjcf_error(c->r, attr->name_place, "the length of a cable is its size or its vertices",
                       "%s in <composite> has no meaning for a cable", dropped[i]);
            return false;
        }
    }
    return c->said.type != SPEC_COMP_NONE; /* else reported */
}

void mjcf_read_composite(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, spec_body *body,
                         const spec_frame *frame)
{
    const int before = r->diag->nerror;
    spec_class plain;
    mjcf_composite c = {.r = r, .xml = xml, .body = body, .frame = frame};
    spec_class_default(&plain, r->spec->mujoco);
    c.said = (spec_comp_said){.count = {1, 1, 1}, .size = {1, 0, 0}, .quat = {1, 0, 0, 0}};
    memcpy(c.said.solref_smooth, plain.equality.solref, sizeof c.said.solref_smooth);
    memcpy(c.said.solimp_smooth, plain.equality.solimp, sizeof c.said.solimp_smooth);
    mjcf_read_attrs(r, rule, xml, false, &c.said);
    if (r->spec->compiler.global) { /* as in MuJoCo 2.2.2 */
        mjcf_error(r, xml->place, NULL,
                   "<composite> cannot stand in a model in global coordinates");
    }
    if (!type_is_there(&c) || !read_counts(&c)) {
        return;
    }
    const int type = c.said.type;
    if (type == SPEC_COMP_LOOP || is_solid(type)) { /* what the file says comes after these */
        soften(c.said.solref_smooth, c.said.solimp_smooth, type == SPEC_COMP_LOOP ? 0 : 1);
        const sal_xml_attr *ref = sal_xml_find_attr(xml, "solrefsmooth");
        const sal_xml_attr *imp = sal_xml_find_attr(xml, "solimpsmooth");
        sal_diag none = {0};
        if (ref != NULL) {
            mjcf_read_numbers(&none, ref, c.said.solref_smooth, 1, 2, 0);
        }
        if (imp != NULL) {
            mjcf_read_numbers(&none, imp, c.said.solimp_smooth, 1, 5, 0);
        }
        sal_diag_clear(&none);
    }
    set_defaults(&c, sal_xml_child(xml, "skin") != NULL);
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        read_piece(&c, child);
    }
    if (r->diag->nerror > before || r->spec->nomem) {
        return;
    }
    if (type == SPEC_COMP_CABLE) {
        mjcf_composite_cable(&c);
    } else {
        mjcf_composite_old(&c);
    }
}
