/* Any bytes are a model, or a list of faults. A model has an inverse or an error; written, it is a model of the same size. */
#include "base/base.h"

#include "physics/physics.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static sal_model *read(const char *data, size_t length, bool compat222)
{
    const sal_load_options options = {.compat222 = compat222};
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_status status = sal_model_parse(&m, "fuzz.xml", data, length, &options, &diag, &err);
    if ((m == NULL) != (status != SAL_OK) || (m == NULL && err.message[0] == '\0')) {
        abort(); /* refused without a word */
    }
    sal_diag_clear(&diag);
    return m;
}

static void use(const sal_model *m)
{
    sal_data *d = NULL;
    if (m->nv <= 100 && sal_data_new(&d, m, NULL) == SAL_OK) {
        sal_inverse(m, d, NULL);
        sal_step(m, d, NULL);
    }
    sal_data_free(d);
}

static void read_use_write(const char *data, size_t length, bool compat222)
{
    sal_model *once = read(data, length, compat222), *twice = NULL;
    sal_text text = {0};
    if (once != NULL) {
        use(once);
        const sal_status status = sal_model_write(once, &text, NULL);
        if (status == SAL_OK) {
            twice = read(text.data, text.length, compat222);
        }
        if ((status != SAL_OK && status != SAL_UNSUPPORTED) ||
            (status == SAL_OK && (twice == NULL || twice->nv != once->nv ||
                                  twice->ngeom != once->ngeom || twice->npair != once->npair))) {
            abort();
        }
    }
    sal_model_free(once);
    sal_model_free(twice);
    sal_text_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    read_use_write((const char *)data, length, false);
    read_use_write((const char *)data, length, true);
    return 0;
}
