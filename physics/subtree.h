/* subtree.h: the bodies that hang from a body as one; private to physics/. */
#ifndef SAL_PHYSICS_SUBTREE_H
#define SAL_PHYSICS_SUBTREE_H

#include "physics/physics.h"

/* Bodies stand in preorder: a body and those that hang from it are body..end-1. */
int phy_subtree_end(const sal_model *m, int body);
/* The body whose subtree moves with dof k, among those that hang from `body`: body itself for the
 * dofs above it; -1: none. */
int phy_subtree_moved(const sal_model *m, int body, int end, int k);

/* h [6 nbody]: momentum of every body with all that hangs from it, about the centre of its tree;
 * the world has none (sal_velocity done). */
void phy_subtree_momenta(const sal_model *m, const sal_data *d, double *h);

/* A [6 nbody]: how the bodies accelerate under qacc, gravity left aside; about the centres of their
 * trees. */
void phy_subtree_accelerations(const sal_model *m, const sal_data *d, double *A);
/* The force that this takes, of body b alone. */
void phy_subtree_force(const sal_data *d, const double *A, int b, double force[3]);

/* What is taken as one: its mass, centre of mass, linear momentum. */
typedef struct phy_subtree {
    int body;
    double mass;
    double com[3];
    double p[3];
} phy_subtree;
/* Of the bodies that can move. */
phy_subtree phy_subtree_of(const sal_model *m, const sal_data *d, int body);
/* Adds to Dq, Dv how one of its numbers but the acceleration varies; see sal_bulk_deriv.
 * subtree_deriv.c */
void phy_subtree_deriv(const sal_model *m, sal_data *d, sal_bulk which, const phy_subtree *of,
                       double *Dq, double *Dv);

#endif
