/* oracle.h: libmujoco 2.2.2 beside us: models of the corpus, random states, and vectors compared.
 * For tests only. */
#ifndef SAL_TESTS_PHYSICS_ORACLE_H
#define SAL_TESTS_PHYSICS_ORACLE_H

#include "physics/physics.h"

#include <mujoco/mujoco.h>

enum { ORACLE_NVMAX = 700 }; /* largest model taken */

/* Both engines on one model. */
typedef struct oracle {
    mjModel *mjm;
    mjData *mjd;
    sal_model *m;
    sal_data *d;
    /* oracle_open failed for that */
    bool refused_by_222;
} oracle;

/* False, with the reason in `why`, if either engine refuses the model. Compatibility with 2.2.2 is
 * switched on. */
bool oracle_open(oracle *o, const char *path, char why[512]);
/* tests/physics/NAME.xml; ends the program if that fails. */
void oracle_open_own(oracle *o, const char *name);
void oracle_close(oracle *o);
/* Both engines solve to the last digit: Newton's method, 300 iterations, no tolerance. */
void oracle_exact(oracle *o);

/* The k-th random state, the same in both: k = 0 is qpos0; joints move by up to `spread` rad (or
 * m), free joints translate by a tenth of it; velocities and controls in (-1, 1), accelerations in
 * (-3, 3), activations in (-0.5, 1.5). */
void oracle_state(oracle *o, int k, double spread);

/* max |a - b| / max |b|; against a vector that is nothing but rounding (below 1e-6), / 1e-6. NaN if
 * a number is. */
double oracle_error(const double *a, const double *b, int n);

/* What libmujoco does in a model and we do not (yet); each spoils other quantities. */
enum {
    /* found by the way: pairs of geoms without a collision function; contacts are then switched off
     * in both */
    ORACLE_COLLISION = 8,
};

/* True if a contact of either engine is one that 2.2.2 only approximates or places elsewhere: of
 * two boxes, or with an ellipsoid, cylinder or mesh on anything but a plane. Such contacts are
 * tested by geometry. (Both inverses done.) */
bool oracle_judged_elsewhere(const oracle *o);

#endif
