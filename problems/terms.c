/* terms.c: which residuals a step has, and what they weigh.
 *
 * Steps fall into classes: those at which the same features count share one list of segments,
 *
 *     unactuated force     ranges of actuators     terms     constraints     regulariser
 *
 * and the last instant of an open motion, where no force acts any more, has terms and constraints
 * only.
 */
#include "problems/quantity.h"

#include <string.h>

/* Of a range's width: so tight that the clamp of an engine which replays ctrl changes nothing that
 * can be seen. */
static const double range_tolerance = 1e-11;
/* Weight of an excess over its range's width, of that of the unactuated force over its unit; the
 * same for constraints in their natural units. At equal weights the first, violent motions are
 * dominated by torques out of range and one walker of eight fails; between .03 and .2 none does. */
static const double range_share = 0.1;

/* ---- features: terms, then constraints ---- */

static int nfeature(const sal_problem *p)
{
    return p->nterm + p->nconstraint;
}

static const prb_constraint *constraint_of(const sal_problem *p, int k)
{
    return k < p->nterm ? NULL : p->constraint + (k - p->nterm);
}

/* The integral of a term over time or distance changes with a duration or travel that is free. */
static bool is_folded(const sal_problem *p, const prb_term *term)
{
    const bool duration = p->duration_range[1] > p->duration_range[0];
    const bool travel = p->travel == PRB_TRAVEL_FREE;
    return (term->per == PRB_PER_MOTION && duration) ||
           (term->per == PRB_PER_DISTANCE &&
            (travel || (duration && p->travel == PRB_TRAVEL_VALUE)));
}

/* ---- residuals ---- */

static void write_feature(prb_writer *w, int k)
{
    const sal_problem *p = w->tr->p;
    const prb_feature *f = prb_terms_feature(p, k);
    const size_t row = f->tabulated ? (size_t)w->t * (size_t)f->dim : 0;
    w->feature = f;
    w->own = w->tr->own + w->tr->own_adr[k];
    w->target = f->target == NULL ? NULL : f->target + row;
    w->fall = f->fall;
    w->arm = f->arm == NULL ? NULL : f->arm + w->t * prb_object_dim(p->model, f, 0);
    w->constraint = constraint_of(p, k);
    w->folded = w->constraint == NULL && is_folded(p, p->term + k) ? p->term + k : NULL;
    w->factor = (w->constraint == NULL ? 1 : 1 / w->constraint->scale) *
                (f->mean ? 1.0 / prb_terms_instants(p, k) : 1);
    w->number = w->written = 0;
    prb_quantity_of(f)->write(w);
    w->feature = NULL;
}

void prb_input_write(const prb_writer *w, int k, double *r, double *J)
{
    const prb_transcription *tr = w->tr;
    const prb_feature *f = prb_terms_feature(tr->p, k);
    prb_writer own = {.tr = tr,
                      .t = w->t,
                      .worker = w->worker,
                      .y = w->y,
                      .Y = w->Y,
                      .r = r,
                      .J = J,
                      .feature = f,
                      .own = tr->own + tr->own_adr[k],
                      .factor = 1};
    prb_quantity_of(f)->write(&own);
}

void prb_terms_residual(const prb_transcription *tr, int t, int worker, const double *Y, double *r,
                        double *J)
{
    const prb_class *c = tr->class + tr->class_of[t];
    prb_writer w = {.tr = tr,
                    .t = t,
                    .worker = worker,
                    .y = tr->y + (size_t)t * (size_t)tr->ny,
                    .Y = Y,
                    .r = r,
                    .J = J};
    for (int s = 0; s < c->nseg; s++) {
        switch (c->feature[s]) {
        case PRB_SEG_DYNAMICS:
            prb_dynamics_write(&w);
            break;
        case PRB_SEG_RANGES:
            prb_ranges_write(&w);
            break;
        case PRB_SEG_REGULARISER:
            prb_regulariser_write(&w);
            break;
        default:
            write_feature(&w, c->feature[s]);
        }
    }
}

/* ---- segments ---- */

/* The mark of a feature whose mean counts: it is the how-manieth of those. */
static int mark_of(const sal_problem *p, int feature)
{
    int mark = 0;
    for (int k = 0; k <= feature; k++) {
        mark += prb_terms_feature(p, k)->mean;
    }
    return mark;
}

/* The segment of a feature, but for its weight. */
static sal_segment segment_of(const sal_problem *p, int k)
{
    const sal_norm quadratic = {SAL_NORM_QUADRATIC, 0, 0};
    const prb_constraint *c = constraint_of(p, k);
    const prb_feature *f = prb_terms_feature(p, k);
    sal_segment segment = {.n = f->dim, .norm = quadratic};
    if (c == NULL) {
        segment.norm = is_folded(p, p->term + k) ? quadratic : p->term[k].norm;
    } else {
        segment.constraint = true;
        segment.range = c->range;
        segment.tol = c->tol / c->scale;
        segment.n *= f->mean && c->range ? 2 : 1;
    }
    segment.sum = f->mean ? mark_of(p, k) : 0;

    return segment;
}

static void add(prb_class *c, int feature, sal_segment segment)
{
    c->feature[c->nseg] = feature;
    c->segment[c->nseg++] = segment;
    c->nres += segment.n;
}

static void fill(const prb_transcription *tr, prb_class *c, const unsigned char *counts,
                 bool forces)
{
    const sal_problem *p = tr->p;
    const sal_norm quadratic = {SAL_NORM_QUADRATIC, 0, 0};
    if (forces) {
        add(c, PRB_SEG_DYNAMICS,
            (sal_segment){.n = tr->map->nfree,
                          .norm = quadratic,
                          .constraint = true,
                          .tol = 1,
                          .tols = tr->map->tol});
        add(c, PRB_SEG_RANGES,
            (sal_segment){.n = tr->map->nrange,
                          .norm = quadratic,
                          .constraint = true,
                          .tol = range_tolerance,
                          .range = true});
    }
    for (int k = 0; k < nfeature(p); k++) {
        if (counts[k]) {
            add(c, k, segment_of(p, k));
        }
    }
    if (forces) {
        add(c, PRB_SEG_REGULARISER,
            (sal_segment){.n = p->model->nv + (tr->map->driven ? p->model->nu : 0),
                          .norm = quadratic});
    }
}

/* cost = sum of weight . mean over the instants of norm(r): each of n instants has 1/n of the
 * weight. */
static double weight_of(const prb_transcription *tr, int feature, double dynamics)
{
    const sal_problem *p = tr->p;
    const double s = tr->at.s;
    if (feature == PRB_SEG_REGULARISER) {
        const double regulariser = prb_ramp_at(&p->smoothing.acceleration, s);
        return regulariser * regulariser / p->nstep;
    }
    if (feature < 0) {
        return (feature == PRB_SEG_RANGES ? range_share : 1) * dynamics * dynamics / p->nstep;
    }
    const double share =
        prb_terms_feature(p, feature)->mean ? 1 : 1.0 / prb_terms_instants(p, feature);
    if (feature >= p->nterm) {
        return share * range_share * dynamics * dynamics;
    }
    const prb_term *term = p->term + feature;
    const prb_ramp weight = {term->softweight, term->weight};
    const double extent = is_folded(p, term) ? 1 : prb_terms_extent(tr, term->per);
    return share * extent * prb_ramp_at(&weight, s);
}

void prb_terms_weights(prb_transcription *tr)
{
    const double dynamics = prb_ramp_at(&tr->p->smoothing.dynamics, tr->at.s);
    for (int k = 0; k < tr->nclass; k++) {
        prb_class *c = tr->class + k;
        for (int s = 0; s < c->nseg; s++) {
            c->segment[s].weight = weight_of(tr, c->feature[s], dynamics);
        }
    }
}

/* ---- classes ---- */

static bool ends_with_a_step(const sal_problem *p)
{
    for (int k = 0; k < nfeature(p); k++) {
        const prb_feature *f = prb_terms_feature(p, k);
        if (f->nstep > 0 && f->step[f->nstep - 1] == p->nstep) {
            return true;
        }
    }
    return false;
}

/* counts[k]: feature k counts at step t; at[k] goes through its steps as t rises */
static void mark(const sal_problem *p, int t, unsigned char *counts, int *at)
{
    for (int k = 0; k < nfeature(p); k++) {
        const prb_feature *f = prb_terms_feature(p, k);
        while (at[k] < f->nstep && f->step[at[k]] < t) {
            at[k]++;
        }
        counts[k] = f->nstep == 0 ? t < p->nstep : at[k] < f->nstep && f->step[at[k]] == t;
    }
}

/* The class of step t, added if it is new. -1: out of memory. counts [nclass x n] begins with those
 * of the classes; the step's stand behind. */
static int find_class(prb_transcription *tr, int t, const unsigned char *known,
                      const unsigned char *counts)
{
    const size_t n = (size_t)nfeature(tr->p) + 1, nseg = n + 2;
    for (int k = 0; k < tr->nclass; k++) {
        if (memcmp(known + (size_t)k * n, counts, n) == 0) {
            return k;
        }
    }
    prb_class *c = tr->class + tr->nclass;
    *c = (prb_class){.segment = sal_alloc(nseg, sizeof *c->segment),
                     .feature = sal_alloc(nseg, sizeof *c->feature)};
    tr->nclass++;
    if (c->segment == NULL || c->feature == NULL) {
        return -1;
    }
    fill(tr, c, counts, t < tr->p->nstep);
    return tr->nclass - 1;
}

sal_status prb_terms_classes(prb_transcription *tr, sal_err *err)
{
    const sal_problem *p = tr->p;
    const size_t n = (size_t)nfeature(p) + 1;
    tr->nblock = p->nstep + ends_with_a_step(p);
    size_t most = 2; /* classes: a feature's steps are where new ones may begin and end */
    for (int k = 0; k < nfeature(p); k++) {
        most += 2 * (size_t)prb_terms_feature(p, k)->nstep;
    }
    most = most < (size_t)tr->nblock ? most : (size_t)tr->nblock;
    unsigned char *known = sal_alloc((most + 1) * n, 1);
    int *at = sal_alloc(n, sizeof *at);
    tr->class = sal_alloc(most, sizeof *tr->class);
    tr->class_of = sal_alloc((size_t)tr->nblock, sizeof *tr->class_of);
    bool room = known != NULL && at != NULL && tr->class != NULL && tr->class_of != NULL;
    for (int t = 0; t < tr->nblock && room; t++) {
        unsigned char *counts = known + (size_t)tr->nclass * n;
        mark(p, t, counts, at);
        counts[n - 1] = t == p->nstep;
        tr->class_of[t] = find_class(tr, t, known, counts);
        room = tr->class_of[t] >= 0;
    }
    sal_free(known);
    sal_free(at);
    if (!room) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the residuals of %d steps", p->nstep);
    }
    prb_terms_weights(tr);
    return SAL_OK;
}

const sal_segment *prb_class_segment(const prb_class *c, int what, int *first)
{
    *first = 0;
    for (int s = 0; s < c->nseg; s++) {
        if (c->feature[s] == what) {
            return c->segment + s;
        }
        *first += c->segment[s].n;
    }
    return NULL;
}

void prb_terms_free(prb_transcription *tr)
{
    for (int k = 0; k < tr->nclass; k++) {
        sal_free(tr->class[k].segment);
        sal_free(tr->class[k].feature);
    }
    sal_free(tr->class);
    sal_free(tr->class_of);
}
