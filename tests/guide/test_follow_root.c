/* Recordings of robots that slides and hinges carry over the floor: they stand on it as those with
 * a free joint do. */
#include "tests/guide/carried_robot.h"

static double attribute_of(const char *channel, const char *attribute)
{
    char key[80];
    snprintf(key, sizeof key, "<channel name=\"%s\"", channel);
    const char *at = strstr(draft_text.data, key);
    snprintf(key, sizeof key, " %s=\"", attribute);
    at = at == NULL ? NULL : strstr(at, key);
    return at == NULL ? (double)NAN : strtod(at + strlen(key), NULL);
}

static double drafted_floor(void)
{
    const char *at = strstr(draft_text.data, " floor=\"");
    return at == NULL ? 0 : strtod(at + 8, NULL);
}

/* The poses that the problem reads, beside the true ones. */
static double farthest(void)
{
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    double q[NQ], v[NQ], scratch[4 * NQ], want[NQ], most = (double)INFINITY;
    files_write("p.xml", draft_text.data, draft_text.length);
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    if (p != NULL) {
        most = 0;
        for (int row = 5; row + 5 < TRUTH_ROWS; row++) { /* the filter has ends */
            prb_states_at(p->recorded, carried, row / (TRUTH_RATE * p->duration), q, NULL, scratch);
            carried_row(truth[row], want);
            sal_differentiate_pos(carried, v, 1, want, q);
            for (int i = 0; i < carried->nv; i++) {
                most = fmax(most, fabs(v[i]));
            }
        }
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return most;
}

static void it_stands_on_its_feet(void)
{
    sal_err err = {0};
    double own = 0;
    for (int k = 0; k < 3; k++) {
        const double up = k * .7 - .7;
        write_carried(0, TRUTH_ROWS, up);
        CHECK_OK(draft_carried(&err), err);
        own = k == 0 ? drafted_floor() + .7 : own;
        CHECK_NEAR(drafted_floor(), own + up, 2e-4);
        CHECK_NEAR(farthest(), 0, 4e-3);
    }
    CHECK(says(&draft_text, "slip=\"left_foot right_foot\""));
    CHECK(says(&draft_text, "impact=\"left_foot right_foot\""));
    CHECK(says(&draft_text, "<require penetration=\"0.025\" slip=\"0.1\"/>"));
    const char *smooth = strstr(draft_text.data, "<term name=\"smooth\"");
    CHECK(smooth != NULL && strstr(smooth, "left_knee") != NULL && strstr(smooth, "go_x") == NULL &&
          strstr(smooth, "turn_z") == NULL);
    CHECK_NEAR(attribute_of("go_z", "sigma"), .06, 1e-3);
    CHECK_NEAR(attribute_of("turn_y", "sigma"), .15, 1e-3);
    CHECK_NEAR(attribute_of("left_knee", "sigma"), .2, 1e-3);
}

/* Without its height nothing is known of the floor. */
static void a_height_that_was_not_recorded(void)
{
    sal_err err = {0};
    write_carried(3, TRUTH_ROWS, 0);
    CHECK_OK(draft_carried(&err), err);
    CHECK(says(&notes, "3 joints are not in the recording and stay near home: 'go_x', 'go_y', "
                       "'go_z'\n"));
    CHECK(strstr(draft_text.data, "<require") == NULL && strstr(draft_text.data, "floor=") == NULL);
}

/* An actuator that lifts it, or a spring: it is no robot that goes over a floor. */
static void what_is_held_is_not_carried(void)
{
    sal_model *own = carried;
    sal_err err = {0};
    char held[1000];
    snprintf(held, sizeof held, "%s",
             files_replace(carried_joints, "axis='0 0 -1'", "axis='0 0 -1' stiffness='1000'"));
    carried = load_carried(held, true);
    if (carried != NULL) {
        write_carried(0, TRUTH_ROWS, 0);
        CHECK_OK(draft_carried(&err), err);
        CHECK(strstr(draft_text.data, "<require") == NULL);
    }
    sal_model_free(carried);
    carried = own;
}

/* Else the floor would be taken to be at the knees. */
static void feet_that_cannot_touch_the_floor(void)
{
    sal_model *own = carried;
    sal_err err = {0};
    carried = load_carried(carried_joints, false);
    if (carried != NULL) {
        write_carried(0, TRUTH_ROWS, 0);
        CHECK(draft_carried(&err) == SAL_BADINPUT);
        CHECK(strstr(err.message,
                     "the ends of the robot's legs (left_foot, right_foot) have no geoms "
                     "that can touch the floor") != NULL);
    }
    sal_model_free(carried);
    carried = own;
}

int main(void)
{
    make_truth();
    carried = load_carried(carried_joints, true);
    RUN(it_stands_on_its_feet);
    RUN(a_height_that_was_not_recorded);
    RUN(what_is_held_is_not_carried);
    RUN(feet_that_cannot_touch_the_floor);
    sal_model_free(carried);
    forget_truth();
    files_remove();
    return check_done();
}
