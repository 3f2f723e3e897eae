/* A result as the JSON object of `solve --json` and `info --json`, and as lines for people. */
#include "cli/cli.h"

#include "base/house.h"
#include "problems/result/result.h"
#include "runs/runs.h"

#include <math.h>
#include <string.h>

static const char *joint_of(const sal_result *result, int dof)
{
    const sal_model *m = result->model;
    return m == NULL || dof < 0 || dof >= m->nv
               ? ""
               : sal_model_name(m, SAL_OBJ_JOINT, m->dof_jntid[dof]);
}

static void extreme_json(sal_json *json, const char *key, const sal_result *result,
                         const prb_extreme *e)
{
    sal_json_object(json, key);
    sal_json_number(json, "max", e->max);
    sal_json_integer(json, "dof", e->dof);
    sal_json_string(json, "joint", joint_of(result, e->dof));
    sal_json_number(json, "time", e->time);
    sal_json_end(json);
}

static void dynamics_json(sal_json *json, const sal_result *result)
{
    sal_json_object(json, "dynamics");
    extreme_json(json, "force", result, &result->force);
    extreme_json(json, "torque", result, &result->torque);
    sal_json_number(json, "relative_to_weight", result->relative_to_weight);
    sal_json_number(json, "tolerance", result->physical_tolerance);
    sal_json_number(json, "weight", result->weight);
    sal_json_end(json);
}

static void terms_json(sal_json *json, const sal_result *result)
{
    sal_json_array(json, "terms");
    for (int i = 0; i < result->nterm; i++) {
        sal_json_object(json, NULL);
        sal_json_string(json, "name", result->term[i].name);
        sal_json_number(json, "value", result->term[i].value);
        sal_json_number(json, "share", result->term[i].share);
        sal_json_end(json);
    }
    sal_json_end(json);
    sal_json_array(json, "constraints");
    for (int i = 0; i < result->nconstraint; i++) {
        sal_json_object(json, NULL);
        sal_json_string(json, "name", result->constraint[i].name);
        sal_json_string(json, "what", result->constraint[i].what);
        sal_json_string(json, "unit", result->constraint[i].unit);
        sal_json_number(json, "violation", result->constraint[i].violation);
        sal_json_number(json, "tolerance", result->constraint[i].tolerance);
        sal_json_number(json, "time", result->constraint[i].time);
        sal_json_end(json);
    }
    sal_json_end(json);
}

void cli_requirements_json(sal_json *json, const sal_result *result)
{
    sal_json_array(json, "requirements");
    for (int i = 0; i < result->nrequirement; i++) {
        const prb_requirement_report *q = result->requirement + i;
        sal_json_object(json, NULL);
        sal_json_string(json, "name", q->name);
        sal_json_string(json, "what", q->what);
        sal_json_string(json, "unit", q->unit);
        sal_json_number(json, "found", q->found);
        sal_json_number(json, "allowed", q->allowed);
        sal_json_bool(json, "met", prb_requirement_is_met(q));
        sal_json_number(json, "time", q->time);
        sal_json_end(json);
    }
    sal_json_end(json);
}

void cli_recorded_json(sal_json *json, const sal_result *result)
{
    sal_recorded recorded;
    sal_err err = {0};
    bool known;
    const sal_status status = sal_recorded_compare(&recorded, &known, result, &err);
    if (status == SAL_OK && known) {
        sal_recorded_json(json, &recorded);
    } else if (status != SAL_OK) {
        sal_json_string(json, "recording", err.message);
    }
    sal_recorded_clear(&recorded);
}

void cli_recorded_text(sal_text *out, const sal_result *result)
{
    sal_recorded recorded;
    sal_err err = {0};
    bool known;
    const sal_status status = sal_recorded_compare(&recorded, &known, result, &err);
    if (status == SAL_OK && known) {
        sal_recorded_text(out, &recorded);
    } else if (status != SAL_OK) {
        sal_text_format(out, "  recording: %s\n", err.message);
    }
    sal_recorded_clear(&recorded);
}

static void diagnosis_json(sal_json *json, const sal_result *result)
{
    sal_json_array(json, "diagnosis");
    for (int i = 0; i < result->nfinding; i++) {
        const sal_finding *f = result->finding + i;
        sal_json_object(json, NULL);
        sal_json_string(json, "kind", f->kind);
        sal_json_integer(json, "level", f->level);
        sal_json_string(json, "what", f->what);
        sal_json_number(json, "value", f->value);
        sal_json_number(json, "time", f->time);
        sal_json_string(json, "text", f->text);
        sal_json_end(json);
    }
    sal_json_end(json);
}

/* What each phase of the winning start ended with. */
static void stages_json(sal_json *json, const sal_result *result)
{
    sal_json_array(json, "stages");
    int first = 0; /* linearisations before the phase */
    for (int i = 0; i < result->niteration; i++) {
        const prb_iteration *now = &result->iteration[i], *next = now + 1;
        const bool last = i + 1 == result->niteration || next->start != now->start ||
                          strcmp(next->phase, now->phase) != 0;
        if (now->start != result->start || !last) {
            continue;
        }
        sal_json_object(json, NULL);
        sal_json_string(json, "phase", now->phase);
        sal_json_integer(json, "iterations", now->linearisation - first);
        sal_json_number(json, "softness", now->softness);
        sal_json_number(json, "cost", now->cost);
        sal_json_number(json, "violation", now->violation);
        sal_json_end(json);
        first = now->linearisation;
    }
    sal_json_end(json);
}

static void markers_json(sal_json *json, const sal_result *r)
{
    if (r->nmarker == 0) {
        return;
    }
    sal_json_array(json, "markers");
    for (int i = 0; i < r->nmarker; i++) {
        sal_json_object(json, NULL);
        sal_json_string(json, "site", r->marker[i].site);
        sal_json_numbers(json, "offset", r->marker[i].offset, 3);
        sal_json_end(json);
    }
    sal_json_end(json);
}

void cli_result_json(sal_json *json, const sal_result *result, const char *path)
{
    sal_json_object(json, NULL);
    sal_json_string(json, "status", result->status);
    sal_json_integer(json, "exit_code", result->exit_code);
    prb_verdict_json(json, result);
    sal_json_string(json, "problem", result->problem_name);
    sal_json_number(json, "cost", result->cost);
    sal_json_integer(json, "iterations", result->optim.linearisations);
    sal_json_number(json, "seconds", result->seconds);
    sal_json_integer(json, "evaluations", result->optim.evaluations);
    sal_json_integer(json, "factorisations", result->optim.factorisations);
    prb_work_json(json, result);
    sal_json_integer(json, "start", result->start);
    sal_json_integer(json, "seed", (long long)result->seed);
    sal_json_integer(json, "nstep", result->nstep);
    sal_json_number(json, "timestep", result->timestep);
    sal_json_number(json, "duration", result->nstep * result->timestep);
    if (sal_identification_of(result) == NULL) {
        sal_json_numbers(json, "travel", result->travel, 3);
        if (isfinite(result->floor.height)) {
            sal_json_number(json, "floor", result->floor.height);
        }
        if (isfinite(result->floor.slope[0])) {
            sal_json_numbers(json, "floor_slope", result->floor.slope, 2);
        }
        markers_json(json, result);
        dynamics_json(json, result);
        terms_json(json, result);
        cli_requirements_json(json, result);
        cli_recorded_json(json, result);
    } else {
        cli_identification_json(json, "estimate", sal_identification_of(result));
    }
    diagnosis_json(json, result);
    stages_json(json, result);
    sal_json_string(json, "result", path);
    sal_json_end(json);
}

/* The force that is missing, and what the motion costs. */
static void motion_lines(const sal_result *result)
{
    fprintf(stderr, "  unactuated force relative to the weight %.3g (physical: at most %.3g)\n",
            result->relative_to_weight, result->physical_tolerance);
    const prb_recorded_floor *floor = &result->floor;
    if (isfinite(floor->height)) {
        fprintf(stderr, "  floor of the recordings: %.1f mm %s that of the model\n",
                1000 * fabs(floor->height), floor->height < 0 ? "under" : "over");
    }
    if (isfinite(floor->slope[0])) {
        fprintf(stderr, "  floor of the recordings: rises by %.2f degrees along x, %.2f along y\n",
                atan(floor->slope[0]) / SAL_DEGREE, atan(floor->slope[1]) / SAL_DEGREE);
    }
    if (result->nmarker > 0) {
        int farthest = 0;
        const double rms = prb_markers_beside(result, &farthest);
        fprintf(stderr, "  markers beside their sites: %.1f mm rms, farthest %s\n", 1000 * rms,
                result->marker[farthest].site);
    }
    for (int i = 0; i < result->nterm; i++) {
        fprintf(stderr, "  term %-20s %12.6g %5.1f %%\n", result->term[i].name,
                result->term[i].value, 100 * result->term[i].share);
    }
    sal_text text = {0};
    cli_recorded_text(&text, result);
    fputs(text.failed || text.data == NULL ? "" : text.data, stderr);
    sal_text_clear(&text);
}

/* The verdict, and findings of that level and above */
static void judgement_lines(const sal_result *result, int level)
{
    sal_text text = {0};
    if (result->judged) {
        char verdict[PRB_VERDICT];
        prb_verdict(result, verdict);
        sal_text_format(&text, "  verdict: %s\n", verdict);
    }
    for (int i = 0; i < result->nfinding; i++) {
        const sal_finding *f = result->finding + i;
        if (f->level >= level) {
            sal_text_format(&text, "  %s: %s\n", f->kind, f->text);
        }
    }
    cli_put(text.failed || text.data == NULL ? "" : text.data);
    sal_text_clear(&text);
}

void cli_result_lines(const sal_result *result, bool verbose)
{
    fprintf(stderr, "%s: cost %.6g after %d iterations\n", result->status, result->cost,
            result->optim.linearisations);
    if (sal_identification_of(result) == NULL) {
        motion_lines(result);
    } else {
        sal_text text = {0};
        cli_identification_lines(&text, sal_identification_of(result));
        fputs(text.failed || text.data == NULL ? "" : text.data, stderr);
        sal_text_clear(&text);
    }
    judgement_lines(result, verbose ? 0 : 1);
}

void cli_work_lines(const sal_result *result)
{
    double sum = 0;
    for (int k = 0; k < SAL_NWORK; k++) {
        sum += result->work[k];
    }
    fprintf(stderr, "  %d linearisations, %d factorisations, %d evaluations, %.3g s\n",
            result->optim.linearisations, result->optim.factorisations, result->optim.evaluations,
            sum);
    for (int k = 0; k < SAL_NWORK && sum > 0; k++) {
        fprintf(stderr, "  time %-20s %12.3g %5.1f %%\n", sal_work_name((sal_work)k),
                result->work[k], 100 * result->work[k] / sum);
    }
}

int cli_result_show(const cli_arguments *a, const sal_result *result, const char *path,
                    const char *next)
{
    if (!a->given[CLI_OPT_QUIET]) {
        const bool open = result->exit_code == CLI_EXIT_INTERRUPTED;
        cli_result_lines(result, a->given[CLI_OPT_VERBOSE]);
        if (a->given[CLI_OPT_VERBOSE]) {
            cli_work_lines(result);
        }
        fprintf(stderr, "result: %s%s%s%s\n", path, open ? " (best so far; " : "", open ? next : "",
                open ? ")" : "");
    } else if (result->exit_code != CLI_EXIT_OK && !a->given[CLI_OPT_JSON]) { /* which says it */
        cli_say("%s: exit code %d", result->status, result->exit_code);
        judgement_lines(result, 2);
    }
    if (!a->given[CLI_OPT_JSON]) {
        return result->exit_code;
    }
    sal_text text = {0};
    sal_json json = {.out = &text, .lines = true};
    cli_result_json(&json, result, path);
    sal_text_add(&text, "\n");
    const int code = cli_write(a, &text, NULL);
    sal_text_clear(&text);
    return code == CLI_EXIT_OK ? result->exit_code : code;
}
