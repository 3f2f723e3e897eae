/* constants.c: inverse inertias of bodies, dofs and actuators at qpos0. They scale the constraint
 * rows: a contact is made as stiff as the bodies it joins are heavy (MuJoCo documentation,
 * "Computation", "Impedance").
 *
 *     A_b = J M^-1 J',  J = (Jp(xi_b); Jr(b)):
 *     body_invweight0 = (mean of the first three diagonal entries, of the last three)
 *     dof_invweight0 = diag M^-1, averaged over the three directions of a rotation or translation
 *     tendon_invweight0 = J M^-1 J'
 *     actuator_acc0  = |M^-1 moment'|
 */
#include "base/house.h"
#include "physics/actuator.h"
#include "physics/compiling.h"
#include "physics/object_pose.h"
#include "physics/scratch.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <math.h>
#include <string.h>

/* A body that only slides along its own axes: its joints are all slides through its origin, its
 * inertial frame is its own, it is a leaf, and it hangs from the world or from a fixed child of the
 * world. Since 3.x such a body counts with 1/mass in every direction, and its armature does not
 * count. (The 1e-6 and 1e-14 are MuJoCo's.) */
static bool only_slides(const sal_model *m, int b)
{
    const int p = m->body_parentid[b], end = m->body_jntadr[b] + m->body_jntnum[b];
    const double *ipos = m->body_ipos + 3 * b, *iquat = m->body_iquat + 4 * b;
    const double turned = fabs(iquat[1]) + fabs(iquat[2]) + fabs(iquat[3]);
    bool yes = m->body_jntnum[b] > 0 && sal_v3_norm(ipos) < 1e-6 && turned < 1e-6 &&
               (p == 0 || (m->body_parentid[p] == 0 && m->body_dofnum[p] == 0));
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

/* The same for a row that has entries only in the chain that ends with dof `last`: x [the chain's
 * length], ascending, overwritten.
 *     x' (L'DL)^-1 x = sum of y_i^2 / D_ii,   y = L'^-1 x:
 *     L has nothing outside the chain that y would need */
static double chain_weight(const sal_model *m, const sal_data *d, int last, double *x)
{
    const phy_row end = phy_row_of(m, last);
    double sum = 0;
    for (int a = end.n - 1; a >= 0; a--) {
        const int i = phy_row_dof(end, end.n - 1 - a);
        const double *L = d->qLD + m->dof_Madr[i];
        for (int k = 1; k <= a; k++) {
            x[a - k] -= L[k] * x[a];
        }
        sum += x[a] * x[a] * d->qLDiagInv[i];
    }
    return sum;
}

/* scratch: x [nv] */
static void body_weight(sal_model *m, const sal_data *d, int b, bool leaf, double *x)
{
    double *w = m->body_invweight0 + 2 * b, arm[3];
    const int n = m->body_chainnum[b], *chain = m->chain_dof + m->body_chainadr[b];
    w[0] = w[1] = 0;
    if (b == 0 || n == 0) {
        return;
    }
    if (m->mujoco != SAL_MUJOCO_222 && leaf && only_slides(m, b)) {
        w[0] = 1 / fmax(SAL_MINVAL, m->body_mass[b]);
        return;
    }
    sal_v3_sub(arm, d->xipos + 3 * b, d->subtree_com + 3 * m->body_rootid[b]);
    for (int k = 0; k < 6; k++) { /* of the point, then of the rotation */
        for (int a = 0; a < n; a++) {
            const double *s = d->cdof + 6 * chain[a];
            double u[3];
            sal_v3_cross(u, s, arm);
            x[a] = k < 3 ? u[k] + s[3 + k] : s[k - 3];
        }
        w[k / 3] += chain_weight(m, d, chain[n - 1], x) / 3;
    }
}

/* The entry of M^-1 at dof i. */
static double dof_inverse(const sal_model *m, const sal_data *d, int i, double *x)
{
    const phy_row row = phy_row_of(m, i);
    memset(x, 0, (size_t)row.n * sizeof *x);
    x[row.n - 1] = 1;
    return chain_weight(m, d, i, x);
}

static void joint_weight(sal_model *m, const sal_data *d, int j, bool leaf, double *x)
{
    const int type = m->jnt_type[j], b = m->jnt_bodyid[j], i = m->jnt_dofadr[j];
    double *w = m->dof_invweight0;
    if (type == SAL_JNT_SLIDE || type == SAL_JNT_HINGE) {
        w[i] = m->mujoco != SAL_MUJOCO_222 && leaf && only_slides(m, b)
                   ? 1 / fmax(SAL_MINVAL, m->body_mass[b])
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
    phy_actuator_pull(m, d, x, i, 1);
    sal_solve_m(m, d, x);
    for (int k = 0; k < m->nv; k++) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

/* A servo (gain kp, bias -kp l) whose velocity coefficient is positive, r, means the damping ratio
 * r:
 *     kv = 2 r sqrt(kp I),   I = sum of M0_k / moment_k^2 over the dofs it moves: the inertia it
 *                            sees; all three of an orientation that of the first */
static void damping_ratio(sal_model *m, const sal_data *d, int i)
{
    const int seen = phy_is_orientation(m, i) ? phy_orientation_first(m, i) : i;
    const int adr = m->moment_rowadr[seen];
    const double kp = m->actuator_gainprm[10 * i];
    double *bias = m->actuator_biasprm + 10 * i, inertia = 0;
    if (m->mujoco == SAL_MUJOCO_222 || kp != -bias[1] || !(bias[2] > 0)) {
        return;
    }
    for (int k = adr; k < adr + m->moment_rownnz[seen]; k++) {
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
    phy_tendon_pull(m, d, row, t, 1);
    m->tendon_length0[t] = d->ten_length[t];
    m->tendon_invweight0[t] = inverse_weight(m, d, row, x);
}

/* Joints that move the same way leave nothing of each other's inertia but rounding. */
static const double singular = 1e-13;

/* dof_M0 and meaninertia, from M: the tendons' armature counts in the latter only, as in MuJoCo. */
static sal_status mass_constants(sal_model *m, const sal_data *d, sal_err *err)
{
    double sum = 0;
    for (int i = 0; i < m->nv; i++) {
        m->dof_M0[i] = d->qM[m->dof_Madr[i]];
        sum += m->dof_M0[i];
        const double inverse =
            d->qLDiagInv
                [i]; /* of what is left of M_ii when all that hangs from it is free to move */
        if (!(inverse > 0 && inverse < 1 / SAL_MINVAL && inverse * m->dof_M0[i] < 1 / singular)) {
            char joint[SAL_LABEL_MAX], body[SAL_LABEL_MAX];
            return sal_fail(
                err, SAL_SINGULAR,
                "the mass matrix is singular at dof %d (%s): no mass moves with this joint, or "
                "another joint of %s allows the same motion",
                i, sal_model_label(m, SAL_OBJ_JOINT, m->dof_jntid[i], joint),
                sal_model_label(m, SAL_OBJ_BODY, m->dof_bodyid[i], body));
        }
    }
    m->meaninertia = m->nv > 0 ? sum / m->nv : 1;
    for (int t = 0; t < m->ntendon; t++) {
        for (int k = m->tendon_Jadr[t]; k < m->tendon_Jadr[t] + m->tendon_Jnum[t]; k++) {
            m->dof_M0[m->ten_dof[k]] -= m->tendon_armature[t] * d->ten_J[k] * d->ten_J[k];
        }
    }
    return SAL_OK;
}

typedef struct work {
    double *row, *x;  /* [nv] */
    double *children; /* [nbody] */
} work;

static bool take(const sal_model *m, sal_arena *arena, work *w)
{
    w->row = sal_arena_take(arena, (size_t)m->nv, sizeof *w->row);
    w->x = sal_arena_take(arena, (size_t)m->nv, sizeof *w->x);
    w->children = sal_arena_take(arena, (size_t)m->nbody, sizeof *w->children);
    return w->children != NULL;
}

static void scratch(const sal_model *m, sal_arena *arena)
{
    work w;
    take(m, arena, &w);
    phy_stages_scratch(m, arena);
}

sal_status phy_model_constants(sal_model *m, sal_err *err)
{
    sal_data *d = NULL;
    work w;
    memcpy(m->body_subtreemass, m->body_mass, (size_t)m->nbody * sizeof *m->body_mass);
    for (int b = m->nbody - 1; b > 0; b--) { /* children come after their parents */
        m->body_subtreemass[m->body_parentid[b]] += m->body_subtreemass[b];
    }
    sal_status status = phy_data_new(&d, m, scratch, err);
    if (status != SAL_OK) {
        return status;
    }
    if (!take(m, &d->arena, &w)) {
        status = phy_scratch_status(d, err);
        goto done;
    }
    memset(w.children, 0, (size_t)m->nbody * sizeof *w.children);
    for (int b = 1; b < m->nbody; b++) {
        w.children[m->body_parentid[b]]++;
    }
    sal_kinematics(m, d);
    sal_com(m, d);
    phy_camera_constants(m, d);
    sal_tendon(m, d);
    sal_crb(m, d);
    sal_factor(m, d);
    sal_actuator_moment(m, d);

    status = mass_constants(m, d, err);
    for (int b = 0; status == SAL_OK && b < m->nbody; b++) {
        body_weight(m, d, b, w.children[b] == 0, w.x);
    }
    for (int j = 0; status == SAL_OK && j < m->njnt; j++) {
        joint_weight(m, d, j, w.children[m->jnt_bodyid[j]] == 0, w.x);
    }
    for (int t = 0; status == SAL_OK && t < m->ntendon; t++) {
        tendon_weight(m, d, t, w.row, w.x);
    }
    for (int i = 0; status == SAL_OK && i < m->nu; i++) {
        m->actuator_length0[i] = d->actuator_length[i];
        m->actuator_acc0[i] = actuator_acceleration(m, d, i, w.x);
        damping_ratio(m, d, i);
    }
    status = phy_scratch_status_after(status, d, err);
done:
    sal_data_free(d);
    return status;
}
