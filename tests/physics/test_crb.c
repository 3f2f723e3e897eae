/* The mass matrix and the Jacobians, from their definitions. */
#include "tests/check.h"
#include "tests/physics/oracle.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/stages.h"

enum { NSTATE = 20, NMAX = 32 };

/* M = sum_b m Jp' Jp + Jr' (R diag(I) R') Jr + diag(armature), with the Jacobians at the centres of
 * mass */
static void mass_matrix_is_the_sum_over_bodies(void)
{
    oracle o;
    static double jp[3 * NMAX], jr[3 * NMAX], dense[NMAX * NMAX], sum[NMAX * NMAX];
    oracle_open_own(&o, "tree");
    const sal_model *m = o.m;
    const int nv = m->nv;
    for (int k = 0; k < NSTATE; k++) {
        oracle_state(&o, k, 2);
        sal_kinematics(m, o.d);
        sal_com(m, o.d);
        sal_crb(m, o.d);
        sal_full_m(m, o.d, dense);
        memset(sum, 0, sizeof sum);
        for (int b = 1; b < m->nbody; b++) {
            const double *r = o.d->ximat + 9 * b, *inertia = m->body_inertia + 3 * b;
            sal_jac(m, o.d, jp, jr, o.d->xipos + 3 * b, b);
            for (int e = 0; e < nv * nv; e++) {
                const int i = e / nv, j = e % nv;
                for (int a = 0; a < 3; a++) {
                    double wi = 0, wj = 0; /* along principal axis a */
                    for (int c = 0; c < 3; c++) {
                        wi += r[3 * c + a] * jr[c * nv + i];
                        wj += r[3 * c + a] * jr[c * nv + j];
                    }
                    sum[e] +=
                        m->body_mass[b] * jp[a * nv + i] * jp[a * nv + j] + inertia[a] * wi * wj;
                }
            }
        }
        for (int i = 0; i < nv; i++) {
            sum[i * nv + i] += m->dof_armature[i];
        }
        CHECK(oracle_error(dense, sum, nv * nv) <= 1e-14);
    }
    oracle_close(&o);
}

/* A point fixed to the body, in the world, at configuration q (+) step e_i; quat: the body's. */
static void moved(oracle *o, double point[3], double quat[4], const double local[3], int b, int i,
                  double step)
{
    double v[NMAX] = {0}, q[NMAX], arm[3];
    v[i] = 1;
    memcpy(q, o->d->qpos, (size_t)o->m->nq * sizeof *q);
    sal_integrate_pos(o->m, o->d->qpos, q, v, step);
    sal_kinematics(o->m, o->d);
    sal_m3_mulv(arm, o->d->xmat + 9 * b, local);
    sal_v3_add(point, o->d->xpos + 3 * b, arm);
    sal_quat_copy(quat, o->d->xquat + 4 * b);
    memcpy(o->d->qpos, q, (size_t)o->m->nq * sizeof *q);
}

/* Columns against centred differences of where the point goes: an error of about eps^2 + 1e-16/eps
 * = 1e-10. */
static void jacobians_are_derivatives_of_positions(void)
{
    oracle o;
    const double eps = 1e-5, local[3] = {0.3, -0.2, 0.1};
    static double jp[3 * NMAX], jr[3 * NMAX];
    oracle_open_own(&o, "tree");
    const sal_model *m = o.m;
    for (int e = 0; e < NSTATE * m->nv * m->nbody; e++) {
        const int i = e % m->nv, b = e / m->nv % m->nbody, k = e / m->nv / m->nbody;
        double p[3], plus[3], minus[3], q[4], qplus[4], qminus[4], back[4], turn[4], w[3];
        if (e % (m->nv * m->nbody) == 0) {
            oracle_state(&o, k, 2);
        }
        moved(&o, plus, qplus, local, b, i, eps);
        moved(&o, minus, qminus, local, b, i, -eps);
        moved(&o, p, q, local, b, i, 0);
        sal_com(m, o.d);
        sal_jac(m, o.d, jp, jr, p, b);
        sal_quat_conj(back, qminus);
        sal_quat_mul(turn, qplus, back); /* world axes */
        sal_quat_log(w, turn);
        for (int c = 0; c < 3; c++) {
            CHECK_NEAR(jp[c * m->nv + i], (plus[c] - minus[c]) / (2 * eps), 1e-9);
            CHECK_NEAR(jr[c * m->nv + i], w[c] / (2 * eps), 1e-9);
        }
    }
    oracle_close(&o);
}

/* M (M^-1 x) = x, and the factor is one of M. */
static void factor_solves(void)
{
    oracle o;
    double x[NMAX], y[NMAX];
    oracle_open_own(&o, "tree");
    for (int k = 0; k < NSTATE; k++) {
        oracle_state(&o, k, 2);
        sal_kinematics(o.m, o.d);
        sal_com(o.m, o.d);
        sal_crb(o.m, o.d);
        sal_factor(o.m, o.d);
        memcpy(x, o.d->qacc, sizeof *x * (size_t)o.m->nv);
        sal_solve_m(o.m, o.d, x);
        sal_mul_m(o.m, o.d, y, x);
        CHECK(oracle_error(y, o.d->qacc, o.m->nv) <= 1e-12);
    }
    oracle_close(&o);
}

static void both_ways_to_inertial_forces_agree(const sal_model *m, sal_data *d)
{
    double by_recursion[NMAX], by_matrix[NMAX];
    sal_kinematics(m, d);
    sal_com(m, d);
    sal_tendon(m, d);
    phy_inertial_force(m, d, by_recursion, d->qacc);
    CHECK(!d->composed);
    sal_mul_m(m, d, by_matrix, d->qacc);
    CHECK(d->composed);
    CHECK(oracle_error(by_recursion, by_matrix, m->nv) <= 1e-13);
}

static void inertial_forces_need_no_matrix(void)
{
    oracle o;
    oracle_open_own(&o, "tree");
    for (int k = 0; k < NSTATE; k++) {
        oracle_state(&o, k, 2);
        both_ways_to_inertial_forces_agree(o.m, o.d);
    }
    oracle_close(&o);
}

/* Two branches, held together by tendons with inertia: M has no entry for dofs that are not above
 * each other. */
static void inertial_forces_of_tendons_need_none(void)
{
    static const char xml[] =
        "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/><site name='a'/>"
        "<body pos='.2 0 0'><joint name='i' axis='0 1 0'/><geom size='.05' pos='.2 0 0'/>"
        "<body pos='.3 0 0'><joint name='j' axis='1 0 1'/><geom size='.05' pos='0 .1 .1'/>"
        "<site name='b' pos='.1 .1 0'/></body></body>"
        "<body pos='-.2 0 0'><joint name='k' type='ball'/><geom size='.05' pos='-.2 .1 0'/>"
        "<site name='c' pos='-.1 0 .1'/></body></body></worldbody><tendon>"
        "<spatial armature='.7'><site site='b'/><site site='a'/><site site='c'/></spatial>"
        "<fixed armature='.3'><joint joint='i' coef='2'/><joint joint='j' coef='-1'/></fixed>"
        "</tendon></mujoco>";
    sal_model *m;
    sal_data *d;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_rng rng = {1};
    CHECK_OK(sal_model_parse(&m, "tendons", xml, sizeof xml - 1, NULL, &diag, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    for (int k = 0; k < NSTATE; k++) {
        for (int i = 0; i < m->nv; i++) {
            d->qvel[i] = sal_rng_uniform(&rng, -1, 1);
            d->qacc[i] = sal_rng_uniform(&rng, -9, 9);
        }
        sal_integrate_pos(m, d->qpos, d->qpos, d->qvel, 1);
        both_ways_to_inertial_forces_agree(m, d);
    }
    sal_data_free(d);
    sal_model_free(m);
    sal_diag_clear(&diag);
}

int main(void)
{
    RUN(mass_matrix_is_the_sum_over_bodies);
    RUN(jacobians_are_derivatives_of_positions);
    RUN(factor_solves);
    RUN(inertial_forces_need_no_matrix);
    RUN(inertial_forces_of_tendons_need_none);
    return check_done();
}
