/* read_report.c: a fault with its place, and the word that was probably meant. */
#include "mjcf/reader.h"

#include <stdarg.h>
#include <stdio.h>

void mjcf_error(mjcf_reader *r, sal_place place, const char *help, const char *format, ...)
{
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    sal_diag_error(r->diag, place, help, "%s", message);
}

const char *mjcf_suggestion(const mjcf_reader *r, char out[128], const char *word,
                            const char *const *known, size_t n)
{
    const char *nearest = sal_diag_is_full(r->diag) ? NULL : sal_text_nearest(word, known, n);
    if (nearest == NULL) {
        return NULL;
    }
    snprintf(out, 128, "did you mean '%.80s'?", nearest);
    return out;
}
