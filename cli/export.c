/* export.c: a result in the formats of other programs. */
#include "cli/cli.h"
#include "exports/exports.h"

#include "problems/result/result.h"
#include "runs/runs.h"

#include <string.h>

/* Of an identification the user's file with the parameters that were found; else the model in which
 * the motion moves. */
static sal_status write_mjcf(const sal_result *result, sal_text *text, sal_err *err)
{
    const sal_identification_result *found = sal_identification_of(result);
    const char *xml = found != NULL ? found->model_xml : result->model_xml;
    if (xml == NULL) {
        return sal_fail(err, SAL_BADINPUT, "this result holds no model");
    }
    sal_text_add(text, xml);
    return text->failed ? sal_fail(err, SAL_NOMEM, "out of memory") : SAL_OK;
}

/* Of an identification, all its recordings. */
static sal_status write_csv(const sal_result *result, sal_text *text, sal_err *err)
{
    return sal_identification_of(result) == NULL ? sal_result_csv(result, text, err)
                                                 : sal_identification_csv(result, text, err);
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

/* The rows of the result, or of so many whole periods */
static int write_table(const cli_arguments *a, const sal_result *result)
{
    sal_result *whole = NULL;
    sal_err err = {0};
    const sal_status status = sal_result_unroll(&whole, result, a->cycles, &err);
    const int code = status == SAL_OK ? write_text(a, whole != NULL ? whole : result, write_csv)
                                      : cli_fail(a, status, &err);
    sal_result_free(whole);
    return code;
}

static int write_feedback(const cli_arguments *a, const sal_result *result)
{
    return cli_content_written(a) == CLI_CONTENT_HDF5
               ? write_copy(a, result, a->value[CLI_OPT_OUTPUT])
               : write_text(a, result, write_gains);
}

static int write_model(const cli_arguments *a, const sal_result *result)
{
    return write_text(a, result, write_mjcf);
}

static const struct {
    const char *name;
    int (*write)(const cli_arguments *a, const sal_result *result);
    bool cycles;
} formats[] = {
    {"csv", write_table, true}, {"gains", write_feedback, false}, {"mjcf", write_model, false}};

enum { NFORMAT = sizeof formats / sizeof formats[0], NAMES_MAX = 32 };

/* ---- the files of the room exports ---- */

/* "walk.sto" and "_forces.mot": "walk_forces.mot". False: it does not fit. */
static bool name_file(char *path, size_t n, const char *first, const char *ending)
{
    const char *slash = strrchr(first, '/'), *dot = strrchr(first, '.');
    const bool ends = ending[0] != 0 && dot != NULL && dot > (slash == NULL ? first : slash + 1);
    const size_t length = ends ? (size_t)(dot - first) : strlen(first);
    return (size_t)snprintf(path, n, "%.*s%s", (int)length, first, ending) < n;
}

/* Every file first may be written. */
static int write_files(const cli_arguments *a, const sal_export *files)
{
    char path[SAL_EXPORT_FILES][4096];
    const char *first = a->value[CLI_OPT_OUTPUT];
    int code = CLI_EXIT_OK;
    for (int i = 0; i < files->n && files->n > 1 && code == CLI_EXIT_OK; i++) {
        if (!name_file(path[i], sizeof path[i], first, files->file[i].ending)) {
            cli_say("error: the path given with -o is too long");
            return CLI_EXIT_USAGE;
        }
        code = cli_may_write(a, path[i], cli_content_written(a));
    }
    for (int i = 0; i < files->n && code == CLI_EXIT_OK; i++) {
        code = cli_write(a, &files->file[i].text, files->n > 1 ? path[i] : first);
    }
    if (code == CLI_EXIT_OK && files->n > 1 && !a->given[CLI_OPT_QUIET]) {
        cli_say("wrote %.300s, %.300s and %.300s", path[0], path[1], path[2]);
    }
    return code;
}

static sal_export_options options_of(const cli_arguments *a)
{
    return (sal_export_options){
        .rate = a->rate, .cycles = a->cycles, .gains = a->given[CLI_OPT_GAINS]};
}

static int write_export(const cli_arguments *a, const sal_result *result,
                        const sal_export_format *format)
{
    const sal_export_options options = options_of(a);
    sal_export files = {0};
    sal_err err = {0};
    const sal_status status = sal_result_export(&files, result, format, &options, &err);
    const int code = status == SAL_OK ? write_files(a, &files) : cli_fail(a, status, &err);
    sal_export_clear(&files);
    return code;
}

/* ---- what is asked for ---- */

/* The format may be written to there, and take these options; else a message. */
static int check_export(const cli_arguments *a, const sal_export_format *format)
{
    const sal_export_options options = options_of(a);
    sal_err err = {0};
    if (sal_export_check(format, &options, &err) != SAL_OK) {
        cli_say("error: %s", err.message);
        return CLI_EXIT_USAGE;
    }
    if (format->several && (!a->given[CLI_OPT_OUTPUT] || cli_writes_out(a))) {
        cli_say("error: --to %s writes several files; name the first one with -o OUT.%s",
                format->name, format->ending);
        return CLI_EXIT_USAGE;
    }
    if (format->binary && !a->given[CLI_OPT_OUTPUT]) {
        cli_say("error: --to %s writes a binary file; name it with -o OUT.%s, or write -o - for "
                "standard output",
                format->name, format->ending);
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

/* The same of our own formats */
static int check_table(const cli_arguments *a, size_t which)
{
    const char *wrong = a->rate > 0                               ? "--rate"
                        : a->given[CLI_OPT_GAINS]                 ? "--gains"
                        : a->cycles > 0 && !formats[which].cycles ? "--cycles"
                                                                  : NULL;
    if (wrong != NULL) {
        cli_say("error: --to %s takes no %s; leave it out", formats[which].name, wrong);
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

const char *cli_export_format_name(int i)
{
    if (i < NFORMAT) {
        return formats[i].name;
    }
    const sal_export_format *format = sal_export_format_at(i - NFORMAT);
    return format == NULL ? NULL : format->name;
}

/* --to is missing or unknown: the formats there are, and which one was probably meant. */
static int refuse_format(const char *asked)
{
    const char *names[NAMES_MAX];
    char list[500] = "", meant[100] = "";
    size_t n = 0;
    while (n < NAMES_MAX && (names[n] = cli_export_format_name((int)n)) != NULL) {
        n++;
    }
    for (size_t k = 0, at = 0; k < n && at < sizeof list; k++) {
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", k > 0 ? ", " : "", names[k]);
    }
    if (asked == NULL) {
        cli_say("error: --to is missing; supported formats: %s", list);
        return CLI_EXIT_USAGE;
    }
    const char *nearest = sal_text_nearest(asked, names, n);
    if (nearest != NULL) {
        snprintf(meant, sizeof meant, "; did you mean '%.40s'?", nearest);
    }
    cli_say("error: unknown format '%.40s'%s; supported formats: %s", asked, meant, list);
    return CLI_EXIT_USAGE;
}

int cli_export(const cli_arguments *a)
{
    sal_result *result;
    const char *asked = a->value[CLI_OPT_TO];
    const sal_export_format *format = asked == NULL ? NULL : sal_export_find(asked);
    size_t k = 0;
    while (k < NFORMAT && (asked == NULL || strcmp(asked, formats[k].name) != 0)) {
        k++;
    }
    if (k == NFORMAT && format == NULL) {
        return refuse_format(asked);
    }
    int code = format != NULL ? check_export(a, format) : check_table(a, k);
    code = code == CLI_EXIT_OK ? cli_read_result(a, a->file[0], &result) : code;
    if (code != CLI_EXIT_OK) {
        return code;
    }
    cli_warn_unsolved(result);
    code = format != NULL ? write_export(a, result, format) : formats[k].write(a, result);
    sal_result_free(result);
    return code;
}
