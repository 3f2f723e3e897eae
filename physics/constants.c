/* constants.c: inverse inertias of bodies, dofs and actuators at qpos0. They scale the constraint rows: a contact is made as stiff as the bodies
 * it joins are heavy (MuJoCo documentation, "Computation", "Impedance").
 *
 *     A_b = J M^-1 J',  J = (Jp(xi_b); Jr(b)):     body_invweight0 = (mean of the first three diagonal entries, of the last three)
 *     dof_invweight0 = diag M^-1, averaged over the three directions of a rotation or translation
 *     tendon_invweight0 = J M^-1 J'
 *     actuator_acc0  = |M^-1 moment'|
 */
#include "physics/constants.h"

#include "physics/actuator.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <math.h>
#include <string.h>

/* A body that only slides along its own axes: its joints are all slides through its origin, its inertial frame is its own, nothing hangs
 * from it, and it hangs from the world or from a fixed child of the world. Since 3.x such a body counts with 1/mass in every direction, and its
 * armature does not count. (The 1e-6 and 1e-14 are MuJoCo's.) */
static bool only_slides(const sal_model *m, int b)
{
    const int p = m->body_parentid[b], end = m->body_jntadr[b] + m->body_jntnum[b];
    const double *ipos = m->body_ipos + 3 * b, *iquat = m->body_iquat + 4 * b;
    const double turned = fabs(iquat[1]) + fabs(iquat[2]) + fabs(iquat[3]);
    bool yes = m->body_jntnum[b] > 0 && sal_v3_norm(ipos) < 1e-6 && turned < 1e-6 &&
               (p == 0 || (m->body_parentid[p] == 0 && m->body_dofnum[p] == 0));
    for (int child = b + 1; child < m->nbody; child++) {
        yes = yes && m->body_parentid[child] != b;
    }
    for (int j = m->body_jntadr[b]; yes && j < end; j++) {
        const double *u = m->jnt_axis + 3 * j;
        const int along = (fabs(u[0]) > 1e-14) + (fabs(u[1]) > 1e-14) + (fabs(u[2]) > 1e-14);
        yes =
            m->jnt_type[j] == SAL_JNT_SLIDE && along == 1 && sal_v3_norm(m->jnt_pos + 3 * j) < 1e-6;
    }
    return yes;
}

/* row' M^-1 row; x [nv] is overwritten by M^-1 row */
static double inverse_weight(const sal_model *m, const sal_data *d, const double *row, double *x)
{
    double sum = 0;
    memcpy(x, row, (size_t)m->nv * sizeof *x);
    sal_solve_m(m, d, x);
    for (int i = 0; i < m->nv; i++) {
        sum += row[i] * x[i];
    }
    return sum;
}

/* scratch: jac [6 x nv], x [nv] */
static void body_weight(sal_model *m, const sal_data *d, int b, double *jac, double *x)
{
    const size_t nv = (size_t)m->nv;
    double *w = m->body_invweight0 + 2 * b, direction[6];
    w[0] = w[1] = 0;
    if (b == 0 || m->body_chainnum[b] == 0) {
        return;
    }
    if (!m->compat222 && only_slides(m, b)) {
        w[0] = 1 / fmax(SAL_MINVAL, m->body_mass[b]);
        return;
    }
    sal_jac(m, d, jac, jac + 3 * nv, d->xipos + 3 * b, b);
    for (size_t k = 0; k < 6; k++) {
        direction[k] = inverse_weight(m, d, jac + k * nv, x);
    }
    w[0] = (direction[0] + direction[1] + direction[2]) / 3;
    w[1] = (direction[3] + direction[4] + direction[5]) / 3;
}

/* The entry of M^-1 at dof i. */
static double dof_inverse(const sal_model *m, const sal_data *d, int i, double *x)
{
    memset(x, 0, (size_t)m->nv * sizeof *x);
    x[i] = 1;
    sal_solve_m(m, d, x);
    return x[i];
}

static void joint_weight(sal_model *m, const sal_data *d, int j, double *x)
{
    const int type = m->jnt_type[j], b = m->jnt_bodyid[j], i = m->jnt_dofadr[j];
    double *w = m->dof_invweight0;
    if (type == SAL_JNT_SLIDE || type == SAL_JNT_HINGE) {
        w[i] = !m->compat222 && only_slides(m, b) ? 1 / fmax(SAL_MINVAL, m->body_mass[b])
                                                  : dof_inverse(m, d, i, x);
        return;
    }
    for (int k = i; k < i + (type == SAL_JNT_FREE ? 6 : 3); k += 3) {
        const double mean =
            (dof_inverse(m, d, k, x) + dof_inverse(m, d, k + 1, x) + dof_inverse(m, d, k + 2, x)) /
            3;
        sal_v3_set(w + k, mean, mean, mean);
    }
}

/* |M^-1 moment'|, the moment spread over all dofs */
static double actuator_acceleration(const sal_model *m, const sal_data *d, int i, double *x)
{
    double sum = 0;
    memset(x, 0, (size_t)m->nv * sizeof *x);
    sal_actuator_pull(m, d, x, i, 1);
    sal_solve_m(m, d, x);
    for (int k = 0; k < m->nv; k++) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

/* A servo (gain kp, bias -kp l) whose velocity coefficient is positive, r, means the damping ratio r:
 *     kv = 2 r sqrt(kp I),   I = sum of M0_k / moment_k^2 over the dofs it moves: the inertia it sees                 */
static void damping_ratio(sal_model *m, const sal_data *d, int i)
{
    const int adr = m->moment_rowadr[i];
    const double kp = m->actuator_gainprm[10 * i];
    double *bias = m->actuator_biasprm + 10 * i, inertia = 0;
    if (m->compat222 || kp != -bias[1] || !(bias[2] > 0)) {
        return;
    }
    for (int k = adr; k < adr + m->moment_rownnz[i]; k++) {
        const double moment = d->actuator_moment[k];
        if (fabs(moment) > SAL_MINVAL) {
            inertia += m->dof_M0[m->moment_colind[k]] / (moment * moment);
        }
    }
    bias[2] *= -2 * sqrt(kp * inertia);
}

/* length0, and J M^-1 J' */
static void tendon_weight(sal_model *m, const sal_data *d, int t, double *row, double *x)
{
    memset(row, 0, (size_t)m->nv * sizeof *row);
    sal_tendon_pull(m, d, row, t, 1);
    m->tendon_length0[t] = d->ten_length[t];
    m->tendon_invweight0[t] = inverse_weight(m, d, row, x);
}

/* dof_M0 and meaninertia, from M */
static sal_status mass_constants(sal_model *m, const sal_data *d, sal_err *err)
{
    double sum = 0;
    for (int i = 0; i < m->nv; i++) {
        m->dof_M0[i] = d->qM[m->dof_Madr[i]];
        sum += m->dof_M0[i];
        if (!(d->qLDiagInv[i] > 0 && d->qLDiagInv[i] < 1 / SAL_MINVAL)) {
            const char *joint = sal_model_name(m, SAL_OBJ_JOINT, m->dof_jntid[i]);
            return sal_fail(
                err, SAL_SINGULAR,
                "the mass matrix is singular at dof %d (joint '%s' of body '%s'): nothing "
                "heavy moves with it, or another joint of the body moves the same way",
                i, joint, sal_model_name(m, SAL_OBJ_BODY, m->dof_bodyid[i]));
        }
    }
    m->meaninertia = m->nv > 0 ? sum / m->nv : 1;
    return SAL_OK;
}

sal_status sal_model_constants(sal_model *m, sal_err *err)
{
    sal_data *d = NULL;
    memcpy(m->body_subtreemass, m->body_mass, (size_t)m->nbody * sizeof *m->body_mass);
    for (int b = m->nbody - 1; b > 0; b--) { /* children come after their parents */
        m->body_subtreemass[m->body_parentid[b]] += m->body_subtreemass[b];
    }
    sal_status status = sal_data_new(&d, m, err);
    if (status != SAL_OK) {
        return status;
    }
    double *jac = sal_arena_take(&d->arena, 6 * (size_t)m->nv);
    double *x = sal_arena_take(&d->arena, (size_t)m->nv);
    sal_kinematics(m, d);
    sal_com(m, d);
    sal_tendon(m, d);
    sal_crb(m, d);
    sal_factor(m, d);
    sal_actuator_moment(m, d);

    status = mass_constants(m, d, err);
    for (int b = 0; status == SAL_OK && b < m->nbody; b++) {
        body_weight(m, d, b, jac, x);
    }
    for (int j = 0; status == SAL_OK && j < m->njnt; j++) {
        joint_weight(m, d, j, x);
    }
    for (int t = 0; status == SAL_OK && t < m->ntendon; t++) {
        tendon_weight(m, d, t, jac, x);
    }
    for (int i = 0; status == SAL_OK && i < m->nu; i++) {
        m->actuator_length0[i] = d->actuator_length[i];
        m->actuator_acc0[i] = actuator_acceleration(m, d, i, x);
        damping_ratio(m, d, i);
    }
    sal_data_free(d);
    return status;
}
