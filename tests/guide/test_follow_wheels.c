/* Robots on wheels: of shapes without points that terms know, such as ellipsoids and meshes, no
 * term asks that they stand still, and `solve` reads the problem. */
#include "tests/guide/small_robot.h"

enum { ROWS = 60, RATE = 30, NQ = 11 };

#define WHEEL(name, place, shape)                                                                  \
    "<body name='" name "' pos='" place "'><joint name='" name "' axis='0 1 0'/>"                  \
    "<geom mass='.5' " shape "/></body>"
#define CART(front, hind)                                                                          \
    "<mujoco><compiler angle='radian'/><asset><mesh name='disc' vertex='-.1 -.03 -.1 .1 -.03 -.1 " \
    ".1 .03 -.1 -.1 .03 -.1 -.1 -.03 .1 .1 -.03 .1 .1 .03 .1 -.1 .03 .1'/></asset><worldbody>"     \
    "<geom type='plane' size='20 20 .1'/><body name='car' pos='0 0 .12'><freejoint/>"              \
    "<geom type='box' size='.25 .12 .04' mass='5'/>" WHEEL("fl", ".2 .15 -.02", front)             \
        WHEEL("fr", ".2 -.15 -.02", front) WHEEL("rl", "-.2 .15 -.02", hind)                       \
            WHEEL("rr", "-.2 -.15 -.02", hind) "</body></worldbody><actuator><motor joint='fl'/>"  \
                                               "<motor joint='fr'/><motor joint='rl'/>"            \
                                               "<motor joint='rr'/></actuator></mujoco>"
#define ELLIPSOID "type='ellipsoid' size='.1 .03 .1'"
#define SPHERE    "type='sphere' size='.1'"
#define MESH      "type='mesh' mesh='disc'"

static void draft_drive(const char *xml)
{
    double rows[ROWS][1 + NQ] = {{0}};
    small_load(xml);
    for (int row = 0; row < ROWS; row++) {
        rows[row][0] = (double)row / RATE;
        rows[row][1] = .5 * row / RATE;
        rows[row][3] = .12;
        rows[row][4] = 1;
        for (int k = 8; k < 1 + NQ; k++) {
            rows[row][k] = 5. * row / RATE;
        }
    }
    small_write("time,x,y,z,qw,qx,qy,qz,fl,fr,rl,rr", rows[0], ROWS, 1 + NQ);
    small_draft_of("clip.csv");
    sal_problem_free(small_problem());
}

static void only_points_that_are_known_stand_still(void)
{
    draft_drive(CART(SPHERE, SPHERE));
    CHECK(small_says(&small_draft, "slip=\"fl fr rl rr\""));
    CHECK(!small_says(&small_notes, "hold it still"));
    draft_drive(CART(SPHERE, ELLIPSOID));
    CHECK(small_says(&small_draft, "slip=\"fl fr\"") &&
          small_says(&small_draft, "impact=\"fl fr\""));
    CHECK(small_says(&small_notes, "'rl', 'rr': what touches the floor there is no sphere"));
    draft_drive(CART(MESH, ELLIPSOID));
    CHECK(!small_says(&small_draft, "name=\"slip\"") &&
          !small_says(&small_draft, "name=\"impact\""));
    CHECK(small_says(&small_notes, "'fl', 'fr', 'rl', 'rr': what touches the floor"));
}

int main(void)
{
    RUN(only_points_that_are_known_stand_still);
    small_forget();
    files_remove();
    return check_done();
}
