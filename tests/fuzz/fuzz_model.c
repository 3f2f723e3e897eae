/* Any bytes are a model, or a list of faults. A model has an inverse and moves, or there is an
 * error; written, it is a model of the same size. */
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

static sal_model *read(const char *data, size_t length, bool compat222)
{
    const sal_load_options options = {.mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_status status = sal_model_parse(&m, "fuzz.xml", data, length, &options, &diag, &err);
    if ((m == NULL) != (status != SAL_OK) || (m == NULL && err.message[0] == '\0')) {
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

/* Inverse and a few steps; a step that says it went well leaves a finite state. */
static void use(const sal_model *m)
{
    sal_data *d = NULL;
    if (m->nv <= 60 && m->npair <= 2000 && sal_data_new(&d, m, NULL) == SAL_OK) {
        sal_inverse(m, d, NULL);
        shake(m, d);
        sal_inverse(m, d, NULL);
        for (int k = 0; k < 2; k++) {
            if (sal_step(m, d, NULL) == SAL_OK &&
                !(is_finite(d->qpos, m->nq) && is_finite(d->qvel, m->nv))) {
                abort();
            }
        }
    }
    sal_data_free(d);
}

static void read_use_write(const char *data, size_t length, bool compat222)
{
    sal_model *once = read(data, length, compat222), *twice = NULL;
    sal_text text = {0};
    if (once != NULL) {
        use(once);
        const sal_status status = sal_model_write(once, &text, NULL);
        if (status == SAL_OK) {
            twice = read(text.data, text.length, compat222);
        }
        if ((status != SAL_OK && status != SAL_UNSUPPORTED) ||
            (status == SAL_OK && (twice == NULL || twice->nv != once->nv ||
                                  twice->ngeom != once->ngeom || twice->npair != once->npair))) {
            abort();
        }
    }
    sal_model_free(once);
    sal_model_free(twice);
    sal_text_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    read_use_write((const char *)data, length,
                   length % 2 == 1); /* either behaviour, half of the time */
    return 0;
}
