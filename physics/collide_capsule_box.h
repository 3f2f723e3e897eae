/* collide_capsule_box.h: where on its axis a capsule touches a box; private to physics/.
 *
 * The axis point p(x) = c + x a, x in [-1,1], in the box's axes.
 */
#ifndef SAL_COLLIDE_CAPSULE_BOX_H
#define SAL_COLLIDE_CAPSULE_BOX_H

#include "physics/collide.h"

typedef enum sal_near_kind {
    SAL_NEAR_INSIDE,
    SAL_NEAR_FACE,
    SAL_NEAR_EDGE,
    SAL_NEAR_CORNER
} sal_near_kind;

typedef enum sal_stop_kind {
    SAL_STOP_NONE,
    SAL_STOP_END,      /* of the axis */
    SAL_STOP_WIDTH,    /* after 2 s_k/|a_k|: once across the box along k */
    SAL_STOP_EDGE_END, /* after s_k (1 - ahead along)/|a_k|: at the end of the edge along k */
    SAL_STOP_BORDER    /* p_k = s_k or -s_k */
} sal_stop_kind;

/* From x on, way dx farther. */
typedef struct sal_stop {
    sal_stop_kind kind;
    int k, way, ahead;
    double dx;
} sal_stop;

typedef struct sal_footing {
    double c[3], a[3]; /* centre and half axis of the capsule */
    double length;     /* of the half axis */
    const double *s;   /* the box's half sizes */
    int bits;          /* bit k: the axis rises along k */
    sal_near_kind kind;
    double best;   /* squared distance of axis and box */
    double x;      /* where on the axis the first ball sits */
    int end;       /* face: the end of the axis above it */
    int axis;      /* face: its normal; edge: its direction */
    int corner;    /* edge, corner: bit k: on the side +k (an edge: its lower corner) */
    double along;  /* edge: the point on it, in [-1,1] */
    sal_stop stop; /* the second ball */
} sal_footing;

void sal_capsule_box_find(sal_footing *f, const sal_meeting *p);

/* The contact of a ball at p(x), or none. */
int sal_capsule_box_ball(const sal_meeting *p, double x, sal_touch *touch);

#endif
