/* urdf_read.c: elements, attributes and numbers of a URDF file, and of the MJCF made of it. */
#include "mjcf/urdf/urdf.h"

#include <string.h>

/* ---- reading ---- */

sal_xml *mjcf_urdf_child(mjcf_urdf *u, const sal_xml *xml, const char *tag, bool must)
{
    sal_xml *found = NULL;
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        if (strcmp(child->tag, tag) == 0) {
            if (found != NULL) {
                sal_diag_error(u->diag, child->place, NULL, "<%.60s> has <%.60s> twice", xml->tag,
                               tag);
                return NULL;
            }
            found = child;
        }
    }
    if (found == NULL && must) {
        sal_diag_error(u->diag, xml->place, NULL, "<%.60s> needs the element <%.60s>", xml->tag,
                       tag);
    }
    return found;
}

const sal_xml_attr *mjcf_urdf_attr(mjcf_urdf *u, const sal_xml *xml, const char *name, bool must)
{
    const sal_xml_attr *attr = sal_xml_find_attr(xml, name);
    if (attr == NULL && must) {
        sal_diag_error(u->diag, xml->place, NULL, "<%.60s> needs the attribute '%.60s'", xml->tag,
                       name);
    }
    return attr;
}

/* The attribute if it has numbers; an empty one counts as not given, as in MuJoCo. */
static const sal_xml_attr *filled(mjcf_urdf *u, const sal_xml *xml, const char *name, bool must)
{
    const sal_xml_attr *attr = mjcf_urdf_attr(u, xml, name, must);
    if (attr == NULL || !sal_xml_is_blank(attr) || u->mujoco == SAL_MUJOCO_222) {
        return attr;
    }
    if (must) {
        sal_diag_error(u->diag, attr->name_place, NULL, "%.60s in <%.60s> is empty", name,
                       xml->tag);
    } else {
        sal_diag_warning(u->diag, attr->name_place, "leave it out",
                         "%.60s in <%.60s> is empty, and counts as not given, as in MuJoCo", name,
                         xml->tag);
    }
    return NULL;
}

const sal_xml_attr *mjcf_urdf_numbers(mjcf_urdf *u, const sal_xml *xml, const char *name,
                                      double *value, int n, bool must)
{
    const sal_xml_attr *attr = filled(u, xml, name, must);
    return attr != NULL && mjcf_read_numbers(u->diag, attr, value, n, n, 0) == n ? attr : NULL;
}

const sal_xml_attr *mjcf_urdf_bound(mjcf_urdf *u, const sal_xml *xml, const char *name,
                                    double *value)
{
    const sal_xml_attr *attr = filled(u, xml, name, false);
    return attr != NULL && mjcf_read_numbers(u->diag, attr, value, 1, 1, MJCF_INF) == 1 ? attr
                                                                                        : NULL;
}

/* ---- writing ---- */

sal_xml *mjcf_urdf_put(mjcf_urdf *u, sal_xml *parent, const char *tag, const sal_xml *from)
{
    sal_xml *xml = u->nomem ? NULL : sal_xml_add(&u->out, parent, tag);
    u->nomem = xml == NULL;
    if (xml != NULL) {
        xml->place = from->place;
    }
    return xml;
}

void mjcf_urdf_set(mjcf_urdf *u, sal_xml *xml, const char *name, const char *value,
                   const sal_xml_attr *from)
{
    if (u->nomem || sal_xml_set(xml, name, value, NULL) != SAL_OK) {
        u->nomem = true;
        return;
    }
    sal_xml_attr *attr = sal_xml_find_attr(xml, name);
    attr->name_place = from != NULL ? from->name_place : xml->place;
    attr->value_place = from != NULL ? from->value_place : xml->place;
}

void mjcf_urdf_set_reals(mjcf_urdf *u, sal_xml *xml, const char *name, const double *value, int n,
                         const sal_xml_attr *from)
{
    sal_text text = {0};
    for (int i = 0; i < n; i++) {
        sal_text_add(&text, i == 0 ? "" : " ");
        sal_text_real(&text, value[i], 0);
    }
    u->nomem = u->nomem || text.failed;
    mjcf_urdf_set(u, xml, name, u->nomem ? "" : text.data, from);
    sal_text_clear(&text);
}

/* rpy: rotations about the fixed axes x, y, z, as the compiler's eulerseq says */
void mjcf_urdf_put_origin(mjcf_urdf *u, sal_xml *xml, const sal_xml *from)
{
    double number[3];
    const sal_xml *origin = mjcf_urdf_child(u, from, "origin", false);
    if (origin == NULL) {
        return;
    }
    const sal_xml_attr *xyz = mjcf_urdf_numbers(u, origin, "xyz", number, 3, false);
    const sal_xml_attr *rpy = mjcf_urdf_numbers(u, origin, "rpy", number, 3, false);
    if (xyz != NULL) {
        mjcf_urdf_set(u, xml, "pos", xyz->value, xyz);
    }
    if (rpy != NULL) {
        mjcf_urdf_set(u, xml, "euler", rpy->value, rpy);
    }
}

void mjcf_urdf_copy(mjcf_urdf *u, sal_xml *parent, const sal_xml *from)
{
    sal_xml *xml = mjcf_urdf_put(u, parent, from->tag, from);
    for (int i = 0; i < from->nattr; i++) {
        mjcf_urdf_set(u, xml, from->attr[i].name, from->attr[i].value, &from->attr[i]);
    }
    for (const sal_xml *child = from->child; child != NULL; child = child->next) {
        mjcf_urdf_copy(u, xml, child); /* as deep as a document may be */
    }
}
