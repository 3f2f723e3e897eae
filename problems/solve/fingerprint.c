/* fingerprint.c: what a problem and its model are known by. */
#include "problems/solve/fingerprint.h"

#include "base/house.h"
#include "problems/problem.h"
#include "problems/recordings/data.h"

#include <stdio.h>
#include <string.h>

/* The recordings as they were read: their files may change, and the problem not. */
static void add_data(sal_sha256 *sha, const prb_dataset *data)
{
    for (int i = 0; data != NULL && i < data->nrecording; i++) {
        const prb_recording *r = data->recording + i;
        const size_t n = (size_t)r->nsample * (size_t)data->nvalue;
        sal_sha256_add(sha, &r->dt, sizeof r->dt);
        sal_sha256_add(sha, &r->start, sizeof r->start);
        sal_sha256_add(sha, r->value, n * sizeof *r->value);
    }
}

sal_status prb_fingerprint_of(const sal_problem *p, prb_fingerprint *print, sal_err *err)
{
    sal_text model = {0};
    sal_sha256 sha;
    memset(print, 0, sizeof *print);
    snprintf(print->version, sizeof print->version, "%s", sal_version_text());
    sal_sha256_begin(&sha);
    sal_sha256_add(&sha, p->sha256_problem, sizeof p->sha256_problem);
    if (p->problem_xml != NULL) {
        sal_sha256_add(&sha, p->problem_xml, strlen(p->problem_xml));
    }
    add_data(&sha, p->data);
    sal_sha256_end(&sha, print->problem);
    const sal_status status = sal_model_write(p->model, &model, err);
    if (status == SAL_OK) {
        sal_sha256_begin(&sha);
        sal_sha256_add(&sha, p->sha256_model, sizeof p->sha256_model);
        sal_sha256_add(&sha, model.data, model.length);
        sal_sha256_end(&sha, print->model);
    }
    sal_text_clear(&model);
    return status;
}

sal_status prb_fingerprint_agree(const sal_ranks *ranks, const prb_fingerprint *own, sal_err *err)
{
    prb_fingerprint first = *own;
    const sal_status status =
        ranks == NULL ? SAL_OK : ranks->broadcast(ranks->ctx, &first, sizeof first, err);
    if (status != SAL_OK) {
        return status;
    }
    const char *what = strcmp(first.version, own->version) != 0   ? "version of saltus"
                       : strcmp(first.problem, own->problem) != 0 ? "problem or other settings"
                       : strcmp(first.model, own->model) != 0     ? "model or other settings"
                                                                  : NULL;
    return what == NULL ? SAL_OK
                        : sal_fail(err, SAL_BADINPUT, "rank %d has another %s than rank 0",
                                   ranks->rank, what);
}
