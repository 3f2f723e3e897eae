/* ray_tree.c: which face of a mesh a ray meets first, whichever side it shows. (T. Moeller, B.
 * Trumbore, "Fast, minimum storage ray/triangle intersection", Journal of Graphics Tools 2, 1997)
 *
 *     p + x v = a + s (b - a) + t (c - a),   s, t >= 0, s + t <= 1
 *
 * Of several at the same x the first in the file counts. A ray within the plane of a face has an x
 * that is made of rounding errors: that counts only if p + x v is in the face's box, give or take
 * 1e-9 of the coordinates at play.
 *
 * A mesh of more than FEW faces has a tree of boxes over them. Box 1 holds all n, boxes 2 i and
 * 2 i + 1 one half each of those of box i. So the row of 2^d boxes divides the faces into parts of
 * the same number,
 *
 *     box 2^d + k:  tree_face[n k / 2^d .. n (k + 1) / 2^d),
 *
 * and the last row has parts of at most LEAF. Halves are divided at the median of the faces'
 * centres, along the axis along which these lie farthest apart. Boxes are taken 2e-9 wider, which
 * is more than rounding: what counts in its own box is not lost in those above. So the answer is
 * that of a walk over all faces.
 */
#include "base/house.h"
#include "physics/collision/ray.h"
#include "physics/compiling.h"

#include <float.h>

enum { FEW = 16, LEAF = 4, DEEPEST = 31, KEY_BITS = 32 };

static const double rounding = 1e-9; /* of the coordinates at play */

/* (fmin and fmax would be calls.) */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The number of the last row */
static int depth_of(int nface)
{
    int depth = 0;
    while (nface - 1 >= LEAF << depth) {
        depth++;
    }
    return depth;
}

int phy_ray_tree_size(int nface)
{
    return nface <= FEW ? 0 : (2 << depth_of(nface)) - 1;
}

static int part_begin(int nface, int row, int k)
{
    return (int)((long)nface * k >> row);
}

void phy_file_vertex(const sal_model *m, int mesh, int vertex, double out[3])
{
    const float *v = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + vertex);
    sal_v3_set(out, (double)v[0], (double)v[1], (double)v[2]);
}

static void corners(const sal_model *m, int mesh, int face, double corner[3][3])
{
    for (int i = 0; i < 3; i++) {
        phy_file_vertex(m, mesh, m->mesh_face[3 * face + i], corner[i]);
    }
}

static void widen(double box[6], const double point[3])
{
    for (int k = 0; k < 3; k++) {
        box[k] = smaller(box[k], point[k]);
        box[3 + k] = larger(box[3 + k], point[k]);
    }
}

static void no_box(double box[6])
{
    sal_v3_set(box, DBL_MAX, DBL_MAX, DBL_MAX);
    sal_v3_set(box + 3, -DBL_MAX, -DBL_MAX, -DBL_MAX);
}

/* ---- making it ---- */

/* Faces of a mesh that are to be divided along an axis, and what makes numbers of 32 bits of their
 * centres. */
typedef struct parting {
    const sal_model *m;
    int mesh;
    int *face;
    int n;
    int axis;
    double low, scale;
} parting;

static unsigned key(const parting *p, int i)
{
    const int *vertex = p->m->mesh_face + 3 * p->face[i];
    const float *x = p->m->mesh_vert + 3 * p->m->mesh_vertadr[p->mesh] + p->axis;
    const double centre =
        (double)x[3 * vertex[0]] + (double)x[3 * vertex[1]] + (double)x[3 * vertex[2]];
    return (unsigned)((centre - p->low) * p->scale);
}

/* Those without the bit first; the place of the first with it */
static int part_by_bit(const parting *p, int begin, int end, int bit)
{
    int place = begin;
    for (int i = begin; i < end; i++) {
        if ((key(p, i) >> bit & 1) == 0) {
            const int face = p->face[i];
            p->face[i] = p->face[place];
            p->face[place++] = face;
        }
    }
    return place;
}

/* The first `half` faces are then none of the farther ones. From the highest bit on, the part that
 * the median is in is divided further: at most 32 times. */
static void halve(const parting *p, int half)
{
    int begin = 0, end = p->n;
    for (int bit = KEY_BITS - 1; bit >= 0 && end - begin > 1; bit--) {
        const int place = part_by_bit(p, begin, end, bit);
        begin = place <= half ? place : begin;
        end = place > half ? place : end;
    }
}

/* Box, and the order in which the two halves take their faces */
static void make_part(sal_model *m, int mesh, int *face, int n, int half, float out[6])
{
    double box[6], centres[6], corner[3][3], centre[3];
    parting p = {.m = m, .mesh = mesh, .face = face, .n = n, .axis = 0};
    no_box(box);
    no_box(centres);
    for (int i = 0; i < n; i++) {
        corners(m, mesh, face[i], corner);
        for (int k = 0; k < 3; k++) {
            widen(box, corner[k]);
        }
        sal_v3_add(centre, corner[0], corner[1]);
        sal_v3_add(centre, centre, corner[2]);
        widen(centres, centre);
    }
    for (int k = 0; k < 6; k++) {
        out[k] = (float)box[k]; /* coordinates are floats */
    }
    for (int k = 1; k < 3; k++) {
        p.axis = centres[3 + k] - centres[k] > centres[3 + p.axis] - centres[p.axis] ? k : p.axis;
    }
    p.low = centres[p.axis];
    const double width = centres[3 + p.axis] - p.low;
    if (width > 0) {
        p.scale = 0.999999 * 4294967296.0 / width;
        halve(&p, half);
    }
}

static void make_tree(sal_model *m, int mesh)
{
    const int n = m->mesh_facenum[mesh], depth = depth_of(n);
    int *face = m->tree_face + m->mesh_faceadr[mesh];
    float *box = m->tree_box + 6 * m->mesh_treeadr[mesh];
    for (int row = 0; row <= depth; row++) {
        for (int k = 0; k < 1 << row; k++, box += 6) {
            const int begin = part_begin(n, row, k), end = part_begin(n, row, k + 1);
            const int half = row == depth ? 0 : part_begin(n, row + 1, 2 * k + 1) - begin;
            make_part(m, mesh, face + begin, end - begin, half, box);
        }
    }
}

void phy_ray_trees(sal_model *m)
{
    for (int f = 0; f < m->ntreeface; f++) {
        m->tree_face[f] = f;
    }
    for (int i = 0; i < m->nmesh && m->ntreeface > 0; i++) {
        if (m->mesh_facenum[i] > FEW) {
            make_tree(m, i);
        }
    }
}

/* ---- along a ray ---- */

/* A ray in the file's axes, and the face that it meets first so far (-1: none) */
typedef struct course {
    const sal_model *m;
    int mesh;
    const double *from, *dir;
    int face;
    double x;
    /* for boxes: from less and plus what they are wider, 1/dir */
    double below[3], above[3], inverse[3];
} course;

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

/* Whether the ray is in the face's box at x */
static bool counts(const course *c, int face, double x)
{
    double corner[3][3], low[3], high[3], size = 0;
    bool is_in = true;
    corners(c->m, c->mesh, face, corner);
    for (int k = 0; k < 3; k++) {
        low[k] = smaller(smaller(corner[0][k], corner[1][k]), corner[2][k]);
        high[k] = larger(larger(corner[0][k], corner[1][k]), corner[2][k]);
        size = larger(larger(size, fabs(c->from[k])), larger(-low[k], high[k]));
    }
    for (int k = 0; k < 3; k++) {
        const double at = c->from[k] + x * c->dir[k];
        is_in = is_in && at >= low[k] - rounding * size && at <= high[k] + rounding * size;
    }
    return is_in;
}

static void try_face(course *c, int face)
{
    double corner[3][3];
    corners(c->m, c->mesh, face, corner);
    const double x = phy_ray_triangle(corner[0], corner[1], corner[2], c->from, c->dir);
    if (x >= 0 && (x < c->x || (x == c->x && face < c->face)) && counts(c, face, x)) {
        c->x = x;
        c->face = face;
    }
}

/* Whether the ray may meet a face of box i no later than what it has met; if so, from where on.
 * Where it runs along a plane of the box, 0 times infinity decides nothing. */
static bool worth(const course *c, const float *tree, int i, double *enter)
{
    const float *box = tree + 6L * (i - 1);
    double leave = c->x;
    *enter = 0;
    for (int k = 0; k < 3; k++) {
        const double low = ((double)box[k] - c->above[k]) * c->inverse[k];
        const double high = ((double)box[3 + k] - c->below[k]) * c->inverse[k];
        const double first = c->inverse[k] < 0 ? high : low;
        const double last = c->inverse[k] < 0 ? low : high;
        *enter = first > *enter ? first : *enter;
        leave = last < leave ? last : leave;
    }
    return *enter <= leave;
}

/* Of two boxes the nearer one first; the other one waits. */
static void walk(course *c, const float *tree)
{
    const int n = c->m->mesh_facenum[c->mesh], depth = depth_of(n), leaves = 1 << depth;
    const int *face = c->m->tree_face + c->m->mesh_faceadr[c->mesh];
    int waiting[DEEPEST + 1], nwaiting = 1;
    double since[DEEPEST + 1];
    waiting[0] = 1;
    since[0] = 0;
    while (nwaiting > 0) {
        int i = waiting[--nwaiting];
        bool goes_on = since[nwaiting] <= c->x;
        while (goes_on && i < leaves) {
            double enter[2];
            const bool left = worth(c, tree, 2 * i, &enter[0]);
            const bool right = worth(c, tree, 2 * i + 1, &enter[1]);
            const int near = right && (!left || enter[1] < enter[0]);
            if (left && right) {
                waiting[nwaiting] = 2 * i + 1 - near;
                since[nwaiting++] = enter[1 - near];
            }
            goes_on = left || right;
            i = 2 * i + near;
        }
        if (goes_on) {
            const int k = i - leaves, end = part_begin(n, depth, k + 1);
            for (int f = part_begin(n, depth, k); f < end; f++) {
                try_face(c, face[f]);
            }
        }
    }
}

static void prepare(course *c, const float *root)
{
    double size = 0;
    for (int k = 0; k < 3; k++) {
        size =
            larger(larger(size, fabs(c->from[k])), larger(-(double)root[k], (double)root[3 + k]));
    }
    for (int k = 0; k < 3; k++) {
        c->above[k] = c->from[k] + 2 * rounding * size;
        c->below[k] = c->from[k] - 2 * rounding * size;
        c->inverse[k] = c->dir[k] == 0 ? (double)INFINITY : 1 / c->dir[k];
    }
}

double phy_ray_faces(const sal_model *m, int mesh, const double from[3], const double dir[3],
                     int *face)
{
    course c = {.m = m, .mesh = mesh, .from = from, .dir = dir, .face = -1, .x = DBL_MAX};
    const int first = m->mesh_faceadr[mesh], n = m->mesh_facenum[mesh];
    if (n > FEW && m->ntreeface > 0) {
        const float *tree = m->tree_box + 6L * m->mesh_treeadr[mesh];
        prepare(&c, tree);
        walk(&c, tree);
    } else {
        for (int f = first; f < first + n; f++) {
            try_face(&c, f);
        }
    }
    *face = c.face;
    return c.face < 0 ? -1 : c.x;
}
