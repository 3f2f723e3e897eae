/* markdown.c: the tables of the problem language as Markdown. */
#include "guide/markdown.h"

#include "optim/optim.h"
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

void gde_markdown_norms(sal_text *out)
{
    static const char *const norm[][2] = {
#define NORM_ROW(code, name, phi) {name, phi},
        SAL_NORM_LIST(NORM_ROW)
#undef NORM_ROW
    };
    sal_text_add(out, "| norm | of the residual r |\n|---|---|\n");
    for (size_t i = 0; i < sizeof norm / sizeof norm[0]; i++) {
        sal_text_format(out, "| `%s` | ", norm[i][0]);
        for (const char *c = norm[i][1]; *c != 0; c++) { /* bars end a cell */
            sal_text_format(out, "%s%c", *c == '|' ? "\\" : "", *c);
        }
        sal_text_add(out, " |\n");
    }
}
