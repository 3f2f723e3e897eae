/* csv_layout.h: how a table in text is written, as far as the file alone tells; private to signals/
 */
#ifndef SAL_SIGNALS_CSV_LAYOUT_H
#define SAL_SIGNALS_CSV_LAYOUT_H

#include "signals/cell.h"

typedef struct sig_csv_layout {
    /* where the first line of the table begins, that of names or of numbers */
    size_t at;
    /* between cells: ',', ';', '\t', '|', or ' ' (any blanks) */
    char separator;
    /* '.', or ',' where cells are not separated by commas */
    char decimal;
    /* rows end in a separator, which makes no cell */
    bool trailing;
} sig_csv_layout;

/* Lines before the table that begin with # or % (or are sep=;, which Excel writes) are passed over,
 * but for one of names: as many as the row behind it has numbers. Separator and decimal sign are
 * those with which the first two lines have as many cells, and the most numbers. */
sig_csv_layout sig_csv_find_layout(const sal_source *s, size_t start);
/* Whether a cell is a number. */
bool sig_csv_number(const sal_source *s, const sig_cell *c, char decimal, double *value);
/* Whether a line is a comment. */
bool sig_csv_is_comment(const sal_source *s, size_t at);

#endif
