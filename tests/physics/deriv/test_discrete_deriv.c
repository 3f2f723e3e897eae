/* Derivatives at a given discrete acceleration beside differences of the discrete inverse, and
 * those of M x + c beside differences of the same. */
#include "tests/check.h"
#include "tests/physics/deriv/four_points.h"

#include "mjcf/mjcf.h"
#include "physics/constraint.h"
#include "physics/deriv/rne_deriv.h"
#include "physics/stages.h"

enum { STATES = 12 };

static const char tree[] =
    "<mujoco><compiler angle='radian' autolimits='true'/>"
    "<option timestep='.01' %s/><default><geom contype='0' conaffinity='0'/>"
    "<joint damping='%s' range='-.3 .4' solimplimit='.2 .95 .9 .4 3' solreflimit='.1 "
    ".7'/></default>"
    "<worldbody><body pos='0 0 1'><joint name='a' axis='0 1 0'/><geom type='capsule' size='.05 "
    ".2'/>"
    "<body pos='.4 0 0'><joint name='b' type='ball' range='0 .6'/><geom type='box' size='.1 .2 "
    ".05'/>"
    "<body pos='.3 .1 0'><joint name='c' type='slide' axis='1 0 1' armature='.1'/>"
    "<joint name='d' axis='0 0 1'/><geom type='box' size='.2 .1 .05' pos='.1 0 .1'/></body></body>"
    "<body pos='.2 0 -.2'><joint name='e' axis='1 0 0'/><geom type='capsule' size='.05 .1' "
    "pos='0 .2 0'/><site name='s'/></body></body>"
    "<body pos='1 1 1'><joint name='f' type='free' limited='false'/>"
    "<geom type='box' size='.1 .2 .1' pos='.1 0 0'/>"
    "<body pos='0 .3 0'><joint name='g' axis='1 0 0'/><geom size='.1' pos='.1 .2 0'/></body></body>"
    "<body pos='1 2 1'><joint name='h' type='free' limited='false'/>"
    "<geom type='box' size='.1 .2 .3' pos='0 .1 .1'/></body>"
    "<site name='o' pos='0 0 2'/></worldbody>%s</mujoco>";

static sal_model *parse(const char *options, const char *damping, const char *rest, sal_err *err)
{
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_text_format(&xml, tree, options, damping, rest);
    if (sal_model_parse(&m, "tree", xml.data, xml.length, NULL, NULL, err) != SAL_OK) {
        printf("%s\n", err->message);
        exit(1);
    }
    sal_text_clear(&xml);
    return m;
}

static void random_state(const sal_model *m, sal_data *d, int k)
{
    sal_rng rng = {(uint64_t)k * 1000 + 9};
    four_points_state(m, d, &rng);
    for (int i = 0; i < m->nu; i++) {
        d->ctrl[i] = sal_rng_uniform(&rng, -1, 1);
    }
}

/* ---- M a + c ---- */

/* of the bodies alone */
static void inertial_forces(const sal_model *m, sal_data *d, const double *acc, double *out)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_position(m, d, &err), err);
    sal_velocity(m, d);
    sal_mul_m(m, d, out, acc);
    for (int i = 0; i < m->nv; i++) {
        out[i] += d->qfrc_bias[i];
    }
}

/* dense E, whose entries outside the pattern are zero */
static void spread(const sal_model *m, double *dense, phy_slope E)
{
    memset(dense, 0, (size_t)m->nv * (size_t)m->nv * sizeof *dense);
    for (int i = 0; i < m->nv; i++) {
        const phy_row row = phy_row_of(m, i);
        for (int k = 0; k < row.n; k++) {
            const int j = phy_row_dof(row, k);
            dense[m->nv * i + j] = E.lower[row.adr + k];
            dense[m->nv * j + i] = k == 0 ? E.lower[row.adr] : E.upper[row.adr + k];
        }
    }
}

static void inertial_forces_vary_as_differences_say(void)
{
    sal_err err = {SAL_OK, ""};
    sal_model *m = parse("gravity='0 0 0'", "0", "", &err);
    const size_t square = (size_t)m->nv * (size_t)m->nv;
    double *D = sal_alloc(square + 2 * (size_t)m->nM, sizeof *D);
    const phy_slope E = {D + square, D + square + m->nM};
    four_points f = {.m = m, .function = inertial_forces};
    CHECK_OK(sal_data_new(&f.d, m, &err), err);
    for (int k = 0; k < 2 * STATES; k++) {
        random_state(m, f.d, k);
        const phy_rne_motion motion = {k % 3 == 0 ? NULL : f.d->qvel, k % 3 == 1 ? NULL : f.d->qacc,
                                       false};
        for (int i = 0; i < m->nv; i++) {
            f.d->qvel[i] *= motion.v != NULL;
            f.d->qacc[i] *= motion.a != NULL;
        }
        for (int by = 0; by < 2; by++) {
            CHECK_OK(sal_inverse(m, f.d, &err), err);
            memset(E.lower, 0, 2 * (size_t)m->nM * sizeof(double));
            (by == 0 ? phy_rne_deriv_q : phy_rne_deriv_v)(m, f.d, E, 1, &motion);
            spread(m, D, E);
            four_points_error(&f, (four_by)by, D);
        }
    }
    printf("     off by %.0e %.0e\n", f.worst[0], f.worst[1]);
    CHECK(f.worst[0] < 1e-8 && f.worst[1] < 1e-9); /* rounding of positions, divided by 2e-6 */
    sal_free(D);
    sal_data_free(f.d);
    sal_model_free(m);
}

/* ---- the discrete inverse ---- */

static void continuous(const sal_model *m, sal_data *d, const double *acc, double *out)
{
    sal_err err = {SAL_OK, ""};
    memmove(d->qacc, acc, (size_t)m->nv * sizeof *acc);
    CHECK_OK(sal_inverse(m, d, &err), err);
    memcpy(out, d->qfrc_inverse, (size_t)m->nv * sizeof *out);
}

static void discrete(const sal_model *m, sal_data *d, const double *acc, double *out)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_position(m, d, &err), err);
    sal_velocity(m, d);
    CHECK_OK(sal_inverse_discrete(m, d, acc, &err), err);
    memcpy(out, d->qfrc_inverse, (size_t)m->nv * sizeof *out);
}

/* The chain alone: from differences at given a to differences at given a'. */
static void compare_chain(const char *name, const sal_model *m)
{
    const size_t nv = (size_t)m->nv, square = nv * nv;
    double *D = sal_alloc(3 * square + nv, sizeof *D), *given = D + 3 * square;
    bool *kink = sal_alloc(nv, sizeof *kink);
    sal_err err = {SAL_OK, ""};
    four_points at_a = {.m = m, .function = continuous}, f = {.m = m, .function = discrete};
    CHECK_OK(sal_data_new(&f.d, m, &err), err);
    at_a.d = f.d;
    for (int k = 0; k < STATES; k++) {
        random_state(m, f.d, k);
        memcpy(given, f.d->qacc, nv * sizeof *given);
        discrete(m, f.d, given, D); /* and qacc = a */
        for (int by = 0; by < 3; by++) {
            four_points_matrix(&at_a, (four_by)by, D + (size_t)by * square, kink);
        }
        discrete(m, f.d, given, f.d->qfrc_applied);
        CHECK_OK(sal_discrete_rows_deriv(m, f.d, D, D + square, D + 2 * square, given, m->nv, &err),
                 err);
        memcpy(f.d->qacc, given, nv * sizeof *given);
        for (int by = 0; by < 3; by++) {
            four_points_error(&f, (four_by)by, D + (size_t)by * square);
        }
    }
    printf("     %-24s off by %.0e %.0e %.0e, %d and %d kinks of %d columns\n", name, f.worst[0],
           f.worst[1], f.worst[2], at_a.kinks, f.kinks, f.columns);
    CHECK(f.worst[0] < 1e-8 && f.worst[1] < 1e-8 && f.worst[2] < 1e-8);
    CHECK(at_a.kinks == 0 && f.kinks == 0);
    sal_free(D);
    sal_free(kink);
    sal_data_free(f.d);
}

static void chain_of(const char *options, const char *damping, const char *rest)
{
    sal_err err = {SAL_OK, ""};
    sal_model *m = parse(options, damping, rest, &err);
    compare_chain(options, m);
    sal_model_free(m);
}

static const char actuators[] =
    "<tendon><fixed name='t' damping='3'><joint joint='a' coef='1'/><joint joint='d' coef='-2'/>"
    "</fixed></tendon><actuator><position joint='a' kp='3' kv='5'/><velocity tendon='t' kv='4'/>"
    "<motor joint='b' gear='1 2 3'/><general joint='e' gaintype='affine' gainprm='1 2 3'/>"
    "</actuator>";

static void chain_of_euler(void)
{
    chain_of("", "3", "");
    chain_of("", "3 1 .5", "");
    chain_of("", "0", "");
}

static void chain_of_implicit(void)
{
    chain_of("integrator='implicit'", "3 1 .5", actuators);
    chain_of("integrator='implicit'", "0", "");
}

static void chain_of_implicitfast(void)
{
    chain_of("integrator='implicitfast'", "3 1 .5", actuators);
}

/* The whole, without any differences on its side. */
static void whole_of(const char *options, const char *damping, const char *rest)
{
    sal_err err = {SAL_OK, ""};
    sal_model *m = parse(options, damping, rest, &err);
    const size_t nv = (size_t)m->nv, square = nv * nv;
    double *D = sal_alloc(3 * square + nv, sizeof *D), *given = D + 3 * square;
    four_points f = {.m = m, .function = discrete};
    CHECK_OK(sal_data_new(&f.d, m, &err), err);
    for (int k = 0; k < STATES; k++) {
        random_state(m, f.d, k);
        memcpy(given, f.d->qacc, nv * sizeof *given);
        discrete(m, f.d, given, f.d->qfrc_applied);
        const long allocated = sal_alloc_count();
        CHECK_OK(sal_inverse_discrete_deriv(m, f.d, D, D + square, D + 2 * square, given, &err),
                 err);
        CHECK(sal_alloc_count() == allocated && f.d->arena.used == 0);
        memcpy(f.d->qacc, given, nv * sizeof *given);
        for (int by = 0; by < 3; by++) {
            four_points_error(&f, (four_by)by, D + (size_t)by * square);
        }
    }
    printf("     %-24s off by %.0e %.0e %.0e, %d kinks of %d columns\n", options, f.worst[0],
           f.worst[1], f.worst[2], f.kinks, f.columns);
    CHECK(f.worst[0] < 1e-9 && f.worst[1] < 1e-9 && f.worst[2] < 1e-9);
    CHECK(f.kinks == 0);
    sal_free(D);
    sal_data_free(f.d);
    sal_model_free(m);
}

static void discrete_derivatives_are_those_of_differences(void)
{
    whole_of("", "3", "");
    whole_of("", "3 1 .5", "");
    whole_of("", "0", "");
    whole_of("integrator='implicit'", "3 1 .5", actuators);
    whole_of("integrator='implicitfast'", "3 1 .5", actuators);
}

/* Two legs of a body that floats, over or on the floor */
static const char legs[] =
    "<mujoco><option timestep='.01' cone='%s'/><default><geom solimp='.2 .95 .2 .4 3' "
    "solref='.05 1'/></default><worldbody><geom type='plane' size='9 9 1' euler='4 7 0'/>"
    "<body pos='0 0 .45'><freejoint/><geom type='capsule' size='.1 .2'/>"
    "<body pos='0 .2 -.2'><joint axis='0 1 0' damping='2'/><geom size='.1' pos='0 .1 -.2'/></body>"
    "<body pos='0 -.2 -.2'><joint type='ball' damping='1 2'/><geom type='capsule' size='.08 .1' "
    "pos='0 -.1 -.2' euler='50 0 30' condim='4'/></body></body></worldbody></mujoco>";

static void contacts_of(const char *cone)
{
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    int contacts = 0, airborne = 0;
    sal_text_format(&xml, legs, cone);
    CHECK_OK(sal_model_parse(&m, "legs", xml.data, xml.length, NULL, NULL, &err), err);
    const size_t nv = (size_t)m->nv, square = nv * nv;
    double *D = sal_alloc(3 * square + nv, sizeof *D), *given = D + 3 * square;
    four_points f = {.m = m, .function = discrete};
    CHECK_OK(sal_data_new(&f.d, m, &err), err);
    for (int k = 0; k < 3 * STATES; k++) {
        random_state(m, f.d, k);
        for (int i = 0; i < 3; i++) { /* over the place where it was posed */
            f.d->qpos[i] = m->qpos0[i] + 0.2 * (f.d->qpos[i] - m->qpos0[i]);
        }
        memcpy(given, f.d->qacc, nv * sizeof *given);
        discrete(m, f.d, given, f.d->qfrc_applied);
        contacts += f.d->ncon;
        airborne += f.d->ncon == 0;
        CHECK_OK(sal_inverse_discrete_deriv(m, f.d, D, D + square, D + 2 * square, given, &err),
                 err);
        memcpy(f.d->qacc, given, nv * sizeof *given);
        for (int by = 0; by < 3; by++) {
            four_points_error(&f, (four_by)by, D + (size_t)by * square);
        }
    }
    printf("     %-24s off by %.0e %.0e %.0e, %d contacts, %d in the air, %d kinks of %d columns\n",
           cone, f.worst[0], f.worst[1], f.worst[2], contacts, airborne, f.kinks, f.columns);
    CHECK(f.worst[0] < 5e-9 && f.worst[1] < 1e-9 && f.worst[2] < 1e-9);
    CHECK(contacts > STATES && airborne > 0 && f.kinks < f.columns / 50);
    sal_free(D);
    sal_data_free(f.d);
    sal_model_free(m);
    sal_text_clear(&xml);
}

static void contacts_feel_the_lag(void)
{
    contacts_of("elliptic");
    contacts_of("pyramidal");
}

/* Rows of any number, each on its own: a few of all give the same as all. */
static void rows_are_chained_one_by_one(void)
{
    sal_err err = {SAL_OK, ""};
    sal_model *m = parse("", "3", "", &err);
    const size_t nv = (size_t)m->nv, square = nv * nv;
    double *all = sal_alloc(6 * square + nv, sizeof *all), *some = all + 3 * square;
    double *given = some + 3 * square;
    sal_data *d = NULL;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    random_state(m, d, 4);
    memcpy(given, d->qacc, nv * sizeof *given);
    discrete(m, d, given, d->qfrc_applied);
    CHECK_OK(sal_inverse_deriv(m, d, all, all + square, all + 2 * square, &err), err);
    memcpy(some, all, 3 * square * sizeof *all);
    CHECK_OK(sal_discrete_rows_deriv(m, d, all, all + square, all + 2 * square, given, m->nv, &err),
             err);
    for (int i = 0; i < m->nv; i++) {
        double *row = some + i * m->nv;
        CHECK_OK(sal_discrete_rows_deriv(m, d, row, row + square, row + 2 * square, given, 1, &err),
                 err);
    }
    CHECK(memcmp(all, some, 3 * square * sizeof *all) == 0);
    sal_free(all);
    sal_data_free(d);
    sal_model_free(m);
}

static void refused(const char *options, const char *rest, const char *says)
{
    sal_err err = {SAL_OK, ""};
    sal_model *m = parse(options, "3", rest, &err);
    double *D = sal_alloc(3 * (size_t)m->nv * (size_t)m->nv, sizeof *D);
    sal_data *d = NULL;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    CHECK_OK(sal_position(m, d, &err), err);
    sal_velocity(m, d);
    sal_inverse_discrete(m, d, d->qfrc_applied, &err);
    const sal_status status = sal_discrete_rows_deriv(m, d, D, D, D, d->qfrc_applied, m->nv, &err);
    CHECK(status == SAL_UNSUPPORTED && strstr(err.message, says) != NULL);
    for (int i = 0; i < 3 * m->nv * m->nv; i++) {
        CHECK(D[i] == 0); /* untouched */
    }
    sal_free(D);
    sal_data_free(d);
    sal_model_free(m);
}

#define STRING "<site site='o'/><site site='s'/></spatial></tendon>"

static void what_has_no_exact_chain_is_refused(void)
{
    refused("integrator='RK4'", "", "RK4");
    refused("", "<tendon><spatial armature='1'>" STRING, "armature");
    refused("integrator='implicit'", "<tendon><spatial damping='1'>" STRING, "spatial");
    refused("integrator='implicitfast' density='1'", "", "fluid");
    refused("integrator='implicit'",
            "<tendon><fixed damping='1 2'><joint joint='a' coef='1'/></fixed></tendon>",
            "polynomial");
    refused("integrator='implicit'", "<actuator><muscle joint='a'/></actuator>", "muscle");
    refused("integrator='implicit'", "<actuator><velocity joint='b' kv='1'/></actuator>",
            "damping");
}

int main(void)
{
    RUN(inertial_forces_vary_as_differences_say);
    RUN(chain_of_euler);
    RUN(chain_of_implicit);
    RUN(chain_of_implicitfast);
    RUN(discrete_derivatives_are_those_of_differences);
    RUN(contacts_feel_the_lag);
    RUN(rows_are_chained_one_by_one);
    RUN(what_has_no_exact_chain_is_refused);
    return check_done();
}
