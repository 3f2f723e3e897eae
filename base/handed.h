/* handed.h: is a set of places another one that was turned and moved, or its mirror image? */
#ifndef SAL_BASE_HANDED_H
#define SAL_BASE_HANDED_H

#include <stdbool.h>

/* Of n places a [n x 3] and b [n x 3], those left out that have a NaN: with their covariances,
 *
 *     c = det C_ab / sqrt(det C_aa det C_bb),        -1 <= c <= 1
 *
 * the product of their canonical correlations: 1 if b is a, turned, moved and stretched, -1 if it
 * is mirrored, too. Near 0 they say nothing: fewer than four places, all in a plane, or b has
 * little to do with a. */
double sal_handedness(const double *a, const double *b, int n);
/* Whether b is certainly a mirror image of a. Places in m, z up: where they are nearly in a plane,
 * as the markers of a pelvis are, what is above them counts, too, if a and b both stand upright. */
bool sal_is_mirrored(const double *a, const double *b, int n);

#endif
