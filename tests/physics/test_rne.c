/* The bias force from energies: Lagrange's equation, the power theorem, the potential. Derivatives
 * by centred differences. */
#include "tests/check.h"
#include "tests/physics/oracle.h"

#include "base/house.h"
#include "physics/stages.h"
#include "physics/width.h"

enum { NSTATE = 20, NMAX = 32 };
#define EPS 1e-5

/* T = v' M(q) v / 2 and V = - sum m g . xi at q (+) step u, without touching the state */
static void energies(oracle *o, double *kinetic, double *potential, const double *u, double step)
{
    const sal_model *m = o->m;
    double q[NMAX], mv[NMAX];
    memcpy(q, o->d->qpos, (size_t)m->nq * sizeof *q);
    sal_integrate_pos(m, o->d->qpos, q, u, step);
    sal_kinematics(m, o->d);
    sal_com(m, o->d);
    sal_crb(m, o->d);
    sal_mul_m(m, o->d, mv, o->d->qvel);
    *kinetic = *potential = 0;
    for (int i = 0; i < m->nv; i++) {
        *kinetic += 0.5 * o->d->qvel[i] * mv[i];
    }
    for (int b = 0; b < m->nbody; b++) {
        *potential -= m->body_mass[b] * sal_v3_dot(m->opt.gravity, o->d->xipos + 3 * b);
    }
    memcpy(o->d->qpos, q, (size_t)m->nq * sizeof *q);
}

static void bias_at(oracle *o, double *bias, bool gravity)
{
    o->m->opt.disable = gravity ? 0 : SAL_DSBL_GRAVITY;
    sal_kinematics(o->m, o->d);
    sal_com(o->m, o->d);
    sal_crb(o->m, o->d);
    phy_bias_force(o->m, o->d);
    memcpy(bias, o->d->qfrc_bias, (size_t)o->m->nv * sizeof *bias);
}

/* at rest c = dV/dq */
static void gravity_is_the_slope_of_the_potential(void)
{
    oracle o;
    double c[NMAX], slope[NMAX], t, v[2];
    oracle_open_own(&o, "tree");
    for (int k = 0; k < NSTATE; k++) {
        oracle_state(&o, k, 2);
        memset(o.d->qvel, 0, (size_t)o.m->nv * sizeof(double));
        for (int i = 0; i < o.m->nv; i++) {
            double e[NMAX] = {0};
            e[i] = 1;
            energies(&o, &t, v, e, EPS);
            energies(&o, &t, v + 1, e, -EPS);
            slope[i] = (v[0] - v[1]) / (2 * EPS);
        }
        bias_at(&o, c, true);
        CHECK(oracle_error(c, slope, o.m->nv) <= 1e-8);
    }
    oracle_close(&o);
}

/* With a = 0 and no gravity the force c does the work that changes the kinetic energy: v . c =
 *     dT/dt along q (+) t v */
static void bias_does_the_work_that_changes_kinetic_energy(void)
{
    oracle o;
    double c[NMAX], t[2], v;
    oracle_open_own(&o, "tree");
    for (int k = 0; k < NSTATE; k++) {
        oracle_state(&o, k, 2);
        energies(&o, t, &v, o.d->qvel, EPS);
        energies(&o, t + 1, &v, o.d->qvel, -EPS);
        bias_at(&o, c, false);
        double power = 0, scale = 0;
        for (int i = 0; i < o.m->nv; i++) {
            power += c[i] * o.d->qvel[i];
            scale += fabs(c[i] * o.d->qvel[i]);
        }
        CHECK_NEAR(power, (t[0] - t[1]) / (2 * EPS), 1e-7 * scale);
    }
    oracle_close(&o);
}

/* Lagrange, where v = dq/dt:  c = dM/dt v - d(v'Mv/2)/dq */
static void bias_is_lagranges(void)
{
    oracle o;
    double c[NMAX], mv[2][NMAX], expected[NMAX], t[2], v;
    oracle_open_own(&o, "linkage");
    const sal_model *m = o.m;
    for (int k = 0; k < NSTATE; k++) {
        oracle_state(&o, k, 2);
        for (int side = 0; side < 2; side++) {
            energies(&o, t, &v, o.d->qvel, side == 0 ? EPS : -EPS);
            sal_mul_m(m, o.d, mv[side], o.d->qvel); /* the matrix of the displaced configuration */
        }
        for (int i = 0; i < m->nv; i++) {
            double e[NMAX] = {0};
            e[i] = 1;
            energies(&o, t, &v, e, EPS);
            energies(&o, t + 1, &v, e, -EPS);
            expected[i] = (mv[0][i] - mv[1][i]) / (2 * EPS) - (t[0] - t[1]) / (2 * EPS);
        }
        bias_at(&o, c, false);
        CHECK(oracle_error(c, expected, m->nv) <= 1e-7);
    }
    oracle_close(&o);
}

/* The momentum of a subtree is the sum of its bodies', and its angular momentum is taken about its
 * centre of mass. */
static void subtree_momentum_is_the_sum_over_bodies(void)
{
    oracle o;
    oracle_open_own(&o, "tree");
    const sal_model *m = o.m;
    for (int k = 0; k < NSTATE; k++) {
        double bias[NMAX];
        oracle_state(&o, k, 2);
        bias_at(&o, bias, true);
        phy_subtree_velocity(m, o.d);
        for (int top = 0; top < m->nbody; top++) {
            double p[3] = {0}, l[3] = {0};
            for (int b = 1; b < m->nbody; b++) {
                int a = b;
                while (a > top) {
                    a = m->body_parentid[a];
                }
                if (a != top) {
                    continue;
                }
                double v[3], w[3], arm[3], swing[3], local[3], spin[3];
                sal_point_velocity(m, o.d, v, w, o.d->xipos + 3 * b, b);
                sal_v3_addscaled(p, p, m->body_mass[b], v);
                sal_v3_sub(arm, o.d->xipos + 3 * b, o.d->subtree_com + 3 * top);
                sal_v3_cross(swing, arm, v);
                sal_v3_addscaled(l, l, m->body_mass[b], swing);
                sal_m3_multv(local, o.d->ximat + 9 * b, w);
                for (int i = 0; i < 3; i++) {
                    local[i] *= m->body_inertia[3 * b + i];
                }
                sal_m3_mulv(spin, o.d->ximat + 9 * b, local);
                sal_v3_add(l, l, spin);
            }
            sal_v3_scale(p, p, 1 / fmax(SAL_MINVAL, m->body_subtreemass[top]));
            CHECK(oracle_error(o.d->subtree_linvel + 3 * top, p, 3) <= 1e-12);
            CHECK(oracle_error(o.d->subtree_angmom + 3 * top, l, 3) <= 1e-12);
        }
    }
    oracle_close(&o);
}

int main(void)
{
    RUN(gravity_is_the_slope_of_the_potential);
    RUN(bias_does_the_work_that_changes_kinetic_energy);
    RUN(bias_is_lagranges);
    RUN(subtree_momentum_is_the_sum_over_bodies);
    return check_done();
}
