/* csv.h: tables of numbers with a header (RFC 4180: quotes, CRLF; blank lines are skipped), read
 * whole; private to signals/ */
#ifndef SAL_SIGNALS_CSV_H
#define SAL_SIGNALS_CSV_H

#include "base/house.h"

typedef struct sig_csv_column {
    /* without quotes and surrounding blanks */
    char *name;
    sal_place place;
} sig_csv_column;

typedef struct sig_csv {
    sal_source source;
    int ncol;
    sig_csv_column *column;
    /* where the first row begins */
    size_t body;
    char *names;
} sig_csv;

/* Reads the file and its header. SAL_BADPATH if it cannot be read, SAL_BADINPUT (and diag) if it
 * has no header, or one with nameless columns. The table must be cleared whatever is returned. */
sal_status sig_csv_open(sig_csv *csv, const char *path, sal_diag *diag, sal_err *err);
void sig_csv_clear(sig_csv *csv);

/* The numbers of the columns pick[npick], row by row, and (if `rows` is not NULL) where each row
 * stands. Every row must have a cell for each column of the header; picked cells must hold numbers
 * (nan and inf are). Faults of all rows go to diag. The caller frees *data and *rows. */
sal_status sig_csv_read(const sig_csv *csv, const int *pick, int npick, double **data,
                        sal_place **rows, int *nrow, sal_diag *diag, sal_err *err);

#endif
