/* epa.c: how deep the origin lies in B - A, and in which direction it is nearest to the surface.
 * (Van den Bergen, "Proximity queries and penetration depth computation on 3D game objects", GDC
 * 2001.)
 *
 * A polytope with vertices on the surface of B - A grows where its face is nearest to the origin
 * (or farthest on the wrong side of it, so that the polytope need not hold the origin at first):
 *     d = distance of the face,  w = the vertex farthest along its normal u;   d <= depth <= u.w;
 *     until the two meet.
 */
#include "base/house.h"
#include "physics/collision/support.h"

enum { VERTICES = 160, FACES = 2 * VERTICES, EDGES = 128 };

static const double gap_share = 1e-10;   /* of the extent: the bounds meet */
static const double above_share = 1e-14; /* a vertex this far above a face sees it */

typedef struct hull_face {
    int v[3];
    double u[3], d; /* outward unit normal, height above the origin */
} hull_face;

typedef struct hull {
    phy_vertex vertex[VERTICES];
    hull_face face[FACES];
    int edge[EDGES][2];
    int nvertex, nface, nedge;
} hull;

/* A face without area is never the nearest. */
static void add_face(hull *h, int i, int j, int k)
{
    hull_face *f = &h->face[h->nface++];
    double p[3], q[3];
    f->v[0] = i, f->v[1] = j, f->v[2] = k;
    sal_v3_sub(p, h->vertex[j].w, h->vertex[i].w);
    sal_v3_sub(q, h->vertex[k].w, h->vertex[i].w);
    sal_v3_cross(f->u, p, q);
    const double area = sal_v3_norm(f->u);
    if (area > 1e-14 * sal_v3_norm(p) * sal_v3_norm(q)) {
        sal_v3_scale(f->u, f->u, 1 / area);
        f->d = sal_v3_dot(f->u, h->vertex[i].w);
    } else {
        sal_v3_set(f->u, 0, 0, 0);
        f->d = HUGE_VAL;
    }
}

/* The vertex farthest from the origin's side of nothing yet: along or against n, whichever lies
 * farther from `from` along n. */
static void add_farther(hull *h, const phy_shape *A, const phy_shape *B, const double n[3],
                        const double from[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    phy_vertex v1, v2;
    double d1[3], d2[3];
    phy_vertex_least(&v1, A, B, n);
    phy_vertex_least(&v2, A, B, back);
    sal_v3_sub(d1, v1.w, from);
    sal_v3_sub(d2, v2.w, from);
    h->vertex[h->nvertex++] = -sal_v3_dot(d1, n) > sal_v3_dot(d2, n) ? v1 : v2;
}

/* A tetrahedron of vertices far from each other. */
static void start(hull *h, const phy_shape *A, const phy_shape *B, const double n[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    double side[3], across[3], p[3], q[3];
    const double unit[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0};
    h->nface = 0;
    h->nvertex = 2;
    phy_vertex_least(&h->vertex[0], A, B, n);
    phy_vertex_least(&h->vertex[1], A, B, back);
    sal_v3_sub(p, h->vertex[1].w, h->vertex[0].w);
    sal_v3_cross(side, p, unit);
    sal_v3_normalise(side);
    add_farther(h, A, B, side, h->vertex[0].w);
    sal_v3_sub(q, h->vertex[2].w, h->vertex[0].w);
    sal_v3_cross(across, p, q);
    sal_v3_normalise(across);
    add_farther(h, A, B, across, h->vertex[0].w);
    sal_v3_sub(q, h->vertex[3].w, h->vertex[0].w);
    const bool above = sal_v3_dot(across, q) > 0; /* the last vertex, over the face 0 1 2 */
    const int j = above ? 2 : 1, k = above ? 1 : 2;
    add_face(h, 0, j, k);
    add_face(h, 0, 3, j);
    add_face(h, j, 3, k);
    add_face(h, k, 3, 0);
}

/* The border of what the new vertex sees: edges that only one of the removed faces has. */
static bool toggle_edge(hull *h, int i, int j)
{
    for (int e = 0; e < h->nedge; e++) {
        if (h->edge[e][0] == j && h->edge[e][1] == i) {
            h->nedge--;
            h->edge[e][0] = h->edge[h->nedge][0];
            h->edge[e][1] = h->edge[h->nedge][1];
            return true;
        }
    }
    if (h->nedge == EDGES) {
        return false;
    }
    h->edge[h->nedge][0] = i;
    h->edge[h->nedge++][1] = j;
    return true;
}

/* Takes face i away and leaves its edges; false without room. */
static bool remove_face(hull *h, int i)
{
    const hull_face f = h->face[i];
    h->face[i] = h->face[--h->nface];
    return toggle_edge(h, f.v[0], f.v[1]) && toggle_edge(h, f.v[1], f.v[2]) &&
           toggle_edge(h, f.v[2], f.v[0]);
}

/* Takes the faces away that the last vertex sees and puts a cone from it to their border; false
 * without room. */
static bool grow(hull *h, double extent)
{
    const double *w = h->vertex[h->nvertex - 1].w;
    h->nedge = 0;
    for (int i = h->nface - 1; i >= 0; i--) {
        const hull_face *f = &h->face[i];
        const bool seen = sal_v3_dot(f->u, w) - f->d > above_share * extent;
        if (seen && !remove_face(h, i)) {
            return false;
        }
    }
    if (h->nface + h->nedge > FACES) {
        return false;
    }
    for (int e = 0; e < h->nedge; e++) {
        add_face(h, h->edge[e][0], h->edge[e][1], h->nvertex - 1);
    }
    return true;
}

static const hull_face *nearest_face(const hull *h)
{
    const hull_face *best = &h->face[0];
    for (int i = 1; i < h->nface; i++) {
        best = h->face[i].d < best->d ? &h->face[i] : best;
    }
    return best;
}

/* The face as a simplex; weights of the point u d in it: areas of the triangles it makes with the
 * edges, over the whole. */
static void take_face(const hull *h, const hull_face *f, phy_simplex *s)
{
    double foot[3], area[3], total = 0;
    sal_v3_scale(foot, f->u, f->d);
    s->n = 3;
    for (int i = 0; i < 3; i++) {
        double p[3], q[3], cross[3];
        s->vertex[i] = h->vertex[f->v[i]];
        sal_v3_sub(p, h->vertex[f->v[(i + 1) % 3]].w, foot);
        sal_v3_sub(q, h->vertex[f->v[(i + 2) % 3]].w, foot);
        sal_v3_cross(cross, p, q);
        area[i] = fmax(0, sal_v3_dot(f->u, cross));
        total += area[i];
    }
    for (int i = 0; i < 3; i++) {
        s->weight[i] = total > 0 ? area[i] / total : 1.0 / 3;
    }
}

/* The least of the areas that the foot of the origin makes with the edges of a face; below 0: it
 * lies outside. */
static double foot_inside(const hull *h, const hull_face *f)
{
    double foot[3], least = HUGE_VAL;
    sal_v3_scale(foot, f->u, f->d);
    for (int i = 0; i < 3; i++) {
        double p[3], q[3], cross[3];
        sal_v3_sub(p, h->vertex[f->v[i]].w, foot);
        sal_v3_sub(q, h->vertex[f->v[(i + 1) % 3]].w, foot);
        sal_v3_cross(cross, p, q);
        least = fmin(least, sal_v3_dot(f->u, cross));
    }
    return least;
}

/* Flat parts of the surface are several faces: the one of this plane that holds the foot. */
static const hull_face *holder_of_foot(const hull *h, const hull_face *nearest, double extent)
{
    const hull_face *best = nearest;
    double most = foot_inside(h, nearest);
    for (int i = 0; i < h->nface && most < 0; i++) {
        const hull_face *f = &h->face[i];
        if (f->d - nearest->d <= 1e-9 * extent && sal_v3_dot(f->u, nearest->u) > 1 - 1e-14) {
            const double inside = foot_inside(h, f);
            best = inside > most ? f : best;
            most = fmax(most, inside);
        }
    }
    return best;
}

/* The face that looks most nearly along -n. */
static const hull_face *facing(const hull *h, const double n[3])
{
    const hull_face *best = &h->face[0];
    for (int i = 1; i < h->nface; i++) {
        best = sal_v3_dot(h->face[i].u, n) < sal_v3_dot(best->u, n) ? &h->face[i] : best;
    }
    return best;
}

double phy_epa(const phy_shape *A, const phy_shape *B, phy_simplex *face, double n[3])
{
    const double extent = A->extent + B->extent;
    double best = HUGE_VAL;
    hull h;
    sal_v3_sub(n, B->pos, A->pos);
    sal_v3_normalise(n);
    start(&h, A, B, n);
    for (;;) {
        const hull_face f = *nearest_face(&h);
        double down[3];
        if (!(f.d < HUGE_VAL)) {
            break;
        }
        sal_v3_scale(down, f.u, -1);
        phy_vertex next;
        phy_vertex_least(&next, A, B, down);
        const double depth = sal_v3_dot(f.u, next.w);
        const bool meets = depth - f.d <= gap_share * extent;
        if (depth < best || meets) { /* the least bound so far, and its direction */
            best = fmin(best, depth);
            sal_v3_copy(n, down);
            take_face(&h, meets ? holder_of_foot(&h, &f, extent) : &f, face);
        }
        if (meets) {
            return -best;
        }
        if (h.nvertex == VERTICES) {
            break;
        }
        h.vertex[h.nvertex++] = next;
        if (!grow(&h, extent) || h.nface == 0) {
            break;
        }
    }
    take_face(&h, facing(&h, n),
              face); /* round, and as deep all round: the direction was met by chance */
    return -best;
}
