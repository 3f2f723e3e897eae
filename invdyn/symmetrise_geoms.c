/* symmetrise_geoms.c: geoms that collide, and sites, become mirror images of each other
 * (symmetrise.c). The image of a geom is the one of its type on the partner of its body that is
 * nearest to the mirrored place; meshes are moved, but keep their shapes. */
#include "base/house.h"
#include "invdyn/mirror_check.h"
#include "invdyn/symmetrise.h"

#include <string.h>

static double apart(const double a[3], const double b[3])
{
    const double x = b[0] - a[0], y = b[1] + a[1], z = b[2] - a[2];
    return sqrt(x * x + y * y + z * z);
}

static double sizes_differ(const sal_model *m, int g, int k)
{
    double most = 0;
    for (int i = 0; i < 3; i++) {
        const double a = m->geom_size[3 * g + i], b = m->geom_size[3 * k + i];
        most = fmax(most, fabs(a - b));
    }
    return most;
}

static bool collides(const sal_model *m, int g)
{
    return (m->geom_contype[g] | m->geom_conaffinity[g]) != 0;
}

/* Of the geoms on the partner's body the one most like the image of g; -1: none of its type */
static int nearest(const inv_symmetry *w, int g)
{
    const sal_model *m = w->m;
    const int p = w->body[m->geom_bodyid[g]];
    int best = -1;
    double least = 0;
    for (int i = 0; p >= 0 && i < m->body_geomnum[p]; i++) {
        const int k = m->body_geomadr[p] + i;
        const double far = apart(w->d->geom_xpos + 3 * g, w->d->geom_xpos + 3 * k) +
                           (m->geom_type[g] == SAL_GEOM_MESH ? 0 : sizes_differ(m, g, k));
        if (m->geom_type[k] == m->geom_type[g] && collides(m, k) == collides(m, g) &&
            (best < 0 || far < least)) {
            best = k, least = far;
        }
    }
    return best;
}

/* Capsules and cylinders are the same about their axis, spheres about any; boxes and ellipsoids
 * after half a turn about an axis of theirs: q_k goes on to the turn nearest to the image of
 * q_g. */
static void align(const sal_model *m, int g, const double q[4], double its[4])
{
    const double image[4] = {q[0], -q[1], q[2], -q[3]};
    const int type = m->geom_type[g];
    if (type == SAL_GEOM_SPHERE) {
        sal_quat_copy(its, image);
    } else if (type == SAL_GEOM_BOX || type == SAL_GEOM_ELLIPSOID || type == SAL_GEOM_CAPSULE ||
               type == SAL_GEOM_CYLINDER) {
        double best[4] = {1, 0, 0, 0}, most = -1;
        for (int i = 0; i < 4; i++) {
            double half[4] = {0, 0, 0, 0}, turned[4], dot = 0;
            half[i] = 1;
            sal_quat_mul(turned, its, half);
            for (int k = 0; k < 4; k++) {
                dot += turned[k] * image[k];
            }
            if (fabs(dot) > most) {
                most = fabs(dot);
                sal_quat_copy(best, turned);
            }
        }
        sal_quat_copy(its, best);
    }
    if (type == SAL_GEOM_CAPSULE || type == SAL_GEOM_CYLINDER) {
        /* about z, to the image: (w, 0, 0, z) of its^-1 image */
        double inverse[4], between[4], turned[4];
        sal_quat_conj(inverse, its);
        sal_quat_mul(between, inverse, image);
        double about[4] = {between[0], 0, 0, between[3]};
        if (fabs(about[0]) + fabs(about[3]) > 1e-3) {
            sal_quat_normalise(about);
            sal_quat_mul(turned, its, about);
            sal_quat_copy(its, turned);
        }
    }
}

int inv_symmetry_geom(const inv_symmetry *w, int g)
{
    const int k = nearest(w, g);
    return k >= 0 && nearest(w, k) == g ? k : -1;
}

static void even_geoms(const inv_symmetry *w, int g, int k)
{
    sal_model *s = w->s;
    const int pair[2] = {g, k};
    double x[2][3], q[2][4];
    for (int i = 0; i < 2; i++) {
        sal_v3_copy(x[i], w->d->geom_xpos + 3 * pair[i]);
        sal_quat_mul(q[i], w->d->xquat + 4 * s->geom_bodyid[pair[i]],
                     w->m->geom_quat + 4 * pair[i]);
    }
    if (inv_symmetry_points(w, x[0], x[1], w->scale[s->geom_bodyid[g]], SAL_OBJ_GEOM, pair,
                            "centres")) {
        double its[4];
        sal_quat_copy(its, q[1]);
        align(s, g, q[0], its);
        if (g != k && inv_symmetry_turns(w, q[0], its)) {
            sal_quat_copy(q[1], its);
        }
    }
    for (int i = 0; i < 3 && s->geom_type[g] != SAL_GEOM_MESH; i++) {
        double *a = s->geom_size + 3 * g + i, *b = s->geom_size + 3 * k + i;
        inv_symmetry_even(w, a, b, 1, fmax(*a, *b), SAL_OBJ_GEOM, pair, "sizes (m)");
    }
    s->geom_rbound[g] = s->geom_rbound[k] = fmax(s->geom_rbound[g], s->geom_rbound[k]);
    for (int i = 0; i < 2; i++) {
        inv_symmetry_local(w, s->geom_bodyid[pair[i]], s->geom_pos + 3 * pair[i],
                           s->geom_quat + 4 * pair[i], x[i], q[i]);
    }
}

/* In the moved frame of its body */
static void keep_geom(const inv_symmetry *w, int g)
{
    double q[4];
    const int b = w->m->geom_bodyid[g];
    sal_quat_mul(q, w->d->xquat + 4 * b, w->m->geom_quat + 4 * g);
    inv_symmetry_local(w, b, w->s->geom_pos + 3 * g, w->s->geom_quat + 4 * g,
                       w->d->geom_xpos + 3 * g, q);
}

void inv_symmetrise_geoms(const inv_symmetry *w)
{
    for (int g = 0; g < w->m->ngeom; g++) {
        const int k = collides(w->m, g) ? inv_symmetry_geom(w, g) : -1;
        if (k >= g) {
            even_geoms(w, g, k);
        } else if (k < 0 && w->body[w->m->geom_bodyid[g]] >= 0) {
            keep_geom(w, g);
        }
    }
}

/* ---- sites ---- */

/* The nearest to the image of site i, on the partner's body */
static int nearest_site(const inv_symmetry *w, int i)
{
    const sal_model *m = w->m;
    const int p = w->body[m->site_bodyid[i]];
    int best = -1;
    double least = 0;
    for (int k = 0; k < m->nsite && p >= 0; k++) {
        const double far = apart(w->d->site_xpos + 3 * i, w->d->site_xpos + 3 * k);
        if (m->site_bodyid[k] == p && (best < 0 || far < least)) {
            best = k, least = far;
        }
    }
    return best;
}

int inv_symmetry_site(const inv_symmetry *w, int i)
{
    const int k = nearest_site(w, i);
    return k >= 0 && nearest_site(w, k) == i ? k : -1;
}

void inv_symmetrise_sites(const inv_symmetry *w)
{
    sal_model *s = w->s;
    for (int i = 0; i < s->nsite; i++) {
        const int k = inv_symmetry_site(w, i), pair[2] = {i, k}, b = s->site_bodyid[i];
        const bool both = k >= 0;
        if (w->body[b] < 0 || (both && k < i)) {
            continue;
        }
        double x[2][3], q[2][4];
        for (int n = 0; n < (both ? 2 : 1); n++) {
            sal_v3_copy(x[n], w->d->site_xpos + 3 * pair[n]);
            sal_quat_mul(q[n], w->d->xquat + 4 * s->site_bodyid[pair[n]],
                         w->m->site_quat + 4 * pair[n]);
        }
        if (both) {
            inv_symmetry_points(w, x[0], x[1], w->scale[b], SAL_OBJ_SITE, pair, "places");
        }
        for (int n = 0; n < (both ? 2 : 1); n++) {
            inv_symmetry_local(w, s->site_bodyid[pair[n]], s->site_pos + 3 * pair[n],
                               s->site_quat + 4 * pair[n], x[n], q[n]);
        }
    }
}
