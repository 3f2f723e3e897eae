/* markdown.c: the tables of the problem language as Markdown. */
#include "guide/markdown.h"

#include "optim/optim.h"
#include "physics/physics.h"
#include "problems/language/contact_choice.h"
#include "problems/language/grammar.h"

#include <string.h>

static void markdown_attribute(sal_text *out, const prb_rule *rule)
{
    sal_text_format(out, "| `%s` | ", rule->name);
    prb_grammar_value(out, rule, "`");
    if (rule->preset == NULL) {
        sal_text_add(out, " | ");
    } else if (rule->preset == prb_required) {
        sal_text_add(out, " | required");
    } else {
        sal_text_format(out, " | `%s`", rule->preset);
    }
    sal_text_format(out, " | %s |\n", rule->doc);
}

static void markdown_of(sal_text *out, const char *root)
{
    int n;
    const prb_rules *all = prb_grammar(&n);
    for (int i = 0; i < n; i++) {
        const prb_rules *e = &all[i];
        if (strcmp(prb_grammar_root(e)->tag, root) != 0) {
            continue;
        }
        sal_text_format(out, "### `<%s>`\n\n", e->tag);
        if (e->parent[0] != 0) {
            sal_text_format(out, "In `<%s>`, %s.\n", e->parent, prb_grammar_occurrence(e));
        }
        sal_text_format(out, "%s\n\n", e->doc);
        if (e->nattr > 0) {
            sal_text_add(out, "| attribute | value | default | meaning |\n|---|---|---|---|\n");
        }
        for (int k = 0; k < e->nattr; k++) {
            markdown_attribute(out, &e->attr[k]);
        }
        sal_text_add(out, e->nattr > 0 ? "\n" : "");
    }
}

void gde_markdown_problem(sal_text *out)
{
    markdown_of(out, "problem");
}

void gde_markdown_sweep(sal_text *out)
{
    markdown_of(out, "sweep");
}

/* The norms as TeX. What `explain` says of them (SAL_NORM_LIST) is the same as plain text, and
 * behind the first comma a remark. */
static const char *const norm_tex[] = {
    [SAL_NORM_QUADRATIC] = "\\tfrac{1}{2} \\lvert r \\rvert^2",
    [SAL_NORM_L2] = "\\sqrt{\\lvert r \\rvert^2 + p^2} - p",
    [SAL_NORM_HUBER] = "p^2 \\left( \\sqrt{1 + \\lvert r \\rvert^2 / p^2} - 1 \\right)",
    [SAL_NORM_CAUCHY] = "\\tfrac{1}{2} p^2 \\log \\left( 1 + \\lvert r \\rvert^2 / p^2 \\right)",
    [SAL_NORM_GEMANMCCLURE] =
        "\\frac{p^2}{2} \\, \\frac{\\lvert r \\rvert^2}{p^2 + \\lvert r \\rvert^2}",
    [SAL_NORM_SMOOTHABS] = "\\sqrt{r^2 + p^2} - p",
    [SAL_NORM_SMOOTHABS2] = "\\left( \\lvert r \\rvert^q + p^q \\right)^{1/q} - p",
    [SAL_NORM_COSH] = "p^2 \\left( \\cosh (r/p) - 1 \\right)",
    [SAL_NORM_POWER] = "\\lvert r \\rvert^p",
    [SAL_NORM_SOFTPLUS] = "p \\log \\left( 1 + e^{r/p} \\right)",
    [SAL_NORM_BARRIER] = "-p^2 \\log \\left( 1 - (r/p)^2 \\right)",
};

static void markdown_norm(sal_text *out, const char *name, const char *tex, const char *plain)
{
    const char *remark = strstr(plain, ", ");
    sal_text_format(out, "| `%s` | $`%s`$ | ", name, tex);
    for (const char *c = remark == NULL ? "" : remark + 2; *c != 0; c++) { /* bars end a cell */
        sal_text_format(out, "%s%c", *c == '|' ? "\\" : "", *c);
    }
    sal_text_add(out, remark == NULL ? "|\n" : " |\n");
}

void gde_markdown_norms(sal_text *out)
{
    sal_text_add(out, "| norm | of the residual r | note |\n|---|---|---|\n");
#define NORM_ROW(code, name, phi) markdown_norm(out, name, norm_tex[code], phi);
    SAL_NORM_LIST(NORM_ROW)
#undef NORM_ROW
}

void gde_markdown_contact_models(sal_text *out)
{
    sal_text_add(out, "| model |");
    for (int k = 0; k < PRB_NCONTACTASPECT; k++) {
        sal_text_format(out, " %s |", prb_contact_aspect_heading(k));
    }
    sal_text_add(out, "\n|---|");
    for (int k = 0; k < PRB_NCONTACTASPECT; k++) {
        sal_text_add(out, "---|");
    }
    for (int i = 0; i < SAL_NCONTACTMODELS; i++) {
        sal_text_format(out, "\n| `%s` |", sal_contact_model_name(i));
        for (int k = 0; k < PRB_NCONTACTASPECT; k++) {
            sal_text_format(out, " %s |", prb_contact_choice_of(i)->is[k]);
        }
    }
    sal_text_add(out, "\n\n");
    for (int i = 0; i < SAL_NCONTACTMODELS; i++) {
        sal_text_format(out, "- Choose **`%s`** %s\n", sal_contact_model_name(i),
                        prb_contact_choice_of(i)->when);
    }
    sal_text_add(out, "\n| column | says |\n|---|---|\n");
    for (int k = 0; k < PRB_NCONTACTASPECT; k++) {
        sal_text_format(out, "| %s | %s |\n", prb_contact_aspect_heading(k),
                        prb_contact_aspect_meaning(k));
    }
}
