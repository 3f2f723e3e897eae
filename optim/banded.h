/* banded.h: factorisation U'U by dense blocks, for patterns made of them: time steps in a row or a
 * cycle, with a border. Private to factor.c. */
#ifndef SAL_OPTIM_BANDED_H
#define SAL_OPTIM_BANDED_H

#include "base/base.h"
#include "optim/mix.h"
#include "optim/spread.h"

typedef struct opt_banded opt_banded;

/* The pattern: lower triangle by columns, which must outlive the factor. work: what one
 * factorisation takes, as sum of squares of the lengths of U's rows. *banded is NULL where the
 * pattern falls into more than nnode_most blocks. */
sal_status opt_banded_new(opt_banded **banded, int n, const int *colptr, const int *rowind,
                          int nnode_most, int nthread, double *work);
void opt_banded_free(opt_banded *b);
/* SAL_SINGULAR if A is not positive definite, SAL_NOMEM. */
sal_status opt_banded_compute(opt_banded *b, const opt_mix *A);
/* x := A^-1 x */
void opt_banded_solve(opt_banded *b, double *x);
/* As opt_factor_room. */
double *opt_banded_room(const opt_banded *b);
/* As opt_factor_halves and opt_factor_share. */
bool opt_banded_halves(const opt_banded *b, unsigned char *half);
sal_status opt_banded_share(opt_banded *b, opt_spread *spread);

#endif
