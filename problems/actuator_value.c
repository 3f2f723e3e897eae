/* actuator_value.c: ctrl and force of an actuator, from the force that the motion needs or, of a
 * driven motion, from what drives it. */
#include "problems/actuator_value.h"

prb_actuator_value prb_actuator_driven(const prb_writer *w, int output)
{
    return (prb_actuator_value){.output = output, .value = w->y[output]};
}

/* force_a = (B B')^-1 B f */
prb_actuator_value prb_actuator_force(const prb_writer *w, int a)
{
    const prb_transcription *tr = w->tr;
    const prb_actuation_map *map = tr->map;
    if (map->driven) {
        return prb_actuator_driven(w, tr->out_actuator_force + a);
    }
    prb_actuator_value u = {.actuator = a, .output = -1, .by_force = 1};
    for (int k = map->force_dof.adr[a]; k < map->force_dof.adr[a + 1]; k++) {
        const int c = map->force_dof.column[k];
        u.value += map->force[a * map->nv + c] * w->y[tr->out_force + c];
    }
    return u;
}

/* qfrc_actuator of the joint's dof. Not driven: B' force, that of the only actuator there */
prb_actuator_value prb_actuator_joint(const prb_writer *w, int joint)
{
    const prb_transcription *tr = w->tr;
    const sal_model *m = tr->p->model;
    const int dof = m->jnt_dofadr[joint];
    if (tr->map->driven) {
        return prb_actuator_driven(w, tr->out_actuation + dof);
    }
    int a = 0;
    while (m->actuator_trntype[a] != SAL_TRN_JOINT || m->actuator_trnid[a] != joint) {
        a++;
    }
    const double arm = tr->map->moment[m->moment_rowadr[a]];
    prb_actuator_value u = prb_actuator_force(w, a);
    u.value *= arm;
    u.by_force *= arm;
    return u;
}

/* Where the coordinate of a dof stands in y: a joint's position, or rotation vector; -1: of a free
 * joint, which has no length. */
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
prb_actuator_value prb_actuator_ctrl(const prb_writer *w, int a)
{
    const sal_model *m = w->tr->p->model;
    const double *g = m->actuator_gainprm + 10 * a, *b = m->actuator_biasprm + 10 * a;
    if (w->tr->map->driven) {
        return prb_actuator_driven(w, w->tr->out_control + a);
    }
    prb_actuator_value u = prb_actuator_force(w, a);
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

void prb_actuator_put(prb_writer *w, const prb_actuator_value *u, double scale)
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
    for (int k = map->force_dof.adr[a]; k < map->force_dof.adr[a + 1]; k++) {
        const int c = map->force_dof.column[k];
        prb_row_put(w, tr->out_force + c, scale * u->by_force * map->force[a * map->nv + c]);
    }
    for (int k = m->moment_rowadr[a]; k < end; k++) {
        const int dof = m->moment_colind[k], coordinate = coordinate_of(tr, dof);
        if (u->by_length != 0 && coordinate >= 0) {
            prb_row_put(w, coordinate, scale * map->moment[k] * u->by_length);
        }
        if (u->by_velocity != 0) {
            prb_row_put(w, tr->out_velocity + dof, scale * map->moment[k] * u->by_velocity);
        }
    }
}
