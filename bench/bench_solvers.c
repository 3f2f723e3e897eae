/* bench_solvers.c: the forward dynamics by each solver beside libmujoco's solver of the same name:
 * the states of a fall, each with the warm start that its step has, at MuJoCo's default limits. One
 * thread, both in one process, in turn. */
#include "bench/stopwatch.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 100, FIRST = 200, EVERY = 4, ROUNDS = 15 };

static const char *const models[] = {"gym_humanoid.xml", "dmc_humanoid.xml", "mj222_humanoid.xml",
                                     "dmc_walker.xml",   "gym_ant.xml",      "men_cassie.xml"};

/* Both engines, and the states. */
typedef struct fall {
    sal_model *m;
    sal_data *d;
    mjModel *mjm;
    mjData *mjd;
    double *qpos, *qvel, *warm, *qacc; /* of each state; qacc to the last digit */
    int rows;                          /* the most */
    long steps[2];                     /* of the solvers, ours and theirs, in all states */
    double worst[2];                   /* of qacc, relative */
} fall;

static void ours(void *ctx)
{
    fall *f = ctx;
    sal_err err;
    const size_t nq = (size_t)f->m->nq, nv = (size_t)f->m->nv;
    for (size_t k = 0; k < STATES; k++) {
        memcpy(f->d->qpos, f->qpos + k * nq, nq * sizeof(double));
        memcpy(f->d->qvel, f->qvel + k * nv, nv * sizeof(double));
        memcpy(f->d->qacc_warmstart, f->warm + k * nv, nv * sizeof(double));
        sal_forward(f->m, f->d, &err);
    }
}

static void theirs(void *ctx)
{
    const fall *f = ctx;
    const size_t nq = (size_t)f->m->nq, nv = (size_t)f->m->nv;
    for (size_t k = 0; k < STATES; k++) {
        memcpy(f->mjd->qpos, f->qpos + k * nq, nq * sizeof(double));
        memcpy(f->mjd->qvel, f->qvel + k * nv, nv * sizeof(double));
        memcpy(f->mjd->qacc_warmstart, f->warm + k * nv, nv * sizeof(double));
        mj_forward(f->mjm, f->mjd);
    }
}

static void fall_close(fall *f)
{
    sal_free(f->qpos);
    sal_free(f->qvel);
    sal_free(f->warm);
    sal_free(f->qacc);
    sal_data_free(f->d);
    sal_model_free(f->m);
    mj_deleteData(f->mjd);
    mj_deleteModel(f->mjm);
}

static bool fall_open(fall *f, const char *path)
{
    const sal_load_options options = {.mujoco = SAL_MUJOCO_222};
    char why[500] = "";
    sal_err err = {0};
    *f = (fall){.mjm = mj_loadXML(path, NULL, why, sizeof why)};
    if (f->mjm == NULL || sal_model_load(&f->m, path, &options, NULL, &err) != SAL_OK) {
        fprintf(stderr, "%s: %s%s\n", path, why, err.message);
        return false;
    }
    f->m->opt.integrator = SAL_INT_EULER;
    f->m->opt.solver = SAL_SOLVER_PGS; /* room for all */
    f->mjd = mj_makeData(f->mjm);
    const size_t nq = (size_t)f->m->nq, nv = (size_t)f->m->nv;
    f->qpos = sal_alloc(STATES * nq, sizeof(double));
    f->qvel = sal_alloc(STATES * nv, sizeof(double));
    f->warm = sal_alloc(STATES * nv, sizeof(double));
    f->qacc = sal_alloc(STATES * nv, sizeof(double));
    return sal_data_new(&f->d, f->m, &err) == SAL_OK && f->mjd != NULL && f->qacc != NULL;
}

/* The fall itself, by Newton to the last digit, with the cone that is set */
static bool drop(fall *f)
{
    const size_t nq = (size_t)f->m->nq, nv = (size_t)f->m->nv;
    sal_err err = {0};
    f->m->opt.solver = SAL_SOLVER_NEWTON;
    f->m->opt.tolerance = 0;
    f->m->opt.iterations = 300;
    f->rows = 0;
    sal_data_reset(f->m, f->d);
    for (int k = 0; k < FIRST + STATES * EVERY; k++) {
        const size_t at = (size_t)((k - FIRST) / EVERY);
        const bool is_kept = k >= FIRST && k % EVERY == 0;
        if (is_kept) {
            memcpy(f->qpos + at * nq, f->d->qpos, nq * sizeof(double));
            memcpy(f->qvel + at * nv, f->d->qvel, nv * sizeof(double));
            memcpy(f->warm + at * nv, f->d->qacc_warmstart, nv * sizeof(double));
        }
        if (sal_step(f->m, f->d, &err) != SAL_OK) {
            fprintf(stderr, "%s\n", err.message);
            return false;
        }
        if (is_kept) {
            memcpy(f->qacc + at * nv, f->d->qacc, nv * sizeof(double));
            f->rows = f->d->nefc > f->rows ? f->d->nefc : f->rows;
        }
    }
    return true;
}

/* How far the accelerations of one state are from the exact ones, of the largest */
static double error_of(const fall *f, const double *qacc, int k)
{
    const double *exact = f->qacc + k * f->m->nv;
    double most = 0, size = 1;
    for (int i = 0; i < f->m->nv; i++) {
        most = fmax(most, fabs(qacc[i] - exact[i]));
        size = fmax(size, fabs(exact[i]));
    }
    return most / size;
}

static void count(fall *f)
{
    const int nq = f->m->nq, nv = f->m->nv;
    sal_err err;
    f->steps[0] = f->steps[1] = 0;
    f->worst[0] = f->worst[1] = 0;
    for (int k = 0; k < STATES; k++) {
        memcpy(f->d->qpos, f->qpos + k * nq, (size_t)nq * sizeof(double));
        memcpy(f->d->qvel, f->qvel + k * nv, (size_t)nv * sizeof(double));
        memcpy(f->d->qacc_warmstart, f->warm + k * nv, (size_t)nv * sizeof(double));
        sal_forward(f->m, f->d, &err);
        memcpy(f->mjd->qpos, f->qpos + k * nq, (size_t)nq * sizeof(double));
        memcpy(f->mjd->qvel, f->qvel + k * nv, (size_t)nv * sizeof(double));
        memcpy(f->mjd->qacc_warmstart, f->warm + k * nv, (size_t)nv * sizeof(double));
        mj_forward(f->mjm, f->mjd);
        f->steps[0] += f->d->solver_iterations;
        f->steps[1] += f->mjd->solver_iter;
        f->worst[0] = fmax(f->worst[0], error_of(f, f->d->qacc, k));
        f->worst[1] = fmax(f->worst[1], error_of(f, f->mjd->qacc, k));
    }
}

static void bench(fall *f, const char *name, int cone)
{
    static const int mujoco[SAL_NSOLVER] = {[SAL_SOLVER_NEWTON] = mjSOL_NEWTON,
                                            [SAL_SOLVER_PGS] = mjSOL_PGS,
                                            [SAL_SOLVER_CG] = mjSOL_CG};
    f->m->opt.cone = f->mjm->opt.cone = cone;
    if (!drop(f)) {
        return;
    }
    f->m->opt.tolerance = f->mjm->opt.tolerance = 1e-8;
    f->m->opt.iterations = f->mjm->opt.iterations = 100;
    for (int solver = 0; solver < SAL_NSOLVER; solver++) {
        f->m->opt.solver = solver;
        f->mjm->opt.solver = mujoco[solver];
        count(f);
        const race r = stopwatch_race(ours, f, theirs, f, ROUNDS, 0.02, STOPWATCH_THREAD);
        printf("%-20s %-10s %5d %-7s %9.1f %9.1f %7.2f %7.1f %7.1f %9.0e %9.0e\n", name,
               cone == SAL_CONE_ELLIPTIC ? "elliptic" : "pyramidal", f->rows,
               sal_solver_name(solver), 1e6 * r.a / STATES, 1e6 * r.b / STATES, r.ratio,
               (double)f->steps[0] / STATES, (double)f->steps[1] / STATES, f->worst[0],
               f->worst[1]);
        fflush(stdout);
    }
}

static void quiet(const char *message)
{
    (void)message;
}

int main(void)
{
    const char *corpus = getenv("SALTUS_CORPUS");
    mju_user_warning = quiet;
    printf("%-20s %-10s %5s %-7s %9s %9s %7s %7s %7s %9s %9s\n", "model", "cone", "rows", "solver",
           "ours, us", "222, us", "ratio", "steps", "theirs", "off by", "theirs");
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char path[1024];
        fall f;
        snprintf(path, sizeof path, "%s/models/%s", corpus == NULL ? "../shared" : corpus,
                 models[i]);
        for (int cone = 0; cone < 2 && fall_open(&f, path); cone++) {
            bench(&f, models[i], cone);
            fall_close(&f);
        }
    }
    return 0;
}
