/* discrete_deriv.c: derivatives at a given discrete acceleration a', from those at a given continuous one. Where forces are taken at the end
 * of the step, the two differ (implicit.c):
 *
 *     0 = M a - (M - h D) a' = M x + h D a',       x = a - a'
 *     M da = - Eq dq - Ev dv - Ea da' + M da'      Eq = d(M x)/dq + h d(D a')/dq,   Ev = h d(D a')/dv,   Ea = h D
 *
 * so that any y(q, v, a), with Y = dy/da M^-1, has at given a'
 *
 *     dy/dq -= Y Eq        dy/dv -= Y Ev        dy/da' = dy/da - Y Ea
 *
 *     Euler            D = -diag(b(v)):  Ev = -h diag(b' a'),  Ea = -h diag(b),  nothing of D in Eq
 *     implicit         of D the dampers and actuators of joints and fixed tendons, which do not depend on q, and -dc/dv: since c is
 *                      quadratic in v,  h dc/dv a' = (c(v + h a') - c(v - h a'))/2,   d(dc/dv a')/dv = dc/dv at velocity a'
 *     implicitfast     the same, -dc/dv of bodies that float alone only
 *
 * The E are sparse as M is. Rows of Y are found by the factor of M, several at once.
 */
#include "physics/actuator.h"
#include "physics/fluid.h"
#include "physics/rne_deriv.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <string.h>

enum { ROWS = 16 }; /* of Y at once */

/* Eq; Ev and Ea as diagonals with Euler, and as sparse matrices with the implicit integrators */
typedef struct lag {
    sal_slope q, v, a;
    double *v_diagonal, *a_diagonal;
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
                          (trn == SAL_TRN_TENDON && sal_tendon_is_fixed(m, id));
    const bool gives = (gain == SAL_GAIN_AFFINE && m->actuator_gainprm[10 * i + 2] != 0) ||
                       (bias == SAL_BIAS_AFFINE && m->actuator_biasprm[10 * i + 2] != 0);
    return gain == SAL_GAIN_MUSCLE || (gives && !straight);
}

/* What the implicit integrators know of D that this file does not; NULL: nothing */
static const char *unknown_slope(const sal_model *m)
{
    const bool damped = !(m->opt.disable & SAL_DSBL_DAMPER);
    if (sal_fluid_acts(m) && !sal_passive_is_off(m)) {
        return "a medium";
    }
    for (int t = 0; t < m->ntendon && damped; t++) {
        const double *poly = m->tendon_dampingpoly + 2 * t;
        if (poly[0] != 0 || poly[1] != 0) {
            return "powers of the damping of a tendon";
        }
        if (m->tendon_damping[t] != 0 && !sal_tendon_is_fixed(m, t)) {
            return "the damping of a spatial tendon";
        }
    }
    for (int i = 0; i < m->nu && !(m->opt.disable & SAL_DSBL_ACTUATION); i++) {
        if (actuator_varies(m, i)) {
            return "a muscle, or a damping actuator that is not of a hinge, slide or fixed tendon";
        }
    }
    return NULL;
}

static sal_status refuse(const sal_model *m, sal_err *err)
{
    const bool euler = m->opt.integrator == SAL_INT_EULER;
    const char *unknown = euler ? NULL : unknown_slope(m);
    if (m->opt.integrator == SAL_INT_RK4) {
        return sal_fail(err, SAL_UNSUPPORTED, "steps of integrator=\"RK4\" have no inverse");
    }
    for (int t = 0; t < m->ntendon; t++) { /* M changes with it */
        if (m->tendon_armature[t] > 0 && !sal_tendon_is_fixed(m, t)) {
            unknown = "the armature of a spatial tendon";
        }
    }
    return unknown == NULL ? SAL_OK
                           : sal_fail(err, SAL_UNSUPPORTED,
                                      "steps that are implicit in velocity have no exact "
                                      "derivative with %s",
                                      unknown);
}

/* ---- Eq, Ev, Ea ---- */

/* db/dv = 2 b_1 sign(v) + 6 b_2 v */
static double damping_rise(const sal_model *m, const sal_data *d, int i)
{
    const double *poly = m->dof_dampingpoly + 2 * i, v = d->qvel[i];
    return (v > 0 ? 2 : v < 0 ? -2 : 0) * poly[0] + 6 * poly[1] * v;
}

static sal_slope slope_take(const sal_model *m, sal_data *d)
{
    const size_t bytes = (size_t)m->nM * sizeof(double);
    const sal_slope E = {sal_arena_take(&d->arena, (size_t)m->nM),
                         sal_arena_take(&d->arena, (size_t)m->nM)};
    memset(E.lower, 0, bytes);
    memset(E.upper, 0, bytes);
    return E;
}

static void euler_lag(const sal_model *m, sal_data *d, lag *E, const double *discrete)
{
    const double h = m->opt.timestep;
    bool varies = false;
    E->a_diagonal = sal_arena_take(&d->arena, (size_t)m->nv);
    E->v_diagonal = sal_arena_take(&d->arena, (size_t)m->nv);
    for (int i = 0; i < m->nv; i++) {
        E->a_diagonal[i] = -h * sal_damping_slope(m, d, i);
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
    double *v = sal_arena_take(&d->arena, (size_t)m->nv);
    const sal_rne_motion ends = {.v = v, .only_free = !full};
    const sal_rne_motion change = {.v = discrete, .only_free = !full};
    E->a = slope_take(m, d);
    E->v = slope_take(m, d);
    sal_velocity_slope(m, d, E->a, full ? SAL_SLOPE_FULL : SAL_SLOPE_SYMMETRIC);
    for (int k = 0; k < m->nM; k++) {
        E->a.lower[k] *= h;
        E->a.upper[k] *= h;
    }
    /* Eq -= (dc/dq(v + h a') - dc/dq(v - h a'))/2 */
    advanced(m, d, v, h, discrete);
    sal_rne_deriv_q(m, d, E->q, -0.5, &ends);
    advanced(m, d, v, -h, discrete);
    sal_rne_deriv_q(m, d, E->q, 0.5, &ends);
    /* Ev -= h dc/dv at a', and the dampers' part */
    sal_rne_deriv_v(m, d, E->v, -h, &change);
    for (int i = 0; i < m->nv && !(m->opt.disable & SAL_DSBL_DAMPER); i++) {
        E->v.lower[m->dof_Madr[i]] -= h * damping_rise(m, d, i) * discrete[i];
    }
}

static void lag_of(const sal_model *m, sal_data *d, lag *E, const double *discrete)
{
    double *x = sal_arena_take(&d->arena, (size_t)m->nv);
    const sal_rne_motion motion = {.a = x};
    for (int i = 0; i < m->nv; i++) {
        x[i] = d->qacc[i] - discrete[i];
    }
    E->q = slope_take(m, d);
    sal_rne_deriv_q(m, d, E->q, 1, &motion); /* d(M x)/dq */
    if (m->opt.integrator == SAL_INT_EULER) {
        euler_lag(m, d, E, discrete);
    } else {
        implicit_lag(m, d, E, discrete);
    }
}

/* ---- Y, several rows at once: number r of column k at k * ROWS + r ---- */

/* y -= k x */
static inline void subtract(double *restrict y, double k, const double *restrict x)
{
    for (int r = 0; r < ROWS; r++) {
        y[r] -= k * x[r];
    }
}

/* Y := Y (L'DL)^-1 */
static void solve_rows(const sal_model *m, const sal_data *d, double *Y)
{
    for (int k = m->nv - 1; k >= 0; k--) {
        const sal_row row = sal_row_of(m, k);
        for (int a = 1; a < row.n; a++) {
            subtract(Y + ROWS * sal_row_dof(row, a), d->qLD[row.adr + a], Y + ROWS * k);
        }
    }
    for (int k = 0; k < m->nv; k++) {
        const sal_row row = sal_row_of(m, k);
        for (int r = 0; r < ROWS; r++) {
            Y[ROWS * k + r] *= d->qLDiagInv[k];
        }
        for (int a = 1; a < row.n; a++) {
            subtract(Y + ROWS * k, d->qLD[row.adr + a], Y + ROWS * sal_row_dof(row, a));
        }
    }
}

/* P = - Y E */
static void multiply_rows(const sal_model *m, double *P, sal_slope E, const double *Y)
{
    memset(P, 0, (size_t)m->nv * ROWS * sizeof *P);
    for (int i = 0; i < m->nv; i++) {
        const sal_row row = sal_row_of(m, i);
        subtract(P + ROWS * i, E.lower[row.adr], Y + ROWS * i);
        for (int k = 1; k < row.n; k++) {
            const int j = sal_row_dof(row, k);
            subtract(P + ROWS * j, E.lower[row.adr + k], Y + ROWS * i);
            subtract(P + ROWS * i, E.upper[row.adr + k], Y + ROWS * j);
        }
    }
}

/* n rows of A -= those of Y E;  P is scratch */
static void subtract_product(const sal_model *m, double *A, sal_slope E, const double *Y, double *P,
                             int n)
{
    multiply_rows(m, P, E, Y);
    for (int r = 0; r < n; r++) {
        for (int k = 0; k < m->nv; k++) {
            A[m->nv * r + k] += P[ROWS * k + r];
        }
    }
}

/* n rows of A -= those of Y diag(e) */
static void subtract_scaled(const sal_model *m, double *A, const double *e, const double *Y, int n)
{
    for (int r = 0; r < n; r++) {
        for (int k = 0; k < m->nv; k++) {
            A[m->nv * r + k] -= Y[ROWS * k + r] * e[k];
        }
    }
}

/* n <= ROWS rows of all three; scratch Y and P */
static void chain_rows(const sal_model *m, const sal_data *d, const lag *E, double *const D[3],
                       double *Y, double *P, int n)
{
    const double *Da = D[2];
    memset(Y, 0, (size_t)m->nv * ROWS * sizeof *Y);
    for (int r = 0; r < n; r++) {
        for (int k = 0; k < m->nv; k++) {
            Y[ROWS * k + r] = Da[m->nv * r + k];
        }
    }
    solve_rows(m, d, Y);
    subtract_product(m, D[0], E->q, Y, P, n);
    if (E->a_diagonal == NULL) {
        subtract_product(m, D[1], E->v, Y, P, n);
        subtract_product(m, D[2], E->a, Y, P, n);
        return;
    }
    if (E->v_diagonal != NULL) {
        subtract_scaled(m, D[1], E->v_diagonal, Y, n);
    }
    subtract_scaled(m, D[2], E->a_diagonal, Y, n);
}

/* ---- all rows ---- */

sal_status sal_discrete_rows_deriv(const sal_model *m, sal_data *d, double *Dq, double *Dv,
                                   double *Da, const double *qacc_discrete, int n, sal_err *err)
{
    const size_t mark = d->arena.used, block = (size_t)m->nv * ROWS;
    const bool same = m->opt.integrator == SAL_INT_EULER && !sal_damping_is_implicit(m);
    const sal_status status = same ? SAL_OK : refuse(m, err);
    lag E = {.a_diagonal = NULL};
    if (same || status != SAL_OK) {
        return status;
    }
    lag_of(m, d, &E, qacc_discrete);
    if (!d->factored) {
        sal_factor(m, d);
    }
    double *Y = sal_arena_take(&d->arena, block), *P = sal_arena_take(&d->arena, block);
    for (int row = 0; row < n; row += ROWS) {
        const size_t adr = (size_t)row * (size_t)m->nv;
        double *const D[3] = {Dq + adr, Dv + adr, Da + adr};
        chain_rows(m, d, &E, D, Y, P, n - row < ROWS ? n - row : ROWS);
    }
    d->arena.used = mark;
    return SAL_OK;
}

sal_status sal_inverse_discrete_deriv(const sal_model *m, sal_data *d, double *Dq, double *Dv,
                                      double *Da, const double *qacc_discrete, sal_err *err)
{
    const sal_status status = sal_inverse_deriv(m, d, Dq, Dv, Da, err);
    return status != SAL_OK ? status
                            : sal_discrete_rows_deriv(m, d, Dq, Dv, Da, qacc_discrete, m->nv, err);
}
