/* compile_align.c: bodies that get another frame.
 *
 * Bodies that float freely and have no children stand in the frame of their inertia if the file
 * asks for it: <freejoint align="true"> or <compiler alignfree="true">. All that stands in the body
 * stays where it is in the world:
 *     body := body o inertia,   geom := inertia^-1 o geom,   inertia := identity
 *
 * With coordinate="global" all frames are said in the world's (documentation of MuJoCo 2.2.2,
 * "Coordinate frames"):
 *     geom := body^-1 o geom,   inertia := body^-1 o inertia,   body := parent^-1 o body */
#include "mjcf/compile.h"

static bool is_asked(const mjcf_spec *spec, const spec_body *b)
{
    const spec_joint *j = b->joint.n == 1 ? b->joint.item[0] : NULL;
    if (j == NULL || j->type != SAL_JNT_FREE) {
        return false;
    }
    return j->align == SPEC_TRUE ||
           (j->align == SPEC_AUTO && spec_compiler_of(spec, &j->head)->alignfree);
}

static bool has_children(const mjcf_spec *spec, const spec_body *b)
{
    for (int i = 1; i < spec->body.n; i++) {
        if (((const spec_body *)spec->body.item[i])->parent == b) {
            return true;
        }
    }
    return false;
}

/* What stands in the body, but joints, into another frame: at := back o at */
static void move_content(spec_body *b, const spec_frame *back)
{
    for (int i = 0; i < b->geom.n; i++) {
        spec_geom *g = b->geom.item[i];
        spec_frame_mul(&g->at, back, &g->at);
    }
    for (int i = 0; i < b->site.n; i++) {
        spec_site *s = b->site.item[i];
        spec_frame_mul(&s->at, back, &s->at);
    }
    for (int i = 0; i < b->camera.n; i++) {
        spec_camera *c = b->camera.item[i];
        spec_frame_mul(&c->at, back, &c->at);
    }
}

static void align(spec_body *b)
{
    const spec_frame inertia = b->inertial_at;
    spec_frame back;
    spec_frame_inverse(&back, &inertia);
    spec_frame_mul(&b->at, &b->at, &inertia);
    move_content(b, &back);
    b->inertial_at = (spec_frame){{0, 0, 0}, {1, 0, 0, 0}};
}

void spec_align_free(spec_work *w)
{
    for (int i = 1; i < w->spec->body.n; i++) {
        spec_body *b = w->spec->body.item[i];
        if (is_asked(w->spec, b) && !has_children(w->spec, b)) {
            align(b);
        }
    }
}

/* ---- coordinate="global" ---- */

static void move_joint(spec_joint *j, const spec_frame *back)
{
    const spec_frame here = {{j->pos[0], j->pos[1], j->pos[2]}, {1, 0, 0, 0}};
    spec_frame at;
    double axis[3];
    spec_frame_mul(&at, back, &here);
    if (j->type != SAL_JNT_FREE) {
        sal_v3_copy(j->pos, at.pos);
    }
    sal_quat_rotate(axis, back->quat, j->axis);
    sal_v3_copy(j->axis, axis);
}

void spec_enter_body(spec_work *w, spec_body *b, bool inferred)
{
    const bool placed = b->head.xml != NULL && sal_xml_find_attr(b->head.xml, "pos") != NULL;
    spec_frame back;
    if (!placed && !inferred) {
        spec_error(w, &b->head, NULL, "give it pos, a geom, or <inertial>",
                   "with coordinate=\"global\" nothing says where this body is");
    }
    if (!placed) {
        b->at = b->inertial_at;
    } else if (!inferred) {
        b->inertial_at = b->at;
    }
    spec_frame_inverse(&back, &b->at);
    spec_frame_mul(&b->inertial_at, &back, &b->inertial_at);
    move_content(b, &back);
    for (int i = 0; i < b->joint.n; i++) {
        move_joint(b->joint.item[i], &back);
    }
}

void spec_enter_parents(const mjcf_spec *spec)
{
    for (int i = spec->body.n - 1; i > 0; i--) { /* children first: parents are as they were */
        spec_body *b = spec->body.item[i];
        spec_frame back;
        spec_frame_inverse(&back, &b->parent->at);
        spec_frame_mul(&b->at, &back, &b->at);
    }
}
