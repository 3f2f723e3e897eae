/* part.c: the sub-models of a model while it is read and compiled: which one an element belongs to,
 * and the settings of its compiler. */
#include "mjcf/attach/attach.h"

#include <string.h>

int mjcf_mark_number(const sal_xml_attr *attr)
{
    double x = 0;
    const char *end = attr->value;
    return sal_text_number(attr->value, &end, &x) && x > 0 && x < 1e9 ? (int)x : 0;
}

/* The mark of the nearest element around it. */
int spec_part_of(const mjcf_spec *spec, const sal_xml *xml)
{
    for (; spec->part.n > 0 && xml != NULL; xml = xml->parent) {
        const sal_xml_attr *mark = sal_xml_find_attr(xml, MJCF_PART);
        const int number = mark == NULL ? 0 : mjcf_mark_number(mark);
        for (int i = 0; i < spec->part.n && number > 0; i++) {
            const spec_part *part = spec->part.item[i];
            if (part->number == number) {
                return i + 1;
            }
        }
    }
    return 0;
}

const spec_part *spec_part_with(const mjcf_spec *spec, const sal_xml *xml)
{
    const int k = spec_part_of(spec, xml);
    return k == 0 ? NULL : spec->part.item[k - 1];
}

const spec_compiler *spec_compiler_of(const mjcf_spec *spec, const spec_head *head)
{
    const spec_part *part = spec_part_with(spec, head->xml);
    return part == NULL ? &spec->compiler : &part->compiler;
}

/* The parts that the document's sections speak of. */
void mjcf_find_parts(mjcf_reader *r, const sal_xml *root)
{
    for (const sal_xml *xml = root->child; xml != NULL; xml = xml->next) {
        const sal_xml_attr *mark = sal_xml_find_attr(xml, MJCF_PART);
        const sal_xml_attr *folder = sal_xml_find_attr(xml, MJCF_FOLDER);
        spec_part *part =
            mark == NULL || folder == NULL ? NULL : spec_take(r->spec, 1, sizeof *part);
        spec_class *class = part == NULL ? NULL : spec_take(r->spec, 1, sizeof *class);
        if (class != NULL) {
            part->number = mjcf_mark_number(mark);
            part->folder = folder->value;
            part->main_class = class;
            spec_compiler_default(&part->compiler, r->spec->mujoco);
            spec_class_default(class, r->spec->mujoco);
            spec_push(r->spec, &r->spec->part, part);
        }
    }
}
