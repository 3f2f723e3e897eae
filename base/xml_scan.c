#include "base/xml_scan.h"

#include "base/memory.h"

#include <string.h>

enum { DEPTH_MAX = 500, ATTRIBUTES_MAX = 1000, NODES_MAX = 4000000 };

typedef struct scan {
    const sal_source *source;
    const char *s; /* the text, zero-terminated, without zeros inside */
    size_t n, at;
    sal_xml_marks *marks;
    size_t open[DEPTH_MAX]; /* marks of the elements not closed yet, the innermost last */
    int depth;
    bool mixed, failed, nomem;
    sal_diag *diag;
} scan;

/* ---- nodes ---- */

char *sal_xml_copy(const char *bytes, size_t n)
{
    char *copy = sal_alloc(n + 1, 1);
    if (copy != NULL && n > 0) {
        memcpy(copy, bytes, n);
    }
    return copy;
}

sal_xml *sal_xml_node(const char *tag, size_t length, sal_place place)
{
    sal_xml *node = sal_alloc(1, sizeof *node);
    if (node == NULL) {
        return NULL;
    }
    node->place = place;
    node->tag = sal_xml_copy(tag, length);
    if (node->tag == NULL) {
        sal_free(node);
        return NULL;
    }
    return node;
}

sal_xml_attr *sal_xml_node_attr(sal_xml *element, const char *name, size_t length)
{
    sal_xml_attr *list =
        sal_list_grow(element->attr, element->nattr, &element->attr_capacity, sizeof *list);
    if (list == NULL) {
        return NULL;
    }
    element->attr = list;
    sal_xml_attr *attr = &element->attr[element->nattr];
    *attr = (sal_xml_attr){.name = sal_xml_copy(name, length)};
    if (attr->name == NULL) {
        return NULL;
    }
    element->nattr++;
    return attr;
}

void sal_xml_node_append(sal_xml *parent, sal_xml *node)
{
    node->parent = parent;
    if (parent->last == NULL) {
        parent->child = node;
    } else {
        parent->last->next = node;
    }
    parent->last = node;
}

static void node_release(sal_xml *node)
{
    for (int i = 0; i < node->nattr; i++) {
        sal_free(node->attr[i].name);
        sal_free(node->attr[i].value);
    }
    sal_free(node->attr);
    sal_free(node->tag);
    sal_free(node);
}

void sal_xml_node_free(sal_xml *node, bool chain)
{
    sal_xml *todo = node; /* a list through `next`; children are moved to its front: no recursion */
    if (node != NULL && !chain) {
        node->next = NULL;
    }
    while (todo != NULL) {
        sal_xml *now = todo;
        todo = now->next;
        if (now->child != NULL) {
            now->last->next = todo;
            todo = now->child;
        }
        node_release(now);
    }
}

/* ---- faults ---- */

static sal_place place_of(const scan *sc, size_t offset, size_t length)
{
    return (sal_place){sc->source, offset, length};
}

static void fail(scan *sc, size_t offset, size_t length, const char *help, const char *message)
{
    if (!sc->failed) {
        sal_diag_error(sc->diag, place_of(sc, offset, length), help, "%s", message);
    }
    sc->failed = true;
}

static void fail_nomem(scan *sc)
{
    sc->failed = sc->nomem = true;
}

/* ---- characters ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_name(char c, bool first)
{
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
                        (unsigned char)c >= 0x80;
    return letter || (!first && ((c >= '0' && c <= '9') || c == '-' || c == '.'));
}

static bool starts_with(const scan *sc, const char *word)
{
    return strncmp(sc->s + sc->at, word, strlen(word)) == 0;
}

static void skip_space(scan *sc)
{
    while (is_space(sc->s[sc->at])) {
        sc->at++;
    }
}

/* Control characters are no part of XML; a zero would also end the text for everyone behind us. A
 * byte order mark is one only at the start; elsewhere mxml drops it from names and values. */
static void check_bytes(scan *sc)
{
    for (size_t i = 0; i < sc->n && !sc->failed; i++) {
        if ((unsigned char)sc->s[i] < 0x20 && !is_space(sc->s[i])) {
            fail(sc, i, 1, sc->s[i] == 0 ? "is it a binary file?" : "is this a text file?",
                 sc->s[i] == 0 ? "the file contains a NUL byte"
                               : "a control character is not allowed in XML");
        } else if (i > 0 && strncmp(sc->s + i, "\xEF\xBB\xBF", 3) == 0) {
            fail(sc, i, 3, "remove it",
                 "a byte order mark is allowed only at the start of the file");
        }
    }
}

/* Adds a mark, of an element or attribute of that name; NULL after a fault. */
static sal_xml_mark *add_mark(scan *sc, size_t start, size_t length)
{
    sal_xml_marks *marks = sc->marks;
    if (marks->n >= NODES_MAX) {
        fail(sc, start, length, NULL,
             "the file has more than four million elements and attributes, the most that are "
             "allowed");
        return NULL;
    }
    if (marks->n == marks->capacity) {
        const size_t capacity = 2 * marks->capacity + 64;
        sal_xml_mark *more = sal_alloc(capacity, sizeof *more);
        if (more == NULL) {
            fail_nomem(sc);
            return NULL;
        }
        if (marks->n > 0) {
            memcpy(more, marks->mark, marks->n * sizeof *more);
        }
        sal_free(marks->mark);
        marks->mark = more;
        marks->capacity = capacity;
    }
    sal_xml_mark *mark = &marks->mark[marks->n++];
    *mark = (sal_xml_mark){.name = place_of(sc, start, length)};
    return mark;
}

static bool is_named(const scan *sc, const sal_xml_mark *mark, size_t start, size_t length)
{
    return mark->name.length == length &&
           memcmp(sc->s + mark->name.offset, sc->s + start, length) == 0;
}

/* ---- attributes ---- */

static void check_entity(scan *sc, size_t end)
{
    static const char *const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
    const char *s = sc->s + sc->at;
    const char *semicolon = memchr(s, ';', end - sc->at);
    const size_t length = semicolon == NULL ? 1 : (size_t)(semicolon - s) + 1;
    bool good = false;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        good = good || strncmp(s, known[i], strlen(known[i])) == 0;
    }
    if (!good && semicolon != NULL && s[1] == '#' && length <= 10) {
        const bool hex = s[2] == 'x';
        unsigned long code = 0;
        good = s + 2 + hex < semicolon;
        for (const char *c = s + 2 + hex; c < semicolon; c++) {
            const bool digit = *c >= '0' && *c <= '9';
            const char lower = (char)(*c | 0x20);
            const bool letter = hex && lower >= 'a' && lower <= 'f';
            good = good && (digit || letter);
            code = code * (hex ? 16 : 10) + (unsigned long)(digit ? *c - '0' : lower - 'a' + 10);
        }
        good = good && (code >= 0x20 || code == 9 || code == 10 || code == 13) &&
               code <= 0x10FFFF && code != 0xFEFF && !(code >= 0xD800 && code <= 0xDFFF);
    }
    if (!good) {
        fail(sc, sc->at, length, "write &amp; for the character &",
             "this entity is not known; XML has only &amp; &lt; &gt; &quot; and &apos;");
    }
}

/* From behind the opening quote to behind the closing one. */
static void scan_value(scan *sc, sal_xml_mark *attr, char quote)
{
    const size_t start = sc->at;
    const char *close = memchr(sc->s + start, quote, sc->n - start);
    if (close == NULL) {
        fail(sc, start - 1, 1, NULL, "this quotation mark is never closed");
        return;
    }
    const size_t end = (size_t)(close - sc->s);
    attr->value = place_of(sc, start, end - start);
    while (sc->at < end && !sc->failed) {
        const size_t length = sal_text_utf8(sc->s + sc->at);
        if (sc->s[sc->at] == '<') {
            fail(sc, sc->at, 1,
                 "add the quotation mark that is missing before it, or write &lt; for the "
                 "character <",
                 "'<' is not allowed in an attribute's value");
        } else if (sc->s[sc->at] == '&') {
            check_entity(sc, end);
        } else if (length == 0) {
            fail(sc, sc->at, 1, "save the file as UTF-8", "this byte is not UTF-8");
        }
        sc->at += length;
    }
    sc->at = end + 1;
}

static size_t scan_name(scan *sc)
{
    const size_t start = sc->at;
    while (is_name(sc->s[sc->at], sc->at == start) && !sc->failed) {
        const size_t length = sal_text_utf8(sc->s + sc->at);
        if (length == 0) {
            fail(sc, sc->at, 1, "save the file as UTF-8", "this byte is not UTF-8");
        }
        sc->at += length;
    }
    return sc->at - start;
}

/* name = "value" */
static void scan_attr(scan *sc, size_t element)
{
    const size_t start = sc->at, length = scan_name(sc);
    if (sc->failed) {
        return;
    }
    if (length == 0) {
        fail(sc, start, 1, NULL, "expected an attribute, '>' or '/>'");
        return;
    }
    const int nattr = sc->marks->mark[element].nattr;
    for (int i = 0; i < nattr; i++) {
        if (is_named(sc, sc->marks->mark + element + 1 + i, start, length)) {
            fail(sc, start, length, NULL, "this attribute is given twice");
            return;
        }
    }
    if (nattr >= ATTRIBUTES_MAX) {
        fail(sc, start, length, NULL,
             "the element has more than 1000 attributes, the most that are allowed");
        return;
    }
    skip_space(sc);
    if (sc->s[sc->at] != '=') {
        fail(sc, start, length, "write NAME=\"VALUE\"", "this attribute has no value");
        return;
    }
    sc->at++;
    skip_space(sc);
    const char quote = sc->s[sc->at];
    if (quote != '"' && quote != '\'') {
        fail(sc, sc->at, 1, "write NAME=\"VALUE\"",
             "an attribute's value must stand in quotation marks");
        return;
    }
    sal_xml_mark *attr = add_mark(sc, start, length);
    if (attr == NULL) {
        return;
    }
    sc->marks->mark[element].nattr++;
    sc->at++;
    scan_value(sc, attr, quote);
}

/* ---- tags ---- */

static void scan_attrs(scan *sc, size_t element)
{
    while (!sc->failed) {
        const bool spaced = is_space(sc->s[sc->at]);
        skip_space(sc);
        if (sc->s[sc->at] == '>' || starts_with(sc, "/>") || sc->failed) {
            return;
        }
        if (sc->at >= sc->n) {
            const sal_place name = sc->marks->mark[element].name;
            fail(sc, name.offset, name.length, NULL, "this tag is never closed with '>'");
        } else if (!spaced && !sc->mixed) {
            fail(sc, sc->at, 1, NULL, "a space is missing here");
        } else {
            scan_attr(sc, element);
        }
    }
}

/* <name attributes> or <name attributes/>, from behind '<' */
static void scan_open(scan *sc)
{
    const size_t start = sc->at, length = scan_name(sc);
    if (sc->failed) {
        return;
    }
    if (length == 0) {
        fail(sc, start - 1, 1, "write &lt; for the character <", "'<' is not followed by a name");
        return;
    }
    if (sc->marks->n > 0 && sc->depth == 0) {
        fail(sc, start, length, "put everything inside one element",
             "this is a second root element; an XML document has only one");
        return;
    }
    if (sc->depth >= DEPTH_MAX) {
        fail(sc, start, length, NULL,
             "elements are nested too deeply: at most 500 levels are allowed");
        return;
    }
    const size_t element = sc->marks->n;
    if (add_mark(sc, start, length) == NULL) {
        return;
    }
    scan_attrs(sc, element);
    if (sc->failed) {
        return;
    }
    if (sc->s[sc->at] == '>') {
        sc->open[sc->depth++] = element;
        sc->at++;
    } else {
        sc->at += 2;
    }
    memcpy(sc->marks->clean + start - 1, sc->s + start - 1, sc->at - start + 1);
}

/* </name>, from behind '</' */
static void scan_close(scan *sc)
{
    const size_t start = sc->at, length = scan_name(sc);
    if (sc->failed) {
        return;
    }
    skip_space(sc);
    if (sc->s[sc->at] != '>') {
        fail(sc, start - 2, length + 2, NULL, "this closing tag does not end with '>'");
        return;
    }
    sc->at++;
    if (sc->depth == 0) {
        fail(sc, start, length, NULL, "this closes an element that is not open");
        return;
    }
    const sal_xml_mark *open = sc->marks->mark + sc->open[sc->depth - 1];
    if (!is_named(sc, open, start, length)) {
        const char *name = sc->s + open->name.offset;
        const int n = open->name.length > 100 ? 100 : (int)open->name.length;
        sal_diag_error(sc->diag, place_of(sc, start, length), NULL,
                       "</%.*s> does not close the innermost open element, <%.*s>",
                       length > 100 ? 100 : (int)length, sc->s + start, n, name);
        sal_diag_error(sc->diag, open->name, NULL, "<%.*s> is opened here", n, name);
        sc->failed = true;
        return;
    }
    memcpy(sc->marks->clean + start - 2, sc->s + start - 2, sc->at - start + 2);
    sc->depth--;
}

/* Comments, declarations: from `opening` to behind `closing`. */
static void skip_markup(scan *sc, const char *opening, const char *closing, const char *message)
{
    const size_t start = sc->at;
    const char *end = strstr(sc->s + start + strlen(opening), closing);
    if (end == NULL) {
        fail(sc, start, strlen(opening), NULL, message);
    } else {
        sc->at = (size_t)(end - sc->s) + strlen(closing);
    }
}

/* <!DOCTYPE ..>. What it declares in brackets has no effect: an entity is unknown where it is
 * used. */
static void skip_declaration(scan *sc)
{
    const size_t start = sc->at;
    const char *message = "this declaration is never closed with '>'";
    skip_markup(sc, "<!", ">", message);
    const char *open = sc->failed ? NULL : memchr(sc->s + start, '[', sc->at - start);
    if (open != NULL && !sc->mixed) {
        fail(sc, start, 2, "remove it", "declarations of entities are not supported");
    } else if (open != NULL) {
        do {
            const char *close = strchr(open + 1, ']');
            if (close == NULL) {
                fail(sc, start, 2, NULL, message);
                return;
            }
            open = close;
            sc->at = (size_t)(close - sc->s) + 1;
            skip_space(sc);
        } while (sc->s[sc->at] != '>');
        sc->at++;
    }
}

/* Text between elements */
static void found_text(scan *sc, size_t offset, size_t length)
{
    const char *help = "write it as a comment: <!-- ... -->";
    if (sc->mixed && sc->depth > 0) {
        sal_diag_warning(sc->diag, place_of(sc, offset, length), help,
                         "this text between elements has no effect");
    } else {
        fail(sc, offset, length, help,
             sc->marks->n == 0 ? "an XML document must begin with '<'"
                               : "text is not allowed here");
    }
}

static void scan_markup(scan *sc)
{
    if (starts_with(sc, "<!--")) {
        skip_markup(sc, "<!--", "-->", "this comment is never closed with '-->'");
    } else if (starts_with(sc, "<?")) {
        skip_markup(sc, "<?", "?>", "this instruction is never closed with '?>'");
    } else if (starts_with(sc, "<![CDATA[")) {
        const size_t start = sc->at;
        skip_markup(sc, "<![CDATA[", "]]>", "this text is never closed with ']]>'");
        if (!sc->failed) {
            found_text(sc, start, 9);
        }
    } else if (starts_with(sc, "<!")) {
        skip_declaration(sc);
    } else if (starts_with(sc, "</")) {
        sc->at += 2;
        scan_close(sc);
    } else {
        sc->at++;
        scan_open(sc);
    }
}

/* Blanks between elements; also those that editors and web pages leave without anyone seeing them:
 * zero-width space, no-break space, byte order mark. */
static void skip_blanks(scan *sc)
{
    static const char *const invisible[] = {"\xE2\x80\x8B", "\xC2\xA0", "\xEF\xBB\xBF"};
    size_t before;
    do {
        before = sc->at;
        skip_space(sc);
        for (size_t i = 0; i < sizeof invisible / sizeof invisible[0]; i++) {
            sc->at += starts_with(sc, invisible[i]) ? strlen(invisible[i]) : 0;
        }
    } while (sc->at != before);
}

static void scan_document(scan *sc)
{
    while (!sc->failed) {
        skip_blanks(sc);
        if (sc->at >= sc->n) {
            break;
        }
        if (sc->s[sc->at] == '<') {
            scan_markup(sc);
            continue;
        }
        size_t length = 1;
        while (sc->at + length < sc->n && sc->s[sc->at + length] != '<' &&
               sc->s[sc->at + length] != '\n') {
            length++;
        }
        found_text(sc, sc->at, length);
        sc->at += length;
    }
    if (!sc->failed && sc->depth > 0) {
        const sal_place name = sc->marks->mark[sc->open[sc->depth - 1]].name;
        fail(sc, name.offset, name.length, NULL, "this element is never closed");
    }
    if (!sc->failed && sc->marks->n == 0) {
        fail(sc, 0, 0, NULL, sc->n == 0 ? "the file is empty" : "the file has no element");
    }
}

sal_status sal_xml_scan(sal_xml_marks *marks, const sal_source *source, bool mixed, sal_diag *diag,
                        sal_err *err)
{
    scan sc = {.source = source,
               .s = source->data,
               .n = source->length,
               .mixed = mixed,
               .diag = diag,
               .marks = marks};
    *marks = (sal_xml_marks){.clean = sal_alloc(source->length + 1, 1)};
    if (marks->clean == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    memset(marks->clean, ' ', source->length);
    if (strncmp(sc.s, "\xFE\xFF", 2) == 0 || strncmp(sc.s, "\xFF\xFE", 2) == 0) {
        fail(&sc, 0, 0, "save the file as UTF-8", "the file is UTF-16");
    }
    if (strncmp(sc.s, "\xEF\xBB\xBF", 3) == 0) {
        sc.at = 3;
    }
    if (!sc.failed) {
        check_bytes(&sc);
        scan_document(&sc);
    }
    if (sc.nomem) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    return sc.failed ? sal_diag_status(diag, err) : SAL_OK;
}

void sal_xml_marks_clear(sal_xml_marks *marks)
{
    sal_free(marks->mark);
    sal_free(marks->clean);
    *marks = (sal_xml_marks){0};
}
