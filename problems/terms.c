/* terms.c: residuals of one time step as functions of its outputs y. Every residual states its formula; its derivative with respect to
 * y goes through sal_residual_put in the same place. See SAL_QUANTITY_LIST for the quantities.
 */
#include "problems/transcribe.h"

#include <math.h>
#include <string.h>

/* Of a range's width: so tight that the clamp of an engine which replays ctrl changes nothing that can be seen. */
static const double range_tolerance = 1e-10;
/* Weight of an excess over its range's width, of that of the unactuated force over W. At equal weights the first, violent motions are
 * dominated by torques out of range and one walker of eight fails; between .03 and .2 none does. */
static const double range_share = 0.1;
static const double acceleration_scale = 10; /* m/s^2, rad/s^2: unit of the regulariser */
static const double load_scale = 0.1; /* of W: normal force at which a contact counts as loaded */

/* One step being written. */
typedef struct sal_writer {
    sal_transcription *tr;
    int t, row;
    const double *y;
    double *r;
    double *J;  /* of this residual; NULL: not wanted */
    bool begun; /* J has something */
} sal_writer;

static void put(sal_writer *step, int index, double coefficient)
{
    if (step->J != NULL && coefficient != 0) {
        (step->begun ? sal_residual_put : sal_residual_set)(step->tr, step->t, step->J, index,
                                                            coefficient);
        step->begun = true;
    }
}

/* Ends the residual whose derivatives were put. */
static void next(sal_writer *step, double value)
{
    step->r[step->row++] = value;
    if (step->J != NULL) {
        const int ncol = step->tr->block[step->t].ncol;
        if (!step->begun) {
            memset(step->J, 0, (size_t)ncol * sizeof(double));
        }
        step->J += ncol;
        step->begun = false;
    }
}

/* ---- dynamics ------------------------------------------------------------------------------------------------------------------- */

/* r_i = (f - B' force)_i / W */
static void write_dynamics(sal_writer *step)
{
    const sal_transcription *tr = step->tr;
    const sal_actuation_map *map = tr->map;
    for (int i = 0; i < map->nfree; i++) {
        double r = 0;
        for (int c = 0; c < map->nv; c++) {
            const double coefficient = map->unactuated[i * map->nv + c] / tr->weight;
            if (coefficient != 0) {
                r += coefficient * step->y[tr->out_force + c];
                put(step, tr->out_force + c, coefficient);
            }
        }
        next(step, r);
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
static sal_control actuator_force(const sal_writer *step, int a)
{
    const sal_transcription *tr = step->tr;
    const sal_model *m = tr->p->model;
    const int joint = m->actuator_trnid[a], dof = m->jnt_dofadr[joint];
    const double *force = tr->map->force + a * m->nv;
    sal_control u = {.actuator = a, .by_force = 1};
    for (int c = dof; c < dof + sal_joint_ndof(m->jnt_type[joint]); c++) {
        u.value += force[c] * step->y[tr->out_force + c];
    }
    return u;
}

/* Length or velocity of the actuator: gear . (joint's rotation or position), gear . v. A free joint has no length. */
static double actuator_rate(const sal_writer *step, int a, bool velocity)
{
    const sal_transcription *tr = step->tr;
    const sal_model *m = tr->p->model;
    const int joint = m->actuator_trnid[a], n = sal_joint_ndof(m->jnt_type[joint]);
    const int from = velocity ? tr->out_velocity + m->jnt_dofadr[joint] : tr->out_joint[joint];
    double sum = 0;
    for (int k = 0; k < n && (velocity || n < 6); k++) {
        sum += m->actuator_gear[6 * a + k] * step->y[from + k];
    }
    return sum;
}

static bool has_servo(const sal_model *m, int a)
{
    return m->actuator_biastype[a] == SAL_BIAS_AFFINE || m->actuator_gaintype[a] == SAL_GAIN_AFFINE;
}

/* ctrl = (force - b0 - b1 l - b2 l') / (g0 + g1 l + g2 l') */
static sal_control actuator_ctrl(const sal_writer *step, int a)
{
    const sal_model *m = step->tr->p->model;
    const double *g = m->actuator_gainprm + 10 * a, *b = m->actuator_biasprm + 10 * a;
    sal_control u = actuator_force(step, a);
    if (!has_servo(m, a)) {
        u.value /= g[0];
        u.by_force = 1 / g[0];
        return u;
    }
    const double l = actuator_rate(step, a, false), v = actuator_rate(step, a, true);
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

static void put_control(sal_writer *step, const sal_control *u, double scale)
{
    if (step->J == NULL) {
        return;
    }
    const sal_transcription *tr = step->tr;
    const sal_model *m = tr->p->model;
    const int a = u->actuator, joint = m->actuator_trnid[a], dof = m->jnt_dofadr[joint];
    const int n = sal_joint_ndof(m->jnt_type[joint]);
    const double *force = tr->map->force + a * m->nv;
    for (int k = 0; k < n; k++) {
        const double gear = scale * m->actuator_gear[6 * a + k];
        put(step, tr->out_force + dof + k, scale * u->by_force * force[dof + k]);
        if (u->by_length != 0 && n < 6) {
            put(step, tr->out_joint[joint] + k, gear * u->by_length);
        }
        put(step, tr->out_velocity + dof + k, gear * u->by_velocity);
    }
}

/* r = max(u - hi, lo - u) / (hi - lo): the signed excess, negative inside. Its row is there before the bound is met. */
static void write_excess(sal_writer *step, const sal_control *u, const double range[2])
{
    const double width = range[1] - range[0];
    const double above = u->value - range[1], below = range[0] - u->value;
    put_control(step, u, (above >= below ? 1 : -1) / width);
    next(step, fmax(above, below) / width);
}

static void write_ranges(sal_writer *step)
{
    const sal_model *m = step->tr->p->model;
    for (int a = 0; a < m->nu; a++) {
        if (m->actuator_ctrllimited[a]) {
            const sal_control u = actuator_ctrl(step, a);
            write_excess(step, &u, m->actuator_ctrlrange + 2 * a);
        }
        if (m->actuator_forcelimited[a]) {
            const sal_control u = actuator_force(step, a);
            write_excess(step, &u, m->actuator_forcerange + 2 * a);
        }
    }
}

/* r = u - target */
static void write_actuators(sal_writer *step, const sal_term *term)
{
    for (int k = 0; k < term->nobject; k++) {
        const int a = term->object[k];
        const sal_control u =
            term->quantity == SAL_QTY_CTRL ? actuator_ctrl(step, a) : actuator_force(step, a);
        put_control(step, &u, 1);
        next(step, u.value - (term->target == NULL ? 0 : term->target[k]));
    }
}

/* ---- joints and sensors ------------------------------------------------------------------------------------------------------------- */

static void write_entries(sal_writer *step, const sal_term *term, int *component, int adr, int n)
{
    for (int k = 0; k < n; k++) {
        put(step, adr + k, 1);
        next(step, step->y[adr + k] - (term->target == NULL ? 0 : term->target[*component]));
        (*component)++;
    }
}

static void write_joints(sal_writer *step, const sal_term *term)
{
    const sal_transcription *tr = step->tr;
    const sal_model *m = tr->p->model;
    int component = 0;
    for (int k = 0; k < term->nobject; k++) {
        const int joint = term->object[k], dof = m->jnt_dofadr[joint];
        const int adr = term->order == 0   ? tr->out_joint[joint]
                        : term->order == 1 ? tr->out_velocity + dof
                                           : tr->out_acceleration + dof;
        write_entries(step, term, &component, adr, sal_joint_ndof(m->jnt_type[joint]));
    }
}

static void write_sensor(sal_writer *step, const sal_term *term)
{
    int component = 0;
    const int sensor = term->object[0];
    write_entries(step, term, &component, step->tr->out_sensor[sensor],
                  step->tr->p->model->sensor_dim[sensor]);
}

/* ---- contact features --------------------------------------------------------------------------------------------------------------- */

/* p(z) = 1 / (1 + exp(z/width)) and its slope -p (1 - p) / width */
static double nearness(double z, double width, double *slope)
{
    const double p = 1 / (1 + exp(z / width));
    *slope = -p * (1 - p) / width;
    return p;
}

/* The gate of a point: by height its nearness, by force its geom's load 1 - exp(-N/(.1 W)). *index: the output it depends on. */
static double gate_of(const sal_writer *step, const sal_term *term, int point, int *index,
                      double *slope)
{
    const sal_transcription *tr = step->tr;
    if (!term->by_force) {
        *index = tr->out_point[point];
        return nearness(step->y[*index], term->width, slope);
    }
    const int geom = tr->p->point_geom[point], scale_of_body = tr->p->model->ngeom;
    *index = tr->out_normal[geom >= 0 ? geom : scale_of_body - 1 - geom];
    const double scale = load_scale * tr->weight, rest = exp(-step->y[*index] / scale);
    *slope = rest / scale;
    return 1 - rest;
}

/* r = gate v, n components of the velocity of each point */
static void write_velocity(sal_writer *step, const sal_term *term, int first, int n)
{
    for (int k = 0; k < term->nobject; k++) {
        double slope;
        int index;
        const double gate = gate_of(step, term, term->object[k], &index, &slope);
        const int velocity = step->tr->out_point[term->object[k]] + 1 + first;
        for (int adr = velocity; adr < velocity + n; adr++) {
            put(step, adr, gate);
            put(step, index, slope * step->y[adr]);
            next(step, gate * step->y[adr]);
        }
    }
}

/* r = N - target */
static void write_normal(sal_writer *step, const sal_term *term)
{
    const int ngeom = step->tr->p->model->ngeom;
    for (int k = 0; k < term->nobject; k++) {
        const int object = term->object[k],
                  adr = step->tr->out_normal[object >= 0 ? object : ngeom - 1 - object];
        put(step, adr, 1);
        next(step, step->y[adr] - (term->target == NULL ? 0 : term->target[k]));
    }
}

/* r = distance - target */
static void write_distance(sal_writer *step, const sal_term *term)
{
    for (int k = 0; k < term->nobject; k++) {
        const int adr = step->tr->out_distance[term->object[k]];
        put(step, adr, 1);
        next(step, step->y[adr] - (term->target == NULL ? 0 : term->target[k]));
    }
}

/* r = p(lower) (z_1 - z_2) of two points */
static void write_height_difference(sal_writer *step, const sal_term *term, int first, int second)
{
    const int i = step->tr->out_point[first], k = step->tr->out_point[second];
    const double z1 = step->y[i], z2 = step->y[k];
    double slope;
    const double p = nearness(fmin(z1, z2), term->width, &slope);
    put(step, i, p + (z1 <= z2 ? slope * (z1 - z2) : 0));
    put(step, k, -p + (z1 <= z2 ? 0 : slope * (z1 - z2)));
    next(step, p * (z1 - z2));
}

/* ---- the step ---------------------------------------------------------------------------------------------------------------------- */

static void write_term(sal_writer *step, const sal_term *term)
{
    switch (term->quantity) {
    case SAL_QTY_CTRL:
    case SAL_QTY_FORCE:
        write_actuators(step, term);
        break;
    case SAL_QTY_JOINT:
        write_joints(step, term);
        break;
    case SAL_QTY_SENSOR:
        write_sensor(step, term);
        break;
    case SAL_QTY_SLIP:
        write_velocity(step, term, 0, 2); /* along the plane */
        break;
    case SAL_QTY_IMPACT:
        write_velocity(step, term, 2, 1); /* along its normal */
        break;
    case SAL_QTY_NORMAL:
        write_normal(step, term);
        break;
    case SAL_QTY_DISTANCE:
        write_distance(step, term);
        break;
    case SAL_QTY_FLAT:
    case SAL_QTY_LEVEL: /* objects come in pairs of points */
        for (int k = 0; k + 1 < term->nobject; k += 2) {
            write_height_difference(step, term, term->object[k], term->object[k + 1]);
        }
        break;
    }
}

/* r = a / 10 */
static void write_regulariser(sal_writer *step)
{
    for (int i = 0; i < step->tr->p->model->nv; i++) {
        put(step, step->tr->out_acceleration + i, 1 / acceleration_scale);
        next(step, step->y[step->tr->out_acceleration + i] / acceleration_scale);
    }
}

void sal_terms_residual(sal_transcription *tr, int t, double *r, double *J)
{
    sal_writer step = {.tr = tr, .t = t, .y = tr->y + (size_t)t * (size_t)tr->ny, .r = r, .J = J};
    write_dynamics(&step);
    write_ranges(&step);
    for (int k = 0; k < tr->p->nterm; k++) {
        write_term(&step, tr->p->term + k);
    }
    write_regulariser(&step);
}

/* ---- weights -------------------------------------------------------------------------------------------------------------------------- */

int sal_term_dim(const sal_model *m, const sal_term *term)
{
    int n = 0;
    switch (term->quantity) {
    case SAL_QTY_JOINT:
        for (int k = 0; k < term->nobject; k++) {
            n += sal_joint_ndof(m->jnt_type[term->object[k]]);
        }
        return n;
    case SAL_QTY_SENSOR:
        return m->sensor_dim[term->object[0]];
    case SAL_QTY_SLIP:
        return 2 * term->nobject;
    case SAL_QTY_FLAT:
    case SAL_QTY_LEVEL:
        return term->nobject / 2;
    case SAL_QTY_CTRL:
    case SAL_QTY_FORCE:
    case SAL_QTY_IMPACT:
    case SAL_QTY_NORMAL:
    case SAL_QTY_DISTANCE:
        break;
    }
    return term->nobject;
}

static int count_ranges(const sal_model *m)
{
    int n = 0;
    for (int a = 0; a < m->nu; a++) {
        n += (m->actuator_ctrllimited[a] != 0) + (m->actuator_forcelimited[a] != 0);
    }
    return n;
}

/* Segments in the order of sal_terms_residual: dynamics, ranges, terms, regulariser. */
void sal_terms_segments(sal_transcription *tr)
{
    const sal_problem *p = tr->p;
    const sal_norm quadratic = {SAL_NORM_QUADRATIC, 0, 0};
    tr->nseg = 0;
    tr->segment[tr->nseg++] = (sal_segment){tr->map->nfree, quadratic, 0, true, tr->tol, false, 0};
    tr->segment[tr->nseg++] =
        (sal_segment){count_ranges(p->model), quadratic, 0, true, range_tolerance, true, 0};
    for (int k = 0; k < p->nterm; k++) {
        tr->segment[tr->nseg++] =
            (sal_segment){sal_term_dim(p->model, p->term + k), p->term[k].norm, 0, false, 0, false, 0};
    }
    tr->segment[tr->nseg++] = (sal_segment){p->model->nv, quadratic, 0, false, 0, false, 0};
    tr->nres = 0;
    for (int k = 0; k < tr->nseg; k++) {
        tr->nres += tr->segment[k].n;
    }
    sal_terms_weights(tr);
}

/* cost = sum of weight . mean over t of norm(r): each segment of each step has 1/N of its term's weight. */
void sal_terms_weights(sal_transcription *tr)
{
    const sal_problem *p = tr->p;
    const double s = tr->at.s, share = 1.0 / p->nstep;
    const double dynamics = sal_ramp_at(&p->smoothing.dynamics, s),
                 regulariser = sal_ramp_at(&p->smoothing.acceleration, s);
    tr->segment[0].weight = share * dynamics * dynamics;
    tr->segment[1].weight = range_share * tr->segment[0].weight;
    for (int k = 0; k < p->nterm; k++) {
        const sal_ramp weight = {p->term[k].softweight, p->term[k].weight};
        tr->segment[2 + k].weight = share * sal_ramp_at(&weight, s);
    }
    tr->segment[2 + p->nterm].weight = share * regulariser * regulariser;
}
