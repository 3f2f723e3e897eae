/* convex.h: nearest points of random convex pairs, judged without the code that found them. */
#ifndef SAL_TESTS_PHYSICS_CONVEX_H
#define SAL_TESTS_PHYSICS_CONVEX_H

/* `n` pairs of random shapes, sizes and poses (a fifth of them aligned, a fifth all but touching);
 * checks each, prints how many were apart, overlapping, and polished; returns how many checks
 * failed. */
int convex_pairs(int n, unsigned seed);

#endif
