/* Recordings on a belt, which are carried along with it; and markers that were lost. */
#include "tests/problems/recordings/recordings.h"

/* A marker at exactly 0 0 0 was lost; numbers of a table that are 0 0 0 are a place. */
static void lost_markers_are_missing(void)
{
    static const char trc[] =
        "PathFileType\t4\t(X/Y/Z)\tl.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\t"
        "OrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n100\t100\t6\t1\tm\t100\t1\t6\n"
        "Frame#\tTime\tM\t\t\n\t\tX1\tY1\tZ1\n\n1\t0\t.1\t.2\t.3\n2\t.01\t.1\t.2\t.3\n"
        "3\t.02\t0\t0\t0\n4\t.03\t.1\t.2\t.3\n5\t.04\t0\t.2\t0\n6\t.05\t.1\t.2\t.3\n";
    static const char csv[] =
        "t,x,y,z\n0,.1,.2,.3\n.01,.1,.2,.3\n.02,0,0,0\n.03,.1,.2,.3\n.04,0,.2,0\n.05,.1,.2,.3\n";
    static const char ball[] = "<mujoco><worldbody><body><freejoint/><geom size='.1'/><site "
                               "name='s'/></body></worldbody></mujoco>";
    files_write("ball.xml", ball, strlen(ball));
    for (int table = 0; table < 2; table++) {
        char text[600];
        sal_problem *p = NULL;
        sal_diag said = {0};
        sal_err err;
        files_write(table ? "l.csv" : "l.trc", table ? csv : trc, strlen(table ? csv : trc));
        snprintf(text, sizeof text,
                 "<problem name='test'><model file='ball.xml'/><data file='%s' up='z' jump='0' "
                 "gap='.1'><channel name='m' site='s' columns='%s' sigma='.1'/></data><estimate/>"
                 "</problem>",
                 table ? "l.csv" : "l.trc", table ? "x y z" : "M");
        files_write("p.xml", text, strlen(text));
        CHECK_OK(read_base(&p, &said, &err), err);
        for (int k = 0; p != NULL && k < 6; k++) {
            const double *x = sample(p, 0, k);
            CHECK(isnan(x[0]) == (k == 2 && !table) && isnan(x[2]) == (k == 2 && !table));
        }
        sal_problem_free(p);
        sal_diag_clear(&said);
    }
}

/* ---- the belt ---- */

/* m/s: who is seen walking at this velocity less than he does stands on a belt. */
static const double walking[2] = {1.25, -.4};

static int on_a_belt(int k, double row[12])
{
    row[1] -= walking[0] * .01 * k;
    row[2] -= walking[1] * .01 * k;
    return 12;
}

/* Later in its own time: the belt counts from the first row that is used. */
static int late_on_a_belt(int k, double row[12])
{
    on_a_belt(k, row);
    row[0] += 7;
    return 12;
}

/* Places go along, those at which forces act, too; forces, torques and rotations do not; a speed
 * changes at once. */
static void belts_are_carried_along(void)
{
    static const char channels[] =
        "<channel name='pose' body='cube' columns='x y z qw qx qy qz' sigma='1e-4'/>"
        "<channel name='hip' joint='hip' columns='hip' sigma='1e-3'/>"
        "<channel name='push' force='hand' columns='x y z x y z x y z'/>"
        "<channel name='there' sensor='there' columns='x y z' sigma='1e-3'/>"
        "<channel name='speed' sensor='speed' columns='x y z' sigma='1e-3'/>"
        "<channel name='chip' site='chip' columns='x y z' sigma='1e-3'/>";
    for (int late = 0; late < 2; late++) {
        write_motion("s.csv", ROWS, late ? late_on_a_belt : on_a_belt);
        sal_problem *p = read_format("file='s.csv' belt='1.25 -.4' up='z'", channels);
        for (int k = 0; p != NULL && k < ROWS; k++) {
            double row[12], seen[12], speed[3];
            tossed_row(k, row);
            tossed_row(k, seen);
            on_a_belt(k, seen);
            for (int i = 0; i < 3; i++) {
                speed[i] = seen[1 + i] + (i < 2 ? walking[i] : 0);
            }
            const double *x = sample(p, 0, k), sign = x[3] * row[4] > 0 ? 1 : -1;
            check_vector(x, row + 1, 3, 1e-12);
            for (int i = 0; i < 4; i++) {
                CHECK_NEAR(x[3 + i], sign * row[4 + i], 1e-12);
            }
            CHECK_NEAR(x[7], row[8], 1e-15);
            check_vector(x + 8, seen + 1, 3, 1e-12);
            check_vector(x + 11, row + 1, 3, 1e-12);
            check_vector(x + 14, seen + 1, 3, 1e-12);
            check_vector(x + 17, row + 1, 3, 1e-12);
            check_vector(x + 20, speed, 3, 1e-12);
            check_vector(x + 23, row + 1, 3, 1e-12);
        }
        sal_problem_free(p);
    }
}

/* A cart on two rails of the world, the first at 60 degrees to x: its slides go along by their
 * parts of the velocity (cos 60 = 1/2), a slide behind a hinge does not. */
/* Slides of a body of the world, of which the last turns with a hinge; false: an error, in diag. */
static sal_problem *read_cart(const char *attribute, sal_diag *diag)
{
    static const char cart[] =
        "<mujoco><compiler angle='degree'/><worldbody><body name='cart' euler='0 0 60'>"
        "<joint name='rail' type='slide' axis='1 0 0'/><joint name='mast' type='slide' axis='0 0 "
        "1'/><joint name='turn' axis='0 0 1'/><joint name='far' type='slide' axis='0 1 0'/>"
        "<geom size='.1'/></body></worldbody></mujoco>";
    char text[1000];
    sal_problem *p = NULL;
    sal_err err;
    sal_text table = {0};
    snprintf(text, sizeof text,
             "<problem name='test'><model file='cart.xml'/><data file='s.csv' %s>"
             "<channel name='rail' joint='rail' columns='x' sigma='.1'/>"
             "<channel name='drail' joint='rail' of='vel' columns='z' sigma='.1'/>"
             "<channel name='mast' joint='mast' columns='y' sigma='.1' scale='-2' offset='.1'/>"
             "<channel name='far' joint='far' columns='x' sigma='.1'/></data><estimate/></problem>",
             attribute);
    sal_text_add(&table, "t,x,y,z\n");
    for (int k = 0; k < 9; k++) {
        sal_text_format(&table, "%g,%g,%g,%g\n", .1 * k, .3 + .01 * k * k, .2 * k * k, .02 * k - 1);
    }
    files_write("s.csv", table.data, table.length);
    sal_text_clear(&table);
    files_write("cart.xml", cart, strlen(cart));
    files_write("p.xml", text, strlen(text));
    read_base(&p, diag, &err);
    return p;
}

static void slides_go_along(void)
{
    sal_diag diag = {0};
    sal_problem *p = read_cart("belt='2'", &diag);
    CHECK(p != NULL);
    for (int k = 0; p != NULL && k < 9; k++) {
        const double *x = sample(p, 0, k);
        CHECK_NEAR(x[0], .3 + .01 * k * k + .1 * k, 1e-12);
        CHECK_NEAR(x[1], .02 * k - 1 + 1, 1e-12);
        CHECK_NEAR(x[2], .2 * k * k, 1e-12);
        CHECK_NEAR(x[3], .3 + .01 * k * k, 1e-12);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

/* measured = scale true + offset, and it is the true height that is counted from the floor. What
 * turns with a floor that slopes is no slide. */
static void slides_are_lowered_to_the_floor(void)
{
    sal_diag diag = {0};
    sal_problem *p = read_cart("floor='.25 0 0'", &diag);
    CHECK(p != NULL && diag.text.length == 0);
    for (int k = 0; p != NULL && k < 9; k++) {
        const double *x = sample(p, 0, k);
        CHECK_NEAR(x[0], .3 + .01 * k * k, 1e-12);
        CHECK_NEAR(x[1], .02 * k - 1, 1e-12);
        CHECK_NEAR(x[2], .2 * k * k + 2 * .25, 1e-12);
        CHECK_NEAR(x[3], .3 + .01 * k * k, 1e-12);
    }
    sal_problem_free(p);
    p = read_cart("floor='.25 .01 0'", &diag);
    CHECK(p == NULL && diag.text.data != NULL &&
          strstr(diag.text.data,
                 "p.xml:1:72: error: joint channel 'rail' is a part of a pose in the world, which "
                 "turns where the floor of the recording slopes") != NULL);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

static void a_belt_for_nothing(void)
{
    char data[1000];
    sal_text text = {0};
    write_motion("a.csv", ROWS, NULL);
    snprintf(data, sizeof data, "<data file='a.csv' belt='1.2'>%s%s</data>", hip, motor);
    sal_problem *p = read_data(data, &text);
    CHECK(p != NULL && text.data != NULL &&
          strstr(text.data, "p.xml:3:26: warning: belt has no effect, since no channel is a "
                            "position, a pose or a force with a point") != NULL);
    sal_problem_free(p);
    sal_text_clear(&text);
}

int main(void)
{
    RUN(lost_markers_are_missing);
    RUN(belts_are_carried_along);
    RUN(slides_go_along);
    RUN(slides_are_lowered_to_the_floor);
    RUN(a_belt_for_nothing);
    files_remove();
    return check_done();
}
