/* contact_surface.c: surfaces that move along the geoms they belong to, as belts do. With (a; b)
 * the geom's surfacevel and R its axes, its surface has at the point P the velocity and the turn
 *
 *     v = R a + R b x (P - x),      w = R b
 *
 * beyond those of its body. A contact feels their differences along its tangents, and w about its
 * normal; the normal row, and rolling, leave them out (MuJoCo documentation, "XML reference", geom,
 * surfacevel). Rows of a pyramid have mu times as much.
 */
#include "base/house.h"
#include "physics/stages.h"

void sal_surface_motion(const sal_model *m, const sal_data *d, int geom, const double point[3],
                        double motion[6])
{
    const double *a = m->geom_surfacevel + 6 * geom, *R = d->geom_xmat + 9 * geom;
    double arm[3];
    sal_m3_mulv(motion, R, a + 3);
    sal_m3_mulv(motion + 3, R, a);
    sal_v3_sub(arm, point, d->geom_xpos + 3 * geom);
    sal_v3_addcross(motion + 3, motion, arm);
}

bool phy_surfaces_move(const sal_model *m, const sal_contact *contact)
{
    const int geom[2] = {contact->geom1, contact->geom2};
    bool slide = false;
    for (int k = 0; k < 12; k++) {
        slide = slide || m->geom_surfacevel[6 * geom[k / 6] + k % 6] != 0;
    }
    return slide && contact->dim > 1;
}

/* Rows of contact i: along both tangents and about the normal */
static void add_sliding(const sal_model *m, sal_data *d, const sal_contact *c)
{
    double S[2][6], along[3];
    sal_surface_motion(m, d, c->geom1, c->pos, S[0]);
    sal_surface_motion(m, d, c->geom2, c->pos, S[1]);
    sal_sp_addscaled(S[1], S[1], -1, S[0]);
    along[0] = sal_v3_dot(c->frame + 3, S[1] + 3);
    along[1] = sal_v3_dot(c->frame + 6, S[1] + 3);
    along[2] = sal_v3_dot(c->frame, S[1]);
    for (int l = 1; l < c->dim && l <= 3; l++) {
        double *v = d->efc_vel + c->efc_address;
        if (d->efc_type[c->efc_address] == SAL_EFC_CONTACT_PYRAMIDAL) {
            const double edge = m->pair_friction[5 * c->pair + l - 1] * along[l - 1];
            v[2 * l - 2] += edge;
            v[2 * l - 1] -= edge;
        } else {
            v[l] += along[l - 1];
        }
    }
}

void phy_add_surface_motion(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *c = d->contact + i;
        if (c->efc_address >= 0 && phy_surfaces_slide(m, c)) {
            add_sliding(m, d, c);
        }
    }
}
