/* touch.h: a ball on a plane, and the frame of a contact, of one instant or of several; private to
 * physics/. n = plane's z axis, h = n.(c - c_plane) the height of a centre c. */
#ifndef SAL_PHYSICS_COLLISION_TOUCH_H
#define SAL_PHYSICS_COLLISION_TOUCH_H

#include "physics/collision/collide.h"
#include "physics/width.h"

static SAL_INLINE void phy_height(phy_real *h, phy_real n[3], const phy_real pos1[3],
                                  const phy_real mat1[9], const phy_real pos2[3])
{
    phy_real offset[3];
    phy_m3_column(n, mat1, 2);
    phy_v3_sub(offset, pos2, pos1);
    phy_v3_dot(h, n, offset);
}

/* The ball at one end of a capsule of half length `half` along z: its centre, and its height. side:
 * 1 or -1 */
static SAL_INLINE void phy_capsule_end(phy_real end[3], phy_real *height, const phy_real pos[3],
                                       const phy_real z[3], const phy_real n[3], const phy_real *h,
                                       double side, double half)
{
    const double way = side * half;
    phy_real along;
    phy_v3_dot(&along, n, z);
    for (int i = 0; i < 3; i++) {
        end[i] = pos[i] + way * z[i];
    }
    *height = *h + side * (half * along);
}

static SAL_INLINE void phy_ball_reaches_plane(phy_truth *reaches, const phy_real *h, double r,
                                              double margin)
{
    *reaches = *h <= margin + r;
}

/* dist = h - r at c - n (r + dist/2) */
static SAL_INLINE void phy_ball_on_plane(phy_real *dist, phy_real pos[3], const phy_real n[3],
                                         const phy_real *h, const phy_real c[3], double r)
{
    *dist = *h - r;
    const phy_real way = -(r + 0.5 * *dist);
    for (int i = 0; i < 3; i++) {
        pos[i] = c[i] + way * n[i];
    }
}

/* Tangents for the normal n, frame[0..2], and the hint t (none: an axis of the world): t1 = t -
 *     (n.t) n to unit length, t2 = n x t1. */
static SAL_INLINE void phy_complete_frame(phy_real frame[9], const phy_real tangent[3])
{
    phy_real *n = frame, *t1 = frame + 3, *t2 = frame + 6, square, along;
    phy_v3_copy(t1, tangent);
    phy_v3_dot(&square, t1, t1);
    for (int l = 0; l < PHY_WIDTH; l++) {
        const double normal[3] = {phy_lane_of(n, l), phy_lane_of(n + 1, l), phy_lane_of(n + 2, l)};
        const int axis = phy_hint_axis(normal);
        for (int i = 0; i < 3 && phy_lane_of(&square, l) < 0.25; i++) {
            phy_lane_set(t1 + i, l, i == axis);
        }
    }
    phy_v3_dot(&along, n, t1);
    for (int i = 0; i < 3; i++) {
        t1[i] = t1[i] + -along * n[i];
    }
    phy_v3_normalise(t1);
    phy_v3_cross(t2, n, t1);
}

#endif
