/* workspace.c: memory of an evaluation, and what is known beforehand. */
#include "invdyn/workspace.h"

#include <stdint.h>
#include <string.h>

/* Derivatives of forces of several steps, which no output keeps */
static void place_forces(const sal_invdyn *w, inv_worker *worker, sal_layout *layout)
{
    const size_t nv = (size_t)w->nv, width = w->derives_forces ? PHY_ABREAST_MAX : 0;
    worker->force = NULL;
    worker->forces = sal_layout_take(layout, width, sizeof *worker->forces);
    double *D = sal_layout_take(layout, 3 * width * nv, nv * sizeof *D);
    for (size_t i = 0; i < 3 * width && layout->base != NULL; i++) {
        worker->forces[i / 3].D[i % 3] = D + i * nv * nv;
        worker->forces[i / 3].qacc_discrete = worker->rates[2] + i / 3 * nv;
    }
}

/* Places all arrays; run twice, to measure and to place. */
static void place(sal_invdyn *w, sal_layout *layout)
{
    const size_t nv = (size_t)w->nv, nq = (size_t)w->nq, ny = (size_t)w->ny, nz = (size_t)w->nz;
    w->output = sal_layout_take(layout, (size_t)w->noutput, sizeof(sal_output));
    w->kind = sal_layout_take(layout, (size_t)w->noutput, sizeof *w->kind);
    w->stage = sal_layout_take(layout, (size_t)w->noutput, sizeof(sal_stage));
    w->twin = sal_layout_take(layout, (size_t)w->noutput, 1);
    w->rotation = sal_layout_take(layout, (size_t)w->nrotation, sizeof(int));
    w->worker = sal_layout_take(layout, (size_t)w->nworker, sizeof(inv_worker));
    for (int i = 0; i < w->nworker; i++) {
        inv_worker none, *worker = layout->base == NULL ? &none : w->worker + i;
        worker->q = sal_layout_take(layout, nq, sizeof(double));
        for (int k = 0; k < 3; k++) {
            worker->rates[k] = sal_layout_take(layout, PHY_ABREAST_MAX * nv, sizeof(double));
        }
        worker->v = worker->rates[0], worker->v1 = worker->rates[1], worker->a = worker->rates[2];
        worker->e = sal_layout_take(layout, nv, sizeof(double));
        worker->yplus = sal_layout_take(layout, ny, sizeof(double));
        worker->yminus = sal_layout_take(layout, ny, sizeof(double));
        worker->Dq = sal_layout_take(layout, nv * ny, sizeof(double));
        worker->Dv = sal_layout_take(layout, nv * ny, sizeof(double));
        worker->Da = sal_layout_take(layout, nv * ny, sizeof(double));
        worker->differ = sal_layout_take(layout, (size_t)w->noutput, 1);
        worker->input = worker->inputs =
            sal_layout_take(layout, PHY_ABREAST_MAX * nz, sizeof(double));
        worker->Dw = sal_layout_take(layout, nv * nz, sizeof(double));
        worker->Fw = sal_layout_take(layout, nz, sizeof(double));
        worker->Du = sal_layout_take(layout, 3 * nz, sizeof(double));
        worker->d0 = sal_layout_take(layout, 3 * nv, sizeof(double));
        worker->d1 = sal_layout_take(layout, 3 * nv, sizeof(double));
        worker->e0 = sal_layout_take(layout, 3 * nv, sizeof(double));
        worker->e1 = sal_layout_take(layout, 3 * nv, sizeof(double));
        place_forces(w, worker, layout);
    }
}

/* Whether it turns freely; its first dof that does. No dof is written of other joints: behind the
 * last one there is no room. */
static bool turns_from(const sal_model *m, int joint, int *dof)
{
    const bool is_free = m->jnt_type[joint] == SAL_JNT_FREE;
    const bool turns = is_free || m->jnt_type[joint] == SAL_JNT_BALL;
    if (turns) {
        *dof = m->jnt_dofadr[joint] + (is_free ? 3 : 0);
    }
    return turns;
}

/* Sizes of all. */
static void count(sal_invdyn *w, const sal_model *m, sal_output *outputs)
{
    int dof;
    w->nv = m->nv, w->nq = m->nq;
    for (int k = 0; k < w->noutput; k++) {
        outputs[k].adr = w->ny;
        outputs[k].n = inv_output_dim(m, outputs + k);
        w->ny += outputs[k].n;
        w->nz = inv_output_kind_of(outputs + k)->by_input != NULL ? m->nu : w->nz;
        w->derives_forces = w->derives_forces ||
                            (outputs[k].kind == SAL_OUT_FORCE && w->derivatives != SAL_DERIV_FD);
    }
    w->ncolumn = 3 * w->nv + 2 * w->nz + 1;
    for (int j = 0; j < m->njnt; j++) {
        w->nrotation += turns_from(m, j, &dof);
    }
}

/* The derivatives of v_t and a_t by themselves, which stay. */
static void set_identities(sal_invdyn *w)
{
    const size_t nv = (size_t)w->nv;
    for (int k = 0; k < w->noutput; k++) {
        const size_t row = (size_t)w->output[k].adr * nv;
        const inv_variable variable = w->kind[k]->variable;
        for (int i = 0; variable != INV_NO_VARIABLE && i < w->nworker; i++) {
            double *D = variable == INV_VELOCITY ? w->worker[i].Dv : w->worker[i].Da;
            for (size_t c = 0; c < nv; c++) {
                D[row + c * (nv + 1)] = 1;
            }
        }
    }
}

/* What is known of the outputs and the dofs beforehand. */
static void plan(sal_invdyn *w, const sal_model *m, const sal_output *outputs)
{
    int n = 0;
    memcpy(w->output, outputs, (size_t)w->noutput * sizeof *outputs);
    for (int k = 0; k < w->noutput; k++) {
        w->kind[k] = inv_output_kind_of(outputs + k);
        w->stage[k] = inv_output_stage(m, outputs + k);
        w->reads_bodies = w->reads_bodies || !w->kind[k]->no_bodies;
        w->reads_sensors = w->reads_sensors || outputs[k].kind == SAL_OUT_SENSOR;
        w->twin[k] = w->derivatives != SAL_DERIV_FD &&
                     (w->kind[k]->has_deriv == NULL || w->kind[k]->has_deriv(m, outputs + k, NULL));
    }
    for (int j = 0; j < m->njnt; j++) {
        n += turns_from(m, j, w->rotation + n);
    }
    set_identities(w);
}

/* What actuators do is known after the motion: a sensor would read them as they were before. */
static sal_status refuse_actuators(const sal_invdyn *w, const sal_model *m, sal_err *err)
{
    for (int k = 0; k < w->noutput; k++) {
        const int sensor = w->output[k].kind == SAL_OUT_SENSOR ? w->output[k].id : -1;
        if (sensor >= 0 &&
            (sal_sensor_reads_actuators(m, sensor) || sal_sensor_feels_actuators(m, sensor))) {
            char name[SAL_LABEL_MAX];
            return sal_fail(err, SAL_UNSUPPORTED,
                            "%s reads actuators, whose forces do not follow from the motion alone",
                            sal_model_label(m, SAL_OBJ_SENSOR, sensor, name));
        }
    }
    return SAL_OK;
}

/* SAL_UNSUPPORTED if an output has no exact derivatives; of forces they are tried at rest in the
 * home pose. */
static sal_status require_twins(sal_invdyn *w, const sal_model *m, sal_err *err)
{
    inv_worker *worker = w->worker;
    for (int k = 0; k < w->noutput; k++) {
        if (w->kind[k]->has_deriv != NULL && !w->kind[k]->has_deriv(m, w->output + k, err)) {
            return SAL_UNSUPPORTED;
        }
    }
    sal_status status = sal_position(m, worker->d, err);
    if (status != SAL_OK) {
        return status;
    }
    sal_velocity(m, worker->d);
    status = sal_inverse_discrete(m, worker->d, worker->a, err);
    for (int k = 0; k < w->noutput && status == SAL_OK; k++) {
        if (w->output[k].kind == SAL_OUT_FORCE) {
            const size_t row = (size_t)w->output[k].adr * (size_t)w->nv;
            status = sal_inverse_discrete_deriv(m, worker->d, worker->Dq + row, worker->Dv + row,
                                                worker->Da + row, worker->a, err);
        }
    }
    return status;
}

sal_status sal_invdyn_new(sal_invdyn **out, const sal_model *m, sal_output *outputs, int noutput,
                          sal_derivatives derivatives, sal_differences how, int nthread,
                          sal_err *err)
{
    sal_status status = SAL_NOMEM;
    sal_layout layout = {NULL, 0};
    sal_invdyn *w = sal_alloc(1, sizeof *w);
    *out = NULL;
    if (w == NULL) {
        goto nomem;
    }
    w->noutput = noutput, w->derivatives = derivatives, w->how = how,
    w->nworker = nthread > 1 ? nthread : 1;
    count(w, m, outputs);
    place(w, &layout);
    layout.base = w->block = layout.size == SIZE_MAX ? NULL : sal_alloc(layout.size, 1);
    if (w->block == NULL) {
        goto nomem;
    }
    layout.size = 0;
    place(w, &layout);
    plan(w, m, outputs);
    status = refuse_actuators(w, m, err);
    status =
        status == SAL_OK ? sal_model_prompt(m, "the inverse dynamics of a motion", err) : status;
    for (int i = 0; i < w->nworker && status == SAL_OK; i++) {
        inv_worker *worker = w->worker + i;
        status = phy_abreast_new(&worker->abreast, m, err);
        worker->d = status == SAL_OK ? phy_abreast_data(worker->abreast, 0) : NULL;
    }
    if (status == SAL_OK && derivatives == SAL_DERIV_ANALYTIC) {
        status = require_twins(w, m, err);
    }
    if (status != SAL_OK) {
        goto failed;
    }
    *out = w;
    return SAL_OK;
nomem:
    sal_fail(err, SAL_NOMEM, "out of memory for the inverse dynamics of a motion");
failed:
    sal_invdyn_free(w);
    return status;
}

void sal_invdyn_free(sal_invdyn *w)
{
    if (w != NULL) {
        for (int i = 0; w->block != NULL && i < w->nworker; i++) {
            phy_abreast_free(w->worker[i].abreast);
        }
        sal_free(w->block);
        sal_free(w);
    }
}

int sal_invdyn_noutput(const sal_invdyn *w)
{
    return w->ny;
}

int sal_invdyn_ncolumn(const sal_invdyn *w)
{
    return w->ncolumn;
}
