/* As test_deriv, one hundred states of each model with either cone. */
#define STATES 100
#include "tests/physics/deriv/test_deriv.c" /* NOLINT(bugprone-suspicious-include): the same test */
