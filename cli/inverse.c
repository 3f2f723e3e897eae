#include "cli/cli.h"

#include "runs/runs.h"

#include <string.h>

/* "dir/out.csv" -> "dir/out.contacts.csv" */
static void contacts_path(const char *path, char *out, size_t n)
{
    const size_t length = strlen(path);
    const bool csv = length > 4 && strcmp(path + length - 4, ".csv") == 0;
    snprintf(out, n, "%.*s.contacts.csv", (int)(csv ? length - 4 : length), path);
}

int cli_inverse(const cli_arguments *a)
{
    sal_model *m;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_text text = {0}, contacts = {0};
    char second[4096];
    const sal_inverse_options options = {.full = a->given[CLI_OPT_FULL]};
    const char *output = a->value[CLI_OPT_OUTPUT];
    const bool want_contacts = options.full && output != NULL && !cli_writes_out(a);
    int code = cli_read_model(a, a->file[0], &m);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    code = cli_fail_still(a, m, "there are no forces to compute");
    if (code != CLI_EXIT_OK) {
        sal_model_free(m);
        return code;
    }
    const sal_status status = sal_inverse_csv(m, a->file[1], &options, &text,
                                              want_contacts ? &contacts : NULL, &diag, &err);
    code = cli_show(a, status, &diag, &err);
    if (code == CLI_EXIT_OK && want_contacts) {
        contacts_path(output, second, sizeof second);
        code = cli_write(a, &contacts, second);
    }
    if (code == CLI_EXIT_OK) {
        code = cli_write(a, &text, output);
    }
    sal_text_clear(&text);
    sal_text_clear(&contacts);
    sal_model_free(m);
    return code;
}
