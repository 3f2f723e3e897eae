/* Any bytes as the options of a table (lines: condition, columns, order, groups): an error or a
 * table, never a crash. */
#include "tests/pages/sweep_view.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

/* The table in all formats; it has a row for every cell, unless they are chosen, grouped or added
 * up. */
static void write_all(const sal_table *t, const sal_table_options *o)
{
    for (int format = SAL_TABLE_CSV; format <= SAL_TABLE_MARKDOWN; format++) {
        sal_text out = {0};
        sal_table_write(&out, t, (sal_table_format)format);
        if (out.failed || out.length == 0) {
            abort();
        }
        sal_text_clear(&out);
    }
    const bool all = o->where == NULL && o->group == NULL && !o->best;
    if (t->nrow > VIEW_CELLS || (all && t->nrow != VIEW_CELLS && t->nrow != 1)) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    static test_view made;
    char *text = malloc(n + 1), *line[5] = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    sal_table *t;
    if (text == NULL) {
        return 0;
    }
    if (n > 0) {
        memcpy(text, data, n);
    }
    text[n] = 0;
    char *at = text;
    for (int i = 0; i < 5 && at != NULL; i++) {
        char *end = strchr(at, '\n');
        line[i] = *at == 0 || *at == '\n' ? NULL : at;
        at = end == NULL ? NULL : end + 1;
        if (end != NULL) {
            *end = 0;
        }
    }
    view_make(&made);
    const sal_table_options options = {.where = line[0],
                                       .columns = line[1],
                                       .sort = line[2],
                                       .group = line[3],
                                       .best = line[4] != NULL};
    const sal_status status = sal_table_make(&t, &made.view, &options, &diag, &err);
    if (status == SAL_OK) {
        write_all(t, &options);
        sal_table_free(t);
    } else if (status != SAL_BADINPUT || diag.nerror == 0 || t != NULL) {
        abort();
    }
    sal_diag_clear(&diag);
    free(text);
    return 0;
}
