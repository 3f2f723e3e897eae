/* Derivatives of the inverse of integrator="discrete" beside differences of that inverse. */
#include "tests/check.h"
#include "tests/physics/deriv/four_points.h"

#include "mjcf/mjcf.h"

enum { STATES = 12 };

static const char springs[] =
    "<mujoco><compiler angle='radian' autolimits='true'/>"
    "<option timestep='.01' integrator='discrete'/>"
    "<default><geom contype='0' conaffinity='0'/></default>"
    "<worldbody><body pos='0 0 1'><joint name='a' axis='0 1 0' stiffness='50 7 3' damping='2 1 .5' "
    "range='-.3 .4' solimplimit='.2 .95 .9 .4 3' solreflimit='.1 .7' frictionloss='.3'/>"
    "<geom type='capsule' size='.05 .2'/>"
    "<body pos='.4 0 0'><joint name='b' type='ball' stiffness='9' damping='.3'/>"
    "<geom type='box' size='.1 .2 .05'/><site name='p' pos='.1 0 .1' euler='.3 .2 .1'/>"
    "<body pos='.3 .1 0'><joint name='c' type='slide' axis='1 0 1' armature='.1' stiffness='400' "
    "springref='.2' range='-.2 .2' solreflimit='.001 1' solimplimit='.2 .95 .9 .4 3'/>"
    "<joint name='d' axis='0 0 1' damping='.2'/><geom type='box' size='.2 .1 .05' pos='.1 0 .1'/>"
    "</body></body></body>"
    "<body pos='1 1 1'><joint name='f' type='free' damping='.1' stiffness='3'/>"
    "<geom type='box' size='.1 .2 .1' pos='.1 0 0'/>"
    "<body pos='0 .3 0'><joint name='g' axis='1 0 0' range='-.1 .1' solimplimit='.2 .95 .9 .4 3' "
    "solreflimit='-900 -30'/><geom size='.1' pos='.1 .2 0'/></body></body>"
    "<body pos='1 2 1'><joint type='free'/><geom type='box' size='.1 .2 .3' pos='0 .1 .1'/></body>"
    "</worldbody>"
    "<tendon><fixed name='t' stiffness='20 3 9' damping='3 .5 .2' springlength='.1 .2'>"
    "<joint joint='a' coef='1'/><joint joint='d' coef='-2'/></fixed>"
    "<fixed name='u' range='-.1 .1' solreflimit='.08 1' solimplimit='.2 .95 .9 .4 3'>"
    "<joint joint='d' coef='1'/><joint joint='g' coef='1'/></fixed></tendon>"
    "<actuator><position joint='a' kp='30' kv='5'/><velocity tendon='t' kv='4'/>"
    "<position tendon='t' kp='4'/><motor joint='b' gear='1 2 3'/></actuator>"
    "<equality><joint joint1='c' joint2='g' polycoef='0 .5 0 0 0' solref='.05 1' "
    "solimp='.2 .95 .9 .4 3'/></equality><sensor><jointlimitfrc joint='a'/>"
    "<jointlimitfrc joint='c'/><jointlimitfrc joint='g'/><tendonlimitfrc tendon='u'/>"
    "<force site='p'/><torque site='p'/></sensor></mujoco>";

/* Contacts with the world, and of two moving bodies, whose rows move several dofs */
static const char contacts[] =
    "<mujoco><compiler angle='radian' autolimits='true'/>"
    "<option timestep='.01' integrator='discrete' %s/>"
    "<default><geom condim='3' friction='.8 .02 .01' solimp='.2 .95 2 .4 3'/>"
    "<joint damping='2' stiffness='30'/></default>"
    "<worldbody><geom type='plane' size='5 5 1'/>"
    "<body pos='0 0 .6'><joint axis='0 1 0'/><joint type='slide' axis='1 0 .2'/>"
    "<geom type='capsule' size='.3' fromto='0 0 0 .5 .1 0'/><site name='p' euler='.3 .2 .1'/>"
    "<body pos='.9 0 0'><joint axis='1 0 1' damping='1 .5'/><geom size='.5'/>"
    "<site name='q' size='9'/></body></body>"
    "<body pos='.3 .8 .9'><joint axis='0 1 1' damping='4'/><joint axis='1 0 0' stiffness='90 8'/>"
    "<geom size='.9' pos='.2 .1 .1' solref='%s'/></body></worldbody>"
    "<sensor><%s site='p'/><touch site='q'/><%s site='p'/></sensor></mujoco>";

/* What holds bodies together, a ball at its limit, polynomials */
static const char joined[] =
    "<mujoco><compiler angle='radian' autolimits='true'/>"
    "<option timestep='.01' integrator='discrete'/>"
    "<default><geom contype='0' conaffinity='0'/><joint damping='.3' stiffness='20'/>"
    "<equality solimp='.2 .95 .9 .4 3' solref='.05 .7'/></default>"
    "<worldbody><body pos='0 0 1'><joint name='a' axis='0 1 0'/>"
    "<geom type='capsule' size='.05 .2'/><body name='k' pos='.4 0 0'>"
    "<joint name='b' type='ball' range='0 .3' solimplimit='.2 .95 .9 .4 3' solreflimit='.1 .7'/>"
    "<geom type='box' size='.1 .2 .05'/><site name='p' pos='.1 0 .1' euler='.3 .2 .1'/>"
    "<body name='l' pos='.3 .1 0'><joint name='c' type='slide' axis='1 0 1' armature='.1'/>"
    "<joint name='d' axis='0 0 1'/><geom type='box' size='.2 .1 .05' pos='.1 0 .1'/>"
    "</body></body></body>"
    "<body name='f' pos='1 1 1'><joint name='f' type='free'/>"
    "<geom type='box' size='.1 .2 .1' pos='.1 0 0'/>"
    "<body name='g' pos='0 .3 0'><joint name='g' axis='1 0 0'/><geom size='.1' pos='.1 .2 0'/>"
    "</body></body></worldbody>"
    "<tendon><fixed name='t'><joint joint='a' coef='1'/><joint joint='d' coef='-2'/></fixed>"
    "<fixed name='u'><joint joint='c' coef='1'/><joint joint='g' coef='1'/></fixed></tendon>"
    "<equality>%s</equality><sensor><jointlimitfrc joint='b'/><force site='p'/>"
    "<torque site='p'/></sensor></mujoco>";

static void evaluate(const sal_model *m, sal_data *d, const double *acc)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_position(m, d, &err), err);
    sal_velocity(m, d);
    CHECK_OK(sal_inverse_discrete(m, d, acc, &err), err);
}

static void discrete(const sal_model *m, sal_data *d, const double *acc, double *out)
{
    evaluate(m, d, acc);
    memcpy(out, d->qfrc_inverse, (size_t)m->nv * sizeof *out);
}

/* As many of the sensors' numbers as there are forces, or fewer */
static void sensed(const sal_model *m, sal_data *d, const double *acc, double *out)
{
    const int n = m->nsensordata < m->nv ? m->nsensordata : m->nv;
    memset(out, 0, (size_t)m->nv * sizeof *out);
    evaluate(m, d, acc);
    memcpy(out, d->sensordata, (size_t)n * sizeof *out);
}

/* The same numbers' derivatives */
static void exactly_sensed(const sal_model *m, sal_data *d, const double *acc, double *const D[3])
{
    const size_t nv = (size_t)m->nv, square = nv * nv, n = (size_t)m->nsensordata * nv;
    double *all = sal_alloc(3 * n, sizeof *all);
    sal_err err = {SAL_OK, ""};
    for (int i = 0; i < m->nsensor; i++) {
        double *from = all + (size_t)m->sensor_adr[i] * nv;
        CHECK(sal_sensor_deriv(m, d, i, from, from + n, from + 2 * n));
        CHECK_OK(sal_discrete_rows_deriv(m, d, from, from + n, from + 2 * n, acc, m->sensor_dim[i],
                                         &err),
                 err);
    }
    for (int by = 0; by < 3; by++) {
        memset(D[by], 0, square * sizeof(double));
        memcpy(D[by], all + (size_t)by * n, (n < square ? n : square) * sizeof(double));
    }
    sal_free(all);
}

static void compare_sensors(const char *name, const sal_model *m)
{
    const size_t nv = (size_t)m->nv, square = nv * nv;
    double *D = sal_alloc(3 * square + nv, sizeof *D), *given = D + 3 * square;
    double *const by_stage[3] = {D, D + square, D + 2 * square};
    four_points f = {.m = m, .function = sensed};
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_data_new(&f.d, m, &err), err);
    for (int k = 0; k < STATES; k++) {
        sal_rng rng = {(uint64_t)k * 1000 + 9};
        four_points_state(m, f.d, &rng);
        memcpy(given, f.d->qacc, nv * sizeof *given);
        evaluate(m, f.d, given);
        exactly_sensed(m, f.d, given, by_stage);
        CHECK(f.d->arena.used == 0);
        memcpy(f.d->qacc, given, nv * sizeof *given);
        for (int by = 0; by < 3; by++) {
            four_points_error(&f, (four_by)by, D + (size_t)by * square);
        }
    }
    printf("     %-36s off by %.0e %.0e %.0e, %d kinks of %d columns, sensors\n", name, f.worst[0],
           f.worst[1], f.worst[2], f.kinks, f.columns);
    CHECK(f.worst[0] < 1e-8 && f.worst[1] < 1e-8 && f.worst[2] < 1e-8);
    CHECK(f.kinks < f.columns / 4);
    sal_free(D);
    sal_data_free(f.d);
}

static void compare(const char *name, const sal_model *m)
{
    const size_t nv = (size_t)m->nv, square = nv * nv;
    double *D = sal_alloc(3 * square + nv, sizeof *D), *given = D + 3 * square;
    four_points f = {.m = m, .function = discrete};
    sal_err err = {SAL_OK, ""};
    int rows = 0;
    CHECK_OK(sal_data_new(&f.d, m, &err), err);
    for (int k = 0; k < STATES; k++) {
        sal_rng rng = {(uint64_t)k * 1000 + 9};
        four_points_state(m, f.d, &rng);
        memcpy(given, f.d->qacc, nv * sizeof *given);
        discrete(m, f.d, given, f.d->qfrc_applied);
        rows += f.d->nefc;
        CHECK_OK(sal_inverse_discrete_deriv(m, f.d, D, D + square, D + 2 * square, given, &err),
                 err);
        CHECK(f.d->arena.used == 0);
        memcpy(f.d->qacc, given, nv * sizeof *given);
        for (int by = 0; by < 3; by++) {
            four_points_error(&f, (four_by)by, D + (size_t)by * square);
        }
    }
    printf("     %-36s off by %.0e %.0e %.0e, %d kinks of %d columns, %d rows\n", name, f.worst[0],
           f.worst[1], f.worst[2], f.kinks, f.columns, rows);
    CHECK(f.worst[0] < 1e-8 && f.worst[1] < 1e-8 && f.worst[2] < 1e-8);
    CHECK(rows >= STATES && f.kinks < f.columns / 4);
    sal_free(D);
    sal_data_free(f.d);
}

static void compare_text(const char *name, const sal_text *xml)
{
    sal_err err = {SAL_OK, ""};
    sal_model *m = NULL;
    CHECK_OK(sal_model_parse(&m, "step", xml->data, xml->length, NULL, NULL, &err), err);
    if (m != NULL) {
        compare(name, m);
        compare_sensors(name, m);
    }
    sal_model_free(m);
}

static void springs_of_joints_and_tendons(void)
{
    sal_text xml = {0};
    sal_text_add(&xml, springs);
    compare_text("springs", &xml);
    sal_text_clear(&xml);
}

static void what_is_held_together(void)
{
    static const char *const what[][2] = {
        {"ball's limit", ""},
        {"connect", "<connect body1='l' body2='g' anchor='.1 .2 0'/>"},
        {"connect, stiff", "<connect body1='l' anchor='.1 .2 0' solref='.002 1'/>"},
        {"weld", "<weld body1='g' body2='k' torquescale='.3'/>"},
        {"weld, hard", "<weld body1='f' solimp='.99 .99999 .9 .4 3' solref='-900 -40'/>"},
        {"polynomials", "<joint joint1='a' joint2='g' polycoef='.1 .5 -.3 .4 .2'/>"
                        "<tendon tendon1='t' tendon2='u' polycoef='.1 .5 -.3 .4 .2'/>"}};
    for (size_t k = 0; k < sizeof what / sizeof *what; k++) {
        sal_text xml = {0};
        sal_text_format(&xml, joined, what[k][1]);
        compare_text(what[k][0], &xml);
        sal_text_clear(&xml);
    }
}

/* Springs, dampers, friction, limits and servos along what turns with the pose */
static const char pulled[] =
    "<mujoco><compiler angle='radian' autolimits='true'/>"
    "<option timestep='.01' integrator='discrete'/>"
    "<default><geom contype='0' conaffinity='0'/></default>"
    "<worldbody><site name='w0' pos='0 .3 1.2'/><site name='w1' pos='.2 .1 1.3'/>"
    "<body pos='0 0 1'><joint axis='0 1 0'/><joint axis='1 0 0'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .1 0 -.4' mass='1'/>"
    "<site name='a0' pos='.08 0 -.1'/><body pos='.1 0 -.4'><joint axis='0 1 0' damping='.2'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 0 .05 -.4' mass='.7'/>"
    "<site name='p' pos='.09 0 -.15' euler='.3 .2 .1'/><body pos='0 .05 -.4'><joint type='ball'/>"
    "<geom type='box' size='.05 .08 .04' pos='.05 0 -.1' mass='.4'/>"
    "<site name='c0' pos='.08 0 -.1'/></body></body></body></worldbody>"
    "<tendon><spatial name='s' stiffness='30 9 4' damping='2 .8 .4' springlength='.2' "
    "frictionloss='.7'><site site='w0'/><site site='p'/></spatial>"
    "<spatial name='t' range='0 .3' solreflimit='.08 1' solimplimit='.2 .95 .9 .4 3'>"
    "<site site='w1'/><site site='a0'/><site site='c0'/></spatial>"
    "<spatial name='u' stiffness='20'><site site='a0'/><site site='c0'/></spatial></tendon>"
    "<equality>%s</equality>"
    "<actuator><position tendon='t' kp='30' kv='2'/><velocity tendon='u' kv='3' gear='-2'/>"
    "<general site='c0' refsite='w0' gear='1 2 3 .1 .2 .3' biastype='affine' biasprm='0 -20 -3'/>"
    "</actuator><sensor><tendonlimitfrc tendon='t'/><force site='p'/><torque site='p'/></sensor>"
    "</mujoco>";

static void compare_pulled(const char *name, const char *equality, bool sensors)
{
    sal_text xml = {0};
    sal_err err = {SAL_OK, ""};
    sal_model *m = NULL;
    sal_text_format(&xml, pulled, equality);
    CHECK_OK(sal_model_parse(&m, "step", xml.data, xml.length, NULL, NULL, &err), err);
    compare(name, m);
    if (sensors) { /* not of what actuators do at once */
        m->opt.disable |= SAL_DSBL_ACTUATION;
        compare_sensors(name, m);
    }
    sal_model_free(m);
    sal_text_clear(&xml);
}

static void spatial_tendons(void)
{
    compare_pulled("along tendons and sites", "", true);
    compare_pulled("tied tendons",
                   "<tendon tendon1='s' tendon2='u' polycoef='.1 .5 -.3 .4 .2' solref='.05 .7'/>",
                   false);
    const char *root = getenv("SALTUS_ROOT");
    static const char *const names[] = {"tendons", "tendon_armature", "sticky"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[1024];
        sal_err err = {SAL_OK, ""};
        sal_model *m = NULL;
        snprintf(path, sizeof path, "%s/tests/physics/deriv/twins/%s.xml",
                 root == NULL ? "." : root, names[k]);
        CHECK_OK(sal_model_load(&m, path, NULL, NULL, &err), err);
        m->opt.integrator = SAL_INT_DISCRETE;
        m->opt.timestep = .01;
        compare(names[k], m);
        sal_model_free(m);
    }
}

static void compare_contacts(const char *name, const char *options, const char *solref)
{
    sal_text xml = {0};
    for (int kind = 0; kind < 2; kind++) {
        sal_text_format(&xml, contacts, options, solref, kind == 0 ? "force" : "torque",
                        kind == 0 ? "torque" : "force");
        compare_text(name, &xml);
        sal_text_clear(&xml);
    }
}

static void rows_of_contacts(void)
{
    compare_contacts("elliptic", "cone='elliptic' impratio='3'", ".1 .8");
    compare_contacts("elliptic, too stiff", "cone='elliptic'", ".002 1");
    compare_contacts("pyramidal", "impratio='2'", "-300 -20");
    compare_contacts("pyramidal, too stiff", "", ".002 1");
}

int main(void)
{
    RUN(springs_of_joints_and_tendons);
    RUN(rows_of_contacts);
    RUN(what_is_held_together);
    RUN(spatial_tendons);
    return check_done();
}
