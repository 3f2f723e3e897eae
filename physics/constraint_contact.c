/* constraint_contact.c: the rows of a contact.
 *
 * With cdof = (w; u) about the point c, dof k moves the contact point p of its body with u_k + w_k
 *     x (p - c) and turns it with w_k. The motion
 * of geom2's body relative to geom1's, along and about the axes n, t1, t2 of the frame:
 *     e_k = +-( n.(u + w x (p - c)), t1.(..), t2.(..), n.w, t1.w, t2.w )
 *     + on geom2's body, - on geom1's
 *     elliptic cone     rows  e_0 .. e_dim-1
 *     pyramid           edges  e_0 + mu_k e_k,  e_0 - mu_k e_k,  k = 1..dim-1
 * Dofs above the bodies' common ancestor move both alike and have no entry.
 */
#include "physics/constraint_row.h"

enum { ROWS_MAX = 10 }; /* a pyramid of dim 6 */

typedef struct phy_branch {
    const int *dof; /* ascending */
    int n;
    const double *centre; /* the point about which their cdof are given */
    double sign;
} phy_branch;

/* The dofs of each body that the other does not share, the lower first; returns their number. */
static int branches(const sal_model *m, const sal_data *d, const sal_contact *con,
                    phy_branch branch[2])
{
    const int body[2] = {m->geom_bodyid[con->geom1], m->geom_bodyid[con->geom2]};
    int common = 0;
    for (int i = 0; i < 2; i++) {
        branch[i] =
            (phy_branch){m->chain_dof + m->body_chainadr[body[i]], m->body_chainnum[body[i]],
                         d->subtree_com + 3 * m->body_rootid[body[i]], i == 0 ? -1 : 1};
    }
    while (common < branch[0].n && common < branch[1].n &&
           branch[0].dof[common] == branch[1].dof[common]) {
        common++;
    }
    for (int i = 0; i < 2; i++) {
        branch[i].dof += common;
        branch[i].n -= common;
    }
    /* two subtrees have ranges of dofs that do not mix */
    if (branch[0].n > 0 && branch[1].n > 0 && branch[0].dof[0] > branch[1].dof[0]) {
        const phy_branch first = branch[0];
        branch[0] = branch[1];
        branch[1] = first;
    }
    return branch[0].n + branch[1].n;
}

/* The dofs of both branches, for every row */
static void list_columns(int *restrict column, const phy_branch branch[2], int rows)
{
    const int n0 = branch[0].n, n = n0 + branch[1].n;
    for (int k = 0; k < rows; k++, column += n) {
        for (int j = 0; j < n0; j++) {
            column[j] = branch[0].dof[j];
        }
        for (int j = n0; j < n; j++) {
            column[j] = branch[1].dof[j - n0];
        }
    }
}

/* e_0 .. e_dim-1 of one branch, as rows of `stride` */
static void fill(double *restrict jac, int stride, const sal_data *d, const phy_branch *branch,
                 const sal_contact *con)
{
    double arm[3], frame[9], u[3];
    sal_v3_sub(arm, con->pos, branch->centre);
    for (int i = 0; i < 9; i++) {
        frame[i] = branch->sign * con->frame[i];
    }
    for (int k = 0; k < branch->n; k++, jac++) {
        const double *restrict w = d->cdof + 6 * branch->dof[k];
        sal_v3_cross(u, w, arm);
        sal_v3_add(u, u, w + 3);
        jac[0] = sal_v3_dot(frame, u);
        if (con->dim > 1) {
            jac[stride] = sal_v3_dot(frame + 3, u);
            jac[2 * stride] = sal_v3_dot(frame + 6, u);
        }
        for (int i = 3; i < con->dim; i++) {
            jac[i * stride] = sal_v3_dot(frame + 3 * (i - 3), w);
        }
    }
}

/* Turns rows e into the edges of a pyramid, column by column. */
static void make_edges(double *jac, int n, int dim, const double mu[5])
{
    for (int column = 0; column < n; column++, jac++) {
        double e[6];
        for (int k = 0; k < dim; k++) {
            e[k] = jac[k * n];
        }
        for (int k = 1; k < dim; k++) {
            jac[(2 * k - 2) * n] = e[0] + mu[k - 1] * e[k];
            jac[(2 * k - 1) * n] = e[0] - mu[k - 1] * e[k];
        }
    }
}

/* Regularisers of a contact's rows, dim >= 3 (impratio i, mu the friction, T and Ro the translation
 * and rotation weights):
 *     elliptic   R_1 = R_0/i,   R_j = R_1 mu_1^2/mu_j^2
 *     (R_j mu_j^2 equal: the scaled cone is circular)
 *     pyramid    all 2 muc^2 R_edge,  R_edge from T (1 + mu_1^2)
 *     muc = mu_1 / sqrt(i),  the friction of the regularised cone
 * Returns muc. */
static double regularisers(const sal_model *m, double r[ROWS_MAX], const sal_contact *con,
                           double weight, double impedance)
{
    const double *mu = m->pair_friction + 5 * con->pair;
    const double ratio = m->opt.impratio > SAL_MINVAL ? m->opt.impratio : SAL_MINVAL;
    const double cone = mu[0] / sqrt(ratio);
    if (m->opt.cone == SAL_CONE_ELLIPTIC) {
        r[0] = phy_row_regulariser(weight, impedance);
        r[1] = r[0] / ratio;
        for (int j = 2; j < con->dim; j++) {
            r[j] = r[1] * mu[0] * mu[0] / (mu[j - 1] * mu[j - 1]);
        }
        return cone;
    }
    const double edge = phy_row_regulariser(weight * (1 + mu[0] * mu[0]), impedance);
    for (int j = 0; j < 2 * (con->dim - 1); j++) {
        r[j] = 2 * cone * cone * edge;
    }
    return cone;
}

/* Everything of the rows but J */
static void parameters(const sal_model *m, sal_data *d, sal_contact *con, int rows)
{
    const double *solref = m->pair_solref + 2 * con->pair, *solimp = m->pair_solimp + 5 * con->pair;
    const double include = m->pair_include[con->pair];
    const int b1 = m->geom_bodyid[con->geom1], b2 = m->geom_bodyid[con->geom2];
    const double weight = m->body_invweight0[2 * b1] + m->body_invweight0[2 * b2];
    const bool elliptic = m->opt.cone == SAL_CONE_ELLIPTIC && con->dim > 1;
    const phy_impedance impedance = phy_impedance_at(solimp, phy_violation(con->dist, include));
    const phy_stiffness stiffness = phy_stiffness_of(m, solref, solimp);
    const double *sliding = phy_sliding_solref(m, con->pair);
    const phy_stiffness tangential = {
        0, sliding == solref ? stiffness.b : phy_stiffness_of(m, sliding, solimp).b};
    double r[ROWS_MAX] = {0};
    if (con->dim > 1) {
        con->mu = regularisers(m, r, con, weight, impedance.d);
    } else {
        con->mu = m->pair_friction[5 * con->pair];
        r[0] = phy_row_regulariser(weight, impedance.d);
    }
    for (int k = 0; k < rows; k++) {
        const int row = con->efc_address + k;
        const bool slides = elliptic && k > 0;
        d->efc_pos[row] = slides ? 0 : con->dist;
        d->efc_margin[row] = slides ? 0 : include;
        phy_row_finish(d, row, r[k], impedance, slides ? tangential : stiffness);
    }
}

int sal_held_contact(const sal_model *m, const sal_data *d, const sal_contact *contact)
{
    const int pair = contact->pair, geom = m->pair_geom2[pair], type = m->geom_type[geom];
    const double *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
    const bool plane = m->geom_type[m->pair_geom1[pair]] == SAL_GEOM_PLANE;
    int octant = 0;
    for (int i = type == SAL_GEOM_CAPSULE ? 2 : 0; i < 3 && plane && type != SAL_GEOM_SPHERE; i++) {
        double x = 0;
        for (int k = 0; k < 3; k++) {
            x += mat[3 * k + i] * (contact->pos[k] - pos[k]);
        }
        octant |= (x < 0) << i;
    }
    return 8 * pair + octant;
}

/* How far past its margin a contact begins to act. */
static double beyond(const sal_model *m, const sal_data *d, const sal_contact *con)
{
    return d->held == NULL ? 0 : phy_held_beyond(d, sal_held_contact(m, d, con));
}

bool phy_contact_rows(const sal_model *m, sal_data *d, int i)
{
    sal_contact *con = d->contact + i;
    phy_branch branch[2];
    const bool pyramid = con->dim > 1 && m->opt.cone == SAL_CONE_PYRAMIDAL;
    const sal_efc_type type = con->dim == 1 ? SAL_EFC_CONTACT_FRICTIONLESS
                              : pyramid     ? SAL_EFC_CONTACT_PYRAMIDAL
                                            : SAL_EFC_CONTACT_ELLIPTIC;
    con->efc_address = -1;
    if (!(con->dist < m->pair_include[con->pair] + beyond(m, d, con))) {
        return true;
    }
    const int n = branches(m, d, con, branch);
    if (n == 0) {
        return true;
    }
    const int rows = pyramid ? 2 * (con->dim - 1) : con->dim, first = d->nefc, adr = d->nJ;
    for (int k = 0; k < rows; k++) {
        if (phy_row_add(m, d, type, i, n) < 0) {
            return false;
        }
    }
    list_columns(d->efc_J_colind + adr, branch, rows);
    fill(d->efc_J + adr, n, d, branch, con);
    fill(d->efc_J + adr + branch[0].n, n, d, branch + 1, con);
    if (pyramid) {
        make_edges(d->efc_J + adr, n, con->dim, m->pair_friction + 5 * con->pair);
    }
    con->efc_address = first;
    parameters(m, d, con, rows);
    return true;
}
