#include "base/diag.h"

#include "base/xml.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    SHOWN_MAX = 50,
    REPEATED_MAX = 10000,
    CHAIN_MAX = 10,
    MESSAGE_MAX = 512,
    EXCERPT_MAX = 100,
    EXCERPT_BEFORE = 60
};

/* Where a place stands, in what people count: lines from 1, columns from 1 in characters. */
typedef struct spot {
    const char *line; /* start and length of the line, without its end */
    size_t line_length;
    size_t offset; /* of the place in the line, bytes */
    int line_number, column;
} spot;

/* Bytes that continue a UTF-8 character take no column. */
static bool starts_character(char c)
{
    return ((unsigned char)c & 0xC0U) != 0x80U;
}

static spot spot_find(sal_place place)
{
    const sal_source *source = place.source;
    const size_t offset = place.offset < source->length ? place.offset : source->length;
    spot s = {source->data, 0, 0, 1, 1};
    size_t start = 0;
    for (size_t i = 0; i < offset; i++) {
        if (source->data[i] == '\n') {
            s.line_number++;
            start = i + 1;
        }
    }
    s.line = source->data + start;
    s.offset = offset - start;
    const char *end = memchr(s.line, '\n', source->length - start);
    s.line_length = end == NULL ? source->length - start : (size_t)(end - s.line);
    if (s.line_length > 0 && s.line[s.line_length - 1] == '\r') {
        s.line_length--;
    }
    for (size_t i = 0; i < s.offset && i < s.line_length; i++) {
        s.column += starts_character(s.line[i]);
    }
    return s;
}

/* Adds text on one line, control characters replaced. */
static void add_plain(sal_text *out, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        const char shown = (char)(c == '\t' ? ' ' : c < 0x20 || c == 0x7F ? '?' : c);
        sal_text_addn(out, &shown, 1);
    }
}

/*     5 |     <term name="speed" senser="torso_subtreelinvel" ...
 *       |                        ^~~~~~                              */
static void add_excerpt(sal_text *out, const spot *s, size_t length)
{
    size_t from = s->offset > EXCERPT_BEFORE + 20 ? s->offset - EXCERPT_BEFORE : 0;
    while (from > 0 && from < s->line_length && !starts_character(s->line[from])) {
        from++;
    }
    size_t to = s->line_length;
    bool cut = false;
    if (to > from + EXCERPT_MAX) {
        to = from + EXCERPT_MAX;
        while (to > from && !starts_character(s->line[to])) {
            to--;
        }
        cut = true;
    }
    if (from > to) {
        from = to;
    }
    sal_text_format(out, "%5d | %s", s->line_number, from > 0 ? "... " : "");
    add_plain(out, s->line + from, to - from);
    sal_text_format(out, "%s\n      | %s", cut ? " ..." : "", from > 0 ? "    " : "");
    for (size_t i = from; i < s->offset && i < to; i++) {
        sal_text_add(out, starts_character(s->line[i]) ? " " : "");
    }
    sal_text_add(out, "^");
    for (size_t i = s->offset + 1; i < s->offset + length && i < to; i++) {
        sal_text_add(out, starts_character(s->line[i]) ? "~" : "");
    }
    sal_text_add(out, "\n");
}

/* = included at main.xml:3:6          once a file around it; a chain cannot be a loop, for a file
 *                                     is included once. An override is
 * a source without a file, set there. */
static void add_chain(sal_text *out, const sal_source *source)
{
    for (int depth = 0; source->from.source != NULL && depth < CHAIN_MAX; depth++) {
        const spot s = spot_find(source->from);
        const char *how = strcmp(source->path, "override") == 0 ? "set" : "included";
        source = source->from.source;
        sal_text_format(out, "      = %s at %.200s:%d:%d\n", how, source->path, s.line_number,
                        s.column);
    }
}

/* "file:line:column: error: message", control characters replaced, in out[n]. */
static void headline(char *out, size_t n, sal_place place, const spot *s, const char *kind,
                     const char *message)
{
    if (place.source != NULL) {
        snprintf(out, n, "%.200s:%d:%d: %s: %s", place.source->path, s->line_number, s->column,
                 kind, message);
    } else {
        snprintf(out, n, "%s: %s", kind, message);
    }
    for (char *c = out; *c != 0; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7F) {
            *c = '?';
        }
    }
}

/* false if the same line was shown before */
static bool report(sal_diag *diag, sal_place place, const char *help, const char *kind,
                   const char *message)
{
    char line[MESSAGE_MAX + 300];
    spot s = {0};
    if (place.source != NULL) {
        s = spot_find(place);
    }
    headline(line, sizeof line, place, &s, kind, message);
    if (place.source != NULL && diag->text.data != NULL && strstr(diag->text.data, line) != NULL) {
        return false;
    }
    if (diag->nerror == 1 && diag->first[0] == 0) {
        snprintf(diag->first, sizeof diag->first, "%.*s", (int)sizeof diag->first - 1, line);
    }
    sal_text_format(&diag->text, "%s\n", line);
    if (place.source != NULL) {
        add_excerpt(&diag->text, &s, place.length);
        add_chain(&diag->text, place.source);
    }
    if (help != NULL) {
        sal_text_add(&diag->text, "      = help: ");
        add_plain(&diag->text, help, strlen(help));
        sal_text_add(&diag->text, "\n");
    }
    return true;
}

bool sal_diag_check_text(sal_diag *diag, const sal_source *source)
{
    const char *nul = memchr(source->data, 0, source->length);
    if (nul != NULL) {
        const sal_place place = {source, (size_t)(nul - source->data), 1};
        const bool wide = source->length > 1 && (memcmp(source->data, "\xFF\xFE", 2) == 0 ||
                                                 memcmp(source->data, "\xFE\xFF", 2) == 0);
        sal_diag_error(diag, place,
                       wide ? "its text is UTF-16: save it as UTF-8" : "is it a binary file?",
                       "the file contains a NUL byte");
    }
    return nul == NULL;
}

bool sal_diag_is_full(const sal_diag *diag)
{
    return diag->nerror - diag->nrepeated >= SHOWN_MAX || diag->nrepeated > REPEATED_MAX;
}

void sal_diag_error(sal_diag *diag, sal_place place, const char *help, const char *format, ...)
{
    char message[MESSAGE_MAX];
    if (diag == NULL) {
        return;
    }
    const bool full = sal_diag_is_full(diag);
    if (diag->nerror < INT32_MAX) {
        diag->nerror++;
    }
    if (full) {
        return;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    diag->nrepeated += !report(diag, place, help, "error", message);
}

void sal_diag_warning(sal_diag *diag, sal_place place, const char *help, const char *format, ...)
{
    char message[MESSAGE_MAX];
    if (diag == NULL) {
        return;
    }
    if (diag->nwarning < INT32_MAX) {
        diag->nwarning++;
    }
    if (diag->nwarning > SHOWN_MAX) {
        return;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    report(diag, place, help, "warning", message);
}

void sal_diag_join(sal_diag *to, sal_diag *from)
{
    if (to != NULL) {
        if (to->nerror == 0 && from->nerror > 0) {
            memcpy(to->first, from->first, sizeof to->first);
        }
        sal_text_addn(&to->text, from->text.data == NULL ? "" : from->text.data, from->text.length);
        to->nerror += from->nerror < INT32_MAX - to->nerror ? from->nerror : 0;
        to->nwarning += from->nwarning < INT32_MAX - to->nwarning ? from->nwarning : 0;
        to->nrepeated += from->nrepeated;
    }
    sal_diag_clear(from);
}

void sal_diag_clear(sal_diag *diag)
{
    sal_text_clear(&diag->text);
    *diag = (sal_diag){0};
}

sal_status sal_diag_status(const sal_diag *diag, sal_err *err)
{
    if (diag->nerror == 0) {
        return SAL_OK;
    }
    const int more = diag->nerror - diag->nrepeated - 1;
    if (more <= 0) {
        return sal_fail(err, SAL_BADINPUT, "%s", diag->first);
    }
    return sal_fail(err, SAL_BADINPUT, "%s (and %d more error%s)", diag->first, more,
                    more == 1 ? "" : "s");
}
