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
#include "physics/lanes.h"

#include <string.h>

int phy_branches(const sal_model *m, int geom1, int geom2, phy_branch branch[2])
{
    const int body[2] = {m->geom_bodyid[geom1], m->geom_bodyid[geom2]};
    int common = 0;
    for (int i = 0; i < 2; i++) {
        branch[i] = (phy_branch){m->chain_dof + m->body_chainadr[body[i]],
                                 m->body_chainnum[body[i]], body[i], i == 0 ? -1 : 1};
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
static void list_columns(int *column, const phy_branch branch[2], int rows)
{
    const size_t n0 = (size_t)branch[0].n, n1 = (size_t)branch[1].n;
    memcpy(column, branch[0].dof, n0 * sizeof(int));
    memcpy(column + n0, branch[1].dof, n1 * sizeof(int));
    for (int k = 1; k < rows; k++) {
        memcpy(column + (size_t)k * (n0 + n1), column, (n0 + n1) * sizeof(int));
    }
}

/* e_0 .. e_dim-1 of one branch, as rows of `stride`, four dofs at a time. The last four of them are
 * taken from the end, where some may have been done already; a branch of fewer repeats its last. */
PHY_LANED static void fill(double *jac, int stride, const sal_model *m, const sal_data *d,
                           const phy_branch *branch, const sal_contact *con)
{
    const int n = branch->n, dim = con->dim;
    double arm[3], frame[9];
    sal_v3_sub(arm, con->pos, d->subtree_com + 3 * m->body_rootid[branch->body]);
    for (int i = 0; i < 9; i++) {
        frame[i] = branch->sign * con->frame[i];
    }
    for (int done = 0; done < n; done += PHY_LANES) {
        const int first = done + PHY_LANES <= n || n < PHY_LANES ? done : n - PHY_LANES;
        const double *cdof[PHY_LANES];
        phy_lanes s[6], e[6];
        for (int l = 0; l < PHY_LANES; l++) {
            cdof[l] = d->cdof + 6 * branch->dof[first + l < n ? first + l : n - 1];
        }
        phy_lanes_gather6(s, cdof);
        phy_contact_column_of_four(e, s, arm, frame, dim);
        for (int i = 0; i < dim; i++) {
            if (n >= PHY_LANES) {
                phy_lanes_store(jac + i * stride + first, e + i);
                continue;
            }
            for (int l = 0; l < n; l++) {
                jac[i * stride + l] = e[i][l];
            }
        }
    }
}

/* Turns rows e into the edges of a pyramid. */
static void make_edges(double *jac, int n, int dim, const double mu[5])
{
    for (int column = 0; column < n; column++, jac++) {
        double e[6], edge[PHY_ROWS_MAX] = {0};
        for (int k = 0; k < dim; k++) {
            e[k] = jac[k * n];
        }
        phy_edges_of(edge, e, dim, mu);
        for (int i = 0; i < 2 * (dim - 1); i++) {
            jac[i * n] = edge[i];
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
static double regularisers(const sal_model *m, double r[PHY_ROWS_MAX], const sal_contact *con,
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

/* Everything of the rows but J; violation: pos - margin as the impedance has it */
static void parameters(const sal_model *m, sal_data *d, sal_contact *con, int rows,
                       double violation)
{
    const double *solref = m->pair_solref + 2 * con->pair, *solimp = m->pair_solimp + 5 * con->pair;
    const double include = m->pair_include[con->pair];
    const int b1 = m->geom_bodyid[con->geom1], b2 = m->geom_bodyid[con->geom2];
    const double weight = m->body_invweight0[2 * b1] + m->body_invweight0[2 * b2];
    const bool elliptic = m->opt.cone == SAL_CONE_ELLIPTIC && con->dim > 1;
    const phy_impedance impedance = phy_impedance_at(solimp, violation);
    phy_stiffness stiffness = phy_stiffness_of(m, solref, solimp);
    const double *sliding = phy_sliding_solref(m, con->pair);
    const phy_stiffness tangential = {
        0, sliding == solref ? stiffness.b : phy_stiffness_of(m, sliding, solimp).b};
    double r[PHY_ROWS_MAX] = {0};
    phy_make_resolvable(m, solref, impedance, &stiffness);
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
    const int pair = contact->pair, geom = contact->geom2, type = m->geom_type[geom];
    const double *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
    const bool plane = m->geom_type[contact->geom1] == SAL_GEOM_PLANE;
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

/* of geom2's body relative to geom1's: rows e, or edges */
static void make_jacobian(const sal_model *m, const sal_data *d, const sal_contact *con,
                          const phy_branch branch[2], double *jac)
{
    const int n = branch[0].n + branch[1].n;
    for (int side = 0, at = 0; side < 2; at += branch[side++].n) {
        if (branch[side].n > 0) {
            fill(jac + at, n, m, d, branch + side, con);
        }
    }
    if (con->dim > 1 && m->opt.cone == SAL_CONE_PYRAMIDAL) {
        make_edges(jac, n, con->dim, m->pair_friction + 5 * con->pair);
    }
}

/* Appends rows of n columns each, `parameters` still to come; false if the data is full. */
static bool add_rows(const sal_model *m, sal_data *d, sal_efc_type type, int contact, int rows,
                     int n)
{
    if (d->nefc + rows > m->nefcmax || d->nJ + rows * n > m->nJmax) {
        return false;
    }
    for (int k = 0; k < rows; k++) {
        const int row = d->nefc + k;
        d->efc_type[row] = (int)type;
        d->efc_id[row] = contact;
        d->efc_J_rowadr[row] = d->nJ + k * n;
        d->efc_J_rownnz[row] = n;
        d->efc_frictionloss[row] = 0;
    }
    d->nefc += rows;
    d->nJ += rows * n;
    return true;
}

/* J v, J a and J of the rows from the first on */
static void take_known(sal_data *d, int first, int rows, int n, const double *known)
{
    const size_t number = (size_t)rows;
    memcpy(d->efc_vel + first, known, number * sizeof *known);
    memcpy(d->efc_acc + first, known + rows, number * sizeof *known);
    memcpy(d->efc_J + d->efc_J_rowadr[first], known + 2 * number,
           number * (size_t)n * sizeof *known);
}

/* One that sticks has rows across its gap as well, without friction: then its dim is 1, and
 * *violation is how far it is apart. */
static bool adheres(const sal_model *m, sal_contact *con, bool near, double *violation)
{
    const bool sticks = m->pair_adhesion[con->pair] > 0;
    if (sticks) {
        con->dim = near ? m->pair_dim[con->pair] : 1;
    }
    if (!near) {
        *violation = con->dist - m->pair_include[con->pair];
    }
    return sticks;
}

/* Whether a contact has rows */
static SAL_INLINE bool acts(const sal_model *m, const sal_data *d, sal_contact *con,
                            double *violation)
{
    const double include = m->pair_include[con->pair];
    const bool near = con->dist < include + beyond(m, d, con);
    *violation = phy_violation(con->dist, include);
    return (m->nadhesion > 0 && adheres(m, con, near, violation)) || near;
}

bool phy_contact_rows(const sal_model *m, sal_data *d, int i, const double *known)
{
    sal_contact *con = d->contact + i;
    phy_branch branch[2];
    double violation;
    con->efc_address = -1;
    if (!acts(m, d, con, &violation)) {
        return true;
    }
    const bool pyramid = con->dim > 1 && m->opt.cone == SAL_CONE_PYRAMIDAL;
    const sal_efc_type type = con->dim == 1 ? SAL_EFC_CONTACT_FRICTIONLESS
                              : pyramid     ? SAL_EFC_CONTACT_PYRAMIDAL
                                            : SAL_EFC_CONTACT_ELLIPTIC;
    const int n = phy_branches(m, con->geom1, con->geom2, branch);
    if (n == 0) {
        return true;
    }
    const int rows = pyramid ? 2 * (con->dim - 1) : con->dim, first = d->nefc, adr = d->nJ;
    if (!add_rows(m, d, type, i, rows, n)) {
        return false;
    }
    list_columns(d->efc_J_colind + adr, branch, rows);
    if (known != NULL && !phy_has_fewer_rows(m, con)) {
        take_known(d, first, rows, n, known);
    } else {
        make_jacobian(m, d, con, branch, d->efc_J + adr);
    }
    con->efc_address = first;
    parameters(m, d, con, rows, violation);
    return true;
}
