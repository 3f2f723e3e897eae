/* Actuators whose controls a problem cannot tell from the motion are refused, each by its name and with the reason. */
#include "tests/problems/problem_files.h"

#include "problems/problems.h"

static const char model[] =
    "<mujoco><worldbody>\n"
    "<body name='b' gravcomp='%s'><joint name='j' range='-1 1' %s/><geom size='.1'/><site "
    "name='s'/>\n"
    "<body pos='.5 0 0'><joint name='k' type='ball'/><geom size='.1' pos='.1 0 0'/>\n"
    "<site name='p' pos='.2 0 0'/></body></body></worldbody>\n"
    "<tendon><fixed name='t'><joint joint='j' coef='2'/></fixed></tendon>\n"
    "<actuator>%s</actuator></mujoco>\n";

static const char problem[] = "<problem name=\"any\">\n"
                              "  <model file=\"m.xml\"/>\n"
                              "  <time nstep=\"10\" duration=\"0.5\"/>\n"
                              "  <boundary type=\"open\"/>\n"
                              "  <cost><term name=\"effort\" ctrl=\"all\" weight=\"1\"/></cost>\n"
                              "</problem>\n";

static sal_status read_with(const char *gravcomp, const char *joint, const char *actuator,
                            sal_err *err)
{
    char text[2000];
    sal_problem *p = NULL;
    sal_diag diag = {0};
    snprintf(text, sizeof text, model, gravcomp, joint, actuator);
    files_write("m.xml", text, strlen(text));
    files_write("p.xml", problem, strlen(problem));
    const sal_status status = sal_problem_read(&p, files_path("p.xml"), NULL, &diag, err);
    sal_diag_clear(&diag);
    sal_problem_free(p);
    return status;
}

static void refused(const char *joint, const char *actuator, const char *message)
{
    sal_err err = {0};
    CHECK(read_with("0", joint, actuator, &err) == SAL_BADINPUT);
    if (strstr(err.message, message) == NULL) {
        printf("%s\n", err.message);
    }
    CHECK(strstr(err.message, message) != NULL);
}

static void what_cannot_be_told_is_refused(void)
{
    refused("", "<motor name='x' tendon='t'/>", "actuator 'x' pulls a tendon");
    refused("", "<motor name='x' site='p'/>", "actuator 'x' acts at a site");
    refused("", "<motor name='x' cranksite='p' slidersite='s' cranklength='1'/>",
            "actuator 'x' drives a crank");
    refused("", "<adhesion name='x' body='b' ctrlrange='0 1'/>",
            "actuator 'x' pulls what touches a body");
    refused("", "<muscle name='x' joint='j' lengthrange='0 1'/>", "actuator 'x' is a muscle");
    refused("", "<cylinder name='x' joint='j'/>", "actuator 'x' has an activation");
    refused("", "<position name='x' joint='j' timeconst='.1'/>", "actuator 'x' has an activation");
    refused("", "<motor name='x' jointinparent='k'/>",
            "actuator 'x' turns its joint in the parent");
    refused("", "<position name='x' joint='k'/>", "actuator 'x' is a servo on a ball joint");
    refused("actuatorfrcrange='-1 1'", "<motor name='x' joint='j'/>",
            "actuator 'x' acts on a joint with actuatorfrcrange");
    sal_err err = {0};
    CHECK(read_with("1", "actuatorgravcomp='true'", "<motor name='x' joint='j'/>", &err) ==
          SAL_BADINPUT);
    CHECK(strstr(err.message, "joint 'j' has actuatorgravcomp") != NULL);
}

static void what_can_be_told_is_taken(void)
{
    sal_err err = {0};
    CHECK_OK(read_with("0", "actuatorgravcomp='true'", "<motor joint='j'/>", &err), err);
    CHECK_OK(read_with("1", "", "<motor jointinparent='j'/><motor joint='k'/>", &err), err);
    CHECK_OK(read_with("0", "", "<motor joint='j' armature='.1' damping='.2'/>", &err), err);
    CHECK_OK(read_with("0", "", "<damper joint='j' kv='2' ctrlrange='0 1'/>", &err), err);
}

int main(void)
{
    RUN(what_cannot_be_told_is_refused);
    RUN(what_can_be_told_is_taken);
    files_remove();
    return check_done();
}
