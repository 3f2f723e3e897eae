/* collide_field.c: a height field and a convex shape: a contact with every prism that the shape's
 * box, in the field's axes, lies over, row by row. (MuJoCo 3.12 and 3.14.)
 *
 * With a distance of detection m the field is raised and the shape swollen: the prisms' tops are
 * higher by m, the shape thicker by m/2 all round, and of these a contact says the overlap:
 *
 *     dist = d(raised prism, shape) - m/2 < 0,    pos midway between the raised prism's surface and
 *                                                 the swollen shape's
 *
 * so that on level ground dist is the gap less 3/2 m. Prisms whose raised tops all lie lower than
 * the shape's lowest point are passed over.
 *
 * A shape that is deeper in a prism than it reaches over it is pushed back over the wall between
 * this prism and the next, though there is ground on both sides. Contacts that are softened are
 * always that deep, so of these the normal n of the smallest translation is brought to the normal t
 * of the prism's top by the share u, and dist is kept, which is 0 where the shape leaves the prism:
 *
 *     n(u) = ((1-u) n + u t) / |(1-u) n + u t|
 */
#include "base/house.h"
#include "physics/collision/field.h"

/* Of the shape, in the field's axes about its origin, without the margin. */
typedef struct box {
    double low[3], high[3];
} box;

static void box_of(box *b, const phy_meeting *p, const phy_shape *B)
{
    for (int k = 0; k < 3; k++) {
        double axis[3], back[3], point[3];
        sal_m3_column(axis, p->mat1, k);
        sal_v3_scale(back, axis, -1);
        phy_shape_support(B, axis, point);
        b->high[k] = sal_v3_dot(axis, point) + B->radius;
        phy_shape_support(B, back, point);
        b->low[k] = sal_v3_dot(axis, point) - B->radius;
    }
}

static bool outside(const box *b, const phy_field *f, double margin)
{
    const double low[3] = {-f->size[0], -f->size[1], -f->size[3]};
    for (int k = 0; k < 3; k++) {
        if (!(b->low[k] - margin <= f->size[k] && b->high[k] + margin >= low[k])) {
            return true;
        }
    }
    return false;
}

/* The cells that low .. high lies over: from .. to - 1, of n - 1 */
static void cells(double low, double high, double half, int n, int *from, int *to)
{
    const double first = floor((low + half) / (2 * half) * (n - 1));
    const double last = ceil((high + half) / (2 * half) * (n - 1));
    *from = first > 0 ? (int)first : 0;
    *to = last < n - 1 ? (int)last : n - 1;
}

static bool below(const phy_prism *q, double z)
{
    return q->vert[11] + q->centre[2] < z && q->vert[14] + q->centre[2] < z &&
           q->vert[17] + q->centre[2] < z;
}

/* The normal t of the top, in the world's axes. */
static void top_normal(double t[3], const phy_prism *q, const double *mat)
{
    double along[3], across[3], local[3];
    sal_v3_sub(along, q->vert + 12, q->vert + 9);
    sal_v3_sub(across, q->vert + 15, q->vert + 9);
    sal_v3_cross(local, along, across);
    sal_v3_scale(local, local, copysign(1 / sal_v3_norm(local), local[2]));
    sal_m3_mulv(t, mat, local);
}

/* n(u) */
static void turn_upright(double n[3], double u, const phy_prism *q, const double *mat)
{
    double t[3];
    top_normal(t, q, mat);
    sal_v3_scale(n, n, 1 - u);
    sal_v3_addscaled(n, n, u, t);
    const double length = sal_v3_norm(n);
    if (length > 1e-6) {
        sal_v3_scale(n, n, 1 / length);
    } else {
        sal_v3_copy(n, t);
    }
}

static bool touches(const phy_meeting *p, const phy_prism *q, phy_shape *B, phy_touch *touch)
{
    phy_shape A;
    phy_nearest r;
    double origin[3];
    const double swell = 0.5 * p->margin;
    sal_m3_mulv(origin, p->mat1, q->centre);
    sal_v3_add(origin, origin, p->pos1);
    phy_prism_shape(&A, q, p->mat1);
    sal_v3_sub(B->pos, p->pos2, origin);
    if (!phy_nearest_points(&A, B, swell, &r) || !(r.dist - swell < 0)) {
        return false;
    }
    touch->dist = r.dist - swell;
    sal_v3_copy(touch->normal, r.n);
    sal_v3_add(touch->pos, r.a, r.b);
    sal_v3_addscaled(touch->pos, touch->pos, -swell, r.n);
    sal_v3_scale(touch->pos, touch->pos, 0.5);
    sal_v3_add(touch->pos, touch->pos, origin);
    if (p->field1.upright > 0) {
        turn_upright(touch->normal, p->field1.upright, q, p->mat1);
    }
    sal_v3_set(touch->tangent, 0, 0, 0);
    return true;
}

int phy_field_convex(const phy_meeting *p, phy_touch *touch)
{
    const phy_field *f = &p->field1;
    phy_shape B;
    phy_prism q;
    box b;
    int column, columns, row, rows, count = 0;
    phy_shape_set(&B, p->type2, p->pos2, p->mat2, p->size2, p->pos1);
    B.hull = p->hull2;
    box_of(&b, p, &B);
    if (outside(&b, f, p->margin)) {
        return 0;
    }
    cells(b.low[0], b.high[0], f->size[0], f->ncol, &column, &columns);
    cells(b.low[1], b.high[1], f->size[1], f->nrow, &row, &rows);
    for (; row < rows; row++) {
        for (int k = 2 * column; k < 2 * columns && count < PHY_TOUCH_MAX; k++) {
            touch[count].prism = 2 * (f->ncol - 1) * row + k;
            phy_prism_set(&q, f, touch[count].prism, p->margin);
            count += !below(&q, b.low[2]) && touches(p, &q, &B, touch + count);
        }
    }
    return count;
}
