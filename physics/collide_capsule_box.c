/* collide_capsule_box.c: a capsule against a box, one contact or two.
 *
 * The axis point p(x) = c + x a, x in [-1,1], nearest to the box carries a ball; a second ball sits where the capsule, running along the
 * edge or over the face it touches, leaves it again. All in the box's axes, after MuJoCo's behaviour: what is nearest is sought
 * among the ends of the axis over faces and the axis over the twelve edges, not in the inside of the box.
 */
#include "physics/collide.h"

typedef enum near_kind { NEAR_INSIDE, NEAR_FACE, NEAR_EDGE, NEAR_CORNER } near_kind;

typedef struct nearest {
    double c[3], a[3]; /* centre and half axis of the capsule */
    double length;     /* of the half axis */
    const double *s;   /* the box's half sizes */
    int bits;          /* bit k: the axis rises along k */
    near_kind kind;
    double best;  /* squared distance of axis and box */
    double x;     /* where on the axis */
    int end;      /* face: the end of the axis above it */
    int axis;     /* face: its normal; edge: its direction */
    int corner;   /* edge, corner: bit k: on the side +k (an edge: its lower corner) */
    double along; /* edge: the point on it, in [-1,1] */
} nearest;

static bool bit(int bits, int k)
{
    return (bits >> k & 1) != 0;
}

static double point_on(const nearest *f, int k, double x)
{
    return f->c[k] + x * f->a[k];
}

/* An end of the axis that at most one pair of faces leaves outside. */
static void try_end(nearest *f, int end)
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
        f->kind = beyond > 0 ? NEAR_FACE : NEAR_INSIDE;
        f->x = f->end = end;
        f->axis = face;
    }
}

/* The edge along j whose lower corner is i:  w + x1 s_j e_j - y a  is shortest where  A x1 + B y = u,  B x1 + C y = v. */
static void try_edge(nearest *f, int j, int i)
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
        f->kind = end != 0 ? NEAR_CORNER : NEAR_EDGE;
        f->x = y;
        f->axis = j;
        f->along = x1;
        f->corner = end > 0 ? i | 1 << j : i;
    }
}

/* How far along the axis, in units of a, until it has crossed the box's width k. */
static double crossing(const nearest *f, int k)
{
    return 2 * f->s[k] / fabs(f->a[k]);
}

static int lone_bit(int q)
{
    return q == 1 ? 0 : q == 2 ? 1 : q == 4 ? 2 : -1;
}

/* From a corner, along the edge the axis leans to, or over the face across from it. */
static double second_of_corner(const nearest *f)
{
    int q = f->bits ^ f->corner;
    if (q == 0 || q == 7) {
        return NAN;
    }
    const int way = lone_bit(q) >= 0 ? 1 : -1;
    q = way > 0 ? q : 7 - q;
    const int k = lone_bit(q), k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    const double edge = 1 - way * f->x, face = 1 + way * f->x;
    if (f->a[k] * f->a[k] > 0.5 * f->length * f->length) {
        return way * fmin(edge, crossing(f, k));
    }
    return -way * fmin(face, fmin(crossing(f, k1), crossing(f, k2)));
}

/* From an edge, over the face the axis leans to. */
static double second_of_edge(const nearest *f)
{
    const int j = f->axis, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const int q = (f->bits ^ f->corner) & ~(1 << j);
    if (lone_bit(q) < 0) {
        return NAN;
    }
    const int k = fabs(f->a[j1]) > fabs(f->a[j2]) ? j1 : j2;
    const int way = bit(q, k) ? 1 : -1;
    const double rest = bit(f->bits, j) == bit(q, k) ? 1 - f->along : 1 + f->along;
    const double dx = fmin(1 - way * f->x, crossing(f, k));
    return way * fmin(dx, f->s[j] * rest / fabs(f->a[j]));
}

/* From the end above a face, until the axis leaves it. */
static double second_of_face(const nearest *f)
{
    const int way = -f->end;
    double dx = 2;
    for (int k = 0; k < 3; k++) {
        for (int side = -1; side <= 1 && k != f->axis; side += 2) {
            const double t = way * (side * f->s[k] - point_on(f, k, f->end)) / f->a[k];
            dx = t > 0 && t < dx ? t : dx;
        }
    }
    return way * dx;
}

/* The second ball's place on the axis, from the first one's; NAN: there is none. Zero is an answer: an axis that ends
 * at its nearest point makes the same contact twice, in MuJoCo and here. */
static double second(const nearest *f)
{
    switch (f->kind) {
    case NEAR_FACE:
        return second_of_face(f);
    case NEAR_EDGE:
        return second_of_edge(f);
    case NEAR_CORNER:
        return second_of_corner(f);
    case NEAR_INSIDE:
        break;
    }
    return NAN;
}

static int ball_at(const sal_meeting *p, const double z[3], double x, sal_touch *touch)
{
    double centre[3];
    sal_meeting ball = *p;
    sal_v3_addscaled(centre, p->pos1, x * p->size1[1], z);
    ball.pos1 = centre;
    return sal_sphere_box(&ball, touch);
}

int sal_capsule_box(const sal_meeting *p, sal_touch *touch)
{
    double offset[3], z[3];
    const double *s = p->size2, length = p->size1[1];
    nearest f = {.length = length, .s = s, .kind = NEAR_INSIDE};
    sal_v3_sub(offset, p->pos1, p->pos2);
    sal_m3_multv(f.c, p->mat2, offset);
    sal_m3_column(z, p->mat1, 2);
    sal_m3_multv(f.a, p->mat2, z);
    sal_v3_scale(f.a, f.a, length);
    for (int k = 0; k < 3; k++) {
        f.bits |= f.a[k] > 0 ? 1 << k : 0;
    }
    f.best = p->margin + 2 * (p->size1[0] + length + s[0] + s[1] + s[2]);
    try_end(&f, -1);
    try_end(&f, 1);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 8; i++) {
            if (!bit(i, j)) {
                try_edge(&f, j, i);
            }
        }
    }
    int count = ball_at(p, z, f.x, touch);
    const double dx = second(&f);
    if (!isnan(dx)) {
        count += ball_at(p, z, f.x + dx, touch + count);
    }
    return count;
}
