/* Robots of others, as their users begin: a motion drafted by `new`, solved with no edit, is
 * physical and as asked; it travels as fast as was asked for. */
#include "tests/cli/resume.h"

#include <unistd.h>

typedef struct robot {
    const char *model, *options;
    /* m/s, 0: the draft's own */
    double speed;
    /* weights: the most that the floor carries */
    double load;
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
    CHECK(json_number("penetration") < 0.02 && json_number("slip") < 0.1);
    CHECK(json_number("peak_load") >= 1 && json_number("peak_load") <= r->load);
    if (r->speed > 0) {
        CHECK_NEAR(json_number("speed"), r->speed, 1e-9);
    }
}

static void robots_do_as_asked(void)
{
    static const robot robots[] = {{"models/men_unitree_a1.xml", "trot --speed 0.8", 0.8, 3},
                                   {"models/brax_hopper.xml", "hop", 0, 8},
                                   {"models/gym_ant.xml", "trot --speed 0.5", 0.5, 5},
                                   {"models/gym_half_cheetah.xml", "run", 0, 5},
                                   {"robots/g1.xml", "walk --speed 1", 1, 3}};
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
    RUN(a_robot_without_feet_is_refused);
    files_remove();
    return check_done();
}
