/* export_csv.c: a result as a table for other programs. */
#include "problems/result/result.h"
#include "runs/runs.h"

#include <math.h>

typedef struct block { /* columns NAME0, NAME1, .. */
    const char *name;
    const double *data;
    int n;
} block;

static void add_row(sal_text *out, const block *blocks, size_t nblock, int t)
{
    for (size_t b = 0; b < nblock; b++) {
        for (int i = 0; i < blocks[b].n; i++) {
            sal_text_add(out, b + (size_t)i > 0 ? "," : "");
            sal_text_real(out, blocks[b].data[t * blocks[b].n + i], 17);
        }
    }
    sal_text_add(out, "\n");
}

sal_status sal_result_csv(const sal_result *r, sal_text *out, sal_err *err)
{
    const sal_model *m = r->model;
    const block blocks[] = {{"time", r->time, 1},
                            {"qpos", r->qpos, m->nq},
                            {"qvel", r->qvel, m->nv},
                            {"qacc", r->qacc, m->nv},
                            {"qfrc_inverse", r->qfrc_inverse, m->nv},
                            {"ctrl", r->ctrl, m->nu},
                            {"act", r->act, m->na}};
    const size_t nblock = sizeof blocks / sizeof blocks[0];
    sal_text_add(out, "time");
    for (size_t b = 1; b < nblock; b++) {
        for (int i = 0; i < blocks[b].n; i++) {
            sal_text_format(out, ",%s%d", blocks[b].name, i);
        }
    }
    sal_text_add(out, "\n");
    for (int t = 0; t <= r->nstep; t++) {
        add_row(out, blocks, nblock, t);
    }
    return out->failed ? sal_fail(err, SAL_NOMEM, "out of memory for a table of %d rows", r->nstep)
                       : SAL_OK;
}
