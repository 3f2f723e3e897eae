/* read_bytes.h: bytes written as a file of a test's own folder, and read as signals. */
#ifndef SAL_TESTS_SIGNALS_READ_BYTES_H
#define SAL_TESTS_SIGNALS_READ_BYTES_H

#include "tests/check.h"
#include "tests/folder.h"
#include "tests/memory.h"

#include "base/house.h"
#include "signals/table.h"

#include <unistd.h>

static sig_signals signals;
static sal_diag diag;

/* Reads `data` [n] as a file of that name. */
static inline sal_status read_bytes(const char *name, const void *data, size_t n)
{
    sal_err err = {0};
    const char *path = in_folder(name);
    sig_clear(&signals);
    sal_diag_clear(&diag);
    CHECK_OK(sal_file_write(path, data, n, &err), err);
    return sig_read(&signals, path, NULL, &diag, &err);
}

static inline sal_status read_text(const char *name, const char *text)
{
    return read_bytes(name, text, strlen(text));
}

/* The text is refused, and the first complaint is this, behind the folder's name. */
static inline void refuse(const char *name, const char *text, const char *complaint)
{
    CHECK(read_text(name, text) == SAL_BADINPUT);
    const size_t n = strlen(folder) + 1;
    CHECK_TEXT(strlen(diag.first) > n ? diag.first + n : diag.first, complaint);
}

static inline double at(int row, const char *name)
{
    const int column = sig_find(&signals, name);
    CHECK(column >= 0 && row < signals.nrow);
    return column >= 0 && row < signals.nrow ? signals.value[row * signals.ncol + column]
                                             : (double)NAN;
}

/* Every allocation of a reader fails once: an error, or the same table where only the text of its
 * listing is lost; and nothing is left behind. */
static inline void exhaust(const char *name, const void *data, size_t n)
{
    sal_err err = {0};
    const char *path = in_folder(name);
    sig_signals whole, s;
    sal_diag own = {0};
    CHECK_OK(sal_file_write(path, data, n, &err), err);
    CHECK_OK(sig_read(&whole, path, NULL, &own, &err), err);
    sal_diag_clear(&own);
    for (long k = 1, enough = 0; !enough; k++) {
        memory_fails_at(k);
        const sal_status status = sig_read(&s, path, NULL, &own, &err);
        enough = memory_was_enough(k);
        CHECK(status == SAL_NOMEM ||
              (status == SAL_OK && s.ncol == whole.ncol && s.nrow == whole.nrow));
        sig_clear(&s);
        sal_diag_clear(&own);
    }
    sig_clear(&whole);
}

/* Removes what was written, and the folder. */
static inline void read_end(const char *const *files, size_t n)
{
    sig_clear(&signals);
    sal_diag_clear(&diag);
    for (size_t i = 0; i < n; i++) {
        remove(in_folder(files[i]));
    }
    rmdir(folder);
}

#endif
