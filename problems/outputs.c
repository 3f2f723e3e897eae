/* outputs.c: what invdyn has to deliver for the terms of a problem, each thing once. */
#include "problems/quantity.h"

/* The outputs of all features, each once; where those of each begin. */
static void want_features(prb_wanted *list, int *adr)
{
    const sal_problem *p = list->tr->p;
    for (int k = 0; k < p->nterm + p->nconstraint + p->ninput; k++) {
        const prb_feature *f = prb_terms_feature(p, k);
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
            joint[id] = prb_wanted_number(list, &output);
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
    const sal_problem *p = tr->p;
    const size_t n = (size_t)count.nown,
                 nfeature = (size_t)p->nterm + (size_t)p->nconstraint + (size_t)p->ninput;
    tr->nown = count.nown;
    tr->output = sal_alloc(NFIXED + NDRIVEN + (size_t)m->njnt + n, sizeof(sal_output));
    tr->own = sal_alloc(n, sizeof(int));
    tr->own_adr = sal_alloc(nfeature, sizeof(int));
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
        *fixed[k] = prb_wanted_number(&list, &(sal_output){.kind = fixed_kinds[k]});
    }
    want_actuators(&list, tr->out_joint);
    want_features(&list, tr->own_adr);
    for (int k = 0; k < NDRIVEN; k++) { /* behind all others: see reach in transcribe.c */
        *driven[k] =
            tr->map->driven ? prb_wanted_number(&list, &(sal_output){.kind = driven_kinds[k]}) : -1;
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
    status = sal_invdyn_new(&tr->invdyn, tr->model, tr->output, tr->noutput, p->derivatives,
                            p->differences, tr->nthread, err);
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
