/* urdf_joint.c: joints of a URDF. */
#include "mjcf/urdf/urdf.h"

#include <stdio.h>
#include <string.h>

enum { REVOLUTE, CONTINUOUS, PRISMATIC, FIXED, FLOATING, PLANAR, SPHERICAL, NTYPE };

static const char *const types[NTYPE] = {"revolute", "continuous", "prismatic", "fixed",
                                         "floating", "planar",     "spherical"};
static const char *const mjcf_types[NTYPE] = {
    [REVOLUTE] = "hinge", [CONTINUOUS] = "hinge", [PRISMATIC] = "slide",
    [FLOATING] = "free",  [PLANAR] = "slide",     [SPHERICAL] = "ball"};

/* NTYPE: reported */
static int type_of(mjcf_urdf *u, const sal_xml *joint)
{
    const sal_xml_attr *attr = mjcf_urdf_attr(u, joint, "type", true);
    const mjcf_reader r = {NULL, u->diag, NULL};
    char near[128];
    int type = 0;
    while (type < NTYPE && attr != NULL && strcmp(attr->value, types[type]) != 0) {
        type++;
    }
    if (attr != NULL && type == NTYPE) {
        const char *help = mjcf_suggestion(&r, near, attr->value, types, NTYPE);
        sal_diag_error(u->diag, attr->value_place,
                       help != NULL ? help
                                    : "allowed: revolute, continuous, prismatic, fixed, floating, "
                                      "planar, spherical",
                       "type in <joint> cannot be '%.60s'", attr->value);
    }
    return attr == NULL ? NTYPE : type;
}

static bool says(const sal_xml *xml, const char *name, const char *value)
{
    const sal_xml_attr *attr = sal_xml_find_attr(xml, name);
    return attr != NULL && strcmp(attr->value, value) == 0;
}

/* What the joints are called that a planar one becomes */
static const char *const plane[] = {"_TX", "_TY", "_RZ"};

/* Whether a joint of the model that this one becomes has the name */
static bool has_name(const sal_xml *joint, const char *name)
{
    const sal_xml_attr *own = sal_xml_find_attr(joint, "name");
    if (strcmp(joint->tag, "joint") != 0 || own == NULL || says(joint, "type", "fixed")) {
        return false;
    }
    if (!says(joint, "type", "planar")) {
        return strcmp(own->value, name) == 0;
    }
    const size_t n = strlen(own->value);
    bool found = false;
    for (size_t i = 0; i < sizeof plane / sizeof plane[0]; i++) {
        found = found || (strncmp(own->value, name, n) == 0 && strcmp(name + n, plane[i]) == 0);
    }
    return found;
}

/* Whether a joint that stands before this one has the name */
static bool is_taken(const sal_xml *joint, const char *name)
{
    const sal_xml *xml = joint->parent->child;
    while (xml != joint && !has_name(xml, name)) {
        xml = xml->next;
    }
    return xml != joint;
}

/* As in MuJoCo 3.14, the first of several joints of one name has it. Older ones refuse them, as all
 * do in MJCF. */
static sal_xml *put(mjcf_urdf *u, const mjcf_urdf_link *link, const char *type, const char *suffix)
{
    const sal_xml_attr *name = mjcf_urdf_attr(u, link->joint, "name", true);
    sal_text text = {0};
    sal_xml *xml = mjcf_urdf_put(u, link->body, "joint", link->joint);
    sal_text_format(&text, "%s%s", name == NULL ? "" : name->value, suffix);
    u->nomem = u->nomem || text.failed;
    if (u->mujoco == SAL_MUJOCO_314 && !u->nomem && name != NULL &&
        is_taken(link->joint, text.data)) {
        sal_diag_warning(u->diag, name->value_place, "give each joint a name of its own",
                         "another joint already has the name '%.100s'; this one has none, as in "
                         "MuJoCo",
                         text.data);
    } else {
        mjcf_urdf_set(u, xml, "name", u->nomem ? "" : text.data, name);
    }
    mjcf_urdf_set(u, xml, "type", type, sal_xml_find_attr(link->joint, "type"));
    sal_text_clear(&text);
    return xml;
}

/* The axis as given; x where it is not. */
static const sal_xml_attr *read_axis(mjcf_urdf *u, const sal_xml *joint, double axis[3])
{
    const sal_xml *xml = mjcf_urdf_child(u, joint, "axis", false);
    sal_v3_set(axis, 1, 0, 0);
    return xml == NULL ? NULL : mjcf_urdf_numbers(u, xml, "xyz", axis, 3, true);
}

static void put_dynamics(mjcf_urdf *u, sal_xml *xml, const sal_xml *joint)
{
    double number;
    const sal_xml *dynamics = mjcf_urdf_child(u, joint, "dynamics", false);
    if (dynamics == NULL) {
        return;
    }
    const sal_xml_attr *damping = mjcf_urdf_numbers(u, dynamics, "damping", &number, 1, false);
    const sal_xml_attr *friction = mjcf_urdf_numbers(u, dynamics, "friction", &number, 1, false);
    if (damping != NULL) {
        mjcf_urdf_set(u, xml, "damping", damping->value, damping);
    }
    if (friction != NULL) {
        mjcf_urdf_set(u, xml, "frictionloss", friction->value, friction);
    }
}

/* lower and upper limit the joint if both are given, in this order, whatever its type (in 2.2.2 one
 * that is missing is 0); effort is the largest force of actuators, and 0 is none. A limit of the
 * speed does not exist. */
static void put_limit(mjcf_urdf *u, sal_xml *xml, const sal_xml *joint)
{
    double range[2] = {0, 0}, effort = 0;
    const sal_xml *limit = mjcf_urdf_child(u, joint, "limit", false);
    if (limit == NULL) {
        return;
    }
    const sal_xml_attr *lower = mjcf_urdf_bound(u, limit, "lower", range);
    const sal_xml_attr *upper = mjcf_urdf_bound(u, limit, "upper", range + 1);
    const sal_xml_attr *most = mjcf_urdf_bound(u, limit, "effort", &effort);
    if (lower != NULL || upper != NULL) {
        const bool both = (lower != NULL && upper != NULL) || u->mujoco == SAL_MUJOCO_222;
        const bool good = both && range[0] < range[1];
        const sal_xml_attr *first = lower != NULL ? lower : upper;
        mjcf_urdf_set_reals(u, xml, "range", range, 2, first);
        if (!good && (lower == NULL || upper == NULL || range[0] > range[1])) {
            sal_diag_warning(u->diag, first->value_place, NULL, "the joint is not limited: %s",
                             lower == NULL   ? "upper is given, but not lower"
                             : upper == NULL ? "lower is given, but not upper"
                                             : "lower is larger than upper");
        }
        if (!good || u->mujoco == SAL_MUJOCO_222) { /* else it is limited since it has a range */
            mjcf_urdf_set(u, xml, "limited", good ? "true" : "false", first);
        }
    }
    if (most != NULL && effort != 0 && u->mujoco != SAL_MUJOCO_222) {
        const double force[2] = {-fabs(effort), fabs(effort)};
        mjcf_urdf_set_reals(u, xml, "actuatorfrcrange", force, 2, most);
    }
}

/* Two slides along x and y, and a hinge about z, of a frame whose z is the axis */
static void put_planar(mjcf_urdf *u, const mjcf_urdf_link *link, const double axis[3],
                       const sal_xml_attr *said)
{
    double quat[4], r[9];
    sal_quat_z_to(quat, axis);
    sal_quat_matrix(r, quat);
    for (int k = 0; k < 3; k++) {
        const double along[3] = {r[k], r[3 + k], r[6 + k]};
        sal_xml *xml = put(u, link, k < 2 ? "slide" : "hinge", plane[k]);
        mjcf_urdf_set_reals(u, xml, "axis", k < 2 ? along : axis, 3, said);
        put_dynamics(u, xml, link->joint);
        if (k == 0) {
            put_limit(u, xml, link->joint);
        }
    }
}

void mjcf_urdf_put_joint(mjcf_urdf *u, const mjcf_urdf_link *link)
{
    double axis[3];
    const int type = type_of(u, link->joint);
    if (type == NTYPE) {
        return;
    }
    const sal_xml_attr *said = read_axis(u, link->joint, axis);
    if (type == PLANAR) {
        put_planar(u, link, axis, said);
    } else if (type != FIXED) {
        sal_xml *xml = put(u, link, mjcf_types[type], "");
        if (type != FLOATING) {
            mjcf_urdf_set_reals(u, xml, "axis", axis, 3, said);
        }
        put_dynamics(u, xml, link->joint);
        put_limit(u, xml, link->joint);
    }
}

/* ---- mimics ---- */

/* Whether it turns about or slides along one axis. */
static bool is_scalar(const sal_xml *joint)
{
    const sal_xml_attr *type = sal_xml_find_attr(joint, "type");
    bool scalar = false;
    for (int k = REVOLUTE; k <= PRISMATIC && type != NULL; k++) {
        scalar = scalar || strcmp(type->value, types[k]) == 0;
    }
    return scalar;
}

static bool has_scalar(const sal_xml *root, const char *name)
{
    bool found = false;
    for (const sal_xml *xml = root->child; xml != NULL && !found; xml = xml->next) {
        const sal_xml_attr *own = sal_xml_find_attr(xml, "name");
        found = strcmp(xml->tag, "joint") == 0 && own != NULL && strcmp(own->value, name) == 0 &&
                is_scalar(xml);
    }
    return found;
}

/* MuJoCo 3.14 holds  q = offset + multiplier * q of the other;  3.12 has no mimics. */
static void put_mimic(mjcf_urdf *u, sal_xml *equality, const sal_xml *root, const sal_xml *joint)
{
    char help[400];
    double poly[5] = {0, 1};
    const sal_xml *mimic = mjcf_urdf_child(u, joint, "mimic", false);
    const sal_xml_attr *other = mimic == NULL ? NULL : mjcf_urdf_attr(u, mimic, "joint", true);
    const sal_xml_attr *name = sal_xml_find_attr(joint, "name");
    if (other == NULL || name == NULL) {
        return;
    }
    const sal_xml_attr *ratio = mjcf_urdf_numbers(u, mimic, "multiplier", poly + 1, 1, false);
    mjcf_urdf_numbers(u, mimic, "offset", poly, 1, false);
    if (u->mujoco != SAL_MUJOCO_314) {
        snprintf(help, sizeof help,
                 "convert the file to MJCF, and add to it <equality><joint joint1=\"%.60s\" "
                 "joint2=\"%.60s\" polycoef=\"%.9g %.9g 0 0 0\"/></equality>",
                 name->value, other->value, poly[0], poly[1]);
        sal_diag_warning(u->diag, mimic->place, help,
                         "<mimic> has no effect, as in MuJoCo 3.12: '%.60s' moves by itself",
                         name->value);
    } else if (!is_scalar(joint) || !has_scalar(root, other->value)) {
        sal_diag_warning(u->diag, mimic->place, NULL,
                         "<mimic> has no effect: '%.60s' or '%.60s' is no joint of one axis",
                         name->value, other->value);
    } else {
        sal_xml *xml = mjcf_urdf_put(u, equality, "joint", mimic);
        mjcf_urdf_set(u, xml, "joint1", name->value, name);
        mjcf_urdf_set(u, xml, "joint2", other->value, other);
        mjcf_urdf_set_reals(u, xml, "polycoef", poly, 5, ratio);
    }
}

void mjcf_urdf_put_mimics(mjcf_urdf *u, sal_xml *out, const sal_xml *root)
{
    sal_xml *equality = mjcf_urdf_put(u, out, "equality", root);
    for (const sal_xml *xml = root->child; xml != NULL && !u->nomem; xml = xml->next) {
        if (strcmp(xml->tag, "joint") == 0) {
            put_mimic(u, equality, root, xml);
        }
    }
}
