/* ray_field.c: where a ray meets a height field: the triangles of its surface, the walls below its
 * border, and the box of the ground below z = 0 with all six faces, which a ray from within meets
 * (as in MuJoCo).
 *
 *     wall   between corners a, b of the border: z <= the line from a to b
 */
#include "base/house.h"
#include "physics/collision/field.h"
#include "physics/collision/ray.h"

static double nearer(double found, double x)
{
    return x >= 0 && (found < 0 || x < found) ? x : found;
}

/* x from .. to of the ray within |coordinate k - middle| <= half; false: none. */
static bool clip(double middle, double half, double p, double v, double *from, double *to)
{
    if (fabs(v) < SAL_MINVAL) {
        return fabs(p - middle) <= half;
    }
    const double a = (middle - half - p) / v, b = (middle + half - p) / v;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
    return *from <= *to;
}

/* The cell of a coordinate, of n - 1 */
static int cell(double at, double half, int n)
{
    const double i = floor((at + half) / (2 * half) * (n - 1));
    return i < 0 ? 0 : i > n - 2 ? n - 2 : (int)i;
}

static void order(int *low, int *high)
{
    if (*low > *high) {
        const int swap = *low;
        *low = *high;
        *high = swap;
    }
}

/* All triangles of the cells between the two ends of the stretch that may meet them. */
static double ray_surface(const phy_field *f, const double p[3], const double v[3], double from,
                          double to)
{
    double a[3], b[3], c[3], found = -1;
    int column = cell(p[0] + from * v[0], f->size[0], f->ncol);
    int last_column = cell(p[0] + to * v[0], f->size[0], f->ncol);
    int row = cell(p[1] + from * v[1], f->size[1], f->nrow);
    int last_row = cell(p[1] + to * v[1], f->size[1], f->nrow);
    order(&column, &last_column);
    order(&row, &last_row);
    for (int r = row > 0 ? row - 1 : 0; r <= last_row + 1 && r < f->nrow - 1; r++) {
        for (int j = column > 0 ? 2 * column - 2 : 0;
             j <= 2 * last_column + 3 && j < 2 * (f->ncol - 1); j++) {
            phy_field_corner(a, f, r, j);
            phy_field_corner(b, f, r, j + 1);
            phy_field_corner(c, f, r, j + 2);
            found = nearer(found, phy_ray_triangle(a, b, c, p, v));
        }
    }
    return found;
}

/* The height of the border above the point at `along` of the side where coordinate k is at its
 * least or greatest. */
static double border(const phy_field *f, int k, bool greatest, double along)
{
    const int n = k == 0 ? f->nrow : f->ncol;
    const size_t ncol = (size_t)f->ncol, step = k == 0 ? ncol : 1;
    const size_t end = k == 0 ? ncol - 1 : ((size_t)f->nrow - 1) * ncol, start = greatest ? end : 0;
    const double half = f->size[1 - k];
    const int i = cell(along, half, n);
    const double share = (along + half) / (2 * half) * (n - 1) - i;
    const float *e = f->data + start + (size_t)i * step;
    return f->size[2] * ((1 - share) * (double)e[0] + share * (double)e[step]);
}

static double ray_walls(const phy_field *f, const double p[3], const double v[3])
{
    double found = -1;
    for (int k = 0; k < 2; k++) {
        for (int end = -1; end <= 1 && fabs(v[k]) > SAL_MINVAL; end += 2) {
            const double x = (end * f->size[k] - p[k]) / v[k];
            const double along = p[1 - k] + x * v[1 - k], z = p[2] + x * v[2];
            if (fabs(along) <= f->size[1 - k] && z >= 0 && z <= border(f, k, end > 0, along)) {
                found = nearer(found, x);
            }
        }
    }
    return found;
}

double phy_ray_field(const phy_field *f, const double p[3], const double v[3])
{
    const double base[3] = {f->size[0], f->size[1], f->size[3] / 2};
    const double up[3] = {p[0], p[1], p[2] + base[2]};
    static const double origin[3] = {0, 0, 0}, unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double from = 0, to = HUGE_VAL;
    double found = phy_ray_shape(SAL_GEOM_BOX, base, origin, unit, up, v);
    if (clip(0, f->size[0], p[0], v[0], &from, &to) &&
        clip(0, f->size[1], p[1], v[1], &from, &to) &&
        clip(f->size[2] / 2, f->size[2] / 2, p[2], v[2], &from, &to)) {
        found = nearer(found, ray_surface(f, p, v, from, to));
    }
    return nearer(found, ray_walls(f, p, v));
}

/* If the plane of p and the normal is nearer to it than `best`, these are n and best. */
static void choose(double distance, double x, double y, double z, double *best, double n[3])
{
    if (fabs(distance) < *best) {
        *best = fabs(distance);
        sal_v3_set(n, x, y, z);
    }
}

/* Of the part that p is nearest to */
void phy_field_normal(const phy_field *f, const double p[3], double n[3])
{
    const int row = cell(p[1], f->size[1], f->nrow), column = cell(p[0], f->size[0], f->ncol);
    double best = INFINITY, a[3], b[3], c[3], t[3];
    for (int j = 2 * column; j < 2 * column + 2; j++) {
        phy_field_corner(a, f, row, j);
        phy_field_corner(b, f, row, j + 1);
        phy_field_corner(c, f, row, j + 2);
        sal_v3_sub(b, b, a);
        sal_v3_sub(c, c, a);
        sal_v3_cross(t, b, c);
        sal_v3_normalise(t);
        sal_v3_scale(t, t, t[2] < 0 ? -1 : 1);
        sal_v3_sub(a, p, a);
        choose(sal_v3_dot(t, a), t[0], t[1], t[2], &best, n);
    }
    choose(p[2], 0, 0, 1, &best, n);
    choose(p[2] + f->size[3], 0, 0, -1, &best, n);
    choose(fabs(p[0]) - f->size[0], p[0], 0, 0, &best, n);
    choose(fabs(p[1]) - f->size[1], 0, p[1], 0, &best, n);
}
