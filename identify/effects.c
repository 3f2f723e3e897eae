/* effects.c: what parameters do at the values from which they start, on motions that are shaken, so
 * that these obey no mechanics: the dynamics are then no help in explaining them.
 *
 * r [rows] are the forces that nothing explains, J their derivatives by the parameters u. A column
 * of J that is 0 belongs to a parameter without effect. Where r = J v, all forces are in proportion
 * to the parameters that v moves: the smaller these are together, the less is unexplained, and a
 * search makes them nothing. Only ratios of them are determined. With S = J'J, g = J'r the part of
 * r that is in the span of J is
 *
 *     g' S^-1 g / r'r,    v = S^-1 g
 *
 * and on a motion that is shaken it is 1 in no other case.
 */
#include "base/house.h"
#include "base/lapack.h"
#include "identify/assess.h"
#include "identify/fit.h"

#include <math.h>
#include <string.h>

static const double NOTHING = 1e-8;  /* 1/variance of a logarithm, or of a number in its own size */
static const double SINGULAR = 1e-9; /* eigenvalue of the scaled S */
static const double REST = 1e-9;     /* of r'r that may be left beside J v: rounding */
static const double PART = 0.05;     /* of the largest part in v: smaller ones are not named */
enum { NAMED = 5 };                  /* parameters, at most */
static const double SHAKEN = 30;     /* m/s^2, rad/s^2: standard deviation of q / h^2 */

/* ---- the fit at the start ---- */

/* Problem and settings of an identification, changed */
typedef struct start {
    sal_identification i;
    sal_problem base;
    prb_dataset data;
    idn_settings settings;
    idn_stage stage;
    prb_channel *channel;
    double *sigma; /* so large that measurements weigh nothing */
    bool *freed;
} start;

static void start_clear(start *s)
{
    sal_free(s->channel);
    sal_free(s->sigma);
    sal_free(s->freed);
}

static sal_status start_make(start *s, const idn_fit *fit, sal_err *err)
{
    const idn_settings *e = fit->settings;
    const int nc = fit->data->nchannel, np = fit->ps->nparameter;
    int most = 1;
    for (int c = 0; c < nc; c++) {
        most = fit->data->channel[c].nres > most ? fit->data->channel[c].nres : most;
    }
    *s = (start){.i = *fit->identification, .base = *fit->p, .data = *fit->data, .settings = *e};
    s->channel = sal_alloc((size_t)nc + 1, sizeof *s->channel);
    s->sigma = sal_alloc((size_t)most, sizeof(double));
    s->freed = sal_alloc((size_t)np + 1, sizeof(bool));
    if (s->channel == NULL || s->sigma == NULL || s->freed == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the effects of parameters");
    }
    for (int i = 0; i < most; i++) {
        s->sigma[i] = 1e30;
    }
    for (int c = 0; c < nc; c++) {
        s->channel[c] = fit->data->channel[c];
        s->channel[c].sigma = s->sigma;
        s->channel[c].norm = (sal_norm){.kind = SAL_NORM_QUADRATIC};
    }
    s->stage = e->stage[e->nstage - 1];
    s->stage.norm = (sal_norm){.kind = SAL_NORM_QUADRATIC};
    s->stage.freed = s->freed;
    for (int k = 0; k < np * e->nstage; k++) {
        s->freed[k % np] = s->freed[k % np] || e->stage[k / np].freed[k % np];
    }
    s->data.channel = s->channel;
    s->base.data = &s->data;
    s->settings.fixed = true;
    s->settings.stage = &s->stage;
    s->settings.nstage = 1;
    s->i.base = &s->base;
    s->i.settings = &s->settings;
    return SAL_OK;
}

/* Configurations of all members, moved at random. */
static void shake(idn_fit *fit)
{
    const sal_model *m = fit->p->model;
    double *q = fit->fixed, *v = fit->worker[0].J; /* of more than nv + nq numbers */
    for (int i = 0; i < fit->nmember; i++) {
        const double h = fit->data->recording[fit->of[i].recording].dt / fit->substeps;
        sal_rng rng = {(uint64_t)i + 1};
        for (int t = 0; t < fit->of[i].nstep + 2; t++, q += m->nq) {
            for (int k = 0; k < m->nv; k++) {
                v[k] = SHAKEN * h * h * sal_rng_normal(&rng);
            }
            sal_integrate_pos(m, v + m->nv, q, v, 1);
            memcpy(q, v + m->nv, (size_t)m->nq * sizeof(double));
        }
    }
}

/* ---- the common scale ---- */

/* Sums over the members. */
typedef struct sums {
    int n, nmember;
    double *S, *g; /* [n x n], [n] */
    double square; /* r'r */
    double *v;     /* [n] S^-1 g */
    double *each, *value, *vector, *d;
    void *block;
} sums;

static void place(sums *a, size_t n, size_t nmember, sal_layout *layout)
{
    a->S = sal_layout_take(layout, n * n, sizeof(double));
    a->g = sal_layout_take(layout, n, sizeof(double));
    a->v = sal_layout_take(layout, n, sizeof(double));
    a->each = sal_layout_take(layout, nmember * (n * n + n + 1), sizeof(double));
    a->value = sal_layout_take(layout, n, sizeof(double));
    a->vector = sal_layout_take(layout, n * n, sizeof(double));
    a->d = sal_layout_take(layout, n, sizeof(double));
}

static sal_status sum_members(sums *a, idn_fit *at, sal_err *err)
{
    const size_t n = (size_t)at->ps->nshared, nm = (size_t)at->nmember;
    sal_layout layout = {NULL, 0};
    *a = (sums){.n = (int)n};
    place(a, n, nm, &layout);
    a->block = layout.base = sal_alloc(layout.size + 1, 1);
    if (a->block == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the effects of %d parameters", a->n);
    }
    layout.size = 0;
    place(a, n, nm, &layout);
    double *S = a->each, *g = S + nm * n * n, *cost = g + nm * n;
    const sal_status status = sal_joint_information(at->joint, at->x, at->shared, S, g, cost, err);
    for (size_t i = 0; i < nm && status == SAL_OK; i++) {
        a->square += 2 * cost[i];
        for (size_t k = 0; k < n; k++) {
            a->g[k] += g[i * n + k];
            for (size_t l = 0; l < n; l++) {
                a->S[k * n + l] += S[(i * n + k) * n + l];
            }
        }
    }
    return status;
}

/* v, and whether J v is r. */
static bool find_scale(sums *a)
{
    const int n = a->n;
    double part = 0;
    for (int k = 0; k < n; k++) {
        a->d[k] = a->S[k * (n + 1)] > 0 ? sqrt(a->S[k * (n + 1)]) : (double)INFINITY;
    }
    for (int i = 0; i < n * n; i++) {
        a->S[i] /= a->d[i / n] * a->d[i % n];
    }
    sal_lapack_eigen(a->value, a->vector, a->S, n);
    for (int k = 0; k < n; k++) {
        const double *w = a->vector + k * n;
        double along = 0;
        for (int i = 0; i < n; i++) {
            along += w[i] * a->g[i] / a->d[i];
        }
        for (int i = 0; i < n && a->value[k] > SINGULAR; i++) {
            a->v[i] += w[i] * along / a->value[k] / a->d[i];
        }
        part += a->value[k] > SINGULAR ? along * along / a->value[k] : 0;
    }
    return a->square > 0 && isfinite(part) && fabs(part / a->square - 1) < REST;
}

/* How far v moves a parameter, in its own size */
static double part_of(const sal_identification_parameter *p, double v)
{
    const double size = idn_is_logarithm(p) || p->initial == 0 ? 1 : fabs(p->initial);
    return p->free ? fabs(v) / size : 0;
}

/* "a, b and c": those that v moves by more than `least` */
static void name_parts(sal_text *out, const sums *a, const sal_identification_result *found,
                       double least)
{
    int n = 0, all = 0;
    for (int k = 0; k < a->n; k++) {
        all += part_of(found->parameter + k, a->v[k]) > least;
    }
    for (int k = 0; k < a->n; k++) {
        if (part_of(found->parameter + k, a->v[k]) > least && n < NAMED) {
            n++;
            sal_text_format(out, "%s%s",
                            n == 1     ? ""
                            : n == all ? " and "
                                       : ", ",
                            found->parameter[k].name);
        }
    }
    if (n < all) {
        sal_text_format(out, " and %d more", all - n);
    }
}

/* A prior of one of them fixes the scale: nothing is said. */
static void say_scale(idn_effects *out, const sums *a, const sal_identification_result *found)
{
    double most = 0;
    int n = 0;
    for (int k = 0; k < a->n; k++) {
        most = fmax(most, part_of(found->parameter + k, a->v[k]));
    }
    for (int k = 0; k < a->n; k++) {
        if (part_of(found->parameter + k, a->v[k]) > PART * most) {
            if (found->parameter[k].weight > 0) {
                return;
            }
            n++;
        }
    }
    name_parts(&out->common, a, found, PART * most);
    if (n == 1) {
        sal_text_add(
            &out->common,
            " cannot be determined: all forces are in proportion to it, and none of them "
            "is known. The smaller it is, the less force is left to explain, so the search "
            "makes it smaller and smaller. Give it a prior, or measure a force.");
    } else if (n > 1) {
        sal_text_format(
            &out->common,
            " cannot be distinguished: only their %s determined. All forces are in "
            "proportion to them: the smaller they are together, the less force is left "
            "to explain, so the search makes them smaller and smaller. Give one of them "
            "its true value and remove its <parameter>, or give it a prior.",
            n == 2 ? "ratio is" : "ratios are");
    }
}

/* ---- all ---- */

/* Whether a force is compared with a number that does not grow with the mechanism. */
static bool is_absolute(const idn_fit *fit)
{
    bool any = fit->knows_forces || fit->settings->in_force;
    for (int i = 0; i < fit->nv; i++) {
        any = any || fit->settings->as_force[i];
    }
    return any;
}

sal_status idn_effects_find(idn_effects *out, const idn_fit *fit,
                            const sal_identification_result *found, sal_err *err)
{
    start s = {0};
    sums a = {0};
    idn_fit *at = NULL;
    sal_err unused;
    out->own = sal_alloc((size_t)fit->ps->nshared + 1, sizeof(double));
    if (out->own == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the effects of parameters");
    }
    sal_status status = start_make(&s, fit, err);
    status = status == SAL_OK ? idn_fit_at_motions(&at, &s.i, fit, err) : status;
    if (status == SAL_OK) {
        shake(at);
        /* mechanics that cannot be evaluated there say nothing */
        const sal_status seen = sum_members(&a, at, &unused);
        status = seen == SAL_NOMEM ? sal_fail(err, seen, "%s", unused.message) : SAL_OK;
        for (int k = 0; k < a.n && seen == SAL_OK; k++) {
            out->own[k] = a.S[k * (a.n + 1)];
        }
        if (seen == SAL_OK && is_absolute(fit) && find_scale(&a)) {
            say_scale(out, &a, found);
        }
    }
    if (status == SAL_OK && out->common.failed) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the effects of parameters");
    }
    idn_fit_free(at);
    start_clear(&s);
    sal_free(a.block);
    return status;
}

void idn_effects_clear(idn_effects *e)
{
    sal_free(e->own);
    sal_text_clear(&e->common);
    e->own = NULL;
}

/* Information about a parameter in its own size */
static double relative(const sal_identification_parameter *p, double information, double value)
{
    const double size = strcmp(p->map, "linear") == 0 ? fmax(fabs(value), 1e-3) : 1;
    return information * size * size;
}

/* A parameter that was to be estimated and of which no recording says anything is a mistake. What
 * rounding and differences say is nothing. */
sal_status idn_effects_check(const idn_effects *e, const sal_identification_result *out,
                             sal_err *err)
{
    const int n = out->nparameter;
    for (int k = 0; k < n; k++) {
        const sal_identification_parameter *p = out->parameter + k;
        double information = p->weight;
        for (int i = 0; i < out->nrecording; i++) {
            information += out->S[((size_t)i * (size_t)n + (size_t)k) * (size_t)n + (size_t)k];
        }
        if (p->free && relative(p, information, p->value) < NOTHING &&
            relative(p, e->own[k], p->initial) < NOTHING) {
            return sal_fail(
                err, SAL_BADINPUT,
                "parameter '%s' has no effect on any recording: remove it, or give it a "
                "prior (with unit=\"acceleration\" a mass that scales all forces cancels)",
                p->name);
        }
    }
    return SAL_OK;
}
