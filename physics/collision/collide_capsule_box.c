/* collide_capsule_box.c: a capsule against a box, one contact or two.
 *
 * The axis point p(x) = c + x a, x in [-1,1], nearest to the box carries a ball; a second ball sits
 * where the capsule, running along the edge or over the face it touches, leaves it again. All in
 * the box's axes, after MuJoCo's behaviour: what is nearest is sought among the ends of the axis
 * over faces and the axis over the twelve edges, not in the inside of the box.
 */
#include "physics/collision/collide_capsule_box.h"

#include "base/house.h"

static bool bit(int bits, int k)
{
    return (bits >> k & 1) != 0;
}

static double point_on(const phy_footing *f, int k, double x)
{
    return f->c[k] + x * f->a[k];
}

/* An end of the axis that at most one pair of faces leaves outside. */
static void try_end(phy_footing *f, int end)
{
    int beyond = 0, face = 0;
    for (int k = 0; k < 3; k++) {
        if (fabs(point_on(f, k, end)) > f->s[k]) {
            beyond++;
            face = k;
        }
    }
    const double gap = beyond > 0 ? fabs(point_on(f, face, end)) - f->s[face] : 0;
    if (beyond <= 1 && gap * gap < f->best) {
        f->best = gap * gap;
        f->kind = beyond > 0 ? PHY_NEAR_FACE : PHY_NEAR_INSIDE;
        f->x = f->end = end;
        f->axis = face;
    }
}

/* The edge along j whose lower corner is i:  w + x1 s_j e_j - y a is shortest where A x1 + B y = u,
 *                                            B x1 + C y = v. */
static void try_edge(phy_footing *f, int j, int i)
{
    double w[3], between[3];
    for (int k = 0; k < 3; k++) {
        w[k] = (k == j ? 0 : bit(i, k) ? f->s[k] : -f->s[k]) - f->c[k];
    }
    const double A = f->s[j] * f->s[j], B = -f->s[j] * f->a[j], C = f->length * f->length;
    const double u = -f->s[j] * w[j], v = sal_v3_dot(f->a, w), det = A * C - B * B;
    if (!(fabs(det) >= SAL_MINVAL)) {
        return;
    }
    double x1 = (C * u - B * v) / det, y = (A * v - B * u) / det;
    int end = 0;
    if (fabs(x1) > 1) {
        x1 = end = x1 > 0 ? 1 : -1;
        y = (v - B * x1) / C;
    }
    if (fabs(y) > 1) {
        y = y > 0 ? 1 : -1;
        x1 = (u - B * y) / A;
        if (fabs(x1) > 1) {
            x1 = end = x1 > 0 ? 1 : -1;
        }
    }
    sal_v3_addscaled(between, w, -y, f->a);
    between[j] += x1 * f->s[j];
    const double square = sal_v3_dot(between, between);
    if (square < f->best - SAL_MINVAL) {
        f->best = square;
        f->kind = end != 0 ? PHY_NEAR_CORNER : PHY_NEAR_EDGE;
        f->x = y;
        f->axis = j;
        f->along = x1;
        f->corner = end > 0 ? i | 1 << j : i;
    }
}

static int lone_bit(int q)
{
    return q == 1 ? 0 : q == 2 ? 1 : q == 4 ? 2 : -1;
}

/* The end of the axis. */
static phy_stop end_of_axis(const phy_footing *f, int way)
{
    return (phy_stop){.kind = PHY_STOP_END, .way = way, .dx = 1 - way * f->x};
}

/* Where the axis has crossed the box's width k. */
static phy_stop crossing(const phy_footing *f, int way, int k)
{
    return (phy_stop){PHY_STOP_WIDTH, k, way, 0, 2 * f->s[k] / fabs(f->a[k])};
}

static phy_stop sooner(phy_stop a, phy_stop b)
{
    return b.dx < a.dx ? b : a;
}

/* From a corner, along the edge the axis leans to, or over the face across from it. */
static phy_stop second_of_corner(const phy_footing *f)
{
    int q = f->bits ^ f->corner;
    if (q == 0 || q == 7) {
        return (phy_stop){.kind = PHY_STOP_NONE};
    }
    const int way = lone_bit(q) >= 0 ? 1 : -1;
    q = way > 0 ? q : 7 - q;
    const int k = lone_bit(q), k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    if (f->a[k] * f->a[k] > 0.5 * f->length * f->length) {
        return sooner(end_of_axis(f, way), crossing(f, way, k));
    }
    return sooner(end_of_axis(f, -way), sooner(crossing(f, -way, k1), crossing(f, -way, k2)));
}

/* From an edge, over the face the axis leans to, or until the edge ends. */
static phy_stop second_of_edge(const phy_footing *f)
{
    const int j = f->axis, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const int q = (f->bits ^ f->corner) & ~(1 << j);
    if (lone_bit(q) < 0) {
        return (phy_stop){.kind = PHY_STOP_NONE};
    }
    const int k = fabs(f->a[j1]) > fabs(f->a[j2]) ? j1 : j2;
    const int way = bit(q, k) ? 1 : -1, ahead = bit(f->bits, j) == bit(q, k) ? 1 : -1;
    const phy_stop over = sooner(end_of_axis(f, way), crossing(f, way, k));
    const double rest = 1 - ahead * f->along;
    return sooner(over,
                  (phy_stop){PHY_STOP_EDGE_END, j, way, ahead, f->s[j] * rest / fabs(f->a[j])});
}

/* From the end above a face, until the axis leaves it. */
static phy_stop second_of_face(const phy_footing *f)
{
    const int way = -f->end;
    phy_stop stop = {.kind = PHY_STOP_END, .way = way, .dx = 2};
    for (int k = 0; k < 3; k++) {
        for (int side = -1; side <= 1 && k != f->axis; side += 2) {
            const double t = way * (side * f->s[k] - point_on(f, k, f->end)) / f->a[k];
            if (t > 0 && t < stop.dx) {
                stop = (phy_stop){PHY_STOP_BORDER, k, way, 0, t};
            }
        }
    }
    return stop;
}

/* The second ball's place on the axis, from the first one's. Zero is an answer: an axis that ends
 * at its nearest point makes the same contact twice, in MuJoCo and here. */
static phy_stop second(const phy_footing *f)
{
    switch (f->kind) {
    case PHY_NEAR_FACE:
        return second_of_face(f);
    case PHY_NEAR_EDGE:
        return second_of_edge(f);
    case PHY_NEAR_CORNER:
        return second_of_corner(f);
    case PHY_NEAR_INSIDE:
        break;
    }
    return (phy_stop){.kind = PHY_STOP_NONE};
}

void phy_capsule_box_find(phy_footing *f, const phy_meeting *p)
{
    double offset[3], z[3];
    const double *s = p->size2, length = p->size1[1];
    *f = (phy_footing){.length = length, .s = s, .kind = PHY_NEAR_INSIDE};
    sal_v3_sub(offset, p->pos1, p->pos2);
    sal_m3_multv(f->c, p->mat2, offset);
    sal_m3_column(z, p->mat1, 2);
    sal_m3_multv(f->a, p->mat2, z);
    sal_v3_scale(f->a, f->a, length);
    for (int k = 0; k < 3; k++) {
        f->bits |= f->a[k] > 0 ? 1 << k : 0;
    }
    f->best = p->margin + 2 * (p->size1[0] + length + s[0] + s[1] + s[2]);
    try_end(f, -1);
    try_end(f, 1);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 8; i++) {
            if (!bit(i, j)) {
                try_edge(f, j, i);
            }
        }
    }
    f->stop = second(f);
}

int phy_capsule_box_ball(const phy_meeting *p, double x, phy_touch *touch)
{
    double centre[3], z[3];
    phy_meeting ball = *p;
    sal_m3_column(z, p->mat1, 2);
    sal_v3_addscaled(centre, p->pos1, x * p->size1[1], z);
    ball.pos1 = centre;
    return phy_sphere_box(&ball, touch);
}

int phy_capsule_box(const phy_meeting *p, phy_touch *touch)
{
    phy_footing f;
    phy_capsule_box_find(&f, p);
    int count = phy_capsule_box_ball(p, f.x, touch);
    if (f.stop.kind != PHY_STOP_NONE) {
        count += phy_capsule_box_ball(p, f.x + f.stop.way * f.stop.dx, touch + count);
    }
    return count;
}
