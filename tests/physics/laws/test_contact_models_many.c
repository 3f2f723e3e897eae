/* As test_contact_models, one hundred states of each mechanism. */
#define STATES 100
#include "tests/physics/laws/test_contact_models.c" /* NOLINT(bugprone-suspicious-include) */
