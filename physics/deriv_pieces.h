/* deriv_pieces.h: what adds its share to the derivatives of the inverse, element by element; private to physics/.
 *
 * A load goes to its body before the recursion towards the roots; the rest goes into Dq, Dv, Da after their assembly.
 */
#ifndef SAL_DERIV_PIECES_H
#define SAL_DERIV_PIECES_H

#include "physics/deriv.h"

/* Loads: gravity compensation, the medium. element_deriv_load.c */
void sal_elements_load(const sal_model *m, sal_data *d, sal_deriv *w);

/* Into Dq, Dv, Da: what several bodies hold together, and gravity compensation of chains that leave it to actuators in part. element_deriv.c */
void sal_elements_deriv(const sal_model *m, sal_data *d, sal_deriv *w);

#endif
