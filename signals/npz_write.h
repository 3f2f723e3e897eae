/* npz_write.h: an .npz, as numpy.savez writes it, in memory; open to the rooms above signals/.
 *
 *     sig_npz_create(&z, &err);
 *     sig_npz_add(z, &(sig_npz_array){"q", "<f4", 2, {T, nq}, q});
 *     sig_npz_add_words(z, "names", n, name_of, ctx);
 *     sig_npz_close(z, &text, &err);                    the first fault of all calls since
 *
 * The first fault sticks: later calls do nothing. The same calls with the same data give the same
 * bytes: no time stamps. Arrays are stored as they are, not compressed, and begin at multiples of
 * 64 bytes of their own file, as NumPy's do.
 */
#ifndef SAL_SIGNALS_NPZ_WRITE_H
#define SAL_SIGNALS_NPZ_WRITE_H

#include "base/base.h"

enum { SIG_NPZ_NDIM = 3, SIG_NPZ_WORD = 128 };

typedef struct sig_npz sig_npz;

typedef struct sig_npz_array {
    /* without .npy */
    const char *name;
    /* NumPy's: "<f8", "<f4", "<i8", "|u1"; whole numbers are rounded to */
    const char *type;
    int ndim;
    size_t shape[SIG_NPZ_NDIM];
    /* by rows */
    const double *data;
} sig_npz_array;

sal_status sig_npz_create(sig_npz **z, sal_err *err);
void sig_npz_add(sig_npz *z, const sig_npz_array *array);
/* An array of n words, NumPy's "<U..": word i is what `word` writes, in UTF-8. */
void sig_npz_add_words(sig_npz *z, const char *name, size_t n,
                       void (*word)(const void *ctx, size_t i, char text[SIG_NPZ_WORD]),
                       const void *ctx);
/* The archive to `out`; frees z, whatever it returns. out may be NULL: only frees. */
sal_status sig_npz_close(sig_npz *z, sal_text *out, sal_err *err);

#endif
