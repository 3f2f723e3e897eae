/* mirror_bodies.c: masses and inertias of bodies and of their mirror images, at the home pose. With
 * F = diag(1, -1, 1), x the centre of mass and I the inertia about it in the world's axes,
 *
 *     m_p = m_b        x_p = F x_b        I_p = F I_b F
 */
#include "base/house.h"
#include "invdyn/mirror_check.h"

#include <stdio.h>
#include <string.h>

static const double flip[3] = {1, -1, 1};

/* I = R diag R' */
static void world_inertia(double I[9], const sal_model *m, const sal_data *d, int body)
{
    const double *R = d->ximat + 9 * body, *diag = m->body_inertia + 3 * body;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            I[3 * i + k] = 0;
            for (int a = 0; a < 3; a++) {
                I[3 * i + k] += R[3 * i + a] * diag[a] * R[3 * k + a];
            }
        }
    }
}

double inv_mirror_inertia(const sal_model *m, const sal_data *d, int body, int partner, double I[9],
                          double J[9])
{
    double most = 0, scale = 0;
    world_inertia(I, m, d, body);
    world_inertia(J, m, d, partner);
    for (int i = 0; i < 9; i++) {
        scale = fmax(scale, fmax(fabs(I[i]), fabs(J[i])));
        most = fmax(most, fabs(J[i] - flip[i / 3] * flip[i % 3] * I[i]));
    }
    return scale > 0 ? most / scale : 0;
}

/* Adds what differs of a body and its image; false if nothing does. */
static bool tell(char *text, size_t room, const sal_model *m, const sal_data *d, int body,
                 int partner)
{
    char one[SAL_LABEL_MAX], other[SAL_LABEL_MAX], what[160];
    const double *x = d->xipos + 3 * body, *y = d->xipos + 3 * partner;
    const double beside = sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] + y[1]) * (x[1] + y[1]) +
                               (x[2] - y[2]) * (x[2] - y[2]));
    double I[9], J[9];
    const double inertia = inv_mirror_inertia(m, d, body, partner, I, J);
    const double mass = m->body_mass[body], its = m->body_mass[partner];
    if (!inv_mirror_near(mass, its, mass)) {
        snprintf(what, sizeof what, "have the masses %.6g kg and %.6g kg", mass, its);
    } else if (mass > 0 && !inv_mirror_near(beside, 0, 1)) {
        snprintf(what, sizeof what, "have centres of mass %.3g m from mirrored places", beside);
    } else if (mass > 0 && !inv_mirror_near(inertia, 0, 1)) {
        snprintf(what, sizeof what, "have inertias that differ by %.2g %%", 100 * inertia);
    } else {
        return false;
    }
    sal_model_label(m, SAL_OBJ_BODY, body, one);
    sal_model_label(m, SAL_OBJ_BODY, partner, other);
    snprintf(text, room, "%s and %s %s", one, body == partner ? "its image" : other, what);
    return true;
}

sal_status inv_mirror_bodies(const sal_image *image, const sal_model *m, const sal_data *d,
                             sal_err *err)
{
    char list[360] = "", line[SAL_LABEL_MAX * 2 + 200];
    int more = 0;
    for (int b = 1; b < m->nbody; b++) {
        if (m->body_dofnum[b] == 0) {
            continue;
        }
        const int partner = m->dof_bodyid[image->dof_index[m->body_dofadr[b]]];
        if (partner < b || !tell(line, sizeof line, m, d, b, partner)) {
            continue;
        }
        const size_t used = strlen(list);
        if (used + strlen(line) + 3 < sizeof list) {
            snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? "; " : "", line);
        } else {
            more++;
        }
    }
    if (list[0] == 0) {
        return SAL_OK;
    }
    char rest[40] = "";
    if (more > 0) {
        snprintf(rest, sizeof rest, "; and %d more", more);
    }
    return sal_fail(err, SAL_BADINPUT, "the model is not its own mirror image: %s%s", list, rest);
}
