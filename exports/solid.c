/* solid.c: surfaces of geoms as triangles.
 *
 * Spheres, capsules, ellipsoids and cylinders are a profile (r, z) that turns about z, with its
 * outward normal (n_r, n_z); an ellipsoid is a sphere of radius 1 stretched by S, whose normals
 * become S⁻¹ n. Vertices of a mesh are brought from its file, v, into the frame of the geom:
 *
 *     x = Q' (scale * R' (v - refpos) - p)       R of refquat; p, Q: centre of mass, principal axes
 */
#include "exports/solid.h"

#include "base/house.h"

#include <math.h>
#include <string.h>

static const double HALF_TURN = 3.14159265358979323846;

enum { AROUND = 24, QUARTER = 6, PROFILE_MOST = 2 * (QUARTER + 1) };

typedef struct profile {
    int n;
    /* of each point: r, z, n_r, n_z */
    double point[PROFILE_MOST][4];
} profile;

static sal_status make_room(exp_solid *s, int nvertex, int ntriangle, bool normals, sal_err *err)
{
    s->nvertex = nvertex;
    s->ntriangle = ntriangle;
    s->vertex = sal_alloc(3 * (size_t)nvertex + 1, sizeof *s->vertex);
    s->corner = sal_alloc(3 * (size_t)ntriangle + 1, sizeof *s->corner);
    s->normal = normals ? sal_alloc(3 * (size_t)nvertex + 1, sizeof *s->normal) : NULL;
    const bool good = s->vertex != NULL && s->corner != NULL && (s->normal != NULL || !normals);
    return good ? SAL_OK : sal_fail(err, SAL_NOMEM, "out of memory for a surface");
}

void exp_solid_clear(exp_solid *s)
{
    sal_free(s->vertex);
    sal_free(s->normal);
    sal_free(s->corner);
    *s = (exp_solid){0};
}

/* ---- what turns about z ---- */

static void add_point(profile *p, double r, double z, double nr, double nz)
{
    double *point = p->point[p->n++];
    point[0] = r, point[1] = z, point[2] = nr, point[3] = nz;
}

/* A half sphere above (1) or below (-1) height z */
static void add_half(profile *p, double radius, double z, int side)
{
    for (int i = 0; i <= QUARTER; i++) {
        const double a = HALF_TURN / 2 * (side > 0 ? (double)i / QUARTER : 1 - (double)i / QUARTER);
        const double r = cos(a), up = side * sin(a);
        add_point(p, radius * r, z + radius * up, r, up);
    }
}

static void profile_of(profile *p, int type, const double *size)
{
    p->n = 0;
    if (type == SAL_GEOM_CYLINDER) {
        add_point(p, 0, -size[1], 0, -1);
        add_point(p, size[0], -size[1], 0, -1);
        add_point(p, size[0], -size[1], 1, 0);
        add_point(p, size[0], size[1], 1, 0);
        add_point(p, size[0], size[1], 0, 1);
        add_point(p, 0, size[1], 0, 1);
    } else {
        const double radius = type == SAL_GEOM_ELLIPSOID ? 1 : size[0];
        const double half = type == SAL_GEOM_CAPSULE ? size[1] : 0;
        add_half(p, radius, -half, -1);
        add_half(p, radius, half, 1);
    }
}

static void put_vertex(exp_solid *s, int i, const double at[3], const double normal[3])
{
    const double length = sal_v3_norm(normal);
    for (int k = 0; k < 3; k++) {
        s->vertex[3 * i + k] = (float)at[k];
        s->normal[3 * i + k] = (float)(normal[k] / length);
    }
}

static void put_triangle(exp_solid *s, int i, int a, int b, int c)
{
    s->corner[3 * i] = (unsigned)a;
    s->corner[3 * i + 1] = (unsigned)b;
    s->corner[3 * i + 2] = (unsigned)c;
}

static sal_status turned(exp_solid *s, int type, const double *size, sal_err *err)
{
    static const double one[3] = {1, 1, 1};
    const double *stretch = type == SAL_GEOM_ELLIPSOID ? size : one;
    profile p;
    profile_of(&p, type, size);
    const int rings = p.n - 1;
    const sal_status status = make_room(s, p.n * (AROUND + 1), 2 * rings * AROUND, true, err);
    if (status != SAL_OK) {
        return status;
    }
    for (int i = 0; i < p.n; i++) {
        for (int k = 0; k <= AROUND; k++) {
            const double a = 2 * HALF_TURN * (k % AROUND) / AROUND, c = cos(a), n = sin(a);
            const double *q = p.point[i];
            const double at[3] = {stretch[0] * q[0] * c, stretch[1] * q[0] * n, stretch[2] * q[1]};
            const double normal[3] = {q[2] * c / stretch[0], q[2] * n / stretch[1],
                                      q[3] / stretch[2]};
            put_vertex(s, i * (AROUND + 1) + k, at, normal);
        }
    }
    for (int i = 0, t = 0; i < rings; i++) {
        for (int k = 0; k < AROUND; k++) {
            const int low = i * (AROUND + 1) + k, high = low + AROUND + 1;
            put_triangle(s, t++, low, low + 1, high + 1);
            put_triangle(s, t++, low, high + 1, high);
        }
    }
    return SAL_OK;
}

/* ---- flat sides ---- */

/* Side number i of a box: of axis i/2, below or above; the other two axes run along it. */
static void put_side(exp_solid *s, int i, int axis, int sign, const double half[3])
{
    double at[3], normal[3] = {0, 0, 0};
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    normal[axis] = sign;
    for (int k = 0; k < 4; k++) {
        at[axis] = sign * half[axis];
        at[u] = (k == 1 || k == 2 ? 1 : -1) * half[u];
        at[v] = (k >= 2 ? 1 : -1) * half[v];
        put_vertex(s, 4 * i + k, at, normal);
    }
    const int a = 4 * i, swap = sign < 0;
    put_triangle(s, 2 * i, a, a + 1 + swap, a + 2 - swap);
    put_triangle(s, 2 * i + 1, a, a + 2 + swap, a + 3 - swap);
}

static sal_status box(exp_solid *s, const double half[3], sal_err *err)
{
    const sal_status status = make_room(s, 24, 12, true, err);
    for (int i = 0; i < 6 && status == SAL_OK; i++) {
        put_side(s, i, i / 2, i % 2 == 0 ? -1 : 1, half);
    }
    return status;
}

static sal_status plane(exp_solid *s, const double *size, double endless, sal_err *err)
{
    const double half[3] = {size[0] > 0 ? size[0] : endless, size[1] > 0 ? size[1] : endless, 0};
    const sal_status status = make_room(s, 4, 2, true, err);
    if (status == SAL_OK) {
        put_side(s, 0, 2, 1, half);
    }
    return status;
}

/* ---- meshes ---- */

static void bring(const sal_model *m, int mesh, const float *v, double x[3])
{
    double turn[4], back[4], p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = (double)v[k] - m->mesh_refpos[3 * mesh + k];
    }
    sal_quat_conj(turn, m->mesh_refquat + 4 * mesh);
    sal_quat_normalise(turn);
    sal_quat_rotate(x, turn, p);
    for (int k = 0; k < 3; k++) {
        p[k] = x[k] * m->mesh_scale[3 * mesh + k] - m->mesh_pos[3 * mesh + k];
    }
    sal_quat_conj(back, m->mesh_quat + 4 * mesh);
    sal_quat_rotate(x, back, p);
}

/* Of a mesh without faces its hull. A scale that mirrors it turns the faces of its file over. */
static sal_status mesh_of(exp_solid *s, const sal_model *m, int mesh, sal_err *err)
{
    const double *scale = m->mesh_scale + 3 * mesh;
    const bool hull = m->mesh_facenum[mesh] == 0;
    const int nvertex = hull ? m->mesh_hullnum[mesh] : m->mesh_vertnum[mesh];
    const int nface = hull ? m->mesh_hullfacenum[mesh] : m->mesh_facenum[mesh];
    const int *face = hull ? m->hull_face + 3 * m->mesh_hullfaceadr[mesh]
                           : m->mesh_face + 3 * m->mesh_faceadr[mesh];
    const bool over = !hull && scale[0] * scale[1] * scale[2] < 0;
    const sal_status status = make_room(s, nvertex, nface, false, err);
    for (int i = 0; i < nvertex && status == SAL_OK; i++) {
        double x[3];
        if (hull) {
            sal_v3_copy(x, m->hull_vert + 3 * (m->mesh_hulladr[mesh] + i));
        } else {
            bring(m, mesh, m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + i), x);
        }
        for (int k = 0; k < 3; k++) {
            s->vertex[3 * i + k] = (float)x[k];
        }
    }
    for (int i = 0; i < nface && status == SAL_OK; i++) {
        put_triangle(s, i, face[3 * i], face[3 * i + 1 + over], face[3 * i + 2 - over]);
    }
    return status;
}

/* ---- height fields ---- */

/* The i-th point of the border, seen from above to the left round, from the first: its number in
 * the grid */
static int around(int nrow, int ncol, int i)
{
    const int right = ncol - 1, far = nrow - 1;
    return i < right             ? i
           : i < right + far     ? (i - right) * ncol + right
           : i < 2 * right + far ? far * ncol + right - (i - right - far)
                                 : (far - (i - 2 * right - far)) * ncol;
}

/* The triangles of the surface as they collide, walls below its border, the ground. */
static sal_status field_of(exp_solid *s, const sal_model *m, int h, sal_err *err)
{
    const int nrow = m->hfield_nrow[h], ncol = m->hfield_ncol[h], n = nrow * ncol;
    const int border = 2 * (nrow + ncol) - 4, surface = 2 * (nrow - 1) * (ncol - 1);
    const double *size = m->hfield_size + 4 * h;
    const sal_status status = make_room(s, n + border, surface + 2 * border + 2, false, err);
    if (status != SAL_OK) {
        return status;
    }
    for (int i = 0; i < n; i++) {
        float *x = s->vertex + 3 * i;
        const int row = i / ncol, column = i % ncol;
        x[0] = (float)(2 * size[0] * column / (ncol - 1) - size[0]);
        x[1] = (float)(2 * size[1] * row / (nrow - 1) - size[1]);
        x[2] = (float)(size[2] * (double)m->hfield_data[m->hfield_adr[h] + i]);
    }
    int t = 0;
    for (int i = 0; i < n - ncol; i++) {
        if (i % ncol < ncol - 1) {
            put_triangle(s, t++, i + ncol, i, i + ncol + 1);
            put_triangle(s, t++, i, i + 1, i + ncol + 1);
        }
    }
    for (int i = 0; i < border; i++) {
        const int top = around(nrow, ncol, i), next = (i + 1) % border;
        memcpy(s->vertex + 3 * (n + i), s->vertex + 3 * top, 2 * sizeof *s->vertex);
        s->vertex[3 * (n + i) + 2] = (float)-size[3];
        put_triangle(s, t++, n + i, n + next, top);
        put_triangle(s, t++, n + next, around(nrow, ncol, next), top);
    }
    const int corner[4] = {n, n + ncol - 1, n + ncol + nrow - 2, n + 2 * ncol + nrow - 3};
    put_triangle(s, t++, corner[0], corner[2], corner[1]);
    put_triangle(s, t, corner[0], corner[3], corner[2]);
    return SAL_OK;
}

sal_status exp_solid_new(exp_solid *s, const sal_model *m, int geom, double endless, sal_err *err)
{
    const double *size = m->geom_size + 3 * geom;
    *s = (exp_solid){0};
    switch ((sal_geom_type)m->geom_type[geom]) {
    case SAL_GEOM_PLANE:
        return plane(s, size, endless, err);
    case SAL_GEOM_BOX:
        return box(s, size, err);
    case SAL_GEOM_MESH:
        return mesh_of(s, m, m->geom_dataid[geom], err);
    case SAL_GEOM_SPHERE:
    case SAL_GEOM_CAPSULE:
    case SAL_GEOM_ELLIPSOID:
    case SAL_GEOM_CYLINDER:
        return turned(s, m->geom_type[geom], size, err);
    case SAL_GEOM_HFIELD:
        return field_of(s, m, m->geom_dataid[geom], err);
    case SAL_NGEOMTYPES:
    default:
        return SAL_OK;
    }
}

int exp_solid_shown(const sal_model *m, int *geom)
{
    enum { SHOWN_BELOW = 3 };
    int n = 0;
    for (int b = 0; b < m->nbody; b++) {
        const int before = n;
        for (int all = 0; all < 2 && n == before; all++) {
            for (int i = 0; i < m->ngeom; i++) {
                if (m->geom_bodyid[i] == b && (all || m->geom_group[i] < SHOWN_BELOW)) {
                    geom[n++] = i;
                }
            }
        }
    }
    return n;
}
