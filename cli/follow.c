/* follow.c: saltus follow. */
#include "cli/cli.h"
#include "cli/places.h"

#include "guide/guide.h"
#include "runs/runs.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OUT_recording.csv beside the problem OUT.xml. */
static void name_recording(const char *output, char path[PATH_MAX])
{
    const char *slash = strrchr(output, '/'), *base = slash == NULL ? output : slash + 1;
    const char *dot = strrchr(base, '.');
    const size_t length = dot == NULL || dot == base ? strlen(output) : (size_t)(dot - output);
    snprintf(path, PATH_MAX, "%.*s_recording.csv", (int)length, output);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* The problem, and the table of poses that it reads, if there is one. */
static int write_problem(const cli_arguments *a, const sal_text *problem, const sal_text *table,
                         const char *path)
{
    const int code = cli_write(a, problem, a->value[CLI_OPT_OUTPUT]);
    return code == CLI_EXIT_OK && table->length > 0 ? cli_write(a, table, path) : code;
}

static bool read_request(const cli_arguments *a, sal_follow_request *r)
{
    const bool robot = a->given[CLI_OPT_ROBOT], person = a->given[CLI_OPT_PERSON];
    r->format = a->value[CLI_OPT_FORMAT];
    r->clip = a->value[CLI_OPT_CLIP];
    r->rate = a->given[CLI_OPT_RATE] ? a->rate : (double)NAN;
    r->timestep = a->timestep; /* of `model` it is known when the model is read */
    if (robot == person) {
        cli_say(robot ? "error: --robot and --person exclude each other"
                      : "error: --robot is missing: the model that is to follow the recording (or "
                        "--person, for markers)");
    } else if (a->given[CLI_OPT_PLATES] && a->given[CLI_OPT_SWEEP]) {
        cli_say("error: --plates is for one recording, not with --sweep");
    } else if (a->given[CLI_OPT_CLIP] && a->given[CLI_OPT_SWEEP]) {
        cli_say("error: --clip is the name of one recording in a file, not with --sweep");
    } else if (robot && a->given[CLI_OPT_PLATES]) {
        cli_say("error: --plates is for recordings of persons, not with --robot");
    } else {
        return true;
    }
    return false;
}

/* Inverse dynamics with measured forces, of the problem in `text`. */
static int use_plates(const cli_arguments *a, const sal_text *text)
{
    const char *output = a->value[CLI_OPT_OUTPUT];
    const char *ending = output == NULL ? NULL : strrchr(output, '.');
    sal_text notes = {0};
    sal_result *result = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    if (ending == NULL || strcmp(ending, ".h5") != 0) {
        cli_say("error: --plates computes the forces of a motion; -o must name a result (OUT.h5)");
        return CLI_EXIT_USAGE;
    }
    sal_status status =
        sal_plates_inverse(&result, &notes, text->data, a->value[CLI_OPT_PLATES], &diag, &err);
    cli_say_lines(a, &notes); /* also what was found before an error */
    int code = cli_show(a, status, &diag, &err);
    if (code == CLI_EXIT_OK) {
        code = cli_may_write(a, output, CLI_CONTENT_HDF5);
    }
    if (code == CLI_EXIT_OK) {
        status = sal_result_write(result, output, &err);
        code = status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
    }
    sal_text_clear(&notes);
    sal_result_free(result);
    return code;
}

int cli_follow(const cli_arguments *a)
{
    sal_model *m;
    char clip[PATH_MAX], model[PATH_MAX], table[PATH_MAX] = "";
    sal_text text = {0}, notes = {0}, recording = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    sal_follow_request request = {0};
    if (!read_request(a, &request)) {
        return CLI_EXIT_USAGE;
    }
    const bool robot = a->given[CLI_OPT_ROBOT];
    const char *path = a->value[robot ? CLI_OPT_ROBOT : CLI_OPT_PERSON];
    int code = cli_read_model(a, path, &m);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    if (a->given[CLI_OPT_TIMESTEP] && strcmp(a->value[CLI_OPT_TIMESTEP], "model") == 0) {
        request.timestep = m->opt.timestep;
    }
    if (a->given[CLI_OPT_SWEEP]) {
        code = cli_follow_sweep(a, m, &request);
        sal_model_free(m);
        return code;
    }
    const bool plates = a->given[CLI_OPT_PLATES];
    request.clip_name = plates ? a->file[0] : cli_path_in_file(a, a->file[0], clip);
    request.model_name = plates ? path : cli_path_in_file(a, path, model);
    if (a->given[CLI_OPT_OUTPUT] && !cli_writes_out(a)) {
        name_recording(a->value[CLI_OPT_OUTPUT], table);
        request.recording = &recording;
        request.recording_name = base_name(table);
    }
    const sal_status status =
        robot ? sal_follow_draft(&text, &notes, NULL, m, a->file[0], &request, &diag, &err)
              : sal_follow_markers(&text, &notes, NULL, m, a->file[0], &request, &diag, &err);
    code = cli_show(a, status, &diag, &err);
    if (code == CLI_EXIT_OK) {
        cli_say_lines(a, &notes);
        code = plates ? use_plates(a, &text) : write_problem(a, &text, &recording, table);
    }
    sal_text_clear(&text);
    sal_text_clear(&notes);
    sal_text_clear(&recording);
    sal_model_free(m);
    return code;
}
