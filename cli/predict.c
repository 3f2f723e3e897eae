/* predict.c: the verb: recordings predicted by forward simulation, with given parameters. */
#include "cli/folder.h"
#include "cli/places.h"

#include "identify/identify.h"
#include "problems/result/result.h"

/* The problem of a result: as its own file says, with what the result found. */
static int read_of_result(const cli_arguments *a, sal_request *request, sal_result **found)
{
    cli_places p;
    int code = cli_read_result(a, a->file[0], found);
    if (code == CLI_EXIT_OK && sal_identification_of(*found) == NULL) {
        cli_say("error: '%.300s' is the result of a motion, not of an identification; 'replay' "
                "steps it through forward dynamics",
                a->file[0]);
        code = CLI_EXIT_BADINPUT;
    }
    code = code == CLI_EXIT_OK ? cli_find_problem(a, &p) : code;
    if (code == CLI_EXIT_OK) {
        cli_arguments of = *a;
        of.file[0] = p.problem;
        code = cli_read_request(&of, request);
    }
    return code;
}

static int read(const cli_arguments *a, sal_request *request, sal_result **found)
{
    cli_kind kind;
    sal_err err = {0};
    *request = (sal_request){0};
    int code = cli_sniff(a, a->file[0], &kind);
    if (code == CLI_EXIT_OK) {
        code = kind == CLI_KIND_RESULT ? read_of_result(a, request, found)
                                       : cli_read_request(a, request);
    }
    if (code == CLI_EXIT_OK && request->identification == NULL) {
        cli_say("error: '%.300s' has no <estimate>, so it names no recordings to predict",
                a->file[0]);
        code = CLI_EXIT_BADINPUT;
    }
    if (code == CLI_EXIT_OK && *found != NULL) {
        const sal_status status =
            sal_identification_take(request->identification, sal_identification_of(*found), &err);
        code = status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
    }
    return code;
}

static int predict(const cli_arguments *a, const sal_request *request, cli_folder *folder)
{
    sal_err err = {0};
    sal_result *result = NULL;
    sal_status status =
        sal_identification_predict(&result, request->identification, a->nthread, &err);
    if (status != SAL_OK) {
        cli_folder_drop(folder);
    } else {
        status = cli_folder_seal(folder, a, result, &err);
    }
    const int code =
        status == SAL_OK
            ? cli_result_show(a, result, cli_folder_file(folder, "result.h5"), "predict again")
            : cli_fail(a, status, &err);
    sal_result_free(result);
    return code;
}

int cli_predict(const cli_arguments *a)
{
    sal_request request;
    cli_folder folder;
    sal_err err = {0};
    sal_result *found = NULL;
    char name[128];
    int code = read(a, &request, &found);
    sal_status status = SAL_OK;
    if (code == CLI_EXIT_OK) {
        snprintf(name, sizeof name, "%.100s.predict", sal_request_name(&request));
        status = cli_folder_name(&folder, a, name, &err);
    }
    if (code == CLI_EXIT_OK && status == SAL_OK) {
        code = cli_folder_check(&folder, a);
        status = code == CLI_EXIT_OK ? cli_folder_open(&folder, &err) : SAL_OK;
    }
    if (code == CLI_EXIT_OK && status == SAL_OK) {
        code = predict(a, &request, &folder);
        cli_folder_close(&folder);
    }
    sal_request_clear(&request);
    sal_result_free(found);
    return status == SAL_OK ? code : cli_fail(a, status, &err);
}
