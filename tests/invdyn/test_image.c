/* The image of a cycle: partners and signs of joints, the proof of symmetry, travel, and what is
 * refused. */
#include "tests/check.h"

#include "base/house.h"
#include "invdyn/invdyn.h"
#include "mjcf/mjcf.h"

/* Two legs of one body; %s: what the right leg has otherwise. */
static const char biped[] =
    "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
    "<body name='trunk' pos='0 0 1'><freejoint name='root'/><geom type='box' size='.1 .2 .3'/>"
    "<body name='left_leg' pos='0 .1 -.3'><joint name='left_hip_x' axis='1 0 0' range='-20 40'/>"
    "<joint name='left_hip_y' axis='0 1 0'/><geom type='capsule' size='.05 .2' pos='0 .01 -.2'/>"
    "<body pos='0 0 -.4'><joint name='left_ball' type='ball'/><geom size='.06' pos='.05 0 "
    "0'/></body></body>"
    "<body name='right_leg' pos='0 -.1 -.3'><joint name='right_hip_x' axis='%s 0 0' range='-20 "
    "40'/>"
    "<joint name='right_hip_y' axis='0 1 0'/><geom type='capsule' size='.05 .2' pos='0 %s -.2' "
    "mass='%s'/>"
    "<body pos='0 0 -.4'><joint name='right_ball' type='ball'/><geom size='.06' pos='.05 0 "
    "0'/></body></body>"
    "</body></worldbody></mujoco>";

static sal_model *make(const char *axis, const char *offset, const char *mass)
{
    char xml[4096];
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err;
    snprintf(xml, sizeof xml, biped, axis, offset, mass);
    CHECK_OK(sal_model_parse(&m, "biped.xml", xml, strlen(xml), NULL, &diag, &err), err);
    sal_diag_clear(&diag);
    return m;
}

/* Mass of the left leg's capsule, 1000 (pi r^2 2L + 4/3 pi r^3) */
static const char *leg_mass = "3.6651914291880923";

static int dof(const sal_model *m, const char *joint)
{
    return m->jnt_dofadr[sal_model_find(m, SAL_OBJ_JOINT, joint)];
}

static void joints_find_their_partners(void)
{
    sal_model *m = make("-1", "-.01", leg_mass);
    sal_image *image;
    sal_err err;
    CHECK_OK(sal_image_new(&image, m, &err), err);
    CHECK_OK(sal_image_mirror(image, m, "left_", "right_", &err), err);
    CHECK(image->dof_index[dof(m, "left_hip_x")] == dof(m, "right_hip_x"));
    CHECK(image->dof_index[dof(m, "right_ball") + 2] == dof(m, "left_ball") + 2);
    /* abduction: axes (1,0,0) and (-1,0,0) are each other's images; flexion: (0,1,0) is its own */
    CHECK_NEAR(image->dof_sign[dof(m, "left_hip_x")], 1, 0);
    CHECK_NEAR(image->dof_sign[dof(m, "left_hip_y")], 1, 0);
    const double root[6] = {1, -1, 1, -1, 1, -1}, ball[3] = {-1, 1, -1};
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(image->dof_sign[dof(m, "root") + i], root[i], 0);
    }
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(image->dof_sign[dof(m, "left_ball") + i], ball[i], 0);
    }
    sal_image_free(image);
    sal_model_free(m);
}

/* The same axis on both sides turns them in opposite senses. */
static void equal_axes_have_opposite_signs(void)
{
    sal_model *m = make("1", "-.01", leg_mass);
    sal_image *image;
    sal_err err;
    CHECK_OK(sal_image_new(&image, m, &err), err);
    /* but then equal ranges are not images of each other */
    CHECK(sal_image_mirror(image, m, "left_", "right_", &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "the model is not its own mirror image: the range of joint "
                            "'left_hip_x' and joint 'right_hip_x' differ");
    CHECK_NEAR(image->dof_sign[dof(m, "left_hip_x")], -1, 0);
    sal_image_free(image);
    sal_model_free(m);
}

/* Bodies of the image stand where the mirror puts those of the motion: kinematics by another way
 * than the table of signs. */
static void image_of_a_pose_is_its_mirror_image(void)
{
    sal_model *m = make("-1", "-.01", leg_mass);
    sal_image *image;
    sal_data *d;
    sal_err err;
    double q[64], Sq[64], e[64], x[3];
    CHECK_OK(sal_image_new(&image, m, &err), err);
    CHECK_OK(sal_image_mirror(image, m, "left_", "right_", &err), err);
    const double ahead[2] = {3, 0};
    CHECK_OK(sal_image_travel(image, m, 0, ahead, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_rng rng = {9};
    for (int trial = 0; trial < 20; trial++) {
        for (int i = 0; i < m->nv; i++) {
            e[i] = sal_rng_uniform(&rng, -1, 1);
        }
        sal_integrate_pos(m, q, m->qpos0, e, 1);
        sal_image_apply(image, m, Sq, q, 0.7);
        memcpy(d->qpos, q, (size_t)m->nq * sizeof(double));
        sal_kinematics(m, d);
        sal_v3_copy(x, d->xipos + 3 * sal_model_find(m, SAL_OBJ_BODY, "left_leg"));
        memcpy(d->qpos, Sq, (size_t)m->nq * sizeof(double));
        sal_kinematics(m, d);
        const double *y = d->xipos + 3 * sal_model_find(m, SAL_OBJ_BODY, "right_leg");
        CHECK_NEAR(y[0], x[0] + 0.7, 1e-14);
        CHECK_NEAR(y[1], -x[1], 1e-14);
        CHECK_NEAR(y[2], x[2], 1e-14);
        sal_image_apply_inverse(image, m, e, Sq, 0.7);
        for (int i = 0; i < m->nq; i++) {
            CHECK_NEAR(e[i], q[i], 1e-15);
        }
    }
    sal_data_free(d);
    sal_image_free(image);
    sal_model_free(m);
}

static void refuse(const char *offset, const char *mass, const char *left, const char *right,
                   const char *message)
{
    sal_model *m = make("-1", offset, mass);
    sal_image *image;
    sal_err err;
    CHECK_OK(sal_image_new(&image, m, &err), err);
    CHECK(sal_image_mirror(image, m, left, right, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, message) != NULL);
    sal_image_free(image);
    sal_model_free(m);
}

static void asymmetry_is_found(void)
{
    refuse("-.01", "5", "left_", "right_",
           "mirror image: body 'left_leg' and body 'right_leg' have the masses ");
    refuse(".03", leg_mass, "left_", "right_", "has no mirrored partner");
    refuse("-.01", leg_mass, "left_", "rechts_",
           "no joint has its name with 'left_' and 'rechts_' exchanged");
    refuse("-.01", leg_mass, "links_", "rechts_", "there are no joints to exchange");
}

static void sideways_travel_is_refused(void)
{
    sal_model *m = make("-1", "-.01", leg_mass);
    sal_image *image;
    sal_err err;
    const double sideways[2] = {0, 1}, nowhere[2] = {0, 0};
    CHECK_OK(sal_image_new(&image, m, &err), err);
    CHECK_OK(sal_image_mirror(image, m, "left_", "right_", &err), err);
    CHECK(sal_image_travel(image, m, 0, sideways, &err) == SAL_BADINPUT);
    CHECK(sal_image_travel(image, m, 0, nowhere, &err) == SAL_BADINPUT);
    CHECK(sal_image_travel(image, m, 1, NULL, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "joint 'left_hip_x' cannot travel: only a slide or a free joint can");
    sal_image_free(image);
    sal_model_free(m);
}

/* Two arms that hang at the sides of a cart, on springs and in a medium. */
static sal_status mirrored(const char *option, const char *spring, const char *carried,
                           sal_err *err)
{
    char text[1000];
    sal_model *m = NULL;
    sal_image *image = NULL;
    snprintf(
        text, sizeof text,
        "<mujoco><option density='1000' %s/><default><geom contype='0' conaffinity='0'/>"
        "</default><worldbody><body><joint name='cart' type='slide' axis='1 0 0'/>"
        "<geom size='.1'/><body pos='0 1 0'><joint name='left_arm' axis='0 1 0' stiffness='3 1' "
        "springref='20'/><geom type='box' size='.1 .2 .3' pos='.1 0 0'/></body>"
        "<body pos='0 -1 0' %s><joint name='right_arm' axis='0 1 0' %s/>"
        "<geom type='box' size='.1 .2 .3' pos='.1 0 0'/></body></body></worldbody></mujoco>",
        option, carried, spring);
    CHECK_OK(sal_model_parse(&m, "t.xml", text, strlen(text), NULL, NULL, err), *err);
    CHECK_OK(sal_image_new(&image, m, err), *err);
    const sal_status status = sal_image_mirror(image, m, "left_", "right_", err);
    sal_image_free(image);
    sal_model_free(m);
    return status;
}

static void passive_forces_must_mirror(void)
{
    static const char spring[] = "stiffness='3 1' springref='20'";
    sal_err err;
    CHECK_OK(mirrored("wind='1 0 0'", spring, "", &err), err);
    CHECK(mirrored("", "stiffness='3 1' springref='21'", "", &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "the passive forces on joint") != NULL);
    CHECK(mirrored("", "stiffness='3 2' springref='20'", "", &err) == SAL_BADINPUT);
    CHECK(mirrored("", spring, "gravcomp='.1'", &err) == SAL_BADINPUT);
}

/* A cart that something ties to its place */
static void what_is_tied_down_does_not_travel(void)
{
    static const char *const ties[][2] = {
        {"<tendon><spatial name='rope'><site site='here'/><site site='cart'/></spatial></tendon>",
         "joint 'x' cannot travel: the length of tendon 'rope' changes with it"},
        {"<equality><connect name='pin' body1='cart' anchor='0 0 0'/></equality>",
         "joint 'x' cannot travel: equality constraint 'pin' prevents it"},
        {"<equality><connect body1='cart' body2='arm' anchor='0 0 0'/></equality>", NULL},
        {"<tendon><spatial stiffness='1'><site site='cart'/><site site='arm'/></spatial></tendon>",
         NULL},
    };
    for (size_t i = 0; i < sizeof ties / sizeof *ties; i++) {
        char text[1000];
        sal_model *m = NULL;
        sal_image *image = NULL;
        sal_err err = {SAL_OK, ""};
        snprintf(
            text, sizeof text,
            "<mujoco><worldbody><site name='here'/><body name='cart'>"
            "<joint name='x' type='slide' axis='1 0 0'/><geom size='.1'/><site name='cart' "
            "pos='0 0 .5'/><body name='arm' pos='0 0 .3'><joint axis='0 1 0'/><geom size='.1' "
            "pos='0 0 .3'/><site name='arm' pos='.1 0 .4'/></body></body></worldbody>%s</mujoco>",
            ties[i][0]);
        CHECK_OK(sal_model_parse(&m, "t.xml", text, strlen(text), NULL, NULL, &err), err);
        CHECK_OK(sal_image_new(&image, m, &err), err);
        const sal_status status = sal_image_travel(image, m, 0, NULL, &err);
        CHECK(status == (ties[i][1] == NULL ? SAL_OK : SAL_BADINPUT));
        if (ties[i][1] != NULL) {
            CHECK_TEXT(err.message, ties[i][1]);
        }
        sal_image_free(image);
        sal_model_free(m);
    }
}

/* ---- arcs ---- */

static const char flyer[] =
    "<mujoco><option gravity='%s'/><worldbody><body pos='0 0 1'><freejoint name='root'/>"
    "<geom type='box' size='.3 .2 .1'/><body pos='.3 0 0'><joint name='tail' axis='0 1 0'/>"
    "<geom size='.05' pos='.2 0 0'/></body></body></worldbody></mujoco>";

static sal_model *make_flyer(const char *gravity)
{
    char text[600];
    sal_model *m = NULL;
    sal_err err;
    snprintf(text, sizeof text, flyer, gravity);
    CHECK_OK(sal_model_parse(&m, "f.xml", text, strlen(text), NULL, NULL, &err), err);
    return m;
}

/* The image of a state on an arc of a circle, by the circle's centre: c = p_0 + length/turn n, n to
 * the left of the way. */
static void an_arc_turns_about_its_centre(void)
{
    sal_model *m = make_flyer("0 0 -9.81");
    sal_image *image;
    sal_err err;
    const double length = 1.3, turn = 0.8, ahead[2] = {3, 4}, u[2] = {0.6, 0.8};
    CHECK_OK(sal_image_new(&image, m, &err), err);
    CHECK_OK(sal_image_travel(image, m, 0, ahead, &err), err);
    CHECK_OK(sal_image_turn(image, m, 0, turn, &err), err);
    image->place[0] = 0.5, image->place[1] = -0.2;
    const double centre[2] = {0.5 - u[1] * length / turn, -0.2 + u[0] * length / turn};
    double q[8] = {0.9, 0.3, 1.1, 0.5, 0.5, -0.1, 0.7, 0.4}, Sq[8], back[8], v[7], Sv[7];
    sal_normalise_pos(m, q);
    sal_image_apply(image, m, Sq, q, length);
    const double d[2] = {q[0] - centre[0], q[1] - centre[1]};
    CHECK_NEAR(Sq[0], centre[0] + cos(turn) * d[0] - sin(turn) * d[1], 1e-14);
    CHECK_NEAR(Sq[1], centre[1] + sin(turn) * d[0] + cos(turn) * d[1], 1e-14);
    CHECK(Sq[2] == q[2] && Sq[7] == q[7]);
    double axis[3], turned[3]; /* any vector of the body turns about the vertical */
    sal_quat_rotate(axis, q + 3, (double[3]){0.3, 0.2, 0.9});
    sal_quat_rotate(turned, Sq + 3, (double[3]){0.3, 0.2, 0.9});
    CHECK_NEAR(turned[0], cos(turn) * axis[0] - sin(turn) * axis[1], 1e-14);
    CHECK_NEAR(turned[2], axis[2], 1e-14);
    sal_image_apply_inverse(image, m, back, Sq, length);
    for (int i = 0; i < 8; i++) {
        CHECK_NEAR(back[i], q[i], 1e-14);
    }
    for (int i = 0; i < 7; i++) {
        v[i] = i + 1;
    }
    sal_image_velocity(image, m, Sv,
                       v); /* moving on and then turning is turning and then moving on */
    sal_integrate_pos(m, back, q, v, 0.1);
    double there[8], other[8];
    sal_image_apply(image, m, there, back, length);
    sal_integrate_pos(m, other, Sq, Sv, 0.1);
    for (int i = 0; i < 8; i++) {
        CHECK_NEAR(there[i], other[i], 1e-14);
    }
    sal_image_free(image);
    sal_model_free(m);
}

/* along and around against differences, for images and what they are images of, far from and near a
 * straight line */
static void derivatives_of_an_arc(void)
{
    sal_model *m = make_flyer("0 0 -9.81");
    sal_image *image;
    sal_err err;
    const double turns[] = {0.9, -2, 1e-5, 0}, ahead[2] = {-3, 4}, eps = 1e-6, length = 1.3;
    double q[8] = {0.9, 0.3, 1.1, 0.5, 0.5, -0.1, 0.7, 0.4};
    CHECK_OK(sal_image_new(&image, m, &err), err);
    CHECK_OK(sal_image_travel(image, m, 0, ahead, &err), err);
    CHECK_OK(sal_image_turn(image, m, 0, 1, &err), err);
    image->place[0] = 0.5;
    sal_normalise_pos(m, q);
    for (int k = 0; k < 8; k++) {
        const double turn = turns[k / 2];
        const int side = k % 2 == 0 ? 1 : -1;
        double motion[2][7], above[8], below[8], e[7], moved[8], image_of_moved[8], here[8];
        sal_image_deriv(image, m, motion[0], motion[1], q, side, length, turn);
        sal_image_apply_arc(image, m, here, q, side, length, turn);
        for (int g = 0; g < 2; g++) {
            const double dl = g == 0 ? eps : 0, dt = g == 0 ? 0 : eps;
            sal_image_apply_arc(image, m, above, q, side, length + dl, turn + dt);
            sal_image_apply_arc(image, m, below, q, side, length - dl, turn - dt);
            sal_differentiate_pos(m, e, 2 * eps, below, above);
            double row[7],
                /* a row times the motion of the image, and its chained row times that of q */
                difference = 0;
            for (int i = 0; i < 7; i++) {
                row[i] = 0.3 + 0.1 * i * i;
                difference += row[i] * e[i];
            }
            sal_image_chain(image, m, row, side, turn);
            for (int i = 0; i < 7; i++) {
                difference -= row[i] * motion[g][i];
            }
            CHECK_NEAR(difference, 0, 1e-8);
            /* moving q by it moves the image as the parameter does */
            sal_integrate_pos(m, moved, q, motion[g], eps);
            sal_image_apply_arc(image, m, image_of_moved, moved, side, length, turn);
            for (int i = 0; i < 8; i++) {
                CHECK_NEAR((image_of_moved[i] - here[i]) / eps, (above[i] - here[i]) / eps, 2e-5);
            }
        }
    }
    sal_image_free(image);
    sal_model_free(m);
}

static void what_cannot_turn(void)
{
    sal_model *m = make_flyer("1 0 -9.81"), *mirrored_model = make("-1", "-.01", leg_mass);
    sal_image *image;
    sal_err err;
    const double ahead[2] = {1, 0};
    CHECK_OK(sal_image_new(&image, m, &err), err);
    CHECK_OK(sal_image_travel(image, m, 0, ahead, &err), err);
    CHECK(sal_image_turn(image, m, 0, 1, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message,
               "joint 'root' cannot turn: gravity is 1 0 -9.81; it must be vertical (along z)");
    CHECK(sal_image_turn(image, m, 1, 1, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "joint 'tail' cannot turn: only a free joint can");
    sal_image_free(image);
    CHECK_OK(sal_image_new(&image, mirrored_model, &err), err);
    CHECK_OK(sal_image_mirror(image, mirrored_model, "left_", "right_", &err), err);
    CHECK(sal_image_turn(image, mirrored_model, 0, 1, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "a mirrored cycle cannot turn: its second half, the mirror image of "
                            "the first, would turn back");
    sal_image_free(image);
    sal_model_free(m);
    sal_model_free(mirrored_model);
}

int main(void)
{
    RUN(an_arc_turns_about_its_centre);
    RUN(derivatives_of_an_arc);
    RUN(what_cannot_turn);
    RUN(joints_find_their_partners);
    RUN(equal_axes_have_opposite_signs);
    RUN(image_of_a_pose_is_its_mirror_image);
    RUN(asymmetry_is_found);
    RUN(passive_forces_must_mirror);
    RUN(what_is_tied_down_does_not_travel);
    RUN(sideways_travel_is_refused);
    return check_done();
}
