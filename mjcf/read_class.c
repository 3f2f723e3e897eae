/* read_class.c: the default class that an element names. */
#include "mjcf/reader.h"

#include <string.h>

const spec_class *mjcf_find_class(const mjcf_spec *spec, const char *name)
{
    const spec_class *main_class = spec->classes.item[0];
    return strcmp(main_class->head.name, name) == 0 ? main_class
                                                    : spec_index_find(&spec->class_names, name);
}

static void unknown_class(mjcf_reader *r, const sal_xml_attr *attr)
{
    const char *known[256];
    char help[128];
    size_t n = 0;
    for (int i = 0; i < r->spec->classes.n && n < 256 && !sal_diag_is_full(r->diag); i++) {
        const spec_class *c = r->spec->classes.item[i];
        known[n++] = c->head.name;
    }
    mjcf_error(r, attr->value_place, mjcf_suggestion(r, help, attr->value, known, n),
               "there is no default class '%.100s'", attr->value);
}

const spec_class *mjcf_class_of(mjcf_reader *r, const sal_xml *xml, const spec_class *otherwise)
{
    const spec_part *part = spec_part_with(r->spec, xml);
    const spec_class *found = otherwise != NULL ? otherwise
                              : part != NULL    ? part->main_class
                                                : r->spec->classes.item[0];
    const sal_xml_attr *attr = sal_xml_find_attr(xml, "class");
    if (attr == NULL) {
        attr = sal_xml_find_attr(xml, "childclass");
    }
    if (attr != NULL) {
        const spec_class *named = mjcf_find_class(r->spec, attr->value);
        if (named == NULL) {
            unknown_class(r, attr);
        } else {
            found = named;
        }
    }
    return found;
}
