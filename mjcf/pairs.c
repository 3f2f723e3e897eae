/* pairs.c: every pair of geoms that may ever touch, in the order of MuJoCo's contact list, with its
 * combined parameters.
 *
 * Pairs of bodies ascend by (lower id, higher id); for each, first the <pair> elements, then the
 * geoms of the lower body against those of the higher. In 3.12, if one of the two bodies has
 * several geoms, the midphase sorts their contacts by (geom of the lower type, the other): first
 * the pairs whose geom of the lower type is on the lower body, then the rest. Two geoms meet if
 * their bodies are not excluded and do not move as one, if one's contype and the other's
 * conaffinity share a bit, and if neither body's cluster is the parent of the other's (clusters
 * that cannot move have no say in that).
 *
 *     margin, gap      2.2.2: max; detected below margin, rows below margin - gap
 *                      3.12:  sum; detected below margin + gap, rows below margin
 *     condim, friction the larger
 *     solref, solimp   mixed by solmix
 *     adhesion         sum            all of these: or from the geom of higher priority
 *
 * Where there are too many of them, pairs of kinds of geoms are listed: geoms of a kind combine
 * alike with any other. What decides whether two geoms meet goes into the model then
 * (physics/collision/unlisted.c).
 */
#include "mjcf/compile.h"

#include <stdlib.h>
#include <string.h>

enum { BODIES_MAX = 20000 };

static const double friction_min = 1e-5; /* MuJoCo's mjMINMU */

typedef struct walk {
    const mjcf_spec *spec;
    sal_model *m; /* NULL: only count */
    long n;
    spec_pair **explicit_pair; /* sorted by bodies */
    int nexplicit, next;
    spec_exclude **exclude; /* sorted by bodies */
    int nexclude;
    int *cluster; /* of each body */
    bool *fixed;  /* the cluster cannot move by itself */
} walk;

/* ---- combined parameters ---- */

static const spec_geom *geom_of(const walk *w, int id)
{
    return w->spec->geom.item[id];
}

/* Share of the first geom in a mixture. */
static double share(double s1, double s2)
{
    if (s1 >= SAL_MINVAL && s2 >= SAL_MINVAL) {
        return s1 / (s1 + s2);
    }
    return s1 < SAL_MINVAL && s2 < SAL_MINVAL ? 0.5 : s1 < SAL_MINVAL ? 0 : 1;
}

static void mix_solref(double out[2], const double a[2], const double b[2], double mix)
{
    const bool standard = a[0] > 0 && b[0] > 0; /* else stiffness and damping, negative */
    for (int i = 0; i < 2; i++) {
        out[i] = standard ? mix * a[i] + (1 - mix) * b[i] : fmin(a[i], b[i]);
    }
}

static void take_margin(const walk *w, double margin, double gap)
{
    sal_model *m = w->m;
    if (w->spec->flags.override) {
        margin = w->spec->option.o_margin;
    }
    m->pair_detect[w->n] = w->spec->mujoco == SAL_MUJOCO_222 ? margin : margin + gap;
    m->pair_include[w->n] = w->spec->mujoco == SAL_MUJOCO_222 ? margin - gap : margin;
    m->pair_sides[w->n] = margin + gap <= 0;
    m->pair_upright[w->n] = 0;
}

/* (slide, spin, roll) to (slide, slide, spin, roll, roll), none below the least. */
static void take_friction(const walk *w, const double f[3])
{
    static const int from[5] = {0, 0, 1, 2, 2};
    for (int i = 0; i < 5; i++) {
        w->m->pair_friction[5 * w->n + i] = fmax(friction_min, f[from[i]]);
    }
}

static void take_adhesion(const walk *w, double adhesion)
{
    w->m->pair_adhesion[w->n] = adhesion;
    w->m->nadhesion += adhesion > 0;
}

static void combine(const walk *w, const spec_geom *a, const spec_geom *b)
{
    double *solref = w->m->pair_solref + 2 * w->n, *solimp = w->m->pair_solimp + 5 * w->n;
    if (a->priority != b->priority) {
        const spec_geom *rules = a->priority > b->priority ? a : b;
        w->m->pair_dim[w->n] = rules->condim;
        take_adhesion(w, rules->adhesion);
        take_friction(w, rules->friction);
        memcpy(solref, rules->solref, sizeof rules->solref);
        memcpy(solimp, rules->solimp, sizeof rules->solimp);
    } else {
        const double mix = share(a->solmix, b->solmix);
        double friction[3];
        for (int i = 0; i < 3; i++) {
            friction[i] = fmax(a->friction[i], b->friction[i]);
        }
        w->m->pair_dim[w->n] = a->condim > b->condim ? a->condim : b->condim;
        take_adhesion(w, a->adhesion + b->adhesion);
        take_friction(w, friction);
        mix_solref(solref, a->solref, b->solref, mix);
        for (int i = 0; i < 5; i++) {
            solimp[i] = mix * a->solimp[i] + (1 - mix) * b->solimp[i];
        }
    }
    if (w->spec->mujoco == SAL_MUJOCO_222) {
        take_margin(w, fmax(a->margin, b->margin), fmax(a->gap, b->gap));
    } else {
        take_margin(w, a->margin + b->margin, a->gap + b->gap);
    }
}

/* A <pair> says everything itself. */
static void copy_pair(const walk *w, const spec_pair *p)
{
    w->m->pair_dim[w->n] = p->condim;
    for (int i = 0; i < 5; i++) {
        w->m->pair_friction[5 * w->n + i] = fmax(friction_min, p->friction[i]);
    }
    memcpy(w->m->pair_solref + 2 * w->n, p->solref, sizeof p->solref);
    memcpy(w->m->pair_solimp + 5 * w->n, p->solimp, sizeof p->solimp);
    memcpy(w->m->pair_solreffriction + 2 * w->n, p->solreffriction, sizeof p->solreffriction);
    take_margin(w, p->margin, p->gap);
    take_adhesion(w, p->adhesion);
}

static void override(const walk *w)
{
    const spec_option *o = &w->spec->option;
    memcpy(w->m->pair_solref + 2 * w->n, o->o_solref, sizeof o->o_solref);
    memset(w->m->pair_solreffriction + 2 * w->n, 0, sizeof o->o_solref); /* that of the normal */
    memcpy(w->m->pair_solimp + 5 * w->n, o->o_solimp, sizeof o->o_solimp);
    for (int i = 0; i < 5 && w->spec->mujoco != SAL_MUJOCO_222; i++) {
        w->m->pair_friction[5 * w->n + i] = fmax(friction_min, o->o_friction[i]);
    }
}

static void emit(walk *w, const spec_geom *a, const spec_geom *b, const spec_pair *p)
{
    const bool flat = a->type <= SAL_GEOM_HFIELD && b->type <= SAL_GEOM_HFIELD;
    if (flat || w->n > SPEC_PAIRS_MAX) {
        return; /* two planes never touch */
    }
    if (w->m != NULL) {
        const bool swap = a->type > b->type;
        w->m->pair_geom1[w->n] = swap ? b->head.id : a->head.id;
        w->m->pair_geom2[w->n] = swap ? a->head.id : b->head.id;
        w->m->pair_explicit[w->n] = p != NULL;
        if (p != NULL) {
            copy_pair(w, p);
        } else {
            combine(w, a, b);
        }
        if (w->spec->flags.override) {
            override(w);
        }
    }
    w->n++;
}

/* ---- which pairs ---- */

static int order_bodies(int a1, int a2, int b1, int b2)
{
    return a1 != b1 ? (a1 < b1 ? -1 : 1) : a2 != b2 ? (a2 < b2 ? -1 : 1) : 0;
}

static int order_pairs(const void *a, const void *b)
{
    const spec_pair *x = *(spec_pair *const *)a, *y = *(spec_pair *const *)b;
    const int order = order_bodies(x->body1, x->body2, y->body1, y->body2);
    return order != 0 ? order : x->head.id - y->head.id; /* as in the file */
}

static int order_excludes(const void *a, const void *b)
{
    const spec_exclude *x = *(spec_exclude *const *)a, *y = *(spec_exclude *const *)b;
    return order_bodies(x->id1, x->id2, y->id1, y->id2);
}

static bool is_excluded(const walk *w, int b1, int b2)
{
    const spec_exclude key = {.id1 = b1, .id2 = b2};
    const spec_exclude *wanted = &key;
    return w->nexclude > 0 && bsearch(&wanted, w->exclude, (size_t)w->nexclude, sizeof(void *),
                                      order_excludes) != NULL;
}

static int parent_cluster(const walk *w, int cluster)
{
    const spec_body *b = w->spec->body.item[cluster];
    return b->parent == NULL ? 0 : w->cluster[b->parent->head.id];
}

static bool bodies_may_touch(const walk *w, int b1, int b2)
{
    const int c1 = w->cluster[b1], c2 = w->cluster[b2];
    if (c1 == c2 || (w->fixed[b1] && w->fixed[b2]) || is_excluded(w, b1, b2)) {
        return false;
    }
    const bool related = c1 == parent_cluster(w, c2) || c2 == parent_cluster(w, c1);
    return !(related && c1 != 0 && c2 != 0 && w->spec->flags.filterparent);
}

bool spec_masks_meet(const spec_geom *a, const spec_geom *b)
{
    return (a->contype & b->conaffinity) != 0 || (b->contype & a->conaffinity) != 0;
}

/* The <pair>s of bodies before (b1, b2), and of (b1, b2) themselves. */
static void emit_explicit(walk *w, int b1, int b2)
{
    while (w->next < w->nexplicit) {
        const spec_pair *p = w->explicit_pair[w->next];
        if (order_bodies(p->body1, p->body2, b1, b2) > 0) {
            return;
        }
        emit(w, geom_of(w, p->id1), geom_of(w, p->id2), p);
        w->next++;
    }
}

/* Whether one of the <pair>s just emitted for these bodies is about these geoms. */
static bool is_explicit(const walk *w, const spec_geom *a, const spec_geom *b)
{
    for (int i = w->next - 1; i >= 0; i--) {
        const spec_pair *p = w->explicit_pair[i];
        if (p->body1 != a->body || p->body2 != b->body) {
            return false;
        }
        if (p->id1 == a->head.id && p->id2 == b->head.id) {
            return true;
        }
    }
    return false;
}

static void emit_if_met(walk *w, const spec_geom *a, const spec_geom *b)
{
    if (spec_masks_meet(a, b) && !is_explicit(w, a, b)) {
        emit(w, a, b, NULL);
    }
}

/* Geoms of the lower body have the lower ids: two walks give the pairs as the midphase sorts them.
 */
static void emit_dynamic(walk *w, const spec_body *low, const spec_body *high)
{
    const bool sorted = w->spec->mujoco != SAL_MUJOCO_222 && w->spec->flags.midphase;
    for (int i = 0; i < low->geom.n; i++) {
        for (int k = 0; k < high->geom.n; k++) {
            const spec_geom *a = low->geom.item[i], *b = high->geom.item[k];
            if (!sorted || a->type <= b->type) {
                emit_if_met(w, a, b);
            }
        }
    }
    for (int k = 0; sorted && k < high->geom.n; k++) {
        for (int i = 0; i < low->geom.n; i++) {
            const spec_geom *a = low->geom.item[i], *b = high->geom.item[k];
            if (a->type > b->type) {
                emit_if_met(w, a, b);
            }
        }
    }
}

static bool can_touch(const spec_body *b)
{
    for (int i = 0; i < b->geom.n; i++) {
        const spec_geom *g = b->geom.item[i];
        if (g->contype != 0 || g->conaffinity != 0) {
            return true;
        }
    }
    return false;
}

/* Bodies that move as one. Since 3.12 a mocap body and what is fixed to it are a cluster of their
 * own, not part of the world. */
static void find_clusters(walk *w)
{
    for (int i = 0; i < w->spec->body.n; i++) {
        const spec_body *b = w->spec->body.item[i];
        const int parent = b->parent == NULL ? 0 : b->parent->head.id;
        const bool own = b->mocapid >= 0 && w->spec->mujoco != SAL_MUJOCO_222;
        w->cluster[i] = b->joint.n > 0 || own ? i : w->cluster[parent];
        w->fixed[i] = b->weld == 0;
    }
}

static void walk_bodies(walk *w, const int *active, int nactive)
{
    const int collision =
        w->spec->mujoco == SAL_MUJOCO_222 ? w->spec->option.collision : SPEC_COLLISION_ALL;
    for (int i = 0; i < nactive && collision != SPEC_COLLISION_PREDEFINED; i++) {
        for (int k = i + 1; k < nactive && w->n <= SPEC_PAIRS_MAX; k++) {
            if (bodies_may_touch(w, active[i], active[k])) {
                emit_explicit(w, active[i], active[k]);
                emit_dynamic(w, w->spec->body.item[active[i]], w->spec->body.item[active[k]]);
            }
        }
    }
    emit_explicit(w, w->spec->body.n, w->spec->body.n); /* all that are left */
}

/* Copies of the lists in sorted order; false without memory. */
static bool sort_lists(walk *w, mjcf_spec *spec)
{
    const int collision =
        spec->mujoco == SAL_MUJOCO_222 ? spec->option.collision : SPEC_COLLISION_ALL;
    w->nexplicit = collision == SPEC_COLLISION_DYNAMIC ? 0 : spec->pair.n;
    w->nexclude = spec->exclude.n;
    w->explicit_pair = spec_take(spec, (size_t)spec->pair.n + 1, sizeof(void *));
    w->exclude = spec_take(spec, (size_t)spec->exclude.n + 1, sizeof(void *));
    if (w->explicit_pair == NULL || w->exclude == NULL) {
        return false;
    }
    for (int i = 0; i < spec->pair.n; i++) {
        w->explicit_pair[i] = spec->pair.item[i];
        w->explicit_pair[i]->head.id = i;
    }
    for (int i = 0; i < spec->exclude.n; i++) {
        w->exclude[i] = spec->exclude.item[i];
    }
    qsort(w->explicit_pair, (size_t)w->nexplicit, sizeof(void *), order_pairs);
    qsort(w->exclude, (size_t)w->nexclude, sizeof(void *), order_excludes);
    return true;
}

/* False without memory, and spec->nomem says so. */
static bool begin(walk *w, mjcf_spec *spec, sal_model *m)
{
    const size_t nbody = (size_t)spec->body.n;
    *w = (walk){.spec = spec, .m = m};
    w->cluster = spec_take(spec, nbody, sizeof *w->cluster);
    w->fixed = spec_take(spec, nbody, sizeof *w->fixed);
    if (w->cluster == NULL || w->fixed == NULL || !sort_lists(w, spec)) {
        return false;
    }
    find_clusters(w);
    return true;
}

long spec_pairs(mjcf_spec *spec, sal_model *m)
{
    walk w;
    int *active = spec_take(spec, (size_t)spec->body.n, sizeof *active), nactive = 0;
    if (!begin(&w, spec, m) || active == NULL) {
        return 0;
    }
    for (int i = 0; i < spec->body.n; i++) {
        if (can_touch(spec->body.item[i])) {
            active[nactive++] = i;
        }
    }
    if (nactive > BODIES_MAX) {
        return -1;
    }
    walk_bodies(&w, active, nactive);
    return w.n > SPEC_PAIRS_MAX ? -1 : w.n;
}

/* ---- pairs of kinds ---- */

static int order_reals(const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++) {
        if (a[i] < b[i] || a[i] > b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

/* 0: of one kind, all that counts is equal. */
static int order_kinds(const spec_geom *a, const spec_geom *b)
{
    const int x[5] = {a->type, a->contype, a->conaffinity, a->condim, a->priority};
    const int y[5] = {b->type, b->contype, b->conaffinity, b->condim, b->priority};
    const double p[4] = {a->solmix, a->margin, a->gap, a->adhesion};
    const double q[4] = {b->solmix, b->margin, b->gap, b->adhesion};
    int order = 0;
    for (int i = 0; i < 5 && order == 0; i++) {
        order = x[i] != y[i] ? (x[i] < y[i] ? -1 : 1) : 0;
    }
    order = order != 0 ? order : order_reals(a->friction, b->friction, 3);
    order = order != 0 ? order : order_reals(a->solref, b->solref, 2);
    order = order != 0 ? order : order_reals(a->solimp, b->solimp, 5);
    return order != 0 ? order : order_reals(p, q, 4);
}

static int order_geoms(const void *a, const void *b)
{
    const spec_geom *x = *(spec_geom *const *)a, *y = *(spec_geom *const *)b;
    const int order = order_kinds(x, y);
    return order != 0 ? order : x->head.id - y->head.id;
}

/* Geoms by kinds, and where each kind begins; returns how many there are. */
static int find_kinds(mjcf_spec *spec, spec_geom **geom, int *first)
{
    const int n = spec->geom.n;
    int nkind = 0;
    for (int i = 0; i < n; i++) {
        geom[i] = spec->geom.item[i];
    }
    qsort(geom, (size_t)n, sizeof(void *), order_geoms);
    for (int i = 0; i < n; i++) {
        if (i == 0 || order_kinds(geom[i - 1], geom[i]) != 0) {
            first[nkind++] = i;
        }
    }
    first[nkind] = n;
    return nkind;
}

/* Pairs of kinds, the lower geom's first. */
static void emit_kinds(walk *w, spec_geom *const *geom, const int *first, int nkind)
{
    for (int i = 0; i < nkind; i++) {
        for (int k = 0; k < nkind && w->n <= SPEC_PAIRS_MAX; k++) {
            const spec_geom *a = geom[first[i]], *b = geom[first[k]];
            const long before = w->n;
            if (spec_masks_meet(a, b)) {
                emit(w, a, b, NULL);
            }
            if (w->m != NULL) {
                w->m->kind_pair[i * nkind + k] = w->n > before ? (int)before : -1;
            }
        }
    }
}

/* The parent of a cluster with which it may not meet; -1: none. */
static int above(const walk *w, int body)
{
    const int cluster = w->cluster[body], parent = parent_cluster(w, cluster);
    return cluster != 0 && parent != 0 && w->spec->flags.filterparent ? parent : -1;
}

static void fill_kinds(const walk *w, spec_geom *const *geom, const int *first, int nkind)
{
    sal_model *m = w->m;
    for (int kind = 0; kind < nkind; kind++) {
        for (int i = first[kind]; i < first[kind + 1]; i++) {
            m->geom_kind[geom[i]->head.id] = kind;
        }
    }
    for (int b = 0; b < m->nbody; b++) {
        m->body_cluster[b] = w->cluster[b];
        m->body_above[b] = above(w, b);
    }
    for (int i = 0; i < w->nexclude; i++) {
        m->exclude_body[2 * i] = w->exclude[i]->id1;
        m->exclude_body[2 * i + 1] = w->exclude[i]->id2;
    }
}

long spec_pair_kinds(mjcf_spec *spec, sal_model *m, bool fill)
{
    enum { KINDS_MAX = 2000 };
    walk w;
    spec_geom **geom = spec_take(spec, (size_t)spec->geom.n, sizeof *geom);
    int *first = spec_take(spec, (size_t)spec->geom.n + 1, sizeof *first);
    if (!begin(&w, spec, fill ? m : NULL) || geom == NULL || first == NULL) {
        return 0;
    }
    const int nkind = find_kinds(spec, geom, first);
    if (nkind > KINDS_MAX) {
        return -1;
    }
    emit_kinds(&w, geom, first, nkind);
    m->nkind = nkind;
    m->nkindpair = nkind * nkind;
    m->nkindlisted = (int)w.n;
    m->nkindgeom = spec->geom.n;
    m->nkindbody = spec->body.n;
    m->nexclude = w.nexclude;
    m->kind_sorted = spec->mujoco != SAL_MUJOCO_222 && spec->flags.midphase;
    emit_explicit(&w, spec->body.n, spec->body.n);
    if (fill) {
        fill_kinds(&w, geom, first, nkind);
    }
    return w.n > SPEC_PAIRS_MAX ? -1 : w.n;
}
