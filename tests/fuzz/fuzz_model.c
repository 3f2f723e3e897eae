/* Any bytes are a model, or a list of faults. A model has an inverse with derivatives and moves, or
 * there is an error; written, it is a model of the same size. */
#include "tests/fuzz/mjcf_random.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t length, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t length, size_t room);

#ifdef FUZZ_WITH_LIBFUZZER
/* Half of the time libFuzzer's own changes of bytes; else an element is put in, or a new model
 * grown. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t length, size_t room, unsigned seed)
{
    if (seed % 2 == 0) {
        return LLVMFuzzerMutate(data, length, room);
    }
    return seed % 8 == 1 ? mjcf_random((char *)data, room, seed)
                         : mjcf_insert((char *)data, length, room, seed);
}
#endif

/* Why the last one was refused */
static sal_err refusal;

static sal_model *parse(const char *data, size_t length, sal_mujoco mujoco)
{
    const sal_load_options options = {.mujoco = mujoco};
    sal_model *m = NULL;
    sal_diag diag = {0};
    refusal = (sal_err){0};
    const sal_status status =
        sal_model_parse(&m, "fuzz.xml", data, length, &options, &diag, &refusal);
    if ((m == NULL) != (status != SAL_OK) || (m == NULL && refusal.message[0] == '\0')) {
        abort(); /* refused without a word */
    }
    sal_diag_clear(&diag);
    return m;
}

/* A state of its own for every entry, none of them special. */
static void shake(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nv; i++) {
        d->qacc[i] = 0.1 * (i % 7 - 3);
        d->qvel[i] = 0.1 * (i % 5 - 2);
    }
    for (int i = 0; i < m->nu; i++) {
        d->ctrl[i] = 0.3 * (i % 4 - 1);
    }
    sal_integrate_pos(m, d->qpos, d->qpos, d->qvel, 0.1);
}

static bool is_finite(const double *x, int n)
{
    bool yes = true;
    for (int i = 0; i < n; i++) {
        yes = yes && isfinite(x[i]);
    }
    return yes;
}

/* The exact derivatives of what the inverse found, each in memory of just its size */
static void differentiate(const sal_model *m, sal_data *d)
{
    const size_t nv = (size_t)m->nv, square = nv * nv;
    double *Dq = sal_alloc(square, sizeof *Dq), *Dv = sal_alloc(square, sizeof *Dv);
    double *Da = sal_alloc(square, sizeof *Da), *discrete = sal_alloc(nv, sizeof *discrete);
    sal_inverse_deriv(m, d, Dq, Dv, Da, NULL);
    for (int i = 0; i < m->nv; i++) {
        discrete[i] = d->qacc[i];
    }
    if (sal_inverse_discrete(m, d, discrete, NULL) == SAL_OK) {
        sal_inverse_discrete_deriv(m, d, Dq, Dv, Da, discrete, NULL);
    }
    sal_potential_energy_deriv(m, d, Dq);
    sal_free(Dq);
    sal_free(Dv);
    sal_free(Da);
    sal_free(discrete);
}

static void differentiate_sensors(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nsensor; i++) {
        const size_t n = (size_t)m->sensor_dim[i] * (size_t)m->nv;
        double *D[3];
        for (int k = 0; k < 3; k++) {
            D[k] = sal_alloc(n, sizeof *D[k]);
        }
        sal_sensor_deriv(m, d, i, D[0], D[1], D[2]);
        for (int k = 0; k < 3; k++) {
            sal_free(D[k]);
        }
    }
}

static void differentiate_actuators(const sal_model *m, sal_data *d)
{
    const size_t nv = (size_t)m->nv, nu = (size_t)m->nu;
    double *Dq = sal_alloc(nv * nv, sizeof *Dq), *Dv = sal_alloc(nv * nv, sizeof *Dv);
    double *Dw = sal_alloc(nv * nu, sizeof *Dw);
    sal_actuation(m, d);
    sal_actuation_deriv(m, d, Dq, Dv, Dw);
    sal_free(Dq);
    sal_free(Dv);
    sal_free(Dw);
}

/* A step that says it went well leaves a finite state. */
static bool moves(const sal_model *m, sal_data *d)
{
    const bool well = sal_step(m, d, NULL) == SAL_OK;
    if (well && !(is_finite(d->qpos, m->nq) && is_finite(d->qvel, m->nv))) {
        abort();
    }
    return well;
}

/* The inverse and its derivatives, sensors, energies, and a few steps; from a keyframe once more.
 * Whether all of that could be. */
static bool use(const sal_model *m)
{
    sal_data *d = NULL;
    bool well = false;
    if (m->nv <= 60 && m->npair <= 2000 && sal_data_new(&d, m, NULL) == SAL_OK) {
        sal_inverse(m, d, NULL);
        shake(m, d);
        well = sal_inverse(m, d, NULL) == SAL_OK;
        if (well) {
            sal_energy(m, d);
            sal_body_force(m, d);
            differentiate_sensors(m, d);
            differentiate_actuators(m, d);
            differentiate(m, d);
        }
        for (int k = 0; k < 2; k++) {
            well = moves(m, d) && well;
        }
        if (m->nkey > 0) {
            sal_data_reset_key(m, d, m->nkey - 1);
            sal_inverse(m, d, NULL);
            moves(m, d);
        }
    }
    sal_data_free(d);
    return well;
}

/* How far one came */
enum { MODEL_READ = 1, MODEL_USED = 2 };

static unsigned read_use_write(const char *data, size_t length, sal_mujoco mujoco)
{
    sal_model *once = parse(data, length, mujoco), *twice = NULL;
    sal_text text = {0};
    unsigned came = 0;
    if (once != NULL) {
        came = use(once) ? MODEL_READ | MODEL_USED : MODEL_READ;
        const sal_status status = sal_model_write(once, &text, NULL);
        if (status == SAL_OK) {
            twice = parse(text.data, text.length, mujoco);
        }
        /* with lengths of 1e10, say, it is rounding that decides whether a matrix is singular */
        const bool edge = twice == NULL && strstr(refusal.message, "matrix is singular") != NULL;
        if ((status != SAL_OK && status != SAL_UNSUPPORTED) ||
            (status == SAL_OK && !edge &&
             (twice == NULL || twice->nv != once->nv || twice->ngeom != once->ngeom ||
              twice->npair != once->npair))) {
            fprintf(stderr, "what is written is another model, or none: %s\n", refusal.message);
            abort();
        }
    }
    sal_model_free(once);
    sal_model_free(twice);
    sal_text_clear(&text);
    return came;
}

/* Of sixteen models one is read as MuJoCo 2.2.2 does, one as 3.12. */
static unsigned try_model(const char *data, size_t length)
{
    return read_use_write(data, length,
                          length % 16 == 1   ? SAL_MUJOCO_222
                          : length % 16 == 9 ? SAL_MUJOCO_312
                                             : SAL_MUJOCO_314);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    try_model((const char *)data, length);
    return 0;
}
