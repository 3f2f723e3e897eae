/* discrete_deriv.c: derivatives at a given discrete acceleration a', from those at a given
 * continuous one. Where forces are taken at the end of the step, the two differ (implicit.c):
 *
 *     0 = M a - (M - h D) a' = M x + h D a',       x = a - a'
 *     M da = - Eq dq - Ev dv - Ea da' + M da'      Eq = d(M x)/dq + h d(D a')/dq,
 *     Ev = h d(D a')/dv,   Ea = h D
 *
 * so that any y(q, v, a), with Y = dy/da M^-1, has at given a'
 *
 *     dy/dq -= Y Eq        dy/dv -= Y Ev        dy/da' = dy/da - Y Ea
 *
 *     Euler            D = -diag(b(v)):  Ev = -h diag(b' a'),  Ea = -h diag(b),  nothing of D in Eq
 *     implicit         of D the dampers and actuators of joints and fixed tendons, which do not
 *                      depend on q, and -dc/dv: since c is
 *                      quadratic in v,  h dc/dv a' = (c(v + h a') - c(v - h a'))/2,
 *                      d(dc/dv a')/dv = dc/dv at velocity a'
 *     implicitfast     the same, -dc/dv of bodies that float alone only
 *
 * The E are sparse as M is. Rows of Y are found by the factor of M, several at once.
 */
#include "physics/actuator.h"
#include "physics/deriv/deriv_pieces.h"
#include "physics/deriv/rne_deriv.h"
#include "physics/deriv/scratch.h"
#include "physics/fluid.h"
#include "physics/lanes.h"
#include "physics/motor.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <string.h>

enum { PARTS = 2, ROWS = PARTS * PHY_LANES }; /* of Y at once */

/* Eq; Ev and Ea as diagonals with Euler, and as sparse matrices with the implicit integrators */
typedef struct lag {
    phy_slope q, v, a;
    double *v_diagonal, *a_diagonal; /* [nv] */
    double *x;                       /* [nv] a - a' */
    double *velocity;                /* [nv] v + h a', v - h a' */
    double *Y;                       /* [2 x nv x ROWS] */
    unsigned char *touched;          /* [nv] */
} lag;

/* ---- what can be differentiated ---- */

static bool is_joint(const sal_model *m, int j)
{
    return m->jnt_type[j] == SAL_JNT_SLIDE || m->jnt_type[j] == SAL_JNT_HINGE;
}

/* True if the slope of actuator i and its moment may depend on the state. */
static bool actuator_varies(const sal_model *m, int i)
{
    const int gain = m->actuator_gaintype[i], bias = m->actuator_biastype[i];
    const int id = m->actuator_trnid[i], trn = m->actuator_trntype[i];
    const bool straight = (trn == SAL_TRN_JOINT && is_joint(m, id)) ||
                          (trn == SAL_TRN_TENDON && phy_tendon_is_fixed(m, id));
    const bool gives =
        (gain == SAL_GAIN_AFFINE && m->actuator_gainprm[10 * i + 2] != 0) ||
        (bias != SAL_BIAS_NONE && bias != SAL_BIAS_MUSCLE && m->actuator_biasprm[10 * i + 2] != 0);
    return gain == SAL_GAIN_MUSCLE || ((gives || phy_motor_rubs(m, i)) && !straight);
}

/* What the implicit integrators know of D that this file does not; NULL: nothing */
static const char *unknown_slope(const sal_model *m)
{
    const bool damped = !(m->opt.disable & SAL_DSBL_DAMPER);
    if (phy_fluid_acts(m) && !phy_passive_is_off(m)) {
        return "fluid forces (density or viscosity)";
    }
    for (int t = 0; t < m->ntendon && damped; t++) {
        const double *poly = m->tendon_dampingpoly + 2 * t;
        if (poly[0] != 0 || poly[1] != 0) {
            return "polynomial damping of a tendon";
        }
        if (m->tendon_damping[t] != 0 && !phy_tendon_is_fixed(m, t)) {
            return "damping of a spatial tendon";
        }
    }
    for (int i = 0; i < m->nu && !(m->opt.disable & SAL_DSBL_ACTUATION); i++) {
        if (actuator_varies(m, i)) {
            return "a muscle, or an actuator with damping that does not act on a hinge, a slide or "
                   "a fixed tendon";
        }
    }
    return NULL;
}

static sal_status refuse(const sal_model *m, sal_err *err)
{
    const bool euler = m->opt.integrator == SAL_INT_EULER;
    const char *name = sal_integrator_name(m->opt.integrator);
    const char *unknown = euler ? NULL : unknown_slope(m);
    if (m->opt.integrator == SAL_INT_RK4) {
        return sal_fail(
            err, SAL_UNSUPPORTED,
            "integrator=\"RK4\" has no inverse dynamics; use Euler, implicit or implicitfast");
    }
    for (int t = 0; t < m->ntendon; t++) { /* M changes with it */
        if (m->tendon_armature[t] > 0 && !phy_tendon_is_fixed(m, t)) {
            unknown = "armature of a spatial tendon";
        }
    }
    return unknown == NULL ? SAL_OK
                           : sal_fail(err, SAL_UNSUPPORTED,
                                      "the inverse dynamics of integrator=\"%s\" have no exact "
                                      "derivative for a model with %s",
                                      name, unknown);
}

/* ---- Eq, Ev, Ea ---- */

/* db/dv = 2 b_1 sign(v) + 6 b_2 v */
static double damping_rise(const sal_model *m, const sal_data *d, int i)
{
    const double *poly = m->dof_dampingpoly + 2 * i, v = d->qvel[i];
    return (v > 0 ? 2 : v < 0 ? -2 : 0) * poly[0] + 6 * poly[1] * v;
}

void phy_damping_of_step_deriv(const sal_model *m, const sal_data *d, phy_deriv *w)
{
    const double h = m->opt.timestep;
    if (phy_damping_is_beside(m)) {
        for (int i = 0; i < m->nv; i++) {
            w->Dv[(m->nv + 1) * i] += h * damping_rise(m, d, i) * d->qacc[i];
            w->Da[(m->nv + 1) * i] += h * phy_damping_slope(m, d, i);
        }
    }
}

static void take_slope(const sal_model *m, sal_arena *arena, phy_slope *E)
{
    E->lower = sal_arena_take(arena, (size_t)m->nM, sizeof *E->lower);
    E->upper = sal_arena_take(arena, (size_t)m->nM, sizeof *E->upper);
}

static bool take(const sal_model *m, sal_arena *arena, bool euler, lag *E)
{
    const size_t nv = (size_t)m->nv;
    *E = (lag){.x = sal_arena_take(arena, nv, sizeof *E->x)};
    take_slope(m, arena, &E->q);
    if (euler) {
        E->a_diagonal = sal_arena_take(arena, nv, sizeof *E->a_diagonal);
        E->v_diagonal = sal_arena_take(arena, nv, sizeof *E->v_diagonal);
    } else {
        E->velocity = sal_arena_take(arena, nv, sizeof *E->velocity);
        take_slope(m, arena, &E->a);
        take_slope(m, arena, &E->v);
    }
    E->touched = sal_arena_take(arena, nv, sizeof *E->touched);
    E->Y = sal_arena_take(arena, 2 * nv * ROWS, sizeof *E->Y);
    return E->Y != NULL;
}

void phy_discrete_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    for (int euler = 0; euler < 2; euler++, arena->used = mark) {
        lag E;
        take(m, arena, euler, &E);
        phy_rne_deriv_scratch(m, arena);
        phy_slope_scratch(m, arena);
    }
}

static void clear(const sal_model *m, phy_slope E)
{
    memset(E.lower, 0, (size_t)m->nM * sizeof *E.lower);
    memset(E.upper, 0, (size_t)m->nM * sizeof *E.upper);
}

static void euler_lag(const sal_model *m, const sal_data *d, lag *E, const double *discrete)
{
    const double h = m->opt.timestep;
    bool varies = false;
    for (int i = 0; i < m->nv; i++) {
        E->a_diagonal[i] = -h * phy_damping_slope(m, d, i);
        E->v_diagonal[i] = -h * damping_rise(m, d, i) * discrete[i];
        varies = varies || E->v_diagonal[i] != 0;
    }
    E->v_diagonal = varies ? E->v_diagonal : NULL;
}

/* v + step a */
static void advanced(const sal_model *m, const sal_data *d, double *v, double step, const double *a)
{
    for (int i = 0; i < m->nv; i++) {
        v[i] = d->qvel[i] + step * a[i];
    }
}

static void implicit_lag(const sal_model *m, sal_data *d, lag *E, const double *discrete)
{
    const double h = m->opt.timestep;
    const bool full = m->opt.integrator == SAL_INT_IMPLICIT;
    double *v = E->velocity;
    const phy_rne_motion ends = {.v = v, .only_free = !full};
    const phy_rne_motion change = {.v = discrete, .only_free = !full};
    clear(m, E->v);
    phy_velocity_slope(m, d, E->a, full ? PHY_SLOPE_FULL : PHY_SLOPE_SYMMETRIC);
    for (int k = 0; k < m->nM; k++) {
        E->a.lower[k] *= h;
        E->a.upper[k] *= h;
    }
    /* Eq -= (dc/dq(v + h a') - dc/dq(v - h a'))/2 */
    advanced(m, d, v, h, discrete);
    phy_rne_deriv_q(m, d, E->q, -0.5, &ends);
    advanced(m, d, v, -h, discrete);
    phy_rne_deriv_q(m, d, E->q, 0.5, &ends);
    /* Ev -= h dc/dv at a', and the dampers' part */
    phy_rne_deriv_v(m, d, E->v, -h, &change);
    for (int i = 0; i < m->nv && !(m->opt.disable & SAL_DSBL_DAMPER); i++) {
        E->v.lower[m->dof_Madr[i]] -= h * damping_rise(m, d, i) * discrete[i];
    }
}

/* False: no scratch. */
static bool lag_of(const sal_model *m, sal_data *d, lag *E, const double *discrete)
{
    const bool euler = m->opt.integrator == SAL_INT_EULER;
    if (!take(m, &d->arena, euler, E)) {
        return false;
    }
    const phy_rne_motion motion = {.a = E->x};
    for (int i = 0; i < m->nv; i++) {
        E->x[i] = d->qacc[i] - discrete[i];
    }
    clear(m, E->q);
    phy_rne_deriv_q(m, d, E->q, 1, &motion); /* d(M x)/dq */
    if (euler) {
        euler_lag(m, d, E, discrete);
    } else {
        implicit_lag(m, d, E, discrete);
    }
    return true;
}

/* ---- Y, several rows at once: number r of column k at k * ROWS + r ---- */

/* The rows of the three matrices that are taken together: their addresses. */
typedef struct rows {
    int n;
    size_t adr[ROWS];
} rows;

/* r -= k x */
static SAL_INLINE void subtract(phy_lanes r[PARTS], double k, const double *x)
{
    phy_lanes part;
    for (int p = 0; p < PARTS; p++) {
        phy_lanes_load(&part, x + p * PHY_LANES);
        r[p] -= k * part;
    }
}

static SAL_INLINE void load(phy_lanes r[PARTS], const double *x)
{
    for (int p = 0; p < PARTS; p++) {
        phy_lanes_load(r + p, x + p * PHY_LANES);
    }
}

static SAL_INLINE void store(double *x, const phy_lanes r[PARTS])
{
    for (int p = 0; p < PARTS; p++) {
        phy_lanes_store(x + p * PHY_LANES, r + p);
    }
}

/* y -= k x */
static SAL_INLINE void subtract_from(double *y, double k, const phy_lanes x[PARTS])
{
    phy_lanes part;
    for (int p = 0; p < PARTS; p++) {
        phy_lanes_load(&part, y + p * PHY_LANES);
        part -= k * x[p];
        phy_lanes_store(y + p * PHY_LANES, &part);
    }
}

/* Y := Y (L'DL)^-1 */
PHY_LANED static void solve_rows(const sal_model *m, const sal_data *d, double *Y)
{
    for (int k = m->nv - 1; k >= 0; k--) {
        const phy_row row = phy_row_of(m, k);
        phy_lanes y[PARTS];
        load(y, Y + ROWS * k);
        for (int a = 1; a < row.n; a++) {
            subtract_from(Y + ROWS * phy_row_dof(row, a), d->qLD[row.adr + a], y);
        }
    }
    for (int k = 0; k < m->nv; k++) {
        const phy_row row = phy_row_of(m, k);
        phy_lanes y[PARTS];
        load(y, Y + ROWS * k);
        for (int p = 0; p < PARTS; p++) {
            y[p] *= d->qLDiagInv[k];
        }
        for (int a = 1; a < row.n; a++) {
            subtract(y, d->qLD[row.adr + a], Y + ROWS * phy_row_dof(row, a));
        }
        store(Y + ROWS * k, y);
    }
}

/* P = - Y E; ancestors come first, so that each column of P is begun before anything else is added
 * to it */
PHY_LANED static void multiply_rows(const sal_model *m, double *P, phy_slope E, const double *Y)
{
    for (int i = 0; i < m->nv; i++) {
        const phy_row row = phy_row_of(m, i);
        phy_lanes y[PARTS], sum[PARTS];
        load(y, Y + ROWS * i);
        for (int p = 0; p < PARTS; p++) {
            sum[p] = -E.lower[row.adr] * y[p];
        }
        for (int k = 1; k < row.n; k++) {
            const int j = phy_row_dof(row, k);
            subtract_from(P + ROWS * j, E.lower[row.adr + k], y);
            subtract(sum, E.upper[row.adr + k], Y + ROWS * j);
        }
        store(P + ROWS * i, sum);
    }
}

/* Rows of A -= those of Y E;  P is scratch */
static void subtract_product(const sal_model *m, double *A, const rows *at, phy_slope E,
                             const double *Y, double *P)
{
    multiply_rows(m, P, E, Y);
    for (int r = 0; r < at->n; r++) {
        double *restrict row = A + at->adr[r];
        for (int k = 0; k < m->nv; k++) {
            row[k] += P[ROWS * k + r];
        }
    }
}

/* Rows of A -= those of Y diag(e) */
static void subtract_scaled(const sal_model *m, double *A, const rows *at, const double *e,
                            const double *Y)
{
    for (int r = 0; r < at->n; r++) {
        double *restrict row = A + at->adr[r];
        for (int k = 0; k < m->nv; k++) {
            row[k] -= Y[ROWS * k + r] * e[k];
        }
    }
}

/* Dq -= Y Eq, Dv -= Y Ev, Da -= Y Ea of some rows; scratch Y and P */
static void chain_rows(const sal_model *m, const sal_data *d, const lag *E, double *const D[3],
                       const rows *at, double *Y)
{
    double *P = Y + (size_t)m->nv * ROWS;
    for (int r = 0; r < ROWS; r++) {
        const double *Da = D[2] + at->adr[r < at->n ? r : 0]; /* the last lanes may be idle */
        for (int k = 0; k < m->nv; k++) {
            Y[ROWS * k + r] = Da[k];
        }
    }
    solve_rows(m, d, Y);
    subtract_product(m, D[0], at, E->q, Y, P);
    if (E->a_diagonal == NULL) {
        subtract_product(m, D[1], at, E->v, Y, P);
        subtract_product(m, D[2], at, E->a, Y, P);
        return;
    }
    if (E->v_diagonal != NULL) {
        subtract_scaled(m, D[1], at, E->v_diagonal, Y);
    }
    subtract_scaled(m, D[2], at, E->a_diagonal, Y);
}

/* ---- all rows ---- */

static bool is_zero(const double *row, int n)
{
    for (int k = 0; k < n; k++) {
        if (row[k] != 0) {
            return false;
        }
    }
    return true;
}

/* n rows; touched [n] or NULL: those of the others have been done, as have those that do not depend
 * on a */
static void chain_all(const sal_model *m, sal_data *d, const lag *E, double *const D[3], int n,
                      const unsigned char *touched)
{
    rows at = {0, {0}};
    if (!d->factored) {
        sal_factor(m, d);
    }
    for (int i = 0; i < n; i++) {
        const size_t adr = (size_t)i * (size_t)m->nv;
        if (touched != NULL ? touched[i] : !is_zero(D[2] + adr, m->nv)) {
            at.adr[at.n++] = adr;
        }
        if (at.n == ROWS || (i + 1 == n && at.n > 0)) {
            chain_rows(m, d, E, D, &at, E->Y);
            at.n = 0;
        }
    }
}

/* Whether the step makes any difference to the acceleration; *status says if it is one that is
 * known. */
static bool is_lagged(const sal_model *m, sal_status *status, sal_err *err)
{
    const bool same = phy_nothing_is_implicit(m);
    *status = same ? SAL_OK : refuse(m, err);
    return !same && *status == SAL_OK;
}

sal_status sal_discrete_rows_deriv(const sal_model *m, sal_data *d, double *Dq, double *Dv,
                                   double *Da, const double *qacc_discrete, int n, sal_err *err)
{
    const size_t mark = d->arena.used;
    double *const D[3] = {Dq, Dv, Da};
    sal_status status;
    lag E;
    if (is_lagged(m, &status, err) && lag_of(m, d, &E, qacc_discrete)) {
        chain_all(m, d, &E, D, n, NULL);
    }
    d->arena.used = mark;
    return phy_scratch_status_after(status, d, err);
}

/* ---- the inverse: Da = M + J'H J, so that Y is 1 in the rows of dofs that no constraint at work
 * touches ---- */

static bool may_resist(const sal_data *d, int row)
{
    return d->efc_force[row] != 0 || d->efc_state[row] != SAL_EFC_SATISFIED;
}

static void mark_touched(const sal_model *m, const sal_data *d, unsigned char *touched)
{
    memset(touched, 0, (size_t)m->nv);
    for (int row = 0; row < d->nefc; row++) {
        const int adr = d->efc_J_rowadr[row], n = may_resist(d, row) ? d->efc_J_rownnz[row] : 0;
        for (int k = adr; k < adr + n; k++) {
            touched[d->efc_J_colind[k]] = 1;
        }
    }
}

/* A -= E in the rows that nothing touches */
static void subtract_untouched(const sal_model *m, double *A, phy_slope E,
                               const unsigned char *touched)
{
    const size_t nv = (size_t)m->nv;
    for (int i = 0; i < m->nv; i++) {
        const phy_row row = phy_row_of(m, i);
        double *Ai = A + (size_t)i * nv;
        for (int k = 0; k < row.n && !touched[i]; k++) {
            Ai[phy_row_dof(row, k)] -= E.lower[row.adr + k];
        }
        for (int k = 1; k < row.n; k++) {
            const int j = phy_row_dof(row, k);
            A[(size_t)j * nv + (size_t)i] -= touched[j] ? 0 : E.upper[row.adr + k];
        }
    }
}

static void subtract_untouched_diagonal(const sal_model *m, double *A, const double *e,
                                        const unsigned char *touched)
{
    for (int i = 0; i < m->nv; i++) {
        A[(size_t)i * (size_t)(m->nv + 1)] -= touched[i] ? 0 : e[i];
    }
}

static void subtract_alone(const sal_model *m, const lag *E, double *const D[3],
                           const unsigned char *touched)
{
    subtract_untouched(m, D[0], E->q, touched);
    if (E->a_diagonal == NULL) {
        subtract_untouched(m, D[1], E->v, touched);
        subtract_untouched(m, D[2], E->a, touched);
        return;
    }
    if (E->v_diagonal != NULL) {
        subtract_untouched_diagonal(m, D[1], E->v_diagonal, touched);
    }
    subtract_untouched_diagonal(m, D[2], E->a_diagonal, touched);
}

sal_status phy_inverse_lag_deriv(const sal_model *m, sal_data *d, double *const D[3],
                                 const double *qacc_discrete, sal_err *err)
{
    const size_t mark = d->arena.used;
    sal_status status;
    lag E;
    if (is_lagged(m, &status, err) && lag_of(m, d, &E, qacc_discrete)) {
        mark_touched(m, d, E.touched);
        subtract_alone(m, &E, D, E.touched);
        chain_all(m, d, &E, D, m->nv, E.touched);
    }
    d->arena.used = mark;
    return phy_scratch_status_after(status, d, err);
}

sal_status sal_inverse_discrete_deriv(const sal_model *m, sal_data *d, double *Dq, double *Dv,
                                      double *Da, const double *qacc_discrete, sal_err *err)
{
    double *const D[3] = {Dq, Dv, Da};
    const sal_status status = sal_inverse_deriv(m, d, Dq, Dv, Da, err);
    return status == SAL_OK ? phy_inverse_lag_deriv(m, d, D, qacc_discrete, err) : status;
}
