#include "problems/read/known_model.h"

#include "base/house.h"

#include <string.h>

bool prb_known_model_is(const prb_known_model *known, const sal_text *key)
{
    return known->key != NULL && key->data != NULL && known->length == key->length &&
           memcmp(known->key, key->data, key->length) == 0;
}

void prb_known_model_keep(prb_known_model *known, sal_text *key, const sal_model *model,
                          const char sha256[65])
{
    prb_known_model_clear(known);
    if (!key->failed && sal_model_copy(&known->model, model, NULL) == SAL_OK) {
        known->key = key->data;
        known->length = key->length;
        memcpy(known->sha256, sha256, sizeof known->sha256);
        *key = (sal_text){0};
    }
}

void prb_known_model_clear(prb_known_model *known)
{
    sal_free(known->key);
    sal_model_free(known->model);
    *known = (prb_known_model){0};
}
