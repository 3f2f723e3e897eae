/* Examples from guesses that really differ, each from one start: what share ends in a good gait. */
#include "tests/check.h"
#include "tests/problems/measure.h"
#include "tests/problems/solve_file.h"

#include "problems/result/result.h"

enum { SEEDS_MOST = 8 };

typedef struct gait {
    const char *name;
    int seeds;
    double penetration, slip; /* m, m/s: at most */
    const char *left, *right; /* geoms of the feet; NULL: they need not pass */
    double clearance, flat;   /* m: of the swinging foot, at least; of the standing one, at most */
    int flight;               /* steps, at least */
} gait;

typedef struct tally {
    int physical, good;
    double cost[SEEDS_MOST];
} tally;

static sal_result *solve(const char *name, int seed)
{
    char file[128], digits[16];
    snprintf(file, sizeof file, "examples/%s.xml", name);
    snprintf(digits, sizeof digits, "%d", seed);
    const sal_setting settings[] = {
        {"init/nstart", "1"}, {"init/noise", "0.1"}, {"init/seed", digits}};
    return solve_file(file, &(sal_problem_options){.setting = settings, .nsetting = 3});
}

static bool is_good(const gait *g, const sal_result *r)
{
    const measure x = measure_result(r);
    bool good = x.penetration <= g->penetration && x.slip <= g->slip && x.flight >= g->flight &&
                x.excess <= 1e-6;
    printf("  cost %.4f, penetration %.1f mm, slip %.3f m/s, %d steps of flight", r->cost,
           1e3 * x.penetration, x.slip, x.flight);
    if (g->left != NULL) {
        const passing p = measure_passing(r, g->left, g->right);
        printf(", swing foot %.0f mm high, standing foot %.0f mm", 1e3 * p.swing, 1e3 * p.stance);
        good = good && p.step >= 0 && p.swing >= g->clearance && p.stance <= g->flat;
    }
    printf("%s\n", good ? "" : "  not good");
    return good;
}

/* Solves from each seed and counts. The cost of what is not physical is infinite. */
static tally count(const gait *g)
{
    tally n = {0};
    printf("%s\n", g->name);
    for (int k = 0; k < g->seeds; k++) {
        sal_result *r = solve(g->name, k + 1);
        const bool physical = r != NULL && r->exit_code == 0 && r->relative_to_weight <= 1e-10;
        n.cost[k] = physical ? r->cost : (double)INFINITY;
        n.physical += physical;
        n.good += physical && is_good(g, r);
        sal_result_free(r);
    }
    return n;
}

static void walks_are_alike(void)
{
    const gait g = {"walker_walk",    8, 0.008, 0.05, "left_foot", "right_foot", 0.03,
                    (double)INFINITY, 0};
    const tally n = count(&g);
    double best = (double)INFINITY;
    int near_best = 0;
    for (int k = 0; k < g.seeds; k++) {
        best = fmin(best, n.cost[k]);
    }
    for (int k = 0; k < g.seeds; k++) {
        near_best += n.cost[k] <= 1.2 * best;
    }
    CHECK(n.physical == 8);
    CHECK(near_best >= 6);
}

static void hops_are_good(void)
{
    const gait g = {"hopper_hop", 4, 0.012, 0.35, NULL, NULL, 0, 0, 0};
    CHECK(count(&g).good == 4);
}

static void people_walk_on_flat_feet(void)
{
    const gait g = {"humanoid_walk",
                    4,
                    0.008,
                    0.05,
                    "left_foot_outer left_foot_inner",
                    "right_foot_outer right_foot_inner",
                    0.02,
                    0.01,
                    0};
    CHECK(count(&g).good == 4);
}

static void runs_fly(void)
{
    const gait g = {"walker_run", 8, 0.01, 0.1, NULL, NULL, 0, 0, 2};
    CHECK(count(&g).good >= 7);
}

int main(void)
{
    RUN(walks_are_alike);
    RUN(hops_are_good);
    RUN(people_walk_on_flat_feet);
    RUN(runs_fly);
    return check_done();
}
