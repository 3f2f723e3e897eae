/* dynamics.c: what every problem is about: forces that no actuator can give, and what actuators
 * can. */
#include "problems/actuator_value.h"

#include <math.h>

static const double acceleration_scale = 10; /* m/s^2, rad/s^2: unit of the regulariser */

/* ---- dynamics ---- */

/* r_i = (f - B' force)_i / unit_i, or (f - qfrc_actuator)_i / unit_i of a driven motion */
void prb_dynamics_write(prb_writer *w)
{
    const prb_transcription *tr = w->tr;
    const prb_actuation_map *map = tr->map;
    for (int i = 0; i < map->nfree; i++) {
        double r = 0;
        for (int k = map->unactuated_dof.adr[i]; k < map->unactuated_dof.adr[i + 1]; k++) {
            const int c = map->unactuated_dof.column[k];
            const double coefficient = map->unactuated[i * map->nv + c] / map->unit[i];
            r += coefficient * w->y[tr->out_force + c];
            prb_row_put(w, tr->out_force + c, coefficient);
        }
        if (map->driven) {
            r -= w->y[tr->out_actuation + i] / map->unit[i];
            prb_row_put(w, tr->out_actuation + i, -1 / map->unit[i]);
        }
        prb_row_end(w, r);
    }
}

/* ---- actuators ---- */

/* r = max(u - hi, lo - u) / (hi - lo): the signed excess, negative inside. Its row is there before
 * the bound is met. */
static void write_excess(prb_writer *w, const prb_actuator_value *u, const double range[2])
{
    const double width = range[1] - range[0];
    const double above = u->value - range[1], below = range[0] - u->value;
    prb_actuator_put(w, u, (above >= below ? 1 : -1) / width);
    prb_row_end(w, fmax(above, below) / width);
}

/* The forces of a tendon's actuators, added up */
static void write_tendon(prb_writer *w, const prb_actuator_range *bound)
{
    const prb_transcription *tr = w->tr;
    const sal_model *m = tr->p->model;
    const double *range = bound->range, width = range[1] - range[0];
    double sum = 0;
    for (int pass = 0; pass < 2; pass++) { /* first the sum, which says which bound it is */
        const double sign = sum - range[1] >= range[0] - sum ? 1 : -1;
        for (int a = 0; a < m->nu; a++) {
            const int output = tr->out_actuator_force + a;
            if (m->actuator_trntype[a] != SAL_TRN_TENDON || m->actuator_trnid[a] != bound->id) {
                continue;
            }
            if (pass == 0) {
                sum += w->y[output];
            } else {
                prb_row_put(w, output, sign / width);
            }
        }
    }
    prb_row_end(w, fmax(sum - range[1], range[0] - sum) / width);
}

static prb_actuator_value bounded_number(const prb_writer *w, const prb_actuator_range *bound)
{
    const prb_transcription *tr = w->tr;
    const sal_model *m = tr->p->model;
    switch (bound->kind) {
    case PRB_RANGE_CTRL:
        return prb_actuator_ctrl(w, bound->id);
    case PRB_RANGE_ACT:
        return prb_actuator_driven(w, tr->out_input + bound->id);
    case PRB_RANGE_NEXT_ACT:
        return prb_actuator_driven(w, tr->out_input + m->nu + bound->id);
    case PRB_RANGE_JOINT:
        return prb_actuator_joint(w, bound->id);
    case PRB_RANGE_FORCE:
    case PRB_RANGE_TENDON:
        break;
    }
    return prb_actuator_force(w, bound->id);
}

void prb_ranges_write(prb_writer *w)
{
    const prb_actuation_map *map = w->tr->map;
    for (int k = 0; k < map->nrange; k++) {
        const prb_actuator_range *bound = map->range + k;
        if (bound->kind == PRB_RANGE_TENDON) {
            write_tendon(w, bound);
        } else {
            const prb_actuator_value u = bounded_number(w, bound);
            write_excess(w, &u, bound->range);
        }
    }
}

/* ---- regulariser ---- */

/* r = a / 10, and z / scale of a driven motion: what redundant actuators do is thereby
 * determined */
void prb_regulariser_write(prb_writer *w)
{
    const prb_transcription *tr = w->tr;
    for (int i = 0; i < tr->p->model->nv; i++) {
        prb_row_put(w, tr->out_acceleration + i, 1 / acceleration_scale);
        prb_row_end(w, w->y[tr->out_acceleration + i] / acceleration_scale);
    }
    for (int i = 0; i < tr->layout.nz; i++) {
        prb_row_put(w, tr->out_input + i, 1 / tr->map->scale[i]);
        prb_row_end(w, w->y[tr->out_input + i] / tr->map->scale[i]);
    }
}
