/* own_outputs.c: outputs that a term or constraint has for itself, object after object; others with the same one share it. */
#include "problems/transcribe.h"

#include <string.h>

static const double light = 1e-3; /* of W: load that pulls the centre of pressure to the middle */

int prb_own_count(const sal_feature *f)
{
    switch (f->quantity) {
    case SAL_QTY_CONTACT:
    case SAL_QTY_POSITION:
    case SAL_QTY_VELOCITY:
    case SAL_QTY_COM:
    case SAL_QTY_MOMENTUM:
    case SAL_QTY_ANGMOMENTUM:
    case SAL_QTY_TENDON:
    case SAL_QTY_ORIENTATION:
    case SAL_QTY_POWER:
        return f->nobject;
    case SAL_QTY_COP:
        return f->nobject > 0;
    case SAL_QTY_ENERGY:
        return 2 * f->nobject; /* potential, kinetic; where only one counts, twice that */
    case SAL_QTY_CTRL:
    case SAL_QTY_FORCE:
    case SAL_QTY_JOINT:
    case SAL_QTY_SENSOR:
    case SAL_QTY_SLIP:
    case SAL_QTY_IMPACT:
    case SAL_QTY_NORMAL:
    case SAL_QTY_FLAT:
    case SAL_QTY_LEVEL:
    case SAL_QTY_DISTANCE:
    case SAL_QTY_HEIGHT:
        break;
    }
    return 0;
}

/* Marks a geom, or for -1 - body all geoms of a body. */
static void mark(const sal_model *m, unsigned char *marks, int object)
{
    for (int g = 0; g < m->ngeom; g++) {
        marks[g] = marks[g] || (object >= 0 ? g == object : m->geom_bodyid[g] == -1 - object);
    }
}

/* The sets of contact and cop: the k-th object, or all; and those in contact with them. */
static void set_geoms(const prb_transcription *tr, const sal_feature *f, int k, sal_output *output,
                      unsigned char *marks)
{
    const sal_model *m = tr->p->model;
    const bool all = f->quantity == SAL_QTY_COP;
    unsigned char *others = marks + m->ngeom;
    memset(marks, 0, 2 * (size_t)m->ngeom);
    for (int i = all ? 0 : k; i < (all ? f->nobject : k + 1); i++) {
        mark(m, marks, f->object[i]);
    }
    for (int i = 0; i < f->nwith; i++) {
        mark(m, others, f->with[i]);
    }
    output->geoms = marks;
    output->others = f->nwith > 0 ? others : NULL;
}

void prb_own_output(const prb_transcription *tr, const sal_feature *f, int k, sal_output *output,
                    unsigned char *marks)
{
    static const sal_bulk of_com[] = {SAL_BULK_COM, SAL_BULK_LINVEL, SAL_BULK_LINACC};
    const int object = f->object[f->quantity == SAL_QTY_ENERGY ? k / 2 : k];
    *output = (sal_output){.id = object};
    switch (f->quantity) {
    case SAL_QTY_CONTACT:
    case SAL_QTY_COP:
        output->kind = f->quantity == SAL_QTY_COP ? SAL_OUT_PRESSURE : SAL_OUT_CONTACT;
        output->id = 0;
        output->load = f->quantity == SAL_QTY_COP ? light * tr->weight : 0;
        set_geoms(tr, f, k, output, marks);
        break;
    case SAL_QTY_POSITION:
    case SAL_QTY_VELOCITY:
        output->kind = f->quantity == SAL_QTY_POSITION ? SAL_OUT_PLACE : SAL_OUT_PLACE_VELOCITY;
        output->id = 0;
        output->point = tr->point[object];
        break;
    case SAL_QTY_COM:
        output->kind = SAL_OUT_BULK;
        output->other = (int)of_com[f->order];
        break;
    case SAL_QTY_MOMENTUM:
    case SAL_QTY_ANGMOMENTUM:
        output->kind = SAL_OUT_BULK;
        output->other = f->quantity == SAL_QTY_MOMENTUM ? SAL_BULK_LINVEL : SAL_BULK_ANGMOM;
        break;
    case SAL_QTY_ENERGY:
        output->kind = SAL_OUT_ENERGY;
        output->id = object < 2 ? object : k % 2;
        break;
    case SAL_QTY_TENDON:
        output->kind = f->order == 0 ? SAL_OUT_TENDON : SAL_OUT_TENDON_VELOCITY;
        break;
    case SAL_QTY_ORIENTATION:
        output->kind = SAL_OUT_QUAT;
        break;
    case SAL_QTY_POWER:
        output->kind = SAL_OUT_ACTUATOR_VELOCITY;
        break;
    case SAL_QTY_CTRL:
    case SAL_QTY_FORCE:
    case SAL_QTY_JOINT:
    case SAL_QTY_SENSOR:
    case SAL_QTY_SLIP:
    case SAL_QTY_IMPACT:
    case SAL_QTY_NORMAL:
    case SAL_QTY_FLAT:
    case SAL_QTY_LEVEL:
    case SAL_QTY_DISTANCE:
    case SAL_QTY_HEIGHT:
        break; /* have none */
    }
}
