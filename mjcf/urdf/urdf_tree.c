/* urdf_tree.c: links and joints as a tree. */
#include "mjcf/urdf/urdf.h"

#include <stdio.h>
#include <string.h>

/* Elements nest so deep in a document; a body of MJCF stands in that of its parent. */
enum { DEPTH_MAX = 480 };

static void read_link(mjcf_urdf *u, sal_xml *xml)
{
    const sal_xml_attr *name = mjcf_urdf_attr(u, xml, "name", true);
    if (name == NULL) {
        return;
    }
    if (name->value[0] == 0) {
        sal_diag_error(u->diag, name->value_place, NULL, "the name of this <link> is empty");
        return;
    }
    if (spec_index_find(&u->links, name->value) != NULL) {
        sal_diag_error(u->diag, name->value_place, "give each link its own name",
                       "there are two links named '%.100s'", name->value);
        return;
    }
    const mjcf_urdf_link link = {.xml = xml, .name = name->value};
    mjcf_urdf_link *kept = spec_keep(&u->pool, &u->link, &link, sizeof link);
    if (kept != NULL) {
        spec_index_put(&u->pool, &u->links, name->value, kept);
    }
}

/* The link that the element of a joint names; NULL, reported: there is none. */
static mjcf_urdf_link *link_of(mjcf_urdf *u, const sal_xml *joint, const char *tag)
{
    const sal_xml *xml = mjcf_urdf_child(u, joint, tag, true);
    const sal_xml_attr *attr = xml == NULL ? NULL : mjcf_urdf_attr(u, xml, "link", true);
    mjcf_urdf_link *link = attr == NULL ? NULL : spec_index_find(&u->links, attr->value);
    if (attr != NULL && link == NULL) {
        const char *nearest = NULL;
        const char **names = spec_take(&u->pool, (size_t)u->link.n + 1, sizeof *names);
        for (int i = 0; i < u->link.n && names != NULL; i++) {
            names[i] = ((const mjcf_urdf_link *)u->link.item[i])->name;
        }
        if (names != NULL && !sal_diag_is_full(u->diag)) {
            nearest = sal_text_nearest(attr->value, names, (size_t)u->link.n);
        }
        char help[128];
        snprintf(help, sizeof help, "did you mean '%.80s'?", nearest == NULL ? "" : nearest);
        sal_diag_error(u->diag, attr->value_place, nearest == NULL ? NULL : help,
                       "there is no link named '%.100s'", attr->value);
    }
    return link;
}

static void read_joint(mjcf_urdf *u, sal_xml *xml)
{
    mjcf_urdf_link *parent = link_of(u, xml, "parent"), *child = link_of(u, xml, "child");
    if (parent == NULL || child == NULL) {
        return;
    }
    if (child->joint != NULL) {
        const sal_xml_attr *other = sal_xml_find_attr(child->joint, "name");
        sal_diag_error(u->diag, xml->place,
                       "a loop is closed in MJCF, by an equality: see saltus convert",
                       "the link '%.80s' is already the child of the joint '%.80s'; it can have "
                       "one parent only",
                       child->name, other == NULL ? "" : other->value);
        return;
    }
    if (strcmp(child->name, "world") == 0) {
        sal_diag_error(u->diag, xml->place, "give the link another name",
                       "the link 'world' is the world itself; it cannot be the child of a joint");
        return;
    }
    child->joint = xml;
    child->parent = parent;
    spec_push(&u->pool, &parent->child, child);
}

/* The link and all below it, parents first, children in the order of their joints: the order in
 * which MuJoCo makes bodies. It tells where the link "world" is not the first root: its children
 * and the other roots are all bodies of the world. False: a chain is too long (reported). */
static bool follow(mjcf_urdf *u, mjcf_urdf_link *link, int depth, spec_list *order)
{
    link->depth = depth;
    spec_push(&u->pool, order, link);
    if (depth > DEPTH_MAX) {
        sal_diag_error(u->diag, link->xml->place, NULL,
                       "the link '%.80s' is the %d-th of a chain; at most %d are allowed",
                       link->name, depth, DEPTH_MAX);
        return false;
    }
    bool good = true;
    for (int k = 0; k < link->child.n && good; k++) {
        good = follow(u, link->child.item[k], depth + 1, order);
    }
    return good;
}

/* The links in the order of the tree; true: all links were reached, so there is a tree. */
static bool reach(mjcf_urdf *u)
{
    spec_list order = {0};
    for (int i = 0; i < u->link.n; i++) {
        mjcf_urdf_link *link = u->link.item[i];
        if (link->parent == NULL && !follow(u, link, 1, &order)) {
            return false;
        }
    }
    if (order.n == u->link.n || u->pool.nomem) {
        u->link = order;
        return !u->pool.nomem;
    }
    for (int i = 0; i < u->link.n; i++) {
        const mjcf_urdf_link *link = u->link.item[i];
        if (link->depth == 0) {
            sal_diag_error(u->diag, link->joint->place, NULL,
                           "the joints form a cycle: following parents from the link '%.80s' "
                           "leads to no root",
                           link->name);
            break;
        }
    }
    return false;
}

bool mjcf_urdf_read_tree(mjcf_urdf *u, const sal_xml *root)
{
    const int before = u->diag->nerror;
    for (sal_xml *xml = root->child; xml != NULL; xml = xml->next) {
        if (strcmp(xml->tag, "link") == 0) {
            read_link(u, xml);
        }
    }
    for (sal_xml *xml = root->child; xml != NULL; xml = xml->next) {
        if (strcmp(xml->tag, "joint") == 0) {
            read_joint(u, xml);
        }
    }
    return u->diag->nerror == before && reach(u);
}
