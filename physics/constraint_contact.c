/* constraint_contact.c: the rows of a contact.
 *
 * Every row is a wrench at the contact point in world axes, w = (moment; force), and its entry for a dof is the power of w
 * on the relative motion of the two bodies: with cdof = (angular; linear) about the point c,
 *     J_k = +-( w_moment + (p - c) x w_force ; w_force ) . cdof_k        + on geom2's body, - on geom1's
 * Frame rows n, t1, t2:
 *     elliptic cone     (0;n) (0;t1) (0;t2) (n;0) (t1;0) (t2;0), the first dim of them
 *     pyramid           edges  row_0 + mu_k row_k,  row_0 - mu_k row_k,  k = 1..dim-1
 * Dofs above the bodies' common ancestor move both alike and have no entry.
 */
#include "physics/constraint_row.h"

enum { ROWS_MAX = 10 }; /* a pyramid of dim 6 */

typedef struct sal_branch {
    const int *dof; /* ascending */
    int n;
    const double *centre; /* the point about which their cdof are given */
    double sign;
} sal_branch;

/* The dofs of each body that the other does not share, the lower first; returns their number. */
static int branches(const sal_model *m, const sal_data *d, const sal_contact *con,
                    sal_branch branch[2])
{
    const int body[2] = {m->geom_bodyid[con->geom1], m->geom_bodyid[con->geom2]};
    int common = 0;
    for (int i = 0; i < 2; i++) {
        branch[i] =
            (sal_branch){m->chain_dof + m->body_chainadr[body[i]], m->body_chainnum[body[i]],
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
        const sal_branch first = branch[0];
        branch[0] = branch[1];
        branch[1] = first;
    }
    return branch[0].n + branch[1].n;
}

/* Row k of the frame as a wrench */
static void axis(double wrench[6], const double frame[9], int k)
{
    for (int i = 0; i < 3; i++) {
        wrench[i] = k < 3 ? 0 : frame[3 * (k - 3) + i];
        wrench[3 + i] = k < 3 ? frame[3 * k + i] : 0;
    }
}

/* Writes the wrenches and returns their number. */
static int wrenches(double wrench[][6], const sal_contact *con, const double mu[5], bool pyramid)
{
    const int dim = con->dim;
    if (dim <= 1 || !pyramid) {
        for (int k = 0; k < dim; k++) {
            axis(wrench[k], con->frame, k);
        }
        return dim;
    }
    double normal[6], tangent[6];
    axis(normal, con->frame, 0);
    for (int k = 1; k < dim; k++) {
        axis(tangent, con->frame, k);
        sal_sp_addscaled(wrench[2 * k - 2], normal, mu[k - 1], tangent);
        sal_sp_addscaled(wrench[2 * k - 1], normal, -mu[k - 1], tangent);
    }
    return 2 * (dim - 1);
}

/* The entries of one row for one branch: the wrench moved to the centre, then dotted with each dof's motion */
static void fill(double *jac, const sal_data *d, const sal_branch *branch, const double point[3],
                 const double wrench[6])
{
    double arm[3], moved[6];
    sal_v3_sub(arm, point, branch->centre);
    sal_v3_cross(moved, arm, wrench + 3);
    for (int i = 0; i < 3; i++) {
        moved[i] = branch->sign * (moved[i] + wrench[i]);
        moved[3 + i] = branch->sign * wrench[3 + i];
    }
    for (int k = 0; k < branch->n; k++) {
        jac[k] = sal_sp_dot(moved, d->cdof + 6 * branch->dof[k]);
    }
}

/* Regularisers of a contact's rows, dim >= 3 (impratio i, mu the friction, T and Ro the translation and rotation weights):
 *     elliptic   R_1 = R_0/i,   R_j = R_1 mu_1^2/mu_j^2      (R_j mu_j^2 equal: the scaled cone is circular)
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
        r[0] = sal_row_regulariser(weight, impedance);
        r[1] = r[0] / ratio;
        for (int j = 2; j < con->dim; j++) {
            r[j] = r[1] * mu[0] * mu[0] / (mu[j - 1] * mu[j - 1]);
        }
        return cone;
    }
    const double edge = sal_row_regulariser(weight * (1 + mu[0] * mu[0]), impedance);
    for (int j = 0; j < 2 * (con->dim - 1); j++) {
        r[j] = 2 * cone * cone * edge;
    }
    return cone;
}

/* Everything of the rows but J */
static void parameters(const sal_model *m, sal_data *d, sal_contact *con, int rows)
{
    const double *solref = m->pair_solref + 2 * con->pair, *solimp = m->pair_solimp + 5 * con->pair;
    const double *reffriction = m->pair_solreffriction + 2 * con->pair;
    const double include = m->pair_include[con->pair];
    const int b1 = m->geom_bodyid[con->geom1], b2 = m->geom_bodyid[con->geom2];
    const double weight = m->body_invweight0[2 * b1] + m->body_invweight0[2 * b2];
    const bool elliptic = m->opt.cone == SAL_CONE_ELLIPTIC && con->dim > 1;
    const sal_impedance impedance = sal_impedance_at(solimp, con->dist - include);
    const sal_stiffness stiffness = sal_stiffness_of(m, solref, solimp);
    sal_stiffness tangential = {0, stiffness.b};
    double r[ROWS_MAX] = {0};
    if (elliptic && !m->compat222 && (reffriction[0] != 0 || reffriction[1] != 0)) {
        tangential.b = sal_stiffness_of(m, reffriction, solimp).b;
    }
    if (con->dim > 1) {
        con->mu = regularisers(m, r, con, weight, impedance.d);
    } else {
        con->mu = m->pair_friction[5 * con->pair];
        r[0] = sal_row_regulariser(weight, impedance.d);
    }
    for (int k = 0; k < rows; k++) {
        const int row = con->efc_address + k;
        const bool slides = elliptic && k > 0;
        d->efc_pos[row] = slides ? 0 : con->dist;
        d->efc_margin[row] = slides ? 0 : include;
        sal_row_finish(d, row, r[k], impedance, slides ? tangential : stiffness);
    }
}

bool sal_contact_rows(const sal_model *m, sal_data *d, int i)
{
    sal_contact *con = d->contact + i;
    double wrench[ROWS_MAX][6];
    sal_branch branch[2];
    const bool pyramid = m->opt.cone == SAL_CONE_PYRAMIDAL;
    const sal_efc_type type = con->dim == 1 ? SAL_EFC_CONTACT_FRICTIONLESS
                              : pyramid     ? SAL_EFC_CONTACT_PYRAMIDAL
                                            : SAL_EFC_CONTACT_ELLIPTIC;
    con->efc_address = -1;
    if (!(con->dist < m->pair_include[con->pair])) {
        return true;
    }
    const int nonzeros = branches(m, d, con, branch);
    if (nonzeros == 0) {
        return true;
    }
    const int rows = wrenches(wrench, con, m->pair_friction + 5 * con->pair, pyramid);
    for (int k = 0; k < rows; k++) {
        const int row = sal_row_add(m, d, type, i, nonzeros);
        if (row < 0) {
            return false;
        }
        int *column = d->efc_J_colind + d->efc_J_rowadr[row];
        double *jac = d->efc_J + d->efc_J_rowadr[row];
        for (int side = 0; side < 2; side++) {
            fill(jac, d, branch + side, con->pos, wrench[k]);
            for (int j = 0; j < branch[side].n; j++) {
                *column++ = branch[side].dof[j];
            }
            jac += branch[side].n;
        }
        con->efc_address = k == 0 ? row : con->efc_address;
    }
    parameters(m, d, con, rows);
    return true;
}
