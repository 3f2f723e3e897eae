/* collide_deriv_nearest.c: how the nearest points of two convex shapes move.
 *
 * a, b: the surface points, b - a = dist n. Shape 1 is fixed; a is the point of it farthest along n, and moves on it by H1 dn. In shape 2's
 * axes -n turns by w x n - dn, and b by H2 (w x n - dn); b also moves with the shape, by U = u + dist/2 w x n. Both slide along the straight lines
 * e1, e2 of the parts they lie on, which n stays across. So, across n,
 *
 *     db - da = dist dn:    U + H2 (W - dn) + e2 y - H1 dn - e1 x = dist dn,    W = w x n,    e1.dn = 0,    e2.(dn - W) = 0,
 *
 * and along n, d dist = n.u. With K = H1 + H2 + dist and f across the lines there are:
 *
 *     no line     K dn = U + H2 W
 *     one, e      dn = f x + e (e.W if it is of shape 2, else 0),    f.K f x = f.(U + H2 W) - f.K e (e.dn)
 *     e1 and e2   dn = f1 (e2.W)/(e2.f1)
 *     two         dn = 0 or W
 *
 * What is left, g = U + H2 W - K dn = e1 x - e2 y, tells x;  da = H1 dn + e1 x,  dP = da + (dist dn + n d dist)/2.
 * Everything is linear: dn = Q U + S W with matrices 2 x 2 along (t1, t2). (Of smooth
 * shapes: Montana, "The kinematics of contact and grasp", International Journal of Robotics Research 7, 1988.)
 */
#include "physics/collide_map.h"

static const double coincide = 1e-12; /* f.K f or K this small: the normal is chance, and is kept */
static const double parallel = 1e-6;

static sal_m2 product(sal_m2 a, sal_m2 b)
{
    return (sal_m2){a.xx * b.xx + a.xy * b.yx, a.xx * b.xy + a.xy * b.yy, a.yx * b.xx + a.yy * b.yx,
                    a.yx * b.xy + a.yy * b.yy};
}

/* A + s B */
static sal_m2 sum(sal_m2 a, double s, sal_m2 b)
{
    return (sal_m2){a.xx + s * b.xx, a.xy + s * b.xy, a.yx + s * b.yx, a.yy + s * b.yy};
}

/* s a b' */
static sal_m2 outer(double s, const double a[2], const double b[2])
{
    return (sal_m2){s * a[0] * b[0], s * a[0] * b[1], s * a[1] * b[0], s * a[1] * b[1]};
}

/* K^-1; 0 where it has none */
static sal_m2 inverse(sal_m2 k)
{
    const double det = k.xx * k.yy - k.xy * k.yx;
    if (fabs(det) < coincide * coincide) {
        return (sal_m2){0, 0, 0, 0};
    }
    return (sal_m2){k.yy / det, -k.xy / det, -k.yx / det, k.xx / det};
}

/* How n and, along the lines of shape 1, a move:  dn = Q U + S W,  e1 x = G g */
typedef struct motion {
    sal_m2 Q, S, G;
} motion;

/* One line e:  N = f f'/(f.K f),  dn = N (U + H2 W) + (e - N K e) (e.W if it is of shape 2) */
static void across_line(motion *r, const double e[2], bool of2, sal_m2 K, sal_m2 H2)
{
    const double f[2] = {-e[1], e[0]};
    const double stiff = f[0] * (K.xx * f[0] + K.xy * f[1]) + f[1] * (K.yx * f[0] + K.yy * f[1]);
    if (fabs(stiff) >= coincide) {
        r->Q = outer(1 / stiff, f, f);
        r->S = product(r->Q, H2);
    }
    if (of2) {
        const sal_m2 along = outer(1, e, e);
        r->S = sum(sum(r->S, 1, along), -1, product(product(r->Q, K), along));
    } else {
        r->G = outer(1, e, e);
    }
}

/* False: more lines than n can be across. */
static bool solve(motion *r, sal_m2 K, const sal_part *part1, const sal_part *part2)
{
    static const sal_m2 all = {1, 0, 0, 1}, none = {0, 0, 0, 0};
    const double *e1 = part1->line, *e2 = part2->line;
    *r = (motion){.Q = none, .S = none, .G = none};
    if (part1->nline + part2->nline == 0) {
        r->Q = inverse(K);
        r->S = product(r->Q, part2->H);
    } else if (part1->nline + part2->nline == 1) {
        across_line(r, part1->nline == 1 ? e1 : e2, part2->nline == 1, K, part2->H);
    } else if (part1->nline == 2 && part2->nline == 0) {
        r->G = all;
    } else if (part2->nline == 2 && part1->nline == 0) {
        r->S = all;
    } else {
        const double f1[2] = {-e1[1], e1[0]}, f2[2] = {-e2[1], e2[0]};
        const double sine = e2[0] * f1[0] + e2[1] * f1[1]; /* = -e1.f2 */
        if (part1->nline != 1 || part2->nline != 1 || fabs(sine) < parallel) {
            return false;
        }
        r->S = outer(1 / sine, f1, e2);
        r->G = outer(-1 / sine, e1, f2);
    }
    return true;
}

/* Row j of A U + B W, where l = dist/2 and w x n = (w.t2, -w.t1) */
static void expand(double row[2][6], sal_m2 A, sal_m2 B, double l, const sal_contact *c)
{
    const double *t1 = c->frame + 3, *t2 = c->frame + 6;
    const sal_m2 T = sum(B, l, A);
    for (int k = 0; k < 3; k++) {
        row[0][k] = T.xx * t2[k] - T.xy * t1[k];
        row[1][k] = T.yx * t2[k] - T.yy * t1[k];
        row[0][3 + k] = A.xx * t1[k] + A.xy * t2[k];
        row[1][3 + k] = A.yx * t1[k] + A.yy * t2[k];
    }
}

/* dP across n = A U + B W:  A = L Q + G, B = L S + G H2, with L = H1 + dist/2 - G K */
bool sal_map_nearest(sal_contact_map *map, const sal_contact *c, double dist, const sal_part *part1,
                     const sal_part *part2)
{
    static const sal_m2 one = {1, 0, 0, 1};
    const double l = 0.5 * dist, *n = c->frame, *t1 = c->frame + 3, *t2 = c->frame + 6;
    const sal_m2 K = sum(sum(part1->H, 1, part2->H), dist, one);
    motion r;
    double dn[2][6], dp[2][6];
    if (!solve(&r, K, part1, part2)) {
        return false;
    }
    const sal_m2 L = sum(sum(part1->H, l, one), -1, product(r.G, K));
    expand(dn, r.Q, r.S, l, c);
    expand(dp, sum(product(L, r.Q), 1, r.G), sum(product(L, r.S), 1, product(r.G, part2->H)), l, c);
    sal_v3_set(map->dist, 0, 0, 0);
    sal_v3_copy(map->dist + 3, n);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 6; k++) {
            map->pos[6 * i + k] = t1[i] * dp[0][k] + t2[i] * dp[1][k] + 0.5 * n[i] * map->dist[k];
        }
    }
    sal_map_turn(map, c, dn[0], dn[1]);
    return true;
}
