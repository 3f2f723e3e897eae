/* replay.c: does the motion come out of the forward engine?
 *
 *     one step   (q_t, v_t) and what drove it, stepped once, against (q_{t+1}, v_{t+1}), for every
 *                t on its own
 *     rollout    stepped from (q_0, v_0) all the way, against every (q_t, v_t)
 *
 * Differences are taken in the tangent space. The last step of a cycle is held against the image of
 * (q_0, v_0), so its wrap counts.
 */
#include "problems/result/result.h"
#include "runs/again.h"
#include "runs/runs.h"

#include <math.h>
#include <string.h>

enum { THOROUGH = 300 };

typedef struct player {
    const sal_result *r;
    const sal_model *m, *softer; /* softer NULL: no step is soft */
    sal_data *d;
    bool forces;
    double *qpos, *qvel, *act; /* [nq], [nv], [na] image of row 0, or the last row */
    double *error;             /* [nv] scratch */
} player;

static const sal_model *model_at(const player *p, int t)
{
    return p->softer != NULL && p->r->soft[t] ? p->softer : p->m;
}

static void set_drive(player *p, int t)
{
    const sal_model *m = p->m;
    if (p->forces) {
        memcpy(p->d->qfrc_applied, p->r->qfrc_inverse + t * m->nv, (size_t)m->nv * sizeof(double));
    } else {
        memcpy(p->d->ctrl, p->r->ctrl + t * m->nu, (size_t)m->nu * sizeof(double));
    }
}

static void set_state(player *p, int t)
{
    const sal_model *m = p->m;
    memcpy(p->d->qpos, p->r->qpos + t * m->nq, (size_t)m->nq * sizeof(double));
    memcpy(p->d->qvel, p->r->qvel + t * m->nv, (size_t)m->nv * sizeof(double));
    memcpy(p->d->act, p->r->act + t * m->na, (size_t)m->na * sizeof(double));
    p->d->time = p->r->time[t];
}

typedef struct worst {
    double value;
    int dof;
} worst;

/* NaN counts as the worst of all. */
static worst largest(const double *x, int n)
{
    worst w = {0, -1};
    for (int i = 0; i < n && !isnan(w.value); i++) {
        if (!(fabs(x[i]) <= w.value) || w.dof < 0) {
            w = (worst){fabs(x[i]), i};
        }
    }
    return w;
}

/* How far the engine's state is from the motion's after step t: from row t + 1. */
static void compare(player *p, int t, worst *qpos, worst *qvel)
{
    const sal_model *m = p->m;
    const bool last = t + 1 == p->r->nstep;
    const double *q = last ? p->qpos : p->r->qpos + (t + 1) * m->nq;
    const double *v = last ? p->qvel : p->r->qvel + (t + 1) * m->nv;
    sal_differentiate_pos(m, p->error, 1, q, p->d->qpos);
    *qpos = largest(p->error, m->nv);
    for (int i = 0; i < m->nv; i++) {
        p->error[i] = p->d->qvel[i] - v[i];
    }
    *qvel = largest(p->error, m->nv);
}

/* The same of activations. */
static double compare_act(const player *p, int t)
{
    const sal_model *m = p->m;
    const double *act = t + 1 == p->r->nstep ? p->act : p->r->act + (t + 1) * m->na;
    double most = 0;
    for (int i = 0; i < m->na && !isnan(most); i++) {
        const double e = fabs(p->d->act[i] - act[i]);
        most = e <= most ? most : e;
    }
    return most;
}

/* Where the last step should arrive: at the image of row 0, or at the last row of an open
 * motion. */
static void find_end(player *p)
{
    const sal_result *r = p->r;
    const sal_model *m = p->m;
    const double *q = r->qpos + r->nstep * m->nq, *v = r->qvel + r->nstep * m->nv;
    memcpy(p->qpos, q, (size_t)m->nq * sizeof(double));
    memcpy(p->qvel, v, (size_t)m->nv * sizeof(double));
    memcpy(p->act, r->act + r->nstep * m->na, (size_t)m->na * sizeof(double));
    if (r->image == NULL) {
        return;
    }
    for (int a = 0; a < m->nu; a++) {
        const int adr = m->actuator_actadr[a];
        if (adr >= 0) {
            p->act[adr] = r->image->actuator_sign[a] *
                          r->act[m->actuator_actadr[r->image->actuator_index[a]]];
        }
    }
    sal_image_apply(r->image, m, p->qpos, r->qpos, prb_result_length(r));
    sal_image_velocity(r->image, m, p->qvel, r->qvel);
}

static sal_status replay_steps(player *p, sal_replay *replay, sal_err *err)
{
    for (int t = 0; t < p->r->nstep; t++) {
        worst qpos, qvel;
        sal_data_reset(p->m, p->d); /* nothing of the step before may help */
        set_state(p, t);
        set_drive(p, t);
        const sal_status status = sal_step(model_at(p, t), p->d, err);
        if (status != SAL_OK) {
            return status;
        }
        compare(p, t, &qpos, &qvel);
        const double act = p->forces ? 0 : compare_act(p, t);
        replay->onestep_act = act <= replay->onestep_act ? replay->onestep_act : act;
        const bool first = t == 0, new_qpos = first || !(qpos.value <= replay->onestep_qpos),
                   new_qvel = first || !(qvel.value <= replay->onestep_qvel);
        const double before = fmax(replay->onestep_qpos, replay->onestep_qvel);
        replay->onestep_qpos = new_qpos ? qpos.value : replay->onestep_qpos;
        replay->onestep_qvel = new_qvel ? qvel.value : replay->onestep_qvel;
        const worst now = qpos.value > qvel.value ? qpos : qvel;
        if (first || !(now.value <= before)) {
            replay->onestep_step = t;
            replay->onestep_dof = now.dof;
        }
    }
    return SAL_OK;
}

/* A rollout that leaves the finite numbers has no error to tell from there on: NaN. */
static sal_status roll_out(player *p, sal_replay *replay, sal_err *err)
{
    bool diverged = false;
    sal_data_reset(p->m, p->d);
    set_state(p, 0);
    for (int t = 0; t < p->r->nstep; t++) {
        worst qpos = {(double)NAN, -1}, qvel = {(double)NAN, -1};
        if (!diverged) {
            set_drive(p, t);
            const sal_status status = sal_step(model_at(p, t), p->d, err);
            if (status != SAL_OK && status != SAL_DIVERGED) {
                return status;
            }
            diverged = status == SAL_DIVERGED;
        }
        if (!diverged) {
            compare(p, t, &qpos, &qvel);
        }
        replay->rollout_qpos[t] = qpos.value;
        replay->rollout_qvel[t] = qvel.value;
    }
    return SAL_OK;
}

/* Steps are solved as the result's model file says (mjcf/write.c): one that ends early is no error
 * of the motion. */
static sal_status make_model(sal_model **copy, const sal_model *m, bool forces, sal_err *err)
{
    const sal_status status = run_driven_model(copy, m, forces, err);
    if (status == SAL_OK) {
        run_step_thoroughly(*copy, THOROUGH);
    }
    return status;
}

sal_status sal_result_replay(sal_replay *replay, const sal_result *result, bool forces,
                             sal_err *err)
{
    sal_model *m = NULL, *softer = NULL;
    player p = {.r = result, .forces = forces};
    *replay = (sal_replay){.nstep = result->nstep};
    sal_status status = make_model(&m, result->model, forces, err);
    if (status == SAL_OK && result->softer != NULL) {
        status = make_model(&softer, result->softer, forces, err);
    }
    if (status != SAL_OK) {
        sal_model_free(m);
        return status;
    }
    p.m = m;
    p.softer = softer;
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, nstep = (size_t)result->nstep;
    status = sal_data_new(&p.d, m, err);
    double *scratch = sal_alloc(nq + 2 * nv + (size_t)m->na, sizeof(double));
    replay->rollout_qpos = sal_alloc(nstep, sizeof(double));
    replay->rollout_qvel = sal_alloc(nstep, sizeof(double));
    if (status == SAL_OK &&
        (scratch == NULL || replay->rollout_qpos == NULL || replay->rollout_qvel == NULL)) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for a replay of %zu steps", nstep);
    }
    if (status == SAL_OK && scratch != NULL) {
        p.qpos = scratch, p.qvel = scratch + nq, p.error = scratch + nq + nv;
        p.act = scratch + nq + 2 * nv;
        find_end(&p);
        status = replay_steps(&p, replay, err);
    }
    status = status == SAL_OK ? roll_out(&p, replay, err) : status;
    if (status != SAL_OK) {
        sal_replay_clear(replay);
    }
    sal_free(scratch);
    sal_data_free(p.d);
    sal_model_free(m);
    sal_model_free(softer);
    return status;
}

void sal_replay_clear(sal_replay *replay)
{
    sal_free(replay->rollout_qpos);
    sal_free(replay->rollout_qvel);
    *replay = (sal_replay){0};
}
