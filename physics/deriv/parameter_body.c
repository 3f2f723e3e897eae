/* parameter_body.c: how the forces that a motion needs vary with the inertias of bodies and with
 * gravity. Bodies count with mass m, h = m c and the inertia I about the body's origin, in which
 * their forces are linear:
 *
 *     force at the origin, which accelerates by p (less gravity)
 *     F = m p + wdot x h + w x (w x h),    N = I wdot + w x I w + h x p
 */
#include "base/house.h"
#include "physics/deriv/parameter_change.h"
#include "physics/stages.h"

#include <string.h>

/* m, h 3, I about the origin xx yy zz xy xz yz */
static void inertia_numbers(double out[10], const sal_model *m, int b)
{
    const double mass = m->body_mass[b], *c = m->body_ipos + 3 * b, *I = m->body_inertia + 3 * b;
    const double square = sal_v3_dot(c, c);
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    double r[9];
    sal_quat_matrix(r, m->body_iquat + 4 * b);
    out[0] = mass;
    sal_v3_scale(out + 1, c, mass);
    for (int k = 0; k < 6; k++) {
        const int i = row[k], j = column[k];
        out[4 + k] = mass * ((i == j ? square : 0) - c[i] * c[j]);
        for (int a = 0; a < 3; a++) {
            out[4 + k] += r[3 * i + a] * I[a] * r[3 * j + a];
        }
    }
}

static bool inertia_change(double out[10], const sal_model_change *c, int b)
{
    double minus[10], plus[10];
    bool any = false;
    inertia_numbers(minus, c->minus, b);
    inertia_numbers(plus, c->plus, b);
    for (int k = 0; k < 10; k++) {
        out[k] = phy_changed_by(c, minus[k], plus[k]);
        any = any || out[k] != 0;
    }
    return any;
}

/* r = I u */
static void rotational(double r[3], const double I[6], const double u[3])
{
    r[0] = I[0] * u[0] + I[3] * u[1] + I[4] * u[2];
    r[1] = I[3] * u[0] + I[1] * u[1] + I[5] * u[2];
    r[2] = I[4] * u[0] + I[5] * u[1] + I[2] * u[2];
}

/* How a body moves: angular velocity, its change, acceleration of the origin less gravity; in the
 * world's axes. */
typedef struct body_motion {
    double w[3], wdot[3], p[3];
} body_motion;

/* With V = cvel and A = -g + sum(sdot v + s a) about the point c:
 * p = A_linear + wdot x (x - c) + w x (V_linear + w x (x - c)) */
static body_motion motion_of(const sal_model *m, const sal_data *d, int b, const double *a)
{
    const double *v = d->cvel + 6 * b, *centre = d->subtree_com + 3 * m->body_rootid[b];
    const bool falls = !(m->opt.disable & SAL_DSBL_GRAVITY);
    const int *chain = m->chain_dof + m->body_chainadr[b];
    double acc[6] = {0}, arm[3], u[3];
    body_motion out;
    for (int i = 0; i < 3 && falls; i++) {
        acc[3 + i] = -m->opt.gravity[i];
    }
    for (int k = 0; k < m->body_chainnum[b]; k++) {
        const int i = chain[k];
        for (int n = 0; n < 6; n++) {
            acc[n] += d->cdof_dot[6 * i + n] * d->qvel[i] + d->cdof[6 * i + n] * a[i];
        }
    }
    sal_v3_copy(out.w, v);
    sal_v3_copy(out.wdot, acc);
    sal_v3_sub(arm, d->xpos + 3 * b, centre);
    sal_v3_cross(u, v, arm);
    sal_v3_add(u, u, v + 3);
    sal_v3_cross(out.p, v, u);
    sal_v3_add(out.p, out.p, acc + 3);
    sal_v3_cross(u, acc, arm);
    sal_v3_add(out.p, out.p, u);
    return out;
}

/* Of accelerations alone. */
static body_motion acceleration_of(const sal_model *m, const sal_data *d, int b, const double *a)
{
    const double *centre = d->subtree_com + 3 * m->body_rootid[b];
    const int *chain = m->chain_dof + m->body_chainadr[b];
    double acc[6] = {0}, arm[3];
    body_motion out = {{0}, {0}, {0}};
    for (int k = 0; k < m->body_chainnum[b]; k++) {
        for (int n = 0; n < 6; n++) {
            acc[n] += d->cdof[6 * chain[k] + n] * a[chain[k]];
        }
    }
    sal_v3_copy(out.wdot, acc);
    sal_v3_sub(arm, d->xpos + 3 * b, centre);
    sal_v3_cross(out.p, acc, arm);
    sal_v3_add(out.p, out.p, acc + 3);
    return out;
}

/* r += J' (F; N) of a body of these ten numbers */
static void add_body(const sal_model *m, const sal_data *d, double *r, int b, const double x[10],
                     const body_motion *at)
{
    const double *rot = d->xmat + 9 * b;
    double w[3], wdot[3], p[3], f[3], n[3], t[3], u[3];
    sal_m3_multv(w, rot, at->w);
    sal_m3_multv(wdot, rot, at->wdot);
    sal_m3_multv(p, rot, at->p);
    const double *h = x + 1;
    sal_v3_scale(f, p, x[0]);
    sal_v3_cross(t, wdot, h);
    sal_v3_add(f, f, t);
    sal_v3_cross(t, w, h);
    sal_v3_cross(u, w, t);
    sal_v3_add(f, f, u);
    rotational(n, x + 4, wdot);
    rotational(t, x + 4, w);
    sal_v3_cross(u, w, t);
    sal_v3_add(n, n, u);
    sal_v3_cross(u, h, p);
    sal_v3_add(n, n, u);
    sal_m3_mulv(t, rot, f);
    sal_m3_mulv(u, rot, n);
    sal_apply_force(m, d, r, t, u, d->xpos + 3 * b, b);
}

void phy_inertia_terms(const sal_model *m, const sal_data *d, const sal_model_change *c,
                       const double *a, double *out, const double *x, double *lag)
{
    for (int b = 1; b < m->nbody; b++) {
        double numbers[10];
        if (m->body_chainnum[b] > 0 && inertia_change(numbers, c, b)) {
            const body_motion moves = motion_of(m, d, b, a);
            add_body(m, d, out, b, numbers, &moves);
            if (lag != NULL) {
                const body_motion lags = acceleration_of(m, d, b, x);
                add_body(m, d, lag, b, numbers, &lags);
            }
        }
    }
}

void phy_gravity_terms(const sal_model *m, const sal_data *d, const sal_model_change *c,
                       double *out)
{
    static const double none[3] = {0, 0, 0};
    double dg[3], f[3];
    for (int i = 0; i < 3; i++) {
        dg[i] = phy_changed_by(c, c->minus->opt.gravity[i], c->plus->opt.gravity[i]);
    }
    for (int b = 1; b < m->nbody && !(m->opt.disable & SAL_DSBL_GRAVITY); b++) {
        sal_v3_scale(f, dg, -m->body_mass[b]);
        sal_apply_force(m, d, out, f, none, d->xipos + 3 * b, b);
    }
}
