#include "signals/csv_layout.h"

#include <string.h>

enum { DIGITS = 64 };

bool sig_csv_number(const sal_source *s, const sig_cell *c, char decimal, double *value)
{
    const char *text = s->data + c->begin, *end = NULL;
    const size_t n = c->end - c->begin;
    char own[DIGITS];
    const char *comma = decimal == ',' ? memchr(text, ',', n) : NULL;
    if (c->broken || n == 0) {
        return false;
    }
    if (comma == NULL) {
        return sal_text_number(text, &end, value) && end == text + n &&
               (decimal == '.' || memchr(text, '.', n) == NULL);
    }
    if (n >= sizeof own || memchr(text, '.', n) != NULL) {
        return false;
    }
    memcpy(own, text, n);
    own[comma - text] = '.';
    own[n] = 0;
    return sal_text_number(own, &end, value) && end == own + n;
}

/* ---- lines ---- */

static size_t line_end(const sal_source *s, size_t at)
{
    const char *end = memchr(s->data + at, '\n', s->length - at);
    return end == NULL ? s->length : (size_t)(end - s->data);
}

bool sig_csv_is_comment(const sal_source *s, size_t at)
{
    return at < s->length && (s->data[at] == '#' || s->data[at] == '%');
}

/* "sep=;" of Excel */
static bool is_hint(const sal_source *s, size_t at)
{
    return s->length - at > 4 && memcmp(s->data + at, "sep=", 4) == 0 && line_end(s, at) - at < 8;
}

/* Behind signs of a comment and blanks. */
static size_t inside(const sal_source *s, size_t at)
{
    while (at < s->length && (s->data[at] == '#' || s->data[at] == '%' || s->data[at] == ' ')) {
        at++;
    }
    return at;
}

/* ---- cells ---- */

typedef struct counts {
    /* of cells, of numbers among them; the last cell is empty */
    int cells, numbers;
    bool open;
} counts;

static counts count(const sal_source *s, size_t at, char separator, char decimal)
{
    counts n = {0};
    sig_cell c = {0};
    double value;
    while (!c.last) {
        c = sig_cell_next(s, at, separator);
        at = c.next;
        n.cells++;
        n.numbers += sig_csv_number(s, &c, decimal, &value);
    }
    n.open = c.begin == c.end && !c.quoted;
    return n;
}

/* Decimal commas need cells that are separated by something else, or stand in quotes. */
static const char ways[][2] = {{',', '.'}, {';', '.'},  {'\t', '.'}, {'|', '.'}, {' ', '.'},
                               {';', ','}, {'\t', ','}, {'|', ','},  {' ', ','}, {',', ','}};

/* Sets separator, decimal and trailing from the line of names and a row of numbers, which may be
 * the same. How many numbers there are then, 0: no separator gives both lines as many cells. */
static int choose(const sal_source *s, size_t names, size_t row, sig_csv_layout *found)
{
    int best = 0, most = 0;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const char separator = ways[i][0], decimal = ways[i][1];
        const counts head = count(s, names, separator, decimal),
                     body = count(s, row, separator, decimal);
        const bool open = body.open && separator != ' ' && body.cells > 1,
                   alike = head.cells == body.cells || (open && head.cells == body.cells - 1);
        const bool table = separator == ',' || body.cells > 1;
        const int numbers = head.numbers + body.numbers;
        if (alike && table && numbers > best) {
            best = numbers;
            *found = (sig_csv_layout){found->at, separator, decimal, open && head.open};
        }
        if (best == 0 && head.cells > most) { /* what the faults will be said with */
            most = head.cells;
            *found = (sig_csv_layout){found->at, separator, '.', false};
        }
    }
    return best;
}

/* ---- all of it ---- */

/* Numbers may have their first decimals further down. */
static char decimal_of(const sal_source *s, const sig_csv_layout *found)
{
    const size_t body = line_end(s, found->at), n = s->length - body;
    const char *text = s->data + body;
    return found->decimal == ',' || (found->separator != ',' && memchr(text, ',', n) != NULL &&
                                     memchr(text, '.', n) == NULL)
               ? ','
               : '.';
}

/* Whether a comment is the line of names of the row behind it. */
static bool names_row(const sal_source *s, size_t comment, size_t row, sig_csv_layout *found)
{
    found->at = comment;
    if (choose(s, comment, row, found) == 0) {
        return false;
    }
    const counts names = count(s, comment, found->separator, found->decimal),
                 numbers = count(s, row, found->separator, found->decimal);
    return names.numbers == 0 && numbers.cells > 1 && 2 * numbers.numbers > numbers.cells;
}

sig_csv_layout sig_csv_find_layout(const sal_source *s, size_t start)
{
    sig_csv_layout found = {start, ',', '.', false}, behind = found;
    size_t at = start, comment = s->length;
    while (sig_cell_find_row(s, &at) && (sig_csv_is_comment(s, at) || is_hint(s, at))) {
        comment = sig_csv_is_comment(s, at) ? inside(s, at) : comment;
        at = line_end(s, at);
    }
    found.at = at;
    if (!sig_cell_find_row(s, &at)) {
        return found;
    }
    size_t row = line_end(s, at);
    row = sig_cell_find_row(s, &row) ? row : at;
    if (comment < s->length && names_row(s, comment, at, &behind)) {
        found = behind;
    } else {
        choose(s, at, row, &found);
    }
    found.decimal = decimal_of(s, &found);
    return found;
}
