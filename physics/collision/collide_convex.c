/* collide_convex.c: any two convex shapes by their nearest points, or by the least motion that
 * parts them: one contact, or those of their sides. */
#include "base/house.h"
#include "physics/collision/collide.h"
#include "physics/collision/manifold.h"

/* sum of weights x points, then both moved to b - a = sep n */
static void combine(const phy_simplex *s, const double n[3], double sep, double a[3], double b[3])
{
    double middle[3] = {0, 0, 0};
    for (int i = 0; i < s->n; i++) {
        sal_v3_addscaled(middle, middle, 0.5 * s->weight[i], s->vertex[i].a);
        sal_v3_addscaled(middle, middle, 0.5 * s->weight[i], s->vertex[i].b);
    }
    sal_v3_addscaled(a, middle, -0.5 * sep, n);
    sal_v3_addscaled(b, middle, 0.5 * sep, n);
}

bool phy_nearest_points(const phy_shape *A, const phy_shape *B, double limit, phy_nearest *r)
{
    phy_simplex s;
    double between[3];
    const double radii = A->radius + B->radius;
    switch (phy_gjk(A, B, limit + radii, &s, r->n)) {
    case PHY_GJK_FAR:
        return false;
    case PHY_GJK_APART:
        sal_v3_normalise(r->n);
        break;
    case PHY_GJK_TOUCHING:
        phy_epa(A, B, &s, r->n);
        break;
    }
    r->polished = phy_convex_polish(A, B, &s, r->n, r->a, r->b);
    if (!r->polished) {
        combine(&s, r->n, phy_separation(A, B, r->n), r->a, r->b);
    }
    sal_v3_sub(between, r->b, r->a);
    r->dist = sal_v3_dot(between, r->n) - radii;
    sal_v3_addscaled(r->a, r->a, A->radius, r->n);
    sal_v3_addscaled(r->b, r->b, -B->radius, r->n);
    return r->dist <= limit;
}

static void shapes_of(phy_shape *A, phy_shape *B, const phy_meeting *p)
{
    phy_shape_set(A, p->type1, p->pos1, p->mat1, p->size1, p->pos1);
    phy_shape_set(B, p->type2, p->pos2, p->mat2, p->size2, p->pos1);
    A->hull = p->hull1;
    B->hull = p->hull2;
}

/* Those of their sides, about p->pos1; 0: there are none such */
static int by_sides(const phy_meeting *p, const phy_shape *A, const phy_shape *B,
                    const phy_nearest *r, phy_touch *touch, phy_seam *seam)
{
    const int n = p->many ? phy_manifold(A, B, r->n, p->margin, touch, seam) : 0;
    for (int i = 0; i < n; i++) {
        sal_v3_add(touch[i].pos, touch[i].pos, p->pos1);
    }
    return n;
}

int phy_manifold_of(const phy_meeting *p, phy_touch *touch, phy_seam *seam)
{
    phy_shape A, B;
    phy_nearest r;
    shapes_of(&A, &B, p);
    return phy_nearest_points(&A, &B, p->margin, &r) ? by_sides(p, &A, &B, &r, touch, seam) : 0;
}

int phy_convex_convex(const phy_meeting *p, phy_touch *touch)
{
    phy_shape A, B;
    phy_nearest r;
    shapes_of(&A, &B, p);
    if (!phy_nearest_points(&A, &B, p->margin, &r)) {
        return 0;
    }
    const int count = by_sides(p, &A, &B, &r, touch, NULL);
    if (count > 0) {
        return count;
    }
    touch->dist = r.dist;
    sal_v3_copy(touch->normal, r.n);
    sal_v3_add(touch->pos, r.a, r.b);
    sal_v3_scale(touch->pos, touch->pos, 0.5);
    sal_v3_add(touch->pos, touch->pos, p->pos1);
    sal_v3_set(touch->tangent, 0, 0, 0);
    return 1;
}
