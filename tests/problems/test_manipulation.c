/* Things moved by touching them: the search begins with a pose that is held and touches nothing,
 * and finds where and when to push. Each is solved as it stands and judged by its result alone and
 * by where its controls lead. */
#include "tests/problems/example.h"

#include "problems/result/result.h"

/* The steps, of the result's own forces, in which geom `name` is pushed. *first: the first of
 * them. */
static int steps_touched(const sal_result *r, const char *name, int *first)
{
    const int geom = sal_model_find(r->model, SAL_OBJ_GEOM, name);
    int count = 0;
    CHECK(geom >= 0);
    *first = r->nstep;
    for (int t = r->nstep - 1; t >= 0; t--) {
        bool touched = false;
        for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
            const bool about = r->contact_geom[2 * k] == geom || r->contact_geom[2 * k + 1] == geom;
            touched = touched || (about && r->contact_force[6 * k] > 0);
        }
        count += touched;
        *first = touched ? t : *first;
    }
    return count;
}

/* How far from its last position the controls alone lead, through the forward dynamics from the
 * start. */
static double astray(const sal_result *r)
{
    sal_replay replay = {0};
    sal_err err = {0};
    CHECK_OK(sal_result_replay(&replay, r, false, &err), err);
    const double last = replay.nstep > 0 ? replay.rollout_qpos[replay.nstep - 1] : (double)INFINITY;
    sal_replay_clear(&replay);
    return last;
}

static double joint_end(const sal_result *r, const char *name)
{
    const int joint = sal_model_find(r->model, SAL_OBJ_JOINT, name);
    CHECK(joint >= 0);
    return joint < 0 ? (double)NAN
                     : r->qpos[r->nstep * r->model->nq + r->model->jnt_qposadr[joint]];
}

/* A finger turns a spinner that no motor drives: 90 % of 2 rad at least. */
static void spinner(void)
{
    measure x;
    int first;
    sal_result *r = example_solve("spinner", &x);
    if (r != NULL) {
        const int touched = steps_touched(r, "spinner", &first);
        const figure figures[] = {{"missing", 1 - joint_end(r, "spinner") / 2, 0.1},
                                  {"driven_past", astray(r), 1e-3},
                                  {"penetration", x.penetration, 0.01}};
        printf("    pushed in %d steps, first at %d\n", touched, first);
        CHECK(r->nstep == 40);
        CHECK_NEAR(r->timestep, 0.05, 1e-15);
        CHECK(r->qpos[2] == 0 && r->qvel[2] == 0);
        CHECK(first > 0 && touched > 0);
        example_log("spinner", r, figures, 3);
    }
    sal_result_free(r);
}

/* Two palms, 35 cm from the box at first, lift it by .4 m: its pose to .1. */
static void two_arms_lift(void)
{
    measure x;
    int first[2];
    sal_result *r = example_solve("two_arms_lift", &x);
    if (r != NULL) {
        const int left = steps_touched(r, "left_palm", first),
                  right = steps_touched(r, "right_palm", first + 1);
        const double pose =
            fmax(fmax(fabs(joint_end(r, "box_x")), fabs(joint_end(r, "box_z") - 0.4)),
                 fabs(joint_end(r, "box_y")));
        const figure figures[] = {{"pose", pose, 0.1},
                                  {"driven_past", astray(r), 1e-3},
                                  {"penetration", x.penetration, 0.01}};
        printf("    palms push in %d and %d steps, first at %d and %d\n", left, right, first[0],
               first[1]);
        CHECK(r->nstep == 20);
        CHECK_NEAR(r->timestep, 0.05, 1e-15);
        CHECK(first[0] > 0 && first[1] > 0 && left > 0 && right > 0);
        example_log("two_arms_lift", r, figures, 3);
    }
    sal_result_free(r);
}

/* The cube's centre to .005 m of the goal, in the coordinates that it is about, and at rest. */
static void box_to(const char *name, const double goal[3], const int *axes, int n)
{
    measure x;
    sal_result *r = example_solve(name, &x);
    if (r != NULL) {
        double miss = 0, speed = 0;
        for (int i = 0; i < n; i++) {
            miss += pow(r->qpos[r->nstep * 7 + axes[i]] - goal[axes[i]], 2);
        }
        for (int i = 0; i < 6; i++) {
            speed = fmax(speed, fabs(r->qvel[r->nstep * 6 + i]));
        }
        const figure figures[] = {{"goal", sqrt(miss), 0.005},
                                  {"speed", speed, 1e-9},
                                  {"penetration", x.penetration, 0.01}};
        CHECK(r->nstep == 10);
        CHECK_NEAR(r->timestep, 0.1, 1e-15);
        example_log(name, r, figures, 3);
    }
    sal_result_free(r);
}

static void box_right(void)
{
    const int axes[] = {0, 1}; /* how high, is the floor's to say */
    box_to("box_right", (double[]){1, 0, 0}, axes, 2);
}

static void box_up(void)
{
    const int axes[] = {0, 1, 2};
    box_to("box_up", (double[]){0, 0, 1.25}, axes, 3);
}

int main(void)
{
    RUN(spinner);
    RUN(two_arms_lift);
    RUN(box_right);
    RUN(box_up);
    return check_done();
}
