/* collide_mesh.c: the corners of a mesh's convex hull: the farthest one, and those that touch a
 * plane. */
#include "base/house.h"
#include "physics/collision/collide.h"
#include "physics/collision/manifold.h"

enum { FEW = 10 }; /* a file with fewer vertices: see plane_corners */

phy_hull phy_hull_of(const sal_model *m, int geom)
{
    const int mesh = m->geom_dataid[geom];
    if (mesh < 0 || m->geom_type[geom] != SAL_GEOM_MESH) {
        return (phy_hull){0};
    }
    const int adr = m->mesh_hulladr[mesh];
    return (phy_hull){m->mesh_hullnum[mesh],
                      m->mesh_vertnum[mesh],
                      m->hull_vert + 3 * adr,
                      m->hull_edge,
                      m->hull_edgeadr + adr,
                      m->hull_id + adr,
                      m,
                      mesh};
}

/* A hull is convex, so that from any corner neighbours lead upwards to the highest. */
static int climb(const phy_hull *h, const double l[3], int from)
{
    int best, next = from;
    double most = sal_v3_dot(l, h->vert + 3 * from);
    do {
        best = next;
        for (const int *e = h->edge + h->edgeadr[best]; *e >= 0; e++) {
            const double along = sal_v3_dot(l, h->vert + 3 * *e);
            if (along > most) {
                most = along;
                next = *e;
            }
        }
    } while (next != best);
    return best;
}

int phy_hull_support(const phy_hull *h, const double l[3])
{
    return h->n == 0 ? -1 : climb(h, l, 0);
}

/* Where MuJoCo 3 begins to climb: it matters where several corners are the highest. */
static int towards(const phy_hull *h, const double l[3])
{
    int cell = 0;
    for (int k = 0; k < 3; k++) {
        cell = 3 * cell + 1 + (l[k] > 0.4) - (l[k] < -0.4);
    }
    return h->model->mesh_extrema[27 * h->mesh + cell];
}

/* The first of the lowest corners, in the order of the file. */
static int first_in_file(const phy_hull *h, const double l[3])
{
    int best = 0;
    for (int i = 1; i < h->n; i++) {
        const double rise = sal_v3_dot(l, h->vert + 3 * i) - sal_v3_dot(l, h->vert + 3 * best);
        if (rise > 0 || (rise == 0 && h->id[i] < h->id[best])) {
            best = i;
        }
    }
    return best;
}

/* The world point of a corner, and how high it lies above the plane. */
static double corner(const phy_meeting *p, const double n[3], int i, double point[3])
{
    double above[3];
    sal_m3_mulv(point, p->mat2, p->hull2.vert + 3 * i);
    sal_v3_add(point, point, p->pos2);
    sal_v3_sub(above, point, p->pos1);
    return sal_v3_dot(n, above);
}

static void list(phy_touch *touch, double dist, const double point[3], const double n[3])
{
    touch->dist = dist;
    sal_v3_addscaled(touch->pos, point, -0.5 * dist, n);
    sal_v3_copy(touch->normal, n);
    sal_v3_set(touch->tangent, 0, 0, 0);
}

/* The lowest corner by its number on the hull; -1: there is none. */
static int lowest_corner(const phy_meeting *p, const double n[3])
{
    const phy_hull *h = &p->hull2;
    double down[3], l[3];
    sal_v3_scale(down, n, -1);
    sal_m3_multv(l, p->mat2, down);
    if (h->n == 0 || p->mujoco == SAL_MUJOCO_222) {
        return phy_hull_support(h, l);
    }
    return h->nfile < FEW ? first_in_file(h, l) : climb(h, l, towards(h, l));
}

/* ---- up to MuJoCo 3.12 ---- */

/* Up to two neighbours of the lowest corner below the margin that lie at least 0.3 of the bounding
 * radius from its contact, touch[0]. MuJoCo 3.12 looks for the neighbours of another corner where
 * the file has fewer than ten vertices: of the one whose number on the hull is the lowest one's
 * number in the file. Replaying our motions there wants the same contacts, so we do, too; 2.2.2 did
 * not. */
static int add_neighbours(const phy_meeting *p, const double n[3], int lowest, phy_touch *touch)
{
    const phy_hull *h = &p->hull2;
    const bool few = h->nfile < FEW && p->mujoco != SAL_MUJOCO_222;
    const int from = few ? h->id[lowest] : lowest;
    const double apart = 0.3 * sal_v3_norm(p->size2);
    double point[3], away[3];
    int count = 1;
    for (const int *e = from < h->n ? h->edge + h->edgeadr[from] : h->edge;
         from < h->n && *e >= 0 && count < 3; e++) {
        const double dist = corner(p, n, *e, point);
        sal_v3_sub(away, point, touch[0].pos);
        if (dist < p->margin && sal_v3_norm(away) >= apart) {
            list(&touch[count++], dist, point, n);
        }
    }
    return count;
}

/* ---- MuJoCo 3.14 ---- */

/* The side at a corner whose normal points down most; -1: none. */
static int lowest_side(const phy_meeting *p, const double n[3], int lowest)
{
    const sal_model *m = p->hull2.model;
    const int *side = m->hull_polymap + m->hull_polymapadr[m->mesh_hulladr[p->hull2.mesh] + lowest];
    double up[3], least = 1;
    int best = -1;
    sal_m3_multv(up, p->mat2, n);
    for (; *side >= 0; side++) {
        const double rise = sal_v3_dot(m->hull_polynormal + 3L * *side, up);
        if (rise < least) {
            least = rise;
            best = *side;
        }
    }
    return best;
}

/* Up to three more corners of the lowest corner's lowest side, below the margin and not above the
 * mesh's centre, that span much of it. */
static int add_side(const phy_meeting *p, const double n[3], int lowest, phy_touch *touch)
{
    const sal_model *m = p->hull2.model;
    const int poly = lowest_side(p, n, lowest);
    double point[3], above[3];
    int q[4], first = 0, nside = 1, count = 1;
    if (poly < 0) {
        return count;
    }
    const int *side = m->hull_polyvert + m->hull_polyadr[poly];
    while (side[first] != lowest) {
        first++;
    }
    while (side[nside] >= 0) {
        nside++;
    }
    const int corners = phy_quadrilateral(p->hull2.vert, side, nside, first, 0, q);
    for (int k = 1; k < corners; k++) {
        const double dist = corner(p, n, side[q[k]], point);
        sal_v3_sub(above, point, p->pos2);
        if (!(dist > p->margin) && !(sal_v3_dot(n, above) > 0)) {
            list(&touch[count++], dist, point, n);
        }
    }
    return count;
}

int phy_plane_mesh(const phy_meeting *p, phy_touch *touch)
{
    double n[3], point[3];
    sal_m3_column(n, p->mat1, 2);
    const int lowest = lowest_corner(p, n);
    if (lowest < 0) {
        return 0;
    }
    const double depth = corner(p, n, lowest, point);
    if (depth > p->margin) {
        return 0;
    }
    list(&touch[0], depth, point, n);
    return p->mujoco == SAL_MUJOCO_314 ? add_side(p, n, lowest, touch)
                                       : add_neighbours(p, n, lowest, touch);
}
