#include "cli/cli.h"

#include <string.h>

int sal_cli_export(const sal_arguments *a)
{
    sal_result *result;
    sal_err err = {0};
    sal_text text = {0};
    const char *format = a->value[SAL_OPT_TO];
    if (format == NULL || strcmp(format, "csv") != 0) {
        sal_cli_say("error: %s%.40s%s; --to csv is what there is",
                    format == NULL ? "a format is wanted" : "there is no format '",
                    format == NULL ? "" : format, format == NULL ? "" : "'");
        return SAL_EXIT_USAGE;
    }
    int code = sal_cli_read_result(a, a->file[0], &result);
    if (code != SAL_EXIT_OK) {
        return code;
    }
    if (result->exit_code != SAL_EXIT_OK) {
        sal_cli_say("WARNING: this motion is not a solution: %s", result->status);
    }
    const sal_status status = sal_result_csv(result, &text, &err);
    code = status == SAL_OK ? sal_cli_write(a, &text, a->value[SAL_OPT_OUTPUT])
                            : sal_cli_fail(a, status, &err);
    sal_text_clear(&text);
    sal_result_free(result);
    return code;
}
