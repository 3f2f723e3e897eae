/* unlisted.c: the contact list of models of so many geoms that their pairs cannot be listed.
 *
 * Pairs of kinds of geoms, which combine to the same parameters, are listed instead. The sweep
 * (sweep.c) finds geoms whose bounding spheres overlap; whether the two may meet is asked then: of
 * their kinds and of their bodies, by the rules of mjcf/pairs.c. Contacts are made in the order in
 * which the sweep meets them, and sorted into that of a list of pairs:
 *
 *     (lower body, higher body; <pair>s first; where the midphase sorts, those whose geom of the
 *     lower type is on the higher body last; geom of the lower type, the other)
 */
#include "physics/collision/collide.h"
#include "physics/collision/near.h"
#include "physics/collision/sweep.h"
#include "physics/scratch.h"

#include <math.h>

/* Where a contact stands in the list. */
typedef struct place {
    uint64_t bodies, geoms;
    int at; /* in the order of the sweep; contacts of one pair keep theirs */
} place;

typedef struct search {
    const sal_model *m;
    sal_data *d;
    phy_swept swept;
    place *place; /* [nconmax] */
} search;

static int body_of(const sal_model *m, int geom)
{
    return m->geom_bodyid[geom];
}

/* ---- which geoms may meet ---- */

static int order_two(int a1, int a2, int b1, int b2)
{
    return a1 != b1 ? (a1 < b1 ? -1 : 1) : a2 != b2 ? (a2 < b2 ? -1 : 1) : 0;
}

/* Two bodies of entry i of a list, the lower first */
typedef void (*bodies_at)(const sal_model *m, int i, int body[2]);

/* The first of the entries low .. high - 1, which ascend, that is not before these bodies; high:
 * none */
static int first_of(const sal_model *m, bodies_at at, int low, int high, int b1, int b2)
{
    int body[2];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        at(m, middle, body);
        if (order_two(body[0], body[1], b1, b2) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void excluded_bodies(const sal_model *m, int i, int body[2])
{
    body[0] = m->exclude_body[2 * i];
    body[1] = m->exclude_body[2 * i + 1];
}

static bool is_excluded(const sal_model *m, int b1, int b2)
{
    const int at = first_of(m, excluded_bodies, 0, m->nexclude, b1, b2);
    const int *found = m->exclude_body + 2 * at;
    return at < m->nexclude && found[0] == b1 && found[1] == b2;
}

static bool bodies_may_meet(const sal_model *m, int b1, int b2)
{
    const int c1 = m->body_cluster[b1], c2 = m->body_cluster[b2];
    const bool fixed = m->body_weldid[b1] == 0 && m->body_weldid[b2] == 0;
    const bool related = c1 == m->body_above[b2] || c2 == m->body_above[b1];
    return c1 != c2 && !fixed && !related && !is_excluded(m, b1, b2);
}

/* Bodies of a <pair>, the lower first. */
static void bodies_of(const sal_model *m, int pair, int body[2])
{
    const int b1 = body_of(m, m->pair_geom1[pair]), b2 = body_of(m, m->pair_geom2[pair]);
    body[0] = b1 < b2 ? b1 : b2;
    body[1] = b1 < b2 ? b2 : b1;
}

/* Whether a <pair> is about these geoms. */
static bool has_pair(const sal_model *m, int g, int h)
{
    const int b1 = body_of(m, g), b2 = body_of(m, h);
    int body[2];
    for (int p = first_of(m, bodies_of, m->nkindlisted, m->npair, b1, b2); p < m->npair; p++) {
        const int g1 = m->pair_geom1[p], g2 = m->pair_geom2[p];
        bodies_of(m, p, body);
        if (order_two(body[0], body[1], b1, b2) != 0) {
            return false;
        }
        if ((g1 == g && g2 == h) || (g1 == h && g2 == g)) {
            return true;
        }
    }
    return false;
}

/* ---- their contacts ---- */

static sal_status meet_if_near(const search *s, int g1, int g2, int pair, sal_err *err)
{
    phy_truth near;
    phy_geoms_may_touch(&near, s->m, s->d, g1, g2, s->m->pair_detect + pair);
    if (!near ||
        (pair < s->m->nkindlisted && (g1 < g2 ? has_pair(s->m, g1, g2) : has_pair(s->m, g2, g1)))) {
        return SAL_OK;
    }
    return phy_meet(s->m, s->d, g1, g2, pair, err);
}

/* Two geoms that the sweep finds */
static sal_status consider(const search *s, int one, int other, sal_err *err)
{
    const sal_model *m = s->m;
    const int g = one < other ? one : other, h = one < other ? other : one;
    const int pair = m->kind_pair[m->geom_kind[g] * m->nkind + m->geom_kind[h]];
    if (pair < 0 || !bodies_may_meet(m, body_of(m, g), body_of(m, h))) {
        return SAL_OK;
    }
    return m->geom_type[g] <= m->geom_type[h] ? meet_if_near(s, g, h, pair, err)
                                              : meet_if_near(s, h, g, pair, err);
}

/* All of what has a bounding sphere. A margin without end makes all intervals overlap. */
static sal_status meet_swept(const search *s, sal_err *err)
{
    const sal_model *m = s->m;
    const double *low = s->swept.low, *r = m->geom_rbound;
    const double margin = m->sweep_margin + PHY_SWEEP_ROUNDING;
    const int axis = phy_sweep_sort(m, s->d, &s->swept);
    const int second = (axis + 1) % 3, third = (axis + 2) % 3, *order = s->d->sweep_order;
    sal_status status = SAL_OK;
    for (int i = 0; i < m->nsweep && low[order[i]] < HUGE_VAL; i++) {
        const int g = order[i];
        const double *x = s->d->geom_xpos + 3 * g, high = low[g] + 2 * r[g] + margin;
        for (int k = i + 1; k < m->nsweep && low[order[k]] <= high && status == SAL_OK; k++) {
            const int h = order[k];
            const double *y = s->d->geom_xpos + 3 * h, reach = r[g] + r[h] + margin;
            if (fabs(x[second] - y[second]) <= reach && fabs(x[third] - y[third]) <= reach) {
                status = consider(s, g, h, err);
            }
        }
    }
    return status;
}

/* Planes have no bounding sphere and may be near to anything. */
static sal_status meet_unbounded(const search *s, sal_err *err)
{
    const sal_model *m = s->m;
    sal_status status = SAL_OK;
    for (int g = 0; g < m->ngeom; g++) {
        for (int h = 0; h < m->ngeom && !(m->geom_rbound[g] > 0) && status == SAL_OK; h++) {
            if (m->geom_rbound[h] > 0) {
                status = consider(s, g, h, err);
            }
        }
    }
    return status;
}

/* <pair>s meet whatever their kinds and bodies are. */
static sal_status meet_pairs(const search *s, sal_err *err)
{
    const sal_model *m = s->m;
    sal_status status = SAL_OK;
    for (int p = m->nkindlisted; p < m->npair && status == SAL_OK; p++) {
        status = meet_if_near(s, m->pair_geom1[p], m->pair_geom2[p], p, err);
    }
    return status;
}

/* ---- their order ---- */

static place place_of(const sal_model *m, const sal_contact *con, int at)
{
    enum { PAIRED, DYNAMIC, CROSSED };
    const int b1 = body_of(m, con->geom1), b2 = body_of(m, con->geom2);
    const bool paired = con->pair >= m->nkindlisted, crossed = con->geom1 > con->geom2;
    int first = con->geom1, second = con->geom2;
    uint64_t group = paired ? PAIRED : crossed && m->kind_sorted ? CROSSED : DYNAMIC;
    if (crossed && !m->kind_sorted) {
        first = con->geom2;
        second = con->geom1;
    }
    if (paired) {
        first = con->pair;
        second = 0;
    }
    return (place){(uint64_t)(b1 < b2 ? b1 : b2) << 32 | (uint64_t)(b1 < b2 ? b2 : b1),
                   group << 62 | (uint64_t)first << 31 | (uint64_t)second, at};
}

static bool is_before(const place *a, const place *b)
{
    return a->bodies != b->bodies ? a->bodies < b->bodies
           : a->geoms != b->geoms ? a->geoms < b->geoms
                                  : a->at < b->at;
}

/* Lets place[i] of a heap of n sink below what comes after it. */
static void sink(place *p, int i, int n)
{
    const place sunk = p[i];
    for (int child = 2 * i + 1; child < n; child = 2 * i + 1) {
        child += child + 1 < n && is_before(p + child, p + child + 1);
        if (!is_before(&sunk, p + child)) {
            break;
        }
        p[i] = p[child];
        i = child;
    }
    p[i] = sunk;
}

static void heap_sort(place *p, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--) {
        sink(p, i, n);
    }
    for (int last = n - 1; last > 0; last--) {
        const place largest = p[0];
        p[0] = p[last];
        p[last] = largest;
        sink(p, 0, last);
    }
}

/* contact[i] <- contact[place[i].at], cycle by cycle */
static void permute(sal_contact *contact, place *p, int n)
{
    for (int i = 0; i < n; i++) {
        const sal_contact first = contact[i];
        int to = i;
        for (int from = p[to].at; from != i; from = p[to].at) {
            contact[to] = contact[from];
            p[to].at = to;
            to = from;
        }
        contact[to] = first;
        p[to].at = to;
    }
}

static void sort_contacts(const search *s)
{
    for (int i = 0; i < s->d->ncon; i++) {
        s->place[i] = place_of(s->m, s->d->contact + i, i);
    }
    heap_sort(s->place, s->d->ncon);
    permute(s->d->contact, s->place, s->d->ncon);
}

/* ---- the whole ---- */

static bool take(const sal_model *m, sal_arena *arena, search *s)
{
    s->swept.low = sal_arena_take(arena, (size_t)m->nsweep, sizeof *s->swept.low);
    s->place = sal_arena_take(arena, (size_t)m->nconmax, sizeof *s->place);
    return s->place != NULL;
}

void phy_unlisted_scratch(const sal_model *m, sal_arena *arena)
{
    search s;
    take(m, arena, &s);
}

sal_status phy_collide_unlisted(const sal_model *m, sal_data *d, sal_err *err)
{
    search s = {.m = m, .d = d};
    if (!take(m, &d->arena, &s)) {
        return phy_scratch_status(d, err);
    }
    sal_status status = meet_swept(&s, err);
    if (status == SAL_OK) {
        status = meet_unbounded(&s, err);
    }
    if (status == SAL_OK) {
        status = meet_pairs(&s, err);
    }
    if (status == SAL_OK) {
        sort_contacts(&s);
    }
    return status;
}
