#include "base/xml.h"

#include "base/memory.h"
#include "base/xml_scan.h"

#include <mxml.h>

#include <string.h>

enum { FILE_MAX = 64 * 1024 * 1024 };

/* ---- values: what mxml makes of the clean text goes into the tree of the scan ---- */

typedef struct fill {
    sal_xml *next; /* the element whose tag mxml opens next */
    bool nomem, lost;
} fill;

/* The next element in document order. */
static sal_xml *after(const sal_xml *node)
{
    if (node->child != NULL) {
        return node->child;
    }
    while (node != NULL && node->next == NULL) {
        node = node->parent;
    }
    return node == NULL ? NULL : node->next;
}

static void fill_values(mxml_node_t *from, mxml_sax_event_t event, void *user)
{
    fill *f = user;
    if (event != MXML_SAX_ELEMENT_OPEN || f->lost || f->nomem) {
        return;
    }
    sal_xml *to = f->next;
    f->lost = to == NULL || strcmp(mxmlGetElement(from), to->tag) != 0 ||
              mxmlElementGetAttrCount(from) != to->nattr;
    for (int i = 0; !f->lost && i < to->nattr; i++) {
        const char *name = NULL;
        const char *value = mxmlElementGetAttrByIndex(from, i, &name);
        f->lost = name == NULL || strcmp(name, to->attr[i].name) != 0;
        to->attr[i].value =
            sal_xml_copy(value == NULL ? "" : value, value == NULL ? 0 : strlen(value));
        f->nomem = f->nomem || to->attr[i].value == NULL;
    }
    if (!f->lost) {
        f->next = after(to);
    }
}

static void ignore_message(const char *message)
{
    (void)message; /* the scan has already found every fault that a user can make */
}

static sal_status load_values(sal_xml *root, const char *clean, sal_err *err)
{
    fill f = {.next = root};
    mxmlSetErrorCallback(ignore_message);
    mxml_node_t *rest =
        mxmlSAXLoadString(NULL, strchr(clean, '<'), MXML_IGNORE_CALLBACK, fill_values, &f);
    mxmlSetErrorCallback(NULL);
    mxmlDelete(rest);
    if (f.nomem) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    if (f.lost || f.next != NULL) {
        return sal_fail(err, SAL_INTERNAL, "the two XML readers disagree about <%.100s>",
                        f.next == NULL ? "the end" : f.next->tag);
    }
    return SAL_OK;
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

/* The source's tree. The root may be incomplete if an error is returned; free it all the same. */
static sal_status read_source(sal_source *source, sal_xml **root, sal_diag *diag, sal_err *err)
{
    char *clean = NULL;
    *root = NULL;
    if (source == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    sal_status status = sal_xml_scan(source, root, &clean, diag, err);
    if (status == SAL_OK) {
        status = load_values(*root, clean, err);
    }
    sal_free(clean);
    return status;
}

sal_status sal_xml_read(sal_xml_doc *doc, const char *path, sal_diag *diag, sal_err *err)
{
    char *data = NULL;
    size_t length = 0;
    *doc = (sal_xml_doc){0};
    const sal_status status = sal_text_read_file(path, FILE_MAX, &data, &length, err);
    return status != SAL_OK
               ? status
               : read_source(add_source(doc, path, data, length), &doc->root, diag, err);
}

sal_status sal_xml_parse(sal_xml_doc *doc, const char *name, const char *data, size_t length,
                         sal_diag *diag, sal_err *err)
{
    *doc = (sal_xml_doc){0};
    char *copy = sal_xml_copy(data, length);
    if (copy == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    return read_source(add_source(doc, name, copy, length), &doc->root, diag, err);
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

/* What the sources of a document leave to further ones. */
static size_t room_for_more(const sal_xml_doc *doc)
{
    size_t room = FILE_MAX;
    for (const sal_source *s = doc->sources; s != NULL; s = s->next) {
        room -= s->length < room ? s->length : room;
    }
    return room;
}

sal_status sal_xml_splice(sal_xml_doc *doc, sal_xml *element, const char *path, sal_diag *diag,
                          sal_err *err)
{
    char *data = NULL;
    size_t length = 0;
    sal_xml *root = NULL;
    sal_status status = element->parent == NULL
                            ? sal_fail(err, SAL_BADINPUT, "the root element cannot be an include")
                            : sal_text_read_file(path, room_for_more(doc), &data, &length, err);
    if (status != SAL_OK) {
        return status;
    }
    sal_source *source = add_source(doc, path, data, length);
    if (source != NULL) {
        source->from = element->place;
    }
    status = read_source(source, &root, diag, err);
    if (status == SAL_OK && root != NULL) {
        sal_xml_replace(element, root);
    }
    sal_xml_node_free(root, true);
    return status;
}
