/* urdf_random.h: robots as URDF, grown like the models of mjcf_random.h: a tree of links, each
 * joint of some type, shapes, inertias, limits, mimics, and MuJoCo's own element. Every third makes
 * mistakes on purpose.
 */
#ifndef SAL_TESTS_FUZZ_URDF_RANDOM_H
#define SAL_TESTS_FUZZ_URDF_RANDOM_H

#include "tests/fuzz/mjcf_random.h"

static void urdf_vector(grower *g, const char *name, bool positive)
{
    grow_say(g, " %s=\"", name);
    for (int i = grow_errs(g, 2); i < 3; i++) {
        grow_number(g, positive);
        grow_say(g, " ");
    }
    grow_say(g, "\"");
}

static void urdf_scalar(grower *g, const char *name, bool positive)
{
    grow_say(g, " %s=\"", name);
    grow_number(g, positive);
    grow_say(g, "\"");
}

static void urdf_origin(grower *g)
{
    if (grow_chance(g, 60)) {
        grow_say(g, "<origin");
        if (grow_chance(g, 80)) {
            urdf_vector(g, "xyz", false);
        }
        if (grow_chance(g, 50)) {
            urdf_vector(g, "rpy", false);
        }
        grow_say(g, "/>");
    }
}

static void urdf_inertial(grower *g)
{
    static const char *const moments[] = {"ixx", "iyy", "izz"};
    static const char *const products[] = {"ixy", "ixz", "iyz"};
    grow_say(g, "<inertial>");
    urdf_origin(g);
    grow_say(g, "<mass");
    urdf_scalar(g, "value", true);
    grow_say(g, "/><inertia");
    for (int i = 0; i < 3; i++) {
        grow_say(g, " %s=\"%.3g\"", moments[i], sal_rng_uniform(&g->rng, 1, 1.8));
    }
    for (int i = grow_errs(g, 5); i < 3; i++) {
        grow_say(g, " %s=\"%.2g\"", products[i], sal_rng_uniform(&g->rng, -.1, .1));
    }
    grow_say(g, "/></inertial>");
}

/* A mesh is a file of the tests. */
static void urdf_shape(grower *g, const char *tag)
{
    const unsigned kind = grow_pick(g, 10);
    grow_say(g, "<%s>", tag);
    urdf_origin(g);
    grow_say(g, "<geometry>");
    if (kind < 3) {
        grow_say(g, "<box");
        urdf_vector(g, "size", true);
    } else if (kind < 6) {
        grow_say(g, "<sphere");
        urdf_scalar(g, "radius", true);
    } else if (kind < 9) {
        grow_say(g, kind == 8 ? "<capsule" : "<cylinder");
        urdf_scalar(g, "radius", true);
        urdf_scalar(g, "length", true);
    } else {
        const char *root = getenv("SALTUS_ROOT");
        grow_say(g, "<mesh filename=\"%s/tests/mjcf/meshes/stone.stl\"", root == NULL ? "." : root);
        if (grow_chance(g, 40)) {
            urdf_vector(g, "scale", true);
        }
    }
    grow_say(g, "/></geometry></%s>", tag);
}

static void urdf_link(grower *g, int i)
{
    grow_say(g, "<link name=\"l%d\">", i);
    if (grow_chance(g, 85) && !grow_errs(g, 5)) {
        urdf_inertial(g);
    }
    for (int k = (int)grow_pick(g, 3); k > 0; k--) {
        urdf_shape(g, grow_chance(g, 70) ? "collision" : "visual");
    }
    grow_say(g, "</link>");
}

static void urdf_limits(grower *g, int i, bool limited)
{
    if (limited || grow_chance(g, 30)) {
        grow_say(g, "<limit lower=\"-%.2g\" upper=\"%.2g\"", sal_rng_uniform(&g->rng, .1, 2),
                 sal_rng_uniform(&g->rng, .1, 2));
        urdf_scalar(g, "effort", true);
        urdf_scalar(g, "velocity", true);
        grow_say(g, "/>");
    }
    if (grow_chance(g, 50)) {
        grow_say(g, "<dynamics");
        urdf_scalar(g, "damping", true);
        if (grow_chance(g, 50)) {
            urdf_scalar(g, "friction", true);
        }
        grow_say(g, "/>");
    }
    if (i > 1 && grow_chance(g, 10)) {
        grow_say(g, "<mimic joint=\"j%u\"", 1 + grow_pick(g, (unsigned)i - 1));
        urdf_scalar(g, "multiplier", true);
        urdf_scalar(g, "offset", false);
        grow_say(g, "/>");
    }
}

/* Of link i; links hang from those before. */
static void urdf_joint(grower *g, int i)
{
    static const char *const types[] = {"revolute",   "revolute",  "revolute", "continuous",
                                        "continuous", "prismatic", "fixed",    "floating",
                                        "planar",     "spherical"};
    const unsigned type = grow_pick(g, 10);
    const unsigned parent = grow_errs(g, 2) ? grow_pick(g, 9) : grow_pick(g, (unsigned)i);
    grow_say(g, "<joint name=\"j%d\" type=\"%s\"><parent link=\"l%u\"/><child link=\"l%d\"/>", i,
             types[type], parent, i);
    urdf_origin(g);
    if (grow_chance(g, 70)) {
        grow_say(g, "<axis");
        urdf_vector(g, "xyz", false);
        grow_say(g, "/>");
    }
    urdf_limits(g, i, type < 3 || type == 5);
    grow_say(g, "</joint>");
}

static void urdf_compiler(grower *g)
{
    static const char *const flags[] = {"fusestatic", "discardvisual", "balanceinertia",
                                        "strippath", "inertiafromgeom"};
    grow_say(g, "<mujoco><compiler");
    for (int i = 0; i < 5; i++) {
        if (grow_chance(g, 40)) {
            grow_say(g, " %s=\"%s\"", flags[i], grow_chance(g, 50) ? "true" : "false");
        }
    }
    grow_say(g, "/></mujoco>");
}

/* A robot in out[room], zero-terminated; returns its length. */
static inline size_t urdf_random(char *out, size_t room, uint64_t seed)
{
    grower g = {.rng = {seed}, .out = out, .room = room};
    g.wild = grow_chance(&g, 33);
    const int n = 1 + (int)grow_pick(&g, grow_chance(&g, 20) ? 12 : 5);
    grow_say(&g, "<robot name=\"r\">");
    if (grow_chance(&g, 40)) {
        urdf_compiler(&g);
    }
    for (int i = 0; i < n; i++) {
        urdf_link(&g, i);
    }
    for (int i = 1; i < n; i++) {
        urdf_joint(&g, i);
    }
    grow_say(&g, "</robot>");
    return g.n;
}

#endif
