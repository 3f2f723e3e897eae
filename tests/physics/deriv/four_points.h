/* four_points.h: matrices of derivatives by differences, to hold exact ones against.
 *
 *     f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / (12 h) = (4 D(h) - D(2h))/3
 *
 * with the centred differences D. Where D(h) and D(2h) differ much, the function is too curved for
 * this h, and a quarter of it is taken, as long as rounding allows, and six points:
 *
 *     f' = (45 (f(h) - f(-h)) - 9 (f(2h) - f(-2h)) + (f(3h) - f(-3h))) / (60 h)
 *
 * which may be farther apart than four: micrometres above the floor four would have to be so near
 * that the rounding of the gap, 1e-16 m, comes out of them as 1e-8 of the derivative.
 *
 * Where a row changes its law, its list of rows, or the piece of its impedance curve between these
 * points, there is no derivative to be had: such a column is a kink, and counted instead. */
#ifndef SAL_TESTS_PHYSICS_DERIV_FOUR_POINTS_H
#define SAL_TESTS_PHYSICS_DERIV_FOUR_POINTS_H

#include "base/house.h"
#include "physics/physics.h"

typedef enum four_by { FOUR_BY_Q, FOUR_BY_V, FOUR_BY_A } four_by;

/* Writes n = nv numbers that follow from d->qpos, qvel and qacc, or from qpos, qvel and `acc`; may
 * write to d->qacc. */
typedef void four_function(const sal_model *m, sal_data *d, const double *acc, double *out);

typedef struct four_points {
    const sal_model *m;
    /* of the caller's own; its state is what is varied */
    sal_data *d;
    four_function *function;
    /* looked at, left out: summed over calls */
    int columns;
    int kinks;
    /* of the function's values, in the last matrix */
    double size;
    /* of the largest summand in them that is rounded, if that is larger than they are; 0 */
    double summand;
    /* error over largest entry, by q, v, a */
    double worst[3];
} four_points;

/* D [nv x nv] from the state of d with d->qacc as `acc`; kink [nv]. The state is left as it was. */
void four_points_matrix(four_points *f, four_by by, double *D, bool *kink);

/* The largest difference of D to that matrix, less what rounding of the function makes of it, over
 * its largest entry, kinks left out; goes into worst, too. */
double four_points_error(four_points *f, four_by by, const double *D);

/* A random state: joints up to 1 from where they were posed, speeds up to 2, accelerations up to
 * 20. */
void four_points_state(const sal_model *m, sal_data *d, sal_rng *rng);

#endif
