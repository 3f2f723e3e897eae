/* output.h: one output at one instant. */
#ifndef SAL_INVDYN_OUTPUT_H
#define SAL_INVDYN_OUTPUT_H

#include "invdyn/invdyn.h"

/* The earliest stage after which the output is known. */
sal_stage sal_output_stage(const sal_model *m, const sal_output *output);
/* Numbers it has. */
int sal_output_dim(const sal_model *m, const sal_output *output);
/* y [n] of one output; the stages it needs are done; acceleration: a_t [nv]. */
void sal_output_write(const sal_model *m, const sal_data *d, const sal_output *output, double *y,
                      const double *acceleration);

#endif
