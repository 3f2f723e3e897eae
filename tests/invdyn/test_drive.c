/* Motions whose actuators are part of them: derivatives against differences of the whole motion,
 * number by number; that the engine, set to a step and driven by its controls, arrives at the next
 * activations; that nothing is allocated. */
#include "tests/check.h"

#include "base/house.h"
#include "invdyn/invdyn.h"
#include "mjcf/mjcf.h"

enum { NSTEP = 3, NV = 6, NU = 7, NOUTPUT = 5, WIDTH = 3 * NV + 2 * NU + 1 };

static const char arm[] =
    "<mujoco><option timestep='.01'/><worldbody><site name='o' pos='.1 .2 .3'/>"
    "<body pos='0 0 1' gravcomp='.5'><joint name='a' axis='0 1 .1' actuatorgravcomp='true'/>"
    "<geom type='capsule' fromto='0 0 0 .3 0 .1' size='.03'/>"
    "<site name='u' pos='.2 .03 .1' euler='10 20 30'/><body pos='.35 0 .1'>"
    "<joint name='b' axis='0 1 0'/><joint name='c' type='slide' axis='1 0 0'/>"
    "<geom type='box' size='.1 .05 .04' pos='.1 0 0'/>"
    "<site name='p' pos='.2 .01 0' euler='40 0 -20'/><body pos='.2 0 0'>"
    "<joint name='ball' type='ball'/><geom size='.05' pos='.1 0 .1'/></body></body></body>"
    "</worldbody><tendon><fixed name='t'><joint joint='b' coef='2'/><joint joint='c' coef='-3'/>"
    "</fixed><spatial name='s'><site site='o'/><site site='u'/><site site='p'/></spatial></tendon>"
    "<actuator><position joint='b' kp='20' kv='.5' gear='2'/>"
    "<muscle tendon='s' force='50' lengthrange='.5 1.5'/>"
    "<general tendon='t' dyntype='filter' dynprm='.03' gainprm='3'/>"
    "<general site='p' gear='1 2 -1 0 .1 .2' dyntype='filterexact' dynprm='.05' actearly='true'/>"
    "<general site='p' refsite='u' gear='1 0 -2 0 0 0' dyntype='integrator' gainprm='2' "
    "biastype='affine' biasprm='.1 -2 -.1'/>"
    "<general joint='c' lengthrange='-1 1' dyntype='muscle' dynprm='.01 .04 .3' gaintype='muscle' "
    "gainprm='.75 1.05 20 200 .5 1.6 1.5 1.3 1.2' biastype='muscle' biasprm='.75 1.05 20 200 .5 "
    "1.6 1.5 1.3 1.2' actearly='true'/>"
    "<general joint='ball' gaintype='affine' gainprm='1 2 3' gear='1 2 -1'/></actuator></mujoco>";

typedef struct setup {
    sal_model *m;
    sal_invdyn *w;
    sal_output output[NOUTPUT];
    int ny;
    double q[(NSTEP + 2) * (NV + 1)], z[(NSTEP + 1) * NU];
    double *y, *plus, *minus, *Y;
} setup;

static void *room(int n)
{
    void *p = calloc((size_t)n, sizeof(double));
    if (p == NULL) {
        exit(1);
    }
    return p;
}

static void begin(setup *s, sal_derivatives how, unsigned long seed)
{
    static const sal_output_kind kinds[NOUTPUT] = {
        SAL_OUT_ACTUATION, SAL_OUT_FORCE, SAL_OUT_ACTUATOR_FORCE, SAL_OUT_CONTROL, SAL_OUT_INPUT};
    sal_err err = {SAL_OK, ""};
    sal_rng rng = {seed};
    double e[NV];
    memset(s, 0, sizeof *s);
    CHECK_OK(sal_model_parse(&s->m, "arm.xml", arm, strlen(arm), NULL, NULL, &err), err);
    for (int k = 0; k < NOUTPUT; k++) {
        s->output[k].kind = kinds[k];
    }
    CHECK_OK(sal_invdyn_new(&s->w, s->m, s->output, NOUTPUT, how, SAL_FD_CENTRED, 1, &err), err);
    s->ny = sal_invdyn_noutput(s->w);
    CHECK(s->m->nv == NV && s->m->nu == NU && sal_invdyn_ncolumn(s->w) == WIDTH);
    s->y = room(NSTEP * s->ny), s->plus = room(NSTEP * s->ny), s->minus = room(NSTEP * s->ny);
    s->Y = room(NSTEP * s->ny * WIDTH);
    for (int i = 0; i < NV; i++) {
        e[i] = sal_rng_uniform(&rng, -0.4, 0.4);
    }
    sal_integrate_pos(s->m, s->q, s->m->qpos0, e, 1);
    for (int k = 1; k < NSTEP + 2; k++) {
        for (int i = 0; i < NV; i++) {
            e[i] = sal_rng_uniform(&rng, -0.02, 0.02);
        }
        sal_integrate_pos(s->m, s->q + k * s->m->nq, s->q + (k - 1) * s->m->nq, e, 1);
    }
    for (int i = 0; i < (NSTEP + 1) * NU; i++) {
        s->z[i] = i < NU ? sal_rng_uniform(&rng, 0.2, 0.8)
                         : s->z[i - NU] + sal_rng_uniform(&rng, -0.05, 0.05);
    }
}

static void end(setup *s)
{
    sal_invdyn_free(s->w);
    sal_model_free(s->m);
    free(s->y), free(s->plus), free(s->minus), free(s->Y);
}

static void evaluate(setup *s, double *y)
{
    sal_err err = {SAL_OK, ""};
    const sal_motion motion = {.nstep = NSTEP, .q = s->q, .z = s->z};
    CHECK_OK(sal_invdyn_eval(s->w, s->m, y, &motion, &err), err);
}

/* (plus - minus) / 2 eps against column `column` of step t, relative to the largest number of the
 * output's rows. */
static double worst_column(const setup *s, int t, int column, double eps)
{
    double worst = 0;
    for (int k = 0; k < NOUTPUT; k++) {
        const sal_output *output = s->output + k;
        for (int r = t * s->ny + output->adr, n = 0; n < output->n; n++, r++) {
            const double fd = (s->plus[r] - s->minus[r]) / (2 * eps);
            const double scale = output->kind == SAL_OUT_FORCE ? 1e3 : 1;
            worst = fmax(worst, fabs(s->Y[r * WIDTH + column] - fd) / (scale + fabs(fd)));
        }
    }
    return worst;
}

static double worst_by_q(setup *s, int t)
{
    double worst = 0, e[NV] = {0}, kept[NV + 1];
    for (int c = 0; c < 3 * NV; c++) {
        double *q = s->q + (t + c / NV) * s->m->nq;
        memcpy(kept, q, sizeof kept);
        e[c % NV] = 1e-6;
        sal_integrate_pos(s->m, q, kept, e, 1);
        evaluate(s, s->plus);
        sal_integrate_pos(s->m, q, kept, e, -1);
        evaluate(s, s->minus);
        memcpy(q, kept, sizeof kept);
        e[c % NV] = 0;
        worst = fmax(worst, worst_column(s, t, c, 1e-6));
    }
    return worst;
}

static double worst_by_z(setup *s, int t)
{
    double worst = 0;
    for (int c = 0; c < 2 * NU; c++) {
        double *z = s->z + t * NU + c;
        const double kept = *z;
        *z = kept + 1e-6;
        evaluate(s, s->plus);
        *z = kept - 1e-6;
        evaluate(s, s->minus);
        *z = kept;
        worst = fmax(worst, worst_column(s, t, 3 * NV + c, 1e-6));
    }
    return worst;
}

static double worst_by_h(setup *s, int t)
{
    const double h = s->m->opt.timestep;
    s->m->opt.timestep = h * exp(1e-6);
    evaluate(s, s->plus);
    s->m->opt.timestep = h * exp(-1e-6);
    evaluate(s, s->minus);
    s->m->opt.timestep = h;
    return worst_column(s, t, WIDTH - 1, 1e-6);
}

static void compare(sal_derivatives how, double tolerance)
{
    for (unsigned long seed = 1; seed < 6; seed++) {
        setup s;
        sal_err err = {SAL_OK, ""};
        sal_model *mh = NULL;
        begin(&s, how, seed);
        const sal_motion motion = {.nstep = NSTEP, .q = s.q, .z = s.z};
        CHECK_OK(sal_model_copy(&mh, s.m, &err), err);
        mh->opt.timestep *= 1 + SAL_FD_STEP;
        CHECK_OK(sal_invdyn_diff(s.w, s.m, mh, s.y, s.Y, &motion, &err), err);
        double q = 0, z = 0, h = 0;
        for (int t = 0; t < NSTEP; t++) {
            q = fmax(q, worst_by_q(&s, t));
            z = fmax(z, worst_by_z(&s, t));
            h = fmax(h, worst_by_h(&s, t));
        }
        printf("seed %lu: by q %.1e, by z %.1e, by log h %.1e\n", seed, q, z, h);
        CHECK(q <= tolerance && z <= tolerance && h <= tolerance * 10);
        sal_model_free(mh);
        end(&s);
    }
}

static void exact_derivatives_agree_with_differences(void)
{
    compare(SAL_DERIV_ANALYTIC, 2e-6);
}

static void differences_agree_with_differences(void)
{
    compare(SAL_DERIV_FD, 1e-4);
}

/* The force of the motion, less that of its actuators, as the applied force: the engine's next
 * state is the motion's, act included. */
static void the_engine_makes_the_motion(void)
{
    setup s;
    sal_err err = {SAL_OK, ""};
    sal_data *d = NULL;
    begin(&s, SAL_DERIV_AUTO, 3);
    evaluate(&s, s.y);
    CHECK_OK(sal_data_new(&d, s.m, &err), err);
    for (int t = 0; t < NSTEP; t++) {
        const double *y = s.y + t * s.ny, *q = s.q + (t + 1) * s.m->nq, *z = s.z + t * NU;
        double e[NV];
        memcpy(d->qpos, q, (size_t)s.m->nq * sizeof *q);
        sal_motion_velocity(s.m, d->qvel, q - s.m->nq, q);
        memcpy(d->ctrl, y + s.output[3].adr, NU * sizeof *y);
        for (int i = 0; i < NU; i++) {
            if (s.m->actuator_actadr[i] >= 0) {
                d->act[s.m->actuator_actadr[i]] = z[i];
                s.m->actuator_ctrllimited[i] = 0; /* random activations may ask for more */
            }
        }
        for (int i = 0; i < NV; i++) {
            d->qfrc_applied[i] = y[s.output[1].adr + i] - y[s.output[0].adr + i];
        }
        CHECK_OK(sal_step(s.m, d, &err), err);
        sal_differentiate_pos(s.m, e, 1, q + s.m->nq, d->qpos);
        for (int i = 0; i < NV; i++) {
            CHECK_NEAR(e[i], 0, 1e-11);
        }
        for (int i = 0; i < NU; i++) {
            if (s.m->actuator_actadr[i] >= 0 && s.m->actuator_dyntype[i] != SAL_DYN_MUSCLE) {
                CHECK_NEAR(d->act[s.m->actuator_actadr[i]], z[NU + i], 1e-12);
            }
        }
    }
    sal_data_free(d);
    end(&s);
}

static void an_evaluation_allocates_nothing(void)
{
    setup s;
    sal_err err = {SAL_OK, ""};
    begin(&s, SAL_DERIV_AUTO, 4);
    const sal_motion motion = {.nstep = NSTEP, .q = s.q, .z = s.z};
    evaluate(&s, s.y);
    const long before = sal_alloc_count();
    for (int k = 0; k < 100; k++) {
        evaluate(&s, s.y);
        CHECK_OK(sal_invdyn_diff(s.w, s.m, NULL, s.y, s.Y, &motion, &err), err);
    }
    CHECK(sal_alloc_count() == before);
    end(&s);
}

int main(void)
{
    RUN(exact_derivatives_agree_with_differences);
    RUN(differences_agree_with_differences);
    RUN(the_engine_makes_the_motion);
    RUN(an_evaluation_allocates_nothing);
    return check_done();
}
