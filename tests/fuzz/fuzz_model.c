/* Any bytes are a model, or a list of faults; a model that is written is a model again, of the same size. */
#include "base/base.h"
#include "physics/physics.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);
