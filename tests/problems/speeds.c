#include "tests/problems/speeds.h"

#include "problems/result/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double RUN = 2.5;                        /* m/s: from here on it has to fly */
static const double SLIP_WALK = 0.05, SLIP_RUN = 0.1; /* m/s */
static const double PENETRATION = 0.01;               /* m */
static const double SPEED_ERROR = 0.01;               /* relative */
static const double FLAT = 0.015;                     /* m: ends of a standing foot in mid-stance */

const sweep speeds_sweeps[SPEEDS_SWEEPS] = {
    {"walker_gait", 0.6, 3.5, 0.1, NULL, NULL},
    {"humanoid_gait", 0.5, 3.5, 0.5, "left_foot_outer left_foot_inner",
     "right_foot_outer right_foot_inner"},
};

static const char *root(void)
{
    const char *path = getenv("SALTUS_ROOT");
    return path == NULL ? "." : path;
}

static bool judge(const sweep *s, double speed, cell *c)
{
    const bool run = speed >= RUN - 1e-9;
    return c->physical && fabs(c->of.speed - speed) <= SPEED_ERROR * speed &&
           (!run || c->of.flight > 0) && c->of.slip <= (run ? SLIP_RUN : SLIP_WALK) &&
           c->of.penetration <= PENETRATION && (s->left == NULL || run || c->stance <= FLAT);
}

bool speeds_solve(const sweep *s, double speed, cell *c)
{
    char path[1024], text[64];
    const sal_setting setting = {"travel/speed", text};
    const sal_problem_options options = {.setting = &setting, .nsetting = 1};
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(path, sizeof path, "%s/examples/%s.xml", root(), s->name);
    snprintf(text, sizeof text, "%.10g", speed);
    *c = (cell){.stance = (double)NAN};
    sal_status status = sal_problem_read(&p, path, &options, &diag, &err);
    status = status == SAL_OK ? sal_problem_solve(&r, p, 2, NULL, &err) : status;
    if (status == SAL_OK) {
        c->physical = r->exit_code == 0 && r->relative_to_weight <= r->physical_tolerance;
        c->of = measure_result(r);
        c->linearisations = r->optim.linearisations;
        c->duration = r->nstep * r->timestep;
        if (s->left != NULL) {
            const passing pass = measure_passing(r, s->left, s->right);
            c->stance = pass.step < 0 ? c->stance : pass.stance;
        }
        c->good = judge(s, speed, c);
    } else {
        printf("%s: %s%s\n", path, err.message, diag.text.data == NULL ? "" : diag.text.data);
    }
    sal_diag_clear(&diag);
    sal_result_free(r);
    sal_problem_free(p);
    return status == SAL_OK;
}
