/* Where two results, or two problems or models, differ. */
#include "cli/cli.h"

#include "problems/result/result.h"

#include <math.h>
#include <string.h>

static int json(const cli_arguments *a, const sal_difference *list, int n)
{
    sal_text text = {0};
    sal_json out = {.out = &text, .lines = true};
    sal_json_object(&out, NULL);
    sal_json_bool(&out, "equal", n == 0);
    sal_json_array(&out, "differences");
    for (int i = 0; i < n; i++) {
        sal_json_object(&out, NULL);
        sal_json_string(&out, "group", list[i].group);
        sal_json_string(&out, "name", list[i].name);
        sal_json_string(&out, "first", list[i].first);
        sal_json_string(&out, "second", list[i].second);
        sal_json_number(&out, "size", list[i].size);
        sal_json_number(&out, "time", list[i].time);
        sal_json_end(&out);
    }
    sal_json_end(&out);
    sal_json_end(&out);
    sal_text_add(&text, "\n");
    const int code = cli_write(a, &text, NULL);
    sal_text_clear(&text);
    return code;
}

static const char *shown(const char *text)
{
    return text[0] == 0 ? "-" : text;
}

static void lines(const sal_difference *list, int n)
{
    for (int i = 0; i < n; i++) {
        const sal_difference *d = list + i;
        const bool head = i == 0 || strcmp(d->group, list[i - 1].group) != 0;
        printf("%-11s %-32s ", head ? d->group : "", d->name);
        if (isnan(d->time)) {
            printf("%s -> %s", shown(d->first), shown(d->second));
            printf(isnan(d->size) ? "\n" : " (%+.3g)\n", d->size);
        } else {
            printf("largest difference %.3g, at %.4g s\n", d->size, d->time);
        }
    }
    if (n == 0) {
        puts("equal");
    }
}

static int tell(const cli_arguments *a, const sal_difference *list, int n)
{
    int code = CLI_EXIT_OK;
    if (a->given[CLI_OPT_JSON]) {
        code = json(a, list, n);
    } else if (!a->given[CLI_OPT_QUIET]) {
        lines(list, n);
    }
    return code != CLI_EXIT_OK ? code : n == 0 ? CLI_EXIT_OK : CLI_EXIT_STOPPED;
}

static int diff_results(const cli_arguments *a)
{
    sal_result *one = NULL, *two = NULL;
    sal_difference *list = NULL;
    sal_err err = {0};
    int n = 0, code = cli_read_result(a, a->file[0], &one);
    code = code == CLI_EXIT_OK ? cli_read_result(a, a->file[1], &two) : code;
    if (code == CLI_EXIT_OK) {
        const sal_status status = sal_result_compare(&list, &n, one, two, &err);
        code = status == SAL_OK ? tell(a, list, n) : cli_fail(a, status, &err);
    }
    sal_free(list);
    sal_result_free(one);
    sal_result_free(two);
    return code;
}

static int diff_files(const cli_arguments *a, const char *group)
{
    sal_xml_doc doc[2] = {{0}, {0}};
    sal_difference *list = NULL;
    int n = 0, code = CLI_EXIT_OK;
    for (int i = 0; i < 2 && code == CLI_EXIT_OK; i++) {
        sal_diag diag = {0};
        sal_err err = {0};
        const sal_status status = sal_xml_read_mixed(&doc[i], a->file[i], &diag, &err);
        code = cli_show(a, status, &diag, &err);
    }
    if (code == CLI_EXIT_OK) {
        sal_err err = {0};
        const sal_status status =
            prb_file_compare(&list, &n, group, doc[0].root, doc[1].root, &err);
        code = status == SAL_OK ? tell(a, list, n) : cli_fail(a, status, &err);
    }
    sal_free(list);
    sal_xml_free(&doc[0]);
    sal_xml_free(&doc[1]);
    return code;
}

int cli_diff(const cli_arguments *a)
{
    static const char *const name[] = {
        [CLI_KIND_PROBLEM] = "problem", [CLI_KIND_MODEL] = "model", [CLI_KIND_RESULT] = "result"};
    cli_kind kind[2];
    for (int i = 0; i < 2; i++) {
        const int code = cli_sniff(a, a->file[i], &kind[i]);
        if (code != CLI_EXIT_OK) {
            return code;
        }
    }
    if (kind[0] != kind[1]) {
        cli_say("error: only files of the same kind can be compared; '%.200s' is a %s, '%.200s' is "
                "a %s",
                a->file[0], name[kind[0]], a->file[1], name[kind[1]]);
        return CLI_EXIT_BADINPUT;
    }
    return kind[0] == CLI_KIND_RESULT ? diff_results(a) : diff_files(a, name[kind[0]]);
}
