#include "tests/identify/identify_data.h"

#include "base/quat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NU = 16 };

/* ---- the five mechanisms ---- */

/* Two sines between -1 and 1, about one and two and a half turns in a second */
static double wave(const double phase[3], double time)
{
    const double turn = 6.283185307179586;
    return .5 * sin(turn * ((.7 + .6 * phase[2]) * time + phase[0])) +
           .5 * sin(turn * ((2.2 + .6 * phase[2]) * time + phase[1]));
}

static void scatter(double *x, int n, double width, sal_rng *rng)
{
    for (int i = 0; i < n; i++) {
        x[i] += sal_rng_uniform(rng, -width, width);
    }
}

static void pendulum_start(const sal_model *m, sal_data *d, sal_rng *rng)
{
    scatter(d->qpos, m->nq, 2, rng);
    scatter(d->qvel, m->nv, 3, rng);
}

static void pendulum_drive(const sal_model *m, sal_data *d, double time, const double *phase)
{
    (void)m;
    d->ctrl[0] = 3 * wave(phase, time);
}

static void arm_start(const sal_model *m, sal_data *d, sal_rng *rng)
{
    scatter(d->qpos, m->nq, .8, rng);
    scatter(d->qvel, m->nv, 2, rng);
}

/* Springs that pull it after a target which sways */
static void arm_drive(const sal_model *m, sal_data *d, double time, const double *phase)
{
    static const double middle[] = {0, .6, 1};
    for (int i = 0; i < m->nu; i++) {
        d->ctrl[i] = 25 * (middle[i] + 1.2 * wave(phase + 3 * i, time) - d->qpos[i]);
    }
}

/* Thrown at the floor, with a spin */
static void box_start(const sal_model *m, sal_data *d, sal_rng *rng)
{
    double turn[3] = {0};
    scatter(turn, 3, 1.5, rng);
    d->qpos[2] = .14;
    sal_quat_exp(d->qpos + 3, turn);
    memset(d->qvel, 0, (size_t)m->nv * sizeof *d->qvel);
    scatter(d->qvel, 2, 1.5, rng);
    d->qvel[2] = sal_rng_uniform(rng, -1, 0);
    scatter(d->qvel + 3, 3, 6, rng);
}

static void finger_start(const sal_model *m, sal_data *d, sal_rng *rng)
{
    scatter(d->qpos, m->nq, .2, rng);
    scatter(d->qvel, m->nv, 1, rng);
}

/* Flexors pull while extensors rest, and the other way round */
static void finger_drive(const sal_model *m, sal_data *d, double time, const double *phase)
{
    const double flex = wave(phase, time) - d->qpos[0] - .3;
    for (int i = 0; i < m->nu; i++) {
        const double own = .5 + .5 * wave(phase + 3 * i, time);
        const double pull = i < 2 ? fmax(flex, 0) : fmax(-flex, 0);
        d->ctrl[i] = fmin(.01 + .02 * own + .06 * pull, 1);
    }
}

static void quadruped_start(const sal_model *m, sal_data *d, sal_rng *rng)
{
    scatter(d->qpos + 7, m->nq - 7, .05, rng);
    scatter(d->qvel, 3, .5, rng);
    scatter(d->qvel + 3, 3, 1, rng);
}

/* It crouches and sways on its feet */
static void quadruped_drive(const sal_model *m, sal_data *d, double time, const double *phase)
{
    static const double stand[] = {0, .7, -1.4}, sway[] = {.2, .3, .4};
    for (int i = 0; i < m->nu; i++) {
        const double target = stand[i % 3] + sway[i % 3] * wave(phase + 3 * (i % 3), 1.5 * time);
        d->ctrl[i] = 80 * (target - d->qpos[7 + i]) - 2 * d->qvel[6 + i];
    }
}

/* The force that nothing explains leads no further astray in a recording than about what a
 * measurement is off. */
const trial trials[] = {
    {"pendulum",
     "pendulum",
     {"joint[hinge]/damping", ".1"},
     40,
     60,
     .02,
     1,
     5e-3,
     0,
     5e-2,
     false,
     pendulum_start,
     pendulum_drive},
    {"arm",
     "payload_arm",
     {NULL, NULL},
     20,
     60,
     .01,
     1,
     2e-3,
     0,
     1e-2,
     false,
     arm_start,
     arm_drive},
    {"box", "parcel", {NULL, NULL}, 16, 100, .005, 1, 5e-4, 2e-4, 3e-2, true, box_start, NULL},
    {"finger",
     "finger",
     {NULL, NULL},
     20,
     50,
     .01,
     1,
     5e-3,
     0,
     1e-5,
     false,
     finger_start,
     finger_drive},
    {"quadruped",
     "quadruped",
     {NULL, NULL},
     16,
     32,
     .005,
     1,
     5e-4,
     2e-4,
     5e-2,
     false,
     quadruped_start,
     quadruped_drive}};
const int ntrial = (int)(sizeof trials / sizeof trials[0]);

/* ---- recording ---- */

static void write_header(FILE *f, const sal_model *m)
{
    fprintf(f, "t");
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] == SAL_JNT_FREE) {
            fprintf(f, ",x,y,z,qw,qx,qy,qz");
        } else {
            fprintf(f, ",%s", sal_model_name(m, SAL_OBJ_JOINT, j));
        }
    }
    for (int i = 0; i < m->nu; i++) {
        fprintf(f, ",u_%s", sal_model_name(m, SAL_OBJ_ACTUATOR, i));
    }
    fprintf(f, "\n");
}

/* One sample: true configuration, a little off in its tangent space, and the controls */
static void write_sample(FILE *f, const trial *which, const sal_model *m, const sal_data *d,
                         double *work, sal_rng *rng)
{
    double *off = work, *seen = work + m->nv;
    for (int i = 0; i < m->nv; i++) {
        const int j = m->dof_jntid[i];
        const bool place = m->jnt_type[j] == SAL_JNT_FREE && i - m->jnt_dofadr[j] < 3;
        off[i] = (place ? which->sigma_place : which->sigma) * sal_rng_normal(rng);
    }
    sal_integrate_pos(m, seen, d->qpos, off, 1);
    fprintf(f, "%.9g", d->time);
    for (int i = 0; i < m->nq; i++) {
        fprintf(f, ",%.9g", seen[i]);
    }
    for (int i = 0; i < m->nu; i++) {
        fprintf(f, ",%.9g", d->ctrl[i]);
    }
    fprintf(f, "\n");
}

/* What acts is what the file will say */
static void round_controls(const sal_model *m, sal_data *d)
{
    char text[32];
    for (int i = 0; i < m->nu; i++) {
        const double *range = m->actuator_ctrlrange + 2 * i;
        if (m->actuator_ctrllimited[i]) {
            d->ctrl[i] = fmin(fmax(d->ctrl[i], range[0]), range[1]);
        }
        snprintf(text, sizeof text, "%.9g", d->ctrl[i]);
        d->ctrl[i] = strtod(text, NULL);
    }
}

/* A little of a force at each dof; s: what a sigma of 1 is */
static void disturb(const trial *which, const sal_model *m, sal_data *d, sal_rng *rng)
{
    double mass = 0;
    for (int i = 0; i < m->nbody; i++) {
        mass += m->body_mass[i];
    }
    for (int i = 0; i < m->nv; i++) {
        const double s = which->relative ? sqrt(mass * m->dof_M0[i]) : 1;
        d->qfrc_applied[i] = which->sigma_force * s * sal_rng_normal(rng);
    }
}

static sal_status record_one(const trial *which, const sal_model *m, sal_data *d, FILE *f,
                             sal_rng *rng, sal_err *err)
{
    sal_status status = SAL_OK;
    double phase[3 * MAX_NU] = {0}, work[256];
    if (m->nkey > 0) {
        sal_data_reset_key(m, d, 0);
    } else {
        sal_data_reset(m, d);
    }
    which->start(m, d, rng);
    scatter(phase, 3 * MAX_NU, .5, rng); /* where its waves begin */
    write_header(f, m);
    for (int k = 0; k < which->nsample && status == SAL_OK; k++) {
        if (which->drive != NULL) {
            which->drive(m, d, d->time, phase);
            round_controls(m, d);
        }
        write_sample(f, which, m, d, work, rng);
        for (int s = 0; s < which->substeps && status == SAL_OK; s++) {
            disturb(which, m, d, rng);
            status = sal_step(m, d, err);
        }
    }
    return status;
}

/* The mechanism, at fine steps, solved to the last digit */
static sal_status load(sal_model **m, const trial *which, const char *root, sal_err *err)
{
    char path[1024];
    const sal_load_options options = {.setting = &which->setting,
                                      .nsetting = which->setting.path != NULL};
    sal_diag diag = {0};
    snprintf(path, sizeof path, "%s/models/%s.xml", root, which->model);
    const sal_status status = sal_model_load(m, path, &options, &diag, err);
    sal_diag_clear(&diag);
    if (status == SAL_OK) {
        (*m)->opt.timestep = which->dt / which->substeps;
        (*m)->opt.tolerance = 0;
        (*m)->opt.iterations = 200;
    }
    return status;
}

static sal_status give_contact(sal_model *m, int contact, double reach, sal_err *err)
{
    sal_contact_option o;
    sal_contact_defaults(&o, m, contact);
    o.reach = reach;
    return contact == SAL_CONTACT_SOFT ? SAL_OK : sal_model_contact(m, &o, err);
}

sal_status trial_record_with(const trial *which, int contact, double reach, const char *root,
                             unsigned long seed, const char *into, sal_err *err)
{
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_rng rng = {seed};
    sal_status status = load(&m, which, root, err);
    status = status == SAL_OK ? give_contact(m, contact, reach, err) : status;
    if (status == SAL_OK) {
        status = sal_data_new(&d, m, err);
    }
    for (int r = 0; r < which->nrecording && status == SAL_OK; r++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s_%02d.csv", into, which->name, r);
        FILE *f = fopen(path, "w");
        if (f == NULL) {
            status = sal_fail(err, SAL_BADPATH, "cannot write %s", path);
            break;
        }
        status = record_one(which, m, d, f, &rng, err);
        fclose(f);
    }
    sal_data_free(d);
    sal_model_free(m);
    return status;
}

sal_status trial_record(const trial *which, const char *root, unsigned long seed, const char *into,
                        sal_err *err)
{
    return trial_record_with(which, SAL_CONTACT_SOFT, 0, root, seed, into, err);
}
