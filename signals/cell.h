/* cell.h: the cells of tables in text: by commas (RFC 4180: quotes, CRLF) and the like, by tabs, or
 * by runs of blanks; private to signals/ */
#ifndef SAL_SIGNALS_CELL_H
#define SAL_SIGNALS_CELL_H

#include "base/house.h"

typedef struct sig_cell {
    /* of its content: without quotes and surrounding blanks */
    size_t begin, end;
    bool quoted;
    /* of its row */
    bool last;
    /* a quote without its partner, or text beside quotes */
    bool broken;
    /* where the next cell, or the next row, begins */
    size_t next;
} sig_cell;

/* The cell that begins at `at`. separator: ',', ';', '|' or '\t' (an empty cell is a cell), or ' '
 * (any blanks, as many as there are). A cell may stand in quotes. */
sig_cell sig_cell_next(const sal_source *s, size_t at, char separator);
/* Moves over blank lines; false at the end. */
bool sig_cell_find_row(const sal_source *s, size_t *at);
/* Cells of the row that begins at `at`. */
int sig_cell_count(const sal_source *s, size_t at, char separator);
/* Rows from `at` to the end: lines that are not blank (a quoted line break counts twice). */
size_t sig_cell_count_rows(const sal_source *s, size_t at);
sal_place sig_cell_place(const sal_source *s, const sig_cell *c);
/* Where the text begins: behind the mark that some programs put before UTF-8. */
size_t sig_cell_start(const sal_source *s);

#endif
