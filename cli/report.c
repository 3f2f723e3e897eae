#include "cli/cli.h"

#include "pages/pages.h"

#include <string.h>
#include <sys/stat.h>

/* In the folder of the result, or of the sweep */
static void default_page(const char *result, const char *name, char *out, size_t n)
{
    struct stat info;
    const char *slash = strrchr(result, '/');
    if (stat(result, &info) == 0 && S_ISDIR(info.st_mode)) {
        snprintf(out, n, "%s/%s", result, name);
    } else {
        snprintf(out, n, "%.*s%s", slash == NULL ? 0 : (int)(slash + 1 - result), result, name);
    }
}

/* The folder of a sweep has a plan. */
static bool is_sweep(const char *path)
{
    char plan[4096];
    struct stat info;
    snprintf(plan, sizeof plan, "%s/plan.tsv", path);
    return stat(plan, &info) == 0;
}

static bool writes_picture(const cli_arguments *a)
{
    return cli_content_written(a) == CLI_CONTENT_PICTURE;
}

static bool writes_film(const cli_arguments *a)
{
    return cli_content_written(a) == CLI_CONTENT_FILM;
}

/* A page that could play, had saltus been built with what plays it */
static void say_still(const cli_arguments *a)
{
    if (!writes_picture(a) && !writes_film(a) && !sal_report_plays() && !a->given[CLI_OPT_QUIET]) {
        cli_say("the motion is drawn as figures and does not play: " CLI_STILL);
    }
}

static int finish(const cli_arguments *a, sal_status status, const sal_text *text, const char *page,
                  const sal_err *err)
{
    if (status == SAL_OK && writes_film(a)) {
        return cli_film(a, text, page);
    }
    const int code = status == SAL_OK ? cli_write(a, text, page) : cli_fail(a, status, err);
    if (code == CLI_EXIT_OK && !a->given[CLI_OPT_QUIET] && !cli_writes_out(a)) {
        fprintf(stderr, "%s: %s\n", writes_picture(a) ? "picture" : "page", page);
    }
    return code;
}

static int report_sweep(const cli_arguments *a, const char *page)
{
    sal_sweep_view *view;
    sal_err err = {0};
    sal_text text = {0};
    sal_status status = sal_sweep_look(&view, a->file[0], &err);
    if (status == SAL_OK) {
        status = sal_sweep_report(view, &text, &err);
    }
    const int code = finish(a, status, &text, page, &err);
    sal_text_clear(&text);
    sal_sweep_view_free(view);
    return code;
}

static int report_result(const cli_arguments *a, const char *page)
{
    sal_result *result, *measured = NULL;
    sal_err err = {0};
    sal_text text = {0};
    int code = cli_read_result(a, a->file[0], &result);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    if (a->given[CLI_OPT_PLATES]) {
        code = cli_read_result(a, a->value[CLI_OPT_PLATES], &measured);
        if (code != CLI_EXIT_OK) {
            sal_result_free(result);
            return code;
        }
    }
    cli_warn_unsolved(result);
    if (a->given[CLI_OPT_PLOTS]) {
        code = cli_plots(a, result);
        sal_result_free(result);
        return code;
    }
    const sal_report_options options = {.measured = measured};
    const sal_status status = writes_picture(a) ? sal_result_picture(result, &text, &err)
                                                : sal_result_report(result, &options, &text, &err);
    say_still(a);
    code = finish(a, status, &text, page, &err);
    sal_text_clear(&text);
    sal_result_free(result);
    sal_result_free(measured);
    return code;
}

static int report_two(const cli_arguments *a, const char *page)
{
    sal_result *result[2] = {NULL, NULL};
    sal_err err = {0};
    sal_text text = {0};
    int code = cli_read_result(a, a->file[0], &result[0]);
    code = code == CLI_EXIT_OK ? cli_read_result(a, a->file[1], &result[1]) : code;
    if (code == CLI_EXIT_OK) {
        const sal_status status = sal_results_report(
            (const sal_result *const[]){result[0], result[1]},
            (const char *const[]){a->file[0], a->file[1]}, &(sal_report_options){0}, &text, &err);
        say_still(a);
        code = finish(a, status, &text, page, &err);
    }
    sal_text_clear(&text);
    sal_result_free(result[0]);
    sal_result_free(result[1]);
    return code;
}

/* What is written is told from the ending: no page is called x.pdf. */
static bool is_named_well(const char *page)
{
    static const char *const endings[] = {".html", ".htm", ".svg"};
    const char *slash = strrchr(page, '/'), *base = slash == NULL ? page : slash + 1;
    const char *ending = strrchr(base, '.');
    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && ending != NULL; i++) {
        if (strcmp(ending, endings[i]) == 0) {
            return true;
        }
    }
    if (cli_is_film(base)) {
        return true;
    }
    cli_say("error: '%.300s' ends neither in .html, for a page, nor in .svg, for a picture of the "
            "motion, nor in .mp4 or .gif, for a film of it; give such a path with -o",
            page);
    return false;
}

/* CLI_EXIT_OK, or CLI_EXIT_USAGE after a message. */
static int check_plots(const cli_arguments *a)
{
    const char *why = NULL;
    if (is_sweep(a->file[0])) {
        why = "--plots is for one result, and this is the folder of a sweep; report one of its "
              "results (`saltus table --columns point,motion` names them)";
    } else if (a->given[CLI_OPT_OUTPUT]) {
        why = "--plots and -o cannot be used together: call `report` twice";
    } else if (a->given[CLI_OPT_PLATES]) {
        why = "--plates is for the page of one result";
    } else if (strcmp(a->value[CLI_OPT_PLOTS], "-") == 0 || a->value[CLI_OPT_PLOTS][0] == 0) {
        why = "--plots needs the path of a folder";
    }
    if (why != NULL) {
        cli_say("error: %s", why);
    }
    return why == NULL ? CLI_EXIT_OK : CLI_EXIT_USAGE;
}

int cli_report(const cli_arguments *a)
{
    char page[4096] = "";
    if (a->given[CLI_OPT_PLOTS]) {
        const int code = check_plots(a);
        return code == CLI_EXIT_OK ? report_result(a, page) : code;
    }
    if (a->given[CLI_OPT_OUTPUT]) {
        snprintf(page, sizeof page, "%s", a->value[CLI_OPT_OUTPUT]);
    } else {
        default_page(a->file[0], a->nfile > 1 ? "comparison.html" : "page.html", page, sizeof page);
    }
    if (!cli_writes_out(a) && !is_named_well(page)) {
        return CLI_EXIT_USAGE;
    }
    const bool two = a->nfile > 1;
    const bool sweep = is_sweep(a->file[0]) || (two && is_sweep(a->file[1]));
    const bool drawn = writes_picture(a) || writes_film(a);
    if (two && (sweep || a->given[CLI_OPT_PLATES] || drawn)) {
        cli_say("error: two paths are given, and only two results have a page together: no folder "
                "of a sweep, no --plates, no picture, no film; call report once for each of them");
        return CLI_EXIT_USAGE;
    }
    if (a->given[CLI_OPT_PLATES] && (sweep || drawn)) {
        cli_say("error: --plates is for the page of one result");
        return CLI_EXIT_USAGE;
    }
    if (sweep && drawn) {
        cli_say(
            "error: a sweep has no picture and no film, and '%.300s' names one; give a path that "
            "ends in .html with -o, or report one of its results",
            page);
        return CLI_EXIT_USAGE;
    }
    return (sweep ? report_sweep : two ? report_two : report_result)(a, page);
}
