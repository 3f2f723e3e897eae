/* rollout.c: the motion of a result in another model of the same mechanism.
 *
 *     sal_result_roll { match both -> unfold the motion -> for each step of the model
 *         { controls of the motion -> step -> how far from the motion } }
 *
 * The motion is the one that the controls of a result drive if each holds for one step of the
 * result, because that is what its inverse dynamics say: f_t is applied from t to t+1. So controls
 * are held here as well, whatever the model's own step is. Between two rows the motion's state is
 * interpolated in the tangent space.
 */
#include "problems/result/result.h"
#include "runs/again.h"
#include "runs/feedback.h"
#include "runs/match.h"
#include "runs/touch.h"
#include "runs/unfolded.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A contact counts if it bears this part of the weight, and does not if it bears less than the
 * second. */
static const double BEARS = 0.01, BEARS_NOTHING = 0.001;

static const double PUSH = 0.1; /* s */

typedef struct roller {
    const sal_result *r;
    const sal_rollout_options *options;
    sal_rollout *out;
    run_match match;
    run_unfolded motion;
    /* of the result and of the user; without actuators where forces drive them */
    sal_model *model, *own;
    sal_data *reference, *d;
    /* the motion's state, and d's in its order */
    double *qpos, *qvel, *act, *own_qpos, *error; /* [nq], [nv], [na], [nq], [nv] */
    double *own_qvel, *own_act, *ctrl;            /* [nv], [na], [nu] */
    run_feedback feedback;
    int fed;    /* the row whose controls ctrl are; -1: none yet */
    int pushed; /* body; -1: none */
    /* contacts of the motion within step `row`, and of d */
    int row;
    run_touches touches, own_touches;
    unsigned char *grounded; /* [nbody] touches the ground somewhere in the motion */
    double weight;
} roller;

/* ---- contacts of the motion ---- */

static void drive(const sal_model *m, sal_data *d, bool forces, const double *ctrl,
                  const double *force)
{
    memcpy(forces ? d->qfrc_applied : d->ctrl, forces ? force : ctrl,
           (size_t)(forces ? m->nv : m->nu) * sizeof(double));
}

/* The contacts of row t: one forward dynamics, of which the next row would come. */
static sal_status find_touches(roller *p, int t, sal_err *err)
{
    const sal_model *m = p->model;
    const run_unfolded *u = &p->motion;
    sal_data *d = p->reference;
    if (p->row == t) {
        return SAL_OK;
    }
    sal_data_reset(m, d);
    memcpy(d->qpos, u->qpos + t * m->nq, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, u->qvel + t * m->nv, (size_t)m->nv * sizeof(double));
    memcpy(d->act, u->act + t * m->na, (size_t)m->na * sizeof(double));
    drive(m, d, p->options->forces, u->ctrl + t * m->nu, u->force + t * m->nv);
    sal_status status = sal_forward(m, d, err);
    if (status == SAL_OK) {
        status = run_touches_find(&p->touches, m, d, NULL, 0, err);
        p->row = t;
    }
    return status;
}

/* A mirrored cycle has all its contacts after two periods. */
static sal_status find_ground(roller *p, sal_err *err)
{
    sal_status status = SAL_OK;
    const int N = 2 * p->r->nstep, n = p->motion.nstep < N ? p->motion.nstep : N;
    for (int t = 0; t < n && status == SAL_OK; t++) {
        status = find_touches(p, t, err);
        for (int i = 0; i < p->touches.n && status == SAL_OK; i++) {
            if (p->touches.touch[i].body[0] == 0) {
                p->grounded[p->touches.touch[i].body[1]] = 1;
            }
        }
    }
    return status;
}

/* ---- contacts of both ---- */

/* Bodies of the list are the result's; the user's other bodies are numbered behind them. */
static void body_name(const roller *p, int body, char name[SAL_LABEL_MAX])
{
    const int n = p->model->nbody;
    sal_model_label(body < n ? p->model : p->own, SAL_OBJ_BODY, body < n ? body : body - n, name);
    if (body == 0) {
        snprintf(name, SAL_LABEL_MAX, "the ground");
    }
}

static void note_contact(roller *p, double time, const int body[2])
{
    sal_rollout *out = p->out;
    const double forces[2] = {run_touches_force(&p->touches, body),
                              run_touches_force(&p->own_touches, body)};
    const bool differs = fmax(forces[0], forces[1]) > BEARS * p->weight &&
                         fmin(forces[0], forces[1]) <= BEARS_NOTHING * p->weight;
    if (differs && isnan(out->contact_time)) {
        out->contact_time = time;
        for (int k = 0; k < 2; k++) {
            body_name(p, body[1 - k], out->contact_body[k]);
            out->contact_force[k] = forces[k];
        }
    }
}

static void note_fall(roller *p, double time, const run_touch *touch)
{
    const int body = touch->body[1];
    const bool known = body < p->model->nbody && p->grounded[body];
    if (touch->body[0] == 0 && !known && touch->force > BEARS * p->weight &&
        isnan(p->out->fall_time)) {
        p->out->fall_time = time;
        body_name(p, body, p->out->fall_body);
    }
}

/* (sal_forward of the user's model done) */
static sal_status compare_contacts(roller *p, double time, sal_err *err)
{
    sal_status status = find_touches(p, run_unfolded_step(&p->motion, time), err);
    status = status == SAL_OK ? run_touches_find(&p->own_touches, p->own, p->d, p->match.source,
                                                 p->model->nbody, err)
                              : status;
    for (int i = 0; i < p->touches.n && status == SAL_OK; i++) {
        note_contact(p, time, p->touches.touch[i].body);
    }
    for (int i = 0; i < p->own_touches.n && status == SAL_OK; i++) {
        note_contact(p, time, p->own_touches.touch[i].body);
        note_fall(p, time, p->own_touches.touch + i);
    }
    return status;
}

/* ---- how far it is from the motion ---- */

static void enlarge(sal_deviation *largest, double value, int id)
{
    if (largest->id < 0 || !(value <= largest->value)) {
        *largest = (sal_deviation){value, id};
    }
}

/* The joint of the largest deviation; a free joint by its place and by its rotation */
static sal_deviation farthest_joint(const sal_model *m, const double *error)
{
    sal_deviation largest = {0, -1};
    for (int j = 0; j < m->njnt; j++) {
        const double *e = error + m->jnt_dofadr[j];
        const int n = sal_joint_ndof(m->jnt_type[j]);
        enlarge(&largest, n == 1 ? fabs(e[0]) : sal_v3_norm(e), j);
        if (m->jnt_type[j] == SAL_JNT_FREE) {
            enlarge(&largest, sal_v3_norm(e + 3), j);
        }
    }
    return largest;
}

static sal_deviation farthest_body(const roller *p)
{
    sal_deviation largest = {0, -1};
    for (int i = 1; i < p->model->nbody; i++) {
        const int own = p->match.body[i];
        if (own >= 0) {
            double apart[3];
            sal_v3_sub(apart, p->d->xpos + 3 * own, p->reference->xpos + 3 * i);
            enlarge(&largest, sal_v3_norm(apart), i);
        }
    }
    return largest;
}

static void compare_states(roller *p, int k, double time)
{
    const sal_model *m = p->model;
    sal_rollout *out = p->out;
    run_unfolded_at(&p->motion, time, p->qpos, p->qvel, p->act);
    run_match_qpos(&p->match, p->own_qpos, p->d->qpos, true);
    sal_differentiate_pos(m, p->error, 1, p->qpos, p->own_qpos);
    memcpy(p->reference->qpos, p->qpos, (size_t)m->nq * sizeof(double));
    sal_kinematics(m, p->reference);
    sal_kinematics(p->own, p->d);
    out->time[k] = time;
    memcpy(out->qpos + (size_t)k * (size_t)m->nq, p->own_qpos, (size_t)m->nq * sizeof(double));
    out->joint[k] = farthest_joint(m, p->error);
    out->body[k] = farthest_body(p);
    if (out->joint_departs < 0 && !(out->joint[k].value <= p->options->tolerance)) {
        out->joint_departs = k;
    }
    if (out->body_departs < 0 && !(out->body[k].value <= p->options->tolerance)) {
        out->body_departs = k;
    }
}

/* ---- the steps ---- */

static void set_start(roller *p)
{
    sal_data_reset(p->own, p->d);
    run_match_qpos(&p->match, p->d->qpos, p->motion.qpos, false);
    run_match_dofs(&p->match, p->d->qvel, p->motion.qvel, false);
    run_match_act(&p->match, p->d->act, p->motion.act, false);
}

/* The controls of the motion, or what the feedback makes of them. Its gains are those of the
 * result's step, so it measures once in each row and its controls hold, as those of the motion. */
static const double *find_ctrl(roller *p, double time, int t)
{
    if (p->options->gains == NULL) {
        return p->motion.ctrl + t * p->model->nu;
    }
    if (p->fed == t) {
        return p->ctrl;
    }
    p->fed = t;
    run_match_qpos(&p->match, p->own_qpos, p->d->qpos, true);
    run_match_dofs(&p->match, p->own_qvel, p->d->qvel, true);
    run_match_act(&p->match, p->own_act, p->d->act, true);
    p->out->clipped += run_feedback_at(&p->feedback, &p->motion, time, p->own_qpos, p->own_qvel,
                                       p->own_act, p->ctrl);
    return p->ctrl;
}

static void set_drive(roller *p, double time)
{
    const sal_rollout_options *o = p->options;
    const run_unfolded *u = &p->motion;
    const int t = run_unfolded_step(u, time);
    run_match_ctrl(&p->match, p->d->ctrl, find_ctrl(p, time, t), false);
    if (o->forces) {
        run_match_dofs(&p->match, p->d->qfrc_applied, u->force + t * u->m->nv, false);
    }
    if (p->pushed >= 0) {
        const bool now = time > o->push_time - 1e-9 && time < o->push_time + PUSH - 1e-9;
        for (int i = 0; i < 2; i++) {
            p->d->xfrc_applied[6 * p->pushed + i] = now ? o->push[i] : 0;
        }
    }
}

/* Step k, from k h on */
static sal_status step(roller *p, int k, sal_err *err)
{
    const double h = p->own->opt.timestep;
    set_drive(p, k * h);
    sal_status status = sal_forward(p->own, p->d, err);
    status = status == SAL_OK ? compare_contacts(p, k * h, err) : status;
    status = status == SAL_OK ? sal_advance(p->own, p->d, err) : status;
    if (status == SAL_OK) {
        p->d->time = (k + 1) * h; /* without drift */
        compare_states(p, k, p->d->time);
    }
    return status;
}

static sal_status roll(roller *p, sal_err *err)
{
    sal_rollout *out = p->out;
    const double h = p->own->opt.timestep, end = p->motion.nstep * p->motion.h;
    const double time = p->options->time > 0 ? fmin(p->options->time, end) : end;
    const double steps = fmax(1, floor(time / h + 1e-6));
    if (!(steps < INT_MAX / 4)) {
        return sal_fail(err, SAL_BADINPUT,
                        "%.9g s need %.3g steps of %.9g s, which is too many; replay a shorter "
                        "time or use a larger timestep",
                        time, steps, h);
    }
    out->timestep = h;
    out->time = sal_alloc((size_t)steps, sizeof *out->time);
    out->joint = sal_alloc((size_t)steps, sizeof *out->joint);
    out->body = sal_alloc((size_t)steps, sizeof *out->body);
    out->qpos = sal_alloc((size_t)steps * (size_t)p->model->nq, sizeof *out->qpos);
    if (out->qpos == NULL || out->time == NULL || out->joint == NULL || out->body == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a replay of %.0f steps", steps);
    }
    set_start(p);
    sal_status status = SAL_OK;
    for (int k = 0; k < (int)steps && status == SAL_OK; k++) {
        status = step(p, k, err);
        out->nstep += status == SAL_OK;
    }
    out->diverged = status == SAL_DIVERGED;
    return out->diverged ? SAL_OK : status;
}

/* ---- begin and end ---- */

static int heaviest_body(const sal_model *m)
{
    int body = -1;
    for (int i = 1; i < m->nbody; i++) {
        if (m->body_weldid[i] != 0 && (body < 0 || m->body_mass[i] > m->body_mass[body])) {
            body = i;
        }
    }
    return body;
}

static sal_status begin(roller *p, const sal_model *own, sal_err *err)
{
    const sal_result *r = p->r;
    const size_t nq = (size_t)r->model->nq, nv = (size_t)r->model->nv, na = (size_t)r->model->na;
    const bool forces = p->options->forces;
    sal_status status = run_driven_model(&p->model, r->model, forces, err);
    status = status == SAL_OK ? run_driven_model(&p->own, own == NULL ? r->model : own, forces, err)
                              : status;
    status = status == SAL_OK ? run_match_new(&p->match, p->model, p->own, err) : status;
    status = status == SAL_OK ? run_unfolded_new(&p->motion, r, p->options->time, err) : status;
    status = status == SAL_OK ? sal_data_new(&p->reference, p->model, err) : status;
    status = status == SAL_OK ? sal_data_new(&p->d, p->own, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    p->grounded = sal_alloc((size_t)p->model->nbody, 1);
    p->qpos = sal_alloc(2 * nq + 3 * nv + 2 * na + (size_t)r->model->nu, sizeof(double));
    if (p->grounded == NULL || p->qpos == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    p->own_qpos = p->qpos + nq;
    p->qvel = p->own_qpos + nq;
    p->error = p->qvel + nv;
    p->own_qvel = p->error + nv;
    p->act = p->own_qvel + nv;
    p->own_act = p->act + na;
    p->ctrl = p->own_act + na;
    p->pushed = p->options->push[0] != 0 || p->options->push[1] != 0 ? heaviest_body(p->own) : -1;
    if (p->options->gains != NULL) {
        status = run_feedback_new(&p->feedback, r, p->options, err);
    }
    return status == SAL_OK ? find_ground(p, err) : status;
}

static void end(roller *p)
{
    run_match_clear(&p->match);
    run_unfolded_clear(&p->motion);
    run_feedback_clear(&p->feedback);
    run_touches_clear(&p->touches);
    run_touches_clear(&p->own_touches);
    sal_data_free(p->reference);
    sal_data_free(p->d);
    sal_model_free(p->model);
    sal_model_free(p->own);
    sal_free(p->grounded);
    sal_free(p->qpos);
}

sal_status sal_result_roll(sal_rollout *rollout, const sal_result *result, const sal_model *model,
                           const sal_rollout_options *options, sal_err *err)
{
    roller p = {.r = result,
                .options = options,
                .out = rollout,
                .row = -1,
                .fed = -1,
                .weight = result->weight};
    *rollout = (sal_rollout){.joint_departs = -1,
                             .body_departs = -1,
                             .contact_time = (double)NAN,
                             .fall_time = (double)NAN};
    sal_status status = begin(&p, model, err);
    status = status == SAL_OK ? roll(&p, err) : status;
    if (status != SAL_OK) {
        sal_rollout_clear(rollout);
    }
    end(&p);
    return status;
}

void sal_rollout_clear(sal_rollout *rollout)
{
    sal_free(rollout->time);
    sal_free(rollout->joint);
    sal_free(rollout->body);
    sal_free(rollout->qpos);
    *rollout = (sal_rollout){0};
}
