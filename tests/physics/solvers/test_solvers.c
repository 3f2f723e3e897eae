/* Newton, PGS and CG: the same forces, those of libmujoco's own solvers of the same name; and what
 * each of them promises by itself. */
#include "tests/check.h"
#include "tests/physics/oracle.h"

#include "base/house.h"
#include "mjcf/mjcf.h"

enum { STEPS = 400, EVERY = 40 };

/* In contact when they fall from where they are posed, or linked by what else has rows */
static const char *const models[] = {
    "models/gym_humanoid.xml", "models/dmctest_humanoid.xml",
    "models/dmc_humanoid.xml", "models/mj222_humanoid.xml",
    "models/dmc_walker.xml",   "models/gym_half_cheetah.xml",
    "models/gym_ant.xml",      "models/dmctest_arm.xml",
    "models/brax_capsule.xml", "reference/vectors/03_capsule_plane_condim.xml",
    "models/mj222_weld.xml",   "reference/vectors/05_ball_limit_friction.xml",
    "models/men_cassie.xml",   "reference/vectors/07_tendon_wrap.xml"};
enum { MODELS = sizeof models / sizeof *models };

typedef struct tally {
    int states, rows, unconverged, theirs;
    double worst[3], worst_theirs;
} tally;

/* |a - b| beside the largest of b, or of 1 */
static double apart(const double *a, const double *b, int n)
{
    double most = 0, scale = 1;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        scale = fmax(scale, fabs(b[i]));
    }
    return most / scale;
}

static void exact(sal_model *m, int solver)
{
    m->opt.solver = solver;
    m->opt.tolerance = 0;
    m->opt.iterations = solver == SAL_SOLVER_NEWTON ? 300 : 20000;
}

static int mujoco_solver(int solver)
{
    return solver == SAL_SOLVER_PGS ? mjSOL_PGS : solver == SAL_SOLVER_CG ? mjSOL_CG : mjSOL_NEWTON;
}

/* The state of d, by each solver; all forces beside Newton's, and libmujoco's of the same name. */
static void compare(oracle *o, double *force, tally *t)
{
    const sal_model *m = o->m;
    sal_data *d = o->d;
    const int n = d->nefc;
    memcpy(force, d->efc_force, (size_t)n * sizeof *force);
    t->states++;
    t->rows = n > t->rows ? n : t->rows;
    for (int solver = SAL_SOLVER_PGS; solver <= SAL_SOLVER_CG; solver++) {
        sal_err err = {0};
        exact(o->m, solver);
        memset(d->qacc_warmstart, 0, (size_t)m->nv * sizeof(double));
        CHECK_OK(sal_forward(m, d, &err), err);
        t->unconverged += !d->solver_converged;
        t->worst[solver] = fmax(t->worst[solver], apart(d->efc_force, force, n));
        if (!d->solver_converged ||
            (solver == SAL_SOLVER_PGS && m->opt.cone == SAL_CONE_ELLIPTIC)) {
            continue; /* theirs stops elsewhere than at the minimum: laws/cone_block.h */
        }
        memcpy(o->mjd->qpos, d->qpos, (size_t)m->nq * sizeof(double));
        memcpy(o->mjd->qvel, d->qvel, (size_t)m->nv * sizeof(double));
        memcpy(o->mjd->act, d->act, (size_t)m->na * sizeof(double));
        memset(o->mjd->qacc_warmstart, 0, (size_t)m->nv * sizeof(double));
        o->mjm->opt.solver = mujoco_solver(solver);
        o->mjm->opt.tolerance = 0;
        o->mjm->opt.iterations = 20000;
        mj_forward(o->mjm, o->mjd);
        const bool is_same_load = apart(d->qfrc_smooth, o->mjd->qfrc_smooth, m->nv) < 1e-9;
        if (o->mjd->nefc == n && is_same_load && !oracle_judged_elsewhere(o)) {
            t->theirs++;
            const double off = apart(d->efc_force, o->mjd->efc_force, n);
            t->worst_theirs = fmax(t->worst_theirs, off);
        }
    }
    exact(o->m, SAL_SOLVER_NEWTON);
}

static void fall(oracle *o, tally *t)
{
    sal_model *m = o->m;
    sal_err err = {0};
    double *force = sal_alloc((size_t)m->nefcmax, sizeof(double));
    for (int k = 0; k < STEPS; k++) {
        if (k % EVERY == EVERY - 1 && sal_forward(m, o->d, &err) == SAL_OK && o->d->nefc > 0) {
            compare(o, force, t);
        }
        CHECK_OK(sal_step(m, o->d, &err), err);
    }
    sal_free(force);
}

/* Ours agree to 1e-9, beside the largest force or 1; theirs with ours to 1e-6, which their line
 * search allows. */
static void judge(const char *name, int cone, const tally *t)
{
    const bool good = t->worst[SAL_SOLVER_PGS] <= 1e-9 && t->worst[SAL_SOLVER_CG] <= 1e-9 &&
                      t->worst_theirs <= 1e-6 && t->unconverged == 0 && 2 * t->theirs > t->states;
    CHECK(good);
    if (!good) {
        printf("%s, cone %d: %d states, %d rows: PGS %.1e CG %.1e, %d of libmujoco %.1e, %d "
               "unconverged\n",
               name, cone, t->states, t->rows, t->worst[SAL_SOLVER_PGS], t->worst[SAL_SOLVER_CG],
               t->theirs, t->worst_theirs, t->unconverged);
    }
}

static void all_find_the_same_force(void)
{
    for (int i = 0; i < MODELS; i++) {
        const char *path = check_corpus(models[i]);
        if (path == NULL) {
            SKIP("no corpus");
        }
        for (int cone = 0; cone < 2; cone++) {
            oracle o;
            char why[512];
            sal_err err = {0};
            tally t = {0};
            if (!oracle_open(&o, path, why)) {
                printf("%s: %s\n", models[i], why);
                CHECK(false);
                break;
            }
            o.m->opt.integrator = SAL_INT_EULER;
            o.m->opt.cone = o.mjm->opt.cone = cone;
            sal_data_free(o.d);
            exact(o.m, SAL_SOLVER_PGS);
            CHECK_OK(sal_data_new(&o.d, o.m, &err), err);
            exact(o.m, SAL_SOLVER_NEWTON);
            fall(&o, &t);
            judge(models[i], cone, &t);
            CHECK(t.states > 0);
            oracle_close(&o);
        }
    }
}

/* ---- PGS ---- */

static sal_model *model_of(const char *xml)
{
    sal_model *m = NULL;
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "model", xml, strlen(xml), NULL, NULL, &err), err);
    return m;
}

/* A sphere pushed forward and up by nearly its weight: the force is on the border of the cone, and
 * a step along the ray of f = 0 followed by one within the disc would stay at 0. */
static void pushed_sphere_finds_its_force(void)
{
    sal_model *m =
        model_of("<mujoco><option cone='elliptic' gravity='0 0 0' tolerance='0' iterations='500' "
                 "solver='PGS'/><worldbody><geom type='plane' size='5 5 1'/><body pos='0 0 .0999'>"
                 "<freejoint/><geom size='.1' mass='1'/></body></worldbody></mujoco>");
    sal_data *d = NULL;
    sal_err err = {0};
    double force[2][3];
    CHECK(m->opt.solver == SAL_SOLVER_PGS);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    for (int i = 0; i < 2; i++) {
        m->opt.solver = i == 0 ? SAL_SOLVER_PGS : SAL_SOLVER_NEWTON;
        d->qfrc_applied[0] = 10;
        d->qfrc_applied[2] = 10.5 - 9.81;
        memset(d->qacc_warmstart, 0, (size_t)m->nv * sizeof(double));
        CHECK_OK(sal_forward(m, d, &err), err);
        CHECK(d->nefc == 3 && d->solver_converged);
        memcpy(force[i], d->efc_force, sizeof force[i]);
    }
    for (int j = 0; j < 3; j++) {
        CHECK_NEAR(force[0][j], force[1][j], 1e-11);
    }
    CHECK_NEAR(hypot(force[0][1], force[0][2]), force[0][0], 1e-11); /* mu = 1: it slides */
    CHECK(force[0][0] > 1);
    sal_data_free(d);
    sal_model_free(m);
}

/* The limit on iterations is kept, and said to be what ended it. */
static void limits_are_kept(void)
{
    sal_model *m = model_of(
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/><body pos='0 0 .0999'><freejoint/>"
        "<geom type='box' size='.2 .1 .1'/></body><body pos='0 0 .2997'><freejoint/>"
        "<geom type='box' size='.2 .1 .1'/></body></worldbody></mujoco>");
    sal_data *d = NULL;
    sal_err err = {0};
    m->opt.solver = SAL_SOLVER_PGS;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    for (int solver = 0; solver < SAL_NSOLVER; solver++) {
        m->opt.solver = solver;
        for (int k = 0; k < 2; k++) {
            m->opt.iterations = k == 0 ? 1 : 10000;
            m->opt.tolerance = 1e-12;
            memset(d->qacc_warmstart, 0, (size_t)m->nv * sizeof(double));
            CHECK_OK(sal_forward(m, d, &err), err);
            CHECK(d->solver_converged == (k == 1) || solver == SAL_SOLVER_NEWTON);
            CHECK(k == 1 || d->solver_iterations == 1);
            CHECK(k == 0 || d->solver_gradient < 1e-12);
        }
    }
    sal_data_free(d);
    sal_model_free(m);
}

/* ---- noslip ---- */

/* The forces of both engines down the slope, to what their Newton leaves of the normal forces. In
 * the elliptic cone the box of friction 1 stays where it is; in the pyramid the two directions
 * share the normal force, and half of it does not hold the box (in neither engine). */
static void noslip_is_that_of_libmujoco(void)
{
    for (int cone = 0; cone < 2; cone++) {
        oracle o;
        sal_err err = {0};
        double worst = 0;
        oracle_open_own(&o, "solvers/incline");
        o.m->opt.cone = o.mjm->opt.cone = cone;
        CHECK(o.m->opt.noslip_iterations == 30 && o.mjm->opt.noslip_iterations == 30);
        for (int k = 0; k < 300; k++) {
            memcpy(o.mjd->qpos, o.d->qpos, (size_t)o.m->nq * sizeof(double));
            memcpy(o.mjd->qvel, o.d->qvel, (size_t)o.m->nv * sizeof(double));
            memcpy(o.mjd->qacc_warmstart, o.d->qacc_warmstart, (size_t)o.m->nv * sizeof(double));
            mj_forward(o.mjm, o.mjd);
            CHECK_OK(sal_step(o.m, o.d, &err), err);
            CHECK(o.d->nefc == o.mjd->nefc);
            worst = fmax(worst, apart(o.d->efc_force, o.mjd->efc_force, o.d->nefc));
            worst = fmax(worst, apart(o.d->qacc, o.mjd->qacc, o.m->nv));
        }
        const double sticking = fabs(o.d->qvel[0]);
        o.m->opt.noslip_iterations = 0;
        for (int k = 0; k < 100; k++) {
            CHECK_OK(sal_step(o.m, o.d, &err), err);
        }
        const double slipping = fabs(o.d->qvel[0]);
        CHECK(worst <= 1e-6);
        CHECK(cone == SAL_CONE_PYRAMIDAL || sticking < 1e-6 * slipping);
        oracle_close(&o);
    }
}

/* Sweeps end where they change nothing, with a tolerance of 0 too: two thousand million of them are
 * as good as three hundred. (In elliptic cones those of a box on its corners creep on.) */
static void noslip_ends_where_nothing_changes(void)
{
    static const int sweeps[] = {300, 2000000000};
    oracle o[2];
    sal_err err = {0};
    for (int i = 0; i < 2; i++) {
        oracle_open_own(&o[i], "solvers/incline");
        o[i].m->opt.noslip_iterations = sweeps[i];
    }
    for (int k = 0; k < 100; k++) {
        CHECK_OK(sal_step(o[0].m, o[0].d, &err), err);
        CHECK_OK(sal_step(o[1].m, o[1].d, &err), err);
        CHECK(memcmp(o[0].d->qpos, o[1].d->qpos, (size_t)o[0].m->nq * sizeof(double)) == 0);
    }
    oracle_close(&o[0]);
    oracle_close(&o[1]);
}

/* The data of a model without it has no room for it: that is said, and not a fault of ours. */
static void room_is_asked_for(void)
{
    oracle o;
    oracle_open_own(&o, "solvers/incline");
    for (int i = 0; i < 2; i++) {
        sal_err err = {0};
        sal_data_free(o.d);
        o.m->opt.solver = SAL_SOLVER_NEWTON;
        o.m->opt.noslip_iterations = 0;
        CHECK_OK(sal_data_new(&o.d, o.m, &err), err);
        o.m->opt.solver = i == 0 ? SAL_SOLVER_PGS : SAL_SOLVER_NEWTON;
        o.m->opt.noslip_iterations = i;
        CHECK(sal_forward(o.m, o.d, &err) == SAL_BADINPUT && strstr(err.message, "sal_data_new"));
        sal_data_free(o.d);
        CHECK_OK(sal_data_new(&o.d, o.m, &err), err);
        CHECK_OK(sal_forward(o.m, o.d, &err), err);
    }
    oracle_close(&o);
}

/* ---- all of them ---- */

static void each_way(void (*test)(oracle *o))
{
    for (int i = 0; i < 2 * 2 * SAL_NSOLVER; i++) {
        oracle o;
        sal_err err = {0};
        oracle_open_own(&o, "solvers/incline");
        o.m->opt.solver = i / 4;
        o.m->opt.cone = i % 2;
        o.m->opt.noslip_iterations = i / 2 % 2 == 0 ? 0 : 3;
        sal_data_free(o.d);
        CHECK_OK(sal_data_new(&o.d, o.m, &err), err);
        test(&o);
        oracle_close(&o);
    }
}

static void allocates_nothing(oracle *o)
{
    sal_err err = {0};
    const long before = sal_alloc_count();
    for (int k = 0; k < 100; k++) {
        CHECK_OK(sal_step(o->m, o->d, &err), err);
        CHECK(o->d->nefc > 0 && o->d->arena.used == 0);
    }
    CHECK(sal_alloc_count() == before);
}

static void hot_path_allocates_nothing(void)
{
    each_way(allocates_nothing);
}

static void ends_in_a_status(oracle *o)
{
    sal_err err = {0};
    o->d->qfrc_applied[0] = (double)NAN;
    CHECK(sal_forward(o->m, o->d, &err) == SAL_DIVERGED);
    CHECK(o->d->arena.used == 0);
    o->d->qfrc_applied[0] = 0;
    o->d->qvel[7] = (double)NAN;
    CHECK(sal_forward(o->m, o->d, &err) == SAL_DIVERGED);
}

static void numbers_that_are_not_finite_end_in_a_status(void)
{
    each_way(ends_in_a_status);
}

int main(void)
{
    RUN(all_find_the_same_force);
    RUN(pushed_sphere_finds_its_force);
    RUN(limits_are_kept);
    RUN(noslip_is_that_of_libmujoco);
    RUN(noslip_ends_where_nothing_changes);
    RUN(room_is_asked_for);
    RUN(hot_path_allocates_nothing);
    RUN(numbers_that_are_not_finite_end_in_a_status);
    return check_done();
}
