/* key.c: keyframes of a sub-model.
 *
 * Its vectors are those of the whole sub-model, of which perhaps only a body is attached, to a
 * model that has more joints. So each number goes with the joint, actuator or mocap body it
 * belongs to, which get numbers of their own: MJCF_QPOS="3 1 0.5 4 4 1 0 0 0" says that of joint 3
 * one number follows, of joint 4 four. How many an actuator has is not known before it is compiled:
 * MJCF_ACT="2 5 6 0.1 0.2" says that of actuators 5 and 6 two numbers follow. The rest of the model
 * is as posed. */
#include "mjcf/attach/key.h"

#include "mjcf/attach/attach.h"

#include <stdio.h>
#include <string.h>

typedef enum key_part { KEY_QPOS, KEY_QVEL, KEY_MPOS, KEY_MQUAT, KEY_CTRL, KEY_ACT } key_part;

static const struct {
    const char *plain, *marked;
} key_attrs[] = {{"qpos", MJCF_QPOS},   {"qvel", MJCF_QVEL}, {"mpos", MJCF_MPOS},
                 {"mquat", MJCF_MQUAT}, {"ctrl", MJCF_CTRL}, {"act", MJCF_ACT}};

/* ---- types of joints ---- */

/* The class of that name, or (NULL) a main class of part `part`, after `from`. */
static const sal_xml *find_class(const sal_xml *parent, const char *name)
{
    for (const sal_xml *xml = parent->child; xml != NULL; xml = xml->next) {
        if (strcmp(xml->tag, "default") == 0) {
            const sal_xml_attr *class = sal_xml_find_attr(xml, "class");
            if (class != NULL && strcmp(class->value, name) == 0) {
                return xml;
            }
            const sal_xml *inner = find_class(xml, name);
            if (inner != NULL) {
                return inner;
            }
        }
    }
    return NULL;
}

static bool same_part(const sal_xml_attr *a, const sal_xml_attr *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a->value, b->value) == 0;
}

/* The type that a class says of joints; NULL: nothing. */
static const char *type_in(const sal_xml *class)
{
    const char *type = NULL;
    for (const sal_xml *xml = class->child; xml != NULL; xml = xml->next) {
        const sal_xml_attr *said =
            strcmp(xml->tag, "joint") == 0 ? sal_xml_find_attr(xml, "type") : NULL;
        type = said != NULL ? said->value : type;
    }
    return type;
}

static const char *joint_type(const sal_xml *root, const sal_xml *joint)
{
    const sal_xml_attr *type = sal_xml_find_attr(joint, "type");
    const sal_xml_attr *class = sal_xml_find_attr(joint, "class"), *part = NULL;
    const char *found = type == NULL ? NULL : type->value;
    for (const sal_xml *xml = joint->parent; xml != NULL && part == NULL; xml = xml->parent) {
        class = class == NULL ? sal_xml_find_attr(xml, "childclass") : class;
        part = sal_xml_find_attr(xml, MJCF_PART);
    }
    const sal_xml *c = class == NULL || found != NULL ? NULL : find_class(root, class->value);
    for (; c != NULL && strcmp(c->tag, "default") == 0 && found == NULL; c = c->parent) {
        found = type_in(c);
    }
    for (const sal_xml *xml = root->child; xml != NULL && found == NULL; xml = xml->next) {
        if (strcmp(xml->tag, "default") == 0 &&
            same_part(part, sal_xml_find_attr(xml, MJCF_PART))) {
            found = type_in(xml);
        }
    }
    return found == NULL ? "hinge" : found;
}

/* How many numbers of a keyframe's vector an element has. */
static int count(const sal_xml *root, const sal_xml *xml, key_part part)
{
    const bool free_one = strcmp(xml->tag, "freejoint") == 0;
    if (part == KEY_MPOS || part == KEY_MQUAT) {
        const sal_xml_attr *mocap = sal_xml_find_attr(xml, "mocap");
        const bool is =
            strcmp(xml->tag, "body") == 0 && mocap != NULL && strcmp(mocap->value, "true") == 0;
        return !is ? 0 : part == KEY_MPOS ? 3 : 4;
    }
    if (!free_one && strcmp(xml->tag, "joint") != 0) {
        return 0;
    }
    const char *type = free_one ? "free" : joint_type(root, xml);
    const int position = part == KEY_QPOS;
    return strcmp(type, "free") == 0 ? 6 + position : strcmp(type, "ball") == 0 ? 3 + position : 1;
}

/* ---- numbers to their elements ---- */

typedef struct key_numbers {
    mjcf_attach *a;
    const sal_xml *root;
    key_part part;
    /* what is left of the attribute, and what it becomes */
    const char *rest;
    sal_text text;
    /* numbers that there should be */
    int wanted;
} key_numbers;

static int id_of(mjcf_attach *a, sal_xml *xml)
{
    const sal_xml_attr *id = sal_xml_find_attr(xml, MJCF_ID);
    int number = 0;
    if (id == NULL) {
        number = ++a->nid;
        mjcf_attach_set_int(a, xml, MJCF_ID, number);
    } else {
        number = mjcf_mark_number(id);
    }
    return number;
}

static void give(key_numbers *k, sal_xml *xml)
{
    static const char space[] = " \t\r\n";
    const int n = count(k->root, xml, k->part);
    k->wanted += n;
    if (n == 0 || k->rest[0] == 0) {
        return;
    }
    sal_text_format(&k->text, "%d %d ", id_of(k->a, xml), n);
    for (int i = 0; i < n; i++) {
        const size_t length = strcspn(k->rest, space);
        sal_text_addn(&k->text, k->rest, length);
        sal_text_add(&k->text, " ");
        k->rest += length;
        k->rest += strspn(k->rest, space);
    }
}

static void give_below(key_numbers *k, sal_xml *parent)
{
    for (sal_xml *xml = parent->child; xml != NULL; xml = xml->next) {
        give(k, xml);
        give_below(k, xml);
    }
}

/* Controls and activations: all actuators, then all numbers. */
static void convert_of_actuators(mjcf_attach *a, sal_xml *root, sal_xml *key, key_part part)
{
    const sal_xml_attr *attr = sal_xml_find_attr(key, key_attrs[part].plain);
    sal_text ids = {0}, text = {0};
    int n = 0;
    if (sal_xml_is_blank(attr)) {
        return;
    }
    for (sal_xml *list = root->child; list != NULL; list = list->next) {
        for (sal_xml *xml = list->child; strcmp(list->tag, "actuator") == 0 && xml != NULL;
             xml = xml->next, n++) {
            sal_text_format(&ids, "%d ", id_of(a, xml));
        }
    }
    sal_text_format(&text, "%d %s%s", n, n == 0 ? "" : ids.data, attr->value);
    if (ids.failed || text.failed) {
        a->status = a->status == SAL_OK ? sal_fail(a->err, SAL_NOMEM, "out of memory") : a->status;
    } else {
        const sal_place place = attr->value_place;
        mjcf_attach_set(a, key, key_attrs[part].marked, text.data);
        sal_xml_attr *said = sal_xml_find_attr(key, key_attrs[part].marked);
        if (said != NULL) {
            said->value_place = place;
        }
        sal_xml_unset(key, key_attrs[part].plain);
    }
    sal_text_clear(&ids);
    sal_text_clear(&text);
}

static void convert(mjcf_attach *a, sal_xml *root, sal_xml *key, key_part part)
{
    enum { LONGEST = 1000000 };
    const sal_xml_attr *attr = sal_xml_find_attr(key, key_attrs[part].plain);
    key_numbers k = {.a = a, .root = root, .part = part};
    if (sal_xml_is_blank(attr)) {
        return;
    }
    k.rest = attr->value + strspn(attr->value, " \t\r\n");
    for (sal_xml *xml = root->child; xml != NULL; xml = xml->next) {
        if (strcmp(xml->tag, "worldbody") == 0) {
            give_below(&k, xml);
        }
    }
    const int n = mjcf_read_numbers(a->r->diag, attr, NULL, 0, LONGEST, 0);
    if (n >= 0 && n != k.wanted) {
        mjcf_error(a->r, attr->value_place, NULL, "%s needs %d number%s, and has %d", attr->name,
                   k.wanted, k.wanted == 1 ? "" : "s", n);
    } else if (k.text.failed) {
        a->status = sal_fail(a->err, SAL_NOMEM, "out of memory");
    } else if (n > 0) {
        mjcf_attach_set(a, key, key_attrs[part].marked, k.text.data);
        sal_xml_unset(key, key_attrs[part].plain);
    }
    sal_text_clear(&k.text);
}

void mjcf_attach_keys(mjcf_attach *a, sal_xml *root)
{
    for (sal_xml *frames = root->child; frames != NULL; frames = frames->next) {
        const bool own =
            strcmp(frames->tag, "keyframe") == 0 && sal_xml_find_attr(frames, MJCF_PART) == NULL;
        for (sal_xml *key = frames->child; own && key != NULL; key = key->next) {
            for (int part = KEY_QPOS; part <= KEY_ACT && a->status == SAL_OK; part++) {
                if (part < KEY_CTRL) {
                    convert(a, root, key, (key_part)part);
                } else {
                    convert_of_actuators(a, root, key, (key_part)part);
                }
            }
        }
    }
}
