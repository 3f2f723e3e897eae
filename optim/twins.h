/* twins.h: rows of a block's Jacobian that are others but for a factor. Private to optim. */
#ifndef SAL_OPTIM_TWINS_H
#define SAL_OPTIM_TWINS_H

#include "optim/jacobian.h"

/* Rows of block b that are multiples of an earlier range's are kept as that one. A has found the
 * strips of J, the dense rows; root: of the block's norms, segment after segment. */
void opt_twins_find(opt_jacobian *A, int b, const double *J, const double *root);

#endif
