/* quantity.c: the numbers of each quantity that a term or a constraint can be about, as functions of the outputs y of a step. Every one states its
 * formula; its derivatives with respect to y go through prb_row_put in the same place. See SAL_QUANTITY_LIST.
 */
#include "base/house.h"
#include "problems/row.h"

#include <math.h>

static const double load_scale = 0.1; /* of W: normal force at which a contact counts as loaded */

/* ---- outputs as they are ------------------------------------------------------------------------------------------------------------ */

static void write_entries(prb_writer *w, int adr, int n)
{
    for (int k = adr; k < adr + n; k++) {
        prb_row_put(w, k, 1);
        prb_row_end(w, w->y[k]);
    }
}

static void write_joints(prb_writer *w)
{
    const prb_transcription *tr = w->tr;
    const sal_feature *f = w->feature;
    const sal_model *m = tr->p->model;
    for (int k = 0; k < f->nobject; k++) {
        const int joint = f->object[k], dof = m->jnt_dofadr[joint];
        const int adr = f->order == 0   ? tr->out_joint[joint]
                        : f->order == 1 ? tr->out_velocity + dof
                                        : tr->out_acceleration + dof;
        write_entries(w, adr, sal_joint_ndof(m->jnt_type[joint]));
    }
}

static void write_sensor(prb_writer *w)
{
    const int sensor = w->feature->object[0];
    write_entries(w, w->tr->out_sensor[sensor], w->tr->p->model->sensor_dim[sensor]);
}

/* Own outputs of n numbers, of each object or summed over them. */
static void write_objects(prb_writer *w, int n)
{
    const sal_feature *f = w->feature;
    const int nrow = f->sum ? 1 : f->nobject, each = f->sum ? f->nobject : 1;
    for (int row = 0; row < nrow; row++) {
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = row; k < row + each; k++) {
                prb_row_put(w, w->own[k] + i, 1);
                sum += w->y[w->own[k] + i];
            }
            prb_row_end(w, sum);
        }
    }
}

/* N of each geom, or of all geoms of a body; or their sum */
static void write_normals(prb_writer *w)
{
    const int ngeom = w->tr->p->model->ngeom;
    const sal_feature *f = w->feature;
    double sum = 0;
    for (int k = 0; k < f->nobject; k++) {
        const int object = f->object[k];
        const int adr = w->tr->out_normal[object >= 0 ? object : ngeom - 1 - object];
        prb_row_put(w, adr, 1);
        sum += w->y[adr];
        if (!f->sum || k + 1 == f->nobject) {
            prb_row_end(w, sum);
            sum = 0;
        }
    }
}

/* m c' */
static void write_momentum(prb_writer *w)
{
    const sal_feature *f = w->feature;
    for (int k = 0; k < f->nobject; k++) {
        const double mass = sal_bulk_mass(w->tr->p->model, f->object[k]);
        for (int i = w->own[k]; i < w->own[k] + 3; i++) {
            prb_row_put(w, i, mass);
            prb_row_end(w, mass * w->y[i]);
        }
    }
}

/* T, U, or T + U */
static void write_energy(prb_writer *w)
{
    const sal_feature *f = w->feature;
    for (int k = 0; k < f->nobject; k++) {
        const int one = w->own[2 * k], other = w->own[2 * k + 1];
        prb_row_put(w, one, 1);
        if (other != one) {
            prb_row_put(w, other, 1);
        }
        prb_row_end(w, w->y[one] + (other != one ? w->y[other] : 0));
    }
}

/* r = log(p),  p = target* q = (w, v):   r = 2 atan2(|v|, w) v/|v|, of p and -p the shorter. Along the sphere
 *
 *     dr/dv = k 1 + (k' / |v|) v v',   k = 2 atan2(|v|, w)/|v|,  k' = (2 w - k) / |v|        dr/dw = -2 v            (|p| = 1)
 *
 * and for |v| -> 0, w -> 1: dr/dv = 2. */
static void log_deriv(const double p[4], double r[3], double D[12])
{
    const double sign = p[0] < 0 ? -1 : 1, w = sign * p[0];
    double v[3];
    sal_v3_scale(v, p + 1, sign);
    const double s = sal_v3_norm(v), k = s < 1e-8 ? 2 : 2 * atan2(s, w) / s,
                 bend = s < 1e-8 ? 0 : (2 * w - k) / (s * s);
    sal_v3_scale(r, v, k);
    for (int i = 0; i < 3; i++) {
        D[4 * i] = -2 * v[i] * sign;
        for (int j = 0; j < 3; j++) {
            D[4 * i + 1 + j] = sign * ((i == j ? k : 0) + bend * v[i] * v[j]);
        }
    }
}

/* The rotation vector of each body from its target; dp = target* dq */
static void write_orientation(prb_writer *w)
{
    static const double home[4] = {1, 0, 0, 0};
    const sal_feature *f = w->feature;
    const int step = f->tabulated ? w->t * f->nobject : 0;
    for (int k = 0; k < f->nobject; k++) {
        const double *target = f->reference == NULL ? home : f->reference + 4 * (step + k);
        double back[4], p[4], r[3], D[12], column[4][4];
        sal_quat_conj(back, target);
        sal_quat_mul(p, back, w->y + w->own[k]);
        log_deriv(p, r, D);
        for (int c = 0; c < 4; c++) {
            const double e[4] = {c == 0, c == 1, c == 2, c == 3};
            sal_quat_mul(column[c], back, e);
        }
        for (int i = 0; i < 3; i++) {
            for (int c = 0; c < 4; c++) {
                double sum = 0;
                for (int j = 0; j < 4; j++) {
                    sum += D[4 * i + j] * column[c][j];
                }
                prb_row_put(w, w->own[k] + c, sum);
            }
            prb_row_end(w, r[i]);
        }
    }
}

static void write_distances(prb_writer *w)
{
    for (int k = 0; k < w->feature->nobject; k++) {
        write_entries(w, w->tr->out_distance[w->feature->object[k]], 1);
    }
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
static double gate_of(const prb_writer *w, int point, int *index, double *slope)
{
    const prb_transcription *tr = w->tr;
    const sal_feature *f = w->feature;
    if (!f->by_force) {
        *index = tr->out_point[point];
        return nearness(w->y[*index], f->width, slope);
    }
    const int geom = tr->p->point_geom[point], scale_of_body = tr->p->model->ngeom;
    *index = tr->out_normal[geom >= 0 ? geom : scale_of_body - 1 - geom];
    const double scale = load_scale * tr->weight, rest = exp(-w->y[*index] / scale);
    *slope = rest / scale;
    return 1 - rest;
}

/* r = gate v, n components of the velocity of each point */
static void write_velocity(prb_writer *w, int first, int n)
{
    const sal_feature *f = w->feature;
    for (int k = 0; k < f->nobject; k++) {
        double slope;
        int index;
        const double gate = gate_of(w, f->object[k], &index, &slope);
        const int velocity = w->tr->out_point[f->object[k]] + 1 + first;
        for (int adr = velocity; adr < velocity + n; adr++) {
            prb_row_put(w, adr, gate);
            prb_row_put(w, index, slope * w->y[adr]);
            prb_row_end(w, gate * w->y[adr]);
        }
    }
}

static void write_heights(prb_writer *w)
{
    for (int k = 0; k < w->feature->nobject; k++) {
        write_entries(w, w->tr->out_point[w->feature->object[k]], 1);
    }
}

/* r = p(lower) (z_1 - z_2) of two points */
static void write_height_difference(prb_writer *w, int first, int second)
{
    const int i = w->tr->out_point[first], k = w->tr->out_point[second];
    const double z1 = w->y[i], z2 = w->y[k];
    double slope;
    const double p = nearness(fmin(z1, z2), w->feature->width, &slope);
    prb_row_put(w, i, p + (z1 <= z2 ? slope * (z1 - z2) : 0));
    prb_row_put(w, k, -p + (z1 <= z2 ? 0 : slope * (z1 - z2)));
    prb_row_end(w, p * (z1 - z2));
}

/* Objects come in pairs of points. */
static void write_height_differences(prb_writer *w)
{
    const sal_feature *f = w->feature;
    for (int k = 0; k + 1 < f->nobject; k += 2) {
        write_height_difference(w, f->object[k], f->object[k + 1]);
    }
}

/* ---- all of them ------------------------------------------------------------------------------------------------------------------------ */

void prb_quantity_write(prb_writer *w)
{
    switch (w->feature->quantity) {
    case SAL_QTY_CTRL:
    case SAL_QTY_FORCE:
        prb_actuators_write(w);
        break;
    case SAL_QTY_JOINT:
        write_joints(w);
        break;
    case SAL_QTY_SENSOR:
        write_sensor(w);
        break;
    case SAL_QTY_SLIP:
        write_velocity(w, 0, 2); /* along the plane */
        break;
    case SAL_QTY_IMPACT:
        write_velocity(w, 2, 1); /* along its normal */
        break;
    case SAL_QTY_NORMAL:
        write_normals(w);
        break;
    case SAL_QTY_DISTANCE:
        write_distances(w);
        break;
    case SAL_QTY_FLAT:
    case SAL_QTY_LEVEL:
        write_height_differences(w);
        break;
    case SAL_QTY_HEIGHT:
        write_heights(w);
        break;
    case SAL_QTY_COP:
        write_entries(w, w->own[0], 2);
        break;
    case SAL_QTY_CONTACT:
    case SAL_QTY_POSITION:
    case SAL_QTY_VELOCITY:
    case SAL_QTY_COM:
    case SAL_QTY_ANGMOMENTUM:
        write_objects(w, 3);
        break;
    case SAL_QTY_MOMENTUM:
        write_momentum(w);
        break;
    case SAL_QTY_ENERGY:
        write_energy(w);
        break;
    case SAL_QTY_POWER:
        prb_power_write(w);
        break;
    case SAL_QTY_TENDON:
        write_objects(w, 1);
        break;
    case SAL_QTY_ORIENTATION:
        write_orientation(w);
        break;
    }
}

int prb_feature_dim(const sal_model *m, const sal_feature *f)
{
    int n = 0;
    switch (f->quantity) {
    case SAL_QTY_JOINT:
        for (int k = 0; k < f->nobject; k++) {
            n += sal_joint_ndof(m->jnt_type[f->object[k]]);
        }
        return n;
    case SAL_QTY_SENSOR:
        return m->sensor_dim[f->object[0]];
    case SAL_QTY_SLIP:
        return 2 * f->nobject;
    case SAL_QTY_FLAT:
    case SAL_QTY_LEVEL:
        return f->nobject / 2;
    case SAL_QTY_COP:
        return 2;
    case SAL_QTY_CONTACT:
        return f->sum ? 3 : 3 * f->nobject;
    case SAL_QTY_POSITION:
    case SAL_QTY_VELOCITY:
    case SAL_QTY_COM:
    case SAL_QTY_MOMENTUM:
    case SAL_QTY_ANGMOMENTUM:
    case SAL_QTY_ORIENTATION:
        return 3 * f->nobject;
    case SAL_QTY_NORMAL:
    case SAL_QTY_POWER:
        return f->sum ? 1 : f->nobject;
    case SAL_QTY_CTRL:
    case SAL_QTY_FORCE:
    case SAL_QTY_IMPACT:
    case SAL_QTY_DISTANCE:
    case SAL_QTY_HEIGHT:
    case SAL_QTY_ENERGY:
    case SAL_QTY_TENDON:
        break;
    }
    return f->nobject;
}
