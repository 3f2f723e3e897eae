#include "tests/check.h"

#include "identify/rollout.h"

/* A puck on a slide, a block that floats, an arm with a motor and a gyroscope; no gravity but along
 * the arm's plane. */
static const char xml[] =
    "<mujoco><option timestep='.005' gravity='0 0 0' integrator='Euler'/><worldbody>"
    "<body name='puck'><joint name='slide' type='slide' axis='1 0 0'/><geom size='.1' "
    "mass='2'/></body>"
    "<body name='block' pos='0 3 0'><freejoint name='root'/><geom type='box' size='.1 .2 .3' "
    "mass='6'/><site name='corner' pos='.1 .2 .3'/></body>"
    "<body name='arm' pos='0 6 0'><joint name='hinge' axis='0 1 0' damping='.1'/><geom "
    "type='capsule' "
    "fromto='0 0 0 .5 0 0' size='.03' mass='1'/><site name='s'/></body></worldbody>"
    "<actuator><motor name='motor' joint='hinge' gear='2'/></actuator>"
    "<sensor><gyro name='gyro' site='s'/></sensor></mujoco>";

enum {
    SAMPLES = 21,
    SUB = 4,
    SLIDE = 0,
    RATE,
    POSE,
    CORNER,
    GYRO,
    MOTOR,
    PUSH,
    NCHANNEL,
    NVALUE = 1 + 1 + 7 + 3 + 3 + 1 + 6
};

typedef struct world {
    sal_model *m;
    prb_channel channel[NCHANNEL];
    prb_recording recording;
    prb_dataset data;
    double value[SAMPLES * NVALUE], predicted[SAMPLES * NVALUE];
    double qpos[9], qvel[8];
} world;

static void add(world *w, int i, prb_channel_kind kind, int id, int n, int nres)
{
    static char name[] = "channel";
    const int adr = i == 0 ? 0 : w->channel[i - 1].adr + w->channel[i - 1].n;
    w->channel[i] = (prb_channel){
        .name = name, .kind = kind, .id = id, .n = n, .nres = nres, .adr = adr, .scale = 1};
}

static void make(world *w)
{
    static char name[] = "swing";
    sal_diag diag = {0};
    sal_err err = {0};
    memset(w, 0, sizeof *w);
    CHECK_OK(sal_model_parse(&w->m, "test.xml", xml, strlen(xml), NULL, &diag, &err), err);
    if (w->m == NULL) {
        exit(1);
    }
    add(w, SLIDE, PRB_CHANNEL_JOINT, sal_model_find(w->m, SAL_OBJ_JOINT, "slide"), 1, 1);
    add(w, RATE, PRB_CHANNEL_JOINT, sal_model_find(w->m, SAL_OBJ_JOINT, "hinge"), 1, 1);
    add(w, POSE, PRB_CHANNEL_BODY, sal_model_find(w->m, SAL_OBJ_BODY, "block"), 7, 6);
    add(w, CORNER, PRB_CHANNEL_SITE, sal_model_find(w->m, SAL_OBJ_SITE, "corner"), 3, 3);
    add(w, GYRO, PRB_CHANNEL_SENSOR, sal_model_find(w->m, SAL_OBJ_SENSOR, "gyro"), 3, 3);
    add(w, MOTOR, PRB_CHANNEL_CTRL, 0, 1, 1);
    add(w, PUSH, PRB_CHANNEL_FORCE, sal_model_find(w->m, SAL_OBJ_BODY, "block"), 6, 6);
    w->channel[RATE].order = 1;
    w->recording =
        (prb_recording){.name = name, .nsample = SAMPLES, .dt = SUB * 0.005, .value = w->value};
    w->data = (prb_dataset){NCHANNEL, NVALUE, 1, w->channel, &w->recording};
    for (int i = 0; i < SAMPLES * NVALUE; i++) {
        w->value[i] = (double)NAN;
    }
    memcpy(w->qpos, w->m->qpos0, sizeof w->qpos);
}

static double *at(double *signals, const world *w, int sample, int channel)
{
    return signals + sample * NVALUE + w->channel[channel].adr;
}

static double roll(world *w, int sample)
{
    sal_err err = {0};
    double diverged = 0;
    const idn_rollout_case c = {.m = w->m,
                                .data = &w->data,
                                .recording = &w->recording,
                                .sample = sample,
                                .qpos = w->qpos,
                                .qvel = w->qvel};
    CHECK_OK(idn_rollout(w->predicted, &diverged, &c, &err), err);
    return diverged;
}

/* A puck at 3 m/s from 1 m: what a slow, late, wrongly scaled instrument sees of it is a straight
 * line. */
static void instruments_are_modelled(void)
{
    world w;
    make(&w);
    w.qpos[0] = 1;
    w.qvel[0] = 3;
    w.channel[SLIDE].scale = 2;
    w.channel[SLIDE].offset = 0.1;
    w.channel[SLIDE].delay = 0.0315; /* of samples 20 ms, steps 5 ms apart */
    CHECK(isnan(roll(&w, 4)));
    for (int s = 0; s < SAMPLES; s++) {
        const double t = (s - 4) * 0.02 - 0.0315, x = *at(w.predicted, &w, s, SLIDE);
        if (t < 0) {
            CHECK(isnan(x));
        } else {
            CHECK_NEAR(x, 2 * (1 + 3 * t) + 0.1, 1e-12);
        }
    }
    for (int s = 0; s < SAMPLES; s++) { /* what is given is not predicted */
        CHECK(isnan(*at(w.predicted, &w, s, MOTOR)) && isnan(*at(w.predicted, &w, s, PUSH)));
    }
    sal_model_free(w.m);
}

/* The same steps by hand: every channel; the control of a sample holds until the next. */
static void it_is_the_motion_of_the_model(void)
{
    world w;
    make(&w);
    sal_data *d = NULL;
    sal_err err = {0};
    CHECK_OK(sal_data_new(&d, w.m, &err), err);
    if (d == NULL) {
        exit(1);
    }
    for (int s = 0; s < SAMPLES; s++) {
        *at(w.value, &w, s, MOTOR) = 0.3 * s * s;
    }
    for (int i = 0; i < 8; i++) {
        w.qvel[i] = 0.3 * i - 1;
    }
    memcpy(d->qpos, w.qpos, sizeof w.qpos);
    memcpy(d->qvel, w.qvel, sizeof w.qvel);
    CHECK(isnan(roll(&w, 0)));
    for (int t = 0; t <= (SAMPLES - 1) * SUB; t++) {
        const int s = t / SUB;
        d->ctrl[0] = 0.3 * s * s;
        CHECK_OK(sal_forward(w.m, d, &err), err);
        if (t % SUB == 0) {
            CHECK(*at(w.predicted, &w, s, SLIDE) == d->qpos[0]);
            CHECK_NEAR(*at(w.predicted, &w, s, RATE), d->qvel[7], 1e-9);
            CHECK_NEAR(at(w.predicted, &w, s, GYRO)[1], d->sensordata[1], 1e-9);
            for (int k = 0; k < 7; k++) {
                CHECK_NEAR(at(w.predicted, &w, s, POSE)[k], d->qpos[1 + k], 1e-15);
            }
            for (int k = 0; k < 3; k++) {
                CHECK(at(w.predicted, &w, s, CORNER)[k] ==
                      d->site_xpos[3 * w.channel[CORNER].id + k]);
            }
        }
        CHECK_OK(sal_advance(w.m, d, &err), err);
    }
    sal_data_free(d);
    sal_model_free(w.m);
}

/* A control that was recorded 7 ms late is held as any other, only shifted: a step of 5 ms in which
 * it changes has the mean over its five milliseconds. */
static void delayed_controls_are_held(void)
{
    world w;
    make(&w);
    sal_data *d = NULL;
    sal_err err = {0};
    CHECK_OK(sal_data_new(&d, w.m, &err), err);
    if (d == NULL) {
        exit(1);
    }
    w.channel[MOTOR].delay = 0.007;
    for (int s = 0; s < SAMPLES; s++) {
        *at(w.value, &w, s, MOTOR) = 0.3 * s * s;
    }
    CHECK(isnan(roll(&w, 0)));
    for (int t = 0; t <= (SAMPLES - 1) * SUB; t++) {
        d->ctrl[0] = 0;
        for (int ms = 5 * t + 7; ms < 5 * t + 12; ms++) {
            const int s = ms / 20 < SAMPLES ? ms / 20 : SAMPLES - 1;
            d->ctrl[0] += 0.3 * s * s / 5;
        }
        CHECK_OK(sal_forward(w.m, d, &err), err);
        if (t % SUB == 0) {
            CHECK_NEAR(*at(w.predicted, &w, t / SUB, RATE), d->qvel[7], 1e-9);
        }
        CHECK_OK(sal_advance(w.m, d, &err), err);
    }
    sal_data_free(d);
    sal_model_free(w.m);
}

/* F at the arm r of a free block: v = F t / m; w = I^-1 (r x F) t while it has hardly turned. A
 * sample without force has none. */
static void forces_act_at_their_points(void)
{
    world w;
    make(&w);
    const double F = 1e-4, Iz = 6.0 / 3 * (0.1 * 0.1 + 0.2 * 0.2), t = 0.4;
    for (int s = 0; s < SAMPLES; s++) {
        double *push = at(w.value, &w, s, PUSH);
        push[0] = push[2] = 0;
        push[1] = F;
        push[3] = 0.1;
        push[4] = 3;
        push[5] = 0;
    }
    CHECK(isnan(roll(&w, 0)));
    const double *end = at(w.predicted, &w, SAMPLES - 1, POSE);
    const double n = (SAMPLES - 1) * SUB; /* semi-implicit Euler: h^2 n (n + 1)/2 */
    CHECK_NEAR(end[1] - 3, F / 6 * 0.5 * t * t * (n + 1) / n, 1e-9 * F);
    CHECK_NEAR(2 * end[6], 0.1 * F / Iz * 0.5 * t * t * (n + 1) / n, 1e-6 * F);
    for (int s = 0; s < SAMPLES; s++) {
        at(w.value, &w, s, PUSH)[4] = (double)NAN;
    }
    CHECK(isnan(roll(&w, 0)));
    CHECK_NEAR(at(w.predicted, &w, SAMPLES - 1, POSE)[1], 3, 0);
    sal_model_free(w.m);
}

static void divergence_is_said(void)
{
    world w;
    make(&w);
    for (int s = 0; s < SAMPLES; s++) {
        double *push = at(w.value, &w, s, PUSH);
        const double blow[6] = {0, s < 10 ? 0 : 1e300, s < 10 ? 0 : 1e300, 0.1, 3, 0};
        memcpy(push, blow, sizeof blow); /* linear between samples: from 8 to 9 after the begin */
    }
    const double diverged = roll(&w, 2);
    CHECK(diverged > 0.13 && diverged < 0.2);
    CHECK(isfinite(*at(w.predicted, &w, 8, SLIDE)));
    CHECK(isnan(*at(w.predicted, &w, SAMPLES - 1, SLIDE)));
    w.recording.dt = 0.018; /* 3.6 steps */
    sal_err err = {0};
    double when;
    const idn_rollout_case c = {
        .m = w.m, .data = &w.data, .recording = &w.recording, .qpos = w.qpos, .qvel = w.qvel};
    CHECK(idn_rollout(w.predicted, &when, &c, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "do not divide the samples of 'swing'") != NULL);
    sal_model_free(w.m);
}

int main(void)
{
    RUN(instruments_are_modelled);
    RUN(it_is_the_motion_of_the_model);
    RUN(delayed_controls_are_held);
    RUN(forces_act_at_their_points);
    RUN(divergence_is_said);
    return check_done();
}
