/* Motions that are physical and not what was wanted: none of them gets a green verdict once the
 * wish is written down. Each is small enough that what is found is known without solving. The
 * command ends with 1, keeps the result, and says what is wrong, in words and in JSON. */
#include "tests/cli/command.h"

#define FLOOR "<geom name='floor' type='plane' size='9 9 1' condim='1'/>"
#define MODEL(world, rest)                                                                         \
    "<mujoco><option timestep='.01'/><worldbody>" FLOOR world "</worldbody>" rest "</mujoco>"
#define BODY(name, place, joints, mass)                                                            \
    "<body name='" name "' pos='" place "'>" joints "<geom size='.1' mass='" mass                  \
    "' condim='1'/></body>"
#define SLIDE(name, axis)  "<joint name='" name "' type='slide' axis='" axis "'/>"
#define MOTOR(name, joint) "<motor name='" name "' joint='" joint "'/>"

/* Bodies that stand on the floor side by side, of 1, 2 and .5 kg */
static const char stands[] = MODEL(BODY("foot", "0 0 .1", SLIDE("zf", "0 0 1"), "1")
                                       BODY("knee", "1 0 .1", SLIDE("zk", "0 0 1"), "2")
                                           BODY("hand", "2 0 .1", SLIDE("zh", "0 0 1"), ".5"),
                                   "");

/* A ball of 1 kg that slides without friction, or rises */
static const char ball[] =
    MODEL(BODY("skate", "0 0 .1", SLIDE("x", "1 0 0") SLIDE("z", "0 0 1"), "1"), "");

/* A cube with a motor that lifts it or presses it down */
static const char cube[] = MODEL(BODY("cube", "0 0 .1", SLIDE("z", "0 0 1"), "1"),
                                 "<actuator>" MOTOR("lift", "z") "</actuator>");

/* What motors push over the floor, without weight */
static const char cart[] = "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody>" BODY(
    "cart", "0 0 1", SLIDE("x", "1 0 0") SLIDE("y", "0 1 0"),
    "1") "</worldbody><actuator>" MOTOR("along", "x") MOTOR("across", "y") "</actuator></mujoco>";

static const char arm[] =
    "<mujoco><option timestep='.01'/><worldbody><body name='arm'><joint name='hinge' "
    "axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 0 0 -1' mass='1'/></body>"
    "</worldbody><actuator>" MOTOR("motor", "hinge") "</actuator></mujoco>";

/* Two balls of one tree, 10 mm in each other at the start, where nothing else happens */
static const char hands[] =
    "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody><body name='trunk'>" SLIDE(
        "z",
        "0 0 1") "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>" BODY("left", "-.1 0 0",
                                                                             SLIDE("xl", "1 0 0"),
                                                                             "1")
        BODY("right", ".1 0 0", SLIDE("xr", "1 0 0"), "1") "</body></worldbody></mujoco>";

#define CALM          "<term name='calm' joint='all' of='vel'/>"
#define CYCLE(travel) "<boundary type='cycle'>" travel "</boundary>"
#define SPEED(speed)  CYCLE("<travel joint='x' speed='" speed "'/>")
#define AT_REST       "<boundary type='open'><start qpos='0' qvel='0'/></boundary>"
#define COST(terms)   "<cost>" terms "</cost>"

typedef struct sample {
    const char *name, *model;
    const char *time;   /* attributes of <time> */
    const char *motion; /* boundary, cost and settings that lead to it */
    const char *wish;   /* attributes of <require>, or a term that loses */
    const char *report; /* what of its requirements is not satisfied */
    double found, precision;
    const char *says; /* part of the finding */
} sample;

static const sample samples[] = {
    {"it kneels", stands, "nstep='10' duration='.5'", CYCLE("") COST(CALM), "only='foot hand'",
     "require/only", 2 * 9.81, .05, "body 'knee' and 'floor' touch with 19.6 N"},
    {"a hand is on the floor", stands, "nstep='10' duration='.5'", CYCLE("") COST(CALM),
     "only='foot knee'", "require/only", .5 * 9.81, .05, "body 'hand' and 'floor' touch with 4.9"},
    {"the foot is in the floor", ball, "nstep='10' duration='1'",
     CYCLE("") COST(CALM) "<solver><smoothing width='.15 .15' dmax='.8 .8' timeconst='.13 .13'/>"
                          "</solver>",
     "penetration='.02'", "require/penetration", .12, .02, /* deeper than its radius */
     "body 'skate' and 'floor': the contact is 0.1"},
    {"it skates", ball, "nstep='10' duration='1'", SPEED("1") COST(CALM), "slip='.1'",
     "require/slip", 1, 1e-6, "contacts slide under load at 1 m/s"},
    {"it goes the wrong way", ball, "nstep='10' duration='1'", SPEED("-1") COST(CALM),
     "<term name='wish' joint='x' of='vel' target='1' mean='true' weight='1e-9'/>",
     "term[wish]/target", 2, 1e-6, "term 'wish' misses its target by 2 m/s"},
    {"it is too slow", ball, "nstep='10' duration='1'", SPEED(".5") COST(CALM),
     "<term name='wish' joint='x' of='vel' target='1.2' mean='true' weight='1e-9'/>",
     "term[wish]/target", .7, 1e-6, "term 'wish' misses its target by 0.7 m/s"},
    {"the cube is never lifted", cube, "nstep='10' duration='1'",
     AT_REST COST(CALM "<term name='effort' ctrl='all'/>"),
     "<term name='wish' joint='z' target='.5' at='end' weight='1e-9'/>", "term[wish]/target", .5,
     .02, "term 'wish' misses its target by 0.5"},
    {"it is pressed on the floor", cube, "nstep='10' duration='.5'",
     CYCLE("") COST(CALM "<term name='press' ctrl='lift' target='-19.62' weight='10'/>"),
     "load='2'", "require/load", 3, .01, "is carried with 3 times its weight"},
    {"it leaps sideways", cart, "nstep='20' duration='1'",
     "<boundary type='open'><start qpos='0 0' qvel='0 0'/></boundary>" COST(
         "<term name='effort' ctrl='all' weight='1e-6'/><term name='leap' joint='y' target='1' "
         "weight='100'/>"),
     "<term name='wish' joint='y' target='0' at='end' tol='.05' weight='1e-9'/>",
     "term[wish]/target", 1, .01, "term 'wish' misses its target by"},
    {"the arm hangs", arm, "nstep='20' duration='1'",
     AT_REST COST(CALM "<term name='effort' ctrl='all'/>"),
     "<term name='wish' joint='hinge' target='.5' at='end' weight='1e-9'/>", "term[wish]/target",
     .5, 1e-3, "term 'wish' misses its target by 0.5 rad at 1 s (allowed: 0.025)"},
    {"it is there at another time", arm, "nstep='20' duration='1'",
     "<boundary type='open'><start qpos='0' qvel='0'/><end qpos='.5' qvel='0'/></boundary>" COST(
         "<term name='effort' ctrl='all' weight='1e-6'/><term name='late' joint='hinge' "
         "window='0 .5' weight='1e3'/>"),
     "<term name='wish' joint='hinge' target='.5' at='.5' weight='1e-9'/>", "term[wish]/target", .5,
     .01, "term 'wish' misses its target by"},
    {"its hands are in each other", hands, "nstep='10' duration='.1'",
     "<boundary type='open'><start joint='xl xr' qpos='.005 -.005' qvel='0'/></boundary>" COST(
         CALM),
     "selfcontact='false'", "require/selfcontact", (double)NAN, 0,
     "body 'left' and body 'right' touch with"},
    {"the duration is as long as it may be", cart, "nstep='20' duration='1' range='.5 1.5'",
     "<boundary type='open'><start qpos='0 0' qvel='0 0'/><end qpos='1 0' qvel='0 "
     "0'/></boundary>" COST("<term name='effort' ctrl='all'/>"),
     "bound='false'", "require/bound", 1, .02,
     "s in 0.5 .. 1.5 s is at an end of its range (required: not)"},
    {"the step is as long as it may be", cart, "nstep='10' duration='1'",
     CYCLE("<travel joint='x' range='.1 .3'/>")
         COST("<term name='fast' joint='x' of='vel' target='5'/>"),
     "bound='false'", "require/bound", 1, .02,
     "the free travel 0.3 m in 0.1 .. 0.3 m is at an end"},
    {"it is at rest at the top of a hop", ball, "nstep='20' duration='.2'",
     "<boundary type='open'><end qpos='0 .5' qvel='0 0'/></boundary>" COST(
         "<term name='straight' joint='x' of='vel'/>"),
     "rest='.1'", "require/rest", 1, 1e-9,
     "what carries it differs from its weight by 1 times the weight (required: at most 0.1 times)"},
};

enum { NSAMPLE = sizeof samples / sizeof samples[0] };

/* The problem with its wish, or without. */
static void put(const sample *s, bool wished)
{
    char text[3000];
    const bool term = s->wish[0] == '<';
    const char *end = strstr(s->motion, "</cost>");
    snprintf(text, sizeof text,
             "<problem name='p'><model file='m.xml'/><time %s/>%.*s%s%s%s%s%s</problem>", s->time,
             (int)(end - s->motion), s->motion, wished && term ? s->wish : "", "</cost>",
             wished && !term ? "<require " : "", wished && !term ? s->wish : "",
             wished && !term ? "/>" : "");
    char *tail = strstr(text, "</problem>");
    snprintf(tail, sizeof text - (size_t)(tail - text), "%s</problem>", end + strlen("</cost>"));
    files_write("m.xml", s->model, strlen(s->model));
    files_write("p.xml", text, strlen(text));
}

static int solve(const char *options)
{
    char line[200];
    snprintf(line, sizeof line, "solve @p.xml -o @r --threads 1 %s", options);
    return go(line);
}

/* The report at the end of what the command said */
static void report_says(const char *text)
{
    static char all[1 << 20];
    slurp("err", all, sizeof all);
    const char *report = strstr(all, "verdict: ");
    if (report == NULL || strstr(report, text) == NULL) {
        printf("     no '%s' in: %s\n", text, report == NULL ? "" : report);
        check_case_faults++;
    }
}

static void is_not_as_asked(const sample *s)
{
    char name[200];
    printf("     %s\n", s->name);
    put(s, false);
    CHECK(solve("") == 0);
    report_says("physical, and as asked");
    put(s, true);
    CHECK(solve("--json") == 1 && is_json(out));
    report_says("physical, but not as asked: 1 of 1 requirements is not satisfied");
    report_says(s->says);
    SAYS(out, "\"as_asked\": false");
    SAYS(out, "\"physical\": true");
    SAYS(out, s->says);
    SAYS(out, "\"met\": false");
    snprintf(name, sizeof name, "\"name\": \"%s\"", s->report);
    SAYS(out, name);
    if (!isnan(s->found)) {
        CHECK_NEAR(json_number("found"), s->found, s->precision);
    }
    CHECK(exists("r/result.h5") && go("info --json @r") == 0 && is_json(out));
    SAYS(out, "\"verdict\": \"physical, but not as asked");
}

static void no_green_verdict(void)
{
    CHECK(NSAMPLE == 15);
    for (int i = 0; i < NSAMPLE; i++) {
        is_not_as_asked(samples + i);
    }
}

/* Without <require> it is said, but does not count. */
static void what_nobody_requires_is_warned_of(void)
{
    static const struct {
        const char *name, *warning;
    } cases[] = {
        {"the foot is in the floor", "body 'skate' penetrates 'floor' by up to 0.1"},
        {"it skates", "slides at 1 m/s on average"},
        {"the duration is as long as it may be", "is at an end of its range of 0.5 .. 1.5 s"},
        {"the step is as long as it may be", "the free travel of 0.3 m is at an end of its range"},
        {"it is at rest at the top of a hop",
         "the end is pinned at rest, but at 0.19 s only 0 % of the weight is carried"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        for (int i = 0; i < NSAMPLE; i++) {
            if (strcmp(samples[i].name, cases[k].name) == 0) {
                put(samples + i, false);
                CHECK(solve("") == 0);
                report_says(cases[k].warning);
            }
        }
    }
}

int main(void)
{
    RUN(no_green_verdict);
    RUN(what_nobody_requires_is_warned_of);
    files_remove();
    return check_done();
}
