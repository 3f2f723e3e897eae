/* linear.c: the step of semi-implicit integrators to first order. With a' = (v' - v)/h:
 *
 *     f(q, v, a') = F(q, v, u)                       inverse dynamics = the actuators' force
 *     Da da' = (Fq - Dq) dq + (Fv - Dv) dv + Fu du   D: of f, sal_inverse_discrete_deriv
 *     dv' = dv + h da'
 *     h v' = q' (-) q,  so  h dv' = E0 dq + E1 dq',  dq' = E1^-1 (h dv' - E0 dq)
 *
 * E0, E1: sal_differentiate_pos_deriv, diagonal but for 3 x 3 blocks of rotations.
 */
#include "runs/linear.h"

#include "base/lapack.h"
#include "invdyn/invdyn.h"

#include <math.h>
#include <string.h>

/* ---- exactly ---- */

typedef struct pieces {
    double *Dq, *Dv, *Da; /* [nv x nv] */
    double *Fq, *Fv;      /* [nv x nv] */
    double *Fu;           /* [nv x nu] */
    double *G;            /* [nv x (2 nv + nu)] */
    double *a;            /* [nv] */
    double *E0, *E1;      /* [nv x 3] */
    double *block;
} pieces;

static sal_status take(pieces *p, const sal_model *m, sal_err *err)
{
    const size_t nv = (size_t)m->nv, nu = (size_t)m->nu, square = nv * nv;
    double *x = p->block = sal_alloc(7 * square + 2 * nv * nu + 7 * nv, sizeof(double));
    if (x == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a model of %zu dofs", nv);
    }
    double **const squares[] = {&p->Dq, &p->Dv, &p->Da, &p->Fq, &p->Fv};
    for (size_t i = 0; i < sizeof squares / sizeof squares[0]; i++, x += square) {
        *squares[i] = x;
    }
    p->Fu = x;
    p->G = p->Fu + nv * nu;
    p->a = p->G + 2 * square + nv * nu;
    p->E0 = p->a + nv;
    p->E1 = p->E0 + 3 * nv;
    return SAL_OK;
}

/* With implicit integrators the slope of such an actuator's force by velocity varies with its
 * control, or vanishes at the limit of its torque, which the derivatives of the inverse take for
 * constant. */
static bool slope_varies(const sal_model *m)
{
    bool varies = false;
    for (int i = 0; i < m->nu && m->opt.integrator != SAL_INT_EULER; i++) {
        varies =
            varies ||
            (m->actuator_gaintype[i] == SAL_GAIN_AFFINE && m->actuator_gainprm[10 * i + 2] != 0) ||
            (m->actuator_gaintype[i] == SAL_GAIN_ORIENTATION &&
             m->actuator_gainprm[10 * i + 2] > 0);
    }
    return varies;
}

static void set_state(const sal_model *m, sal_data *d, const run_state *x)
{
    sal_data_reset(m, d);
    memcpy(d->qpos, x->qpos, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, x->qvel, (size_t)m->nv * sizeof(double));
    memcpy(d->act, x->act, (size_t)m->na * sizeof(double));
    memcpy(d->ctrl, x->ctrl, (size_t)m->nu * sizeof(double));
    if (x->force != NULL) {
        memcpy(d->qfrc_applied, x->force, (size_t)m->nv * sizeof(double));
    }
}

static sal_status differentiate(const sal_model *m, sal_data *d, pieces *p, const run_state *x,
                                const double *qvel_next, sal_err *err)
{
    set_state(m, d, x);
    for (int i = 0; i < m->nv; i++) {
        p->a[i] = (qvel_next[i] - x->qvel[i]) / m->opt.timestep;
    }
    sal_status status = sal_position(m, d, err);
    if (status == SAL_OK) {
        sal_velocity(m, d);
        sal_actuation(m, d);
        sal_actuation_deriv(m, d, p->Fq, p->Fv, p->Fu);
        status = sal_inverse_discrete(m, d, p->a, err);
    }
    return status == SAL_OK ? sal_inverse_discrete_deriv(m, d, p->Dq, p->Dv, p->Da, p->a, err)
                            : status;
}

/* G := (da'/dq da'/dv da'/du) */
static sal_status solve_acceleration(const sal_model *m, const pieces *p, sal_err *err)
{
    const int nv = m->nv, nu = m->nu, width = 2 * nv + nu;
    for (int i = 0; i < nv; i++) {
        double *row = p->G + i * width;
        for (int k = 0; k < nv; k++) {
            row[k] = p->Fq[i * nv + k] - p->Dq[i * nv + k];
            row[nv + k] = p->Fv[i * nv + k] - p->Dv[i * nv + k];
        }
        memcpy(row + 2 * nv, p->Fu + i * nu, (size_t)nu * sizeof(double));
    }
    return sal_lapack_solve(p->G, width, p->Da, nv, err);
}

/* Rows of velocities: dv' = dv + h da' */
static void write_velocities(const sal_model *m, const pieces *p, double *A, double *B)
{
    const int nv = m->nv, nu = m->nu, n = 2 * nv;
    const double h = m->opt.timestep;
    for (int i = 0; i < nv; i++) {
        const double *G = p->G + i * (n + nu);
        for (int k = 0; k < n; k++) {
            A[(nv + i) * n + k] = (k == nv + i) + h * G[k];
        }
        for (int k = 0; k < nu; k++) {
            B[(nv + i) * nu + k] = h * G[n + k];
        }
    }
}

/* X := E^-1 X for the rows of one block, of `width` columns; E by rows of 3, its block k x k */
static sal_status solve_block(const double *E, int k, double *X, int width, sal_err *err)
{
    double block[9];
    for (int i = 0; i < k; i++) {
        memcpy(block + i * k, E + 3 * i, (size_t)k * sizeof(double));
    }
    return sal_lapack_solve(X, width, block, k, err);
}

/* Rows of positions from those of velocities: dq' = E1^-1 (h dv' - E0 dq) */
static sal_status write_positions(const sal_model *m, const pieces *p, double *A, double *B,
                                  sal_err *err)
{
    const int nv = m->nv, nu = m->nu, n = 2 * nv;
    const double h = m->opt.timestep;
    sal_status status = SAL_OK;
    for (int i = 0, k; i < nv && status == SAL_OK; i += k) {
        const int j = m->dof_jntid[i], type = m->jnt_type[j], first = m->jnt_dofadr[j];
        const bool turns = type == SAL_JNT_BALL || (type == SAL_JNT_FREE && i >= first + 3);
        k = turns ? 3 : 1;
        for (int r = i; r < i + k; r++) {
            for (int c = 0; c < n; c++) {
                A[r * n + c] = h * A[(nv + r) * n + c];
            }
            for (int c = 0; c < nu; c++) {
                B[r * nu + c] = h * B[(nv + r) * nu + c];
            }
            for (int c = 0; c < k; c++) {
                A[r * n + i + c] -= p->E0[3 * r + c];
            }
        }
        status = solve_block(p->E1 + 3 * i, k, A + i * n, n, err);
        status = status == SAL_OK ? solve_block(p->E1 + 3 * i, k, B + i * nu, nu, err) : status;
    }
    return status;
}

sal_status run_linear_exact(const sal_model *m, sal_data *d, double *A, double *B,
                            const run_state *x, const double *qpos_next, const double *qvel_next,
                            sal_err *err)
{
    pieces p = {0};
    if (m->na > 0 || slope_varies(m)) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "the derivatives of a step with such actuators are not known exactly");
    }
    sal_status status = take(&p, m, err);
    status = status == SAL_OK ? differentiate(m, d, &p, x, qvel_next, err) : status;
    if (status == SAL_OK) {
        sal_differentiate_pos_deriv(m, p.E0, p.E1, x->qpos, qpos_next);
        status = solve_acceleration(m, &p, err);
        write_velocities(m, &p, A, B);
        status = status == SAL_OK ? write_positions(m, &p, A, B, err) : status;
    }
    if (status == SAL_SINGULAR) {
        status = sal_fail(err, SAL_DIVERGED, "the mass matrix of a step is singular");
    }
    sal_free(p.block);
    return status;
}

/* ---- by differences ---- */

typedef struct ends {
    double *qpos, *qvel, *act; /* where a step leads to */
} ends;

/* Column `column` of (A B): its variable, perturbed by `by`, and one step */
static sal_status step_from(const sal_model *m, sal_data *d, const run_state *x, int column,
                            double by, double *tangent, sal_err *err)
{
    const int nv = m->nv;
    set_state(m, d, x);
    if (column < nv) {
        memset(tangent, 0, (size_t)nv * sizeof(double));
        tangent[column] = 1;
        sal_integrate_pos(m, d->qpos, x->qpos, tangent, by);
    } else if (column < 2 * nv) {
        d->qvel[column - nv] += by;
    } else if (column < 2 * nv + m->na) {
        d->act[column - 2 * nv] += by;
    } else {
        d->ctrl[column - 2 * nv - m->na] += by;
    }
    return sal_step(m, d, err);
}

static sal_status difference(const sal_model *m, sal_data *d, const run_state *x, int column,
                             ends *low, double *change, sal_err *err)
{
    const int nv = m->nv;
    sal_status status = step_from(m, d, x, column, -SAL_FD_STEP, change, err);
    if (status == SAL_OK) {
        memcpy(low->qpos, d->qpos, (size_t)m->nq * sizeof(double));
        memcpy(low->qvel, d->qvel, (size_t)nv * sizeof(double));
        memcpy(low->act, d->act, (size_t)m->na * sizeof(double));
        status = step_from(m, d, x, column, SAL_FD_STEP, change, err);
    }
    if (status == SAL_OK) {
        sal_differentiate_pos(m, change, 2 * SAL_FD_STEP, low->qpos, d->qpos);
        for (int i = 0; i < nv; i++) {
            change[nv + i] = (d->qvel[i] - low->qvel[i]) / (2 * SAL_FD_STEP);
        }
        for (int i = 0; i < m->na; i++) {
            change[2 * nv + i] = (d->act[i] - low->act[i]) / (2 * SAL_FD_STEP);
        }
    }
    return status;
}

sal_status run_linear_fd(const sal_model *m, sal_data *d, double *A, double *B, const run_state *x,
                         sal_err *err)
{
    const int n = 2 * m->nv + m->na, nu = m->nu;
    double *block =
        sal_alloc((size_t)m->nq + (size_t)m->nv + (size_t)m->na + (size_t)n, sizeof(double));
    if (block == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    ends low = {block, block + m->nq, block + m->nq + m->nv};
    double *change = block + m->nq + m->nv + m->na;
    sal_status status = SAL_OK;
    for (int c = 0; c < n + nu && status == SAL_OK; c++) {
        status = difference(m, d, x, c, &low, change, err);
        for (int i = 0; i < n && status == SAL_OK; i++) {
            *(c < n ? A + i * n + c : B + i * nu + c - n) = change[i];
        }
    }
    sal_free(block);
    return status;
}
