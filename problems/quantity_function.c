/* quantity_function.c: functions that a program gives, of numbers that the problem file names.
 *
 *     r = f(x),  dr/dq = df/dx dx/dq
 *
 * x are the numbers of the function's inputs, each a quantity like those of terms, with their exact
 * derivatives. df/dx is the program's own, or comes from central differences of f alone.
 */
#include "problems/quantity.h"

#include <math.h>
#include <string.h>

/* Of central differences: eps^(1/3), of 1 or the number if that is larger. */
static const double STEP = 6e-6;

/* Where a worker calls: x [nx], their rows [nx x columns], r [n], two more of those, J [n x nx] */
typedef struct place {
    double *x, *rows, *r, *above, *below, *J;
} place;

static size_t most_columns(const prb_transcription *tr)
{
    return (size_t)tr->ncol_most;
}

static place place_of(const prb_writer *w, const prb_function *f)
{
    const size_t nx = (size_t)f->nx, n = (size_t)f->given->n;
    place at = {.x = w->tr->function_scratch + (size_t)w->worker * w->tr->function_room};
    at.rows = at.x + nx;
    at.r = at.rows + nx * most_columns(w->tr);
    at.above = at.r + n;
    at.below = at.above + n;
    at.J = at.below + n;
    return at;
}

sal_status prb_function_allocate(prb_transcription *tr, sal_err *err)
{
    const sal_problem *p = tr->p;
    for (int i = 0; i < p->nfunction; i++) {
        const size_t nx = (size_t)p->function[i].nx, n = (size_t)p->function[i].given->n;
        const size_t room = nx + nx * most_columns(tr) + 3 * n + n * nx;
        tr->function_room = room > tr->function_room ? room : tr->function_room;
    }
    const size_t nthread = tr->nthread > 1 ? (size_t)tr->nthread : 1;
    tr->function_scratch = sal_alloc(nthread * tr->function_room, sizeof(double));
    return tr->function_scratch == NULL
               ? sal_fail(err, SAL_NOMEM, "out of memory for the functions of the problem")
               : SAL_OK;
}

bool prb_function_at_end(const sal_model *m, const prb_feature *f)
{
    (void)m;
    return f->ends;
}

/* Its inputs ask for themselves. */
void prb_function_want(prb_wanted *list, const prb_feature *f)
{
    (void)list;
    (void)f;
}

/* x, and its rows where they are wanted */
static void find_inputs(const prb_writer *w, const prb_function *f, const place *at)
{
    const sal_problem *p = w->tr->p;
    const size_t ncol = (size_t)w->tr->block[w->t].ncol;
    int k = 0;
    for (int i = f->first; i < f->first + f->n; i++) {
        prb_input_write(w, p->nterm + p->nconstraint + i, at->x + k,
                        w->J == NULL ? NULL : at->rows + (size_t)k * ncol);
        k += p->input[i].dim;
    }
}

static void difference(const prb_writer *w, const prb_function *f, const place *at)
{
    const sal_function *given = f->given;
    for (int i = 0; i < f->nx; i++) {
        const double x = at->x[i], h = STEP * fmax(1, fabs(x));
        at->x[i] = x + h;
        given->call(given->user, w->t, at->x, f->nx, at->above, NULL);
        at->x[i] = x - h;
        given->call(given->user, w->t, at->x, f->nx, at->below, NULL);
        at->x[i] = x;
        for (int k = 0; k < given->n; k++) {
            at->J[k * f->nx + i] = (at->above[k] - at->below[k]) / (2 * h);
        }
    }
}

/* r, and df/dx where derivatives are wanted */
static void call(const prb_writer *w, const prb_function *f, const place *at)
{
    const sal_function *given = f->given;
    double *J = w->J == NULL ? NULL : at->J;
    if (J != NULL) {
        memset(J, 0, (size_t)given->n * (size_t)f->nx * sizeof *J);
    }
    const bool differentiated = given->call(given->user, w->t, at->x, f->nx, at->r, J);
    if (J != NULL && !differentiated) {
        difference(w, f, at);
    }
}

void prb_function_write(prb_writer *w)
{
    const prb_function *f = w->tr->p->function + w->feature->object[0];
    const size_t ncol = (size_t)w->tr->block[w->t].ncol;
    const place at = place_of(w, f);
    find_inputs(w, f, &at);
    call(w, f, &at);
    for (int k = 0; k < f->given->n; k++) {
        for (int i = 0; i < f->nx && w->J != NULL; i++) {
            prb_row_add(w, at.rows + (size_t)i * ncol, at.J[k * f->nx + i]);
        }
        prb_row_end(w, at.r[k]);
    }
}
