/* element_deriv_orientation.c: how the torque of an orientation changes
 * (physics/actuation/orientation.c). With the lengths l, q = exp(l), the moments M [3 x n], and
 *
 *     e = log(q* p),   log(exp(e) exp(a)) = e + J a,   log(exp(a) exp(e)) = e + J'a,
 *     exp(l + dl) = exp(l) exp(X dl)               so that a motion turns q by  a = X dl
 *     exp(u + du) = exp(u) exp(X_u du);            of a quaternion X_u du = 2 Im(p* du)/|u|
 *
 *     T = kp e - kv w       dT = - kp J'X dl - kv (M dv + v'dM) + kp J X_u du
 *     the part s T          d(s T) = s (dT - t t'dT),   s = most/|T|, t = T/|T|;   dT where s = 1
 *     qfrc = M'T            dqfrc = M'dT + dM'T
 */
#include "physics/actuator.h"
#include "physics/deriv/element_deriv.h"
#include "physics/deriv/scratch.h"

#include <string.h>

typedef struct work { /* over the n dofs that it moves */
    int first, n;
    const int *dof;
    const double *M[3];
    double T[3], s, t[3]; /* the torque that is kept, and where it is cut */
    double *dl, *Tq, *Tv; /* [3 x n] */
    double *N;            /* [n x n] dM of one axis */
    double Tu[3][4];      /* by the controls */
} work;

static bool take(sal_arena *arena, work *x)
{
    const size_t n = (size_t)x->n;
    x->N = sal_arena_take(arena, n * n, sizeof *x->N);
    x->dl = sal_arena_take(arena, 3 * n, sizeof *x->dl);
    x->Tq = sal_arena_take(arena, 3 * n, sizeof *x->Tq);
    x->Tv = sal_arena_take(arena, 3 * n, sizeof *x->Tv);
    return x->Tv != NULL;
}

void phy_orientation_scratch(const sal_model *m, sal_arena *arena, int i)
{
    work x = {.n = m->moment_rownnz[i]};
    take(arena, &x);
}

/* D [3 x n] := s (D - t t'D) */
static void limit(const work *x, double *D, int n)
{
    for (int k = 0; k < n && x->s < 1; k++) {
        const double along = x->t[0] * D[k] + x->t[1] * D[n + k] + x->t[2] * D[2 * n + k];
        for (int r = 0; r < 3; r++) {
            D[r * n + k] = x->s * (D[r * n + k] - x->t[r] * along);
        }
    }
}

/* X_u [3 x ninput] */
static void by_controls(double X[3][4], int ninput, const double *u, const double p[4])
{
    double by[9], back[4];
    if (ninput == 3) {
        sal_quat_exp_deriv(by, u);
        for (int k = 0; k < 9; k++) {
            X[k / 3][k % 3] = by[k];
        }
        return;
    }
    const double size = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3]);
    sal_quat_conj(back, p);
    for (int k = 0; k < 4; k++) {
        double unit[4] = {0}, turn[4];
        unit[k] = 1;
        sal_quat_mul(turn, back, unit);
        for (int r = 0; r < 3; r++) {
            X[r][k] = size > SAL_MINVAL ? 2 * turn[1 + r] / size : 0;
        }
    }
}

/* T, and its derivatives but for those that need dM and dl */
static void set_torque(const sal_model *m, const sal_data *d, work *x, const double *u,
                       double turn[9])
{
    const double *w = d->actuator_velocity + x->first;
    const double kp = m->actuator_gainprm[10 * x->first];
    const double kv = -m->actuator_biasprm[10 * x->first + 2];
    double e[3], p[4], J[9], X[9], Xu[3][4] = {{0}};
    int begin;
    const int ninput = phy_orientation_inputs(m, x->first, &begin);
    phy_orientation_target(ninput, u, p);
    phy_orientation_error(d, x->first, p, e);
    by_controls(Xu, ninput, u, p);
    sal_quat_log_deriv(J, e);
    sal_quat_exp_deriv(X, d->actuator_length + x->first);
    for (int r = 0; r < 3; r++) {
        x->T[r] = kp * e[r] - kv * w[r];
        for (int c = 0; c < 4; c++) {
            x->Tu[r][c] =
                kp * (J[3 * r] * Xu[0][c] + J[3 * r + 1] * Xu[1][c] + J[3 * r + 2] * Xu[2][c]);
        }
        for (int c = 0; c < 3; c++) { /* - kp J'X */
            turn[3 * r + c] = -kp * (J[r] * X[c] + J[3 + r] * X[3 + c] + J[6 + r] * X[6 + c]);
        }
    }
    sal_v3_scale(x->t, x->T, x->s < 1 ? 1 / sal_v3_norm(x->T) : 1);
    sal_v3_scale(x->T, x->T, x->s);
}

/* Tq, Tv; and dM'T to Dq */
static void set_motion(const sal_model *m, sal_data *d, work *x, const double turn[9], double *Dq)
{
    const int n = x->n;
    const double kv = -m->actuator_biasprm[10 * x->first + 2];
    for (int r = 0; r < 3; r++) {
        phy_transmission_turn(m, d, x->first + r, x->N, x->dl + r * n);
        for (int k = 0; k < n; k++) {
            double rate = 0;
            for (int j = 0; j < n; j++) {
                rate += d->qvel[x->dof[j]] * x->N[j * n + k];
                if (Dq != NULL) {
                    Dq[(size_t)x->dof[j] * (size_t)m->nv + (size_t)x->dof[k]] +=
                        x->T[r] * x->N[j * n + k];
                }
            }
            x->Tq[r * n + k] = -kv * rate;
            x->Tv[r * n + k] = -kv * x->M[r][k];
        }
    }
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < n; k++) {
            x->Tq[r * n + k] += turn[3 * r] * x->dl[k] + turn[3 * r + 1] * x->dl[n + k] +
                                turn[3 * r + 2] * x->dl[2 * n + k];
        }
    }
    limit(x, x->Tq, n);
    limit(x, x->Tv, n);
}

/* D += M'dT, F += dT, of dT [3 x n] */
static void add(const sal_model *m, const work *x, const double *dT, double *D, double *F)
{
    const size_t nv = (size_t)m->nv;
    for (int r = 0; r < 3; r++) {
        const double *row = dT + r * x->n;
        for (int k = 0; k < x->n; k++) {
            for (int j = 0; j < x->n && D != NULL; j++) {
                D[(size_t)x->dof[j] * nv + (size_t)x->dof[k]] += x->M[r][j] * row[k];
            }
            if (F != NULL) {
                F[(size_t)(x->first + r) * nv + (size_t)x->dof[k]] += row[k];
            }
        }
    }
}

static void add_controls(const sal_model *m, work *x, double *Dw)
{
    int begin;
    const int ninput = phy_orientation_inputs(m, x->first, &begin);
    limit(x, x->Tu[0], 4);
    for (int j = 0; j < x->n && Dw != NULL; j++) {
        double *row = Dw + (size_t)x->dof[j] * (size_t)m->nu + begin;
        for (int c = 0; c < ninput; c++) {
            row[c] +=
                x->M[0][j] * x->Tu[0][c] + x->M[1][j] * x->Tu[1][c] + x->M[2][j] * x->Tu[2][c];
        }
    }
}

void phy_add_orientation(const sal_model *m, sal_data *d, const sal_actuation_jacobian *to,
                         int first, const double *u, double share)
{
    const size_t mark = d->arena.used;
    work x = {.first = first,
              .n = m->moment_rownnz[first],
              .dof = m->moment_colind + m->moment_rowadr[first],
              .s = share};
    double turn[9];
    if (!take(&d->arena, &x)) {
        return;
    }
    for (int r = 0; r < 3; r++) {
        x.M[r] = d->actuator_moment + m->moment_rowadr[first + r];
    }
    set_torque(m, d, &x, u, turn);
    set_motion(m, d, &x, turn, to->Dq);
    add(m, &x, x.Tq, to->Dq, to->Fq);
    add(m, &x, x.Tv, to->Dv, to->Fv);
    add_controls(m, &x, to->Dw);
    d->arena.used = mark;
}
