/* agreement.h: everything that positions, velocities and accelerations determine, beside libmujoco
 * 2.2.2. For tests only. */
#ifndef SAL_TESTS_PHYSICS_AGREEMENT_H
#define SAL_TESTS_PHYSICS_AGREEMENT_H

/* Every model of the corpus that 2.2.2 loads and two of tests/physics, in `nstate` random states
 * each: prints a line per model with the worst error of each quantity, and which states were not
 * compared and why; an error above 1e-9 is a fault. Returns how many models of the corpus were
 * compared. */
int agreement_with_222(int nstate, int *nfault);
/* The same of every .xml file of a folder and below. */
int agreement_in_folder(const char *folder, int nstate, int *nfault);

#endif
