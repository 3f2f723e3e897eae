/* dynamics.c: what every problem is about: forces that no actuator can give, and what actuators can. */
#include "problems/row.h"

#include <math.h>

static const double acceleration_scale = 10; /* m/s^2, rad/s^2: unit of the regulariser */

/* ---- dynamics ------------------------------------------------------------------------------------------------------------------- */

/* r_i = (f - B' force)_i / unit_i */
void sal_dynamics_write(sal_writer *w)
{
    const sal_transcription *tr = w->tr;
    const sal_actuation_map *map = tr->map;
    for (int i = 0; i < map->nfree; i++) {
        double r = 0;
        for (int c = 0; c < map->nv; c++) {
            const double coefficient = map->unactuated[i * map->nv + c] / map->unit[i];
            if (coefficient != 0) {
                r += coefficient * w->y[tr->out_force + c];
                sal_row_put(w, tr->out_force + c, coefficient);
            }
        }
        sal_row_end(w, r);
    }
}

/* ---- actuators -------------------------------------------------------------------------------------------------------------------- */

/* A number with its derivatives with respect to y: value, and `scale` times the derivatives of the force (row of map->force) plus those of
 * length and velocity. */
typedef struct sal_control {
    int actuator;
    double value, by_force, by_length, by_velocity;
} sal_control;

/* force_a = (B B')^-1 B f: an actuator and those that share its joint see the dofs of that joint only */
static sal_control actuator_force(const sal_writer *w, int a)
{
    const sal_transcription *tr = w->tr;
    const sal_model *m = tr->p->model;
    const int joint = m->actuator_trnid[a], dof = m->jnt_dofadr[joint];
    const double *force = tr->map->force + a * m->nv;
    sal_control u = {.actuator = a, .by_force = 1};
    for (int c = dof; c < dof + sal_joint_ndof(m->jnt_type[joint]); c++) {
        u.value += force[c] * w->y[tr->out_force + c];
    }
    return u;
}

/* Length or velocity of the actuator: gear . (joint's rotation or position), gear . v. A free joint has no length. */
static double actuator_rate(const sal_writer *w, int a, bool velocity)
{
    const sal_transcription *tr = w->tr;
    const sal_model *m = tr->p->model;
    const int joint = m->actuator_trnid[a], n = sal_joint_ndof(m->jnt_type[joint]);
    const int from = velocity ? tr->out_velocity + m->jnt_dofadr[joint] : tr->out_joint[joint];
    double sum = 0;
    for (int k = 0; k < n && (velocity || n < 6); k++) {
        sum += m->actuator_gear[6 * a + k] * w->y[from + k];
    }
    return sum;
}

static bool has_servo(const sal_model *m, int a)
{
    return m->actuator_biastype[a] == SAL_BIAS_AFFINE || m->actuator_gaintype[a] == SAL_GAIN_AFFINE;
}

/* ctrl = (force - b0 - b1 l - b2 l') / (g0 + g1 l + g2 l') */
static sal_control actuator_ctrl(const sal_writer *w, int a)
{
    const sal_model *m = w->tr->p->model;
    const double *g = m->actuator_gainprm + 10 * a, *b = m->actuator_biasprm + 10 * a;
    sal_control u = actuator_force(w, a);
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

static void put_control(sal_writer *w, const sal_control *u, double scale)
{
    if (w->J == NULL) {
        return;
    }
    const sal_transcription *tr = w->tr;
    const sal_model *m = tr->p->model;
    const int a = u->actuator, joint = m->actuator_trnid[a], dof = m->jnt_dofadr[joint];
    const int n = sal_joint_ndof(m->jnt_type[joint]);
    const double *force = tr->map->force + a * m->nv;
    for (int k = 0; k < n; k++) {
        const double gear = scale * m->actuator_gear[6 * a + k];
        sal_row_put(w, tr->out_force + dof + k, scale * u->by_force * force[dof + k]);
        if (u->by_length != 0 && n < 6) {
            sal_row_put(w, tr->out_joint[joint] + k, gear * u->by_length);
        }
        sal_row_put(w, tr->out_velocity + dof + k, gear * u->by_velocity);
    }
}

/* r = max(u - hi, lo - u) / (hi - lo): the signed excess, negative inside. Its row is there before the bound is met. */
static void write_excess(sal_writer *w, const sal_control *u, const double range[2])
{
    const double width = range[1] - range[0];
    const double above = u->value - range[1], below = range[0] - u->value;
    put_control(w, u, (above >= below ? 1 : -1) / width);
    sal_row_end(w, fmax(above, below) / width);
}

void sal_ranges_write(sal_writer *w)
{
    const sal_model *m = w->tr->p->model;
    for (int a = 0; a < m->nu; a++) {
        if (m->actuator_ctrllimited[a]) {
            const sal_control u = actuator_ctrl(w, a);
            write_excess(w, &u, m->actuator_ctrlrange + 2 * a);
        }
        if (m->actuator_forcelimited[a]) {
            const sal_control u = actuator_force(w, a);
            write_excess(w, &u, m->actuator_forcerange + 2 * a);
        }
    }
}

/* ctrl or force of each actuator */
void sal_actuators_write(sal_writer *w)
{
    const sal_feature *f = w->feature;
    for (int k = 0; k < f->nobject; k++) {
        const int a = f->object[k];
        const sal_control u =
            f->quantity == SAL_QTY_CTRL ? actuator_ctrl(w, a) : actuator_force(w, a);
        put_control(w, &u, 1);
        sal_row_end(w, u.value);
    }
}

int sal_ranges_count(const sal_model *m)
{
    int n = 0;
    for (int a = 0; a < m->nu; a++) {
        n += (m->actuator_ctrllimited[a] != 0) + (m->actuator_forcelimited[a] != 0);
    }
    return n;
}

/* ---- regulariser ------------------------------------------------------------------------------------------------------------------ */

/* r = a / 10 */
void sal_regulariser_write(sal_writer *w)
{
    const sal_transcription *tr = w->tr;
    for (int i = 0; i < tr->p->model->nv; i++) {
        sal_row_put(w, tr->out_acceleration + i, 1 / acceleration_scale);
        sal_row_end(w, w->y[tr->out_acceleration + i] / acceleration_scale);
    }
}
