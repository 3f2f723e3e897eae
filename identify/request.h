/* request.h: a problem file of either kind, read with what is known already. */
#ifndef SAL_IDENTIFY_REQUEST_H
#define SAL_IDENTIFY_REQUEST_H

#include "identify/identify.h"
#include "problems/read/known_model.h"

/* As sal_request_read; a model that is the known one is not read, else it becomes that. */
sal_status idn_request_read(sal_request *t, const char *path, const sal_problem_options *options,
                            prb_known_model *known, sal_diag *diag, sal_err *err);

#endif
