#include "problems/language/reader.h"

/* Accelerations are differences of positions over the square of the step: below a microsecond no
 * digit of them is left. */
static const double shortest_step = 1e-6;

/* Whole numbers that shrink, by which the steps are divided; at least three steps are left. */
static void read_refine(prb_reader *r, const sal_xml *time)
{
    enum { MOST = (int)(sizeof r->p->refine / sizeof r->p->refine[0]) };
    sal_problem *p = r->p;
    double divisor[MOST];
    const int n = prb_grammar_reals("time", time, "refine", divisor, MOST);
    const sal_place place = prb_reader_place(time, "refine");
    if (n > MOST) {
        sal_diag_error(r->diag, place, NULL, "refine has %d numbers; at most %d are allowed", n,
                       MOST);
        return;
    }
    for (int i = 0; i < n; i++) {
        p->refine[i] = (int)divisor[i];
        if (p->refine[i] != divisor[i] || (i > 0 && divisor[i] >= divisor[i - 1])) {
            sal_diag_error(r->diag, place, "for example refine=\"4 2\"",
                           "refine must be whole numbers, each smaller than the one before");
            return;
        }
        if (p->nstep / p->refine[i] < 3) {
            sal_diag_error(r->diag, place, NULL,
                           "a motion needs at least 3 steps; %d / %d are fewer", p->nstep,
                           p->refine[i]);
            return;
        }
    }
    p->nrefine = n;
}

/* duration > 0 and nstep are the grammar's; the first guess of a free duration lies within its
 * bounds */
void prb_read_time(prb_reader *r)
{
    sal_problem *p = r->p;
    const sal_xml *time = prb_reader_element(r, "time");
    p->nstep = (int)prb_grammar_whole("time", time, "nstep");
    p->duration = prb_grammar_real("time", time, "duration");
    if (p->duration > 0 && p->nstep > 0 && p->duration / p->nstep < shortest_step) {
        sal_diag_error(
            r->diag, prb_reader_place(time, "duration"), "use fewer steps, or a longer duration",
            "a time step of %g s is too short for double precision", p->duration / p->nstep);
    }
    if (p->nstep > 0) {
        read_refine(r, time);
    }
    if (prb_grammar_reals("time", time, "range", p->duration_range, 2) != 2) {
        p->duration_range[0] = p->duration_range[1] = p->duration;
    } else if (p->duration < p->duration_range[0] || p->duration > p->duration_range[1]) {
        sal_diag_error(r->diag, prb_reader_place(time, "duration"),
                       "duration is the first guess of a free duration; it must lie in range",
                       "the duration of %g s is outside the range %g .. %g s", p->duration,
                       p->duration_range[0], p->duration_range[1]);
    }
}
