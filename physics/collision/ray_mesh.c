/* ray_mesh.c: where a ray meets a mesh, and the normal there: in the axes of its file. */
#include "base/house.h"
#include "physics/collision/ray.h"

/* From the geom's axes to those of the mesh's file, where its vertices are:
 *
 *     p:  refpos + R(refquat) ((at + R(quat) p) / scale),     v:  R(refquat) (R(quat) v / scale)
 */
static void to_file(const sal_model *m, int mesh, const double p[3], const double v[3],
                    double from[3], double dir[3])
{
    const double *quat = m->mesh_quat + 4 * mesh, *scale = m->mesh_scale + 3 * mesh;
    double point[3], along[3], refquat[4];
    sal_quat_rotate(point, quat, p);
    sal_quat_rotate(along, quat, v);
    for (int k = 0; k < 3; k++) {
        point[k] = (point[k] + m->mesh_pos[3 * mesh + k]) / scale[k];
        along[k] = along[k] / scale[k];
    }
    sal_quat_copy(refquat, m->mesh_refquat + 4 * mesh);
    sal_quat_normalise(refquat);
    sal_quat_rotate(from, refquat, point);
    sal_quat_rotate(dir, refquat, along);
    sal_v3_add(from, from, m->mesh_refpos + 3 * mesh);
}

/* x, and the triangle (as its number in mesh_face; -1: none) */
static double nearest_face(const sal_model *m, int mesh, const double p[3], const double v[3],
                           int *face)
{
    double from[3], dir[3];
    *face = -1;
    if (m->mesh_facenum[mesh] == 0) {
        return -1;
    }
    to_file(m, mesh, p, v, from, dir);
    return phy_ray_faces(m, mesh, from, dir, face);
}

double phy_ray_mesh(const sal_model *m, int mesh, const double p[3], const double v[3])
{
    int face;
    return nearest_face(m, mesh, p, v, &face);
}

/* n = A'((b - a) x (c - a)),  A v being the direction v in the file */
void phy_mesh_normal(const sal_model *m, int mesh, const double p[3], const double v[3],
                     double n[3])
{
    double a[3], b[3], c[3], quat[4], back[4], t[3];
    int face;
    nearest_face(m, mesh, p, v, &face);
    if (face < 0) {
        return;
    }
    phy_file_vertex(m, mesh, m->mesh_face[3 * face], a);
    phy_file_vertex(m, mesh, m->mesh_face[3 * face + 1], b);
    phy_file_vertex(m, mesh, m->mesh_face[3 * face + 2], c);
    sal_v3_sub(b, b, a);
    sal_v3_sub(c, c, a);
    sal_v3_cross(t, b, c);
    sal_quat_copy(quat, m->mesh_refquat + 4 * mesh);
    sal_quat_normalise(quat);
    sal_quat_conj(back, quat);
    sal_quat_rotate(n, back, t);
    for (int k = 0; k < 3; k++) {
        t[k] = n[k] / m->mesh_scale[3 * mesh + k];
    }
    sal_quat_conj(back, m->mesh_quat + 4 * mesh);
    sal_quat_rotate(n, back, t);
}
