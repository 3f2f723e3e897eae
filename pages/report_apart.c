/* report_apart.c: how far apart two figures of a strip must stand so that neither is drawn over the
 * other. A figure's outline is kept by levels: how far it reaches to the left and to the right at
 * each height.
 */
#include "base/house.h"
#include "pages/report.h"

#include <math.h>

void page_to_axes(double k[3], const double *R, const double dir[3])
{
    for (int i = 0; i < 3; i++) {
        k[i] = R[i] * dir[0] + R[3 + i] * dir[1] + R[6 + i] * dir[2];
    }
}

/* The farthest corner of a mesh's hull. */
static double mesh_reach(const sal_model *m, int mesh, const double k[3])
{
    const double *vert = m->hull_vert + 3 * m->mesh_hulladr[mesh];
    double most = -(double)INFINITY;
    for (int i = 0; i < m->mesh_hullnum[mesh]; i++) {
        most = fmax(most, sal_v3_dot(k, vert + 3 * i));
    }
    return most;
}

double page_geom_reach(const sal_model *m, const sal_data *d, int geom, const double dir[3])
{
    const double *size = m->geom_size + 3 * geom;
    double k[3];
    page_to_axes(k, d->geom_xmat + 9 * geom, dir);
    if (m->geom_type[geom] == SAL_GEOM_MESH && m->mesh_hullnum[m->geom_dataid[geom]] > 0) {
        return mesh_reach(m, m->geom_dataid[geom], k);
    }
    switch ((int)m->geom_type[geom]) {
    case SAL_GEOM_SPHERE:
        return size[0];
    case SAL_GEOM_CAPSULE:
        return size[0] + size[1] * fabs(k[2]);
    case SAL_GEOM_CYLINDER:
        return size[0] * sqrt(k[0] * k[0] + k[1] * k[1]) + size[1] * fabs(k[2]);
    case SAL_GEOM_ELLIPSOID:
        return sqrt(pow(size[0] * k[0], 2) + pow(size[1] * k[1], 2) + pow(size[2] * k[2], 2));
    case SAL_GEOM_MESH: /* its bounds */
    case SAL_GEOM_BOX:
        return size[0] * fabs(k[0]) + size[1] * fabs(k[1]) + size[2] * fabs(k[2]);
    default:
        return m->geom_rbound[geom];
    }
}

/* ---- outlines ---- */

void page_outline_clear(page_outline *o, double low, double high)
{
    *o = (page_outline){.low = low, .high = high};
    for (int i = 0; i < PAGE_LEVELS; i++) {
        o->left[i] = (double)INFINITY;
        o->right[i] = -(double)INFINITY;
    }
}

enum { ANGLES = 33 };

/* From -80 to 80 degrees, every 5. */
static double angle(int i)
{
    return SAL_DEGREE * (5 * i - 80);
}

/* How far a geom reaches ahead of its centre between the heights w[0] and w[1] about it. With its
 * support function h, u cos a + w sin a <= h(a) holds for all its points and angles a; so
 * u <= min_a max_w (h(a) - w sin a) / cos a. */
static double reach_between(const double h[ANGLES], const double w[2])
{
    double u = (double)INFINITY;
    for (int i = 0; i < ANGLES; i++) {
        const double a = angle(i);
        u = fmin(u, (h[i] - fmin(w[0] * sin(a), w[1] * sin(a))) / cos(a));
    }
    return u;
}

void page_outline_add(page_outline *o, const sal_model *m, const sal_data *d, int geom,
                      const double ahead[3], const double up[3], double shift)
{
    const double level = (o->high - o->low) / PAGE_LEVELS,
                 u = sal_v3_dot(ahead, d->geom_xpos + 3 * geom) - shift,
                 w = sal_v3_dot(up, d->geom_xpos + 3 * geom);
    double right[ANGLES], left[ANGLES], back[3], down[3], dir[3];
    sal_v3_scale(back, ahead, -1);
    sal_v3_scale(down, up, -1);
    const double bottom = -page_geom_reach(m, d, geom, down), top = page_geom_reach(m, d, geom, up);
    for (int i = 0; i < ANGLES; i++) {
        sal_v3_scale(dir, up, sin(angle(i)));
        sal_v3_addscaled(dir, dir, cos(angle(i)), ahead);
        right[i] = page_geom_reach(m, d, geom, dir);
        sal_v3_scale(dir, up, sin(angle(i)));
        sal_v3_addscaled(dir, dir, cos(angle(i)), back);
        left[i] = page_geom_reach(m, d, geom, dir);
    }
    for (int i = 0; i < PAGE_LEVELS; i++) {
        const double at = o->low + level * i - w,
                     between[2] = {fmax(at, bottom), fmin(at + level, top)};
        if (between[0] <= between[1]) {
            o->right[i] = fmax(o->right[i], u + reach_between(right, between));
            o->left[i] = fmin(o->left[i], u - reach_between(left, between));
        }
    }
}

/* Longer than it is high. */
static bool is_long(const page_outline *o)
{
    double left = (double)INFINITY, right = -left;
    int levels = 0;
    for (int i = 0; i < PAGE_LEVELS; i++) {
        levels += o->right[i] > o->left[i];
        left = fmin(left, o->left[i]);
        right = fmax(right, o->right[i]);
    }
    return right - left > levels * (o->high - o->low) / PAGE_LEVELS;
}

/* Upright figures may cross their feet: what overlaps at a quarter of the levels is left so. */
double page_outlines_apart(const page_outline *a, const page_outline *b)
{
    const int left_so = is_long(a) || is_long(b) ? 0 : PAGE_LEVELS / 4;
    double need[PAGE_LEVELS];
    int n = 0;
    for (int i = 0; i < PAGE_LEVELS; i++) {
        if (a->right[i] > a->left[i] && b->right[i] > b->left[i]) {
            const double x = a->right[i] - b->left[i];
            int k = n++;
            for (; k > 0 && need[k - 1] < x; k--) { /* largest first */
                need[k] = need[k - 1];
            }
            need[k] = x;
        }
    }
    return n > left_so ? need[left_so] : 0;
}
