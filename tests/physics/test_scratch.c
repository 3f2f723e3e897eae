/* No model makes a function of physics/ run out of scratch: mechanisms with few dofs and very many
 * elements, and with many dofs. And scratch that is too small all the same, here on purpose, is a
 * reported error: nothing is written beyond it. */
#include "tests/check.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"

static sal_model *parse(sal_text *xml)
{
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_model_parse(&m, "scratch.xml", xml->data, xml->length, NULL, NULL, &err), err);
    sal_text_clear(xml);
    return m;
}

/* ---- everything that takes scratch, at one state ---- */

static const sal_integrator integrators[] = {SAL_INT_EULER, SAL_INT_RK4, SAL_INT_IMPLICIT,
                                             SAL_INT_IMPLICITFAST};

typedef struct trial {
    const sal_model *m;
    sal_data *d;
    double *D, *a; /* [3 x n x nv], [nv]; n: nv, nu or 6, whichever is most */
    size_t rows;
} trial;

static size_t most_of(size_t a, size_t b)
{
    return a > b ? a : b;
}

static trial begin(const sal_model *m)
{
    trial t = {.m = m};
    sal_err err = {SAL_OK, ""};
    t.rows = most_of(most_of((size_t)m->nv, (size_t)m->nu), 6);
    t.D = sal_alloc(3 * t.rows * most_of((size_t)m->nv, (size_t)m->nu), sizeof *t.D);
    t.a = sal_alloc((size_t)m->nv, sizeof *t.a);
    CHECK_OK(sal_data_new(&t.d, m, &err), err);
    return t;
}

static void end(trial *t)
{
    sal_free(t->D);
    sal_free(t->a);
    sal_data_free(t->d);
}

static void stir(trial *t)
{
    sal_rng rng = {7};
    sal_data_reset(t->m, t->d);
    for (int i = 0; i < t->m->nv; i++) {
        t->a[i] = sal_rng_uniform(&rng, -0.1, 0.1);
        t->d->qvel[i] = sal_rng_uniform(&rng, -0.1, 0.1);
    }
    sal_integrate_pos(t->m, t->d->qpos, t->m->qpos0, t->a, 0.01);
}

/* SAL_UNSUPPORTED is an answer, too: it depends on the model. */
static sal_status known(sal_status status)
{
    return status == SAL_UNSUPPORTED ? SAL_OK : status;
}

static sal_status inverse_and_derivatives(trial *t, sal_err *err)
{
    const sal_model *m = t->m;
    const size_t part = t->rows * (size_t)m->nv;
    double *Dq = t->D, *Dv = Dq + part, *Da = Dv + part;
    sal_status status = sal_inverse(m, t->d, err);
    status = status == SAL_OK ? known(sal_inverse_deriv(m, t->d, Dq, Dv, Da, err)) : status;
    status = status == SAL_OK ? known(sal_inverse_discrete(m, t->d, t->a, err)) : status;
    status = status == SAL_OK ? known(sal_inverse_discrete_deriv(m, t->d, Dq, Dv, Da, t->a, err))
                              : status;
    return status == SAL_OK ? known(sal_discrete_rows_deriv(m, t->d, Dq, Dv, Da, t->a, m->nv, err))
                            : status;
}

static void single_derivatives(trial *t)
{
    const sal_model *m = t->m;
    const size_t part = t->rows * most_of((size_t)m->nv, (size_t)m->nu);
    double *Dq = t->D, *Dv = Dq + part, *Da = Dv + part;
    for (int i = 0; i < m->nsensor; i++) {
        sal_sensor_deriv(m, t->d, i, Dq, Dv, Da);
    }
    for (int i = 0; i < m->ntendon; i++) {
        sal_tendon_velocity_deriv(m, t->d, i, Dq, Dv);
    }
    for (int i = 0; i < m->nu; i++) {
        sal_actuator_velocity_deriv(m, t->d, i, Dq, Dv);
    }
    for (int which = SAL_BULK_COM; which <= SAL_BULK_LINACC; which++) {
        double y[3];
        sal_bulk_value(m, t->d, (sal_bulk)which, 0, y);
        sal_bulk_deriv(m, t->d, (sal_bulk)which, 0, Dq, Dv, Da);
    }
    sal_actuation_deriv(m, t->d, Dq, Dv, Da);
    sal_energy(m, t->d);
    sal_kinetic_energy_deriv(m, t->d, Dq, Dv);
    sal_body_force(m, t->d);
}

static void parameter_derivatives(trial *t)
{
    sal_model minus = *t->m, plus = *t->m;
    sal_model_change c;
    double *friction = sal_alloc(5 * (size_t)t->m->npair, sizeof *friction);
    double *stiffness = sal_alloc((size_t)t->m->njnt, sizeof *stiffness);
    double *armature = sal_alloc((size_t)t->m->nv, sizeof *armature);
    memcpy(friction, t->m->pair_friction, 5 * (size_t)t->m->npair * sizeof *friction);
    for (int i = 0; i < 5 * t->m->npair; i++) {
        friction[i] *= 1.001;
    }
    for (int i = 0; i < t->m->njnt; i++) {
        stiffness[i] = t->m->jnt_stiffness[i] + 0.01;
    }
    for (int i = 0; i < t->m->nv; i++) {
        armature[i] = t->m->dof_armature[i] + 0.01;
    }
    plus.pair_friction = friction;
    plus.jnt_stiffness = stiffness;
    plus.dof_armature = armature;
    if (sal_model_change_of(&c, &minus, &plus, 0.01)) { /* known with Euler */
        sal_inverse_parameter_deriv(t->m, t->d, &c, t->a, t->D);
    } else {
        CHECK(t->m->opt.integrator != SAL_INT_EULER);
    }
    sal_free(friction);
    sal_free(stiffness);
    sal_free(armature);
}

static sal_status step(trial *t, sal_err *err)
{
    const sal_status status = known(sal_step(t->m, t->d, err));
    double difference[2];
    if (status == SAL_OK) {
        sal_compare_forward_inverse(t->m, t->d, difference);
    }
    return status == SAL_DIVERGED ? SAL_OK : status; /* the arm may be thrown about */
}

/* The first error of all at one state. */
static sal_status evaluate(trial *t, sal_err *err)
{
    const sal_status status = inverse_and_derivatives(t, err);
    if (status != SAL_OK) {
        return status;
    }
    single_derivatives(t);
    parameter_derivatives(t);
    return step(t, err);
}

static void has_room(const char *name, sal_model *m)
{
    sal_err err = {SAL_OK, ""};
    trial t = begin(m);
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        m->opt.integrator = (int)integrators[i];
        stir(&t);
        CHECK_OK(evaluate(&t, &err), err);
        CHECK(t.d->arena.used == 0 && t.d->arena.need <= t.d->arena.size);
    }
    printf("     %-28s %4d dofs, %5d rows, %9zu bytes of scratch\n", name, m->nv, t.d->nefc,
           t.d->arena.size);
    end(&t);
    sal_model_free(m);
}

/* With less and less scratch: an error wherever any was refused, and the rest of the block stays as
 * it was. */
static int with_less(sal_model *m)
{
    enum { SIZES = 97, MARK = 0x5a };
    sal_err err = {SAL_OK, ""};
    trial t = begin(m);
    const size_t all = t.d->arena.size;
    int refused = 0;
    for (int k = 0; k < SIZES; k++) {
        const size_t size = all * (size_t)k / SIZES;
        m->opt.integrator =
            (int)integrators[(size_t)k % (sizeof integrators / sizeof *integrators)];
        stir(&t);
        t.d->arena.size = size;
        memset(t.d->arena.base + size, MARK, all - size);
        const sal_status status = evaluate(&t, &err);
        CHECK(status == (t.d->arena.need > size ? SAL_INTERNAL : SAL_OK));
        CHECK(status == SAL_OK || strstr(err.message, "scratch") != NULL);
        refused += status != SAL_OK;
        size_t written = size;
        while (written < all && t.d->arena.base[written] == MARK) {
            written++;
        }
        CHECK(written == all); /* nothing is written beyond the scratch */
    }
    end(&t);
    sal_model_free(m);
    return refused;
}

/* ---- models ---- */

static const char arm[] =
    "<mujoco><option timestep='1e-4'/><worldbody><site name='w' pos='0 0 1'/>"
    "<body name='arm'><joint name='h' axis='0 1 0' range='-30 30' limited='true'/>"
    "<geom size='.1' pos='.5 0 0'/><site name='s' pos='.4 .1 0'/></body></worldbody>";

static sal_model *tendons(int n, bool limited)
{
    sal_text xml = {0};
    sal_text_add(&xml, arm);
    sal_text_add(&xml, "<tendon>");
    for (int i = 0; i < n; i++) {
        sal_text_format(&xml,
                        "<spatial stiffness='%d' damping='.1' limited='%s' range='0 %g'>"
                        "<site site='w'/><site site='s'/></spatial>",
                        i % 3, limited ? "true" : "false", i % 2 == 0 ? 0.5 : 5.0);
    }
    sal_text_add(&xml, "</tendon></mujoco>");
    return parse(&xml);
}

static void many_tendons(void)
{
    has_room("250 tendons of a hinge", tendons(250, false));
    has_room("2,000 tendons of a hinge", tendons(2000, false));
    has_room("with limits", tendons(2000, true));
}

/* Muscles at tendons that wrap, a tendon with armature, tendons held together, an actuator of every
 * kind. */
static void many_muscles(void)
{
    sal_text xml = {0};
    sal_text_add(&xml, arm);
    sal_text_add(&xml, "<tendon>");
    for (int i = 0; i < 150; i++) {
        sal_text_format(&xml,
                        "<spatial name='t%d' armature='%g'><site site='w'/><site site='s'/>"
                        "</spatial>",
                        i, i % 50 == 49 ? 0.1 : 0);
    }
    sal_text_add(&xml, "</tendon><equality>");
    for (int i = 0; i + 1 < 150; i += 2) {
        sal_text_format(&xml, "<tendon tendon1='t%d' tendon2='t%d'/>", i, i + 1);
    }
    sal_text_add(&xml, "</equality><actuator>");
    for (int i = 0; i < 150; i++) {
        sal_text_format(&xml, "<muscle tendon='t%d' lengthrange='.5 1.5'/>", i);
    }
    sal_text_add(&xml, "</actuator></mujoco>");
    has_room("150 muscles of a hinge", parse(&xml));
}

static void many_actuators(void)
{
    sal_text xml = {0};
    sal_text_add(&xml, arm);
    sal_text_add(&xml, "<actuator>");
    for (int i = 0; i < 100; i++) {
        sal_text_add(&xml, "<position joint='h' kp='3'/><motor site='s' gear='1 2 3 4 5 6'/>"
                           "<intvelocity joint='h' kp='1' actrange='-1 1'/>");
    }
    sal_text_add(&xml, "</actuator></mujoco>");
    has_room("300 actuators of a hinge", parse(&xml));
}

static sal_model *equalities(int n)
{
    sal_text xml = {0};
    sal_text_add(&xml, "<mujoco><option timestep='1e-4'/><worldbody>");
    for (int i = 0; i < 3; i++) {
        sal_text_format(&xml,
                        "<body name='b%d' pos='%d 0 0'><freejoint/><geom size='.1'/>"
                        "<body name='c%d' pos='.3 0 0'><joint name='h%d' axis='0 1 0'/>"
                        "<geom size='.1'/></body></body>",
                        i, i, i, i);
    }
    sal_text_add(&xml, "</worldbody><equality>");
    for (int i = 0; i < n; i += 5) {
        const int a = i % 3, b = (i + 1) % 3;
        sal_text_format(&xml,
                        "<connect body1='c%d' body2='c%d' anchor='.1 0 0'/>"
                        "<weld body1='c%d' body2='b%d'/><joint joint1='h%d' joint2='h%d'/>"
                        "<weld body1='b%d'/><connect body1='c%d' anchor='0 0 0'/>",
                        a, b, a, b, a, b, a, b);
    }
    sal_text_add(&xml, "</equality></mujoco>");
    return parse(&xml);
}

static void many_equalities(void)
{
    has_room("500 equalities", equalities(500));
}

static void many_sensors(void)
{
    static const char *const of_site[] = {"accelerometer", "velocimeter", "gyro",
                                          "force",         "torque",      "touch"};
    sal_text xml = {0};
    sal_text_add(&xml, arm);
    sal_text_add(&xml, "<sensor>");
    for (int i = 0; i < 600; i++) {
        sal_text_format(&xml, "<%s site='s'/>", of_site[i % 6]);
    }
    for (int i = 0; i < 100; i++) {
        sal_text_add(&xml,
                     "<jointlimitfrc joint='h'/><jointlimitvel joint='h'/><jointpos joint='h'/>"
                     "<subtreelinvel body='arm'/><subtreeangmom body='arm'/>"
                     "<frameangacc objtype='body' objname='arm'/>");
    }
    sal_text_add(&xml, "</sensor></mujoco>");
    has_room("1,200 sensors", parse(&xml));
}

/* `n` bodies that float over a plane in a row, each touching the next, in a medium. */
static sal_model *row_of_bodies(int n)
{
    sal_text xml = {0};
    sal_text_add(&xml, "<mujoco><size nconmax='2000' njmax='9000'/>"
                       "<option timestep='1e-4' density='1' viscosity='.1' cone='elliptic'/>"
                       "<worldbody><geom type='plane' size='9 9 1'/>");
    for (int i = 0; i < n; i++) {
        sal_text_format(&xml,
                        "<body pos='%g 0 .099'><freejoint/><geom type='capsule' size='.1 .2' "
                        "condim='%d' friction='1 .1 .1'/></body>",
                        0.195 * i,
                        i % 3 == 0   ? 6
                        : i % 3 == 1 ? 4
                                     : 3);
    }
    sal_text_add(&xml, "</worldbody></mujoco>");
    return parse(&xml);
}

static void many_contacts(void)
{
    has_room("3 bodies in contact", row_of_bodies(3));
    has_room("40 bodies in contact", row_of_bodies(40));
}

/* A chain bites its tail: contacts whose path is the whole chain, and a tendon along it. */
static void long_chains(void)
{
    enum { LINKS = 60 };
    sal_text xml = {0};
    sal_text_add(&xml, "<mujoco><option timestep='1e-5'><flag filterparent='disable'/></option>"
                       "<worldbody>");
    for (int i = 0; i < LINKS; i++) {
        sal_text_format(&xml,
                        "<body pos='.1 0 0'><joint type='%s' axis='0 %d %d'/><geom size='.06'/>"
                        "<site name='s%d' pos='0 0 .1'/>",
                        i % 7 == 0 ? "ball" : "hinge", i % 2, 1 - i % 2, i);
    }
    for (int i = 0; i < LINKS; i++) {
        sal_text_add(&xml, "</body>");
    }
    sal_text_add(&xml, "</worldbody><tendon><spatial name='t' damping='1' stiffness='3'>");
    for (int i = 0; i < LINKS; i++) {
        sal_text_format(&xml, "<site site='s%d'/>", i);
    }
    sal_text_add(&xml, "</spatial></tendon><actuator><position tendon='t' kp='3'/></actuator>"
                       "</mujoco>");
    has_room("a chain of 60", parse(&xml));
}

static void too_little_is_an_error(void)
{
    const int tendons_refused = with_less(tendons(20, true));
    const int equalities_refused = with_less(equalities(10));
    const int contacts_refused = with_less(row_of_bodies(4));
    printf("     %d, %d and %d of 97 sizes refused\n", tendons_refused, equalities_refused,
           contacts_refused);
    CHECK(tendons_refused > 10 && equalities_refused > 10 && contacts_refused > 10);
}

int main(void)
{
    RUN(many_tendons);
    RUN(many_muscles);
    RUN(many_actuators);
    RUN(many_equalities);
    RUN(many_sensors);
    RUN(many_contacts);
    RUN(long_chains);
    RUN(too_little_is_an_error);
    return check_done();
}
