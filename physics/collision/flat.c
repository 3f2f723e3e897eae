/* flat.c: the flat sides and straight edges where a box, a cylinder or a mesh is farthest along a
 * direction.
 *
 * A cylinder's caps are sides of sixteen corners, as MuJoCo 3.14 has them; its edge is the line of
 * its wall that is farthest. Where sides and edges begin, and in which order they come, is
 * MuJoCo's, too: it decides which contacts are kept.
 */
#include "base/house.h"
#include "physics/collision/manifold.h"

static const double level = 1e-7; /* of the extent: as far as the farthest corner */

/* ---- boxes ---- */

/* Of the sides -x, x, -y, y, -z, z: their corners */
static const int box_sign[6][4][3] = {
    {{-1, -1, -1}, {-1, -1, 1}, {-1, 1, 1}, {-1, 1, -1}},
    {{1, -1, 1}, {1, -1, -1}, {1, 1, -1}, {1, 1, 1}},
    {{-1, -1, -1}, {1, -1, -1}, {1, -1, 1}, {-1, -1, 1}},
    {{-1, 1, 1}, {1, 1, 1}, {1, 1, -1}, {-1, 1, -1}},
    {{1, -1, -1}, {-1, -1, -1}, {-1, 1, -1}, {1, 1, -1}},
    {{-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}},
};

/* Along which axes it is as far everywhere: none, that of an edge, two of a side */
static void box_flat(phy_flat *f, const double l[3])
{
    int nfree = 0;
    for (int k = 0; k < 3; k++) {
        const bool is_free = f->s->size[k] * fabs(l[k]) <= 0.5 * level * f->s->extent;
        f->sign[k] = is_free ? 0 : l[k] < 0 ? -1 : 1;
        nfree += is_free;
    }
    f->rank = 1 + nfree;
    f->nside = 3 - nfree;
    f->nedge = nfree == 0 ? 3 : nfree == 1 ? 1 : 0;
}

/* The i-th axis whose sign is there (a side's), or is not (an edge's) */
static int box_axis(const phy_flat *f, int i, bool is_free)
{
    int k = 0, left = i;
    for (; k < 2; k++) {
        if ((f->sign[k] == 0) == is_free && left-- == 0) {
            break;
        }
    }
    return k;
}

static void box_edge(const phy_flat *f, int i, double local[2][3])
{
    const double *size = f->s->size;
    const int axis = f->rank == 1 ? i : box_axis(f, i, true);
    for (int k = 0; k < 3; k++) {
        const double sign = f->sign[k] == 0 ? 1 : f->sign[k];
        local[0][k] = sign * size[k];
        local[1][k] = (k == axis ? -sign : sign) * size[k];
    }
}

/* ---- cylinders ---- */

enum { CAP_CORNERS = 16 };

/* cos(k pi/8), k = 0..15; sin(k pi/8) is cos((k - 4) pi/8) */
static const double octant[CAP_CORNERS] = {
    1,  0.92387953251128674,  0.70710678118654752,  0.38268343236508977,
    0,  -0.38268343236508977, -0.70710678118654752, -0.92387953251128674,
    -1, -0.92387953251128674, -0.70710678118654752, -0.38268343236508977,
    0,  0.38268343236508977,  0.70710678118654752,  0.92387953251128674};

static void cylinder_flat(phy_flat *f, const double l[3])
{
    const double across = sqrt(l[0] * l[0] + l[1] * l[1]);
    const bool lies = f->s->size[1] * fabs(l[2]) <= 0.5 * level * f->s->extent;
    f->sign[2] = lies ? 0 : l[2] < 0 ? -1 : 1;
    f->nside = lies ? 0 : 1;
    f->nedge = f->s->size[0] * across <= level * f->s->extent ? 0 : 1;
    f->rank = f->nedge == 0 ? 3 : lies ? 2 : 1;
}

static void cap(const phy_flat *f, phy_flat_side *side)
{
    const double r = f->s->size[0];
    const int way = f->sign[2];
    side->n = CAP_CORNERS;
    for (int i = 0; i < CAP_CORNERS; i++) {
        const int k = (i + 1) % CAP_CORNERS, turned = way > 0 ? k : (CAP_CORNERS - k) % CAP_CORNERS;
        sal_v3_set(side->corner[i], r * octant[turned],
                   r * octant[(turned + CAP_CORNERS - 4) % CAP_CORNERS], way * f->s->size[1]);
    }
}

static void wall(const phy_flat *f, const double l[3], double local[2][3])
{
    const double *size = f->s->size;
    const double share = size[0] / sqrt(l[0] * l[0] + l[1] * l[1]);
    const double end = copysign(size[1], l[2]);
    sal_v3_set(local[0], share * l[0], share * l[1], end);
    sal_v3_set(local[1], share * l[0], share * l[1], -end);
}

/* ---- meshes ---- */

static bool has_corner(const sal_model *m, int poly, int corner)
{
    const int *v = m->hull_polyvert + m->hull_polyadr[poly];
    while (*v >= 0 && *v != corner) {
        v++;
    }
    return *v >= 0;
}

static const int *sides_at(const phy_flat *f)
{
    const sal_model *m = f->s->hull.model;
    return m->hull_polymap + m->hull_polymapadr[m->mesh_hulladr[f->s->hull.mesh] + f->top];
}

/* The i-th side of the corner, or of the edge; the side. -1: there are fewer. */
static int mesh_side(const phy_flat *f, int i)
{
    int left = i;
    if (f->rank == 3) {
        return i == 0 ? f->other : -1;
    }
    for (const int *side = sides_at(f); *side >= 0; side++) {
        if ((f->rank == 1 || has_corner(f->s->hull.model, *side, f->other)) && left-- == 0) {
            return *side;
        }
    }
    return -1;
}

/* The corner's side that looks most along l */
static int most_along(const phy_flat *f, const double l[3])
{
    int best = -1;
    double most = -2;
    for (const int *side = sides_at(f); *side >= 0; side++) {
        const double along = sal_v3_dot(f->s->hull.model->hull_polynormal + 3L * *side, l);
        if (along > most) {
            most = along;
            best = *side;
        }
    }
    return best;
}

static void mesh_flat(phy_flat *f, const double l[3])
{
    const phy_hull *h = &f->s->hull;
    f->top = h->model == NULL ? -1 : phy_hull_support(h, l);
    if (f->top < 0) {
        return;
    }
    const double least = sal_v3_dot(l, h->vert + 3L * f->top) - level * f->s->extent;
    f->rank = 1;
    for (const int *e = h->edge + h->edgeadr[f->top]; *e >= 0 && f->rank < 3; e++) {
        if (sal_v3_dot(l, h->vert + 3L * *e) >= least) {
            f->other = *e;
            f->rank++;
        }
    }
    if (f->rank == 3) {
        f->other = most_along(f, l);
    }
    while (mesh_side(f, f->nside) >= 0) {
        f->nside++;
    }
    f->nedge = f->rank == 1 ? f->nside : f->rank == 2 ? 1 : 0;
}

/* Of a corner, the edge with which its i-th side goes on */
static void mesh_edge(const phy_flat *f, int i, double local[2][3])
{
    const sal_model *m = f->s->hull.model;
    int other = f->other;
    if (f->rank == 1) {
        const int *first = m->hull_polyvert + m->hull_polyadr[mesh_side(f, i)], *v = first;
        while (*v != f->top) {
            v++;
        }
        other = v[1] >= 0 ? v[1] : *first;
    }
    sal_v3_copy(local[0], f->s->hull.vert + 3L * f->top);
    sal_v3_copy(local[1], f->s->hull.vert + 3L * other);
}

static bool polygon(const phy_flat *f, int i, phy_flat_side *side)
{
    const sal_model *m = f->s->hull.model;
    const int *v = m->hull_polyvert + m->hull_polyadr[mesh_side(f, i)];
    for (side->n = 0; v[side->n] >= 0; side->n++) {
        if (side->n == PHY_SIDE_MAX) {
            return false;
        }
        sal_v3_copy(side->corner[side->n], f->s->hull.vert + 3L * v[side->n]);
    }
    return true;
}

/* ---- any ---- */

void phy_flat_of(phy_flat *f, const phy_shape *s, const double n[3])
{
    double l[3];
    *f = (phy_flat){.s = s};
    sal_m3_multv(l, s->mat, n);
    if (s->type == SAL_GEOM_BOX) {
        box_flat(f, l);
    } else if (s->type == SAL_GEOM_CYLINDER) {
        cylinder_flat(f, l);
    } else if (s->type == SAL_GEOM_MESH) {
        mesh_flat(f, l);
    }
}

void phy_flat_normal(const phy_flat *f, int i, double normal[3])
{
    double local[3] = {0, 0, 0};
    if (f->s->type == SAL_GEOM_MESH) {
        sal_v3_copy(local, f->s->hull.model->hull_polynormal + 3L * mesh_side(f, i));
    } else {
        const int k = f->s->type == SAL_GEOM_BOX ? box_axis(f, i, false) : 2;
        local[k] = f->sign[k];
    }
    sal_m3_mulv(normal, f->s->mat, local);
}

static void to_world(const phy_shape *s, double point[3])
{
    double turned[3];
    sal_m3_mulv(turned, s->mat, point);
    sal_v3_add(point, turned, s->pos);
}

bool phy_flat_side_of(const phy_flat *f, int i, phy_flat_side *side)
{
    if (f->s->type == SAL_GEOM_MESH && !polygon(f, i, side)) {
        return false;
    }
    if (f->s->type == SAL_GEOM_CYLINDER) {
        cap(f, side);
    } else if (f->s->type == SAL_GEOM_BOX) {
        const int k = box_axis(f, i, false), which = 2 * k + (f->sign[k] > 0);
        side->n = 4;
        for (int c = 0; c < 4; c++) {
            for (int j = 0; j < 3; j++) {
                side->corner[c][j] = box_sign[which][c][j] * f->s->size[j];
            }
        }
    }
    for (int c = 0; c < side->n; c++) {
        to_world(f->s, side->corner[c]);
    }
    phy_flat_normal(f, i, side->normal);
    return true;
}

void phy_flat_edge(const phy_flat *f, int i, const double n[3], double ends[2][3])
{
    double l[3];
    sal_m3_multv(l, f->s->mat, n);
    if (f->s->type == SAL_GEOM_BOX) {
        box_edge(f, i, ends);
    } else if (f->s->type == SAL_GEOM_CYLINDER) {
        wall(f, l, ends);
    } else {
        mesh_edge(f, i, ends);
    }
    to_world(f->s, ends[0]);
    to_world(f->s, ends[1]);
}
