/* figures.c: the numbers that say something of a result: what tables of sweeps show. */
#include "problems/result/gait.h"
#include "problems/result/part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* X(name, unit, value): figures that every motion has; r is the result, g its motion over the whole
 * cycle. Those that make no sense for a motion are NaN. */
#define FIGURE_LIST(X)                                                                             \
    X("cost", "", r->cost)                                                                         \
    X("physical", "", prb_result_is_physical(r) ? 1 : 0)                                           \
    X("as_asked", "", r->judged ? (r->as_asked ? 1 : 0) : (double)NAN)                             \
    X("finished", "", r->to_finish ? (r->finished ? 1 : 0) : (double)NAN)                          \
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
    X("peak_load", "W", g->peak_load)                                                              \
    X("stance_left", "", g->stance_left)

void prb_figure_set(sal_figure *f, const char *kind, const char *name, const char *unit,
                    double value)
{
    *f = (sal_figure){.value = value};
    snprintf(f->unit, sizeof f->unit, "%.15s", unit);
    if (kind == NULL) {
        snprintf(f->name, sizeof f->name, "%s", name);
    } else {
        snprintf(f->name, sizeof f->name, "%s[%.60s]", kind, name);
    }
}

/* The largest violation of a constraint over its components. */
static void add_constraint(sal_figure *figure, int *n, const prb_constraint_report *c)
{
    char name[sizeof figure->name];
    snprintf(name, sizeof name, "constraint[%.60s]", c->name);
    for (int i = 0; i < *n; i++) {
        if (strcmp(figure[i].name, name) == 0) {
            figure[i].value = fmax(figure[i].value, c->violation);
            return;
        }
    }
    prb_figure_set(&figure[(*n)++], "constraint", c->name, c->unit, c->violation);
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
#define FIGURE_ADD(name, unit, value) prb_figure_set(&(*figure)[(*n)++], NULL, name, unit, value);
    FIGURE_LIST(FIGURE_ADD)
#undef FIGURE_ADD
    for (int k = 0; k < r->nterm; k++) {
        prb_figure_set(&(*figure)[(*n)++], "term", r->term[k].name, "", r->term[k].value);
    }
    for (int k = 0; k < r->nconstraint; k++) {
        add_constraint(*figure, n, &r->constraint[k]);
    }
    prb_gait_free(g);
    return SAL_OK;
}

sal_status sal_result_figures(const sal_result *r, sal_figure **figure, int *n, sal_err *err)
{
    return r->part == NULL ? motion_figures(r, figure, n, err)
                           : r->part_kind->figures(r, figure, n, err);
}

/* ---- names ---- */

void prb_figure_name_add(sal_text *names, const char *kind, const char *name)
{
    sal_figure f;
    prb_figure_set(&f, kind, name, "", 0);
    sal_text_format(names, "%s\n", f.name);
}

void prb_figure_names(sal_text *names, const sal_problem *p)
{
#define FIGURE_NAME(name, unit, value) prb_figure_name_add(names, NULL, name);
    FIGURE_LIST(FIGURE_NAME)
#undef FIGURE_NAME
    for (int k = 0; k < p->nterm; k++) {
        prb_figure_name_add(names, "term", p->term[k].feature.name);
    }
    prb_figure_name_add(names, "term", "regulariser");
    for (int k = 0; k < p->nconstraint; k++) {
        prb_figure_name_add(names, "constraint", p->constraint[k].feature.name);
    }
}
