/* How the forces of a motion vary with numbers of the model: against differences of motions
 * evaluated with two models. */
#include "tests/check.h"

#include "invdyn/invdyn.h"
#include "mjcf/mjcf.h"

static sal_err err;

static const char tumbling[] =
    "<mujoco><option timestep='.005' cone='elliptic'/><worldbody>"
    "<geom name='floor' type='plane' size='2 2 .1'/>"
    "<body name='box' pos='0 0 .06'><freejoint/><inertial pos='.01 0 0' mass='.4' "
    "diaginertia='8e-4 "
    "9e-4 7e-4'/>"
    "<geom name='box' type='box' size='.05 .06 .04' friction='.4'/></body>"
    "<body name='arm' pos='1 0 1'><joint name='hip' axis='0 1 0' damping='.3' armature='.01'/>"
    "<geom name='arm' type='capsule' fromto='0 0 0 0 0 -.4' "
    "size='.02'/></body></worldbody></mujoco>";

static const struct {
    const char *path;
    int k;
} numbers[] = {
    {"body[box]/inertia", 0},    {"body[box]/inertia", 2},  {"body[box]/inertia", 5},
    {"geom[floor]/friction", 0}, {"joint[hip]/damping", 0}, {"joint[hip]/armature", 0},
    {"option/gravity", 2},
};

enum { N = 20, NUMBERS = sizeof numbers / sizeof numbers[0], MOST = 16 };

/* The box falls on the floor and turns. */
static void motion_of(const sal_model *m, double *q)
{
    double v[MOST];
    memcpy(q, m->qpos0, (size_t)m->nq * sizeof *q);
    for (int t = 0; t < N + 1; t++) {
        for (int i = 0; i < m->nv; i++) {
            v[i] = i == 2 ? -.5 : 1.5 * sin(i + .2 * t);
        }
        sal_integrate_pos(m, q + (t + 1) * m->nq, q + t * m->nq, v, m->opt.timestep);
    }
}

static void parameters_are_differences(void)
{
    const double h = 1e-6;
    sal_remodel *r = NULL;
    sal_model *model[NUMBERS][2];
    sal_model_change change[NUMBERS];
    sal_invdyn *w = NULL;
    sal_output force = {.kind = SAL_OUT_FORCE};
    CHECK_OK(sal_remodel_new(&r, "t.xml", tumbling, strlen(tumbling), NULL, &err), err);
    const sal_model *m = sal_remodel_nominal(r);
    const size_t nv = (size_t)m->nv;
    double *q = sal_alloc((size_t)(N + 2) * (size_t)m->nq, sizeof *q);
    double *P = sal_alloc(N * NUMBERS * nv, sizeof *P), *y[2];
    for (int i = 0; i < NUMBERS; i++) {
        int id = -1;
        CHECK_OK(sal_remodel_loosen(r, numbers[i].path, &id, &err), err);
        const double nominal = sal_remodel_loose(r, id).nominal[numbers[i].k];
        for (int side = 0; side < 2; side++) {
            CHECK_OK(sal_model_copy(&model[i][side], m, &err), err);
            sal_remodel_set(r, id, numbers[i].k, nominal + (side == 0 ? -h : h));
            CHECK_OK(sal_remodel_make(r, model[i][side], &err), err);
        }
        sal_remodel_set(r, id, numbers[i].k, nominal);
        CHECK(sal_model_change_of(&change[i], model[i][0], model[i][1], 2 * h));
    }
    motion_of(m, q);
    const sal_motion motion = {.nstep = N, .q = q};
    CHECK_OK(sal_invdyn_new(&w, m, &force, 1, SAL_DERIV_AUTO, SAL_FD_CENTRED, 2, &err), err);
    CHECK_OK(sal_invdyn_parameters(w, m, P, &motion, change, NUMBERS, &err), err);
    y[0] = sal_alloc(N * nv, sizeof(double));
    y[1] = sal_alloc(N * nv, sizeof(double));
    for (int i = 0; i < NUMBERS; i++) {
        double largest = 0, worst = 0;
        for (int side = 0; side < 2; side++) {
            CHECK_OK(sal_invdyn_eval(w, model[i][side], y[side], &motion, &err), err);
        }
        for (size_t t = 0; t < N; t++) {
            for (size_t k = 0; k < nv; k++) {
                const double d = (y[1][t * nv + k] - y[0][t * nv + k]) / (2 * h);
                largest = fmax(largest, fabs(d));
                worst = fmax(worst, fabs(P[(t * NUMBERS + (size_t)i) * nv + k] - d));
            }
        }
        if (!(largest > 0 && worst <= 1e-6 * largest)) {
            printf("%s[%d]: off by %g of %g\n", numbers[i].path, numbers[i].k, worst, largest);
            CHECK(0);
        }
        sal_model_free(model[i][0]);
        sal_model_free(model[i][1]);
    }
    sal_free(y[0]);
    sal_free(y[1]);
    sal_free(q);
    sal_free(P);
    sal_invdyn_free(w);
    sal_remodel_free(r);
}

int main(void)
{
    RUN(parameters_are_differences);
    return check_done();
}
