/* mutate_xml.h: changes to a model that leave it XML: numbers become others, attributes and
 * elements go or stand twice. What comes out is often a model still.
 */
#ifndef SAL_TESTS_FUZZ_MUTATE_XML_H
#define SAL_TESTS_FUZZ_MUTATE_XML_H

#include "base/house.h"

#include <string.h>

/* Puts `word` in place of the bytes from `from` to `to`; the new length, or n without room. */
static size_t xml_replace(char *text, size_t n, size_t room, size_t from, size_t to,
                          const char *word, size_t length)
{
    if (n - (to - from) + length >= room) {
        return n;
    }
    memmove(text + from + length, text + to, n - to);
    memcpy(text + from, word, length);
    return n - (to - from) + length;
}

/* Where `c` stands next, from a random place on; n: nowhere */
static size_t xml_next(const char *text, size_t n, size_t from, char c)
{
    const char *at = from < n ? memchr(text + from, c, n - from) : NULL;
    return at == NULL ? n : (size_t)(at - text);
}

/* The end of the element that begins at `from`, whole: a closing tag, or its own "/>" */
static size_t xml_end(const char *text, size_t n, size_t from)
{
    int depth = 0;
    for (size_t at = from; at < n; at = xml_next(text, n, at + 1, '<')) {
        const size_t close = xml_next(text, n, at, '>');
        depth += close == n || text[close - 1] == '/' ? 0 : text[at + 1] == '/' ? -1 : 1;
        if (depth <= 0) {
            return close == n ? n : close + 1;
        }
    }
    return n;
}

/* Whether a number of copies, sides or iterations begins at `at`: it is kept small, for many say
 * little and take long. A solver without tolerance makes all its iterations, in MuJoCo too. */
static bool xml_is_count(const char *text, size_t at)
{
    return (at >= 7 && memcmp(text + at - 7, "count=\"", 7) == 0) ||
           (at >= 8 && memcmp(text + at - 8, "params=\"", 8) == 0) ||
           (at >= 12 && memcmp(text + at - 12, "iterations=\"", 12) == 0);
}

static bool xml_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t xml_change_number(char *text, size_t n, size_t room, size_t at, sal_rng *rng)
{
    static const char *const numbers[] = {"0",    "1",    "-1",    "2",    "3",   "7",    "100",
                                          "1e-9", "1e-3", "1e3",   "1e9",  ".5",  "-.01", "1e300",
                                          "nan",  "inf",  "65536", "1e10", "1 1", ""};
    while (at < n && !(xml_is_digit(text[at]) && at > 0 && strchr("\" -", text[at - 1]))) {
        at++;
    }
    size_t to = at;
    const size_t kinds = xml_is_count(text, at) ? 6 : sizeof numbers / sizeof numbers[0];
    const char *word = numbers[sal_rng_next(rng) % kinds];
    while (to < n && strchr("0123456789.e-", text[to]) != NULL) {
        to++;
    }
    return xml_replace(text, n, room, at, to, word, strlen(word));
}

/* Whether NAME=" stands there */
static bool xml_is_attr(const char *text, size_t n, size_t at)
{
    const size_t from = at;
    while (at < n && ((text[at] >= 'a' && text[at] <= 'z') || xml_is_digit(text[at]))) {
        at++;
    }
    return at > from && at + 1 < n && text[at] == '=' && text[at + 1] == '"';
}

static size_t xml_drop_attr(char *text, size_t n, size_t room, size_t at)
{
    size_t from = xml_next(text, n, at, ' ');
    while (from < n && !xml_is_attr(text, n, from + 1)) {
        from = xml_next(text, n, from + 1, ' ');
    }
    const size_t quote = xml_next(text, n, from, '"'), to = xml_next(text, n, quote + 1, '"');
    return to == n ? n : xml_replace(text, n, room, from, to + 1, "", 0);
}

static size_t xml_drop(char *text, size_t n, size_t room, size_t at)
{
    const size_t from = xml_next(text, n, at, '<');
    if (from == 0 || from == n || text[from + 1] == '/') {
        return n;
    }
    return xml_replace(text, n, room, from, xml_end(text, n, from), "", 0);
}

/* An element once more, behind itself or where another begins */
static size_t xml_repeat(char *text, size_t n, size_t room, size_t at, sal_rng *rng)
{
    static char copy[4000];
    const size_t from = xml_next(text, n, at, '<'), to = xml_end(text, n, from);
    const size_t other = xml_next(text, n, (size_t)(sal_rng_next(rng) % n), '<');
    const size_t place = sal_rng_next(rng) % 2 == 0 ? to : other;
    if (from == 0 || from == n || place == n || text[from + 1] == '/' || to - from > sizeof copy) {
        return n;
    }
    memcpy(copy, text + from, to - from);
    return xml_replace(text, n, room, place, place, copy, to - from);
}

/* text[n] with one to three changes, at most `room` long; the new length */
static inline size_t mutate_xml(char *text, size_t n, size_t room, sal_rng *rng)
{
    for (int k = 1 + (int)(sal_rng_next(rng) % 3); k > 0 && n > 0; k--) {
        const size_t at = (size_t)(sal_rng_next(rng) % n);
        switch (sal_rng_next(rng) % 8) {
        case 0:
            n = xml_drop_attr(text, n, room, at);
            break;
        case 1:
            n = xml_drop(text, n, room, at);
            break;
        case 2:
            n = xml_repeat(text, n, room, at, rng);
            break;
        default:
            n = xml_change_number(text, n, room, at, rng);
            break;
        }
    }
    return n;
}

#endif
