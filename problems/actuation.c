/* actuation.c: what actuators can produce, and what they cannot.
 *
 * Where the moment arms B [nu x nv] are constant and of full rank, and forces are affine in
 * controls, the actuators are eliminated:
 *
 *     f = B' force + unactuated,    force = (B B')^-1 B f,    unactuated = (1 - B'(BB')^-1 B) f
 *
 * Otherwise what they do is part of the motion: every actuator has a variable at each step, its
 * activation or, where it has none, its control, and what is left of f when all of them have pulled
 * is unactuated:
 *
 *     unactuated = f - sum_a moment_a(q)' force_a(q, v, z)
 *
 * An unactuated force is measured by what it would do: the unit of a dof is the force that
 * accelerates it as gravity would, g sqrt(m M_ii), m the mass of its tree: the weight for a
 * translation of the whole, weight times radius of gyration for a rotation. A small thing beside a
 * heavy one has small units: in those of the whole, forces from nowhere would move it for nearly
 * nothing.
 */
#include "base/house.h"
#include "problems/transcribe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double unit_least = 1e-3; /* of the weight */
static const double unit_one_way = 3;  /* times that of the same dof without actuators */

/* ---- which of the two ---- */

/* Fixed tendons pull at slides and hinges with constant arms; a joint's gear is constant in its own
 * frame. */
static bool has_constant_arms(const sal_model *m, int a)
{
    const int id = m->actuator_trnid[a], adr = m->moment_rowadr[a];
    if (m->actuator_trntype[a] == SAL_TRN_JOINT) {
        const int type = m->jnt_type[id];
        return type == SAL_JNT_SLIDE || type == SAL_JNT_HINGE || !m->actuator_inparent[a];
    }
    bool constant = m->actuator_trntype[a] == SAL_TRN_TENDON && !m->tendon_actfrclimited[id] &&
                    m->moment_rownnz[a] > 0;
    for (int i = m->tendon_adr[id]; constant && i < m->tendon_adr[id] + m->tendon_num[id]; i++) {
        constant = m->wrap_type[i] == SAL_WRAP_JOINT;
    }
    for (int k = adr; constant && k < adr + m->moment_rownnz[a]; k++) {
        constant = m->jnt_type[m->dof_jntid[m->moment_colind[k]]] >= SAL_JNT_SLIDE;
    }
    return constant;
}

/* The actuators that pull at a dof; *last: one of them, or -1 */
static int actuators_at(const sal_model *m, int dof, int *last)
{
    int n = 0;
    *last = -1;
    for (int a = 0; a < m->nu; a++) {
        for (int k = m->moment_rowadr[a]; k < m->moment_rowadr[a] + m->moment_rownnz[a]; k++) {
            if (m->moment_colind[k] == dof) {
                *last = a;
                n++;
            }
        }
    }
    return n;
}

/* Within its actuatorfrcrange a joint changes nothing: with one actuator of its own, or none, the
 * limit is a range of that actuator's force. Otherwise it limits what several do together. */
static bool limits_one_force(const sal_model *m, int joint)
{
    const double *range = m->jnt_actfrcrange + 2 * joint;
    int a;
    switch (actuators_at(m, m->jnt_dofadr[joint], &a)) {
    case 0:
        return range[0] <= 0 && range[1] >= 0;
    case 1:
        return m->actuator_trntype[a] == SAL_TRN_JOINT && m->moment_rownnz[a] == 1;
    default:
        return false;
    }
}

/* Joints change nothing of what the actuators do, as long as it is within their ranges. */
static bool joints_obey(const sal_model *m)
{
    for (int j = 0; j < m->njnt; j++) {
        const bool compensates = m->jnt_actgravcomp[j] && m->ngravcomp > 0;
        if (compensates || (m->jnt_actfrclimited[j] && !limits_one_force(m, j))) {
            return false;
        }
    }
    return true;
}

/* force = gain ctrl + bias with a gain that does not vanish everywhere at rest; one target for each
 * force */
static bool is_affine(const sal_model *m, int a)
{
    const int group = m->actuator_group[a], id = m->actuator_trnid[a];
    const bool disabled = group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group)) != 0;
    const bool turns = m->actuator_trntype[a] == SAL_TRN_JOINT && m->mujoco != SAL_MUJOCO_222 &&
                       m->jnt_type[id] == SAL_JNT_BALL &&
                       m->actuator_biastype[a] == SAL_BIAS_AFFINE;
    return !disabled && !turns && m->actuator_actadr[a] < 0 &&
           m->actuator_gaintype[a] != SAL_GAIN_MUSCLE &&
           m->actuator_biastype[a] != SAL_BIAS_MUSCLE &&
           m->actuator_biastype[a] != SAL_BIAS_COGGING && m->actuator_gainprm[10 * a] != 0;
}

static bool may_be_eliminated(const sal_model *m)
{
    for (int a = 0; a < m->nu; a++) {
        const int type = m->actuator_trntype[a];
        if ((type != SAL_TRN_JOINT && type != SAL_TRN_TENDON) || !is_affine(m, a) ||
            !has_constant_arms(m, a)) {
            return false;
        }
    }
    return joints_obey(m);
}

/* ---- elimination ---- */

static void fill_moments(const sal_model *m, const double *moment, double *B)
{
    for (int a = 0; a < m->nu; a++) {
        for (int k = m->moment_rowadr[a]; k < m->moment_rowadr[a] + m->moment_rownnz[a]; k++) {
            B[a * m->nv + m->moment_colind[k]] = moment[k];
        }
    }
}

/* map->force := (B B')^-1 B; false if B B' is singular. */
static bool invert(const sal_model *m, double *force, const double *B, double *gram, double *column)
{
    const int nu = m->nu, nv = m->nv;
    double largest = 0;
    for (int i = 0; i < nu; i++) {
        for (int k = 0; k < nu; k++) {
            double sum = 0;
            for (int c = 0; c < nv; c++) {
                sum += B[i * nv + c] * B[k * nv + c];
            }
            gram[i * nu + k] = sum;
            largest = fmax(largest, fabs(sum));
        }
    }
    if (nu > 0 && sal_dense_cholesky(gram, nu) < nu) {
        return false;
    }
    for (int i = 0; i < nu; i++) {
        if (gram[i * nu + i] * gram[i * nu + i] < 1e-12 * largest) {
            return false;
        }
    }
    for (int c = 0; c < nv; c++) {
        for (int i = 0; i < nu; i++) {
            column[i] = B[i * nv + c];
        }
        sal_dense_cholesky_solve(column, gram, nu);
        for (int i = 0; i < nu; i++) {
            force[i * nv + c] = column[i];
        }
    }
    return true;
}

/* Rows of 1 - B' force that are not zero. */
static void fill_unactuated(prb_actuation_map *map, const double *B)
{
    const int nv = map->nv;
    map->nfree = 0;
    for (int i = 0; i < nv; i++) {
        double *row = map->unactuated + (size_t)map->nfree * (size_t)nv, largest = 0;
        for (int c = 0; c < nv; c++) {
            double sum = i == c;
            for (int a = 0; a < map->nu; a++) {
                sum -= B[a * nv + i] * map->force[a * nv + c];
            }
            row[c] = fabs(sum) < 1e-12 ? 0 : sum;
            largest = fmax(largest, fabs(row[c]));
        }
        if (largest > 0) {
            map->free_dof[map->nfree++] = i;
        }
    }
}

/* ---- ranges ---- */

static void add_range(prb_actuation_map *map, prb_range_kind kind, int id, const double range[2])
{
    map->range[map->nrange++] = (prb_actuator_range){kind, id, {range[0], range[1]}};
}

/* What a muscle makes of a control lies in [0, 1]. */
static bool control_range(const sal_model *m, int a, double range[2])
{
    const bool limited = m->actuator_ctrllimited[a] != 0;
    const bool muscle = m->actuator_dyntype[a] == SAL_DYN_MUSCLE;
    const double *own = m->actuator_ctrlrange + 2 * a;
    range[0] = muscle ? fmax(limited ? own[0] : 0, 0) : own[0];
    range[1] = muscle ? fmin(limited ? own[1] : 1, 1) : own[1];
    return limited || muscle;
}

/* An activation that follows the control stays within the control's range once it is there; then a
 * wider actrange bounds nothing. */
static bool follows(const sal_model *m, int a, double range[2])
{
    const double *own = m->actuator_actrange + 2 * a;
    return control_range(m, a, range) && m->actuator_dyntype[a] != SAL_DYN_INTEGRATOR &&
           (!m->actuator_actlimited[a] || (own[0] <= range[0] && own[1] >= range[1]));
}

static bool activation_range(const sal_model *m, int a, double range[2])
{
    if (!follows(m, a, range)) {
        memcpy(range, m->actuator_actrange + 2 * a, 2 * sizeof *range);
        return m->actuator_actlimited[a] != 0;
    }
    return true;
}

static void find_ranges(prb_actuation_map *map, const sal_model *m)
{
    double range[2];
    for (int a = 0; a < m->nu; a++) {
        if (control_range(m, a, range)) {
            add_range(map, PRB_RANGE_CTRL, a, range);
        }
        if (m->actuator_forcelimited[a]) {
            add_range(map, PRB_RANGE_FORCE, a, m->actuator_forcerange + 2 * a);
        }
        if (m->actuator_actadr[a] >= 0 && activation_range(m, a, range)) {
            add_range(map, PRB_RANGE_ACT, a, range);
            if (!follows(m, a, range)) {
                add_range(map, PRB_RANGE_NEXT_ACT, a, m->actuator_actrange + 2 * a);
            }
        }
    }
    for (int j = 0, a; j < m->njnt; j++) {
        const bool has_force = map->driven || actuators_at(m, m->jnt_dofadr[j], &a) > 0;
        if (m->jnt_actfrclimited[j] && has_force) {
            add_range(map, PRB_RANGE_JOINT, j, m->jnt_actfrcrange + 2 * j);
        }
    }
    for (int t = 0; t < m->ntendon && map->driven; t++) {
        if (m->tendon_actfrclimited[t]) {
            add_range(map, PRB_RANGE_TENDON, t, m->tendon_actfrcrange + 2 * t);
        }
    }
}

void prb_actuator_range_name(const sal_model *m, const prb_actuator_range *range, char name[64])
{
    static const char *const attribute[] = {
        [PRB_RANGE_CTRL] = "ctrlrange",         [PRB_RANGE_FORCE] = "forcerange",
        [PRB_RANGE_ACT] = "activation",         [PRB_RANGE_NEXT_ACT] = "actrange",
        [PRB_RANGE_JOINT] = "actuatorfrcrange", [PRB_RANGE_TENDON] = "actuatorfrcrange"};
    const sal_object type = range->kind == PRB_RANGE_JOINT    ? SAL_OBJ_JOINT
                            : range->kind == PRB_RANGE_TENDON ? SAL_OBJ_TENDON
                                                              : SAL_OBJ_ACTUATOR;
    char own[SAL_LABEL_MAX];
    snprintf(name, 64, "%s of %.40s", attribute[range->kind],
             prb_short_name(m, type, range->id, own));
}

/* ---- variables ---- */

/* What counts as a large input: the largest that is allowed, else what changes the force on the
 * dofs by the mechanism's weight at home. And how much a small one moves there. */
static void find_scales(prb_actuation_map *map, const sal_model *m, sal_data *d, double *slope)
{
    const sal_actuation_jacobian to = {.Fw = slope};
    const double weight = prb_weight(m);
    sal_actuation_driven(m, d, slope);
    sal_actuation_driven_deriv(m, d, slope + m->nu, &to);
    for (int a = 0; a < m->nu; a++) {
        double range[2], arm = 0, agility = 0;
        const bool limited =
            m->actuator_actadr[a] >= 0 ? activation_range(m, a, range) : control_range(m, a, range);
        for (int k = m->moment_rowadr[a]; k < m->moment_rowadr[a] + m->moment_rownnz[a]; k++) {
            arm = fmax(arm, fabs(d->actuator_moment[k]));
            agility = fmax(agility, fabs(d->actuator_moment[k]) / m->dof_M0[m->moment_colind[k]]);
        }
        const double by_input = fabs(slope[a]) * arm;
        map->agility[a] = fabs(slope[a]) * agility;
        const double most = limited ? fmax(fabs(range[0]), fabs(range[1])) : 0;
        map->scale[a] = most > 0 ? most : by_input > 1e-6 * weight ? weight / by_input : 1;
    }
}

/* With this range rest is at a bound, or out of it. */
static bool is_one_way(const double range[2])
{
    return range[0] >= 0 || range[1] <= 0;
}

bool prb_input_is_linear(const sal_model *m, int a)
{
    double range[2];
    const bool biased = m->actuator_biastype[a] != SAL_BIAS_NONE;
    const bool controls = control_range(m, a, range) && is_one_way(range);
    const bool forces = m->actuator_forcelimited[a] && is_one_way(m->actuator_forcerange + 2 * a);
    return m->actuator_actadr[a] < 0 && (biased || !controls) && !forces;
}

/* Whether actuators pull at a dof, all of them as soon as their controls say so, but some of them
 * one way only */
static bool is_pulled_one_way(const sal_model *m, int dof)
{
    bool any = false;
    for (int a = 0; a < m->nu; a++) {
        const int end = m->moment_rowadr[a] + m->moment_rownnz[a];
        for (int k = m->moment_rowadr[a]; k < end; k++) {
            if (m->moment_colind[k] == dof) {
                if (m->actuator_actadr[a] >= 0) {
                    return false;
                }
                any = any || !prb_input_is_linear(m, a);
            }
        }
    }
    return any;
}

/* u_i = g sqrt(m M_ii), at least a thousandth of the weight of all, which rounding can resolve.
 *
 * Of a driven motion, three times that where controls pull one way only: these can close what is
 * left there, while each step leaves errors, of contact forces above all, in every leg that
 * carries. If they weighed as much as forces from nowhere, steps would be short. (Inputs that are
 * linear both ways close it after each step: optim/complete.c.) */
static void fill_units(prb_actuation_map *map, const sal_model *m)
{
    const double weight = prb_weight(m);
    for (int i = 0; i < map->nfree; i++) {
        const int dof = map->free_dof[i], root = m->body_rootid[m->dof_bodyid[dof]];
        const double tree = prb_weight_of_tree(m, root);
        const double unit = sqrt(tree * prb_gravity_earth * m->dof_M0[dof]);
        map->unit[i] = fmax(unit, unit_least * weight);
        map->unit[i] *= map->driven && is_pulled_one_way(m, dof) ? unit_one_way : 1;
    }
}

/* False where there is no memory for them */
static bool find_columns(prb_sparsity *found, const double *A, int nrow, int ncol)
{
    found->adr = sal_alloc((size_t)nrow + 1, sizeof(int));
    found->column = sal_alloc((size_t)nrow * (size_t)ncol + 1, sizeof(int));
    int n = 0;
    for (int i = 0; i < nrow && found->adr != NULL && found->column != NULL; i++) {
        for (int c = 0; c < ncol; c++) {
            if (A[i * ncol + c] != 0) {
                found->column[n++] = c;
            }
        }
        found->adr[i + 1] = n;
    }
    return found->adr != NULL && found->column != NULL;
}

static bool allocate(prb_actuation_map *map, const sal_model *m)
{
    const size_t nu = (size_t)m->nu, nv = (size_t)m->nv;
    map->nu = m->nu, map->nv = m->nv;
    map->moment = sal_alloc((size_t)m->nmoment, sizeof(double));
    map->force = sal_alloc(nu * nv, sizeof(double));
    map->unactuated = sal_alloc((nv + 1) * nv, sizeof(double));
    map->free_dof = sal_alloc(nv + 1, sizeof(int));
    map->unit = sal_alloc(nv + 1, sizeof(double));
    map->tol = sal_alloc(nv + 1, sizeof(double));
    map->scale = sal_alloc(nu, sizeof(double));
    map->agility = sal_alloc(nu, sizeof(double));
    map->range = sal_alloc(4 * nu + (size_t)(m->njnt + m->ntendon), sizeof(prb_actuator_range));
    return map->moment != NULL && map->force != NULL && map->unactuated != NULL &&
           map->free_dof != NULL && map->unit != NULL && map->tol != NULL && map->scale != NULL &&
           map->agility != NULL && map->range != NULL;
}

sal_status prb_actuation_map_new(prb_actuation_map **out, const sal_model *m, sal_err *err)
{
    const size_t nu = (size_t)m->nu, nv = (size_t)m->nv;
    sal_data *d = NULL;
    double *B = sal_alloc(nu * nv, sizeof(double)),
           *gram = sal_alloc(nu * nu + 2 * nu, sizeof(double));
    prb_actuation_map *map = sal_alloc(1, sizeof *map);
    sal_status status = SAL_OK;
    if (B == NULL || gram == NULL || map == NULL || !allocate(map, m)) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the actuators' moment arms");
        goto done;
    }
    status = sal_data_new(&d, m, err);
    status = status == SAL_OK ? sal_position(m, d, err) : status;
    if (status != SAL_OK) {
        goto done;
    }
    sal_velocity(m, d);
    memcpy(map->moment, d->actuator_moment, (size_t)m->nmoment * sizeof(double));
    fill_moments(m, map->moment, B);
    map->driven = !may_be_eliminated(m) || !invert(m, map->force, B, gram, gram + nu * nu);
    if (map->driven) {
        memset(map->force, 0, nu * nv * sizeof(double)); /* unactuated: all of f, to begin with */
        memset(gram, 0, 2 * nu * sizeof(double));
        find_scales(map, m, d, gram);
    }
    fill_unactuated(map, B);
    if (!find_columns(&map->force_dof, map->force, map->nu, map->nv) ||
        !find_columns(&map->unactuated_dof, map->unactuated, map->nfree, map->nv)) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the actuators' moment arms");
        goto done;
    }
    fill_units(map, m);
    find_ranges(map, m);
done:
    sal_data_free(d);
    sal_free(B);
    sal_free(gram);
    if (status != SAL_OK) {
        prb_actuation_map_free(map);
        map = NULL;
    }
    *out = map;
    return status;
}

void prb_actuation_map_free(prb_actuation_map *map)
{
    if (map != NULL) {
        sal_free(map->moment);
        sal_free(map->force);
        sal_free(map->unactuated);
        sal_free(map->force_dof.adr);
        sal_free(map->force_dof.column);
        sal_free(map->unactuated_dof.adr);
        sal_free(map->unactuated_dof.column);
        sal_free(map->free_dof);
        sal_free(map->unit);
        sal_free(map->tol);
        sal_free(map->scale);
        sal_free(map->agility);
        sal_free(map->range);
        sal_free(map);
    }
}
