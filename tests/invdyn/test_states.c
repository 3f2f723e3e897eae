/* Many states at once: each row is what one data gives alone, for any number of threads. */
#include "tests/check.h"

#include "base/house.h"
#include "invdyn/invdyn.h"
#include "mjcf/mjcf.h"

#include <math.h>

enum { N = 60 };

typedef struct batch {
    sal_model *m;
    double *qpos, *qvel, *qacc, *force, *derivatives;
    sal_states s;
} batch;

static double *numbers(size_t n)
{
    double *x = sal_alloc(n + 1, sizeof *x);
    CHECK(x != NULL);
    return x;
}

/* Near the first pose, some of them in the floor */
static void make(batch *b)
{
    char path[512];
    sal_diag diag = {0};
    sal_err err = {0};
    sal_rng rng = {7};
    snprintf(path, sizeof path, "%s/models/walker.xml", getenv("SALTUS_ROOT"));
    CHECK_OK(sal_model_load(&b->m, path, NULL, &diag, &err), err);
    sal_diag_clear(&diag);
    const size_t nq = (size_t)b->m->nq, nv = (size_t)b->m->nv;
    b->qpos = numbers(N * nq), b->qvel = numbers(N * nv), b->qacc = numbers(N * nv);
    b->force = numbers(N * nv), b->derivatives = numbers(3 * N * nv * nv);
    for (size_t i = 0; i < N * nq; i++) {
        b->qpos[i] = b->m->qpos0[i % nq] + sal_rng_uniform(&rng, -.1, .1);
    }
    for (size_t i = 0; i < N * nv; i++) {
        b->qvel[i] = sal_rng_uniform(&rng, -1, 1);
        b->qacc[i] = sal_rng_uniform(&rng, -1, 1);
    }
    b->s = (sal_states){.n = N,
                        .qpos = b->qpos,
                        .qvel = b->qvel,
                        .qacc = b->qacc,
                        .qfrc_inverse = b->force,
                        .Dq = b->derivatives,
                        .Dv = b->derivatives + N * nv * nv,
                        .Da = b->derivatives + 2 * N * nv * nv};
}

static void clear(batch *b)
{
    sal_free(b->qpos), sal_free(b->qvel), sal_free(b->qacc);
    sal_free(b->force), sal_free(b->derivatives);
    sal_model_free(b->m);
}

static void rows_are_those_of_single_states(void)
{
    batch b;
    sal_data *d = NULL;
    sal_err err = {0};
    make(&b);
    const int nq = b.m->nq, nv = b.m->nv;
    int touching = 0;
    CHECK_OK(sal_data_new(&d, b.m, &err), err);
    for (int nthread = 1; nthread <= 3; nthread += 2) {
        CHECK_OK(sal_states_inverse(b.m, &b.s, nthread, &err), err);
        for (int i = 0; i < N && d != NULL; i++) {
            memcpy(d->qpos, b.qpos + i * nq, (size_t)nq * sizeof(double));
            memcpy(d->qvel, b.qvel + i * nv, (size_t)nv * sizeof(double));
            memcpy(d->qacc, b.qacc + i * nv, (size_t)nv * sizeof(double));
            CHECK_OK(sal_inverse(b.m, d, &err), err);
            CHECK(memcmp(b.force + i * nv, d->qfrc_inverse, (size_t)nv * sizeof(double)) == 0);
            touching += d->ncon > 0;
        }
    }
    CHECK(touching > 0);
    sal_data_free(d);
    clear(&b);
}

static void the_forward_direction_undoes_it(void)
{
    batch b;
    sal_err err = {0};
    double most = 0, scale = 0;
    make(&b);
    CHECK_OK(sal_states_forward(b.m, &b.s, 2, &err), err);
    CHECK_OK(sal_states_inverse(b.m, &b.s, 2, &err), err);
    for (int i = 0; i < N * b.m->nv; i++) { /* without controls no force is left to apply */
        most = fmax(most, fabs(b.force[i]));
        scale = fmax(scale, fabs(b.qacc[i]));
    }
    CHECK(scale > 1 && most < 1e-5 * scale);
    clear(&b);
}

/* Under controls, for any number of threads; a step of the walker moves it. */
static void a_step_is_that_of_single_states(void)
{
    batch b;
    sal_data *d = NULL;
    sal_err err = {0};
    make(&b);
    const int nq = b.m->nq, nv = b.m->nv, nu = b.m->nu;
    const size_t nnext = N * ((size_t)nq + (size_t)nv);
    double *ctrl = numbers(N * (size_t)nu), *next = numbers(nnext);
    sal_rng rng = {9};
    for (int i = 0; i < N * nu; i++) {
        ctrl[i] = sal_rng_uniform(&rng, -1, 1);
    }
    b.s.ctrl = ctrl, b.s.qpos_next = next, b.s.qvel_next = next + N * nq;
    CHECK_OK(sal_data_new(&d, b.m, &err), err);
    for (int nthread = 1; nthread <= 3; nthread += 2) {
        memset(next, 0, nnext * sizeof *next);
        CHECK_OK(sal_states_step(b.m, &b.s, nthread, &err), err);
        for (int i = 0; i < N && d != NULL; i++) {
            sal_data_reset(b.m, d);
            memcpy(d->qpos, b.qpos + i * nq, (size_t)nq * sizeof(double));
            memcpy(d->qvel, b.qvel + i * nv, (size_t)nv * sizeof(double));
            memcpy(d->ctrl, ctrl + i * nu, (size_t)nu * sizeof(double));
            CHECK_OK(sal_step(b.m, d, &err), err);
            CHECK(memcmp(b.s.qpos_next + i * nq, d->qpos, (size_t)nq * sizeof(double)) == 0);
            CHECK(memcmp(b.s.qvel_next + i * nv, d->qvel, (size_t)nv * sizeof(double)) == 0);
            CHECK(memcmp(b.qvel + i * nv, d->qvel, (size_t)nv * sizeof(double)) != 0);
        }
    }
    sal_data_free(d);
    sal_free(ctrl), sal_free(next);
    clear(&b);
}

static void the_first_fault_is_named(void)
{
    batch b;
    sal_err err = {0};
    make(&b);
    b.qpos[50 * b.m->nq] = b.qpos[23 * b.m->nq + 2] = (double)NAN;
    for (int nthread = 1; nthread <= 3; nthread++) {
        CHECK(sal_states_inverse(b.m, &b.s, nthread, &err) == SAL_DIVERGED);
        CHECK(strncmp(err.message, "state 23: ", 10) == 0);
    }
    b.s.n = 0;
    CHECK_OK(sal_states_inverse(b.m, &b.s, 4, &err), err);
    clear(&b);
}

static void arrays_of_a_model_have_names(void)
{
    batch b;
    char type;
    int nrow, ncol;
    make(&b);
    CHECK(sal_model_array(b.m, "jnt_range", &type, &nrow, &ncol) == b.m->jnt_range);
    CHECK(type == 'd' && nrow == b.m->njnt && ncol == 2);
    CHECK(sal_model_array(b.m, "key_qpos", &type, &nrow, &ncol) == b.m->key_qpos);
    CHECK(type == 'd' && nrow == b.m->nkey && ncol == b.m->nq);
    CHECK(sal_model_array(b.m, "geom_rgba", &type, &nrow, &ncol) == b.m->geom_rgba);
    CHECK(type == 'f' && sal_model_array(b.m, "bogus", &type, &nrow, &ncol) == NULL);
    CHECK(sal_model_array(b.m, "mesh_vertadr", &type, &nrow, &ncol) != NULL);
    CHECK(type == 'i' && nrow == 0 && ncol == 1);
    clear(&b);
}

int main(void)
{
    sal_parallel_share = 0; /* however small a loop is, all threads are at it */
    RUN(rows_are_those_of_single_states);
    RUN(the_forward_direction_undoes_it);
    RUN(a_step_is_that_of_single_states);
    RUN(the_first_fault_is_named);
    RUN(arrays_of_a_model_have_names);
    return check_done();
}
