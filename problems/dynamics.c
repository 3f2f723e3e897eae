/* dynamics.c: what every problem is about: forces that no actuator can give, and what actuators can. */
#include "problems/row.h"

#include <math.h>

static const double acceleration_scale = 10; /* m/s^2, rad/s^2: unit of the regulariser */

/* ---- dynamics ------------------------------------------------------------------------------------------------------------------- */

/* r_i = (f - B' force)_i / unit_i, or (f - qfrc_actuator)_i / unit_i of a driven motion */
void prb_dynamics_write(prb_writer *w)
{
    const prb_transcription *tr = w->tr;
    const prb_actuation_map *map = tr->map;
    for (int i = 0; i < map->nfree; i++) {
        double r = 0;
        for (int c = 0; c < map->nv; c++) {
            const double coefficient = map->unactuated[i * map->nv + c] / map->unit[i];
            if (coefficient != 0) {
                r += coefficient * w->y[tr->out_force + c];
                prb_row_put(w, tr->out_force + c, coefficient);
            }
        }
        if (map->driven) {
            r -= w->y[tr->out_actuation + i] / map->unit[i];
            prb_row_put(w, tr->out_actuation + i, -1 / map->unit[i]);
        }
        prb_row_end(w, r);
    }
}

/* ---- actuators -------------------------------------------------------------------------------------------------------------------- */

/* A number with its derivatives with respect to y: those of the force (row of map->force), length and velocity of an actuator, times these
 * factors; of a driven motion an output as it is. */
typedef struct prb_control {
    int actuator;
    int output; /* -1: not driven */
    double value, by_force, by_length, by_velocity;
} prb_control;

static prb_control driven(const prb_writer *w, int output)
{
    return (prb_control){.output = output, .value = w->y[output]};
}

/* force_a = (B B')^-1 B f */
static prb_control actuator_force(const prb_writer *w, int a)
{
    const prb_transcription *tr = w->tr;
    const prb_actuation_map *map = tr->map;
    if (map->driven) {
        return driven(w, tr->out_actuator_force + a);
    }
    prb_control u = {.actuator = a, .output = -1, .by_force = 1};
    for (int c = 0; c < map->nv; c++) {
        u.value += map->force[a * map->nv + c] * w->y[tr->out_force + c];
    }
    return u;
}

/* Where the coordinate of a dof stands in y: a joint's position, or rotation vector; -1: of a free joint, which has no length. */
static int coordinate_of(const prb_transcription *tr, int dof)
{
    const sal_model *m = tr->p->model;
    const int joint = m->dof_jntid[dof];
    return m->jnt_type[joint] == SAL_JNT_FREE ? -1
                                              : tr->out_joint[joint] + dof - m->jnt_dofadr[joint];
}

/* Length or velocity of the actuator: moment . coordinates, moment . v */
static double actuator_rate(const prb_writer *w, int a, bool velocity)
{
    const prb_transcription *tr = w->tr;
    const sal_model *m = tr->p->model;
    double sum = 0;
    for (int k = m->moment_rowadr[a]; k < m->moment_rowadr[a] + m->moment_rownnz[a]; k++) {
        const int dof = m->moment_colind[k];
        const int from = velocity ? tr->out_velocity + dof : coordinate_of(tr, dof);
        sum += from < 0 ? 0 : tr->map->moment[k] * w->y[from];
    }
    return sum;
}

static bool has_servo(const sal_model *m, int a)
{
    return m->actuator_biastype[a] == SAL_BIAS_AFFINE || m->actuator_gaintype[a] == SAL_GAIN_AFFINE;
}

/* ctrl = (force - b0 - b1 l - b2 l') / (g0 + g1 l + g2 l') */
static prb_control actuator_ctrl(const prb_writer *w, int a)
{
    const sal_model *m = w->tr->p->model;
    const double *g = m->actuator_gainprm + 10 * a, *b = m->actuator_biasprm + 10 * a;
    if (w->tr->map->driven) {
        return driven(w, w->tr->out_control + a);
    }
    prb_control u = actuator_force(w, a);
    if (!has_servo(m, a)) {
        u.value /= g[0];
        u.by_force = 1 / g[0];
        return u;
    }
    const double l = actuator_rate(w, a, false), v = actuator_rate(w, a, true);
    const bool affine_gain = m->actuator_gaintype[a] == SAL_GAIN_AFFINE,
               affine_bias = m->actuator_biastype[a] == SAL_BIAS_AFFINE;
    const double gain = g[0] + (affine_gain ? g[1] * l + g[2] * v : 0);
    const double bias = affine_bias ? b[0] + b[1] * l + b[2] * v : 0;
    u.value = (u.value - bias) / gain;
    u.by_force = 1 / gain;
    u.by_length = -((affine_bias ? b[1] : 0) + (affine_gain ? g[1] * u.value : 0)) / gain;
    u.by_velocity = -((affine_bias ? b[2] : 0) + (affine_gain ? g[2] * u.value : 0)) / gain;
    return u;
}

static void put_control(prb_writer *w, const prb_control *u, double scale)
{
    if (w->J == NULL) {
        return;
    }
    const prb_transcription *tr = w->tr;
    const prb_actuation_map *map = tr->map;
    const sal_model *m = tr->p->model;
    if (u->output >= 0) {
        prb_row_put(w, u->output, scale);
        return;
    }
    const int a = u->actuator, end = m->moment_rowadr[a] + m->moment_rownnz[a];
    for (int c = 0; c < map->nv; c++) {
        prb_row_put(w, tr->out_force + c, scale * u->by_force * map->force[a * map->nv + c]);
    }
    for (int k = m->moment_rowadr[a]; k < end; k++) {
        const int dof = m->moment_colind[k], coordinate = coordinate_of(tr, dof);
        if (u->by_length != 0 && coordinate >= 0) {
            prb_row_put(w, coordinate, scale * map->moment[k] * u->by_length);
        }
        prb_row_put(w, tr->out_velocity + dof, scale * map->moment[k] * u->by_velocity);
    }
}

/* r = max(u - hi, lo - u) / (hi - lo): the signed excess, negative inside. Its row is there before the bound is met. */
static void write_excess(prb_writer *w, const prb_control *u, const double range[2])
{
    const double width = range[1] - range[0];
    const double above = u->value - range[1], below = range[0] - u->value;
    put_control(w, u, (above >= below ? 1 : -1) / width);
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

static prb_control bounded_number(const prb_writer *w, const prb_actuator_range *bound)
{
    const prb_transcription *tr = w->tr;
    const sal_model *m = tr->p->model;
    switch (bound->kind) {
    case PRB_RANGE_CTRL:
        return actuator_ctrl(w, bound->id);
    case PRB_RANGE_ACT:
        return driven(w, tr->out_input + bound->id);
    case PRB_RANGE_NEXT_ACT:
        return driven(w, tr->out_input + m->nu + bound->id);
    case PRB_RANGE_JOINT:
        return driven(w, tr->out_actuation + m->jnt_dofadr[bound->id]);
    case PRB_RANGE_FORCE:
    case PRB_RANGE_TENDON:
        break;
    }
    return actuator_force(w, bound->id);
}

void prb_ranges_write(prb_writer *w)
{
    const prb_actuation_map *map = w->tr->map;
    for (int k = 0; k < map->nrange; k++) {
        const prb_actuator_range *bound = map->range + k;
        if (bound->kind == PRB_RANGE_TENDON) {
            write_tendon(w, bound);
        } else {
            const prb_control u = bounded_number(w, bound);
            write_excess(w, &u, bound->range);
        }
    }
}

/* ctrl or force of each actuator */
void prb_actuators_write(prb_writer *w)
{
    const sal_feature *f = w->feature;
    for (int k = 0; k < f->nobject; k++) {
        const int a = f->object[k];
        const prb_control u =
            f->quantity == SAL_QTY_CTRL ? actuator_ctrl(w, a) : actuator_force(w, a);
        put_control(w, &u, 1);
        prb_row_end(w, u.value);
    }
}

/* force l' of each actuator, or the sum of them */
void prb_power_write(prb_writer *w)
{
    const sal_feature *f = w->feature;
    double sum = 0;
    for (int k = 0; k < f->nobject; k++) {
        const prb_control u = actuator_force(w, f->object[k]);
        const double rate = w->y[w->own[k]];
        put_control(w, &u, rate);
        prb_row_put(w, w->own[k], u.value);
        sum += u.value * rate;
        if (!f->sum || k + 1 == f->nobject) {
            prb_row_end(w, sum);
            sum = 0;
        }
    }
}

/* ---- regulariser ------------------------------------------------------------------------------------------------------------------ */

/* r = a / 10, and z / scale of a driven motion: what redundant actuators do is thereby determined */
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
