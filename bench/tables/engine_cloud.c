/* engine_cloud.c: Table 2 of Todorov, Erez, Tassa (IROS 2012): seconds for cost, gradient and
 * Hessian of a trajectory. */
#include "bench/stopwatch.h"
#include "bench/tables/tables.h"
#include "bench/tables/trajectory.h"

#include <stdio.h>

static void print_pose(const table_effort *effort, trajectory_pose pose, double paper)
{
    trajectory w;
    char what[96];
    sal_err err = {SAL_OK, ""};
    const sal_status status = trajectory_open(&w, pose, &err);
    if (status != SAL_OK) {
        print_remark(err.message);
    } else {
        const race r = stopwatch_race(trajectory_linearise, &w, trajectory_evaluate, &w,
                                      effort->rounds, effort->batch, STOPWATCH_THREAD);
        snprintf(what, sizeof what, "cost, gradient, Hessian; %.2f contacts that push",
                 trajectory_contacts(&w));
        print_ratio(what, paper, r.a);
    }
    trajectory_close(&w);
}

void engine_cloud(const table_effort *effort)
{
    print_title("Todorov, Erez, Tassa 2012, Table 2",
                "cost, gradient, Hessian of 30 steps of 18 dofs, one thread");
    print_remark("The paper: 3.33 GHz X5860; central differences, 3150 states (linear cloud), an "
                 "interior-point "
                 "method for the contacts. Its humanoid is not published.");
    print_remark(
        "Here: bench/problems/table2.xml, of the same size; soft; exact derivatives in place of "
        "states. The 4 contacts are those of leaning on the toes.");
    print_remark("Not reproduced: the quadratic cloud of 42930 states (there is none: the Hessian "
                 "is Gauss and "
                 "Newton's), and the rows of 24 threads (they need 24 of them).");
    print_head("linear cloud", "s: less is faster");
    print_pose(effort, TRAJECTORY_FLAT, 0.071);
    print_pose(effort, TRAJECTORY_TOES, 0.046);
    print_pose(effort, TRAJECTORY_ABOVE, 0.014);
}
