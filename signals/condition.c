#include "signals/condition.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum operation { EQUAL, UNEQUAL, LESS, AT_MOST, GREATER, AT_LEAST } operation;

typedef struct comparison {
    int name;
    operation op;
    sal_value value;
} comparison;

struct sig_condition {
    int n;
    comparison *test;
    char *words; /* what values point into */
};

/* ---- values ---- */

sal_value sig_value_number(double number)
{
    return (sal_value){NULL, number};
}

sal_value sig_value_of(const char *text)
{
    const char *end;
    sal_value v = {text, (double)NAN};
    if (text == NULL || !sal_text_number(text, &end, &v.number) || *end != 0) {
        v.number = (double)NAN;
    }
    return v;
}

static bool is_nothing(const sal_value *v)
{
    return isnan(v->number) && (v->text == NULL || v->text[0] == 0);
}

int sig_value_compare(const sal_value *a, const sal_value *b)
{
    const int kind_a = is_nothing(a) ? 0 : isnan(a->number) ? 2 : 1;
    const int kind_b = is_nothing(b) ? 0 : isnan(b->number) ? 2 : 1;
    if (kind_a != kind_b || kind_a == 0) {
        return kind_a - kind_b;
    }
    return kind_a == 2 ? strcmp(a->text, b->text)
                       : (a->number > b->number) - (a->number < b->number);
}

/* Its text, or its number's in words. */
static const char *text_of(const sal_value *v, sal_text *words)
{
    if (v->text != NULL || isnan(v->number)) {
        return v->text == NULL ? "" : v->text;
    }
    sal_text_real(words, v->number, 0);
    return words->failed ? "" : words->data;
}

static int compare_text(const sal_value *a, const sal_value *b)
{
    sal_text words[2] = {{0}, {0}};
    const int order = strcmp(text_of(a, words), text_of(b, words + 1));
    sal_text_clear(words);
    sal_text_clear(words + 1);
    return order;
}

static bool holds(const comparison *test, const sal_value *v)
{
    const bool nothing = is_nothing(v) || is_nothing(&test->value);
    const bool numbers = !isnan(v->number) && !isnan(test->value.number);
    const int order = nothing   ? is_nothing(v) != is_nothing(&test->value)
                      : numbers ? sig_value_compare(v, &test->value)
                                : compare_text(v, &test->value);
    switch (test->op) {
    case EQUAL:
        return order == 0;
    case UNEQUAL:
        return order != 0;
    case LESS:
        return !nothing && order < 0;
    case AT_MOST:
        return !nothing && order <= 0;
    case GREATER:
        return !nothing && order > 0;
    case AT_LEAST:
        break;
    }
    return !nothing && order >= 0;
}

bool sig_condition_holds(const sig_condition *c, sig_condition_look look, void *user)
{
    for (int i = 0; i < c->n; i++) {
        const sal_value v = look(user, c->test[i].name);
        if (!holds(c->test + i, &v)) {
            return false;
        }
    }
    return true;
}

/* ---- reading ---- */

typedef struct reader {
    const char *text;
    size_t at;
    sal_place place;
    const char *const *name;
    int nname;
    char *words; /* where the next value is put */
    sal_diag *diag;
} reader;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_sign(char c)
{
    return c == '=' || c == '!' || c == '<' || c == '>';
}

static void skip_blanks(reader *r)
{
    while (is_blank(r->text[r->at])) {
        r->at++;
    }
}

/* Where text[from .. to) stands: characters written as entities make the place of a word
 * unknown. */
static sal_place place_of(const reader *r, size_t from, size_t to)
{
    sal_place place = r->place;
    if (place.source != NULL && place.length == strlen(r->text)) {
        place.offset += from;
        place.length = to > from ? to - from : 1;
    }
    return place;
}

static bool fault(reader *r, size_t from, const char *help, const char *what)
{
    size_t to = from;
    while (r->text[to] != 0 && !is_blank(r->text[to])) {
        to++;
    }
    const int shown = (int)(to - from > 80 ? 80 : to - from);
    if (shown == 0) {
        sal_diag_error(r->diag, place_of(r, from, to), help, "%s", what);
    } else {
        sal_diag_error(r->diag, place_of(r, from, to), help, "'%.*s': %s", shown, r->text + from,
                       what);
    }
    return false;
}

void sig_name_help(char *help, size_t n, const char *wrong, const char *const *name, int nname)
{
    const char *nearest = sal_text_nearest(wrong, name, (size_t)nname);
    help[0] = 0;
    if (nearest != NULL) {
        snprintf(help, n, "did you mean '%.100s'?", nearest);
        return;
    }
    size_t used = 0;
    for (int i = 0; i < nname; i++) {
        if (used + strlen(name[i]) + 24 > n) {
            snprintf(help + used, n - used, ", ..");
            return;
        }
        used +=
            (size_t)snprintf(help + used, n - used, "%s%s", i == 0 ? "there is " : ", ", name[i]);
    }
}

/* Up to a blank or a sign of comparison that no brackets enclose, as in term[a=b]. */
static bool read_name(reader *r, comparison *test)
{
    const size_t from = r->at;
    char word[160], help[400];
    bool inside = false;
    for (; r->text[r->at] != 0; r->at++) {
        const char c = r->text[r->at];
        if (!inside && (is_blank(c) || is_sign(c))) {
            break;
        }
        inside = c == '[' || (inside && c != ']');
    }
    const size_t n = r->at - from;
    if (n == 0) {
        return fault(r, from, NULL, "a condition is NAME OP VALUE, such as speed>=1.5");
    }
    snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1),
             r->text + from);
    for (int i = 0; i < r->nname; i++) {
        if (strcmp(r->name[i], word) == 0) {
            test->name = i;
            return true;
        }
    }
    sig_name_help(help, sizeof help, word, r->name, r->nname);
    sal_diag_error(r->diag, place_of(r, from, r->at), help[0] == 0 ? NULL : help,
                   "there is no '%.100s' to compare", word);
    return true; /* what follows is read on, for its own faults */
}

static bool read_operation(reader *r, size_t from, comparison *test)
{
    static const struct {
        const char *sign;
        operation op;
    } list[] = {{"==", EQUAL}, {"=", EQUAL},     {"!=", UNEQUAL}, {"<=", AT_MOST},
                {"<", LESS},   {">=", AT_LEAST}, {">", GREATER}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const size_t n = strlen(list[i].sign);
        if (strncmp(r->text + r->at, list[i].sign, n) == 0) {
            test->op = list[i].op;
            r->at += n;
            return true;
        }
    }
    return fault(r, from, "write NAME OP VALUE, such as speed>=1.5",
                 "one of = != < <= > >= should follow the name");
}

static bool read_value(reader *r, size_t from, comparison *test)
{
    const char quote = r->text[r->at];
    const bool quoted = quote == '\'' || quote == '"';
    char *word = r->words;
    r->at += quoted;
    while (r->text[r->at] != 0 && (quoted ? r->text[r->at] != quote : !is_blank(r->text[r->at]))) {
        if (!quoted && is_sign(r->text[r->at])) {
            return fault(
                r, from,
                "a blank ends a condition; a value with blanks or signs is quoted: name='a > b'",
                "a second comparison in one word");
        }
        *r->words++ = r->text[r->at++];
    }
    *r->words++ = 0;
    if (quoted && r->text[r->at] == 0) {
        return fault(r, from, NULL, "the quote is not closed");
    }
    r->at += quoted;
    if (!quoted && word[0] == 0) {
        return fault(r, from, "an empty value is written ''", "there is no value to compare with");
    }
    if (quoted && r->text[r->at] != 0 && !is_blank(r->text[r->at])) {
        return fault(r, from, NULL, "a blank should follow the quote");
    }
    test->value = sig_value_of(word);
    return true;
}

static bool read_test(reader *r, comparison *test)
{
    const size_t from = r->at;
    if (!read_name(r, test)) {
        return false;
    }
    skip_blanks(r);
    if (!read_operation(r, from, test)) {
        return false;
    }
    skip_blanks(r);
    return read_value(r, from, test);
}

sal_status sig_condition_parse(sig_condition **condition, const char *text, sal_place place,
                               const char *const *name, int nname, sal_diag *diag, sal_err *err)
{
    const size_t n = strlen(text);
    const int before = diag->nerror;
    sig_condition *c = sal_alloc(1, sizeof *c);
    *condition = c;
    if (c != NULL) {
        c->test = sal_alloc(n / 3 + 1, sizeof(comparison)); /* the shortest test has 3 characters */
        c->words = sal_alloc(n + 2, 1); /* a value and its zero: less than its test and a blank */
    }
    if (c == NULL || c->test == NULL || c->words == NULL || n > INT_MAX) {
        sig_condition_free(c);
        *condition = NULL;
        return sal_fail(err, SAL_NOMEM, "out of memory for a condition");
    }
    reader r = {text, 0, place, name, nname, c->words, diag};
    skip_blanks(&r);
    if (text[r.at] == 0) {
        fault(&r, r.at, NULL,
              "a condition is NAME OP VALUE, such as speed>=1.5; this one is empty");
    }
    while (text[r.at] != 0 && read_test(&r, c->test + c->n)) {
        c->n++;
        skip_blanks(&r);
    }
    if (diag->nerror == before) {
        return SAL_OK;
    }
    sig_condition_free(c);
    *condition = NULL;
    return sal_diag_status(diag, err);
}

void sig_condition_free(sig_condition *c)
{
    if (c != NULL) {
        sal_free(c->test);
        sal_free(c->words);
        sal_free(c);
    }
}
