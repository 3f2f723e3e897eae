/* symmetrise_bodies.c: masses, centres of mass and inertias of bodies and of their mirror images
 * become means (symmetrise.c). With I the inertia about the centre of mass in the world's axes:
 *
 *     m' = (m_b + m_p)/2        x' = (x_b + F x_p)/2        I' = (I_b + F I_p F)/2
 */
#include "base/house.h"
#include "base/lapack.h"
#include "invdyn/mirror_check.h"
#include "invdyn/symmetrise.h"

#include <stdio.h>

static const double flip[3] = {1, -1, 1};

/* Principal moments and axes of I: body_inertia, and the inertial frame in the world. */
static void principal(double moment[3], double quat[4], const double I[9])
{
    double axes[9], R[9];
    sal_lapack_eigen(moment, axes, I, 3);
    sal_v3_cross(axes + 6, axes, axes + 3); /* right-handed */
    for (int i = 0; i < 9; i++) {
        R[i] = axes[3 * (i % 3) + i / 3];
    }
    sal_quat_from_matrix(quat, R);
}

/* Inertias of the pair, in the world, which become means where they are near; false: they are not,
 * or exact. */
static bool even_inertia(const inv_symmetry *w, int b, int p, double I[9], double J[9])
{
    char text[100];
    const double differ = inv_mirror_inertia(w->m, w->d, b, p, I, J);
    snprintf(text, sizeof text, "have inertias that differ by %.2g %%", 100 * differ);
    if (!inv_symmetry_within(w, differ, SAL_OBJ_BODY, b, p, text) || !(differ > 0)) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        const double sign = flip[i / 3] * flip[i % 3];
        I[i] = (I[i] + sign * J[i]) / 2;
        J[i] = sign * I[i];
    }
    return true;
}

static void even_pair(const inv_symmetry *w, int b, int p)
{
    sal_model *s = w->s;
    const int pair[2] = {b, p};
    double x[2][3], I[2][9], q[2][4];
    for (int k = 0; k < 2; k++) {
        sal_v3_copy(x[k], w->d->xipos + 3 * pair[k]);
        sal_quat_mul(q[k], w->d->xquat + 4 * pair[k], w->m->body_iquat + 4 * pair[k]);
    }
    const double mass = fmax(s->body_mass[b], s->body_mass[p]);
    if (mass > 0) {
        inv_symmetry_even(w, s->body_mass + b, s->body_mass + p, 1, mass, SAL_OBJ_BODY, pair,
                          "masses (kg)");
        inv_symmetry_points(w, x[0], x[1], w->scale[b], SAL_OBJ_BODY, pair, "centres of mass");
        if (even_inertia(w, b, p, I[0], I[1])) {
            principal(s->body_inertia + 3 * b, q[0], I[0]);
            principal(s->body_inertia + 3 * p, q[1], I[1]);
        }
    }
    for (int k = 0; k < 2; k++) {
        inv_symmetry_local(w, pair[k], s->body_ipos + 3 * pair[k], s->body_iquat + 4 * pair[k],
                           x[k], q[k]);
    }
}

void inv_symmetrise_inertias(const inv_symmetry *w)
{
    for (int b = 1; b < w->m->nbody; b++) {
        if (w->body[b] >= b) {
            even_pair(w, b, w->body[b]);
        }
    }
}
