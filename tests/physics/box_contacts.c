/* box_contacts.c: for tests that run under node: reads pairs of boxes (pos quat size, pos quat size, margin) from standard input and
 * writes the contacts of each on a line: how many, then dist, pos, normal. */
#include "physics/collide.h"

#include <stdio.h>

static bool read_reals(double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (scanf("%lf", x + i) != 1) {
            return false;
        }
    }
    return true;
}

int main(void)
{
    double x[21], mat1[9], mat2[9];
    while (read_reals(x, 21)) {
        sal_touch touch[SAL_TOUCH_MAX];
        sal_quat_matrix(mat1, x + 3);
        sal_quat_matrix(mat2, x + 13);
        const sal_meeting p = {x,      mat1,  x + 7, x + 10,       mat2,
                               x + 17, x[20], false, SAL_GEOM_BOX, SAL_GEOM_BOX};
        const int count = sal_box_box(&p, touch);
        printf("%d", count);
        for (int i = 0; i < count; i++) {
            const double *pos = touch[i].pos, *n = touch[i].normal;
            printf(" %.17g %.17g %.17g %.17g %.17g %.17g %.17g", touch[i].dist, pos[0], pos[1],
                   pos[2], n[0], n[1], n[2]);
        }
        printf("\n");
    }
    return 0;
}
