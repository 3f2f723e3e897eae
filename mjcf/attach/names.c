/* names.c: the names of a sub-model in the model that it becomes part of.
 *
 * Each gets the prefix. Of the lists (contacts, tendons, equalities, actuators, sensors, tuples)
 * only what refers to nothing but the attached bodies comes along; as in MuJoCo the rest is left
 * out. A name that the sub-model does not know either stays, for who reads it to report. */
#include "mjcf/attach/attach.h"

#include <stdlib.h>
#include <string.h>

/* Or a <composite>, which makes some. */
typedef struct known_name {
    const char *name;
    int type;
    const sal_xml *composite;
} known_name;

typedef struct name_set {
    known_name *name;
    int n, capacity;
    bool nomem;
} name_set;

/* ---- sets of names ---- */

static int by_type_and_name(const void *a, const void *b)
{
    const known_name *x = a, *y = b;
    return x->type != y->type ? x->type - y->type : strcmp(x->name, y->name);
}

static void put(name_set *set, int type, const sal_xml *xml)
{
    const bool composite = strcmp(xml->tag, "composite") == 0;
    const sal_xml_attr *name = sal_xml_find_attr(xml, "name");
    if (!composite && (name == NULL || name->value[0] == 0 || type == SAL_OBJ_NONE)) {
        return;
    }
    if (set->n == set->capacity) {
        const int capacity = set->capacity == 0 ? 64 : 2 * set->capacity;
        known_name *bigger = sal_alloc((size_t)capacity, sizeof *bigger);
        if (bigger == NULL) {
            set->nomem = true;
            return;
        }
        if (set->n > 0) {
            memcpy(bigger, set->name, (size_t)set->n * sizeof *bigger);
        }
        sal_free(set->name);
        set->name = bigger;
        set->capacity = capacity;
    }
    set->name[set->n++] =
        composite ? (known_name){"", MJCF_COMPOSITE, xml} : (known_name){name->value, type, NULL};
}

static void sort(name_set *set)
{
    if (set->n > 0) {
        qsort(set->name, (size_t)set->n, sizeof *set->name, by_type_and_name);
    }
}

static bool has(const name_set *set, int type, const char *name)
{
    const known_name key = {name, type, NULL};
    for (int i = 0; i < set->n && set->name[i].type == MJCF_COMPOSITE; i++) {
        if (mjcf_composite_makes(set->name[i].composite, type, name)) {
            return true;
        }
    }
    return set->n > 0 && bsearch(&key, set->name, (size_t)set->n, sizeof key, by_type_and_name);
}

static void put_tree(name_set *set, const sal_xml *parent)
{
    for (const sal_xml *xml = parent->child; xml != NULL; xml = xml->next) {
        put(set, mjcf_object_type(xml->tag), xml);
        put_tree(set, xml);
    }
}

static void put_list(name_set *set, const sal_xml *root, const char *tag)
{
    for (const sal_xml *list = root->child; list != NULL; list = list->next) {
        for (const sal_xml *xml = list->child; strcmp(list->tag, tag) == 0 && xml != NULL;
             xml = xml->next) {
            put(set, mjcf_object_type(tag), xml);
        }
    }
    sort(set);
}

/* ---- what comes along ---- */

typedef struct selection {
    mjcf_attach *a;
    /* of the sub-model, and of what is kept */
    name_set all, kept;
    sal_xml *waste;
} selection;

/* The world is no part of what is attached, but MuJoCo finds it in these. */
static bool is_world(const sal_xml *xml, const sal_xml_attr *attr)
{
    return strcmp(attr->value, "world") == 0 &&
           (strcmp(xml->tag, "exclude") == 0 || strcmp(attr->name, "refname") == 0);
}

/* Whether the element, or one in it, needs what is not kept. */
static bool lacks(selection *s, const sal_xml *xml)
{
    for (int i = 0; i < xml->nattr; i++) {
        const sal_xml_attr *attr = &xml->attr[i];
        const int type = mjcf_reference_type(xml, attr->name);
        if (type == SAL_OBJ_NONE || has(&s->kept, type, attr->value) || is_world(xml, attr)) {
            continue;
        }
        if (type == SAL_OBJ_BODY && strcmp(attr->value, "world") == 0) {
            sal_diag_warning(s->a->r->diag, attr->value_place, NULL,
                             "<%s> of a sub-model names its world and is left out, as in MuJoCo",
                             xml->tag);
            return true;
        }
        if (has(&s->all, type, attr->value)) {
            return true;
        }
    }
    for (const sal_xml *child = xml->child; child != NULL; child = child->next) {
        if (lacks(s, child)) {
            return true;
        }
    }
    return false;
}

static void select_list(selection *s, sal_xml *root, const char *tag)
{
    for (sal_xml *list = root->child; list != NULL; list = list->next) {
        for (sal_xml *xml = list->child, *next; strcmp(list->tag, tag) == 0 && xml != NULL;
             xml = next) {
            next = xml->next;
            if (lacks(s, xml)) {
                sal_xml_move(xml, s->waste);
            }
        }
    }
    put_list(&s->kept, root, tag);
}

/* ---- prefixes ---- */

/* Names of things that are not copied by <replicate>. */
static bool is_name(const sal_xml *xml, const char *attr)
{
    static const char *const names[] = {"name",     "class",  "childclass", "mesh",
                                        "material", "hfield", "texture"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], attr) == 0) {
            return true;
        }
    }
    return mjcf_reference_type(xml, attr) != SAL_OBJ_NONE || strcmp(attr, "objname") == 0 ||
           strcmp(attr, "refname") == 0;
}

static void lengthen(mjcf_attach *a, sal_xml *xml, const char *name, const char *prefix,
                     const char *value)
{
    sal_text longer = {0};
    sal_text_format(&longer, "%s%s", prefix, value);
    if (longer.failed) {
        a->status = sal_fail(a->err, SAL_NOMEM, "out of memory");
    } else {
        mjcf_attach_set(a, xml, name, longer.data);
    }
    sal_text_clear(&longer);
}

static void put_prefix(mjcf_attach *a, sal_xml *xml, const char *prefix)
{
    if (strcmp(xml->tag, "composite") == 0) {
        const sal_xml_attr *own = sal_xml_find_attr(xml, "prefix");
        lengthen(a, xml, "prefix", prefix, own == NULL ? "" : own->value);
    }
    for (int i = 0; i < xml->nattr && a->status == SAL_OK; i++) {
        sal_xml_attr *attr = &xml->attr[i];
        if (attr->value[0] != 0 && is_name(xml, attr->name) && !is_world(xml, attr)) {
            const sal_place name_place = attr->name_place, value_place = attr->value_place;
            lengthen(a, xml, attr->name, prefix, attr->value);
            attr = &xml->attr[i];
            attr->name_place = name_place;
            attr->value_place = value_place;
        }
    }
    for (sal_xml *child = xml->child; child != NULL && a->status == SAL_OK; child = child->next) {
        put_prefix(a, child, prefix);
    }
}

/* A mesh or height field is named after its file where it has no name: that name gets the prefix,
 * too. */
static void name_after_files(mjcf_attach *a, sal_xml *root)
{
    for (sal_xml *asset = root->child; asset != NULL; asset = asset->next) {
        for (sal_xml *xml = asset->child; strcmp(asset->tag, "asset") == 0 && xml != NULL;
             xml = xml->next) {
            const sal_xml_attr *file = sal_xml_find_attr(xml, "file");
            const bool is_named_so =
                strcmp(xml->tag, "mesh") == 0 || strcmp(xml->tag, "hfield") == 0;
            if (is_named_so && file != NULL && sal_xml_find_attr(xml, "name") == NULL) {
                size_t n;
                const char *stem = mjcf_stem(file->value, &n);
                sal_text name = {0};
                sal_text_addn(&name, stem, n);
                if (!name.failed && name.data != NULL) {
                    mjcf_attach_set(a, xml, "name", name.data);
                }
                sal_text_clear(&name);
            }
        }
    }
}

void mjcf_attach_names(mjcf_attach *a, sal_xml *root, const char *prefix, sal_xml *kept,
                       sal_xml *waste)
{
    static const char *const lists[] = {"contact",  "tendon", "equality",
                                        "actuator", "sensor", "custom"};
    selection s = {.a = a, .waste = waste};
    put_tree(&s.kept, kept);
    put_tree(&s.all, kept);
    for (const sal_xml *xml = root->child; xml != NULL; xml = xml->next) {
        if (strcmp(xml->tag, "worldbody") == 0) {
            put_tree(&s.all, xml);
        }
    }
    put_list(&s.all, root, "tendon");
    put_list(&s.all, root, "actuator");
    sort(&s.kept);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        select_list(&s, root, lists[i]);
    }
    if ((s.all.nomem || s.kept.nomem) && a->status == SAL_OK) {
        a->status = sal_fail(a->err, SAL_NOMEM, "out of memory");
    }
    sal_free(s.all.name);
    sal_free(s.kept.name);
    name_after_files(a, root);
    put_prefix(a, root, prefix);
    put_prefix(a, kept, prefix);
}
