/* xml_scan.h: private to base. The strict half of the XML reader: finds every tag and attribute in the text, refuses what is not
 * well-formed, and leaves the attributes' values to mxml. */
#ifndef SAL_BASE_XML_SCAN_H
#define SAL_BASE_XML_SCAN_H

#include "base/xml.h"

/* Builds the tree of source's elements with all places and attribute names; the values stay NULL. `clean` receives a copy of the text
 * in which everything outside tags is blank, so that a parser sees elements only; release it with sal_free. Faults go to diag. */
sal_status sal_xml_scan(const sal_source *source, sal_xml **root, char **clean, sal_diag *diag,
                        sal_err *err);

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
