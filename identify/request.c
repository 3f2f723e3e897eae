/* request.c: what a problem file asks for: a motion, or an identification. */
#include "identify/request.h"

#include "identify/identification.h"
#include "identify/result_part.h"
#include "problems/result/result.h"
#include "problems/solve/fingerprint.h"
#include "runs/runs.h"

#include <string.h>

/* ---- reading ---- */

static sal_identification *read_identification(prb_reader *r)
{
    sal_identification *i = prb_reader_alloc(r, 1, sizeof *i);
    if (i != NULL) {
        prb_read_data(r);
        idn_read_parameters(r, i);
        idn_read_settings(r, i);
        idn_read_contact_model(r);
    }
    return i;
}

/* motions: whether a problem of motion will do as well. */
static sal_status read_kind(sal_request *t, bool motions, const char *path,
                            const sal_problem_options *options, prb_known_model *known,
                            sal_diag *diag, sal_err *err)
{
    sal_diag own = {0};
    prb_reader r = {.diag = diag == NULL ? &own : diag, .known = known};
    sal_identification *i = NULL;
    sal_status status = SAL_OK;
    *t = (sal_request){0};
    if (prb_read_head(&r, path, options, &status, err)) {
        if (prb_reader_identifies(&r)) {
            i = read_identification(&r);
        } else if (motions) {
            prb_read_motion(&r);
        } else {
            sal_diag_error(r.diag, r.doc.root->place,
                           "add <estimate/>, or read it with "
                           "sal_problem_read or sal_request_read",
                           "without <estimate> the file does not ask for an identification");
        }
    }
    status = prb_read_end(&r, path, status, err);
    if (i != NULL) {
        i->base = r.p;
        t->identification = i;
    } else {
        t->motion = r.p;
    }
    if (status != SAL_OK) {
        sal_request_clear(t);
    }
    sal_diag_clear(&own);
    return status;
}

sal_status sal_request_read(sal_request *t, const char *path, const sal_problem_options *options,
                            sal_diag *diag, sal_err *err)
{
    return read_kind(t, true, path, options, NULL, diag, err);
}

sal_status idn_request_read(sal_request *t, const char *path, const sal_problem_options *options,
                            prb_known_model *known, sal_diag *diag, sal_err *err)
{
    return read_kind(t, true, path, options, known, diag, err);
}

sal_status sal_identification_read(sal_identification **i, const char *path,
                                   const sal_problem_options *options, sal_diag *diag, sal_err *err)
{
    sal_request t;
    const sal_status status = read_kind(&t, false, path, options, NULL, diag, err);
    *i = t.identification;
    return status;
}

void sal_request_clear(sal_request *t)
{
    sal_problem_free(t->motion);
    sal_identification_free(t->identification);
    *t = (sal_request){0};
}

/* ---- what both kinds have ---- */

static const sal_problem *base_of(const sal_request *t)
{
    return t->motion != NULL ? t->motion : t->identification->base;
}

const char *sal_request_name(const sal_request *t)
{
    return base_of(t)->name;
}

const sal_model *sal_request_model(const sal_request *t)
{
    return base_of(t)->model;
}

const char *sal_request_model_path(const sal_request *t)
{
    return base_of(t)->model_path;
}

int sal_request_nstart(const sal_request *t)
{
    return prb_starts_most(base_of(t));
}

sal_status sal_request_has_result(bool *has, const sal_request *t, const sal_result *r,
                                  sal_err *err)
{
    const sal_problem *p = base_of(t);
    prb_fingerprint print;
    sal_status status = SAL_OK;
    *has = strcmp(r->sha256_problem, p->sha256_problem) == 0 &&
           strcmp(r->sha256_model, p->sha256_model) == 0 && p->problem_xml != NULL &&
           strcmp(r->problem_xml, p->problem_xml) == 0;
    if (*has && r->sha256_data[0] != 0) {
        status = prb_fingerprint_of(p, &print, err);
        *has = status == SAL_OK && strcmp(r->sha256_data, print.data) == 0;
    }
    return status;
}

sal_status sal_request_checkpoint_look(const sal_request *t, const char *folder,
                                       int *linearisations, bool *found, sal_err *err)
{
    return sal_checkpoint_look(base_of(t), folder, linearisations, found, err);
}

/* ---- solving ---- */

sal_status sal_request_solve(sal_result **result, const sal_request *t, int nthread,
                             const sal_watch *watch, sal_err *err)
{
    sal_status status =
        t->motion != NULL
            ? sal_problem_reach(result, t->motion, nthread, watch, err)
            : sal_identification_solve(result, t->identification, nthread, watch, err);
    if (*result != NULL) { /* one that failed too */
        prb_fingerprint_data(base_of(t), (*result)->sha256_data);
    }
    return status;
}

void idn_request_figure_names(sal_text *names, const sal_request *t)
{
    if (t->identification != NULL) {
        idn_figure_names(names, t->identification);
    } else {
        prb_figure_names(names, t->motion);
    }
}
