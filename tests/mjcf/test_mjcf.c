/* Reading MJCF: what is right means what the MuJoCo documentation says (test_mjcf_faults: what is
 * wrong is said). */
#include "tests/check.h"
#include "tests/memory.h"

#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <sys/stat.h>
#include <unistd.h>

static sal_model *load(const char *xml, bool compat222)
{
    const sal_load_options options = {.mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
    sal_model *m = NULL;
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "t.xml", xml, strlen(xml), &options, NULL, &err), err);
    return m;
}

/* ---- meaning ---- */

static void check_quat(const double *q, double w, double x, double y, double z)
{
    const double dot = q[0] * w + q[1] * x + q[2] * y + q[3] * z;
    CHECK_NEAR(fabs(dot), sqrt(w * w + x * x + y * y + z * z), 1e-15);
}

static void orientations_mean_what_they_say(void)
{
    const double r = sqrt(0.5);
    sal_model *m = load("<mujoco><compiler angle='degree' eulerseq='xyz'/><worldbody>"
                        "<geom size='1' quat='2 0 0 2'/>"
                        "<geom size='1' axisangle='0 0 3 90'/>"
                        "<geom size='1' euler='0 0 90'/>"
                        "<geom size='1' xyaxes='0 2 0 -1 5 0'/>" /* y axis made orthogonal to x */
                        "<geom size='1' zaxis='1 0 0'/>"
                        "<geom size='1' zaxis='0 0 -1'/>"
                        "<geom size='1' euler='90 90 0'/>"
                        "</worldbody></mujoco>",
                        false);
    for (int g = 0; g < 4; g++) {
        check_quat(m->geom_quat + 4 * g, r, 0, 0, r); /* a quarter turn about z */
    }
    check_quat(m->geom_quat + 16, r, 0, r, 0);         /* z to x: about y */
    check_quat(m->geom_quat + 20, 0, 1, 0, 0);         /* z to -z: about x */
    check_quat(m->geom_quat + 24, 0.5, 0.5, 0.5, 0.5); /* about x, then about the moved y */
    sal_model_free(m);

    m = load(
        "<mujoco><compiler angle='radian' eulerseq='XYZ'/><worldbody>"
        "<geom size='1' euler='1.5707963267948966 1.5707963267948966 0'/></worldbody></mujoco>",
        false);
    check_quat(m->geom_quat, 0.5, 0.5, 0.5, -0.5); /* about x, then about the fixed y */
    sal_model_free(m);
}

static void fromto_sets_place_direction_and_length(void)
{
    sal_model *m = load("<mujoco><worldbody>"
                        "<geom type='capsule' size='.1' fromto='1 2 3 1 2 7'/>"
                        "<geom type='box' size='.1' fromto='0 0 0 2 0 0'/>"
                        "</worldbody></mujoco>",
                        false);
    CHECK(m->geom_pos[2] == 5 && m->geom_size[1] == 2);
    check_quat(m->geom_quat, 0, 1, 0, 0); /* z from the second point to the first: downwards */
    CHECK(m->geom_pos[3] == 1 && m->geom_size[3] == 0.1 && m->geom_size[4] == 0.1 &&
          m->geom_size[5] == 1);
    sal_model_free(m);
}

static void defaults_nest(void)
{
    sal_model *m =
        load("<mujoco>"
             "<worldbody><body childclass='a'>"
             "  <joint/><geom/>"
             "  <body><joint class='b'/><geom class='main' size='1'/></body>"
             "  <body childclass='b'><joint damping='9'/><geom size='5'/></body>"
             "</body><body><freejoint/><geom size='1'/></body></worldbody>"
             "<default>"
             "  <default class='a'>"
             "    <default class='b'><joint armature='4'/></default>"
             "    <geom size='2'/><joint damping='3'/>" /* read before class b, which inherits it */
             "  </default>"
             "  <joint damping='1' armature='2'/>"
             "</default></mujoco>",
             false);
    static const double damping[3] = {3, 3, 9}, armature[3] = {2, 4, 4};
    for (int i = 0; i < 3; i++) {
        CHECK(m->dof_damping[i] == damping[i] && m->dof_armature[i] == armature[i]);
    }
    CHECK(m->dof_damping[3] == 0 && m->dof_armature[3] == 0); /* <freejoint> takes none */
    CHECK(m->geom_size[0] == 2 && m->geom_size[3] == 1 && m->geom_size[6] == 5);
    sal_model_free(m);
}

static void frames_are_gone_but_not_their_poses(void)
{
    sal_model *m =
        load("<mujoco><worldbody><frame pos='1 0 0' euler='0 0 90'>"
             "<frame pos='1 0 0'><body pos='1 0 0'><geom size='1'/></body>"
             "<site pos='0 1 0'/></frame></frame>"
             "<body><frame euler='0 0 90' pos='0 0 1'><joint axis='1 0 0' pos='1 0 0'/></frame>"
             "<geom size='1'/></body></worldbody></mujoco>",
             false);
    CHECK_NEAR(m->body_pos[3], 1, 1e-15);
    CHECK_NEAR(m->body_pos[4], 2, 1e-15);
    CHECK_NEAR(m->site_pos[0], 0, 1e-15);
    CHECK_NEAR(m->site_pos[1], 1, 1e-15);
    CHECK_NEAR(m->jnt_axis[1], 1, 1e-15);
    CHECK_NEAR(m->jnt_pos[1], 1, 1e-15);
    CHECK_NEAR(m->jnt_pos[2], 1, 1e-15);
    sal_model_free(m);
}

static const char *name_of(const sal_model *m, sal_object type, int id)
{
    return id < sal_model_count(m, type) ? sal_model_name(m, type, id) : "none";
}

/* Copy i of 10 ends in 00..09, of 2 in 0, 1; what refers to it is copied to the end of its list. */
static void replicates_are_copied_with_what_refers_to_them(void)
{
    sal_model *m =
        load("<mujoco><compiler angle='degree'/>"
             "<sensor><jointpos name='p' joint='j'/><framepos name='q' objtype='site' objname='x'/>"
             "<jointvel name='v' joint='j'/><tendonpos name='l' tendon='t'/></sensor>"
             "<tendon><fixed name='t'><joint joint='j' coef='2'/></fixed></tendon>"
             "<actuator><motor name='a' joint='j'/></actuator>"
             "<worldbody><site name='x'/>"
             "<replicate count='10' sep='_' offset='1 0 0' euler='0 0 30'><geom name='g' "
             "size='.1'/></replicate>"
             "<replicate count='2' offset='0 3 0' sep='-'><replicate count='2' offset='1 0 0'>"
             "<body name='b'><joint name='j' type='slide'/><geom size='.1'/></body>"
             "</replicate></replicate></worldbody></mujoco>",
             false);
    static const char *const bodies[] = {"world", "b0-0", "b1-0", "b0-1", "b1-1"};
    static const char *const sensors[] = {"q",    "p0-0", "v0-0", "l0-0", "p1-0", "v1-0", "l1-0",
                                          "p0-1", "v0-1", "l0-1", "p1-1", "v1-1", "l1-1"};
    CHECK(m->nbody == 5 && m->nsensor == 13 && m->ntendon == 4 && m->nu == 4);
    CHECK_TEXT(name_of(m, SAL_OBJ_GEOM, 9), "g_09");
    for (int i = 0; i < 5; i++) {
        CHECK_TEXT(name_of(m, SAL_OBJ_BODY, i), bodies[i]);
    }
    for (int i = 0; i < 13; i++) {
        CHECK_TEXT(name_of(m, SAL_OBJ_SENSOR, i), sensors[i]);
    }
    CHECK_TEXT(name_of(m, SAL_OBJ_ACTUATOR, 3), "a1-1");
    CHECK(m->actuator_trnid[3] == 3 && m->sensor_objid[12] == 3);
    CHECK_NEAR(m->geom_pos[3 * 2], 1 + sqrt(0.75), 1e-14); /* the path turns 30 degrees a step */
    CHECK_NEAR(m->geom_pos[3 * 2 + 1], 0.5, 1e-14);
    CHECK(m->body_pos[3 * 4] == 1 && m->body_pos[3 * 4 + 1] == 3);
    sal_model_free(m);
}

/* What hand-written and generated files look like. */
static void odd_syntax_is_read(void)
{
    sal_model *m = load("<!-- first a comment, with \xc3\xa9 and \xe6\xbc\xa2 -->\r\n"
                        "<?xml version='1.0' encoding='utf-8'?>\r\n"
                        "<mujoco model='\xc3\xa9t\xc3\xa9'>\r\n"
                        "\t<actuator>\r\n\t\t<motor joint='j' gear=' 2 '/></actuator>\r\n"
                        "<option gravity='0\t0   -1.e1'/><option timestep=\"+.5e-2\"/>"
                        "<!-\\- odd --><worldbody><geom size='.1'/></worldbody>"
                        "<compiler angle=\"radian\"/><compiler autolimits='true'/>"
                        "<worldbody><body><geom  size = \" 1. \" friction='-0 +.5'/>"
                        "<joint name='j' range=' -.5  +.5\n'/></body></worldbody>"
                        "<default><geom solref='-1000 -5' solimp='.8 .9'/></default>"
                        "<default><geom condim='1'/></default>"
                        "</mujoco>\n<!-- and one at the end -->\n",
                        false);
    CHECK(m->opt.gravity[2] == -10 && m->opt.timestep == 0.005 && m->jnt_range[0] == -0.5);
    CHECK(m->geom_size[3] == 1 && m->geom_friction[3] == 0 && m->geom_friction[4] == 0.5);
    CHECK(m->geom_friction[5] == 0.0001 && m->geom_solref[0] == -1000 && m->geom_condim[0] == 1);
    CHECK(m->geom_solimp[1] == 0.9 && m->geom_solimp[2] == 0.001 && m->actuator_gear[0] == 2);
    CHECK_TEXT(m->names + m->name_modeladr, "\xc3\xa9t\xc3\xa9");
    sal_model_free(m);
}

static void custom_data_is_kept(void)
{
    sal_model *m =
        load("<mujoco><custom><numeric name='n' size='3' data='1 2'/><numeric name='o' data='5'/>"
             "<text name='t' data='some text'/><tuple name='u'>"
             "<element objtype='body' objname='b' prm='7'/>"
             "<element objtype='numeric' objname='o'/></tuple></custom>"
             "<worldbody><body name='a'/><body name='b'/></worldbody></mujoco>",
             false);
    const int o = sal_model_find(m, SAL_OBJ_NUMERIC, "o"), t = sal_model_find(m, SAL_OBJ_TEXT, "t");
    CHECK(m->nnumeric == 2 && m->numeric_size[0] == 3 && m->numeric_data[1] == 2);
    CHECK(m->numeric_data[2] == 0 && o == 1 && m->numeric_data[m->numeric_adr[o]] == 5);
    CHECK_TEXT(m->text_data + m->text_adr[t], "some text");
    CHECK(m->tuple_size[0] == 2 && m->tuple_objtype[0] == SAL_OBJ_BODY && m->tuple_objid[0] == 2);
    CHECK(m->tuple_objprm[0] == 7 && m->tuple_objtype[1] == SAL_OBJ_NUMERIC &&
          m->tuple_objid[1] == 1);
    sal_model_free(m);
}

static void objects_without_a_name_can_be_told_apart(void)
{
    sal_model *m = load("<mujoco><worldbody><geom size='1'/><body name='shin'><joint/>"
                        "<joint name='knee' axis='1 0 0'/><geom size='1'/><body><joint/>"
                        "<geom name='g' size='1'/></body></body></worldbody><actuator>"
                        "<motor joint='knee'/></actuator></mujoco>",
                        false);
    static const struct {
        sal_object type;
        int id;
        const char *label;
    } known[] = {{SAL_OBJ_JOINT, 0, "joint 0 (unnamed, of body 'shin')"},
                 {SAL_OBJ_JOINT, 1, "joint 'knee'"},
                 {SAL_OBJ_JOINT, 2, "joint 2 (unnamed, of body 2)"},
                 {SAL_OBJ_GEOM, 0, "geom 0 (unnamed, of the world)"},
                 {SAL_OBJ_GEOM, 2, "geom 'g'"},
                 {SAL_OBJ_BODY, 1, "body 'shin'"},
                 {SAL_OBJ_BODY, 2, "body 2 (unnamed)"},
                 {SAL_OBJ_ACTUATOR, 0, "actuator 0 (unnamed)"}};
    for (size_t i = 0; m != NULL && i < sizeof known / sizeof known[0]; i++) {
        char text[SAL_LABEL_MAX];
        CHECK_TEXT(sal_model_label(m, known[i].type, known[i].id, text), known[i].label);
    }
    sal_model_free(m);
}

static void limits_follow_autolimits(void)
{
    static const char *const text[2] = {
        "<mujoco><worldbody><body><joint range='-90 45'/><geom "
        "size='1'/></body></worldbody></mujoco>",
        "<mujoco><compiler autolimits='true'/><worldbody><body><joint range='-90 45'/>"
        "<geom size='1'/></body></worldbody></mujoco>"};
    sal_model *m = load(text[0], false);
    CHECK(m->jnt_limited[0]);
    CHECK_NEAR(m->jnt_range[0], -1.5707963267948966, 1e-15);
    sal_model_free(m);
    m = load(text[1], true);
    CHECK(m->jnt_limited[0]);
    sal_model_free(m);

    const sal_load_options old = {.mujoco = SAL_MUJOCO_222};
    sal_err err = {0};
    CHECK(sal_model_parse(&m, "t.xml", text[0], strlen(text[0]), &old, NULL, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "t.xml:1:40: error: <joint> gives range but not limited, and "
                            "autolimits is false: write limited=\"true\" or \"false\"");
}

/* What 2.2.2 does not know is an error in its mode, which says who knows it. */
static void later_names_are_refused_with_the_switch(void)
{
    static const char *const faults[][2] = {
        {"<body gravcomp='0'/>", "t.xml:1:26: error: compat=\"2.2.2\" does not have the attribute "
                                 "'gravcomp' in <body>; MuJoCo 2.3.1 added it"},
        {"<body><joint stiffness='1 2'/></body>",
         "t.xml:1:44: error: compat=\"2.2.2\" does not have 2 numbers in stiffness of <joint>; "
         "MuJoCo 3.7.0 added it"},
        {"</worldbody><equality><joint joint1='j' polycoef='1 2'/></equality><worldbody>",
         "t.xml:1:70: error: with compat=\"2.2.2\" polycoef needs 5 numbers, and has 2"},
        {"<frame/>", "t.xml:1:21: error: compat=\"2.2.2\" does not have the element <frame>; "
                     "MuJoCo 3.1.0 added it"},
        {"<body><replicate count='2'/></body>",
         "t.xml:1:27: error: compat=\"2.2.2\" does not have the element <replicate>; "
         "MuJoCo 3.1.5 added it"},
        {"</worldbody><option integrator='implicitfast'/><worldbody>",
         "t.xml:1:52: error: compat=\"2.2.2\" does not have integrator=\"implicitfast\" in "
         "<option>; MuJoCo 2.3.3 added it"},
        {"<light range='3'/>", "t.xml:1:27: error: compat=\"2.2.2\" does not have the attribute "
                               "'range' in <light>; a later version of MuJoCo added it"},
        {"<body><joint stiffness='1'/><geom size='1'/></body>", NULL},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "<mujoco><worldbody>%s</worldbody></mujoco>", faults[i][0]);
        const sal_load_options old = {.mujoco = SAL_MUJOCO_222};
        sal_model *m = NULL;
        sal_err err = {0};
        sal_model_parse(&m, "t.xml", text, strlen(text), &old, NULL, &err);
        CHECK((m != NULL) == (faults[i][1] == NULL));
        if (faults[i][1] != NULL) {
            CHECK_TEXT(err.message, faults[i][1]);
        }
        sal_model_free(m);
    }
}

static void servos_get_their_gains(void)
{
    sal_model *m =
        load("<mujoco><worldbody><body><joint name='j' range='-1 3' type='slide' armature='2'/>"
             "<geom size='1' mass='7'/></body></worldbody><actuator>"
             "<position joint='j' kp='4' kv='3'/><position joint='j' kp='4' dampratio='1'/>"
             "<velocity joint='j' kv='5'/><position joint='j' inheritrange='.5'/>"
             "</actuator></mujoco>",
             false);
    const double *b = m->actuator_biasprm, *g = m->actuator_gainprm;
    CHECK(g[0] == 4 && b[1] == -4 && b[2] == -3);
    CHECK_NEAR(b[12], -2 * sqrt(4.0 * 9), 1e-14); /* critical: 2 sqrt(kp (mass + armature)) */
    CHECK(g[20] == 5 && b[22] == -5 && b[21] == 0);
    CHECK(m->actuator_ctrlrange[6] == 0 && m->actuator_ctrlrange[7] == 2 &&
          m->actuator_ctrllimited[3]);
    sal_model_free(m);
}

/* ---- files ---- */

static void put_file(const char *folder, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(text, file) >= 0);
    if (file != NULL) {
        fclose(file);
    }
}

static void remove_file(const char *folder, const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    remove(path);
}

/* Loads folder/main.xml; the first error's text from "error:" on, or "" */
static const char *load_main(const char *folder, sal_model **m)
{
    static sal_err err;
    char path[300];
    snprintf(path, sizeof path, "%s/main.xml", folder);
    err.message[0] = 0;
    *m = NULL;
    if (sal_model_load(m, path, NULL, NULL, &err) == SAL_OK) {
        return "";
    }
    const char *error = strstr(err.message, "error: ");
    return error == NULL ? err.message : error;
}

static void includes_are_followed(void)
{
    char folder[] = "/tmp/saltus-mjcf-XXXXXX", sub[300];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(sub, sizeof sub, "%s/sub", folder);
    mkdir(sub, 0700);
    put_file(folder, "main.xml",
             "<mujoco><include file='sub/a.xml'/><worldbody><include "
             "file='b.xml'/></worldbody></mujoco>");
    put_file(folder, "sub/a.xml",
             "<mujocoinclude><default><geom size='3'/></default><include "
             "file='c.xml'/></mujocoinclude>");
    put_file(folder, "b.xml", "<any><geom/><geom/></any>");
    put_file(folder, "c.xml",
             "<mujoco><worldbody><geom size='2'/></worldbody></mujoco>"); /* beside main.xml */
    sal_model *m;
    CHECK_TEXT(load_main(folder, &m), "");
    CHECK(m != NULL && m->ngeom == 3 && m->geom_size[0] == 2 && m->geom_size[3] == 3);
    sal_model_free(m);

    put_file(folder, "c.xml", "<mujoco><include file='main.xml'/></mujoco>");
    CHECK_TEXT(load_main(folder, &m), "error: the file 'main.xml' is already part of this model");
    put_file(folder, "c.xml", "<mujoco><include file='c.xml'/></mujoco>");
    CHECK_TEXT(load_main(folder, &m), "error: the file 'c.xml' is already part of this model");
    put_file(folder, "c.xml", "<mujoco><worldbody></mujoco>");
    CHECK_TEXT(load_main(folder, &m), "error: </mujoco> does not close the innermost open element, "
                                      "<worldbody> (and 1 more error)");
    remove_file(folder, "c.xml");
    CHECK(strstr(load_main(folder, &m), "No such file or directory") != NULL);

    static const char *const names[] = {"main.xml", "sub/a.xml", "b.xml"};
    for (int i = 0; i < 3; i++) {
        remove_file(folder, names[i]);
    }
    rmdir(sub);
    rmdir(folder);
}

/* One file written in two ways is one file; leaving the folder is said; a fault in an included file
 * says by what it came. */
static void includes_neither_loop_nor_climb_out_silently(void)
{
    char folder[] = "/tmp/saltus-mjcf-XXXXXX", sub[300], main_file[300], expected[1000];
    sal_model *m;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK(mkdtemp(folder) != NULL);
    snprintf(sub, sizeof sub, "%s/sub", folder);
    mkdir(sub, 0700);
    put_file(folder, "main.xml", "<mujoco><include file='sub/a.xml'/></mujoco>");
    put_file(folder, "sub/a.xml", "<mujoco>\n <include file='./sub/../sub/b.xml'/></mujoco>");
    put_file(folder, "sub/b.xml", "<mujoco><include file='sub/./a.xml'/></mujoco>");
    CHECK_TEXT(load_main(folder, &m),
               "error: the file 'sub/./a.xml' is already part of this model");

    put_file(folder, "sub/b.xml", "<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>");
    snprintf(main_file, sizeof main_file, "%s/main.xml", folder);
    CHECK(sal_model_load(&m, main_file, NULL, &diag, &err) == SAL_BADINPUT);
    snprintf(expected, sizeof expected,
             "      = included at %s/sub/a.xml:2:3\n      = included at %s/main.xml:1:10\n", folder,
             folder);
    CHECK(strstr(diag.text.data, expected) != NULL);
    sal_diag_clear(&diag);

    put_file(folder, "sub/main.xml", "<mujoco><include file='../c.xml'/></mujoco>");
    put_file(folder, "c.xml", "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
    snprintf(main_file, sizeof main_file, "%s/sub/main.xml", folder);
    CHECK_OK(sal_model_load(&m, main_file, NULL, &diag, &err), err);
    CHECK(diag.nwarning == 1);
    CHECK(strstr(diag.text.data,
                 "warning: the file '../c.xml' lies outside the folder of the model"));
    sal_diag_clear(&diag);
    sal_model_free(m);

    static const char *const names[] = {"main.xml", "sub/a.xml", "sub/b.xml", "sub/main.xml",
                                        "c.xml"};
    for (int i = 0; i < 5; i++) {
        remove_file(folder, names[i]);
    }
    rmdir(sub);
    rmdir(folder);
}

static void paths_are_checked(void)
{
    sal_model *m;
    sal_err err = {0};
    CHECK(sal_model_load(&m, "/tmp", NULL, NULL, &err) == SAL_BADPATH && m == NULL);
    CHECK_TEXT(err.message, "cannot read '/tmp': it is a directory");
    CHECK(sal_model_load(&m, "/nowhere/x.xml", NULL, NULL, &err) == SAL_BADPATH);
    CHECK_TEXT(err.message, "cannot read '/nowhere/x.xml': No such file or directory");
}

static void overrides_come_before_understanding(void)
{
    static const char xml[] =
        "<mujoco><default><joint damping='1'/></default><worldbody><body name='b'>"
        "<joint name='j'/><geom size='1'/></body></worldbody></mujoco>";
    static const sal_setting good[] = {
        {"joint[j]/damping", "7"}, {"option/timestep", "0.5"}, {"geom/size", "2"}};
    static const sal_setting wrong[] = {{"joint[k]/damping", "7"}, {"option/timestep", "0"}};
    sal_load_options options = {.setting = good, .nsetting = 3};
    sal_model *m;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "t.xml", xml, strlen(xml), &options, NULL, &err), err);
    CHECK(m->dof_damping[0] == 7 && m->opt.timestep == 0.5 && m->geom_size[0] == 2);
    sal_model_free(m);
    options = (sal_load_options){.setting = wrong, .nsetting = 1};
    CHECK(sal_model_parse(&m, "t.xml", xml, strlen(xml), &options, NULL, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "error: 'joint[k]/damping': no <joint> is named 'k'");
    options.setting = wrong + 1;
    CHECK(sal_model_parse(&m, "t.xml", xml, strlen(xml), &options, &diag, &err) == SAL_BADINPUT);
    CHECK_TEXT(diag.text.data, "override:1:17: error: timestep is 0; it must be positive\n    1 | "
                               "option/timestep=0\n      |                 ^\n");
    sal_diag_clear(&diag);
}

/* ---- hostile input ---- */

static void deep_trees_are_refused_or_read(void)
{
    sal_text text = {0};
    sal_text_add(&text, "<mujoco><worldbody>");
    for (int i = 0; i < 250; i++) {
        sal_text_add(&text, "<body><joint/><geom size='.1'/>");
    }
    for (int i = 0; i < 250; i++) {
        sal_text_add(&text, "</body>");
    }
    sal_text_add(&text, "</worldbody></mujoco>");
    sal_model *m = load(text.data, false);
    CHECK(m != NULL && m->nv == 250 && m->nM == 250 * 251 / 2);
    sal_model_free(m);
    sal_text_clear(&text);
}

/* As MuJoCo does: when b is looked at, a is gone, and d, which something refers to, has the
 * number 4 of 4 bodies (0 to 3). */
static void fusing_keeps_what_mujoco_keeps(void)
{
    static const char xml[] =
        "<mujoco><compiler fusestatic='true' settotalmass='10'/><worldbody>"
        "<body name='a'><geom size='.05'/><body name='b'><geom size='.1'/>"
        "<body name='c'><joint/><geom size='.1'/><body name='d'><geom size='.05'/></body>"
        "</body></body></body></worldbody><sensor><subtreecom body='d'/></sensor></mujoco>";
    sal_model *m = NULL;
    sal_err err = {0};
    CHECK(sal_model_parse(&m, "t.xml", xml, strlen(xml), NULL, NULL, &err) == SAL_OK);
    CHECK(m != NULL && m->nbody == 4);
    if (m != NULL && m->nbody == 4) {
        CHECK_NEAR(m->body_mass[2], 10 / 2.125, 1e-12);
    }
    sal_model_free(m);
}

static void huge_numbers_of_kinds_are_refused(void)
{
    sal_text text = {0};
    sal_model *m;
    sal_err err = {0};
    sal_text_add(&text, "<mujoco><worldbody>");
    for (int i = 0; i < 3000; i++) {
        sal_text_format(&text, "<body><freejoint/><geom size='1' friction='%d'/></body>", i + 1);
    }
    sal_text_add(&text, "</worldbody></mujoco>");
    CHECK(sal_model_parse(&m, "t.xml", text.data, text.length, NULL, NULL, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "error: the model has more than 4000000 pairs of geoms that may touch, "
                            "and too many kinds of geoms");
    sal_text_clear(&text);
}

static const char rich[] =
    "<mujoco model='m'><compiler autolimits='true'/><option><flag contact='enable'/></option>"
    "<default><default class='c'><geom size='.1'/></default></default>"
    "<asset><material name='mat' rgba='1 0 0 1'/></asset><custom><numeric name='n' "
    "data='1'/></custom>"
    "<worldbody><geom type='plane' size='0 0 1'/>"
    "<body name='b' pos='0 0 1'><freejoint/><geom class='c' material='mat'/><site name='s'/>"
    "<frame pos='1 0 0'><body name='d'><joint name='j' range='-9 9'/><geom class='c' name='g'/>"
    "<geom class='c' pos='1 0 0'/></body></frame></body></worldbody>"
    "<contact><pair geom1='g' geom2='g'/></contact>"
    "<actuator><motor name='a' joint='j'/></actuator><sensor><gyro site='s'/></sensor>"
    "<keyframe><key name='k' ctrl='1'/></keyframe></mujoco>";

static void every_allocation_may_fail(void)
{
    char good[sizeof rich];
    memcpy(good, rich, sizeof rich);
    char *pair = strstr(good, "<pair geom1='g' geom2='g'/>"); /* once with a fault, once without */
    for (int faulty = 1; faulty >= 0; faulty--) {
        sal_status status = SAL_NOMEM;
        long n = 1;
        for (bool whole = false; !whole; n++) {
            sal_model *m = NULL;
            sal_diag diag = {0};
            sal_err err = {0};
            memory_fails_at(n);
            status = sal_model_parse(&m, "t.xml", good, strlen(good), NULL, &diag, &err);
            whole = memory_was_enough(n);
            CHECK(status == SAL_NOMEM || whole);
            CHECK((m != NULL) == (status == SAL_OK));
            sal_model_free(m);
            sal_diag_clear(&diag);
        }
        CHECK(status == (faulty ? SAL_BADINPUT : SAL_OK));
        CHECK(n > 50);
        memset(pair, ' ', 27);
    }
}

int main(void)
{
    RUN(orientations_mean_what_they_say);
    RUN(fromto_sets_place_direction_and_length);
    RUN(defaults_nest);
    RUN(frames_are_gone_but_not_their_poses);
    RUN(replicates_are_copied_with_what_refers_to_them);
    RUN(odd_syntax_is_read);
    RUN(custom_data_is_kept);
    RUN(objects_without_a_name_can_be_told_apart);
    RUN(limits_follow_autolimits);
    RUN(later_names_are_refused_with_the_switch);
    RUN(servos_get_their_gains);
    RUN(includes_are_followed);
    RUN(includes_neither_loop_nor_climb_out_silently);
    RUN(paths_are_checked);
    RUN(overrides_come_before_understanding);
    RUN(deep_trees_are_refused_or_read);
    RUN(fusing_keeps_what_mujoco_keeps);
    RUN(huge_numbers_of_kinds_are_refused);
    RUN(every_allocation_may_fail);
    return check_done();
}
