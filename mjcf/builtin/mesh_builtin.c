/* mesh_builtin.c: meshes that MJCF describes by a few numbers (MuJoCo documentation, "XML
 * reference", mesh, builtin). Vertices and triangles come in MuJoCo's order.
 *
 *     sphere       an icosahedron whose triangles are divided into four, so many times, all on the
 *                  unit sphere
 *     hemisphere   half an octahedron with edges in so many parts and one, on the unit sphere, and
 *                  a point at the middle of its base
 *     cone         a polygon of the unit circle at z = -1, and one of radius r (0: a point) at 1
 *     supersphere  (C_n(b) C_e(a), C_n(b) S_e(a), S_n(b)),       C_m(a) = sign(cos a) |cos a|^m
 *     supertorus   ((1 + r C_s(b)) C_t(a), (1 + r C_s(b)) S_t(a), r S_s(b))
 *     wedge        (cos b sin a, sin b, -cos b cos a), a patch of the unit sphere; angles a and b
 *                  are the middles of cells
 *     plate        (x, y, -1), a square of the same kind; x and y are the middles of cells
 */
#include "base/house.h"
#include "mjcf/mesh.h"

#include <float.h>

static const double pi = 3.14159265358979323846;

/* A mesh in the making: places for its vertices and faces */
typedef struct builder {
    spec_mesh *mesh;
    int nvert, nface;
} builder;

/* A coordinate as MuJoCo keeps it; one that has no normal float is none that matters. */
static double rounded(double x)
{
    const float nearest = (float)x;
    return fabsf(nearest) < FLT_MIN ? 0 : (double)nearest;
}

static int add_vertex(builder *b, double x, double y, double z)
{
    sal_v3_set(b->mesh->vert + 3 * b->nvert, rounded(x), rounded(y), rounded(z));
    return b->nvert++;
}

static void add_face(builder *b, int i, int j, int k)
{
    int *face = b->mesh->face + 3 * b->nface++;
    face[0] = i, face[1] = j, face[2] = k;
}

static int add_on_sphere(builder *b, double x, double y, double z)
{
    double v[3] = {x, y, z};
    sal_v3_normalise(v);
    return add_vertex(b, v[0], v[1], v[2]);
}

/* ---- sphere ---- */

/* A point half way between two vertices, which two triangles share */
typedef struct halfway {
    int low, high, vertex;
} halfway;

/* In single precision, as MuJoCo does it: other roundings make another hull. */
static int add_in_single(builder *b, double px, double py, double pz)
{
    const float x = (float)px, y = (float)py, z = (float)pz, n = sqrtf(x * x + y * y + z * z);
    return add_vertex(b, (double)(x / n), (double)(y / n), (double)(z / n));
}

static int half_way(builder *b, halfway *edge, int *nedge, int i, int j)
{
    const int low = i < j ? i : j, high = i < j ? j : i;
    const double *p = b->mesh->vert + 3 * i, *q = b->mesh->vert + 3 * j;
    for (int k = 0; k < *nedge; k++) {
        if (edge[k].low == low && edge[k].high == high) {
            return edge[k].vertex;
        }
    }
    const int v = add_in_single(b, (p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2);
    edge[(*nedge)++] = (halfway){low, high, v};
    return v;
}

/* Faces 0 .. n-1 become 4 n, in place from the last on. */
static void divide(builder *b, halfway *edge)
{
    const int n = b->nface;
    int nedge = 0, *face = b->mesh->face, *middle = face + 12 * n;
    for (int f = 0; f < n; f++) {
        const int *v = face + 3 * f;
        for (int k = 0; k < 3; k++) {
            middle[3 * f + k] = half_way(b, edge, &nedge, v[k], v[(k + 1) % 3]);
        }
    }
    for (int f = n - 1; f >= 0; f--) {
        const int v[3] = {face[3 * f], face[3 * f + 1], face[3 * f + 2]}, *m = middle + 3 * f;
        b->nface = 4 * f;
        add_face(b, v[0], m[0], m[2]);
        add_face(b, v[1], m[1], m[0]);
        add_face(b, v[2], m[2], m[1]);
        add_face(b, m[0], m[1], m[2]);
    }
    b->nface = 4 * n;
}

static void make_sphere(builder *b, int times, halfway *edge)
{
    static const int icosahedron[20][3] = {
        {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
        {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
        {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    const double golden = (1 + sqrt(5)) / 2;
    for (int axis = 0; axis < 3; axis++) { /* (-1, g, 0) and so on, then turned: (0, -1, g) .. */
        for (int k = 0; k < 4; k++) {
            double v[3];
            v[axis] = k % 2 == 0 ? -1 : 1;
            v[(axis + 1) % 3] = k < 2 ? golden : -golden;
            v[(axis + 2) % 3] = 0;
            add_in_single(b, v[0], v[1], v[2]);
        }
    }
    for (int f = 0; f < 20; f++) {
        add_face(b, icosahedron[f][0], icosahedron[f][1], icosahedron[f][2]);
    }
    for (int k = 0; k < times; k++) {
        divide(b, edge);
    }
}

/* ---- hemisphere ---- */

/* Ring k has k points in each quarter, from the x axis on; ring 0 is the pole. */
static int ring_point(int ring, int k)
{
    return ring == 0 ? 0 : 1 + 2 * ring * (ring - 1) + k % (4 * ring);
}

static void make_hemisphere(builder *b, int resolution)
{
    static const int way[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const int last = resolution + 1;
    add_vertex(b, 0, 0, 1);
    for (int ring = 1; ring <= last; ring++) {
        for (int k = 0; k < 4 * ring; k++) {
            const int *from = way[k / ring], *to = way[(k / ring + 1) % 4], part = k % ring;
            add_on_sphere(b, (ring - part) * from[0] + part * to[0],
                          (ring - part) * from[1] + part * to[1], last - ring);
        }
    }
    for (int ring = 0; ring < last; ring++) {
        for (int quarter = 0; quarter < 4; quarter++) {
            for (int k = 0; k <= ring; k++) {
                const int in = quarter * ring + k, out = quarter * (ring + 1) + k;
                add_face(b, ring_point(ring, in), ring_point(ring + 1, out),
                         ring_point(ring + 1, out + 1));
                if (k < ring) {
                    add_face(b, ring_point(ring, in), ring_point(ring + 1, out + 1),
                             ring_point(ring, in + 1));
                }
            }
        }
    }
    const int middle = add_vertex(b, 0, 0, 0);
    for (int k = 0; k < 4 * last; k++) {
        add_face(b, ring_point(last, k), middle, ring_point(last, k + 1));
    }
}

/* ---- cone; its faces are those of its hull ---- */

static void make_cone(builder *b, int n, double radius)
{
    for (int k = 0; k < n; k++) {
        const double angle = 2 * pi * k / n;
        add_vertex(b, cos(angle), sin(angle), -1);
    }
    for (int k = 0; k < n && radius > 0; k++) {
        const double angle = 2 * pi * k / n;
        add_vertex(b, radius * cos(angle), radius * sin(angle), 1);
    }
    if (!(radius > 0)) {
        add_vertex(b, 0, 0, 1);
    }
}

/* ---- supersphere, supertorus ---- */

static double power_of(double x, double m)
{
    return x == 0 ? 0 : copysign(pow(fabs(x), m), x);
}

static void make_supersphere(builder *b, int n, double e, double m)
{
    const int south = add_vertex(b, 0, 0, -1);
    for (int ring = 1; ring < n; ring++) {
        const double up = -pi / 2 + ring * pi / n, c = power_of(cos(up), m);
        for (int k = 0; k < n; k++) {
            const double round = -pi + 2 * k * pi / n;
            add_vertex(b, c * power_of(cos(round), e), c * power_of(sin(round), e),
                       power_of(sin(up), m));
        }
    }
    const int north = add_vertex(b, 0, 0, 1);
    for (int k = 0; k < n; k++) {
        add_face(b, south, 1 + (k + 1) % n, 1 + k);
    }
    for (int ring = 1; ring < n - 1; ring++) {
        for (int k = 0; k < n; k++) {
            const int here = 1 + (ring - 1) * n, next = (k + 1) % n;
            add_face(b, here + k, here + next, here + n + k);
            add_face(b, here + next, here + n + next, here + n + k);
        }
    }
    for (int k = 0; k < n; k++) {
        add_face(b, north - n + k, north - n + (k + 1) % n, north);
    }
}

static void make_supertorus(builder *b, int n, const double *prm)
{
    const double radius = prm[0], s = prm[1], t = prm[2];
    for (int i = 0; i < n; i++) {
        const double round = 2 * i * pi / n;
        for (int j = 0; j < n; j++) {
            const double turn = 2 * j * pi / n, out = 1 + radius * power_of(cos(turn), s);
            add_vertex(b, out * power_of(cos(round), t), out * power_of(sin(round), t),
                       radius * power_of(sin(turn), s));
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const int a = i * n, c = (i + 1) % n * n, next = (j + 1) % n;
            add_face(b, a + j, c + j, a + next);
            add_face(b, c + j, c + next, a + next);
        }
    }
}

/* ---- wedge; its faces are those of its hull ---- */

/* The middle of cell k of n. Its edges, equally spaced from -1 to 1, are drawn towards the middle:
 *     e := gamma e^5 + (1 - gamma) e                                                          */
static double middle_of(int k, int n, double gamma)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        const double e = -1 + 2.0 * (k + side) / n;
        sum += gamma * pow(e, 5) + (1 - gamma) * e;
    }
    return sum / 2;
}

static void make_wedge(builder *b, const double *prm)
{
    const int across = (int)prm[0], along = (int)prm[1];
    for (int i = 0; i < across; i++) {
        const double a = middle_of(i, across, prm[4]) * prm[2] * pi / 180;
        for (int j = 0; j < along; j++) {
            const double up = middle_of(j, along, prm[4]) * prm[3] * pi / 180;
            add_vertex(b, cos(up) * sin(a), sin(up), -cos(up) * cos(a));
        }
    }
}

/* ---- plate ---- */

static void make_plate(builder *b, int across, int along)
{
    for (int i = 0; i < across; i++) {
        for (int j = 0; j < along; j++) {
            add_vertex(b, -1 + (2.0 * i + 1) / across, -1 + (2.0 * j + 1) / along, -1);
        }
    }
    for (int i = 0; i + 1 < across; i++) {
        for (int j = 0; j + 1 < along; j++) {
            const int here = i * along + j, next = here + along;
            add_face(b, here, next, here + 1);
            add_face(b, next + 1, here + 1, next);
        }
    }
}

/* ---- what the numbers mean ---- */

static const struct {
    const char *name, *numbers;
    int n, least, most;
} kinds[] = {
    [SPEC_BUILTIN_SPHERE] = {"sphere", "subdivision", 1, 0, 4},
    [SPEC_BUILTIN_HEMISPHERE] = {"hemisphere", "resolution", 1, 0, 10},
    [SPEC_BUILTIN_CONE] = {"cone", "number of sides, radius at the top", 2, 3, 100000},
    [SPEC_BUILTIN_SUPERSPHERE] = {"supersphere", "resolution, exponents e and n", 3, 3, 1000},
    [SPEC_BUILTIN_SUPERTORUS] = {"supertorus", "resolution, radius, exponents s and t", 4, 3, 1000},
    [SPEC_BUILTIN_WEDGE] = {"wedge", "two resolutions, two angles, gamma", 5, 1, 1000},
    [SPEC_BUILTIN_PLATE] = {"plate", "two resolutions", 2, 2, 1000},
};

const char *mesh_builtin_word(spec_builtin kind, int *n)
{
    *n = kinds[kind].n;
    return kinds[kind].name;
}

static sal_status check_second(spec_builtin kind, double second, sal_err *err)
{
    if (second >= kinds[kind].least && second < kinds[kind].most + 1) {
        return SAL_OK;
    }
    return sal_fail(err, SAL_BADINPUT,
                    "the second of params is %g; for builtin=\"%s\" it must be from %d to %d",
                    second, kinds[kind].name, kinds[kind].least, kinds[kind].most);
}

static sal_status check_wedge(const double *prm, sal_err *err)
{
    const sal_status status = check_second(SPEC_BUILTIN_WEDGE, prm[1], err);
    if (status != SAL_OK) {
        return status;
    }
    if (!(prm[2] > 0 && prm[2] <= 180 && prm[3] > 0 && prm[3] <= 90)) {
        return sal_fail(
            err, SAL_BADINPUT,
            "the angles of a wedge are %g and %g degrees; they must be above 0, at most "
            "180 and 90",
            prm[2], prm[3]);
    }
    if (!(prm[4] >= 0 && prm[4] <= 1)) {
        return sal_fail(err, SAL_BADINPUT, "gamma of a wedge is %g; it must be from 0 to 1",
                        prm[4]);
    }
    return SAL_OK;
}

static sal_status check(spec_builtin kind, const double *prm, int n, sal_err *err)
{
    const char *name = kinds[kind].name;
    if (n != kinds[kind].n) {
        return sal_fail(err, SAL_BADINPUT,
                        "builtin=\"%s\" needs %d number%s in params (%s), and has %d", name,
                        kinds[kind].n, kinds[kind].n == 1 ? "" : "s", kinds[kind].numbers, n);
    }
    if (!(prm[0] >= kinds[kind].least && prm[0] < kinds[kind].most + 1)) {
        return sal_fail(err, SAL_BADINPUT,
                        "the first of params is %g; for builtin=\"%s\" it must be from %d to %d",
                        prm[0], name, kinds[kind].least, kinds[kind].most);
    }
    if (kind == SPEC_BUILTIN_SUPERTORUS && !(prm[1] > 0 && prm[1] <= 1)) {
        return sal_fail(err, SAL_BADINPUT,
                        "the radius of a supertorus is %g; it must be above 0, at most 1", prm[1]);
    }
    if (kind == SPEC_BUILTIN_SUPERTORUS && !(prm[2] > 0 && prm[3] > 0)) {
        return sal_fail(err, SAL_BADINPUT, "the exponents of a supertorus must be positive");
    }
    if (kind == SPEC_BUILTIN_SUPERSPHERE && !(prm[1] >= 0 && prm[2] >= 0)) {
        return sal_fail(err, SAL_BADINPUT, "the exponents of a supersphere must not be negative");
    }
    return kind == SPEC_BUILTIN_WEDGE   ? check_wedge(prm, err)
           : kind == SPEC_BUILTIN_PLATE ? check_second(kind, prm[1], err)
                                        : SAL_OK;
}

/* Room for the vertices and faces; a sphere needs a quarter more faces while it is divided. */
static bool take(mjcf_spec *spec, spec_mesh *mesh, spec_builtin kind, const double *prm)
{
    const size_t n = (size_t)prm[0], four = (size_t)1 << (2 * n * (kind == SPEC_BUILTIN_SPHERE));
    size_t vert = 10 * four + 2, face = 20 * four + 5 * four;
    if (kind == SPEC_BUILTIN_HEMISPHERE) {
        vert = 2 + 2 * (n + 1) * (n + 2);
        face = 4 * (n + 1) * (n + 1) + 4 * (n + 1);
    } else if (kind == SPEC_BUILTIN_CONE) {
        vert = 2 * n + 1;
        face = 0;
    } else if (kind == SPEC_BUILTIN_WEDGE) {
        vert = n * (size_t)prm[1];
        face = 0;
    } else if (kind == SPEC_BUILTIN_PLATE) {
        vert = n * (size_t)prm[1];
        face = 2 * (n - 1) * ((size_t)prm[1] - 1);
    } else if (kind != SPEC_BUILTIN_SPHERE) {
        vert = n * n + 2;
        face = 2 * n * n;
    }
    mesh->vert = spec_take(spec, 3 * vert, sizeof *mesh->vert);
    mesh->face = face == 0 ? NULL : spec_take(spec, 3 * face, sizeof *mesh->face);
    return mesh->vert != NULL && (face == 0 || mesh->face != NULL);
}

sal_status mesh_builtin(mjcf_spec *spec, spec_mesh *mesh, const double *prm, int n, sal_err *err)
{
    const spec_builtin kind = (spec_builtin)mesh->builtin;
    const sal_status status = check(kind, prm, n, err);
    if (status != SAL_OK) {
        return status;
    }
    builder b = {.mesh = mesh};
    const int count = (int)prm[0];
    halfway *edge = kind != SPEC_BUILTIN_SPHERE
                        ? NULL
                        : spec_take(spec, (size_t)30 << (2 * count), sizeof *edge);
    if (!take(spec, mesh, kind, prm) || (kind == SPEC_BUILTIN_SPHERE && edge == NULL)) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    switch (kind) {
    case SPEC_BUILTIN_SPHERE:
        make_sphere(&b, count, edge);
        break;
    case SPEC_BUILTIN_HEMISPHERE:
        make_hemisphere(&b, count);
        break;
    case SPEC_BUILTIN_CONE:
        make_cone(&b, count, prm[1]);
        break;
    case SPEC_BUILTIN_SUPERSPHERE:
        make_supersphere(&b, count, prm[1], prm[2]);
        break;
    case SPEC_BUILTIN_SUPERTORUS:
        make_supertorus(&b, count, prm + 1);
        break;
    case SPEC_BUILTIN_WEDGE:
        make_wedge(&b, prm);
        break;
    case SPEC_BUILTIN_PLATE:
        make_plate(&b, count, (int)prm[1]);
        break;
    case SPEC_BUILTIN_NONE:
        break;
    }
    mesh->nvert = b.nvert;
    mesh->nface = b.nface;
    return SAL_OK;
}
