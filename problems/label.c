/* label.c: how many numbers a quantity has, and what they are called. Their units: unit.c. */
#include "problems/quantity.h"

#include <stdio.h>

const char *prb_quantity_name(int i)
{
    static const char *const name[] = {
#define QUANTITY_NAME(code, text, value, doc) text,
        PRB_QUANTITY_LIST(QUANTITY_NAME)
#undef QUANTITY_NAME
    };
    return name[i];
}

int prb_object_group(prb_object_kind kind)
{
    return kind == PRB_OBJECT_POINT_PAIR || kind == PRB_OBJECT_GEOM_ENDS ? 2 : 1;
}

bool prb_object_is_over_floor(prb_object_kind kind)
{
    return kind == PRB_OBJECT_FOOTHOLD || kind == PRB_OBJECT_HIGH_POINT ||
           kind == PRB_OBJECT_POINT_PAIR || kind == PRB_OBJECT_GEOM_ENDS;
}

static bool is_one(const prb_feature *f)
{
    const prb_quantity *q = prb_quantity_of(f);
    return q->together || (f->sum && (q->uses & PRB_USE_SUM) != 0);
}

int prb_object_dim(const sal_model *m, const prb_feature *f, int k)
{
    const prb_quantity *q = prb_quantity_of(f);
    return f->given != NULL ? f->given->n : q->count == NULL ? q->n : q->count(m, f->object[k]);
}

int prb_feature_dim(const sal_model *m, const prb_feature *f)
{
    const int group = prb_object_group(prb_quantity_of(f)->object);
    int n = 0;
    if (is_one(f)) {
        return prb_quantity_of(f)->n;
    }
    for (int k = 0; k + group <= f->nobject; k += group) {
        n += prb_object_dim(m, f, k);
    }
    return n;
}

prb_part prb_feature_part(const sal_model *m, const prb_feature *f, int i)
{
    int k = 0, number = f->component == NULL ? i : f->component[i];
    for (; !is_one(f) && number >= prb_object_dim(m, f, k);
         k += prb_object_group(prb_quantity_of(f)->object)) {
        number -= prb_object_dim(m, f, k);
    }
    return (prb_part){f->object[k], number, prb_object_dim(m, f, k)};
}

const char *prb_short_name(const sal_model *m, sal_object type, int id, char text[SAL_LABEL_MAX])
{
    const char *name = sal_model_name(m, type, id);
    return name[0] != '\0' ? name : sal_model_label(m, type, id, text);
}

/* A geom, or -1 - body. */
static const char *shape_name(const sal_model *m, int object, char text[SAL_LABEL_MAX])
{
    return object >= 0 ? prb_short_name(m, SAL_OBJ_GEOM, object, text)
                       : prb_short_name(m, SAL_OBJ_BODY, -1 - object, text);
}

static const char *object_name(const sal_problem *p, const prb_feature *f, int object,
                               char text[SAL_LABEL_MAX])
{
    static const char *const energy[] = {"potential", "kinetic", "total"};
    const sal_model *m = p->model;
    switch (prb_quantity_of(f)->object) {
    case PRB_OBJECT_ACTUATOR:
        return prb_short_name(m, SAL_OBJ_ACTUATOR, object, text);
    case PRB_OBJECT_JOINT:
        return prb_short_name(m, SAL_OBJ_JOINT, object, text);
    case PRB_OBJECT_SENSOR:
        return prb_short_name(m, SAL_OBJ_SENSOR, object, text);
    case PRB_OBJECT_TENDON:
        return prb_short_name(m, SAL_OBJ_TENDON, object, text);
    case PRB_OBJECT_TREE:
    case PRB_OBJECT_BODY:
        return prb_short_name(m, SAL_OBJ_BODY, object, text);
    case PRB_OBJECT_SHAPE:
        return shape_name(m, object, text);
    case PRB_OBJECT_FOOTHOLD:
    case PRB_OBJECT_HIGH_POINT:
    case PRB_OBJECT_PLACE:
    case PRB_OBJECT_POINT_PAIR:
    case PRB_OBJECT_GEOM_ENDS:
        return p->point_name[object];
    case PRB_OBJECT_GEOM_PAIR:
        return prb_short_name(m, SAL_OBJ_GEOM, p->distance[object][0], text);
    case PRB_OBJECT_ENERGY:
        return energy[object];
    case PRB_OBJECT_FLOOR:
        return object == PRB_FLOOR_HEIGHT ? "height" : "slope";
    case PRB_OBJECT_MARKER:
        return prb_short_name(m, SAL_OBJ_SITE, p->offset[object], text);
    case PRB_OBJECT_FUNCTION:
        return p->function[object].name;
    }
    return "";
}

/* x, y, z, of a free joint then rx, ry, rz; or a number */
static void axis_name(const prb_feature *f, prb_part of, char text[8])
{
    text[0] = 0;
    if (of.n > 1 && prb_quantity_of(f)->numbered) {
        snprintf(text, 8, " %d", of.i % 1000);
    } else if (of.n > 1) {
        snprintf(text, 8, of.i >= 3 ? " r%c" : " %c", "xyz"[of.i % 3]);
    }
}

void prb_feature_label(const sal_problem *p, const prb_feature *f, int i, char *text, size_t room)
{
    const prb_part of = prb_feature_part(p->model, f, i);
    char own[SAL_LABEL_MAX];
    const char *name = object_name(p, f, of.object, own);
    char axis[8];
    axis_name(f, of, axis);
    if (f->sum || (prb_quantity_of(f)->together && f->nobject > 1)) {
        name = "all named";
    }
    snprintf(text, room, "%.48s%s", name, axis);
}
