/* result.c: the memory of a result. Rows of time are one block, contacts another (their number is
 * known last). */
#include "problems/result/part.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Places the arrays with a row for each of T times; run twice, to measure and to place. */
static void place_rows(sal_result *r, sal_layout *layout)
{
    const sal_model *m = r->model;
    const size_t T = (size_t)r->nstep + 1;
#define PRB_PLACE(name, columns, kind, unit)                                                       \
    r->name = sal_layout_take(layout, T * (size_t)(columns), sizeof(double));
    PRB_RESULT_ROWS(PRB_PLACE)
#undef PRB_PLACE
    r->qpos_before = sal_layout_take(layout, (size_t)m->nq, sizeof(double));
    r->contact_offset = sal_layout_take(layout, T + 1, sizeof(int));
}

static void place_contacts(sal_result *r, size_t capacity, sal_layout *layout)
{
#define PRB_PLACE(type, name, columns, kind, unit)                                                 \
    r->contact_##name = sal_layout_take(layout, capacity * (size_t)(columns), sizeof(type));
    PRB_RESULT_CONTACTS(PRB_PLACE)
#undef PRB_PLACE
}

sal_status prb_result_new(sal_result **result, sal_model *model, int nstep, sal_err *err)
{
    sal_result *r = sal_alloc(1, sizeof *r);
    sal_layout layout = {NULL, 0};
    *result = NULL;
    if (r == NULL) {
        sal_model_free(model);
        return sal_fail(err, SAL_NOMEM, "out of memory for a result");
    }
    r->model = model;
    r->nstep = nstep;
    r->floor = prb_floor_unknown();
    r->marker_fit.rms = r->marker_fit.worst = r->marker_fit.model = (double)NAN;
    place_rows(r, &layout);
    layout.base = layout.size == SIZE_MAX ? NULL : sal_alloc(layout.size, 1);
    r->block = layout.base;
    if (r->block == NULL || prb_result_reserve(r, 1, NULL) != SAL_OK) {
        sal_result_free(r);
        return sal_fail(err, SAL_NOMEM, "out of memory for a result of %d steps", nstep);
    }
    layout.size = 0;
    place_rows(r, &layout);
    *result = r;
    return SAL_OK;
}

sal_status prb_result_reserve(sal_result *r, int capacity, sal_err *err)
{
    if (capacity <= r->contact_capacity) {
        return SAL_OK;
    }
    const size_t K = (size_t)r->ncontact;
    const sal_result old = *r;
    sal_layout layout = {NULL, 0};
    place_contacts(r, (size_t)capacity, &layout);
    layout.base = layout.size == SIZE_MAX ? NULL : sal_alloc(layout.size, 1);
    if (layout.base == NULL) {
        *r = old;
        return sal_fail(err, SAL_NOMEM, "out of memory for the %d contacts of a result", capacity);
    }
    r->contact_block = layout.base;
    r->contact_capacity = capacity;
    layout.size = 0;
    place_contacts(r, (size_t)capacity, &layout);
    if (K > 0) {
#define PRB_KEEP(type, name, columns, kind, unit)                                                  \
    memcpy(r->contact_##name, old.contact_##name, K *(size_t)(columns) * sizeof(type));
        PRB_RESULT_CONTACTS(PRB_KEEP)
#undef PRB_KEEP
    }
    sal_free(old.contact_block);
    return SAL_OK;
}

void prb_result_take_head(sal_result *r, sal_result *head)
{
    memcpy(r->status, head->status, sizeof r->status);
    r->exit_code = head->exit_code;
    r->judged = head->judged;
    r->as_asked = head->as_asked;
    r->to_finish = head->to_finish;
    r->finished = head->finished;
    memcpy(r->version, head->version, sizeof r->version);
    memcpy(r->git, head->git, sizeof r->git);
    r->seed = head->seed;
    r->start = head->start;
    r->mujoco = head->mujoco;
    r->contact_table = head->contact_table;
    r->contact = head->contact;
    memcpy(r->sha256_problem, head->sha256_problem, sizeof r->sha256_problem);
    memcpy(r->sha256_model, head->sha256_model, sizeof r->sha256_model);
    memcpy(r->sha256_data, head->sha256_data, sizeof r->sha256_data);
    r->problem_name = head->problem_name;
    r->problem_xml = head->problem_xml;
    r->model_xml = head->model_xml;
    r->softer_xml = head->softer_xml;
    head->problem_name = head->problem_xml = head->model_xml = head->softer_xml = NULL;
    sal_result_free(head);
}

sal_status prb_result_text(char **copy, const char *text, size_t n, sal_err *err)
{
    *copy = n == SIZE_MAX ? NULL : sal_alloc(n + 1, 1);
    if (*copy == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a text of %zu bytes", n);
    }
    memcpy(*copy, text, n);
    return SAL_OK;
}

const sal_model *prb_result_model_at(const sal_result *r, int t)
{
    return r->soft != NULL && t < r->nstep && r->soft[t] ? r->softer : r->model;
}

double prb_result_length(const sal_result *r)
{
    double ahead = 0;
    if (r->image == NULL) {
        return 0;
    }
    if (r->image->turning >= 0) {
        return r->image->arc;
    }
    for (int i = 0; i < r->model->nq; i++) {
        ahead += r->image->travel[i] * (r->qpos[r->nstep * r->model->nq + i] - r->qpos[i]);
    }
    const double length = sal_v3_norm(r->travel);
    return ahead < 0 ? -length : length;
}

void sal_result_free(sal_result *r)
{
    if (r == NULL) {
        return;
    }
    sal_model_free(r->model);
    sal_model_free(r->softer);
    sal_image_free(r->image);
    if (r->part_kind != NULL) {
        r->part_kind->free(r->part);
    }
    void *const blocks[] = {r->block,         r->contact_block, r->problem_name, r->problem_xml,
                            r->model_xml,     r->term,          r->constraint,   r->iteration,
                            r->finding,       r->requirement,   r->marker,       r->problem_path,
                            r->model_path,    r->soft,          r->softer_xml,   r->qpos_recorded,
                            r->term_over_time};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        sal_free(blocks[i]);
    }
    sal_free(r);
}

int prb_result_exit_code(sal_stop stop)
{
    switch (stop) {
    case SAL_STOP_CONVERGED:
        return 0;
    case SAL_STOP_INFEASIBLE:
        return 4;
    case SAL_STOP_INTERRUPTED:
        return 130;
    case SAL_STOP_STALLED:
    case SAL_STOP_MAXITER:
    case SAL_STOP_MAXTIME:
    case SAL_STOP_FAILED:
        break;
    }
    return 1;
}

sal_status prb_result_continue(sal_result *result, const sal_result *before, sal_err *err)
{
    const int n = before->niteration, more = result->niteration;
    prb_iteration *all = sal_alloc((size_t)n + (size_t)more, sizeof *all);
    if (all == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the record of iterations");
    }
    for (int i = 0; i < n + more; i++) {
        all[i] = i < n ? before->iteration[i] : result->iteration[i - n];
        all[i].linearisation += i < n ? 0 : before->optim.linearisations;
    }
    sal_free(result->iteration);
    result->iteration = all;
    result->niteration = n + more;
    result->optim.linearisations += before->optim.linearisations;
    result->optim.evaluations += before->optim.evaluations;
    result->optim.factorisations += before->optim.factorisations;
    result->seconds += before->seconds;
    for (int k = 0; k < SAL_NWORK; k++) {
        result->work[k] += before->work[k];
    }
    return SAL_OK;
}
