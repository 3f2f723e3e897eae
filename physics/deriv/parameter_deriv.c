/* parameter_deriv.c: how the force that a motion needs varies with numbers of the model, the motion
 * staying as it is.
 *
 * A change of the model is given by its compiled arrays, as half the difference of two models (dX
 *     below: of any array X). With tau = (M + h B) a' + c - passive - J'f(J a - aref) and M a = (M
 *     + h B) a' (Euler; B the implicit damping):
 *
 *     dtau = dM a' + h dB a' + dc - dpassive - J' df,        M da = dM (a' - a) + h dB a'
 *     df   = - H J da  +  what follows of the rows themselves:
 *            all D of a row or cone by the factor 1 + e      df = e f
 *            aref by daref                                   df = H daref
 *            friction                                        the cone's own derivatives, see below
 *
 * The size and place of a shape that lies on a plane move the point p of a contact and its
 * distance: of the motion e of the bodies against each other there, de = axis . (w x dp), and dJ'f
 * = the torque dp x f.
 *
 * Contact models of next gaps: df of contacts is that of parameter_hard.c.
 */
#include "base/house.h"
#include "physics/constraint.h"
#include "physics/contact_law.h"
#include "physics/deriv/parameter_change.h"
#include "physics/deriv/scratch.h"
#include "physics/fluid.h"
#include "physics/stages.h"

#include <string.h>

/* ---- what changes ---- */

static unsigned meaning(const char *array)
{
    static const struct {
        const char *array;
        unsigned meaning;
    } known[] = {
        {"body_mass", PHY_CHANGE_INERTIA},
        {"body_ipos", PHY_CHANGE_INERTIA},
        {"body_iquat", PHY_CHANGE_INERTIA},
        {"body_inertia", PHY_CHANGE_INERTIA},
        {"body_subtreemass", 0},
        {"body_invweight0", PHY_CHANGE_WEIGHT},
        {"dof_invweight0", PHY_CHANGE_WEIGHT},
        {"tendon_invweight0", PHY_CHANGE_WEIGHT},
        {"dof_M0", 0},
        /* of muscles it says the force, which is not of the inverse */
        {"actuator_acc0", 0},
        {"dof_armature", PHY_CHANGE_ARMATURE},
        {"dof_damping", PHY_CHANGE_DAMPING},
        {"dof_dampingpoly", PHY_CHANGE_DAMPING},
        {"jnt_stiffness", PHY_CHANGE_SPRING},
        {"jnt_stiffnesspoly", PHY_CHANGE_SPRING},
        {"dof_frictionloss", PHY_CHANGE_LOSS},
        {"geom_friction", 0}, /* pairs have what matters */
        {"geom_solref", 0},
        {"geom_solimp", 0},
        {"geom_solmix", 0},
        {"geom_size", PHY_CHANGE_SHAPE},
        {"geom_pos", PHY_CHANGE_SHAPE},
        {"geom_rbound", 0},
        {"pair_friction", PHY_CHANGE_FRICTION},
        {"pair_solref", PHY_CHANGE_LAW},
        {"pair_solimp", PHY_CHANGE_LAW},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].array, array) == 0) {
            return known[i].meaning;
        }
    }
    return PHY_CHANGE_OTHER;
}

/* To the last bit */
static bool differ(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) != 0;
}

static bool differ_in_law(const sal_contact_option *a, const sal_contact_option *b)
{
    return a->model != b->model || a->kappa != b->kappa || a->kappa_slip != b->kappa_slip ||
           differ(a->regulariser, b->regulariser, sizeof a->regulariser) || a->reach != b->reach ||
           a->lift != b->lift || a->firmest != b->firmest ||
           differ(a->weight, b->weight, sizeof a->weight);
}

static unsigned options(const sal_option *a, const sal_option *b)
{
    const bool other = differ(a->wind, b->wind, sizeof a->wind) ||
                       differ(a->magnetic, b->magnetic, sizeof a->magnetic) ||
                       a->density != b->density || a->viscosity != b->viscosity ||
                       a->impratio != b->impratio || a->timestep != b->timestep ||
                       differ_in_law(&a->contact, &b->contact);
    return (differ(a->gravity, b->gravity, sizeof a->gravity) ? PHY_CHANGE_GRAVITY : 0) |
           (other ? PHY_CHANGE_OTHER : 0);
}

static unsigned change_of(const char *array, const void *a, const void *b, size_t size)
{
    return differ(a, b, size) ? meaning(array) : 0;
}

static unsigned differences(const sal_model *a, const sal_model *b)
{
    const int nq = a->nq, nv = a->nv, nu = a->nu, na = a->na, nmocap = a->nmocap;
    unsigned what = options(&a->opt, &b->opt);
    if (a->nblock != b->nblock) {
        return PHY_CHANGE_OTHER;
    }
#define PHY_COMPARE(type, name, rows, columns)                                                     \
    what |= change_of(#name, a->name, b->name, (size_t)a->rows * (size_t)(columns) * sizeof(type));
    SAL_MODEL_ARRAYS(PHY_COMPARE)
#undef PHY_COMPARE
    (void)nq, (void)nv, (void)nu, (void)na, (void)nmocap;
    return what;
}

/* Joints and tendons that are coupled have rows of several weights. */
static bool has_coupling(const sal_model *m)
{
    for (int i = 0; i < m->neq; i++) {
        if (m->eq_type[i] == SAL_EQ_JOINT || m->eq_type[i] == SAL_EQ_TENDON) {
            return true;
        }
    }
    return false;
}

/* Of contact models of the step only for those of next gaps, and not where forces of joints are
 * taken at its end. */
static bool knows_law(const sal_model_change *c)
{
    const unsigned of_end =
        PHY_CHANGE_DAMPING | PHY_CHANGE_SPRING | PHY_CHANGE_LOSS | PHY_CHANGE_LAW;
    return !phy_is_of_step(c->minus) ||
           (phy_law_of(c->minus)->by_next != NULL && !(c->what & of_end));
}

bool sal_model_change_of(sal_model_change *c, const sal_model *minus, const sal_model *plus,
                         double step)
{
    const unsigned heavy = PHY_CHANGE_INERTIA | PHY_CHANGE_ARMATURE | PHY_CHANGE_DAMPING;
    const int integrator = minus->opt.integrator;
    *c = (sal_model_change){minus, plus, 1 / step, differences(minus, plus)};
    const bool bodies = (c->what & (PHY_CHANGE_INERTIA | PHY_CHANGE_GRAVITY)) != 0;
    return !(c->what & PHY_CHANGE_OTHER) && knows_law(c) &&
           !((c->what & PHY_CHANGE_SHAPE) && phy_shape_pulls(minus, plus)) &&
           !(bodies && minus->ngravcomp > 0) && minus->nsurfacevel == 0 && minus->nadhesion == 0 &&
           !((c->what & PHY_CHANGE_INERTIA) && phy_fluid_acts(minus)) &&
           !((c->what & PHY_CHANGE_WEIGHT) && has_coupling(minus)) &&
           !((c->what & heavy) && integrator != SAL_INT_EULER) && integrator != SAL_INT_RK4 &&
           integrator != SAL_INT_DISCRETE && !(minus->opt.enable & SAL_ENBL_DIAGEXACT);
}

/* ---- joints ---- */

/* passive = - b(|v|) v,  implicit (b + b' |v|) a' */
static void damping_terms(const sal_model *m, const sal_data *d, const sal_model_change *c,
                          const double *a, double *out, double *lag)
{
    const bool off = (m->opt.disable & SAL_DSBL_DAMPER) != 0 || phy_passive_is_off(m);
    const bool lags =
        m->mujoco == SAL_MUJOCO_222 || !(m->opt.disable & (SAL_DSBL_EULERDAMP | SAL_DSBL_DAMPER));
    for (int i = 0; i < m->nv; i++) {
        const double v = fabs(d->qvel[i]);
        const double *p0 = c->minus->dof_dampingpoly + 2 * i,
                     *p1 = c->plus->dof_dampingpoly + 2 * i;
        const double db = phy_changed_by(c, c->minus->dof_damping[i] + v * (p0[0] + v * p0[1]),
                                         c->plus->dof_damping[i] + v * (p1[0] + v * p1[1]));
        const double slope =
            phy_changed_by(c, phy_damping_slope(c->minus, d, i), phy_damping_slope(c->plus, d, i)) *
            m->opt.timestep;
        out[i] += off ? 0 : db * d->qvel[i];
        out[i] += lags ? slope * a[i] : 0;
        lag[i] += lags ? slope * a[i] : 0;
    }
}

/* qfrc_passive and qfrc_gravcomp as they are, and the passive force of the one model; [nv] */
typedef struct passive_forces {
    double *kept, *comp, *force;
} passive_forces;

static bool take_passive(const sal_model *m, sal_arena *arena, passive_forces *x)
{
    x->kept = sal_arena_take(arena, (size_t)m->nv, sizeof *x->kept);
    x->comp = sal_arena_take(arena, (size_t)m->nv, sizeof *x->comp);
    x->force = sal_arena_take(arena, (size_t)m->nv, sizeof *x->force);
    return x->force != NULL;
}

/* passive forces are linear in the stiffness */
static bool spring_terms(const sal_model *m, sal_data *d, const sal_model_change *c, double *out)
{
    if ((m->opt.disable & SAL_DSBL_SPRING) || phy_passive_is_off(m)) {
        return true;
    }
    const size_t mark = d->arena.used;
    const size_t bytes = (size_t)m->nv * sizeof(double);
    passive_forces x;
    if (!take_passive(m, &d->arena, &x)) {
        return false;
    }
    memcpy(x.kept, d->qfrc_passive, bytes);
    memcpy(x.comp, d->qfrc_gravcomp, bytes);
    phy_passive_force(c->minus, d);
    memcpy(x.force, d->qfrc_passive, bytes);
    phy_passive_force(c->plus, d);
    for (int i = 0; i < m->nv; i++) {
        out[i] -= phy_changed_by(c, x.force[i], d->qfrc_passive[i]);
    }
    memcpy(d->qfrc_passive, x.kept, bytes);
    memcpy(d->qfrc_gravcomp, x.comp, bytes);
    d->arena.used = mark;
    return true;
}

/* ---- rows ---- */

/* J M^-1 J' of a row as the compiler guesses it */
static double weight_of(const sal_model *m, const sal_data *d, int row)
{
    const int id = d->efc_id[row];
    switch ((sal_efc_type)d->efc_type[row]) {
    case SAL_EFC_FRICTION_DOF:
        return m->dof_invweight0[id];
    case SAL_EFC_LIMIT_JOINT:
        return m->dof_invweight0[m->jnt_dofadr[id]];
    case SAL_EFC_FRICTION_TENDON:
    case SAL_EFC_LIMIT_TENDON:
        return m->tendon_invweight0[id];
    case SAL_EFC_EQUALITY: {
        int first = row;
        while (first > 0 && d->efc_type[first - 1] == SAL_EFC_EQUALITY &&
               d->efc_id[first - 1] == id) {
            first--;
        }
        phy_joined e;
        phy_join(m, d, id, &e);
        const int turn = row - first >= 3 && m->mujoco != SAL_MUJOCO_222;
        return m->body_invweight0[2 * e.body[0] + turn] + m->body_invweight0[2 * e.body[1] + turn];
    }
    case SAL_EFC_CONTACT_FRICTIONLESS:
    case SAL_EFC_CONTACT_PYRAMIDAL:
    case SAL_EFC_CONTACT_ELLIPTIC:
        break;
    }
    const sal_contact *con = d->contact + id;
    return m->body_invweight0[2 * m->geom_bodyid[con->geom1]] +
           m->body_invweight0[2 * m->geom_bodyid[con->geom2]];
}

/* The slope of max(0, x), averaged over x +- sigma */
static double ramp(double x, double sigma)
{
    return x <= -sigma ? 0 : x >= sigma ? 1 : (x + sigma) / (2 * sigma);
}

/* Friction of a dof or tendon, f = D (p(x + F/D) - p(x - F/D)) - F:  df by e = dD/D, and by dF */
static double loss_terms(const phy_law_rows *rows, const sal_data *d, int row, double e, double dF)
{
    const double F = d->efc_frictionloss[row], D = rows->D[row];
    const double x = rows->aref[row] - rows->acc[row];
    const double slopes = ramp(x + F / D, rows->sigma) + ramp(x - F / D, rows->sigma);
    return e * (d->efc_force[row] + F - F * slopes) + dF * (slopes - 1);
}

/* daref of the rows of a contact from its law; the change of log (1 - d)/d */
static double law_terms(const sal_model *m, const sal_data *d, const sal_model_change *c,
                        const phy_law_block *block, double *daref)
{
    const sal_contact *con = d->contact + d->efc_id[block->row];
    const double violation = con->dist - m->pair_include[con->pair];
    const bool slides = block->type == SAL_EFC_CONTACT_ELLIPTIC;
    double k[2], b[2], side[2], odds[2];
    for (int i = 0; i < 2; i++) {
        const sal_model *at = i == 0 ? c->minus : c->plus;
        const double *solimp = at->pair_solimp + 5 * con->pair;
        const phy_impedance impedance = phy_impedance_at(solimp, violation);
        const phy_stiffness s = phy_stiffness_of(m, at->pair_solref + 2 * con->pair, solimp);
        k[i] = s.k * impedance.d;
        b[i] = s.b;
        side[i] = phy_stiffness_of(at, phy_sliding_solref(at, con->pair), solimp).b;
        odds[i] = log((1 - impedance.d) / impedance.d);
    }
    for (int j = 0; j < block->dim; j++) {
        const bool tangential = slides && j > 0;
        const double db =
            tangential ? phy_changed_by(c, side[0], side[1]) : phy_changed_by(c, b[0], b[1]);
        daref[j] = -db * d->efc_vel[block->row + j] -
                   (tangential ? 0 : phy_changed_by(c, k[0], k[1]) * violation);
    }
    return phy_changed_by(c, odds[0], odds[1]);
}

/* ---- friction of contacts ---- */

typedef struct cone_change {
    double mu[5], m; /* changes of the frictions, of that of the regularised cone */
} cone_change;

/* Elliptic, at jar, see laws/soft.c; D_j = D_1 mu_j^2/mu_1^2, j > 1, too:
 *     bottom   df_j = -dD_j jar_j
 *     middle   f_0 = -Dm g m, f_j = -f_0 U_j mu_j/T, Dm = D_0/(m^2 (1 + m^2)), g = m jar_0 - m T,
 *              U_j = mu_j jar_j */
static void cone_terms(double *df, const phy_law_block *block, const phy_law_rows *rows,
                       const double *jar, const cone_change *by, double weight)
{
    const double m = block->cone, N = m * jar[0], *mu = block->friction;
    double T = 0, dT = 0;
    for (int j = 1; j < block->dim; j++) {
        const double U = mu[j - 1] * jar[j];
        T += U * U;
        dT += U * jar[j] * by->mu[j - 1];
    }
    T = sqrt(T);
    const double g = N - m * T;
    if (g >= 0) {
        return;
    }
    if (m * N + T <= 0) {
        for (int j = 2; j < block->dim; j++) {
            const double e = 2 * (by->mu[j - 1] / mu[j - 1] - by->mu[0] / mu[0]);
            df[j] -= weight * e * rows->D[block->row + j] * jar[j];
        }
        return;
    }
    dT /= T;
    const double Dm = rows->D[block->row] / (m * m * (1 + m * m));
    const double dDm = -Dm * by->m * (2 / m + 2 * m / (1 + m * m));
    const double dg = jar[0] * by->m - by->m * T - m * dT;
    const double F = -Dm * g * m, dF = -(dDm * g * m + Dm * dg * m + Dm * g * by->m);
    df[0] += weight * dF;
    for (int j = 1; j < block->dim; j++) {
        const double U = mu[j - 1] * jar[j], dU = by->mu[j - 1] * jar[j];
        df[j] -= weight *
                 (dF * U * mu[j - 1] + F * dU * mu[j - 1] + F * U * by->mu[j - 1] -
                  F * U * mu[j - 1] * dT / T) /
                 T;
    }
}

/* With sigma the mean over jar +- sigma along each axis. */
static void elliptic_terms(double *df, const phy_law_block *block, const phy_law_rows *rows,
                           const cone_change *by)
{
    double jar[PHY_LAW_DIM] = {0};
    for (int j = 0; j < block->dim; j++) {
        jar[j] = rows->acc[block->row + j] - rows->aref[block->row + j];
    }
    if (rows->sigma == 0) {
        cone_terms(df, block, rows, jar, by, 1);
        return;
    }
    for (int j = 0; j < block->dim; j++) {
        const double here = jar[j];
        for (int side = -1; side <= 1; side += 2) {
            jar[j] = here + side * rows->sigma;
            cone_terms(df, block, rows, jar, by, 0.5 / block->dim);
        }
        jar[j] = here;
    }
}

/* Edges e_0 +- mu_k e_k with R ~ mu_1^2 (1 + mu_1^2): of each row dx = -(d(J a) + b d(J v)), df = e
 *     f + D x' dx, and J'f itself changes by
 * dmu_k e_k (f_+ - f_-), which goes to r. */
static void pyramid_terms(const sal_data *d, double *df, const phy_law_block *block,
                          const phy_law_rows *rows, const cone_change *by, double *r)
{
    const double mu0 = block->friction[0];
    const double e = -by->mu[0] * (2 / mu0 + 2 * mu0 / (1 + mu0 * mu0));
    for (int k = 0; k < block->dim / 2; k++) {
        const int up = block->row + 2 * k, down = up + 1;
        const double ratio = by->mu[k] / (2 * block->friction[k]);
        const double b = d->efc_KBIP[4 * up + 1];
        const double dx =
            -ratio * (rows->acc[up] - rows->acc[down] + b * (rows->vel[up] - rows->vel[down]));
        for (int side = 0; side < 2; side++) {
            const int row = up + side;
            const double x = rows->aref[row] - rows->acc[row];
            df[2 * k + side] += e * d->efc_force[row] +
                                rows->D[row] * ramp(x, rows->sigma) * (side == 0 ? dx : -dx);
        }
        const double pull = ratio * (d->efc_force[up] - d->efc_force[down]);
        for (int i = 0; i < d->efc_J_rownnz[up]; i++) {
            const int adr = d->efc_J_rowadr[up] + i;
            r[d->efc_J_colind[adr]] -= pull * (d->efc_J[adr] - d->efc_J[d->efc_J_rowadr[down] + i]);
        }
    }
}

static void friction_terms(const sal_model *m, const sal_data *d, const sal_model_change *c,
                           const phy_law_block *block, const phy_law_rows *rows, double *df,
                           double *r)
{
    const int pair = d->contact[d->efc_id[block->row]].pair;
    const double *low = c->minus->pair_friction + 5 * pair,
                 *high = c->plus->pair_friction + 5 * pair;
    cone_change by = {{0}, 0};
    for (int k = 0; k < 5; k++) {
        by.mu[k] = phy_changed_by(c, low[k], high[k]);
    }
    by.m = by.mu[0] / sqrt(fmax(m->opt.impratio, SAL_MINVAL));
    if (block->type == SAL_EFC_CONTACT_ELLIPTIC) {
        elliptic_terms(df, block, rows, &by);
    } else {
        pyramid_terms(d, df, block, rows, &by, r);
    }
}

/* ---- all rows ---- */

/* df += H x */
static void add_curvature(const phy_law *law, const phy_law_block *block, const phy_law_rows *rows,
                          const double *x, double *df)
{
    double h[PHY_LAW_DIM * PHY_LAW_DIM];
    law->curvature(h, block, rows);
    for (int i = 0; i < block->dim; i++) {
        for (int j = 0; j < block->dim; j++) {
            df[i] += h[i * block->dim + j] * x[j];
        }
    }
}

/* What all blocks need: y = J da of the rows, or NULL; shifts of the contacts, or NULL. */
typedef struct row_change {
    const sal_model_change *c;
    const phy_law_rows *rows;
    const double *y;
    const phy_shift *shifts;
    double *r;
} row_change;

static double weight_change(const sal_model *m, const sal_data *d, const sal_model_change *c,
                            int row)
{
    return phy_changed_by(c, weight_of(c->minus, d, row), weight_of(c->plus, d, row)) /
           weight_of(m, d, row);
}

/* Of the contact model of next gaps only the compliance of equalities is scaled. */
static void step_block_terms(const sal_model *m, const sal_data *d, const row_change *by,
                             const phy_law_block *block, double *df)
{
    const phy_shift *shift = by->shifts == NULL || !phy_law_is_of_contact(block)
                                 ? NULL
                                 : by->shifts + d->efc_id[block->row];
    if (phy_law_is_of_contact(block)) {
        phy_hard_terms(m, d, by->c, block, by->rows, shift, df, by->r);
    } else if (block->type == SAL_EFC_EQUALITY && (by->c->what & PHY_CHANGE_WEIGHT)) {
        df[0] -= weight_change(m, d, by->c, block->row) * d->efc_force[block->row];
    }
}

/* df of one block */
static void block_terms(const sal_model *m, const sal_data *d, const row_change *by,
                        const phy_law_block *block, double *df)
{
    const sal_model_change *c = by->c;
    const bool contact = block->type >= SAL_EFC_CONTACT_FRICTIONLESS;
    const bool loss = block->type == SAL_EFC_FRICTION_DOF || block->type == SAL_EFC_FRICTION_TENDON;
    double e = 0, dF = 0, x[PHY_LAW_DIM] = {0};
    if (c->what & PHY_CHANGE_WEIGHT) {
        e -= weight_change(m, d, c, block->row);
    }
    if (contact && (c->what & PHY_CHANGE_LAW)) {
        e -= law_terms(m, d, c, block, x);
    }
    if (contact && by->shifts != NULL) {
        e += phy_shape_terms(m, d, block, by->shifts + d->efc_id[block->row], x, by->r);
    }
    if (contact && block->dim > 1 && (c->what & PHY_CHANGE_FRICTION)) {
        friction_terms(m, d, c, block, by->rows, df, by->r);
    }
    if (block->type == SAL_EFC_FRICTION_DOF && (c->what & PHY_CHANGE_LOSS)) {
        const int dof = d->efc_id[block->row];
        dF = phy_changed_by(c, c->minus->dof_frictionloss[dof], c->plus->dof_frictionloss[dof]);
    }
    for (int k = 0; k < block->dim; k++) {
        df[k] +=
            loss ? loss_terms(by->rows, d, block->row, e, dF) : e * d->efc_force[block->row + k];
        x[k] -= by->y == NULL ? 0 : by->y[block->row + k];
    }
    if (by->y != NULL || (contact && (c->what & (PHY_CHANGE_LAW | PHY_CHANGE_SHAPE)))) {
        add_curvature(phy_law_of(m), block, by->rows, x, df);
    }
}

typedef struct row_room {
    double *df, *y;    /* [rows] */
    double *sum;       /* [nv] */
    phy_shift *shifts; /* [contacts] */
} row_room;

static bool take_rows(const sal_model *m, sal_arena *arena, int rows, int contacts, row_room *x)
{
    x->df = sal_arena_take(arena, (size_t)rows, sizeof *x->df);
    x->y = sal_arena_take(arena, (size_t)rows, sizeof *x->y);
    x->sum = sal_arena_take(arena, (size_t)m->nv, sizeof *x->sum);
    x->shifts = sal_arena_take(arena, (size_t)contacts, sizeof *x->shifts);
    return x->shifts != NULL;
}

/* out -= J' df; da NULL: zero */
static bool row_terms(const sal_model *m, sal_data *d, const sal_model_change *c, const double *da,
                      double *out)
{
    const phy_law_rows rows = phy_law_rows_of(m, d);
    phy_law_block block;
    row_room x;
    if (!take_rows(m, &d->arena, d->nefc, d->ncon, &x)) {
        return false;
    }
    double *df = x.df, *y = x.y, *sum = x.sum;
    phy_shift *shifts = x.shifts;
    memset(df, 0, (size_t)d->nefc * sizeof *df);
    if (da != NULL) {
        phy_mul_jac(d, y, da, d->nefc);
    }
    if (c->what & PHY_CHANGE_SHAPE) {
        if (!phy_shape_shifts(m, d, c, shifts)) {
            return false;
        }
    }
    const row_change by = {c, &rows, da == NULL ? NULL : y,
                           c->what & PHY_CHANGE_SHAPE ? shifts : NULL, out};
    for (int row = 0; row < d->nefc; row += block.dim) {
        phy_law_block_at(&block, m, d, row);
        if (phy_law_of(m)->by_next != NULL) {
            step_block_terms(m, d, &by, &block, df + row);
        } else {
            block_terms(m, d, &by, &block, df + row);
        }
    }
    phy_mul_jac_t(m, d, sum, df);
    for (int i = 0; i < m->nv; i++) {
        out[i] -= sum[i];
    }
    return true;
}

/* da = M^-1 lag */
static void lag_acceleration(const sal_model *m, sal_data *d, double *lag)
{
    if (!d->factored) {
        sal_factor(m, d);
    }
    sal_solve_m(m, d, lag);
}

/* How the acceleration lags, and a' - a; [nv] */
typedef struct lagging {
    double *lag, *x;
} lagging;

static bool take(const sal_model *m, sal_arena *arena, lagging *l)
{
    l->lag = sal_arena_take(arena, (size_t)m->nv, sizeof *l->lag);
    l->x = sal_arena_take(arena, (size_t)m->nv, sizeof *l->x);
    return l->x != NULL;
}

void phy_parameter_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    lagging l;
    take(m, arena, &l);
    const size_t within = arena->used;
    passive_forces passive;
    row_room rows;
    take_passive(m, arena, &passive);
    arena->used = within;
    take_rows(m, arena, m->nefcmax, m->nconmax, &rows);
    arena->used = mark;
}

bool sal_inverse_parameter_deriv(const sal_model *m, sal_data *d, const sal_model_change *c,
                                 const double *discrete, double *out)
{
    const unsigned heavy = PHY_CHANGE_INERTIA | PHY_CHANGE_ARMATURE;
    const unsigned rows = PHY_CHANGE_WEIGHT | PHY_CHANGE_LOSS | PHY_CHANGE_FRICTION |
                          PHY_CHANGE_LAW | PHY_CHANGE_SHAPE;
    const size_t mark = d->arena.used, nv = (size_t)m->nv;
    lagging l;
    bool lags = false, good = take(m, &d->arena, &l);
    double *lag = l.lag, *x = l.x;
    memset(out, 0, nv * sizeof *out);
    for (size_t i = 0; i < nv && good; i++) {
        lag[i] = 0;
        x[i] = discrete[i] - d->qacc[i];
        lags = lags || x[i] != 0;
    }
    if (good && (c->what & PHY_CHANGE_INERTIA)) {
        phy_inertia_terms(m, d, c, discrete, out, x, lags ? lag : NULL);
    }
    for (int i = 0; i < m->nv && good && (c->what & PHY_CHANGE_ARMATURE); i++) {
        const double db = phy_changed_by(c, c->minus->dof_armature[i], c->plus->dof_armature[i]);
        out[i] += db * discrete[i];
        lag[i] += db * x[i];
    }
    if (good && (c->what & PHY_CHANGE_GRAVITY)) {
        phy_gravity_terms(m, d, c, out);
    }
    if (good && (c->what & PHY_CHANGE_DAMPING)) {
        damping_terms(m, d, c, discrete, out, lag);
    }
    good = good && (!(c->what & PHY_CHANGE_SPRING) || spring_terms(m, d, c, out));
    lags = (lags && (c->what & heavy)) || (c->what & PHY_CHANGE_DAMPING);
    if (good && d->nefc > 0 && (lags || (c->what & rows))) {
        if (lags) {
            lag_acceleration(m, d, lag);
        }
        good = row_terms(m, d, c, lags ? lag : NULL, out);
    }
    d->arena.used = mark;
    return good;
}
