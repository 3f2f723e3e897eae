/* diagnose.c: what is to be said of a motion that was found, whether it is a solution or not; and
 * of terms that cannot be right.
 *
 *     effect        a term whose residuals are the same numbers at x and at a random point beside
 *                   it depends on nothing
 *     active        a range that the motion comes within .1 % of
 *     undetermined  a direction of x along which all terms and constraints are curved less than
 *                   1e-12 of the largest curvature
 */
#include "problems/result/diagnose.h"

#include "problems/quantity.h"
#include "problems/result/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double BESIDE = 0.03;   /* rad, m: how far a random point lies off */
static const double NEAR = 1e-3;     /* of a range */
static const double DOMINANT = 0.98; /* share of the cost */
static const double SHARED = 0.25;   /* share of the cost of a term that shapes the motion */
static const double BESIDE_END = 5;  /* steps */
static const double PROMISED = 0.1;  /* of the cost: what the search could not reach, and is said */
static const double STRAIGHT = 10;   /* |r|/p from where on a norm is taken for straight */
static const double WEAK = 1e-12;    /* curvature of what is undetermined */
static const double TIMES = 2;       /* of the rms of markers that the model had */
static const double FAR = 0.02;      /* m */
enum { DIRECTIONS = 4, JOINTS_NAMED = 3 };

/* ---- what the reports of the result say ---- */

static void unactuated(prb_diagnosis *d, const sal_result *r, const prb_extreme *e,
                       const char *unit)
{
    const sal_model *m = r->model;
    if (e->dof < 0 || !(e->max > r->physical_tolerance * r->weight)) {
        return;
    }
    const int joint = m->dof_jntid[e->dof];
    char name[PRB_COLUMN_NAME], body[PRB_COLUMN_NAME], of[PRB_COLUMN_NAME + 16] = "";
    prb_object_word(name, m, SAL_OBJ_JOINT, joint);
    if (name[0] == '#') { /* as problem files call it */
        prb_object_word(body, m, SAL_OBJ_BODY, m->jnt_bodyid[joint]);
        snprintf(of, sizeof of, " of body '%s'", body);
    }
    prb_diagnosis_add(
        d, PRB_FIND_UNACTUATED, name, e->max, e->time,
        "%.3g %s of unactuated force on joint '%s'%s (dof %d) at %.4g s (allowed: %.2g)", e->max,
        unit, name, of, e->dof, e->time, r->physical_tolerance * r->weight);
}

/* Whether a norm that is a multiple of |r| far from zero is so for most of the residuals of a term
 * with this mean of it. */
static bool is_straight(const sal_norm *norm, double mean)
{
    const bool rounded = norm->kind == SAL_NORM_L2 || norm->kind == SAL_NORM_SMOOTHABS ||
                         norm->kind == SAL_NORM_SMOOTHABS2;
    return norm->kind == SAL_NORM_POWER ? norm->p <= 1 : rounded && mean > STRAIGHT * norm->p;
}

static void judge_terms(prb_diagnosis *d, const sal_problem *p, const sal_result *r)
{
    for (int k = 0; k < p->nterm && p->nterm > 1; k++) {
        if (r->term[k].share > DOMINANT) {
            prb_diagnosis_add(d, PRB_FIND_DOMINATES, r->term[k].name, r->term[k].share, (double)NAN,
                              "term '%s' is %.1f %% of the cost", r->term[k].name,
                              100 * r->term[k].share);
        }
    }
    for (int k = 0; k < p->nterm; k++) {
        const prb_term *term = p->term + k;
        if (r->term[k].share > SHARED &&
            is_straight(&term->norm, r->term[k].value / term->weight)) {
            prb_diagnosis_add(
                d, PRB_FIND_STRAIGHT, r->term[k].name, r->term[k].share, (double)NAN,
                "the norm of term '%s' is straight for most of its residuals, so that the "
                "search goes in short steps and may end far from the lowest cost",
                r->term[k].name);
        }
    }
}

static void judge_reports(prb_diagnosis *d, const sal_result *r)
{
    if (!(r->relative_to_weight <= r->physical_tolerance)) {
        unactuated(d, r, &r->force, "N");
        unactuated(d, r, &r->torque, "N m");
    }
    for (int k = 0; k < r->nconstraint; k++) {
        const prb_constraint_report *c = r->constraint + k;
        if (!(c->violation <= c->tolerance)) {
            prb_diagnosis_add(d, PRB_FIND_VIOLATED, c->name, c->violation, c->time,
                              "%s%s%s%s is violated by %.3g%s%s (tolerance %.3g) at %.4g s",
                              c->name, c->what[0] == 0 ? "" : " (", c->what,
                              c->what[0] == 0 ? "" : ")", c->violation, c->unit[0] == 0 ? "" : " ",
                              c->unit, c->tolerance, c->time);
        }
    }
}

static bool is_pinned(const sal_problem *p, const sal_result *r, double time)
{
    const double near = BESIDE_END * r->timestep, end = r->nstep * r->timestep;
    return (time <= near && (p->start.fixed_pos || p->start.fixed_vel)) ||
           (time >= end - near && (p->end.fixed_pos || p->end.fixed_vel));
}

/* An equality is soft: under load it gives way a little, and a loop that is pinned closed and at
 * rest within a few steps of an end asks for what its actuators cannot do. */
static void judge_loops(prb_diagnosis *d, const sal_problem *p, const sal_result *r)
{
    const prb_extreme *worst = r->force.max > r->torque.max ? &r->force : &r->torque;
    if (p->boundary == PRB_OPEN && r->model->neq > 0 &&
        !(r->relative_to_weight <= r->physical_tolerance) && is_pinned(p, r, worst->time)) {
        prb_diagnosis_add(d, PRB_FIND_LOOP, "equality", worst->max, worst->time,
                          "forces are missing beside a pinned end (at %.4g s) of a model with soft "
                          "equalities: loops that they close give way under load, and cannot be "
                          "pinned as if they were rigid",
                          worst->time);
    }
}

/* Markers of another person are much farther from their sites than those of the one of whom the
 * model was made. */
static void judge_markers(prb_diagnosis *d, const sal_result *r)
{
    const prb_marker_fit *fit = &r->marker_fit;
    if (fit->rms > TIMES * fit->model && fit->rms > FAR) {
        prb_diagnosis_add(d, PRB_FIND_ANOTHER, fit->site, fit->rms, (double)NAN,
                          "markers are %.3g mm rms from their sites (worst: '%s', %.3g mm); where "
                          "the model was made they were %.3g mm from them",
                          1e3 * fit->rms, fit->site, 1e3 * fit->worst, 1e3 * fit->model);
    }
}

/* ---- what the residuals say ---- */

/* Step t's residuals that are about `what`, of n numbers; NULL: there are none. */
static const double *residuals_of(const prb_transcription *tr, const double *r, int t, int what,
                                  int *n)
{
    int first;
    const sal_segment *segment = prb_class_segment(tr->class + tr->class_of[t], what, &first);
    *n = segment == NULL ? 0 : segment->n;
    return segment == NULL ? NULL : r + tr->r_adr[t] + first;
}

/* Steps at which a residual of `what` (number `index`, or any for -1) is at most NEAR below its
 * bound; *all: at which there is one. */
static int count_active(const prb_transcription *tr, const double *r, int what, int index, int *all)
{
    int count = 0;
    *all = 0;
    for (int t = 0; t < tr->nblock; t++) {
        int n;
        bool active = false;
        const double *x = residuals_of(tr, r, t, what, &n);
        for (int i = 0; i < n; i++) {
            active = active || ((index < 0 || i == index) && x[i] > -NEAR);
        }
        count += active;
        *all += n > 0;
    }
    return count;
}

static void judge_ranges(prb_diagnosis *d, const prb_transcription *tr, const double *r)
{
    const sal_problem *p = tr->p;
    int all;
    for (int k = 0; k < tr->map->nrange; k++) {
        char name[64];
        const int count = count_active(tr, r, PRB_SEG_RANGES, k, &all);
        if (count > 0) {
            prb_actuator_range_name(p->model, tr->map->range + k, name);
            prb_diagnosis_add(d, PRB_FIND_ACTIVE, name, (double)count / all, (double)NAN,
                              "%s is reached in %d of %d steps", name, count, all);
        }
    }
    for (int k = 0; k < p->nconstraint; k++) {
        const prb_constraint *c = p->constraint + k;
        const int count =
            c->range && !c->feature.mean ? count_active(tr, r, p->nterm + k, -1, &all) : 0;
        if (count > 0) {
            prb_diagnosis_add(d, PRB_FIND_ACTIVE, c->feature.name, (double)count / all, (double)NAN,
                              "the range of '%s' is reached in %d of %d steps", c->feature.name,
                              count, all);
        }
    }
}

/* Where the model of the last step holds, it promises no more than the tolerance. */
static void judge_end(prb_diagnosis *d, const sal_result *r)
{
    const double promise = r->optim.promise;
    if (r->optim.stop == SAL_STOP_CONVERGED && promise > PROMISED) {
        prb_diagnosis_add(
            d, PRB_FIND_PROMISE, "cost", promise, (double)NAN,
            "a lower cost may be near: the linear model of the last step promises "
            "%.1f %% less, but each step that was tried ran into a kink or into strong "
            "curvature",
            100 * promise);
    }
}

static bool same_residuals(const prb_transcription *tr, const double *a, const double *b, int what)
{
    for (int t = 0; t < tr->nblock; t++) {
        int n;
        const double *x = residuals_of(tr, a, t, what, &n), *y = residuals_of(tr, b, t, what, &n);
        if (n > 0 && memcmp(x, y, (size_t)n * sizeof *x) != 0) {
            return false;
        }
    }
    return true;
}

/* The residuals at a point beside x, whichever of a few can be had; false: none. */
static bool residuals_beside(prb_transcription *tr, const double *x, double *r)
{
    const int nvar = tr->layout.nvar;
    double *d = sal_alloc((size_t)nvar, sizeof *d),
           *beside = sal_alloc((size_t)tr->layout.nx, sizeof *beside);
    bool known = false;
    sal_rng rng = {7};
    double far = BESIDE;
    for (int trial = 0; trial < 3 && d != NULL && beside != NULL && !known; trial++) {
        for (int i = 0; i < nvar; i++) {
            d[i] = sal_rng_uniform(&rng, -far, far);
        }
        tr->nls.retract(tr->nls.ctx, beside, x, d);
        known = tr->nls.residual(tr->nls.ctx, r, beside, NULL) == SAL_OK;
        far /= 30;
    }
    sal_free(d);
    sal_free(beside);
    return known;
}

static void judge_effects(prb_diagnosis *d, const prb_transcription *tr, const double *r,
                          const double *beside)
{
    const sal_problem *p = tr->p;
    for (int k = 0; k < p->nterm; k++) {
        const char *name = p->term[k].feature.name;
        if (p->term[k].weight > 0 && same_residuals(tr, r, beside, k)) {
            prb_diagnosis_add(
                d, PRB_FIND_NO_EFFECT, name, 0, (double)NAN,
                "term '%s' has no effect: its value is the same for all motions near this one",
                name);
        }
    }
}

/* ---- what the Hessian says ---- */

/* Adds the squares of a direction's components: of each joint over the motion, and of each slot. */
static void split(const prb_transcription *tr, const double *v, double *joint, double *slot)
{
    const sal_model *m = tr->p->model;
    const prb_layout_of_motion *layout = &tr->layout;
    for (int k = 0; k < layout->nslot; k++) {
        const prb_slot *s = layout->slot + k;
        for (int i = 0; i < m->nv && s->block >= 0 && s->image == 0; i++) {
            const int variable = layout->variable[s->block * m->nv + i];
            const double square = variable < 0 ? 0 : v[variable] * v[variable];
            joint[m->dof_jntid[i]] += square;
            slot[k] += square;
        }
    }
}

/* The joints that a direction moves most, and when if that is at one time. */
static void tell_direction(prb_diagnosis *d, const prb_transcription *tr, double curvature,
                           double *joint, const double *slot)
{
    const sal_model *m = tr->p->model;
    char names[200] = "", first[PRB_COLUMN_NAME] = "";
    double all = 0;
    int most = 0;
    for (int k = 0; k < tr->layout.nslot; k++) {
        all += slot[k];
        most = slot[k] > slot[most] ? k : most;
    }
    for (int n = 0; n < JOINTS_NAMED && all > 0; n++) {
        int best = 0;
        for (int j = 0; j < m->njnt; j++) {
            best = joint[j] > joint[best] ? j : best;
        }
        if (joint[best] < 0.1 * all) {
            break;
        }
        char name[PRB_COLUMN_NAME];
        const size_t used = strlen(names);
        prb_object_word(name, m, SAL_OBJ_JOINT, best);
        snprintf(names + used, sizeof names - used, "%s'%.50s'", n > 0 ? ", " : "", name);
        if (n == 0) {
            memcpy(first, name, sizeof first);
        }
        joint[best] = 0;
    }
    const bool once = slot[most] > 0.5 * all;
    const double time = once ? fmax(most - 1, 0) * tr->timestep : (double)NAN;
    char when[64] = "";
    if (once) {
        snprintf(when, sizeof when, " at %.4g s", time);
    }
    prb_diagnosis_add(d, PRB_FIND_UNDETERMINED, first, curvature, time,
                      "no term and no constraint determines %s%s%s",
                      names[0] == 0 ? "the actuators' forces" : "joint ", names, when);
}

static sal_status judge_directions(prb_diagnosis *d, const prb_transcription *tr, sal_optim *optim,
                                   const double *x, sal_err *err)
{
    const int nvar = tr->layout.nvar, n = nvar < DIRECTIONS ? nvar : DIRECTIONS;
    const int njnt = tr->p->model->njnt, nslot = tr->layout.nslot;
    double curvature[DIRECTIONS];
    double *V = sal_alloc((size_t)n * (size_t)nvar, sizeof *V);
    double *squares = sal_alloc((size_t)njnt + (size_t)nslot, sizeof *squares);
    sal_err why = {0};
    sal_status status = SAL_OK;
    if (V == NULL || squares == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for a diagnosis");
    } else if (sal_optim_weakest(optim, x, n, V, curvature, &why) == SAL_OK) {
        for (int k = 0; k < n; k++) {
            if (curvature[k] < WEAK) {
                memset(squares, 0, (size_t)(njnt + nslot) * sizeof *squares);
                split(tr, V + (size_t)k * (size_t)nvar, squares, squares + njnt);
                tell_direction(d, tr, curvature[k], squares, squares + njnt);
            }
        }
    } /* where it cannot be linearised, nothing is known */
    sal_free(V);
    sal_free(squares);
    return status;
}

/* ---- all of it ---- */

sal_status prb_diagnose(prb_transcription *tr, sal_optim *optim, const double *x,
                        sal_result *result, sal_err *err)
{
    prb_diagnosis d = {0};
    double *r = sal_alloc(2 * tr->r_adr[tr->nblock] + 1, sizeof *r),
           *beside = r == NULL ? NULL : r + tr->r_adr[tr->nblock];
    sal_status status = r == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for a diagnosis")
                                  : tr->nls.residual(tr->nls.ctx, r, x, err);
    if (status == SAL_OK) {
        judge_reports(&d, result);
        judge_loops(&d, tr->p, result);
        judge_terms(&d, tr->p, result);
        prb_diagnose_asked(&d, tr->p, result);
        prb_diagnose_contact(&d, result, tr->model);
        judge_markers(&d, result);
        prb_diagnose_motion(&d, result);
        judge_ranges(&d, tr, r);
        judge_end(&d, result);
        if (residuals_beside(tr, x, beside)) {
            judge_effects(&d, tr, r, beside);
        }
        if (result->optim.stop != SAL_STOP_CONVERGED) {
            status = judge_directions(&d, tr, optim, x, err);
        }
        prb_diagnosis_sort(&d);
    }
    sal_free(r);
    if (status == SAL_OK && d.failed) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for a diagnosis");
    }
    result->finding = d.finding;
    result->nfinding = d.n;
    return status;
}

sal_status prb_terms_have_effect(prb_transcription *tr, const double *x, sal_err *err)
{
    const sal_problem *p = tr->p;
    double *r = sal_alloc(2 * tr->r_adr[tr->nblock] + 1, sizeof *r),
           *beside = r == NULL ? NULL : r + tr->r_adr[tr->nblock];
    sal_status status = SAL_OK;
    if (r == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the check of the terms");
    }
    const bool known =
        tr->nls.residual(tr->nls.ctx, r, x, NULL) == SAL_OK && residuals_beside(tr, x, beside);
    for (int k = 0; k < p->nterm && known && status == SAL_OK; k++) {
        const prb_feature *f = &p->term[k].feature;
        if (p->term[k].weight > 0 && !prb_quantity_of(f)->may_rest &&
            same_residuals(tr, r, beside, k)) {
            status = sal_fail(err, SAL_BADINPUT,
                              "term '%s' has no effect: its quantity is the same for all motions; "
                              "perhaps it is pinned at the instants that count",
                              f->name);
        }
    }
    sal_free(r);
    return status;
}
