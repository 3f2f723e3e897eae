/* grammar_lookup.c: finding things in the table of grammar.c, and its values in words. */
#include "problems/language/grammar.h"

#include <string.h>

const prb_rules *prb_grammar_element(const char *tag)
{
    int n;
    const prb_rules *elements = prb_grammar(&n);
    for (int i = 0; i < n; i++) {
        if (strcmp(elements[i].tag, tag) == 0) {
            return &elements[i];
        }
    }
    return NULL;
}

const prb_rules *prb_grammar_root(const prb_rules *element)
{
    const prb_rules *parent = prb_grammar_element(element->parent);
    return parent == NULL ? element : prb_grammar_root(parent); /* as deep as the table */
}

const prb_rule *prb_grammar_attribute(const prb_rules *element, const char *name)
{
    for (int i = 0; i < element->nattr; i++) {
        if (strcmp(element->attr[i].name, name) == 0) {
            return &element->attr[i];
        }
    }
    return NULL;
}

/* ---- in words ---- */

void prb_grammar_value(sal_text *out, const prb_rule *rule, const char *quote)
{
    static const char *const type[] = {
#define TYPE_TEXT(code, text) text,
        PRB_VALUE_LIST(TYPE_TEXT)
#undef TYPE_TEXT
    };
    const char *domain = rule->domain;
    sal_text_add(out, type[rule->type]);
    if (domain == NULL) {
        return;
    }
    if (strchr("[(", domain[0]) != NULL) {
        sal_text_format(out, " in %s", domain);
        return;
    }
    for (const char *word = domain; *word != 0;) {
        word += *word == '|';
        const size_t n = strcspn(word, "|");
        sal_text_format(out, "%s%s%.*s%s", word <= domain + 1 ? ": " : ", ", quote, (int)n, word,
                        quote);
        word += n;
    }
}

const char *prb_grammar_occurrence(const prb_rules *element)
{
    return element->most == 0   ? element->least == 0 ? "any number" : "at least one"
           : element->least > 0 ? "once"
                                : "at most once";
}
