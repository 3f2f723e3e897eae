/* sample.h: texts with a place for an attribute, and lists of attributes to try there. */
#ifndef SAL_TESTS_SAMPLE_H
#define SAL_TESTS_SAMPLE_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLE_NAME = 80, SAMPLE_ATTR = 300, SAMPLE_TEXT = 5000 };

/* The base with `attr` (name='value', or nothing) at its @; if the element has a `name` already,
 * without that. */
static inline void sample_insert(char out[SAMPLE_TEXT], const char *base, const char *name,
                                 const char *attr)
{
    const char *at = strchr(base, '@'), *end = at + strcspn(at, ">"), *rest = at + 1;
    char said[SAMPLE_NAME + 4];
    snprintf(said, sizeof said, " %.*s='", SAMPLE_NAME - 1, name);
    const char *old = strstr(at, said);
    if (old != NULL && old < end) {
        const char *after = strchr(old + strlen(said), '\'') + 1;
        snprintf(out, SAMPLE_TEXT, "%.*s%s%.*s%s", (int)(at - base), base, attr, (int)(old - rest),
                 rest, after);
    } else {
        snprintf(out, SAMPLE_TEXT, "%.*s%s%s", (int)(at - base), base, attr, rest);
    }
}

/* The next name='value' of the list; false at its end. */
static inline bool sample_next(const char **list, char name[SAMPLE_NAME], char attr[SAMPLE_ATTR])
{
    const char *at = *list + strspn(*list, " "), *open = strchr(at, '\'');
    if (open == NULL) {
        return false;
    }
    const char *close = strchr(open + 1, '\'');
    snprintf(name, SAMPLE_NAME, "%.*s", (int)(open - at) - 1, at);
    snprintf(attr, SAMPLE_ATTR, "%.*s", (int)(close - at) + 1, at);
    *list = close + 1;
    return true;
}

/* Whether the list tries this attribute. */
static inline bool sample_has(const char *list, const char *wanted)
{
    char name[SAMPLE_NAME], attr[SAMPLE_ATTR];
    while (sample_next(&list, name, attr)) {
        if (strcmp(name, wanted) == 0) {
            return true;
        }
    }
    return false;
}

#endif
