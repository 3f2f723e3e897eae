#include "cli/cli.h"

int sal_cli_schema(const sal_arguments *a)
{
    sal_text text = {0};
    sal_schema(&text);
    const int code = sal_cli_write(a, &text, a->value[SAL_OPT_OUTPUT]);
    sal_text_clear(&text);
    return code;
}
