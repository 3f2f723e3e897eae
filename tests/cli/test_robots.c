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
                                   {"models/gym_half_cheetah.xml", "run", 0, 5}};
    const char *corpus = getenv("SALTUS_CORPUS");
    if (corpus == NULL || access(corpus, R_OK) != 0) {
        SKIP("no corpus");
    }
    for (size_t i = 0; i < sizeof robots / sizeof robots[0]; i++) {
        is_as_asked(&robots[i]);
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
    RUN(a_robot_without_feet_is_refused);
    files_remove();
    return check_done();
}
