/* mesh_polygons.c: the sides of a convex hull, as MuJoCo 3.14 has them for contacts with planes.
 *
 * Triangles belong together if the angles of their normals, in the axes of the file,
 *
 *     theta = atan2(y, x),  phi = acos(z),
 *
 * are the same when rounded to 0.01 rad (at the poles theta is 0). Those of them that hang together
 * by edges are one side; the edges that no two of them share are its outline.
 */
#include "mjcf/mesh.h"

#include <stdlib.h>
#include <string.h>

static const double finest = 0.01, no_normal = 1e-15, pole = 1 - 1e-7;

/* A triangle by the direction of its normal */
typedef struct facing {
    int theta, phi, face;
} facing;

/* An edge of an outline; edges of one island hang together. */
typedef struct rim_edge {
    int from, to, island;
} rim_edge;

typedef struct outline {
    rim_edge *edge;
    int n, nisland;
} outline;

/* False: the triangle has no normal. */
static bool face_direction(facing *f, const spec_mesh *mesh, int face)
{
    const int *corner = mesh->hull.face + 3 * face, *vert = mesh->hull.vert;
    const double *a = mesh->vert + 3 * vert[corner[0]];
    double b[3], c[3], n[3];
    sal_v3_sub(b, mesh->vert + 3 * vert[corner[1]], a);
    sal_v3_sub(c, mesh->vert + 3 * vert[corner[2]], a);
    sal_v3_cross(n, b, c);
    const double length = sal_v3_norm(n);
    if (length < no_normal) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        n[k] = n[k] / length + 0.0; /* -0 becomes 0: their angles differ by a turn */
    }
    const bool at_pole = fabs(n[2]) > pole;
    const double phi = at_pole ? (n[2] < 0 ? acos(-1) : 0) : acos(n[2]);
    f->theta = at_pole ? 0 : (int)round(atan2(n[1], n[0]) / finest);
    f->phi = (int)round(phi / finest);
    f->face = face;
    return true;
}

static int by_direction(const void *one, const void *other)
{
    const facing *a = one, *b = other;
    return a->theta != b->theta ? a->theta - b->theta
           : a->phi != b->phi   ? a->phi - b->phi
                                : a->face - b->face;
}

static int find_edge(const outline *o, int from, int to)
{
    int i = 0;
    while (i < o->n && (o->edge[i].from != from || o->edge[i].to != to)) {
        i++;
    }
    return i < o->n ? i : -1;
}

/* Takes the edge away; its island becomes one with `island` (-1: none yet). Returns which. */
static int share(outline *o, int i, int island)
{
    const int own = o->edge[i].island, low = island < 0 || own < island ? own : island;
    o->n--;
    memmove(o->edge + i, o->edge + i + 1, (size_t)(o->n - i) * sizeof *o->edge);
    for (int k = 0; k < o->n && island >= 0; k++) {
        if (o->edge[k].island == own || o->edge[k].island == island) {
            o->edge[k].island = low;
        }
    }
    return low;
}

/* Edges that run both ways vanish, the others go to the end. */
static void insert_triangle(outline *o, const int corner[3])
{
    bool shared[3];
    int island = -1;
    for (int k = 0; k < 3; k++) {
        const int i = find_edge(o, corner[(k + 1) % 3], corner[k]);
        shared[k] = i >= 0;
        island = i >= 0 ? share(o, i, island) : island;
    }
    island = island < 0 ? o->nisland++ : island;
    for (int k = 0; k < 3; k++) {
        if (!shared[k]) {
            o->edge[o->n++] = (rim_edge){corner[k], corner[(k + 1) % 3], island};
        }
    }
}

/* The corners of an island, from its first edge on; returns how many. 0: it has none, or does not
 * close. */
static int trace(const outline *o, int island, int *corner)
{
    int n = 0, at = 0;
    while (at < o->n && o->edge[at].island != island) {
        at++;
    }
    for (; at < o->n && n < o->n; n++) {
        corner[n] = o->edge[at].from;
        const int next = o->edge[at].to;
        if (next == corner[0]) {
            return n + 1;
        }
        at = 0;
        while (at < o->n && (o->edge[at].island != island || o->edge[at].from != next)) {
            at++;
        }
    }
    return 0;
}

/* The sides of an outline. Where three edges are left MuJoCo takes them as they come, which may be
 * the wrong way round. */
static void take_outline(spec_hull *h, const outline *o)
{
    for (int i = 0; i < o->nisland; i++) {
        int *corner = h->polyvert + h->npolyvert, n = 0;
        if (o->n == 3) {
            for (; n < 3; n++) {
                corner[n] = o->edge[n].from;
            }
            i = o->nisland;
        } else {
            n = trace(o, i, corner);
        }
        if (n >= 3) {
            corner[n] = -1;
            h->npolyvert += n + 1;
            h->npoly++;
        }
    }
}

sal_status mesh_polygons(mjcf_spec *spec, spec_mesh *mesh, sal_err *err)
{
    spec_hull *h = &mesh->hull;
    const size_t nface = (size_t)h->nface;
    facing *list = sal_alloc(nface, sizeof *list);
    outline o = {.edge = sal_alloc(3 * nface, sizeof *o.edge)};
    h->polyvert = spec_take(spec, 4 * nface, sizeof *h->polyvert);
    sal_status status = SAL_OK;
    if (list == NULL || o.edge == NULL || h->polyvert == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory");
        goto done;
    }
    int n = 0;
    for (int i = 0; i < h->nface; i++) {
        n += face_direction(list + n, mesh, i);
    }
    qsort(list, (size_t)n, sizeof *list, by_direction);
    for (int i = 0; i < n; i++) {
        insert_triangle(&o, h->face + 3 * list[i].face);
        if (i == n - 1 || list[i].theta != list[i + 1].theta || list[i].phi != list[i + 1].phi) {
            take_outline(h, &o);
            o.n = o.nisland = 0;
        }
    }
done:
    sal_free(o.edge);
    sal_free(list);
    return status;
}
