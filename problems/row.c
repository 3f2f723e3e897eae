/* row.c: from the number of a quantity to a residual.
 *
 *     term                     r = value - target; of a recording, target falls by the height of
 *                              its floor over that of the model, and turns by the rotation R that
 *                              makes that floor level: target + (R - 1) arm - fall height
 *     equality                 r = (value - target) / scale
 *     range                    r = max(value - upper, lower - value) / scale, negative inside
 *     mean                     r = (value - target) / instants, summed over them by the optimizer;
 *                              a range has two rows for each number
 *     per motion or distance   where duration or travel are free: s with 1/2 s^2 = c norm(r), c =
 *                              duration, or duration / |travel|, so that
 *                              ds = c norm'/s dr + s/2 d log c
 */
#include "problems/row.h"

#include <math.h>
#include <string.h>

/* A range on a mean has two rows for each number: which of the two bounds is exceeded is not known
 * before the sum is. */
static bool has_two_rows(const prb_writer *w)
{
    return w->feature->mean && w->constraint != NULL && w->constraint->range;
}

/* Whether number w->number of the quantity is one that counts. */
static bool counts(const prb_writer *w)
{
    const prb_feature *f = w->feature;
    const int k = has_two_rows(w) ? w->written / 2 : w->written;
    return f->component == NULL || (k < f->dim && f->component[k] == w->number);
}

/* Whether a row takes this: behind the last number that counts there may be no room for one. */
static bool takes(const prb_writer *w, double coefficient)
{
    return w->J != NULL && coefficient != 0 && (w->feature == NULL || counts(w));
}

void prb_row_put(prb_writer *w, int index, double coefficient)
{
    if (takes(w, coefficient)) {
        (w->begun ? prb_residual_put : prb_residual_set)(w->tr, w->t, w->Y, w->J, index,
                                                         coefficient);
        w->begun = true;
    }
}

/* The row, with nothing in it so far. */
static void begin(prb_writer *w)
{
    if (!w->begun) {
        memset(w->J, 0, (size_t)w->tr->block[w->t].ncol * sizeof(double));
    }
    w->begun = true;
}

void prb_row_put_floor(prb_writer *w, int global, double coefficient)
{
    if (takes(w, coefficient)) {
        begin(w);
        prb_residual_put_floor(w->tr, w->t, w->J, global, coefficient);
    }
}

/* The offsets are the last columns. */
void prb_row_put_offset(prb_writer *w, int at, double coefficient)
{
    if (takes(w, coefficient)) {
        begin(w);
        w->J[w->tr->block[w->t].ncol - 3 * w->tr->p->noffset + at] += coefficient;
    }
}

void prb_row_add(prb_writer *w, const double *row, double coefficient)
{
    const int ncol = w->tr->block[w->t].ncol;
    if (takes(w, coefficient)) {
        for (int i = 0; i < ncol; i++) {
            w->J[i] = (w->begun ? w->J[i] : 0) + coefficient * row[i];
        }
        w->begun = true;
    }
}

static void scale_row(double *row, int n, double factor)
{
    for (int i = 0; i < n && factor != 1; i++) {
        row[i] *= factor;
    }
}

/* Ends a residual; its row, if any was begun, times `factor`. */
static void finish(prb_writer *w, double value, double factor)
{
    *w->r++ = value;
    if (w->J != NULL) {
        const int ncol = w->tr->block[w->t].ncol;
        if (w->begun) {
            scale_row(w->J, ncol, factor);
        } else {
            memset(w->J, 0, (size_t)ncol * sizeof(double));
        }
        w->J += ncol;
        w->begun = false;
    }
    w->written++;
}

static void end_range(prb_writer *w, double value)
{
    const int k = w->written;
    const double above = value - w->constraint->upper[k], below = w->constraint->lower[k] - value;
    const bool upper = above >= below;
    finish(w, (upper ? above : below) * w->factor, upper ? w->factor : -w->factor);
}

/* What it exceeds the upper bound by, and the lower; of a bound that bounds nothing: the share of
 * -1. */
static void end_mean_range(prb_writer *w, double value)
{
    const int k = w->written / 2, ncol = w->tr->block[w->t].ncol;
    const double upper = w->constraint->upper[k], lower = w->constraint->lower[k];
    const double nothing = -w->factor * w->constraint->scale;
    double *row = w->J;
    *w->r++ = isfinite(upper) ? (value - upper) * w->factor : nothing;
    *w->r++ = isfinite(lower) ? (lower - value) * w->factor : nothing;
    w->written += 2;
    if (row == NULL) {
        return;
    }
    for (int i = 0; i < ncol; i++) {
        const double slope = w->begun ? w->factor * row[i] : 0;
        row[i] = isfinite(upper) ? slope : 0;
        row[ncol + i] = isfinite(lower) ? -slope : 0;
    }
    w->J += 2 * (size_t)ncol;
    w->begun = false;
}

/* s of a residual r whose norm is folded in */
static void end_folded(prb_writer *w, double r)
{
    const sal_norm *norm = &w->folded->norm;
    const double c = prb_terms_extent(w->tr, w->folded->per), tiny = 1e-150;
    double scaled, root;
    const double value = sal_norm_scale(norm, &r, 1, &scaled, &root, NULL);
    const double size = sqrt(2 * c * fmax(value, 0));
    const bool even = norm->kind != SAL_NORM_SOFTPLUS;
    const double s = even && r < 0 ? -size : size;
    const double slope = size > tiny ? c * root * scaled / s : sqrt(c) * root;
    double *row = w->J;
    const bool begun = w->begun;
    finish(w, s, slope);
    if (row != NULL && begun) {
        prb_residual_put_extent(w->tr, w->t, row, w->folded->per, 0.5 * s);
    }
}

/* By how much a recorded number grows where its floor is made level; and -d/d(slope) in the row. */
static double turned(prb_writer *w, int number)
{
    const prb_level *level = &w->tr->level;
    const double *arm = w->arm + number - number % 3;
    const int axis = 3 * (number % 3);
    for (int i = 0; i < 2; i++) {
        prb_row_put_floor(w, PRB_GLOBAL_SLOPE + i, -sal_v3_dot(level->turn_deriv[i] + axis, arm));
    }
    return sal_v3_dot(level->turn + axis, arm);
}

void prb_row_end(prb_writer *w, double value)
{
    if (w->feature == NULL) {
        finish(w, value, 1);
        return;
    }
    if (!counts(w)) {
        w->number++;
        return;
    }
    double target = w->target == NULL ? 0 : w->target[w->written];
    if (w->fall != NULL) {
        prb_row_put_floor(w, PRB_GLOBAL_FLOOR, w->fall[w->written]);
        target -= w->fall[w->written] * w->tr->floor.height;
    }
    if (w->arm != NULL) {
        target += turned(w, w->number);
    }
    if (has_two_rows(w)) {
        end_mean_range(w, value);
    } else if (w->constraint != NULL && w->constraint->range) {
        end_range(w, value);
    } else if (w->folded != NULL) {
        end_folded(w, value - target);
    } else {
        finish(w, (value - target) * w->factor, w->factor);
    }
    w->number++;
}
