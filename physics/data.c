/* data.c: the memory of a data, and its first state. */
#include "base/house.h"
#include "base/watch.h"
#include "physics/actuator.h"
#include "physics/compiling.h"
#include "physics/history.h"
#include "physics/scratch.h"
#include "physics/stages.h"

#include <stdint.h>
#include <string.h>

/* Places all arrays and the scratch; run twice, to measure and to place. */
static void place(sal_data *d, const sal_model *m, sal_layout *layout)
{
#define PHY_PLACE(type, name, rows, columns)                                                       \
    d->name = sal_layout_take(layout, (size_t)m->rows * (size_t)(columns), sizeof(type));
    SAL_DATA_ARRAYS(PHY_PLACE)
#undef PHY_PLACE
    d->arena.base = sal_layout_take(layout, d->arena.size, 1);
}

/* The first state, in memory that is zero */
static void begin(const sal_model *m, sal_data *d)
{
    d->time = 0;
    d->ncon = d->nefc = d->nJ = 0;
    d->sweep_rest = 0;
    d->composed = d->factored = false;
    d->arena.used = d->arena.need = 0;
    memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
    for (int b = 0; b < m->nbody; b++) {
        if (m->body_mocapid[b] >= 0) {
            const int i = m->body_mocapid[b];
            sal_v3_copy(d->mocap_pos + 3 * i, m->body_pos + 3 * b);
            sal_quat_copy(d->mocap_quat + 4 * i, m->body_quat + 4 * b);
        }
    }
    for (int i = 0; i < m->nu; i++) { /* no rotation is 1 0 0 0 */
        d->ctrl[i] = phy_is_orientation_scalar(m, i) ? 1 : 0;
    }
    phy_history_begin(m, d);
}

sal_status phy_data_new(sal_data **data, const sal_model *m, phy_scratch scratch, sal_err *err)
{
    sal_data *d = sal_alloc(1, sizeof *d);
    sal_layout layout = {NULL, 0};
    *data = NULL;
    if (d != NULL) {
        scratch(m, &d->arena);
        d->arena.size = d->arena.need;
        place(d, m, &layout);
        layout.base = layout.size == SIZE_MAX ? NULL : sal_alloc(layout.size, 1);
    }
    if (layout.base == NULL) {
        sal_free(d);
        return sal_fail(err, SAL_NOMEM,
                        "out of memory for the data of a model of %d dofs and at most %d contacts",
                        m->nv, m->nconmax);
    }
    d->block = layout.base;
    d->nblock = layout.size;
    layout.size = 0;
    place(d, m, &layout);
    if (m->nnext == 0) { /* for phy_next_gaps to see */
        d->efc_next = NULL;
    }
    begin(m, d);
    *data = d;
    return SAL_OK;
}

sal_status phy_data_new_small(sal_data **data, const sal_model *m, sal_err *err)
{
    return phy_data_new(data, m, phy_stages_scratch, err);
}

void sal_data_free(sal_data *d)
{
    if (d != NULL) {
        sal_free(d->block);
        sal_free(d);
    }
}

void sal_data_reset(const sal_model *m, sal_data *d)
{
    /* all of it, and what lies between: the model may have another contact model by now, so that
     * arrays are not placed anew */
    sal_watch_allow(d->block, d->nblock);
    memset(d->block, 0, d->nblock);
    begin(m, d);
}

void sal_data_reset_key(const sal_model *m, sal_data *d, int key)
{
    const size_t row = (size_t)key, nq = (size_t)m->nq, nv = (size_t)m->nv, nu = (size_t)m->nu;
    const size_t na = (size_t)m->na, nmocap = (size_t)m->nmocap;
    sal_data_reset(m, d);
    d->time = m->key_time[key];
    memcpy(d->qpos, m->key_qpos + row * nq, nq * sizeof(double));
    memcpy(d->qvel, m->key_qvel + row * nv, nv * sizeof(double));
    memcpy(d->act, m->key_act + row * na, na * sizeof(double));
    memcpy(d->ctrl, m->key_ctrl + row * nu, nu * sizeof(double));
    memcpy(d->mocap_pos, m->key_mpos + row * 3 * nmocap, 3 * nmocap * sizeof(double));
    memcpy(d->mocap_quat, m->key_mquat + row * 4 * nmocap, 4 * nmocap * sizeof(double));
}
