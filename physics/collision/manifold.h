/* manifold.h: several contacts of two convex shapes with flat sides, as MuJoCo 3.14 makes them;
 * private to physics/.
 *
 * Of two sides that face each other the second is clipped to the first, seen along the first one's
 * normal n1. With a1 its last corner and n2 the second one's normal, a corner v of what is left
 * makes the contact
 *
 *     dist = n1.(v - a1),    n = -n2,    pos = v - n dist/2
 *
 * Of an edge that lies along a side, with the outward normal m of the side and its last corner a,
 * the ends of what lies over it make
 *
 *     dist = m.(v - a),    n = m or -m, from shape 1 to 2,    pos = v - m dist/2
 *
 * Those that are farther from the other side than the margin are none. (MuJoCo has such contacts
 * only without a margin. Contacts that are softened begin above the ground.)
 */
#ifndef SAL_PHYSICS_COLLISION_MANIFOLD_H
#define SAL_PHYSICS_COLLISION_MANIFOLD_H

#include "physics/collision/support.h"

enum { PHY_MANIFOLD_MAX = 4 }; /* contacts of a pair */

/* What the corner v of a contact is of the shape that it belongs to, here called the rider: that of
 * the second side or of the edge. */
typedef enum phy_hold {
    PHY_HOLD_CORNER, /* one of its corners */
    PHY_HOLD_EDGE,   /* where its edge `along` meets the plane of normal `across` of the other */
    PHY_HOLD_PLANE   /* where the other's line `along` meets its plane of normal `across` */
} phy_hold;

/* How a contact moves with the shapes; vectors of the world. */
typedef struct phy_seam {
    /* 1 or 2: of the shape over whose side the height is measured; the other is the rider */
    int base;
    /* the side's outward normal, n1 or m */
    double up[3];
    /* 1 or 2: of the shape with which the normal turns */
    int turns;
    phy_hold hold;
    double along[3];
    double across[3];
} phy_seam;

/* The contacts of two shapes that overlap or are within the margin, n the direction of the least
 * motion that parts them, or of their nearest points: at most PHY_MANIFOLD_MAX, about the shapes'
 * origin; 0: they have none such. seam: of each, or NULL. */
int phy_manifold(const phy_shape *A, const phy_shape *B, const double n[3], double margin,
                 phy_touch *touch, phy_seam *seam);

/* Those of a pair; 0: it has none such. collide_convex.c */
int phy_manifold_of(const phy_meeting *p, phy_touch *touch, phy_seam *seam);

/* flat.c: the flat sides and straight edges where a shape is farthest along a direction. */

/* Corners of a side; hulls whose sides have more make one contact. */
enum { PHY_SIDE_MAX = 128 };

typedef struct phy_flat_side {
    double normal[3];
    int n;
    /* anticlockwise, seen from outside */
    double corner[PHY_SIDE_MAX][3];
} phy_flat_side;

/* Where a shape is farthest along a direction: at a corner, with an edge, or with a side. */
typedef struct phy_flat {
    const phy_shape *s;
    /* 1, 2 or 3: of corner, edge, side */
    int rank;
    int nside;
    int nedge;
    /* of a mesh: the corner and the edge's other one, or the side; of a box and cylinder: signs */
    int top;
    int other;
    int sign[3];
} phy_flat;

void phy_flat_of(phy_flat *f, const phy_shape *s, const double n[3]);
/* The normal of the i-th side that is there, 0 <= i < nside */
void phy_flat_normal(const phy_flat *f, int i, double normal[3]);
/* All of it; false: it has too many corners. */
bool phy_flat_side_of(const phy_flat *f, int i, phy_flat_side *side);
/* The ends of the i-th edge, 0 <= i < nedge; the first is the farthest along n, as in
 * phy_flat_of. */
void phy_flat_edge(const phy_flat *f, int i, const double n[3], double ends[2][3]);

/* quadrilateral.c: of a polygon's n corners, vert + 3 index[i] (index NULL: vert + 3 i), four that
 * span much of it, from `first` on, or all of fewer: how many. A corner moves on while that makes
 * the area larger, or smaller by no more than the share `slack`: where corners of a regular polygon
 * span the same, more than rounding makes them a square. */
int phy_quadrilateral(const double *vert, const int *index, int n, int first, double slack,
                      int q[4]);

#endif
