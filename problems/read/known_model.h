/* known_model.h: the model that was read last, for the next problem that has the same one: of a
 * sweep's cells many differ in the problem alone, and a model's meshes take long to read.
 */
#ifndef SAL_PROBLEMS_READ_KNOWN_MODEL_H
#define SAL_PROBLEMS_READ_KNOWN_MODEL_H

#include "mjcf/mjcf.h"

/* Begins as zeros. Files are taken to stay as they are. One thread at a time. */
typedef struct prb_known_model {
    /* what it was read from: path, settings, sensors of the problem; NULL: there is none */
    char *key;
    size_t length;
    sal_model *model;
    char sha256[65];
} prb_known_model;

/* Whether it was read from that. */
bool prb_known_model_is(const prb_known_model *known, const sal_text *key);
/* A copy of it becomes the known one, and the key its own; without memory, none is known. */
void prb_known_model_keep(prb_known_model *known, sal_text *key, const sal_model *model,
                          const char sha256[65]);
void prb_known_model_clear(prb_known_model *known);

#endif
