/* touching.c: spheres and capsules that touch planes in several instants at once, and what the rows
 * of such contacts need most: their Jacobian, J v and J a. */
#include "physics/collision/touch.h"
#include "physics/constraint_row.h"
#include "physics/stages.h"

#include <string.h>

enum { MOST = 32 }; /* contacts of a block; each instant looks at further ones by itself */

/* 0: the pair is of other shapes */
static int balls_of(const sal_model *m, int pair)
{
    const int type2 = m->geom_type[m->pair_geom2[pair]];
    return m->geom_type[m->pair_geom1[pair]] != SAL_GEOM_PLANE ? 0
           : type2 == SAL_GEOM_SPHERE                          ? 1
           : type2 == SAL_GEOM_CAPSULE                         ? 2
                                                               : 0;
}

phy_met_room phy_touching_room(const sal_model *m)
{
    phy_met_room room = {0, 0};
    int largest = 0;
    for (int pair = 0; pair < m->npair && phy_lists_pairs(m); pair++) {
        phy_branch branch[2];
        const int balls = balls_of(m, pair), dim = m->pair_dim[pair];
        const int rows = dim > 2 ? 2 * (dim - 1) : 2; /* either cone: it may be switched */
        const int size = PHY_MET_ROWS + rows * (2 + phy_branches(m, m->pair_geom1[pair],
                                                                 m->pair_geom2[pair], branch));
        room.contacts += balls;
        largest = balls > 0 && size > largest ? size : largest;
    }
    room.contacts = room.contacts < MOST ? room.contacts : MOST;
    room.numbers = room.contacts * largest;
    return room;
}

/* The rows of a contact: where their numbers go, and how many columns they have */
typedef struct rows {
    phy_real *vel, *acc, *jac;
    int n, pair, dim;
    bool pyramid;
} rows;

static SAL_INLINE int count_rows(const rows *to)
{
    return to->pyramid ? 2 * (to->dim - 1) : to->dim;
}

/* The columns of one branch, from column `at` on, and what they add to J v and J a. x: see
 * phy_met */
static SAL_INLINE void add_branch(const sal_model *m, const phy_instants *d,
                                  const phy_branch *branch, const phy_real *x, const rows *to,
                                  int at)
{
    phy_real arm[3], frame[9];
    phy_v3_sub(arm, x + 1, d->subtree_com + 3 * m->body_rootid[branch->body]);
    for (int i = 0; i < 9; i++) {
        frame[i] = branch->sign * x[4 + i];
    }
    for (int k = 0; k < branch->n; k++) {
        const int dof = branch->dof[k];
        phy_real e[6], edge[PHY_ROWS_MAX];
        phy_contact_column_abreast(e, d->cdof + 6 * dof, arm, frame, to->dim);
        if (to->pyramid) {
            phy_edges_of(edge, e, to->dim, m->pair_friction + 5 * to->pair);
        }
        for (int i = 0; i < count_rows(to); i++) {
            const phy_real entry = to->pyramid ? edge[i] : e[i];
            to->jac[i * to->n + at + k] = entry;
            to->vel[i] += entry * d->qvel[dof];
            to->acc[i] += entry * d->qacc[dof];
        }
    }
}

static SAL_INLINE void add_branches(const sal_model *m, const phy_instants *d,
                                    const phy_branch branch[2], const phy_real *x, const rows *to)
{
    const size_t bytes = (size_t)count_rows(to) * sizeof *to->vel;
    memset(to->vel, 0, bytes);
    memset(to->acc, 0, bytes);
    for (int side = 0, at = 0; side < 2; at += branch[side++].n) {
        if (branch[side].n > 0) {
            add_branch(m, d, branch + side, x, to, at);
        }
    }
}

/* Returns how many numbers the contact has. */
static int write_rows(const sal_model *m, const phy_instants *d, int pair, phy_real *x)
{
    phy_branch branch[2];
    const int dim = m->pair_dim[pair],
              n = phy_branches(m, m->pair_geom1[pair], m->pair_geom2[pair], branch);
    const bool pyramid = dim > 1 && m->opt.cone == SAL_CONE_PYRAMIDAL;
    const int count = pyramid ? 2 * (dim - 1) : dim;
    phy_real *vel = x + PHY_MET_ROWS, *acc = vel + count, *jac = acc + count;
    if (dim == 3 && !pyramid) { /* most are: compiled for this number */
        add_branches(m, d, branch, x, &(rows){vel, acc, jac, n, pair, 3, false});
    } else {
        add_branches(m, d, branch, x, &(rows){vel, acc, jac, n, pair, dim, pyramid});
    }
    return PHY_MET_ROWS + count * (2 + n);
}

/* The balls of a pair against its plane, each as a contact if it touches in any lane */
static void touch_plane(const sal_model *m, phy_instants *d, int pair)
{
    const int g1 = m->pair_geom1[pair], g2 = m->pair_geom2[pair], balls = balls_of(m, pair);
    const double *size = m->geom_size + 3 * g2;
    const phy_real *centre = d->geom_xpos + 3 * g2;
    phy_real n[3], z[3], end[3], hint[3] = {{0}}, h, height;
    phy_height(&h, n, d->geom_xpos + 3 * g1, d->geom_xmat + 9 * g1, centre);
    phy_m3_column(z, d->geom_xmat + 9 * g2, 2);
    for (int i = 0; i < balls; i++) {
        phy_real *x = d->met_number + d->nmet_number;
        phy_truth touches;
        phy_v3_copy(end, centre);
        height = h;
        if (balls == 2) {
            phy_capsule_end(end, &height, centre, z, n, &h, i == 0 ? 1 : -1, size[1]);
            phy_v3_copy(hint, z);
        }
        phy_ball_reaches_plane(&touches, &height, size[0], m->pair_detect[pair]);
        if (!phy_any(&touches)) {
            continue;
        }
        phy_ball_on_plane(x, x + 1, n, &height, end, size[0]);
        phy_v3_copy(x + 4, n);
        phy_complete_frame(x + 4, hint);
        d->met[d->nmet++] = (phy_met){pair, d->nmet_number, phy_bits(&touches)};
        d->nmet_number += write_rows(m, d, pair, x);
    }
}

void phy_touching(const sal_model *m, phy_instants *d)
{
    d->nmet = d->nmet_number = 0;
    for (int i = 0; i < d->nnear; i++) {
        const int pair = d->near_pair[i], balls = balls_of(m, pair);
        const bool together = balls > 0 && d->nmet + balls <= d->met_room.contacts;
        d->near_met[i] = together ? d->nmet : -1;
        if (together) {
            touch_plane(m, d, pair);
        }
    }
}
