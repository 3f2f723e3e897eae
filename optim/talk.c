#include "optim/talk.h"

#include <stdint.h>
#include <string.h>

void opt_talk_place(opt_talk *t, const sal_ranks *ranks, sal_layout *layout)
{
    const size_t size = (size_t)ranks->size;
    t->ranks = ranks;
    t->at = sal_layout_take(layout, size, sizeof(size_t));
    t->n = sal_layout_take(layout, size, sizeof(size_t));
    t->vote = sal_layout_take(layout, size, sizeof(double));
}

void opt_talk_collect(opt_talk *t, double *x, const size_t *at, const size_t *n)
{
    if (t->status == SAL_OK) {
        t->status = t->ranks->collect(t->ranks->ctx, x, at, n, &t->err);
    }
}

/* The message of rank `from` to all */
static void collect_message(opt_talk *t, int from, sal_err *err)
{
    memcpy(t->word, err, sizeof *err);
    for (int k = 0; k < t->ranks->size; k++) {
        t->at[k] = 0;
        t->n[k] = k == from ? OPT_TALK_WORDS : 0;
    }
    opt_talk_collect(t, t->word, t->at, t->n);
    memcpy(err, t->word, sizeof *err);
}

sal_status opt_talk_agree(opt_talk *t, sal_status status, sal_err *err)
{
    const int size = t->ranks->size;
    sal_err message = {.code = status, .message = ""};
    if (status != SAL_OK && err != NULL) {
        message = *err;
    }
    for (int k = 0; k < size; k++) {
        t->at[k] = (size_t)k;
        t->n[k] = 1;
        t->vote[k] = status == SAL_OK ? 0 : 1;
    }
    opt_talk_collect(t, t->vote, t->at, t->n);
    int from = 0;
    while (from < size && t->vote[from] == 0) {
        from++;
    }
    if (from < size && t->status == SAL_OK) {
        collect_message(t, from, &message);
    }
    if (t->status != SAL_OK) {
        message = t->err;
        status = t->status;
    } else if (from < size) {
        status = message.code;
    }
    if (status != SAL_OK && err != NULL) {
        *err = message;
    }
    return status;
}

/* A number that tells points apart (Fowler, Noll, Vo: FNV-1a) */
static uint64_t mark_of(const double *x, size_t n)
{
    uint64_t mark = 14695981039346656037U;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, x + i, sizeof bits);
        mark = (mark ^ bits) * 1099511628211U;
    }
    return mark;
}

void opt_talk_follow(opt_talk *t, const double *x, size_t n, void *bytes, size_t nbyte)
{
    const uint64_t own = mark_of(x, n);
    uint64_t mark = own;
    sal_status status = SAL_OK;
    sal_err err;
    if (t->status == SAL_OK) {
        t->status = t->ranks->broadcast(t->ranks->ctx, &mark, sizeof mark, &t->err);
    }
    if (t->status == SAL_OK && mark != own) {
        status = sal_fail(&err, SAL_INTERNAL,
                          "rank %d has other numbers than rank 0; all ranks must run the same "
                          "program on machines of the same type",
                          t->ranks->rank);
    }
    status = opt_talk_agree(t, status, &err);
    if (status == SAL_OK) {
        t->status = t->ranks->broadcast(t->ranks->ctx, bytes, nbyte, &t->err);
    } else if (t->status == SAL_OK) {
        t->status = status;
        t->err = err;
    }
}
