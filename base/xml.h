/* xml.h: an XML document whose elements and attributes know where they stand. The only file that
 * includes mxml is xml.c.
 *
 * Stricter than mxml: unquoted or repeated attributes, text after or before the root, mismatched
 * tags, control characters and nesting deeper than 500 are errors with a position. Text content is
 * kept for no element (MJCF and problem files have none); non-blank text between elements is an
 * error.
 */
#ifndef SAL_BASE_XML_H
#define SAL_BASE_XML_H

#include "base/diag.h"
#include "base/status.h"

struct sal_source {
    /* as given, for messages */
    char *path;
    /* the whole text, zero-terminated */
    char *data;
    size_t length;
    /* of the sources of one document (includes) */
    struct sal_source *next;
    /* where it was included; source NULL: nowhere */
    sal_place from;
};

typedef struct sal_xml_attr {
    /* entities resolved */
    char *name, *value;
    sal_place name_place;
    sal_place value_place;
    /* set by sal_xml_get: what stays false was not understood by anyone */
    bool used;
} sal_xml_attr;

typedef struct sal_xml {
    char *tag;
    /* of the tag's name */
    sal_place place;
    sal_xml_attr *attr;
    int nattr;
    int attr_capacity;
    struct sal_xml *parent;
    struct sal_xml *child;
    struct sal_xml *last;
    struct sal_xml *next;
} sal_xml;

typedef struct sal_xml_doc {
    sal_xml *root;
    sal_source *sources;
    /* text between elements is left out, with a warning */
    bool mixed;
} sal_xml_doc;

/* Reads the document at `path`. Faults of the file itself go to diag (SAL_BADINPUT); a path that
 * cannot be read is SAL_BADPATH. The document must be freed whatever is returned. */
sal_status sal_xml_read(sal_xml_doc *doc, const char *path, sal_diag *diag, sal_err *err);
/* The same from memory; `name` stands for the path in messages. */
sal_status sal_xml_parse(sal_xml_doc *doc, const char *name, const char *data, size_t length,
                         sal_diag *diag, sal_err *err);
/* The same two for documents in which text may stand between elements: it is left out, with a
 * warning. So are documents that are spliced in. */
sal_status sal_xml_read_mixed(sal_xml_doc *doc, const char *path, sal_diag *diag, sal_err *err);
sal_status sal_xml_parse_mixed(sal_xml_doc *doc, const char *name, const char *data, size_t length,
                               sal_diag *diag, sal_err *err);
void sal_xml_free(sal_xml_doc *doc);

/* Reads another document and puts copies of its root's children where `element` stands (an
 * include); the sources are kept in doc. */
sal_status sal_xml_splice(sal_xml_doc *doc, sal_xml *element, const char *path, sal_diag *diag,
                          sal_err *err);

/* Reads another document and puts its root behind the children of `element`; the sources are kept
 * in doc. */
sal_status sal_xml_append(sal_xml_doc *doc, sal_xml *element, const char *path, sal_diag *diag,
                          sal_err *err);
/* Moves an element with all in it behind the children of `parent`. */
void sal_xml_move(sal_xml *element, sal_xml *parent);

/* Puts the children of `root` (which may stand in element) where `element` stands, and frees
 * element. */
void sal_xml_replace(sal_xml *element, sal_xml *root);

/* The attribute's value and marks it used, or NULL. */
const char *sal_xml_get(sal_xml *element, const char *name);
sal_xml_attr *sal_xml_find_attr(const sal_xml *element, const char *name);
/* Whether there is no attribute (NULL), or nothing but space in it. */
bool sal_xml_is_blank(const sal_xml_attr *attr);
/* Sets or adds an attribute. */
sal_status sal_xml_set(sal_xml *element, const char *name, const char *value, sal_err *err);
/* Removes an attribute, if it is there. */
void sal_xml_unset(sal_xml *element, const char *name);
sal_xml *sal_xml_child(const sal_xml *element, const char *tag);
/* The first of that kind in document order, however deep. */
sal_xml *sal_xml_descendant(const sal_xml *element, const char *tag);

/* A new last child of `parent` (NULL: a new root). */
sal_xml *sal_xml_add(sal_xml_doc *doc, sal_xml *parent, const char *tag);
/* The document as text (two spaces a level, one element a line, attributes escaped). */
void sal_xml_write(const sal_xml *element, sal_text *out);
/* Appends `value` as it is written in an attribute or between tags. */
void sal_xml_escape(sal_text *out, const char *value);

/* Sets the attribute that the path `text` names below the root, in the grammar that --set,
 * overrides and sweeps share:
 *
 *     kind[name]/attribute    the element <kind name="name"> wherever it is nested
 *     kind[#k]/attribute      the k-th element of that kind, from 0, in document order
 *     kind/attribute          an element that occurs once (or not at all: it is added to the root)
 *
 * Elements inside <default> are not looked at. SAL_BADINPUT with a suggestion if nothing fits or
 * the path is ambiguous. */
sal_status sal_xml_set_path(sal_xml_doc *doc, const char *text, const char *value, sal_err *err);

enum { SAL_XML_ATTRIBUTE_MAX = 64 };
/* The element that such a path names, NULL where it would be added to the root, and the attribute
 * behind the slash. Errors as above. */
sal_status sal_xml_find_path(sal_xml **element, char attribute[SAL_XML_ATTRIBUTE_MAX],
                             const sal_xml_doc *doc, const char *text, sal_err *err);

#endif
