/* figures.c: the numbers that say something of a result: what tables of sweeps show. */
#include "problems/result/gait.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* X(name, unit, value): figures that every motion has; r is the result, g its motion over the whole cycle. Those that make no sense for a motion are NaN. */
#define FIGURE_LIST(X)                                                                             \
    X("cost", "", r->cost)                                                                         \
    X("physical", "", prb_result_is_physical(r) ? 1 : 0)                                           \
    X("unactuated", "W", r->relative_to_weight)                                                    \
    X("start", "", r->start)                                                                       \
    X("linearisations", "", r->optim.linearisations)                                               \
    X("evaluations", "", r->optim.evaluations)                                                     \
    X("nstep", "", r->nstep)                                                                       \
    X("duration", "s", r->nstep * r->timestep)                                                     \
    X("period", "s", g->period)                                                                    \
    X("travel", "m", hypot(r->travel[0], r->travel[1]))                                            \
    X("speed", "m/s", g->speed)                                                                    \
    X("weight", "N", r->weight)                                                                    \
    X("transport", "", g->transport)                                                               \
    X("slip", "m/s", g->slip)                                                                      \
    X("peak_slip", "m/s", g->peak_slip)                                                            \
    X("flight", "", g->flight)                                                                     \
    X("penetration", "m", g->penetration)                                                          \
    X("peak_load", "W", g->peak_load)

static void add(sal_figure *f, const char *kind, const char *name, const char *unit, double value)
{
    *f = (sal_figure){.value = value};
    snprintf(f->unit, sizeof f->unit, "%s", unit);
    if (kind == NULL) {
        snprintf(f->name, sizeof f->name, "%s", name);
    } else {
        snprintf(f->name, sizeof f->name, "%s[%.60s]", kind, name);
    }
}

/* The largest violation of a constraint over its components. */
static void add_constraint(sal_figure *figure, int *n, const sal_constraint_report *c)
{
    char name[sizeof figure->name];
    snprintf(name, sizeof name, "constraint[%.60s]", c->name);
    for (int i = 0; i < *n; i++) {
        if (strcmp(figure[i].name, name) == 0) {
            figure[i].value = fmax(figure[i].value, c->violation);
            return;
        }
    }
    add(&figure[(*n)++], "constraint", c->name, c->unit, c->violation);
}

/* X(name, unit, held out, what): medians over recordings */
#define MEDIAN_LIST(X)                                                                             \
    X("fit", "sigma", false, SAL_MEASURE_FIT)                                                      \
    X("heldout_position", "m", true, SAL_MEASURE_POSITION)                                         \
    X("heldout_rotation", "rad", true, SAL_MEASURE_ROTATION)                                       \
    X("heldout_position_nominal", "m", true, SAL_MEASURE_NOMINAL_POSITION)                         \
    X("heldout_rotation_nominal", "rad", true, SAL_MEASURE_NOMINAL_ROTATION)

/* Of an identification: what was found, how sure it is, and how well it predicts. */
static sal_status identification_figures(const sal_result *r, sal_figure **figure, int *n,
                                         sal_err *err)
{
    enum { FIXED = 16 };
    const sal_identification_result *e = r->identification;
    sal_quartiles q;
    sal_status status = SAL_OK;
    *n = 0;
    *figure =
        sal_alloc(FIXED + 2 * (size_t)e->nparameter + (size_t)e->nchannel, sizeof(sal_figure));
    if (*figure == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for figures");
    }
    add(&(*figure)[(*n)++], NULL, "cost", "", r->cost);
    add(&(*figure)[(*n)++], NULL, "linearisations", "", r->optim.linearisations);
    add(&(*figure)[(*n)++], NULL, "recordings", "", e->nrecording);
    add(&(*figure)[(*n)++], NULL, "clusters", "", e->ncluster);
#define MEDIAN_ADD(name, unit, held, what)                                                         \
    status = status == SAL_OK ? sal_identification_quartiles(&q, e, held, what, err) : status;     \
    add(&(*figure)[(*n)++], NULL, name, unit, status == SAL_OK ? q.median : (double)NAN);
    MEDIAN_LIST(MEDIAN_ADD)
#undef MEDIAN_ADD
    for (int k = 0; k < e->nparameter; k++) {
        const sal_identification_parameter *p = e->parameter + k;
        add(&(*figure)[(*n)++], "parameter", p->name, "", p->value);
        add(&(*figure)[(*n)++], "se", p->name, "", p->se);
        snprintf((*figure)[*n - 2].unit, sizeof(*figure)->unit, "%.15s", p->unit);
        snprintf((*figure)[*n - 1].unit, sizeof(*figure)->unit, "%.15s", p->unit);
    }
    for (int c = 0; c < e->nchannel && status == SAL_OK; c++) {
        status = sal_identification_channel_quartiles(&q, e, true, c, false, err);
        add(&(*figure)[(*n)++], "heldout", e->channel[c].name, "", q.median);
        snprintf((*figure)[*n - 1].unit, sizeof(*figure)->unit, "%.15s", e->channel[c].unit);
    }
    if (status != SAL_OK) {
        sal_free(*figure);
        *figure = NULL;
    }
    return status;
}

static sal_status motion_figures(const sal_result *r, sal_figure **figure, int *n, sal_err *err)
{
    enum { FIXED = 32 };
    prb_gait *g = NULL;
    *n = 0;
    *figure = sal_alloc(FIXED + (size_t)r->nterm + (size_t)r->nconstraint, sizeof(sal_figure));
    const sal_status status = *figure == NULL
                                  ? sal_fail(err, SAL_NOMEM, "out of memory for figures")
                                  : prb_gait_new(&g, r, err);
    if (status != SAL_OK) {
        sal_free(*figure);
        *figure = NULL;
        return status;
    }
#define FIGURE_ADD(name, unit, value) add(&(*figure)[(*n)++], NULL, name, unit, value);
    FIGURE_LIST(FIGURE_ADD)
#undef FIGURE_ADD
    for (int k = 0; k < r->nterm; k++) {
        add(&(*figure)[(*n)++], "term", r->term[k].name, "", r->term[k].value);
    }
    for (int k = 0; k < r->nconstraint; k++) {
        add_constraint(*figure, n, &r->constraint[k]);
    }
    prb_gait_free(g);
    return SAL_OK;
}

sal_status sal_result_figures(const sal_result *r, sal_figure **figure, int *n, sal_err *err)
{
    return r->identification == NULL ? motion_figures(r, figure, n, err)
                                     : identification_figures(r, figure, n, err);
}
