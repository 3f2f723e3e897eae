/* collide_box.c: a sphere against a box, in the box's axes. */
#include "base/house.h"
#include "physics/collision/collide.h"

/* Centre l inside the box of half sizes s: the normal is the axis from the nearest face into the
 * box (faces in the order -x +x -y +y -z +z, the first of equals); returns the distance e from l to
 * that face. */
static double nearest_face(double normal[3], const double l[3], const double s[3])
{
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        for (int side = -1; side <= 1; side += 2) {
            const double e = s[k] - side * l[k];
            if (e < least) {
                least = e;
                sal_v3_set(normal, 0, 0, 0);
                normal[k] = -side;
            }
        }
    }
    return least;
}

/* q = the point of the box nearest to the centre l, t = q - l:
 *   outside:  dist = |t| - r,   n = t/|t|,  pos = (q + l + r n)/2
 *   inside:   dist = -(e + r),              pos = l + n (r - e)/2     (version 2.2.2: dist = -r) */
int phy_sphere_box(const phy_meeting *p, phy_touch *touch)
{
    double offset[3], l[3], q[3], n[3], local[3];
    const double *s = p->size2, r = p->size1[0];
    sal_v3_sub(offset, p->pos1, p->pos2);
    sal_m3_multv(l, p->mat2, offset);
    for (int k = 0; k < 3; k++) {
        q[k] = l[k] < -s[k] ? -s[k] : l[k] > s[k] ? s[k] : l[k];
    }
    sal_v3_sub(n, q, l);
    const double distance = sal_v3_norm(n);
    if (!(distance - r <= p->margin)) {
        return 0;
    }
    if (distance > SAL_MINVAL) {
        sal_v3_scale(n, n, 1 / distance);
        touch->dist = distance - r;
        sal_v3_add(local, q, l);
        sal_v3_addscaled(local, local, r, n);
        sal_v3_scale(local, local, 0.5);
    } else {
        const double e = nearest_face(n, l, s);
        touch->dist = p->mujoco == SAL_MUJOCO_222 ? -r : -(e + r);
        sal_v3_addscaled(local, l, 0.5 * (r - e), n);
    }
    sal_m3_mulv(touch->normal, p->mat2, n);
    sal_m3_mulv(touch->pos, p->mat2, local);
    sal_v3_add(touch->pos, touch->pos, p->pos2);
    sal_v3_set(touch->tangent, 0, 0, 0);
    return 1;
}
