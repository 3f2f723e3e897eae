/* checkpoint.h: a solve kept on disk. A folder holds one file for each start that has begun, named
 * by its number and replaced after its linearisations, but so seldom that this costs little: as
 * many bytes as it takes to go on to the same result. The one before it, or one that is being
 * written, is N.tmp, which nobody reads. To wait for the disk each time would take longer than
 * small problems do: only every few seconds a copy is synced, N.kept, which is what a loss of power
 * leaves for certain.
 *
 *     head { magic, saltus' version, digests of problem and model, which start of how many }
 *     iterations so far      state of the optimizer      sha256 of all before
 */
#ifndef SAL_PROBLEMS_SOLVE_CHECKPOINT_H
#define SAL_PROBLEMS_SOLVE_CHECKPOINT_H

#include "problems/result/result.h"
#include "problems/solve/fingerprint.h"

/* of one start */
typedef struct prb_checkpoint {
    int start;
    int nstart;
    /* linearisations, evaluations, factorisations of coarse solutions before this one */
    int before[3];
    int niteration;
    const prb_iteration *iteration;
    size_t nstate;
    const void *state;
    /* when (s) a copy was last synced to the disk; 0 before the first call; NULL: none is */
    double *synced;
} prb_checkpoint;

/* Whether a solve that began then (s, of sal_seconds_now) has lasted long enough to be kept. */
bool prb_checkpoint_is_due(const sal_watch *watch, double begin);

/* Replaces the file of c->start in `folder`, which is made where there is none. `text` is scratch,
 * kept from one call to the next. At any moment the file is whole, the old one or the new one (who
 * reads it has to keep others from writing it: the folder of a solve is locked); after a loss of
 * power, at least the copy that was synced is, if any was made. */
sal_status prb_checkpoint_write(const char *folder, const prb_fingerprint *print,
                                const prb_checkpoint *c, sal_text *text, sal_err *err);

/* The file of c->start, or its copy where that is missing or damaged: c points into *bytes, which
 * the caller frees, NULL where there is neither. SAL_BADINPUT says that it is damaged, or of
 * another problem, model, or version. */
sal_status prb_checkpoint_read(const char *folder, const prb_fingerprint *print, prb_checkpoint *c,
                               char **bytes, sal_err *err);

/* Among ranks: what rank 0 has read, with the status that came of it, is what all have read; *bytes
 * stays NULL where there is nothing. The record of iterations is rank 0's alone. */
sal_status prb_checkpoint_share(const sal_ranks *ranks, sal_status status, prb_checkpoint *c,
                                char **bytes, sal_err *err);

#endif
