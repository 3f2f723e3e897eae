/* Any bytes as a problem file: an error or a problem, never a crash. */
#include "tests/problems/problem_files.h"

#include "problems/problems.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    static bool ready;
    sal_problem *p;
    sal_diag diag = {0};
    sal_err err;
    if (!ready) {
        files_write("m.xml", files_model, strlen(files_model));
        ready = true;
    }
    files_write("p.xml", (const char *)data, n);
    const sal_status status = sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err);
    if ((status == SAL_OK) != (p != NULL) || (status == SAL_BADINPUT && diag.nerror == 0)) {
        abort(); /* no reason was given */
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return 0;
}
