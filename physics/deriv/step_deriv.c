/* step_deriv.c: what integrator="discrete" adds to the inverse, S a + s, and how R follows S and M.
 *
 * An element with Jacobian x pulls with (w x'a + h k x'v) x,  w = h b + h^2 k (step_metric.h):
 *
 *     by q   (h^2 k' x'a + h k' x'v) x x'      by v   (h b' x'a + h k) x x'      by a   w x x'
 *
 * and where x turns, N = dx/dq, by q also (w x'a + h k x'v) N + x ((h k + h b' x'a) v'N + w a'N).
 * Bodies that float alone have h dc/dv a = (c(v + h a) - c(v - h a))/2, as c is quadratic in v.
 *
 * Forces f of a block go with D, D with 1/rho, so that tau = .. - J'f varies by (J'f) dlog rho:
 *
 *     rho = W/N,   W = sum_i J_i^2/(M_ii + S_ii),   N = sum_i J_i^2/M_ii
 *     dlog rho = sum_i 2 J_i (1/((M_ii + S_ii) W) - 1/(M_ii N)) dJ_i
 *              - sum_i J_i^2 (1/((M_ii + S_ii)^2 W) - 1/(M_ii^2 N)) dM_ii
 *              - sum_i J_i^2/((M_ii + S_ii)^2 W) dS_ii
 *     dM_ii/dq_j = -2 s_i' I_j (s_j x s_i)       j below i, I_j of all that j moves
 *     dS_ii = x_i^2 dw + 2 w x_i dx_i,           and likewise of armature c x_i^2 in M
 */
#include "physics/deriv/step_deriv.h"

#include "base/house.h"
#include "physics/actuator.h"
#include "physics/constraint.h"
#include "physics/contact_law.h"
#include "physics/deriv/deriv_pieces.h"
#include "physics/deriv/element_deriv.h"
#include "physics/deriv/rne_deriv.h"
#include "physics/deriv/scratch.h"
#include "physics/implicit/step_metric.h"
#include "physics/motor.h"
#include "physics/scratch.h"
#include "physics/tendon.h"

#include <math.h>
#include <string.h>

/* ---- what is known ---- */

static bool is_straight(const sal_model *m, int i)
{
    const int type = m->actuator_trntype[i];
    return phy_is_of_scalar_joint(m, i) ||
           (type == SAL_TRN_TENDON && phy_tendon_is_fixed(m, m->actuator_trnid[i]));
}

static bool gives_way(const sal_model *m, int i)
{
    const double *g = m->actuator_gainprm + 10 * i, *b = m->actuator_biasprm + 10 * i;
    return (m->actuator_gaintype[i] != SAL_GAIN_FIXED && (g[1] != 0 || g[2] != 0)) ||
           (m->actuator_biastype[i] != SAL_BIAS_NONE && (b[1] != 0 || b[2] != 0)) ||
           phy_motor_rubs(m, i);
}

static const char *joint_lacks(const sal_model *m)
{
    for (int j = 0; j < m->njnt; j++) {
        const double *poly = m->jnt_stiffnesspoly + 2 * j;
        const bool turns = m->jnt_type[j] == SAL_JNT_BALL || m->jnt_type[j] == SAL_JNT_FREE;
        if (turns && (poly[0] != 0 || poly[1] != 0)) {
            return "polynomial stiffness of a ball or free joint";
        }
    }
    return NULL;
}

const char *phy_step_deriv_lacks(const sal_model *m)
{
    for (int i = 0; i < m->nu && !(m->opt.disable & SAL_DSBL_ACTUATION); i++) {
        if (m->actuator_gaintype[i] == SAL_GAIN_MUSCLE ||
            m->actuator_biastype[i] == SAL_BIAS_MUSCLE) {
            return "a muscle";
        }
        if (phy_is_orientation(m, i)) {
            return "an <orientation>";
        }
    }
    return joint_lacks(m);
}

/* ---- S a + s ---- */

/* d b/dv and d k/dx where they count */
static double rise(double c0, double c1, double x)
{
    return (x > 0 ? 2 : x < 0 ? -2 : 0) * c0 + 6 * c1 * x;
}

static double damping_rise(const double poly[2], double slope, double v)
{
    return slope > 0 ? rise(poly[0], poly[1], v) : 0;
}

static double stiffness_rise(const double poly[2], double k, double x)
{
    return k > 0 ? 2 * poly[0] + 6 * poly[1] * x : 0;
}

/* An element: k, b and how they vary */
typedef struct soft {
    double k, b, dk, db;
} soft;

static soft of_dof(const sal_model *m, const sal_data *d, int i)
{
    const int j = m->dof_jntid[i], adr = m->jnt_qposadr[j], type = m->jnt_type[j];
    soft e = {0};
    if (!(m->opt.disable & SAL_DSBL_SPRING)) {
        e.k = phy_spring_slope(m, d, j, type == SAL_JNT_FREE && i >= m->jnt_dofadr[j] + 3);
        e.dk = type == SAL_JNT_HINGE || type == SAL_JNT_SLIDE
                   ? stiffness_rise(m->jnt_stiffnesspoly + 2 * j, e.k,
                                    d->qpos[adr] - m->qpos_spring[adr])
                   : 0;
    }
    if (!(m->opt.disable & SAL_DSBL_DAMPER)) {
        e.b = fmax(0, phy_damping_slope(m, d, i));
        e.db = damping_rise(m->dof_dampingpoly + 2 * i, e.b, d->qvel[i]);
    }
    return e;
}

static soft of_tendon(const sal_model *m, const sal_data *d, int t)
{
    soft e = {0};
    if (!(m->opt.disable & SAL_DSBL_SPRING)) {
        e.k = phy_tendon_spring_slope(m, d, t);
        e.dk = stiffness_rise(m->tendon_stiffnesspoly + 2 * t, e.k, phy_tendon_stretch(m, d, t));
    }
    if (!(m->opt.disable & SAL_DSBL_DAMPER)) {
        e.b = fmax(0, phy_tendon_damping_slope(m, d, t));
        e.db = damping_rise(m->tendon_dampingpoly + 2 * t, e.b, d->ten_velocity[t]);
    }
    return e;
}

static void add_element(const sal_model *m, phy_deriv *w, const soft *e, phy_sparse x, double v,
                        double a)
{
    const double h = m->opt.timestep;
    phy_add_square(m, w->Dq, h * e->dk * (h * a + v), x);
    phy_add_square(m, w->Dv, h * (e->db * a + e->k), x);
    phy_add_square(m, w->Da, h * (e->b + h * e->k), x);
}

static double along(phy_sparse x, const double *y)
{
    double sum = 0;
    for (int k = 0; k < x.n; k++) {
        sum += x.x[k] * y[x.dof[k]];
    }
    return sum;
}

/* Element i: of tendons, then of actuators. N: how x turns; NULL: it does not. */
typedef struct element {
    soft soft;
    phy_sparse x;
    const double *N;
    double v, a; /* x'v, x'a */
} element;

/* How many numbers N has */
static size_t turns(const sal_model *m, int i)
{
    const int u = i - m->ntendon;
    const bool bends = u < 0 ? !phy_tendon_is_fixed(m, i) : gives_way(m, u) && !is_straight(m, u);
    const size_t n = (size_t)(u < 0 ? m->tendon_Jnum[i] : m->moment_rownnz[u]);
    return bends ? n * n : 0;
}

static element element_at(const sal_model *m, const sal_data *d, int i, const double *N)
{
    const int u = i - m->ntendon;
    element e = {.N = turns(m, i) > 0 ? N : NULL};
    if (u < 0) {
        e.soft = of_tendon(m, d, i);
        e.x = phy_sparse_tendon(m, d, i);
    } else {
        const int adr = m->moment_rowadr[u];
        const bool off = (m->opt.disable & SAL_DSBL_ACTUATION) != 0;
        e.soft = (soft){.k = off ? 0 : fmax(0, -phy_actuator_length_slope(m, d, u)),
                        .b = off ? 0 : fmax(0, -phy_actuator_slope(m, d, u))};
        e.x = (phy_sparse){m->moment_rownnz[u], m->moment_colind + adr, d->actuator_moment + adr};
    }
    e.v = along(e.x, d->qvel);
    e.a = along(e.x, d->qacc);
    return e;
}

/* The N of all elements, one after the other, in the arena; dl [nv]. */
typedef struct all_turns {
    double *N, *dl;
} all_turns;

static bool take_turns(const sal_model *m, sal_arena *arena, all_turns *t)
{
    size_t n = 0;
    for (int i = 0; i < m->ntendon + m->nu; i++) {
        n += turns(m, i);
    }
    t->N = sal_arena_take(arena, n + 1, sizeof *t->N);
    t->dl = sal_arena_take(arena, (size_t)m->nv + 1, sizeof *t->dl);
    return t->dl != NULL;
}

static void find_turns(const sal_model *m, const sal_data *d, const all_turns *t)
{
    double *N = t->N;
    for (int i = 0; i < m->ntendon + m->nu; N += turns(m, i), i++) {
        if (turns(m, i) > 0 && i < m->ntendon) {
            phy_tendon_turn(m, d, i, N, t->dl);
        } else if (turns(m, i) > 0) {
            phy_transmission_turn(m, d, i - m->ntendon, N, t->dl);
        }
    }
}

/* y'N by the k-th dof of an element */
static double turned_along(const element *e, const double *y, int k)
{
    double sum = 0;
    for (int i = 0; i < e->x.n; i++) {
        sum += y[e->x.dof[i]] * e->N[i * e->x.n + k];
    }
    return sum;
}

static void add_turned(const sal_model *m, const sal_data *d, phy_deriv *w, const element *e)
{
    const double h = m->opt.timestep, all = h * (e->soft.b + h * e->soft.k);
    const double pull = all * e->a + h * e->soft.k * e->v;
    for (int k = 0; k < e->x.n; k++) {
        const double rate = h * (e->soft.k + e->soft.db * e->a) * turned_along(e, d->qvel, k) +
                            all * turned_along(e, d->qacc, k);
        for (int i = 0; i < e->x.n; i++) {
            w->Dq[m->nv * e->x.dof[i] + e->x.dof[k]] +=
                pull * e->N[i * e->x.n + k] + rate * e->x.x[i];
        }
    }
}

static void elements(const sal_model *m, const sal_data *d, phy_deriv *w, const double *N)
{
    static const double one = 1;
    for (int i = 0; i < m->nv; i++) {
        const soft e = of_dof(m, d, i);
        add_element(m, w, &e, (phy_sparse){1, phy_row_of(m, i).last, &one}, d->qvel[i], d->qacc[i]);
    }
    for (int i = 0; i < m->ntendon + m->nu; N += turns(m, i), i++) {
        const element e = element_at(m, d, i, N);
        add_element(m, w, &e.soft, e.x, e.v, e.a);
        if (e.N != NULL) {
            add_turned(m, d, w, &e);
        }
    }
}

/* ---- bodies that float alone ---- */

typedef struct floating {
    phy_slope E;
    double *v;             /* [nv] */
    unsigned char *floats; /* [nv] */
} floating;

static bool take(const sal_model *m, sal_arena *arena, floating *f)
{
    f->E.lower = sal_arena_take(arena, (size_t)m->nM, sizeof *f->E.lower);
    f->E.upper = sal_arena_take(arena, (size_t)m->nM, sizeof *f->E.upper);
    f->v = sal_arena_take(arena, (size_t)m->nv, sizeof *f->v);
    f->floats = sal_arena_take(arena, (size_t)m->nv, sizeof *f->floats);
    return f->floats != NULL;
}

/* A += E in rows of dofs that float, E := 0 */
static void pour(const sal_model *m, double *A, const floating *f)
{
    for (int i = 0; i < m->nv; i++) {
        const phy_row row = phy_row_of(m, i);
        for (int k = 0; k < row.n && f->floats[i]; k++) {
            const int j = phy_row_dof(row, k);
            A[m->nv * i + j] += f->E.lower[row.adr + k];
            A[m->nv * j + i] += k > 0 ? f->E.upper[row.adr + k] : 0;
        }
    }
    memset(f->E.lower, 0, (size_t)m->nM * sizeof *f->E.lower);
    memset(f->E.upper, 0, (size_t)m->nM * sizeof *f->E.upper);
}

static void bodies(const sal_model *m, sal_data *d, phy_deriv *w, floating *f)
{
    const double h = m->opt.timestep;
    const phy_rne_motion ends = {.v = f->v, .only_free = true};
    const phy_rne_motion now = {.v = d->qvel, .only_free = true};
    const phy_rne_motion change = {.v = d->qacc, .only_free = true};
    memset(f->E.lower, 0, (size_t)m->nM * sizeof *f->E.lower);
    memset(f->E.upper, 0, (size_t)m->nM * sizeof *f->E.upper);
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < m->nv; i++) {
            f->v[i] = d->qvel[i] + side * h * d->qacc[i];
        }
        phy_rne_deriv_q(m, d, f->E, 0.5 * side, &ends);
    }
    pour(m, w->Dq, f);
    phy_rne_deriv_v(m, d, f->E, h, &change);
    pour(m, w->Dv, f);
    phy_rne_deriv_v(m, d, f->E, h, &now);
    pour(m, w->Da, f);
}

/* ---- rho ---- */

/* dlog rho of a block by q and v, F = J'f, and the numbers by dJ_i, dM_ii, dS_ii */
typedef struct softening {
    double *q, *v, *F, *by_J, *by_M, *by_S; /* [nv] */
    const double *N;
} softening;

static bool take_softening(const sal_model *m, sal_arena *arena, softening *o)
{
    double **const all[] = {&o->q, &o->v, &o->F, &o->by_J, &o->by_M, &o->by_S};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i] = sal_arena_take(arena, (size_t)m->nv, sizeof(double));
    }
    return o->by_S != NULL;
}

void phy_step_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    floating f;
    softening o;
    all_turns t;
    take_turns(m, arena, &t);
    const size_t behind = arena->used;
    take(m, arena, &f);
    phy_rne_deriv_scratch(m, arena);
    arena->used = behind;
    take_softening(m, arena, &o);
    phy_length_deriv_scratch(m, arena);
    arena->used = mark;
}

static void clear(const sal_model *m, const softening *o)
{
    double *const all[] = {o->q, o->v, o->F, o->by_J, o->by_M, o->by_S};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        memset(all[i], 0, (size_t)m->nv * sizeof(double));
    }
}

static void by_numbers(const sal_model *m, const sal_data *d, const softening *o, phy_sparse J)
{
    double W = 0, N = 0;
    for (int k = 0; k < J.n; k++) {
        const double M = d->qM[m->dof_Madr[J.dof[k]]], S = d->step_diag[J.dof[k]];
        W += J.x[k] * J.x[k] / (M + S);
        N += J.x[k] * J.x[k] / M;
    }
    for (int k = 0; k < J.n && W > 0; k++) {
        const int i = J.dof[k];
        const double M = d->qM[m->dof_Madr[i]], all = M + d->step_diag[i], x = J.x[k];
        o->by_J[i] = 2 * x * (1 / (all * W) - 1 / (M * N));
        o->by_S[i] = -x * x / (all * all * W);
        o->by_M[i] = o->by_S[i] + x * x / (M * M * N);
    }
}

static void by_masses(const sal_model *m, const sal_data *d, const softening *o)
{
    for (int j = 0; j < m->nv; j++) {
        const phy_row row = phy_row_of(m, j);
        const double *sj = d->cdof + 6 * j, *I = d->crb + 10 * m->dof_bodyid[j];
        for (int k = 1; k < row.n; k++) {
            const int i = phy_row_dof(row, k);
            double moved[6], momentum[6];
            if (o->by_M[i] == 0 || j < phy_group_end(m, i)) {
                continue; /* a group turns its own axes along */
            }
            sal_sp_cross_motion(moved, sj, d->cdof + 6 * i);
            sal_sp_inertia_mul(momentum, I, moved);
            o->q[j] -= 2 * o->by_M[i] * sal_sp_dot(d->cdof + 6 * i, momentum);
        }
    }
}

/* sum_i 2 (all by_S_i + armature by_M_i) x_i N_ik */
static double turned_squares(const element *e, const softening *o, double all, double armature,
                             int k)
{
    double sum = 0;
    for (int i = 0; i < e->x.n; i++) {
        const int dof = e->x.dof[i];
        const double by = all * o->by_S[dof] + armature * o->by_M[dof];
        sum += 2 * by * e->x.x[i] * e->N[i * e->x.n + k];
    }
    return sum;
}

static void by_elements(const sal_model *m, const sal_data *d, const softening *o)
{
    const double h = m->opt.timestep;
    for (int i = 0; i < m->nv; i++) {
        const soft e = of_dof(m, d, i);
        o->q[i] += o->by_S[i] * h * h * e.dk;
        o->v[i] += o->by_S[i] * h * e.db;
    }
    const double *N = o->N;
    for (int i = 0; i < m->ntendon + m->nu; N += turns(m, i), i++) {
        const element e = element_at(m, d, i, N);
        const double all = h * (e.soft.b + h * e.soft.k);
        const double armature = i < m->ntendon ? m->tendon_armature[i] : 0;
        double weight = 0;
        for (int k = 0; k < e.x.n; k++) {
            weight += o->by_S[e.x.dof[k]] * e.x.x[k] * e.x.x[k];
        }
        for (int k = 0; k < e.x.n; k++) {
            const int dof = e.x.dof[k];
            o->q[dof] += weight * h * h * e.soft.dk * e.x.x[k];
            o->v[dof] += weight * h * e.soft.db * e.x.x[k];
            if (e.N != NULL) {
                o->q[dof] += weight * h * e.soft.db * turned_along(&e, d->qvel, k) +
                             turned_squares(&e, o, all, armature, k);
            }
        }
    }
}

/* f - H R a of a contact that sticks: how its rows' forces vary with log D */
static void less_adhesion(const sal_model *m, const sal_data *d, const phy_law_block *block,
                          double *f)
{
    const sal_contact *contact = d->contact + d->efc_id[block->row];
    const phy_law_rows rows = phy_law_rows_of(m, d);
    double H[PHY_LAW_DIM * PHY_LAW_DIM];
    phy_law_of(m)->curvature(H, block, &rows);
    for (int i = 0; i < block->dim; i++) {
        for (int k = 0; k < block->dim; k++) {
            const int row = block->row + k;
            f[i] -= H[i * block->dim + k] * d->efc_R[row] * phy_adhesion_of_row(m, d, contact, row);
        }
    }
}

/* F = J'f of the rows whose forces go with D; false if there are none */
static bool pull(const sal_model *m, const sal_data *d, const softening *o,
                 const phy_law_block *block)
{
    bool pulls = false;
    double f[PHY_LAW_DIM];
    memcpy(f, d->efc_force + block->row, (size_t)block->dim * sizeof *f);
    if (phy_law_is_of_contact(block) &&
        phy_adhesion_of(m, d->contact + d->efc_id[block->row]) > 0) {
        less_adhesion(m, d, block, f);
    }
    for (int row = block->row; row < block->row + block->dim; row++) {
        const bool linear =
            d->efc_state[row] == SAL_EFC_LINEARNEG || d->efc_state[row] == SAL_EFC_LINEARPOS;
        const phy_sparse J = phy_sparse_row(d, row);
        for (int k = 0; k < J.n && !linear; k++) {
            o->F[J.dof[k]] += J.x[k] * f[row - block->row];
        }
        pulls = pulls || (!linear && f[row - block->row] != 0);
    }
    return pulls;
}

/* R is not held at its least */
static bool varies(const sal_data *d, const phy_law_block *block)
{
    const double unit =
        block->type == SAL_EFC_CONTACT_PYRAMIDAL ? 2 * block->cone * block->cone : 1;
    return d->efc_R[block->row] > unit * SAL_MINVAL;
}

/* q += d(J x)/dq of the row of an equality of joints or tendons, J = J_y - p' J_z */
static void polynomial_row(const sal_model *m, sal_data *d, int row, const double *x, double *g)
{
    static const double one = 1;
    const int i = d->efc_id[row], z = m->eq_obj2id[i];
    const double *c = m->eq_data + 11 * i;
    const bool joint = m->eq_type[i] == SAL_EQ_JOINT;
    if (!joint) {
        phy_tendon_turn_add(m, d, m->eq_obj1id[i], 1, x, g);
    }
    if (z < 0) {
        return;
    }
    const phy_sparse J = joint ? (phy_sparse){1, phy_row_of(m, m->jnt_dofadr[z]).last, &one}
                               : phy_sparse_tendon(m, d, z);
    const double u = joint ? d->qpos[m->jnt_qposadr[z]] - m->qpos0[m->jnt_qposadr[z]]
                           : d->ten_length[z] - m->tendon_length0[z];
    const double p2 = 2 * c[2] + u * (6 * c[3] + u * 12 * c[4]), rate = along(J, x);
    for (int k = 0; k < J.n; k++) {
        g[J.dof[k]] -= p2 * rate * J.x[k];
    }
    if (!joint) {
        phy_tendon_turn_add(m, d, z, -phy_equality_slope(c, u), x, g);
    }
}

/* The rows of a tendon are +-J. */
static double sign_of(const sal_model *m, const sal_data *d, int row)
{
    const phy_sparse J = phy_sparse_row(d, row), Jt = phy_sparse_tendon(m, d, d->efc_id[row]);
    double product = 0;
    for (int k = 0; k < J.n; k++) {
        product += J.x[k] * Jt.x[k];
    }
    return product < 0 ? -1 : 1;
}

/* q += d(J x)/dq of a row, x = by_J */
static void row_turns(const sal_model *m, sal_data *d, const softening *o,
                      const phy_law_block *block)
{
    const int row = block->row, id = d->efc_id[row], type = d->efc_type[row];
    if (phy_law_is_of_contact(block)) {
        phy_contact_row_deriv(m, d, id, o->by_J, o->q);
    } else if (type == SAL_EFC_LIMIT_JOINT && m->jnt_type[id] == SAL_JNT_BALL) {
        phy_ball_row_deriv(m, d, row, 1, o->by_J, o->q);
    } else if (type == SAL_EFC_LIMIT_TENDON || type == SAL_EFC_FRICTION_TENDON) {
        phy_tendon_turn_add(m, d, id, sign_of(m, d, row), o->by_J, o->q);
    } else if (type == SAL_EFC_EQUALITY &&
               (m->eq_type[id] == SAL_EQ_CONNECT || m->eq_type[id] == SAL_EQ_WELD)) {
        phy_joined_row_deriv(m, d, row, o->by_J, o->q);
    } else if (type == SAL_EFC_EQUALITY) {
        polynomial_row(m, d, row, o->by_J, o->q);
    }
}

/* dlog rho, into zeros */
static void soften(const sal_model *m, sal_data *d, const softening *o, const phy_law_block *block)
{
    by_numbers(m, d, o, phy_sparse_row(d, block->row));
    row_turns(m, d, o, block);
    by_masses(m, d, o);
    by_elements(m, d, o);
}

static void add_block(const sal_model *m, sal_data *d, phy_deriv *w, const softening *o,
                      const phy_law_block *block)
{
    clear(m, o);
    if (!varies(d, block) || !pull(m, d, o, block)) {
        return;
    }
    soften(m, d, o, block);
    for (int i = 0; i < m->nv; i++) {
        for (int k = 0; k < m->nv && o->F[i] != 0; k++) {
            w->Dq[m->nv * i + k] += o->F[i] * o->q[k];
            w->Dv[m->nv * i + k] += o->F[i] * o->v[k];
        }
    }
}

static bool is_softened(const sal_model *m, const sal_data *d)
{
    for (int i = 0; i < m->nv; i++) {
        if (d->step_diag[i] != 0) {
            return true;
        }
    }
    return false;
}

bool phy_softening_of(const sal_model *m, sal_data *d, int row, const double **q, const double **v)
{
    softening o;
    all_turns t;
    phy_law_block block;
    if (!phy_has_step_metric(m) || !is_softened(m, d) || !take_turns(m, &d->arena, &t) ||
        !take_softening(m, &d->arena, &o)) {
        return false;
    }
    find_turns(m, d, &t);
    o.N = t.N;
    phy_law_block_at(&block, m, d, row);
    clear(m, &o);
    *q = o.q, *v = o.v;
    if (varies(d, &block)) {
        soften(m, d, &o, &block);
    }
    return true;
}

static void rows(const sal_model *m, sal_data *d, phy_deriv *w, const double *N)
{
    softening o;
    phy_law_block block;
    if (d->nefc == 0 || !is_softened(m, d) || !take_softening(m, &d->arena, &o)) {
        return;
    }
    o.N = N;
    for (int row = 0; row < d->nefc; row += block.dim) {
        phy_law_block_at(&block, m, d, row);
        add_block(m, d, w, &o, &block);
    }
}

void phy_step_metric_deriv(const sal_model *m, sal_data *d, phy_deriv *w)
{
    const size_t mark = d->arena.used;
    floating f;
    all_turns t;
    if (!take_turns(m, &d->arena, &t)) {
        return;
    }
    const size_t behind = d->arena.used;
    find_turns(m, d, &t);
    elements(m, d, w, t.N);
    if (take(m, &d->arena, &f) && phy_step_floats(m, d, f.floats)) {
        bodies(m, d, w, &f);
    }
    d->arena.used = behind;
    rows(m, d, w, t.N);
    d->arena.used = mark;
}
