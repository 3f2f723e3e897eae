/* saltus convert, and URDF files as models of other verbs. */
#include "tests/cli/command.h"

static const char robot[] =
    "<robot name='lever'>\n"
    "  <link name='stand'/>\n"
    "  <link name='rod'><inertial><origin xyz='0 0 -0.5'/><mass value='1'/>\n"
    "    <inertia ixx='0.1' iyy='0.1' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
    "  <link name='bob'><collision><geometry><sphere "
    "radius='0.05'/></geometry></collision></link>\n"
    "  <joint name='swing' type='continuous'><parent link='stand'/><child link='rod'/>\n"
    "    <axis xyz='0 1 0'/></joint>\n"
    "  <joint name='glue' type='fixed'><parent link='rod'/><child link='bob'/>\n"
    "    <origin xyz='0 0 -1'/></joint>\n"
    "</robot>\n";

static void put(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

static void a_robot_becomes_mjcf(void)
{
    put("lever.urdf", robot);
    CHECK(go("convert @lever.urdf") == 0);
    SAYS(out, "<mujoco model=\"lever\">");
    SAYS(out, "<joint name=\"swing\" type=\"hinge\"");
    CHECK(strstr(out, "glue") == NULL && strstr(out, "bob") == NULL); /* it is fused */
    CHECK(go("convert @lever.urdf -o @lever.xml -q") == 0);
    CHECK(go("info @lever.xml") == 0);
    SAYS(out, "nbody          2");
    CHECK(go("convert @lever.urdf --set compiler/fusestatic=false -o @lever.xml") == 0);
    CHECK(go("info @lever.xml") == 0);
    SAYS(out, "nbody          4");
    CHECK(go("convert @lever.xml --set joint[swing]/damping=2") == 0);
    SAYS(out, "damping=\"2\"");
}

static void what_cannot_be_converted_is_said(void)
{
    put("lever.urdf", robot);
    put("arm.sdf", "<sdf version='1.7'><model name='arm'/></sdf>");
    put("arm.osim", "<OpenSimDocument Version='40000'/>");
    CHECK(go("convert @arm.sdf") == 3);
    SAYS(errors, "this is an SDF file; convert it to URDF or MJCF first");
    CHECK(go("convert @arm.osim") == 3);
    SAYS(errors, "this is a model of OpenSim; convert it to MJCF first");
    CHECK(go("convert @lever.urdf -o @lever.urdf") == 2);
    SAYS(errors, "is also read by this command");
    CHECK(go("convert @lever.urdf --set joint[swnig]/damping=2") == 3);
    SAYS(errors, "swing");
    CHECK(go("simulate @lever.urdf --time .1 -q -o @lever.h5") == 0);
    CHECK(go("convert @lever.h5") == 2);
    SAYS(errors, "saltus export --to mjcf");
}

/* The same motion, from the robot and from what it becomes */
static void other_verbs_read_robots(void)
{
    static char swing[sizeof out];
    put("lever.urdf", robot);
    CHECK(go("convert @lever.urdf -o @lever.xml -q") == 0);
    CHECK(go("simulate @lever.urdf --time .2") == 0);
    snprintf(swing, sizeof swing, "%s", out);
    CHECK(go("simulate @lever.xml --time .2") == 0);
    CHECK_TEXT(out, swing);
    put("swing.xml", "<problem name='swing'><model file='lever.urdf'/>"
                     "<time nstep='10' duration='.5'/><boundary type='open'>"
                     "<start qpos='0'/></boundary><cost>"
                     "<term name='up' joint='swing' target='.3'/></cost></problem>");
    CHECK(go("check @swing.xml") == 0);
    CHECK(go("solve @swing.xml -o @r -q") == 0);
    CHECK(go("export @r --to mjcf") == 0);
    SAYS(out, "name=\"swing\"");
}

/* A swing of a rod that a spring moves: what damps it is found, and written as MJCF. */
static void a_robot_is_identified(void)
{
    put("rod.urdf",
        "<robot name='rod'><link name='stand'/><link name='rod'><inertial>"
        "<origin xyz='0 0 -0.5'/><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.01' ixy='0' "
        "ixz='0' iyz='0'/></inertial></link><joint name='swing' type='continuous'>"
        "<parent link='stand'/><child link='rod'/><axis xyz='0 1 0'/></joint></robot>");
    put("rod.xml",
        "<problem name='rod'><model file='rod.urdf'/>"
        "<override path='joint[swing]/springref' value='1'/>"
        "<override path='joint[swing]/stiffness' value='2'/>"
        "<data file='swing.csv' time='time'><channel name='angle' joint='swing' columns='qpos0' "
        "sigma='.005'/></data>"
        "<parameter name='damping' path='joint[swing]/damping' map='log' value='.1'/>"
        "<estimate sigma='.05' unit='force' norm='quadratic'/></problem>");
    CHECK(go("simulate @rod.urdf --set joint[swing]/damping=0.3 --set joint[swing]/springref=1 "
             "--set joint[swing]/stiffness=2 --time 1 -q -o @swing.csv") == 0);
    CHECK(go("solve @rod.xml -o @rod -q") == 0);
    CHECK(go("export @rod --to mjcf") == 0);
    SAYS(out, "<mujoco model=\"rod\">");
    const char *damping = strstr(out, "damping=\"");
    CHECK(damping != NULL && fabs(atof(damping + 9) - 0.3) < 1e-9);
}

int main(void)
{
    RUN(a_robot_becomes_mjcf);
    RUN(what_cannot_be_converted_is_said);
    RUN(other_verbs_read_robots);
    RUN(a_robot_is_identified);
    files_remove();
    return check_done();
}
