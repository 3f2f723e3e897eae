/* gjk.c: the point of B - A nearest to the origin. (Gilbert, Johnson, Keerthi, IEEE J. Robotics and
 * Automation 4, 1988; van den Bergen, "Collision Detection in Interactive 3D Environments", 2003,
 * ch. 4.)
 *
 *     v = the nearest point of the simplex;  w = the vertex of B - A least along v;
 *     v.w/|v| <= distance <= |v|
 *     add w, keep the vertices that the new nearest point needs; until the two bounds meet.
 */
#include "base/house.h"
#include "physics/collision/support.h"

enum { ROUNDS = 80 };

static const double gap_share = 1e-14;  /* of the extent: the bounds meet */
static const double touch_share = 1e-9; /* nearer than this the direction of v says too little */

/* Solves the k x k symmetric positive system G x = r (k <= 3) by Gauss elimination; false where it
 * is singular. */
static bool solve(int k, double g[3][3], double x[3])
{
    for (int i = 0; i < k; i++) {
        const double pivot = g[i][i];
        if (!(pivot > 0)) {
            return false;
        }
        for (int j = i + 1; j < k; j++) {
            const double factor = g[j][i] / pivot;
            for (int c = i; c < k; c++) {
                g[j][c] -= factor * g[i][c];
            }
            x[j] -= factor * x[i];
        }
    }
    for (int i = k - 1; i >= 0; i--) {
        for (int j = i + 1; j < k; j++) {
            x[i] -= g[i][j] * x[j];
        }
        x[i] /= g[i][i];
    }
    return true;
}

/* The nearest point of the plane (line, point) through the last vertex p and those of `mask`, d_i =
 * w_i - p:
 *   (d_i.d_j) x = -d_i.p;   false unless it lies inside their hull. */
static bool nearest_of(const phy_simplex *s, int mask, double weight[4], double v[3])
{
    const double *p = s->vertex[s->n - 1].w;
    double d[3][3], g[3][3], x[3], rest = 1;
    int index[3], k = 0;
    for (int i = 0; i < s->n - 1; i++) {
        if (mask >> i & 1) {
            sal_v3_sub(d[k], s->vertex[i].w, p);
            index[k++] = i;
        }
    }
    for (int i = 0; i < k; i++) {
        x[i] = -sal_v3_dot(d[i], p);
        for (int j = 0; j < k; j++) {
            g[i][j] = sal_v3_dot(d[i], d[j]);
        }
    }
    if (!solve(k, g, x)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        weight[i] = 0;
    }
    sal_v3_copy(v, p);
    for (int i = 0; i < k; i++) {
        if (!(x[i] >= 0)) {
            return false;
        }
        weight[index[i]] = x[i];
        rest -= x[i];
        sal_v3_addscaled(v, v, x[i], d[i]);
    }
    weight[s->n - 1] = rest;
    return rest >= 0;
}

/* Weights of the nearest point v among the hulls that hold the last vertex; drops the others. */
static void reduce(phy_simplex *s, double v[3])
{
    double best = HUGE_VAL, weight[4], point[3];
    for (int mask = 0; mask < 1 << (s->n - 1); mask++) {
        if (nearest_of(s, mask, weight, point) && sal_v3_dot(point, point) < best) {
            best = sal_v3_dot(point, point);
            sal_v3_copy(v, point);
            for (int i = 0; i < 4; i++) {
                s->weight[i] = weight[i];
            }
        }
    }
    int kept = 0;
    for (int i = 0; i < s->n; i++) {
        if (s->weight[i] > 0) {
            s->vertex[kept] = s->vertex[i];
            s->weight[kept++] = s->weight[i];
        }
    }
    s->n = kept;
}

static bool holds(const phy_simplex *s, const phy_vertex *v)
{
    for (int i = 0; i < s->n; i++) {
        const double *w = s->vertex[i].w;
        if (w[0] == v->w[0] && w[1] == v->w[1] && w[2] == v->w[2]) {
            return true;
        }
    }
    return false;
}

phy_gjk_end phy_gjk(const phy_shape *A, const phy_shape *B, double limit, phy_simplex *s,
                    double v[3])
{
    const double extent = A->extent + B->extent;
    sal_v3_sub(v, B->pos, A->pos);
    if (sal_v3_dot(v, v) <= 0) {
        v[0] = 1;
    }
    phy_vertex_least(&s->vertex[0], A, B, v);
    s->weight[0] = 1;
    s->n = 1;
    sal_v3_copy(v, s->vertex[0].w);
    for (int round = 0; round < ROUNDS; round++) {
        const double length = sal_v3_norm(v);
        if (!(length > touch_share * extent) || s->n == 4) {
            return PHY_GJK_TOUCHING;
        }
        phy_vertex next;
        phy_vertex_least(&next, A, B, v);
        const double least = sal_v3_dot(v, next.w) / length;
        if (least > limit) {
            return PHY_GJK_FAR;
        }
        if (length - least <= gap_share * extent || holds(s, &next)) {
            break;
        }
        const phy_simplex before = *s;
        double closer[3] = {HUGE_VAL, 0, 0};
        s->vertex[s->n++] = next;
        reduce(s, closer);
        if (!(sal_v3_norm(closer) < length)) {
            *s = before; /* no nearer: rounding error rules from here */
            break;
        }
        sal_v3_copy(v, closer);
    }
    return PHY_GJK_APART;
}
