/* again.c: a problem that is solved again from the motion of a result. */
#include "runs/again.h"

#include <stdio.h>
#include <string.h>

static void set_place(sal_problem *p)
{
    if (p->image != NULL && p->image->turning >= 0) {
        memcpy(p->image->place, p->init_qpos + p->model->jnt_qposadr[p->image->turning],
               sizeof p->image->place);
    }
}

sal_status run_begin_with(sal_problem *p, prb_states *states, const sal_result *from, sal_err *err)
{
    prb_states *kept = sal_alloc(1, sizeof *kept);
    if (kept == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a motion");
    }
    *kept = *states;
    *states = (prb_states){0};
    prb_problem_begin(p, kept, prb_result_length(from), from->image == NULL ? 0 : from->image->turn,
                      &from->floor);
    prb_begin_markers(p, from);
    memcpy(p->init_qpos, kept->qpos + p->model->nq, (size_t)p->model->nq * sizeof(double));
    set_place(p);
    return SAL_OK;
}

sal_status run_states_of(prb_states *states, const sal_problem *p, const sal_result *r,
                         sal_err *err)
{
    const sal_status status = prb_states_of_result(states, p->model, r, 1, true, err);
    for (int i = 0; i < states->nrow && status == SAL_OK; i++) {
        states->time[i] /= r->nstep * r->timestep;
    }
    return status;
}

sal_status run_begin_from(sal_problem *p, const sal_result *from, sal_err *err)
{
    prb_states states = {0};
    sal_status status = run_states_of(&states, p, from, err);
    status = status == SAL_OK ? run_begin_with(p, &states, from, err) : status;
    prb_states_clear(&states);
    return status;
}

sal_watch run_watch_within(const sal_watch *watch)
{
    sal_watch within = watch == NULL ? (sal_watch){0} : *watch;
    within.checkpoint = NULL;
    within.resume = false;
    return within;
}

sal_status run_driven_model(sal_model **copy, const sal_model *m, bool forces, sal_err *err)
{
    const sal_status prompt = forces ? SAL_OK : sal_model_prompt(m, "a replay", err);
    const sal_status status = prompt == SAL_OK ? sal_model_copy(copy, m, err) : prompt;
    if (status == SAL_OK && forces) {
        (*copy)->opt.disable |= SAL_DSBL_ACTUATION;
    }
    return status;
}

void run_step_thoroughly(sal_model *m, int least)
{
    m->opt.solver = SAL_SOLVER_NEWTON;
    m->opt.tolerance = 0;
    m->opt.iterations = m->opt.iterations < least ? least : m->opt.iterations;
}

bool run_is_physical(const sal_result *r)
{
    return r->optim.violation <= 1;
}

sal_status run_continue(sal_result *r, const sal_result *from, sal_err *err)
{
    for (int i = 0; i < r->niteration; i++) {
        r->iteration[i].start = from->start;
    }
    r->seed = from->seed;
    r->start = from->start;
    return prb_result_continue(r, from, err);
}

sal_status run_replace(sal_result **best, sal_result *r, sal_err *err)
{
    const sal_status status = run_continue(r, *best, err);
    sal_result_free(status == SAL_OK ? *best : r);
    *best = status == SAL_OK ? r : *best;
    return status;
}

void run_interrupt(sal_result *r)
{
    r->optim.stop = SAL_STOP_INTERRUPTED;
    snprintf(r->status, sizeof r->status, "%s", sal_stop_text(r->optim.stop));
    r->exit_code = prb_result_exit_code(r->optim.stop);
}

sal_status run_tell_problem(sal_result *r, const char *problem_xml, sal_err *err)
{
    char *xml = NULL;
    const sal_status status = prb_result_text(&xml, problem_xml, strlen(problem_xml), err);
    if (status == SAL_OK) {
        sal_free(r->problem_xml);
        r->problem_xml = xml;
    }
    return status;
}
