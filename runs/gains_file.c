/* gains_file.c: gains with the motion that they are about, as a table and as a part of a result. A
 * mirrored cycle is written with both its halves, so that the rows repeat themselves. */
#include "problems/result/part.h"
#include "problems/result/result_store.h"
#include "runs/gains.h"
#include "runs/runs.h"
#include "runs/unfolded.h"

#include <stdio.h>
#include <string.h>

/* The rows of a file */
typedef struct plan {
    const sal_gains *gains;
    run_unfolded motion;
    double *time, *K; /* [nstep], [nstep x nu x n] */
} plan;

static sal_status plan_new(plan *p, const sal_gains *g, const sal_result *r, sal_err *err)
{
    const sal_model *m = r->model;
    const bool mirrored = r->image != NULL && r->image->mirrored;
    const int rows = (mirrored ? 2 : 1) * g->nstep, size = g->nu * g->n;
    *p = (plan){.gains = g};
    sal_status status = run_unfolded_new(&p->motion, r, rows * r->timestep, err);
    p->time = sal_alloc((size_t)rows, sizeof(double));
    p->K = sal_alloc((size_t)rows * (size_t)size + (size_t)g->n, sizeof(double));
    if (status == SAL_OK && (p->time == NULL || p->K == NULL)) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for gains of %d steps", rows);
    }
    if (status != SAL_OK || p->K == NULL) {
        return status;
    }
    memcpy(p->K, g->K, (size_t)g->nstep * (size_t)size * sizeof(double));
    for (int t = 0; t < rows; t++) {
        p->time[t] = r->time[0] + t * r->timestep;
        if (t >= g->nstep) {
            run_image_gain(r->image, m, p->K + t * size, p->K + (t - g->nstep) * size,
                           p->K + rows * size);
        }
    }
    return SAL_OK;
}

static void plan_clear(plan *p)
{
    run_unfolded_clear(&p->motion);
    sal_free(p->time);
    sal_free(p->K);
}

/* ---- a table ---- */

static void add_names(sal_text *out, const char *name, int n)
{
    for (int i = 0; i < n; i++) {
        sal_text_format(out, ",%s%d", name, i);
    }
}

static void add_numbers(sal_text *out, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        sal_text_add(out, ",");
        sal_text_real(out, x[i], 17);
    }
}

sal_status sal_gains_csv(const sal_gains *gains, const sal_result *result, sal_text *out,
                         sal_err *err)
{
    const sal_model *m = result->model;
    const int size = gains->nu * gains->n;
    plan p;
    sal_status status = plan_new(&p, gains, result, err);
    if (status == SAL_OK) {
        const run_unfolded *u = &p.motion;
        sal_text_add(out, "time");
        add_names(out, "qpos", m->nq);
        add_names(out, "qvel", m->nv);
        add_names(out, "act", m->na);
        add_names(out, "ctrl", m->nu);
        for (int i = 0; i < size; i++) {
            sal_text_format(out, ",gain%d_%d", i / gains->n, i % gains->n);
        }
        sal_text_add(out, "\n");
        for (int t = 0; t < u->nstep; t++) {
            sal_text_real(out, p.time[t], 17);
            add_numbers(out, u->qpos + t * m->nq, m->nq);
            add_numbers(out, u->qvel + t * m->nv, m->nv);
            add_numbers(out, u->act + t * m->na, m->na);
            add_numbers(out, u->ctrl + t * m->nu, m->nu);
            add_numbers(out, p.K + t * size, size);
            sal_text_add(out, "\n");
        }
        status = out->failed
                     ? sal_fail(err, SAL_NOMEM, "out of memory for a table of %d rows", u->nstep)
                     : SAL_OK;
    }
    plan_clear(&p);
    return status;
}

/* ---- a part of a result ---- */

typedef struct gain_columns {
    const sal_model *m;
    int n;
} gain_columns;

/* Column j of a deviation: the dof or activation, and per what a gain is */
static void name_deviation(const sal_model *m, int j, char name[SIG_H5_NAME],
                           char unit[SIG_H5_NAME])
{
    const int nv = m->nv;
    char column[PRB_COLUMN_NAME];
    if (j < 2 * nv) {
        const bool length = !prb_result_dof_turns(m, j % nv);
        prb_column_name(column, m, PRB_COL_DOF, j % nv, "");
        snprintf(unit, SIG_H5_NAME, "%s",
                 j < nv ? (length ? "1/m" : "1/rad") : (length ? "s/m" : "s/rad"));
    } else {
        prb_column_name(column, m, PRB_COL_ACT, j - 2 * nv, "");
        snprintf(unit, SIG_H5_NAME, "1");
    }
    snprintf(name, SIG_H5_NAME, "%s %.100s", j < nv ? "qpos" : j < 2 * nv ? "qvel" : "act", column);
}

static void name_gain(const void *ctx, size_t i, char name[SIG_H5_NAME], char unit[SIG_H5_NAME])
{
    const gain_columns *c = ctx;
    char actuator[PRB_COLUMN_NAME], deviation[SIG_H5_NAME];
    prb_column_name(actuator, c->m, PRB_COL_CTRL, (int)i / c->n, "");
    name_deviation(c->m, (int)i % c->n, deviation, unit);
    snprintf(name, SIG_H5_NAME, "%.60s: %.60s", actuator, deviation);
}

static void name_weight(const void *ctx, size_t i, char name[SIG_H5_NAME], char unit[SIG_H5_NAME])
{
    const gain_columns *c = ctx;
    const int nv = c->m->nv, j = (int)i;
    name_deviation(c->m, j, name, unit);
    const bool length = j < 2 * nv && !prb_result_dof_turns(c->m, j % nv);
    snprintf(unit, SIG_H5_NAME, "%s",
             j >= 2 * nv ? "1"
             : j < nv    ? (length ? "1/m^2" : "1/rad^2")
                         : (length ? "s^2/m^2" : "s^2/rad^2"));
}

static void store(sig_h5 *f, const sal_model *m, void **part)
{
    plan *p = *part;
    run_unfolded *u = &p->motion;
    const sal_gains *g = p->gains;
    const size_t rows = (size_t)u->nstep, n = (size_t)g->n, nu = (size_t)g->nu;
    const gain_columns columns = {m, g->n};
    int differences = g->differences;
    sig_h5_group(f, "feedback");
    sig_h5_attr_int(f, "differences", &differences);
#define STORE(name, ncol, kind, unit, data)                                                        \
    prb_store_double(f, &(const prb_columns){m, kind, name, unit}, u->nstep, ncol, data)
    STORE("time", 1, PRB_COL_ONE, "s", p->time);
    STORE("qpos", m->nq, PRB_COL_QPOS, NULL, u->qpos);
    STORE("qvel", m->nv, PRB_COL_QVEL, NULL, u->qvel);
    if (m->na > 0) {
        STORE("act", m->na, PRB_COL_ACT, NULL, u->act);
    }
    STORE("ctrl", m->nu, PRB_COL_CTRL, NULL, u->ctrl);
#undef STORE
    const sig_h5_shape gain = {.name = "gain",
                               .rank = 3,
                               .dims = {rows, nu, n},
                               .ncol = nu * n,
                               .column = name_gain,
                               .ctx = &columns};
    const sig_h5_shape weight = {.name = "weight",
                                 .rank = 1,
                                 .dims = {n},
                                 .ncol = n,
                                 .column = name_weight,
                                 .ctx = &columns};
    sig_h5_reals(f, &gain, p->K);
    sig_h5_reals(f, &weight, g->weight);
    prb_store_double(f, &(const prb_columns){m, PRB_COL_CTRL, "price", "1"}, -1, m->nu, g->price);
}

sal_status sal_gains_write(const sal_gains *gains, const sal_result *result, const char *path,
                           sal_err *err)
{
    static const prb_part_kind kind = {.store = store};
    plan p;
    if (result->part != NULL) {
        return sal_fail(err, SAL_BADINPUT,
                        "this is the result of an identification, whose motion no controls drive; "
                        "gains need the result of a problem without <estimate>");
    }
    sal_status status = plan_new(&p, gains, result, err);
    if (status == SAL_OK) {
        sal_result with = *result; /* only read */
        with.part_kind = &kind;
        with.part = &p;
        status = sal_result_write(&with, path, err);
    }
    plan_clear(&p);
    return status;
}
