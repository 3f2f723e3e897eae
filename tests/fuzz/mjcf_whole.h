/* mjcf_whole.h: elements of random models whose attributes depend on each other, or name files. */
#ifndef SAL_TESTS_FUZZ_MJCF_WHOLE_H
#define SAL_TESTS_FUZZ_MJCF_WHOLE_H

#include "tests/fuzz/mjcf_grower.h"

/* Words that the grammar takes for a name, since they are a list */
static void grow_listed(grower *g, const char *tag)
{
    static const char *const lists[][4] = {{"pid", "pos", "vel ff", "pos vel ff"},
                                           {"dcmotor", "pos", "voltage", "pos ff"},
                                           {"contact", "found", "force torque", "dist pos normal"},
                                           {"rangefinder", "dist", "dist normal", "point depth"}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (strcmp(tag, lists[i][0]) == 0) {
            grow_say(g, "%s", lists[i][grow_errs(g, 5) ? 0 : 1 + grow_pick(g, 3)]);
        }
    }
}

static void grow_field(grower *g)
{
    const unsigned nrow = 2 + grow_pick(g, 4), ncol = 2 + grow_pick(g, 4);
    grow_say(g, "<hfield name=\"h%d\" nrow=\"%u\" ncol=\"%u\" size=\"", g->named['h']++, nrow,
             ncol);
    for (int i = 0; i < 4; i++) {
        grow_number(g, true);
        grow_say(g, " ");
    }
    grow_say(g, "\" elevation=\"");
    for (unsigned i = grow_errs(g, 10); i < nrow * ncol; i++) {
        grow_number(g, false);
        grow_say(g, " ");
    }
    grow_say(g, "\"/>");
}

/* Model files of the tests, and the body of each that another model takes */
static const char *const grow_parts[][2] = {
    {"arm", "upper"}, {"cup", "cup"}, {"hand", "palm"}, {"table", ""}};

static void grow_part(grower *g)
{
    const char *root = getenv("SALTUS_ROOT");
    const unsigned part = grow_pick(g, 4);
    const int name = g->named['p']++;
    g->part[name % 8] = (int)part;
    grow_say(g, "<model name=\"p%d\" file=\"%s/tests/mjcf/attach/parts/%s.xml\"/>", name,
             root == NULL ? "." : root, grow_parts[part][0]);
}

static void grow_attach(grower *g)
{
    const unsigned known = (unsigned)g->named['p'];
    const unsigned name = grow_pick(g, known == 0 || grow_errs(g, 10) ? known + 1 : known);
    const char *body = grow_parts[g->part[name % 8]][grow_errs(g, 10) ? 0 : 1];
    grow_say(g, "<attach model=\"p%u\" prefix=\"%c%u\"", name, 'A' + (int)grow_pick(g, 26),
             grow_pick(g, 1000));
    grow_say(g, body[0] == 0 ? "/>" : " body=\"%s\"/>", body);
}

/* A few points, or a shape by its numbers */
static void grow_mesh(grower *g)
{
    static const char *const shapes[] = {
        "builtin=\"sphere\" params=\"1\"", "builtin=\"hemisphere\" params=\"2\"",
        "builtin=\"cone\" params=\"5 .3\"", "builtin=\"supersphere\" params=\"5 .5 .7\"",
        "builtin=\"supertorus\" params=\"5 .3 1 1\""};
    grow_say(g, "<mesh name=\"m%d\" ", g->named['m']++);
    if (grow_chance(g, 50)) {
        grow_say(g, "%s", shapes[grow_pick(g, 5)]);
    } else {
        grow_say(g, "vertex=\"0 0 0 1 0 0 0 1 0 0 0 1");
        for (unsigned k = 3 * grow_pick(g, 4) + grow_errs(g, 5); k > 0; k--) {
            grow_say(g, " ");
            grow_number(g, false);
        }
        grow_say(g, "\"");
    }
    if (grow_chance(g, 40)) {
        grow_say(g, " scale=\".2 .%u -.3\"", 1 + grow_pick(g, 9));
    }
    if (grow_chance(g, 30)) {
        grow_say(g, " inertia=\"%s\"", grow_chance(g, 50) ? "convex" : "exact");
    }
    grow_say(g, "/>");
}

static void grow_composite(grower *g)
{
    static const char *const kinds[] = {"cable", "particle", "grid",      "rope",
                                        "loop",  "box",      "ellipsoid", "cylinder"};
    /* all others are 2.2.2's */
    const unsigned kind = grow_chance(g, g->wild ? 60 : 97) ? 0 : grow_pick(g, 8);
    const bool flat = kind == 0 || kind == 3 || kind == 4;
    const int n = (kind == 0 ? 4 : 2) + (int)grow_pick(g, 5);
    grow_say(g, "<composite type=\"%s\" prefix=\"w%u\" count=\"%d %d %d\" ", kinds[kind],
             grow_pick(g, 1000), n, flat ? 1 : n, flat || kind == 2 ? 1 : n);
    grow_say(g, kind == 0 ? "curve=\"s cos(s) sin(s)\" size=\"1 .2 3\">" : "spacing=\".1\">");
    grow_say(g, "<joint kind=\"main\" damping=\"");
    grow_number(g, true);
    grow_say(g, "\"/><geom type=\"%s\" size=\".02\"/></composite>",
             kind == 0 ? "capsule" : "sphere");
}

/* What of which of two objects meets */
static void grow_contact_sensor(grower *g)
{
    static const char *const sides[] = {"geom", "body", "subtree"};
    grow_say(g, "<contact");
    for (int side = 1; side <= 2; side++) {
        const unsigned kind = grow_pick(g, 3);
        const char letter = kind == 0 ? 'g' : 'b';
        if (g->named[(unsigned char)letter] > 0 && grow_chance(g, 60)) {
            grow_say(g, " %s%d=\"%c%u\"", sides[kind], side, letter,
                     grow_pick(g, (unsigned)g->named[(unsigned char)letter]));
        }
    }
    if (grow_chance(g, 60)) {
        grow_say(g, " data=\"");
        grow_listed(g, "contact");
        grow_say(g, "\"");
    }
    if (grow_chance(g, 50)) {
        static const char *const reduce[] = {"none", "mindist", "maxforce", "netforce"};
        grow_say(g, " num=\"%u\" reduce=\"%s\"", 1 + grow_pick(g, 4), reduce[grow_pick(g, 4)]);
    }
    grow_say(g, "/>");
}

#endif
