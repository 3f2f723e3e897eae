#include "cli/cli.h"

#include <string.h>
#include <sys/stat.h>

/* page.html in the folder of the result */
static void default_page(const char *result, char *out, size_t n)
{
    struct stat info;
    const char *slash = strrchr(result, '/');
    if (stat(result, &info) == 0 && S_ISDIR(info.st_mode)) {
        snprintf(out, n, "%s/page.html", result);
    } else {
        snprintf(out, n, "%.*spage.html", slash == NULL ? 0 : (int)(slash + 1 - result), result);
    }
}

int sal_cli_report(const sal_arguments *a)
{
    sal_result *result;
    sal_err err = {0};
    sal_text text = {0};
    char page[4096];
    int code = sal_cli_read_result(a, a->file[0], &result);
    if (code != SAL_EXIT_OK) {
        return code;
    }
    if (a->given[SAL_OPT_OUTPUT]) {
        snprintf(page, sizeof page, "%s", a->value[SAL_OPT_OUTPUT]);
    } else {
        default_page(a->file[0], page, sizeof page);
    }
    if (result->exit_code != SAL_EXIT_OK) {
        sal_cli_say("WARNING: this motion is not a solution: %s", result->status);
    }
    const sal_status status = sal_result_report(result, &text, &err);
    code = status == SAL_OK ? sal_cli_write(a, &text, page) : sal_cli_fail(a, status, &err);
    if (code == SAL_EXIT_OK && !a->given[SAL_OPT_QUIET]) {
        fprintf(stderr, "page: %s\n", page);
    }
    sal_text_clear(&text);
    sal_result_free(result);
    return code;
}
