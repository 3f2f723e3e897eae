/* next_gap.h: how far apart what touches now will be at the next instant, for contact models that
 * know it; private to physics/.
 *
 *     q' = q (+) h v'          s = gap at q' between the features that touch at q
 *
 * The features are the nearest points of both geoms, of spheres and capsules the points of their
 * cores, each fixed to its body. So s is exact where nearest points do not move over what they lie
 * on, or move in a plane: spheres, capsules, boxes and meshes on planes, corners on faces, spheres
 * on spheres. Elsewhere it errs by the square of what they move in a step, over the radii. With
 * c_1, c_2 the features at q', r_1, r_2 the radii of what is round, and the normal N,
 *
 *     s = N'(c_2 - c_1) - r_1 - r_2         N along c_2 - c_1 where both are round, else fixed to
 *                                           the body of a geom that is not
 *     ds = N'(velocity of body 2 - velocity of body 1, both at the feature that N is not fixed to)
 *
 * is how s varies with q'. With q the features change, too: where they are on their bodies by p_1,
 * p_2, and N by n on its body, seen from q,
 *
 *     ds = a_2'dp_2 - a_1'dp_1 + b'dn         a_i = R_i'N, b = R'(c_2 - c_1) or 0
 *
 * R_i what turns body i from q to q'.
 */
#ifndef SAL_PHYSICS_NEXT_GAP_H
#define SAL_PHYSICS_NEXT_GAP_H

#include "physics/physics.h"

/* Sets nnext and nnextJ by the contact model, nefcmax and nJmax. */
void phy_next_capacity(sal_model *m);

/* A data with its positions at another instant; all else is the first one's. */
typedef struct phy_next {
    sal_data at;
} phy_next;

/* Its arrays, from the arena, where they stay; d NULL: to measure. */
bool phy_next_take(phy_next *next, const sal_model *m, const sal_data *d, sal_arena *arena);
/* efc_next, next_J and next_feature (a_1, a_2, b) of all contacts, when the next velocity is v [nv]
 * (sal_make_constraint and body poses done). */
void phy_next_place(phy_next *next, const sal_model *m, sal_data *d, const double *v);

/* The same for v = qvel + h qacc. Scratch from d->arena: phy_next_scratch. False, and scratch is
 * refused: the data was made before its model had this contact model. */
bool phy_next_gaps(const sal_model *m, sal_data *d);
void phy_next_scratch(const sal_model *m, sal_arena *arena);

/* Of a sphere or capsule; 0 of others */
double phy_next_radius(const sal_model *m, int geom);
/* The side, 0 or 1, to whose body N is fixed; -1: to neither */
int phy_next_owner(const sal_model *m, const sal_contact *con);

/* ds/dq, ds/dv, ds/da of contact i with its features as they are, by the dof of column k of its
 * rows (phy_next_gaps done). */
void phy_next_slopes(const sal_model *m, const sal_data *d, int i, int k, double slope[3]);

#endif
