/* As test_deriv, four hundred states of each model with either cone. */
#define STATES 400
#include "tests/physics/deriv/test_deriv.c" /* NOLINT(bugprone-suspicious-include): the same test */
