/* Every model of the corpus that both engines take: accelerations in random states, and 500 steps
 * of each integrator, beside libmujoco 2.2.2. A simulation is compared as far as it can be: where
 * libmujoco's own, started 1e-9 away, stays near. */
#include "tests/check.h"
#include "tests/physics/corpus.h"
#include "tests/physics/oracle.h"

enum { STATES = 10, STEPS = 500, NVMOST = 130 };

static int nmodel, nstate, nother, nsimulated, nchaotic;

static bool take(oracle *o, const char *path)
{
    char why[512];
    if (!oracle_open(o, path, why)) {
        return false;
    }
    if (o->m->nv > NVMOST || o->m->nv == 0) {
        oracle_close(o);
        return false;
    }
    oracle_exact(o);
    return true;
}

/* ---- accelerations ---- */

/* Until it moves no more: 2.2.2 may stop early, and starts from where it stopped. */
static void converge(oracle *o)
{
    for (int again = 0; again < 4; again++) {
        mj_forward(o->mjm, o->mjd);
    }
}

/* |M a - qfrc_smooth - J'f| of libmujoco's own solution: it does not always find it */
static double remainder_of(oracle *o)
{
    const mjData *d = o->mjd;
    const int nv = o->m->nv;
    double *ma = sal_arena_take(&o->d->arena, (size_t)nv, sizeof(double)), most = 0, scale = 1e-6;
    mj_mulM(o->mjm, o->mjd, ma, d->qacc);
    for (int i = 0; i < nv; i++) {
        most = fmax(most, fabs(ma[i] - d->qfrc_smooth[i] - d->qfrc_constraint[i]));
        scale = fmax(scale, fmax(fabs(d->qfrc_smooth[i]), fabs(d->qfrc_constraint[i])));
    }
    o->d->arena.used = 0;
    return most / scale;
}

static void accelerations(oracle *o, const char *name)
{
    double worst = 0;
    int states = 0, unconverged = 0, unequal = 0, theirs = 0;
    sal_err err;
    for (int k = 0; k < 2 * STATES; k++) {
        o->m->opt.cone = o->mjm->opt.cone = k % 2;
        oracle_state(o, k / 2, 0.1 * (1 + k / 2 % 4));
        memset(o->d->qacc_warmstart, 0, (size_t)o->m->nv * sizeof(double));
        memset(o->mjd->qacc_warmstart, 0, (size_t)o->m->nv * sizeof(double));
        if (sal_forward(o->m, o->d, &err) != SAL_OK) {
            continue;
        }
        converge(o);
        unconverged += !o->d->solver_converged;
        if (oracle_error(o->d->qacc_smooth, o->mjd->qacc_smooth, o->m->nv) > 1e-8) {
            nother++; /* other forces act: none of the solver's business */
            continue;
        }
        if (oracle_judged_elsewhere(o) || o->d->nefc != o->mjd->nefc) {
            unequal++;
            continue;
        }
        if (remainder_of(o) > 1e-9) {
            theirs++;
            continue;
        }
        worst = fmax(worst, oracle_error(o->d->qacc, o->mjd->qacc, o->m->nv));
        states++;
    }
    if (!(worst <= 1e-8) || unconverged > 0) {
        printf("     %-44s %2d states, %d of them not comparable, %d not solved by libmujoco: qacc "
               "off by %.0e, %d unconverged\n",
               name, states, unequal, theirs, worst, unconverged);
    }
    CHECK(worst <= 1e-8 && unconverged == 0);
    nstate += states;
    nmodel += states > 0;
}

static void visit_accelerations(const char *path, const char *name)
{
    oracle o;
    if (take(&o, path)) {
        accelerations(&o, name);
        oracle_close(&o);
    }
}

static void accelerations_are_those_of_libmujoco(void)
{
    corpus_each("models", ".xml", visit_accelerations);
    if (nmodel == 0) {
        SKIP("no corpus");
    }
    printf("     %d models, %d states; %d with other smooth forces left out\n", nmodel, nstate,
           nother);
    CHECK(nmodel >= 60);
}

/* ---- simulations ---- */

static void start(oracle *o, mjData *d, double offset)
{
    mj_resetData(o->mjm, d);
    for (int i = 0; i < o->m->nv; i++) {
        d->qvel[i] = 0.1 * sin(1.0 + i);
    }
    mj_integratePos(o->mjm, d->qpos, d->qvel, offset);
}

static void drive(const oracle *o, double *ctrl, int step)
{
    for (int i = 0; i < o->m->nu; i++) {
        ctrl[i] = 0.2 * sin(0.01 * step + i);
    }
}

/* Largest error of the state while libmujoco solves its steps and its perturbed run stays within
 * 1e-4, and how many steps that is */
static double simulate(oracle *o, mjData *other, int *steps)
{
    const sal_model *m = o->m;
    double worst = 0;
    sal_err err;
    start(o, o->mjd, 0);
    start(o, other, 1e-9);
    sal_data_reset(m, o->d);
    memcpy(o->d->qpos, o->mjd->qpos, (size_t)m->nq * sizeof(double));
    memcpy(o->d->qvel, o->mjd->qvel, (size_t)m->nv * sizeof(double));
    for (*steps = 0; *steps < STEPS; (*steps)++) {
        drive(o, o->d->ctrl, *steps);
        drive(o, o->mjd->ctrl, *steps);
        drive(o, other->ctrl, *steps);
        mj_step(o->mjm, o->mjd);
        mj_step(o->mjm, other);
        if (sal_step(m, o->d, &err) != SAL_OK || oracle_judged_elsewhere(o) ||
            remainder_of(o) > 1e-9 ||
            !(oracle_error(other->qpos, o->mjd->qpos, m->nq) <= 1e-4 &&
              oracle_error(other->qvel, o->mjd->qvel, m->nv) <= 1e-4)) {
            return worst;
        }
        worst = fmax(worst, oracle_error(o->d->qpos, o->mjd->qpos, m->nq));
        worst = fmax(worst, oracle_error(o->d->qvel, o->mjd->qvel, m->nv));
    }
    return worst;
}

/* Do the same forces act, as far as they are smooth? */
static bool acts_alike(oracle *o)
{
    sal_err err;
    oracle_state(o, 1, 0.1);
    mj_forward(o->mjm, o->mjd);
    return sal_forward(o->m, o->d, &err) == SAL_OK &&
           oracle_error(o->d->qacc_smooth, o->mjd->qacc_smooth, o->m->nv) <= 1e-8;
}

static void visit_simulation(const char *path, const char *name)
{
    static const int ours[] = {SAL_INT_EULER, SAL_INT_RK4, SAL_INT_IMPLICIT};
    static const int theirs[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT};
    oracle o;
    if (!take(&o, path)) {
        return;
    }
    mjData *other = mj_makeData(o.mjm);
    for (int i = 0; i < 3 && acts_alike(&o); i++) {
        int steps;
        o.m->opt.integrator = ours[i], o.mjm->opt.integrator = theirs[i];
        const double worst = simulate(&o, other, &steps);
        if (!(worst <= 1e-6)) {
            printf("     %-44s integrator %d: off by %.0e within %d steps\n", name, ours[i], worst,
                   steps);
        }
        CHECK(worst <= 1e-6);
        nsimulated += steps == STEPS;
        nchaotic += steps < STEPS;
    }
    mj_deleteData(other);
    oracle_close(&o);
}

static void simulations_are_those_of_libmujoco(void)
{
    corpus_each("models", ".xml", visit_simulation);
    if (nsimulated == 0) {
        SKIP("no corpus");
    }
    printf("     %d simulations of 500 steps; %d end before, where small differences grow or "
           "contacts are judged elsewhere\n",
           nsimulated, nchaotic);
    CHECK(nsimulated >= 60);
}

int main(void)
{
    RUN(accelerations_are_those_of_libmujoco);
    RUN(simulations_are_those_of_libmujoco);
    return check_done();
}
