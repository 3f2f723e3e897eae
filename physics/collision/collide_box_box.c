/* collide_box_box.c: two boxes, up to eight contacts.
 *
 * Two boxes are apart if one of fifteen axes separates them: the three face normals of each and the
 * cross products of their edges (Gottschalk, Lin, Manocha, "OBBTree", SIGGRAPH 1996). With d = c2 -
 * c1, half sizes s, axes u of box 1 and v of box 2,
 *
 *     sep(n) = |n.d| - sum_k s1_k |n.u_k| - sum_k s2_k |n.v_k|,
 *     the largest of the fifteen wins.
 *
 * A face: the face of the other box that opposes it is clipped to the face's rectangle; what is
 * left and low enough touches. An edge pair: the nearest points of the two edges.
 */
#include "base/house.h"
#include "physics/collision/collide.h"

/* Least share by which an edge axis must win: over any other, and over the face it nearly coincides
 * with. */
static const double edge_lead = 1e-6, edge_lead_beside_face = 0.05, beside = 0.99;

typedef struct box {
    double centre[3]; /* from box 1's */
    double axis[3][3];
    const double *s;
} box;

typedef struct axis_choice {
    double sep;
    double n[3];      /* from box 1 to box 2 */
    int edge1, edge2; /* or: */
    int owner, face;  /* owner 0: an edge pair */
} axis_choice;

static void take_box(box *b, const double *pos, const double *mat, const double *size,
                     const double origin[3])
{
    sal_v3_sub(b->centre, pos, origin);
    for (int k = 0; k < 3; k++) {
        sal_m3_column(b->axis[k], mat, k);
    }
    b->s = size;
}

/* h(n) = sum_k s_k |n.axis_k| */
static double reach(const box *b, const double n[3])
{
    double h = 0;
    for (int k = 0; k < 3; k++) {
        h += b->s[k] * fabs(sal_v3_dot(n, b->axis[k]));
    }
    return h;
}

/* sep(n), n turned to point from box 1 to box 2 */
static double separation(const box *b1, const box *b2, double n[3])
{
    const double along = sal_v3_dot(n, b2->centre);
    if (along < 0) {
        sal_v3_scale(n, n, -1);
    }
    return fabs(along) - reach(b1, n) - reach(b2, n);
}

/* The best face; false if one lies farther than `far`. */
static bool try_faces(const box *b1, const box *b2, double far, axis_choice *best)
{
    best->sep = -HUGE_VAL;
    for (int owner = 1; owner <= 2; owner++) {
        for (int k = 0; k < 3; k++) {
            double n[3];
            sal_v3_copy(n, (owner == 1 ? b1 : b2)->axis[k]);
            const double sep = separation(b1, b2, n);
            if (!(sep <= far)) {
                return false;
            }
            if (sep > best->sep) {
                *best = (axis_choice){.sep = sep, .owner = owner, .face = k};
                sal_v3_copy(best->n, n);
            }
        }
    }
    return true;
}

/* An edge pair that is better than the faces; false if one lies farther than `far`. */
static bool try_edges(const box *b1, const box *b2, double far, axis_choice *best)
{
    const axis_choice face = *best;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double n[3];
            sal_v3_cross(n, b1->axis[i], b2->axis[j]);
            const double square = sal_v3_dot(n, n);
            if (square < 1e-16) {
                continue; /* parallel: the faces say it all */
            }
            sal_v3_scale(n, n, 1 / sqrt(square));
            const double sep = separation(b1, b2, n);
            if (!(sep <= far)) {
                return false;
            }
            if (sep > best->sep + edge_lead * fabs(best->sep)) {
                *best = (axis_choice){.sep = sep, .edge1 = i, .edge2 = j};
                sal_v3_copy(best->n, n);
            }
        }
    }
    const bool near_face = fabs(sal_v3_dot(best->n, face.n)) > beside;
    if (near_face && best->sep <= face.sep + edge_lead_beside_face * fabs(face.sep)) {
        *best = face;
    }
    return true;
}

/* ---- a face ---- */

enum { CORNERS_MAX = 8 }; /* four corners, one more for each side of the rectangle */

typedef struct polygon {
    double p[CORNERS_MAX][3]; /* along two sides of the reference face, and the height above it */
    int n;
} polygon;

/* Keeps what has  sign x_k <= limit; a side that crosses is cut there. (Sutherland, Hodgman, CACM
 *                 1974.) */
static void clip(polygon *f, int k, double sign, double limit)
{
    polygon out = {.n = 0};
    for (int i = 0; i < f->n; i++) {
        const double *a = f->p[i], *b = f->p[(i + 1) % f->n];
        const double da = sign * a[k] - limit, db = sign * b[k] - limit;
        if (da <= 0 && out.n < CORNERS_MAX) {
            sal_v3_copy(out.p[out.n++], a);
        }
        if (((da < 0 && db > 0) || (da > 0 && db < 0)) && out.n < CORNERS_MAX) {
            double *cut = out.p[out.n++];
            for (int c = 0; c < 3; c++) {
                cut[c] = a[c] + (b[c] - a[c]) * da / (da - db);
            }
            cut[k] = sign * limit;
        }
    }
    *f = out;
}

/* The face of `other` most opposed to the normal of the face `face` of `ref` (on the side `side`),
 * in its coordinates. */
static void incident_face(polygon *f, const box *ref, int face, double side, const box *other)
{
    static const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const int u = (face + 1) % 3, v = (face + 2) % 3;
    const double *n = ref->axis[face];
    int k = 0;
    for (int i = 1; i < 3; i++) {
        if (fabs(sal_v3_dot(n, other->axis[i])) > fabs(sal_v3_dot(n, other->axis[k]))) {
            k = i;
        }
    }
    const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    const double down = side * sal_v3_dot(n, other->axis[k]) > 0 ? -1 : 1;
    f->n = 4;
    for (int i = 0; i < 4; i++) {
        double corner[3];
        sal_v3_sub(corner, other->centre, ref->centre);
        sal_v3_addscaled(corner, corner, down * other->s[k], other->axis[k]);
        sal_v3_addscaled(corner, corner, sign[i][0] * other->s[k1], other->axis[k1]);
        sal_v3_addscaled(corner, corner, sign[i][1] * other->s[k2], other->axis[k2]);
        f->p[i][0] = sal_v3_dot(corner, ref->axis[u]);
        f->p[i][1] = sal_v3_dot(corner, ref->axis[v]);
        f->p[i][2] = side * sal_v3_dot(corner, n) - ref->s[face];
    }
}

static bool is_new(const polygon *f, int i, double tolerance)
{
    for (int j = 0; j < i; j++) {
        double between[3];
        sal_v3_sub(between, f->p[i], f->p[j]);
        if (sal_v3_norm(between) < tolerance) {
            return false;
        }
    }
    return true;
}

/* Corners of height at most the margin:  dist = height,  pos = corner - n height/2. */
static int face_contacts(const phy_meeting *p, const box *ref, const box *other,
                         const axis_choice *best, phy_touch *touch)
{
    polygon f;
    const int k = best->face, u = (k + 1) % 3, v = (k + 2) % 3;
    const double *n = ref->axis[k];
    const double outward = best->owner == 1 ? 1 : -1; /* best->n points from box 1 to box 2 */
    const double side = outward * sal_v3_dot(best->n, n) > 0 ? 1 : -1;
    const double tolerance = 1e-9 * (ref->s[u] + ref->s[v]);
    int count = 0;
    incident_face(&f, ref, k, side, other);
    clip(&f, 0, 1, ref->s[u]);
    clip(&f, 0, -1, ref->s[u]);
    clip(&f, 1, 1, ref->s[v]);
    clip(&f, 1, -1, ref->s[v]);
    for (int i = 0; i < f.n; i++) {
        const double height = f.p[i][2];
        if (!(height <= p->margin) || !is_new(&f, i, tolerance)) {
            continue;
        }
        phy_touch *t = touch + count++;
        t->dist = height;
        sal_v3_add(t->pos, ref->centre, p->pos1);
        sal_v3_addscaled(t->pos, t->pos, f.p[i][0], ref->axis[u]);
        sal_v3_addscaled(t->pos, t->pos, f.p[i][1], ref->axis[v]);
        sal_v3_addscaled(t->pos, t->pos, side * (ref->s[k] + 0.5 * height), n);
        sal_v3_copy(t->normal, best->n);
        sal_v3_set(t->tangent, 0, 0, 0);
    }
    return count;
}

/* ---- an edge of each ---- */

static double clamp(double x, double limit)
{
    return x < -limit ? -limit : x > limit ? limit : x;
}

/* The middle of the edge along `edge` that lies farthest in direction sign n. */
static void support_edge(double mid[3], const box *b, int edge, const double n[3], double sign)
{
    sal_v3_copy(mid, b->centre);
    for (int k = 0; k < 3; k++) {
        if (k != edge) {
            const double up = sign * sal_v3_dot(n, b->axis[k]) > 0 ? 1 : -1;
            sal_v3_addscaled(mid, mid, up * b->s[k], b->axis[k]);
        }
    }
}

/* Edges m1 + x u and m2 + y v, w = m1 - m2, b = u.v:  x = (b v.w - u.w)/(1 - b^2), y = v.w + b x,
 *                                                     each within its edge. */
static int edge_contact(const phy_meeting *p, const box *b1, const box *b2, const axis_choice *best,
                        phy_touch *touch)
{
    double m1[3], m2[3], w[3];
    const double *u = b1->axis[best->edge1], *v = b2->axis[best->edge2];
    support_edge(m1, b1, best->edge1, best->n, 1);
    support_edge(m2, b2, best->edge2, best->n, -1);
    sal_v3_sub(w, m1, m2);
    const double b = sal_v3_dot(u, v), uw = sal_v3_dot(u, w), vw = sal_v3_dot(v, w);
    double x = clamp((b * vw - uw) / (1 - b * b), b1->s[best->edge1]);
    const double y = clamp(vw + b * x, b2->s[best->edge2]);
    x = clamp(b * y - uw, b1->s[best->edge1]);
    sal_v3_addscaled(m1, m1, x, u);
    sal_v3_addscaled(m2, m2, y, v);
    sal_v3_sub(w, m2, m1);
    touch->dist = sal_v3_dot(w, best->n);
    sal_v3_add(touch->pos, m1, m2);
    sal_v3_scale(touch->pos, touch->pos, 0.5);
    sal_v3_add(touch->pos, touch->pos, p->pos1);
    sal_v3_copy(touch->normal, best->n);
    sal_v3_set(touch->tangent, 0, 0, 0);
    return touch->dist <= p->margin ? 1 : 0;
}

int phy_box_box(const phy_meeting *p, phy_touch *touch)
{
    box b1, b2;
    axis_choice best;
    take_box(&b1, p->pos1, p->mat1, p->size1, p->pos1);
    take_box(&b2, p->pos2, p->mat2, p->size2, p->pos1);
    double far = p->margin;
    for (int k = 0; k < 3; k++) {
        far += 1e-13 * (p->size1[k] + p->size2[k]);
    }
    if (!try_faces(&b1, &b2, far, &best) || !try_edges(&b1, &b2, far, &best)) {
        return 0;
    }
    switch (best.owner) {
    case 1:
        return face_contacts(p, &b1, &b2, &best, touch);
    case 2:
        return face_contacts(p, &b2, &b1, &best, touch);
    default:
        return edge_contact(p, &b1, &b2, &best, touch);
    }
}
