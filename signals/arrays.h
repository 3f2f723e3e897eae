/* arrays.h: arrays of numbers, as programs in Python have them, as columns of signals; private to
 * signals/. */
#ifndef SAL_SIGNALS_ARRAYS_H
#define SAL_SIGNALS_ARRAYS_H

#include "signals/table.h"

enum { SIG_ARRAY_NDIM = 3 };

typedef struct sig_array {
    char *name;
    /* [n]; in own, which is freed with it, or another's */
    const unsigned char *bytes;
    unsigned char *own;
    size_t n;
    /* where the numbers begin */
    size_t data;
    /* NumPy's, "<f8"; "": not one word */
    char descr[8];
    /* the first index runs fastest, not the last */
    bool fortran;
    /* of which SIG_ARRAY_NDIM are kept */
    int ndim;
    size_t shape[SIG_ARRAY_NDIM];
    /* bytes of a number; 0: it is none that we read */
    size_t item;
    sal_place place;
} sig_array;

typedef struct sig_arrays {
    sig_array *list;
    int n;
} sig_arrays;

/* Bytes of a number of this type; 0: it is none that we read. */
size_t sig_array_item(const char *descr);
/* How many numbers its shape wants. */
size_t sig_array_count(const sig_array *a);
/* Makes an array of n numbers of double precision, which are still to be put in; shape and ndim are
 * the caller's. false: no memory. */
bool sig_array_begin(sig_array *a, size_t n);
void sig_array_put(sig_array *a, size_t i, double x);
/* Makes an array of n words of at most SIG_WORD_MOST bytes, still to be put in. false: no
 * memory. */
enum { SIG_WORD_MOST = 128 };
bool sig_array_begin_words(sig_array *a, size_t n);
void sig_array_put_word(sig_array *a, size_t i, const char *bytes, size_t n);
/* Number i of the names that a lone number has that is the rate or the time between two rows; NULL:
 * there are no more. */
const char *sig_rate_name(int i);
void sig_arrays_clear(sig_arrays *z);
/* Makes columns of them, and the rate of a lone number. SAL_BADINPUT, all of it in diag, where it
 * is not clear which rows are the instants, or no array has rows. */
sal_status sig_arrays_read(sig_signals *s, sig_arrays *z, sal_diag *diag, sal_err *err);

#endif
