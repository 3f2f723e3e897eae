/* Tables of numbers in text, in which cells may be missing; and complaints that several formats
 * share. */
#include "signals/csv_layout.h"
#include "signals/reader.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- cells ---- */

typedef enum content { NUMBER, MISSING, WORD } content;

static bool is_word(const char *s, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++) {
        const char c = s[i];
        if (word[i] == 0 || (c != word[i] && !(c >= 'A' && c <= 'Z' && c - 'A' + 'a' == word[i]))) {
            return false;
        }
    }
    return word[n] == 0;
}

/* What programs write for a number that is not there; the last are those of Microsoft's library. */
static bool is_missing(const char *s, size_t n)
{
    static const char *const words[] = {"",        "nan",     "na",        "n/a",      "null",
                                        "-1.#ind", "1.#qnan", "-1.#ind00", "1.#qnan0", "-nan(ind)"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (is_word(s, n, words[i])) {
            return true;
        }
    }
    return false;
}

static content read_cell(const sal_source *s, const sig_cell *c, char decimal, double *value)
{
    *value = (double)NAN;
    if (c->broken) {
        return WORD;
    }
    if (is_missing(s->data + c->begin, c->end - c->begin)) {
        return MISSING;
    }
    const bool number = sig_csv_number(s, c, decimal == ',' ? ',' : '.', value);
    *value = number ? *value : (double)NAN;
    return number ? NUMBER : WORD;
}

/* ---- what is wrong with one ---- */

static void complain_word(const sig_signals *s, const sig_cell *c, int column, sal_diag *diag)
{
    const sal_place place = sig_cell_place(&s->source, c);
    const char *text = s->source.data + c->begin;
    const char *help = memchr(text, ',', place.length) != NULL
                           ? "the decimal sign is a point, or a comma in all numbers of the file"
                           : "a missing number is an empty cell or nan";
    sal_diag_error(diag, place, s->separator == ' ' ? NULL : help,
                   "'%.*s' is not a number (column '%.80s')",
                   (int)(place.length < 60 ? place.length : 60), text, s->column[column].name);
}

static void complain_length(const sig_signals *s, size_t begin, size_t end, int n, sal_diag *diag)
{
    const bool halves = s->separator == ',' && n == 2 * s->ncol;
    const char *help = halves ? "if its decimal signs are commas, cells are to be separated by ;"
                       : s->separator == ' ' ? NULL
                                             : "a missing number has an empty cell";
    sal_diag_error(diag, (sal_place){&s->source, begin, end - begin}, help,
                   "this row has %d cell%s, but there %s %d column%s", n, n == 1 ? "" : "s",
                   s->ncol == 1 ? "is" : "are", s->ncol, s->ncol == 1 ? "" : "s");
}

/* ---- rows ---- */

typedef struct tally {
    int numbers, words; /* cells of a column that hold them */
    int commas;         /* words that are numbers with a decimal comma */
} tally;

static bool is_comma_number(const sal_source *s, const sig_cell *c)
{
    double value;
    return sig_csv_number(s, c, ',', &value);
}

/* Reads row i, which begins at `at`; returns where the next begins. */
static size_t read_row(sig_signals *s, const sig_signal_table *t, int i, size_t at, tally *count,
                       sal_diag *diag)
{
    const size_t begin = at;
    double *row = s->value + (size_t)i * (size_t)s->ncol, spare;
    sig_cell c = {0};
    int n = 0;
    for (; !c.last && n < INT_MAX; n++) {
        c = sig_cell_next(&s->source, at, t->separator);
        at = c.next;
        if (n == s->ncol && n > 0 && t->slack && c.last && c.begin == c.end) {
            break;
        }
        const content what = read_cell(&s->source, &c, t->decimal, n < s->ncol ? row + n : &spare);
        if (n < s->ncol) {
            count[n].numbers += what == NUMBER;
            count[n].words += what == WORD;
            count[n].commas += what == WORD && is_comma_number(&s->source, &c);
            if (what == NUMBER && !isfinite(row[n])) {
                sal_diag_error(diag, sig_cell_place(&s->source, &c), NULL,
                               "this number is not finite (column '%.80s')", s->column[n].name);
            }
        }
    }
    if (n != s->ncol) {
        complain_length(s, begin, c.end > begin ? c.end : begin + 1, n, diag);
    }
    return at;
}

/* Words in a column of numbers are faults; a column of words alone is one of words. */
static void judge_words(sig_signals *s, const sig_signal_table *t, const tally *count,
                        sal_diag *diag)
{
    bool any = false;
    for (int k = 0; k < s->ncol; k++) {
        s->column[k].text =
            t->words && count[k].numbers + count[k].commas == 0 && count[k].words > 0;
        any = any || (count[k].words > 0 && !s->column[k].text);
    }
    for (int i = 0; any && i < s->nrow; i++) {
        size_t at = s->row[i].offset;
        sig_cell c = {0};
        for (int n = 0; n < s->ncol && !c.last; n++) {
            double spare;
            c = sig_cell_next(&s->source, at, t->separator);
            at = c.next;
            if (count[n].words > 0 && !s->column[n].text &&
                read_cell(&s->source, &c, t->decimal, &spare) == WORD) {
                complain_word(s, &c, n, diag);
            }
        }
    }
}

static size_t next_line(const sal_source *s, size_t at)
{
    const char *end = memchr(s->data + at, '\n', s->length - at);
    return end == NULL ? s->length : (size_t)(end - s->data) + 1;
}

static bool is_remark(const sig_signals *s, const sig_signal_table *t, size_t at)
{
    return sig_csv_is_comment(&s->source, at) &&
           sig_cell_count(&s->source, at, t->separator) != s->ncol;
}

sal_status sig_signals_table(sig_signals *s, const sig_signal_table *t, sal_diag *diag,
                             sal_err *err)
{
    const size_t most = sig_cell_count_rows(&s->source, t->at);
    sal_status status = sig_rows(s, most, err);
    tally *count = sal_alloc((size_t)s->ncol, sizeof *count);
    if (status == SAL_OK && count == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory");
    }
    if (status != SAL_OK) {
        goto done;
    }
    s->separator = t->separator;
    int n = 0;
    for (size_t at = t->at; sig_cell_find_row(&s->source, &at);) {
        if (t->comments && is_remark(s, t, at)) {
            at = next_line(&s->source, at);
            continue;
        }
        s->row[n] = (sal_place){&s->source, at, 1};
        at = read_row(s, t, n++, at, count, diag);
    }
    s->nrow = n;
    judge_words(s, t, count, diag);
    if (n == 0) {
        sal_diag_error(diag, (sal_place){&s->source, t->at > 0 ? t->at - 1 : 0, 1}, NULL,
                       "there are no rows of numbers");
    }
    status = sal_diag_status(diag, err);
done:
    sal_free(count);
    return status;
}
