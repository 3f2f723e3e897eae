/* markup.h: whether a page is well-formed, and what is in it. */
#ifndef SAL_TESTS_PROBLEMS_MARKUP_H
#define SAL_TESTS_PROBLEMS_MARKUP_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Every tag is closed where it should be, attributes are quoted, characters are allowed; returns
 * the number of elements, or -1. */
static inline int count_elements(const char *page)
{
    char open[64][24];
    int depth = 0, n = 0;
    const char *s = strchr(page, '\n'); /* behind the doctype */
    for (s = s == NULL ? NULL : strchr(s, '<'); s != NULL; s = strchr(s, '<')) {
        const bool closing = s[1] == '/';
        const char *name = s + 1 + closing, *end = strchr(name, '>');
        const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz123456");
        const char *text_end = end == NULL ? NULL : strchr(end, '<');
        if (end == NULL || length == 0 || length > 20 || memchr(name, '<', (size_t)(end - name))) {
            return -1;
        }
        int quotes = 0;
        for (const char *c = name; c < end; c++) {
            quotes += *c == '"';
        }
        if (quotes % 2 != 0) {
            return -1;
        }
        if (closing) {
            depth--;
            if (depth < 0 || strlen(open[depth]) != length ||
                memcmp(open[depth], name, length) != 0) {
                printf("closing %.*s\n", (int)length, name);
                return -1;
            }
        } else {
            n++;
            if (end[-1] != '/') {
                if (depth == 64) {
                    return -1;
                }
                snprintf(open[depth++], sizeof open[0], "%.*s", (int)length, name);
            }
        }
        for (const char *c = end; text_end != NULL && c < text_end; c++) {
            if (*c == '&' && (strchr(c, ';') == NULL || strchr(c, ';') - c > 6)) {
                return -1;
            }
        }
        s = end;
    }
    return depth == 0 && n > 0 ? n : -1;
}

/* Takes out what stands within scripts: it is no markup. */
static inline void empty_scripts(char *page)
{
    for (char *s = strstr(page, "<script"); s != NULL; s = strstr(s + 1, "<script")) {
        char *begin = strchr(s, '>'), *end = begin == NULL ? NULL : strstr(begin, "</script>");
        if (end != NULL) {
            memmove(begin + 1, end, strlen(end) + 1);
        }
    }
}

static inline int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *s = strstr(text, part); s != NULL; s = strstr(s + 1, part)) {
        n++;
    }
    return n;
}

#endif
