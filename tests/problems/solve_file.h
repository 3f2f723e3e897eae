/* solve_file.h: the result of a problem file, with some of it set otherwise. */
#ifndef SAL_TESTS_PROBLEMS_SOLVE_FILE_H
#define SAL_TESTS_PROBLEMS_SOLVE_FILE_H

#include "tests/check.h"

#include "identify/identify.h"

/* file: from the root of the project. NULL, and a fault of the case, if it cannot be read or
 * solved. The caller frees. */
static inline sal_result *solve_file(const char *file, const sal_problem_options *options)
{
    char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    sal_request request;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(path, sizeof path, "%s/%s", root == NULL ? "." : root, file);
    CHECK_OK(sal_request_read(&request, path, options, &diag, &err), err);
    if (request.motion != NULL || request.identification != NULL) {
        CHECK_OK(sal_request_solve(&r, &request, 2, NULL, &err), err);
    }
    sal_request_clear(&request);
    sal_diag_clear(&diag);
    return r;
}

#endif
