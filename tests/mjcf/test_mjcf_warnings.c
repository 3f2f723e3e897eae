/* What a model says and MuJoCo or saltus does not follow is warned of, at its place, and the model
 * is read. */
#include "tests/check.h"

#include "mjcf/mjcf.h"
#include "physics/physics.h"

typedef struct said {
    /* a whole model, the attribute on line 2 */
    const char *text, *warning;
} said;

#define FLAG(word)  "<mujoco><option>\n<flag " word "/></option></mujoco>"
#define TWO(before) "<mujoco><worldbody>\n" before "</worldbody></mujoco>"
#define PAIR(attr)                                                                                 \
    "<mujoco><worldbody><geom name='a' size='1'/><body><freejoint/><geom name='b' size='1'/>"      \
    "</body></worldbody><contact>\n<pair geom1='a' geom2='b' " attr "/></contact></mujoco>"
#define MIXED                                                                                      \
    "which has no effect: as in MuJoCo, 0.02 1 is used instead (write two positive numbers "       \
    "(TIMECONSTANT DAMPINGRATIO), or two negative ones (-STIFFNESS -DAMPING))"

#define SHOWN(geom)                                                                                \
    "<mujoco><asset>\n<mesh name='m' scale='1 1 1' file='m.stl'/></asset><worldbody><body>"        \
    "<freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom name='g' "              \
    "size='1'/>" geom "</body></worldbody></mujoco>"
#define MESHDIR "paths of meshes are relative to the folder of the model file and its meshdir"

#define MOVED(list)                                                                                \
    "<mujoco><worldbody><body><joint name='j'/><joint type='slide'/><geom size='1'/>"              \
    "<site name='s'/></body><body mocap='true'/></worldbody>\n" list "</mujoco>"

static const said warned[] = {
    {FLAG("invdiscrete='enable'"),
     "2:20: warning: invdiscrete=\"enable\" in <flag> has no effect: the inverse dynamics of a "
     "motion is discrete in time with and without it (leave it out)"},
    {FLAG("sleep='enable'"), "2:14: warning: sleep=\"enable\" in <flag> has no effect: all bodies "
                             "are simulated at all times (leave it out)"},
    {FLAG("sensornoise='enable'"), "2:20: warning: sensornoise=\"enable\" in <flag> has no effect: "
                                   "sensors are computed without noise (leave it out)"},
    {"<mujoco>\n<compiler convexhull='false'/></mujoco>",
     "2:23: warning: convexhull=\"false\" in <compiler> has no effect: meshes collide with their "
     "convex hulls (leave it out)"},
    {"<mujoco>\n<option collision='predefined'/></mujoco>",
     "2:20: warning: collision=\"predefined\" in <option> has no effect: MuJoCo 3 dropped it, and "
     "all geoms may collide whose contype and conaffinity match (leave it out)"},
    {"<mujoco>\n<option collision='dynamic'/></mujoco>",
     "2:20: warning: collision=\"dynamic\" in <option> has no effect: MuJoCo 3 dropped it, and "
     "each <pair> may collide, too (leave it out)"},
    {"<mujoco>\n<option noslip_iterations='-3'/></mujoco>",
     "2:28: warning: noslip_iterations is -3: as in MuJoCo, this means 0"},
    {"<mujoco>\n<option impratio='-.5'/></mujoco>",
     "2:19: warning: impratio is -0.5: as in MuJoCo, this means 0"},
    {MOVED("<actuator><general joint='j' gaintype='user'/></actuator>"),
     "2:40: warning: gaintype=\"user\" asks a callback of the user's program: as in MuJoCo "
     "without one, the gain is 1"},
    {TWO("<body gravcomp='-.5'/><body gravcomp='-1'/>"),
     "2:17: warning: gravcomp of <body> is -0.5, which has no effect: as in MuJoCo, gravity "
     "compensation needs a body with gravcomp above 0"},
    {PAIR("solreffriction='.0963'"),
     "2:43: warning: solreffriction in <pair> is 0.0963 0, which has no effect: as in MuJoCo, the "
     "solref of the pair is used instead (write two positive numbers (TIMECONSTANT DAMPINGRATIO), "
     "or two negative ones (-STIFFNESS -DAMPING))"},
    {PAIR("solref='.05 -1'"), "2:35: warning: solref in <pair> is 0.05 -1, " MIXED},
    {TWO("<geom size='1' solref='-5'/>"), "2:24: warning: solref in <geom> is -5 1, " MIXED},
    {SHOWN("<geom mesh='m' type='mesh' contype='0' conaffinity='0'/>"),
     "2:36: warning: cannot read 'm.stl': No such file or directory; 1 geom only shows this mesh "
     "and is left out (" MESHDIR ")"},
    {SHOWN(""), "2:36: warning: cannot read 'm.stl': No such file or directory; no geom uses this "
                "mesh (" MESHDIR ")"},
    {TWO("<geom size='1' pos=' '/>"),
     "2:16: warning: pos in <geom> is empty, and counts as not given, as in MuJoCo (leave it out)"},
    {TWO("<body><geom size='1'/><joint range='2 1'/></body>"),
     "2:37: warning: range of <joint> limits nothing, as in MuJoCo: its first number, 2, is not "
     "less than its second, 1 (write the smaller number first, or leave it out)"},
    {"<mujoco>\n<body><geom size='1'/></body></mujoco>",
     "2:2: warning: <body> in <mujoco> has no effect, as in MuJoCo (put it in <worldbody>)"},
    {TWO("<replicate count='2' quat='1 0 0 0'><geom size='1'/></replicate>"),
     "2:28: warning: quat=\"1 0 0 0\" in <replicate> has no effect: the copies are turned by euler "
     "(leave it out)"},
    {MOVED("<keyframe><key qpos='1'/></keyframe>"),
     "2:22: warning: qpos needs 2 numbers, and has 1; as in MuJoCo, the rest is ref, and 0 where "
     "joints are free or balls"},
    {MOVED("<keyframe><key qvel='1'/></keyframe>"),
     "2:22: warning: qvel needs 2 numbers, and has 1; as in MuJoCo, the rest is 0"},
    {MOVED("<keyframe><key mpos='1'/></keyframe>"),
     "2:22: warning: mpos needs 3 numbers, and has 1; as in MuJoCo, the rest is as posed"},
    {MOVED("<actuator><motor joint='j' site='s'/></actuator>"),
     "2:12: warning: <motor> gives two transmissions, joint and site; as in MuJoCo, site counts "
     "(keep one of them)"},
    {TWO("<body>the torso<geom size='1'/>\n</body>"),
     "2:7: warning: this text between elements has no effect (write it as a comment: <!-- ... "
     "-->)"},
    {TWO("<![CDATA[<a>]]><geom size='1'/>"),
     "2:1: warning: this text between elements has no effect (write it as a comment: <!-- ... "
     "-->)"},
};

static const char *const not_warned[] = {
    FLAG("multiccd='enable'"),
    FLAG("invdiscrete='disable' multiccd='disable' sleep='disable' sensornoise='disable'"),
    "<mujoco>\n<compiler convexhull='true'/><option collision='all'/></mujoco>",
    TWO("<body gravcomp='-.5'/><body gravcomp='.1'/>"),
    TWO("<body gravcomp='0'/>"),
    TWO("<body><geom size='1'/><joint range='2 1' limited='false'/></body>"),
    "<mujoco xmlns='a' xmlns:b='c' b:d='e'><worldbody>\n<geom size='1'/></worldbody></mujoco>",
    PAIR("solreffriction='0 0' solref='.01'"),
    PAIR("solreffriction='-5 -1' solref='0 -1'"),
    PAIR("solreffriction='.1 1' solref='-7 0'"),
};

/* "line:column: warning: ... (help)" of the only warning */
static void summarise(const sal_diag *diag, sal_text *out)
{
    const char *text = diag->text.data, *help = strstr(text, "      = help: ");
    sal_text_addn(out, text + 6, strcspn(text, "\n") - 6);
    if (help != NULL) {
        sal_text_format(out, " (%.*s)", (int)strcspn(help + 14, "\n"), help + 14);
    }
}

static void what_has_no_effect_is_warned_of(void)
{
    for (size_t i = 0; i < sizeof warned / sizeof warned[0]; i++) {
        const said *s = &warned[i];
        sal_model *m = NULL;
        sal_diag diag = {0};
        sal_text text = {0};
        sal_err err = {0};
        CHECK_OK(sal_model_parse(&m, "t.xml", s->text, strlen(s->text), NULL, &diag, &err), err);
        CHECK(diag.nwarning == 1);
        if (diag.nwarning > 0) {
            summarise(&diag, &text);
            CHECK_TEXT(text.data, s->warning);
        }
        sal_text_clear(&text);
        sal_diag_clear(&diag);
        sal_model_free(m);
    }
}

static void what_has_an_effect_is_not(void)
{
    for (size_t i = 0; i < sizeof not_warned / sizeof not_warned[0]; i++) {
        sal_model *m = NULL;
        sal_diag diag = {0};
        sal_err err = {0};
        CHECK_OK(
            sal_model_parse(&m, "t.xml", not_warned[i], strlen(not_warned[i]), NULL, &diag, &err),
            err);
        CHECK_TEXT(diag.text.data == NULL ? "" : diag.text.data, "");
        sal_diag_clear(&diag);
        sal_model_free(m);
    }
}

/* Meshes that do more than look well must be there. */
static void a_mesh_that_counts_must_be_there(void)
{
    static const char *const counts[] = {
        SHOWN("<geom mesh='m' type='mesh'/>"),
        SHOWN("<geom mesh='m' type='mesh' contype='0'/>"),
        SHOWN("<geom mesh='m' type='mesh' contype='0' conaffinity='0' fluidshape='ellipsoid'/>"),
        SHOWN("<body><joint/><geom mesh='m' type='mesh' contype='0' conaffinity='0'/></body>"),
        SHOWN("<geom name='h' mesh='m' type='mesh' contype='0' conaffinity='0'/></body>"
              "</worldbody><contact><pair geom1='g' geom2='h'/></contact><worldbody><body>"),
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        sal_model *m = NULL;
        sal_diag diag = {0};
        sal_err err = {0};
        CHECK(sal_model_parse(&m, "t.xml", counts[i], strlen(counts[i]), NULL, &diag, &err) ==
              SAL_BADINPUT);
        CHECK(diag.nwarning == 0 && strstr(diag.first, "cannot read 'm.stl'") != NULL);
        sal_diag_clear(&diag);
        sal_model_free(m);
    }
}

/* Without what only looks well everything else is as it was. */
static void what_is_left_out_changes_nothing(void)
{
    static const char *const text[2] = {
        SHOWN("<geom mesh='m' type='mesh' contype='0' conaffinity='0'/><geom name='l' size='.5'/>"),
        SHOWN("<geom name='l' size='.5'/>")};
    sal_model *m[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        sal_err err = {0};
        CHECK_OK(sal_model_parse(&m[i], "t.xml", text[i], strlen(text[i]), NULL, NULL, &err), err);
    }
    if (m[0] != NULL && m[1] != NULL) {
        CHECK(m[0]->ngeom == 2 && m[1]->ngeom == 2 && m[0]->npair == m[1]->npair);
        CHECK(sal_model_find(m[0], SAL_OBJ_GEOM, "l") == sal_model_find(m[1], SAL_OBJ_GEOM, "l"));
        CHECK(memcmp(m[0]->geom_size, m[1]->geom_size, 6 * sizeof(double)) == 0);
        CHECK(m[0]->body_mass[1] == 1 && m[1]->body_mass[1] == 1);
    }
    sal_model_free(m[0]);
    sal_model_free(m[1]);
}

int main(void)
{
    RUN(what_has_no_effect_is_warned_of);
    RUN(what_has_an_effect_is_not);
    RUN(a_mesh_that_counts_must_be_there);
    RUN(what_is_left_out_changes_nothing);
    return check_done();
}
