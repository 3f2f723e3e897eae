/* say.c: what the command says on standard error, and the exit code that follows from it. */
#include "cli/cli.h"
#include "cli/ranks.h"

#include "problems/result/result.h"

#include <stdarg.h>
#include <string.h>

void cli_say(const char *format, ...)
{
    char line[2048] = "saltus: ";
    const size_t begin = strlen(line), room = sizeof line - begin - 1; /* a newline behind it */
    va_list args;
    va_start(args, format);
    vsnprintf(line + begin, room, format, args);
    va_end(args);
    const size_t end = strlen(line);
    line[end] = '\n';
    line[end + 1] = 0;
    cli_ranks_put(line);
}

static int exit_of(sal_status status)
{
    switch (status) {
    case SAL_OK:
        return CLI_EXIT_OK;
    case SAL_BADINPUT:
    case SAL_UNSUPPORTED:
        return CLI_EXIT_BADINPUT;
    case SAL_BADPATH:
        return CLI_EXIT_BADPATH;
    case SAL_INTERRUPTED:
        return CLI_EXIT_INTERRUPTED;
    case SAL_NOMEM:
    case SAL_FULL:
    case SAL_DIVERGED:
    case SAL_SINGULAR:
    case SAL_INTERNAL:
        break;
    }
    return CLI_EXIT_STOPPED;
}

/* {"status": .., "exit_code": .., "message": ..} */
static void show_json(const cli_arguments *a, sal_status status, const char *message)
{
    sal_text text = {0};
    sal_json json = {.out = &text, .lines = true};
    if (a->given[CLI_OPT_JSON]) {
        sal_json_object(&json, NULL);
        sal_json_string(&json, "status", sal_status_text(status));
        sal_json_integer(&json, "exit_code", exit_of(status));
        sal_json_string(&json, "message", message);
        sal_json_end(&json);
        puts(text.failed ? "{\"status\": \"out of memory\"}" : text.data);
    }
    sal_text_clear(&text);
}

int cli_fail(const cli_arguments *a, sal_status status, const sal_err *err)
{
    cli_say("error: %s", err->message);
    show_json(a, status, err->message);
    cli_ranks_fail();
    return exit_of(status);
}

int cli_show(const cli_arguments *a, sal_status status, sal_diag *diag, const sal_err *err)
{
    const bool shown = diag->text.data != NULL && (diag->nerror > 0 || !a->given[CLI_OPT_QUIET]);
    if (shown) {
        cli_ranks_put(diag->text.data);
    }
    const bool said = shown && diag->nerror > 0 && status == SAL_BADINPUT;
    if (status != SAL_OK && !said) {
        cli_say("error: %s", err->message);
    } else if (diag->nerror - diag->nrepeated > 1) {
        cli_say("%d errors", diag->nerror - diag->nrepeated);
    }
    if (status != SAL_OK) {
        show_json(a, status, diag->nerror > 0 ? diag->first : err->message);
        cli_ranks_fail();
    }
    sal_diag_clear(diag);
    return exit_of(status);
}

/* ---- what several verbs warn of, or refuse ---- */

void cli_warn_still(const cli_arguments *a, const sal_model *m)
{
    if (m->nv == 0 && !a->given[CLI_OPT_QUIET]) {
        cli_say("warning: the model has no joints, so nothing can move");
    }
}

int cli_fail_still(const cli_arguments *a, const sal_model *m, const char *lack)
{
    sal_err err;
    return m->nv > 0 ? CLI_EXIT_OK
                     : cli_fail(a,
                                sal_fail(&err, SAL_BADINPUT,
                                         "the model has no joints, so nothing can move: %s", lack),
                                &err);
}

void cli_warn_unsolved(const sal_result *result)
{
    char verdict[PRB_VERDICT];
    if (result->judged && prb_result_is_solved(result) && !result->as_asked) {
        prb_verdict(result, verdict);
        cli_say("WARNING: this motion is %s", verdict);
    } else if (result->exit_code != CLI_EXIT_OK) {
        cli_say("WARNING: this %s is not a solution; its status is '%s'",
                sal_identification_of(result) == NULL ? "motion" : "estimate", result->status);
    }
}

void cli_say_lines(const cli_arguments *a, const sal_text *lines)
{
    for (const char *line = lines->data; line != NULL && *line != 0 && !a->given[CLI_OPT_QUIET];) {
        const int n = (int)strcspn(line, "\n");
        cli_say("%.*s", n, line);
        line += n + 1;
    }
}
