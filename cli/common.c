#include "cli/folder.h"
#include "cli/ranks.h"

#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

/* ---- saying what happened ---- */

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
    if (status != SAL_OK && !(shown && status == SAL_BADINPUT)) {
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

/* ---- files ---- */

int cli_write(const cli_arguments *a, const sal_text *text, const char *path)
{
    sal_err err;
    if (text->failed) {
        sal_fail(&err, SAL_NOMEM, "out of memory");
        return cli_fail(a, SAL_NOMEM, &err);
    }
    if (path == NULL || strcmp(path, "-") == 0) {
        fwrite(text->data, 1, text->length, stdout);
        return CLI_EXIT_OK; /* main looks after the standard output */
    }
    const int code = cli_may_write(a, path, cli_content_written(a));
    if (code != CLI_EXIT_OK) {
        return code;
    }
    const sal_status status =
        sal_file_write(path, text->data == NULL ? "" : text->data, text->length, &err);
    return status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
}

static bool wants_222(const cli_arguments *a)
{
    return a->given[CLI_OPT_COMPAT] && strcmp(a->value[CLI_OPT_COMPAT], "2.2.2") == 0;
}

/* --compat is a setting like others, so that the problem kept with the result has it. */
static int read_with_settings(const cli_arguments *a, sal_request *request, sal_sweep **s)
{
    sal_diag diag = {0};
    sal_err err = {0};
    if (request != NULL) {
        *request = (sal_request){0};
    }
    sal_problem_options options = {.nsetting = a->nsetting, .compat222 = wants_222(a)};
    sal_setting *settings = sal_alloc((size_t)a->nsetting + 1, sizeof *settings);
    if (settings == NULL) {
        sal_fail(&err, SAL_NOMEM, "out of memory");
        return cli_fail(a, SAL_NOMEM, &err);
    }
    for (int i = 0; i < a->nsetting; i++) {
        settings[i] = a->setting[i];
    }
    if (a->given[CLI_OPT_COMPAT]) {
        settings[options.nsetting++] = (sal_setting){"model/compat", a->value[CLI_OPT_COMPAT]};
    }
    options.setting = settings;
    const sal_status status = request != NULL
                                  ? sal_request_read(request, a->file[0], &options, &diag, &err)
                                  : sal_sweep_read(s, a->file[0], &options, &diag, &err);
    sal_free(settings);
    return cli_show(a, status, &diag, &err);
}

int cli_read_request(const cli_arguments *a, sal_request *request)
{
    return read_with_settings(a, request, NULL);
}

int cli_read_sweep(const cli_arguments *a, sal_sweep **s)
{
    return read_with_settings(a, NULL, s);
}

sal_load_options cli_load_options(const cli_arguments *a)
{
    return (sal_load_options){
        .compat222 = wants_222(a), .setting = a->setting, .nsetting = a->nsetting};
}

int cli_read_model(const cli_arguments *a, const char *path, sal_model **m)
{
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_load_options options = cli_load_options(a);
    const sal_status status = sal_model_load(m, path, &options, &diag, &err);
    return cli_show(a, status, &diag, &err);
}

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

/* The folder of a solve stands for the result in it, if there is one. */
static const char *result_path(const char *path, char *buffer, size_t n)
{
    struct stat info;
    const size_t length = strlen(path);
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return path;
    }
    snprintf(buffer, n, "%s%sresult.h5", path, length > 0 && path[length - 1] == '/' ? "" : "/");
    return stat(buffer, &info) == 0 ? buffer : path;
}

int cli_read_result(const cli_arguments *a, const char *path, sal_result **result)
{
    char buffer[4096];
    sal_err err = {0};
    const char *file = result_path(path, buffer, sizeof buffer);
    if (file == buffer) {
        cli_folder_settle(path);
    }
    const sal_status status = sal_request_read_result(result, file, &err);
    return status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
}

void cli_warn_unsolved(const sal_result *result)
{
    if (result->exit_code != CLI_EXIT_OK) {
        cli_say("WARNING: this %s is not a solution; its status is '%s'",
                sal_identification_of(result) == NULL ? "motion" : "estimate", result->status);
    }
}

int cli_sniff(const cli_arguments *a, const char *path, cli_kind *kind)
{
    static const char hdf5[] = "\x89HDF\r\n\x1a\n"; /* HDF5 File Format Specification, II.A */
    char buffer[4096], head[8] = {0};
    const char *file = result_path(path, buffer, sizeof buffer);
    const size_t n = sal_text_read_head(file, head, sizeof head);
    if (file != path || (n == sizeof head && memcmp(head, hdf5, n) == 0)) {
        *kind = CLI_KIND_RESULT;
        return CLI_EXIT_OK;
    }
    sal_xml_doc doc;
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_status status = sal_xml_read(&doc, path, &diag, &err);
    *kind = doc.root != NULL && strcmp(doc.root->tag, "mujoco") == 0 ? CLI_KIND_MODEL
                                                                     : CLI_KIND_PROBLEM;
    const int code = cli_show(a, status, &diag, &err);
    sal_xml_free(&doc);
    return code;
}
