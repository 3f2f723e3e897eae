/* Actuators in a mirrored cycle: mirrored inputs at a mirrored state give mirrored forces; what has
 * no image is named. */
#include "tests/check.h"

#include "base/house.h"
#include "invdyn/invdyn.h"
#include "mjcf/mjcf.h"

static const char model[] =
    "<mujoco><worldbody><body name='torso' pos='0 0 1'><freejoint name='root'/>"
    "<geom type='box' size='.1 .15 .2'/><site name='left_top' pos='0 .1 .1'/>"
    "<site name='right_top' pos='0 -.1 .1'/><body name='head' pos='0 0 .3'>"
    "<joint name='roll' axis='1 0 0'/><joint name='nod' axis='0 1 0'/><geom size='.08' pos='0 0 "
    ".1'/></body>"
    "<body name='left_leg' pos='0 .1 -.2'><joint name='left_out' axis='1 0 0'/>"
    "<joint name='left_swing' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -.4' "
    "size='.04'/>"
    "<site name='left_foot' pos='.05 0 -.4'/></body>"
    "<body name='right_leg' pos='0 -.1 -.2'><joint name='right_out' axis='1 0 0'/>"
    "<joint name='right_swing' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -.4' "
    "size='.04'/>"
    "<site name='right_foot' pos='.05 0 -.4'/></body></body></worldbody>"
    "<tendon><spatial name='left_band'><site site='left_top'/><site site='left_foot'/></spatial>"
    "<spatial name='right_band'><site site='right_top'/><site "
    "site='right_foot'/></spatial></tendon>"
    "<actuator><position name='a' joint='right_out' kp='30' ctrlrange='-.2 .9'/>"
    "<muscle name='b' tendon='left_band' force='100' lengthrange='.5 .9'/>"
    "<motor name='c' joint='roll' gear='3'/><motor name='d' joint='nod'/>"
    "<general name='e' joint='left_swing' dyntype='filter' dynprm='.05' gear='5'/>"
    "<muscle name='f' tendon='right_band' force='100' lengthrange='.5 .9'/>"
    "<general name='g' joint='right_swing' dyntype='filter' dynprm='%s' gear='5'/>"
    "<position name='h' joint='left_out' kp='30' ctrlrange='-.9 .2'/>"
    "<motor name='i' site='left_foot' gear='0 0 1 0 0 0'/>"
    "<motor name='j' site='right_foot' gear='0 0 1 0 0 0'/></actuator></mujoco>";

enum { NU = 10 };

static sal_model *load(const char *filter)
{
    char text[4000];
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    snprintf(text, sizeof text, model, filter);
    CHECK_OK(sal_model_parse(&m, "m.xml", text, strlen(text), NULL, NULL, &err), err);
    return m;
}

static void pull(const sal_model *m, sal_data *d, const double *w)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_position(m, d, &err), err);
    sal_velocity(m, d);
    sal_actuation_driven(m, d, w);
}

static void mirrored_inputs_give_mirrored_forces(void)
{
    static const int partner[NU] = {7, 5, 2, 3, 6, 1, 4, 0, 9, 8};
    static const double sign[NU] = {-1, 1, -1, 1, 1, 1, 1, -1, 1, 1};
    sal_model *m = load(".05");
    sal_data *d[2];
    sal_image *image = NULL;
    sal_err err = {SAL_OK, ""};
    sal_rng rng = {3};
    CHECK_OK(sal_image_new(&image, m, &err), err);
    CHECK_OK(sal_image_mirror(image, m, "left_", "right_", &err), err);
    for (int i = 0; i < NU; i++) {
        CHECK(image->actuator_index[i] == partner[i]);
        CHECK(image->actuator_sign[i] == sign[i]);
    }
    for (int k = 0; k < 2; k++) {
        CHECK_OK(sal_data_new(d + k, m, &err), err);
    }
    for (int trial = 0; trial < 10; trial++) {
        double e[20], w[NU], mirrored[NU];
        for (int i = 0; i < m->nv; i++) {
            e[i] = sal_rng_uniform(&rng, -0.4, 0.4);
            d[0]->qvel[i] = sal_rng_uniform(&rng, -1, 1);
        }
        for (int i = 0; i < NU; i++) {
            w[i] = sal_rng_uniform(&rng, 0, 1);
        }
        sal_integrate_pos(m, d[0]->qpos, m->qpos0, e, 1);
        sal_image_apply(image, m, d[1]->qpos, d[0]->qpos, 0);
        for (int i = 0; i < m->nv; i++) {
            d[1]->qvel[i] = image->dof_sign[i] * d[0]->qvel[image->dof_index[i]];
        }
        for (int i = 0; i < NU; i++) {
            mirrored[i] = image->actuator_sign[i] * w[image->actuator_index[i]];
        }
        pull(m, d[0], w);
        pull(m, d[1], mirrored);
        for (int i = 0; i < m->nv; i++) {
            CHECK_NEAR(d[1]->qfrc_actuator[i],
                       image->dof_sign[i] * d[0]->qfrc_actuator[image->dof_index[i]], 1e-10);
        }
    }
    sal_data_free(d[0]);
    sal_data_free(d[1]);
    sal_image_free(image);
    sal_model_free(m);
}

static void what_has_no_image_is_named(void)
{
    sal_model *m = load(".06");
    sal_image *image = NULL;
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_image_new(&image, m, &err), err);
    CHECK(sal_image_mirror(image, m, "left_", "right_", &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "actuator 'e' has no mirrored partner") != NULL);
    CHECK(image->actuator_index[7] == 7 && image->actuator_sign[7] == 1); /* each its own */
    sal_image_free(image);
    sal_model_free(m);
}

static void an_activation_that_stays_behind_is_named(void)
{
    static const char *const cart =
        "<mujoco><worldbody><body><joint name='x' type='slide' axis='1 0 0'/><geom size='.1'/>"
        "</body></worldbody><actuator><intvelocity name='v' joint='x' kp='%s' actrange='-9 9'/>"
        "</actuator></mujoco>";
    char text[1000];
    sal_model *m = NULL;
    sal_image *image = NULL;
    sal_err err = {SAL_OK, ""};
    snprintf(text, sizeof text, cart, "3");
    CHECK_OK(sal_model_parse(&m, "m.xml", text, strlen(text), NULL, NULL, &err), err);
    CHECK_OK(sal_image_new(&image, m, &err), err);
    CHECK(sal_image_travel(image, m, 0, NULL, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "actuator 'v'") != NULL);
    sal_image_free(image);
    sal_model_free(m);
}

int main(void)
{
    RUN(mirrored_inputs_give_mirrored_forces);
    RUN(what_has_no_image_is_named);
    RUN(an_activation_that_stays_behind_is_named);
    return check_done();
}
