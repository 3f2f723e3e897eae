#include "cli/figures.h"

static int check_problem(const sal_arguments *a, sal_figures *f)
{
    sal_problem *p;
    const int code = sal_cli_read_problem(a, &p);
    if (code == SAL_EXIT_OK) {
        sal_figures_text(f, "status", "ok");
        sal_figures_problem(f, p);
        sal_figures_model(f, p->model, false);
        sal_problem_free(p);
    }
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
