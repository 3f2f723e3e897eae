/* collide.h: contact points of two shapes; private to physics/.
 *
 * A contact lies midway between the two surfaces along the normal: pos = (surface point of 1 +
 * surface point of 2) / 2, dist < 0 is penetration, the normal points from shape 1 to shape 2.
 * Shapes come in the order of sal_geom_type. A contact is reported at dist <= margin. Sizes: sphere
 * r; capsule, cylinder (r, half length), along z; ellipsoid semi-axes; box half sizes; planes are
 * infinite, normal +z.
 */
#ifndef SAL_PHYSICS_COLLISION_COLLIDE_H
#define SAL_PHYSICS_COLLISION_COLLIDE_H

#include "physics/physics.h"

enum { PHY_TOUCH_MAX = 50 }; /* most contacts of one pair: of a height field, of others 8 */

/* The convex hull of a mesh, in the geom's axes: corners, their neighbours (each list closed by
 * -1), and their numbers in the file of `nfile` vertices. */
typedef struct phy_hull {
    int n;
    int nfile;
    const double *vert;
    const int *edge;
    const int *edgeadr;
    const int *id;
    /* where its sides are; NULL: it is none of a mesh */
    const sal_model *model;
    int mesh;
} phy_hull;

/* Of a geom; n = 0 if it is no mesh. */
phy_hull phy_hull_of(const sal_model *m, int geom);
/* The corner farthest along l, in the hull's axes; -1: there is none. */
int phy_hull_support(const phy_hull *h, const double l[3]);

/* A height field's numbers, see field.h; nrow = 0: the geom is none. */
typedef struct phy_field {
    int nrow;
    int ncol;
    const double *size;
    const float *data;
    /* share of its triangles' normals in those of its contacts */
    double upright;
} phy_field;

/* Of a geom, as MuJoCo's contacts see it */
phy_field phy_field_of(const sal_model *m, int geom);

/* Two shapes near each other: centres, rotations (rows), sizes. */
typedef struct phy_meeting {
    const double *pos1;
    const double *mat1;
    const double *size1;
    const double *pos2;
    const double *mat2;
    const double *size2;
    double margin;
    sal_mujoco mujoco;
    /* sides that face each other make several contacts */
    bool many;
    sal_geom_type type1;
    sal_geom_type type2;
    phy_hull hull1;
    phy_hull hull2;
    phy_field field1;
} phy_meeting;

typedef struct phy_touch {
    double dist;
    double pos[3];
    double normal[3];
    /* a hint for the first tangent; zero: none */
    double tangent[3];
    /* of a height field; others leave it */
    int prism;
} phy_touch;

/* Writes the contacts [at most PHY_TOUCH_MAX] and returns how many. */
typedef int phy_collider(const phy_meeting *p, phy_touch *touch);

/* collide_plane.c */
phy_collider phy_plane_sphere, phy_plane_capsule, phy_plane_ellipsoid, phy_plane_cylinder,
    phy_plane_box;
/* collide_mesh.c */
phy_collider phy_plane_mesh;
/* collide_round.c */
phy_collider phy_sphere_sphere, phy_sphere_capsule, phy_capsule_capsule, phy_sphere_cylinder;
/* collide_box.c */
phy_collider phy_sphere_box;
/* collide_capsule_box.c */
phy_collider phy_capsule_box;
/* collide_box_box.c */
phy_collider phy_box_box;
/* collide_convex.c */
phy_collider phy_convex_convex;
/* collide_field.c */
phy_collider phy_field_convex;

/* The shapes of two geoms where the data has them; `pair` has their parameters. */
phy_meeting phy_meeting_of(const sal_model *m, const sal_data *d, int g1, int g2, int pair);

/* Appends the contacts of two geoms that are near. */
sal_status phy_meet(const sal_model *m, sal_data *d, int g1, int g2, int pair, sal_err *err);

/* The contact list of a model whose pairs are not listed, in the order in which they would be.
 * unlisted.c */
sal_status phy_collide_unlisted(const sal_model *m, sal_data *d, sal_err *err);
/* Takes the scratch of that from an arena that measures. */
void phy_unlisted_scratch(const sal_model *m, sal_arena *arena);

/* By the function of the two types, which must have one. */
int phy_collide_meeting(const phy_meeting *p, phy_touch *touch);

/* The axis of the world from which the tangents of the normal n are drawn, unless the collider gave
 * a hint: y, or z where n is near y. */
static inline int phy_hint_axis(const double n[3])
{
    return n[1] < 0.5 && n[1] > -0.5 ? 1 : 2;
}

/* Two balls about c1, c2; where the centres coincide the normal is z1 x z2, and (1,0,0) if that
 * vanishes too. */
int phy_ball_ball(const phy_meeting *p, phy_touch *touch, const double c1[3], double r1,
                  const double c2[3], double r2);

#endif
