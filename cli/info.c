#include "cli/figures.h"

#include "base/house.h"
#include "problems/result/result.h"
#include "runs/runs.h"

#include <math.h>
#include <string.h>

/* ---- contacts of a result, under load only: no force, no contact ---- */

static double deepest(const sal_result *result)
{
    double depth = 0;
    const int n = result->contact_offset == NULL ? 0 : result->contact_offset[result->nstep];
    for (int i = 0; i < n; i++) {
        depth = fmax(depth, -result->contact_dist[i]);
    }
    return depth;
}

/* Mean over steps and contacts, weighted by normal force. */
static double mean_slip(const sal_result *result)
{
    double sum = 0, load = 0;
    const int n = result->contact_offset == NULL ? 0 : result->contact_offset[result->nstep];
    for (int i = 0; i < n; i++) {
        sum += result->contact_force[6 * i] * result->contact_slip[i];
        load += result->contact_force[6 * i];
    }
    return load > 0 ? sum / load : 0;
}

static double mean_ctrl2(const sal_result *result)
{
    double sum = 0;
    const int nu = result->model->nu;
    for (int i = 0; i < result->nstep * nu; i++) {
        sum += result->ctrl[i] * result->ctrl[i];
    }
    return sum / result->nstep;
}

/* Figures that a motion without contacts does not have. */
static void figures_of_contact(cli_figures *f, const sal_result *result)
{
    sal_figure *figure = NULL;
    int n = 0;
    sal_err err;
    const sal_status status = sal_result_figures(result, &figure, &n, &err);
    for (int i = 0; i < n && status == SAL_OK; i++) {
        const sal_figure *q = figure + i;
        const bool wanted =
            strcmp(q->name, "peak_load") == 0 || strcmp(q->name, "stance_left") == 0;
        if (wanted && !isnan(q->value)) {
            cli_figures_number(f, q->name, q->value, strcmp(q->unit, "W") == 0 ? "weights" : "");
        }
    }
    f->text.failed = f->text.failed || status == SAL_NOMEM;
    sal_free(figure);
}

static void figures_floor(cli_figures *f, const prb_recorded_floor *floor)
{
    static const char *const name[] = {"floor_slope_x", "floor_slope_y"};
    if (isfinite(floor->height)) {
        cli_figures_number(f, "floor", floor->height,
                           "m, how far that of the recordings is over that of the model");
    }
    for (int i = 0; i < 2 && isfinite(floor->slope[i]); i++) {
        char unit[64];
        snprintf(unit, sizeof unit, "how that of the recordings rises along %c, %.3g degrees",
                 "xy"[i], atan(floor->slope[i]) / SAL_DEGREE);
        cli_figures_number(f, name[i], floor->slope[i], unit);
    }
}

static void figures_markers(cli_figures *f, const sal_result *r)
{
    int farthest = 0;
    if (r->nmarker > 0) {
        char unit[160];
        const double rms = prb_markers_beside(r, &farthest);
        snprintf(unit, sizeof unit, "m, rms, that %d markers are beside their sites; farthest: %s",
                 r->nmarker, r->marker[farthest].site);
        cli_figures_number(f, "markers", rms, unit);
    }
}

/* How the motion was, that was searched. */
static void figures_motion(cli_figures *f, const sal_result *result)
{
    const double duration = result->nstep * result->timestep;
    const bool arc = result->image != NULL && result->image->turning >= 0;
    const double length =
        arc ? fabs(result->image->arc) : hypot(result->travel[0], result->travel[1]);
    cli_figures_number(f, "speed", length / duration, "m/s");
    if (arc) {
        cli_figures_number(f, "turn", result->image->turn, "rad");
    }
    figures_floor(f, &result->floor);
    figures_markers(f, result);
    cli_figures_number(f, "unactuated", result->relative_to_weight, "of the weight");
    cli_figures_number(f, "weight", result->weight, "N");
    cli_figures_number(f, "penetration", deepest(result), "m");
    cli_figures_number(f, "slip", mean_slip(result), "m/s, weighted by normal force");
    cli_figures_number(f, "ctrl2", mean_ctrl2(result),
                       "mean over steps of the sum of ctrl squared");
    figures_of_contact(f, result);
    if (f->as_json) {
        cli_requirements_json(&f->json, result);
        cli_recorded_json(&f->json, result);
    }
    for (int i = 0; i < result->nterm && !f->as_json; i++) {
        sal_text_format(&f->text, "term           %s %.6g (%.1f %%)\n", result->term[i].name,
                        result->term[i].value, 100 * result->term[i].share);
    }
    if (!f->as_json) {
        cli_recorded_text(&f->text, result);
    }
}

static void figures_result(cli_figures *f, const sal_result *result)
{
    const double duration = result->nstep * result->timestep;
    cli_figures_text(f, "status", result->status);
    cli_figures_integer(f, "exit_code", result->exit_code);
    if (f->as_json) {
        prb_verdict_json(&f->json, result);
    } else if (result->judged) {
        char verdict[PRB_VERDICT];
        prb_verdict(result, verdict);
        cli_figures_text(f, "verdict", verdict);
    }
    cli_figures_text(f, "problem", result->problem_name);
    cli_figures_text(f, "version", result->version);
    cli_figures_integer(f, "start", result->start);
    cli_figures_integer(f, "seed", (long long)result->seed);
    cli_figures_number(f, "cost", result->cost, "");
    cli_figures_integer(f, "iterations", result->optim.linearisations);
    cli_figures_integer(f, "nstep", result->nstep);
    cli_figures_number(f, "duration", duration, "s");
    const sal_identification_result *found = sal_identification_of(result);
    if (found == NULL) {
        figures_motion(f, result);
    } else if (f->as_json) {
        cli_identification_json(&f->json, "estimate", found);
    } else {
        cli_identification_lines(&f->text, found);
    }
}

/* ---- the verb ---- */

/* The motion beside what plates measured. */
static int figures_plates(const cli_arguments *a, cli_figures *f, const sal_result *result)
{
    sal_plates_foot foot[SAL_PLATES_FEET];
    sal_result *measured;
    sal_err err = {0};
    const int code = cli_read_result(a, a->value[CLI_OPT_PLATES], &measured);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    const sal_status status = sal_plates_compare(foot, result, measured, &err);
    sal_result_free(measured);
    if (status != SAL_OK) {
        return cli_fail(a, status, &err);
    }
    if (f->as_json) {
        sal_plates_json(&f->json, foot);
    } else {
        sal_plates_text(&f->text, foot);
    }
    return CLI_EXIT_OK;
}

static int info_result(const cli_arguments *a, cli_figures *f)
{
    sal_result *result;
    int code = cli_read_result(a, a->file[0], &result);
    if (code == CLI_EXIT_OK) {
        figures_result(f, result);
        code = a->given[CLI_OPT_PLATES] ? figures_plates(a, f, result) : CLI_EXIT_OK;
        cli_figures_model(f, result->model);
        sal_result_free(result);
    }
    return code;
}

static int info_problem(const cli_arguments *a, cli_figures *f)
{
    sal_request request;
    const int code = cli_read_request(a, &request);
    if (code == CLI_EXIT_OK) {
        cli_figures_request(f, &request);
        cli_figures_model(f, sal_request_model(&request));
        sal_request_clear(&request);
    }
    return code;
}

static int info_model(const cli_arguments *a, cli_figures *f)
{
    sal_model *m;
    const int code = cli_read_model(a, a->file[0], &m);
    if (code == CLI_EXIT_OK) {
        cli_figures_text(f, "model", a->file[0]);
        cli_figures_model(f, m);
        cli_figures_objects(f, m);
        cli_warn_still(a, m);
        sal_model_free(m);
    }
    return code;
}

int cli_info(const cli_arguments *a)
{
    cli_kind kind;
    cli_figures f;
    int code = cli_sniff(a, a->file[0], &kind);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    if (a->given[CLI_OPT_PLATES] && kind != CLI_KIND_RESULT) {
        cli_say("error: --plates is for the figures of a result");
        return CLI_EXIT_USAGE;
    }
    cli_figures_begin(&f, a->given[CLI_OPT_JSON]);
    code = kind == CLI_KIND_RESULT    ? info_result(a, &f)
           : kind == CLI_KIND_PROBLEM ? info_problem(a, &f)
                                      : info_model(a, &f);
    if (code == CLI_EXIT_OK) {
        return cli_figures_print(&f, a);
    }
    sal_text_clear(&f.text);
    return code;
}
