/* ranks.h: processes that work on one thing together, perhaps on many machines, and how they talk.
 *
 * Rank 0 speaks for all. Only an interface: who implements it (the command over MPI, a test over
 * pipes) nobody above needs to know. Messages are bytes with a tag; between two ranks those of one
 * tag arrive in the order in which they were sent. All ranks are the same program on the same kind
 * of machine, so that structs and doubles travel as they are. One thread of each rank talks.
 */
#ifndef SAL_BASE_RANKS_H
#define SAL_BASE_RANKS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

SAL_BEGIN_C

/* What has arrived and waits to be received */
typedef struct sal_mail {
    int from;
    int tag;
    /* bytes */
    size_t n;
} sal_mail;

typedef struct sal_ranks {
    /* 0 .. size-1 */
    int rank, size;
    void *ctx;

    /* Returns when the bytes may be changed again, which may be before they are received, or only
     * then. */
    sal_status (*send)(void *ctx, int to, int tag, const void *bytes, size_t n, sal_err *err);
    /* The same for a few bytes, which are copied: it waits for nobody, not even where the other one
     * hangs or is gone. */
    sal_status (*post)(void *ctx, int to, int tag, const void *bytes, size_t n, sal_err *err);
    /* Waits for the next message of `from` with that tag, which has at most n bytes (longer: a
     * fault). */
    sal_status (*receive)(void *ctx, int from, int tag, void *bytes, size_t n, sal_err *err);
    /* Has anything arrived, from anyone, with any tag? *there: yes, and *mail says what. Does not
     * wait. */
    sal_status (*probe)(void *ctx, bool *there, sal_mail *mail, sal_err *err);

    /* These two are called by all ranks, in the same order, with the same sizes. */
    /* The bytes of rank 0 to all. */
    sal_status (*broadcast)(void *ctx, void *bytes, size_t n, sal_err *err);
    /* Every rank k comes with x[at[k]] .. x[at[k]+n[k]-1], and leaves with those of all, which do
     * not overlap. at, n: [size] */
    sal_status (*collect)(void *ctx, double *x, const size_t *at, const size_t *n, sal_err *err);
} sal_ranks;

/* True where there is somebody to share work with. ranks may be NULL. */
static inline bool sal_ranks_are_many(const sal_ranks *ranks)
{
    return ranks != NULL && ranks->size > 1;
}

SAL_END_C

#endif
