/* read_motion.c: the states of a table or of a result that an attribute names. */
#include "problems/language/reader.h"
#include "problems/recordings/read_states.h"

#include <string.h>

sal_result *prb_reader_result(prb_reader *r, const sal_xml *element, const char *name)
{
    sal_result *result = NULL;
    sal_err why = {0};
    char *path = prb_reader_file(r, element, name);
    const sal_status status = path == NULL ? SAL_NOMEM : sal_result_read(&result, path, &why);
    if (status == SAL_NOMEM) {
        r->nomem = true;
    } else if (status != SAL_OK) {
        sal_diag_error(r->diag, prb_reader_place(element, name),
                       "give the file result.h5 that saltus solve writes", "%s", why.message);
    }
    sal_free(path);
    return result;
}

static sal_status read_table(prb_reader *r, prb_states *s, const double *pose,
                             const sal_xml *element, sal_err *why)
{
    const sal_model *m = r->p->model;
    const int before = r->diag->nerror;
    char *path = prb_reader_file(r, element, "file");
    sal_status status =
        path == NULL ? SAL_NOMEM
                     : prb_states_read(s, m, path, pose == NULL ? m->qpos0 : pose, r->diag, why);
    if (status == SAL_BADINPUT && r->diag->nerror > before) {
        sal_diag_error(r->diag, prb_reader_place(element, "file"), NULL,
                       "the table '%.200s' has errors", path);
    } else if (status != SAL_OK && status != SAL_NOMEM) {
        sal_diag_error(r->diag, prb_reader_place(element, "file"),
                       "the path is relative to the problem file", "%s", why->message);
    }
    sal_free(path);
    return status;
}

bool prb_reader_states(prb_reader *r, prb_states *s, const double *pose, const sal_xml *element,
                       const char *name)
{
    sal_err why = {0};
    sal_status status = SAL_BADINPUT;
    if (strcmp(name, "file") == 0) {
        status = read_table(r, s, pose, element, &why);
    } else {
        sal_result *result = prb_reader_result(r, element, name);
        if (result != NULL) {
            status = prb_states_of_result(s, r->p->model, result, 1, false, &why);
            if (status == SAL_BADINPUT) {
                sal_diag_error(r->diag, prb_reader_place(element, name), NULL, "%s", why.message);
            }
        }
        sal_result_free(result);
    }
    r->nomem = r->nomem || status == SAL_NOMEM;
    return status == SAL_OK;
}
