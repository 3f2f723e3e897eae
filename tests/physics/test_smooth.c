/* Everything smooth against libmujoco 2.2.2, on every model of the corpus both can load, 100 random states each. */
#include "tests/check.h"
#include "tests/physics/oracle.h"

#include <dirent.h>

#define NSTATE 100

int main(int argc, char **argv)
{
    oracle o;
    char why[512];
    for (int i = 1; i < argc; i++) {
        if (!oracle_open(&o, argv[i], why)) {
            printf("%-60s -- %s\n", argv[i], why);
            continue;
        }
        const sal_model *m = o.m;
        double e[16] = {0};
        int ncon = 0;
        double *dense = malloc(sizeof(double) * (size_t)(m->nv * m->nv + 1)),
               *mjdense = malloc(sizeof(double) * (size_t)(m->nv * m->nv + 1));
        for (int k = 0; k < NSTATE; k++) {
            sal_err err;
            oracle_state(&o, k, k % 2 ? 0.3 : 2);
            mj_inverse(o.mjm, o.mjd);
            if (sal_inverse(o.m, o.d, &err) != SAL_OK) {
                printf("%s: ", err.message);
                break;
            }
#define E(n, a, b, len) e[n] = fmax(e[n], oracle_error(a, b, len))
            E(0, o.d->xpos, o.mjd->xpos, 3 * m->nbody);
            E(1, o.d->geom_xmat, o.mjd->geom_xmat, 9 * m->ngeom);
            E(2, o.d->subtree_com, o.mjd->subtree_com, 3 * m->nbody);
            E(3, o.d->cdof, o.mjd->cdof, 6 * m->nv);
            E(4, o.d->qM, o.mjd->qM, m->nM);
            E(5, o.d->cvel, o.mjd->cvel, 6 * m->nbody);
            E(6, o.d->qfrc_bias, o.mjd->qfrc_bias, m->nv);
            E(7, o.d->qfrc_passive, o.mjd->qfrc_passive, m->nv);
            E(8, o.d->actuator_length, o.mjd->actuator_length, m->nu);
            E(9, o.d->actuator_velocity, o.mjd->actuator_velocity, m->nu);
            for (int s = 0; s < m->nsensor; s++)
                if (m->sensor_type[s] != SAL_SENS_USER && m->sensor_stage[s] != SAL_STAGE_ACC)
                    E(10, o.d->sensordata + m->sensor_adr[s], o.mjd->sensordata + m->sensor_adr[s],
                      m->sensor_dim[s]);
            E(11, o.d->qfrc_inverse, o.mjd->qfrc_inverse, m->nv);
            E(12, m->body_invweight0, o.mjm->body_invweight0, 2 * m->nbody);
            E(13, m->dof_invweight0, o.mjm->dof_invweight0, m->nv);
            E(14, m->actuator_acc0, o.mjm->actuator_acc0, m->nu);
            ncon += o.d->ncon;
        }
        printf("%-40s", strrchr(argv[i], '/') + 1);
        for (int k = 0; k < 15; k++)
            printf(" %7.0e", e[k]);
        printf(" %g\n", ncon / (double)NSTATE);
        free(dense), free(mjdense);
        oracle_close(&o);
    }
}
