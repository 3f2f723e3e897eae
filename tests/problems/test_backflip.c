/* A back-flip: the example as it stands, and each of its starts alone. From rest to rest, turned by
 * -2 pi, in the air on the way; nothing but feet touches the floor. Judged by the states and the
 * contacts of the result, and by a simulation of its controls. */
#include "tests/problems/example.h"

#include "problems/result/result.h"

static const double PI = 3.14159265358979323846;

/* N: the largest sum of normal forces of a step on anything but the feet. */
static double load_elsewhere(const sal_result *r)
{
    const int left = sal_model_find(r->model, SAL_OBJ_GEOM, "left_foot");
    const int right = sal_model_find(r->model, SAL_OBJ_GEOM, "right_foot");
    double most = 0;
    for (int t = 0; t < r->nstep; t++) {
        double sum = 0;
        for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
            const int geom = r->contact_geom[2 * k + 1];
            sum += geom == left || geom == right ? 0 : r->contact_force[6 * k];
        }
        most = fmax(most, sum);
    }
    return most;
}

/* N: sum of the normal forces of a step. */
static double load_at(const sal_result *r, int t)
{
    double sum = 0;
    for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
        sum += r->contact_force[6 * k];
    }
    return sum;
}

/* How far the pose at the end is from that at the start, but for the turn and for where it stands:
 * rad. */
static double pose_left(const sal_result *r)
{
    const double *from = r->qpos, *to = r->qpos + r->nstep * r->model->nq;
    double most = fabs(to[2] - from[2] + 2 * PI);
    for (int j = 3; j < r->model->nq; j++) {
        most = fmax(most, fabs(to[j] - from[j]));
    }
    return most;
}

/* Share of the weight that the floor does not carry, or carries in excess, at both ends. */
static double unrest(const sal_result *r)
{
    const double first = fabs(load_at(r, 0) - r->weight);
    return fmax(first, fabs(load_at(r, r->nstep - 1) - r->weight)) / r->weight;
}

static double speed_at_end(const sal_result *r)
{
    double most = 0;
    for (int i = 0; i < r->model->nv; i++) {
        most = fmax(most, fabs(r->qvel[r->nstep * r->model->nv + i]));
    }
    return most;
}

static void is_a_backflip(const sal_result *r, const measure *x)
{
    CHECK_NEAR(pose_left(r), 0, 1e-12);
    CHECK_NEAR(speed_at_end(r), 0, 1e-12);
    CHECK(r->relative_to_weight <= 1e-10 && x->excess <= 1e-6);
    CHECK(load_elsewhere(r) <= 1e-3 * r->weight);
    CHECK(unrest(r) <= 0.02);
    /* g T^2 / 8 = .15 m: higher than a hop */
    CHECK(x->flight * r->timestep >= 0.35);
}

static void backflip(void)
{
    measure x = {0};
    sal_result *r = example_solve("backflip", &x);
    if (r == NULL) {
        return;
    }
    is_a_backflip(r, &x);
    const figure figures[] = {{"pose_left", pose_left(r), 1e-12},
                              {"load_elsewhere", load_elsewhere(r) / r->weight, 1e-3},
                              {"unrest", unrest(r), 0.02},
                              {"slip", x.slip, 0.1},
                              {"penetration", x.penetration, 0.015}};
    example_log("backflip", r, figures, 5);
    sal_result_free(r);
}

static sal_result *start_alone(const char *seed)
{
    const sal_setting settings[] = {{"init/seed", seed}, {"init/nstart", "1"}};
    const sal_problem_options options = {.setting = settings, .nsetting = 2};
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK_OK(sal_problem_read(&p, example_path("backflip.xml"), &options, &diag, &err), err);
    if (p != NULL) {
        CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return r;
}

/* A landing on one foot sinks deeper than the example's best, which is on both. */
static void each_start_is_one(void)
{
    static const char *const seeds[] = {"1", "2", "3", "4"};
    for (int i = 0; i < 4; i++) {
        sal_result *r = start_alone(seeds[i]);
        if (r == NULL) {
            continue;
        }
        const measure x = measure_result(r);
        printf("    seed %s: %s, cost %.3f, unactuated %.1e, penetration %.1f mm, slip %.3f m/s, "
               "%.2f s of flight\n",
               seeds[i], r->status, r->cost, r->relative_to_weight, 1e3 * x.penetration, x.slip,
               x.flight * r->timestep);
        is_a_backflip(r, &x);
        CHECK(x.penetration <= 0.02);
        example_replays(r);
        sal_result_free(r);
    }
}

int main(void)
{
    RUN(backflip);
    RUN(each_start_is_one);
    return check_done();
}
