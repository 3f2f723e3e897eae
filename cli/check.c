#include "cli/figures.h"

/* Relative differences beyond this are more than forward differences and the kinks of contact explain. */
static const double derivative_tolerance = 1e-3;

static int check_derivatives(const sal_arguments *a, sal_figures *f, const sal_problem *p)
{
    double error;
    sal_err err = {0};
    const sal_status status = sal_problem_check_derivatives(p, &error, &err);
    if (status != SAL_OK) {
        return sal_cli_fail(a, status, &err);
    }
    sal_figures_number(f, "derivatives", error, "largest relative error");
    if (!(error <= derivative_tolerance)) {
        sal_fail(&err, SAL_INTERNAL, "derivatives are off by %.3g of the largest (tolerance %g)",
                 error, derivative_tolerance);
        return sal_cli_fail(a, SAL_INTERNAL, &err);
    }
    return SAL_EXIT_OK;
}

static int check_problem(const sal_arguments *a, sal_figures *f)
{
    sal_problem *p;
    int code = sal_cli_read_problem(a, &p);
    if (code != SAL_EXIT_OK) {
        return code;
    }
    sal_figures_text(f, "status", "ok");
    sal_figures_problem(f, p);
    sal_figures_model(f, p->model, false);
    if (a->given[SAL_OPT_DERIVATIVES]) {
        code = check_derivatives(a, f, p);
    }
    sal_problem_free(p);
    return code;
}

static int check_model(const sal_arguments *a, sal_figures *f)
{
    sal_model *m;
    const int code = sal_cli_read_model(a, a->file[0], &m);
    if (code == SAL_EXIT_OK) {
        sal_figures_text(f, "status", "ok");
        sal_figures_model(f, m, false);
        sal_model_free(m);
    }
    return code;
}

int sal_cli_check(const sal_arguments *a)
{
    sal_kind kind;
    sal_figures f;
    int code = sal_cli_sniff(a, a->file[0], &kind);
    if (code != SAL_EXIT_OK) {
        return code;
    }
    if (kind == SAL_KIND_RESULT) {
        sal_cli_say(
            "error: '%.300s' is a result; check reads problems and models, info also results",
            a->file[0]);
        return SAL_EXIT_BADINPUT;
    }
    sal_figures_begin(&f, a->given[SAL_OPT_JSON]);
    code = kind == SAL_KIND_PROBLEM ? check_problem(a, &f) : check_model(a, &f);
    if (code == SAL_EXIT_OK && !a->given[SAL_OPT_QUIET]) {
        return sal_figures_print(&f, a);
    }
    sal_text_clear(&f.text);
    return code;
}
