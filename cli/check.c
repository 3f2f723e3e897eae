#include "cli/figures.h"

#include "guide/guide.h"

#include <math.h>
#include <string.h>

/* Relative differences beyond this are more than forward differences and the kinks of contact
 * explain. */
static const double derivative_tolerance = 1e-3;

static int check_derivatives(const cli_arguments *a, cli_figures *f, const sal_problem *p)
{
    double error, paths;
    sal_err err = {0};
    if (p == NULL) {
        sal_fail(&err, SAL_UNSUPPORTED,
                 "--derivatives checks problems of motion; this file asks for an identification");
        return cli_fail(a, SAL_UNSUPPORTED, &err);
    }
    const sal_status status = sal_problem_check_derivatives(p, &error, &paths, &err);
    if (status != SAL_OK) {
        return cli_fail(a, status, &err);
    }
    cli_figures_number(f, "derivatives", error, "largest relative error");
    if (!isnan(paths)) {
        cli_figures_number(f, "paths", paths, "largest relative error, against finite differences");
        error = fmax(error, paths);
    }
    if (!(error <= derivative_tolerance)) {
        sal_fail(&err, SAL_INTERNAL,
                 "derivatives differ from finite differences by %.3g of the largest entry "
                 "(tolerance %g)",
                 error, derivative_tolerance);
        return cli_fail(a, SAL_INTERNAL, &err);
    }
    return CLI_EXIT_OK;
}

static int check_problem(const cli_arguments *a, cli_figures *f)
{
    sal_request request;
    sal_err err = {0};
    int code = cli_read_request(a, &request);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    const sal_status status =
        request.motion == NULL ? SAL_OK : sal_problem_check_terms(request.motion, &err);
    if (status != SAL_OK) {
        sal_request_clear(&request);
        return cli_fail(a, status, &err);
    }
    cli_figures_text(f, "status", "ok");
    cli_figures_request(f, &request);
    cli_figures_model(f, sal_request_model(&request));
    if (a->given[CLI_OPT_DERIVATIVES]) {
        code = check_derivatives(a, f, request.motion);
    }
    sal_request_clear(&request);
    return code;
}

/* The first lines of what was said, without the excerpts. */
static void warnings(cli_figures *f, const sal_diag *diag)
{
    if (!f->as_json) {
        cli_figures_integer(f, "warnings", diag->nwarning);
        return;
    }
    sal_json_array(&f->json, "warnings");
    for (const char *line = diag->text.data; line != NULL && *line != 0;) {
        const char *end = strchr(line, '\n'), *mark = strstr(line, "warning: ");
        char text[800];
        if (mark != NULL && mark < end && line[0] != ' ') {
            snprintf(text, sizeof text, "%.*s", (int)(end - line), line);
            sal_json_string(&f->json, NULL, text);
        }
        line = end + 1;
    }
    sal_json_end(&f->json);
}

static int check_model(const cli_arguments *a, cli_figures *f)
{
    sal_model *m;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_load_options options = cli_load_options(a);
    options.advise = true;
    const sal_status status = sal_model_load(&m, a->file[0], &options, &diag, &err);
    if (status == SAL_OK) {
        cli_figures_text(f, "status", "ok");
        cli_figures_model(f, m);
        warnings(f, &diag);
        sal_model_free(m);
    }
    return cli_show(a, status, &diag, &err);
}

int cli_check(const cli_arguments *a)
{
    cli_kind kind;
    cli_figures f;
    int code = cli_sniff(a, a->file[0], &kind);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    if (kind == CLI_KIND_RESULT) {
        cli_say("error: '%.300s' is a result; 'saltus check' reads problems and models; use "
                "'saltus info' for a result",
                a->file[0]);
        return CLI_EXIT_BADINPUT;
    }
    cli_figures_begin(&f, a->given[CLI_OPT_JSON]);
    code = kind == CLI_KIND_PROBLEM ? check_problem(a, &f) : check_model(a, &f);
    if (code == CLI_EXIT_OK && !a->given[CLI_OPT_QUIET]) {
        return cli_figures_print(&f, a);
    }
    sal_text_clear(&f.text);
    return code;
}
