/* example.h: an example solved as it stands, held against its log and against what makes it a good
 * motion. */
#ifndef SAL_TESTS_PROBLEMS_EXAMPLE_H
#define SAL_TESTS_PROBLEMS_EXAMPLE_H

#include "tests/check.h"
#include "tests/problems/example_log.h"
#include "tests/problems/measure.h"

#include "problems/result/result.h"
#include "runs/runs.h"

static inline const char *example_path(const char *name)
{
    static char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/examples/%s", root == NULL ? "." : root, name);
    return path;
}

/* Each step, driven by ctrl alone, leads to the next. */
static inline void example_replays(const sal_result *r)
{
    sal_replay replay = {0};
    sal_err err = {0};
    CHECK_OK(sal_result_replay(&replay, r, false, &err), err);
    CHECK_NEAR(replay.onestep_qpos, 0, 1e-8);
    CHECK_NEAR(replay.onestep_qvel, 0, 1e-8);
    sal_replay_clear(&replay);
}

/* Solves examples/NAME.xml with its own starts; what every result must be is checked. NULL if there
 * is none. The caller frees. */
/* What the rows add to the terms is all of them. */
static inline void example_costs_add_up(const sal_result *r)
{
    for (int k = 0; k < r->nterm; k++) {
        double sum = 0;
        for (int t = 0; t <= r->nstep; t++) {
            sum += r->term_over_time[t * r->nterm + k];
        }
        CHECK(isnan(sum) || fabs(sum - r->term[k].value) <= 1e-14 * fabs(sum));
    }
}

static inline sal_result *example_solve(const char *name, measure *x)
{
    char file[128];
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(file, sizeof file, "%s.xml", name);
    CHECK_OK(sal_problem_read(&p, example_path(file), NULL, &diag, &err), err);
    if (p != NULL) {
        CHECK_OK(sal_problem_solve(&r, p, 2, NULL, &err), err);
    }
    if (r != NULL) {
        *x = measure_result(r);
        printf("%s: %s, cost %.4f, %d linearisations, unactuated %.1e of the weight, seed %lu; "
               "speed %.4f m/s, "
               "ctrl^2 %.3f, penetration %.1f mm, slip %.3f m/s, %d steps of flight\n",
               name, r->status, r->cost, r->optim.linearisations, r->relative_to_weight, r->seed,
               x->speed, x->ctrl2, 1e3 * x->penetration, x->slip, x->flight);
        CHECK_TEXT(r->status, "converged");
        CHECK(r->exit_code == 0);
        CHECK(x->excess <= 1e-6);
        example_costs_add_up(r);
        example_replays(r);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return r;
}

/* m/s, m, m/s */
typedef struct limits {
    double speed;
    double penetration;
    double slip;
} limits;

/* A gait at its speed that neither sinks into the floor nor skids. */
static inline void example_gait(const char *name, const sal_result *r, const measure *x,
                                limits most)
{
    const figure figures[] = {{"speed_error", fabs(x->speed - most.speed), 0.01 * most.speed},
                              {"penetration", x->penetration, most.penetration},
                              {"slip", x->slip, most.slip}};
    example_log(name, r, figures, 3);
}

/* The swinging foot passes the standing one with all its ends `clearance` above the floor; the
 * standing one is flat to `flat`. */
static inline void example_feet_pass(const sal_result *r, const char *left, const char *right,
                                     double clearance, double flat)
{
    const passing p = measure_passing(r, left, right);
    printf("    feet pass at step %d: swing foot %.1f mm over the floor, standing foot %.1f mm\n",
           p.step, 1e3 * p.swing, 1e3 * p.stance);
    CHECK(p.step >= 0);
    CHECK(p.swing >= clearance);
    CHECK(p.stance <= flat);
}

#endif
