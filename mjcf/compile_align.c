/* compile_align.c: bodies that float freely and have no children, in the frame of their inertia if
 * the file asks for it: <freejoint align="true"> or <compiler alignfree="true">. All that stands in
 * the body stays where it is in the world:
 *     body := body o inertia,   geom := inertia^-1 o geom,   inertia := identity */
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

static void align(spec_body *b)
{
    const spec_frame inertia = b->inertial_at;
    spec_frame back;
    sal_quat_conj(back.quat, inertia.quat);
    sal_quat_rotate(back.pos, back.quat, inertia.pos);
    sal_v3_scale(back.pos, back.pos, -1);
    spec_frame_mul(&b->at, &b->at, &inertia);
    for (int i = 0; i < b->geom.n; i++) {
        spec_geom *g = b->geom.item[i];
        spec_frame_mul(&g->at, &back, &g->at);
    }
    for (int i = 0; i < b->site.n; i++) {
        spec_site *s = b->site.item[i];
        spec_frame_mul(&s->at, &back, &s->at);
    }
    for (int i = 0; i < b->camera.n; i++) {
        spec_camera *c = b->camera.item[i];
        spec_frame_mul(&c->at, &back, &c->at);
    }
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
