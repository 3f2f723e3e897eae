/* when.c: the instants at which a term or a constraint counts, as steps 0..N. */
#include "problems/language/reader.h"
#include "problems/quantity.h"

#include <math.h>
#include <string.h>

static bool known_at_end(const sal_model *m, const prb_feature *f)
{
    return prb_quantity_of(f)->counts_at_end(m, f);
}

/* Adds the steps from first to last; step N only where the feature has a value there. */
static void add_all(prb_reader *r, prb_feature *f, int first, int last)
{
    const sal_problem *p = r->p;
    f->step = prb_reader_alloc(r, (size_t)p->nstep + 1, sizeof *f->step);
    for (int k = first; k <= last && f->step != NULL; k++) {
        if (k < p->nstep || (p->boundary == PRB_OPEN && known_at_end(p->model, f))) {
            f->step[f->nstep++] = k;
        }
    }
}

/* Why the feature has no value at step N, after an error; true if it has one. */
static bool may_end(prb_reader *r, const prb_feature *f, sal_place place)
{
    if (r->p->boundary == PRB_CYCLE) {
        sal_diag_error(r->diag, place,
                       "the end of a cycle equals its beginning, moved by the travel",
                       "a cycle has no last instant");
        return false;
    }
    if (!known_at_end(r->p->model, f)) {
        sal_diag_error(
            r->diag, place, "the last force acts one step before the end",
            "at the end this quantity is not defined; only positions and velocities are");
        return false;
    }
    return true;
}

/* Adds the step; they are sorted later. */
static void add(prb_reader *r, prb_feature *f, int step, sal_place place)
{
    if (step < 0 || step > r->p->nstep) {
        sal_diag_error(r->diag, place, NULL, "step %d is outside 0 .. %d", step, r->p->nstep);
    } else if (step < r->p->nstep || may_end(r, f, place)) {
        f->step[f->nstep++] = step;
    }
}

static void sort(prb_feature *f)
{
    int n = 0;
    for (int i = 1; i < f->nstep; i++) { /* few, or sorted already */
        const int step = f->step[i];
        int k = i;
        for (; k > 0 && f->step[k - 1] > step; k--) {
            f->step[k] = f->step[k - 1];
        }
        f->step[k] = step;
    }
    for (int i = 0; i < f->nstep; i++) {
        if (n == 0 || f->step[n - 1] != f->step[i]) {
            f->step[n++] = f->step[i];
        }
    }
    f->nstep = n;
}

/* A time in s as the nearest step; -1 after an error. */
static int step_at(prb_reader *r, double time, sal_place place)
{
    const sal_problem *p = r->p;
    if (!(time >= 0 && time <= p->duration * (1 + 1e-9))) {
        sal_diag_error(r->diag, place, "times are counted from the start of the motion",
                       "the time %g s is outside the duration of %g s", time, p->duration);
        return -1;
    }
    return (int)lround(time / p->duration * p->nstep);
}

static void read_at(prb_reader *r, prb_feature *f, const sal_xml_attr *attr)
{
    prb_word word = {.attr = attr};
    f->step = prb_reader_alloc(r, (size_t)prb_reader_count_words(attr) + 1, sizeof *f->step);
    while (f->step != NULL && prb_reader_word(r, &word)) {
        const char *end = word.text;
        double time;
        if (strcmp(word.text, "start") == 0) {
            add(r, f, 0, word.place);
        } else if (strcmp(word.text, "end") == 0) {
            add(r, f, r->p->nstep, word.place);
        } else if (sal_text_number(word.text, &end, &time) && *end == 0) {
            const int step = step_at(r, time, word.place);
            if (step >= 0) {
                add(r, f, step, word.place);
            }
        } else {
            sal_diag_error(r->diag, word.place, "allowed: start, end, or a time in s",
                           "'%.40s' is not an instant", word.text);
        }
    }
}

static void read_window(prb_reader *r, const sal_xml *element, prb_feature *f,
                        const sal_xml_attr *attr)
{
    double window[2];
    if (prb_grammar_reals(element->tag, element, "window", window, 2) != 2) {
        return;
    }
    const int first = step_at(r, window[0], attr->value_place),
              last = first < 0 ? -1 : step_at(r, window[1], attr->value_place);
    if (first >= 0) {
        add_all(r, f, first, last);
    }
}

static void read_steps(prb_reader *r, const sal_xml *element, prb_feature *f,
                       const sal_xml_attr *attr)
{
    const prb_finish finish =
        (prb_finish)prb_grammar_choice("solver", prb_reader_element(r, "solver"), "finish");
    if (finish != PRB_FINISH_NONE) {
        sal_diag_error(r->diag, attr->name_place, "give times: at=\"0.5\" or window=\"0.2 0.4\"",
                       "finish=\"%s\" changes the number of steps, so that 'steps' would mean "
                       "other times",
                       finish == PRB_FINISH_MODEL ? "model" : "try");
        return;
    }
    const int n = prb_grammar_reals(element->tag, element, "steps", NULL, 0);
    double *step = prb_reader_alloc(r, (size_t)(n > 0 ? n : 0), sizeof *step);
    f->step = prb_reader_alloc(r, (size_t)(n > 0 ? n : 0), sizeof *f->step);
    if (step != NULL && f->step != NULL && n > 0) {
        prb_grammar_reals(element->tag, element, "steps", step, n);
        for (int k = 0; k < n; k++) {
            if (step[k] != floor(step[k])) {
                sal_diag_error(r->diag, attr->value_place, "steps must be whole numbers from 0",
                               "%g is not a step", step[k]);
            } else {
                add(r, f, (int)step[k], attr->value_place);
            }
        }
    }
    sal_free(step);
}

void prb_read_always(prb_reader *r, prb_feature *f)
{
    const sal_problem *p = r->p;
    if (f->nstep == 0 && !f->mean && p->boundary == PRB_OPEN && p->nstep > 0 &&
        known_at_end(p->model, f)) {
        add_all(r, f, 0, p->nstep);
    }
}

void prb_read_when(prb_reader *r, const sal_xml *element, prb_feature *f)
{
    const sal_xml_attr *at = sal_xml_find_attr(element, "at"),
                       *window = sal_xml_find_attr(element, "window"),
                       *steps = sal_xml_find_attr(element, "steps");
    const sal_xml_attr *one = at != NULL ? at : window != NULL ? window : steps;
    if ((at != NULL) + (window != NULL) + (steps != NULL) > 1) {
        sal_diag_error(r->diag, one->name_place, "keep one of the three",
                       "a %s can have only one of 'at', 'window', 'steps'", element->tag);
        return;
    }
    if (one == NULL || !(r->p->duration > 0) || r->p->nstep < 1) {
        return;
    }
    if (at != NULL) {
        read_at(r, f, at);
    } else if (window != NULL) {
        read_window(r, element, f, window);
    } else {
        read_steps(r, element, f, steps);
    }
    sort(f);
}
