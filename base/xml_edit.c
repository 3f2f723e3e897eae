#include "base/memory.h"
#include "base/xml.h"
#include "base/xml_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- attributes and children ---- */

sal_xml_attr *sal_xml_find_attr(const sal_xml *element, const char *name)
{
    for (int i = 0; i < element->nattr; i++) {
        if (strcmp(element->attr[i].name, name) == 0) {
            return &element->attr[i];
        }
    }
    return NULL;
}

bool sal_xml_is_blank(const sal_xml_attr *attr)
{
    return attr == NULL || attr->value[strspn(attr->value, " \t\r\n")] == 0;
}

const char *sal_xml_get(sal_xml *element, const char *name)
{
    sal_xml_attr *attr = sal_xml_find_attr(element, name);
    if (attr == NULL) {
        return NULL;
    }
    attr->used = true;
    return attr->value;
}

/* The attribute, set or added; NULL without memory. */
static sal_xml_attr *set(sal_xml *element, const char *name, const char *value)
{
    char *copy = sal_xml_copy(value, strlen(value));
    sal_xml_attr *attr = copy == NULL ? NULL : sal_xml_find_attr(element, name);
    if (attr == NULL && copy != NULL) {
        attr = sal_xml_node_attr(element, name, strlen(name));
    }
    if (attr == NULL) {
        sal_free(copy);
        return NULL;
    }
    sal_free(attr->value);
    attr->value = copy;
    attr->name_place = attr->value_place = (sal_place){0};
    return attr;
}

sal_status sal_xml_set(sal_xml *element, const char *name, const char *value, sal_err *err)
{
    return set(element, name, value) != NULL ? SAL_OK : sal_fail(err, SAL_NOMEM, "out of memory");
}

void sal_xml_unset(sal_xml *element, const char *name)
{
    sal_xml_attr *attr = sal_xml_find_attr(element, name);
    if (attr != NULL) {
        sal_free(attr->name);
        sal_free(attr->value);
        element->nattr--;
        memmove(attr, attr + 1, (size_t)(element->attr + element->nattr - attr) * sizeof *attr);
    }
}

sal_xml *sal_xml_child(const sal_xml *element, const char *tag)
{
    sal_xml *child = element->child;
    while (child != NULL && strcmp(child->tag, tag) != 0) {
        child = child->next;
    }
    return child;
}

/* The next of root's descendants in document order */
static sal_xml *after(const sal_xml *root, sal_xml *node)
{
    if (node->child != NULL) {
        return node->child;
    }
    while (node != root && node->next == NULL) {
        node = node->parent;
    }
    return node == root ? NULL : node->next;
}

sal_xml *sal_xml_descendant(const sal_xml *element, const char *tag)
{
    sal_xml *node = element->child;
    while (node != NULL && strcmp(node->tag, tag) != 0) {
        node = after(element, node);
    }
    return node;
}

sal_xml *sal_xml_add(sal_xml_doc *doc, sal_xml *parent, const char *tag)
{
    sal_xml *node = NULL;
    if (parent != NULL || doc->root == NULL) {
        node = sal_xml_node(tag, strlen(tag), (sal_place){0});
    }
    if (node != NULL && parent != NULL) {
        sal_xml_node_append(parent, node);
    } else if (node != NULL) {
        doc->root = node;
    }
    return node;
}

/* ---- writing ---- */

void sal_xml_escape(sal_text *out, const char *value)
{
    for (const char *c = value;; c++) {
        const size_t plain = strcspn(c, "&<>\"\n\r\t");
        sal_text_addn(out, c, plain);
        c += plain;
        switch (*c) {
        case 0:
            return;
        case '&':
            sal_text_add(out, "&amp;");
            break;
        case '<':
            sal_text_add(out, "&lt;");
            break;
        case '>':
            sal_text_add(out, "&gt;");
            break;
        case '"':
            sal_text_add(out, "&quot;");
            break;
        default:
            sal_text_format(out, "&#%d;", *c);
        }
    }
}

static void indent(sal_text *out, int depth)
{
    for (int i = 0; i < depth; i++) {
        sal_text_addn(out, "  ", 2);
    }
}

/* Piece by piece: the models of many results are written, and sal_text_format is slow. */
static void write_open(const sal_xml *element, int depth, sal_text *out)
{
    indent(out, depth);
    sal_text_add(out, "<");
    sal_text_add(out, element->tag);
    for (int i = 0; i < element->nattr; i++) {
        sal_text_add(out, " ");
        sal_text_add(out, element->attr[i].name);
        sal_text_add(out, "=\"");
        sal_xml_escape(out, element->attr[i].value);
        sal_text_add(out, "\"");
    }
    sal_text_add(out, element->child == NULL ? "/>\n" : ">\n");
}

static void write_close(const sal_xml *element, int depth, sal_text *out)
{
    indent(out, depth);
    sal_text_add(out, "</");
    sal_text_add(out, element->tag);
    sal_text_add(out, ">\n");
}

void sal_xml_write(const sal_xml *element, sal_text *out)
{
    const sal_xml *node = element;
    int depth = 0;
    for (;;) {
        write_open(node, depth, out);
        if (node->child != NULL) {
            node = node->child;
            depth++;
            continue;
        }
        while (node != element && node->next == NULL) {
            node = node->parent;
            depth--;
            write_close(node, depth, out);
        }
        if (node == element) {
            return;
        }
        node = node->next;
    }
}

/* ---- paths: kind/attribute, kind[name]/attribute, kind[#k]/attribute ---- */

typedef struct path {
    char kind[64], name[192], attribute[SAL_XML_ATTRIBUTE_MAX];
    bool indexed; /* [#k] */
    long index;
} path;

/* Copies n bytes into out[size]; false if they do not fit or there are none. */
static bool take(char *out, size_t size, const char *from, size_t n)
{
    if (n == 0 || n >= size) {
        return false;
    }
    memcpy(out, from, n);
    out[n] = 0;
    return true;
}

static bool path_parse(path *p, const char *text)
{
    const char *slash = strrchr(text, '/'); /* a name may contain one, an attribute not */
    *p = (path){.index = -1};
    if (slash == NULL || !take(p->attribute, sizeof p->attribute, slash + 1, strlen(slash + 1))) {
        return false;
    }
    const char *bracket = memchr(text, '[', (size_t)(slash - text));
    if (bracket == NULL) {
        return take(p->kind, sizeof p->kind, text, (size_t)(slash - text));
    }
    if (slash[-1] != ']' || !take(p->kind, sizeof p->kind, text, (size_t)(bracket - text)) ||
        !take(p->name, sizeof p->name, bracket + 1, (size_t)(slash - 1 - (bracket + 1)))) {
        return false;
    }
    if (p->name[0] == '#') {
        char *end;
        p->indexed = true;
        p->index = strtol(p->name + 1, &end, 10);
        return p->name[1] >= '0' && p->name[1] <= '9' && *end == 0;
    }
    return true;
}

/* The next element after `node` in document order within `root`, elements below <default> left
 * out. */
static sal_xml *next_below(const sal_xml *root, sal_xml *node)
{
    if (node->child != NULL && strcmp(node->tag, "default") != 0) {
        return node->child;
    }
    while (node != root && node->next == NULL) {
        node = node->parent;
    }
    return node == root ? NULL : node->next;
}

typedef struct found {
    sal_xml *element;    /* the one that fits */
    long count;          /* how many elements of the kind there are */
    long named;          /* how many of them have the name */
    const char *nearest; /* a name like the one asked for */
    const char *other;   /* tag of another kind of element that has the name, best of one within
                            an element of the kind, as <motor> within <actuator> */
} found;

static bool fits(const path *p, const sal_xml *node, long count)
{
    if (p->indexed) {
        return count == p->index;
    }
    const sal_xml_attr *name = sal_xml_find_attr(node, "name");
    return p->name[0] == 0 || (name != NULL && strcmp(name->value, p->name) == 0);
}

static void look_at_other(found *f, bool *within, const path *p, const sal_xml *node)
{
    const sal_xml_attr *name = sal_xml_find_attr(node, "name");
    if (p->name[0] != 0 && name != NULL && strcmp(name->value, p->name) == 0) {
        const bool inside = node->parent != NULL && strcmp(node->parent->tag, p->kind) == 0;
        f->other = f->other == NULL || (inside && !*within) ? node->tag : f->other;
        *within = *within || inside;
    }
}

static found path_find(const sal_xml_doc *doc, const path *p)
{
    found f = {0};
    bool within = false;
    for (sal_xml *node = doc->root; node != NULL; node = next_below(doc->root, node)) {
        if (strcmp(node->tag, p->kind) != 0) {
            look_at_other(&f, &within, p, node);
            continue;
        }
        if (fits(p, node, f.count)) {
            f.element = node;
            f.named++;
        }
        const sal_xml_attr *name = sal_xml_find_attr(node, "name");
        const char *candidates[2] = {f.nearest, name == NULL ? NULL : name->value};
        f.nearest = sal_text_nearest(p->name, candidates, 2);
        f.count++;
    }
    return f;
}

static sal_status path_missing(const char *text, const path *p, const found *f, sal_err *err)
{
    if (f->other != NULL && f->nearest == NULL) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s': no <%s> is named '%.100s'; did you mean %s[%.100s]/%s?", text,
                        p->kind, p->name, f->other, p->name, p->attribute);
    }
    if (f->count == 0) {
        return sal_fail(err, SAL_BADINPUT, "'%.200s': the file has no element <%s>", text, p->kind);
    }
    if (p->indexed) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s': the file has %ld element%s <%s>; the first is #0", text,
                        f->count, f->count == 1 ? "" : "s", p->kind);
    }
    return sal_fail(err, SAL_BADINPUT, "'%.200s': no <%s> is named '%.100s'%s%.100s%s", text,
                    p->kind, p->name, f->nearest == NULL ? "" : "; did you mean '",
                    f->nearest == NULL ? "" : f->nearest, f->nearest == NULL ? "" : "'?");
}

/* Sets the attribute and lets its place be in `text`, so that a later message can point at the
 * override. */
static sal_status set_from(sal_xml_doc *doc, sal_xml *element, const path *p, const char *text,
                           const char *value, sal_err *err)
{
    sal_text line = {0};
    sal_xml_attr *attr = set(element, p->attribute, value);
    sal_text_format(&line, "%s=%s", text, value);
    sal_source *source = sal_alloc(1, sizeof *source);
    char *name = sal_xml_copy("override", 8);
    if (attr == NULL || line.failed || source == NULL || name == NULL) {
        sal_text_clear(&line);
        sal_free(source);
        sal_free(name);
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    *source =
        (sal_source){.path = name, .data = line.data, .length = line.length, .next = doc->sources};
    doc->sources = source;
    const size_t split = strlen(text), length = strlen(p->attribute);
    attr->name_place = (sal_place){source, split - length, length};
    attr->value_place = (sal_place){source, split + 1, strlen(value)};
    if (element->place.source == NULL) {
        element->place = (sal_place){source, 0, strlen(p->kind)};
    }
    return SAL_OK;
}

/* The element, NULL where a plain path names one that may be added. */
static sal_status path_resolve(sal_xml **element, path *p, const sal_xml_doc *doc, const char *text,
                               sal_err *err)
{
    if (!path_parse(p, text)) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s' is not a path: write KIND/ATTRIBUTE, KIND[NAME]/ATTRIBUTE or "
                        "KIND[#K]/ATTRIBUTE",
                        text);
    }
    found f = path_find(doc, p);
    const bool plain = p->name[0] == 0;
    *element = f.element;
    if (plain && f.count > 1) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s': the file has %ld elements <%s>; write %s[NAME]/%s or %s[#0]/%s",
                        text, f.count, p->kind, p->kind, p->attribute, p->kind, p->attribute);
    }
    if (!plain && f.element == NULL) {
        return path_missing(text, p, &f, err);
    }
    if (f.named > 1) {
        return sal_fail(
            err, SAL_BADINPUT,
            "'%.200s': %ld elements <%s> have the name '%s'; write %s[#K]/%s, K counted from 0",
            text, f.named, p->kind, p->name, p->kind, p->attribute);
    }
    return SAL_OK;
}

sal_status sal_xml_find_path(sal_xml **element, char attribute[SAL_XML_ATTRIBUTE_MAX],
                             const sal_xml_doc *doc, const char *text, sal_err *err)
{
    path p;
    const sal_status status = path_resolve(element, &p, doc, text, err);
    if (status == SAL_OK) {
        memcpy(attribute, p.attribute, sizeof p.attribute);
    }
    return status;
}

sal_status sal_xml_set_path(sal_xml_doc *doc, const char *text, const char *value, sal_err *err)
{
    path p;
    sal_xml *element = NULL;
    const sal_status status = path_resolve(&element, &p, doc, text, err);
    if (status != SAL_OK) {
        return status;
    }
    if (element == NULL) {
        element = sal_xml_add(doc, doc->root, p.kind);
    }
    if (element == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    return set_from(doc, element, &p, text, value, err);
}
