/* As test_contact_models, four hundred states of each mechanism. */
#define STATES 400
#include "tests/physics/laws/test_contact_models.c" /* NOLINT(bugprone-suspicious-include) */
