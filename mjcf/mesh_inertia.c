/* mesh_inertia.c: volume, centre of mass and principal axes of a mesh, and the primitive that
 * stands for it.
 *
 * A triangle d, e, f of area a, unit normal n, centre c makes a pyramid with a point p:
 *     volume  v = a n.(c - p) / 3,    centre  3/4 c + 1/4 p,
 *     with p = 0:  integral of x_i x_j = v/20 (2 (d_i d_j + e_i e_j + f_i f_j) + d_i e_j + d_j e_i
 *                  + d_i f_j + d_j f_i + e_i f_j + e_j f_i)
 * (a shell: a/12 instead of v/20). `exact` adds pyramids with their signs; `legacy` takes |v|,
 * about the centroid of all triangles and then about the centre of mass that gives, so that what is
 * not convex counts too much; `convex` does so with the hull, where it is right. 2.2.2 computes
 * with float coordinates, and `legacy` there takes the box of the same inertia for the mesh's
 * volume.
 */
#include "mjcf/compile.h"
#include "mjcf/mesh.h"

#include <stdlib.h>
#include <string.h>

typedef struct solid {
    const double *point;
    const int *face, *vert; /* vert: numbers of the points that faces count; NULL: their own */
    int nface;
    bool shell, absolute, single;
} solid;

/* What a float would hold. */
static double rounded(const solid *s, double x)
{
    return s->single ? (double)(float)x : x;
}

static const double *corner(const solid *s, int face, int k)
{
    const int i = s->face[3 * face + k];
    return s->point + 3 * (s->vert == NULL ? i : s->vert[i]);
}

/* Rounded as MuJoCo does: the axes of a cube hang on the last digit. */
static void divide(double v[3], double by)
{
    sal_v3_set(v, v[0] / by, v[1] / by, v[2] / by);
}

/* Area, unit normal and centre of a triangle. */
static double triangle(const solid *s, int face, double normal[3], double centre[3])
{
    const double *d = corner(s, face, 0), *e = corner(s, face, 1), *f = corner(s, face, 2);
    double p[3], q[3];
    for (int k = 0; k < 3; k++) {
        p[k] = rounded(s, e[k] - d[k]);
        q[k] = rounded(s, f[k] - d[k]);
        centre[k] = rounded(s, rounded(s, rounded(s, d[k] + e[k]) + f[k]) / 3);
    }
    sal_v3_cross(normal, p, q);
    const double length = sal_v3_norm(normal);
    if (length < SAL_MINVAL) {
        return 0;
    }
    divide(normal, length);
    return length / 2;
}

static double weight(const solid *s, double area, const double normal[3], const double arm[3])
{
    const double volume = s->shell ? area : area * sal_v3_dot(arm, normal) / 3;
    return s->absolute && !s->shell ? fabs(volume) : volume;
}

static double centroid(const solid *s, double mean[3])
{
    double total = 0, normal[3], centre[3];
    sal_v3_set(mean, 0, 0, 0);
    for (int i = 0; i < s->nface; i++) {
        const double area = triangle(s, i, normal, centre);
        sal_v3_addscaled(mean, mean, area, centre);
        total += area;
    }
    if (total >= SAL_MINVAL) {
        divide(mean, total);
    }
    return total;
}

/* Volume (area of a shell) and centre of mass, by pyramids on p. */
static double centre_of_mass(const solid *s, const double p[3], double com[3])
{
    double total = 0, normal[3], centre[3], arm[3];
    sal_v3_set(com, 0, 0, 0);
    for (int i = 0; i < s->nface; i++) {
        const double area = triangle(s, i, normal, centre);
        sal_v3_sub(arm, centre, p);
        const double v = weight(s, area, normal, arm);
        for (int k = 0; k < 3; k++) {
            com[k] += v * (s->shell ? centre[k] : centre[k] * 3 / 4 + p[k] / 4);
        }
        total += v;
    }
    divide(com, total);
    return total;
}

/* 2 (dd + ee + ff) + de + ed + df + fd + ef + fe of coordinates i and j */
static double products(const solid *s, int face, int i, int j)
{
    const double *d = corner(s, face, 0), *e = corner(s, face, 1), *f = corner(s, face, 2);
    const double term[9] = {d[i] * d[j], e[i] * e[j], f[i] * f[j], d[i] * e[j], d[j] * e[i],
                            d[i] * f[j], d[j] * f[i], e[i] * f[j], e[j] * f[i]};
    double sum = 0;
    for (int k = 0; k < 9; k++) {
        sum = rounded(s, sum + rounded(s, term[k]));
        sum = k == 2 ? 2 * sum : sum;
    }
    return sum;
}

/* Moments of inertia about the origin (density 1), and the volume again. */
static double moments(const solid *s, double inertia[9])
{
    double total = 0, normal[3], centre[3], p[9] = {0};
    for (int f = 0; f < s->nface; f++) {
        const double area = triangle(s, f, normal, centre);
        const double v = weight(s, area, normal, centre);
        total += v;
        for (int i = 0; i < 3; i++) {
            for (int j = i; j < 3; j++) {
                p[3 * i + j] += v / (s->shell ? 12 : 20) * products(s, f, i, j);
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            inertia[3 * i + j] =
                i == j ? p[i == 0 ? 4 : 0] + p[i == 2 ? 4 : 8] : -p[i < j ? 3 * i + j : 3 * j + i];
        }
    }
    return total;
}

bool mesh_is_mirrored(const spec_mesh *mesh)
{
    return mesh->scale[0] * mesh->scale[1] * mesh->scale[2] < 0;
}

void mesh_turn_faces(int *face, int n)
{
    for (int i = 0; i < n; i++) {
        const int second = face[3 * i + 1];
        face[3 * i + 1] = face[3 * i + 2];
        face[3 * i + 2] = second;
    }
}

/* The file's vertices moved, turned and scaled as <mesh> says; faces turned over by a mirroring
 * scale (not by 2.2.2, if they come from the model file). */
static void transform(const solid *s, spec_mesh *mesh)
{
    double matrix[9], quat[4], moved[3];
    sal_quat_copy(quat, mesh->refquat);
    sal_quat_normalise(quat);
    sal_quat_matrix(matrix, quat);
    const bool turned = quat[0] != 1;
    for (int i = 0; i < mesh->nvert; i++) {
        double *p = mesh->point + 3 * i;
        for (int k = 0; k < 3; k++) {
            p[k] = rounded(s, mesh->vert[3 * i + k] - rounded(s, mesh->refpos[k]));
        }
        sal_m3_multv(moved, matrix, p);
        for (int k = 0; k < 3; k++) {
            p[k] = rounded(s, rounded(s, turned ? moved[k] : p[k]) * mesh->scale[k]);
        }
    }
    if (mesh_is_mirrored(mesh) && !(s->single && mesh->file == NULL)) {
        mesh_turn_faces(mesh->face, mesh->nface);
    }
}

/* ---- checks ---- */

static int order_edges(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] != y[1] ? (x[1] < y[1] ? -1 : 1) : 0;
}

/* Neighbouring triangles of a closed surface run along their edge in opposite directions. */
static sal_status check_winding(const solid *s, sal_err *err)
{
    double normal[3], centre[3];
    int *edge = sal_alloc(6 * (size_t)s->nface + 1, sizeof *edge), n = 0;
    if (edge == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    for (int i = 0; i < s->nface; i++) {
        if (triangle(s, i, normal, centre) > sqrt(SAL_MINVAL)) {
            for (int k = 0; k < 3; k++, n++) {
                edge[2 * n] = s->face[3 * i + k];
                edge[2 * n + 1] = s->face[3 * i + (k + 1) % 3];
            }
        }
    }
    qsort(edge, (size_t)n, 2 * sizeof *edge, order_edges);
    sal_status status = SAL_OK;
    for (int i = 1; i < n && status == SAL_OK; i++) {
        if (order_edges(edge + 2 * i, edge + 2 * (i - 1)) == 0) {
            status =
                sal_fail(err, SAL_BADINPUT,
                         "two faces list the edge from vertex %d to vertex %d in the same order, "
                         "so that inside and outside are not defined: reverse one of the faces",
                         edge[2 * i], edge[2 * i + 1]);
        }
    }
    sal_free(edge);
    return status;
}

static sal_status check_volume(const solid *s, double volume, sal_err *err)
{
    if (volume >= SAL_MINVAL) {
        return SAL_OK;
    }
    return volume < -SAL_MINVAL ? sal_fail(err, SAL_BADINPUT,
                                           "its volume is negative (%g): its faces are oriented "
                                           "inwards; reverse their order of vertices",
                                           volume)
           : s->shell           ? sal_fail(err, SAL_BADINPUT, "the area of its surface is zero")
                                : sal_fail(err, SAL_BADINPUT, "its volume is zero");
}

/* ---- the whole way ---- */

/* Half sizes b of the box of the same principal inertias:  I_0 = m/3 (b_1^2 + b_2^2), ... */
static bool equivalent_box(double box[3], const double inertia[3], double mass)
{
    const double sum = inertia[0] + inertia[1] + inertia[2];
    for (int k = 0; k < 3; k++) {
        const double square = 6 * (sum - 2 * inertia[k]) / mass;
        if (!(square >= -1e-9 * sum / mass) || !isfinite(square)) {
            return false;
        }
        box[k] = sqrt(fmax(square, 0)) / 2;
    }
    return inertia[2] > 0;
}

/* Points about the centre of mass, along the principal axes; their bounds. */
static void settle(const solid *s, spec_mesh *mesh)
{
    double matrix[9], moved[3];
    sal_quat_matrix(matrix, mesh->at.quat);
    for (int k = 0; k < 3; k++) {
        mesh->aabb[k] = HUGE_VAL;
        mesh->aabb[3 + k] = -HUGE_VAL;
    }
    for (int i = 0; i < mesh->nvert; i++) {
        sal_m3_multv(moved, matrix, mesh->point + 3 * i);
        for (int k = 0; k < 3; k++) {
            const double x = rounded(s, moved[k]);
            mesh->aabb[k] = fmin(mesh->aabb[k], x);
            mesh->aabb[3 + k] = fmax(mesh->aabb[3 + k], x);
            mesh->point[3 * i + k] = x;
        }
    }
}

sal_status mesh_measure(mjcf_spec *spec, spec_mesh *mesh, sal_err *err)
{
    const bool convex = mesh->inertia == SPEC_INERTIA_CONVEX;
    double inertia[9], principal[3], mean[3];
    sal_status status;
    mesh->point = spec_take(spec, 3 * (size_t)mesh->nvert, sizeof *mesh->point);
    if (mesh->point == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    const spec_hull *hull = &mesh->hull;
    solid s = {.point = mesh->point, .single = spec->mujoco == SAL_MUJOCO_222};
    s.face = convex ? hull->face : mesh->face;
    s.vert = convex ? hull->vert : NULL;
    s.nface = convex ? hull->nface : mesh->nface;
    s.shell = mesh->inertia == SPEC_INERTIA_SHELL;
    s.absolute = mesh->inertia != SPEC_INERTIA_EXACT;
    transform(&s, mesh);
    if (mesh->inertia == SPEC_INERTIA_EXACT) {
        status = check_winding(&s, err);
        if (status != SAL_OK) {
            return status;
        }
    }
    centroid(&s, mean);
    status = check_volume(&s, centre_of_mass(&s, mean, mesh->at.pos), err);
    if (status != SAL_OK) {
        return status;
    }
    for (int i = 0; i < 3 * mesh->nvert; i++) {
        mesh->point[i] = rounded(&s, mesh->point[i] - mesh->at.pos[i % 3]);
    }
    mesh->volume = moments(&s, inertia);
    const double density =
        spec->mujoco == SAL_MUJOCO_222 ? mesh->density : 1; /* principal axes to 1e-12 of what? */
    for (int i = 0; i < 9; i++) {
        inertia[i] *= density;
    }
    spec_principal(spec->mujoco, SPEC_MESH_AXES, inertia, principal, mesh->at.quat);
    if (!equivalent_box(mesh->box, principal, density * mesh->volume)) {
        return sal_fail(err, SAL_BADINPUT,
                        "its principal moments of inertia are %g %g %g for density %g; each must "
                        "be at most the sum of the other two (triangle inequality)",
                        principal[0], principal[1], principal[2], density);
    }
    settle(&s, mesh);
    if (spec->mujoco == SAL_MUJOCO_222 && mesh->inertia == SPEC_INERTIA_LEGACY) {
        mesh->volume = 8 * mesh->box[0] * mesh->box[1] * mesh->box[2];
    }
    return check_volume(&s, mesh->volume, err); /* a needle's box has none */
}
