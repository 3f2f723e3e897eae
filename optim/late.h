/* late.h: what blocks add to columns of H that an earlier share of the blocks begins. Private to
 * optim.
 *
 *     H = sum_b A_b' A_b
 *
 * Shares of successive blocks make and add their products at the same time. A column belongs to the
 * share of the block that is the first to add to it. What later shares add to it (a few columns,
 * where two shares meet or a cycle closes, and those of variables that all blocks know) is kept,
 * and added behind all else in the order of the blocks: the sums are those of a single share.
 */
#ifndef SAL_OPTIM_LATE_H
#define SAL_OPTIM_LATE_H

#include "base/base.h"
#include "optim/kernel.h"

struct opt_assembly;

typedef struct opt_late {
    const struct opt_assembly *as;
    int nshare;
    /* [nshare+1] first block of each share */
    int *begin;
    /* [nblock+1] numbers kept of all blocks before */
    int *at;
    /* [nblock+1] pieces of all blocks before */
    int *piece_at;
    /* from the numbers kept to H; of each, the assembly's piece, which goes from a product */
    opt_piece *piece;
    int *source;
    void *memory, *pieces;
} opt_late;

/* begin [nshare+1]: the shares; blocks before the first and behind the last are nobody's, nor are
 * their columns. The assembly has to be complete, and must outlive it. */
sal_status opt_late_new(opt_late **out, const struct opt_assembly *assembly, const int *begin,
                        int nshare);
void opt_late_free(opt_late *late);

/* owner [nvar]: the share that begins each column; -1: none */
void opt_late_owners(const struct opt_assembly *assembly, const int *begin, int nshare, int *owner);
/* Numbers of all blocks */
size_t opt_late_room(const opt_late *late);

/* Of block b's product into `kept` what is late; into H the rest; then, of all blocks, into H what
 * was kept. */
void opt_late_keep(const opt_late *late, double *kept, int b, const double *square);
void opt_late_rest(const opt_late *late, double *H, int b, const double *square);
void opt_late_add(const opt_late *late, double *H, const double *kept);

#endif
