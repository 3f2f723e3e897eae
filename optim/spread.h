/* spread.h: a solve that several ranks share. Private to optim.
 *
 * Each rank takes every step of the solve, with the same numbers. But of the blocks it evaluates,
 * linearises and multiplies only its slice; what came of it is collected from all. Every sum is
 * added up in the order of one rank, so the bits are those of one. Of J and A a rank knows its
 * slice only: what travels are residuals, H, and products with vectors.
 *
 * H = sum_b A_b'A_b: a column belongs to the slice of the block that is the first to add to it.
 * What later slices add to it (a few columns, where two slices meet or a cycle closes, and those of
 * variables that all blocks know) travels block by block, and is added in their order.
 *
 * Where two halves of H can be eliminated beside each other (banded.h), the first rank and the last
 * do one each: columns of a half go to that rank alone, those between the halves to all.
 */
#ifndef SAL_OPTIM_SPREAD_H
#define SAL_OPTIM_SPREAD_H

#include "base/base.h"
#include "optim/optim.h"

#include <stdbool.h>

struct opt_assembly;

typedef struct opt_spread opt_spread;

/* The blocks of each rank's slice are whole parts of `per_part`. half [nvar]: 0 or 1, the half that
 * a variable belongs to, or 2, between them; NULL: there are no halves. The assembly, which is
 * complete, and the ranks must outlive it. */
sal_status opt_spread_new(opt_spread **spread, const struct opt_assembly *assembly,
                          const sal_ranks *ranks, int per_part, const unsigned char *half,
                          sal_err *err);
void opt_spread_free(opt_spread *spread);
/* Blocks of a part when ranks, each with nshare threads, share nblock of them: at most `most`, and
 * so that shares are nearly equal. */
int opt_spread_part(const sal_ranks *ranks, int nshare, int nblock, int most);

/* In what follows `spread` may be NULL: there are no others. */

/* The slice of this rank among nblock blocks: first .. *end-1. */
int opt_spread_first(const opt_spread *spread, int nblock, int *end);
/* The status that all ranks go on with: that of the lowest rank that did not succeed, with its
 * message; or what has gone wrong between ranks. */
sal_status opt_spread_agree(opt_spread *spread, sal_status status, sal_err *err);
/* Numbers of every block at x[at[b]] .. x[at[b+1]-1]; at: [nblock+1]. These and the next ones
 * remember a fault, for opt_spread_agree. */
void opt_spread_collect(opt_spread *spread, double *x, const int *at);
/* Is it the same point x [n] on all ranks? Rank 0's bytes to all. */
void opt_spread_follow(opt_spread *spread, const double *x, int n, void *bytes, size_t nbyte);

/* Does this rank eliminate that half? */
bool opt_spread_leads(const opt_spread *spread, int half);
/* n numbers of each half, from the rank that eliminates it to all: x[0 ..] and x[n ..]. Of v [nvar]
 * the variables of both. */
void opt_spread_halves(opt_spread *spread, double *x, size_t n);
void opt_spread_variables(opt_spread *spread, double *v);

/* Numbers behind those of a matrix that ranks need there. */
size_t opt_spread_room(const opt_spread *spread);
/* Keeps what block b of this slice adds to columns of earlier slices, from its product; then, H
 * [nvalue + room] := that of all slices: the diagonal, and the columns that this rank needs. */
void opt_spread_keep(const opt_spread *spread, double *H, int b, const double *square);
void opt_spread_hessian(opt_spread *spread, double *H);

#endif
