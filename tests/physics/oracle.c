#include "tests/physics/oracle.h"

#include <math.h>
#include <string.h>

bool oracle_open(oracle *o, const char *path, char why[512])
{
    sal_err err;
    memset(o, 0, sizeof *o);
    o->mjm = mj_loadXML(path, NULL, why, 512);
    if (o->mjm == NULL) {
        return false;
    }
    o->m = oracle_import(o->mjm, &err);
    if (o->m == NULL || sal_data_new(&o->d, o->m, &err) != SAL_OK) {
        memcpy(why, err.message, sizeof err.message);
        oracle_close(o);
        return false;
    }
    o->mjd = mj_makeData(o->mjm);
    return true;
}

void oracle_close(oracle *o)
{
    sal_data_free(o->d);
    sal_model_free(o->m);
    mj_deleteData(o->mjd);
    mj_deleteModel(o->mjm);
    memset(o, 0, sizeof *o);
}

void oracle_state(oracle *o, int k, double spread)
{
    const sal_model *m = o->m;
    sal_rng rng = {(uint64_t)k};
    double *step = sal_arena_take(&o->d->arena, (size_t)m->nv);
    for (int i = 0; i < m->nv; i++) {
        const int j = m->dof_jntid[i];
        const bool floats = m->jnt_type[j] == SAL_JNT_FREE && i - m->jnt_dofadr[j] < 3;
        step[i] = k == 0 ? 0 : sal_rng_uniform(&rng, -spread, spread) * (floats ? 0.1 : 1);
    }
    sal_integrate_pos(m, o->d->qpos, m->qpos0, step, 1);
    o->d->arena.used = 0;
    for (int i = 0; i < m->nv; i++) {
        o->d->qvel[i] = sal_rng_uniform(&rng, -1, 1);
        o->d->qacc[i] = sal_rng_uniform(&rng, -3, 3);
    }
    for (int i = 0; i < m->nu; i++) {
        o->d->ctrl[i] = sal_rng_uniform(&rng, -1, 1);
    }
    memcpy(o->mjd->qpos, o->d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(o->mjd->qvel, o->d->qvel, (size_t)m->nv * sizeof(double));
    memcpy(o->mjd->qacc, o->d->qacc, (size_t)m->nv * sizeof(double));
    memcpy(o->mjd->ctrl, o->d->ctrl, (size_t)m->nu * sizeof(double));
}

double oracle_error(const double *a, const double *b, int n)
{
    double worst = 0, scale = 0;
    for (int i = 0; i < n; i++) {
        const double e = fabs(a[i] - b[i]);
        worst = e > worst || isnan(e) ? e : worst;
        scale = fabs(b[i]) > scale ? fabs(b[i]) : scale;
    }
    return worst == 0 ? 0 : worst / scale;
}
