/* What carries a mechanism over a floor. */
#include "tests/check.h"

#include "mjcf/mjcf.h"
#include "problems/root.h"

#include <stdio.h>
#include <string.h>

#define SHAPE "<geom size='.1' mass='1'/>"
#define ARM   "<body name='arm' pos='0 0 -.3'><joint name='elbow' axis='0 1 0'/>" SHAPE "</body>"

/* Bodies of the world and actuators -> the root; false: there is none. */
static bool root_of(prb_root *root, const char *bodies, const char *actuators)
{
    sal_model *m = NULL;
    sal_err err = {0};
    sal_diag diag = {0};
    char xml[3000];
    snprintf(xml, sizeof xml, "<mujoco><worldbody>%s</worldbody><actuator>%s</actuator></mujoco>",
             bodies, actuators);
    CHECK_OK(sal_model_parse(&m, "root.xml", xml, strlen(xml), NULL, &diag, &err), err);
    const bool found = m != NULL && prb_root_find(root, m);
    sal_model_free(m);
    sal_diag_clear(&diag);
    return found;
}

static const char elbow[] = "<motor joint='elbow'/>";

static void a_free_joint(void)
{
    prb_root root;
    CHECK(root_of(&root, "<body><freejoint/>" SHAPE ARM "</body>", elbow));
    CHECK(root.body == 1 && root.dof == 0 && root.ndof == 6 && root.lift == 2);
    for (int i = 0; i < 3; i++) {
        CHECK(root.place[i] == i && fabs(root.along[i] - 1) < 1e-15);
    }
}

/* By the axes of the world, whichever way they point in a body that is turned. */
static void slides_and_hinges(void)
{
    prb_root root;
    CHECK(root_of(&root,
                  "<body euler='0 0 90'><joint name='up' type='slide' axis='0 0 -1'/><joint "
                  "type='slide' axis='1 0 0'/><joint type='hinge' axis='0 0 1'/>" SHAPE ARM
                  "</body>",
                  elbow));
    CHECK(root.body == 1 && root.dof == 0 && root.ndof == 3 && root.lift == 0);
    CHECK(root.place[0] == -1 && root.place[1] == 1 && root.place[2] == 0);
    CHECK_NEAR(root.along[1], 1, 1e-12);
    CHECK_NEAR(root.along[2], -1, 1e-12);
}

/* Neither what cannot rise, nor what something holds, nor a slide that turns with a hinge. */
static void what_is_no_root(void)
{
    prb_root root;
    static const char up[] = "<joint name='up' type='slide' axis='0 0 1'";
    char body[600];
    CHECK(!root_of(&root, "<body>" SHAPE ARM "</body>", elbow));
    CHECK(!root_of(&root, "<body><joint type='slide' axis='1 0 0'/>" SHAPE ARM "</body>", elbow));
    snprintf(body, sizeof body, "<body>%s/>" SHAPE ARM "</body>", up);
    CHECK(root_of(&root, body, elbow));
    CHECK(!root_of(&root, body, "<motor joint='elbow'/><motor joint='up'/>"));
    snprintf(body, sizeof body, "<body>%s stiffness='10'/>" SHAPE ARM "</body>", up);
    CHECK(!root_of(&root, body, elbow));
    snprintf(body, sizeof body, "<body><joint axis='0 1 0'/>%s/>" SHAPE ARM "</body>", up);
    CHECK(!root_of(&root, body, elbow));
    CHECK(root.body == 0);
}

/* A ball that stands before the robot in the file is none. */
static void of_several_the_one_that_is_driven(void)
{
    prb_root root;
    CHECK(root_of(&root,
                  "<body><freejoint/>" SHAPE
                  "</body><body><joint type='slide' axis='0 0 1'/>" SHAPE ARM "</body>",
                  elbow));
    CHECK(root.body == 2 && root.dof == 6 && root.ndof == 1 && root.lift == 6);
    CHECK(
        root_of(&root, "<body><freejoint/>" SHAPE "</body><body><freejoint/>" SHAPE "</body>", ""));
    CHECK(root.body == 1);
}

int main(void)
{
    RUN(a_free_joint);
    RUN(slides_and_hinges);
    RUN(what_is_no_root);
    RUN(of_several_the_one_that_is_driven);
    return check_done();
}
