#include "problems/language/grammar.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 64, HELP_MAX = 512 };

/* ---- domains ---- */

/* "[0, 1)": is x in it? */
static bool interval_holds(const char *interval, double x)
{
    const char *end = interval;
    double lo = 0, hi = 0;
    sal_text_number(interval + 1, &end, &lo);
    sal_text_number(end + 1, &end, &hi);
    return (interval[0] == '[' ? x >= lo : x > lo) && (*end == ']' ? x <= hi : x < hi);
}

/* "this|that" or "|this|that": the index of the word of n bytes, or -1 */
static int choice_index(const char *words, const char *word, size_t n)
{
    const char *w = words + (words[0] == '|');
    for (int index = 0;; index++) {
        const size_t length = strcspn(w, "|");
        if (length == n && memcmp(w, word, n) == 0) {
            return index;
        }
        if (w[length] == 0) {
            return -1;
        }
        w += length + 1;
    }
}

/* ---- one value ---- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_blank(const char *s)
{
    while (is_blank(*s)) {
        s++;
    }
    return s;
}

static bool refuse(char *why, size_t n, const char *format, ...) SAL_PRINTF(3, 4);

static bool refuse(char *why, size_t n, const char *format, ...)
{
    if (why != NULL) {
        va_list args;
        va_start(args, format);
        vsnprintf(why, n, format, args);
        va_end(args);
    }
    return false;
}

/* Reads the next number of a list; false with the reason if it is none that the rule allows. */
static bool next_number(const prb_rule *rule, const char **text, double *value, char *why, size_t n)
{
    const char *s = skip_blank(*text), *end = s;
    const size_t word = strcspn(s, " \t\n\v\f\r");
    const int shown = word > 40 ? 40 : (int)word;
    if (!sal_text_number(s, &end, value) || end != s + word) {
        return refuse(why, n, "'%.*s' is not a number", shown, s);
    }
    if (!isfinite(*value)) {
        return refuse(why, n, "'%.*s' is not a finite number", shown, s);
    }
    if (rule->type == PRB_VAL_WHOLE && *value != floor(*value)) {
        return refuse(why, n, "'%.*s' is not a whole number", shown, s);
    }
    if (rule->domain != NULL && !interval_holds(rule->domain, *value)) {
        return refuse(why, n, "%s = %.*s is outside %s", rule->name, shown, s, rule->domain);
    }
    *text = end;
    return true;
}

/* Numbers of the list, at most n of them into out; -1 if one is not allowed. */
static int numbers(const prb_rule *rule, const char *text, double *out, int nout, char *why,
                   size_t n)
{
    int count = 0;
    for (const char *s = skip_blank(text); *s != 0; s = skip_blank(s)) {
        double value;
        if (!next_number(rule, &s, &value, why, n)) {
            return -1;
        }
        if (count < nout) {
            out[count] = value;
        }
        count++;
    }
    return count;
}

static bool allows_numbers(const prb_rule *rule, const char *text, char *why, size_t n)
{
    double value[2] = {0, 0};
    const int count = numbers(rule, text, value, 2, why, n);
    if (count < 0) {
        return false;
    }
    const bool one = rule->type == PRB_VAL_WHOLE || rule->type == PRB_VAL_REAL;
    const bool two = rule->type == PRB_VAL_PAIR || rule->type == PRB_VAL_RANGE;
    const bool few = rule->type == PRB_VAL_RAMP || rule->type == PRB_VAL_TIMES;
    if (count == 0 || (one && count != 1) || (two && count != 2) || (few && count > 2)) {
        return refuse(why, n, "%s must have %s; it has %d", rule->name,
                      one   ? "one number"
                      : two ? "two numbers"
                      : few ? "one or two numbers"
                            : "numbers",
                      count);
    }
    if (rule->type == PRB_VAL_RANGE && value[0] > value[1]) {
        return refuse(why, n, "%s: the lower bound %g is greater than the upper bound %g",
                      rule->name, value[0], value[1]);
    }
    return true;
}

static bool allows_choice(const prb_rule *rule, const char *text, char *why, size_t n)
{
    if (choice_index(rule->domain, text, strlen(text)) >= 0) {
        return true;
    }
    sal_text words = {0};
    for (const char *w = rule->domain + (rule->domain[0] == '|'); *w != 0; w += *w == '|') {
        const size_t length = strcspn(w, "|");
        const bool first = words.length == 0, last = w[length] == 0;
        sal_text_add(&words, first ? "" : last ? " or " : ", ");
        sal_text_addn(&words, w, length);
        w += length;
    }
    refuse(why, n, "%s cannot be '%.60s'; allowed: %s", rule->name, text,
           words.failed ? "see saltus explain" : words.data);
    sal_text_clear(&words);
    return false;
}

bool prb_grammar_allows(const prb_rule *rule, const char *text, char *why, size_t n)
{
    switch (rule->type) {
    case PRB_VAL_TEXT:
        return true;
    case PRB_VAL_NAME:
    case PRB_VAL_NAMES:
    case PRB_VAL_FILE:
        return *skip_blank(text) != 0 || refuse(why, n, "%s is empty", rule->name);
    case PRB_VAL_CHOICE:
        return allows_choice(rule, text, why, n);
    case PRB_VAL_TIMES:
        if (strcmp(text, "2h") == 0) {
            return true;
        }
        return allows_numbers(rule, text, why, n);
    case PRB_VAL_WHOLE:
    case PRB_VAL_REAL:
    case PRB_VAL_REALS:
    case PRB_VAL_PAIR:
    case PRB_VAL_RANGE:
    case PRB_VAL_RAMP:
        return allows_numbers(rule, text, why, n);
    }
    return true;
}

/* ---- a document ---- */

/* "did you mean <time>?" with its brackets or quotes, or what there is */
static const char *help_names(char help[HELP_MAX], const char *wrong, const char *const *names,
                              size_t n, const char around[2], const char *has)
{
    const char *nearest = sal_text_nearest(wrong, names, n);
    if (nearest != NULL) {
        snprintf(help, HELP_MAX, "did you mean %c%s%c?", around[0], nearest, around[1]);
        return help;
    }
    size_t used = (size_t)snprintf(help, HELP_MAX, "%s", has);
    for (size_t i = 0; i < n && used < HELP_MAX; i++) {
        used +=
            (size_t)snprintf(help + used, HELP_MAX - used, "%s%s", i > 0 ? ", " : " ", names[i]);
    }
    return help;
}

static void check_attributes(const sal_xml *element, const prb_rules *rules, sal_diag *diag)
{
    char help[HELP_MAX], why[HELP_MAX], has[80];
    const char *names[NAMES_MAX];
    for (int i = 0; i < rules->nattr; i++) {
        names[i] = rules->attr[i].name;
    }
    for (int i = 0; i < element->nattr; i++) {
        const sal_xml_attr *a = &element->attr[i];
        const prb_rule *rule = prb_grammar_attribute(rules, a->name);
        if (rule == NULL) {
            snprintf(has, sizeof has, "<%s> has%s", rules->tag,
                     rules->nattr > 0 ? "" : " no attributes");
            sal_diag_error(diag, a->name_place,
                           help_names(help, a->name, names, (size_t)rules->nattr, "''", has),
                           "unknown attribute '%.100s' in <%s>", a->name, rules->tag);
        } else if (!prb_grammar_allows(rule, a->value, why, sizeof why)) {
            sal_diag_error(diag, a->value_place.length > 0 ? a->value_place : a->name_place,
                           rule->doc, "%s", why);
        }
    }
    for (int i = 0; i < rules->nattr; i++) {
        const prb_rule *rule = &rules->attr[i];
        if (rule->preset == prb_required && sal_xml_find_attr(element, rule->name) == NULL) {
            sal_diag_error(diag, element->place, rule->doc, "<%s> needs the attribute '%s'",
                           rules->tag, rule->name);
        }
    }
}

static void unknown_element(const sal_xml *child, const prb_rules *parent, sal_diag *diag)
{
    char help[HELP_MAX], has[80];
    const char *names[NAMES_MAX];
    int n, count = 0;
    const prb_rules *rules = prb_grammar_element(child->tag), *all = prb_grammar(&n);
    for (int i = 0; i < n; i++) {
        if (strcmp(all[i].parent, parent->tag) == 0) {
            names[count++] = all[i].tag;
        }
    }
    if (rules != NULL) {
        snprintf(help, sizeof help,
                 rules->parent[0] == 0 ? "it can only be the root of a file" : "put it in <%s>",
                 rules->parent);
        sal_diag_error(diag, child->place, help, "<%s> is not allowed in <%s>", child->tag,
                       parent->tag);
        return;
    }
    snprintf(has, sizeof has, count > 0 ? "<%s> may contain" : "<%s> contains no elements",
             parent->tag);
    sal_diag_error(diag, child->place,
                   help_names(help, child->tag, names, (size_t)count, "<>", has),
                   "unknown element <%.100s> in <%s>", child->tag, parent->tag);
}

bool prb_grammar_of_motions(const char *tag)
{
    static const char *const tags[] = {"time",        "boundary", "cost", "function",
                                       "constraints", "require",  "init"};
    bool is = false;
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        is = is || strcmp(tag, tags[i]) == 0;
    }
    return is;
}

static void check_count_of(const sal_xml *element, const prb_rules *rules, const prb_rules *child,
                           int count, sal_diag *diag)
{
    const bool identifies = strcmp(rules->tag, "problem") == 0 &&
                            sal_xml_child(element, "estimate") != NULL &&
                            prb_grammar_of_motions(child->tag);
    const bool recorded = sal_xml_child(element, "data") != NULL; /* it lacks <estimate> */
    if (identifies && count > 0) {
        sal_diag_error(diag, sal_xml_child(element, child->tag)->place,
                       "in an identification, motions come from the recordings; remove one of the "
                       "two elements",
                       "<%s> cannot be used together with <estimate>", child->tag);
    } else if (!identifies && !(recorded && prb_grammar_of_motions(child->tag)) &&
               count < child->least) {
        sal_diag_error(diag, element->place, child->doc, "<%s> needs the element <%s>", rules->tag,
                       child->tag);
    }
}

/* How often each kind of child stands in element. */
static void check_counts(const sal_xml *element, const prb_rules *rules, sal_diag *diag)
{
    int n;
    const prb_rules *all = prb_grammar(&n);
    for (int i = 0; i < n; i++) {
        int count = 0;
        if (strcmp(all[i].parent, rules->tag) != 0) {
            continue;
        }
        for (const sal_xml *c = element->child; c != NULL; c = c->next) {
            count += strcmp(c->tag, all[i].tag) == 0;
            if (count == all[i].most + 1 && all[i].most > 0 && strcmp(c->tag, all[i].tag) == 0) {
                sal_diag_error(diag, c->place, "remove one of the two",
                               "there is more than one <%s> in <%s>", c->tag, rules->tag);
            }
        }
        check_count_of(element, rules, &all[i], count, diag);
    }
}

static void check_element(const sal_xml *element, const prb_rules *rules, sal_diag *diag)
{
    check_attributes(element, rules, diag);
    check_counts(element, rules, diag);
    if (rules->mjcf) {
        return;
    }
    for (const sal_xml *c = element->child; c != NULL; c = c->next) {
        const prb_rules *r = prb_grammar_element(c->tag);
        if (r == NULL || strcmp(r->parent, rules->tag) != 0) {
            unknown_element(c, rules, diag);
        } else {
            check_element(c, r, diag); /* as deep as the table, not as the file */
        }
    }
}

/* What a file is that begins otherwise. */
static const char *other_root(const char *root, const char *wanted)
{
    const bool sweep = strcmp(wanted, "sweep") == 0;
    return strcmp(root, "mujoco") == 0 || strcmp(root, "robot") == 0
               ? "this is a model; name it in a problem file by <model file=\"...\"/>"
           : strcmp(root, "sdf") == 0 || strcmp(root, "OpenSimDocument") == 0
               ? "this is a model in a format that is not read; convert it to URDF or MJCF first"
           : strcmp(root, "sweep") == 0 ? "this is a sweep; run it with saltus sweep"
           : strcmp(root, "problem") == 0
               ? "this is a problem; name it in a sweep file by <sweep problem=\"...\">"
           : sweep ? "a sweep file has the form <sweep> ... </sweep>"
                   : "a problem file has the form <problem> ... </problem>";
}

void prb_grammar_check(const sal_xml *root, const char *tag, sal_diag *diag)
{
    if (strcmp(root->tag, tag) != 0) {
        sal_diag_error(diag, root->place, other_root(root->tag, tag),
                       "the root element is <%.100s>; it must be <%s>", root->tag, tag);
        return;
    }
    check_element(root, prb_grammar_element(tag), diag);
}

/* ---- values ---- */

static const prb_rule *rule_of(const char *tag, const char *name)
{
    static const prb_rule none = {"", PRB_VAL_TEXT, "", NULL, ""};
    const prb_rules *rules = prb_grammar_element(tag);
    const prb_rule *rule = rules == NULL ? NULL : prb_grammar_attribute(rules, name);
    assert(rule != NULL);
    return rule == NULL ? &none : rule;
}

const char *prb_grammar_text(const char *tag, const sal_xml *element, const char *name)
{
    const prb_rule *rule = rule_of(tag, name);
    const sal_xml_attr *a = element == NULL ? NULL : sal_xml_find_attr(element, name);
    if (a != NULL && prb_grammar_allows(rule, a->value, NULL, 0)) {
        return a->value;
    }
    return rule->preset == prb_required ? NULL : rule->preset;
}

double prb_grammar_real(const char *tag, const sal_xml *element, const char *name)
{
    double value;
    return prb_grammar_reals(tag, element, name, &value, 1) == 1 ? value : (double)NAN;
}

long prb_grammar_whole(const char *tag, const sal_xml *element, const char *name)
{
    const double value = prb_grammar_real(tag, element, name);
    return isnan(value) ? -1 : (long)value;
}

int prb_grammar_choice(const char *tag, const sal_xml *element, const char *name)
{
    const char *text = prb_grammar_text(tag, element, name);
    return text == NULL ? -1 : choice_index(rule_of(tag, name)->domain, text, strlen(text));
}

int prb_grammar_reals(const char *tag, const sal_xml *element, const char *name, double *out, int n)
{
    const char *text = prb_grammar_text(tag, element, name);
    return text == NULL ? 0 : numbers(rule_of(tag, name), text, out, out == NULL ? 0 : n, NULL, 0);
}
