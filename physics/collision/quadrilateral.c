/* quadrilateral.c: four corners of a polygon that span much of it, as MuJoCo 3.14 chooses them. */
#include "base/house.h"
#include "physics/collision/manifold.h"

typedef struct polygon {
    const double *vert;
    const int *index;
    int n;
    /* share of the largest area so far that does not count, and steps left */
    double slack;
    double most;
    int steps;
} polygon;

static const double *corner(const polygon *p, int i)
{
    return p->vert + 3L * (p->index == NULL ? i : p->index[i]);
}

/* |(a - c) x (b - d)| / 2: of the quadrilateral a b c d */
static double area(const polygon *p, const int q[4])
{
    double ac[3], bd[3], cross[3];
    sal_v3_sub(ac, corner(p, q[0]), corner(p, q[2]));
    sal_v3_sub(bd, corner(p, q[1]), corner(p, q[3]));
    sal_v3_cross(cross, ac, bd);
    return 0.5 * sal_v3_norm(cross);
}

/* Moves corner k of the quadrilateral on by one if that makes it larger. (Steps end where areas
 * differ by less than the slack, too.) */
static bool widen(polygon *p, int q[4], int k)
{
    int next[4] = {q[0], q[1], q[2], q[3]};
    next[k] = (q[k] + 1) % p->n;
    const double size = area(p, next);
    if (!(size > p->most * (1 - p->slack)) || p->steps-- == 0) {
        return false;
    }
    q[k] = next[k];
    p->most = fmax(size, p->most);
    return true;
}

int phy_quadrilateral(const double *vert, const int *index, int n, int first, double slack,
                      int q[4])
{
    polygon p = {vert, index, n, slack, 0, 4 * n};
    for (int k = 0; k < 4; k++) {
        q[k] = n > 0 ? (first + k) % n : 0;
    }
    if (n <= 4) {
        return n;
    }
    p.most = area(&p, q);
    while (widen(&p, q, 3)) {
        while (widen(&p, q, 2)) {
        }
        while (widen(&p, q, 1)) {
        }
    }
    return 4;
}
