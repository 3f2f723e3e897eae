/* The listing that stands for the text of a binary file. */
#include "signals/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

unsigned char *sig_bytes(sig_signals *s, size_t *n)
{
    unsigned char *bytes = (unsigned char *)s->source.data;
    *n = s->source.length;
    s->source.data = NULL;
    s->source.length = 0;
    sal_text_add(&s->listing, "");
    s->source.data = s->listing.data;
    return bytes;
}

sal_place sig_list(sig_signals *s, const char *format, ...)
{
    char line[600];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    const size_t begin = s->listing.length;
    sal_text_add(&s->listing, line);
    sal_text_add(&s->listing, "\n");
    s->source.data = s->listing.data;
    s->source.length = s->listing.length;
    if (s->listing.failed) {
        return (sal_place){0};
    }
    return (sal_place){&s->source, begin, s->listing.length - begin - 1};
}

sal_status sig_list_rows(sig_signals *s, const char *word, long long first, sal_err *err)
{
    s->separator = 0;
    for (int i = 0; i < s->nrow; i++) {
        s->row[i] = sig_list(s, "%s %lld", word, first + i);
    }
    return s->listing.failed
               ? sal_fail(err, SAL_NOMEM, "out of memory for the rows of '%.300s'", s->source.path)
               : SAL_OK;
}

void sig_check_finite(const sig_signals *s, sal_diag *diag)
{
    for (int i = 0; i < s->nrow; i++) {
        for (int k = 0; k < s->ncol; k++) {
            if (isinf(s->value[(size_t)i * (size_t)s->ncol + (size_t)k])) {
                sal_diag_error(diag, s->row[i], NULL,
                               "a number is not finite here (column '%.80s')", s->column[k].name);
            }
        }
    }
}
