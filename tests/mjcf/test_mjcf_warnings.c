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

static const said warned[] = {
    {FLAG("invdiscrete='enable'"),
     "2:20: warning: invdiscrete=\"enable\" in <flag> has no effect: the inverse dynamics of a "
     "motion is discrete in time with and without it (leave it out)"},
    {FLAG("multiccd='enable'"), "2:17: warning: multiccd=\"enable\" in <flag> has no effect: each "
                                "pair of convex geoms has one contact (leave it out)"},
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
    {TWO("<body gravcomp='-.5'/><body gravcomp='-1'/>"),
     "2:17: warning: gravcomp of <body> is -0.5, which has no effect: as in MuJoCo, gravity "
     "compensation needs a body with gravcomp above 0"},
    {PAIR("solreffriction='.0963'"),
     "2:43: warning: solreffriction in <pair> is 0.0963 0, which has no effect: as in MuJoCo, the "
     "solref of the pair is used instead (write two positive numbers (TIMECONSTANT DAMPINGRATIO), "
     "or two negative ones (-STIFFNESS -DAMPING))"},
    {PAIR("solref='.05 -1'"), "2:35: warning: solref in <pair> is 0.05 -1, " MIXED},
    {TWO("<geom size='1' solref='-5'/>"), "2:24: warning: solref in <geom> is -5 1, " MIXED},
    {TWO("<body>the torso<geom size='1'/>\n</body>"),
     "2:7: warning: this text between elements has no effect (write it as a comment: <!-- ... "
     "-->)"},
    {TWO("<![CDATA[<a>]]><geom size='1'/>"),
     "2:1: warning: this text between elements has no effect (write it as a comment: <!-- ... "
     "-->)"},
};

static const char *const not_warned[] = {
    FLAG("invdiscrete='disable' multiccd='disable' sleep='disable' sensornoise='disable'"),
    "<mujoco>\n<compiler convexhull='true'/><option collision='all'/></mujoco>",
    TWO("<body gravcomp='-.5'/><body gravcomp='.1'/>"),
    TWO("<body gravcomp='0'/>"),
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

int main(void)
{
    RUN(what_has_no_effect_is_warned_of);
    RUN(what_has_an_effect_is_not);
    return check_done();
}
