#include "cli/cli.h"

int cli_import(const cli_arguments *a)
{
    sal_text text = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    const bool json = a->given[CLI_OPT_JSON];
    const sal_status status = sal_signals_describe(&text, a->file[0], a->value[CLI_OPT_FORMAT],
                                                   a->value[CLI_OPT_CLIP], json, &diag, &err);
    int code = cli_show(a, status, &diag, &err);
    if ((text.length > 0 || text.failed) && !(json && code != CLI_EXIT_OK)) {
        const int written = cli_write(a, &text, NULL);
        code = code == CLI_EXIT_OK ? written : code;
    }
    sal_text_clear(&text);
    return code;
}
