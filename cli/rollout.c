/* rollout.c: `replay` in a model of the user's. */
#include "cli/cli.h"

#include "problems/result/result.h"
#include "runs/runs.h"

#include <math.h>
#include <string.h>

enum { ROWS = 10 }; /* of the table */

static void joint_label(const sal_result *r, const sal_deviation *e, char label[SAL_LABEL_MAX])
{
    snprintf(label, SAL_LABEL_MAX, "no joint");
    if (e->id >= 0) {
        sal_model_label(r->model, SAL_OBJ_JOINT, e->id, label);
    }
}

static void body_label(const sal_result *r, const sal_deviation *e, char label[SAL_LABEL_MAX])
{
    snprintf(label, SAL_LABEL_MAX, "no body");
    if (e->id >= 0) {
        sal_model_label(r->model, SAL_OBJ_BODY, e->id, label);
    }
}

/* The step in row i of the table: parts of the time, the last at its end */
static int shown_step(const sal_rollout *p, int i, int rows)
{
    return (int)((long)(i + 1) * p->nstep / rows) - 1;
}

static int shown_rows(const sal_rollout *p)
{
    return p->nstep < ROWS ? p->nstep : ROWS;
}

/* ---- lines ---- */

static void departure_lines(sal_text *out, const sal_rollout *p, const sal_result *r,
                            double tolerance)
{
    char label[SAL_LABEL_MAX];
    if (p->joint_departs >= 0) {
        const sal_deviation *e = p->joint + p->joint_departs;
        joint_label(r, e, label);
        sal_text_format(out, "departs    at %.9g s: %s, by %.3g (m or rad; tolerance %.3g)\n",
                        p->time[p->joint_departs], label, e->value, tolerance);
    } else {
        sal_text_format(out, "departs    never by more than %.3g (m or rad)\n", tolerance);
    }
    if (p->body_departs >= 0) {
        const sal_deviation *e = p->body + p->body_departs;
        body_label(r, e, label);
        sal_text_format(out, "           at %.9g s: %s, by %.3g m\n", p->time[p->body_departs],
                        label, e->value);
    }
    if (!isnan(p->contact_time)) {
        sal_text_format(out,
                        "contact    differs first at %.9g s: %s and %s, %.3g N in the result, "
                        "%.3g N in the model\n",
                        p->contact_time, p->contact_body[0], p->contact_body[1],
                        p->contact_force[0], p->contact_force[1]);
    } else {
        sal_text_add(out, "contact    the same bodies touch each other all the time\n");
    }
}

static void end_lines(sal_text *out, const sal_rollout *p, bool feedback)
{
    if (!isnan(p->fall_time)) {
        sal_text_format(out,
                        "falls      at %.9g s: %s touches the ground, which it does nowhere in the "
                        "motion\n",
                        p->fall_time, p->fall_body);
    }
    if (feedback) {
        sal_text_format(out, "clipped    the feedback met the range of a control in %d rows\n",
                        p->clipped);
    }
    if (p->diverged) {
        sal_text_format(out, "diverges   after %d steps of %.9g s\n", p->nstep, p->timestep);
    } else {
        sal_text_format(out, "end        %d steps of %.9g s, %.9g s%s\n", p->nstep, p->timestep,
                        p->nstep * p->timestep, isnan(p->fall_time) ? "; no body falls" : "");
    }
}

static void rollout_lines(sal_text *out, const sal_rollout *p, const sal_result *r,
                          double tolerance, bool feedback)
{
    departure_lines(out, p, r, tolerance);
    end_lines(out, p, feedback);
    sal_text_format(out, "%12s %12s  %-28s %12s\n", "time (s)", "m or rad", "joint", "body (m)");
    for (int i = 0; i < shown_rows(p); i++) {
        const int k = shown_step(p, i, shown_rows(p));
        char joint[SAL_LABEL_MAX], body[SAL_LABEL_MAX];
        joint_label(r, p->joint + k, joint);
        body_label(r, p->body + k, body);
        sal_text_format(out, "%12.6g %12.3g  %-28s %12.3g  %s\n", p->time[k], p->joint[k].value,
                        joint, p->body[k].value, body);
    }
}

/* ---- JSON ---- */

static void json_name(sal_json *json, const char *key, const sal_result *r, sal_object type, int id)
{
    char name[PRB_COLUMN_NAME];
    if (id >= 0) {
        prb_object_name(name, r->model, type, id);
    }
    sal_json_string(json, key, id >= 0 ? name : NULL);
}

static void json_departure(sal_json *json, const char *key, const sal_rollout *p,
                           const sal_result *r, int step)
{
    const bool joint = strcmp(key, "joint") == 0;
    if (step < 0) {
        sal_json_string(json, key, NULL);
        return;
    }
    const sal_deviation *e = (joint ? p->joint : p->body) + step;
    sal_json_object(json, key);
    sal_json_number(json, "time", p->time[step]);
    json_name(json, "name", r, joint ? SAL_OBJ_JOINT : SAL_OBJ_BODY, e->id);
    sal_json_number(json, "value", e->value);
    sal_json_end(json);
}

static void json_contact(sal_json *json, const sal_rollout *p)
{
    if (isnan(p->contact_time)) {
        sal_json_string(json, "contact", NULL);
        return;
    }
    sal_json_object(json, "contact");
    sal_json_number(json, "time", p->contact_time);
    sal_json_array(json, "bodies");
    sal_json_string(json, NULL, p->contact_body[0]);
    sal_json_string(json, NULL, p->contact_body[1]);
    sal_json_end(json);
    sal_json_number(json, "force_result", p->contact_force[0]);
    sal_json_number(json, "force_model", p->contact_force[1]);
    sal_json_end(json);
}

static void json_table(sal_json *json, const sal_rollout *p, const sal_result *r)
{
    sal_json_array(json, "table");
    for (int i = 0; i < shown_rows(p); i++) {
        const int k = shown_step(p, i, shown_rows(p));
        sal_json_object(json, NULL);
        sal_json_number(json, "time", p->time[k]);
        sal_json_number(json, "joint_deviation", p->joint[k].value);
        json_name(json, "joint", r, SAL_OBJ_JOINT, p->joint[k].id);
        sal_json_number(json, "body_deviation", p->body[k].value);
        json_name(json, "body", r, SAL_OBJ_BODY, p->body[k].id);
        sal_json_end(json);
    }
    sal_json_end(json);
}

static void rollout_json(sal_json *json, const sal_rollout *p, const sal_result *r,
                         double tolerance)
{
    sal_json_object(json, NULL);
    sal_json_integer(json, "steps", p->nstep);
    sal_json_number(json, "timestep", p->timestep);
    sal_json_bool(json, "diverged", p->diverged);
    sal_json_number(json, "tolerance", tolerance);
    sal_json_object(json, "departs");
    json_departure(json, "joint", p, r, p->joint_departs);
    json_departure(json, "body", p, r, p->body_departs);
    json_contact(json, p);
    sal_json_end(json);
    sal_json_number(json, "fall_time", p->fall_time);
    sal_json_string(json, "fall_body", isnan(p->fall_time) ? NULL : p->fall_body);
    sal_json_integer(json, "clipped", p->clipped);
    json_table(json, p, r);
    sal_json_end(json);
}

/* ---- the verb ---- */

bool cli_asks_rollout(const cli_arguments *a)
{
    return a->given[CLI_OPT_MODEL] || a->given[CLI_OPT_FEEDBACK] || a->given[CLI_OPT_PUSH] ||
           a->given[CLI_OPT_NOISE] || a->given[CLI_OPT_TIME] || a->given[CLI_OPT_TOLERANCE] ||
           a->given[CLI_OPT_SET] || a->given[CLI_OPT_COMPAT];
}

static int show(const cli_arguments *a, const sal_rollout *rollout, const sal_result *result)
{
    sal_text text = {0};
    sal_json json = {.out = &text, .lines = true};
    if (a->given[CLI_OPT_JSON]) {
        rollout_json(&json, rollout, result, a->tolerance);
        sal_text_add(&text, "\n");
    } else {
        rollout_lines(&text, rollout, result, a->tolerance, a->given[CLI_OPT_FEEDBACK]);
    }
    const int code = cli_write(a, &text, NULL);
    sal_text_clear(&text);
    return code;
}

static int roll(const cli_arguments *a, const sal_result *result, const sal_model *model)
{
    sal_rollout_options options = {.time = a->time,
                                   .forces = a->given[CLI_OPT_FORCES],
                                   .tolerance = a->tolerance,
                                   .noise = a->noise,
                                   .push = {a->push[0], a->push[1]},
                                   .push_time = a->push_time};
    sal_gains *gains = NULL;
    sal_rollout rollout;
    sal_err err = {0};
    sal_status status = a->given[CLI_OPT_FEEDBACK] ? sal_gains_new(&gains, result, &err) : SAL_OK;
    options.gains = gains;
    if (status == SAL_OK) {
        status = sal_result_roll(&rollout, result, model, &options, &err);
    }
    int code = CLI_EXIT_OK;
    if (status != SAL_OK) {
        code = cli_fail(a, status, &err);
    } else {
        code = show(a, &rollout, result);
        sal_rollout_clear(&rollout);
    }
    sal_gains_free(gains);
    return code;
}

/* As the verb reads models, but in the behaviour of the result unless --compat says otherwise */
static int read_own(const cli_arguments *a, const sal_result *result, sal_model **m)
{
    sal_diag diag = {0};
    sal_err err = {0};
    sal_load_options options = cli_load_options(a);
    if (!a->given[CLI_OPT_COMPAT]) {
        options.mujoco = result->mujoco;
    }
    const sal_status status = sal_model_load(m, a->value[CLI_OPT_MODEL], &options, &diag, &err);
    return cli_show(a, status, &diag, &err);
}

/* Options that another one leaves without effect */
static int check(const cli_arguments *a)
{
    const char *why = NULL;
    if (!a->given[CLI_OPT_MODEL] && (a->given[CLI_OPT_SET] || a->given[CLI_OPT_COMPAT])) {
        why = "--set and --compat change the model of --model; add --model or remove them";
    } else if (a->given[CLI_OPT_NOISE] && !a->given[CLI_OPT_FEEDBACK]) {
        why = "--noise is that of the feedback; add --feedback or remove --noise";
    } else if (a->given[CLI_OPT_FORCES] && a->given[CLI_OPT_FEEDBACK]) {
        why = "--feedback acts by the controls; remove --forces or --feedback";
    }
    if (why != NULL) {
        cli_say("error: %s", why);
    }
    return why == NULL ? CLI_EXIT_OK : CLI_EXIT_USAGE;
}

int cli_rollout(const cli_arguments *a, const sal_result *result)
{
    sal_model *model = NULL;
    int code = check(a);
    if (code == CLI_EXIT_OK && a->given[CLI_OPT_MODEL]) {
        code = read_own(a, result, &model);
    }
    code = code == CLI_EXIT_OK ? roll(a, result, model) : code;
    sal_model_free(model);
    return code;
}
