/* mjcf_random.h: models grown from the reader's own grammar table, so that every element and
 * attribute it knows gets tried, the newest too. About half of them compile: names are defined
 * before they are used, sizes are positive, ranges increase. Every third model makes mistakes on
 * purpose.
 */
#ifndef SAL_TESTS_FUZZ_MJCF_RANDOM_H
#define SAL_TESTS_FUZZ_MJCF_RANDOM_H

#include "tests/fuzz/mjcf_whole.h"

static void grow_numbers(grower *g, const char *name, int lo, int hi, int flags)
{
    const bool positive = (flags & (MJCF_POSITIVE | MJCF_NONNEG)) != 0 ||
                          strcmp(name, "size") == 0 || strcmp(name, "springdamper") == 0 ||
                          strstr(name, "inertia") != NULL;
    const int most = hi - lo > 12 ? lo + 12 : hi;
    int n = lo + (int)grow_pick(g, (unsigned)(most - lo) + 1) - grow_errs(g, 1);
    if (strcmp(name, "diaginertia") == 0 && !g->wild) {
        grow_say(g, "1 1.3 %.2g", sal_rng_uniform(&g->rng, 0.4, 2.2));
        return;
    }
    if (strcmp(name, "ctrlrange") == 0 && grow_is_one_of(g->tag, " adhesion damper ")) {
        grow_say(g, "0 %.2g", sal_rng_uniform(&g->rng, 0.1, 2));
        return;
    }
    if (strstr(name, "range") != NULL && n == 2) {
        grow_say(g, "-%.2g %.2g", sal_rng_uniform(&g->rng, 0, 2), sal_rng_uniform(&g->rng, 0.1, 2));
        n = 0;
    }
    n = strcmp(name, "size") == 0 && !g->wild ? hi : n;
    for (int i = 0; i < n; i++) {
        grow_say(g, i == 0 ? "" : " ");
        grow_number(g, positive);
    }
}

/* The letter of the kind of object that an attribute names. */
static char grow_letter(const grower *g, const char *attr)
{
    static const char *const kinds[] = {"joint",    "body",     "site",   "geom",
                                        "tendon",   "camera",   "mesh",   "class",
                                        "material", "actuator", "sensor", "hfield"};
    static const char letters[] = "jbsgtcmdqaxh";
    if (strcmp(attr, "objname") == 0 || strcmp(attr, "refname") == 0) {
        return g->object;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strstr(attr, kinds[i]) != NULL) {
            return letters[i];
        }
    }
    return 'z';
}

/* The letter of what an element defines. */
static char grow_defines(int parent, const char *tag)
{
    grower none = {.object = 'z'};
    return parent == MJCF_IN_ACTUATOR ? 'a'
           : parent == MJCF_IN_SENSOR ? 'x'
           : parent == MJCF_IN_TENDON ? 't'
           : parent == MJCF_IN_EQUALITY || parent == MJCF_IN_CONTACT || parent == MJCF_IN_KEYFRAME
               ? 'z'
               : grow_letter(&none, strcmp(tag, "default") == 0 ? "class" : tag);
}

/* Of an element of a tuple: what there is one of */
static void grow_kind(grower *g)
{
    static const char *const kinds[] = {"body", "geom", "joint", "site", "tendon", "camera"};
    const char *kind = kinds[0];
    for (int tries = 0; tries < 20; tries++) {
        kind = kinds[grow_pick(g, sizeof kinds / sizeof kinds[0])];
        g->object = grow_letter(g, kind);
        if (g->named[(unsigned char)g->object] > 0) {
            break;
        }
    }
    grow_say(g, "%s", kind);
}

static bool grow_is_ball(const grower *g, unsigned joint)
{
    bool is = false;
    for (int i = 0; i < g->nball && i < 8; i++) {
        is = is || g->ball[i] == (int)joint;
    }
    return is;
}

static void grow_name(grower *g, int parent, const char *tag, const char *attr)
{
    if (strcmp(attr, "objtype") == 0 && !grow_errs(g, 2)) {
        grow_kind(g);
        return;
    }
    const bool defines = strcmp(attr, "name") == 0 || strcmp(tag, "default") == 0;
    const char letter = defines ? grow_defines(parent, tag) : grow_letter(g, attr);
    int *known = &g->named[(unsigned char)letter];
    if (strcmp(attr, "eulerseq") == 0) {
        grow_say(g, "xyz");
    } else if (defines && !grow_errs(g, 1)) {
        grow_say(g, "%c%d", letter, (*known)++);
    } else {
        const unsigned n = *known > 0 ? (unsigned)*known : 1;
        unsigned *last = &g->picked[(unsigned char)letter], now = grow_pick(g, n);
        for (int tries = 0; letter == 'j' && !g->wild && tries < 10; tries++) {
            if (grow_is_ball(g, now) == (strcmp(tag, "orientation") == 0)) {
                break;
            }
            now = grow_pick(g, n);
        }
        now = now == *last && !g->wild ? (now + 1) % n : now; /* often two must differ */
        grow_say(g, "%c%u", letter, now);
        *last = now;
    }
}

/* What there is little of otherwise: a geom of an asset, once there is one */
static const char *grow_asset_word(grower *g, const mjcf_attr *attr)
{
    const bool type = strcmp(attr->name, "type") == 0 && strcmp(g->tag, "geom") == 0;
    return type && g->named['m'] > 0 && grow_chance(g, 35)   ? "mesh"
           : type && g->named['h'] > 0 && grow_chance(g, 35) ? "hfield"
                                                             : NULL;
}

static void grow_word(grower *g, const mjcf_attr *attr)
{
    const char *asset = grow_asset_word(g, attr);
    if (asset != NULL) {
        grow_say(g, "%s", asset);
        return;
    }
    unsigned n = 0, at = 0;
    while (attr->words[n].word != NULL) {
        n++;
    }
    const bool object = strcmp(attr->name, "objtype") == 0 || strcmp(attr->name, "reftype") == 0;
    for (int tries = 0; tries < 50; tries++) {
        at = grow_pick(g, n);
        const char *word = attr->words[at].word;
        g->object = !object ? g->object : grow_letter(g, word[0] == 'x' ? word + 1 : word);
        if (grow_is_one_of(word, " plane hfield free ball muscle user dcmotor global ") &&
            !grow_chance(g, strcmp(word, "hfield") == 0 && g->named['h'] > 0 ? 60
                            : strcmp(word, "ball") == 0                      ? 40
                                                                             : 10)) {
            continue; /* these have many conditions */
        }
        if (strcmp(word, "mesh") == 0 && g->named['m'] == 0 && !g->wild) {
            continue;
        }
        if (grow_errs(g, 5) || (attr->words[at].value != SPEC_OTHER &&
                                (!object || g->named[(unsigned char)g->object] > 0))) {
            break;
        }
    }
    grow_say(g, "%s", attr->words[at].word);
}

static const char grow_lens[] = " sensorsize focal focalpixel principal principalpixel ";

/* Numbers whose count is the model's, or two. */
static void grow_state(grower *g, const char *name)
{
    const int n = strcmp(name, "qpos") == 0                             ? g->nq
                  : strcmp(name, "qvel") == 0                           ? g->nv
                  : strcmp(name, "ctrl") == 0                           ? g->nu
                  : strcmp(name, "mpos") == 0                           ? 3 * g->nmocap
                  : strcmp(name, "mquat") == 0                          ? 4 * g->nmocap
                  : grow_is_one_of(name, grow_lens) && !grow_errs(g, 2) ? 2
                                                                        : (int)grow_pick(g, 5);
    for (int i = 0; i < n; i++) {
        grow_say(g, i == 0 ? "" : " ");
        grow_number(g, false);
    }
}

static void grow_attr(grower *g, int parent, const mjcf_rule *rule, const mjcf_attr *attr)
{
    grow_say(g, " %s=\"", attr->name);
    switch (attr->kind) {
    case MJCF_NAME:
        if (grow_is_one_of(attr->name, " input data ") && strcmp(rule->tag, "text") != 0) {
            grow_listed(g, rule->tag);
        } else {
            grow_name(g, parent, rule->tag, attr->name);
        }
        break;
    case MJCF_WORD:
    case MJCF_STRING:
        grow_word(g, attr);
        break;
    case MJCF_INT:
    case MJCF_INTS:
        for (int i = 0; i < attr->lo; i++) {
            static const int whole[] = {1, 3, 4, 1, 6, 2, -1, 0};
            grow_say(g, "%s%d", i > 0 ? " " : "", whole[grow_pick(g, g->wild ? 8 : 4)]);
        }
        break;
    case MJCF_ATTR:
        grow_state(g, attr->name);
        break;
    case MJCF_ZERO:
        grow_say(g, "0");
        break;
    case MJCF_COUNT:
    case MJCF_NUMBERS:
        grow_numbers(g, attr->name, 0, 9, 0);
        break;
    case MJCF_REALS:
    case MJCF_SKIP:
    case MJCF_NEVER:
    default:
        grow_numbers(g, attr->name, attr->lo, attr->hi, attr->flags);
        break;
    }
    grow_say(g, "\"");
}

/* Whether an attribute can be given its meaning now: what it refers to has been defined, and
 * nothing beside it says the same. */
static bool grow_fits(const grower *g, int parent, const char *tag, const mjcf_attr *attr,
                      const char *said)
{
    if (grow_is_one_of(attr->name, grow_lens + strlen(" sensorsize"))) {
        return strstr(said, " sensorsize=") != NULL && strstr(said, " resolution=") != NULL;
    }
    if (strcmp(attr->name, "sensorsize") == 0) {
        return strstr(said, " fovy=") == NULL;
    }
    if (grow_is_one_of(attr->name, " hfield ") && strstr(said, "\"hfield\"") == NULL) {
        return false; /* its type */
    }
    if (strcmp(attr->name, "nsample") == 0 || strcmp(attr->name, "interp") == 0) {
        return strstr(said, " delay=") != NULL;
    }
    if (attr->kind == MJCF_NAME && strcmp(attr->name, "name") != 0 &&
        strcmp(attr->name, "eulerseq") != 0 && strcmp(tag, "default") != 0) {
        return g->named[(unsigned char)grow_letter(g, attr->name)] > 0;
    }
    if (grow_is_one_of(attr->name, " quat axisangle xyaxes zaxis euler fromto ")) {
        const bool turned = strstr(said, " quat=") != NULL || strstr(said, " axisangle=") != NULL ||
                            strstr(said, " xyaxes=") != NULL || strstr(said, " zaxis=") != NULL ||
                            strstr(said, " fromto=") != NULL;
        return !turned && (strcmp(attr->name, "fromto") != 0 || strstr(said, "\"capsule\"") ||
                           strstr(said, "\"box\""));
    }
    return !grow_is_one_of(attr->name, " actuatorgroupdisable ") &&
           !((parent & (MJCF_IN_DEFAULT | MJCF_IN_EQUALITY)) != 0 &&
             grow_is_one_of(attr->name, " site1 site2 class "));
}

/* Percent, of attributes that not every element has a use for; -1: as often as any */
static int grow_often(const grower *g, int parent, const char *tag, const char *name,
                      const char *said)
{
    const bool well = !g->wild;
    if (strcmp(tag, "rangefinder") == 0 && grow_is_one_of(name, " site camera ")) {
        return strstr(said, " site=") == NULL ? 100 : 0;
    }
    if (strcmp(tag, "pid") == 0 && grow_is_one_of(name, " forcerange inheritrange ") && well) {
        return 0;
    }
    if (grow_is_one_of(tag, " numeric text ") && well) {
        return strcmp(name, "size") != 0 ? 100 : 0;
    }
    if (strcmp(name, "nsample") == 0 && well) {
        return 100;
    }
    if (grow_is_one_of(name, " ki slewmax ") && well) {
        return strstr(said, "\"pos\"") != NULL && strstr(said, " ki=") == NULL ? 50 : 0;
    }
    if (strcmp(name, "mocap") == 0 && well) {
        return parent == MJCF_IN_WORLD ? 8 : 0;
    }
    if (strcmp(name, "mesh") == 0) {
        return strstr(said, "\"mesh\"") != NULL ? 100 : 2;
    }
    return strcmp(tag, "size") == 0 || strcmp(name, "fullinertia") == 0 ? 2 : -1;
}

static bool grow_wants(grower *g, int parent, const mjcf_rule *rule, const mjcf_attr *attr,
                       const char *said)
{
    if (attr->kind == MJCF_NEVER) {
        return grow_errs(g, 1);
    }
    if (strcmp(rule->tag, "default") == 0) {
        return parent == MJCF_IN_DEFAULT;
    }
    if (!grow_fits(g, parent, rule->tag, attr, said) && !grow_errs(g, 5)) {
        return false;
    }
    if ((attr->flags & MJCF_MUST) != 0 && parent != MJCF_IN_DEFAULT) {
        return !grow_errs(g, 1);
    }
    if (parent == MJCF_IN_DEFAULT && (attr->flags & MJCF_HERE) != 0) {
        return grow_errs(g, 1);
    }
    if (strcmp(rule->tag, "adhesion") == 0 && strcmp(attr->name, "ctrlrange") == 0) {
        return !grow_errs(g, 5);
    }
    const int often = grow_often(g, parent, rule->tag, attr->name, said);
    if (often >= 0) {
        return grow_chance(g, (unsigned)often);
    }
    if (grow_is_one_of(attr->name, " size hfield ") && parent != MJCF_IN_DEFAULT && !g->wild) {
        return true;
    }
    if (grow_is_one_of(attr->name, " name size ") ||
        (parent == MJCF_IN_EQUALITY && grow_is_one_of(attr->name, " body1 body2 anchor ")) ||
        (strcmp(rule->tag, "inertial") == 0 && strcmp(attr->name, "diaginertia") == 0)) {
        return grow_chance(g, 95);
    }
    if (strstr(attr->name, "range") != NULL &&
        !grow_is_one_of(attr->name, " actuatorfrcrange inheritrange ") &&
        strstr(said, "limited=\"true\"") != NULL) {
        return true;
    }
    if (grow_is_one_of(attr->name, " actuatorfrcrange actuatorfrclimited shellinertia density "
                                   "viscosity mocap timeconst inheritrange dampratio "
                                   "inertiafromgeom inertiagrouprange inertiagroup discardvisual "
                                   "autolimits reftype refname ")) {
        return grow_chance(g, 2) && grow_chance(g, 30);
    }
    if (parent == MJCF_IN_ACTUATOR &&
        grow_is_one_of(attr->name, " joint jointinparent tendon site body ")) {
        const bool said_it = strstr(said, "joint") != NULL || strstr(said, "tendon=") != NULL;
        return grow_chance(g, said_it ? 1 : g->wild ? 70 : 95);
    }
    return grow_chance(g, attr->kind == MJCF_SKIP || strcmp(attr->name, "mocap") == 0 ? 3 : 14);
}

static void grow_count(grower *g, const char *tag, size_t from)
{
    const char *said = g->out + from;
    if (strcmp(tag, "freejoint") == 0 || strstr(said, "\"free\"") != NULL) {
        g->nq += 7, g->nv += 6;
    } else if (strcmp(tag, "joint") == 0 && strstr(said, "\"ball\"") != NULL) {
        int joint;
        g->nq += 4, g->nv += 3;
        if (sscanf(said, "<joint name=\"j%d", &joint) == 1) {
            g->ball[g->nball++ % 8] = joint;
        }
    } else if (strcmp(tag, "joint") == 0) {
        g->nq += 1, g->nv += 1;
    } else if (strcmp(tag, "body") == 0 && strstr(said, "mocap=\"true\"") != NULL) {
        g->nmocap++;
    }
}

/* Whether it was one of these */
static bool grow_whole(grower *g, int parent, const char *tag)
{
    if (strcmp(tag, "hfield") == 0 && !grow_errs(g, 20)) {
        grow_field(g);
    } else if (strcmp(tag, "mesh") == 0 && parent == MJCF_IN_ASSET && !grow_errs(g, 20)) {
        grow_mesh(g);
    } else if (strcmp(tag, "contact") == 0 && parent == MJCF_IN_SENSOR && !grow_errs(g, 20)) {
        grow_contact_sensor(g);
    } else if (strcmp(tag, "model") == 0) {
        grow_part(g);
    } else if (strcmp(tag, "tuple") == 0 && g->named['b'] == 0 && !grow_errs(g, 5)) {
        ; /* of what? */
    } else if (strcmp(tag, "attach") == 0) {
        grow_attach(g);
    } else if (strcmp(tag, "composite") == 0 && parent == MJCF_IN_BODY && !grow_errs(g, 20)) {
        grow_composite(g);
    } else {
        return false;
    }
    return true;
}

static void grow_children(grower *g, int inside, const char *tag);

static void grow_element(grower *g, int parent, const char *tag)
{
    const mjcf_rule *rule = mjcf_find_rule(parent, tag);
    const size_t from = g->n;
    if (rule == NULL || g->elements-- < -20 || grow_whole(g, parent, tag)) {
        return;
    }
    g->tag = tag;
    grow_say(g, "<%s", tag);
    for (const mjcf_attr *a = rule->attr; a != NULL && a->name != NULL; a++) {
        if (grow_wants(g, parent, rule, a, g->out + from)) {
            grow_attr(g, parent, rule, a);
        }
    }
    if ((parent & (MJCF_IN_BODY | MJCF_IN_WORLD)) != 0) {
        grow_count(g, tag, from);
    }
    g->nu += parent == MJCF_IN_ACTUATOR;
    const bool passes = rule->element == MJCF_EL_FRAME || rule->element == MJCF_EL_REPLICATE;
    const int inside = passes ? parent : rule->inside;
    if (inside == MJCF_IN_NOTHING) {
        grow_say(g, "/>");
        return;
    }
    grow_say(g, ">");
    const bool top = g->top, free = g->free;
    if (strcmp(tag, "body") == 0) {
        g->top = parent == MJCF_IN_WORLD;
        g->free = strstr(g->out + from, " mocap=\"true\"") != NULL; /* has no joints */
    }
    grow_children(g, inside, tag);
    g->top = top;
    g->free = free;
    grow_say(g, "</%s>", tag);
}

/* A supported tag below this parent; a few times in a hundred any tag. */
static const char *grow_tag(grower *g, int inside)
{
    const char *tags[128];
    const unsigned n = (unsigned)mjcf_tags(inside, tags, 128);
    for (int tries = 0; n > 0 && tries < 50; tries++) {
        const char *tag = tags[grow_pick(g, n)];
        const mjcf_rule *rule = mjcf_find_rule(inside, tag);
        bool can = rule->element < MJCF_EL_SKIP &&
                   (strcmp(tag, "inertial") != 0 || grow_chance(g, 5)) &&
                   (strcmp(tag, "composite") != 0 || grow_chance(g, 10)) &&
                   (strcmp(tag, "replicate") != 0 || grow_chance(g, 8)) &&
                   (strcmp(tag, "mesh") != 0 || inside == MJCF_IN_ASSET || g->wild) &&
                   (strcmp(tag, "orientation") != 0 || g->nball > 0 || g->wild) &&
                   !(inside == MJCF_IN_DEFAULT && !g->wild &&
                     grow_is_one_of(tag, " dcmotor pid orientation ")) &&
                   (strcmp(tag, "attach") != 0 || (g->named['p'] > 0 && grow_chance(g, 20))) &&
                   strcmp(tag, "freejoint") != 0 && !(g->free && strcmp(tag, "joint") == 0) &&
                   !(strcmp(tag, "spatial") == 0 && g->named['s'] < 2) &&
                   !(inside == MJCF_IN_EQUALITY && g->named['b'] < 2);
        for (const mjcf_attr *a = rule->attr; can && a != NULL && a->name != NULL; a++) {
            const bool must = (a->flags & MJCF_MUST) != 0 || inside == MJCF_IN_EQUALITY;
            can = !must || grow_fits(g, inside, tag, a, "") ||
                  grow_is_one_of(a->name, " objname class site1 site2 ");
        }
        if (can || grow_errs(g, 3)) {
            return tag;
        }
    }
    return NULL;
}

static void grow_children(grower *g, int inside, const char *tag)
{
    if (inside == MJCF_IN_ROOT) {
        const char *tags[64];
        const size_t n = mjcf_tags(MJCF_IN_ROOT, tags, 64);
        for (size_t i = 0; i < n; i++) {
            if (strcmp(tags[i], "worldbody") == 0 || grow_chance(g, 50)) {
                const mjcf_rule *rule = mjcf_find_rule(MJCF_IN_ROOT, tags[i]);
                if (rule->element < MJCF_EL_SKIP || grow_errs(g, 2)) {
                    grow_element(g, MJCF_IN_ROOT, tags[i]);
                }
            }
        }
        return;
    }
    if (inside == MJCF_IN_SPATIAL && !g->wild) {
        for (unsigned k = 1 + grow_pick(g, 3); k > 0; k--) {
            grow_element(g, inside, "site");
            if (grow_chance(g, 10)) {
                grow_element(g, inside, "geom");
            }
            grow_element(g, inside, "site");
            if (k > 1) {
                grow_element(g, inside, "pulley");
            }
        }
        return;
    }
    if (inside == MJCF_IN_WORLD && strcmp(tag, "worldbody") == 0) {
        grow_element(g, inside, "body");
    }
    if (strcmp(tag, "body") == 0) {
        if (!g->free && grow_chance(g, 75)) {
            g->free = g->top && grow_chance(g, 30);
            grow_element(g, inside, g->free ? "freejoint" : "joint");
        }
        if (grow_chance(g, 95)) {
            grow_element(g, inside, "geom");
        }
    }
    for (unsigned k = 1 + grow_pick(g, 4); k > 0 && g->elements > 0; k--) {
        const char *child = grow_tag(g, inside);
        if (child != NULL) {
            grow_element(g, inside, child);
        }
    }
}

/* A model in out[room], zero-terminated; returns its length. */
static inline size_t mjcf_random(char *out, size_t room, uint64_t seed)
{
    grower g = {.rng = {seed}, .out = out, .room = room, .object = 'z', .tag = ""};
    g.wild = grow_chance(&g, 33);
    g.elements = grow_chance(&g, 25) ? 30 : 8 + (int)grow_pick(&g, 12); /* most are small */
    grow_say(&g, "<mujoco>");
    grow_children(&g, MJCF_IN_ROOT, "mujoco");
    grow_say(&g, "</mujoco>");
    return g.n;
}

/* Puts an element that may stand there behind a tag of out[n] that is open or was just closed;
 * returns the new length. */
static inline size_t mjcf_insert(char *out, size_t n, size_t room, uint64_t seed)
{
    char element[2000], tag[32];
    grower g = {.rng = {seed},
                .out = element,
                .room = sizeof element,
                .object = 'z',
                .elements = 8,
                .tag = "",
                .wild = true};
    for (size_t i = 0; i < 256; i++) {
        g.named[i] = 3;
    }
    const size_t start = n == 0 ? 0 : grow_pick(&g, (unsigned)n);
    const char *open = memchr(out + start, '<', n - start);
    const char *close = open == NULL ? NULL : memchr(open, '>', n - (size_t)(open - out));
    if (close == NULL || open[1] == '/' || close[-1] == '/') {
        return n;
    }
    snprintf(tag, sizeof tag, "%.*s", (int)strcspn(open + 1, " />\t\n") % 31, open + 1);
    for (int parent = 1; parent > 0 && parent < 1 << 30; parent *= 2) {
        const mjcf_rule *rule = mjcf_find_rule(parent, tag);
        const int inside = rule == NULL                         ? MJCF_IN_NOTHING
                           : rule->element == MJCF_EL_FRAME     ? parent
                           : rule->element == MJCF_EL_REPLICATE ? parent
                                                                : rule->inside;
        const char *child = inside == MJCF_IN_NOTHING ? NULL : grow_tag(&g, inside);
        if (child != NULL) {
            grow_element(&g, inside, child);
            break;
        }
    }
    const size_t at = (size_t)(close + 1 - out);
    if (g.n == 0 || n + g.n >= room) {
        return n;
    }
    memmove(out + at + g.n, out + at, n - at);
    memcpy(out + at, element, g.n);
    return n + g.n;
}

#endif
