/* compile_pose.c: where bodies, geoms, sites and cameras stand, and the sizes of geoms and
 * sites. */
#include "mjcf/compile.h"

static const double tiny = 1e-14; /* lengths below have no direction */

/* ---- sizes ---- */

static bool takes_fromto(int type)
{
    return type == SAL_GEOM_CAPSULE || type == SAL_GEOM_CYLINDER || type == SAL_GEOM_ELLIPSOID ||
           type == SAL_GEOM_BOX;
}

/* fromto: the centre between the points, z from the second to the first, half the distance as the
 * last size. It replaces the orientation; a pos besides contradicts it. */
static void place_fromto(spec_work *w, const spec_head *head, int type, const double fromto[6],
                         double size[3], spec_frame *at)
{
    double axis[3];
    if (!takes_fromto(type)) {
        spec_error(w, head, "fromto", NULL,
                   "fromto is allowed only for capsules, cylinders, ellipsoids and boxes");
        return;
    }
    if (at->pos[0] != 0 || at->pos[1] != 0 || at->pos[2] != 0) {
        spec_error(
            w, head, "pos", "keep one of them; pos=\"0 0 0\" takes back the pos of a default class",
            "<%s> has both pos and fromto, its own or its class's; fromto already says where "
            "it stands",
            head->xml->tag);
    }
    sal_v3_add(at->pos, fromto, fromto + 3);
    sal_v3_scale(at->pos, at->pos, 0.5);
    sal_v3_sub(axis, fromto, fromto + 3);
    const double length = sal_v3_norm(axis);
    if (length < tiny) {
        spec_error(w, head, "fromto", NULL,
                   "the two points of fromto are the same; they must differ");
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
            spec_error(w, head, "size", NULL, "size of <%s>: number %d is %g; it must be positive",
                       head->xml->tag, i + 1, size[i]);
            return false;
        }
    }
    if (type == SAL_GEOM_PLANE && !(size[2] > 0)) {
        spec_error(w, head, "size",
                   "write size=\"X Y SPACING\"; X and Y are 0 for an infinite plane",
                   "size of a plane: number 3, the spacing of its grid, is %g; it must be positive",
                   size[2]);
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
    const bool raised = g->hfield != NULL || g->type == SAL_GEOM_HFIELD;
    const bool placed = raised ? spec_place_hfield(w, g) : !meshed || spec_place_mesh(w, g);
    if (!placed || (g->shape == NULL && !check_size(w, &g->head, g->type, g->size))) {
        g->mass = 1; /* so that its body is not called massless, too */
        sal_v3_set(g->inertia, 1, 1, 1);
        return;
    }
    if (g->type == SAL_GEOM_PLANE && b->weld != 0) {
        spec_error(
            w, &g->head, NULL, NULL,
            "a plane is allowed only on a body that cannot move: the world, or a body fixed to it");
    }
    if (g->condim != 1 && g->condim != 3 && g->condim != 4 && g->condim != 6) {
        spec_error(w, &g->head, "condim", NULL, "condim is %d; it must be 1, 3, 4 or 6", g->condim);
    }
    const bool shell =
        g->shellinertia && g->type != SAL_GEOM_MESH && w->spec->mujoco != SAL_MUJOCO_222;
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

/* The shape of a mesh is only drawn: a site of one is read as the small sphere of other sites. */
static void check_site_mesh(spec_work *w, spec_site *s)
{
    const bool meshed = s->type == SAL_GEOM_MESH;
    if (meshed && s->mesh == NULL) {
        spec_error(w, &s->head, "type", "add mesh=\"NAME\"", "a site of type mesh needs a mesh");
    } else if (!meshed && s->mesh != NULL) {
        spec_error(w, &s->head, "mesh", "add type=\"mesh\"",
                   "a site has a mesh only if its type is mesh");
    } else if (meshed) {
        spec_find(w, &w->meshes, &s->head, "mesh", s->mesh);
    }
    if (meshed && isnan(s->fromto[0])) {
        s->type = SAL_GEOM_SPHERE;
        sal_v3_set(s->size, 0.005, 0.005, 0.005);
    }
}

static void place_site(spec_work *w, spec_site *s)
{
    check_site_mesh(w, s);
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
