/* collide_mesh.c: the corners of a mesh's convex hull: the farthest one, and those that touch a
 * plane. */
#include "base/house.h"
#include "physics/collision/collide.h"

enum { FEW = 10 }; /* a file with fewer vertices: see plane_corners */

phy_hull phy_hull_of(const sal_model *m, int geom)
{
    const int mesh = m->geom_dataid[geom];
    if (mesh < 0 || m->geom_type[geom] != SAL_GEOM_MESH) {
        return (phy_hull){0};
    }
    const int adr = m->mesh_hulladr[mesh];
    return (phy_hull){m->mesh_hullnum[mesh], m->mesh_vertnum[mesh], m->hull_vert + 3 * adr,
                      m->hull_edge,          m->hull_edgeadr + adr, m->hull_id + adr};
}

/* A hull is convex, so that from any corner neighbours lead upwards to the highest. */
int phy_hull_support(const phy_hull *h, const double l[3])
{
    if (h->n == 0) {
        return -1;
    }
    int best = 0, next = 0;
    double most = sal_v3_dot(l, h->vert);
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

/* The lowest corner, and up to two of its neighbours below the margin that lie at least 0.3 of the
 * bounding radius from the first contact. MuJoCo 3.12 looks for the neighbours of another corner
 * where the file has fewer than ten vertices: of the one whose number on the hull is the lowest
 * one's number in the file. Replaying our motions there wants the same contacts, so we do, too;
 * 2.2.2 did not. */
int phy_plane_mesh(const phy_meeting *p, phy_touch *touch)
{
    const phy_hull *h = &p->hull2;
    double n[3], down[3], l[3], point[3], away[3];
    const double apart = 0.3 * sal_v3_norm(p->size2);
    int count = 0;
    sal_m3_column(n, p->mat1, 2);
    sal_v3_scale(down, n, -1);
    sal_m3_multv(l, p->mat2, down);
    const bool few = h->nfile < FEW && !p->compat222;
    const int lowest = h->n == 0 ? -1 : few ? first_in_file(h, l) : phy_hull_support(h, l);
    const int from = lowest >= 0 && few ? h->id[lowest] : lowest;
    if (lowest < 0) {
        return 0;
    }
    const double depth = corner(p, n, lowest, point);
    if (depth > p->margin) {
        return 0;
    }
    list(&touch[count++], depth, point, n);
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
