/* Units of lengths: what columns say of them is believed, a robot that flies may be at any height,
 * and slides have units, too. */
#include "tests/guide/small_robot.h"

enum { ROWS = 90, RATE = 30, DRONE = 7 };

/* Its home is low, as that of a drone whose origin is where it stands. */
static const char drone[] =
    "<mujoco><option timestep='.004'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body name='drone' pos='0 0 .05'><freejoint/><geom type='box' size='.12 .12 .03' mass='1'/>"
    "<site name='a' pos='.1 .1 0'/><site name='b' pos='.1 -.1 0'/>"
    "<site name='c' pos='-.1 .1 0'/><site name='d' pos='-.1 -.1 0'/></body></worldbody>"
    "<actuator><motor site='a' gear='0 0 1 0 0 .01'/><motor site='b' gear='0 0 1 0 0 -.01'/>"
    "<motor site='c' gear='0 0 1 0 0 -.01'/><motor site='d' gear='0 0 1 0 0 .01'/></actuator>"
    "</mujoco>";

static double flight[ROWS][DRONE];

/* It goes about by `reach` m around a place 2 m high. */
static void fly(double reach)
{
    static const double z[3] = {0, 0, 1};
    for (int row = 0; row < ROWS; row++) {
        double *q = flight[row], t = (double)row / RATE;
        q[0] = reach * sin(t);
        q[1] = .5 * reach * sin(2 * t);
        q[2] = 2 + .3 * reach * sin(1.5 * t);
        sal_quat_axisangle(q + 3, z, .3 * t);
    }
}

static void draft_flight(const char *head, double unit)
{
    double rows[ROWS][1 + DRONE];
    for (int row = 0; row < ROWS; row++) {
        rows[row][0] = (double)row / RATE;
        for (int i = 0; i < DRONE; i++) {
            rows[row][1 + i] = flight[row][i] / (i < 3 ? unit : 1);
        }
    }
    small_write(head, rows[0], ROWS, 1 + DRONE);
    small_draft_of("clip.csv");
}

static void a_drone_flies_in_metres(void)
{
    static const struct {
        const char *head;
        double unit;
        bool said;
    } ways[] = {
        {"time,x,y,z,qw,qx,qy,qz", 1, false},
        {"time,x_m,y_m,z_m,qw,qx,qy,qz", 1, true},
        {"time,x [m],y [m],z [m],qw,qx,qy,qz", 1, true},
        {"time,x_cm,y_cm,z_cm,qw,qx,qy,qz", 1e-2, true},
        {"time,x [mm],y [mm],z [mm],qw,qx,qy,qz", 1e-3, true},
        {"time,x,y,z,qw,qx,qy,qz", 1e-3, false},
    };
    small_load(drone);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        fly(1);
        draft_flight(ways[i].head, ways[i].unit);
        CHECK_NEAR(small_farthest(flight[0], ROWS, RATE), 0, 4e-3);
        CHECK(small_says(&small_notes, "by the accelerations alone") == !ways[i].said);
    }
}

/* What stands still in the air is no floor. */
static void a_drone_hovers(void)
{
    fly(.05);
    draft_flight("time,x,y,z,qw,qx,qy,qz", 1);
    CHECK_NEAR(small_farthest(flight[0], ROWS, RATE), 0, 4e-3);
    CHECK(small_says(&small_notes, "floor: not looked for, since the robot can fly"));
}

/* Of times in words, `solve` reads what `follow` read. */
static void times_in_words(void)
{
    static const struct {
        const char *name;
        double in_a_second;
    } ways[] = {{"Time (Seconds)", 1}, {"time [sec]", 1},      {"time [seconds]", 1},
                {"t (ns)", 1e9},       {"time [msec]", 1e3},   {"Time (Milliseconds)", 1e3},
                {"time [s]", 1},       {"timestamp [us]", 1e6}};
    double rows[ROWS][1 + DRONE];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        char head[100];
        fly(1);
        for (int row = 0; row < ROWS; row++) {
            rows[row][0] = row * ways[i].in_a_second / RATE;
            memcpy(rows[row] + 1, flight[row], sizeof flight[row]);
        }
        snprintf(head, sizeof head, "%s,x_m,y_m,z_m,qw,qx,qy,qz", ways[i].name);
        small_write(head, rows[0], ROWS, 1 + DRONE);
        small_draft_of("clip.csv");
        CHECK_NEAR(small_farthest(flight[0], ROWS, RATE), 0, 4e-3);
    }
}

static void units_of_time_that_nobody_knows(void)
{
    sal_diag diag = {0};
    sal_err err = {0};
    sal_text text = {0};
    double rows[ROWS][8] = {{0}};
    const sal_follow_request request = {
        .rate = (double)NAN, .clip_name = "clip.csv", .model_name = "robot.xml"};
    for (int row = 0; row < ROWS; row++) {
        rows[row][0] = row;
    }
    small_write("time [fortnights],x_m,y_m,z_m,qw,qx,qy,qz", rows[0], ROWS, 8);
    CHECK(sal_follow_draft(&text, NULL, NULL, small_model, files_path("clip.csv"), &request, &diag,
                           &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "'fortnights' is not a known unit of time") != NULL);
    sal_text_clear(&text);
    sal_diag_clear(&diag);
}

/* ---- numbers out of their place ---- */

static const char arm[] =
    "<mujoco><compiler angle='radian'/><worldbody><body><joint name='shoulder' axis='0 1 0' "
    "range='-2 2'/><geom type='capsule' fromto='0 0 0 0 0 -.5' size='.02'/>"
    "<body pos='0 0 -.5'><joint name='elbow' axis='0 1 0' range='-1 2'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 -.5' size='.02'/></body></body></worldbody>"
    "<actuator><motor joint='shoulder'/><motor joint='elbow'/></actuator></mujoco>";

/* One cell, or some below each other, neither make degrees of radians nor radians of degrees, and
 * are said. */
static void one_cell_does_not_decide_the_unit(void)
{
    static const double marks[] = {-999, 9999, 1e30, -1e30, 50};
    double rows[ROWS][3], want[ROWS][2];
    small_load(arm);
    for (int i = 0; i < 20; i++) {
        const double mark = marks[i % 5], unit = i / 10 == 0 ? 1 : 57.29577951308232;
        const int lost = i / 5 % 2 == 0 ? 1 : 3;
        if (mark == 50 && (lost > 1 || unit > 1)) {
            continue; /* 50 degrees are some */
        }
        for (int row = 0; row < ROWS; row++) {
            rows[row][0] = (double)row / RATE;
            for (int k = 0; k < 2; k++) {
                want[row][k] = .4 + (.5 + .2 * k) * sin(.1 * row);
                rows[row][1 + k] = unit * want[row][k];
            }
            rows[row][2] =
                row >= 40 && row < 40 + lost ? mark * (mark == -999 ? unit : 1) : rows[row][2];
        }
        small_write("time,shoulder,elbow", rows[0], ROWS, 3);
        small_draft_of("clip.csv");
        CHECK(small_says(&small_draft, "units=\"deg\"") == (unit > 1));
        CHECK(small_says(&small_notes, lost == 1 ? "column 'elbow' has 1 number out of its place"
                                                 : "column 'elbow' has 3 numbers out of their"));
        CHECK_NEAR(small_farthest(want[0], ROWS, RATE), 0, .02);
    }
}

/* ---- slides ---- */

static const char hand[] =
    "<mujoco><compiler angle='radian'/><worldbody>"
    "<body><joint name='finger_l' type='slide' axis='0 1 0' range='0 .05'/><geom "
    "size='.01'/></body>"
    "<body><joint name='finger_r' type='slide' axis='0 1 0' range='0 .05'/><geom "
    "size='.01'/></body>"
    "<body><joint name='finger_m' type='slide' axis='0 1 0' range='0 .5'/><geom size='.01'/></body>"
    "</worldbody><actuator><position joint='finger_l'/><position joint='finger_r'/>"
    "<position joint='finger_m'/></actuator></mujoco>";

/* finger_m has its own name, which is no unit. */
static void slides_may_have_units_in_their_names(void)
{
    double rows[ROWS][4], want[ROWS][3];
    small_load(hand);
    for (int row = 0; row < ROWS; row++) {
        rows[row][0] = (double)row / RATE;
        for (int i = 0; i < 3; i++) {
            want[row][i] = .02 + .01 * sin((.1 + .03 * i) * row);
        }
        rows[row][1] = 1e3 * want[row][0];
        rows[row][2] = 1e2 * want[row][1];
        rows[row][3] = want[row][2];
    }
    small_write("time,finger_l_mm,finger_r_cm,finger_m", rows[0], ROWS, 4);
    small_draft_of("clip.csv");
    CHECK_NEAR(small_farthest(want[0], ROWS, RATE), 0, 1e-3);
    CHECK(!small_says(&small_notes, "not used") && !small_says(&small_notes, "beyond its range"));
}

int main(void)
{
    RUN(a_drone_flies_in_metres);
    RUN(a_drone_hovers);
    RUN(times_in_words);
    RUN(units_of_time_that_nobody_knows);
    RUN(one_cell_does_not_decide_the_unit);
    RUN(slides_may_have_units_in_their_names);
    small_forget();
    files_remove();
    return check_done();
}
