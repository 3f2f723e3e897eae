/* As test_agreement, a hundred states of each model. */
#define STATES 100
#include "tests/physics/test_agreement.c" /* NOLINT(bugprone-suspicious-include): the same test */
