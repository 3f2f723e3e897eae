/* Archives of arrays: read by NumPy's rules (numpy_rules.py), by NumPy where it is there, and by
 * our own reader. */
#include "tests/check.h"
#include "tests/folder.h"
#include "tests/memory.h"

#include "signals/npz_write.h"
#include "signals/table.h"

#include <unistd.h>

static void name_joint(const void *ctx, size_t i, char text[SIG_NPZ_WORD])
{
    static const char *const names[] = {"hip", "kn\xC3\xA9", ""};
    (void)ctx;
    snprintf(text, SIG_NPZ_WORD, "%s", names[i]);
}

static const double q[] = {1, -2.5, 1e300, .1, 0, 6}, one[] = {50}, flags[] = {0, 1, 255},
                    whole[] = {-3, 1e15, 2.6};

/* Everything there is: SAL_OK and the archive in out. */
static sal_status make(sal_text *out, sal_err *err)
{
    sig_npz *z = NULL;
    const sal_status status = sig_npz_create(&z, err);
    if (status != SAL_OK) {
        return status;
    }
    sig_npz_add(z, &(sig_npz_array){"fps", "<i8", 1, {1}, one});
    sig_npz_add(z, &(sig_npz_array){"q", "<f8", 2, {3, 2}, q});
    sig_npz_add(z, &(sig_npz_array){"half", "<f4", 3, {1, 2, 2}, (double[]){1, -2.5, .25, 0}});
    sig_npz_add(z, &(sig_npz_array){"flag", "|u1", 1, {3}, flags});
    sig_npz_add(z, &(sig_npz_array){"whole", "<i8", 2, {3, 1}, whole});
    sig_npz_add(z, &(sig_npz_array){"none", "<f4", 2, {0, 4}, NULL});
    sig_npz_add(z, &(sig_npz_array){"lone", "<f8", 0, {0}, one});
    sig_npz_add_words(z, "names", 3, name_joint, NULL);
    return sig_npz_close(z, out, err);
}

/* What numpy_rules.py shows of a file; its exit code. */
static int rules(const char *path, char *shown, size_t size)
{
    char line[2200];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(line, sizeof line, "python3 %s/tests/signals/numpy_rules.py %s 2>&1",
             root == NULL ? "." : root, path);
    FILE *in = popen(line, "r");
    const size_t n = in == NULL ? 0 : fread(shown, 1, size - 1, in);
    shown[n] = 0;
    return in == NULL ? -1 : pclose(in);
}

static void numpy_reads_them(void)
{
    char shown[4000];
    sal_text out = {0}, again = {0};
    sal_err err = {0};
    CHECK_OK(make(&out, &err), err);
    CHECK_OK(make(&again, &err), err);
    CHECK(out.length == again.length && memcmp(out.data, again.data, out.length) == 0);
    CHECK_OK(sal_file_write(in_folder("a.npz"), out.data, out.length, &err), err);
    CHECK(rules(in_folder("a.npz"), shown, sizeof shown) == 0);
    CHECK_TEXT(shown, "fps <i8 (1,) [50]\n"
                      "q <f8 (3, 2) [1.0, -2.5, 1e+300, 0.1, 0.0, 6.0]\n"
                      "half <f4 (1, 2, 2) [1.0, -2.5, 0.25, 0.0]\n"
                      "flag |u1 (3,) [0, 1, 255]\n"
                      "whole <i8 (3, 1) [-3, 1000000000000000, 3]\n"
                      "none <f4 (0, 4) []\n"
                      "lone <f8 () [50.0]\n"
                      "names <U3 (3,) ['hip', 'kn\xC3\xA9', '']\n");
    out.data[out.length / 3] ^= 1; /* the rules are looked at */
    CHECK_OK(sal_file_write(in_folder("a.npz"), out.data, out.length, &err), err);
    CHECK(rules(in_folder("a.npz"), shown, sizeof shown) != 0);
    sal_text_clear(&out);
    sal_text_clear(&again);
}

static void our_reader_reads_them(void)
{
    sig_npz *z = NULL;
    sig_signals signals = {0};
    sal_text out = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK_OK(sig_npz_create(&z, &err), err);
    sig_npz_add(z, &(sig_npz_array){"fps", "<i8", 1, {1}, (double[]){2}}); /* no column */
    sig_npz_add(z, &(sig_npz_array){"q", "<f8", 2, {3, 2}, q});
    sig_npz_add(z, &(sig_npz_array){"v", "<f4", 1, {3}, (double[]){0, .5, 1}});
    CHECK_OK(sig_npz_close(z, &out, &err), err);
    CHECK_OK(sal_file_write(in_folder("b.npz"), out.data, out.length, &err), err);
    CHECK_OK(sig_read(&signals, in_folder("b.npz"), NULL, &diag, &err), err);
    CHECK(signals.nrow == 3 && signals.ncol == 3 && signals.time < 0);
    CHECK_NEAR(signals.rate, 2, 0);
    CHECK(sig_find(&signals, "q_1") == 1);
    sig_clear(&signals);
    sal_diag_clear(&diag);
    sal_text_clear(&out);
}

/* Each allocation fails once: an error, or the whole archive. */
static void memory_runs_out(void)
{
    long failures = 0;
    sal_text whole_one = {0};
    sal_err err = {0};
    CHECK_OK(make(&whole_one, &err), err);
    for (long n = 1; n < 1000; n++) {
        sal_text out = {0};
        memory_fails_at(n);
        const sal_status status = make(&out, &err);
        const bool over = memory_was_enough(n);
        CHECK(status == SAL_NOMEM || (status == SAL_OK && out.length == whole_one.length));
        failures += status == SAL_NOMEM;
        sal_text_clear(&out);
        if (over) {
            break;
        }
    }
    CHECK(failures > 10);
    sal_text_clear(&whole_one);
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL);
    RUN(numpy_reads_them);
    RUN(our_reader_reads_them);
    RUN(memory_runs_out);
    remove(in_folder("a.npz"));
    remove(in_folder("b.npz"));
    rmdir(folder);
    return check_done();
}
