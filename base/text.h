/* text.h: growing text, numbers from text, and the name that was probably meant. */
#ifndef SAL_BASE_TEXT_H
#define SAL_BASE_TEXT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

SAL_BEGIN_C

typedef struct sal_text {
    /* zero-terminated once anything was added; release with sal_text_clear */
    char *data;
    size_t length;
    size_t capacity;
    /* memory ran out: the text is incomplete; checked once at the end */
    bool failed;
} sal_text;

SAL_API void sal_text_add(sal_text *text, const char *string);
SAL_API void sal_text_addn(sal_text *text, const char *bytes, size_t n);
SAL_API void sal_text_format(sal_text *text, const char *format, ...) SAL_PRINTF(2, 3);
SAL_API void sal_text_clear(sal_text *text);
/* A number as every locale's sal_text_number reads it, with `digits` significant digits (at most
 * 17); 0: as few as read back exactly. Not finite: nan, inf, -inf. */
SAL_API void sal_text_real(sal_text *text, double value, int digits);

/* n bytes as letters of base 64, filled up with = (RFC 4648, section 4). */
SAL_API void sal_text_base64(sal_text *text, const void *bytes, size_t n);

/* Length of the UTF-8 character at s (RFC 3629: shortest form, no surrogates, up to U+10FFFF), or
 * 0. */
SAL_API size_t sal_text_utf8(const char *s);

/* One number from `string` in the C locale's spelling; *end is set behind it. false if there is
 * none. Accepts inf and nan. */
SAL_API bool sal_text_number(const char *string, const char **end, double *value);
/* Whether a text ends so, and has more before that. */
SAL_API bool sal_text_ends(const char *text, const char *end);

/* A whole number of digits alone, below a thousand million, that fills the text to its end; else
 * -1. */
SAL_API int sal_text_whole(const char *text);

/* The candidate nearest to `word` (Damerau-Levenshtein), or NULL if none is near enough to be worth
 * suggesting. */
SAL_API const char *sal_text_nearest(const char *word, const char *const *candidates, size_t n);

SAL_END_C

#endif
