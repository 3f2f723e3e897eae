/* Any bytes as a result.h5: a reason, or a motion that can be shown and written as a table; never a
 * crash. */
#include "tests/problems/problem_files.h"

#include "problems/problems.h"
#include "runs/runs.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    sal_result *r = NULL;
    sal_err err = {0};
    sal_text text = {0};
    files_write("result.h5", (const char *)data, n);
    const sal_status status = sal_result_read(&r, files_path("result.h5"), &err);
    if ((status == SAL_OK) != (r != NULL) || (status != SAL_OK && err.message[0] == 0)) {
        abort();
    }
    if (r != NULL) {
        sal_result_csv(r, &text, &err);
    }
    sal_text_clear(&text);
    sal_result_free(r);
    return 0;
}
