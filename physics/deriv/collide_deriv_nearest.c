/* collide_deriv_nearest.c: how the nearest points of two convex shapes move.
 *
 * a, b: the surface points, b - a = dist n. Shape 1 is fixed; a is the point of it farthest along
 * n, and moves on it by H1 dn. In shape 2's axes -n turns by w x n - dn, and b by H2 (w x n - dn);
 * b also moves with the shape, by U = u + dist/2 w x n. Both slide along the straight lines e1, e2
 * of the parts they lie on, which n stays across. So, across n,
 *
 *     db - da = dist dn:    U + H2 (W - dn) + e2 y - H1 dn - e1 x = dist dn,    W = w x n,
 *     e1.dn = 0,    e2.(dn - W) = 0,
 *
 * and along n, d dist = n.u. With K = H1 + H2 + dist and f across the lines there are:
 *
 *     no line     K dn = U + H2 W
 *     one, e      dn = f x + e (e.W if it is of shape 2, else 0),
 *     f.K f x = f.(U + H2 W) - f.K e (e.dn)
 *     e1 and e2   dn = f1 (e2.W)/(e2.f1)
 *     two         dn = 0 or W
 *
 * What is left, g = U + H2 W - K dn = e1 x - e2 y, tells x; da = H1 dn + e1 x, dP = da + (dist dn +
 *     n d dist)/2.
 * Everything is linear: dn = Q U + S W with matrices 2 x 2 along (t1, t2). (Of smooth shapes:
 * Montana, "The kinematics of contact and grasp", International Journal of Robotics Research 7,
 * 1988.)
 */
#include "base/house.h"
#include "physics/deriv/collide_map.h"

#include <string.h>

static const double coincide = 1e-12; /* f.K f or K this small: the normal is chance, and is kept */
static const double parallel = 1e-6;

static inline phy_m2 product(phy_m2 a, phy_m2 b)
{
    return (phy_m2){a.xx * b.xx + a.xy * b.yx, a.xx * b.xy + a.xy * b.yy, a.yx * b.xx + a.yy * b.yx,
                    a.yx * b.xy + a.yy * b.yy};
}

/* A + s B */
static inline phy_m2 sum(phy_m2 a, double s, phy_m2 b)
{
    return (phy_m2){a.xx + s * b.xx, a.xy + s * b.xy, a.yx + s * b.yx, a.yy + s * b.yy};
}

/* s a b' */
static inline phy_m2 outer(double s, const double a[2], const double b[2])
{
    return (phy_m2){s * a[0] * b[0], s * a[0] * b[1], s * a[1] * b[0], s * a[1] * b[1]};
}

/* K^-1; 0 where it has none */
static inline phy_m2 inverse(phy_m2 k)
{
    const double det = k.xx * k.yy - k.xy * k.yx;
    const double s = fabs(det) < coincide * coincide ? 0 : 1 / det;
    return (phy_m2){s * k.yy, -s * k.xy, -s * k.yx, s * k.xx};
}

/* dn = Q U + S W,  dP across n = A U + B W */
typedef struct motion {
    phy_m2 Q, S, A, B;
} motion;

static const phy_m2 one = {1, 0, 0, 1}, none = {0, 0, 0, 0};

/* x e1 = G g:  A = L Q + G,  B = L S + G H2,  L = H1 + dist/2 - G K */
static inline void slide(motion *r, phy_m2 G, phy_m2 K, double dist, const phy_part *part1,
                         const phy_part *part2)
{
    const phy_m2 L = sum(sum(part1->H, 0.5 * dist, one), -1, product(G, K));
    r->A = sum(product(L, r->Q), 1, G);
    r->B = sum(product(L, r->S), 1, product(G, part2->H));
}

static inline void no_line(motion *r, double dist, const phy_part *part1, const phy_part *part2)
{
    const phy_m2 K = sum(sum(part1->H, 1, part2->H), dist, one);
    const phy_m2 arm = sum(part1->H, 0.5 * dist, one);
    r->Q = inverse(K);
    r->S = product(r->Q, part2->H);
    r->A = product(arm, r->Q);
    r->B = product(arm, r->S);
}

/* One line e:  N = f f'/(f.K f),  dn = N (U + H2 W) + (e - N K e) (e.W if it is of shape 2) */
static inline void one_line(motion *r, double dist, const phy_part *part1, const phy_part *part2)
{
    const double *e = part1->nline == 1 ? part1->line : part2->line;
    const double f[2] = {-e[1], e[0]};
    const phy_m2 K = sum(sum(part1->H, 1, part2->H), dist, one), along = outer(1, e, e);
    const double stiff = f[0] * (K.xx * f[0] + K.xy * f[1]) + f[1] * (K.yx * f[0] + K.yy * f[1]);
    r->Q = fabs(stiff) < coincide ? none : outer(1 / stiff, f, f);
    r->S = product(r->Q, part2->H);
    if (part2->nline == 1) {
        r->S = sum(sum(r->S, 1, along), -1, product(product(r->Q, K), along));
    }
    slide(r, part1->nline == 1 ? along : none, K, dist, part1, part2);
}

/* One of each shape; false: n is not held. */
static inline bool two_lines(motion *r, double dist, const phy_part *part1, const phy_part *part2)
{
    const double *e1 = part1->line, *e2 = part2->line;
    const double f1[2] = {-e1[1], e1[0]}, f2[2] = {-e2[1], e2[0]};
    const double sine = e2[0] * f1[0] + e2[1] * f1[1]; /* = -e1.f2 */
    const phy_m2 K = sum(sum(part1->H, 1, part2->H), dist, one);
    if (fabs(sine) < parallel) {
        return false;
    }
    r->Q = none;
    r->S = outer(1 / sine, f1, e2);
    slide(r, outer(-1 / sine, e1, f2), K, dist, part1, part2);
    return true;
}

/* False: more lines than n can be across. */
static inline bool solve(motion *r, double dist, const phy_part *part1, const phy_part *part2)
{
    const int lines = part1->nline + part2->nline;
    if (lines == 0) {
        no_line(r, dist, part1, part2);
    } else if (lines == 1) {
        one_line(r, dist, part1, part2);
    } else if (lines > 2) {
        return false;
    } else if (part1->nline == 2) { /* b slides along with U + H2 W over shape 1 */
        *r = (motion){none, none, one, part2->H};
    } else if (part2->nline == 2) { /* a slides with H1 W */
        *r = (motion){none, one, none, sum(part1->H, 0.5 * dist, one)};
    } else {
        return two_lines(r, dist, part1, part2);
    }
    return true;
}

/* out = p (row 1) + q (row 2) of  A U + B W,  where l = dist/2 and w x n = (w.t2, -w.t1) */
static inline void expand(double out[18], const double p[3], const double q[3], phy_m2 A, phy_m2 B,
                          double l, const double tangent[6])
{
    const phy_m2 T = sum(B, l, A);
    for (int i = 0; i < 3; i++) {
        const double turn1 = p[i] * T.xx + q[i] * T.yx, turn2 = p[i] * T.xy + q[i] * T.yy;
        const double shift1 = p[i] * A.xx + q[i] * A.yx, shift2 = p[i] * A.xy + q[i] * A.yy;
        for (int k = 0; k < 3; k++) {
            out[6 * i + k] = turn1 * tangent[3 + k] - turn2 * tangent[k];
            out[6 * i + 3 + k] = shift1 * tangent[k] + shift2 * tangent[3 + k];
        }
    }
}

bool phy_map_nearest(phy_contact_map *map, const sal_contact *c, double dist, const phy_part *part1,
                     const phy_part *part2)
{
    const double l = 0.5 * dist, *n = c->frame, *t1 = c->frame + 3, *t2 = c->frame + 6;
    double turn2[3];
    motion r;
    if (!solve(&r, dist, part1, part2)) {
        return false;
    }
    expand(map->pos, t1, t2, r.A, r.B, l, t1);
    sal_v3_set(map->dist, 0, 0, 0);
    sal_v3_copy(map->dist + 3, n);
    for (int i = 0; i < 3; i++) {
        sal_v3_addscaled(map->pos + 6 * i + 3, map->pos + 6 * i + 3, 0.5 * n[i], n);
    }
    if (part1->nline == 2) { /* n is fixed */
        memset(map->turn, 0, sizeof map->turn);
        return true;
    }
    phy_turn_axis(turn2, c);
    expand(map->turn, t2, turn2, r.Q, r.S, l, t1);
    return true;
}
