/* old.c: the kinds of <composite> that MuJoCo 2.2.2 has and later versions dropped: grids
 * of bodies on slide joints (particle, grid), chains (rope, loop), trees (cloth), and bodies on the
 * surface of a solid (box, cylinder, ellipsoid). (MuJoCo 2.2.2 documentation, "XML reference",
 * composite.) */
#include "mjcf/composite/composite.h"

#include <stdlib.h>
#include <string.h>

static void fail(mjcf_composite *c, const char *why)
{
    mjcf_error(c->r, c->xml->place, NULL, "%s", why);
}

/* Three slide joints along x, y, z. */
static void add_slides(mjcf_composite *c, spec_body *body, int ix, int iy, bool named)
{
    for (int i = 0; i < 3; i++) {
        const char *name = named ? mjcf_composite_name(c, "J%d_%d_%d", i, ix, iy) : NULL;
        spec_joint *j = mjcf_composite_joint(c, body, SPEC_COMP_MAIN, SAL_JNT_SLIDE, name);
        for (int k = 0; j != NULL && k < 3; k++) {
            j->axis[k] = k == i;
        }
    }
}

/* p = offset + spacing (i - n / 2) */
static void place(const mjcf_composite *c, spec_body *body, int ix, int iy, int iz)
{
    const int at[3] = {ix, iy, iz};
    for (int k = 0; k < 3; k++) {
        body->pose.pos[k] = c->said.offset[k] + c->said.spacing * (at[k] - 0.5 * c->count[k]);
    }
}

static void make_particles(mjcf_composite *c)
{
    for (int ix = 0; ix < c->count[0]; ix++) {
        for (int iy = 0; iy < c->count[1]; iy++) {
            for (int iz = 0; iz < c->count[2]; iz++) {
                spec_body *b = mjcf_composite_body(c, c->body, NULL);
                if (b == NULL) {
                    return;
                }
                place(c, b, ix, iy, iz);
                add_slides(c, b, 0, 0, false);
                spec_geom *g = mjcf_composite_geom(c, b, NULL);
                if (g != NULL) {
                    g->type = SAL_GEOM_SPHERE;
                }
            }
        }
    }
}

/* ---- tendons between sites ---- */

static void add_tendon(mjcf_composite *c, spec_comp_kind kind, const char *name, const char *site1,
                       const char *site2)
{
    spec_tendon t = c->tendon[kind].tendon;
    const char *const sites[2] = {site1, site2};
    t.head = (spec_head){.xml = c->xml, .name = name};
    t.wrap = (spec_list){0};
    for (int i = 0; i < 2; i++) {
        const spec_wrap wrap = {
            .head.xml = c->xml, .type = SAL_WRAP_SITE, .name = sites[i], .id = -1, .side_id = -1};
        spec_keep(c->r->spec, &t.wrap, &wrap, sizeof wrap);
    }
    spec_keep(c->r->spec, &c->r->spec->tendon, &t, sizeof t);
    mjcf_composite_hold(c, SAL_EQ_TENDON, name, c->tendon[kind].solref_fix,
                        c->tendon[kind].solimp_fix);
}

static const char *site_name(mjcf_composite *c, int ix, int iy)
{
    return mjcf_composite_name(c, "S%d_%d", ix, iy);
}

static void add_shear(mjcf_composite *c)
{
    for (int ix = 0; ix < c->count[0] - 1 && c->has[SPEC_COMP_SHEAR]; ix++) {
        for (int iy = 0; iy < c->count[1] - 1; iy++) {
            add_tendon(c, SPEC_COMP_SHEAR, mjcf_composite_name(c, "TS%d_%d", ix, iy),
                       site_name(c, ix, iy), site_name(c, ix + 1, iy + 1));
        }
    }
}

/* ---- grid ---- */

static bool is_pinned(const mjcf_composite *c, int ix, int iy)
{
    for (int i = 0; i + 1 < c->npin; i += 2) {
        if ((int)c->pin[i] == ix && (int)c->pin[i + 1] == iy) {
            return true;
        }
    }
    return false;
}

static void add_grid_body(mjcf_composite *c, int ix, int iy)
{
    spec_body *b = mjcf_composite_body(c, c->body, mjcf_composite_name(c, "B%d_%d", ix, iy));
    if (b == NULL) {
        return;
    }
    place(c, b, ix, iy, 0);
    b->pose.pos[2] = c->said.offset[2];
    spec_geom *g = mjcf_composite_geom(c, b, mjcf_composite_name(c, "G%d_%d", ix, iy));
    spec_site *s = mjcf_composite_site(c, b, site_name(c, ix, iy));
    if (g != NULL && s != NULL) {
        g->type = SAL_GEOM_SPHERE;
        s->type = SAL_GEOM_SPHERE;
    }
    if (!is_pinned(c, ix, iy)) {
        add_slides(c, b, ix, iy, true);
    }
}

static void make_grid(mjcf_composite *c)
{
    if (c->dim > 2 || (c->has[SPEC_COMP_SHEAR] && c->dim != 2)) {
        fail(c, "a grid has one or two dimensions, one with shear two");
        return;
    }
    for (int ix = 0; ix < c->count[0]; ix++) {
        for (int iy = 0; iy < c->count[1]; iy++) {
            add_grid_body(c, ix, iy);
        }
    }
    for (int i = 0; i < 2; i++) {
        for (int ix = 0; ix < c->count[0] - (i == 0); ix++) {
            for (int iy = 0; iy < c->count[1] - (i == 1); iy++) {
                add_tendon(c, SPEC_COMP_MAIN, mjcf_composite_name(c, "T%d_%d_%d", i, ix, iy),
                           site_name(c, ix, iy), site_name(c, ix + (i == 0), iy + (i == 1)));
            }
        }
    }
    add_shear(c);
}

/* ---- joints of ropes and cloths ---- */

/* A joint along the axis from the parent, twisting or stretching, that is held at rest. */
static void add_held(mjcf_composite *c, spec_body *body, spec_comp_kind kind, const double pos[3],
                     const double axis[3], const char *name)
{
    const int type = kind == SPEC_COMP_TWIST ? SAL_JNT_HINGE : SAL_JNT_SLIDE;
    spec_joint *j = c->has[kind] ? mjcf_composite_joint(c, body, kind, type, name) : NULL;
    if (j != NULL) {
        sal_v3_copy(j->pos, pos);
        sal_v3_copy(j->axis, axis);
        mjcf_composite_hold(c, SAL_EQ_JOINT, name, c->joint[kind].solref_fix,
                            c->joint[kind].solimp_fix);
    }
}

/* A hinge about one of the axes. */
static void add_hinge(mjcf_composite *c, spec_body *body, const double pos[3], int axis,
                      const char *name)
{
    spec_joint *j = mjcf_composite_joint(c, body, SPEC_COMP_MAIN, SAL_JNT_HINGE, name);
    if (j != NULL) {
        sal_v3_copy(j->pos, pos);
        sal_v3_set(j->axis, axis == 0, axis == 1, axis == 2);
    }
}

/* The numbers behind "PREFIXB" in the name of the body around: at most n, separated by '_'. */
static bool read_origin(mjcf_composite *c, int n, int *origin)
{
    const char *prefix = mjcf_composite_name(c, "B"), *name = c->body->head.name;
    const size_t length = strlen(prefix);
    bool good = name != NULL && strncmp(name, prefix, length) == 0;
    const char *at = good ? name + length : "";
    for (int i = 0; i < n && good; i++) {
        char *end = NULL;
        const long x = strtol(at, &end, 10);
        good = end != at && x >= 0 && x < c->count[i] && (i == n - 1 || *end == '_');
        origin[i] = good ? (int)x : 0;
        at = end + (*end == '_');
    }
    if (!good) {
        mjcf_error(c->r, c->body->head.xml == NULL ? c->xml->place : c->body->head.xml->place,
                   n == 1 ? "for example <body name=\"B5\">" : "for example <body name=\"B5_5\">",
                   "the body around this <composite> is part of it: its name must be '%.60s' and "
                   "its place in count",
                   prefix);
    }
    return good;
}

/* ---- rope, loop ---- */

static void bend_loop(const mjcf_composite *c, spec_body *body, bool right)
{
    const double alpha = 2 * M_PI / c->count[0], half = 0.5 * alpha;
    const double R = 0.5 * c->said.spacing * sin(M_PI - alpha) / sin(half);
    sal_v3_set(body->pose.pos, (right ? R : -R) * cos(half), R * sin(half), 0);
    body->pose.quat[0] = cos(half);
    body->pose.quat[3] = right ? sin(half) : -sin(half);
}

/* Body number `to` in the chain, a child of number `from`; the same: the one around. */
static spec_body *add_rope_body(mjcf_composite *c, spec_body *body, int from, int to)
{
    static const double axis[3] = {1, 0, 0};
    const double dx = c->said.spacing * (to - from), pos[3] = {-0.5 * dx, 0, 0};
    if (from != to) {
        body = mjcf_composite_body(c, body, mjcf_composite_name(c, "B%d", to));
        if (body == NULL) {
            return NULL;
        }
        if (c->said.type == SPEC_COMP_LOOP) {
            bend_loop(c, body, to > from);
        } else {
            body->pose.pos[0] = dx;
        }
    }
    spec_geom *g = mjcf_composite_geom(c, body, mjcf_composite_name(c, "G%d", to));
    if (g != NULL) {
        g->pose.quat[0] = g->pose.quat[2] = sqrt(0.5);
    }
    if (from != to) {
        add_hinge(c, body, pos, 1, mjcf_composite_name(c, "J0_%d", to));
        add_hinge(c, body, pos, 2, mjcf_composite_name(c, "J1_%d", to));
        add_held(c, body, SPEC_COMP_TWIST, pos, axis, mjcf_composite_name(c, "JT%d", to));
        add_held(c, body, SPEC_COMP_STRETCH, pos, axis, mjcf_composite_name(c, "JS%d", to));
    }
    return body;
}

static void close_loop(mjcf_composite *c)
{
    const char *first = mjcf_composite_name(c, "B0");
    const char *last = mjcf_composite_name(c, "B%d", c->count[0] - 1);
    spec_equality eq = {.type = SAL_EQ_CONNECT, .active = true, .name1 = first, .name2 = last};
    eq.head = (spec_head){.xml = c->xml};
    memcpy(eq.solref, c->said.solref_smooth, sizeof eq.solref);
    memcpy(eq.solimp, c->said.solimp_smooth, sizeof eq.solimp);
    eq.anchor[0] = -0.5 * c->said.spacing;
    eq.torquescale = 1;
    spec_keep(c->r->spec, &c->r->spec->equality, &eq, sizeof eq);
    mjcf_composite_exclude(c, first, last);
}

static void make_rope(mjcf_composite *c)
{
    int origin = 0;
    if (c->dim != 1) {
        fail(c, "a rope has one dimension: write count=\"N 1 1\"");
        return;
    }
    if (!read_origin(c, 1, &origin)) {
        return;
    }
    add_rope_body(c, c->body, origin, origin);
    spec_body *body = c->body;
    for (int i = origin; i < c->count[0] - 1 && body != NULL; i++) {
        body = add_rope_body(c, body, i, i + 1);
    }
    body = c->body;
    for (int i = origin; i > 0 && body != NULL; i--) {
        body = add_rope_body(c, body, i, i - 1);
    }
    if (c->said.type == SPEC_COMP_LOOP) {
        close_loop(c);
    }
}

/* ---- cloth ---- */

/* The inertia of a flat box of the body's mass. */
static void flatten(mjcf_composite *c, spec_body *body, const spec_geom *g)
{
    const double s = 0.5 * c->said.spacing, size[3] = {s, s, s * c->said.flatinertia};
    double unused[3];
    spec_inertial *inertial = spec_take(c->r->spec, 1, sizeof *inertial);
    if (inertial != NULL) {
        *inertial = (spec_inertial){.head.xml = c->xml, .pose = spec_pose_default()};
        const double m =
            !isnan(g->mass) ? g->mass : g->density * spec_geom_inertia(g->type, g->size, unused);
        inertial->mass = m;
        inertial->fullinertia[0] = (double)NAN;
        for (int k = 0; k < 3; k++) {
            const double a = size[(k + 1) % 3], b = size[(k + 2) % 3];
            inertial->diaginertia[k] = m * (a * a + b * b) / 3;
        }
        body->inertial = inertial;
    }
}

static spec_body *add_cloth_body(mjcf_composite *c, spec_body *body, const int from[2],
                                 const int to[2])
{
    const bool along_x = from[0] != to[0], root = !along_x && from[1] == to[1];
    const double dx = c->said.spacing * (to[0] - from[0]), dy = c->said.spacing * (to[1] - from[1]);
    const double pos[3] = {-dx, -dy, 0}, axis[3] = {along_x, !along_x, 0};
    const int x = to[0], y = to[1];
    if (!root) {
        body = mjcf_composite_body(c, body, mjcf_composite_name(c, "B%d_%d", x, y));
        if (body == NULL) {
            return NULL;
        }
        sal_v3_set(body->pose.pos, dx, dy, 0);
    }
    spec_geom *g = mjcf_composite_geom(c, body, mjcf_composite_name(c, "G%d_%d", x, y));
    if (g == NULL) {
        return NULL;
    }
    for (int k = 0; k < 4; k++) { /* turned, by turns */
        g->pose.quat[k] = (x + y) % 2 == 0 ? 0.5 : k < 2 ? sqrt(0.5) : 0;
    }
    if (c->said.flatinertia > 0) {
        flatten(c, body, g);
    }
    spec_site *s = mjcf_composite_site(c, body, site_name(c, x, y));
    if (s != NULL) {
        s->type = SAL_GEOM_SPHERE;
    }
    if (!root) {
        add_hinge(c, body, pos, along_x ? 1 : 0, mjcf_composite_name(c, "J0_%d_%d", x, y));
        add_hinge(c, body, pos, 2, mjcf_composite_name(c, "J1_%d_%d", x, y));
        add_held(c, body, SPEC_COMP_TWIST, pos, axis, mjcf_composite_name(c, "JT%d_%d", x, y));
        add_held(c, body, SPEC_COMP_STRETCH, pos, axis, mjcf_composite_name(c, "JS%d_%d", x, y));
    }
    return body;
}

/* The column through a body of the middle row: upwards, then downwards. */
static void add_column(mjcf_composite *c, spec_body *body, int ix, int oy)
{
    for (int step = 1; step >= -1; step -= 2) {
        spec_body *b = body;
        for (int iy = oy; iy + step >= 0 && iy + step < c->count[1] && b != NULL; iy += step) {
            const int from[2] = {ix, iy}, to[2] = {ix, iy + step};
            b = add_cloth_body(c, b, from, to);
        }
    }
}

static void make_cloth(mjcf_composite *c)
{
    int o[2] = {0, 0};
    if (c->dim != 2) {
        fail(c, "a cloth has two dimensions: write count=\"N M 1\"");
        return;
    }
    if (!read_origin(c, 2, o)) {
        return;
    }
    add_cloth_body(c, c->body, o, o);
    add_column(c, c->body, o[0], o[1]);
    for (int step = 1; step >= -1; step -= 2) {
        spec_body *b = c->body;
        for (int ix = o[0]; ix + step >= 0 && ix + step < c->count[0] && b != NULL; ix += step) {
            const int from[2] = {ix, o[1]}, to[2] = {ix + step, o[1]};
            b = add_cloth_body(c, b, from, to);
            if (b != NULL) {
                add_column(c, b, ix + step, o[1]);
            }
        }
    }
    for (int iy = 0; iy < c->count[1]; iy++) {
        for (int ix = 0; iy != o[1] && ix < c->count[0] - 1; ix++) {
            add_tendon(c, SPEC_COMP_MAIN, mjcf_composite_name(c, "T%d_%d", ix, iy),
                       site_name(c, ix, iy), site_name(c, ix + 1, iy));
        }
    }
    add_shear(c);
}

/* ---- dispatch ---- */

void mjcf_composite_old(mjcf_composite *c)
{
    const int type = c->geom.type;
    if (type != SAL_GEOM_SPHERE && type != SAL_GEOM_CAPSULE && type != SAL_GEOM_ELLIPSOID) {
        fail(c, "the geoms of a composite are spheres, capsules or ellipsoids");
        return;
    }
    if (!(c->said.spacing > 0)) {
        fail(c, "<composite> needs the attribute 'spacing', and it must be positive");
        return;
    }
    switch (c->said.type) {
    case SPEC_COMP_PARTICLE:
        make_particles(c);
        break;
    case SPEC_COMP_GRID:
        make_grid(c);
        break;
    case SPEC_COMP_ROPE:
    case SPEC_COMP_LOOP:
        make_rope(c);
        break;
    case SPEC_COMP_CLOTH:
        make_cloth(c);
        break;
    default:
        mjcf_composite_solid(c);
        break;
    }
}
