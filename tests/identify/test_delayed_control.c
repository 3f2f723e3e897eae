/* Controls that were recorded with another clock than the motion: they act from sample to sample as
 * they are held, earlier or later, and the delay is found. */
#include "tests/check.h"
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "base/rng.h"
#include "identify/identify.h"
#include "problems/result/result.h"

#include <math.h>
#include <string.h>

static const char model[] =
    "<mujoco><option timestep='.002'/><worldbody><body><joint name='q' axis='0 1 0' "
    "damping='.05'/><geom type='capsule' fromto='0 0 0 0 0 -.4' size='.03' mass='.8'/></body>"
    "</worldbody><actuator><motor name='m' joint='q'/></actuator></mujoco>";

enum { SAMPLES = 150, RECORDINGS = 6, SUB = 5 };

static const double noise = 2e-3, dt = .01;

/* The control of sample k of a recording, which the file says with as many digits */
static double control(const double phase[3], int k)
{
    const double t = k * dt;
    const double u =
        1.2 * sin(5 * t + phase[0]) + .8 * sin(13 * t + phase[1]) + .6 * sin(29 * t + phase[2]);
    return floor(1e6 * u + .5) / 1e6;
}

/* What acts in a step: the mean of what is held, by many points. The motor hears the control of
 * time t at t - delay: (measured)(t + delay). */
static double acting(const double phase[3], double from, double h, double delay)
{
    enum { POINTS = 4000 };
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
        const double at = (from + h * (i + .5) / POINTS + delay) / dt;
        const int k = (int)floor(at);
        sum += control(phase, k < 0 ? 0 : k > SAMPLES - 1 ? SAMPLES - 1 : k);
    }
    return sum / POINTS;
}

static void record(const sal_model *m, int index, double delay)
{
    sal_data *d = NULL;
    sal_err err;
    sal_text text = {0};
    sal_rng rng = {(uint64_t)index + 11};
    double phase[3];
    char name[40];
    CHECK_OK(sal_data_new(&d, m, &err), err);
    d->qpos[0] = sal_rng_uniform(&rng, -1, 1);
    for (int i = 0; i < 3; i++) {
        phase[i] = sal_rng_uniform(&rng, 0, 6.283185307179586);
    }
    sal_text_add(&text, "t,q,u\n");
    for (int k = 0; k < SAMPLES; k++) {
        sal_text_format(&text, "%.9g,%.9g,%.9g\n", k * dt,
                        d->qpos[0] + noise * sal_rng_normal(&rng), control(phase, k));
        for (int s = 0; s < SUB; s++) {
            d->ctrl[0] = acting(phase, k * dt + s * dt / SUB, dt / SUB, delay);
            CHECK_OK(sal_step(m, d, &err), err);
        }
    }
    snprintf(name, sizeof name, "swing_%d.csv", index);
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
    sal_data_free(d);
}

static void make(double delay)
{
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err;
    files_write("arm.xml", model, strlen(model));
    CHECK_OK(sal_model_load(&m, files_path("arm.xml"), NULL, &diag, &err), err);
    for (int i = 0; i < RECORDINGS && m != NULL; i++) {
        record(m, i, delay);
    }
    sal_model_free(m);
    sal_diag_clear(&diag);
}

/* channel: attributes of the channel of the control. The caller frees. */
static sal_result *identify(const char *channel, const char *parameters)
{
    char text[2000];
    sal_identification *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(text, sizeof text,
             "<problem name='p'><model file='arm.xml'/><data file='swing_*.csv' time='t'>"
             "<channel name='q' joint='q' columns='q' sigma='.002'/>"
             "<channel name='u' ctrl='m' columns='u' %s/></data>"
             "<parameter name='damping' path='joint[q]/damping' map='log' value='.03'/>%s"
             "<estimate sigma='.002' unit='force' norm='quadratic' substeps='5'/></problem>",
             channel, parameters);
    files_write("p.xml", text, strlen(text));
    CHECK_OK(sal_identification_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    if (p != NULL) {
        CHECK_OK(sal_identification_solve(&r, p, 2, NULL, &err), err);
    }
    sal_identification_free(p);
    sal_diag_clear(&diag);
    return r;
}

static void found(const sal_result *r, const char *name, double truth, double at_most)
{
    const sal_identification_result *e = r == NULL ? NULL : sal_identification_of(r);
    bool seen = false;
    for (int k = 0; e != NULL && k < e->nparameter; k++) {
        if (strcmp(e->parameter[k].name, name) == 0) {
            const double off = fabs(e->parameter[k].value - truth), se = e->parameter[k].se;
            seen = true;
            CHECK(off <= 2.5 * se && se < at_most);
            if (!(off <= 2.5 * se && se < at_most)) {
                printf("%s: %g instead of %g, +- %g\n", name, e->parameter[k].value, truth, se);
            }
        }
    }
    CHECK(seen);
}

/* None; as many whole steps of the mechanics; one within a step, and a late one. */
static void delays_of_held_controls_are_found(void)
{
    static const double delays[] = {0, -.014, -.0313, .0127};
    for (int i = 0; i < 4; i++) {
        make(delays[i]);
        sal_result *r = identify("", "<parameter name='delay' path='channel[u]/delay'/>");
        found(r, "delay", delays[i], 2e-4);
        found(r, "damping", .05, 2e-3);
        sal_result_free(r);
    }
}

/* A delay that is known is no worse to fit than none. */
static void a_known_delay_fits(void)
{
    double rms[2];
    make(0);
    for (int i = 0; i < 2; i++) {
        if (i == 1) {
            make(-.03);
        }
        sal_result *r = identify(i == 0 ? "" : "delay='-.03'", "");
        found(r, "damping", .05, 2e-3);
        rms[i] = r == NULL ? (double)NAN : r->cost;
        sal_result_free(r);
    }
    CHECK_NEAR(rms[1], rms[0], .02 * rms[0]);
}

int main(void)
{
    RUN(delays_of_held_controls_are_found);
    RUN(a_known_delay_fits);
    return check_done();
}
