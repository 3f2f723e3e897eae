/* compile_fuse.c: <compiler fusestatic="true">: a body without joints becomes part of its parent,
 * unless something refers to it (MuJoCo documentation, "XML reference", compiler). Its children
 * stand where it stood; what it holds comes after what its parent holds. */
#include "mjcf/compile.h"

#include <stdlib.h>
#include <string.h>

/* ---- what refers to a body ---- */

/* What names refer to: bodies, bodies as "xbody", and sites of force and torque sensors. */
typedef enum reference { BODY, XBODY, SITE, NREFERENCE } reference;

typedef struct named {
    const char **name; /* sorted */
    int n;
} named;

/* The next element in document order. */
static const sal_xml *after(const sal_xml *xml)
{
    if (xml->child != NULL) {
        return xml->child;
    }
    while (xml != NULL && xml->next == NULL) {
        xml = xml->parent;
    }
    return xml == NULL ? NULL : xml->next;
}

static bool is_of_type(const sal_xml *xml, const char *type, reference what)
{
    const sal_xml_attr *attr = sal_xml_find_attr(xml, type);
    return attr != NULL && strcmp(attr->value, what == BODY ? "body" : "xbody") == 0;
}

static bool is_force_sensor(const sal_xml *xml)
{
    return xml->parent != NULL && strcmp(xml->parent->tag, "sensor") == 0 &&
           (strcmp(xml->tag, "force") == 0 || strcmp(xml->tag, "torque") == 0);
}

/* Whether the attribute names one of these. */
static bool is_reference(const sal_xml *xml, const char *attr, reference what)
{
    static const char *const bodies[] = {"body",   "body1",    "body2",
                                         "target", "subtree1", "subtree2"};
    if (what == SITE) {
        return strcmp(attr, "site") == 0 && is_force_sensor(xml);
    }
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0] && what == BODY; i++) {
        if (strcmp(attr, bodies[i]) == 0) {
            return true;
        }
    }
    return (strcmp(attr, "objname") == 0 && is_of_type(xml, "objtype", what)) ||
           (strcmp(attr, "refname") == 0 && is_of_type(xml, "reftype", what));
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the names that an element's attributes refer to; counts only, where there is no room yet. */
static void add_references(named *all, const sal_xml *xml, reference what)
{
    for (int i = 0; i < xml->nattr; i++) {
        if (is_reference(xml, xml->attr[i].name, what)) {
            if (all->name != NULL) {
                all->name[all->n] = xml->attr[i].value;
            }
            all->n++;
        }
    }
}

static named collect(mjcf_spec *spec, reference what)
{
    named all = {0};
    for (int pass = 0; pass < 2; pass++) { /* count, then fill */
        if (pass == 1) {
            all.name = spec_take(spec, (size_t)all.n, sizeof(char *));
        }
        all.n = 0;
        for (const sal_xml *xml = spec->root; xml != NULL && !spec->nomem; xml = after(xml)) {
            add_references(&all, xml, what);
        }
    }
    if (all.n > 0 && !spec->nomem) {
        qsort(all.name, (size_t)all.n, sizeof(char *), by_text);
    }
    return all;
}

static bool is_in(const named *all, const char *name)
{
    return name != NULL && name[0] != 0 && all->n > 0 &&
           bsearch(&name, all->name, (size_t)all->n, sizeof(char *), by_text) != NULL;
}

static bool has_name(const spec_body *b)
{
    return b->head.name != NULL && b->head.name[0] != 0;
}

/* MuJoCo asks only for names: what has none is fused, whatever stands in it. */
static bool is_referenced(const named all[NREFERENCE], const spec_body *b)
{
    bool found = is_in(&all[BODY], b->head.name) || is_in(&all[XBODY], b->head.name);
    for (int i = 0; i < b->site.n && !found && has_name(b); i++) {
        found = is_in(&all[SITE], ((const spec_site *)b->site.item[i])->head.name);
    }
    return found;
}

/* The number of the last body that something refers to; 0: none. */
static int last_referenced(const mjcf_spec *spec, const named *bodies)
{
    int last = spec->body.n - 1;
    while (last > 0 && !is_in(bodies, ((const spec_body *)spec->body.item[last])->head.name)) {
        last--;
    }
    return last;
}

/* 2.2.2 fuses nothing in a model that has any of these. */
static bool has_what_222_minds(const mjcf_spec *spec)
{
    static const char *const tags[] = {"camera", "light", "tuple", "skin"};
    if (spec->pair.n + spec->exclude.n + spec->equality.n + spec->tendon.n + spec->actuator.n +
            spec->sensor.n >
        0) {
        return true;
    }
    for (const sal_xml *xml = spec->root; xml != NULL; xml = after(xml)) {
        const bool drawn = xml->parent != NULL && (strcmp(xml->parent->tag, "default") == 0 ||
                                                   strcmp(xml->parent->tag, "visual") == 0);
        for (size_t i = 0; i < sizeof tags / sizeof tags[0] && !drawn; i++) {
            if (strcmp(xml->tag, tags[i]) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* ---- fusing ---- */

static void move_list(mjcf_spec *spec, spec_list *to, spec_list *from)
{
    for (int i = 0; i < from->n; i++) {
        spec_push(spec, to, from->item[i]);
    }
    from->n = 0;
}

/* Everything in body b into its parent. */
static void fuse(mjcf_spec *spec, spec_body *b)
{
    spec_body *parent = b->parent;
    if (parent->parent != NULL) {
        spec_add_inertia(spec->mujoco, parent, b);
    }
    for (int i = 0; i < b->geom.n; i++) {
        spec_geom *g = b->geom.item[i];
        spec_frame_mul(&g->at, &b->at, &g->at);
    }
    for (int i = 0; i < b->site.n; i++) {
        spec_site *s = b->site.item[i];
        spec_frame_mul(&s->at, &b->at, &s->at);
    }
    for (int i = 0; i < b->camera.n; i++) {
        spec_camera *c = b->camera.item[i];
        spec_frame_mul(&c->at, &b->at, &c->at);
    }
    move_list(spec, &parent->geom, &b->geom);
    move_list(spec, &parent->site, &b->site);
    move_list(spec, &parent->camera, &b->camera);
    b->fused = true;
}

/* If its parent is part of another body by now, that is its parent. */
static void follow_parent(spec_body *b)
{
    spec_body *parent = b->parent;
    if (parent != NULL && parent->fused) {
        spec_frame_mul(&b->at, &parent->at, &b->at);
        b->parent = parent->parent;
    }
}

/* Before MuJoCo fuses a body that has a name it looks up all bodies that something refers to, by
 * their numbers in the file, until it has passed them. As bodies are fused fewer are left, `left`:
 * once the last number is beyond them, it keeps each body with a name up to the one so numbered. */
static bool is_kept_by_number(const spec_body *b, int number, int last, int left)
{
    return has_name(b) && number < last && last >= left;
}

void spec_fuse_static(spec_work *w)
{
    mjcf_spec *spec = w->spec;
    const int n = spec->body.n;
    int kept = 0;
    if (!spec->compiler.fusestatic ||
        (spec->mujoco == SAL_MUJOCO_222 && has_what_222_minds(spec))) {
        return;
    }
    named all[NREFERENCE];
    for (int what = 0; what < NREFERENCE; what++) {
        all[what] = collect(spec, (reference)what);
    }
    const int last = last_referenced(spec, &all[BODY]);
    for (int i = 0; i < n; i++) {
        spec_body *b = spec->body.item[i];
        follow_parent(b);
        if (i > 0 && b->joint.n == 0 && !b->mocap && !is_referenced(all, b) &&
            !is_kept_by_number(b, i, last, n - (i - kept))) {
            fuse(spec, b);
        } else {
            spec->body.item[kept++] = b;
        }
    }
    spec->body.n = kept;
    spec_number_bodies(spec);
}
