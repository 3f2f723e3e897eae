/* collide.h: contact points of two shapes; private to physics/.
 *
 * A contact lies midway between the two surfaces along the normal: pos = (surface point of 1 + surface point of 2) / 2,
 * dist < 0 is penetration, the normal points from shape 1 to shape 2. Shapes come in the order of sal_geom_type. A contact is reported at
 * dist <= margin. Sizes: sphere r; capsule, cylinder (r, half length), along z; ellipsoid semi-axes; box half sizes; planes are infinite,
 * normal +z.
 */
#ifndef SAL_COLLIDE_H
#define SAL_COLLIDE_H

#include "physics/physics.h"

enum { SAL_TOUCH_MAX = 8 }; /* most contacts of one pair */

/* The convex hull of a mesh, in the geom's axes: corners, their neighbours (each list closed by -1), and their numbers in the file of
 * `nfile` vertices. */
typedef struct sal_hull {
    int n, nfile;
    const double *vert;
    const int *edge, *edgeadr, *id;
} sal_hull;

/* Of a geom; n = 0 if it is no mesh. */
sal_hull sal_hull_of(const sal_model *m, int geom);
/* The corner farthest along l, in the hull's axes; -1: there is none. */
int sal_hull_support(const sal_hull *h, const double l[3]);

/* Two shapes near each other: centres, rotations (rows), sizes. */
typedef struct sal_meeting {
    const double *pos1, *mat1, *size1;
    const double *pos2, *mat2, *size2;
    double margin;
    bool compat222;
    sal_geom_type type1, type2;
    sal_hull hull1, hull2;
} sal_meeting;

typedef struct sal_touch {
    double dist, pos[3], normal[3];
    double tangent[3]; /* a hint for the first tangent; zero: none */
} sal_touch;

/* Writes the contacts [at most SAL_TOUCH_MAX] and returns how many. */
typedef int sal_collider(const sal_meeting *p, sal_touch *touch);

/* collide_plane.c */
sal_collider sal_plane_sphere, sal_plane_capsule, sal_plane_ellipsoid, sal_plane_cylinder,
    sal_plane_box;
/* collide_mesh.c */
sal_collider sal_plane_mesh;
/* collide_round.c */
sal_collider sal_sphere_sphere, sal_sphere_capsule, sal_capsule_capsule, sal_sphere_cylinder;
/* collide_box.c */
sal_collider sal_sphere_box;
/* collide_capsule_box.c */
sal_collider sal_capsule_box;
/* collide_box_box.c */
sal_collider sal_box_box;
/* collide_convex.c */
sal_collider sal_convex_convex;

/* The shapes of a pair where the data has them. */
sal_meeting sal_meeting_of(const sal_model *m, const sal_data *d, int pair);

/* By the function of the two types, which must have one. */
int sal_collide_meeting(const sal_meeting *p, sal_touch *touch);

/* The axis of the world from which the tangents of the normal n are drawn, unless the collider gave a hint: y, or z where n is near y. */
int sal_hint_axis(const double n[3]);

/* Whether the model has pairs for which MuJoCo, from 3.8 on, makes several contacts of one unless its flag multiccd is disabled. */
bool sal_meets_at_one_point(const sal_model *m);

/* Two balls about c1, c2; where the centres coincide the normal is z1 x z2, and (1,0,0) if that vanishes too. */
int sal_ball_ball(const sal_meeting *p, sal_touch *touch, const double c1[3], double r1,
                  const double c2[3], double r2);

#endif
