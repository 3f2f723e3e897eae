/* The derivatives of rows, springs, dampers and armature that see only joint coordinates, each
 * beside differences of just its forces. */
#include "tests/check.h"
#include "tests/physics/deriv/four_points.h"

#include "mjcf/mjcf.h"
#include "physics/constraint.h"
#include "physics/deriv/deriv_pieces.h"
#include "physics/stages.h"

enum { STATES = 40 };

#define TREE                                                                                       \
    "<compiler angle='radian' autolimits='true'/><default><geom contype='0' conaffinity='0'/>"     \
    "</default><worldbody>"                                                                        \
    "<body pos='0 0 1'><joint name='a' axis='0 1 0' %s/><geom type='capsule' size='.05 .2'/>"      \
    "<body pos='.4 0 0'><joint name='b' type='ball' %s/><geom type='box' size='.1 .2 .05'/>"       \
    "<body pos='.3 .1 0'><joint name='c' type='slide' axis='1 0 1' %s/>"                           \
    "<joint name='d' axis='0 0 1' %s/><geom type='box' size='.2 .1 .05' pos='.1 0 .1'/></body>"    \
    "</body><body pos='.2 0 -.2'><joint name='e' axis='1 0 0' %s/>"                                \
    "<geom type='capsule' size='.05 .1' pos='0 .2 0'/></body></body>"                              \
    "<body pos='1 1 1'><joint name='f' type='free' %s/><geom type='box' size='.1 .2 .1'/>"         \
    "<body pos='0 .3 0'><joint name='g' axis='1 0 0' %s/><geom size='.1' pos='.1 .2 0'/></body>"   \
    "</body></worldbody>"

#define BEND "solimplimit='.2 .95 .9 .4 3' solreflimit='.1 .7'"

/* Parts between worldbody and the end */
typedef struct kind {
    const char *name, *joint[7], *rest;
} kind;

static sal_model *model_of(const kind *k)
{
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    sal_text_format(&xml, "<mujoco><option timestep='.004' gravity='0 0 0'/>" TREE "%s</mujoco>",
                    k->joint[0], k->joint[1], k->joint[2], k->joint[3], k->joint[4], k->joint[5],
                    k->joint[6], k->rest);
    CHECK_OK(sal_model_parse(&m, k->name, xml.data, xml.length, NULL, NULL, &err), err);
    sal_text_clear(&xml);
    if (m == NULL) {
        printf("%s: %s\n", k->name, err.message);
        exit(1);
    }
    return m;
}

static void random_state(const sal_model *m, sal_data *d, int k)
{
    sal_rng rng = {(uint64_t)k * 1000 + 5};
    four_points_state(m, d, &rng);
}

static void evaluate(const sal_model *m, sal_data *d, const double *acc)
{
    sal_err err = {SAL_OK, ""};
    memmove(d->qacc, acc, (size_t)m->nv * sizeof *acc);
    CHECK_OK(sal_inverse(m, d, &err), err);
}

static void rows_part(const sal_model *m, sal_data *d, const double *acc, double *out)
{
    evaluate(m, d, acc);
    for (int i = 0; i < m->nv; i++) {
        out[i] = -d->qfrc_constraint[i];
    }
}

static void passive_part(const sal_model *m, sal_data *d, const double *acc, double *out)
{
    evaluate(m, d, acc);
    for (int i = 0; i < m->nv; i++) {
        out[i] = -d->qfrc_passive[i];
    }
}

/* How many rows have force */
static int at_work(const sal_data *d)
{
    int n = 0;
    for (int row = 0; row < d->nefc; row++) {
        n += d->efc_force[row] != 0;
    }
    return n;
}

typedef void piece(const sal_model *m, sal_data *d, phy_deriv *w);

/* Holds a piece against differences; returns how many rows had force in all states. */
static int compare(const char *name, const sal_model *m, piece *exact, four_function *part)
{
    const size_t square = (size_t)m->nv * (size_t)m->nv;
    double *D = sal_alloc(3 * square, sizeof *D);
    sal_err err = {SAL_OK, ""};
    four_points f = {.m = m, .function = part};
    int forces = 0;
    CHECK_OK(sal_data_new(&f.d, m, &err), err);
    for (int k = 0; k < STATES; k++) {
        phy_deriv w = {.Dq = D, .Dv = D + square, .Da = D + 2 * square};
        random_state(m, f.d, k);
        evaluate(m, f.d, f.d->qacc);
        memset(D, 0, 3 * square * sizeof *D);
        exact(m, f.d, &w);
        forces += at_work(f.d);
        for (int by = 0; by < 3; by++) {
            four_points_error(&f, (four_by)by, D + (size_t)by * square);
        }
    }
    printf("     %-22s off by %.0e %.0e %.0e, %d forces, %d kinks of %d columns\n", name,
           f.worst[0], f.worst[1], f.worst[2], forces, f.kinks, f.columns);
    CHECK(f.worst[0] < 1e-9 && f.worst[1] < 1e-9 && f.worst[2] < 1e-9);
    CHECK(f.kinks < f.columns / 50);
    sal_data_free(f.d);
    sal_free(D);
    return forces;
}

/* ---- rows ---- */

static const kind rows[] = {
    {"limits",
     {"range='-.3 .2' margin='.1' " BEND, "range='0 .6' margin='.1' " BEND,
      "range='-.2 .3' solreflimit='-300 -20' solimplimit='.2 .95 .9 .4 3'",
      "range='-.1 .1' solimplimit='.3 .9 2 .6 2'", "range='0 .5'", "", ""},
     ""},
    {"friction of dofs",
     {"frictionloss='.02'", "frictionloss='3'", "frictionloss='20000' solreffriction='.1 1'",
      "frictionloss='5' solimpfriction='.3 .8 1 .5 2'", "frictionloss='1'", "", "frictionloss='9'"},
     ""},
    {"joint equalities",
     {"", "", "ref='.1'", "", "", "", ""},
     "<equality><joint joint1='a' joint2='d' polycoef='.1 .5 -.3 .4 .2' solref='.2 .8' "
     "solimp='.2 .9 2 .4 3'/><joint joint1='c' polycoef='.1 0 0 0 0' solimp='.1 .8 3 .5 2'/>"
     "<joint joint1='g' joint2='c' polycoef='0 2 .5 .1 -.1' solref='-50 -7' solimp='.3 .8 4 .6 2'/>"
     "</equality>"},
    {"fixed tendons",
     {"", "", "", "", "", "", ""},
     "<tendon><fixed name='t' range='-.2 .2' margin='.1' " BEND
     " frictionloss='2'><joint joint='a' coef='1'/><joint joint='d' coef='-2'/></fixed>"
     "<fixed name='u' range='-.3 .1' " BEND "><joint joint='e' coef='.5'/>"
     "<joint joint='g' coef='-2'/><joint joint='c' coef='1'/></fixed>"
     "<fixed name='v' frictionloss='100'><joint joint='d' coef='.5'/></fixed></tendon>"},
    {"tendon equalities",
     {"", "", "", "", "", "", ""},
     "<tendon><fixed name='t'><joint joint='a' coef='1'/><joint joint='d' coef='-2'/></fixed>"
     "<fixed name='u'><joint joint='d' coef='.5'/><joint joint='g' coef='-2'/></fixed></tendon>"
     "<equality><tendon tendon1='t' tendon2='u' polycoef='.1 .5 .2 .1 -.1' solimp='.2 .9 6 .4 3'/>"
     "<tendon tendon1='u' polycoef='.3 0 0 0 0' solimp='.1 .8 5 .5 2'/></equality>"},
    {"joint named twice",
     {"", "", "", "", "", "", ""},
     "<tendon><fixed name='t' range='-.2 .2' " BEND "><joint joint='a' coef='1'/>"
     "<joint joint='d' coef='-2'/><joint joint='a' coef='.3'/></fixed><fixed name='u'>"
     "<joint joint='d' coef='.5'/><joint joint='d' coef='.7'/></fixed></tendon>"
     "<equality><tendon tendon1='t' tendon2='u' polycoef='.1 .5 .2 .1 -.1' solimp='.2 .9 6 .4 3'/>"
     "</equality>"},
};

static void rows_are_those_of_differences(bool compat, double sigma)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sal_model *m = model_of(rows + i);
        m->mujoco = compat ? SAL_MUJOCO_222 : SAL_MUJOCO_314;
        m->opt.sigma = sigma;
        CHECK(compare(rows[i].name, m, phy_rows_deriv, rows_part) > STATES / 2);
        sal_model_free(m);
    }
}

static void rows_of_312(void)
{
    rows_are_those_of_differences(false, 0);
}

static void rows_of_222(void)
{
    rows_are_those_of_differences(true, 0);
}

static void rows_with_smoothed_law(void)
{
    rows_are_those_of_differences(false, 5);
}

/* ---- springs, dampers, armature ---- */

static const kind forces[] = {
    {"springs",
     {"stiffness='3 -1 .5' springref='.3'", "stiffness='5 2 1'", "stiffness='7' ref='.1'",
      "stiffness='0 2'", "", "stiffness='2 1 3'", "stiffness='1 0 4'"},
     ""},
    {"dampers",
     {"damping='.7 .2 -.1'", "damping='.3 .2 .1'", "damping='2'", "damping='0 0 3'", "",
      "damping='.5 .6 .7'", "damping='0 1'"},
     ""},
    {"tendons",
     {"", "", "", "", "", "", ""},
     "<tendon><fixed stiffness='4' damping='0 1'><joint joint='a' coef='2'/>"
     "<joint joint='d' coef='-1'/></fixed><fixed stiffness='3 1 2' springlength='-.1 .2' "
     "damping='.3 .2 .1'><joint joint='e' coef='1'/><joint joint='g' coef='-2'/></fixed>"
     "<fixed stiffness='2' damping='3'><joint joint='c' coef='1'/><joint joint='c' coef='.4'/>"
     "</fixed></tendon>"},
};

static void passive_with_flags(bool compat, int off)
{
    for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
        sal_model *m = model_of(forces + i);
        m->mujoco = compat ? SAL_MUJOCO_222 : SAL_MUJOCO_314;
        m->opt.disable |= off;
        compare(forces[i].name, m, phy_passive_deriv, passive_part);
        sal_model_free(m);
    }
}

static void passive_of_312(void)
{
    passive_with_flags(false, 0);
}

static void passive_of_222(void)
{
    passive_with_flags(true, 0);
}

static void passive_with_some_off(void)
{
    passive_with_flags(false, SAL_DSBL_SPRING);
    passive_with_flags(false, SAL_DSBL_DAMPER);
    passive_with_flags(false, SAL_DSBL_SPRING | SAL_DSBL_DAMPER);
}

/* What armature adds to M, from one random state */
static void armature_is_the_rest_of_inertia(void)
{
    static const kind heavy = {
        "armature",
        {"armature='.1'", "armature='.2'", "", "", "armature='.3'", "armature='.7'", ""},
        "<tendon><fixed armature='.4'><joint joint='a' coef='2'/><joint joint='d' coef='-1'/>"
        "</fixed><fixed armature='.5'><joint joint='a' coef='-1'/><joint joint='d' coef='.3'/>"
        "<joint joint='e' coef='.7'/></fixed>"
        "<fixed armature='.6'><joint joint='g' coef='1'/></fixed></tendon>"};
    sal_model *m = model_of(&heavy);
    sal_data *d = NULL;
    sal_err err = {SAL_OK, ""};
    const size_t square = (size_t)m->nv * (size_t)m->nv;
    double *D = sal_alloc(5 * square, sizeof *D), *M = D + 3 * square, *bare = M + square;
    phy_deriv w = {.Dq = D, .Dv = D + square, .Da = D + 2 * square};
    CHECK_OK(sal_data_new(&d, m, &err), err);
    random_state(m, d, 1);
    evaluate(m, d, d->qacc);
    phy_passive_deriv(m, d, &w);
    sal_full_m(m, d, M);
    memset(m->dof_armature, 0, (size_t)m->nv * sizeof(double));
    memset(m->tendon_armature, 0, (size_t)m->ntendon * sizeof(double));
    evaluate(m, d, d->qacc);
    sal_full_m(m, d, bare);
    for (size_t i = 0; i < square; i++) {
        CHECK(w.Dq[i] == 0 && w.Dv[i] == 0);
        CHECK_NEAR(w.Da[i], M[i] - bare[i], 1e-12);
    }
    CHECK_NEAR(w.Da[0], 0.1 + 4 * 0.4 + 0.5, 1e-14); /* joint a */
    sal_free(D);
    sal_data_free(d);
    sal_model_free(m);
}

/* A spring without a band pulls back from its resting place on, where a difference of any size says
 * so; one with a band rests. */
static void springs_at_rest_have_a_slope(void)
{
    static const kind rest = {
        "rest",
        {"stiffness='5'", "stiffness='3'", "", "", "", "stiffness='2'", ""},
        "<tendon><fixed stiffness='4'><joint joint='d' coef='2'/></fixed>"
        "<fixed stiffness='4' springlength='0 1'><joint joint='g' coef='2'/></fixed></tendon>"};
    sal_model *m = model_of(&rest);
    sal_data *d = NULL;
    sal_err err = {SAL_OK, ""};
    const size_t nv = (size_t)m->nv;
    double *D = sal_alloc(3 * nv * nv, sizeof *D);
    phy_deriv w = {.Dq = D, .Dv = D + nv * nv, .Da = D + 2 * nv * nv};
    static const double want[] = {5, 3, 3, 3, 0, 16, 0, 2, 2, 2, 2, 2, 2, 0};
    CHECK_OK(sal_data_new(&d, m, &err), err);
    CHECK_OK(sal_inverse(m, d, &err), err);
    phy_passive_deriv(m, d, &w);
    CHECK(nv == sizeof want / sizeof *want);
    for (size_t i = 0; i < nv * nv; i++) {
        CHECK_NEAR(D[i], i % (nv + 1) == 0 ? want[i / nv] : 0, 1e-14);
    }
    sal_free(D);
    sal_data_free(d);
    sal_model_free(m);
}

int main(void)
{
    RUN(rows_of_312);
    RUN(rows_of_222);
    RUN(rows_with_smoothed_law);
    RUN(passive_of_312);
    RUN(passive_of_222);
    RUN(passive_with_some_off);
    RUN(armature_is_the_rest_of_inertia);
    RUN(springs_at_rest_have_a_slope);
    return check_done();
}
