/* What users meet first, and what the command says of it: a model of a free joint without names,
 * meshes that are not there, words between elements, mirrors that are none. */
#include "tests/cli/command.h"

static void put(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

/* A block on the floor; nothing but its body has a name. */
static void put_block(const char *travel, const char *terms)
{
    char text[1000];
    put("m.xml",
        "<mujoco>\n  stray words\n  <option timestep='.01'/><worldbody><geom name='floor' "
        "type='plane' size='9 9 1'/><body name='block' pos='0 0 .1'><freejoint/><geom type='box' "
        "size='.2 .2 .1' mass='1'/></body></worldbody></mujoco>");
    snprintf(text, sizeof text,
             "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.5'/><boundary "
             "type='cycle'><travel %s/></boundary><cost>%s</cost></problem>",
             travel, terms);
    put("p.xml", text);
}

static void a_free_joint_without_a_name(void)
{
    static const char *const travels[] = {"speed='0'", "joint='#0' speed='0'"};
    for (int i = 0; i < 2; i++) {
        put_block(travels[i], "<term name='upright' joint='#0' component='3 4 5'/>"
                              "<term name='calm' joint='#0' of='vel'/>");
        CHECK(go("check @p.xml --derivatives --json") == 0 && is_json(out));
        CHECK(go("solve @p.xml -o @r -q") == 0);
    }
    put_block("speed='0'", "<term name='upright' joint='#0' component='6'/>");
    CHECK(go("check @p.xml") == 3);
    SAYS(errors, "component 6 does not exist; the quantity has 6 components");
    put_block("joint='#1' speed='0'", "<term name='calm' joint='#0' of='vel'/>");
    CHECK(go("check @p.xml") == 3);
    SAYS(errors, "the model has no joint '#1'");
}

static void words_between_elements(void)
{
    put_block("speed='0'", "<term name='calm' joint='#0' of='vel'/>");
    CHECK(go("check @m.xml") == 0);
    SAYS(errors, "m.xml:2:3: warning: this text between elements has no effect");
    SAYS(errors, "= help: write it as a comment: <!-- ... -->");
}

/* One that is drawn only may be missing; one that collides may not. */
static void meshes_that_are_not_there(void)
{
    static const char *const drawn[] = {"contype='0' conaffinity='0' mass='0'", ""};
    for (int i = 0; i < 2; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "<mujoco><asset><mesh name='hull' file='nowhere.stl'/></asset><worldbody><body>"
                 "<joint/><geom size='.1'/><geom type='mesh' mesh='hull' %s/></body></worldbody>"
                 "</mujoco>",
                 drawn[i]);
        put("m.xml", text);
        CHECK(go("check @m.xml") == (i == 0 ? 0 : 3));
        SAYS(errors, i == 0 ? "m.xml:1:40: warning: " : "m.xml:1:40: error: ");
        SAYS(errors, "nowhere.stl");
    }
}

static void what_cannot_move_has_no_forces(void)
{
    put("m.xml", "<mujoco><worldbody><body><geom size='.1'/></body></worldbody></mujoco>");
    put("q.csv", "time\n0\n1\n");
    CHECK(go("inverse @m.xml @q.csv") == 3);
    CHECK_TEXT(errors, "saltus: error: the model has no joints, so nothing can move: there are no "
                       "forces to compute\n");
}

/* 119 boxes in 6 bodies that penetrate one another in their first pose */
static void many_contacts_need_no_setting(void)
{
    const char *corpus = getenv("SALTUS_CORPUS");
    char line[1300], path[1200];
    snprintf(path, sizeof path, "%s/models/mjtest_planks.xml", corpus == NULL ? "" : corpus);
    if (corpus == NULL || access(path, F_OK) != 0) {
        SKIP("no corpus");
    }
    snprintf(line, sizeof line, "simulate %s --time .02 -o %s", path, files_path("s.csv"));
    CHECK(run(line) == 0);
    CHECK(strstr(errors, "error") == NULL && strstr(errors, "nconmax") == NULL);
}

#define LEG(name, y, axis, mass)                                                                   \
    "<body name='" name "_leg' pos='0 " y " 0'><joint name='" name "_hip' axis='" axis "'/>"       \
    "<geom name='" name "_shin' type='capsule' size='.05' fromto='0 0 0 0 0 -.4' mass='" mass      \
    "'/></body>"
#define LEGS(right)                                                                                \
    "<mujoco><worldbody><geom type='plane' size='9 9 1'/><body name='root' pos='0 0 .45'>"         \
    "<freejoint name='root'/><geom size='.1' mass='1'/>" LEG("l", ".1", "0 1 0", "1") right        \
        "</body></worldbody></mujoco>"

/* 'l r' takes l_leg to r_leg, and leaves root what it is. */
static void mirrors_that_are_none(void)
{
    static const struct {
        const char *model, *says;
    } cases[] = {
        {LEGS(LEG("r", "-.1", "0 1 0", "1")), NULL},
        {LEGS(LEG("r", "-.1", "0 1 0", "1.5")),
         "the model is not its own mirror image: body 'l_leg' and body 'r_leg' have the masses 1 "
         "kg and 1.5 kg"},
        {LEGS(LEG("r", "-.2", "0 1 0", "1")),
         "the model is not its own mirror image: geom 'l_shin'"},
        {LEGS(""),
         "joint 'l_hip' has no mirrored partner: no joint has its name with 'l' and 'r' exchanged"},
    };
    put("p.xml",
        "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.5'/><boundary "
        "type='cycle' mirror='l r'><travel joint='root' direction='1 0' speed='1'/></boundary>"
        "<cost><term name='calm' joint='all' of='vel'/></cost></problem>");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put("m.xml", cases[i].model);
        CHECK(go("check @p.xml") == (cases[i].says == NULL ? 0 : 3));
        if (cases[i].says != NULL) {
            SAYS(errors, cases[i].says);
        }
        CHECK(strstr(errors, "loot") == NULL);
    }
}

/* A cycle of a given duration and speed has no end at rest, and nothing free. */
static void requirements_of_nothing(void)
{
    put_block("speed='0'", "<term name='calm' joint='#0' of='vel'/>");
    char text[1000];
    slurp("p.xml", text, sizeof text);
    put("p.xml", files_replace(text, "</cost>",
                               "</cost><require rest='.1' bound='false' ownpenetration='1'/>"));
    CHECK(go("check @p.xml") == 0);
    SAYS(errors, "warning: 'rest' has no effect: no end of the motion is pinned at rest");
    SAYS(errors, "warning: 'bound' has no effect: no duration, travel or turn is free");
    SAYS(errors,
         "warning: 'ownpenetration' has no effect: the motion does not come to the model's");
    put("p.xml", files_replace(text, "duration='.5'", "duration='.5' range='.2 .8'"));
    slurp("p.xml", text, sizeof text);
    put("p.xml", files_replace(text, "</cost>", "</cost><require bound='false'/>"));
    CHECK(go("check @p.xml") == 0);
    CHECK(strstr(errors, "has no effect: no") == NULL);
}

static void options_of_new(void)
{
    static const struct {
        const char *options, *says;
    } cases[] = {
        {"--speed fast", "--speed must be a number of m/s from -1000 to 1000; it is 'fast'"},
        {"--speed 1,2", "--speed must be a number of m/s from -1000 to 1000; it is '1,2'"},
        {"--direction 1", "--direction must be two numbers, such as 1,0; it is '1'"},
        {"--direction 1,0,0", "--direction must be two numbers, such as 1,0; it is '1,0,0'"},
        {"--direction 0,0", "--direction must be two numbers of which one is not zero"},
        {"--turn nan", "--turn must be a number of rad/s from -1000 to 1000; it is 'nan'"},
        {"--seconds 1e9", "--seconds must be a number of seconds from 0.01 to 1000; it is '1e9'"},
        {"--seconds 0", "--seconds must be a number of seconds from 0.01 to 1000; it is '0'"},
        {"--task dance", "unknown task 'dance'; the tasks are walk, run, "},
    };
    put("m.xml", LEGS(LEG("r", "-.1", "0 1 0", "1")));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[200];
        snprintf(line, sizeof line, "new @m.xml %s", cases[i].options);
        CHECK(go(line) == 2 && out[0] == 0);
        SAYS(errors, cases[i].says);
    }
}

int main(void)
{
    RUN(a_free_joint_without_a_name);
    RUN(words_between_elements);
    RUN(meshes_that_are_not_there);
    RUN(what_cannot_move_has_no_forces);
    RUN(many_contacts_need_no_setting);
    RUN(mirrors_that_are_none);
    RUN(requirements_of_nothing);
    RUN(options_of_new);
    files_remove();
    return check_done();
}
