/* label.c: what the numbers of a quantity are called, and what they are measured in. */
#include "problems/transcribe.h"

#include <stdio.h>
#include <string.h>

const char *sal_quantity_name(int i)
{
    static const char *const name[] = {
#define QUANTITY_NAME(code, text) text,
        SAL_QUANTITY_LIST(QUANTITY_NAME)
#undef QUANTITY_NAME
    };
    return name[i];
}

/* The object that number i of the quantity belongs to, and which of its numbers it is. */
typedef struct part {
    int object, i, n;
} part;

static part part_of(const sal_model *m, const sal_feature *f, int i)
{
    if (f->quantity == SAL_QTY_JOINT) {
        int k = 0;
        for (; i >= sal_joint_ndof(m->jnt_type[f->object[k]]); k++) {
            i -= sal_joint_ndof(m->jnt_type[f->object[k]]);
        }
        return (part){f->object[k], i, sal_joint_ndof(m->jnt_type[f->object[k]])};
    }
    const int dim = prb_feature_dim(m, f);
    const bool one = f->sum || f->quantity == SAL_QTY_COP;
    const bool pairs = f->quantity == SAL_QTY_FLAT || f->quantity == SAL_QTY_LEVEL;
    const int count = one ? 1 : pairs ? f->nobject / 2 : f->nobject, n = dim / count;
    return (part){f->object[(pairs ? 2 : 1) * (i / n)], i % n, n};
}

/* A geom, or -1 - body. */
static const char *shape_name(const sal_model *m, int object)
{
    return object >= 0 ? sal_model_name(m, SAL_OBJ_GEOM, object)
                       : sal_model_name(m, SAL_OBJ_BODY, -1 - object);
}

static const char *object_name(const sal_problem *p, const sal_feature *f, int object)
{
    static const char *const energy[] = {"potential", "kinetic", "total"};
    const sal_model *m = p->model;
    switch (f->quantity) {
    case SAL_QTY_CTRL:
    case SAL_QTY_FORCE:
    case SAL_QTY_POWER:
        return sal_model_name(m, SAL_OBJ_ACTUATOR, object);
    case SAL_QTY_JOINT:
        return sal_model_name(m, SAL_OBJ_JOINT, object);
    case SAL_QTY_SENSOR:
        return sal_model_name(m, SAL_OBJ_SENSOR, object);
    case SAL_QTY_SLIP:
    case SAL_QTY_IMPACT:
    case SAL_QTY_FLAT:
    case SAL_QTY_LEVEL:
    case SAL_QTY_HEIGHT:
    case SAL_QTY_POSITION:
    case SAL_QTY_VELOCITY:
        return p->point_name[object];
    case SAL_QTY_NORMAL:
    case SAL_QTY_CONTACT:
    case SAL_QTY_COP:
        return shape_name(m, object);
    case SAL_QTY_DISTANCE:
        return sal_model_name(m, SAL_OBJ_GEOM, p->distance[object][0]);
    case SAL_QTY_COM:
    case SAL_QTY_MOMENTUM:
    case SAL_QTY_ANGMOMENTUM:
    case SAL_QTY_ORIENTATION:
        return sal_model_name(m, SAL_OBJ_BODY, object);
    case SAL_QTY_ENERGY:
        return energy[object];
    case SAL_QTY_TENDON:
        return sal_model_name(m, SAL_OBJ_TENDON, object);
    }
    return "";
}

static void axis_name(const sal_feature *f, part of, char text[8])
{
    const bool free_turn = f->quantity == SAL_QTY_JOINT && of.n == 6 && of.i >= 3;
    const bool world = of.n <= 3 && f->quantity != SAL_QTY_SENSOR && f->quantity != SAL_QTY_SLIP;
    text[0] = 0;
    if (of.n > 1 && (world || (f->quantity == SAL_QTY_JOINT && of.n == 6))) {
        snprintf(text, 8, free_turn ? " r%c" : " %c", "xyz"[of.i % 3]);
    } else if (of.n > 1) {
        snprintf(text, 8, " %d", of.i % 1000);
    }
}

void prb_feature_label(const sal_problem *p, const sal_feature *f, int i, char *text, size_t room)
{
    const part of = part_of(p->model, f, f->component == NULL ? i : f->component[i]);
    const char *name = object_name(p, f, of.object);
    char axis[8];
    axis_name(f, of, axis);
    if (f->sum || (f->quantity == SAL_QTY_COP && f->nobject > 1)) {
        name = "all named";
    }
    snprintf(text, room, "%.48s%s", name, axis);
}

static const char *rate(bool turns, int order)
{
    static const char *const unit[2][3] = {
        {"m",   "m/s",   "m/s^2"  },
        {"rad", "rad/s", "rad/s^2"}
    };
    return unit[turns][order];
}

static const char *joint_unit(const sal_model *m, const sal_feature *f, part of)
{
    const int type = m->jnt_type[of.object];
    return rate(type == SAL_JNT_FREE ? of.i >= 3 : type != SAL_JNT_SLIDE, f->order);
}

/* The force of an actuator at a slide is one, at a hinge or ball a torque; at others it depends. */
static const char *force_unit(const sal_model *m, int a)
{
    const int joint = m->actuator_trnid[a];
    if (m->actuator_trntype[a] != SAL_TRN_JOINT || m->jnt_type[joint] == SAL_JNT_FREE) {
        return m->actuator_trntype[a] == SAL_TRN_TENDON ? "N" : "";
    }
    return m->jnt_type[joint] == SAL_JNT_SLIDE ? "N" : "N m";
}

const char *prb_feature_unit(const sal_problem *p, const sal_feature *f, int i)
{
    const part of = part_of(p->model, f, f->component == NULL ? i : f->component[i]);
    switch (f->quantity) {
    case SAL_QTY_FORCE:
        return force_unit(p->model, of.object);
    case SAL_QTY_JOINT:
        return joint_unit(p->model, f, of);
    case SAL_QTY_SLIP:
    case SAL_QTY_IMPACT:
    case SAL_QTY_VELOCITY:
        return "m/s";
    case SAL_QTY_NORMAL:
    case SAL_QTY_CONTACT:
        return "N";
    case SAL_QTY_FLAT:
    case SAL_QTY_LEVEL:
    case SAL_QTY_DISTANCE:
    case SAL_QTY_COP:
    case SAL_QTY_HEIGHT:
    case SAL_QTY_POSITION:
        return "m";
    case SAL_QTY_COM:
        return rate(false, f->order);
    case SAL_QTY_MOMENTUM:
        return "kg m/s";
    case SAL_QTY_ANGMOMENTUM:
        return "kg m^2/s";
    case SAL_QTY_ENERGY:
        return "J";
    case SAL_QTY_POWER:
        return "W";
    case SAL_QTY_ORIENTATION:
        return "rad";
    case SAL_QTY_CTRL: /* the actuator's, the sensor's; of tendons m or what their joints have */
    case SAL_QTY_SENSOR:
    case SAL_QTY_TENDON:
        break;
    }
    return "";
}
