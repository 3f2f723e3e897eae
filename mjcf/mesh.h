/* mesh.h: from the triangles of a file to a rigid body and its convex hull; private to mjcf/ */
#ifndef SAL_MJCF_MESH_H
#define SAL_MJCF_MESH_H

#include "mjcf/spec.h"

enum { MESH_VERTICES_MAX = 2000000, MESH_FACES_MAX = 2000000 };

typedef enum mesh_format { MESH_STL, MESH_OBJ, MESH_MSH, MESH_UNKNOWN } mesh_format;

/* From the content type, where one is given, or the ending of the file's name. */
mesh_format mesh_format_of(const char *file, const char *content_type);

/* Vertices and faces of a file's n bytes (a zero follows them), kept in the spec's pool.
 * SAL_BADINPUT with the reason. Faces may be missing; those that are there name vertices that
 * exist, and all coordinates are finite. */
sal_status mesh_read(mjcf_spec *spec, spec_mesh *mesh, mesh_format format, const char *bytes,
                     size_t n, sal_err *err);

/* builtin/mesh_builtin.c: vertices and faces of what mesh->builtin names, with these n numbers,
 * kept in the spec's pool. SAL_BADINPUT with the reason. */
sal_status mesh_builtin(mjcf_spec *spec, spec_mesh *mesh, const double *prm, int n, sal_err *err);

/* The word for it, and how many numbers it takes. */
const char *mesh_builtin_word(spec_builtin kind, int *n);

/* mesh_hull.c: the convex hull of n points; `most` > 3: of at most that many corners. SAL_BADINPUT
 * with the reason. */
sal_status mesh_hull(mjcf_spec *spec, spec_hull *hull, const double *point, int n, int most,
                     sal_err *err);

/* hull/mesh_polygons.c: the sides of its hull, as MuJoCo 3.14 has them. */
sal_status mesh_polygons(mjcf_spec *spec, spec_mesh *mesh, sal_err *err);

/* mesh_inertia.c: volume, box, and the points about the centre of mass; vertices, faces and what
 * the file says about them are there (the hull, too, if inertia is convex). SAL_BADINPUT with the
 * reason. */
sal_status mesh_measure(mjcf_spec *spec, spec_mesh *mesh, sal_err *err);

/* Whether its scale makes left of right; and faces the other way round. */
bool mesh_is_mirrored(const spec_mesh *mesh);
void mesh_turn_faces(int *face, int n);

#endif
