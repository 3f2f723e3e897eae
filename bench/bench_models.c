/* bench_models.c: inverse and forward dynamics of 14 models of others beside libmujoco 2.2.2, on
 * the same states: those of a simulation by libmujoco with lively controls, so that there are
 * contacts. One thread, the inverse also of several states side by side; then what a second thread
 * brings. */
#include "bench/stopwatch.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/abreast/abreast.h"
#include "physics/physics.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 40, EVERY = 25, WAIT = 100, ROUNDS = 25, WALL_ROUNDS = 200 };
static const double BATCH = 3e-3; /* s */
static const double AGREE = 1e-6; /* of the largest force; the models have convex pairs */

static const char *const names[] = {
    "dmc_hopper",       "dmc_walker",       "dmc_humanoid",    "loco_atlas",     "gym_ant",
    "men_shadow_right", "gym_half_cheetah", "gym_walker2d",    "mj222_humanoid", "men_anymal_b",
    "men_unitree_a1",   "men_cassie",       "loco_unitree_h1", "dmc_manipulator"};
enum { NMODEL = sizeof names / sizeof names[0] };

typedef struct bench {
    sal_model *m;
    sal_data *d[2]; /* one per thread */
    phy_abreast *abreast;
    mjModel *mjm;
    mjData *mjd;
    double *qpos, *qvel, *qacc, *warm, *ctrl, *act; /* [STATES] rows */
    double contacts;
    bool cold;
} bench;

static const double *row(const double *all, int t, int n)
{
    return all + (size_t)t * (size_t)n;
}

static void copy(double *to, const double *from, int n)
{
    if (n > 0) {
        memcpy(to, from, (size_t)n * sizeof *to);
    }
}

/* ---- the states ---- */

/* Every actuator swings through its range at its own pace; without one, through -1..1. */
static void lively(const mjModel *m, mjData *d)
{
    for (int i = 0; i < m->nu; i++) {
        const double lo = m->actuator_ctrllimited[i] ? m->actuator_ctrlrange[2 * i] : -1;
        const double hi = m->actuator_ctrllimited[i] ? m->actuator_ctrlrange[2 * i + 1] : 1;
        d->ctrl[i] = (lo + hi) / 2 + (hi - lo) / 2 * sin((3 + 0.7 * i) * d->time + i);
    }
}

static void record(bench *b, int t)
{
    const mjModel *m = b->mjm;
    const mjData *d = b->mjd;
    copy(b->qpos + t * m->nq, d->qpos, m->nq);
    copy(b->qvel + t * m->nv, d->qvel, m->nv);
    copy(b->warm + t * m->nv, d->qacc_warmstart, m->nv);
    copy(b->ctrl + t * m->nu, d->ctrl, m->nu);
    copy(b->act + t * m->na, d->act, m->na);
}

static void simulate(bench *b)
{
    const mjModel *m = b->mjm;
    for (int k = 0; k < WAIT + STATES * EVERY; k++) {
        lively(m, b->mjd);
        if (k >= WAIT && (k - WAIT) % EVERY == 0) {
            const int t = (k - WAIT) / EVERY;
            record(b, t);
            mj_forward(m, b->mjd);
            copy(b->qacc + t * m->nv, b->mjd->qacc, m->nv);
            b->contacts += (double)b->mjd->ncon / STATES;
            copy(b->mjd->qacc_warmstart, row(b->warm, t, m->nv), m->nv);
        }
        mj_step(m, b->mjd);
    }
}

/* ---- what is timed ---- */

static void state(const bench *b, sal_data *d, int t)
{
    const sal_model *m = b->m;
    copy(d->qpos, row(b->qpos, t, m->nq), m->nq);
    copy(d->qvel, row(b->qvel, t, m->nv), m->nv);
    copy(d->qacc, row(b->qacc, t, m->nv), m->nv);
    copy(d->ctrl, row(b->ctrl, t, m->nu), m->nu);
    copy(d->act, row(b->act, t, m->na), m->na);
    copy(d->qacc_warmstart, row(b->warm, t, m->nv), m->nv);
    if (b->cold) {
        memset(d->qacc_warmstart, 0, (size_t)m->nv * sizeof(double));
    }
}

static void state_mujoco(const bench *b, int t)
{
    const mjModel *m = b->mjm;
    copy(b->mjd->qpos, row(b->qpos, t, m->nq), m->nq);
    copy(b->mjd->qvel, row(b->qvel, t, m->nv), m->nv);
    copy(b->mjd->qacc, row(b->qacc, t, m->nv), m->nv);
    copy(b->mjd->ctrl, row(b->ctrl, t, m->nu), m->nu);
    copy(b->mjd->act, row(b->act, t, m->na), m->na);
    copy(b->mjd->qacc_warmstart, row(b->warm, t, m->nv), m->nv);
    if (b->cold) {
        memset(b->mjd->qacc_warmstart, 0, (size_t)m->nv * sizeof(double));
    }
}

static void inverse_of(void *ctx, int t, int worker)
{
    const bench *b = ctx;
    state(b, b->d[worker], t);
    sal_inverse(b->m, b->d[worker], NULL);
}

static void inverse(void *ctx)
{
    sal_parallel_for(STATES, 1, inverse_of, ctx);
}

static void inverse_by_two(void *ctx)
{
    sal_parallel_for(STATES, 2, inverse_of, ctx);
}

static void inverse_abreast(void *ctx)
{
    const bench *b = ctx;
    const int width = phy_abreast_width(b->abreast);
    for (int t = 0; t < STATES; t += width) {
        const int n = STATES - t < width ? STATES - t : width;
        for (int i = 0; i < n; i++) {
            state(b, phy_abreast_data(b->abreast, i), t + i);
        }
        phy_abreast_place(b->abreast, b->m, n, false);
        for (int i = 0; i < n; i++) {
            phy_abreast_inverse(b->abreast, b->m, i, NULL);
        }
    }
}

static void inverse_mujoco(void *ctx)
{
    const bench *b = ctx;
    for (int t = 0; t < STATES; t++) {
        state_mujoco(b, t);
        mj_inverse(b->mjm, b->mjd);
    }
}

static void forward(void *ctx)
{
    const bench *b = ctx;
    for (int t = 0; t < STATES; t++) {
        state(b, b->d[0], t);
        sal_forward(b->m, b->d[0], NULL);
    }
}

static void forward_mujoco(void *ctx)
{
    const bench *b = ctx;
    for (int t = 0; t < STATES; t++) {
        state_mujoco(b, t);
        mj_forward(b->mjm, b->mjd);
    }
}

/* ---- one model ---- */

static bool bench_open(bench *b, const char *name)
{
    const char *corpus = getenv("SALTUS_CORPUS");
    const sal_load_options options = {.mujoco = SAL_MUJOCO_222};
    char path[1024], message[500] = "";
    sal_err err = {0};
    *b = (bench){0};
    snprintf(path, sizeof path, "%s/models/%s.xml", corpus == NULL ? "../shared" : corpus, name);
    b->mjm = mj_loadXML(path, NULL, message, sizeof message);
    if (b->mjm == NULL || sal_model_load(&b->m, path, &options, NULL, &err) != SAL_OK ||
        sal_data_new(&b->d[0], b->m, &err) != SAL_OK ||
        sal_data_new(&b->d[1], b->m, &err) != SAL_OK ||
        phy_abreast_new(&b->abreast, b->m, &err) != SAL_OK) {
        printf("%-18s cannot be loaded: %s%s\n", name, message, err.message);
        return false;
    }
    const mjModel *m = b->mjm;
    b->mjd = mj_makeData(m);
    b->qpos = sal_alloc(STATES * (size_t)m->nq, sizeof(double));
    b->qvel = sal_alloc(STATES * (size_t)m->nv, sizeof(double));
    b->qacc = sal_alloc(STATES * (size_t)m->nv, sizeof(double));
    b->warm = sal_alloc(STATES * (size_t)m->nv, sizeof(double));
    b->ctrl = sal_alloc(STATES * (size_t)m->nu, sizeof(double));
    b->act = sal_alloc(STATES * (size_t)m->na, sizeof(double));
    simulate(b);
    return true;
}

static void bench_close(bench *b)
{
    double *const rows[] = {b->qpos, b->qvel, b->qacc, b->warm, b->ctrl, b->act};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sal_free(rows[i]);
    }
    if (b->mjd != NULL) {
        mj_deleteData(b->mjd);
    }
    if (b->mjm != NULL) {
        mj_deleteModel(b->mjm);
    }
    phy_abreast_free(b->abreast);
    sal_data_free(b->d[0]);
    sal_data_free(b->d[1]);
    sal_model_free(b->m);
}

/* Largest difference of the inverse forces, relative to the largest of their state. */
static double disagreement(const bench *b)
{
    double worst = 0;
    for (int t = 0; t < STATES; t++) {
        double largest = 1e-300, difference = 0;
        state(b, b->d[0], t);
        state_mujoco(b, t);
        sal_inverse(b->m, b->d[0], NULL);
        mj_inverse(b->mjm, b->mjd);
        for (int i = 0; i < b->m->nv; i++) {
            largest = fmax(largest, fabs(b->mjd->qfrc_inverse[i]));
            difference = fmax(difference, fabs(b->d[0]->qfrc_inverse[i] - b->mjd->qfrc_inverse[i]));
        }
        worst = fmax(worst, difference / largest);
    }
    return worst;
}

/* The medians of one model's ratios. */
typedef struct ratios {
    double inverse, abreast, cold, warm, two;
} ratios;

static ratios measure(const char *name, bench *b)
{
    ratios r;
    const race inv = stopwatch_race(inverse, b, inverse_mujoco, b, ROUNDS, BATCH, STOPWATCH_THREAD);
    const race side =
        stopwatch_race(inverse_abreast, b, inverse_mujoco, b, ROUNDS, BATCH, STOPWATCH_THREAD);
    b->cold = true;
    const race cold =
        stopwatch_race(forward, b, forward_mujoco, b, ROUNDS, BATCH, STOPWATCH_THREAD);
    b->cold = false;
    const race warm =
        stopwatch_race(forward, b, forward_mujoco, b, ROUNDS, BATCH, STOPWATCH_THREAD);
    r = (ratios){inv.ratio, side.ratio, cold.ratio, warm.ratio, 0};
    r.two = stopwatch_race(inverse_by_two, b, inverse, b, WALL_ROUNDS, 0, STOPWATCH_WALL).ratio;
    const double off = disagreement(b);
    printf("%-18s %3d %6.1f  %8.0f %5.2f  %8.0f %5.2f  %8.0f %5.2f  %8.0f %5.2f  %5.2f  %.0e%s\n",
           name, b->m->nv, b->contacts, STATES / inv.a, inv.ratio, STATES / side.a, side.ratio,
           STATES / cold.a, cold.ratio, STATES / warm.a, warm.ratio, r.two, off,
           off <= AGREE ? "" : " (2.2.2 is inexact)");
    return r;
}

static void print_median(const char *what, double *x, int n, double target)
{
    const double median = stopwatch_median(x, n);
    printf("  %-36s %5.2f  (%s %.1f)\n", what, median, median >= target ? "ok, at least" : "below",
           target);
}

int main(void)
{
    double inv[NMODEL], side[NMODEL], cold[NMODEL], warm[NMODEL], two[NMODEL];
    int n = 0;
    printf("one thread, per second and as a multiple of libmujoco 2.2.2 on the same states\n"
           "%-18s %3s %6s  %14s  %14s  %14s  %14s  %5s  %s\n",
           "model", "nv", "contac", "inverse", "side by side", "forward, cold", "forward, warm",
           "2 thr", "forces differ by");
    for (int i = 0; i < NMODEL; i++) {
        bench b;
        if (bench_open(&b, names[i])) {
            const ratios r = measure(names[i], &b);
            inv[n] = r.inverse, side[n] = r.abreast, cold[n] = r.cold;
            warm[n] = r.warm, two[n] = r.two;
            n++;
        }
        bench_close(&b);
    }
    if (n == 0) {
        return 77;
    }
    printf("medians of %d models\n", n);
    print_median("inverse dynamics", inv, n, 1.8);
    print_median("the same, states side by side", side, n, 6);
    print_median("forward dynamics, cold start", cold, n, 1.2);
    print_median("forward dynamics, warm start", warm, n, 1.2);
    print_median("two threads over one, by the wall", two, n, 1.8);
    return 0;
}
