/* driven.h: recordings of a pendulum with a motor, whose controls were held from sample to sample,
 * and what is identified from them. */
#ifndef SAL_TESTS_IDENTIFY_DRIVEN_H
#define SAL_TESTS_IDENTIFY_DRIVEN_H

#include "tests/check.h"
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "base/rng.h"
#include "identify/identify.h"
#include "problems/result/result.h"

#include <math.h>
#include <string.h>

static const char driven_model[] =
    "<mujoco><option timestep='.002'/><worldbody><body name='link'><joint name='q' axis='0 1 0' "
    "damping='.05'/><geom type='capsule' fromto='0 0 0 0 0 -.4' size='.03' mass='.8'/></body>"
    "</worldbody><actuator><motor name='m' joint='q'/></actuator></mujoco>";

enum { DRIVEN_SAMPLES = 150, DRIVEN_RECORDINGS = 6, DRIVEN_SUB = 5 };

static const double driven_noise = 2e-3, driven_dt = .01;

/* The control of sample k of a recording, which the file says with as many digits */
static inline double driven_control(const double phase[3], int k)
{
    const double t = k * driven_dt;
    const double u =
        1.2 * sin(5 * t + phase[0]) + .8 * sin(13 * t + phase[1]) + .6 * sin(29 * t + phase[2]);
    return floor(1e6 * u + .5) / 1e6;
}

/* What acts in a step: the mean of what is held, by many points. The motor hears the control of
 * time t at t - delay: (measured)(t + delay). */
static inline double driven_acting(const double phase[3], double from, double h, double delay)
{
    enum { POINTS = 4000 };
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
        const double at = (from + h * (i + .5) / POINTS + delay) / driven_dt;
        const int k = (int)floor(at);
        sum += driven_control(phase, k < 0 ? 0 : k > DRIVEN_SAMPLES - 1 ? DRIVEN_SAMPLES - 1 : k);
    }
    return sum / POINTS;
}

static inline void driven_record(const sal_model *m, int index, double delay)
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
    for (int k = 0; k < DRIVEN_SAMPLES; k++) {
        sal_text_format(&text, "%.9g,%.9g,%.9g\n", k * driven_dt,
                        d->qpos[0] + driven_noise * sal_rng_normal(&rng), driven_control(phase, k));
        for (int s = 0; s < DRIVEN_SUB; s++) {
            d->ctrl[0] = driven_acting(phase, k * driven_dt + s * driven_dt / DRIVEN_SUB,
                                       driven_dt / DRIVEN_SUB, delay);
            CHECK_OK(sal_step(m, d, &err), err);
        }
    }
    snprintf(name, sizeof name, "swing_%d.csv", index);
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
    sal_data_free(d);
}

static inline void driven_make(double delay)
{
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err;
    files_write("arm.xml", driven_model, strlen(driven_model));
    CHECK_OK(sal_model_load(&m, files_path("arm.xml"), NULL, &diag, &err), err);
    for (int i = 0; i < DRIVEN_RECORDINGS && m != NULL; i++) {
        driven_record(m, i, delay);
    }
    sal_model_free(m);
    sal_diag_clear(&diag);
}

/* channel: attributes of the channel of the control; override: elements after the model. The caller
 * frees. */
static inline sal_result *driven_identify(const char *override, const char *channel,
                                          const char *parameters)
{
    char text[2000];
    sal_identification *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(text, sizeof text,
             "<problem name='p'><model file='arm.xml'/>%s<data file='swing_*.csv' time='t'>"
             "<channel name='q' joint='q' columns='q' sigma='.002'/>"
             "<channel name='u' ctrl='m' columns='u' %s/></data>"
             "%s"
             "<estimate sigma='.002' unit='force' norm='quadratic' substeps='5'/></problem>",
             override, channel, parameters);
    files_write("p.xml", text, strlen(text));
    CHECK_OK(sal_identification_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    if (p != NULL) {
        CHECK_OK(sal_identification_solve(&r, p, 2, NULL, &err), err);
    }
    sal_identification_free(p);
    sal_diag_clear(&diag);
    return r;
}


#endif
