/* signals.h: files of recorded signals, and conditions over columns of numbers and words. */
#ifndef SAL_SIGNALS_H
#define SAL_SIGNALS_H

#include "base/base.h"

/* of a table or a condition */
typedef struct sal_value {
    /* NULL: none, only a number */
    const char *text;
    /* NaN: not one; nothing at all where there is no text, or an empty one, either */
    double number;
} sal_value;

/* What was understood of a file of recorded signals (csv, sto, mot, trc, bvh, npz, pickle, c3d),
 * for people or as JSON: rows, rate, columns with units and ranges, what is missing, guesses, and a
 * <data> element to begin with. format: NULL: by the ending of the name. clip: which of several in
 * the file; NULL: the only one. SAL_BADINPUT also with something in out: times that do not grow. */
sal_status sal_signals_describe(sal_text *out, const char *path, const char *format,
                                const char *clip, bool json, sal_diag *diag, sal_err *err);

#endif
