/* transmission.c: what actuators act on: lengths, and how they change with the dofs. With gear g =
 *     (g_p; g_r), a point P of a site, its
 * axes R, and moment = dl/dq unless said otherwise:
 *
 *     slide, hinge   l = g_0 q                    moment g_0
 *     ball           l = log(q) . g               moment g
 *     (in the parent's frame: R(q)' g); the angular velocity, not d log / dt
 *     free           l = 0                        moment g
 *     (in the parent's frame: the rotational part R(q)' g)
 *     tendon         l = g_0 length               moment g_0 J
 *     site           l = 0                        moment Jp' R g_p + Jr' R g_r
 *     site, refsite  l = R_ref'(P - P_ref) . g_p + log(q_ref* q) . g_r
 *                    moment (Jp - Jp_ref)' R_ref g_p + (Jr - Jr_ref)' R_ref g_r
 *                    over the dofs that do not move both sites; of an orientation with R for R_ref
 *     slidercrank    l = g_0 (a - sqrt(a^2 + r^2 - d.d)),   d = P_crank - P_slider,   a = s.d,
 *     s the slider's z axis,   r the rod
 *     body           l = 0
 *     moment: minus the mean of the contacts' normal Jacobians: it pulls what touches together
 *
 *     ldot = moment . v,    qfrc = moment' force
 *
 * A force f at P and a torque t on a body act on dof k of its chain with (t + (P - c) x f ; f) .
 *     cdof_k.
 * (MuJoCo documentation, "Computation", "Actuation model"; "XML reference", actuator.)
 */
#include "base/house.h"
#include "physics/actuator.h"
#include "physics/compiling.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <string.h>

/* ---- which dofs ---- */

/* Marks the dofs of a body's chain. */
static void mark_chain(const sal_model *m, int *marks, int body)
{
    const int *chain = m->chain_dof + m->body_chainadr[body];
    for (int k = 0; k < m->body_chainnum[body]; k++) {
        marks[chain[k]] = 1;
    }
}

static void mark_dofs(const sal_model *m, int *marks, int i)
{
    const int id = m->actuator_trnid[i], ref = m->actuator_refid[i];
    switch ((sal_transmission)m->actuator_trntype[i]) {
    case SAL_TRN_JOINT:
        for (int k = 0; k < sal_joint_ndof(m->jnt_type[id]); k++) {
            marks[m->jnt_dofadr[id] + k] = 1;
        }
        break;
    case SAL_TRN_TENDON:
        for (int k = m->tendon_Jadr[id]; k < m->tendon_Jadr[id] + m->tendon_Jnum[id]; k++) {
            marks[m->ten_dof[k]] = 1;
        }
        break;
    case SAL_TRN_SITE:
    case SAL_TRN_SLIDERCRANK:
        mark_chain(m, marks, m->site_bodyid[id]);
        if (ref >= 0) {
            mark_chain(m, marks, m->site_bodyid[ref]);
        }
        break;
    case SAL_TRN_BODY: /* whatever touches it */
        for (int k = 0; k < m->nv; k++) {
            marks[k] = 1;
        }
        break;
    }
}

void phy_moment_pattern(sal_model *m)
{
    int at = 0;
    for (int i = 0; i < m->nu; i++) {
        int *marks = m->moment_colind + at, n = 0; /* there is room for nv behind every row */
        memset(marks, 0, (size_t)m->nv * sizeof *marks);
        mark_dofs(m, marks, i);
        for (int k = 0; k < m->nv; k++) {
            if (marks[k]) {
                marks[n++] = k; /* n <= k: what is overwritten has been read */
            }
        }
        m->moment_rowadr[i] = at;
        m->moment_rownnz[i] = n;
        at += n;
    }
}

/* ---- joints and tendons ---- */

/* The gear of a rotation in body axes; given in the parent's frame it is R(q)' g. */
static void rotation_gear(double moment[3], const double gear[3], const double q[4], int inparent)
{
    sal_v3_copy(moment, gear);
    if (inparent) {
        double back[4];
        sal_quat_conj(back, q);
        sal_quat_rotate(moment, back, gear);
    }
}

static double joint_length(const sal_model *m, const sal_data *d, int i, double *moment)
{
    const int j = m->actuator_trnid[i], inparent = m->actuator_inparent[i];
    const double *gear = m->actuator_gear + 6 * i, *q = d->qpos + m->jnt_qposadr[j];
    double turn[4], w[3];
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_FREE:
        sal_quat_copy(turn, q + 3);
        sal_quat_normalise(turn);
        sal_v3_copy(moment, gear);
        rotation_gear(moment + 3, gear + 3, turn, inparent);
        return 0;
    case SAL_JNT_BALL:
        sal_quat_copy(turn, q);
        sal_quat_normalise(turn);
        sal_quat_log(w, turn);
        rotation_gear(moment, gear, turn, inparent);
        return sal_v3_dot(w, moment);
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        break;
    }
    return 0; /* see phy_joint_actuator */
}

static double tendon_length(const sal_model *m, const sal_data *d, int i, double *moment)
{
    const int t = m->actuator_trnid[i];
    const double gear = m->actuator_gear[6 * i], *J = d->ten_J + m->tendon_Jadr[t];
    for (int k = 0; k < m->tendon_Jnum[t]; k++) { /* the same dofs in the same order */
        moment[k] = gear * J[k];
    }
    return gear * d->ten_length[t];
}

/* ---- forces at points of bodies ---- */

/* moment += the force (f at point, t) on the body, over its dofs from the common-th on */
static void add_wrench(const sal_model *m, sal_data *d, int i, int body, const double point[3],
                       const double f[3], const double t[3], int common)
{
    const int at = m->moment_rowadr[i];
    double arm[3], wrench[6];
    sal_v3_sub(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
    sal_v3_cross(wrench, arm, f);
    sal_v3_add(wrench, wrench, t);
    sal_v3_copy(wrench + 3, f);
    phy_row_add_wrench(m, d, d->actuator_moment + at, m->moment_colind + at, body, common, wrench);
}

/* The length between two sites in the axes of the second, and how they turn against each other. The
 * orientation of a site enters as site_quat o body_quat, in this order: MuJoCo's convention here,
 * the true orientation only if the two commute. */
static double refsite_length(const sal_model *m, const sal_data *d, int site, int ref,
                             const double *gear)
{
    double q[2][4], back[4], turn[4], apart[3], along[3], w[3];
    const int ids[2] = {site, ref};
    for (int k = 0; k < 2; k++) {
        const double *body = d->xquat + 4 * m->site_bodyid[ids[k]];
        sal_quat_mul(q[k], m->site_quat + 4 * ids[k], body);
    }
    sal_quat_conj(back, q[1]);
    sal_quat_mul(turn, back, q[0]);
    sal_quat_log(w, turn);
    sal_v3_sub(apart, d->site_xpos + 3 * site, d->site_xpos + 3 * ref);
    sal_m3_multv(along, d->site_xmat + 9 * ref, apart);
    return sal_v3_dot(along, gear) + sal_v3_dot(w, gear + 3);
}

static double site_length(const sal_model *m, sal_data *d, int i)
{
    const int site = m->actuator_trnid[i], ref = m->actuator_refid[i];
    const int frame = ref < 0 || phy_is_orientation(m, i) ? site : ref, b = m->site_bodyid[site];
    const double *gear = m->actuator_gear + 6 * i;
    double f[3], t[3];
    sal_m3_mulv(f, d->site_xmat + 9 * frame, gear);
    sal_m3_mulv(t, d->site_xmat + 9 * frame, gear + 3);
    if (ref < 0) {
        add_wrench(m, d, i, b, d->site_xpos + 3 * site, f, t, 0);
        return 0;
    }
    /* dofs that move both turn the frame along; 2.2.2 counts how they move one site about the
     * other */
    const int b_ref = m->site_bodyid[ref];
    const int common = m->mujoco == SAL_MUJOCO_222 ? 0 : phy_common_dofs(m, b, b_ref);
    add_wrench(m, d, i, b, d->site_xpos + 3 * site, f, t, common);
    sal_v3_scale(f, f, -1);
    sal_v3_scale(t, t, -1);
    add_wrench(m, d, i, b_ref, d->site_xpos + 3 * ref, f, t, common);
    return refsite_length(m, d, site, ref, gear);
}

/* dl/dd = s + (d - a s)/root,  dl/ds = d (1 - a/root): a force at the crank, its reaction and the
 *                              torque s x dl/ds at the slider. A rod that
 * does not reach leaves  l = a. */
static double slidercrank_length(const sal_model *m, sal_data *d, int i)
{
    static const double none[3] = {0, 0, 0};
    const int crank = m->actuator_trnid[i], slider = m->actuator_refid[i];
    const double gear = m->actuator_gear[6 * i], rod = m->actuator_cranklength[i];
    double s[3], apart[3], by_apart[3], by_axis[3], turn[3];
    sal_m3_column(s, d->site_xmat + 9 * slider, 2);
    sal_v3_sub(apart, d->site_xpos + 3 * crank, d->site_xpos + 3 * slider);
    const double a = sal_v3_dot(s, apart), inside = a * a + rod * rod - sal_v3_dot(apart, apart);
    const double root = inside > 0 ? sqrt(inside) : 0;
    sal_v3_copy(by_apart, s);
    sal_v3_copy(by_axis, apart);
    if (root > 0) {
        sal_v3_scale(by_apart, s, 1 - a / root);
        sal_v3_addscaled(by_apart, by_apart, 1 / root, apart);
        sal_v3_scale(by_axis, apart, 1 - a / root);
    }
    sal_v3_scale(by_apart, by_apart, gear);
    sal_v3_scale(by_axis, by_axis, gear);
    sal_v3_cross(turn, s, by_axis);
    add_wrench(m, d, i, m->site_bodyid[crank], d->site_xpos + 3 * crank, by_apart, none, 0);
    sal_v3_scale(by_apart, by_apart, -1);
    add_wrench(m, d, i, m->site_bodyid[slider], d->site_xpos + 3 * slider, by_apart, turn, 0);
    return gear * (a - root);
}

static bool touches(const sal_model *m, const sal_contact *c, int body)
{
    return m->geom_bodyid[c->geom1] == body || m->geom_bodyid[c->geom2] == body;
}

/* -n at the contact on the body of geom2, n on that of geom1; contacts in the gap count, too. */
static void adhesion_moment(const sal_model *m, sal_data *d, int i)
{
    static const double none[3] = {0, 0, 0};
    int count = 0;
    for (int c = 0; c < d->ncon; c++) {
        count += touches(m, d->contact + c, m->actuator_trnid[i]);
    }
    for (int c = 0; c < d->ncon; c++) {
        const sal_contact *contact = d->contact + c;
        double pull[3];
        if (touches(m, contact, m->actuator_trnid[i])) {
            sal_v3_scale(pull, contact->frame, 1.0 / count);
            add_wrench(m, d, i, m->geom_bodyid[contact->geom1], contact->pos, pull, none, 0);
            sal_v3_scale(pull, pull, -1);
            add_wrench(m, d, i, m->geom_bodyid[contact->geom2], contact->pos, pull, none, 0);
        }
    }
}

/* ---- all of them ---- */

void phy_actuator_length(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nu; i++) {
        double *moment = d->actuator_moment + m->moment_rowadr[i], length = 0;
        if (phy_is_of_scalar_joint(m, i)) {
            phy_joint_actuator(m, d, i);
            continue;
        }
        memset(moment, 0, (size_t)m->moment_rownnz[i] * sizeof *moment);
        switch ((sal_transmission)m->actuator_trntype[i]) {
        case SAL_TRN_JOINT:
            length = joint_length(m, d, i, moment);
            break;
        case SAL_TRN_TENDON:
            length = tendon_length(m, d, i, moment);
            break;
        case SAL_TRN_SITE:
            length = site_length(m, d, i);
            break;
        case SAL_TRN_SLIDERCRANK:
            length = slidercrank_length(m, d, i);
            break;
        case SAL_TRN_BODY:
            adhesion_moment(m, d, i);
            break;
        }
        d->actuator_length[i] = length;
    }
}

void phy_actuator_velocity(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nu; i++) {
        phy_actuator_rate(m, d, i);
    }
}

void phy_actuator_pull(const sal_model *m, const sal_data *d, double *r, int i, double force)
{
    const int adr = m->moment_rowadr[i];
    for (int k = adr; k < adr + m->moment_rownnz[i]; k++) {
        r[m->moment_colind[k]] += d->actuator_moment[k] * force;
    }
}

void sal_actuator_moment(const sal_model *m, sal_data *d)
{
    phy_tendon_velocity(m, d);
    phy_actuator_length(m, d);
    phy_actuator_velocity(m, d);
}
