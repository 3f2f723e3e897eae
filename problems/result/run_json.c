/* run_json.c: what differs from run to run and therefore stays out of the result. */
#include "problems/result/gait.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

void prb_work_json(sal_json *json, const sal_result *r)
{
    sal_json_object(json, "work");
    for (int k = 0; k < SAL_NWORK; k++) {
        sal_json_number(json, sal_work_name((sal_work)k), r->work[k]);
    }
    sal_json_end(json);
}

void prb_verdict_json(sal_json *json, const sal_result *r)
{
    char verdict[PRB_VERDICT];
    if (r->judged) {
        prb_verdict(r, verdict);
        sal_json_bool(json, "physical", prb_result_is_physical(r));
        sal_json_bool(json, "as_asked", r->as_asked);
        if (r->to_finish) {
            sal_json_bool(json, "finished", r->finished);
        }
        sal_json_string(json, "verdict", verdict);
    }
}

/* From whatever folder it will be read; one that is not there any more as it was named. */
static void file_json(sal_json *json, const char *key, const char *path)
{
    char whole[PATH_MAX];
    if (path != NULL) {
        sal_json_string(json, key, realpath(path, whole) == NULL ? path : whole);
    }
}

sal_status sal_result_run_json(const sal_result *r, int argc, const char *const *argv, int nthread,
                               sal_text *out, sal_err *err)
{
    sal_json j = {.out = out, .lines = true};
    struct utsname host;
    char machine[300];
    if (uname(&host) != 0) {
        memset(&host, 0, sizeof host);
    }
    snprintf(machine, sizeof machine, "%.80s %.80s %.80s", host.sysname, host.release,
             host.machine);
    sal_json_object(&j, NULL);
    sal_json_string(&j, "status", r->status);
    sal_json_integer(&j, "exit_code", r->exit_code);
    prb_verdict_json(&j, r);
    sal_json_string(&j, "problem", r->problem_name);
    file_json(&j, "problem_file", r->problem_path);
    file_json(&j, "model_file", r->model_path);
    sal_json_string(&j, "version", r->version);
    sal_json_string(&j, "git", r->git);
    sal_json_array(&j, "arguments");
    for (int i = 0; i < argc; i++) {
        sal_json_string(&j, NULL, argv[i]);
    }
    sal_json_end(&j);
    sal_json_integer(&j, "threads", nthread);
    sal_json_number(&j, "seconds", r->seconds);
    prb_work_json(&j, r);
    sal_json_string(&j, "host", host.nodename);
    sal_json_string(&j, "system", machine);
    sal_json_end(&j);
    sal_text_add(out, "\n");
    return out->failed ? sal_fail(err, SAL_NOMEM, "out of memory for run.json") : SAL_OK;
}
