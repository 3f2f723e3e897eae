/* A model that is nearly its own mirror image, made one: means by hand, the proof of the mirror on
 * the copy, what differs by more, and whose image is whose. */
#include "tests/check.h"

#include "invdyn/invdyn.h"
#include "mjcf/mjcf.h"

#include <math.h>

/* A trunk whose centre of mass is beside the middle and whose inertia is skew, and two legs of
 * masses 1 and 1.04, which differ in all else, too. The legs' frames are turned against each
 * other. */
static const char uneven_xml[] =
    "<mujoco><compiler angle='radian'/><worldbody><geom name='floor' type='plane' size='1 1 .1'/>"
    "<body name='trunk' pos='0 0 1'>"
    "<freejoint name='root'/><inertial pos='.02 .002 .1' mass='8' "
    "fullinertia='.1 .12 .09 .002 .01 -.001'/><geom type='box' size='.1 .1 .2'/>"
    "<body name='tool' pos='.1 0 .2'><inertial pos='0 .001 0' mass='.3' "
    "diaginertia='.001 .001 .001'/></body>"
    "<body name='left_leg' pos='0 .1 -.2'><joint name='left_hip' axis='0 1 0' range='-1 1' "
    "limited='true' stiffness='100' damping='2' armature='.01'/><inertial pos='.01 0 -.2' "
    "mass='1' diaginertia='.02 .02 .004'/><geom name='left_foot' pos='.03 0 -.4' size='.05'/>"
    "<site name='left_toe' pos='.08 0 -.4'/></body>"
    "<body name='right_leg' pos='0 -.1 -.2' quat='0 0 0 1'><joint name='right_hip' "
    "axis='.002 -1 0' range='-1.02 1.04' limited='true' stiffness='%s' damping='2.02' "
    "armature='.0102'/><inertial pos='-.014 .002 -.2' mass='1.04' "
    "diaginertia='.0204 .0204 .0041'/><geom name='right_foot' pos='-.034 0 -.402' size='.051'/>"
    "<site name='right_toe' pos='-.08 0 -.402'/></body></body></worldbody>"
    "<actuator><motor name='left' joint='left_hip' gear='10' ctrlrange='-1 2' ctrllimited='true'/>"
    "<motor name='right' joint='right_hip' gear='10.2' ctrlrange='-1.02 2' ctrllimited='true'/>"
    "</actuator></mujoco>";

static sal_model *load(const char *stiffness)
{
    char text[4000];
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    snprintf(text, sizeof text, uneven_xml, stiffness);
    CHECK_OK(sal_model_parse(&m, "m.xml", text, strlen(text), NULL, NULL, &err), err);
    return m;
}

static sal_status prove(const sal_model *m, sal_err *err)
{
    sal_image *image = NULL;
    sal_status status = sal_image_new(&image, m, err);
    status = status == SAL_OK ? sal_image_mirror(image, m, "left_", "right_", err) : status;
    sal_image_free(image);
    return status;
}

static sal_model *even(const sal_model *m, double tolerance, sal_asymmetry *largest)
{
    sal_model *copy = NULL;
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_model_symmetrise(&copy, largest, m, "left_", "right_", tolerance, &err), err);
    return copy;
}

static int body(const sal_model *m, const char *name)
{
    return sal_model_find(m, SAL_OBJ_BODY, name);
}

static void halves_are_means(void)
{
    sal_model *m = load("102");
    sal_asymmetry largest;
    sal_err err = {SAL_OK, ""};
    CHECK(prove(m, &err) == SAL_BADINPUT);
    sal_model *s = even(m, 0.05, &largest);
    const int l = body(s, "left_leg"), r = body(s, "right_leg"), t = body(s, "trunk");
    CHECK_OK(prove(s, &err), err);
    CHECK_NEAR(s->body_mass[l], 1.02, 1e-15);
    CHECK_NEAR(s->body_mass[r], 1.02, 1e-15);
    /* x: .01 and, its frame turned about z, .014; y in the world: .1 + 0 and -.1 - .002 */
    CHECK_NEAR(s->body_pos[3 * l + 0] + s->body_ipos[3 * l + 0], 0.012, 1e-12);
    CHECK_NEAR(s->body_pos[3 * l + 1] + s->body_ipos[3 * l + 1], 0.101, 1e-12);
    CHECK_NEAR(s->body_pos[3 * t + 1] + s->body_ipos[3 * t + 1], 0, 1e-15);
    const int j = sal_model_find(s, SAL_OBJ_JOINT, "left_hip"),
              k = sal_model_find(s, SAL_OBJ_JOINT, "right_hip");
    CHECK_NEAR(s->jnt_stiffness[j], 101, 1e-12);
    CHECK_NEAR(s->jnt_stiffness[k], 101, 1e-12);
    CHECK_NEAR(s->dof_damping[s->jnt_dofadr[j]], 2.01, 1e-12);
    CHECK_NEAR(s->dof_armature[s->jnt_dofadr[j]], 0.0101, 1e-15);
    CHECK_NEAR(s->jnt_range[2 * j], -1.01, 1e-12);
    CHECK_NEAR(s->jnt_range[2 * j + 1], 1.02, 1e-12);
    CHECK_NEAR(s->actuator_gear[0], 10.1, 1e-12);
    CHECK_NEAR(s->actuator_ctrlrange[0], -1.01, 1e-12);
    CHECK_NEAR(s->geom_size[3 * sal_model_find(s, SAL_OBJ_GEOM, "left_foot")], 0.0505, 1e-15);
    sal_model_free(s);
    sal_model_free(m);
}

static void what_is_in_the_middle_stays_as_heavy(void)
{
    sal_model *m = load("102");
    sal_asymmetry largest, again;
    sal_model *s = even(m, 0.05, &largest), *same = even(s, 0.05, &again);
    double before = 0, after = 0;
    for (int b = 0; b < m->nbody; b++) {
        before += m->body_mass[b];
        after += s->body_mass[b];
    }
    CHECK_NEAR(before, after, 1e-12);
    CHECK_NEAR(s->body_subtreemass[0], after, 1e-12);
    /* the largest: masses, .04/1.04; what is even stays even */
    CHECK_NEAR(largest.most, 0.04 / 1.04, 1e-12);
    CHECK(strstr(largest.text, "body 'left_leg' and body 'right_leg' have the masses") != NULL);
    CHECK(again.most == 0);
    for (int i = 0; i < 3 * s->nbody; i++) {
        CHECK_NEAR(s->body_ipos[i], same->body_ipos[i], 1e-14);
        CHECK_NEAR(s->body_inertia[i], same->body_inertia[i], 1e-14);
    }
    sal_model_free(same);
    sal_model_free(s);
    sal_model_free(m);
}

static void what_differs_by_more_stays(void)
{
    sal_model *m = load("102");
    sal_asymmetry largest;
    sal_err err = {SAL_OK, ""};
    sal_model *s = even(m, 0.036, &largest);
    CHECK(s->body_mass[body(s, "left_leg")] == 1);
    CHECK(s->body_mass[body(s, "right_leg")] == 1.04);
    CHECK(prove(s, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "the model is not its own mirror image: body 'left_leg' and body "
                            "'right_leg' have the masses 1 kg and 1.04 kg");
    sal_model_free(s);
    sal_model_free(m);
    m = load("110");
    s = even(m, 0.05, &largest);
    CHECK(prove(s, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "the model is not its own mirror image: the stiffness of joint "
                            "'left_hip' and joint 'right_hip' differ");
    sal_model_free(s);
    sal_model_free(m);
}

static void twins_are_found_by_their_places(void)
{
    sal_model *m = load("102");
    sal_twins *t = NULL;
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_twins_new(&t, m, "left_", "right_", 0.05, &err), err);
    const int foot[2] = {sal_model_find(m, SAL_OBJ_GEOM, "left_foot"),
                         sal_model_find(m, SAL_OBJ_GEOM, "right_foot")};
    CHECK(t->body[body(m, "left_leg")] == body(m, "right_leg"));
    CHECK(t->body[body(m, "trunk")] == body(m, "trunk"));
    CHECK(t->aligned[body(m, "trunk")] && !t->aligned[body(m, "left_leg")]);
    CHECK(t->geom[foot[0]] == foot[1] && t->geom[foot[1]] == foot[0]);
    CHECK(t->geom[0] == 0 && t->site[0] == 1 && t->site[1] == 0);
    sal_twins_free(t);
    sal_model_free(m);
}

static void closed_loops_are_refused(void)
{
    static const char loop_xml[] =
        "<mujoco><worldbody><body name='left_a'><joint name='left_a'/><geom size='.1'/></body>"
        "<body name='right_a' pos='0 1 0'><joint name='right_a'/><geom size='.1'/></body>"
        "</worldbody><equality><connect name='pin' body1='left_a' body2='right_a' anchor='0 0 0'/>"
        "</equality></mujoco>";
    sal_model *m = NULL, *copy = NULL;
    sal_asymmetry largest;
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_model_parse(&m, "m.xml", loop_xml, strlen(loop_xml), NULL, NULL, &err), err);
    CHECK(sal_model_symmetrise(&copy, &largest, m, "left_", "right_", 0.05, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "left and right of a model with connect or weld constraints cannot be "
                            "averaged (equality constraint 'pin')");
    CHECK(copy == NULL);
    sal_model_free(m);
}

int main(void)
{
    RUN(halves_are_means);
    RUN(what_is_in_the_middle_stays_as_heavy);
    RUN(what_differs_by_more_stays);
    RUN(twins_are_found_by_their_places);
    RUN(closed_loops_are_refused);
    return check_done();
}
