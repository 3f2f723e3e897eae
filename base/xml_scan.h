/* xml_scan.h: private to base. The strict half of the XML reader: refuses what is not well-formed,
 * and marks where every tag and attribute stands. The tree itself is mxml's to make. */
#ifndef SAL_BASE_XML_SCAN_H
#define SAL_BASE_XML_SCAN_H

#include "base/xml.h"

/* Where an element or an attribute stands. */
typedef struct sal_xml_mark {
    sal_place name;
    /* of an attribute */
    sal_place value;
    /* of an element: its attributes, whose marks follow */
    int nattr;
} sal_xml_mark;

/* What a scan leaves, to be cleared. */
typedef struct sal_xml_marks {
    /* [n] in the order of the text */
    sal_xml_mark *mark;
    size_t n;
    size_t capacity;
    /* a copy of the text in which everything outside tags is blank: a parser sees elements only */
    char *clean;
} sal_xml_marks;

/* Scans the source; mixed: text between elements is a warning instead of a fault. Faults go to
 * diag. The marks must be cleared whatever is returned. */
sal_status sal_xml_scan(sal_xml_marks *marks, const sal_source *source, bool mixed, sal_diag *diag,
                        sal_err *err);
void sal_xml_marks_clear(sal_xml_marks *marks);

/* One element with room for its attributes' list; NULL without memory. */
sal_xml *sal_xml_node(const char *tag, size_t length, sal_place place);
/* Adds an attribute without a value at the end; NULL without memory. */
sal_xml_attr *sal_xml_node_attr(sal_xml *element, const char *name, size_t length);
/* Makes node the last child of parent. */
void sal_xml_node_append(sal_xml *parent, sal_xml *node);
/* Frees an element with all below it, and those that follow it if `chain`. NULL is allowed. */
void sal_xml_node_free(sal_xml *node, bool chain);
/* A zero-terminated copy; NULL without memory. */
char *sal_xml_copy(const char *bytes, size_t n);

#endif
