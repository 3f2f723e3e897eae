#include "cli/cli.h"

int sal_cli_import(const sal_arguments *a)
{
    sal_text text = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    const bool json = a->given[SAL_OPT_JSON];
    const sal_status status =
        sal_signals_describe(&text, a->file[0], a->value[SAL_OPT_FORMAT], json, &diag, &err);
    int code = sal_cli_show(a, status, &diag, &err);
    if (text.length > 0 && !(json && code != SAL_EXIT_OK)) {
        const int written = sal_cli_write(a, &text, NULL);
        code = code == SAL_EXIT_OK ? written : code;
    }
    sal_text_clear(&text);
    return code;
}
