/* read_example.h: the problem of an example as it stands. */
#ifndef SAL_TESTS_PROBLEMS_READ_EXAMPLE_H
#define SAL_TESTS_PROBLEMS_READ_EXAMPLE_H

#include "tests/check.h"

#include "problems/problems.h"

/* examples/NAME.xml; NULL, and a fault of the case, if it cannot be read. */
static inline sal_problem *read_example(const char *name)
{
    char path[1024];
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err;
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/examples/%s.xml", root == NULL ? "." : root, name);
    CHECK_OK(sal_problem_read(&p, path, NULL, &diag, &err), err);
    sal_diag_clear(&diag);
    return p;
}

#endif
