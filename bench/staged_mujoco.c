#include "bench/staged_mujoco.h"

#include <string.h>

static void difference(double *row, const mjData *d, const double *force, int nv, double eps)
{
    for (int i = 0; i < nv; i++) {
        row[i] = (d->qfrc_inverse[i] - force[i]) / eps;
    }
}

void staged_mujoco(const mjModel *m, mjData *d, double *Dq, double *Dv, double *Da, double eps,
                   double *scratch)
{
    const int nv = m->nv, no_sensors = 1;
    double *q = scratch, *force = q + m->nq, *e = force + nv;
    memcpy(q, d->qpos, (size_t)m->nq * sizeof(double));
    memset(e, 0, (size_t)nv * sizeof(double));
    mj_inverseSkip(m, d, mjSTAGE_NONE, no_sensors);
    memcpy(force, d->qfrc_inverse, (size_t)nv * sizeof(double));
    for (int i = 0; i < nv; i++) {
        const double a = d->qacc[i];
        d->qacc[i] += eps;
        mj_inverseSkip(m, d, mjSTAGE_VEL, no_sensors);
        d->qacc[i] = a;
        difference(Da + i * nv, d, force, nv, eps);
    }
    for (int i = 0; i < nv; i++) {
        const double v = d->qvel[i];
        d->qvel[i] += eps;
        mj_inverseSkip(m, d, mjSTAGE_POS, no_sensors);
        d->qvel[i] = v;
        difference(Dv + i * nv, d, force, nv, eps);
    }
    for (int i = 0; i < nv; i++) {
        e[i] = eps;
        mj_integratePos(m, d->qpos, e, 1);
        e[i] = 0;
        mj_inverseSkip(m, d, mjSTAGE_NONE, no_sensors);
        memcpy(d->qpos, q, (size_t)m->nq * sizeof(double));
        difference(Dq + i * nv, d, force, nv, eps);
    }
}
