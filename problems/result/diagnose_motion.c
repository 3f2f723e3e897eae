/* diagnose_motion.c: what a motion shows of itself.
 *
 *     size        of the mechanism: extent of its bodies at the start and the radii of its largest
 *                 geom, m
 *     deep        a contact under load is deeper than .6 % of the size
 *     drags       a geom slips under load, on average (weighted by load), faster than .05 m/s and a
 *                 tenth of the travel's speed
 *     slides      the same faster than half of the travel's speed, and the geom carries half of all
 *                 load
 *     free fall   a root that nothing holds is without contact for nine tenths of the time; hovers:
 *                 where that takes forces that nobody gives
 *     turns far   more than .5 rad from one step to the next
 */
#include "base/house.h"
#include "problems/result/diagnose.h"
#include "problems/result/result.h"

#include <math.h>
#include <stdio.h>

static const double DEEP = 0.006, SLIP = 0.05, DRAG = 0.1, SLIDE = 0.5, TURN = 0.5, ALOFT = 0.9;
static const double LOADED = 1e-3; /* of the weight */
static const double NEAR = 1e-3;   /* of a joint's range: it is at its limit */

static void name_of(char name[64], const sal_model *m, sal_object type, int id)
{
    const char *given = sal_model_name(m, type, id);
    if (given[0] != 0) {
        snprintf(name, 64, "%.63s", given);
    } else {
        snprintf(name, 64, "%s_%d", type == SAL_OBJ_GEOM ? "geom" : "joint", id);
    }
}

/* ---- contacts ---- */

static double size_of(const sal_result *r)
{
    const sal_model *m = r->model;
    double size = 0, radius = 0;
    for (int axis = 0; axis < 3; axis++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int b = 1; b < m->nbody; b++) {
            if (m->body_weldid[b] != 0) {
                lo = fmin(lo, r->xpos[3 * b + axis]);
                hi = fmax(hi, r->xpos[3 * b + axis]);
            }
        }
        size = fmax(size, hi - lo);
    }
    for (int g = 0; g < m->ngeom; g++) {
        radius = m->body_weldid[m->geom_bodyid[g]] == 0 ? radius : fmax(radius, m->geom_rbound[g]);
    }
    return size + 2 * radius;
}

typedef struct prb_load { /* of a geom, over the motion */
    double force, slip;   /* sums; of force times slip */
    double depth, time;   /* the deepest */
} prb_load;

static void add_loads(prb_load *load, const sal_result *r)
{
    for (int t = 0; t < r->nstep; t++) {
        for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
            const double force = r->contact_force[6 * k];
            for (int side = 0; side < 2 && force > LOADED * r->weight; side++) {
                prb_load *l = load + r->contact_geom[2 * k + side];
                l->force += force;
                l->slip += force * r->contact_slip[k];
                if (-r->contact_dist[k] > l->depth) {
                    l->depth = -r->contact_dist[k];
                    l->time = r->time[t];
                }
            }
        }
    }
}

static void judge_loads(prb_diagnosis *d, const sal_result *r, const prb_load *load)
{
    const sal_model *m = r->model;
    const double speed = hypot(r->travel[0], r->travel[1]) / (r->nstep * r->timestep);
    const double deep = DEEP * size_of(r);
    double all = 0;
    for (int g = 0; g < m->ngeom; g++) {
        all += m->body_weldid[m->geom_bodyid[g]] == 0 ? 0 : load[g].force;
    }
    for (int g = 0; g < m->ngeom; g++) {
        char name[64];
        if (m->body_weldid[m->geom_bodyid[g]] == 0 || load[g].force == 0) {
            continue;
        }
        const double slip = load[g].slip / load[g].force;
        name_of(name, m, SAL_OBJ_GEOM, g);
        if (speed > 0 && slip > SLIDE * speed && slip > SLIP && load[g].force > 0.5 * all) {
            prb_diagnosis_add(d, PRB_FIND_SLIDES, name, slip, (double)NAN,
                              "'%s' carries %.0f %% of the load and slides at %.2g m/s on average",
                              name, 100 * load[g].force / all, slip);
        } else if (slip > fmax(SLIP, DRAG * speed) && load[g].force > 0.05 * all) {
            prb_diagnosis_add(d, PRB_FIND_DRAGS, name, slip, (double)NAN,
                              "'%s' slides under load at %.2g m/s on average", name, slip);
        }
        if (load[g].depth > deep) {
            prb_diagnosis_add(d, PRB_FIND_DEEP, name, load[g].depth, load[g].time,
                              "'%s' penetrates another geom by %.2g m at %.4g s", name,
                              load[g].depth, load[g].time);
        }
    }
}

/* ---- what holds it ---- */

static bool is_actuated(const sal_model *m, int joint)
{
    for (int a = 0; a < m->nu; a++) {
        if (m->actuator_trntype[a] == SAL_TRN_JOINT && m->actuator_trnid[a] == joint) {
            return true;
        }
    }
    return false;
}

/* A root that only contacts can hold against gravity. */
static bool may_fall(const sal_model *m)
{
    for (int j = 0; j < m->njnt; j++) {
        const bool lifts = m->jnt_type[j] == SAL_JNT_FREE ||
                           (m->jnt_type[j] == SAL_JNT_SLIDE && fabs(m->jnt_axis[3 * j + 2]) > 0.99);
        if (lifts && m->body_parentid[m->jnt_bodyid[j]] == 0 && !is_actuated(m, j) &&
            !m->jnt_limited[j] && m->jnt_stiffness[j] == 0) {
            return m->neq == 0 && m->ntendon == 0 && m->opt.density == 0 && m->opt.gravity[2] < 0 &&
                   m->ngravcomp == 0;
        }
    }
    return false;
}

static void judge_flight(prb_diagnosis *d, const sal_result *r)
{
    int aloft = 0;
    for (int t = 0; t < r->nstep; t++) {
        double force = 0;
        for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
            force += r->contact_force[6 * k];
        }
        aloft += !(force > LOADED * r->weight);
    }
    const double share = (double)aloft / r->nstep;
    if (share < ALOFT || !may_fall(r->model)) {
        return;
    }
    if (r->relative_to_weight > fmax(0.01, r->physical_tolerance)) {
        prb_diagnosis_add(
            d, PRB_FIND_HOVERS, "", share, (double)NAN,
            "the mechanism touches nothing for %.0f %% of the time, but does not fall",
            100 * share);
    } else {
        prb_diagnosis_add(d, PRB_FIND_FALLS, "", share, (double)NAN,
                          "the mechanism touches nothing for %.0f %% of the time", 100 * share);
    }
}

/* ---- joints ---- */

/* How far joint j turns in the step that leads to row t, rad. */
static double turn_of(const sal_result *r, int j, int t)
{
    const sal_model *m = r->model;
    const double *v = r->qvel + (size_t)t * (size_t)m->nv + m->jnt_dofadr[j];
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_HINGE:
        return fabs(v[0]) * r->timestep;
    case SAL_JNT_BALL:
        return sal_v3_norm(v) * r->timestep;
    case SAL_JNT_FREE:
        return sal_v3_norm(v + 3) * r->timestep;
    case SAL_JNT_SLIDE:
        break;
    }
    return 0;
}

static void judge_turns(prb_diagnosis *d, const sal_result *r)
{
    int joint = -1, when = 0;
    double most = TURN;
    char name[64];
    for (int t = 1; t <= r->nstep; t++) {
        for (int j = 0; j < r->model->njnt; j++) {
            const double turn = turn_of(r, j, t);
            if (turn > most) {
                most = turn, joint = j, when = t;
            }
        }
    }
    if (joint >= 0) {
        name_of(name, r->model, SAL_OBJ_JOINT, joint);
        prb_diagnosis_add(
            d, PRB_FIND_TURNS, name, most, r->time[when],
            "joint '%s' turns by %.2g rad in time step %d of %d, which ends at %.4g s", name, most,
            when, r->nstep, r->time[when]);
    }
}

/* Joints at their limits. */
static void judge_limits(prb_diagnosis *d, const sal_result *r)
{
    const sal_model *m = r->model;
    for (int j = 0; j < m->njnt; j++) {
        int count = 0;
        char name[64];
        const double *range = m->jnt_range + 2 * j, near = NEAR * (range[1] - range[0]);
        if (!m->jnt_limited[j] || m->jnt_type[j] < SAL_JNT_SLIDE) {
            continue;
        }
        for (int t = 0; t < r->nstep; t++) {
            const double q = r->qpos[(size_t)t * (size_t)m->nq + (size_t)m->jnt_qposadr[j]];
            count += q < range[0] + near || q > range[1] - near;
        }
        if (count > 0) {
            name_of(name, m, SAL_OBJ_JOINT, j);
            prb_diagnosis_add(d, PRB_FIND_ACTIVE, name, (double)count / r->nstep, (double)NAN,
                              "joint '%s' is at its limit in %d of %d time steps", name, count,
                              r->nstep);
        }
    }
}

void prb_diagnose_motion(prb_diagnosis *d, const sal_result *result)
{
    prb_load *load = sal_alloc((size_t)result->model->ngeom + 1, sizeof *load);
    d->failed = d->failed || load == NULL;
    judge_flight(d, result);
    if (load != NULL && result->contact_offset != NULL) {
        add_loads(load, result);
        judge_loads(d, result, load);
    }
    judge_turns(d, result);
    judge_limits(d, result);
    sal_free(load);
}
