/* convert.c: a model of MJCF or URDF as one flat file of MJCF. */
#include "cli/cli.h"

int cli_convert(const cli_arguments *a)
{
    const char *path = a->value[CLI_OPT_OUTPUT];
    const sal_load_options options = cli_load_options(a);
    sal_text text = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    cli_kind kind;
    int code = cli_sniff(a, a->file[0], &kind);
    if (code == CLI_EXIT_OK && kind == CLI_KIND_RESULT) {
        cli_say("error: '%.300s' is a result; write its model with saltus export --to mjcf",
                a->file[0]);
        code = CLI_EXIT_USAGE;
    }
    if (code == CLI_EXIT_OK) {
        const sal_status status = sal_model_convert(&text, a->file[0], &options, &diag, &err);
        code = cli_show(a, status, &diag, &err);
    }
    if (code == CLI_EXIT_OK) {
        code = cli_write(a, &text, path);
    }
    sal_text_clear(&text);
    return code;
}
