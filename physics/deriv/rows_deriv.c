/* rows_deriv.c: how the forces of rows that see nothing but joint coordinates and lengths of fixed
 * tendons change.
 *
 *     tau = .. - J'f,      f = law(jar),   jar = J (a + B v) + K d x,   x = pos - margin,
 *     d = d(x), D in proportion to d/(1 - d)
 *
 * With H = -df/djar from the law, and f in proportion to D at equal jar (of friction loss it is
 * not, but there D is constant):
 *
 *     df = -H djar + f rho dx                          rho = d'/(d (1 - d))
 *     djar = J (da + B dv) + kap dx + dJ (a + B v)     kap = K (d + d' x)
 *     dtau = -J'df - dJ'f
 *
 * so that Da = H J'J and Dv = B H J'J always, and Dq by the kind of row, with c = H kap - f rho:
 *
 *     friction loss                 0
 *     slide, hinge, fixed tendon    c J'J                              dx = J dq, dJ = 0
 *     ball     J = -u'              u (c u + H du'(a + B v))' + f du
 *     r = angle u the rotation vector, du = (1 - u u') dr / angle
 *     equality J = J_y - p' J_z     J'(c dx - H p'' J_z (a + B v) dz) + p'' f J_z' dz
 *     x = y - p(z)
 */
#include "physics/constraint.h"
#include "physics/contact_law.h"
#include "physics/deriv/deriv_pieces.h"
#include "physics/deriv/step_deriv.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <math.h>

void phy_add_square(const sal_model *m, double *A, double k, phy_sparse x)
{
    for (int i = 0; i < x.n; i++) {
        double *row = A + (size_t)m->nv * (size_t)x.dof[i];
        for (int j = 0; j < x.n; j++) {
            row[x.dof[j]] += k * x.x[i] * x.x[j];
        }
    }
}

/* A += k x e_dof' */
static void add_column(const sal_model *m, double *A, double k, phy_sparse x, int dof)
{
    for (int i = 0; i < x.n; i++) {
        A[m->nv * x.dof[i] + dof] += k * x.x[i];
    }
}

void phy_add_length(const sal_model *m, double *A, double k, phy_sparse x, int t)
{
    for (int i = m->tendon_adr[t]; i < m->tendon_adr[t] + m->tendon_num[t]; i++) {
        add_column(m, A, k * m->wrap_prm[i], x, m->jnt_dofadr[m->wrap_objid[i]]);
    }
}

/* J (a + B v) */
static double rate(const sal_data *d, phy_sparse J, double B)
{
    double sum = 0;
    for (int i = 0; i < J.n; i++) {
        sum += J.x[i] * (d->qacc[J.dof[i]] + B * d->qvel[J.dof[i]]);
    }
    return sum;
}

/* ---- limits ---- */

/* With w = a + B v and E = du/dq:   u (c u + H E'w)' + f E */
static void ball_limit(const sal_model *m, const sal_data *d, phy_deriv *w, int row,
                       phy_row_slope k)
{
    const int dof = m->jnt_dofadr[d->efc_id[row]];
    double quat[4], r[3], turn[9], rate_of[3];
    sal_quat_copy(quat, d->qpos + m->jnt_qposadr[d->efc_id[row]]);
    sal_quat_normalise(quat);
    sal_quat_log(r, quat);
    sal_quat_log_deriv(turn, r);
    const double angle = sal_v3_normalise(r), inverse = angle > SAL_MINVAL ? 1 / angle : 0;
    for (int i = 0; i < 3; i++) {
        rate_of[i] = d->qacc[dof + i] + k.B * d->qvel[dof + i];
    }
    for (int j = 0; j < 3; j++) { /* column j */
        double E[3], along;
        sal_m3_column(E, turn, j);
        along = sal_v3_dot(r, E);
        sal_v3_addscaled(E, E, -along, r);
        sal_v3_scale(E, E, inverse);
        const double pull = k.c * r[j] + k.H * sal_v3_dot(E, rate_of);
        for (int i = 0; i < 3; i++) {
            w->Dq[m->nv * (dof + i) + dof + j] += r[i] * pull + k.f * E[i];
        }
    }
}

/* J = +-J_l, dx = +-dl: the sign is that of J J_l' */
static void tendon_limit(const sal_model *m, const sal_data *d, phy_deriv *w, int row,
                         phy_row_slope k)
{
    const phy_sparse J = phy_sparse_row(d, row), Jl = phy_sparse_tendon(m, d, d->efc_id[row]);
    double product = 0;
    for (int i = 0; i < J.n; i++) { /* the same dofs */
        product += J.x[i] * Jl.x[i];
    }
    phy_add_length(m, w->Dq, product < 0 ? -k.c : k.c, J, d->efc_id[row]);
}

/* ---- equalities ---- */

/* A += k x (dl/dq)',  l a joint's coordinate or the length of a fixed tendon */
static void add_gradient(const sal_model *m, double *A, double k, phy_sparse x, int type, int id)
{
    if (type == SAL_EQ_JOINT) {
        add_column(m, A, k, x, m->jnt_dofadr[id]);
    } else {
        phy_add_length(m, A, k, x, id);
    }
}

static void equality(const sal_model *m, const sal_data *d, phy_deriv *w, int row, phy_row_slope k)
{
    static const double one = 1;
    const int i = d->efc_id[row], type = m->eq_type[i], z = m->eq_obj2id[i];
    const double *c = m->eq_data + 11 * i;
    const phy_sparse J = phy_sparse_row(d, row);
    add_gradient(m, w->Dq, k.c, J, type, m->eq_obj1id[i]);
    if (z < 0) {
        return;
    }
    phy_sparse Jz;
    double u;
    if (type == SAL_EQ_JOINT) {
        Jz = (phy_sparse){1, phy_row_of(m, m->jnt_dofadr[z]).last, &one};
        u = d->qpos[m->jnt_qposadr[z]] - m->qpos0[m->jnt_qposadr[z]];
    } else {
        Jz = phy_sparse_tendon(m, d, z);
        u = d->ten_length[z] - m->tendon_length0[z];
    }
    const double p1 = phy_equality_slope(c, u);
    const double p2 = 2 * c[2] + u * (6 * c[3] + u * 12 * c[4]);
    add_gradient(m, w->Dq, -p1 * k.c - p2 * k.H * rate(d, Jz, k.B), J, type, z);
    add_gradient(m, w->Dq, p2 * k.f, Jz, type, z);
}

/* ---- all rows ---- */

static bool has_own_formula(const sal_model *m, const sal_data *d, int row)
{
    const int id = d->efc_id[row];
    switch ((sal_efc_type)d->efc_type[row]) {
    case SAL_EFC_EQUALITY: {
        const int one = m->eq_obj1id[id], other = m->eq_obj2id[id];
        return m->eq_type[id] == SAL_EQ_JOINT ||
               (m->eq_type[id] == SAL_EQ_TENDON && phy_tendon_is_fixed(m, one) &&
                (other < 0 || phy_tendon_is_fixed(m, other)));
    }
    case SAL_EFC_FRICTION_TENDON:
    case SAL_EFC_LIMIT_TENDON:
        return phy_tendon_is_fixed(m, id);
    case SAL_EFC_FRICTION_DOF:
    case SAL_EFC_LIMIT_JOINT:
        return true;
    case SAL_EFC_CONTACT_FRICTIONLESS:
    case SAL_EFC_CONTACT_PYRAMIDAL:
    case SAL_EFC_CONTACT_ELLIPTIC:
        break;
    }
    return false;
}

/* At the level of velocities */
static phy_row_slope slope_of_velocities(const phy_law *law, const phy_law_block *block,
                                         const phy_law_rows *rows, double f)
{
    phy_row_slope k = {.f = f, .B = 1 / rows->timestep};
    law->curvature(&k.H, block, rows);
    law->by_gap(&k.c, &k.H, &k.f, block, rows);
    k.c = -k.c;
    return k;
}

phy_row_slope phy_row_slope_of(const sal_model *m, const sal_data *d, const phy_law_rows *rows,
                               int row)
{
    const phy_law *law = phy_law_of(m);
    phy_law_block block;
    phy_law_block_at(&block, m, d, row);
    if (law->by_gap != NULL) {
        return slope_of_velocities(law, &block, rows, d->efc_force[row]);
    }
    const phy_gap_slope by_gap = phy_gap_slope_of(m, d, row);
    const double rho = d->efc_R[row] > SAL_MINVAL ? by_gap.rho : 0;
    phy_row_slope k = {.f = d->efc_force[row], .B = by_gap.b};
    law->curvature(&k.H, &block, rows);
    k.c = k.H * (by_gap.kap + by_gap.kap_v * d->efc_vel[row]) - k.f * rho;
    return k;
}

/* Dq of a row */
static void by_position(const sal_model *m, const sal_data *d, phy_deriv *w, int row,
                        phy_row_slope k)
{
    switch ((sal_efc_type)d->efc_type[row]) {
    case SAL_EFC_EQUALITY:
        equality(m, d, w, row, k);
        break;
    case SAL_EFC_LIMIT_JOINT:
        if (m->jnt_type[d->efc_id[row]] == SAL_JNT_BALL) {
            ball_limit(m, d, w, row, k);
        } else {
            phy_add_square(m, w->Dq, k.c, phy_sparse_row(d, row));
        }
        break;
    case SAL_EFC_LIMIT_TENDON:
        tendon_limit(m, d, w, row, k);
        break;
    case SAL_EFC_FRICTION_DOF:
    case SAL_EFC_FRICTION_TENDON:
    case SAL_EFC_CONTACT_FRICTIONLESS:
    case SAL_EFC_CONTACT_PYRAMIDAL:
    case SAL_EFC_CONTACT_ELLIPTIC:
        break;
    }
}

void phy_rows_deriv(const sal_model *m, sal_data *d, phy_deriv *w)
{
    const phy_law_rows rows = phy_law_rows_of(m, d);
    for (int row = 0; row < d->nefc && d->efc_type[row] < (int)SAL_EFC_CONTACT_FRICTIONLESS;
         row++) {
        if (!has_own_formula(m, d, row)) {
            continue;
        }
        const phy_row_slope k = phy_row_slope_of(m, d, &rows, row);
        const phy_sparse J = phy_sparse_row(d, row);
        if (k.H != 0) {
            phy_add_square(m, w->Da, k.H, J);
            phy_add_square(m, w->Dv, k.B * k.H, J);
        }
        if (k.H != 0 || k.f != 0) {
            by_position(m, d, w, row, k);
        }
    }
}
