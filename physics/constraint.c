/* constraint.c: the list of constraint rows: equalities, then friction of dofs and tendons, then
 * limits of joints and tendons, then contacts.
 *
 * A limit row exists where pos < margin; its velocity J v is the rate of pos, positive away from
 * the limit:
 *     lower:  pos = q - low,        J = +1
 *     upper:  pos = high - q,       J = -1
 *     ball:   pos = high - |r|,     J = -r/|r|     r the rotation vector of the joint, |r| <= pi
 *     tendon: as for a slide joint, with its length and Jacobian
 * A friction row: pos = 0, J = 1 at its dof or the tendon's Jacobian, force within +-frictionloss.
 */
#include "physics/constraint_row.h"
#include "physics/contact_law.h"
#include "physics/scratch.h"
#include "physics/stages.h"

#include <string.h>

static bool friction_row(const sal_model *m, sal_data *d, int dof)
{
    const int row = phy_row_add(m, d, SAL_EFC_FRICTION_DOF, dof, 1);
    if (row < 0) {
        return false;
    }
    const double *solref = m->dof_solref + 2 * dof, *solimp = m->dof_solimp + 5 * dof;
    const phy_impedance impedance = phy_impedance_at(solimp, 0);
    phy_stiffness stiffness = phy_stiffness_of(m, solref, solimp);
    stiffness.k = 0;
    d->efc_J_colind[d->efc_J_rowadr[row]] = dof;
    d->efc_J[d->efc_J_rowadr[row]] = 1;
    d->efc_frictionloss[row] = m->dof_frictionloss[dof];
    phy_row_finish(d, row, phy_row_regulariser(m->dof_invweight0[dof], impedance.d), impedance,
                   stiffness);
    return true;
}

/* The limit of joint j at distance pos < margin, J = jac [n] on its first n dofs */
static bool add_limit(const sal_model *m, sal_data *d, int j, double pos, const double *jac, int n)
{
    const int dof = m->jnt_dofadr[j];
    const double margin = m->jnt_margin[j];
    const int row = phy_row_add(m, d, SAL_EFC_LIMIT_JOINT, j, n);
    if (row < 0) {
        return false;
    }
    const int adr = d->efc_J_rowadr[row];
    for (int k = 0; k < n; k++) {
        d->efc_J_colind[adr + k] = dof + k;
        d->efc_J[adr + k] = jac[k];
    }
    const double *solref = m->jnt_solref + 2 * j, *solimp = m->jnt_solimp + 5 * j;
    const phy_impedance impedance = phy_impedance_at(solimp, phy_violation(pos, margin));
    phy_stiffness stiffness = phy_stiffness_of(m, solref, solimp);
    phy_make_resolvable(m, solref, impedance, &stiffness);
    d->efc_pos[row] = pos;
    d->efc_margin[row] = margin;
    phy_row_finish(d, row, phy_row_regulariser(m->dof_invweight0[dof], impedance.d), impedance,
                   stiffness);
    return true;
}

static inline bool limit_row(const sal_model *m, sal_data *d, int j, int side, double pos,
                             const double *jac, int n)
{
    return !(pos < m->jnt_margin[j] + phy_held_beyond(d, sal_held_limit(j, side))) ||
           add_limit(m, d, j, pos, jac, n);
}

/* A row with J = sign * the tendon's Jacobian; false if the data is full. *row is -1 if that is
 * zero: nothing moves the tendon. */
static bool tendon_row(const sal_model *m, sal_data *d, sal_efc_type type, int t, double sign,
                       int *row)
{
    const int n = m->tendon_Jnum[t];
    const double *J = d->ten_J + m->tendon_Jadr[t];
    bool moves = false;
    *row = -1;
    for (int k = 0; k < n; k++) {
        moves = moves || J[k] != 0;
    }
    if (!moves) {
        return true;
    }
    *row = phy_row_add(m, d, type, t, n);
    if (*row < 0) {
        return false;
    }
    const int adr = d->efc_J_rowadr[*row];
    memcpy(d->efc_J_colind + adr, m->ten_dof + m->tendon_Jadr[t], (size_t)n * sizeof(int));
    for (int k = 0; k < n; k++) {
        d->efc_J[adr + k] = sign * J[k];
    }
    return true;
}

static bool tendon_friction(const sal_model *m, sal_data *d, int t)
{
    const double *solref = m->tendon_solref_fri + 2 * t, *solimp = m->tendon_solimp_fri + 5 * t;
    const phy_impedance impedance = phy_impedance_at(solimp, 0);
    phy_stiffness stiffness = phy_stiffness_of(m, solref, solimp);
    int row;
    stiffness.k = 0;
    if (!tendon_row(m, d, SAL_EFC_FRICTION_TENDON, t, 1, &row)) {
        return false;
    }
    if (row >= 0) {
        d->efc_frictionloss[row] = m->tendon_frictionloss[t];
        phy_row_finish(d, row, phy_row_regulariser(m->tendon_invweight0[t], impedance.d), impedance,
                       stiffness);
    }
    return true;
}

static bool tendon_limits(const sal_model *m, sal_data *d, int t)
{
    const double *solref = m->tendon_solref_lim + 2 * t, *solimp = m->tendon_solimp_lim + 5 * t;
    const double *range = m->tendon_range + 2 * t, margin = m->tendon_margin[t];
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1 : -1, pos = sign * (d->ten_length[t] - range[side]);
        int row;
        if (!(pos < margin)) {
            continue;
        }
        if (!tendon_row(m, d, SAL_EFC_LIMIT_TENDON, t, sign, &row)) {
            return false;
        }
        if (row >= 0) {
            const phy_impedance impedance = phy_impedance_at(solimp, pos - margin);
            phy_stiffness stiffness = phy_stiffness_of(m, solref, solimp);
            phy_make_resolvable(m, solref, impedance, &stiffness);
            d->efc_pos[row] = pos;
            d->efc_margin[row] = margin;
            phy_row_finish(d, row, phy_row_regulariser(m->tendon_invweight0[t], impedance.d),
                           impedance, stiffness);
        }
    }
    return true;
}

static bool ball_limit(const sal_model *m, sal_data *d, int j)
{
    const double *range = m->jnt_range + 2 * j;
    double quat[4], r[3];
    sal_quat_copy(quat, d->qpos + m->jnt_qposadr[j]);
    sal_quat_normalise(quat);
    sal_quat_log(r, quat);
    const double angle = sal_v3_normalise(r);
    sal_v3_scale(r, r, -1);
    return limit_row(m, d, j, 1, (range[0] > range[1] ? range[0] : range[1]) - angle, r, 3);
}

static SAL_INLINE bool joint_limits(const sal_model *m, sal_data *d, int j)
{
    static const double plus = 1, minus = -1;
    const double *range = m->jnt_range + 2 * j, q = d->qpos[m->jnt_qposadr[j]];
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        return limit_row(m, d, j, 0, q - range[0], &plus, 1) &&
               limit_row(m, d, j, 1, range[1] - q, &minus, 1);
    case SAL_JNT_BALL:
        return ball_limit(m, d, j);
    case SAL_JNT_FREE:
        break;
    }
    return true;
}

/* Of the joints that are listed, or of all */
static bool limits_of_joints(const sal_model *m, sal_data *d, const phy_placed *placed)
{
    const bool holds = d->held != NULL && d->held->n > 0;
    const phy_listed *list = placed == NULL || holds ? NULL : &placed->limits;
    bool room = true;
    for (int i = 0; list != NULL && i < list->n && room; i++) {
        room = !phy_is_listed(placed, list, i) || joint_limits(m, d, list->thing[i]);
    }
    for (int j = 0; list == NULL && j < m->njnt && room; j++) {
        room = !m->jnt_limited[j] || joint_limits(m, d, j);
    }
    return room;
}

static bool friction_of_dofs(const sal_model *m, sal_data *d, const phy_placed *placed)
{
    bool room = true;
    for (int i = 0; (placed == NULL || placed->has_friction) && i < m->nv && room; i++) {
        room = !(m->dof_frictionloss[i] > 0) || friction_row(m, d, i);
    }
    return room;
}

/* Contacts that have been met are listed in their order among those that are not. */
static bool rows_of_contacts(const sal_model *m, sal_data *d, phy_placed *placed)
{
    int unknown = d->nefc, k = 0;
    bool room = true;
    for (int i = 0; i < d->ncon && room; i++) {
        const double *known = NULL;
        while (placed != NULL && k < placed->nmet && !phy_has_met(placed, k)) {
            k++;
        }
        if (placed != NULL && k < placed->nmet && placed->met[k].pair == d->contact[i].pair) {
            known = placed->met_number + placed->met[k++].at + PHY_MET_ROWS;
        }
        room = phy_contact_rows(m, d, i, known);
        unknown = known == NULL || phy_has_fewer_rows(m, d->contact + i) ? d->nefc : unknown;
    }
    if (placed != NULL) {
        placed->unknown = unknown;
    }
    return room;
}

static bool all_rows(const sal_model *m, sal_data *d, phy_placed *placed)
{
    const int off = m->opt.disable;
    bool room = true;
    for (int i = 0; i < m->neq && room && !(off & SAL_DSBL_EQUALITY); i++) {
        room = !m->eq_active[i] || phy_equality_rows(m, d, i);
    }
    if (room && !(off & SAL_DSBL_FRICTIONLOSS)) {
        room = friction_of_dofs(m, d, placed);
    }
    for (int t = 0; t < m->ntendon && room && !(off & SAL_DSBL_FRICTIONLOSS); t++) {
        room = !(m->tendon_frictionloss[t] > 0) || tendon_friction(m, d, t);
    }
    if (room && !(off & SAL_DSBL_LIMIT)) {
        room = limits_of_joints(m, d, placed);
    }
    for (int t = 0; t < m->ntendon && room && !(off & SAL_DSBL_LIMIT); t++) {
        room = !m->tendon_limited[t] || tendon_limits(m, d, t);
    }
    return room && rows_of_contacts(m, d, placed);
}

sal_status sal_make_constraint(const sal_model *m, sal_data *d, sal_err *err)
{
    return phy_make_constraint(m, d, NULL, err);
}

sal_status phy_make_constraint(const sal_model *m, sal_data *d, phy_placed *placed, sal_err *err)
{
    d->nefc = d->nJ = 0;
    if (m->opt.disable & SAL_DSBL_CONSTRAINT) {
        return SAL_OK;
    }
    const bool room = all_rows(m, d, placed);
    const sal_status status = phy_scratch_status(d, err);
    if (status != SAL_OK) {
        return status;
    }
    if (!room && phy_law_of(m)->needs & PHY_LAW_NEEDS_MATRIX) {
        return sal_fail(err, SAL_FULL,
                        "more than the %d constraint rows that the contact model %s holds; use "
                        "another one, or let fewer geoms touch",
                        m->nefcmax, phy_law_of(m)->name);
    }
    if (!room) {
        return sal_fail(err, SAL_FULL,
                        "more than %d constraint rows, or more than %d entries of their Jacobian: "
                        "raise nefcmax and nJmax",
                        m->nefcmax, m->nJmax);
    }
    if (m->opt.enable & SAL_ENBL_DIAGEXACT) {
        phy_exact_diagonal(m, d);
    }
    return phy_scratch_status(d, err);
}
