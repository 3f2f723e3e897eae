/* hard_problems.c: Table III of Howell et al. ("Dojo"): motions planned through contact, by its
 * hard contact model and by MuJoCo's; ours by the same two, from the same starts. */
#include "bench/tables/tables.h"

#include "problems/problems.h"
#include "problems/result/result.h"
#include "runs/runs.h"

#include <stdio.h>
#include <stdlib.h>

/* Cost, violation, iterations, as the paper has them */
typedef struct planned {
    const char *what, *file, *hard, *soft;
} planned;

static const planned problems[] = {
    {"box right", "examples/box_right.xml", "14.5, 30", "13.5, 95"},
    {"box up", "examples/box_up.xml", "14.5, 106", "failure"},
    {"hopper", "examples/hopper_hop.xml", "8.9, 96", "26.7, 66"},
    {"quadruped", "bench/problems/quadruped_trot.xml", "2e-2, 20", NULL},
};

static sal_result *plan(const char *file, const char *contact)
{
    const char *root = getenv("SALTUS_ROOT");
    const sal_setting setting[] = {{"solver/contactmodel", contact}, {"solver/reach", "0.3"}};
    const sal_problem_options options = {.setting = setting, .nsetting = 2};
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", root == NULL ? "." : root, file);
    table_check(sal_problem_read(&p, path, &options, &diag, &err), path);
    sal_diag_clear(&diag);
    table_check(sal_problem_solve(&r, p, 1, NULL, &err), path);
    sal_problem_free(p);
    return r;
}

static void print_plan(const planned *p, const char *contact, const char *paper)
{
    char what[64], note[PRB_VERDICT + 64], verdict[PRB_VERDICT];
    sal_result *r = plan(p->file, contact);
    sal_replay replay = {0};
    sal_err err = {0};
    prb_verdict(r, verdict);
    table_check(sal_result_replay(&replay, r, false, &err), "replay");
    snprintf(what, sizeof what, "%s, %s", p->what, contact);
    snprintf(note, sizeof note, "%s; each step repeated to %.0e", verdict, replay.onestep_qvel);
    print_row(what, paper, note, "%.4g, %d", r->cost, r->niteration);
    sal_replay_clear(&replay);
    sal_result_free(r);
}

void hard_problems(const table_effort *effort)
{
    (void)effort;
    print_title("Dojo, Table III", "motions planned through contact");
    print_remark("the costs are other ones than the paper's: compare models, not papers");
    print_remark("paper: hard is Dojo with iterative LQR, soft is MuJoCo; violation of the goal "
                 "1e-3 to 3e-3 there, below 1e-10 of the weight here");
    print_remark("repeated: by the contact model's own forward dynamics, m/s and rad/s");
    print_remark("iterations: ours of all four starts together");
    print_head("problem, contact model", "cost, iterations");
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        print_plan(problems + i, "hard", problems[i].hard);
        print_plan(problems + i, "soft", problems[i].soft);
    }
}
