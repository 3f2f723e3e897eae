/* fit_checkpoint.c: an identification kept on disk while it runs, in one file like that of a start
 * of a solve (problems/solve/checkpoint.h). The state in it:
 *
 *     head   x   shared parameters   state of the joint optimizer
 *
 * All else follows from the stage: it is entered anew, and then stands where it stood.
 */
#include "base/house.h"
#include "identify/fit.h"
#include "problems/solve/checkpoint.h"

#include <string.h>

typedef struct fit_head {
    int stage, linearisations;
    size_t nx, nshared, njoint; /* numbers, numbers, bytes */
} fit_head;

struct idn_checkpoint {
    double begin; /* s, of the fit */
    prb_fingerprint print;
    bool known;     /* the fingerprint is */
    sal_text file;  /* composed here */
    sal_text state; /* and what it says of the fit */
    double synced;  /* when a copy was last */
    bool warned;
    char *bytes; /* what was found, NULL: nothing, or it was restored */
    prb_checkpoint found;
    fit_head head;
};

/* -1: the motions that channels show are sought first */
static int stage_of(const idn_fit *fit)
{
    return fit->stage->kinematic ? -1 : fit->stage_index;
}

static size_t count_x(const idn_fit *fit)
{
    size_t n = 0;
    for (int i = 0; i < fit->nmember; i++) {
        n += (size_t)fit->member[i].nx;
    }
    return n;
}

static sal_status know_print(const idn_fit *fit, idn_checkpoint *c, sal_err *err)
{
    const sal_status status = c->known ? SAL_OK : prb_fingerprint_of(fit->p, &c->print, err);
    c->known = status == SAL_OK;
    return status;
}

/* ---- finding one ---- */

static sal_status find(idn_fit *fit, idn_checkpoint *c, sal_err *err)
{
    c->found = (prb_checkpoint){.start = 0, .nstart = prb_starts_most(fit->p)};
    const sal_status status =
        prb_checkpoint_read(fit->watch->checkpoint, &c->print, &c->found, &c->bytes, err);
    if (status != SAL_OK || c->bytes == NULL) {
        return status;
    }
    const size_t n = c->found.nstate;
    if (n >= sizeof c->head) {
        memcpy(&c->head, c->found.state, sizeof c->head);
    }
    const size_t numbers = c->head.nx + c->head.nshared;
    return n >= sizeof c->head && n == sizeof c->head + numbers * sizeof(double) + c->head.njoint &&
                   c->head.stage < fit->settings->nstage
               ? SAL_OK
               : sal_fail(err, SAL_BADINPUT,
                          "the checkpoint in '%.300s' is not that of this identification; solve "
                          "without --resume to start from the beginning",
                          fit->watch->checkpoint);
}

/* What rank 0 has found, all have. */
static sal_status share(const sal_ranks *ranks, idn_checkpoint *c, sal_status status, sal_err *err)
{
    status = prb_checkpoint_share(ranks, status, &c->found, &c->bytes, err);
    if (status == SAL_OK && c->bytes != NULL) {
        memcpy(&c->head, c->found.state, sizeof c->head);
    }
    return status;
}

sal_status idn_checkpoint_open(idn_fit *fit, sal_err *err)
{
    const sal_watch *watch = fit->watch;
    const bool many = watch != NULL && sal_ranks_are_many(watch->ranks);
    if (watch == NULL || (watch->checkpoint == NULL && !many)) {
        return SAL_OK;
    }
    idn_checkpoint *c = fit->checkpoint = sal_alloc(1, sizeof *c);
    if (c == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a checkpoint");
    }
    c->begin = sal_seconds_now();
    sal_status status = watch->resume ? know_print(fit, c, err) : SAL_OK;
    status = status == SAL_OK && watch->resume ? find(fit, c, err) : status;
    return many ? share(watch->ranks, c, status, err) : status;
}

bool idn_checkpoint_is_kept(const idn_fit *fit)
{
    return fit->checkpoint != NULL && fit->watch->checkpoint != NULL;
}

void idn_checkpoint_free(idn_checkpoint *c)
{
    if (c != NULL) {
        sal_text_clear(&c->file);
        sal_text_clear(&c->state);
        sal_free(c->bytes);
        sal_free(c);
    }
}

/* ---- going on from it ---- */

bool idn_checkpoint_is_beyond(const idn_fit *fit, int stage)
{
    const idn_checkpoint *c = fit->checkpoint;
    return c != NULL && c->bytes != NULL && c->head.stage > stage;
}

sal_status idn_checkpoint_restore(idn_fit *fit, const void **joint, size_t *n, sal_err *err)
{
    idn_checkpoint *c = fit->checkpoint;
    *joint = NULL;
    *n = 0;
    if (c == NULL || c->bytes == NULL) {
        return SAL_OK;
    }
    if (c->head.nx != count_x(fit) || c->head.nshared != (size_t)fit->ps->nshared) {
        return sal_fail(err, SAL_BADINPUT, "the checkpoint is that of other recordings");
    }
    const char *at = (const char *)c->found.state + sizeof c->head;
    memcpy(fit->x, at, c->head.nx * sizeof(double));
    at += c->head.nx * sizeof(double);
    memcpy(fit->shared, at, c->head.nshared * sizeof(double));
    *joint = at + c->head.nshared * sizeof(double);
    *n = c->head.njoint;
    fit->linearisations = c->head.linearisations;
    fit->niteration = c->found.niteration < fit->capacity ? c->found.niteration : fit->capacity;
    if (fit->niteration > 0) {
        memcpy(fit->iteration, c->found.iteration, (size_t)fit->niteration * sizeof(prb_iteration));
    }
    return SAL_OK;
}

void idn_checkpoint_restored(idn_fit *fit)
{
    if (fit->checkpoint != NULL) {
        sal_free(fit->checkpoint->bytes);
        fit->checkpoint->bytes = NULL;
    }
}

/* ---- writing one ---- */

/* A fit goes on without checkpoints (the disk may be full): it says so once. */
static void warn(const idn_fit *fit, const sal_err *err)
{
    if (!fit->checkpoint->warned) {
        sal_say(fit->watch->log, SAL_WARNING, "%s; the solve continues", err->message);
    }
    fit->checkpoint->warned = true;
}

void idn_checkpoint_save(void *ctx, const sal_joint *joint)
{
    const idn_fit *fit = ctx;
    idn_checkpoint *c = fit->checkpoint;
    fit_head h;
    sal_err err = {0};
    if (!prb_checkpoint_is_due(fit->watch, c->begin)) {
        return;
    }
    memset(&h, 0, sizeof h);
    h.stage = stage_of(fit);
    h.linearisations = fit->linearisations;
    h.nx = count_x(fit);
    h.nshared = (size_t)fit->ps->nshared;
    h.njoint = sal_joint_state_size(joint);
    char *own = sal_alloc(h.njoint, 1);
    c->state.length = 0;
    if (own != NULL) {
        sal_joint_state_save(joint, own);
        sal_text_addn(&c->state, (const char *)&h, sizeof h);
        sal_text_addn(&c->state, (const char *)fit->x, h.nx * sizeof(double));
        sal_text_addn(&c->state, (const char *)fit->shared, h.nshared * sizeof(double));
        sal_text_addn(&c->state, own, h.njoint);
    }
    sal_status status = own == NULL || c->state.failed
                            ? sal_fail(&err, SAL_NOMEM, "out of memory for a checkpoint")
                            : SAL_OK;
    sal_free(own);
    status = status == SAL_OK ? know_print(fit, c, &err) : status;
    if (status == SAL_OK) {
        const prb_checkpoint kept = {.nstart = prb_starts_most(fit->p),
                                     .niteration = fit->niteration,
                                     .iteration = fit->iteration,
                                     .nstate = c->state.length,
                                     .state = c->state.data,
                                     .synced = fit->watch->checkpoint_unsynced ? NULL : &c->synced};
        status = prb_checkpoint_write(fit->watch->checkpoint, &c->print, &kept, &c->file, &err);
    }
    if (status != SAL_OK) {
        warn(fit, &err);
    }
}
