/* Any bytes as what a sweep leaves in its folder (plan, record and sweep file, a line of three =
 * between them): an error or a table of all cells of the plan, and a page that is well-formed,
 * never a crash. */
#include "tests/problems/markup.h"
#include "tests/problems/problem_files.h"

#include "pages/pages.h"
#include "sweeps/folder.h"

/* The cell whose record it is */
#define FOLDER_HASH "ab00000000000000000000000000000000000000000000000000000000000001"

static const char folder_mark[] = "\n===\n";

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

static const char *find_mark(const char *text, size_t n)
{
    const size_t length = sizeof folder_mark - 1;
    for (size_t i = 0; i + length <= n; i++) {
        if (memcmp(text + i, folder_mark, length) == 0) {
            return text + i;
        }
    }
    return NULL;
}

static void write_folder(const char *text, size_t n)
{
    static const char *const name[] = {"plan.tsv", "cells/ab/" FOLDER_HASH ".tsv", "sweep.xml"};
    static bool made;
    if (!made) {
        mkdir(files_path("cells"), 0777);
        mkdir(files_path("cells/ab"), 0777);
        made = true;
    }
    for (int i = 0; i < 3; i++) {
        const char *mark = i == 2 ? NULL : find_mark(text, n);
        const size_t length = mark == NULL ? n : (size_t)(mark - text);
        files_write(name[i], text, length);
        const size_t used = mark == NULL ? n : length + sizeof folder_mark - 1;
        text += used;
        n -= used;
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    sal_sweep_view *view;
    sal_table *t = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_text out = {0};
    write_folder((const char *)data, n);
    const sal_status status = sal_sweep_look(&view, files_folder(), &err);
    if (status != SAL_OK) {
        if (view != NULL || err.message[0] == 0) {
            abort();
        }
        return 0;
    }
    if (sal_table_make(&t, view, NULL, &diag, &err) == SAL_OK) {
        sal_table_write(&out, t, SAL_TABLE_JSON);
        if (t->nrow != view->ncell || out.failed) {
            abort();
        }
    }
    sal_text_clear(&out);
    if (sal_sweep_report(view, &out, &err) == SAL_OK) {
        if (out.failed || count_elements(out.data) < 0) {
            abort();
        }
    } else if (err.message[0] == 0) {
        abort();
    }
    sal_text_clear(&out);
    sal_table_free(t);
    sal_diag_clear(&diag);
    sal_sweep_view_free(view);
    return 0;
}
