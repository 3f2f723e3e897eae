#include "cli/cli.h"

#include "guide/guide.h"

int cli_new(const cli_arguments *a)
{
    sal_model *m;
    sal_text text = {0};
    sal_err err = {0};
    int code = cli_read_model(a, a->file[0], &m);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    const sal_status status = sal_problem_draft(&text, m, a->file[0], &err);
    code = status == SAL_OK ? cli_write(a, &text, NULL) : cli_fail(a, status, &err);
    sal_text_clear(&text);
    sal_model_free(m);
    return code;
}
