/* Actuators without an oracle: moments are gradients of lengths, forces change with velocity as
 * said, activations follow their equations, adhesion pulls together, clamps clamp, muscles find the
 * range in which they can move. */
#include "tests/check.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/actuator.h"
#include "physics/compiling.h"
#include "physics/stages.h"

static const char arm[] =
    "<mujoco><compiler>%s</compiler><option gravity='0 0 0'/><worldbody><site name='o' pos='.1 .2 "
    ".3'/>"
    "<body pos='0 0 1'><joint name='a' axis='0 1 .1'/><geom type='capsule' fromto='0 0 0 .3 0 .1' "
    "size='.03'/><site name='u' pos='.2 .03 .1' euler='10 20 30'/><body pos='.35 0 .1'>"
    "<joint name='b' axis='0 1 0' range='-30 70' limited='true'/><joint name='c' type='slide' "
    "axis='1 0 0'/><geom type='box' size='.1 .05 .04' pos='.1 0 0'/>"
    "<site name='p' pos='.2 .01 0' euler='40 0 -20'/></body></body></worldbody>"
    "<tendon><fixed name='t'><joint joint='b' coef='2'/><joint joint='c' coef='-3'/></fixed>"
    "<spatial name='s'><site site='o'/><site site='u'/><site site='p'/></spatial></tendon>"
    "<actuator>%s</actuator></mujoco>";

static void open_text(sal_model **m, sal_data **d, const char *text)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_model_parse(m, "t.xml", text, strlen(text), NULL, NULL, &err), err);
    CHECK_OK(sal_data_new(d, *m, &err), err);
}

static void open_arm(sal_model **m, sal_data **d, const char *compiler, const char *actuators)
{
    char text[4000];
    snprintf(text, sizeof text, arm, compiler, actuators);
    open_text(m, d, text);
}

static void close_both(sal_model *m, sal_data *d)
{
    sal_data_free(d);
    sal_model_free(m);
}

static void random_state(const sal_model *m, sal_data *d, int k)
{
    sal_rng rng = {(uint64_t)k};
    for (int i = 0; i < m->nv; i++) {
        d->qpos[i] = sal_rng_uniform(&rng, -0.5, 0.5);
        d->qvel[i] = sal_rng_uniform(&rng, -2, 2);
    }
    for (int i = 0; i < m->nu; i++) {
        d->ctrl[i] = sal_rng_uniform(&rng, -0.5, 1.5);
    }
    for (int i = 0; i < m->na; i++) {
        d->act[i] = sal_rng_uniform(&rng, 0, 1);
    }
}

static void evaluate(const sal_model *m, sal_data *d)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_position(m, d, &err), err);
    sal_velocity(m, d);
    sal_actuation(m, d);
}

/* Where the frame in which a site is measured moves with both sites or not at all. */
static void moment_is_the_gradient_of_the_length(void)
{
    sal_model *m;
    sal_data *d;
    open_arm(
        &m, &d, "",
        "<motor joint='b' gear='2'/><motor jointinparent='a' gear='-3'/><motor tendon='t'/>"
        "<motor tendon='s' gear='1.5'/><motor site='p' refsite='o' gear='1 2 -3'/>"
        "<motor site='u' refsite='o' gear='-1 .5 1'/><motor site='p' refsite='u' gear='1 2 -3'/>"
        "<motor cranksite='p' slidersite='u' cranklength='.6' gear='2'/>"
        "<motor cranksite='u' slidersite='p' cranklength='.1'/>");
    for (int k = 0; k < 50; k++) {
        double moment[9][3] = {{0}}, length[2][9];
        random_state(m, d, k);
        evaluate(m, d);
        for (int i = 0; i < m->nu; i++) {
            double rate = 0;
            phy_actuator_pull(m, d, moment[i], i, 1);
            for (int c = 0; c < 3; c++) {
                rate += moment[i][c] * d->qvel[c];
            }
            CHECK_NEAR(rate, d->actuator_velocity[i], 1e-14);
        }
        for (int c = 0; c < 3; c++) {
            const double q = d->qpos[c], eps = 1e-6;
            for (int side = 0; side < 2; side++) {
                d->qpos[c] = q + (side == 0 ? -eps : eps);
                evaluate(m, d);
                memcpy(length[side], d->actuator_length, sizeof length[side]);
            }
            d->qpos[c] = q;
            for (int i = 0; i < m->nu; i++) {
                CHECK_NEAR((length[1][i] - length[0][i]) / (2 * eps), moment[i][c],
                           1e-7 * (1 + fabs(moment[i][c])));
            }
        }
    }
    close_both(m, d);
}

static void slope_is_how_force_changes_with_velocity(void)
{
    sal_model *m;
    sal_data *d;
    open_arm(
        &m, &d, "",
        "<position joint='b' kp='2' kv='.5'/><damper joint='a' kv='3' ctrlrange='0 9'/>"
        "<muscle joint='a' force='4' lengthrange='-.5 .5'/>"
        "<muscle tendon='s' force='7' lengthrange='.8 1.6' vmax='3'/>"
        "<general joint='c' dyntype='filterexact' dynprm='.1' gaintype='affine' gainprm='1 2 3' "
        "biastype='affine' biasprm='3 2 1' actearly='true'/>"
        "<velocity tendon='t' kv='5' forcerange='-12 12'/>");
    int held = 0;
    for (int k = 0; k < 50; k++) {
        double force[2][6], slope[6];
        random_state(m, d, k);
        d->ctrl[1] = fabs(d->ctrl[1]);
        evaluate(m, d);
        for (int i = 0; i < m->nu; i++) {
            slope[i] = phy_actuator_slope(m, d, i);
        }
        held += fabs(d->actuator_force[5]) == 12;
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < m->nu; i++) {
                d->actuator_velocity[i] += side == 0 ? -1e-6 : 2e-6;
            }
            sal_actuation(m, d);
            memcpy(force[side], d->actuator_force, sizeof force[side]);
        }
        for (int i = 0; i < m->nu; i++) {
            CHECK_NEAR((force[1][i] - force[0][i]) / 2e-6, slope[i], 1e-6);
        }
    }
    CHECK(held > 10 && held < 50);
    close_both(m, d);
}

static void activations_follow_their_equations(void)
{
    sal_model *m;
    sal_data *d;
    sal_err err = {SAL_OK, ""};
    open_arm(&m, &d, "",
             "<general joint='a' dyntype='filterexact' dynprm='.05'/><motor joint='a'/>"
             "<general joint='a' dyntype='filter' dynprm='.05'/>"
             "<general joint='a' dyntype='integrator' actrange='-1 .1'/>"
             "<muscle joint='a' lengthrange='0 1' timeconst='.02 .06'/>"
             "<muscle joint='a' lengthrange='0 1' timeconst='.02 .06' tausmooth='.4'/>");
    const double h = m->opt.timestep, ctrl[6] = {2, 0, 2, 3, 0.7, 0.7};
    double filter = 0, muscle = 0;
    memcpy(d->ctrl, ctrl, sizeof ctrl);
    CHECK(m->na == 5 && m->actuator_actadr[1] == -1 && m->actuator_actadr[2] == 1);
    for (int n = 0; n < 100; n++) {
        CHECK_OK(sal_step(m, d, &err), err);
        filter += h * (2 - filter) / 0.05;
        muscle += h * (0.7 - muscle) / (0.02 * (0.5 + 1.5 * muscle));
        CHECK_NEAR(d->act[0], 2 * (1 - exp(-(n + 1) * h / 0.05)), 1e-13); /* whatever the step */
        CHECK_NEAR(d->act[1], filter, 1e-13);
        CHECK_NEAR(d->act[2], fmin(0.1, 3 * h * (n + 1)), 1e-13);
        CHECK_NEAR(d->act[3], muscle, 1e-13);
    }
    /* far from the control the smooth law is the sharp one; at the control its time constant is the
     * mean */
    d->act[3] = d->act[4] = 0.1;
    evaluate(m, d);
    CHECK_NEAR(d->act_dot[3], d->act_dot[4], 1e-13);
    d->act[4] = 0.7 - 1e-9;
    evaluate(m, d);
    const double grow = 0.02 * (0.5 + 1.5 * 0.7), fall = 0.06 / (0.5 + 1.5 * 0.7);
    CHECK_NEAR(d->act_dot[4] * 1e9, 2 / (grow + fall), 1e-5);
    close_both(m, d);
}

static void forces_are_clamped_where_they_meet(void)
{
    sal_model *m;
    sal_data *d;
    open_text(&m, &d,
              "<mujoco><option actuatorgroupdisable='3'/><worldbody><body gravcomp='1'>"
              "<joint name='a' type='slide' axis='0 0 1' actuatorfrcrange='-4 5' "
              "actuatorgravcomp='true'/><geom size='.1' mass='2'/></body>"
              "<body pos='1 0 0'><joint name='b'/><geom size='.1'/></body></worldbody>"
              "<tendon><fixed name='t' actuatorfrclimited='true' actuatorfrcrange='-1 2'>"
              "<joint joint='b' coef='3'/></fixed></tendon><actuator><motor joint='a'/>"
              "<motor tendon='t' gear='10'/><motor tendon='t'/><motor joint='b' group='3'/>"
              "</actuator></mujoco>");
    const double ctrl[4] = {-15, 6, 2, 9};
    memcpy(d->ctrl, ctrl, sizeof ctrl);
    evaluate(m, d);
    CHECK_NEAR(d->qfrc_actuator[0], 2 * 9.81 - 15, 1e-13);
    CHECK_NEAR(d->actuator_force[1], 6 * 2.0 / 8, 1e-15); /* 8 N scaled to 2 */
    CHECK_NEAR(d->actuator_force[2], 2 * 2.0 / 8, 1e-15);
    CHECK(d->actuator_force[3] == 0);
    CHECK_NEAR(d->qfrc_actuator[1], 3 * (10 * 1.5 + 0.5), 1e-13);
    d->ctrl[0] = 0;
    evaluate(m, d);
    CHECK_NEAR(d->qfrc_actuator[0], 5, 0); /* 19.62 N to carry the body, 5 allowed */
    close_both(m, d);
}

/* A ball that lies on the floor, and one in the gap above it. */
static void adhesion_pulls_together(void)
{
    sal_model *m;
    sal_data *d;
    open_text(&m, &d,
              "<mujoco><worldbody><geom type='plane' size='1 1 1' gap='.2'/>"
              "<body name='foot' pos='0 0 .09'><freejoint/><geom size='.1' pos='.2 0 0' gap='.2'/>"
              "<geom size='.1' pos='-.3 0 .05' gap='.2'/></body></worldbody><actuator>"
              "<adhesion body='foot' ctrlrange='0 2' gain='3'/></actuator></mujoco>");
    d->ctrl[0] = 5;
    evaluate(m, d);
    CHECK(d->ncon == 2 && d->nefc > 0 && d->contact[1].efc_address < 0);
    CHECK_NEAR(d->actuator_force[0], 6, 0);
    CHECK_NEAR(d->qfrc_actuator[2], -6, 1e-14); /* the mean of both */
    CHECK_NEAR(d->qfrc_actuator[4], 6 * (0.2 - 0.3) / 2, 1e-14);
    CHECK_NEAR(d->actuator_length[0], 0, 0);
    d->qpos[2] = 1;
    evaluate(m, d);
    CHECK(d->ncon == 0 && d->qfrc_actuator[2] == 0);
    close_both(m, d);
}

static void servos_of_balls_turn_the_shorter_way(void)
{
    const double pi = 3.14159265358979323846;
    sal_model *m;
    sal_data *d;
    open_text(
        &m, &d,
        "<mujoco><worldbody><body><joint name='k' type='ball'/><geom size='.1'/></body>"
        "</worldbody><actuator><position joint='k' kp='2' gear='0 0 .5'/></actuator></mujoco>");
    for (int k = -20; k <= 20; k++) {
        const double angle = 1.3, target = 0.3 * k;
        d->qpos[0] = cos(angle / 2), d->qpos[3] = sin(angle / 2);
        d->ctrl[0] = target / 2;
        evaluate(m, d);
        CHECK_NEAR(d->actuator_force[0], 2 * 0.5 * remainder(target - angle, 2 * pi), 1e-13);
    }
    close_both(m, d);
}

/* kp (pos - l) + kv (vel - ldot), and kd (vel - ldot) + ff of a motor: the sensor shows the sum,
 * also of a model that was written and read again. */
static void sensors_show_the_force_of_all_inputs(void)
{
    static const char text[] =
        "<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><geom size='.1' mass='1'/></body>"
        "</worldbody><actuator><pid name='p' joint='j' kp='3' kv='.5' velrange='-1 .35'/>"
        "<dcmotor name='d' joint='j' motorconst='.1' resistance='2' input='vel ff' "
        "controller='0 0 .5'/></actuator><sensor><actuatorfrc actuator='p'/>"
        "<actuatorfrc actuator='d'/></sensor></mujoco>";
    static const double ctrl[4] = {.7, .4, .9, .25};
    sal_text written = {0};
    for (int i = 0; i < 2; i++) {
        sal_model *m = NULL;
        sal_data *d = NULL;
        sal_err err = {0};
        open_text(&m, &d, i == 0 ? text : written.data);
        CHECK(m != NULL && m->nu == 4);
        d->qpos[0] = .2;
        d->qvel[0] = .3;
        memcpy(d->ctrl, ctrl, sizeof ctrl);
        CHECK_OK(sal_forward(m, d, &err), err);
        CHECK_NEAR(d->sensordata[0], 3 * (.7 - .2) + .5 * (.35 - .3), 1e-14);
        CHECK_NEAR(d->sensordata[1], .5 * (.9 - .3) + .25, 1e-14);
        CHECK_NEAR(d->qfrc_actuator[0], d->sensordata[0] + d->sensordata[1], 1e-14);
        CHECK_OK(i == 0 ? sal_model_write(m, &written, &err) : SAL_OK, err);
        close_both(m, d);
    }
    sal_text_clear(&written);
}

static void muscles_find_their_range(void)
{
    sal_model *m;
    sal_data *d;
    const double degree = 3.14159265358979323846 / 180;
    open_arm(&m, &d, "<lengthrange uselimit='true'/>",
             "<muscle joint='b'/><muscle joint='b' lengthrange='1 3'/><motor joint='b'/>");
    CHECK_NEAR(m->actuator_lengthrange[0], -30 * degree, 1e-15);
    CHECK_NEAR(m->actuator_lengthrange[1], 70 * degree, 1e-15);
    CHECK(m->actuator_lengthrange[2] == 1 && m->actuator_lengthrange[3] == 3);
    CHECK(m->actuator_lengthrange[4] == 0 && m->actuator_lengthrange[5] == 0);
    close_both(m, d);
    /* by simulation: the limit gives way a little; the tendon between two points is shortest and
     * longest when they line up */
    open_text(
        &m, &d,
        "<mujoco><worldbody><site name='o' pos='1 0 0'/><body><joint name='j' axis='0 1 0' "
        "range='-60 80'/><geom type='capsule' fromto='0 0 0 .5 0 0' size='.05'/></body>"
        "<body><joint axis='0 1 0' pos='0 0 0'/><geom type='capsule' fromto='0 0 0 .4 0 .1' "
        "size='.05'/><site name='p' pos='.4 0 .1'/></body></worldbody><tendon><spatial name='t'>"
        "<site site='o'/><site site='p'/></spatial></tendon><actuator><muscle joint='j'/>"
        "<muscle tendon='t'/></actuator></mujoco>");
    CHECK_NEAR(m->actuator_lengthrange[0], -60 * degree, 0.02);
    CHECK_NEAR(m->actuator_lengthrange[1], 80 * degree, 0.02);
    CHECK_NEAR(m->actuator_lengthrange[2], 1 - sqrt(0.17), 0.01);
    CHECK_NEAR(m->actuator_lengthrange[3], 1 + sqrt(0.17), 0.01);
    close_both(m, d);
}

static void ranges_that_do_not_settle_are_refused(void)
{
    static const char text[] =
        "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>\n"
        "<muscle joint='j'/></actuator></mujoco>";
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    CHECK(sal_model_parse(&m, "t.xml", text, strlen(text), NULL, NULL, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "t.xml:2:2") != NULL &&
          strstr(err.message, "but still varies by") != NULL);
}

static void keyframes_hold_activations(void)
{
    sal_model *m;
    sal_data *d;
    open_text(&m, &d,
              "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
              "<actuator><cylinder joint='j'/><motor joint='j'/><cylinder joint='j'/></actuator>"
              "<keyframe><key act='.25 -3' ctrl='1 2 3'/><key/></keyframe></mujoco>");
    sal_data_reset_key(m, d, 0);
    CHECK(d->act[0] == 0.25 && d->act[1] == -3 && d->ctrl[1] == 2);
    evaluate(m, d);
    CHECK(d->actuator_force[0] == 0.25 && d->actuator_force[1] == 2 && d->actuator_force[2] == -3);
    sal_data_reset_key(m, d, 1);
    CHECK(d->act[0] == 0 && d->act[1] == 0);
    close_both(m, d);
}

static void order_matters_to_222_only(void)
{
    static const char text[] =
        "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>\n"
        "<cylinder joint='j'/>\n<motor joint='j'/></actuator></mujoco>";
    const sal_load_options old = {.mujoco = SAL_MUJOCO_222};
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    CHECK(sal_model_parse(&m, "t.xml", text, strlen(text), &old, NULL, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "t.xml:3:2: error: in MuJoCo 2.2.2, actuators without") != NULL);
}

static void stepping_allocates_nothing(void)
{
    static const char *const names[] = {"actuators", "muscles", "transmissions"};
    for (int k = 0; k < 3; k++) {
        char path[1024];
        sal_model *m;
        sal_data *d;
        sal_err err = {SAL_OK, ""};
        const char *root = getenv("SALTUS_ROOT");
        snprintf(path, sizeof path, "%s/tests/physics/states/%s.xml", root == NULL ? "." : root,
                 names[k]);
        CHECK_OK(sal_model_load(&m, path, NULL, NULL, &err), err);
        CHECK_OK(sal_data_new(&d, m, &err), err);
        const long before = sal_alloc_count();
        for (int n = 0; n < 100; n++) {
            m->opt.integrator = n % 4;
            CHECK_OK(sal_step(m, d, &err), err);
        }
        CHECK(sal_alloc_count() == before && d->arena.used == 0);
        close_both(m, d);
    }
}

int main(void)
{
    RUN(moment_is_the_gradient_of_the_length);
    RUN(slope_is_how_force_changes_with_velocity);
    RUN(activations_follow_their_equations);
    RUN(forces_are_clamped_where_they_meet);
    RUN(adhesion_pulls_together);
    RUN(servos_of_balls_turn_the_shorter_way);
    RUN(sensors_show_the_force_of_all_inputs);
    RUN(muscles_find_their_range);
    RUN(ranges_that_do_not_settle_are_refused);
    RUN(keyframes_hold_activations);
    RUN(order_matters_to_222_only);
    RUN(stepping_allocates_nothing);
    return check_done();
}
