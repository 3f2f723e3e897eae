#include "base/text.h"

#include "base/memory.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for n more bytes and a terminator. */
static bool text_reserve(sal_text *text, size_t n)
{
    if (text->failed || n > SIZE_MAX / 4 - text->length) {
        text->failed = true;
        return false;
    }
    const size_t needed = text->length + n + 1;
    if (needed <= text->capacity) {
        return true;
    }
    const size_t capacity = needed < 128 ? 256 : 2 * needed;
    char *data = sal_alloc(capacity, 1);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    if (text->length > 0) {
        memcpy(data, text->data, text->length);
    }
    sal_free(text->data);
    text->data = data;
    text->capacity = capacity;
    return true;
}

void sal_text_addn(sal_text *text, const char *bytes, size_t n)
{
    if (text_reserve(text, n)) {
        if (n > 0) { /* of nothing, bytes may be NULL */
            memcpy(text->data + text->length, bytes, n);
        }
        text->length += n;
        text->data[text->length] = 0;
    }
}

void sal_text_add(sal_text *text, const char *string)
{
    sal_text_addn(text, string, strlen(string));
}

void sal_text_base64(sal_text *text, const void *bytes, size_t n)
{
    static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *byte = bytes;
    if (!text_reserve(text, n / 3 * 4 + 4)) {
        return;
    }
    for (size_t i = 0; i < n; i += 3) {
        const unsigned left = n - i < 3 ? (unsigned)(n - i) : 3;
        const unsigned three = (unsigned)byte[i] << 16 | (left > 1 ? byte[i + 1] : 0U) << 8 |
                               (left > 2 ? byte[i + 2] : 0U);
        char four[4] = {letter[three >> 18], letter[three >> 12 & 63], letter[three >> 6 & 63],
                        letter[three & 63]};
        memset(four + left + 1, '=', 3 - left);
        memcpy(text->data + text->length, four, 4);
        text->length += 4;
    }
    text->data[text->length] = 0;
}

void sal_text_format(sal_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    if (n >= 0 && text_reserve(text, (size_t)n)) {
        vsnprintf(text->data + text->length, (size_t)n + 1, format, again);
        text->length += (size_t)n;
    } else {
        text->failed = true;
    }
    va_end(again);
    va_end(args);
}

void sal_text_clear(sal_text *text)
{
    sal_free(text->data);
    *text = (sal_text){0};
}

size_t sal_text_utf8(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80) {
        return 1;
    }
    const size_t n = s[0] >= 0xC2 && s[0] <= 0xDF   ? 2
                     : s[0] >= 0xE0 && s[0] <= 0xEF ? 3
                     : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4
                                                    : 0;
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xC0U) != 0x80U) {
            return 0;
        }
    }
    const bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    const bool outside = (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F);
    return overlong || outside ? 0 : n;
}

/* ---- numbers ---- */

/* A whole number, as "%.15g" writes it below 10^15: models are full of 0 and 1. */
static void add_whole(sal_text *text, double value)
{
    char digits[16];
    size_t at = sizeof digits;
    uint64_t left = (uint64_t)fabs(value);
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (signbit(value)) { /* of zero too */
        sal_text_addn(text, "-", 1);
    }
    sal_text_addn(text, digits + at, sizeof digits - at);
}

static bool is_another(const char *written, double value)
{
    const double read = strtod(written, NULL);
    return read < value || read > value;
}

void sal_text_real(sal_text *text, double value, int digits)
{
    char buffer[64];
    if (!isfinite(value)) {
        sal_text_add(text, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    const double size = fabs(value);
    if (digits == 0 && size < 1e15 && !(floor(size) < size)) {
        add_whole(text, value);
        return;
    }
    int n = digits > 0 && digits < 17 ? digits : digits == 0 ? 15 : 17;
    snprintf(buffer, sizeof buffer, "%.*g", n, value);
    while (digits == 0 && n < 17 && is_another(buffer, value)) {
        n++;
        snprintf(buffer, sizeof buffer, "%.*g", n, value);
    }
    const char *point = localeconv()->decimal_point;
    char *at = strcmp(point, ".") == 0 ? NULL : strstr(buffer, point);
    if (at != NULL) {
        *at = '.';
        memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
    }
    sal_text_add(text, buffer);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Length of `word` (lower case letters) at the start of `string` in any case, or 0. */
static size_t word_length(const char *string, const char *word)
{
    size_t n = 0;
    for (; word[n] != 0; n++) {
        const char c = string[n];
        if (c != word[n] && !(c >= 'A' && c <= 'Z' && c - 'A' + 'a' == word[n])) {
            return 0;
        }
    }
    return n;
}

/* Length of digits [. digits] [e sign digits] at the start of `s`, or 0. */
static size_t decimal_length(const char *s)
{
    size_t n = 0, digits = 0;
    for (; is_digit(s[n]); n++, digits++) {
    }
    if (s[n] == '.') {
        for (n++; is_digit(s[n]); n++, digits++) {
        }
    }
    if (digits == 0) {
        return 0;
    }
    if (s[n] == 'e' || s[n] == 'E') {
        const size_t sign = s[n + 1] == '+' || s[n + 1] == '-';
        if (is_digit(s[n + 1 + sign])) {
            for (n += 1 + sign; is_digit(s[n]); n++) {
            }
        }
    }
    return n;
}

/* strtod on n characters in the C locale's spelling, whatever the program's locale is. */
static bool decimal_value(const char *s, size_t n, double *value)
{
    char buffer[512];
    const char *point = localeconv()->decimal_point;
    const size_t point_length = strlen(point);
    if (n + point_length >= sizeof buffer) {
        return false;
    }
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '.') {
            memcpy(buffer + k, point, point_length);
            k += point_length;
        } else {
            buffer[k++] = s[i];
        }
    }
    buffer[k] = 0;
    *value = strtod(buffer, NULL);
    return true;
}

bool sal_text_number(const char *string, const char **end, double *value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"infinity", (double)INFINITY}, {"inf", (double)INFINITY}, {"nan", (double)NAN}};
    const char *s = string;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r')) {
        s++;
    }
    const bool negative = *s == '-';
    s += negative || *s == '+';
    size_t n = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0] && n == 0; i++) {
        n = word_length(s, words[i].word);
        *value = words[i].value;
    }
    if (n == 0) {
        n = decimal_length(s);
        if (n == 0 || !decimal_value(s, n, value)) {
            return false;
        }
    }
    if (negative) {
        *value = -*value;
    }
    *end = s + n;
    return true;
}

/* ---- the nearest name ---- */

enum { WORD_MAX = 64 };

static int min2(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance of a and b, both shorter than WORD_MAX:
 *   d(i,j) = min(d(i-1,j) + 1, d(i,j-1) + 1, d(i-1,j-1) + [a_i != b_j], d(i-2,j-2) + 1 if the last
 *       two are swapped) */
static int edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
    int row[3][WORD_MAX + 1];
    int *two = row[0], *one = row[1], *now = row[2];
    for (size_t j = 0; j <= nb; j++) {
        one[j] = (int)j;
    }
    for (size_t i = 1; i <= na; i++) {
        now[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            now[j] = min2(one[j] + 1, now[j - 1] + 1);
            now[j] = min2(now[j], one[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = min2(now[j], two[j - 2] + 1);
            }
        }
        int *spare = two;
        two = one, one = now, now = spare;
    }
    return one[nb];
}

int sal_text_whole(const char *text)
{
    char *end;
    if (text[0] < '0' || text[0] > '9') {
        return -1;
    }
    const long value = strtol(text, &end, 10);
    return *end == 0 && value < 1000000000 ? (int)value : -1;
}

bool sal_text_ends(const char *text, const char *end)
{
    const size_t n = strlen(text), k = strlen(end);
    return n > k && strcmp(text + n - k, end) == 0;
}

const char *sal_text_nearest(const char *word, const char *const *candidates, size_t n)
{
    const size_t length = strlen(word);
    const char *best = NULL;
    int best_distance = 1 + (int)(length / 4); /* farther is no help */
    if (length == 0 || length >= WORD_MAX) {
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t other = candidates[i] == NULL ? 0 : strlen(candidates[i]);
        const size_t longer = other > length ? other - length : length - other;
        if (other == 0 || other >= WORD_MAX || longer > (size_t)best_distance) {
            continue; /* nothing, or too far already by its length */
        }
        int distance = edit_distance(word, length, candidates[i], other);
        if (word_length(word, candidates[i]) == length && other == length) {
            distance = 0; /* only the case differs */
        }
        if (distance < (int)length && distance <= best_distance &&
            (best == NULL || distance < best_distance)) {
            best = candidates[i];
            best_distance = distance;
        }
    }
    return best;
}
