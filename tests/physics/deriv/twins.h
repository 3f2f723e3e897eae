/* twins.h: the exact derivatives of the inverse beside four-point differences, on every model there
 * is. For tests only. */
#ifndef SAL_TESTS_PHYSICS_DERIV_TWINS_H
#define SAL_TESTS_PHYSICS_DERIV_TWINS_H

/* Models of the corpus with at most 60 dofs and those of models/: `nstate` lively states each with
 * either cone, and an eighth as many in the behaviour of 2.2.2. Prints a line for each; returns how
 * many were compared; *nfault: how many are beyond the bounds. */
int twins_of_models(int nstate, int *nfault);

/* The same on tests/physics/deriv/twins/ *.xml: small models of everything that has a
 * derivative. */
int twins_of_small_models(int nstate, int *nfault);

#endif
