/* manifold.c: the contacts of two flat sides that face each other, or of an edge along a side, as
 * MuJoCo 3.14 makes them. Where several would do (facets of a round mesh), MuJoCo takes the first
 * in the order in which its table of sides keeps them, and here the one that does best is taken. */
#include "physics/collision/manifold.h"

#include "base/house.h"

enum { ROOM = 2 * PHY_SIDE_MAX };

static const double facing = 0.996; /* cosine of the angle between a side and one that faces it */
static const double lying = 0.0888; /* sine of that between an edge and the side it lies along */
/* Relative, of areas that are the same. Of a cap MuJoCo has another four corners from pose to pose,
 * as rounding decides. */
static const double rounding = 1e-12;

/* A polygon, and of each corner the edge that goes on from it: its number on the polygon that was
 * clipped, or -1 - that of the plane along which it was cut. */
typedef struct ring {
    int n;
    double corner[ROOM][3];
    int edge[ROOM];
} ring;

typedef struct found {
    double margin;
    phy_touch *touch;
    phy_seam *seam;
    int n;
} found;

/* ---- side on side ---- */

/* The two sides that face each other most, n from a to b; false: none do. Sides of a mesh that its
 * scale mirrors have the normals that MuJoCo gives them, inwards: what looks away from the other
 * shape does not face it. */
static bool find_sides(const phy_flat *a, const phy_flat *b, const double n[3], int *side1,
                       int *side2)
{
    double na[3], nb[3], least = -facing;
    bool any = false;
    for (int i = 0; i < a->nside; i++) {
        phy_flat_normal(a, i, na);
        if (!(sal_v3_dot(na, n) > 0)) {
            continue;
        }
        for (int j = 0; j < b->nside; j++) {
            phy_flat_normal(b, j, nb);
            const double cosine = sal_v3_dot(na, nb);
            if (cosine < least) {
                least = cosine;
                *side1 = i, *side2 = j;
                any = true;
            }
        }
    }
    return any;
}

/* The plane that stands on edge k of a side, its normal pointing away from the side */
static void side_plane(const phy_flat_side *side, int k, double across[3])
{
    double along[3];
    sal_v3_sub(along, side->corner[(k + 1) % side->n], side->corner[k]);
    sal_v3_cross(across, along, side->normal);
}

static void put_corner(ring *r, const double point[3], int edge)
{
    if (r->n < ROOM) {
        sal_v3_copy(r->corner[r->n], point);
        r->edge[r->n++] = edge;
    }
}

/* What lies on the inner side of plane k: each edge x y leaves where it crosses, and y.
 * (Sutherland, Hodgman, Communications of the ACM 17, 1974.) */
static void clip_by(const ring *from, ring *to, const phy_flat_side *side, int k)
{
    double across[3], off[3], cut[3];
    side_plane(side, k, across);
    to->n = 0;
    for (int i = 0; i < from->n; i++) {
        const int j = (i + 1) % from->n;
        const double *x = from->corner[i], *y = from->corner[j];
        sal_v3_sub(off, x, side->corner[k]);
        const double hx = sal_v3_dot(across, off);
        sal_v3_sub(off, y, side->corner[k]);
        const double hy = sal_v3_dot(across, off);
        if ((hx < 0 && hy > 0) || (hx > 0 && hy < 0)) {
            sal_v3_sub(cut, y, x);
            sal_v3_scale(cut, cut, hx / (hx - hy));
            sal_v3_add(cut, cut, x);
            put_corner(to, cut, hy > 0 ? -1 - k : from->edge[i]);
        }
        if (hy <= 0) {
            put_corner(to, y, from->edge[j]);
        }
    }
}

/* Side 2, the other way round, over side 1, whose planes are taken in MuJoCo's order */
static const ring *clip(ring room[2], const phy_flat_side *side1, const phy_flat_side *side2)
{
    ring *from = &room[0], *to = &room[1];
    from->n = 0;
    for (int i = 0; i < side2->n; i++) {
        put_corner(from, side2->corner[side2->n - 1 - i], i);
    }
    const int n = side1->n;
    for (int k = 0; k < n && from->n > 0; k++) {
        clip_by(from, to, side1, k < n - 1 ? n - 2 - k : n - 1);
        ring *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* v: dist = up.(v - a),  pos = v - n way dist/2 */
static void put_touch(found *f, const double v[3], double dist, const double n[3], double way)
{
    phy_touch *t = f->touch + f->n;
    t->dist = dist;
    sal_v3_copy(t->normal, n);
    sal_v3_addscaled(t->pos, v, -0.5 * way * dist, n);
    sal_v3_set(t->tangent, 0, 0, 0);
}

/* Corner i of what is left of side 2: a corner of it, a crossing of one of its edges, or a corner
 * of side 1 seen along its normal */
static void put_seam(found *f, const ring *r, int i, const phy_flat_side *side1,
                     const phy_flat_side *side2)
{
    if (f->seam == NULL) {
        return;
    }
    phy_seam *s = f->seam + f->n;
    const int in = r->edge[(i > 0 ? i : r->n) - 1], out = r->edge[i];
    *s = (phy_seam){.base = 1, .turns = 2};
    sal_v3_copy(s->up, side1->normal);
    s->hold = in >= 0 && out >= 0 ? PHY_HOLD_CORNER
              : in < 0 && out < 0 ? PHY_HOLD_PLANE
                                  : PHY_HOLD_EDGE;
    if (s->hold == PHY_HOLD_PLANE) {
        sal_v3_copy(s->along, side1->normal);
        sal_v3_copy(s->across, side2->normal);
    } else if (s->hold == PHY_HOLD_EDGE) {
        const int edge = in >= 0 ? in : out, last = side2->n - 1;
        sal_v3_sub(s->along, side2->corner[(2 * last - edge) % side2->n],
                   side2->corner[last - edge]);
        side_plane(side1, -1 - (in < 0 ? in : out), s->across);
    }
}

static void sides(found *f, const phy_flat_side *side1, const phy_flat_side *side2)
{
    ring room[2] = {{.n = 0}, {.n = 0}};
    double low[ROOM][3], dist[ROOM], off[3], n[3];
    int at[ROOM], q[4], nlow = 0;
    const ring *r = clip(room, side1, side2);
    for (int i = 0; i < r->n; i++) {
        sal_v3_sub(off, r->corner[i], side1->corner[side1->n - 1]);
        const double height = sal_v3_dot(side1->normal, off);
        if (!(height > f->margin)) {
            sal_v3_copy(low[nlow], r->corner[i]);
            dist[nlow] = height;
            at[nlow++] = i;
        }
    }
    sal_v3_scale(n, side2->normal, -1);
    const int kept = phy_quadrilateral(low[0], NULL, nlow, 0, rounding, q);
    for (int k = 0; k < kept; k++) {
        put_seam(f, r, at[q[k]], side1, side2);
        put_touch(f, low[q[k]], dist[q[k]], n, 1);
        f->n++;
    }
}

/* ---- an edge on a side ---- */

/* The side of b along which a lies best with an edge, and that edge's ends; n from a to b */
static bool find_edge(const phy_flat *a, const phy_flat *b, const double n[3], phy_flat_side *side,
                      double ends[2][3])
{
    double along[3], up[3], trial[2][3], least = lying;
    int best = -1;
    for (int i = 0; i < b->nside; i++) {
        phy_flat_normal(b, i, up);
        if (!(sal_v3_dot(up, n) < 0)) {
            continue;
        }
        for (int k = 0; k < a->nedge; k++) {
            phy_flat_edge(a, k, n, trial);
            sal_v3_sub(along, trial[1], trial[0]);
            sal_v3_normalise(along);
            const double sine = fabs(sal_v3_dot(along, up));
            if (sine < least) {
                least = sine;
                best = i;
                sal_v3_copy(ends[0], trial[0]);
                sal_v3_copy(ends[1], trial[1]);
            }
        }
    }
    return best >= 0 && phy_flat_side_of(b, best, side);
}

/* The part of an edge over a side, from its `share[0]` to `share[1]`, and by which of the side's
 * planes it ends there (-1: it ends by itself); false: none is. */
static bool cut_edge(const phy_flat_side *side, double ends[2][3], double share[2], int plane[2])
{
    double across[3], off[3];
    share[0] = 0, share[1] = 1;
    plane[0] = plane[1] = -1;
    for (int k = 0; k < side->n; k++) {
        side_plane(side, k, across);
        sal_v3_sub(off, ends[0], side->corner[k]);
        const double h0 = sal_v3_dot(across, off);
        sal_v3_sub(off, ends[1], side->corner[k]);
        const double h1 = sal_v3_dot(across, off);
        if (h0 > 0 && h1 > 0) {
            return false;
        }
        const int end = h1 > 0;
        const double cut = h0 > 0 || h1 > 0 ? h0 / (h0 - h1) : share[end];
        if (end > 0 ? cut < share[1] : cut > share[0]) {
            share[end] = cut;
            plane[end] = k;
        }
    }
    return share[0] <= share[1];
}

/* Lists the last contact again. */
static void repeat(found *f)
{
    f->touch[f->n] = f->touch[f->n - 1];
    if (f->seam != NULL) {
        f->seam[f->n] = f->seam[f->n - 1];
    }
    f->n++;
}

/* base: the shape of the side, 1 or 2. Where an edge that is cut at the border of the side rises
 * above it with its other end, MuJoCo lists its one contact twice; what is softened does not, to
 * stay continuous. */
static void edge(found *f, const phy_flat_side *side, int base, double ends[2][3])
{
    double share[2], along[3], v[3], off[3], n[3];
    const double way = base == 1 ? 1 : -1;
    const int before = f->n;
    int plane[2], last = 0;
    if (!cut_edge(side, ends, share, plane)) {
        return;
    }
    sal_v3_sub(along, ends[1], ends[0]);
    sal_v3_scale(n, side->normal, way);
    for (int k = 0; k < 2; k++) {
        sal_v3_addscaled(v, ends[0], share[k], along);
        sal_v3_sub(off, v, side->corner[side->n - 1]);
        const double height = sal_v3_dot(side->normal, off);
        if (height > f->margin) {
            continue;
        }
        put_touch(f, v, height, n, way);
        if (f->seam != NULL) {
            phy_seam *s = f->seam + f->n;
            *s = (phy_seam){.base = base, .turns = base, .hold = PHY_HOLD_CORNER};
            sal_v3_copy(s->up, side->normal);
            if (plane[k] >= 0) {
                s->hold = PHY_HOLD_EDGE;
                sal_v3_copy(s->along, along);
                side_plane(side, plane[k], s->across);
            }
        }
        f->n++;
        last = k;
    }
    if (f->n == before + 1 && plane[last] >= 0 && f->margin <= 0) {
        repeat(f);
    }
}

/* ---- any ---- */

/* MuJoCo lets an edge lie on a cap only where that is flat on, and of the second shape. */
int phy_manifold(const phy_shape *A, const phy_shape *B, const double n[3], double margin,
                 phy_touch *touch, phy_seam *seam)
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    phy_flat a, b;
    phy_flat_side side1, side2;
    double ends[2][3];
    int i = 0, j = 0;
    found f = {margin, touch, seam, 0};
    phy_flat_of(&a, A, n);
    phy_flat_of(&b, B, back);
    if (find_sides(&a, &b, n, &i, &j)) {
        if (phy_flat_side_of(&a, i, &side1) && phy_flat_side_of(&b, j, &side2)) {
            sides(&f, &side1, &side2);
        }
    } else if (a.rank < 3) {
        if ((B->type != SAL_GEOM_CYLINDER || b.rank == 3) && find_edge(&a, &b, n, &side2, ends)) {
            edge(&f, &side2, 2, ends);
        }
    } else if (A->type != SAL_GEOM_CYLINDER && find_edge(&b, &a, back, &side1, ends)) {
        edge(&f, &side1, 1, ends);
    }
    return f.n;
}
