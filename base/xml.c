#include "base/xml.h"

#include "base/memory.h"
#include "base/reading.h"
#include "base/xml_scan.h"

#include <mxml.h>

#include <string.h>

enum { FILE_MAX = 64 * 1024 * 1024 };

/* ---- the tree: elements and attributes as mxml finds them, places by the marks in their order
 * ---- */

typedef struct growth {
    const sal_xml_marks *marks;
    size_t at; /* the next element's mark */
    sal_xml *root, *open;
    bool nomem;
} growth;

static const sal_xml_mark *mark_at(const growth *g, size_t i)
{
    static const sal_xml_mark nowhere = {0};
    return i < g->marks->n ? g->marks->mark + i : &nowhere;
}

/* Where memory runs out, mxml drops elements, attributes and names without a word: all that the
 * scan has found must be there. False: it is not. */
static bool is_whole(const char *name, const sal_xml_mark *mark)
{
    return name != NULL && mark->name.source != NULL && strlen(name) == mark->name.length &&
           memcmp(name, mark->name.source->data + mark->name.offset, mark->name.length) == 0;
}

/* The attributes of mxml's element `from`, which stands at g->at. */
static bool copy_attributes(const growth *g, sal_xml *to, mxml_node_t *from)
{
    const int n = mxmlElementGetAttrCount(from);
    if (n != mark_at(g, g->at)->nattr) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        const char *name = NULL;
        const char *value = mxmlElementGetAttrByIndex(from, i, &name);
        const sal_xml_mark *mark = mark_at(g, g->at + 1 + (size_t)i);
        sal_xml_attr *attr = is_whole(name, mark) && value != NULL
                                 ? sal_xml_node_attr(to, name, strlen(name))
                                 : NULL;
        if (attr == NULL) {
            return false;
        }
        attr->name_place = mark->name;
        attr->value_place = mark->value;
        attr->value = sal_xml_copy(value, strlen(value));
        if (attr->value == NULL) {
            return false;
        }
    }
    return true;
}

static void open_element(growth *g, mxml_node_t *from)
{
    const sal_xml_mark *mark = mark_at(g, g->at);
    const char *tag = mxmlGetElement(from);
    sal_xml *node = is_whole(tag, mark) ? sal_xml_node(tag, strlen(tag), mark->name) : NULL;
    if (node == NULL) {
        g->nomem = true;
        return;
    }
    if (g->open != NULL) {
        sal_xml_node_append(g->open, node);
    } else {
        sal_xml_node_free(g->root, true);
        g->root = node;
    }
    g->open = node;
    g->nomem = !copy_attributes(g, node, from);
    g->at += 1 + (size_t)mark->nattr;
}

static void grow(mxml_node_t *from, mxml_sax_event_t event, void *user)
{
    growth *g = user;
    if (event == MXML_SAX_ELEMENT_OPEN && !g->nomem) {
        open_element(g, from);
    } else if (event == MXML_SAX_ELEMENT_CLOSE && !g->nomem && g->open != NULL) {
        g->open = g->open->parent;
    }
}

static void ignore_message(const char *message)
{
    (void)message; /* the scan has already found every fault that a user can make */
}

static sal_status grow_tree(sal_xml **root, const sal_xml_marks *marks, sal_err *err)
{
    growth g = {.marks = marks};
    mxmlSetErrorCallback(ignore_message);
    mxml_node_t *rest =
        mxmlSAXLoadString(NULL, strchr(marks->clean, '<'), MXML_IGNORE_CALLBACK, grow, &g);
    mxmlSetErrorCallback(NULL);
    mxmlDelete(rest);
    *root = g.root;
    return g.nomem || g.at < marks->n || g.root == NULL ? sal_fail(err, SAL_NOMEM, "out of memory")
                                                        : SAL_OK;
}

/* ---- documents ---- */

/* Adds a source that owns `data` (freed at once if that fails). */
static sal_source *add_source(sal_xml_doc *doc, const char *path, char *data, size_t length)
{
    sal_source *source = sal_alloc(1, sizeof *source);
    char *copy = sal_xml_copy(path, strlen(path));
    if (source == NULL || copy == NULL) {
        sal_free(source);
        sal_free(copy);
        sal_free(data);
        return NULL;
    }
    *source = (sal_source){.path = copy, .data = data, .length = length, .next = doc->sources};
    doc->sources = source;
    return source;
}

/* Reads a file; one that is too large, with the bytes before it, is an error at `place`. */
static sal_status read_file(const char *path, size_t before, sal_place place, char **data,
                            size_t *length, sal_diag *diag, sal_err *err)
{
    sal_err why = {0};
    const sal_status status = sal_text_read_more(path, before, FILE_MAX, data, length, &why);
    if (status == SAL_BADINPUT && diag != NULL) {
        sal_diag_error(diag, place, NULL, "%s", why.message);
    }
    return status == SAL_OK ? SAL_OK : sal_fail(err, status, "%s", why.message);
}

/* The source's tree. The root may be incomplete if an error is returned; free it all the same. */
static sal_status read_source(sal_source *source, bool mixed, sal_xml **root, sal_diag *diag,
                              sal_err *err)
{
    sal_xml_marks marks;
    *root = NULL;
    if (source == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    sal_status status = sal_xml_scan(&marks, source, mixed, diag, err);
    if (status == SAL_OK) {
        status = grow_tree(root, &marks, err);
    }
    sal_xml_marks_clear(&marks);
    return status;
}

static sal_status read_document(sal_xml_doc *doc, const char *path, sal_diag *diag, sal_err *err)
{
    char *data = NULL;
    size_t length = 0;
    const sal_status status = read_file(path, 0, (sal_place){0}, &data, &length, diag, err);
    return status != SAL_OK ? status
                            : read_source(add_source(doc, path, data, length), doc->mixed,
                                          &doc->root, diag, err);
}

sal_status sal_xml_read(sal_xml_doc *doc, const char *path, sal_diag *diag, sal_err *err)
{
    *doc = (sal_xml_doc){0};
    return read_document(doc, path, diag, err);
}

sal_status sal_xml_read_mixed(sal_xml_doc *doc, const char *path, sal_diag *diag, sal_err *err)
{
    *doc = (sal_xml_doc){.mixed = true};
    return read_document(doc, path, diag, err);
}

static sal_status parse_document(sal_xml_doc *doc, const char *name, const char *data,
                                 size_t length, sal_diag *diag, sal_err *err)
{
    char *copy = sal_xml_copy(data, length);
    if (copy == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    return read_source(add_source(doc, name, copy, length), doc->mixed, &doc->root, diag, err);
}

sal_status sal_xml_parse(sal_xml_doc *doc, const char *name, const char *data, size_t length,
                         sal_diag *diag, sal_err *err)
{
    *doc = (sal_xml_doc){0};
    return parse_document(doc, name, data, length, diag, err);
}

sal_status sal_xml_parse_mixed(sal_xml_doc *doc, const char *name, const char *data, size_t length,
                               sal_diag *diag, sal_err *err)
{
    *doc = (sal_xml_doc){.mixed = true};
    return parse_document(doc, name, data, length, diag, err);
}

void sal_xml_free(sal_xml_doc *doc)
{
    sal_xml_node_free(doc->root, true);
    while (doc->sources != NULL) {
        sal_source *source = doc->sources;
        doc->sources = source->next;
        sal_free(source->path);
        sal_free(source->data);
        sal_free(source);
    }
    *doc = (sal_xml_doc){0};
}

void sal_xml_replace(sal_xml *element, sal_xml *root)
{
    sal_xml *parent = element->parent;
    sal_xml **link = &parent->child;
    sal_xml *before = NULL;
    while (*link != element) {
        before = *link;
        link = &before->next;
    }
    for (sal_xml *child = root->child; child != NULL; child = child->next) {
        child->parent = parent;
    }
    if (root->child != NULL) {
        root->last->next = element->next;
        *link = root->child;
    } else {
        *link = element->next;
    }
    if (parent->last == element) {
        parent->last = root->child != NULL ? root->last : before;
    }
    root->child = root->last = NULL;
    sal_xml_node_free(element, false);
}

/* Bytes of all sources of a document */
static size_t length_of(const sal_xml_doc *doc)
{
    size_t length = 0;
    for (const sal_source *s = doc->sources; s != NULL; s = s->next) {
        length += s->length;
    }
    return length;
}

/* The tree of a file that `element` asks for; free it whatever is returned. */
static sal_status read_from(sal_xml **root, sal_xml_doc *doc, const sal_xml *element,
                            const char *path, sal_diag *diag, sal_err *err)
{
    char *data = NULL;
    size_t length = 0;
    *root = NULL;
    const sal_status status =
        read_file(path, length_of(doc), element->place, &data, &length, diag, err);
    if (status != SAL_OK) {
        return status;
    }
    sal_source *source = add_source(doc, path, data, length);
    if (source != NULL) {
        source->from = element->place;
    }
    return read_source(source, doc->mixed, root, diag, err);
}

sal_status sal_xml_splice(sal_xml_doc *doc, sal_xml *element, const char *path, sal_diag *diag,
                          sal_err *err)
{
    sal_xml *root = NULL;
    if (element->parent == NULL) {
        return sal_fail(err, SAL_BADINPUT, "the root element of a file cannot be <include>");
    }
    const sal_status status = read_from(&root, doc, element, path, diag, err);
    if (status == SAL_OK && root != NULL) {
        sal_xml_replace(element, root);
    }
    sal_xml_node_free(root, true);
    return status;
}

sal_status sal_xml_append(sal_xml_doc *doc, sal_xml *element, const char *path, sal_diag *diag,
                          sal_err *err)
{
    sal_xml *root = NULL;
    const sal_status status = read_from(&root, doc, element, path, diag, err);
    if (status == SAL_OK && root != NULL) {
        sal_xml_node_append(element, root);
    } else {
        sal_xml_node_free(root, true);
    }
    return status;
}

void sal_xml_move(sal_xml *element, sal_xml *parent)
{
    sal_xml *from = element->parent, *before = NULL;
    if (from->child == element) {
        from->child = element->next;
    } else {
        for (before = from->child; before->next != element;) {
            before = before->next;
        }
        before->next = element->next;
    }
    from->last = from->last == element ? before : from->last;
    element->next = NULL;
    sal_xml_node_append(parent, element);
}
