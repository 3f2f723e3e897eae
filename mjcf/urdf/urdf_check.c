/* urdf_check.c: what a URDF file says that means nothing here. */
#include "mjcf/urdf/urdf.h"

#include <stdio.h>
#include <string.h>

/* What an element may hold; NULL: anything, unread. */
typedef struct known {
    const char *tag, *parents, *attrs, *children;
} known;

static const known elements[] = {
    {"robot", "", "name version",
     "link joint material mujoco transmission gazebo ros2_control sensor group plugin"},
    {"link", "robot", "name type",
     "inertial visual collision contact self_collision_checking collision_checking sensor gazebo"},
    {"joint", "robot", "name type",
     "origin parent child axis calibration dynamics limit mimic safety_controller"},
    {"inertial", "link", "name", "origin mass inertia"},
    {"mass", "inertial", "value", ""},
    {"inertia", "inertial", "ixx iyy izz ixy ixz iyz", ""},
    {"visual", "link", "name", "origin geometry material"},
    {"collision", "link", "name group", "origin geometry verbose material contact_coefficients"},
    {"origin", "inertial visual collision joint", "xyz rpy", ""},
    {"geometry", "visual collision", "", "box cylinder sphere capsule mesh"},
    {"box", "geometry", "size", ""},
    {"cylinder", "geometry", "radius length", ""},
    {"capsule", "geometry", "radius length", ""},
    {"sphere", "geometry", "radius", ""},
    {"mesh", "geometry", "filename scale", ""},
    {"parent", "joint", "link", ""},
    {"child", "joint", "link", ""},
    {"axis", "joint", "xyz", ""},
    {"dynamics", "joint", "damping friction", ""},
    {"limit", "joint", "lower upper effort velocity acceleration jerk", ""},
    {"mimic", "joint", "joint multiplier offset", ""},
    {"mujoco", "robot", "", "compiler option size"},
};

enum { WORDS_MAX = 16 };

/* The word that was probably meant, of these; NULL */
static const char *meant(const mjcf_urdf *u, char out[128], const char *words, const char *word)
{
    char text[200], *list[WORDS_MAX], *at = text;
    const char *candidates[WORDS_MAX];
    const mjcf_reader r = {NULL, u->diag, NULL};
    size_t n = 0;
    snprintf(text, sizeof text, "%s", words);
    while (*at != 0 && n < WORDS_MAX) {
        list[n] = at;
        at += strcspn(at, " ");
        if (*at != 0) {
            *at++ = 0;
        }
        candidates[n] = list[n];
        n++;
    }
    return mjcf_suggestion(&r, out, word, candidates, n);
}

static const known *rule_of(const sal_xml *xml)
{
    const char *parent = xml->parent == NULL ? "" : xml->parent->tag;
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        if (strcmp(elements[i].tag, xml->tag) == 0 && mjcf_lists(elements[i].parents, parent)) {
            return &elements[i];
        }
    }
    return NULL;
}

static void check_attrs(mjcf_urdf *u, const known *rule, const sal_xml *xml)
{
    char near[128];
    for (int i = 0; i < xml->nattr; i++) {
        const char *name = xml->attr[i].name;
        if (!mjcf_lists(rule->attrs, name) && strncmp(name, "xmlns", 5) != 0) {
            sal_diag_warning(u->diag, xml->attr[i].name_place, meant(u, near, rule->attrs, name),
                             "the attribute '%.60s' of <%.60s> has no effect", name, xml->tag);
        }
    }
}

/* Whether an element is a macro of xacro, from which URDF files are made. */
static bool is_macro(const sal_xml *xml)
{
    return strncmp(xml->tag, "xacro:", 6) == 0;
}

static void check(mjcf_urdf *u, const known *rule, const sal_xml *xml)
{
    char near[128];
    check_attrs(u, rule, xml);
    for (const sal_xml *child = xml->child; child != NULL; child = child->next) {
        const known *inner = rule_of(child);
        if (is_macro(child)) {
            sal_diag_error(u->diag, child->place,
                           "expand it first: xacro robot.urdf.xacro -o robot.urdf",
                           "<%.60s> is a macro of xacro; this file is not yet URDF", child->tag);
        } else if (inner != NULL) {
            check(u, inner, child);
        } else if (!mjcf_lists(rule->children, child->tag)) {
            sal_diag_warning(u->diag, child->place, meant(u, near, rule->children, child->tag),
                             "the element <%.60s> in <%.60s> has no effect", child->tag, xml->tag);
        }
    }
}

void mjcf_urdf_check(mjcf_urdf *u, const sal_xml *root)
{
    check(u, &elements[0], root);
}
