/* sensor_values.c: for tests that run under node: the sensors of a model in states read from
 * standard input:
 *     sensor-values FILE [VERSION]     state: qpos qvel qacc ctrl xfrc_applied
 * One line a state: as many contacts, then sensordata of the inverse, then qacc and sensordata of
 * the forward. */
#include "mjcf/mjcf.h"
#include "physics/physics.h"

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

static bool read_state(const sal_model *m, sal_data *d)
{
    sal_data_reset(m, d);
    return read_reals(d->qpos, m->nq) && read_reals(d->qvel, m->nv) && read_reals(d->qacc, m->nv) &&
           read_reals(d->ctrl, m->nu) && read_reals(d->xfrc_applied, 6 * m->nbody);
}

static void put(const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        printf(" %.17g", x[i]);
    }
}

int main(int argc, char **argv)
{
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_err err = {0};
    const int version = argc == 3 ? sal_mujoco_named(argv[2]) : SAL_MUJOCO_314;
    const sal_load_options options = {.mujoco = (sal_mujoco)version};
    if (argc < 2 || sal_model_load(&m, argv[1], &options, NULL, &err) != SAL_OK ||
        sal_data_new(&d, m, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    m->opt.tolerance = 0, m->opt.iterations = 300;
    while (read_state(m, d)) {
        if (sal_inverse(m, d, &err) != SAL_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        printf("%d", d->ncon);
        put(d->sensordata, m->nsensordata);
        if (sal_forward(m, d, &err) != SAL_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        put(d->qacc, m->nv);
        put(d->sensordata, m->nsensordata);
        printf("\n");
    }
    sal_data_free(d);
    sal_model_free(m);
    return 0;
}
