/* convex_polish.c: from a normal good to a few digits to one good to rounding error, by Newton's
 * method on sep(n) over the unit sphere.
 *
 * A support function is smooth but for its kinks: where n is across a straight line of the surface
 * (a box's edge, a cylinder's wall), or along the axis of a flat disc. A best n often lies in a
 * kink; the support point is then anywhere along the line k, and the nearest points are
 *
 *     a = sA(n) + sum alpha_i k_i,    b = sB(-n) + sum beta_j k_j,    b - a = lambda n,    n.k = 0,
 *     |n| = 1.
 *
 * With the kinks known, n is found where the gradient y = sB(-n) - sA(n) has no part across n and
 * the k:
 *
 *     g = T'y,   M = -T'(HA + HB) T - (y.n) 1,   n += -T M^-1 g,
 *     T: a basis of what is across n and all k; H: second derivatives of h.
 *
 * A mesh touches with a corner, an edge, or a triangle of a face: no, one, or two kinks.
 *
 * A coefficient beyond its line's end takes its kink away, a side that turns out wrong brings one
 * in, until all fits.
 */
#include "base/house.h"
#include "physics/collision/support.h"

enum { KINKS = 4, GUESSES = 10, STEPS = 12 };

static const double slack = 1e-9, certain = 1e-11;

typedef enum round_part { ROUND_NONE, ROUND_ELLIPSOID, ROUND_RIM, ROUND_CAP } round_part;

/* Which part of a shape touches: for each of its straight axes one end (-1, 1) or all of it (0). */
typedef struct part {
    const phy_shape *s;
    bool straight[3];
    double half[3]; /* length of the straight axes */
    int side[3];
    round_part round;
    int ncorner; /* of a mesh: a corner, an edge or a triangle of a face, in its own axes */
    double corner[3][3];
} part;

typedef struct kink {
    double k[3], half;
    part *of;
    int axis; /* the part's straight axis; 0 and 1 of a cylinder: its disc */
    double sign;
    double x; /* alpha or beta */
} kink;

typedef struct contact_parts {
    part a, b;
    kink kink[KINKS];
    int nkink, rank;
    double q[2][3]; /* orthonormal, spans the kinks */
    double n[3], y[3], lambda;
    double sa[3], sb[3];
} contact_parts;

/* ---- which parts touch ---- */

static bool is_mesh(const part *p)
{
    return p->s->type == SAL_GEOM_MESH;
}

/* Takes a corner in, once, and while there is room. */
static void add_corner(part *p, const double local[3])
{
    for (int i = 0; i < p->ncorner; i++) {
        const double *c = p->corner[i];
        if (fabs(c[0] - local[0]) + fabs(c[1] - local[1]) + fabs(c[2] - local[2]) <
            1e-12 * p->s->extent) {
            return;
        }
    }
    if (p->ncorner < 3) {
        sal_v3_copy(p->corner[p->ncorner++], local);
    }
}

/* The farthest corner along d, and its neighbours that are as far, to within `across`. */
static void choose_corners(part *p, const double d[3], double across)
{
    const phy_hull *h = &p->s->hull;
    double l[3];
    sal_m3_multv(l, p->s->mat, d);
    const int top = phy_hull_support(h, l);
    p->ncorner = 0;
    if (top < 0) {
        return;
    }
    const double most = sal_v3_dot(l, h->vert + 3 * top) - across * p->s->extent;
    add_corner(p, h->vert + 3 * top);
    for (const int *e = h->edge + h->edgeadr[top]; *e >= 0 && across > 0; e++) {
        if (sal_v3_dot(l, h->vert + 3 * *e) >= most) {
            add_corner(p, h->vert + 3 * *e);
        }
    }
}

/* A straight axis of which both ends are among the simplex's points touches with all its length; a
 * disc, if they lie about. */
static void guess_part(part *p, const phy_shape *s, const phy_simplex *simplex, bool second,
                       const double n[3])
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double d[3], l[3], local[3];
    *p = (part){.s = s};
    for (int i = 0; i < simplex->n; i++) {
        const phy_vertex *v = &simplex->vertex[i];
        sal_v3_sub(d, second ? v->b : v->a, s->pos);
        sal_m3_multv(local, s->mat, d);
        for (int k = 0; k < 3 && simplex->weight[i] > 1e-12; k++) {
            low[k] = fmin(low[k], local[k]);
            high[k] = fmax(high[k], local[k]);
        }
        if (is_mesh(p) && simplex->weight[i] > 1e-12) {
            add_corner(p, local);
        }
    }
    for (int k = 0; k < 3; k++) {
        const bool capped = s->type == SAL_GEOM_CAPSULE || s->type == SAL_GEOM_CYLINDER;
        p->straight[k] = s->type == SAL_GEOM_BOX || (capped && k == 2);
        p->half[k] = capped ? s->size[1] : s->size[k];
        p->side[k] = low[k] > 0 ? 1 : high[k] < 0 ? -1 : 0;
    }
    sal_m3_multv(l, s->mat, n);
    const double across = sqrt(l[0] * l[0] + l[1] * l[1]);
    const double spread = fmax(high[0] - low[0], high[1] - low[1]);
    p->round = s->type == SAL_GEOM_ELLIPSOID                ? ROUND_ELLIPSOID
               : s->type != SAL_GEOM_CYLINDER               ? ROUND_NONE
               : across < 1e-2 && spread > 0.2 * s->size[0] ? ROUND_CAP
                                                            : ROUND_RIM;
}

/* Every axis by one end, but for those that lie across d to within `across`. */
static void choose_ends(part *p, const double d[3], double across)
{
    double l[3];
    if (is_mesh(p)) {
        choose_corners(p, d, across);
        return;
    }
    sal_m3_multv(l, p->s->mat, d);
    for (int k = 0; k < 3; k++) {
        p->side[k] = fabs(l[k]) < across ? 0 : l[k] < 0 ? -1 : 1;
    }
    p->round = p->round == ROUND_CAP ? ROUND_RIM : p->round;
}

static void add_kink(contact_parts *c, part *p, int axis, double half)
{
    if (c->nkink < KINKS) {
        kink *k = &c->kink[c->nkink];
        *k = (kink){.half = half, .of = p, .axis = axis, .sign = p == &c->a ? 1 : -1};
        sal_m3_column(k->k, p->s->mat, axis);
    }
    c->nkink++;
}

/* Along an edge about its middle, or along two sides of a triangle from its first corner. */
static void list_mesh_kinks(contact_parts *c, part *p)
{
    for (int i = 1; i < p->ncorner; i++) {
        double side[3];
        sal_v3_sub(side, p->corner[i], p->corner[0]);
        const double length = sal_v3_normalise(side);
        const int number = c->nkink;
        add_kink(c, p, 0, p->ncorner == 2 ? length / 2 : length);
        if (number < KINKS) {
            sal_m3_mulv(c->kink[number].k, p->s->mat, side);
        }
    }
}

static void list_kinks(contact_parts *c, part *p)
{
    if (is_mesh(p)) {
        list_mesh_kinks(c, p);
        return;
    }
    for (int k = 0; k < 3; k++) {
        if (p->straight[k] && p->side[k] == 0) {
            add_kink(c, p, k, p->half[k]);
        }
    }
    if (p->round == ROUND_CAP) {
        add_kink(c, p, 0, p->s->size[0]);
        add_kink(c, p, 1, p->s->size[0]);
    }
}

/* All kinks, and n across them; false if there are more than two independent ones. */
static bool span_kinks(contact_parts *c)
{
    c->nkink = c->rank = 0;
    list_kinks(c, &c->a);
    list_kinks(c, &c->b);
    if (c->nkink > KINKS) {
        return false;
    }
    for (int i = 0; i < c->nkink; i++) {
        double rest[3];
        sal_v3_copy(rest, c->kink[i].k);
        for (int twice = 0; twice < 2; twice++) {
            for (int j = 0; j < c->rank; j++) {
                sal_v3_addscaled(rest, rest, -sal_v3_dot(rest, c->q[j]), c->q[j]);
            }
        }
        if (sal_v3_norm(rest) > 1e-10) {
            if (c->rank == 2) {
                return false;
            }
            sal_v3_normalise(rest);
            sal_v3_copy(c->q[c->rank++], rest);
        }
    }
    for (int j = 0; j < c->rank; j++) {
        sal_v3_addscaled(c->n, c->n, -sal_v3_dot(c->n, c->q[j]), c->q[j]);
    }
    return sal_v3_normalise(c->n) > 0.5;
}

/* ---- the smooth problem ---- */

/* The part's support point in direction d, kinks at their middle, and H applied to the tangents
 * t[0..nt): Ht. */
static void evaluate(const part *p, const double d[3], int nt, double t[2][3], double point[3],
                     double Ht[2][3])
{
    double l[3], local[3], tl[3], hl[3];
    const double *size = p->s->size;
    sal_m3_multv(l, p->s->mat, d);
    for (int k = 0; k < 3; k++) {
        local[k] = p->straight[k] ? p->side[k] * p->half[k] : 0;
    }
    if (p->ncorner == 2) {
        sal_v3_add(local, p->corner[0], p->corner[1]);
        sal_v3_scale(local, local, 0.5);
    } else if (p->ncorner > 0) {
        sal_v3_copy(local, p->corner[0]);
    }
    const double rho = sqrt(l[0] * l[0] + l[1] * l[1]);
    const double sl[3] = {size[0] * l[0], size[1] * l[1], size[2] * l[2]};
    const double length = sal_v3_norm(sl);
    if (p->round == ROUND_RIM) {
        local[0] = size[0] * l[0] / rho;
        local[1] = size[0] * l[1] / rho;
    } else if (p->round == ROUND_ELLIPSOID) {
        sal_v3_set(local, size[0] * sl[0] / length, size[1] * sl[1] / length,
                   size[2] * sl[2] / length);
    }
    for (int i = 0; i < nt; i++) {
        sal_m3_multv(tl, p->s->mat, t[i]);
        sal_v3_set(hl, 0, 0, 0);
        if (p->round == ROUND_RIM) { /* r/rho (1 - uu'), u = l_xy/rho */
            const double turn = size[0] * (l[0] * tl[1] - l[1] * tl[0]) / (rho * rho * rho);
            sal_v3_set(hl, -l[1] * turn, l[0] * turn, 0);
        } else if (p->round == ROUND_ELLIPSOID) { /* (S^2 - pp')/|S l| */
            const double along = sal_v3_dot(local, tl);
            for (int k = 0; k < 3; k++) {
                hl[k] = (size[k] * size[k] * tl[k] - local[k] * along) / length;
            }
        }
        sal_m3_mulv(Ht[i], p->s->mat, hl);
    }
    sal_m3_mulv(point, p->s->mat, local);
    sal_v3_add(point, point, p->s->pos);
}

/* A basis of what is across n and the kinks; returns how many. */
static int tangents(const contact_parts *c, double t[2][3])
{
    if (c->rank == 2) {
        return 0;
    }
    if (c->rank == 1) {
        sal_v3_cross(t[0], c->n, c->q[0]);
        return 1;
    }
    const bool x_far = fabs(c->n[0]) < 0.6;
    const double unit[3] = {x_far ? 1 : 0, x_far ? 0 : 1, 0};
    sal_v3_cross(t[0], c->n, unit);
    sal_v3_normalise(t[0]);
    sal_v3_cross(t[1], c->n, t[0]);
    return 2;
}

/* y, lambda = y.n, and the step of n; false where sep has no strict maximum nearby. */
static bool newton_step(contact_parts *c, double step[3])
{
    double t[2][3] = {{0}}, ha[2][3] = {{0}}, hb[2][3] = {{0}}, g[2] = {0}, m[2][2], x[2] = {0};
    const double back[3] = {-c->n[0], -c->n[1], -c->n[2]};
    const int nt = tangents(c, t);
    evaluate(&c->a, c->n, nt, t, c->sa, ha);
    evaluate(&c->b, back, nt, t, c->sb, hb);
    sal_v3_sub(c->y, c->sb, c->sa);
    c->lambda = sal_v3_dot(c->y, c->n);
    for (int i = 0; i < nt; i++) {
        g[i] = sal_v3_dot(t[i], c->y);
        for (int j = 0; j < nt; j++) { /* -M, positive at a maximum */
            m[i][j] = sal_v3_dot(t[i], ha[j]) + sal_v3_dot(t[i], hb[j]) + (i == j ? c->lambda : 0);
        }
    }
    sal_v3_set(step, 0, 0, 0);
    if (hypot(g[0], g[1]) <= 1e-15 * (c->a.s->extent + c->b.s->extent)) {
        return true; /* there, also where round about an axis all are as good */
    }
    if (nt == 1) {
        if (!(m[0][0] > 0)) {
            return false;
        }
        x[0] = g[0] / m[0][0];
    } else if (nt == 2) {
        const double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        if (!(m[0][0] > 0 && det > 1e-14 * m[0][0] * m[0][0])) {
            return false;
        }
        x[0] = (m[1][1] * g[0] - m[0][1] * g[1]) / det;
        x[1] = (m[0][0] * g[1] - m[1][0] * g[0]) / det;
    }
    for (int i = 0; i < nt; i++) {
        sal_v3_addscaled(step, step, x[i], t[i]);
    }
    return sal_v3_norm(step) < 0.5;
}

/* Newton's method with the parts as they are. */
static bool refine(contact_parts *c)
{
    double step[3], last = HUGE_VAL;
    for (int i = 0; i < STEPS; i++) {
        if (!newton_step(c, step)) {
            return false;
        }
        const double length = sal_v3_norm(step);
        if (length < 1e-15 || (length < 1e-11 && length >= last)) {
            return true;
        }
        last = length;
        sal_v3_add(c->n, c->n, step);
        for (int j = 0; j < c->rank; j++) {
            sal_v3_addscaled(c->n, c->n, -sal_v3_dot(c->n, c->q[j]), c->q[j]);
        }
        sal_v3_normalise(c->n);
    }
    return last < 1e-9;
}

/* ---- do the parts fit? ---- */

static double clamp(double x, double limit)
{
    return x < -limit ? -limit : x > limit ? limit : x;
}

/* y - lambda n = sum sign x k:  one kink, two, or two parallel ones, whose common stretch counts by
 *                               its middle. */
static void coefficients(contact_parts *c)
{
    kink *p = &c->kink[0], *q = &c->kink[1];
    const double yp = p->sign * sal_v3_dot(c->y, p->k);
    if (c->nkink == 1) {
        p->x = yp;
    } else if (c->nkink == 2 && c->rank == 2) {
        const double b = p->sign * q->sign * sal_v3_dot(p->k, q->k), det = 1 - b * b;
        const double yq = q->sign * sal_v3_dot(c->y, q->k);
        p->x = (yp - b * yq) / det;
        q->x = (yq - b * yp) / det;
    } else if (c->nkink == 2) {
        const double way = p->sign * q->sign * (sal_v3_dot(p->k, q->k) > 0 ? 1 : -1);
        const double low = fmax(-p->half, yp - q->half), high = fmin(p->half, yp + q->half);
        p->x = 0.5 * (low + high);
        q->x = way * (yp - p->x);
    }
}

/* A point of an edge beyond its end belongs to the corner there; one beyond a triangle's side to no
 * part that is easy to tell. */
static bool corners_fit(contact_parts *c, int i)
{
    kink *k = &c->kink[i];
    part *p = k->of;
    if (p->ncorner == 2) {
        if (fabs(k->x) <= k->half * (1 + slack)) {
            return true;
        }
        sal_v3_copy(p->corner[0], p->corner[k->x > 0 ? 1 : 0]);
        p->ncorner = 1;
        return false;
    }
    double sum = 0;
    for (int j = 0; j < c->nkink; j++) {
        if (c->kink[j].of == p && c->kink[j].x < -slack * c->kink[j].half) {
            return false;
        }
        sum += c->kink[j].of == p ? c->kink[j].x / c->kink[j].half : 0;
    }
    return sum <= 1 + slack;
}

/* Takes away the kinks whose coefficients are too large. */
static bool ends_fit(contact_parts *c)
{
    bool fit = true;
    for (int i = 0; i < c->nkink && c->nkink <= 2; i++) {
        kink *k = &c->kink[i];
        if (is_mesh(k->of)) {
            fit = corners_fit(c, i) && fit;
        } else if (k->of->round == ROUND_CAP && k->axis < 2) {
            if (i == 0 && hypot(k->x, c->kink[1].x) > k->half * (1 + slack)) {
                k->of->round = ROUND_RIM;
                double
                    tilt[3]; /* off the axis, towards the foot, so that the rim has a direction */
                sal_v3_copy(tilt, k->k);
                sal_v3_scale(tilt, tilt, k->x);
                sal_v3_addscaled(tilt, tilt, c->kink[1].x, c->kink[1].k);
                sal_v3_normalise(tilt);
                sal_v3_addscaled(c->n, c->n, k->sign * 1e-6, tilt);
                sal_v3_normalise(c->n);
                fit = false;
            }
        } else if (fabs(k->x) > k->half * (1 + slack)) {
            k->of->side[k->axis] = k->x > 0 ? 1 : -1;
            fit = false;
        }
    }
    return fit;
}

/* Brings in the kinks that n has passed. */
static bool sides_fit(part *p, const double n[3], double sign)
{
    double l[3];
    bool fit = true;
    sal_m3_multv(l, p->s->mat, n);
    for (int k = 0; k < 3; k++) {
        if (p->straight[k] && sign * l[k] * p->side[k] < -1e-12) {
            p->side[k] = 0;
            fit = false;
        }
    }
    if (p->round == ROUND_RIM && !(hypot(l[0], l[1]) > 1e-9)) {
        p->round = ROUND_CAP;
        fit = false;
    }
    return fit;
}

/* base + sum x k of the kinks of one part */
static void point_of(const contact_parts *c, const part *p, double point[3])
{
    sal_v3_copy(point, p == &c->a ? c->sa : c->sb);
    for (int i = 0; i < c->nkink; i++) {
        if (c->kink[i].of == p) {
            sal_v3_addscaled(point, point, c->kink[i].x, c->kink[i].k);
        }
    }
}

/* The point of a part nearest to `goal`: its kinks are across each other. */
static void project(contact_parts *c, const part *p, const double goal[3], double point[3])
{
    double d[3], square = 0;
    sal_v3_sub(d, goal, p == &c->a ? c->sa : c->sb);
    for (int i = 0; i < c->nkink; i++) {
        kink *k = &c->kink[i];
        if (k->of == p) {
            k->x = sal_v3_dot(d, k->k);
            square += k->x * k->x;
        }
    }
    for (int i = 0; i < c->nkink; i++) {
        kink *k = &c->kink[i];
        const bool disc = k->of->round == ROUND_CAP && k->axis < 2;
        if (k->of == p && disc && square > k->half * k->half) {
            k->x *= k->half / sqrt(square);
        } else if (k->of == p && !disc) {
            k->x = clamp(k->x, k->half);
        }
    }
    point_of(c, p, point);
}

/* A point common to both flats, seen along n, by relaxed projections to and fro from the middle of
 * the flat of `first` (Agmon, Canadian J. Mathematics 6, 1954): x += 1.8 (P(x) - x). They end where
 * plain projections crawl into a narrow corner. b - a = lambda n in the end. */
static bool common_point(contact_parts *c, const part *first, double a[3], double b[3])
{
    const double extent = c->a.s->extent + c->b.s->extent, relax = 1.8;
    double x[3], goal[3], off[3], far_a = HUGE_VAL, far_b = HUGE_VAL;
    sal_v3_copy(x, c->sa); /* in the plane of A's flat */
    sal_v3_copy(a, c->sa);
    sal_v3_copy(b, c->sb);
    if (first == &c->b) {
        sal_v3_addscaled(x, c->sb, -c->lambda, c->n);
    }
    for (int i = 0; i < 2000 && fmax(far_a, far_b) > 1e-12 * extent; i++) {
        project(c, &c->a, x, a);
        sal_v3_sub(off, a, x);
        far_a = sal_v3_norm(off);
        sal_v3_addscaled(x, x, far_a > 1e-12 * extent ? relax : 0, off);
        sal_v3_addscaled(goal, x, c->lambda, c->n);
        project(c, &c->b, goal, b);
        sal_v3_sub(off, b, goal);
        far_b = sal_v3_norm(off);
        sal_v3_addscaled(x, x, far_b > 1e-12 * extent ? relax : 0, off);
    }
    return fmax(far_a, far_b) < slack * extent;
}

/* The nearest points. Flat on flat has many: the middle of two, one sought from the middle of each
 * flat; of a mesh, those of the simplex. */
static bool points(contact_parts *c, const phy_simplex *s, double a[3], double b[3])
{
    double a2[3], b2[3];
    if (c->nkink <= 2) {
        for (int i = 0; i < c->nkink; i++) {
            c->kink[i].x = clamp(c->kink[i].x, c->kink[i].half);
        }
        point_of(c, &c->a, a);
        point_of(c, &c->b, b);
        return true;
    }
    if (is_mesh(&c->a) || is_mesh(&c->b)) {
        sal_v3_set(a, 0, 0, 0);
        for (int i = 0; i < s->n; i++) {
            sal_v3_addscaled(a, a, s->weight[i], s->vertex[i].a);
        }
        sal_v3_addscaled(b, a, c->lambda, c->n);
        return true;
    }
    if (!common_point(c, &c->a, a, b) || !common_point(c, &c->b, a2, b2)) {
        return false;
    }
    sal_v3_add(a, a, a2);
    sal_v3_scale(a, a, 0.5);
    sal_v3_add(b, b, b2);
    sal_v3_scale(b, b, 0.5);
    return true;
}

/* From one guess of the parts to the answer: the true support function must agree with the parts'
 * one. */
static bool settle(contact_parts *c)
{
    for (int guess = 0; guess < GUESSES; guess++) {
        if (!span_kinks(c) || !refine(c)) {
            return false;
        }
        coefficients(c);
        const bool ends = ends_fit(c);
        const bool side_a = sides_fit(&c->a, c->n, 1), side_b = sides_fit(&c->b, c->n, -1);
        if (ends && side_a && side_b) {
            const double extent = c->a.s->extent + c->b.s->extent;
            const double sep = phy_separation(c->a.s, c->b.s, c->n);
            return fabs(sep - c->lambda) <= certain * extent;
        }
    }
    return false;
}

bool phy_convex_polish(const phy_shape *A, const phy_shape *B, const phy_simplex *s, double n[3],
                       double a[3], double b[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    const double extent = A->extent + B->extent, sep = phy_separation(A, B, n);
    for (int attempt = 0; attempt < 5; attempt++) { /* as guessed; A, B, both by ends; by n alone */
        contact_parts c = {.nkink = 0};
        const double across = attempt == 4 ? 1e-4 : 0;
        guess_part(&c.a, A, s, false, n);
        guess_part(&c.b, B, s, true, n);
        if (attempt == 1 || attempt >= 3) {
            choose_ends(&c.a, n, across);
        }
        if (attempt >= 2) {
            choose_ends(&c.b, back, across);
        }
        sal_v3_copy(c.n, n);
        if (settle(&c) && c.lambda >= sep - certain * extent && points(&c, s, a, b)) {
            sal_v3_copy(n, c.n);
            return true;
        }
    }
    return false;
}
