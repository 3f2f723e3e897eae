/* ray_mesh.c: where a ray meets the triangles of a mesh, whichever side they show. (T. Moeller, B.
 * Trumbore, "Fast, minimum storage ray/triangle intersection", Journal of Graphics Tools 2, 1997)
 *
 *     p + x v = a + s (b - a) + t (c - a),   s, t >= 0, s + t <= 1
 */
#include "base/house.h"
#include "physics/collision/ray.h"

/* From the geom's axes to those of the mesh's file, where its vertices are: refpos + R(refquat) (at
 *     + R(quat) p) / scale; a direction
 * without what moves. */
static void to_file(const sal_model *m, int mesh, const double p[3], bool is_point, double out[3])
{
    double moved[3];
    sal_quat_rotate(moved, m->mesh_quat + 4 * mesh, p);
    for (int k = 0; k < 3; k++) {
        moved[k] =
            (moved[k] + (is_point ? m->mesh_pos[3 * mesh + k] : 0)) / m->mesh_scale[3 * mesh + k];
    }
    double quat[4];
    sal_quat_copy(quat, m->mesh_refquat + 4 * mesh);
    sal_quat_normalise(quat);
    sal_quat_rotate(out, quat, moved);
    for (int k = 0; k < 3 && is_point; k++) {
        out[k] += m->mesh_refpos[3 * mesh + k];
    }
}

static void corner(const sal_model *m, int mesh, int vertex, double out[3])
{
    const float *v = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + vertex);
    sal_v3_set(out, (double)v[0], (double)v[1], (double)v[2]);
}

double phy_ray_triangle(const double a[3], const double b[3], const double c[3], const double p[3],
                        const double v[3])
{
    double ab[3], ac[3], from[3], vac[3], q[3];
    sal_v3_sub(ab, b, a);
    sal_v3_sub(ac, c, a);
    sal_v3_sub(from, p, a);
    sal_v3_cross(vac, v, ac);
    const double det = sal_v3_dot(ab, vac);
    if (det == 0) { /* along the plane */
        return -1;
    }
    const double s = sal_v3_dot(from, vac) / det;
    sal_v3_cross(q, from, ab);
    const double t = sal_v3_dot(v, q) / det;
    return s >= 0 && t >= 0 && s + t <= 1 ? sal_v3_dot(ac, q) / det : -1;
}

/* x, and the triangle (as its number in mesh_face; -1: none) */
static double nearest_face(const sal_model *m, int mesh, const double p[3], const double v[3],
                           int *face)
{
    double from[3], dir[3], a[3], b[3], c[3], found = -1;
    *face = -1;
    if (m->mesh_facenum[mesh] == 0) {
        return -1;
    }
    to_file(m, mesh, p, true, from);
    to_file(m, mesh, v, false, dir);
    for (int f = m->mesh_faceadr[mesh]; f < m->mesh_faceadr[mesh] + m->mesh_facenum[mesh]; f++) {
        const int *vertex = m->mesh_face + 3 * f;
        corner(m, mesh, vertex[0], a);
        corner(m, mesh, vertex[1], b);
        corner(m, mesh, vertex[2], c);
        const double x = phy_ray_triangle(a, b, c, from, dir);
        if (x >= 0 && (found < 0 || x < found)) {
            found = x;
            *face = f;
        }
    }
    return found;
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
    corner(m, mesh, m->mesh_face[3 * face], a);
    corner(m, mesh, m->mesh_face[3 * face + 1], b);
    corner(m, mesh, m->mesh_face[3 * face + 2], c);
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
