/* URDF files: what is wrong with one is said with its place; what has no effect is said, too; files
 * of meshes are found as ROS means them; settings and loose numbers are those of MJCF. */
#include "tests/check.h"
#include "tests/memory.h"

#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#define INERTIA "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
#define MASSIVE "<inertial><mass value='1'/>" INERTIA "</inertial>"
#define A_LINK  "<link name='a'/>"
#define B_LINK  "<link name='b'>" MASSIVE "</link>"
#define ENDS    "<parent link='a'/><child link='b'/>"
#define SPHERE  "<geometry><sphere radius='1'/></geometry>"

typedef struct said {
    const char *text, *message;
} said;

/* The text stands on line 2, in <robot>; of the messages the first, with its help in brackets. */
static const said faults[] = {
    {"<link/>", "2:2: error: <link> needs the attribute 'name'"},
    {"<link name=''/>", "2:13: error: the name of this <link> is empty"},
    {A_LINK A_LINK, "2:29: error: there are two links named 'a' (give each link its own name)"},
    {A_LINK B_LINK "<joint name='j' type='fixed'><parent link='a'/></joint>",
     "error: <joint> needs the element <child>"},
    {A_LINK B_LINK "<joint name='j' type='fixed'><parent link='a'/><child/></joint>",
     "error: <child> needs the attribute 'link'"},
    {"<link name='upper_arm'/>" B_LINK
     "<joint name='j' type='fixed'><parent link='uper_arm'/><child link='b'/></joint>",
     "error: there is no link named 'uper_arm' (did you mean 'upper_arm'?)"},
    {A_LINK B_LINK "<link name='c'/><joint name='j' type='fixed'>" ENDS "</joint>"
                   "<joint name='k' type='fixed'><parent link='c'/><child link='b'/></joint>",
     "error: the link 'b' is already the child of the joint 'j'; it can have one parent only (a "
     "loop is closed in MJCF, by an equality: see saltus convert)"},
    {A_LINK B_LINK "<joint name='j' type='fixed'>" ENDS "</joint>"
                   "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>",
     "error: the joints form a cycle: following parents from the link 'a' leads to no root"},
    {B_LINK "<joint name='j' type='fixed'><parent link='b'/><child link='b'/></joint>",
     "error: the joints form a cycle: following parents from the link 'b' leads to no root"},
    {A_LINK "<link name='world'/><joint name='j' type='fixed'><parent link='a'/>"
            "<child link='world'/></joint>",
     "error: the link 'world' is the world itself; it cannot be the child of a joint (give the "
     "link another name)"},
    {A_LINK B_LINK "<joint name='j'>" ENDS "</joint>", "error: <joint> needs the attribute 'type'"},
    {A_LINK B_LINK "<joint type='revolute'>" ENDS "</joint>",
     "error: <joint> needs the attribute 'name'"},
    {A_LINK B_LINK "<joint name='j' type='revolve'>" ENDS "</joint>",
     "error: type in <joint> cannot be 'revolve' (did you mean 'revolute'?)"},
    {A_LINK B_LINK "<joint name='j' type='screw'>" ENDS "</joint>",
     "error: type in <joint> cannot be 'screw' (allowed: revolute, continuous, prismatic, fixed, "
     "floating, planar, spherical)"},
    {A_LINK B_LINK "<joint name='j' type='revolute'>" ENDS "<axis xyz='1 0'/></joint>",
     "error: xyz needs 3 numbers, and has 2"},
    {A_LINK B_LINK "<joint name='j' type='revolute'>" ENDS "<axis xyz='0 0 0'/></joint>",
     "error: the axis of this joint is zero; it must be a nonzero vector"},
    {A_LINK B_LINK "<joint name='j' type='revolute'>" ENDS "<axis/></joint>",
     "error: <axis> needs the attribute 'xyz'"},
    {A_LINK B_LINK "<joint name='j' type='revolute'>" ENDS "<origin rpy='a 0 0'/></joint>",
     "error: rpy: 'a' is not a number"},
    {A_LINK B_LINK "<joint name='j' type='revolute'>" ENDS "<limit lower='${pi}'/></joint>",
     "error: lower: '${pi}' is not a number"},
    {A_LINK B_LINK "<joint name='j' type='revolute'>" ENDS "<dynamics damping='1 2'/></joint>",
     "error: damping needs 1 number, and has at least 2"},
    {A_LINK B_LINK "<joint name='j' type='revolute'>" ENDS ENDS "</joint>",
     "error: <joint> has <parent> twice"},
    {A_LINK "<link name='b'/><joint name='j' type='revolute'>" ENDS "</joint>",
     "error: this body has a joint but no mass or no inertia; a moving body needs both (give it a "
     "geom with mass, or <inertial>)"},
    {"<link name='b'><inertial>" INERTIA "</inertial></link>",
     "error: <inertial> needs the element <mass>"},
    {"<link name='b'><inertial><mass value='1'/></inertial></link>",
     "error: <inertial> needs the element <inertia>"},
    {"<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
     "</link>",
     "error: <inertia> needs the attribute 'ixy'"},
    {"<link name='b'><collision/></link>", "error: <collision> needs the element <geometry>"},
    {"<link name='b'><collision><geometry/></collision></link>",
     "error: <geometry> needs one of box, cylinder, sphere, capsule, mesh"},
    {"<link name='b'><collision><geometry><box/></geometry></collision></link>",
     "error: <box> needs the attribute 'size'"},
    {"<link name='b'><collision><geometry><sphere radius='0'/></geometry></collision></link>",
     "error: size of <geom>: number 1 is 0; it must be positive"},
    {"<link name='b'><collision><geometry><mesh/></geometry></collision></link>",
     "error: <mesh> needs the attribute 'filename'"},
    {"<link name='b'><collision><geometry><mesh filename='package://'/></geometry></collision>"
     "</link>",
     "error: the filename of this <mesh> names no file"},
    {"<link name='b'><collision><geometry><mesh filename='package://p/no.stl'/></geometry>"
     "</collision></link>",
     "error: cannot read 'p/no.stl': No such file or directory"},
    {"<mujoco/><mujoco/>", "error: <robot> has <mujoco> twice"},
    {"<xacro:macro name='leg'/>",
     "2:2: error: <xacro:macro> is a macro of xacro; this file is not yet URDF (expand it first: "
     "xacro robot.urdf.xacro -o robot.urdf)"},
};

#define HEAVY                                                                                      \
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"        \
    "</inertial></link>"
/* Two joints named j */
#define SAME_NAME                                                                                  \
    "<link name='a'>" HEAVY "<link name='b'>" HEAVY                                                \
    "<joint name='j' type='revolute'><parent link='world'/><child link='a'/></joint>"              \
    "<joint name='j' type='prismatic'>" ENDS "</joint>"

static const said warnings[] = {
    {"<lnk name='a'/>",
     "2:2: warning: the element <lnk> in <robot> has no effect (did you mean 'link'?)"},
    {"<link name='a' naem='b'/>",
     "2:16: warning: the attribute 'naem' of <link> has no effect (did you mean 'name'?)"},
    {A_LINK B_LINK "<joint name='j' type='revolute'>" ENDS "<limit upper='1'/></joint>",
     "warning: the joint is not limited: upper is given, but not lower"},
    {A_LINK B_LINK "<joint name='j' type='revolute'>" ENDS
                   "<mimic joint='k' multiplier='-2' offset='.5'/></joint>",
     "warning: <mimic> has no effect: 'j' or 'k' is no joint of one axis"},
    {"<link name='a'><collision name='c'>" SPHERE "</collision><collision name='c'>" SPHERE
     "</collision></link>",
     "warning: there is another geom named 'c'; this one has no name"},
    {"<link name='world'>" MASSIVE "</link>",
     "warning: the inertia of the world has no effect, and is left out"},
    {"<mujoco><compiler fusestatik='true'/></mujoco>",
     "warning: unknown attribute 'fusestatik' in <compiler> has no effect, as in MuJoCo (did you "
     "mean 'fusestatic'?)"},
    {A_LINK B_LINK "<joint name='j' type='continuous'>" ENDS "<origin xyz=''/></joint>",
     "warning: xyz in <origin> is empty, and counts as not given, as in MuJoCo (leave it out)"},
    {"<mujoco><actuator/></mujoco>", "warning: the element <actuator> in <mujoco> has no effect"},
    {"<link name='world'/>" SAME_NAME,
     "warning: another joint already has the name 'j'; this one has none, as in MuJoCo (give each "
     "joint a name of its own)"},
};

static const said faults_312[] = {
    {"<link name='world'/>" SAME_NAME,
     "error: another joint already has the name 'j'; names must be unique"},
};

static const said warnings_312[] = {
    {A_LINK B_LINK "<joint name='j' type='revolute'>" ENDS
                   "<mimic joint='k' multiplier='-2' offset='.5'/></joint>",
     "warning: <mimic> has no effect, as in MuJoCo 3.12: 'j' moves by itself (convert the file to "
     "MJCF, and add to it <equality><joint joint1=\"j\" joint2=\"k\" polycoef=\"0.5 -2 0 0 "
     "0\"/></equality>)"},
    {"<link name='a'><inertial><origin rpy='0 1 0'/><mass value='1'/><inertia ixx='1' iyy='2' "
     "izz='2' ixy='0' ixz='0' iyz='0'/></inertial></link>",
     "warning: rpy of an <inertial> has no effect, as in MuJoCo 3.12: its inertia is taken in the "
     "axes of the link (give the inertia in the axes of the link, with rpy=\"0 0 0\")"},
};

/* "error: .. (help)" of the first message; its line and column before it. */
static void summarise(const sal_diag *diag, sal_text *out)
{
    const char *line = diag->text.data == NULL ? "" : diag->text.data;
    const char *help = strstr(line, "      = help: ");
    const char *place = strchr(line, ':');
    if (place != NULL) {
        sal_text_addn(out, place + 1, strcspn(place + 1, "\n"));
    }
    if (help != NULL) {
        sal_text_format(out, " (%.*s)", (int)strcspn(help + 14, "\n"), help + 14);
    }
}

static void check_said(const said *s, bool fault, sal_mujoco mujoco)
{
    const sal_load_options options = {.mujoco = mujoco};
    char xml[3000];
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_text found = {0};
    sal_err err = {0};
    const int n = snprintf(xml, sizeof xml, "<robot name='r'>\n%s\n</robot>", s->text);
    const sal_status status = sal_model_parse(&m, "r.urdf", xml, (size_t)n, &options, &diag, &err);
    CHECK(status == (fault ? SAL_BADINPUT : SAL_OK));
    summarise(&diag, &found);
    if (found.data == NULL || strstr(found.data, s->message) == NULL) {
        CHECK_TEXT(found.data == NULL ? "" : found.data, s->message);
    }
    sal_text_clear(&found);
    sal_diag_clear(&diag);
    sal_model_free(m);
}

static void faults_are_said_with_their_place(void)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        check_said(&faults[i], true, SAL_MUJOCO_314);
    }
}

static void what_has_no_effect_is_said(void)
{
    for (size_t i = 0; i < sizeof warnings / sizeof warnings[0]; i++) {
        check_said(&warnings[i], false, SAL_MUJOCO_314);
    }
    for (size_t i = 0; i < sizeof warnings_312 / sizeof warnings_312[0]; i++) {
        check_said(&warnings_312[i], false, SAL_MUJOCO_312);
    }
    for (size_t i = 0; i < sizeof faults_312 / sizeof faults_312[0]; i++) {
        check_said(&faults_312[i], true, SAL_MUJOCO_312);
        check_said(&faults_312[i], true, SAL_MUJOCO_222);
    }
}

/* ---- files of meshes ---- */

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                  "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static void put_file(const char *folder, const char *name, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    CHECK(out != NULL && fputs(text, out) >= 0);
    CHECK(out != NULL && fclose(out) == 0);
}

/* Whether a link with this mesh is read from FOLDER/dog/urdf/r.urdf. */
static bool finds(const char *folder, const char *compiler, const char *file)
{
    char xml[800], path[600];
    sal_model *m = NULL;
    snprintf(xml, sizeof xml,
             "<robot><mujoco><compiler %s/></mujoco><link name='a'><collision><geometry>"
             "<mesh filename='%s'/></geometry></collision></link></robot>",
             compiler, file);
    put_file(folder, "dog/urdf/r.urdf", xml);
    snprintf(path, sizeof path, "%s/dog/urdf/r.urdf", folder);
    const bool found = sal_model_load(&m, path, NULL, NULL, NULL) == SAL_OK && m->nmesh == 1;
    sal_model_free(m);
    return found;
}

static void meshes_are_found_where_ros_means_them(void)
{
    char folder[] = "/tmp/saltus-urdf-XXXXXX", path[600];
    static const char *const folders[] = {"dog", "dog/urdf", "dog/meshes", "cat"};
    CHECK(mkdtemp(folder) != NULL);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
        CHECK(mkdir(path, 0700) == 0);
    }
    put_file(folder, "dog/meshes/leg.obj", tetrahedron);
    put_file(folder, "dog/urdf/ear.obj", tetrahedron);
    put_file(folder, "cat/tail.obj", tetrahedron);
    CHECK(finds(folder, "", "../meshes/leg.obj"));
    CHECK(finds(folder, "", "package://dog/meshes/leg.obj"));
    CHECK(finds(folder, "", "package://dog_description/meshes/leg.obj"));
    CHECK(finds(folder, "", "package://cat/tail.obj"));
    CHECK(finds(folder, "", "model://cat/tail.obj"));
    CHECK(finds(folder, "meshdir='../meshes'", "leg.obj"));
    CHECK(finds(folder, "meshdir='../meshes'", "elsewhere/leg.obj"));
    CHECK(finds(folder, "assetdir='../meshes/' strippath='true'", "elsewhere/leg.obj"));
    CHECK(finds(folder, "", "package://dog/nowhere/ear.obj"));
    CHECK(!finds(folder, "", "package://dog/nowhere/leg.obj"));
    CHECK(!finds(folder, "strippath='true'", "../meshes/leg.obj"));
    snprintf(path, sizeof path, "file://%s/cat/tail.obj", folder);
    CHECK(finds(folder, "", path));
    snprintf(path, sizeof path, "rm -r %s", folder);
    CHECK(system(path) == 0);
}

/* ---- as any other model ---- */

static const char pendulum[] =
    "<robot name='p'>" A_LINK "<link name='b'><inertial><origin xyz='0 0 -1'/><mass value='2'/>"
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='j' type='revolute'>" ENDS "<limit lower='-1' upper='2' effort='5'/></joint>"
    "</robot>";

static void settings_name_what_the_file_becomes(void)
{
    static const sal_setting setting[] = {
        {"joint[j]/damping", "3"}, {"option/timestep", "0.001"}, {"compiler/fusestatic", "false"}};
    const sal_load_options options = {.setting = setting, .nsetting = 3};
    sal_model *m = NULL;
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "p.urdf", pendulum, strlen(pendulum), &options, NULL, &err), err);
    CHECK(m->dof_damping[0] == 3 && m->opt.timestep == 0.001 && m->nbody == 3);
    CHECK(m->jnt_limited[0] && m->jnt_actfrclimited[0]);
    CHECK_TEXT(sal_model_name(m, SAL_OBJ_JOINT, 0), "j");
    CHECK_TEXT(sal_model_name(m, SAL_OBJ_BODY, 2), "b");
    sal_model_free(m);
}

static void its_numbers_may_be_loose(void)
{
    sal_remodel *r = NULL;
    sal_err err = {0};
    int id = -1;
    CHECK_OK(sal_remodel_new(&r, "p.urdf", pendulum, strlen(pendulum), NULL, &err), err);
    CHECK_OK(sal_remodel_loosen(r, "body[b]/mass", &id, &err), err);
    sal_model *m = NULL;
    CHECK_OK(sal_model_copy(&m, sal_remodel_nominal(r), &err), err);
    CHECK(m->body_mass[1] == 2);
    sal_remodel_write_first(r, id, 1);
    sal_remodel_set(r, id, 0, 3);
    CHECK_OK(sal_remodel_make(r, m, &err), err);
    CHECK(m->body_mass[1] == 3 && fabs(m->body_inertia[3] - 1.5) < 1e-15);
    sal_model_free(m);
    sal_remodel_free(r);
}

static void every_allocation_may_fail(void)
{
    static const char *const names[] = {"kept", "cart", "meshes"};
    const char *root = getenv("SALTUS_ROOT");
    for (int i = 0; i < 3; i++) {
        char path[600];
        sal_status status = SAL_NOMEM;
        snprintf(path, sizeof path, "%s/tests/mjcf/urdf/%s.urdf", root == NULL ? "." : root,
                 names[i]);
        for (long n = 1, whole = 0; !whole; n++) {
            sal_text text = {0};
            sal_diag diag = {0};
            sal_err err = {0};
            memory_fails_at(n);
            status = sal_model_convert(&text, path, NULL, &diag, &err);
            whole = memory_was_enough(n);
            CHECK(status == SAL_NOMEM || whole);
            sal_text_clear(&text);
            sal_diag_clear(&diag);
        }
        CHECK(status == SAL_OK);
    }
}

int main(void)
{
    RUN(faults_are_said_with_their_place);
    RUN(what_has_no_effect_is_said);
    RUN(meshes_are_found_where_ros_means_them);
    RUN(settings_name_what_the_file_becomes);
    RUN(its_numbers_may_be_loose);
    RUN(every_allocation_may_fail);
    return check_done();
}
