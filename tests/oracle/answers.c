/* answers.c: what we make of models and states, for tests that run under node beside MuJoCo.
 *
 *     oracle-answers --names        the names of what it writes, as JSON
 *     oracle-answers < questions    answers
 *
 * A question: the length of a model, the model, padded to whole doubles; the number of states, the
 * doubles of each, and the states: 0 (inverse) or 1 (a step), time, then the parts of read_state.
 * An answer: arrays, each after its length: those of the model, then the number of states that are
 * answered (0: they are of other sizes), then those of each state. A failure is one array: minus
 * the length of its message, then the message, padded; after a model that is refused nothing
 * follows. */
#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/compiling.h"
#include "physics/physics.h"
#include "physics/stages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(const double *value, size_t n)
{
    const double length = (double)n;
    fwrite(&length, sizeof length, 1, stdout);
    fwrite(value, sizeof *value, n, stdout);
}

static void put_failure(const char *message)
{
    static const char zero[8];
    const size_t n = strlen(message) + 1;
    const double length = -(double)n;
    fwrite(&length, sizeof length, 1, stdout);
    fwrite(message, 1, n, stdout);
    fwrite(zero, 1, (8 - n % 8) % 8, stdout);
}

static void put_ints(const int *value, size_t n)
{
    const double length = (double)n;
    fwrite(&length, sizeof length, 1, stdout);
    for (size_t i = 0; i < n; i++) {
        const double x = value[i];
        fwrite(&x, sizeof x, 1, stdout);
    }
}

static void put_array(const char *type, const void *value, size_t n)
{
    if (strcmp(type, "double") == 0) {
        put(value, n);
    } else if (strcmp(type, "int") == 0) {
        put_ints(value, n);
    } else {
        put_ints(&(int){0}, 0);
    }
}

static void put_model(const sal_model *m)
{
#define PUT(type, name, rows, columns)                                                             \
    put_array(#type, m->name, (size_t)m->rows *(size_t)(columns));
    const int nq = m->nq, nv = m->nv, nu = m->nu, na = m->na, nmocap = m->nmocap;
    SAL_MODEL_ARRAYS(PUT)
#undef PUT
    put(&m->meaninertia, 1);
    const int size[] = {m->nq,    m->nv,    m->nu,      m->na,          m->nbody, m->njnt,
                        m->ngeom, m->nsite, m->nsensor, m->nsensordata, m->nkey,  m->nmocap};
    put_ints(size, sizeof size / sizeof *size);
}

/* X(name, length): what is written of a state whose inverse was asked for */
#define INVERSE_ARRAYS(X)                                                                          \
    X(qfrc_bias, nv)                                                                               \
    X(qfrc_passive, nv)                                                                            \
    X(qfrc_gravcomp, nv)                                                                           \
    X(ten_length, ntendon)                                                                         \
    X(ten_velocity, ntendon)                                                                       \
    X(actuator_length, nu)                                                                         \
    X(actuator_velocity, nu)                                                                       \
    X(act_dot, na)                                                                                 \
    X(actuator_force, nu)                                                                          \
    X(qfrc_actuator, nv)                                                                           \
    X(qfrc_constraint, nv)                                                                         \
    X(qfrc_inverse, nv)                                                                            \
    X(sensordata, nsensordata)

static void put_moments(const sal_model *m, const sal_data *d)
{
    double *room = sal_alloc((size_t)m->nu * (size_t)m->nv + 1, sizeof *room);
    for (int i = 0; room != NULL && i < m->nu; i++) {
        phy_actuator_pull(m, d, room + i * m->nv, i, 1);
    }
    put(room, (size_t)m->nu * (size_t)m->nv);
    sal_free(room);
}

/* The rows that something moves: those of a tendon that nothing moves have the Jacobian 0, or what
 * rounding leaves of it. */
static int count_rows(const sal_data *d)
{
    int n = 0;
    for (int row = 0; row < d->nefc; row++) {
        bool moves = false;
        for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
            moves = moves || fabs(d->efc_J[d->efc_J_rowadr[row] + k]) > 1e-14;
        }
        n += moves;
    }
    return n;
}

/* M qacc; geoms, distance and margin of each contact */
static void put_inverse(const sal_model *m, sal_data *d)
{
#define PUT(name, length) put(d->name, (size_t)m->length);
    INVERSE_ARRAYS(PUT)
#undef PUT
    put_moments(m, d);
    const double rows = count_rows(d);
    put(&rows, 1);
    const double length = 4 * (double)d->ncon;
    fwrite(&length, sizeof length, 1, stdout);
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *c = d->contact + i;
        const double x[] = {c->geom1, c->geom2, c->dist, m->pair_include[c->pair]};
        fwrite(x, sizeof x, 1, stdout);
    }
}

static void print_names(void)
{
    printf("{\"model\":[");
#define NAME(type, name, rows, columns) printf("\"%s\",", #name);
    SAL_MODEL_ARRAYS(NAME)
#undef NAME
    printf("\"meaninertia\",\"sizes\"],\"inverse\":[");
#define NAME(name, length) printf("\"%s\",", #name);
    INVERSE_ARRAYS(NAME)
#undef NAME
    printf("\"moment\",\"nefc\",\"contact\"],\"step\":[\"qpos\",\"qvel\",\"act\",\"qacc\"]}\n");
}

/* ---- questions ---- */

static bool take(void *out, size_t size)
{
    return fread(out, 1, size, stdin) == size;
}

static bool take_count(size_t *n)
{
    double x = 0;
    if (!take(&x, sizeof x)) {
        return false;
    }
    *n = (size_t)x;
    return true;
}

static size_t state_length(const sal_model *m)
{
    return (size_t)(2 + m->nq + 3 * m->nv + m->nu + m->na + 6 * m->nbody + 7 * m->nmocap);
}

static void read_state(const sal_model *m, sal_data *d, const double *x)
{
    const struct {
        double *to;
        int n;
    } part[] = {{d->qpos, m->nq},
                {d->qvel, m->nv},
                {d->qacc, m->nv},
                {d->ctrl, m->nu},
                {d->act, m->na},
                {d->qfrc_applied, m->nv},
                {d->xfrc_applied, 6 * m->nbody},
                {d->mocap_pos, 3 * m->nmocap},
                {d->mocap_quat, 4 * m->nmocap}};
    d->time = *x++;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        memcpy(part[i].to, x, (size_t)part[i].n * sizeof *x);
        x += part[i].n;
    }
}

static void answer_state(const sal_model *m, sal_data *d, const double *state)
{
    sal_err err = {0};
    sal_data_reset(m, d);
    read_state(m, d, state + 1);
    if (state[0] != 0) {
        if (sal_step(m, d, &err) != SAL_OK) {
            put_failure(err.message);
            return;
        }
        put(d->qpos, (size_t)m->nq);
        put(d->qvel, (size_t)m->nv);
        put(d->act, (size_t)m->na);
        put(d->qacc, (size_t)m->nv);
        return;
    }
    if (sal_inverse(m, d, &err) != SAL_OK) {
        put_failure(err.message);
        return;
    }
    sal_actuation(m, d);
    sal_inverse_acceleration(m, d);
    put_inverse(m, d);
}

static bool answer_model(const char *xml, size_t length, sal_err *err)
{
    size_t count = 0, width = 0;
    sal_model *m = NULL;
    sal_data *d = NULL;
    const bool good = sal_model_parse(&m, "random.xml", xml, length, NULL, NULL, err) == SAL_OK &&
                      sal_data_new(&d, m, err) == SAL_OK;
    bool whole = take_count(&count) && take_count(&width);
    double *state = sal_alloc(width + 1, sizeof *state);
    if (good) {
        put_model(m);
    } else {
        put_failure(err->message);
    }
    const bool fits = good && width == state_length(m);
    const double answered = fits ? (double)count : 0;
    if (good) {
        put(&answered, 1);
    }
    for (size_t i = 0; whole && state != NULL && i < count; i++) {
        whole = take(state, width * sizeof *state);
        if (whole && fits) {
            answer_state(m, d, state);
        }
    }
    sal_free(state);
    sal_data_free(d);
    sal_model_free(m);
    return whole;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--names") == 0) {
        print_names();
        return 0;
    }
    bool whole = true;
    for (size_t length = 0; whole && take_count(&length);) {
        sal_err err = {0};
        char *xml = sal_alloc(length + 8, 1);
        whole = xml != NULL && take(xml, (length + 7) / 8 * 8) && answer_model(xml, length, &err);
        sal_free(xml);
    }
    return whole ? 0 : 1;
}
