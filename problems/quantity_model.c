/* quantity_model.c: what the objects of the model have by themselves: joints, sensors, tendons,
 * distances of geoms. And what several quantities share. */
#include "problems/quantity.h"

#include <math.h>
#include <string.h>

/* ---- outputs as they are, and answers that several quantities give ---- */

void prb_write_entries(prb_writer *w, int adr, int n)
{
    for (int k = adr; k < adr + n; k++) {
        prb_row_put(w, k, 1);
        prb_row_end(w, w->y[k]);
    }
}

void prb_write_outputs(prb_writer *w, int n)
{
    const prb_feature *f = w->feature;
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

double prb_weight_unit(const sal_model *m, const prb_feature *f)
{
    (void)f;
    return fmax(prb_weight(m), 1e-6);
}

bool prb_always(const sal_model *m, const prb_feature *f)
{
    (void)m;
    (void)f;
    return true;
}

bool prb_never(const sal_model *m, const prb_feature *f)
{
    (void)m;
    (void)f;
    return false;
}

bool prb_unless_acceleration(const sal_model *m, const prb_feature *f)
{
    (void)m;
    return f->order < 2;
}

/* ---- joint ---- */

int prb_joint_count(const sal_model *m, int joint)
{
    return sal_joint_ndof(m->jnt_type[joint]);
}

const char *prb_joint_unit(const sal_model *m, const prb_feature *f, int joint, int i)
{
    static const char *const length[] = {"m", "m/s", "m/s^2"}, *const angle[] = {"rad", "rad/s",
                                                                                 "rad/s^2"};
    const int type = m->jnt_type[joint];
    const bool turns = type == SAL_JNT_FREE ? i >= 3 : type != SAL_JNT_SLIDE;
    return turns ? angle[f->order] : length[f->order];
}

bool prb_joint_model_range(const sal_model *m, int joint, double range[2])
{
    if (m->jnt_limited[joint]) {
        memcpy(range, m->jnt_range + 2 * joint, 2 * sizeof *range);
    }
    return m->jnt_limited[joint] != 0 && sal_joint_ndof(m->jnt_type[joint]) == 1;
}

void prb_joint_want(prb_wanted *list, const prb_feature *f)
{
    for (int k = 0; k < f->nobject && f->order == 0; k++) {
        prb_want(list, (sal_output){.kind = SAL_OUT_JOINT, .id = f->object[k]});
    }
}

void prb_joint_write(prb_writer *w)
{
    const prb_transcription *tr = w->tr;
    const prb_feature *f = w->feature;
    const sal_model *m = tr->p->model;
    for (int k = 0; k < f->nobject; k++) {
        const int joint = f->object[k], dof = m->jnt_dofadr[joint];
        const int adr = f->order == 0   ? w->own[k]
                        : f->order == 1 ? tr->out_velocity + dof
                                        : tr->out_acceleration + dof;
        prb_write_entries(w, adr, sal_joint_ndof(m->jnt_type[joint]));
    }
}

/* ---- sensor ---- */

int prb_sensor_count(const sal_model *m, int sensor)
{
    return m->sensor_dim[sensor];
}

bool prb_sensor_at_end(const sal_model *m, const prb_feature *f)
{
    return f->nobject == 0 || m == NULL || m->sensor_stage[f->object[0]] != SAL_STAGE_ACC;
}

void prb_sensor_want(prb_wanted *list, const prb_feature *f)
{
    for (int k = 0; k < f->nobject; k++) {
        prb_want(list, (sal_output){.kind = SAL_OUT_SENSOR, .id = f->object[k]});
    }
}

void prb_sensor_write(prb_writer *w)
{
    prb_write_entries(w, w->own[0], w->tr->p->model->sensor_dim[w->feature->object[0]]);
}

/* ---- tendon ---- */

void prb_tendon_want(prb_wanted *list, const prb_feature *f)
{
    for (int k = 0; k < f->nobject; k++) {
        prb_want(list,
                 (sal_output){.kind = f->order == 0 ? SAL_OUT_TENDON : SAL_OUT_TENDON_VELOCITY,
                              .id = f->object[k]});
    }
}

void prb_tendon_write(prb_writer *w)
{
    prb_write_outputs(w, 1);
}

/* ---- distance ---- */

void prb_distance_want(prb_wanted *list, const prb_feature *f)
{
    for (int k = 0; k < f->nobject; k++) {
        const int *geoms = list->tr->p->distance[f->object[k]];
        prb_want(list, (sal_output){.kind = SAL_OUT_DISTANCE, .id = geoms[0], .other = geoms[1]});
    }
}

void prb_distance_write(prb_writer *w)
{
    prb_write_outputs(w, 1);
}
