/* Robots of others, as their users begin: a motion drafted by `new`, solved with no edit, is
 * physical and as asked; it travels as fast as was asked for. It ends in the model as it
 * is, or says that it does not: the ant slides there. */
#include "tests/cli/resume.h"

#include <unistd.h>

typedef struct robot {
    const char *model, *options;
    /* m/s, 0: the draft's own */
    double speed;
    /* weights: the most that the floor carries */
    double load;
    /* "true": it ends in the model as it is; "false": it does not */
    const char *finished;
} robot;

static void is_as_asked(const robot *r)
{
    char line[2400];
    snprintf(line, sizeof line, "new -q %s/%s --task %s", getenv("SALTUS_CORPUS"), r->model,
             r->options);
    CHECK(run(line) == 0);
    files_write("draft.xml", out, strlen(out));
    snprintf(line, sizeof line, "solve -q %s -o %s", files_path("draft.xml"), files_path("r"));
    const int code = run(line);
    snprintf(line, sizeof line, "info --json %s", files_path("r"));
    CHECK(run(line) == 0);
    if (code != 0) {
        printf("     %s: %s\n", r->model, out);
    }
    CHECK(code == 0);
    SAYS(out, "\"physical\": true");
    SAYS(out, "\"as_asked\": true");
    SAYS(out, "\"name\": \"require/only\"");
    snprintf(line, sizeof line, "\"finished\": %s", r->finished);
    SAYS(out, line);
    CHECK(json_number("penetration") < 0.02 && json_number("slip") < 0.1);
    CHECK(json_number("peak_load") >= 1 && json_number("peak_load") <= r->load);
    if (r->speed > 0) {
        CHECK_NEAR(json_number("speed"), r->speed, 1e-9);
    }
}

static void robots_do_as_asked(void)
{
    static const robot robots[] = {
        {"models/men_unitree_a1.xml", "trot --speed 0.8", 0.8, 3, "true"},
        {"models/brax_hopper.xml", "hop", 0, 8, "true"},
        {"models/gym_ant.xml", "trot --speed 0.5", 0.5, 5, "false"},
        {"models/gym_half_cheetah.xml", "run", 0, 5, "true"},
        {"robots/g1.xml", "walk --speed 1", 1, 3, "true"}};
    const char *corpus = getenv("SALTUS_CORPUS");
    if (corpus == NULL || access(corpus, R_OK) != 0) {
        SKIP("no corpus");
    }
    for (size_t i = 0; i < sizeof robots / sizeof robots[0]; i++) {
        is_as_asked(&robots[i]);
    }
}

/* The spheres that a user puts under the feet of H1, which come without geoms. */
static void add_feet(char *xml, size_t size)
{
    static const char *const side[] = {"left", "right"};
    static char rest[1 << 17];
    for (int k = 0; k < 2; k++) {
        char mark[60], ball[500];
        size_t n = 0;
        snprintf(mark, sizeof mark, "<body name=\"%s_ankle_link\"", side[k]);
        char *at = strstr(xml, mark);
        CHECK(at != NULL);
        at = at == NULL ? xml : strchr(at, '>') + 1;
        for (int i = 0; i < 4; i++) {
            n += (size_t)snprintf(ball + n, sizeof ball - n,
                                  "<geom name='%s_%d' type='sphere' size='.02' pos='%s %s -.05'/>",
                                  side[k], i, i < 2 ? "-.06" : ".16", i % 2 ? "-.03" : ".03");
        }
        snprintf(rest, sizeof rest, "%s", at);
        snprintf(at, size - (size_t)(at - xml), "%s%s", ball, rest);
    }
}

static void a_robot_walks_on_feet_that_its_user_adds(void)
{
    static char xml[1 << 17];
    char path[1400], line[2400];
    const char *corpus = getenv("SALTUS_CORPUS");
    if (corpus == NULL || access(corpus, R_OK) != 0) {
        SKIP("no corpus");
    }
    snprintf(path, sizeof path, "%s/models/loco_unitree_h1.xml", corpus);
    FILE *f = fopen(path, "r");
    CHECK(f != NULL);
    if (f != NULL) {
        xml[fread(xml, 1, sizeof xml / 2, f)] = 0;
        fclose(f);
        add_feet(xml, sizeof xml);
        files_write("h1.mjcf", xml, strlen(xml));
        snprintf(line, sizeof line, "new -q %s --task walk --speed 1", files_path("h1.mjcf"));
        CHECK(run(line) == 0);
        files_write("draft.xml", out, strlen(out));
        snprintf(line, sizeof line, "solve -q %s -o %s", files_path("draft.xml"), files_path("r"));
        CHECK(run(line) == 0);
        snprintf(line, sizeof line, "info --json %s", files_path("r"));
        CHECK(run(line) == 0);
        SAYS(out, "\"as_asked\": true");
        CHECK_NEAR(json_number("speed"), 1, 1e-9);
        CHECK(json_number("penetration") < 0.01 && json_number("peak_load") < 3);
    }
}

/* The text of a model of the corpus with what a user adds: behind the first `mark` and before the
 * end. */
static void add_to_model(char *xml, size_t size, const char *model, const char *mark,
                         const char *behind, const char *at_end)
{
    static char text[1 << 16];
    char path[1400];
    snprintf(path, sizeof path, "%s/%s", getenv("SALTUS_CORPUS"), model);
    FILE *f = fopen(path, "r");
    CHECK(f != NULL);
    text[f == NULL ? 0 : fread(text, 1, sizeof text - 1, f)] = 0;
    if (f != NULL) {
        fclose(f);
    }
    const char *at = strstr(text, mark), *end = strstr(text, "</mujoco>");
    CHECK(at != NULL && end != NULL && at < end);
    if (at != NULL && end != NULL && at < end) {
        at += strlen(mark);
        snprintf(xml, size, "%.*s%s%.*s%s</mujoco>\n", (int)(at - text), text, behind,
                 (int)(end - at), at, at_end);
    }
}

/* One start of a draft: whether it is as asked. Physical it is in any case, and each step of its
 * controls leads to the next. */
static bool start_is_physical(const char *seed)
{
    char line[2400];
    snprintf(line, sizeof line,
             "solve -q %s -o %s --set init/nstart=1 --set init/more=0 --set init/seed=%s",
             files_path("draft.xml"), files_path("r"), seed);
    const int code = run(line);
    CHECK(code == 0 || code == 1);
    snprintf(line, sizeof line, "info --json %s", files_path("r"));
    CHECK(run(line) == 0);
    SAYS(out, "\"physical\": true");
    CHECK_NEAR(json_number("speed"), 0.6, 1e-9);
    printf("     seed %s: cost %.3f, penetration %.1f mm, slip %.3f m/s, exit %d\n", seed,
           json_number("cost"), 1e3 * json_number("penetration"), json_number("slip"), code);
    snprintf(line, sizeof line, "replay --json %s", files_path("r"));
    CHECK(run(line) == 0);
    CHECK(json_number("qpos") < 1e-8 && json_number("qvel") < 1e-8);
    return code == 0;
}

/* The humanoid of the CMU motions has no floor, and its legs are spread by 20 degrees: 0.8 m apart,
 * neither foot can carry it, as its hips give 40 N m sideways. Drafts begin with closed legs. Of
 * four starts one does as asked, and those before it are physical. */
static void a_humanoid_with_spread_legs_walks(void)
{
    static const char *const seeds[] = {"1", "2", "3", "4"};
    static char xml[1 << 17];
    char line[2400], scene[1000];
    const char *corpus = getenv("SALTUS_CORPUS");
    if (corpus == NULL || access(corpus, R_OK) != 0) {
        SKIP("no corpus");
    }
    size_t n = (size_t)snprintf(scene, sizeof scene,
                                "<worldbody><geom type='plane' size='0 0 .1'/></worldbody>"
                                "<keyframe><key name='upright' qpos='0 0 1 .7071 .7071 0 0");
    for (int j = 0; j < 56; j++) {
        n += (size_t)snprintf(scene + n, sizeof scene - n, " 0");
    }
    snprintf(scene + n, sizeof scene - n, "'/></keyframe>");
    add_to_model(xml, sizeof xml, "models/dmc_humanoid_CMU_V2020.xml",
                 "<body name=\"root\" childclass=\"humanoid\">", "<freejoint name='root'/>", scene);
    files_write("cmu.mjcf", xml, strlen(xml));
    snprintf(line, sizeof line, "new -q %s --task walk --speed 0.6", files_path("cmu.mjcf"));
    CHECK(run(line) == 0);
    SAYS(out, "direction=\"0 -1\"");
    files_write("draft.xml", out, strlen(out));
    bool as_asked = false;
    for (int i = 0; i < 4 && !as_asked; i++) {
        as_asked = start_is_physical(seeds[i]);
    }
    CHECK(as_asked);
}

/* Feet that are drawn only: what the robot lacks is said, with the names of its legs' ends. */
static void a_robot_without_feet_is_refused(void)
{
    char line[1400];
    const char *corpus = getenv("SALTUS_CORPUS");
    if (corpus == NULL || access(corpus, R_OK) != 0) {
        SKIP("no corpus");
    }
    snprintf(line, sizeof line, "new %s/models/loco_unitree_h1.xml --task walk", corpus);
    CHECK(run(line) == 2 && out[0] == 0);
    SAYS(errors, "it needs feet, and the ends of the legs (left_ankle_link, right_ankle_link) have "
                 "no geoms");
}

int main(void)
{
    RUN(robots_do_as_asked);
    RUN(a_robot_walks_on_feet_that_its_user_adds);
    RUN(a_humanoid_with_spread_legs_walks);
    RUN(a_robot_without_feet_is_refused);
    files_remove();
    return check_done();
}
