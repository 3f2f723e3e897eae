/* urdf.c: a URDF file as MJCF. */
#include "mjcf/urdf/urdf.h"

#include <string.h>

/* ---- settings ---- */

static void put_unless_said(mjcf_urdf *u, sal_xml *xml, const char *name, const char *value)
{
    if (!u->nomem && sal_xml_find_attr(xml, name) == NULL) {
        mjcf_urdf_set(u, xml, name, value, NULL);
    }
}

/* What the <compiler> of the file says of how it is read itself. */
static void read_compiler(mjcf_urdf *u, const sal_xml *xml)
{
    const sal_xml_attr *strip = sal_xml_find_attr(xml, "strippath");
    const sal_xml_attr *discard = sal_xml_find_attr(xml, "discardvisual");
    const sal_xml_attr *meshdir = sal_xml_find_attr(xml, "meshdir");
    const sal_xml_attr *assetdir = sal_xml_find_attr(xml, "assetdir");
    u->strips = strip != NULL && strcmp(strip->value, "true") == 0;
    u->keeps_visual = discard != NULL && strcmp(discard->value, "false") == 0;
    u->meshdir = meshdir != NULL ? meshdir->value : assetdir != NULL ? assetdir->value : "";
}

/* In <mujoco> of a URDF MuJoCo passes over attributes that it does not know. */
static void drop_unknown(mjcf_urdf *u, sal_xml *compiler)
{
    enum { MOST = 64 };
    const mjcf_reader r = {NULL, u->diag, NULL};
    const mjcf_rule *rule = mjcf_find_rule(MJCF_IN_ROOT, "compiler");
    const char *known[MOST];
    char near[128];
    size_t n = 0;
    for (const mjcf_attr *a = rule->attr; a->name != NULL && n < MOST; a++) {
        known[n++] = a->name;
    }
    for (int i = compiler == NULL ? -1 : compiler->nattr - 1; i >= 0; i--) {
        const sal_xml_attr *attr = &compiler->attr[i];
        size_t k = 0;
        while (k < n && strcmp(known[k], attr->name) != 0) {
            k++;
        }
        if (k == n) {
            sal_diag_warning(
                u->diag, attr->name_place, mjcf_suggestion(&r, near, attr->name, known, n),
                "unknown attribute '%.100s' in <compiler> has no effect, as in MuJoCo", attr->name);
            sal_xml_unset(compiler, attr->name);
        }
    }
}

/* The settings of <mujoco> are those of MJCF; angles are in radians always, and files of meshes
 * have been found. */
static void put_settings(mjcf_urdf *u, sal_xml *out, const sal_xml *root)
{
    static const char *const own[] = {"meshdir", "assetdir", "strippath", "angle", "eulerseq"};
    const sal_xml *mujoco = mjcf_urdf_child(u, root, "mujoco", false);
    const sal_xml *from = mujoco == NULL ? NULL : mjcf_urdf_child(u, mujoco, "compiler", false);
    if (from != NULL) {
        read_compiler(u, from);
        mjcf_urdf_copy(u, out, from);
    } else {
        mjcf_urdf_put(u, out, "compiler", root);
    }
    sal_xml *compiler = u->nomem ? NULL : out->last;
    drop_unknown(u, compiler);
    for (size_t i = 0; i < sizeof own / sizeof own[0] && !u->nomem; i++) {
        sal_xml_unset(compiler, own[i]);
    }
    mjcf_urdf_set(u, compiler, "angle", "radian", NULL);
    mjcf_urdf_set(u, compiler, "eulerseq", "XYZ", NULL);
    put_unless_said(u, compiler, "fusestatic", "true");
    put_unless_said(u, compiler, "discardvisual", "true");
    for (const sal_xml *xml = mujoco == NULL ? NULL : mujoco->child; xml != NULL; xml = xml->next) {
        if (strcmp(xml->tag, "option") == 0 || strcmp(xml->tag, "size") == 0) {
            mjcf_urdf_copy(u, out, xml);
        }
    }
}

/* ---- bodies ---- */

/* The link is a body of its parent's, of the world if it has none; a root named "world" is the
 * world. */
static void start_body(mjcf_urdf *u, mjcf_urdf_link *link)
{
    sal_xml *parent = link->parent == NULL ? u->world : link->parent->body;
    if (link->parent == NULL && strcmp(link->name, "world") == 0) {
        link->body = u->world;
        return;
    }
    link->body = mjcf_urdf_put(u, parent, "body", link->xml);
    mjcf_urdf_set(u, link->body, "name", link->name, sal_xml_find_attr(link->xml, "name"));
    if (link->joint != NULL) {
        mjcf_urdf_put_origin(u, link->body, link->joint);
    }
}

static void put_bodies(mjcf_urdf *u)
{
    for (int i = 0; i < u->link.n && !u->nomem; i++) {
        mjcf_urdf_link *link = u->link.item[i];
        start_body(u, link);
        mjcf_urdf_put_inertial(u, link);
        if (link->joint != NULL) {
            mjcf_urdf_put_joint(u, link);
        }
        mjcf_urdf_put_geoms(u, link);
    }
}

/* ---- the whole ---- */

static void translate(mjcf_urdf *u, const sal_xml *root)
{
    const sal_xml_attr *name = sal_xml_find_attr(root, "name");
    sal_xml *out = mjcf_urdf_put(u, NULL, "mujoco", root);
    mjcf_urdf_set(u, out, "model", name == NULL ? "MuJoCo Model" : name->value, name);
    mjcf_urdf_check(u, root);
    put_settings(u, out, root);
    u->asset = mjcf_urdf_put(u, out, "asset", root);
    u->world = mjcf_urdf_put(u, out, "worldbody", root);
    mjcf_urdf_read_colours(u, root);
    if (mjcf_urdf_read_tree(u, root)) {
        put_bodies(u);
        mjcf_urdf_put_mimics(u, out, root);
    }
}

static void adopt(sal_xml *parent)
{
    for (sal_xml *xml = parent->child; xml != NULL; xml = xml->next) {
        xml->parent = parent;
    }
}

/* Two elements change all but their places in their documents. */
static void exchange(sal_xml *one, sal_xml *other)
{
    const sal_xml first = *one, second = *other;
    *one = second;
    *other = first;
    one->parent = first.parent;
    one->next = first.next;
    other->parent = second.parent;
    other->next = second.next;
    adopt(one);
    adopt(other);
}

sal_status mjcf_from_urdf(sal_xml *root, const char *path, sal_mujoco mujoco, sal_diag *diag,
                          sal_err *err)
{
    mjcf_urdf u = {.diag = diag, .path = path, .mujoco = mujoco, .meshdir = ""};
    translate(&u, root);
    const bool nomem = u.nomem || u.pool.nomem;
    if (!nomem) {
        exchange(root, u.out.root);
    }
    sal_xml_free(&u.out);
    spec_free(&u.pool);
    return nomem ? sal_fail(err, SAL_NOMEM, "out of memory") : SAL_OK;
}
