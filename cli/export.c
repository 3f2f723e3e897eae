#include "cli/cli.h"

#include "runs/runs.h"

#include <string.h>

static sal_status write_mjcf(const sal_result *result, sal_text *text, sal_err *err)
{
    const sal_identification_result *found = sal_identification_of(result);
    if (found == NULL || found->model_xml == NULL) {
        return sal_fail(err, SAL_BADINPUT,
                        "this result holds no identified model; --to mjcf needs the result of a "
                        "problem with <estimate>");
    }
    sal_text_add(text, found->model_xml);
    return text->failed ? sal_fail(err, SAL_NOMEM, "out of memory") : SAL_OK;
}

static const struct {
    const char *name;
    sal_status (*write)(const sal_result *result, sal_text *text, sal_err *err);
} formats[] = {{"csv", sal_result_csv}, {"mjcf", write_mjcf}};

int cli_export(const cli_arguments *a)
{
    enum { NFORMAT = sizeof formats / sizeof formats[0] };
    sal_result *result;
    sal_err err = {0};
    sal_text text = {0};
    const char *format = a->value[CLI_OPT_TO];
    size_t k = 0;
    while (k < NFORMAT && (format == NULL || strcmp(format, formats[k].name) != 0)) {
        k++;
    }
    if (k == NFORMAT) {
        cli_say(format == NULL ? "error: --to is missing; supported formats: csv, mjcf%s"
                               : "error: unknown format '%.40s'; supported formats: csv, mjcf",
                format == NULL ? "" : format);
        return CLI_EXIT_USAGE;
    }
    int code = cli_read_result(a, a->file[0], &result);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    cli_warn_unsolved(result);
    const sal_status status = formats[k].write(result, &text, &err);
    code = status == SAL_OK ? cli_write(a, &text, a->value[CLI_OPT_OUTPUT])
                            : cli_fail(a, status, &err);
    sal_text_clear(&text);
    sal_result_free(result);
    return code;
}
