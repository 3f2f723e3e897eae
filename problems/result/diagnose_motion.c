/* diagnose_motion.c: what a motion shows of itself; its contacts: diagnose_contact.c.
 *
 *     free fall   a root that nothing holds is without contact for nine tenths of the time; hovers:
 *                 where that takes forces that nobody gives
 *     turns far   more than .5 rad from one step to the next
 */
#include "base/house.h"
#include "problems/result/diagnose.h"
#include "problems/result/result.h"

#include <math.h>
#include <stdio.h>

static const double TURN = 0.5, ALOFT = 0.9;
static const double WHOLE = 0.99; /* of a mass */
static const double NEAR = 1e-3;  /* of a joint's range: it is at its limit */

/* ---- what holds it ---- */

/* An actuator pushes up: of a free joint along z, of a slide along the joint. */
static bool is_actuated(const sal_model *m, int joint)
{
    const int along = m->jnt_type[joint] == SAL_JNT_FREE ? 2 : 0;
    for (int a = 0; a < m->nu; a++) {
        if (m->actuator_trntype[a] == SAL_TRN_JOINT && m->actuator_trnid[a] == joint &&
            m->actuator_gear[6 * a + along] != 0) {
            return true;
        }
    }
    return false;
}

/* By this joint its body may rise and sink, and nothing in it holds it. */
static bool lifts(const sal_model *m, int j)
{
    const bool up = m->jnt_type[j] == SAL_JNT_FREE ||
                    (m->jnt_type[j] == SAL_JNT_SLIDE && fabs(m->jnt_axis[3 * j + 2]) > 0.99);
    return up && !is_actuated(m, j) && !m->jnt_limited[j] && m->jnt_stiffness[j] == 0;
}

bool prb_may_fall(const sal_model *m)
{
    for (int j = 0; j < m->njnt; j++) {
        if (lifts(m, j) && m->body_parentid[m->jnt_bodyid[j]] == 0) {
            return m->neq == 0 && m->ntendon == 0 && m->opt.density == 0 && m->opt.gravity[2] < 0 &&
                   m->ngravcomp == 0;
        }
    }
    return false;
}

bool prb_tree_is_free(const sal_model *m, int root)
{
    for (int j = 0; j < m->njnt;
         j++) { /* bodies above it, without mass, may have the other slides */
        const int body = m->jnt_bodyid[j];
        if (lifts(m, j) && m->body_rootid[body] == root &&
            m->body_subtreemass[body] >= WHOLE * m->body_subtreemass[root]) {
            return true;
        }
    }
    return false;
}

bool prb_is_free(const sal_model *m)
{
    int root = 0;
    for (int j = 0; j < m->njnt; j++) {
        const int other = m->body_rootid[m->jnt_bodyid[j]];
        if (root == 0 || m->body_subtreemass[other] > m->body_subtreemass[root]) {
            root = other;
        }
    }
    return prb_tree_is_free(m, root);
}

static void judge_flight(prb_diagnosis *d, const sal_result *r)
{
    int aloft = 0;
    for (int t = 0; t < r->nstep; t++) {
        double force = 0;
        for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
            force += r->contact_force[6 * k];
        }
        aloft += !(force > PRB_LOADED * r->weight);
    }
    const double share = (double)aloft / r->nstep;
    if (share < ALOFT || !prb_may_fall(r->model)) {
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
    char name[PRB_COLUMN_NAME];
    for (int t = 1; t <= r->nstep; t++) {
        for (int j = 0; j < r->model->njnt; j++) {
            const double turn = turn_of(r, j, t);
            if (turn > most) {
                most = turn, joint = j, when = t;
            }
        }
    }
    if (joint >= 0) {
        prb_object_word(name, r->model, SAL_OBJ_JOINT, joint);
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
        char name[PRB_COLUMN_NAME];
        const double *range = m->jnt_range + 2 * j, near = NEAR * (range[1] - range[0]);
        if (!m->jnt_limited[j] || m->jnt_type[j] < SAL_JNT_SLIDE) {
            continue;
        }
        for (int t = 0; t < r->nstep; t++) {
            const double q = r->qpos[(size_t)t * (size_t)m->nq + (size_t)m->jnt_qposadr[j]];
            count += q < range[0] + near || q > range[1] - near;
        }
        if (count > 0) {
            prb_object_word(name, m, SAL_OBJ_JOINT, j);
            prb_diagnosis_add(d, PRB_FIND_ACTIVE, name, (double)count / r->nstep, (double)NAN,
                              "joint '%s' is at its limit in %d of %d time steps", name, count,
                              r->nstep);
        }
    }
}

void prb_diagnose_motion(prb_diagnosis *d, const sal_result *result)
{
    judge_flight(d, result);
    judge_turns(d, result);
    judge_limits(d, result);
}
