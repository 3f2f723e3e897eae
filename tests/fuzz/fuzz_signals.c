/* Any bytes as a file of recorded signals, of the format that the first byte picks: an error, or
 * signals and a description; never a crash. For npz they are also an array in an archive, whose
 * checksum is right. */
#include "tests/problems/problem_files.h"
#include "tests/signals/zip_stored.h"

#include "base/base.h"
#include "problems/problems.h"
#include "signals/signals.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

static void describe(const char *format, const char *data, size_t n)
{
    sal_diag diag = {0};
    sal_err err;
    sal_text out = {0};
    files_write("signals", data, n);
    for (int json = 0; json < 2; json++) {
        const sal_status status =
            sal_signals_describe(&out, files_path("signals"), format, NULL, json, &diag, &err);
        if (status == SAL_OK && out.length == 0) {
            abort();
        }
        sal_text_clear(&out);
        sal_diag_clear(&diag);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    static const char *const formats[] = {"csv", "sto",   "trc",    "bvh", "c3d",
                                          "npz", "array", "pickle", "json"};
    enum { NFORMAT = sizeof formats / sizeof formats[0] };
    if (n == 0) {
        return 0;
    }
    const char *format = formats[data[0] % NFORMAT], *text = (const char *)data + 1;
    if (strcmp(format, "array") != 0) {
        describe(format, text, n - 1);
        return 0;
    }
    zip_stored z = {0};
    zip_add(&z, "x.npy", text, n - 1);
    zip_end(&z);
    describe("npz", z.file.data, z.file.length);
    sal_text_clear(&z.file);
    return 0;
}
