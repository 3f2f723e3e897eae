/* What bodies do by complementarity and diagonal: they slide, fall, are pushed and pinned, as on
 * paper. */
#include "tests/check.h"

#include "mjcf/mjcf.h"

static sal_model *parse(const char *xml, int contact)
{
    sal_model *m = NULL;
    sal_contact_option o;
    sal_err err;
    if (sal_model_parse(&m, "test", xml, strlen(xml), NULL, NULL, &err) != SAL_OK) {
        printf("%s\n", err.message);
        exit(1);
    }
    sal_contact_defaults(&o, m, contact);
    o.reach = 0.1;
    CHECK_OK(sal_model_contact(m, &o, &err), err);
    return m;
}

static sal_data *data_of(const sal_model *m)
{
    sal_data *d = NULL;
    sal_err err;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    return d;
}

static void step(const sal_model *m, sal_data *d)
{
    sal_err err;
    CHECK_OK(sal_step(m, d, &err), err);
    CHECK(d->solver_converged);
}

/* A ball that cannot turn, 1 kg, on a floor with friction 0.25, with steps of 10 ms */
static const char slider[] =
    "<mujoco><option timestep='.01'/><worldbody><geom type='plane' size='9 9 1'/>"
    "<body pos='0 0 .1'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
    "<joint type='slide' axis='0 0 1'/><geom size='.1' mass='1' friction='.25 .005 .0001'/>"
    "</body></worldbody></mujoco>";

/* Where a force is convex, what slides at speed T hovers at mu T h; by complementarity it does not,
 * and decelerates by mu g. */
static void what_slides_does_not_hover(void)
{
    static const int model[] = {SAL_CONTACT_CONVEX, SAL_CONTACT_COMPLEMENTARITY};
    for (int i = 0; i < 2; i++) {
        sal_model *m = parse(slider, model[i]);
        sal_data *d = data_of(m);
        m->pair_friction[0] = m->pair_friction[1] = 0.25;
        d->qvel[0] = 3;
        d->qpos[2] = i == 0 ? 0.25 * 3 * 0.01 : 0;
        for (int k = 0; k < 40; k++) {
            step(m, d);
            const double lifted = i == 0 ? 0.25 * d->qvel[0] * 0.01 : 0;
            CHECK_NEAR(d->qpos[2], lifted, i == 0 ? 0.01 * lifted : 1e-12);
        }
        printf("     %s: height %.3g m, speed %.6g m/s after 0.4 s\n",
               sal_contact_model_name(model[i]), d->qpos[2], d->qvel[0]);
        CHECK(i == 0 || fabs(d->qvel[0] - (3 - 0.25 * 9.81 * 0.4)) < 1e-10);
        sal_data_free(d);
        sal_model_free(m);
    }
}

/* v^2/(2 mu g) = 3.392 m, less h v/2 since each step moves by the velocity at its end; straight. */
static void a_box_slides_as_far_as_it_should(void)
{
    sal_model *m = parse("<mujoco><option timestep='.01'/><worldbody>"
                         "<geom type='plane' size='9 9 1'/><body pos='0 0 .1'><freejoint/>"
                         "<geom type='box' size='.1 .1 .1' mass='1'/></body></worldbody></mujoco>",
                         SAL_CONTACT_COMPLEMENTARITY);
    sal_data *d = data_of(m);
    sal_err err;
    int unsolved = 0;
    for (int p = 0; p < 2 * m->npair; p++) {
        m->pair_friction[p / 2 * 5 + p % 2] = 0.25;
    }
    d->qvel[0] = 4;
    d->qvel[1] = 0.8;
    for (int k = 0; k < 200; k++) {
        CHECK_OK(sal_step(m, d, &err), err);
        unsolved += !d->solver_converged;
    }
    const double travel = hypot(d->qpos[0], d->qpos[1]), v = hypot(4, 0.8);
    const double drift = (d->qpos[1] * 4 - d->qpos[0] * 0.8) / v;
    printf("     travel %.5f m, to the side %.1e m, %d of 200 steps unsolved\n", travel, drift,
           unsolved);
    CHECK_NEAR(travel, v * v / (2 * 0.25 * 9.81) - 0.01 * v / 2, 1e-3);
    CHECK_NEAR(drift, 0, 1e-6);
    CHECK_NEAR(d->qpos[2], 0.1, 1e-6);
    CHECK(unsolved == 0);
    sal_data_free(d);
    sal_model_free(m);
}

/* A ball that touches by 0.1 mm, drawn aside with 10 N and up with 10.5 N. Gauss-Seidel along the
 * ray and into the disc finds no force; Newton's method 2.0265 N (measured with MuJoCo's). */
static void no_force_is_missed(void)
{
    static const int model[] = {SAL_CONTACT_SOFT, SAL_CONTACT_CONVEX, SAL_CONTACT_COMPLEMENTARITY,
                                SAL_CONTACT_DIAGONAL};
    static const char ball[] = "<mujoco><option cone='elliptic' tolerance='0'/><worldbody>"
                               "<geom type='plane' size='5 5 1'/><body pos='0 0 .0999'><freejoint/>"
                               "<geom size='.1' mass='1'/></body></worldbody></mujoco>";
    for (int i = 0; i < 4; i++) {
        sal_model *m = parse(ball, model[i]);
        sal_data *d = data_of(m);
        sal_err err;
        double f[6];
        d->qfrc_applied[0] = 10;
        d->qfrc_applied[2] = 10.5;
        CHECK_OK(sal_forward(m, d, &err), err);
        CHECK(d->ncon == 1);
        sal_contact_force(m, d, 0, f);
        printf("     %-15s normal %.4f N, tangential %.4f N\n", sal_contact_model_name(model[i]),
               f[0], hypot(f[1], f[2]));
        CHECK(f[0] > 0.1);
        if (model[i] == SAL_CONTACT_SOFT) {
            CHECK_NEAR(f[0], 2.0265, 1e-4);
            CHECK_NEAR(hypot(f[1], f[2]), 2.0265, 1e-4);
        }
        sal_data_free(d);
        sal_model_free(m);
    }
}

/* Thrown onto the floor, 1 g and 1 t move alike. */
static void masses_do_not_matter_to_diagonal(void)
{
    double first[7] = {0};
    for (int i = 0; i <= 6; i++) {
        char xml[512];
        double worst = 0;
        snprintf(xml, sizeof xml,
                 "<mujoco><option timestep='.01'/><worldbody><geom type='plane' size='9 9 1'/>"
                 "<body pos='0 0 .3' euler='20 30 0'><freejoint/>"
                 "<geom type='box' size='.1 .06 .04' mass='%g' condim='6'/></body></worldbody>"
                 "</mujoco>",
                 pow(10, i - 3));
        sal_model *m = parse(xml, SAL_CONTACT_DIAGONAL);
        sal_data *d = data_of(m);
        d->qvel[0] = 1;
        d->qvel[4] = 2;
        for (int k = 0; k < 30; k++) {
            step(m, d);
        }
        for (int k = 0; k < 7; k++) {
            first[k] = i == 0 ? d->qpos[k] : first[k];
            worst = fmax(worst, fabs(d->qpos[k] - first[k]));
        }
        printf("     %6g kg: %d contacts, at x %.6f z %.6f, %.1e from the lightest\n",
               pow(10, i - 3), d->ncon, d->qpos[0], d->qpos[2], worst);
        CHECK(worst < 1e-10 && d->ncon > 0);
        sal_data_free(d);
        sal_model_free(m);
    }
}

/* A ball that falls 20 cm stops in the step in which it would overlap, and nowhere else. */
static void what_falls_stops_at_the_floor(void)
{
    static const int model[] = {SAL_CONTACT_COMPLEMENTARITY, SAL_CONTACT_DIAGONAL};
    for (int i = 0; i < 2; i++) {
        sal_model *m = parse(slider, model[i]);
        sal_data *d = data_of(m);
        double lowest = 1;
        d->qpos[2] = 0.2;
        for (int k = 0; k < 100; k++) {
            step(m, d);
            lowest = fmin(lowest, d->qpos[2]);
        }
        CHECK(lowest > -1e-12);
        CHECK_NEAR(d->qpos[2], 0, 1e-12);
        CHECK_NEAR(d->qvel[2], 0, 1e-12);
        sal_data_free(d);
        sal_model_free(m);
    }
}

/* The contact of the limp mechanism does not see what pushes in the same step, and takes its
 * velocity away in the next: below the limit of friction a body creeps at h F/m, above it
 * accelerates by F/m - mu g; under a load it sinks by 10 h^2 F/m, as a tenth of an overlap is
 * undone in a step. */
static void a_push_is_answered_a_step_late(void)
{
    const double h = 0.01, limit = 0.25 * 9.81;
    sal_model *m = parse(slider, SAL_CONTACT_COMPLEMENTARITY);
    sal_data *d = data_of(m);
    m->pair_friction[0] = m->pair_friction[1] = 0.25;
    d->qfrc_applied[0] = 2; /* of 2.45 N */
    for (int k = 0; k < 50; k++) {
        step(m, d);
    }
    CHECK_NEAR(d->qvel[0], h * 2, 1e-12);
    sal_data_reset(m, d);
    d->qfrc_applied[0] = 5;
    for (int k = 0; k < 50; k++) {
        step(m, d);
    }
    CHECK_NEAR(d->qvel[0], 0.5 * 5 - 0.49 * limit, 1e-9); /* 49 steps of friction */
    sal_data_reset(m, d);
    d->qfrc_applied[2] = -5;
    for (int k = 0; k < 300; k++) {
        step(m, d);
    }
    printf("     sunk by %.3g mm\n", -1000 * d->qpos[2]);
    CHECK_NEAR(d->qpos[2], -10 * h * h * 5, 1e-9);
    sal_data_free(d);
    sal_model_free(m);
}

/* A pinned mass of 2 kg that is pushed: v^ = -0.1 q/h + h F/m/(1 + weight), so that it comes to
 * rest at q = 10 h^2 F/m/(1 + weight). A joint at its limit likewise by the weight of contacts. */
static void weights_hold_against_what_pushes(void)
{
    static const char pinned[] =
        "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody><body>"
        "<joint name='x' type='slide' axis='1 0 0'/><geom size='.1' mass='2'/></body></worldbody>"
        "<equality><joint joint1='x'/></equality></mujoco>";
    static const char limited[] =
        "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody><body>"
        "<joint type='slide' axis='1 0 0' limited='true' range='-1 0'/>"
        "<geom size='.1' mass='2'/></body></worldbody></mujoco>";
    static const double weight[] = {0, 1, 100};
    for (int i = 0; i < 6; i++) {
        sal_err err;
        sal_model *m = parse(i % 2 == 0 ? pinned : limited, SAL_CONTACT_COMPLEMENTARITY);
        sal_contact_option o = m->opt.contact;
        o.weight[i % 2] = weight[i / 2];
        CHECK_OK(sal_model_contact(m, &o, &err), err);
        sal_data *d = data_of(m);
        d->qfrc_applied[0] = 6;
        for (int k = 0; k < 400; k++) {
            step(m, d);
        }
        CHECK_NEAR(d->qpos[0], 10 * 1e-4 * 6 / 2 / (1 + weight[i / 2]), 1e-12);
        CHECK_NEAR(d->efc_force[0], i % 2 == 0 ? -6 : 6, 1e-9); /* with the share of the weight */
        sal_data_free(d);
        sal_model_free(m);
    }
}

int main(void)
{
    RUN(what_slides_does_not_hover);
    RUN(a_box_slides_as_far_as_it_should);
    RUN(no_force_is_missed);
    RUN(masses_do_not_matter_to_diagonal);
    RUN(what_falls_stops_at_the_floor);
    RUN(a_push_is_answered_a_step_late);
    RUN(weights_hold_against_what_pushes);
    return check_done();
}
