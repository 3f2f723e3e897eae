/* solid.c: <composite> of type box, cylinder or ellipsoid (MuJoCo 2.2.2): bodies on the
 * surface of a solid that slide towards its centre. A constraint holds each of them, others hold
 * neighbours equally far out, and one holds the sum of all, the volume. */
#include "mjcf/composite/composite.h"

#include <string.h>

static bool is_outside(const mjcf_composite *c, const int at[3])
{
    for (int k = 0; k < 3; k++) {
        if (at[k] == 0 || at[k] == c->count[k] - 1) {
            return true;
        }
    }
    return false;
}

/* From the cube [-1, 1]^3 to the surface of the solid. */
static void project(const mjcf_composite *c, double p[3])
{
    double scale[3] = {1, 1, 1};
    const double widest = fmax(fabs(p[0]), fabs(p[1]));
    if (c->said.type == SPEC_COMP_CYLINDER) {
        const double r = sqrt(p[0] * p[0] + p[1] * p[1]);
        scale[0] = scale[1] = r > 1e-14 ? widest / r : widest;
    } else if (c->said.type == SPEC_COMP_ELLIPSOID) {
        sal_v3_normalise(p);
    }
    for (int k = 0; k < 3; k++) {
        p[k] *= scale[k] * 0.5 * c->said.spacing * (c->count[k] - 1);
    }
}

static const char *joint_name(mjcf_composite *c, const int at[3])
{
    return mjcf_composite_name(c, "J%d_%d_%d", at[0], at[1], at[2]);
}

static void hold_neighbours(mjcf_composite *c, const int at[3])
{
    spec_class plain;
    spec_class_default(&plain, c->r->spec->mujoco);
    for (int i = 0; i < 3; i++) {
        int next[3] = {at[0], at[1], at[2]};
        next[i]++;
        if (next[i] >= c->count[i] || !is_outside(c, next)) {
            continue;
        }
        spec_equality eq = plain.equality;
        eq.head = (spec_head){.xml = c->xml};
        eq.type = SAL_EQ_JOINT;
        eq.name1 = joint_name(c, at);
        eq.name2 = joint_name(c, next);
        memcpy(eq.solref, c->said.solref_smooth, sizeof eq.solref);
        memcpy(eq.solimp, c->said.solimp_smooth, sizeof eq.solimp);
        spec_keep(c->r->spec, &c->r->spec->equality, &eq, sizeof eq);
    }
}

static void add_body(mjcf_composite *c, const int at[3], spec_tendon *all)
{
    double p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = 2.0 * at[k] / (c->count[k] - 1) - 1;
    }
    project(c, p);
    spec_body *b =
        mjcf_composite_body(c, c->body, mjcf_composite_name(c, "B%d_%d_%d", at[0], at[1], at[2]));
    spec_geom *g =
        b == NULL
            ? NULL
            : mjcf_composite_geom(c, b, mjcf_composite_name(c, "G%d_%d_%d", at[0], at[1], at[2]));
    if (g == NULL) {
        return;
    }
    sal_v3_copy(b->pose.pos, p);
    sal_v3_copy(b->pose.zaxis, p);
    g->type = g->type == SAL_GEOM_CAPSULE ? g->type : SAL_GEOM_SPHERE;
    g->pose.pos[2] = -(g->size[0] + (g->type == SAL_GEOM_CAPSULE ? g->size[1] : 0));
    const char *name = joint_name(c, at);
    spec_joint *j = mjcf_composite_joint(c, b, SPEC_COMP_MAIN, SAL_JNT_SLIDE, name);
    if (j != NULL) {
        sal_v3_set(j->axis, 0, 0, 1);
    }
    const spec_wrap wrap = {.head.xml = c->xml,
                            .type = SAL_WRAP_JOINT,
                            .name = name,
                            .prm = 1,
                            .id = -1,
                            .side_id = -1};
    spec_keep(c->r->spec, &all->wrap, &wrap, sizeof wrap);
    mjcf_composite_hold(c, SAL_EQ_JOINT, name, c->joint[SPEC_COMP_MAIN].solref_fix,
                        c->joint[SPEC_COMP_MAIN].solimp_fix);
    hold_neighbours(c, at);
}

void mjcf_composite_solid(mjcf_composite *c)
{
    const spec_comp_tendon *said = &c->tendon[SPEC_COMP_MAIN];
    spec_tendon all = said->tendon;
    if (c->dim != 3) {
        mjcf_error(c->r, c->xml->place, NULL,
                   "a box, cylinder or ellipsoid has three dimensions: each count is at least 2");
        return;
    }
    spec_geom *centre = mjcf_composite_geom(c, c->body, mjcf_composite_name(c, "Gcenter"));
    if (centre != NULL) {
        centre->type = SAL_GEOM_SPHERE;
        sal_v3_set(centre->size, 2 * centre->size[0], 0, 0);
    }
    all.head = (spec_head){.xml = c->xml, .name = mjcf_composite_name(c, "T")};
    all.wrap = (spec_list){0};
    for (int ix = 0; ix < c->count[0]; ix++) {
        for (int iy = 0; iy < c->count[1]; iy++) {
            for (int iz = 0; iz < c->count[2]; iz++) {
                const int at[3] = {ix, iy, iz};
                if (is_outside(c, at)) {
                    add_body(c, at, &all);
                }
            }
        }
    }
    spec_keep(c->r->spec, &c->r->spec->tendon, &all, sizeof all);
    mjcf_composite_hold(c, SAL_EQ_TENDON, all.head.name, said->solref_fix, said->solimp_fix);
}
