/* request.h: a problem file of either kind, read with what is known already. */
#ifndef SAL_IDENTIFY_REQUEST_H
#define SAL_IDENTIFY_REQUEST_H

#include "identify/identify.h"
#include "problems/read/known_model.h"

/* As sal_request_read; a model that is the known one is not read, else it becomes that. */
sal_status idn_request_read(sal_request *t, const char *path, const sal_problem_options *options,
                            prb_known_model *known, sal_diag *diag, sal_err *err);

/* Adds the names, a line each, of the figures that a result of it will have, but for those of the
 * ranges of actuators ("constraint[ctrlrange of knee]"). */
void idn_request_figure_names(sal_text *names, const sal_request *t);

#endif
