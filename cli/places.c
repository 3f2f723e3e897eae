/* places.c: where the files of a problem are, of a result's and of one that is written. */
#include "cli/places.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RUN_MOST = 1 << 20 };

/* The text behind "key": in an account that we wrote (base/json.c); false: there is none. */
static bool text_in(const char *json, const char *key, char *out, size_t n)
{
    char mark[64];
    snprintf(mark, sizeof mark, "\"%s\": \"", key);
    const char *at = strstr(json, mark);
    size_t k = 0;
    for (at = at == NULL ? "" : at + strlen(mark); *at != 0 && *at != '"' && k + 1 < n; at++) {
        if (*at == '\\' && at[1] == 'u') { /* a control character */
            char code[5] = "";
            memcpy(code, at + 2, strnlen(at + 2, 4));
            out[k++] = (char)strtol(code, NULL, 16);
            at += 1 + strlen(code);
        } else {
            at += *at == '\\' && at[1] != 0;
            out[k++] = *at;
        }
    }
    out[k] = 0;
    return k > 0 && *at == '"';
}

sal_status cli_places_beside(const char *result, cli_places *p, sal_err *err)
{
    char path[4200], *text = NULL;
    size_t n = 0;
    struct stat info;
    *p = (cli_places){0};
    const bool folder = stat(result, &info) == 0 && S_ISDIR(info.st_mode);
    const char *slash = folder ? NULL : strrchr(result, '/');
    const int length = folder ? (int)strlen(result) : slash == NULL ? 1 : (int)(slash - result);
    snprintf(path, sizeof path, "%.*s/run.json", length, folder || slash != NULL ? result : ".");
    const sal_status status = sal_text_read_file(path, RUN_MOST, &text, &n, err);
    if (status == SAL_OK) {
        text_in(text, "problem_file", p->problem, sizeof p->problem);
        text_in(text, "model_file", p->model, sizeof p->model);
    }
    sal_free(text);
    return status == SAL_NOMEM ? status : SAL_OK;
}

int cli_find_problem(const cli_arguments *a, cli_places *p)
{
    sal_err err = {0};
    if (a->given[CLI_OPT_PROBLEM]) {
        *p = (cli_places){0};
        snprintf(p->problem, sizeof p->problem, "%s", a->value[CLI_OPT_PROBLEM]);
    } else if (cli_places_beside(a->file[0], p, &err) != SAL_OK) {
        return cli_fail(a, SAL_NOMEM, &err);
    }
    if (p->problem[0] == 0) {
        cli_say("error: no run.json beside '%.300s' says where the files of its problem are; name "
                "the problem file with --problem FILE",
                a->file[0]);
        return CLI_EXIT_BADINPUT;
    }
    return CLI_EXIT_OK;
}

const char *cli_path_in_file(const cli_arguments *a, const char *path, char full[PATH_MAX])
{
    const char *output = a->value[CLI_OPT_OUTPUT];
    const bool elsewhere = output != NULL && strchr(output, '/') != NULL;
    return elsewhere && realpath(path, full) != NULL ? full : path;
}
