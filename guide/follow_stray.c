/* follow_stray.c: numbers of joints that are out of their place, as <data onjump="drop"> leaves
 * them out: -999 or 1e30 for one that was not measured, a cell that was written wrongly. They are
 * left out before anything is judged, since one of them would say that angles cannot be in
 * radians.
 *
 * Of a column whose numbers are from a to b, but for a twentieth at each end, w = b - a, a number x
 * is out of its place if it is
 *
 *     a mark       farther than MARKS w from the middle, and larger than LARGE in any unit
 *     alone        farther than ALONE w, and JUMP, from the middle one of the five around it
 *
 * A whole turn is neither. More than a twentieth of a column is no mistake but what it holds.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>

enum { AROUND = 5, TWENTY = 20 };
static const double MARKS = 20, LARGE = 100, ALONE = 5;
static const double JUMP = 0.6; /* rad, or whatever: what <data> takes for a jump */
static const double TURNS[2] = {6.28318530717958647693, 360};
static const double NEAR = 0.1; /* of a turn */

/* The middle one of those around a row; NaN: there are too few. */
static double middle_of(const gde_clip *c, int column, int row)
{
    double x[AROUND];
    int n = 0;
    for (int k = row - AROUND / 2; k <= row + AROUND / 2; k++) {
        if (k >= 0 && k < c->s.nrow && !isnan(gde_clip_cell(c, k, column))) {
            x[n++] = gde_clip_cell(c, k, column);
        }
    }
    return n < 3 ? (double)NAN : sal_median(x, n);
}

static bool is_turn(double by)
{
    return fabs(fabs(by) / TURNS[0] - 1) < NEAR || fabs(fabs(by) / TURNS[1] - 1) < NEAR;
}

static bool is_stray(const gde_clip *c, int column, int row, const double span[2])
{
    const double x = gde_clip_cell(c, row, column), w = span[1] - span[0],
                 off = x - (span[0] + span[1]) / 2, by = x - middle_of(c, column, row);
    const bool mark = fabs(x) > LARGE && fabs(off) > MARKS * w,
               alone = fabs(by) > ALONE * w && fabs(by) > JUMP;
    return (mark && !is_turn(off)) || (alone && !is_turn(by));
}

/* Leaves out those of a column; sorted [nrow] and stray [nrow] are scratch. */
static void leave_strays(gde_clip *c, int column, double *sorted, bool *stray)
{
    int known = 0, n = 0, first = 0;
    for (int row = 0; row < c->s.nrow; row++) {
        sorted[known] = gde_clip_cell(c, row, column);
        known += !isnan(sorted[known]);
    }
    sal_sort(sorted, known);
    const int end = known / TWENTY;
    if (end < 1) {
        return;
    }
    const double span[2] = {sorted[end], sorted[known - 1 - end]};
    for (int row = 0; row < c->s.nrow; row++) {
        stray[row] = is_stray(c, column, row, span);
        first = stray[row] && n == 0 ? row : first;
        n += stray[row];
    }
    if (n == 0 || n > end) {
        return;
    }
    gde_note(&c->draft,
             "column '%s' has %d number%s out of %s place, first %.6g in row %d: left out, as "
             "onjump=\"drop\" has it",
             c->s.column[column].name, n, n == 1 ? "" : "s", n == 1 ? "its" : "their",
             gde_clip_cell(c, first, column), first + 1);
    for (int row = 0; row < c->s.nrow; row++) {
        if (stray[row]) {
            c->s.value[(size_t)row * (size_t)c->s.ncol + (size_t)column] = (double)NAN;
        }
    }
}

sal_status gde_leave_strays(gde_clip *c, sal_err *err)
{
    double *sorted = sal_alloc((size_t)c->s.nrow, sizeof *sorted);
    bool *stray = sal_alloc((size_t)c->s.nrow, sizeof *stray);
    if (sorted == NULL || stray == NULL) {
        sal_free(sorted);
        sal_free(stray);
        return sal_fail(err, SAL_NOMEM, "out of memory for the numbers of a recording");
    }
    for (int i = 0; i < c->nscalar && c->made == NULL; i++) {
        const int column = c->block >= 0 ? c->block + i : c->column[c->by_branch[i]];
        if (column >= 0) {
            leave_strays(c, column, sorted, stray);
        }
    }
    sal_free(sorted);
    sal_free(stray);
    return SAL_OK;
}
