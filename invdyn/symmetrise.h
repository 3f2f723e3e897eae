/* symmetrise.h: what the files symmetrise_*.c share; private to invdyn/. */
#ifndef SAL_INVDYN_SYMMETRISE_H
#define SAL_INVDYN_SYMMETRISE_H

#include "invdyn/invdyn.h"

/* A model on its way to its own mirror image. World quantities are those of the home pose. */
typedef struct inv_symmetry {
    const sal_model *m; /* as it is, */
    const sal_data *d;  /* at home */
    sal_model *s;       /* its copy, which changes */
    double tolerance;
    /* [nbody], [njnt] whose image each is; -1: nobody's */
    int *body, *joint;
    /* [njnt] of the coordinate of a slide or hinge: q_p = sign q_j */
    double *sign;
    /* [nbody] what lengths are compared with */
    double *scale;
    /* [nbody x 3, 4] where the frames of bodies come to be, in the world */
    double *pos, *quat;
    sal_asymmetry *largest;
} inv_symmetry;

/* Whether a difference, relative to its scale, is within the tolerance. The largest of those that
 * are is kept, as "A and B WHAT". */
bool inv_symmetry_within(const inv_symmetry *w, double difference, sal_object type, int a, int b,
                         const char *what);
/* *b should be sign *a: where |*b - sign *a| <= tolerance scale, both get the mean. */
void inv_symmetry_even(const inv_symmetry *w, double *a, double *b, double sign, double scale,
                       sal_object type, const int object[2], const char *what);
/* The same for points, b = F a, and vectors of that kind; false: too far from each other. */
bool inv_symmetry_points(const inv_symmetry *w, double a[3], double b[3], double scale,
                         sal_object type, const int object[2], const char *what);
/* The mean of a rotation and the image of its partner's; false where they differ by more radians
 * than the tolerance, and stay as they are. */
bool inv_symmetry_turns(const inv_symmetry *w, double a[4], double b[4]);
/* A point or a rotation of the world in the new frame of a body. */
void inv_symmetry_local(const inv_symmetry *w, int body, double *pos, double *quat,
                        const double *world_pos, const double *world_quat);

/* Which geom or site is the image of this one, by its place; -1: none. */
int inv_symmetry_geom(const inv_symmetry *w, int g);
int inv_symmetry_site(const inv_symmetry *w, int i);

/* Masses, centres of mass, inertias (symmetrise_bodies.c); geoms and sites (symmetrise_geoms.c);
 * numbers of joints and actuators (symmetrise_joints.c). */
void inv_symmetrise_inertias(const inv_symmetry *w);
void inv_symmetrise_geoms(const inv_symmetry *w);
void inv_symmetrise_sites(const inv_symmetry *w);
void inv_symmetrise_axes(const inv_symmetry *w);
void inv_symmetrise_joints(const inv_symmetry *w);
void inv_symmetrise_actuators(const inv_symmetry *w, const char *left, const char *right);

#endif
