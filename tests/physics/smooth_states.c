/* smooth_states.c: for tests that run under node: what is smooth in random states of models, as
 * JSON, one model a line:
 *     smooth-states COUNT FILE...
 *     {"file":..., "error":...}   or   {"file":..., "states":[{"qpos":[...], ...}, ...]} */
#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"
#include "physics/stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(const char *name, const double *value, int n)
{
    printf("%s\"%s\":[", name[0] == 'q' && name[1] == 'p' ? "" : ",", name);
    for (int i = 0; i < n; i++) {
        printf("%s%.17g", i == 0 ? "" : ",", value[i]);
    }
    putchar(']');
}

/* Joints up to 1 rad or m from qpos0, free ones .1 m; velocities up to 2; controls and activations
 * somewhat beyond 0 to 1. */
static void random_state(const sal_model *m, sal_data *d, int k)
{
    sal_rng rng = {(uint64_t)k};
    double *step = sal_arena_take(&d->arena, (size_t)m->nv, sizeof(double));
    for (int i = 0; i < m->nv; i++) {
        const int j = m->dof_jntid[i];
        const bool floats = m->jnt_type[j] == SAL_JNT_FREE && i - m->jnt_dofadr[j] < 3;
        step[i] = sal_rng_uniform(&rng, -1, 1) * (floats ? 0.1 : 1);
        d->qvel[i] = sal_rng_uniform(&rng, -2, 2);
    }
    sal_integrate_pos(m, d->qpos, m->qpos0, step, 1);
    d->arena.used = 0;
    for (int i = 0; i < m->nu; i++) {
        d->ctrl[i] = sal_rng_uniform(&rng, -0.5, 1.5);
    }
    for (int i = 0; i < m->na; i++) {
        d->act[i] = sal_rng_uniform(&rng, -0.5, 1.5);
    }
}

/* Jacobians of a point of the body's, of its subtree's centre of mass; d/dt of the first; angular
 * momentum */
static void put_jacobians(const sal_model *m, sal_data *d, int b)
{
    const int n = m->nv;
    double *jac = sal_alloc(18 * (size_t)n, sizeof *jac), velocity[6];
    const double *at = d->xipos + 3 * b, point[3] = {at[0] + 0.1, at[1], at[2] - 0.2};
    sal_jac_body_com(m, d, jac, jac + 3 * n, b);
    sal_jac_subtree_com(m, d, jac + 6 * n, b);
    sal_angular_momentum_matrix(m, d, jac + 9 * n, b);
    sal_jac_dot(m, d, jac + 12 * n, jac + 15 * n, point, b);
    sal_object_velocity(m, d, velocity + 3, velocity, SAL_OBJ_BODY, b, true);
    printf("%s{\"qp\":0", b == 0 ? "" : ",");
    put("jac", jac, 6 * n);
    put("subtree", jac + 6 * n, 3 * n);
    put("angmom", jac + 9 * n, 3 * n);
    put("jacdot", jac + 12 * n, 6 * n);
    put("velocity", velocity, 6);
    printf("}");
    sal_free(jac);
}

static void put_state(const sal_model *m, sal_data *d, double *M)
{
    sal_kinematics(m, d);
    sal_com(m, d);
    sal_tendon(m, d);
    sal_crb(m, d);
    d->ncon = d->nefc = 0;
    phy_actuator_length(m, d);
    sal_velocity(m, d);
    sal_actuation(m, d);
    sal_full_m(m, d, M);
    putchar('{');
    put("qpos", d->qpos, m->nq);
    put("qvel", d->qvel, m->nv);
    put("M", M, m->nv * m->nv);
    put("qfrc_bias", d->qfrc_bias, m->nv);
    put("qfrc_passive", d->qfrc_passive, m->nv);
    put("qfrc_gravcomp", d->qfrc_gravcomp, m->nv);
    put("ten_length", d->ten_length, m->ntendon);
    put("ten_velocity", d->ten_velocity, m->ntendon);
    put("ctrl", d->ctrl, m->nu);
    put("act", d->act, m->na);
    put("act_dot", d->act_dot, m->na);
    put("actuator_length", d->actuator_length, m->nu);
    put("actuator_velocity", d->actuator_velocity, m->nu);
    put("actuator_force", d->actuator_force, m->nu);
    put("qfrc_actuator", d->qfrc_actuator, m->nv);
    sal_energy(m, d);
    put("energy", d->energy, 2);
    printf(",\"bodies\":[");
    for (int b = 0; b < m->nbody; b++) {
        put_jacobians(m, d, b);
    }
    printf("]");
}

/* Constraint rows, with contacts. */
static void put_rows(const sal_model *m, sal_data *d)
{
    if (sal_position(m, d, NULL) != SAL_OK) {
        return;
    }
    sal_velocity(m, d);
    put("efc_pos", d->efc_pos, d->nefc);
    put("efc_R", d->efc_R, d->nefc);
    put("efc_diagA", d->efc_diagApprox, d->nefc);
    put("efc_aref", d->efc_aref, d->nefc);
}

/* qvel and act after one step of each integrator, without constraints */
static void put_steps(sal_model *m, sal_data *d)
{
    static const char *const names[] = {"Euler", "RK4", "implicit", "implicitfast"};
    static const char *const act_names[] = {"Euler_act", "RK4_act", "implicit_act",
                                            "implicitfast_act"};
    const sal_option option = m->opt;
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    double *q = sal_alloc(nq + nv + (size_t)m->na, sizeof *q), *v = q + nq, *act = v + nv;
    memcpy(q, d->qpos, nq * sizeof *q);
    memcpy(v, d->qvel, nv * sizeof *v);
    memcpy(act, d->act, (size_t)m->na * sizeof *act);
    m->opt.disable |= SAL_DSBL_CONSTRAINT;
    for (int i = 0; i < 4; i++) {
        m->opt.integrator = i;
        memcpy(d->qpos, q, nq * sizeof *q);
        memcpy(d->qvel, v, nv * sizeof *v);
        memcpy(d->act, act, (size_t)m->na * sizeof *act);
        if (sal_step(m, d, NULL) == SAL_OK) {
            put(names[i], d->qvel, m->nv);
            put(act_names[i], d->act, m->na);
        }
    }
    m->opt = option;
    sal_free(q);
}

static void put_model(sal_model *m, int count)
{
    sal_data *d = NULL;
    double *M = sal_alloc((size_t)m->nv * (size_t)m->nv + 1, sizeof *M);
    printf(",\"states\":[");
    for (int k = 0; k < count && M != NULL && sal_data_new(&d, m, NULL) == SAL_OK; k++) {
        random_state(m, d, k);
        printf("%s", k == 0 ? "" : ",");
        put_state(m, d, M);
        put_rows(m, d);
        put_steps(m, d);
        putchar('}');
        sal_data_free(d);
    }
    printf("]");
    sal_free(M);
}

int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        sal_model *m = NULL;
        sal_err err = {0};
        const bool good = sal_model_load(&m, argv[i], NULL, NULL, &err) == SAL_OK;
        printf("{\"file\":\"%s\"", argv[i]);
        if (good) {
            put_model(m, (int)strtol(argv[1], NULL, 10));
        } else {
            printf(",\"error\":true");
        }
        printf("}\n");
        sal_model_free(m);
    }
    return 0;
}
