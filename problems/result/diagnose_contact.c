/* diagnose_contact.c: what the contacts of a motion show, body by body. Bodies that are welded
 * together are one.
 *
 *     size    of the mechanism: extent of its bodies at the start and the radii of its largest
 *             geom, m
 *     deep    a contact under load is deeper than .6 % of the size, or than half of the smallest
 *             radius or half width of its geom; and deeper than what is required, if it is
 *     drags   a body slips under load, on average (weighted by load), faster than .05 m/s and a
 *             tenth of the travel's speed
 *     slides  the same faster than half of the travel's speed, and the body carries half of all
 *             load
 *     overlaps  hard contacts, of a motion that is not physical: their forces follow from the gaps
 *             at the end of a step, so that what touches there (a pose that is pinned, say) is
 *             pushed off by far more than its weight
 */
#include "base/house.h"
#include "problems/result/diagnose.h"
#include "problems/result/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double DEEP = 0.006, HALF = 0.5, SLIP = 0.05, DRAG = 0.1, SLIDE = 0.5;

typedef struct load { /* of a body, over the motion */
    /* sums of force, and of force times slip */
    double force, slip;
    /* m, and of which contact; -1: none */
    double depth;
    int contact;
    int step;
} load;

static double size_of(const sal_result *r)
{
    const sal_model *m = r->model;
    double size = 0, radius = 0;
    for (int axis = 0; axis < 3; axis++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int b = 1; b < m->nbody; b++) {
            if (m->body_weldid[b] != 0) {
                lo = fmin(lo, r->xpos[3 * b + axis]);
                hi = fmax(hi, r->xpos[3 * b + axis]);
            }
        }
        size = fmax(size, hi - lo);
    }
    for (int g = 0; g < m->ngeom; g++) {
        radius = m->body_weldid[m->geom_bodyid[g]] == 0 ? radius : fmax(radius, m->geom_rbound[g]);
    }
    return size + 2 * radius;
}

int prb_contact_body(const sal_model *m, int geom)
{
    return m->body_weldid[m->geom_bodyid[geom]];
}

/* depth [ngeom]: the largest of each geom. The depth of a contact between two moving bodies counts
 * for the first only: it is one contact. */
static void add_loads(load *body, double *depth, const sal_result *r)
{
    const sal_model *m = r->model;
    for (int t = 0; t < r->nstep; t++) {
        for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
            const double force = r->contact_force[6 * k], deep = -r->contact_dist[k];
            const int *geom = r->contact_geom + 2 * k;
            const int first = prb_contact_body(m, geom[0]) == 0;
            for (int side = 0; side < 2 && force > PRB_LOADED * r->weight; side++) {
                load *l = body + prb_contact_body(m, geom[side]);
                l->force += force;
                l->slip += force * r->contact_slip[k];
                if (side == first) {
                    depth[geom[side]] = fmax(depth[geom[side]], deep);
                }
                if (side == first && deep > l->depth) {
                    l->depth = deep, l->contact = k, l->step = t;
                }
            }
        }
    }
}

/* ---- in words ---- */

int prb_contact_step(const sal_result *r, int k)
{
    int t = 0;
    while (t < r->nstep && r->contact_offset[t + 1] <= k) {
        t++;
    }
    return t;
}

void prb_contact_name(char name[100], const sal_model *m, int geom)
{
    char object[PRB_COLUMN_NAME];
    const char *own = sal_model_name(m, SAL_OBJ_GEOM, geom);
    if (prb_contact_body(m, geom) != 0) {
        prb_object_word(object, m, SAL_OBJ_BODY, prb_contact_body(m, geom));
        snprintf(name, 100, "body '%.60s'", object);
    } else if (own[0] != 0) {
        snprintf(name, 100, "'%.60s'", own);
    } else {
        snprintf(name, 100, "%s",
                 m->geom_type[geom] == SAL_GEOM_PLANE ? "the floor" : "a fixed geom");
    }
}

/* The width and dmax with which two geoms touch in the model at hand; false: they never do. */
static bool find_contact(const sal_model *m, const int geom[2], double *width, double *dmax)
{
    for (int i = 0; i < m->npair; i++) {
        const int a = m->pair_geom1[i], b = m->pair_geom2[i];
        if ((a == geom[0] && b == geom[1]) || (a == geom[1] && b == geom[0])) {
            *dmax = m->pair_solimp[5 * i + 1];
            *width = m->pair_solimp[5 * i + 2];
            return true;
        }
    }
    return false;
}

/* Its smallest radius or half width; infinite where it has none. */
static double half_width(const sal_model *m, int geom)
{
    const double *size = m->geom_size + 3 * geom;
    switch ((sal_geom_type)m->geom_type[geom]) {
    case SAL_GEOM_SPHERE:
    case SAL_GEOM_CAPSULE:
        return size[0];
    case SAL_GEOM_CYLINDER:
        return fmin(size[0], size[1]);
    case SAL_GEOM_BOX:
    case SAL_GEOM_ELLIPSOID:
        return fmin(size[0], fmin(size[1], size[2]));
    case SAL_GEOM_PLANE:
    case SAL_GEOM_HFIELD:
    case SAL_GEOM_MESH:
    case SAL_NGEOMTYPES:
        break;
    }
    return INFINITY;
}

/* m: what require/penetration allows; 0: it is not required */
static double allowed_depth(const sal_result *r)
{
    for (int i = 0; i < r->nrequirement; i++) {
        if (strcmp(r->requirement[i].name, "require/penetration") == 0) {
            return r->requirement[i].allowed;
        }
    }
    return 0;
}

/* The depth from which on a body's deepest contact is too deep. */
static double deep_of(const sal_result *r, const load *l, int body, double deep)
{
    const int *geom = r->contact_geom + 2 * l->contact;
    const int mine = prb_contact_body(r->model, geom[0]) == body ? 0 : 1;
    return fmax(fmin(deep, HALF * half_width(r->model, geom[mine])), allowed_depth(r));
}

static void tell_depth(prb_diagnosis *d, const sal_result *r, const sal_model *final, int body,
                       const load *l, const double *depth, double deep)
{
    const sal_model *m = r->model;
    const int *geom = r->contact_geom + 2 * l->contact,
              mine = prb_contact_body(m, geom[0]) == body ? 0 : 1;
    char name[PRB_COLUMN_NAME], partner[100], geoms[60] = "", contact[80] = "";
    double width = 0, dmax = 0;
    int n = 0;
    for (int g = 0; g < m->ngeom; g++) {
        n += prb_contact_body(m, g) == body && depth[g] > deep;
    }
    if (n > 1) {
        snprintf(geoms, sizeof geoms, ", %d of its geoms by more than %.2g m", n, deep);
    }
    if (find_contact(final, geom, &width, &dmax)) {
        snprintf(contact, sizeof contact, "; width now %.3g m, dmax now %.3g", width, dmax);
    }
    prb_object_word(name, m, SAL_OBJ_BODY, body);
    prb_contact_name(partner, m, geom[1 - mine]);
    prb_diagnosis_add(d, PRB_FIND_DEEP, name, l->depth, r->time[l->step],
                      "body '%s' penetrates %s by up to %.2g m (at %.4g s%s%s)", name, partner,
                      l->depth, r->time[l->step], geoms, contact);
}

static void tell_slip(prb_diagnosis *d, const sal_result *r, int body, const load *l, double all)
{
    const double speed = hypot(r->travel[0], r->travel[1]) / (r->nstep * r->timestep);
    const double slip = l->slip / l->force;
    char name[PRB_COLUMN_NAME];
    prb_object_word(name, r->model, SAL_OBJ_BODY, body);
    if (speed > 0 && slip > SLIDE * speed && slip > SLIP && l->force > 0.5 * all) {
        prb_diagnosis_add(d, PRB_FIND_SLIDES, name, slip, (double)NAN,
                          "body '%s' carries %.0f %% of the load and slides at %.2g m/s on average",
                          name, 100 * l->force / all, slip);
    } else if (slip > fmax(SLIP, DRAG * speed) && l->force > 0.05 * all) {
        prb_diagnosis_add(d, PRB_FIND_DRAGS, name, slip, (double)NAN,
                          "body '%s' slides under load at %.2g m/s on average", name, slip);
    }
}

/* ---- what overlaps ---- */

static void tell_overlap(prb_diagnosis *d, const sal_result *r)
{
    const sal_model *m = r->model;
    const int first = r->contact_offset[1], end = r->contact_offset[r->nstep + 1];
    int deepest = first;
    for (int k = first; k < end; k++) {
        deepest = r->contact_dist[k] < r->contact_dist[deepest] ? k : deepest;
    }
    if (first < end && r->contact_dist[deepest] < 0) {
        const int *geom = r->contact_geom + 2 * deepest,
                  body[2] = {prb_contact_body(m, geom[0]), prb_contact_body(m, geom[1])};
        const double depth = -r->contact_dist[deepest];
        const double time = r->time[prb_contact_step(r, deepest)];
        const int mine = body[0] == 0;
        char name[PRB_COLUMN_NAME], one[100], other[100];
        prb_object_word(name, m, SAL_OBJ_BODY, body[mine]);
        prb_contact_name(one, m, geom[mine]);
        prb_contact_name(other, m, geom[1 - mine]);
        prb_diagnosis_add(d, PRB_FIND_OVERLAPS, name, depth, time,
                          "%s overlaps %s by %.2g m at %.4g s", one, other, depth, time);
    }
}

/* ---- all of it ---- */

void prb_diagnose_contact(prb_diagnosis *d, const sal_result *r, const sal_model *final)
{
    const sal_model *m = r->model;
    load *body = sal_alloc((size_t)m->nbody, sizeof *body);
    double *depth = sal_alloc((size_t)m->ngeom + 1, sizeof *depth), all = 0;
    const double deep = DEEP * size_of(r);
    if (body == NULL || depth == NULL) {
        d->failed = true;
    } else if (r->contact_offset != NULL) {
        add_loads(body, depth, r);
        for (int b = 1; b < m->nbody; b++) {
            all += body[b].force;
        }
        for (int b = 1; b < m->nbody; b++) {
            if (body[b].force > 0) {
                tell_slip(d, r, b, body + b, all);
            }
            const double limit = body[b].depth > 0 ? deep_of(r, body + b, b, deep) : deep;
            if (body[b].depth > limit) {
                tell_depth(d, r, final, b, body + b, depth, limit);
            }
        }
    }
    if (r->contact_offset != NULL && m->opt.contact.model == SAL_CONTACT_HARD &&
        !(r->relative_to_weight <= r->physical_tolerance)) {
        tell_overlap(d, r);
    }
    sal_free(body);
    sal_free(depth);
}
