/* Any bytes as a problem file: an error or a problem, never a crash. */
#include "tests/problems/problem_files.h"

#include "identify/identify.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    static bool ready;
    sal_request request;
    sal_diag diag = {0};
    sal_err err;
    if (!ready) {
        files_write("m.xml", files_model, strlen(files_model));
        ready = true;
    }
    files_write("p.xml", (const char *)data, n);
    const sal_status status = sal_request_read(&request, files_path("p.xml"), NULL, &diag, &err);
    if ((status == SAL_OK) != (request.motion != NULL || request.identification != NULL) ||
        (status == SAL_BADINPUT && diag.nerror == 0)) {
        abort(); /* no reason was given */
    }
    sal_request_clear(&request);
    sal_diag_clear(&diag);
    return 0;
}
