/* Any bytes are a document or a list of faults; a document that is written can be read again, and
 * says the same. */
#include "base/base.h"
#include "base/house.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

/* Parses and writes; false if it is no document. */
static bool rewrite(sal_text *out, const char *data, size_t length)
{
    sal_xml_doc doc = {0};
    sal_diag diag = {0};
    const bool is_document =
        sal_xml_parse_mixed(&doc, "fuzz.xml", data, length, &diag, NULL) == SAL_OK;
    if (is_document) {
        sal_xml_write(doc.root, out);
        sal_xml_set_path(&doc, "joint[a]/range", "1 2", NULL);
    } else if (diag.nerror == 0) {
        abort(); /* refused without a word */
    }
    sal_xml_free(&doc);
    sal_diag_clear(&diag);
    return is_document;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    sal_text once = {0}, twice = {0};
    if (rewrite(&once, (const char *)data, length) &&
        (!rewrite(&twice, once.data, once.length) || strcmp(once.data, twice.data) != 0)) {
        abort();
    }
    sal_text_clear(&once);
    sal_text_clear(&twice);
    return 0;
}
