/* mesh_hull.c: convex hulls. The only file that includes libqhull. (Barber, Dobkin, Huhdanpaa, "The
 * Quickhull algorithm for convex hulls", ACM Trans. Mathematical Software 22, 1996.)
 *
 * MuJoCo takes the same hull from the same library with the same options (Qt: triangles; TAn Q9:
 * stop after n more points, the farthest first), and numbers corners and neighbours in the
 * library's order; so do we, because a mesh on a plane touches where that order says.
 */
#include "mjcf/mesh.h"

#include <libqhull_r/qhull_ra.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/* The library prints its complaints: nowhere. */
static FILE *nowhere(void)
{
    return fopen("/dev/null", "w");
}

/* Runs the library; false if it gave up. What it allocated is there either way. */
static bool run(qhT *qh, double *point, int n, int most, FILE *sink)
{
    char options[40];
    snprintf(options, sizeof options, most > 3 ? "qhull Qt Q9 TA%d" : "qhull Qt", most - 4);
    qh_zero(qh, sink);
    qh_init_A(qh, NULL, sink, sink, 0, NULL);
    if (setjmp(qh->errexit) != 0) {
        qh->NOerrexit = True;
        return false;
    }
    qh->NOerrexit = False;
    qh_initflags(qh, options);
    qh_init_B(qh, point, n, 3, False);
    qh_qhull(qh);
    qh_triangulate(qh);
    qh_vertexneighbors(qh);
    return true;
}

/* Adds corner w to the list from `from` on, once; false without room for it and the end of the
 * list. */
static bool add_neighbour(spec_hull *h, int from, int w)
{
    for (int i = from; i < h->nedge; i++) {
        if (h->edge[i] == w) {
            return true;
        }
    }
    if (h->nedge >= h->nvert + 3 * h->nface - 1) {
        return false;
    }
    h->edge[h->nedge++] = w;
    return true;
}

/* Corners and neighbours, by numbers of points; local[point] = corner. False if a facet is no
 * triangle. */
static bool take_vertices(qhT *qh, spec_hull *h, int npoint, int *local)
{
    vertexT *vertex, *other, **otherp;
    facetT *neighbor, **neighborp;
    int i = 0;
    FORALLvertices
    {
        const int point = qh_pointid(qh, vertex->point);
        if (point < 0 || point >= npoint || i == h->nvert) {
            return false;
        }
        local[point] = i;
        h->vert[i] = point;
        h->edgeadr[i++] = h->nedge;
        const int from = h->nedge;
        FOREACHneighbor_(vertex)
        {
            FOREACHsetelement_(vertexT, neighbor->vertices, other)
            {
                if (other != vertex && !add_neighbour(h, from, qh_pointid(qh, other->point))) {
                    return false;
                }
            }
        }
        h->edge[h->nedge++] = -1;
    }
    return i == h->nvert;
}

static bool take_faces(qhT *qh, spec_hull *h, const int *local)
{
    facetT *facet;
    vertexT *vertex, **vertexp;
    int i = 0;
    FORALLfacets
    {
        const int order[3] = {facet->toporient ? 1 : 0, facet->toporient ? 0 : 1, 2};
        int k = 0;
        FOREACHsetelement_(vertexT, facet->vertices, vertex)
        {
            if (k == 3 || i == h->nface) {
                return false;
            }
            h->face[3 * i + order[k++]] = local[qh_pointid(qh, vertex->point)];
        }
        if (k != 3) {
            return false;
        }
        i++;
    }
    return i == h->nface;
}

static sal_status take_hull(mjcf_spec *spec, qhT *qh, spec_hull *h, int npoint, sal_err *err)
{
    *h = (spec_hull){.nvert = qh->num_vertices, .nface = qh->num_facets};
    const size_t nvert = (size_t)h->nvert, nface = (size_t)h->nface;
    int *local = sal_alloc((size_t)npoint, sizeof *local);
    h->vert = spec_take(spec, nvert, sizeof *h->vert);
    h->edgeadr = spec_take(spec, nvert, sizeof *h->edgeadr);
    h->edge = spec_take(spec, nvert + 3 * nface, sizeof *h->edge);
    h->face = spec_take(spec, 3 * nface, sizeof *h->face);
    if (local == NULL || spec->nomem) {
        sal_free(local);
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    const bool good = take_vertices(qh, h, npoint, local) && take_faces(qh, h, local);
    for (int i = 0; i < h->nedge && good; i++) {
        h->edge[i] = h->edge[i] < 0 ? -1 : local[h->edge[i]];
    }
    sal_free(local);
    return good ? SAL_OK
                : sal_fail(err, SAL_BADINPUT, "its convex hull cannot be divided into triangles");
}

/* Whether all points lie in a plane, to 1e-9 of their extent. */
static bool is_flat(const double *point, int n)
{
    double a[3], b[3], d[3], normal[3], side[3], most = 0, widest = 0, highest = 0;
    sal_v3_set(a, 0, 0, 0);
    sal_v3_set(normal, 0, 0, 0);
    for (int i = 1; i < n; i++) { /* the farthest from the first */
        sal_v3_sub(d, point + 3 * i, point);
        if (sal_v3_dot(d, d) > most) {
            most = sal_v3_dot(d, d);
            sal_v3_copy(a, d);
        }
    }
    for (int i = 1; i < n; i++) { /* the farthest from that line */
        sal_v3_sub(b, point + 3 * i, point);
        sal_v3_cross(side, a, b);
        if (sal_v3_dot(side, side) > widest) {
            widest = sal_v3_dot(side, side);
            sal_v3_copy(normal, side);
        }
    }
    if (!(widest > 1e-18 * most * most)) {
        return true;
    }
    sal_v3_normalise(normal);
    for (int i = 1; i < n; i++) { /* the farthest from that plane */
        sal_v3_sub(d, point + 3 * i, point);
        highest = fmax(highest, fabs(sal_v3_dot(d, normal)));
    }
    return !(highest > 1e-9 * sqrt(most));
}

sal_status mesh_hull(mjcf_spec *spec, spec_hull *hull, const double *point, int n, int most,
                     sal_err *err)
{
    int curlong, totlong;
    if (n < 4 || is_flat(point, n)) {
        return sal_fail(err, SAL_BADINPUT,
                        "all its vertices lie in one plane, so its convex hull has no volume");
    }
    FILE *sink = nowhere();
    qhT *qh = sal_alloc(1, sizeof *qh);
    double *copy = sal_alloc(3 * (size_t)n, sizeof *copy);
    sal_status status = SAL_NOMEM;
    if (sink != NULL && qh != NULL && copy != NULL) {
        memcpy(copy, point, 3 * (size_t)n * sizeof *copy);
        status = run(qh, copy, n, most, sink)
                     ? take_hull(spec, qh, hull, n, err)
                     : sal_fail(err, SAL_BADINPUT, "its convex hull cannot be computed");
        qh_freeqhull(qh, !qh_ALL);
        qh_memfreeshort(qh, &curlong, &totlong);
    }
    if (sink != NULL) {
        fclose(sink);
    }
    sal_free(copy);
    sal_free(qh);
    return status == SAL_NOMEM ? sal_fail(err, SAL_NOMEM, "out of memory") : status;
}
