/* compile_pose.c: positions and orientations of all frames, and the sizes of geoms and sites. */
#include "mjcf/spec.h"

#include <string.h>

static const double degree = 0.017453292519943295; /* pi / 180 */
static const double tiny = 1e-14;                  /* lengths below have no direction */

void spec_frame_mul(spec_frame *r, const spec_frame *a, const spec_frame *b)
{
    double moved[3], q[4];
    sal_quat_rotate(moved, a->quat, b->pos);
    sal_quat_mul(q, a->quat, b->quat);
    sal_v3_add(r->pos, a->pos, moved);
    sal_quat_copy(r->quat, q);
    sal_quat_normalise(r->quat);
}

/* ---- orientation ---- */

/* euler: elementary rotations in the order of the sequence; a small letter rotates about the moved axis (q := q r), a capital one about
 * the fixed axis (q := r q). */
static void from_euler(const spec_compiler *c, const double euler[3], double q[4])
{
    q[0] = 1, q[1] = q[2] = q[3] = 0;
    for (int i = 0; i < 3; i++) {
        const char letter = c->eulerseq[i], lower = (char)(letter | 0x20);
        double axis[3] = {0, 0, 0}, r[4], next[4];
        axis[lower - 'x'] = 1;
        sal_quat_axisangle(r, axis, euler[i] * (c->degree ? degree : 1));
        if (letter == lower) {
            sal_quat_mul(next, q, r);
        } else {
            sal_quat_mul(next, r, q);
        }
        sal_quat_copy(q, next);
    }
}

/* x axis as given, y axis made orthogonal to it, z = x x y */
static bool from_xyaxes(const double xy[6], double q[4])
{
    double x[3], y[3], z[3], m[9];
    sal_v3_copy(x, xy);
    sal_v3_copy(y, xy + 3);
    if (sal_v3_normalise(x) < tiny) {
        return false;
    }
    sal_v3_addscaled(y, y, -sal_v3_dot(x, y), x);
    if (sal_v3_normalise(y) < tiny) {
        return false;
    }
    sal_v3_cross(z, x, y);
    for (int i = 0; i < 3; i++) {
        m[3 * i] = x[i], m[3 * i + 1] = y[i], m[3 * i + 2] = z[i];
    }
    sal_quat_from_matrix(q, m);
    return true;
}

static void check_single(spec_work *w, const spec_head *head)
{
    static const char *const names[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
    const char *first = NULL;
    for (size_t i = 0; i < 5 && head->xml != NULL; i++) {
        if (sal_xml_find_attr(head->xml, names[i]) == NULL) {
            continue;
        }
        if (first != NULL) {
            spec_error(w, head, names[i], NULL, "%s and %s both say the orientation", first,
                       names[i]);
        }
        first = names[i];
    }
}

void spec_orientation(spec_work *w, const spec_head *head, const spec_pose *pose, double q[4])
{
    check_single(w, head);
    sal_quat_copy(q, pose->quat);
    if (!isnan(pose->axisangle[0])) {
        double axis[3];
        sal_v3_copy(axis, pose->axisangle);
        if (sal_v3_normalise(axis) < tiny) {
            spec_error(w, head, "axisangle", NULL, "the axis of axisangle must have a length");
        }
        sal_quat_axisangle(q, axis, pose->axisangle[3] * (w->spec->compiler.degree ? degree : 1));
    }
    if (!isnan(pose->xyaxes[0]) && !from_xyaxes(pose->xyaxes, q)) {
        spec_error(w, head, "xyaxes", NULL,
                   "the axes of xyaxes must have a length and must not be parallel");
    }
    if (!isnan(pose->zaxis[0])) {
        if (sal_v3_norm(pose->zaxis) < tiny) {
            spec_error(w, head, "zaxis", NULL, "zaxis must have a length");
        }
        sal_quat_z_to(q, pose->zaxis);
    }
    if (!isnan(pose->euler[0])) {
        from_euler(&w->spec->compiler, pose->euler, q);
    }
    if (sal_quat_normalise(q) < tiny) {
        spec_error(w, head, "quat", NULL, "quat must have a length");
    }
}

/* ---- sizes ---- */

static bool takes_fromto(int type)
{
    return type == SAL_GEOM_CAPSULE || type == SAL_GEOM_CYLINDER || type == SAL_GEOM_ELLIPSOID ||
           type == SAL_GEOM_BOX;
}

/* fromto: the centre between the points, z from the second to the first, half the distance as the last size. It replaces pos
 * and orientation. */
static void place_fromto(spec_work *w, const spec_head *head, int type, const double fromto[6],
                         double size[3], spec_frame *at)
{
    double axis[3];
    if (!takes_fromto(type)) {
        spec_error(w, head, "fromto", NULL,
                   "fromto is possible for capsules, cylinders, ellipsoids and boxes");
        return;
    }
    sal_v3_add(at->pos, fromto, fromto + 3);
    sal_v3_scale(at->pos, at->pos, 0.5);
    sal_v3_sub(axis, fromto, fromto + 3);
    const double length = sal_v3_norm(axis);
    if (length < tiny) {
        spec_error(w, head, "fromto", NULL, "the two points of fromto must differ");
        return;
    }
    sal_quat_z_to(at->quat, axis);
    if (type == SAL_GEOM_CAPSULE || type == SAL_GEOM_CYLINDER) {
        size[1] = length / 2;
    } else {
        size[1] = size[0];
        size[2] = length / 2;
    }
}

static bool check_size(spec_work *w, const spec_head *head, int type, const double size[3])
{
    static const int needed[SAL_NGEOMTYPES] = {
        [SAL_GEOM_SPHERE] = 1,   [SAL_GEOM_CAPSULE] = 2, [SAL_GEOM_ELLIPSOID] = 3,
        [SAL_GEOM_CYLINDER] = 2, [SAL_GEOM_BOX] = 3,
    };
    for (int i = 0; i < needed[type]; i++) {
        if (!(size[i] > 0)) {
            spec_error(w, head, "size", NULL, "size %d of this %s must be positive", i + 1,
                       head->xml->tag);
            return false;
        }
    }
    if (type == SAL_GEOM_PLANE && !(size[2] > 0)) {
        spec_error(w, head, "size", "X Y SPACING, with 0 0 for an infinite plane",
                   "the third size of a plane must be positive");
        return false;
    }
    return true;
}

/* ---- what stands in bodies ---- */

static void to_body(spec_frame *at, const spec_frame *frame)
{
    if (frame != NULL) {
        spec_frame_mul(at, frame, at);
    }
}

static void place_geom(spec_work *w, const spec_body *b, spec_geom *g)
{
    sal_v3_copy(g->at.pos, g->pose.pos);
    spec_orientation(w, &g->head, &g->pose, g->at.quat);
    if (!isnan(g->fromto[0]) && g->mesh == NULL) {
        place_fromto(w, &g->head, g->type, g->fromto, g->size, &g->at);
    }
    to_body(&g->at, g->frame);
    const bool meshed = g->mesh != NULL || g->type == SAL_GEOM_MESH;
    const bool placed = !meshed || spec_place_mesh(w, g);
    if (!placed || (g->shape == NULL && !check_size(w, &g->head, g->type, g->size))) {
        g->mass = 1; /* so that its body is not called massless, too */
        sal_v3_set(g->inertia, 1, 1, 1);
        return;
    }
    if (g->type == SAL_GEOM_PLANE && b->weld != 0) {
        spec_error(w, &g->head, NULL, NULL, "a plane is possible only on a body that cannot move");
    }
    if (g->condim != 1 && g->condim != 3 && g->condim != 4 && g->condim != 6) {
        spec_error(w, &g->head, "condim", NULL, "condim must be 1, 3, 4 or 6");
    }
    const bool shell = g->shellinertia && g->mesh == NULL && !w->spec->compat222;
    const double volume = g->shape != NULL ? g->volume
                          : shell          ? spec_shell_inertia(g->type, g->size, g->inertia)
                                           : spec_geom_inertia(g->type, g->size, g->inertia);
    if (isnan(g->mass)) {
        g->mass = g->density * volume;
    }
    const double density = volume > 0 ? g->mass / volume : 0;
    g->mass = volume > 0 ? g->mass : 0; /* a plane has none */
    sal_v3_scale(g->inertia, g->inertia, density);
}

static void place_site(spec_work *w, spec_site *s)
{
    sal_v3_copy(s->at.pos, s->pose.pos);
    spec_orientation(w, &s->head, &s->pose, s->at.quat);
    if (!isnan(s->fromto[0])) {
        place_fromto(w, &s->head, s->type, s->fromto, s->size, &s->at);
    }
    to_body(&s->at, s->frame);
    check_size(w, &s->head, s->type, s->size);
}

void spec_compile_poses(spec_work *w)
{
    for (int i = 0; i < w->spec->body.n; i++) {
        spec_body *b = w->spec->body.item[i];
        sal_v3_copy(b->at.pos, b->pose.pos);
        spec_orientation(w, &b->head, &b->pose, b->at.quat);
        b->said = b->at;
        to_body(&b->at, b->frame);
        for (int k = 0; k < b->geom.n; k++) {
            place_geom(w, b, b->geom.item[k]);
        }
        for (int k = 0; k < b->site.n; k++) {
            place_site(w, b->site.item[k]);
        }
        for (int k = 0; k < b->camera.n; k++) {
            spec_camera *c = b->camera.item[k];
            sal_v3_copy(c->at.pos, c->pose.pos);
            spec_orientation(w, &c->head, &c->pose, c->at.quat);
            to_body(&c->at, c->frame);
        }
    }
}
