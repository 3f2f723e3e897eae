/* As test_collide_deriv, the contacts of softened height fields. */
#define SOFTENED_FIELDS true
#include "tests/physics/deriv/test_collide_deriv.c" /* NOLINT(bugprone-suspicious-include) */
