/* outputs.c: what invdyn has to deliver for the terms of a problem, each thing once. */
#include "problems/transcribe.h"

#include <string.h>

static int add(prb_transcription *tr, const sal_output *output)
{
    tr->output[tr->noutput] = *output;
    return tr->noutput++;
}

/* Adds the output unless *place already has its number (-1: not yet). */
static void want(prb_transcription *tr, int *place, const sal_output *output)
{
    if (*place < 0) {
        *place = add(tr, output);
    }
}

static void want_joint(prb_transcription *tr, int joint)
{
    const sal_output output = {.kind = SAL_OUT_JOINT, .id = joint};
    want(tr, tr->out_joint + joint, &output);
}

static void want_point(prb_transcription *tr, int point)
{
    const sal_output output = {.kind = SAL_OUT_POINT, .point = tr->point[point]};
    want(tr, tr->out_point + point, &output);
}

static void want_distance(prb_transcription *tr, int pair)
{
    const int *geoms = tr->p->distance[pair];
    const sal_output output = {.kind = SAL_OUT_DISTANCE, .id = geoms[0], .other = geoms[1]};
    want(tr, tr->out_distance + pair, &output);
}

/* The normal force of one geom (object >= 0), or of all geoms of body -1 - object. */
static void want_normal(prb_transcription *tr, int object)
{
    const sal_model *m = tr->p->model;
    const int index = object >= 0 ? object : m->ngeom - 1 - object;
    unsigned char *marks = tr->marks + (size_t)index * (size_t)m->ngeom;
    for (int g = 0; g < m->ngeom; g++) {
        marks[g] = object >= 0 ? g == object : m->geom_bodyid[g] == -1 - object;
    }
    const sal_output output = {.kind = SAL_OUT_NORMAL, .geoms = marks};
    want(tr, tr->out_normal + index, &output);
}

static bool same_set(const unsigned char *a, const unsigned char *b, int n)
{
    return a == b || (a != NULL && b != NULL && memcmp(a, b, (size_t)n) == 0);
}

static bool same(const sal_model *m, const sal_output *a, const sal_output *b)
{
    return a->kind == b->kind && a->id == b->id && a->other == b->other && a->load == b->load &&
           a->point.body == b->point.body && a->point.pos[0] == b->point.pos[0] &&
           a->point.pos[1] == b->point.pos[1] && a->point.pos[2] == b->point.pos[2] &&
           same_set(a->geoms, b->geoms, m->ngeom) && same_set(a->others, b->others, m->ngeom);
}

/* The feature's own outputs, those that others have, too, once. */
static void want_own(prb_transcription *tr, int feature)
{
    const sal_model *m = tr->p->model;
    const sal_feature *f = prb_terms_feature(tr->p, feature);
    const int n = prb_own_count(f), adr = tr->nown;
    tr->own_adr[feature] = adr;
    for (int k = 0; k < n; k++) {
        sal_output output;
        int i = 0;
        prb_own_output(tr, f, k, &output, tr->own_marks + 2 * (size_t)(adr + k) * (size_t)m->ngeom);
        while (i < tr->noutput && !same(m, tr->output + i, &output)) {
            i++;
        }
        tr->own[adr + k] = i < tr->noutput ? i : add(tr, &output);
    }
    tr->nown += n;
}

static void want_feature(prb_transcription *tr, const sal_feature *f)
{
    for (int k = 0; k < f->nobject; k++) {
        const int object = f->object[k];
        switch (f->quantity) {
        case SAL_QTY_JOINT:
            if (f->order == 0) {
                want_joint(tr, object);
            }
            break;
        case SAL_QTY_SENSOR: {
            const sal_output output = {.kind = SAL_OUT_SENSOR, .id = object};
            want(tr, tr->out_sensor + object, &output);
            break;
        }
        case SAL_QTY_SLIP:
        case SAL_QTY_IMPACT:
            if (f->by_force) {
                want_normal(tr, tr->p->point_geom[object]);
            }
            want_point(tr, object);
            break;
        case SAL_QTY_FLAT:
        case SAL_QTY_LEVEL:
        case SAL_QTY_HEIGHT:
            want_point(tr, object);
            break;
        case SAL_QTY_NORMAL:
            want_normal(tr, object);
            break;
        case SAL_QTY_DISTANCE:
            want_distance(tr, object);
            break;
        case SAL_QTY_CTRL:
        case SAL_QTY_FORCE:
            break;
        case SAL_QTY_POWER: /* see want_own */
        case SAL_QTY_CONTACT:
        case SAL_QTY_COP:
        case SAL_QTY_POSITION:
        case SAL_QTY_VELOCITY:
        case SAL_QTY_COM:
        case SAL_QTY_MOMENTUM:
        case SAL_QTY_ANGMOMENTUM:
        case SAL_QTY_ENERGY:
        case SAL_QTY_TENDON:
        case SAL_QTY_ORIENTATION:
            return;
        }
    }
}

/* The position of an actuator's joint is needed where its bias or gain depends on length. */
static void want_actuators(prb_transcription *tr)
{
    const sal_model *m = tr->p->model;
    for (int a = 0; a < m->nu; a++) {
        const bool servo = m->actuator_biastype[a] == SAL_BIAS_AFFINE ||
                           m->actuator_gaintype[a] == SAL_GAIN_AFFINE;
        const int end = m->moment_rowadr[a] + m->moment_rownnz[a];
        for (int k = m->moment_rowadr[a]; servo && !tr->map->driven && k < end; k++) {
            want_joint(tr, m->dof_jntid[m->moment_colind[k]]);
        }
    }
}

static void forget(int *places, int n)
{
    for (int i = 0; i < n; i++) {
        places[i] = -1;
    }
}

/* From the number of an output to its place in y. */
static void locate(const prb_transcription *tr, int *places, int n)
{
    for (int i = 0; i < n; i++) {
        places[i] = places[i] < 0 ? -1 : tr->output[places[i]].adr;
    }
}

static const sal_output_kind driven_kinds[4] = {SAL_OUT_ACTUATION, SAL_OUT_ACTUATOR_FORCE,
                                                SAL_OUT_CONTROL, SAL_OUT_INPUT};

sal_status prb_terms_plan(prb_transcription *tr, sal_err *err)
{
    const sal_problem *p = tr->p;
    const sal_model *m = p->model;
    const int nnormal = m->ngeom + m->nbody;
    const sal_output force = {.kind = SAL_OUT_FORCE}, velocity = {.kind = SAL_OUT_VELOCITY},
                     acceleration = {.kind = SAL_OUT_ACCELERATION};
    forget(tr->out_joint, m->njnt);
    forget(tr->out_point, p->npoint);
    forget(tr->out_distance, p->ndistance);
    forget(tr->out_sensor, m->nsensor);
    forget(tr->out_normal, nnormal);
    const int kforce = add(tr, &force), kvelocity = add(tr, &velocity),
              kacceleration = add(tr, &acceleration);
    want_actuators(tr);
    for (int k = 0; k < p->nterm + p->nconstraint; k++) {
        want_feature(tr, prb_terms_feature(p, k));
        want_own(tr, k);
    }
    const int driven = tr->noutput;
    for (int k = 0; tr->map->driven && k < 4;
         k++) { /* behind all others: see reach in transcribe.c */
        const sal_output output = {.kind = driven_kinds[k]};
        add(tr, &output);
    }
    const sal_status status = sal_invdyn_new(&tr->invdyn, m, tr->output, tr->noutput,
                                             p->derivatives, p->differences, tr->nthread, err);
    if (status != SAL_OK) {
        return status;
    }
    tr->ny = sal_invdyn_noutput(tr->invdyn);
    tr->out_force = tr->output[kforce].adr;
    tr->out_velocity = tr->output[kvelocity].adr;
    tr->out_acceleration = tr->output[kacceleration].adr;
    int *const places[] = {&tr->out_actuation, &tr->out_actuator_force, &tr->out_control,
                           &tr->out_input};
    for (int k = 0; tr->map->driven && k < 4; k++) {
        *places[k] = tr->output[driven + k].adr;
    }
    locate(tr, tr->out_joint, m->njnt);
    locate(tr, tr->out_point, p->npoint);
    locate(tr, tr->out_distance, p->ndistance);
    locate(tr, tr->out_sensor, m->nsensor);
    locate(tr, tr->out_normal, nnormal);
    locate(tr, tr->own, tr->nown);
    return SAL_OK;
}
