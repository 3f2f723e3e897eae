/* simulate.c: a model stepped through time under given controls.
 *
 *     sal_simulate { begin -> for each step { controls -> step -> record the state before it } ->
 *         record the last state }
 *
 * A row holds the state at its time and the controls from there to the next; sensors are of the
 * same instant. The last row has positions, velocities and what follows from them and the controls,
 * but a result keeps forces, qacc and ctrl of it empty, as everywhere.
 */
#include "problems/result/result.h"
#include "runs/controls.h"
#include "runs/runs.h"
#include "runs/turn.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct run {
    const sal_model *m;
    sal_data *d;
    const sal_simulate_options *options;
    run_controls controls;
    sal_simulation *s;
    int nstep; /* asked for */
    sal_text *table;
    sal_result *result;
} run;

/* ---- where it starts and how long it lasts ---- */

static sal_status set_start(run *r, sal_err *err)
{
    const sal_model *m = r->m;
    const char *key = r->options->key;
    if (key == NULL) {
        return SAL_OK;
    }
    const char *end;
    double number;
    int id = sal_model_find(m, SAL_OBJ_KEY, key);
    if (id < 0 && sal_text_number(key, &end, &number) && *end == 0 && number >= 0 &&
        number < m->nkey && number == floor(number)) {
        id = (int)number; /* keyframes need no name */
    }
    if (id < 0) {
        sal_text list = {0};
        for (int i = 0; i < m->nkey; i++) {
            sal_text_format(&list, "%s'%.60s'", i > 0 ? ", " : "",
                            sal_model_name(m, SAL_OBJ_KEY, i));
        }
        sal_fail(err, SAL_BADINPUT, "the model has no keyframe '%.80s'; %s%.300s", key,
                 m->nkey == 0 ? "it has no keyframes" : "its keyframes: ",
                 list.data == NULL ? "" : list.data);
        sal_text_clear(&list);
        return SAL_BADINPUT;
    }
    sal_data_reset_key(m, r->d, id);
    return SAL_OK;
}

static sal_status find_length(run *r, sal_err *err)
{
    const double h = r->m->opt.timestep;
    double time = r->options->time;
    if (!(time > 0)) {
        time =
            r->options->controls == NULL ? 1 : run_controls_length(&r->controls, r->m, r->d->time);
    }
    if (!(time > 0)) {
        return sal_fail(
            err, SAL_BADINPUT,
            "the table of controls ends at its first time; give the time to simulate (--time)");
    }
    const double steps = fmax(1, ceil(time / h - 1e-6));
    if (!(steps < INT_MAX / 4)) {
        return sal_fail(err, SAL_BADINPUT,
                        "%.9g s need %.3g steps of %.9g s, which is too many; simulate a shorter "
                        "time or use a larger timestep",
                        time, steps, h);
    }
    r->nstep = (int)steps;
    return SAL_OK;
}

/* ---- the table ---- */

static void add_names(sal_text *out, const char *name, int n)
{
    for (int i = 0; i < n; i++) {
        sal_text_format(out, ",%s%d", name, i);
    }
}

static void write_head(const run *r)
{
    const sal_model *m = r->m;
    sal_text_add(r->table, "time");
    add_names(r->table, "qpos", m->nq);
    add_names(r->table, "qvel", m->nv);
    add_names(r->table, "act", m->na);
    add_names(r->table, "ctrl", m->nu);
    add_names(r->table, "sensordata", m->nsensordata);
    sal_text_add(r->table, "\n");
}

static void add_numbers(sal_text *out, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        sal_text_add(out, ",");
        sal_text_real(out, x[i], 17);
    }
}

static void write_row(const run *r)
{
    const sal_model *m = r->m;
    const sal_data *d = r->d;
    sal_text_real(r->table, d->time, 17);
    add_numbers(r->table, d->qpos, m->nq);
    add_numbers(r->table, d->qvel, m->nv);
    add_numbers(r->table, d->act, m->na);
    add_numbers(r->table, d->ctrl, m->nu);
    add_numbers(r->table, d->sensordata, m->nsensordata);
    sal_text_add(r->table, "\n");
}

/* ---- the result ---- */

/* What the forward direction found: the applied force is the actuators' */
static sal_status put_row(run *r, int t, sal_err *err)
{
    const sal_model *m = r->m;
    sal_result *result = r->result;
    prb_result_put_state(result, r->d, t);
    prb_result_put_forces(result, r->d, t);
    const size_t bytes = (size_t)m->nv * sizeof(double);
    memcpy(result->qfrc_inverse + t * m->nv, r->d->qfrc_actuator, bytes);
    memcpy(result->qfrc_actuator + t * m->nv, r->d->qfrc_actuator, bytes);
    memset(result->qfrc_unactuated + t * m->nv, 0, bytes);
    memcpy(result->ctrl + t * m->nu, r->d->ctrl, (size_t)m->nu * sizeof(double));
    prb_result_clear_sensors(result, t, true);
    return prb_result_put_contacts(result, r->d, t, true, err);
}

static sal_status finish_result(run *r, sal_status outcome, sal_err *err)
{
    sal_result *result = r->result;
    const int N = result->nstep = r->s->nstep;
    prb_result_put_state(result, r->d, N);
    prb_result_clear_forces(result, N);
    prb_result_clear_sensors(result, N, false);
    result->exit_code = prb_result_exit_code(outcome == SAL_OK            ? SAL_STOP_CONVERGED
                                             : outcome == SAL_INTERRUPTED ? SAL_STOP_INTERRUPTED
                                                                          : SAL_STOP_FAILED);
    snprintf(result->status, sizeof result->status, "%s",
             outcome == SAL_OK            ? "simulated"
             : outcome == SAL_INTERRUPTED ? "interrupted"
                                          : "diverged");
    prb_result_find_extremes(result);
    return prb_result_put_contacts(result, r->d, N, false, err);
}

static sal_status begin_result(run *r, sal_err *err)
{
    sal_model *copy = NULL;
    sal_status status = sal_model_copy(&copy, r->m, err);
    status = status == SAL_OK ? prb_result_new(&r->result, copy, r->nstep, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    const char *name = r->m->names + r->m->name_modeladr;
    r->result->mujoco = r->m->mujoco;
    r->result->boundary = PRB_OPEN;
    r->result->timestep = r->m->opt.timestep;
    memcpy(r->result->qpos_before, r->d->qpos, (size_t)r->m->nq * sizeof(double));
    status = prb_result_text(&r->result->problem_name, name, strlen(name), err);
    status = status == SAL_OK ? prb_result_text(&r->result->problem_xml, "", 0, err) : status;
    return status == SAL_OK ? prb_result_describe_model(r->result, err) : status;
}

/* ---- one step ---- */

static void watch_solver(run *r)
{
    sal_simulation *s = r->s;
    const sal_data *d = r->d;
    s->iterations += d->solver_iterations;
    s->most_iterations =
        d->solver_iterations > s->most_iterations ? d->solver_iterations : s->most_iterations;
    s->gradient = fmax(s->gradient, d->solver_gradient);
    if (!d->solver_converged) {
        s->unconverged_time = s->unconverged == 0 ? d->time : s->unconverged_time;
        s->unconverged++;
    }
    if (r->options->fwdinv) {
        double difference[2];
        sal_compare_forward_inverse(r->m, r->d, difference);
        for (int i = 0; i < 2; i++) {
            if (!(difference[i] <= s->fwdinv[i])) {
                s->fwdinv[i] = difference[i];
                s->fwdinv_time[i] = d->time;
            }
        }
    }
}

/* M = L'DL: the pivots D are positive where M is positive definite. */
static void watch_mass(run *r)
{
    sal_simulation *s = r->s;
    for (int i = 0; i < r->m->nv && s->indefinite_dof < 0; i++) {
        const double inverse = r->d->qLDiagInv[i];
        if (!(inverse > 0 && inverse < 1 / SAL_MINVAL)) {
            s->indefinite_dof = i;
            s->indefinite_time = r->d->time;
        }
    }
}

static void watch_turn(run *r)
{
    int joint;
    const double turn = run_turn(r->m, r->d->qvel, &joint);
    if (turn > r->s->turn) {
        r->s->turn = turn;
        r->s->turn_joint = joint;
        r->s->turn_step = r->s->nstep;
    }
}

static void set_controls(run *r, int k)
{
    if (r->options->controls != NULL) {
        run_controls_at(&r->controls, r->m, r->d->ctrl, k, r->d->time);
    }
}

/* The row of the state the step begins with is taken back if it cannot be left. */
static sal_status step(run *r, int k, sal_err *err)
{
    const size_t length = r->table != NULL ? r->table->length : 0;
    const int ncontact = r->result != NULL ? r->result->ncontact : 0;
    set_controls(r, k);
    sal_status status = sal_forward(r->m, r->d, err);
    watch_mass(r);
    if (status == SAL_OK) {
        watch_solver(r);
        if (r->table != NULL) {
            write_row(r);
        }
        status = r->result != NULL ? put_row(r, k, err) : SAL_OK;
    }
    status = status == SAL_OK ? sal_advance(r->m, r->d, err) : status;
    if (status == SAL_OK) {
        r->s->nstep++;
        watch_turn(r);
        if (r->m->nhistory == 0) { /* delays compare sums of steps, as MuJoCo's do */
            r->d->time = r->s->begin + r->s->nstep * r->m->opt.timestep; /* without drift */
        }
        return SAL_OK;
    }
    if (r->table != NULL && !r->table->failed) {
        r->table->length = length;
        r->table->data[length] = 0;
    }
    if (r->result != NULL) {
        r->result->ncontact = ncontact;
    }
    return status;
}

static bool asked_to_stop(const run *r)
{
    const sal_simulate_options *o = r->options;
    return o->go_on != NULL && !o->go_on(o->user, r->d->time);
}

static sal_status steps(run *r, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int k = 0; k < r->nstep && status == SAL_OK; k++) {
        if (asked_to_stop(r)) {
            status = sal_fail(err, SAL_INTERRUPTED, "interrupted at time %.9g s", r->d->time);
        } else {
            status = step(r, k, err);
        }
    }
    return status;
}

/* The last row, wherever the steps ended */
static sal_status finish(run *r, sal_status outcome, sal_err *err)
{
    sal_err unused;
    set_controls(r, r->s->nstep);
    sal_status status = sal_forward(r->m, r->d, &unused);
    if (status != SAL_OK && status != SAL_DIVERGED) {
        return sal_fail(err, status, "%s", unused.message);
    }
    if (r->table != NULL) {
        write_row(r);
    }
    status = r->result != NULL ? finish_result(r, outcome, err) : SAL_OK;
    if (status == SAL_OK && r->table != NULL && r->table->failed) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for a table of %d rows", r->nstep);
    }
    return status;
}

static sal_status begin(run *r, bool wants_result, sal_diag *diag, sal_err *err)
{
    const sal_simulate_options *o = r->options;
    sal_status status = sal_data_new(&r->d, r->m, err);
    status = status == SAL_OK ? set_start(r, err) : status;
    if (status == SAL_OK && o->controls != NULL) {
        status = run_controls_read(&r->controls, r->m, o->controls, o->linear, diag, err);
    }
    status = status == SAL_OK ? find_length(r, err) : status;
    if (status == SAL_OK) {
        r->s->begin = r->s->end = r->d->time;
        status = wants_result ? begin_result(r, err) : SAL_OK;
    }
    return status;
}

sal_status sal_simulate(sal_simulation *s, const sal_model *m, const sal_simulate_options *options,
                        sal_text *table, sal_result **result, sal_diag *diag, sal_err *err)
{
    static const sal_simulate_options plain = {0};
    sal_diag own = {0};
    sal_err why = {0}, fault = {0};
    run r = {.m = m, .options = options == NULL ? &plain : options, .s = s, .table = table};
    *s = (sal_simulation){.timestep = m->opt.timestep, .turn_joint = -1, .indefinite_dof = -1};
    if (result != NULL) {
        *result = NULL;
    }
    sal_status status = begin(&r, result != NULL, diag == NULL ? &own : diag, &why);
    if (status == SAL_OK) {
        if (table != NULL) {
            write_head(&r);
        }
        status = steps(&r, &why);
        s->end = r.d->time;
        if (status == SAL_OK || status == SAL_DIVERGED || status == SAL_INTERRUPTED) {
            const sal_status last = finish(&r, status, &fault);
            if (last != SAL_OK) {
                status = last;
                why = fault;
            } else if (result != NULL) {
                *result = r.result;
                r.result = NULL;
            }
        }
    }
    if (status != SAL_OK) {
        sal_fail(err, status, "%s", why.message);
    }
    sal_result_free(r.result);
    run_controls_clear(&r.controls);
    sal_data_free(r.d);
    sal_diag_clear(&own);
    return status;
}
