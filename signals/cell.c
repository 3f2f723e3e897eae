#include "signals/cell.h"

#include <limits.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static size_t skip_blanks(const sal_source *s, size_t at, char separator)
{
    while (at < s->length && is_blank(s->data[at]) &&
           (separator == ' ' || s->data[at] != separator)) {
        at++;
    }
    return at;
}

static bool ends_cell(const sal_source *s, size_t at, char separator)
{
    return at >= s->length || s->data[at] == '\n' ||
           (separator == ' ' ? is_blank(s->data[at]) : s->data[at] == separator);
}

/* Moves behind the closing quote; `at` stands behind the opening one. False at the end of the
 * text. */
static bool skip_quoted(const sal_source *s, size_t *at)
{
    while (*at < s->length) {
        if (s->data[*at] == '"' && s->data[*at + 1] != '"') {
            (*at)++;
            return true;
        }
        *at += s->data[*at] == '"' ? 2 : 1;
    }
    return false;
}

sig_cell sig_cell_next(const sal_source *s, size_t at, char separator)
{
    sig_cell c = {0};
    at = skip_blanks(s, at, separator);
    c.begin = at;
    if (at < s->length && s->data[at] == '"') {
        c.quoted = true;
        c.begin = ++at;
        c.broken = !skip_quoted(s, &at);
        c.end = c.broken ? at : at - 1;
        at = separator == ' ' ? at : skip_blanks(s, at, separator);
        c.broken = c.broken || !ends_cell(s, at, separator);
    }
    while (!ends_cell(s, at, separator)) {
        at++;
    }
    if (!c.quoted) {
        c.end = at;
        while (c.end > c.begin && is_blank(s->data[c.end - 1])) {
            c.end--;
        }
    }
    at = separator == ' ' ? skip_blanks(s, at, separator) : at;
    c.last = at >= s->length || s->data[at] == '\n';
    c.next = at < s->length && (separator != ' ' || c.last) ? at + 1 : at;
    return c;
}

bool sig_cell_find_row(const sal_source *s, size_t *at)
{
    for (size_t i = *at; i < s->length; i++) {
        if (s->data[i] == '\n') {
            *at = i + 1;
        } else if (!is_blank(s->data[i])) {
            return true;
        }
    }
    return false;
}

int sig_cell_count(const sal_source *s, size_t at, char separator)
{
    int n = 0;
    for (sig_cell c = {0}; !c.last && n < INT_MAX; n++) {
        c = sig_cell_next(s, at, separator);
        at = c.next;
    }
    return n;
}

size_t sig_cell_count_rows(const sal_source *s, size_t at)
{
    size_t n = 0;
    for (; sig_cell_find_row(s, &at); n++) {
        const char *end = memchr(s->data + at, '\n', s->length - at);
        at = end == NULL ? s->length : (size_t)(end - s->data) + 1;
    }
    return n;
}

sal_place sig_cell_place(const sal_source *s, const sig_cell *c)
{
    return (sal_place){s, c->begin, c->end - c->begin};
}

size_t sig_cell_start(const sal_source *s)
{
    static const char mark[] = "\xEF\xBB\xBF";
    return s->length >= 3 && memcmp(s->data, mark, 3) == 0 ? 3 : 0;
}
