#include "cli/cli.h"

#include "guide/guide.h"

int cli_schema(const cli_arguments *a)
{
    sal_text text = {0};
    sal_schema(&text);
    const int code = cli_write(a, &text, a->value[CLI_OPT_OUTPUT]);
    sal_text_clear(&text);
    return code;
}
