/* solid.h: the surface of a geom as triangles; private to exports/. */
#ifndef SAL_EXPORTS_SOLID_H
#define SAL_EXPORTS_SOLID_H

#include "physics/physics.h"

/* In the frame of the geom, m */
typedef struct exp_solid {
    int nvertex, ntriangle;
    /* [nvertex x 3]; normal NULL: each triangle is flat */
    float *vertex, *normal;
    /* [ntriangle x 3] */
    unsigned *corner;
} exp_solid;

/* SAL_NOMEM. To be cleared whatever is returned. A plane without end gets `endless` m on every
 * side. */
sal_status exp_solid_new(exp_solid *s, const sal_model *m, int geom, double endless, sal_err *err);
void exp_solid_clear(exp_solid *s);

/* Which geoms are shown [ngeom]: those of the groups that are seen in MuJoCo's viewer; of a body
 * that has none there, all. How many they are. */
int exp_solid_shown(const sal_model *m, int *geom);

#endif
