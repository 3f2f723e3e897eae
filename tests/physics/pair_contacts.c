/* pair_contacts.c: for tests that run under node: reads pairs of geoms (type pos quat size, type
 * pos quat size, margin, distmax) from standard input and writes of each on a line: how many
 * contacts, then dist, pos, normal of each; then the distance and the segment. */
#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <stdio.h>
#include <stdlib.h>

enum { NINPUT = 24 };

static bool read_reals(double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (scanf("%lf", x + i) != 1) {
            return false;
        }
    }
    return true;
}

static void place(sal_model *m, sal_data *d, const double *x)
{
    for (int i = 0; i < 2; i++, x += 11) {
        m->geom_type[i] = (int)x[0];
        m->geom_rbound[i] = m->geom_type[i] == SAL_GEOM_PLANE ? 0 : 100; /* no pose is too far */
        sal_v3_copy(d->geom_xpos + 3 * i, x + 1);
        sal_quat_matrix(d->geom_xmat + 9 * i, x + 4);
        sal_v3_copy(m->geom_size + 3 * i, x + 8);
    }
    m->pair_detect[0] = x[0];
}

static void put(const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        printf(" %.17g", x[i]);
    }
}

int main(void)
{
    sal_err err = {0};
    sal_model *m = NULL;
    sal_data *d = NULL;
    double x[NINPUT], fromto[6];
    static const char xml[] = "<mujoco><worldbody><geom size='1'/><body><freejoint/>"
                              "<geom size='1'/></body></worldbody></mujoco>";
    if (sal_model_parse(&m, "pair", xml, sizeof xml - 1, NULL, NULL, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    m->nconmax = 8;
    if (sal_data_new(&d, m, &err) != SAL_OK) {
        return 1;
    }
    while (read_reals(x, NINPUT)) {
        place(m, d, x);
        if (sal_collide(m, d, &err) != SAL_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        printf("%d", d->ncon);
        for (int i = 0; i < d->ncon; i++) {
            put(&d->contact[i].dist, 1);
            put(d->contact[i].pos, 3);
            put(d->contact[i].frame, 3);
        }
        const double dist = sal_geom_distance(m, d, 0, 1, x[NINPUT - 1], fromto);
        put(&dist, 1);
        put(fromto, 6);
        printf("\n");
    }
    sal_data_free(d);
    sal_model_free(m);
    return 0;
}
