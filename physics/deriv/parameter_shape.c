/* parameter_shape.c: how contacts vary with the size and place of shapes that lie on planes: the
 * point p of a contact and its distance move, the normal does not. Of the motion e of the bodies
 * against each other at p, de = axis . (w x dp); and dJ'f is the torque dp x f.
 */
#include "base/house.h"
#include "physics/collision/collide.h"
#include "physics/contact_law.h"
#include "physics/deriv/parameter_change.h"

#include <string.h>

/* To the last bit */
static bool differ(const double a[3], const double b[3])
{
    return a[0] != b[0] || a[1] != b[1] || a[2] != b[2];
}

static bool moves(const sal_model *a, const sal_model *b, int g)
{
    return differ(a->geom_size + 3 * g, b->geom_size + 3 * g) ||
           differ(a->geom_pos + 3 * g, b->geom_pos + 3 * g);
}

bool phy_shape_pulls(const sal_model *a, const sal_model *b)
{
    for (int i = 0; i < a->nwrap; i++) {
        const bool geom =
            a->wrap_type[i] == SAL_WRAP_SPHERE || a->wrap_type[i] == SAL_WRAP_CYLINDER;
        if (geom && moves(a, b, a->wrap_objid[i])) {
            return true;
        }
    }
    return false;
}

/* The contacts that a pair would have with the shapes of another model. */
static int touches(const sal_model *m, const sal_data *d, const sal_model *other,
                   const sal_contact *contact, phy_touch *touch)
{
    const int geom[2] = {contact->geom1, contact->geom2};
    double pos[2][3];
    phy_meeting meeting = phy_meeting_of(m, d, geom[0], geom[1], contact->pair);
    for (int k = 0; k < 2;
         k++) { /* only the place of a geom changes in its body, not how it is turned */
        const int b = m->geom_bodyid[geom[k]];
        sal_m3_mulv(pos[k], d->xmat + 9 * b, other->geom_pos + 3 * geom[k]);
        sal_v3_add(pos[k], pos[k], d->xpos + 3 * b);
    }
    meeting.pos1 = pos[0];
    meeting.pos2 = pos[1];
    meeting.size1 = other->geom_size + 3 * geom[0];
    meeting.size2 = other->geom_size + 3 * geom[1];
    return phy_collide_meeting(&meeting, touch);
}

/* Of the contacts first .. first+n-1 of a pair. Where the models do not have as many, the contact
 * is about to come or go, and counts as fixed. */
static void pair_shifts(const sal_model *m, const sal_data *d, const sal_model_change *c, int first,
                        int n, phy_shift *out)
{
    phy_touch minus[PHY_TOUCH_MAX], plus[PHY_TOUCH_MAX];
    const sal_contact *contact = d->contact + first;
    const bool same =
        touches(m, d, c->minus, contact, minus) == n && touches(m, d, c->plus, contact, plus) == n;
    for (int i = 0; i < n && same; i++) {
        out[i].dist = phy_changed_by(c, minus[i].dist, plus[i].dist);
        for (int k = 0; k < 3; k++) {
            out[i].pos[k] = phy_changed_by(c, minus[i].pos[k], plus[i].pos[k]);
        }
    }
}

static bool same_geoms(const sal_contact *a, const sal_contact *b)
{
    return a->pair == b->pair && a->geom1 == b->geom1 && a->geom2 == b->geom2;
}

bool phy_shape_shifts(const sal_model *m, const sal_data *d, const sal_model_change *c,
                      phy_shift *out)
{
    memset(out, 0, (size_t)d->ncon * sizeof *out);
    for (int i = 0, n; i < d->ncon; i += n) {
        const sal_contact *of = d->contact + i;
        for (n = 1; i + n < d->ncon && same_geoms(of, of + n); n++) {
        }
        if (moves(c->minus, c->plus, of->geom1) || moves(c->minus, c->plus, of->geom2)) {
            if (m->geom_type[of->geom1] != SAL_GEOM_PLANE) {
                return false;
            }
            pair_shifts(m, d, c, i, n, out + i);
        }
    }
    return true;
}

void phy_turning(const sal_model *m, const sal_data *d, const sal_contact *con, const double *x,
                 double w[3])
{
    sal_v3_set(w, 0, 0, 0);
    for (int side = 0; side < 2; side++) {
        const int b = m->geom_bodyid[side == 0 ? con->geom1 : con->geom2];
        const int *chain = m->chain_dof + m->body_chainadr[b];
        for (int k = 0; k < m->body_chainnum[b]; k++) {
            sal_v3_addscaled(w, w, (side == 0 ? -1 : 1) * x[chain[k]], d->cdof + 6 * chain[k]);
        }
    }
}

/* Row j of a block from e_0, e_1, e_2: the row itself, or an edge of the pyramid. */
static double of_row(const phy_law_block *block, const double e[3], int j)
{
    if (block->type != SAL_EFC_CONTACT_PYRAMIDAL) {
        return j < 3 ? e[j] : 0;
    }
    const int k = j / 2;
    const double side = k < 2 ? block->friction[k] * e[1 + k] : 0;
    return j % 2 == 0 ? e[0] + side : e[0] - side;
}

/* The force along axis k is that of all rows that have a part of it. */
void phy_shape_pull(const sal_model *m, const sal_data *d, const phy_law_block *block,
                    const phy_shift *by, double *r)
{
    static const double none[3] = {0, 0, 0};
    const sal_contact *con = d->contact + d->efc_id[block->row];
    double f[3] = {0, 0, 0}, torque[3], back[3];
    for (int j = 0; j < block->dim; j++) {
        for (int k = 0; k < 3; k++) {
            const double unit[3] = {k == 0, k == 1, k == 2};
            sal_v3_addscaled(f, f, of_row(block, unit, j) * d->efc_force[block->row + j],
                             con->frame + 3 * k);
        }
    }
    sal_v3_cross(torque, by->pos, f);
    sal_v3_scale(back, torque, -1);
    sal_apply_force(m, d, r, none, back, con->pos, m->geom_bodyid[con->geom2]);
    sal_apply_force(m, d, r, none, torque, con->pos, m->geom_bodyid[con->geom1]);
}

/* x = daref - d(J a) of the rows; J'f itself changes, which goes to r; returns the change of log
 * D. */
double phy_shape_terms(const sal_model *m, const sal_data *d, const phy_law_block *block,
                       const phy_shift *by, double *x, double *r)
{
    const sal_contact *con = d->contact + d->efc_id[block->row];
    const bool pyramid = block->type == SAL_EFC_CONTACT_PYRAMIDAL;
    double w[3], u[3], ea[3], ev[3];
    phy_turning(m, d, con, d->qacc, w);
    sal_v3_cross(u, w, by->pos);
    sal_m3_mulv(ea, con->frame, u);
    phy_turning(m, d, con, d->qvel, w);
    sal_v3_cross(u, w, by->pos);
    sal_m3_mulv(ev, con->frame, u);
    for (int j = 0; j < block->dim; j++) {
        const int row = block->row + j;
        const double *kbip = d->efc_KBIP + 4 * row;
        const bool pressed = pyramid || j == 0;
        const double violation = d->efc_pos[row] - d->efc_margin[row];
        x[j] -= of_row(block, ea, j) + kbip[1] * of_row(block, ev, j) +
                (pressed ? kbip[0] * (kbip[2] + kbip[3] * violation) * by->dist : 0);
    }
    phy_shape_pull(m, d, block, by, r);
    const double *kbip = d->efc_KBIP + 4 * block->row;
    return kbip[3] / (kbip[2] * (1 - kbip[2])) * by->dist;
}
