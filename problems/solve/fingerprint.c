/* fingerprint.c: what a problem and its model are known by. */
#include "problems/solve/fingerprint.h"

#include "base/house.h"
#include "problems/problem.h"
#include "problems/recordings/data.h"
#include "problems/states.h"

#include <stdio.h>
#include <string.h>

/* ---- what was read from files, as it was read: they may change, and the problem not ---- */

/* n of them; NULL: there are none */
static void add(sal_sha256 *sha, const void *values, size_t n, size_t each)
{
    const size_t bytes = values == NULL ? 0 : n * each;
    sal_sha256_add(sha, &bytes, sizeof bytes);
    if (bytes > 0) {
        sal_sha256_add(sha, values, bytes);
    }
}

static void add_reals(sal_sha256 *sha, const double *values, size_t n)
{
    add(sha, values, n, sizeof *values);
}

static void add_text(sal_sha256 *sha, const char *text)
{
    add(sha, text, text == NULL ? 0 : strlen(text), 1);
}

static void add_recordings(sal_sha256 *sha, const prb_dataset *data)
{
    for (int i = 0; data != NULL && i < data->nrecording; i++) {
        const prb_recording *r = data->recording + i;
        add_text(sha, r->name);
        add_text(sha, r->cluster);
        add_reals(sha, (const double[]){r->dt, r->start}, 2);
        add_reals(sha, r->value, (size_t)r->nsample * (size_t)data->nvalue);
    }
}

static void add_feature(sal_sha256 *sha, const sal_problem *p, const prb_feature *f)
{
    const size_t rows = f->tabulated ? (size_t)p->nstep + 1 : 1;
    add_reals(sha, f->target, rows * (size_t)f->dim);
    add_reals(sha, f->reference, rows * (size_t)f->nobject * 4);
    add(sha, f->step, (size_t)f->nstep, sizeof *f->step);
}

static void add_endpoint(sal_sha256 *sha, const sal_model *m, const prb_endpoint *e)
{
    add(sha, e->pos, (size_t)m->njnt, 1);
    add(sha, e->vel, (size_t)m->njnt, 1);
    add_reals(sha, e->qpos, (size_t)m->nq);
    add_reals(sha, e->qvel, (size_t)m->nv);
}

static void add_states(sal_sha256 *sha, const sal_model *m, const prb_states *s)
{
    if (s != NULL) {
        const size_t n = (size_t)s->nrow;
        add_reals(sha, s->time, n);
        add_reals(sha, s->qpos, n * (size_t)m->nq);
        add_reals(sha, s->qvel, n * (size_t)m->nv);
        add(sha, s->pos, (size_t)m->njnt, 1);
        add(sha, s->vel, (size_t)m->njnt, 1);
    }
}

/* Targets, the states at both ends, the first guess and what begins with it, recordings */
static void add_data(sal_sha256 *sha, const sal_problem *p)
{
    const sal_image *image = p->image;
    for (int i = 0; i < p->nterm; i++) {
        const prb_term *t = p->term + i;
        add_feature(sha, p, &t->feature);
        add_reals(sha, (const double[]){t->weight, t->softweight}, 2);
    }
    for (int i = 0; i < p->nconstraint; i++) {
        add_feature(sha, p, &p->constraint[i].feature);
    }
    add_endpoint(sha, p->model, &p->start);
    add_endpoint(sha, p->model, &p->end);
    add_reals(sha, p->init_qpos, (size_t)p->model->nq);
    add_states(sha, p->model, p->init_states);
    add_reals(sha, (const double[]){p->duration, p->travel_value, p->init_travel, p->init_turn}, 4);
    if (image != NULL) {
        add_reals(sha, (const double[]){image->arc, image->turn}, 2);
        add_reals(sha, image->place, 2);
    }
    add_recordings(sha, p->data);
}

void prb_fingerprint_data(const sal_problem *p, char hex[65])
{
    sal_sha256 sha;
    sal_sha256_begin(&sha);
    add_data(&sha, p);
    sal_sha256_end(&sha, hex);
}

/* ---- all ---- */

sal_status prb_fingerprint_of(const sal_problem *p, prb_fingerprint *print, sal_err *err)
{
    sal_text model = {0};
    sal_sha256 sha;
    memset(print, 0, sizeof *print);
    snprintf(print->version, sizeof print->version, "%s", sal_version_text());
    sal_sha256_begin(&sha);
    sal_sha256_add(&sha, p->sha256_problem, sizeof p->sha256_problem);
    if (p->problem_xml != NULL) {
        sal_sha256_add(&sha, p->problem_xml, strlen(p->problem_xml));
    }
    sal_sha256_end(&sha, print->problem);
    prb_fingerprint_data(p, print->data);
    const sal_status status = sal_model_write(p->model, &model, err);
    if (status == SAL_OK) {
        sal_sha256_begin(&sha);
        sal_sha256_add(&sha, p->sha256_model, sizeof p->sha256_model);
        sal_sha256_add(&sha, model.data, model.length);
        sal_sha256_end(&sha, print->model);
    }
    sal_text_clear(&model);
    return status;
}

const char *prb_fingerprint_difference(const prb_fingerprint *one, const prb_fingerprint *other)
{
    return strcmp(one->problem, other->problem) != 0 ? "another problem or other settings"
           : strcmp(one->model, other->model) != 0   ? "another model or other settings"
           : strcmp(one->data, other->data) != 0
               ? "other data: a table, recording or result that the problem names has changed"
               : NULL;
}

sal_status prb_fingerprint_agree(const sal_ranks *ranks, const prb_fingerprint *own, sal_err *err)
{
    prb_fingerprint first = *own;
    const sal_status status =
        ranks == NULL ? SAL_OK : ranks->broadcast(ranks->ctx, &first, sizeof first, err);
    if (status != SAL_OK) {
        return status;
    }
    const char *what = strcmp(first.version, own->version) != 0
                           ? "another version of saltus"
                           : prb_fingerprint_difference(&first, own);
    return what == NULL ? SAL_OK
                        : sal_fail(err, SAL_BADINPUT, "rank %d does not have what rank 0 has: %s",
                                   ranks->rank, what);
}
