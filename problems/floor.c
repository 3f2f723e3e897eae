/* floor.c: a pose is set on the floor: lifted or lowered until its lowest geom just touches. */
#include "problems/floor.h"

#include "base/house.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A dof that lifts the whole mechanism: a slide joint of a root body along the world's z, or a free
 * joint's third translation. -1: none. *adr: its place in qpos; *up: how much the root rises per
 * unit of it. */
static int lifting_dof(const sal_model *m, const sal_data *d, int *adr, double *up)
{
    for (int j = 0; j < m->njnt; j++) {
        if (m->body_parentid[m->jnt_bodyid[j]] != 0) {
            continue;
        }
        *adr = m->jnt_qposadr[j];
        *up = 1;
        if (m->jnt_type[j] == SAL_JNT_FREE) {
            *adr += 2;
            return m->jnt_dofadr[j] + 2;
        }
        *up = d->xaxis[3 * j + 2];
        if (m->jnt_type[j] == SAL_JNT_SLIDE && fabs(*up) > 0.99) {
            return m->jnt_dofadr[j];
        }
    }
    return -1;
}

void prb_floor_see(sal_model *m)
{
    for (int i = 0; i < m->npair; i++) {
        const int g = m->pair_geom1[i];
        const bool floor =
            m->geom_type[g] == SAL_GEOM_PLANE && m->body_weldid[m->geom_bodyid[g]] == 0;
        m->pair_detect[i] = floor ? 1e6 : -1e6;
    }
    sal_model_margins(m);
}

sal_status prb_floor_set(const sal_model *wide, sal_data *d, double *q, sal_err *err)
{
    int adr;
    double up, lowest = DBL_MAX;
    memcpy(d->qpos, q, (size_t)wide->nq * sizeof(double));
    sal_kinematics(wide, d);
    const sal_status status = sal_collide(wide, d, err);
    for (int i = 0; i < d->ncon && status == SAL_OK; i++) {
        lowest = fmin(lowest, d->contact[i].dist);
    }
    if (status == SAL_OK && lowest < DBL_MAX && lifting_dof(wide, d, &adr, &up) >= 0) {
        q[adr] -= lowest / up;
    }
    return status;
}
