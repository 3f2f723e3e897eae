/* The contact models in whole mechanisms: forward and inverse undo each other, a step is undone,
 * derivatives of the inverse beside differences, input that cannot be. */
#include "tests/check.h"
#include "tests/physics/deriv/four_points.h"
#include "tests/physics/deriv/lively.h"

#include "base/memory.h"
#include "mjcf/mjcf.h"

enum { NMAX = 64 };
#ifndef STATES
#define STATES 12 /* of each mechanism */
#endif

static const char *const mechanisms[] = {"models/box.xml",    "models/hopper.xml",
                                         "models/walker.xml", "models/quadruped.xml",
                                         "models/arm.xml",    NULL /* joined */};
enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

/* Everything that holds together: connect, weld, joints and tendons that depend on each other,
 * limits of a ball joint and of tendons, dry friction of a tendon */
static const char joined[] =
    "<mujoco><compiler angle='radian' autolimits='true'/><option><flag constraint='enable'/>"
    "</option><worldbody><geom type='plane' size='5 5 1'/>"
    "<body name='a' pos='0 0 .3'><freejoint/><geom type='capsule' size='.05 .2' condim='4'/>"
    "<body name='b' pos='.3 0 .1'><joint name='b' axis='0 1 0' range='-.2 .2'/>"
    "<geom type='box' size='.1 .05 .05' condim='6'/><site name='s' pos='.1 0 0'/>"
    "<body name='c' pos='.2 0 0'><joint name='c' type='ball' range='0 .3'/>"
    "<geom size='.06' condim='1'/><site name='t' pos='0 .1 .1'/></body></body></body>"
    "<body name='d' pos='.6 .1 .3'><joint name='x' type='slide' axis='1 0 0'/>"
    "<joint name='e' axis='1 0 1'/><geom type='capsule' size='.04 .1'/></body>"
    "<body name='f' pos='.1 .5 .3'><freejoint/><geom type='box' size='.1 .1 .05'/></body>"
    "</worldbody><tendon><spatial name='p' range='.1 .28' frictionloss='.4'><site site='s'/>"
    "<site site='t'/></spatial><fixed name='q' range='-.1 .1'><joint joint='b' coef='.5'/>"
    "<joint joint='e' coef='1'/></fixed></tendon><equality>"
    "<connect body1='c' body2='d' anchor='.1 0 0'/><weld body1='a' body2='f' torquescale='.7'/>"
    "<joint joint1='x' joint2='e' polycoef='.01 .5 .3 0 0'/>"
    "<tendon tendon1='q' tendon2='p' polycoef='.02 .3 0 0 0'/></equality></mujoco>";

/* Times the default of `hard`; of what the barrier on velocities of logbarrier shall be */
static double kappa_times = 1, push_times = 0;

/* With limits, dry friction and damping that the step takes at its end, everywhere. */
static sal_model *load(const char *path, int contact)
{
    sal_model *m = NULL;
    sal_contact_option o;
    sal_err err;
    char full[512];
    snprintf(full, sizeof full, "%s/%s", getenv("SALTUS_ROOT"), path == NULL ? "" : path);
    const sal_status status =
        path != NULL ? sal_model_load(&m, full, NULL, NULL, &err)
                     : sal_model_parse(&m, "joined", joined, strlen(joined), NULL, NULL, &err);
    if (status != SAL_OK) {
        printf("%s\n", err.message);
        exit(1);
    }
    m->opt.tolerance = 0;
    m->opt.iterations = 300;
    m->opt.timestep = 0.01;
    for (int i = 0; i < m->nv; i++) {
        m->dof_frictionloss[i] = i % 3 == 1 ? 0.3 : 0;
        m->dof_damping[i] += 0.2;
    }
    sal_contact_defaults(&o, m, contact);
    o.reach = 0.02; /* the states touch by millimetres */
    o.kappa *= contact == SAL_CONTACT_HARD ? kappa_times : 1;
    if (contact == SAL_CONTACT_LOGBARRIER && push_times > 0) {
        sal_contact_option hard;
        sal_contact_defaults(&hard, m, SAL_CONTACT_HARD);
        o.firmest = push_times * hard.firmest;
    }
    CHECK_OK(sal_model_contact(m, &o, &err), err);
    return m;
}

static double size_of(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* Those that need a solver both ways take a sixth: test_posthoc_models.c has more of them. */
static int states_of(const sal_model *m)
{
    return sal_contact_model_is_invertible(m->opt.contact.model) ? STATES : STATES / 6;
}

static void each(void (*test)(const sal_model *m, sal_data *d, const char *name))
{
    for (int contact = SAL_CONTACT_SOFT + 1; contact < SAL_NCONTACTMODELS; contact++) {
        for (int i = 0; i < MECHANISMS; i++) {
            sal_err err;
            sal_data *d = NULL;
            sal_model *m = load(mechanisms[i], contact);
            CHECK_OK(sal_data_new(&d, m, &err), err);
            test(m, d, mechanisms[i] == NULL ? "joined" : mechanisms[i]);
            sal_data_free(d);
            sal_model_free(m);
        }
    }
}

/* ---- forward and inverse ---- */

/* tau -> a -> tau, and by the state at the end of the step */
static void inverse_undoes(const sal_model *m, sal_data *d, const char *name)
{
    sal_rng rng = {17};
    double tau[NMAX], v[NMAX], a[NMAX], worst = 0, of_step = 0;
    int rows = 0, unsolved = 0;
    sal_err err;
    for (int k = 0; k < states_of(m); k++) {
        lively_state(m, d, k);
        memset(d->qfrc_applied, 0, (size_t)m->nv * sizeof *d->qfrc_applied);
        for (int i = 0; i < m->nv; i++) {
            tau[i] = d->qfrc_applied[i] = sal_rng_uniform(&rng, -5, 5);
            v[i] = d->qvel[i];
        }
        memset(d->ctrl, 0, (size_t)m->nu * sizeof *d->ctrl);
        CHECK_OK(sal_forward(m, d, &err), err);
        rows += d->nefc;
        if ((m->opt.contact.model == SAL_CONTACT_HARD || push_times > 0) && !d->solver_converged) {
            unsolved++;
            continue;
        }
        for (int i = 0; i < m->nv; i++) { /* servos act, too */
            tau[i] += d->qfrc_actuator[i];
        }
        CHECK_OK(sal_inverse(m, d, &err), err);
        const double scale = fmax(size_of(d->qfrc_constraint, m->nv), size_of(d->qfrc_bias, m->nv));
        for (int i = 0; i < m->nv; i++) {
            worst = fmax(worst, fabs(d->qfrc_inverse[i] - tau[i]) / scale);
        }
        CHECK_OK(sal_advance(m, d, &err), err);
        for (int i = 0; i < m->nv; i++) {
            a[i] = (d->qvel[i] - v[i]) / m->opt.timestep;
            d->qvel[i] = v[i];
        }
        lively_state(m, d, k);
        CHECK_OK(sal_position(m, d, &err), err);
        sal_velocity(m, d);
        CHECK_OK(sal_inverse_discrete(m, d, a, &err), err);
        for (int i = 0; i < m->nv; i++) {
            of_step = fmax(of_step, fabs(d->qfrc_inverse[i] - tau[i]) / scale);
        }
    }
    printf("     %-11s %-22s %3d rows   %.1e   step %.1e   %d unsolved\n",
           sal_contact_model_name(m->opt.contact.model), name, rows, worst, of_step, unsolved);
    /* of what is held together .3 m apart, and penetrates: the solver says that it fails */
    CHECK(unsolved <= (strcmp(name, "joined") == 0 ? STATES / 20 : 0));
    /* The barrier on velocities bends by up to q^2/kappa: the inverse sees the rounding of w, some
     * 1e-15 m/s, up to firmest^2/kappa times as large, which is 1e6 kg for the walker, and more
     * where a heavy body hits next to a light one. */
    const double more = push_times > 0 ? 10 : 1;
    CHECK(worst <= more * 1e-9);
    CHECK(of_step <= more * 1e-8);
    CHECK(rows > 0);
}

static void forward_and_inverse_undo_each_other(void)
{
    each(inverse_undoes);
}

/* With the barrier on velocities: the same, no memory on the way, derivatives refused. */
static void barrier_on_velocities(void)
{
    push_times = 1;
    for (int i = 0; i < MECHANISMS; i++) {
        sal_err err;
        sal_data *d = NULL;
        sal_model *m = load(mechanisms[i], SAL_CONTACT_LOGBARRIER);
        CHECK_OK(sal_data_new(&d, m, &err), err);
        inverse_undoes(m, d, mechanisms[i] == NULL ? "joined, pushed" : mechanisms[i]);
        const long before = sal_alloc_count();
        for (int k = 0; k < 100; k++) {
            lively_state(m, d, k % 4);
            CHECK_OK(sal_forward(m, d, &err), err);
            CHECK_OK(sal_inverse(m, d, &err), err);
        }
        CHECK(sal_alloc_count() == before);
        static double D[3][NMAX * NMAX];
        CHECK(sal_inverse_deriv(m, d, D[0], D[1], D[2], &err) == SAL_UNSUPPORTED);
        CHECK(strstr(err.message, "has no exact derivative") != NULL);
        sal_data_free(d);
        sal_model_free(m);
    }
    push_times = 0;
}

/* ---- derivatives ---- */

static void inverse_force(const sal_model *m, sal_data *d, const double *acc, double *out)
{
    sal_err err;
    memcpy(d->qacc, acc, (size_t)m->nv * sizeof *acc);
    CHECK_OK(sal_inverse(m, d, &err), err);
    memcpy(out, d->qfrc_inverse, (size_t)m->nv * sizeof *out);
}

static void derivatives_are_limits(const sal_model *m, sal_data *d, const char *name)
{
    static double D[3][NMAX * NMAX];
    four_points f = {.m = m, .d = d, .function = inverse_force};
    sal_err err;
    if (!sal_contact_model_is_invertible(m->opt.contact.model)) {
        return; /* refused: test_posthoc_models.c */
    }
    for (int k = 0; k < STATES; k++) {
        lively_state(m, d, k);
        CHECK_OK(sal_inverse(m, d, &err), err);
        CHECK_OK(sal_inverse_deriv(m, d, D[0], D[1], D[2], &err), err);
        f.summand = fmax(size_of(d->qfrc_constraint, m->nv), size_of(d->qfrc_bias, m->nv));
        for (int by = 0; by < 3; by++) {
            four_points_error(&f, (four_by)by, D[by]);
        }
    }
    printf("     %-11s %-22s q %.1e  v %.1e  a %.1e   %d of %d columns left out\n",
           sal_contact_model_name(m->opt.contact.model), name, f.worst[0], f.worst[1], f.worst[2],
           f.kinks, f.columns);
    for (int by = 0; by < 3; by++) {
        CHECK(f.worst[by] <= 1e-8);
    }
}

/* Hard contacts bend within the gap at which kappa/gap turns into its tangent, which is some
 * micrometres for the default kappa: less than differences resolve. */
static void derivatives_agree_with_differences(void)
{
    kappa_times = 100;
    each(derivatives_are_limits);
    kappa_times = 1;
}

/* By numbers of the model nothing is known exactly yet, and that is said. */
static void parameters_are_refused(void)
{
    sal_model *low = load(mechanisms[0], SAL_CONTACT_CONVEX),
              *high = load(mechanisms[0], SAL_CONTACT_CONVEX);
    sal_model_change change;
    high->dof_damping[0] += 1e-5;
    CHECK(!sal_model_change_of(&change, low, high, 1e-5));
    sal_model_free(low);
    sal_model_free(high);
}

/* What cannot be is refused, and leaves the model as it is. */
static void options_are_checked(void)
{
    sal_contact_option o;
    sal_err err;
    sal_model *m = load(mechanisms[0], SAL_CONTACT_CONVEX);
    const sal_contact_option before = m->opt.contact;
    const double bad[] = {0, -1, (double)NAN};
    for (int i = 0; i < 3; i++) {
        sal_contact_defaults(&o, m, SAL_CONTACT_LOGBARRIER);
        o.kappa = bad[i];
        CHECK(sal_model_contact(m, &o, &err) == SAL_BADINPUT);
        sal_contact_defaults(&o, m, SAL_CONTACT_LOGBARRIER);
        o.regulariser[0] = bad[i];
        CHECK(sal_model_contact(m, &o, &err) == SAL_BADINPUT);
        sal_contact_defaults(&o, m, SAL_CONTACT_LOGBARRIER);
        o.reach = bad[i];
        CHECK(sal_model_contact(m, &o, &err) == SAL_BADINPUT);
        sal_contact_defaults(&o, m, SAL_CONTACT_LOGBARRIER);
        o.firmest = bad[i];
        CHECK(sal_model_contact(m, &o, &err) == (bad[i] == 0 ? SAL_OK : SAL_BADINPUT));
    }
    CHECK_OK(sal_model_contact(m, &before, &err), err);
    sal_contact_defaults(&o, m, SAL_NCONTACTMODELS);
    CHECK(sal_model_contact(m, &o, &err) == SAL_BADINPUT);
    CHECK(m->opt.contact.model == before.model && m->opt.contact.kappa == before.kappa);
    CHECK(sal_contact_model_named("soft") == SAL_CONTACT_SOFT);
    CHECK(sal_contact_model_named("hardest") == -1);
    CHECK(sal_contact_model_name(-1) == NULL && sal_contact_model_name(SAL_NCONTACTMODELS) == NULL);
    sal_model_free(m);
}

/* A fall of 1.25 m is seen in the step before it ends: v^2 = 2 g 1.25 m. */
static void reach_grows_with_the_step(void)
{
    static const double timestep[] = {0.001, 0.01, 0.1};
    sal_model *m = load(mechanisms[0], SAL_CONTACT_CONVEX);
    for (int i = 0; i < 3; i++) {
        sal_contact_option o;
        m->opt.timestep = timestep[i];
        sal_contact_defaults(&o, m, SAL_CONTACT_HARD);
        CHECK(o.reach >= sqrt(2 * 9.81 * 1.25) * timestep[i] && o.reach >= 0.02);
        CHECK(o.reach <= fmax(0.02, 5.1 * timestep[i]));
    }
    sal_model_free(m);
}

int main(void)
{
    RUN(forward_and_inverse_undo_each_other);
    RUN(barrier_on_velocities);
    RUN(derivatives_agree_with_differences);
    RUN(parameters_are_refused);
    RUN(options_are_checked);
    RUN(reach_grows_with_the_step);
    return check_done();
}
