/* state_contacts.c: for tests that run under node:  state-contacts MODEL [VERSION] reads
 * configurations from standard input and writes of each, on a line:
 * how many contacts, of each geom1, geom2, dist, pos, normal; then the distance of every pair of
 * geoms that may touch, if they are listed. */
#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <stdio.h>
#include <string.h>

static bool read_configuration(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nq; i++) {
        if (scanf("%lf", d->qpos + i) != 1) {
            return false;
        }
    }
    return true;
}

static void put(const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        printf(" %.17g", x[i]);
    }
}

int main(int argc, char **argv)
{
    sal_err err = {0};
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_load_options options = {0};
    if (argc > 2 && strcmp(argv[2], "3.12") == 0) {
        options.mujoco = SAL_MUJOCO_312;
    }
    if (argc < 2 || sal_model_load(&m, argv[1], &options, NULL, &err) != SAL_OK ||
        sal_data_new(&d, m, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    while (read_configuration(m, d)) {
        sal_kinematics(m, d);
        if (sal_collide(m, d, &err) != SAL_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        printf("%d", d->ncon);
        for (int i = 0; i < d->ncon; i++) {
            printf(" %d %d", d->contact[i].geom1, d->contact[i].geom2);
            put(&d->contact[i].dist, 1);
            put(d->contact[i].pos, 3);
            put(d->contact[i].frame, 3);
        }
        for (int p = 0; p < m->npair && m->nkind == 0; p++) {
            const double dist =
                sal_geom_distance(m, d, m->pair_geom1[p], m->pair_geom2[p], 10, NULL);
            put(&dist, 1);
        }
        printf("\n");
    }
    sal_data_free(d);
    sal_model_free(m);
    return 0;
}
