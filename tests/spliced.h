/* spliced.h: a model of the repository with sensors of the test's own in place of its <sensor/>. */
#ifndef SAL_TESTS_SPLICED_H
#define SAL_TESTS_SPLICED_H

#include "tests/check.h"

#include "mjcf/mjcf.h"
#include "physics/physics.h"

/* sensors NULL: as it is. */
static inline sal_model *spliced(const char *name, const char *sensors)
{
    static const char gap[] = "<sensor/>";
    const char *root = getenv("SALTUS_ROOT");
    char path[1024], *text;
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_err err;
    size_t length;
    snprintf(path, sizeof path, "%s/%s", root == NULL ? "." : root, name);
    CHECK_OK(sal_text_read_file(path, 1 << 20, &text, &length, &err), err);
    const char *at = strstr(text, gap);
    if (sensors != NULL && at != NULL) {
        sal_text_addn(&xml, text, (size_t)(at - text));
        sal_text_add(&xml, sensors);
        sal_text_add(&xml, at + strlen(gap));
    } else {
        sal_text_add(&xml, text);
    }
    CHECK_OK(sal_model_parse(&m, path, xml.data, xml.length, NULL, NULL, &err), err);
    sal_text_clear(&xml);
    sal_free(text);
    return m;
}

#endif
