/* outputs.c: what invdyn has to deliver for the terms of a problem, each thing once. */
#include "problems/quantity.h"

#include <string.h>

static bool same_set(const unsigned char *a, const unsigned char *b, int n)
{
    return a == b || (a != NULL && b != NULL && memcmp(a, b, (size_t)n) == 0);
}

static bool same(const sal_model *m, const sal_output *a, const sal_output *b)
{
    return a->kind == b->kind && a->id == b->id && a->other == b->other && a->load == b->load &&
           a->point.body == b->point.body && a->point.pos[0] == b->point.pos[0] &&
           a->point.pos[1] == b->point.pos[1] && a->point.pos[2] == b->point.pos[2] &&
           a->point.radius == b->point.radius && a->point.plane == b->point.plane &&
           same_set(a->geoms, b->geoms, m->ngeom) && same_set(a->others, b->others, m->ngeom);
}

struct prb_wanted {
    const prb_transcription *tr;
    /* what there is so far; NULL: the features' are only counted */
    sal_output *output;
    int noutput;
    /* of the features: numbers of their outputs, room for two geom sets each */
    int nown;
    int *own;
    unsigned char *marks;
};

const prb_transcription *prb_wanted_by(const prb_wanted *list)
{
    return list->tr;
}

/* Its number, that of one that is the same, or a new one. */
static int number_of(prb_wanted *list, const sal_output *output)
{
    int i = 0;
    while (i < list->noutput && !same(list->tr->p->model, list->output + i, output)) {
        i++;
    }
    if (i == list->noutput) {
        list->output[list->noutput++] = *output;
    }
    return i;
}

void prb_want(prb_wanted *list, sal_output output)
{
    if (list->output != NULL) {
        list->own[list->nown] = number_of(list, &output);
    }
    list->nown++;
}

/* Marks a geom, or for -1 - body all geoms of a body. */
static void mark(const sal_model *m, unsigned char *marks, const int *shape, int n)
{
    for (int i = 0; i < n; i++) {
        for (int g = 0; g < m->ngeom; g++) {
            const bool is_it = shape[i] >= 0 ? g == shape[i] : m->geom_bodyid[g] == -1 - shape[i];
            marks[g] = marks[g] || is_it;
        }
    }
}

void prb_want_contact(prb_wanted *list, sal_output output, const int *shape, int n, const int *with,
                      int nwith)
{
    const sal_model *m = list->tr->p->model;
    if (list->output != NULL) {
        unsigned char *geoms = list->marks + 2 * (size_t)list->nown * (size_t)m->ngeom,
                      *others = geoms + m->ngeom;
        mark(m, geoms, shape, n);
        mark(m, others, with, nwith);
        output.geoms = geoms;
        output.others = nwith > 0 ? others : NULL;
    }
    prb_want(list, output);
}

/* The outputs of all features, each once; where those of each begin. */
static void want_features(prb_wanted *list, int *adr)
{
    const sal_problem *p = list->tr->p;
    for (int k = 0; k < p->nterm + p->nconstraint; k++) {
        const sal_feature *f = prb_terms_feature(p, k);
        if (adr != NULL) {
            adr[k] = list->nown;
        }
        prb_quantity_of(f)->want(list, f);
    }
}

/* The position of an actuator's joint is needed where its bias or gain depends on length. */
static void want_actuators(prb_wanted *list, int *joint)
{
    const prb_transcription *tr = list->tr;
    const sal_model *m = tr->p->model;
    for (int a = 0; a < m->nu; a++) {
        const bool servo = m->actuator_biastype[a] == SAL_BIAS_AFFINE ||
                           m->actuator_gaintype[a] == SAL_GAIN_AFFINE;
        const int end = m->moment_rowadr[a] + m->moment_rownnz[a];
        for (int k = m->moment_rowadr[a]; servo && !tr->map->driven && k < end; k++) {
            const int id = m->dof_jntid[m->moment_colind[k]];
            const sal_output output = {.kind = SAL_OUT_JOINT, .id = id};
            joint[id] = number_of(list, &output);
        }
    }
}

/* From the number of an output to its place in y. */
static void locate(const prb_transcription *tr, int *places, int n)
{
    for (int i = 0; i < n; i++) {
        places[i] = places[i] < 0 ? -1 : tr->output[places[i]].adr;
    }
}

enum { NFIXED = 3, NDRIVEN = 4 };

static const sal_output_kind fixed_kinds[NFIXED] = {SAL_OUT_FORCE, SAL_OUT_VELOCITY,
                                                    SAL_OUT_ACCELERATION};
static const sal_output_kind driven_kinds[NDRIVEN] = {SAL_OUT_ACTUATION, SAL_OUT_ACTUATOR_FORCE,
                                                      SAL_OUT_CONTROL, SAL_OUT_INPUT};

/* Room for the outputs of the features and the others. */
static sal_status allocate(prb_transcription *tr, sal_err *err)
{
    const sal_model *m = tr->p->model;
    prb_wanted count = {.tr = tr};
    want_features(&count, NULL);
    const size_t n = (size_t)count.nown;
    tr->nown = count.nown;
    tr->output = sal_alloc(NFIXED + NDRIVEN + (size_t)m->njnt + n, sizeof(sal_output));
    tr->own = sal_alloc(n, sizeof(int));
    tr->own_adr = sal_alloc((size_t)tr->p->nterm + (size_t)tr->p->nconstraint, sizeof(int));
    tr->own_marks = sal_alloc(2 * n * (size_t)m->ngeom, 1);
    tr->out_joint = sal_alloc((size_t)m->njnt, sizeof(int));
    return tr->output == NULL || tr->own == NULL || tr->own_adr == NULL || tr->own_marks == NULL ||
                   tr->out_joint == NULL
               ? sal_fail(err, SAL_NOMEM, "out of memory for the outputs of the problem")
               : SAL_OK;
}

/* All outputs, their numbers where their places in y come to stand. */
static void choose(prb_transcription *tr)
{
    prb_wanted list = {.tr = tr, .output = tr->output, .own = tr->own, .marks = tr->own_marks};
    int *const fixed[NFIXED] = {&tr->out_force, &tr->out_velocity, &tr->out_acceleration};
    int *const driven[NDRIVEN] = {&tr->out_actuation, &tr->out_actuator_force, &tr->out_control,
                                  &tr->out_input};
    for (int j = 0; j < tr->p->model->njnt; j++) {
        tr->out_joint[j] = -1;
    }
    for (int k = 0; k < NFIXED; k++) {
        *fixed[k] = number_of(&list, &(sal_output){.kind = fixed_kinds[k]});
    }
    want_actuators(&list, tr->out_joint);
    want_features(&list, tr->own_adr);
    for (int k = 0; k < NDRIVEN; k++) { /* behind all others: see reach in transcribe.c */
        *driven[k] =
            tr->map->driven ? number_of(&list, &(sal_output){.kind = driven_kinds[k]}) : -1;
    }
    tr->noutput = list.noutput;
}

sal_status prb_terms_plan(prb_transcription *tr, sal_err *err)
{
    const sal_problem *p = tr->p;
    const sal_model *m = p->model;
    sal_status status = allocate(tr, err);
    if (status != SAL_OK) {
        return status;
    }
    choose(tr);
    status = sal_invdyn_new(&tr->invdyn, m, tr->output, tr->noutput, p->derivatives, p->differences,
                            tr->nthread, err);
    if (status != SAL_OK) {
        return status;
    }
    int *const places[] = {&tr->out_force,     &tr->out_velocity,       &tr->out_acceleration,
                           &tr->out_actuation, &tr->out_actuator_force, &tr->out_control,
                           &tr->out_input};
    tr->ny = sal_invdyn_noutput(tr->invdyn);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        locate(tr, places[k], 1);
    }
    locate(tr, tr->out_joint, m->njnt);
    locate(tr, tr->own, tr->nown);
    return SAL_OK;
}
