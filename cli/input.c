/* input.c: what the verbs read: problems, sweeps, models and results, with the settings of the
 * command line. */
#include "cli/cli.h"
#include "cli/folder.h"

#include <string.h>
#include <sys/stat.h>

static sal_mujoco compat(const cli_arguments *a)
{
    const char *word = a->value[CLI_OPT_COMPAT];
    return a->given[CLI_OPT_COMPAT] ? (sal_mujoco)sal_mujoco_named(word) : SAL_MUJOCO_314;
}

/* --compat is a setting like others, so that the problem kept with the result has it. */
static int read_with_settings(const cli_arguments *a, sal_request *request, sal_sweep **s)
{
    sal_diag diag = {0};
    sal_err err = {0};
    if (request != NULL) {
        *request = (sal_request){0};
    }
    sal_problem_options options = {.nsetting = a->nsetting, .mujoco = compat(a)};
    sal_setting *settings = sal_alloc((size_t)a->nsetting + 1, sizeof *settings);
    if (settings == NULL) {
        sal_fail(&err, SAL_NOMEM, "out of memory");
        return cli_fail(a, SAL_NOMEM, &err);
    }
    for (int i = 0; i < a->nsetting; i++) {
        settings[i] = a->setting[i];
    }
    if (a->given[CLI_OPT_COMPAT]) {
        settings[options.nsetting++] = (sal_setting){"model/compat", a->value[CLI_OPT_COMPAT]};
    }
    options.setting = settings;
    const sal_status status = request != NULL
                                  ? sal_request_read(request, a->file[0], &options, &diag, &err)
                                  : sal_sweep_read(s, a->file[0], &options, &diag, &err);
    sal_free(settings);
    return cli_show(a, status, &diag, &err);
}

int cli_read_request(const cli_arguments *a, sal_request *request)
{
    return read_with_settings(a, request, NULL);
}

int cli_read_sweep(const cli_arguments *a, sal_sweep **s)
{
    return read_with_settings(a, NULL, s);
}

sal_load_options cli_load_options(const cli_arguments *a)
{
    return (sal_load_options){.mujoco = compat(a), .setting = a->setting, .nsetting = a->nsetting};
}

sal_status cli_give_contact_model(const cli_arguments *a, sal_model *m, sal_err *err)
{
    sal_contact_option o, hard;
    if (!a->given[CLI_OPT_CONTACTMODEL]) {
        return SAL_OK;
    }
    sal_contact_defaults(&o, m, a->contact_model);
    sal_contact_defaults(&hard, m, SAL_CONTACT_HARD);
    o.firmest = a->given[CLI_OPT_VBARRIER] ? hard.firmest : o.firmest;
    o.kappa = a->given[CLI_OPT_KAPPA] ? a->kappa : o.kappa;
    return sal_model_contact(m, &o, err);
}

int cli_read_model(const cli_arguments *a, const char *path, sal_model **m)
{
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_load_options options = cli_load_options(a);
    sal_status status = sal_model_load(m, path, &options, &diag, &err);
    if (status == SAL_OK) {
        status = cli_give_contact_model(a, *m, &err);
        if (status != SAL_OK) {
            sal_model_free(*m);
            *m = NULL;
        }
    }
    return cli_show(a, status, &diag, &err);
}

/* The folder of a solve stands for the result in it, if there is one. */
static const char *result_path(const char *path, char *buffer, size_t n)
{
    struct stat info;
    const size_t length = strlen(path);
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return path;
    }
    snprintf(buffer, n, "%s%sresult.h5", path, length > 0 && path[length - 1] == '/' ? "" : "/");
    return stat(buffer, &info) == 0 ? buffer : path;
}

int cli_read_result(const cli_arguments *a, const char *path, sal_result **result)
{
    char buffer[4096];
    sal_err err = {0};
    const char *file = result_path(path, buffer, sizeof buffer);
    if (file == buffer) {
        cli_folder_settle(path);
    }
    const sal_status status = sal_request_read_result(result, file, &err);
    return status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
}

int cli_sniff(const cli_arguments *a, const char *path, cli_kind *kind)
{
    static const char hdf5[] = "\x89HDF\r\n\x1a\n"; /* HDF5 File Format Specification, II.A */
    char buffer[4096], head[8] = {0};
    const char *file = result_path(path, buffer, sizeof buffer);
    const size_t n = sal_text_read_head(file, head, sizeof head);
    if (file != path || (n == sizeof head && memcmp(head, hdf5, n) == 0)) {
        *kind = CLI_KIND_RESULT;
        return CLI_EXIT_OK;
    }
    sal_xml_doc doc;
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_status status = sal_xml_read_mixed(&doc, path, &diag, &err);
    const bool model = doc.root != NULL && (strcmp(doc.root->tag, "mujoco") == 0 ||
                                            strcmp(doc.root->tag, "robot") == 0);
    *kind = model ? CLI_KIND_MODEL : CLI_KIND_PROBLEM;
    int code = CLI_EXIT_OK; /* what is only a warning is said where the file is read in earnest */
    if (status == SAL_OK) {
        sal_diag_clear(&diag);
    } else {
        code = cli_show(a, status, &diag, &err);
    }
    sal_xml_free(&doc);
    return code;
}
