/* urdf_body.c: what a link of a URDF holds: its inertia, its geoms. */
#include "mjcf/compile.h"
#include "mjcf/urdf/urdf.h"

#include <string.h>

/* ---- inertia ---- */

/* The rotation rpy, about the fixed axes x, y, z */
static void rotation(double q[4], const double rpy[3])
{
    q[0] = 1, q[1] = q[2] = q[3] = 0;
    for (int k = 0; k < 3; k++) {
        double axis[3] = {0, 0, 0}, by[4], product[4];
        axis[k] = 1;
        sal_quat_axisangle(by, axis, rpy[k]);
        sal_quat_mul(product, by, q);
        sal_quat_copy(q, product);
    }
}

static void matrix_of(double full[9], const double inertia[6])
{
    static const int place[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    for (int k = 0; k < 9; k++) {
        full[k] = inertia[place[k]];
    }
}

/* R I R' of an inertia in a frame turned by rpy */
static void turn(double inertia[6], const double rpy[3])
{
    double q[4], r[9], full[9], t[9], turned[9];
    rotation(q, rpy);
    sal_quat_matrix(r, q);
    matrix_of(full, inertia);
    sal_m3_mul(t, r, full);
    for (int i = 0; i < 3; i++) {
        sal_m3_mulv(turned + 3 * i, t, r + 3 * i);
    }
    static const int place[6] = {0, 4, 8, 1, 2, 5};
    for (int k = 0; k < 6; k++) {
        inertia[k] = turned[place[k]];
    }
}

/* The inertia as the body's, in the axes of the link */
static void put_full(mjcf_urdf *u, sal_xml *out, const double inertia[6], const sal_xml_attr *first)
{
    mjcf_urdf_set_reals(u, out, "fullinertia", inertia, 6, first);
    if (!u->nomem) {
        sal_xml_unset(out, "euler");
    }
}

/* MuJoCo 2.2.2 finds the principal axes, to the precision that it has, and turns these. */
static void put_principal(mjcf_urdf *u, sal_xml *out, const double inertia[6], const double rpy[3],
                          const sal_xml_attr *first)
{
    double full[9], principal[3], frame[4], q[4], axes[4];
    matrix_of(full, inertia);
    spec_principal(u->mujoco, SPEC_EXACT_AXES, full, principal, frame);
    rotation(q, rpy);
    sal_quat_mul(axes, q, frame);
    mjcf_urdf_set_reals(u, out, "diaginertia", principal, 3, first);
    mjcf_urdf_set_reals(u, out, "quat", axes, 4, first);
    if (!u->nomem) {
        sal_xml_unset(out, "euler");
    }
}

/* The inertia in its frame. MuJoCo 3.12 takes it in the axes of the link, however its frame is
 * turned. That matters where the inertia is not that of a ball. */
static void put_turned(mjcf_urdf *u, sal_xml *out, const sal_xml *inertial, double inertia[6],
                       const sal_xml_attr *first)
{
    double rpy[3];
    const bool ball = inertia[0] == inertia[1] && inertia[1] == inertia[2] && inertia[3] == 0 &&
                      inertia[4] == 0 && inertia[5] == 0;
    const sal_xml *origin = mjcf_urdf_child(u, inertial, "origin", false);
    const sal_xml_attr *attr =
        origin == NULL ? NULL : mjcf_urdf_numbers(u, origin, "rpy", rpy, 3, false);
    if (attr != NULL && u->mujoco == SAL_MUJOCO_222) {
        put_principal(u, out, inertia, rpy, first);
        return;
    }
    if (attr != NULL && u->mujoco == SAL_MUJOCO_314) {
        turn(inertia, rpy);
    } else if (attr != NULL && !ball && (rpy[0] != 0 || rpy[1] != 0 || rpy[2] != 0)) {
        sal_diag_warning(
            u->diag, attr->value_place,
            "give the inertia in the axes of the link, with rpy=\"0 0 0\"",
            "rpy of an <inertial> has no effect, as in MuJoCo 3.12: its inertia is taken "
            "in the axes of the link");
    }
    put_full(u, out, inertia, first);
}

/* An inertia of zeros is none yet: the compiler's boundinertia may make one of it. */
static void put_inertia(mjcf_urdf *u, sal_xml *out, const sal_xml *inertial, const sal_xml *xml)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    double inertia[6] = {0};
    const sal_xml_attr *first = NULL;
    bool good = true, any = false;
    for (int k = 0; k < 6; k++) {
        const sal_xml_attr *attr = mjcf_urdf_numbers(u, xml, names[k], inertia + k, 1, true);
        good = good && attr != NULL;
        any = any || inertia[k] != 0;
        first = k == 0 ? attr : first;
    }
    if (!good) {
        return;
    }
    if (any) {
        put_turned(u, out, inertial, inertia, first);
    } else {
        mjcf_urdf_set(u, out, "diaginertia", "0 0 0", first);
    }
}

void mjcf_urdf_put_inertial(mjcf_urdf *u, const mjcf_urdf_link *link)
{
    double number;
    const sal_xml *xml = mjcf_urdf_child(u, link->xml, "inertial", false);
    if (xml == NULL) {
        return;
    }
    if (link->body == u->world) {
        sal_diag_warning(u->diag, xml->place, NULL,
                         "the inertia of the world has no effect, and is left out");
        return;
    }
    sal_xml *out = mjcf_urdf_put(u, link->body, "inertial", xml);
    mjcf_urdf_set(u, out, "pos", "0 0 0", NULL);
    mjcf_urdf_put_origin(u, out, xml);
    const sal_xml *mass = mjcf_urdf_child(u, xml, "mass", true);
    const sal_xml *inertia = mjcf_urdf_child(u, xml, "inertia", true);
    const sal_xml_attr *value =
        mass == NULL ? NULL : mjcf_urdf_numbers(u, mass, "value", &number, 1, true);
    if (value != NULL) {
        mjcf_urdf_set(u, out, "mass", value->value, value);
    }
    if (inertia != NULL) {
        put_inertia(u, out, xml, inertia);
    }
}

/* ---- colours ---- */

static sal_xml_attr *colour_of(mjcf_urdf *u, const sal_xml *material)
{
    double rgba[4];
    const sal_xml *colour = mjcf_urdf_child(u, material, "color", false);
    const bool good = colour != NULL && mjcf_urdf_numbers(u, colour, "rgba", rgba, 4, true) != NULL;
    return good ? sal_xml_find_attr(colour, "rgba") : NULL;
}

/* A name is the colour's that it was first given with, wherever in the file. */
void mjcf_urdf_read_colours(mjcf_urdf *u, const sal_xml *xml)
{
    for (const sal_xml *child = xml->child; child != NULL; child = child->next) {
        const sal_xml_attr *name =
            strcmp(child->tag, "material") == 0 ? sal_xml_find_attr(child, "name") : NULL;
        sal_xml_attr *rgba = name == NULL ? NULL : colour_of(u, child);
        if (rgba != NULL && spec_index_find(&u->colours, name->value) == NULL) {
            spec_index_put(&u->pool, &u->colours, name->value, rgba);
        }
        mjcf_urdf_read_colours(u, child); /* as deep as a document may be */
    }
}

/* The colour of a <visual>, or the one before */
static const sal_xml_attr *next_colour(mjcf_urdf *u, const sal_xml *visual,
                                       const sal_xml_attr *before)
{
    double rgba[4];
    const sal_xml *material = mjcf_urdf_child(u, visual, "material", false);
    const sal_xml *colour = material == NULL ? NULL : mjcf_urdf_child(u, material, "color", false);
    const sal_xml_attr *name = material == NULL ? NULL : sal_xml_find_attr(material, "name");
    const sal_xml_attr *said = NULL;
    if (colour != NULL) {
        said = mjcf_urdf_numbers(u, colour, "rgba", rgba, 4, true);
    } else if (name != NULL) {
        said = spec_index_find(&u->colours, name->value);
    }
    return said == NULL ? before : said;
}

/* ---- geoms ---- */

/* A URDF has whole sizes, MJCF half of them. */
static void put_box(mjcf_urdf *u, sal_xml *geom, const sal_xml *xml)
{
    double size[3];
    const sal_xml_attr *attr = mjcf_urdf_numbers(u, xml, "size", size, 3, true);
    if (attr != NULL) {
        sal_v3_scale(size, size, 0.5);
        mjcf_urdf_set_reals(u, geom, "size", size, 3, attr);
    }
}

static void put_round(mjcf_urdf *u, sal_xml *geom, const sal_xml *xml)
{
    double size[2];
    const int n = strcmp(xml->tag, "sphere") == 0 ? 1 : 2;
    const sal_xml_attr *radius = mjcf_urdf_numbers(u, xml, "radius", size, 1, true);
    const sal_xml_attr *length =
        n == 1 ? radius : mjcf_urdf_numbers(u, xml, "length", size + 1, 1, true);
    if (radius != NULL && length != NULL) {
        size[1] = n == 1 ? 0 : size[1] / 2;
        mjcf_urdf_set_reals(u, geom, "size", size, n, radius);
    }
}

static void put_shape(mjcf_urdf *u, sal_xml *geom, const sal_xml *from)
{
    static const char *const tags[] = {"box", "cylinder", "sphere", "capsule", "mesh"};
    const sal_xml *geometry = mjcf_urdf_child(u, from, "geometry", true);
    const sal_xml *xml = NULL;
    for (size_t i = 0; i < 5 && geometry != NULL && xml == NULL; i++) {
        xml = mjcf_urdf_child(u, geometry, tags[i], false);
    }
    if (geometry == NULL) {
        return;
    }
    if (xml == NULL) {
        sal_diag_error(u->diag, geometry->place, NULL,
                       "<geometry> needs one of box, cylinder, sphere, capsule, mesh");
        return;
    }
    mjcf_urdf_set(u, geom, "type", xml->tag, NULL);
    if (strcmp(xml->tag, "mesh") == 0) {
        mjcf_urdf_put_mesh(u, geom, xml);
    } else if (strcmp(xml->tag, "box") == 0) {
        put_box(u, geom, xml);
    } else {
        put_round(u, geom, xml);
    }
}

/* The first geom of a name keeps it. */
static void put_name(mjcf_urdf *u, sal_xml *geom, const sal_xml *from)
{
    const sal_xml_attr *name = sal_xml_find_attr(from, "name");
    if (name == NULL || name->value[0] == 0) {
        return;
    }
    if (spec_index_find(&u->geoms, name->value) != NULL) {
        sal_diag_warning(u->diag, name->value_place, NULL,
                         "there is another geom named '%.80s'; this one has no name", name->value);
        return;
    }
    spec_index_put(&u->pool, &u->geoms, name->value, geom);
    mjcf_urdf_set(u, geom, "name", name->value, name);
}

static void put_geom(mjcf_urdf *u, const mjcf_urdf_link *link, const sal_xml *from,
                     const sal_xml_attr *rgba)
{
    const bool visual = strcmp(from->tag, "visual") == 0;
    sal_xml *geom = mjcf_urdf_put(u, link->body, "geom", from);
    if (geom == NULL) {
        return;
    }
    put_name(u, geom, from);
    put_shape(u, geom, from);
    mjcf_urdf_put_origin(u, geom, from);
    if (visual) {
        mjcf_urdf_set(u, geom, "contype", "0", NULL);
        mjcf_urdf_set(u, geom, "conaffinity", "0", NULL);
        mjcf_urdf_set(u, geom, "group", "1", NULL);
        mjcf_urdf_set(u, geom, "density", "0", NULL);
    }
    if (rgba != NULL) {
        mjcf_urdf_set(u, geom, "rgba", rgba->value, rgba);
    }
}

void mjcf_urdf_put_geoms(mjcf_urdf *u, const mjcf_urdf_link *link)
{
    const sal_xml_attr *rgba = NULL;
    for (const sal_xml *xml = link->xml->child; xml != NULL; xml = xml->next) {
        const bool visual = strcmp(xml->tag, "visual") == 0;
        rgba = visual ? next_colour(u, xml, rgba) : rgba;
        if (strcmp(xml->tag, "collision") == 0 || (visual && u->keeps_visual)) {
            put_geom(u, link, xml, rgba);
        }
    }
}
