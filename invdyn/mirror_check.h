/* mirror_check.h: what both proofs that a model is its own mirror image share; private to
 * invdyn/. */
#ifndef SAL_INVDYN_MIRROR_CHECK_H
#define SAL_INVDYN_MIRROR_CHECK_H

#include "invdyn/invdyn.h"

#include <math.h>

static inline bool inv_mirror_near(double a, double b, double scale)
{
    return fabs(a - b) <= 1e-7 * scale + 1e-9;
}

/* The stages up to velocities at (qpos, qvel), without contacts. */
static inline void inv_mirror_velocity(const sal_model *m, sal_data *d)
{
    sal_kinematics(m, d);
    sal_com(m, d);
    sal_tendon(m, d);
    sal_crb(m, d);
    d->ncon = d->nefc = 0;
    sal_velocity(m, d);
}

/* `name` with all words exchanged; false if it does not fit into out [size]. */
bool inv_mirror_name(char *out, size_t size, const char *name, const char *left, const char *right);

/* Inertias of a body and its partner about their centres of mass, in the world's axes, at d: the
 * largest difference of entries of J and F I F, over the largest entry (mirror_bodies.c). */
double inv_mirror_inertia(const sal_model *m, const sal_data *d, int body, int partner, double I[9],
                          double J[9]);
/* Whether masses and inertias of the bodies are mirrored, d the home pose (mirror_bodies.c).
 * SAL_BADINPUT names those that are not, with both numbers. */
sal_status inv_mirror_bodies(const sal_image *image, const sal_model *m, const sal_data *d,
                             sal_err *err);

#endif
