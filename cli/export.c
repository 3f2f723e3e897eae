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

static sal_status write_gains(const sal_result *result, sal_text *text, sal_err *err)
{
    sal_gains *gains;
    sal_status status = sal_gains_new(&gains, result, err);
    status = status == SAL_OK ? sal_gains_csv(gains, result, text, err) : status;
    sal_gains_free(gains);
    return status;
}

/* Gains within a copy of the result */
static int write_copy(const cli_arguments *a, const sal_result *result, const char *path)
{
    sal_gains *gains = NULL;
    sal_err err = {0};
    int code = cli_may_write(a, path, CLI_CONTENT_HDF5);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    sal_status status = sal_gains_new(&gains, result, &err);
    status = status == SAL_OK ? sal_gains_write(gains, result, path, &err) : status;
    code = status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
    sal_gains_free(gains);
    return code;
}

static int write_text(const cli_arguments *a, const sal_result *result,
                      sal_status (*write)(const sal_result *, sal_text *, sal_err *))
{
    sal_text text = {0};
    sal_err err = {0};
    const sal_status status = write(result, &text, &err);
    const int code = status == SAL_OK ? cli_write(a, &text, a->value[CLI_OPT_OUTPUT])
                                      : cli_fail(a, status, &err);
    sal_text_clear(&text);
    return code;
}

static const struct {
    const char *name;
    sal_status (*write)(const sal_result *result, sal_text *text, sal_err *err);
} formats[] = {{"csv", sal_result_csv}, {"gains", write_gains}, {"mjcf", write_mjcf}};

int cli_export(const cli_arguments *a)
{
    enum { NFORMAT = sizeof formats / sizeof formats[0] };
    sal_result *result;
    const char *format = a->value[CLI_OPT_TO];
    size_t k = 0;
    while (k < NFORMAT && (format == NULL || strcmp(format, formats[k].name) != 0)) {
        k++;
    }
    if (k == NFORMAT) {
        cli_say(format == NULL
                    ? "error: --to is missing; supported formats: csv, gains, mjcf%s"
                    : "error: unknown format '%.40s'; supported formats: csv, gains, mjcf",
                format == NULL ? "" : format);
        return CLI_EXIT_USAGE;
    }
    int code = cli_read_result(a, a->file[0], &result);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    cli_warn_unsolved(result);
    code = cli_content_written(a) == CLI_CONTENT_HDF5
               ? write_copy(a, result, a->value[CLI_OPT_OUTPUT])
               : write_text(a, result, formats[k].write);
    sal_result_free(result);
    return code;
}
