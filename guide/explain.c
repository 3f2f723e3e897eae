/* explain.c: the language of problem files in words, topic by topic. All of it stands in tables:
 * the grammar, the norms, the ends of a solve. */
#include "guide/guide.h"
#include "problems/language/contact_choice.h"
#include "problems/language/grammar.h"
#include "problems/problems.h"
#include "problems/result/diagnose.h"

#include <string.h>

enum { WIDTH = 96, INDENT = 4 };

static const struct {
    const char *name, *phi;
} norms[] = {
#define NORM_ROW(code, name, phi) {name, phi},
    SAL_NORM_LIST(NORM_ROW)
#undef NORM_ROW
};

static const struct {
    const char *name, *meaning;
} stops[] = {
#define STOP_ROW(code, text, meaning) {text, meaning},
    SAL_STOP_LIST(STOP_ROW)
#undef STOP_ROW
};

static const struct {
    const char *name, *advice;
} findings[] = {
#define FINDING_ROW(code, name, level, advice) {name, advice},
    PRB_FINDING_LIST(FINDING_ROW)
#undef FINDING_ROW
};

enum { NNORM = sizeof norms / sizeof norms[0], NSTOP = sizeof stops / sizeof stops[0] };

/* ---- lines ---- */

/* Columns that a word of n bytes takes: those of UTF-8 that do not continue a character. */
static int columns(const char *word, size_t n)
{
    int count = 0;
    for (size_t i = 0; i < n; i++) {
        count += ((unsigned char)word[i] & 0xC0) != 0x80;
    }
    return count;
}

/* The text in lines that begin with blanks; code loses the quotes of a page, which a terminal does
 * not need. */
static void paragraph(sal_text *out, const char *text, int indent)
{
    int column = 0;
    for (const char *s = text; *s != 0; s += strspn(s, " ")) {
        const size_t n = strcspn(s, " ");
        const int width = columns(s, n);
        if (column > 0 && column + 1 + width > WIDTH) {
            sal_text_add(out, "\n");
            column = 0;
        }
        sal_text_format(out, "%*s", column == 0 ? indent : 1, "");
        column += (column == 0 ? indent : 1) + width;
        for (size_t i = 0; i < n; i++) {
            sal_text_addn(out, s[i] == '`' ? "'" : s + i, 1);
        }
        s += n;
    }
    sal_text_add(out, "\n");
}

/* ---- attributes ---- */

static bool same_rule(const prb_rule *a, const prb_rule *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->doc, b->doc) == 0;
}

/* value and default */
static void head(sal_text *out, const prb_rule *rule)
{
    prb_grammar_value(out, rule, "");
    if (rule->preset == prb_required) {
        sal_text_add(out, "; required");
    } else if (rule->preset != NULL) {
        sal_text_format(out, "; default %s", rule->preset);
    }
}

static void explain_norms(sal_text *out)
{
    for (int i = 0; i < NNORM; i++) {
        sal_text_format(out, "%*s%-10s  %s\n", INDENT, "", norms[i].name, norms[i].phi);
    }
}

/* ---- contact models ---- */

/* Columns that the cells under a heading take, with the heading. */
static int width_of(int aspect)
{
    int width = (int)strlen(prb_contact_aspect_heading(aspect));
    for (int i = 0; i < SAL_NCONTACTMODELS; i++) {
        const int cell = (int)strlen(prb_contact_choice_of(i)->is[aspect]);
        width = cell > width ? cell : width;
    }
    return width;
}

/* A line of the table: what `first` is, by aspect; NULL: the headings. */
static void line(sal_text *out, int first_width, const char *first, const prb_contact_choice *of)
{
    sal_text_format(out, "%*s%-*s", INDENT, "", first_width, first);
    for (int k = 0; k < PRB_NCONTACTASPECT; k++) {
        const char *cell = of == NULL ? prb_contact_aspect_heading(k) : of->is[k];
        sal_text_format(out, "  %-*s", k + 1 < PRB_NCONTACTASPECT ? width_of(k) : 0, cell);
    }
    sal_text_add(out, "\n");
}

/* Which one to choose, and what the columns mean. */
static void explain_contact_models(sal_text *out)
{
    int width = 0;
    for (int i = 0; i < SAL_NCONTACTMODELS; i++) {
        const int n = (int)strlen(sal_contact_model_name(i));
        width = n > width ? n : width;
    }
    sal_text_add(out, "\n");
    line(out, width, "", NULL);
    for (int i = 0; i < SAL_NCONTACTMODELS; i++) {
        line(out, width, sal_contact_model_name(i), prb_contact_choice_of(i));
    }
    sal_text_add(out, "\n");
    for (int i = 0; i < SAL_NCONTACTMODELS; i++) {
        sal_text said = {0};
        sal_text_format(&said, "Choose `%s` %s", sal_contact_model_name(i),
                        prb_contact_choice_of(i)->when);
        paragraph(out, said.failed ? "" : said.data, INDENT);
        sal_text_clear(&said);
    }
    sal_text_add(out, "\n");
    for (int k = 0; k < PRB_NCONTACTASPECT; k++) {
        sal_text said = {0};
        sal_text_format(&said, "%s: %s", prb_contact_aspect_heading(k),
                        prb_contact_aspect_meaning(k));
        paragraph(out, said.failed ? "" : said.data, INDENT);
        sal_text_clear(&said);
    }
}

/* `rule` as it stands in `element` and in the elements after it that have the same. */
static void explain_rule(sal_text *out, const prb_rules *element, const prb_rule *rule, bool only)
{
    int n;
    const prb_rules *all = prb_grammar(&n);
    sal_text_format(out, "attribute %s of <%s>", rule->name, element->tag);
    for (const prb_rules *e = element + 1; !only && e < all + n; e++) {
        const prb_rule *other = prb_grammar_attribute(e, rule->name);
        if (other != NULL && same_rule(rule, other)) {
            sal_text_format(out, ", <%s>", e->tag);
        }
    }
    sal_text_add(out, ": ");
    head(out, rule);
    sal_text_add(out, "\n");
    paragraph(out, rule->doc, INDENT);
    if (strcmp(rule->name, "norm") == 0) {
        explain_norms(out);
    } else if (strcmp(rule->name, "contactmodel") == 0) {
        explain_contact_models(out);
    }
}

/* Said of an earlier element already? */
static bool told(const prb_rules *element, const prb_rule *rule)
{
    int n;
    for (const prb_rules *e = prb_grammar(&n); e < element; e++) {
        const prb_rule *other = prb_grammar_attribute(e, rule->name);
        if (other != NULL && same_rule(rule, other)) {
            return true;
        }
    }
    return false;
}

static bool explain_attribute(sal_text *out, const char *name)
{
    int n;
    bool found = false;
    const prb_rules *all = prb_grammar(&n);
    for (int i = 0; i < n; i++) {
        const prb_rule *rule = prb_grammar_attribute(&all[i], name);
        if (rule != NULL && !told(&all[i], rule)) {
            explain_rule(out, &all[i], rule, false);
            found = true;
        }
    }
    return found;
}

/* ---- elements ---- */

static void explain_element(sal_text *out, const prb_rules *element)
{
    int n;
    const prb_rules *all = prb_grammar(&n);
    sal_text_format(out, "element <%s>", element->tag);
    if (element->parent[0] != 0) {
        sal_text_format(out, " in <%s>: %s", element->parent, prb_grammar_occurrence(element));
    }
    sal_text_add(out, "\n");
    paragraph(out, element->doc, INDENT);
    for (int i = 0; i < n; i++) {
        if (strcmp(all[i].parent, element->tag) == 0) {
            sal_text_format(out, "%*s<%s>  %s\n", INDENT, "", all[i].tag,
                            prb_grammar_occurrence(&all[i]));
        }
    }
    for (int k = 0; k < element->nattr; k++) {
        const prb_rule *rule = &element->attr[k];
        sal_text_format(out, "\n  %s  ", rule->name);
        head(out, rule);
        sal_text_add(out, "\n");
        paragraph(out, rule->doc, 2 + INDENT);
    }
}

/* element/attribute */
static bool explain_path(sal_text *out, const char *topic)
{
    char tag[64];
    const char *slash = strchr(topic, '/');
    const size_t length = slash == NULL ? sizeof tag : (size_t)(slash - topic);
    if (length >= sizeof tag) {
        return false;
    }
    memcpy(tag, topic, length);
    tag[length] = 0;
    const prb_rules *element = prb_grammar_element(tag);
    const prb_rule *rule = element == NULL ? NULL : prb_grammar_attribute(element, slash + 1);
    if (rule != NULL) {
        explain_rule(out, element, rule, true);
    }
    return rule != NULL;
}

/* ---- topics ---- */

static bool is_quantity(const char *name)
{
    for (int i = 0; i < PRB_NQUANTITY; i++) {
        if (strcmp(prb_quantity_name(i), name) == 0) {
            return true;
        }
    }
    return false;
}

/* The i-th name of an attribute that is no quantity, each once; NULL after the last, and then in *i
 * what is left of it. */
static const char *attribute_name(int *i)
{
    int n;
    const prb_rules *all = prb_grammar(&n);
    for (const prb_rules *e = all; e < all + n; e++) {
        for (int k = 0; k < e->nattr; k++) {
            const char *name = e->attr[k].name;
            const prb_rules *first = all;
            while (prb_grammar_attribute(first, name) == NULL) {
                first++;
            }
            if (first == e && !is_quantity(name) && (*i)-- == 0) {
                return name;
            }
        }
    }
    return NULL;
}

const char *sal_topic(int i, const char **kind)
{
    int n;
    const prb_rules *all = prb_grammar(&n);
    *kind = "elements";
    if (i < n) {
        return all[i].tag;
    }
    i -= n;
    *kind = "quantities";
    if (i < PRB_NQUANTITY) {
        return prb_quantity_name(i);
    }
    i -= PRB_NQUANTITY;
    *kind = "attributes";
    const char *name = attribute_name(&i);
    if (name != NULL) {
        return name;
    }
    *kind = "norms";
    if (i < NNORM) {
        return norms[i].name;
    }
    i -= NNORM;
    *kind = "outcomes of a solve";
    if (i < NSTOP) {
        return stops[i].name;
    }
    *kind = "findings of a diagnosis";
    return i - NSTOP < PRB_NFINDING ? findings[i - NSTOP].name : NULL;
}

bool sal_topic_explain(sal_text *out, const char *topic)
{
    const prb_rules *element = prb_grammar_element(topic);
    bool found = explain_path(out, topic);
    if (element != NULL) {
        explain_element(out, element);
        found = true;
    }
    found |= explain_attribute(out, topic);
    for (int i = 0; i < NNORM; i++) {
        if (strcmp(norms[i].name, topic) == 0) {
            sal_text_format(out, "norm %s of the residual r\n%*s%s\n", topic, INDENT, "",
                            norms[i].phi);
            found = true;
        }
    }
    for (int i = 0; i < NSTOP; i++) {
        if (strcmp(stops[i].name, topic) == 0) {
            sal_text_format(out, "outcome of a solve: %s\n", topic);
            paragraph(out, stops[i].meaning, INDENT);
            found = true;
        }
    }
    for (int i = 0; i < PRB_NFINDING; i++) {
        if (strcmp(findings[i].name, topic) == 0) {
            sal_text_format(out, "finding of a diagnosis: %s\n", topic);
            paragraph(out, findings[i].advice, INDENT);
            found = true;
        }
    }
    return found;
}
