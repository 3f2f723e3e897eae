/* What an earlier run left in the folder of a solve, and how it goes on. And what becomes of the
 * record of iterations: lines are written as they come, of starts that run beside each other by
 * turns. */
#include "cli/cli.h"

#include "problems/result/result.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the record ---- */

/* The number behind "key": in a line of the record. */
static bool number_in(const char *line, const char *key, double *value)
{
    const char *at = strstr(line, key), *end;
    return at != NULL && sal_text_number(at + strlen(key), &end, value);
}

/* Does a checkpoint know this line? */
static bool is_known(const sal_request *request, const int *linearisations, const char *line)
{
    double start, linearisation;
    return number_in(line, "\"start\":", &start) &&
           number_in(line, "\"linearisation\":", &linearisation) && start >= 0 &&
           start < sal_request_nstart(request) && linearisation <= linearisations[(int)start];
}

/* Lines of the record that are complete and known, one after the other. */
static void keep_known(const sal_request *request, const int *linearisations, char *record,
                       sal_text *kept, double *seconds)
{
    for (char *line = record, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = 0;
        if (is_known(request, linearisations, line)) {
            sal_text_add(kept, line);
            sal_text_add(kept, "\n");
            number_in(line, "\"seconds\":", seconds);
        }
    }
}

/* The whole record, zero-terminated. It is our own: --max-size, which limits what others have made,
 * does not hold for it. */
static sal_status read_record(const char *record, char **text, sal_err *err)
{
    struct stat info;
    const size_t n = stat(record, &info) == 0 && info.st_size > 0 ? (size_t)info.st_size : 0;
    *text = sal_alloc(n + 1, 1);
    if (*text == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    if (access(record, R_OK) != 0 || sal_text_read_head(record, *text, n) < n) {
        return sal_fail(err, SAL_BADPATH, "cannot read '%.300s'", record);
    }
    (*text)[n] = 0;
    return SAL_OK;
}

sal_status cli_cut_record(const sal_request *request, const char *checkpoint, const char *record,
                          double *seconds, sal_err *err)
{
    int *linearisations = sal_alloc((size_t)sal_request_nstart(request), sizeof(int));
    char *text = NULL;
    bool found;
    sal_text kept = {0};
    sal_status status =
        linearisations == NULL
            ? sal_fail(err, SAL_NOMEM, "out of memory")
            : sal_request_checkpoint_look(request, checkpoint, linearisations, &found, err);
    if (status == SAL_OK && access(record, F_OK) == 0) {
        status = read_record(record, &text, err);
        if (status == SAL_OK) {
            keep_known(request, linearisations, text, &kept, seconds);
            status = kept.failed ? sal_fail(err, SAL_NOMEM, "out of memory")
                                 : sal_file_write(record, kept.data, kept.length, err);
        }
    }
    sal_text_clear(&kept);
    sal_free(text);
    sal_free(linearisations);
    return status;
}

typedef struct record_line {
    /* without its end */
    const char *text;
    double start;
} record_line;

/* Of one start as they were written: they lie one after the other in memory. */
static int by_start(const void *first, const void *second)
{
    const record_line *a = first, *b = second;
    return a->start != b->start ? (a->start > b->start) - (a->start < b->start)
                                : (a->text > b->text) - (a->text < b->text);
}

/* Takes its text apart into lines, of which there may be as many as it has ends of lines. */
static int lines_of(char *record, record_line *line)
{
    int n = 0;
    for (char *at = record, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        *end = 0;
        line[n] = (record_line){.text = at};
        number_in(at, "\"start\":", &line[n++].start);
    }
    return n;
}

static size_t count_ends(const char *text)
{
    size_t n = 0;
    for (; *text != 0; text++) {
        n += *text == '\n';
    }
    return n;
}

sal_status cli_sort_record(const char *record, sal_err *err)
{
    char *text = NULL;
    sal_text sorted = {0};
    sal_status status = read_record(record, &text, err);
    record_line *line = status == SAL_OK ? sal_alloc(count_ends(text) + 1, sizeof *line) : NULL;
    if (status == SAL_OK && line == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory");
    }
    int n = 0;
    if (line != NULL) {
        n = lines_of(text, line);
        qsort(line, (size_t)n, sizeof *line, by_start);
    }
    for (int i = 0; i < n; i++) {
        sal_text_add(&sorted, line[i].text);
        sal_text_add(&sorted, "\n");
    }
    if (n > 0) {
        status = sorted.failed ? sal_fail(err, SAL_NOMEM, "out of memory")
                               : sal_file_write(record, sorted.data, sorted.length, err);
    }
    sal_text_clear(&sorted);
    sal_free(line);
    sal_free(text);
    return status;
}

/* ---- the folder ---- */

/* A result of this very problem? */
static sal_status check_result(const sal_request *request, const sal_result *r, const char *path,
                               sal_err *err)
{
    bool has;
    const sal_status status = sal_request_has_result(&has, request, r, err);
    return status != SAL_OK || has
               ? status
               : sal_fail(err, SAL_BADINPUT,
                          "cannot resume: '%.300s' is the result of another problem, of other "
                          "settings or of other data (a table, recording or result that the "
                          "problem names has changed); solve without --resume to replace it",
                          path);
}

sal_status cli_look(const sal_request *request, const char *checkpoint, const char *result,
                    cli_left *left, sal_result **r, sal_err *err)
{
    int *linearisations = sal_alloc((size_t)sal_request_nstart(request), sizeof(int));
    bool found = false;
    *left = CLI_LEFT_NOTHING;
    sal_status status =
        linearisations == NULL
            ? sal_fail(err, SAL_NOMEM, "out of memory")
            : sal_request_checkpoint_look(request, checkpoint, linearisations, &found, err);
    sal_free(linearisations);
    if (status == SAL_OK && found) {
        *left = CLI_LEFT_CHECKPOINT;
    } else if (status == SAL_OK && access(result, F_OK) == 0) {
        status = sal_request_read_result(r, result, err);
        status = status == SAL_OK ? check_result(request, *r, result, err) : status;
        if (status == SAL_OK && (*r)->exit_code != CLI_EXIT_INTERRUPTED) {
            *left = CLI_LEFT_RESULT;
        }
    }
    return status;
}
