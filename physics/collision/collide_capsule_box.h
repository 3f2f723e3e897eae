/* collide_capsule_box.h: where on its axis a capsule touches a box; private to physics/.
 *
 * The axis point p(x) = c + x a, x in [-1,1], in the box's axes.
 */
#ifndef SAL_PHYSICS_COLLISION_COLLIDE_CAPSULE_BOX_H
#define SAL_PHYSICS_COLLISION_COLLIDE_CAPSULE_BOX_H

#include "physics/collision/collide.h"

typedef enum phy_near_kind {
    PHY_NEAR_INSIDE,
    PHY_NEAR_FACE,
    PHY_NEAR_EDGE,
    PHY_NEAR_CORNER
} phy_near_kind;

typedef enum phy_stop_kind {
    PHY_STOP_NONE,
    PHY_STOP_END,      /* of the axis */
    PHY_STOP_WIDTH,    /* after 2 s_k/|a_k|: once across the box along k */
    PHY_STOP_EDGE_END, /* after s_k (1 - ahead along)/|a_k|: at the end of the edge along k */
    PHY_STOP_BORDER    /* p_k = s_k or -s_k */
} phy_stop_kind;

/* From x on, way dx farther. */
typedef struct phy_stop {
    phy_stop_kind kind;
    int k;
    int way;
    int ahead;
    double dx;
} phy_stop;

typedef struct phy_footing {
    /* centre and half axis of the capsule */
    double c[3], a[3];
    /* of the half axis */
    double length;
    /* the box's half sizes */
    const double *s;
    /* bit k: the axis rises along k */
    int bits;
    phy_near_kind kind;
    /* squared distance of axis and box */
    double best;
    /* where on the axis the first ball sits */
    double x;
    /* face: the end of the axis above it */
    int end;
    /* face: its normal; edge: its direction */
    int axis;
    /* edge, corner: bit k: on the side +k (an edge: its lower corner) */
    int corner;
    /* edge: the point on it, in [-1,1] */
    double along;
    /* the second ball */
    phy_stop stop;
} phy_footing;

void phy_capsule_box_find(phy_footing *f, const phy_meeting *p);

/* The contact of a ball at p(x), or none. */
int phy_capsule_box_ball(const phy_meeting *p, double x, phy_touch *touch);

#endif
