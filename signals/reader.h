/* reader.h: what the readers of signals (signal_*.c, one format each) share; private to signals/ */
#ifndef SAL_SIGNALS_READER_H
#define SAL_SIGNALS_READER_H

#include "signals/cell.h"
#include "signals/table.h"

/* Each reads s->source, whose path and data are there, into the rest of s. */
sal_status sig_read_bvh(sig_signals *s, sal_diag *diag, sal_err *err);
sal_status sig_read_c3d(sig_signals *s, sal_diag *diag, sal_err *err);
/* Its force plates alone, a row for each of their samples. */
sal_status sig_read_c3d_plates(sig_signals *s, sal_diag *diag, sal_err *err);
sal_status sig_read_csv(sig_signals *s, sal_diag *diag, sal_err *err);
sal_status sig_read_sto(sig_signals *s, sal_diag *diag, sal_err *err);
sal_status sig_read_json(sig_signals *s, sal_diag *diag, sal_err *err);
/* Whether it begins as an object of JSON. */
bool sig_is_json(const sal_source *source);
sal_status sig_read_npz(sig_signals *s, sal_diag *diag, sal_err *err);
sal_status sig_read_pickle(sig_signals *s, sal_diag *diag, sal_err *err);
sal_status sig_read_hdf5(sig_signals *s, sal_diag *diag, sal_err *err);
sal_status sig_read_mat(sig_signals *s, sal_diag *diag, sal_err *err);
/* Their clips alone, where they have several or one with a name. */
sal_status sig_hdf5_names(sig_signals *s, sig_names *names, sal_diag *diag, sal_err *err);
sal_status sig_mat_names(sig_signals *s, sig_names *names, sal_diag *diag, sal_err *err);
sal_status sig_pickle_names(sig_signals *s, sig_names *names, sal_diag *diag, sal_err *err);
sal_status sig_read_trc(sig_signals *s, sal_diag *diag, sal_err *err);

/* A block that holds `n` bytes and a zero, blanks inside as _; NULL: no memory. */
char *sig_word(const char *bytes, size_t n);
/* Room for n markers, of which none has a name yet. */
sal_status sig_markers(sig_signals *s, int n, sal_err *err);
/* Makes the names of columns unique, with a warning for each that was not. */
sal_status sig_unique(sig_signals *s, sal_diag *diag, sal_err *err);

typedef struct sig_signal_table {
    /* where the first row begins */
    size_t at;
    /* of cells */
    char separator;
    /* columns may hold words; else every cell is a number or missing */
    bool words;
    /* a row may end in a separator */
    bool slack;
    /* '.', 0: '.'; ',' */
    char decimal;
    /* lines of other lengths that begin with # or % are none of it */
    bool comments;
} sig_signal_table;

/* The rows of a table in text, a number or nothing in each cell. Every row has ncol cells. */
sal_status sig_signals_table(sig_signals *s, const sig_signal_table *t, sal_diag *diag,
                             sal_err *err);

/* Binary formats: takes the file's bytes out of the source, and begins the listing in their place.
 * The caller frees them. */
unsigned char *sig_bytes(sig_signals *s, size_t *n);
/* Adds a line to the listing; the place of it. */
sal_place sig_list(sig_signals *s, const char *format, ...) SAL_PRINTF(2, 3);
/* Adds a line for every row, "WORD FIRST", "WORD FIRST+1", ..., and says that this is where they
 * stand. */
sal_status sig_list_rows(sig_signals *s, const char *word, long long first, sal_err *err);
/* Complains of every number that is not finite, in rows that are listed. */
void sig_check_finite(const sig_signals *s, sal_diag *diag);

/* Complains of markers that stand at exactly 0 0 0 in some rows, which some programs write for a
 * marker they have lost. */
void sig_warn_origin(const sig_signals *s, sal_diag *diag);
/* Complains of a rate that the times do not have. place: of the rate. */
void sig_warn_rate(const sig_signals *s, sal_place place, sal_diag *diag);

#endif
