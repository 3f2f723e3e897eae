/* ray.h: rays and single shapes; private to physics/. */
#ifndef SAL_PHYSICS_COLLISION_RAY_H
#define SAL_PHYSICS_COLLISION_RAY_H

#include "physics/collision/collide.h"

/* The least x >= 0 at which from + x dir meets the surface of a shape at `pos` with axes `mat`; -1:
 * none. */
double phy_ray_shape(sal_geom_type type, const double *size, const double pos[3],
                     const double mat[9], const double from[3], const double dir[3]);

/* The same for a mesh, the ray in the geom's axes. ray_mesh.c */
double phy_ray_mesh(const sal_model *m, int mesh, const double p[3], const double v[3]);

/* The least x >= 0 at which from + x dir meets a face of a mesh that has faces, the ray in the axes
 * of its file, and the face as its number in mesh_face; -1, -1: none. ray_tree.c */
double phy_ray_faces(const sal_model *m, int mesh, const double from[3], const double dir[3],
                     int *face);
void phy_file_vertex(const sal_model *m, int mesh, int vertex, double out[3]);

/* The same for a height field. ray_field.c */
double phy_ray_field(const phy_field *f, const double p[3], const double v[3]);

/* Outwards, where the ray meets the geom at this x, of length 1, in world axes. ray_normal.c */
void phy_ray_normal(const sal_model *m, const sal_data *d, int geom, const double from[3],
                    const double dir[3], double x, double normal[3]);
/* The same in the geom's axes, of any length: of the triangle of a mesh that the ray meets, of a
 * height field at a point of its surface. ray_mesh.c, ray_field.c */
void phy_mesh_normal(const sal_model *m, int mesh, const double p[3], const double v[3],
                     double n[3]);
void phy_field_normal(const phy_field *f, const double p[3], double n[3]);

/* Where p + x v, x >= 0, meets the triangle a, b, c, whichever side it shows; -1: nowhere.
 * ray_tree.c */
double phy_ray_triangle(const double a[3], const double b[3], const double c[3], const double p[3],
                        const double v[3]);

/* Whether the point p, in the shape's axes, is in it. */
bool phy_shape_holds(sal_geom_type type, const double *size, const double p[3]);

#endif
