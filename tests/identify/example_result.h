/* example_result.h: identifications that were made up, complete with recordings, for tests of how
 * they are kept and shown. */
#ifndef SAL_TESTS_IDENTIFY_EXAMPLE_RESULT_H
#define SAL_TESTS_IDENTIFY_EXAMPLE_RESULT_H

#include "tests/problems/motions.h"

#include "base/house.h"
#include "base/rng.h"
#include "identify/result_part.h"
#include "problems/recordings/data.h"

enum { TOSSES = 14, TOSS_SAMPLES = 60, TOSS_VALUES = 9, TOSS_PARAMETERS = 4 };

/* Sum of twelve uniform numbers: mean 0, variance 1. */
static inline double toss_noise(sal_rng *rng)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += sal_rng_uniform(rng, 0, 1);
    }
    return sum;
}

static inline void toss_name_parameter(sal_identification_result *e, int k, const char *name,
                                       const char *unit, const char *map, double nominal,
                                       double value)
{
    sal_identification_parameter *p = e->parameter + k;
    snprintf(p->name, sizeof p->name, "%s", name);
    snprintf(p->unit, sizeof p->unit, "%s", unit);
    snprintf(p->map, sizeof p->map, "%s", map);
    p->free = 1;
    p->nominal = p->initial = nominal;
    p->value = value;
    e->slope[k * (TOSS_PARAMETERS + 1)] = strcmp(map, "log") == 0 ? value : 1;
}

/* A body in flight: places and attitudes, one joint's angle; what is predicted drifts away, the
 * nominal model's prediction faster. */
static inline void toss_recording(sal_identification_result *e, int i, sal_rng *rng)
{
    const int nq = e->nq, nv = e->nv;
    sal_identification_recording *r = e->recording + i;
    sal_err err = {0};
    snprintf(r->name, sizeof r->name, "toss_%d%s", 100 + i, i == 3 ? "/b" : "");
    snprintf(r->cluster, sizeof r->cluster, "toss_%d", 100 + i);
    r->held = i % 3 == 2;
    CHECK_OK(sal_identification_result_room(e, i, TOSS_SAMPLES, 4 * (TOSS_SAMPLES - 1), &err), err);
    r->dt = 0.01;
    r->timestep = r->dt / 4;
    r->start = 0.5;
    r->cost = 200 + 20 * toss_noise(rng);
    r->nresidual = 7 * TOSS_SAMPLES + 8 * r->nstep;
    r->nvariable = 8 * (r->nstep + 1);
    for (int t = 0; t <= r->nstep; t++) {
        r->time[t] = r->start + t * r->timestep;
        r->qpos[t * nq + 3] = 1;
        r->qvel[t * nv] = 0.8;
        r->unexplained[t * nv + 2] = 0.1 * toss_noise(rng);
    }
    const double drift = 0.01 + 0.02 * sal_rng_uniform(rng, 0, 1);
    double *const signal[] = {r->measured, r->fitted, r->predicted, r->predicted_nominal};
    for (int t = 0; t < TOSS_SAMPLES; t++) {
        const double s = t * r->dt;
        for (int k = 0; k < 4; k++) {
            double *x = signal[k] + t * TOSS_VALUES;
            const double off = k < 2 ? 0 : (k - 1) * drift * s / 0.6,
                         w[3] = {0.5 * s + 3 * off, 2 * s, 0.1};
            x[0] = 0.8 * s + off + 0.001 * i;
            x[1] = 0.02 * i;
            x[2] = 0.3 + 2 * s - 4.905 * s * s;
            sal_quat_exp(x + 3, w);
            x[7] = 0.4 * sin(9 * s + i) + off;
            x[8] = k == 0 ? 0.1 * i : (double)NAN;
            for (int j = 0; j < 3 && k == 0; j++) {
                x[j] += (i == 6 ? 0.02 : 0.002) * toss_noise(rng);
            }
            x[7] += k == 0 ? 0.01 * toss_noise(rng) + 0.01 : 0;
        }
        if (t == 20) {
            r->measured[t * TOSS_VALUES + 7] = (double)NAN;
        }
    }
    r->local[0] = 0.002 * toss_noise(rng);
    if (i == 5) {
        r->rollout.diverged = 0.31;
        for (int t = 31 * TOSS_VALUES; t < TOSS_SAMPLES * TOSS_VALUES; t++) {
            r->predicted[t] = (double)NAN;
        }
    }
}

/* Information on four parameters: two well known, two of which only the ratio is. */
static inline void toss_information(sal_identification_result *e, int i, sal_rng *rng)
{
    enum { N = TOSS_PARAMETERS };
    const double see[3][N] = {{300, 20, 0, 0}, {0, 60, 10, -10}, {0, 5, -90, 90}};
    for (int row = 0; row < 3; row++) {
        const double error = 1.5 * toss_noise(rng);
        for (int k = 0; k < N; k++) {
            e->score[i * N + k] += see[row][k] * error;
            for (int l = 0; l < N; l++) {
                e->S[(i * N + k) * N + l] += see[row][k] * see[row][l];
            }
        }
    }
}

static inline sal_identification_result *result_of_tosses(const sal_model *m)
{
    const sal_identification_sizes sizes = {.nparameter = TOSS_PARAMETERS,
                                            .nlocal = 1,
                                            .nchannel = 3,
                                            .nvalue = TOSS_VALUES,
                                            .nresidual = 7,
                                            .nrecording = TOSSES,
                                            .nq = m->nq,
                                            .nv = m->nv};
    const double sigma[7] = {0.002, 0.002, 0.002, 0.01, 0.01, 0.01, 0.01};
    sal_identification_result *e = NULL;
    sal_rng rng = {11};
    sal_err err = {0};
    CHECK_OK(sal_identification_result_new(&e, &sizes, &err), err);
    if (e == NULL) {
        exit(1);
    }
    toss_name_parameter(e, 0, "half width", "m", "log", 0.041, 0.05152);
    toss_name_parameter(e, 1, "friction", "", "log", 0.5, 0.2115);
    toss_name_parameter(e, 2, "mass", "kg", "log", 0.37, 0.4);
    toss_name_parameter(e, 3, "gain", "N m", "log", 1, 1.08);
    e->parameter[0].lower = 0.02;
    e->parameter[0].upper = 0.1;
    e->channel[0] = (sal_identification_channel){
        .name = "pose", .unit = "m", .kind = PRB_CHANNEL_BODY, .n = 7, .nres = 6};
    e->channel[1] = (sal_identification_channel){.name = "hip",
                                                 .unit = "rad",
                                                 .kind = PRB_CHANNEL_JOINT,
                                                 .n = 1,
                                                 .nres = 1,
                                                 .adr = 7,
                                                 .res_adr = 6};
    e->channel[2] = (sal_identification_channel){
        .name = "motor", .kind = PRB_CHANNEL_CTRL, .n = 1, .adr = 8, .res_adr = 7};
    memcpy(e->sigma, sigma, sizeof sigma);
    snprintf(e->local[0].name, sizeof e->local[0].name, "tilt");
    snprintf(e->local[0].unit, sizeof e->local[0].unit, "rad");
    snprintf(e->local[0].map, sizeof e->local[0].map, "linear");
    for (int i = 0; i < TOSSES; i++) {
        toss_recording(e, i, &rng);
        if (!e->recording[i].held) {
            toss_information(e, i, &rng);
        }
    }
    CHECK_OK(sal_identification_result_assess(e, &err), err);
    return e;
}

/* A result whose model is that of motion_hopper, and which says that it identified something. */
static inline void motion_identified(motion *a)
{
    motion_hopper(a, true);
    idn_result_attach(a->r, result_of_tosses(a->r->model));
    snprintf(a->r->status, sizeof a->r->status, "converged");
}

#endif
