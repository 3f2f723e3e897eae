#include "cli/cli.h"

#include "runs/runs.h"

#include <math.h>
#include <string.h>

/* rad in a step */
static const double TURN_FAR = 0.5;

static bool go_on(void *user, double time)
{
    (void)user;
    (void)time;
    return !cli_stop_asked();
}

/* ---- what is said about it ---- */

static void json_discrepancy(sal_json *json, const char *name, const sal_simulation *s, int i)
{
    sal_json_object(json, name);
    sal_json_number(json, "max", s->fwdinv[i]);
    sal_json_number(json, "time", s->fwdinv_time[i]);
    sal_json_end(json);
}

static int show_json(const cli_arguments *a, const sal_simulation *s, sal_status status, int code)
{
    sal_text text = {0};
    sal_json json = {.out = &text, .lines = true};
    sal_json_object(&json, NULL);
    sal_json_string(&json, "status",
                    status == SAL_OK            ? "simulated"
                    : status == SAL_INTERRUPTED ? "interrupted"
                                                : "diverged");
    sal_json_integer(&json, "exit_code", code);
    sal_json_integer(&json, "steps", s->nstep);
    sal_json_number(&json, "timestep", s->timestep);
    sal_json_number(&json, "begin", s->begin);
    sal_json_number(&json, "end", s->end);
    sal_json_object(&json, "solver");
    sal_json_number(&json, "mean_iterations", s->nstep > 0 ? (double)s->iterations / s->nstep : 0);
    sal_json_integer(&json, "most_iterations", s->most_iterations);
    sal_json_integer(&json, "unconverged", s->unconverged);
    sal_json_number(&json, "gradient", s->gradient);
    sal_json_end(&json);
    sal_json_object(&json, "indefinite");
    sal_json_integer(&json, "dof", s->indefinite_dof);
    sal_json_number(&json, "time", s->indefinite_dof < 0 ? (double)NAN : s->indefinite_time);
    sal_json_end(&json);
    sal_json_object(&json, "turn");
    sal_json_number(&json, "max", s->turn);
    sal_json_integer(&json, "joint", s->turn_joint);
    sal_json_integer(&json, "step", s->turn_step);
    sal_json_end(&json);
    if (a->given[CLI_OPT_FWDINV]) {
        sal_json_object(&json, "fwdinv");
        json_discrepancy(&json, "constraint", s, 0);
        json_discrepancy(&json, "applied", s, 1);
        sal_json_end(&json);
    }
    if (a->given[CLI_OPT_OUTPUT]) {
        sal_json_string(&json, "output", a->value[CLI_OPT_OUTPUT]);
    }
    sal_json_end(&json);
    sal_text_add(&text, "\n");
    const int written = cli_write(a, &text, NULL);
    sal_text_clear(&text);
    return written != CLI_EXIT_OK ? written : code;
}

static void show_lines(const cli_arguments *a, const sal_simulation *s, const sal_model *m)
{
    if (a->given[CLI_OPT_QUIET]) {
        return;
    }
    if (s->unconverged > 0 && m->opt.contact.model == SAL_CONTACT_HARD) {
        cli_say(
            "warning: the solver of the contact model hard found no solution in %d of %d steps, "
            "first at %.9g s; a smaller timestep or a larger --kappa may help",
            s->unconverged, s->nstep, s->unconverged_time);
    } else if (s->unconverged > 0 && !sal_contact_model_is_invertible(m->opt.contact.model)) {
        cli_say("warning: the contact model %s found no exact forces in %d of %d steps, first at "
                "%.9g s: its conditions are met to %.2g of the velocities of contacts; a smaller "
                "timestep, less friction or less overlap may help",
                sal_contact_model_name(m->opt.contact.model), s->unconverged, s->nstep,
                s->unconverged_time, s->gradient);
    } else if (s->unconverged > 0) {
        cli_say("warning: the constraint solver reached its limit of %d iterations in %d of %d "
                "steps, first at %.9g s; raise option/iterations in the model%s",
                m->opt.iterations, s->unconverged, s->nstep, s->unconverged_time,
                m->opt.solver == SAL_SOLVER_NEWTON ? "" : ", or use --solver Newton");
    }
    if (s->indefinite_dof >= 0) {
        const int dof = s->indefinite_dof;
        char joint[SAL_LABEL_MAX], body[SAL_LABEL_MAX];
        cli_say("warning: the mass matrix is not positive definite at dof %d (%s, %s), first at "
                "%.9g s: accelerations have no meaning there; check inertias and armature, or "
                "keep away from poses in which two joints move the same way",
                dof, sal_model_label(m, SAL_OBJ_JOINT, m->dof_jntid[dof], joint),
                sal_model_label(m, SAL_OBJ_BODY, m->dof_bodyid[dof], body), s->indefinite_time);
    }
    if (s->turn > TURN_FAR) {
        char joint[SAL_LABEL_MAX];
        cli_say(
            "warning: %s turns by %.3g rad in step %d, which ends at %.9g s; "
            "more than %g rad in a step is too far for the integrator, whose errors then change "
            "the momentum; use a smaller option/timestep in the model",
            sal_model_label(m, SAL_OBJ_JOINT, s->turn_joint, joint), s->turn, s->turn_step,
            s->begin + s->turn_step * s->timestep, TURN_FAR);
    }
    if (a->given[CLI_OPT_FWDINV]) {
        fprintf(stderr,
                "fwdinv: constraint forces differ by at most %.3g (at %.9g s), applied forces by "
                "%.3g (at %.9g s)\n",
                s->fwdinv[0], s->fwdinv_time[0], s->fwdinv[1], s->fwdinv_time[1]);
    }
    fprintf(stderr, "%d steps of %.9g s, from %.9g to %.9g s\n", s->nstep, s->timestep, s->begin,
            s->end);
}

/* ---- the verb ---- */

static int write_output(const cli_arguments *a, const sal_text *table, const sal_result *result)
{
    sal_err err = {0};
    if (result == NULL) {
        return cli_write(a, table, a->value[CLI_OPT_OUTPUT]);
    }
    const char *path = a->value[CLI_OPT_OUTPUT];
    const int code = cli_may_write(a, path, CLI_CONTENT_HDF5);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    const sal_status status = sal_result_write(result, path, &err);
    return status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
}

static int simulate(const cli_arguments *a, const sal_model *m)
{
    const char *output = a->value[CLI_OPT_OUTPUT], *how = a->value[CLI_OPT_INTERPOLATE];
    const bool wants_result = output != NULL && sal_text_ends(output, ".h5");
    const bool wants_table = !wants_result && (output != NULL || !a->given[CLI_OPT_JSON]);
    sal_simulate_options options = {.time = a->time,
                                    .key = a->value[CLI_OPT_KEY],
                                    .controls = a->value[CLI_OPT_CONTROLS],
                                    .linear = how != NULL && strcmp(how, "linear") == 0,
                                    .fwdinv = a->given[CLI_OPT_FWDINV],
                                    .go_on = go_on};
    sal_simulation s;
    sal_text table = {0};
    sal_result *result = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    cli_catch_stop();
    const sal_status status = sal_simulate(&s, m, &options, wants_table ? &table : NULL,
                                           wants_result ? &result : NULL, &diag, &err);
    int code = CLI_EXIT_OK;
    if (status == SAL_OK || status == SAL_DIVERGED || status == SAL_INTERRUPTED) {
        if (wants_table || wants_result) {
            code = write_output(a, &table, result);
        }
        if (code == CLI_EXIT_OK) {
            code = status == SAL_OK            ? CLI_EXIT_OK
                   : status == SAL_INTERRUPTED ? CLI_EXIT_INTERRUPTED
                                               : CLI_EXIT_STOPPED;
            show_lines(a, &s, m);
            if (status != SAL_OK) {
                cli_say("error: %s", err.message);
            }
            if (a->given[CLI_OPT_JSON]) {
                code = show_json(a, &s, status, code);
            }
        }
        sal_diag_clear(&diag);
    } else {
        code = cli_show(a, status, &diag, &err);
    }
    sal_text_clear(&table);
    sal_result_free(result);
    return code;
}

int cli_simulate(const cli_arguments *a)
{
    const char *output = a->value[CLI_OPT_OUTPUT];
    sal_model *m;
    if (output != NULL && !cli_writes_out(a) && !sal_text_ends(output, ".csv") &&
        !sal_text_ends(output, ".h5")) {
        cli_say("error: -o must name a table (OUT.csv) or a result (OUT.h5); it is '%.200s'",
                output);
        return CLI_EXIT_USAGE;
    }
    if (a->given[CLI_OPT_INTERPOLATE] && !a->given[CLI_OPT_CONTROLS]) {
        cli_say(
            "error: --interpolate has no effect without --controls; add --controls or remove it");
        return CLI_EXIT_USAGE;
    }
    int code = cli_read_model(a, a->file[0], &m);
    if (code == CLI_EXIT_OK) {
        cli_warn_still(a, m);
        m->opt.solver = a->given[CLI_OPT_SOLVER] ? a->solver : m->opt.solver;
        code = cli_check_output(a);
        code = code == CLI_EXIT_OK ? simulate(a, m) : code;
        sal_model_free(m);
    }
    return code;
}
