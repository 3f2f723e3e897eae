#include "tests/physics/oracle.h"

#include "base/house.h"
#include "mjcf/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libmujoco's warnings (full buffers, singular inertias of random states) are no business of the
 * test. */
static void quiet(const char *message)
{
    (void)message;
}

bool oracle_open(oracle *o, const char *path, char why[512])
{
    const sal_load_options options = {.mujoco = SAL_MUJOCO_222};
    sal_err err;
    memset(o, 0, sizeof *o);
    mju_user_warning = quiet;
    o->mjm = mj_loadXML(path, NULL, why, 512);
    if (o->mjm == NULL) {
        o->refused_by_222 = true;
        return false;
    }
    if (o->mjm->nv > ORACLE_NVMAX) {
        snprintf(why, 512, "%d dofs, too large for a quick test", o->mjm->nv);
        oracle_close(o);
        return false;
    }
    if (sal_model_load(&o->m, path, &options, NULL, &err) != SAL_OK ||
        sal_data_new(&o->d, o->m, &err) != SAL_OK) {
        memcpy(why, err.message, sizeof err.message);
        oracle_close(o);
        return false;
    }
    /* no contact or row is dropped, but no gigabytes for models that could have thousands */
    o->mjm->nconmax = o->m->nconmax < 1000 ? o->m->nconmax + 1 : 1000;
    o->mjm->njmax = o->m->nefcmax < 3000 ? o->m->nefcmax + 100 : 3000;
    o->mjd = mj_makeData(o->mjm);
    return true;
}

void oracle_open_own(oracle *o, const char *name)
{
    char path[1024], why[512] = "";
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/tests/physics/%s.xml", root == NULL ? ".." : root, name);
    if (!oracle_open(o, path, why)) {
        fprintf(stderr, "%s: %s\n", path, why);
        exit(1);
    }
}

void oracle_close(oracle *o)
{
    sal_data_free(o->d);
    sal_model_free(o->m);
    mj_deleteData(o->mjd);
    mj_deleteModel(o->mjm);
    memset(o, 0, sizeof *o);
}

void oracle_exact(oracle *o)
{
    o->mjm->opt.tolerance = o->m->opt.tolerance = 0;
    o->mjm->opt.iterations = o->m->opt.iterations = 300;
    o->mjm->opt.solver = mjSOL_NEWTON;
}

void oracle_state(oracle *o, int k, double spread)
{
    const sal_model *m = o->m;
    sal_rng rng = {(uint64_t)k};
    double *step = sal_arena_take(&o->d->arena, (size_t)m->nv, sizeof(double));
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
    for (int i = 0; i < m->na; i++) {
        o->d->act[i] = sal_rng_uniform(&rng, -0.5, 1.5);
    }
    memcpy(o->mjd->act, o->d->act, (size_t)m->na * sizeof(double));
    memcpy(o->mjd->qpos, o->d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(o->mjd->qvel, o->d->qvel, (size_t)m->nv * sizeof(double));
    memcpy(o->mjd->qacc, o->d->qacc, (size_t)m->nv * sizeof(double));
    memcpy(o->mjd->ctrl, o->d->ctrl, (size_t)m->nu * sizeof(double));
}

double oracle_error(const double *a, const double *b, int n)
{
    double worst = 0, scale = 1e-6;
    for (int i = 0; i < n; i++) {
        const double e = fabs(a[i] - b[i]);
        if (!isfinite(e)) {
            return (double)NAN;
        }
        worst = e > worst ? e : worst;
        scale = fabs(b[i]) > scale ? fabs(b[i]) : scale;
    }
    return worst / scale;
}

static bool approximate(const sal_model *m, int g1, int g2)
{
    const int t1 = m->geom_type[g1], t2 = m->geom_type[g2];
    const int a = t1 < t2 ? t1 : t2, b = t1 < t2 ? t2 : t1;
    const bool round = a != SAL_GEOM_HFIELD && (b == SAL_GEOM_SPHERE || b == SAL_GEOM_CAPSULE);
    return !(a == SAL_GEOM_PLANE || round || (a <= SAL_GEOM_CAPSULE && b == SAL_GEOM_BOX));
}

bool oracle_judged_elsewhere(const oracle *o)
{
    bool found = false;
    for (int i = 0; i < o->d->ncon; i++) {
        found = found || approximate(o->m, o->d->contact[i].geom1, o->d->contact[i].geom2);
    }
    for (int i = 0; i < o->mjd->ncon; i++) {
        found = found || approximate(o->m, o->mjd->contact[i].geom1, o->mjd->contact[i].geom2);
    }
    return found;
}
