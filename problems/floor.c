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

static bool is_static(const sal_model *m, int geom, sal_geom_type type)
{
    return m->geom_type[geom] == (int)type && m->body_weldid[m->geom_bodyid[geom]] == 0;
}

bool prb_floor_has(const sal_model *m, sal_geom_type type)
{
    for (int g = 0; g < m->ngeom; g++) {
        if (is_static(m, g, type)) {
            return true;
        }
    }
    return false;
}

void prb_floor_see(sal_model *m)
{
    for (int i = 0; i < m->npair; i++) {
        m->pair_detect[i] = is_static(m, m->pair_geom1[i], SAL_GEOM_PLANE) ? 1e6 : -1e6;
    }
    sal_model_margins(m);
}

void prb_ground_see(sal_model *m)
{
    prb_floor_see(m);
    for (int i = 0; i < m->npair; i++) {
        if (is_static(m, m->pair_geom1[i], SAL_GEOM_HFIELD)) {
            m->pair_detect[i] = 0;
        }
    }
    sal_model_margins(m);
}

/* ---- height fields ---- */

static bool is_on_field(const sal_model *wide, int pair)
{
    return wide->geom_type[wide->pair_geom1[pair]] == SAL_GEOM_HFIELD &&
           wide->pair_detect[pair] >= 0;
}

/* By how much a rise surely leaves (free) or surely lets (held) something touch a field: no ball
 * around a geom reaches the highest point; the middle of one is on the surface. False: there is
 * nothing over a field. */
static bool bracket(const sal_model *wide, const sal_data *d, double *held, double *free)
{
    bool any = false;
    *held = DBL_MAX, *free = -DBL_MAX;
    for (int i = 0; i < wide->npair; i++) {
        const int field = wide->pair_geom1[i], g = wide->pair_geom2[i];
        if (!is_on_field(wide, i)) {
            continue;
        }
        const double *at = d->geom_xpos + 3 * g;
        const double height = sal_field_height(wide, d, field, at);
        if (isfinite(height)) {
            const double top = d->geom_xpos[3 * field + 2] + wide->geom_rbound[field];
            *held = fmin(*held, -height);
            *free = fmax(*free, top - at[2] + wide->geom_rbound[g]);
            any = true;
        }
    }
    return any;
}

/* Whether a field is touched where the root has risen by `rise`; more contacts than there is room
 * for are some. */
static sal_status touches(const sal_model *wide, sal_data *d, int adr, double at, bool *touched,
                          sal_err *err)
{
    d->qpos[adr] = at;
    sal_kinematics(wide, d);
    const sal_status status = sal_collide(wide, d, err);
    *touched = status == SAL_FULL;
    for (int i = 0; i < d->ncon && status == SAL_OK; i++) {
        *touched = *touched || is_on_field(wide, d->contact[i].pair);
    }
    return status == SAL_FULL ? SAL_OK : status;
}

/* *rise of the root, at which the first field is touched, to `fine` m; by bisection */
static sal_status rise_on_fields(const sal_model *wide, sal_data *d, int adr, double up,
                                 double *rise, sal_err *err)
{
    const double from = d->qpos[adr], fine = 1e-6;
    double held, free;
    sal_status status = SAL_OK;
    *rise = -DBL_MAX;
    if (!bracket(wide, d, &held, &free)) {
        return SAL_OK;
    }
    while (free - held > fine && status == SAL_OK) {
        const double middle = (held + free) / 2;
        bool touched;
        status = touches(wide, d, adr, from + middle / up, &touched, err);
        *(touched ? &held : &free) = middle;
    }
    *rise = free;
    return status;
}

/* ---- both ---- */

/* The rise of the root at which the lowest geom touches the first plane; without planes, none */
static double rise_on_planes(const sal_model *wide, const sal_data *d)
{
    double lowest = DBL_MAX;
    for (int i = 0; i < d->ncon; i++) {
        if (!is_on_field(wide, d->contact[i].pair)) {
            lowest = fmin(lowest, d->contact[i].dist);
        }
    }
    return -lowest;
}

sal_status prb_floor_set(const sal_model *wide, sal_data *d, double *q, sal_err *err)
{
    int adr;
    double up, rise;
    memcpy(d->qpos, q, (size_t)wide->nq * sizeof(double));
    sal_kinematics(wide, d);
    sal_status status = sal_collide(wide, d, err);
    if (status != SAL_OK || lifting_dof(wide, d, &adr, &up) < 0) {
        return status;
    }
    const double on_planes = rise_on_planes(wide, d);
    status = rise_on_fields(wide, d, adr, up, &rise, err);
    rise = fmax(rise, on_planes);
    if (status == SAL_OK && rise > -DBL_MAX) {
        q[adr] += rise / up;
    }
    return status;
}
