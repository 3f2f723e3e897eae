/* field.h: a height field as convex pieces; private to physics/.
 *
 * nrow x ncol elevations e over |x| <= size[0], |y| <= size[1]; the surface is at z = size[2] e,
 * the ground below reaches down to z = -size[3]. Columns go along x, rows along y:
 *
 *     x = 2 size[0] column/(ncol - 1) - size[0],    y = 2 size[1] row/(nrow - 1) - size[1]
 *
 * Between rows r and r + 1 lies a strip of triangles. Corners of the strip, zigzag:
 *
 *     corner j at column j/2, on row r + 1 if j is even, r if it is odd;   j = 0 .. 2 ncol - 1
 *
 * Three that follow each other make a triangle, and with the ground below a prism: prism
 * 2 (ncol - 1) r + k is that of the corners k, k + 1, k + 2. (So MuJoCo cuts it.)
 */
#ifndef SAL_PHYSICS_COLLISION_FIELD_H
#define SAL_PHYSICS_COLLISION_FIELD_H

#include "physics/collision/support.h"

/* Corners in the field's axes, about `centre`: three on the ground, three above them. */
typedef struct phy_prism {
    double centre[3];
    double vert[18];
    /* greatest coordinates */
    double size[3];
} phy_prism;

/* `raise`: its top is that much higher. */
void phy_prism_set(phy_prism *p, const phy_field *f, int prism, double raise);

phy_hull phy_prism_hull(const phy_prism *p);

/* The prism's shape, of a field with rotation mat, about the prism's centre. p must outlive it. */
void phy_prism_shape(phy_shape *s, const phy_prism *p, const double *mat);

/* Corner of the strip above row r. */
void phy_field_corner(double corner[3], const phy_field *f, int r, int j);

#endif
