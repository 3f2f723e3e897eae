/* What in recorded signals is probably not so, though nothing says that it is wrong. */
#include "signals/reader.h"

#include <math.h>
#include <string.h>

static const double *number(const sig_signals *s, int row, int column)
{
    return s->value + (size_t)row * (size_t)s->ncol + (size_t)column;
}

static bool is_origin(const double *x)
{
    return fabs(x[0]) + fabs(x[1]) + fabs(x[2]) <= 0;
}

bool sig_marker_is_seen(const sig_signals *s, int marker, int row)
{
    const double *x = number(s, row, s->marker_column[marker]);
    return !isnan(x[0] + x[1] + x[2]) && !is_origin(x);
}

void sig_warn_origin(const sig_signals *s, sal_diag *diag)
{
    for (int i = 0; i < s->nmarker; i++) {
        int count = 0, first = 0;
        for (int row = 0; row < s->nrow; row++) {
            const double *x = number(s, row, s->marker_column[i]);
            const bool origin = is_origin(x);
            first = origin && count == 0 ? row : first;
            count += origin;
        }
        if (count > 0) {
            sal_diag_warning(
                diag, sig_signals_cell(s, first, s->marker_column[i]),
                "a missing marker has empty cells",
                "marker '%.80s' stands at exactly 0 0 0 in %d of %d rows, first in this one: "
                "was it lost?",
                s->marker[i], count, s->nrow);
        }
    }
}

void sig_warn_rate(const sig_signals *s, sal_place place, sal_diag *diag)
{
    if (s->rate <= 0 || s->time < 0 || s->nrow < 2) {
        return;
    }
    const double length = *number(s, s->nrow - 1, s->time) - *number(s, 0, s->time);
    const double rate = (s->nrow - 1) / length;
    if (!(fabs(rate / s->rate - 1) <= .01)) {
        sal_diag_warning(diag, place, "the times count; say rate= where the rate should",
                         "the header says %.6g rows a second, but the times make %.6g", s->rate,
                         rate);
    }
}

/* Metres that one of the unit is; 0: not a length. */
static double metres(const char *unit)
{
    char of = 0;
    const double si = sig_unit(unit, &of);
    return of == 'L' ? si : 0;
}

/* Seconds from row to row + 1. */
static double step(const sig_signals *s, int row)
{
    return s->time >= 0  ? *number(s, row + 1, s->time) - *number(s, row, s->time)
           : s->rate > 0 ? 1 / s->rate
                         : 0;
}

int sig_warn_jumps(const sig_signals *s, int marker, sal_diag *diag)
{
    const int column = s->marker_column[marker];
    const double scale = metres(s->column[column].unit);
    int count = 0, first = 0;
    double worst = 0;
    for (int row = 1; row + 1 < s->nrow && scale > 0; row++) {
        const double *a = number(s, row - 1, column), *b = number(s, row, column),
                     *c = number(s, row + 1, column), h = step(s, row);
        /* what leads from a through b elsewhere than to c: x_{i+1} - 2 x_i + x_{i-1} = a h^2 */
        const double bend = scale * hypot(hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1]),
                                          a[2] - 2 * b[2] + c[2]);
        if (bend > SIG_JUMP_LENGTH && bend > SIG_JUMP_ACCELERATION * h * h) {
            first = count++ == 0 ? row + 1 : first;
            worst = fmax(worst, bend);
        }
    }
    if (count > 0) {
        sal_diag_warning(
            diag, sig_signals_cell(s, first, column),
            "was it taken for another marker, or lost and found elsewhere?",
            "marker '%.80s' jumps by up to %.3g m from row to row, first to this one (%d "
            "time%s)",
            s->marker[marker], worst, count, count == 1 ? "" : "s");
    }
    return count;
}
