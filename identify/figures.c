/* figures.c: the numbers that say something of an identification: what tables of sweeps show. */
#include "identify/identification.h"
#include "identify/parameter.h"
#include "identify/result_part.h"

#include <math.h>
#include <stdio.h>

/* X(name, unit, held out, what): medians over recordings */
#define MEDIAN_LIST(X)                                                                             \
    X("fit", "sigma", false, SAL_MEASURE_FIT)                                                      \
    X("heldout_position", "m", true, SAL_MEASURE_POSITION)                                         \
    X("heldout_rotation", "rad", true, SAL_MEASURE_ROTATION)                                       \
    X("heldout_position_nominal", "m", true, SAL_MEASURE_NOMINAL_POSITION)                         \
    X("heldout_rotation_nominal", "rad", true, SAL_MEASURE_NOMINAL_ROTATION)

static void add_of_parameter(sal_figure *figure, int *n, const char *kind,
                             const sal_identification_parameter *p, double value)
{
    sal_figure *to = figure + (*n)++;
    prb_figure_set(to, kind, p->name, "", value);
    snprintf(to->unit, sizeof to->unit, "%.15s", p->unit);
}

/* Of an identification: what was found, how sure it is, and how well it predicts. */
sal_status idn_result_figures(const sal_result *r, sal_figure **figure, int *n, sal_err *err)
{
    enum { FIXED = 16 };
    const sal_identification_result *e = r->part;
    sal_quartiles q;
    sal_status status = SAL_OK;
    *n = 0;
    *figure =
        sal_alloc(FIXED + 3 * (size_t)e->nparameter + (size_t)e->nchannel, sizeof(sal_figure));
    if (*figure == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for figures");
    }
    prb_figure_set(&(*figure)[(*n)++], NULL, "cost", "", r->cost);
    prb_figure_set(&(*figure)[(*n)++], NULL, "linearisations", "", r->optim.linearisations);
    prb_figure_set(&(*figure)[(*n)++], NULL, "recordings", "", e->nrecording);
    prb_figure_set(&(*figure)[(*n)++], NULL, "clusters", "", e->ncluster);
#define MEDIAN_ADD(name, unit, held, what)                                                         \
    status = status == SAL_OK ? sal_identification_quartiles(&q, e, held, what, err) : status;     \
    prb_figure_set(&(*figure)[(*n)++], NULL, name, unit, status == SAL_OK ? q.median : (double)NAN);
    MEDIAN_LIST(MEDIAN_ADD)
#undef MEDIAN_ADD
    for (int k = 0; k < e->nparameter; k++) {
        const sal_identification_parameter *p = e->parameter + k;
        add_of_parameter(*figure, n, "parameter", p, p->value);
        add_of_parameter(*figure, n, "se", p, p->se);
        if (e->resampling != SAL_RESAMPLING_NONE) {
            add_of_parameter(*figure, n, "se_resampled", p, p->se_resampled);
        }
    }
    for (int c = 0; c < e->nchannel && status == SAL_OK; c++) {
        status = sal_identification_channel_quartiles(&q, e, true, c, false, err);
        prb_figure_set(&(*figure)[(*n)++], "heldout", e->channel[c].name, "", q.median);
        snprintf((*figure)[*n - 1].unit, sizeof(*figure)->unit, "%.15s", e->channel[c].unit);
    }
    if (status != SAL_OK) {
        sal_free(*figure);
        *figure = NULL;
    }
    return status;
}

void idn_figure_names(sal_text *names, const sal_identification *i)
{
    static const char *const fixed[] = {"cost", "linearisations", "recordings", "clusters"};
    for (size_t k = 0; k < sizeof fixed / sizeof fixed[0]; k++) {
        prb_figure_name_add(names, NULL, fixed[k]);
    }
#define MEDIAN_NAME(name, unit, held, what) prb_figure_name_add(names, NULL, name);
    MEDIAN_LIST(MEDIAN_NAME)
#undef MEDIAN_NAME
    for (int k = 0; k < i->parameters->nshared; k++) {
        char name[SAL_IDENTIFICATION_NAME];
        int part;
        const idn_parameter *p = idn_parameters_of(i->parameters, false, k, &part);
        idn_parameter_number_name(p, part, name, sizeof name);
        prb_figure_name_add(names, "parameter", name);
        prb_figure_name_add(names, "se", name);
        prb_figure_name_add(names, "se_resampled", name);
    }
    for (int c = 0; c < i->base->data->nchannel; c++) {
        prb_figure_name_add(names, "heldout", i->base->data->channel[c].name);
    }
}
