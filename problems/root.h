/* root.h: the joints by which a mechanism goes freely over a floor; open to the rooms above
 * problems/. */
#ifndef SAL_PROBLEMS_ROOT_H
#define SAL_PROBLEMS_ROOT_H

#include "physics/physics.h"

/* A body of the world with a free joint, or with slides and hinges of which a slide lifts it, with
 * neither an actuator nor a spring. */
typedef struct prb_root {
    /* 0: there is none */
    int body;
    /* its dofs, and the one that lifts it */
    int dof, ndof, lift;
    /* by axis x, y, z: the place in q of what moves it along, -1: nothing does; and how far, m, for
     * 1 of it */
    int place[3];
    double along[3];
} prb_root;

/* Of this body; false: it is no root. */
bool prb_root_of(prb_root *root, const sal_model *m, int body);
/* The first whose tree an actuator drives, else the first; false: there is none. */
bool prb_root_find(prb_root *root, const sal_model *m);
/* Whether the joint has a spring. */
bool prb_has_spring(const sal_model *m, int joint);
/* Whether an actuator of the joint itself or of a tendon moves it. */
bool prb_is_actuated(const sal_model *m, int joint);
/* Whether an actuator moves a joint of the tree of this body of the world. */
bool prb_is_driven(const sal_model *m, int body);

#endif
