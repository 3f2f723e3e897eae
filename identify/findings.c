/* findings.c: what the data could not tell, and what stands out, in words.
 *
 * Flat directions v of u: with A = sum S, the information of the data alone, and d = diag(A)^1/2,
 * the eigenvectors w of A/(d d') whose eigenvalues are small; v = w/d. Several are reduced by
 * elimination, so that each begins with a parameter of its own and names as few others as can be. u
 * may move along v and nothing changes: of two parameters with v_a : v_b = 1 : r the data know r
 * u_a - u_b, and that is, of logarithms, a^r / b.
 */
#include "base/lapack.h"
#include "identify/assess.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double SINGULAR =
    1e-6; /* eigenvalue of what cannot be told apart: correlated beyond .999999 */
static const double NEARLY = 2e-3;      /* of what can hardly be: beyond .998 */
static const double PART = 0.05;        /* of the largest component: smaller ones are not named */
static const double ALIKE = 0.05;       /* how far an exponent may be from 1 */
static const double WEAK = 0.9;         /* share of a prior's sigma that is still left */
static const double FAR_FROM_END = 0.3; /* standard errors that are left to go */
static const double ROUNDING = 1e-9;    /* of a parameter */
static const double FAR_FROM_ERROR = 1; /* beyond it has not converged, for sure */
static const double FAR_OFF = 1.5;      /* factor that is worth a word */
enum { NAMED = 5 };                     /* recordings, at most */

static void say(idn_assessment *a, const char *format, ...) SAL_PRINTF(2, 3);

/* Adds a sentence. */
static void say(idn_assessment *a, const char *format, ...)
{
    sal_identification_result *e = a->e;
    char(*more)[SAL_IDENTIFICATION_TEXT] =
        sal_list_grow(e->sentence, e->nsentence, &a->capacity, sizeof *more);
    if (more == NULL) {
        a->failed = true;
        return;
    }
    e->sentence = more;
    va_list args;
    va_start(args, format);
    vsnprintf(e->sentence[e->nsentence++], SAL_IDENTIFICATION_TEXT, format, args);
    va_end(args);
}

/* ---- flat directions ---- */

typedef struct flat {
    int n;
    int *id;             /* [n] parameters that the data speak of */
    double *d;           /* [n] */
    double *value, *row; /* [n], [n x n] eigenvalues, directions w, smallest first */
    double *matrix;      /* [n x n] scratch */
    void *block;
} flat;

static void place(flat *f, size_t n, sal_layout *layout)
{
    f->id = sal_layout_take(layout, n, sizeof(int));
    f->d = sal_layout_take(layout, n, sizeof(double));
    f->value = sal_layout_take(layout, n, sizeof(double));
    f->row = sal_layout_take(layout, n * n, sizeof(double));
    f->matrix = sal_layout_take(layout, n * n, sizeof(double));
}

static bool new_flat(flat *f, int n)
{
    sal_layout layout = {NULL, 0};
    *f = (flat){0};
    place(f, (size_t)n, &layout);
    f->block = layout.base = sal_alloc(layout.size + 1, 1);
    layout.size = 0;
    place(f, (size_t)n, &layout);
    return f->block != NULL;
}

/* What the search made nothing says nothing any more, whatever it did at the start. */
static bool has_vanished(const sal_identification_parameter *p)
{
    static const double nothing = 1e-6; /* of the start */
    return !(p->weight > 0) && fabs(p->value) < nothing * fabs(p->initial);
}

/* Parameters of which the data say anything, and the eigenvalues of their scaled information. */
static void find_flat(idn_assessment *a, flat *f)
{
    sal_identification_result *e = a->e;
    const int n = e->nparameter;
    for (int k = 0; k < a->nfree; k++) {
        const int id = a->free[k];
        const double d = sqrt(fmax(a->information[id * (n + 1)], 0));
        if (!idn_is_unmeasured(e->parameter + id, a->information[id * (n + 1)])) {
            f->d[f->n] = d;
            f->id[f->n++] = id;
        } else if (has_vanished(e->parameter + id)) {
            say(a, "%s became %.2g, so small that it has no effect any more.",
                e->parameter[id].name, e->parameter[id].value);
        } else {
            say(a, "The recordings hold no information about %s%s.", e->parameter[id].name,
                e->parameter[id].weight > 0 ? ": its value is that of its prior" : "");
        }
    }
    for (int i = 0; i < f->n * f->n; i++) {
        const int k = i / f->n, l = i % f->n;
        f->matrix[i] = a->information[f->id[k] * n + f->id[l]] / (f->d[k] * f->d[l]);
    }
    sal_lapack_eigen(f->value, f->row, f->matrix, f->n);
    for (int k = 0; k < n; k++) {
        e->eigenvalue[k] = k < f->n ? f->value[k] : (double)NAN;
    }
}

/* Gauss-Jordan on rows first .. last-1, the largest entry leading. What is then small is
 * nothing. */
static void reduce(flat *f, int first, int last)
{
    const int n = f->n;
    for (int i = first; i < last; i++) {
        int lead = i * n;
        for (int k = i * n; k < last * n; k++) {
            lead = fabs(f->row[k]) > fabs(f->row[lead]) ? k : lead;
        }
        for (int j = 0; j < n && lead / n != i; j++) {
            const double moved = f->row[i * n + j];
            f->row[i * n + j] = f->row[lead / n * n + j];
            f->row[lead / n * n + j] = moved;
        }
        const int column = lead % n;
        const double unit = f->row[i * n + column];
        for (int j = 0; j < n; j++) {
            f->row[i * n + j] /= unit;
        }
        for (int k = first; k < last; k++) {
            const double share = f->row[k * n + column];
            for (int j = 0; j < n && k != i; j++) {
                f->row[k * n + j] -= share * f->row[i * n + j];
            }
        }
    }
    for (int k = first * n; k < last * n; k++) {
        f->row[k] = fabs(f->row[k]) < PART ? 0 : f->row[k];
    }
}

/* ": only their ratio is determined" of a pair that moves as 1 : r */
static void put_known(sal_text *t, const sal_identification_parameter *a,
                      const sal_identification_parameter *b, double r)
{
    const bool logs = idn_is_logarithm(a);
    if (logs != idn_is_logarithm(b)) {
        return;
    }
    if (fabs(fabs(r) - 1) < ALIKE) {
        sal_text_format(t, ": only their %s is determined",
                        r > 0 ? (logs ? "ratio" : "difference") : (logs ? "product" : "sum"));
    } else if (logs) {
        sal_text_format(t, ": only %s^%.3g %c %s is determined", a->name, fabs(r),
                        r > 0 ? '/' : '*', b->name);
    } else {
        sal_text_format(t, ": only %.3g %s %c %s is determined", fabs(r), a->name,
                        r > 0 ? '-' : '+', b->name);
    }
}

/* "mass rises by 1 %", "offset falls by 0.02 m" */
static void put_change(sal_text *t, const sal_identification_parameter *p, double du)
{
    const char *way = du > 0 ? "rises" : "falls";
    if (idn_is_logarithm(p)) {
        sal_text_format(t, "%s %s by %.2g %%", p->name, way, 100 * fabs(du));
    } else {
        sal_text_format(t, "%s %s by %.2g%s%s", p->name, way, fabs(du), p->unit[0] == 0 ? "" : " ",
                        p->unit);
    }
}

/* u along w: the first that is named by a hundredth of its size. */
static void say_direction(idn_assessment *a, const flat *f, const double *w, bool nearly)
{
    const sal_identification_parameter *p = a->e->parameter;
    sal_text names = {0}, changes = {0};
    int part[2] = {0, 0}, n = 0, last = 0;
    bool prior = false;
    for (int k = 0; k < f->n; k++) {
        if (w[k] != 0) {
            part[n > 0] = k;
            n++;
            last = k;
            prior = prior || p[f->id[k]].weight > 0;
        }
    }
    const double unit = 0.01 * idn_size_of(p + f->id[part[0]]) / (w[part[0]] / f->d[part[0]]);
    for (int k = 0; k < f->n; k++) {
        if (w[k] != 0) {
            sal_text_format(&names, "%s%s",
                            k == part[0] ? ""
                            : k == last  ? " and "
                                         : ", ",
                            p[f->id[k]].name);
            sal_text_add(&changes, k == part[0] ? "" : ", ");
            put_change(&changes, p + f->id[k], unit * w[k] / f->d[k]);
        }
    }
    sal_text_add(&names, nearly ? " can hardly be distinguished" : " cannot be distinguished");
    if (n == 2) {
        put_known(&names, p + f->id[part[0]], p + f->id[part[1]],
                  w[part[1]] / f->d[part[1]] / (w[part[0]] / f->d[part[0]]));
    }
    a->failed = a->failed || names.failed || changes.failed;
    if (!a->failed && n > 1) {
        say(a, "%s. If %s, %s.%s", names.data, changes.data,
            nearly ? "the fit hardly changes" : "the fit does not change",
            prior ? " Their priors determine them." : "");
    }
    sal_text_clear(&names);
    sal_text_clear(&changes);
}

static void say_directions(idn_assessment *a)
{
    flat f;
    if (!new_flat(&f, a->nfree)) {
        a->failed = true;
        return;
    }
    find_flat(a, &f);
    const double limit[] = {SINGULAR, NEARLY};
    for (int first = 0, kind = 0; kind < 2; kind++) {
        int last = first;
        while (last < f.n && f.value[last] < limit[kind]) {
            last++;
        }
        reduce(&f, first, last);
        for (int k = first; k < last; k++) {
            say_direction(a, &f, f.row + k * f.n, kind == 1);
        }
        first = last;
    }
    sal_free(f.block);
}

/* ---- single parameters ---- */

static void say_weak(idn_assessment *a)
{
    const sal_identification_result *e = a->e;
    for (int k = 0; k < a->nfree; k++) {
        const sal_identification_parameter *p = e->parameter + a->free[k];
        const double se = a->se_u[a->free[k]];
        const bool apart = p->se > fabs(p->value) && !idn_is_logarithm(p);
        if (!isfinite(se)) {
            continue; /* said above */
        }
        if (p->weight > 0 && se > WEAK * p->prior_sigma) {
            say(a, "The data determine %s poorly: its standard error is nearly that of its prior.",
                p->name);
        } else if ((idn_is_logarithm(p) && se > 1) ||
                   (apart && isfinite(p->nominal) && p->nominal != 0)) {
            say(a, "The data determine %s poorly: its standard error is larger than its value.",
                p->name);
        } else if (apart) {
            say(a,
                "%s cannot be distinguished from 0: its standard error is larger than its value.",
                p->name);
        }
    }
}

static void say_bounds(idn_assessment *a)
{
    for (int k = 0; k < a->e->nparameter; k++) {
        const sal_identification_parameter *p = a->e->parameter + k;
        if (p->at_bound != 0) {
            say(a,
                "%s is at its %s bound, %.6g%s%s: the standard errors of the other parameters take "
                "this value "
                "as known.",
                p->name, p->at_bound < 0 ? "lower" : "upper", p->value, p->unit[0] == 0 ? "" : " ",
                p->unit);
        }
    }
}

/* ---- all of it ---- */

/* Whether Newton's step is more of a parameter than rounding. (Data without noise have standard
 * errors that are less.) */
static bool moves(const idn_assessment *a, int id)
{
    const sal_identification_parameter *p = a->e->parameter + id;
    const double size = idn_is_logarithm(p) ? 1 : fabs(p->value);
    return fabs(a->step[id]) > ROUNDING * size;
}

/* Where priors pull, the sum of the scores is not 0 at the minimum: nothing is said. */
static void say_unfinished(idn_assessment *a)
{
    const sal_identification_result *e = a->e;
    int worst = -1;
    double most = FAR_FROM_END;
    for (int k = 0; k < a->nfree; k++) {
        const int id = a->free[k];
        const double share = fabs(a->step[id]) / a->se_u[id];
        if (e->parameter[id].weight > 0) {
            return;
        }
        if (isfinite(share) && share > most && moves(a, id)) {
            most = share;
            worst = id;
        }
    }
    if (worst >= 0) {
        a->e->newton = most;
        say(a,
            "The search %s: one more Newton step would change %s by %.2g of its standard error. "
            "Allow more iterations (maxiter) or set a smaller tolerance in the "
            "last "
            "stage.",
            most > FAR_FROM_ERROR ? "has not converged" : "may not have converged",
            e->parameter[worst].name, most);
    }
}

/* What the fits of other sets of recordings tell beyond the errors of the one of them all. */
static void say_resampled(idn_assessment *a)
{
    const sal_identification_result *e = a->e;
    const char *name = sal_identification_resampling_name(e->resampling);
    int worst = -1;
    bool any = false;
    double most = FAR_OFF;
    if (e->resampling == SAL_RESAMPLING_NONE) {
        return;
    }
    for (int k = 0; k < e->nparameter; k++) {
        const double ratio = e->parameter[k].se_resampled / e->parameter[k].se;
        any = any || isfinite(e->parameter[k].se_resampled);
        if (ratio > most) {
            most = ratio;
            worst = k;
        }
    }
    if (e->nresample < e->resamples) {
        say(a, "Of the %d fits of the %s %d came to an end%s.", e->resamples, name, e->nresample,
            any ? "" : ": it gives no standard errors");
    }
    if (worst >= 0) {
        say(a,
            "The standard error of %s from the %s is %.2g times the one reported: other sets of "
            "recordings move it further than a linear analysis can see. Trust the larger one.",
            e->parameter[worst].name, name, most);
    }
}

static void say_errors(idn_assessment *a)
{
    const sal_identification_result *e = a->e;
    double most = 0;
    for (int k = 0; k < e->nparameter; k++) {
        const double ratio = e->parameter[k].se / e->parameter[k].se_hessian;
        most = ratio > most ? ratio : most;
    }
    if (a->nfree > 0 && e->ncluster == 1) {
        say(a, "All recordings belong to one cluster: standard errors are those from the Hessian, "
               "which are valid only if all residuals are independent.");
    } else if (a->nfree > 0 && !e->sandwich) {
        say(a,
            "%d clusters of recordings are too few for %d parameter%s: each standard error is the "
            "larger of that between clusters (sandwich) and that from the Hessian.",
            e->ncluster, a->nfree, a->nfree == 1 ? "" : "s");
    } else if (most > 2) {
        say(a,
            "The recordings differ by more than their noise: standard errors between clusters "
            "(sandwich) are up to %.2g times those from the Hessian.",
            most);
    }
    say_resampled(a);
    const double s = e->freedom > 0 ? sqrt(e->chi2 / e->freedom) : 1;
    if (s > FAR_OFF || s < 1 / FAR_OFF) {
        say(a, "Residuals are %.2g times as large as the sigmas: the sigmas are too %s.", s,
            s > 1
                ? "small, the model is wrong, or the search has ended in a minimum that is not the "
                  "lowest (begin elsewhere)"
                : "large");
    }
}

static void put_name(sal_text *t, int n, const char *name)
{
    if (n < NAMED) {
        sal_text_format(t, "%s%s", n == 0 ? "" : ", ", name);
    } else if (n == NAMED) {
        sal_text_add(t, ", ..");
    }
}

static void say_recordings(idn_assessment *a)
{
    const sal_identification_result *e = a->e;
    sal_text outliers = {0}, lost = {0};
    int noutlier = 0, nlost = 0, nrolled = 0;
    for (int i = 0; i < e->nrecording; i++) {
        const sal_identification_recording *r = e->recording + i;
        if (r->outlier) {
            put_name(&outliers, noutlier++, r->name);
        }
        if (isfinite(r->rollout.diverged)) {
            put_name(&lost, nlost++, r->name);
        }
        nrolled += isfinite(r->rollout.diverged) || isfinite(r->rollout.position_rms);
    }
    if (noutlier > 0) {
        say(a, "%d recording%s far worse than the others: %s.", noutlier,
            noutlier == 1 ? " fits" : "s fit", outliers.data);
    }
    if (nlost > 0) {
        say(a, "%d of %d rollouts diverged: %s.", nlost, nrolled > nlost ? nrolled : nlost,
            lost.data);
    }
    a->failed = a->failed || outliers.failed || lost.failed;
    sal_text_clear(&outliers);
    sal_text_clear(&lost);
}

/* Whether what was found predicts worse than the model as it stood. */
static void say_prediction(idn_assessment *a)
{
    static const sal_identification_measure pair[2][2] = {
        {SAL_MEASURE_POSITION, SAL_MEASURE_NOMINAL_POSITION},
        {SAL_MEASURE_ROTATION, SAL_MEASURE_NOMINAL_ROTATION}};
    for (int k = 0; k < 2 && a->e->nparameter > 0; k++) {
        sal_quartiles found, nominal;
        sal_err err;
        if (sal_identification_quartiles(&found, a->e, true, pair[k][0], &err) != SAL_OK ||
            sal_identification_quartiles(&nominal, a->e, true, pair[k][1], &err) != SAL_OK) {
            a->failed = true;
        } else if (nominal.n > 0 && nominal.median < found.median) {
            say(a,
                "The nominal model predicts the %s of the held-out recordings better than the "
                "identified one: its median error at the end is %.3g %s, against %.3g.",
                sal_identification_measure_name(pair[k][0]), nominal.median,
                sal_identification_measure_unit(pair[k][0]), found.median);
        }
    }
}

/* The same of the channels that are no poses. */
static void say_channel_prediction(idn_assessment *a)
{
    for (int c = 0; c < a->e->nchannel && a->e->nparameter > 0; c++) {
        const sal_identification_channel *of = a->e->channel + c;
        sal_quartiles found, nominal;
        sal_err err;
        if (sal_identification_channel_quartiles(&found, a->e, true, c, false, &err) != SAL_OK ||
            sal_identification_channel_quartiles(&nominal, a->e, true, c, true, &err) != SAL_OK) {
            a->failed = true;
        } else if (of->nres != 6 && nominal.n > 0 && nominal.median < found.median) {
            say(a,
                "The nominal model predicts %s of the held-out recordings better than the "
                "identified "
                "one: its median rms error is %.3g %s, against %.3g.",
                of->name, nominal.median, of->unit, found.median);
        }
    }
}

/* A channel speaks for all that have the same fault. */
static void say_channels(idn_assessment *a)
{
    const sal_identification_result *e = a->e;
    for (int c = 0; c < e->nchannel; c++) {
        const sal_identification_channel *channel = e->channel + c;
        int others = 0, before = 0;
        for (int k = 0; k < e->nchannel; k++) {
            const sal_identification_channel *of = e->channel + k;
            const bool same = of->count > 0 && !of->white && strcmp(of->text, channel->text) == 0;
            others += same && k > c;
            before += same && k < c;
        }
        if (channel->count > 0 && !channel->white && before == 0 && others == 0) {
            say(a, "%s: %s (lag-1 autocorrelation %.2f).", channel->name, channel->text,
                channel->lag1);
        } else if (channel->count > 0 && !channel->white && before == 0) {
            say(a, "%s and %d more: %s (lag-1 autocorrelation %.2f).", channel->name, others,
                channel->text, channel->lag1);
        }
    }
}

sal_status idn_findings(idn_assessment *a, sal_err *err)
{
    say_directions(a);
    say_unfinished(a);
    say_bounds(a);
    say_weak(a);
    say_errors(a);
    say_recordings(a);
    say_prediction(a);
    say_channel_prediction(a);
    say_channels(a);
    return a->failed ? sal_fail(err, SAL_NOMEM, "out of memory for the findings") : SAL_OK;
}
