/* read_replicate.c: <replicate> becomes one <frame> per copy, before the tree is read.
 *
 * Copy i of n stands at the pose (p_i, q_i) in its parent's frame, with the offset d and the Euler
 * angles e:
 *     q_i = euler(i e),   p_0 = 0,   p_{i+1} = p_i + R(q_i) d
 * and everything named in it is renamed: name, separator, i with as many digits as n has. What
 * refers to something in it (sensors, actuators, tendons, equality constraints, pairs, excludes) is
 * replaced by n copies at the end of its list, renamed likewise. (MuJoCo documentation, "XML
 * reference", replicate.) */
#include "mjcf/attach/attach.h"
#include "mjcf/compile.h"
#include "mjcf/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES_MAX = 1000000, REPLICATES_MAX = 1000 };

typedef struct replicate_count {
    long elements, copied;
} replicate_count;

/* A name that copies change, and of what kind of object; or a <composite>, which makes some. */
typedef struct renamed {
    const char *name;
    int type;
    const sal_xml *composite;
} renamed;

typedef struct replicate {
    mjcf_reader *r;
    sal_xml *root;
    spec_replicate said;
    renamed *name; /* sorted */
    int nname, capacity;
    char suffix[80]; /* of the copy that is made */
    long made;       /* elements, over all */
    bool full;
} replicate;

/* ---- names ---- */

static int by_type_and_name(const void *a, const void *b)
{
    const renamed *x = a, *y = b;
    return x->type != y->type ? x->type - y->type : strcmp(x->name, y->name);
}

static bool is_renamed(const replicate *c, int type, const char *name)
{
    const renamed key = {name, type, NULL};
    for (int i = 0; i < c->nname && c->name[i].type == MJCF_COMPOSITE; i++) {
        if (mjcf_composite_makes(c->name[i].composite, type, name)) {
            return true;
        }
    }
    return c->nname > 0 && bsearch(&key, c->name, (size_t)c->nname, sizeof key, by_type_and_name);
}

static void add_name(replicate *c, int type, const char *name, const sal_xml *composite)
{
    if (c->nname == c->capacity) {
        const int capacity = c->capacity == 0 ? 64 : 2 * c->capacity;
        renamed *bigger = spec_take(c->r->spec, (size_t)capacity, sizeof *bigger);
        if (bigger == NULL) {
            return;
        }
        if (c->nname > 0) {
            memcpy(bigger, c->name, (size_t)c->nname * sizeof *bigger);
        }
        c->name = bigger;
        c->capacity = capacity;
    }
    c->name[c->nname++] = (renamed){name, type, composite};
}

static void sort_names(replicate *c)
{
    if (c->nname > 0) {
        qsort(c->name, (size_t)c->nname, sizeof *c->name, by_type_and_name);
    }
}

typedef struct word_type {
    const char *word;
    int type;
} word_type;

static int look_up(const word_type *table, const char *word)
{
    for (; table->word != NULL; table++) {
        if (strcmp(table->word, word) == 0) {
            return table->type;
        }
    }
    return SAL_OBJ_NONE;
}

/* What an element of the tree is, by its tag, or objtype and reftype of a sensor. */
static const word_type objects[] = {{"body", SAL_OBJ_BODY},         {"xbody", SAL_OBJ_BODY},
                                    {"joint", SAL_OBJ_JOINT},       {"freejoint", SAL_OBJ_JOINT},
                                    {"geom", SAL_OBJ_GEOM},         {"site", SAL_OBJ_SITE},
                                    {"camera", SAL_OBJ_CAMERA},     {"tendon", SAL_OBJ_TENDON},
                                    {"actuator", SAL_OBJ_ACTUATOR}, {NULL, SAL_OBJ_NONE}};

/* Attributes that name an object. */
static const word_type references[] = {
    {"body", SAL_OBJ_BODY},           {"body1", SAL_OBJ_BODY},      {"body2", SAL_OBJ_BODY},
    {"subtree1", SAL_OBJ_BODY},       {"subtree2", SAL_OBJ_BODY},   {"target", SAL_OBJ_BODY},
    {"joint", SAL_OBJ_JOINT},         {"joint1", SAL_OBJ_JOINT},    {"joint2", SAL_OBJ_JOINT},
    {"jointinparent", SAL_OBJ_JOINT}, {"geom", SAL_OBJ_GEOM},       {"geom1", SAL_OBJ_GEOM},
    {"geom2", SAL_OBJ_GEOM},          {"site", SAL_OBJ_SITE},       {"site1", SAL_OBJ_SITE},
    {"site2", SAL_OBJ_SITE},          {"refsite", SAL_OBJ_SITE},    {"sidesite", SAL_OBJ_SITE},
    {"cranksite", SAL_OBJ_SITE},      {"slidersite", SAL_OBJ_SITE}, {"camera", SAL_OBJ_CAMERA},
    {"tendon", SAL_OBJ_TENDON},       {"tendon1", SAL_OBJ_TENDON},  {"tendon2", SAL_OBJ_TENDON},
    {"actuator", SAL_OBJ_ACTUATOR},   {NULL, SAL_OBJ_NONE}};

int mjcf_object_type(const char *tag)
{
    return look_up(objects, tag);
}

int mjcf_reference_type(const sal_xml *xml, const char *attr)
{
    const bool object = strcmp(attr, "objname") == 0;
    if (object || strcmp(attr, "refname") == 0) {
        const sal_xml_attr *type = sal_xml_find_attr(xml, object ? "objtype" : "reftype");
        return type == NULL ? SAL_OBJ_NONE : look_up(objects, type->value);
    }
    return look_up(references, attr);
}

static bool refers(const replicate *c, const sal_xml *xml)
{
    for (int i = 0; i < xml->nattr; i++) {
        const int type = mjcf_reference_type(xml, xml->attr[i].name);
        if (type != SAL_OBJ_NONE && is_renamed(c, type, xml->attr[i].value)) {
            return true;
        }
    }
    for (const sal_xml *child = xml->child; child != NULL; child = child->next) {
        if (refers(c, child)) {
            return true;
        }
    }
    return false;
}

static void collect_names(replicate *c, const sal_xml *parent)
{
    for (const sal_xml *xml = parent->child; xml != NULL; xml = xml->next) {
        const sal_xml_attr *name = sal_xml_find_attr(xml, "name");
        const int type = mjcf_object_type(xml->tag);
        if (strcmp(xml->tag, "composite") == 0) {
            add_name(c, MJCF_COMPOSITE, "", xml);
        } else if (name != NULL && name->value[0] != 0 && type != SAL_OBJ_NONE) {
            add_name(c, type, name->value, NULL);
        }
        collect_names(c, xml);
    }
}

/* ---- copies ---- */

static long count_elements(const sal_xml *xml)
{
    long n = 1;
    for (const sal_xml *child = xml->child; child != NULL; child = child->next) {
        n += count_elements(child);
    }
    return n;
}

/* false (reported once) if `elements` copied count times are too many. */
static bool there_is_room(replicate *c, const sal_xml *at, long elements)
{
    if (!c->full && c->said.count > 0 && elements > (COPIES_MAX - c->made) / c->said.count) {
        mjcf_error(
            c->r, at->place, NULL,
            "<replicate> would make more than %d elements, the most that are allowed: reduce count",
            COPIES_MAX);
        c->full = true;
    }
    c->made += c->full ? 0 : elements * c->said.count;
    return !c->full;
}

static void set(replicate *c, sal_xml *to, const char *name, const char *value,
                const sal_xml_attr *from)
{
    if (sal_xml_set(to, name, value, NULL) != SAL_OK) {
        c->r->spec->nomem = true;
        return;
    }
    sal_xml_attr *attr = sal_xml_find_attr(to, name);
    attr->name_place = from->name_place;
    attr->value_place = from->value_place;
}

/* The value of an attribute in the copy: with the suffix if it is a name that changes. */
static void copy_attr(replicate *c, sal_xml *to, const sal_xml *xml, const sal_xml_attr *attr)
{
    const int type = mjcf_reference_type(xml, attr->name);
    const bool own = (strcmp(attr->name, "name") == 0 && attr->value[0] != 0) ||
                     strcmp(attr->name, MJCF_SUFFIX) == 0;
    if (own || (type != SAL_OBJ_NONE && is_renamed(c, type, attr->value))) {
        sal_text longer = {0};
        sal_text_format(&longer, "%s%s", attr->value, c->suffix);
        set(c, to, attr->name, longer.failed ? "" : longer.data, attr);
        c->r->spec->nomem = c->r->spec->nomem || longer.failed;
        sal_text_clear(&longer);
    } else {
        set(c, to, attr->name, attr->value, attr);
    }
}

static sal_xml *add(replicate *c, sal_xml *parent, const char *tag, sal_place place)
{
    sal_xml *xml = sal_xml_add(c->r->doc, parent, tag);
    if (xml == NULL) {
        c->r->spec->nomem = true;
    } else {
        xml->place = place;
    }
    return xml;
}

static sal_xml *copy_below(replicate *c, sal_xml *parent, const sal_xml *xml)
{
    const sal_xml_attr here = {.name_place = xml->place, .value_place = xml->place};
    sal_xml *to = add(c, parent, xml->tag, xml->place);
    if (to != NULL && strcmp(xml->tag, "composite") == 0) {
        set(c, to, MJCF_SUFFIX, c->suffix, &here);
    }
    for (int i = 0; to != NULL && i < xml->nattr; i++) {
        copy_attr(c, to, xml, &xml->attr[i]);
    }
    for (const sal_xml *child = xml->child; to != NULL && child != NULL; child = child->next) {
        if (copy_below(c, to, child) == NULL) {
            return NULL;
        }
    }
    return to;
}

static void set_suffix(replicate *c, int copy)
{
    char number[16];
    const int digits = snprintf(number, sizeof number, "%d", c->said.count);
    snprintf(c->suffix, sizeof c->suffix, "%.60s%0*d", c->said.sep == NULL ? "" : c->said.sep,
             digits, copy);
}

/* ---- what refers to the copies ---- */

static const char *const lists[] = {"tendon", "contact", "equality", "actuator", "sensor"};

/* Moves the elements of a list that refer to what was copied to the end of `to`. */
static void take_out(replicate *c, sal_xml *list, sal_xml *to)
{
    sal_xml *before = NULL;
    for (sal_xml *xml = list->child, *next; xml != NULL; xml = next) {
        next = xml->next;
        if (!refers(c, xml) || !there_is_room(c, xml, count_elements(xml))) {
            before = xml;
            continue;
        }
        if (before == NULL) {
            list->child = next;
        } else {
            before->next = next;
        }
        list->last = list->last == xml ? before : list->last;
        xml->parent = to;
        xml->next = NULL;
        to->last->next = xml;
        to->last = xml;
    }
}

/* Replaces the elements of a list that refer to what was copied by copies at the list's end.
 * Tendons and actuators are then referred to by what follows. The originals go into `waste`, which
 * is not empty. */
static void copy_list(replicate *c, const char *tag, sal_xml *waste)
{
    const sal_xml *old = waste->last;
    const int type = mjcf_object_type(tag), nname = c->nname;
    sal_xml *end = NULL;
    for (sal_xml *list = c->root->child; list != NULL; list = list->next) {
        if (strcmp(list->tag, tag) == 0) {
            take_out(c, list, waste);
            end = list;
        }
    }
    for (int copy = 0; copy < c->said.count; copy++) {
        set_suffix(c, copy);
        for (const sal_xml *xml = old->next; xml != NULL && !c->r->spec->nomem; xml = xml->next) {
            copy_below(c, end, xml);
        }
    }
    for (const sal_xml *xml = old->next; xml != NULL && type != SAL_OBJ_NONE; xml = xml->next) {
        const sal_xml_attr *name = sal_xml_find_attr(xml, "name");
        if (name != NULL && name->value[0] != 0) {
            add_name(c, type, name->value, NULL);
        }
    }
    if (c->nname > nname) {
        sort_names(c);
    }
}

/* ---- the element ---- */

static void set_reals(replicate *c, sal_xml *to, const char *name, const double *value, int n)
{
    const sal_xml_attr nowhere = {.name_place = to->place, .value_place = to->place};
    sal_text text = {0};
    for (int i = 0; i < n; i++) {
        sal_text_add(&text, " ");
        sal_text_real(&text, value[i], 0);
    }
    if (text.failed) {
        c->r->spec->nomem = true;
    } else {
        set(c, to, name, text.data, &nowhere);
    }
    sal_text_clear(&text);
}

/* One <frame> a copy into `frames`, the last child of the element. */
static void copy_trees(replicate *c, const sal_xml *xml, sal_xml *frames)
{
    const spec_head head = {.xml = frames};
    const sal_xml_attr *class = sal_xml_find_attr(xml, "childclass");
    spec_work work = {.spec = c->r->spec, .diag = c->r->diag};
    double pos[3] = {0, 0, 0};
    for (int copy = 0; copy < c->said.count && !c->r->spec->nomem; copy++) {
        spec_pose pose = spec_pose_default();
        double quat[4], step[3];
        sal_v3_scale(pose.euler, c->said.euler, copy);
        spec_orientation(&work, &head, &pose, quat);
        set_suffix(c, copy);
        sal_xml *frame = add(c, frames, "frame", xml->place);
        if (frame == NULL) {
            return;
        }
        if (class != NULL) {
            set(c, frame, "childclass", class->value, class);
        }
        set_reals(c, frame, "pos", pos, 3);
        set_reals(c, frame, "quat", quat, 4);
        for (const sal_xml *child = xml->child; child != frames; child = child->next) {
            if (copy_below(c, frame, child) == NULL) {
                return;
            }
        }
        sal_quat_rotate(step, quat, c->said.offset);
        sal_v3_add(pos, pos, step);
    }
}

/* A body has one inertia. MuJoCo leaves an <inertial> in <replicate> out without a word. */
static void refuse_inertial(mjcf_reader *r, const sal_xml *parent)
{
    for (const sal_xml *xml = parent->child; xml != NULL; xml = xml->next) {
        if (strcmp(xml->tag, "inertial") == 0) {
            mjcf_error(r, xml->place, "write it in the <body> itself",
                       "<inertial> cannot stand in <replicate>: a body can have only one");
        } else if (strcmp(xml->tag, "frame") == 0) {
            refuse_inertial(r, xml);
        }
    }
}

/* Replaces one <replicate>, in which none is left, by its copies. */
static void expand(mjcf_reader *r, sal_xml *root, sal_xml *xml, long *made)
{
    replicate c = {.r = r, .root = root, .made = *made};
    const int before = r->diag->nerror;
    const mjcf_rule *rule = mjcf_find_rule(MJCF_IN_WORLD, "replicate");
    const char *version;
    if (mjcf_is_younger(r, rule->tag, rule->parents, NULL, NULL, &version)) {
        return; /* who reads the bodies says so */
    }
    r->spec->copied = true;
    mjcf_read_attrs(r, rule, xml, false, &c.said);
    refuse_inertial(r, xml);
    const bool good = r->diag->nerror == before && there_is_room(&c, xml, count_elements(xml));
    collect_names(&c, xml);
    sort_names(&c);
    sal_xml *frames = add(&c, xml, "frames", xml->place);
    if (frames == NULL) {
        return;
    }
    if (good) {
        copy_trees(&c, xml, frames);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0] && c.nname > 0; i++) {
            copy_list(&c, lists[i], xml);
        }
        *made = c.made;
    }
    sal_xml_replace(xml, frames);
}

/* Whether it may hold a <replicate>. */
static bool holds_bodies(const sal_xml *xml)
{
    static const char *const tags[] = {"worldbody", "body", "frame", "replicate"};
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        if (strcmp(xml->tag, tags[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Innermost first and in document order, as MuJoCo does: the order of what refers to copies depends
 * on it. */
static void expand_below(mjcf_reader *r, sal_xml *root, sal_xml *parent, replicate_count *n)
{
    for (sal_xml *xml = parent->child, *next; xml != NULL && !r->spec->nomem; xml = next) {
        next = xml->next;
        if (holds_bodies(xml)) {
            expand_below(r, root, xml, n);
        }
        if (strcmp(xml->tag, "replicate") != 0) {
            continue;
        }
        if (++n->elements > REPLICATES_MAX) {
            mjcf_error(r, xml->place, NULL,
                       "the model has more than %d elements <replicate>, the most that are allowed",
                       REPLICATES_MAX);
            return;
        }
        expand(r, root, xml, &n->copied);
    }
}

void mjcf_expand_replicates(mjcf_reader *r, sal_xml *root)
{
    replicate_count n = {0};
    for (sal_xml *xml = root->child; xml != NULL && !r->spec->nomem; xml = xml->next) {
        if (strcmp(xml->tag, "worldbody") == 0) {
            expand_below(r, root, xml, &n);
        }
    }
}
