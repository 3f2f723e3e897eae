/* talk.h: ranks that work on one thing keep in step: what they collect, and what becomes of a fault
 * of one. Private to optim.
 *
 * Every rank calls these in the same order. After a fault between ranks nothing more is said; the
 * next agreement reports it.
 */
#ifndef SAL_OPTIM_TALK_H
#define SAL_OPTIM_TALK_H

#include "base/base.h"

enum { OPT_TALK_WORDS = (sizeof(sal_err) + sizeof(double) - 1) / sizeof(double) };

typedef struct opt_talk {
    const sal_ranks *ranks;
    /* [size] of a collection */
    size_t *at, *n;
    /* [size] */
    double *vote;
    /* a message */
    double word[OPT_TALK_WORDS];
    /* the first fault between ranks */
    sal_status status;
    sal_err err;
} opt_talk;

void opt_talk_place(opt_talk *t, const sal_ranks *ranks, sal_layout *layout);
/* The collection of base/ranks.h; at, n [size] may be those of t. */
void opt_talk_collect(opt_talk *t, double *x, const size_t *at, const size_t *n);
/* The bytes of rank 0. Where a rank has come to another x than it, that is a fault between
 * ranks. */
void opt_talk_follow(opt_talk *t, const double *x, size_t n, void *bytes, size_t nbyte);
/* The fault of the first rank that has one becomes that of all. */
sal_status opt_talk_agree(opt_talk *t, sal_status status, sal_err *err);

#endif
