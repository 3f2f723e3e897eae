/* Which axis is up: of a robot that jumps on the spot, and of quaternions that a program wrote
 * whose y is up in the world, and also in the body. The drafted problem reads the poses that were
 * recorded. */
#include "tests/guide/small_robot.h"

enum { ROWS = 60, RATE = 30, NQ = 13 };

#define LEG(side, y)                                                                               \
    "<body name='" side "_thigh' pos='0 " y " -.05'><joint name='" side "_hip' axis='0 1 0'/>"     \
    "<geom type='capsule' fromto='0 0 0 0 0 -.25' size='.03' mass='1' contype='0' "                \
    "conaffinity='0'/><body pos='0 0 -.25'><joint name='" side "_knee' axis='0 1 0'/>"             \
    "<geom type='capsule' fromto='0 0 0 0 0 -.25' size='.03' mass='.5' contype='0' "               \
    "conaffinity='0'/><body name='" side "_foot' pos='0 0 -.25'><joint name='" side "_ankle' "     \
    "axis='0 1 0'/><geom type='box' pos='.03 0 -.04' size='.1 .04 .03' mass='.3'/></body></body>"  \
    "</body>"

static const char biped[] =
    "<mujoco><compiler angle='radian'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body name='trunk' pos='0 0 .62'><freejoint/><geom type='box' size='.1 .12 .1' "
    "mass='10'/>" LEG("left", ".1")
        LEG("right", "-.1") "</body></worldbody><actuator><motor joint='left_hip'/>"
                            "<motor joint='left_knee'/><motor joint='left_ankle'/>"
                            "<motor joint='right_hip'/><motor joint='right_knee'/>"
                            "<motor joint='right_ankle'/></actuator></mujoco>";

static double truth[ROWS][NQ];

/* Bends its legs and jumps `high` m, again and again, turned by `yaw`. */
static void jump(double high, double yaw)
{
    static const double PERIOD = .8, LEG = .25, PI = 3.14159265358979, z[3] = {0, 0, 1};
    for (int row = 0; row < ROWS; row++) {
        double *q = truth[row], part = fmod((double)row / RATE / PERIOD, 1), air = 2 * part - 1;
        const double bend = part < .5 ? .9 * sin(2 * PI * part) : 0;
        q[0] = q[1] = 0;
        q[2] = .12 + 2 * LEG * cos(bend) + (air > 0 ? 4 * high * air * (1 - air) : 0);
        sal_quat_axisangle(q + 3, z, yaw);
        for (int side = 0; side < 2; side++) {
            q[7 + 3 * side] = q[9 + 3 * side] = -bend;
            q[8 + 3 * side] = 2 * bend;
        }
    }
}

typedef struct way {
    const char *quaternion;
    bool w_last, y_up, in_body;
    const char *said;
} way;

/* With y up (x, y, z) is (x, z, -y): q' = M q, or M q M^-1. */
static void draft_jump(const way *w)
{
    static const double M[4] = {0.70710678118654752440, -0.70710678118654752440, 0, 0};
    double rows[ROWS][1 + NQ];
    char head[300];
    for (int row = 0; row < ROWS; row++) {
        double *x = rows[row], turn[4], next[4], back[4];
        x[0] = (double)row / RATE;
        memcpy(x + 1, truth[row], sizeof truth[row]);
        sal_quat_copy(turn, truth[row] + 3);
        if (w->y_up) {
            sal_quat_rotate(x + 1, M, truth[row]);
            sal_quat_mul(next, M, turn);
            sal_quat_conj(back, M);
            sal_quat_mul(turn, next, back);
            sal_quat_copy(turn, w->in_body ? turn : next);
        }
        for (int i = 0; i < 4; i++) {
            x[4 + i] = turn[(i + w->w_last) % 4];
        }
    }
    snprintf(head, sizeof head,
             "time,x,y,z,%s,left_hip,left_knee,left_ankle,right_hip,right_knee,right_ankle",
             w->quaternion);
    small_write(head, rows[0], ROWS, 1 + NQ);
    small_draft_of("clip.csv");
}

static void one_who_jumps_stays_upright(void)
{
    static const way ways[] = {
        {"qw,qx,qy,qz", false, false, false, ": z is up, the quaternion is w x y z"},
        {"qx,qy,qz,qw", true, false, false, ": z is up, the quaternion is x y z w"},
        {"a,b,c,d", false, false, false, ": z is up, the quaternion is w x y z"},
        {"qw,qx,qy,qz", false, true, false, ": y is up, the quaternion is w x y z"},
        {"a,b,c,d", true, true, false, ": y is up, the quaternion is x y z w"},
        {"qw,qx,qy,qz", false, true, true, ": y is up, also in the body, the quaternion is w x"},
        {"qx,qy,qz,qw", true, true, true, ": y is up, also in the body, the quaternion is x y z"},
        {"a,b,c,d", true, true, true, ": y is up, also in the body, the quaternion is x y z w"},
    };
    static const double heights[] = {0, .1, .3, .6, 1}, yaws[] = {.3, 2};
    small_load(biped);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        for (int k = 0; k < 10; k++) {
            jump(heights[k % 5], yaws[k / 5]);
            draft_jump(ways + i);
            CHECK(small_says(&small_notes, ways[i].said));
            CHECK_NEAR(small_farthest(truth[0], ROWS, RATE), 0, .25); /* the filter rounds it */
        }
    }
}

/* Poses as they are do not need the table that poses with y up in the body do. */
static void only_what_is_not_read_becomes_a_table(void)
{
    static const way plain = {"qw,qx,qy,qz", false, true, false, ""},
                     turned = {"qw,qx,qy,qz", false, true, true, ""};
    jump(.2, .3);
    draft_jump(&plain);
    CHECK(small_table.length == 0 && small_says(&small_draft, " up=\"y\""));
    draft_jump(&turned);
    CHECK(small_table.length > 0 && small_says(&small_draft, "file=\"table.csv\""));
    CHECK(small_says(&small_notes, "<data> reads no such poses"));
}

/* The trunk stays as it is, so that its quaternion is 1 0 0 0 or 0 0 0 1; lengths in cm. */
static void names_tell_where_w_stands(void)
{
    static const char *const names[] = {"qx,qy,qz,qw", "qw,qx,qy,qz"};
    double rows[ROWS][1 + NQ];
    for (int i = 0; i < 2; i++) {
        char head[300];
        jump(.05, 0);
        for (int row = 0; row < ROWS; row++) {
            double *x = rows[row];
            x[0] = (double)row / RATE;
            memcpy(x + 1, truth[row], sizeof truth[row]);
            sal_v3_scale(x + 1, truth[row], 100);
            x[4] = i == 1;
            x[5] = x[6] = 0;
            x[7] = i == 0;
        }
        snprintf(head, sizeof head, "time,x,y,z,%s,left_hip,left_knee,left_ankle,right_hip,%s",
                 names[i], "right_knee,right_ankle");
        small_write(head, rows[0], ROWS, 1 + NQ);
        small_draft_of("clip.csv");
        CHECK(small_says(&small_notes, "lengths are in cm"));
        CHECK_NEAR(small_farthest(truth[0], ROWS, RATE), 0, .25);
    }
}

/* Of a length of 1 to 2 %, or rounded to two digits, with names and without. */
static void quaternions_of_few_digits(void)
{
    static const char *const names[] = {"qw,qx,qy,qz", "a,b,c,d"};
    static const double sizes[] = {1, .984, 1.004, 1.016, 0}; /* 0: rounded */
    double rows[ROWS][1 + NQ];
    for (int i = 0; i < 10; i++) {
        const double size = sizes[i % 5];
        char head[300];
        jump(.05, .7);
        for (int row = 0; row < ROWS; row++) {
            double *x = rows[row];
            x[0] = (double)row / RATE;
            memcpy(x + 1, truth[row], sizeof truth[row]);
            for (int k = 4; k < 8; k++) {
                x[k] = size > 0 ? size * x[k] : round(100 * x[k]) / 100;
            }
        }
        snprintf(head, sizeof head, "time,x,y,z,%s,left_hip,left_knee,left_ankle,right_hip,%s",
                 names[i / 5], "right_knee,right_ankle");
        small_write(head, rows[0], ROWS, 1 + NQ);
        small_draft_of("clip.csv");
        CHECK_NEAR(small_farthest(truth[0], ROWS, RATE), 0, .25);
    }
}

int main(void)
{
    RUN(one_who_jumps_stays_upright);
    RUN(only_what_is_not_read_becomes_a_table);
    RUN(names_tell_where_w_stands);
    RUN(quaternions_of_few_digits);
    small_forget();
    files_remove();
    return check_done();
}
