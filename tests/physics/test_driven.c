/* Actuators driven by inputs that are given: the same forces as by ctrl and act, derivatives beside
 * differences; and the control that takes an activation from one value to another beside the step
 * that it makes. */
#include "tests/check.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"

enum { NV = 3, NU = 8 };

static const char arm[] =
    "<mujoco><option gravity='0 0 -9'/><worldbody><site name='o' pos='.1 .2 .3'/>"
    "<body pos='0 0 1' gravcomp='.5'><joint name='a' axis='0 1 .1' actuatorgravcomp='true'/>"
    "<geom type='capsule' fromto='0 0 0 .3 0 .1' size='.03'/>"
    "<site name='u' pos='.2 .03 .1' euler='10 20 30'/><body pos='.35 0 .1'>"
    "<joint name='b' axis='0 1 0'/><joint name='c' type='slide' axis='1 0 0'/>"
    "<geom type='box' size='.1 .05 .04' pos='.1 0 0'/>"
    "<site name='p' pos='.2 .01 0' euler='40 0 -20'/></body></body></worldbody>"
    "<tendon><fixed name='t'><joint joint='b' coef='2'/><joint joint='c' coef='-3'/></fixed>"
    "<spatial name='s'><site site='o'/><site site='u'/><site site='p'/></spatial></tendon>"
    "<actuator><position joint='b' kp='20' kv='.5' gear='2'/>"
    "<muscle tendon='s' force='50' lengthrange='.5 1.5'/>"
    "<general tendon='t' dyntype='filter' dynprm='.03' gainprm='3'/>"
    "<general site='p' gear='1 2 -1 0 .1 .2' dyntype='filterexact' dynprm='.05' actearly='true'/>"
    "<general site='p' refsite='u' gear='1 0 -2 0 0 0' dyntype='integrator' gainprm='2' "
    "biastype='affine' biasprm='.1 -2 -.1'/>"
    "<muscle joint='c' lengthrange='-1 1' tausmooth='.3' force='20'/>"
    "<general joint='a' gaintype='affine' gainprm='1 2 3' group='4'/>"
    "<dcmotor joint='c' motorconst='.3' resistance='2' cogging='.4 6 .2'/></actuator></mujoco>";

typedef struct bench {
    sal_model *m;
    sal_data *d;
} bench;

static bench bench_open(void)
{
    bench b = {0};
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_model_parse(&b.m, "arm.xml", arm, strlen(arm), NULL, NULL, &err), err);
    CHECK_OK(sal_data_new(&b.d, b.m, &err), err);
    CHECK(b.m->nv == NV && b.m->nu == NU && b.m->na == 5);
    return b;
}

static void bench_close(bench *b)
{
    sal_data_free(b->d);
    sal_model_free(b->m);
}

static void random_state(bench *b, int k)
{
    sal_rng rng = {(uint64_t)k};
    for (int i = 0; i < NV; i++) {
        b->d->qpos[i] = sal_rng_uniform(&rng, -0.5, 0.5);
        b->d->qvel[i] = sal_rng_uniform(&rng, -1, 1);
    }
    for (int i = 0; i < NU; i++) {
        b->d->ctrl[i] = sal_rng_uniform(&rng, 0, 1);
    }
    for (int i = 0; i < b->m->na; i++) {
        b->d->act[i] = sal_rng_uniform(&rng, 0.1, 0.9);
    }
}

static void settle(bench *b)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_position(b->m, b->d, &err), err);
    sal_velocity(b->m, b->d);
}

/* What the gains multiply at ctrl and act. */
static void inputs_of(bench *b, double w[NU])
{
    sal_err err = {SAL_OK, ""};
    sal_data *next;
    CHECK_OK(sal_data_new(&next, b->m, &err), err);
    memcpy(next->qpos, b->d->qpos, NV * sizeof(double));
    memcpy(next->qvel, b->d->qvel, NV * sizeof(double));
    memcpy(next->ctrl, b->d->ctrl, NU * sizeof(double));
    memcpy(next->act, b->d->act, (size_t)b->m->na * sizeof(double));
    CHECK_OK(sal_step(b->m, next, &err), err);
    for (int i = 0; i < NU; i++) {
        const int adr = b->m->actuator_actadr[i];
        w[i] = adr < 0 ? b->d->ctrl[i] : (b->m->actuator_actearly[i] ? next : b->d)->act[adr];
    }
    sal_data_free(next);
}

static void same_forces_as_by_ctrl_and_act(void)
{
    bench b = bench_open();
    for (int k = 0; k < 20; k++) {
        double w[NU], force[NU], joint[NV];
        random_state(&b, k);
        settle(&b);
        sal_actuation(b.m, b.d);
        memcpy(force, b.d->actuator_force, sizeof force);
        memcpy(joint, b.d->qfrc_actuator, sizeof joint);
        inputs_of(&b, w);
        sal_actuation_driven(b.m, b.d, w);
        for (int i = 0; i < NU; i++) {
            CHECK_NEAR(b.d->actuator_force[i], force[i], 1e-12);
        }
        for (int i = 0; i < NV; i++) {
            CHECK_NEAR(b.d->qfrc_actuator[i], joint[i], 1e-12);
        }
    }
    bench_close(&b);
}

/* Both forces at inputs w, after one number has moved. */
static void forces_at(bench *b, const double *w, double r[NV + NU])
{
    settle(b);
    sal_actuation_driven(b->m, b->d, w);
    memcpy(r, b->d->qfrc_actuator, NV * sizeof *r);
    memcpy(r + NV, b->d->actuator_force, NU * sizeof *r);
}

static void centred(bench *b, double *w, double *x, double slope[NV + NU])
{
    const double before = *x, h = 1e-6;
    double minus[NV + NU];
    *x = before + h;
    forces_at(b, w, slope);
    *x = before - h;
    forces_at(b, w, minus);
    *x = before;
    for (int i = 0; i < NV + NU; i++) {
        slope[i] = (slope[i] - minus[i]) / (2 * h);
    }
}

static void derivatives_agree_with_differences(void)
{
    bench b = bench_open();
    for (int k = 0; k < 20; k++) {
        double Dq[NV * NV], Dv[NV * NV], Dw[NV * NU], Fq[NU * NV], Fv[NU * NV], Fw[NU];
        double w[NU], unused[NV + NU], slope[NV + NU];
        random_state(&b, k);
        inputs_of(&b, w);
        forces_at(&b, w, unused);
        const sal_actuation_jacobian to = {Dq, Dv, Dw, Fq, Fv, Fw};
        sal_actuation_driven_deriv(b.m, b.d, w, &to);
        for (int c = 0; c < NV; c++) {
            for (int rate = 0; rate < 2; rate++) {
                const double *D = rate ? Dv : Dq, *F = rate ? Fv : Fq;
                centred(&b, w, (rate ? b.d->qvel : b.d->qpos) + c, slope);
                for (int i = 0; i < NV; i++) {
                    CHECK_NEAR(D[i * NV + c], slope[i], 2e-6 * (1 + fabs(slope[i])));
                }
                for (int i = 0; i < NU; i++) {
                    CHECK_NEAR(F[i * NV + c], slope[NV + i], 2e-6 * (1 + fabs(slope[NV + i])));
                }
            }
        }
        for (int c = 0; c < NU; c++) {
            centred(&b, w, w + c, slope);
            for (int i = 0; i < NV; i++) {
                CHECK_NEAR(Dw[i * NU + c], slope[i], 1e-7 * (1 + fabs(slope[i])));
            }
            CHECK_NEAR(Fw[c], slope[NV + c], 1e-7 * (1 + fabs(Fw[c])));
        }
    }
    bench_close(&b);
}

/* ctrl makes act go to next; the inverse must say ctrl. */
static void a_step_of_an_activation_is_undone(void)
{
    bench b = bench_open();
    for (int k = 0; k < 200; k++) {
        double ctrl[NU], act[NU];
        sal_err err = {SAL_OK, ""};
        random_state(&b, k);
        memcpy(ctrl, b.d->ctrl, sizeof ctrl);
        memcpy(act, b.d->act, (size_t)b.m->na * sizeof(double));
        CHECK_OK(sal_step(b.m, b.d, &err), err);
        for (int i = 0; i < NU; i++) {
            const int adr = b.m->actuator_actadr[i];
            if (adr >= 0) {
                const double u = sal_activation_control(b.m, i, act[adr], b.d->act[adr], NULL);
                CHECK_NEAR(u, ctrl[i], 1e-12);
            }
        }
    }
    bench_close(&b);
}

static void slopes_of_the_control_agree_with_differences(void)
{
    bench b = bench_open();
    const double h = b.m->opt.timestep, eps = 1e-7;
    sal_rng rng = {7};
    for (int k = 0; k < 200; k++) {
        const double act = sal_rng_uniform(&rng, 0.05, 0.95);
        const double next = act + sal_rng_uniform(&rng, -0.05, 0.05);
        for (int i = 0; i < NU; i++) {
            double slope[3], fd[3];
            if (b.m->actuator_actadr[i] < 0) {
                continue;
            }
            sal_activation_control(b.m, i, act, next, slope);
            fd[0] = sal_activation_control(b.m, i, act + eps, next, NULL) -
                    sal_activation_control(b.m, i, act - eps, next, NULL);
            fd[1] = sal_activation_control(b.m, i, act, next + eps, NULL) -
                    sal_activation_control(b.m, i, act, next - eps, NULL);
            b.m->opt.timestep = h * exp(eps);
            fd[2] = sal_activation_control(b.m, i, act, next, NULL);
            b.m->opt.timestep = h * exp(-eps);
            fd[2] -= sal_activation_control(b.m, i, act, next, NULL);
            b.m->opt.timestep = h;
            for (int n = 0; n < 3; n++) {
                CHECK_NEAR(slope[n], fd[n] / (2 * eps), 1e-5 * (1 + fabs(slope[n])));
            }
        }
    }
    bench_close(&b);
}

int main(void)
{
    RUN(same_forces_as_by_ctrl_and_act);
    RUN(derivatives_agree_with_differences);
    RUN(a_step_of_an_activation_is_undone);
    RUN(slopes_of_the_control_agree_with_differences);
    return check_done();
}
