/* passive_deriv.c: how the forces of springs and dampers change, and what armature adds to M:
 *
 *     tau = .. - passive + armature a
 *
 *     slide, hinge     k(x) x                    Dq = k_0 + 2 k_1 x + 3 k_2 x^2
 *     ball             k(|r|) r                  Dq = (k(|r|) + k'(|r|) r r'/|r|) dr/dq,
 *     r = log(q_s* q)
 *     free             k(|x|) x, then as ball    Dq the same with x,  dx/dq = 1
 *     every dof        b(|v|) v                  Dv = b_0 + 2 b_1 |v| + 3 b_2 v^2
 *     fixed tendon     J'(k(x) x + b(|l'|) l')
 *     Dq = slope J' dl/dq,  Dv = slope J'J,  Da = armature J'J
 *
 * with the polynomials of passive.c and tendon.c.
 */
#include "physics/deriv/deriv_pieces.h"
#include "physics/implicit/damping.h"
#include "physics/stages.h"
#include "physics/tendon.h"

/* d(k(x) x)/dx,  k(x) = k_0 + k_1 x + k_2 x^2 */
static double polynomial_slope(double k0, const double k[2], double x)
{
    return k0 + x * (2 * k[0] + x * 3 * k[1]);
}

/* ---- joints ---- */

/* Dq += d(k(|x|) x)/dx T  at dofs dof.. dof + 2,  T = dx/dq by rows */
static void radial_spring(const sal_model *m, phy_deriv *w, int j, int dof, const double x[3],
                          const double T[9])
{
    const double k0 = m->jnt_stiffness[j], *k = m->jnt_stiffnesspoly + 2 * j;
    const double n = sal_v3_norm(x), value = k0 + n * (k[0] + n * k[1]);
    const double rise = n > SAL_MINVAL ? (k[0] + 2 * k[1] * n) / n : 0;
    for (int c = 0; c < 3; c++) {
        double column[3];
        sal_m3_column(column, T, c);
        const double along = rise * sal_v3_dot(x, column);
        for (int i = 0; i < 3; i++) {
            w->Dq[m->nv * (dof + i) + dof + c] += value * column[i] + along * x[i];
        }
    }
}

static void ball_spring(const sal_model *m, phy_deriv *w, int j, int dof, const double q[4],
                        const double rest[4])
{
    double back[4], away[4], r[3], T[9];
    sal_quat_conj(back, rest);
    sal_quat_mul(away, back, q);
    sal_quat_normalise(away);
    sal_quat_log(r, away);
    sal_quat_log_deriv(T, r);
    radial_spring(m, w, j, dof, r, T);
}

static void joint_spring(const sal_model *m, const sal_data *d, phy_deriv *w, int j)
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *q = d->qpos + m->jnt_qposadr[j], *rest = m->qpos_spring + m->jnt_qposadr[j];
    const double *k = m->jnt_stiffnesspoly + 2 * j;
    const int dof = m->jnt_dofadr[j];
    double x[3];
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_FREE:
        sal_v3_sub(x, q, rest);
        radial_spring(m, w, j, dof, x, one);
        ball_spring(m, w, j, dof + 3, q + 3, rest + 3);
        break;
    case SAL_JNT_BALL:
        ball_spring(m, w, j, dof, q, rest);
        break;
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        w->Dq[(m->nv + 1) * dof] += polynomial_slope(m->jnt_stiffness[j], k, q[0] - rest[0]);
        break;
    }
}

static void springs(const sal_model *m, const sal_data *d, phy_deriv *w)
{
    const double *stiffness = m->jnt_stiffness, *poly = m->jnt_stiffnesspoly;
    for (int j = 0, n = m->njnt; j < n; j++, poly += 2) {
        if (stiffness[j] != 0 || poly[0] != 0 || poly[1] != 0) {
            joint_spring(m, d, w, j);
        }
    }
}

static void dampers(const sal_model *m, const sal_data *d, const phy_deriv *w)
{
    const int nv = m->nv;
    double *diagonal = w->Dv;
    for (int i = 0; i < nv; i++, diagonal += nv + 1) {
        double slope;
        phy_damper_slope(&slope, m->dof_damping[i], m->dof_dampingpoly + 2 * i, d->qvel + i);
        *diagonal += slope;
    }
}

/* ---- fixed tendons ---- */

/* On an end of a band that has a width, as inside: the spring rests. */
double phy_tendon_stretch_slope(const sal_model *m, const sal_data *d, int t)
{
    const double *rest = m->tendon_lengthspring + 2 * t, x = phy_tendon_stretch(m, d, t);
    const bool rests = x == 0 && rest[0] < rest[1];
    return rests ? 0 : polynomial_slope(m->tendon_stiffness[t], m->tendon_stiffnesspoly + 2 * t, x);
}

static void tendon_forces(const sal_model *m, const sal_data *d, phy_deriv *w)
{
    const bool springs_act = !(m->opt.disable & SAL_DSBL_SPRING);
    const bool dampers_act = !(m->opt.disable & SAL_DSBL_DAMPER);
    for (int t = 0; t < m->ntendon; t++) {
        if (!phy_tendon_is_fixed(m, t)) {
            continue;
        }
        const phy_sparse J = phy_sparse_tendon(m, d, t);
        const double k = springs_act ? phy_tendon_stretch_slope(m, d, t) : 0;
        const double b = dampers_act ? phy_tendon_damping_slope(m, d, t) : 0;
        if (k != 0) {
            phy_add_length(m, w->Dq, k, J, t);
        }
        if (b != 0) {
            phy_add_square(m, w->Dv, b, J);
        }
    }
}

/* ---- armature ---- */

/* Of a tendon's dofs only those one above the other have an entry in M (tendon.c). */
static void armatures(const sal_model *m, const sal_data *d, phy_deriv *w)
{
    const int nv = m->nv;
    const double *armature_of = m->dof_armature;
    double *diagonal = w->Da;
    for (int i = 0; i < nv; i++, diagonal += nv + 1) {
        *diagonal += armature_of[i];
    }
    for (int t = 0; t < m->ntendon; t++) {
        const double armature = phy_tendon_is_fixed(m, t) ? m->tendon_armature[t] : 0;
        const phy_sparse J = phy_sparse_tendon(m, d, t);
        for (int i = 0; i < J.n && armature > 0; i++) {
            const phy_row row = phy_row_of(m, J.dof[i]);
            for (int k = 0, j = i; k < row.n && j >= 0;) {
                const int below = J.dof[i], above = phy_row_dof(row, k), other = J.dof[j];
                const double part = above == other ? armature * J.x[i] * J.x[j] : 0;
                w->Da[nv * below + above] += part;
                w->Da[nv * above + below] += k > 0 ? part : 0;
                k += above >= other;
                j -= above <= other;
            }
        }
    }
}

void phy_passive_deriv(const sal_model *m, sal_data *d, phy_deriv *w)
{
    armatures(m, d, w);
    if (phy_passive_is_off(m)) {
        return;
    }
    if (!(m->opt.disable & SAL_DSBL_SPRING)) {
        springs(m, d, w);
    }
    if (!(m->opt.disable & SAL_DSBL_DAMPER)) {
        dampers(m, d, w);
    }
    tendon_forces(m, d, w);
}
