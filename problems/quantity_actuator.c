/* quantity_actuator.c: ctrl, force and power of actuators. */
#include "problems/actuator_value.h"
#include "problems/quantity.h"

#include <math.h>
#include <string.h>

/* ---- ctrl, force ---- */

static double widest_range(const prb_feature *f, const int *limited, const double *range)
{
    double most = 0;
    for (int k = 0; k < f->nobject; k++) {
        const int a = f->object[k];
        most = fmax(most, limited[a] ? range[2 * a + 1] - range[2 * a] : 0);
    }
    return most > 0 ? most : 1;
}

static bool range_of(int a, const int *limited, const double *ranges, double range[2])
{
    if (limited[a]) {
        memcpy(range, ranges + 2 * a, 2 * sizeof *range);
    }
    return limited[a] != 0;
}

double prb_ctrl_natural_unit(const sal_model *m, const prb_feature *f)
{
    return widest_range(f, m->actuator_ctrllimited, m->actuator_ctrlrange);
}

bool prb_ctrl_model_range(const sal_model *m, int actuator, double range[2])
{
    return range_of(actuator, m->actuator_ctrllimited, m->actuator_ctrlrange, range);
}

void prb_ctrl_want(prb_wanted *list, const prb_feature *f)
{
    (void)list;
    (void)f;
}

void prb_ctrl_write(prb_writer *w)
{
    for (int k = 0; k < w->feature->nobject; k++) {
        const prb_actuator_value u = prb_actuator_ctrl(w, w->feature->object[k]);
        prb_actuator_put(w, &u, 1);
        prb_row_end(w, u.value);
    }
}

double prb_force_natural_unit(const sal_model *m, const prb_feature *f)
{
    return widest_range(f, m->actuator_forcelimited, m->actuator_forcerange);
}

bool prb_force_model_range(const sal_model *m, int actuator, double range[2])
{
    return range_of(actuator, m->actuator_forcelimited, m->actuator_forcerange, range);
}

/* The force of an actuator at a slide is one, at a hinge or ball a torque; at others it depends. */
const char *prb_force_unit(const sal_model *m, const prb_feature *f, int actuator, int i)
{
    const int joint = m->actuator_trnid[actuator], type = m->actuator_trntype[actuator];
    (void)f;
    (void)i;
    if (type != SAL_TRN_JOINT || m->jnt_type[joint] == SAL_JNT_FREE) {
        return type == SAL_TRN_TENDON ? "N" : "";
    }
    return m->jnt_type[joint] == SAL_JNT_SLIDE ? "N" : "N m";
}

void prb_force_want(prb_wanted *list, const prb_feature *f)
{
    (void)list;
    (void)f;
}

void prb_force_write(prb_writer *w)
{
    for (int k = 0; k < w->feature->nobject; k++) {
        const prb_actuator_value u = prb_actuator_force(w, w->feature->object[k]);
        prb_actuator_put(w, &u, 1);
        prb_row_end(w, u.value);
    }
}

/* ---- power ---- */

void prb_power_want(prb_wanted *list, const prb_feature *f)
{
    for (int k = 0; k < f->nobject; k++) {
        prb_want(list, (sal_output){.kind = SAL_OUT_ACTUATOR_VELOCITY, .id = f->object[k]});
    }
}

/* force l' of each actuator, or the sum of them */
void prb_power_write(prb_writer *w)
{
    const prb_feature *f = w->feature;
    double sum = 0;
    for (int k = 0; k < f->nobject; k++) {
        const prb_actuator_value u = prb_actuator_force(w, f->object[k]);
        const double rate = w->y[w->own[k]];
        prb_actuator_put(w, &u, rate);
        prb_row_put(w, w->own[k], u.value);
        sum += u.value * rate;
        if (!f->sum || k + 1 == f->nobject) {
            prb_row_end(w, sum);
            sum = 0;
        }
    }
}
