/* Any bytes as a table of states or of a motion: an error or forces, never a crash. */
#include "tests/problems/problem_files.h"

#include "problems/problems.h"
#include "runs/runs.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    static sal_model *m;
    sal_diag diag = {0};
    sal_err err;
    sal_text out = {0}, contacts = {0};
    const sal_inverse_options options = {.full = true};
    if (m == NULL && sal_model_parse(&m, "m.xml", files_model, strlen(files_model), NULL, NULL,
                                     &err) != SAL_OK) {
        printf("%s\n", err.message);
        abort();
    }
    files_write("states.csv", (const char *)data, n);
    const sal_status status =
        sal_inverse_csv(m, files_path("states.csv"), &options, &out, &contacts, &diag, &err);
    if (status == SAL_OK && out.length == 0) {
        abort();
    }
    sal_text_clear(&out);
    sal_text_clear(&contacts);
    sal_diag_clear(&diag);
    return 0;
}
